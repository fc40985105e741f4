//! Records of a data file, whatever its format: columns, keys, queries.
//!
//! A format hands over field by field; nothing here knows how a record is written, and no text is
//! held beyond its record.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::super::readers::sample_id_rank;
use super::super::readers::samples::json;
use super::super::readers::samples::value::{RecordValue, whole_text};
use super::column::ColumnCounter;
use super::question::{self, ABOUT, Questions};
use super::value_hash::{hash_value, mixed};
use crate::model::{ColumnProfile, Duplicates, IdKey, Queries, RowKey, RowKeys};

/// Ids of what a record belongs to, weaker than its own.
const OTHER_IDS: &[&str] = &["query_id", "prompt_id"];
/// Columns that say which records answer one query, most telling first.
const QUERIES: &[&str] =
    &["query_id", "prompt_id", "question_id", "problem_id", "group_id", "task_id"];
/// Columns that say that a sample is positive: switches, then rewards, which are so above 0.
const POSITIVE: &[&str] = &[
    "has_positive",
    "is_positive",
    "positive",
    "is_correct",
    "correct",
    "accepted",
    "success",
    "passed",
    "reward",
    "score",
];
/// Columns that hold the samples of a query as a list of objects.
const SAMPLES: &[&str] = &[
    "samples",
    "candidates",
    "responses",
    "rollouts",
    "completions",
    "generations",
    "trajectories",
    "beams",
    "pointer_candidates",
];
/// More columns than this are data, not names.
const MOST_COLUMNS: usize = 1024;

#[derive(Clone, Copy)]
struct ColumnMeaning {
    id: Option<u8>,
    question: Option<u8>,
    is_about: bool,
    query: Option<u8>,
    positive: Option<u8>,
    holds_samples: bool,
}

impl ColumnMeaning {
    fn by_name(name: &str) -> Self {
        let rank =
            |names: &[&str]| names.iter().position(|known| *known == name).map(|at| at as u8);
        let weaker = || rank(OTHER_IDS).map(|rank| u8::MAX - OTHER_IDS.len() as u8 + rank);
        Self {
            id: sample_id_rank(name).or_else(weaker),
            question: question::rank_of_column(name),
            is_about: ABOUT.contains(&name),
            query: rank(QUERIES),
            positive: rank(POSITIVE),
            holds_samples: SAMPLES.contains(&name),
        }
    }
}

struct KnownColumn {
    name: String,
    hash: u64,
    meaning: ColumnMeaning,
    tally: ColumnCounter,
}

#[derive(Default)]
struct CurrentRecord {
    hash: u64,
    id: Option<(u8, IdKey)>,
    about: u64,
    query: Option<(u8, u64)>,
    positive: Option<(u8, bool)>,
    has_samples: bool,
}

#[derive(Default)]
pub(super) struct RecordScan {
    columns: Vec<KnownColumn>,
    keys: RowKeys,
    current: CurrentRecord,
    question: Questions,
    /// Query of each record, and whether it is positive.
    queries: Vec<(u64, Option<bool>)>,
    /// Ranks of the names that said query and positive; the highest that occurred.
    named: (Option<u8>, Option<u8>),
    has_samples: bool,
    scratch: String,
}

pub(super) struct ScannedRecords {
    pub(super) columns: Vec<ColumnProfile>,
    pub(super) queries: Option<Queries>,
    pub(super) duplicates: Duplicates,
    pub(super) keys: RowKeys,
}

impl RecordScan {
    /// Records from here on stand in that file.
    pub(super) fn begin_file(&mut self, path: &Arc<str>) {
        self.keys.parts.push((self.rows() as u32, Arc::clone(path)));
    }

    pub(super) fn rows(&self) -> u64 {
        self.keys.rows.len() as u64
    }

    /// Takes the `position`th field of the current record.
    pub(super) fn field(&mut self, position: usize, name: &str, value: RecordValue<'_>) {
        let Some(place) = self.column_position(position, name) else { return };
        let Some(column) = self.columns.get_mut(place) else { return };
        column.tally.add(value);
        let hash = hash_value(value, &mut self.scratch);
        if hash == 0 {
            return;
        }
        let current = &mut self.current;
        // A sum, because the order of fields means nothing.
        current.hash = current.hash.wrapping_add(mixed(column.hash, hash));
        let meaning = column.meaning;
        if let (Some(rank), Some(text)) = (meaning.id, value.text())
            && current.id.is_none_or(|(known, _)| rank < known)
        {
            current.id = Some((rank, IdKey::new(whole_text(text).unwrap_or(text))));
        }
        if let Some(rank) = meaning.query
            && current.query.is_none_or(|(known, _)| rank < known)
        {
            current.query = Some((rank, hash));
        }
        if let Some(rank) = meaning.positive
            && let Some(yes) = is_positive(value)
            && current.positive.is_none_or(|(known, _)| rank < known)
        {
            current.positive = Some((rank, yes));
        }
        if meaning.is_about {
            current.about = current.about.wrapping_add(hash);
        }
        self.question.take(meaning.question, name, value);
        if let (true, RecordValue::Composite(raw)) = (meaning.holds_samples, value) {
            self.samples_of_query(raw, place);
        }
    }

    /// Ends the current record, which begins on that line.
    pub(super) fn end(&mut self, line: u64) {
        let current = std::mem::take(&mut self.current);
        let text = self.question.end(current.about);
        let id = current.id.map(|(_, id)| id).unwrap_or_default();
        let row = mixed(current.hash, 1);
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        self.keys.rows.push(RowKey { row, id, text, line });
        let asked = text.is_known().then(|| mixed(TEXT, text.bits()));
        let query = current.query.map(|(_, hash)| hash).or(asked);
        self.queries.push((query.unwrap_or(row), current.positive.map(|(_, yes)| yes)));
        self.named.0 = self.named.0.max(current.query.map(|(rank, _)| rank));
        self.named.1 = self.named.1.max(current.positive.map(|(rank, _)| rank));
        self.has_samples |= current.has_samples;
    }

