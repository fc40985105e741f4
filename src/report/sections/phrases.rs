//! Phrases that several sections use: arms, verdicts, places, figures of a comparison.

use super::accepted;
use crate::check::CheckFindings;
use crate::compare::{Comparison, Seeds, Verdict, VerdictReason};
use crate::diag::Code;
use crate::model::{Absence, DimValue, Dims, Measured, Run, SampleTable};
use crate::pairing::{ArmPair, CellKey, PairArm};
use crate::quantity::{self, Unit};
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Icon, Span, Text};
use crate::stats::Interval;
use crate::text::Catalogue;

/// Factor values longer than this stay in the configuration table.
const LONGEST_DETAIL: usize = 40;

/// The name of an arm with its number of runs, when it has several: `tuned (4 runs)`.
pub(crate) fn arm_name(pair: &ArmPair<'_>, which: PairArm, words: &Catalogue) -> String {
    let name = pair.name(which);
    if pair.size(which) == 1 {
        return name.to_owned();
    }
    let count = quantity::count(pair.size(which) as u64);
    words.fill("phrase.arm-runs", &[("name", name), ("count", &count)])
}

/// The name of an arm with the values of the factors: `kl-0.12 (kl_beta=0.12)`.
pub(crate) fn arm_label(pair: &ArmPair<'_>, which: PairArm, words: &Catalogue) -> String {
    with_factors(pair.name(which), pair.run(which), pair, words)
}

/// A name with the values that a run has of the factors.
pub(crate) fn with_factors(name: &str, run: &Run, pair: &ArmPair<'_>, words: &Catalogue) -> String {
    let values: Vec<String> = pair
        .factors
        .keys
        .iter()
        .filter_map(|key| {
            let own = run.content.config.get(key);
            let entry = own.or_else(|| {
                let which =
                    PairArm::BOTH.into_iter().find(|&which| std::ptr::eq(pair.run(which), run))?;
                pair.entry(which, key)
            })?;
            let leaf = crate::model::leaf(key);
            Some(format!("{leaf}={}", entry.value))
        })
        .take(2)
        .collect();
    let detail = values.join(&words.get("punctuation.comma"));
    if detail.is_empty() || detail.chars().count() > LONGEST_DETAIL {
        return name.to_owned();
    }
    words.fill("phrase.name-with-detail", &[("name", name), ("detail", &detail)])
}

/// A heading that names the candidate, when there are several.
pub(crate) fn candidate_heading(
    material: &ReportMaterial<'_>,
    pair: &ArmPair<'_>,
) -> Option<Block> {
    (material.paired_arms.pairs.len() > 1)
        .then(|| Block::heading(arm_label(pair, PairArm::Candidate, material.words)))
}

/// ` (pp)`; nothing for figures without a unit.
pub(crate) fn unit_detail(unit: Unit, words: &Catalogue) -> String {
    match unit.name_of_differences() {
        "" => String::new(),
        name => words.fill("phrase.detail", &[("detail", name)]),
    }
}

/// From this p on, a difference is not called the nearest to anything.
pub(super) const FARTHEST_P: f64 = 0.5;

/// p of a comparison as if it were the only test, where it is one of a family.
pub(super) fn single_p(comparison: &Comparison<'_>) -> Option<f64> {
    comparison.adjusted?;
    Some(comparison.analysis.as_ref()?.test?.p)
}

