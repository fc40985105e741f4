//! A first look at a text: most hold nothing that a credential needs, and are passed over at once.

use super::names::{begins_root, may_be_disguised, root_ends};
use super::shapes::{RANDOM_SMALL, SHORTEST, WITH_SLASHES, is_base64_char, is_token_char};

/// Whether a text has a part of a name, a beginning of an address or of a flag, a parameter, or as many characters
/// in a row as a token has. Without any of them no rule finds a credential in it.
pub(super) fn has_clue(text: &str) -> bool {
    if !text.is_ascii() && may_be_disguised(text) {
        return true;
    }
    let bytes = text.as_bytes();
    let (mut in_token, mut in_base64, mut may_have_parameter) = (0, 0, false);
    bytes.iter().enumerate().any(|(at, &byte)| {
        let class = CLASSES.get(usize::from(byte)).copied().unwrap_or_default();
        in_token = if class & TOKEN == 0 { 0 } else { in_token + 1 };
        in_base64 = if class & BASE64 == 0 { 0 } else { in_base64 + 1 };
        if in_token >= SHORTEST || in_base64 >= RANDOM_SMALL {
            return true;
        }
        if class & MORE == 0 {
            return false;
        }
        may_have_parameter |= matches!(byte, b'?' | b'&');
        let (before, behind) = (bytes.get(..at).unwrap_or_default(), bytes.get(at + 1..));
        let behind = behind.unwrap_or_default();
        match byte {
            b':' => behind.starts_with(b"//"),
            b'=' => may_have_parameter,
            b'/' => before.ends_with(WITH_SLASHES.trim_end_matches('/').as_bytes()),
            b'-' => {
                before.last().is_none_or(|byte| b" \t\n\"'".contains(byte))
                    && behind
                        .first()
                        .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'-')
            }
            // `wandb login` names its key by its place.
            b'l' => behind.starts_with(b"ogin"),
            _ => begins_root(byte, bytes, at),
        }
    })
}

/// What a byte may be part of.
const TOKEN: u8 = 1;
const BASE64: u8 = 2;
/// What stands around the byte has to be looked at.
const MORE: u8 = 4;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let c = byte as u8;
        if is_token_char(c as char) {
            classes[byte] |= TOKEN;
        }
        if is_base64_char(c as char) {
            classes[byte] |= BASE64;
        }
        if matches!(c, b'?' | b'&' | b':' | b'=' | b'/' | b'-' | b'l') || !root_ends(c).is_empty() {
            classes[byte] |= MORE;
        }
        byte += 1;
    }
    classes
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::named::Look;
    use super::super::text::secrets_in;
    use super::*;

    #[test]
    fn most_texts_have_no_clue() {
        for text in
            ["accuracy", "12 of 30 samples differ", "0.12 → 0.15 (-0.03)", "运行 A", "a=1, b: 2"]
        {
            assert!(!has_clue(text), "{text}");
        }
    }

    /// Pieces of credentials, of what names them and of what stands around them.
    const PIECES: &[&str] = &[
        " ",
        "  ",
        "\n",
        "\t",
        "a",
        "B",
        "7",
        "0.5",
        "-",
        "--",
        "_",
        "=",
        ":",
        "://",
        "/",
        "?",
        "&",
        "@",
        "\"",
        "'",
        ",",
        ";",
        ".",
        "+",
        "$",
        "密码",
        "令牌",
        "中",
        "key",
        "Token",
        "PASSWORD",
        "secret",
        "auth",
        "cookie",
        "bearer",
        "jwt",
        "pwd",
        "cred",
        "connection_string",
        "github_pat",
        "webhook",
        "user",
        "sk-",
        "hf_",
        "eyJ",
        "bce-v3/",
        "AKIA",
        "curl",
        "mysql",
        "redis-cli",
        "unzip",
        "wandb",
        "login",
        "-u",
        "-p",
        "-pfoo",
        "-P",
        "-a",
        "--user",
        "https",
        "sig",
        "code",
        "-----BEGIN",
        "PRIVATE",
        "-----",
        "KEY",
        "hunter2",
        "aB3dE6gH9jK2",
        "mN5pQ8sT1vW4",
        "0123456789",
        "abcdefghijklmnop",
        "＝",
        "：",
        "ａｐｉ＿ｋｅｙ",
        "is",
        "value",
        "::",
        "->",
        "[",
        "]",
        "\u{200b}",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn no_credential_is_found_without_a_clue(
            pieces in prop::collection::vec(prop::sample::select(PIECES), 1..12),
        ) {
            let text = pieces.concat();
            for look in [Look::Settings, Look::Identity, Look::Anywhere] {
                prop_assert!(has_clue(&text) || secrets_in(&text, look).is_empty(), "{}", text);
            }
        }
    }
}
