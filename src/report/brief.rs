//! A comparison in short: what was accepted, a row for each figure that matters most, counts. A
//! terminal shows it whole, a report begins with it.

use indexmap::{IndexMap, IndexSet};

use super::block::{Block, Cell, Section, Table, Tone};
use super::chart::Chart;
use super::data::{ArmView, ComparisonData, ComparisonView, GateView, SuiteMeanView, SuiteView};
use super::sections::{accepted::beside, lists, phrases, roles, urgency::weakness};
use crate::compare::Verdict;
use crate::model::{Dims, MetricRole};
use crate::quantity::{self, Unit};
use crate::text::Catalogue;

/// The most rows that a terminal shows, and those that a report begins with; the results have them
/// all.
const MOST_ROWS: usize = 20;
pub(super) const SHOWN_FIRST: usize = 10;
/// Rows beside these for what closed a gate, which stand behind as many others.
const MOST_CLOSING: usize = 3;

/// Id of the section that a report begins with.
pub const GLANCE: &str = "glance";

/// The most characters of a name in the head of a column.
const LONGEST_HEAD: usize = 20;

/// The most metrics of one role that are named.
const MOST_NAMES: usize = 4;

/// What is counted apart from verdicts, because it stands in their place.
const IN_THEIR_PLACE: [&str; 2] = ["not-worse", "described"];

/// The short form for a terminal.
pub(super) fn blocks(data: &ComparisonData, chart: Option<Chart>, words: &Catalogue) -> Vec<Block> {
    let mut blocks: Vec<Block> = accepted(data, words).map(Block::paragraph).into_iter().collect();
    if data.comparisons.is_empty() {
        return blocks;
    }
    let mut rows = most_urgent(&data.comparisons);
    rows.truncate(MOST_ROWS);
    blocks.extend(figures(&rows, data, words));
    blocks.extend(chart.map(Block::chart));
    blocks.push(Block::paragraph(counts(data, words)));
    blocks.extend(roles(data, words).map(Block::paragraph));
    blocks.extend(noise(data, words).map(Block::paragraph));
    blocks
}

/// The first table among these blocks, as far as a terminal has room for it. Rows without any figure
/// are counted only.
pub fn first_table(blocks: Vec<Block>, words: &Catalogue) -> Vec<Block> {
    let mut tables = blocks.into_iter().filter_map(|block| match block {
        Block::Table { table } => Some(table),
        _ => None,
    });
    let Some(table) = tables.next() else { return Vec::new() };
    let all = table.rows().len();
    let table = table.retained(|row| !is_without_figures(row));
    let known = table.rows().len();
    let counts = [
        ("terminal.more-rows", known.saturating_sub(MOST_ROWS)),
        ("terminal.no-value", all - known),
    ];
    let rest = counts.into_iter().filter(|(_, count)| *count > 0);
    let rest = rest.map(|(key, count)| Block::paragraph(words.fill(key, &[("count", count)])));
    let table = Some(table.first_rows(MOST_ROWS)).filter(|table| !table.is_empty());
    table.map(|table| Block::Table { table }).into_iter().chain(rest).collect()
}

/// Whether figures are missing behind the name of a row, and all that is there is that nothing was
/// counted.
fn is_without_figures(row: &[Cell]) -> bool {
    let figures = row.iter().skip(1);
    figures.clone().any(|cell| cell.missing)
        && figures.filter_map(|cell| cell.value).all(|value| value == 0.0)
}

