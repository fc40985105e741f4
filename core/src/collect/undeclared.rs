//! Files that no reader takes and no configuration names, and how they could be declared.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::border::Border;
use super::discover::{self, DiscoveredFile};
use super::own_report::is_own_report;
use super::reading::reader_of;
use super::unrecognised::{is_manifest, unread};
use super::{FileEntry, ReadOptions, RunAddress, readers};
use crate::model::{FileUse, RecordForm, Run, SuggestedReader};

/// The reason for files of other formats, as a key below `suggest`.
const OTHER_FORM: &str = "other-form";

/// A suggestion for each file of the inputs that neither a reader nor a configuration names.
pub fn suggest_readers(
    inputs: &[PathBuf],
    runs: &[Run],
    options: &ReadOptions,
) -> Vec<SuggestedReader> {
    let mut told = BTreeSet::new();
    let mut suggestions = Vec::new();
    for (at, input) in inputs.iter().enumerate() {
        let path = RunAddress::of(input).path;
        let border = Border::around(&path, &options.access);
        let is_read = |file: &FileEntry| {
            let files = runs.iter().filter(|run| run.input == at).flat_map(|run| &run.files);
            let mut read = files.filter(|file| matches!(file.used, FileUse::Read { .. }));
            read.any(|record| record.relative == file.relative)
        };
        for found in discover::discover_within(&path, &border, options.access.limits).value {
            let DiscoveredFile::File(mut file) = found else { continue };
            if !is_own_report(&file)
                && reader_of(&mut file, options).is_none()
                && !is_read(&file)
                && told.insert(file.relative.clone())
            {
                suggestions.extend(suggestion(&file, options));
            }
        }
    }
    suggestions
}

/// `None` for a file of which nobody expects results.
fn suggestion(file: &FileEntry, options: &ReadOptions) -> Option<SuggestedReader> {
    let has = |extensions: &[&str]| extensions.iter().any(|end| file.has_extension(end));
    let is_blank = file.head_is_whole && file.head.trim_ascii().is_empty();
    if is_manifest(file) || is_blank {
        return None;
    }
    let form = match () {
        () if has(&["json"]) => Some(RecordForm::Json),
        () if has(&["jsonl", "ndjson"]) => Some(RecordForm::Jsonl),
        () if has(&["csv"]) => Some(RecordForm::Csv),
        () if has(&["tsv", "tab"]) => Some(RecordForm::Tsv),
        () if has(&["txt", "log", "out"]) => Some(RecordForm::Text),
        () => None,
    };
    if form.is_none() {
        unread(0, file)?;
    }
    let reader = form.ok_or(OTHER_FORM).and_then(|form| readers::suggested(file, form, options));
    Some(SuggestedReader { path: file.display.to_string(), reader })
}
