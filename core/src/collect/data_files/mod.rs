//! Data files that a run names: which, where they lie, what is in them.
//!
//! `names` and `mentions` say which, `place` where, `profile` and what lies below it what. A name is
//! believed only where a known key, option or phrase says what it is for.

mod column;
mod hash;
mod mentions;
mod names;
mod place;
mod profile;
mod question;
mod scan;
mod value_hash;

use super::border::clean;
pub(super) use mentions::{Mention, mentions_in_file};
pub(super) use place::Places;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::content::bad_records;
use super::shown;
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{
    Config, ConfigEntry, ConfigValue, DataContent, DataFile, DataOrigin, DataRole, RowKeys,
    lies_elsewhere,
};
use place::Found;

/// The data files of a run.
#[derive(Debug)]
pub(super) struct NamedDataFiles {
    /// In the order in which they were named, configurations first.
    pub(super) files: Vec<DataFile>,
    /// Where those that are there lie, without `.` and `..`.
    places: BTreeSet<PathBuf>,
}

impl NamedDataFiles {
    pub(super) fn holds(&self, path: &Path) -> bool {
        self.places.contains(&clean(path))
    }

    /// Whether a training file was read, so that it is worth asking whether samples occur in it.
    pub(super) fn has_training_rows(&self) -> bool {
        self.files.iter().any(|file| {
            let rows = file.content.as_ref().map_or(0, |content| content.rows_read);
            file.role == DataRole::Train && rows > 0
        })
    }
}

/// Finds the data files that the configurations of a run name, and those that were mentioned
/// elsewhere. A file that is named twice for one use counts once, as the configuration names it.
/// `is_read` says which files some reader takes.
pub(super) fn find<'c>(
    configs: impl Iterator<Item = &'c Config>,
    mentioned: Vec<Mention>,
    mut places: Places<'_>,
    is_read: impl Fn(&Path) -> bool,
) -> Warned<NamedDataFiles> {
    let mut named: Vec<(Mention, Found)> = Vec::new();
    let (mut of_keys, mut of_commands) = (Vec::new(), Vec::new());
    for (key, entry) in configs.flat_map(Config::iter) {
        of_keys.extend(declared_at(key, entry, &mut places, &is_read));
        of_commands.extend(on_command_line(key, entry));
    }
    of_commands.extend(mentioned);
    of_commands.sort_by_key(|mention| mention.origin);
    let mut known = KnownNames::default();
    for mention in of_keys.into_iter().chain(of_commands) {
        let found = places.of(&mention.declared, &mention.source.path);
        if known.adds(&mention, &found) {
            named.push((mention, found));
        }
    }
    let past_limit = places.past_limit();
    let files =
        named.iter().filter_map(|(_, found)| found.located()).flat_map(|located| &located.files);
    let places = files.cloned().collect();
    let read: Vec<(DataFile, Option<Box<Diagnostic>>)> =
        named.into_par_iter().map(|(mention, found)| with_content(mention, &found)).collect();
    let mut findings: Vec<Diagnostic> = past_limit.into_iter().collect();
    let mut files = Vec::with_capacity(read.len());
    for (file, finding) in read {
        findings.extend(finding.map(|finding| *finding));
        files.push(file);
    }
    Warned::new(NamedDataFiles { files, places }, findings)
}

/// What was named already: for one key, and for one use by its name and by its place.
#[derive(Default)]
struct KnownNames {
    of_keys: BTreeSet<(String, String)>,
    of_uses: BTreeSet<(DataRole, String)>,
    at_places: BTreeSet<(DataRole, Found)>,
}

impl KnownNames {
    fn adds(&mut self, mention: &Mention, found: &Found) -> bool {
        let Mention { role, origin, key, declared, .. } = mention;
        let of_key = (key.clone(), declared.clone());
        let of_use = (*role, declared.clone());
        let at_place = (*role, found.clone());
        let is_known = self.of_keys.contains(&of_key)
            || (*origin != DataOrigin::Config
                && (self.of_uses.contains(&of_use) || self.at_places.contains(&at_place)));
        if !is_known {
            self.of_keys.insert(of_key);
            self.of_uses.insert(of_use);
            if *found != Found::Nothing {
                self.at_places.insert(at_place);
            }
        }
        !is_known
    }
}

