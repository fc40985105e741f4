//! Files that the user says how to read: `[[reader]]` of `reportgen.toml`.

use glob::{MatchOptions, Pattern};
use indexmap::IndexMap;
use regex::Regex;
use serde::Deserialize;

use crate::diag::Location;

/// `*` stays within a directory, `**` does not.
const WITHIN_DIRECTORIES: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// How the records of a file are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordForm {
    Json,
    Jsonl,
    Csv,
    Tsv,
    Text,
}

impl RecordForm {
    /// Whether places in a record are JSON pointers.
    pub const fn has_pointers(self) -> bool {
        matches!(self, Self::Json | Self::Jsonl)
    }
}

/// Where the parts of a record stand: a JSON pointer, the name of a column or that of a group.
#[derive(Debug, Clone, Default)]
pub struct RecordPlaces {
    pub id: Option<String>,
    pub dataset: Option<String>,
    pub step: Option<String>,
    /// Of a record with one figure, its name and its value.
    pub named: Option<(String, String)>,
    /// Figures by name.
    pub values: IndexMap<String, String>,
    /// Settings by key.
    pub config: IndexMap<String, String>,
}

impl RecordPlaces {
    /// Every place with the key of `[[reader]]` that says it.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        let named = self.named.as_ref();
        let single = [
            ("id", self.id.as_ref()),
            ("dataset", self.dataset.as_ref()),
            ("step", self.step.as_ref()),
            ("metric", named.map(|(metric, _)| metric)),
            ("value", named.map(|(_, value)| value)),
        ];
        let several = self.values.iter().chain(&self.config);
        let several = several.map(|(key, place)| (key.as_str(), place.as_str()));
        let single = single.into_iter().filter_map(|(key, place)| Some((key, place?.as_str())));
        single.chain(several)
    }
}

/// How files of a name are read.
#[derive(Debug, Clone)]
pub struct DeclaredReader {
    pub form: RecordForm,
    /// Pointer to the list of records of a JSON document, which is one record otherwise.
    pub records: Option<String>,
    pub places: RecordPlaces,
    /// What the lines of a text are matched with.
    pub line: Option<Regex>,
    /// Where it is declared.
    pub declared: Location,
    files: Pattern,
}

/// A file that no reader takes, and how it could be read; else why nothing can be suggested, as a key of the
/// catalogues below `suggest`.
#[derive(Debug)]
pub struct SuggestedReader {
    pub path: String,
    pub reader: Result<DeclaredReader, &'static str>,
}

/// Why a declaration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NotAReader {
    #[error("`files` is no pattern: {0}")]
    Files(String),
    #[error("`{0}` is no JSON pointer")]
    Pointer(String),
    #[error("`pattern` is no regular expression: {0}")]
    Pattern(String),
    #[error("`pattern` has no group `{group}`")]
    Group { group: String, groups: Vec<String> },
    #[error("the key `{0}` does not go with this format")]
    Misplaced(&'static str),
    #[error("the key `{0}` is missing")]
    Missing(&'static str),
}

impl DeclaredReader {
    /// # Errors
    /// When a pattern, a pointer or a name of a group is none, or nothing is to be read.
    pub fn new(
        files: &str,
        form: RecordForm,
        records: Option<String>,
        pattern: Option<&str>,
        places: RecordPlaces,
        declared: Location,
    ) -> Result<Self, NotAReader> {
        let files = Pattern::new(files).map_err(|error| NotAReader::Files(error.to_string()))?;
        let line = pattern.map(Regex::new).transpose();
        let line = line.map_err(|error| NotAReader::Pattern(error.to_string()))?;
        match (&line, form) {
            (None, RecordForm::Text) => return Err(NotAReader::Missing("pattern")),
            (Some(_), form) if form != RecordForm::Text => {
                return Err(NotAReader::Misplaced("pattern"));
            }
            _ if records.is_some() && form != RecordForm::Json => {
                return Err(NotAReader::Misplaced("records"));
            }
            _ if places.named.is_none() && places.values.is_empty() && places.config.is_empty() => {
                return Err(NotAReader::Missing("values"));
            }
            _ => {}
        }
        for place in records.as_deref().into_iter().chain(places.all().map(|(_, place)| place)) {
            if form.has_pointers() && !(place.is_empty() || place.starts_with('/')) {
                return Err(NotAReader::Pointer(place.to_owned()));
            }
            if let Some(line) = &line
                && !line.capture_names().any(|group| group == Some(place))
            {
                let groups = line.capture_names().flatten().map(str::to_owned).collect();
                return Err(NotAReader::Group { group: place.to_owned(), groups });
            }
        }
        Ok(Self { form, records, places, line, declared, files })
    }

    /// Whether it reads a file of a run: its path there, or its name where the pattern has no directory.
    pub fn reads(&self, relative: &str) -> bool {
        let name = relative.rsplit('/').next().unwrap_or(relative);
        let is_of_name = || {
            !self.files.as_str().contains('/') && self.files.matches_with(name, WITHIN_DIRECTORIES)
        };
        self.files.matches_with(relative, WITHIN_DIRECTORIES) || is_of_name()
    }

    /// A pattern of files that is of that path alone.
    pub fn pattern_of(path: &str) -> String {
        Pattern::escape(path)
    }

    /// What lines are matched with, as written.
    pub fn pattern(&self) -> Option<&str> {
        self.line.as_ref().map(Regex::as_str)
    }

    /// The pattern of its files, as written.
    pub fn files(&self) -> &str {
        self.files.as_str()
    }
}
