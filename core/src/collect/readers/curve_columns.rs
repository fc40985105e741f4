//! Columns that tell several curves in one table apart: `model` beside `step` and `val_acc`.
//!
//! A column does where positions are repeated and stand under several of its values. A few positions
//! before the end of one value are what a training wrote again after a restart.

use std::collections::{BTreeMap, BTreeSet};

use super::super::ReadOptions;
use super::chinese_heads::{in_english, plain_head};
use super::samples::RUN_COLUMNS;
use super::settings_beside::is_setting_of_rows;
use crate::model::{
    Config, ConfigEntry, ConfigValue, Fragment, FragmentPart, Point, RunLabel, Series, Source,
};

/// A column, and what stands in it in each record.
pub(super) struct CurveColumn {
    pub(super) name: String,
    values: BTreeMap<u64, String>,
    /// Whether its values stand in headings, below which points are.
    is_of_headings: bool,
}

/// The columns of a table, filled value by value.
#[derive(Default)]
pub(super) struct CurveColumns {
    columns: Vec<CurveColumn>,
    /// Names that the user asks for.
    asked: Vec<String>,
}

/// Settings of a training, of which each run may have one.
const SETTINGS: &[&str] =
    &["lr", "learning_rate", "batch_size", "beta", "kl_beta", "kl_coef", "weight_decay", "data"];

/// Columns whose values never are those of one training, whatever the steps.
const OF_MODELS: &[&str] = &[
    "model",
    "model_name",
    "arm",
    "method",
    "policy",
    "system",
    "dataset",
    "benchmark",
    "task",
    "split",
];
/// Columns of names of runs, of which a training that was resumed has several with other numbers.
const OF_NAMES: &[&str] =
    &["run", "run_name", "name", "exp", "experiment", "variant", "checkpoint_dir"];
/// Columns of numbers of which each training or evaluation has one.
const OF_NUMBERS: &[&str] = &["shot", "num_fewshot", "kl_beta"];
/// Columns within whose values a training may count its steps anew.
const COUNTED_ANEW: &[&str] = &["epoch", "round", "stage", "phase"];
/// Most values of such a column: more of them count what happens within a training.
const MOST_NUMBERS: usize = 10;

/// Whether several values of a column are several trainings, or evaluations apart, whatever the steps.
pub(super) fn is_of_models(name: &str) -> bool {
    let english = in_english(name).unwrap_or(name);
    OF_MODELS.iter().chain(OF_NAMES).any(|known| known.eq_ignore_ascii_case(english))
        || is_of_numbers(name)
}

/// Whether a column may be one by which curves are told apart that share no position.
pub(super) fn may_be_of_models(name: &str) -> bool {
    is_of_models(name) || SETTINGS.contains(&name)
}

