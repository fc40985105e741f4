//! One record at a time, for whoever keeps none of them: the meanings of fields are those of all
//! sample readers, and nothing is remembered but what was wrong.

use super::super::super::ReadOptions;
use super::claim_role::RecordClaimRole;
use super::coordinates::RecordNumber;
use super::error_type::RecordErrorType;
use super::field::Fields;
use super::findings::RecordFindings;
use super::json::Malformed;
use super::record::Record;
use super::run_columns::RunColumns;
use super::value::RecordScore;
use crate::model::{ContentHash, RunLabel};

/// When a record was made, in seconds since 1970.
const TIMES: [&str; 5] = ["timestamp", "ts", "finished_at", "completed_at", "created_at"];
/// Later than any time in seconds: the number counts milliseconds.
const MILLISECONDS: f64 = 1e11;

/// One problem and what became of the answer to it. Unknown is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct JudgedAnswer<'a> {
    /// The whole record as JSON.
    pub text: &'a str,
    pub line: u64,
    pub id: Option<&'a str>,
    pub dataset: Option<&'a str>,
    /// Error type, in lower case with `_`; what says that nothing went wrong is `success`.
    pub kind: Option<&'a str>,
    /// Whether every case passed.
    pub accepted: Option<bool>,
    /// Share of cases that passed.
    pub pass_ratio: Option<f64>,
    /// Seconds of judging.
    pub judge_time: Option<f64>,
    /// Seconds of generating.
    pub gen_time: Option<f64>,
    pub gen_tokens: Option<f64>,
    /// Whether generation stopped at its limit.
    pub truncated: Option<bool>,
    /// When the record was made, in seconds since 1970.
    pub time: Option<f64>,
    pub step: Option<f64>,
    /// What tells the run that it is of apart from others: its model, its checkpoint and the like.
    pub labels: &'a [RunLabel],
}

impl JudgedAnswer<'_> {
    pub fn says_anything(&self) -> bool {
        self.kind.is_some() || self.accepted.is_some() || self.pass_ratio.is_some()
    }
}

/// The record that is read, and what was noticed in those before it.
#[derive(Default)]
pub(crate) struct RecordReader {
    fields: Fields,
    record: Record,
    scratch: String,
    labels: RunLabels,
    pub(crate) findings: RecordFindings,
}

/// Further columns by which the records of one file are of several runs.
const OF_RUNS: [&str; 9] = [
    "Model",
    "kl_beta",
    "policy",
    "temperature",
    "model_path",
    "generator",
    "adapter",
    "global_step",
    "checkpoint_path",
];

/// What tells the run of a record apart, made anew where a record differs from the one before.
#[derive(Default)]
struct RunLabels {
    numbers: Vec<u32>,
    numbered: [Option<RecordNumber>; 2],
    checkpoint: Option<String>,
    labels: Vec<RunLabel>,
}

impl RunLabels {
    /// Seeds are left out: runs that differ in them repeat each other.
    fn take(&mut self, record: &Record, columns: &RunColumns) {
        let Self { numbers, numbered, checkpoint, labels } = self;
        let at = &record.at;
        let own = [at.epoch, at.shot];
        if *numbers == record.runs && *numbered == own && *checkpoint == at.checkpoint {
            return;
        }
        record.runs.clone_into(numbers);
        (*numbered, *checkpoint) = (own, at.checkpoint.clone());
        let named = columns.iter().filter(|(_, column)| column.asked || column.may_name_runs());
        let named = named.filter(|(place, _)| record.run(*place) != 0);
        let named = named.map(|(place, column)| column.label(record.run(place)));
        let label = |column: &str, value| RunLabel { column: column.to_owned(), value };
        let numbered = ["epoch", "shot"].into_iter().zip(own);
        let numbered =
            numbered.filter_map(|(name, number)| Some(label(name, number?.value().to_string())));
        let checkpoint = checkpoint.clone().map(|checkpoint| label("checkpoint", checkpoint));
        labels.clear();
        labels
            .extend(named.filter(|label| !label.is_repetition()).chain(numbered).chain(checkpoint));
    }
}

