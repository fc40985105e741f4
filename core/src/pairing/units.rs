//! What a metric means in a cell, and one unit for all its figures.

use std::collections::BTreeSet;

use super::PairingOptions;
use super::side::{PairSide, SampledSide, StatedSide};
use crate::model::{Direction, MetricSpec, Run, Scalar, SpecOrigin};
use crate::quantity::Unit;

/// Gives all figures of a rate one unit and says whether the arms wrote different ones.
///
/// Percentages stay percentages while nobody writes shares. A unit that the user declares holds
/// for every figure without a written one; where the user declares none, a written one makes a rate.
/// Per-sample scores are shares unless they clearly exceed 1; those of 0 and 1 are shares whatever is declared, and the cell has shares then.
pub(super) fn settle_unit(
    dataset: Option<&str>,
    spec: &mut MetricSpec,
    sides: &mut [(&Run, PairSide<'_>); 2],
    options: &PairingOptions,
) -> bool {
    let is_told_by_signs =
        spec.unit == Unit::Plain && spec.bounds.is_none() && are_written_percentages(sides);
    if is_told_by_signs {
        spec.unit = Unit::Fraction;
    }
    if !spec.unit.is_rate() {
        return false;
    }
    let has_outcomes = sides.iter().any(|(_, side)| side.has_outcomes());
    let (declared, shipped) = if is_told_by_signs {
        (None, spec.unit)
    } else {
        let declared = spec.unit_declared.then_some(spec.unit);
        (declared, options.names.get(&spec.name).map_or(spec.unit, |spec| spec.unit))
    };
    let stated_unit = |run: &Run, stated: &StatedSide<'_>| {
        let own = run.content.spec(dataset, &spec.name).map(|spec| spec.unit);
        let own = own.filter(|unit| unit.is_rate()).unwrap_or(shipped);
        stated.scalar.unit.unwrap_or(own)
    };
    let units: Vec<[Option<Unit>; 2]> = sides
        .iter()
        .map(|(run, side)| {
            [side.unit_of_samples(), side.stated.as_ref().map(|stated| stated_unit(run, stated))]
        })
        .collect();
    let mut present = units.iter().flatten().flatten();
    let all_percent = present.clone().count() > 0 && present.all(|unit| *unit == Unit::Percent);
    let settled = if all_percent { Unit::Percent } else { Unit::Fraction };
    spec.unit = declared.filter(|_| !has_outcomes).unwrap_or(settled);
    spec.bounds = spec.unit.whole().map(|whole| (0.0, whole));
    let scale = |unit: Option<Unit>| {
        if unit == Some(Unit::Percent) && spec.unit == Unit::Fraction { 0.01 } else { 1.0 }
    };
    for ((_, side), [samples, stated]) in sides.iter_mut().zip(&units) {
        if let Some(side) = &mut side.samples {
            side.rescale(scale(*samples));
        }
        if let Some(side) = &mut side.counted {
            side.rescale(scale(*samples));
        }
        if let Some(figure) = &mut side.stated {
            let unwritten = declared == Some(Unit::Percent) && figure.scalar.unit.is_none();
            let samples = side.samples.as_ref().filter(|_| unwritten);
            figure.share_by_samples =
                samples.is_some_and(|samples| is_their_share(figure, samples));
            let is_share = figure.scalar.unit == Some(Unit::Fraction) || figure.share_by_samples;
            figure.scale =
                if is_share { conversion(Unit::Fraction, spec.unit) } else { scale(*stated) };
        }
    }
    let used = units.iter().map(|[samples, stated]| samples.or(*stated));
    let used: BTreeSet<bool> = used.flatten().map(|unit| unit == Unit::Percent).collect();
    let guessed = sides.iter().zip(&units).any(|((_, side), [samples, _])| {
        let figures = side.stated.as_ref().is_some_and(|stated| stated.scalar.unit_inferred);
        *samples == Some(Unit::Percent) || (samples.is_none() && figures)
    });
    declared.is_none() && guessed && used.len() > 1
}

/// Whether figures stand with a percent sign, or are shares beside one that does: a metric of which the user
/// says no more than the good side is a rate then.
fn are_written_percentages(sides: &[(&Run, PairSide<'_>); 2]) -> bool {
    let stated: Vec<&Scalar> =
        sides.iter().filter_map(|(_, side)| Some(side.stated.as_ref()?.scalar)).collect();
    let is_percentage =
        |scalar: &Scalar| scalar.unit == Some(Unit::Percent) && !scalar.unit_inferred;
    let is_rate = |scalar: &&Scalar| {
        let most = if is_percentage(scalar) { 100.0 } else { 1.0 };
        scalar.value.value().is_none_or(|value| (0.0..=most).contains(&value))
    };
    let has_value = |scalar: &&Scalar| scalar.value.value().is_some();
    sides.iter().all(|(_, side)| side.samples.is_none())
        && stated.iter().copied().filter(has_value).any(is_percentage)
        && stated.iter().all(is_rate)
}

/// Whether a figure, as it is written, is the share that its samples of 0 and 1 have.
fn is_their_share(figure: &StatedSide<'_>, samples: &SampledSide<'_>) -> bool {
    let Some(value) = figure.scalar.value.value() else { return false };
    let half_a_unit = 0.5 * 10_f64.powf(-(figure.decimals() as f64));
    samples.has_outcomes() && (value - samples.mean).abs() <= half_a_unit.clamp(1e-9, 5e-3)
}

/// The meaning of a metric: the user's word, else the producer's, else the shipped catalogue's.
/// Producers that disagree about the good side leave it undeclared, and a candidate alone does not say
/// by which side it is judged.
pub(super) fn spec_of_cell(
    dataset: Option<&str>,
    metric: &str,
    baseline: &Run,
    candidate: &Run,
    options: &PairingOptions,
) -> MetricSpec {
    let own = [baseline, candidate].map(|run| run.content.spec(dataset, metric));
    let shipped = options.names.get(metric);
    if let Some(spec) = shipped.as_ref().filter(|spec| spec.origin == SpecOrigin::User) {
        let derived = own.into_iter().flatten().any(|spec| spec.derived);
        return MetricSpec { derived, ..spec.clone() };
    }
    if let [Some(mine), Some(theirs)] = own
        && mine.direction != theirs.direction
    {
        return MetricSpec { direction: Direction::Unknown, ..mine.clone() };
    }
    let produced = match own {
        [None, Some(theirs)] if !theirs.derived => {
            let direction = shipped.as_ref().map_or(Direction::Unknown, |spec| spec.direction);
            Some(MetricSpec { direction, ..theirs.clone() })
        }
        [mine, theirs] => mine.or(theirs).cloned(),
    };
    match (produced, shipped) {
        (Some(produced), Some(shipped)) => {
            let role = produced.role.or(shipped.role);
            if produced.unit == Unit::Plain {
                let MetricSpec { unit, bounds, .. } = shipped;
                MetricSpec { unit, bounds, role, ..produced }
            } else {
                MetricSpec { role, ..produced }
            }
        }
        (Some(produced), None) => produced,
        (None, Some(shipped)) => shipped,
        (None, None) => MetricSpec::undeclared(metric),
    }
}

/// The factor from figures in one unit to figures in another: between rates, else 1.
pub(super) fn conversion(from: Unit, to: Unit) -> f64 {
    match (from.whole(), to.whole()) {
        (Some(from), Some(to)) if from != to => to / from,
        _ => 1.0,
    }
}
