//! Scales: from values to places, with round numbers along them.

use crate::quantity;

/// A scale from a range of values to a range of places, straight or by powers of ten.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::render) struct Scale {
    pub(super) values: [f64; 2],
    pub(super) places: [f64; 2],
    pub(super) is_log: bool,
}

/// A round number along a scale.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::render) struct Tick {
    pub(in crate::render) value: f64,
    pub(in crate::render) label: String,
}

impl Scale {
    pub(super) fn straight(values: [f64; 2], places: [f64; 2]) -> Self {
        Self { values, places, is_log: false }
    }

    pub(in crate::render) fn place(&self, value: f64) -> f64 {
        let by_power = |value: f64| if self.is_log { value.log10() } else { value };
        let ([from, to], value) = (self.values.map(by_power), by_power(value));
        let [start, end] = self.places;
        let share = if to > from { (value - from) / (to - from) } else { 0.5 };
        start + share * (end - start)
    }

    /// Where a value stands, at the end of the scale where it lies beyond it.
    pub(in crate::render) fn clamped(&self, value: f64) -> f64 {
        let [from, to] = self.values;
        self.place(value.clamp(from, to))
    }

    pub(in crate::render) fn covers(&self, value: f64) -> bool {
        let [from, to] = self.values;
        (from..=to).contains(&value)
    }

    /// About so many round numbers, all with the same decimals; with signs where they are differences.
    pub(in crate::render) fn ticks(&self, count: f64, is_difference: bool) -> Vec<Tick> {
        let [from, to] = self.values;
        if self.is_log {
            return powers(from, to);
        }
        let step = round_step((to - from) / count.max(1.0));
        let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        let (first, last) = ((from / step).ceil(), (to / step).floor());
        let count = (last - first).clamp(-1.0, 1000.0) as i64;
        let ticks = (0..=count).map(|position| {
            let value = (first + position as f64) * step;
            let label = if is_difference {
                quantity::signed(value, decimals)
            } else {
                quantity::fixed(value, decimals)
            };
            Tick { value: value + 0.0, label }
        });
        ticks.collect()
    }
}

/// Each power of ten, or every second or third where there are many.
fn powers(from: f64, to: f64) -> Vec<Tick> {
    let (first, last) = (from.log10().ceil() as i32, to.log10().floor() as i32);
    let every = ((last - first) / 6 + 1).max(1);
    let shown = (first..=last).filter(|power| power % every == 0);
    let tick = |power: i32| {
        let value = quantity::power_of_ten(power);
        let label = if (-4..=5).contains(&power) {
            quantity::exact(value)
        } else {
            quantity::magnitude(value)
        };
        Tick { value, label }
    };
    shown.map(tick).collect()
}

/// The step of 1, 2 or 5 times a power of ten next to that, cut at the geometric means (Bostock, `d3-array`).
fn round_step(raw: f64) -> f64 {
    if !raw.is_finite() || raw <= 0.0 {
        return 1.0;
    }
    let power = quantity::power_of_ten(raw.log10().floor() as i32);
    let rest = raw / power;
    let factor = match rest {
        rest if rest >= 50_f64.sqrt() => 10.0,
        rest if rest >= 10_f64.sqrt() => 5.0,
        rest if rest >= 2_f64.sqrt() => 2.0,
        _ => 1.0,
    };
    factor * power
}

/// The values of a scale of these rows of values, with a twentieth of air at either end. Rows that
/// reach more than four times as far from 0 as the row in the middle do not stretch it: it ends with
/// the ninth of ten.
pub(super) fn domain(rows: &[Vec<f64>], is_difference: bool) -> [f64; 2] {
    let finite = |row: &Vec<f64>| -> Vec<f64> {
        row.iter().copied().filter(|value| value.is_finite()).collect()
    };
    let rows: Vec<Vec<f64>> = rows.iter().map(finite).collect();
    let mut values: Vec<f64> = rows.iter().flatten().copied().collect();
    if is_difference {
        values.push(0.0);
        if let Some(most) = cap(&rows) {
            for value in &mut values {
                *value = value.clamp(-most, most);
            }
        }
    }
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if lowest > highest {
        return [0.0, 1.0];
    }
    let air = match highest - lowest {
        span if span > 0.0 => span / 20.0,
        _ if highest == 0.0 => 1.0,
        _ => highest.abs() / 2.0,
    };
    [lowest - air, highest + air]
}

fn cap(rows: &[Vec<f64>]) -> Option<f64> {
    let reach = |row: &Vec<f64>| row.iter().map(|value| value.abs()).reduce(f64::max);
    let mut reaches: Vec<f64> = rows.iter().filter_map(reach).collect();
    reaches.sort_by(f64::total_cmp);
    let (median, largest) = (*reaches.get(reaches.len() / 2)?, *reaches.last()?);
    let most = *reaches.get((reaches.len() - 1) * 9 / 10)?;
    (largest > 4.0 * median && most > 0.0 && most < largest).then_some(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(from: f64, to: f64) -> Scale {
        Scale::straight([from, to], [0.0, 100.0])
    }

    #[test]
    fn a_value_stands_at_its_share_of_the_way() {
        let scale = Scale::straight([-10.0, 30.0], [100.0, 500.0]);
        for (value, place) in [(-10.0, 100.0), (0.0, 200.0), (30.0, 500.0)] {
            assert!((scale.place(value) - place).abs() < 1e-9, "{value}");
        }
        assert_eq!(scale.clamped(99.0), 500.0);
    }

    #[test]
    fn ticks_are_round_reach_zero_and_have_equal_decimals() {
        let check = |from, to, count, labels: &[&str]| {
            let ticks = scale(from, to).ticks(count, true);
            let found: Vec<&str> = ticks.iter().map(|tick| tick.label.as_str()).collect();
            assert_eq!(found, labels, "{from} {to}");
        };
        check(-11.0, 32.0, 5.0, &["-10", "0", "+10", "+20", "+30"]);
        check(-0.31, 0.02, 4.0, &["-0.3", "-0.2", "-0.1", "0.0"]);
        check(
            -1.2e-6,
            3.1e-6,
            4.0,
            &["-0.000001", "0.000000", "+0.000001", "+0.000002", "+0.000003"],
        );
    }

    #[test]
    fn powers_of_ten_stand_at_equal_distances() {
        let scale = Scale { is_log: true, ..scale(0.01, 100.0) };
        for (value, place) in [(0.01, 0.0), (0.1, 25.0), (1.0, 50.0), (100.0, 100.0)] {
            assert!((scale.place(value) - place).abs() < 1e-9, "{value}");
        }
        let labels: Vec<String> =
            scale.ticks(5.0, false).into_iter().map(|tick| tick.label).collect();
        assert_eq!(labels, ["0.01", "0.1", "1", "10", "100"]);
    }

    #[test]
    fn one_row_that_reaches_far_does_not_press_the_others_together() {
        let mut rows: Vec<Vec<f64>> = (1..=5).map(|i| vec![-f64::from(i), f64::from(i)]).collect();
        assert!((domain(&rows, true)[1] - 5.5).abs() < 1e-9);
        rows.push(vec![-2.0, 400.0]);
        let [lo, hi] = domain(&rows, true);
        assert!(lo > -6.0 && hi < 6.0, "{lo} {hi}");
    }

    #[test]
    fn a_scale_of_equal_values_or_of_none_still_has_a_width() {
        assert_eq!(domain(&[vec![0.0]], true), [-1.0, 1.0]);
        assert_eq!(domain(&[vec![]], false), [0.0, 1.0]);
        assert_eq!(domain(&[vec![4.0]], false), [2.0, 6.0]);
    }
}
