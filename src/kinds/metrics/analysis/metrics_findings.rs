//! What a reader of the figures has to know, as findings.

use super::SUCCESS;
use super::tally::{
    API_ERROR, MOST_DATASETS, MOST_KINDS, MetricsTallies, MetricsTally, RecordPlace, Sightings,
    UNKNOWN,
};
use crate::diag::{Code, Diagnostic, Fact, Location};
use crate::quantity::{Quantity, Unit};

/// At most this many kinds of ending are listed in a finding.
const MOST_EXAMPLES: usize = 8;

/// Findings about all datasets. `paths` are the files in the order given.
pub(super) fn about_all(tallies: &MetricsTallies, paths: &[&str]) -> Vec<Diagnostic> {
    let silent = tallies.silent.values().map(|seen| counted(Code::SilentRecords, *seen, paths));
    let dropped = tallies.dropped.map(|seen| {
        counted(Code::TooManyNames, seen, paths)
            .with("limit", MOST_DATASETS)
            .with("names", "dataset")
    });
    silent.chain(dropped).collect()
}

/// Findings about one dataset.
pub(super) fn about_dataset(name: &str, tally: &MetricsTally, paths: &[&str]) -> Vec<Diagnostic> {
    let mut found = several_runs(tally, paths);
    found.extend(kinds(tally, paths));
    found.extend(tally.disagreeing.map(|seen| {
        counted(Code::OutcomeDisagrees, seen, paths)
            .with("accepted", tally.accepted.yes)
            .with("success", tally.count(SUCCESS))
    }));
    found.extend(tally.impossible.iter().filter_map(|(field, seen)| {
        let finding = counted(Code::ImpossibleValue, (*seen)?, paths);
        Some(finding.with("field", *field).key(field))
    }));
    found.extend(gaps(tally));
    found.extend(tally.equal.map(|seen| counted(Code::EqualRecords, seen, paths)));
    let problems = &tally.problems;
    if problems.has_several() {
        let finding = Diagnostic::new(Code::SeveralAnswers).with("records", tally.records);
        let count = problems.count().into_iter();
        let finding = count.fold(finding, |finding, count| finding.with("problems", count));
        found.push(finding.with("repeated", problems.repeated));
    }
    if problems.too_many {
        let finding = Diagnostic::new(Code::ProblemsUntold);
        let limit = super::problems::MOST_SEEN;
        found.push(finding.with("limit", limit).with("records", tally.records));
    }
    let fields = [
        ("pass_ratio", &tally.pass_ratio),
        ("gen_tokens", &tally.gen_tokens),
        ("gen_time", &tally.gen_time),
        ("judge_time", &tally.judge_time),
    ];
    found.extend(fields.into_iter().filter_map(|(field, values)| {
        let error = Quantity::rounded(100.0 * values.error()?, 3, Unit::Percent);
        Some(Diagnostic::new(Code::QuantileRounded).with("field", field).with("error", error))
    }));
    found.into_iter().map(|finding| finding.about_dataset(Some(name))).collect()
}

/// Records of other models, checkpoints or steps, of which one figure is made.
fn several_runs(tally: &MetricsTally, paths: &[&str]) -> Vec<Diagnostic> {
    let finding = |column: &str, values: Vec<Fact>, place: RecordPlace| {
        Diagnostic::new(Code::SeveralRunsCounted)
            .with("column", column)
            .with("values", values)
            .at(location(place, paths))
    };
    let mut found = Vec::new();
    if let [(first, _), (second, place)] = tally.steps.as_slice() {
        found.push(finding("step", vec![Fact::from(*first), Fact::from(*second)], *place));
    }
    found.extend(tally.labels.iter().filter_map(|(column, values)| {
        let [(first, _), (second, place)] = values.as_slice() else { return None };
        let values = vec![Fact::written(first.as_str()), Fact::written(second.as_str())];
        Some(finding(column, values, *place))
    }));
    found
}

fn kinds(tally: &MetricsTally, paths: &[&str]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let share = |count: u64| Quantity::percent_of(count, tally.records);
    let bounds = |finding: Diagnostic| {
        let ran = tally.executed();
        finding.with("least", share(ran)).with("most", share(ran + tally.untold()))
    };
    let unlisted = tally.kinds.iter().filter(|(_, kind)| !kind.is_listed);
    let mut unlisted: Vec<(&String, Sightings)> =
        unlisted.map(|(name, kind)| (name, kind.seen)).collect();
    unlisted.sort_by_key(|(name, seen)| (std::cmp::Reverse(seen.count), *name));
    if let Some(first) = unlisted.iter().map(|(_, seen)| seen.first).min() {
        let count = unlisted.iter().map(|(_, seen)| seen.count).sum();
        let kinds = unlisted.iter().map(|(name, seen)| Fact::named(name.as_str(), seen.count));
        found.push(
            bounds(counted(Code::KindUnlisted, Sightings { count, first }, paths))
                .with("kinds", Fact::first(MOST_EXAMPLES, kinds)),
        );
    }
    found.extend(tally.kinds.get(UNKNOWN).map(|unknown| {
        bounds(counted(Code::KindUnknown, unknown.seen, paths).with("records", tally.records))
    }));
    found.extend(tally.overflown.map(|seen| {
        counted(Code::TooManyNames, seen, paths)
            .with("limit", MOST_KINDS)
            .with("names", "error_type")
    }));
    found
}

/// Fields that some records have and others lack.
fn gaps(tally: &MetricsTally) -> Option<Diagnostic> {
    let answers = tally.records - tally.count(API_ERROR);
    let of_all = [("problem_id", tally.with_id), ("accepted", tally.accepted.n)];
    // Requests that failed have no answer to be measured.
    let of_answers = [
        ("pass_ratio", tally.pass_ratio.n()),
        ("gen_tokens", tally.gen_tokens.n()),
        ("gen_time", tally.gen_time.n()),
        ("judge_time", tally.judge_time.n()),
        ("truncated", tally.truncated.n),
    ];
    let impossible =
        |field: &str| tally.impossible.get(field).copied().flatten().map_or(0, |seen| seen.count);
    let fields = of_all.map(|(field, n)| (field, n, tally.records)).into_iter();
    let gaps: Vec<Fact> = fields
        .chain(of_answers.map(|(field, n)| (field, n, answers)))
        .filter(|(field, n, all)| *n > 0 && n + impossible(field) < *all)
        .map(|(field, n, all)| Fact::named(field, Quantity::Part { count: n, of: all }))
        .collect();
    (!gaps.is_empty()).then(|| {
        Diagnostic::new(Code::FieldGaps).with("fields", gaps).with("records", tally.records)
    })
}

fn counted(code: Code, seen: Sightings, paths: &[&str]) -> Diagnostic {
    Diagnostic::new(code).with("count", seen.count).at(location(seen.first, paths))
}

pub(super) fn location(place: RecordPlace, paths: &[&str]) -> Location {
    Location::line(paths.get(place.file).copied().unwrap_or_default(), place.line)
}
