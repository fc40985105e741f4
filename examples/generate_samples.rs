//! Writes a file of per-sample records for measurements: equal arguments give equal bytes.
//!
//! ```text
//! cargo run --release --example generate_samples -- PATH ROWS SEED
//! ```
//!
//! A record weighs about 1.4 KB: a prompt of some 700 bytes and a response of some 500, with
//! escaped newlines and quotes and some CJK, and the outcome fields of a code evaluation. Ids and
//! prompts depend on the row alone, outcomes on the row and the seed, so that files of different
//! seeds are two models over the same questions.

use std::fs::File;
use std::io::{self, BufWriter, Write};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(rows), Some(seed)) =
        (arguments.next(), number(arguments.next()), number(arguments.next()))
    else {
        return Err(io::Error::other("usage: generate_samples PATH ROWS SEED"));
    };
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    for row in 0..rows {
        write_record(&mut out, row, seed)?;
    }
    out.flush()
}

fn number(argument: Option<String>) -> Option<u64> {
    argument?.parse().ok()
}

fn write_record(out: &mut impl Write, row: u64, seed: u64) -> io::Result<()> {
    let mut question = Random(row.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5EED);
    let mut answer = Random(row.wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ seed);
    let (prompt_bytes, response_bytes) =
        (600 + question.below(200) as usize, 400 + answer.below(200) as usize);
    write!(
        out,
        r#"{{"id": "codecontests/{row:06}", "dataset": "codecontests_valid", "prompt": ""#
    )?;
    write_text(out, &mut question, prompt_bytes)?;
    out.write_all(br#"", "response": ""#)?;
    write_text(out, &mut answer, response_bytes)?;
    let error_type = match answer.below(100) {
        0..=29 => "success",
        30..=69 => "wrong_answer",
        70..=79 => "runtime_error",
        80..=89 => "syntax_error",
        90..=97 => "timeout",
        _ => "api_error",
    };
    let accepted = error_type == "success";
    let passed = if accepted { 10 } else { answer.below(10) };
    writeln!(
        out,
        r#"", "accepted": {accepted}, "pass_ratio": {}.{}, "error_type": "{error_type}", "judge_time": {}.{:03}, "gen_tokens": {}, "gen_time": {}.{:03}}}"#,
        passed / 10,
        passed % 10,
        answer.below(10),
        answer.below(1000),
        answer.below(2048),
        answer.below(30),
        answer.below(1000),
    )
}

/// Words, code and punctuation until about `bytes` bytes are written.
fn write_text(out: &mut impl Write, random: &mut Random, bytes: usize) -> io::Result<()> {
    const PIECES: [&str; 24] = [
        "given",
        "an",
        "array",
        "of",
        "integers",
        "find",
        "the",
        "longest",
        "subsequence",
        "such",
        "that",
        "return",
        "for i in range(n):",
        "while left < right:",
        "x += 1",
        "print(answer)",
        "constraints",
        "1 <= n <= 200000",
        "\\n",
        "\\n    ",
        "\\\"example\\\"",
        "给定一个数组",
        "输出答案",
        "if not stack:",
    ];
    let mut written = 0;
    while written < bytes {
        let piece = PIECES[random.below(PIECES.len() as u64) as usize];
        out.write_all(piece.as_bytes())?;
        out.write_all(b" ")?;
        written += piece.len() + 1;
    }
    Ok(())
}

/// `SplitMix64` (Steele, Lea and Flood 2014): small, seeded, the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}
