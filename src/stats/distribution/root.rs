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
    fn the_boundary_is_found_to_the_last_float_from_either_side() {
        assert_eq!(boundary(0.0, 1.0, |x| x <= 0.3), 0.3);
        assert_eq!(boundary(1.0, 0.0, |x| x >= 0.3), 0.3);
    }
}
