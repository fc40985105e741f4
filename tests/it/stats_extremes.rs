//! The statistics of shares at the ends of the range: one sample, none or all right, a million.

use std::time::{Duration, Instant};

use reportgen::stats::proportions::fisher::fisher_exact;
use reportgen::stats::proportions::independent::{miettinen_nurminen, newcombe_hybrid, score_test};
use reportgen::stats::proportions::paired::{mcnemar_exact, mcnemar_midp, tango_interval};
use reportgen::stats::proportions::unconditional::boschloo;
use reportgen::stats::reference::{self, Unchecked};
use reportgen::stats::reported::pairing_bounds;
use reportgen::stats::sequential::discordant_e_value;
use reportgen::stats::{Counts, Interval, PairedCounts, wilson};
use serde_json::{Value, json};

const MANY: u64 = 1_000_000;
const LEVELS: [f64; 3] = [0.5, 0.95, 0.999_999];

fn arms() -> Vec<Counts> {
    [
        (0, 1),
        (1, 1),
        (1, 2),
        (0, 30),
        (30, 30),
        (0, MANY),
        (1, MANY),
        (MANY / 2, MANY),
        (MANY, MANY),
    ]
    .map(|(x, n)| Counts { x, n })
    .to_vec()
}

fn pairs() -> Vec<PairedCounts> {
    [[0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 7, 7, 0], [0, MANY, 0, 0]]
        .into_iter()
        .chain([[MANY, 0, 0, MANY], [0, MANY, MANY, 0], [MANY, 1, 0, 0], [9, MANY, MANY - 1, 9]])
        .map(|[both_right, gained, lost, both_wrong]| PairedCounts {
            both_right,
            gained,
            lost,
            both_wrong,
        })
        .collect()
}

fn holds(interval: Interval, estimate: f64, scale: (f64, f64)) -> bool {
    interval.lo >= scale.0
        && interval.lo <= estimate
        && estimate <= interval.hi
        && interval.hi <= scale.1
}

#[test]
fn an_interval_for_one_share_lies_on_the_scale_and_holds_the_share() {
    for counts in arms() {
        for level in LEVELS {
            let interval = wilson(counts, level);
            assert!(holds(interval, counts.share(), (0.0, 1.0)), "{counts:?} {interval:?}");
        }
    }
}

#[test]
fn an_interval_for_a_difference_of_shares_is_finite_and_holds_the_difference() {
    for (first, second) in arms().iter().flat_map(|a| arms().into_iter().map(move |b| (*a, b))) {
        let delta = second.share() - first.share();
        let score = miettinen_nurminen(first.into(), second.into(), 0.95);
        for interval in [score, newcombe_hybrid(first, second, 0.95)] {
            let scale = (-1.0 - 1e-12, 1.0 + 1e-12);
            assert!(holds(interval, delta, scale), "{first:?} {second:?} {interval:?}");
        }
    }
    for counts in pairs() {
        for level in LEVELS {
            let interval = tango_interval(counts, level);
            assert!(holds(interval, counts.delta(), (-1.0, 1.0)), "{counts:?} {interval:?}");
        }
    }
}

#[test]
fn a_p_value_lies_above_0_and_not_above_1() {
    let mut all = Vec::new();
    for (first, second) in arms().iter().flat_map(|a| arms().into_iter().map(move |b| (*a, b))) {
        all.push(fisher_exact(first, second));
        all.push(score_test(first.into(), second.into()).p);
        if first.n + second.n < 100 {
            all.push(boschloo(first, second).p);
        }
    }
    for counts in pairs() {
        all.push(discordant_e_value(counts.gained, counts.lost).anytime_p);
    }
    for p in &all {
        assert!(*p > 0.0 && *p <= 1.0, "{p}");
    }
    let shares =
        pairs().into_iter().flat_map(|counts| [mcnemar_exact(counts), mcnemar_midp(counts)]);
    assert!(shares.into_iter().all(|share| (0.0..=1.0).contains(&share)));
}

