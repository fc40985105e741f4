//! One SQL statement that counts the samples of two runs where they lie, for an engine to run.
//!
//! Knows sources, columns and dialects; opens no file and asks no engine. What comes back is read by
//! `collect`.

mod dialect;
mod scan;
mod statement;
mod sums;

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

pub use dialect::Dialect;

use crate::model::{CountedPlan, CountedSource, PlannedMetric};

/// The samples of one run, and which of their columns are what.
#[derive(Debug, Clone)]
pub struct SampleSource {
    /// What the run is called in reports.
    pub name: String,
    pub from: From,
    /// The dataset that the name of the file tells.
    pub called: Option<String>,
    pub id: SourceColumn,
    pub dataset: Option<SourceColumn>,
    pub prompt: Option<SourceColumn>,
    pub target: Option<SourceColumn>,
    pub cluster: Option<SourceColumn>,
    /// One for each metric of the plan.
    pub scores: Vec<SourceColumn>,
}

impl SampleSource {
    /// All columns that are read; one may be there twice.
    pub fn columns(&self) -> impl Iterator<Item = &SourceColumn> {
        let single = [&self.dataset, &self.prompt, &self.target, &self.cluster];
        [&self.id].into_iter().chain(single.into_iter().flatten()).chain(&self.scores)
    }
}

/// Where samples lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum From {
    /// Files or patterns, as the engine takes them.
    Parquet(Vec<String>),
    /// The same of one JSON object a line.
    Lines(Vec<String>),
    /// The parts of the name of a table.
    Table(Vec<String>),
}

/// A column of samples, and what is known of its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceColumn {
    pub name: String,
    pub holds: Holds,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Whole numbers, or text that is none of what follows.
    Plain,
    /// Numbers with a point: an id among them is written without `.0`.
    Fractions,
    Flags,
    /// Text that may spell a number, a truth value or a word for one.
    Words,
    /// A column of a table of which nothing is known.
    Unknown,
}

/// What is asked of an engine.
#[derive(Debug, Clone)]
pub struct Plan {
    pub dialect: Dialect,
    pub baseline: SampleSource,
    pub candidate: SampleSource,
    pub metrics: Vec<PlannedMetric>,
    /// The file, or the directory, that the engine writes.
    pub output: String,
}

impl Plan {
    /// The statement, with comments that say how it is run and what comes next.
    pub fn statement(&self, further: &[String]) -> String {
        let mut text = String::new();
        for line in self.dialect.how_to_run(&self.output).iter().chain(further) {
            // A name in a comment must not end it.
            let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            let _infallible = writeln!(text, "-- {line}");
        }
        text + &statement::counting(self)
    }

    /// The statement that lists the samples whose scores differ, most of them so many.
    pub fn changed(&self, most: u64) -> String {
        statement::changed(self, most)
    }

    /// What the file of the engine says of its making, as JSON, and its digest.
    pub fn written(&self) -> (String, String) {
        let source = |source: &SampleSource| CountedSource {
            name: source.name.clone(),
            from: match &source.from {
                From::Parquet(paths) | From::Lines(paths) => paths.join(" "),
                From::Table(parts) => parts.join("."),
            },
            id: source.id.name.clone(),
            dataset: source.dataset.as_ref().map(|column| column.name.clone()),
            prompt: source.prompt.as_ref().map(|column| column.name.clone()),
            target: source.target.as_ref().map(|column| column.name.clone()),
            cluster: source.cluster.as_ref().map(|column| column.name.clone()),
            scores: source.scores.iter().map(|column| column.name.clone()).collect(),
        };
        let plan = CountedPlan {
            schema: CountedPlan::SCHEMA.to_owned(),
            dialect: self.dialect.name().to_owned(),
            baseline: source(&self.baseline),
            candidate: source(&self.candidate),
            metrics: self.metrics.clone(),
        };
        let text = serde_json::to_string(&plan).unwrap_or_default();
        let hash = format!("{:x}", Sha256::digest(&text));
        (text, hash)
    }

    /// Whether scores that lie outside of the range of a metric are counted apart.
    fn has_ranges(&self) -> bool {
        self.metrics.iter().flat_map(|metric| metric.ranges).any(|range| range.is_some())
    }

    /// The column of clusters: that of the baseline, else that of the candidate.
    fn cluster_side(&self) -> Option<usize> {
        [&self.baseline, &self.candidate].iter().position(|source| source.cluster.is_some())
    }
}
