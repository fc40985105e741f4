//! A message without its varying parts, so that errors of one cause are one.
//!
//! Numbers, addresses, identifiers made by machines, times, paths and quoted texts are cut out,
//! quoted texts whatever they look like. Only in messages of [`OF_NAMES`], which say little but a
//! name, what is quoted stays: `missing argument: 'test'` and `missing argument: 'code'` are two
//! mistakes. Digits inside of names (`int8`, `Qwen2`) and codes (`status 404`, `Errno 2`) stay too.

/// Longest template, in characters.
const LONGEST: usize = 240;

/// Exceptions whose messages quote names of the code.
const OF_NAMES: &[&str] = &[
    "TypeError",
    "NameError",
    "UnboundLocalError",
    "AttributeError",
    "KeyError",
    "ImportError",
    "ModuleNotFoundError",
];
/// Last words before a number that is a code and not a quantity.
const CODES: &[&str] =
    &["status", "code", "errno", "signal", "http", "exitcode", "returncode", "exit_status"];
const HTTP: &[u8] = b"http/";

/// The template of a message: `<n>`, `<hex>`, `<uuid>`, `<time>`, `<path>`, `<str>` for what varies.
///
/// `kind` is the type of the exception.
pub(super) fn message_template(kind: &str, message: &str) -> String {
    let keeps_names = OF_NAMES.contains(&kind.rsplit('.').next().unwrap_or_default());
    let mut cut = String::with_capacity(message.len().min(4 * LONGEST));
    let message = message.trim();
    let mut rest = message;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        if cut.len() > 4 * LONGEST {
            break;
        }
        let length = match c {
            '\'' | '"' if !before.is_alphanumeric() && !keeps_names => {
                let (piece, length) = quoted(rest, c);
                cut.push_str(&piece);
                length
            }
            c if c.is_whitespace() => {
                cut.push(' ');
                space(rest)
            }
            c if in_token(c) => {
                let length = rest.find(|c| !in_token(c)).unwrap_or(rest.len());
                let said = message.get(..message.len() - rest.len()).unwrap_or_default();
                push_token(rest.get(..length).unwrap_or_default(), said, &mut cut);
                length
            }
            c => {
                cut.push(c);
                c.len_utf8()
            }
        };
        before = c;
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    if cut.contains("<time>") {
        cut = cut.replace("<time> <time>", "<time>").replace("<time>,<n>", "<time>");
    }
    bounded_message(&cut, LONGEST)
}

/// A text of at most so many characters; `…` for what is missing.
pub(super) fn bounded_message(text: &str, most: usize) -> String {
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
    let Some(end) = closing(inner, quote).or_else(|| inner.find(quote)) else {
        return (quote.to_string(), 1);
    };
    (format!("{quote}<str>{quote}"), end + 2)
}

/// Where a quoted text ends: not within brackets (`'['a', 'b']'`) and not within a word (`'don't'`).
fn closing(inner: &str, quote: char) -> Option<usize> {
    let mut depth = 0_i32;
    inner.char_indices().find_map(|(at, c)| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        let next = inner.get(at + c.len_utf8()..)?.chars().next();
        (c == quote && depth <= 0 && !next.is_some_and(char::is_alphanumeric)).then_some(at)
    })
}

/// Whether what was said asks for a code: `Error code: `, `[Errno `, `status=`.
fn asks_for_code(said: &str) -> bool {
    let said = said.trim_end_matches([' ', ':', '=', '"', '\'', '#', '(', '[', '-', '+']);
    let said = said.strip_suffix(" is").unwrap_or(said);
    let start =
        said.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).map_or(0, |at| at + 1);
    let word = said.get(start..).unwrap_or_default().to_ascii_lowercase();
    let is_code = |code: &&str| {
        word.strip_suffix(code).is_some_and(|name| name.is_empty() || name.ends_with('_'))
    };
    CODES.iter().any(is_code) || said.rsplit(char::is_whitespace).next().is_some_and(is_http)
}

/// `HTTP/1.1`
fn is_http(word: &str) -> bool {
    let start = word.trim_start_matches(['"', '\'']).as_bytes().get(..HTTP.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(HTTP))
}

/// Whether a token may have anything that varies.
fn may_vary(token: &str) -> bool {
    token.bytes().any(|b| b.is_ascii_digit() || matches!(b, b'/' | b'\\'))
}

