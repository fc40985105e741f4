//! What a reader of the figures has to know, as findings.

use super::SUCCESS;
use super::tally::{API_ERROR, MOST_DATASETS, MOST_KINDS, Place, Seen, Tallies, Tally, UNKNOWN};
use crate::diag::{Code, Diagnostic, Explanation, Location};

/// Findings about all datasets. `paths` are the files in the order given.
pub(super) fn of_all(tallies: &Tallies, paths: &[&str]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for seen in tallies.silent.values() {
        found.push(counted(Code::SilentRecords, *seen, paths));
    }
    if let Some(seen) = tallies.dropped {
        found.push(
            counted(Code::TooManyNames, seen, paths)
                .with("limit", MOST_DATASETS)
                .with("names", "dataset"),
        );
    }
    found
}

/// Findings about one dataset.
pub(super) fn of_dataset(name: &str, tally: &Tally, paths: &[&str]) -> Vec<Diagnostic> {
    let mut found = kinds(tally, paths);
    if let Some(seen) = tally.disagreeing {
        let success = tally.kinds.get(SUCCESS).map_or(0, |kind| kind.seen.count);
        found.push(
            counted(Code::OutcomeDisagrees, seen, paths)
                .with("accepted", tally.accepted.yes)
                .with("success", success),
        );
    }
    for (field, seen) in &tally.impossible {
        if let Some(seen) = seen {
            found.push(
                counted(Code::ImpossibleValue, *seen, paths).with("field", *field).key(field),
            );
        }
    }
    if let Some(finding) = gaps(tally) {
        found.push(finding);
    }
    if let Some(seen) = tally.equal {
        found.push(counted(Code::EqualRecords, seen, paths));
    }
    let problems = &tally.problems;
    if problems.has_several() {
        let mut finding = Diagnostic::new(Code::SeveralAnswers).with("records", tally.records);
        if let Some(count) = problems.count() {
            finding = finding.with("problems", count);
        }
        found.push(finding.with("repeated", problems.repeated));
    }
    if problems.too_many {
        found.push(
            Diagnostic::new(Code::ProblemsUntold)
                .with("limit", super::problems::MOST_SEEN)
                .with("records", tally.records),
        );
    }
    if let [(first, _), (second, place)] = tally.steps.as_slice() {
        let steps = vec![first.to_string(), second.to_string()];
        found.push(
            Diagnostic::new(Code::SeveralSteps).with("steps", steps).at(location(*place, paths)),
        );
    }
    let fields = [
        ("pass_ratio", &tally.pass_ratio),
        ("gen_tokens", &tally.gen_tokens),
        ("gen_time", &tally.gen_time),
        ("judge_time", &tally.judge_time),
    ];
    for (field, values) in fields {
        if let Some(error) = values.error() {
            let percent = format!("{:.3}%", 100.0 * error);
            found.push(
                Diagnostic::new(Code::QuantileRounded).with("field", field).with("error", percent),
            );
        }
    }
    found.into_iter().map(|finding| finding.of_dataset(Some(name))).collect()
}

fn kinds(tally: &Tally, paths: &[&str]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let share = |count: u64| format!("{:.1}%", 100.0 * count as f64 / tally.records as f64);
    let bounds = |finding: Diagnostic| {
        let ran = tally.executed();
        finding.with("least", share(ran)).with("most", share(ran + tally.untold()))
    };
    let unlisted = tally.kinds.iter().filter(|(_, kind)| !kind.is_listed);
    let mut unlisted: Vec<(&String, Seen)> =
        unlisted.map(|(name, kind)| (name, kind.seen)).collect();
    unlisted.sort_by_key(|(name, seen)| (std::cmp::Reverse(seen.count), *name));
    if let Some(first) = unlisted.iter().map(|(_, seen)| seen.first).min() {
        let count = unlisted.iter().map(|(_, seen)| seen.count).sum();
        let names =
            unlisted.iter().map(|(name, seen)| format!("{name} ({})", seen.count)).collect();
        found.push(
            bounds(counted(Code::KindUnlisted, Seen { count, first }, paths))
                .with("kinds", super::some(names)),
        );
    }
    if let Some(unknown) = tally.kinds.get(UNKNOWN) {
        found.push(bounds(
            counted(Code::KindUnknown, unknown.seen, paths).with("records", tally.records),
        ));
    }
    if let Some(seen) = tally.overflown {
        found.push(
            counted(Code::TooManyNames, seen, paths)
                .with("limit", MOST_KINDS)
                .with("names", "error_type"),
        );
    }
    found
}

/// Fields that some records have and others lack.
fn gaps(tally: &Tally) -> Option<Diagnostic> {
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
    let gaps: Vec<String> = fields
        .chain(of_answers.map(|(field, n)| (field, n, answers)))
        .filter(|(field, n, all)| *n > 0 && n + impossible(field) < *all)
        .map(|(field, n, all)| format!("{field} {n}/{all}"))
        .collect();
    (!gaps.is_empty()).then(|| {
        Diagnostic::new(Code::FieldGaps).with("fields", gaps).with("records", tally.records)
    })
}

fn counted(code: Code, seen: Seen, paths: &[&str]) -> Diagnostic {
    Diagnostic::new(code).with("count", seen.count).at(location(seen.first, paths))
}

pub(super) fn location(place: Place, paths: &[&str]) -> Location {
    Location::line(paths.get(place.file).copied().unwrap_or_default(), place.line)
}

