//! Questions that stand in several datasets of a run: where these are averaged, their differences
//! are no independent evidence.
//!
//! Says which samples of which datasets have one content. How much that makes of an average is
//! decided where averages are formed.

use std::collections::{BTreeMap, BTreeSet};

use super::cells::CellPair;
use super::repeated::{Part, are_templates, document, prompt, shared_with_others, target};
use super::tables::TablePair;
use crate::model::{ContentHash, Dims, SampleTable};

/// What datasets at one grid point share.
#[derive(Debug)]
pub struct SharedQuestions {
    /// Contents that stand in several datasets.
    pub contents: usize,
    /// Which datasets share more than a few.
    pub overlaps: Vec<DatasetOverlap>,
    /// By position of the table, for each of its pairs: the number of its content below `contents`,
    /// where that is shared.
    labels: BTreeMap<usize, Vec<Option<u32>>>,
}

/// Two datasets and what they share.
#[derive(Debug, Clone, Copy)]
pub struct DatasetOverlap {
    /// Positions in [`super::RunPair::tables`], that of the dataset with fewer samples first.
    pub tables: [usize; 2],
    /// Samples of the first whose content stands in the second too.
    pub samples: usize,
    /// All samples of the first.
    pub of: usize,
}

impl SharedQuestions {
    /// The number of the shared content of each pair of a table, where its content is shared.
    pub fn labels(&self, table: usize) -> Option<&[Option<u32>]> {
        self.labels.get(&table).map(Vec::as_slice)
    }
}

/// Share of the samples of the smaller dataset up to which common questions are overlooked: they
/// widen the variance of the mean of two by no more than that.
const MOST_SHARED: f64 = 0.05;

/// Fewest contents that two datasets share: one alone may be the same instruction around all samples.
const FEWEST_CONTENTS: usize = 2;

