//! What the readers of aggregate figures share: what stands under a name, the unit of a file's figures,
//! and the findings about figures that are none.

use indexmap::IndexSet;

use super::super::document::{Node, Value, parse_json_line};
use super::super::{FileEntry, ReadResult};
use super::deviations;
use super::figure::{FileFigure, decimals_of};
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{
    Absence, Dims, Direction, Fragment, Measured, MetricNames, MetricSpec, Scalar, Source,
    SpecOrigin,
};
use crate::quantity::Unit;

/// The name of figures whose metric nobody names.
pub(super) const UNNAMED: &str = "score";

/// Trainings that follow a reward, as the catalogue of metrics calls them, and the figures that show one.
const OF_REWARD: &str = "trl_reward";
const REWARDS: &[&str] = &["reward", "eval_reward", "train/reward", "eval/reward"];

/// What stands under a name.
pub(super) enum FigureEntry {
    /// A figure, or a word for its absence.
    Figure(FileFigure),
    /// A text that should be a figure and does not parse.
    Illegible,
    Other,
}

impl FigureEntry {
    /// Reads what stands under the name of a metric or of anything else. A text is a figure where it
    /// is a percentage; a bare number or a word for absence only under the name of a metric, since
    /// elsewhere it may be a version or a label.
    pub(super) fn read(name: &str, node: &Node, names: &MetricNames) -> Self {
        let is_metric = || names.get(name).is_some();
        let summary = || FileFigure::read_summary(node).filter(|_| is_metric());
        match (FileFigure::read(node).or_else(summary), node.text()) {
            (Some(figure), None) => Self::Figure(figure),
            (Some(figure), Some(_))
                if figure.unit.is_some() || node.number().is_some() || is_metric() =>
            {
                Self::Figure(figure)
            }
            (None, Some(text)) if is_metric() || text.contains(['±', '%']) => Self::Illegible,
            _ => Self::Other,
        }
    }
}

/// The finding for texts in place of figures, by the names they stand under.
pub(super) fn illegible(names: Vec<(String, u64)>, file: &FileEntry) -> Option<Diagnostic> {
    let line = names.first()?.1;
    let count = names.len();
    let metrics: IndexSet<String> = names.into_iter().map(|(name, _)| name).collect();
    let metrics: Vec<String> = metrics.into_iter().collect();
    Some(
        Diagnostic::new(Code::NoScores)
            .with("count", count)
            .with("metrics", metrics)
            .at(Location::line(&*file.display, line)),
    )
}

/// The finding about figures behind which a spread is written that no word explains: it is read as a
/// standard error, the narrowest of what it can be, so that no test is surer than the figures.
pub(super) fn spread_assumed(figures: Vec<(String, u64)>, file: &FileEntry) -> Option<Diagnostic> {
    let (_, line) = figures.first()?;
    let location = Location::line(&*file.display, *line);
    let count = figures.len();
    let metrics: IndexSet<String> = figures.into_iter().map(|(metric, _)| metric).collect();
    Some(
        Diagnostic::new(Code::SpreadAssumed)
            .with("count", count)
            .with("metrics", metrics.into_iter().collect::<Vec<_>>())
            .at(location),
    )
}

/// A figure before it is known what file it came from.
pub(super) fn scalar(
    metric: &str,
    dataset: Option<&str>,
    dims: &Dims,
    figure: FileFigure,
    source: Source,
    names: &MetricNames,
) -> Scalar {
    let size = figure.n.filter(|&n| n > 0);
    let deviation = figure.sd.filter(|_| figure.stderr.is_none() && size.is_some());
    let of_sd = || Some(deviation? / (size? as f64).sqrt());
    let stated = figure.stderr.or_else(of_sd);
    let by_interval = figure.of_interval.filter(|wide| stated.is_none_or(|own| *wide > own));
    let of_interval = || Some(by_interval? * (size? as f64).sqrt());
    Scalar {
        metric: names.canonical(metric).to_owned(),
        dataset: dataset.map(str::to_owned),
        dims: dims.clone(),
        value: figure.value,
        unit: figure.unit,
        unit_inferred: false,
        decimals: figure.decimals,
        rounded_to: None,
        n: figure.n,
        answers: figure.answers,
        stderr: by_interval.or(stated),
        deviation: of_interval().or(deviation),
        clusters: figure.clusters.filter(|&clusters| clusters > 0),
        disputed: false,
        remarks: Vec::new(),
        source,
    }
}

