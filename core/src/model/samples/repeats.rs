//! K answers to one problem are one observation of that problem.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::retried;
use super::{
    Column, ContentHash, ContentHashes, SampleRow, SampleStatus, SampleTable, SampleTableBuilder,
};
use crate::model::packed;

/// What is known of the answers behind the rows of a collapsed table.
///
/// Invariant: one count for each row, one entry of `columns` for each score column of the answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answers {
    #[serde(with = "packed")]
    counts: Vec<u32>,
    columns: Vec<(String, WithinProblems)>,
    /// Every score of every answer, columns in the same order.
    scores: Vec<Column>,
}

/// The scores of one metric within problems.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct WithinProblems {
    /// Whether every score of an answer is 0 or 1.
    pub binary: bool,
    /// Sum over problems of the variance of their answers' scores (divisor n − 1).
    #[serde(with = "packed::number")]
    pub variances: f64,
    /// Problems that entered that sum: those with a mean of at least two answers.
    pub problems: u64,
    /// Problems without a mean although some of their answers have a score.
    pub partial: u64,
    /// Row of the first of these.
    pub first_partial: usize,
    /// Whether problems were answered again because of the score of their first answer.
    pub retried: bool,
}

impl SampleTable {
    /// Gives a metric another name, unless one of that name is there.
    pub fn rename(&mut self, from: &str, to: &str) {
        if self.column(to).is_some() {
            return;
        }
        let answers = self.answers.iter_mut().flat_map(|answers| &mut answers.columns);
        let names = self.columns.iter_mut().map(|(name, _)| name);
        let names = names.chain(answers.map(|(name, _)| name));
        names.filter(|name| *name == from).for_each(|name| to.clone_into(name));
    }
}

impl Answers {
    /// Number of answers to each problem, by row.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Fewest and most answers that a problem has.
    pub fn range(&self) -> (u32, u32) {
        let counts = self.counts.iter().copied();
        (counts.clone().min().unwrap_or(1), counts.max().unwrap_or(1))
    }

    /// The first metric by whose scores problems were answered again.
    pub fn retried_by(&self) -> Option<&str> {
        self.columns.iter().find(|(_, within)| within.retried).map(|(name, _)| name.as_str())
    }

    /// Whether there are counts for so many rows, and the scores of each column.
    pub(super) fn fits(&self, rows: usize, columns: &[(String, Column)]) -> bool {
        let answers: u64 = self.counts.iter().map(|&count| u64::from(count)).sum();
        self.counts.len() == rows
            && self.scores.len() <= columns.len()
            && self.scores.iter().all(|scores| scores.len() as u64 == answers)
    }

    /// What is known within problems, by metric.
    pub fn columns(&self) -> &[(String, WithinProblems)] {
        &self.columns
    }
}

impl SampleTable {
    /// Most answers that a problem has; 1 unless several were collapsed.
    pub fn repeats(&self) -> u32 {
        self.answers.as_ref().map_or(1, |answers| answers.range().1)
    }

    /// The scores that a column of this table averages, row after row, as many for each as
    /// [`Answers::counts`] says; `None` unless the table was collapsed and the column is its own.
    pub fn answers_behind(&self, column: &Column) -> Option<&Column> {
        let position = self.columns.iter().position(|(_, own)| std::ptr::eq(own, column))?;
        self.answers.as_ref()?.scores.get(position)
    }

    /// One row for each id with the mean of its scores, when more than half of the ids have several
    /// records and these do not merely repeat each other: K answers to one problem are one
    /// observation of that problem. Where most ids have one record, the others are taken for
    /// repetitions and left to the grouping.
    ///
    /// Records of several files, or whose content differs, are no answers to one problem.
    pub fn collapsed(&self) -> Option<Self> {
        if !self.parts.is_empty() || !self.may_hold_answers() {
            return None;
        }
        let mut order: Vec<(u64, u32)> =
            self.id_hashes().iter().enumerate().map(|(row, &hash)| (hash, row as u32)).collect();
        order.sort_unstable();
        let groups: Vec<&[(u64, u32)]> = order.chunk_by(|a, b| a.0 == b.0).collect();
        let several = groups.iter().filter(|group| group.len() > 1).count();
        let is_one_problem = |group: &[(u64, u32)]| self.same_id(group) && self.agrees(group);
        if 2 * several <= groups.len() || !groups.iter().all(|group| is_one_problem(group)) {
            return None;
        }
        let repeats_only = self.columns.iter().all(|(_, column)| {
            groups.iter().all(|group| {
                let mut scores = group.iter().map(|&(_, row)| column.get(row as usize));
                let first = scores.next().flatten();
                scores.all(|score| score == first)
            })
        });
        (!repeats_only).then(|| self.means(groups))
    }

