//! Archives (zip), opened so that every program would see the same parts in them. Knows no formats.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use memchr::memmem;
use zip::ZipArchive;
use zip::result::ZipError;

pub(super) const MAGIC: &[u8] = b"PK\x03\x04";
/// How the end of an archive begins, how long it is without and with a remark, and what stands before it
/// where there are more parts or bytes than it can count.
const END: &[u8] = b"PK\x05\x06";
const SHORTEST_END: u64 = 22;
const LONGEST_END: u64 = SHORTEST_END + u16::MAX as u64 + LOCATOR as u64;
const LARGE_LOCATOR: &[u8] = b"PK\x06\x07";
const LOCATOR: usize = 20;

pub(super) type Archive = ZipArchive<BufReader<File>>;

/// Opens an archive.
///
/// # Errors
/// When it is none, when bytes stand before or behind it, and when several parts have one name.
pub(super) fn open(path: &Path) -> Result<Archive, ZipError> {
    let mut opened = File::open(path)?;
    let stated = stated_parts(&mut opened)?;
    let archive = ZipArchive::new(BufReader::new(opened))?;
    // Of parts with one name the archive gives the last.
    if stated != archive.len() as u64 {
        return Err(io::Error::other("several of its parts have one name").into());
    }
    Ok(archive)
}

/// The bytes of a part; nothing where it has more than so many.
pub(super) fn part(
    archive: &mut Archive,
    name: &str,
    limit: u64,
) -> Result<Option<Vec<u8>>, ZipError> {
    let bytes = head(archive, name, limit.saturating_add(1))?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// The first bytes of a part.
pub(super) fn head(archive: &mut Archive, name: &str, most: u64) -> Result<Vec<u8>, ZipError> {
    let mut bytes = Vec::new();
    archive.by_name(name)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// How many bytes a part has, whatever it says; counting ends behind `most`.
pub(super) fn length(archive: &mut Archive, name: &str, most: u64) -> Result<u64, ZipError> {
    let mut part = archive.by_name(name)?.take(most.saturating_add(1));
    Ok(io::copy(&mut part, &mut io::sink())?)
}

/// How many parts an archive says at its end that it has.
///
/// # Errors
/// When it has no end, or when its list of parts does not stand right before it: bytes in front of the
/// archive or behind it may be another one, which other programs would read.
fn stated_parts(archive: &mut (impl Read + Seek)) -> io::Result<u64> {
    let length = archive.seek(SeekFrom::End(0))?;
    let start = length.saturating_sub(LONGEST_END);
    archive.seek(SeekFrom::Start(start))?;
    let mut tail = Vec::new();
    archive.take(LONGEST_END).read_to_end(&mut tail)?;
    let no_end = || io::Error::other("it has no end of an archive");
    let at = memmem::rfind(&tail, END).ok_or_else(no_end)?;
    let end = tail.get(at..).unwrap_or_default();
    let remark = number(end, 20, 2).ok_or_else(no_end)?;
    if end.len() as u64 != SHORTEST_END + remark {
        return Err(io::Error::other("bytes stand behind the archive"));
    }
    let fields = [(10, 2), (12, 4), (16, 4)].map(|(from, bytes)| number(end, from, bytes));
    let locator = at.checked_sub(LOCATOR).and_then(|at| tail.get(at..));
    let locator = locator.filter(|locator| locator.starts_with(LARGE_LOCATOR));
    let (fields, at) = match locator.and_then(|locator| number(locator, 8, 8)) {
        None => (fields, start + at as u64),
        Some(place) => {
            archive.seek(SeekFrom::Start(place))?;
            let mut large = [0; 56];
            archive.read_exact(&mut large)?;
            ([32, 40, 48].map(|from| number(&large, from, 8)), place)
        }
    };
    match fields {
        [Some(count), Some(size), Some(from)] if from.checked_add(size) == Some(at) => Ok(count),
        _ => Err(io::Error::other("bytes stand before the archive or within it")),
    }
}

/// The number in so many bytes, the least first.
fn number(bytes: &[u8], from: usize, count: usize) -> Option<u64> {
    let bytes = bytes.get(from..from + count)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}
