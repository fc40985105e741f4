//! How far the shares of counts moved, with their intervals on one scale.

use super::progress_wording::{ProgressWording, points};
use crate::kinds::progress::analysis::{ProgressMovement, ProgressRate};
use crate::quantity::{self, Unit};
use crate::report::block::Block;
use crate::report::chart::{
    Axis, Chart, IntervalMark, IntervalPanel, IntervalRow, Marks, RowLook, Side,
};

/// Nothing where a single share was tested: the table says it.
pub(super) fn block(wording: &ProgressWording<'_>) -> Option<Block> {
    let rates = &wording.progress.rates;
    let rows: Vec<IntervalRow> = rates.iter().filter_map(|rate| row(wording, rate)).collect();
    if rows.len() < 2 {
        return None;
    }
    let said = rows.iter().map(|row| format!("{} {} {}", row.name, row.figure, row.word));
    let description = said.collect::<Vec<_>>().join(&wording.words.get("punctuation.semicolon"));
    let title = wording.words.get("chart.difference.rate");
    let unit = Unit::Percent.name_of_differences();
    let axis = Axis { title, unit, is_difference: true };
    let title = wording.fill("chart", &[("level", wording.level())]);
    let marks = Marks::Intervals { panels: vec![IntervalPanel { axis, arms: None, rows }] };
    Some(Block::chart(Chart { name: "rates", title, description, marks }))
}

fn row(wording: &ProgressWording<'_>, rate: &ProgressRate) -> Option<IntervalRow> {
    // What the table calls the change, and not the difference of the cases since.
    let [lo, hi] = rate.change_interval()?.map(|limit| limit * 100.0);
    let at = rate.change()? * 100.0;
    let decimals = quantity::share_decimals(rate.after.as_ref()?.counts.n as f64);
    let side = match rate.movement {
        ProgressMovement::Improved => Some(Side::Better),
        ProgressMovement::Worsened => Some(Side::Worse),
        _ => None,
    };
    Some(IntervalRow {
        name: wording.name(&rate.name),
        group: None,
        marks: vec![IntervalMark::figure(at, Some([lo, hi]))],
        margin: None,
        figure: format!("{} ({})", points(rate)?, quantity::interval_text(lo, hi, decimals)),
        word: wording.movement(rate.movement),
        look: RowLook {
            is_decided: side.is_some() || rate.movement == ProgressMovement::Changed,
            side,
            ..RowLook::default()
        },
    })
}
