//! Answers that a field numbers, and which are better or worse together where the number is one: those
//! of several runs, which are averaged as if they were answers of one; and raters of which each prefers
//! another arm.

use std::collections::BTreeSet;

use indexmap::IndexSet;

use super::fields_apart::has_own_marks;
use super::samples::about;
use crate::diag::{Code, Diagnostic};
use crate::model::{Answers, SampleTable};
use crate::pairing::{CellPair, PairArm, RunOfId, RunPair, SampledSide, TablePair};
use crate::stats::means::intraclass::{CrossedValue, intraclass_across};

/// Names of fields that number the answers to a problem.
const NUMBERING: [&str; 20] = [
    "attempt",
    "attempt_id",
    "generation_index",
    "iter",
    "iteration",
    "rep",
    "repeat",
    "repeat_id",
    "repeat_idx",
    "repetition",
    "rollout",
    "rollout_id",
    "run_idx",
    "run_index",
    "sample_idx",
    "sample_index",
    "trial",
    "trial_id",
    "trial_idx",
    "trial_index",
];
/// Level of the test that answers of one number go together.
const LEVEL: f64 = 0.95;
/// Share of the samples under ids that name runs, and of all places that these have.
const MOSTLY: f64 = 0.95;
/// More answers to each problem are drawn, not made in runs.
const MOST_ANSWERS: u32 = 64;

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let field = field(pair, |name| NUMBERING.contains(&name));
    let rater = self::field(pair, has_own_marks);
    let tables = pair.tables.iter().zip(pair.cells_by_table());
    let found = tables.filter_map(|(tables, cells)| {
        let by_ids = || word_of_ids(tables.baseline).filter(|_| field.is_none());
        let (together, field) = match (field.or_else(by_ids), rater) {
            (Some(field), _) => ("runs", field),
            (None, rater) => ("raters", rater?),
        };
        let cell = cells.into_iter().find(|cell| {
            cell.is_judged()
                && if together == "runs" { go_together(cell) } else { prefer_arms(cell, tables) }
        })?;
        let finding = about(Code::AnswersOfRuns, tables)
            .with("together", together)
            .with("field", field)
            .with("metric", cell.key.metric.as_str())
            .at(tables.candidate.source(0, field).location());
        Some(finding)
    });
    found.collect()
}

/// The first field of both runs with such a name: one that numbers answers, or says who rated them.
fn field<'a>(pair: &RunPair<'a>, is_meant: fn(&str) -> bool) -> Option<&'a str> {
    let [mine, theirs] = PairArm::BOTH.map(|which| &pair.run(which).content.sample_fields);
    let mut names = mine.iter().filter(|name| theirs.contains(*name)).map(String::as_str);
    names.find(|name| is_meant(name))
}

/// The word before the numbers of runs in ids of which nearly all stand under each of these numbers.
fn word_of_ids(table: &SampleTable) -> Option<&'static str> {
    let word = RunOfId::of(table.id(0))?.word;
    let runs = (0..table.len()).filter_map(|row| RunOfId::of(table.id(row)));
    let runs: Vec<RunOfId<'_>> = runs.filter(|run| run.word == word).collect();
    let count = |of: fn(&RunOfId<'_>) -> String| runs.iter().map(of).collect::<BTreeSet<_>>().len();
    let (stems, numbers) = (count(|run| run.stem.to_owned()), count(|run| run.number.to_owned()));
    let are_several = (2..=MOST_ANSWERS as usize).contains(&numbers) && stems > 1;
    let is_grid = runs.len() as f64 >= MOSTLY * (stems * numbers).max(table.len()) as f64;
    (are_several && is_grid).then_some(word)
}

/// Scores under ids that name runs, by the rest of the id and the run.
fn values_by_ids(samples: &SampledSide<'_>, arm: u32) -> Vec<CrossedValue> {
    let (mut stems, mut numbers) = (IndexSet::new(), IndexSet::new());
    let value = |row: usize| {
        let run = RunOfId::of(samples.table.id(row))?;
        let value = samples.score(row)?;
        let [cluster, group] = [stems.insert_full(run.stem).0, numbers.insert_full(run.number).0]
            .map(|place| 2 * place as u32 + arm);
        Some(CrossedValue { cluster, group, value })
    };
    samples.rows().filter_map(value).collect()
}

/// Whether the answers of one place among those to their problem are alike beyond chance, in both arms
/// together.
fn go_together(cell: &CellPair<'_>) -> bool {
    let mut values = Vec::new();
    for (arm, which) in PairArm::BOTH.into_iter().enumerate() {
        let Some(samples) = &cell.side(which).samples else { return false };
        let Some(answers) = samples.table.answers() else {
            values.extend(values_by_ids(samples, arm as u32));
            continue;
        };
        let (fewest, most) = answers.range();
        if fewest != most || most > MOST_ANSWERS {
            return false;
        }
        let scored = (0..answers.counts().len() as u32 * most)
            .filter_map(|answer| Some((answer, samples.answer_score(answer as usize)?)));
        values.extend(scored.map(|(answer, value)| CrossedValue {
            cluster: 2 * (answer / most) + arm as u32,
            group: 2 * (answer % most) + arm as u32,
            value,
        }));
    }
    intraclass_across(&mut values, LEVEL).is_some_and(|found| found.lower > 0.0)
}

/// Whether the differences at one place among the marks of their sample, which is one rater's in either
/// arm, are alike beyond chance. What a rater does in both arms is no difference.
fn prefer_arms(cell: &CellPair<'_>, tables: &TablePair<'_>) -> bool {
    let [Some(mine), Some(theirs)] = PairArm::BOTH.map(|which| cell.side(which).samples.as_ref())
    else {
        return false;
    };
    let ranges = [mine, theirs].map(|side| side.table.answers().map(Answers::range));
    let [Some((fewest, most)), Some(others)] = ranges else { return false };
    if fewest != most || others != (fewest, most) || most > MOST_ANSWERS {
        return false;
    }
    let places = tables.join.pairs.iter().zip(0..).flat_map(|(&(a, b), cluster)| {
        let score = |side: &SampledSide<'_>, row, at| side.answer_score((row * most + at) as usize);
        (0..most).filter_map(move |group| {
            let value = score(theirs, b, group)? - score(mine, a, group)?;
            Some(CrossedValue { cluster, group, value })
        })
    });
    let mut differences: Vec<CrossedValue> = places.collect();
    intraclass_across(&mut differences, LEVEL).is_some_and(|found| found.lower > 0.0)
}