/// How many results have which verdict: `3 worse, 1 better`. What none has is left out.
pub(in crate::report) fn verdict_counts(
    counts: impl IntoIterator<Item = (&'static str, u64)>,
    words: &Catalogue,
) -> String {
    let met = counts.into_iter().filter(|(_, count)| *count > 0);
    let counted = met
        .map(|(name, count)| format!("{count} {}", words.get(&format!("terminal.count.{name}"))));
    counted.collect::<Vec<_>>().join(&words.get("punctuation.comma"))
}

/// The blocks of each candidate that has some, below its name where there are several.
pub(crate) fn by_candidate<'a>(
    material: &ReportMaterial<'a>,
    blocks: impl Fn(&'a ArmPair<'a>, &'a CheckFindings, &'a [Comparison<'a>]) -> Vec<Block>,
) -> Vec<Block> {
    let of_pair = |(pair, findings, comparisons)| {
        let blocks = blocks(pair, findings, comparisons);
        let heading = candidate_heading(material, pair).filter(|_| !blocks.is_empty());
        heading.into_iter().chain(blocks)
    };
    material.pairs().flat_map(of_pair).collect()
}

pub fn direction_icon(delta: f64) -> Icon {
    if delta > 0.0 {
        Icon::Up
    } else if delta < 0.0 {
        Icon::Down
    } else {
        Icon::Flat
    }
}

/// Where a number went, and what may be said about it.
pub(crate) fn judgement(comparison: &Comparison<'_>, words: &Catalogue) -> Cell {
    match comparison.delta {
        None => no_difference(comparison),
        Some(delta) => {
            let codes = [comparison.accepted.as_slice(), &comparison.confounded];
            let said = (comparison.verdict, comparison.reason);
            let mut cell = judged(delta, said, codes, words);
            if comparison.small_within.is_some() {
                cell.text = cell.text.and_plain(words.get("phrase.small"));
            }
            cell
        }
    }
}

/// The sign of a difference and its verdict, with the codes that had to be accepted for it and those
/// that confound it.
pub fn judged(
    delta: f64,
    (verdict, reason): (Verdict, Option<VerdictReason>),
    codes: [&[Code]; 2],
    words: &Catalogue,
) -> Cell {
    let mut text = Text::icon(direction_icon(quantity::settled(delta)));
    let judged = match verdict {
        Verdict::Worse => Some(Icon::Bad),
        Verdict::Better | Verdict::Equivalent | Verdict::Identical => Some(Icon::Good),
        Verdict::Inconclusive | Verdict::NotAssessable => None,
    };
    if let Some(judged) = judged {
        text = text.and_plain(" ").and_icon(judged);
    }
    let word = reason.and_then(VerdictReason::word).unwrap_or(verdict.name());
    let word = words.get(&format!("verdict.{word}"));
    let accepted = accepted::beside(codes, words);
    Cell::text(text.and_plain(format!(" {word}{accepted}")))
}

/// A table of samples by dataset and coordinates.
pub(crate) fn table_name(table: &SampleTable, dims: &Dims, words: &Catalogue) -> String {
    let name = dataset_and_place(table.dataset.as_deref(), dims, words);
    if name.is_empty() { "—".to_owned() } else { name }
}

/// A dataset and coordinates, as far as there are any: `okvqa · Shot 1`.
pub(crate) fn dataset_and_place(dataset: Option<&str>, dims: &Dims, words: &Catalogue) -> String {
    let parts = dataset.map(str::to_owned).into_iter();
    parts
        .chain((!dims.is_empty()).then(|| place_phrase(dims, words)))
        .collect::<Vec<_>>()
        .join(" · ")
}

/// A figure, with the samples that it stands on where an arm lacks some: `66.7% (n=30/1,000)`; of an
/// arm that lacks none its own before it.
pub(crate) fn figure_text(
    comparison: &Comparison<'_>,
    which: PairArm,
    value: f64,
    words: &Catalogue,
) -> String {
    let unit = comparison.cell.spec.unit;
    partial_figure(value, comparison.whole_figure(which), comparison.part(which), unit, words)
}

/// The figure that is compared, and before it that of the whole arm where they differ.
pub(crate) fn partial_figure(
    value: f64,
    whole: Option<f64>,
    part: Option<[u64; 2]>,
    unit: Unit,
    words: &Catalogue,
) -> String {
    let figure = quantity::figure(value, unit);
    let whole = whole.map(|whole| quantity::figure(whole, unit)).filter(|whole| *whole != figure);
    let paired = quantity::with_samples(figure, part);
    match whole {
        Some(whole) => {
            words.fill("phrase.whole-and-paired", &[("whole", whole), ("paired", paired)])
        }
        None => paired,
    }
}

const NOT_APPLICABLE: Measured = Measured::Absent(Absence::NotApplicable);

/// Whether an arm cannot have the figure, so that there never will be a difference.
pub(crate) fn cannot_exist(comparison: &Comparison<'_>) -> bool {
    PairArm::BOTH.iter().any(|&which| comparison.cell.side(which).value() == NOT_APPLICABLE)
}

/// Placeholder for a missing difference: a dash if there never will be one.
pub(crate) fn no_difference(comparison: &Comparison<'_>) -> Cell {
    if cannot_exist(comparison) { Cell::dash() } else { Cell::missing() }
}

/// One arm's figure, a dash where it cannot exist, a word where it failed; bold where the candidate is
/// better or worse.
pub(crate) fn figure_cell(comparison: &Comparison<'_>, which: PairArm, words: &Catalogue) -> Cell {
    match comparison.figure(which) {
        None => match comparison.cell.side(which).value() {
            NOT_APPLICABLE => Cell::dash(),
            Measured::Absent(Absence::Failed) => Cell::absent(words.get("results.failed")),
            _ => Cell::missing(),
        },
        Some(value) => {
            let shown = figure_text(comparison, which, value, words);
            let is_decided = comparison.verdict.is_decided();
            let text = match which {
                PairArm::Candidate if is_decided => Text::strong(shown),
                _ => Text::plain(shown),
            };
            Cell::number(text, value)
        }
    }
}

/// The difference with its sign and unit; for metrics that are no rates, with the relative change.
pub(crate) fn delta_cell(comparison: &Comparison<'_>, words: &Catalogue) -> Cell {
    let Some(delta) = comparison.delta else { return no_difference(comparison) };
    let mut shown = delta_text(comparison, delta);
    let rate = comparison.cell.spec.unit.is_rate();
    if let Some(relative) =
        comparison.relative().filter(|_| !rate && quantity::settled(delta) != 0.0)
    {
        let percent = quantity::signed_relative_change(relative);
        shown = words.fill("phrase.name-with-detail", &[("name", &shown), ("detail", &percent)]);
    }
    Cell::number(Text::plain(shown), delta)
}

/// A difference as precise as its interval.
pub(crate) fn delta_text(comparison: &Comparison<'_>, delta: f64) -> String {
    let operands = operands(comparison);
    let interval = interval(comparison).map(|Interval { lo, hi, .. }| [lo, hi]);
    quantity::difference_within(
        quantity::settled(delta),
        operands,
        interval,
        comparison.cell.spec.unit,
    )
}

/// A difference as precise as its operands: for parts of one that add up, and limits that someone
/// declared.
pub(crate) fn exact_delta_text(comparison: &Comparison<'_>, delta: f64) -> String {
    quantity::difference_text(
        quantity::settled(delta),
        operands(comparison),
        comparison.cell.spec.unit,
    )
}

fn operands(comparison: &Comparison<'_>) -> [f64; 2] {
    PairArm::BOTH.map(|which| comparison.figure(which).unwrap_or_default())
}

/// The interval of the difference, by this comparison alone.
pub(crate) fn interval(comparison: &Comparison<'_>) -> Option<Interval> {
    comparison.analysis.as_ref()?.interval
}

/// Decimals for intervals and detectable effects: one is enough for points.
pub(crate) fn interval_decimals(comparison: &Comparison<'_>) -> usize {
    if comparison.cell.spec.unit.is_rate() {
        return 1;
    }
    let width = interval(comparison).map_or(0.0, |interval| interval.hi - interval.lo).max(1e-6);
    (2.0 - width.log10().floor()).clamp(0.0, 8.0) as usize
}

pub(crate) fn interval_cell(comparison: &Comparison<'_>) -> Cell {
    limits_cell(interval(comparison), interval_decimals(comparison))
}

/// The interval of the difference that holds together with those of its family.
pub(crate) fn joint_interval_cell(comparison: &Comparison<'_>) -> Cell {
    limits_cell(comparison.ci_simultaneous, interval_decimals(comparison))
}

/// The limits of an interval; a dash where there is none.
pub(crate) fn limits_cell(interval: Option<Interval>, decimals: usize) -> Cell {
    interval.map_or_else(Cell::dash, |Interval { lo, hi, .. }| {
        Cell::number(quantity::interval_text(lo, hi, decimals), lo)
    })
}

/// The smallest and the largest of several figures, where there are any.
pub(crate) fn range_cell(range: Option<(f64, f64)>, unit: Unit) -> Cell {
    range.map_or_else(Cell::missing, |(lowest, highest)| {
        let shown = [lowest, highest].map(|value| quantity::figure(value, unit));
        Cell::text(shown.join(" … "))
    })
}

/// A p-value; a dash where there is none.
pub(crate) fn p_cell(p: Option<f64>) -> Cell {
    p.map_or_else(Cell::dash, |p| Cell::number(quantity::p_value_text(p), p))
}

/// Samples behind a comparison: pairs, or both sizes when samples were not paired.
pub(crate) fn n_cell(comparison: &Comparison<'_>, words: &Catalogue) -> Cell {
    if let Some(seeds) = &comparison.seeds {
        return seeds_cell(seeds, words);
    }
    if let (Some(pairs), Some(clusters)) = (comparison.paired(), comparison.clusters()) {
        let args = [("n", quantity::count(pairs)), ("clusters", quantity::count(clusters))];
        return Cell::number(words.fill("phrase.clusters", &args), clusters as f64);
    }
    let sizes = PairArm::BOTH.map(|which| comparison.n(which));
    if let Some(clusters) = comparison.own_clusters() {
        let both = |[baseline, candidate]: [u64; 2]| {
            format!("{} / {}", quantity::count(baseline), quantity::count(candidate))
        };
        let n = both(sizes.map(Option::unwrap_or_default));
        let args = [("n", n), ("clusters", both(clusters))];
        let [baseline, candidate] = clusters;
        let fewer = baseline.min(candidate) as f64;
        return Cell::number(words.fill("phrase.clusters", &args), fewer);
    }
    match (comparison.paired(), sizes) {
        (Some(n), _) | (None, [Some(n), None] | [None, Some(n)]) => Cell::count(n),
        (None, [Some(a), Some(b)]) if a == b => Cell::count(a),
        (None, [Some(a), Some(b)]) => {
            let text = format!("{} / {}", quantity::count(a), quantity::count(b));
            Cell::number(text, a.min(b) as f64)
        }
        (None, [None, None]) => Cell::missing(),
    }
}

/// Trainings of both arms, and the samples that all were scored on where these count.
fn seeds_cell(seeds: &Seeds<'_>, words: &Catalogue) -> Cell {
    let [baseline, candidate] = PairArm::BOTH.map(|which| seeds.moments(which).n);
    let items = seeds.items.map(quantity::count);
    let key = if items.is_some() { "phrase.seeds-by-items" } else { "phrase.seeds" };
    let args = [
        ("baseline", quantity::count(baseline)),
        ("candidate", quantity::count(candidate)),
        ("items", items.unwrap_or_default()),
    ];
    Cell::number(words.fill(key, &args), baseline.min(candidate) as f64)
}

/// The words of a coordinate name: `Epoch`, `样本数`, or the name itself.
pub(crate) fn dim_name(name: &str, words: &Catalogue) -> String {
    words.find(&format!("dim.{name}")).map_or_else(|| name.to_owned(), str::to_owned)
}

/// A coordinate: `Epoch 1`, `Shot 2`.
pub(crate) fn dim_value(name: &str, value: &DimValue, words: &Catalogue) -> String {
    words.fill("phrase.dim", &[("name", &dim_name(name, words)), ("value", &value.to_string())])
}

/// The head of a row at some coordinate, shown as `text`.
pub(crate) fn axis_cell(value: &DimValue, text: String) -> Cell {
    match value.number() {
        Some(number) => Cell::number(Text::strong(text), number),
        None => Cell::text(Text::strong(text)),
    }
}

/// Coordinates in words: `样本数 200 · Shot 1`.
pub(crate) fn place_phrase(dims: &Dims, words: &Catalogue) -> String {
    let parts: Vec<String> =
        dims.iter().map(|(name, value)| dim_value(name, value, words)).collect();
    parts.join(" · ")
}

/// A metric with dataset and coordinates, as much as is needed to find it.
pub(crate) fn cell_name(comparison: &Comparison<'_>, words: &Catalogue) -> Text {
    key_name(&comparison.cell.key, words)
}

/// A cell with dataset and coordinates, as much as is needed to find it.
pub(crate) fn key_name(key: &CellKey, words: &Catalogue) -> Text {
    metric_name(&key.metric, key.dataset.as_deref(), &key.dims, words)
}

/// A metric with dataset and coordinates, where there are any.
pub(crate) fn metric_name(
    metric: &str,
    dataset: Option<&str>,
    dims: &Dims,
    words: &Catalogue,
) -> Text {
    let mut details: Vec<String> = dataset.map(str::to_owned).into_iter().collect();
    if !dims.is_empty() {
        details.push(place_phrase(dims, words));
    }
    let text = Text::code(metric);
    if details.is_empty() {
        return text;
    }
    let detail = details.join(&words.get("punctuation.comma"));
    text.and(Span::Plain(words.fill("phrase.detail", &[("detail", &detail)])))
}
