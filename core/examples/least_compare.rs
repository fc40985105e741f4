//! The least that two files of samples can be compared with: ids and prompts as hashes, three scores, a join and sums.
//! No check, no test and no report; what `reportgen compare` takes more is the price of those.
//!
//! ```text
//! cargo run --release --package reportgen-core --example least_compare -- A.jsonl B.jsonl
//! ```

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _, Write as _};

use memchr::{memchr, memrchr};
use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_64;

const BLOCK: usize = 1 << 20;
const SCORES: usize = 3;

#[derive(Deserialize)]
struct Record<'r> {
    #[serde(borrow)]
    id: Cow<'r, str>,
    #[serde(borrow)]
    prompt: Cow<'r, str>,
    accepted: bool,
    pass_ratio: f64,
    gen_tokens: f64,
}

/// Hashes of id and prompt, and the scores.
type Row = (u64, u64, [f64; SCORES]);

fn row(line: &[u8]) -> io::Result<Row> {
    let record: Record<'_> = sonic_rs::from_slice(line).map_err(io::Error::other)?;
    let scores = [f64::from(u8::from(record.accepted)), record.pass_ratio, record.gen_tokens];
    Ok((xxh3_64(record.id.as_bytes()), xxh3_64(record.prompt.as_bytes()), scores))
}

/// The rows of a file by id, read in blocks of whole lines.
fn rows(path: &str) -> io::Result<Vec<Row>> {
    let mut file = File::open(path)?;
    let (mut rows, mut block, mut held) = (Vec::new(), vec![0; BLOCK], 0);
    loop {
        if held == block.len() {
            block.resize(2 * held, 0);
        }
        let got = file.read(&mut block[held..])?;
        let there = held + got;
        let end = memrchr(b'\n', &block[..there]).map_or(0, |at| at + 1);
        let end = if got == 0 { there } else { end };
        let mut rest = &block[..end];
        while !rest.is_empty() {
            let at = memchr(b'\n', rest).unwrap_or(rest.len());
            rows.push(row(&rest[..at])?);
            rest = rest.get(at + 1..).unwrap_or_default();
        }
        block.copy_within(end..there, 0);
        held = there - end;
        if got == 0 {
            rows.sort_unstable_by_key(|row| row.0);
            return Ok(rows);
        }
    }
}

fn main() -> io::Result<()> {
    let paths: Vec<String> = std::env::args().skip(1).take(2).collect();
    let [a, b] = &paths[..] else { return Err(io::Error::other("two files, please")) };
    let (a, b) = rayon::join(|| rows(a), || rows(b));
    let (a, b) = (a?, b?);
    let (mut pairs, mut changed, mut sums, mut rest) = (0_u64, 0_u64, [0.0; SCORES], &b[..]);
    for (id, prompt, scores) in &a {
        rest = &rest[rest.iter().position(|row| row.0 >= *id).unwrap_or(rest.len())..];
        if let Some(partner) = rest.first().filter(|row| row.0 == *id) {
            pairs += 1;
            changed += u64::from(partner.1 != *prompt);
            for (sum, (x, y)) in sums.iter_mut().zip(scores.iter().zip(partner.2)) {
                *sum += y - x;
            }
        }
    }
    writeln!(io::stdout(), "{pairs} pairs, {changed} with another prompt, differences {sums:?}")
}
