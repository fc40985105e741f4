//! Orders in which samples that belong together may be neighbours: that of the records in the file of
//! either arm, that of their ids, and that of numbers which are the same in both arms.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::partners::PairedRows;
use crate::model::{Column, SampleTable};

/// What puts pairs next to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PairOrder {
    /// The records of the baseline, or of an arm alone.
    Records,
    /// The records of the candidate, where they stand in another order.
    CandidateRecords,
    /// Ids, with numbers in them by size.
    Ids,
    /// Numbers in that field, such as times.
    Field(String),
}

/// Most pairs whose ids or fields are put in order.
const MOST_SORTED: usize = 100_000;
/// Most fields by which pairs are put in order.
const MOST_FIELDS: usize = 8;
/// Fewest different numbers in such a field: fewer name parts of the dataset.
const FEWEST_NUMBERS: usize = 12;

/// The positions of the pairs in each order that tells them apart from those before it.
pub(super) fn pair_orders(
    join: &PairedRows,
    baseline: &SampleTable,
    candidate: &SampleTable,
) -> Vec<(PairOrder, Vec<u32>)> {
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
    let mut orders: Vec<(PairOrder, Vec<u32>)> =
        theirs.into_iter().map(|order| (PairOrder::CandidateRecords, order)).collect();
    if join.pairs.len() <= MOST_SORTED {
        let id = |position| baseline.id(row(position).0 as usize);
        let by_id = by(&|a, b| natural(id(a), id(b))).map(|order| (PairOrder::Ids, order));
        let by_field = numbered_fields(join, baseline, candidate).filter_map(|(name, numbers)| {
            let number = |position: u32| numbers[position as usize];
            let order = by(&|a, b| number(a).total_cmp(&number(b)))?;
            Some((PairOrder::Field(name.to_owned()), order))
        });
        for (name, order) in by_id.into_iter().chain(by_field) {
            if orders.iter().all(|(_, known)| *known != order) {
                orders.push((name, order));
            }
        }
    }
    orders.insert(0, (PairOrder::Records, as_paired));
    orders
}

/// Fields with a number for each pair, the same in both arms, and these numbers.
fn numbered_fields<'a>(
    join: &PairedRows,
    baseline: &'a SampleTable,
    candidate: &SampleTable,
) -> impl Iterator<Item = (&'a str, Vec<f64>)> {
    let numbers = |(name, mine): &'a (String, Column)| {
        let theirs = candidate.column(name)?;
        let pairs = join.pairs.iter();
        let numbers: Option<Vec<f64>> = pairs
            .map(|&(a, b)| {
                let number = mine.get(a as usize)?;
                (theirs.get(b as usize) == Some(number)).then_some(number)
            })
            .collect();
        Some((name.as_str(), numbers?))
    };
    let measured = baseline.columns().iter().filter(|(_, column)| !column.is_binary());
    measured.filter_map(numbers).filter(|(_, numbers)| has_many(numbers)).take(MOST_FIELDS)
}

fn has_many(numbers: &[f64]) -> bool {
    let mut seen = BTreeSet::new();
    numbers.iter().any(|number| seen.insert(number.to_bits()) && seen.len() == FEWEST_NUMBERS)
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
