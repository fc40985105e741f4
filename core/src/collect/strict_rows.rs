//! Rows of a delimited table that keeps to RFC 4180, by searching for quotes instead of looking at each byte.
//!
//! Quotes within a cell that does not begin with one stand for themselves. Where a table keeps to less than that,
//! nothing of it is read here: what such a row means is for `csv` to say.

use csv::ByteRecord;
use memchr::{memchr, memchr_iter};

/// Hands on the rows of whole lines, each with the line on which it begins, from 1; lines without anything are no rows.
/// Says how many lines there are. `None` where a row does not keep to the rules, or `each` refuses it.
pub(super) fn for_each_row(
    lines: &[u8],
    delimiter: u8,
    mut each: impl FnMut(u64, &ByteRecord) -> bool,
) -> Option<u64> {
    let (mut row, mut unquoted) = (ByteRecord::new(), Vec::new());
    let (mut at, mut ended) = (0, 0);
    while let Some(rest) = lines.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(length) = line_end(rest) {
            (at, ended) = (at + length, ended + 1);
            continue;
        }
        row.clear();
        let line = ended + 1;
        loop {
            let rest = lines.get(at..)?;
            if let Some(inside) = rest.strip_prefix(b"\"") {
                let (cell, length) = cell_in_quotes(inside, &mut unquoted)?;
                row.push_field(cell);
                ended += memchr_iter(b'\n', inside.get(..length)?).count() as u64;
                at += length + 1;
            } else {
                let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r') || *byte == delimiter;
                let length = rest.iter().position(is_end).unwrap_or(rest.len());
                row.push_field(rest.get(..length)?);
                at += length;
            }
            match lines.get(at..)? {
                [] => break,
                [next, ..] if *next == delimiter => at += 1,
                rest => {
                    (at, ended) = (at + line_end(rest)?, ended + 1);
                    break;
                }
            }
        }
        each(line, &row).then_some(())?;
    }
    Some(ended)
}

/// How long the end of a line is that stands there.
fn line_end(rest: &[u8]) -> Option<usize> {
    match rest {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

/// What a cell holds behind the quote that opens it, and how long it is with the quote that closes it.
fn cell_in_quotes<'l>(inside: &'l [u8], unquoted: &'l mut Vec<u8>) -> Option<(&'l [u8], usize)> {
    unquoted.clear();
    let mut from = 0;
    loop {
        let rest = inside.get(from..)?;
        let quote = memchr(b'"', rest)?;
        if rest.get(quote + 1) != Some(&b'"') {
            let length = from + quote + 1;
            if from == 0 {
                return Some((rest.get(..quote)?, length));
            }
            unquoted.extend_from_slice(rest.get(..quote)?);
            return Some((unquoted, length));
        }
        unquoted.extend_from_slice(rest.get(..=quote)?);
        from += quote + 2;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Rows = Vec<(u64, Vec<Vec<u8>>)>;

    fn rows(text: &[u8]) -> Option<(Rows, u64)> {
        let mut rows = Vec::new();
        let lines = for_each_row(text, b',', |line, row| {
            rows.push((line, row.iter().map(<[u8]>::to_vec).collect()));
            true
        })?;
        Some((rows, lines))
    }

    #[test]
    fn cells_are_those_of_the_rules_and_lines_those_of_the_file() {
        let text = b"a,\"b \"\"c\"\"\nd\",\r\n\n\"\",\"\"\"\"\n5\"2,\"\"\nlast";
        let cells = |cells: &[&str]| cells.iter().map(|cell| cell.as_bytes().to_vec()).collect();
        let expected = vec![
            (1, cells(&["a", "b \"c\"\nd", ""])),
            (4, cells(&["", "\""])),
            (5, cells(&["5\"2", ""])),
            (6, cells(&["last"])),
        ];
        assert_eq!(rows(text), Some((expected, 5)));
    }

    #[test]
    fn what_breaks_the_rules_is_left_to_others() {
        for text in ["\"a\"b,c\n", "a,\"b\n", "a\rb\n", "\"a\" ,b\n", "a\r"] {
            assert_eq!(rows(text.as_bytes()), None, "{text:?}");
        }
        let refused = for_each_row(b"a\nb\n", b',', |line, _| line < 2);
        assert_eq!(refused, None);
    }

    proptest! {
        #[test]
        fn rows_are_those_that_csv_reads(text in "([a,\"\n]|\r\n|\"\"|,\"a|a\",|\"\n){0,40}") {
            if let Some((found, lines)) = rows(text.as_bytes()) {
                let mut builder = csv::ReaderBuilder::new();
                let mut reader = builder.has_headers(false).flexible(true).from_reader(text.as_bytes());
                let of_row = |row: &ByteRecord| row.iter().map(<[u8]>::to_vec).collect::<Vec<_>>();
                let expected: Vec<_> =
                    reader.byte_records().map(|row| of_row(&row.expect("a row"))).collect();
                prop_assert_eq!(found.iter().map(|(_, row)| row.clone()).collect::<Vec<_>>(), expected);
                prop_assert_eq!(lines, memchr_iter(b'\n', text.as_bytes()).count() as u64);
            }
        }
    }
}
