//! Several answers to each problem made one row each, and what has to be said about that.

use crate::diag::{Code, Diagnostic, Explanation, Location};
use crate::model::{Answers, SampleTable};

/// Averages the answers to each problem, where the table holds several.
pub(super) fn collapse(table: &mut SampleTable) -> Vec<Diagnostic> {
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
    Diagnostic::new(code).of_dataset(table.dataset.as_deref()).with("ids", table.len())
}

pub(super) const EXPLAINED: &[Explanation] = &[
    Explanation::new(
        Code::RepeatedSamples,
        "More than half of the ids of one file have several records over the same content that \
         do not merely repeat each other, and every id has the same number K of them. They are K \
         answers to each problem; their scores are averaged, so that n counts problems. Records \
         in several files, or over different content, are never taken for answers to one \
         problem.",
        "K answers to one problem are one observation of that problem. Counted as K samples, \
         intervals come out too narrow by up to a factor of √K, and noise is reported as a \
         finding.",
    ),
    Explanation::new(
        Code::UnevenAnswers,
        "As `R120`, but the problems do not all have the same number of answers. What there is \
         was averaged, and the finding tells the fewest, the most, and how many problems have \
         fewer than the most. A file in which most ids occur once holds repetitions instead \
         (`R104`, `R105`).",
        "Answers are lost where generation or scoring failed, which happens more often on hard \
         problems. An average over the answers that came through can flatter the run, and \
         problems with few answers are noisier than the others.",
    ),
    Explanation::new(
        Code::PartlyScored,
        "Some answers to a problem have a score in a metric and others have none. The problem \
         then has no mean of that metric and counts as lost. Only the metric with most such \
         problems is told. A problem without any scored answer is not meant; it is lost as every \
         sample without a score is (`R222`).",
        "Averaging the answers that have a score would raise the figure of a run whose answers \
         fail to be scored. Dropping the problem can do the same, so the report shows how far \
         the lost problems could move the result.",
    ),
];
