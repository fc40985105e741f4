//! Samples of equal content under several ids: one question asked several times.
//!
//! Says how many contents there are and which rows share one. What that means for a comparison is
//! decided where clusters are chosen.

use super::content::MOST_QUARANTINED;
use crate::model::{ContentHash, ContentHashes, SampleTable};

/// Contents that stand behind several ids of a table.
#[derive(Debug, Clone)]
pub struct RepeatedContent {
    /// Distinct contents; a sample whose content is not known counts as one.
    pub contents: usize,
    /// Samples behind them.
    pub samples: usize,
    /// For each row of the table a number that rows of equal content share; 0 where it is not known.
    labels: Vec<u64>,
}

impl RepeatedContent {
    /// For each row of the table a number that rows of equal content share; 0 where it is not known.
    pub(super) fn labels(&self) -> &[u64] {
        &self.labels
    }
}

/// How much the variance of a mean may grow, were all samples of equal content to score alike, for
/// repetitions to be overlooked: the 5 % of a test become 5.2 % at most.
const MOST_WIDENED: f64 = 1.02;

/// The contents of a table where some stand behind so many ids that it matters: by documents, or by
/// prompts, whichever are fewer. `None` where nothing repeats, and where all samples have one content.
///
/// Prompts that stand with several right answers are templates around the question.
pub(super) fn repeated_content(table: &SampleTable, rows: &[u32]) -> Option<RepeatedContent> {
    let by_document = by(table, rows, |hashes| hashes.document);
    let by_prompt = by(table, rows, |hashes| hashes.prompt);
    let by_prompt = by_prompt.filter(|_| !are_templates(table, rows));
    [by_document, by_prompt].into_iter().flatten().min_by_key(|found| found.contents)
}

fn by(
    table: &SampleTable,
    rows: &[u32],
    part: fn(&ContentHashes) -> Option<ContentHash>,
) -> Option<RepeatedContent> {
    let hash = |&row: &u32| table.hashes().get(row as usize).and_then(part);
    let mut known: Vec<u64> = Vec::with_capacity(rows.len());
    known.extend(rows.iter().filter_map(hash).map(ContentHash::get));
    let unknown = rows.len() - known.len();
    known.sort_unstable();
    let (mut distinct, mut squares) = (0, 0.0);
    for equal in known.chunk_by(|a, b| a == b) {
        distinct += 1;
        squares += (equal.len() as f64).powi(2);
    }
    let widened = (squares + unknown as f64) / rows.len().max(1) as f64;
    let contents = distinct + unknown;
    if widened <= MOST_WIDENED || contents < 2 {
        return None;
    }
    let all = table.hashes().iter();
    let labels = all.map(|hashes| part(hashes).map_or(0, ContentHash::get)).collect();
    Some(RepeatedContent { contents, samples: rows.len(), labels })
}

/// Whether more prompts than a few corrections could explain stand with several targets.
fn are_templates(table: &SampleTable, rows: &[u32]) -> bool {
    let both = |&row: &u32| {
        let hashes = table.hashes().get(row as usize)?;
        hashes.prompt.zip(hashes.target)
    };
    let mut asked: Vec<(ContentHash, ContentHash)> = rows.iter().filter_map(both).collect();
    asked.sort_unstable();
    let (mut repeated, mut contradicted) = (0_u32, 0_u32);
    for same in asked.chunk_by(|a, b| a.0 == b.0) {
        let [first, .., last] = same else { continue };
        repeated += 1;
        contradicted += u32::from(first.1 != last.1);
    }
    f64::from(contradicted) > MOST_QUARANTINED * f64::from(repeated)
}
