//! Compressed pages, to as many bytes as they say they have and no more.
//!
//! <https://github.com/apache/parquet-format/blob/master/Compression.md>

use std::io::Read;

use flate2::read::MultiGzDecoder;

/// Buffer of a reader that takes one.
const BUFFER: usize = 1 << 13;

/// The content of a page that has so many bytes; `None` where it has more or fewer, or the codec is
/// none of the format's.
pub(super) fn unpacked(codec: i64, packed: &[u8], bytes: usize) -> Option<Vec<u8>> {
    let content = match codec {
        0 => packed.to_vec(),
        1 => {
            let mut content = vec![0; bytes];
            let read = snap::raw::Decoder::new().decompress(packed, &mut content).ok()?;
            content.truncate(read);
            content
        }
        2 => limited(MultiGzDecoder::new(packed), bytes)?,
        4 => limited(brotli_decompressor::Decompressor::new(packed, BUFFER), bytes)?,
        5 => framed(packed, bytes).or_else(|| block(packed, bytes))?,
        6 => zstd::bulk::decompress(packed, bytes).ok()?,
        7 => block(packed, bytes)?,
        _ => return None,
    };
    (content.len() == bytes).then_some(content)
}

fn limited(stream: impl Read, bytes: usize) -> Option<Vec<u8>> {
    let mut content = Vec::with_capacity(bytes);
    stream.take(bytes as u64 + 1).read_to_end(&mut content).ok()?;
    Some(content)
}

fn block(packed: &[u8], bytes: usize) -> Option<Vec<u8>> {
    lz4_flex::block::decompress(packed, bytes).ok()
}

/// LZ4 as Hadoop writes it: blocks, each behind its length in bytes before and after compression.
fn framed(mut packed: &[u8], bytes: usize) -> Option<Vec<u8>> {
    let mut content = Vec::with_capacity(bytes);
    while let Some((plain, rest)) = packed.split_first_chunk() {
        let (length, rest) = rest.split_first_chunk()?;
        let plain = usize::try_from(u32::from_be_bytes(*plain)).ok()?;
        let (one, rest) =
            rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
        if plain > bytes - content.len() {
            return None;
        }
        content.extend(block(one, plain)?);
        packed = rest;
    }
    packed.is_empty().then_some(content)
}