/// Reads a file of figures or series: `open` reads its content, and `take` puts what is in it into the
/// fragment. What the file shows only as a whole, such as a unit that it does not state, comes last.
pub(super) fn read_figures<T>(
    file: &FileEntry,
    names: &MetricNames,
    open: fn(&FileEntry) -> Result<Warned<T>, Box<Diagnostic>>,
    take: impl FnOnce(&T, &mut Fragment, &mut Vec<Diagnostic>),
) -> ReadResult {
    let Warned { value: content, diagnostics } = open(file)?;
    let take = |fragment: &mut _, findings: &mut _| take(&content, fragment, findings);
    Ok(with_figures(file, names, diagnostics, take))
}

/// The same of content that was read already, with what was found then.
pub(super) fn with_figures(
    file: &FileEntry,
    names: &MetricNames,
    mut findings: Vec<Diagnostic>,
    take: impl FnOnce(&mut Fragment, &mut Vec<Diagnostic>),
) -> Warned<Fragment> {
    let mut fragment = Fragment::default();
    take(&mut fragment, &mut findings);
    if metrics(&fragment).any(|metric| REWARDS.contains(&metric)) {
        declare_of_producer(OF_REWARD, names, &mut fragment);
    }
    findings.extend(settle_units(&mut fragment, file, names));
    findings.extend(deviations::narrow(&fragment, names));
    findings.extend(unusual_directions(&fragment, file, names));
    findings.extend(review(&fragment, file));
    Warned::new(fragment, findings)
}

/// Findings about a file's figures: those that are NaN or infinite, and a file without any.
fn review(fragment: &Fragment, file: &FileEntry) -> Vec<Diagnostic> {
    let failed: Vec<&Scalar> = fragment
        .scalars
        .iter()
        .filter(|scalar| match scalar.value {
            Measured::Value(value) => value.is_infinite(),
            Measured::Absent(why) => why == Absence::Failed,
        })
        .collect();
    let mut findings = Vec::new();
    if let Some(first) = failed.first() {
        let names: Vec<String> = failed.iter().map(|scalar| scalar.metric.clone()).collect();
        let metrics: IndexSet<String> = names.into_iter().collect();
        findings.push(
            Diagnostic::new(Code::NotFinite)
                .with("count", failed.len())
                .with("metrics", metrics.into_iter().collect::<Vec<_>>())
                .at(first.source.location()),
        );
    }
    let Fragment { scalars, series, samples, parts, .. } = fragment;
    if scalars.is_empty() && series.is_empty() && samples.is_empty() && parts.is_empty() {
        let holds = if holds_something(file) { "something" } else { "nothing" };
        findings.push(empty(file).with("holds", holds));
    }
    findings
}

/// Whether a file of figures holds values or rows, as far as its first bytes show: they may be figures
/// that are written in no known way. What else a text holds is for people.
fn holds_something(file: &FileEntry) -> bool {
    fn has_value(node: &Node) -> bool {
        match &node.value {
            Value::Table(table) => table.values().any(has_value),
            Value::List(items) => items.iter().any(has_value),
            value => *value != Value::Null,
        }
    }
    let text = String::from_utf8_lossy(&file.head);
    match parse_json_line(text.trim(), 1) {
        Ok(parsed) => has_value(&parsed.root),
        Err(_) => !file.has_extension("md") && text.trim().contains('\n'),
    }
}

