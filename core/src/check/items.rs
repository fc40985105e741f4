//! Items that may have been chosen by what the baseline made of them: a dataset that it failed or
//! passed as a whole.

use crate::diag::{Code, Diagnostic};
use crate::model::{Direction, Ending, SampleStatus};
use crate::pairing::{ArmPair, CellPair, GroupOrigin, PairArm, PairPartition, PerArm, SampledSide};
use crate::quantity::Quantity;

/// Fewer items than this are failed or passed as a whole by chance: below a true rate of 6 %, none
/// of 50 is right in more than 5 % of draws (0.94⁵⁰).
const FEWEST: u64 = 50;
/// Share of right answers up to which a dataset named after failures is next to none of it right,
const NEXT_TO_NONE: f64 = 0.05;
/// and the fewest items of which that is said.
const FEWEST_NAMED: u64 = 10;
/// Share of failed answers from which on the baseline was not judged at all.
const UNJUDGED: f64 = 0.9;

/// Words of datasets that say by what their items were chosen.
const NAMES: &[&str] = &[
    "error",
    "errors",
    "fail",
    "failed",
    "failing",
    "failure",
    "failures",
    "hard",
    "incorrect",
    "missed",
    "mistake",
    "mistakes",
    "wrong",
];

pub(super) fn run(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let is_judged = |cell: &&CellPair<'_>| {
        let is_derived = |samples: &SampledSide<'_>| samples.table.is_derived(&cell.key.metric);
        let derived = cell.baseline.samples.as_ref().is_some_and(is_derived);
        cell.spec.outcomes && cell.spec.direction == Direction::Higher && !derived
    };
    let of_cell = |cell| match finding(pair, cell) {
        Some(whole) => vec![whole],
        None => parts(pair, cell),
    };
    pair.cells.iter().filter(is_judged).flat_map(of_cell).collect()
}

fn finding(pair: &ArmPair<'_>, cell: &CellPair<'_>) -> Option<Diagnostic> {
    let (mine, theirs) = cell.figures()?;
    let (n, other_n) = (cell.baseline.n()?, cell.candidate.n()?);
    let whole = cell.spec.unit.whole()?;
    let is_named = n >= FEWEST_NAMED && mine <= NEXT_TO_NONE * whole && names_failures(pair, cell);
    let items = if mine == theirs {
        return None;
    } else if mine == 0.0 && n >= FEWEST && unjudged(cell) >= UNJUDGED * n as f64 {
        "unjudged"
    } else if is_named {
        "named"
    } else if mine == 0.0 && n >= FEWEST {
        "failed"
    } else if mine == whole && n >= FEWEST {
        "passed"
    } else {
        return None;
    };
    let right = |figure: f64, n: u64| (figure / whole * n as f64).round() as u64;
    let finding = Diagnostic::new(Code::ItemsByOutcome)
        .about_dataset(cell.key.dataset.as_deref())
        .dims(&cell.key.dims)
        .about_metric(&cell.key.metric)
        .with("items", items)
        .with("field", "")
        .with("baseline_run", pair.name(PairArm::Baseline))
        .with("candidate_run", pair.name(PairArm::Candidate))
        .with("baseline", Quantity::Part { count: right(mine, n), of: n })
        .with("candidate", Quantity::Part { count: right(theirs, other_n), of: other_n });
    let source = cell.baseline.source(&cell.key.metric);
    Some(finding.at(source.map(|source| source.location())))
}

/// One finding for each field of few values of which the baseline failed or passed one as a whole, and
/// the candidate did not.
fn parts(pair: &ArmPair<'_>, cell: &CellPair<'_>) -> Vec<Diagnostic> {
    let Some(tables) = cell.table.and_then(|index| pair.tables.get(index)) else {
        return Vec::new();
    };
    let fields = tables.clusters.possible.iter().filter(|field| field.are_few());
    let fields =
        fields.filter(|field| field.origin == GroupOrigin::Field && !field.partition.by_content);
    fields.filter_map(|field| part(pair, cell, &tables.join.pairs, &field.partition)).collect()
}

/// Samples that share a value of a field, and what both arms got right of them.
#[derive(Debug, Clone, Copy, Default)]
struct Part {
    n: u64,
    right: PerArm<f64>,
    first: usize,
}

fn part(
    pair: &ArmPair<'_>,
    cell: &CellPair<'_>,
    pairs: &[(u32, u32)],
    field: &PairPartition,
) -> Option<Diagnostic> {
    let (mine, theirs) = cell.baseline.samples.as_ref().zip(cell.candidate.samples.as_ref())?;
    let whole = cell.spec.unit.whole()?;
    let mut parts = vec![Part::default(); field.count];
    for (&(a, b), &value) in pairs.iter().zip(field.pair_clusters()) {
        let scores = mine.score(a as usize).zip(theirs.score(b as usize));
        let Some((scores, part)) = scores.zip(parts.get_mut(value as usize)) else { continue };
        part.first = if part.n == 0 { a as usize } else { part.first };
        part.n += 1;
        let [baseline, candidate] = &mut part.right;
        *baseline += scores.0 / whole;
        *candidate += scores.1 / whole;
    }
    let chosen = |part: &&Part| {
        let [baseline, candidate] = part.right;
        part.n >= FEWEST && baseline != candidate && (baseline == 0.0 || baseline == part.n as f64)
    };
    let part = parts.iter().filter(chosen).max_by_key(|part| part.n)?;
    let [baseline, candidate] =
        part.right.map(|right| Quantity::Part { count: right.round() as u64, of: part.n });
    let items = if part.right[PairArm::Baseline] == 0.0 { "part-failed" } else { "part-passed" };
    let source = mine.table.source(part.first, &cell.key.metric);
    Some(
        Diagnostic::new(Code::ItemsByOutcome)
            .about_dataset(cell.key.dataset.as_deref())
            .dims(&cell.key.dims)
            .about_metric(&cell.key.metric)
            .with("items", items)
            .with("field", field.key.as_str())
            .with("baseline_run", pair.name(PairArm::Baseline))
            .with("candidate_run", pair.name(PairArm::Candidate))
            .with("baseline", baseline)
            .with("candidate", candidate)
            .at(source.location()),
    )
}

/// Answers of the baseline that failed before they could be judged, or were cut.
fn unjudged(cell: &CellPair<'_>) -> f64 {
    let Some(samples) = &cell.baseline.samples else { return 0.0 };
    let failed = |&row: &usize| {
        let ending = samples.table.ending(row);
        let errored = samples.table.statuses().get(row) == Some(&SampleStatus::Errored);
        samples.is_truncated(row) || errored || !matches!(ending, Ending::Plain | Ending::Unknown)
    };
    samples.rows().filter(failed).count() as f64
}

/// Whether the dataset, or without a name of one the file of the samples, is named after failures.
fn names_failures(pair: &ArmPair<'_>, cell: &CellPair<'_>) -> bool {
    let file = || {
        let samples = cell.baseline.samples.as_ref()?;
        let path = samples.table.paths().next()?;
        path.rsplit('/').next().map(str::to_owned)
    };
    let name = cell.key.dataset.clone().or_else(file);
    let name = name.unwrap_or_default().to_lowercase();
    let run = pair.baseline.name.to_lowercase();
    // A run is called after its errors for many reasons; only the data are asked.
    let words = name.strip_prefix(run.as_str()).unwrap_or(&name);
    words.split(|c: char| !c.is_alphanumeric()).any(|word| NAMES.contains(&word))
}
