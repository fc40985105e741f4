//! The frames of a `.wandb` file: a header, then blocks of the log of `LevelDB`, in which a record is one
//! chunk or several. The checksum is a plain CRC-32 over kind and content.

use std::io::{self, Read};

use crc::{CRC_32_ISO_HDLC, Crc, Table};

use super::super::frames::{End, TakeRecord, filled};

static CHECKSUM: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISO_HDLC);
/// `:W&B`, a magic number, and the version.
const BEGINNING: &[u8] = b":W&B\xe1\xbe\x00";
const BLOCK: u64 = 32 << 10;
const CHUNK_HEADER: usize = 7;

/// Kinds of chunks.
const WHOLE: u8 = 1;
const FIRST: u8 = 2;
const LAST: u8 = 4;

pub(super) fn begins(head: &[u8]) -> bool {
    head.starts_with(BEGINNING)
}

/// Hands each record over with its number, counted from 1, until one says that it is the last to be
/// wanted.
pub(super) fn each(
    source: &mut dyn Read,
    longest: u64,
    take: &mut TakeRecord<'_>,
) -> io::Result<End> {
    let (mut record, mut chunk) = (Vec::new(), Vec::new());
    let mut at = filled(source, BEGINNING.len() as u64, &mut chunk)?;
    let mut number = 1;
    loop {
        let left = BLOCK - at % BLOCK;
        if left < CHUNK_HEADER as u64 {
            at += filled(source, left, &mut chunk)?;
            continue;
        }
        let read = filled(source, CHUNK_HEADER as u64, &mut chunk)?;
        if read == 0 && record.is_empty() {
            return Ok(End::Whole);
        }
        let Some(&[a, b, c, d, short, long, kind]) = chunk.first_chunk::<CHUNK_HEADER>() else {
            return Ok(End::Torn(number));
        };
        let length = u64::from(u16::from_le_bytes([short, long]));
        at += read + length;
        if filled(source, length, &mut chunk)? < length {
            return Ok(End::Torn(number));
        }
        let mut sum = CHECKSUM.digest();
        sum.update(&[kind]);
        sum.update(&chunk);
        if sum.finalize() != u32::from_le_bytes([a, b, c, d]) {
            return Ok(End::Damaged(number));
        }
        if [WHOLE, FIRST].contains(&kind) {
            record.clear();
        }
        record.extend_from_slice(&chunk);
        if record.len() as u64 > longest {
            return Ok(End::TooLong(number));
        }
        if [WHOLE, LAST].contains(&kind) {
            if !take(number, &record) {
                return Ok(End::Whole);
            }
            record.clear();
            number += 1;
        }
    }
}