/// What identifies the samples of files that were read, to look for them in training files.
pub(super) fn read_row_keys(files: &[(PathBuf, Arc<str>)]) -> RowKeys {
    profile::read_row_keys(files)
}

fn with_content(mention: Mention, found: &Found) -> (DataFile, Option<Box<Diagnostic>>) {
    let outside = match found {
        Found::Outside(path) => Some(Box::new(outside_finding(&mention, path))),
        Found::Nothing | Found::Files(_) => None,
    };
    let read = found.located().map(|found| {
        let limits = profile::ProfileLimits::default();
        profile::profile_data_file(found.shown.clone(), &found.files, limits)
    });
    let is_withheld = outside.is_some() || matches!(read, Some(Err(_)));
    let (content, finding) = match read {
        None => (None, outside),
        Some(Ok(content)) => {
            let finding = malformed(&content);
            (Some(content), finding)
        }
        Some(Err(finding)) => (None, Some(finding)),
    };
    let Mention { role, origin, key, declared, source } = mention;
    (DataFile { role, origin, key, declared, source, content, is_withheld }, finding)
}

fn outside_finding(mention: &Mention, path: &str) -> Diagnostic {
    let finding = Diagnostic::new(Code::OutsideRun).about_key(&mention.key);
    let finding = finding.with("named", "data").with("count", 1_u64).with("path", path);
    finding.at(mention.source.location())
}

fn malformed(content: &DataContent) -> Option<Box<Diagnostic>> {
    let (count, line) = content.malformed?;
    let first = Location::line(content.path.as_str(), line);
    Some(Box::new(bad_records(count, "no record of a data file", first)))
}

/// The texts of a value, alone or in a list.
fn texts(value: &ConfigValue) -> Vec<&str> {
    let values = match value {
        ConfigValue::List(items) => items.as_slice(),
        value => std::slice::from_ref(value),
    };
    values
        .iter()
        .filter_map(|value| match value {
            ConfigValue::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

/// Paths that a key names. Without the extension of a data file only a directory of such counts:
/// the name of a dataset on a hub is a matter of configuration. Under a key that does not speak of
/// data, a file counts that is there and that nobody reads as something else.
fn declared_at(
    key: &str,
    entry: &ConfigEntry,
    places: &mut Places<'_>,
    is_read: &dyn Fn(&Path) -> bool,
) -> Vec<Mention> {
    let declared = texts(&entry.value).into_iter();
    let mut is_data = |text: &&str| {
        names::is_data_name(text)
            || lies_elsewhere(text)
            || text.contains('/')
                && match places.of(text, &entry.source.path) {
                    Found::Nothing => false,
                    Found::Outside(_) => true,
                    Found::Files(located) => !located.is_lone_file(),
                }
    };
    let named: Vec<&str> = if names::names_data(key) {
        declared.filter(&mut is_data).collect()
    } else if names::is_no_data(key) || names::names_command(key) {
        Vec::new()
    } else {
        let is_file = |text: &&str| {
            let is_data = names::is_data_name(text) && !names::is_no_data(text);
            let found = is_data.then(|| places.of(text, &entry.source.path));
            let located = found.as_ref().and_then(Found::located);
            located
                .is_some_and(|it| it.is_lone_file() && !it.files.iter().any(|file| is_read(file)))
        };
        declared.filter(is_file).collect()
    };
    let named = named.into_iter();
    named
        .map(|text| Mention {
            role: names::data_role(key, text),
            origin: DataOrigin::Config,
            key: key.to_owned(),
            declared: text.to_owned(),
            source: entry.source.clone(),
        })
        .collect()
}

fn on_command_line(key: &str, entry: &ConfigEntry) -> Vec<Mention> {
    if !names::names_command(key) {
        return Vec::new();
    }
    let words = match &entry.value {
        ConfigValue::Text(command) => mentions::words(command),
        ConfigValue::Masked(command) => mentions::words(command.shown()),
        value => texts(value),
    };
    mentions::mentions_in_command(&words, &entry.source)
}