    /// Whether more than a third of the rows may repeat an id, as they do where most ids have
    /// several records. Spares other tables the sort: one bit in eight may be taken by another id,
    /// so it says yes too often and never wrongly no.
    fn may_hold_answers(&self) -> bool {
        const WORD: usize = u64::BITS as usize;
        let bits = (8 * self.len()).next_power_of_two().max(WORD);
        let mut seen = vec![0_u64; bits / WORD];
        let mut again = 0;
        for &hash in self.id_hashes() {
            let bit = hash as usize % bits;
            if let Some(word) = seen.get_mut(bit / WORD) {
                let mask = 1 << (bit % WORD);
                again += usize::from(*word & mask != 0);
                *word |= mask;
            }
        }
        3 * again > self.len()
    }

    fn same_id(&self, group: &[(u64, u32)]) -> bool {
        group.windows(2).all(|pair| match pair {
            [(_, a), (_, b)] => self.id(*a as usize) == self.id(*b as usize),
            _ => true,
        })
    }

    /// Whether the content hashes of the rows agree where they are known.
    fn agrees(&self, group: &[(u64, u32)]) -> bool {
        let parts: [fn(&ContentHashes) -> Option<ContentHash>; 3] =
            [|hashes| hashes.prompt, |hashes| hashes.target, |hashes| hashes.document];
        parts.iter().all(|part| {
            let hashes = rows(group).map(|row| self.hashes.get(row));
            let mut known = hashes.filter_map(|hashes| part(&hashes));
            known.next().is_none_or(|first| known.all(|hash| hash == first))
        })
    }

    fn means(&self, mut groups: Vec<&[(u64, u32)]>) -> Self {
        groups.sort_by_key(|group| rows(group).next());
        let path = Arc::clone(&self.path);
        let mut builder = SampleTableBuilder::new(self.dataset.clone(), self.dims.clone(), path);
        let places: Vec<usize> =
            self.columns.iter().map(|(name, _)| builder.column(name)).collect();
        let mut within: Vec<WithinProblems> = self
            .columns
            .iter()
            .map(|(_, column)| WithinProblems {
                binary: column.is_binary(),
                retried: retried::is_retried(column, groups.iter().map(|group| rows(group))),
                ..Default::default()
            })
            .collect();
        for group in &groups {
            let row = builder.table.len();
            let means: Vec<Option<f64>> = self
                .columns
                .iter()
                .zip(&mut within)
                .map(|((_, column), within)| mean(column, group, row, within))
                .collect();
            self.push_problem(group, &means, &places, &mut builder);
        }
        let answers = || groups.iter().flat_map(|group| rows(group));
        let scores = self.columns.iter().map(|(_, column)| column.picked(answers())).collect();
        let counts = groups.iter().map(|group| u32::try_from(group.len()).unwrap_or(u32::MAX));
        let names = self.columns.iter().map(|(name, _)| name.clone());
        let columns = names.zip(within).collect();
        let answers = Answers { counts: counts.collect(), columns, scores };
        let derived = self.derived.clone();
        let constants = self.constants.clone();
        Self { answers: Some(answers), derived, constants, ..builder.finish() }
    }

