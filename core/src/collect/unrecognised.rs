//! Files that look like data and that no reader takes: why not, as far as their first bytes tell.

use std::io::Read as _;
use std::path::Path;

use super::content;
use super::database;
use super::discover::holds_compressed_data;
use super::document::{Node, Table, Value, parse_json_line};
use super::entry::HEAD;
use super::numpy;
use super::own_report::claims_to_be_own;
use super::packing::Compression;
use super::parquet::MAGIC;
use super::readers::{self, samples, samples::json};
use super::records::{first_records, header};
use super::stored_table::names_of_results;
use super::{FileEntry, bounded, foreign, plain_name, shown, wandb_files};
use crate::diag::{Code, Diagnostic, Location};
use crate::model::{FileRecord, MetricNames};

/// Texts that people or programs write, in which figures may come late.
const PROSE: &[&str] = &["log", "txt", "out", "md"];
const TABLES: &[&str] = &["csv", "tsv"];
const LINES: &[&str] = &["jsonl", "ndjson"];
/// Results in the own form of a program, which its reader takes unless they are damaged.
const OF_PROGRAMS: &[&str] = &["eval", "wandb"];
/// Files that hold something even where nothing was found.
const NEVER_EMPTY: &[&str] = &["json", "parquet", "eval", "wandb"];
/// What Stable-Baselines3 calls the evaluations of a training.
const EVALUATIONS: &str = "evaluations.npz";
/// What stands in the names of `TensorBoard`'s files.
const EVENTS: &str = ".tfevents.";
/// Vocabularies and manifests that lie beside weights, sources or records drawn for reading.
const NOT_RESULTS: &[&str] = &[
    "tokenizer",
    "tokenizer_config",
    "vocab",
    "special_tokens_map",
    "added_tokens",
    "preprocessor_config",
    "dataset_info",
    "package",
    "package-lock",
    "tsconfig",
    "qa_summary",
];
/// What HELM keeps beside the figures of its instances: requests, answers, questions, and what a scenario is.
const OF_HELM: &[&[&str]] = &[
    &["\"adapter_spec\"", "\"request_states\""],
    &["\"instance_id\"", "\"train_trial_index\"", "\"predicted_text\""],
    &["\"instance_id\"", "\"train_trial_index\"", "\"request\""],
    &["\"input\"", "\"references\"", "\"output\"", "\"tags\"", "\"split\""],
    &["\"definition_path\"", "\"tags\""],
];
/// A document that is no JSON, as far as it was looked at.
const NO_JSON: &str = "no-results";
/// Compressed in a way that is not read.
const COMPRESSED: &str = "compressed";
/// What was looked at ends before it shows what the file is.
const LATE: &str = "late";
/// Lines of a table of which a name of a column may be looked for.
const FIRST_LINES: usize = 20;
/// Files that get a finding each; the rest share one.
const SHOWN: usize = 5;
/// Most names that are shown, and most characters of each.
const NAMES: usize = 8;
const NAME_LENGTH: usize = 40;

#[derive(Debug)]
pub(super) struct Unread {
    pub(super) position: usize,
    /// Whether it cannot hold what its name says, so that nobody knows what it held.
    pub(super) is_damaged: bool,
    path: String,
    cause: UnreadCause,
}

/// Why a file is not read, as a key of the catalogues, with what was seen in it.
#[derive(Debug)]
struct UnreadCause {
    key: &'static str,
    names: Vec<String>,
}

impl UnreadCause {
    fn plain(key: &'static str) -> Self {
        Self { key, names: Vec::new() }
    }

    fn seen(key: &'static str, names: &[String]) -> Self {
        let named = names.iter().filter(|name| !name.is_empty());
        let names = bounded(named.map(|name| name.chars().take(NAME_LENGTH).collect()), NAMES);
        Self { key, names }
    }
}

/// Settings of the Hugging Face trainer, which are a pickle: opening one runs what is in it.
const PICKLED: &str = "training_args.bin";

/// The finding about settings that are not opened, where a run has no others.
pub(super) fn pickled_settings(files: &[FileRecord], input: &Path) -> Option<Diagnostic> {
    let is_it = |file: &&FileRecord| plain_name(&file.relative) == PICKLED;
    let path = input.join(&files.iter().find(is_it)?.relative);
    let cause = UnreadCause::plain("pickle");
    let unread = Unread { position: 0, is_damaged: false, path: shown(&path), cause };
    unread_file_findings(vec![unread]).pop()
}

