//! `reportgen plan`.

use std::path::Path;

use crate::cli::args::PlanArguments;
use crate::cli::{Streams, config};
use crate::collect::{
    ReadOptions, SampleColumn, SampleColumnRole, SampleColumns, SeenValues, bounds_by,
    sample_columns, sample_files, tell_of_datasets,
};
use crate::exit::{ExitStatus, Failure};
use crate::model::{Clustering, Direction, MetricKind, MetricNames, PlannedMetric, ScoreRange};
use crate::plan::{Dialect, From, Holds, Plan, SampleSource, SourceColumn};
use crate::settings::Flags;
use crate::text::Refusal;

/// Before the name of a table.
const TABLE: &str = "table:";
/// The value of a flag that asks for no such column.
const NONE: &str = "none";

pub(super) fn run_command(
    arguments: &PlanArguments,
    line: &str,
    streams: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    let flags =
        Flags { lang: arguments.lang, access: arguments.reading.flags(), ..Flags::default() };
    let mut noticed = Vec::new();
    let settings =
        config::command_settings(arguments.config.as_deref(), &flags, streams.surroundings)?
            .drain_into(&mut noticed);
    let options = ReadOptions {
        names: settings.names.clone(),
        access: settings.access.clone(),
        clustering: arguments
            .cluster
            .as_deref()
            .map_or(settings.clustering.clone(), Clustering::from_name),
        ..ReadOptions::default()
    };
    let dialect = arguments.dialect.into();
    let sides = [&arguments.baseline, &arguments.candidate];
    let sides = sides.map(|named| Side::new(named, dialect, &options));
    let [baseline, candidate] = sides;
    let plan = Planner { arguments, dialect, names: &settings.names }
        .plan([baseline?, candidate?])
        .map_err(Failure::usage)?;
    let text = match arguments.changed {
        Some(most) => plan.changed(most),
        None => plan.statement(&comments(&plan, line)),
    };
    streams.out.write_all(text.as_bytes()).map_err(Failure::standard_output)?;
    Ok(ExitStatus::Done)
}

/// What the statement takes each column for, and how the samples behind the counts are seen: by the same command
/// line and another flag.
fn comments(plan: &Plan, line: &str) -> Vec<String> {
    let column = |column: &Option<SourceColumn>| {
        column.as_ref().map_or("-".to_owned(), |column| column.name.clone())
    };
    let mut lines = Vec::new();
    for (letter, source) in [("A", &plan.baseline), ("B", &plan.candidate)] {
        lines.push(format!(
            "{letter} = {}: id {}, dataset {}, prompt {}, target {}, cluster {}",
            source.name,
            source.id.name,
            column(&source.dataset),
            column(&source.prompt),
            column(&source.target),
            column(&source.cluster),
        ));
    }
    for (metric, score) in plan.metrics.iter().zip(&plan.baseline.scores) {
        let kind = match metric.kind {
            MetricKind::Values => "each pair of values is counted",
            MetricKind::Sums => "sums are taken",
        };
        let range = |range: Option<ScoreRange>| match range.map(ScoreRange::ends) {
            Some((lowest, highest)) => format!("{lowest} to {highest}"),
            None => "not known".to_owned(),
        };
        let [mine, theirs] = metric.ranges.map(range);
        lines.push(format!(
            "metric {} of {}: {kind}; range {mine} in A, {theirs} in B",
            metric.name, score.name
        ));
    }
    lines.push(format!("the samples that changed: {line} --changed"));
    lines
}

/// One of the two inputs.
struct Side {
    name: String,
    from: From,
    /// What its first records hold, where they can be seen.
    seen: Option<SampleColumns>,
    /// Whether its files are those of several datasets, by their names.
    of_datasets: bool,
}

impl Side {
    fn new(named: &str, dialect: Dialect, options: &ReadOptions) -> Result<Self, Failure> {
        if let Some(table) = named.strip_prefix(TABLE) {
            let parts: Vec<String> = table.split('.').map(str::to_owned).collect();
            if parts.iter().any(String::is_empty) {
                return Err(Failure::refused("refused.plan-table", &[("text", named)]));
            }
            let name = parts.last().cloned().unwrap_or_default();
            return Ok(Self { name, from: From::Table(parts), seen: None, of_datasets: false });
        }
        if !dialect.reads_files() {
            let facts = [("path", named), ("dialect", dialect.name())];
            return Err(Failure::refused("refused.plan-files", &facts));
        }
        let path = Path::new(named);
        let name = path.file_name().map_or(named, |name| name.to_str().unwrap_or(named));
        let name = name.to_owned();
        let files = sample_files(path);
        let Some(first) = files.first() else {
            let is_remote = named.contains("://");
            if !is_remote {
                return Err(Failure::refused("refused.plan-nothing", &[("path", named)]));
            }
            let is_parquet = !named.contains(".json") && !named.contains(".ndjson");
            let paths = vec![named.to_owned()];
            let from = if is_parquet { From::Parquet(paths) } else { From::Lines(paths) };
            return Ok(Self { name, from, seen: None, of_datasets: false });
        };
        let seen = sample_columns(first, options).map_err(|reason| {
            let first = first.display().to_string();
            Failure::input(
                Refusal::new("refused.plan-unreadable").with("path", first).with("reason", reason),
            )
        })?;
        let is_parquet = |path: &Path| path.extension().is_some_and(|end| end == "parquet");
        if path.is_dir() && files.iter().any(|file| is_parquet(file) != seen.is_parquet) {
            return Err(Failure::refused("refused.plan-mixed", &[("path", named)]));
        }
        let shown: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let from = if seen.is_parquet { From::Parquet(shown) } else { From::Lines(shown) };
        Ok(Self { name, from, seen: Some(seen), of_datasets: tell_of_datasets(&files) })
    }

