//! Percentages that no count of so many samples gives: `53.5%` of 10. Brown and Heathers (2017), "The GRIM
//! test", doi:10.1177/1948550616673876.

use super::agreement::{Agreement, most_fit};
use super::columns::{Columns, figure_in, has_word, is_only, number_place, printed_in};
use super::count_columns::TRIALS;
use super::printed::{Printed, Span};
use super::{Found, Page, Reckoned};
use crate::marked::Row;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    page.tables.iter().flat_map(|columns| in_table(columns, page.text)).collect()
}

fn in_table(columns: &Columns<'_>, text: &str) -> Vec<Found> {
    let trials = columns.named(TRIALS);
    let head = |column: &usize| columns.heads.get(*column).map_or("", String::as_str);
    let [trials] = trials.as_slice() else { return Vec::new() };
    if !is_only(head(trials), TRIALS) {
        return Vec::new();
    }
    let shares = columns.figures.iter().filter(|column| {
        let is_of_units = OF_UNITS.iter().any(|word| has_word(head(column), word));
        *column != trials && columns.is_measured(**column) && !is_of_units
    });
    let found = shares.flat_map(|column| {
        let in_percent = head(column).contains('%');
        let rows = columns.rows.iter();
        let judged =
            rows.filter_map(|row| Some((*row, judge(row, *trials, (*column, in_percent))?)));
        let (rows, judged): (Vec<&Row>, Vec<(Agreement, f64)>) = judged.unzip();
        let is_rule = are_of_counts(&judged);
        let wrong = rows.into_iter().zip(judged).filter(|(_, (one, _))| is_rule && !one.fits);
        wrong
            .filter_map(|(row, (one, _))| found(row, (*trials, *column), one, text))
            .collect::<Vec<_>>()
    });
    found.collect()
}

/// Rates of errors among words or sounds, of which a sample has many.
const OF_UNITS: &[&str] = &["wer", "cer", "uer", "per", "ter", "der"];

/// The largest chance that percentages of something else are all near those of counts.
const MOST: f64 = 0.05;

/// Whether most rows hold what counts give, and means or other figures would hardly.
fn are_of_counts(judged: &[(Agreement, f64)]) -> bool {
    // Nothing and all are shares of any count.
    let telling = judged
        .iter()
        .filter(|(one, _)| !one.fits || (one.stated.value > 0.0 && one.stated.value < 100.0));
    let (agreements, chances): (Vec<Agreement>, Vec<f64>) = telling.copied().unzip();
    let fitting = agreements.iter().zip(chances).filter(|(one, _)| one.fits);
    most_fit(&agreements) && fitting.map(|(_, chance)| chance).product::<f64>() <= MOST
}

/// The percentage of a row with the nearest that its number of samples gives, and the chance that any other
/// would be as near; none where all that can be printed is near one.
fn judge(
    row: &Row,
    trials: usize,
    (column, in_percent): (usize, bool),
) -> Option<(Agreement, f64)> {
    let n = figure_in(row, trials).filter(|n| n.is_whole() && n.value >= 2.0)?.value;
    let share = figure_in(row, column)?;
    let is_share = (share.suffix.trim() == "%" || in_percent) && !share.has_plus;
    let printed = Printed::from(share);
    let step = 100.0 / n;
    let is_telling = step > 2.0 * printed.unit() && (0.0..=100.0).contains(&printed.value);
    let nearest = (printed.value / step).round() * step;
    let agreement = Agreement::new(printed, Span::exactly(nearest), false);
    (is_share && is_telling).then_some((agreement, 2.0 * printed.unit() / step))
}

fn found(row: &Row, (trials, column): (usize, usize), one: Agreement, text: &str) -> Option<Found> {
    let n = printed_in(row, trials)?;
    let k = (one.span.middle() * n.value / 100.0).round();
    let reckoned = Reckoned {
        found: one.stated.text(),
        expected: one.stated.like(one.span.middle()),
        how: format!("100 × {} ÷ {}", n.like(k), n.text()),
        fix: None,
    };
    let place = number_place(row.cells.get(column)?, text);
    let found = Found::figure(place, "lint.impossible-share", reckoned);
    Some(found.with("successes", n.like(k)).with("trials", n.text()))
}
