//! What became of the samples of each side, before any score is shown.

use std::collections::{BTreeMap, BTreeSet};

use super::{folded, phrases};
use crate::model::Run;
use crate::pairing::{
    ArmPair, CellPair, CountedRecords, FullestSamples, PairArm, PairableRows, RunPair, SampledSide,
    TablePair,
};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Table};
use crate::text::Catalogue;

pub(crate) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    phrases::by_candidate(material, |pair, _, comparisons| {
        let mut rows = table_rows(pair, words);
        let stated = comparisons.iter().filter(|one| !one.cell.is_of_samples());
        let mut seen = BTreeSet::new();
        for comparison in stated {
            let parts = PairArm::BOTH.map(|which| comparison.part(which));
            if parts.iter().all(Option::is_none)
                || !seen.insert((&comparison.cell.key.dataset, parts))
            {
                continue;
            }
            let dataset = comparison.cell.key.dataset.clone().unwrap_or_else(|| "—".to_owned());
            for (which, part) in PairArm::BOTH.into_iter().zip(parts) {
                rows.extend(part.map(|[n, of]| Row {
                    dataset: dataset.clone(),
                    arm: pair.name(which).to_owned(),
                    counts: vec![Some(of), Some(n), Some(of.saturating_sub(n))],
                    is_absent: false,
                }));
            }
        }
        rows.extend(absent(pair, &rows));
        if rows.is_empty() {
            return Vec::new();
        }
        let table = vec![Block::paragraph(words.get("samples.coverage-lead")), table(&rows, words)];
        if !rows.iter().all(Row::is_whole) {
            return table;
        }
        folded(whole(&rows, words), table)
    })
}

/// That every sample has a score, in one number where both arms have as many.
fn whole(rows: &[Row], words: &Catalogue) -> String {
    let scored = |row: &Row| row.count("present").unwrap_or_default();
    let key = if rows.iter().all(|row| row.count("planned").is_some()) {
        "samples.coverage-whole"
    } else {
        "samples.coverage-whole-recorded"
    };
    match rows {
        [one, other] if one.dataset == other.dataset && scored(one) == scored(other) => {
            let args = [("count", quantity::count(scored(one)))];
            words.fill(&format!("{key}-each"), &args)
        }
        _ => {
            let all = rows.iter().map(scored).sum();
            words.fill(key, &[("count", quantity::count(all))])
        }
    }
}

/// Datasets of which one arm has no result at all, with what the other has.
fn absent(pair: &ArmPair<'_>, shown: &[Row]) -> Vec<Row> {
    let mut rows = Vec::new();
    let shown: BTreeSet<&str> = shown.iter().map(|row| row.dataset.as_str()).collect();
    let mut by_dataset = BTreeMap::<&str, Vec<&CellPair<'_>>>::new();
    for cell in &pair.cells {
        by_dataset.entry(cell.key.dataset.as_deref().unwrap_or_default()).or_default().push(cell);
    }
    for (lacking, having) in
        [(PairArm::Candidate, PairArm::Baseline), (PairArm::Baseline, PairArm::Candidate)]
    {
        for dataset in pair.absent_datasets(lacking) {
            let own = by_dataset.get(dataset).into_iter().flatten();
            let there = own.filter_map(|cell| {
                let samples = cell.side(having).samples.as_ref().map(SampledSide::recorded);
                samples.or(cell.side(having).n())
            });
            let count = there.max();
            let row = |which, counts| Row {
                dataset: dataset.to_owned(),
                arm: pair.name(which).to_owned(),
                counts,
                is_absent: which == lacking,
            };
            if !shown.contains(dataset) {
                rows.push(row(having, vec![None, count]));
            }
            rows.push(row(lacking, vec![None, None, count]));
        }
    }
    rows
}

/// One side of one dataset.
struct Row {
    dataset: String,
    arm: String,
    /// In the order of [`HEADS`]; what lies beyond the end is not known.
    counts: Vec<Option<u64>>,
    /// The arm has nothing of the dataset.
    is_absent: bool,
}

impl Row {
    fn count(&self, head: &str) -> Option<u64> {
        let position = HEADS.iter().position(|other| *other == head)?;
        self.counts.get(position).copied().flatten()
    }

