//! A document for results that are planned: tables with `?`, places for parts of the report, and the
//! commands for what is missing.

use indexmap::{IndexMap, IndexSet};

use super::parts::{ANSWER, command};
use super::plan::Plan;
use crate::cli::args::{FillArguments, NewArgument};
use crate::cli::{Streams, edited};
use crate::exit::{ExitStatus, Failure};
use crate::fill::{Point, region};
use crate::model::DimValue;
use crate::render::{cell_markdown, section_markdown};
use crate::report::block::{Align, Block, Cell, Table};
use crate::settings::Settings;
use crate::text::{Catalogue, Refusal};

/// A row of a table: its dataset and coordinates, and its metric where it is the row's.
type Key = (Option<String>, Vec<Option<DimValue>>, Option<String>);

/// Prints the document, or writes it where none is.
pub(super) fn run(
    kind: NewArgument,
    arguments: &FillArguments,
    settings: &Settings,
    streams: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    let words = settings.words();
    let path = &arguments.document;
    if arguments.mode.write && path.symlink_metadata().is_ok() {
        let refusal = Refusal::new("refused.plan-there").with("path", path.display().to_string());
        return Err(Failure::usage(refusal));
    }
    let plan = Plan::read((&arguments.runs, &arguments.planned, kind), settings, words)?;
    let text = document(kind, &plan, settings)?;
    if !arguments.mode.write {
        streams.out.write_all(text.as_bytes()).map_err(Failure::standard_output)?;
        return Ok(ExitStatus::Done);
    }
    edited::write(path, &text)?;
    let cells = text.matches("| ? ").count();
    let told = [("path", path.display().to_string()), ("cells", cells.to_string())];
    let told = words.fill("fill.planned", &told) + "\n  " + &command(arguments) + "\n";
    streams.out.write_all(told.as_bytes()).map_err(Failure::standard_output)?;
    Ok(ExitStatus::Done)
}

fn document(kind: NewArgument, plan: &Plan, settings: &Settings) -> Result<String, Failure> {
    let words = settings.words();
    let names = plan.arms.iter().map(|arm| cell_markdown(&arm.name.as_str().into()));
    let names: Vec<String> = names.collect();
    let drawn = |blocks: &[Block]| {
        let drawn = section_markdown(blocks, settings.lang, settings.catalogues);
        drawn.map_err(Failure::usage)
    };
    let is_pair = plan.arms.len() > 1;
    let title = words.fill("plan.title", &[("arms", names.join(" vs "))]);
    let mut parts = vec![format!("# {title}\n")];
    let mut section = |id: &str, content: &str| {
        let title = words.get(&format!("section.{id}"));
        parts.push(format!("## {title}\n\n{}\n", content.trim()));
    };
    section("results", &drawn(&tables(kind, plan, words))?);
    for id in ["comparability", "findings"].into_iter().filter(|_| is_pair) {
        section(id, &region(id, ""));
    }
    let commands = settings.eval.as_ref().map(|eval| plan.commands(eval)).unwrap_or_default();
    if !commands.is_empty() {
        let text = commands.into_iter().collect::<Vec<_>>().join("\n");
        let code = drawn(&[Block::Code { lang: "bash".to_owned(), text }])?;
        let id = "to-run";
        section(id, &if is_pair { region(id, code.trim()) } else { code });
    }
    if is_pair {
        parts.insert(1, region(ANSWER, ""));
    }
    Ok(parts.join("\n"))
}

