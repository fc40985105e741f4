//! What a label says: a heading, the head of a column, the cell that names a row.
//!
//! A label is looked through for names that the runs have (arms, settings, metrics, datasets,
//! coordinates) and for the words of `words.toml`. What is left over is known too: a label that was
//! not understood whole must not decide where a figure goes.

use std::collections::BTreeSet;
use std::ops::Range;

use super::called::Called;
use super::coordinates::take_coordinate;
use super::facts::Facts;
use super::phrases::{Meaning, Phrase, SIZES, phrases};
use super::readings::{Beside, Facet, Foreign, Reading, Subject};
use super::scan::{
    config_value, folded, is_number, is_same, list_end, named_size, numbering, places, size_in,
    stands_alone, string, take_values, value_after, without_links,
};
use crate::model::{ConfigValue, DimValue, MetricNames, leaf};

/// Signs that make another name of the one they stand at, or are one themselves.
const TELLING_SIGNS: &str = "+±~¬≠−#′⁺‰×^|";

/// Words before a number of samples that are a part of all.
const PARTS: &[&str] = &["first", "only", "last", "前", "仅", "只有", "的"];

/// Names and words that labels are looked through for, the longest first.
pub(super) struct Labels<'f> {
    phrases: Vec<Phrase>,
    axes: BTreeSet<&'f str>,
    facts: &'f Facts,
    names: &'f MetricNames,
}

impl<'f> Labels<'f> {
    /// With the words of the user, which beat all others.
    pub(super) fn new(
        facts: &'f Facts,
        names: &'f MetricNames,
        called: &[Called],
    ) -> Result<Self, toml::de::Error> {
        let phrases = phrases(facts, names, called)?;
        Ok(Self { phrases, axes: facts.axes(), facts, names })
    }

    pub(super) fn read(&self, label: &str) -> Reading {
        self.read_as(label, false)
    }

    /// What a heading or a caption says: with words that add nothing there, and without its number.
    pub(super) fn read_around(&self, label: &str) -> Reading {
        self.read_as(label, true)
    }

    fn read_as(&self, label: &str, is_around: bool) -> Reading {
        let label = &without_links(label);
        let text = folded(label);
        let mut free = vec![true; text.len()];
        let mut reading = Reading::default();
        for (phrase, meaning) in &self.phrases {
            let is_elsewhere = match meaning {
                Meaning::Around | Meaning::Part => !is_around,
                Meaning::Role(_) => is_around,
                Meaning::RoleAlone(_) => is_around || phrase.len() != text.len(),
                Meaning::Beside(_) => true,
                _ => false,
            };
            if is_elsewhere {
                continue;
            }
            for start in 0..=text.len().saturating_sub(phrase.len()) {
                let range = start..start + phrase.len();
                let is_here = is_same(text.get(range.clone()), phrase)
                    && free.get(range.clone()).is_some_and(|free| free.iter().all(|free| *free));
                if is_here && is_near_miss(&text, &range, meaning) {
                    reading.facets.extend(meaning.subject().map(Facet::Open));
                } else if is_here
                    && stands_alone(&text, &range, matches!(meaning, Meaning::Axis(_)))
                {
                    let used = self.take(meaning, &text, range, &mut reading);
                    free.iter_mut().take(used.end).skip(used.start).for_each(|free| *free = false);
                }
            }
        }
        self.take_size(&text, &mut free, &mut reading);
        if is_around {
            free.iter_mut().take(numbering(&text)).for_each(|free| *free = false);
            if reading.setting.is_some() {
                take_values(&text, &mut free);
            }
        }
        let says_percent = |(c, free): (&char, &bool)| *free && *c == '%';
        if text.iter().zip(&free).any(says_percent) {
            reading.add(Facet::Percent);
        }
        let tells = |c: char| c.is_alphanumeric() || TELLING_SIGNS.contains(c);
        let left = text.iter().zip(&free).filter(|(c, free)| **free && tells(**c));
        reading.rest = left.map(|(c, _)| *c).collect();
        if !reading.rest.is_empty() {
            self.read_whole(label, &mut reading);
        }
        let other = self.other_metric(&text, &free);
        reading.foreign = reading.foreign.max(other.as_ref().map(|_| Foreign::Figure));
        if !reading.facets.iter().any(|facet| facet.subject() == Subject::Metric) {
            reading.facets.extend(other);
        }
        reading.facets.retain(|facet| !self.is_of_all(facet));
        reading.settle();
        reading
    }

    /// Notes how many samples a label names.
    fn take_size(&self, text: &[char], free: &mut [bool], reading: &mut Reading) {
        let found = size_in(text, free).filter(|_| !self.axes.contains(SIZES));
        let Some((range, samples)) = found else { return };
        free.iter_mut().take(range.end).skip(range.start).for_each(|free| *free = false);
        // A setting that is called so, and that all runs have alike, is no size.
        let setting = Facet::At("n".to_owned(), DimValue::Number(samples as f64));
        if !self.is_of_all(&setting) {
            reading.add(Facet::Samples(samples));
        }
    }