impl RecordReader {
    pub(crate) fn choosing(options: &ReadOptions) -> Self {
        Self { fields: Fields::choosing(options), ..Self::default() }
    }

    /// One that says of each record which run it is of.
    pub(crate) fn of_several_runs() -> Self {
        let columns = OF_RUNS.map(str::to_owned).to_vec();
        Self::choosing(&ReadOptions { apart: true, columns, ..ReadOptions::default() })
    }

    /// The id of a record, and the hash of what the model wrote; `None` where there is no id.
    pub(crate) fn identity(&mut self, text: &str) -> Option<(&str, Option<ContentHash>)> {
        self.record.clear();
        self.fields.begin_record();
        super::take_json(text, &mut self.fields, &mut self.record, &mut self.scratch).ok()?;
        self.record.identify(&self.fields);
        Some((self.record.id()?, self.record.response()))
    }

    pub(crate) fn take<'a>(
        &'a mut self,
        text: &'a str,
        line: u64,
    ) -> Result<JudgedAnswer<'a>, Malformed> {
        let Self { fields, record, scratch, labels, findings } = self;
        record.clear();
        fields.begin_record();
        super::take_json(text, fields, record, scratch)?;
        for name in fields.repeated() {
            findings.repeated_key(name, line);
        }
        findings.contradictions.note(&record.claims(fields), line);
        labels.take(record, fields.run_columns());
        Ok(JudgedAnswer { labels: &labels.labels, ..outcome(record, fields, findings, text, line) })
    }
}

fn outcome<'a>(
    record: &'a Record,
    fields: &Fields,
    findings: &mut RecordFindings,
    text: &'a str,
    line: u64,
) -> JudgedAnswer<'a> {
    let mut found = JudgedAnswer {
        text,
        line,
        id: record.id(),
        dataset: record.dataset(),
        kind: record.error_type(fields).map(RecordErrorType::name),
        truncated: record.truncated(),
        step: record.at.step.map(RecordNumber::value),
        ..JudgedAnswer::default()
    };
    let (mut right, mut passed, mut total) = (None, None, None);
    for (id, score) in record.scores.iter() {
        let Some(metric) = fields.metric(id) else { continue };
        let value = match score {
            RecordScore::Finite(value) => value,
            RecordScore::Infinite(_) | RecordScore::NotANumber if metric.known => {
                findings.not_finite(&metric.metric, line);
                continue;
            }
            RecordScore::Infinite(_)
            | RecordScore::NotANumber
            | RecordScore::Unusable
            | RecordScore::Absent => continue,
        };
        match metric.role {
            RecordClaimRole::Accepted => found.accepted = truth(value),
            RecordClaimRole::Tested | RecordClaimRole::Right => right = right.or(truth(value)),
            RecordClaimRole::PassRatio => found.pass_ratio = Some(value),
            RecordClaimRole::Passed => passed = Some(value),
            RecordClaimRole::Total => total = Some(value),
            _ => match metric.metric.as_str() {
                "avg_gen_tokens" => found.gen_tokens = Some(value),
                "avg_gen_time" => found.gen_time = Some(value),
                "avg_judge_time" => found.judge_time = Some(value),
                _ if TIMES.contains(&metric.key.as_str()) => {
                    let seconds = if value > MILLISECONDS { value / 1000.0 } else { value };
                    found.time = found.time.or(Some(seconds));
                }
                _ => {}
            },
        }
    }
    found.accepted = found.accepted.or(right);
    found.pass_ratio = found.pass_ratio.or_else(|| {
        passed.zip(total).filter(|(_, total)| *total > 0.0).map(|(passed, total)| passed / total)
    });
    found
}

fn truth(value: f64) -> Option<bool> {
    (value == 0.0 || value == 1.0).then_some(value == 1.0)
}
