//! Rows of the file of counts as engines write them: whole numbers of any type, sums as text.

use std::path::Path;

use crate::collect::parquet::{Cell, Parquet, Table};
use crate::model::{Limits, PairStatus, SUMMED_STEPS, ScoreState};

/// Rows decoded at once.
const ROWS_AT_ONCE: usize = 8192;

/// Columns that every file of counts has; those of clusters come on top.
const NEEDED: [&str; 32] = [
    "version",
    "plan_hash",
    "plan",
    "of_rows",
    "dataset",
    "metric",
    "status",
    "elsewhere",
    "scored_a",
    "scored_b",
    "x",
    "y",
    "n",
    "rows_a",
    "rows_b",
    "ids_a",
    "ids_b",
    "example",
    "prompts",
    "targets",
    "sum_x",
    "sum_xx",
    "sum_y",
    "sum_yy",
    "sum_d",
    "sum_dd",
    "sum_ddd",
    "others",
    "least",
    "most",
    "top_x",
    "top_y",
];

/// Sums in whole steps.
const SUMS: [&str; 13] = [
    "sum_x", "sum_xx", "sum_y", "sum_yy", "sum_d", "sum_dd", "sum_ddd", "s", "t", "sum_s",
    "sum_ss", "sum_t", "sum_tt",
];

/// Those of which what was rounded off is summed too, in a column of its own.
const WITH_REST: [&str; 7] = ["sum_d", "sum_dd", "sum_ddd", "sum_s", "sum_ss", "sum_t", "sum_tt"];

/// One row.
#[derive(Debug, Clone, Default)]
pub(super) struct CountedRow {
    pub(super) version: u64,
    pub(super) plan_hash: String,
    pub(super) plan: Option<String>,
    /// How many rows there are beside that of the plan.
    pub(super) of_rows: u64,
    pub(super) dataset: Option<String>,
    /// Place among the metrics of the plan, from 1; 0 for the samples themselves.
    pub(super) metric: u64,
    pub(super) status: Option<PairStatus>,
    pub(super) elsewhere: bool,
    pub(super) scored: [ScoreState; 2],
    pub(super) scores: [Option<f64>; 2],
    pub(super) n: u64,
    pub(super) example: Option<String>,
    pub(super) rows: [u64; 2],
    pub(super) ids: [u64; 2],
    pub(super) prompts: u64,
    pub(super) targets: u64,
    pub(super) lone: u64,
    pub(super) others: u64,
    pub(super) top: [Option<f64>; 2],
    /// Records with a score outside of its range, and the highest such score.
    pub(super) outside: [(u64, Option<f64>); 2],
    pub(super) least: Option<f64>,
    pub(super) most: Option<f64>,
    pub(super) clusters: u64,
    pub(super) sizes: [u64; 5],
    sums: [Option<f64>; SUMS.len()],
}

impl CountedRow {
    /// A sum by the name of its column.
    pub(super) fn sum(&self, name: &str) -> Option<f64> {
        let place = SUMS.iter().position(|known| *known == name)?;
        self.sums[place]
    }
}

/// Reads all rows of a file.
pub(super) fn read_rows(path: &Path, limits: Limits) -> Result<Vec<CountedRow>, String> {
    let parquet = Parquet::open(path, limits.document_bytes())?;
    let has = |name: &str| parquet.schema().iter().any(|column| column.name == name);
    if let Some(lacking) = NEEDED.iter().find(|name| !has(name)) {
        return Err(format!(
            "it is no file of counts that a statement of `reportgen plan` writes: it has no column `{lacking}`"
        ));
    }
    if parquet.height() as u64 > limits.records {
        return Err(format!("it has more rows than the limit `records={}`", limits.records));
    }
    let mut found = Vec::new();
    let mut rows = parquet.rows(None)?;
    while let Some(table) = rows.next(ROWS_AT_ONCE)? {
        for row in 0..table.height() {
            let place = found.len() + 1;
            let wire = Wire { table: &table, row };
            found.push(wire.row().map_err(|reason| format!("row {place}: {reason}"))?);
        }
    }
    Ok(found)
}

/// A row as it stands in the file.
struct Wire<'t> {
    table: &'t Table<'t>,
    row: usize,
}

