//! Infers the scale of metrics without declared bounds that some programs write from 0 to 1 and
//! others from 0 to 100, as far as the size of the figures shows it; and finds rates that may be shares in
//! one arm and percentages in the other.

use std::collections::BTreeSet;

use super::PairArm;
use super::cells::CellPair;
use super::side::StatedSide;
use crate::model::MetricNames;
use crate::quantity::Unit;

/// What is in the names of such metrics.
const PARTS: [&str; 7] = ["bertscore", "bert_score", "bleu", "chrf", "comet", "meteor", "rouge"];
/// What is a whole word of them.
const WORDS: [&str; 4] = ["wer", "cer", "mer", "ter"];
/// A name that only begins like one of them.
const OTHER: &str = "bleurt";

/// How many times as large percentages may be as shares of what another model did: up to three times
/// as good or bad.
const FACTOR: std::ops::RangeInclusive<f64> = 30.0..=300.0;

/// Marks the cells of such metrics whose figures are shares in both arms, and those where one arm
/// writes shares throughout and the other, by what its figures are many times larger, percentages.
pub(super) fn settle_scales(cells: &mut [CellPair<'_>]) {
    let metrics = cells.iter().filter(|cell| is_written_either_way(cell));
    let metrics: BTreeSet<String> = metrics.map(|cell| cell.key.metric.clone()).collect();
    for metric in metrics {
        let own = |cell: &&CellPair<'_>| cell.key.metric == metric && cell.figures().is_some();
        let own: Vec<&CellPair<'_>> = cells.iter().filter(own).collect();
        let [mine, theirs] = PairArm::BOTH.map(|which| {
            let mut figures = own.iter().filter_map(|cell| cell.figure(which));
            figures.all(|figure| figure.abs() <= 1.0)
        });
        let are_apart = own.iter().any(|cell| {
            let (low, high) = cell.figures().map_or((0.0, 0.0), |(a, b)| (a.min(b), a.max(b)));
            high > 1.0 && is_apart(low, high)
        });
        let (shares, mixed) = (mine && theirs && !own.is_empty(), mine != theirs && are_apart);
        for cell in cells.iter_mut().filter(|cell| cell.key.metric == metric) {
            cell.written_as_shares = shares && is_named(&cell.key.metric);
            cell.mixed_units |= mixed;
        }
    }
    settle_low_rates(cells);
}

fn is_apart(low: f64, high: f64) -> bool {
    low > 0.0 && FACTOR.contains(&(high / low))
}

/// Marks rates whose unit neither arm writes and of which one is so many times as large as the other
/// that they may be in two units. Files write all their rates alike: where another rate of the same two
/// files is alike in both, they have one unit. One that is clearly a percentage in both shows that of
/// other metrics alone: a table may hold shares of one evaluation beside percentages of another.
fn settle_low_rates(cells: &mut [CellPair<'_>]) {
    let stated: Vec<Option<UnwrittenRates>> = cells.iter().map(UnwrittenRates::of).collect();
    let shows_unit = |other: &UnwrittenRates, rates: &UnwrittenRates| {
        !other.are_apart
            && other.files == rates.files
            && (other.is_low || other.metric != rates.metric)
    };
    for (cell, rates) in cells.iter_mut().zip(&stated) {
        let rates = rates.as_ref().filter(|rates| rates.is_low && rates.are_apart);
        cell.share_or_percentage =
            rates.is_some_and(|rates| !stated.iter().flatten().any(|one| shows_unit(one, rates)));
    }
}

/// The figures of a rate that both arms state without a unit.
struct UnwrittenRates {
    metric: String,
    files: [String; 2],
    /// Whether one of them is not above 1.
    is_low: bool,
    are_apart: bool,
}

impl UnwrittenRates {
    fn of(cell: &CellPair<'_>) -> Option<Self> {
        let spec = &cell.spec;
        let (a, b) = cell.figures().filter(|_| spec.unit.is_rate() && !cell.mixed_units)?;
        let sides = PairArm::BOTH.map(|which| cell.side(which));
        let stated = sides.map(|side| side.stated.filter(|_| side.samples.is_none()));
        let is_written =
            |stated: &StatedSide<'_>| stated.scalar.unit.is_some() && !stated.scalar.unit_inferred;
        let is_written = |side: &Option<StatedSide<'_>>| side.as_ref().is_some_and(is_written);
        let (low, high) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
        if spec.unit_declared || low == 0.0 {
            return None;
        }
        let larger = stated[usize::from(b > a)].filter(|_| !stated.iter().any(is_written));
        let files = stated.map(|side| {
            side.map_or_else(String::new, |stated| stated.scalar.source.path.to_string())
        });
        let is_share = |larger: &StatedSide<'_>| spec.outcomes && is_no_percentage(larger);
        let are_apart = is_apart(low, high) && larger.is_some_and(|larger| !is_share(&larger));
        Some(Self { metric: spec.name.clone(), files, is_low: low <= 1.0, are_apart })
    }
}

/// Whether so many percent of its samples are no whole number of them.
fn is_no_percentage(stated: &StatedSide<'_>) -> bool {
    let Some((value, n)) = stated.value().value().zip(stated.n) else { return false };
    let loose = n as f64 * 0.005 * 10_f64.powf(-(stated.decimals() as f64));
    let count = value / 100.0 * n as f64;
    (count - count.round()).abs() > loose.max(1e-6)
}

fn is_written_either_way(cell: &CellPair<'_>) -> bool {
    if cell.spec.unit != Unit::Plain || cell.spec.range().is_some() {
        return false;
    }
    // A direction alone says nothing of the unit of a rate.
    let is_rate =
        || MetricNames::default().get(&cell.key.metric).is_some_and(|it| it.unit.is_rate());
    is_named(&cell.key.metric) || is_rate()
}

fn is_named(metric: &str) -> bool {
    let name = metric.to_ascii_lowercase();
    let is_named = PARTS.iter().any(|part| name.contains(part)) && !name.contains(OTHER);
    is_named || name.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}
