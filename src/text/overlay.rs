//! The user's words over the shipped ones.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use toml::de::{DeTable, DeValue};

use super::{Catalogue, Lang, fill};
use crate::diag::changes;

/// The words of both languages: the shipped ones, or with the user's over them.
#[derive(Debug, Clone, Copy)]
pub struct Catalogues {
    english: &'static Catalogue,
    chinese: &'static Catalogue,
}

impl Default for Catalogues {
    fn default() -> Self {
        Self { english: Catalogue::of(Lang::En), chinese: Catalogue::of(Lang::Zh) }
    }
}

impl Catalogues {
    /// The words of a language.
    pub fn of(self, lang: Lang) -> &'static Catalogue {
        match lang {
            Lang::En => self.english,
            Lang::Zh => self.chinese,
        }
    }

    /// The same with `source`, TOML as in the shipped catalogue with any of its keys, over the words
    /// of a language. What is laid over them lives as long as the program: a command does it once.
    ///
    /// # Errors
    /// When the source is not TOML, or has a key that the shipped catalogue does not have, or a text
    /// with other placeholders.
    pub fn with(self, lang: Lang, source: &str) -> Result<Self, NotWords> {
        let over: &'static Catalogue = Box::leak(Box::new(overlaid(self.of(lang), source)?));
        Ok(match lang {
            Lang::En => Self { english: over, ..self },
            Lang::Zh => Self { chinese: over, ..self },
        })
    }
}

/// Words that cannot take the place of the shipped ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct NotWords {
    /// Line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

fn overlaid(below: &Catalogue, source: &str) -> Result<Catalogue, NotWords> {
    let line = |at: usize| source.get(..at).map_or(0, |before| before.matches('\n').count()) + 1;
    let wrong = |at: usize, message: String| NotWords { line: line(at), message };
    let root = DeTable::parse(source).map_err(|error| {
        wrong(error.span().map_or(0, |span| span.start), error.message().to_owned())
    })?;
    let mut texts = below.texts.clone();
    for (key, at, text) in entries("", root.get_ref()) {
        let Some(shipped) = below.find(&key) else {
            let near =
                below.iter().map(|(known, _)| known).min_by_key(|known| changes(&key, known));
            let near = near.filter(|near| 2 * changes(&key, near) <= key.chars().count().max(2));
            let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            return Err(wrong(at, format!("there is no text `{key}`{near}")));
        };
        let Some(text) = text else {
            return Err(wrong(at, format!("`{key}` must be a text in quotes")));
        };
        let [own, needed] = [placeholders(&text), placeholders(shipped)];
        if own != needed {
            let listed = |names: &BTreeSet<String>| match names.len() {
                0 => "none".to_owned(),
                _ => names.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(" "),
            };
            let (own, needed) = (listed(&own), listed(&needed));
            let message = format!("`{key}` must have the placeholders {needed}, got {own}");
            return Err(wrong(at, message));
        }
        texts.insert(key, text);
    }
    Ok(Catalogue { lang: below.lang, texts, explanations: OnceLock::new() })
}

/// Every entry: dotted key, place in the source, and the text if it is one.
fn entries(prefix: &str, table: &DeTable<'_>) -> Vec<(String, usize, Option<String>)> {
    let mut found = Vec::new();
    for (name, value) in table {
        let name_text = name.get_ref();
        let key =
            if prefix.is_empty() { name_text.to_string() } else { format!("{prefix}.{name_text}") };
        match value.get_ref() {
            DeValue::Table(inner) => found.extend(entries(&key, inner)),
            DeValue::String(text) => found.push((key, name.span().start, Some(text.to_string()))),
            _ => found.push((key, name.span().start, None)),
        }
    }
    found
}

/// The names that a text has places for.
pub(super) fn placeholders(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let _filled = fill(text, |name| {
        found.insert(name.to_owned());
        None
    });
    found
}

/// The text of a template with its places filled, by the rules of the catalogues.
pub fn fill_text(text: &str, value: impl FnMut(&str) -> Option<String>) -> String {
    fill(text, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str) -> Result<String, String> {
        let own =
            Catalogues::default().with(Lang::En, source).map_err(|error| error.to_string())?;
        assert_eq!(
            own.of(Lang::Zh).get("html.contents"),
            Catalogue::of(Lang::Zh).get("html.contents")
        );
        Ok(own.of(Lang::En).get("html.contents"))
    }

    #[test]
    fn a_changed_text_takes_the_place_of_the_shipped_one_and_the_others_stay() {
        assert_eq!(check("[html]\ncontents = \"On this page\""), Ok("On this page".to_owned()));
        assert_eq!(check(""), Ok(Catalogue::of(Lang::En).get("html.contents")));
    }

    #[test]
    fn the_shipped_catalogues_can_be_laid_over_themselves() {
        for (lang, _, source) in super::super::SOURCES {
            let own = Catalogues::default().with(lang, source).expect("its own words").of(lang);
            assert!(own.iter().eq(Catalogue::of(lang).iter()), "{lang:?}");
        }
    }

    #[test]
    fn words_that_do_not_fit_are_refused_with_line_and_name() {
        for (source, expected) in [
            ("[html]\n\ncontent = \"x\"", "line 3: there is no text `html.content`; did you mean"),
            (
                "[html]\nfooter = \"x\"",
                "line 2: `html.footer` must have the placeholders {version}, got none",
            ),
            (
                "[html]\ncontents = \"{x}\"",
                "line 2: `html.contents` must have the placeholders none, got {x}",
            ),
            ("[html]\ncontents = 3", "line 2: `html.contents` must be a text in quotes"),
            ("[html\n", "line 1: "),
        ] {
            let refused = check(source).expect_err(expected);
            assert!(refused.starts_with(expected), "{refused}");
        }
    }
}
