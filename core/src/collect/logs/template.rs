//! Lines with holes: `{problem:word} problem uses {operator:word} operator!`.
//!
//! Owns how a template is read and where it fits a line. Knows nothing of what a fit means.

/// Places in one line where the first words of a template are tried.
const MOST_TRIES: usize = 64;

/// A line with holes, found anywhere in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LogTemplate {
    parts: Vec<TemplatePart>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum TemplatePart {
    Words(String),
    Hole { name: String, kind: HoleKind },
}

/// What may stand in a hole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HoleKind {
    /// Anything; up to the words that follow, else to the end.
    Text,
    /// Anything without a space.
    Word,
    Number,
    /// A dotted name whose last part is that of an exception or a warning.
    Exception,
}

/// Why a text is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotALogTemplate {
    #[error("`{{` without `}}`")]
    Unclosed,
    #[error(
        "a hole is {{name}} or {{name:kind}} with the kind text, word, number or exception, got `{{{0}}}`"
    )]
    Hole(String),
    #[error("two holes need words between them")]
    Adjacent,
    #[error("there are no words in it that a line could be found by")]
    NoWords,
}

impl LogTemplate {
    /// Reads a template. `{{` and `}}` are braces.
    pub(super) fn parse(text: &str) -> Result<Self, NotALogTemplate> {
        let mut parts: Vec<TemplatePart> = Vec::new();
        let mut words = String::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let after = rest.get(c.len_utf8()..).unwrap_or_default();
            if (c == '{' || c == '}') && after.starts_with(c) {
                words.push(c);
                rest = after.get(1..).unwrap_or_default();
                continue;
            }
            if c != '{' {
                words.push(c);
                rest = after;
                continue;
            }
            let (hole, behind) = after.split_once('}').ok_or(NotALogTemplate::Unclosed)?;
            if !words.is_empty() {
                parts.push(TemplatePart::Words(std::mem::take(&mut words)));
            } else if !parts.is_empty() {
                return Err(NotALogTemplate::Adjacent);
            }
            parts.push(parse_hole(hole)?);
            rest = behind;
        }
        if !words.is_empty() {
            parts.push(TemplatePart::Words(words));
        }
        let template = Self { parts };
        if template.longest_words().trim().is_empty() {
            return Err(NotALogTemplate::NoWords);
        }
        Ok(template)
    }

    /// The longest words between holes: no line without them fits.
    pub(super) fn longest_words(&self) -> &str {
        let words = self.parts.iter().filter_map(|part| match part {
            TemplatePart::Words(words) => Some(words.as_str()),
            TemplatePart::Hole { .. } => None,
        });
        words.rev().max_by_key(|words| words.len()).unwrap_or_default()
    }

    pub(super) fn holes(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Words(_) => None,
            TemplatePart::Hole { name, .. } => Some(name.as_str()),
        })
    }

    /// Whether a hole of that name takes only numbers.
    pub(super) fn is_number(&self, hole: &str) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, TemplatePart::Hole { name, kind: HoleKind::Number } if name == hole))
    }

    /// The first fit in a text: what stands in each hole, in their order.
    pub(super) fn find<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let (lead, rest) = match self.parts.split_first()? {
            (TemplatePart::Hole { kind, .. }, rest) => (Some(*kind), rest),
            (TemplatePart::Words(_), _) => (None, self.parts.as_slice()),
        };
        let (TemplatePart::Words(first), behind) = rest.split_first()? else { return None };
        text.match_indices(first.as_str()).take(MOST_TRIES).find_map(|(at, words)| {
            let mut found = Vec::new();
            if let Some(kind) = lead {
                found.push(kind.before(text.get(..at)?)?);
            }
            follow(behind, text.get(at + words.len()..)?, &mut found).then_some(found)
        })
    }
}

/// Fits the parts behind the first words.
fn follow<'t>(parts: &[TemplatePart], text: &'t str, found: &mut Vec<&'t str>) -> bool {
    match parts {
        [] => true,
        [TemplatePart::Words(words), rest @ ..] => match text.strip_prefix(words.as_str()) {
            Some(text) => follow(rest, text, found),
            None => false,
        },
        [TemplatePart::Hole { kind, .. }, rest @ ..] => {
            let end = match rest.first() {
                Some(TemplatePart::Words(words)) => text.find(words.as_str()),
                _ => Some(kind.longest(text)),
            };
            let Some((inside, behind)) = end.and_then(|end| text.split_at_checked(end)) else {
                return false;
            };
            if !kind.takes(inside) {
                return false;
            }
            found.push(inside.trim());
            follow(rest, behind, found)
        }
    }
}

impl HoleKind {
    fn takes(self, text: &str) -> bool {
        let text = text.trim();
        match self {
            Self::Text => true,
            Self::Word => !text.is_empty() && !text.contains(char::is_whitespace),
            // `nan` and `1e400` too: the rest of such a line is still true.
            Self::Number => text.parse::<f64>().is_ok(),
            Self::Exception => is_exception(text),
        }
    }

