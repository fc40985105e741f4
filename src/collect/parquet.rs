//! Parquet files as tables of rows, and whether a file is sound enough for polars, which panics on
//! some damaged ones where it should return an error.

use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Result, Seek as _, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use polars::prelude::{
    DataFrame, ParallelStrategy, ParquetReader, PolarsResult, Schema, SchemaExt as _,
    SerReader as _,
};

/// First and last bytes of a Parquet file.
pub(super) const MAGIC: &[u8] = b"PAR1";
/// Length of the footer's own length and of the magic bytes behind it.
const TAIL: u64 = 8;

/// Runs code of polars on a file whose ends are sound. A panic inside becomes an error too.
pub(super) fn guarded<T>(
    path: &Path,
    work: impl FnOnce() -> PolarsResult<T>,
) -> std::result::Result<T, String> {
    check_ends(path).map_err(|error| error.to_string())?;
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(outcome) => outcome.map_err(|error| error.to_string()),
        Err(_panic) => Err("damaged".to_owned()),
    }
}

pub(super) fn extent(path: &Path) -> PolarsResult<(Schema, usize)> {
    let mut reader = ParquetReader::new(File::open(path)?);
    let arrow = reader.schema()?;
    Ok((Schema::from_arrow_schema(arrow.as_ref()), reader.num_rows()?))
}

/// So many rows of a file from that one on; of the named columns where there are names. Of damage in
/// several columns the first is told: threads meet it in any order, so that what one of them said is
/// asked again of one thread.
pub(super) fn rows(
    path: &Path,
    columns: Option<&[String]>,
    start: usize,
    count: usize,
) -> PolarsResult<DataFrame> {
    let read = |parallel| {
        ParquetReader::new(File::open(path)?)
            .with_columns(columns.map(<[String]>::to_vec))
            .with_slice(Some((start, count)))
            .set_rechunk(true)
            .read_parallel(parallel)
            .finish()
    };
    match catch_unwind(AssertUnwindSafe(|| read(ParallelStrategy::Auto))) {
        Ok(Ok(frame)) => Ok(frame),
        _ => read(ParallelStrategy::None),
    }
}

/// Checks the magic bytes at both ends, and that the footer lies between them.
fn check_ends(path: &Path) -> Result<()> {
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
    if u64::from(u32::from_le_bytes(length)) > bytes - TAIL - head {
        return Err(damaged("damaged: the footer is larger than the file"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
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
            let found = guarded(&path, || Ok(())).expect_err(cause);
            assert!(found.contains(cause), "{found}");
        }
    }
}
