//! Values that a word before them names a credential.

use super::names::{Named, is_harmless, is_secret_flag, is_unseen, of_name};
use super::shapes::looks_chosen;
use super::shell::{
    NEAR, end_of_pieces, end_of_shell_word, first_of, is_word, last_of, past_quotes, quoted_end,
};
use crate::model::keys::plain;

/// What a text is, and how much in it is taken for a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// A setting, a command or a line of a log.
    Settings,
    /// The same, of a value that may be random and no secret, such as a hash.
    Identity,
    /// Anything: questions, answers, code, names.
    Anywhere,
}

/// How a name and its value are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    Equals,
    /// With spaces before it.
    SpacedEquals,
    Colon,
    Space,
    /// `the password is x`.
    Is,
    /// `"name": "API_KEY", "value": "x"`.
    Field,
    /// `('api_key', 'x')`, `api_key == x`.
    Pair,
}

/// Words before `key` or `token` with which they name a credential.
const FIRST_WORDS: &[&str] = &["access", "api", "auth", "private", "secret"];
/// Schemes that stand before the credential of a header.
const SCHEMES: &[&str] = &["basic", "bearer", "token", "apikey", "api-key"];
/// Words before `password:` that make what follows one.
const BEFORE_PASSWORDS: &[&str] =
    &["bad", "default", "incorrect", "invalid", "new", "old", "temporary", "using", "wrong"];
/// Words behind `password:` that are none.
const NO_PASSWORDS: &[&str] = &[
    "correct",
    "disabled",
    "empty",
    "enabled",
    "expired",
    "failed",
    "false",
    "incorrect",
    "invalid",
    "mandatory",
    "missing",
    "no",
    "none",
    "null",
    "ok",
    "optional",
    "required",
    "set",
    "true",
    "unknown",
    "unset",
    "wrong",
    "yes",
];
/// What ends a value without quotes.
const ENDS: &[char] = &['"', '\'', '`', ',', ';', '&', ')', '}', ']', '|'];

/// Where the value of a named credential begins behind its name, and how long it is. What had to be
/// looked at for it, in bytes, is added to `looked`.
pub(super) fn value_of_name(
    (past, before): (&str, &str),
    word: &str,
    behind: &str,
    look: Look,
    looked: &mut usize,
) -> Option<(usize, usize)> {
    let (named, name) = named(before, past, word)?;
    let is_flag = (word.starts_with('-') && word.len() > 2) || ends_flag(past);
    let is_password = name.starts_with("pass") || name == "pwd";
    let (joint, is_quoted, rest) = joint(behind, is_flag, (is_password, &name))?;
    let is_line = is_password
        && joint == Joint::Colon
        && look != Look::Anywhere
        && past.trim_end_matches(is_blank).ends_with('\n');
    let value = Value::read((past, rest), (is_flag, is_line), (&name, joint))?;
    *looked += value.text.len();
    // Names may stand one after another in a list.
    let is_one = is_given(&value, joint)
        && (joint != Joint::Pair || looks_chosen(value.text, 8))
        && !is_harmless(&name, value.text)
        && (look != Look::Anywhere || is_evident(&value, joint))
        && match named {
            _ if name.ends_with("token") && is_number(value.text) => false,
            _ if is_flag || is_line => true,
            Named::Surely => match joint {
                Joint::Is => looks_chosen(value.text, 6),
                Joint::Space => looks_chosen(value.text, if is_password { 6 } else { 12 }),
                _ => true,
            },
            Named::Alone => {
                is_header(&name, joint, is_quoted, &value)
                    || is_alone_one(&name, &value, (joint, is_quoted), (before, look))
            }
            Named::Softly => {
                look != Look::Anywhere
                    && (is_quoted || joint == Joint::Equals)
                    && !is_number(value.text)
            }
        };
    is_one.then(|| (behind.len() - rest.len() + value.start, value.text.len()))
}

/// Whether what stands before a word begins a flag that the word ends, as `--hf.` before `token`.
fn ends_flag(past: &str) -> bool {
    let is_border = |c: char| c.is_whitespace() || "\"',[".contains(c);
    past.ends_with('.')
        && last_of(past, NEAR).rsplit(is_border).next().is_some_and(|flag| flag.starts_with("--"))
}

