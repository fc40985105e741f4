//! Samples that an engine counted: the same questions as of samples that were read, as far as counts
//! answer them.

use super::samples::{overlap_of, scores_missing};
use crate::diag::{Code, Diagnostic, Location};
use crate::model::{Clustering, PairStatus};
use crate::pairing::{CellPair, CountedRecords, CountedTable, PairArm, RunPair};

pub(super) fn check_counted(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (place, table) in pair.counted.iter().enumerate() {
        let dataset = table.counted.dataset.as_deref();
        let at = Location::file(&*table.counted.path);
        let about = |code| Diagnostic::new(code).about_dataset(dataset).at(at.clone());
        let is_own = |cell: &&CellPair<'_>| cell.counted.is_some_and(|own| own.table == place);
        let cells: Vec<&CellPair<'_>> = pair.cells.iter().filter(is_own).collect();
        let recorded = table.records.map(CountedRecords::recorded);
        found.extend(overlap_of(pair, table.counts, recorded, about));
        found.extend(content(pair, table, about));
        found.extend(partly_clustered(pair, table, about));
        found.extend(scores_missing(&cells, table.counts.unpaired(), about));
        for which in PairArm::BOTH {
            found.extend(of_arm(pair, table, &cells, which));
        }
    }
    found
}

/// Equal ids over different content: a few that were set aside, or too many; and prompts that differ over
/// equal targets.
fn content(
    pair: &RunPair<'_>,
    table: &CountedTable<'_>,
    about: impl Fn(Code) -> Diagnostic,
) -> Vec<Diagnostic> {
    let counts = table.counts;
    let mut found = Vec::new();
    if counts.other_content > 0 {
        let set_aside = counts.quarantined > 0;
        let code = if set_aside { Code::ContentSetAside } else { Code::ContentDiffers };
        found.push(
            about(code)
                .with("count", counts.other_content)
                .with("paired", counts.pairs + counts.quarantined)
                .with("ids", examples(table, &[PairStatus::Other]))
                .with("baseline_places", vec![pair.baseline.path.clone()])
                .with("candidate_places", vec![pair.candidate.path.clone()]),
        );
    }
    if counts.prompt_differs > 0 {
        found.push(
            about(Code::PromptDiffers)
                .with("count", counts.prompt_differs)
                .with("paired", counts.pairs),
        );
    }
    found
}

/// Pairs without a cluster, where others have one.
fn partly_clustered(
    pair: &RunPair<'_>,
    table: &CountedTable<'_>,
    about: impl Fn(Code) -> Diagnostic,
) -> Option<Diagnostic> {
    let key = table.counted.plan.cluster().filter(|_| pair.clustering != Clustering::Off)?;
    let pairs = table.counted.ids.iter().filter(|(status, _)| table.are_pairs(**status));
    let alone = pairs.map(|(_, own)| own.lone).sum::<u64>();
    let is_part = alone > 0 && alone < table.counts.pairs;
    is_part.then(|| {
        about(Code::PartlyClustered)
            .about_key(key)
            .with("count", alone)
            .with("paired", table.counts.pairs)
    })
}

/// One id of each status.
fn examples(table: &CountedTable<'_>, of: &[PairStatus]) -> Vec<String> {
    let own = of.iter().filter_map(|status| table.counted.ids.get(status)?.example.clone());
    own.collect()
}

/// Records that are there twice, contradict each other, or have no score of any metric.
fn of_arm(
    pair: &RunPair<'_>,
    table: &CountedTable<'_>,
    cells: &[&CellPair<'_>],
    which: PairArm,
) -> Vec<Diagnostic> {
    let records = table.records[which];
    let dataset = table.counted.dataset.as_deref();
    let at = Location::file(&*table.counted.path);
    let run = &pair.run(which).id;
    let about = |code| Diagnostic::new(code).about_run(run).dataset(dataset).at(at.clone());
    let mut found = Vec::new();
    if records.agreeing > 0 {
        found.push(about(Code::DuplicateIds).with("count", records.agreeing));
    }
    if records.conflicting > 0 {
        let torn = [PairStatus::ConflictA, PairStatus::ConflictB][which];
        found.push(
            about(Code::ConflictingIds)
                .with("count", records.conflicting)
                .with("records", records.set_aside)
                .with("ids", examples(table, &[torn, PairStatus::ConflictBoth])),
        );
    }
    let scored = cells.iter().filter_map(|cell| cell.side(which).counted.as_ref());
    let fullest = scored.map(|side| side.scored).max();
    if let Some(fullest) = fullest.filter(|&fullest| fullest < records.distinct) {
        found.push(
            about(Code::Unscored)
                .with("count", records.distinct - fullest)
                .with("total", records.distinct),
        );
    }
    found
}
