//! Evaluations that a training logs as it goes: each of their points is a figure of the run at that
//! place of the training. So is a metric that was logged once.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{
    ConfigValue, DimValue, Measured, MetricNames, MetricRole, Point, RoleOrigin, Run, SampleTable,
    Scalar, Series, Source, evaluation_word, is_reward, leaf,
};
use crate::quantity::Unit;

/// Adds the last point of every logged evaluation of which a run has no other figure, where every run
/// has one: what one run alone logs is no missing result of the others. Earlier points are its curve,
/// and no results beside the last one; an evaluation that ends in NaN gave none.
pub(super) fn add_last_evaluations(runs: &mut [Run], names: &MetricNames) {
    let logged: Vec<BTreeMap<String, Scalar>> = runs.iter().map(|run| last(run, names)).collect();
    let is_everywhere = |metric: &str| {
        let mut all = runs.iter().zip(&logged);
        all.all(|(run, own)| own.contains_key(metric) || is_stated(run, metric))
    };
    let metrics: BTreeSet<&String> = logged.iter().flat_map(BTreeMap::keys).collect();
    let shared: BTreeSet<String> =
        metrics.into_iter().filter(|metric| is_everywhere(metric)).cloned().collect();
    for (run, own) in runs.iter_mut().zip(logged) {
        let own = own.into_iter().filter(|(metric, _)| shared.contains(metric));
        let new: Vec<Scalar> =
            own.map(|(_, scalar)| scalar).filter(|one| !is_stated(run, &one.metric)).collect();
        run.content.scalars.extend(new);
    }
}

/// The last points of the evaluations of a run by metric, where they are figures: of the run as it ended,
/// wherever that was.
fn last(run: &Run, names: &MetricNames) -> BTreeMap<String, Scalar> {
    let once = run.content.series.iter().filter(|series| is_logged_once(run, series, names));
    let ends = evaluations(run).chain(once).filter_map(|series| {
        let point = series.points.last().filter(|point| point.value.is_finite())?;
        let figure = figure(run, series, *point, names);
        Some(Scalar { dims: series.dims.clone(), ..figure })
    });
    let mut found = BTreeMap::new();
    for scalar in ends {
        found.entry(scalar.metric.clone()).or_insert(scalar);
    }
    found
}

/// Adds every point of the logged evaluations by which one could choose among checkpoints, where the
/// run has no figure of that metric at that place.
pub fn add_evaluations(run: &mut Run, names: &MetricNames) {
    let mut found: Vec<Scalar> = Vec::new();
    for series in evaluations(run) {
        let metric = names.canonical(&series.metric);
        let spec = names.meaning(&series.metric, run.content.spec(None, metric));
        if spec.is_some_and(|spec| spec.has_good_side()) {
            let points = series.points.iter().map(|point| figure(run, series, *point, names));
            let known = &run.content.scalars;
            let is_new = |one: &Scalar| {
                let is_same = |it: &Scalar| it.metric == one.metric && it.dims == one.dims;
                !known.iter().chain(&found).any(is_same)
            };
            let points: Vec<Scalar> = points.filter(is_new).collect();
            found.extend(points);
        }
    }
    run.content.scalars.extend(found);
}

fn evaluations(run: &Run) -> impl Iterator<Item = &Series> {
    run.content.series.iter().filter(|series| evaluation_word(&series.metric).is_some())
}

/// Whether a metric was logged once in all, as trackers are given a result, and is none of the training: one by which
/// runs are judged, or of which nobody knows what it is.
fn is_logged_once(run: &Run, series: &Series, names: &MetricNames) -> bool {
    let metric = names.canonical(&series.metric);
    let spec = names.meaning(&series.metric, run.content.spec(None, metric));
    let is_of_training = series.metric.to_ascii_lowercase().starts_with("train");
    let may_be_judged = spec.is_none_or(|spec| spec.has_good_side());
    series.points.len() == 1 && !is_of_training && may_be_judged
}

/// Whether the run has results of a metric beside what its training logs.
fn is_stated(run: &Run, metric: &str) -> bool {
    let mut columns = run.content.samples.iter().flat_map(SampleTable::columns);
    run.content.scalars.iter().any(|scalar| scalar.metric == metric)
        || columns.any(|(name, _)| name == metric)
}

fn figure(run: &Run, series: &Series, point: Point, names: &MetricNames) -> Scalar {
    let metric = names.canonical(&series.metric).to_owned();
    let is_percent = series.is_percentage(names);
    Scalar {
        dataset: None,
        dims: series.dims.clone().with(&series.axis, DimValue::Number(point.at)),
        value: Measured::new(point.value),
        unit: is_percent.then_some(Unit::Percent),
        unit_inferred: is_percent,
        decimals: None,
        rounded_to: None,
        n: evaluated_samples(run, series, names),
        answers: None,
        stderr: None,
        deviation: None,
        clusters: None,
        disputed: false,
        remarks: Vec::new(),
        source: match point.line {
            0 => Source::key(&series.path, &series.metric),
            line => Source::line(&series.path, line, &series.metric),
        },
        metric,
    }
}

