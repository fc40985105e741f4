//! The names of metrics and what they mean: the shipped catalogue, with the user's `[[metric]]`
//! entries over it. Names match without ASCII case, else exactly; names that nobody lists borrow a
//! meaning by the rules of the catalogue and keep their own name.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::Deserialize;
use toml::Spanned;

use super::metric_catalogue::{Catalogue, KnownMetric};
use super::{Direction, GivenRole, MetricRole, MetricSpec, RoleOrigin, SpecOrigin};
use crate::quantity::Unit;

#[derive(Deserialize)]
struct WireEntries {
    metric: Vec<WireMetric>,
}

/// One entry of `[[metric]]` in `reportgen.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireMetric {
    names: Spanned<Vec<String>>,
    direction: Option<Direction>,
    unit: Option<Unit>,
    bounds: Option<(f64, f64)>,
    outcomes: Option<bool>,
    mean_over_samples: Option<bool>,
    role: Option<MetricRole>,
}

/// Why the `[[metric]]` entries of a text cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NotMetricNames {
    /// They do not have the form of an entry.
    #[error(transparent)]
    Form(#[from] toml::de::Error),
    /// An entry without a name.
    #[error(
        "line {line}: `names` of a [[metric]] lists no name, or an empty one; write names = [\"NAME\"]"
    )]
    NoName {
        /// Line of its names, from 1.
        line: usize,
    },
    /// An entry without a direction for a metric that is not shipped.
    #[error(
        "line {line}: `{name}` is no shipped metric, so its [[metric]] needs a direction: \
         direction = \"higher\", \"lower\", \"neutral\" or \"unknown\""
    )]
    NoDirection {
        /// The first of its names.
        name: String,
        /// Line of its names, from 1.
        line: usize,
    },
    /// Two entries for one name.
    #[error(
        "line {line}: `{name}` is listed by the [[metric]] on line {first} already; leave it in one \
         of the two, or make them one entry"
    )]
    ListedTwice {
        /// The name.
        name: String,
        /// Line of the names of the second entry, from 1.
        line: usize,
        /// Line of those of the first.
        first: usize,
    },
}

/// Every known name with its meaning. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct MetricNames(Arc<Declared>);

/// What the user declares.
#[derive(Debug, Default)]
struct Declared {
    specs: IndexMap<String, MetricSpec>,
    /// Canonical names by names in lower case.
    canonical: IndexMap<String, String>,
}

