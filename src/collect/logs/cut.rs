//! A message without its varying parts, so that errors of one cause are one.
//!
//! Numbers, addresses, identifiers made by machines, times, paths and quoted texts are cut out.
//! Quoted plain names stay, because `missing argument: 'test'` and `missing argument: 'code'` are
//! two mistakes; so do digits inside of names (`int8`, `Qwen2`).

/// Longest template, in characters.
const LONGEST: usize = 240;

/// The template of a message: `<n>`, `<hex>`, `<uuid>`, `<time>`, `<path>`, `<str>` for what varies.
pub(super) fn template(message: &str) -> String {
    let mut cut = String::with_capacity(message.len().min(4 * LONGEST));
    let mut rest = message.trim();
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        if cut.len() > 4 * LONGEST {
            break;
        }
        let (piece, length) = match c {
            '\'' | '"' | '`' if !before.is_alphanumeric() => quoted(rest, c),
            c if c.is_whitespace() => (" ".to_owned(), space(rest)),
            c if in_token(c) => {
                let token = rest.find(|c| !in_token(c)).unwrap_or(rest.len());
                (self::token(rest.get(..token).unwrap_or_default()), token)
            }
            c => (c.to_string(), c.len_utf8()),
        };
        cut.push_str(&piece);
        before = c;
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    bounded(&cut, LONGEST)
}

/// A text of at most so many characters; `…` for what is missing.
pub(super) fn bounded(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

fn space(text: &str) -> usize {
    text.find(|c: char| !c.is_whitespace()).unwrap_or(text.len())
}

/// ASCII only: words of other scripts are text, and stand beside numbers without a space.
fn in_token(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '_' | '.' | '/' | '\\' | ':' | '-' | '+' | '@' | '%' | '~')
}

/// A quoted text and how long it is with its quotes.
fn quoted(text: &str, quote: char) -> (String, usize) {
    let inner = text.get(1..).unwrap_or_default();
    let Some(end) = inner.find(quote) else { return (quote.to_string(), 1) };
    let content = inner.get(..end).unwrap_or_default();
    let is_name = content.len() <= 60
        && content.chars().all(|c| c.is_alphabetic() || matches!(c, '_' | '.' | '-'));
    let shown = if is_name { content.to_owned() } else { "<str>".to_owned() };
    (format!("{quote}{shown}{quote}"), end + 2)
}

fn token(token: &str) -> String {
    // Punctuation around a token is part of the sentence.
    let core = token.trim_matches([':', '.', '-', '+']);
    let start = token.find(core).unwrap_or(0);
    let is_signed = core.starts_with(|c: char| c.is_ascii_digit())
        && token.get(..start).is_some_and(|lead| lead.ends_with(['-', '+']));
    let start = start - usize::from(is_signed);
    let (lead, rest) = token.split_at(start);
    let end = rest.trim_end_matches([':', '.', '-', '+']).len();
    let (core, tail) = rest.split_at(end);
    format!("{lead}{}{tail}", of_core(core))
}

fn of_core(core: &str) -> String {
    if core.is_empty() || !core.bytes().any(|b| b.is_ascii_digit() || matches!(b, b'/' | b'\\')) {
        return core.to_owned();
    }
    if is_path(core) {
        return "<path>".to_owned();
    }
    if is_uuid(core) {
        return "<uuid>".to_owned();
    }
    if is_time(core) {
        return "<time>".to_owned();
    }
    let digits = core.trim_start_matches("0x").trim_start_matches("0X");
    let is_hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
    let has_both = digits.bytes().any(|b| b.is_ascii_digit())
        && digits.bytes().any(|b| b.is_ascii_alphabetic());
    if is_hex && (digits.len() < core.len() || (digits.len() >= 8 && has_both)) {
        return "<hex>".to_owned();
    }
    numbers(core)
}

/// Two components or more, from a root, or with a drive. `3/10` and `n/a` are none.
fn is_path(core: &str) -> bool {
    let parts = || core.split(['/', '\\']);
    let deep = parts().filter(|part| !part.is_empty()).count();
    let has_letters = parts().filter(|part| part.bytes().any(|b| b.is_ascii_alphabetic())).count();
    let rooted = core.starts_with(['/', '~', '.']) || core.get(1..3) == Some(":\\");
    let has_separator = core.contains(['/', '\\']);
    has_separator && has_letters > 0 && (rooted || (deep >= 3) || core.contains("://"))
}

