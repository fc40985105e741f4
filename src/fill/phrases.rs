//! The names and words that labels are looked through for.

use std::collections::BTreeMap;

use super::called::Called;
use super::facts::Facts;
use super::readings::{About, Beside, Facet, Spread, Statistic, Subject};
use super::scan::folded;
use crate::model::{MetricNames, leaf};

const WORDS: &str = include_str!("words.toml");
/// Coordinates that a column may name without being one of the runs: sizes are noted in many tables.
pub(super) const SIZES: &str = "samples";

#[derive(Debug, Clone)]
pub(super) enum Meaning {
    Arm(usize),
    Setting(String),
    Metric(String),
    Dataset(String),
    Axis(String),
    About(About),
    Statistic(Statistic),
    Plain,
    /// A unit that differences alone have.
    Points,
    /// What the user says that it says.
    Says(Facet),
    /// A word that adds nothing to a heading, but may do so to a name.
    Around,
    /// A figure that is none of the runs'.
    Other,
    /// A part of the data or of a training that the runs' figures may not be of; in prose it says nothing.
    Part,
    /// More is better (1), or less (−1).
    Side(i8),
    /// What a run is in the comparison; in headings it adds nothing.
    Role(usize),
    /// The same, where nothing else stands in the label.
    RoleAlone(usize),
    /// The head of a column beside the figures.
    Beside(Beside),
    /// What stands behind `±` in its cells.
    Spread(Spread),
}

/// The share of samples that are right, by the name that it mostly has, and by that of the records.
const ACCURACY: &str = "accuracy";
const CORRECT: &str = "correct";

/// What stands before the name of a spread where cells have one.
const SPREAD_SIGNS: &[&str] = &["±", "± ", "+/- ", "mean ± ", "mean±", "均值 ± ", "均值±"];

/// What the first run and the second are called of two.
const ROLES: &[(&str, usize)] = &[("candidate", 1), ("候选", 1)];

/// What they are called alone: beside another name these words say something of it.
const ROLES_ALONE: &[(&str, usize)] = &[
    ("before", 0),
    ("after", 1),
    ("old", 0),
    ("new", 1),
    ("ours", 1),
    ("改进前", 0),
    ("改进后", 1),
    ("本文方法", 1),
    ("我们的方法", 1),
];

/// What the first of any number is called.
const FIRST: &[&str] = &["baseline", "基线"];

/// A name or a word, letters folded, and what it means.
pub(super) type Phrase = (Vec<char>, Meaning);

/// All of them, the longest first; those of the user beat all others.
///
/// # Errors
/// When the shipped words cannot be read, which a test rules out.
pub(super) fn phrases(
    facts: &Facts,
    names: &MetricNames,
    called: &[Called],
) -> Result<Vec<Phrase>, toml::de::Error> {
    let own = called.iter().map(|called| {
        let facet = called.facet(facts, names);
        (folded(&called.words), facet.map_or(Meaning::Plain, Meaning::Says))
    });
    let own: Vec<Phrase> = own.collect();
    let words: BTreeMap<String, BTreeMap<String, Vec<String>>> = toml::from_str(WORDS)?;
    let mut phrases: Vec<Phrase> = Vec::new();
    let mut add = |name: &str, meaning: Meaning| phrases.push((folded(name), meaning));
    for (position, arm) in facts.arms.iter().enumerate() {
        add(&arm.name, Meaning::Arm(position));
        if let Some(stem) = facts.stem(position) {
            add(stem, Meaning::Arm(position));
        }
    }
    if facts.arms.len() > 1 {
        for role in FIRST {
            add(role, Meaning::Role(0));
        }
    }
    if facts.arms.len() == 2 {
        for (role, position) in ROLES {
            add(role, Meaning::Role(*position));
        }
        for (role, position) in ROLES_ALONE {
            add(role, Meaning::RoleAlone(*position));
        }
    }
    facts.models_of_all().iter().for_each(|model| add(model, Meaning::Around));
    let metrics = facts.metrics();
    for name in &metrics {
        let meaning = Meaning::Metric((*name).to_owned());
        let same = names.same_share(name).filter(|same| !metrics.contains(same));
        let is_same = |spelling: &&str| {
            let canonical = names.canonical(spelling);
            canonical == *name || same == Some(canonical)
        };
        MetricNames::shipped_names().filter(is_same).for_each(|name| add(name, meaning.clone()));
        for spelling in spellings(name) {
            add(&spelling, meaning.clone());
        }
        add(name, meaning);
    }
    facts.datasets().iter().for_each(|name| add(name, Meaning::Dataset((*name).to_owned())));
    let axes = facts.axes();
    for axis in &axes {
        add(axis, Meaning::Axis((*axis).to_owned()));
    }
    facts.settings().for_each(|key| add(leaf(key), Meaning::Setting(key.to_owned())));
    add_words(&words, facts, &mut add);
    phrases.retain(|(phrase, _)| !phrase.is_empty());
    phrases.retain(|(phrase, _)| !own.iter().any(|(called, _)| called == phrase));
    phrases.extend(own);
    phrases.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
    Ok(phrases)
}

