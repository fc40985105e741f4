//! What a reader must know about an interval and a test that stand side by side. A result is
//! significant when p < α: a p of just α is not, and a test that cannot give less cannot reach α.

use crate::stats::{Interval, Note, Test};

/// [`Note::Unattainable`] and [`Note::Borderline`] where they hold.
pub(super) fn notes(interval: Option<Interval>, test: Option<Test>, alpha: f64) -> Vec<Note> {
    let Some(test) = test else {
        return Vec::new();
    };
    let mut notes = Vec::new();
    if test.attainable.is_some_and(|attainable| attainable >= alpha) {
        notes.push(Note::Unattainable);
    }
    if interval.is_some_and(|interval| interval.excludes(0.0) != (test.p < alpha)) {
        notes.push(Note::Borderline);
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_p_of_just_the_level_is_not_significant() {
        let test = Test { method: "", p: 0.0625, statistic: None, attainable: Some(0.0625) };
        let interval = |lo| Some(Interval { lo, hi: 1.0, level: 0.9375 });
        let found = |lo, alpha| notes(interval(lo), Some(test), alpha);
        assert_eq!(found(0.0, 0.0625), [Note::Unattainable]);
        assert_eq!(found(0.1, 0.0625), [Note::Unattainable, Note::Borderline]);
        assert_eq!(found(0.1, 0.07), []);
    }
}
