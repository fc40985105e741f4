//! Standard errors, deviations and intervals that stand beside a metric under a name made of the
//! metric's: `acc_stderr` beside `acc`, `acc_stderr,none` beside `acc,none`, `reward_std` beside
//! `reward`, `acc_ci_low` and `acc_ci_high` beside `acc`; and the clusters that figures stand on.

use std::collections::BTreeMap;

use super::super::document::Table;
use super::super::records::FileSheet;
use super::figure::{CLUSTER_KEYS, FileFigure, SD_KEYS, SIGNS, STDERR_KEYS, read_cell};
use super::intervals::{StatedInterval, interval_of, numbers};
use crate::model::MetricNames;

/// How far the standard deviation of a metric of right and wrong answers may be from the one that
/// its mean implies, relative to that. Another one is none of the samples: it may be of seeds.
const NEAR: f64 = 0.2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpreadKind {
    StandardError,
    /// The standard deviation of the samples: a spread of the metric only with their number.
    StandardDeviation,
    /// One end of an interval, both, or half of its width.
    Interval,
    /// The number of clusters that figures stand on.
    Clusters,
}

#[derive(Debug, Default)]
pub(super) struct FileSpreads<'a> {
    names: BTreeMap<&'a str, SpreadKind>,
    stderr: BTreeMap<&'a str, f64>,
    sd: BTreeMap<&'a str, f64>,
    /// Of the metric, or of every metric in whose place the name is empty.
    intervals: BTreeMap<String, StatedInterval>,
    clusters: Option<u64>,
}

impl<'a> FileSpreads<'a> {
    /// Finds the names in a table that are spreads of its other names.
    pub(super) fn find(table: &'a Table, names: &MetricNames) -> Self {
        let mut found = Self::default();
        for (name, node) in table.iter().filter(|(name, _)| !names.is_declared(name)) {
            if CLUSTER_KEYS.contains(&name.as_str()) && node.count().is_some() {
                found.clusters = [found.clusters, node.count()].into_iter().flatten().min();
                found.names.insert(name, SpreadKind::Clusters);
            } else if let Some(base) = interval_of(name) {
                let numbers = numbers(node);
                if !numbers.is_empty() {
                    found.intervals.entry(base.to_owned()).or_default().add(name, numbers);
                    found.names.insert(name, SpreadKind::Interval);
                }
            }
        }
        for (name, node) in table {
            let Some((base, kind)) = parse(name) else { continue };
            let Some((metric, value)) = metric_of(&base, table, names) else { continue };
            let spread = node.number().filter(|spread| spread.is_finite() && *spread >= 0.0);
            match (kind, spread) {
                (SpreadKind::StandardError, Some(spread)) => {
                    let _first = found.stderr.entry(metric).or_insert(spread);
                }
                (SpreadKind::StandardDeviation, Some(spread))
                    if is_of_samples(metric, value, spread, names) =>
                {
                    let _first = found.sd.entry(metric).or_insert(spread);
                }
                // A text in place of a standard error is still no metric.
                (SpreadKind::StandardError, None) => {}
                (
                    SpreadKind::StandardDeviation | SpreadKind::Interval | SpreadKind::Clusters,
                    _,
                ) => {
                    continue;
                }
            }
            // What the user declares is a metric of its own too.
            if !names.is_declared(name) {
                found.names.insert(name, kind);
            }
        }
        found
    }

    /// What spread that name is; `None` for the name of anything else.
    pub(super) fn kind(&self, name: &str) -> Option<SpreadKind> {
        self.names.get(name).copied()
    }

    /// The figure of that name together with the spreads beside it.
    pub(super) fn complete(&self, name: &str, figure: FileFigure) -> FileFigure {
        let beside = |spreads: &BTreeMap<&str, f64>| spreads.get(name).copied();
        let plain = name.split_once(',').map_or(name, |(plain, _)| plain);
        let interval = self.intervals.get(plain).or_else(|| self.intervals.get(""));
        let of_interval = || interval?.stderr(figure.value.value()?);
        FileFigure {
            stderr: figure.stderr.or_else(|| beside(&self.stderr)),
            sd: figure.sd.or_else(|| beside(&self.sd)),
            of_interval: figure.of_interval.or_else(of_interval),
            clusters: figure.clusters.or(self.clusters),
            ..figure
        }
    }
}

