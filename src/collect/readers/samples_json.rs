//! Per-sample records as one JSON list of objects, with an id and at least one score each.
//!
//! Knows lists and lines; what the fields mean is the business of `samples`. A list is read as a
//! whole, because its end tells whether it is one: what is larger belongs into JSON lines.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::collect::content::read_text_below;
use crate::collect::lines::Limits;
use crate::collect::{FileEntry, ReadOptions, ReadResult, Reader};
use crate::diag::Warned;

use super::samples::{Harvest, JsonList, json};

pub const READER: Reader = Reader { name: "samples-json", recognises, read };

/// Records of the head that are looked at before a file is refused.
const HEAD_RECORDS: usize = 20;
/// Largest list that is read, in bytes after decompression.
const LIMIT: u64 = 200 << 20;

fn recognises(file: &FileEntry) -> bool {
    holds_samples(file, &ReadOptions::default())
}

/// Whether the file holds samples, fields that the user declares as metrics included.
pub(super) fn holds_samples(file: &FileEntry, options: &ReadOptions) -> bool {
    let head = file.head.trim_ascii_start();
    if !file.has_extension("json") || !head.starts_with(b"[") {
        return false;
    }
    let head = String::from_utf8_lossy(head);
    let mut harvest = Harvest::choosing(options);
    let (mut seen, mut is_sample) = (0, false);
    // The head may end in the middle of a record: the records before its end tell enough.
    let ended = json::for_each_element(&head, |record| {
        if seen < HEAD_RECORDS && !is_sample {
            harvest.begin();
            is_sample = harvest.take_json(record).is_ok() && harvest.holds_sample();
            seen += 1;
        }
    });
    if let (0, Err(fault)) = (seen, ended) {
        // The first record alone is longer than the head.
        let start = head.find('{').unwrap_or(fault.offset);
        harvest.begin();
        let _cut = harvest.take_json(head.get(start..).unwrap_or_default());
        is_sample = harvest.holds_sample();
    }
    is_sample
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let mut findings = Vec::new();
    let text = read_text_below(file, LIMIT)?.drain_into(&mut findings);
    let mut harvest = Harvest::of_file(file, options);
    whole(&text).take(&mut harvest);
    let read = harvest.into_fragment(file, Limits::from(file.limits).line_bytes);
    let fragment = read.drain_into(&mut findings);
    Ok(Warned::new(fragment, findings))
}

/// Hands on the records of these lines.
pub(in crate::collect) fn records(
    file: &FileEntry,
    wanted: &BTreeSet<u64>,
    take: &mut dyn FnMut(u64, &str),
) -> Result<(), String> {
    let text = read_text_below(file, LIMIT).map_err(|finding| finding.code.id().to_owned())?.value;
    whole(&text).hand_on(wanted, take);
    Ok(())
}

/// Elements are records as they stand.
type AsItStands = fn(&str) -> Result<Cow<'_, str>, json::Malformed>;

fn whole(text: &str) -> JsonList<'_, AsItStands> {
    JsonList { text, list: text, record: |element| Ok(Cow::Borrowed(element)) }
}
