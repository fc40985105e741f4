//! Files that `[[reader]]` of `reportgen.toml` says how to read: records of any form, and where their parts
//! stand.

use regex::Regex;

use super::super::content::read_text;
use super::super::document::{Node, Table, Value, flatten, read_document};
use super::super::lines::Limits;
use super::super::records::{FileSheet, read_json_lines, read_sheet};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::figure::FileFigure;
use super::file_figures::{read_figures, scalar};
use super::points::Points;
use super::samples::Harvest;
use super::samples::value::RecordValue;
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{DeclaredReader, Dims, Fragment, MetricNames, Point, RecordForm, Run, Source};

pub(in crate::collect) static READER: Reader =
    Reader { name: "declared", recognises: |_| false, read };

/// The field under which a sample has its id.
const ID: &str = "id";

/// Whether the user says how a file is read.
pub(in crate::collect) fn is_declared(file: &FileEntry, options: &ReadOptions) -> bool {
    declaration(file, options).is_some()
}

/// The findings about declarations by which no file of any run was read.
pub(in crate::collect) fn unused(runs: &[Run], options: &ReadOptions) -> Vec<Diagnostic> {
    let files = || runs.iter().flat_map(|run| &run.files);
    let is_unused = |reader: &&DeclaredReader| !files().any(|file| reader.reads(&file.relative));
    let finding = |reader: &DeclaredReader| {
        Diagnostic::new(Code::ReaderUnused)
            .with("files", reader.files())
            .at(reader.declared.clone())
    };
    options.declared.iter().filter(is_unused).map(finding).collect()
}

fn declaration<'o>(file: &FileEntry, options: &'o ReadOptions) -> Option<&'o DeclaredReader> {
    options.declared.iter().find(|reader| reader.reads(&file.relative))
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let Some(reader) = declaration(file, options) else {
        return Ok(Warned::clean(Fragment::default()));
    };
    let mut findings = Vec::new();
    let Records { root, records } = records(file, reader)?.drain_into(&mut findings);
    findings.extend(nowhere(file, reader, root.as_ref(), &records));
    let mut read = if reader.places.id.is_some() {
        samples(file, reader, &records, options)
    } else {
        figures(file, reader, &records, &options.names)?
    };
    for (key, place) in &reader.places.config {
        if let Some(node) = setting(reader, place, root.as_ref(), &records) {
            flatten(node, key, &file.display, &mut read.value.config);
        }
    }
    findings.append(&mut read.diagnostics);
    Ok(Warned::new(read.value, findings))
}

/// The records of a file, and the document that they stand in.
struct Records {
    root: Option<Node>,
    records: Vec<Node>,
}

fn records(file: &FileEntry, reader: &DeclaredReader) -> Result<Warned<Records>, Box<Diagnostic>> {
    let mut findings = Vec::new();
    let none = |records| Records { root: None, records };
    let read = match reader.form {
        RecordForm::Json => {
            let root = read_document(file)?.drain_into(&mut findings);
            let place = reader.records.as_deref().unwrap_or_default();
            let records = match at_pointer(&root, place) {
                Some(Node { value: Value::List(records), .. }) => records.clone(),
                Some(record) => vec![record.clone()],
                None => Vec::new(),
            };
            Records { root: Some(root), records }
        }
        RecordForm::Jsonl => none(read_json_lines(file)?.drain_into(&mut findings).records),
        RecordForm::Csv | RecordForm::Tsv => {
            none(rows(read_sheet(file)?.drain_into(&mut findings)))
        }
        RecordForm::Text => {
            let text = read_text(file)?.drain_into(&mut findings);
            none(reader.line.as_ref().map(|line| matches(line, &text)).unwrap_or_default())
        }
    };
    Ok(Warned::new(read, findings))
}

pub(super) fn rows(sheet: FileSheet) -> Vec<Node> {
    let FileSheet { header, rows } = sheet;
    let row = |(line, cells): (u64, Vec<String>)| record(line, header.iter().cloned().zip(cells));
    rows.into_iter().map(row).collect()
}

/// The named groups of each line that a pattern matches.
fn matches(pattern: &Regex, text: &str) -> Vec<Node> {
    let groups: Vec<&str> = pattern.capture_names().flatten().collect();
    let lines = (1..).zip(text.lines());
    let found = lines.filter_map(|(line, text)| {
        let captures = pattern.captures(text)?;
        let cells = groups.iter().filter_map(|group| {
            Some(((*group).to_owned(), captures.name(group)?.as_str().to_owned()))
        });
        Some(record(line, cells))
    });
    found.collect()
}