/// The tables of the results, below headings where there are several.
fn tables(kind: NewArgument, plan: &Plan, words: &Catalogue) -> Vec<Block> {
    let is_alone = plan.arms.len() == 1;
    let mut parts: IndexMap<Vec<&str>, Vec<&Point>> = IndexMap::new();
    for point in &plan.points {
        let title = match kind {
            NewArgument::Phase => Vec::new(),
            NewArgument::Progress if is_alone => point.dataset.iter().map(String::as_str).collect(),
            _ => vec![point.metric.as_str()],
        };
        parts.entry(title).or_default().push(point);
    }
    let blocks = parts.iter().flat_map(|(title, points)| {
        let heading = (!title.is_empty()).then(|| Block::heading(title.join(" ")));
        let table = match kind {
            NewArgument::Progress if is_alone => metrics_table(plan, points, words),
            _ => arms_table(plan, points, (kind == NewArgument::Phase, words)),
        };
        heading.into_iter().chain([Block::Table { table }])
    });
    blocks.collect()
}

/// Runs side by side; each but the first with its difference.
fn arms_table(
    plan: &Plan,
    points: &[&Point],
    (asks_for_metrics, words): (bool, &Catalogue),
) -> Table {
    let axes = axes(points);
    let datasets = points.iter().any(|point| point.dataset.is_some());
    // A row needs a name.
    let has_metrics = asks_for_metrics || (!datasets && axes.is_empty());
    let key = |point: &&Point| -> Key {
        let at = axes.iter().map(|axis| point.dims.get(axis).cloned()).collect();
        (point.dataset.clone(), at, has_metrics.then(|| point.metric.clone()))
    };
    let rows: Vec<Key> = distinct(points.iter().map(key));
    let mut table = Table::of_rows(&rows)
        .when(has_metrics, |table| {
            table
                .left(words.get("plan.metric"), |(_, _, metric)| metric.clone().unwrap_or_default())
        })
        .when(datasets, |table| {
            table.left(words.get("plan.dataset"), |(dataset, ..)| {
                dataset.clone().unwrap_or_default()
            })
        });
    for (at, axis) in axes.iter().enumerate() {
        table = table.right(*axis, move |(_, values, _)| value(values.get(at)));
    }
    let is_pair = plan.arms.len() == 2;
    let baseline = plan.arms.first().map_or("", |arm| arm.name.as_str());
    for (nth, arm) in plan.arms.iter().enumerate() {
        let of = [("baseline", baseline), ("arm", arm.name.as_str())];
        let key = if is_pair { "plan.difference" } else { "plan.difference-of" };
        table = table
            .right(arm.name.as_str(), |_| Cell::missing())
            .when(nth > 0, |table| table.right(words.fill(key, &of), |_| Cell::missing()));
    }
    table.when(is_pair, |table| table.left(words.get("plan.verdict"), |_| Cell::missing())).table()
}

/// Metrics of one run side by side.
fn metrics_table(plan: &Plan, points: &[&Point], words: &Catalogue) -> Table {
    let axes = axes(points);
    let metrics: IndexSet<&str> = points.iter().map(|point| point.metric.as_str()).collect();
    let at = |point: &&Point| -> Vec<Option<DimValue>> {
        axes.iter().map(|axis| point.dims.get(axis).cloned()).collect()
    };
    let rows = distinct(points.iter().map(at));
    let mut table = Table::of_rows(&rows);
    for (at, axis) in axes.iter().enumerate() {
        table = table.right(*axis, move |values| value(values.get(at)));
    }
    table = table.when(axes.is_empty(), |table| {
        table.left(words.get("plan.run"), |_| plan.arms[0].name.as_str())
    });
    for metric in metrics {
        table = table.column(metric, Align::Right, |_| Cell::missing());
    }
    table.table()
}

/// Names of the coordinates of these results.
fn axes<'p>(points: &[&'p Point]) -> Vec<&'p str> {
    distinct(points.iter().flat_map(|point| point.dims.names()))
}

fn value(value: Option<&Option<DimValue>>) -> Cell {
    value.and_then(Option::as_ref).map_or_else(Cell::dash, |value| Cell::text(value.to_string()))
}

/// Each once, in the order in which they come.
fn distinct<T: PartialEq>(rows: impl Iterator<Item = T>) -> Vec<T> {
    let mut found: Vec<T> = Vec::new();
    for row in rows {
        if !found.contains(&row) {
            found.push(row);
        }
    }
    found
}
