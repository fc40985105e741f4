//! How a name that is not listed borrows the meaning of one that is: `eval_accuracy` that of
//! `accuracy`, `neg_log_loss` the negative of `log_loss`.

use serde::Deserialize;

use super::{NUMBER, word};
use crate::model::{Direction, GivenRole, MetricRole, MetricSpec, RoleOrigin, SpecOrigin};
use crate::quantity::Unit;

/// What stands for a comma and the name of a filter behind it.
const FILTER: &str = "{filter}";

/// What stands for the name of a dataset.
const DATASET: &str = "{dataset}";
/// Metrics before which a dataset is named, as they are written there.
const OF_DATASETS: &[&str] = &[
    "accuracy",
    "acc",
    "acc_norm",
    "exact_match",
    "em",
    "f1",
    "f1_score",
    "precision",
    "recall",
    "bleu",
    "chrf",
    "rouge1",
    "rouge2",
    "rougel",
    "wer",
    "cer",
    "mrr",
    "ndcg",
    "auc",
    "pass@1",
    "map",
    "perplexity",
];
/// What names of counts, of parts and of changes hold, which are no names of datasets; and what names of
/// metrics hold whose good side is the other one: right answers to what was to be forgotten, or as an
/// attacker wants them.
const NO_DATASETS: &[&str] = &[
    "my",
    "our",
    "custom",
    "num",
    "n",
    "count",
    "total",
    "delta",
    "diff",
    "change",
    "relative",
    "best",
    "worst",
    "max",
    "min",
    "avg",
    "mean",
    "std",
    "macro",
    "micro",
    "weighted",
    "balanced",
    "top",
    "train",
    "target",
    "baseline",
    "prev",
    "previous",
    "random",
    "expected",
    "loss",
    "no",
    "non",
    "not",
    "is",
    "attack",
    "attacker",
    "backdoor",
    "backdoored",
    "forget",
    "forgetting",
    "forgotten",
    "membership",
    "mia",
    "poison",
    "poisoned",
    "privacy",
    "self",
    "steps",
    "time",
    "trigger",
    "triggered",
    "unlearn",
    "unlearned",
    "unlearning",
];

/// What a name means beside the name that is left of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Meaning {
    Same,
    /// The same on the samples that a model was trained on.
    Training,
    /// The mean, the largest or the smallest of several of its values.
    Summary,
    /// Its negative: the other way is good.
    Negated,
    /// How far its values lie apart, or a bound or a threshold of it.
    Spread,
}

#[derive(Debug)]
pub(in crate::model) struct Rule {
    begins: Vec<&'static str>,
    ends: Vec<&'static str>,
    meaning: Meaning,
    pub(in crate::model) source: &'static str,
}

impl Rule {
    /// A row `begins,ends,meaning,source`.
    pub(super) fn parse(line: &'static str) -> Option<Self> {
        let fields: Vec<&str> = line.split(',').collect();
        let [begins, ends, meaning, source] = *fields.as_slice() else { return None };
        let listed =
            |text: &'static str| text.split('|').filter(|affix| !affix.is_empty()).collect();
        Some(Self { begins: listed(begins), ends: listed(ends), meaning: word(meaning)?, source })
    }

    /// What is left of a name in lower case without a beginning or an end of this rule.
    pub(in crate::model) fn left_of<'n>(&self, name: &'n str) -> Option<&'n str> {
        let mut of_begins = self.begins.iter().filter_map(|begin| without_begin(name, begin));
        let mut of_ends = self.ends.iter().filter_map(|end| without_end(name, end));
        of_begins.next().or_else(|| of_ends.next()).filter(|left| !left.is_empty())
    }

    /// The meaning of `name`, made of the meaning of what is left of it.
    pub(in crate::model) fn meaning(&self, name: &str, mut spec: MetricSpec) -> MetricSpec {
        name.clone_into(&mut spec.name);
        spec.origin = SpecOrigin::Catalogue;
        // The largest of several shares is no share of right answers.
        spec.outcomes &= matches!(self.meaning, Meaning::Same | Meaning::Training);
        match self.meaning {
            Meaning::Same | Meaning::Summary => return spec,
            Meaning::Training => {
                let judged = spec.role.is_some_and(|given| given.role == MetricRole::Primary);
                let role = MetricRole::Secondary;
                let second = GivenRole { role, origin: RoleOrigin::Catalogue };
                spec.role = if judged { Some(second) } else { spec.role };
                return spec;
            }
            Meaning::Negated => {
                spec.direction = spec.direction.reversed();
                spec.bounds = spec.bounds.map(|(low, high)| (0.0 - high, 0.0 - low));
            }
            Meaning::Spread => {
                spec.direction = Direction::Neutral;
                spec.bounds = None;
                spec.role = Some(GivenRole {
                    role: MetricRole::Bookkeeping,
                    origin: RoleOrigin::Catalogue,
                });
            }
        }
        if spec.unit.is_rate() {
            spec.unit = Unit::Plain;
        }
        spec
    }
}

/// `acc` of `val-core/math/acc` without `val-core/*/`, whose `*` is as long as it can be.
fn without_begin<'n>(name: &'n str, begin: &str) -> Option<&'n str> {
    if let Some(border) = begin.strip_prefix(DATASET) {
        return without_dataset(name, border);
    }
    let Some((head, tail)) = begin.split_once('*') else { return name.strip_prefix(begin) };
    let (_, left) = name.strip_prefix(head)?.rsplit_once(tail)?;
    Some(left)
}

/// `acc` of `gsm8k_acc` without `gsm8k` and the border behind it.
fn without_dataset<'n>(name: &'n str, border: &str) -> Option<&'n str> {
    let metric = OF_DATASETS.iter().find_map(|known| {
        let dataset = name.strip_suffix(known)?.strip_suffix(border)?;
        let mut words = dataset.split(|c: char| !c.is_alphanumeric());
        let is_name = !dataset.is_empty() && words.all(|word| !NO_DATASETS.contains(&word));
        is_name.then_some(known)
    })?;
    name.get(name.len() - metric.len()..)
}

/// `acc` of `acc/std@16` without `/std@{k}`, and of `acc,none` without `{filter}`.
fn without_end<'n>(name: &'n str, end: &str) -> Option<&'n str> {
    if end == FILTER {
        return name.split_once(',').map(|(metric, _)| metric);
    }
    let Some((before, behind)) = end.split_once(NUMBER) else { return name.strip_suffix(end) };
    let name = name.strip_suffix(behind)?;
    let without_number = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (without_number.len() < name.len()).then(|| without_number.strip_suffix(before))?
}