fn record(line: u64, cells: impl Iterator<Item = (String, String)>) -> Node {
    let node = |(name, text): (String, String)| {
        let number = text.trim().parse::<f64>();
        let value = number.map_or_else(
            |_| Value::Text(text.clone()),
            |number| Value::Number(number, text.trim().into()),
        );
        (name, Node { line, value })
    };
    Node { line, value: Value::Table(cells.map(node).collect::<Table>()) }
}

/// What stands at a JSON pointer (RFC 6901).
fn at_pointer<'n>(root: &'n Node, pointer: &str) -> Option<&'n Node> {
    pointer.split('/').skip(1).try_fold(root, |node, step| {
        let key = step.replace("~1", "/").replace("~0", "~");
        let item = || node.list()?.get(key.parse::<usize>().ok()?);
        node.get(&key).or_else(item)
    })
}

fn part<'n>(reader: &DeclaredReader, record: &'n Node, place: &str) -> Option<&'n Node> {
    if reader.form.has_pointers() { at_pointer(record, place) } else { record.get(place) }
}

/// A setting: of the document, else of the first record that has it.
fn setting<'n>(
    reader: &DeclaredReader,
    place: &str,
    root: Option<&'n Node>,
    records: &'n [Node],
) -> Option<&'n Node> {
    root.into_iter().chain(records).find_map(|node| part(reader, node, place))
}

/// The findings about places at which no record has anything.
fn nowhere(
    file: &FileEntry,
    reader: &DeclaredReader,
    root: Option<&Node>,
    records: &[Node],
) -> Option<Diagnostic> {
    let is_empty = |place: &str| setting(reader, place, root, records).is_none();
    let empty = reader.places.all().filter(|(_, place)| is_empty(place));
    let places: Vec<String> = empty.map(|(key, place)| format!("{key} = \"{place}\"")).collect();
    let finding = || {
        Diagnostic::new(Code::NothingAtPlace)
            .with("path", &*file.display)
            .with("places", places.clone())
            .with("declared", reader.declared.to_string())
            .at(Location::file(&*file.display))
    };
    (!places.is_empty()).then(finding)
}

/// The names and values of the figures of a record.
fn named<'n>(reader: &'n DeclaredReader, record: &'n Node) -> Vec<(String, &'n Node)> {
    let places = &reader.places;
    let constant = places
        .values
        .iter()
        .filter_map(|(metric, place)| Some((metric.clone(), part(reader, record, place)?)));
    let of_file = places.named.as_ref().and_then(|(metric, value)| {
        let metric = part(reader, record, metric)?.written()?.to_owned();
        Some((metric, part(reader, record, value)?))
    });
    constant.chain(of_file).collect()
}

fn figures(
    file: &FileEntry,
    reader: &DeclaredReader,
    records: &[Node],
    names: &MetricNames,
) -> ReadResult {
    read_figures(
        file,
        names,
        |_| Ok(Warned::clean(())),
        |(), fragment, findings| {
            let mut points = Points::of(names);
            for record in records {
                let place = |place: &Option<String>| part(reader, record, place.as_deref()?);
                let dataset = place(&reader.places.dataset).and_then(Node::written);
                let at = place(&reader.places.step).and_then(Node::number);
                for (metric, node) in named(reader, record) {
                    let Some(figure) = FileFigure::read(node) else { continue };
                    match (at, figure.value.value()) {
                        (Some(at), Some(value)) => {
                            points.add(&metric, "step", Point { at, value, line: node.line });
                        }
                        (None, _) if reader.places.step.is_none() => {
                            let source = Source::line(&file.display, node.line, metric.as_str());
                            let read =
                                scalar(&metric, dataset, &Dims::none(), figure, source, names);
                            fragment.scalars.push(read);
                        }
                        _ => {}
                    }
                }
            }
            fragment.series = points.finish(file).drain_into(findings);
        },
    )
}

fn samples(
    file: &FileEntry,
    reader: &DeclaredReader,
    records: &[Node],
    options: &ReadOptions,
) -> Warned<Fragment> {
    let mut harvest = Harvest::of_file(file, options);
    for record in records {
        harvest.begin();
        let id = reader.places.id.as_deref().and_then(|place| part(reader, record, place));
        let id = id.map(|node| (ID.to_owned(), node));
        for (position, (name, node)) in id.into_iter().chain(named(reader, record)).enumerate() {
            harvest.take(position, &name, cell(node));
        }
        harvest.end(record.line);
    }
    harvest.into_fragment(file, Limits::from(file.limits).line_bytes)
}

fn cell(node: &Node) -> RecordValue<'_> {
    match &node.value {
        Value::Bool(is_so) => RecordValue::Bool(*is_so),
        Value::Number(value, text) => RecordValue::Number { value: *value, text },
        Value::Text(text) => RecordValue::from_cell(text),
        _ => RecordValue::Null,
    }
}
