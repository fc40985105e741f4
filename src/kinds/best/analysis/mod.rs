//! Which checkpoint of a run is the best by one metric, and how surely.
//!
//! Owns the question (metric and dataset), the figure of every checkpoint, the choice, where loss
//! and metric part, and which planned evaluations are there. Knows neither files nor words; how two
//! checkpoints differ is asked of `compare`.

mod best_question;
mod coverage;
mod figures;
mod last;
mod loss;
mod optimism;

use crate::compare::{Comparison, Verdict, VerdictReason};
use crate::diag::{Code, Diagnostic};
use crate::model::{MetricNames, MetricSpec, Selection, Source};
use crate::stats::Interval;
use crate::stats::distribution::normal_upper_quantile;
use crate::stats::distribution::studentized_range::studentized_range_cdf;

pub use best_question::{
    CheckpointAxis, FoundQuestion, Question, Undecided, Wanted, count_epochs, no_question, question,
};
pub use coverage::{At, BestPlan, Evaluation, State, Tier, checkpoint_coverage, reached};
pub use figures::{
    Checkpoint, best_checkpoint, checkpoint_figures, checkpoints, figures_at_steps, mark_fragments,
    narrow_to_question,
};
pub use last::{illegible, last, unplaced};
pub use loss::{Loss, LossName, Parting, loss};
pub use optimism::{Optimism, optimism};

/// The reason of a checkpoint that was not evaluated as the best was.
pub const OTHER_SETTINGS: &str = "settings";

#[derive(Debug, Clone)]
pub struct Figure {
    pub step: f64,
    pub value: Option<f64>,
    pub n: Option<u64>,
    /// What it leaves open, in the metric's unit.
    pub ci: Option<[f64; 2]>,
    /// Whether it covers so few samples beside the others or the plan that it cannot be chosen
    /// while another one can.
    pub is_fragment: bool,
    /// Where it stood: path, line, key.
    pub source: Option<Source>,
}

/// How a checkpoint compares with the best one: its figure minus that of the best.
#[derive(Debug, Clone)]
pub struct AgainstBest {
    /// The difference, in pp for rates.
    pub delta: Option<f64>,
    pub ci: Option<Interval>,
    pub p: Option<f64>,
    /// p adjusted over all checkpoints (Holm) and for the choice of the best among them.
    pub p_adjusted: Option<f64>,
    pub method: Option<&'static str>,
    /// Samples that were paired; `None` where the figures were compared as independent ones.
    pub paired: Option<u64>,
    /// Whether it is told apart from the best; `None` where that cannot be judged.
    pub separable: Option<bool>,
    /// Why it cannot be judged: a key of the catalogue below `reason`.
    pub reason: Option<&'static str>,
}

impl AgainstBest {
    /// Whether its own interval, not adjusted, leaves out 0.
    pub fn alone(&self) -> bool {
        self.ci.is_some_and(|ci| ci.lo > 0.0 || ci.hi < 0.0)
    }
}

/// A checkpoint chosen, and what speaks for it.
#[derive(Debug, Clone)]
pub struct Choice {
    pub run: String,
    pub path: String,
    pub question: Question,
    /// What `step` means in all of this.
    pub axis: CheckpointAxis,
    pub spec: MetricSpec,
    /// Every checkpoint in the order of steps.
    pub figures: Vec<Figure>,
    pub best: usize,
    /// For every checkpoint but the best, how it compares.
    pub against: Vec<Option<AgainstBest>>,
    pub optimism: Option<Optimism>,
    pub recorded: Option<Selection>,
    /// Whether another metric decided then.
    pub recorded_by_another: bool,
    pub loss: Option<Loss>,
    pub coverage: Vec<Evaluation>,
    /// The last step that the run is known to have reached.
    pub reached: Option<f64>,
    /// What was noticed while the checkpoints were told apart.
    pub noticed: Vec<Diagnostic>,
    /// Other figures of the same dataset at each checkpoint: step, metric, value.
    pub beside: Vec<(f64, String, f64)>,
    pub level: f64,
}

