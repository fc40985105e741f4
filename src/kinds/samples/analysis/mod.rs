//! Which samples changed sides between runs, and the texts of those that are shown.

mod agreement;
mod images;
mod pairs;

pub use crate::collect::{Image, NamedText, NotShown, SampleTexts};
pub use agreement::{Agreement, Divided, Suspect, is_usual};
pub use images::NamedImage;

use std::collections::{BTreeMap, BTreeSet};

use crate::collect::{self, ReadOptions, RecordPlace};
use crate::diag::Diagnostic;
use crate::model::{Dims, MetricSpec, SampleTable};
use crate::pairing::{ArmPair, PairArm, PairedArms};

/// What became of a sample between the baseline and its candidates, in the order shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Transition {
    /// The baseline is right and a candidate wrong; of scores: a candidate scores worse.
    Worse,
    Better,
    /// The score changed, and nobody says which way is good.
    Changed,
    BothWrong,
    BothRight,
    /// The score is the same, and neither right nor wrong.
    Unchanged,
    Unpaired,
}

impl Transition {
    pub const ALL: [Self; 7] = [
        Self::Worse,
        Self::Better,
        Self::Changed,
        Self::BothWrong,
        Self::BothRight,
        Self::Unchanged,
        Self::Unpaired,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Better => "better",
            Self::Changed => "changed",
            Self::BothWrong => "both-wrong",
            Self::BothRight => "both-right",
            Self::Unchanged => "unchanged",
            Self::Unpaired => "unpaired",
        }
    }
}

/// Why a sample has no score to compare with. The number is that of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnpairedBecause {
    OnlyIn(usize),
    NoScore(usize),
    OtherContent,
    Contradicting,
}

impl UnpairedBecause {
    pub fn name(self) -> &'static str {
        match self {
            Self::OnlyIn(_) => "only-in",
            Self::NoScore(_) => "no-score",
            Self::OtherContent => "other-content",
            Self::Contradicting => "contradicting",
        }
    }

    /// The run that it is about.
    pub fn run(self) -> Option<usize> {
        match self {
            Self::OnlyIn(run) | Self::NoScore(run) => Some(run),
            Self::OtherContent | Self::Contradicting => None,
        }
    }
}

/// Samples of one dataset at one grid point, by one metric.
#[derive(Debug)]
pub struct SampleGroup<'a> {
    pub dataset: Option<&'a str>,
    pub dims: Dims,
    /// The metric by which they changed sides; `None` where no arm has one.
    pub spec: Option<MetricSpec>,
    /// Whether every score is right or wrong.
    pub is_binary: bool,
    /// Further metrics of the samples that say how good an answer is.
    pub further: Vec<String>,
}

#[derive(Debug)]
pub struct ShownSample<'a> {
    /// Its place among the groups.
    pub group: usize,
    pub id: &'a str,
    pub transition: Transition,
    pub unpaired: Option<UnpairedBecause>,
    /// What each run has, the baseline first.
    pub answers: Vec<Option<ShownAnswer<'a>>>,
}

impl<'a> ShownSample<'a> {
    /// The same before its texts are read.
    fn without_texts(&self) -> Self {
        let answer =
            |answer: &ShownAnswer<'a>| ShownAnswer { texts: None, images: Vec::new(), ..*answer };
        let answers = self.answers.iter().map(|one| one.as_ref().map(answer)).collect();
        Self { answers, ..*self }
    }
}

#[derive(Debug)]
pub struct ShownAnswer<'a> {
    pub table: &'a SampleTable,
    pub row: usize,
    pub score: Option<f64>,
    pub is_right: Option<bool>,
    /// `None` until it was read again, and where it was not found.
    pub texts: Option<Box<SampleTexts>>,
    /// Images that the record names, where these are asked for.
    pub images: Vec<NamedImage>,
}

/// Which changes are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    Worse,
    Better,
    /// Either.
    Any,
    /// Samples that did not change.
    Unchanged,
}

impl Asked {
    fn holds(self, transition: Transition) -> bool {
        use Transition as T;
        match self {
            Self::Worse => transition == T::Worse,
            Self::Better => transition == T::Better,
            Self::Any => matches!(transition, T::Worse | T::Better | T::Changed),
            Self::Unchanged => matches!(transition, T::BothWrong | T::BothRight | T::Unchanged),
        }
    }
}

/// What is shown of all samples.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Canonical name of the metric; the one that decides in each dataset where there is none.
    pub metric: Option<String>,
    pub dataset: Option<String>,
    pub changed: Option<Asked>,
    /// Fields of the records and the values that they must have.
    pub conditions: Vec<(String, String)>,
    /// Fields, or meanings of fields, of which no text is shown.
    pub redacted: Vec<String>,
    pub limit: usize,
    /// Bytes of images that are read, as a page holds them; `None` where none are asked for.
    pub image_bytes: Option<usize>,
}

