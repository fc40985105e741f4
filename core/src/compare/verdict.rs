//! Verdicts and their reasons, derived from the statistics of a difference, for cells and for averages
//! over datasets.
//!
//! Knows neither cells nor samples; what missing scores would change is asked elsewhere.

use super::{Adjusted, CompareOptions, NonInferiorityShown};
use crate::diag::Code;
use crate::model::{Direction, MetricRole};
use crate::stats::Interval;

/// What can be said about a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Better,
    Worse,
    /// The difference is smaller than the declared margin.
    Equivalent,
    /// The data do not decide between better, worse and equivalent.
    Inconclusive,
    /// Every outcome is the same.
    Identical,
    /// No verdict is possible; the reason says why.
    NotAssessable,
}

impl Verdict {
    /// All verdicts, the most important for a reader first.
    pub const WORST_FIRST: [Self; 6] = [
        Self::Worse,
        Self::Better,
        Self::Inconclusive,
        Self::Equivalent,
        Self::Identical,
        Self::NotAssessable,
    ];

    /// Whether the figures differ for better or worse.
    pub fn is_decided(self) -> bool {
        matches!(self, Self::Better | Self::Worse)
    }

    /// Its place in [`Self::WORST_FIRST`].
    pub fn urgency(self) -> usize {
        Self::WORST_FIRST.iter().take_while(|verdict| **verdict != self).count()
    }

    /// What is said of the arms in the other order.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Better => Self::Worse,
            Self::Worse => Self::Better,
            same => same,
        }
    }

    /// The name in `report.json` and in the catalogue.
    pub fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Equivalent => "equivalent",
            Self::Inconclusive => "inconclusive",
            Self::Identical => "identical",
            Self::NotAssessable => "not-assessable",
        }
    }
}

/// Why there is no verdict, or no firmer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerdictReason {
    MissingValue,
    /// The number of samples behind a figure is not known.
    SizeUnknown,
    /// The figure is not an average of per-sample scores within known bounds.
    NotAnAverage,
    /// No samples can give a stated figure with its n, or its standard error.
    ImpossibleFigure,
    /// Nobody declared which way is good.
    DirectionUnknown,
    /// A change of this metric has no good side.
    Neutral,
    /// It is the total of figures beside it, which are the evidence.
    TotalOfParts,
    /// Samples that share the value of a field differ alike, and taken as clusters they do not
    /// establish it.
    HiddenClusters,
    /// A finding blocks the verdict.
    Blocked(Code),
    TooFew,
    /// The metric measures the cost of answers, and is only described.
    Cost,
    /// The metric is a part of another one, and is only described.
    Breakdown,
    /// A guard that is not worse; whether it is better is not asked.
    GuardHeld,
    /// It would be a difference, had the primary metrics shown one.
    AfterPrimary,
    /// It would be a difference if it were the only one tested.
    LostToFamily,
    /// Samples without a score or partner could undo the difference.
    MissingCouldUndo,
    /// A score is infinite, so the mean is, and the order of the scores does not show the same.
    InfiniteScores,
    /// No outcome of this design could have reached α, alone or in its family.
    OutOfReach,
    /// There is no test for this design that may be looked at again and again.
    NoAnytimeMethod,
    /// One arm has a single training, the other several.
    OneSeed,
    /// Not every run of an arm has the figure.
    SeedMissing,
    /// The figures of neither arm vary between its trainings.
    NoSpread,
    /// Another run of the baseline could differ as much.
    WithinNoise,
    /// Another run of the baseline could move the figure out of the margin.
    NoiseBeyondMargin,
    /// The differences are so skewed, or so alike, that it would take this many pairs.
    TooSkewed(u64),
}

