//! How changes are told in running text: two values with what leads from one to the other, and behind
//! them what it comes to, in a bracket or in words.

use std::ops::Range;

use super::points::{VERBS, WORDS, ends};
use super::printed::{Number, Printed, number_at, number_before};

const ARROWS: &[&str] = &["→", "->", "=>", "⟶"];
/// What leads from one figure to the other after `from` or `从`.
const LINKS: &[&str] = &[" to ", "到", "至"];

/// How percentage points are written behind a figure.
const POINTS: &[&str] =
    &["pp", "percentage points", "points", "point", "pts", "pt", "个百分点", "百分点"];
const UP: &[&str] = &["↑", "⬆️", "⬆", "📈"];
const DOWN: &[&str] = &["↓", "⬇️", "⬇", "📉"];
const CURRENCIES: &[char] = &['$', '€', '£', '¥'];
/// Units whose figures change as they do without them.
const UNITS: &[&str] = &[
    "ms",
    "s",
    "sec",
    "min",
    "h",
    "GB",
    "MB",
    "GiB",
    "MiB",
    "tokens",
    "tok/s",
    "tokens/s",
    "samples/s",
    "it/s",
    "W",
    "x",
];

/// What leads from one figure to another in a text, and whether it is an arrow.
pub(super) fn links(text: &str) -> impl Iterator<Item = (Range<usize>, bool)> {
    let arrows = places_of(ARROWS, text).map(|link| (link, true));
    arrows.chain(places_of(LINKS, text).map(|link| (link, false)))
}

/// Where words stand in a text, one word after the other.
pub(super) fn places_of<'t>(
    words: &'static [&'static str],
    text: &'t str,
) -> impl Iterator<Item = Range<usize>> + 't {
    let found = words.iter().flat_map(|word| text.match_indices(word));
    found.map(|(at, word)| at..at + word.len())
}

/// A number with what stands around it.
pub(super) struct Value<'l> {
    pub(super) number: Number,
    pub(super) is_share: bool,
    /// Its currency and its unit.
    pub(super) of: [&'l str; 2],
    /// Where it ends, with its unit.
    pub(super) end: usize,
}

impl Value<'_> {
    /// Where it begins, with its currency.
    pub(super) fn start(&self) -> usize {
        self.number.place.start - self.of[0].len()
    }

    pub(super) fn is_bare(&self) -> bool {
        !self.is_share && self.of == [""; 2]
    }

    /// Whether it may be a year, of which nobody tells the change.
    fn is_year(&self) -> bool {
        let Printed { value, decimals } = self.number.printed;
        !self.is_share && decimals == 0 && (1900.0..2100.0).contains(&value)
    }
}

/// A change as it is told.
pub(super) struct Told<'l> {
    pub(super) before: Value<'l>,
    pub(super) after: Value<'l>,
    pub(super) stated: Value<'l>,
    /// What is stated, with the sign of its arrow.
    pub(super) printed: Printed,
    pub(super) is_points: bool,
    /// A word says in which direction, `down 30%`, and the figure has no sign.
    pub(super) is_in_words: bool,
}

/// The values on both sides of an arrow or of `to`, of one unit, and where the second ends.
pub(super) fn pair(line: &str, link: Range<usize>, is_arrow: bool) -> Option<[Value<'_>; 2]> {
    let mut before = value_before(line, link.start)?;
    if !is_arrow && !opens(line.get(..before.start())?) {
        return None;
    }
    let after = value_at(line, link.end)?;
    // `200 → 150 ms`: the unit may stand once, behind both.
    if before.is_bare() && after.of[0].is_empty() {
        (before.is_share, before.of) = (after.is_share, after.of);
    }
    let same = before.is_share == after.is_share && before.of == after.of;
    (same && !(before.is_year() && after.is_year())).then_some([before, after])
}

/// What stands on both sides of an arrow or of `to`, and behind.
pub(super) fn told(line: &str, link: Range<usize>, is_arrow: bool) -> Option<Told<'_>> {
    let [before, after] = pair(line, link, is_arrow)?;
    let end = after.end;
    let rest = line.get(end..)?.trim_start_matches([' ', '*', '`']);
    let rest = line.len() - rest.len();
    let (stated, sign, is_points, is_in_words) =
        in_bracket(line, rest).or_else(|| in_words(line, rest))?;
    let own = stated.number.printed;
    let printed = match sign {
        Some(sign) if !stated.number.has_sign => Printed { value: sign * own.value, ..own },
        _ => own,
    };
    Some(Told { before, after, stated, printed, is_points, is_in_words })
}

type Stated<'l> = (Value<'l>, Option<f64>, bool, bool);

/// `(+3.2 pp)`, `（↓ 15%）`, also behind a comma. Only a bracket that holds nothing else says the change of
/// these two alone.
fn in_bracket(line: &str, at: usize) -> Option<Stated<'_>> {
    let rest = line.get(at..)?.trim_start_matches([' ', '*', '`', ',']);
    let inner = rest.strip_prefix(['(', '（'])?.trim_start();
    let signs = [(UP, 1.0), (DOWN, -1.0)];
    let arrow = signs.iter().find_map(|(words, sign)| {
        words.iter().find_map(|word| Some((inner.strip_prefix(word)?.trim_start(), *sign)))
    });
    let (inner, sign) = arrow.map_or((inner, None), |(rest, sign)| (rest, Some(sign)));
    let (stated, rest, is_points) = stated_at(line, line.len() - inner.len())?;
    let is_alone = rest.starts_with([')', '）']);
    let is_signed = stated.number.has_sign || sign.is_some();
    (is_alone && is_signed).then_some((stated, sign, is_points, false))
}

