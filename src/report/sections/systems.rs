//! Three or more arms together: over the samples and over the datasets that all of them share.

use std::collections::BTreeSet;

use super::phrases;
use crate::compare::{
    ArmOnSamples, Comparison, OnSamples, OverDatasets, PairOnSamples, Systems, VerdictReason,
};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Table, Text};
use crate::stats::PairedCounts;
use crate::text::Catalogue;

pub(super) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let on_samples = material.systems.on_samples.iter();
    let over_datasets = material.systems.over_datasets.iter();
    let mut blocks: Vec<Block> = on_samples
        .flat_map(|metric| on_samples_blocks(metric, material))
        .chain(over_datasets.flat_map(|metric| over_datasets_blocks(metric, material)))
        .collect();
    let at_any_time = |comparison: &Comparison<'_>| {
        comparison.is_anytime() || comparison.reason == Some(VerdictReason::NoAnytimeMethod)
    };
    if !blocks.is_empty() && material.all().any(at_any_time) {
        blocks.insert(0, Block::paragraph(material.words.get("systems.one-look")));
    }
    blocks
}

/// Tags of the methods that this section stands on.
pub(super) fn methods(systems: &Systems<'_>) -> BTreeSet<&'static str> {
    let mut tags = BTreeSet::new();
    for metric in &systems.on_samples {
        tags.extend(metric.pairs.iter().filter_map(|pair| Some(pair.test?.method)));
        tags.extend(metric.omnibus.map(|_| "cochran-q"));
        tags.extend(metric.arms.iter().any(|arm| arm.p_max_t.is_some()).then_some("max-t"));
    }
    for metric in &systems.over_datasets {
        tags.extend(["friedman", "nemenyi"]);
        tags.extend(metric.pairs.iter().filter_map(|pair| pair.method));
    }
    tags
}

fn on_samples_blocks(metric: &OnSamples<'_>, material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let n = quantity::count(metric.samples);
    let arms = metric.arms.len().to_string();
    let mut sentences = vec![match metric.clusters {
        None => words.fill("systems.shared", &[("n", &n), ("arms", &arms)]),
        Some(clusters) => {
            let clusters = quantity::count(clusters);
            let args = [("n", n.as_str()), ("arms", &arms), ("clusters", &clusters)];
            words.fill("systems.shared-clusters", &args)
        }
    }];
    if let Some(test) = metric.omnibus {
        let statistic = quantity::fixed(test.statistic, 2);
        let df = quantity::fixed(test.df, 0);
        let p = quantity::p_text_in_sentence(test.p);
        let args = [("statistic", statistic.as_str()), ("df", &df), ("p", &p)];
        sentences.push(words.fill("systems.cochran", &args));
        sentences.push(words.get(if test.p < material.options.alpha {
            "systems.not-alike"
        } else {
            "systems.not-told-apart"
        }));
    }
    sentences.push(separable(
        metric.pairs.iter().map(|pair| (pair.test.map(|test| test.p), pair.p_adjusted)),
        material,
    ));
    let binary = metric
        .pairs
        .iter()
        .any(|pair| pair.test.is_some_and(|test| test.method == "mcnemar-exact"));
    let tests = if binary { "systems.tests-binary" } else { "systems.tests-other" };
    sentences.push(words.get(tests));
    if let Some(patterns) = metric.drawn_patterns {
        let patterns = quantity::count(patterns);
        sentences.push(words.fill("systems.drawn", &[("patterns", &patterns)]));
    }
    blocks_of_metric(
        phrases::key_name(metric.key, words),
        &sentences,
        [arms_on_samples(metric, words), pairs_on_samples(metric, words)],
        words,
    )
}

/// What all arms show together, arm by arm, and pair by pair.
fn blocks_of_metric(
    title: Text,
    sentences: &[String],
    [arms, pairs]: [Block; 2],
    words: &Catalogue,
) -> Vec<Block> {
    vec![
        Block::heading(title),
        Block::paragraph(sentences.join(&words.get("punctuation.sentence-gap"))),
        arms,
        Block::folded(words.get("systems.pairs"), vec![pairs]),
    ]
}

/// The number of pairs that differ significantly, before and after the adjustment.
fn separable(
    pairs: impl Iterator<Item = (Option<f64>, Option<f64>)>,
    material: &ReportMaterial<'_>,
) -> String {
    let alpha = material.options.alpha;
    let below = |p: Option<f64>| usize::from(p.is_some_and(|p| p < alpha));
    let (mut family, mut raw, mut adjusted) = (0, 0, 0);
    for (p, p_adjusted) in pairs {
        family += usize::from(p.is_some());
        raw += below(p);
        adjusted += below(p_adjusted);
    }
    let args = [("family", family), ("raw", raw), ("adjusted", adjusted)];
    material.words.fill("systems.separable", &args)
}

fn arms_on_samples(metric: &OnSamples<'_>, words: &Catalogue) -> Block {
    let baseline = metric.arms.first();
    let delta = |arm: &ArmOnSamples<'_>| match baseline {
        Some(baseline) if !std::ptr::eq(baseline, arm) => {
            difference([baseline.mean, arm.mean], arm.mean - baseline.mean, metric)
        }
        _ => Cell::text(words.get("role.baseline")),
    };
    Table::of_rows(&metric.arms)
        .left(words.get("samples.arm"), |arm| Text::strong(arm.id))
        .right(Text::code(metric.key.metric.clone()), |arm| {
            Cell::number(quantity::figure(arm.mean, metric.spec.unit), arm.mean)
        })
        .right(words.get("systems.difference"), delta)
        .right(words.get("systems.p-max-t"), |arm| phrases::p_cell(arm.p_max_t))
        .block()
}