/// What a word names, alone or with the word before it (`API key`), and its plain name.
fn named(before: &str, past: &str, word: &str) -> Option<(Named, String)> {
    if word.len() < 3 {
        return None;
    }
    let is_second = past.ends_with(is_blank)
        && ["key", "token"].iter().any(|last| word.eq_ignore_ascii_case(last))
        && FIRST_WORDS.iter().any(|first| before.eq_ignore_ascii_case(first));
    if is_second {
        return Some((Named::Surely, format!("{}_{}", plain(before), plain(word))));
    }
    // `-Dpassword=x` is how Java takes settings.
    let word = word.strip_prefix("-D").unwrap_or(word);
    of_name(word).map(|named| (named, plain(word)))
}

/// How the value is joined, whether the name stands in quotes, and what is left behind the joint.
fn joint<'t>(
    behind: &'t str,
    is_flag: bool,
    (is_password, name): (bool, &str),
) -> Option<(Joint, bool, &'t str)> {
    let behind = behind.trim_start_matches(|c| c != '\n' && c != '\t' && is_unseen(c));
    let unquoted = behind.trim_start_matches(['"', '\'', '\\', ']', '”', '」']);
    let is_quoted = unquoted.len() < behind.len();
    let spaced = unquoted.trim_start_matches(is_blank);
    let has_space = spaced.len() < unquoted.len();
    let of = |joint: Joint, rest: &'t str| Some((joint, is_quoted, rest));
    let compared =
        ["==", "->", "<-", "→", "＝＞"].iter().find_map(|sign| spaced.strip_prefix(sign));
    if let Some(rest) = compared {
        return of(Joint::Pair, rest);
    }
    if spaced.starts_with("::") {
        return None;
    }
    if let Some(rest) = spaced.strip_prefix("=>").or_else(|| spaced.strip_prefix(":=")) {
        return of(Joint::SpacedEquals, rest);
    }
    if let Some(rest) = spaced.strip_prefix(['=', '＝', '﹦']) {
        return of(if has_space { Joint::SpacedEquals } else { Joint::Equals }, rest);
    }
    if let Some(rest) = spaced.strip_prefix([':', '：', '﹕', '∶']) {
        return of(Joint::Colon, behind_type(rest));
    }
    if is_flag {
        let listed = spaced.strip_prefix(',');
        let rest = listed.or_else(|| has_space.then_some(spaced))?;
        let rest = rest.trim_start_matches(is_blank);
        let next_line = rest.strip_prefix("\\\n").map(str::trim_start);
        return of(Joint::Space, next_line.unwrap_or(rest));
    }
    let field = spaced.trim_start_matches([',', ' ', '\n', '"', '\'', '\\']);
    if let Some(rest) = field.strip_prefix("value") {
        let rest = rest.trim_start_matches(['"', '\'', '\\', ' ']);
        return of(Joint::Field, rest.strip_prefix([':', '='])?);
    }
    let listed = spaced.strip_prefix(',').map(str::trim_start).filter(|_| is_quoted);
    if let Some(rest) = listed.filter(|rest| rest.starts_with(['"', '\''])) {
        return of(Joint::Pair, rest);
    }
    if let Some(rest) = spaced.strip_prefix("provided:").or_else(|| spaced.strip_prefix("used:")) {
        return of(Joint::Colon, rest);
    }
    if let Some(rest) =
        ["is", "was"].iter().find_map(|word| spaced.strip_prefix(word)?.strip_prefix(is_blank))
    {
        return of(Joint::Is, rest);
    }
    let is_told = name == "bearer" || is_password || name.contains('_');
    (is_told && has_space && !is_quoted).then_some((Joint::Space, is_quoted, spaced))
}

/// A space within a line, of any width: `\u{3000}` is what is typed between full-width signs.
fn is_blank(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\n' | '\r')
}

/// What stands behind the type of a value, where one is written: `!!str x`, `str = x`.
fn behind_type(rest: &str) -> &str {
    let trimmed = rest.trim_start_matches(is_blank);
    let tagged = trimmed.strip_prefix("!!").and_then(|tag| tag.split_once(is_blank));
    let typed = ["str", "string", "String"].iter().find_map(|name| trimmed.strip_prefix(name));
    let typed = typed.map(|behind| behind.trim_start_matches(is_blank));
    let assigned = typed.and_then(|behind| behind.strip_prefix('='));
    tagged.map(|(_, value)| value).or(assigned).unwrap_or(rest)
}

