//! How files that no reader takes could be declared, by what stands in them: the records, what tells these
//! apart, and their numbers.
//!
//! A suggestion was tried: it reads something of its file. What its numbers mean only a person knows.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use indexmap::IndexMap;
use regex::Regex;

use super::super::content::read_text;
use super::super::document::{Node, Value, read_document};
use super::super::records::{read_json_lines, read_sheet};
use super::super::{FileEntry, ReadOptions};
use super::column_roles::{METRIC_NAMES, VALUES, is_beside, is_dataset};
use super::declared::{self, rows};
use super::points::is_metric;
use super::sample_ids;
use super::settings_beside::BLOCKS;
use crate::diag::{Diagnostic, Location};
use crate::model::{
    CHECKPOINT_DIMS, DeclaredReader, MetricNames, RecordForm, RecordPlaces, axis_of_key,
};

const UNREADABLE: &str = "unreadable";
const NO_NUMBERS: &str = "no-numbers";
const ALIKE: &str = "alike";
const NO_LINES: &str = "no-lines";

/// A number in a line.
const NUMBER: &str = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?i:nan|inf)";
/// A name with a number behind it in a line.
static PAIR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pair =
        format!(r"(?P<name>[\p{{L}}_][\w./@-]*)(?P<sign>\s*[:=]\s*|\s+)(?P<number>{NUMBER})");
    Regex::new(&pair).ok()
});

/// How a file could be declared.
///
/// # Errors
/// The key of the reason, where nothing can be suggested.
pub(in crate::collect) fn suggested(
    file: &FileEntry,
    form: RecordForm,
    options: &ReadOptions,
) -> Result<DeclaredReader, &'static str> {
    let unreadable = |_: Box<Diagnostic>| UNREADABLE;
    let names = &options.names;
    let mut list = None;
    let (pattern, places) = match form {
        RecordForm::Text => {
            let text = read_text(file).map_err(unreadable)?.value;
            let (pattern, places) = of_lines(&text, names).ok_or(NO_LINES)?;
            (Some(pattern), places)
        }
        RecordForm::Json => {
            let root = read_document(file).map_err(unreadable)?.value;
            let found = records(&root, "").unwrap_or_default();
            list = Some(found.place).filter(|place| !place.is_empty());
            let records =
                if found.records.is_empty() { std::slice::from_ref(&root) } else { found.records };
            let places = of_records(records, form, names)?;
            (None, RecordPlaces { config: settings(&root), ..places })
        }
        RecordForm::Jsonl => {
            let lines = read_json_lines(file).map_err(unreadable)?.value;
            (None, of_records(&lines.records, form, names)?)
        }
        RecordForm::Csv | RecordForm::Tsv => {
            let sheet = read_sheet(file).map_err(unreadable)?.value;
            (None, of_records(&rows(sheet), form, names)?)
        }
    };
    let files = DeclaredReader::pattern_of(&file.relative);
    let at = Location::file(&*file.display);
    let reader = DeclaredReader::new(&files, form, list, pattern.as_deref(), places, at);
    let reader = reader.map_err(|_| NO_NUMBERS)?;
    let options = ReadOptions { declared: [reader.clone()].into(), ..options.clone() };
    let read = (declared::READER.read)(file, &options).map_err(unreadable)?.value;
    let is_read = !(read.scalars.is_empty() && read.series.is_empty() && read.samples.is_empty());
    is_read.then_some(reader).ok_or(NO_NUMBERS)
}

/// A list of records in a document, and its JSON pointer.
#[derive(Default)]
struct RecordList<'n> {
    place: String,
    records: &'n [Node],
}

/// The longest list of tables, outside of lists.
fn records<'n>(node: &'n Node, place: &str) -> Option<RecordList<'n>> {
    if let Some(records) = node.list() {
        let are_records = !records.is_empty() && records.iter().all(|node| node.table().is_some());
        return are_records.then(|| RecordList { place: place.to_owned(), records });
    }
    let below = node.entries().filter_map(|(key, node)| records(node, &pointer(place, key)));
    below.reduce(
        |longest, next| {
            if next.records.len() > longest.records.len() { next } else { longest }
        },
    )
}

