//! A figure of a run on a night, and the columns that it is stored in.

use polars::prelude::{Column, DataFrame, PolarsError, PolarsResult};
use serde::Serialize;

use super::columns::{Field, Stored as _};
use crate::quantity::{Moment, Night};

/// Declares the fields of a row. Their names are those of the columns, their types say what is stored,
/// and one that is no `Option` has to be there.
macro_rules! row {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)*) => {
        /// A figure of a run.
        #[derive(Debug, Clone, Default, PartialEq, Serialize)]
        pub struct HistoryRow {
            $($(#[$doc])* pub $name: $type,)*
        }

        impl HistoryRow {
            /// Names of the columns, in their order.
            pub const COLUMNS: &[&str] = &[$(stringify!($name)),*];

            pub(super) fn frame(rows: &[Self]) -> PolarsResult<DataFrame> {
                let columns: Vec<Column> = vec![$(
                    <$type as Field>::Value::write(
                        stringify!($name),
                        rows.iter().map(|row| row.$name.value()).collect(),
                    )?,
                )*];
                DataFrame::new(rows.len(), columns)
            }

            /// The rows of a table; a column that it lacks, because it was made by an older version, is
            /// absent in each row.
            pub(super) fn of_frame(frame: &DataFrame) -> PolarsResult<Vec<Self>> {
                $(let mut $name = values::<$type>(frame, stringify!($name))?.into_iter();)*
                let row = || {
                    Some(Self { $($name: Field::of($name.next().flatten())?,)* })
                };
                let rows: Option<Vec<Self>> = std::iter::repeat_with(row).take(frame.height()).collect();
                let lacks = || PolarsError::ComputeError("a required value is missing".into());
                rows.ok_or_else(lacks)
            }
        }
    };
}

fn values<F: Field>(frame: &DataFrame, name: &str) -> PolarsResult<Vec<Option<F::Value>>> {
    frame.column(name).map_or_else(|_| Ok(Vec::new()), F::Value::read)
}

row! {
    /// The night that the run is of.
    night: Night,
    /// The job of `reportgen.toml` that found it.
    job: String,
    /// Path of the run below the root.
    run: String,
    /// 1, and one more each time that the files of the run were others; the highest one counts.
    revision: u32,
    /// Canonical name.
    metric: String,
    dataset: Option<String>,
    /// Further coordinates: `epoch=1 shot=5`.
    dims: Option<String>,
    /// `complete`, or `partial`: of such a run nothing is concluded.
    state: String,
    /// Whether it was complete only after the job was due, or came on a later night.
    late: bool,
    unit: String,
    higher_is_better: Option<bool>,
    value: Option<f64>,
    stderr: Option<f64>,
    /// Samples behind the figure.
    n: Option<u32>,
    n_err: Option<u32>,
    n_expected: Option<u32>,
    /// The run that it was compared with; with it all that follows, up to `grade`.
    baseline: Option<String>,
    n_paired: Option<u32>,
    /// Wrong, then right.
    gained: Option<u32>,
    lost: Option<u32>,
    /// Run − baseline: in percentage points for rates.
    delta: Option<f64>,
    delta_low: Option<f64>,
    delta_high: Option<f64>,
    p_adjusted: Option<f64>,
    verdict: Option<String>,
    /// How far the two runs can be compared.
    grade: Option<String>,
    /// Digest of the files of the run.
    content: String,
    /// Digest of its settings, machines and paths apart.
    config: Option<String>,
    commit: Option<String>,
    model: Option<String>,
    harness: Option<String>,
    /// When the newest file of the run was written.
    finished: Option<Moment>,
    /// When the job saw it.
    ingested: Moment,
}

impl HistoryRow {
    /// What a row is about, whatever was measured when.
    pub fn key(&self) -> (&str, &str, &str, Option<&str>, Option<&str>) {
        let Self { job, run, metric, dataset, dims, .. } = self;
        (metric, job, run, dataset.as_deref(), dims.as_deref())
    }

    /// Whether something can be concluded from the figure.
    pub fn is_of_complete_run(&self) -> bool {
        self.state == "complete"
    }
}
