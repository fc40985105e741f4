//! The words: one catalogue per language, shared layout, `{name}` placeholders.
//!
//! `{name|one|many}` is a word that follows a number: `one` where that number is 1; `{name|none}`
//! is the value, or `none` where it is empty.

mod language;
mod overlay;
mod refusal;
mod unseen;

pub use language::{LANGUAGES, Lang, Language};
pub use overlay::{Catalogues, NotWords};
pub use refusal::{Refusal, causes};
pub use unseen::is_unseen;

use std::fmt::Display;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use toml::de::DeTable;

use crate::diag::{Diagnostic, Fact};

#[derive(Debug)]
pub struct Catalogue {
    pub lang: Lang,
    /// The user's texts.
    changed: Texts,
    parts: Arc<Parts>,
}

type Texts = IndexMap<String, String>;

impl Catalogue {
    /// The shipped catalogue of a language.
    pub fn shipped(lang: Lang) -> &'static Self {
        lang.catalogue.get_or_init(|| {
            let parts = Arc::new(Parts::of(lang.source));
            Self { lang, changed: Texts::new(), parts }
        })
    }

    /// The catalogue of data for programs and of error messages.
    pub fn english() -> &'static Self {
        Self::shipped(Lang::default())
    }

    /// The text of that key, or the key itself in `⟦ ⟧`, so that a gap is seen.
    pub fn get(&self, key: &str) -> String {
        self.find(key).map_or_else(|| format!("⟦{key}⟧"), str::to_owned)
    }

    /// The text of that key, if there is one.
    pub fn find(&self, key: &str) -> Option<&str> {
        let shipped = || self.parts.texts_around(key)?.get(key);
        self.changed.get(key).or_else(shipped).map(String::as_str)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let shipped = self.parts.0.values().flat_map(Part::texts);
        let own = |(key, text)| (key, self.changed.get(key).unwrap_or(text));
        shipped.map(own).map(|(key, text): (&String, &String)| (key.as_str(), text.as_str()))
    }

    /// The text of that key with `{name}` replaced by its value and `{name|one|many}` by the word
    /// that goes with it. Unknown names stay as they are.
    pub fn fill<V: Display>(&self, key: &str, args: &[(&str, V)]) -> String {
        fill(&self.get(key), self.lang, |name| {
            args.iter().find(|(arg, _)| *arg == name).map(|(_, value)| value.to_string())
        })
    }

    /// The text of that key without values: `<name>` for each placeholder, the plural of words that
    /// follow a number.
    pub fn unfilled(&self, key: &str) -> String {
        fill(&self.get(key), self.lang, |name| {
            Some(self.fact(name, &vec![format!("<{name}>")].into()))
        })
    }

    pub fn message(&self, finding: &Diagnostic) -> String {
        self.finding_text(finding, "message").unwrap_or_else(|| finding.code.id().to_owned())
    }

    /// What a person can do about a finding.
    pub fn help(&self, finding: &Diagnostic) -> Option<String> {
        self.finding_text(finding, "help")
    }

    fn finding_text(&self, finding: &Diagnostic, part: &str) -> Option<String> {
        let text = self.find(&format!("diagnostic.{}.{part}", finding.code.id()))?;
        Some(self.with_facts(text, finding))
    }

    fn with_facts(&self, text: &str, finding: &Diagnostic) -> String {
        fill(text, self.lang, |name| {
            // `{role.name}` is the text of the catalogue for what the fact `role` names.
            if let Some((fact, part)) = name.split_once('.') {
                let entry = finding.evidence.get(fact)?;
                let text = self.find(&format!("{fact}.{entry}.{part}"))?;
                return Some(self.with_facts(text, finding));
            }
            if let Some(fact) = finding.evidence.get(name) {
                return Some(self.fact(name, fact));
            }
            let subject = &finding.subject;
            match name {
                "dataset" => {
                    let unnamed = || self.find("samples.unnamed").map(str::to_owned);
                    subject.dataset.clone().or_else(unnamed)
                }
                "metric" => subject.metric.clone(),
                _ => None,
            }
        })
    }

    /// What a person reads of a fact. Names in `near` become a question, and none of them nothing;
    /// `*` in `metrics` is all metrics.
    fn fact(&self, name: &str, fact: &Fact) -> String {
        let comma = self.find("punctuation.comma").unwrap_or(", ");
        match (name, fact) {
            ("near", Fact::List(names)) if names.is_empty() => String::new(),
            ("near", near) => {
                self.fill("notice.near", &[("near", near.text(&format!("`{comma}`")))])
            }
            ("metrics", Fact::Text(all)) if all == "*" => self.get("notice.all-metrics"),
            _ => fact.text(comma),
        }
    }
}

