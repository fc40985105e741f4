//! The figure of the runs that a question asks for, if there is exactly one.

use std::collections::BTreeSet;

use super::facts::{Facts, Point, RunFigure};
use super::question::Question;
use super::readings::{Facet, Subject};
use crate::model::{Absence, Measured};
use crate::text::Refusal;

/// Why nothing is written into a cell.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// The document does not say clearly what is asked for.
    Unclear(Refusal),
    /// The runs do not have it.
    Missing(Refusal),
}

/// Names of figures that a refusal lists.
const MOST_NAMED: usize = 4;

/// The only figure with a value that the question fits.
pub(super) fn figure<'f>(
    facts: &'f Facts,
    question: &Question,
) -> Result<(&'f RunFigure, f64), Unanswered> {
    let found = only(facts, question)?;
    if facts.is_guessed(found) {
        let refusal = Refusal::new("fill.guessed-percent").with("asked", name(facts, found));
        return Err(Unanswered::Unclear(refusal));
    }
    let key = match found.value {
        Measured::Value(value) => return Ok((found, value)),
        Measured::Absent(Absence::Failed) => "fill.failed",
        Measured::Absent(Absence::NotApplicable) => "fill.not-applicable",
        Measured::Absent(Absence::NotRun) => "fill.not-run",
    };
    Err(Unanswered::Missing(Refusal::new(key).with("asked", name(facts, found))))
}

fn only<'f>(facts: &'f Facts, question: &Question) -> Result<&'f RunFigure, Unanswered> {
    if let Some(open) = question.facets().find(|facet| matches!(facet, Facet::Open(_))) {
        let refusal = Refusal::new("fill.open").with("open", words(facts, open));
        return Err(Unanswered::Unclear(refusal));
    }
    if question.facets().any(|facet| *facet == Facet::OtherArm) {
        return Err(Unanswered::Missing(Refusal::new("fill.other-run")));
    }
    let fitting: Vec<&RunFigure> =
        facts.figures.iter().filter(|figure| fits(figure, question)).collect();
    match fitting.as_slice() {
        [] => Err(nothing_fits(facts, question)),
        [only] => Ok(only),
        several => {
            let arms: BTreeSet<usize> = several.iter().map(|figure| figure.arm).collect();
            let points: Vec<&Point> = several.iter().map(|figure| &figure.point).collect();
            let names = several.iter().map(|figure| name(facts, figure)).collect();
            Err(ambiguous(arms.len() > 1, &points, names))
        }
    }
}

/// Says what a heading or comment would have to name; `names` are those of the results.
pub(super) fn ambiguous(has_runs: bool, points: &[&Point], names: Vec<String>) -> Unanswered {
    let differs = |of: &dyn Fn(&Point) -> Option<String>| {
        points.iter().map(|point| of(point)).collect::<BTreeSet<_>>().len() > 1
    };
    let axes: BTreeSet<&str> = points.iter().flat_map(|point| point.dims.names()).collect();
    let value = |point: &Point, axis: &str| point.dims.get(axis).map(ToString::to_string);
    let fixed = [
        ("run", has_runs),
        ("metric", differs(&|point| Some(point.metric.clone()))),
        ("dataset", differs(&|point| point.dataset.clone())),
    ];
    let open = fixed.into_iter().filter(|(_, is_open)| *is_open).map(|(name, _)| name);
    let open = open.chain(axes.into_iter().filter(|axis| differs(&|point| value(point, axis))));
    let open: Vec<String> = open.map(str::to_owned).collect();
    let names = names.into_iter().take(MOST_NAMED);
    let bind = open.iter().map(|name| format!("{name}=…")).collect::<Vec<_>>().join(" ");
    let refusal = Refusal::new("fill.ambiguous")
        .with("count", points.len())
        .with("names", names.collect::<Vec<String>>())
        .with("bind", bind)
        .with("open", open);
    Unanswered::Unclear(refusal)
}

