//! Records that were read once, read again by their places for the texts in them.
//!
//! The first reading keeps no text. Whoever shows some samples of many asks for these alone. A record
//! that is no longer what was read is none, and is told.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::discover::{DiscoveredFile, discover};
use super::objects::fetched::place_of;
use super::readers::samples::RecordReader;
use super::readers::{
    deepeval, evalplus, inspect_json, lighteval, promptfoo, samples_csv, samples_json,
    samples_jsonl, samples_parquet,
};
use super::{FileEntry, ReadOptions, parquet};
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{ContentHash, Source};

/// Where a record was read, and what is known of it.
#[derive(Debug, Clone)]
pub struct RecordPlace<'a> {
    /// The file, and the line or row.
    pub source: Source,
    pub id: &'a str,
    /// Hash of what the model wrote, where that is known.
    pub response: Option<ContentHash>,
}

/// What was taken of records, by their place among those asked for.
type Taken<T> = Vec<(usize, T)>;

/// Takes each of these records, as JSON; `None` for one that is not found again.
pub fn read_again<T: Send>(
    places: &[RecordPlace<'_>],
    options: &ReadOptions,
    take: impl Fn(&str) -> T + Sync,
) -> Warned<Vec<Option<T>>> {
    let mut by_path: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, place) in places.iter().enumerate() {
        by_path.entry(&place.source.path).or_default().push(at);
    }
    let read: Vec<(Taken<T>, Option<Diagnostic>)> = by_path
        .into_par_iter()
        .map(|(path, wanted)| of_file(path, &wanted, places, options, &take))
        .collect();
    let mut found: Vec<Option<T>> = places.iter().map(|_| None).collect();
    let mut findings = Vec::new();
    for (taken, finding) in read {
        findings.extend(finding);
        for (at, value) in taken {
            found[at] = Some(value);
        }
    }
    Warned::new(found, findings)
}

