//! Files that hold an earlier version, or a part, of what another file of the run holds:
//! `results_old.jsonl`, `failures.jsonl`, records drawn for reading, directories named after the time of
//! a rerun.

use std::collections::BTreeSet;

use super::readers::{CONFIG, LM_EVAL};
use super::{Piece, directory_of, plain_stem};
use crate::diag::{Code, Diagnostic, Location};
use crate::model::{Fragment, SampleTable, Scalar};

/// Words behind the name of the file that replaced this one.
const OLDER: &[&str] = &["backup", "bak", "old", "orig", "prev", "previous"];
/// Words for a file of some of the samples, chosen by their outcome.
const CHOSEN: &[&str] =
    &["error", "errors", "failed", "failure", "failures", "incorrect", "mistakes", "wrong"];

/// Takes such files out of the pieces, and reports each. Of directories named after times the newest
/// counts, where it repeats all that an older one holds.
pub(super) fn set_aside(pieces: &mut Vec<Piece>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut dropped = BTreeSet::new();
    for piece in pieces.iter() {
        let kept = newer(piece, pieces).or_else(|| whole(piece, pieces));
        if let Some(kept) = kept.or_else(|| figures_of_all(piece, pieces)) {
            dropped.insert(piece.position);
            findings.push(
                Diagnostic::new(Code::VersionSetAside)
                    .with("path", piece.relative.as_str())
                    .with("kept", kept.relative.as_str())
                    .at(Location::file(&*piece.display)),
            );
        }
    }
    if dropped.is_empty() {
        return findings;
    }
    let is_dropped = |piece: &&Piece| dropped.contains(&piece.position);
    let dropped_in = pieces.iter().filter(is_dropped).map(|piece| directory_of(&piece.relative));
    let mut left: BTreeSet<String> = dropped_in.map(str::to_owned).collect();
    for piece in pieces.iter().filter(|piece| !is_dropped(piece) && piece.reader != CONFIG) {
        left.remove(directory_of(&piece.relative));
    }
    // A configuration goes with the results that it lies beside.
    pieces.retain(|piece| {
        let is_left = piece.reader == CONFIG && left.contains(directory_of(&piece.relative));
        !is_left && !dropped.contains(&piece.position)
    });
    findings
}

/// The file of the same samples beside one whose name says that it is no result of its own.
fn whole<'p>(piece: &Piece, pieces: &'p [Piece]) -> Option<&'p Piece> {
    let stem = plain_stem(&piece.relative).to_ascii_lowercase();
    let replaced = replaced(&stem);
    if replaced.is_none() && !is_chosen(&stem) || piece.fragment.samples.is_empty() {
        return None;
    }
    let own = ids(piece);
    pieces.iter().find(|other| {
        let other_stem = plain_stem(&other.relative).to_ascii_lowercase();
        let is_named = match replaced {
            Some(replaced) => other_stem == replaced,
            None => self::replaced(&other_stem).is_none() && !is_chosen(&other_stem),
        };
        is_named && directory_of(&other.relative) == directory_of(&piece.relative) && {
            let theirs = ids(other);
            own.iter().all(|id| theirs.contains(id))
        }
    })
}

/// The file of figures over more samples beside records that were drawn from them to be read.
fn figures_of_all<'p>(piece: &Piece, pieces: &'p [Piece]) -> Option<&'p Piece> {
    let tables = &piece.fragment.samples;
    if !is_drawn(plain_stem(&piece.relative)) || tables.is_empty() {
        return None;
    }
    let own = directory_of(&piece.relative);
    let above = own.rsplit_once('/').map_or("", |(above, _)| above);
    let covers = |other: &Piece, table: &SampleTable| {
        let Fragment { scalars, declared_sizes, .. } = &other.fragment;
        let dataset = table.dataset.as_deref().unwrap_or_default();
        scalars.iter().any(|scalar| {
            let theirs = scalar.dataset.as_deref().unwrap_or_default();
            let size = scalar.n.or_else(|| declared_sizes.get(theirs).copied());
            theirs.eq_ignore_ascii_case(dataset) && size.is_some_and(|n| n > table.len() as u64)
        })
    };
    pieces.iter().find(|other| {
        [own, above].contains(&directory_of(&other.relative))
            && tables.iter().all(|table| covers(other, table))
    })
}

/// Whether a file of that stem holds records that were drawn to be read, as `metrics` writes them.
pub(super) fn is_drawn(stem: &str) -> bool {
    stem.to_ascii_lowercase().ends_with("_qa")
}