impl VerdictReason {
    pub fn key(self) -> &'static str {
        match self {
            Self::MissingValue => "missing-value",
            Self::SizeUnknown => "size-unknown",
            Self::NotAnAverage => "not-an-average",
            Self::ImpossibleFigure => "impossible-figure",
            Self::DirectionUnknown => "direction-unknown",
            Self::Neutral => "neutral",
            Self::Blocked(_) => "blocked",
            Self::HiddenClusters => "hidden-clusters",
            Self::TotalOfParts => "total-of-parts",
            Self::TooFew => "too-few",
            Self::Cost => "cost",
            Self::Breakdown => "breakdown",
            Self::GuardHeld => "guard-held",
            Self::AfterPrimary => "after-primary",
            Self::LostToFamily => "lost-to-family",
            Self::MissingCouldUndo => "missing-could-undo",
            Self::InfiniteScores => "infinite-scores",
            Self::OutOfReach => "out-of-reach",
            Self::NoAnytimeMethod => "no-anytime-method",
            Self::OneSeed => "one-seed",
            Self::SeedMissing => "seed-missing",
            Self::NoSpread => "no-spread",
            Self::WithinNoise => "within-noise",
            Self::NoiseBeyondMargin => "noise-beyond-margin",
            Self::TooSkewed(_) => "too-skewed",
        }
    }

    /// Whether the role of the metric alone keeps it from a verdict.
    pub fn is_by_role(self) -> bool {
        matches!(self, Self::Cost | Self::Breakdown)
    }

    /// What is said in place of the verdict, as the end of a key of the catalogue: that the role asks
    /// for none, or that a guard holds.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::Cost | Self::Breakdown => Some("described"),
            Self::GuardHeld => Some("not-worse"),
            _ => None,
        }
    }

    /// The name in `report.json`, with the code of the finding that takes the verdict.
    pub fn tag(self) -> String {
        match self {
            Self::Blocked(code) => format!("blocked: {code}"),
            other => other.key().to_owned(),
        }
    }
}

/// What a difference is judged by, that of a cell as that of an average over datasets.
#[derive(Debug)]
pub(super) struct VerdictGrounds {
    /// Why there is no verdict, whatever the figures say.
    pub(super) refused: Option<VerdictReason>,
    pub(super) direction: Direction,
    pub(super) role: Option<MetricRole>,
    /// Whether every outcome is the same in both arms.
    pub(super) all_equal: bool,
    /// The test result of the difference, if there is a test.
    pub(super) delta: Option<f64>,
    pub(super) p: Option<f64>,
    /// The result after adjustment for all tests of its family.
    pub(super) adjusted: Option<Adjusted>,
    pub(super) interval: Option<Interval>,
    /// The reason to give if nothing is established for lack of a test or an interval.
    pub(super) untested: VerdictReason,
    /// The margin, and the interval at 1 − 2α that has to lie inside.
    pub(super) margin: Option<(f64, Interval)>,
    /// What is shown of non-inferiority within the margin.
    pub(super) shown: Option<NonInferiorityShown>,
    /// How often two runs of one configuration lie as far apart as the arms, and how far another
    /// run of the baseline could move the difference.
    pub(super) noise: Option<(f64, f64)>,
}

/// Reasons to reject what the samples establish.
#[derive(Debug, Clone, Copy)]
pub(super) struct Challenges {
    /// Whether it holds as well with every missing score against it.
    pub(super) survives: bool,
    /// Whether it does not hold where samples that share the value of a field are a cluster.
    pub(super) hidden_clusters: bool,
    /// Pairs that it would take, where the differences are too skewed for it.
    pub(super) too_skewed: Option<u64>,
}

/// What the samples with a score in both arms establish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Established {
    Difference,
    Equivalence,
}

impl VerdictGrounds {
    /// A margin is judged by the interval at 1 − 2α (two one-sided tests) and comes first: a real
    /// difference inside it does not matter by declaration. Before a difference is called one, the
    /// adjusted p and the interval both have to agree.
    pub(super) fn established(&self, options: &CompareOptions) -> Option<Established> {
        if self.refused.is_some() {
            return None;
        }
        if self.margin.is_some_and(|(margin, interval)| interval.is_within(margin)) {
            return Some(Established::Equivalence);
        }
        let is_significant =
            self.adjusted?.p < options.stats.alpha && self.interval_excludes_zero(options);
        is_significant.then_some(Established::Difference)
    }

    /// The verdict on what is established, and the reason where one is needed.
    pub(super) fn verdict(
        &self,
        established: Option<Established>,
        challenges: Challenges,
        options: &CompareOptions,
    ) -> (Verdict, Option<VerdictReason>) {
        match self.verdict_ignoring_hidden_clusters(established, challenges, options) {
            (Verdict::Better | Verdict::Worse | Verdict::Equivalent, _)
                if challenges.hidden_clusters =>
            {
                (Verdict::Inconclusive, Some(VerdictReason::HiddenClusters))
            }
            decided => decided,
        }
    }

