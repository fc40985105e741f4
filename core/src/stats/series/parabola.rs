//! Values in an order, less what a parabola over their places says of them.

/// The correlation of values with their places, −1 to 1; 0 where they do not vary.
pub fn order_correlation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n.max(1.0);
    let (mut along, mut squares, mut places) = (0.0, 0.0, 0.0);
    for (place, value) in values.iter().enumerate() {
        let (at, value) = (place as f64 - (n - 1.0) / 2.0, value - mean);
        along += at * value;
        squares += value * value;
        places += at * at;
    }
    let spread = (squares * places).sqrt();
    if spread > 0.0 { along / spread } else { 0.0 }
}

/// Takes the least-squares parabola over the places from the values and leaves their mean. Places are
/// evenly spaced, so that the line and the square less its mean are orthogonal.
pub fn without_parabola(values: &mut [f64]) {
    let n = values.len() as f64;
    let line = |place: usize| place as f64 - (n - 1.0) / 2.0;
    let mean_square = (n * n - 1.0) / 12.0;
    let bend = |place: usize| line(place).powi(2) - mean_square;
    let shapes: [&dyn Fn(usize) -> f64; 2] = [&line, &bend];
    for shape in shapes {
        let (mut along, mut squares) = (0.0, 0.0);
        for (place, value) in values.iter().enumerate() {
            along += shape(place) * value;
            squares += shape(place).powi(2);
        }
        if squares > 0.0 {
            for (place, value) in values.iter_mut().enumerate() {
                *value -= along / squares * shape(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values: Python 3.13, the normal equations of `a + b·x + c·x²` for `x = 0 … 5` and
    /// `y = [1, 0, 4, 2, 7, 9]` solved in `fractions.Fraction`, and `statistics.correlation(x, y)`.
    #[test]
    fn a_parabola_is_that_of_least_squares() {
        let mut values = [1.0, 0.0, 4.0, 2.0, 7.0, 9.0];
        assert!((order_correlation(&values) - 0.889_626_972_420).abs() < 1e-9);
        without_parabola(&mut values);
        for (value, expected) in values.iter().zip([
            4.083_333_333_333,
            2.754_761_904_762,
            5.747_619_047_619,
            2.061_904_761_905,
            4.697_619_047_619,
            3.654_761_904_762,
        ]) {
            assert!((value - expected).abs() < 1e-9, "{values:?}");
        }
    }
}