    fn push_problem(
        &self,
        group: &[(u64, u32)],
        means: &[Option<f64>],
        places: &[usize],
        builder: &mut SampleTableBuilder,
    ) {
        let is_errored = |row| self.statuses.get(row) == Some(&SampleStatus::Errored);
        let status = if rows(group).any(is_errored) {
            SampleStatus::Errored
        } else if means.iter().any(Option::is_some) {
            SampleStatus::Scored
        } else {
            SampleStatus::Unscored
        };
        let first = rows(group).next().unwrap_or(0);
        builder.push(SampleRow {
            id: self.id(first),
            hashes: self.hashes.get(first),
            status,
            truncated: rows(group).any(|row| self.truncated.get(row) == Some(&true)),
            line: self.lines.get(first).copied().unwrap_or_default(),
        });
        let ending = self.ending(first);
        if rows(group).all(|row| self.ending(row) == ending) {
            builder.set_ending(ending, None);
        }
        builder.set_alike(self.alike(first));
        builder.set_question(self.question(first));
        builder.set_options(self.options(first));
        builder.note_guessed_target(self.guesses_targets());
        builder.set_unanswered(rows(group).any(|row| self.is_unanswered(row)));
        for (field, clusters) in &self.clusters {
            if let Some(cluster) =
                rows(group).filter_map(|row| clusters.get(row)).find(|&&c| c != 0)
            {
                builder.set_cluster(field, *cluster);
            }
        }
        for (field, values) in &self.shared {
            if let Some(value) = rows(group).filter_map(|row| values.get(row)).find(|&&v| v != 0) {
                let column = builder.shared_column(field);
                builder.set_shared(column, *value);
            }
        }
        for (mean, &place) in means.iter().zip(places) {
            if let Some(mean) = *mean {
                builder.score(place, mean);
            }
        }
    }
}

/// The mean of a problem's answers, noting what lies within. A score that one of the answers lacks
/// has no mean: the answers that are left are not a fair sample of all.
fn mean(
    column: &Column,
    group: &[(u64, u32)],
    row: usize,
    within: &mut WithinProblems,
) -> Option<f64> {
    let scores: Vec<f64> = rows(group).filter_map(|row| column.get(row)).collect();
    if scores.len() < group.len() {
        if !scores.is_empty() {
            if within.partial == 0 {
                within.first_partial = row;
            }
            within.partial += 1;
        }
        return None;
    }
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    if scores.len() > 1 {
        let squares: f64 = scores.iter().map(|score| (score - mean) * (score - mean)).sum();
        within.variances += squares / (n - 1.0);
        within.problems += 1;
    }
    Some(mean)
}

