//! Correction of p-values that are read together.

/// Holm's step-down adjustment (Holm 1979, *Scandinavian Journal of Statistics* 6): the i-th
/// smallest of m p-values is multiplied by m − i + 1, made monotone and capped at 1. Controls the
/// chance of any false claim whatever the dependence. What has no p-value is not handed in.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    let mut adjusted = vec![1.0; p.len()];
    let mut largest: f64 = 0.0;
    for (rank, &i) in order.iter().enumerate() {
        largest = largest.max((order.len() - rank) as f64 * p[i]).min(1.0);
        adjusted[i] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_p_values_nothing_is_adjusted() {
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn one_p_value_stays_as_it_is() {
        for p in [0.0, 0.03125, 1.0] {
            assert_eq!(holm(&[p]), [p]);
        }
    }
}
