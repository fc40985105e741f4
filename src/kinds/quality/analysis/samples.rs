//! Outcomes of samples: how many were right, and how the others ended.

use super::{QualityDistribution, QualityRate};
use crate::model::logs::Values;
use crate::model::{Ending, SampleStatus, SampleTable};

/// How the answers of one table of samples ended.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleOutcomes {
    /// Dataset and coordinates, as far as they are known.
    pub name: String,
    pub path: String,
    pub n: u64,
    /// Samples that the producer marks as failed for other reasons than the answer.
    pub errored: u64,
    /// Samples that were not judged because something beside the answer failed.
    pub unjudged: u64,
    pub unscored: u64,
    /// Answers that stopped at the length limit.
    pub truncated: u64,
    /// Ways in which answers failed, the most frequent first, each with the line of the first.
    pub endings: Vec<(&'static str, u64, u64)>,
    /// Every metric that is a score.
    pub metrics: Vec<(String, MetricOutcome)>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum MetricOutcome {
    Right(QualityRate),
    /// Scores in between.
    Scores(QualityDistribution),
}

pub(super) fn quality_outcomes(table: &SampleTable) -> SampleOutcomes {
    let n = table.len() as u64;
    let with =
        |status: SampleStatus| table.statuses().iter().filter(|own| **own == status).count() as u64;
    let scored = table.columns().iter().filter(|(name, _)| !table.is_derived(name));
    let metrics = scored.filter_map(|(name, column)| {
        let mut values = Values::default();
        let scores = (0..table.len()).filter_map(|row| column.get(row));
        scores.for_each(|score| values.add(score));
        let outcome = if column.is_binary() {
            let right = values.iter().filter(|(value, _)| *value == 1.0).map(|(_, count)| count);
            MetricOutcome::Right(QualityRate::new(right.sum(), values.n())?)
        } else {
            MetricOutcome::Scores(QualityDistribution::new(&values)?)
        };
        Some((name.clone(), outcome))
    });
    let dims = table.dims.to_string();
    let parts = [table.dataset.clone().unwrap_or_default(), dims];
    let name: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    SampleOutcomes {
        name: name.join(" "),
        path: table.path.to_string(),
        n,
        errored: with(SampleStatus::Errored),
        unjudged: (0..table.len())
            .filter(|row| {
                table.ending(*row) == Ending::Infrastructure
                    || table.statuses().get(*row) == Some(&SampleStatus::Errored)
            })
            .count() as u64,
        unscored: with(SampleStatus::Unscored),
        truncated: table.truncated().iter().filter(|cut| **cut).count() as u64,
        endings: endings(table),
        metrics: metrics.collect(),
    }
}

fn endings(table: &SampleTable) -> Vec<(&'static str, u64, u64)> {
    let kinds = [
        (Ending::NoAnswer, "no-answer"),
        (Ending::Syntax, "syntax-error"),
        (Ending::Runtime, "runtime-error"),
        (Ending::Timeout, "timeout"),
        (Ending::Execution, "execution-error"),
        (Ending::Other, "other"),
        (Ending::Unknown, "unknown"),
        (Ending::Infrastructure, "infrastructure"),
    ];
    let counted = kinds.into_iter().filter_map(|(ending, name)| {
        let mut rows = (0..table.len()).filter(|row| table.ending(*row) == ending);
        let first = rows.next()?;
        let line = table.lines().get(first).copied().unwrap_or(0);
        Some((name, 1 + rows.count() as u64, u64::from(line)))
    });
    let mut counted: Vec<_> = counted.collect();
    counted.sort_by_key(|(_, count, _)| std::cmp::Reverse(*count));
    counted
}
