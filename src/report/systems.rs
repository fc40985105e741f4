//! `systems` of `report.json`: three or more arms together.

use serde::Serialize;

use crate::compare::{OnSamples, OverDatasets, Systems};
use crate::model::Dims;

/// What all arms show together.
#[derive(Debug, Clone, Default, Serialize)]
pub struct SystemsView {
    /// By metric, over the samples that all arms answered.
    pub on_samples: Vec<OnSamplesView>,
    /// By metric, over the datasets that all arms were evaluated on.
    pub over_datasets: Vec<OverDatasetsView>,
}

/// One metric over shared samples.
#[derive(Debug, Clone, Serialize)]
pub struct OnSamplesView {
    /// Canonical metric name.
    pub metric: String,
    pub dataset: Option<String>,
    /// Grid coordinates.
    pub dims: Dims,
    /// Samples with a score in every arm.
    pub n: u64,
    /// Clusters among them, when the cluster is the unit.
    pub clusters: Option<u64>,
    /// The arms, baseline first.
    pub arms: Vec<ArmOnSamplesView>,
    /// Random sign patterns behind `p_max_t`; `null` where all patterns were counted.
    pub drawn_patterns: Option<u64>,
    /// Test that all arms have the same rate.
    pub omnibus: Option<OmnibusView>,
    /// Every pair of arms.
    pub pairs: Vec<SystemPairView>,
}

/// One arm over shared samples.
#[derive(Debug, Clone, Serialize)]
pub struct ArmOnSamplesView {
    /// Run id.
    pub run: String,
    /// Mean over the shared samples.
    pub value: f64,
    /// p against the baseline, step-down max-T over the candidates.
    pub p_max_t: Option<f64>,
}

/// A test of all arms at once.
#[derive(Debug, Clone, Serialize)]
pub struct OmnibusView {
    /// Method tag.
    pub method: &'static str,
    pub statistic: f64,
    /// Degrees of freedom.
    pub df: f64,
    pub p: f64,
}

/// Two arms.
#[derive(Debug, Clone, Serialize)]
pub struct SystemPairView {
    /// Run ids.
    pub runs: [String; 2],
    /// Second − first in the metric's unit; `null` over datasets.
    pub delta: Option<f64>,
    /// Method tag of the test.
    pub method: Option<&'static str>,
    pub p: Option<f64>,
    /// p-value adjusted over all pairs by Holm.
    pub p_adjusted: Option<f64>,
}

/// One metric over datasets.
#[derive(Debug, Clone, Serialize)]
pub struct OverDatasetsView {
    /// Canonical metric name.
    pub metric: String,
    /// Grid coordinates.
    pub dims: Dims,
    pub datasets: Vec<String>,
    /// The arms, baseline first.
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
    /// Run id.
    pub run: String,
    /// Mean rank; 1 is best.
    pub mean_rank: f64,
    /// Mean of the figures.
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
