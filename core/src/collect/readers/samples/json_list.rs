//! Records that are the elements of a JSON list, which stands in the text of a file.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::{BadRecord, Harvest, json};
use crate::collect::lines::LineCounter;

/// A list in the text of its file, and how an element is written as a record.
pub(crate) struct JsonList<'a, R> {
    pub(crate) text: &'a str,
    pub(crate) list: &'a str,
    pub(crate) record: R,
}

impl<'a, R: Fn(&'a str) -> Result<Cow<'a, str>, json::Malformed>> JsonList<'a, R> {
    /// Takes every record; those before a fault are taken.
    pub(crate) fn take(&self, harvest: &mut Harvest) {
        let mut lines = LineCounter::new(self.text);
        let ended = json::for_each_element(self.list, |element| {
            let line = lines.line_of_part(element);
            let record = (self.record)(element);
            if let Err(fault) = record.and_then(|record| harvest.take_record(&record, line)) {
                let expected = fault.expected;
                harvest.findings.bad(BadRecord { line, column: None, expected });
            }
        });
        if let Err(fault) = ended {
            let line = lines.line_of_part(self.list.get(fault.offset..).unwrap_or_default());
            let record = BadRecord { line, column: None, expected: fault.expected };
            if fault.offset >= self.list.trim_end().len() {
                harvest.findings.torn = Some(record);
            } else {
                harvest.findings.bad(record);
            }
        }
    }

    /// Hands on the records of these lines. What stands before a fault is handed on, as when they were
    /// taken.
    pub(crate) fn hand_on(&self, wanted: &BTreeSet<u64>, take: &mut dyn FnMut(u64, &str)) {
        let mut lines = LineCounter::new(self.text);
        let _ended = json::for_each_element(self.list, |element| {
            let line = lines.line_of_part(element);
            if let (true, Ok(record)) = (wanted.contains(&line), (self.record)(element)) {
                take(line, &record);
            }
        });
    }
}
