//! Rows of a file as a table: the values of each leaf as they are stored, put together cell by cell.

use std::ops::Range;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray, Int96};
use parquet::errors::ParquetError;

use super::cells::Cell;
use super::footer::{Column, Leaf, Node, Shape};
use super::kind::{self, Kind};

const DAMAGED: &str = "damaged: fewer values than rows, or a text that is not UTF-8";

/// So many rows of the columns that are read.
#[derive(Debug)]
pub(in crate::collect) struct Table<'f> {
    pub(super) columns: Vec<&'f Column>,
    /// One for each leaf of the file; nothing of those that are not read.
    pub(super) leaves: Vec<Option<Values>>,
    pub(super) height: usize,
}

/// A column of a table, or a part of one.
#[derive(Debug, Clone, Copy)]
pub(in crate::collect) struct Cells<'t> {
    column: &'t Column,
    leaves: &'t [Option<Values>],
}

impl Table<'_> {
    pub(in crate::collect) fn height(&self) -> usize {
        self.height
    }

    pub(in crate::collect) fn columns(&self) -> impl Iterator<Item = Cells<'_>> {
        self.columns.iter().map(|column| Cells { column, leaves: &self.leaves })
    }

    pub(in crate::collect) fn column(&self, name: &str) -> Option<Cells<'_>> {
        self.columns().find(|cells| cells.column.name == name)
    }
}

impl Column {
    fn kind(&self) -> Option<Kind> {
        match self.node.shape {
            Shape::Leaf(kind) => Some(kind),
            _ => None,
        }
    }

    /// A number of a width that processors have.
    pub(in crate::collect) fn is_plain_number(&self) -> bool {
        matches!(self.kind(), Some(Kind::Whole | Kind::Unsigned | Kind::Real | Kind::Half))
    }

    /// A number that may have a point.
    pub(in crate::collect) fn is_real(&self) -> bool {
        matches!(self.kind(), Some(Kind::Real | Kind::Half | Kind::Decimal(1..)))
    }

    pub(in crate::collect) fn is_number(&self) -> bool {
        self.is_plain_number() || matches!(self.kind(), Some(Kind::Decimal(_)))
    }

    pub(in crate::collect) fn is_flag(&self) -> bool {
        self.kind() == Some(Kind::Flag)
    }

    pub(in crate::collect) fn is_text(&self) -> bool {
        matches!(self.kind(), Some(Kind::Text | Kind::Uuid))
    }

    pub(in crate::collect) fn is_record(&self) -> bool {
        matches!(self.node.shape, Shape::Record(_))
    }
}

impl<'t> Cells<'t> {
    pub(in crate::collect) fn column(&self) -> &'t Column {
        self.column
    }

    /// The members of records.
    pub(in crate::collect) fn members(&self) -> impl Iterator<Item = Self> {
        let fields = match &self.column.node.shape {
            Shape::Record(fields) => &fields[..],
            _ => &[],
        };
        let leaves = self.leaves;
        fields.iter().map(move |column| Self { column, leaves })
    }

    pub(in crate::collect) fn get(&self, row: usize) -> Result<Cell<'t>, String> {
        self.found(row).ok_or_else(|| DAMAGED.to_owned())
    }

    fn found(&self, row: usize) -> Option<Cell<'t>> {
        let node = &self.column.node;
        let leaves = self.leaves.get(node.leaves.clone())?;
        if let (Shape::Leaf(kind), [Some(values)]) = (&node.shape, leaves) {
            return values.take(*kind, &mut values.starts(row)?);
        }
        let places = leaves.iter().map(|values| values.as_ref()?.starts(row));
        let walk = Walk { leaves, first: node.leaves.start };
        walk.cell(node, &mut places.collect::<Option<Vec<_>>>()?)
    }
}

/// Where in the levels and in the values of a leaf.
type Place = (usize, usize);

/// Puts cells together of leaves that each have a place, `first` being the first of them.
struct Walk<'t> {
    leaves: &'t [Option<Values>],
    first: usize,
}

impl<'t> Walk<'t> {
    /// The next cell of a node; the places of its leaves are behind it then.
    fn cell(&self, node: &'t Node, places: &mut [Place]) -> Option<Cell<'t>> {
        let own = self.own(node);
        let definition = self.values(own.start)?.definition(places[own.start].0)?;
        if definition < node.present {
            pass(&mut places[own]);
            return Some(Cell::Null);
        }
        Some(match &node.shape {
            Shape::Leaf(kind) => self.values(own.start)?.take(*kind, &mut places[own.start])?,
            Shape::Record(fields) => {
                let cells = fields
                    .iter()
                    .map(|field| Some((field.name.as_str(), self.cell(&field.node, places)?)));
                Cell::Record(cells.collect::<Option<_>>()?)
            }
            Shape::List { some, .. } if definition < *some => {
                pass(&mut places[own]);
                Cell::List(Vec::new())
            }
            Shape::List { repetition, item, .. } => {
                let mut items = Vec::new();
                loop {
                    items.push(self.cell(item, places)?);
                    let next = self.values(own.start)?.repetitions.get(places[own.start].0);
                    if next.is_none_or(|next| next < repetition) {
                        break Cell::List(items);
                    }
                }
            }
        })
    }

    fn own(&self, node: &Node) -> Range<usize> {
        node.leaves.start - self.first..node.leaves.end - self.first
    }

    fn values(&self, leaf: usize) -> Option<&'t Values> {
        self.leaves[leaf].as_ref()
    }
}

