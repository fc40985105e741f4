//! Which configuration values are credentials, and what stands in their place. Names and shapes are
//! documented in `docs/formats.md`.

use std::fmt;

use super::keys::{leaf, plain};

/// What is shown of a credential.
const MASK: &str = "•••";

/// A text of which a part must not be shown. It is compared as it was written, and nothing but
/// [`Masked::shown`] can be read of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Masked {
    written: String,
    shown: String,
}

impl Masked {
    pub(super) fn whole(written: String) -> Self {
        Self { written, shown: MASK.to_owned() }
    }

    /// The text with each credential replaced by `•••`.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    pub fn same_as(&self, other: &Self) -> bool {
        self.written == other.written
    }
}

impl fmt::Debug for Masked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Masked").field(&self.shown).finish()
    }
}

/// Ends of last components that name a credential.
const NAMES: &[&str] = &[
    "access_key",
    "access_key_id",
    "account_key",
    "api_key",
    "apikey",
    "auth_key",
    "authorization",
    "bearer",
    "credential",
    "credentials",
    "passphrase",
    "passwd",
    "password",
    "private_key",
    "secret",
    "secret_key",
    "token",
];

/// Components below which every text is a credential.
const TABLES: &[&str] = &["api_keys", "credential", "credentials", "passwords", "secrets"];

/// Words before `token` that make it a piece of a vocabulary or of a text.
const VOCABULARY: &[&str] = &[
    "assistant",
    "audio",
    "begin",
    "boi",
    "bos",
    "cls",
    "delimiter",
    "end",
    "eoi",
    "eom",
    "eos",
    "eot",
    "image",
    "mask",
    "middle",
    "newline",
    "pad",
    "padding",
    "per",
    "placeholder",
    "prefix",
    "sep",
    "separator",
    "special",
    "start",
    "step",
    "stop",
    "suffix",
    "system",
    "think",
    "unk",
    "user",
    "video",
    "vision",
];

/// Beginnings of tokens that are known by their shape, and the fewest characters behind them.
const SHAPES: &[(&str, usize)] = &[
    ("hf_", 20),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("sk-", 16),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 30),
];

/// Whether the last component of a dotted key names a credential, or stands below a table of such.
pub fn names_secret(key: &str) -> bool {
    let parts: Vec<String> = key.split('.').map(plain).collect();
    let Some((name, above)) = parts.split_last() else { return false };
    above.iter().any(|part| TABLES.contains(&part.as_str())) || is_secret_name(name)
}

fn is_secret_name(name: &str) -> bool {
    let named = NAMES.iter().any(|end| {
        name.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('_'))
    });
    let before_token = name.strip_suffix("_token").and_then(|before| before.rsplit('_').next());
    named && !before_token.is_some_and(|word| VOCABULARY.contains(&word))
}

/// A text with each credential in it replaced; `None` where it holds none. Under the name of a key,
/// forty hexadecimal digits are one.
pub(super) fn masked_text(key: &str, text: &str) -> Option<Masked> {
    let leaf = plain(leaf(key));
    let names_key = leaf.split('_').any(|word| word == "key");
    let is_hex = text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let shown = if names_key && is_hex { MASK.to_owned() } else { without_secrets(text) };
    (shown != text).then(|| Masked { written: text.to_owned(), shown })
}

/// Whether a text under the name of a credential is a piece of a vocabulary.
pub(super) fn is_vocabulary(text: &str) -> bool {
    let text = text.trim();
    (text.starts_with('<') && text.ends_with('>')) || (text.starts_with('[') && text.ends_with(']'))
}

/// Whether a word of a command is a flag that names the word behind it a credential.
pub(super) fn is_secret_flag(text: &str) -> bool {
    text.starts_with('-') && !text.contains(['=', ' ']) && is_secret_name(&plain(text))
}

/// A text such as a command, with each credential in it replaced.
pub fn without_secrets(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if !is_word(first) {
            shown.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            continue;
        }
        let (word, behind) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
        let secret = value_of_name(word, behind).or_else(|| value_of_address(behind));
        if let Some((until, length)) = secret {
            let (between, value) = behind.split_at(until);
            shown.push_str(word);
            shown.push_str(between);
            shown.push_str(MASK);
            rest = value.get(length..).unwrap_or_default();
        } else {
            shown.push_str(if has_known_shape(word) { MASK } else { word });
            rest = behind;
        }
    }
    shown
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// Where the value of a named credential begins behind its name, and how long it is:
/// `--api-key x`, `token=x`, `"api_key": "x"`, `Authorization: Bearer x`.
fn value_of_name(word: &str, behind: &str) -> Option<(usize, usize)> {
    let name = plain(word);
    let is_flag = word.starts_with("--");
    let is_header = matches!(name.as_str(), "authorization" | "bearer");
    if !is_secret_name(&name) {
        return None;
    }
    let unquoted = behind.trim_start_matches(['"', '\'']);
    let was_quoted = unquoted.len() < behind.len();
    let value = match unquoted.trim_start_matches(' ').strip_prefix(['=', ':']) {
        // In running text `the token: a word` hides nothing.
        Some(_) if !(is_flag || is_header || was_quoted || name.contains('_')) => {
            unquoted.strip_prefix('=')?
        }
        Some(value) => value,
        None if is_flag || name == "bearer" => unquoted.strip_prefix(' ')?,
        None => return None,
    };
    let value = value.trim_start_matches([' ', '"', '\'']);
    let value = value.strip_prefix("Bearer ").unwrap_or(value);
    let end = value.find(|c: char| c.is_whitespace() || "\"'`,;&)}]".contains(c));
    let length = end.unwrap_or(value.len());
    let is_given = length > 0 && !value.starts_with(['-', '$', '<', '{']);
    is_given.then_some((behind.len() - value.len(), length))
}

