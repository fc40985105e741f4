//! Answers that one arm asked for again: how often each answer was asked for, as the records count it, or
//! as a count shows that only one arm has.

use super::samples::about;
use crate::diag::{Code, Diagnostic, Location};
use crate::model::SampleTable;
use crate::pairing::{CellPair, PairArm, RunPair, SampledSide, TablePair};
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
/// Fewest answers below the highest count, and fewest wrong ones at it, that show a count of attempts.
const FEWEST_BELOW: usize = 20;
const FEWEST_WRONG: usize = 5;
/// Words for what an episode counts, which ends when the problem is solved.
const OF_EPISODES: [&str; 8] =
    ["action", "actions", "frame", "frames", "step", "steps", "turn", "turns"];

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let tables = pair.tables.iter().zip(pair.cells_by_table());
    let found = tables.filter_map(|(tables, cells)| {
        finding(pair, &cells, tables).or_else(|| until_right(pair, &cells, tables))
    });
    found.collect()
}

/// A count in one arm alone below whose highest value every answer is right: this arm asked until the
/// answer was right.
fn until_right(
    pair: &RunPair<'_>,
    cells: &[&CellPair<'_>],
    tables: &TablePair<'_>,
) -> Option<Diagnostic> {
    PairArm::BOTH.into_iter().find_map(|which| {
        let others = &pair.run(which.other()).content.sample_fields;
        let table = tables.table(which);
        let is_own = |name: &str| {
            !others.contains(name)
                && !name.split(['_', '.']).any(|word| OF_EPISODES.contains(&word))
        };
        let outcomes: Vec<_> = cells
            .iter()
            .filter(|cell| cell.is_judged())
            .filter_map(|cell| Some((cell, cell.side(which).samples.as_ref()?)))
            .filter(|(_, samples)| samples.is_binary())
            .collect();
        if outcomes.is_empty() {
            return None;
        }
        let counts = table.small_counts().filter(|(name, _)| is_own(name));
        let (field, cell) = counts.into_iter().find_map(|(name, counts)| {
            let shows = |(_, samples): &&(_, &SampledSide<'_>)| ends_when_right(samples, &counts);
            let (cell, _) = outcomes.iter().find(shows)?;
            Some((name.to_owned(), cell))
        })?;
        Some(
            about(Code::AskedUntilRight, tables)
                .with("run", pair.run(which).id.as_str())
                .with("field", field)
                .with("metric", cell.key.metric.as_str())
                .at(Location::file(table.path.as_ref())),
        )
    })
}

/// Whether all answers below the highest of at least three counts are right, and some at it are wrong.
fn ends_when_right(samples: &SampledSide<'_>, counts: &[Option<u16>]) -> bool {
    let count = |row: usize| counts.get(row).copied().flatten();
    let known = || samples.rows().filter_map(|row| Some((count(row)?, samples.score(row)? > 0.0)));
    let Some(most) = known().map(|(count, _)| count).max() else { return false };
    let first = known().map(|(count, _)| count).min().unwrap_or(most);
    let below = || known().filter(|(count, _)| *count < most);
    let at_most = |is_right| known().filter(|one| *one == (most, is_right)).count();
    first <= 1
        && most >= first + 2
        && below().all(|(_, is_right)| is_right)
        && below().count() >= FEWEST_BELOW
        && at_most(false) >= FEWEST_WRONG
        && at_most(true) > 0
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
