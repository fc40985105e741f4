//! One series over time.

use super::{Inputs, Method, affordable, fields};
use crate::stats::nights::{AlarmBudget, LevelChange, Night, NightScore, watch_nights};
use crate::stats::series::{
    MannKendall, Slopes, autocorrelations, first_order_variance_ratio, floored_variance_ratio,
    mann_kendall, pettitt, variance_ratio,
};

pub(super) static METHODS: &[Method] = &[
    ("mann_kendall_sen", |inputs| {
        let (_, mut slopes, test) = trend(inputs)?;
        fields![
            ("S", test.s as f64),
            ("var_S", test.variance),
            ("z", test.z(1.0)),
            ("sen_slope", slopes.median()),
        ]
    }),
    ("mann_kendall_hamed_rao", |inputs| {
        let (y, mut slopes, test) = trend(inputs)?;
        let slope = slopes.median();
        let ratio = variance_ratio(&y, slope);
        fields![
            ("var_S", test.variance * ratio),
            ("z", test.z(ratio)),
            ("var_ratio", ratio),
            ("var_ratio_first_order", first_order_variance_ratio(&y, slope)),
            ("z_with_ratio_floored_at_1", test.z(floored_variance_ratio(&y, slope))),
        ]
    }),
    ("sen_slope_interval", |inputs| {
        let (_, mut slopes, test) = trend(inputs)?;
        let interval = slopes.interval(inputs.number("conf")?, test.variance, f64::INFINITY);
        let limits = interval.map_or([f64::NAN; 2], |interval| [interval.lo, interval.hi]);
        fields![("sen_slope", slopes.median()), ("ci", limits)]
    }),
    ("pettitt_change_point", |inputs| {
        let (_, y) = series(inputs)?;
        let change = pettitt(&y)?;
        fields![
            ("K", change.k),
            ("change_after_index", change.before as f64),
            ("p_first_order", change.first_order_p(&y)),
        ]
    }),
    // Of the first change.
    ("watched_nights", |inputs| {
        let y = inputs.numbers("y")?;
        affordable((y.len() as f64).powi(2))?;
        let variances = inputs.numbers("sampling_variance").unwrap_or_default();
        let budget =
            AlarmBudget::new(inputs.count("metrics")?, inputs.number("false_alarms_a_year")?)?;
        let night = |(place, value): (usize, &f64)| {
            let sampling_variance = variances.get(place).copied().filter(|one| one.is_finite());
            value.is_finite().then_some(Night { value: *value, n: None, sampling_variance })
        };
        let nights: Vec<Option<Night>> = y.iter().enumerate().map(night).collect();
        let watched = watch_nights(&nights, &[], budget);
        let each = |value: fn(&NightScore) -> Option<f64>| -> Vec<f64> {
            watched.scores.iter().filter_map(value).collect()
        };
        let change = watched.changes.first();
        let place = |value: fn(&LevelChange) -> usize| change.map(|one| value(one) as f64);
        fields![
            ("residuals", each(|score| score.residual)),
            ("log_detector", each(|score| score.log_detector)),
            ("raised", place(|change| change.raised)),
            ("start", place(|change| change.start)),
            ("earliest", place(|change| change.earliest)),
            ("latest", place(|change| change.latest)),
            ("shift", change.map(|change| change.after - change.before)),
            ("ci", change.and_then(|change| change.interval)),
            ("confirmed", change.and_then(|one| one.confirmed).map(|place| place as f64)),
            ("returned", change.and_then(|one| one.returned).map(|place| place as f64)),
        ]
    }),
    // At lags 1 to 3.
    ("autocorrelations", |inputs| fields![("acf", autocorrelations(&series(inputs)?.1, 3))]),
];

/// The places of the values that are there, and these values.
fn series(inputs: &Inputs<'_>) -> Option<(Vec<f64>, Vec<f64>)> {
    let y = inputs.numbers("y")?.into_iter().enumerate().filter(|(_, y)| y.is_finite());
    Some(y.map(|(place, y)| (place as f64, y)).unzip())
}

/// The values without gaps, the slopes between them, and the test.
fn trend(inputs: &Inputs<'_>) -> Option<(Vec<f64>, Slopes, MannKendall)> {
    let (at, y) = series(inputs)?;
    affordable((y.len() as f64).powi(2))?;
    let slopes = Slopes::new(&at, &y)?;
    let test = mann_kendall(&y)?;
    Some((y, slopes, test))
}
