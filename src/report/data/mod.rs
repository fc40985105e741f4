//! The part of a report that programs read: `report.json`, version 2.
//!
//! Unknown is `null`, never NaN. Field names are stable; `docs/formats.md` describes them.

mod comparability;
mod comparison;
mod gate;
mod grid;
mod run;
mod series;
mod suite;

pub use comparability::{AcceptedView, ArmGrade, Comparability, ResidueView};
pub use comparison::{
    AnswersView, ArmView, BoundsView, ComparisonView, CoverageView, DecompositionView, DeltaView,
    FlipsView, NoiseFigureView, NoiseView, NonInferiorityView, PairingView, PartView, SeedView,
    SourceView, TestView, TransitionView, TruncationView, VerdictCounts,
};
pub use gate::GateView;
pub use grid::{
    GridAxisView, GridChangeView, GridExtremeView, GridMeanView, GridPageView, GridView,
};
pub use run::{ColumnView, DataContentView, DataFileView, QueriesView, RunView};
pub use series::{LevelChangeView, SeriesView, TrendView};
pub use suite::{SuiteMeanView, SuiteView};
