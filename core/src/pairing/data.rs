//! Data files of both arms set against each other: which belong together, which records they share.

use crate::model::{DataContent, DataFile, DataRole, IdKey, RowKeys};

/// A data file of the baseline and the one that the candidate used in its place.
#[derive(Debug)]
pub struct DataPair<'a> {
    pub baseline: &'a DataFile,
    pub candidate: &'a DataFile,
    /// The records that they share; `None` unless both were read and have records.
    pub join: Option<DataPairJoin>,
}

/// Records of two files, matched by content. A record that a file has twice counts twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataPairJoin {
    pub shared: u64,
    pub baseline_only: u64,
    pub candidate_only: u64,
    /// Positions of the first records of each file that the other lacks.
    pub first: [Vec<u32>; 2],
    /// The same by id; `None` where a file has no ids.
    pub ids: Option<IdJoin>,
    /// Whether one of the files was not read to its end, so that records may be shared that were
    /// not seen.
    pub partial: bool,
}

impl DataPairJoin {
    /// Whether both files have the same records.
    pub fn same_rows(&self) -> bool {
        self.baseline_only == 0 && self.candidate_only == 0 && !self.partial
    }
}

/// Different ids of two files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdJoin {
    pub shared: u64,
    pub baseline_only: u64,
    pub candidate_only: u64,
    /// Shared ids under which the files have different records.
    pub changed: u64,
}

/// How many records that only one file has are kept as examples.
const EXAMPLES: usize = 3;

/// Corresponding data files of two arms: named by the same key, else the only ones left for their
/// use. Of several under one key equal files belong together, then files
/// of one name, then those in the same position.
pub(super) fn pair_data_files<'a>(
    [baseline, candidate]: [Vec<&'a DataFile>; 2],
) -> Vec<DataPair<'a>> {
    let mut left = candidate;
    let mut matched: Vec<Option<&'a DataFile>> = vec![None; baseline.len()];
    let likeness: [fn(&DataFile, &DataFile) -> bool; 3] = [
        |mine, theirs| mine.key == theirs.key && same_bytes(mine, theirs),
        |mine, theirs| mine.key == theirs.key && mine.name() == theirs.name(),
        |mine, theirs| mine.key == theirs.key,
    ];
    for is_like in likeness {
        for (mine, partner) in baseline.iter().zip(&mut matched) {
            if partner.is_none()
                && let Some(at) = left.iter().position(|theirs| is_like(mine, theirs))
            {
                *partner = Some(left.remove(at));
            }
        }
    }
    for role in [DataRole::Train, DataRole::Eval] {
        let mine: Vec<usize> = (0..matched.len())
            .filter(|&at| matched[at].is_none() && baseline[at].role == role)
            .collect();
        let theirs: Vec<&'a DataFile> =
            left.iter().copied().filter(|file| file.role == role).collect();
        if let ([mine], [theirs]) = (mine.as_slice(), theirs.as_slice()) {
            matched[*mine] = Some(*theirs);
        }
    }
    let both = baseline.into_iter().zip(matched);
    both.filter_map(|(baseline, candidate)| {
        let candidate = candidate?;
        Some(DataPair { baseline, candidate, join: join(baseline, candidate) })
    })
    .collect()
}

fn same_bytes(mine: &DataFile, theirs: &DataFile) -> bool {
    let both = mine.content.as_ref().zip(theirs.content.as_ref());
    both.is_some_and(|(mine, theirs)| mine.sha256 == theirs.sha256)
}

fn join(mine: &DataFile, theirs: &DataFile) -> Option<DataPairJoin> {
    let readable = |file: &'_ DataFile| {
        file.content.as_ref().is_some_and(|one| one.rows_read > 0 && !one.keys.rows.is_empty())
    };
    if !readable(mine) || !readable(theirs) {
        return None;
    }
    Some(join_contents(mine.content.as_ref()?, theirs.content.as_ref()?))
}

fn join_contents(mine: &DataContent, theirs: &DataContent) -> DataPairJoin {
    let (a, b) = (sorted(&mine.keys), sorted(&theirs.keys));
    let mut shared = 0;
    let mut only: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    loop {
        match (a.peek(), b.peek()) {
            (None, None) => break,
            (Some(x), Some(y)) if x.0 == y.0 => {
                shared += 1;
                a.next();
                b.next();
            }
            (Some(x), y) if y.is_none_or(|y| x.0 < y.0) => {
                only[0].push(x.1);
                a.next();
            }
            _ => only[1].extend(b.next().map(|(_, at)| at)),
        }
    }
    let counts = [only[0].len() as u64, only[1].len() as u64];
    let first = only.map(|mut positions| {
        positions.sort_unstable();
        positions.truncate(EXAMPLES);
        positions
    });
    DataPairJoin {
        shared,
        baseline_only: counts[0],
        candidate_only: counts[1],
        first,
        ids: join_ids(&mine.keys, &theirs.keys),
        partial: mine.partial || theirs.partial,
    }
}

/// Hashes of records and their positions, by hash.
fn sorted(keys: &RowKeys) -> Vec<(u64, u32)> {
    let mut rows: Vec<(u64, u32)> = keys.rows.iter().map(|row| row.row).zip(0..).collect();
    rows.sort_unstable();
    rows
}

fn join_ids(mine: &RowKeys, theirs: &RowKeys) -> Option<IdJoin> {
    let of = |keys: &RowKeys| {
        let known = keys.rows.iter().filter(|row| row.id.is_known());
        let mut ids: Vec<(IdKey, u64)> = known.map(|row| (row.id, row.row)).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    };
    let (mine, theirs) = (of(mine), of(theirs));
    if mine.is_empty() || theirs.is_empty() {
        return None;
    }
    let groups = |ids: &[(IdKey, u64)]| -> Vec<(IdKey, Vec<u64>)> {
        let of_one = ids.chunk_by(|(a, _), (b, _)| a == b);
        of_one
            .filter_map(|same| Some((same.first()?.0, same.iter().map(|(_, row)| *row).collect())))
            .collect()
    };
    let (mine, theirs) = (groups(&mine), groups(&theirs));
    let mut found = IdJoin { shared: 0, baseline_only: 0, candidate_only: 0, changed: 0 };
    for (id, rows) in &mine {
        match theirs.binary_search_by(|(other, _)| other.cmp(id)) {
            Ok(at) => {
                found.shared += 1;
                found.changed += u64::from(theirs[at].1 != *rows);
            }
            Err(_) => found.baseline_only += 1,
        }
    }
    found.candidate_only = theirs.len() as u64 - found.shared;
    Some(found)
}
