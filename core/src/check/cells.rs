//! Cells that one arm does not have.

use std::collections::BTreeSet;

use crate::diag::{Code, Diagnostic, Severity};
use crate::model::FileUse;
use crate::pairing::{CellPair, PairArm, RunPair};
use crate::quantity::Quantity;

/// What is found of cells, once for each dataset and grid point: of the first of its cells.
pub(super) fn once_per_place<'p, 'a: 'p>(
    cells: impl Iterator<Item = &'p CellPair<'a>>,
    finding: impl Fn(&CellPair<'a>) -> Option<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut told = BTreeSet::new();
    let mut found = Vec::new();
    for cell in cells {
        let place = (&cell.key.dataset, &cell.key.dims);
        if !told.contains(&place)
            && let Some(finding) = finding(cell)
        {
            told.insert(place);
            found.push(finding);
        }
    }
    found
}

pub(super) fn check_cells(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    match shared(pair) {
        0 => vec![nothing_shared(pair)],
        both => compared(pair, both),
    }
}

/// What a further run of an arm may lack: that it shares nothing with the baseline's lead is a lack
/// of results like any other.
pub(super) fn check_member(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    compared(pair, shared(pair))
}

/// How many cells have a figure in both arms.
fn shared(pair: &RunPair<'_>) -> usize {
    pair.cells.iter().filter(|cell| cell.figures().is_some()).count()
}

fn compared(pair: &RunPair<'_>, both: usize) -> Vec<Diagnostic> {
    let mut found = lone_curves(pair);
    found.extend(units_differ(pair));
    found.extend(directions_contradict(pair));
    found.extend(sizes_differ(pair));
    found.extend(PairArm::BOTH.into_iter().filter_map(|which| unrecorded(pair, which)));
    found.extend(missing(pair, both));
    found
}

fn about_runs(code: Code, pair: &RunPair<'_>) -> Diagnostic {
    Diagnostic::new(code)
        .with("baseline", pair.baseline.id.as_str())
        .with("candidate", pair.candidate.id.as_str())
}

/// Files that look like data and that no reader takes.
const UNREAD: FileUse = FileUse::Ignored { reason: "ignored.unrecognised" };

