//! What is done to an input of the corpus: blind strokes, and such that know what numbers, words,
//! lines and brackets are.

use std::ops::Range;

use super::random::Random;

/// What numbers are replaced by.
const NUMBERS: [&str; 22] = [
    "0",
    "-0",
    "-0.0",
    "-1",
    "1",
    "0.5",
    "100",
    "101",
    "1e999",
    "-1e999",
    "1e308",
    "-1e308",
    "5e-324",
    "1e-400",
    "NaN",
    "Infinity",
    "18446744073709551616",
    "9223372036854775807",
    "-9223372036854775808",
    "4294967296",
    "0.1e+1_0",
    "007",
];

/// What is put anywhere: controls, marks that turn text around, brackets, quotes, words of markup and
/// of the formats that are read.
const PIECES: [&str; 58] = [
    "\0",
    "\u{1b}[31m",
    "\r",
    "\n",
    "\r\n",
    "\t",
    "\u{7f}",
    "\u{85}",
    "\u{2028}",
    "\u{202e}",
    "\u{2066}",
    "\u{200b}",
    "\u{feff}",
    "\u{fffd}",
    "\u{10ffff}",
    "é",
    "中",
    "👩‍👩‍👧",
    "\"",
    "'",
    "`",
    "```\n",
    "|",
    "\\",
    "\\u0000",
    "\\ud800",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    ":",
    "::",
    "=",
    "==",
    ";",
    "#",
    "*",
    "**",
    "?",
    "-",
    "--",
    "_",
    ".",
    "..",
    "/",
    "%",
    "$",
    "@everyone",
    "<!-- ",
    " -->",
    "null",
    "true",
    "{{ ",
    "{% ",
    "<!-- reportgen:end -->",
];

/// What a browser would run or ask for.
const ACTIVE: [&str; 14] = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](  JaVaScRiPt&colon;alert(1) \"t\")",
    "![x](data:text/html,<script>)",
    "<javascript:alert(1)>",
    "[x]: vbscript:x\n\n[x]",
    "<a href=\"javascript:x\" onclick='x'>",
    "<details ontoggle=x open>",
    "</code></pre><svg/onload=x>",
    "<style>@import 'x'</style>",
    "<!-- reportgen:prose summary -->\n",
    "\n> [!NOTE]\n> x\n",
    "\n| a | b |\n|---|--:|\n| <b> | `|` |\n",
];

/// What is opened again and again.
const OPENINGS: [&str; 10] = ["[", "{\"a\":", "(", "- ", "> ", "{a: ", "not ", "a.", "* ", "[[a."];

const NON_UTF8: [&[u8]; 4] = [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf5\x80\x80\x80"];

/// An input changed in one to eight places, with pieces of another, of at most so many bytes.
pub(super) fn mutated(input: &[u8], other: &[u8], most: usize, random: &mut Random) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let strokes = 1 << random.below(4);
    for _ in 0..strokes {
        stroke(&mut bytes, other, random);
        bytes.truncate(most);
    }
    bytes
}

fn stroke(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let put = |bytes: &mut Vec<u8>, at: usize, piece: &[u8]| {
        bytes.splice(at..at, piece.iter().copied());
    };
    match random.below(16) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => bytes.truncate(at),
        2 => drop(bytes.drain(piece_of(bytes, random))),
        3 => {
            let piece = bytes[piece_of(bytes, random)].to_vec();
            put(bytes, at, &piece.repeat(1 << random.below(7)));
        }
        4 => put(bytes, at, random.pick(&PIECES).as_bytes()),
        5 => put(bytes, at, random.pick(&ACTIVE).as_bytes()),
        6 => put(bytes, at, NON_UTF8[random.below(NON_UTF8.len())]),
        7 => {
            let times = *random.pick(&[2, 40, 300, 4000]);
            put(bytes, at, random.pick(&OPENINGS).repeat(times).as_bytes());
        }
        8 => {
            bytes.truncate(at);
            bytes.extend_from_slice(&other[random.below(other.len() + 1)..]);
        }
        9 => put(bytes, at, &other[piece_of(other, random)]),
        10 => {
            let line = line_at(bytes, at);
            let copy = bytes[line.clone()].to_vec();
            put(bytes, line.start, &copy);
        }
        11 => drop(bytes.drain(line_at(bytes, at))),
        12 => {
            // A member of an object or an item of a list, once more.
            let member = until(bytes, at, |byte| matches!(byte, b',' | b'{' | b'}' | b'\n'));
            let copy = [b",", &bytes[member.clone()]].concat();
            put(bytes, member.end, &copy);
        }
        13 => {
            let word = word_at(bytes, at, |byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            let from = random.below(other.len() + 1);
            let new = word_at(other, from, |byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            bytes.splice(word, other[new].iter().copied());
        }
        _ => {
            let is_of_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
            let number = word_at(bytes, at, is_of_number);
            bytes.splice(number, random.pick(&NUMBERS).bytes());
        }
    }
}

/// A short piece, seldom a long one.
fn piece_of(bytes: &[u8], random: &mut Random) -> Range<usize> {
    let start = random.below(bytes.len() + 1);
    let most = if random.one_in(8) { bytes.len() } else { 40 };
    start..(start + random.below(most)).min(bytes.len())
}

fn line_at(bytes: &[u8], at: usize) -> Range<usize> {
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let end = bytes[at..].iter().position(|byte| *byte == b'\n');
    start..end.map_or(bytes.len(), |end| at + end + 1)
}

/// The first run of such bytes from there on; an empty one at the end where there is none.
fn word_at(bytes: &[u8], at: usize, belongs: impl Fn(&u8) -> bool) -> Range<usize> {
    let start = bytes[at..].iter().position(&belongs).map_or(bytes.len(), |found| at + found);
    let end = bytes[start..].iter().position(|byte| !belongs(byte));
    start..end.map_or(bytes.len(), |found| start + found)
}

/// What stands around a place up to the next byte of that kind on either side.
fn until(bytes: &[u8], at: usize, parts: impl Fn(&u8) -> bool) -> Range<usize> {
    let start = bytes[..at].iter().rposition(&parts).map_or(0, |found| found + 1);
    let end = bytes[at..].iter().position(&parts);
    start..end.map_or(bytes.len(), |found| at + found)
}
