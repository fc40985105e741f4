//! How the differences of single samples are spread, for scores between right and wrong.

use super::phrases;
use super::urgency::most_urgent_first;
use crate::compare::{Comparison, DIFFERENCE_SHARES, DifferenceClass, PairDifferences};
use crate::model::MetricRole;
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Table};
use crate::report::chart::{Bar, BarGroup, Chart};
use crate::text::Catalogue;

/// Most metrics of one candidate.
const MOST_METRICS: usize = 3;

type Found<'a> = (&'a Comparison<'a>, PairDifferences);

pub(super) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = phrases::by_candidate(material, |pair, _, comparisons| {
        // The pairs of two runs say little of those of several.
        if pair.is_repeated() {
            return Vec::new();
        }
        let is_judged = |one: &&Comparison<'_>| {
            let role = one.cell.spec.role.map(|given| given.role);
            one.delta.is_some() && !matches!(role, Some(MetricRole::Cost | MetricRole::Bookkeeping))
        };
        let urgent = most_urgent_first(comparisons);
        let mut judged = urgent.into_iter().filter(is_judged);
        let spread = judged.by_ref().filter_map(|one| Some((one, PairDifferences::of(one)?)));
        let found: Vec<Found<'_>> = spread.take(MOST_METRICS).collect();
        let more = judged
            .any(PairDifferences::exists)
            .then(|| Block::paragraph(words.get("pair-differences.more")));
        if found.is_empty() {
            return Vec::new();
        }
        let charts = found.iter().map(|found| Block::chart(chart(found, words)));
        charts.chain([table(&found, words)]).chain(more).collect()
    });
    if !blocks.is_empty() {
        blocks.insert(0, Block::paragraph(words.get("pair-differences.lead")));
    }
    blocks
}

fn table(found: &[Found<'_>], words: &Catalogue) -> Block {
    let count = |count: usize| Cell::count(count as u64);
    let mut table = Table::of_rows(found)
        .left(words.get("pair-differences.metric"), |(one, _)| phrases::cell_name(one, words))
        .right(words.get("pair-differences.lower"), |(_, spread)| count(spread.lower))
        .right(words.get("pair-differences.same"), |(_, spread)| count(spread.same))
        .right(words.get("pair-differences.higher"), |(_, spread)| count(spread.higher));
    let shown = |one: &Comparison<'_>, at: f64| Cell::number(phrases::delta_text(one, at), at);
    table = table.right(words.get("pair-differences.lowest"), move |(one, spread): &Found<'_>| {
        shown(one, spread.extremes[0])
    });
    for (place, share) in DIFFERENCE_SHARES.into_iter().enumerate() {
        let head = if share == 0.5 {
            words.get("pair-differences.median")
        } else {
            words.fill("pair-differences.share", &[("share", (share * 100.0).round())])
        };
        table = table.right(head, move |(one, spread): &Found<'_>| {
            shown(one, spread.quantiles.get(place).copied().unwrap_or_default())
        });
    }
    let highest = words.get("pair-differences.highest");
    table.right(highest, move |(one, spread)| shown(one, spread.extremes[1])).block()
}

fn chart((one, spread): &Found<'_>, words: &Catalogue) -> Chart {
    let bars = spread.classes.iter().map(|class| Bar {
        name: name(class, spread, words),
        value: Some(class.pairs as f64),
        shown: quantity::count(class.pairs as u64),
    });
    let key = &one.cell.key;
    let place = phrases::dataset_and_place(key.dataset.as_deref(), &key.dims, words);
    let place = (!place.is_empty()).then(|| words.fill("phrase.detail", &[("detail", place)]));
    let metric = format!("{}{}", key.metric, place.unwrap_or_default());
    let title = words.fill("pair-differences.chart", &[("metric", &metric)]);
    let title = title + &phrases::unit_detail(one.cell.spec.unit, words);
    let group = BarGroup { name: String::new(), bars: bars.collect() };
    Chart::of_bars("pair-differences", title, "", vec![group], words)
}

/// `-0.2 … -0.1`, `≥ 0.4`.
fn name(class: &DifferenceClass, spread: &PairDifferences, words: &Catalogue) -> String {
    let [from, to] = class.limits;
    if class.limits == [0.0, 0.0] {
        return words.get("pair-differences.unchanged");
    }
    let inner = spread.classes.iter().flat_map(|class| class.limits);
    let width = inner.filter(|limit| limit.is_finite()).map(f64::abs).filter(|limit| *limit > 0.0);
    let decimals = quantity::decimals_for_digits(width.fold(f64::INFINITY, f64::min), 1.0);
    let shown = |limit: f64| quantity::signed(limit, decimals);
    match (from.is_finite(), to.is_finite()) {
        (false, _) => format!("< {}", shown(to)),
        (_, false) => format!("> {}", shown(from)),
        _ => format!("{} … {}", shown(from), shown(to)),
    }
}