/// The records of one file, and whether some are not what they were.
fn of_file<T>(
    path: &str,
    wanted: &[usize],
    places: &[RecordPlace<'_>],
    options: &ReadOptions,
    take: impl Fn(&str) -> T,
) -> (Taken<T>, Option<Diagnostic>) {
    let mut open: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for &at in wanted {
        open.entry(places[at].source.line.unwrap_or_default()).or_default().push(at);
    }
    let lines: BTreeSet<u64> = open.keys().copied().collect();
    let mut taken = Vec::new();
    let mut reader = RecordReader::choosing(options);
    let file = file_at(path, options);
    let has_json = file.as_ref().is_some_and(|file| !is_table(file));
    let cause = file.map_or(Err("no such file".to_owned()), |file| {
        for_each_record(&file, &lines, options, &mut |line, text| {
            let Some(here) = open.get_mut(&line) else { return };
            let Some((id, response)) = reader.identity(text) else { return };
            let is_it = |at: &usize| {
                let place = &places[*at];
                // In a table the answer is hashed as it stands, and not as JSON.
                let differs = place.response.zip(response).is_some_and(|(a, b)| a != b);
                place.id == id && !(has_json && differs)
            };
            if let Some(found) = here.iter().position(is_it) {
                taken.push((here.remove(found), take(text)));
            }
        })
    });
    let lost: Vec<(&u64, usize)> =
        open.iter().map(|(line, here)| (line, here.len())).filter(|(_, lost)| *lost > 0).collect();
    let finding = lost.first().map(|(line, _)| {
        Diagnostic::new(Code::RecordsChanged)
            .with("count", lost.iter().map(|(_, lost)| lost).sum::<usize>())
            .with("cause", cause.err().unwrap_or_default())
            .at(Location::line(path, **line))
    });
    (taken, finding)
}

fn file_at(path: &str, options: &ReadOptions) -> Option<FileEntry> {
    let found = discover(&place_of(Path::new(path)), &options.access).value;
    found.into_iter().find_map(|found| match found {
        DiscoveredFile::File(file) => Some(file),
        DiscoveredFile::Settled(_) => None,
    })
}

fn is_table(file: &FileEntry) -> bool {
    ["csv", "tsv", "tab"].iter().any(|end| file.has_extension(end))
}

/// Hands on every record of these lines, as JSON, with its line.
fn for_each_record(
    file: &FileEntry,
    lines: &BTreeSet<u64>,
    options: &ReadOptions,
    take: &mut dyn FnMut(u64, &str),
) -> Result<(), String> {
    if lighteval::is_details(file) {
        lighteval::records(file, lines, take)
    } else if file.head.starts_with(parquet::MAGIC) {
        samples_parquet::records(file, lines, take)
    } else if is_table(file) {
        samples_csv::records(file, lines, take).map_err(|error| error.to_string())
    } else if inspect_json::is_log(file) {
        inspect_json::records(file, lines, take)
    } else if promptfoo::recognises(file) {
        promptfoo::records(file, lines, take)
    } else if evalplus::recognises(file) {
        evalplus::records(file, lines, take)
    } else if deepeval::recognises(file) {
        deepeval::records(file, lines, take)
    } else if samples_json::holds_samples(file, options) {
        samples_json::records(file, lines, take)
    } else {
        samples_jsonl::records(file, lines, take).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::collect;
    use crate::collect::parquet::written::{Written, plainly_written};

    const RECORDS: [&str; 3] = [
        r#"{"id": "a", "response": "one", "correct": 1}"#,
        r#"{"id": "b", "response": "two \"2\"", "correct": 0}"#,
        r#"{"id": "c", "response": "three\n3", "correct": 1}"#,
    ];

    /// What is read again of a file of that name after it was changed: for each record of the first
    /// reading its text or nothing, and the codes of findings.
    fn check(
        name: &str,
        content: &[u8],
        change: impl FnOnce(&Path),
    ) -> (Vec<Option<String>>, Vec<Code>) {
        let directory = tempfile::tempdir().expect("directory");
        let path = directory.path().join(name);
        std::fs::write(&path, content).expect("writes");
        let options = ReadOptions::default();
        let runs = collect(std::slice::from_ref(&path), &options).expect("there").value;
        let table = &runs[0].content.samples[0];
        let place = |row| RecordPlace {
            source: table.source(row, ""),
            id: table.id(row),
            response: table.response(row),
        };
        // In another order than that of the file.
        let places: Vec<RecordPlace<'_>> = (0..table.len()).rev().map(place).collect();
        change(&path);
        let said = |record: &str| {
            super::super::SampleTexts::of(record)
                .answer
                .map(|answer| answer.text)
                .unwrap_or_default()
        };
        let again = read_again(&places, &options, said);
        let mut texts = again.value;
        texts.reverse();
        (texts, again.diagnostics.iter().map(|finding| finding.code).collect())
    }

    fn written(as_list: bool, between: &str) -> Vec<u8> {
        let lines = RECORDS.join(if as_list { between } else { "\n" });
        if as_list { format!("[{lines}]") } else { format!("{lines}\n") }.into_bytes()
    }

    const CSV: &str = "id,response,correct\na,one,1\nb,\"two \"\"2\"\"\",0\nc,\"three\n3\",1\n";

    fn all() -> (Vec<Option<String>>, Vec<Code>) {
        let texts = ["one", "two \"2\"", "three\n3"];
        (texts.map(|text| Some(text.to_owned())).into(), Vec::new())
    }

    #[test]
    fn every_format_gives_the_record_again_that_it_gave_first() {
        let nothing = |_: &Path| {};
        assert_eq!(check("x.jsonl", &written(false, ""), nothing), all());
        assert_eq!(check("x.json", &written(true, ","), nothing), all());
        assert_eq!(check("x.json", &written(true, ",\n"), nothing), all());
        let document = [b"{\"model\": \"m\",\n\"samples\": ", &*written(true, ","), b"}"].concat();
        assert_eq!(check("x.json", &document, nothing), all());
        let table: Vec<String> = RECORDS
            .iter()
            .map(|record| {
                let record: serde_json::Value = serde_json::from_str(record).expect("JSON");
                let cells = record.as_object().expect("a record").values();
                format!("[{}]", cells.map(ToString::to_string).collect::<Vec<_>>().join(","))
            })
            .collect();
        let names = r#"{"columns":["id","response","correct"],"data":["#;
        let table = format!("{names}{}]}}", table.join(","));
        assert_eq!(check("x.table.json", table.as_bytes(), nothing), all());
        assert_eq!(check("x.csv", CSV.as_bytes(), nothing), all());
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, &written(false, "")).expect("packed");
        assert_eq!(check("x.jsonl.gz", &packed.finish().expect("packed"), nothing), all());
        assert_eq!(check("x.parquet", &parquet(), nothing), all());
    }

    fn parquet() -> Vec<u8> {
        plainly_written(&[
            ("id", Written::texts(["a", "b", "c"])),
            ("response", Written::texts(["one", "two \"2\"", "three\n3"])),
            ("correct", Written::whole([1, 0, 1])),
        ])
    }

    #[test]
    fn a_record_that_is_another_one_now_is_told_and_not_shown() {
        let replaced =
            |text: String| move |path: &Path| std::fs::write(path, text).expect("writes");
        let lines = RECORDS.join("\n");
        for (changed, expected) in [
            // Another id, another answer, a line more at the beginning, and an end too early.
            (lines.replace("\"b\"", "\"x\""), [true, false, true]),
            (lines.replace("three", "tree"), [true, true, false]),
            (format!("\n{lines}"), [false; 3]),
            (RECORDS[0].to_owned(), [true, false, false]),
        ] {
            let found = check("x.jsonl", &written(false, ""), replaced(changed.clone()));
            let is_there: Vec<bool> = found.0.iter().map(Option::is_some).collect();
            assert_eq!(
                (is_there, found.1),
                (expected.to_vec(), vec![Code::RecordsChanged]),
                "{changed}"
            );
        }
        let gone = |path: &Path| std::fs::remove_file(path).expect("gone");
        assert_eq!(
            check("x.jsonl", &written(false, ""), gone),
            (vec![None; 3], vec![Code::RecordsChanged])
        );
    }
}
