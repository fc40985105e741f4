//! Texts with each credential in them replaced: commands, lines of logs, sentences, code.

use std::borrow::Cow;
use std::ops::Range;

use super::address::{parameter_length, secret_of_address};
use super::clues::has_clue;
use super::commands::of_command;
use super::named::{Look, of_login, value_of_name};
use super::shell::{first_of, is_word};
use super::{MASK, shapes};
use crate::model::escapes::without_escapes;

/// A text of a configuration or a log with each credential in it replaced, by names, by shapes and
/// by the look of random characters.
pub fn without_secrets(text: &str) -> Cow<'_, str> {
    masked(text, Look::Settings)
}

/// Any other text with the credentials replaced that are none but credentials: in questions,
/// answers and code, random characters and short words behind `token` may be anything.
pub fn without_evident_secrets(text: &str) -> Cow<'_, str> {
    masked(text, Look::Anywhere)
}

/// The same as [`without_secrets`] for a value that may be an identity of random characters.
pub(super) fn without_named_secrets(text: &str) -> Cow<'_, str> {
    masked(text, Look::Identity)
}

/// A text that a terminal coloured is read as the terminal shows it, and loses its colours where something
/// in it has to be masked.
fn masked(text: &str, look: Look) -> Cow<'_, str> {
    if let Cow::Owned(plain) = without_escapes(text) {
        let found = secrets(&plain, look);
        if !found.is_empty() {
            return Cow::Owned(with_masks(&plain, &found).into_owned());
        }
    }
    with_masks(text, &secrets(text, look))
}

fn with_masks<'t>(text: &'t str, secrets: &[Range<usize>]) -> Cow<'t, str> {
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut at = 0;
    for secret in secrets {
        shown.push_str(text.get(at..secret.start).unwrap_or_default());
        shown.push_str(MASK);
        at = secret.end;
    }
    shown.push_str(text.get(at..).unwrap_or_default());
    Cow::Owned(shown)
}

/// Where credentials stand, in order and apart from each other.
fn secrets(text: &str, look: Look) -> Vec<Range<usize>> {
    if has_clue(text) { secrets_in(text, look) } else { Vec::new() }
}

/// The same of a text that is looked at word by word.
pub(super) fn secrets_in(text: &str, look: Look) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut at, mut before) = (0, "");
    let mut looked = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(start) = rest.find(is_word) else { break };
        at += start;
        let rest = rest.get(start..).unwrap_or_default();
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        let free = found.last().map_or(0, |last| last.end);
        if looked > LOOKS * text.len() + MOST[0] {
            // Values within values: whoever writes that hides something or wants to be waited for.
            found.push(at..text.len());
            break;
        }
        match secret_at(text, at, (word, before), free, (look, &mut looked)) {
            Some(secret) if secret.end > at => {
                at = secret.end;
                found.push(secret);
            }
            _ => at += length,
        }
        before = word;
    }
    found
}

/// How often values of names may reach over each byte of a text before what is left of it is masked.
const LOOKS: usize = 16;
/// Most bytes that are looked at for a value in quotes, and for any other credential.
const MOST: [usize; 2] = [16 << 10, 2 << 10];

/// The credential that a word is, or names, or begins.
fn secret_at(
    text: &str,
    at: usize,
    (word, before): (&str, &str),
    free: usize,
    (look, looked): (Look, &mut usize),
) -> Option<Range<usize>> {
    let (past, rest) = text.split_at_checked(at)?;
    let [quoted, most] = MOST;
    let behind = first_of(rest.get(word.len()..)?, quoted);
    let end = at + word.len();
    let shifted = |(from, length): (usize, usize)| end + from..end + from + length;
    if let Some(length) = key_block(word, rest) {
        return Some(at..at + length);
    }
    if rest.len() > 14
        && let Some(length) = shapes::token_length(first_of(rest, most))
    {
        return Some(at..at + length);
    }
    if let Some((from, length)) = token_inside(word, rest) {
        return Some(at + from..at + from + length);
    }
    if behind.starts_with("://") {
        return secret_of_address(word, first_of(behind, most)).map(shifted);
    }
    if behind.starts_with('=')
        && let Some(length) = parameter_length(past, word, behind)
    {
        return Some(shifted((1, length)));
    }
    value_of_name((past, before), word, behind, look, looked)
        .or_else(|| of_login(before, word, behind))
        .map(|value| with_key_block(text, shifted(value)))
        .or_else(|| of_command(past, word, behind).map(|range| at + range.start..at + range.end))
        .or_else(|| random_at(text, at, word, free).filter(|_| look == Look::Settings))
}

/// Where a token begins behind a part of a name, as in `run-hf_…`, or behind a sign of another script, as
/// in `使用hf_…`, and how long it is.
fn token_inside(word: &str, rest: &str) -> Option<(usize, usize)> {
    let [_, most] = MOST;
    let is_joint = |c: char| matches!(c, '-' | '_') || !c.is_ascii();
    let joints = word.match_indices(is_joint).map(|(at, joint)| at + joint.len());
    let mut long = joints.filter(|from| rest.len() > from + 14);
    long.find_map(|from| Some((from, shapes::token_length(first_of(rest.get(from..)?, most))?)))
}

/// A value, or the private key in text form that it begins.
fn with_key_block(text: &str, value: Range<usize>) -> Range<usize> {
    let key = text.get(value.start..).and_then(|rest| key_block("-----", rest));
    let end = key.map_or(value.end, |length| value.end.max(value.start + length));
    value.start..end
}

/// How long a private key in text form is, from `-----BEGIN` to its end or that of the text.
fn key_block(word: &str, rest: &str) -> Option<usize> {
    let behind = rest.strip_prefix("-----BEGIN").filter(|_| word.starts_with("-----"))?;
    let (kind, key) = behind.split_once("-----")?;
    let key = key.trim_start().trim_start_matches('\\').trim_start_matches(['n', 'r', '\\']);
    if !kind.contains("PRIVATE KEY") || !key.trim_start().starts_with(char::is_alphanumeric) {
        return None;
    }
    let end = rest.find("-----END").and_then(|at| {
        let behind = at + "-----END".len();
        Some(behind + rest.get(behind..)?.find("-----")? + "-----".len())
    });
    Some(end.unwrap_or(rest.len()))
}

/// A word of random characters with what belongs to it: base64 has `+`, `/` and `=` between.
fn random_at(text: &str, at: usize, word: &str, free: usize) -> Option<Range<usize>> {
    let is_alone = word.split(['-', '_']).any(|part| part.is_ascii() && shapes::is_random(part));
    let [_, most] = MOST;
    let behind = first_of(text.get(at + word.len()..)?, most);
    if !is_alone && !behind.starts_with(['/', '+']) {
        return None;
    }
    let past = text.get(free..at)?;
    if !is_alone && past.ends_with(shapes::is_base64_char) {
        return None;
    }
    let before = past.chars().rev().take(most).take_while(|c| shapes::is_base64_char(*c)).count();
    let start = at - before;
    let end = at + word.len() + behind.find(|c| !shapes::is_base64_char(c)).unwrap_or(behind.len());
    let whole = text.get(start..end)?;
    let is_hash = ["sha256-", "sha384-", "sha512-"].iter().any(|hash| whole.starts_with(hash));
    // A path has random names between plain ones.
    let is_path = whole.starts_with('/') || !(whole.contains('+') || whole.ends_with('='));
    match (is_alone, is_hash) {
        (_, true) => None,
        (true, _) if is_path => Some(at..at + word.len()),
        (true, _) => Some(start..end),
        (false, _) => shapes::is_random_base64(whole).then_some(start..end),
    }
}
