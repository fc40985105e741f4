//! What binary logs of records have in common: how they end, and what is said of it.

use std::io::{self, Read};

use super::super::FileEntry;
use super::super::content::{bad_record, past_limit};
use crate::diag::{Code, Diagnostic, Location};

/// How the records of a file end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Whole,
    /// In the middle of the record of that number.
    Torn(u64),
    /// The checksum of the record of that number is wrong: nothing behind it can be found.
    Damaged(u64),
    /// The record of that number is longer than any may be.
    TooLong(u64),
}

impl End {
    pub(super) fn finding(self, file: &FileEntry) -> Option<Diagnostic> {
        let at = |number| Location::line(&*file.display, number);
        match self {
            Self::Whole => None,
            Self::Torn(number) => {
                Some(Diagnostic::new(Code::TornTail).with("line", number).at(at(number)))
            }
            Self::Damaged(number) => {
                let cause = "the checksum of this record is wrong, and what follows cannot be read";
                Some(bad_record(cause, at(number)))
            }
            Self::TooLong(number) => {
                Some(past_limit("document_mib", file.limits.document_mib, &file.display))
                    .map(|finding| finding.at(at(number)))
            }
        }
    }
}

/// Reads that many bytes into the buffer, fewer where the file ends.
pub(super) fn filled(source: &mut impl Read, bytes: u64, buffer: &mut Vec<u8>) -> io::Result<u64> {
    buffer.clear();
    let read = source.by_ref().take(bytes).read_to_end(buffer);
    match read {
        // Compressed data that stops in the middle.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(buffer.len() as u64),
        read => read.map(|read| read as u64),
    }
}
