//! Stated figures of one file that cannot all be true, and those that stand on clusters.

use std::collections::BTreeMap;

use crate::diag::{Code, Diagnostic};
use crate::pairing::{CellPair, PairArm, RunPair, StatedSide};
use crate::quantity::Quantity;

/// The share of right answers, by the name that means nothing else.
const RIGHT: &str = "accuracy";
/// Names under which a file counts right answers, and wrong ones.
const RIGHT_COUNTS: [&str; 4] = ["correct", "num_correct", "n_correct", "correct_count"];
const WRONG_COUNTS: [&str; 4] = ["incorrect", "num_incorrect", "wrong", "num_wrong"];
/// Shares of answers that are not right: of wrong ones, of failed ones, or of both.
const NOT_RIGHT: [&str; 2] = ["error_rate", "wrong_answer_rate"];

/// One finding for each of two figures: which of them is wrong nobody can tell.
pub(super) fn check_stated(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut places = BTreeMap::<_, Vec<&CellPair<'_>>>::new();
    for cell in &pair.cells {
        places.entry((&cell.key.dataset, &cell.key.dims)).or_default().push(cell);
    }
    for which in PairArm::BOTH {
        let accuracies = pair.cells.iter().filter(|cell| cell.key.metric == RIGHT);
        for (cell, right) in accuracies.filter_map(|cell| Some((cell, share(cell, which)?))) {
            let beside = places.get(&(&cell.key.dataset, &cell.key.dims)).into_iter().flatten();
            let contradicting = beside.copied().filter_map(|other| {
                let beside = share(other, which)?;
                contradicts(&right, &beside).then_some((other, beside))
            });
            for (other, beside) in contradicting {
                let run = &pair.run(which).id;
                found.push(finding(run, (cell, &right), (other, &beside)));
                found.push(finding(run, (other, &beside), (cell, &right)));
            }
        }
    }
    found.extend(PairArm::BOTH.into_iter().filter_map(|which| on_clusters(pair, which)));
    found.extend(PairArm::BOTH.into_iter().flat_map(|which| disputed(pair, which)));
    found
}

/// One finding for each figure of an arm of which other rows of its table say something else: which of them
/// it is to be compared by nobody can tell.
fn disputed<'p>(pair: &'p RunPair<'_>, which: PairArm) -> impl Iterator<Item = Diagnostic> + 'p {
    pair.cells.iter().filter_map(move |cell| {
        let stated = cell.side(which).stated.filter(|stated| stated.scalar.disputed)?;
        Some(
            Diagnostic::new(Code::RowsDisagree)
                .about_run(&pair.run(which).id)
                .dataset(cell.key.dataset.as_deref())
                .dims(&cell.key.dims)
                .metric(&cell.key.metric)
                .with("metric", cell.key.to_string())
                .at(stated.scalar.source.location()),
        )
    })
}

/// The finding about the figures of an arm that are tested by stated clusters instead of samples.
fn on_clusters(pair: &RunPair<'_>, which: PairArm) -> Option<Diagnostic> {
    let mut counted = pair.cells.iter().filter(|cell| cell.is_judged()).filter_map(|cell| {
        let side = cell.side(which);
        let stated = side.stated.filter(|_| side.samples.is_none())?;
        Some((cell, stated, stated.clusters()?))
    });
    let (cell, stated, clusters) = counted.next()?;
    Some(
        Diagnostic::new(Code::ClustersStated)
            .about_run(&pair.run(which).id)
            .with("cell", cell.key.to_string())
            .with("count", 1 + counted.count())
            .with("clusters", clusters)
            .with("n", stated.n.unwrap_or_default())
            .at(stated.scalar.source.location()),
    )
}

/// A stated figure as a share between 0 and 1.
struct StatedShare<'a> {
    stated: StatedSide<'a>,
    share: f64,
    /// One unit of the last digit written: some programs cut digits off instead of rounding.
    last: f64,
}

/// The stated share that a verdict on the cell would stand on.
fn share<'a>(cell: &CellPair<'a>, which: PairArm) -> Option<StatedShare<'a>> {
    let side = cell.side(which);
    let stated = side.stated.filter(|_| side.samples.is_none())?;
    let whole = cell.spec.unit.whole()?;
    let share = stated.value().value()? / whole;
    Some(StatedShare { stated, share, last: 2.0 * stated.rounding() / whole })
}

/// Whether a figure beside the share of right answers, of the same file, leaves it no room.
fn contradicts(right: &StatedShare<'_>, beside: &StatedShare<'_>) -> bool {
    let source = &beside.stated.scalar.source;
    if source.path != right.stated.scalar.source.path {
        return false;
    }
    // JSON writes 0.40 as 0.4: of two figures of a file the longer one shows where it rounds.
    let rounded = right.last + 1e-9;
    let both = 2.0 * right.last.min(beside.last) + 1e-9;
    let name = source.key.as_deref().and_then(|key| key.rsplit(['/', '.']).next());
    match name {
        Some(name) if RIGHT_COUNTS.contains(&name) => (right.share - beside.share).abs() > rounded,
        Some(name) if WRONG_COUNTS.contains(&name) => right.share + beside.share > 1.0 + rounded,
        _ => {
            NOT_RIGHT.contains(&beside.stated.scalar.metric.as_str())
                && right.share + beside.share > 1.0 + both
        }
    }
}

fn finding(
    run: &str,
    (cell, figure): (&CellPair<'_>, &StatedShare<'_>),
    (other, beside): (&CellPair<'_>, &StatedShare<'_>),
) -> Diagnostic {
    Diagnostic::new(Code::FiguresContradict)
        .about_run(run)
        .dataset(cell.key.dataset.as_deref())
        .dims(&cell.key.dims)
        .metric(&cell.key.metric)
        .with("metric", cell.key.to_string())
        .with("stated", Quantity::Computed(figure.share))
        .with("other", other.key.metric.as_str())
        .with("beside", Quantity::Computed(beside.share))
        .at(figure.stated.scalar.source.location())
}
