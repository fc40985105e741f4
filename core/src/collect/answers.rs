//! Several answers to each problem made one row each, and what has to be said about that.

use crate::diag::{Code, Diagnostic, Location};
use crate::model::{Answers, SampleTable};

/// Averages the answers to each problem, where the table holds several.
pub(super) fn collapse_answers(table: &mut SampleTable) -> Vec<Diagnostic> {
    let Some(collapsed) = table.collapsed() else { return Vec::new() };
    *table = collapsed;
    let Some(answers) = table.answers() else { return Vec::new() };
    let averaged = match answers.range() {
        (fewest, most) if fewest == most => {
            about(Code::RepeatedSamples, table).with("k", u64::from(most))
        }
        (fewest, most) => {
            let fewer = answers.counts().iter().filter(|&&count| count < most).count();
            about(Code::UnevenAnswers, table)
                .with("fewest", u64::from(fewest))
                .with("most", u64::from(most))
                .with("fewer", fewer)
        }
    };
    let averaged = averaged.at(Location::file(table.path.as_ref()));
    [averaged].into_iter().chain(partly_scored(table, answers)).collect()
}

/// The metric with most problems of which only some answers have a score.
fn partly_scored(table: &SampleTable, answers: &Answers) -> Option<Diagnostic> {
    let partial = answers.columns().iter().filter(|(_, within)| within.partial > 0);
    // Of equals `max_by_key` takes the last, and the first is meant.
    let (metric, within) = partial.rev().max_by_key(|(_, within)| within.partial)?;
    Some(
        about(Code::PartlyScored, table)
            .metric(metric)
            .with("metric", metric.as_str())
            .with("count", within.partial)
            .at(table.source(within.first_partial, metric).location()),
    )
}

fn about(code: Code, table: &SampleTable) -> Diagnostic {
    Diagnostic::new(code).about_dataset(table.dataset.as_deref()).with("ids", table.len())
}
