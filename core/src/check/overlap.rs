//! Overlap between what a run was trained on and what it is evaluated on.

use crate::diag::{Code, Diagnostic, Location};
use crate::pairing::{ArmPair, Evaluated, Exposure, PairArm};
use crate::quantity::Quantity;

/// Samples that one arm saw in training and the other did not, as a share of the samples: below it
/// the difference between the scores can hardly come from them.
const CONFOUNDING: f64 = 0.01;

pub(super) fn check_overlap(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let [baseline, candidate] = &pair.exposed;
    let mut found = Vec::new();
    let mut theirs: Vec<&Exposure<'_>> = candidate.iter().collect();
    for mine in baseline {
        let partner = theirs.iter().position(|theirs| same_evaluation(mine, theirs));
        let partner = partner.map(|at| theirs.remove(at));
        found.extend(judged(pair, Some(mine), partner));
    }
    found.extend(theirs.into_iter().filter_map(|theirs| judged(pair, None, Some(theirs))));
    found
}

fn same_evaluation(mine: &Exposure<'_>, theirs: &Exposure<'_>) -> bool {
    match (mine.evaluated, theirs.evaluated) {
        (Evaluated::Samples(a), Evaluated::Samples(b)) => {
            a.dataset == b.dataset && a.dims == b.dims
        }
        (Evaluated::File(a), Evaluated::File(b)) => a.key == b.key && a.name() == b.name(),
        _ => false,
    }
}

fn judged(
    pair: &ArmPair<'_>,
    mine: Option<&Exposure<'_>>,
    theirs: Option<&Exposure<'_>>,
) -> Option<Diagnostic> {
    let both = [mine, theirs];
    let count = |of: &dyn Fn(&Exposure<'_>) -> u64| both.iter().flatten().map(|one| of(one)).sum();
    let n = both.iter().flatten().map(|one| one.n).max()?;
    let exposed: u64 = count(&|one| one.count());
    let by_number: u64 = count(&|one| one.by_number);
    let code = if exposed == 0 && by_number as f64 >= CONFOUNDING * n as f64 && by_number > 0 {
        Code::CommonIdsShared
    } else if exposed == 0 {
        return None;
    } else if unequal(mine, theirs) as f64 >= CONFOUNDING * n as f64 && is_shared(pair, both) {
        Code::EvalInTraining
    } else {
        Code::EvalInBothTrainings
    };
    let larger = both.into_iter().flatten().max_by_key(|one| one.count().max(one.by_number))?;
    let shown = |one: Option<&Exposure<'_>>| {
        one.map(|one| {
            let by_number = code == Code::CommonIdsShared;
            let count = if by_number { one.by_number } else { one.count() };
            Quantity::Part { count, of: one.n }
        })
    };
    let examples: Vec<String> = larger
        .examples
        .iter()
        .map(|one| {
            let [(file, line), (training, row)] = [&one.evaluated, &one.training];
            format!("{} {file}:{line} = {training}:{row}", one.id).trim().to_owned()
        })
        .collect();
    let finding = match larger.evaluated {
        Evaluated::Samples(table) => Diagnostic::new(code).about_dataset(table.dataset.as_deref()),
        Evaluated::File(file) => Diagnostic::new(code).with("dataset", file.name()),
    };
    let mut finding = finding
        .with("baseline_run", pair.name(PairArm::Baseline))
        .with("candidate_run", pair.name(PairArm::Candidate))
        .with("baseline", shown(mine))
        .with("candidate", shown(theirs))
        .with("share", Quantity::percent_of(larger.count(), larger.n))
        .with("by_content", count(&|one| one.by_content))
        .with("by_id", count(&|one| one.by_id))
        .with("examples", examples);
    if let Evaluated::Samples(table) = larger.evaluated
        && !table.dims.is_empty()
    {
        finding = finding.dims(&table.dims);
    }
    let place = larger.examples.first().map(|example| &example.training);
    Some(finding.at(place.map(|(path, line)| Location::line(path.as_str(), *line))))
}

/// Samples that stand in the training data of one arm only.
fn unequal(mine: Option<&Exposure<'_>>, theirs: Option<&Exposure<'_>>) -> u64 {
    let of = |one: Option<&Exposure<'_>>| one.map(|one| one.exposed.clone()).unwrap_or_default();
    let (mine, theirs) = (of(mine), of(theirs));
    let lacks = |hash: &&u64, other: &[u64]| other.binary_search(hash).is_err();
    let only = mine.iter().filter(|hash| lacks(hash, &theirs)).count()
        + theirs.iter().filter(|hash| lacks(hash, &mine)).count();
    only as u64
}

/// Whether the other arm is evaluated on the same, so that there is a difference to be confounded.
fn is_shared(pair: &ArmPair<'_>, both: [Option<&Exposure<'_>>; 2]) -> bool {
    let one = both.into_iter().flatten().next();
    let Some(Exposure { evaluated: Evaluated::Samples(table), .. }) = one else {
        return true;
    };
    pair.tables.iter().any(|tables| {
        std::ptr::eq(tables.baseline, *table) || std::ptr::eq(tables.candidate, *table)
    })
}
