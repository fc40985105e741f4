//! What the footer of a Parquet file says of its columns, held against what the file can hold. Knows
//! no page.

use base64::prelude::{BASE64_STANDARD, Engine as _};

use super::arrow_schema;
use super::layouts::FOOTER;
use super::thrift::Thrift;

/// Groups of columns in each other; what is nested deeper is read by recursion elsewhere.
const DEEPEST: usize = 64;
/// The key under which Arrow writes its own schema.
const ARROW_SCHEMA: &[u8] = b"ARROW:schema";
/// Bytes of a value of fixed length, of which thousands are made at once.
const LONGEST_FIXED: i64 = 16 << 10;
/// Values of lists that a chunk of any size may have: as many numbers take 128 MiB.
const FEW_VALUES: i64 = 1 << 24;
/// And each of its bytes: lists of thousands of equal values are a few bytes each.
const VALUES_OF_A_BYTE: i64 = 1 << 12;

pub(super) const FIXED_LENGTH: i64 = 7;

#[derive(Debug)]
pub(super) struct Footer {
    pub(super) leaves: Vec<Leaf>,
    /// Of every group of rows one chunk for each leaf.
    pub(super) groups: Vec<Vec<Chunk>>,
}

/// A column without columns inside.
#[derive(Debug)]
pub(super) struct Leaf {
    /// The column of the table that it belongs to.
    pub(super) column: Vec<u8>,
    pub(super) kind: i64,
    pub(super) length: i64,
    pub(super) is_optional: bool,
    pub(super) is_repeated: bool,
}

/// The values of a leaf in a group of rows.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) values: i64,
    pub(super) codec: i64,
}

/// Reads the footer of a file of so many bytes; says what contradicts itself or the file.
pub(super) fn footer(bytes: &[u8], file: u64) -> Result<Footer, &'static str> {
    let (read, _) = Thrift::read(bytes, &FOOTER).ok_or("damaged: the footer is no footer")?;
    let of_arrow = read.list(5).iter().filter(|pair| pair.bytes(1) == Some(ARROW_SCHEMA));
    let mut schemas = of_arrow.filter_map(|pair| BASE64_STANDARD.decode(pair.bytes(2)?).ok());
    if !schemas.all(|schema| arrow_schema::is_readable(&schema, DEEPEST)) {
        return Err(
            "columns nested too deeply, or of a type not read (run-end encoded, list view), in its schema of Arrow",
        );
    }
    let mut elements = read.list(2);
    let mut leaves = Vec::new();
    let (root, rest) = elements.split_first().ok_or("damaged: no schema")?;
    elements = rest;
    for _ in 0..root.integer(5).unwrap_or(0) {
        descend(&mut elements, None, (false, false), &mut leaves)
            .ok_or("damaged: the schema is no tree")?;
    }
    if !elements.is_empty() {
        return Err("damaged: the schema is no tree");
    }
    if leaves
        .iter()
        .any(|leaf| leaf.kind == FIXED_LENGTH && !(1..=LONGEST_FIXED).contains(&leaf.length))
    {
        return Err("damaged: values of a fixed length that is none");
    }
    let mut rows = read.list(4).iter().map(|group| group.integer(3).filter(|rows| *rows >= 0));
    let rows = rows.try_fold(0_i64, |sum, rows| sum.checked_add(rows?));
    if rows.is_none() || rows != read.integer(3) {
        return Err("damaged: its parts have other numbers of rows than the whole");
    }
    let groups = read.list(4).iter().map(|group| chunks(group, &leaves, file));
    Ok(Footer { groups: groups.collect::<Result<_, _>>()?, leaves })
}

/// One element of the schema with all below it.
fn descend<'t>(
    elements: &mut &'t [Thrift<'t>],
    column: Option<(&'t [u8], usize)>,
    (is_optional, is_repeated): (bool, bool),
    leaves: &mut Vec<Leaf>,
) -> Option<()> {
    let (element, rest) = elements.split_first()?;
    *elements = rest;
    let (column, depth) = column.unwrap_or((element.bytes(4)?, 0));
    let repetition = element.integer(3).unwrap_or(0);
    let levels = (is_optional || repetition != 0, is_repeated || repetition == 2);
    let children = element.integer(5).unwrap_or(0);
    if depth > DEEPEST || children < 0 {
        return None;
    }
    if children == 0 {
        leaves.push(Leaf {
            column: column.to_vec(),
            kind: element.integer(1)?,
            length: element.integer(2).unwrap_or(0),
            is_optional: levels.0,
            is_repeated: levels.1,
        });
    }
    for _ in 0..children {
        descend(elements, Some((column, depth + 1)), levels, leaves)?;
    }
    Some(())
}

fn chunks(group: &Thrift<'_>, leaves: &[Leaf], file: u64) -> Result<Vec<Chunk>, &'static str> {
    let columns = group.list(1);
    if columns.len() != leaves.len() {
        return Err("damaged: its parts have other columns than the schema");
    }
    let rows = group.integer(3).unwrap_or(0);
    let chunk = |(column, leaf): (&Thrift<'_>, &Leaf)| {
        let column = column.field(3)?;
        let start = column.integer(11).or(column.integer(9))?;
        let bytes = column.integer(7)?;
        let end = start.checked_add(bytes)?;
        let values = column.integer(5)?;
        let most = FEW_VALUES.max(bytes.saturating_mul(VALUES_OF_A_BYTE));
        let is_sound = start >= 0
            && bytes >= 0
            && end.unsigned_abs() <= file
            && if leaf.is_repeated { (0..=most).contains(&values) } else { values == rows };
        is_sound.then_some(Chunk {
            start: start.unsigned_abs(),
            end: end.unsigned_abs(),
            values,
            codec: column.integer(4)?,
        })
    };
    let chunks = columns.iter().zip(leaves).map(chunk);
    chunks.collect::<Option<_>>().ok_or("damaged: a column of other sizes than the file can hold")
}
