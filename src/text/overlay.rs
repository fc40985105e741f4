//! The user's words over the shipped ones.

use std::collections::BTreeSet;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::{Catalogue, Lang, fill};
use crate::diag::edit_distance;

/// The words of all languages: the shipped ones, or with the user's over them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Catalogues {
    /// The catalogues that have words of the user's, each of another language.
    changed: &'static [&'static Catalogue],
}

impl Catalogues {
    pub fn of(self, lang: Lang) -> &'static Catalogue {
        let changed = self.changed.iter().copied().find(|words| words.lang == lang);
        changed.unwrap_or_else(|| Catalogue::shipped(lang))
    }

    /// The same with `source`, TOML as in the shipped catalogue with any of its keys, over the words
    /// of a language. What is laid over them lives as long as the program: a command does it once.
    ///
    /// # Errors
    /// When the source is not TOML, or has a key that the shipped catalogue does not have, or a text
    /// with other placeholders.
    pub fn with(self, lang: Lang, source: &str) -> Result<Self, NotWords> {
        let over: &'static Catalogue = Box::leak(Box::new(overlaid(self.of(lang), source)?));
        let others = self.changed.iter().copied().filter(|words| words.lang != lang);
        Ok(Self { changed: others.chain([over]).collect::<Vec<_>>().leak() })
    }
}

/// Words that cannot take the place of the shipped ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct NotWords {
    pub line: usize,
    pub message: String,
}

fn overlaid(below: &Catalogue, source: &str) -> Result<Catalogue, NotWords> {
    let line = |at: usize| source.get(..at).map_or(0, |before| before.matches('\n').count()) + 1;
    let wrong = |at: usize, message: String| NotWords { line: line(at), message };
    let root = DeTable::parse(source).map_err(|error| {
        wrong(error.span().map_or(0, |span| span.start), error.message().to_owned())
    })?;
    let mut changed = below.changed.clone();
    for (key, at, text) in entries("", root.get_ref()) {
        let Some(shipped) = below.find(&key) else {
            let near =
                below.iter().map(|(known, _)| known).min_by_key(|known| edit_distance(&key, known));
            let near =
                near.filter(|near| 2 * edit_distance(&key, near) <= key.chars().count().max(2));
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
        changed.insert(key, text);
    }
    Ok(Catalogue { lang: below.lang, changed, parts: Arc::clone(&below.parts) })
}

/// Every entry: dotted key, place in the source, and the text if it is one.
pub(super) fn entries(prefix: &str, table: &DeTable<'_>) -> Vec<(String, usize, Option<String>)> {
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
    let _filled = fill(text, Lang::default(), |name| {
        found.insert(name.to_owned());
        None
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::LANGUAGES;

    fn check(source: &str) -> Result<String, String> {
        let english = Lang::default();
        let own = Catalogues::default().with(english, source).map_err(|error| error.to_string())?;
        for lang in LANGUAGES.iter().filter(|lang| **lang != english) {
            assert!(std::ptr::eq(own.of(lang), Catalogue::shipped(lang)), "{lang:?} was changed");
        }
        Ok(own.of(english).get("html.contents"))
    }

    #[test]
    fn a_changed_text_takes_the_place_of_the_shipped_one_and_the_others_stay() {
        assert_eq!(check("[html]\ncontents = \"On this page\""), Ok("On this page".to_owned()));
        assert_eq!(check(""), Ok(Catalogue::english().get("html.contents")));
    }

    #[test]
    fn words_of_one_language_stay_changed_when_those_of_another_are() {
        let change = |words: Catalogues, lang: &Lang| {
            words.with(lang, &format!("[html]\ncontents = \"{}\"", lang.tag)).expect("fits")
        };
        let own = LANGUAGES.iter().fold(Catalogues::default(), change);
        for lang in LANGUAGES {
            assert_eq!(own.of(lang).get("html.contents"), lang.tag);
        }
    }

    #[test]
    fn the_shipped_catalogues_can_be_laid_over_themselves() {
        for lang in LANGUAGES {
            let own =
                Catalogues::default().with(lang, lang.source).expect("its own words").of(lang);
            assert!(own.iter().eq(Catalogue::shipped(lang).iter()), "{lang:?}");
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
