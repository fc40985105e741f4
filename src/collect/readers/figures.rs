//! What the readers of aggregate figures share: reading one figure, its unit, and the findings
//! about figures that are none.

use indexmap::IndexSet;

use super::super::FileEntry;
use super::super::document::{Node, Value};
use crate::diag::{Code, Diagnostic, Location};
use crate::model::{
    Absence, Dims, Direction, Fragment, Measured, MetricCatalogue, MetricSpec, Scalar, Source,
    SpecOrigin, Unit, canonical_metric,
};

/// Names under which producers write the number of samples behind a figure.
pub(super) const SIZE_KEYS: &[&str] =
    &["n", "num_samples", "n_samples", "count", "total", "num_problems", "num_examples"];

/// Names of a standard error. A bare "±" is none of these: it may be a standard deviation, a
/// standard error or half an interval, and is never used.
const STDERR_KEYS: &[&str] = &["stderr", "std_err", "standard_error", "sem", "se"];

/// Names of a standard deviation of the samples, which with their number gives the standard error.
const SD_KEYS: &[&str] = &["std", "sd", "stdev", "std_dev", "standard_deviation"];

/// One figure as it stands in a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Figure {
    /// The number or why there is none.
    pub(super) value: Measured,
    /// The unit, where it is written beside the number.
    pub(super) unit: Option<Unit>,
    /// Samples behind it.
    pub(super) n: Option<u64>,
    /// Standard error as stated.
    pub(super) stderr: Option<f64>,
}

impl Figure {
    /// Reads a number, `{"value": …, "n": …, "stderr": …}` (or `"std"` instead of `"stderr"`), or a
    /// word for absence; `None` when the node is something else.
    pub(super) fn of(node: &Node) -> Option<Self> {
        match &node.value {
            Value::Number(number, _) => Some(Self::plain(Measured::of(*number))),
            Value::Null => Some(Self::plain(Measured::Absent(Absence::NotRun))),
            Value::Text(text) => cell(text),
            Value::Table(table) => {
                let inner = Self::of(table.get("value")?)?;
                let n = SIZE_KEYS.iter().find_map(|key| table.get(*key)?.count());
                let number = |keys: &[&str]| {
                    let number = keys.iter().find_map(|key| table.get(*key)?.number());
                    number.filter(|spread| spread.is_finite() && *spread >= 0.0)
                };
                let of_sd = || Some(number(SD_KEYS)? / (n.filter(|&n| n > 0)? as f64).sqrt());
                Some(Self { n, stderr: number(STDERR_KEYS).or_else(of_sd), ..inner })
            }
            Value::Bool(_) | Value::List(_) => None,
        }
    }

    /// A figure of which nothing but the value is known.
    pub(super) fn plain(value: Measured) -> Self {
        Self { value, unit: None, n: None, stderr: None }
    }
}

/// What stands under a name.
pub(super) enum Entry {
    /// A figure, or a word for its absence.
    Figure(Figure),
    /// A text that should be a figure and does not parse.
    Illegible,
    /// Something else.
    Other,
}

impl Entry {
    /// Reads what stands under the name of a metric or of anything else. A text is a figure where it
    /// is a percentage; a bare number or a word for absence only under the name of a metric, since
    /// elsewhere it may be a version or a label.
    pub(super) fn of(name: &str, node: &Node) -> Self {
        let is_metric = || MetricCatalogue::shipped().get(name).is_some();
        match (Figure::of(node), node.text()) {
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
pub(super) fn cell(text: &str) -> Option<Figure> {
    let text = text.trim().trim_matches('*');
    let absent = |why| Some(Figure::plain(Measured::Absent(why)));
    match text.to_ascii_lowercase().as_str() {
        "" | "?" | "？" | "todo" | "tbd" | "待填充" => absent(Absence::NotRun),
        "n/a" | "na" | "-" | "—" | "不适用" => absent(Absence::NotApplicable),
        "failed" | "error" | "nan" | "inf" | "-inf" | "infinity" | "-infinity" | "失败" => {
            absent(Absence::Failed)
        }
        _ => {
            let number = text.strip_suffix(['%', '％']);
            let value = number.unwrap_or(text).trim_end().parse().ok().map(Measured::of)?;
            Some(Figure { unit: number.map(|_| Unit::Percent), ..Figure::plain(value) })
        }
    }
}

/// A figure before it is known what file it came from.
pub(super) fn scalar(
    metric: &str,
    dataset: Option<&str>,
    dims: &Dims,
    figure: Figure,
    source: Source,
) -> Scalar {
    Scalar {
        metric: canonical_metric(metric).to_owned(),
        dataset: dataset.map(str::to_owned),
        dims: dims.clone(),
        value: figure.value,
        unit: figure.unit,
        unit_inferred: false,
        n: figure.n,
        stderr: figure.stderr,
        source,
    }
}

/// Findings about a file's figures: those that are NaN or infinite, and a file without any.
pub(super) fn review(fragment: &Fragment, file: &FileEntry) -> Vec<Diagnostic> {
    let failed: Vec<&Scalar> = fragment
        .scalars
        .iter()
        .filter(|scalar| scalar.value == Measured::Absent(Absence::Failed))
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

/// The finding for a file that was recognised but holds nothing usable.
pub(super) fn empty(file: &FileEntry) -> Diagnostic {
    Diagnostic::new(Code::EmptyFile).at(Location::file(&*file.display))
}

/// Gives the figures of a file the unit that their file shows, see [`infer_percentages`], and
/// declares metrics that nobody knows to be shares where it writes them as such.
pub(super) fn settle_units(fragment: &mut Fragment, file: &FileEntry) -> Option<Diagnostic> {
    let catalogue = MetricCatalogue::shipped();
    let is_rate = |scalar: &&Scalar| scalar.unit.is_some_and(Unit::is_rate);
    for scalar in fragment.scalars.iter().filter(is_rate) {
        let name = &scalar.metric;
        if catalogue.get(name).is_none() {
            let known = fragment.specs.get(name).map(|spec| spec.direction);
            let direction = known.unwrap_or(Direction::Unknown);
            fragment.specs.insert(name.clone(), produced(name, direction, Unit::Fraction));
        }
    }
    infer_percentages(fragment, file)
}

/// Takes the shares of a file for percentages where one of them exceeds 1 and none exceeds 100, and
/// says so. A file writes all its shares alike; figures whose unit is written keep it.
pub(super) fn infer_percentages(fragment: &mut Fragment, file: &FileEntry) -> Option<Diagnostic> {
    let is_share = |scalar: &&mut Scalar| {
        let known = MetricCatalogue::shipped().get(&scalar.metric);
        scalar.unit.is_none()
            && known
                .is_some_and(|spec| spec.unit == Unit::Fraction && spec.bounds == Some((0.0, 1.0)))
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

/// A meaning that the file itself declares.
pub(super) fn produced(metric: &str, direction: Direction, unit: Unit) -> MetricSpec {
    MetricSpec {
        name: metric.to_owned(),
        direction,
        unit,
        bounds: unit.whole().map(|whole| (0.0, whole)),
        origin: SpecOrigin::Producer,
        derived: false,
    }
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
            let found = cell(text).expect(text);
            assert_eq!((found.value, found.unit), (value, unit), "{text}");
        }
        assert_eq!(cell("57.3 ± 1"), None);
    }
}