fn pointer(above: &str, key: &str) -> String {
    format!("{above}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// Tables of settings beside the results of a document.
fn settings(root: &Node) -> IndexMap<String, String> {
    let is_block = |key: &str, node: &Node| node.table().is_some() && BLOCKS.contains(&key);
    let blocks = root.entries().filter(|(key, node)| is_block(key, node));
    blocks.map(|(key, _)| (key.clone(), pointer("", key))).collect()
}

/// What stands at one place of the records.
struct Leaf<'n> {
    /// Keys down to it, in lower case.
    keys: Vec<String>,
    name: String,
    nodes: Vec<Option<&'n Node>>,
}

impl Leaf<'_> {
    fn key(&self) -> &str {
        self.keys.last().map_or("", String::as_str)
    }

    fn holds(&self, is_it: impl Fn(&Value) -> bool) -> bool {
        let mut values =
            self.nodes.iter().flatten().filter(|node| node.value != Value::Null).peekable();
        values.peek().is_some() && values.all(|node| is_it(&node.value))
    }

    fn holds_numbers(&self) -> bool {
        self.holds(|value| matches!(value, Value::Number(..)))
    }
}

/// The leaves of all records by their places.
fn leaves(records: &[Node], form: RecordForm) -> IndexMap<String, Leaf<'_>> {
    let mut leaves = IndexMap::new();
    for (at, record) in records.iter().enumerate() {
        note_leaves(record, "", &[], (at, form), &mut leaves);
    }
    for leaf in leaves.values_mut() {
        leaf.nodes.resize(records.len(), None);
    }
    leaves
}

fn note_leaves<'n>(
    node: &'n Node,
    place: &str,
    above: &[String],
    (at, form): (usize, RecordForm),
    leaves: &mut IndexMap<String, Leaf<'n>>,
) {
    for (key, node) in node.entries() {
        let is_plain = !key.is_empty() && !key.chars().any(char::is_control);
        if !is_plain || above.is_empty() && BLOCKS.contains(&key.as_str()) {
            continue;
        }
        let place = if form.has_pointers() { pointer(place, key) } else { key.clone() };
        let keys = [above, &[key.to_lowercase()]].concat();
        if node.table().is_some() {
            note_leaves(node, &place, &keys, (at, form), leaves);
        } else if node.list().is_none() {
            let new = || Leaf { keys, name: key.clone(), nodes: Vec::new() };
            let leaf = leaves.entry(place).or_insert_with(new);
            leaf.nodes.resize(at, None);
            leaf.nodes.push(Some(node));
        }
    }
}

fn is_id(key: &str) -> bool {
    sample_ids::is_name(key) || key.ends_with("_id")
}

fn is_step(key: &str) -> bool {
    axis_of_key(key).is_some_and(|axis| CHECKPOINT_DIMS.contains(&axis))
}

/// The places of what tells records apart, and of their numbers.
fn of_records(
    records: &[Node],
    form: RecordForm,
    names: &MetricNames,
) -> Result<RecordPlaces, &'static str> {
    let leaves = leaves(records, form);
    let first = |is_it: &dyn Fn(&Leaf<'_>) -> bool| {
        leaves.iter().find(|(_, leaf)| is_it(leaf)).map(|(place, _)| place.clone())
    };
    let is_text = |leaf: &Leaf<'_>| leaf.holds(|value| matches!(value, Value::Text(_)));
    let metric = first(&|leaf| METRIC_NAMES.contains(&leaf.key()) && is_text(leaf));
    let value = first(&|leaf| VALUES.contains(&leaf.key()) && leaf.holds_numbers());
    let named = metric.zip(value);
    let written = |place: &str, at: usize| leaves.get(place)?.nodes.get(at).copied()??.written();
    let are_apart = |place: Option<&str>| {
        let of_record = |at: usize| {
            let metric = named.as_ref().map(|(metric, _)| written(metric, at));
            (metric, place.map(|place| written(place, at)))
        };
        let parts: BTreeSet<_> = (0..records.len()).map(of_record).collect();
        parts.len() == records.len()
    };
    let is_several = records.len() > 1;
    let apart = |place: Option<String>| place.filter(|place| is_several && are_apart(Some(place)));
    let id = apart(first(&|leaf| is_id(leaf.key()))).filter(|_| named.is_none());
    let step =
        apart(first(&|leaf| is_step(leaf.key()) && leaf.holds_numbers())).filter(|_| id.is_none());
    let dataset = first(&|leaf| is_dataset(leaf.key()) && is_text(leaf));
    let dataset = dataset.filter(|_| id.is_none() && step.is_none());
    if id.is_none() && step.is_none() && !are_apart(dataset.as_deref()) {
        return Err(ALIKE);
    }
    let is_value = |leaf: &Leaf<'_>| {
        let key = leaf.key();
        let is_flag = || id.is_some() && leaf.holds(|value| matches!(value, Value::Bool(_)));
        let is_coordinate = is_id(key) || is_step(key) || !is_metric(key, names);
        // Beside steps a learning rate is a curve.
        let is_beside = step.is_none() && is_beside(key);
        (leaf.holds_numbers() || is_flag()) && !is_coordinate && !is_beside
    };
    let found: Vec<_> = leaves.iter().filter(|(_, leaf)| is_value(leaf)).collect();
    let values = found.iter().filter(|_| named.is_none()).map(|(place, leaf)| {
        let is_alone = found.iter().filter(|(_, other)| other.key() == leaf.key()).count() == 1;
        let name = if is_alone { leaf.name.clone() } else { leaf.keys.join("/") };
        (name, (*place).clone())
    });
    let values: IndexMap<String, String> = values.collect();
    let has_figures = named.is_some() || !values.is_empty();
    let places = RecordPlaces { id, dataset, step, named, values, config: IndexMap::new() };
    has_figures.then_some(places).ok_or(NO_NUMBERS)
}

