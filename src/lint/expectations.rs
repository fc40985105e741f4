//! Targets and what came of them: `≥ 90%`, `87%` and `✅` in one row; `↑ +20-40pp` and a change of `+17 pp`.

use super::columns::has_word;
use super::printed::{EMPHASIS, Printed, is_unit, measured, number_at};
use super::{Found, Page};
use crate::marked::Row;
use crate::text::Refusal;

const EXPECTED: &[&str] = &[
    "target",
    "targets",
    "goal",
    "expected",
    "expectation",
    "threshold",
    "requirement",
    "required",
    "criterion",
    "criteria",
    "sla",
    "slo",
    "budget",
    "预期",
    "期望",
    "目标",
    "阈值",
    "要求",
    "标准",
    "指标要求",
];
const ACTUAL: &[&str] = &[
    "actual",
    "achieved",
    "result",
    "results",
    "measured",
    "observed",
    "实际",
    "实测",
    "结果",
    "达成值",
    "完成值",
];
/// Heads of what is so today, which in a plan is no result.
const TODAY: &[&str] = &["current", "value", "当前", "目前", "现状"];
/// Heads of verdicts.
const STATUS: &[&str] = &[
    "status",
    "met",
    "met?",
    "pass",
    "pass?",
    "pass/fail",
    "passed",
    "ok",
    "ok?",
    "verdict",
    "achieved",
    "achieved?",
    "check",
    "outcome",
    "result",
    "assessment",
    "✓",
    "✅",
    "状态",
    "达标",
    "达成",
    "是否达标",
    "是否达成",
    "判定",
    "结论",
    "评价",
    "结果",
    "通过",
];
const CHANGE: &[&str] =
    &["change", "delta", "Δ", "δ", "diff", "difference", "变化", "差异", "实际变化"];
const MET: &[&str] = &[
    "✅", "✔", "☑", "met", "pass", "passed", "passes", "achieved", "exceeded", "达标", "达成",
    "已达", "满足", "通过", "符合",
];
const MISSED: &[&str] = &[
    "❌",
    "✗",
    "✘",
    "missed",
    "fail",
    "failed",
    "fails",
    "unmet",
    "not met",
    "below target",
    "未达",
    "不达标",
    "未通过",
    "不符合",
    "不满足",
    "未满足",
];
/// Signs and words of a bound, the longer before the shorter: what is above it, and whether it is met itself.
const BOUNDS: &[(&str, bool)] = &[
    (">=", true),
    ("≥", true),
    ("⩾", true),
    (">", true),
    ("at least ", true),
    ("above", true),
    ("over", true),
    ("不低于", true),
    ("至少", true),
    ("高于", true),
    ("大于", true),
    ("<=", false),
    ("≤", false),
    ("⩽", false),
    ("<", false),
    ("at most", false),
    ("below", false),
    ("under", false),
    ("不超过", false),
    ("至多", false),
    ("低于", false),
    ("小于", false),
];

/// Words that make the opposite of a verdict, or less of it.
const HEDGES: &[&str] = &["not", "no", "未", "不"];
/// Signs that say in which direction a change is expected.
const ARROWS: [char; 7] = ['↑', '↓', '⬆', '⬇', '\u{fe0f}', '~', '≈'];
/// The longest cell that is a verdict, in characters.
const LONGEST: usize = 24;

/// The columns of what was expected and what came of it, and which columns are of verdicts.
struct Places {
    expected: usize,
    actual: usize,
    verdicts: Vec<bool>,
}

/// What a figure should be.
#[derive(Debug, PartialEq)]
struct Target<'t> {
    lo: f64,
    hi: f64,
    unit: &'t str,
    /// It has two ends, and beyond one of them may be better still.
    is_range: bool,
}

/// Rows that say of a target that it was met, or missed, and have a figure that says the opposite.
pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    in_tables(page, true)
}

/// Rows that say nothing of it, and have a figure outside of what was expected.
pub(super) fn unmet(page: &Page<'_>) -> Vec<Found> {
    in_tables(page, false)
}

fn in_tables(page: &Page<'_>, is_judged: bool) -> Vec<Found> {
    let tables = page.tables.iter().filter_map(|columns| {
        let expected = columns.only(EXPECTED, None)?;
        let other = |words: &[&str]| columns.only(words, Some(expected));
        let today = || other(TODAY).filter(|_| is_judged);
        let actual = other(CHANGE).or_else(|| other(ACTUAL)).or_else(today)?;
        let is_verdict =
            |head: &String| head.is_empty() || STATUS.iter().any(|word| has_word(head, word));
        let verdicts = columns.heads.iter().map(is_verdict).collect();
        let places = Places { expected, actual, verdicts };
        Some(columns.rows.iter().filter_map(move |row| in_row(row, &places, page.text, is_judged)))
    });
    tables.flatten().collect()
}

