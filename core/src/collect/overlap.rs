//! What two sibling directories have results of in common: the same cells, steps, questions.

use std::collections::BTreeMap;

use super::siblings::{Sibling, below_of};
use super::{Piece, path_dims, plain_stem};
use crate::model::{ContentHash, ContentHashes, Dims};
use crate::quantity::Unit;

/// Share of what the smaller of two has, at least, that both have.
const SHARED: f64 = 0.5;

/// Results of two siblings for the same cells.
#[derive(Debug, Default)]
pub(super) struct Overlap {
    pub(super) is_any: bool,
    /// Where both state a figure, it differs.
    pub(super) contradicts: bool,
    /// Series that only a training writes, of both over the same steps and with other values.
    pub(super) trainings: usize,
    /// Series of both over the same positions and with other values.
    pub(super) curves: usize,
    /// Tables in which both have answers to the same questions, and mostly others.
    pub(super) other_answers: usize,
    /// Series or samples of both would be mixed, and nothing else tells of it.
    pub(super) is_mixed: bool,
}

type Cell<'a> = (&'a str, Option<&'a str>, Dims);

impl Overlap {
    pub(super) fn of(a: &Sibling<'_>, b: &Sibling<'_>) -> Self {
        let mut found = Self::default();
        let (mine, theirs) = (figures(a), figures(b));
        for (cell, value) in &mine {
            if let Some(other) = theirs.get(cell) {
                found.is_any = true;
                found.contradicts |= value != other;
            }
        }
        let (mine, theirs) = (series(a), series(b));
        for (cell, points) in &mine {
            let Some(others) = theirs.get(cell) else { continue };
            let common: Vec<bool> = points
                .iter()
                .filter_map(|(at, value)| others.get(at).map(|other| value != other))
                .collect();
            if is_most(common.len(), points.len(), others.len()) {
                let is_apart = common.iter().any(|differs| *differs);
                found.is_any = true;
                found.contradicts |= is_apart;
                found.is_mixed |= is_apart;
                found.curves += usize::from(is_apart);
                found.trainings += usize::from(is_apart && is_of_training(cell.0));
            }
        }
        let (mine, theirs) = (questions(a), questions(b));
        for (cell, questions) in &mine {
            let Some(others) = theirs.get(cell) else { continue };
            let mut same = 0;
            let mut other_answers = 0;
            for (id, mine) in questions {
                let Some(theirs) = others.get(id) else { continue };
                let is_same = same_question(mine.content, theirs.content);
                let is_other = mine.answer.zip(theirs.answer).is_some_and(|(a, b)| a != b);
                same += usize::from(is_same != Some(false));
                other_answers += usize::from(is_same == Some(true) && is_other);
            }
            if is_most(same, questions.len(), others.len()) {
                found.is_any = true;
                found.contradicts = true;
                found.other_answers += usize::from(is_most(other_answers, same, same));
                found.is_mixed = true;
            }
        }
        found
    }
}

fn is_most(common: usize, mine: usize, theirs: usize) -> bool {
    common > 0 && common as f64 >= SHARED * mine.min(theirs) as f64
}

/// Whether a series of that name is written by an optimiser and by nothing that evaluates.
fn is_of_training(metric: &str) -> bool {
    let lower = metric.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_ascii_alphanumeric());
    lower.contains("grad_norm")
        || lower.contains("learning_rate")
        || words.any(|word| matches!(word, "actor" | "critic" | "entropy" | "lr" | "train"))
}

/// Coordinates of a file below the sibling that it lies in.
fn place(sibling: &Sibling<'_>, piece: &Piece, own: &Dims) -> Dims {
    let mut dims = path_dims::path_dims(below_of(&piece.relative, &sibling.directory));
    for (name, value) in own.iter() {
        dims.insert(name, value.clone());
    }
    dims
}

fn figures<'a>(sibling: &Sibling<'a>) -> BTreeMap<Cell<'a>, u64> {
    let mut found = BTreeMap::new();
    for &piece in &sibling.pieces {
        for scalar in &piece.fragment.scalars {
            let Some(value) = scalar.value.value() else { continue };
            let value = if scalar.unit == Some(Unit::Percent) { value * 0.01 } else { value };
            let dims = place(sibling, piece, &scalar.dims);
            found
                .entry((scalar.metric.as_str(), scalar.dataset.as_deref(), dims))
                .or_insert(value.to_bits());
        }
    }
    found
}

fn series<'a>(sibling: &Sibling<'a>) -> BTreeMap<Cell<'a>, BTreeMap<u64, u64>> {
    let mut found: BTreeMap<Cell<'a>, BTreeMap<u64, u64>> = BTreeMap::new();
    for &piece in &sibling.pieces {
        for series in &piece.fragment.series {
            let dims = place(sibling, piece, &series.dims);
            let cell = (series.metric.as_str(), Some(series.axis.as_str()), dims);
            let points = series.points.iter();
            let points = points.map(|point| (point.at.to_bits(), point.value.to_bits()));
            found.entry(cell).or_default().extend(points);
        }
    }
    found
}

/// Whether two samples of one id are one question, where both say what was asked.
fn same_question(a: ContentHashes, b: ContentHashes) -> Option<bool> {
    let same = |a: Option<ContentHash>, b: Option<ContentHash>| Some(a? == b?);
    same(a.document, b.document)
        .or_else(|| same(a.prompt, b.prompt))
        .or_else(|| same(a.target, b.target).filter(|same| !same))
}

/// What is known of a sample beside its id.
#[derive(Clone, Copy)]
struct Asked {
    content: ContentHashes,
    answer: Option<ContentHash>,
}

fn questions<'a>(sibling: &Sibling<'a>) -> BTreeMap<Cell<'a>, BTreeMap<u64, Asked>> {
    let mut found: BTreeMap<Cell<'a>, BTreeMap<u64, Asked>> = BTreeMap::new();
    for &piece in &sibling.pieces {
        for table in &piece.fragment.samples {
            let file = plain_stem(below_of(&piece.relative, &sibling.directory));
            let dims = place(sibling, piece, &table.dims);
            let dataset = table.dataset.as_deref();
            let rows = table.id_hashes().iter().enumerate();
            let rows = rows.map(|(row, id)| {
                (*id, Asked { content: table.hashes(row), answer: table.response(row) })
            });
            let cell = (dataset.map_or(file, |_| ""), dataset, dims);
            found.entry(cell).or_default().extend(rows);
        }
    }
    found
}
