//! What forges make links, mentions and commands of, put where they do not look: into code spans.
//!
//! They look for these after Markdown is done, so that no backslash helps, and leave code alone.

use crate::report::block::{Span, Text};

/// The fewest and the most digits of a commit's hash that are made a link.
const HASH_DIGITS: std::ops::RangeInclusive<usize> = 7..=64;

/// The text with everything in code spans that a forge would act on; `signs` are those with which it
/// names things beside `@` and `#`.
pub(super) fn inert(text: &Text, signs: &[char]) -> Text {
    let mut spans = Vec::with_capacity(text.0.len());
    for span in &text.0 {
        let is_first = spans.is_empty();
        match span {
            Span::Plain(text) => spans.extend(parted(text, is_first, signs, Span::Plain)),
            Span::Strong(text) => spans.extend(parted(text, is_first, signs, Span::Strong)),
            // In a cell, a backslash before a pipe keeps this from being a code span.
            Span::Code(text) if text.contains("\\|") => {
                spans.extend(parted(text, is_first, signs, Span::Plain));
            }
            Span::Code(_) | Span::Icon(_) => spans.push(span.clone()),
            // A comment stands beside no other report.
            Span::Report(directory) => spans.push(Span::Code(directory.clone())),
        }
    }
    Text(spans)
}

/// The text as spans: words that a forge would act on as code, all else as it was.
fn parted(text: &str, is_first: bool, signs: &[char], other: fn(String) -> Span) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut before = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_word_sign) {
        let (gap, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !is_word_sign(c)).unwrap_or(from.len()));
        before.push_str(gap);
        let opens_line = is_first && spans.is_empty() && before.trim().is_empty();
        if acts(word, signs) || opens_line && is_command(word) {
            // What ends a sentence is no part of the word.
            let core = word.trim_end_matches(['.', ',', ';', ':', '!', '?']);
            let core = if acts(core, signs) || is_command(core) { core } else { word };
            if !before.is_empty() {
                spans.push(other(std::mem::take(&mut before)));
            }
            spans.push(Span::Code(core.to_owned()));
            before.push_str(word.get(core.len()..).unwrap_or_default());
        } else {
            before.push_str(word);
        }
        rest = after;
    }
    before.push_str(rest);
    if !before.is_empty() {
        spans.push(other(before));
    }
    spans
}

/// References are words of ASCII; a pipe ends a cell before anybody looks for code spans.
fn is_word_sign(c: char) -> bool {
    c.is_ascii_graphic() && c != '|'
}