/// The questions that stand in several datasets which some metric averages. Grid points are not
/// averaged, and nothing is looked for where there is one dataset.
pub(super) fn shared_questions(
    tables: &[TablePair<'_>],
    cells: &[CellPair<'_>],
) -> Vec<SharedQuestions> {
    let mut averaged = BTreeMap::<(&Dims, &str), BTreeSet<usize>>::new();
    for cell in cells.iter().filter(|cell| cell.total.is_none() && cell.key.dataset.is_some()) {
        let key = (&cell.key.dims, cell.key.metric.as_str());
        averaged.entry(key).or_default().extend(cell.table);
    }
    let mut suites: Vec<(&Dims, BTreeSet<usize>)> =
        averaged.into_iter().map(|((dims, _), suite)| (dims, suite)).collect();
    suites.dedup();
    let mut of_point = BTreeMap::<&Dims, Vec<BTreeSet<usize>>>::new();
    for (dims, suite) in suites.into_iter().filter(|(_, suite)| suite.len() > 1) {
        of_point.entry(dims).or_default().push(suite);
    }
    let parts: [Part; 3] = [document, prompt, SampleTable::alike];
    let at_point = |suites: Vec<BTreeSet<usize>>| {
        let found = parts.iter().enumerate().filter_map(|(place, &part)| {
            shared_by(tables, &suites, |tables| contents(tables, part, place > 0))
        });
        // Of equally many the document says it best, which is asked first.
        found.rev().max_by_key(|found| found.overlaps.iter().map(|one| one.samples).sum::<usize>())
    };
    of_point.into_values().filter_map(at_point).collect()
}

/// The content of every pair of two tables, or of every sample of the baseline where none is paired; 0
/// where it is not known, or is a template around the question.
fn contents(tables: &TablePair<'_>, part: Part, may_be_template: bool) -> Vec<u64> {
    let hash = |table: &SampleTable, row: u32| part(table, row as usize);
    let (mine, theirs) = (tables.baseline, tables.candidate);
    let of_pair = |&(a, b): &(u32, u32)| hash(mine, a).or_else(|| hash(theirs, b));
    let rows = tables.join.baseline.rows();
    let found: Vec<Option<ContentHash>> = if tables.join.pairs.is_empty() {
        rows.iter().map(|&row| hash(mine, row)).collect()
    } else {
        tables.join.pairs.iter().map(of_pair).collect()
    };
    let abouts: [Part; 2] = [target, document];
    let is_template = may_be_template
        && abouts.into_iter().any(|about| are_templates(tables.baseline, rows, part, about));
    let number =
        |hash: Option<ContentHash>| hash.filter(|_| !is_template).map_or(0, ContentHash::get);
    found.into_iter().map(number).collect()
}

/// What the tables of some suites share by that content; `None` where it is too little to matter.
fn shared_by(
    tables: &[TablePair<'_>],
    suites: &[BTreeSet<usize>],
    contents: impl Fn(&TablePair<'_>) -> Vec<u64>,
) -> Option<SharedQuestions> {
    let members: BTreeSet<usize> = suites.iter().flatten().copied().collect();
    let columns: BTreeMap<usize, Vec<u64>> = members
        .into_iter()
        .filter_map(|index| Some((index, contents(tables.get(index)?))))
        .collect();
    let known = columns.values().flatten().copied().filter(|&content| content != 0);
    let mut again = shared_with_others(&known.collect::<Vec<_>>());
    again.sort_unstable();
    let mut places: Vec<(u64, usize)> = Vec::new();
    for (&index, column) in &columns {
        let repeated = column.iter().filter(|content| again.binary_search(content).is_ok());
        places.extend(repeated.map(|&content| (content, index)));
    }
    places.sort_unstable();
    let shared: Vec<&[(u64, usize)]> = places
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|places| places.first().map(|it| it.1) != places.last().map(|it| it.1))
        .collect();
    let overlaps = overlaps(&shared, &columns, suites);
    let numbers: Vec<u64> = shared.iter().filter_map(|places| Some(places.first()?.0)).collect();
    let label = |content: &u64| Some(numbers.binary_search(content).ok()? as u32);
    if overlaps.is_empty() {
        return None;
    }
    let in_overlap = |index: &usize| overlaps.iter().any(|one| one.tables.contains(index));
    let labels = columns.iter().filter(|(index, _)| in_overlap(index));
    let labels = labels.map(|(&index, column)| (index, column.iter().map(label).collect()));
    let labels = labels.collect();
    Some(SharedQuestions { contents: numbers.len(), labels, overlaps })
}

/// The pairs of tables that some suite averages and that share more than a few contents: `shared` has
/// the tables of each, in order and as often as it stands there.
fn overlaps(
    shared: &[&[(u64, usize)]],
    columns: &BTreeMap<usize, Vec<u64>>,
    suites: &[BTreeSet<usize>],
) -> Vec<DatasetOverlap> {
    let mut counted = BTreeMap::<[usize; 2], (usize, [usize; 2])>::new();
    for places in shared {
        let of_table: Vec<(usize, usize)> = places
            .chunk_by(|a, b| a.1 == b.1)
            .filter_map(|same| Some((same.first()?.1, same.len())))
            .collect();
        for (position, &(first, in_first)) in of_table.iter().enumerate() {
            for &(second, in_second) in &of_table[position + 1..] {
                let (contents, samples) = counted.entry([first, second]).or_default();
                *contents += 1;
                samples[0] += in_first;
                samples[1] += in_second;
            }
        }
    }
    let overlap = |(tables, (contents, samples)): ([usize; 2], (usize, [usize; 2]))| {
        let sizes = tables.map(|index| columns.get(&index).map_or(0, Vec::len));
        let (smaller, other) = if sizes[1] < sizes[0] { (1, 0) } else { (0, 1) };
        let found = DatasetOverlap {
            tables: [tables[smaller], tables[other]],
            samples: samples[smaller],
            of: sizes[smaller],
        };
        let is_averaged =
            suites.iter().any(|suite| tables.iter().all(|index| suite.contains(index)));
        let matters = found.samples as f64 > MOST_SHARED * found.of as f64;
        (is_averaged && contents >= FEWEST_CONTENTS && matters).then_some(found)
    };
    counted.into_iter().filter_map(overlap).collect()
}
