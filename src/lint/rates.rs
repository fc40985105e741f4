//! Counts against the percentage beside them: `97.7% (43/44)`, `43/44 (97.7%)`, `43/44 = 97.7%`.

use std::ops::Range;

use super::printed::{Number, Printed, number_at, number_before};
use super::rate::{Block, Rate, is_row};
use super::{Found, Page, Reckoned, slips};
use crate::quantity;

/// Words and signs before a percentage that is not meant to be exact.
const ABOUT: &[&str] =
    &["~", "≈", "<", ">", "≤", "≥", "约", "近", "about ", "around ", "nearly ", "almost ", "over "];

/// What a share of counts is called.
pub(super) const SHARES: &[&str] = &[
    "accuracy",
    "acc",
    "pass rate",
    "success rate",
    "resolve rate",
    "准确率",
    "正确率",
    "通过率",
    "成功率",
];

/// How far, as a share, a percentage may be off that is mended; what is farther away may be one of something
/// else.
const CLOSE: f64 = 0.1;

/// Counts of so few samples, or fewer, may be a ratio.
const FEWEST: f64 = 4.0;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let (mut found, mut block) = (Vec::new(), Block::default());
    let mut judge = |rates: &mut dyn Iterator<Item = (usize, Rate)>| {
        found.extend(rates.filter_map(|(start, rate)| wrong(&rate, start)));
    };
    for (start, line) in page.lines.each() {
        let mut rates = rates(line);
        if is_row(line) {
            block.add(line, rates, start);
        } else {
            judge(&mut std::mem::take(&mut block).shares());
            judge(&mut rates.drain(..).map(|rate| (start, rate)));
        }
    }
    judge(&mut block.shares());
    found
}

fn wrong(rate: &Rate, start: usize) -> Option<Found> {
    let (k, n) = (rate.successes.printed.value, rate.trials.printed.value);
    // `a third (1/3)` is a ratio.
    if n <= FEWEST && (rate.percent.printed.value / 100.0 - k / n).abs() > CLOSE {
        return None;
    }
    let place = &rate.percent.place;
    let place = start + place.start..start + place.end;
    (!rate.fits()).then(|| mismatch((rate.percent.printed, 100.0), [k, n], place))
}

/// A share that is not that of its counts, of 1 or of 100.
pub(super) fn mismatch(
    (share, whole): (Printed, f64),
    [k, n]: [f64; 2],
    place: Range<usize>,
) -> Found {
    let [successes, trials] = [k, n].map(|count| quantity::fixed(count, 0));
    let expected = share.like(whole * k / n);
    let counts = [k, n].map(|value| Printed { value, decimals: 0 });
    let rule = |[k, n]: [f64; 2]| (n >= k.max(1.0)).then(|| whole * k / n);
    let is_close = (share.value / whole - k / n).abs() <= CLOSE;
    let (key, factor) = if whole == 1.0 { ("lint.fraction", "") } else { ("lint.rate", "100 × ") };
    let reckoned = Reckoned {
        found: share.text(),
        how: format!("{factor}{successes} ÷ {trials}"),
        fix: (is_close && !slips::explains(counts, share, rule)).then(|| expected.clone()),
        expected,
    };
    let found = Found::figure(place, key, reckoned);
    found.with("successes", successes).with("trials", trials)
}

/// What may follow counts and percentage that belong together; any other word says what else they are:
/// `3/4 (95% CI 30–95)`, `99% (1/100 failed)`, `1/3 (30% warm-up)`, `9/10 (80% → 90%)`.
const ENDS: &[char] = &[')', '）', ']', ',', '，', ';', '；', '。'];

/// What makes another figure of a percentage behind an equals sign: `45/50 = 90% CI`, `= 80–90%`.
const GOES_ON: &[&str] = &["CI", "conf", "→", "->", "–", "-", "±", "to "];

/// What stands between two counts of which one is a part of the other.
const OF: &[&str] = &["/", " out of the ", " out of ", " of the ", " of "];

/// What counts may be of, and what the first of them came to.
const COUNTED: &[&str] = &[
    "samples",
    "questions",
    "problems",
    "tasks",
    "cases",
    "tests",
    "examples",
    "items",
    "prompts",
    "correct",
    "passed",
    "pass",
    "right",
    "solved",
    "题",
];

/// The shares of a line.
pub(super) fn rates(line: &str) -> Vec<Rate> {
    if !line.contains('%') {
        return Vec::new();
    }
    let signs = OF.iter().flat_map(|sign| line.match_indices(sign));
    let mut rates: Vec<Rate> =
        signs.filter_map(|(at, sign)| rate(line, at..at + sign.len())).collect();
    rates.extend(line.match_indices('中').filter_map(|(at, _)| rate_among(line, at)));
    rates.sort_by_key(|rate| rate.successes.place.start);
    rates
}

/// The share whose counts stand on both sides of a sign.
fn rate(line: &str, sign: Range<usize>) -> Option<Rate> {
    let left = line.get(..sign.start)?.trim_end_matches(' ').len();
    let successes = number_before(line, left)?;
    let right = line.len() - line.get(sign.end..)?.trim_start_matches(' ').len();
    let trials = number_at(line, right)?;
    let is_count = |number: &Number| number.printed.decimals == 0 && !number.has_sign;
    let before = line.get(..successes.place.start)?;
    let after = line.get(trials.place.end..)?;
    let is_bare = !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_'))
        && !after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '%' | '_' | '-'));
    let counts = is_count(&successes) && is_count(&trials) && is_bare;
    if !counts || trials.printed.value < 1.0 || successes.printed.value > trials.printed.value {
        return None;
    }
    let end = line.len() - without_counted(after).len();
    let in_front =
        percent_before(line, before).filter(|_| ends(line.get(end..).unwrap_or_default()));
    let share = 100.0 * successes.printed.value / trials.printed.value;
    let percent =
        in_front.or_else(|| percent_after(line, end)).or_else(|| percent_said(line, end, share))?;
    Some(Rate { successes, trials, percent })
}

