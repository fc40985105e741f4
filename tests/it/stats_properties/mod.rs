//! Laws that the statistics obey on any input.

mod decisions;

use proptest::prelude::*;
use reportgen::stats::proportions::independent::{Arm, miettinen_nurminen, score_test};
use reportgen::stats::proportions::paired::mcnemar_exact;
use reportgen::stats::reported::consistent_counts;
use reportgen::stats::resampling::sign_flip::{sign_flip_interval, sign_flip_test};
use reportgen::stats::{
    Analysis, ClusterSums, Counts, Design, DifferenceSample, Moments, Options, PairedCounts,
    ReportedMean, ReportedRate, holm,
};

const LEVEL: f64 = 0.95;

fn analyse(design: &Design) -> Analysis {
    design.analyse(Options::default()).expect("data")
}

fn close(a: f64, b: f64, relative: f64) -> bool {
    (a - b).abs() <= relative * (1.0 + a.abs().max(b.abs()))
}

fn sample(pairs: &[(f64, f64)]) -> DifferenceSample {
    let mut sample = DifferenceSample::default();
    for (baseline, candidate) in pairs {
        sample.add(*baseline, *candidate);
    }
    sample
}

fn moments(values: &[f64]) -> Moments {
    let mut moments = Moments::default();
    for value in values {
        moments.add(*value);
    }
    moments
}

fn swapped(design: &Design) -> Design {
    match design {
        Design::PairedBinary(counts) => Design::PairedBinary(PairedCounts {
            gained: counts.lost,
            lost: counts.gained,
            ..*counts
        }),
        Design::PairedRanks(_) => design.clone(),
        Design::PairedReal(sample) => {
            let mut other = DifferenceSample::within(sample.bound);
            for difference in sample.all() {
                other.add(*difference, 0.0);
            }
            Design::PairedReal(other)
        }
        Design::PairedClustered(sums) => {
            let clusters = sums.clusters.iter().map(|(sum, count)| (-sum, *count)).collect();
            Design::PairedClustered(ClusterSums { bound: sums.bound, ..ClusterSums::new(clusters) })
        }
        Design::IndependentBinary { baseline, candidate } => {
            Design::IndependentBinary { baseline: *candidate, candidate: *baseline }
        }
        Design::IndependentReal { baseline, candidate } => {
            Design::IndependentReal { baseline: *candidate, candidate: *baseline }
        }
        Design::IndependentClustered { baseline, candidate } => Design::IndependentClustered {
            baseline: candidate.clone(),
            candidate: baseline.clone(),
        },
        Design::ReportedMeans { baseline, candidate } => {
            Design::ReportedMeans { baseline: *candidate, candidate: *baseline }
        }
        Design::ReportedRates { baseline, candidate } => {
            Design::ReportedRates { baseline: *candidate, candidate: *baseline }
        }
        Design::SeedsByItems { baseline, candidate } => {
            Design::SeedsByItems { baseline: candidate.clone(), candidate: baseline.clone() }
        }
        Design::PairedSeeds(sample) => {
            let Design::PairedReal(other) = swapped(&Design::PairedReal(sample.clone())) else {
                unreachable!("a paired design stays one")
            };
            Design::PairedSeeds(other)
        }
        Design::IndependentSeeds { baseline, candidate } => {
            Design::IndependentSeeds { baseline: *candidate, candidate: *baseline }
        }
    }
}

fn counts() -> impl Strategy<Value = Counts> {
    (1_u64..2000).prop_flat_map(|n| (0..=n, Just(n))).prop_map(|(x, n)| Counts { x, n })
}

fn paired_counts() -> impl Strategy<Value = PairedCounts> {
    (0_u64..300, 0_u64..40, 0_u64..40, 0_u64..300)
        .prop_filter("at least one pair", |(a, b, c, d)| a + b + c + d > 0)
        .prop_map(|(both_right, gained, lost, both_wrong)| PairedCounts {
            both_right,
            gained,
            lost,
            both_wrong,
        })
}

