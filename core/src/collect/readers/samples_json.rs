//! Per-sample records as one JSON list of objects, with an id and at least one score each. The list may
//! stand under a name in a document that says more of the run, `{"model": "a", "samples": [{…}, …]}`; or be
//! a table, column by column or below the names of its columns.
//!
//! Knows lists and lines; what the fields mean is the business of `samples`. A list is read as a
//! whole, because its end tells whether it is one: what is larger belongs into JSON lines.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::collect::content::{list_text, list_text_again};
use crate::collect::document::parse_json_line;
use crate::collect::entry::HEAD;
use crate::collect::lines::{Limits, LineCounter};
use crate::collect::{FileEntry, ReadOptions, ReadResult, Reader, foreign};
use crate::diag::Warned;
use crate::model::{Dims, Fragment, Source};

use super::beside_figures::{DATASETS, take_setting};
use super::file_figures::{FigureEntry, scalar};
use super::record_places::list_under;
use super::samples::{Harvest, JsonList, json, json_columns};

pub const READER: Reader = Reader { name: "samples-json", recognises, read };

/// Names under which the records of a document stand.
const LISTS: &[&str] = &[
    "samples",
    "records",
    "data",
    "examples",
    "items",
    "rows",
    "results",
    "details",
    "predictions",
    "responses",
    "outputs",
    "generations",
    "instances",
    "per_sample",
    "per_sample_results",
];
/// Records of the head that are looked at before a file is refused.
const HEAD_RECORDS: usize = 20;

fn recognises(file: &FileEntry) -> bool {
    holds_samples(file, &ReadOptions::default())
}

/// Whether the file holds samples, fields that the user declares as metrics included.
pub(in crate::collect) fn holds_samples(file: &FileEntry, options: &ReadOptions) -> bool {
    if !file.has_extension("json") {
        return false;
    }
    let head = String::from_utf8_lossy(file.head.trim_ascii_start());
    let of_table = json_columns::as_records(&head);
    match head.as_bytes().first() {
        Some(b'[') => lists_samples(&head, options),
        Some(b'{') if let Some(records) = of_table => lists_samples(&records, options),
        Some(b'{') => {
            let mut lists = LISTS.iter().filter_map(|name| list_under(&head, name));
            lists.any(|list| lists_samples(list, options))
                && foreign::program(file).is_none()
                && !has_further_figures(&head)
        }
        _ => false,
    }
}

/// Whether a list, whose end may be missing, holds samples.
fn lists_samples(list: &str, options: &ReadOptions) -> bool {
    let mut harvest = Harvest::choosing(options);
    let (mut seen, mut is_sample) = (0, false);
    // The records before the end of the head tell enough.
    let ended = json::for_each_element(list, |record| {
        if seen < HEAD_RECORDS && !is_sample {
            harvest.begin();
            is_sample = harvest.take_json(record).is_ok() && harvest.holds_sample();
            seen += 1;
        }
    });
    if let (0, Err(fault)) = (seen, ended) {
        // The first record alone is longer than the head.
        let start = list.find('{').unwrap_or(fault.offset);
        harvest.begin();
        let _cut = harvest.take_json(list.get(start..).unwrap_or_default());
        is_sample = harvest.holds_sample();
    }
    is_sample
}

/// Whether a table beside the list holds figures, which readers of figures read.
fn has_further_figures(head: &str) -> bool {
    let mut found = false;
    let _cut = json::for_each_field(head, |_, field| {
        let parsed = field.text.starts_with('{').then(|| parse_json_line(field.text, 1));
        found |=
            parsed.is_some_and(|parsed| parsed.is_ok_and(|one| foreign::is_of_figures(&one.root)));
    });
    found
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let mut findings = Vec::new();
    let text = as_list(list_text(file)?.drain_into(&mut findings));
    let mut harvest = Harvest::of_file(file, options);
    let list = list_in(&text, options);
    records_of(&text, list).take(&mut harvest);
    let read = harvest.into_fragment(file, Limits::from(file.limits).line_bytes);
    let mut fragment = read.drain_into(&mut findings);
    if !std::ptr::eq(list, text.as_str()) {
        add_beside(&text, file, options, &mut fragment);
    }
    Ok(Warned::new(fragment, findings))
}

