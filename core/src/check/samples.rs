//! Samples: overlap, coverage, content behind equal ids, duplicates, missing scores.

use crate::diag::{Code, Diagnostic, Fact, Location};
use crate::model::{Planned, Run, SampleTable};
use crate::pairing::{
    CellPair, PairArm, PairCounts, PairCoverage, PairableRows, RunPair, Subset, TablePair,
};
use crate::quantity::Quantity;

/// Share of samples without partner above which there is no verdict.
const MAX_UNMATCHED: f64 = 0.05;
/// Ids that a finding names.
const NAMED: usize = 5;

pub(super) fn check_samples(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let fullest = PairArm::BOTH.map(|which| pair.fullest(which));
    for (tables, cells) in pair.tables.iter().zip(pair.cells_by_table()) {
        found.extend(overlap(pair, tables));
        found.extend(content(tables));
        let unmatched = tables.unpaired() + tables.unseen();
        found.extend(scores_missing(&cells, unmatched, |code| about(code, tables)));
        found.extend(repeats(tables));
        found.extend(retried(pair, tables));
        found.extend(answers_lost(pair, tables));
        let join = &tables.join;
        for (which, table, distinct) in [
            (PairArm::Baseline, tables.baseline, &join.baseline),
            (PairArm::Candidate, tables.candidate, &join.candidate),
        ] {
            found.extend(duplicates(pair.run(which), table, distinct));
            let samples = fullest[which].get(&std::ptr::from_ref(table));
            let scored = samples.map(|samples| samples.scored);
            found.extend(unscored(pair.run(which), table, distinct, scored));
        }
    }
    found
}

/// A finding about two joined tables.
pub(super) fn about(code: Code, tables: &TablePair<'_>) -> Diagnostic {
    let dataset = tables.baseline.dataset.as_deref();
    Diagnostic::new(code).about_dataset(dataset).dims(&tables.dims)
}

pub(super) fn overlap(pair: &RunPair<'_>, tables: &TablePair<'_>) -> Option<Diagnostic> {
    if let Some(subset) = &tables.subset {
        return Some(chosen_part(pair, tables, subset));
    }
    let recorded = PairArm::BOTH.map(|which| tables.recorded(which));
    let (code, counts) = (|code| about(code, tables), tables.join.counts());
    let finding = overlap_of(pair, counts, recorded, code)?;
    Some(finding.at(tables.candidate.source(0, "").location()))
}

/// How many of the samples are in both arms, where that are not all; `about` says of which dataset.
pub(super) fn overlap_of(
    pair: &RunPair<'_>,
    counts: PairCounts,
    recorded: [u64; 2],
    about: impl Fn(Code) -> Diagnostic,
) -> Option<Diagnostic> {
    let PairCounts { pairs: paired, baseline_only, candidate_only, contradicted, .. } = counts;
    let unmatched = baseline_only + candidate_only + contradicted;
    let union = paired + unmatched + counts.quarantined;
    if unmatched == contradicted && unmatched as f64 <= MAX_UNMATCHED * union as f64 {
        return None;
    }
    let code = if paired == 0 {
        Code::NoOverlap
    } else if unmatched as f64 > MAX_UNMATCHED * union as f64 {
        Code::Incomplete
    } else {
        Code::PartialOverlap
    };
    let only = if baseline_only > 0 { pair.baseline } else { pair.candidate };
    Some(
        about(code)
            .with("paired", paired)
            .with("baseline", pair.baseline.id.as_str())
            .with("candidate", pair.candidate.id.as_str())
            .with("baseline_only", baseline_only)
            .with("candidate_only", candidate_only)
            .with("baseline_n", recorded[0])
            .with("candidate_n", recorded[1])
            .with("share", Quantity::percent_of(paired, union))
            .with("larger", only.id.as_str()),
    )
}

/// An arm that set out to score only some of the other's samples, and did.
fn chosen_part(pair: &RunPair<'_>, tables: &TablePair<'_>, subset: &Subset) -> Diagnostic {
    let Planned { samples, source } = &subset.limit;
    about(Code::ChosenPart, tables)
        .about_run(&pair.run(subset.which).id)
        .with("samples", *samples)
        .with("other", pair.run(subset.which.other()).id.as_str())
        .with("total", tables.recorded(subset.which.other()))
        .with("key", source.key.clone().unwrap_or_default())
        .at(source.location())
}

fn content(tables: &TablePair<'_>) -> Vec<Diagnostic> {
    let join = &tables.join;
    let paired = join.pairs.len() as u64;
    let mut found = Vec::new();
    if join.renumbered > 0 {
        found.push(
            about(Code::Renumbered, tables)
                .with("count", join.renumbered)
                .with("paired", paired)
                .with("left", join.baseline_only.max(join.candidate_only))
                .at(tables.candidate.source(0, "").location()),
        );
    } else if join.by_content > 0 {
        found.push(
            about(Code::PairedByContent, tables)
                .with("by_content", join.by_content)
                .with("paired", paired)
                .with("left", join.baseline_only.max(join.candidate_only)),
        );
    }
    found.extend(differing(tables));
    if join.prompt_differs > 0 {
        found.push(
            about(Code::PromptDiffers, tables)
                .with("count", join.prompt_differs)
                .with("paired", paired),
        );
    }
    found
}