fn is_command(word: &str) -> bool {
    word.strip_prefix('/').is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Whether a forge acts on something in a word: mentions, issues, addresses, hashes of commits.
fn acts(word: &str, signs: &[char]) -> bool {
    let chars: Vec<char> = word.chars().collect();
    let pairs = || chars.windows(2).filter_map(|pair| <[char; 2]>::try_from(pair).ok());
    pairs().any(|[sign, next]| match sign {
        '@' => next.is_ascii_alphanumeric() || matches!(next, '_' | '-'),
        '#' => next.is_ascii_digit(),
        _ => signs.contains(&sign) && (next.is_ascii_alphanumeric() || next == '"'),
    }) || word.contains("://")
        || has_part(word, |part| part.eq_ignore_ascii_case("www"))
        || names_thing_in_brackets(word)
        || is_numbered_key(word)
        || has_part(word, |part| {
            HASH_DIGITS.contains(&part.len()) && part.chars().all(|c| c.is_ascii_hexdigit())
        })
}

fn has_part(word: &str, is_it: impl Fn(&str) -> bool) -> bool {
    word.split(|c: char| !c.is_ascii_alphanumeric()).any(is_it)
}

/// `[vulnerability:12]`.
fn names_thing_in_brackets(word: &str) -> bool {
    word.split('[').skip(1).any(|inner| {
        let name = inner.split(':').next().unwrap_or_default();
        let is_name = |c: char| c.is_ascii_alphabetic() || c == '_';
        name.len() < inner.len() && !name.is_empty() && name.chars().all(is_name)
    })
}

/// `GH-12`, `gl-3` or `JIRA-4`: the form of keys of trackers.
fn is_numbered_key(word: &str) -> bool {
    let parts: Vec<&str> = word.split('-').collect();
    parts.windows(2).any(|pair| {
        let [before, after] = [pair[0], pair[1]];
        let key = before.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let is_forge = ["gh", "gl"].iter().any(|forge| key.eq_ignore_ascii_case(forge));
        let is_upper = key.len() > 1
            && key.starts_with(|c: char| c.is_ascii_uppercase())
            && !key.contains(|c: char| c.is_ascii_lowercase());
        let digits = after.chars().take_while(char::is_ascii_digit).count();
        let ends = after.chars().nth(digits).is_none_or(|c| !c.is_ascii_alphanumeric());
        (is_forge || is_upper) && digits > 0 && ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNS: [char; 6] = ['!', '$', '%', '&', '~', '*'];

    /// The text with each code span in `<>`.
    fn shown(text: &str, signs: &[char]) -> String {
        let spans = inert(&Text::plain(text), signs).0;
        spans
            .iter()
            .map(|span| match span {
                Span::Code(text) | Span::Report(text) => format!("<{text}>"),
                Span::Plain(text) | Span::Strong(text) => text.clone(),
                Span::Icon(_) => String::new(),
            })
            .collect()
    }

    // The forms are those of https://docs.github.com/en/get-started/writing-on-github and
    // https://docs.gitlab.com/user/markdown/#gitlab-specific-references.
    #[test]
    fn what_a_forge_acts_on_becomes_code_and_all_else_stays() {
        for (text, expected) in [
            ("see @alice, please", "see <@alice>, please"),
            ("基线@alice的", "基线<@alice>的"),
            ("@org/team", "<@org/team>"),
            ("me@example.com", "<me@example.com>"),
            ("fixes #12.", "fixes <#12>."),
            ("owner/repo#12", "<owner/repo#12>"),
            ("GH-12 and gh-3", "<GH-12> and <gh-3>"),
            ("PROJ-7", "<PROJ-7>"),
            ("Qwen2.5-VL-3B", "Qwen2.5-VL-3B"),
            ("at 1a2b3c4d5e now", "at <1a2b3c4d5e> now"),
            ("repo@1a2b3c4", "<repo@1a2b3c4>"),
            ("https://example.com/i/1", "<https://example.com/i/1>"),
            ("www.example.com", "<www.example.com>"),
            ("/close", "</close>"),
            ("a /close", "a /close"),
            ("[vulnerability:3]", "<[vulnerability:3]>"),
            ("a@b|c", "<a@b>|c"),
            ("kl-0.15 vs step 3000", "kl-0.15 vs step 3000"),
            ("acc 57.0% (-1.8 pp)", "acc 57.0% (-1.8 pp)"),
            ("1,234,567 of 10", "1,234,567 of 10"),
            ("a # b @ c", "a # b @ c"),
            ("# 1", "# 1"),
        ] {
            assert_eq!(shown(text, &[]), expected, "{text}");
        }
        for (text, expected) in [
            ("!12 %3 ~bug &5 $7", "<!12> <%3> <~bug> <&5> <$7>"),
            ("~\"a b\" *iteration:1", "<~\"a> b\" <*iteration:1>"),
            ("57.0% & more", "57.0% & more"),
        ] {
            assert_eq!(shown(text, &SIGNS), expected, "{text}");
        }
    }

    #[test]
    fn a_code_span_that_a_cell_undoes_is_looked_through() {
        let found = inert(&Text::code("@alice\\|x"), &[]).0;
        assert_eq!(found[0], Span::Code("@alice\\".to_owned()));
    }
}