/// A name in the selection that no run knows, and those that there are.
#[derive(Debug)]
pub enum UnknownName {
    Metric(String, BTreeSet<String>),
    Dataset(String, BTreeSet<String>),
    /// A field whose texts are to be left out.
    Field(String, BTreeSet<String>),
}

/// What a text is of a sample, as its field can be called whatever its name.
pub const MEANINGS: [&str; 4] = ["prompt", "target", "answer", "ending"];

#[derive(Debug)]
pub struct Browsed<'a> {
    pub runs: Vec<String>,
    pub groups: Vec<SampleGroup<'a>>,
    /// How many samples of each transition there are, those of right or wrong apart from scores.
    pub counts: BTreeMap<(Transition, bool), usize>,
    pub unpaired: BTreeMap<UnpairedBecause, usize>,
    /// The first of those asked for, with their texts.
    pub shown: Vec<ShownSample<'a>>,
    /// How many were asked for.
    pub asked: usize,
    /// What three runs or more agree about.
    pub agreement: Option<Agreement<'a>>,
    pub findings: Vec<Diagnostic>,
}

impl Browsed<'_> {
    /// Samples with a score in the baseline and a candidate.
    pub fn paired(&self) -> usize {
        let paired = self.counts.iter().filter(|((one, _), _)| *one != Transition::Unpaired);
        paired.map(|(_, count)| count).sum()
    }
}

/// Finds the samples, picks those that are asked for and reads their texts.
///
/// # Errors
/// When no run has the metric or the dataset that is named.
pub fn browse<'a>(
    arms: &PairedArms<'a>,
    selection: &Selection,
    options: &ReadOptions,
) -> Result<Browsed<'a>, UnknownName> {
    known_names(arms, selection)?;
    let (groups, mut samples) = pairs::samples(arms, selection);
    let mut findings = Vec::new();
    if !selection.conditions.is_empty() {
        samples = meeting(samples, selection, options, &mut findings);
    }
    let (mut counts, mut unpaired) = (BTreeMap::new(), BTreeMap::new());
    for sample in &samples {
        let is_binary = groups.get(sample.group).is_some_and(|group| group.is_binary);
        *counts.entry((sample.transition, is_binary)).or_default() += 1;
        if let Some(because) = sample.unpaired {
            *unpaired.entry(because).or_default() += 1;
        }
    }
    let names = arms.pairs.iter().map(|pair| name(pair, PairArm::Candidate));
    let first = arms.pairs.first().map(|pair| name(pair, PairArm::Baseline));
    let runs: Vec<String> = first.into_iter().chain(names).collect();
    let agreement =
        (runs.len() > 2).then(|| agreement::agreement(&samples, options, &mut findings));
    let is_asked = |sample: &ShownSample<'_>| {
        selection.changed.is_none_or(|asked| asked.holds(sample.transition))
    };
    samples.retain(is_asked);
    let asked = samples.len();
    samples.sort_by(|a, b| {
        let order = |sample: &ShownSample<'_>| (sample.transition, disagreement_first(sample));
        order(a).cmp(&order(b)).then(largest_change(b).total_cmp(&largest_change(a)))
    });
    samples.truncate(selection.limit);
    if let Some(room) = selection.image_bytes {
        read_texts(&mut samples, options, &mut findings, images::texts_and_images);
        images::read_images(&mut samples, arms, (options, room), &selection.redacted);
    } else {
        read_texts(&mut samples, options, &mut findings, SampleTexts::of);
    }
    known_fields(arms, &samples, &selection.redacted)?;
    findings.dedup();
    Ok(Browsed { runs, groups, counts, unpaired, shown: samples, asked, agreement, findings })
}

/// An arm, with the run of it that is shown where it has several.
fn name(pair: &ArmPair<'_>, which: PairArm) -> String {
    let arm = pair.name(which);
    let run = if which == PairArm::Baseline { pair.baseline } else { pair.candidate };
    if pair.is_repeated() && run.id != arm { format!("{arm} ({})", run.id) } else { arm.to_owned() }
}

/// Samples that more runs get wrong come first; others stay in their order.
fn disagreement_first(sample: &ShownSample<'_>) -> std::cmp::Reverse<usize> {
    let wrong = sample.answers.iter().flatten().filter(|answer| answer.is_right == Some(false));
    std::cmp::Reverse(if sample.transition == Transition::Worse { wrong.count() } else { 0 })
}

