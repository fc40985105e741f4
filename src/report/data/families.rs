//! What the tests of a report share, and how often they claim something false.

use serde::Serialize;

/// The families of all tests of comparisons and averages.
#[derive(Debug, Clone, Serialize)]
pub struct FamiliesView {
    pub tested: Vec<FamilyView>,
    /// Whether every primary test rejects, so that the secondary ones are held to the whole level.
    pub secondary_open: bool,
    /// Chance of any false verdict of a difference in the report, at most.
    pub error_rate: f64,
    /// What that chance takes for granted: `independent-samples`, `stated-errors`, `no-rare-differences`.
    pub rate_conditions: Vec<&'static str>,
    /// Share of samples up to which large differences of scores without bounds may stand in no pair; what
    /// they could undo the rate leaves out. `null` where no verdict rests on such scores.
    pub unseen_share: Option<f64>,
    /// Metrics that only say when and how something was measured, and are left out.
    pub bookkeeping: Vec<String>,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct FamilyView {
    /// `primary`, `guard`, `secondary`, `descriptive`.
    pub family: &'static str,
    pub tests: usize,
    /// Tests of figures that follow from another one's, which count once.
    pub copies: usize,
    /// Tests that no outcome could have brought below their share of the level.
    pub unattainable: usize,
    /// Tests that share the level.
    pub counted: usize,
    /// Level of the family, two-sided; of guards one-sided.
    pub level: f64,
}