/// The figures that matter most, for the beginning of a report: of what a run is judged by, where
/// there is any. Metrics that closed a gate are among the first.
pub(super) fn glance(
    data: &ComparisonData,
    gates: &[GateView],
    words: &Catalogue,
) -> Option<Section> {
    let mut rows = shown_first(data);
    let closes =
        |row: &ComparisonView| gates.iter().any(|gate| gate.metric.as_ref() == Some(&row.metric));
    let is_shown = |row: &&ComparisonView| rows.iter().any(|shown| std::ptr::eq(*shown, *row));
    let urgent = most_urgent(&data.comparisons).into_iter();
    let closing: Vec<&ComparisonView> =
        urgent.filter(|row| closes(row) && !is_shown(row)).take(MOST_CLOSING).collect();
    rows.extend(closing);
    let rest = rows.split_off(rows.len().min(MOST_CLOSING));
    let (closing, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(|row| closes(row));
    rows.extend(closing.into_iter().chain(rest));
    let mut blocks = figures(&rows, data, words);
    if data.comparisons.len() > rows.len() {
        blocks.push(Block::paragraph(counts(data, words)));
    }
    let title = words.get("section.glance").into();
    (!rows.is_empty()).then_some(Section { id: GLANCE, title, blocks })
}

/// The rows that a report begins with.
pub(super) fn shown_first(data: &ComparisonData) -> Vec<&ComparisonView> {
    let mut rows = most_urgent(&data.comparisons);
    let has_verdict = |row: &&ComparisonView| row.verdict != "not-assessable";
    if rows.iter().any(has_verdict) {
        rows.retain(has_verdict);
    }
    rows.truncate(SHOWN_FIRST);
    rows
}

/// The table of some rows, and how many more there are.
fn figures(rows: &[&ComparisonView], data: &ComparisonData, words: &Catalogue) -> Vec<Block> {
    let compared = data.comparisons.iter().filter(|row| row.delta.is_some()).count();
    let missing = data.comparisons.len() - compared;
    let left_out = compared.saturating_sub(rows.len());
    let more = (left_out > 0).then(|| words.fill("terminal.more", &[("count", left_out)]));
    let missing = (missing > 0).then(|| incomplete(data, missing, words));
    let rest: Vec<String> = more.into_iter().chain(missing).collect();
    let rest = rest.join(&words.get("punctuation.semicolon"));
    let table = (!rows.is_empty()).then(|| table(rows, data, words));
    let rest = (!rest.is_empty()).then_some(rest);
    let notes = corrected_away(rows, words).into_iter().chain(rest);
    table.into_iter().chain(notes.map(Block::paragraph)).collect()
}

/// How many comparisons lack a figure, and of which arm.
fn incomplete(data: &ComparisonData, count: usize, words: &Catalogue) -> String {
    let lacking =
        |row: &ComparisonView| [row.baseline.value.is_none(), row.candidate.value.is_none()];
    let open = || data.comparisons.iter().filter(|row| row.delta.is_none());
    let number = |wanted: [bool; 2]| open().filter(|row| lacking(row) == wanted).count();
    let arm = |role: &str, name: fn(&ComparisonView) -> &String| {
        only_name(data, name).cloned().unwrap_or_else(|| words.get(&format!("terminal.{role}")))
    };
    let of_arm = |wanted, role: &str, name: fn(&ComparisonView) -> &String| {
        let args = [("count", number(wanted).to_string()), ("name", arm(role, name))];
        (number(wanted) > 0).then(|| words.fill("terminal.missing-in", &args))
    };
    let both = number([true, true]);
    let both = (both > 0).then(|| words.fill("terminal.missing-in-both", &[("count", both)]));
    let parts = [
        of_arm([false, true], "candidate", |row| &row.candidate_run),
        of_arm([true, false], "baseline", |row| &row.baseline_run),
        both,
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let parts = parts.join(&words.get("punctuation.comma"));
    let colon = words.get("punctuation.colon");
    let parts = if parts.is_empty() { parts } else { colon + &parts };
    words.fill("terminal.missing", &[("count", count.to_string()), ("parts", parts)])
}

/// The name that an arm has in all comparisons.
fn only_name(data: &ComparisonData, name: fn(&ComparisonView) -> &String) -> Option<&String> {
    let mut names = data.comparisons.iter().map(name);
    let first = names.next()?;
    names.all(|other| other == first).then_some(first)
}

/// How many rows show an interval without 0 and have no verdict for the other tests beside theirs.
fn corrected_away(rows: &[&ComparisonView], words: &Catalogue) -> Option<String> {
    let is_it = |row: &&&ComparisonView| {
        let ci = row.delta.as_ref().and_then(|delta| delta.ci);
        let p = row.test.as_ref().and_then(|test| Some((test.p, test.p_adjusted?)));
        row.verdict == Verdict::Inconclusive.name()
            && ci.is_some_and(|[lo, hi]| lo > 0.0 || hi < 0.0)
            && p.is_some_and(|(single, adjusted)| single < adjusted)
    };
    let count = rows.iter().filter(is_it).count();
    (count > 0).then(|| words.fill("terminal.corrected", &[("count", count)]))
}

/// The compared figures by what they are for, then from the worst verdict on, then by strength.
fn most_urgent(comparisons: &[ComparisonView]) -> Vec<&ComparisonView> {
    let mut rows: Vec<&ComparisonView> =
        comparisons.iter().filter(|row| row.delta.is_some()).collect();
    sort_by_urgency(&mut rows, |row| {
        let p = row.test.as_ref().and_then(|test| test.p_adjusted);
        let delta = row.delta.as_ref();
        let ends = delta.and_then(|delta| delta.ci);
        (Some(row.rank), row.verdict, weakness(p, delta.map(|delta| delta.absolute), ends))
    });
    rows
}

/// The averages over datasets that a report begins with, in the same order.
pub(super) fn first_averages(data: &ComparisonData) -> Vec<&SuiteView> {
    let mut averages: Vec<&SuiteView> = data.suites.iter().collect();
    sort_by_urgency(&mut averages, |suite| {
        let mut own = data.comparisons.iter().filter(|row| row.metric == suite.metric);
        let SuiteMeanView { delta, ci, .. } = suite.macro_mean;
        let rank = own.next().map(|row| row.rank);
        (rank, suite.verdict, weakness(suite.p_adjusted, Some(delta), Some(ci)))
    });
    averages.truncate(SHOWN_FIRST);
    averages
}

/// What a result is for, its verdict, and how weak it is.
type Urgency = (Option<(u8, Option<MetricRole>)>, &'static str, [f64; 2]);

/// Puts what matters most first, then the worst verdict, then the strongest.
fn sort_by_urgency<V>(results: &mut [&V], urgency: impl Fn(&V) -> Urgency) {
    let place = |name| Verdict::WORST_FIRST.iter().position(|verdict| verdict.name() == name);
    results.sort_by(|a, b| {
        let [(rank, verdict, [p, effect]), (other_rank, other_verdict, [other_p, other])] =
            [a, b].map(|one| urgency(one));
        let strength = p.total_cmp(&other_p).then(effect.total_cmp(&other));
        rank.cmp(&other_rank).then(place(verdict).cmp(&place(other_verdict))).then(strength)
    });
}

/// The rules that were accepted, and the grade without them.
fn accepted(data: &ComparisonData, words: &Catalogue) -> Option<String> {
    let comparability = &data.comparability;
    let rules: Vec<&str> =
        comparability.accepted.iter().map(|accepted| accepted.rule.as_str()).collect();
    let count: usize = comparability.accepted.iter().map(|accepted| accepted.findings).sum();
    let (grade, unaccepted) = (comparability.grade, comparability.grade_unaccepted);
    let args = [
        ("count", count.to_string()),
        ("rules", rules.join(&words.get("punctuation.comma"))),
        ("grade", words.get(&format!("grade.{unaccepted}.title"))),
    ];
    let key = if unaccepted == grade { "terminal.accepted-same" } else { "terminal.accepted" };
    (count > 0).then(|| words.fill(key, &args))
}

/// One row for each average over datasets, then one for each comparison.
fn table(rows: &[&ComparisonView], data: &ComparisonData, words: &Catalogue) -> Block {
    let is_several = only_name(data, |row| &row.candidate_run).is_none();
    let level = rows.iter().find_map(|row| row.delta.as_ref()?.level);
    let level = level.map_or_else(String::new, |level| format!("{} ", quantity::level(level)));
    let word = |key: &str| words.get(&format!("terminal.{key}"));
    let arm = |role: &str, name: fn(&ComparisonView) -> &String| match only_name(data, name)
        .filter(|name| name.chars().count() <= LONGEST_HEAD)
    {
        Some(name) => words.fill("terminal.arm", &[("name", name.as_str()), ("role", &word(role))]),
        None => word(role),
    };
    let averages = first_averages(data).into_iter().map(|suite| average(suite, words));
    let comparisons = rows.iter().map(|row| comparison(row, data, words));
    let rows: Vec<Row<'_>> = averages.chain(comparisons).collect();
    Table::of_rows(&rows)
        .left(word("metric"), |row| row.metric.as_str())
        .when(is_several, |table| table.left(word("run"), |row| row.run))
        .right(arm("baseline", |row| &row.baseline_run), |row| row.figures[0].clone())
        .right(arm("candidate", |row| &row.candidate_run), |row| row.figures[1].clone())
        .right(word("delta"), |row| row.delta.clone())
        .right(words.fill("terminal.interval", &[("level", &level)]), |row| row.interval.clone())
        .optional()
        .right(word("p"), |row| row.p.clone())
        .optional()
        .left(word("verdict_head"), |row| row.verdict.clone())
        .block()
}

/// The row of one comparison, or of one average over datasets.
struct Row<'a> {
    metric: String,
    run: &'a str,
    figures: [Cell; 2],
    delta: Cell,
    interval: Cell,
    p: Cell,
    verdict: Cell,
}

fn comparison<'a>(row: &'a ComparisonView, data: &ComparisonData, words: &Catalogue) -> Row<'a> {
    let Cells { figures, delta, interval, p } = cells(row, words);
    Row {
        metric: name(&row.metric, dataset_among(row, data), &row.dims),
        run: &row.candidate_run,
        figures,
        delta,
        interval,
        p,
        verdict: with_size(
            verdict((row.verdict, row.word), [&row.accepted, &row.confounded], words),
            row.small_within,
            words,
        ),
    }
}