/// How far a candidate's score lies from that of the baseline, at most.
fn largest_change(sample: &ShownSample<'_>) -> f64 {
    let mut scores = sample.answers.iter().map(|answer| answer.as_ref()?.score);
    let own = scores.next().flatten();
    let changes =
        scores.flatten().zip(own.into_iter().cycle()).map(|(score, own)| (score - own).abs());
    changes.fold(0.0, f64::max)
}

fn known_names(arms: &PairedArms<'_>, selection: &Selection) -> Result<(), UnknownName> {
    let pairs = || arms.pairs.iter();
    if let Some(metric) = &selection.metric {
        let cells = pairs().flat_map(|pair| &pair.cells);
        let of_samples = cells.filter(|cell| pairs::has_samples(cell));
        let known: BTreeSet<String> = of_samples.map(|cell| cell.key.metric.clone()).collect();
        if !known.contains(metric) {
            return Err(UnknownName::Metric(metric.clone(), known));
        }
    }
    if let Some(dataset) = &selection.dataset {
        let runs = pairs().flat_map(|pair| [pair.baseline, pair.candidate]);
        let tables = runs.flat_map(|run| &run.content.samples);
        let known: BTreeSet<String> = tables.filter_map(|table| table.dataset.clone()).collect();
        if !known.iter().any(|known| known.eq_ignore_ascii_case(dataset)) {
            return Err(UnknownName::Dataset(dataset.clone(), known));
        }
    }
    Ok(())
}

/// A field that is spelled otherwise would be shown.
fn known_fields(
    arms: &PairedArms<'_>,
    samples: &[ShownSample<'_>],
    redacted: &[String],
) -> Result<(), UnknownName> {
    let texts = samples.iter().flat_map(|sample| sample.answers.iter().flatten());
    let texts = texts.filter_map(|answer| answer.texts.as_ref());
    let shown = texts.flat_map(|texts| texts.fields()).map(str::to_owned);
    let runs = arms.pairs.iter().flat_map(|pair| [pair.baseline, pair.candidate]);
    let of_records = runs.flat_map(|run| &run.content.sample_fields).cloned();
    let meanings = MEANINGS.iter().map(|&meaning| meaning.to_owned());
    let known: BTreeSet<String> = meanings.chain(of_records).chain(shown).collect();
    match redacted.iter().find(|name| !known.contains(*name)) {
        Some(unknown) => Err(UnknownName::Field(unknown.clone(), known)),
        None => Ok(()),
    }
}

/// The samples of which a record of some run meets every condition.
fn meeting<'a>(
    samples: Vec<ShownSample<'a>>,
    selection: &Selection,
    options: &ReadOptions,
    findings: &mut Vec<Diagnostic>,
) -> Vec<ShownSample<'a>> {
    let (owners, places) = places(samples.iter());
    let holds = collect::read_again(&places, options, |record| {
        let mut conditions = selection.conditions.iter();
        conditions.all(|(field, value)| collect::has_value(record, field, value))
    });
    let holds = holds.drain_into(findings);
    let meeting: BTreeSet<usize> = owners
        .into_iter()
        .zip(holds)
        .filter(|(_, holds)| *holds == Some(true))
        .map(|((sample, _), _)| sample)
        .collect();
    let kept = samples.into_iter().enumerate().filter(|(at, _)| meeting.contains(at));
    kept.map(|(_, sample)| sample).collect()
}

fn read_texts(
    samples: &mut [ShownSample<'_>],
    options: &ReadOptions,
    findings: &mut Vec<Diagnostic>,
    take: impl Fn(&str) -> SampleTexts + Sync,
) {
    let (owners, places) = places(samples.iter());
    let texts = collect::read_again(&places, options, take).drain_into(findings);
    drop(places);
    for ((sample, run), texts) in owners.into_iter().zip(texts) {
        if let Some(Some(answer)) = samples[sample].answers.get_mut(run) {
            answer.texts = texts.map(Box::new);
        }
    }
}

/// Where the records of samples stand, and whose they are: the place of the sample and the run.
fn places<'s, 'a: 's>(
    samples: impl Iterator<Item = &'s ShownSample<'a>>,
) -> (Vec<(usize, usize)>, Vec<RecordPlace<'a>>) {
    let answers = samples.enumerate().flat_map(|(sample, shown)| {
        let answers = shown.answers.iter().enumerate();
        let answers =
            answers.filter_map(move |(run, answer)| Some(((sample, run), answer.as_ref()?)));
        answers.filter(|(_, answer)| !answer.table.is_saved())
    });
    let place = |(owner, answer): (_, &ShownAnswer<'a>)| {
        let &ShownAnswer { table, row, .. } = answer;
        let place = RecordPlace {
            source: table.source(row, ""),
            id: table.id(row),
            response: table.response(row),
        };
        (owner, place)
    };
    answers.map(place).unzip()
}
