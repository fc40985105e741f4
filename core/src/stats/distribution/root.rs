//! Where a monotone condition stops holding. The only root finder of this module: bisection
//! copes with infinite statistics, steps and roots at the ends of the range alike.

/// Halvings until two ends of any range used here are neighbouring floats, or close to 0.
const HALVINGS: u32 = 100;

/// Goes from `inside`, where the condition holds, towards `outside` and returns the last point
/// seen where it still holds; `outside` itself when it holds there too.
pub(in crate::stats) fn boundary(inside: f64, outside: f64, holds: impl Fn(f64) -> bool) -> f64 {
    if holds(outside) {
        return outside;
    }
    bisect(inside, outside, holds)
}

/// As [`boundary`], when the condition is known to fail at `outside` or cannot be asked there.
pub(in crate::stats) fn bisect(inside: f64, outside: f64, holds: impl Fn(f64) -> bool) -> f64 {
    bracket(inside, outside, HALVINGS, holds).0
}

/// The last point seen where the condition holds and the first where it fails, after at most so
/// many halvings.
pub(in crate::stats) fn bracket(
    mut inside: f64,
    mut outside: f64,
    halvings: u32,
    holds: impl Fn(f64) -> bool,
) -> (f64, f64) {
    for _ in 0..halvings {
        let middle = 0.5 * (inside + outside);
        if middle == inside || middle == outside {
            break;
        }
        if holds(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    (inside, outside)
}

/// Where a function ends to rise, between two places, by its slope there and the change of the slope, which
/// is never positive: Newton's steps, and halvings where a step leaves what is still possible.
pub(in crate::stats) fn rising_to_falling(
    mut low: f64,
    mut high: f64,
    slope_and_curvature: impl Fn(f64) -> (f64, f64),
) -> f64 {
    let mut at = 0.5 * (low + high);
    for _ in 0..HALVINGS {
        let (slope, curvature) = slope_and_curvature(at);
        if slope > 0.0 {
            low = at;
        } else {
            high = at;
        }
        let step = at - slope / curvature;
        let next = if step > low && step < high { step } else { 0.5 * (low + high) };
        if next == low || next == high || (next - at).abs() <= f64::EPSILON * at.abs() {
            return next;
        }
        at = next;
    }
    at
}

/// Smallest whole number in `from..until` for which a condition holds that holds from there on;
/// `until` where it holds for none of them.
pub(in crate::stats) fn first_where(
    mut from: u64,
    mut until: u64,
    holds: impl Fn(u64) -> bool,
) -> u64 {
    while from < until {
        let middle = from + (until - from) / 2;
        if holds(middle) {
            until = middle;
        } else {
            from = middle + 1;
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_that_never_fails_gives_the_outer_end() {
        assert_eq!(boundary(0.0, -1.0, |_| true), -1.0);
    }

    #[test]
    fn the_top_of_a_concave_function_is_found_from_its_slope_inside_and_at_either_end() {
        let likelihood = |x: f64, n: f64| {
            move |share: f64| {
                let [right, wrong] = [x / share, (n - x) / (1.0 - share)];
                (right - wrong, -right / share - wrong / (1.0 - share))
            }
        };
        for (x, n) in [(3.0, 7.0), (1.0, 1e9), (999_999.0, 1e6)] {
            let found = rising_to_falling(0.0, 1.0, likelihood(x, n));
            assert!((found * n / x - 1.0).abs() < 1e-12, "{x} of {n}: {found}");
        }
        assert!(rising_to_falling(0.0, 1.0, likelihood(0.0, 5.0)) < 1e-25);
        assert!(rising_to_falling(0.0, 1.0, likelihood(5.0, 5.0)) > 1.0 - 1e-15);
    }

    #[test]
    fn the_boundary_is_found_to_the_last_float_from_either_side() {
        assert_eq!(boundary(0.0, 1.0, |x| x <= 0.3), 0.3);
        assert_eq!(boundary(1.0, 0.0, |x| x >= 0.3), 0.3);
    }
}
