//! Parquet files as tables of rows. polars believes what such a file says of its sizes, makes room for
//! it, and ends the process where there is none; so they are looked at first.

mod arrow_schema;
mod cells;
mod delta;
mod footer;
mod layouts;
mod pages;
mod thrift;

use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Seek as _, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use polars::prelude::{
    DataFrame, ParallelStrategy, ParquetReader, PolarsResult, Schema, SchemaExt as _,
    SerReader as _,
};

pub(super) use cells::as_json;
use footer::{Footer, footer};

/// First and last bytes of a Parquet file.
pub(super) const MAGIC: &[u8] = b"PAR1";
/// Length of the footer's own length and of the magic bytes behind it.
const TAIL: u64 = 8;

/// A file whose footer is sound.
#[derive(Debug)]
pub(super) struct Parquet<'p> {
    path: &'p Path,
    footer: Footer,
    /// Bytes that may be read as one piece.
    most: u64,
}

/// Columns of a file whose pages are sound.
#[derive(Debug)]
pub(super) struct Columns<'p> {
    path: &'p Path,
    names: Option<Vec<String>>,
}

impl<'p> Parquet<'p> {
    pub(super) fn open(path: &'p Path, most: u64) -> Result<Self, String> {
        let (bytes, length) = footer_bytes(path, most).map_err(|error| error.to_string())?;
        Ok(Self { path, footer: footer(&bytes, length)?, most })
    }

    pub(super) fn extent(&self) -> Result<(Schema, usize), String> {
        guarded(|| {
            let mut reader = ParquetReader::new(File::open(self.path)?);
            let arrow = reader.schema()?;
            Ok((Schema::from_arrow_schema(arrow.as_ref()), reader.num_rows()?))
        })
    }

    /// The named columns; all of them where there are no names.
    pub(super) fn columns(self, names: Option<Vec<String>>) -> Result<Columns<'p>, String> {
        let mut file = File::open(self.path).map_err(|error| error.to_string())?;
        let is_wanted = |column: &[u8]| {
            names.as_ref().is_none_or(|names| names.iter().any(|name| name.as_bytes() == column))
        };
        let wanted: Vec<bool> =
            self.footer.leaves.iter().map(|leaf| is_wanted(&leaf.column)).collect();
        for group in &self.footer.groups {
            for ((leaf, chunk), wanted) in self.footer.leaves.iter().zip(group).zip(&wanted) {
                if *wanted {
                    pages::check(&mut file, leaf, chunk, self.most)?;
                }
            }
        }
        Ok(Columns { path: self.path, names })
    }
}

impl Columns<'_> {
    /// Hands on so many rows from that one on.
    pub(super) fn rows<T>(
        &self,
        start: usize,
        count: usize,
        take: impl FnOnce(&DataFrame) -> PolarsResult<T>,
    ) -> Result<T, String> {
        guarded(|| take(&rows(self.path, self.names.as_deref(), start, count)?))
    }
}

/// Runs code of polars, which panics on some damaged files where it should return an error.
fn guarded<T>(work: impl FnOnce() -> PolarsResult<T>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(outcome) => outcome.map_err(|error| error.to_string()),
        Err(_panic) => Err("damaged".to_owned()),
    }
}

/// So many rows of a file from that one on; of the named columns where there are names. Of damage in
/// several columns the first is told: threads meet it in any order, so that what one of them said is
/// asked again of one thread.
fn rows(
    path: &Path,
    columns: Option<&[String]>,
    start: usize,
    count: usize,
) -> PolarsResult<DataFrame> {
    let read = |parallel| {
        ParquetReader::new(File::open(path)?)
            .with_columns(columns.map(<[String]>::to_vec))
            .with_slice(Some((start, count)))
            // Made one piece, texts that rows share by a dictionary would be copied for each row.
            .set_rechunk(false)
            .read_parallel(parallel)
            .finish()
    };
    match catch_unwind(AssertUnwindSafe(|| read(ParallelStrategy::Auto))) {
        Ok(Ok(frame)) => Ok(frame),
        _ => read(ParallelStrategy::None),
    }
}

