//! Labels letter by letter: names whatever joins their words, numbers, lists.

use std::ops::Range;

use crate::marked::without_thousands;
use crate::model::ConfigValue;

/// What stands between two values of a list.
const LIST_SIGNS: &[char] = &[',', '、', '/', '~', '-', '–', '+', '&', '→'];
const LIST_WORDS: &[&str] = &["vs", "and", "to", "or", "与", "和", "及", "至", "到", "或", "对比"];

/// What a caption or heading may have before its number, in small letters.
const NUMBERED: &[&str] = &["table", "tab.", "section", "表格", "表"];

/// Letters small, wide signs narrow. As many characters as before.
pub(super) fn folded(text: &str) -> Vec<char> {
    let chars: Vec<char> = text.trim().chars().collect();
    let fold = |&c: &char| match c {
        '\u{a0}' | '\u{3000}' => ' ',
        '_' => '-',
        '！'..='～' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c).to_ascii_lowercase(),
        _ => c.to_lowercase().next().unwrap_or(c),
    };
    chars.iter().map(fold).collect()
}

/// Whether a text is a phrase; what joins words may be a space in either.
pub(super) fn is_same(text: Option<&[char]>, phrase: &[char]) -> bool {
    let joins = |c: char| c == ' ' || c == '-';
    text.is_some_and(|text| {
        let mut pairs = text.iter().zip(phrase);
        pairs.all(|(a, b)| a == b || (joins(*a) && joins(*b)))
    })
}

pub(super) fn string(text: &[char], range: Range<usize>) -> String {
    text.get(range).unwrap_or_default().iter().collect()
}

/// Whether a phrase is not a part of a longer word or number; a coordinate may touch its value.
pub(super) fn stands_alone(text: &[char], range: &Range<usize>, may_touch_digits: bool) -> bool {
    let at = |at: Option<usize>| at.and_then(|at| text.get(at)).copied().unwrap_or(' ');
    let [before, first] = [at(range.start.checked_sub(1)), at(Some(range.start))];
    let [last, after] = [at(range.end.checked_sub(1)), at(Some(range.end))];
    let is_decimal = after == '.' && at(Some(range.end + 1)).is_ascii_digit();
    let joins = |a: char, b: char| {
        let touch = a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric();
        touch && !(may_touch_digits && (a.is_ascii_digit() != b.is_ascii_digit()))
    };
    let in_number =
        (first.is_ascii_digit() && before == '.') || (last.is_ascii_digit() && is_decimal);
    !joins(before, first) && !joins(last, after) && !in_number
}

/// Where a phrase stands in a text, and is not a part of a longer word or number.
pub(super) fn places(text: &[char], phrase: &[char]) -> Vec<Range<usize>> {
    let starts = 0..=text.len().saturating_sub(phrase.len());
    let ranges = starts.map(|start| start..start + phrase.len());
    let is_here = |range: &Range<usize>| {
        is_same(text.get(range.clone()), phrase) && stands_alone(text, range, false)
    };
    ranges.filter(is_here).collect()
}

/// The digits of a number that begins there.
pub(super) fn number_at(text: &[char], start: usize) -> Option<Range<usize>> {
    let digits = |from: usize| {
        let after = text.get(from..).unwrap_or_default();
        from + after.iter().take_while(|c| c.is_ascii_digit()).count()
    };
    let end = digits(start);
    if end == start {
        return None;
    }
    let is_decimal = text.get(end) == Some(&'.') && digits(end + 1) > end + 1;
    Some(start..if is_decimal { digits(end + 1) } else { end })
}

pub(super) fn skip(text: &[char], start: usize, signs: &[char]) -> usize {
    let after = text.get(start..).unwrap_or_default();
    start + after.iter().take_while(|c| signs.contains(c)).count()
}

/// The value behind the name of a setting: behind a sign anything, else a number.
pub(super) fn value_after(text: &[char], start: usize) -> Option<Range<usize>> {
    let spaced = skip(text, start, &[' ']);
    let begin = skip(text, spaced, &['=', ':', ' ']);
    let has_sign = text.get(spaced..begin).is_some_and(|signs| signs.iter().any(|c| *c != ' '));
    if !has_sign {
        return number_at(text, begin);
    }
    let ends = |c: &char| c.is_whitespace() || ",;()|、。".contains(*c);
    let after = text.get(begin..).unwrap_or_default();
    let length = after.iter().take_while(|c| !ends(c)).count();
    (length > 0).then(|| begin..begin + length)
}

/// Where the list ends that this value is the first of; its own end where it stands alone.
pub(super) fn list_end(text: &[char], value_end: usize) -> usize {
    let start = skip(text, value_end, &[' ']);
    let sign = text.get(start).is_some_and(|c| LIST_SIGNS.contains(c)).then_some(1);
    let Some(length) = sign.or_else(|| list_word_at(text, start)) else {
        return value_end;
    };
    let is_comma = matches!(text.get(start), Some(',' | '、'));
    match number_at(text, skip(text, start + length, &[' '])) {
        // `epoch 1, 200 samples` has no list.
        Some(next) if is_comma && has_own_name(text, next.end) => value_end,
        Some(next) => list_end(text, next.end),
        None => value_end,
    }
}

/// Whether a word stands behind a number that does not join it to another one.
fn has_own_name(text: &[char], end: usize) -> bool {
    let at = skip(text, end, &[' ', '-']);
    text.get(at).is_some_and(|c| c.is_alphabetic()) && list_word_at(text, at).is_none()
}

/// The length of the word of a list that stands there.
fn list_word_at(text: &[char], at: usize) -> Option<usize> {
    let after = text.get(at..)?;
    let mut words = LIST_WORDS.iter().map(|word| word.chars().collect::<Vec<char>>());
    words.find(|word| after.starts_with(word)).map(|word| word.len())
}