/// The rows of a group, in reading order.
fn rows(group: &[(u64, u32)]) -> impl Iterator<Item = usize> {
    group.iter().map(|&(_, row)| row as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Dims;

    fn table(rows: &[(&str, f64)]) -> SampleTable {
        let mut builder = SampleTableBuilder::new(None, Dims::none(), Arc::from("t.jsonl"));
        let column = builder.column("accuracy");
        for (line, &(id, score)) in (1..).zip(rows) {
            let hashes = ContentHashes::default();
            let status = SampleStatus::Scored;
            builder.push(SampleRow { id, hashes, status, truncated: false, line });
            builder.score(column, score);
        }
        builder.finish()
    }

    #[test]
    fn k_answers_to_each_problem_become_their_mean_in_reading_order() {
        let answers = table(&[("b", 1.0), ("a", 0.0), ("b", 0.0), ("a", 0.0)]);
        let collapsed = answers.collapsed().expect("two answers each");
        assert_eq!((collapsed.len(), collapsed.repeats(), answers.repeats()), (2, 2, 1));
        assert_eq!((collapsed.id(0), collapsed.id(1)), ("b", "a"));
        let scores = collapsed.column("accuracy").expect("column");
        assert_eq!((scores.get(0), scores.get(1)), (Some(0.5), Some(0.0)));
        let behind = collapsed.answers_behind(scores).expect("kept");
        let behind: Vec<_> = (0..4).map(|row| behind.get(row)).collect();
        assert_eq!(behind, [Some(1.0), Some(0.0), Some(0.0), Some(0.0)]);
    }

    /// By hand: the variance of 1, 0, 0 is 1/3, of 1, 1 it is 0.
    #[test]
    fn uneven_answers_are_averaged_as_they_are_and_their_spread_is_kept() {
        let answers =
            table(&[("a", 1.0), ("b", 1.0), ("a", 0.0), ("b", 1.0), ("a", 0.0), ("c", 1.0)]);
        let collapsed = answers.collapsed().expect("most ids have several answers");
        let scores = collapsed.column("accuracy").expect("column");
        assert_eq!(
            [scores.get(0), scores.get(1), scores.get(2)].map(|s| s.map(|s| 3.0 * s)),
            [Some(1.0), Some(3.0), Some(3.0)]
        );
        let known = collapsed.answers().expect("collapsed");
        assert_eq!((known.counts(), known.range()), (&[3, 2, 1][..], (1, 3)));
        let (_, within) = known.columns()[0];
        assert!((within.variances - 1.0 / 3.0).abs() < 1e-15, "{within:?}");
        assert_eq!((within.binary, within.problems, within.partial), (true, 2, 0));
    }

    #[test]
    fn single_and_merely_repeated_records_and_a_few_repetitions_are_left_alone() {
        for rows in [
            &[("a", 1.0), ("b", 0.0)][..],
            &[("a", 1.0), ("a", 0.0), ("b", 0.0)],
            &[("a", 1.0), ("a", 1.0), ("b", 0.0), ("b", 0.0)],
            &[],
        ] {
            assert!(table(rows).collapsed().is_none(), "{rows:?}");
        }
    }

    #[test]
    fn a_problem_of_which_one_answer_has_no_score_has_none() {
        let mut builder = SampleTableBuilder::new(None, Dims::none(), Arc::from("t.jsonl"));
        let column = builder.column("accuracy");
        for (line, (id, score, status, truncated)) in (1..).zip([
            ("a", Some(1.0), SampleStatus::Scored, false),
            ("a", None, SampleStatus::Errored, false),
            ("b", Some(1.0), SampleStatus::Scored, true),
            ("b", Some(0.0), SampleStatus::Scored, false),
            ("c", Some(1.0), SampleStatus::Scored, false),
            ("c", None, SampleStatus::Unscored, false),
        ]) {
            let hashes = ContentHashes::default();
            builder.push(SampleRow { id, hashes, status, truncated, line });
            if let Some(score) = score {
                builder.score(column, score);
            }
        }
        let collapsed = builder.finish().collapsed().expect("two answers each");
        let scores = collapsed.column("accuracy").expect("column");
        assert_eq!([scores.get(0), scores.get(1), scores.get(2)], [None, Some(0.5), None]);
        let statuses = [SampleStatus::Errored, SampleStatus::Scored, SampleStatus::Unscored];
        assert_eq!(collapsed.statuses(), statuses);
        assert_eq!(collapsed.truncated(), [false, true, false]);
        let (_, within) = collapsed.answers().expect("collapsed").columns()[0];
        assert_eq!((within.partial, within.first_partial), (2, 0));
    }

    #[test]
    fn records_of_other_content_or_another_file_are_no_answers_to_one_problem() {
        let over = |prompts: [u64; 2]| {
            let mut builder = SampleTableBuilder::new(None, Dims::none(), Arc::from("t.jsonl"));
            let column = builder.column("accuracy");
            for (line, prompt) in (1..).zip(prompts) {
                let prompt = ContentHash::new(prompt);
                let hashes = ContentHashes { prompt, ..ContentHashes::default() };
                let status = SampleStatus::Scored;
                builder.push(SampleRow { id: "a", hashes, status, truncated: false, line });
                builder.score(column, f64::from(line - 1));
            }
            builder.finish()
        };
        assert!(over([7, 7]).collapsed().is_some());
        assert!(over([7, 0]).collapsed().is_some(), "nothing is known of the second");
        assert!(over([7, 8]).collapsed().is_none());
        let mut two_files = table(&[("a", 1.0)]);
        let other = Arc::from("u.jsonl");
        two_files.extend(SampleTable { path: other, ..table(&[("a", 0.0)]) });
        assert!(two_files.collapsed().is_none());
    }
}
