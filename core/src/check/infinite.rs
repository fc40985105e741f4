//! Figures that are infinite because a score is.

use crate::diag::{Code, Diagnostic};
use crate::pairing::{PairArm, RunPair, SampledSide};

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for cell in &pair.cells {
        for which in PairArm::BOTH {
            let metric = &cell.key.metric;
            let Some(samples) = cell.side(which).samples.as_ref() else { continue };
            let Some(first) = first_infinite(samples) else { continue };
            found.push(
                Diagnostic::new(Code::InfiniteScores)
                    .about_run(&pair.run(which).id)
                    .dataset(cell.key.dataset.as_deref())
                    .about_metric(metric)
                    .with("cell", cell.key.to_string())
                    .with("count", samples.infinite)
                    .with("total", samples.scored)
                    .at(samples.table.source(first, metric).location()),
            );
        }
    }
    found
}

/// The row of the first infinite score that counts.
fn first_infinite(samples: &SampledSide<'_>) -> Option<usize> {
    let is_infinite = |row: &usize| samples.ranked_score(*row).is_some_and(f64::is_infinite);
    (samples.infinite > 0).then(|| samples.rows().find(is_infinite)).flatten()
}
