//! What is told of fields that may say clusters: where differences are alike by their values, and which
//! verdicts are about few of them.

use std::collections::BTreeMap;

use super::hidden::HiddenClusters;
use super::suite::Suite;
use super::suite_mean::HiddenInSuite;
use super::{Comparison, Verdict, VerdictReason};
use crate::diag::{Code, Diagnostic};
use crate::model::SharedPart;
use crate::pairing::{GroupOrigin, PairArm, PairOrder};
use crate::quantity::{Quantity, Unit};
use crate::stats::Interval;

/// Whether it is called a difference, or none. Such a verdict holds with the clusters that ids and texts
/// hide too, else it would not be given.
fn has_verdict(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Better | Verdict::Worse | Verdict::Equivalent)
}

impl Comparison<'_> {
    /// The fields of few values whose parts of the dataset a verdict is about: it would not stand if
    /// they were a draw.
    fn parts_in_question(&self) -> impl Iterator<Item = &HiddenClusters> {
        let holds = |part: &HiddenClusters| match self.verdict {
            Verdict::Better | Verdict::Worse => {
                let interval = self.interval_with(part, 1.0 - self.alpha);
                interval.is_some_and(|interval| interval.excludes(0.0))
            }
            Verdict::Equivalent => {
                let margin = self.margin.zip(self.margin_interval);
                let within = |(margin, Interval { level, .. })| {
                    Some(self.interval_with(part, level)?.is_within(margin))
                };
                margin.and_then(within) == Some(true)
            }
            Verdict::Inconclusive | Verdict::Identical | Verdict::NotAssessable => true,
        };
        self.parts.iter().filter(move |part| !holds(part))
    }
}

/// One finding for each field that was found in a dataset, or in all datasets of an average together,
/// with the metric whose differences are most alike.
pub fn hidden_fields(comparisons: &[Vec<Comparison<'_>>], suites: &[Suite<'_>]) -> Vec<Diagnostic> {
    let mut found = hidden_in_datasets(comparisons, suites);
    found.extend(hidden_in_suites(suites));
    found.extend(datasets_together(suites));
    found
}

