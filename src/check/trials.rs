//! Answers that a field numbers, and which are better or worse together where the number is one: those
//! of several runs, which are averaged as if they were answers of one.

use super::samples::about;
use crate::diag::{Code, Diagnostic};
use crate::pairing::{CellPair, PairArm, RunPair};
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
/// More answers to each problem are drawn, not made in runs.
const MOST_ANSWERS: u32 = 64;

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let Some(field) = field(pair) else { return Vec::new() };
    let tables = pair.tables.iter().enumerate();
    let found = tables.filter_map(|(index, tables)| {
        let mut cells = pair.cells.iter().filter(|cell| cell.table == Some(index));
        let cell = cells.find(|cell| cell.is_judged() && go_together(cell))?;
        let finding = about(Code::AnswersOfRuns, tables)
            .with("field", field)
            .with("metric", cell.key.metric.as_str())
            .at(tables.candidate.source(0, field).location());
        Some(finding)
    });
    found.collect()
}

/// The field that numbers the answers of both runs.
fn field<'a>(pair: &RunPair<'a>) -> Option<&'a str> {
    let [mine, theirs] = PairArm::BOTH.map(|which| &pair.run(which).content.sample_fields);
    let mut names = mine.iter().filter(|name| theirs.contains(*name)).map(String::as_str);
    names.find(|name| NUMBERING.contains(name))
}

/// Whether the answers of one place among those to their problem are alike beyond chance, in both arms
/// together.
fn go_together(cell: &CellPair<'_>) -> bool {
    let mut values = Vec::new();
    for (arm, which) in PairArm::BOTH.into_iter().enumerate() {
        let Some(samples) = &cell.side(which).samples else { return false };
        let Some(answers) = samples.table.answers() else { return false };
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
