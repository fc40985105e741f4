//! What the readers of aggregate figures share: reading one figure, its unit, and the findings
//! about figures that are none.

use indexmap::IndexSet;

use super::super::document::{Node, Table, Value};
use super::super::{FileEntry, ReadResult};
use super::deviations;
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{
    Absence, Dims, Direction, Fragment, Measured, MetricNames, MetricSpec, Scalar, Source,
    SpecOrigin,
};
use crate::quantity::Unit;

/// Names under which producers write the number of samples behind a figure.
pub(super) const SIZE_KEYS: &[&str] =
    &["n", "num_samples", "n_samples", "count", "total", "num_problems", "num_examples"];

/// Names of the number of problems, however many answers there are to each: beside them a larger size
/// counts answers, and these are no samples of their own.
pub(super) const PROBLEM_KEYS: &[&str] =
    &["num_problems", "n_problems", "num_questions", "n_questions"];

/// Names of a standard error. A bare "±" is none of these: it may be a standard deviation, a
/// standard error or half an interval, and is never used.
pub(super) const STDERR_KEYS: &[&str] = &["stderr", "std_err", "standard_error", "sem", "se"];

/// Names of a standard deviation of the samples, which with their number gives the standard error.
pub(super) const SD_KEYS: &[&str] = &["std", "sd", "stdev", "std_dev", "standard_deviation"];

/// The mean in a summary of one metric, and what else may stand there.
const MEAN: &str = "mean";
const BESIDE_MEAN: &[&str] = &["median", "min", "max", "var", "variance", "ci_low", "ci_high"];

/// One figure as it stands in a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FileFigure {
    pub(super) value: Measured,
    /// The unit, where it is written beside the number.
    pub(super) unit: Option<Unit>,
    pub(super) n: Option<u64>,
    /// Number of answers to each problem.
    pub(super) answers: Option<u64>,
    pub(super) stderr: Option<f64>,
    /// Standard deviation of the samples as stated.
    pub(super) sd: Option<f64>,
    /// Decimals written, where the text of the number is known.
    pub(super) decimals: Option<u8>,
}

impl FileFigure {
    /// Reads a number, `{"value": …, "n": …, "stderr": …}` (or `"std"` instead of `"stderr"`), or a
    /// word for absence; `None` when the node is something else.
    pub(super) fn read(node: &Node) -> Option<Self> {
        match &node.value {
            Value::Number(number, text) => {
                let decimals = decimals_of(text);
                Some(Self { decimals, ..Self::plain(Measured::new(*number)) })
            }
            Value::Null => Some(Self::plain(Measured::Absent(Absence::NotRun))),
            Value::Text(text) => read_cell(text),
            Value::Table(table) => Self::read_table(table, "value"),
            Value::Bool(_) | Value::List(_) => None,
        }
    }

    /// The figure under that key of a table, with the sizes and spreads beside it.
    fn read_table(table: &Table, key: &str) -> Option<Self> {
        let inner = Self::read(table.get(key)?)?;
        let size = |keys: &[&str]| keys.iter().find_map(|key| table.get(*key)?.count());
        let problems = size(PROBLEM_KEYS).filter(|&problems| problems > 0);
        let n = size(SIZE_KEYS).map(|n| problems.map_or(n, |problems| n.min(problems)));
        let number = |keys: &[&str]| {
            let number = keys.iter().find_map(|key| table.get(*key)?.number());
            number.filter(|spread| spread.is_finite() && *spread >= 0.0)
        };
        Some(Self { n, stderr: number(STDERR_KEYS), sd: number(SD_KEYS), ..inner })
    }

    /// Reads the mean of a summary of one metric, `{"mean": …, "std": …, "n": …}`; `None` where other
    /// numbers stand beside it, which may be figures of their own.
    fn read_summary(node: &Node) -> Option<Self> {
        let table = node.table()?;
        let is_part = |key: &str| {
            let known = [SIZE_KEYS, PROBLEM_KEYS, STDERR_KEYS, SD_KEYS, BESIDE_MEAN];
            known.iter().any(|keys| keys.contains(&key))
        };
        let numbers = table.iter().filter(|(_, node)| node.number().is_some());
        let is_summary = numbers.clone().all(|(key, _)| key == MEAN || is_part(key));
        is_summary.then(|| Self::read_table(table, MEAN)).flatten()
    }

