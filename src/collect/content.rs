//! The text of a whole file: decompressed, without a byte order mark, invalid UTF-8 replaced.

use std::fmt::Display;
use std::fs::File;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::FileEntry;
use crate::diag::{Code, Diagnostic, Location, Warned};

/// Largest text that is read as one piece, in bytes after decompression.
pub(super) const WHOLE_LIMIT: u64 = 256 << 20;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Reads the whole file as text.
pub(super) fn read_text(file: &FileEntry) -> Result<Warned<String>, Box<Diagnostic>> {
    read_text_below(file, WHOLE_LIMIT)
}

/// Reads the whole file as text; a file of more than `limit` bytes after decompression is refused.
pub(super) fn read_text_below(
    file: &FileEntry,
    limit: u64,
) -> Result<Warned<String>, Box<Diagnostic>> {
    let mut bytes = Vec::new();
    open(file)
        .and_then(|source| source.take(limit + 1).read_to_end(&mut bytes))
        .map_err(|error| unreadable(&file.display, error))?;
    if bytes.len() as u64 > limit {
        return Err(Box::new(
            Diagnostic::new(Code::TooLarge)
                .with("limit_mib", limit >> 20)
                .with("bytes", file.bytes)
                .at(Location::file(&*file.display)),
        ));
    }
    Ok(decode(bytes, &file.display))
}

/// Opens the file, decompressing where it is compressed.
pub(super) fn open(file: &FileEntry) -> std::io::Result<Box<dyn Read>> {
    let source = File::open(&file.path)?;
    Ok(if file.gzip { Box::new(MultiGzDecoder::new(source)) } else { Box::new(source) })
}

/// The finding for a file or directory that cannot be read.
pub(super) fn unreadable(display: &str, cause: impl Display) -> Diagnostic {
    Diagnostic::new(Code::Unreadable)
        .with("path", display)
        .with("cause", cause.to_string())
        .at(Location::file(display))
}

/// The bytes after a byte order mark, if there is one.
pub(super) fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BOM).unwrap_or(bytes)
}

fn decode(mut bytes: Vec<u8>, display: &str) -> Warned<String> {
    if bytes.starts_with(BOM) {
        bytes.drain(..BOM.len());
    }
    match String::from_utf8(bytes) {
        Ok(text) => Warned::clean(text),
        Err(error) => {
            let good = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let before = bytes.get(..good).unwrap_or_default();
            let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let finding = Diagnostic::new(Code::InvalidUtf8)
                .with("line", line)
                .at(Location::line(display, line));
            Warned::new(text, vec![finding])
        }
    }
}