impl MetricNames {
    /// Every name of the shipped catalogue in lower case, aliases included.
    pub fn shipped_names() -> impl Iterator<Item = &'static str> {
        Catalogue::shipped().names()
    }

    /// The shipped names with the `[[metric]]` entries of a TOML text over them. An entry takes
    /// exactly the names that it lists. Where it lists the canonical name of a shipped metric, the
    /// shipped aliases of that metric lead to the entry too. It keeps what is shipped of the first of its
    /// names that is, and lays over it what it says.
    ///
    /// # Errors
    /// When `[[metric]]` does not have the form of an entry, an entry has no name, or no direction
    /// though it needs one, or two entries list one name.
    pub fn declared_in(text: &str) -> Result<Self, NotMetricNames> {
        let wire: WireEntries = toml::from_str(text)?;
        each_name_once(&wire, text)?;
        directions_known(&wire, text)?;
        Ok(Self(Arc::new(Declared::new(wire))))
    }

    /// The canonical name of a metric; the name itself where no entry lists it.
    pub fn canonical<'n>(&'n self, name: &'n str) -> &'n str {
        let shipped = || {
            let shipped = Catalogue::shipped().canonical(name)?;
            Some(self.0.canonical(shipped).unwrap_or(shipped))
        };
        self.0.canonical(name).or_else(shipped).unwrap_or(name)
    }

    /// The meaning of a name or alias, or of a name that borrows one.
    pub fn get(&self, name: &str) -> Option<MetricSpec> {
        self.known(name).map(|known| known.spec)
    }

    /// The meaning of a name and where it comes from.
    pub fn known(&self, name: &str) -> Option<KnownMetric> {
        let catalogue = Catalogue::shipped();
        let declared = self.0.specs.get(self.canonical(name));
        let declared = declared.map(|spec| KnownMetric {
            spec: spec.clone(),
            like: None,
            source: None,
            rule: None,
        });
        let listed = || catalogue.listed(name);
        let borrowed = || self.borrowed(name);
        declared.or_else(listed).or_else(borrowed).or_else(|| catalogue.by_pattern(name))
    }

    /// The meaning by a rule: that of what is left of the name.
    fn borrowed(&self, name: &str) -> Option<KnownMetric> {
        let lower = name.to_ascii_lowercase();
        Catalogue::shipped().rules.iter().find_map(|rule| {
            let KnownMetric { spec, like, source, .. } = self.known(rule.left_of(&lower)?)?;
            let like = like.unwrap_or_else(|| spec.name.clone());
            let spec = rule.meaning(name, spec);
            Some(KnownMetric { spec, like: Some(like), source, rule: Some(rule.source) })
        })
    }

    /// The meaning that a name has in the files of one program alone; the shipped catalogue and what
    /// it calls these programs are in `core/src/model/metric_catalogue/producers.csv`.
    pub fn of_producer(producer: &str, name: &str) -> Option<MetricSpec> {
        Catalogue::of_producer(producer, name)
    }

    /// The meaning of a metric that its producer may declare too: the user's word counts first, then
    /// the producer's, then the shipped catalogue's.
    pub fn meaning(&self, name: &str, produced: Option<&MetricSpec>) -> Option<MetricSpec> {
        let known = self.get(name);
        let declared = known.as_ref().is_some_and(|spec| spec.origin == SpecOrigin::User);
        if declared { known } else { produced.cloned().or(known) }
    }

    /// Whether the user declares that name.
    pub fn is_declared(&self, name: &str) -> bool {
        self.0.specs.contains_key(self.canonical(name))
    }

    /// The metrics that the user declares.
    pub fn declared(&self) -> impl Iterator<Item = &MetricSpec> {
        self.0.specs.values()
    }
}

/// Refuses an entry without a name, and a name of two entries. One entry may spell a name twice.
fn each_name_once(wire: &WireEntries, text: &str) -> Result<(), NotMetricNames> {
    let mut lines = IndexMap::<String, usize>::new();
    for WireMetric { names, .. } in &wire.metric {
        let line = line_of(names, text);
        let names = names.get_ref();
        if names.is_empty() || names.iter().any(|name| name.trim().is_empty()) {
            return Err(NotMetricNames::NoName { line });
        }
        let listed = |name: &String| Some((name.clone(), *lines.get(&name.to_ascii_lowercase())?));
        if let Some((name, first)) = names.iter().find_map(listed) {
            return Err(NotMetricNames::ListedTwice { name, line, first });
        }
        lines.extend(names.iter().map(|name| (name.to_ascii_lowercase(), line)));
    }
    Ok(())
}

/// Refuses an entry without a direction, unless it is about a shipped metric or its role needs none.
fn directions_known(wire: &WireEntries, text: &str) -> Result<(), NotMetricNames> {
    let is_open = |metric: &&WireMetric| {
        metric.direction.is_none()
            && metric.role.is_none_or(MetricRole::is_judged)
            && metric.shipped().is_none()
    };
    match wire.metric.iter().find(is_open) {
        None => Ok(()),
        Some(WireMetric { names, .. }) => Err(NotMetricNames::NoDirection {
            name: names.get_ref().first().cloned().unwrap_or_default(),
            line: line_of(names, text),
        }),
    }
}

fn line_of<T>(value: &Spanned<T>, text: &str) -> usize {
    let before = text.get(..value.span().start).unwrap_or_default();
    1 + before.matches('\n').count()
}

impl WireMetric {
    /// What is shipped of the first of its names that is.
    fn shipped(&self) -> Option<MetricSpec> {
        let shipped = MetricNames::default();
        self.names.get_ref().iter().find_map(|name| shipped.get(name))
    }