/// Whether all that is known of a figure is so.
pub(super) fn fits(figure: &RunFigure, question: &Question) -> bool {
    question.facets().all(|facet| match facet {
        Facet::Arm(arm) => figure.arm == *arm,
        Facet::OtherArm | Facet::Open(_) => false,
        Facet::Spread(_) | Facet::Percent => true,
        Facet::Samples(n) => figure.n.is_none_or(|own| own == *n),
        Facet::Side(side) => figure.good_side * f64::from(*side) >= 0.0,
        _ => point_fits(&figure.point, facet),
    })
}

pub(super) fn point_fits(point: &Point, facet: &Facet) -> bool {
    match facet {
        Facet::Metric(metric) => point.metric == *metric,
        Facet::Dataset(dataset) => {
            point.dataset.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(dataset))
        }
        Facet::At(axis, value) => point.dims.get(axis) == Some(value),
        Facet::Open(subject) => *subject == Subject::Run,
        Facet::Percent
        | Facet::Arm(_)
        | Facet::OtherArm
        | Facet::Samples(_)
        | Facet::Side(_)
        | Facet::Spread(_) => true,
    }
}

/// Says which of the words no figure of the runs has; else that none has all of them.
fn nothing_fits(facts: &Facts, question: &Question) -> Unanswered {
    if let Some(refusal) = other_size(facts, question) {
        return Unanswered::Unclear(refusal);
    }
    let mut said: Vec<String> = question.facets().map(|facet| words(facts, facet)).collect();
    let has = |figure: &RunFigure, facet: &Facet| match facet {
        Facet::Side(side) => figure.good_side * f64::from(*side) >= 0.0,
        _ => point_fits(&figure.point, facet),
    };
    let is_foreign = |facet: &&Facet| !facts.figures.iter().any(|figure| has(figure, facet));
    let foreign: Vec<String> =
        question.facets().filter(is_foreign).map(|facet| words(facts, facet)).collect();
    if !foreign.is_empty() {
        said = foreign;
    }
    Unanswered::Missing(Refusal::new("fill.no-such").with("asked", said.join(" ")))
}

/// Says how many samples the runs have where the row says another number.
fn other_size(facts: &Facts, question: &Question) -> Option<Refusal> {
    let said = question.facets().find_map(|facet| match facet {
        Facet::Samples(n) => Some(*n),
        _ => None,
    })?;
    let others = question.facets().filter(|facet| !matches!(facet, Facet::Samples(_)));
    let others: Vec<Facet> = others.cloned().collect();
    let others = Question::of(&others, "");
    let fitting = facts.figures.iter().find(|figure| fits(figure, &others))?;
    let refusal = Refusal::new("fill.other-size").with("said", said);
    Some(refusal.with("samples", fitting.n?).with("asked", name(facts, fitting)))
}

fn words(facts: &Facts, facet: &Facet) -> String {
    match facet {
        Facet::Arm(arm) => facts.arms.get(*arm).map_or_else(String::new, |arm| arm.name.clone()),
        Facet::OtherArm => "?".to_owned(),
        Facet::Open(Subject::Axis(axis)) => axis.clone(),
        Facet::Samples(n) => format!("n={n}"),
        Facet::Side(1) => "↑".to_owned(),
        Facet::Side(_) => "↓".to_owned(),
        Facet::Spread(_) => "±".to_owned(),
        Facet::Percent => "%".to_owned(),
        Facet::Open(subject) => format!("{subject:?}").to_lowercase(),
        Facet::Metric(name) | Facet::Dataset(name) => name.clone(),
        Facet::At(axis, value) => format!("{axis}={value}"),
    }
}

/// `kl-0.12 okvqa/accuracy epoch=1`.
pub(super) fn name(facts: &Facts, figure: &RunFigure) -> String {
    let arm = facts.arms.get(figure.arm).map_or("", |arm| arm.name.as_str());
    format!("{arm} {}", point_name(&figure.point)).trim().to_owned()
}

pub(super) fn point_name(point: &Point) -> String {
    let dataset = point.dataset.as_ref().map_or_else(String::new, |name| format!("{name}/"));
    format!("{dataset}{} {}", point.metric, point.dims).trim().to_owned()
}
