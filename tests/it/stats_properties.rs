//! Laws that the statistics obey on any input.

use proptest::prelude::*;
use reportgen::stats::distribution::{fair_binomial_cdf, normal_two_sided};
use reportgen::stats::proportions::independent::{Arm, miettinen_nurminen, score_test};
use reportgen::stats::proportions::paired::{mcnemar_exact, tango_interval, tango_z};
use reportgen::stats::reported::consistent_counts;
use reportgen::stats::resampling::sign_flip::{sign_flip_interval, sign_flip_test};
use reportgen::stats::{
    Analysis, ClusterSums, Counts, Design, DifferenceSample, METHODS, Moments, Note, Options,
    PairedCounts, ReportedRate, holm, method_for,
};

const LEVEL: f64 = 0.95;

fn analyse(design: &Design) -> Analysis {
    method_for(design).expect("a method for the design").analyse(design, Options::default())
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
        Design::PairedReal(sample) => {
            let mut other = DifferenceSample::within(sample.bound);
            for difference in sample.all() {
                other.add(*difference, 0.0);
            }
            Design::PairedReal(other)
        }
        Design::PairedClustered(sums) => {
            let clusters = sums.clusters.iter().map(|(sum, count)| (-sum, *count)).collect();
            Design::PairedClustered(ClusterSums { clusters, bound: sums.bound })
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
        let method = method_for(&design).expect("a method for the design");
        let (narrow, wide) = (method.interval(&design, 0.8), method.interval(&design, 0.9));
        if let (Some(narrow), Some(wide)) = (narrow, wide) {
            prop_assert!(narrow.lo <= narrow.hi);
            prop_assert!(wide.lo <= narrow.lo && narrow.hi <= wide.hi);
        }
    }

    #[test]
    fn each_design_has_exactly_one_method(design in design()) {
        prop_assert_eq!(METHODS.iter().filter(|method| method.applies(&design)).count(), 1);
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

#[test]
fn halves_round_up_or_to_even() {
    // 1/800 = 0.125 % prints as 0.13 or 0.12, 3/800 = 0.375 % as 0.38 only.
    let rows = [(0.12, 1, true), (0.13, 1, true), (0.37, 3, false), (0.38, 3, true)];
    for (percent, count, consistent) in rows {
        let counts = consistent_counts(percent / 100.0, 4, 800);
        assert_eq!(counts.contains(&count), consistent, "{percent} % of 800: {counts:?}");
    }
}

#[test]
fn a_share_that_was_not_rounded_has_its_one_count() {
    assert_eq!(consistent_counts(86.0 / 150.0, 16, 150), 86..=86);
    assert_eq!(consistent_counts(1.0, 2, 1_000_000), 995_000..=1_000_000);
    assert!(consistent_counts(0.003, 3, 1).is_empty());
}

#[test]
fn tangos_interval_excludes_0_exactly_when_its_score_test_rejects() {
    let z = normal_two_sided(LEVEL);
    for n in 1..=25_u64 {
        for gained in 0..=n {
            for lost in 0..=(n - gained) {
                let counts =
                    PairedCounts { both_right: n - gained - lost, gained, lost, both_wrong: 0 };
                let rejected = tango_z(counts, 0.0).abs() > z;
                let interval = tango_interval(counts, LEVEL);
                assert_eq!(interval.excludes(0.0), rejected, "{counts:?} {interval:?}");
                assert!(interval.lo <= counts.delta() && counts.delta() <= interval.hi);
            }
        }
    }
}

#[test]
fn a_fair_coin_falls_either_way_half_the_time() {
    for m in [1_u64, 3, 99, 1001, 999_999] {
        assert!(close(fair_binomial_cdf(m / 2, m), 0.5, 1e-12), "{m}");
    }
}

#[test]
fn a_million_identical_outcomes_are_bounded_but_not_different() {
    let identical = PairedCounts { both_right: 1_000_000, ..PairedCounts::default() };
    let analysis = analyse(&Design::PairedBinary(identical));
    let test = analysis.test.expect("a test");
    assert_eq!((analysis.delta, test.p, test.attainable), (0.0, 1.0, Some(1.0)));
    let interval = analysis.interval.expect("an interval");
    assert!(interval.lo < 0.0 && interval.hi > 0.0 && interval.hi < 1e-5);
    assert!(analysis.mde.is_some_and(|mde| mde > 0.0 && mde < 1e-4));
    assert_eq!(analysis.needed, None);
}

#[test]
fn a_million_opposite_outcomes_have_a_p_value_above_0() {
    let opposite = PairedCounts { gained: 1_000_000, ..PairedCounts::default() };
    let analysis = analyse(&Design::PairedBinary(opposite));
    assert_eq!(analysis.test.map(|test| test.p), Some(f64::MIN_POSITIVE));
    assert_eq!(analysis.interval.map(|interval| interval.hi), Some(1.0));
    assert_eq!(analysis.notes, []);
}

#[test]
fn mcnemars_variant_follows_the_discordant_pairs_and_a_disagreement_is_borderline() {
    let rows = [
        (5, 0, "mcnemar-exact", vec![Note::Unattainable, Note::Borderline]),
        (7, 1, "mcnemar-exact", vec![Note::Borderline]),
        (8, 1, "mcnemar-exact", vec![]),
        (9, 1, "mcnemar-midp", vec![]),
        (6, 4, "mcnemar-midp", vec![]),
    ];
    for (gained, lost, method, notes) in rows {
        let counts = PairedCounts { both_right: 100, gained, lost, both_wrong: 0 };
        let analysis = analyse(&Design::PairedBinary(counts));
        assert_eq!(analysis.test.map(|test| test.method), Some(method), "{gained} {lost}");
        assert_eq!(analysis.notes, notes, "{gained} {lost}");
    }
}

#[test]
fn one_pair_gives_a_difference_and_says_that_nothing_can_be_detected() {
    let analysis = analyse(&Design::PairedReal(sample(&[(0.2, 0.7)])));
    assert!(close(analysis.delta, 0.5, 1e-12));
    assert_eq!((analysis.interval, analysis.mde), (None, None));
    assert_eq!(analysis.notes, [Note::Unattainable]);
}

#[test]
fn equal_differences_are_judged_by_sign_flips() {
    for (n, p) in [(2, 0.5), (8, 1.0 / 128.0), (50, (-49.0_f64).exp2())] {
        let analysis = analyse(&Design::PairedReal(sample(&vec![(0.7, 0.8); n])));
        let test = analysis.test.expect("a test");
        assert_eq!(test.method, "sign-flip");
        assert!((test.p / p - 1.0).abs() < 1e-12, "n = {n}: {}", test.p);
        // Without bounds of the scores nothing is known about pairs that were not seen.
        assert_eq!(analysis.interval, None, "n = {n}");
    }
}

#[test]
fn the_paired_test_and_interval_follow_the_size_of_the_sample() {
    let rows = [
        (5, "sign-flip", "sign-flip", vec![Note::Unattainable]),
        (20, "sign-flip", "sign-flip", vec![]),
        (29, "t", "sign-flip", vec![Note::NormalityAssumed]),
        (30, "t", "paired-t", vec![]),
        (200, "t", "paired-t", vec![]),
    ];
    for (n, interval, test, notes) in rows {
        let pairs: Vec<(f64, f64)> =
            (0..n).map(|i| (0.5, 0.5 + f64::from(i * 7 % 11) / 10.0 - 0.5)).collect();
        let analysis = analyse(&Design::PairedReal(sample(&pairs)));
        assert_eq!(analysis.interval_method, interval, "n = {n}");
        assert_eq!(analysis.test.map(|test| test.method), Some(test), "n = {n}");
        assert_eq!(analysis.notes, notes, "n = {n}");
    }
}

#[test]
fn skewed_differences_are_resampled_and_outliers_of_symmetric_ones_are_not() {
    let analysed = |differences: &[f64]| {
        let pairs: Vec<(f64, f64)> = differences.iter().map(|value| (0.5, 0.5 + value)).collect();
        analyse(&Design::PairedReal(sample(&pairs)))
    };
    // Quantiles of the exponential distribution, and a line with one outlier.
    let skewed: Vec<f64> = (1..=60).map(|i| -(f64::from(i) / 61.0).ln() - 0.6).collect();
    let mut outlier: Vec<f64> = (0..60).map(|i| (f64::from(i) - 29.5).cbrt()).collect();
    outlier[59] = 30.0;
    let rounded: Vec<f64> = skewed.iter().map(|value| (10.0 * value).round() / 10.0).collect();
    let rows = [
        (skewed, "bootstrap-t", "sign-flip-mc"),
        (outlier, "t", "paired-t"),
        (rounded, "bootstrap-t", "sign-flip"),
    ];
    for (differences, interval, test) in rows {
        let analysis = analysed(&differences);
        assert_eq!(analysis.interval_method, interval);
        assert_eq!(analysis.test.map(|test| test.method), Some(test));
        assert_eq!(analysis.notes.contains(&Note::MonteCarlo), test == "sign-flip-mc");
        let limits = analysis.interval.expect("an interval");
        assert!(limits.lo < analysis.delta && analysis.delta < limits.hi);

        let mirrored: Vec<f64> = differences.iter().rev().map(|value| -value).collect();
        let mirrored = analysed(&mirrored);
        let other = mirrored.interval.expect("an interval");
        assert!(close(other.lo, -limits.hi, 1e-12) && close(other.hi, -limits.lo, 1e-12));
        assert_eq!(mirrored.test.map(|test| test.p), analysis.test.map(|test| test.p));
    }
}

#[test]
fn a_handful_of_differences_among_zeros_gives_a_sane_interval() {
    const SPARSE: u32 = 6;
    for changed in 1..=12_u32 {
        let pairs: Vec<(f64, f64)> = (0..60)
            .map(|i| (0.5, if i < changed { 0.5 + f64::from(i + 1) } else { 0.5 }))
            .collect();
        let analysis = analyse(&Design::PairedReal(sample(&pairs)));
        let interval = analysis.interval.expect("an interval");
        assert!(interval.lo.is_finite() && interval.hi < f64::from(changed) + 1.0, "{analysis:?}");
        assert!(analysis.test.is_some_and(|test| test.p > 0.0), "{analysis:?}");
        // Up to six values say nothing about their skewness.
        assert_eq!(analysis.notes.contains(&Note::NormalityAssumed), changed <= SPARSE);
        assert_eq!(analysis.interval_method, if changed <= SPARSE { "t" } else { "bootstrap-t" });
    }
}

#[test]
fn the_clustered_test_follows_the_number_of_clusters() {
    for (clusters, method) in [
        (5, None),
        (6, Some("cluster-sign-flip")),
        (39, Some("cluster-sign-flip")),
        (40, Some("cluster-sign-flip")),
    ] {
        let sums = (0..clusters).map(|i| (f64::from(i * 5 % 7) - 2.5, 4)).collect();
        let analysis = analyse(&Design::PairedClustered(ClusterSums::new(sums)));
        assert_eq!(analysis.test.map(|test| test.method), method, "{clusters} clusters");
        assert_eq!(analysis.notes.contains(&Note::FewClusters), clusters < 6);
        assert!(analysis.interval.is_some());
    }
}

#[test]
fn a_printed_rate_is_read_as_counts_where_it_can_be_and_as_a_mean_score_elsewhere() {
    let rate = |share, n| ReportedRate { share, decimals: 3, n };
    let notes = |baseline, candidate| analyse(&Design::ReportedRates { baseline, candidate }).notes;
    let independent = Note::TreatedAsIndependent;
    assert_eq!(notes(rate(0.57, 200), rate(0.50, 200)), [independent]);
    assert_eq!(notes(rate(0.57, 5000), rate(0.50, 5000)), [independent, Note::SeveralCounts]);
    assert_eq!(notes(rate(0.57, 44), rate(0.50, 44)), [independent, Note::BoundedScore]);
}

#[test]
fn exact_counts_and_their_printed_rates_give_the_same_interval() {
    let counts = analyse(&Design::IndependentBinary {
        baseline: Counts { x: 100, n: 200 },
        candidate: Counts { x: 114, n: 200 },
    });
    let printed = analyse(&Design::ReportedRates {
        baseline: ReportedRate { share: 0.5, decimals: 3, n: 200 },
        candidate: ReportedRate { share: 0.57, decimals: 3, n: 200 },
    });
    assert_eq!(counts.interval, printed.interval);
    assert_eq!(counts.test, printed.test);
    assert_eq!(counts.needed, printed.needed);
}

#[test]
fn finding_the_difference_takes_the_needed_size_and_no_less() {
    // R 4.2 power.prop.test(p1 = .57, p2 = .62, power = .8) asks for 1511.93 per group.
    let analysis = analyse(&Design::IndependentBinary {
        baseline: Counts { x: 57, n: 100 },
        candidate: Counts { x: 62, n: 100 },
    });
    assert_eq!(analysis.needed, Some(1512));
}
