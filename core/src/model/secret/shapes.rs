//! Words that are credentials by how they look, whatever stands around them.

/// What stands behind the beginning of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// Anything that may stand in a token: the beginning is used for nothing else.
    Any,
    /// Letters and digits alone.
    Plain,
    /// A part that looks drawn at random: the beginning is also that of names.
    Drawn,
    /// Hexadecimal digits alone.
    Hex,
}

/// Beginnings of tokens of known issuers, and the fewest characters behind them.
pub(super) const SHAPES: &[(&str, usize, Rest)] = &[
    ("hf_", 20, Rest::Plain),
    ("api_org_", 20, Rest::Plain),
    ("ghp_", 16, Rest::Plain),
    ("gho_", 16, Rest::Plain),
    ("ghu_", 16, Rest::Plain),
    ("ghs_", 16, Rest::Plain),
    ("ghr_", 16, Rest::Plain),
    ("github_pat_", 16, Rest::Any),
    ("glpat-", 16, Rest::Any),
    ("gldt-", 16, Rest::Any),
    ("glrt-", 16, Rest::Any),
    ("sk-ant-", 12, Rest::Any),
    ("sk-proj-", 12, Rest::Any),
    ("sk-or-v1-", 12, Rest::Any),
    ("sk-", 16, Rest::Drawn),
    ("sk_live_", 16, Rest::Plain),
    ("sk_test_", 16, Rest::Plain),
    ("rk_live_", 16, Rest::Plain),
    ("whsec_", 16, Rest::Plain),
    ("xoxa-", 10, Rest::Any),
    ("xoxb-", 10, Rest::Any),
    ("xoxe-", 10, Rest::Any),
    ("xoxp-", 10, Rest::Any),
    ("xoxr-", 10, Rest::Any),
    ("xoxs-", 10, Rest::Any),
    ("xapp-", 10, Rest::Any),
    ("AKIA", 16, Rest::Plain),
    ("ASIA", 16, Rest::Plain),
    ("AIza", 30, Rest::Any),
    ("ya29.", 16, Rest::Any),
    ("GOCSPX-", 16, Rest::Any),
    ("SG.", 16, Rest::Any),
    ("npm_", 20, Rest::Plain),
    ("pypi-", 16, Rest::Drawn),
    ("dop_v1_", 16, Rest::Plain),
    ("doo_v1_", 16, Rest::Plain),
    ("shpat_", 16, Rest::Plain),
    ("shpca_", 16, Rest::Plain),
    ("shppa_", 16, Rest::Plain),
    ("shpss_", 16, Rest::Plain),
    ("lin_api_", 16, Rest::Plain),
    ("nvapi-", 16, Rest::Any),
    ("gsk_", 16, Rest::Plain),
    ("xai-", 16, Rest::Drawn),
    ("r8_", 16, Rest::Plain),
    ("pplx-", 16, Rest::Drawn),
    ("tgp_v1_", 16, Rest::Any),
    ("tvly-", 16, Rest::Drawn),
    ("jina_", 20, Rest::Plain),
    ("lsv2_pt_", 16, Rest::Any),
    ("lsv2_sk_", 16, Rest::Any),
    ("rpa_", 20, Rest::Plain),
    ("esecret_", 16, Rest::Plain),
    ("sntrys_", 16, Rest::Any),
    ("sntryu_", 16, Rest::Any),
    ("glsa_", 16, Rest::Any),
    ("hvs.", 16, Rest::Any),
    ("dckr_pat_", 16, Rest::Any),
    ("dapi", 32, Rest::Hex),
    ("figd_", 16, Rest::Any),
    ("ntn_", 20, Rest::Plain),
    ("PMAK-", 16, Rest::Any),
    ("ATATT3", 16, Rest::Any),
    ("ATCTT3", 16, Rest::Any),
    ("tskey-", 16, Rest::Any),
    ("LTAI", 12, Rest::Drawn),
    ("key-", 32, Rest::Hex),
    ("AGE-SECRET-KEY-", 16, Rest::Any),
    ("CCIPAT_", 16, Rest::Any),
    ("bkua_", 20, Rest::Plain),
    ("sgp_", 20, Rest::Drawn),
    ("pul-", 40, Rest::Hex),
    // A block of `-----BEGIN …-----` in base64.
    ("LS0tLS1CRUdJTi", 10, Rest::Any),
];

/// The beginning of one in which slashes stand.
pub(super) const WITH_SLASHES: &str = "bce-v3/";
/// Fewest bytes of any of them, all in a row.
pub(super) const SHORTEST: usize = 15;
/// Fewest characters of a part that is random by its look.
const DRAWN: usize = 10;
/// Fewest letters and digits in a row that are random whatever stands around them. Identities in
/// letters and digits have 22 at most.
const RANDOM: usize = 24;
/// The same where all letters are small, as in many names.
pub(super) const RANDOM_SMALL: usize = 32;

pub(super) const fn is_token_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// What stands in base64, that of addresses too.
pub(super) const fn is_base64_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '-' | '_')
}