/// What stands behind a joint.
#[derive(Debug)]
struct Value<'t> {
    /// Where it begins.
    start: usize,
    text: &'t str,
    is_quoted: bool,
    /// Whether `Bearer` or the like stood before it.
    has_scheme: bool,
    /// The first character behind it.
    next: Option<char>,
    /// Whether nothing but the end of a clause follows.
    is_last: bool,
}

impl<'t> Value<'t> {
    fn read(
        (past, rest): (&str, &'t str),
        (is_flag, is_line): (bool, bool),
        (name, joint): (&str, Joint),
    ) -> Option<Self> {
        let mut text = rest.trim_start_matches(is_blank);
        let prefix = text.strip_prefix(['b', 'f', 'r', 'u', '$']);
        text = prefix.filter(|text| text.starts_with(['"', '\''])).unwrap_or(text);
        let unescaped = text.trim_start_matches('\\');
        let quote = unescaped.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
        text = if quote.is_some() { unescaped.get(1..)? } else { text };
        let is_escaped = unescaped.len() < text.len();
        let is_whole =
            is_line || matches!(name, "cookie" | "set_cookie") || text.starts_with("AWS4-HMAC");
        let unschemed = without_scheme(text, quote.is_some());
        let has_scheme = unschemed.len() < text.len();
        text = unschemed;
        let is_list = text.starts_with('[') && quote.is_none();
        let end = match quote {
            Some(quote) => {
                let closed = quoted_end(text, quote, is_escaped);
                closed.map(|closing| end_of_shell_word(text, closing))
            }
            None if is_list => text.find(']'),
            None if is_whole && (is_line || joint == Joint::Colon) => text.find(['\n', '"', '\'']),
            None if is_whole => {
                let line = text.split(" --").next().unwrap_or(text);
                Some(line.find('\n').unwrap_or(line.len()))
            }
            None if is_flag => text.find(|c: char| c.is_whitespace() || "\"'`".contains(c)),
            None => text.find(|c: char| c.is_whitespace() || ENDS.contains(&c)),
        };
        let end = end.unwrap_or(text.len());
        let end = match quote {
            None if is_list => end,
            None => past_quotes(text, end_of_pieces(past, text, end)),
            Some(_) => end,
        };
        let whole = text.get(..end)?;
        let after = text.get(whole.len()..)?;
        let shown = if is_list {
            // `[` stays, so that the end of the list has its beginning.
            whole.get(1..)?
        } else if is_flag && quote.is_none() {
            whole.trim_end_matches([',', ';', ')', ']', '}'])
        } else {
            whole.trim_end_matches('\\')
        };
        let shown = if quote.is_none() { shown.trim_end_matches('.') } else { shown };
        let start = rest.len() - text.len() + usize::from(is_list);
        let tail = after.trim_start_matches(['"', '\'', '`']);
        let is_last = tail.starts_with([',', ';', ')', '}', ']', '.'])
            || tail
                .trim_start_matches(|c| c == '\r' || is_blank(c))
                .chars()
                .next()
                .is_none_or(|c| c == '\n');
        Some(Self {
            start,
            text: shown,
            is_quoted: quote.is_some() || is_list,
            has_scheme,
            next: after.chars().next(),
            is_last,
        })
    }
}

fn without_scheme(text: &str, is_quoted: bool) -> &str {
    let behind = text
        .split_once(is_blank)
        .filter(|(scheme, _)| SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known)));
    behind.map_or(text, |(_, rest)| {
        rest.trim_start_matches(|c| is_blank(c) || (!is_quoted && matches!(c, '"' | '\'')))
    })
}

/// Whether a value stands there, and no variable, no place to fill in and no next flag.
fn is_given(value: &Value<'_>, joint: Joint) -> bool {
    let text = value.text;
    let is_next_flag = !value.is_quoted
        && text.starts_with('-')
        && (joint == Joint::Space || text.split_whitespace().next().is_some_and(is_secret_flag));
    let is_reference = text.starts_with(['$', '<', '{', '%'])
        || text.starts_with("os.environ")
        || text.starts_with("os.getenv");
    !text.is_empty() && !is_next_flag && !is_reference
}

