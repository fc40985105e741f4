//! Arrays of numbers as `NumPy` writes them (`.npy`, and `.npz`, an archive of them), by
//! <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>. Arrays of objects are pickles
//! and are never read.

use std::io::{self, Read};

use zip::result::ZipError;

use super::FileEntry;
use super::archive::{self, Archive};

/// How a single array begins, behind which two bytes of a version follow.
const MAGIC: &[u8] = b"\x93NUMPY";
const EXTENSION: &str = ".npy";
/// Most bytes of what stands before the numbers.
const MOST_HEAD: u64 = 1 << 17;
/// Bytes of numbers that are held at once, unless a row has more.
const BLOCK: usize = 1 << 16;
/// Most arrays of an archive that are looked at.
const MOST_ARRAYS: usize = 1000;

/// Takes the numbers of a row, those along the last index.
pub(super) type TakeRow<'t> = dyn FnMut(&[f64]) + 't;
/// Makes numbers of bytes.
type Decode = fn(&[u8], &mut Vec<f64>);

/// What stands before the numbers.
struct Header<'a> {
    /// How a number is written: `<f8`, `|b1`.
    kind: &'a str,
    shape: Vec<usize>,
    is_by_first_index: bool,
    body: &'a [u8],
}

impl<'a> Header<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let ([major, _], rest) = rest.split_first_chunk::<2>()?;
        let (length, rest) = if *major == 1 {
            let (length, rest) = rest.split_first_chunk()?;
            (usize::from(u16::from_le_bytes(*length)), rest)
        } else {
            let (length, rest) = rest.split_first_chunk()?;
            (usize::try_from(u32::from_le_bytes(*length)).ok()?, rest)
        };
        let (text, body) = rest.split_at_checked(length)?;
        let text = std::str::from_utf8(text).ok()?;
        let behind = |key: &str| Some(text.split_once(&format!("'{key}':"))?.1.trim_start());
        let kind = behind("descr")?;
        let kind = kind.strip_prefix('\'').and_then(|kind| kind.split_once('\''));
        let (shape, _) = behind("shape")?.strip_prefix('(')?.split_once(')')?;
        let sizes = shape.split(',').map(str::trim).filter(|size| !size.is_empty());
        Some(Self {
            kind: kind.map_or("", |(kind, _)| kind),
            shape: sizes.map(|size| size.parse().ok()).collect::<Option<_>>()?,
            is_by_first_index: behind("fortran_order")?.starts_with("True"),
            body,
        })
    }

    /// How many bytes a number of this kind has, and what makes numbers of them.
    fn decoder(&self) -> Option<(usize, Decode)> {
        fn each<const N: usize>(
            bytes: &[u8],
            numbers: &mut Vec<f64>,
            number: impl Fn([u8; N]) -> f64,
        ) {
            numbers.extend(bytes.as_chunks::<N>().0.iter().map(|bytes| number(*bytes)));
        }
        let (size, decode): (usize, Decode) = match self.kind {
            "<f8" => (8, |bytes, to| each(bytes, to, f64::from_le_bytes)),
            "<f4" => (4, |bytes, to| each(bytes, to, |four| f64::from(f32::from_le_bytes(four)))),
            "<i8" => (8, |bytes, to| each(bytes, to, |eight| i64::from_le_bytes(eight) as f64)),
            "<i4" => (4, |bytes, to| each(bytes, to, |four| f64::from(i32::from_le_bytes(four)))),
            "|b1" => (1, |bytes, to| each(bytes, to, |[byte]| f64::from(u8::from(byte != 0)))),
            _ => return None,
        };
        let is_in_order = !self.is_by_first_index || self.shape.len() < 2;
        is_in_order.then_some((size, decode))
    }

    /// Hands on the rows that stand in the head and behind it, as many as fit into a block at once. Says whether
    /// they are numbers that are read, and as many as the shape says.
    fn for_each_row(&self, behind: &mut dyn Read, take: &mut TakeRow<'_>) -> io::Result<bool> {
        let count = self.shape.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
        let (Some(count), Some((size, decode))) = (count, self.decoder()) else { return Ok(false) };
        let row = self.shape.last().copied().unwrap_or(1).max(1);
        let at_once = (BLOCK / size / row).max(1).saturating_mul(row).saturating_mul(size) as u64;
        let mut source = self.body.chain(behind);
        let (mut bytes, mut numbers, mut left) = (Vec::new(), Vec::new(), count);
        loop {
            bytes.clear();
            source.by_ref().take(at_once).read_to_end(&mut bytes)?;
            if bytes.is_empty() {
                return Ok(left == 0);
            }
            numbers.clear();
            decode(&bytes, &mut numbers);
            let is_whole = bytes.len() == numbers.len() * size;
            match left.checked_sub(numbers.len()) {
                Some(rest) if is_whole => left = rest,
                _ => return Ok(false),
            }
            numbers.chunks_exact(row).for_each(&mut *take);
        }
    }

    /// The shape as a person writes it: `100×5`.
    fn shown_shape(&self) -> String {
        self.shape.iter().map(ToString::to_string).collect::<Vec<_>>().join("×")
    }
}

