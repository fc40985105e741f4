//! Series without a trend, and runs that are looked at again and again.

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use reportgen::stats::resampling::random::RandomStream;
use reportgen::stats::sequential::discordant_e_value;
use reportgen::stats::series::{
    Slopes, first_order_variance_ratio, floored_variance_ratio, mann_kendall,
};

use crate::Random;

/// Sequences drawn for each line.
const DRAWS: u64 = 4_000;

/// Level of the tests.
const ALPHA: f64 = 0.05;

/// Design, data, share of sequences in which something was found.
type Line = (&'static str, String, f64);

pub(crate) fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    for points in [20, 50, 200] {
        for memory in [0.0, 0.3, 0.7] {
            let found = share(|random| finds_trend(&series(random, points, memory)));
            let data = format!("{points} points without trend, each {memory} of the one before");
            lines.push(("trend of a series", data, found));
        }
    }
    let peeked = share(|random| {
        let (mut gained, mut lost) = (0, 0);
        (0..1_000).any(|_| {
            if random.happens(0.5) {
                gained += 1;
            } else {
                lost += 1;
            }
            discordant_e_value(gained, lost).anytime_p < ALPHA
        })
    });
    lines.push(("e-value", "1,000 looks, one after each discordant pair".to_owned(), peeked));
    lines
}

fn share(finds: impl Fn(&mut Random) -> bool + Sync) -> f64 {
    let found =
        (0..DRAWS).into_par_iter().filter(|number| finds(&mut Random(RandomStream::new(*number))));
    found.count() as f64 / DRAWS as f64
}

fn series(random: &mut Random, points: usize, memory: f64) -> Vec<f64> {
    let mut value = random.normal();
    (0..points)
        .map(|_| {
            value = memory * value + (1.0 - memory * memory).sqrt() * random.normal();
            value
        })
        .collect()
}

/// The test of a trend as reports make it.
fn finds_trend(values: &[f64]) -> bool {
    let at: Vec<f64> = (0..values.len()).map(|step| step as f64).collect();
    let slope = Slopes::new(&at, values).map_or(0.0, |mut slopes| slopes.median());
    let ratio =
        floored_variance_ratio(values, slope).max(first_order_variance_ratio(values, slope));
    mann_kendall(values).is_some_and(|test| test.p_effective(ratio, values.len()) < ALPHA)
}
