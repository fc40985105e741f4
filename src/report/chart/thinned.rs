//! Long series for a drawing: smoothed before they are thinned, and thinned so that the drawing is the
//! same.

/// Points of a line with at most four in each of so many columns: the first, the last, the lowest and
/// the highest, which is all that a line shows there (M4; Jugel et al. 2014).
pub fn thinned(points: &[[f64; 2]], columns: usize) -> Vec<[f64; 2]> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let span = last[0] - first[0];
    if points.len() <= 4 * columns || span <= 0.0 {
        return points.to_vec();
    }
    let column = |point: &[f64; 2]| ((point[0] - first[0]) / span * columns as f64) as usize;
    let mut kept = Vec::with_capacity(4 * columns);
    for part in points.chunk_by(|a, b| column(a) == column(b)) {
        let by_value = |a: &&[f64; 2], b: &&[f64; 2]| a[1].total_cmp(&b[1]);
        let ends = [part.first(), part.last()];
        let extremes = [part.iter().min_by(by_value), part.iter().max_by(by_value)];
        let mut own: Vec<[f64; 2]> = ends.into_iter().chain(extremes).flatten().copied().collect();
        own.sort_by(|a, b| a[0].total_cmp(&b[0]));
        own.dedup();
        kept.append(&mut own);
    }
    kept
}

/// The exponentially weighted mean of a series up to each point: a figure that lies `step` back counts
/// `weight` times as much, whatever stands between. The first figures are not drawn towards 0, and
/// what does not change stays as it is.
pub fn smoothed(points: &[[f64; 2]], weight: f64, step: f64) -> Vec<[f64; 2]> {
    let (mut sum, mut total, mut before) = (0.0, 0.0, None);
    let smooth = |&[at, value]: &[f64; 2]| {
        let kept = before.map_or(0.0, |before| weight.powf((at - before) / step));
        sum = sum * kept + value;
        total = total * kept + 1.0;
        before = Some(at);
        [at, sum / total]
    };
    points.iter().map(smooth).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(count: usize) -> Vec<[f64; 2]> {
        let value =
            |at: usize| ((at * 7919) % 1009) as f64 + if at == count / 3 { 5e4 } else { 0.0 };
        (0..count).map(|at| [at as f64, value(at)]).collect()
    }

    #[test]
    fn thinning_keeps_first_last_lowest_and_highest_of_each_column() {
        let points = wave(100_000);
        let kept = thinned(&points, 100);
        assert!(kept.len() <= 404, "{}", kept.len());
        assert!(kept.windows(2).all(|pair| pair[0][0] < pair[1][0]));
        let column = |point: &[f64; 2]| (point[0] / 99_999.0 * 100.0) as usize;
        for part in points.chunk_by(|a, b| column(a) == column(b)) {
            let highest = part.iter().map(|point| point[1]).fold(f64::NEG_INFINITY, f64::max);
            let lowest = part.iter().map(|point| point[1]).fold(f64::INFINITY, f64::min);
            for wanted in [highest, lowest] {
                let is_there =
                    |point: &&[f64; 2]| column(point) == column(&part[0]) && point[1] == wanted;
                assert!(kept.iter().any(|point| is_there(&point)), "{wanted}");
            }
            assert!(kept.contains(&part[0]) && kept.contains(&part[part.len() - 1]));
        }
        assert_eq!(thinned(&points[..300], 100), &points[..300]);
    }

    #[test]
    fn smoothing_with_no_weight_changes_nothing_and_constants_stay() {
        let points = wave(50);
        assert_eq!(smoothed(&points, 0.0, 1.0), points);
        let constant: Vec<[f64; 2]> = (0..50).map(|at| [f64::from(at), 0.3]).collect();
        assert!(smoothed(&constant, 0.9, 1.0).iter().all(|point| (point[1] - 0.3).abs() < 1e-12));
        // 0, 1 with weight 1/2: (0/2 + 1) / (1/2 + 1).
        let two = smoothed(&[[0.0, 0.0], [1.0, 1.0]], 0.5, 1.0);
        assert!((two[1][1] - 2.0 / 3.0).abs() < 1e-12);
        // Twice the step counts as two.
        let far = smoothed(&[[0.0, 0.0], [2.0, 1.0]], 0.5, 1.0);
        assert!((far[1][1] - 0.8).abs() < 1e-12);
    }
}