fn is_uuid(core: &str) -> bool {
    let lengths: Vec<usize> = core.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && core.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

/// `16:45:00`, `2025-12-01`, `2025-12-01T16:45:00.123Z`.
fn is_time(core: &str) -> bool {
    let only = core
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b':' | b'-' | b'.' | b'T' | b'Z' | b'+'));
    let groups = core.split([':', '-', 'T']).count();
    only && groups >= 3 && core.bytes().filter(u8::is_ascii_digit).count() >= 6
}

/// Numbers of a token that is nothing else: digits behind a letter are part of a name unless there
/// are many of them or they stand behind `_`.
fn numbers(core: &str) -> String {
    let mut shown = String::new();
    let mut rest = core;
    let mut before = None;
    while let Some(c) = rest.chars().next() {
        if !c.is_ascii_digit() {
            shown.push(c);
            before = Some(c);
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
            continue;
        }
        let end = number_end(rest);
        let number = rest.get(..end).unwrap_or_default();
        if before.is_some_and(|c: char| c.is_ascii_alphabetic()) && number.len() < 4 {
            shown.push_str(number);
        } else {
            // The sign goes with its number, a hyphen does not.
            if matches!(shown.as_str(), "-" | "+") {
                shown.clear();
            }
            shown.push_str("<n>");
        }
        before = Some('0');
        rest = rest.get(end..).unwrap_or_default();
    }
    shown
}

/// Digits with a decimal part and an exponent.
fn number_end(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        from + rest.bytes().take_while(u8::is_ascii_digit).count()
    };
    let mut end = digits(0);
    if text.get(end..).is_some_and(|rest| rest.starts_with('.')) && digits(end + 1) > end + 1 {
        end = digits(end + 1);
    }
    let exponent = text.get(end..).unwrap_or_default();
    let signed =
        exponent.strip_prefix(['e', 'E']).map(|rest| rest.strip_prefix(['-', '+']).unwrap_or(rest));
    if let Some(rest) = signed
        && rest.starts_with(|c: char| c.is_ascii_digit())
    {
        end = digits(text.len() - rest.len());
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_varies_is_cut_out_and_the_rest_stays() {
        for (message, cut) in [
            (
                "Workflow.__call__() missing 2 required positional arguments: 'entry_point' and 'test'",
                "Workflow.__call__() missing <n> required positional arguments: 'entry_point' and 'test'",
            ),
            ("loss is -3.5e-4 at step 120", "loss is <n> at step <n>"),
            ("object at 0x7f3a1c00>", "object at <hex>>"),
            ("commit deadbeef12 not found", "commit <hex> not found"),
            ("request 123e4567-e89b-12d3-a456-426614174000 failed", "request <uuid> failed"),
            ("at 2025-12-01 16:45:00,123", "at <time> <time>,<n>"),
            ("No such file: '/data/run 3/x.json'", "No such file: '<str>'"),
            ("cannot open /data/run3/x.json: gone", "cannot open <path>: gone"),
            ("see https://example.org/a/1", "see <path>"),
            ("KeyError 'user_12' in 'users'", "KeyError '<str>' in 'users'"),
            ("cuda:3 int8 Qwen2 worker_17", "cuda:<n> int8 Qwen2 worker_<n>"),
            ("score 3/10, 50%", "score <n>/<n>, <n>%"),
            ("n/a and/or it's", "n/a and/or it's"),
            ("第3步失败，耗时12.5秒", "第<n>步失败，耗时<n>秒"),
            ("using ``NO_SHARD`` now", "using ``NO_SHARD`` now"),
            ("a   b\t c", "a b c"),
            ("", ""),
        ] {
            assert_eq!(template(message), cut, "{message}");
        }
    }

    #[test]
    fn a_template_has_a_bounded_length() {
        assert!(template(&"word ".repeat(10_000)).chars().count() <= LONGEST + 1);
        assert_eq!(bounded("矩阵乘法", 2), "矩阵…");
    }
}