/// Why nobody reads the file; `None` where nobody would expect it.
pub(super) fn unread(position: usize, file: &FileEntry) -> Option<Unread> {
    if file.head.starts_with(database::MAGIC) {
        let path = file.display.to_string();
        return Some(Unread { position, is_damaged: false, path, cause: database_cause(file)? });
    }
    if let Some(arrays) = numpy::described(file) {
        let path = file.display.to_string();
        return Some(Unread {
            position,
            is_damaged: false,
            path,
            cause: arrays_cause(file, arrays)?,
        });
    }
    let cause = text_cause(file)?;
    let has = |extensions: &[&str]| extensions.iter().any(|end| file.has_extension(end));
    let is_text = has(TABLES) || has(LINES) || has(&["json"]);
    let is_damaged = match cause.key {
        "utf-16"
        | "other-bytes"
        | "long-line"
        | LATE
        | "foreign"
        | foreign::PROMPTFOO
        | "posing"
        | "not-finite" => true,
        "empty" if has(NEVER_EMPTY) || file.name == EVALUATIONS => true,
        "empty" | "blank" => is_torn_at_once(file),
        "no-rows" => !file.head.ends_with(b"\n"),
        _ if names_metric(&cause.names) || is_text && names_result(file) => true,
        "other-name" => foreign::holds_figures(file),
        NO_JSON | COMPRESSED => true,
        _ => has(LINES) && has_broken_line(file),
    };
    Some(Unread { position, is_damaged, path: file.display.to_string(), cause })
}

/// Why nobody reads a file that is neither a database nor one of arrays.
fn text_cause(file: &FileEntry) -> Option<UnreadCause> {
    let has = |extensions: &[&str]| extensions.iter().any(|end| file.has_extension(end));
    let head = file.head.as_slice();
    let is_text = has(TABLES) || has(LINES) || has(&["json"]);
    let is_blank = head.trim_ascii().is_empty();
    let is_utf_16 = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    let is_of_program = has(OF_PROGRAMS) || file.name == EVALUATIONS || file.name.contains(EVENTS);
    let is_binary = if has(&["parquet"]) {
        !head.starts_with(MAGIC)
    } else {
        is_of_program || head.contains(&0)
    };
    let is_long = may_come_late(file);
    let may_hold_results = is_text || is_of_program || is_long || has(&["parquet", "md"]);
    let cause = if holds_compressed_data(&file.name) {
        UnreadCause::plain(COMPRESSED)
    } else if foreign::program(file) == Some(foreign::PROMPTFOO) {
        UnreadCause::plain(foreign::PROMPTFOO)
    } else if is_manifest(file) || !may_hold_results {
        return None;
    } else if is_utf_16 {
        UnreadCause::plain("utf-16")
    } else if is_blank && file.head_is_whole {
        UnreadCause::plain(if file.bytes == 0 { "empty" } else { "blank" })
    } else if is_blank {
        UnreadCause::plain(LATE)
    } else if is_binary {
        UnreadCause::plain("other-bytes")
    } else if is_long {
        UnreadCause::plain(LATE)
    } else if !is_text {
        return None;
    } else if has(TABLES) {
        table_cause(file)
    } else if has(LINES) {
        lines_cause(file)
    } else {
        document_cause(file)
    };
    Some(cause)
}

fn names_metric(names: &[String]) -> bool {
    let known = MetricNames::default();
    names.iter().any(|name| foreign::is_known_metric(name, &known))
}

/// Whether a text has a number, or a list, under the name of a metric or a score, at whatever depth or in
/// whatever line its first bytes have it.
fn names_result(file: &FileEntry) -> bool {
    let names = MetricNames::default();
    let is_result = |name: &str| {
        foreign::is_known_metric(name, &names) || samples::is_known_score(name, &names)
    };
    let text = String::from_utf8_lossy(&file.head);
    if file.has_extension("csv") || file.has_extension("tsv") {
        let cells = text.lines().take(FIRST_LINES).flat_map(|line| line.split([',', '\t', ';']));
        return cells.map(|cell| cell.trim_matches(['"', ' '])).any(is_result);
    }
    // Lists of pairs have a comma in between.
    let is_value = |behind: &str| {
        let value = behind.trim_start().strip_prefix([':', ',']).map(str::trim_start);
        let begins = |c: char| c.is_ascii_digit() || "-[tfN".contains(c);
        value.is_some_and(|value| value.starts_with(begins))
    };
    let pieces: Vec<&str> = text.split('"').collect();
    let holds =
        |pair: &[&str]| matches!(pair, [name, behind] if is_value(behind) && is_result(name));
    // As pandas writes a table whose rows are lists, or a line of names above lines of lists.
    let columns = readers::list_under(&text, "columns").and_then(|list| list.split_once(']'));
    let of_columns = columns.map(|(list, _)| list);
    let first_line = text.lines().next().filter(|line| line.starts_with('['));
    let mut heads = of_columns.into_iter().chain(first_line).flat_map(|list| list.split('"'));
    pieces.windows(2).any(holds) || heads.any(is_result)
}

