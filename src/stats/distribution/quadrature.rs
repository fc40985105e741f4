//! Integrals of smooth functions: Gauss and Legendre's rule on equal panels.

/// Nodes in (0, 1) and weights of the rule of twelve points on [−1, 1]; each node stands for its
/// mirror image too (Abramowitz and Stegun 1964, table 25.4).
const HALF_RULE: [(f64, f64); 6] = [
    (0.125_233_408_511_468_9, 0.249_147_045_813_402_8),
    (0.367_831_498_998_180_2, 0.233_492_536_538_354_8),
    (0.587_317_954_286_617_5, 0.203_167_426_723_065_92),
    (0.769_902_674_194_304_7, 0.160_078_328_543_346_23),
    (0.904_117_256_370_474_9, 0.106_939_325_995_318_43),
    (0.981_560_634_246_719_2, 0.047_175_336_386_511_83),
];

/// ∫ f over [lo, hi] in so many equal panels.
pub(super) fn integrate(lo: f64, hi: f64, panels: u32, f: impl Fn(f64) -> f64) -> f64 {
    let half = 0.5 * (hi - lo) / f64::from(panels);
    let panel = |index: u32| {
        let middle = lo + (2.0 * f64::from(index) + 1.0) * half;
        let pair = |(node, weight): &(f64, f64)| {
            weight * (f(middle - node * half) + f(middle + node * half))
        };
        HALF_RULE.iter().map(pair).sum::<f64>()
    };
    half * (0..panels).map(panel).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_of_degree_23_is_integrated_exactly() {
        let found = integrate(0.0, 1.0, 1, |x| 24.0 * x.powi(23) + 3.0 * x * x);
        assert!((found - 2.0).abs() < 1e-13, "{found}");
        let panels = integrate(0.0, std::f64::consts::PI, 7, f64::sin);
        assert!((panels - 2.0).abs() < 1e-13, "{panels}");
    }
}