/// The finding about metrics of which the file says that the other way is good than everybody else
/// does: its word counts, but it is more often a mistake than another metric.
fn unusual_directions(
    fragment: &Fragment,
    file: &FileEntry,
    names: &MetricNames,
) -> Option<Diagnostic> {
    let is_unusual = |spec: &&MetricSpec| {
        let known = names.get(&spec.name).filter(|known| known.origin == SpecOrigin::Catalogue);
        let usual = known.and_then(|known| known.direction.sign());
        usual.zip(spec.direction.sign()).is_some_and(|(usual, own)| usual != own)
    };
    let unusual: IndexSet<&str> =
        fragment.specs.values().filter(is_unusual).map(|spec| spec.name.as_str()).collect();
    let first = *unusual.first()?;
    let metrics: Vec<String> = unusual.iter().map(|name| (*name).to_owned()).collect();
    Some(
        Diagnostic::new(Code::DirectionUnusual)
            .metric(first)
            .with("metrics", metrics)
            .at(Location::file(&*file.display)),
    )
}

/// The finding for a file that was recognised but holds nothing usable.
pub(super) fn empty(file: &FileEntry) -> Diagnostic {
    Diagnostic::new(Code::EmptyFile).at(Location::file(&*file.display))
}

/// Gives the figures of a file the unit and the rounding that their file shows, see
/// [`infer_percentages`] and [`infer_rounding`], and declares metrics that nobody knows to be shares
/// where it writes them as such.
pub(super) fn settle_units(
    fragment: &mut Fragment,
    file: &FileEntry,
    names: &MetricNames,
) -> Option<Diagnostic> {
    let is_rate = |scalar: &&Scalar| scalar.unit.is_some_and(Unit::is_rate);
    for scalar in fragment.scalars.iter().filter(is_rate) {
        let name = &scalar.metric;
        if names.get(name).is_none() {
            let known = fragment.specs.get(name).map(|spec| spec.direction);
            let direction = known.unwrap_or(Direction::Unknown);
            fragment.specs.insert(name.clone(), produced(name, direction, Unit::Fraction, names));
        }
    }
    let finding = infer_percentages(fragment, file, names);
    infer_rounding(fragment, names);
    finding
}

/// Takes the shares of a file for percentages where one of them exceeds 1 and none exceeds 100, and
/// says so. A file writes all its shares alike; figures whose unit is written keep it.
fn infer_percentages(
    fragment: &mut Fragment,
    file: &FileEntry,
    names: &MetricNames,
) -> Option<Diagnostic> {
    let is_share = |scalar: &&mut Scalar| {
        scalar.unit.is_none() && !scalar.unit_inferred && is_share_by_name(scalar, names)
    };
    let mut shares: Vec<&mut Scalar> = fragment.scalars.iter_mut().filter(is_share).collect();
    let largest = shares.iter().filter_map(|scalar| scalar.value.value()).reduce(f64::max)?;
    if largest <= 1.0 || largest > 100.0 {
        return None;
    }
    for scalar in &mut shares {
        scalar.unit = Some(Unit::Percent);
        scalar.unit_inferred = true;
    }
    let metrics: IndexSet<&str> = shares.iter().map(|scalar| scalar.metric.as_str()).collect();
    let names: Vec<String> = metrics.into_iter().map(str::to_owned).collect();
    Some(
        Diagnostic::new(Code::UnitInferred)
            .with("metrics", names)
            .with("largest", largest)
            .with("count", shares.len())
            .at(Location::file(&*file.display)),
    )
}

fn is_share_by_name(scalar: &Scalar, names: &MetricNames) -> bool {
    let known = names.get(&scalar.metric);
    known.is_some_and(|spec| spec.unit == Unit::Fraction && spec.bounds == Some((0.0, 1.0)))
}

/// Decimals to which nobody rounds a share more coarsely: a program that writes numbers without their
/// last zeros writes 0.6 for 0.60.
const COARSEST: u8 = 2;
/// A share within this of a whole count over its n is that count.
const WHOLE_COUNT: f64 = 1e-6;

