//! The languages of reports. Whatever offers, stores or chooses one derives it from the list here.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use serde::de::{Deserialize, Deserializer, Error as _};

use super::Catalogue;

/// Every language. To add one: its catalogue, what is said of it below, and its name here.
pub static LANGUAGES: &[Lang] = &[&ENGLISH, &CHINESE];

/// The language of data for programs and of error messages, and of reports unless another is asked
/// for.
static ENGLISH: Language = Language {
    tag: "en",
    bcp47: "en",
    locales: &["en"],
    name: "English",
    source: include_str!("../../report_templates/text/en.toml"),
    spaces_han: false,
    catalogue: OnceLock::new(),
};

static CHINESE: Language = Language {
    tag: "zh",
    bcp47: "zh-CN",
    locales: &["zh"],
    name: "中文",
    source: include_str!("../../report_templates/text/zh.toml"),
    spaces_han: true,
    catalogue: OnceLock::new(),
};

pub type Lang = &'static Language;

/// What a language needs besides its words. Two with the same tag are the same language.
pub struct Language {
    /// What `--lang` and `lang =` call it.
    pub tag: &'static str,
    /// BCP 47 tag for `<html lang>`.
    pub bcp47: &'static str,
    /// How the names of its locales begin.
    pub locales: &'static [&'static str],
    /// Its name in the language itself.
    pub name: &'static str,
    pub source: &'static str,
    /// Whether its typography sets a space between Han and Latin characters or digits.
    pub spaces_han: bool,
    /// The catalogue, made when it is first asked for.
    pub catalogue: OnceLock<Catalogue>,
}

impl Language {
    /// The language of a tag.
    ///
    /// # Errors
    /// When there is none, with the tags that there are.
    pub fn find(tag: &str) -> Result<Lang, String> {
        LANGUAGES.iter().copied().find(|lang| lang.tag == tag).ok_or_else(|| {
            let tags: Vec<&str> = LANGUAGES.iter().map(|lang| lang.tag).collect();
            format!("there is no language `{tag}`; there are {}", tags.join(", "))
        })
    }

    /// The language of a locale name such as `zh_CN.UTF-8`; English for any that is not known.
    pub fn from_locale(locale: &str) -> Lang {
        let is_meant = |lang: &&Self| lang.locales.iter().any(|name| locale.starts_with(name));
        LANGUAGES.iter().copied().find(is_meant).unwrap_or_default()
    }

    /// The name of its catalogue below the templates directory.
    pub fn file(&self) -> String {
        format!("text/{}.toml", self.tag)
    }
}

impl Default for Lang {
    fn default() -> Self {
        &ENGLISH
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.tag == other.tag
    }
}

impl Eq for Language {}

impl Hash for Language {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.tag.hash(state);
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag)
    }
}

/// A language is written as its tag.
impl<'de> Deserialize<'de> for Lang {
    fn deserialize<D: Deserializer<'de>>(wire: D) -> Result<Self, D::Error> {
        Language::find(&String::deserialize(wire)?).map_err(D::Error::custom)
    }
}
