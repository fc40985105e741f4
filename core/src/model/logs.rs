//! What the logs of one run say, counted: memory does not grow with the length of a log. Paths are
//! as a person would type them.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;
use serde::Serialize;

use crate::quantity;

/// Distinct signatures that are kept of each kind; what comes later is counted together.
pub const MOST_SIGNATURES: usize = 2_000;
/// Distinct names (rules, terms, processes) that are kept.
pub const MOST_NAMES: usize = 500;
/// Places at which errors of one signature were raised that are kept.
pub const MOST_PLACES: usize = 20;
/// Distinct scores that are kept exactly; later ones are rounded to three digits.
const MOST_SCORES: usize = 50_000;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Place {
    pub path: Arc<str>,
    /// Line, counted from 1.
    pub line: u64,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.path, self.line)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogFile {
    pub path: Arc<str>,
    pub lines: u64,
    /// Bytes after decompression.
    pub bytes: u64,
}

/// What makes errors one: the type, and the message without its varying parts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct SignatureKey {
    /// Type of the exception, `log` for a line of level error without one.
    pub kind: String,
    /// The message; `<n>`, `<path>` and the like stand for what varies.
    pub template: String,
}

/// Errors of one signature.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Signature {
    pub count: u64,
    pub with_traceback: u64,
    /// Processes that wrote one, as their prefixes name them, at most [`MOST_NAMES`].
    pub processes: Vec<String>,
    pub first: Place,
    /// The lines of the first one, cut to a bounded size.
    pub example: String,
    /// Innermost frame of the first one: `file:line in function`.
    pub raised_at: Option<String>,
    /// Innermost frames and how many errors have each, at most [`MOST_PLACES`].
    pub places: IndexMap<String, u64>,
    /// Signatures that came before it in one chain, outermost cause first, of the first one.
    pub causes: Vec<SignatureKey>,
}

impl Signature {
    /// Counts where one was raised; places beyond the bound are left out.
    pub fn raised(&mut self, at: Option<&str>) {
        let Some(at) = at else { return };
        if self.places.len() < MOST_PLACES || self.places.contains_key(at) {
            *self.places.entry(at.to_owned()).or_insert(0) += 1;
        }
    }
}

/// Signatures in the order of their first line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Signatures {
    pub kept: IndexMap<SignatureKey, Signature>,
    /// Errors whose signature was not kept, because there are too many.
    pub other: u64,
    /// How many errors were only causes of another one in its chain.
    pub as_cause: u64,
    /// How many errors were not written but counted by a line such as Ray's `[repeated 7x …]`.
    pub repeated: u64,
}

impl Signatures {
    /// Adds an error that a line stands for `times` times; `new` makes the signature of the first one, with no error counted yet.
    pub fn add(
        &mut self,
        key: SignatureKey,
        process: &str,
        has_traceback: bool,
        times: u64,
        new: impl FnOnce() -> Signature,
    ) -> Option<&mut Signature> {
        self.repeated += times - times.min(1);
        if self.kept.len() >= MOST_SIGNATURES && !self.kept.contains_key(&key) {
            self.other += times;
            return None;
        }
        let signature = self.kept.entry(key).or_insert_with(new);
        signature.count += times;
        signature.with_traceback += if has_traceback { times } else { 0 };
        let is_new = !process.is_empty() && !signature.processes.iter().any(|p| p == process);
        if is_new && signature.processes.len() < MOST_NAMES {
            signature.processes.push(process.to_owned());
        }
        Some(signature)
    }

    pub fn total(&self) -> u64 {
        self.kept.values().map(|signature| signature.count).sum::<u64>() + self.other
    }

    /// Types with the number of their errors, the most frequent first, else in order of their first
    /// line.
    pub fn by_type(&self) -> IndexMap<&str, u64> {
        let mut types: IndexMap<&str, u64> = IndexMap::new();
        for (key, signature) in &self.kept {
            *types.entry(&key.kind).or_default() += signature.count;
        }
        types.sort_by(|_, a, _, b| b.cmp(a));
        types
    }
}

/// How often something was said, and where first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedEvent {
    pub count: u64,
    pub first: Place,
    /// That line as cleaned, cut to a bounded size.
    pub example: String,
}

/// A rule that was broken.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    pub said: LoggedEvent,
    /// Penalties that followed at once, in the same process.
    pub penalties: u64,
    /// Their sum; with no penalty, 0.
    pub penalty: f64,
}

