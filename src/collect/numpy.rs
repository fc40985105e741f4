//! Arrays of numbers as `NumPy` writes them (`.npy`, and `.npz`, an archive of them), by
//! <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>. Arrays of objects are pickles
//! and are never read.

use std::collections::BTreeMap;

use super::FileEntry;
use super::archive::{self, Archive};
use super::content::document_bytes;

/// How a single array begins, behind which two bytes of a version follow.
const MAGIC: &[u8] = b"\x93NUMPY";
const EXTENSION: &str = ".npy";
/// Most bytes of what stands before the numbers.
const MOST_HEAD: u64 = 1 << 16;
/// Most arrays of an archive that are looked at.
const MOST_ARRAYS: usize = 1000;

/// Numbers in the order of the last index.
pub(super) struct Array {
    pub(super) shape: Vec<usize>,
    pub(super) values: Vec<f64>,
}

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

    fn values(&self) -> Option<Vec<f64>> {
        fn each<const N: usize>(bytes: &[u8], number: fn([u8; N]) -> f64) -> Option<Vec<f64>> {
            let (all, rest) = bytes.as_chunks::<N>();
            rest.is_empty().then(|| all.iter().map(|bytes| number(*bytes)).collect())
        }
        let values = match self.kind {
            "<f8" => each(self.body, f64::from_le_bytes),
            "<f4" => each(self.body, |bytes| f64::from(f32::from_le_bytes(bytes))),
            "<i8" => each(self.body, |bytes| i64::from_le_bytes(bytes) as f64),
            "<i4" => each(self.body, |bytes| f64::from(i32::from_le_bytes(bytes))),
            "|b1" => each(self.body, |[byte]| f64::from(u8::from(byte != 0))),
            _ => None,
        }?;
        let count = self.shape.iter().try_fold(1_usize, |count, size| count.checked_mul(*size))?;
        let is_in_order = !self.is_by_first_index || self.shape.len() < 2;
        (is_in_order && values.len() == count).then_some(values)
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

/// These arrays of an archive, those that it has.
///
/// # Errors
/// When the archive is damaged, or one of them is larger than a document may be, or holds no numbers of a
/// kind that is read.
pub(super) fn read_arrays(
    file: &FileEntry,
    wanted: &[&'static str],
) -> Result<BTreeMap<&'static str, Array>, String> {
    let mut archive = archive::open(&file.path).map_err(|cause| cause.to_string())?;
    let mut arrays = BTreeMap::new();
    for name in wanted {
        let part = format!("{name}{EXTENSION}");
        if archive.index_for_name(&part).is_some() {
            let array = array(&mut archive, &part, document_bytes(file))?;
            arrays.insert(*name, array);
        }
    }
    Ok(arrays)
}

fn array(archive: &mut Archive, part: &str, limit: u64) -> Result<Array, String> {
    let bytes = archive::part(archive, part, limit).map_err(|cause| format!("{part}: {cause}"))?;
    let bytes = bytes.ok_or_else(|| {
        format!(
            "{part} is larger than {} MiB; --limit document-mib=NUMBER allows more",
            limit >> 20
        )
    })?;
    let header = Header::read(&bytes).ok_or_else(|| format!("{part} is no array of NumPy"))?;
    let values = header.values().ok_or_else(|| {
        let Header { kind, .. } = header;
        format!("{part} holds no numbers that are read (f4, f8, i4, i8, b1 by rows), but `{kind}`")
    })?;
    Ok(Array { shape: header.shape, values })
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
            let bytes = npy(&head(kind, order, shape), body);
            let header = Header::read(&bytes).expect("a header");
            assert_eq!(header.values(), expected, "{kind} {order} {shape}");
        }
        for damaged in ["", "{}", "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }"] {
            assert!(Header::read(&npy(damaged, &[])).is_none(), "{damaged}");
        }
        assert!(Header::read(&npy("{'descr'", &[])[..9]).is_none());
    }
}