#[test]
fn the_bounds_of_an_unknown_pairing_enclose_every_table() {
    for (x_a, x_b, n) in [(0, 0, 1), (1, 0, 1), (3, 5, 7), (6, 4, 7), (12, 12, 20), (2, 19, 20)] {
        let bounds = pairing_bounds(x_a, x_b, n).expect("totals within n");
        let most_shared = x_a.min(x_b);
        for both in (x_a + x_b).saturating_sub(n)..=most_shared {
            let (gained, lost) = (x_a - both, x_b - both);
            let p = mcnemar_exact(PairedCounts { gained, lost, ..PairedCounts::default() });
            assert!(bounds.p_min <= p && p <= bounds.p_max, "{x_a} {x_b} {n}: {p} {bounds:?}");
        }
    }
    assert_eq!(pairing_bounds(3, 8, 7), None);
    assert_eq!(pairing_bounds(0, 0, 0), None);
}

/// Each takes less than two seconds without optimisation; the rest is for slow machines.
const PATIENCE: Duration = Duration::from_secs(20);

#[expect(clippy::disallowed_methods, reason = "time is what is tested; it enters no output")]
fn now() -> Instant {
    Instant::now()
}

/// Checks a vector with these inputs; `None` where its method refuses them.
fn answered(method: &str, inputs: &Value) -> Option<()> {
    let vector = json!({"id": "x", "method": method, "inputs": inputs, "expected": {"none": 0},
        "tol": {}, "source": "-"});
    let vector = serde_json::from_value(vector).expect("a vector");
    let start = now();
    let checked = reference::check_vectors(&vector);
    assert!(start.elapsed() < PATIENCE, "{method}: {:?}", start.elapsed());
    match checked {
        Ok(_) => Some(()),
        Err(unchecked) => {
            assert_eq!(unchecked, Unchecked::UnfitInputs(method.to_owned()));
            None
        }
    }
}

#[test]
fn absurd_inputs_of_reference_vectors_are_answered_at_once_or_refused() {
    let values = |n: u64| (0..n).map(|i| (i * i % 9_973) as f64 - 4_000.5).collect::<Vec<f64>>();
    let counted = |n: f64| json!({"percent": "50.0", "n": n});
    let (many, some) = (values(1_000_000), values(100_000));
    let marginals = |n: f64| json!({"x_a": 0.5 * n, "x_b": 0.49 * n, "n": n});
    let table = |n: f64| json!({"both": n, "first_only": n, "second_only": n, "neither": n});
    for (method, inputs, answers) in [
        ("counts_consistent_with_percentage", counted(1e18), false),
        ("counts_consistent_with_percentage", counted(1e9), true),
        ("paired_proportions", table(1e300), false),
        ("paired_proportions", table(1e8), true),
        ("one_proportion_ci_95", json!({"x": 5e8, "n": 1e9}), true),
        ("mcnemar_p_bounds_from_marginals", marginals(1e9), true),
        (
            "two_independent_proportions_tests",
            json!({"x1": 9e8, "n1": 1e9, "x2": 1, "n2": 1e9}),
            true,
        ),
        ("pass_at_k", json!({"n": 1e12, "c": 1e11, "k": 1e11}), false),
        ("pass_at_k", json!({"n": 1e9, "c": 5e8, "k": 4e8}), true),
        ("min_attainable_p", json!({"units": [1e9, 99]}), true),
        ("wilcoxon_signed_rank_ties", json!({"d": many}), true),
        ("sign_flip_permutation_exact", json!({"d": some}), false),
        ("sign_flip_permutation_monte_carlo", json!({"d": some, "alpha": 0.05}), false),
        ("bootstrap_mean_skewed", json!({"x": some}), false),
        ("autocorrelations", json!({"y": some}), true),
        ("mann_kendall_hamed_rao", json!({"y": some}), false),
        ("p_adjust", json!({"p": some}), false),
    ] {
        assert_eq!(answered(method, &inputs).is_some(), answers, "{method}");
    }
}
