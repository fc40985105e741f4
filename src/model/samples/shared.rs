//! Fields of no known meaning whose values several samples share.

/// Fewest and most values, the most as a share of the rows that have one: fewer are parts of the
/// dataset, more are another one for nearly every sample.
const FEWEST_VALUES: usize = 6;
const MOST_VALUES: f64 = 0.9;

/// Share of the rows that have to have a value.
const MOSTLY: f64 = 0.5;

/// Most fields that are kept, those with fewest values first.
const MOST_FIELDS: usize = 6;

/// The column of a field, made when it is new.
pub(super) fn shared_column<'c>(
    columns: &'c mut Vec<(String, Vec<u32>)>,
    field: &str,
) -> &'c mut Vec<u32> {
    let position = columns.iter().position(|(name, _)| name == field).unwrap_or_else(|| {
        columns.push((field.to_owned(), Vec::new()));
        columns.len() - 1
    });
    &mut columns[position].1
}

/// Leaves the columns whose values several of so many rows share.
pub(super) fn keep_sharing(columns: &mut Vec<(String, Vec<u32>)>, rows: usize) {
    let mut kept: Vec<(usize, (String, Vec<u32>))> = std::mem::take(columns)
        .into_iter()
        .filter_map(|column| Some((values_shared(&column.1, rows)?, column)))
        .collect();
    kept.sort_by_key(|(values, _)| *values);
    kept.truncate(MOST_FIELDS);
    columns.extend(kept.into_iter().map(|(_, column)| column));
}

/// How many values a column has, where several rows share them.
fn values_shared(column: &[u32], rows: usize) -> Option<usize> {
    let mut values: Vec<u32> = column.iter().copied().filter(|&value| value != 0).collect();
    let written = values.len() as f64;
    values.sort_unstable();
    values.dedup();
    let is_shared = values.len() >= FEWEST_VALUES && values.len() as f64 <= MOST_VALUES * written;
    (is_shared && written >= MOSTLY * rows as f64).then_some(values.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_kept_that_several_samples_share_and_no_constant_and_no_id() {
        let column = |value: fn(u32) -> u32| (0..100).map(value).collect::<Vec<u32>>();
        for (values, shared) in [
            (column(|i| 1 + i / 10), Some(10)),
            (column(|i| 1 + i % 5), None),
            (column(|i| 1 + i), None),
            (column(|_| 1), None),
            (column(|i| if i < 60 { 0 } else { 1 + i % 10 }), None),
        ] {
            assert_eq!(values_shared(&values, 100), shared);
        }
    }
}
