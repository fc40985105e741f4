//! Passwords in commands, seen from the flag before them: `curl -u user:password`, `mysql -ppassword`.

use std::ops::Range;

use super::named::is_number;
use super::names::is_secret_flag;
use super::shell::{NEAR, first_of, last_of, raw_word};

/// Programs that take `user:password` behind `-u`.
const WITH_USER: &[&str] = &["curl", "http", "https", "wget", "xh"];
/// Programs that take a password behind `-p`.
const WITH_P: &[&str] =
    &["login", "mariadb", "mongo", "mongosh", "mysql", "mysqladmin", "mysqldump", "sshpass"];
/// The same behind `-P`.
const WITH_CAPITAL_P: &[&str] = &["unzip", "zip", "zipcloak"];
/// The same behind `-a`.
const WITH_A: &[&str] = &["redis-cli"];
/// Flags with which `-p` is the password of the user that they name.
const USER_FLAGS: &[&str] = &["-u", "--user", "--username"];
/// Longest word of a command that is looked at.
const LONGEST: usize = 2 << 10;
/// Most letters of flags in one word.
const MOST_FLAGS: usize = 8;

/// What stands behind a flag.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    UserAndPassword,
    Password(&'static [&'static str]),
}

/// What a word that is a flag takes, and where in it the value would begin.
fn takes(word: &str) -> Option<(Takes, usize)> {
    if matches!(word, "--user" | "--proxy-user") {
        return Some((Takes::UserAndPassword, word.len()));
    }
    let flags = word.strip_prefix('-').filter(|flags| !flags.starts_with('-'))?;
    let are_letters = flags.len() <= MOST_FLAGS && flags.bytes().all(|c| c.is_ascii_alphabetic());
    match flags.chars().next()? {
        'u' | 'U' => Some((Takes::UserAndPassword, 2)),
        'p' => Some((Takes::Password(WITH_P), 2)),
        'P' => Some((Takes::Password(WITH_CAPITAL_P), 2)),
        'a' if flags.len() == 1 => Some((Takes::Password(WITH_A), 2)),
        // `-sSu` is three flags in one.
        _ if are_letters && flags.ends_with(['u', 'U']) => {
            Some((Takes::UserAndPassword, word.len()))
        }
        _ => None,
    }
}

/// Where the password of a command stands in a flag and what follows it.
pub(super) fn of_command(past: &str, word: &str, behind: &str) -> Option<Range<usize>> {
    let (takes, attached) = takes(word)?;
    let quote = past.chars().next_back().filter(|c| matches!(c, '"' | '\''));
    if !past.is_empty() && quote.is_none() && !past.ends_with([' ', '\t', '\n']) {
        return None;
    }
    let near = last_of(past, NEAR);
    let has = |programs: &[&str]| {
        near.split(|c: char| c.is_whitespace() || "/\\\"',[]|;&()`%$=".contains(c)).any(|word| {
            let name = word.to_ascii_lowercase();
            programs.contains(&name.strip_suffix(".exe").unwrap_or(&name))
        })
    };
    let is_known = match takes {
        Takes::UserAndPassword => has(WITH_USER),
        Takes::Password(programs) => has(programs) || programs == WITH_P && has(USER_FLAGS),
    };
    if !is_known {
        return None;
    }
    let whole = format!("{word}{}", first_of(behind, LONGEST));
    let is_quoted_flag = quote.is_some_and(|quote| behind.starts_with(quote));
    let is_attached = attached < word.len() || behind.starts_with(['"', '\'']) && !is_quoted_flag;
    let start =
        if is_attached { attached } else { start_of_value(&whole, word.len(), is_quoted_flag) };
    let value = whole.get(start..)?;
    let before = [last_of(past, LONGEST), whole.get(..start)?].concat();
    let inside = raw_word(&before, value);
    let value = value.get(inside.clone())?;
    let range = start + inside.start..start + inside.end;
    match takes {
        Takes::UserAndPassword => {
            let (name, password) = value.split_once(':')?;
            (!password.is_empty()).then(|| range.start + name.len() + 1..range.end)
        }
        Takes::Password(programs) => {
            let is_named = has(programs);
            let is_other = value.starts_with(['-', '$', '<', '{']) && !is_attached
                || !is_named && (is_attached || value.split(':').all(is_number));
            (!value.is_empty() && !is_other).then_some(range)
        }
    }
}

/// Where the value behind a flag begins: behind the quote that ends the flag in a list, spaces, a comma and
/// the end of a line that goes on.
fn start_of_value(whole: &str, flag: usize, is_quoted: bool) -> usize {
    let rest = whole.get(flag + usize::from(is_quoted)..).unwrap_or_default();
    let mut value = rest;
    loop {
        let next = value.trim_start_matches([' ', '\t', '=', ',']);
        let next =
            next.strip_prefix("\\\n").or_else(|| next.strip_prefix("\\\r\n")).unwrap_or(next);
        if next.len() == value.len() {
            return whole.len() - value.len();
        }
        value = next;
    }
}

/// Of the words of a command, whether each is the credential that the one before it names, or a line of a
/// private key.
pub(in crate::model) fn masked_words(words: &[&str]) -> Vec<bool> {
    let (mut past, mut is_in_key) = (String::new(), false);
    let follows = |(position, word): (usize, &&str)| {
        is_in_key |= word.contains("-----BEGIN") && word.contains("PRIVATE KEY");
        if is_in_key {
            is_in_key = !word.contains("-----END");
            return true;
        }
        let before = position.checked_sub(1).and_then(|before| words.get(before));
        let Some(before) = before.filter(|before| before.starts_with('-')) else {
            past.extend([*word, " "]);
            return false;
        };
        let flagged = is_secret_flag(before) && !word.starts_with('-');
        let context = past.strip_suffix(&format!("{before} ")).unwrap_or(&past);
        let behind = format!(" {word}");
        let commanded = of_command(context, before, &behind).is_some();
        past.extend([*word, " "]);
        flagged || commanded
    };
    words.iter().enumerate().map(follows).collect()
}
