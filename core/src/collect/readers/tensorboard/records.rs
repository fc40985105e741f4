//! The frames of a `TFRecord` file: length, its checksum, the record, its checksum.

use std::io::{self, Read};

use crc::{CRC_32_ISCSI, Crc, Table};

use super::super::frames::{End, TakeRecord, filled};

static CHECKSUM: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);
const LENGTH: usize = 8;
const SUM: usize = 4;
const HEADER: usize = LENGTH + SUM;

/// The checksum as it is written: masked, because files of records may hold such files.
fn masked(bytes: &[u8]) -> [u8; SUM] {
    const DELTA: u32 = 0xa282_ead8;
    CHECKSUM.checksum(bytes).rotate_right(15).wrapping_add(DELTA).to_le_bytes()
}

/// Whether a file begins with the header of a record.
pub(super) fn begins(head: &[u8]) -> bool {
    let header = head.first_chunk::<HEADER>();
    header.and_then(length).is_some()
}

/// The length of the record behind a header whose checksum is right.
fn length(header: &[u8; HEADER]) -> Option<u64> {
    let (length, sum) = header.split_first_chunk::<LENGTH>()?;
    (masked(length) == sum).then(|| u64::from_le_bytes(*length))
}

/// Hands each record of at most `longest` bytes over with its number, counted from 1, until one says
/// that it is the last to be wanted.
pub(super) fn each(
    source: &mut dyn Read,
    longest: u64,
    take: &mut TakeRecord<'_>,
) -> io::Result<End> {
    let mut buffer = Vec::new();
    for number in 1.. {
        let header = match filled(source, HEADER as u64, &mut buffer)? {
            0 => return Ok(End::Whole),
            _ => buffer.first_chunk::<HEADER>(),
        };
        let Some(header) = header else { return Ok(End::Torn(number)) };
        let Some(length) = length(header) else { return Ok(End::Damaged(number)) };
        if length > longest {
            return Ok(End::TooLong(number));
        }
        let whole = length + SUM as u64;
        if filled(source, whole, &mut buffer)? < whole {
            return Ok(End::Torn(number));
        }
        let Some((record, sum)) = buffer.split_last_chunk::<SUM>() else { break };
        if masked(record) != *sum {
            return Ok(End::Damaged(number));
        }
        if !take(number, record) {
            break;
        }
    }
    Ok(End::Whole)
}
