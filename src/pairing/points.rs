//! The points of their trainings at which two arms were evaluated.

use super::config::Factors;
use super::{Arm, CHECKPOINT_DIMS, ConfigDifference, PerArm};
use crate::model::DimValue;

/// A coordinate along which trainings move, of which each arm has one value, another than the other arm.
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

pub(super) fn differing(arms: [&Arm<'_>; 2]) -> Vec<PointDifference> {
    let of_name = |name: &&'static str| {
        let [mine, theirs] = arms.map(|arm| point(arm, name));
        let values = [mine?, theirs?];
        (values[0] != values[1]).then_some(PointDifference { name, values })
    };
    CHECKPOINT_DIMS.iter().filter_map(of_name).collect()
}

/// The value of a coordinate that all figures and samples of an arm have.
fn point(arm: &Arm<'_>, name: &str) -> Option<DimValue> {
    let contents = || arm.runs().map(|run| &run.content);
    let of_figures = contents().flat_map(|content| content.scalars.iter().map(|one| &one.dims));
    let of_samples = contents().flat_map(|content| content.samples.iter().map(|one| &one.dims));
    let mut values = of_figures.chain(of_samples).map(|dims| dims.get(name));
    let first = values.next()??;
    values.all(|value| value == Some(first)).then(|| first.clone())
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

/// Words before the numbers of points in names.
pub const POINT_WORDS: &[&str] =
    &["checkpoint", "ckpt", "step", "global_step", "iter", "iteration", "epoch", "ep"];

/// A path without the numbers of points of a training.
fn without_point(path: &str) -> String {
    without_numbers_behind(path, POINT_WORDS).unwrap_or_else(|| path.to_owned())
}

/// A name without the digits in it.
pub fn without_numbers(name: &str) -> String {
    name.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// A path without the numbers behind one of the words, where it has such: `checkpoint-100`,
/// `global_step=20`, `sft_epoch1_200.json`.
pub fn without_numbers_behind(path: &str, words: &[&str]) -> Option<String> {
    let is_word = |text: &str| words.iter().any(|word| text.eq_ignore_ascii_case(word));
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
