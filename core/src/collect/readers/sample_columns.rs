//! What the columns of a file of samples are, by their names and by its first records: for a plan of what
//! another program is to do with all of them.

use std::collections::BTreeSet;
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde_json::Value as Json;
use xxhash_rust::xxh3::xxh3_64;

use super::samples::{
    ANSWER_NUMBERS, Content, Field, FieldMeaning, Fields, WEAK_PROMPTS, WEAK_TARGETS,
};
use crate::collect::ReadOptions;
use crate::collect::bounds::RateSize;
use crate::collect::content::{Packing, document_bytes, open};
use crate::collect::entry::single_file;
use crate::collect::parquet::{MAGIC, Parquet, as_json};

/// Records that are looked at.
const LOOKED_AT: usize = 4096;
/// Distinct values that are counted; a score of more has no list.
const MOST_VALUES: usize = 64;

/// The columns of a file of samples, in its order.
#[derive(Debug, Clone)]
pub struct SampleColumns {
    pub is_parquet: bool,
    /// The dataset that the name of the file tells.
    pub dataset: Option<String>,
    pub columns: Vec<SampleColumn>,
}

#[derive(Debug, Clone)]
pub struct SampleColumn {
    pub name: String,
    pub role: SampleColumnRole,
    /// Of several columns of one role that of the lowest rank counts.
    pub rank: u8,
    pub seen: SeenValues,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SampleColumnRole {
    Id,
    Dataset,
    Prompt,
    Target,
    /// The name of the metric, and whether the shipped lists have it.
    Score {
        metric: String,
        known: bool,
    },
    /// It says which of several evaluations, answers or runs a record belongs to.
    Coordinate,
    Other,
}

/// What the values of the first records were.
#[derive(Debug, Clone, Default)]
pub struct SeenValues {
    pub numbers: u64,
    pub flags: u64,
    pub texts: u64,
    /// Whether a number has a point.
    pub fractions: bool,
    /// Whether it may say which samples belong together, by its name, and its rank among such.
    pub cluster: Option<u8>,
    /// The largest number without its sign.
    pub largest: f64,
    /// Whether scores of a rate are percentages or shares.
    pub size: RateSize,
    values: BTreeSet<String>,
    /// How many values there were, and hashes of those that differ.
    count: usize,
    distinct: BTreeSet<u64>,
}

impl SeenValues {
    /// Whether there are so few values that each can be counted.
    pub fn are_few(&self) -> bool {
        self.values.len() <= MOST_VALUES
    }

    /// Whether several records have one value.
    pub fn repeat(&self) -> bool {
        self.distinct.len() < self.count
    }

    /// Whether records differ in it.
    pub fn vary(&self) -> bool {
        self.values.len() > 1
    }