    /// A figure of which nothing but the value is known.
    pub(super) fn plain(value: Measured) -> Self {
        Self { value, unit: None, n: None, answers: None, stderr: None, sd: None, decimals: None }
    }
}

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
    let metrics: Vec<String> = names.into_iter().map(|(name, _)| name).collect();
    Some(
        Diagnostic::new(Code::NoScores)
            .with("count", count)
            .with("metrics", metrics)
            .at(Location::line(&*file.display, line)),
    )
}

/// Reads the text of a table cell: a number, a percentage, or a word for one kind of absence.
pub(super) fn read_cell(text: &str) -> Option<FileFigure> {
    let text = text.trim().trim_matches('*');
    let absent = |why| Some(FileFigure::plain(Measured::Absent(why)));
    match text.to_ascii_lowercase().as_str() {
        "" | "?" | "？" | "todo" | "tbd" | "待填充" => absent(Absence::NotRun),
        "n/a" | "na" | "-" | "—" | "不适用" => absent(Absence::NotApplicable),
        "failed" | "error" | "nan" | "失败" => absent(Absence::Failed),
        _ => {
            let number = text.strip_suffix(['%', '％']);
            let digits = number.unwrap_or(text).trim_end();
            let value = digits.parse().ok().map(Measured::new)?;
            let unit = number.map(|_| Unit::Percent);
            Some(FileFigure { unit, decimals: decimals_of(digits), ..FileFigure::plain(value) })
        }
    }
}

/// Decimals of a number as written: 57.0 has 1, 5.7e-1 has 2. `None` for what is no decimal number.
fn decimals_of(text: &str) -> Option<u8> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse().ok()?),
        None => (text, 0_i32),
    };
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = mantissa.strip_prefix(['-', '+']).unwrap_or(mantissa);
    let (whole, decimals) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    if text.is_empty() || !is_number(whole) || !is_number(decimals) {
        return None;
    }
    let written = i32::try_from(decimals.len()).ok()?.checked_sub(exponent)?;
    Some(u8::try_from(written.max(0)).unwrap_or(u8::MAX))
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
        stderr: figure.stderr.or_else(of_sd),
        deviation,
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
    let mut findings = Vec::new();
    let content = open(file)?.drain_into(&mut findings);
    let mut fragment = Fragment::default();
    take(&content, &mut fragment, &mut findings);
    findings.extend(settle_units(&mut fragment, file, names));
    findings.extend(deviations::narrow(&fragment, names));
    findings.extend(unusual_directions(&fragment, file, names));
    findings.extend(review(&fragment, file));
    Ok(Warned::new(fragment, findings))
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
    if fragment.scalars.is_empty() && fragment.series.is_empty() {
        findings.push(empty(file));
    }
    findings
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
fn settle_units(
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
    let is_share = |scalar: &&mut Scalar| scalar.unit.is_none() && is_share_by_name(scalar, names);
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
        scalar.rounded_to = if rounds { Some(most) } else { padded.then_some(written) };
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
    }
}

/// Gives the metrics of a file the meaning that they have in the files of its program alone, where
/// the file itself does not declare one.
pub(super) fn declare_of_producer(producer: &str, names: &MetricNames, fragment: &mut Fragment) {
    let scalars = fragment.scalars.iter().map(|scalar| &scalar.metric);
    let metrics: IndexSet<&String> =
        scalars.chain(fragment.series.iter().map(|series| &series.metric)).collect();
    let meaning = |name: &&String| {
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
fn spec_key(name: &str, dataset: Option<&str>) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_numbers_percentages_or_words_for_absence() {
        let percent = Some(Unit::Percent);
        for (text, value, unit) in [
            ("0.57", Measured::Value(0.57), None),
            ("0.9%", Measured::Value(0.9), percent),
            ("**57.3 %**", Measured::Value(57.3), percent),
            ("n/a", Measured::Absent(Absence::NotApplicable), None),
            ("?", Measured::Absent(Absence::NotRun), None),
            ("失败", Measured::Absent(Absence::Failed), None),
        ] {
            let found = read_cell(text).expect(text);
            assert_eq!((found.value, found.unit), (value, unit), "{text}");
        }
        assert_eq!(read_cell("57.3 ± 1"), None);
    }

    #[test]
    fn decimals_are_those_written() {
        for (text, decimals) in [
            ("57", Some(0)),
            ("57.0", Some(1)),
            ("0.570", Some(3)),
            ("-5.7e-1", Some(2)),
            ("1e3", Some(0)),
            ("0x10", None),
            ("", None),
            ("NaN", None),
        ] {
            assert_eq!(decimals_of(text), decimals, "{text}");
        }
    }
}