fn in_row(row: &Row, places: &Places, text: &str, is_judged: bool) -> Option<Found> {
    let Places { expected, actual, verdicts } = places;
    let (expected, actual) = (*expected, *actual);
    let content = |at: usize| text.get(row.cells.get(at)?.content.clone());
    let said = content(expected)?;
    let target = target(said)?;
    let (printed, unit) = value(content(actual)?)?;
    if unit != target.unit {
        return None;
    }
    let others = (1..row.cells.len()).filter(|at| ![expected, actual].contains(at));
    let others: Vec<usize> =
        others.filter(|at| content(*at).is_some_and(|cell| !cell.is_empty())).collect();
    let is_silent = others.iter().filter_map(|at| content(*at)).all(|cell| value(cell).is_some());
    let judging =
        others.into_iter().filter(|at| verdicts.get(*at).is_some_and(|is_verdict| *is_verdict));
    let own = icon(content(actual)?);
    let verdicts: Vec<bool> = judging.filter_map(content).filter_map(verdict).chain(own).collect();
    let key = match (verdicts.as_slice(), is_judged) {
        ([true], true) if !target.can_be(printed) => "lint.expectation-missed",
        ([false], true) if target.holds(printed) => "lint.expectation-met",
        ([], false) if is_silent && !target.meets(printed) => "lint.unmet-expectation",
        _ => return None,
    };
    let message = Refusal::new(key)
        .with("found", content(actual)?.trim_matches(EMPHASIS))
        .with("expected", said.trim_matches(EMPHASIS));
    Some(Found::at(row.cells.get(actual)?.content.clone(), message))
}

impl Target<'_> {
    /// Whether what may have been rounded to that figure is as it should be, or better. Which end of a range
    /// is the better one is known of changes: the one farther from none.
    fn can_be(&self, printed: Printed) -> bool {
        let span = printed.span();
        let lo = if self.is_range && self.hi <= 0.0 { f64::NEG_INFINITY } else { self.lo };
        let hi = if self.is_range && self.lo >= 0.0 { f64::INFINITY } else { self.hi };
        lo <= span.hi && span.lo <= hi
    }

    /// Whether what may have been rounded to that figure is between its ends.
    fn meets(&self, printed: Printed) -> bool {
        let span = printed.span();
        self.lo <= span.hi && span.lo <= self.hi
    }

    /// Whether all of what may have been rounded to that figure is.
    fn holds(&self, printed: Printed) -> bool {
        let span = printed.span();
        self.lo <= span.lo && span.hi <= self.hi
    }
}

/// What a cell says that a figure should be.
fn target(cell: &str) -> Option<Target<'_>> {
    let said = cell.trim_matches(EMPHASIS).trim_start_matches('\\');
    let said = said.trim_start_matches(ARROWS).trim_start();
    let bound = BOUNDS
        .iter()
        .find_map(|(sign, is_least)| Some((said.strip_prefix(sign)?.trim_start(), *is_least)));
    let is_range = bound.is_none();
    let (lo, hi, unit) = if let Some((rest, is_least)) = bound {
        let number = number_at(rest, 0)?;
        let value = number.printed.value;
        let unit = rest.get(number.place.end..)?;
        if is_least { (value, f64::INFINITY, unit) } else { (f64::NEG_INFINITY, value, unit) }
    } else {
        range(said)?
    };
    let unit = unit.trim_matches(EMPHASIS);
    is_unit(unit).then_some(Target { lo, hi, unit, is_range })
}

/// `+20-40pp`: the sign is that of both ends.
fn range(said: &str) -> Option<(f64, f64, &str)> {
    // Without a sign it may be a range of anything, better above or below.
    let first = number_at(said, 0).filter(|number| number.has_sign)?;
    let rest = said.get(first.place.end..)?;
    let inner = rest.trim_start().strip_prefix(['-', '–', '~', '～', '至'])?.trim_start();
    let second = number_at(inner, 0).filter(|number| !number.has_sign)?;
    let [one, other] = [&first, &second].map(|number| number.printed.value.abs());
    let unit = inner.get(second.place.end..)?;
    let (lo, hi) = if first.printed.value < 0.0 { (-other, -one) } else { (one, other) };
    (one < other).then_some((lo, hi, unit))
}

/// The figure of a cell, whatever sign of a verdict is behind it, and its unit.
fn value(cell: &str) -> Option<(Printed, &str)> {
    let cell = cell.trim_end_matches(EMPHASIS);
    let mut icons = MET.iter().chain(MISSED).filter(|icon| !icon.is_ascii());
    let bare = icons.find_map(|icon| cell.strip_suffix(icon));
    measured(bare.unwrap_or(cell))
}

/// Whether a figure has a sign behind it that says whether it is as it should be.
fn icon(cell: &str) -> Option<bool> {
    let has = |words: &[&str]| words.iter().any(|word| !word.is_ascii() && cell.contains(word));
    match (has(MET), has(MISSED)) {
        (met, missed) if met != missed => Some(met),
        _ => None,
    }
}

/// What a cell says that is no more than a verdict.
fn verdict(cell: &str) -> Option<bool> {
    let cell = cell.to_lowercase();
    let is_long = cell.chars().count() > LONGEST || cell.contains(|c: char| c.is_ascii_digit());
    let has = |words: &[&str]| words.iter().any(|word| has_word(&cell, word));
    let is_missed = has(MISSED) || has(HEDGES);
    (!is_long && (is_missed || has(MET))).then_some(!is_missed)
}