/// Whether more of the file could show what it is: its first record, or a document, goes on behind what
/// was looked at; or it is a text that may come to figures late.
pub(super) fn may_show_later(file: &FileEntry) -> bool {
    let ends = || file.head.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).take(2).count();
    let has = |extensions: &[&str]| extensions.iter().any(|end| file.has_extension(end));
    if file.head_is_whole || is_manifest(file) {
        false
    } else if has(LINES) {
        ends() == 0
    } else if has(TABLES) {
        ends() < 2
    } else if has(&["json"]) {
        first_element(&file.head).is_none()
    } else {
        has(PROSE) && file.head.len() <= HEAD
    }
}

/// Whether a text goes on behind what was looked at, and may come to figures there.
pub(super) fn may_come_late(file: &FileEntry) -> bool {
    !file.head_is_whole && !is_manifest(file) && PROSE.iter().any(|end| file.has_extension(end))
}

pub(super) fn is_manifest(file: &FileEntry) -> bool {
    let is_of_helm = || {
        let has_all = |marks: &[&str]| marks.iter().all(|mark| file.head_has(mark));
        file.has_extension("json") && OF_HELM.iter().any(|marks| has_all(marks))
    };
    NOT_RESULTS.contains(&file.stem())
        || file.name.ends_with(".index.json")
        || wandb_files::is_logged(file)
        || is_of_helm()
}

/// The first element of a list that stands whole there.
fn first_element(head: &[u8]) -> Option<Node> {
    let text = String::from_utf8_lossy(head);
    let mut first = None;
    let _cut = json::for_each_element(&text, |element| {
        first = first.take().or_else(|| parse_json_line(element, 1).ok());
    });
    first.map(|parsed| parsed.root)
}

/// Whether the first line is no JSON, where it was looked at to its end.
fn has_broken_line(file: &FileEntry) -> bool {
    let head = String::from_utf8_lossy(&file.head);
    let first = head.lines().find(|line| !line.trim().is_empty());
    (file.head_is_whole || head.contains('\n'))
        && first.is_some_and(|line| parse_json_line(line, 1).is_err())
}

/// Whether compressed data ends before anything of it can be read.
fn is_torn_at_once(file: &FileEntry) -> bool {
    let mut first = [0];
    let mut read = || content::open(&file.path, file.packing, file.limits)?.read(&mut first);
    file.packing.compression() != Compression::None && read().is_err()
}

fn table_cause(file: &FileEntry) -> UnreadCause {
    let columns = header(file);
    let has_rows = file.head.trim_ascii().iter().any(|byte| matches!(byte, b'\n' | b'\r'));
    match has_rows {
        true => unknown(&columns),
        false if file.head_is_whole => UnreadCause::plain("no-rows"),
        false => UnreadCause::plain("long-line"),
    }
}

fn lines_cause(file: &FileEntry) -> UnreadCause {
    match first_records(file).first().and_then(Node::table) {
        Some(record) => record_cause(record),
        None if !file.head_is_whole && !file.head.contains(&b'\n') => {
            UnreadCause::plain("long-line")
        }
        None => UnreadCause::plain("no-objects"),
    }
}

fn document_cause(file: &FileEntry) -> UnreadCause {
    if let Some(program) = foreign::program(file) {
        return UnreadCause::seen("foreign", &[program.to_owned()]);
    }
    if claims_to_be_own(file) {
        return UnreadCause::plain("posing");
    }
    let text = String::from_utf8_lossy(&file.head);
    let Ok(parsed) = parse_json_line(&text, 1) else {
        let first = first_element(&file.head);
        return match first.as_ref().map(Node::table) {
            Some(Some(record)) => record_cause(record),
            Some(None) => UnreadCause::plain("no-numbers"),
            None if file.head_is_whole => UnreadCause::plain(NO_JSON),
            None => UnreadCause::plain(LATE),
        };
    };
    let first = parsed.root.list().and_then(|items| items.first()?.table());
    let keys = || parsed.root.table().into_iter().flat_map(Table::keys).cloned();
    let keys = keys().collect::<Vec<String>>();
    match first {
        Some(record) => record_cause(record),
        None if foreign::is_of_records(file) => UnreadCause::seen("records", &keys),
        None if has_number(&parsed.root) => UnreadCause::seen("other-name", &keys),
        None => UnreadCause::seen("no-numbers", &keys),
    }
}

/// The tables of a database of which several hold results, that is the run, or of which a column is called
/// like a metric.
fn database_cause(file: &FileEntry) -> Option<UnreadCause> {
    let opened = database::open(&file.path, file.packing.compression(), file.limits).ok()?;
    let tables = opened.tables().ok()?;
    if foreign::are_of_promptfoo(&tables.iter().map(String::as_str)) {
        return Some(UnreadCause::plain(foreign::PROMPTFOO));
    }
    let of_results = names_of_results(file);
    if of_results.len() > 1 {
        return Some(UnreadCause::seen("several-tables", &of_results));
    }
    let has_metric = |table: &String| {
        let columns = opened.columns(table);
        columns.is_ok_and(|columns| names_metric(&columns))
    };
    let is_told = file.is_run || tables.iter().any(has_metric);
    is_told.then(|| UnreadCause::seen("tables", &tables))
}

