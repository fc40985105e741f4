//! In what unit the columns of a table are, by the percent signs in them.

use super::super::records::FileSheet;
use super::figure::read_cell;
use crate::quantity::Unit;

#[derive(Clone, Copy)]
pub(super) enum ColumnUnit {
    Unknown,
    Percent,
    /// Beside figures with a percent sign stand others, and none of these is above 1.
    Mixed,
}

/// The unit of each column: one in which a percent sign stands is in percent, unless what stands there
/// without one may be shares.
pub(super) fn stated_units(sheet: &FileSheet) -> Vec<ColumnUnit> {
    let unit = |column: usize| {
        let figures = sheet.rows.iter().filter_map(|(_, row)| {
            let figure = read_cell(FileSheet::cell(row, column))?;
            Some((figure.unit, figure.value.value()?))
        });
        let (signed, bare): (Vec<_>, Vec<_>) = figures.partition(|(unit, _)| unit.is_some());
        let is_share = |&(_, value): &(Option<Unit>, f64)| value.abs() <= 1.0;
        match (signed.is_empty(), bare.is_empty() || !bare.iter().all(is_share)) {
            (true, _) => ColumnUnit::Unknown,
            (false, true) => ColumnUnit::Percent,
            (false, false) => ColumnUnit::Mixed,
        }
    };
    (0..sheet.header.len()).map(unit).collect()
}
