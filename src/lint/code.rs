//! Code and quotations in running text: what stands in them is quoted, and not said.

use std::ops::Range;

use crate::marked::{Lines, outside_of_fences};

/// The code of a text that stands between backticks, in its order.
pub(super) fn spans_of(text: &str) -> Vec<Range<usize>> {
    if !text.contains('`') {
        return Vec::new();
    }
    let lines = outside_of_fences(text);
    let all = lines.flat_map(|(start, line)| {
        spans(line).into_iter().map(move |span| start + span.start..start + span.end)
    });
    all.collect()
}

/// Signs around what somebody else says.
const QUOTES: &[(char, char)] = &[('"', '"'), ('“', '”'), ('「', '」')];

/// What stands between signs of quotation, each kind of them in its order.
pub(super) fn quotations_of(lines: &Lines<'_>) -> Vec<Vec<Range<usize>>> {
    let of_kind = |(open, close): &(char, char)| {
        let quoted = |(start, line): (usize, &str)| {
            let (mut spans, mut at) = (Vec::new(), 0);
            while let Some(span) = next_quoted(line, at, (*open, *close)) {
                at = span.end + close.len_utf8();
                spans.push(start + span.start..start + span.end);
            }
            spans
        };
        lines.each().flat_map(quoted).collect()
    };
    QUOTES.iter().map(of_kind).collect()
}

/// The next quotation of a line from a byte on, without its signs.
fn next_quoted(line: &str, from: usize, (open, close): (char, char)) -> Option<Range<usize>> {
    let start = from + line.get(from..)?.find(open)? + open.len_utf8();
    Some(start..start + line.get(start..)?.find(close)?)
}

/// Whether a place lies in one that is more than a figure there, which some set so.
pub(super) fn holds(spans: &[Range<usize>], text: &str, place: &Range<usize>) -> bool {
    let before = spans.partition_point(|span| span.start <= place.start);
    let span = before.checked_sub(1).and_then(|at| spans.get(at));
    span.filter(|span| !place.is_empty() && place.end <= span.end).is_some_and(|span| {
        let besides = [span.start..place.start, place.end..span.end];
        let mut besides = besides.into_iter().filter_map(|part| text.get(part));
        besides.any(|part| part.contains(|c: char| c.is_alphanumeric()))
    })
}

/// What stands between backticks in a line: a run of them ends at the next one of as many.
fn spans(line: &str) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let ticks = |at: usize| bytes.iter().skip(at).take_while(|byte| **byte == b'`').count();
    let (mut spans, mut at) = (Vec::new(), 0);
    while let Some(next) = line.get(at..).and_then(|rest| rest.find('`')) {
        let open = at + next;
        let count = ticks(open);
        let inner = open + count;
        let mut close = inner;
        at = inner;
        while let Some(next) = line.get(close..).and_then(|rest| rest.find('`')) {
            let found = close + next;
            if ticks(found) == count {
                spans.push(inner..found);
                at = found + count;
                break;
            }
            close = found + ticks(found);
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_ends_with_as_many_backticks() {
        let of = |line: &str| spans(line).into_iter().map(|span| line[span].to_owned()).collect();
        let all: Vec<String> = of("a `b` ``c ` d`` ` e");
        assert_eq!(all, ["b", "c ` d"]);
    }
}