    /// The column of that name; one of a table whose values nobody has seen holds anything.
    fn named(&self, name: &str) -> Result<SourceColumn, Refusal> {
        let Some(seen) = &self.seen else {
            let holds = match self.from {
                From::Lines(_) => Holds::Words,
                _ => Holds::Unknown,
            };
            return Ok(SourceColumn { name: name.to_owned(), holds });
        };
        let known = seen.columns.iter().find(|column| column.name == name);
        known.map(|column| self.source_column(column)).ok_or_else(|| {
            let refusal = Refusal::new("refused.plan-column").with("column", name);
            let names = seen.columns.iter().map(|column| column.name.clone());
            refusal.with("path", self.name.as_str()).among(name, names)
        })
    }

    fn source_column(&self, column: &SampleColumn) -> SourceColumn {
        let seen = &column.seen;
        let holds = match self.from {
            // All values of lines are handed on as text.
            From::Lines(_) if matches!(column.role, SampleColumnRole::Id) && seen.fractions => {
                Holds::Fractions
            }
            From::Lines(_) => Holds::Words,
            _ if seen.texts > 0 => Holds::Words,
            _ if seen.flags > 0 => Holds::Flags,
            _ if seen.fractions => Holds::Fractions,
            _ => Holds::Plain,
        };
        SourceColumn { name: column.name.clone(), holds }
    }

    /// The column with that role whose name says most.
    fn best(&self, role: &SampleColumnRole) -> Option<SourceColumn> {
        let columns = self.seen.iter().flat_map(|seen| &seen.columns);
        let own = columns.filter(|column| column.role == *role).min_by_key(|column| column.rank);
        own.map(|column| self.source_column(column))
    }

    fn cluster(&self) -> Option<SourceColumn> {
        let columns = self.seen.iter().flat_map(|seen| &seen.columns);
        let own = columns.filter_map(|column| Some((column.seen.cluster?, column)));
        let best = own.min_by_key(|(rank, _)| *rank);
        best.map(|(_, column)| self.source_column(column))
    }

    /// The column of a metric, by its own name or by that of the metric.
    fn score(&self, name: &str, names: &MetricNames) -> Result<SourceColumn, Refusal> {
        let of_metric = self.seen.iter().flat_map(|seen| &seen.columns).find(|column| {
            let metric = names.canonical(name);
            matches!(&column.role, SampleColumnRole::Score { metric: own, .. } if own == metric)
        });
        match of_metric {
            Some(column) => Ok(self.source_column(column)),
            None => self.named(name),
        }
    }
}

struct Planner<'a> {
    arguments: &'a PlanArguments,
    dialect: Dialect,
    names: &'a MetricNames,
}