/// The source of a catalogue by the first names of its keys: `role` of `[role]` and `[role.judge]`. A command needs
/// the texts of a few, and each is parsed when it is asked for.
#[derive(Debug)]
struct Parts(IndexMap<&'static str, Part>);

#[derive(Debug, Default)]
struct Part {
    source: String,
    texts: OnceLock<Texts>,
}

impl Parts {
    fn of(source: &'static str) -> Self {
        let mut parts: IndexMap<&str, Part> = IndexMap::new();
        for table in source.split("\n[").skip(1) {
            let name = table.split(['.', ']']).next().unwrap_or_default();
            parts.entry(name).or_default().source.extend(["\n[", table]);
        }
        Self(parts)
    }

    /// The texts whose keys have the same first name.
    fn texts_around(&self, key: &str) -> Option<&Texts> {
        let name = key.split('.').next().unwrap_or_default();
        self.0.get(name).map(Part::texts)
    }
}

impl Part {
    fn texts(&self) -> &Texts {
        self.texts.get_or_init(|| parse(&self.source))
    }
}

fn parse(source: &str) -> Texts {
    let entries = DeTable::parse(source).map(|root| overlay::entries("", root.get_ref()));
    let texts = entries.unwrap_or_default().into_iter();
    texts.filter_map(|(key, _, text)| Some((key, text?))).collect()
}

/// The text with its placeholders filled, in the typography of a language. What has no value stays as
/// it is.
pub fn fill(text: &str, lang: Lang, mut value: impl FnMut(&str) -> Option<String>) -> String {
    let needs_space = |before, after| lang.spaces_han && joint_needs_space(before, after);
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, after) = rest.split_at(open);
        filled.push_str(before);
        let Some(close) = after.find('}') else {
            filled.push_str(after);
            return filled;
        };
        let (hole, tail) = after.split_at(close + 1);
        let mut parts = hole.trim_start_matches('{').trim_end_matches('}').split('|');
        let found = value(parts.next().unwrap_or_default());
        match found.map(|text| inflected(text, parts)) {
            Some(text) => {
                if needs_space(filled.chars().next_back(), text.chars().next()) {
                    filled.push(' ');
                }
                filled.push_str(&text);
                if needs_space(text.chars().next_back(), tail.chars().next()) {
                    filled.push(' ');
                }
            }
            None => filled.push_str(hole),
        }
        rest = tail;
    }
    filled.push_str(rest);
    filled
}

/// The word among `one` and `many` that goes with a number, or the only word for an empty text; the
/// text itself where there is no word.
fn inflected<'a>(text: String, mut words: impl Iterator<Item = &'a str>) -> String {
    match (words.next(), words.next()) {
        (Some(one), Some(many)) => if text == "1" { one } else { many }.to_owned(),
        (Some(none), None) if text.is_empty() => none.to_owned(),
        _ => text,
    }
}

