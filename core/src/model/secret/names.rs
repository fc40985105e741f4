//! Names of keys, flags and variables that name a credential.

use std::borrow::Cow;

use crate::model::keys::{leaf, plain};

/// Ends of names that name a credential.
pub(super) const NAMES: &[&str] = &[
    "access_key",
    "access_key_id",
    "accesskey",
    "accesstoken",
    "account_key",
    "api_key",
    "apikey",
    "app_key",
    "auth_key",
    "authorization",
    "authtoken",
    "bearer",
    "client_key",
    "client_key_data",
    "clientsecret",
    "connection_string",
    "consumer_key",
    "cookie",
    "contraseña",
    "cred",
    "credential",
    "decryption_key",
    "deploy_key",
    "encryption_key",
    "github_pat",
    "hmac_key",
    "htpasswd",
    "identitytoken",
    "jwt",
    "license_key",
    "master_key",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "passwort",
    "pgpassword",
    "private_key",
    "private_key_id",
    "privatekey",
    "pwd",
    "refreshtoken",
    "registrytoken",
    "secret",
    "secret_key",
    "secretaccesskey",
    "secretkey",
    "session_key",
    "shared_key",
    "signing_key",
    "ssh_key",
    "storage_key",
    "subscription_key",
    "token",
    "webhook_url",
];

/// Ends of names in other scripts.
pub(super) const FOREIGN_NAMES: &[&str] = &[
    "密码",
    "密碼",
    "密钥",
    "秘钥",
    "令牌",
    "口令",
    "凭证",
    "凭据",
    "パスワード",
    "비밀번호",
    "пароль",
];

/// Words behind a name, where it has several values: `api_key_prod`.
pub(super) const PLACES: &[&str] = &[
    "backup", "dev", "eval", "live", "main", "new", "old", "prod", "staging", "test", "train",
    "value",
];

/// Words before `_key` with which it is the one that a service asks for.
pub(super) const SERVICES: &[&str] = &[
    "ai",
    "anthropic",
    "aws",
    "azure",
    "bing",
    "clearml",
    "cohere",
    "comet",
    "deepseek",
    "fireworks",
    "gcp",
    "gemini",
    "google",
    "groq",
    "hf",
    "huggingface",
    "langfuse",
    "langsmith",
    "mistral",
    "neptune",
    "nvidia",
    "openai",
    "openrouter",
    "perplexity",
    "pinecone",
    "replicate",
    "secret",
    "serpapi",
    "serper",
    "tavily",
    "together",
    "token",
    "wandb",
    "xai",
];

/// Names that are also words for something else: a credential only alone or behind one of
/// [`BEFORE_SOFT_NAMES`], and not where a number or a switch stands.
pub(super) const SOFT_NAMES: &[&str] = &["auth", "pass"];

/// Words before a soft name with which it names a credential.
pub(super) const BEFORE_SOFT_NAMES: &[&str] = &[
    "admin", "basic", "db", "ftp", "http", "https", "login", "mail", "mongo", "mysql", "postgres",
    "proxy", "redis", "registry", "root", "smtp", "ssh", "sudo", "user",
];

/// Words before `tokens` with which they are credentials and no pieces of text.
const BEFORE_TOKENS: &[&str] = &["access", "api", "auth", "hf", "hub", "refresh", "session"];

/// Components below which every text is a credential.
pub(super) const TABLES: &[&str] = &["credential", "credentials", "passwords", "secrets"];

/// Words before `token` that make it a piece of a vocabulary or of a text.
pub(super) const VOCABULARY: &[&str] = &[
    "action",
    "answer",
    "assistant",
    "audio",
    "begin",
    "blank",
    "boi",
    "bos",
    "bot",
    "cls",
    "context",
    "cost",
    "decoder",
    "delimiter",
    "empty",
    "encoder",
    "end",
    "eod",
    "eoi",
    "eom",
    "eos",
    "eot",
    "fim",
    "first",
    "function",
    "human",
    "image",
    "input",
    "last",
    "loss",
    "mask",
    "max",
    "middle",
    "min",
    "newline",
    "next",
    "num",
    "observation",
    "output",
    "pad",
    "padding",
    "per",
    "placeholder",
    "prefix",
    "price",
    "prompt",
    "role",
    "sep",
    "separator",
    "special",
    "start",
    "step",
    "stop",
    "suffix",
    "system",
    "text",
    "think",
    "timestamp",
    "tool",
    "total",
    "trigger",
    "unk",
    "unknown",
    "video",
    "vision",
];