/// Why no cell has a figure in both arms.
fn nothing_shared(pair: &RunPair<'_>) -> Diagnostic {
    let names = |of: fn(&CellPair<'_>) -> Option<String>| {
        PairArm::BOTH.map(|which| {
            let cells = pair.cells.iter().filter(|cell| cell.figure(which).is_some());
            cells.filter_map(of).collect::<BTreeSet<String>>()
        })
    };
    let metrics = names(|cell| Some(cell.key.metric.clone()));
    let curves = PairArm::BOTH.map(|which| pair.run(which).content.series.len());
    if metrics.iter().all(BTreeSet::is_empty) && curves.iter().all(|count| *count > 0) {
        return about_runs(Code::OnlyCurves, pair)
            .with("baseline_curves", curves[0])
            .with("candidate_curves", curves[1]);
    }
    let datasets = names(|cell| cell.key.dataset.clone());
    let (code, apart, [mine, theirs]) = if metrics.iter().any(BTreeSet::is_empty) {
        let mut empty = PairArm::BOTH.into_iter().zip(&metrics).filter(|(_, own)| own.is_empty());
        let is_unread = empty.any(|(which, _)| {
            let mut files = pair.run(which).files.iter();
            files.any(|file| file.used == UNREAD || file.used == FileUse::Failed)
        });
        let is_any = metrics.iter().any(|own| !own.is_empty());
        let apart = match (is_unread, is_any) {
            (true, _) => "unread",
            (false, true) => "empty",
            (false, false) => "both-empty",
        };
        (Code::NoSharedMetric, apart, metrics)
    } else if metrics[0].is_disjoint(&metrics[1]) {
        (Code::NoSharedMetric, "metrics", metrics)
    } else if datasets[0].is_disjoint(&datasets[1]) && datasets.iter().all(|of| !of.is_empty()) {
        let shared: Vec<&str> = metrics[0].intersection(&metrics[1]).map(String::as_str).collect();
        let listed = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>();
        return about_runs(Code::NoSharedDataset, pair)
            .with("metrics", shared.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
            .with("baseline_datasets", listed(&datasets[0]))
            .with("candidate_datasets", listed(&datasets[1]));
    } else {
        let axes = names(|cell| Some(with_axes(cell)));
        if axes[0].is_disjoint(&axes[1]) {
            (Code::NoSharedMetric, "axes", axes)
        } else {
            (Code::NoSharedMetric, "points", names(|cell| Some(cell.key.to_string())))
        }
    };
    let listed = |names: BTreeSet<String>| {
        if names.is_empty() { vec!["–".to_owned()] } else { names.into_iter().collect() }
    };
    about_runs(code, pair)
        .with("apart", apart)
        .with("baseline_metrics", listed(mine))
        .with("candidate_metrics", listed(theirs))
}

/// The metric with the names of its coordinates: `accuracy (epoch, shot)`.
fn with_axes(cell: &CellPair<'_>) -> String {
    let key = &cell.key;
    let names: Vec<&str> = key.dims.names().collect();
    let dataset = key.dataset.as_ref().map(|name| format!("{name}/")).unwrap_or_default();
    let names = if names.is_empty() { "–".to_owned() } else { names.join(", ") };
    format!("{dataset}{} ({names})", key.metric)
}

/// Results that one arm lacks. Loud where the candidate could have become worse unseen, or has
/// nothing at all on a dataset.
fn missing(pair: &RunPair<'_>, both: usize) -> Option<Diagnostic> {
    let mine = lacking(pair, PairArm::Candidate);
    let theirs = lacking(pair, PairArm::Baseline);
    if mine.is_empty() && theirs.is_empty() {
        return None;
    }
    let absent: Vec<String> =
        pair.absent_datasets(PairArm::Candidate).into_iter().map(str::to_owned).collect();
    let mut finding = about_runs(Code::MissingCells, pair)
        .with("both", both)
        .with("missing_in_candidate", mine.len())
        .with("missing_in_baseline", theirs.len())
        .with("baseline_only", mine)
        .with("candidate_only", theirs);
    if !absent.is_empty() {
        finding = finding.with("datasets_absent", absent);
    }
    if !pair.loses_results() {
        finding.severity = Severity::Info;
    }
    Some(finding)
}

/// Figures that an arm cannot have, because it does not record what they follow from.
fn unrecorded(pair: &RunPair<'_>, lacking: PairArm) -> Option<Diagnostic> {
    let cells = pair.cells.iter().filter(|cell| pair.unrecorded_in(cell) == Some(lacking));
    let metrics: BTreeSet<String> = cells.map(|cell| cell.key.metric.clone()).collect();
    let has = if lacking == PairArm::Baseline { PairArm::Candidate } else { PairArm::Baseline };
    (!metrics.is_empty()).then(|| {
        Diagnostic::new(Code::FieldOneSided)
            .run(&pair.run(lacking).id)
            .with("lacking", pair.run(lacking).id.as_str())
            .with("recording", pair.run(has).id.as_str())
            .with("metrics", metrics.into_iter().collect::<Vec<_>>())
    })
}

/// Rates that are, or may be, written as percentages in one arm and as shares in the other.
fn units_differ(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let with_figures = pair.cells.iter().filter_map(|cell| Some((cell, cell.figures()?)));
    let found = |(cell, (baseline, candidate)): (&CellPair<'_>, (f64, f64))| {
        let code = match (cell.mixed_units, cell.share_or_percentage) {
            (true, _) => Code::UnitsDiffer,
            (false, true) => Code::UnitsMayDiffer,
            (false, false) => return None,
        };
        let finding = Diagnostic::new(code)
            .dataset(cell.key.dataset.as_deref())
            .dims(&cell.key.dims)
            .metric(&cell.key.metric)
            .with("metric", cell.key.to_string());
        Some(match code {
            Code::UnitsMayDiffer => finding
                .with("baseline", Quantity::Computed(baseline))
                .with("candidate", Quantity::Computed(candidate)),
            _ => finding,
        })
    };
    with_figures.filter_map(found).collect()
}

/// Metrics of which more is better in one arm and worse in the other.
fn directions_contradict(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let contradicts = |cell: &&CellPair<'_>| {
        let [mine, theirs] = PairArm::BOTH.map(|which| {
            let content = &pair.run(which).content;
            content.spec(cell.key.dataset.as_deref(), &cell.key.metric)?.direction.sign()
        });
        let opposite = mine.zip(theirs).is_some_and(|(mine, theirs)| mine != theirs);
        opposite && !cell.has_good_side()
    };
    let finding = |cell: &CellPair<'_>| {
        Diagnostic::new(Code::DirectionsContradict)
            .dataset(cell.key.dataset.as_deref())
            .dims(&cell.key.dims)
            .metric(&cell.key.metric)
            .with("metric", cell.key.to_string())
    };
    pair.cells.iter().filter(contradicts).map(finding).collect()
}