/// One finding for the datasets of each candidate that go together, with the metric that does most.
fn datasets_together(suites: &[Suite<'_>]) -> Vec<Diagnostic> {
    let mut most = BTreeMap::<_, (&Suite<'_>, f64)>::new();
    for (suite, factor) in suites.iter().filter_map(|suite| Some((suite, suite.together?))) {
        let place = (suite.pair.name(PairArm::Candidate), suite.dims.to_string());
        let known = most.entry(place).or_insert((suite, factor));
        if factor > known.1 {
            *known = (suite, factor);
        }
    }
    let finding = |(suite, factor): (&Suite<'_>, f64)| {
        Diagnostic::new(Code::DatasetsTogether)
            .dims(suite.dims)
            .candidate(suite.pair.name(PairArm::Candidate))
            .with("dataset", names(suite))
            .with("metric", suite.metric)
            .with("factor", correlation(factor))
    };
    most.into_values().map(finding).collect()
}

fn hidden_in_suites(suites: &[Suite<'_>]) -> Vec<Diagnostic> {
    let mut strongest = BTreeMap::<_, (&Suite<'_>, &HiddenInSuite)>::new();
    for suite in suites {
        let has_verdict = has_verdict(suite.verdict);
        for hidden in suite.hidden.iter().filter(|hidden| !hidden.told) {
            let code = code(&hidden.field.origin);
            if code != Code::HiddenClusters && has_verdict {
                continue;
            }
            let candidate = suite.pair.name(PairArm::Candidate);
            let place = (candidate, suite.dims.to_string(), &hidden.field.key, code.id());
            let known = strongest.entry(place).or_insert((suite, hidden));
            if hidden.correlation.lower > known.1.correlation.lower {
                *known = (suite, hidden);
            }
        }
    }
    strongest.into_values().map(|(suite, hidden)| finding_in_suite(suite, hidden)).collect()
}

fn hidden_in_datasets(
    comparisons: &[Vec<Comparison<'_>>],
    suites: &[Suite<'_>],
) -> Vec<Diagnostic> {
    let mut found = BTreeMap::<_, (Code, &Comparison<'_>, &HiddenClusters)>::new();
    for (pair, comparison) in comparisons
        .iter()
        .enumerate()
        .flat_map(|(pair, of_pair)| of_pair.iter().map(move |comparison| (pair, comparison)))
    {
        let key = &comparison.cell.key;
        let own = comparison.hidden.iter().filter(|hidden| !hidden.in_suite);
        let hidden = own.filter_map(|hidden| {
            let code = code(&hidden.origin);
            let is_told = match hidden.origin {
                GroupOrigin::Field => true,
                GroupOrigin::Neighbours { .. } => neighbours_decide(comparison, suites),
                _ => !has_verdict(comparison.verdict),
            };
            is_told.then_some((code, hidden))
        });
        let parts = comparison.parts_in_question().map(|part| (Code::FewPartsDecide, part));
        for (code, hidden) in hidden.chain(parts) {
            let by = (hidden.key.clone(), code.id());
            let place = (pair, key.dataset.clone(), key.dims.to_string(), by);
            let strongest = found.entry(place).or_insert((code, comparison, hidden));
            if hidden.correlation.lower > strongest.2.correlation.lower {
                *strongest = (code, comparison, hidden);
            }
        }
    }
    let found = found.into_values();
    found.map(|(code, comparison, hidden)| finding(code, comparison, hidden)).collect()
}

/// Whether neighbours take a verdict, of the comparison or of an average that it is part of, and no
/// field, text or id says what they have in common.
fn neighbours_decide(comparison: &Comparison<'_>, suites: &[Suite<'_>]) -> bool {
    let takes = |reason| reason == Some(VerdictReason::HiddenClusters);
    let key = &comparison.cell.key;
    let averages = |suite: &&Suite<'_>| {
        std::ptr::eq(suite.pair, comparison.pair) && key.is_of(suite.metric, suite.dims)
    };
    let is_unnamed =
        |hidden: &HiddenClusters| matches!(hidden.origin, GroupOrigin::Neighbours { .. });
    let decide =
        takes(comparison.reason) || suites.iter().filter(averages).any(|one| takes(one.reason));
    decide && comparison.hidden.iter().all(is_unnamed)
}

/// What a correlation within such groups is called.
fn code(origin: &GroupOrigin) -> Code {
    match origin {
        GroupOrigin::Field => Code::HiddenClusters,
        GroupOrigin::FieldBeginning(_) => Code::HiddenInTexts,
        GroupOrigin::IdBeginning(_) | GroupOrigin::IdEnd(_) | GroupOrigin::Neighbours { .. } => {
            Code::HiddenInIds
        }
    }
}

/// A correlation, or a factor, with two decimals.
fn correlation(value: f64) -> Quantity {
    Quantity::Figure { value, unit: Unit::Plain, decimals: Some(2) }
}

fn finding(code: Code, comparison: &Comparison<'_>, hidden: &HiddenClusters) -> Diagnostic {
    let key = &comparison.cell.key;
    let place = match (hidden.beside, hidden.crosses) {
        (false, _) => "alone",
        (true, false) => "around",
        (true, true) => "across",
    };
    let compared = if comparison.paired().is_some() || comparison.seeds.is_some() {
        "differences"
    } else {
        "scores"
    };
    let found = Diagnostic::new(code)
        .about_dataset(key.dataset.as_deref())
        .dims(&key.dims)
        .candidate(comparison.pair.name(PairArm::Candidate))
        .about_key(&hidden.key)
        .with("metric", key.metric.as_str())
        .with("compared", compared)
        .with("values", hidden.clusters)
        .with("paired", hidden.samples)
        .with("icc", correlation(hidden.correlation.estimate))
        .with("lower", correlation(hidden.correlation.lower))
        .with("place", place);
    with_origin(found, &hidden.origin)
}

/// Most datasets that a finding about their average names.
const MOST_DATASETS: usize = 3;

fn names(suite: &Suite<'_>) -> String {
    let mut datasets: Vec<&str> = suite.dataset_names.iter().map(String::as_str).collect();
    if datasets.len() > MOST_DATASETS {
        datasets.truncate(MOST_DATASETS);
        datasets.push("…");
    }
    datasets.join(", ")
}

fn finding_in_suite(suite: &Suite<'_>, hidden: &HiddenInSuite) -> Diagnostic {
    let place = if hidden.field.crosses { "across" } else { "alone" };
    let found = Diagnostic::new(code(&hidden.field.origin))
        .dims(suite.dims)
        .candidate(suite.pair.name(PairArm::Candidate))
        .about_key(&hidden.field.key)
        .with("dataset", names(suite))
        .with("metric", suite.metric)
        .with("compared", "differences")
        .with("values", hidden.values)
        .with("paired", hidden.samples)
        .with("icc", correlation(hidden.correlation.estimate))
        .with("lower", correlation(hidden.correlation.lower))
        .with("place", place);
    with_origin(found, &hidden.field.origin)
}

/// How samples are grouped, where no field says it as a whole.
fn with_origin(found: Diagnostic, origin: &GroupOrigin) -> Diagnostic {
    match origin {
        GroupOrigin::Field => found,
        GroupOrigin::FieldBeginning(part) => found.with(
            "grouped",
            match part {
                SharedPart::Directory => "directory",
                SharedPart::Whole | SharedPart::NameBeginning => "name",
                SharedPart::TextBeginning(0..=60) => "short-opening",
                SharedPart::TextBeginning(61..=200) => "opening",
                SharedPart::TextBeginning(_) => "long-opening",
            },
        ),
        GroupOrigin::IdBeginning(example) => {
            found.with("grouped", "begin").with("example", example.as_str())
        }
        GroupOrigin::IdEnd(example) => {
            found.with("grouped", "end").with("example", format!("…{example}"))
        }
        GroupOrigin::Neighbours {
            order: PairOrder::Records | PairOrder::CandidateRecords,
            example,
        } => found.with("grouped", "records").with("example", example.as_str()),
        GroupOrigin::Neighbours { order: PairOrder::Ids, example } => {
            found.with("grouped", "ids").with("example", example.as_str())
        }
        GroupOrigin::Neighbours { order: PairOrder::Field(field), example } => found
            .with("grouped", "field")
            .with("order", field.as_str())
            .with("example", example.as_str()),
    }
}