/// The footer between the magic bytes at both ends, and the length of the file.
fn footer_bytes(path: &Path, most: u64) -> std::io::Result<(Vec<u8>, u64)> {
    let damaged = |what: &str| Error::new(ErrorKind::InvalidData, what.to_owned());
    let mut file = File::open(path)?;
    let bytes = file.metadata()?.len();
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
    file.take(length).read_to_end(&mut footer)?;
    Ok((footer, bytes))
}

#[cfg(test)]
mod tests {
    use polars::prelude::{
        Column, IntoSeries as _, ListChunked, ParquetCompression, ParquetWriter, Series,
    };

    use super::*;

    #[test]
    fn damaged_ends_are_told_apart_before_polars_sees_them() {
        let directory = tempfile::tempdir().expect("directory");
        let path = directory.path().join("x.parquet");
        for (content, cause) in [
            (&b"PAR1"[..], "too short"),
            (b"PAR1....\x00\x00\x00\x00PAR", "stops in the middle"),
            (b"PAR1....\xff\x00\x00\x00PAR1", "larger than the file"),
            (b"XXXX....\x00\x00\x00\x00PAR1", "not a Parquet file"),
        ] {
            std::fs::write(&path, content).expect("writes");
            let found = Parquet::open(&path, 1 << 20).expect_err(cause);
            assert!(found.contains(cause), "{found}");
        }
    }

    fn written(lists: bool) -> Vec<u8> {
        let texts = (0..40).map(|at| (at % 3 > 0).then(|| "a text".repeat(at % 4)));
        let ids: Series = (0..40_i64).collect();
        let texts: Series = texts.collect();
        let groups: ListChunked = (0..40_i64).map(|at| (0..at % 4).collect::<Series>()).collect();
        let mut columns = vec![
            Column::from(ids.with_name("id".into())),
            Column::from(texts.with_name("text".into())),
        ];
        if lists {
            columns.push(Column::from(groups.into_series().with_name("list".into())));
        }
        let mut frame = DataFrame::new_infer_height(columns).expect("a frame");
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes)
            .with_compression(ParquetCompression::Uncompressed)
            .finish(&mut frame)
            .expect("written");
        bytes
    }

    fn read(path: &Path, bytes: &[u8]) -> Result<usize, String> {
        std::fs::write(path, bytes).expect("writes");
        let parquet = Parquet::open(path, 1 << 20)?;
        parquet.extent()?;
        parquet.columns(None)?.rows(3, 30, |frame| Ok(frame.height()))
    }

    #[test]
    fn a_sound_file_is_read_and_no_damage_of_a_byte_asks_for_more_memory_than_there_is() {
        let directory = tempfile::tempdir().expect("directory");
        let path = directory.path().join("x.parquet");
        for lists in [false, true] {
            let bytes = written(lists);
            assert_eq!(read(&path, &bytes), Ok(30));
            for at in 0..bytes.len() {
                for value in [bytes[at] ^ 1, bytes[at] ^ 0x40, 0xff] {
                    let mut damaged = bytes.clone();
                    damaged[at] = value;
                    // Some bytes are not looked at.
                    let _whatever = read(&path, &damaged);
                }
            }
        }
    }

    #[test]
    fn pages_and_footers_that_say_more_than_the_file_holds_are_damage() {
        let directory = tempfile::tempdir().expect("directory");
        let path = directory.path().join("x.parquet");
        let bytes = written(false);
        // 40 values of the first data page: in the header as 80, behind the sizes.
        let at = bytes.windows(3).position(|part| part == [0x2c, 0x15, 80]).expect("a header") + 2;
        for (count, cause) in [(81, "header"), (82, "more values"), (127, "header")] {
            let mut damaged = bytes.clone();
            damaged[at] = count;
            let found = read(&path, &damaged).expect_err(cause);
            assert!(found.contains(cause), "{count}: {found}");
        }
        let found = Parquet::open(&path, 16).expect_err("a small limit");
        assert!(found.contains("document-mib"), "{found}");
    }
}
