//! Samples of equal content under several ids: one question asked several times.
//!
//! Says how many contents there are and which rows share one. What that means for a comparison is
//! decided where clusters are chosen.

use super::content::MOST_QUARANTINED;
use crate::model::{ContentHash, SampleTable};

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
/// prompts, with or without regard to case and white space, whichever are fewer. `None` where nothing
/// repeats, and where all samples have one content.
///
/// Prompts that stand with several right answers are templates around the question.
pub(super) fn repeated_content(table: &SampleTable, rows: &[u32]) -> Option<RepeatedContent> {
    let (by_document, by_prompt) =
        rayon::join(|| by(table, rows, document), || by(table, rows, prompt));
    let by_prompt = by_prompt.filter(|_| !are_templates(table, rows, prompt, target));
    let by_alike = table.has_alike().then(|| by(table, rows, SampleTable::alike)).flatten();
    let by_alike = by_alike.filter(|_| !are_templates(table, rows, SampleTable::alike, target));
    let all = [by_document, by_prompt, by_alike];
    all.into_iter().flatten().min_by_key(|found| found.contents)
}

/// A part of the content of a row, by its hash.
pub(super) type Part = fn(&SampleTable, usize) -> Option<ContentHash>;

pub(super) fn document(table: &SampleTable, row: usize) -> Option<ContentHash> {
    table.hashes(row).document
}

pub(super) fn prompt(table: &SampleTable, row: usize) -> Option<ContentHash> {
    table.hashes(row).prompt
}

pub(super) fn target(table: &SampleTable, row: usize) -> Option<ContentHash> {
    table.hashes(row).target
}

fn by(table: &SampleTable, rows: &[u32], part: Part) -> Option<RepeatedContent> {
    let hash = |&row: &u32| part(table, row as usize);
    let known: Vec<u64> = rows.iter().filter_map(hash).map(ContentHash::get).collect();
    let mut shared = shared_with_others(&known);
    let (unknown, unshared) = (rows.len() - known.len(), known.len() - shared.len());
    shared.sort_unstable();
    let (mut distinct, mut squares) = (unshared, unshared as f64);
    for equal in shared.chunk_by(|a, b| a == b) {
        distinct += 1;
        squares += (equal.len() as f64).powi(2);
    }
    let widened = (squares + unknown as f64) / rows.len().max(1) as f64;
    let contents = distinct + unknown;
    if widened <= MOST_WIDENED || contents < 2 {
        return None;
    }
    let all = 0..table.len();
    let labels = all.map(|row| part(table, row).map_or(0, ContentHash::get)).collect();
    Some(RepeatedContent { contents, samples: rows.len(), labels })
}

/// The numbers that occur more than once, each as often as it does, and some few others: those that
/// have a bit to themselves are left out, so that only what is left has to be sorted.
pub(super) fn shared_with_others(numbers: &[u64]) -> Vec<u64> {
    let words = (numbers.len() / 8).next_power_of_two();
    // Bits that some number has, and bits that a further one has too: beside each other, since each
    // number asks for both.
    let mut taken = vec![[0_u64; 2]; words];
    let place = |number: u64| (number as usize / 64 % words, 1_u64 << (number % 64));
    for &number in numbers {
        let (word, bit) = place(number);
        let [once, again] = &mut taken[word];
        *again |= *once & bit;
        *once |= bit;
    }
    let is_shared = |number: &u64| {
        let (word, bit) = place(*number);
        taken[word][1] & bit != 0
    };
    numbers.iter().copied().filter(is_shared).collect()
}

/// Whether more prompts than a few corrections could explain stand with several of what they are asked
/// about.
pub(super) fn are_templates(table: &SampleTable, rows: &[u32], part: Part, about: Part) -> bool {
    let both = |&row: &u32| part(table, row as usize).zip(about(table, row as usize));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_that_occurs_again_is_found_as_often_as_it_occurs() {
        // Multiples of an odd number are spread over all bits.
        let spread = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for (distinct, repeated) in [(0, 0), (1, 1), (1_000, 0), (1_000, 30), (5, 5)] {
            let numbers = (0..distinct).chain(0..repeated).chain(0..repeated).map(spread);
            let numbers: Vec<u64> = numbers.collect();
            let found = shared_with_others(&numbers);
            for again in (0..repeated).map(spread) {
                assert_eq!(found.iter().filter(|number| **number == again).count(), 3);
            }
            let others = found.len() - 3 * repeated as usize;
            assert!(others <= distinct as usize / 4, "{others} of {distinct}");
        }
    }
}
