//! Shares of outcomes that are 0 or 1. Vectors give the first arm minus the second, so the second
//! is the baseline.

use serde_json::Value;

use super::{Fields, Inputs, Method, affordable, fields};
use crate::stats::planning::{connor_pairs, discordance_bound, two_share_units};
use crate::stats::proportions::fisher::fisher_exact;
use crate::stats::proportions::independent::{
    Arm, constrained_share, miettinen_nurminen, newcombe_hybrid, score_test, score_z,
};
use crate::stats::proportions::paired::{mcnemar_exact, mcnemar_midp, tango_interval, tango_z};
use crate::stats::proportions::ratio::{bonett_price_ratio, score_ratio};
use crate::stats::proportions::unconditional::boschloo;
use crate::stats::reported::{consistent_counts, implied_size, pairing_bounds};
use crate::stats::sequential::discordant_e_value;
use crate::stats::{Counts, Options, PairedCounts, wilson};

pub(super) static METHODS: &[Method] = &[
    ("one_proportion_ci_95", |inputs| {
        let counts = Counts::new(inputs.count("x")?, inputs.count("n")?)?;
        fields![("wilson", wilson(counts, inputs.level()))]
    }),
    ("zero_events_upper", |inputs| {
        let options = Options { alpha: 1.0 - inputs.level(), ..Options::default() };
        fields![("one_sided_exact", discordance_bound(inputs.number("n")?, options))]
    }),
    ("paired_proportions", |inputs| {
        let counts = paired(inputs)?;
        fields![
            ("diff", counts.delta()),
            ("mcnemar_exact", mcnemar_exact(counts)),
            ("mcnemar_midp", mcnemar_midp(counts)),
            ("tango", tango_interval(counts, inputs.level())),
        ]
    }),
    ("paired_ratio_bonett_price", |inputs| {
        fields![("ci", bonett_price_ratio(paired(inputs)?, inputs.level())?)]
    }),
    ("mcnemar_exact", |inputs| {
        let (gained, lost) = (inputs.count("first_only")?, inputs.count("second_only")?);
        let counts = PairedCounts { gained, lost, ..PairedCounts::default() };
        fields![("exact", mcnemar_exact(counts)), ("midp", mcnemar_midp(counts))]
    }),
    ("betabinomial_e_value_discordant", |inputs| {
        let found = discordant_e_value(inputs.count("first_only")?, inputs.count("second_only")?);
        fields![("log_e_uniform", found.log_e), ("p_anytime_uniform", found.anytime_p)]
    }),
    ("tango_at_margin", tango_at_margin),
    ("n_paired_proportions", |inputs| {
        let (gained, lost) = (inputs.number("p_first_only")?, inputs.number("p_second_only")?);
        fields![("n_pairs", connor_pairs(gained + lost, gained - lost, inputs.options()))]
    }),
    ("n_two_proportions", |inputs| {
        let (p1, p2) = (inputs.number("p1")?, inputs.number("p2")?);
        fields![("n_per_group", two_share_units(p1, p2, inputs.options()))]
    }),
    ("two_independent_proportions_ci_95", |inputs| {
        let ([baseline, candidate], level) = (arms(inputs)?, inputs.level());
        let mut found = fields![
            ("diff", candidate.share() - baseline.share()),
            ("miettinen_nurminen", miettinen_nurminen(baseline, candidate, level)),
        ]?;
        if let Some([baseline, candidate]) = whole_arms(inputs) {
            let newcombe = newcombe_hybrid(baseline, candidate, level);
            found.extend(fields![("newcombe_hybrid", newcombe)]?);
        }
        Some(found)
    }),
    ("two_independent_proportions_tests", |inputs| {
        let [baseline, candidate] = whole_arms(inputs)?;
        let mut found = fields![
            ("n_minus_1_chi2_p", score_test(baseline.into(), candidate.into()).p),
            ("fisher_two_sided_minlike", fisher_exact(candidate, baseline)),
        ]?;
        if baseline.n + candidate.n <= UNCONDITIONAL_UPTO {
            found.extend(fields![("boschloo", boschloo(baseline, candidate).p)]?);
        }
        Some(found)
    }),
    ("miettinen_nurminen_constrained_mle", |inputs| {
        let ([baseline, candidate], delta) = (arms(inputs)?, inputs.number("delta")?);
        let share = constrained_share(baseline, candidate, delta);
        fields![
            ("p1", share + delta),
            ("p2", share),
            ("z_bcf", score_z(baseline, candidate, delta)),
        ]
    }),
    ("independent_ratio_score", |inputs| {
        let [baseline, candidate] = arms(inputs)?;
        fields![("ci", score_ratio(baseline, candidate, inputs.level())?)]
    }),
    ("size_behind_stderr", |inputs| {
        fields![("n", implied_size(inputs.number("acc")?, inputs.number("acc_stderr")?))]
    }),
    ("counts_consistent_with_percentage", printed_counts),
    ("mcnemar_p_bounds_from_marginals", |inputs| {
        let (x_a, x_b, n) = (inputs.count("x_a")?, inputs.count("x_b")?, inputs.count("n")?);
        let bounds = pairing_bounds(x_a, x_b, n)?;
        fields![
            ("p_min", bounds.p_min),
            ("p_max", bounds.p_max),
            ("fisher_unpaired", fisher_exact(Counts::new(x_a, n)?, Counts::new(x_b, n)?)),
        ]
    }),
];

