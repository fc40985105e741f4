//! A difference of two percentages that is written in per cent and is meant in percentage points:
//! `from 60.0% to 63.0%, up 3%`. In per cent of the first it would be another figure.

use super::printed::{Number, Printed, Way, number_at};
use super::{Found, Page, Reckoned};
use crate::marked::outside_of_fences;

/// Words of a change, in front of what it comes to.
pub(super) const WORDS: &[&str] = &[
    "up",
    "down",
    "rose",
    "rises",
    "risen",
    "fell",
    "falls",
    "increased",
    "increases",
    "increase of",
    "decreased",
    "decreases",
    "decrease of",
    "dropped",
    "drops",
    "drop of",
    "improved",
    "improves",
    "improvement of",
    "gain of",
    "gained",
    "reduced",
    "reduction of",
    "rise of",
    "grew",
    "by",
    "提升",
    "提升了",
    "提高",
    "提高了",
    "上升",
    "上升了",
    "增加",
    "增加了",
    "增长",
    "增长了",
    "下降",
    "下降了",
    "降低",
    "降低了",
    "减少",
    "减少了",
];

/// What says that a percentage is one of points: behind its sign, or as a word.
const SAID_POINTS: &[&str] = &[
    "%p",
    "% p",
    "%-p",
    "% 个点",
    "%个点",
    "%포인트",
    "%ポイント",
    "absolut",
    "abs.",
    "绝对",
    "絶対",
    "절대",
];

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let lines = outside_of_fences(page.text);
    lines
        .flat_map(|(start, line)| {
            let sentences = line.split_inclusive('。').scan(start, |next, sentence| {
                let at = *next;
                *next += sentence.len();
                Some((at, sentence))
            });
            sentences.filter_map(|(start, sentence)| in_sentence(start, sentence))
        })
        .collect()
}

fn in_sentence(start: usize, line: &str) -> Option<Found> {
    if !line.contains('%') {
        return None;
    }
    let lower = line.to_ascii_lowercase();
    if SAID_POINTS.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let (from, to, end) = pair(&lower)?;
    // What it comes to stands before the pair or behind it, in the same clause.
    let behind = clause(lower.get(end.1..)?);
    let before = lower.get(..end.0)?;
    let before_start = before.rfind(['.', ';', '。', '；', '|']).map_or(0, |at| at + 1);
    let stated = stated(&lower, end.1..end.1 + behind.len())
        .or_else(|| stated(&lower, before_start..end.0))?;
    let difference = to.printed.span().minus(from.printed.span());
    let by_part = to.printed.span().relative_to(from.printed.span())?;
    let sizes = [stated.printed, Printed { value: -stated.printed.value, ..stated.printed }];
    let is = |span| sizes.iter().any(|size| size.can_be(span));
    if !is(difference) || is(by_part) {
        return None;
    }
    let percent = line.get(stated.place.end..)?;
    let sign = percent.len() - percent.trim_start().strip_prefix('%')?.len();
    let place = stated.place.start..stated.place.end + sign;
    let [before, after] = [&from, &to].map(|number| number.printed.text());
    let [plain, relative] = [Way::Absolute, Way::Relative]
        .map(|way| way.of([from.printed.value, to.printed.value]).unwrap_or_default());
    // In the direction that the sign or the word gives.
    let plain = Printed { value: plain.abs().copysign(stated.printed.value), ..stated.printed };
    let reckoned = Reckoned {
        found: stated.printed.text() + "%",
        expected: plain.text() + " pp",
        how: Way::Absolute.formula(&before, &after),
        // Another figure may be right with more decimals than are printed, and then the unit is not all.
        fix: (plain.text() == stated.printed.text() && ends(line.get(place.end..)?))
            .then_some(format!("{} pp", line.get(stated.place)?)),
    };
    let relative = stated.printed.like(relative);
    let found = Found::figure(start + place.start..start + place.end, "lint.points", reckoned);
    Some(found.with("before", before).with("after", after).with("relative", relative))
}

/// Whether nothing that follows a percentage says of what it is one.
pub(super) fn ends(behind: &str) -> bool {
    let behind = behind.trim_start_matches([' ', '*']).trim_end();
    behind.is_empty() || behind.starts_with(['.', ',', ';', ')', '。', '，', '；', '）', '|'])
}

/// The only `from A% to B%` or `A% → B%` of a line with the bytes of all of it.
fn pair(line: &str) -> Option<(Number, Number, (usize, usize))> {
    let openings = ["from ", "从", "由"]
        .into_iter()
        .flat_map(|word| line.match_indices(word).map(move |(at, word)| (at, at + word.len())));
    let arrows = ARROWS.iter().flat_map(|arrow| line.match_indices(arrow)).filter_map(|(at, _)| {
        let before = line.get(..at)?.trim_end_matches([' ', '*']).strip_suffix('%')?;
        let number = super::printed::number_before(line, before.trim_end().len())?;
        (!number.has_sign).then_some((number.place.start, number.place.start))
    });
    let mut found: Vec<_> =
        openings.chain(arrows).filter_map(|opening| pair_at(line, opening)).collect();
    // `from A% → B%` opens with both.
    found.dedup_by_key(|(from, _, _)| from.place.start);
    found.pop().filter(|_| found.is_empty())
}

fn pair_at(line: &str, (at, inner): (usize, usize)) -> Option<(Number, Number, (usize, usize))> {
    let (from, end) = percent_at(line, inner)?;
    let rest = line.get(end..)?.trim_start().trim_start_matches(VERBS);
    let link = LINKS.iter().find_map(|link| rest.strip_prefix(link))?;
    let (to, end) = percent_at(line, line.len() - link.len())?;
    Some((from, to, (at, end)))
}

const ARROWS: &[&str] = &["→", "->"];

/// What stands between two percentages of which one became the other, behind the letters of a verb.
const LINKS: &[&str] = &["to ", "→", "->", "到", "至"];
pub(super) const VERBS: &[char] =
    &['提', '升', '下', '降', '高', '低', '上', '增', '加', '长', '减', '少'];

/// The percentage at that byte, and where it ends.
fn percent_at(line: &str, at: usize) -> Option<(Number, usize)> {
    let rest = line.get(at..)?;
    let inner = rest.trim_start_matches([' ', '*']);
    let number = number_at(line, line.len() - inner.len()).filter(|number| !number.has_sign)?;
    let after = line.get(number.place.end..)?.trim_start().strip_prefix('%')?;
    let after = after.trim_start_matches('*');
    Some((number, line.len() - after.len()))
}

/// The text up to the end of the sentence.
fn clause(text: &str) -> &str {
    let end = text.char_indices().find(|(at, c)| {
        let next = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next());
        matches!(c, '。' | ';' | '；' | '|') || (*c == '.' && next.is_none_or(char::is_whitespace))
    });
    end.map_or(text, |(at, _)| text.get(..at).unwrap_or_default())
}

/// The only percentage of a part of a line, if a word of change stands right before it.
fn stated(line: &str, part: std::ops::Range<usize>) -> Option<Number> {
    let text = line.get(part.clone())?;
    let mut percents = text.match_indices('%').filter_map(|(at, _)| {
        let end = text.get(..at)?.trim_end().len();
        super::printed::number_before(line, part.start + end)
    });
    let only = percents.next().filter(|_| percents.next().is_none())?;
    let before =
        line.get(part.start..only.place.start)?.trim_end_matches([' ', '*', '(', '（', '了']);
    let word = WORDS.iter().any(|word| before.ends_with(word));
    (word || only.has_sign).then_some(only)
}