/// Whether a value is no word of a sentence and no expression of a program.
fn is_evident(value: &Value<'_>, joint: Joint) -> bool {
    let text = value.text;
    let is_scheme = SCHEMES.iter().any(|scheme| text.eq_ignore_ascii_case(scheme));
    let is_sentence = matches!(joint, Joint::Colon | Joint::Space)
        && !(value.is_quoted || value.is_last || value.has_scheme || looks_chosen(text, 6));
    text.contains(char::is_alphanumeric) && !is_scheme && !is_sentence && !is_code(value)
}

/// Whether a value is an expression of a program and no text.
fn is_code(value: &Value<'_>) -> bool {
    const TYPES: &[&str] = &["str", "string", "String", "bytes", "int", "Optional", "Any", "any"];
    let text = value.text;
    let is_name = |c: char| c.is_alphabetic() || matches!(c, '_' | '.');
    let is_member = |c: char| c.is_ascii_digit() || is_name(c);
    !value.is_quoted
        && !value.has_scheme
        && (TYPES.contains(&text)
            || text.contains(['(', '['])
            || matches!(value.next, Some('(' | '['))
            || (text.chars().all(is_name) && (text.contains('.') || names_itself(text)))
            || (text.chars().all(is_member) && text.contains('.') && names_itself(text)))
}

fn names_itself(text: &str) -> bool {
    ["key", "token", "secret", "pass", "auth", "cred"]
        .iter()
        .any(|root| text.to_ascii_lowercase().contains(root))
}

fn is_header(name: &str, joint: Joint, is_quoted: bool, value: &Value<'_>) -> bool {
    match name {
        "authorization" | "cookie" => is_quoted || matches!(joint, Joint::Equals | Joint::Colon),
        "bearer" => looks_chosen(value.text, 8) || value.text.len() >= 20,
        _ => false,
    }
}

/// Whether a word that running text has too names a credential here.
fn is_alone_one(
    name: &str,
    value: &Value<'_>,
    (joint, is_quoted): (Joint, bool),
    (before, look): (&str, Look),
) -> bool {
    let is_password = name.starts_with("pass") || name == "pwd";
    let is_sure = joint != Joint::Space || look != Look::Anywhere;
    let is_chosen = looks_chosen(value.text, if is_password { 6 } else { 12 }) && !is_code(value);
    let is_setting = look != Look::Anywhere && (is_password || !is_number(value.text));
    match joint {
        _ if is_chosen && is_sure => true,
        Joint::Equals | Joint::Field | Joint::Pair => is_setting,
        _ if is_quoted => is_setting,
        Joint::Colon => {
            let word = value.text.to_ascii_lowercase();
            let is_asked = BEFORE_PASSWORDS.iter().any(|word| before.eq_ignore_ascii_case(word));
            is_password
                && look != Look::Anywhere
                && (value.is_last || is_asked)
                && !NO_PASSWORDS.contains(&word.as_str())
        }
        Joint::SpacedEquals => is_setting && is_password && value.is_quoted,
        Joint::Space | Joint::Is => false,
    }
}

/// A number that is too short to be anything else.
pub(super) fn is_number(text: &str) -> bool {
    text.len() < 8 && text.parse::<f64>().is_ok()
}

/// The key behind `wandb login`.
pub(super) fn of_login(before: &str, word: &str, behind: &str) -> Option<(usize, usize)> {
    if word != "login" || before != "wandb" {
        return None;
    }
    let line = first_of(behind, NEAR).lines().next()?.trim_start_matches('=');
    let words = line.split(|c: char| c.is_whitespace() || "\"'`".contains(c));
    let mut words = words.filter(|word| !word.is_empty());
    let mut host = false;
    let key = words.find_map(|word| {
        let is_host = std::mem::replace(&mut host, word == "--host") || word.contains("://");
        // What follows may end a sentence.
        let key = word.split(|c: char| !is_word(c)).next().unwrap_or_default();
        let is_key = !word.starts_with('-') && (key.len() >= 32 || looks_chosen(key, LEAST_LOGIN));
        (is_key && !is_host).then_some(key)
    })?;
    Some((behind.find(key)?, key.len()))
}

/// Fewest characters of a key behind `wandb login` that shows by its digits that it is no word.
const LEAST_LOGIN: usize = 8;
