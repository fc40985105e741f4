//! A change of level: when it began, how large it is, and what the nights after it say.

use super::night::Night;
use super::reference::{Reference, are_equal};
use crate::stats::Interval;
use crate::stats::means::student::t_interval;

const LEVEL: f64 = 0.95;

/// How far, in log-likelihood, the best first night may lie above another one that is as good:
/// −ln(1 − √0.95). Either side of the true one the log-likelihood is a random walk whose maximum is
/// at most exponential, so that both stay below x with probability (1 − e⁻ˣ)² or more (Siegmund
/// 1988, *International Statistical Review* 56).
const AS_LIKELY: f64 = 3.676;

/// Nights in a row at the old level before a change is over.
const NIGHTS_BACK: usize = 3;

/// Standard deviations that the band of the old level reaches.
const BAND: f64 = 2.0;

/// ln 365: a change that lasts is taken for over at most once a year (Page 1954).
const EVIDENCE_BACK: f64 = 5.9;

/// What raised a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// The detector.
    Step,
    /// Nights that had all been equal, and one that is not.
    Exact,
}

/// A change of level. Places are those of nights; estimates are those of the night that raised it,
/// so that nights that follow do not move them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelChange {
    pub kind: ChangeKind,
    /// The night that raised it.
    pub raised: usize,
    /// First night at the new level: the likeliest, and the range at 95 %, which goes back to
    /// behind the last night that was measured before.
    pub start: usize,
    pub earliest: usize,
    pub latest: usize,
    /// Means of the nights before and from `start` on.
    pub before: f64,
    pub after: f64,
    /// After − before at 95 %, too far from 0 because the change was large enough to be raised.
    /// `None` of an exact change.
    pub interval: Option<Interval>,
    /// Standard deviation of a night around its level; 0 of an exact change.
    pub sd: f64,
    /// The first later night that lies nearer to the new level.
    pub confirmed: Option<usize>,
    /// The night that showed the level to be back.
    pub returned: Option<usize>,
}

impl LevelChange {
    /// A change that the detector raised at this night: a step where the squares are least
    /// (Hinkley 1970, *Biometrika* 57), among steps the way that the detector says.
    pub(super) fn step(
        reference: &Reference,
        place: usize,
        tonight: Night,
        is_rising: bool,
    ) -> Self {
        let mut nights = reference.nights().to_vec();
        nights.push((place, tonight.value));
        let n = nights.len() as f64;
        let total: f64 = nights.iter().map(|(_, y)| y).sum();
        let mean = total / n;
        let squares: f64 = nights.iter().map(|(_, y)| (y - mean).powi(2)).sum();
        let mut sum = 0.0;
        // (nights before, gain of squares, mean before, mean after)
        let mut steps: Vec<(usize, f64, f64, f64)> = Vec::new();
        for (before, (_, y)) in (1..nights.len()).zip(&nights) {
            sum += y;
            let k = before as f64;
            let (low, high) = (sum / k, (total - sum) / (n - k));
            if before > 1 && (high > low) == is_rising {
                steps.push((before, k * (n - k) / n * (high - low).powi(2), low, high));
            }
        }
        let tonight_alone = (nights.len() - 1, 0.0, reference_mean(reference), tonight.value);
        let best = steps.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
        let (before, gain, low, high) = best.unwrap_or(tonight_alone);
        let within = (squares - gain).max(0.0) / (n - 2.0);
        let variance = within.max(reference.sampling_variance(tonight.n));
        let likely = |step: &&(usize, f64, f64, f64)| gain - step.1 <= 2.0 * AS_LIKELY * variance;
        let first = steps.iter().find(likely).map_or(before, |step| step.0);
        let last = steps.iter().rfind(likely).map_or(before, |step| step.0);
        let place_of = |index: usize| nights.get(index).map_or(place, |(at, _)| *at);
        let k = before as f64;
        let stderr = (variance * (1.0 / k + 1.0 / (n - k))).sqrt();
        Self {
            kind: ChangeKind::Step,
            raised: place,
            start: place_of(before),
            earliest: place_of(first - 1) + 1,
            latest: place_of(last),
            before: low,
            after: high,
            interval: Some(t_interval(high - low, stderr, n - 2.0, LEVEL)),
            sd: variance.sqrt(),
            confirmed: None,
            returned: None,
        }
    }

    /// A night that differs from nights that had all been equal.
    pub(super) fn exact(reference: &Reference, place: usize, tonight: Night) -> Self {
        let earliest = reference.nights().last().map_or(place, |(last, _)| last + 1);
        Self {
            kind: ChangeKind::Exact,
            raised: place,
            start: place,
            earliest,
            latest: place,
            before: reference_mean(reference),
            after: tonight.value,
            interval: None,
            sd: 0.0,
            confirmed: None,
            returned: None,
        }
    }
}

fn reference_mean(reference: &Reference) -> f64 {
    let nights = reference.nights();
    nights.iter().map(|(_, y)| y).sum::<f64>() / nights.len() as f64
}

/// A change that is not over.
#[derive(Debug, Clone)]
pub(super) struct OpenChange {
    /// Which of the changes.
    pub(super) index: usize,
    /// The nights before it, which count again when the level is back.
    pub(super) held: Reference,
    nights_back: usize,
    evidence_back: f64,
}

impl OpenChange {
    pub(super) fn new(index: usize, held: Reference) -> Self {
        Self { index, held, nights_back: 0, evidence_back: 0.0 }
    }

    /// Tells the change what a later night says. The level is back after some nights in a row
    /// within the band of the old one, and not before a CUSUM of the likelihood of the old level
    /// over the new one says so: small steps leave most nights within the band.
    pub(super) fn follow(&mut self, change: &mut LevelChange, place: usize, value: f64) {
        let (from_old, from_new) = (value - change.before, value - change.after);
        if change.confirmed.is_none() && from_new.abs() < from_old.abs() {
            change.confirmed = Some(place);
        }
        let is_exact = change.sd <= 0.0;
        let is_back = if is_exact {
            are_equal(value, change.before)
        } else {
            from_old.abs() <= BAND * change.sd
        };
        let gain = if is_exact {
            EVIDENCE_BACK
        } else {
            (from_new.powi(2) - from_old.powi(2)) / (2.0 * change.sd.powi(2))
        };
        self.nights_back = if is_back { self.nights_back + 1 } else { 0 };
        self.evidence_back = (self.evidence_back + gain).max(0.0);
        if self.nights_back >= NIGHTS_BACK && self.evidence_back >= EVIDENCE_BACK {
            change.returned = Some(place);
        }
    }
}