    /// What the entry says of the metric of that name, over what is shipped of it. Bounds are those of
    /// the unit, where the entry names another one than is shipped.
    fn spec(&self, name: &str) -> MetricSpec {
        let base = self.shipped().unwrap_or_else(|| MetricSpec::undeclared(name));
        let direction = self.direction.unwrap_or(base.direction);
        let unit = self.unit.unwrap_or(base.unit);
        let of_unit =
            if unit == base.unit { base.bounds } else { unit.whole().map(|whole| (0.0, whole)) };
        let role = self.role.map(|role| GivenRole { role, origin: RoleOrigin::User });
        // Whoever says which way is good wants the metric judged.
        let is_asked_for = self.direction.is_some() && direction.sign().is_some();
        let kept = base.role.filter(|given| given.role.is_judged() || !is_asked_for);
        MetricSpec {
            name: name.to_owned(),
            direction,
            unit,
            bounds: self.bounds.or(of_unit),
            outcomes: self.outcomes.unwrap_or(base.outcomes),
            pooled: self.is_pooled(base.pooled),
            role: role.or(kept),
            origin: SpecOrigin::User,
            derived: false,
            unit_declared: self.unit.is_some(),
        }
    }

    fn is_pooled(&self, shipped: bool) -> bool {
        // Samples that are right or wrong have a mean.
        let is_mean = self.mean_over_samples.or(self.outcomes.filter(|&outcomes| outcomes));
        !is_mean.unwrap_or(!shipped)
    }
}

impl Declared {
    fn new(wire: WireEntries) -> Self {
        let mut declared = Self::default();
        for metric in wire.metric {
            let names = metric.names.get_ref();
            let Some(name) = names.first() else { continue };
            for alias in names {
                declared.canonical.insert(alias.to_ascii_lowercase(), name.clone());
            }
            declared.specs.insert(name.clone(), metric.spec(name));
        }
        declared
    }

