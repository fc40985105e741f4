//! Jobs that run unattended: which runs there are, which of them can be judged, what they are compared
//! with, and what is remembered until the next night.
//!
//! Works on what it is handed: the clock, the files and the writing are the command's. What it decides
//! follows from the settings, the record of earlier nights, and what the runs look like now.

mod alerts;
mod figures;
mod index;
mod index_nights;
mod index_sections;
mod job;
mod kept_settings;
mod plan;
mod questions;
mod record;
mod states;

pub use alerts::{accept_level, decide, figure_name, further_alarms, judged, watched};
pub use figures::{
    RunFigures, attach_comparisons, last_runs, main_figure, noticed, read_figures, undeclared,
};
pub use index::{IndexMaterial, JobStatus, TREND};
pub use index_sections::index_report;
pub use job::{BaselineChoice, Job, Keep, jobs};
pub use kept_settings::{RunSettings, is_digest, judge_of, name_settings};
pub use plan::{NightPlan, plan_nights};
pub use questions::Questions;
pub use record::{
    BaselineNote, GateResult, JobRecord, NightFigure, NightReport, Record, RunNote, RunRecord,
    RunState,
};
pub use states::{Sight, Watch};
