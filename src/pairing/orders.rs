//! Orders in which samples that belong together may be neighbours: that of the records in the file of
//! either arm, and that of their ids.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::partners::PairedRows;
use crate::model::SampleTable;

/// What puts pairs next to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairOrder {
    /// The records of an arm.
    Records,
    /// Ids, with numbers in them by size.
    Ids,
}

/// Most pairs whose ids are put in order.
const MOST_SORTED: usize = 100_000;

/// The positions of the pairs in each order that tells them apart from those before it.
pub(super) fn pair_orders(join: &PairedRows, baseline: &SampleTable) -> Vec<(PairOrder, Vec<u32>)> {
    let as_paired: Vec<u32> = (0..join.pairs.len() as u32).collect();
    let by = |compare: &dyn Fn(u32, u32) -> Ordering| {
        let is_sorted = as_paired.is_sorted_by(|&a, &b| compare(a, b).is_le());
        (!is_sorted).then(|| {
            let mut order = as_paired.clone();
            order.sort_by(|&a, &b| compare(a, b));
            order
        })
    };
    let row = |position: u32| join.pairs[position as usize];
    let theirs = by(&|a, b| row(a).1.cmp(&row(b).1));
    let id = |position| baseline.id(row(position).0 as usize);
    let may_sort = join.pairs.len() <= MOST_SORTED;
    let by_id = if may_sort { by(&|a, b| natural(id(a), id(b))) } else { None };
    let by_id = by_id.filter(|order| Some(order) != theirs.as_ref());
    let records = [Some(as_paired), theirs].into_iter().flatten();
    let records = records.map(|order| (PairOrder::Records, order));
    records.chain(by_id.map(|order| (PairOrder::Ids, order))).collect()
}

/// Whether the samples of a table that have partners are its first ones, in the order of its records or
/// of its ids: what a limit leaves, and what a choice by outcome does not.
pub(super) fn are_first(paired: &BTreeSet<u32>, rows: &[u32], table: &SampleTable) -> bool {
    let (inside, outside): (Vec<u32>, Vec<u32>) =
        rows.iter().partition(|&row| paired.contains(row));
    let are_before = |compare: &dyn Fn(&u32, &u32) -> Ordering| {
        let last = inside.iter().max_by(|a, b| compare(a, b));
        let first = outside.iter().min_by(|a, b| compare(a, b));
        last.zip(first).is_none_or(|(last, first)| compare(last, first).is_le())
    };
    let id = |row: u32| table.id(row as usize);
    are_before(&u32::cmp) || are_before(&|a, b| natural(id(*a), id(*b)))
}

/// Compares ids with the numbers in them by size.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    loop {
        let (mine, theirs) = (digits(a), digits(b));
        let found = match (mine, theirs) {
            (0, _) | (_, 0) => a.first().cmp(&b.first()),
            _ => {
                let [x, y] = [&a[..mine], &b[..theirs]].map(without_zeros);
                x.len().cmp(&y.len()).then_with(|| x.cmp(y))
            }
        };
        if found.is_ne() || a.is_empty() {
            return found;
        }
        (a, b) = (&a[mine.max(1)..], &b[theirs.max(1)..]);
    }
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn without_zeros(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    &digits[zeros..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_ids_are_ordered_by_size() {
        let ordered = ["", "1", "2", "10", "a", "doc2_q10", "doc10_q2", "doc10_q03", "doc10_q4x"];
        assert!(ordered.is_sorted_by(|a, b| natural(a, b).is_lt()));
        assert_eq!(natural("q007", "q7"), Ordering::Equal);
    }
}
