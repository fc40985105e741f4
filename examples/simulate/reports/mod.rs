//! Whole reports: data sets are written as the files that people have, and read, grouped, checked
//! and compared as `reportgen compare` does. What is counted is what the report claims.

mod designs;
mod files;
mod producers;

use std::io;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use reportgen::compare::Verdict;
use reportgen::model::{MetricNames, NotMetricNames};
use reportgen::pipeline::{self, ArmInput, Stages};
use reportgen::settings::Settings;
use reportgen::stats::resampling::random::RandomStream;

use crate::Random;

/// Pairs of runs drawn for each line, unless the command says otherwise.
pub(crate) const DRAWS: u64 = 1_000;

/// Writes the files of the baseline and of the candidate into a folder.
type WriteRuns = dyn Fn(&mut Random, &Path) -> io::Result<[PathBuf; 2]> + Sync;

/// A way in which two runs come about.
pub(crate) struct Scenario {
    design: &'static str,
    data: String,
    /// Whether the arms differ in truth: then claims are power, else they are false.
    differs: bool,
    /// The metric whose verdicts are counted beside those of the whole report.
    primary: &'static str,
    /// Writes both runs into the folder.
    write: Box<WriteRuns>,
}

/// What the reports of a scenario claim, as shares of all reports.
#[derive(Debug, Clone, Copy, Default)]
struct Claims {
    reports: u64,
    /// Reports in which some result or average is better or worse.
    any: u64,
    /// Those in which a result of the primary metric is.
    primary: u64,
    /// Those in which an average over datasets is.
    averages: u64,
}

impl Claims {
    fn merge(self, other: Self) -> Self {
        Self {
            reports: self.reports + other.reports,
            any: self.any + other.any,
            primary: self.primary + other.primary,
            averages: self.averages + other.averages,
        }
    }
}

/// One line of the table for each scenario, over so many pairs of runs.
pub(crate) fn lines(only: Option<&str>, draws: u64) -> Vec<String> {
    let scenarios = designs::scenarios();
    let asked = scenarios.iter().filter(|scenario| {
        only.is_none_or(|only| scenario.design.contains(only) || scenario.data.contains(only))
    });
    asked.map(|scenario| line(scenario, draws)).collect()
}

fn line(scenario: &Scenario, draws: u64) -> String {
    let claims = (0..draws)
        .into_par_iter()
        .map(|number| replicate(scenario, number))
        .reduce(Claims::default, Claims::merge);
    let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / claims.reports as f64);
    let [any, primary, averages] = [claims.any, claims.primary, claims.averages].map(share);
    let Scenario { design, data, differs, .. } = scenario;
    let kind = if *differs { "power" } else { "false" };
    format!("| {design} | {data} | {kind} | {any} | {primary} | {averages} |")
}

/// What a user declares of the scores that no catalogue knows.
fn settings() -> Result<Settings, NotMetricNames> {
    let declared = "[[metric]]\nnames = [\"judge_score\"]\ndirection = \"higher\"\n";
    Ok(Settings { names: MetricNames::declared_in(declared)?, ..Settings::default() })
}

#[expect(clippy::expect_used, reason = "an example that cannot go on")]
fn replicate(scenario: &Scenario, number: u64) -> Claims {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let mut random = Random(RandomStream::new(number));
    let runs = (scenario.write)(&mut random, folder.path()).expect("files of two runs");
    let arms = runs.map(|run| ArmInput { name: None, runs: vec![run] });
    let settings = settings().expect("a metric of that form");
    pipeline::compare(&arms, &[], &settings, Vec::new(), |stages, _| claims(scenario, stages))
        .expect("two readable runs")
}

fn claims(scenario: &Scenario, stages: &Stages<'_>) -> Claims {
    let is_claim = |verdict: Verdict| matches!(verdict, Verdict::Better | Verdict::Worse);
    let cells = stages.comparisons.iter().flatten();
    let claimed = cells.clone().filter(|cell| is_claim(cell.verdict));
    let averages = stages.suites.iter().any(|suite| is_claim(suite.verdict));
    let any = averages || claimed.clone().next().is_some();
    let primary = claimed.clone().any(|cell| cell.cell.key.metric == scenario.primary);
    Claims { reports: 1, any: any.into(), primary: primary.into(), averages: averages.into() }
}
