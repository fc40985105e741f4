//! What a label says: a heading, the head of a column, the cell that names a row.
//!
//! A label is looked through for names that the runs have (arms, settings, metrics, datasets,
//! coordinates) and for the words of `words.toml`. What is left over is known too: a label that was
//! not understood whole must not decide where a figure goes.

use std::collections::BTreeMap;
use std::ops::Range;

use super::facts::Facts;
use super::readings::{About, Facet, Reading, Statistic};
use crate::model::{ConfigValue, DimValue, MetricNames, leaf};

const WORDS: &str = include_str!("words.toml");
/// Coordinates that a column may name without being one of the runs: sizes are noted in many tables.
const SIZES: &str = "samples";
/// What stands between two values of a list.
const LIST_SIGNS: &[char] = &[',', '、', '/', '~', '-', '–', '+', '&'];
const LIST_WORDS: &[&str] = &["vs", "and", "to", "or", "与", "和", "及", "至", "到", "或", "对比"];

#[derive(Debug, Clone)]
enum Meaning {
    Arm(usize),
    Setting(String),
    Metric(String),
    Dataset(String),
    Axis(String),
    About(About),
    Statistic(Statistic),
    Plain,
}

/// Names and words that labels are looked through for, the longest first.
pub(super) struct Labels<'f> {
    phrases: Vec<(Vec<char>, Meaning)>,
    facts: &'f Facts,
    names: &'f MetricNames,
}

impl<'f> Labels<'f> {
    pub(super) fn new(facts: &'f Facts, names: &'f MetricNames) -> Result<Self, toml::de::Error> {
        let words: BTreeMap<String, BTreeMap<String, Vec<String>>> = toml::from_str(WORDS)?;
        let mut phrases: Vec<(Vec<char>, Meaning)> = Vec::new();
        let mut add = |name: &str, meaning: Meaning| phrases.push((folded(name), meaning));
        for (position, arm) in facts.arms.iter().enumerate() {
            add(&arm.name, Meaning::Arm(position));
        }
        facts.metrics().iter().for_each(|name| add(name, Meaning::Metric((*name).to_owned())));
        facts.datasets().iter().for_each(|name| add(name, Meaning::Dataset((*name).to_owned())));
        let axes = facts.axes();
        for axis in &axes {
            add(axis, Meaning::Axis((*axis).to_owned()));
        }
        facts.settings().for_each(|key| add(leaf(key), Meaning::Setting(key.to_owned())));
        for (group, meanings) in &words {
            for (name, spellings) in meanings {
                let is_unknown_size = name == SIZES && !axes.contains(SIZES);
                let Some(meaning) = meaning(group, name).filter(|_| !is_unknown_size) else {
                    continue;
                };
                for spelling in spellings {
                    add(spelling, meaning.clone());
                }
            }
        }
        phrases.retain(|(phrase, _)| !phrase.is_empty());
        phrases.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
        Ok(Self { phrases, facts, names })
    }

    pub(super) fn read(&self, label: &str) -> Reading {
        let text = folded(label);
        let mut free = vec![true; text.len()];
        let mut reading = Reading::default();
        for (phrase, meaning) in &self.phrases {
            for start in 0..=text.len().saturating_sub(phrase.len()) {
                let range = start..start + phrase.len();
                let is_here = text.get(range.clone()) == Some(phrase)
                    && free.get(range.clone()).is_some_and(|free| free.iter().all(|free| *free))
                    && stands_alone(&text, &range, matches!(meaning, Meaning::Axis(_)));
                if is_here {
                    let used = self.take(meaning, &text, range, &mut reading);
                    free.iter_mut().take(used.end).skip(used.start).for_each(|free| *free = false);
                }
            }
        }
        let left = text.iter().zip(&free).filter(|(c, free)| **free && c.is_alphanumeric());
        reading.rest = left.map(|(c, _)| *c).collect();
        if !reading.rest.is_empty() {
            self.read_whole(label, &mut reading);
        }
        reading.settle();
        reading
    }

    /// What the value of a setting says: the arm that has it, or that none of those given has.
    pub(super) fn read_setting(&self, key: &str, value: &str) -> Option<Reading> {
        match self.arm_with(key, value)? {
            Facet::OtherArm if !is_number(value) => None,
            facet => Some(Reading { facets: vec![facet], ..Reading::default() }),
        }
    }

    /// The name that the runs have for a metric.
    pub(super) fn metric(&self, name: &str) -> String {
        self.names.canonical(name).to_owned()
    }