fn is_of_numbers(name: &str) -> bool {
    RunLabel::repeats(&name.to_ascii_lowercase())
        || OF_NUMBERS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether each of several groups has several positions of a metric.
fn are_curves(points: &[(usize, u64, f64)], groups: &[usize]) -> bool {
    let mut positions: BTreeMap<usize, BTreeSet<u64>> = BTreeMap::new();
    for (group, (_, _, at)) in groups.iter().zip(points) {
        positions.entry(*group).or_default().insert(at.to_bits());
    }
    positions.len() > 1 && positions.values().all(|positions| positions.len() > 1)
}

/// Whether the curves of two values of a column are those of two runs.
fn is_of_runs(name: &str) -> bool {
    let name = plain_head(name);
    RUN_COLUMNS.contains(&name.as_str()) || SETTINGS.contains(&name.as_str())
}

impl CurveColumns {
    pub(super) fn asking(options: &ReadOptions) -> Self {
        Self { columns: Vec::new(), asked: options.columns.clone() }
    }

    /// Adds a value that is a text, or that of a column that tells runs apart.
    pub(super) fn add(&mut self, name: &str, record: u64, value: &str) {
        let is_run = || {
            is_of_runs(name)
                || is_of_numbers(name)
                || COUNTED_ANEW.iter().any(|known| known.eq_ignore_ascii_case(name))
                || self.asked.iter().any(|asked| asked == name)
        };
        if value.is_empty() || value.parse::<f64>().is_ok() && !is_run() {
            return;
        }
        let columns = &mut self.columns;
        let place = columns.iter().position(|column| column.name == name).unwrap_or_else(|| {
            let (name, values) = (name.to_owned(), BTreeMap::new());
            columns.push(CurveColumn { name, values, is_of_headings: false });
            columns.len() - 1
        });
        if let Some(column) = columns.get_mut(place) {
            column.values.insert(record, value.to_owned());
        }
    }

    /// Adds the columns of records that stand so many lines further down.
    pub(super) fn append(&mut self, others: Self, before: u64) {
        for column in others.columns {
            for (record, value) in &column.values {
                self.add(&column.name, record + before, value);
            }
        }
    }

    /// Notes that the values of a column stand in headings.
    pub(super) fn note_headings(&mut self, name: &str) {
        let mut known = self.columns.iter_mut();
        if let Some(column) = known.find(|column| column.name == name) {
            column.is_of_headings = true;
        }
    }

    /// Whether a column of models has several values.
    pub(super) fn name_models(&self) -> bool {
        let is_of = |column: &&CurveColumn| column.is_of_headings || is_of_models(&column.name);
        self.columns.iter().filter(is_of).any(|column| {
            let mut values = column.values.values();
            let first = values.next();
            values.any(|value| Some(value) != first)
        })
    }

    /// Those that tell the points apart. A point is the number of its metric, its record and its
    /// position.
    pub(super) fn separators(self, points: &[(usize, u64, f64)]) -> Vec<CurveColumn> {
        let mut groups: Vec<usize> = points.iter().map(|(metric, _, _)| *metric).collect();
        let mut found = Vec::new();
        for column in self.columns {
            let finer = column.divide(points, &groups);
            let is_apart = |finer: &Vec<usize>| {
                takes_apart(points, &groups, finer) || column.holds_models(points, finer)
            };
            if let Some(finer) = finer.filter(is_apart) {
                groups = finer;
                found.push(column);
            }
        }
        found
    }
}

impl CurveColumn {
    pub(super) fn value(&self, record: u64) -> &str {
        self.values.get(&record).map_or("", String::as_str)
    }

    /// Whether its values are those of several trainings, whatever the steps.
    fn holds_models(&self, points: &[(usize, u64, f64)], groups: &[usize]) -> bool {
        let name = plain_head(&self.name);
        let is_in = |names: &[&str]| names.contains(&name.as_str());
        let numbers = || self.values.values().collect::<BTreeSet<_>>().len();
        is_in(OF_MODELS) && are_curves(points, groups)
            || (is_in(OF_MODELS) || is_in(OF_NAMES)) && self.has_several_names()
            || is_of_numbers(&self.name) && are_curves(points, groups)
            || self.is_of_headings
                && (is_of_numbers(&self.name) || is_of_runs(&self.name))
                && (2..=MOST_NUMBERS).contains(&numbers())
    }

    /// Whether its values differ in more than digits, as those of one training do that numbers its steps.
    fn has_several_names(&self) -> bool {
        let name = |value: &String| value.replace(|c: char| c.is_ascii_digit(), "");
        self.values.values().map(name).collect::<BTreeSet<String>>().len() > 1
    }

    /// The number of the group of each point, where each group is divided by the values of the
    /// column; nothing where a point has none.
    fn divide(&self, points: &[(usize, u64, f64)], groups: &[usize]) -> Option<Vec<usize>> {
        let mut known: BTreeMap<(usize, &str), usize> = BTreeMap::new();
        let of_point = |((_, record, _), group): (&(usize, u64, f64), &usize)| {
            let value = self.values.get(record)?;
            let next = known.len();
            Some(*known.entry((*group, value)).or_insert(next))
        };
        points.iter().zip(groups).map(of_point).collect()
    }
}

/// Whether a finer division puts points of one position side by side, rather than dividing a curve
/// into its parts or its points.
fn takes_apart(points: &[(usize, u64, f64)], groups: &[usize], finer: &[usize]) -> bool {
    let positions = |groups: &[usize]| -> BTreeSet<(usize, u64)> {
        groups.iter().zip(points).map(|(group, (_, _, at))| (*group, at.to_bits())).collect()
    };
    let (before, after) = (positions(groups).len(), positions(finer));
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    for (group, _) in &after {
        *sizes.entry(*group).or_default() += 1;
    }
    let mut largest: BTreeMap<usize, usize> = BTreeMap::new();
    for (group, part) in groups.iter().zip(finer) {
        let largest = largest.entry(*group).or_default();
        *largest = sizes.get(part).copied().unwrap_or(0).max(*largest);
    }
    let gained = after.len() - before;
    let beside = after.len() - largest.values().sum::<usize>();
    gained > 0 && gained * 2 >= beside && after.len() >= sizes.len() * 2
}

/// Lays curves apart that are of several runs, as the columns tell that are coordinates of them.
pub(super) fn lay_runs_apart(fragment: &mut Fragment, options: &ReadOptions) {
    let tells_apart = |name: &str| {
        let is_in = |names: &[String]| names.iter().any(|known| known == name);
        is_in(&options.columns) || options.apart && is_of_runs(name) && !is_in(&options.pool)
    };
    let mut parts: Vec<FragmentPart> = Vec::new();
    fragment.series.retain_mut(|series| {
        let own = series.dims.iter().filter(|(name, _)| tells_apart(name));
        let labels: Vec<RunLabel> = own
            .map(|(name, value)| RunLabel { column: name.to_owned(), value: value.to_string() })
            .collect();
        if labels.is_empty() {
            return true;
        }
        let dims = labels.iter().fold(series.dims.clone(), |dims, one| dims.without(&one.column));
        let series = Series { dims, ..series.clone() };
        if let Some(part) = parts.iter_mut().find(|part| part.labels == labels) {
            part.series.push(series);
        } else {
            let config = settings(&labels, &series);
            let series = vec![series];
            parts.push(FragmentPart { labels, series, config, ..FragmentPart::default() });
        }
        false
    });
    // The run that the file begins with stands first.
    let first_line = |part: &FragmentPart| {
        let lines = part.series.iter().filter_map(|series| series.points.first());
        lines.map(|point| point.line).min()
    };
    parts.sort_by_key(first_line);
    parts.iter_mut().for_each(take_constants);
    fragment.parts.append(&mut parts);
}

/// A setting that a run repeats at each of its points is one of the run, `lr` where nothing schedules it.
fn take_constants(part: &mut FragmentPart) {
    let FragmentPart { series, config, .. } = part;
    series.retain(|series| {
        let constant = series.points.first().filter(|first| {
            let is_alike = |point: &Point| point.value == first.value;
            series.points.len() > 1 && series.points.iter().all(is_alike)
        });
        let is_setting = is_setting_of_rows(&plain_head(&series.metric));
        let Some(first) = constant.filter(|_| is_setting) else { return true };
        let source = Source::line(&series.path, first.line, series.metric.as_str());
        let value = ConfigValue::Number(first.value, first.value.to_string());
        config.insert(series.metric.clone(), ConfigEntry { value, source });
        false
    });
}

/// What tells a run apart is a setting of it.
fn settings(labels: &[RunLabel], series: &Series) -> Config {
    let line = series.points.first().map_or(1, |point| point.line);
    let mut config = Config::default();
    for RunLabel { column, value } in labels {
        let source = Source::line(&series.path, line, column.as_str());
        let value = ConfigValue::Text(value.clone());
        config.insert(RunLabel::key(column).to_owned(), ConfigEntry { value, source });
    }
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[(&[(&str, &str)], u32)], expected: &[&str]) {
        let mut columns = CurveColumns::default();
        let mut points = Vec::new();
        for (line, (cells, at)) in (1..).zip(rows) {
            cells.iter().for_each(|(name, value)| columns.add(name, line, value));
            points.push((0, line, f64::from(*at)));
        }
        let found = columns.separators(&points);
        assert_eq!(found.iter().map(|column| column.name.as_str()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_text_or_a_seed_that_stands_beside_each_position_tells_curves_apart() {
        let (a, b): (&[_], &[_]) = (&[("model", "A")], &[("model", "B")]);
        check(&[(a, 1), (a, 2), (b, 1), (b, 2)], &["model"]);
        check(&[(a, 1), (b, 1), (a, 2), (b, 2)], &["model"]);
        check(&[(a, 1), (a, 2), (b, 3), (b, 4)], &["model"]);
        let (a, b): (&[_], &[_]) = (&[("seed", "0")], &[("seed", "1")]);
        check(&[(a, 1), (a, 2), (b, 1), (b, 2)], &["seed"]);
        let of = [("A", "0"), ("A", "1"), ("B", "0"), ("B", "1")]
            .map(|(model, seed)| [("model", model), ("seed", seed)]);
        let rows: Vec<(&[_], u32)> =
            of.iter().flat_map(|cells| [(&cells[..], 1), (&cells[..], 2)]).collect();
        check(&rows, &["model", "seed"]);
    }

    #[test]
    fn names_of_runs_seeds_and_shots_tell_curves_apart_wherever_they_begin() {
        for (name, one, other, is_apart) in [
            ("run", "sft", "grpo", true),
            ("run", "run1", "run2", false),
            ("run_id", "8f3a", "b21c", false),
            ("checkpoint_dir", "out/step-1", "out/step-2", false),
            ("seed", "0", "1", true),
            ("shot", "1", "5", true),
            ("phase", "warmup", "main", false),
        ] {
            let (a, b): (&[_], &[_]) = (&[(name, one)], &[(name, other)]);
            let expected: &[&str] = if is_apart { &[name] } else { &[] };
            check(&[(a, 1), (a, 2), (b, 3), (b, 4)], expected);
        }
        let adaptive = [("kl_beta", "0.1"), ("kl_beta", "0.11"), ("kl_beta", "0.11")];
        let rows: Vec<(&[_], u32)> = adaptive.chunks(1).zip(1..).collect();
        check(&rows, &[]);
    }

    #[test]
    fn restarts_times_and_figures_tell_no_curves_apart() {
        let (a, b): (&[_], &[_]) = (&[("run_id", "a")], &[("run_id", "b")]);
        check(&[(a, 1), (a, 2), (a, 3), (a, 4), (b, 4), (b, 5), (b, 6)], &[]);
        check(&[(a, 1), (a, 2), (b, 3), (b, 4)], &[]);
        let (first, second): (&[_], &[_]) = (&[("model", "step-1")], &[("model", "step-2")]);
        check(&[(first, 1), (second, 2)], &[]);
        check(&[(a, 1), (b, 2)], &[]);
        check(&[(a, 1), (a, 2), (&[], 1), (&[], 2)], &[]);
        let times: [&[_]; 4] =
            [&[("at", "1 s")], &[("at", "2 s")], &[("at", "3 s")], &[("at", "4 s")]];
        check(&[(times[0], 1), (times[1], 1), (times[2], 2), (times[3], 2)], &[]);
        let (a, b): (&[_], &[_]) = (&[("loss", "0.5")], &[("loss", "0.25")]);
        check(&[(a, 1), (a, 2), (b, 1), (b, 2)], &[]);
    }
}
