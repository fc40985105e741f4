//! Changes in running text: `0.00034 → 0.00083 (↑ 144%)`, `72.1% → 75.3% (+3.2 pp)`,
//! `from 24.0 GB to 18.0 GB, down 25%`.

use std::ops::Range;

use super::columns::has_word;
use super::printed::{Printed, Span, Way};
use super::rates::SHARES;
use super::told::{Told, before_opening, links, told};
use super::{Found, Page, Reckoned, slips};

/// How many times as large or as small as it should be a change may be that is of these two; what is
/// farther off is of something else, as after a setting. A unit says that they were measured.
const NEAR: f64 = 3.0;
const NEAR_MEASURED: f64 = 5.0;

/// Names of settings, whose values are no results: in the bracket behind is what they did to another one.
pub(super) const SETTINGS: &[&str] = &[
    "lr",
    "learning rate",
    "dropout",
    "temperature",
    "temp",
    "top-k",
    "top_k",
    "top-p",
    "top_p",
    "k",
    "batch",
    "batch size",
    "batch_size",
    "bs",
    "rank",
    "alpha",
    "beta",
    "gamma",
    "lambda",
    "epsilon",
    "decay",
    "momentum",
    "warmup",
    "threshold",
    "epochs",
    "steps",
    "layers",
    "heads",
    "dim",
    "width",
    "depth",
    "bits",
    "beam",
    "shots",
    "学习率",
    "温度",
    "批大小",
    "阈值",
    "层数",
    "轮数",
    "步数",
    "维度",
];
/// How many bytes in front of a value may be its name.
const NAME: usize = 40;

const SIGNS: [char; 3] = ['+', '-', '\u{2212}'];

/// What a change should come to.
struct Expected {
    way: Way,
    /// Of the two figures as they are written.
    plain: f64,
    /// Of what these may have been rounded from.
    span: Span,
}

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let found = links(page.text).filter_map(|(link, is_arrow)| {
        let (start, line) = page.lines.holding(link.start);
        change(page, (line, start), (link.start - start..link.end - start, is_arrow))
    });
    found.collect()
}

fn change(
    page: &Page<'_>,
    (line, start): (&str, usize),
    (link, is_arrow): (Range<usize>, bool),
) -> Option<Found> {
    let told = told(line, link, is_arrow)?;
    let mut expected = expected(&told);
    let name = name_before(line.get(..told.before.start())?);
    // A loss that falls may be counted to the good side, an accuracy hardly.
    let may_turn = told.is_in_words || !SHARES.iter().any(|word| has_word(&name, word));
    let fits = |one: &Expected| {
        told.printed.can_be(one.span) || (may_turn && told.printed.turned().can_be(one.span))
    };
    if expected.iter().any(fits) || is_setting(&name) {
        return None;
    }
    let most = if told.before.is_bare() { NEAR } else { NEAR_MEASURED };
    expected.retain(|one| {
        let ratio = told.printed.value / one.plain;
        let ratio = if told.is_in_words || !may_turn { ratio.abs() } else { ratio };
        ratio.max(1.0 / ratio) <= most + 1e-9 && ratio > 0.0
    });
    if expected.is_empty() {
        return None;
    }
    // An arrow, or a word, stands for the sign where there is none.
    let own = line.get(told.stated.number.place.clone())?;
    let (sign, number) = own.split_at(own.len() - own.trim_start_matches(SIGNS).len());
    let fix = fix(&told, &expected).filter(|_| is_once(number, page.text));
    let fix = fix.map(|fix| format!("{sign}{fix}"));
    Some(found(&told, &expected, fix, start))
}

fn found(told: &Told<'_>, expected: &[Expected], fix: Option<String>, start: usize) -> Found {
    let Told { before, after, stated, printed, is_points, is_in_words } = told;
    let sources = [before, after].map(|value| value.number.printed);
    let [first, last] = sources.map(Printed::text);
    let own = match (stated.is_share, is_points) {
        (true, _) => "%",
        (false, true) => " pp",
        (false, false) => "",
    };
    let text =
        |one: &Expected| printed.like(if *is_in_words { one.plain.abs() } else { one.plain });
    let each: Vec<String> = expected.iter().map(text).collect();
    // Percentages may be written without their sign, and have their difference in points all the same.
    let unit = |one: &Expected| match own {
        "%" => one.way.unit(before.is_share),
        _ => own,
    };
    let right: Vec<String> =
        each.iter().zip(expected).map(|(text, one)| text.clone() + unit(one)).collect();
    let how = expected.iter().map(|one| one.way.formula(&first, &last));
    let reckoned = Reckoned {
        found: printed.text(),
        how: how.collect::<Vec<_>>().join(" / "),
        fix,
        expected: each.join(" / "),
    };
    let place = &stated.number.place;
    let place = start + place.start..start + place.end;
    let told = [printed.text() + own, right.join(" / ")];
    let found = Found::told(place, "lint.change", reckoned, told);
    let sign = if before.is_share { "%" } else { "" };
    found.with("before", first + sign).with("after", last + sign)
}

