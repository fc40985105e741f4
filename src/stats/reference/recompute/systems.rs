//! Several systems over the same blocks.

use serde_json::Value;

use super::{Fields, Inputs, Recompute, rows};
use crate::stats::systems::{ChiSquaredTest, RankedBlocks, cochran_q as cochran};

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] =
    &[("friedman_iman_davenport_nemenyi", friedman), ("cochran_q", cochran_q)];

fn friedman(inputs: &Inputs) -> Option<Fields> {
    let higher = inputs.get("higher_is_better").and_then(Value::as_bool).unwrap_or(true);
    let ranked = RankedBlocks::new(&rows(inputs, "scores")?, higher)?;
    let of =
        |test: Option<ChiSquaredTest>| test.map_or([f64::NAN; 2], |test| [test.statistic, test.p]);
    let [uncorrected, _] = of(ranked.friedman());
    let [corrected, corrected_p] = of(ranked.friedman_tie_corrected());
    let f = ranked.iman_davenport();
    let critical = |alpha: f64| vec![ranked.critical_difference(alpha).unwrap_or(f64::NAN)];
    Some(vec![
        ("mean_ranks", ranked.mean_ranks()),
        ("chi2_uncorrected", vec![uncorrected]),
        ("F_iman_davenport", vec![f.map_or(f64::NAN, |test| test.statistic)]),
        ("F_df", f.map_or(vec![f64::NAN; 2], |test| test.df.to_vec())),
        ("F_p", vec![f.map_or(f64::NAN, |test| test.p)]),
        ("chi2_tie_corrected", vec![corrected]),
        ("chi2_tie_corrected_p", vec![corrected_p]),
        ("CD_05", critical(0.05)),
        ("CD_10", critical(0.10)),
    ])
}

fn cochran_q(inputs: &Inputs) -> Option<Fields> {
    let test = cochran(&rows(inputs, "correct")?)?;
    Some(vec![("Q", vec![test.statistic]), ("df", vec![test.df]), ("p", vec![test.p])])
}
