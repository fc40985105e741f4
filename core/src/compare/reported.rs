//! What figures that somebody printed can and cannot say.

use std::collections::BTreeMap;

use super::evidence::ComparisonEvidence;
use super::printed::{ImpossibleStderr, fits_no_count, impossible_stderr, printed_rate};
use crate::diag::{Code, Diagnostic};
use crate::model::Run;
use crate::pairing::{CellPair, PairArm, PairSide, PairedArms};
use crate::quantity::{Quantity, Unit};
use crate::stats::reported::{consistent_counts, pairing_bounds};
use crate::stats::{Counts, Design, ReportedRate};

/// Smallest and largest p that a paired test could give, over every way in which the samples
/// behind two printed figures could be paired.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedP {
    pub lowest: f64,
    pub highest: f64,
}

/// What the bounds of a paired p amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairing {
    /// The difference is significant whatever the pairing.
    Significant,
    /// Significance depends on the pairing, which only per-sample files show.
    Undetermined,
}

/// The paired p of two arms of the same size on a dataset of the same name, at least one of which
/// gives no outcomes of samples.
pub(super) fn paired_p(cell: &CellPair<'_>, evidence: &ComparisonEvidence) -> Option<PairedP> {
    cell.key.dataset.as_ref()?;
    let stated_only = |which| cell.side(which).samples.as_ref().is_none_or(|own| own.scored == 0);
    if !PairArm::BOTH.into_iter().any(stated_only) {
        return None;
    }
    let ([mine, theirs], n) = match evidence.design {
        Design::IndependentBinary { baseline, candidate } => {
            let exactly = |counts: Counts| [counts.x; 2];
            ([exactly(baseline), exactly(candidate)], same(baseline.n, candidate.n)?)
        }
        Design::ReportedRates { baseline, candidate } => {
            ([extremes(baseline)?, extremes(candidate)?], same(baseline.n, candidate.n)?)
        }
        _ => return None,
    };
    let corners =
        mine.iter().flat_map(|&x| theirs.iter().filter_map(move |&y| pairing_bounds(x, y, n)));
    let hull =
        corners.map(|bounds| PairedP { lowest: bounds.p_min, highest: bounds.p_max }).reduce(
            |a, b| PairedP { lowest: a.lowest.min(b.lowest), highest: a.highest.max(b.highest) },
        )?;
    let may_be_equal = mine[0] <= theirs[1] && theirs[0] <= mine[1];
    Some(if may_be_equal { PairedP { highest: 1.0, ..hull } } else { hull })
}

fn same(a: u64, b: u64) -> Option<u64> {
    (a == b).then_some(a)
}

/// Smallest and largest count behind a printed rate, where a count can be behind it.
fn extremes(rate: ReportedRate) -> Option<[u64; 2]> {
    let counts = consistent_counts(rate.share, rate.decimals, rate.n);
    (!counts.is_empty()).then(|| [*counts.start(), *counts.end()])
}

/// Stated percentages that no whole count over their n gives, and standard errors that no mean can
/// have: one finding for each run and metric.
pub fn impossible_figures(paired_arms: &PairedArms<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (position, pair) in paired_arms.pairs.iter().enumerate() {
        // The baseline is the same run in every pair.
        let arms = if position == 0 { &PairArm::BOTH[..] } else { &PairArm::BOTH[1..] };
        for &which in arms {
            found.extend(run_findings(pair.run(which), &pair.cells, which));
        }
    }
    found
}

#[derive(Default)]
struct StatedRates {
    stated: u64,
    /// Whether samples are right or wrong and nothing between.
    outcomes: bool,
    impossible: Vec<Impossible>,
}

struct Impossible {
    cell: String,
    stated: Quantity,
    share: f64,
    decimals: usize,
    n: u64,
    location: Option<crate::diag::Location>,
}

