//! Whether the rows of a table follow a rule by more than accident.

use super::printed::{Printed, Span};

/// What a row states, and what the rule would have there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Agreement {
    pub(super) stated: Printed,
    pub(super) span: Span,
    /// The other sign would do as well.
    pub(super) either_sign: bool,
    pub(super) fits: bool,
}

/// The largest chance that figures of any other kind agree as closely.
const MOST: f64 = 0.002;

impl Agreement {
    pub(super) fn new(stated: Printed, span: Span, either_sign: bool) -> Self {
        let fits = stated.can_be(span) || (either_sign && stated.turned().can_be(span));
        Self { stated, span, either_sign, fits }
    }

    /// How far the figure is from what the rule has.
    fn deviation(&self) -> f64 {
        let middle = self.span.middle();
        let own = (self.stated.value - middle).abs();
        if self.either_sign { own.min((self.stated.value + middle).abs()) } else { own }
    }
}

/// Whether most rows fit.
pub(super) fn most_fit(rows: &[Agreement]) -> bool {
    let fits = rows.iter().filter(|row| row.fits).count();
    fits >= 2 && 3 * fits >= 2 * rows.len()
}

/// Whether most rows fit, and figures of any other kind would hardly: the chance that all of them come as
/// close by accident, somewhere in the range of their values, for one of the rules that were tried. Rows
/// that state the same say it once.
pub(super) fn is_rule(rows: &[Agreement], tried: usize) -> bool {
    let mut fitting: Vec<&Agreement> = rows.iter().filter(|row| row.fits).collect();
    fitting.sort_by(|a, b| {
        a.stated.value.total_cmp(&b.stated.value).then(b.deviation().total_cmp(&a.deviation()))
    });
    fitting.dedup_by_key(|row| row.stated.value);
    let value = |row: Option<&&Agreement>| row.map_or(0.0, |row| row.stated.value);
    let range = value(fitting.last()) - value(fitting.first());
    let chance = |row: &&Agreement| {
        let unit = row.stated.unit();
        let signs = if row.either_sign { 2.0 } else { 1.0 };
        (signs * (2.0 * row.deviation() + unit) / (range + unit)).min(1.0)
    };
    most_fit(rows) && fitting.iter().map(chance).product::<f64>() * tried as f64 <= MOST
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows by what they state and what the rule has, both with one decimal.
    fn check(rows: &[(f64, f64)], expected: bool) {
        let row = |(value, rule): &(f64, f64)| {
            let span = Printed { value: *rule, decimals: 1 }.span();
            Agreement::new(Printed { value: *value, decimals: 1 }, span, false)
        };
        let rows: Vec<Agreement> = rows.iter().map(row).collect();
        assert_eq!(is_rule(&rows, 3), expected, "{rows:?}");
    }

    #[test]
    fn few_rows_are_enough_where_they_are_far_apart() {
        check(&[(-1.8, -1.8), (4.0, 4.0), (3.4, 4.3)], true);
        check(&[(-0.1, -0.1), (0.1, 0.1), (3.4, 4.3)], false);
        check(&[(0.5, 0.5), (0.5, 0.5), (0.5, 0.5), (0.5, 0.5)], false);
        check(&[(-1.8, -1.8), (3.0, 3.0), (3.4, 4.3), (2.0, 1.0)], false);
        check(&[(0.5, 0.6), (0.7, 0.6), (0.4, 0.5), (0.6, 0.7), (0.8, 0.7)], false);
    }
}
