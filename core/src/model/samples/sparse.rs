//! Lists with a value for each row of a table, empty while no row says anything: what a file does not
//! have costs nothing.

/// Sets the value of the last of `rows` rows.
pub(super) fn set_last<T: Copy + Default + PartialEq>(list: &mut Vec<T>, rows: usize, value: T) {
    if !list.is_empty() || value != T::default() {
        list.resize(rows, T::default());
        if let Some(last) = list.last_mut() {
            *last = value;
        }
    }
}

/// The values of those rows.
pub(super) fn picked<T: Copy + Default + PartialEq>(list: &[T], rows: &[u32]) -> Vec<T> {
    let value = |&row: &u32| list.get(row as usize).copied().unwrap_or_default();
    let is_silent = list.is_empty() || rows.iter().all(|row| value(row) == T::default());
    if is_silent { Vec::new() } else { rows.iter().map(value).collect() }
}

/// Appends the values of `added` rows behind `rows` rows.
pub(super) fn extend<T: Copy + Default>(
    list: &mut Vec<T>,
    rows: usize,
    other: Vec<T>,
    added: usize,
) {
    if !list.is_empty() || !other.is_empty() {
        list.resize(rows, T::default());
        list.extend(other);
        list.resize(rows + added, T::default());
    }
}
