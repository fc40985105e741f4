//! Grades, undeclared differences and findings.

use serde::Serialize;

use crate::diag::Code;
use crate::model::ConfigValue;

/// Whether the runs may be compared.
#[derive(Debug, Clone, Serialize)]
pub struct Comparability {
    /// Worst grade over the candidates: `identical`, `as-declared`, `confounded`, `not-comparable`.
    pub grade: &'static str,
    /// Worst grade over the candidates if nothing were accepted.
    pub grade_unaccepted: &'static str,
    /// Every acceptance that covers a finding.
    pub accepted: Vec<AcceptedView>,
    /// Keys that are meant to differ.
    pub factors: Vec<String>,
    /// Keys that differ without being declared.
    pub residue: Vec<ResidueView>,
    pub candidates: Vec<ArmGrade>,
}

#[derive(Debug, Clone, Serialize)]
pub struct ArmGrade {
    /// Name of the candidate arm.
    pub candidate: String,
    pub grade: &'static str,
    pub grade_unaccepted: &'static str,
    /// What kind of A/A this is: `itself`, `identical`, `seeds`; `null` for any other comparison.
    pub aa: Option<&'static str>,
    /// What a verdict is about: `recipe`, `checkpoints` if each arm is one training, `evaluation` if
    /// both arms evaluate one model, `unknown` if the runs do not show it.
    pub claim: &'static str,
    /// Results that are graded worse than the pair, the worst grade first.
    pub parts: Vec<PartGrade>,
}

#[derive(Debug, Clone, Serialize)]
pub struct PartGrade {
    pub grade: &'static str,
    /// How many results with a figure in both arms have this grade.
    pub results: usize,
    /// How many results have a figure in both arms.
    pub of: usize,
    pub about: Vec<PartSubject>,
}

/// What a finding about a part is about.
#[derive(Debug, Clone, Serialize)]
pub struct PartSubject {
    /// A metric, a dataset, `metric (dataset)`, or a configuration key.
    pub subject: String,
    pub code: Code,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AcceptedView {
    /// The rule, `CODE` or `CODE:SUBJECT`.
    pub rule: String,
    pub code: Code,
    pub findings: usize,
    /// Whether these lose their effect; `false` where needed data are missing.
    pub lifted: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct ResidueView {
    pub key: String,
    /// Name of the candidate arm.
    pub candidate_run: String,
    pub baseline: Option<ConfigValue>,
    pub candidate: Option<ConfigValue>,
    /// What the key is for: `judge`, `dataset`, `training`, `other` and so on.
    pub role: &'static str,
    /// Whether it can move a metric; `false` for paths, hosts, times.
    pub can_move_metric: bool,
}
