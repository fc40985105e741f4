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
        over_datasets: systems
            .over_datasets
            .iter()
            .map(|metric| over_datasets(metric, alpha))
            .collect(),
    }
}

fn on_samples(metric: &OnSamples<'_>) -> OnSamplesView {
    let id = |arm: usize| metric.arms.get(arm).map_or_else(String::new, |arm| arm.id.to_owned());
    OnSamplesView {
        metric: metric.key.metric.clone(),
        dataset: metric.key.dataset.clone(),
        dims: metric.key.dims.clone(),
        n: metric.samples,
        clusters: metric.clusters,
        arms: metric
            .arms
            .iter()
            .map(|arm| ArmOnSamplesView {
                run: arm.id.to_owned(),
                value: arm.mean,
                p_max_t: arm.p_max_t,
            })
            .collect(),
        drawn_patterns: metric.drawn_patterns,
        omnibus: metric.omnibus.map(|test| OmnibusView {
            method: "cochran-q",
            statistic: test.statistic,
            df: test.df,
            p: test.p,
        }),
        pairs: metric
            .pairs
            .iter()
            .map(|pair| SystemPairView {
                runs: pair.arms.map(id),
                delta: Some(metric.delta(pair)),
                method: pair.test.map(|test| test.method),
                p: pair.test.map(|test| test.p),
                p_adjusted: pair.p_adjusted,
            })
            .collect(),
    }
}

fn over_datasets(metric: &OverDatasets<'_>, alpha: f64) -> OverDatasetsView {
    let id = |arm: usize| metric.arms.get(arm).map_or_else(String::new, |arm| arm.id.to_owned());
    OverDatasetsView {
        metric: metric.metric.to_owned(),
        dims: metric.dims.clone(),
        datasets: metric.datasets.iter().map(|&name| name.to_owned()).collect(),
        arms: metric
            .arms
            .iter()
            .map(|arm| ArmOverDatasetsView {
                run: arm.id.to_owned(),
                mean_rank: arm.mean_rank,
                mean: arm.mean,
            })
            .collect(),
        friedman: metric.friedman.statistic,
        friedman_tie_corrected: metric.friedman_tie_corrected.map(|test| test.statistic),
        f: Some(metric.iman_davenport.statistic).filter(|f| f.is_finite()),
        f_df: metric.iman_davenport.df,
        p: metric.iman_davenport.p,
        critical_difference: metric.ranks.critical_difference(alpha),
        pairs: metric
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
