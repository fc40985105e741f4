//! A comparison told as the report of a phase: what was expected of it, how errors are distributed,
//! what they turned into, and which anomalies were declared for it.
//!
//! Reads comparisons and adds no verdict of its comparisons: where a comparison has none because runs cannot
//! be compared, an expectation is not judged. Knows neither files nor words.

mod anomaly;
mod conversion;
mod expectation;
mod judge;
mod lexicon;
mod phase_distribution;
mod phase_figures;
mod phase_findings;
mod phase_lookup;
mod phase_shares;

pub use anomaly::Anomaly;
pub use conversion::{Bound, Conversion, PhaseFlow};
pub use expectation::{Aim, ExpectedWay, SizeUnit, Subject, Unreadable};
pub use judge::{
    ExpectationClass, ExpectationMeasure, Fulfilment, JudgedExpectation, UnjudgedExpectation,
};
pub use phase_distribution::{PhaseDistribution, PhaseSum};
pub use phase_shares::PhaseShare;

use indexmap::IndexMap;
use serde::Deserialize;

use crate::compare::Comparison;
use crate::conditions::Symptom;
use crate::diag::{Diagnostic, Location, Warned};
use crate::gate::Expectations;
use crate::model::MetricNames;
use crate::pairing::ArmPair;
use crate::settings::ConfigFile;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseTable {
    /// Metric, or `dataset/metric`, to what is expected of it.
    #[serde(default)]
    expect: IndexMap<String, String>,
    #[serde(default)]
    anomaly: Vec<Symptom>,
}

#[derive(Debug, Clone, Default)]
pub struct PhaseChoices {
    /// Expectations, in the order of the file.
    pub expect: Vec<Declared>,
    /// Anomalies, in the order of the file.
    pub anomalies: Vec<Symptom>,
    pub names: MetricNames,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// The metric, or `dataset/metric`.
    pub name: String,
    pub text: String,
    pub location: Location,
}

impl PhaseChoices {
    /// The choices of a table of that file, which tells the lines.
    pub fn new(table: PhaseTable, file: Option<&ConfigFile>, names: MetricNames) -> Self {
        let declared = |(name, text): (String, String)| {
            let keys = ["phase", "expect", name.as_str()];
            let location = file.map(|file| file.location(&keys));
            Declared { location: location.unwrap_or_else(|| Location::file("")), name, text }
        };
        let expect = table.expect.into_iter().map(declared).collect();
        Self { expect, anomalies: table.anomaly, names }
    }
}

/// What is told of one candidate.
#[derive(Debug)]
pub struct Phase<'a> {
    pub pair: &'a ArmPair<'a>,
    /// Every expectation; one that several datasets or grid points meet stands there once for each.
    pub expectations: Vec<Expected<'a>>,
    /// One for each dataset and grid point with kinds of error.
    pub distributions: Vec<PhaseDistribution<'a>>,
    pub anomalies: Vec<Anomaly<'a>>,
}

#[derive(Debug, Clone)]
pub struct Expected<'a> {
    pub declared: &'a Declared,
    /// What was read; `None` where it could not be.
    pub aim: Option<Aim>,
    /// What it is held against; `None` where there is no such metric.
    pub comparison: Option<&'a Comparison<'a>>,
    pub outcome: Fulfilment,
}

pub fn review<'a>(
    pairs: &'a [ArmPair<'a>],
    comparisons: &'a [Vec<Comparison<'a>>],
    choices: &'a PhaseChoices,
) -> Warned<Vec<Phase<'a>>> {
    let mut noticed = phase_findings::about_expectations(choices);
    let names = &choices.names;
    let mut phases = Vec::new();
    for (pair, comparisons) in pairs.iter().zip(comparisons) {
        let phase = Phase {
            pair,
            expectations: choices
                .expect
                .iter()
                .flat_map(|one| expected(one, comparisons, names))
                .collect(),
            distributions: phase_distribution::distributions(comparisons),
            anomalies: choices
                .anomalies
                .iter()
                .map(|rule| anomaly::judge(rule, comparisons, names))
                .collect(),
        };
        noticed.extend(phase_findings::about_phase(&phase));
        phases.push(phase);
    }
    distinct(&mut noticed);
    Warned::new(phases, noticed)
}

fn expected<'a>(
    declared: &'a Declared,
    comparisons: &'a [Comparison<'a>],
    names: &MetricNames,
) -> Vec<Expected<'a>> {
    let aim = expectation::parse(&declared.text).ok();
    let named = phase_lookup::named(comparisons, names, &declared.name);
    let open =
        |comparison, why| Expected { declared, aim, comparison, outcome: Fulfilment::Open(why) };
    if named.is_empty() {
        let why = if aim.is_some() {
            UnjudgedExpectation::NoFigure
        } else {
            UnjudgedExpectation::Unreadable
        };
        return vec![open(None, why)];
    }
    let judged = |one: &'a Comparison<'a>| match &aim {
        None => open(Some(one), UnjudgedExpectation::Unreadable),
        Some(aim) => {
            let outcome = judge::judge_expectation(aim, one);
            Expected { declared, aim: Some(*aim), comparison: Some(one), outcome }
        }
    };
    named.into_iter().map(judged).collect()
}

/// How many expectations came out how.
pub fn tally(phases: &[Phase<'_>]) -> Expectations {
    let mut all = Expectations::default();
    for one in phases.iter().flat_map(|phase| &phase.expectations) {
        all.of += 1;
        match one.outcome.class() {
            ExpectationClass::Met => {}
            ExpectationClass::Missed => all.failed += 1,
            ExpectationClass::Open => all.open += 1,
            ExpectationClass::Unjudged(_) => all.unjudged += 1,
        }
    }
    all
}

/// Findings that two candidates share are one.
fn distinct(findings: &mut Vec<Diagnostic>) {
    let mut kept: Vec<Diagnostic> = Vec::new();
    for finding in findings.drain(..) {
        if !kept.contains(&finding) {
            kept.push(finding);
        }
    }
    *findings = kept;
}
