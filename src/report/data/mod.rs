//! The part of a report that programs read: `report.json`, version 2.
//!
//! Unknown is `null`, never NaN. Field names are stable; `docs/formats.md` describes them.

mod comparability;
mod comparison;
mod families;
mod gate;
mod grid;
mod run;
mod score_bins;
mod series;
mod suite;

use serde::Serialize;

use super::systems::SystemsView;
use super::tasks::RunsOverDatasetsView;

pub use comparability::{
    AcceptedView, ArmGrade, Comparability, PartGrade, PartSubject, ResidueView,
};
pub use comparison::{
    AnswersView, ArmView, ComparisonView, CoverageView, DecompositionView, DeltaView, FlipsView,
    NoiseFigureView, NoiseView, PairingView, PartView, SeedView, SourceView, TestView,
    TransitionView, VerdictCounts,
};
pub use families::{FamiliesView, FamilyView};
pub use gate::GateView;
pub use grid::{
    GridAxisView, GridChangeView, GridExtremeView, GridMeanView, GridPageView, GridView,
};
pub use run::{ColumnView, DataContentView, DataFileView, QueriesView, RunView};
pub use score_bins::{ArmBinsView, ScoreBinView, ScoreBinsView};
pub use series::{
    CurveFigureView, CurvePointView, CurveRunView, CurveView, LevelChangeView, SeriesView,
    TrendView,
};
pub use suite::{SuiteMeanView, SuiteView};

/// What a report says first, as names.
#[derive(Debug, Serialize)]
pub(in crate::report) struct HeadlineView {
    /// `failed` (a gate did), `worse`, `undecided`, `better`, `unchanged`, `no-verdict`; of a check,
    /// which compares nothing, `failed`, `undecided` or `passed`; `null` where no gate was asked either.
    pub(in crate::report) result: Option<&'static str>,
    /// The grade.
    pub(in crate::report) trust: &'static str,
}

/// What `report.json` holds beside what every report has.
#[derive(Debug, Serialize)]
pub(in crate::report) struct ComparisonData {
    pub(in crate::report) headline: HeadlineView,
    /// The runs, baseline first.
    pub(in crate::report) runs: Vec<RunView>,
    pub(in crate::report) comparability: Comparability,
    pub(in crate::report) comparisons: Vec<ComparisonView>,
    pub(in crate::report) families: FamiliesView,
    pub(in crate::report) grids: Vec<GridView>,
    pub(in crate::report) suites: Vec<SuiteView>,
    /// Arms of several runs over several datasets.
    pub(in crate::report) tasks: Vec<RunsOverDatasetsView>,
    pub(in crate::report) series: Vec<SeriesView>,
    /// Training series of both arms side by side.
    pub(in crate::report) curves: Vec<CurveView>,
    /// Scores by confidence and by length of answers, where samples have these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(in crate::report) score_bins: Vec<ScoreBinsView>,
    /// What three or more arms show together.
    pub(in crate::report) systems: SystemsView,
    pub(in crate::report) verdicts: VerdictCounts,
    /// Where the user declares a command for missing results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::report) to_run: Option<ToRunView>,
}

/// What has to be run for the results that are missing.
#[derive(Debug, Serialize)]
pub(in crate::report) struct ToRunView {
    /// What the candidates lack of the baseline comes first.
    pub(in crate::report) commands: Vec<String>,
    /// Of all commands, where the user says what one takes.
    pub(in crate::report) minutes: Option<f64>,
    pub(in crate::report) cost: Option<f64>,
}