/// `, up 3.2 pp`, `, a gain of 3.2 points`, `，下降 30%`, to the end of the clause.
fn in_words(line: &str, at: usize) -> Option<Stated<'_>> {
    let rest = line.get(at..)?.strip_prefix([',', '，'])?.trim_start();
    let rest = ["a ", "an "].iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
    let inner = WORDS.iter().find_map(|word| {
        let inner = rest.strip_prefix(word)?;
        (!word.is_ascii() || inner.starts_with(' ')).then_some(inner)
    })?;
    let inner = inner.trim_start_matches([' ', '了']);
    let inner = inner.strip_prefix("by ").unwrap_or(inner);
    let (stated, rest, is_points) = stated_at(line, line.len() - inner.len())?;
    (ends(rest) && !stated.number.has_sign).then_some((stated, None, is_points, true))
}

/// The figure of a change, what follows behind its unit, and whether that is points.
fn stated_at(line: &str, at: usize) -> Option<(Value<'_>, &str, bool)> {
    let stated = value_at(line, at)?;
    let rest = line.get(stated.end..)?.trim_start_matches([' ', '*', '`']);
    let points = POINTS.iter().find_map(|word| rest.strip_prefix(word));
    Some((stated, points.unwrap_or(rest), points.is_some()))
}

/// A text without what begins a change in words behind it.
pub(super) fn before_opening(before: &str) -> Option<&str> {
    let before = before.trim_end_matches(['*', '`', ' ']);
    let is_word = |text: &&str| !text.ends_with(|c: char| c.is_ascii_alphabetic());
    let english = ["from", "From"].iter().find_map(|word| before.strip_suffix(word));
    english.filter(is_word).or_else(|| before.strip_suffix(['从', '由']))
}

fn opens(before: &str) -> bool {
    before_opening(before).is_some()
}

/// The unit that a text ends with, behind a digit.
fn unit_before(text: &str) -> &str {
    let bare = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '/');
    let unit = text.get(bare.len()..).unwrap_or_default();
    let is_behind = bare.trim_end().ends_with(|c: char| c.is_ascii_digit());
    if is_behind && UNITS.contains(&unit) { unit } else { "" }
}

/// The unit that a text begins with, and where it ends.
fn unit_at(text: &str) -> (&str, usize) {
    let inner = text.trim_start();
    let end = inner.find(|c: char| !c.is_ascii_alphabetic() && c != '/').unwrap_or(inner.len());
    let unit = inner.get(..end).unwrap_or_default();
    if UNITS.contains(&unit) { (unit, text.len() - inner.len() + end) } else { ("", 0) }
}

/// The number in front of an arrow.
fn value_before(line: &str, end: usize) -> Option<Value<'_>> {
    let text = line.get(..end)?.trim_end_matches([' ', '*', '`']);
    let text = text.trim_end_matches(VERBS).trim_end_matches([' ', '*', '`']);
    let (unit, end) = (unit_before(text), text.len());
    let text = text.get(..end - unit.len())?.trim_end();
    let bare = text.strip_suffix('%');
    let number = number_before(line, bare.unwrap_or(text).trim_end().len())?;
    let before = line.get(..number.place.start)?;
    let currency = before
        .strip_suffix(CURRENCIES)
        .and_then(|rest| before.get(rest.len()..))
        .unwrap_or_default();
    let is_whole = !before.ends_with(|c: char| {
        (c.is_alphanumeric() && !is_han(c)) || matches!(c, '.' | '_' | '/' | '~')
    });
    let of = [currency, unit];
    (is_whole && !number.has_sign).then_some(Value { number, is_share: bare.is_some(), of, end })
}

/// The number behind an arrow or a bracket.
fn value_at(line: &str, start: usize) -> Option<Value<'_>> {
    let rest = line.get(start..)?;
    let text = rest.trim_start_matches([' ', '*', '`']);
    let inner = text.strip_prefix(CURRENCIES).unwrap_or(text);
    let currency = text.get(..text.len() - inner.len())?;
    let number = number_at(line, line.len() - inner.len())?;
    let after = line.get(number.place.end..)?;
    let inner = after.trim_start().strip_prefix('%');
    let end = inner.map_or(number.place.end, |inner| line.len() - inner.len());
    let (unit, length) = unit_at(line.get(end..)?);
    let end = end + length;
    let behind = line.get(end..)?;
    let is_whole = !behind.starts_with(|c: char| c.is_ascii_alphanumeric() && c != 'p')
        && !behind.trim_start().starts_with(['万', '亿', '千', '만', '억']);
    let of = [currency, unit];
    is_whole.then_some(Value { number, is_share: inner.is_some(), of, end })
}

fn is_han(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}