    /// The name that the runs have for a coordinate.
    pub(super) fn axis(&self, name: &str) -> String {
        self.read(name).axis.unwrap_or_else(|| name.to_owned())
    }

    /// Notes what a phrase says, and tells which part of the text says it.
    fn take(
        &self,
        meaning: &Meaning,
        text: &[char],
        range: Range<usize>,
        reading: &mut Reading,
    ) -> Range<usize> {
        match meaning {
            Meaning::Arm(arm) => reading.add(Facet::Arm(*arm)),
            Meaning::Metric(name) => reading.add(Facet::Metric(name.clone())),
            Meaning::Dataset(name) => reading.add(Facet::Dataset(name.clone())),
            Meaning::About(about) => reading.about = reading.about.or(Some(*about)),
            Meaning::Statistic(statistic) => {
                reading.statistic = reading.statistic.or(Some(*statistic));
            }
            Meaning::Plain => {}
            Meaning::Axis(axis) => return take_coordinate(axis, text, range, reading),
            Meaning::Setting(key) => {
                let value = value_after(text, range.end);
                let Some(value) = value else {
                    reading.setting = Some(key.clone());
                    return range;
                };
                let end = list_end(text, value.end);
                reading.several |= end > value.end;
                if end == value.end
                    && let Some(facet) = self.arm_with(key, &string(text, value))
                {
                    reading.add(facet);
                }
                return range.start..end;
            }
        }
        range
    }

    /// The arm that alone has this value of a setting; nothing where several have it.
    fn arm_with(&self, key: &str, value: &str) -> Option<Facet> {
        let value = config_value(value);
        let having = self.facts.arms.iter().enumerate().filter(|(_, arm)| {
            arm.settings.iter().any(|(own, set)| own == key && set.same_as(&value))
        });
        match having.map(|(position, _)| position).collect::<Vec<_>>().as_slice() {
            [] => Some(Facet::OtherArm),
            [arm] => Some(Facet::Arm(*arm)),
            _ => None,
        }
    }

    /// A label that is as a whole another name of a metric, or a setting of one arm alone.
    fn read_whole(&self, label: &str, reading: &mut Reading) {
        let plain = label.trim_matches(|c: char| !c.is_alphanumeric());
        let joined = plain.to_lowercase().replace([' ', '-'], "_");
        let metrics = self.facts.metrics();
        let names = [plain, &joined].map(|name| self.names.canonical(name));
        if let Some(metric) = names.into_iter().find(|name| metrics.contains(name)) {
            reading.add(Facet::Metric(metric.to_owned()));
            reading.rest.clear();
            return;
        }
        let value = folded(plain);
        let has = |(key, set): &(String, ConfigValue)| {
            self.facts.tells_arms_apart(key) && folded(&set.to_string()) == value
        };
        let arms = self.facts.arms.iter().enumerate();
        let having: Vec<usize> =
            arms.filter(|(_, arm)| arm.settings.iter().any(has)).map(|(at, _)| at).collect();
        if let [arm] = having.as_slice() {
            reading.add(Facet::Arm(*arm));
            reading.rest.clear();
        }
    }
}

