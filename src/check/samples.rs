//! Samples: overlap, coverage, content behind equal ids, duplicates, missing scores.

use super::Check;
use crate::diag::{Code, Diagnostic, Explanation, Location};
use crate::group::{ArmPair, Cell, Distinct, PairCoverage, TablePair, Which};
use crate::model::{Run, SampleTable};

pub(super) const CHECK: Check = Check { id: "samples", explained: EXPLAINED, run };

const EXPLAINED: &[Explanation] = &[
    Explanation::new(
        Code::NoOverlap,
        "Both arms have samples of a dataset at one grid point, and none of them could be \
         paired: no id is in both, and no document or prompt either. The cells of that dataset \
         get no verdict. Samples that share a part are `R211` and `R212`.",
        "The two scores are over different questions. Their difference mixes how hard the \
         questions are with how good the models are, and no amount of data takes that apart.",
    ),
    Explanation::new(
        Code::PartialOverlap,
        "Up to 5% of all samples of a dataset, those of either arm together, have no partner in \
         the other arm or were set aside. Verdicts stand on the pairs, and a verdict has to \
         survive the worst that the lost samples could have been. Contradicting ids alone, up to \
         5%, are `R105` only.",
        "Samples go missing where something failed, and failures are seldom spread evenly over \
         easy and hard questions. A few of them can carry a small difference.",
    ),
    Explanation::new(
        Code::Incomplete,
        "More than 5% of all samples of a dataset, those of either arm together, have no partner \
         in the other arm or were set aside because their records contradict each other. The \
         cells of that dataset get no verdict; the figures stay. The limit is fixed, because a \
         limit that can be raised is raised when it hurts.",
        "A run that died at sample 30 of 1,000 has a score, and often a good one: the first \
         samples of a benchmark are no fair draw from it. Compared with a whole run it can \
         promote a model that never finished its evaluation.",
    ),
    Explanation::new(
        Code::ContentDiffers,
        "Samples with equal ids have different documents, different targets, or different \
         prompts that no equal document and no equal targets excuse, and these are more than 5 % \
         of the samples with equal ids; fewer are set aside (`R282`). Hashes that a producer wrote \
         count like the text itself; where neither arm records content, nothing can be found. The \
         dataset gets no verdict.",
        "Ids are often just positions, so another shuffle or another split gives equal ids to \
         different questions. Paired by them, the comparison sets the answer to one question \
         against the answer to another, and its result means nothing.",
    ),
    Explanation::new(
        Code::PromptDiffers,
        "Samples agree in their document, or in at least 10 targets that are all equal, and \
         differ in their prompt. The question is the same and was put differently: another \
         template, other examples, another system prompt. Different prompts without such a proof \
         are `R213`.",
        "A changed template can move a score by more than a training does. The difference holds \
         for model and prompt together and cannot be credited to the model.",
    ),
    Explanation::new(
        Code::ContentSetAside,
        "At most 5 % of the samples with equal ids stand over different content: another question, target or document. They are taken out of the pairs, and a verdict has to hold whatever their scores would have been; above 5 % it is R213. Prompts that differ over an equal document, or over targets that are equal nearly throughout, are R214 and not meant.",
        "A dataset that was corrected in places keeps its ids, and the corrected items are other questions. Pairing them by id compares answers to different questions; giving up the other 99 % would be no better.",
    ),
    Explanation::new(
        Code::Renumbered,
        "More than 5 % of the equal ids stand over different content, while equal content pairs at least 95 % of the samples of the larger arm. Ids are then positions in another order, and content is the key. Records in another order with ids of their own are not meant and are never reported.",
        "Indices that count lines mean other questions as soon as a dataset is shuffled or filtered. Pairing by them compares answers to different questions, and no figure shows it.",
    ),
    Explanation::new(
        Code::PairedByContent,
        "The arms have no sample id in common, and samples with equal documents, else equal \
         prompts, were paired instead. Content that occurs twice in one arm pairs nothing, and \
         different targets are never paired.",
        "The pairs are sound where the content is the whole question. Where it is only part of \
         it, for example an image that is not in the prompt, two questions with one text become \
         partners.",
    ),
    Explanation::new(
        Code::DuplicateIds,
        "An id occurs several times in the samples of a dataset with equal scores and equal \
         content; it counts once. Several answers to each problem are not meant (`R120`), nor \
         are records that differ (`R105`).",
        "A file to which two processes appended, or a shard that was merged twice, looks like \
         this. Counted as they stand, the repeated samples would weigh double and n would be too \
         large.",
    ),
    Explanation::new(
        Code::ConflictingIds,
        "An id occurs several times in the samples of a dataset with different scores or \
         different content. All records of such an id are set aside and count as lost; above 5% \
         lost the dataset gets no verdict (`R212`). Where most ids have several records, they \
         are answers to one problem and averaged instead (`R120`, `R150`).",
        "One of the records is wrong, and nothing says which. Whoever keeps the first or the \
         last one chooses a score by the order of a file, and two tools choose differently.",
    ),
    Explanation::new(
        Code::Unscored,
        "Samples of a dataset have no score in one arm, counted in the metric that has most \
         scores there. They are left out of the figures and not counted as wrong. Above 5% lost, \
         over both arms, the metric gets no verdict (`R226`).",
        "Timeouts and answers that could not be parsed are failures of the model more often than \
         not, so leaving them out flatters the arm with more of them. “Missing scores” in the \
         report shows how far they could move each result.",
    ),
    Explanation::new(
        Code::ScoresMissing,
        "Of the samples that either arm was asked, more than 5% lack a score of the metric in at \
         least one arm, and more than those without partner or set aside, which `R212` is about. \
         A sample counts as asked when an arm has a score or a failure for it. One finding \
         stands for all metrics where all lack the same. The metric gets no verdict.",
        "With so many scores missing the comparison is about who failed to be scored, not about \
         who was right. If all of the missing ones were wrong, the order of the arms could turn \
         around.",
    ),
    Explanation::new(
        Code::RepeatsDiffer,
        "The samples of a dataset have a different number of answers to each problem in the two \
         arms, by the most that a problem has. Means stay comparable, because n counts problems \
         in both arms.",
        "The mean of 16 answers is steadier than one answer. Maxima, spreads and pass@k are not \
         comparable across different numbers of answers; pass@k is therefore given at the \
         smallest number.",
    ),
];