    /// Where a hole at the end of a template ends.
    fn longest(self, text: &str) -> usize {
        let led = text.len() - text.trim_start().len();
        let inside = text.get(led..).unwrap_or_default();
        let of =
            |belongs: fn(char) -> bool| led + inside.find(|c| !belongs(c)).unwrap_or(inside.len());
        match self {
            Self::Text => text.len(),
            Self::Word => of(|c| !c.is_whitespace()),
            Self::Exception => of(in_name),
            // `-5.0.` and `3.` end in a full stop that is not theirs.
            Self::Number if NOT_FINITE.contains(&word(inside)) => led + word(inside).len(),
            Self::Number => {
                let end = of(in_number);
                let number = text.get(..end).unwrap_or_default();
                number.trim_end_matches(['.', 'e', 'E', '+', '-']).len()
            }
        }
    }

    /// What stands in a hole before the first words.
    fn before(self, text: &str) -> Option<&str> {
        let back = |belongs: fn(char) -> bool| {
            let text = text.trim_end();
            text.get(text.trim_end_matches(belongs).len()..)
        };
        let found = match self {
            Self::Text => Some(text.trim()),
            Self::Word => back(|c| !c.is_whitespace()),
            Self::Number => back(in_number),
            Self::Exception => back(in_name),
        };
        found.filter(|found| self.takes(found))
    }
}

/// Numbers in letters, as programs write them.
const NOT_FINITE: &[&str] = &["nan", "NaN", "inf", "-inf", "Infinity", "-Infinity"];

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.')
}

fn in_number(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E')
}

/// Ends of the names that Python's exceptions and warnings have.
const EXCEPTION_ENDS: &[&str] =
    &["Error", "Exception", "Warning", "Interrupt", "Exit", "Timeout", "StopIteration", "Failure"];

/// Whether a text is the name of an exception: `ValueError`, `torch.cuda.OutOfMemoryError`.
pub(super) fn is_exception(text: &str) -> bool {
    let last = text.rsplit('.').next().unwrap_or_default();
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts_well
        && text.chars().all(in_name)
        && last.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
        && EXCEPTION_ENDS.iter().any(|end| last.ends_with(end))
        && !is_bare(text)
}

/// Whether a name is an ending alone: `Validation Error: 0.12` is a figure. Behind the frames of a
/// traceback `Exception` is a type.
pub(super) fn is_bare(text: &str) -> bool {
    text != "StopIteration" && EXCEPTION_ENDS.contains(&text)
}

fn parse_hole(text: &str) -> Result<TemplatePart, NotALogTemplate> {
    let wrong = || NotALogTemplate::Hole(text.to_owned());
    let (name, kind) = text.split_once(':').unwrap_or((text, "text"));
    let kind = match kind.trim() {
        "text" => HoleKind::Text,
        "word" => HoleKind::Word,
        "number" => HoleKind::Number,
        "exception" => HoleKind::Exception,
        _ => return Err(wrong()),
    };
    let name = name.trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_name {
        return Err(wrong());
    }
    Ok(TemplatePart::Hole { name: name.to_owned(), kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(template: &str, text: &str, expected: Option<&[&str]>) {
        let template = LogTemplate::parse(template).expect(template);
        assert_eq!(template.find(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn holes_take_what_their_kind_allows() {
        let uses = "{problem:word} problem uses {operator:word} operator!";
        check(uses, "⚠️ MATH problem uses Test operator!", Some(&["MATH", "Test"]));
        check(uses, "MATH problem uses no such operator!", None);
        let score = "评分: {score:number}/{max:number}";
        check(score, "✅ 评分: -2.5/10.0 | 预测", Some(&["-2.5", "10.0"]));
        check(score, "评分: 高/10.0", None);
        check(score, "评分: nan/10", Some(&["nan", "10"]));
        check("took {n:number}", "took nan.", Some(&["nan"]));
        check("took {n:number}", "it took 3.", Some(&["3"]));
        check("took {n:number}", "it took long", None);
        check(
            "{type:exception}: {message}",
            "2 | a.b.KeyError: 'x'",
            Some(&["a.b.KeyError", "'x'"]),
        );
        check("{type:exception}: {message}", "mean_squared_error: 0.3", None);
        for line in ["Mean Squared Error: 0.034", "eval/Error: 0.3", "Last Exception: none"] {
            check("{type:exception}: {message}", line, None);
        }
        check("{type:exception}: {message}", "sqlite3.Error: x", Some(&["sqlite3.Error", "x"]));
        check("{{{a}}}", "x {3} y", Some(&["3"]));
    }

    #[test]
    fn a_later_place_is_tried_where_the_first_does_not_fit() {
        check("at {n:number} end", "at x end at 4 end", Some(&["4"]));
    }

    #[test]
    fn what_is_no_template_is_refused_with_the_reason() {
        for (text, error) in [
            ("{a", NotALogTemplate::Unclosed),
            ("{a}{b} c", NotALogTemplate::Adjacent),
            ("{a:many} c", NotALogTemplate::Hole("a:many".to_owned())),
            ("{} c", NotALogTemplate::Hole(String::new())),
            ("{a} {b}", NotALogTemplate::NoWords),
            ("", NotALogTemplate::NoWords),
        ] {
            assert_eq!(LogTemplate::parse(text), Err(error), "{text}");
        }
    }
}