/// The number of samples of an evaluation: that of a figure which the run states with a size and which
/// is one of the logged ones, or `eval_samples` of the configuration for `eval_accuracy`. What follows
/// from durations and rates is rounded, and no size.
fn evaluated_samples(run: &Run, series: &Series, names: &MetricNames) -> Option<u64> {
    let metric = names.canonical(&series.metric);
    let is_logged = |value: f64| series.points.iter().any(|point| point.value == value);
    let mut stated = run.content.scalars.iter().filter(|scalar| scalar.metric == metric);
    let stated = stated.find(|scalar| scalar.value.value().is_some_and(is_logged));
    let configured = || {
        let name = format!("{}_samples", evaluation_word(&series.metric)?);
        let mut entries = run.content.config.iter();
        let (_, entry) = entries.find(|(key, _)| leaf(key) == name)?;
        match entry.value {
            ConfigValue::Number(size, _) if size >= 1.0 && size.fract() == 0.0 => Some(size as u64),
            _ => None,
        }
    };
    stated.and_then(|scalar| scalar.n).or_else(configured)
}

/// Orders the series of a run by what they are for: what the user calls primary or a guard, then
/// evaluations, then what else can be better, rewards, losses, the rest, and what only counts or times.
/// Of evaluations without a good side rewards come first.
pub(super) fn order_series(run: &mut Run, names: &MetricNames, primary: &[String]) {
    let series = std::mem::take(&mut run.content.series);
    let content = &run.content;
    let rank = |series: &Series| {
        let metric = names.canonical(&series.metric);
        let spec = names.meaning(&series.metric, content.spec(None, metric));
        let given = spec.as_ref().and_then(|spec| spec.role);
        let by_user = given.filter(|given| given.origin == RoleOrigin::User);
        let is_asked = primary.iter().any(|name| name == metric);
        let has_good_side = spec.is_some_and(|spec| spec.has_good_side());
        let is_evaluation = evaluation_word(&series.metric).is_some();
        match given.map(|given| given.role) {
            _ if is_asked => 0,
            Some(role) if role.is_judged() && by_user.is_some() => 1 + role as u8,
            Some(role) if role.is_judged() && is_evaluation && has_good_side => 4 + role as u8,
            Some(MetricRole::Breakdown) => 20,
            Some(MetricRole::Cost) => 21,
            Some(MetricRole::Bookkeeping) => 22,
            _ if is_evaluation && has_good_side => 8,
            _ if is_evaluation && is_reward(metric) => 9,
            _ if is_evaluation => 10,
            _ if has_good_side => 11,
            _ if is_reward(metric) => 12,
            _ if metric.to_ascii_lowercase().contains("loss") => 13,
            _ => 14,
        }
    };
    let mut ranked: Vec<(u8, Series)> =
        series.into_iter().map(|series| (rank(&series), series)).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    run.content.series = ranked.into_iter().map(|(_, series)| series).collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Dims;
    use std::sync::Arc;

    fn run(logged: &[(&str, &[f64])]) -> Run {
        let series = logged.iter().map(|(metric, values)| {
            let points = (1..).zip(*values);
            let points = points.map(|(at, &value)| Point { at: f64::from(at), value, line: 0 });
            let (axis, path) = ("step".to_owned(), Arc::from("log.csv"));
            Series::new((*metric).to_owned(), axis, Dims::none(), points.collect(), path).0
        });
        Run::with_series(series.collect())
    }

    #[test]
    fn the_last_point_is_a_figure_where_every_run_logs_the_evaluation_to_its_end() {
        let both = ("eval_f1", &[0.5, 0.75][..]);
        for (mine, theirs, added) in [
            (&[both][..], &[both][..], true),
            (&[both], &[], false),
            (&[both], &[("eval_f1", &[0.5, f64::NAN][..])], false),
            (&[("train/f1", &[0.5][..])], &[("train/f1", &[0.5][..])], false),
        ] {
            let mut runs = [run(mine), run(theirs)];
            add_last_evaluations(&mut runs, &MetricNames::default());
            let told = runs[0].content.scalars.iter().map(|one| (&*one.metric, one.value.value()));
            let expected = added.then_some(("eval_f1", Some(0.75)));
            assert!(told.eq(expected), "{mine:?} {theirs:?}");
        }
    }

    #[test]
    fn a_metric_that_each_run_logged_once_is_a_figure() {
        for (metric, values, added) in [
            ("f1", &[0.75][..], true),
            ("f1", &[0.5, 0.75], false),
            ("train_f1", &[0.75], false),
            ("loss", &[0.75], false),
        ] {
            let mut runs = [run(&[(metric, values)]), run(&[(metric, values)])];
            add_last_evaluations(&mut runs, &MetricNames::default());
            let told = runs[1].content.scalars.iter().map(|one| one.value.value());
            assert!(told.eq(added.then_some(Some(0.75))), "{metric} {values:?}");
        }
    }

    #[test]
    fn a_size_is_stated_and_never_made_of_durations() {
        let log: &[(&str, &[f64])] = &[
            ("eval_f1", &[0.5, 0.75]),
            ("eval_runtime", &[2.0, 2.0]),
            ("eval_samples_per_second", &[100.0, 100.0]),
        ];
        for (value, n) in [(0.75, Some(200)), (0.7, None)] {
            let mut one = run(log);
            let stated = figure(
                &one,
                &one.content.series[0],
                Point { at: 0.0, value, line: 0 },
                &MetricNames::default(),
            );
            one.content.scalars.push(Scalar { n: Some(200), dims: Dims::none(), ..stated });
            add_evaluations(&mut one, &MetricNames::default());
            let logged = one.content.scalars.iter().filter(|scalar| !scalar.dims.is_empty());
            assert_eq!(logged.map(|scalar| scalar.n).collect::<Vec<_>>(), [n, n], "{value}");
        }
    }
}