    fn canonical(&self, name: &str) -> Option<&str> {
        let as_written = self.canonical.get(name);
        as_written.or_else(|| self.canonical.get(&name.to_ascii_lowercase())).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_without_ascii_case_and_otherwise_exactly() {
        for (name, canonical) in [
            ("ACC", "accuracy"),
            ("ROUGEL", "rougeL"),
            ("latency_seconds", "latency_s"),
            ("latency_ms", "latency_ms"),
            ("Nobody_Knows", "Nobody_Knows"),
            ("accuracy ", "accuracy "),
        ] {
            assert_eq!(MetricNames::default().canonical(name), canonical);
        }
    }

    #[test]
    fn names_that_nobody_lists_borrow_a_meaning_and_keep_their_name() {
        let names = MetricNames::default();
        for (name, like) in [
            ("eval_accuracy", "accuracy"),
            ("Eval/Accuracy", "accuracy"),
            ("val/f1", "f1"),
            ("test_exact_match", "exact_match"),
            ("exact_match,strict-match", "exact_match"),
            ("eval_recall@20,none", "recall@{k}"),
            ("pass@5", "pass@{k}"),
            ("recall_at_300", "recall@{k}"),
            ("p99_ttft_ms", "p{k}_ttft_ms"),
            ("MulticlassF1Score", "F1Score"),
            ("val-core/openai/gsm8k/acc/mean@8", "accuracy"),
            ("wer/mean", "wer"),
            ("timing_s/update_actor", "timing_s/*"),
            ("eval_wikitext_loss", "eval_*loss"),
            ("gsm8k_acc", "accuracy"),
            ("eval_gsm8k_accuracy", "accuracy"),
            ("mmlu/exact_match", "exact_match"),
        ] {
            let known = names.known(name).expect(name);
            assert_eq!(known.like.as_deref(), Some(like), "{name}");
            assert_eq!((&*known.spec.name, names.canonical(name)), (name, name));
            assert_eq!(known.spec.origin, SpecOrigin::Catalogue, "{name}");
            let lender = names.get(like).filter(|_| !like.contains(['*', '{']));
            if let Some(lender) = lender {
                let meaning =
                    |spec: &MetricSpec| (spec.direction, spec.unit, spec.bounds, spec.role);
                assert_eq!(meaning(&known.spec), meaning(&lender), "{name}");
            }
        }
    }

    #[test]
    fn names_that_only_end_like_a_metric_borrow_nothing() {
        let names = MetricNames::default();
        let unknown = "num_acc delta_accuracy not_exact_match _acc gsm8k_score reacc self_bleu mia_auc \
                       forget_set_accuracy eval_forget_acc backdoor/accuracy time_to_accuracy";
        for name in unknown.split_whitespace() {
            assert_eq!(names.known(name), None, "{name}");
        }
    }

    #[test]
    fn a_borrowed_meaning_is_turned_or_taken_away_as_its_rule_says() {
        let names = MetricNames::default();
        for (name, direction, unit, bounds, role) in [
            ("log_loss", Direction::Lower, Unit::Plain, Some((0.0, f64::INFINITY)), "secondary"),
            (
                "neg_log_loss",
                Direction::Higher,
                Unit::Plain,
                Some((f64::NEG_INFINITY, 0.0)),
                "secondary",
            ),
            ("acc_stderr", Direction::Neutral, Unit::Plain, None, "bookkeeping"),
            ("accuracy/std@16", Direction::Neutral, Unit::Plain, None, "bookkeeping"),
            ("judge_time_std", Direction::Neutral, Unit::Seconds, None, "bookkeeping"),
            ("eval_policy_loss", Direction::Neutral, Unit::Plain, None, ""),
        ] {
            let spec = names.get(name).expect(name);
            let found =
                (spec.direction, spec.unit, spec.bounds, spec.role.map(|given| given.role.name()));
            let role = Some(role).filter(|role| !role.is_empty());
            assert_eq!(found, (direction, unit, bounds, role), "{name}");
        }
        for (name, outcomes) in [("eval_acc", true), ("acc,none", true), ("acc_mean", false)] {
            assert_eq!(names.get(name).map(|spec| spec.outcomes), Some(outcomes), "{name}");
        }
    }

    /// They mean different things in different programs.
    #[test]
    fn names_that_mean_several_things_have_no_direction() {
        let names = MetricNames::default();
        for name in [
            "hallucination",
            "bias",
            "toxicity",
            "misuse",
            "reward",
            "eval_reward",
            "edit_distance",
            "edit_similarity",
            "davies_bouldin_score",
            "calibration_error",
            "score",
            "mean",
            "refusal_rate",
            "token_count",
            "longest_common_prefix_length",
            "summarization_coverage",
            "map",
            "specificity",
            "wip",
            "exact",
            "n",
            "total",
        ] {
            assert_eq!(names.get(name), None, "{name}");
        }
        for name in ["loss", "kl", "entropy", "train_loss", "pct_stereotype", "amb_bias_score"] {
            let direction = names.get(name).map(|spec| spec.direction);
            assert_eq!(direction, Some(Direction::Neutral), "{name}");
        }
    }

    #[test]
    fn names_of_one_program_mean_nothing_elsewhere() {
        let direction =
            |program, name| MetricNames::of_producer(program, name).map(|spec| spec.direction);
        assert_eq!(direction("lm_eval", "exact"), Some(Direction::Higher));
        assert_eq!(direction("trl_reward", "eval_loss"), Some(Direction::Neutral));
        assert_eq!(direction("trl_reward", "exact"), None);
        assert_eq!(direction("", "exact"), None);
        assert_eq!(MetricNames::default().get("exact"), None);
    }

    #[test]
    fn a_borrowed_meaning_is_that_of_the_users_entry_and_no_word_of_the_user() {
        let text = "[[metric]]\nnames = [\"accuracy\"]\ndirection = \"lower\"\n";
        let names = MetricNames::declared_in(text).expect("an entry");
        let spec = names.get("eval_accuracy").expect("a meaning");
        assert_eq!((spec.direction, spec.origin), (Direction::Lower, SpecOrigin::Catalogue));
        assert!(!names.is_declared("eval_accuracy"));
    }

    #[test]
    fn entries_without_a_name_and_entries_that_share_one_are_refused() {
        let entry = |names: &str| format!("[[metric]]\ndirection = \"lower\"\nnames = {names}\n");
        for (listed, refused) in [
            (
                &[r#"["acc"]"#, r#"["acc"]"#][..],
                "line 6: `acc` is listed by the [[metric]] on line 3",
            ),
            (&[r#"["a", "foo"]"#, r#"["b", "FOO"]"#], "line 6: `FOO` is listed"),
            (&[r#"["a", "b"]"#, r#"["b"]"#], "line 6: `b` is listed"),
            (&["[]"], "line 3: `names` of a [[metric]] lists no name"),
            (&[r#"["a", " "]"#], "line 3: `names` of a [[metric]] lists no name"),
        ] {
            let text: String = listed.iter().map(|names| entry(names)).collect();
            let error = MetricNames::declared_in(&text).expect_err(&text).to_string();
            assert!(error.starts_with(refused), "{error}");
        }
        let text = entry(r#"["acc", "ACC"]"#) + &entry(r#"["accuracy"]"#);
        assert!(MetricNames::declared_in(&text).is_ok());
    }

    #[test]
    fn an_entry_without_a_direction_keeps_what_is_shipped_and_lays_its_own_over_it() {
        let spec = |name: &str, entry: &str| {
            let text = format!("[[metric]]\nnames = [{name:?}]\n{entry}");
            MetricNames::declared_in(&text).expect("an entry").get(name).expect("declared")
        };
        let shipped = MetricNames::default();
        let canonical = MetricNames::shipped_names().map(|name| shipped.canonical(name));
        for name in canonical.filter(|name| !name.contains(['*', '{'])) {
            let known = shipped.get(name).expect("shipped");
            let guard = GivenRole { role: MetricRole::Guard, origin: RoleOrigin::User };
            let expected =
                MetricSpec { role: Some(guard), origin: SpecOrigin::User, ..known.clone() };
            assert_eq!(spec(name, "role = \"guard\""), expected);
        }
        let percent = spec("accuracy", "unit = \"percent\"");
        let shipped = shipped.get("accuracy").expect("shipped");
        assert_eq!((percent.bounds, percent.role), (Some((0.0, 100.0)), shipped.role));
        // Whoever says which way is good wants it judged.
        for (entry, role) in
            [("direction = \"lower\"", None), ("direction = \"neutral\"", Some(MetricRole::Cost))]
        {
            assert_eq!(spec("latency", entry).role.map(|given| given.role), role, "{entry}");
        }
    }

    #[test]
    fn an_entry_about_a_metric_that_is_not_shipped_needs_a_direction_to_be_judged() {
        let entry = |role: &str| format!("[[metric]]\nrole = {role:?}\nnames = [\"own\"]\n");
        for role in ["primary", "guard", "secondary"] {
            let error = MetricNames::declared_in(&entry(role)).expect_err(role).to_string();
            assert!(error.starts_with("line 3: `own` is no shipped metric"), "{error}");
        }
        for role in ["cost", "breakdown", "bookkeeping"] {
            let names = MetricNames::declared_in(&entry(role)).expect(role);
            assert_eq!(names.get("own").map(|spec| spec.direction), Some(Direction::Unknown));
        }
    }

    #[test]
    fn shipped_aliases_follow_a_canonical_name_that_the_user_declares() {
        let names = |listed: &str| {
            let text = format!("[[metric]]\nnames = {listed}\ndirection = \"lower\"");
            MetricNames::declared_in(&text).expect("an entry")
        };
        for (listed, name) in [
            (r#"["accuracy"]"#, "accuracy"),
            (r#"["Accuracy"]"#, "Accuracy"),
            (r#"["hits", "accuracy"]"#, "hits"),
        ] {
            let names = names(listed);
            assert_eq!(names.canonical("acc"), name, "{listed}");
            assert_eq!(names.get("acc").map(|spec| spec.direction), Some(Direction::Lower));
        }
    }
}
