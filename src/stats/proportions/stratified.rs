//! Two independent shares compared within strata, such as tasks of different difficulty.

use crate::stats::Counts;
use crate::stats::distribution::normal_two_sided_p;

/// What the strata say together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stratified {
    /// Chi-squared statistic with one degree of freedom, no continuity correction.
    pub statistic: f64,
    /// Reportable two-sided p-value.
    pub p: f64,
    /// Common odds ratio of the first arm against the second (Mantel and Haenszel 1959); `None`
    /// where its denominator is 0.
    pub odds_ratio: Option<f64>,
}

/// The test of Cochran (1954, *Biometrics* 10) and Mantel and Haenszel (1959, *Journal of the
/// National Cancer Institute* 22): whether the shares of two arms agree within every stratum, with
/// power against differences in a common direction. The variance is hypergeometric. A stratum in
/// which nothing varies adds nothing; if none varies, p is 1.
pub fn cochran_mantel_haenszel(strata: &[(Counts, Counts)]) -> Stratified {
    let (mut surplus, mut variance, mut with, mut against) = (0.0, 0.0, 0.0, 0.0);
    for (first, second) in strata {
        let [x, n, y, m] = [first.x, first.n, second.x, second.n].map(|count| count as f64);
        let (total, successes) = (n + m, x + y);
        surplus += x - n * successes / total;
        let failures = total - successes;
        variance += n * m * successes * failures / (total * total * (total - 1.0));
        with += x * (m - y) / total;
        against += (n - x) * y / total;
    }
    let z = if variance > 0.0 { surplus / variance.sqrt() } else { 0.0 };
    Stratified {
        statistic: z * z,
        p: normal_two_sided_p(z),
        odds_ratio: (against > 0.0).then(|| with / against),
    }
}
