//! Three or more arms together: over the samples and over the datasets that all of them share.

use std::collections::BTreeSet;

use super::phrases;
use crate::compare::{Comparison, OnSamples, OverDatasets, PairOnSamples, Reason, Systems};
use crate::quantity;
use crate::report::Material;
use crate::report::block::{Align, Block, Cell, Table, Text};
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
        let text = Text::plain(material.words.get("systems.one-look"));
        blocks.insert(0, Block::Paragraph { text });
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
    let text = Text::plain(sentences.join(&words.get("punctuation.sentence-gap")));
    vec![
        Block::Heading { text: phrases::key_name(one.key, words) },
        Block::Paragraph { text },
        Block::Table { table: arms_on_samples(one, words) },
        Block::Details {
            summary: Text::plain(words.get("systems.pairs")),
            blocks: vec![Block::Table { table: pairs_on_samples(one, words) }],
        },
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
    let args = [("family", family), ("raw", raw), ("adjusted", adjusted)]
        .map(|(key, count)| (key, count.to_string()));
    material.words.fill("systems.separable", &args)
}

fn arms_on_samples(one: &OnSamples<'_>, words: &Catalogue) -> Table {
    let unit = one.spec.unit;
    let baseline = one.arms.first().map_or(0.0, |arm| arm.mean);
    let mut table = Table::with_heads(vec![
        (Text::plain(words.get("samples.arm")), Align::Left),
        (Text::code(one.key.metric.clone()), Align::Right),
        (Text::plain(words.get("systems.difference")), Align::Right),
        (Text::plain(words.get("systems.p-max-t")), Align::Right),
    ]);
    for (position, arm) in one.arms.iter().enumerate() {
        let delta = phrases::settled((arm.mean - baseline) * unit.shown_scale());
        let difference = match position {
            0 => Cell::text(words.get("role.baseline")),
            _ => Cell::number(quantity::difference(delta, [baseline, arm.mean], unit), delta),
        };
        let p = arm.p_max_t.map_or_else(|| Cell::text("—"), p_cell);
        table.push(vec![
            Cell::text(Text::strong(arm.id)),
            Cell::number(quantity::figure(arm.mean, unit), arm.mean),
            difference,
            p,
        ]);
    }
    table
}

fn pairs_on_samples(one: &OnSamples<'_>, words: &Catalogue) -> Table {
    let binary = one.pairs.iter().any(|pair| pair.flips.is_some());
    let mut heads = vec![
        (words.get("systems.first"), Align::Left),
        (words.get("systems.second"), Align::Left),
        (words.get("results.difference"), Align::Right),
    ];
    if binary {
        heads.push((words.get("samples.gained"), Align::Right));
        heads.push((words.get("samples.lost"), Align::Right));
    }
    heads.push((words.get("systems.p"), Align::Right));
    heads.push((words.get("results.p"), Align::Right));
    let mut table = Table::with_heads(heads);
    for pair in &one.pairs {
        let [first, second] = pair.arms.map(|arm| &one.arms[arm]);
        let mut cells = vec![Cell::text(first.id), Cell::text(second.id)];
        cells.push(difference(pair, one));
        if let Some(flips) = pair.flips {
            cells.extend(
                [flips.gained, flips.lost]
                    .map(|count| Cell::number(quantity::count(count), count as f64)),
            );
        }
        let p = pair.test.map(|test| test.p);
        cells.extend([p, pair.p_adjusted].map(|p| p.map_or_else(|| Cell::text("—"), p_cell)));
        table.push(cells);
    }
    table
}

fn difference(pair: &PairOnSamples, one: &OnSamples<'_>) -> Cell {
    let unit = one.spec.unit;
    let [first, second] = pair.arms.map(|arm| one.arms[arm].mean);
    let delta = phrases::settled(one.delta(pair) * unit.shown_scale());
    Cell::number(quantity::difference(delta, [first, second], unit), delta)
}

fn p_cell(p: f64) -> Cell {
    Cell::number(quantity::p_value(p), p)
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
    let text = Text::plain(sentences.join(&words.get("punctuation.sentence-gap")));
    vec![
        Block::Heading { text: phrases::metric_name(one.metric, None, one.dims, words) },
        Block::Paragraph { text },
        Block::Table { table: arms_over_datasets(one, words) },
        Block::Details {
            summary: Text::plain(words.get("systems.pairs")),
            blocks: vec![Block::Table { table: pairs_over_datasets(one, words) }],
        },
    ]
}

fn arms_over_datasets(one: &OverDatasets<'_>, words: &Catalogue) -> Table {
    let mut table = Table::with_heads(vec![
        (words.get("samples.arm"), Align::Left),
        (words.get("systems.mean-rank"), Align::Right),
        (words.get("systems.mean"), Align::Right),
    ]);
    for arm in &one.arms {
        table.push(vec![
            Cell::text(Text::strong(arm.id)),
            Cell::number(quantity::fixed(arm.mean_rank, 3), arm.mean_rank),
            Cell::number(quantity::figure(arm.mean, one.spec.unit), arm.mean),
        ]);
    }
    table
}

fn pairs_over_datasets(one: &OverDatasets<'_>, words: &Catalogue) -> Table {
    let mut table = Table::with_heads(vec![
        (words.get("systems.first"), Align::Left),
        (words.get("systems.second"), Align::Left),
        (words.get("systems.wins"), Align::Right),
        (words.get("systems.p-signed-rank"), Align::Right),
        (words.get("results.p"), Align::Right),
    ]);
    for pair in &one.pairs {
        let [first, second] = pair.arms.map(|arm| one.arms[arm].id);
        let [higher, lower, equal] = pair.higher_lower_equal;
        let mut cells = vec![
            Cell::text(first),
            Cell::text(second),
            Cell::number(format!("{higher} / {lower} / {equal}"), higher as f64),
        ];
        cells.extend([pair.p, pair.p_adjusted].map(|p| p.map_or_else(|| Cell::text("—"), p_cell)));
        table.push(cells);
    }
    table
}