/// What this stage raises, explained.
pub(crate) const EXPLAINED: &[Explanation] = &[
    Explanation::new(
        Code::SilentRecords,
        "Objects in a file that `reportgen metrics` reads have neither an error type, nor `accepted`, nor a pass ratio, nor a raw result of a sandbox. They are left out of every figure and counted.",
        "Lines of configuration or of a prompt set are harmless. Where they are problems that were never judged, every rate stands on those that were, and these are seldom a fair draw from all.",
    ),
    Explanation::new(
        Code::KindUnlisted,
        "Records have an error type that no list of `error_types.toml` has, nor the table `[metrics.error_types]` of reportgen.toml. It is kept under its own name with a rate of its own, and is an unknown ending for every other rate (`R463`), unless `accepted` says that the answer passed.",
        "Whether such code ran decides `exec_success_rate`, and nobody but its producer knows; the message gives it for the two extremes. A kind that is only another spelling of a known one takes its records away from that one, so two evaluations of different producers cannot be compared by it.",
    ),
    Explanation::new(
        Code::KindUnknown,
        "Records say that an answer was not accepted, or give a pass ratio, and nothing says how the code ended: no error type and no result of a sandbox that a rule of `error_types.toml` knows. They are no runtime errors and no wrong answers; rates of endings stand on the other records, and above 5% of such records there are none.",
        "These records are no fair draw: where a producer only says what was accepted, every ending that is known is a success. The message gives `exec_success_rate` for the two extremes: none of them ran, and all of them did.",
    ),
    Explanation::new(
        Code::FieldGaps,
        "A field stands in some records of a dataset and not in others. Each figure stands on the records that have its field, and has their number as its n.",
        "Figures of one table then describe different sets of problems: a mean time over the half that wrote it is not the mean time. Usual after two versions of a writer were joined, or where failed requests write less.",
    ),
    Explanation::new(
        Code::ImpossibleValue,
        "A record has a value that its field cannot have: a pass ratio outside 0 to 1, or a negative time or number of tokens. The value is left out and the rest of the record counts.",
        "A pass ratio of 80 is a percentage in a field of shares and would move the mean by a hundredfold; whether 1 then means 1% or all, nobody can tell. Negative times come from clocks that were set back.",
    ),
    Explanation::new(
        Code::SeveralAnswers,
        "A dataset has several records with one problem id. Each record counts; intervals of rates and means are made over problems (CR1 or CR2, t), and there are none for quantiles.",
        "Answers to one problem are alike, so an interval over records as if they were independent is too narrow. And `accepted_at_1` is then the mean over all answers, which is the expected result of one try, not that of the first.",
    ),
    Explanation::new(
        Code::EqualRecords,
        "Records are equal, byte by byte, to the first record of their problem. They are counted like all others, because nobody but the user knows whether they were written twice or answered twice.",
        "Mostly a file was appended to itself or given twice. Problems that are in it twice then weigh double, and every n is too large.",
    ),
    Explanation::new(
        Code::OutcomeDisagrees,
        "In some records `accepted` and the kind of ending exclude each other: accepted with another kind than `success`, or not accepted with `success`. Both are counted as written, so that `accepted_at_1` + `wrong_answer_rate` is not `exec_success_rate`.",
        "One of the two is wrong and the record does not tell which. The place of the first is named, and `R157` lists further lines for each pair of claims. Figures that depend on either are wrong by at most the share of these records.",
    ),
    Explanation::new(
        Code::ProblemsUntold,
        "A dataset has more than 4,194,304 problem ids. Those met later are no longer checked for repetitions, so that memory stays bounded; figures are not affected, and intervals take records as independent as long as no repetition was met.",
        "Several answers to a problem among the later records would go unnoticed, and intervals would then be too narrow.",
    ),
    Explanation::new(
        Code::SeveralSteps,
        "Records of one dataset name different steps. They are counted together, as if they came from one checkpoint.",
        "A rate over two checkpoints is the rate of neither. Give each step to a call of its own, with its own output directory.",
    ),
    Explanation::new(
        Code::DrawnInput,
        "A file has the name of a QA log (`<dataset>_qa.jsonl`). Such records are drawn by how they ended, so many of each kind. A directory's own QA logs are left out when they were written by this command.",
        "Rates over records drawn by kind tell the quotas of the draw: five of each of five kinds are 20% each, whatever the model did.",
    ),
    Explanation::new(
        Code::QuantileRounded,
        "A field has more than 65,536 distinct values in a dataset. Values are then kept to their leading bits, and quantiles and their intervals are off by at most the relative error that is named. Means are not affected.",
        "The error is far below what an interval says, and is told so that nobody looks for the last digits. Where exact quantiles matter, read the records with `compare`, which keeps them.",
    ),
    Explanation::new(
        Code::TooManyNames,
        "A dataset has more than 32 kinds of ending, of which the further ones are counted together as `other_error`; or the records name more than 256 datasets, of which the further ones are left out. Which are further depends on the order of the input.",
        "Mostly a message was written where a kind belongs, or an id where the dataset belongs. The figures of the names that were kept are right; what is left over says nothing.",
    ),
    Explanation::new(
        Code::NothingToCount,
        "A file holds JSON lines, but no record in it says what became of an answer. The other files are counted.",
        "A file that was expected to bring results brings none. Mostly it is a set of prompts, generations that were not judged yet, or a log.",
    ),
];