/// Datasets whose aggregates stand on different numbers of samples, one finding each.
fn sizes_differ(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let mut seen: BTreeSet<Option<&str>> = BTreeSet::new();
    let mut found = Vec::new();
    for cell in pair.cells.iter().filter(|cell| !cell.is_of_samples()) {
        let sizes = part_sizes(pair, cell).or_else(|| cell.n_of_both());
        if let Some((mine, theirs)) = sizes.filter(|(mine, theirs)| mine != theirs)
            && cell.figures().is_some()
            && seen.insert(cell.key.dataset.as_deref())
        {
            found.push(
                Diagnostic::new(Code::SizesDiffer)
                    .dataset(cell.key.dataset.as_deref())
                    .with("cell", cell.key.to_string())
                    .with("baseline", mine)
                    .with("candidate", theirs),
            );
        }
    }
    found
}

/// What both arms state as the size of a part of a dataset: the figures under `n_easy`, `n_hard` and
/// others that make up the size of another figure there.
fn part_sizes(pair: &RunPair<'_>, cell: &CellPair<'_>) -> Option<(u64, u64)> {
    let counts = |cell: &CellPair<'_>| {
        let name = &cell.key.metric;
        let is_size = ["n_", "num_", "count_"].iter().any(|begin| name.starts_with(begin));
        let (mine, theirs) = cell.figures().filter(|_| is_size)?;
        [mine, theirs].iter().all(|n| *n >= 1.0 && n.fract() == 0.0).then_some([mine, theirs])
    };
    let own = counts(cell)?;
    let place = |cell: &CellPair<'_>| (cell.key.dataset.clone(), cell.key.dims.clone());
    let beside = || pair.cells.iter().filter(|other| place(other) == place(cell));
    let whole = [0, 1].map(|arm| beside().filter_map(counts).map(|n| n[arm]).sum::<f64>() as u64);
    let is_whole = |cell: &CellPair<'_>| {
        counts(cell).is_none() && cell.n_of_both() == Some((whole[0], whole[1]))
    };
    beside().any(is_whole).then_some((own[0] as u64, own[1] as u64))
}

/// Curves of one arm that the other has no counterpart for.
fn lone_curves(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    PairArm::BOTH
        .into_iter()
        .zip(&pair.lone_curves)
        .filter(|(_, curve)| !curve.is_empty())
        .map(|(which, curve)| {
            let metrics: BTreeSet<String> = curve.iter().map(|key| key.metric.clone()).collect();
            Diagnostic::new(Code::LoneCurve)
                .about_run(&pair.run(which).id)
                .with("count", curve.len())
                .with("metrics", metrics.into_iter().collect::<Vec<_>>())
        })
        .collect()
}

/// Names of the cells that only the other arm has a figure in.
fn lacking(pair: &RunPair<'_>, which: PairArm) -> Vec<String> {
    let cells = pair.cells.iter().filter(|cell| pair.lacks(cell, which));
    cells.map(|cell| cell.key.to_string()).collect()
}
