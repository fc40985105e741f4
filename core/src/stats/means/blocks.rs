//! Whether values that stand next to each other are alike: the sums of blocks of neighbours vary more
//! than those of independent values.

use super::intraclass::{Intraclass, upper_quantile};
use crate::stats::distribution::chi_squared::chi_squared_sf;

/// Neighbours in blocks of so many, and how alike they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockCorrelation {
    pub size: usize,
    pub correlation: Intraclass,
}

/// Fewest blocks that are compared, and fewest values other than 0: fewer show nothing.
pub const FEWEST_BLOCKS: usize = 6;
const FEWEST_DIFFERENT: usize = 20;

/// How many sizes of blocks are asked of so many values: 2, 4, 8 and so on.
pub fn block_sizes(values: usize) -> usize {
    (values / FEWEST_BLOCKS).checked_ilog2().unwrap_or(0) as usize
}

/// Doubled blocks.
struct Block {
    sum: f64,
    squares: f64,
    fourth_powers: f64,
}

/// The correlation in blocks of each size, at that level. The ratio of the squared sums of blocks to
/// all squares, of values less their mean, is 1 for independent values, however their spread changes
/// along the way: the variance ratio of Lo and MacKinlay (1988, *Review of Financial Studies* 1),
/// whose variance `2·Σ_b Σ_{i≠j} x_i²x_j²/(Σx²)²` asks for no common spread. Held against χ² over its
/// degrees of freedom, of that variance (Satterthwaite 1946), because few sums of large blocks are
/// skewed.
pub fn alike_in_blocks(values: &[f64], level: f64) -> Vec<BlockCorrelation> {
    if values.iter().filter(|value| **value != 0.0).count() < FEWEST_DIFFERENT {
        return Vec::new();
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let mut sizes: Vec<Size> = (0..block_sizes(values.len())).map(|_| Size::default()).collect();
    for value in values {
        let squares = (value - mean).powi(2);
        let mut whole = Block { sum: value - mean, squares, fourth_powers: squares * squares };
        for size in &mut sizes {
            // Every second block completes one of twice the size.
            let Some(first) = size.first.take() else {
                size.first = Some(whole);
                break;
            };
            whole = joined(&first, &whole);
            size.count(&whole);
        }
    }
    let found = sizes.iter().enumerate().filter_map(|(power, totals)| {
        let size = 2 << power;
        totals.correlation(size, level).map(|correlation| BlockCorrelation { size, correlation })
    });
    found.collect()
}

fn joined(a: &Block, b: &Block) -> Block {
    Block {
        sum: a.sum + b.sum,
        squares: a.squares + b.squares,
        fourth_powers: a.fourth_powers + b.fourth_powers,
    }
}

/// What is summed over the blocks of one size, and the first of the two halves of the next one.
#[derive(Default)]
struct Size {
    squares: f64,
    products: f64,
    squared_sums: f64,
    first: Option<Block>,
}

impl Size {
    fn count(&mut self, block: &Block) {
        self.squares += block.squares;
        self.products += block.squares * block.squares - block.fourth_powers;
        self.squared_sums += block.sum * block.sum;
    }

    fn correlation(&self, size: usize, level: f64) -> Option<Intraclass> {
        let (total, products) = (self.squares, self.products);
        if total <= 0.0 || products <= 0.0 {
            return None;
        }
        let ratio = self.squared_sums / total;
        let df = total * total / products;
        let exceeded = |ratio: f64| chi_squared_sf(ratio * df, df);
        let among = (size - 1) as f64;
        Some(Intraclass {
            estimate: ((ratio - 1.0) / among).min(1.0),
            lower: (ratio / upper_quantile(1.0 - level, exceeded) - 1.0) / among,
            p: exceeded(ratio),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_two_have_the_products_of_neighbours() {
        // By hand: without their mean 0 the values are these; Σ(sum)² = 12·4 + 0, Σx² = 24, and the
        // 12 blocks have 2·x²·y² = 2 each.
        let values: Vec<f64> = [[1.0, 1.0], [-1.0, -1.0]].concat().repeat(6);
        let found = alike_in_blocks(&values, 0.95);
        assert_eq!(found.iter().map(|one| one.size).collect::<Vec<_>>(), [2, 4]);
        assert!((found[0].correlation.estimate - 1.0).abs() < 1e-12, "{found:?}");
        // scipy 1.17.1: chi2.sf(2 * 24, 24).
        assert!((found[0].correlation.p - 0.002_524_129_706_812_596_5).abs() < 1e-12, "{found:?}");
        assert!(found[0].correlation.lower > 0.0);
        // Blocks of four add up to 0.
        assert!((found[1].correlation.estimate + 1.0 / 3.0).abs() < 1e-12, "{found:?}");
        assert!(found[1].correlation.lower < 0.0);
    }

    #[test]
    fn the_limit_is_above_0_where_p_is_below_what_is_left_of_the_level() {
        let values: Vec<f64> =
            (0..200_i32).map(|i| f64::from(i * i % 17 + i / 9 % 3 * 4)).collect();
        for level in [0.95, 0.99, 0.9999] {
            for BlockCorrelation { correlation, .. } in alike_in_blocks(&values, level) {
                assert_eq!(correlation.lower > 0.0, correlation.p < 1.0 - level, "{correlation:?}");
            }
        }
    }

    #[test]
    fn few_values_or_few_that_differ_say_nothing() {
        assert!(alike_in_blocks(&[1.0; 11], 0.95).is_empty());
        let rare: Vec<f64> = (0..200).map(|i| f64::from(u8::from(i < 19))).collect();
        assert!(alike_in_blocks(&rare, 0.95).is_empty());
        assert!(alike_in_blocks(&[1.0; 200], 0.95).is_empty());
    }
}