/// Other ways to write the name of a metric: `test accuracy`, `latency (ms)`, `tokens/s`.
fn spellings(name: &str) -> Vec<String> {
    const UNITS: &[&str] = &["ms", "s", "sec", "gb", "mb", "kb"];
    let unit = name.rsplit_once('_').filter(|(_, unit)| UNITS.contains(unit));
    let in_brackets = unit.map(|(stem, unit)| format!("{stem} ({unit})"));
    let per_second = name.strip_suffix("_per_second").or_else(|| name.strip_suffix("_per_sec"));
    let per_second = per_second.map(|stem| format!("{stem}/s"));
    let apart = name.contains('/').then(|| name.replace('/', " "));
    in_brackets.into_iter().chain(per_second).chain(apart).collect()
}

/// The words of `words.toml`, as far as they mean anything of these runs.
fn add_words(
    words: &BTreeMap<String, BTreeMap<String, Vec<String>>>,
    facts: &Facts,
    add: &mut impl FnMut(&str, Meaning),
) {
    let (metrics, axes) = (facts.metrics(), facts.axes());
    for (group, meanings) in words {
        for (name, spellings) in meanings {
            let is_unknown_size = group == "axis" && name == SIZES && !axes.contains(SIZES);
            let meaning = match group.as_str() {
                "family" if metrics.contains(name.as_str()) => None,
                "family" => {
                    let is_share = |metric: &&str| name == ACCURACY && *metric == CORRECT;
                    let share = metrics.iter().copied().find(is_share);
                    let metric = facts.only_metric_like(name).or(share);
                    metric.map(|metric| Meaning::Metric(metric.to_owned()))
                }
                _ => meaning(group, name).filter(|_| !is_unknown_size),
            };
            let Some(meaning) = meaning else { continue };
            for spelling in spellings {
                if let Meaning::Spread(_) = meaning {
                    for before in SPREAD_SIGNS {
                        add(&format!("{before}{spelling}"), meaning.clone());
                    }
                } else {
                    add(spelling, meaning.clone());
                }
            }
        }
    }
}

impl Meaning {
    /// What a longer name would be of, that contains this one.
    pub(super) fn subject(&self) -> Option<Subject> {
        match self {
            Self::Arm(_) => Some(Subject::Run),
            Self::Metric(_) => Some(Subject::Metric),
            Self::Dataset(_) => Some(Subject::Dataset),
            _ => None,
        }
    }
}

fn meaning(group: &str, name: &str) -> Option<Meaning> {
    let about = |about| Some(Meaning::About(about));
    let statistic = |statistic| Some(Meaning::Statistic(statistic));
    match (group, name) {
        ("axis", axis) => Some(Meaning::Axis(axis.to_owned())),
        ("points", _) => Some(Meaning::Points),
        ("plain", _) => Some(Meaning::Plain),
        ("around", _) => Some(Meaning::Around),
        ("side", "more") => Some(Meaning::Side(1)),
        ("side", _) => Some(Meaning::Side(-1)),
        ("other", _) => Some(Meaning::Other),
        ("part" | "benchmark", _) => Some(Meaning::Part),
        ("spread", "stderr") => Some(Meaning::Spread(Spread::StandardError)),
        ("spread", _) => Some(Meaning::Spread(Spread::HalfInterval)),
        ("beside", "samples") => Some(Meaning::Beside(Beside::Samples)),
        ("beside", "right") => Some(Meaning::Beside(Beside::Right)),
        ("beside", "remark") => Some(Meaning::Beside(Beside::Remark)),
        ("beside", _) => Some(Meaning::Beside(Beside::Label)),
        ("column", "difference") => about(About::Difference),
        ("column", "gain") => about(About::Gain),
        ("column", "average") => about(About::Average),
        ("column", "total") => about(About::Total),
        ("column", "verdict") => about(About::Verdict),
        ("column", "trend") => about(About::Trend),
        ("column", "run") => about(About::Run),
        ("column", "metric") => about(About::Metric),
        ("column", "dataset") => about(About::Dataset),
        ("statistic", "mean") => statistic(Statistic::Mean),
        ("statistic", "gain") => statistic(Statistic::Gain),
        ("statistic", "loss") => statistic(Statistic::Loss),
        ("statistic", "improved") => statistic(Statistic::Improved),
        ("statistic", "declined") => statistic(Statistic::Declined),
        ("statistic", "tied") => statistic(Statistic::Tied),
        _ => None,
    }
}