/// The numbers of a row.
pub(super) struct Cells {
    pub(super) figures: [Cell; 2],
    pub(super) delta: Cell,
    pub(super) interval: Cell,
    pub(super) p: Cell,
}

pub(super) fn cells(row: &ComparisonView, words: &Catalogue) -> Cells {
    let figures = row.compared();
    let operands = figures.map(Option::unwrap_or_default);
    let shown = |value: Option<f64>, arm: &ArmView| {
        value.map_or_else(Cell::missing, |value| {
            let shown = phrases::partial_figure(value, arm.whole, arm.part, row.unit, words);
            Cell::number(shown, value)
        })
    };
    let delta = row.delta.as_ref();
    let unknown = || if delta.is_some() { Cell::dash() } else { Cell::missing() };
    let p = row.test.as_ref().and_then(|test| test.p_adjusted.filter(|_| delta.is_some()));
    Cells {
        figures: [shown(figures[0], &row.baseline), shown(figures[1], &row.candidate)],
        delta: delta.map_or_else(Cell::missing, |delta| {
            let shown = quantity::difference_within(delta.absolute, operands, delta.ci, row.unit);
            Cell::number(shown, delta.absolute)
        }),
        interval: delta.and_then(|delta| delta.ci).map_or_else(unknown, |[lo, hi]| {
            let decimals = interval_decimals(row.unit, [lo, hi]);
            Cell::number(quantity::interval_text(lo, hi, decimals), lo)
        }),
        p: p.map_or_else(unknown, |p| Cell::number(quantity::p_value_text(p), p)),
    }
}