/// What counts are of in Chinese.
const CLASSIFIERS: &[&str] =
    &["道题目", "道题", "个样本", "个问题", "个任务", "条样本", "题", "道", "条", "例", "个", "次"];
/// What the part of them came to.
const CAME_TO: &[&str] =
    &["答对了", "答对", "做对", "正确", "通过了", "通过", "解决了", "解决", "成功"];

/// `250 题中答对 213 题，准确率 87.2%`: the sign is that of `中`.
fn rate_among(line: &str, at: usize) -> Option<Rate> {
    let of_them = line.get(..at)?.trim_end();
    let trials = CLASSIFIERS.iter().find_map(|word| of_them.strip_suffix(word))?.trim_end();
    let trials = number_before(line, trials.len())?;
    let came = line.get(at..)?.trim_start_matches(['中', '，', ' ']);
    // `在 250 道题中答对 213 道`, `250 题中有 213 题正确`
    let came = came.strip_prefix('有').unwrap_or(came);
    let inner = CAME_TO.iter().find_map(|word| came.strip_prefix(word)).unwrap_or(came);
    let inner = inner.trim_start_matches([' ', '*']);
    let successes = number_at(line, line.len() - inner.len())?;
    let rest = line.get(successes.place.end..)?.trim_start_matches([' ', '*']);
    let rest = CLASSIFIERS.iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
    let rest = CAME_TO.iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
    let (k, n) = (successes.printed, trials.printed);
    let are_counts = k.decimals == 0 && n.decimals == 0 && n.value >= 1.0 && k.value <= n.value;
    let is_signed = successes.has_sign || trials.has_sign;
    let percent = percent_said(line, line.len() - rest.len(), 100.0 * k.value / n.value)?;
    (are_counts && !is_signed).then_some(Rate { successes, trials, percent })
}

/// `，准确率为` in front of a percentage.
fn after_name(rest: &str) -> Option<&str> {
    let inner = rest.trim_start().strip_prefix(['，', ',', '、'])?.trim_start();
    let names = SHARES.iter().filter(|name| !name.is_ascii());
    let inner = names.into_iter().find_map(|name| inner.strip_prefix(name))?;
    Some(inner.trim_start_matches(['为', '是', '达', '到', '：', ' ']))
}

/// What follows behind the word that says what was counted.
fn without_counted(after: &str) -> &str {
    let inner = after.trim_start_matches([' ', '*']);
    let rest = COUNTED.iter().find_map(|word| inner.strip_prefix(word));
    rest.filter(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric())).unwrap_or(after)
}

/// What leads from counts to their percentage.
const SAID: &[&str] = &["→", "->", ", or ", ", i.e. ", ", i.e., ", ", that is "];
/// The largest slip that such a percentage may be: one that is farther away may be another one.
const NEAR: f64 = 5.0;

/// `→ 97.7%`, `, or 97.7%` behind counts.
fn percent_said(line: &str, end: usize, share: f64) -> Option<Number> {
    let rest = line.get(end..)?;
    let word = SAID
        .iter()
        .find_map(|word| rest.strip_prefix(word).or_else(|| rest.trim_start().strip_prefix(word)));
    let word = word.or_else(|| after_name(rest))?;
    let inner = word.trim_start_matches([' ', '*']);
    let percent = number_at(line, line.len() - inner.len())?;
    let behind = line.get(percent.place.end..)?.trim_start().strip_prefix('%')?;
    let is_last = ends(behind)
        || matches!(behind.trim_matches(['*', ' ', '\r', '\n']), "" | "." | "|")
        || behind.starts_with(". ");
    exact(line, percent).filter(|percent| is_last && (percent.printed.value - share).abs() <= NEAR)
}

/// `97.7% (` in front of counts.
fn percent_before(line: &str, before: &str) -> Option<Number> {
    let inner = before.strip_suffix(['(', '（'])?;
    let inner = inner.trim_end_matches([' ', '*', '`']).strip_suffix('%')?;
    exact(line, number_before(line, inner.trim_end().len())?)
}

/// `(97.7%)` or `= 97.7%` behind counts.
fn percent_after(line: &str, end: usize) -> Option<Number> {
    let rest = line.get(end..)?;
    let opened = rest.trim_start_matches([' ', '*']);
    let inner = opened.strip_prefix(['(', '（', '='])?.trim_start_matches([' ', '*']);
    let percent = number_at(line, line.len() - inner.len())?;
    let behind = line.get(percent.place.end..)?.trim_start().strip_prefix('%')?;
    let is_alone = if opened.starts_with('=') {
        !GOES_ON.iter().any(|sign| behind.trim_start_matches([' ', '*']).starts_with(sign))
    } else {
        ends(behind)
    };
    exact(line, percent).filter(|_| is_alone)
}

fn ends(behind: &str) -> bool {
    behind.trim_start_matches([' ', '*']).starts_with(ENDS)
}

/// A percentage that is neither signed nor said to be about right.
fn exact(line: &str, percent: Number) -> Option<Number> {
    let before = line.get(..percent.place.start)?.trim_end_matches('*');
    let is_about =
        ABOUT.iter().any(|word| before.ends_with(word) || before.trim_end().ends_with(word));
    (!percent.has_sign && !is_about).then_some(percent)
}