/// Adds a token as it is shown, behind what was said.
fn push_token(token: &str, said: &str, cut: &mut String) {
    if !may_vary(token) {
        return cut.push_str(token);
    }
    // Punctuation around a token is part of the sentence.
    let core = token.trim_matches([':', '.', '-', '+']);
    let start = token.find(core).unwrap_or(0);
    let is_signed = core.starts_with(|c: char| c.is_ascii_digit())
        && token.get(..start).is_some_and(|lead| lead.ends_with(['-', '+']));
    let start = start - usize::from(is_signed);
    let (lead, rest) = token.split_at(start);
    let end = rest.trim_end_matches([':', '.', '-', '+']).len();
    let (core, tail) = rest.split_at(end);
    for part in [lead, &core_template(core, said), tail] {
        cut.push_str(part);
    }
}

fn core_template(core: &str, said: &str) -> String {
    let is_short = |text: &str| text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit());
    if is_short(core.trim_start_matches(['-', '+'])) && asks_for_code(said) {
        return core.to_owned();
    }
    // `status:404`, `code=-9` without a space
    if let Some((name, code)) = core.rsplit_once(':')
        && is_short(code)
        && asks_for_code(name)
    {
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
            ("loss is -3.5e-4 at step 120", "loss is <n> at step <n>"),
            ("object at 0x7f3a1c00>", "object at <hex>>"),
            ("commit deadbeef12 not found", "commit <hex> not found"),
            ("request 123e4567-e89b-12d3-a456-426614174000 failed", "request <uuid> failed"),
            ("at 2025-12-01 16:45:00,123", "at <time>"),
            ("at 2025-01-02T03:04:05.123Z", "at <time>"),
            ("No such file: '/data/run 3/x.json'", "No such file: '<str>'"),
            ("No such file: 'a.json'", "No such file: '<str>'"),
            ("no option 'learning_rate'", "no option '<str>'"),
            ("no option 'optimizer type'", "no option '<str>'"),
            ("Command '['python', 'a.py']' failed", "Command '<str>' failed"),
            ("'(' was never closed, 'don't'", "'<str>' was never closed, '<str>'"),
            ("cannot open /data/run3/x.json: gone", "cannot open <path>: gone"),
            ("see https://example.org/a/1", "see <path>"),
            ("cuda:3 int8 Qwen2 worker_17", "cuda:<n> int8 Qwen2 worker_<n>"),
            ("score 3/10, 50%", "score <n>/<n>, <n>%"),
            ("n/a and/or it's", "n/a and/or it's"),
            ("第3步失败，耗时12.5秒", "第<n>步失败，耗时<n>秒"),
            ("using ``NO_SHARD`` now", "using ``NO_SHARD`` now"),
            ("a   b\t c", "a b c"),
            ("", ""),
        ] {
            assert_eq!(message_template("ValueError", message), cut, "{message}");
        }
    }

    #[test]
    fn names_stay_where_the_message_is_about_one() {
        for (kind, message, cut) in [
            (
                "TypeError",
                "f() missing 2 required positional arguments: 'entry_point' and 'test'",
                "f() missing <n> required positional arguments: 'entry_point' and 'test'",
            ),
            ("KeyError", "'learning_rate'", "'learning_rate'"),
            ("KeyError", "'optimizer type'", "'optimizer type'"),
            ("KeyError", "'user_12'", "'user_<n>'"),
            ("a.b.NameError", "name 'x' is not defined", "name 'x' is not defined"),
        ] {
            assert_eq!(message_template(kind, message), cut, "{message}");
        }
    }

    #[test]
    fn codes_stay_because_they_tell_errors_apart() {
        for message in [
            "request failed with status 404",
            "request failed with status code: 500",
            "ended with exit code 137",
            "returned non-zero exit status 1.",
            "Error code: 429 - busy",
            "[Errno 2] No such file",
            "died with signal -9",
            "HTTP/1.1 503",
            "status:404",
            "exit_code=1",
        ] {
            let kept = message.replace("1.1", "<n>");
            assert_eq!(message_template("log", message), kept, "{message}");
        }
        assert_eq!(message_template("log", "status of 404 rows"), "status of <n> rows");
    }

    #[test]
    fn a_template_has_a_bounded_length() {
        assert!(message_template("log", &"word ".repeat(10_000)).chars().count() <= LONGEST + 1);
        assert_eq!(bounded_message("矩阵乘法", 2), "矩阵…");
    }
}
