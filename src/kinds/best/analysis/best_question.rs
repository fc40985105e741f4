//! Which metric on which dataset decides.

use std::collections::BTreeSet;

use crate::model::{DimValue, Dims, MetricNames, Run};

/// What the user asked for.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Metric, by any of its names.
    pub metric: Option<String>,
    /// Dataset, without regard to ASCII case; empty for figures of which none is named.
    pub dataset: Option<String>,
}

/// A metric on a dataset at coordinates other than the step.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Question {
    pub metric: String,
    /// Dataset, as the run writes it.
    pub dataset: Option<String>,
    pub dims: Dims,
}

impl std::fmt::Display for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.metric)?;
        match &self.dataset {
            Some(dataset) => write!(f, " on {dataset}")?,
            None => f.write_str(" without a dataset")?,
        }
        if !self.dims.is_empty() {
            write!(f, " at {}", self.dims)?;
        }
        Ok(())
    }
}

/// Why no metric decides.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoQuestion {
    /// The run has no figures over steps.
    #[error(
        "`{path}` has no figures of evaluations at several steps (eval_step_500/summary.json, \
         best_checkpoint.json, …); `reportgen inspect` shows what was found"
    )]
    NoCheckpoints { path: String },
    /// Several fit, or none does.
    #[error(
        "{asked}; name one with --metric and --dataset (--dataset \"\" for none), or under [best]: \
         {candidates}"
    )]
    Unclear { asked: String, candidates: String },
    /// Nobody says which way is good.
    #[error(
        "nobody says whether a larger `{metric}` is better: declare it with [[metric]] in \
         reportgen.toml (names = [\"{metric}\"], direction = \"higher\" or \"lower\")"
    )]
    NoDirection { metric: String },
}

/// The question that was asked, else what the run's own record of its best checkpoint was chosen
/// by, else the only one that there is.
///
/// # Errors
/// When there is none, or more than one.
pub fn question(run: &Run, wanted: &Wanted, names: &MetricNames) -> Result<Question, NoQuestion> {
    let evaluated = all(run, |path| !is_record(path));
    let recorded_too = all(run, |_| true);
    // What only the record of the best repeats counts where nothing evaluated fits.
    let fits_evaluated = evaluated.iter().any(|known| fits(known, wanted, names));
    let all = if fits_evaluated { evaluated } else { recorded_too };
    if all.is_empty() {
        return Err(NoQuestion::NoCheckpoints { path: run.path.clone() });
    }
    let recorded = recorded(run).filter(|_| wanted.metric.is_none() && wanted.dataset.is_none());
    let wanted = recorded
        .filter(|one| all.iter().any(|known| fits(known, one, names)))
        .unwrap_or_else(|| wanted.clone());
    let fitting: Vec<&Question> = all.iter().filter(|known| fits(known, &wanted, names)).collect();
    match fitting.as_slice() {
        [one] => Ok((*one).clone()),
        several => {
            let asked = match (several.len(), &wanted.metric, &wanted.dataset) {
                (0, ..) => "no figures over steps fit that metric and dataset".to_owned(),
                (_, None, None) => "several metrics could decide".to_owned(),
                _ => "several figures fit that metric and dataset".to_owned(),
            };
            let listed = if several.is_empty() { all.iter().collect() } else { fitting };
            let candidates =
                listed.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(", ");
            Err(NoQuestion::Unclear { asked, candidates })
        }
    }
}

fn fits(known: &Question, wanted: &Wanted, names: &MetricNames) -> bool {
    let metric = wanted.metric.as_deref().is_none_or(|name| {
        names.canonical(name) == known.metric || name.eq_ignore_ascii_case(&known.metric)
    });
    let dataset = wanted.dataset.as_deref().is_none_or(|name| match name {
        "" => known.dataset.is_none(),
        _ => known.dataset.as_deref().is_some_and(|dataset| dataset.eq_ignore_ascii_case(name)),
    });
    metric && dataset
}

/// `summary.datasets.<dataset>.<metric>` of the run's own record.
fn recorded(run: &Run) -> Option<Wanted> {
    let written = run.content.selection.as_ref()?.metric.as_deref()?;
    let named = written.split_once("datasets.").map_or(written, |(_, named)| named);
    let (dataset, metric) = named.rsplit_once('.').map_or((None, named), |(a, b)| (Some(a), b));
    Some(Wanted { metric: Some(metric.to_owned()), dataset: dataset.map(str::to_owned) })
}

/// The step of some coordinates, if they have one that is a number.
pub(super) fn step_of_checkpoint(dims: &Dims) -> Option<f64> {
    dims.get("step").and_then(DimValue::number)
}

/// Whether a path is that of a record of the best checkpoint.
fn is_record(path: &str) -> bool {
    path.rsplit('/').next() == Some("best_checkpoint.json")
}

/// Every metric and dataset with a figure at some step in a file of those.
fn all(run: &Run, is_meant: impl Fn(&str) -> bool) -> Vec<Question> {
    let question = |metric: &String, dataset: &Option<String>, dims: &Dims| {
        let question = || Question {
            metric: metric.clone(),
            dataset: dataset.clone(),
            dims: dims.without("step"),
        };
        step_of_checkpoint(dims).map(|_| question())
    };
    let scalars = run.content.scalars.iter().filter(|scalar| is_meant(&scalar.source.path));
    let scalars = scalars.map(|scalar| question(&scalar.metric, &scalar.dataset, &scalar.dims));
    let samples = run.content.samples.iter().flat_map(|table| {
        let columns = table.columns().iter();
        columns.map(|(metric, _)| question(metric, &table.dataset, &table.dims))
    });
    let found: BTreeSet<Question> = scalars.chain(samples).flatten().collect();
    found.into_iter().collect()
}
