//! Answers that one arm asked for again: how often each answer was asked for, as the records count it.

use super::samples::about;
use crate::diag::{Code, Diagnostic, Location};
use crate::model::SampleTable;
use crate::pairing::{CellPair, PairArm, RunPair, TablePair};
use crate::quantity::Quantity;
use crate::stats::Moments;
use crate::stats::proportions::independent::{Arm, pooled_z};

/// Standard normal quantile at 1 % from both sides, by which the shares of answers asked for again
/// differ.
const APART: f64 = 2.576;
/// The least by which they do.
const LEAST: f64 = 0.01;
/// Standard errors by which answers that were given at once have to be better than those asked for
/// again.
const CLEARLY: f64 = 2.0;

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let tables = pair.tables.iter().zip(pair.cells_by_table());
    tables.filter_map(|(tables, cells)| finding(pair, &cells, tables)).collect()
}

/// What one arm asked for again.
struct Again {
    /// For each row how often its answer was asked for; empty where nothing says so.
    attempts: Vec<u16>,
    count: u64,
    of: u64,
    most: u16,
}

impl Again {
    fn of(table: &SampleTable) -> Self {
        let attempts = table.attempts();
        let count = attempts.iter().filter(|&&count| count > 1).count() as u64;
        let most = attempts.iter().copied().max().unwrap_or(1);
        Self { attempts, count, of: table.len() as u64, most }
    }

    fn share(&self) -> f64 {
        self.count as f64 / self.of.max(1) as f64
    }
}

fn finding(
    pair: &RunPair<'_>,
    cells: &[&CellPair<'_>],
    tables: &TablePair<'_>,
) -> Option<Diagnostic> {
    let arms = PairArm::BOTH.map(|which| Again::of(tables.table(which)));
    let [mine, theirs] = &arms;
    // With one rule in both arms, the one that is wrong more often asks more often.
    if mine.most == theirs.most || !are_apart(mine, theirs) {
        return None;
    }
    let is_candidate = theirs.share() > mine.share();
    let which = if is_candidate { PairArm::Candidate } else { PairArm::Baseline };
    let own = &arms[which];
    let by = cells.iter().find(|cell| depends(cell, which, own));
    let code = if by.is_some() { Code::RetriedByOutcome } else { Code::RetriesDiffer };
    let [baseline, candidate] =
        arms.each_ref().map(|arm| Quantity::Part { count: arm.count, of: arm.of });
    let found = about(code, tables)
        .with("run", pair.run(which).id.as_str())
        .with("baseline", baseline)
        .with("candidate", candidate)
        .at(Location::file(tables.table(which).path.as_ref()));
    Some(match by {
        Some(cell) => found.with("metric", cell.key.metric.as_str()),
        None => found,
    })
}

fn are_apart(mine: &Again, theirs: &Again) -> bool {
    let [mine, theirs] = [mine, theirs].map(|arm| Arm { x: arm.count as f64, n: arm.of as f64 });
    (mine.share() - theirs.share()).abs() >= LEAST && pooled_z(mine, theirs).abs() > APART
}

/// Whether answers that were given at once are better than those that were asked for again: answers
/// that failed for other reasons are asked for whatever their score.
fn depends(cell: &CellPair<'_>, which: PairArm, own: &Again) -> bool {
    let Some(samples) = &cell.side(which).samples else { return false };
    let Some(sign) = cell.spec.direction.sign() else { return false };
    let scores = |again: bool| -> Moments {
        let is_of = |row: &usize| own.attempts.get(*row).is_some_and(|&count| (count > 1) == again);
        samples.rows().filter(is_of).filter_map(|row| samples.score(row)).collect()
    };
    let [once, again] = [scores(false), scores(true)];
    let squared_error = |scores: Moments| scores.m2 / (scores.n as f64).powi(2);
    let error = (squared_error(once) + squared_error(again)).sqrt();
    let better = sign * (once.mean - again.mean);
    once.n > 0 && again.n > 0 && better > 0.0 && better > CLEARLY * error
}