/// The whole number that ends there, a space between.
pub(super) fn number_before(text: &[char], end: usize) -> Option<Range<usize>> {
    let before = text.get(..end)?;
    let spaces = before.iter().rev().take_while(|c| matches!(c, ' ' | '-')).count();
    let end = end - spaces;
    let digits = text.get(..end)?.iter().rev().take_while(|c| c.is_ascii_digit()).count();
    let start = end - digits;
    let part = start.checked_sub(1).and_then(|at| text.get(at));
    let is_part = part.is_some_and(|c| c.is_ascii_alphanumeric() || ".,/=".contains(*c));
    (digits > 0 && !is_part).then_some(start..end)
}

/// Words before a number of samples, and behind one.
const BEFORE_SIZE: &[&str] = &["n", "samples", "样本数", "样本量", "题数", "题目数"];
const BEHIND_SIZE: &[&str] = &[
    "samples",
    "questions",
    "examples",
    "problems",
    "prompts",
    "个样本",
    "条样本",
    "条数据",
    "条",
    "道题",
    "题",
];

/// The number of samples that a text names, and where: `n = 1,319`, `样本数：200`.
pub(super) fn named_size(text: &[char], free: &[bool]) -> Option<(Range<usize>, u64)> {
    let names = BEFORE_SIZE.iter().flat_map(|name| places(text, &folded(name)));
    let mut names = names.filter(|name| free.get(name.start) == Some(&true));
    names.find_map(|name| {
        let sign = skip(text, name.end, &[' ']);
        text.get(sign).filter(|c| matches!(c, '=' | ':'))?;
        let (end, samples) = size_at(text, skip(text, sign + 1, &[' ']))?;
        Some((name.start..end, samples))
    })
}

/// The same with its word behind it: `200 questions`.
pub(super) fn size_in(text: &[char], free: &[bool]) -> Option<(Range<usize>, u64)> {
    let is_free = |start: &usize| {
        let before = start.checked_sub(1).and_then(|at| text.get(at));
        free.get(*start) == Some(&true)
            && !before.is_some_and(|c| c.is_ascii_alphanumeric() || ".,-/".contains(*c))
    };
    let counted = |start: usize| {
        let (end, samples) = size_at(text, start)?;
        let word = skip(text, end, &[' ', '-']);
        let words = BEHIND_SIZE.iter().map(|word| folded(word));
        let mut ranges = words.map(|phrase| (word..word + phrase.len(), phrase));
        let (range, _) = ranges.find(|(range, phrase)| {
            is_same(text.get(range.clone()), phrase) && stands_alone(text, range, true)
        })?;
        Some((start..range.end, samples))
    };
    named_size(text, free).or_else(|| (0..text.len()).filter(is_free).find_map(counted))
}

/// The whole number that begins there, and where it ends.
fn size_at(text: &[char], start: usize) -> Option<(usize, u64)> {
    let after = text.get(start..)?;
    let length = after.iter().take_while(|c| c.is_ascii_digit() || **c == ',').count();
    let digits = string(text, start..start + length);
    let digits = digits.trim_end_matches(',');
    Some((start + digits.len(), without_thousands(digits)?.parse().ok()?))
}

/// A label without marks of footnotes, and the words of links in their place: `[tuned](url)[^1]`.
pub(super) fn without_links(label: &str) -> String {
    let (mut plain, mut rest) = (String::with_capacity(label.len()), label);
    while let Some((before, inner)) = rest.split_once('[') {
        plain.push_str(before);
        let Some((words, after)) = inner.split_once(']') else {
            plain.push('[');
            rest = inner;
            continue;
        };
        let target = after.strip_prefix('(').and_then(|target| target.split_once(')'));
        rest = match target {
            _ if words.starts_with('^') => after,
            Some((_, after)) => {
                plain.push_str(words);
                after
            }
            None => {
                plain.extend(["[", words, "]"]);
                after
            }
        };
    }
    plain.push_str(rest);
    let noted = plain.split_once("<sup>").and_then(|(before, sup)| {
        let (mark, after) = sup.split_once("</sup>")?;
        // Words are none of a note.
        let is_word = mark.chars().any(char::is_alphabetic);
        Some(if is_word { format!("{before} {mark} {after}") } else { format!("{before}{after}") })
    });
    noted.unwrap_or(plain)
}

/// Where the number ends that a heading or caption begins with: `3.1 Results`, `Table 2: Results`.
pub(super) fn numbering(text: &[char]) -> usize {
    let is_here = |word: &&&str| is_same(text.get(..word.chars().count()), &folded(word));
    let word = NUMBERED.iter().find(is_here).map_or(0, |word| word.chars().count());
    let start = skip(text, word, &[' ', '(']);
    let end = skip(text, start, &['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.']);
    let is_number = text.get(start).is_some_and(|c| matches!(c, '1'..='9'));
    let is_apart = text.get(end).is_none_or(|c| !c.is_ascii_alphanumeric());
    if is_number && is_apart { end } else { 0 }
}

/// Takes the values of a setting that a heading names: `KL_BETA (0.12 vs 0.15)`.
pub(super) fn take_values(text: &[char], free: &mut [bool]) {
    let mut at = 0;
    while at < text.len() {
        let number = number_at(text, at).filter(|number| stands_alone(text, number, false));
        let end = number.as_ref().map_or(at, |number| number.end);
        free.iter_mut().take(end).skip(at).for_each(|free| *free = false);
        at = end.max(at + 1);
    }
}

pub(super) fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

pub(super) fn config_value(text: &str) -> ConfigValue {
    match text.parse() {
        Ok(number) => ConfigValue::Number(number, text.to_owned()),
        Err(_) => ConfigValue::Text(text.to_owned()),
    }
}