/// The names that have numbers in a line, in their order.
fn pairs(line: &str) -> Vec<(&str, f64)> {
    let mut pairs = Vec::<(&str, f64)>::new();
    for found in PAIR.iter().flat_map(|pair| pair.captures_iter(line)) {
        let part = |group: &str| found.name(group).map_or("", |part| part.as_str());
        let (name, number) = (part("name"), part("number"));
        let end = found.get(0).map_or(0, |whole| whole.end());
        let behind = line.get(end..).unwrap_or_default();
        // A unit, a time or a date is no number.
        let further = behind.trim_start_matches(['-', ':']);
        let goes_on = further.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_said = !part("sign").trim().is_empty() || is_step(&name.to_lowercase());
        if let (Ok(number), true, false) = (number.parse(), is_said, goes_on)
            && !pairs.iter().any(|(other, _)| *other == name)
        {
            pairs.push((name, number));
        }
    }
    pairs
}

/// The lines that come most often with a step and the same names: a pattern and its groups.
fn of_lines(text: &str, names: &MetricNames) -> Option<(String, RecordPlaces)> {
    let is_wanted = |name: &str| is_step(&name.to_lowercase()) || is_metric(name, names);
    let mut kinds = IndexMap::<Vec<&str>, BTreeSet<u64>>::new();
    for line in text.lines() {
        let mut pairs = pairs(line);
        pairs.retain(|(name, _)| is_wanted(name));
        let step = pairs.iter().find(|(name, _)| is_step(&name.to_lowercase()));
        let has_value = pairs.iter().any(|(name, _)| !is_step(&name.to_lowercase()));
        if let (Some(&(step, at)), true) = (step, has_value) {
            pairs.retain(|(name, _)| *name == step || !is_step(&name.to_lowercase()));
            let kind = pairs.iter().map(|(name, _)| *name).collect();
            kinds.entry(kind).or_default().insert(at.to_bits());
        }
    }
    let most = kinds.into_iter().filter(|(_, steps)| steps.len() > 1);
    let (kind, _) =
        most.reduce(|most, next| if next.1.len() > most.1.len() { next } else { most })?;
    let mut places = RecordPlaces::default();
    let mut parts = Vec::new();
    for (at, name) in kind.into_iter().enumerate() {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let group: String = name.chars().map(plain).collect();
        let begins = group.starts_with(|c: char| c.is_ascii_alphabetic());
        let is_taken = places.all().any(|(_, other)| other == group);
        let group = if begins && !is_taken { group } else { format!("value_{at}_{group}") };
        let is_step = is_step(&name.to_lowercase());
        let sign = if is_step { r"\s*[:=]?\s*" } else { r"\s*[:=]\s*" };
        parts.push(format!(r"\b{}{sign}(?P<{group}>{NUMBER})", regex::escape(name)));
        if is_step {
            places.step = Some(group);
        } else {
            places.values.insert(name.to_owned(), group);
        }
    }
    Some((parts.join(".*?"), places))
}
