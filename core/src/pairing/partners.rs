//! Which samples of the two arms are the same sample, and what proves it.
//!
//! Rows are matched by id: row by row where both tables list the same distinct ids in the same
//! order, else with a sort-merge join over id hashes (ids are compared as text before a match
//! counts). Matches are then checked by content: a few that it contradicts are set aside. Where it
//! contradicts more and pairs nearly every sample itself, ids are positions in another order, and
//! content is the key. What ids leave without a partner is paired by content too. Ids that occur
//! more than once are kept once when their records agree and set aside when they do not.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use rayon::slice::ParallelSliceMut as _;

use super::content::{MOST_QUARANTINED, PairingProof, can_be_partners, pairing_evidence};
use super::repeated::{RepeatedContent, repeated_content};
use crate::model::{Run, SampleTable};

#[derive(Debug, Clone, Default)]
pub struct PairableRows {
    /// Rows to use, in reading order: whoever walks them walks the columns from front to back.
    rows: Vec<u32>,
    /// Extra records whose id was seen before with equal scores.
    pub agreeing: u64,
    /// First row of each id whose records contradict each other.
    pub conflicting: Vec<u32>,
    /// Records set aside with them.
    pub set_aside: u64,
    /// Rows to use whose answer was cut at the length limit.
    pub truncated: u64,
    /// Contents that occur under several of the ids.
    pub repeated: Option<RepeatedContent>,
}

impl PairableRows {
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Samples that have a record, ids whose records contradict each other included.
    pub fn recorded(&self) -> u64 {
        (self.rows.len() + self.conflicting.len()) as u64
    }

    /// Ids whose records contradict each other.
    fn contradicted_ids<'a>(&self, table: &'a SampleTable) -> BTreeSet<&'a str> {
        self.conflicting.iter().map(|&row| table.id(row as usize)).collect()
    }

    /// How many of the rows to use have one of these ids.
    fn count_in(&self, table: &SampleTable, ids: &BTreeSet<&str>) -> usize {
        if ids.is_empty() {
            return 0;
        }
        self.rows.iter().filter(|&&row| ids.contains(table.id(row as usize))).count()
    }
}

#[derive(Debug, Clone)]
pub(super) struct SiftedRows<'a> {
    pub(super) table: &'a SampleTable,
    pub(super) distinct: Arc<PairableRows>,
    /// Their id hashes and rows, ordered; made when they are first asked for.
    keys: OnceLock<Vec<(u64, u32)>>,
}

impl<'a> SiftedRows<'a> {
    fn new(table: &'a SampleTable) -> Self {
        let mut found = distinct(table);
        let is_cut = |row: &&u32| table.truncated().get(**row as usize) == Some(&true);
        found.truncated = found.rows.iter().filter(is_cut).count() as u64;
        found.repeated = repeated_content(table, &found.rows);
        Self { table, distinct: Arc::new(found), keys: OnceLock::new() }
    }

    fn keys(&self) -> &[(u64, u32)] {
        self.keys.get_or_init(|| keys(self.table, self.distinct.rows.iter().copied()))
    }

    /// Whether no row was a repetition of another.
    fn is_whole(&self) -> bool {
        self.distinct.rows.len() == self.table.len()
    }
}

/// Every table of a run with its distinct samples.
pub(super) fn sift_rows(run: &Run) -> Vec<SiftedRows<'_>> {
    let tables = run.content.samples.par_iter();
    tables.map(SiftedRows::new).collect()
}

/// The rows of two tables matched with each other.
#[derive(Debug, Clone)]
pub struct PairedRows {
    /// Matched rows (baseline, candidate), in baseline reading order.
    pub pairs: Vec<(u32, u32)>,
    pub baseline: Arc<PairableRows>,
    pub candidate: Arc<PairableRows>,
    /// Samples of the baseline without partner, contradicted ones apart.
    pub baseline_only: u64,
    /// Samples of the candidate without partner, contradicted ones apart.
    pub candidate_only: u64,
    /// Ids that are set aside because their records contradict each other in at least one arm.
    pub contradicted: u64,
    /// Equal ids over different content, as rows (baseline, candidate): among the pairs where
    /// they are too many to be set aside.
    pub content_differs: Vec<(u32, u32)>,
    /// How many of them were set aside: all or none.
    pub quarantined: u64,
    /// Pairs whose ids differ and whose content is equal.
    pub by_content: u64,
    /// Equal ids with different content, if content is the key for that reason.
    pub renumbered: u64,
    /// How many matched samples agree in document but not in prompt.
    pub prompt_differs: u64,
    /// What proves that partners are the same sample.
    pub proof: PairingProof,
}

