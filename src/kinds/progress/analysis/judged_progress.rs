//! Scores, signals and milestones: conditions, judged.

use indexmap::IndexSet;

use super::declared::{Asked, Milestone, Score};
use super::figures::{FUNCTIONS, KnownProgress, NAMES};
use super::rates;
use crate::conditions::{
    ClauseOutcome, Condition, ConditionTruth, Judgement, Symptom, UnknownOperand,
};
use crate::diag::{Code, Diagnostic, Location};

#[derive(Debug, Clone, PartialEq)]
pub struct Scored<'a> {
    pub declared: &'a Score,
    /// The stars by the values as they are; `None` where nobody can say.
    pub stars: Option<u8>,
    /// The fewest and the most stars that the intervals leave open.
    pub range: Option<[u8; 2]>,
    /// What the rule that decided read, or the first that could not be read.
    pub reading: Option<(&'a Condition, Judgement)>,
    /// Whether it stands on counters that contradict themselves.
    pub is_doubtful: bool,
}

pub(super) fn scores<'a>(declared: &'a [Score], known: &KnownProgress) -> Vec<Scored<'a>> {
    declared.iter().map(|score| scored(score, known)).collect()
}

fn scored<'a>(declared: &'a Score, known: &KnownProgress) -> Scored<'a> {
    let mut possible: Vec<u8> = Vec::new();
    let mut decided: Option<(Option<u8>, (&'a Condition, Judgement))> = None;
    let mut is_open = true;
    for rule in &declared.stars {
        let judgement = rule.when.judge(known);
        let outcome = judgement.outcome;
        if decided.is_none() && outcome.seen() != Some(false) {
            let stars = (outcome != ConditionTruth::Unknown).then_some(rule.stars);
            decided = Some((stars, (&rule.when, judgement)));
        }
        match outcome {
            ConditionTruth::Fails => continue,
            ConditionTruth::Unsure { .. } => possible.push(rule.stars),
            ConditionTruth::Holds => {
                possible.push(rule.stars);
                is_open = false;
            }
            ConditionTruth::Unknown => {}
        }
        if matches!(outcome, ConditionTruth::Holds | ConditionTruth::Unknown) {
            break;
        }
    }
    let (stars, reading) = decided.map_or((None, None), |(stars, read)| (stars, Some(read)));
    let ends = possible.iter().min().zip(possible.iter().max());
    let range = ends.filter(|_| !is_open && stars.is_some()).map(|(lo, hi)| [*lo, *hi]);
    let is_doubtful =
        reading.as_ref().is_some_and(|(condition, _)| rates::is_doubtful(condition, &known.rates));
    Scored { declared, stars, range, reading, is_doubtful }
}

/// The mean of the stars of all dimensions: by the values, and from the fewest to the most that the
/// intervals leave open. `None` as long as one dimension has none.
pub fn mean(scores: &[Scored<'_>]) -> Option<(f64, [f64; 2])> {
    let stars: Option<Vec<u8>> = scores.iter().map(|score| score.stars).collect();
    let stars = stars.filter(|stars| !stars.is_empty())?;
    let average = |values: Vec<u8>| {
        values.iter().map(|stars| f64::from(*stars)).sum::<f64>() / values.len() as f64
    };
    let end = |place: usize| {
        let one = |score: &Scored<'_>| {
            let range = score.range.map(|range| if place == 0 { range[0] } else { range[1] });
            range.or(score.stars).unwrap_or_default()
        };
        average(scores.iter().map(one).collect())
    };
    Some((average(stars), [end(0), end(1)]))
}

/// A sign of trouble, looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Watched<'a> {
    pub declared: &'a Symptom,
    pub judgement: Judgement,
    /// Whether it stands on counters that contradict themselves.
    pub is_doubtful: bool,
}

pub(super) fn signals<'a>(declared: &'a [Symptom], known: &KnownProgress) -> Vec<Watched<'a>> {
    let watched = |declared: &'a Symptom| Watched {
        declared,
        judgement: declared.when.judge(known),
        is_doubtful: rates::is_doubtful(&declared.when, &known.rates),
    };
    declared.iter().map(watched).collect()
}

impl Watched<'_> {
    /// The name in catalogues and `report.json`.
    pub fn state(&self) -> &'static str {
        match self.judgement.outcome {
            ConditionTruth::Holds => "fired",
            ConditionTruth::Fails => "quiet",
            ConditionTruth::Unsure { seen: true } => "maybe",
            ConditionTruth::Unsure { seen: false } => "not-excluded",
            ConditionTruth::Unknown => "unknown",
        }
    }
}

/// How far a milestone is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MilestoneStage {
    Done,
    /// Begun, or reached by the value but not by its interval.
    Running,
    Waiting,
    /// A figure that would decide is not there, or stands on counters that contradict themselves.
    Unknown,
}

impl MilestoneStage {
    /// Every stage, in the order of a report.
    pub const ALL: [Self; 4] = [Self::Done, Self::Running, Self::Waiting, Self::Unknown];

    /// The name in catalogues and `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Unknown => "unknown",
        }
    }
}

/// A milestone, looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Reached<'a> {
    pub declared: &'a Milestone,
    pub stage: MilestoneStage,
    /// What the condition of being done read.
    pub judgement: Judgement,
    /// Whether it stands on counters that contradict themselves.
    pub is_doubtful: bool,
}

