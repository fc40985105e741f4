//! Per-sample records as JSON lines: one object a line, with an id and at least one score.
//!
//! Covers lm-evaluation-harness (`samples_*.jsonl`), lmms-eval, and everything that writes records
//! by itself. Knows lines and JSON; what the fields mean is the business of `samples`.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, BufReader, Read as _};

use crate::collect::content::{self, end_findings, unreadable};
use crate::collect::lines::{self, Limits, Line};
use crate::collect::{FileEntry, ReadOptions, ReadResult, Reader};
use crate::diag::{Diagnostic, Warned};
use crate::model::Fragment;

use super::samples::{Harvest, is_harness_name, take_line};

pub const READER: Reader = Reader { name: "samples-jsonl", recognises, read };

/// Records of the head that are looked at before a file is refused.
const HEAD_RECORDS: usize = 20;

fn recognises(file: &FileEntry) -> bool {
    holds_samples(file, &ReadOptions::default())
}

/// Whether the file holds samples, fields that the user declares as metrics included.
pub(super) fn holds_samples(file: &FileEntry, options: &ReadOptions) -> bool {
    let is_document = file.has_extension("json");
    let is_lines = ["jsonl", "ndjson", "jsonlines"].iter().any(|end| file.has_extension(end));
    if !is_document && !is_lines {
        return false;
    }
    let head = String::from_utf8_lossy(&file.head);
    let by_name = is_harness_name(file);
    let mut records = 0;
    let mut samples = 0;
    let mut harvest = Harvest::choosing(options);
    for line in head.lines().filter(|line| !line.trim().is_empty()).take(HEAD_RECORDS) {
        harvest.begin();
        // The head may end in the middle of a record: the fields before the end tell enough.
        let whole = harvest.take_json(line).is_ok();
        if harvest.holds_sample() || (by_name && harvest.holds_id()) {
            samples += 1;
        }
        records += usize::from(whole);
    }
    // One object alone is a document, whatever it holds.
    samples > 0 && (is_lines || records > 1)
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_with(file, Limits::from(file.limits), options)
}

fn read_with(
    file: &FileEntry,
    limits: Limits,
    options: &ReadOptions,
) -> Result<Warned<Fragment>, Box<Diagnostic>> {
    let content = content::open(&file.path, file.packing, file.limits)
        .map_err(|error| unreadable(&file.display, error))?;
    let mut whole = Harvest::default();
    let new = || Harvest::of_file(file, options);
    let each = |harvest: &mut Harvest, number, line: Line<'_>| {
        take_line(
            harvest,
            number,
            line,
            |harvest| &mut harvest.findings,
            |harvest, text| harvest.take_record(text, number),
        );
    };
    let merge = |part: Harvest, before| whole.append(part, before, file.limits.metrics);
    let ending = lines::parse(content, limits, new, each, merge);
    whole.findings.end(&ending);
    let mut warned = whole.into_fragment(file, limits.line_bytes);
    warned.diagnostics.extend(end_findings(&ending, limits, &file.display));
    Ok(warned)
}

/// Hands on the records of these lines.
pub(in crate::collect) fn records(
    file: &FileEntry,
    wanted: &BTreeSet<u64>,
    take: &mut dyn FnMut(u64, &str),
) -> io::Result<()> {
    let most = Limits::from(file.limits).line_bytes as u64;
    let mut content =
        BufReader::with_capacity(1 << 18, content::open(&file.path, file.packing, file.limits)?);
    let (mut record, mut passed) = (Vec::new(), 0);
    for &line in wanted {
        while passed + 1 < line {
            content.skip_until(b'\n')?;
            passed += 1;
        }
        record.clear();
        content.by_ref().take(most).read_until(b'\n', &mut record)?;
        passed += 1;
        take(line, &String::from_utf8_lossy(record.trim_ascii()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::{Code, Location};
    use crate::model::{FragmentPart, RunLabel, SampleTable};

    /// The runs of a file read in blocks of so many bytes: labels, and ids with their scores.
    fn runs(content: &str, block_bytes: usize) -> Vec<(String, Vec<String>)> {
        let directory = tempfile::tempdir().expect("directory");
        let path = directory.path().join("out.jsonl");
        std::fs::write(&path, content).expect("writes");
        let file = FileEntry { path, ..FileEntry::holding("out.jsonl", content.as_bytes()) };
        let limits = Limits { block_bytes, ..Limits::from(crate::model::Limits::default()) };
        let options = ReadOptions { apart: true, ..ReadOptions::default() };
        let read = read_with(&file, limits, &options).expect("is read");
        let rows = |table: &SampleTable| {
            let score = |row| table.column("accuracy").and_then(|column| column.get(row));
            (0..table.len())
                .map(|row| format!("{} {:?}", table.id(row), score(row)))
                .collect::<Vec<_>>()
        };
        let parts = read.value.parts.iter();
        let shown = |part: &FragmentPart| {
            (RunLabel::behind_path(&part.labels), part.samples.iter().flat_map(rows).collect())
        };
        parts.map(shown).collect()
    }

    #[test]
    fn the_runs_of_a_file_are_the_same_whatever_blocks_it_is_read_in() {
        for order in 0..3 {
            let mut lines: Vec<(usize, usize)> =
                (0..40).flat_map(|id| (0..3).map(move |model| (id, model))).collect();
            match order {
                0 => lines.sort_by_key(|&(id, model)| (model, id)),
                1 => lines.sort_by_key(|&(id, model)| (id / 7, model, id)),
                _ => {}
            }
            let record = |&(id, model): &(usize, usize)| {
                // One model is named late, and one in no record.
                let name =
                    ["\"judge\": \"x\", \"model\": \"a\", ", "\"model\": \"b\", ", ""][model];
                format!("{{{name}\"id\": {id}, \"acc\": {}}}\n", (id + model) % 2)
            };
            let content: String = lines.iter().map(record).collect();
            let whole = runs(&content, 1 << 20);
            let labels: Vec<&str> = whole.iter().map(|(labels, _)| labels.as_str()).collect();
            let mut sorted = labels.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, ["::model=", "::model=a", "::model=b"]);
            assert!(whole.iter().all(|(_, rows)| rows.len() == 40));
            for block_bytes in [16, 100, 1000] {
                assert_eq!(runs(&content, block_bytes), whole, "{order} {block_bytes}");
            }
        }
    }

    #[test]
    fn a_line_over_the_limit_is_left_out_and_told() {
        let directory = tempfile::tempdir().expect("directory");
        let path = directory.path().join("out.jsonl");
        let long = "x".repeat(300);
        let content = format!(
            "{{\"id\": 1, \"acc\": 1}}\n{{\"id\": 2, \"acc\": 1, \"text\": \"{long}\"}}\n{{\"id\": 3, \"acc\": 0}}\n"
        );
        std::fs::write(&path, &content).expect("writes");
        let file = FileEntry { path, ..FileEntry::holding("run/out.jsonl", content.as_bytes()) };
        let limits = Limits { block_bytes: 64, line_bytes: 200, lines: 1000 };
        let read = read_with(&file, limits, &ReadOptions::default()).expect("is read");
        let table = &read.value.samples[0];
        assert_eq!((table.len(), table.id(1), table.lines()[1]), (2, "3", 3));
        let expected = Diagnostic::new(Code::LineTooLong)
            .with("bytes", r#"{"id": 2, "acc": 1, "text": ""}"#.len() + long.len())
            .with("limit", 200_u64)
            .at(Location::line("run/out.jsonl", 2));
        assert_eq!(read.diagnostics, [expected]);
    }
}