impl Choice {
    pub fn chosen(&self) -> &Figure {
        &self.figures[self.best]
    }

    /// Checkpoints with the same figure as the best, the best left out.
    pub fn ties(&self) -> impl Iterator<Item = &Figure> {
        let same = self.chosen().value;
        self.rivals().filter(move |figure| figure.value.is_some() && figure.value == same)
    }

    /// The best of the others; the earliest of several.
    pub fn runner_up(&self) -> Option<&Figure> {
        figures::best_of(self.rivals(), self.spec.direction.sign()?)
    }

    /// The others that could have been chosen.
    fn rivals(&self) -> impl Iterator<Item = &Figure> {
        let others = self.figures.iter().enumerate().filter(|(at, _)| *at != self.best);
        others.map(|(_, figure)| figure).filter(|figure| !self.is_left_out(figure))
    }

    /// Steps of the others that the data tell apart from the best.
    pub fn separable(&self) -> Vec<f64> {
        self.steps_judged(Some(true))
    }

    /// Steps of the others that the data do not tell apart from the best.
    pub fn not_separable(&self) -> Vec<f64> {
        self.steps_judged(Some(false))
    }

    /// Steps of the others that cannot be compared with the best.
    pub fn unjudged(&self) -> Vec<f64> {
        self.steps_judged(None)
    }

    /// Steps that could not be chosen, because they cover too few samples.
    pub fn left_out(&self) -> Vec<f64> {
        let left_out = self.others().filter(|(figure, _)| self.is_left_out(figure));
        left_out.map(|(figure, _)| figure.step).collect()
    }

    /// Whether a checkpoint could not be chosen. Fragments can where nothing else has a figure.
    pub fn is_left_out(&self, figure: &Figure) -> bool {
        figure.is_fragment && !self.chosen().is_fragment
    }

    /// Checkpoints with a figure among which was chosen.
    pub fn candidates(&self) -> usize {
        let known = self.figures.iter().filter(|figure| figure.value.is_some());
        known.filter(|figure| !self.is_left_out(figure)).count()
    }

    fn others(&self) -> impl Iterator<Item = (&Figure, &AgainstBest)> {
        let judged = self.figures.iter().zip(&self.against);
        judged.filter_map(|(figure, against)| Some((figure, against.as_ref()?)))
    }

    fn steps_judged(&self, separable: Option<bool>) -> Vec<f64> {
        let judged = self.others().filter(|(figure, _)| !self.is_left_out(figure));
        let same = judged.filter(|(_, against)| against.separable == separable);
        same.map(|(figure, _)| figure.step).collect()
    }

    /// The earliest of the best and those that neither the adjusted test nor their own interval
    /// tells apart from it.
    pub fn earliest_fair(&self) -> &Figure {
        let others = self.figures.iter().zip(&self.against);
        let mut fair = others.filter(|(figure, against)| {
            let is_fair =
                |against: &AgainstBest| against.separable == Some(false) && !against.alone();
            against.as_ref().is_none_or(is_fair) && !self.is_left_out(figure)
        });
        fair.next().map_or_else(|| self.chosen(), |(figure, _)| figure)
    }

    pub fn findings(&self) -> Vec<Diagnostic> {
        let mut findings: Vec<Diagnostic> =
            self.recorded.iter().filter_map(|it| self.disagrees(it)).collect();
        findings.extend(coverage::unevaluated_checkpoints(self));
        findings.extend(self.noticed.iter().cloned());
        findings
    }