impl Planner<'_> {
    fn plan(&self, sides: [Side; 2]) -> Result<Plan, Refusal> {
        sides.iter().try_for_each(refuse_several)?;
        let mut metrics = Vec::new();
        let mut scores = [Vec::new(), Vec::new()];
        for name in self.metrics(&sides)? {
            let columns = [sides[0].score(&name, self.names)?, sides[1].score(&name, self.names)?];
            metrics.push(self.metric(&name, &sides, &columns));
            let [mine, theirs] = columns;
            scores[0].push(mine);
            scores[1].push(theirs);
        }
        let asked = self.arguments;
        let column = |side: &Side, flag: &Option<String>, role: &SampleColumnRole| match flag {
            Some(name) if name == NONE => Ok(None),
            Some(name) => side.named(name).map(Some),
            None => Ok(side.best(role)),
        };
        let source = |side: Side, scores: Vec<SourceColumn>| -> Result<SampleSource, Refusal> {
            let id = column(&side, &asked.id, &SampleColumnRole::Id)?;
            let missing = || Refusal::new("refused.plan-id").with("path", side.name.as_str());
            let seen = side.seen.clone();
            let source = SampleSource {
                id: id.ok_or_else(missing)?,
                dataset: column(&side, &asked.dataset, &SampleColumnRole::Dataset)?,
                prompt: column(&side, &asked.prompt, &SampleColumnRole::Prompt)?,
                target: column(&side, &asked.target, &SampleColumnRole::Target)?,
                cluster: match &asked.cluster {
                    None => side.cluster(),
                    Some(name) if name == NONE => None,
                    Some(name) => Some(side.named(name)?),
                },
                called: side.seen.as_ref().and_then(|seen| seen.dataset.clone()),
                name: side.name,
                from: side.from,
                scores,
            };
            if side.of_datasets && source.dataset.is_none() {
                return Err(Refusal::new("refused.plan-datasets").with("path", source.name));
            }
            refuse_alike(&source, seen.as_ref())?;
            Ok(source)
        };
        let [baseline, candidate] = sides;
        let [mine, theirs] = scores;
        Ok(Plan {
            dialect: self.dialect,
            baseline: source(baseline, mine)?,
            candidate: source(candidate, theirs)?,
            metrics,
            output: asked.output.clone(),
        })
    }

    /// Names of the metrics: those asked for, else all scores that both sides have.
    fn metrics(&self, sides: &[Side; 2]) -> Result<Vec<String>, Refusal> {
        let mut asked: Vec<String> = self.arguments.metric.clone();
        asked.extend(self.arguments.sums.iter().cloned());
        let mut names: Vec<String> = Vec::new();
        for name in asked {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if !self.arguments.metric.is_empty() {
            return Ok(names);
        }
        for column in sides.iter().filter_map(|side| side.seen.as_ref()).flat_map(|s| &s.columns) {
            let SampleColumnRole::Score { metric, .. } = &column.role else { continue };
            let has = |side: &Side| side.score(metric, self.names).is_ok();
            let is_new = !names.iter().any(|name| self.names.canonical(name) == metric);
            if is_new && sides.iter().all(has) {
                names.push(metric.clone());
            }
        }
        if names.is_empty() { Err(Refusal::new("refused.plan-metric")) } else { Ok(names) }
    }

    fn metric(&self, name: &str, sides: &[Side; 2], columns: &[SourceColumn; 2]) -> PlannedMetric {
        let own = [0, 1].map(|arm| {
            let known = &sides[arm].seen.as_ref()?.columns;
            Some(&known.iter().find(|own| own.name == columns[arm].name)?.seen)
        });
        let seen = own.into_iter().flatten();
        let metric = self.names.canonical(name);
        let is_summed = self.arguments.sums.iter().any(|one| self.names.canonical(one) == metric);
        let is_listed = self.arguments.metric.iter().any(|one| self.names.canonical(one) == metric)
            && sides.iter().all(|side| side.seen.is_none());
        let few = is_listed || seen.clone().all(SeenValues::are_few);
        let largest = seen.map(|seen| seen.largest).fold(0.0, f64::max);
        let spec = self.names.get(metric);
        let range = |seen: Option<&SeenValues>| bounds_by(spec.as_ref()?, || Some(seen?.size));
        let ranges = own.map(|seen| range(seen).map(ScoreRange::new));
        let direction = spec.map_or(Direction::Unknown, |spec| spec.direction);
        PlannedMetric {
            name: metric.to_owned(),
            kind: if is_summed || !few { MetricKind::Sums } else { MetricKind::Values },
            exponent: exponent(largest),
            is_score: direction == Direction::Higher,
            ranges,
        }
    }
}

/// The power of ten that is no smaller than a number.
fn exponent(largest: f64) -> i32 {
    let exponent = largest.log10().ceil();
    if exponent.is_finite() { (exponent as i32).clamp(-100, 100) } else { 0 }
}

/// Refuses records that are of several evaluations, answers or runs: their ids would stand for several
/// samples.
fn refuse_several(side: &Side) -> Result<(), Refusal> {
    let columns = side.seen.iter().flat_map(|seen| &seen.columns);
    let mut several =
        columns.filter(|own| own.role == SampleColumnRole::Coordinate && own.seen.vary());
    match several.next() {
        None => Ok(()),
        Some(column) => Err(Refusal::new("refused.plan-several")
            .with("path", side.name.as_str())
            .with("column", column.name.as_str())),
    }
}

/// Refuses a column that engines, which do not look at case, take for another one.
fn refuse_alike(source: &SampleSource, seen: Option<&SampleColumns>) -> Result<(), Refusal> {
    let names = || seen.iter().flat_map(|seen| &seen.columns).map(|column| column.name.as_str());
    for column in source.columns() {
        let is_alike = |other: &&str| {
            *other != column.name && other.to_lowercase() == column.name.to_lowercase()
        };
        if let Some(other) = names().find(is_alike) {
            return Err(Refusal::new("refused.plan-alike")
                .with("path", source.name.as_str())
                .with("column", column.name.as_str())
                .with("other", other));
        }
    }
    Ok(())
}
