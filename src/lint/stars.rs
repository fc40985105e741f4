//! Tables of stars against the overall score below them: `4.8/5.0`.

use super::printed::{Number, Span, number_at, number_before};
use super::{Found, Page, Reckoned};
use crate::marked::{Row, Table};

const STAR: char = '⭐';

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    page.document.tables.iter().filter_map(|table| below(table, page)).collect()
}

/// The first score between a table of stars and the next heading or table.
fn below(table: &Table, page: &Page<'_>) -> Option<Found> {
    let stars: Vec<usize> = table.rows.iter().filter_map(|row| stars_of(row, page.text)).collect();
    let last = table.rows.last()?;
    // The last row may give the score.
    let below = usize::from(stars_of(last, page.text).is_none());
    if stars.len() < 3 || stars.len() + below < table.rows.len() {
        return None;
    }
    let lines = page.lines.each().skip(last.line - below);
    let mut section = lines
        .enumerate()
        .take_while(|(at, (_, line))| (below == 1 && *at == 0) || !line.starts_with(['#', '|']));
    let (start, score) = section.find_map(|(_, (start, line))| Some((start, score(line)?)))?;
    let mean = stars.iter().sum::<usize>() as f64 / stars.len() as f64;
    let printed = score.printed;
    let sum = stars.iter().sum::<usize>();
    let reckoned = Reckoned {
        found: printed.text(),
        expected: printed.like(mean),
        how: format!("{sum} ÷ {}", stars.len()),
        fix: None,
    };
    let place = start + score.place.start..start + score.place.end;
    let found = Found::figure(place, "lint.stars", reckoned).with("count", stars.len());
    (!printed.can_be(Span::exactly(mean))).then_some(found)
}

/// How many stars a row has, where one cell holds nothing else.
fn stars_of(row: &Row, text: &str) -> Option<usize> {
    let cells = row.cells.iter().filter_map(|cell| text.get(cell.content.clone()));
    let mut starred = cells.filter(|cell| !cell.is_empty() && cell.chars().all(|c| c == STAR));
    starred.next().map(|cell| cell.chars().count())
}

/// A score of five with decimals.
fn score(line: &str) -> Option<Number> {
    line.match_indices('/').find_map(|(bar, _)| {
        let score = number_before(line, bar)?;
        let of = number_at(line, bar + 1)?;
        (of.printed.value == 5.0 && score.printed.decimals > 0).then_some(score)
    })
}