/// Values of `auth` and `pass` that say how, and not with what.
const MANNERS: &[&str] = &[
    "all",
    "always",
    "anonymous",
    "auto",
    "basic",
    "bearer",
    "default",
    "digest",
    "disabled",
    "enabled",
    "env",
    "false",
    "iam",
    "kerberos",
    "ldap",
    "local",
    "never",
    "no",
    "none",
    "null",
    "oauth",
    "oauth2",
    "off",
    "on",
    "optional",
    "required",
    "saml",
    "token",
    "true",
    "yes",
];

/// Names of parameters of an address, in small letters.
pub(super) const PARAMETERS: &[&str] = &[
    "hmac",
    "key",
    "password",
    "q-signature",
    "secret",
    "sig",
    "signature",
    "token",
    "x-amz-credential",
    "x-amz-security-token",
    "x-amz-signature",
    "x-goog-credential",
    "x-goog-signature",
    "x-oss-credential",
    "x-oss-signature",
    "x-tos-credential",
    "x-tos-signature",
];

/// What follows a letter in the pieces of which every name of a credential has one.
pub(super) const fn root_ends(first: u8) -> &'static [&'static [u8]] {
    match first.to_ascii_lowercase() {
        b'k' => &[b"ey"],
        b't' => &[b"oken"],
        b'p' => &[b"ass", b"wd"],
        b's' => &[b"ecret"],
        b'a' => &[b"uth"],
        b'c' => &[b"red", b"ookie", b"onnection"],
        b'b' => &[b"earer"],
        b'j' => &[b"wt"],
        b'w' => &[b"ebhook"],
        b'_' => &[b"pat"],
        _ => &[],
    }
}

/// How surely a name names a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// `api_key`, `hf_token`: whatever stands there.
    Surely,
    /// `token`, `password`: one word that running text has too.
    Alone,
    /// `auth`, `pass`.
    Softly,
}

/// Whether the last component of a dotted key names a credential, or stands below a table of such.
pub fn names_secret(key: &str) -> bool {
    of_key(key).is_some()
}

pub(super) fn of_key(key: &str) -> Option<Named> {
    let mut parts = key.split('.');
    let name = parts.next_back()?;
    // The items of a list stand below numbers.
    let is_item = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    let behind = parts.clone().skip(1).chain([name]);
    let above = parts.clone().zip(behind).any(|(part, below)| {
        let plain = plain(&as_read(part));
        TABLES.contains(&plain.as_str())
            || has_end(&plain, &["api_keys"])
            || match of_name(part) {
                Some(Named::Surely) => true,
                Some(Named::Alone) => is_item(below) || plain == "secret",
                Some(Named::Softly) | None => false,
            }
    });
    let listed = is_item(name).then(|| parts.next_back()).flatten();
    if above { Some(Named::Surely) } else { of_name(listed.unwrap_or(name)) }
}

/// Letters, digits and signs of ASCII in the width of Chinese ones.
const FULL_WIDTH: std::ops::RangeInclusive<char> = '\u{ff01}'..='\u{ff5e}';

/// A name as a person reads it: without what cannot be seen, full-width letters as plain ones, and a
/// new word where capitals end.
fn as_read(name: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let bytes = name.as_bytes();
    let ends_capitals = |three: &[u8]| {
        matches!(three, [a, b, c] if a.is_ascii_uppercase() && b.is_ascii_uppercase()
            && c.is_ascii_lowercase())
    };
    if bytes.iter().all(|byte| is_plain(*byte)) && !bytes.windows(3).any(ends_capitals) {
        return Cow::Borrowed(name);
    }
    let mut read = String::with_capacity(name.len());
    let quotes = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ':');
    let mut letters = name.trim_matches(|c| quotes(c) || is_unseen(c)).chars().peekable();
    let mut before = None;
    while let Some(letter) = letters.next() {
        let letter = match letter {
            _ if is_unseen(letter) => continue,
            _ if FULL_WIDTH.contains(&letter) => {
                char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter)
            }
            _ if letter.is_whitespace() => '_',
            _ => letter,
        };
        let is_capital = |c: Option<char>| c.is_some_and(|c| c.is_ascii_uppercase());
        let is_next_small = letters.peek().is_some_and(char::is_ascii_lowercase);
        if is_capital(before) && is_capital(Some(letter)) && is_next_small {
            read.push('_');
        }
        read.push(letter);
        before = Some(letter);
    }
    Cow::Owned(read)
}

/// Controls and signs of no width.
pub(super) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{e0000}'..='\u{e01ef}')
}

