//! Changes in running text: `0.00034 → 0.00083 (↑ 144%)`, `72.1% → 75.3% (+3.2 pp)`.

use super::printed::{Number, Printed, Span, Way, number_at, number_before};
use super::{Found, Page, Reckoned, slips};

const ARROWS: &[&str] = &["→", "->", "=>", "⟶"];
const UP: &[&str] = &["↑", "⬆️", "⬆", "📈"];
const DOWN: &[&str] = &["↓", "⬇️", "⬇", "📉"];

/// A number with what stands behind it.
struct Value {
    number: Number,
    is_share: bool,
}

impl Value {
    /// Whether it may be a year, of which nobody tells the change.
    fn is_year(&self) -> bool {
        let Printed { value, decimals } = self.number.printed;
        !self.is_share && decimals == 0 && (1900.0..2100.0).contains(&value)
    }
}

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let written: Vec<&str> =
        ARROWS.iter().copied().filter(|arrow| page.text.contains(arrow)).collect();
    if written.is_empty() {
        return Vec::new();
    }
    let lines = page.lines.each();
    lines
        .flat_map(|(start, line)| {
            let arrows = written
                .iter()
                .flat_map(|arrow| line.match_indices(arrow).map(|(at, _)| (at, at + arrow.len())));
            arrows.filter_map(move |arrow| change(line, arrow, start)).collect::<Vec<Found>>()
        })
        .collect()
}

fn change(line: &str, (left, right): (usize, usize), start: usize) -> Option<Found> {
    let before = value_before(line, left)?;
    let (after, end) = value_at(line, right)?;
    if before.is_share != after.is_share || (before.is_year() && after.is_year()) {
        return None;
    }
    let inner = line
        .get(end..)?
        .trim_start_matches([' ', '*', ','])
        .strip_prefix(['(', '（'])?
        .trim_start();
    let signs = [(UP, 1.0), (DOWN, -1.0)];
    let arrow = signs.iter().find_map(|(words, sign)| {
        words.iter().find_map(|word| Some((inner.strip_prefix(word)?.trim_start(), *sign)))
    });
    let (inner, sign) = arrow.map_or((inner, None), |(rest, sign)| (rest, Some(sign)));
    let (stated, end) = value_at(line, line.len() - inner.len())?;
    let rest = line.get(end..)?.trim_start_matches([' ', '*']);
    let (rest, is_points) = rest.strip_prefix("pp").map_or((rest, false), |rest| (rest, true));
    // Only a bracket that holds nothing else says the change of these two alone.
    if !rest.starts_with([')', '）']) || !(stated.number.has_sign || sign.is_some()) {
        return None;
    }
    let printed = stated.number.printed;
    let printed = match sign {
        Some(sign) if !stated.number.has_sign => Printed { value: sign * printed.value, ..printed },
        _ => printed,
    };
    let expected = expected(&before, &after, stated.is_share, is_points)?;
    if expected.iter().any(|(span, _)| printed.can_be(*span)) {
        return None;
    }
    let sources = [&before, &after].map(|value| value.number.printed);
    let [first, last] = sources.map(Printed::text);
    let of_shares = before.is_share;
    let own = if stated.is_share {
        "%"
    } else if is_points {
        " pp"
    } else {
        ""
    };
    let told = expected.iter().map(|(span, way)| {
        printed.like(span.middle()) + if own.is_empty() { "" } else { way.unit(of_shares) }
    });
    let told = [printed.text() + own, told.collect::<Vec<_>>().join(" / ")];
    let each: Vec<String> = expected.iter().map(|(span, _)| printed.like(span.middle())).collect();
    let how = expected.iter().map(|(_, way)| way.formula(&first, &last));
    let unsigned = each.first().map(|text| text.trim_start_matches('-'));
    let reckoned = Reckoned {
        found: printed.text(),
        how: how.collect::<Vec<_>>().join(" / "),
        // An arrow stands for the sign, and turns with it.
        fix: match (unsigned, expected.as_slice()) {
            (Some(text), [(span, way)])
                if span.middle() * printed.value > 0.0
                    && !slips::explains(sources, printed, |sources| way.of(sources)) =>
            {
                let own = line.get(stated.number.place.clone())?;
                let sign = own.len() - own.trim_start_matches(['+', '-', '\u{2212}']).len();
                Some(format!("{}{text}", own.get(..sign)?))
            }
            _ => None,
        },
        expected: each.join(" / "),
    };
    let place = stated.number.place;
    let place = start + place.start..start + place.end;
    let found = Found::told(place, "lint.change", reckoned, told);
    let sign = if of_shares { "%" } else { "" };
    Some(found.with("before", first + sign).with("after", last + sign))
}

/// What the change can be: the difference, or where it is written with a percent sign, the relative one.
fn expected(
    before: &Value,
    after: &Value,
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

/// The number in front of an arrow.
fn value_before(line: &str, end: usize) -> Option<Value> {
    let text = line.get(..end)?.trim_end_matches([' ', '*', '`']);
    let bare = text.strip_suffix('%');
    let number = number_before(line, bare.unwrap_or(text).trim_end().len())?;
    let before = line.get(..number.place.start)?;
    let is_whole = !before
        .ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '$' | '/' | '~'));
    (is_whole && !number.has_sign).then_some(Value { number, is_share: bare.is_some() })
}

/// The number behind an arrow or a bracket, and where it ends.
fn value_at(line: &str, start: usize) -> Option<(Value, usize)> {
    let rest = line.get(start..)?;
    let text = rest.trim_start_matches([' ', '*', '`']);
    let number = number_at(line, line.len() - text.len())?;
    let after = line.get(number.place.end..)?;
    let inner = after.trim_start().strip_prefix('%');
    let end = inner.map_or(number.place.end, |inner| line.len() - inner.len());
    let is_whole = !line.get(end..)?.starts_with(|c: char| c.is_ascii_alphanumeric() && c != 'p');
    is_whole.then_some((Value { number, is_share: inner.is_some() }, end))
}