/// Hands on the records of these lines.
pub(in crate::collect) fn records(
    file: &FileEntry,
    wanted: &BTreeSet<u64>,
    take: &mut dyn FnMut(u64, &str),
) -> Result<(), String> {
    let text = as_list(list_text_again(file)?);
    let list = list_in(&text, &ReadOptions::default());
    records_of(&text, list).hand_on(wanted, take);
    Ok(())
}

/// A text, of which a table is made the list of its rows.
fn as_list(text: String) -> String {
    // Of most documents the beginning shows that they are none.
    let head = text.trim_start();
    let head = head.get(..head.floor_char_boundary(HEAD)).unwrap_or_default();
    let records = json_columns::as_records(head).and_then(|_| json_columns::as_records(&text));
    records.unwrap_or(text)
}

/// The list of samples in a text: all of it, or what stands under a name.
fn list_in<'t>(text: &'t str, options: &ReadOptions) -> &'t str {
    if text.trim_start().starts_with('[') {
        return text;
    }
    let mut named = Vec::new();
    let _torn = json::for_each_field(text, |key, field| {
        let mut scratch = String::new();
        let name = key.name(&mut scratch);
        if let Some(rank) = LISTS.iter().position(|known| *known == name) {
            named.push((rank, field.text));
        }
    });
    named.sort_by_key(|(rank, _)| *rank);
    let whole = named.into_iter().map(|(_, list)| list);
    // Where the document is torn inside its list, the first of the name is that.
    let mut all = whole.chain(LISTS.iter().filter_map(|name| list_under(text, name)));
    all.find(|list| lists_samples(list, options)).unwrap_or(text)
}

/// Settings and figures of a document beside its list, and the dataset of all.
fn add_beside(text: &str, file: &FileEntry, options: &ReadOptions, fragment: &mut Fragment) {
    let mut lines = LineCounter::new(text);
    let mut dataset = None;
    let _torn = json::for_each_field(text, |key, field| {
        if field.text.starts_with('[') {
            return;
        }
        let line = lines.line_of_part(field.text);
        let Ok(parsed) = parse_json_line(field.text, line) else { return };
        let mut scratch = String::new();
        let (name, node) = (key.name(&mut scratch), parsed.root);
        if DATASETS.contains(&name) {
            dataset = node.text().map(str::to_owned);
        }
        if take_setting(name, &node, &[], file, fragment) || node.table().is_some() {
            return;
        }
        let is_known =
            foreign::is_known_metric(name, &options.names) || options.names.is_declared(name);
        if let (true, FigureEntry::Figure(figure)) =
            (is_known, FigureEntry::read(name, &node, &options.names))
        {
            let source = Source::line(&file.display, line, name.to_owned());
            let found = scalar(name, None, &Dims::none(), figure, source, &options.names);
            fragment.scalars.push(found);
        }
    });
    for table in fragment.samples.iter_mut().filter(|table| table.dataset.is_none()) {
        table.dataset.clone_from(&dataset);
    }
    let of_all = fragment.samples.first().and_then(|table| table.dataset.clone());
    fragment.scalars.iter_mut().for_each(|scalar| scalar.dataset.clone_from(&of_all));
}

/// Elements are records as they stand.
type AsItStands = fn(&str) -> Result<Cow<'_, str>, json::Malformed>;

fn records_of<'t>(text: &'t str, list: &'t str) -> JsonList<'t, AsItStands> {
    JsonList { text, list, record: |element| Ok(Cow::Borrowed(element)) }
}
