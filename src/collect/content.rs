//! The text of a whole file: decompressed, without a byte order mark, invalid UTF-8 replaced.

use std::fs::File;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::FileEntry;
use crate::diag::{Code, Diagnostic, Explanation, Location, Warned};

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
        .map_err(|error| unreadable(&file.display, &error))?;
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
pub(super) fn unreadable(display: &str, error: &std::io::Error) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::new(Code::Unreadable)
            .with("path", display)
            .with("cause", error.to_string())
            .at(Location::file(display)),
    )
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

pub(super) const EXPLAINED: &[Explanation] = &[
    Explanation::new(
        Code::Unreadable,
        "A run, a file of it or a data file that it names cannot be opened or read to its end: \
         it is not there, permissions forbid it, a link leads nowhere, a compressed or Parquet \
         file is damaged. That file is left out and everything else is read. A file that opens \
         but holds something unexpected is `R102` or `R113`, and one that no reader takes is \
         `R122`.",
        "Whatever the file held is missing from the report, and a figure that is missing looks \
         like one that was never measured. `compare` therefore ends with status 4 when a run \
         that was named cannot be read at all.",
    ),
    Explanation::new(
        Code::InvalidUtf8,
        "A text file holds bytes that are not UTF-8. Each of them is replaced by U+FFFD and the \
         rest is read as it stands; a file of samples is told once, with the first such line. \
         Text in UTF-16 is not repaired: no reader takes it, which is `R122`.",
        "Ids and prompts with replaced characters are other ids and prompts. A sample can lose \
         its partner in the other arm, or two different texts can become equal, and both look \
         like a property of the runs.",
    ),
    Explanation::new(
        Code::TooLarge,
        "A file that is read as one document is larger than 256 MiB after decompression, or a \
         JSON list of samples is larger than 200 MiB. It is left out. JSON lines, CSV and \
         Parquet files of samples are read in pieces and have no such limit.",
        "The largest file of a run is usually the one with the samples. Without it figures fall \
         back to what aggregates state, tests lose their pairing, and nothing can be said about \
         single samples.",
    ),
];
