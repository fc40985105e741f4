//! Integrals of smooth functions: Gauss and Legendre's rule on equal panels.

/// Nodes in (0, 1) and weights of the rule of sixteen points on [−1, 1]; each node stands for its
/// mirror image too (Abramowitz and Stegun 1964, table 25.4).
const HALF_RULE: [(f64, f64); 8] = [
    (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
    (0.281_603_550_779_258_9, 0.182_603_415_044_923_6),
    (0.458_016_777_657_227_4, 0.169_156_519_395_002_54),
    (0.617_876_244_402_643_7, 0.149_595_988_816_576_73),
    (0.755_404_408_355_003, 0.124_628_971_255_533_87),
    (0.865_631_202_387_831_7, 0.095_158_511_682_492_78),
    (0.944_575_023_073_232_6, 0.062_253_523_938_647_89),
    (0.989_400_934_991_649_9, 0.027_152_459_411_754_095),
];

/// ∫ f over [lo, hi] in so many equal panels.
pub(in crate::stats) fn integrate(lo: f64, hi: f64, panels: u32, f: impl Fn(f64) -> f64) -> f64 {
    nodes(lo, hi, panels).map(|(x, weight)| weight * f(x)).sum()
}

/// Abscissas and weights over [lo, hi] in so many equal panels, for several integrals at once.
pub(super) fn nodes(lo: f64, hi: f64, panels: u32) -> impl Iterator<Item = (f64, f64)> {
    let half = 0.5 * (hi - lo) / f64::from(panels.max(1));
    (0..panels).flat_map(move |panel| {
        let middle = lo + (2.0 * f64::from(panel) + 1.0) * half;
        HALF_RULE.iter().flat_map(move |&(node, weight)| {
            [(middle - half * node, half * weight), (middle + half * node, half * weight)]
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_of_degree_31_is_integrated_exactly() {
        let found = integrate(0.0, 1.0, 1, |x| 32.0 * x.powi(31) + 3.0 * x * x);
        assert!((found - 2.0).abs() < 1e-13, "{found}");
        let panels = integrate(0.0, std::f64::consts::PI, 7, f64::sin);
        assert!((panels - 2.0).abs() < 1e-13, "{panels}");
    }
}
