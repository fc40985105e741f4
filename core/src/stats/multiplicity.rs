//! Correction of p-values that are read together.

/// Holm's step-down adjustment (Holm 1979, *Scandinavian Journal of Statistics* 6): the i-th
/// smallest of m p-values is multiplied by m − i + 1, made monotone and capped at 1. Controls the
/// chance of any false claim whatever the dependence. What has no p-value is not handed in.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    let mut adjusted = vec![1.0; p.len()];
    let mut largest: f64 = 0.0;
    for (rank, &i) in order.iter().enumerate() {
        largest = largest.max((order.len() - rank) as f64 * p[i]).min(1.0);
        adjusted[i] = largest;
    }
    adjusted
}

/// A test before those that are read with it are looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AttainableP {
    pub p: f64,
    /// The smallest p that the design could have given; 0 where that is not known.
    pub attainable: f64,
}

/// A test among those that are read with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepDown {
    pub p_adjusted: f64,
    /// What a p is multiplied by before it is held against α.
    pub factor: f64,
    /// Number of tests that α is shared among.
    pub counted: usize,
    /// Whether α is shared with it at once, and not only when all that are have been rejected.
    pub is_counted: bool,
    /// Whether no p that the design could have given would have been below α, adjusted.
    pub out_of_reach: bool,
}

/// Holm's adjustment over the tests that could be rejected.
///
/// Tests whose smallest attainable p is α/K or more are left out, where K is the smallest number that
/// at most K tests can get below α/K (Tarone 1990, *Biometrics* 46). What a design can attain does not
/// depend on which way its outcomes fell, so the choice is made without looking at any p. When all of
/// the others are rejected, α goes to those left out, by the same rule: a fixed sequence of families
/// holds the chance of any false claim at α.
pub fn holm_attainable(tests: &[AttainableP], alpha: f64) -> Vec<StepDown> {
    let mut steps: Vec<Option<StepDown>> = vec![None; tests.len()];
    let mut left: Vec<usize> = (0..tests.len()).collect();
    let mut floor: f64 = 0.0;
    let mut is_counted = true;
    while !left.is_empty() {
        let limit = tarone_limit(&left, tests, alpha);
        let (mut stage, rest): (Vec<usize>, Vec<usize>) =
            left.iter().partition(|&&i| tests[i].attainable < limit);
        let is_open = !stage.is_empty();
        left = rest;
        if !is_open {
            stage = std::mem::take(&mut left);
        }
        let p: Vec<f64> = stage.iter().map(|&i| tests[i].p).collect();
        let out_of_reach = !is_open || floor >= alpha;
        let before = floor;
        for (&i, own) in stage.iter().zip(holm(&p)) {
            floor = floor.max(own);
            steps[i] = Some(StepDown {
                p_adjusted: own.max(before),
                factor: if tests[i].p > 0.0 { own / tests[i].p } else { 1.0 },
                counted: stage.len(),
                is_counted: is_counted && is_open,
                out_of_reach,
            });
        }
        is_counted = false;
    }
    steps.into_iter().flatten().collect()
}

/// Tarone's α/K over some of the tests.
fn tarone_limit(among: &[usize], tests: &[AttainableP], alpha: f64) -> f64 {
    let below = |limit: f64| among.iter().filter(|&&i| tests[i].attainable < limit).count();
    let limits = (1..=among.len()).map(|k| (k, alpha / k as f64));
    let found = limits.filter(|&(k, limit)| below(limit) <= k).map(|(_, limit)| limit).next();
    found.unwrap_or(alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_p_values_nothing_is_adjusted() {
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn one_p_value_stays_as_it_is() {
        for p in [0.0, 0.03125, 1.0] {
            assert_eq!(holm(&[p]), [p]);
        }
    }

    fn adjusted(tests: &[(f64, f64)]) -> Vec<StepDown> {
        let tests: Vec<AttainableP> =
            tests.iter().map(|&(p, attainable)| AttainableP { p, attainable }).collect();
        holm_attainable(&tests, 0.05)
    }

    #[test]
    fn a_test_that_cannot_be_rejected_costs_the_others_nothing() {
        // No discordant pair: 1 is the only p.
        for others in 0..5 {
            let mut tests = vec![(0.03, 0.0)];
            tests.extend(std::iter::repeat_n((1.0, 1.0), others));
            let found = adjusted(&tests);
            assert_eq!((found[0].p_adjusted, found[0].counted), (0.03, 1), "{others}");
            assert!(found[1..].iter().all(|one| one.out_of_reach && !one.is_counted));
        }
    }

    #[test]
    fn five_flips_out_of_five_are_out_of_reach_and_six_only_beside_an_open_test() {
        // Five discordant pairs: 0.0625 is the smallest p. Six: 0.03125, too large for two tests
        // unless the other one is rejected first.
        for (attainable, others, reachable) in [
            (0.0625, &[][..], false),
            (0.031_25, &[], true),
            (0.031_25, &[0.4], false),
            (0.031_25, &[0.001], true),
            (0.031_25, &[0.03], true),
        ] {
            let mut tests = vec![(0.5, attainable)];
            tests.extend(others.iter().map(|&p| (p, 0.0)));
            let found = adjusted(&tests);
            assert_eq!(!found[0].out_of_reach, reachable, "{attainable} beside {others:?}");
        }
    }

    #[test]
    fn with_every_p_attainable_it_is_holm() {
        let p = [0.01, 0.04, 0.03, 0.005, 0.5];
        let tests: Vec<(f64, f64)> = p.iter().map(|&p| (p, 0.0)).collect();
        let found: Vec<f64> = adjusted(&tests).iter().map(|one| one.p_adjusted).collect();
        assert_eq!(found, holm(&p));
    }

    #[test]
    fn the_limit_is_that_of_tarone() {
        // Attainable p-values 0.01, 0.02, 0.03 and 1 at 0.05: three are below 0.05, two below 0.025,
        // so K is 2 and the third is left out.
        let found = adjusted(&[(0.01, 0.01), (0.02, 0.02), (0.03, 0.03), (1.0, 1.0)]);
        let counted: Vec<bool> = found.iter().map(|one| one.is_counted).collect();
        assert_eq!(counted, [true, true, false, false]);
        // 2 × 0.01, 0.02, then the third alone.
        let p: Vec<f64> = found.iter().map(|one| one.p_adjusted).collect();
        assert_eq!(p[..3], [0.02, 0.02, 0.03]);
    }
}
