//! Which file each table of a run is in at last.

use std::collections::BTreeMap;

use prost::Message as _;

use super::super::frames::read_records;
use super::records;
use super::wire::{Item, Record};
use crate::collect::FileEntry;
use crate::collect::document::{Node, parse_json_line, read_document};

/// What a value of a history or a summary says that stands for a file, and where that is.
const KIND: &str = "_type";
const PATH: &str = "path";
/// Kinds of tables end so; one of them is that of a table that is logged in parts.
const TABLE: &str = "table-file";
const IN_PARTS: &str = "incremental-table-file";

/// The files of the tables that the log or the summary of a run names last for each key, relative to the
/// directory of its files, and whether the table is logged in parts, each in a file of its own.
pub(in crate::collect) fn last_tables(file: &FileEntry) -> BTreeMap<String, bool> {
    let mut named = NamedFiles::default();
    if records::begins(&file.head) {
        // What cannot be read is told by whoever reads the figures.
        let _told = read_records(file, records::each, |number, record| {
            let record = Record::decode(record).map_err(|cause| cause.to_string())?;
            let logged = record.history.iter().flat_map(|history| &history.items);
            let summary = record.summary.iter().flat_map(|update| &update.set);
            logged.chain(summary).for_each(|item| named.take_item(item, number));
            Ok(number)
        });
    } else if let Ok(document) = read_document(file) {
        named.take("", &document.value);
    }
    let tables = named.paths.into_iter().filter_map(|(key, path)| {
        let kind = named.kinds.get(&key)?;
        kind.ends_with(TABLE).then(|| (path, kind == IN_PARTS))
    });
    tables.collect()
}

/// Kinds and places of what stands for files, by key.
#[derive(Default)]
struct NamedFiles {
    kinds: BTreeMap<String, String>,
    paths: BTreeMap<String, String>,
}

impl NamedFiles {
    /// Newer versions write a value part by part, older ones whole.
    fn take_item(&mut self, item: &Item, number: u64) {
        let may_name = || [KIND, PATH].iter().any(|name| item.json.contains(name));
        let key = item.key();
        if ([KIND, PATH].iter().any(|name| key.ends_with(name)) || may_name())
            && let Ok(parsed) = parse_json_line(&item.json, number)
        {
            self.take(&key, &parsed.root);
        }
    }

    fn take(&mut self, key: &str, node: &Node) {
        for (name, inner) in node.table().into_iter().flatten() {
            self.take(&format!("{key}.{name}"), inner);
        }
        let (above, name) = key.rsplit_once('.').unwrap_or_default();
        let Some(text) = node.text() else { return };
        let named = match name {
            KIND => &mut self.kinds,
            PATH => &mut self.paths,
            _ => return,
        };
        named.insert(above.to_owned(), text.to_owned());
    }
}