    /// The number of samples that a sentence names: `n = 200 for all models`, `the first 100 questions`.
    pub(super) fn size_said(&self, prose: &str) -> Option<Facet> {
        let text = folded(prose);
        let free = vec![true; text.len()];
        let is_part = |(range, _): &(Range<usize>, u64)| {
            let before = string(&text, 0..range.start);
            PARTS.iter().any(|word| before.trim_end().ends_with(word))
        };
        let found = named_size(&text, &free).or_else(|| size_in(&text, &free).filter(is_part));
        let (_, samples) = found.filter(|_| !self.axes.contains(SIZES))?;
        Some(Facet::Samples(samples))
    }

    /// Whether a text has a word for the number of right answers.
    pub(super) fn names_right(&self, text: &str) -> bool {
        let text = folded(text);
        let is_right = |meaning: &Meaning| matches!(meaning, Meaning::Beside(Beside::Right));
        let mut words = self.phrases.iter().filter(|(_, meaning)| is_right(meaning));
        words.any(|(phrase, _)| !places(&text, phrase).is_empty())
    }

    /// Whether a coordinate is a setting that all runs have alike, and so tells nothing.
    fn is_of_all(&self, facet: &Facet) -> bool {
        let Facet::At(axis, value) = facet else { return false };
        let has = |settings: &[(String, ConfigValue)]| {
            let is_it = |(key, set): &(String, ConfigValue)| {
                leaf(key) == axis && DimValue::parse(&set.to_string()) == *value
            };
            settings.iter().any(is_it)
        };
        !self.axes.contains(axis.as_str())
            && !self.facts.arms.is_empty()
            && self.facts.arms.iter().all(|arm| has(&arm.settings))
    }

    /// What a column of that head holds beside the figures, if it does.
    pub(super) fn beside(&self, head: &str) -> Option<Beside> {
        let head = folded(head);
        let is_it = |phrase: &[char]| phrase.len() == head.len() && is_same(Some(&head), phrase);
        let meant = self.phrases.iter().find_map(|(phrase, meaning)| match meaning {
            Meaning::Beside(beside) if is_it(phrase) => Some(*beside),
            _ => None,
        });
        meant.filter(|beside| *beside != Beside::Samples || !self.axes.contains(SIZES))
    }

    /// What the value of a setting says: the arm that has it, or that none of those given has.
    pub(super) fn read_setting(&self, key: &str, value: &str) -> Option<Reading> {
        match self.arm_with(key, value) {
            Some(Facet::OtherArm) if !is_number(value) => None,
            facet => Some(Reading { facets: facet.into_iter().collect(), ..Reading::default() }),
        }
    }

    /// The setting that a label is the name of, whether or not it tells the runs apart.
    pub(super) fn setting(&self, label: &str) -> Option<String> {
        let keys = self.facts.arms.iter().flat_map(|arm| &arm.settings).map(|(key, _)| key);
        let mut same = keys.filter(|key| is_same(Some(&folded(leaf(key))), &folded(label)));
        same.find(|key| folded(leaf(key)).len() == folded(label).len()).cloned()
    }

    /// The arms that a text names, in its order.
    pub(super) fn arms_in(&self, text: &[char]) -> Vec<(Range<usize>, usize)> {
        let mut found: Vec<(Range<usize>, usize)> = Vec::new();
        for (phrase, meaning) in &self.phrases {
            let Meaning::Arm(arm) = meaning else { continue };
            for range in places(text, phrase) {
                let is_free = |(own, _): &(Range<usize>, usize)| {
                    own.end <= range.start || range.end <= own.start
                };
                if found.iter().all(is_free) && !is_near_miss(text, &range, meaning) {
                    found.push((range, *arm));
                }
            }
        }
        found.sort_by_key(|(range, _)| range.start);
        found
    }