    /// What the records say together.
    pub(super) fn finish(self) -> ScannedRecords {
        let queries = self.queries();
        let of_query =
            queries.as_ref().is_some_and(|found| OTHER_IDS.contains(&found.column.as_str()));
        let mut duplicates = duplicates(&self.keys.rows);
        if of_query {
            duplicates.ids = 0;
        }
        let columns =
            self.columns.into_iter().map(|known| known.tally.finish(known.name)).collect();
        ScannedRecords { columns, queries, duplicates, keys: self.keys }
    }

    /// Where the column stands that is probably the `position`th, see [`Self::find_or_add_column`].
    fn column_position(&mut self, position: usize, name: &str) -> Option<usize> {
        let is_there = self.columns.get(position).is_some_and(|known| known.name == name);
        if is_there { Some(position) } else { self.find_or_add_column(name) }
    }

    /// Where the column stands, put there when it is new and there is room.
    fn find_or_add_column(&mut self, name: &str) -> Option<usize> {
        if let Some(place) = self.columns.iter().position(|known| known.name == name) {
            return Some(place);
        }
        if self.columns.len() == MOST_COLUMNS {
            return None;
        }
        self.columns.push(KnownColumn {
            name: name.to_owned(),
            hash: xxh3_64(name.as_bytes()),
            meaning: ColumnMeaning::by_name(name),
            tally: ColumnCounter::default(),
        });
        Some(self.columns.len() - 1)
    }

    /// Rewards and switches of the samples that a record lists.
    fn samples_of_query(&mut self, raw: &str, place: usize) {
        let mut met: Vec<(String, Option<f64>, bool)> = Vec::new();
        // The text was read as JSON once already; a fault cannot come now.
        let _checked = json::for_each_element(raw, |element| {
            let _object = json::for_each_field(element, |key, value| {
                let (mut key_scratch, mut scratch) = (String::new(), String::new());
                let key = key.name(&mut key_scratch);
                let value = value.value(&mut scratch);
                if POSITIVE.contains(&key)
                    && let Some(yes) = is_positive(value)
                {
                    let number = matches!(value, RecordValue::Number { .. });
                    met.push((key.to_owned(), value.number().filter(|_| number), yes));
                }
            });
        });
        let Some(list) = self.columns.get(place).map(|known| known.name.clone()) else { return };
        self.current.has_samples |= !met.is_empty();
        for (key, number, yes) in met {
            let rank = POSITIVE.iter().position(|known| *known == key).unwrap_or_default() as u8;
            let earlier = self.current.positive.filter(|(known, _)| *known == rank);
            if self.current.positive.is_none_or(|(known, _)| rank <= known) {
                self.current.positive = Some((rank, yes || earlier.is_some_and(|(_, yes)| yes)));
            }
            let value = match number {
                Some(value) => RecordValue::Number { value, text: "" },
                None => RecordValue::Bool(yes),
            };
            let inner = self.find_or_add_column(&format!("{list}.{key}"));
            if let Some(known) = inner.and_then(|place| self.columns.get_mut(place)) {
                known.tally.add(value);
            }
        }
    }

    /// Queries with a positive sample; `None` where no query has several samples, because then the
    /// column's own share says it.
    fn queries(&self) -> Option<Queries> {
        let positive_column = POSITIVE.get(usize::from(self.named.1?))?;
        let mut sorted: Vec<(u64, bool)> =
            self.queries.iter().filter_map(|(query, yes)| Some((*query, (*yes)?))).collect();
        let rows = sorted.len();
        sorted.sort_unstable();
        let groups = sorted.chunk_by(|(a, _), (b, _)| a == b);
        let (mut n, mut positive) = (0, 0);
        for group in groups {
            n += 1;
            positive += u64::from(group.iter().any(|(_, yes)| *yes));
        }
        let column = match self.named.0 {
            Some(rank) => QUERIES.get(usize::from(rank)).copied().unwrap_or("query_id"),
            None => "query",
        };
        (n > 0 && (n < rows as u64 || self.has_samples)).then(|| Queries {
            column: column.to_owned(),
            positive_column: (*positive_column).to_owned(),
            n,
            positive,
        })
    }
}

/// Keeps queries known by their text apart from those known by an id.
const TEXT: u64 = 0x7465_7874;

/// A switch, or a number above 0.
fn is_positive(value: RecordValue<'_>) -> Option<bool> {
    match value {
        RecordValue::Bool(yes) => Some(yes),
        RecordValue::Number { value, .. } if value.is_finite() => Some(value > 0.0),
        _ => None,
    }
}

fn duplicates(rows: &[RowKey]) -> Duplicates {
    let mut found = Duplicates::default();
    let mut sorted: Vec<(u64, u32)> = (0..).zip(rows).map(|(at, row)| (row.row, at)).collect();
    sorted.sort_unstable();
    for pair in sorted.chunk_by(|(a, _), (b, _)| a == b) {
        if let [(_, first), (_, second), ..] = pair {
            found.rows += pair.len() as u64 - 1;
            if found.first.is_none_or(|(_, earliest)| *second < earliest) {
                found.first = Some((*first, *second));
            }
        }
    }
    let known = rows.iter().filter(|row| row.id.is_known());
    let mut ids: Vec<(IdKey, u64)> = known.map(|row| (row.id, row.row)).collect();
    ids.sort_unstable();
    ids.dedup();
    found.ids = ids.windows(2).filter(|pair| matches!(pair, [a, b] if a.0 == b.0)).count() as u64;
    found
}
