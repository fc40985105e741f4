//! Text of a document as spans, which each format marks in its way.

use std::fmt::Display;

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(transparent)]
pub struct Text(pub Vec<Span>);

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", content = "text", rename_all = "kebab-case")]
pub enum Span {
    Plain(String),
    Strong(String),
    /// Literal text: a key, a path, a command.
    Code(String),
    Icon(Icon),
    /// Another report, by its directory below that of this one: documents link to the one of their own
    /// format. Made of names that were checked, never of a text of a run.
    Report(String),
}

/// Signs, on two axes that are never mixed: where a number went, and whether that is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Icon {
    /// The number rose.
    Up,
    /// The number fell.
    Down,
    /// The number did not move.
    Flat,
    /// Good, kept, passed.
    Good,
    /// Take care.
    Caution,
    /// Bad, violated, failed.
    Bad,
    /// Severe, concerns the whole report.
    Severe,
    /// Not decided, not begun.
    Open,
    /// Under way.
    Running,
    /// Expected, not measured.
    Forecast,
    /// Held from the beginning.
    Kept,
    /// One point of a score, or what is recommended.
    Star,
}

impl Text {
    pub fn empty() -> Self {
        Self::default()
    }

    pub fn plain(text: impl Into<String>) -> Self {
        Self(vec![Span::Plain(text.into())])
    }

    pub fn strong(text: impl Into<String>) -> Self {
        Self(vec![Span::Strong(text.into())])
    }

    pub fn code(text: impl Into<String>) -> Self {
        Self(vec![Span::Code(text.into())])
    }

    pub fn icon(icon: Icon) -> Self {
        Self(vec![Span::Icon(icon)])
    }

    pub fn marked(icon: Icon, text: impl Display) -> Self {
        Self::icon(icon).and_plain(format!(" {text}"))
    }

    #[must_use]
    pub fn and(mut self, span: Span) -> Self {
        self.0.push(span);
        self
    }

    #[must_use]
    pub fn and_plain(self, text: impl Into<String>) -> Self {
        self.and(Span::Plain(text.into()))
    }

    #[must_use]
    pub fn and_strong(self, text: impl Into<String>) -> Self {
        self.and(Span::Strong(text.into()))
    }

    #[must_use]
    pub fn and_code(self, text: impl Into<String>) -> Self {
        self.and(Span::Code(text.into()))
    }

    /// Adds words in which paired backticks enclose literal text. A backtick without a partner stays.
    #[must_use]
    pub fn and_quoting(mut self, words: &str) -> Self {
        let mut rest = words;
        while let Some((before, opened)) = rest.split_once('`')
            && let Some((quoted, after)) = opened.split_once('`')
        {
            self = self.and_plain(before).and_code(quoted);
            rest = after;
        }
        self.and_plain(rest)
    }

    #[must_use]
    pub fn and_report(self, directory: impl Into<String>) -> Self {
        self.and(Span::Report(directory.into()))
    }

    #[must_use]
    pub fn and_icon(self, icon: Icon) -> Self {
        self.and(Span::Icon(icon))
    }

    /// Its plain words as strong ones.
    #[must_use]
    pub fn in_bold(&self) -> Self {
        self.map(|span| match span {
            Span::Plain(text) => Span::Strong(text.clone()),
            other => other.clone(),
        })
    }

    /// Its strong words as plain ones.
    #[must_use]
    pub fn without_bold(&self) -> Self {
        self.map(|span| match span {
            Span::Strong(text) => Span::Plain(text.clone()),
            other => other.clone(),
        })
    }

    /// A text of other spans.
    #[must_use]
    pub fn map(&self, change: impl Fn(&Span) -> Span) -> Self {
        Self(self.0.iter().map(change).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::plain(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::plain(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paired_backticks_enclose_code_and_a_single_one_stays() {
        let check = |words: &str, expected: &[Span]| {
            let mut spans = Text::empty().and_quoting(words).0;
            spans.retain(|span| *span != Span::Plain(String::new()));
            assert_eq!(spans, expected, "{words}");
        };
        let plain = |text: &str| Span::Plain(text.to_owned());
        let code = |text: &str| Span::Code(text.to_owned());
        check("no code", &[plain("no code")]);
        check(
            "write `a` or `b`.",
            &[plain("write "), code("a"), plain(" or "), code("b"), plain(".")],
        );
        check("an id a`b", &[plain("an id a`b")]);
        check("`a` and `", &[code("a"), plain(" and `")]);
    }
}