/// Samples of both arms together up to which the unconditional test is computed.
const UNCONDITIONAL_UPTO: u64 = 2000;

fn paired(inputs: &Inputs<'_>) -> Option<PairedCounts> {
    let counts = PairedCounts {
        both_right: inputs.count("both")?,
        gained: inputs.count("first_only")?,
        lost: inputs.count("second_only")?,
        both_wrong: inputs.count("neither")?,
    };
    (counts.n() > 0).then_some(counts)
}

/// Baseline and candidate, whose successes need not be whole.
fn arms(inputs: &Inputs<'_>) -> Option<[Arm; 2]> {
    let arm = |x: &str, n: &str| {
        let arm = Arm { x: inputs.number(x)?, n: inputs.count(n)? as f64 };
        (arm.n >= 1.0 && (0.0..=arm.n).contains(&arm.x)).then_some(arm)
    };
    Some([arm("x2", "n2")?, arm("x1", "n1")?])
}

fn whole_arms(inputs: &Inputs<'_>) -> Option<[Counts; 2]> {
    let arm = |x: &str, n: &str| Counts::new(inputs.count(x)?, inputs.count(n)?);
    Some([arm("x2", "n2")?, arm("x1", "n1")?])
}

fn tango_at_margin(inputs: &Inputs<'_>) -> Option<Fields> {
    let (gained, lost) = (inputs.count("new_only")?, inputs.count("base_only")?);
    let both_right = inputs.count("n")?.checked_sub(gained.checked_add(lost)?)?;
    let counts = PairedCounts { both_right, gained, lost, both_wrong: 0 };
    let margin = inputs.number("margin").filter(|_| counts.n() > 0)?;
    fields![
        ("z", tango_z(counts, -margin)),
        ("lower90", tango_interval(counts, 0.90).lo),
        ("lower95", tango_interval(counts, 0.95).lo),
    ]
}

fn printed_counts(inputs: &Inputs<'_>) -> Option<Fields> {
    let printed = match inputs.value("percent")? {
        Value::String(text) => text.clone(),
        number => number.to_string(),
    };
    let printed = printed.trim().trim_end_matches('%').trim_end();
    let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let of_share = u8::try_from(decimals + 2).ok()?;
    let percent: f64 = printed.parse().ok()?;
    let counts = consistent_counts(percent / 100.0, of_share, inputs.count("n")?);
    affordable(counts.end().saturating_sub(*counts.start()) as f64)?;
    fields![("counts", counts.map(|count| count as f64).collect::<Vec<f64>>())]
}
