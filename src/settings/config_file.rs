//! A configuration file, and the preset below it.

use toml::de::{DeTable, DeValue};

use super::file;
use super::preset::Preset;
use crate::diag::Location;
use crate::text::Refusal;

/// A configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFile {
    /// Path as the user named it.
    pub path: String,
    pub text: String,
    below: Option<Below>,
}

/// The preset that a file lies over, and what both say together.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Below {
    preset: &'static Preset,
    together: String,
}

impl ConfigFile {
    /// The file with that text over the preset that is asked for, else over the one that it names.
    ///
    /// # Errors
    /// When there is no such preset.
    pub fn new(path: String, text: String, asked: Option<&str>) -> Result<Self, Refusal> {
        // What is wrong with the text is said where it is used.
        let table: toml::Table = toml::from_str(&text).unwrap_or_default();
        let named = asked.or_else(|| table.get("preset")?.as_str());
        let preset = named.map(Preset::find).transpose()?;
        let below = preset.map(|preset| Below { preset, together: preset.under(table) });
        Ok(Self { path, text, below })
    }

    /// A preset alone, where there is no file.
    ///
    /// # Errors
    /// When there is no such preset.
    pub fn of_preset(name: &str) -> Result<Self, Refusal> {
        let preset = Preset::find(name)?;
        let below = Below { preset, together: preset.text.to_owned() };
        Ok(Self { path: preset.path(), text: String::new(), below: Some(below) })
    }

    /// Whether the user names it, and not a preset alone: a run need not have all that a preset is
    /// ready for.
    pub fn names(&self, name: &str) -> bool {
        self.below.is_none() || self.text.contains(name)
    }

    /// What is to be used: the file, over its preset where it has one.
    pub(super) fn settings(&self) -> &str {
        self.below.as_ref().map_or(&self.text, |below| &below.together)
    }

    /// Reads the settings with `parse`. What is wrong with the file by itself is told of its lines.
    pub(super) fn read<T, E>(&self, parse: impl Fn(&str) -> Result<T, E>) -> Result<T, E> {
        parse(self.settings()).map_err(|error| match &self.below {
            Some(_) => parse(&self.text).err().unwrap_or(error),
            None => error,
        })
    }

    /// The line at which a key stands, in the file or else in its preset.
    pub fn location(&self, keys: &[&str]) -> Location {
        let here = line_of(&self.text, keys);
        let below = || {
            let Below { preset, .. } = self.below.as_ref()?;
            Some(Location::line(preset.path(), line_of(preset.text, keys)?))
        };
        let at = |line| Location::line(self.path.as_str(), line);
        here.map(at).or_else(below).unwrap_or_else(|| at(1))
    }
}

fn line_of(text: &str, keys: &[&str]) -> Option<u64> {
    let root = DeTable::parse(text).ok()?;
    let (last, above) = keys.split_last()?;
    let mut table = root.get_ref();
    for key in above {
        match table.get(*key)?.get_ref() {
            DeValue::Table(inner) => table = inner,
            _ => return None,
        }
    }
    let (key, _) = table.get_key_value(*last)?;
    Some(file::line(text, key.span().start) as u64)
}
