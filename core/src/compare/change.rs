//! How far a metric moved, as expectations and rules ask for it: in the unit of the difference and
//! as a share of the baseline, each with an interval that covers what the verdict allows for.

use super::Comparison;
use crate::pairing::PairArm;
use crate::stats::proportions::independent::Arm;
use crate::stats::proportions::ratio::{bonett_price_ratio, score_ratio};
use crate::stats::{Design, Interval, ReportedRate};

impl Comparison<'_> {
    /// The interval of the difference, with clusters that fields hide, pulled apart as far as samples
    /// without a score could move it, and at least as wide as runs of the baseline lie apart where
    /// that is known.
    pub fn allowed_interval(&self) -> Option<Interval> {
        let mut interval = self.with_hidden(self.analysis.as_ref()?.interval?);
        if let Some(bounds) = self.bounds {
            let moved = [bounds.worst, bounds.best].map(|at| at - bounds.completed_only);
            interval.lo += moved.into_iter().fold(0.0, f64::min);
            interval.hi += moved.into_iter().fold(0.0, f64::max);
        }
        if let (Some(noise), Some(delta)) = (&self.noise, self.delta) {
            interval = interval.covering(delta - noise.floor, delta + noise.floor);
        }
        Some(self.evidence.as_ref()?.possible(interval))
    }

    /// The interval of [`MeasuredCell::relative`](super::MeasuredCell::relative): that of the ratio of two shares, less 1. `None`
    /// for other designs than shares, where samples are missing, and where runs of the baseline tell
    /// their noise, because nothing widens a ratio by these.
    pub fn relative_interval(&self) -> Option<Interval> {
        let nothing_lost = self.bounds.is_none_or(|bounds| bounds.lost == 0);
        if !nothing_lost || self.noise.is_some() {
            return None;
        }
        let level = self.analysis.as_ref()?.interval?.level;
        let rate = |rate: ReportedRate| Arm { x: rate.share * rate.n as f64, n: rate.n as f64 };
        let ratio = match &self.evidence.as_ref()?.design {
            Design::PairedBinary(counts) => {
                self.flips().and_then(|_| bonett_price_ratio(*counts, level))
            }
            Design::IndependentBinary { baseline, candidate } => {
                score_ratio((*baseline).into(), (*candidate).into(), level)
            }
            Design::ReportedRates { baseline, candidate } => {
                score_ratio(rate(*baseline), rate(*candidate), level)
            }
            _ => None,
        }?;
        let known = self.figure(PairArm::Baseline)? > 0.0;
        known.then_some(Interval { lo: ratio.lo - 1.0, hi: ratio.hi - 1.0, level })
    }

    /// Units behind the difference: clusters where these count, else pairs, else the samples of the
    /// smaller side.
    pub fn units(&self) -> Option<u64> {
        let own = self.own_clusters().map(|[baseline, candidate]| baseline.min(candidate));
        let smaller = || Some(self.n(PairArm::Baseline)?.min(self.n(PairArm::Candidate)?));
        self.clusters().or(own).or(self.paired()).or_else(smaller)
    }
}