impl<'t> Wire<'t> {
    fn row(&self) -> Result<CountedRow, String> {
        let status = self.text("status")?.map(|name| {
            let known = PairStatus::ALL.into_iter().find(|status| status.name() == name);
            known.ok_or_else(|| format!("`{name}` is no status"))
        });
        let mut sums = [None; SUMS.len()];
        for (sum, name) in sums.iter_mut().zip(SUMS) {
            *sum = self.sum(name)?;
        }
        Ok(CountedRow {
            version: self.count("version")?,
            plan_hash: self.text("plan_hash")?.unwrap_or_default(),
            plan: self.text("plan")?,
            of_rows: self.count("of_rows")?,
            dataset: self.text("dataset")?,
            metric: self.count("metric")?,
            status: status.transpose()?,
            elsewhere: self.count("elsewhere")? > 0,
            scored: [self.state("scored_a")?, self.state("scored_b")?],
            scores: [self.number("x")?, self.number("y")?],
            n: self.count("n")?,
            example: self.text("example")?,
            rows: [self.count("rows_a")?, self.count("rows_b")?],
            ids: [self.count("ids_a")?, self.count("ids_b")?],
            prompts: self.count("prompts")?,
            targets: self.count("targets")?,
            lone: self.count("lone")?,
            others: self.count("others")?,
            top: [self.number("top_x")?, self.number("top_y")?],
            outside: [
                (self.count("out_a")?, self.number("out_x")?),
                (self.count("out_b")?, self.number("out_y")?),
            ],
            least: self.number("least")?,
            most: self.number("most")?,
            clusters: self.count("clusters")?,
            sizes: [
                self.count("size")?,
                self.count("size_a")?,
                self.count("size_b")?,
                self.count("size_0")?,
                self.count("size_1")?,
            ],
            sums,
        })
    }

    /// The cell of a column; nothing where there is no such column.
    fn cell(&self, name: &str) -> Result<Cell<'t>, String> {
        self.table.column(name).map_or(Ok(Cell::Null), |cells| cells.get(self.row))
    }

    fn text(&self, name: &str) -> Result<Option<String>, String> {
        match self.cell(name)? {
            Cell::Null => Ok(None),
            Cell::Text(text) => Ok(Some(text.to_owned())),
            _ => Err(format!("`{name}` is no text")),
        }
    }

    fn count(&self, name: &str) -> Result<u64, String> {
        let number = match self.cell(name)? {
            Cell::Null => Some(0),
            Cell::Whole(number) | Cell::Decimal(number, 0) => u64::try_from(number).ok(),
            _ => None,
        };
        // Above, counts would not be told apart as numbers with a point.
        let number = number.filter(|number| *number < 1 << 53);
        number.ok_or_else(|| format!("`{name}` is no count"))
    }

    fn number(&self, name: &str) -> Result<Option<f64>, String> {
        match self.cell(name)? {
            Cell::Null => Ok(None),
            cell => match cell.number().filter(|number| number.is_finite()) {
                Some(number) => Ok(Some(number)),
                None => Err(format!("`{name}` is no number")),
            },
        }
    }

    fn state(&self, name: &str) -> Result<ScoreState, String> {
        match self.count(name)? {
            0 => Ok(ScoreState::Absent),
            1 => Ok(ScoreState::Finite),
            2 => Ok(ScoreState::Infinite),
            _ => Err(format!("`{name}` is none of 0, 1 and 2")),
        }
    }

    /// A sum in whole steps, and what they leave of it.
    fn sum(&self, name: &str) -> Result<Option<f64>, String> {
        let steps: f64 = SUMMED_STEPS.parse().unwrap_or(1.0);
        let Some(sum) = self.steps(name)? else { return Ok(None) };
        let rest = match WITH_REST.contains(&name).then(|| format!("{name}_rest")) {
            Some(of) => self.steps(&of)?.ok_or_else(|| format!("`{of}` is missing"))?,
            None => 0,
        };
        Ok(Some((sum as f64 + rest as f64 / steps) / steps))
    }

    fn steps(&self, name: &str) -> Result<Option<i128>, String> {
        let whole = |text: &str| text.trim().parse::<i128>().ok();
        let sum = self.text(name)?.map(|text| {
            // Some engines write whole numbers of that size with a point.
            let digits = text.split_once('.').map_or(text.as_str(), |(digits, _)| digits);
            whole(digits).ok_or_else(|| format!("`{name}` is no whole number"))
        });
        sum.transpose()
    }
}
