//! `systems` of `report.json`: three or more arms together.

use serde::Serialize;

use crate::compare::{OnSamples, OverDatasets, Systems};
use crate::model::Dims;

#[derive(Debug, Clone, Default, Serialize)]
pub struct SystemsView {
    pub on_samples: Vec<OnSamplesView>,
    pub over_datasets: Vec<OverDatasetsView>,
}

#[derive(Debug, Clone, Serialize)]
pub struct OnSamplesView {
    pub metric: String,
    pub dataset: Option<String>,
    pub dims: Dims,
    /// Samples with a score in every arm.
    pub n: u64,
    /// Clusters among them, when the cluster is the unit.
    pub clusters: Option<u64>,
    pub arms: Vec<ArmOnSamplesView>,
    /// Random sign patterns behind `p_max_t`; `null` where all patterns were counted.
    pub drawn_patterns: Option<u64>,
    pub omnibus: Option<OmnibusView>,
    pub pairs: Vec<SystemPairView>,
}

#[derive(Debug, Clone, Serialize)]
pub struct ArmOnSamplesView {
    pub run: String,
    pub value: f64,
    /// p against the baseline, step-down max-T over the candidates.
    pub p_max_t: Option<f64>,
}

#[derive(Debug, Clone, Serialize)]
pub struct OmnibusView {
    pub method: &'static str,
    pub statistic: f64,
    pub df: f64,
    pub p: f64,
}

#[derive(Debug, Clone, Serialize)]
pub struct SystemPairView {
    pub runs: [String; 2],
    /// Second − first in the metric's unit; `null` over datasets.
    pub delta: Option<f64>,
    pub method: Option<&'static str>,
    pub p: Option<f64>,
    /// p-value adjusted over all pairs by Holm.
    pub p_adjusted: Option<f64>,
}

#[derive(Debug, Clone, Serialize)]
pub struct OverDatasetsView {
    pub metric: String,
    pub dims: Dims,
    pub datasets: Vec<String>,
    pub arms: Vec<ArmOverDatasetsView>,
    /// Friedman's statistic, not corrected for ties.
    pub friedman: f64,
    /// The same, corrected for ties; `null` when the arms tie on every dataset.
    pub friedman_tie_corrected: Option<f64>,
    /// Iman and Davenport's F; `null` where it is infinite, because all datasets agree on one order.
    pub f: Option<f64>,
    /// Degrees of freedom of F.
    pub f_df: [f64; 2],
    pub p: f64,
    /// Difference of mean ranks that Nemenyi's test would call significant at the report's level.
    pub critical_difference: Option<f64>,
    /// Every pair of arms, by the Wilcoxon signed-rank test.
    pub pairs: Vec<SystemPairView>,
}

#[derive(Debug, Clone, Serialize)]
pub struct ArmOverDatasetsView {
    pub run: String,
    /// Mean rank; 1 is best.
    pub mean_rank: f64,
    pub mean: f64,
}

/// The wire form; `alpha` is the report's level.
pub(super) fn view(systems: &Systems<'_>, alpha: f64) -> SystemsView {
    SystemsView {
        on_samples: systems.on_samples.iter().map(on_samples).collect(),
        over_datasets: systems.over_datasets.iter().map(|one| over_datasets(one, alpha)).collect(),
    }
}

fn on_samples(one: &OnSamples<'_>) -> OnSamplesView {
    let id = |arm: usize| one.arms.get(arm).map_or_else(String::new, |arm| arm.id.to_owned());
    OnSamplesView {
        metric: one.key.metric.clone(),
        dataset: one.key.dataset.clone(),
        dims: one.key.dims.clone(),
        n: one.samples,
        clusters: one.clusters,
        arms: one
            .arms
            .iter()
            .map(|arm| ArmOnSamplesView {
                run: arm.id.to_owned(),
                value: arm.mean,
                p_max_t: arm.p_max_t,
            })
            .collect(),
        drawn_patterns: one.drawn_patterns,
        omnibus: one.omnibus.map(|test| OmnibusView {
            method: "cochran-q",
            statistic: test.statistic,
            df: test.df,
            p: test.p,
        }),
        pairs: one
            .pairs
            .iter()
            .map(|pair| SystemPairView {
                runs: pair.arms.map(id),
                delta: Some(one.delta(pair)),
                method: pair.test.map(|test| test.method),
                p: pair.test.map(|test| test.p),
                p_adjusted: pair.p_adjusted,
            })
            .collect(),
    }
}

fn over_datasets(one: &OverDatasets<'_>, alpha: f64) -> OverDatasetsView {
    let id = |arm: usize| one.arms.get(arm).map_or_else(String::new, |arm| arm.id.to_owned());
    OverDatasetsView {
        metric: one.metric.to_owned(),
        dims: one.dims.clone(),
        datasets: one.datasets.iter().map(|&name| name.to_owned()).collect(),
        arms: one
            .arms
            .iter()
            .map(|arm| ArmOverDatasetsView {
                run: arm.id.to_owned(),
                mean_rank: arm.mean_rank,
                mean: arm.mean,
            })
            .collect(),
        friedman: one.friedman.statistic,
        friedman_tie_corrected: one.friedman_tie_corrected.map(|test| test.statistic),
        f: Some(one.iman_davenport.statistic).filter(|f| f.is_finite()),
        f_df: one.iman_davenport.df,
        p: one.iman_davenport.p,
        critical_difference: one.ranks.critical_difference(alpha),
        pairs: one
            .pairs
            .iter()
            .map(|pair| SystemPairView {
                runs: pair.arms.map(id),
                delta: None,
                method: pair.method,
                p: pair.p,
                p_adjusted: pair.p_adjusted,
            })
            .collect(),
    }
}