/// Equal ids over different content: a few that were set aside, or too many.
fn differing(tables: &TablePair<'_>) -> Option<Diagnostic> {
    let join = &tables.join;
    let &(_, first) = join.content_differs.first()?;
    let set_aside = join.quarantined > 0;
    let code = if set_aside { Code::ContentSetAside } else { Code::ContentDiffers };
    let named = || join.content_differs.iter().take(NAMED);
    let ids = named().map(|&(row, _)| tables.baseline.id(row as usize).to_owned());
    let place = |table: &SampleTable, row: u32| {
        let Location { path, line, .. } = table.source(row as usize, "").location();
        line.map_or_else(|| path.clone(), |line| format!("{path}:{line}"))
    };
    let places = |of: &dyn Fn(&(u32, u32)) -> String| named().map(of).collect::<Vec<_>>();
    Some(
        about(code, tables)
            .with("count", join.content_differs.len())
            .with("paired", join.pairs.len() + join.quarantined as usize)
            .with("ids", ids.collect::<Vec<_>>())
            .with("baseline_places", places(&|&(row, _)| place(tables.baseline, row)))
            .with("candidate_places", places(&|&(_, row)| place(tables.candidate, row)))
            .at(tables.candidate.source(first as usize, "").location()),
    )
}

/// Metrics for which too many samples have a score in one arm only. One finding when all metrics
/// of the table are concerned alike.
pub(super) fn scores_missing(
    cells: &[&CellPair<'_>],
    unmatched: u64,
    about: impl Fn(Code) -> Diagnostic,
) -> Vec<Diagnostic> {
    let own: Vec<(&CellPair<'_>, PairCoverage)> =
        cells.iter().filter_map(|cell| Some((*cell, cell.coverage?))).collect();
    let too_many = |coverage: &PairCoverage| {
        coverage.lost() > unmatched && coverage.lost_share() > MAX_UNMATCHED
    };
    let finding = |coverage: PairCoverage, metrics: &str| {
        about(Code::ScoresMissing)
            .with("metrics", metrics)
            .with("lost", coverage.lost())
            .with("eligible", coverage.eligible)
            .with("share", Quantity::percent(100.0 * coverage.lost_share()))
    };
    match own.first() {
        Some((_, first)) if own.iter().all(|(_, coverage)| coverage == first) => {
            too_many(first).then(|| finding(*first, "*")).into_iter().collect()
        }
        _ => own
            .iter()
            .filter(|(_, coverage)| too_many(coverage))
            .map(|(cell, coverage)| finding(*coverage, &cell.key.metric).metric(&cell.key.metric))
            .collect(),
    }
}

fn repeats(tables: &TablePair<'_>) -> Option<Diagnostic> {
    let (mine, theirs) = (tables.baseline.repeats(), tables.candidate.repeats());
    (mine != theirs).then(|| {
        about(Code::RepeatsDiffer, tables)
            .with("baseline", u64::from(mine))
            .with("candidate", u64::from(theirs))
    })
}

/// More answers than chance decides about that one arm has and the other lacks, to the same problems.
fn answers_lost(pair: &RunPair<'_>, tables: &TablePair<'_>) -> Option<Diagnostic> {
    let lost = tables.lost_answers().filter(|lost| lost.share() > MAX_UNMATCHED)?;
    let arm = lost.mostly_in();
    Some(
        about(Code::AnswersLost, tables)
            .about_run(&pair.run(arm).id)
            .with("lost", lost.baseline + lost.candidate)
            .with("of", lost.of)
            .with("share", Quantity::percent(100.0 * lost.share()))
            .with("most", lost.most)
            .with("baseline", lost.baseline)
            .with("candidate", lost.candidate)
            .at(Location::file(tables.table(arm).path.as_ref())),
    )
}

/// Answers that one arm asked for again because of how the first came out, and the other not, or not
/// as often.
fn retried(pair: &RunPair<'_>, tables: &TablePair<'_>) -> Option<Diagnostic> {
    let by = |table: &SampleTable| Some(table.answers()?.retried_by()?.to_owned());
    let (mine, theirs) = (by(tables.baseline), by(tables.candidate));
    let alike = tables.baseline.repeats() == tables.candidate.repeats();
    if mine.is_some() && theirs.is_some() && alike {
        return None;
    }
    let which = if theirs.is_some() { PairArm::Candidate } else { PairArm::Baseline };
    let table = if theirs.is_some() { tables.candidate } else { tables.baseline };
    let (fewest, most) = table.answers()?.range();
    Some(
        about(Code::AnsweredAgain, tables)
            .with("run", pair.run(which).id.as_str())
            .with("metric", theirs.or(mine)?)
            .with("fewest", u64::from(fewest))
            .with("most", u64::from(most))
            .at(Location::file(table.path.as_ref())),
    )
}

fn duplicates(run: &Run, table: &SampleTable, distinct: &PairableRows) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let dataset = table.dataset.as_deref();
    if distinct.agreeing > 0 {
        found.push(
            Diagnostic::new(Code::DuplicateIds)
                .about_run(&run.id)
                .dataset(dataset)
                .with("count", distinct.agreeing)
                .at(Location::file(table.path.as_ref())),
        );
    }
    if let Some(&first) = distinct.conflicting.first() {
        let ids = distinct.conflicting.iter().map(|&row| table.id(row as usize));
        found.push(
            Diagnostic::new(Code::ConflictingIds)
                .about_run(&run.id)
                .dataset(dataset)
                .with("count", distinct.conflicting.len())
                .with("records", distinct.set_aside)
                .with("ids", Fact::first(NAMED, ids))
                .at(table.source(first as usize, "").location()),
        );
    }
    found
}

/// Samples without a score in the table's fullest column.
fn unscored(
    run: &Run,
    table: &SampleTable,
    distinct: &PairableRows,
    scored: Option<u64>,
) -> Option<Diagnostic> {
    let scored = scored?;
    let total = distinct.rows().len() as u64;
    (total > scored).then(|| {
        Diagnostic::new(Code::Unscored)
            .about_run(&run.id)
            .dataset(table.dataset.as_deref())
            .with("count", total - scored)
            .with("total", total)
            .at(Location::file(table.path.as_ref()))
    })
}