/// Whether an archive looks like one of arrays, the first of which has that name.
pub(super) fn begins_with(file: &FileEntry, first: &str) -> bool {
    const NAME: usize = 30;
    let named = |rest: &[u8]| {
        rest.strip_prefix(first.as_bytes())?.strip_prefix(EXTENSION.as_bytes()).map(|_| ())
    };
    let is_first = || file.head.get(NAME..).and_then(named).is_some();
    file.head.starts_with(archive::MAGIC) && is_first()
}

/// The names of the arrays of an archive; `None` where it is none, or not one of arrays.
pub(super) fn names(file: &FileEntry) -> Option<Vec<String>> {
    let opened = archive::open(&file.path).ok()?;
    let names = opened.file_names().take(MOST_ARRAYS);
    names.map(|name| Some(name.strip_suffix(EXTENSION)?.to_owned())).collect()
}

/// Hands on the rows of an array of an archive. Gives its shape; nothing where the archive has none of that name.
///
/// # Errors
/// When the array is damaged, or has more bytes than `limit`, or holds no numbers of a kind that is read. Rows may
/// have been handed on by then.
pub(super) fn for_each_row(
    archive: &mut Archive,
    name: &str,
    limit: u64,
    take: &mut TakeRow<'_>,
) -> Result<Option<Vec<usize>>, String> {
    let part = format!("{name}{EXTENSION}");
    let Some(number) = archive.index_for_name(&part) else { return Ok(None) };
    let damaged = |cause: ZipError| format!("{part}: {cause}");
    let opened = archive.by_index(number).map_err(damaged)?;
    let mut source = opened.take(limit.saturating_add(1));
    let read = rows_of(&part, &mut source, take);
    // What is wrong with the bytes comes before what is wrong with what they say.
    let read = read.and_then(|shape| io::copy(&mut source, &mut io::sink()).map(|_| shape));
    let shape = read.map_err(|cause| damaged(cause.into()))?;
    if source.limit() == 0 {
        return Err(format!(
            "{part} is larger than {} MiB; --limit document-mib=NUMBER allows more",
            limit >> 20
        ));
    }
    shape.map(Some)
}

/// The shape of an array of which the rows are handed on, or why it has none that are read.
fn rows_of(
    part: &str,
    source: &mut dyn Read,
    take: &mut TakeRow<'_>,
) -> io::Result<Result<Vec<usize>, String>> {
    let mut head = Vec::new();
    source.take(MOST_HEAD).read_to_end(&mut head)?;
    let Some(header) = Header::read(&head) else {
        return Ok(Err(format!("{part} is no array of NumPy")));
    };
    if header.for_each_row(source, take)? {
        return Ok(Ok(header.shape));
    }
    let kind = header.kind;
    Ok(Err(format!(
        "{part} holds no numbers that are read (f4, f8, i4, i8, b1 by rows), but `{kind}`"
    )))
}

