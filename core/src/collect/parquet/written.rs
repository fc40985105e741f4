//! Parquet files for tests, by the writer of the crate `parquet`.

use std::fmt::Write as _;
use std::sync::Arc;

use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray,
    FixedLenByteArrayType, Int64Type,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

/// The cells of a column.
#[derive(Debug, Clone)]
pub(crate) enum Written {
    Whole(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
    Flag(Vec<Option<bool>>),
    Text(Vec<Option<String>>),
    Lists(Vec<Vec<i64>>),
    /// Of four bytes each.
    Fixed(Vec<Option<[u8; 4]>>),
    Uuids(Vec<Option<[u8; 16]>>),
}

impl Written {
    pub(crate) fn whole(cells: impl IntoIterator<Item = i64>) -> Self {
        Self::Whole(cells.into_iter().map(Some).collect())
    }

    pub(crate) fn texts<T: Into<String>>(cells: impl IntoIterator<Item = T>) -> Self {
        Self::Text(cells.into_iter().map(|text| Some(text.into())).collect())
    }

    fn height(&self) -> usize {
        match self {
            Self::Whole(cells) => cells.len(),
            Self::Real(cells) => cells.len(),
            Self::Flag(cells) => cells.len(),
            Self::Text(cells) => cells.len(),
            Self::Lists(cells) => cells.len(),
            Self::Fixed(cells) => cells.len(),
            Self::Uuids(cells) => cells.len(),
        }
    }

    fn field(&self, name: &str) -> String {
        match self {
            Self::Whole(_) => format!("optional int64 {name};"),
            Self::Real(_) => format!("optional double {name};"),
            Self::Flag(_) => format!("optional boolean {name};"),
            Self::Text(_) => format!("optional binary {name} (STRING);"),
            Self::Lists(_) => format!(
                "required group {name} (LIST) {{ repeated group list {{ required int64 element; }} }}"
            ),
            Self::Fixed(_) => format!("optional fixed_len_byte_array(4) {name};"),
            Self::Uuids(_) => format!("optional fixed_len_byte_array(16) {name} (UUID);"),
        }
    }

    fn write(&self, rows: std::ops::Range<usize>, writer: &mut SerializedColumnWriter<'_>) {
        match self {
            Self::Whole(cells) => put::<Int64Type, _>(writer, &cells[rows], |cell| *cell),
            Self::Real(cells) => put::<DoubleType, _>(writer, &cells[rows], |cell| *cell),
            Self::Flag(cells) => put::<BoolType, _>(writer, &cells[rows], |cell| *cell),
            Self::Text(cells) => {
                put::<ByteArrayType, _>(writer, &cells[rows], |text| {
                    ByteArray::from(text.as_str())
                });
            }
            Self::Fixed(cells) => put::<FixedLenByteArrayType, _>(writer, &cells[rows], |bytes| {
                FixedLenByteArray::from(bytes.to_vec())
            }),
            Self::Uuids(cells) => put::<FixedLenByteArrayType, _>(writer, &cells[rows], |bytes| {
                FixedLenByteArray::from(bytes.to_vec())
            }),
            Self::Lists(cells) => {
                let (mut values, mut definitions, mut repetitions) =
                    (Vec::new(), Vec::new(), Vec::new());
                for list in &cells[rows] {
                    values.extend(list);
                    definitions.extend(vec![i16::from(!list.is_empty()); list.len().max(1)]);
                    repetitions.push(0);
                    repetitions.extend(vec![1; list.len().saturating_sub(1)]);
                }
                let typed = writer.typed::<Int64Type>();
                let levels = (Some(&definitions[..]), Some(&repetitions[..]));
                typed.write_batch(&values, levels.0, levels.1).expect("written");
            }
        }
    }
}

fn put<T: DataType, C>(
    writer: &mut SerializedColumnWriter<'_>,
    cells: &[Option<C>],
    stored: impl Fn(&C) -> T::T,
) {
    let values: Vec<T::T> = cells.iter().flatten().map(stored).collect();
    let definitions: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    writer.typed::<T>().write_batch(&values, Some(&definitions), None).expect("written");
}

/// A file of these columns in groups of so many rows.
pub(crate) fn written(
    columns: &[(&str, Written)],
    rows_in_group: usize,
    properties: WriterProperties,
) -> Vec<u8> {
    let mut schema = "message table {".to_owned();
    for (name, cells) in columns {
        write!(schema, " {}", cells.field(name)).expect("written");
    }
    let schema = parse_message_type(&(schema + " }")).expect("a schema");
    let mut bytes = Vec::new();
    let mut file = SerializedFileWriter::new(&mut bytes, Arc::new(schema), Arc::new(properties))
        .expect("a writer");
    let height = columns.first().map_or(0, |(_, cells)| cells.height());
    for start in (0..height).step_by(rows_in_group) {
        let mut group = file.next_row_group().expect("a group");
        for (_, cells) in columns {
            let mut writer = group.next_column().expect("written").expect("a column");
            cells.write(start..height.min(start + rows_in_group), &mut writer);
            writer.close().expect("written");
        }
        group.close().expect("written");
    }
    file.close().expect("written");
    bytes
}

/// A file of these columns as most writers have it.
pub(crate) fn plainly_written(columns: &[(&str, Written)]) -> Vec<u8> {
    let height = columns.first().map_or(1, |(_, cells)| cells.height());
    written(columns, height, WriterProperties::new())
}
