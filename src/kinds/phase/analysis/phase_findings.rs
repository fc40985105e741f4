//! What is wrong with expectations, with rules, and with shares that should add up.

use super::conversion::Conversion;
use super::expectation::{self, Unreadable};
use super::phase_distribution::{PhaseDistribution, is_explained, over_the_same, rounding};
use super::phase_shares::percent;
use super::{Expected, Fulfilment, Phase, PhaseChoices, UnjudgedExpectation};
use crate::conditions::UnknownOperand;
use crate::diag::{Code, Diagnostic, nearest_name};
use crate::pairing::PairArm;
use crate::quantity::{Quantity, Unit};

/// Expectations that cannot be read.
pub(super) fn about_expectations(choices: &PhaseChoices) -> Vec<Diagnostic> {
    let finding = |declared: &super::Declared| {
        let why = expectation::parse(&declared.text).err()?;
        let word = match why {
            Unreadable::Word(word) => word,
            Unreadable::Form => declared.text.clone(),
        };
        Some(
            Diagnostic::new(Code::ExpectationUnreadable)
                .key(&declared.name)
                .with("name", declared.name.as_str())
                .with("text", declared.text.as_str())
                .with("word", word)
                .at(declared.location.clone()),
        )
    };
    choices.expect.iter().filter_map(finding).collect()
}

/// What is wrong with one candidate's expectations, rules and shares.
pub(super) fn about_phase(phase: &Phase<'_>) -> Vec<Diagnostic> {
    let expected = phase.expectations.iter().filter_map(|one| about_expectation(phase, one));
    let rules = phase.anomalies.iter().flat_map(|anomaly| {
        let unknown = anomaly.judgement.readings.iter().filter_map(|reading| {
            let (figure, why) = match (reading.figure, reading.against_unknown) {
                (Err(why), _) => (reading.quantity.to_string(), why),
                (Ok(_), Some(why)) => (reading.against.clone(), why),
                (Ok(_), None) => return None,
            };
            let quiet = matches!(why, UnknownOperand::NoValue | UnknownOperand::ZeroBaseline);
            (!quiet).then_some((figure, why))
        });
        unknown.map(|(quantity, why)| {
            Diagnostic::new(Code::AnomalyUnknownFigure)
                .key(anomaly.rule.name.english())
                .with("name", anomaly.rule.name.english())
                .with("condition", anomaly.rule.when.text())
                .with("figure", quantity)
                .with("unknown", why.name())
        })
    });
    let shares = phase.distributions.iter().flat_map(|one| about_distribution(phase, one));
    expected.chain(rules).chain(shares).collect()
}

fn about_expectation(phase: &Phase<'_>, expected: &Expected<'_>) -> Option<Diagnostic> {
    let declared = expected.declared;
    let finding = |code| {
        Diagnostic::new(code)
            .key(&declared.name)
            .with("name", declared.name.as_str())
            .with("text", declared.text.as_str())
            .at(declared.location.clone())
    };
    match &expected.outcome {
        Fulfilment::Open(UnjudgedExpectation::NoFigure) => {
            let names = phase.pair.cells.iter().map(|cell| cell.key.to_string());
            let near = nearest_name(&declared.name, names);
            Some(finding(Code::ExpectationWithoutMetric).with("near", near))
        }
        Fulfilment::Open(UnjudgedExpectation::Unit) => Some(finding(Code::ExpectationUnit)),
        Fulfilment::Ambiguous(_) => Some(finding(Code::ExpectationAmbiguous)),
        _ => None,
    }
}

/// Shares that do not add up, and a share of code that ran which others contradict.
fn about_distribution(phase: &Phase<'_>, distribution: &PhaseDistribution<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (which, sum) in PairArm::BOTH.into_iter().zip(distribution.sums) {
        let named = |code| {
            Diagnostic::new(code)
                .run(phase.pair.name(which))
                .about_dataset(distribution.dataset)
                .dims(distribution.dims)
                .with("run", phase.pair.name(which))
        };
        if let Some(sum) = sum.filter(|sum| !is_explained(&distribution.shares, which, *sum)) {
            found.push(
                named(Code::SharesDoNotAddUp)
                    .with("total", Quantity::figure(sum.total, Unit::Percent)),
            );
        }
        if let Some([stated, implied]) = contradicted(distribution, which) {
            found.push(
                named(Code::RanContradicted)
                    .with("stated", Quantity::figure(stated, Unit::Percent))
                    .with("implied", Quantity::figure(implied, Unit::Percent)),
            );
        }
    }
    found
}

/// The share of code that ran as told, and as right and wrong answers imply it, where these differ
/// by more than rounding, in percent.
fn contradicted(distribution: &PhaseDistribution<'_>, which: PairArm) -> Option<[f64; 2]> {
    let ran = distribution.ran?;
    // Shares of other samples, such as those that both arms have, are no part of it.
    if !over_the_same(
        distribution.shares.iter().filter_map(|share| share.comparison).chain([ran]),
        which,
    ) {
        return None;
    }
    let judged = || distribution.shares.iter().filter(|share| !share.is_failure());
    let percents = judged().map(|share| share.percent(which));
    let implied: f64 = percents.collect::<Option<Vec<f64>>>()?.iter().sum();
    let figures = judged().filter_map(|share| share.comparison).chain([ran]);
    let open = rounding(figures, which);
    let stated = percent(ran, which)?;
    ((stated - implied).abs() > open).then_some([stated, implied])
}

impl PhaseDistribution<'_> {
    /// Whether answers that were cut count as a class of their own in the conversion, so that its
    /// classes are smaller than the shares beside.
    pub fn counts_cut(&self) -> bool {
        let Some(Conversion::Counted(flow)) = &self.conversion else { return false };
        flow.classes().contains(&crate::compare::DecompositionClass::Cut)
    }
}
