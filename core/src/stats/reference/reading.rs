//! The text of a file of vectors, element by element: a wrong one does not stop the others.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Vector;

/// Stands for a bare `NaN`, which JSON does not have and other programs write. As wide as the word
/// that it replaces, so that positions stay true; so are its companions for infinities.
pub(super) const NOT_A_NUMBER: &str = "?";

/// Bare words for numbers that are not finite, and JSON of the same width.
static BARE_WORDS: [(&str, &str); 3] =
    [("NaN", "\"?\""), ("-Infinity", "\"-inf\"   "), ("Infinity", "\"inf\"   ")];

/// A text that holds no list of vectors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct NotVectors {
    pub line: usize,
    pub column: usize,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    pub position: usize,
    pub line: usize,
    /// Its id, where it has one.
    pub id: Option<String>,
    pub message: String,
}

#[derive(Deserialize)]
struct Wrapper<'a> {
    #[serde(borrow)]
    vectors: &'a RawValue,
}

#[derive(Deserialize)]
struct Named {
    id: String,
}

/// The vectors of a JSON list, or of the list `vectors` of an object, each as it could be read.
///
/// # Errors
/// When the text is not JSON, or holds something else.
pub fn read_vectors(text: &str) -> Result<Vec<Result<Vector, Malformed>>, NotVectors> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = &*with_quoted_words(text);
    let refused = |error| not_vectors(text, text, &error);
    let whole: &RawValue = serde_json::from_str(text).map_err(refused)?;
    let list = if whole.get().starts_with('{') {
        serde_json::from_str::<Wrapper<'_>>(text).map_err(refused)?.vectors.get()
    } else {
        whole.get()
    };
    let elements: Vec<&RawValue> =
        serde_json::from_str(list).map_err(|error| not_vectors(text, list, &error))?;
    let read = elements.into_iter().zip(1..).map(|(element, position)| {
        let element = element.get();
        serde_json::from_str(element).map_err(|error| Malformed {
            position,
            line: place(text, element, &error).0,
            id: serde_json::from_str::<Named>(element).ok().map(|named| named.id),
            message: without_place(&error),
        })
    });
    Ok(read.collect())
}

fn not_vectors(text: &str, part: &str, error: &serde_json::Error) -> NotVectors {
    let (line, column) = place(text, part, error);
    NotVectors { line, column, message: without_place(error) }
}

/// What the parser says; the place is said apart, because it counts from where parsing began.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&place).map(str::to_owned).unwrap_or(message)
}

/// Line and column in the text of an error in a part of it, counted from 1.
fn place(text: &str, part: &str, error: &serde_json::Error) -> (usize, usize) {
    let offset = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let before = text.get(..offset).unwrap_or_default();
    let lines = before.matches('\n').count();
    match error.line() {
        0 | 1 => {
            let line_start = before.rfind('\n').map_or(0, |end| end + 1);
            (lines + 1, offset - line_start + error.column())
        }
        line => (lines + line, error.column()),
    }
}

/// The text with [`BARE_WORDS`] outside strings as strings.
fn with_quoted_words(text: &str) -> Cow<'_, str> {
    if !text.contains("NaN") && !text.contains("Infinity") {
        return Cow::Borrowed(text);
    }
    let mut quoted = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let bare = BARE_WORDS.iter().find(|(word, _)| !in_string && rest.starts_with(word));
        if let Some((word, json)) = bare {
            quoted.push_str(json);
            rest = rest.get(word.len()..).unwrap_or_default();
            continue;
        }
        in_string ^= next == '"' && !escaped;
        escaped = in_string && next == '\\' && !escaped;
        quoted.push(next);
        rest = rest.get(next.len_utf8()..).unwrap_or_default();
    }
    Cow::Owned(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_no_number_are_quoted_outside_strings_only() {
        let text = r#"[NaN, -Infinity, "a \"NaN\" b", Infinity]"#;
        let quoted = r#"["?", "-inf"   , "a \"NaN\" b", "inf"   ]"#;
        assert_eq!(with_quoted_words(text), quoted);
        assert_eq!(quoted.len(), text.len());
    }

    #[test]
    fn a_wrong_element_is_named_with_its_line_and_the_others_are_read() {
        let vector = |id: &str| {
            format!(
                "{{\"id\": \"{id}\", \"method\": \"m\", \"inputs\": {{}},\n\"expected\": {{}}, \
                 \"tol\": {{}}, \"source\": \"s\"}}"
            )
        };
        let text = format!(
            "{{\"about\": 1, \"vectors\": [\n{},\n{{\"id\": \"b\",\n\"method\": 3}},\n7,\n{}]}}",
            vector("a"),
            vector("c")
        );
        let read = read_vectors(&text).expect("a list");
        let seen: Vec<_> = read
            .iter()
            .map(|element| match element {
                Ok(vector) => (0, 0, Some(vector.id.as_str())),
                Err(malformed) => (malformed.position, malformed.line, malformed.id.as_deref()),
            })
            .collect();
        assert_eq!(
            seen,
            [(0, 0, Some("a")), (2, 5, Some("b")), (3, 6, None), (0, 0, Some("c"))],
            "{read:?}"
        );
    }

    #[test]
    fn what_is_no_list_is_refused_with_its_place() {
        for (text, place, says) in [
            ("[\n1,\n]", (3, 1), "expected value"),
            ("3", (1, 1), "expected a sequence"),
            ("{\"a\": 1}", (1, 8), "missing field `vectors`"),
            ("{\n\"vectors\": 4}", (2, 12), "expected a sequence"),
            ("[NaN, NaN, -]", (1, 13), "invalid number"),
            ("", (1, 0), "EOF"),
        ] {
            let refused = read_vectors(text).expect_err(text);
            assert_eq!((refused.line, refused.column), place, "{text}: {refused}");
            assert!(refused.message.contains(says), "{text}: {refused}");
        }
    }
}
