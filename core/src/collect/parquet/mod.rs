//! Parquet files as tables of rows. The crate `parquet` decodes values; what a file says of its sizes is
//! held against the file here, before room is made for it.

mod cells;
mod codecs;
mod delta;
mod footer;
mod kind;
mod pages;
mod table;
mod thrift;

use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Seek as _, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex};

use parquet::basic::Type as Physical;
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::ParquetError;
use parquet::schema::types::{ColumnDescriptor, ColumnPath, Type};
use rayon::iter::{IntoParallelRefMutIterator as _, ParallelIterator as _};

pub(super) use cells::{Cell, as_json};
pub(super) use footer::Column;
use footer::{Footer, Group, Leaf, footer};
use pages::Pages;
use table::Values;

use super::watch;
pub(super) use table::{Cells, Table};

/// First and last bytes of a Parquet file.
pub(super) const MAGIC: &[u8] = b"PAR1";
/// Length of the footer's own length and of the magic bytes behind it.
const TAIL: u64 = 8;
/// Values of a leaf that are read at once: of long lists fewer rows than are asked for.
const VALUES_AT_ONCE: usize = 1 << 20;

/// Rows of which columns are read at once; of fewer it takes longer to wake a thread.
const WORTH_SHARING: usize = 1 << 9;

/// A file whose footer is sound.
#[derive(Debug)]
pub(super) struct Parquet {
    file: Arc<Mutex<File>>,
    footer: Footer,
    /// Bytes that may be read as one piece.
    most: u64,
}

impl Parquet {
    pub(super) fn open(path: &Path, most: u64) -> Result<Self, String> {
        let (file, bytes, length) = footer_bytes(path, most).map_err(|error| error.to_string())?;
        let footer = footer(&bytes, length)?;
        Ok(Self { file: Arc::new(Mutex::new(file)), footer, most })
    }

    pub(super) fn schema(&self) -> &[Column] {
        &self.footer.columns
    }

    /// How many rows there are.
    pub(super) fn height(&self) -> usize {
        self.footer.groups.iter().map(|group| group.rows).sum()
    }

    /// The rows of the columns with these names, whose pages are sound; of all columns where there are no
    /// names.
    pub(super) fn rows(&self, names: Option<&[String]>) -> Result<Rows<'_>, String> {
        let is_wanted = |column: &&Column| names.is_none_or(|names| names.contains(&column.name));
        let columns: Vec<&Column> = self.footer.columns.iter().filter(is_wanted).collect();
        let leaves: Vec<usize> =
            columns.iter().flat_map(|column| column.node.leaves.clone()).collect();
        for group in &self.footer.groups {
            for leaf in &leaves {
                self.pages(group, *leaf).check()?;
            }
        }
        Ok(Rows { parquet: self, columns, leaves, groups: self.footer.groups.iter(), open: None })
    }

    fn pages(&self, group: &Group, leaf: usize) -> Pages {
        let of_leaf = &self.footer.leaves[leaf];
        Pages::new(Arc::clone(&self.file), of_leaf, &group.chunks[leaf], self.most)
    }

    fn reader(&self, group: &Group, leaf: usize) -> Result<ColumnReader, ParquetError> {
        let pages = Box::new(self.pages(group, leaf));
        Ok(get_column_reader(Arc::new(descriptor(&self.footer.leaves[leaf])?), pages))
    }
}

/// The rows of a file from the first on, some thousand at a time.
pub(super) struct Rows<'f> {
    parquet: &'f Parquet,
    columns: Vec<&'f Column>,
    /// Those of the columns, as places among all leaves.
    leaves: Vec<usize>,
    groups: std::slice::Iter<'f, Group>,
    open: Option<OpenGroup>,
}

/// A group of rows that is being read.
struct OpenGroup {
    /// One for each leaf that is read.
    readers: Vec<(usize, ColumnReader)>,
    left: usize,
    /// Rows that may be read at once.
    most: usize,
}