/// The password in `https://user:password@host`, seen from the scheme.
fn value_of_address(behind: &str) -> Option<(usize, usize)> {
    let rest = behind.strip_prefix("://")?;
    let authority = rest.split(['/', ' ', '"', '\'']).next()?;
    let (user, _) = authority.rsplit_once('@')?;
    let (name, password) = user.split_once(':')?;
    (!password.is_empty()).then_some(("://".len() + name.len() + 1, password.len()))
}

/// Whether a word looks like a token of a known issuer.
fn has_known_shape(word: &str) -> bool {
    let is_drawn = |part: &str| {
        part.len() >= 10
            && part.bytes().any(|byte| byte.is_ascii_digit())
            && part.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    SHAPES.iter().any(|(start, fewest)| {
        word.strip_prefix(start).is_some_and(|rest| {
            rest.len() >= *fewest
                && match *start {
                    "hf_" => !rest.contains(['-', '_']),
                    _ => rest.split(['-', '_']).any(is_drawn),
                }
        })
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::model::ConfigValue;

    fn text(text: &str) -> ConfigValue {
        ConfigValue::Text(text.to_owned())
    }

    fn shown(key: &str, value: &str) -> String {
        text(value).masked(key).to_string()
    }

    #[test]
    fn a_key_that_names_a_credential_shows_nothing_of_it() {
        for key in [
            "api_key",
            "OPENAI_API_KEY",
            "judge.apiKey",
            "hf_token",
            "hub-token",
            "wandb.token",
            "env.HF_TOKEN",
            "password",
            "db.passwd",
            "client_secret",
            "headers.Authorization",
            "aws_access_key_id",
            "secrets.anything",
        ] {
            assert_eq!(shown(key, "correct-horse"), MASK, "{key}");
            assert_eq!(ConfigValue::Number(7.0, "7".to_owned()).masked(key).to_string(), MASK);
        }
    }

    #[test]
    fn a_key_that_only_sounds_alike_is_shown() {
        for key in [
            "pad_token",
            "eos_token",
            "bos_token",
            "max_tokens",
            "max_new_tokens",
            "image_token",
            "loss_per_token",
            "tokenizer",
            "primary_key",
            "keys",
            "secretary",
            "metric",
        ] {
            assert_eq!(shown(key, "correct-horse"), "correct-horse", "{key}");
        }
        assert_eq!(shown("my_token", "<|im_end|>"), "<|im_end|>");
        assert_eq!(ConfigValue::Bool(true).masked("use_auth_token"), ConfigValue::Bool(true));
        assert_eq!(ConfigValue::Null.masked("api_key"), ConfigValue::Null);
    }

    #[test]
    fn credentials_within_a_text_are_covered_and_the_rest_is_kept() {
        let drawn = "aB3dE6gH9jK2mN5pQ8sT1vW4";
        for (written, expected) in [
            ("serve --api-key=abc --port 80".to_owned(), "serve --api-key=••• --port 80"),
            ("serve --api-key abc --port 80".to_owned(), "serve --api-key ••• --port 80"),
            ("HF_TOKEN=abc python train.py".to_owned(), "HF_TOKEN=••• python train.py"),
            ("pretrained=x,token=abc,dtype=y".to_owned(), "pretrained=x,token=•••,dtype=y"),
            ("{\"api_key\": \"abc\"}".to_owned(), "{\"api_key\": \"•••\"}"),
            ("Authorization: Bearer abc".to_owned(), "Authorization: Bearer •••"),
            ("https://me:abc@host/x".to_owned(), "https://me:•••@host/x"),
            (format!("use hf_{drawn}."), "use •••."),
            (format!("use sk-proj-{drawn}."), "use •••."),
            (format!("ghp_{drawn}"), "•••"),
            ("AKIAIOSFODNN7EXAMPLE".to_owned(), "•••"),
        ] {
            assert_eq!(shown("command", &written), expected);
        }
        assert_eq!(shown("wandb.key", &"0a".repeat(20)), MASK);
    }

    #[test]
    fn a_text_without_credentials_stays_as_it_is() {
        for written in [
            "the password: keep it secret, the token = nothing",
            "hf_model_name_that_is_quite_long",
            "sk-learn-and-other-libraries-of-old",
            "--token $HF_TOKEN",
            "https://host:8000/v1",
            "task-0123456789abcdef0123",
            "0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a",
        ] {
            assert_eq!(shown("command", written), written);
        }
    }

    #[test]
    fn a_flag_covers_the_word_behind_it() {
        let words = ["serve", "--api-key", "abc", "--port", "80"].map(text).to_vec();
        let value = ConfigValue::List(words).masked("argv");
        assert_eq!(value.to_string(), "[serve, --api-key, •••, --port, 80]");
    }

    #[test]
    fn what_is_not_shown_is_still_compared() {
        let [one, same, other] = ["abc", "abc", "abd"].map(|value| text(value).masked("api_key"));
        assert!(one.same_as(&same) && !one.same_as(&other));
        assert!(!format!("{one:?}").contains("abc"));
    }

    #[test]
    fn the_documented_names_are_those_of_the_code() {
        let formats = fs::read_to_string("docs/formats.md").expect("docs");
        let shapes = SHAPES.iter().map(|(start, _)| *start);
        let names = [NAMES, TABLES, VOCABULARY].into_iter().flatten().copied();
        for name in names.chain(shapes) {
            assert!(formats.contains(&format!("`{name}`")), "docs/formats.md lacks {name}");
        }
    }
}