fn scores(sizes: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(prop_oneof![-1.0..1.0, Just(0.0), Just(0.5)], sizes)
}

/// Scores of three to six trainings over that many items.
fn seeds(items: usize) -> impl Strategy<Value = Vec<Vec<f64>>> {
    prop::collection::vec(scores(items..items + 1), 3..7)
}

fn rate() -> impl Strategy<Value = ReportedRate> {
    (0_u64..=1000, 1_u64..3000).prop_map(|(printed, n)| ReportedRate {
        share: printed as f64 / 1000.0,
        decimals: 3,
        n,
    })
}

fn mean() -> impl Strategy<Value = ReportedMean> {
    (-5.0..5.0, 0.01..2.0).prop_map(|(mean, stderr)| ReportedMean { mean, stderr })
}

fn design() -> impl Strategy<Value = Design> {
    let clusters = prop::collection::vec((-5.0..5.0, 1_u64..9), 1..60);
    prop_oneof![
        paired_counts().prop_map(Design::PairedBinary),
        scores(1..64).prop_map(|differences| {
            let pairs: Vec<(f64, f64)> = differences.iter().map(|d| (0.0, *d)).collect();
            Design::PairedReal(sample(&pairs))
        }),
        clusters.clone().prop_map(|clusters| Design::PairedClustered(ClusterSums::new(clusters))),
        (clusters.clone(), clusters).prop_map(|(baseline, candidate)| {
            Design::IndependentClustered {
                baseline: ClusterSums::new(baseline),
                candidate: ClusterSums::new(candidate),
            }
        }),
        (counts(), counts())
            .prop_map(|(baseline, candidate)| Design::IndependentBinary { baseline, candidate }),
        (scores(1..50), scores(1..50)).prop_map(|(baseline, candidate)| {
            Design::IndependentReal { baseline: moments(&baseline), candidate: moments(&candidate) }
        }),
        (rate(), rate())
            .prop_map(|(baseline, candidate)| Design::ReportedRates { baseline, candidate }),
        (mean(), mean())
            .prop_map(|(baseline, candidate)| Design::ReportedMeans { baseline, candidate }),
        (2_usize..30)
            .prop_flat_map(|items| (seeds(items), seeds(items)))
            .prop_map(|(baseline, candidate)| Design::SeedsByItems { baseline, candidate }),
        scores(6..20).prop_map(|differences| {
            let pairs: Vec<(f64, f64)> = differences.iter().map(|d| (0.0, *d)).collect();
            Design::PairedSeeds(sample(&pairs))
        }),
        (scores(2..9), scores(2..9)).prop_map(|(baseline, candidate)| {
            let (baseline, candidate) = (moments(&baseline), moments(&candidate));
            Design::IndependentSeeds { baseline, candidate }
        }),
    ]
}