/// Values of one penalty term.
#[derive(Debug, Clone, PartialEq)]
pub struct Penalty {
    pub said: LoggedEvent,
    pub values: Values,
}

/// Numbers by value: exact quantiles without keeping a list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Values {
    counts: BTreeMap<Ordered, u64>,
    /// Whether later values were rounded, because there are too many different ones.
    pub rounded: bool,
}

/// A finite number that can be a key.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Values {
    /// Adds a value; what is not finite is left out.
    pub fn add(&mut self, value: f64) {
        if !value.is_finite() {
            return;
        }
        // Negative zero is zero.
        let mut key = Ordered(value + 0.0);
        if self.counts.len() >= MOST_SCORES && !self.counts.contains_key(&key) {
            self.rounded = true;
            key = Ordered(quantity::round_to_digits(value, 3));
        }
        *self.counts.entry(key).or_insert(0) += 1;
    }

    pub fn merge(&mut self, other: &Self) {
        self.rounded |= other.rounded;
        for (key, count) in &other.counts {
            *self.counts.entry(*key).or_insert(0) += count;
        }
    }

    /// Values, ascending, each with how often it is there.
    pub fn iter(&self) -> impl Iterator<Item = (f64, u64)> {
        self.counts.iter().map(|(key, count)| (key.0, *count))
    }

    pub fn n(&self) -> u64 {
        self.counts.values().sum()
    }
}

/// What became of the fallback of a rollout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Fallback {
    /// Nothing was said of one.
    #[default]
    None,
    /// It began; how it went was not said.
    Used,
    /// It ran to its end.
    Succeeded,
    Failed,
    /// Both was said.
    Both,
}

/// How a rollout ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum RolloutOutcome {
    /// No score was written before the next one began or the log ended.
    #[default]
    Unscored,
    /// A score, and the line does not say whether it is a success.
    Unjudged,
    /// The line says that it is right.
    Success,
    /// The line says that it is wrong.
    Failure,
}

/// The way that a rollout took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct RolloutCourse {
    /// A rule was broken.
    pub violated: bool,
    /// What was generated failed, or an exception was written.
    pub failed: bool,
    pub fallback: Fallback,
    pub outcome: RolloutOutcome,
}

/// All rollouts of one way.
#[derive(Debug, Clone, PartialEq)]
pub struct RolloutGroup {
    pub count: u64,
    pub scores: Values,
    /// Where the first of them ended.
    pub first: Place,
}

/// What was said while the training was at one step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StepTally {
    /// Errors by type, at most [`MOST_NAMES`].
    pub errors: IndexMap<String, u64>,
    pub violations: u64,
    /// Scores of rollouts that were right and wrong.
    pub right_wrong: [u64; 2],
}

/// What the logs of one run say.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LogTally {
    /// The logs, in path order.
    pub files: Vec<LogFile>,
    pub errors: Signatures,
    pub warnings: Signatures,
    /// Broken rules by name.
    pub violations: IndexMap<String, Violation>,
    /// Penalties by term.
    pub penalties: IndexMap<String, Penalty>,
    /// What else was said, by the stable name of its meaning: `rollout`, `failed`, `fallback`, ….
    pub said: IndexMap<&'static str, LoggedEvent>,
    /// Rollouts by the way that they took.
    pub ways: BTreeMap<RolloutCourse, RolloutGroup>,
    /// The largest score that is possible, as score lines say it (`3/10`), if they all agree.
    pub scale: Option<f64>,
    /// Whether score lines name different largest scores.
    pub scales_differ: bool,
    /// Scores beyond the scale that their own line names, or below 0 on it; the first one.
    pub beyond_scale: Option<(u64, Place)>,
    /// Scores that do not go together with their rollouts, by stable name: how many, and the first.
    pub odd_scores: BTreeMap<&'static str, (u64, Place)>,
    /// First and last training step that a log names.
    pub steps: Option<[f64; 2]>,
    /// What was said at each step, behind the line that names it; at most [`MOST_NAMES`] steps.
    pub by_step: BTreeMap<i64, StepTally>,
    /// Names that were not kept, because there are too many.
    pub other_names: u64,
}

impl LogTally {
    /// The counts of a step, where there is one; `None` where there are too many.
    pub fn at_step(&mut self, step: Option<i64>) -> Option<&mut StepTally> {
        let step = step?;
        if self.by_step.len() >= MOST_NAMES && !self.by_step.contains_key(&step) {
            self.other_names += 1;
            return None;
        }
        Some(self.by_step.entry(step).or_default())
    }
}