/// What is right where only one thing can be: the change of two values with a unit or a percent sign, told
/// in one way, in the right direction, and no slip in one of the two explains it.
fn fix(told: &Told<'_>, expected: &[Expected]) -> Option<String> {
    let [Expected { way, plain, .. }] = expected else { return None };
    let sources = [&told.before, &told.after].map(|value| value.number.printed);
    let printed = told.printed;
    let is_turned = !told.is_in_words && plain * printed.value <= 0.0;
    let size = Printed { value: printed.value.abs().copysign(*plain), ..printed };
    if told.before.is_bare()
        || is_turned
        || slips::explains(sources, size, |sources| way.of(sources))
    {
        return None;
    }
    Some(printed.like(plain.abs()))
}

/// Whether a number stands but once in a document. One that is repeated is no slip of the pen, and may be the
/// change from something else, as from the first of several steps.
fn is_once(number: &str, text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let found = text.match_indices(number).filter(|(at, _)| {
        let behind = text.get(at + number.len()..).unwrap_or_default();
        !text.get(..*at).unwrap_or_default().ends_with(is_part)
            && !behind.starts_with(|c: char| c.is_ascii_digit())
    });
    found.take(2).count() == 1
}

/// What the change can be; nothing where it cannot be of these two.
fn expected(told: &Told<'_>) -> Vec<Expected> {
    let Told { before, after, stated, .. } = told;
    let sources = [before, after].map(|value| value.number.printed);
    let [from, to] = sources.map(Printed::span);
    let as_written = |way: Way| {
        let plain = way.of(sources.map(|source| source.value))?;
        Some(Expected { way, plain, span: way.span(from, to)? })
    };
    let is_whole = sources.iter().all(|source| source.decimals == 0);
    let is_of_one = from.lo >= 0.0 && from.hi <= 1.0 && to.hi <= 1.0;
    let ways: &[Way] = match (told.is_points, stated.is_share) {
        (true, _) if before.is_share => &[Way::Absolute],
        (true, _) if !before.is_bare() || is_whole => &[],
        (true, _) if is_of_one => &[Way::Points],
        (false, true) if before.is_share => &[Way::Absolute, Way::Relative],
        (false, true) if before.is_bare() && is_of_one => &[Way::Points, Way::Relative],
        (false, true) => &[Way::Relative],
        (false, false) if before.is_share => &[],
        (true, _) | (false, false) => &[Way::Absolute],
    };
    // A difference has no more decimals than what it is of, and no other unit.
    let decimals = sources.iter().map(|source| source.decimals).max().unwrap_or(0);
    let is_plain = !told.is_points && !stated.is_share;
    let is_other = is_plain && stated.number.printed.decimals > decimals;
    let is_in_another = stated.of != [""; 2] && stated.of != before.of;
    let ways = if is_other || is_in_another { &[] } else { ways };
    ways.iter().copied().filter_map(as_written).collect()
}

/// What stands in front of a value and may be its name, in lower case.
fn name_before(before: &str) -> String {
    let before = before_opening(before).unwrap_or(before);
    let before = before.trim_end_matches(|c: char| !c.is_alphanumeric());
    let from =
        (0..=before.len().saturating_sub(NAME)).rev().find(|at| before.is_char_boundary(*at));
    before.get(from.unwrap_or(0)..).unwrap_or_default().to_lowercase()
}

/// Whether a name ends with that of a setting.
fn is_setting(name: &str) -> bool {
    SETTINGS.iter().any(|word| {
        let before = name.strip_suffix(word);
        before.is_some_and(|before| {
            !word.is_ascii() || !before.ends_with(|c: char| c.is_ascii_alphanumeric())
        })
    })
}
