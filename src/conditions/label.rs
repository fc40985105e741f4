//! The words of a rule.

use indexmap::IndexMap;
use serde::Deserialize;

use crate::text::{Lang, Language};

/// What a rule says to people: one text, or texts by language.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Wire")]
pub struct ConditionLabel {
    texts: IndexMap<Lang, String>,
    /// For the languages without a text: the English one, else the first that is written.
    fallback: String,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "words are a text, or a table such as { en = \"…\", zh = \"…\" }")]
enum Wire {
    One(String),
    Each(IndexMap<String, String>),
}

impl ConditionLabel {
    /// The words in a language. Where it has none of its own, they are the English ones, or the
    /// first that are written if there are no English ones.
    pub fn text(&self, lang: Lang) -> &str {
        self.texts.get(lang).unwrap_or(&self.fallback)
    }

    /// The words in English, for programs and as the name of what a finding is about.
    pub fn english(&self) -> &str {
        self.text(Lang::default())
    }

    /// Whether it says nothing in some language.
    pub fn is_blank(&self) -> bool {
        self.texts.values().chain([&self.fallback]).any(|text| text.trim().is_empty())
    }
}

impl TryFrom<Wire> for ConditionLabel {
    type Error = String;

    fn try_from(wire: Wire) -> Result<Self, String> {
        let texts: IndexMap<Lang, String> = match wire {
            Wire::One(fallback) => return Ok(Self { texts: IndexMap::new(), fallback }),
            Wire::Each(texts) => texts
                .into_iter()
                .map(|(tag, text)| Ok((Language::find(&tag)?, text)))
                .collect::<Result<_, String>>()?,
        };
        let fallback = texts.get(Lang::default()).or_else(|| texts.values().next());
        let fallback = fallback.ok_or("there are no words in any language")?.clone();
        Ok(Self { texts, fallback })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(wire: &str) -> Result<ConditionLabel, String> {
        let read = toml::from_str::<IndexMap<String, ConditionLabel>>(&format!("label = {wire}"));
        let mut read = read.map_err(|error| error.message().to_owned())?;
        Ok(read.swap_remove("label").expect("the label"))
    }

    #[test]
    fn a_language_without_a_text_gets_the_english_one_or_the_first() {
        let [english, chinese] = ["en", "zh"].map(|tag| Language::find(tag).expect("a language"));
        for (wire, in_english, in_chinese) in [
            ("\"KL\"", "KL", "KL"),
            ("{ zh = \"散度\", en = \"KL\" }", "KL", "散度"),
            ("{ en = \"KL\" }", "KL", "KL"),
            ("{ zh = \"散度\" }", "散度", "散度"),
        ] {
            let label = label(wire).expect(wire);
            assert_eq!((label.text(english), label.text(chinese)), (in_english, in_chinese));
        }
    }

    #[test]
    fn a_label_without_words_or_in_an_unknown_language_is_refused() {
        for (wire, reason) in [
            ("{}", "there are no words in any language"),
            ("{ en = \"KL\", xx = \"KL\" }", "there is no language `xx`; there are en, zh"),
            ("3", "words are a text, or a table such as { en = \"…\", zh = \"…\" }"),
        ] {
            assert_eq!(label(wire), Err(reason.to_owned()));
        }
    }
}
