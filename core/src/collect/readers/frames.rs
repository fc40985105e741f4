//! What binary logs of records have in common: how they end, and what is said of it.

use std::io::{self, BufReader, Read};

use super::super::FileEntry;
use super::super::content::{
    bad_record, bad_records, document_bytes, open, past_limit, unreadable,
};
use super::super::occurrences::FewFaults;
use crate::diag::{Code, Diagnostic, Location, Warned};

/// What takes a record with its number, counted from 1, and says whether a further one is wanted.
pub(super) type TakeRecord<'t> = dyn FnMut(u64, &[u8]) -> bool + 't;

/// How a format tells its records apart: hands each of at most so many bytes over until no further one is
/// wanted.
pub(super) type EachRecord = fn(&mut dyn Read, u64, &mut TakeRecord<'_>) -> io::Result<End>;

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
    fn finding(self, file: &FileEntry) -> Option<Diagnostic> {
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

/// Reads the records of a file. `take` says how many figures it has taken so far, of which a file has at
/// most as many as lines, or why it cannot take this one.
pub(super) fn read_records(
    file: &FileEntry,
    each: EachRecord,
    mut take: impl FnMut(u64, &[u8]) -> Result<u64, String>,
) -> Result<Warned<End>, Box<Diagnostic>> {
    let mut bad: FewFaults<(u64, String)> = FewFaults::default();
    let most = file.limits.lines;
    let mut is_full = false;
    let end = open(&file.path, file.packing, file.limits).and_then(|source| {
        let mut source = BufReader::with_capacity(1 << 16, source);
        each(&mut source, document_bytes(file), &mut |number, record| {
            match take(number, record) {
                Ok(taken) => is_full = taken >= most,
                Err(cause) => bad.note(|| (number, cause)),
            }
            !is_full
        })
    });
    let end = end.map_err(|error| Box::new(unreadable(&file.display, error)))?;
    let mut findings: Vec<Diagnostic> = end.finding(file).into_iter().collect();
    findings.extend(bad.findings(|(number, cause), count| {
        bad_records(count, cause, Location::line(&*file.display, number))
    }));
    findings.extend(is_full.then(|| past_limit("records", most, &file.display)));
    Ok(Warned::new(end, findings))
}

/// Reads that many bytes into the buffer, fewer where the file ends.
pub(super) fn filled(source: &mut dyn Read, bytes: u64, buffer: &mut Vec<u8>) -> io::Result<u64> {
    buffer.clear();
    match source.take(bytes).read_to_end(buffer) {
        // Compressed data that stops in the middle.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(buffer.len() as u64),
        read => read.map(|read| read as u64),
    }
}
