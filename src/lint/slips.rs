//! Slips of the pen in figures: whether one would explain a figure that contradicts two others, so that
//! nobody can tell which of the three is wrong.

use super::printed::Printed;

/// Whether a figure is right after all if one of the two that it comes from had another digit, two digits
/// the other way round, or were one more or less.
pub(super) fn explains(
    sources: [Printed; 2],
    stated: Printed,
    rule: impl Fn([f64; 2]) -> Option<f64>,
) -> bool {
    let [first, second] = sources;
    let gives = |sources| {
        let value = rule(sources);
        value.is_some_and(|value| (value - stated.value).abs() < stated.unit() * (1.0 - 1e-6))
    };
    slips(first).into_iter().any(|slip| gives([slip, second.value]))
        || slips(second).into_iter().any(|slip| gives([first.value, slip]))
}

fn slips(printed: Printed) -> Vec<f64> {
    let text: Vec<char> = printed.text().chars().collect();
    let places = || (0..text.len()).filter(|at| text.get(*at).is_some_and(char::is_ascii_digit));
    let other = places().flat_map(|at| {
        let text = &text;
        ('0'..='9').map(move |digit| {
            text.iter().enumerate().map(|(own, c)| if own == at { digit } else { *c }).collect()
        })
    });
    let turned = places().zip(places().skip(1)).map(|(first, second)| {
        let mut text = text.clone();
        text.swap(first, second);
        text.into_iter().collect()
    });
    let typed = other.chain(turned).filter_map(|text: String| text.parse().ok());
    let beside = [printed.value - 1.0, printed.value + 1.0];
    typed.chain(beside).filter(|value| *value != printed.value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_one_digit_two_that_changed_places_or_one_more() {
        let all = slips(Printed { value: 49.5, decimals: 1 });
        for (value, is_slip) in
            [(59.5, true), (49.6, true), (94.5, true), (45.9, true), (50.5, true), (52.0, false)]
        {
            assert_eq!(all.contains(&value), is_slip, "{value}");
        }
        assert!(!all.contains(&49.5));
    }
}
