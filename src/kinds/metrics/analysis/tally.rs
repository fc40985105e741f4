//! What is counted while records go by: rows of a block, made on any thread, and the tallies of the
//! datasets, which take the rows in file order.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::MetricsChoices;
use super::distribution::MetricsDistribution;
use super::mapping::{EXECUTED, EndingKind, OTHER, SUCCESS, WRONG_ANSWER};
use super::problems::{Measure, Met, MetricsProblems};
use super::qa_draw::{self, MetricsPool};
use crate::collect::outcomes::JudgedAnswer;
use crate::model::{ContentHashes, RunLabel};

/// Kinds of a dataset that are kept apart; the rest is `other_error`.
pub(super) const MOST_KINDS: usize = 32;
/// Datasets that are kept apart.
pub(super) const MOST_DATASETS: usize = 256;
/// The request failed: there is no answer.
pub const API_ERROR: &str = "api_error";
/// How nobody said that it ended.
pub const UNKNOWN: &str = "unknown";

/// A record of a file by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RecordPlace {
    /// Number of the file, in the order given.
    pub(super) file: usize,
    pub(super) line: u64,
}

/// What a block holds of one record.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    dataset: usize,
    kind: usize,
    line: u64,
    id: Option<u64>,
    hash: u64,
    accepted: Option<bool>,
    truncated: Option<bool>,
    pass_ratio: Option<f64>,
    judge_time: Option<f64>,
    gen_time: Option<f64>,
    gen_tokens: Option<f64>,
    time: Option<f64>,
    step: Option<f64>,
}

#[derive(Debug, Default)]
pub(super) struct MetricsRows {
    rows: Vec<Row>,
    /// Datasets as they are spelled, each with the hash of its name in lower case.
    datasets: IndexMap<String, u64>,
    /// Kinds, and whether the lists have them.
    kinds: IndexMap<String, bool>,
    /// By dataset and kind.
    pools: BTreeMap<(usize, usize), MetricsPool>,
    /// Records that say nothing of an answer: how many, and where the first is.
    silent: Option<(u64, u64)>,
    /// By dataset, what tells the runs of its records apart, each with the first line.
    labels: BTreeMap<(usize, RunLabel), u64>,
    /// The dataset of the latest record, and its labels.
    latest: Option<(usize, Vec<RunLabel>)>,
}

impl MetricsRows {
    /// Takes a record of a file whose records belong to `named`, if the user said so, and else to
    /// the dataset that they name, or to that of the file.
    pub(super) fn take(
        &mut self,
        record: &JudgedAnswer<'_>,
        named: Option<&str>,
        of_file: &str,
        choices: &MetricsChoices,
    ) {
        let kind = choices.mapping.kind(record);
        if kind == EndingKind::Unknown && !record.says_anything() {
            self.silent.get_or_insert((0, record.line)).0 += 1;
            return;
        }
        let name = named.or(record.dataset).unwrap_or(of_file);
        let (dataset, hashed) = self.dataset(name);
        self.note_labels(dataset, record);
        let kind = match &kind {
            EndingKind::Listed(kind) => self.kind(kind, true),
            EndingKind::Unlisted(kind) => self.kind(kind, false),
            EndingKind::Unknown => self.kind(UNKNOWN, true),
        };
        let text = ContentHashes::hash_bytes(record.text.as_bytes()).get();
        let id = record.id.map(|id| ContentHashes::hash_bytes(id.as_bytes()).get());
        let pool = self.pools.entry((dataset, kind));
        let pool = pool.or_insert_with(|| MetricsPool::new(choices.quotas.quota(name).most()));
        let key = qa_draw::key(choices.seed, hashed, id.unwrap_or(text));
        pool.offer(key, record.text, record.line);
        let at_limit = || {
            let limit = choices.max_tokens?;
            Some(record.gen_tokens? >= limit as f64)
        };
        self.rows.push(Row {
            dataset,
            kind,
            line: record.line,
            id,
            hash: text,
            accepted: record.accepted,
            truncated: record.truncated.or_else(at_limit),
            pass_ratio: record.pass_ratio,
            judge_time: record.judge_time,
            gen_time: record.gen_time,
            gen_tokens: record.gen_tokens,
            time: record.time,
            step: record.step,
        });
    }

