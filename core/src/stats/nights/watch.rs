//! The nights one by one, each held against those before it.

use super::change::{LevelChange, OpenChange};
use super::detector::Detector;
use super::night::{AlarmBudget, Night};
use super::reference::{Expected, Reference, Residual};

/// What the nights before a night, and the night itself, come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NightScore {
    /// Accepted changes before it.
    pub segment: usize,
    /// What the nights before it let expect; `None` while there are too few.
    pub expected: Option<Expected>,
    /// Standard normal while the level does not change; `None` of a night that is missing, has too
    /// few before it, or differs from nights that were all equal.
    pub residual: Option<f64>,
    /// ln of the detector behind the night; raised at [`AlarmBudget::log_threshold`].
    pub log_detector: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct WatchedNights {
    /// One for each night.
    pub scores: Vec<NightScore>,
    /// In the order in which they were raised.
    pub changes: Vec<LevelChange>,
}

/// Watches the nights of one metric, in order; `None` is a night without a figure. A segment begins
/// at each place of `starts`: an accepted change, or another measure. What is said of a night depends
/// on nights after it only in what became of a change.
///
/// While a change is open, the nights behind the one that raised it are a reference of their own, so
/// that a further change is seen; when the level is back, the nights before the change are the
/// reference again.
pub fn watch_nights(
    nights: &[Option<Night>],
    starts: &[usize],
    budget: AlarmBudget,
) -> WatchedNights {
    let mut watch = Watch::new(budget);
    let mut scores = Vec::with_capacity(nights.len());
    for (place, night) in nights.iter().enumerate() {
        if starts.contains(&place) {
            watch.start_segment();
        }
        let segment = watch.segment;
        let score = night.map(|night| watch.add(place, night));
        let nothing = NightScore { segment, expected: None, residual: None, log_detector: None };
        scores.push(score.unwrap_or(nothing));
    }
    WatchedNights { scores, changes: watch.changes }
}

struct Watch {
    budget: AlarmBudget,
    segment: usize,
    reference: Reference,
    detector: Detector,
    changes: Vec<LevelChange>,
    /// Changes that are not over, oldest first.
    open: Vec<OpenChange>,
}

impl Watch {
    fn new(budget: AlarmBudget) -> Self {
        Self {
            budget,
            segment: 0,
            reference: Reference::default(),
            detector: Detector::default(),
            changes: Vec::new(),
            open: Vec::new(),
        }
    }

    fn start_segment(&mut self) {
        self.segment += 1;
        self.reference = Reference::default();
        self.detector = Detector::default();
        self.open.clear();
    }

    fn add(&mut self, place: usize, night: Night) -> NightScore {
        self.follow(place, night.value);
        let expected = self.reference.expected(night.n);
        let residual = self.reference.residual(place, night);
        let z = match residual {
            Some(Residual::Normal(z)) => Some(z),
            Some(Residual::Exact) | None => None,
        };
        let log_detector = z.map(|z| self.detector.add(z));
        let is_exact = residual == Some(Residual::Exact);
        if is_exact || log_detector.is_some_and(|log| log >= self.budget.log_threshold()) {
            self.raise(place, night, is_exact);
        } else {
            self.reference.push(place, night);
        }
        NightScore { segment: self.segment, expected, residual: z, log_detector }
    }

    /// Tells open changes of a night. Where the level of one is back, those after it are over too.
    fn follow(&mut self, place: usize, value: f64) {
        for open in &mut self.open {
            if let Some(change) = self.changes.get_mut(open.index) {
                open.follow(change, place, value);
            }
        }
        let is_over = |open: &OpenChange| {
            self.changes.get(open.index).is_some_and(|change| change.returned.is_some())
        };
        let Some(first) = self.open.iter().position(is_over) else { return };
        for open in self.open.split_off(first).into_iter().rev() {
            if let Some(change) = self.changes.get_mut(open.index) {
                change.returned = Some(place);
            }
            self.reference = open.held;
            self.detector = Detector::default();
        }
    }

    fn raise(&mut self, place: usize, night: Night, is_exact: bool) {
        let change = if is_exact {
            LevelChange::exact(&self.reference, place, night)
        } else {
            LevelChange::step(&self.reference, place, night, self.detector.is_rising())
        };
        let held = self.reference.until(change.start);
        self.open.push(OpenChange::new(self.changes.len(), held));
        self.changes.push(change);
        self.reference = Reference::default();
        self.detector = Detector::default();
    }
}
