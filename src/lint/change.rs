//! Changes in running text: `0.00034 → 0.00083 (↑ 144%)`, `72.1% → 75.3% (+3.2 pp)`.

use std::ops::Range;

use super::points::VERBS;
use super::printed::{Number, Printed, Span, Way, number_at, number_before};
use super::{Found, Page, Reckoned, slips};

const ARROWS: &[&str] = &["→", "->", "=>", "⟶"];
/// How percentage points are written behind a figure.
const POINTS: &[&str] =
    &["pp", "percentage points", "points", "point", "pts", "pt", "个百分点", "百分点"];
const UP: &[&str] = &["↑", "⬆️", "⬆", "📈"];
const DOWN: &[&str] = &["↓", "⬇️", "⬇", "📉"];

/// What leads from one figure to the other after `from` or `从`.
const LINKS: &[&str] = &[" to ", "到", "至", "升至", "降至"];
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
/// Between which parts of what follows a change in words may be, where nothing but the place of the
/// bracket says that it is of these two.
const NEAR: [f64; 2] = [0.5, 2.0];

/// A number with what stands around it.
struct Value<'l> {
    number: Number,
    is_share: bool,
    /// Its currency and its unit.
    of: [&'l str; 2],
}

impl Value<'_> {
    /// Where it begins, with its currency.
    fn start(&self) -> usize {
        self.number.place.start - self.of[0].len()
    }

    /// Whether it may be a year, of which nobody tells the change.
    fn is_year(&self) -> bool {
        let Printed { value, decimals } = self.number.printed;
        !self.is_share && decimals == 0 && (1900.0..2100.0).contains(&value)
    }
}

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let has = |words: &[&'static str]| -> Vec<&'static str> {
        words.iter().copied().filter(|word| page.text.contains(word)).collect()
    };
    let (arrows, links) = (has(ARROWS), has(LINKS));
    let lines = page.lines.each().filter(|(_, line)| line.contains(['(', '（']));
    lines
        .flat_map(|(start, line)| {
            let at = |words: &[&'static str], is_arrow: bool| {
                let found = words.iter().flat_map(|word| line.match_indices(word));
                found.map(|(at, word)| (at..at + word.len(), is_arrow)).collect::<Vec<_>>()
            };
            let links = at(&arrows, true).into_iter().chain(at(&links, false));
            links.filter_map(move |link| change(line, link, start)).collect::<Vec<Found>>()
        })
        .collect()
}

/// A change as it is told.
struct Told<'l> {
    before: Value<'l>,
    after: Value<'l>,
    stated: Value<'l>,
    /// What is stated, with the sign of its arrow.
    printed: Printed,
    is_points: bool,
}

fn change(line: &str, (link, is_arrow): (Range<usize>, bool), start: usize) -> Option<Found> {
    let told = told(line, link, is_arrow)?;
    let expected = expected(&told.before, &told.after, told.stated.is_share, told.is_points)?;
    let fits = |(span, _): &(Span, Way)| told.printed.can_be(*span);
    let is_near = |(span, _): &(Span, Way)| {
        let [least, most] = NEAR.map(|part| part * span.middle().abs());
        let size = told.printed.value.abs();
        told.printed.value * span.middle() > 0.0 && (least..=most).contains(&size)
    };
    let is_about_them = is_arrow || expected.iter().any(is_near);
    (is_about_them && !expected.iter().any(fits)).then(|| found(&told, &expected, (line, start)))?
}

/// What stands on both sides of an arrow or of `to`, and in the bracket behind.
fn told(line: &str, link: Range<usize>, is_arrow: bool) -> Option<Told<'_>> {
    let before = value_before(line, link.start)?;
    if !is_arrow && !opens(line.get(..before.start())?) {
        return None;
    }
    let (after, end) = value_at(line, link.end)?;
    let same = before.is_share == after.is_share && before.of == after.of;
    if !same || (before.is_year() && after.is_year()) {
        return None;
    }
    let inner = line
        .get(end..)?
        .trim_start_matches([' ', '*', '`', ','])
        .strip_prefix(['(', '（'])?
        .trim_start();
    let signs = [(UP, 1.0), (DOWN, -1.0)];
    let arrow = signs.iter().find_map(|(words, sign)| {
        words.iter().find_map(|word| Some((inner.strip_prefix(word)?.trim_start(), *sign)))
    });
    let (inner, sign) = arrow.map_or((inner, None), |(rest, sign)| (rest, Some(sign)));
    let (stated, end) = value_at(line, line.len() - inner.len())?;
    let rest = line.get(end..)?.trim_start_matches([' ', '*', '`']);
    let points = POINTS.iter().find_map(|word| rest.strip_prefix(word));
    let (rest, is_points) = points.map_or((rest, false), |rest| (rest, true));
    // Only a bracket that holds nothing else says the change of these two alone.
    if !rest.starts_with([')', '）']) || !(stated.number.has_sign || sign.is_some()) {
        return None;
    }
    let own = stated.number.printed;
    let printed = match sign {
        Some(sign) if !stated.number.has_sign => Printed { value: sign * own.value, ..own },
        _ => own,
    };
    Some(Told { before, after, stated, printed, is_points })
}