    /// The run says that another checkpoint is the best.
    fn disagrees(&self, recorded: &Selection) -> Option<Diagnostic> {
        if self.recorded_by_another || recorded.step == self.chosen().step {
            return None;
        }
        Some(
            Diagnostic::new(Code::OtherBestRecorded)
                .run(&self.run)
                .dataset(self.question.dataset.as_deref())
                .metric(&self.question.metric)
                .with("metric", self.question.metric.as_str())
                .with("recorded", recorded.step)
                .with("found", self.chosen().step)
                .at(recorded.source.location()),
        )
    }
}

/// Whether a record of the best checkpoint was made by another metric than that of the question.
pub fn is_by_another(recorded: &Selection, question: &Question, names: &MetricNames) -> bool {
    let named = recorded.metric.as_deref().and_then(|metric| metric.rsplit('.').next());
    named.is_some_and(|name| names.canonical(name) != question.metric)
}

/// The p of a difference from the largest of so many figures, which was chosen because it is: how
/// often the range of equally good ones is at least as wide (Tukey; Kramer 1956 where they are not
/// equally sure).
fn p_against_best(p: f64, figures: usize) -> f64 {
    let range = std::f64::consts::SQRT_2 * normal_upper_quantile(0.5 * p);
    let figures = u32::try_from(figures.max(2)).unwrap_or(u32::MAX);
    studentized_range_cdf(range, figures, f64::INFINITY).map_or(p, |below| (1.0 - below).max(p))
}

/// How the candidate of each pair compares with the best; the pairs come in the order of `order`,
/// positions among the checkpoints.
pub fn against(
    comparisons: &[Vec<Comparison<'_>>],
    order: &[usize],
    figures: &[Figure],
) -> Vec<Option<AgainstBest>> {
    let mut found: Vec<Option<AgainstBest>> = vec![None; figures.len()];
    let known = figures.iter().filter(|figure| figure.value.is_some());
    let chosen_among = known.clone().filter(|figure| !figure.is_fragment).count();
    let chosen_among = if chosen_among == 0 { known.count() } else { chosen_among };
    for (pair, at) in comparisons.iter().zip(order) {
        if let Some((comparison, place)) = pair.first().zip(found.get_mut(*at)) {
            let analysis = comparison.analysis.as_ref();
            let test = analysis.and_then(|analysis| analysis.test);
            // Without a difference there is none to be told apart.
            let has_figure = figures.get(*at).is_some_and(|figure| figure.value.is_some());
            let delta = comparison.delta.filter(|_| has_figure);
            let known = delta.is_some();
            let p_adjusted = test
                .zip(comparison.p_adjusted())
                .map(|(test, holm)| holm.max(p_against_best(test.p, chosen_among)));
            let is_chance = p_adjusted.is_some_and(|p| p >= comparison.alpha);
            *place = Some(AgainstBest {
                delta,
                ci: analysis.and_then(|analysis| analysis.interval),
                p: test.map(|test| test.p),
                p_adjusted,
                method: test.map(|test| test.method),
                paired: comparison.paired(),
                separable: match comparison.verdict {
                    Verdict::Better | Verdict::Worse => known.then_some(!is_chance),
                    Verdict::Inconclusive | Verdict::Equivalent | Verdict::Identical => {
                        known.then_some(false)
                    }
                    Verdict::NotAssessable => None,
                },
                reason: comparison
                    .reason
                    .filter(|_| comparison.verdict == Verdict::NotAssessable)
                    .map(VerdictReason::key),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The upper 5 % of the range of 10 normal figures lie beyond 4.474 (Harter 1960), a difference of
    /// 3.164 standard errors; of two figures the range is the difference.
    #[test]
    fn a_difference_from_the_best_of_ten_has_the_p_of_their_range() {
        for (p, figures, expected) in [(0.001_558, 10, 0.05), (0.03, 2, 0.03), (1.0, 10, 1.0)] {
            let found = p_against_best(p, figures);
            assert!((found - expected).abs() < 2e-4, "{p} of {figures}: {found}");
        }
        assert!(p_against_best(0.0, 5) < 1e-12);
    }
}