/// The arrays of a file that is the run, or of which one is called like a metric, with their shapes.
fn arrays_cause(file: &FileEntry, arrays: Vec<(String, String)>) -> Option<UnreadCause> {
    let (names, shapes): (Vec<String>, Vec<String>) = arrays.into_iter().unzip();
    let shown = names.iter().zip(shapes).map(|(name, shape)| format!("{name} {shape}"));
    let shown: Vec<String> = shown.map(|text| text.trim_end().to_owned()).collect();
    (file.is_run || names_metric(&names)).then(|| UnreadCause::seen("arrays", &shown))
}

/// A record without a score, or whose score is NaN or infinite.
fn record_cause(record: &Table) -> UnreadCause {
    let names: Vec<String> = record.keys().cloned().collect();
    let is_not_finite = |node: &Node| node.number().is_some_and(|number| !number.is_finite());
    match record.iter().find(|(_, node)| is_not_finite(node)) {
        Some((name, _)) => UnreadCause::seen("not-finite", std::slice::from_ref(name)),
        None => unknown(&names),
    }
}

fn has_number(node: &Node) -> bool {
    match &node.value {
        Value::Number(..) => true,
        Value::Table(table) => table.values().any(has_number),
        Value::List(items) => items.iter().any(has_number),
        _ => false,
    }
}

fn unknown(names: &[String]) -> UnreadCause {
    let has_id = names.iter().any(|name| readers::names_sample(name));
    UnreadCause::seen(if has_id { "no-score" } else { "no-id" }, names)
}

/// The findings about such files, a bounded number for a run.
pub(super) fn unread_file_findings(unread: Vec<Unread>) -> Vec<Diagnostic> {
    let rest = unread.len().saturating_sub(SHOWN);
    let finding = |(place, Unread { path, cause, .. }): (usize, Unread)| {
        let shares = place == SHOWN && rest > 1;
        Diagnostic::new(Code::Unrecognised)
            .with("path", path.as_str())
            .with("unread", cause.key)
            .with("names", cause.names)
            .with("others", if shares { "some" } else { "none" })
            .with("more", rest.saturating_sub(1))
            .at(Location::file(path))
    };
    unread.into_iter().take(SHOWN + 1).enumerate().map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_data_file_that_nobody_reads_is_told_with_the_reason() {
        for (name, head, cause) in [
            ("a.csv", &b"\xff\xfei\0d\0"[..], "utf-16:"),
            ("a.jsonl", b"", "empty:"),
            ("a.jsonl", b" \n", "blank:"),
            ("a.csv", b"name,acc\n", "no-rows:"),
            ("a.csv", &[0; 40], "other-bytes:"),
            ("a.md", &[0; 40], "other-bytes:"),
            ("a.parquet", b"version https://git-lfs.github.com/spec/v1\n", "other-bytes:"),
            ("a.csv", b"name,acc\nx,1\n", "no-id: name, acc"),
            ("a.jsonl", b"{\"id\": 1, \"text\": \"x\"}\n", "no-score: id, text"),
            ("a.jsonl", b"{\"id\": 1, \"mine\": NaN}\n", "not-finite: mine"),
            ("a.json", b"{\"note\": \"x\"}", "no-numbers: note"),
            ("a.json", b"{\"note\": 1}", "other-name: note"),
            ("a.json", b"[{\"note\": 1}]", "no-id: note"),
        ] {
            let UnreadCause { key, names } =
                unread(0, &FileEntry::holding(name, head)).expect(cause).cause;
            assert_eq!(format!("{key}: {}", names.join(", ")).trim_end(), cause);
        }
        assert!(unread(0, &FileEntry::holding("tokenizer.json", b"{}")).is_none());
        assert!(unread(0, &FileEntry::holding("notes.txt", b"x")).is_none());
        assert!(unread(0, &FileEntry::holding("notes.md", b"x")).is_none());
        assert!(unread(0, &FileEntry::holding("data.parquet", b"PAR1")).is_none());
    }

    #[test]
    fn many_such_files_share_a_finding() {
        let many: Vec<Unread> = (0..9)
            .filter_map(|at| unread(at, &FileEntry::holding(&format!("{at}.csv"), b"name\nx\n")))
            .collect();
        let found = unread_file_findings(many);
        assert_eq!(found.len(), 6);
        let told = |name: &str| found[5].evidence[name].to_string();
        assert_eq!([told("others"), told("more")], ["some", "3"]);
    }
}