/// Writes down to how many decimals a file rounds its shares, where it shows that it does. A program
/// that writes 0.57 for 114 of 200 rounds nothing, so few digits alone show nothing: a share that no
/// whole count gives does, for all shares of the file, and so does a zero that no program writes at
/// the end of a number that it does not round.
fn infer_rounding(fragment: &mut Fragment, names: &MetricNames) {
    let sizes = &fragment.declared_sizes;
    let mut shares: Vec<(&mut Scalar, f64, u8)> = Vec::new();
    let (mut most, mut rounds) = (0, false);
    for scalar in &mut fragment.scalars {
        let is_share = match scalar.unit {
            Some(unit) => unit == Unit::Fraction,
            None => is_share_by_name(scalar, names),
        };
        let (Some(share), Some(written), true) = (scalar.value.value(), scalar.decimals, is_share)
        else {
            continue;
        };
        let of_dataset = scalar.dataset.as_ref().and_then(|name| sizes.get(name).copied());
        let count = scalar.n.or(of_dataset).map(|n| (share * n as f64, n as f64));
        rounds |= count.is_some_and(|(x, n)| (x - x.round()).abs() > WHOLE_COUNT * n);
        most = most.max(written);
        shares.push((scalar, share, written));
    }
    for (scalar, share, written) in shares {
        let padded = decimals_of(&share.to_string()).is_some_and(|needed| needed.max(1) < written);
        scalar.rounded_to =
            if rounds { Some(most.max(COARSEST)) } else { padded.then_some(written) };
    }
}

pub(super) fn produced(
    metric: &str,
    direction: Direction,
    unit: Unit,
    names: &MetricNames,
) -> MetricSpec {
    let known = names.get(metric);
    MetricSpec {
        name: metric.to_owned(),
        direction,
        unit,
        bounds: unit.whole().map(|whole| (0.0, whole)),
        outcomes: known.as_ref().is_some_and(|spec| spec.outcomes),
        pooled: known.as_ref().is_some_and(|spec| spec.pooled),
        role: known.and_then(|spec| spec.role),
        origin: SpecOrigin::Producer,
        derived: false,
        unit_declared: false,
    }
}

fn metrics(fragment: &Fragment) -> impl Iterator<Item = &str> {
    let scalars = fragment.scalars.iter().map(|scalar| scalar.metric.as_str());
    scalars.chain(fragment.series.iter().map(|series| series.metric.as_str()))
}

/// Gives the metrics of a file the meaning that they have in the files of its program alone, where
/// the file itself does not declare one.
pub(super) fn declare_of_producer(producer: &str, names: &MetricNames, fragment: &mut Fragment) {
    let metrics: IndexSet<&str> = metrics(fragment).collect();
    let meaning = |name: &&str| {
        let spec = MetricNames::of_producer(producer, name)?;
        Some(MetricSpec { name: names.canonical(name).to_owned(), ..spec })
    };
    let specs: Vec<MetricSpec> = metrics.iter().filter_map(meaning).collect();
    for spec in specs {
        fragment.specs.entry(spec.name.clone()).or_insert(spec);
    }
}

/// Writes down that a metric is an average over several answers to each sample: no samples right or
/// wrong are behind it then, whatever it is called.
pub(super) fn declare_several_answers(
    metric: &str,
    dataset: Option<&str>,
    names: &MetricNames,
    fragment: &mut Fragment,
) {
    let name = names.canonical(metric);
    if let Some(known) = names.get(name).filter(|known| known.outcomes) {
        let spec = || produced(name, known.direction, known.unit, names);
        fragment.specs.entry(spec_key(name, dataset)).or_insert_with(spec).outcomes = false;
    }
}

/// Under which name [`Fragment::specs`] holds what a file declares of a metric.
pub(super) fn spec_key(name: &str, dataset: Option<&str>) -> String {
    dataset.map_or_else(|| name.to_owned(), |dataset| format!("{dataset}/{name}"))
}

/// Writes down that a file declares which way is good for a metric, everywhere or on one dataset.
pub(super) fn declare_direction(
    metric: &str,
    dataset: Option<&str>,
    higher_is_better: bool,
    names: &MetricNames,
    fragment: &mut Fragment,
) {
    let direction = if higher_is_better { Direction::Higher } else { Direction::Lower };
    let name = names.canonical(metric);
    let known = names.get(name);
    let unit = known.as_ref().map_or(Unit::Plain, |spec| spec.unit);
    let bounds = known.and_then(|spec| spec.bounds);
    let spec = MetricSpec { bounds, ..produced(name, direction, unit, names) };
    fragment.specs.insert(spec_key(name, dataset), spec);
}
