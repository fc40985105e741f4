//! Headers of safetensors files: eight bytes with the header's length (little endian), a JSON object
//! that gives type, shape and offsets of each tensor, then the data.
//!
//! Only the header is read. What it says is kept even where it cannot be true, so that the checks
//! can name the tensor.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use super::super::document::{Node, Parsed, parse_json_line};
use crate::model::{Damage, ShardHeader, Tensor};

/// The longest header that the `safetensors` library reads, in bytes.
const LONGEST_HEADER: u64 = 100_000_000;

/// The key of free text beside the tensors.
const METADATA: &str = "__metadata__";

/// Reads the header of a file of `bytes` bytes.
pub(super) fn header(place: &Path, shown: &str, bytes: u64) -> Result<ShardHeader, Damage> {
    let damage = |cause: String| Damage { path: shown.to_owned(), line: None, cause };
    let read = |error: io::Error| damage(error.to_string());
    if !place.is_file() {
        return Err(damage("it is no file, or a link to none".to_owned()));
    }
    let mut file = File::open(place).map_err(read)?;
    let mut length = [0; 8];
    file.read_exact(&mut length)
        .map_err(|_| damage(format!("{bytes} bytes are too few for a safetensors file")))?;
    let length = u64::from_le_bytes(length);
    if length > LONGEST_HEADER {
        return Err(damage(format!(
            "the first eight bytes ask for a header of {length} bytes: this is no safetensors file"
        )));
    }
    if length > bytes.saturating_sub(8) {
        return Err(damage(format!(
            "the header needs {length} bytes and the file ends after {}",
            bytes.saturating_sub(8)
        )));
    }
    let mut text = vec![0; usize::try_from(length).unwrap_or(0)];
    file.read_exact(&mut text).map_err(read)?;
    if text.first() != Some(&b'{') {
        return Err(damage("the header does not begin with `{`".to_owned()));
    }
    let text = String::from_utf8(text).map_err(|error| damage(error.to_string()))?;
    let Parsed { root, repeated } = parse_json_line(&text, 1)
        .map_err(|syntax| damage(format!("the header is no JSON: {}", syntax.cause)))?;
    let entries = root.table().ok_or_else(|| damage("the header is no object".to_owned()))?;
    let mut found = ShardHeader { data_start: 8 + length, ..ShardHeader::default() };
    found.repeated = repeated.first().iter().map(|(name, _)| name.clone()).collect();
    for (name, entry) in entries.iter().filter(|(name, _)| *name != METADATA) {
        match tensor(name, entry) {
            Ok(tensor) => found.tensors.push(tensor),
            Err(cause) => found.malformed.push((name.clone(), cause.to_owned())),
        }
    }
    Ok(found)
}

fn tensor(name: &str, entry: &Node) -> Result<Tensor, &'static str> {
    let dtype = entry.get("dtype").and_then(Node::text).ok_or("dtype is missing")?;
    let counts = |key: &str| -> Option<Vec<u64>> {
        entry.get(key)?.list()?.iter().map(exact_count).collect()
    };
    let shape = counts("shape").ok_or("shape is missing or no list of whole numbers")?;
    let offsets = counts("data_offsets").ok_or("data_offsets is missing or no list")?;
    let [start, end] = offsets.as_slice() else {
        return Err("data_offsets must be two numbers");
    };
    Ok(Tensor { name: name.to_owned(), dtype: dtype.to_owned(), shape, start: *start, end: *end })
}

/// A whole number from its text: offsets exceed what a double holds exactly.
fn exact_count(node: &Node) -> Option<u64> {
    node.number()?;
    node.written()?.parse().ok()
}
