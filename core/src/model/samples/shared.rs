//! Fields whose values, or parts of them, several samples share.

use serde::{Deserialize, Serialize};

use super::SampleTable;

/// Fewest and most values, the most as a share of the rows that have one: more are another one for
/// nearly every sample.
const FEWEST_VALUES: usize = 2;
const MOST_VALUES: f64 = 0.9;

/// Share of the rows that have to have a value.
const MOSTLY: f64 = 0.5;

/// What several samples may share: a field, or a part of what stands in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedKey {
    pub field: String,
    pub part: SharedPart,
}

/// Which part of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SharedPart {
    Whole,
    /// Of a path or an address, what stands before its last `/`.
    Directory,
    /// Of a name, what stands before its last separator that is no `/`.
    NameBeginning,
    /// So many first bytes of a text that is longer.
    TextBeginning(u16),
}

/// Index of the column of a field or a part of it, made when it is new.
pub(super) fn shared_column(columns: &mut Vec<(SharedKey, Vec<u32>)>, key: &SharedKey) -> usize {
    columns.iter().position(|(known, _)| known == key).unwrap_or_else(|| {
        columns.push((key.clone(), Vec::new()));
        columns.len() - 1
    })
}

/// Leaves the columns whose values several of so many rows share, and returns the fields that say one
/// thing in all of them, with a number for it.
pub(super) fn keep_sharing(
    columns: &mut Vec<(SharedKey, Vec<u32>)>,
    rows: usize,
) -> Vec<(String, u32)> {
    let constants = columns.iter().filter(|(key, _)| key.part == SharedPart::Whole);
    let constants = constants.filter_map(|(key, column)| {
        let first = *column.first().filter(|&&value| value != 0)?;
        let is_constant = column.len() == rows && column.iter().all(|&value| value == first);
        is_constant.then(|| (key.field.clone(), first))
    });
    let constants = constants.collect();
    columns.retain(|(_, column)| is_shared(column, rows));
    constants
}

impl SampleTable {
    /// The fields of no known meaning that say one thing in all rows, with a number for it.
    pub fn constants(&self) -> &[(String, u32)] {
        &self.constants
    }
}

/// Whether several rows share the values of a column.
fn is_shared(column: &[u32], rows: usize) -> bool {
    let mut values: Vec<u32> = column.iter().copied().filter(|&value| value != 0).collect();
    let written = values.len() as f64;
    values.sort_unstable();
    values.dedup();
    let is_shared = values.len() >= FEWEST_VALUES && values.len() as f64 <= MOST_VALUES * written;
    is_shared && written >= MOSTLY * rows as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_kept_that_several_samples_share_and_no_constant_and_no_id() {
        let column = |value: fn(u32) -> u32| (0..100).map(value).collect::<Vec<u32>>();
        for (values, shared) in [
            (column(|i| 1 + i / 10), true),
            (column(|i| 1 + i % 2), true),
            (column(|i| 1 + i), false),
            (column(|_| 1), false),
            (column(|i| if i < 60 { 0 } else { 1 + i % 10 }), false),
        ] {
            assert_eq!(is_shared(&values, 100), shared);
        }
    }
}
