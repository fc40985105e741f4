//! Everything that a report compares: cells measured, averages formed, all of their tests adjusted
//! together, each judged.

use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelIterator as _, IntoParallelRefIterator as _,
    ParallelIterator as _,
};

use super::family::{self, Families};
use super::measure::measure_cell;
use super::suite::{self, Suite};
use super::{
    CompareOptions, Comparison, MeasuredCell, Restrictions, copies, hidden, judge, neighbours,
};
use crate::model::{MetricRole, is_reward};
use crate::pairing::{ArmPair, PairedArms};

/// What a report compares.
#[derive(Debug, Default)]
pub struct Compared<'a> {
    /// One list for each pair of arms: by the role of the metric, else in cell order.
    pub comparisons: Vec<Vec<Comparison<'a>>>,
    /// Every metric on several datasets, by pair.
    pub suites: Vec<Suite<'a>>,
    /// The families of all of these tests.
    pub families: Families,
}

/// Compares every cell of every pair of arms, and averages over datasets. All tests of one call are
/// one set of families.
pub fn compare<'a>(
    paired_arms: &'a PairedArms<'a>,
    restrictions: &[Restrictions],
    options: &CompareOptions,
) -> Compared<'a> {
    let looked_at = [false, true].map(|few| hidden::count(paired_arms, few));
    let asked_of_neighbours = neighbours::count(paired_arms);
    let of_pair =
        |(pair, restrictions): (&'a ArmPair<'a>, &Restrictions)| -> Vec<MeasuredCell<'a>> {
            let cells = pair.cells.par_iter().zip(&restrictions.cells);
            cells
                .map(|(cell, ruled)| {
                    let [hidden, parts] = hidden::hidden_clusters(pair, cell, looked_at, options);
                    let measured = measure_cell(pair, cell, restrictions.identical, ruled, options);
                    let mut measured = MeasuredCell { hidden, parts, ..measured };
                    let alike =
                        neighbours::alike_neighbours(&measured, asked_of_neighbours, options);
                    measured.hidden.extend(alike);
                    measured
                })
                .collect()
        };
    let mut measured: Vec<Vec<MeasuredCell<'a>>> =
        paired_arms.pairs.iter().zip(restrictions).map(of_pair).collect();
    let hypotheses = if options.anytime {
        // Figures that are one so far may part as the run grows.
        (0..measured.iter().map(Vec::len).sum()).collect()
    } else {
        copies::hypotheses(&measured)
    };
    let averages = suite::averages(&measured, &hypotheses, options);
    suite::share_hidden(&mut measured, &averages);
    let cells = measured.iter().flatten().zip(&hypotheses);
    let mut tests: Vec<_> = cells.map(|(cell, &asks)| cell.unadjusted(asks)).collect();
    let of_averages = copies::hypotheses_of_averages(&averages, hypotheses.len());
    tests.extend(averages.iter().zip(of_averages).map(|(one, asks)| one.unadjusted(asks, options)));
    let (adjusted, families) = family::adjusted(&tests, options.stats.alpha);
    let mut adjusted = adjusted.into_iter();
    let with_adjusted = |of_pair: Vec<MeasuredCell<'a>>| -> Vec<Comparison<'a>> {
        let both: Vec<_> = of_pair.into_iter().zip(adjusted.by_ref()).collect();
        let judged = both.into_par_iter();
        let mut judged: Vec<_> =
            judged.map(|(one, adjusted)| judge::judge_comparison(one, adjusted, options)).collect();
        judged.sort_by_key(|one| {
            let role = one.cell.metric_role();
            let is_described = role.is_none() && !is_reward(&one.cell.key.metric);
            (MetricRole::rank(role), is_described)
        });
        judged
    };
    let comparisons = measured.into_iter().map(with_adjusted).collect();
    let judged = averages.into_iter().zip(adjusted);
    let suites = judged.map(|(one, adjusted)| suite::judge(one, adjusted, options)).collect();
    Compared { comparisons, suites, families }
}