impl PairedRows {
    /// Samples of either arm that are in no pair. Equal ids over different content are two samples,
    /// each without a partner.
    pub fn unpaired(&self) -> u64 {
        self.baseline_only + self.candidate_only + self.contradicted + 2 * self.quarantined
    }
}

/// Share of the samples of the larger side that content has to pair before ids are taken for
/// positions in another order.
const NEARLY_ALL: f64 = 0.95;

/// Whether two dataset names mean the same: equal without regard to ASCII case.
pub(super) fn same_name(a: Option<&str>, b: Option<&str>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
        (None, None) => true,
        _ => false,
    }
}

pub(super) fn pair_rows(baseline: &SiftedRows<'_>, candidate: &SiftedRows<'_>) -> PairedRows {
    let (mine, theirs) = (&*baseline.distinct, &*candidate.distinct);
    let (first, second) = (baseline.table, candidate.table);
    let all = (mine.rows.clone(), theirs.rows.clone());
    let mut pairs = match_by_id(baseline, candidate);
    let mut by_content = Vec::new();
    if pairs.len() < all.0.len().min(all.1.len()) {
        let rest = (without(&all.0, &pairs, |pair| pair.0), without(&all.1, &pairs, |pair| pair.1));
        by_content = match_by_content(first, &rest.0, second, &rest.1);
    }
    let by_id = pairs.len();
    pairs.extend(&by_content);
    pairs.sort_unstable();
    let mut evidence = pairing_evidence(first, second, &pairs);
    let (mut quarantined, mut renumbered) = (Vec::new(), 0);
    if evidence.differing.len() as f64 <= MOST_QUARANTINED * pairs.len() as f64 {
        quarantined = std::mem::take(&mut evidence.differing);
        pairs.retain(|pair| quarantined.binary_search(pair).is_err());
        if !quarantined.is_empty() {
            evidence = pairing_evidence(first, second, &pairs);
        }
    } else {
        let shuffled = match_by_content(first, &all.0, second, &all.1);
        let larger = all.0.len().max(all.1.len());
        if shuffled.len() as f64 >= NEARLY_ALL * larger as f64 {
            renumbered = evidence.differing.len() as u64;
            by_content = shuffled.clone();
            pairs = shuffled;
            pairs.sort_unstable();
            evidence = pairing_evidence(first, second, &pairs);
        }
    }
    let content_is_key = renumbered > 0 || by_id == 0 && !pairs.is_empty();
    let (my_aside, their_aside) = (mine.contradicted_ids(first), theirs.contradicted_ids(second));
    let alone = |table: &SampleTable, distinct: &PairableRows, aside: &BTreeSet<&str>| {
        // Where content is the key, equal ids mean nothing.
        let facing = if content_is_key { 0 } else { distinct.count_in(table, aside) };
        let unpaired = distinct.rows.len() - pairs.len() - quarantined.len();
        unpaired.saturating_sub(facing) as u64
    };
    PairedRows {
        baseline_only: alone(first, mine, &their_aside),
        candidate_only: alone(second, theirs, &my_aside),
        contradicted: my_aside.union(&their_aside).count() as u64,
        proof: if content_is_key { PairingProof::Content } else { evidence.proof },
        quarantined: quarantined.len() as u64,
        content_differs: if quarantined.is_empty() { evidence.differing } else { quarantined },
        prompt_differs: evidence.prompt_differs,
        by_content: by_content.len() as u64,
        renumbered,
        baseline: Arc::clone(&baseline.distinct),
        candidate: Arc::clone(&candidate.distinct),
        pairs,
    }
}

/// The rows that are in no pair, in their order.
fn without(rows: &[u32], pairs: &[(u32, u32)], side: impl Fn(&(u32, u32)) -> u32) -> Vec<u32> {
    let mut paired: Vec<u32> = pairs.iter().map(side).collect();
    paired.sort_unstable();
    rows.iter().copied().filter(|row| paired.binary_search(row).is_err()).collect()
}