/// The figure in a column of a table with what the columns of spreads in the same row say of it: each
/// with the column of its figure, its kind and its own place.
pub(super) fn with_spreads(
    figure: FileFigure,
    (name, column): (&str, usize),
    spreads: &[(usize, SpreadKind, usize)],
    (header, row): (&[String], &[String]),
    names: &MetricNames,
) -> FileFigure {
    let numbers = |wanted: SpreadKind| {
        let own = spreads.iter().filter(move |(of, kind, _)| *of == column && *kind == wanted);
        own.filter_map(|(.., place)| {
            let number = read_cell(FileSheet::cell(row, *place))?.value.value()?;
            Some((header.get(*place)?.as_str(), number))
        })
    };
    let of = |wanted: SpreadKind| {
        let (_, spread) = numbers(wanted).next()?;
        Some(spread).filter(|spread| spread.is_finite() && *spread >= 0.0)
    };
    let is_plausible = |spread: &f64| {
        let value = figure.value.value();
        value.is_some_and(|value| is_of_samples(name, value, *spread, names))
    };
    let interval = || {
        let mut interval = StatedInterval::default();
        for (name, number) in numbers(SpreadKind::Interval) {
            interval.add(name, [number]);
        }
        interval.stderr(figure.value.value()?)
    };
    FileFigure {
        stderr: of(SpreadKind::StandardError).or(figure.stderr),
        sd: of(SpreadKind::StandardDeviation).filter(is_plausible).or(figure.sd),
        of_interval: interval().or(figure.of_interval),
        ..figure
    }
}

/// The kind of spread of a column with that head, whatever metric it is of.
pub(super) fn bare(name: &str) -> Option<SpreadKind> {
    if STDERR_KEYS.contains(&name) || SIGNS.contains(&name) {
        return Some(SpreadKind::StandardError);
    }
    SD_KEYS.contains(&name).then_some(SpreadKind::StandardDeviation)
}

/// The name of a metric in the name of its spread, `acc,none` in `acc_stderr,none`.
pub(super) fn parse(name: &str) -> Option<(String, SpreadKind)> {
    let (spread, filter) = match name.split_once(',') {
        Some((spread, filter)) => (spread, format!(",{filter}")),
        None => (name, String::new()),
    };
    let base_of = |words: &[&str]| {
        let bases = words.iter().filter_map(|word| spread.strip_suffix(word)?.strip_suffix('_'));
        bases.min_by_key(|base| base.len()).filter(|base| !base.is_empty())
    };
    let (base, kind) = match (base_of(STDERR_KEYS), base_of(SD_KEYS)) {
        (Some(base), _) => (base, SpreadKind::StandardError),
        (None, Some(base)) => (base, SpreadKind::StandardDeviation),
        // `std_reward` beside `mean_reward`; `std_err` has no metric in it.
        (None, None) => {
            let (above, last) = spread.split_at(spread.rfind('/').map_or(0, |at| at + 1));
            let of = last.strip_prefix("std_").filter(|_| bare(last).is_none())?;
            return Some((format!("{above}mean_{of}{filter}"), SpreadKind::StandardDeviation));
        }
    };
    Some((format!("{base}{filter}"), kind))
}

/// The metric of that name, without the filter or by another of its names if need be, and its value.
fn metric_of<'a>(base: &str, table: &'a Table, names: &MetricNames) -> Option<(&'a str, f64)> {
    let plain = base.split_once(',').map_or(base, |(plain, _)| plain);
    let by_alias = || {
        let metric = &names.get(plain)?.name;
        table.get_key_value(table.keys().find(|key| names.canonical(key) == metric)?)
    };
    let found = table.get_key_value(base).or_else(|| table.get_key_value(plain));
    let (metric, node) = found.or_else(by_alias)?;
    Some((metric.as_str(), FileFigure::read(node)?.value.value()?))
}

/// Whether a standard deviation can be that of the samples behind the value.
pub(super) fn is_of_samples(metric: &str, value: f64, sd: f64, names: &MetricNames) -> bool {
    let plain = metric.split_once(',').map_or(metric, |(plain, _)| plain);
    if !names.get(plain).is_some_and(|spec| spec.outcomes) {
        return true;
    }
    let whole = if value > 1.0 { 100.0 } else { 1.0 };
    let implied = (value * (whole - value)).max(0.0).sqrt();
    (sd - implied).abs() <= NEAR * implied
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_spread_holds_the_name_of_its_metric() {
        let (error, deviation) = (SpreadKind::StandardError, SpreadKind::StandardDeviation);
        for (name, expected) in [
            ("acc_stderr", Some(("acc", error))),
            ("acc_std_err", Some(("acc", error))),
            ("std_reward", Some(("mean_reward", deviation))),
            ("eval/std_reward", Some(("eval/mean_reward", deviation))),
            ("std_err", None),
            ("acc_stderr,none", Some(("acc,none", error))),
            ("eval/f1_se", Some(("eval/f1", error))),
            ("reward_std", Some(("reward", deviation))),
            ("reward_std_dev", Some(("reward", deviation))),
            ("_stderr", None),
            ("mse", None),
            ("std", None),
        ] {
            let expected = expected.map(|(base, kind)| (base.to_owned(), kind));
            assert_eq!(parse(name), expected, "{name}");
        }
    }
}