    fn take(&mut self, value: &Json) {
        match value {
            Json::Null => return,
            Json::Bool(flag) => {
                self.flags += 1;
                self.size.take(f64::from(*flag));
            }
            Json::Number(number) => {
                self.numbers += 1;
                self.fractions |= !number.is_i64() && !number.is_u64();
                let number = number.as_f64().unwrap_or_default();
                self.largest = self.largest.max(number.abs());
                self.size.take(number);
            }
            Json::String(text) => {
                self.texts += 1;
                text.trim().parse().into_iter().for_each(|score| self.size.take(score));
            }
            Json::Array(_) | Json::Object(_) => self.texts += 1,
        }
        let written = value.to_string();
        self.count += 1;
        self.distinct.insert(xxh3_64(written.as_bytes()));
        if self.are_few() {
            self.values.insert(written);
        }
    }
}

/// Reads the first records of a file; says why it could not.
pub fn sample_columns(path: &Path, options: &ReadOptions) -> Result<SampleColumns, String> {
    let limits = options.access.limits;
    let file = single_file(path, limits).ok_or("it cannot be opened")?;
    let dataset = super::samples::dataset_of(&file).map(str::to_owned);
    let is_parquet = file.packing == Packing::PLAIN && file.head.starts_with(MAGIC);
    let seen = if is_parquet {
        of_parquet(path, document_bytes(&file))?
    } else {
        let content = open(&file.path, file.packing, limits).map_err(|error| error.to_string())?;
        of_lines(BufReader::new(content.take(limits.document_bytes())))?
    };
    let mut fields = Fields::choosing(options);
    let column = |(place, (name, mut seen)): (usize, (String, SeenValues))| {
        let meaning = fields.meaning_at(place, &name);
        seen.cluster = rank_of_cluster(meaning);
        let (role, rank) = role(meaning, &seen, &fields);
        SampleColumn { name, role, rank, seen }
    };
    let mut columns: Vec<SampleColumn> = seen.into_iter().enumerate().map(column).collect();
    let ids = columns.iter().filter(|column| column.role == SampleColumnRole::Id);
    if ids.min_by_key(|column| column.rank).is_some_and(|id| id.seen.repeat()) {
        let numbers = columns.iter_mut().filter(|column| {
            column.role == SampleColumnRole::Other && ANSWER_NUMBERS.contains(&column.name.as_str())
        });
        numbers.for_each(|column| column.role = SampleColumnRole::Coordinate);
    }
    Ok(SampleColumns { is_parquet, dataset, columns })
}

/// Whether the names of files tell of several datasets.
pub fn tell_of_datasets(files: &[PathBuf]) -> bool {
    let name = |path: &PathBuf| {
        let name = path.file_name()?.to_string_lossy();
        super::samples::dataset_in(&name).map(str::to_owned)
    };
    files.windows(2).any(|two| name(&two[0]) != name(&two[1]))
}

fn rank_of_cluster(meaning: FieldMeaning) -> Option<u8> {
    match meaning.cluster? {
        super::samples::ClusterField::Value(rank) => Some(rank),
        super::samples::ClusterField::Inside(_) => None,
    }
}

fn role(meaning: FieldMeaning, seen: &SeenValues, fields: &Fields) -> (SampleColumnRole, u8) {
    let numeric = seen.numbers + seen.flags > 0;
    match meaning.field {
        Field::Id(rank) => (SampleColumnRole::Id, rank),
        Field::Dataset(rank) => (SampleColumnRole::Dataset, rank),
        Field::Content(Content::Prompt, rank) if rank < WEAK_PROMPTS => {
            (SampleColumnRole::Prompt, rank)
        }
        Field::Content(Content::Target, rank) if rank < WEAK_TARGETS => {
            (SampleColumnRole::Target, rank)
        }
        Field::Hash(Content::Prompt) => (SampleColumnRole::Prompt, u8::MAX),
        Field::Hash(Content::Target) => (SampleColumnRole::Target, u8::MAX),
        field if field.is_coordinate() || meaning.run.is_some() => {
            (SampleColumnRole::Coordinate, 0)
        }
        Field::Score(id) => match fields.metric(id) {
            Some(metric) if metric.known || numeric && !metric.only_if_listed => {
                let (metric, known) = (metric.metric.clone(), metric.known);
                (SampleColumnRole::Score { metric, known }, 0)
            }
            _ => (SampleColumnRole::Other, 0),
        },
        _ => (SampleColumnRole::Other, 0),
    }
}

fn of_parquet(path: &Path, most: u64) -> Result<IndexMap<String, SeenValues>, String> {
    let parquet = Parquet::open(path, most)?;
    let names = parquet.schema().iter().map(|column| column.name.clone());
    let mut seen: IndexMap<String, SeenValues> =
        names.map(|name| (name, SeenValues::default())).collect();
    let mut rows = parquet.rows(None)?;
    let mut left = LOOKED_AT;
    while let Some(table) = rows.next(left)?.filter(|_| left > 0) {
        for cells in table.columns() {
            let Some(own) = seen.get_mut(&cells.column().name) else { continue };
            for row in 0..table.height() {
                own.take(&as_json(&cells.get(row)?));
            }
        }
        left -= table.height();
    }
    for column in parquet.schema() {
        if let Some(own) = seen.get_mut(&column.name) {
            // A column of the type of numbers is one whatever its first rows hold.
            own.numbers += u64::from(column.is_number());
            own.flags += u64::from(column.is_flag());
            own.fractions |= column.is_real();
        }
    }
    Ok(seen)
}

fn of_lines(content: impl std::io::BufRead) -> Result<IndexMap<String, SeenValues>, String> {
    let mut seen = IndexMap::<String, SeenValues>::new();
    for line in content.lines().take(LOOKED_AT) {
        let line = line.map_err(|error| error.to_string())?;
        if line.trim().is_empty() {
            continue;
        }
        // A bad record is the business of whoever reads them all.
        let Ok(Json::Object(record)) = serde_json::from_str(&line) else { continue };
        for (name, value) in record {
            seen.entry(name).or_default().take(&value);
        }
    }
    if seen.is_empty() { Err("its first lines hold no JSON object".to_owned()) } else { Ok(seen) }
}