impl<'f> Rows<'f> {
    /// The next rows, `most` of them or fewer; nothing at the end.
    pub(super) fn next(&mut self, most: usize) -> Result<Option<Table<'f>>, String> {
        guarded(|| {
            let leaves = &self.parquet.footer.leaves;
            let columns = self.columns.clone();
            let Some(group) = self.open_group()? else { return Ok(None) };
            let height = most.min(group.left).min(group.most);
            let read = |(leaf, reader): &mut (usize, ColumnReader)| {
                (*leaf, Values::read(reader, &leaves[*leaf], height))
            };
            let read: Vec<_> = if height < WORTH_SHARING {
                group.readers.iter_mut().map(read).collect()
            } else {
                group.readers.par_iter_mut().map(read).collect()
            };
            group.left -= height;
            let mut values: Vec<Option<Values>> = leaves.iter().map(|_| None).collect();
            for (leaf, read) in read {
                values[leaf] = Some(read?);
            }
            Ok(Some(Table { columns, leaves: values, height }))
        })
    }

    /// Passes over so many rows.
    pub(super) fn skip(&mut self, mut rows: usize) -> Result<(), String> {
        guarded(|| {
            while rows > 0 {
                if self.open.is_none()
                    && let Some(group) = self.groups.as_slice().first()
                    && group.rows <= rows
                {
                    rows -= group.rows;
                    self.groups.next();
                    continue;
                }
                let Some(group) = self.open_group()? else { return Ok(()) };
                let count = rows.min(group.left);
                for (_, reader) in &mut group.readers {
                    skip(reader, count)?;
                }
                group.left -= count;
                rows -= count;
                if group.left == 0 {
                    self.open = None;
                }
            }
            Ok(())
        })
    }

    /// The group that has the next row.
    fn open_group(&mut self) -> Result<Option<&mut OpenGroup>, ParquetError> {
        while self.open.as_ref().is_none_or(|group| group.left == 0) {
            let Some(group) = self.groups.next() else { return Ok(None) };
            let of_leaf = |leaf: &usize| Ok((*leaf, self.parquet.reader(group, *leaf)?));
            let readers = self.leaves.iter().map(of_leaf).collect::<Result<_, ParquetError>>()?;
            let values = self.leaves.iter().map(|leaf| group.chunks[*leaf].values).max();
            let values = usize::try_from(values.unwrap_or(0)).unwrap_or(0) / group.rows.max(1);
            let most = (VALUES_AT_ONCE / values.max(1)).max(1);
            self.open = Some(OpenGroup { readers, left: group.rows, most });
        }
        Ok(self.open.as_mut())
    }
}

fn skip(reader: &mut ColumnReader, rows: usize) -> Result<usize, ParquetError> {
    match reader {
        ColumnReader::BoolColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int32ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int64ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::Int96ColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::FloatColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::DoubleColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::ByteArrayColumnReader(reader) => reader.skip_records(rows),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => reader.skip_records(rows),
    }
}

/// What the decoders ask of a leaf.
fn descriptor(leaf: &Leaf) -> Result<ColumnDescriptor, ParquetError> {
    let physical = match leaf.physical {
        0 => Physical::BOOLEAN,
        1 => Physical::INT32,
        2 => Physical::INT64,
        3 => Physical::INT96,
        4 => Physical::FLOAT,
        5 => Physical::DOUBLE,
        kind::TEXTS => Physical::BYTE_ARRAY,
        kind::FIXED_LENGTH => Physical::FIXED_LEN_BYTE_ARRAY,
        _ => return Err(ParquetError::External("damaged: a column of no type".into())),
    };
    let length = i32::try_from(leaf.length).unwrap_or(0);
    let of_leaf = Type::primitive_type_builder("", physical).with_length(length).build()?;
    let path = ColumnPath::new(Vec::new());
    Ok(ColumnDescriptor::new(Arc::new(of_leaf), leaf.definition, leaf.repetition, path))
}

/// Runs decoders, which panic on some damaged files where they should return an error.
fn guarded<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(ParquetError::External(damage))) => Err(damage.to_string()),
        Ok(Err(error)) => Err(format!("damaged: {error}")),
        Err(_panic) => Err("damaged".to_owned()),
    }
}

/// The footer between the magic bytes at both ends, and the length of the file, which is open.
fn footer_bytes(path: &Path, most: u64) -> std::io::Result<(File, Vec<u8>, u64)> {
    let damaged = |what: &str| Error::new(ErrorKind::InvalidData, what.to_owned());
    let mut file = File::open(path)?;
    let bytes = file.metadata()?.len();
    watch::note(path, bytes);
    let head = MAGIC.len() as u64;
    if bytes < head + TAIL {
        return Err(damaged("damaged: too short for Parquet"));
    }
    let mut start = [0; 4];
    file.read_exact(&mut start)?;
    let (mut length, mut end) = ([0; 4], [0; 4]);
    file.seek(SeekFrom::Start(bytes - TAIL))?;
    file.read_exact(&mut length)?;
    file.read_exact(&mut end)?;
    if start != MAGIC {
        return Err(damaged("not a Parquet file"));
    }
    if end != MAGIC {
        return Err(damaged("damaged: the file stops in the middle"));
    }
    let length = u64::from(u32::from_le_bytes(length));
    if length > bytes - TAIL - head {
        return Err(damaged("damaged: the footer is larger than the file"));
    }
    if length > most {
        return Err(damaged("a footer of more bytes than the limit `document-mib`"));
    }
    file.seek(SeekFrom::Start(bytes - TAIL - length))?;
    let mut footer = Vec::new();
    (&mut file).take(length).read_to_end(&mut footer)?;
    Ok((file, footer, bytes))
}

#[cfg(test)]
pub(super) mod written;

#[cfg(test)]
mod tests;