pub(super) fn milestones<'a>(declared: &'a [Milestone], known: &KnownProgress) -> Vec<Reached<'a>> {
    let reached = |declared: &'a Milestone| {
        let judgement = declared.done.judge(known);
        let is_doubtful = rates::is_doubtful(&declared.done, &known.rates);
        let started = || {
            let started = declared.started.as_ref().map(|started| started.judge(known).outcome);
            matches!(started, Some(ConditionTruth::Holds | ConditionTruth::Unsure { seen: true }))
        };
        let stage = match judgement.outcome {
            ConditionTruth::Holds if is_doubtful => MilestoneStage::Unknown,
            ConditionTruth::Holds => MilestoneStage::Done,
            ConditionTruth::Unsure { seen: true } => MilestoneStage::Running,
            ConditionTruth::Unknown => MilestoneStage::Unknown,
            _ if started() => MilestoneStage::Running,
            _ => MilestoneStage::Waiting,
        };
        Reached { declared, stage, judgement, is_doubtful }
    };
    declared.iter().map(reached).collect()
}

/// The finding for thresholds in a unit that their figures do not have.
pub(super) fn units_apart<'j>(
    judged: impl Iterator<Item = &'j Judgement>,
    config: &str,
) -> Option<Diagnostic> {
    let clauses = readings(judged, |why| why == UnknownOperand::Unit, ClauseOutcome::clause);
    let finding = Diagnostic::new(Code::ThresholdUnit).at(Location::file(config));
    (!clauses.is_empty()).then(|| finding.with("clauses", clauses))
}

/// The finding for figures that conditions name and nobody knows.
pub(super) fn unknown_figures<'j>(
    judged: impl Iterator<Item = &'j Judgement>,
    asked: &Asked,
) -> Option<Diagnostic> {
    let is_typo =
        |why| matches!(why, UnknownOperand::NoSuchFigure | UnknownOperand::NoSuchFunction);
    let mut names = readings(judged, is_typo, |reading| reading.quantity.to_string());
    names.retain(|name| {
        let inner = name.rsplit_once('(').map_or(name.as_str(), |(_, inner)| inner);
        asked.is_own(inner.trim_end_matches(')'))
    });
    let finding = Diagnostic::new(Code::FigureUnknown).at(Location::file(asked.config.as_str()));
    (!names.is_empty()).then(|| {
        finding
            .with("figures", names)
            .with("functions", FUNCTIONS.join(", "))
            .with("others", NAMES.join(", "))
    })
}

/// The readings whose figure is unknown for such a reason, as texts, each once.
fn readings<'j>(
    judged: impl Iterator<Item = &'j Judgement>,
    is_meant: impl Fn(UnknownOperand) -> bool,
    text: impl Fn(&ClauseOutcome) -> String,
) -> Vec<String> {
    let readings = judged.flat_map(|judgement| &judgement.readings);
    let meant = readings.filter(|reading| reading.figure.is_err_and(&is_meant));
    meant.map(text).collect::<IndexSet<String>>().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::progress::analysis::progress_testing::{analysed, declared};

    /// 2 of 64: 3.1%, 0.9% to 10.7%.
    #[test]
    fn stars_are_those_of_the_value_and_the_range_those_of_the_interval() {
        for (rules, stars, range) in [
            ("[5, \"r < 1%\"], [4, \"r < 5%\"], [1, \"r < 20%\"]", Some(4), Some([1, 5])),
            ("[5, \"r < 20%\"], [1, \"r >= 20%\"]", Some(5), Some([5, 5])),
            ("[5, \"r < 5%\"], [2, \"r >= 5%\"]", Some(5), None),
            ("[5, \"r < 0.5%\"]", None, None),
            ("[5, \"reward > 1\"], [1, \"step > 0\"]", None, None),
            ("[5, \"step > 0\"], [1, \"reward > 1\"]", Some(5), Some([5, 5])),
        ] {
            let text = format!(
                "cumulative = [\"bad\", \"all\"]\n\
                 rates = {{ r = {{ count = \"bad\", of = \"all\" }} }}\n\
                 [[score]]\nname = \"s\"\nstars = [{rules}]"
            );
            let rows: [(&str, &[f64]); 2] = [("bad", &[2.0, 2.0]), ("all", &[44.0, 64.0])];
            analysed(&rows, &declared(&text), |progress| {
                let score = &progress.scores[0];
                assert_eq!((score.stars, score.range), (stars, range), "{rules}");
                assert_eq!(mean(&progress.scores).map(|(mean, _)| mean), stars.map(f64::from));
            });
        }
    }

    #[test]
    fn milestones_are_reached_by_the_interval_and_begun_by_the_value() {
        for (rules, stage) in [
            ("done = \"r < 20%\"", MilestoneStage::Done),
            ("done = \"r < 5%\"", MilestoneStage::Running),
            ("done = \"r < 1%\"", MilestoneStage::Waiting),
            ("done = \"r < 1%\"\nstarted = \"observed(r) < 5%\"", MilestoneStage::Running),
            ("done = \"step >= 500\"", MilestoneStage::Waiting),
            ("done = \"reward > 1\"", MilestoneStage::Unknown),
            ("done = \"reward > 1\"\nstarted = \"step > 0\"", MilestoneStage::Unknown),
            ("done = \"r < 95\"", MilestoneStage::Unknown),
        ] {
            let text = format!(
                "cumulative = [\"bad\", \"all\"]\n\
                 rates = {{ r = {{ count = \"bad\", of = \"all\" }} }}\n\
                 [[milestone]]\nname = \"m\"\n{rules}"
            );
            let rows: [(&str, &[f64]); 2] = [("bad", &[2.0, 2.0]), ("all", &[44.0, 64.0])];
            let found = analysed(&rows, &declared(&text), |progress| progress.milestones[0].stage);
            assert_eq!(found, stage, "{rules}");
        }
    }
}