/// Share of samples without partner above which there is no verdict.
const MAX_UNMATCHED: f64 = 0.05;
/// Ids that a finding names.
const NAMED: usize = 5;

fn run(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for tables in &pair.tables {
        found.extend(overlap(pair, tables));
        found.extend(content(tables));
        found.extend(scores_missing(pair, tables));
        found.extend(repeats(tables));
        let join = &tables.join;
        for (which, table, distinct) in [
            (Which::Baseline, tables.baseline, &join.baseline),
            (Which::Candidate, tables.candidate, &join.candidate),
        ] {
            found.extend(duplicates(pair.run(which), table, distinct));
            found.extend(unscored(pair, which, table, distinct));
        }
    }
    found
}

/// A finding about two joined tables.
pub(super) fn about(code: Code, tables: &TablePair<'_>) -> Diagnostic {
    let dataset = tables.baseline.dataset.as_deref();
    Diagnostic::new(code).of_dataset(dataset).dims(&tables.dims)
}

pub(super) fn overlap(pair: &ArmPair<'_>, tables: &TablePair<'_>) -> Option<Diagnostic> {
    let join = &tables.join;
    let paired = join.pairs.len() as u64;
    let unmatched = join.baseline_only + join.candidate_only + join.contradicted;
    let union = paired + unmatched + join.quarantined;
    if unmatched == join.contradicted && unmatched as f64 <= MAX_UNMATCHED * union as f64 {
        return None;
    }
    let code = if paired == 0 {
        Code::NoOverlap
    } else if unmatched as f64 > MAX_UNMATCHED * union as f64 {
        Code::Incomplete
    } else {
        Code::PartialOverlap
    };
    let only = if join.baseline_only > 0 { pair.baseline } else { pair.candidate };
    Some(
        about(code, tables)
            .with("paired", paired)
            .with("baseline", pair.baseline.id.as_str())
            .with("candidate", pair.candidate.id.as_str())
            .with("baseline_only", join.baseline_only)
            .with("candidate_only", join.candidate_only)
            .with("baseline_n", tables.recorded(Which::Baseline))
            .with("candidate_n", tables.recorded(Which::Candidate))
            .with("share", format!("{:.1}%", 100.0 * paired as f64 / union as f64))
            .with("larger", only.id.as_str())
            .at(tables.candidate.source(0, "").location()),
    )
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
fn scores_missing(pair: &ArmPair<'_>, tables: &TablePair<'_>) -> Vec<Diagnostic> {
    let own: Vec<(&Cell<'_>, PairCoverage)> = pair
        .cells
        .iter()
        .filter(|cell| {
            let table = cell.table.and_then(|index| pair.tables.get(index));
            table.is_some_and(|table| std::ptr::eq(table, tables))
        })
        .filter_map(|cell| Some((cell, cell.coverage?)))
        .collect();
    let join = &tables.join;
    let unmatched = join.unpaired() + tables.unseen();
    let too_many = |coverage: &PairCoverage| {
        coverage.lost() > unmatched && coverage.lost_share() > MAX_UNMATCHED
    };
    let finding = |coverage: PairCoverage, metrics: &str| {
        about(Code::ScoresMissing, tables)
            .with("metrics", metrics)
            .with("lost", coverage.lost())
            .with("eligible", coverage.eligible)
            .with("share", format!("{:.1}%", 100.0 * coverage.lost_share()))
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

fn duplicates(run: &Run, table: &SampleTable, distinct: &Distinct) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let dataset = table.dataset.as_deref();
    if distinct.agreeing > 0 {
        found.push(
            Diagnostic::new(Code::DuplicateIds)
                .run(&run.id)
                .dataset(dataset)
                .with("run", run.id.as_str())
                .with("count", distinct.agreeing)
                .at(Location::file(table.path.as_ref())),
        );
    }
    if let Some(&first) = distinct.conflicting.first() {
        let ids = distinct.conflicting.iter().take(5).map(|&row| table.id(row as usize).to_owned());
        found.push(
            Diagnostic::new(Code::ConflictingIds)
                .run(&run.id)
                .dataset(dataset)
                .with("run", run.id.as_str())
                .with("count", distinct.conflicting.len())
                .with("records", distinct.set_aside)
                .with("ids", ids.collect::<Vec<_>>())
                .at(table.source(first as usize, "").location()),
        );
    }
    found
}

/// Samples without a score in the table's fullest column.
fn unscored(
    pair: &ArmPair<'_>,
    which: Which,
    table: &SampleTable,
    distinct: &Distinct,
) -> Option<Diagnostic> {
    let own = pair.cells.iter().filter_map(|cell| cell.side(which).samples.as_ref());
    let of_table = own.filter(|samples| std::ptr::eq(samples.table, table));
    let scored = of_table.map(|samples| samples.scored).max()?;
    let total = distinct.rows().len() as u64;
    let run = pair.run(which);
    (total > scored).then(|| {
        Diagnostic::new(Code::Unscored)
            .run(&run.id)
            .dataset(table.dataset.as_deref())
            .with("run", run.id.as_str())
            .with("count", total - scored)
            .with("total", total)
            .at(Location::file(table.path.as_ref()))
    })
}
