//! K answers to one problem are one observation of that problem.

use std::sync::Arc;

use super::{Column, ContentHashes, SampleRow, SampleStatus, SampleTable, SampleTableBuilder};

impl SampleTable {
    /// One row for each id with the mean of its scores, when every id has the same number of
    /// records (at least two, see [`Self::repeats`]) and they do not merely repeat each other: K
    /// answers to one problem are one observation of that problem.
    ///
    /// Records of several files, or whose content differs, are no answers to one problem.
    pub fn collapsed(&self) -> Option<Self> {
        // All ids have as many records as the first one: looking for that one spares most tables
        // the sort.
        let first = self.id_hashes.first()?;
        let single = self.id_hashes.iter().filter(|&hash| hash == first).count() < 2;
        if single || !self.parts.is_empty() {
            return None;
        }
        let mut order: Vec<(u64, u32)> =
            self.id_hashes.iter().enumerate().map(|(row, &hash)| (hash, row as u32)).collect();
        order.sort_unstable();
        let groups: Vec<&[(u64, u32)]> = order.chunk_by(|a, b| a.0 == b.0).collect();
        let k = groups.first()?.len();
        let is_one_problem =
            |group: &[(u64, u32)]| group.len() == k && self.same_id(group) && self.agrees(group);
        if k < 2 || !groups.iter().all(|group| is_one_problem(group)) {
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

    fn same_id(&self, group: &[(u64, u32)]) -> bool {
        group.windows(2).all(|pair| match pair {
            [(_, a), (_, b)] => self.id(*a as usize) == self.id(*b as usize),
            _ => true,
        })
    }

    /// Whether the content hashes of the rows agree where they are known.
    fn agrees(&self, group: &[(u64, u32)]) -> bool {
        let parts: [fn(&ContentHashes) -> u64; 3] =
            [|hashes| hashes.prompt, |hashes| hashes.target, |hashes| hashes.document];
        parts.iter().all(|part| {
            let hashes = rows(group).filter_map(|row| self.hashes.get(row));
            let mut known = hashes.map(part).filter(|hash| *hash != 0);
            known.next().is_none_or(|first| known.all(|hash| hash == first))
        })
    }

    fn means(&self, mut groups: Vec<&[(u64, u32)]>) -> Self {
        groups.sort_by_key(|group| rows(group).next());
        let k = groups.first().map_or(1, |group| group.len());
        let path = Arc::clone(&self.path);
        let mut builder = SampleTableBuilder::new(self.dataset.clone(), self.dims.clone(), path);
        let columns: Vec<usize> =
            self.columns.iter().map(|(name, _)| builder.column(name)).collect();
        let answers = || groups.iter().flat_map(|group| rows(group));
        let answers = self.columns.iter().map(|(_, column)| column.picked(answers())).collect();
        for group in groups {
            self.push_mean(group, &columns, &mut builder);
        }
        Self { answers, repeats: u32::try_from(k).unwrap_or(u32::MAX), ..builder.finish() }
    }

    /// Adds the row of one problem. A score that one of the answers lacks has no mean: the answers
    /// that are left are not a fair sample of all.
    fn push_mean(&self, group: &[(u64, u32)], columns: &[usize], builder: &mut SampleTableBuilder) {
        let mean = |column: &Column| -> Option<f64> {
            let scores: Vec<f64> = rows(group).map(|row| column.get(row)).collect::<Option<_>>()?;
            Some(scores.iter().sum::<f64>() / scores.len() as f64)
        };
        let means: Vec<Option<f64>> = self.columns.iter().map(|(_, column)| mean(column)).collect();
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
            hashes: self.hashes.get(first).copied().unwrap_or_default(),
            status,
            truncated: rows(group).any(|row| self.truncated.get(row) == Some(&true)),
            line: self.lines.get(first).copied().unwrap_or_default(),
        });
        if let Some((key, clusters)) = &self.cluster
            && let Some(&cluster) = clusters.get(first)
        {
            builder.set_cluster_hash(key, cluster);
        }
        for (mean, &column) in means.into_iter().zip(columns) {
            if let Some(mean) = mean {
                builder.score(column, mean);
            }
        }
    }
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
        let behind = collapsed.answers(scores).expect("kept");
        let behind: Vec<_> = (0..4).map(|row| behind.get(row)).collect();
        assert_eq!(behind, [Some(1.0), Some(0.0), Some(0.0), Some(0.0)]);
    }

    #[test]
    fn single_uneven_and_merely_repeated_records_are_left_alone() {
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
    }

    #[test]
    fn records_of_other_content_or_another_file_are_no_answers_to_one_problem() {
        let over = |prompts: [u64; 2]| {
            let mut builder = SampleTableBuilder::new(None, Dims::none(), Arc::from("t.jsonl"));
            let column = builder.column("accuracy");
            for (line, prompt) in (1..).zip(prompts) {
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
