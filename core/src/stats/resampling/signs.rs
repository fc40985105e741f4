//! Sums of values under many patterns of signs.
//!
//! For every eight values the sums under all 256 patterns are kept in a table, so that a pattern of
//! 64 signs, which is one random word, costs eight additions.

/// Values whose signs are drawn from one word.
pub(super) const IN_WORD: usize = 64;

/// Draws that share the tables of a block.
pub(super) const BLOCK: usize = 512;

const IN_TABLE: usize = 8;
const PATTERNS: usize = 1 << IN_TABLE;

/// For each column its sums under the same `count` patterns of signs of the rows. `word` gives the
/// signs of [`IN_WORD`] rows at a time: of the first such rows for every pattern, then of the next.
/// All columns have as many rows.
pub(super) fn sums_under_signs(
    columns: &[&[f64]],
    count: usize,
    mut word: impl FnMut() -> u64,
) -> Vec<Vec<f64>> {
    let rows = columns.first().map_or(0, |column| column.len());
    let mut sums = vec![vec![0.0; count]; columns.len()];
    for first in (0..rows).step_by(IN_WORD) {
        let words: Vec<u64> = (0..count).map(|_| word()).collect();
        for (column, sums) in columns.iter().zip(&mut sums) {
            let part = &column[first..rows.min(first + IN_WORD)];
            let tables: Vec<_> = part.chunks(IN_TABLE).map(signed_sums).collect();
            for (sum, word) in sums.iter_mut().zip(&words) {
                let bytes = word.to_le_bytes();
                *sum += tables
                    .iter()
                    .zip(bytes)
                    .map(|(table, byte)| table[usize::from(byte)])
                    .sum::<f64>();
            }
        }
    }
    sums
}

/// The sums of up to eight values under every pattern; a bit that is set turns the sign.
fn signed_sums(values: &[f64]) -> [f64; PATTERNS] {
    let mut table = [0.0; PATTERNS];
    table[0] = values.iter().sum();
    for pattern in 1..PATTERNS {
        let bit = pattern.trailing_zeros() as usize;
        let turned = values.get(bit).map_or(0.0, |value| 2.0 * value);
        table[pattern] = table[pattern & (pattern - 1)] - turned;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_give_the_sum_of_the_values_with_their_signs() {
        let values: Vec<f64> = (0..75).map(|i| f64::from(i * 37 % 101)).collect();
        let halves: Vec<f64> = values.iter().map(|value| value / 2.0).collect();
        let words = [0, u64::MAX, 0x0123_4567_89AB_CDEF, 1, 0, 0x2A5];
        let mut given = words.iter().copied();
        let sums = sums_under_signs(&[&values, &halves], 3, || given.next().unwrap_or(0));
        for pattern in 0..3 {
            let sign = |i: usize| words[i / IN_WORD * 3 + pattern] >> (i % IN_WORD) & 1 == 1;
            let sum: f64 =
                values.iter().enumerate().map(|(i, x)| if sign(i) { -x } else { *x }).sum();
            assert_eq!((sums[0][pattern], sums[1][pattern]), (sum, sum / 2.0));
        }
    }
}