    /// The same where no field hides clusters.
    fn verdict_ignoring_hidden_clusters(
        &self,
        established: Option<Established>,
        Challenges { survives, too_skewed, .. }: Challenges,
        options: &CompareOptions,
    ) -> (Verdict, Option<VerdictReason>) {
        if self.refused.is_some() {
            return (Verdict::NotAssessable, self.refused);
        }
        let Some(delta) = self.delta else {
            return (Verdict::NotAssessable, Some(VerdictReason::TooFew));
        };
        if self.all_equal {
            return (Verdict::Identical, None);
        }
        match self.role {
            Some(MetricRole::Cost) => return (Verdict::NotAssessable, Some(VerdictReason::Cost)),
            Some(MetricRole::Breakdown | MetricRole::Bookkeeping) => {
                return (Verdict::NotAssessable, Some(VerdictReason::Breakdown));
            }
            Some(MetricRole::Guard) => {
                if let Some(shown) = self.shown {
                    return guarded(shown, established.filter(|_| survives));
                }
            }
            _ => {}
        }
        let Some(established) = established else {
            return if self.adjusted.is_none() || self.interval.is_none() {
                (Verdict::NotAssessable, Some(self.untested))
            } else {
                (Verdict::Inconclusive, self.why_open(options))
            };
        };
        if !survives {
            return (Verdict::Inconclusive, Some(VerdictReason::MissingCouldUndo));
        }
        if let Some(reason) = self.rejected_by_noise(established, delta, options) {
            return (Verdict::Inconclusive, Some(reason));
        }
        if let Some(pairs) = too_skewed {
            return (Verdict::Inconclusive, Some(VerdictReason::TooSkewed(pairs)));
        }
        match (established, self.direction) {
            (Established::Equivalence, _) => (Verdict::Equivalent, None),
            (_, Direction::Unknown) => {
                (Verdict::NotAssessable, Some(VerdictReason::DirectionUnknown))
            }
            (_, direction) => match direction.sign() {
                None => (Verdict::NotAssessable, Some(VerdictReason::Neutral)),
                Some(sign) if sign * delta > 0.0 => (Verdict::Better, None),
                Some(_) => (Verdict::Worse, None),
            },
        }
    }

    /// Whether the interval excludes zero. Where there is no interval, because equal differences
    /// of scores without bounds have no spread to judge by, the test decides alone, and only where
    /// they are not too few to rule out opposite ones. It is for one look and decides nothing where
    /// verdicts have to hold at any time.
    fn interval_excludes_zero(&self, options: &CompareOptions) -> bool {
        options.anytime || self.interval.is_none_or(|interval| interval.excludes(0.0))
    }

    /// Why what the samples establish does not stand against the noise between runs of the
    /// baseline. The samples of two single runs tell nothing about other runs, so both have to
    /// establish it.
    fn rejected_by_noise(
        &self,
        established: Established,
        delta: f64,
        options: &CompareOptions,
    ) -> Option<VerdictReason> {
        let (p, reach) = self.noise?;
        let alpha = options.stats.alpha;
        match established {
            Established::Difference if p >= alpha => Some(VerdictReason::WithinNoise),
            Established::Difference => {
                let adjusted = self.adjusted.and_then(|adjusted| adjusted.noise_p);
                adjusted.is_some_and(|p| p >= alpha).then_some(VerdictReason::LostToFamily)
            }
            Established::Equivalence => {
                let (margin, _) = self.margin?;
                (delta.abs() + reach >= margin).then_some(VerdictReason::NoiseBeyondMargin)
            }
        }
    }

    fn why_open(&self, options: &CompareOptions) -> Option<VerdictReason> {
        let gain = self.delta.zip(self.direction.sign()).map_or(0.0, |(delta, sign)| sign * delta);
        if self.role == Some(MetricRole::Guard) && gain > 0.0 {
            return self.interval_excludes_zero(options).then_some(VerdictReason::GuardHeld);
        }
        if self.adjusted.is_some_and(|adjusted| adjusted.held_back)
            && self.interval_excludes_zero(options)
        {
            return Some(VerdictReason::AfterPrimary);
        }
        if self.adjusted.is_some_and(|adjusted| adjusted.out_of_reach) {
            return Some(VerdictReason::OutOfReach);
        }
        let alone = self.p.is_some_and(|p| p < options.stats.alpha);
        (alone && self.interval_excludes_zero(options)).then_some(VerdictReason::LostToFamily)
    }
}

/// The verdict on a guard with a margin: worse by the margin, or not.
fn guarded(
    shown: NonInferiorityShown,
    established: Option<Established>,
) -> (Verdict, Option<VerdictReason>) {
    match (shown, established) {
        (_, Some(Established::Equivalence)) => (Verdict::Equivalent, None),
        (NonInferiorityShown::Fail, _) => (Verdict::Worse, None),
        (NonInferiorityShown::Pass, _) => (Verdict::Inconclusive, Some(VerdictReason::GuardHeld)),
        (NonInferiorityShown::Inconclusive, _) => (Verdict::Inconclusive, None),
    }
}