fn found(told: &Told<'_>, expected: &[(Span, Way)], (line, start): (&str, usize)) -> Option<Found> {
    let Told { before, after, stated, printed, is_points } = told;
    let sources = [before, after].map(|value| value.number.printed);
    let [first, last] = sources.map(Printed::text);
    let own = match (stated.is_share, is_points) {
        (true, _) => "%",
        (false, true) => " pp",
        (false, false) => "",
    };
    let each: Vec<String> = expected.iter().map(|(span, _)| printed.like(span.middle())).collect();
    let units = expected.iter().map(|(_, way)| way.unit(before.is_share));
    let units = units.map(|unit| if own.is_empty() { "" } else { unit });
    let right: Vec<String> =
        each.iter().zip(units).map(|(text, unit)| text.clone() + unit).collect();
    let how = expected.iter().map(|(_, way)| way.formula(&first, &last));
    let unsigned = each.first().map(|text| text.trim_start_matches('-'));
    let reckoned = Reckoned {
        found: printed.text(),
        how: how.collect::<Vec<_>>().join(" / "),
        // An arrow stands for the sign, and turns with it.
        fix: match (unsigned, expected) {
            (Some(text), [(span, way)])
                if span.middle() * printed.value > 0.0
                    && !slips::explains(sources, *printed, |sources| way.of(sources)) =>
            {
                let own = line.get(stated.number.place.clone())?;
                let sign = own.len() - own.trim_start_matches(['+', '-', '\u{2212}']).len();
                Some(format!("{}{text}", own.get(..sign)?))
            }
            _ => None,
        },
        expected: each.join(" / "),
    };
    let place = &stated.number.place;
    let place = start + place.start..start + place.end;
    let told = [printed.text() + own, right.join(" / ")];
    let found = Found::told(place, "lint.change", reckoned, told);
    let sign = if before.is_share { "%" } else { "" };
    Some(found.with("before", first + sign).with("after", last + sign))
}

/// What the change can be: the difference, or where it is written with a percent sign, the relative one.
fn expected(
    before: &Value<'_>,
    after: &Value<'_>,
    in_percent: bool,
    is_points: bool,
) -> Option<Vec<(Span, Way)>> {
    let [from, to] = [before, after].map(|value| value.number.printed.span());
    let told = |way: Way| Some((way.span(from, to)?, way));
    let in_points = told(if before.is_share { Way::Absolute } else { Way::Points })?;
    if is_points {
        return Some(vec![in_points]);
    }
    if !in_percent {
        return (!before.is_share).then(|| told(Way::Absolute).into_iter().collect());
    }
    let relative = told(Way::Relative)?;
    let is_of_shares = before.is_share || (from.lo >= 0.0 && from.hi <= 1.0 && to.hi <= 1.0);
    Some(if is_of_shares { vec![in_points, relative] } else { vec![relative] })
}

/// Whether a text ends with what begins a change in words.
fn opens(before: &str) -> bool {
    let before = before.trim_end_matches(['*', '`']);
    let is_word = |text: &str| !text.ends_with(|c: char| c.is_ascii_alphabetic());
    before
        .trim_end()
        .strip_suffix("from")
        .or_else(|| before.trim_end().strip_suffix("From"))
        .is_some_and(is_word)
        || before.trim_end().ends_with(['从', '由'])
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
    let unit = unit_before(text);
    let text = text.get(..text.len() - unit.len())?.trim_end();
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
    (is_whole && !number.has_sign).then_some(Value { number, is_share: bare.is_some(), of })
}

/// The number behind an arrow or a bracket, and where it ends.
fn value_at(line: &str, start: usize) -> Option<(Value<'_>, usize)> {
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
    let is_whole = !line.get(end..)?.starts_with(|c: char| c.is_ascii_alphanumeric() && c != 'p');
    let of = [currency, unit];
    is_whole.then_some((Value { number, is_share: inner.is_some(), of }, end))
}

fn is_han(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}
