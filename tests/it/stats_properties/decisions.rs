//! Which method is chosen, and what it says, for designs that a person can work out.

use std::collections::BTreeSet;

use reportgen::stats::distribution::{fair_binomial_cdf, normal_two_sided};
use reportgen::stats::proportions::paired::{tango_interval, tango_z};
use reportgen::stats::reported::consistent_counts;
use reportgen::stats::signed_ranks::SignedRanks;
use reportgen::stats::{
    ClusterSums, Counts, Design, Note, PairedCounts, ReportedMean, ReportedRate,
};

use crate::sources::read;

use super::{LEVEL, analyse, close, moments, sample};

/// That many values which are spread around another one.
fn around(middle: f64, n: usize) -> Vec<f64> {
    (0..n).map(|i| middle + (i * 7 % 11) as f64 / 20.0 - 0.25).collect()
}

/// The laws of any input hold for an interval and a test where there are some.
#[test]
fn every_method_gives_an_interval_and_a_test_where_there_is_enough() {
    let pairs = |n| sample(&around(0.1, n).into_iter().map(|d| (0.5, 0.5 + d)).collect::<Vec<_>>());
    let clusters =
        |middle| ClusterSums::new(around(middle, 40).into_iter().map(|sum| (sum, 4)).collect());
    let rate = |share| ReportedRate { share, decimals: 3, n: 200 };
    let mean = |mean| ReportedMean { mean, stderr: 0.02 };
    let seeds = |middle| (0..4).map(|seed| around(middle + 0.01 * f64::from(seed), 30)).collect();
    let designs = [
        Design::PairedBinary(PairedCounts { both_right: 40, gained: 12, lost: 3, both_wrong: 45 }),
        Design::PairedReal(pairs(100)),
        Design::PairedRanks(SignedRanks::new(pairs(100).all(), 1.0)),
        Design::PairedClustered(clusters(0.1)),
        Design::IndependentClustered { baseline: clusters(0.1), candidate: clusters(0.2) },
        Design::IndependentBinary {
            baseline: Counts { x: 40, n: 100 },
            candidate: Counts { x: 60, n: 100 },
        },
        Design::IndependentReal {
            baseline: moments(&around(0.4, 100)),
            candidate: moments(&around(0.5, 90)),
        },
        Design::ReportedMeans { baseline: mean(0.5), candidate: mean(0.57) },
        Design::ReportedRates { baseline: rate(0.5), candidate: rate(0.57) },
        Design::SeedsByItems { baseline: seeds(0.4), candidate: seeds(0.5) },
        Design::PairedSeeds(pairs(10)),
        Design::IndependentSeeds {
            baseline: moments(&around(0.4, 8)),
            candidate: moments(&around(0.5, 8)),
        },
    ];
    let documented = read("docs/methodology.md");
    let rows = documented.lines().skip_while(|line| !line.starts_with("| method | data |")).skip(2);
    let rows = rows.map_while(|line| line.strip_prefix("| `")?.split('`').next());
    let rows: BTreeSet<&str> = rows.collect();
    assert_eq!(designs.iter().map(Design::method).collect::<BTreeSet<_>>(), rows);
    for design in &designs {
        let analysis = analyse(design);
        // Ranks have no interval in the unit of the scores.
        let is_whole = analysis.interval.is_some() || matches!(design, Design::PairedRanks(_));
        assert!(is_whole && analysis.test.is_some(), "{}", design.method());
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
fn mcnemars_variant_follows_the_share_of_discordant_pairs_and_a_disagreement_is_borderline() {
    let rows = [
        (100, 4, 0, "mcnemar-midp", vec![Note::Unattainable, Note::Borderline]),
        (100, 5, 0, "mcnemar-midp", vec![]),
        (2, 5, 0, "mcnemar-midp", vec![]),
        (1, 5, 0, "mcnemar-exact", vec![Note::Unattainable, Note::Borderline]),
        (0, 7, 1, "mcnemar-exact", vec![Note::Borderline]),
        (2, 7, 1, "mcnemar-midp", vec![]),
        (2, 6, 4, "mcnemar-exact", vec![]),
        (3, 6, 4, "mcnemar-midp", vec![]),
    ];
    for (both_right, gained, lost, method, notes) in rows {
        let counts = PairedCounts { both_right, gained, lost, both_wrong: 0 };
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
