//! The scores that a record lists in its field `metrics`.

use super::json;
use super::value::RecordValue;

/// The names in a `metrics` list, which is the same in every record of a file.
#[derive(Debug, Default)]
pub(super) struct ListedMetrics {
    pub(super) present: bool,
    raw: String,
    pub(super) names: Vec<String>,
}

impl ListedMetrics {
    pub(super) fn set(&mut self, raw: &str) {
        self.present = true;
        if self.raw == raw {
            return;
        }
        raw.clone_into(&mut self.raw);
        self.names.clear();
        let mut scratch = String::new();
        let _checked = json::for_each_element(raw, |element| {
            if let RecordValue::Text(name) = json::value(element, &mut scratch) {
                self.names.push(name.to_owned());
            }
        });
    }
}