/// Id hashes and rows, ordered.
fn keys(table: &SampleTable, rows: impl Iterator<Item = u32>) -> Vec<(u64, u32)> {
    let hashes = table.id_hashes();
    let mut keys: Vec<(u64, u32)> =
        rows.filter_map(|row| Some((*hashes.get(row as usize)?, row))).collect();
    keys.par_sort_unstable();
    keys
}

/// One row for each id; ids whose records contradict each other are set aside.
fn distinct(table: &SampleTable) -> PairableRows {
    let all = 0..table.len() as u32;
    if ids_ascend(table) {
        return PairableRows { rows: all.collect(), ..PairableRows::default() };
    }
    let order = keys(table, all);
    let mut found =
        PairableRows { rows: Vec::with_capacity(order.len()), ..PairableRows::default() };
    for equal_hash in order.chunk_by(|a, b| a.0 == b.0) {
        if let [(_, only)] = equal_hash {
            found.rows.push(*only);
            continue;
        }
        let mut rows: Vec<u32> = equal_hash.iter().map(|&(_, row)| row).collect();
        rows.sort_by(|&a, &b| table.id(a as usize).cmp(table.id(b as usize)).then(a.cmp(&b)));
        for same_id in rows.chunk_by(|&a, &b| table.id(a as usize) == table.id(b as usize)) {
            keep_or_set_aside(table, same_id, &mut found);
        }
    }
    found.conflicting.sort_unstable();
    found.rows.sort_unstable();
    found
}

/// Whether every id comes after the one before it, shorter ones first, as numbered ids do: then
/// none repeats, and that is known without sorting.
fn ids_ascend(table: &SampleTable) -> bool {
    let length_and_id = |row| {
        let id = table.id(row);
        (id.len(), id)
    };
    (1..table.len()).all(|row| length_and_id(row - 1) < length_and_id(row))
}

fn keep_or_set_aside(table: &SampleTable, same_id: &[u32], found: &mut PairableRows) {
    let Some((&first, repeats)) = same_id.split_first() else { return };
    if repeats.iter().all(|&row| records_agree(table, first as usize, row as usize)) {
        found.rows.push(first);
        found.agreeing += repeats.len() as u64;
    } else {
        found.conflicting.push(first);
        found.set_aside += same_id.len() as u64;
    }
}

fn records_agree(table: &SampleTable, a: usize, b: usize) -> bool {
    table.hashes(a) == table.hashes(b)
        && table.columns().iter().all(|(_, column)| column.get(a) == column.get(b))
}

fn match_by_id(baseline: &SiftedRows<'_>, candidate: &SiftedRows<'_>) -> Vec<(u32, u32)> {
    if baseline.is_whole() && candidate.is_whole() && baseline.table.same_ids(candidate.table) {
        return (0..baseline.table.len() as u32).map(|row| (row, row)).collect();
    }
    merge_join(baseline.keys(), candidate.keys(), |a, b| {
        baseline.table.id(a as usize) == candidate.table.id(b as usize)
    })
}

/// Pairs rows whose document, or else prompt, is equal and occurs once on each side: which of
/// several equal ones belong together cannot be known.
fn match_by_content(
    baseline: &SampleTable,
    mine: &[u32],
    candidate: &SampleTable,
    theirs: &[u32],
) -> Vec<(u32, u32)> {
    let keyed = |table: &SampleTable, rows: &[u32]| {
        let mut rows: Vec<(u64, u32)> = rows
            .iter()
            .filter_map(|&row| {
                let hashes = table.hashes(row as usize);
                Some((hashes.document.or(hashes.prompt)?.get(), row))
            })
            .collect();
        rows.sort_unstable();
        rows.chunk_by(|a, b| a.0 == b.0)
            .filter_map(|same| if let [only] = same { Some(*only) } else { None })
            .collect::<Vec<_>>()
    };
    let agree = |a: u32, b: u32| {
        let (a, b) = (baseline.hashes(a as usize), candidate.hashes(b as usize));
        can_be_partners(a.target, b.target)
    };
    merge_join(&keyed(baseline, mine), &keyed(candidate, theirs), agree)
}

