//! Two names of one share of right answers.

use super::MetricNames;

impl MetricNames {
    /// The other canonical name of a share of right answers: of one answer to each problem, and in the
    /// mean over several, pass@1 is the share that is accepted (Chen et al. 2021, Evaluating Large Language
    /// Models Trained on Code). None where the user declares either.
    pub fn same_share(&self, canonical: &str) -> Option<&'static str> {
        let (one, other) = match canonical {
            "pass_at_1" => ("pass_at_1", "accepted_at_1"),
            "accepted_at_1" => ("accepted_at_1", "pass_at_1"),
            _ => return None,
        };
        Some(other).filter(|_| ![one, other].iter().any(|name| self.is_declared(name)))
    }
}
