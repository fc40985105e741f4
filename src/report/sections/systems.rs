//! Three or more arms together: over the samples and over the datasets that all of them share.

use std::collections::BTreeSet;

use super::phrases;
use crate::compare::{
    ArmOnSamples, Comparison, OnSamples, OverDatasets, PairOnSamples, Reason, Systems,
};
use crate::quantity;
use crate::report::Material;
use crate::report::block::{Block, Cell, Table, Text};
use crate::stats::PairedCounts;
use crate::text::Catalogue;

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let on_samples = material.systems.on_samples.iter();
    let over_datasets = material.systems.over_datasets.iter();
    let mut blocks: Vec<Block> = on_samples
        .flat_map(|one| on_samples_blocks(one, material))
        .chain(over_datasets.flat_map(|one| over_datasets_blocks(one, material)))
        .collect();
    let at_any_time =
        |one: &Comparison<'_>| one.is_anytime() || one.reason == Some(Reason::NoAnytimeMethod);
    if !blocks.is_empty() && material.all().any(at_any_time) {
        blocks.insert(0, Block::paragraph(material.words.get("systems.one-look")));
    }
    blocks
}

/// Tags of the methods that this section stands on.
pub(super) fn methods(systems: &Systems<'_>) -> BTreeSet<&'static str> {
    let mut tags = BTreeSet::new();
    for one in &systems.on_samples {
        tags.extend(one.pairs.iter().filter_map(|pair| Some(pair.test?.method)));
        tags.extend(one.omnibus.map(|_| "cochran-q"));
        tags.extend(one.arms.iter().any(|arm| arm.p_max_t.is_some()).then_some("max-t"));
    }
    for one in &systems.over_datasets {
        tags.extend(["friedman", "nemenyi"]);
        tags.extend(one.pairs.iter().filter_map(|pair| pair.method));
    }
    tags
}

fn on_samples_blocks(one: &OnSamples<'_>, material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let n = quantity::count(one.samples);
    let arms = one.arms.len().to_string();
    let mut sentences = vec![match one.clusters {
        None => words.fill("systems.shared", &[("n", &n), ("arms", &arms)]),
        Some(clusters) => {
            let clusters = quantity::count(clusters);
            let args = [("n", n.as_str()), ("arms", &arms), ("clusters", &clusters)];
            words.fill("systems.shared-clusters", &args)
        }
    }];
    if let Some(test) = one.omnibus {
        let statistic = quantity::fixed(test.statistic, 2);
        let df = quantity::fixed(test.df, 0);
        let p = quantity::p_in_sentence(test.p);
        let args = [("statistic", statistic.as_str()), ("df", &df), ("p", &p)];
        sentences.push(words.fill("systems.cochran", &args));
        sentences.push(words.get(if test.p < material.options.alpha {
            "systems.not-alike"
        } else {
            "systems.not-told-apart"
        }));
    }
    sentences.push(separable(
        one.pairs.iter().map(|pair| (pair.test.map(|test| test.p), pair.p_adjusted)),
        material,
    ));
    let binary =
        one.pairs.iter().any(|pair| pair.test.is_some_and(|test| test.method == "mcnemar-exact"));
    let tests = if binary { "systems.tests-binary" } else { "systems.tests-other" };
    sentences.push(words.get(tests));
    if let Some(patterns) = one.drawn_patterns {
        let patterns = quantity::count(patterns);
        sentences.push(words.fill("systems.drawn", &[("patterns", &patterns)]));
    }
    blocks_of_metric(
        phrases::key_name(one.key, words),
        &sentences,
        [arms_on_samples(one, words), pairs_on_samples(one, words)],
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

/// How many pairs can be told apart, before and after the adjustment.
fn separable(
    pairs: impl Iterator<Item = (Option<f64>, Option<f64>)>,
    material: &Material<'_>,
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

fn arms_on_samples(one: &OnSamples<'_>, words: &Catalogue) -> Block {
    let baseline = one.arms.first();
    let delta = |arm: &ArmOnSamples<'_>| match baseline {
        Some(baseline) if !std::ptr::eq(baseline, arm) => {
            difference([baseline.mean, arm.mean], arm.mean - baseline.mean, one)
        }
        _ => Cell::text(words.get("role.baseline")),
    };
    Table::of_rows(&one.arms)
        .left(words.get("samples.arm"), |arm| Text::strong(arm.id))
        .right(Text::code(one.key.metric.clone()), |arm| {
            Cell::number(quantity::figure(arm.mean, one.spec.unit), arm.mean)
        })
        .right(words.get("systems.difference"), delta)
        .right(words.get("systems.p-max-t"), |arm| phrases::p_cell(arm.p_max_t))
        .block()
}

fn pairs_on_samples(one: &OnSamples<'_>, words: &Catalogue) -> Block {
    let mean = |arm: usize| one.arms[arm].mean;
    let has_flips = one.pairs.iter().any(|pair| pair.flips.is_some());
    let flips = |pair: &PairOnSamples, count: fn(PairedCounts) -> u64| {
        pair.flips.map_or_else(Cell::default, |flips| Cell::count(count(flips)))
    };
    Table::of_rows(&one.pairs)
        .left(words.get("systems.first"), |pair| one.arms[pair.arms[0]].id)
        .left(words.get("systems.second"), |pair| one.arms[pair.arms[1]].id)
        .right(words.get("results.difference"), |pair| {
            difference(pair.arms.map(mean), one.delta(pair), one)
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

fn difference(operands: [f64; 2], delta: f64, one: &OnSamples<'_>) -> Cell {
    let unit = one.spec.unit;
    let delta = phrases::settled(delta * unit.shown_scale());
    Cell::number(quantity::difference(delta, operands, unit), delta)
}

fn over_datasets_blocks(one: &OverDatasets<'_>, material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let fixed =
        |value: Option<f64>| value.map_or_else(|| "?".to_owned(), |v| quantity::fixed(v, 2));
    let alpha = material.options.alpha;
    let corrected = one.friedman_tie_corrected.map(|test| test.statistic);
    let [df, df_residual] = one.iman_davenport.df.map(|df| quantity::fixed(df, 0));
    let f = one.iman_davenport.statistic;
    let args = [
        ("datasets", one.datasets.len().to_string()),
        ("chi", fixed(corrected.or(Some(one.friedman.statistic)))),
        ("uncorrected", fixed(Some(one.friedman.statistic))),
        ("df", df),
        ("residual", df_residual),
        ("f", if f.is_finite() { fixed(Some(f)) } else { "∞".to_owned() }),
        ("p", quantity::p_in_sentence(one.iman_davenport.p)),
        ("alpha", quantity::exact(alpha)),
        ("critical", fixed(one.ranks.critical_difference(alpha))),
    ];
    let mut sentences = vec![words.fill("systems.friedman", &args)];
    sentences.push(separable(one.pairs.iter().map(|pair| (pair.p, pair.p_adjusted)), material));
    sentences.push(words.get("systems.tests-datasets"));
    blocks_of_metric(
        phrases::metric_name(one.metric, None, one.dims, words),
        &sentences,
        [arms_over_datasets(one, words), pairs_over_datasets(one, words)],
        words,
    )
}

fn arms_over_datasets(one: &OverDatasets<'_>, words: &Catalogue) -> Block {
    Table::of_rows(&one.arms)
        .left(words.get("samples.arm"), |arm| Text::strong(arm.id))
        .right(words.get("systems.mean-rank"), |arm| {
            Cell::number(quantity::fixed(arm.mean_rank, 3), arm.mean_rank)
        })
        .right(words.get("systems.mean"), |arm| {
            Cell::number(quantity::figure(arm.mean, one.spec.unit), arm.mean)
        })
        .block()
}

fn pairs_over_datasets(one: &OverDatasets<'_>, words: &Catalogue) -> Block {
    Table::of_rows(&one.pairs)
        .left(words.get("systems.first"), |pair| one.arms[pair.arms[0]].id)
        .left(words.get("systems.second"), |pair| one.arms[pair.arms[1]].id)
        .right(words.get("systems.wins"), |pair| {
            let [higher, lower, equal] = pair.higher_lower_equal;
            Cell::number(format!("{higher} / {lower} / {equal}"), higher as f64)
        })
        .right(words.get("systems.p-signed-rank"), |pair| phrases::p_cell(pair.p))
        .right(words.get("results.p"), |pair| phrases::p_cell(pair.p_adjusted))
        .block()
}