fn pairs_on_samples(metric: &OnSamples<'_>, words: &Catalogue) -> Block {
    let mean = |arm: usize| metric.arms[arm].mean;
    let has_flips = metric.pairs.iter().any(|pair| pair.flips.is_some());
    let flips = |pair: &PairOnSamples, count: fn(PairedCounts) -> u64| {
        pair.flips.map_or_else(Cell::default, |flips| Cell::count(count(flips)))
    };
    Table::of_rows(&metric.pairs)
        .left(words.get("systems.first"), |pair| metric.arms[pair.arms[0]].id)
        .left(words.get("systems.second"), |pair| metric.arms[pair.arms[1]].id)
        .right(words.get("results.difference"), |pair| {
            difference(pair.arms.map(mean), metric.delta(pair), metric)
        })
        .when(has_flips, |table| {
            table
                .right(words.get("samples.gained"), |pair| flips(pair, |flips| flips.gained))
                .right(words.get("samples.lost"), |pair| flips(pair, |flips| flips.lost))
        })
        .right(words.get("systems.p"), |pair| phrases::p_cell(pair.test.map(|test| test.p)))
        .right(words.get("results.p"), |pair| phrases::p_cell(pair.p_adjusted))
        .block()
}

fn difference(operands: [f64; 2], delta: f64, metric: &OnSamples<'_>) -> Cell {
    let unit = metric.spec.unit;
    let delta = quantity::settled(delta * unit.shown_scale());
    Cell::number(quantity::difference_text(delta, operands, unit), delta)
}

fn over_datasets_blocks(metric: &OverDatasets<'_>, material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let fixed =
        |value: Option<f64>| value.map_or_else(|| "?".to_owned(), |v| quantity::fixed(v, 2));
    let alpha = material.options.alpha;
    let corrected = metric.friedman_tie_corrected.map(|test| test.statistic);
    let [df, df_residual] = metric.iman_davenport.df.map(|df| quantity::fixed(df, 0));
    let f = metric.iman_davenport.statistic;
    let args = [
        ("datasets", metric.datasets.len().to_string()),
        ("chi", fixed(corrected.or(Some(metric.friedman.statistic)))),
        ("uncorrected", fixed(Some(metric.friedman.statistic))),
        ("df", df),
        ("residual", df_residual),
        ("f", if f.is_finite() { fixed(Some(f)) } else { "∞".to_owned() }),
        ("p", quantity::p_text_in_sentence(metric.iman_davenport.p)),
        ("alpha", quantity::exact(alpha)),
        ("critical", fixed(metric.ranks.critical_difference(alpha))),
    ];
    let mut sentences = vec![words.fill("systems.friedman", &args)];
    sentences.push(separable(metric.pairs.iter().map(|pair| (pair.p, pair.p_adjusted)), material));
    sentences.push(words.get("systems.tests-datasets"));
    blocks_of_metric(
        phrases::metric_name(metric.metric, None, metric.dims, words),
        &sentences,
        [arms_over_datasets(metric, words), pairs_over_datasets(metric, words)],
        words,
    )
}

fn arms_over_datasets(metric: &OverDatasets<'_>, words: &Catalogue) -> Block {
    Table::of_rows(&metric.arms)
        .left(words.get("samples.arm"), |arm| Text::strong(arm.id))
        .right(words.get("systems.mean-rank"), |arm| {
            Cell::number(quantity::fixed(arm.mean_rank, 3), arm.mean_rank)
        })
        .right(words.get("systems.mean"), |arm| {
            Cell::number(quantity::figure(arm.mean, metric.spec.unit), arm.mean)
        })
        .block()
}

fn pairs_over_datasets(metric: &OverDatasets<'_>, words: &Catalogue) -> Block {
    Table::of_rows(&metric.pairs)
        .left(words.get("systems.first"), |pair| metric.arms[pair.arms[0]].id)
        .left(words.get("systems.second"), |pair| metric.arms[pair.arms[1]].id)
        .right(words.get("systems.wins"), |pair| {
            let [higher, lower, equal] = pair.higher_lower_equal;
            Cell::number(format!("{higher} / {lower} / {equal}"), higher as f64)
        })
        .right(words.get("systems.p-signed-rank"), |pair| phrases::p_cell(pair.p))
        .right(words.get("results.p"), |pair| phrases::p_cell(pair.p_adjusted))
        .block()
}