    /// Where the words for a difference end that a text has.
    pub(super) fn differences_in(&self, text: &[char]) -> Vec<usize> {
        let is_difference = |meaning: &Meaning| match meaning {
            Meaning::About(about) => about.is_difference(),
            _ => false,
        };
        let words = self.phrases.iter().filter(|(_, meaning)| is_difference(meaning));
        words.flat_map(|(phrase, _)| places(text, phrase)).map(|range| range.end).collect()
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
            Meaning::Arm(arm) => {
                reading.names_run = true;
                reading.add(Facet::Arm(*arm));
            }
            Meaning::Says(facet) => reading.add(facet.clone()),
            Meaning::Spread(spread) => reading.add(Facet::Spread(*spread)),
            Meaning::Metric(name) => reading.add(Facet::Metric(name.clone())),
            Meaning::Dataset(name) => reading.add(Facet::Dataset(name.clone())),
            Meaning::About(about) => reading.about = reading.about.or(Some(*about)),
            Meaning::Statistic(statistic) => {
                reading.statistic = reading.statistic.or(Some(*statistic));
            }
            Meaning::Plain | Meaning::Around | Meaning::Beside(_) => {}
            Meaning::Points => reading.in_points = true,
            Meaning::Part => reading.foreign = reading.foreign.max(Some(Foreign::Part)),
            Meaning::Role(arm) | Meaning::RoleAlone(arm) => reading.add(Facet::Arm(*arm)),
            Meaning::Other => {
                reading.foreign = Some(Foreign::Figure);
                reading.add(Facet::Open(Subject::Metric));
            }
            Meaning::Side(side) => reading.add(Facet::Side(*side)),
            Meaning::Axis(axis) => return take_coordinate(axis, text, range, reading),
            Meaning::Setting(key) => {
                let value = value_after(text, range.end);
                let Some(value) = value else {
                    reading.setting = Some(key.clone());
                    return range;
                };
                let end = list_end(text, value.end);
                if end > value.end {
                    reading.several = true;
                    reading.add(Facet::Open(Subject::Run));
                }
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

    /// A metric that the runs do not have, among the words that are left.
    fn other_metric(&self, text: &[char], free: &[bool]) -> Option<Facet> {
        let left: String =
            text.iter().zip(free).map(|(c, free)| if *free { *c } else { '|' }).collect();
        let words: Vec<&str> = left.split(|c: char| !c.is_alphanumeric() && c != '@').collect();
        let metrics = self.facts.metrics();
        let is_metric = |name: &str| {
            let known = self.names.known(name).filter(|known| known.like.is_none());
            let meant = self.names.canonical(name);
            known.is_some() && !metrics.iter().any(|metric| metric.contains(meant))
        };
        let runs = (1..=3).flat_map(|length| words.windows(length));
        let mut names = runs.map(|words| words.join("_")).filter(|name| name.len() > 1);
        let is_at = |name: &str| {
            let at = name.split_once('@').and_then(|(_, at)| at.parse::<u32>().ok());
            at.is_some() && !metrics.contains(name)
        };
        names.any(|name| is_metric(&name) || is_at(&name)).then_some(Facet::Open(Subject::Metric))
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
        // `# correct` is a number of them.
        if label.trim_start().starts_with('#') {
            return;
        }
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

/// Whether a name goes on at a sign, and so is another one: `HumanEval+`, `MATH-500`.
fn is_near_miss(text: &[char], range: &Range<usize>, meaning: &Meaning) -> bool {
    let at = |at: Option<usize>| at.and_then(|at| text.get(at)).copied().unwrap_or(' ');
    let [before, after] = [at(range.start.checked_sub(1)), at(Some(range.end))];
    let goes_on = after == '-' && at(Some(range.end + 1)).is_alphanumeric();
    let begins = before == '-' && range.start > 1 && at(Some(range.start - 2)).is_alphanumeric();
    let signs = TELLING_SIGNS.contains(before) || TELLING_SIGNS.contains(after);
    meaning.subject().is_some() && (goes_on || begins || signs)
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
            n: None,
            right: None,
            stderr: None,
            source: String::new(),
        }];
        let arms = vec![arm("kl-0.15", 0.15), arm("tuned", 0.12)];
        Facts { arms, figures, ..Facts::default() }
    }

    fn at(axis: &str, value: f64) -> Facet {
        Facet::At(axis.to_owned(), DimValue::Number(value))
    }

    /// What a label says; `!` stands for words that are not understood.
    #[track_caller]
    fn check(label: &str, expected: &[Facet], rest: &str) {
        let (facts, names) = (facts(), MetricNames::default());
        let labels = Labels::new(&facts, &names, &[]).expect("the words can be read");
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
        check("kla-0.155", &[], "kla0155");
        check("fine-tuned", &[Facet::Open(Subject::Run)], "finetuned");
    }

    #[test]
    fn several_values_of_one_thing_leave_it_open() {
        let axis = |name: &str| Facet::Open(Subject::Axis(name.to_owned()));
        check("KL_BETA=0.12 vs 0.15", &[Facet::Open(Subject::Run)], "");
        check("kl-0.15 / tuned", &[Facet::Open(Subject::Run)], "");
        check("epoch 1, 2 and 3", &[axis("epoch")], "");
        check("Epoch 1-3", &[axis("epoch")], "");
        check("Shot 1 / Shot 2", &[axis("shot")], "");
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
        check("Accuracy (%)", &[accuracy.clone(), Facet::Percent], "");
        check("准确率", std::slice::from_ref(&accuracy), "");
        check("GSM8K accuracy ↑", &[gsm8k.clone(), accuracy.clone(), Facet::Side(1)], "");
        let other = Facet::Open(Subject::Metric);
        check("gsm8k latency", &[gsm8k.clone(), other.clone()], "");
        check("gsm8k perplexity", &[gsm8k, other.clone()], "perplexity");
        check("relative accuracy", std::slice::from_ref(&other), "");
        check("accuracy llama", &[accuracy], "llama");
        check("GSM8K-hard", &[Facet::Open(Subject::Dataset)], "gsm8khard");
        check("gsm8k+", &[Facet::Open(Subject::Dataset)], "gsm8k+");
    }
}