    /// Whether any record says something of an answer.
    pub(super) fn has_records(&self) -> bool {
        !self.rows.is_empty()
    }

    fn note_labels(&mut self, dataset: usize, record: &JudgedAnswer<'_>) {
        let is_known =
            |(known, labels): &(usize, Vec<RunLabel>)| *known == dataset && labels == record.labels;
        if self.latest.as_ref().is_some_and(is_known) {
            return;
        }
        for label in record.labels {
            self.labels.entry((dataset, label.clone())).or_insert(record.line);
        }
        self.latest = Some((dataset, record.labels.to_vec()));
    }

    fn dataset(&mut self, name: &str) -> (usize, u64) {
        if let Some((at, _, hashed)) = self.datasets.get_full(name) {
            return (at, *hashed);
        }
        let hashed = ContentHashes::hash_bytes(name.to_lowercase().as_bytes()).get();
        (self.datasets.insert_full(name.to_owned(), hashed).0, hashed)
    }

    fn kind(&mut self, name: &str, is_listed: bool) -> usize {
        match self.kinds.get_index_of(name) {
            Some(at) => at,
            None => self.kinds.insert_full(name.to_owned(), is_listed).0,
        }
    }
}

/// How often something was seen, and where first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sightings {
    pub(super) count: u64,
    pub(super) first: RecordPlace,
}

fn note(seen: &mut Option<Sightings>, place: RecordPlace) {
    seen.get_or_insert(Sightings { count: 0, first: place }).count += 1;
}

#[derive(Debug)]
pub(super) struct KindTally {
    pub(super) seen: Sightings,
    pub(super) is_listed: bool,
}

/// How often something holds, of how many records that say so.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Flag {
    pub(super) yes: u64,
    pub(super) n: u64,
}