    /// Whether every sample that was planned has a score, and none is there twice.
    fn is_whole(&self) -> bool {
        self.count("present").is_some()
            && !self.is_absent
            && self.counts.iter().skip(2).flatten().all(|&count| count == 0)
    }
}

const HEADS: [&str; 8] = [
    "planned",
    "present",
    "missing",
    "errored",
    "unscored",
    "truncated",
    "duplicate",
    "conflicting",
];

fn table(rows: &[Row], words: &Catalogue) -> Block {
    let mut columns = Table::of_rows(rows)
        .left(words.get("samples.dataset"), |row| row.dataset.as_str())
        .left(words.get("samples.arm"), |row| row.arm.as_str());
    let is_planned = rows.iter().any(|row| row.count("planned").is_some());
    for head in HEADS.into_iter().filter(|head| is_planned || *head != "planned") {
        columns =
            columns.right(words.get(&format!("samples.{head}")), |row| match row.count(head) {
                Some(count) => Cell::count(count),
                None if row.is_absent && head == "missing" => {
                    Cell::text(words.get("samples.everything"))
                }
                None => Cell::dash(),
            });
    }
    columns.block()
}

/// Both sides of each table, then the further runs of either arm.
fn table_rows(pair: &ArmPair<'_>, words: &Catalogue) -> Vec<Row> {
    let rows_of = |pair: &RunPair<'_>, arms: &[PairArm]| -> Vec<Row> {
        let fullest = PairArm::BOTH.map(|which| pair.fullest(which));
        let tables =
            pair.tables.iter().flat_map(|tables| arms.iter().map(move |arm| (tables, *arm)));
        let row = |(tables, which)| row(pair.run(which), tables, which, &fullest[which], words);
        tables.filter_map(row).chain(counted_rows(pair)).collect()
    };
    let members = PairArm::BOTH.into_iter().flat_map(|which| pair.members(which));
    let of_members = members.flat_map(|member| rows_of(&member.pair, &[PairArm::Candidate]));
    rows_of(pair, &PairArm::BOTH).into_iter().chain(of_members).collect()
}

/// The same of samples that an engine counted.
fn counted_rows(pair: &RunPair<'_>) -> Vec<Row> {
    let rows = pair.counted.iter().enumerate().flat_map(|(place, table)| {
        PairArm::BOTH.into_iter().filter_map(move |which| {
            let is_own = |cell: &&CellPair<'_>| cell.counted.is_some_and(|own| own.table == place);
            let own = pair.cells.iter().filter(is_own);
            let sides = own.filter_map(|cell| cell.side(which).counted.as_ref());
            let fullest = sides.max_by_key(|side| side.scored)?;
            let CountedRecords { agreeing, conflicting, .. } = table.records[which];
            let missing = table.missing(which);
            let counts = [fullest.scored, missing, 0, fullest.unscored, 0, agreeing, conflicting];
            Some(Row {
                dataset: table.counted.dataset.clone().unwrap_or_else(|| "—".to_owned()),
                arm: pair.run(which).id.clone(),
                counts: std::iter::once(None).chain(counts.map(Some)).collect(),
                is_absent: false,
            })
        })
    });
    rows.collect()
}

/// What became of the samples of one table, by its fullest metric.
fn row(
    run: &Run,
    tables: &TablePair<'_>,
    which: PairArm,
    fullest: &FullestSamples<'_, '_>,
    words: &Catalogue,
) -> Option<Row> {
    let own = tables.table(which);
    let SampledSide { scored, errored, unscored, distinct, .. } =
        fullest.get(&std::ptr::from_ref(own))?;
    let PairableRows { truncated, agreeing, .. } = **distinct;
    let counts = [*scored, tables.missing(which), *errored, *unscored, truncated, agreeing];
    let planned = tables.expected(which).map(|aim| aim.samples);
    Some(Row {
        dataset: phrases::table_name(own, &own.dims, words),
        arm: run.id.clone(),
        counts: std::iter::once(planned)
            .chain(counts.map(Some))
            .chain([Some(distinct.conflicting.len() as u64)])
            .collect(),
        is_absent: false,
    })
}