/// The stem of the file that replaced one of that stem.
fn replaced(stem: &str) -> Option<&str> {
    let (before, word) = stem.rsplit_once(['_', '-', '.'])?;
    OLDER.contains(&word).then_some(before)
}

fn is_chosen(stem: &str) -> bool {
    stem.split(['_', '-', '.']).any(|word| CHOSEN.contains(&word))
}

fn ids(piece: &Piece) -> BTreeSet<(Option<&str>, u64)> {
    let tables = piece.fragment.samples.iter();
    let of_table = |table: &'_ SampleTable| table.id_hashes().to_vec();
    tables
        .flat_map(|table| of_table(table).into_iter().map(|id| (table.dataset.as_deref(), id)))
        .collect()
}

/// The file of the newest rerun that repeats all that one holds.
fn newer<'p>(piece: &Piece, pieces: &'p [Piece]) -> Option<&'p Piece> {
    let (moment, place) = dated(&piece.relative)?;
    let is_rerun = |other: &&Piece| {
        dated(&other.relative).is_some_and(|(later, same)| later > moment && same == place)
    };
    let newest = pieces.iter().filter(is_rerun);
    let newest = newest.max_by_key(|other| dated(&other.relative).map(|(moment, _)| moment))?;
    (piece.reader != LM_EVAL && repeats(newest, piece)).then_some(newest)
}

/// Whether one holds the same figures and, of the samples, at least half that the other does.
/// Series go on where a training is resumed.
fn repeats(newest: &Piece, older: &Piece) -> bool {
    let figures = |piece: &Piece| -> BTreeSet<(String, Option<String>, String)> {
        let cell = |scalar: &Scalar| {
            (scalar.metric.clone(), scalar.dataset.clone(), scalar.dims.to_string())
        };
        piece.fragment.scalars.iter().map(cell).collect()
    };
    let (own, theirs) = (figures(older), figures(newest));
    let (own_ids, their_ids) = (ids(older), ids(newest));
    let common = own_ids.iter().filter(|id| their_ids.contains(id)).count();
    older.fragment.series.is_empty()
        && !(own.is_empty() && own_ids.is_empty())
        && own.is_subset(&theirs)
        && 2 * common >= own_ids.len()
}

/// The digits of the time in the names of the directories of a file, and the path without it.
fn dated(relative: &str) -> Option<(String, String)> {
    let (directories, name) = relative.rsplit_once('/')?;
    let mut moment = String::new();
    let mut place = Vec::new();
    for component in directories.split('/') {
        match digits(component) {
            Some(date) if moment.is_empty() && is_date(&date) => moment = date,
            Some(time) if moment.len() == 8 && matches!(time.len(), 4 | 6) => {
                moment.push_str(&time);
            }
            _ => place.push(component),
        }
    }
    place.push(name);
    (!moment.is_empty()).then(|| (moment, place.join("/")))
}

/// Whether a directory is named after a day or a moment.
pub(super) fn is_moment(name: &str) -> bool {
    digits(name).is_some_and(|digits| is_date(&digits))
}

fn digits(name: &str) -> Option<String> {
    let is_of_time = |c: char| c.is_ascii_digit() || "-_:.TZ".contains(c);
    name.chars()
        .all(is_of_time)
        .then(|| name.chars().filter(char::is_ascii_digit).collect::<String>())
        .filter(|digits| !digits.is_empty())
}

fn is_date(digits: &str) -> bool {
    let part = |from: usize, to: usize| digits.get(from..to).and_then(|part| part.parse().ok());
    digits.len() >= 8
        && part(0, 4).is_some_and(|year: u32| (1990..2100).contains(&year))
        && part(4, 6).is_some_and(|month: u32| (1..=12).contains(&month))
        && part(6, 8).is_some_and(|day: u32| (1..=31).contains(&day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_named_after_times_are_reruns_of_one_place() {
        for (path, expected) in [
            ("2025-01-01/metrics.json", Some(("20250101", "metrics.json"))),
            ("20250101_120000/m.json", Some(("20250101120000", "m.json"))),
            ("e/2025-01-01/12-00-00/q/m.json", Some(("20250101120000", "e/q/m.json"))),
            ("2025-01-01T12-00-00.5/m.json", Some(("202501011200005", "m.json"))),
            ("2025/m.json", None),
            ("12345678/m.json", None),
            ("v2025-01-01/m.json", None),
            ("m_2025-01-01.json", None),
        ] {
            let expected = expected.map(|(at, place)| (at.to_owned(), place.to_owned()));
            assert_eq!(dated(path), expected, "{path}");
        }
    }
}