/// Matches two sequences ordered by key. Where keys repeat, the first partner that `same` accepts.
fn merge_join(
    mine: &[(u64, u32)],
    theirs: &[(u64, u32)],
    same: impl Fn(u32, u32) -> bool,
) -> Vec<(u32, u32)> {
    let mut pairs = Vec::with_capacity(mine.len().min(theirs.len()));
    let mut start = 0;
    for &(key, row) in mine {
        while theirs.get(start).is_some_and(|&(other, _)| other < key) {
            start += 1;
        }
        let partner = theirs[start.min(theirs.len())..]
            .iter()
            .take_while(|&&(other, _)| other == key)
            .find(|&&(_, other_row)| same(row, other_row));
        if let Some(&(_, other_row)) = partner {
            pairs.push((row, other_row));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        ContentHash, ContentHashes, Dims, SampleRow, SampleStatus, SampleTableBuilder,
    };

    fn table(rows: &[(&str, u64, f64)]) -> SampleTable {
        let mut builder = SampleTableBuilder::new(None, Dims::none(), Arc::from("t.jsonl"));
        let column = builder.column("accuracy");
        for (line, &(id, document, score)) in (1..).zip(rows) {
            let document = ContentHash::new(document);
            let hashes = ContentHashes { document, ..ContentHashes::default() };
            let status = SampleStatus::Scored;
            builder.push(SampleRow { id, hashes, status, truncated: false, line });
            builder.score(column, score);
        }
        builder.finish()
    }

    fn check(mine: &[(&str, u64, f64)], theirs: &[(&str, u64, f64)], expected: &str) {
        let (mine, theirs) = (table(mine), table(theirs));
        let join = pair_rows(&SiftedRows::new(&mine), &SiftedRows::new(&theirs));
        let pairs: Vec<String> = join
            .pairs
            .iter()
            .map(|&(a, b)| format!("{}={}", mine.id(a as usize), theirs.id(b as usize)))
            .collect();
        let found = format!(
            "{} | only {}/{} | differs {} | {}",
            pairs.join(" "),
            join.baseline_only,
            join.candidate_only,
            join.content_differs.len(),
            join.proof.name()
        );
        assert_eq!(found, expected);
    }

    #[test]
    fn order_of_records_does_not_matter() {
        check(
            &[("a", 1, 0.0), ("b", 2, 1.0), ("c", 3, 1.0)],
            &[("c", 3, 1.0), ("a", 1, 0.0), ("d", 4, 1.0)],
            "a=a c=c | only 1/1 | differs 0 | document-hash",
        );
    }

    #[test]
    fn numbered_ids_in_one_order_are_paired_row_by_row_but_never_with_a_repetition() {
        check(
            &[("q9", 1, 0.0), ("q10", 2, 1.0)],
            &[("q9", 1, 0.0), ("q10", 2, 1.0)],
            "q9=q9 q10=q10 | only 0/0 | differs 0 | document-hash",
        );
        check(
            &[("a", 1, 0.0), ("a", 1, 0.0), ("b", 2, 1.0)],
            &[("a", 1, 0.0), ("a", 1, 0.0), ("b", 2, 1.0)],
            "a=a b=b | only 0/0 | differs 0 | document-hash",
        );
        check(
            &[("1", 1, 0.0), ("23", 2, 1.0)],
            &[("12", 1, 0.0), ("3", 2, 1.0)],
            "1=12 23=3 | only 0/0 | differs 0 | content",
        );
    }

    #[test]
    fn equal_ids_over_different_documents_are_counted() {
        check(
            &[("0", 1, 0.0), ("1", 2, 1.0)],
            &[("0", 8, 0.0), ("1", 9, 1.0)],
            "0=0 1=1 | only 0/0 | differs 2 | id-only",
        );
    }

    #[test]
    fn different_ids_over_equal_documents_are_paired_by_content() {
        check(
            &[("x1", 1, 0.0), ("x2", 2, 1.0)],
            &[("y2", 2, 0.0), ("y1", 1, 1.0)],
            "x1=y1 x2=y2 | only 0/0 | differs 0 | content",
        );
    }

    #[test]
    fn agreeing_duplicates_count_once_and_conflicting_ones_are_set_aside() {
        let mine = table(&[("a", 0, 1.0), ("a", 0, 1.0), ("b", 0, 1.0), ("b", 0, 0.0)]);
        let found = distinct(&mine);
        assert_eq!(found.rows(), [0]);
        assert_eq!((found.agreeing, found.set_aside), (1, 2));
        assert_eq!(found.conflicting, [2]);
    }

    #[test]
    fn ids_without_content_are_paired_but_not_proven() {
        check(&[("a", 0, 1.0)], &[("a", 0, 0.0)], "a=a | only 0/0 | differs 0 | id-only");
    }
}