/// An average over datasets has no figures of the arms: datasets have no common scale.
pub(super) fn average_cells(suite: &SuiteView) -> Cells {
    let mean = suite.macro_mean;
    let [lo, hi] = mean.ci;
    let places = quantity::decimals_for_interval(lo, hi);
    let delta = quantity::difference_with_decimals(mean.delta, places, suite.metric_unit);
    Cells {
        figures: [Cell::dash(), Cell::dash()],
        delta: Cell::number(delta, mean.delta),
        interval: Cell::number(quantity::interval_text(lo, hi, places), lo),
        p: suite.p_adjusted.map_or_else(Cell::dash, |p| Cell::number(quantity::p_value_text(p), p)),
    }
}

fn average<'a>(suite: &'a SuiteView, words: &Catalogue) -> Row<'a> {
    let Cells { figures, delta, interval, p } = average_cells(suite);
    Row {
        metric: suite_name(suite, words),
        run: &suite.candidate_run,
        figures,
        delta,
        interval,
        p,
        verdict: verdict((suite.verdict, suite.word), [&suite.accepted, &suite.confounded], words),
    }
}

/// The name of a row of a chart, which has no column for the candidate, without coordinates that all
/// rows share.
pub(super) fn row_name(row: &ComparisonView, data: &ComparisonData) -> String {
    let all = || {
        data.comparisons.iter().filter(|other| other.metric == row.metric && other.delta.is_some())
    };
    let is_shared = |name: &&str| all().all(|other| other.dims.get(name) == row.dims.get(name));
    let shared = row.dims.names().filter(|_| all().nth(1).is_some()).filter(is_shared);
    let dims = row.dims.without_all(&shared.map(str::to_owned).collect::<Vec<_>>());
    of_candidate(name(&row.metric, dataset_among(row, data), &dims), &row.candidate_run, data)
}

/// The same of an average.
pub(super) fn average_name(suite: &SuiteView, data: &ComparisonData, words: &Catalogue) -> String {
    of_candidate(suite_name(suite, words), &suite.candidate_run, data)
}

fn of_candidate(name: String, candidate: &str, data: &ComparisonData) -> String {
    match only_name(data, |row| &row.candidate_run) {
        Some(_) => name,
        None => format!("{candidate} · {name}"),
    }
}

/// The dataset of a row where there are several.
fn dataset_among<'a>(row: &'a ComparisonView, data: &ComparisonData) -> Option<&'a str> {
    let has_others = data.comparisons.iter().any(|other| other.dataset != row.dataset);
    row.dataset.as_deref().filter(|_| has_others)
}

fn suite_name(suite: &SuiteView, words: &Catalogue) -> String {
    let datasets = words.fill("terminal.suite", &[("datasets", suite.datasets)]);
    name(&suite.metric, Some(&datasets), &suite.dims)
}