/// What a single name names.
pub(super) fn of_name(name: &str) -> Option<Named> {
    let name = name.trim_end_matches([':', '=', '：', '＝', ' ']);
    let is_disguised = !name.is_ascii() && name.contains(is_disguise);
    let is_foreign = !name.is_ascii() && FOREIGN_NAMES.iter().any(|end| name.ends_with(end));
    if is_foreign {
        return Some(Named::Surely);
    }
    if !is_disguised && !has_root(name.as_bytes()) {
        return None;
    }
    let name = plain(&as_read(name));
    if SOFT_NAMES.contains(&name.as_str()) {
        return Some(Named::Softly);
    }
    let name = Some(without_place(&name)).filter(|name| !SOFT_NAMES.contains(name))?;
    let name = match name.strip_suffix('s') {
        Some(one) if has_end(one, &["token"]) => {
            let before = one.strip_suffix("_token")?.rsplit('_').next()?;
            BEFORE_TOKENS.contains(&before).then_some(one)?
        }
        Some(one) if has_end(one, NAMES) || is_key_of_service(one) => one,
        _ => name,
    };
    let before_soft = SOFT_NAMES.iter().find_map(|soft| name.strip_suffix(soft)?.strip_suffix('_'));
    if before_soft.and_then(last_word).is_some_and(|word| BEFORE_SOFT_NAMES.contains(&word)) {
        return Some(Named::Surely);
    }
    if is_key_of_service(name) {
        return Some(Named::Surely);
    }
    let before_token = name.strip_suffix("_token").and_then(last_word);
    if !has_end(name, NAMES) || before_token.is_some_and(|word| VOCABULARY.contains(&word)) {
        return None;
    }
    let is_compound = name.contains('_') || name.len() > "authorization".len();
    Some(if is_compound || matches!(name, "apikey" | "authtoken" | "accesskey" | "secretkey") {
        Named::Surely
    } else {
        Named::Alone
    })
}

/// A name without its number or place among several: `api_key` of `api_key_2` and `api_key_prod`.
fn without_place(name: &str) -> &str {
    let unnumbered = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches("_v");
    let unnumbered = unnumbered.trim_end_matches('_');
    let place = unnumbered.rsplit_once('_').filter(|(_, place)| PLACES.contains(place));
    place.map_or(unnumbered, |(before, _)| before)
}

fn has_root(name: &[u8]) -> bool {
    name.iter().enumerate().any(|(at, first)| begins_root(*first, name, at))
}

/// Whether such a piece stands at a place, whose byte is given.
pub(super) fn begins_root(first: u8, text: &[u8], at: usize) -> bool {
    root_ends(first).iter().any(|end| {
        text.get(at + 1..=at + end.len()).is_some_and(|rest| rest.eq_ignore_ascii_case(end))
    })
}

/// Whether a text that is not ASCII may hold a name that no ASCII in it tells.
pub(super) fn may_be_disguised(text: &str) -> bool {
    text.contains(is_disguise) || FOREIGN_NAMES.iter().any(|name| text.contains(name))
}

/// Whether a character may stand in a name that reads as another one.
fn is_disguise(c: char) -> bool {
    is_unseen(c) || FULL_WIDTH.contains(&c)
}

fn is_key_of_service(name: &str) -> bool {
    let before = name.strip_suffix("_key").and_then(last_word);
    before.is_some_and(|service| SERVICES.contains(&service))
}

fn last_word(name: &str) -> Option<&str> {
    name.rsplit('_').next()
}

/// Whether a name is one of those, or ends in `_` and one of them.
fn has_end(name: &str, ends: &[&str]) -> bool {
    ends.iter().any(|end| {
        name.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('_'))
    })
}

/// Whether what stands under the name of a credential gives nothing away: nothing, a switch, a
/// piece of a vocabulary, the way of something, a directory.
pub(super) fn is_harmless(name: &str, text: &str) -> bool {
    let text = text.trim();
    let is_vocabulary = (text.starts_with('<') && text.ends_with('>'))
        || (text.starts_with('[') && text.ends_with(']'));
    let word = text.to_ascii_lowercase();
    let is_nothing = matches!(word.as_str(), "" | "none" | "null" | "true" | "false");
    let is_manner = SOFT_NAMES.contains(&name) && MANNERS.contains(&word.as_str());
    let may_be_path = matches!(name, "pwd" | "oldpwd" | "ssh_key" | "cookie" | "cookies");
    let is_path = may_be_path
        && (text == "~" || ["/", "~/", "./", "../"].iter().any(|start| text.starts_with(start)));
    is_vocabulary || is_nothing || is_manner || is_path
}

/// Whether a word of a command is a flag that names the word behind it a credential.
pub(super) fn is_secret_flag(text: &str) -> bool {
    text.starts_with('-') && !text.contains(['=', ' ']) && of_name(leaf(text)).is_some()
}