fn run_findings(run: &Run, cells: &[CellPair<'_>], which: PairArm) -> Vec<Diagnostic> {
    let mut by_metric: BTreeMap<&str, StatedRates> = BTreeMap::new();
    for cell in cells {
        let has_answers = cell.side(which).stated.is_some_and(|it| it.answers.is_some());
        if cell.spec.pooled || has_answers {
            continue;
        }
        let Some((rate, impossible)) = stated_rate(cell.side(which), cell.spec.unit) else {
            continue;
        };
        let seen = by_metric.entry(&cell.key.metric).or_default();
        seen.stated += 1;
        seen.outcomes = cell.spec.outcomes;
        let side = cell.side(which);
        if let Some(value) = side.value().value().filter(|_| impossible) {
            let decimals = usize::from(rate.decimals).saturating_sub(2).min(4);
            seen.impossible.push(Impossible {
                cell: cell.key.to_string(),
                stated: Quantity::rounded(value, decimals, cell.spec.unit),
                share: rate.share,
                decimals,
                n: rate.n,
                location: side.stated.map(|stated| stated.scalar.source.location()),
            });
        }
    }
    let findings = by_metric.into_iter();
    let mut found: Vec<Diagnostic> =
        findings.filter_map(|(metric, seen)| finding(run, metric, &seen)).collect();
    found.extend(stderr_findings(run, cells, which));
    found
}

/// Standard errors that no mean can have, one finding for each metric.
fn stderr_findings(run: &Run, cells: &[CellPair<'_>], which: PairArm) -> Vec<Diagnostic> {
    let mut by_metric: BTreeMap<&str, (Diagnostic, u64)> = BTreeMap::new();
    for cell in cells {
        let side = cell.side(which);
        let Some(stated) = side.stated.filter(|_| side.samples.is_none()) else { continue };
        let Some(impossible) = impossible_stderr(&stated, &cell.spec) else { continue };
        let ImpossibleStderr { stated: stderr, of_counts, n } = impossible;
        let first = || {
            let finding = Diagnostic::new(Code::ImpossibleStderr)
                .about_run(&run.id)
                .about_metric(&cell.key.metric)
                .with("cell", cell.key.to_string())
                .with("stated", stderr)
                .with("n", n)
                .with("computed", Quantity::Computed(of_counts));
            (finding.at(stated.scalar.source.location()), 0)
        };
        by_metric.entry(&cell.key.metric).or_insert_with(first).1 += 1;
    }
    by_metric.into_values().map(|(finding, count)| finding.with("count", count)).collect()
}

/// A stated rate with its n, and whether it contradicts every whole count. `None` for figures
/// computed from samples, and for those whose stated spread rules out counts.
fn stated_rate(side: &PairSide<'_>, unit: Unit) -> Option<(ReportedRate, bool)> {
    let stated = side.stated.filter(|_| side.samples.is_none())?;
    let rate = printed_rate(&stated, unit, stated.n.filter(|&n| n > 0)?)?;
    stated.stderr().is_none().then(|| (rate, fits_no_count(rate)))
}

fn finding(run: &Run, metric: &str, seen: &StatedRates) -> Option<Diagnostic> {
    let first = seen.impossible.first()?;
    let below = (100.0 * first.share * first.n as f64 / 100.0).floor() as u64;
    let above = (below + 1).min(first.n);
    let part = |count: u64| Quantity::Part { count, of: first.n };
    let percent = |count: u64| {
        let percent = 100.0 * count as f64 / first.n as f64;
        Quantity::rounded(percent, first.decimals.max(1), Unit::Percent)
    };
    let code = if seen.outcomes { Code::ImpossibleShare } else { Code::FractionalShare };
    Some(
        Diagnostic::new(code)
            .about_run(&run.id)
            .about_metric(metric)
            .with("cell", first.cell.as_str())
            .with("count", seen.impossible.len())
            .with("of", seen.stated)
            .with("stated", first.stated)
            .with("n", first.n)
            .with("below", part(below))
            .with("below_percent", percent(below))
            .with("above", part(above))
            .with("above_percent", percent(above))
            .at(first.location.clone()),
    )
}