impl Flag {
    fn add(&mut self, value: Option<bool>) {
        if let Some(value) = value {
            self.n += 1;
            self.yes += u64::from(value);
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct MetricsTally {
    /// Its name: of several spellings the first in the order of texts.
    pub(super) name: String,
    pub(super) records: u64,
    pub(super) with_id: u64,
    pub(super) kinds: BTreeMap<String, KindTally>,
    pub(super) accepted: Flag,
    /// Of those, the requests that failed.
    pub(super) accepted_failed: Flag,
    pub(super) truncated: Flag,
    pub(super) pass_ratio: MetricsDistribution,
    pub(super) judge_time: MetricsDistribution,
    pub(super) gen_time: MetricsDistribution,
    pub(super) gen_tokens: MetricsDistribution,
    /// First and last time, and how many records have one.
    pub(super) times: Option<(f64, f64, u64)>,
    /// Steps by their bits, each with its first record; two are kept.
    pub(super) steps: Vec<(f64, RecordPlace)>,
    /// By column, what tells the runs of records apart, each with its first record; two are kept.
    pub(super) labels: BTreeMap<String, Vec<(String, RecordPlace)>>,
    pub(super) problems: MetricsProblems,
    pub(super) equal: Option<Sightings>,
    /// By field, values that it cannot have.
    pub(super) impossible: BTreeMap<&'static str, Option<Sightings>>,
    /// Records in which `accepted` and the kind of ending disagree.
    pub(super) disagreeing: Option<Sightings>,
    pub(super) overflown: Option<Sightings>,
    pub(super) pools: BTreeMap<String, MetricsPool>,
}

#[derive(Debug, Default)]
pub(super) struct MetricsTallies {
    /// By name in lower case, as the keys of `metrics.json` are; in the order in which they came.
    pub(super) datasets: IndexMap<String, MetricsTally>,
    /// Records of datasets beyond the bound.
    pub(super) dropped: Option<Sightings>,
    /// Records that say nothing of an answer, by file.
    pub(super) silent: BTreeMap<usize, Sightings>,
}

impl MetricsTallies {
    pub(super) fn append(
        &mut self,
        part: MetricsRows,
        file: usize,
        lines: u64,
        choices: &MetricsChoices,
    ) {
        let MetricsRows { rows, datasets, kinds, pools, silent, labels, latest: _ } = part;
        if let Some((count, line)) = silent {
            let first = RecordPlace { file, line: lines + line };
            self.silent.entry(file).or_insert(Sightings { count: 0, first }).count += count;
        }
        let keys: Vec<(String, String)> =
            datasets.into_keys().map(|name| (name.to_lowercase(), name)).collect();
        let mut places: Vec<Option<usize>> = vec![None; keys.len()];
        for row in rows {
            let place = RecordPlace { file, line: lines + row.line };
            let of_row = keys.get(row.dataset).zip(places.get_mut(row.dataset));
            let Some(((key, name), known)) = of_row else { continue };
            *known = known.or_else(|| self.place_of(key));
            let tally = known.and_then(|at| self.datasets.get_index_mut(at));
            let Some((_, tally)) = tally else {
                note(&mut self.dropped, place);
                continue;
            };
            if tally.records == 0 || *name < tally.name {
                tally.name.clone_from(name);
            }
            if let Some((kind, is_listed)) = kinds.get_index(row.kind) {
                tally.add(&row, kind, *is_listed, place);
            }
        }
        let mut labels: Vec<((usize, RunLabel), u64)> = labels.into_iter().collect();
        labels.sort_by_key(|(_, line)| *line);
        for ((dataset, label), line) in labels {
            let tally = keys.get(dataset).and_then(|(key, _)| self.datasets.get_mut(key));
            if let Some(tally) = tally {
                tally.note_label(label, RecordPlace { file, line: lines + line });
            }
        }
        for ((dataset, kind), pool) in pools {
            let (Some((key, _)), Some((kind, _))) = (keys.get(dataset), kinds.get_index(kind))
            else {
                continue;
            };
            if let Some(tally) = self.datasets.get_mut(key) {
                let kind = if tally.kinds.contains_key(kind) { kind } else { OTHER };
                let limit = choices.quotas.quota(key).most();
                let known =
                    tally.pools.entry(kind.to_owned()).or_insert_with(|| MetricsPool::new(limit));
                known.append(pool, file, lines);
            }
        }
    }

    /// Where the tally of a dataset stands; `None` for a further one where there are as many as are kept.
    fn place_of(&mut self, key: &str) -> Option<usize> {
        self.datasets.get_index_of(key).or_else(|| {
            let is_kept = self.datasets.len() < MOST_DATASETS;
            is_kept.then(|| self.datasets.insert_full(key.to_owned(), MetricsTally::default()).0)
        })
    }
}

impl MetricsTally {
    fn add(&mut self, row: &Row, kind: &str, is_listed: bool, place: RecordPlace) {
        self.records += 1;
        self.with_id += u64::from(row.id.is_some());
        let (kind, is_listed) = self.count_kind(kind, is_listed, place);
        let kind = if is_listed { kind } else { UNKNOWN };
        self.accepted.add(row.accepted);
        // A request that failed is no success, but it has no answer that could be measured.
        let is_answer = kind != API_ERROR;
        if !is_answer {
            self.accepted_failed.add(row.accepted);
        }
        let truncated = row.truncated.filter(|_| is_answer);
        self.truncated.add(truncated);
        if row.accepted.is_some_and(|accepted| kind != UNKNOWN && accepted != (kind == SUCCESS)) {
            note(&mut self.disagreeing, place);
        }
        let mut numbers = [None; 4];
        let fields = [
            (&mut self.pass_ratio, row.pass_ratio, Measure::PassRatio, "pass_ratio", 1.0),
            (&mut self.gen_tokens, row.gen_tokens, Measure::GenTokens, "gen_tokens", f64::MAX),
            (&mut self.judge_time, row.judge_time, Measure::JudgeTime, "judge_time", f64::MAX),
            (&mut self.gen_time, row.gen_time, Measure::GenTime, "gen_time", f64::MAX),
        ];
        for ((values, value, measure, name, most), number) in fields.into_iter().zip(&mut numbers) {
            let Some(value) = value.filter(|_| is_answer) else { continue };
            if (0.0..=most).contains(&value) {
                values.add(value);
                *number = Some((measure, value));
            } else {
                note(self.impossible.entry(name).or_insert(None), place);
            }
        }
        if let Some(time) = row.time {
            let (first, last, n) = self.times.unwrap_or((time, time, 0));
            self.times = Some((first.min(time), last.max(time), n + 1));
        }
        if let Some(step) = row.step
            && self.steps.len() < 2
            && self.steps.iter().all(|(known, _)| *known != step)
        {
            self.steps.push((step, place));
        }
        let Some(id) = row.id else { return };
        let flags = flags(kind, row.accepted, truncated);
        let measured = flags.into_iter().chain(numbers).flatten();
        if self.problems.add(id, row.hash, measured) == Met::Equal {
            note(&mut self.equal, place);
        }
    }

    fn note_label(&mut self, label: RunLabel, place: RecordPlace) {
        let known = self.labels.entry(label.column).or_default();
        if known.len() < 2 && known.iter().all(|(value, _)| *value != label.value) {
            known.push((label.value, place));
        }
    }

    pub(super) fn count(&self, kind: &str) -> u64 {
        self.kinds.get(kind).map_or(0, |known| known.seen.count)
    }

    /// Records of which nothing says how they ended, or only a name that no list has.
    pub(super) fn untold(&self) -> u64 {
        let untold = self.kinds.iter().filter(|(kind, one)| *kind == UNKNOWN || !one.is_listed);
        untold.map(|(_, one)| one.seen.count).sum()
    }

    /// Records whose code ran to its end.
    pub(super) fn executed(&self) -> u64 {
        [SUCCESS, WRONG_ANSWER, EXECUTED].map(|kind| self.count(kind)).iter().sum()
    }

    /// The kind as which it is counted, and whether the lists have it.
    fn count_kind<'k>(
        &mut self,
        kind: &'k str,
        is_listed: bool,
        place: RecordPlace,
    ) -> (&'k str, bool) {
        let mut kind = kind;
        if self.kinds.len() >= MOST_KINDS && !self.kinds.contains_key(kind) {
            note(&mut self.overflown, place);
            kind = OTHER;
        }
        if let Some(known) = self.kinds.get_mut(kind) {
            known.seen.count += 1;
            return (kind, known.is_listed);
        }
        let is_listed = is_listed && kind != OTHER;
        let seen = Sightings { count: 1, first: place };
        self.kinds.insert(kind.to_owned(), KindTally { seen, is_listed });
        (kind, is_listed)
    }
}

/// What holds of a record and what does not, where that is known.
fn flags(
    kind: &str,
    accepted: Option<bool>,
    truncated: Option<bool>,
) -> [Option<(Measure, f64)>; 8] {
    let flag = |measure, holds: bool| (measure, f64::from(u8::from(holds)));
    let is = |measure, name: &str| (kind != UNKNOWN).then(|| flag(measure, kind == name));
    let ran = [SUCCESS, WRONG_ANSWER, EXECUTED].contains(&kind);
    [
        accepted.map(|accepted| flag(Measure::Accepted, accepted)),
        (kind != UNKNOWN).then(|| flag(Measure::Executed, ran)),
        is(Measure::Syntax, "syntax_error"),
        is(Measure::Runtime, "runtime_error"),
        is(Measure::Timeout, "timeout"),
        is(Measure::Wrong, WRONG_ANSWER).filter(|_| kind != EXECUTED),
        is(Measure::Api, API_ERROR),
        truncated.map(|truncated| flag(Measure::Truncated, truncated)),
    ]
}
