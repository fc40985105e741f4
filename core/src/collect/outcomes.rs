//! Outcomes of single problems, line by line: nothing is kept, so that a file of any size takes the
//! memory of a few blocks.
//!
//! The readers of samples know what fields mean; here records are handed on one by one, and
//! whatever is not a record becomes a finding. Knows nothing of what is counted.

use std::path::Path;

use super::border::{NOT_FOLLOWED, leads_elsewhere};
use super::content::{self, end_findings, unreadable};
use super::discover::{self, DiscoveredFile};
use super::lines::{self, Limits};
use super::own_report::is_own_report;
pub use super::readers::samples::JudgedAnswer;
use super::readers::samples::{self, RecordFindings, RecordReader, json, take_line};
use super::{FileEntry, plain_stem, readers, versions};
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::Access;

/// The files of an input: itself, or in a directory every file of JSON lines but reports of this
/// program. A file that is an input itself and does not hold JSON lines is a finding.
///
/// # Errors
/// When the input cannot be read.
pub fn outcome_files(input: &Path, access: &Access) -> std::io::Result<Warned<Vec<FileEntry>>> {
    if leads_elsewhere(input, access) {
        return Err(std::io::Error::other(NOT_FOLLOWED));
    }
    let is_directory = std::fs::metadata(input)?.is_dir();
    let mut findings = Vec::new();
    let mut files = Vec::new();
    for found in discover::discover(input, access).drain_into(&mut findings) {
        match found {
            DiscoveredFile::File(file) if !is_directory => {
                if holds_lines(&file) {
                    files.push(file);
                } else {
                    findings.push(not_lines(&file));
                }
            }
            DiscoveredFile::File(file) if is_own_report(&file) || !has_lines(&file) => {}
            // They would be counted twice beside the records that they were drawn from.
            DiscoveredFile::File(file) if is_file_of_drawn_records(&file) => findings.push(
                Diagnostic::new(Code::DrawnLeftOut).at(Location::file(file.display.as_ref())),
            ),
            DiscoveredFile::File(file) => files.push(file),
            DiscoveredFile::Settled(_) => {}
        }
    }
    Ok(Warned::new(files, findings))
}

const LINES: [&str; 3] = ["jsonl", "ndjson", "jsonlines"];

/// Whether the file begins with an object, or holds nothing.
fn holds_lines(file: &FileEntry) -> bool {
    file.head.trim_ascii_start().first().is_none_or(|first| *first == b'{') || has_lines(file)
}

fn has_lines(file: &FileEntry) -> bool {
    LINES.iter().any(|end| file.has_extension(end))
}

fn not_lines(file: &FileEntry) -> Diagnostic {
    let head = String::from_utf8_lossy(&file.head);
    let start: String = head.chars().filter(|c| !c.is_control()).take(24).collect();
    Diagnostic::new(Code::NotLines).with("start", start).at(Location::file(file.display.as_ref()))
}

/// The dataset in the name of the file: as for all samples, else its stem.
pub fn dataset_of_file(file: &FileEntry) -> String {
    samples::dataset_of(file).unwrap_or_else(|| plain_stem(&file.relative)).to_owned()
}

/// Whether the name is that of records drawn for reading, which are not a representative sample.
pub fn is_file_of_drawn_records(file: &FileEntry) -> bool {
    versions::is_drawn(file.stem())
}

/// Reads every record. `new` makes the value of a block, `each` folds a record into it, and `merge`
/// takes the values in file order with the number of lines before the block. Returns the lines.
pub fn read_outcomes<T: Send>(
    file: &FileEntry,
    new: impl Fn() -> T + Sync,
    each: impl Fn(&mut T, &JudgedAnswer<'_>) + Sync,
    mut merge: impl FnMut(T, u64) + Send,
) -> Warned<u64> {
    let limits = Limits::from(file.limits);
    let content = match content::open(&file.path, file.packing, file.limits) {
        Ok(content) => content,
        Err(error) => return Warned::new(0, vec![unreadable(&file.display, error)]),
    };
    let mut findings = RecordFindings::default();
    let ending = lines::parse(
        content,
        limits,
        || (RecordReader::of_several_runs(), new()),
        |block: &mut (RecordReader, T), number, line| {
            take_line(
                block,
                number,
                line,
                |(reader, _)| &mut reader.findings,
                |(reader, value), text| {
                    each(value, &reader.take(text, number)?);
                    Ok(())
                },
            );
        },
        |(reader, value), before| {
            findings.append(reader.findings, before);
            merge(value, before);
        },
    );
    findings.end(&ending);
    let mut diagnostics = findings.diagnostics(&file.display, limits.line_bytes);
    diagnostics.extend(end_findings(&ending, limits, &file.display));
    Warned::new(ending.lines, diagnostics)
}

#[derive(Debug, Clone, Default)]
pub struct JsonMembers<'a>(Vec<(String, &'a str)>);

impl<'a> JsonMembers<'a> {
    /// The fields of that object; none where it is no object.
    pub fn parse(text: &'a str) -> Self {
        let mut members = Vec::new();
        let mut scratch = String::new();
        let _checked = json::for_each_field(text, |key, raw| {
            members.push((key.name(&mut scratch).to_owned(), raw.text));
        });
        Self(members)
    }

    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, raw)| *raw)
    }

    /// What lies at a path of names with dots.
    pub fn get_path(&self, path: &str) -> Option<&'a str> {
        match path.split_once('.') {
            None => self.get(path),
            Some((name, rest)) => JsonMembers::parse(self.get(name)?).get_path(rest),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.0.iter().map(|(name, raw)| (name.as_str(), *raw))
    }

    /// The prompt, by the names that all readers of samples know.
    pub fn prompt(&self) -> Option<(&'static str, &'a str)> {
        samples::PROMPTS.into_iter().find_map(|name| Some((name, self.get(name)?)))
    }

    pub fn response(&self) -> Option<(&'static str, &'a str)> {
        samples::RESPONSES.into_iter().find_map(|name| Some((name, self.get(name)?)))
    }

    /// The name of the field with the id of the problem.
    pub fn id(&self) -> Option<&str> {
        let ranked =
            self.iter().filter_map(|(name, _)| Some((readers::sample_id_rank(name)?, name)));
        ranked.min().map(|(_, name)| name)
    }
}

/// What a value says as a text: texts without their quotes, others as written; `None` for null.
pub fn json_text(raw: &str) -> Option<String> {
    if raw == "null" {
        return None;
    }
    let mut scratch = String::new();
    json::value(raw, &mut scratch).text().map(str::to_owned)
}

/// The elements of a list, each as it is written; none where it is no list.
pub fn json_elements(raw: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let _checked = json::for_each_element(raw, |element| found.push(element));
    found
}