/// Chinese typography sets a space between Han and Latin characters or digits.
fn joint_needs_space(before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    (is_han(before) && after.is_ascii_alphanumeric())
        || (before.is_ascii_alphanumeric() && is_han(after))
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}')
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::overlay::placeholders;
    use super::*;
    use crate::diag::Code;

    #[test]
    fn all_languages_have_the_same_keys_with_the_same_placeholders() {
        let english = Catalogue::english();
        assert!(english.iter().count() > 200, "the English catalogue does not parse");
        for lang in LANGUAGES {
            let words = Catalogue::shipped(lang);
            for (key, text) in english.iter() {
                let other = words.find(key).unwrap_or_else(|| panic!("{lang:?} lacks {key}"));
                assert_eq!(placeholders(text), placeholders(other), "{lang:?}: {key}");
            }
            for (key, _) in words.iter() {
                assert!(english.find(key).is_some(), "English lacks {key}, which {lang:?} has");
            }
        }
    }

    #[test]
    fn the_parts_of_a_catalogue_hold_what_it_holds_as_a_whole_and_parse_when_asked_for() {
        for lang in LANGUAGES {
            let parts = Arc::new(Parts::of(lang.source));
            let words = Catalogue { lang, changed: Texts::new(), parts: Arc::clone(&parts) };
            let parsed = || parts.0.values().filter(|part| part.texts.get().is_some()).count();
            assert!(words.find("explanation.R101.when").is_some(), "{lang:?}");
            assert!(words.find("no.such.key").is_none(), "{lang:?}");
            assert_eq!(parsed(), 1, "{lang:?}");
            let whole: BTreeMap<String, String> = parse(lang.source).into_iter().collect();
            let text = |(key, text): (&str, &str)| (key.to_owned(), text.to_owned());
            assert_eq!(words.iter().map(text).collect::<BTreeMap<_, _>>(), whole, "{lang:?}");
        }
    }

    #[test]
    fn a_finding_says_its_metric_and_dataset_where_these_are_no_facts() {
        let finding =
            Diagnostic::new(Code::NoScoreAmongScores).metric("latency").with("value", 9_u64);
        let said = |finding: &Diagnostic| {
            let words = Catalogue::english();
            (words.message(finding), words.help(finding).unwrap_or_default())
        };
        let (message, help) = said(&finding);
        assert!(message.starts_with("unnamed dataset: latency is 9 for"), "{message}");
        assert!(help.contains("the `bounds` of latency under"), "{help}");
        let (message, _) = said(&finding.dataset(Some("gsm8k")));
        assert!(message.starts_with("gsm8k: latency is 9 for"), "{message}");
    }

    #[test]
    fn a_gap_in_the_catalogue_is_seen() {
        assert_eq!(Catalogue::english().get("no.such.key"), "⟦no.such.key⟧");
    }

    #[test]
    fn a_word_goes_with_its_number() {
        const TEXT: &str = "{n} {n|figure is|figures are} new";
        let filled = |n: &str| fill(TEXT, Lang::default(), |_| Some(n.to_owned()));
        assert_eq!(filled("1"), "1 figure is new");
        for many in ["0", "2", "11", "1,001"] {
            assert_eq!(filled(many), format!("{many} figures are new"));
        }
    }

    #[test]
    fn a_word_stands_for_an_empty_value() {
        let filled =
            |near: &str| fill("near: {near|none}", Lang::default(), |_| Some(near.to_owned()));
        assert_eq!([filled(""), filled("lr")], ["near: none", "near: lr"]);
    }

    #[test]
    fn no_text_leaves_the_plural_to_the_reader() {
        for (key, text) in Catalogue::english().iter() {
            assert!(!text.contains("(s)"), "{key}: {text}");
        }
    }

    #[test]
    fn han_and_latin_are_set_apart_in_chinese_alone() {
        let chinese = Language::find("zh").expect("Chinese");
        let filled =
            |lang: Lang, value: &str| fill("按{axis}分析", lang, |_| Some(value.to_owned()));
        assert_eq!(filled(chinese, "Shot"), "按 Shot 分析");
        assert_eq!(filled(chinese, "样本数"), "按样本数分析");
        assert_eq!(filled(Lang::default(), "Shot"), "按Shot分析");
    }
}