/// Decimals of the limits of a difference.
pub(super) fn interval_decimals(unit: Unit, [lo, hi]: [f64; 2]) -> usize {
    if unit.is_rate() { 1 } else { quantity::decimals_for_interval(lo, hi) }
}

/// `accuracy (okvqa, shots=1)`.
fn name(metric: &str, place: Option<&str>, dims: &Dims) -> String {
    let dims = dims.iter().map(|(name, value)| format!("{name}={value}"));
    let place: Vec<String> = place.map(str::to_owned).into_iter().chain(dims).collect();
    if place.is_empty() { metric.to_owned() } else { format!("{metric} ({})", place.join(", ")) }
}

/// A verdict, and that the difference is small for certain where it is.
fn with_size(verdict: Cell, small_within: Option<f64>, words: &Catalogue) -> Cell {
    match small_within {
        Some(_) => Cell { text: verdict.text.and_plain(words.get("phrase.small")), ..verdict },
        None => verdict,
    }
}

/// The verdict, with the codes that it stands in spite of and those that confound it.
fn verdict((verdict, word): (&str, Option<&str>), codes: [&[&str]; 2], words: &Catalogue) -> Cell {
    if let Some(word) = word {
        return Cell::text(words.get(&format!("terminal.verdict.{word}")));
    }
    let mut text = words.get(&format!("terminal.verdict.{verdict}"));
    text.push_str(&beside(codes, words));
    let tone = match verdict {
        "better" => Some(Tone::Good),
        "worse" => Some(Tone::Danger),
        "inconclusive" => Some(Tone::Warning),
        "not-assessable" => Some(Tone::Note),
        _ => None,
    };
    Cell { tone, ..Cell::text(text) }
}

/// How many results, averages among them, have which verdict.
fn counts(data: &ComparisonData, words: &Catalogue) -> String {
    let verdicts = data.verdicts;
    let number = |verdict: &str| match verdict {
        "worse" => verdicts.worse,
        "better" => verdicts.better,
        "inconclusive" => verdicts.inconclusive,
        "equivalent" => verdicts.equivalent,
        "identical" => verdicts.identical,
        "not-worse" => verdicts.not_worse,
        "described" => verdicts.described,
        _ => verdicts.not_assessable,
    };
    let names = Verdict::WORST_FIRST.map(Verdict::name).into_iter().chain(IN_THEIR_PLACE);
    let averaged = |name: &str| {
        data.suites.iter().filter(|suite| suite.word.unwrap_or(suite.verdict) == name).count()
            as u64
    };
    phrases::verdict_counts(names.map(|name| (name, number(name) + averaged(name))), words)
}

/// Which metrics have which role, where any is not primary, and how often a verdict is false.
fn roles(data: &ComparisonData, words: &Catalogue) -> Option<String> {
    let mut groups: IndexMap<&str, IndexSet<&str>> = IndexMap::new();
    let missing = data.comparisons.iter().filter(|row| row.delta.is_none());
    for row in most_urgent(&data.comparisons).into_iter().chain(missing) {
        groups.entry(row.role.unwrap_or("none")).or_default().insert(&row.metric);
    }
    if groups.keys().all(|role| *role == "primary" || *role == "none") {
        return None;
    }
    let group = |(role, metrics): (&str, IndexSet<&str>)| {
        let names = metrics.into_iter().map(str::to_owned);
        let names = lists::first(names, MOST_NAMES, words);
        let role = words.get(&format!("roles.{role}"));
        words.fill("roles.group-short", &[("role", role), ("names", names)])
    };
    let groups: Vec<String> = groups.into_iter().map(group).collect();
    let mut text = groups.join(&words.get("punctuation.semicolon"));
    if data.families.error_rate > 0.0 {
        let conditions = data.families.rate_conditions.iter().copied();
        let rate = [("rate", roles::said_rate(data.families.error_rate, conditions, words))];
        text.push_str(&words.get("punctuation.semicolon"));
        text.push_str(&words.fill("terminal.error-rate", &rate));
    }
    Some(text)
}

/// The number of differences within the noise of the baseline, if repeated runs measure it.
fn noise(data: &ComparisonData, words: &Catalogue) -> Option<String> {
    let measured = data.comparisons.iter().filter_map(|row| row.noise.as_ref());
    let runs = measured.clone().map(|noise| noise.runs).max()? as usize;
    let within = measured.clone().filter(|noise| noise.within).count();
    let args = [("runs", runs), ("within", within), ("count", measured.count())];
    Some(words.fill("terminal.noise", &args))
}