/// Passes over what of some leaves is not there.
fn pass(places: &mut [Place]) {
    for place in places {
        place.0 += 1;
    }
}

/// The values of a leaf in some rows, nulls left out, and the levels that say where they belong.
#[derive(Debug)]
pub(super) struct Values {
    stored: Stored,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
    /// Highest definition level, from which on there is a value.
    full: i16,
    /// Where each row begins; nothing where each has one value.
    starts: Vec<(u32, u32)>,
}

#[derive(Debug)]
enum Stored {
    Flags(Vec<bool>),
    Shorts(Vec<i32>),
    Longs(Vec<i64>),
    Moments(Vec<Int96>),
    Singles(Vec<f32>),
    Reals(Vec<f64>),
    Texts(Vec<ByteArray>),
    Fixed(Vec<FixedLenByteArray>),
}

impl Values {
    /// Reads so many rows, and fails where there are fewer.
    pub(super) fn read(
        reader: &mut ColumnReader,
        leaf: &Leaf,
        rows: usize,
    ) -> Result<Self, ParquetError> {
        let (mut definitions, mut repetitions) = (Vec::new(), Vec::new());
        let levels = (&mut definitions, &mut repetitions);
        let stored = match reader {
            ColumnReader::BoolColumnReader(reader) => Stored::Flags(taken(reader, rows, levels)?),
            ColumnReader::Int32ColumnReader(reader) => Stored::Shorts(taken(reader, rows, levels)?),
            ColumnReader::Int64ColumnReader(reader) => Stored::Longs(taken(reader, rows, levels)?),
            ColumnReader::Int96ColumnReader(reader) => {
                Stored::Moments(taken(reader, rows, levels)?)
            }
            ColumnReader::FloatColumnReader(reader) => {
                Stored::Singles(taken(reader, rows, levels)?)
            }
            ColumnReader::DoubleColumnReader(reader) => Stored::Reals(taken(reader, rows, levels)?),
            ColumnReader::ByteArrayColumnReader(reader) => {
                Stored::Texts(taken(reader, rows, levels)?)
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                Stored::Fixed(taken(reader, rows, levels)?)
            }
        };
        let full = leaf.definition;
        let mut values = Self { stored, definitions, repetitions, full, starts: Vec::new() };
        values.find_starts(rows);
        Ok(values)
    }

    fn find_starts(&mut self, rows: usize) {
        let is_even = self.repetitions.is_empty()
            && self.definitions.iter().all(|definition| *definition == self.full);
        if is_even {
            return;
        }
        self.starts.reserve(rows);
        let mut value = 0;
        for (level, definition) in self.definitions.iter().enumerate() {
            if self.repetitions.get(level).is_none_or(|repetition| *repetition == 0) {
                self.starts.push((level as u32, value));
            }
            value += u32::from(*definition == self.full);
        }
    }

    fn starts(&self, row: usize) -> Option<Place> {
        if self.starts.is_empty() {
            return Some((row, row));
        }
        self.starts.get(row).map(|(level, value)| (*level as usize, *value as usize))
    }

    fn definition(&self, level: usize) -> Option<i16> {
        if self.full == 0 { Some(0) } else { self.definitions.get(level).copied() }
    }

    /// The value at a place, which is behind it then; nothing that is not there.
    fn take(&self, kind: Kind, place: &mut Place) -> Option<Cell<'_>> {
        let (level, value) = *place;
        place.0 += 1;
        if self.definition(level)? != self.full {
            return Some(Cell::Null);
        }
        place.1 += 1;
        Some(match &self.stored {
            Stored::Flags(values) => Cell::Flag(*values.get(value)?),
            Stored::Shorts(values) => kind.whole(i64::from(*values.get(value)?), true),
            Stored::Longs(values) => kind.whole(*values.get(value)?, false),
            Stored::Moments(values) => match values.get(value)?.data() {
                [low, high, day] => {
                    let nanoseconds = u64::from(*high) << 32 | u64::from(*low);
                    kind::old_moment(nanoseconds.cast_signed(), *day)
                }
                _ => return None,
            },
            Stored::Singles(values) => Cell::Single(*values.get(value)?),
            Stored::Reals(values) => Cell::Real(*values.get(value)?),
            Stored::Texts(values) => kind.bytes(values.get(value)?.data())?,
            Stored::Fixed(values) => kind.bytes(values.get(value)?.data())?,
        })
    }
}

fn taken<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    (definitions, repetitions): (&mut Vec<i16>, &mut Vec<i16>),
) -> Result<Vec<T::T>, ParquetError> {
    let mut values = Vec::new();
    let (read, ..) =
        reader.read_records(rows, Some(definitions), Some(repetitions), &mut values)?;
    if read != rows {
        return Err(ParquetError::External(DAMAGED.into()));
    }
    Ok(values)
}