/// How many bytes of the text are a token that begins there.
pub(super) fn token_length(text: &str) -> Option<usize> {
    if text.bytes().take(SHORTEST).take_while(|byte| is_token_char(char::from(*byte))).count()
        < SHORTEST
    {
        return token_in_parts(text);
    }
    let start = SHAPES.iter().find(|(start, ..)| text.starts_with(start));
    let is_json = text.starts_with("eyJ") && text.bytes().take(10).all(|byte| byte != b'.');
    if start.is_none() && !is_json {
        return token_in_parts(text);
    }
    let has_dots = is_json || start.is_some_and(|(start, ..)| start.ends_with('.'));
    let is_end = |c: char| !is_token_char(c) || (c == '.' && !has_dots);
    let whole = text.find(is_end).unwrap_or(text.len());
    let word = text.get(..whole)?.trim_end_matches(['.', '-', '_']);
    let is_known = SHAPES.iter().any(|(start, fewest, rest)| {
        word.strip_prefix(start).is_some_and(|behind| fits(behind, *fewest, *rest))
    });
    (is_known || is_json_web_token(word)).then_some(word.len())
}

fn fits(behind: &str, fewest: usize, rest: Rest) -> bool {
    let first = behind.split('.').next().unwrap_or_default();
    match rest {
        Rest::Any => behind.len() >= fewest,
        Rest::Plain => first.bytes().take_while(u8::is_ascii_alphanumeric).count() >= fewest,
        Rest::Hex => first.len() == fewest && first.bytes().all(|byte| byte.is_ascii_hexdigit()),
        Rest::Drawn => {
            let mut parts = first.split(['-', '_']);
            let is_one = first.len() >= 20 && !first.contains(['-', '_']);
            first.len() >= fewest && (is_one || parts.any(is_drawn))
        }
    }
}

/// Whether a part of a word has letters and digits as a random one would.
fn is_drawn(part: &str) -> bool {
    part.len() >= DRAWN
        && part.bytes().any(|byte| byte.is_ascii_digit())
        && part.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// `eyJ….eyJ….…`: JSON in base64, a dot, and more of it.
fn is_json_web_token(word: &str) -> bool {
    let mut parts = word.split('.');
    parts.next().is_some_and(|head| head.starts_with("eyJ") && head.len() >= 10)
        && parts.next().is_some_and(|body| body.len() >= 6)
}

/// A token in parts with other signs between than those of tokens.
fn token_in_parts(text: &str) -> Option<usize> {
    token_with_slashes(text).or_else(|| bot_token(text))
}

fn token_with_slashes(text: &str) -> Option<usize> {
    let rest = text.strip_prefix(WITH_SLASHES)?;
    let is_end = |c: char| !is_token_char(c) && c != '/';
    let length = rest.find(is_end).unwrap_or(rest.len());
    (length >= 20).then_some(WITH_SLASHES.len() + length)
}

/// `123456789:` and 35 characters, with which a bot talks.
fn bot_token(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(digits..)?.strip_prefix(':')?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    ((8..=10).contains(&digits) && length == 35).then_some(digits + 1 + length)
}

/// Whether a value has the letters and digits of a password that nobody uses as a word.
pub(super) fn looks_chosen(value: &str, fewest: usize) -> bool {
    value.chars().count() >= fewest
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.chars().any(char::is_alphabetic)
}

/// Whether letters and digits follow each other as in no name: drawn from all 62 of them, every
/// second one is of another kind than the one before.
pub(super) fn is_random(part: &str) -> bool {
    let kind = |byte: u8| match byte {
        b'0'..=b'9' => 0_u8,
        b'a'..=b'z' => 1,
        _ => 2,
    };
    let kinds = part.bytes().map(kind);
    let digits = kinds.clone().filter(|kind| *kind == 0).count();
    let capitals = kinds.clone().filter(|kind| *kind == 2).count();
    let changes = kinds.clone().zip(kinds.skip(1)).filter(|(a, b)| a != b).count();
    let length = part.len();
    let is_mixed = capitals > 1 && length - digits - capitals > 1;
    let is_hex = part.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex || digits < 2 {
        false
    } else if is_mixed {
        length >= RANDOM && changes * 20 >= length * 9
    } else {
        length >= RANDOM_SMALL && changes * 10 >= length * 3 && digits * 8 >= length
    }
}

/// The same of a text in base64 whose signs cut it into short pieces.
pub(super) fn is_random_base64(whole: &str) -> bool {
    let joined: String = whole.chars().filter(|c| !matches!(c, '/' | '+' | '=')).collect();
    let small = |part: &str| part.len() > 2 && part.bytes().all(|byte| byte.is_ascii_lowercase());
    joined.len() >= RANDOM_SMALL
        && joined.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && is_random(&joined)
        && !whole.split('/').any(small)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_token_is_shorter_than_words_that_are_passed_over() {
        let shortest = SHAPES.iter().map(|(start, fewest, _)| start.len() + fewest).min();
        assert_eq!(shortest, Some(SHORTEST));
    }

    #[test]
    fn random_characters_are_told_from_names_and_from_hashes() {
        for part in ["aB3dE6gH9jK2mN5pQ8sT1vW4", "4f7k2m9x8q1w3e5r6t7y8u9i0o1p2a3s"] {
            assert!(is_random(part), "{part}");
        }
        for part in [
            "0123456789abcdef0123456789abcdef01234567",
            "LlamaForCausalLM2ForSequenceClassification",
            "Qwen2ForCausalLMWithValueHead0",
            "abcdefghijklmnopqrstuvwxyz0123456789",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "20240101000000000000000000000000",
        ] {
            assert!(!is_random(part), "{part}");
        }
    }
}
