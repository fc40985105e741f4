//! The points of their trainings at which two arms were evaluated.

use std::collections::BTreeSet;

use super::config::Factors;
use super::{Arm, ConfigDifference, PerArm};
use crate::model::{CHECKPOINT_DIMS, DimValue, Run, announces_training, leaf, places_in_name};

/// A coordinate by which figures are paired. Of arms of which no figure states it, the names of the runs may.
const SHOT: &str = "shot";

/// A coordinate along which trainings move, or the number of examples in prompts, of which each arm has
/// other values than the other.
#[derive(Debug, Clone, PartialEq)]
pub struct PointDifference {
    pub name: &'static str,
    pub values: PerArm<DimValue>,
}

impl PointDifference {
    /// Whether one arm is a model before the training.
    pub fn is_from_start(&self) -> bool {
        self.values.iter().any(|value| value.number() == Some(0.0))
    }
}

/// A place in the names of runs counts where no setting differs that says how long the training lasts.
pub(super) fn differing(
    arms: [&Arm<'_>; 2],
    differences: &[ConfigDifference],
) -> Vec<PointDifference> {
    let of_axis = |name: &&'static str| {
        let is_length = |one: &ConfigDifference| leaf(&one.key).contains(name);
        let may_be_named = !differences.iter().any(is_length);
        let [mine, theirs] = arms.map(|arm| match stated_point(arm, name) {
            StatedPoint::None if may_be_named => point_in_names(arm, name),
            StatedPoint::All(point) if *name != SHOT => Some(point),
            StatedPoint::Several if *name != SHOT => points_of_runs(arm, name),
            _ => None,
        });
        let values = [mine?, theirs?];
        (values[0] != values[1]).then_some(PointDifference { name, values })
    };
    CHECKPOINT_DIMS.iter().chain([&SHOT]).filter_map(of_axis).collect()
}

/// The value of a coordinate that the names of all runs of an arm have.
fn point_in_names(arm: &Arm<'_>, name: &str) -> Option<DimValue> {
    let mut named = arm.runs().map(|run| named_point(&run.path, name));
    let first = named.next()??;
    named.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

/// The values of a coordinate where every run of an arm has one, and not all the same.
fn points_of_runs(arm: &Arm<'_>, name: &str) -> Option<DimValue> {
    let of_run = |run: &Run| match stated_in(&[run], name) {
        StatedPoint::All(point) => Some(point.to_string()),
        _ => None,
    };
    let points: Option<BTreeSet<String>> = arm.runs().map(of_run).collect();
    let points: Vec<String> = points?.into_iter().collect();
    Some(DimValue::Text(points.join(", ")))
}

/// What the figures and samples of an arm say of a coordinate.
enum StatedPoint {
    /// Not one of them has it.
    None,
    /// Some have none, or another value than others.
    Several,
    All(DimValue),
}

fn stated_point(arm: &Arm<'_>, name: &str) -> StatedPoint {
    stated_in(&arm.runs().collect::<Vec<_>>(), name)
}

fn stated_in(runs: &[&Run], name: &str) -> StatedPoint {
    let contents = || runs.iter().map(|run| &run.content);
    let of_figures = contents().flat_map(|content| content.scalars.iter().map(|one| &one.dims));
    let of_samples = contents().flat_map(|content| content.samples.iter().map(|one| &one.dims));
    let mut values = of_figures.chain(of_samples).map(|dims| dims.get(name));
    match values.next().flatten() {
        None if values.any(|value| value.is_some()) => StatedPoint::Several,
        None => StatedPoint::None,
        Some(first) if values.all(|value| value == Some(first)) => StatedPoint::All(first.clone()),
        Some(_) => StatedPoint::Several,
    }
}

/// The value of a coordinate in the name of a run, or that of the directory around it.
fn named_point(path: &str, name: &str) -> Option<DimValue> {
    let names = path.split(['/', '\\']).filter(|part| !part.is_empty()).rev().take(2);
    names.map(places_in_name).find_map(|dims| dims.get(name).cloned())
}

/// The points are factors where they are declared, or where nothing else is known to differ: no setting that
/// both arms record, or where they record none, nothing but numbers in their names.
pub(super) fn take_for_factors(
    factors: &mut Factors,
    points: &[PointDifference],
    differences: &[ConfigDifference],
    arms: [&Arm<'_>; 2],
) {
    let is_point = |key: &String| points.iter().any(|point| point.name == key);
    let (declared, unknown) = std::mem::take(&mut factors.unknown).into_iter().partition(is_point);
    factors.unknown = unknown;
    factors.keys.extend::<Vec<String>>(declared);
    let is_declared =
        !(factors.keys.is_empty() && factors.unknown.is_empty() && factors.equal.is_empty());
    let [mine, theirs] = arms.map(|arm| without_point(&arm.lead.path));
    let is_recorded = arms.iter().all(|arm| !arm.lead.content.config.is_empty());
    let is_only = (is_recorded || mine == theirs)
        && differences.iter().all(|one| one.environment || one.one_sided());
    if is_only && !is_declared && !points.is_empty() {
        let keys = points.iter().map(|point| point.name.to_owned()).collect();
        *factors = Factors { keys, inferred: true, ..Factors::default() };
    }
}

/// A path without the numbers of points of a training.
fn without_point(path: &str) -> String {
    without_numbers_behind(path, announces_training).unwrap_or_else(|| path.to_owned())
}

/// A name without the digits in it.
pub fn without_numbers(name: &str) -> String {
    name.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// A path without the numbers behind one of the words, which are asked for in lower case, where it has such: `checkpoint-100`,
/// `global_step=20`, `sft_epoch1_200.json`.
pub fn without_numbers_behind(path: &str, is_word: impl Fn(&str) -> bool) -> Option<String> {
    let is_word = |text: &str| is_word(&text.to_ascii_lowercase());
    let separators = ['/', '\\', '_', '-', '=', '.', ' '];
    let mut without = String::with_capacity(path.len());
    let mut is_behind_word = false;
    for part in path.split_inclusive(separators) {
        let text = part.trim_end_matches(separators);
        let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_number = name.is_empty() && is_behind_word;
        let is_numbered = name.len() < text.len() && (is_number || is_word(name));
        without.push_str(if is_numbered { name } else { text });
        without.push_str(part.get(text.len()..)?);
        is_behind_word = is_word(text);
    }
    (without.len() < path.len()).then_some(without)
}