/// The arrays of a file, each with its shape; `None` where it holds none.
pub(super) fn described(file: &FileEntry) -> Option<Vec<(String, String)>> {
    if let Some(header) = Header::read(&file.head) {
        return Some(vec![(file.stem().to_owned(), header.shown_shape())]);
    }
    if !file.head.starts_with(archive::MAGIC) {
        return None;
    }
    let names = names(file)?;
    let mut archive = archive::open(&file.path).ok()?;
    let mut shape = |name: &String| {
        let head = archive::head(&mut archive, &format!("{name}{EXTENSION}"), MOST_HEAD).ok()?;
        Some(Header::read(&head)?.shown_shape())
    };
    Some(names.iter().map(|name| (name.clone(), shape(name).unwrap_or_default())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An array as `NumPy` 2.4.6 writes it, but for the length of the blanks at the end of its head.
    fn npy(head: &str, body: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\0".to_vec();
        bytes.extend(u16::try_from(head.len()).expect("a short head").to_le_bytes());
        bytes.extend_from_slice(head.as_bytes());
        bytes.extend_from_slice(body);
        bytes
    }

    #[test]
    fn numbers_are_read_by_rows_and_nothing_else_is() {
        let head = |kind: &str, order: &str, shape: &str| {
            format!("{{'descr': {kind}, 'fortran_order': {order}, 'shape': {shape}, }}\n")
        };
        let twos = [2.0_f64.to_le_bytes(), (-0.5_f64).to_le_bytes()].concat();
        for (kind, order, shape, body, expected) in [
            ("'<f8'", "False", "(2,)", &twos[..], Some(vec![2.0, -0.5])),
            ("'<f8'", "False", "(1, 2)", &twos, Some(vec![2.0, -0.5])),
            ("'<f8'", "True", "(2,)", &twos, Some(vec![2.0, -0.5])),
            ("'<f8'", "True", "(1, 2)", &twos, None),
            ("'<f8'", "False", "(3,)", &twos, None),
            ("'<f8'", "False", "(4294967296, 4294967297)", &twos, None),
            ("'>f8'", "False", "(2,)", &twos, None),
            ("'|O'", "False", "(2,)", &twos, None),
            ("[('a', '<f8')]", "False", "(2,)", &twos, None),
            ("'<f4'", "False", "(1,)", &1.5_f32.to_le_bytes(), Some(vec![1.5])),
            ("'<i4'", "False", "(1,)", &(-3_i32).to_le_bytes(), Some(vec![-3.0])),
            ("'<i8'", "False", "()", &7_i64.to_le_bytes(), Some(vec![7.0])),
            ("'|b1'", "False", "(2,)", &[1, 0], Some(vec![1.0, 0.0])),
            ("'<f8'", "False", "(0, 5)", &[], Some(vec![])),
        ] {
            let mut found = Vec::new();
            let bytes = npy(&head(kind, order, shape), body);
            let mut take = |row: &[f64]| found.extend_from_slice(row);
            let read = rows_of("a.npy", &mut bytes.as_slice(), &mut take).expect("bytes");
            assert_eq!(read.ok().map(|_| found), expected, "{kind} {order} {shape}");
        }
        for damaged in ["", "{}", "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }"] {
            assert!(Header::read(&npy(damaged, &[])).is_none(), "{damaged}");
        }
        assert!(Header::read(&npy("{'descr'", &[])[..9]).is_none());
    }

    #[test]
    fn rows_of_many_blocks_are_whole() {
        for (rows, columns) in [(70_000, 3), (2, 50_000)] {
            let all: Vec<f64> = (0..rows * columns).map(f64::from).collect();
            let head =
                format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {columns})}}");
            let bytes =
                npy(&head, &all.iter().copied().flat_map(f64::to_le_bytes).collect::<Vec<_>>());
            let mut found = Vec::new();
            let mut take = |row: &[f64]| found.push(row.to_vec());
            rows_of("a.npy", &mut bytes.as_slice(), &mut take).expect("bytes").expect("numbers");
            assert!(found.iter().all(|row| row.len() == columns as usize));
            assert_eq!(found.concat(), all);
        }
    }
}