fn meaning(group: &str, name: &str) -> Option<Meaning> {
    let about = |about| Some(Meaning::About(about));
    let statistic = |statistic| Some(Meaning::Statistic(statistic));
    match (group, name) {
        ("axis", axis) => Some(Meaning::Axis(axis.to_owned())),
        ("plain", _) => Some(Meaning::Plain),
        ("column", "difference") => about(About::Difference),
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

/// Letters small, wide signs narrow, and one space for what joins words. As many characters as before.
fn folded(text: &str) -> Vec<char> {
    let chars: Vec<char> = text.trim().chars().collect();
    let digit =
        |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(char::is_ascii_digit);
    let fold = |(at, &c): (usize, &char)| match c {
        '_' | '\u{a0}' | '\u{3000}' => ' ',
        '-' if !(digit(at.checked_sub(1)) && digit(Some(at + 1))) => ' ',
        '！'..='～' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c).to_ascii_lowercase(),
        _ => c.to_lowercase().next().unwrap_or(c),
    };
    chars.iter().enumerate().map(fold).collect()
}

fn string(text: &[char], range: Range<usize>) -> String {
    text.get(range).unwrap_or_default().iter().collect()
}

/// Whether a phrase is not a part of a longer word or number; a coordinate may touch its value.
fn stands_alone(text: &[char], range: &Range<usize>, may_touch_digits: bool) -> bool {
    let at = |at: Option<usize>| at.and_then(|at| text.get(at)).copied().unwrap_or(' ');
    let [before, first] = [at(range.start.checked_sub(1)), at(Some(range.start))];
    let [last, after] = [at(range.end.checked_sub(1)), at(Some(range.end))];
    let is_decimal = after == '.' && at(Some(range.end + 1)).is_ascii_digit();
    let joins = |a: char, b: char| {
        let touch = a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric();
        touch && !(may_touch_digits && (a.is_ascii_digit() != b.is_ascii_digit()))
    };
    let in_number =
        (first.is_ascii_digit() && before == '.') || (last.is_ascii_digit() && is_decimal);
    !joins(before, first) && !joins(last, after) && !in_number
}

/// The digits of a number that begins there.
fn number_at(text: &[char], start: usize) -> Option<Range<usize>> {
    let digits = |from: usize| {
        let after = text.get(from..).unwrap_or_default();
        from + after.iter().take_while(|c| c.is_ascii_digit()).count()
    };
    let end = digits(start);
    if end == start {
        return None;
    }
    let is_decimal = text.get(end) == Some(&'.') && digits(end + 1) > end + 1;
    Some(start..if is_decimal { digits(end + 1) } else { end })
}

fn skip(text: &[char], start: usize, signs: &[char]) -> usize {
    let after = text.get(start..).unwrap_or_default();
    start + after.iter().take_while(|c| signs.contains(c)).count()
}

/// The value behind the name of a setting: behind a sign anything, else a number.
fn value_after(text: &[char], start: usize) -> Option<Range<usize>> {
    let spaced = skip(text, start, &[' ']);
    let begin = skip(text, spaced, &['=', ':', ' ']);
    let has_sign = text.get(spaced..begin).is_some_and(|signs| signs.iter().any(|c| *c != ' '));
    if !has_sign {
        return number_at(text, begin);
    }
    let ends = |c: &char| c.is_whitespace() || ",;()|、。".contains(*c);
    let after = text.get(begin..).unwrap_or_default();
    let length = after.iter().take_while(|c| !ends(c)).count();
    (length > 0).then(|| begin..begin + length)
}

/// Where the list ends that this value is the first of; its own end where it stands alone.
fn list_end(text: &[char], value_end: usize) -> usize {
    let start = skip(text, value_end, &[' ']);
    let words = LIST_WORDS.iter().map(|word| word.chars().collect::<Vec<char>>());
    let mut words = words.filter(|word| text.get(start..).is_some_and(|t| t.starts_with(word)));
    let sign = text.get(start).is_some_and(|c| LIST_SIGNS.contains(c)).then_some(1);
    let Some(length) = sign.or_else(|| words.next().map(|word| word.len())) else {
        return value_end;
    };
    match number_at(text, skip(text, start + length, &[' '])) {
        Some(next) => list_end(text, next.end),
        None => value_end,
    }
}

/// A coordinate with the number behind or before it.
fn take_coordinate(
    axis: &str,
    text: &[char],
    range: Range<usize>,
    reading: &mut Reading,
) -> Range<usize> {
    let behind = number_at(text, skip(text, range.end, &[' ', '=', ':', '#']));
    let (value, whole) = if let Some(value) = behind {
        let end = list_end(text, value.end);
        reading.several |= end > value.end;
        ((end == value.end).then_some(value), range.start..end)
    } else if let Some(value) = number_before(text, range.start) {
        (Some(value.clone()), value.start..range.end)
    } else {
        reading.several |= reading.axis.as_deref().is_some_and(|other| other != axis);
        reading.axis = Some(axis.to_owned());
        return range;
    };
    if let Some(value) = value {
        reading.add(Facet::At(axis.to_owned(), DimValue::parse(&string(text, value))));
    }
    whole
}

/// The whole number that ends there, a space between.
fn number_before(text: &[char], end: usize) -> Option<Range<usize>> {
    let before = text.get(..end)?;
    let spaces = before.iter().rev().take_while(|c| **c == ' ').count();
    let end = end - spaces;
    let digits = text.get(..end)?.iter().rev().take_while(|c| c.is_ascii_digit()).count();
    let start = end - digits;
    let part = start.checked_sub(1).and_then(|at| text.get(at));
    let is_part = part.is_some_and(|c| c.is_ascii_alphanumeric() || ".,/=".contains(*c));
    (digits > 0 && !is_part).then_some(start..end)
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

fn config_value(text: &str) -> ConfigValue {
    match text.parse() {
        Ok(number) => ConfigValue::Number(number, text.to_owned()),
        Err(_) => ConfigValue::Text(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::facts::{ArmFacts, Point, RunFigure};
    use super::*;
    use crate::model::{Dims, Measured};
    use crate::quantity::Unit;

    fn facts() -> Facts {
        let arm = |name: &str, beta: f64| ArmFacts {
            name: name.to_owned(),
            settings: vec![
                ("algorithm.kl_beta".to_owned(), ConfigValue::Number(beta, beta.to_string())),
                ("model".to_owned(), ConfigValue::Text("qwen".to_owned())),
            ],
        };
        let dims = Dims::none()
            .with("epoch", DimValue::Number(1.0))
            .with("samples", DimValue::Number(200.0))
            .with("shot", DimValue::Number(1.0));
        let point =
            Point { metric: "accuracy".to_owned(), dataset: Some("gsm8k".to_owned()), dims };
        let figures = vec![RunFigure {
            arm: 0,
            point,
            value: Measured::Value(0.5),
            unit: Unit::Fraction,
            good_side: 1.0,
            source: String::new(),
        }];
        let arms = vec![arm("kl-0.15", 0.15), arm("tuned", 0.12)];
        Facts { arms, figures, differences: Vec::new() }
    }

    fn at(axis: &str, value: f64) -> Facet {
        Facet::At(axis.to_owned(), DimValue::Number(value))
    }

    /// What a label says; `!` stands for words that are not understood.
    #[track_caller]
    fn check(label: &str, expected: &[Facet], rest: &str) {
        let (facts, names) = (facts(), MetricNames::default());
        let labels = Labels::new(&facts, &names).expect("the words can be read");
        let reading = labels.read(label);
        let mut facets = reading.facets.clone();
        let order = |facet: &Facet| expected.iter().position(|known| known == facet);
        facets.sort_by_key(order);
        assert_eq!((facets.as_slice(), reading.rest.as_str()), (expected, rest), "{label}");
    }

    #[test]
    fn runs_are_known_by_name_and_by_the_settings_that_tell_them_apart() {
        check("kl-0.15", &[Facet::Arm(0)], "");
        check("KL_0.15 results", &[Facet::Arm(0)], "");
        check("Tuned", &[Facet::Arm(1)], "");
        check("KL_BETA=0.12 推理结果", &[Facet::Arm(1)], "");
        check("kl beta: 0.150", &[Facet::Arm(0)], "");
        check("KL_BETA＝0.12", &[Facet::Arm(1)], "");
        check("KL_BETA=0.18", &[Facet::OtherArm], "");
        check("kl-0.155", &[], "kl0155");
        check("fine-tuned2", &[], "finetuned2");
    }

    #[test]
    fn several_values_of_one_thing_say_nothing() {
        check("KL_BETA=0.12 vs 0.15", &[], "");
        check("epoch 1, 2 and 3", &[], "");
        check("Epoch 1-3", &[], "");
        check("Shot 1 / Shot 2", &[], "");
    }

    #[test]
    fn coordinates_stand_before_or_behind_their_number() {
        check("Shot 1", &[at("shot", 1.0)], "");
        check("1-shot", &[at("shot", 1.0)], "");
        check("epoch_2", &[at("epoch", 2.0)], "");
        check("n=200", &[at("samples", 200.0)], "");
        check("样本数 200，shot1", &[at("samples", 200.0), at("shot", 1.0)], "");
        check("Step 500 accuracy", &[at("step", 500.0), Facet::Metric("accuracy".to_owned())], "");
        check("snapshot 1", &[], "snapshot1");
    }

    #[test]
    fn metrics_go_by_all_their_names_and_what_is_left_over_is_told() {
        let accuracy = Facet::Metric("accuracy".to_owned());
        let gsm8k = Facet::Dataset("gsm8k".to_owned());
        check("Accuracy (%)", std::slice::from_ref(&accuracy), "");
        check("准确率", std::slice::from_ref(&accuracy), "");
        check("GSM8K accuracy ↑", &[gsm8k.clone(), accuracy.clone()], "");
        check("gsm8k latency", &[gsm8k], "latency");
        check("accuracy of llama", &[accuracy], "llama");
    }
}