proptest! {
    #[test]
    fn swapping_the_arms_negates_the_difference_and_keeps_p(design in design()) {
        let (forth, back) = (analyse(&design), analyse(&swapped(&design)));
        prop_assert!(close(forth.delta, -back.delta, 1e-12));
        prop_assert_eq!(forth.interval.is_some(), back.interval.is_some());
        if let (Some(forth), Some(back)) = (forth.interval, back.interval) {
            prop_assert!(close(forth.lo, -back.hi, 1e-9), "{:?} {:?}", forth, back);
            prop_assert!(close(forth.hi, -back.lo, 1e-9), "{:?} {:?}", forth, back);
        }
        prop_assert_eq!(forth.test.is_some(), back.test.is_some());
        if let (Some(forth), Some(back)) = (forth.test, back.test) {
            prop_assert_eq!(forth.method, back.method);
            prop_assert!(close(forth.p, back.p, 1e-10), "{:?} {:?}", forth, back);
        }
        prop_assert_eq!(forth.needed, back.needed);
    }

    #[test]
    fn an_interval_contains_its_estimate_and_p_is_above_0(design in design()) {
        let analysis = analyse(&design);
        prop_assert!(analysis.delta.is_finite());
        if let Some(interval) = analysis.interval {
            prop_assert!(interval.lo <= analysis.delta, "{:?}", analysis);
            prop_assert!(analysis.delta <= interval.hi, "{:?}", analysis);
        }
        if let Some(test) = analysis.test {
            prop_assert!(test.p > 0.0 && test.p <= 1.0, "{:?}", test);
            if let Some(attainable) = test.attainable {
                prop_assert!(attainable <= test.p * (1.0 + 1e-9), "{:?}", test);
            }
        }
        for planned in [analysis.mde, analysis.needed.map(|needed| needed as f64)] {
            prop_assert!(planned.is_none_or(|planned| planned > 0.0 && planned.is_finite()));
        }
    }

    #[test]
    fn a_higher_level_gives_a_wider_interval(design in design()) {
        let (narrow, wide) = (design.interval(0.8), design.interval(0.9));
        prop_assert!(narrow.is_some() || wide.is_none(), "{:?} {:?}", narrow, wide);
        if let (Some(narrow), Some(wide)) = (narrow, wide) {
            prop_assert!(narrow.lo <= narrow.hi);
            prop_assert!(wide.lo <= narrow.lo && narrow.hi <= wide.hi);
        }
    }

    #[test]
    fn sign_flips_of_outcomes_equal_the_exact_mcnemar_test(
        gained in 0_u64..20, lost in 0_u64..20, ties in 0_usize..10,
    ) {
        let mut differences = vec![1.0; gained as usize];
        differences.extend(vec![-1.0; lost as usize]);
        differences.extend(vec![0.0; ties]);
        let flips = sign_flip_test(&differences).expect("few enough to enumerate").p;
        let mcnemar = mcnemar_exact(PairedCounts { gained, lost, ..PairedCounts::default() });
        prop_assert!(close(flips, mcnemar, 1e-12), "{} {}", flips, mcnemar);
    }

    #[test]
    fn the_sign_flip_interval_excludes_0_when_the_test_rejects(values in scores(6..14)) {
        let test = sign_flip_test(&values).expect("few enough to enumerate");
        let interval = sign_flip_interval(&values, LEVEL).expect("enough to reject");
        prop_assert_eq!(interval.excludes(0.0), test.p <= 1.0 - LEVEL, "{:?} {:?}", interval, test);
    }

    #[test]
    fn the_score_interval_excludes_0_when_the_score_test_rejects(
        baseline in counts(), candidate in counts(),
    ) {
        let (baseline, candidate) = (Arm::from(baseline), Arm::from(candidate));
        let interval = miettinen_nurminen(baseline, candidate, LEVEL);
        let test = score_test(baseline, candidate);
        prop_assert_eq!(interval.excludes(0.0), test.p <= 1.0 - LEVEL);
    }

    #[test]
    fn holm_only_raises_keeps_the_order_and_stays_within_1(
        p in prop::collection::vec(1e-6..1.0, 1..40),
    ) {
        let adjusted = holm(&p);
        for (i, raised) in adjusted.iter().enumerate() {
            prop_assert!(p[i] <= *raised && *raised <= 1.0);
            for (j, other) in adjusted.iter().enumerate() {
                prop_assert!(p[i] > p[j] || raised <= other);
            }
        }
    }

    #[test]
    fn consistent_counts_are_those_within_half_a_unit_of_the_last_digit(
        printed in 0_u64..=1000, n in 1_u64..5000,
    ) {
        // In units of 1/(2000·n): a count k stands at 2000·k, the printed share at 2·printed·n,
        // half a unit of its last digit (0.1 %) is n.
        let apart = |k: u64| (2000 * k).abs_diff(2 * printed * n);
        let counts = consistent_counts(printed as f64 / 1000.0, 3, n);
        for k in counts.clone() {
            prop_assert!(k <= n && apart(k) <= n);
        }
        let inside = (0..=n).filter(|k| apart(*k) < n);
        prop_assert!(inside.into_iter().all(|k| counts.contains(&k)));
    }
}
