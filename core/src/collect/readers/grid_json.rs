//! A grid of results in JSON: tables nested in the order of `axes`, figures at the bottom.
//!
//! ```json
//! {"metric": "vqa_accuracy", "unit": "percent", "dataset": "OKVQA",
//!  "axes": ["epoch", "samples", "shot"], "n_axis": "samples",
//!  "results": {"1": {"200": {"1": 57.0, "2": "56.1%", "3": null, "4": "n/a"}}}}
//! ```
//! `null` and `"?"` are not run yet, `"n/a"` cannot exist, `"failed"` and NaN gave no number. A
//! figure may be `{"value": …, "n": …, "stderr": …}`. `higher_is_better` declares the direction.

use super::super::content::bad_records;
use super::super::document::{Node, Value, read_document};
use super::super::occurrences::FewFaults;
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::coordinates::is_size_axis;
use super::deviations;
use super::figure::FileFigure;
use super::file_figures::{declare_direction, read_figures, scalar};
use crate::diag::Location;
use crate::model::{DimValue, Dims, Fragment, MetricNames, Source};
use crate::quantity::Unit;

pub(super) const READER: Reader = Reader { name: "grid-json", recognises, read };

fn recognises(file: &FileEntry) -> bool {
    file.has_extension("json")
        && ["\"metric\"", "\"axes\"", "\"results\""].iter().all(|key| file.head_has(key))
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_document, |root, fragment, findings| {
        let names = &options.names;
        let mut grid = Grid::declared_by(root, file, names);
        if let Some(results) = root.get("results") {
            grid.walk(results, 0, &Dims::none(), "results");
        }
        let Grid { misplaced, metric, .. } = grid;
        *fragment = grid.fragment;
        deviations::drop_those_of_runs(root, fragment);
        findings.extend(misplaced.findings(|(key, line), count| {
            let cause = format!("no figure of the grid at {key}");
            bad_records(count, cause, Location::line(&*file.display, line))
        }));
        if let Some(Value::Bool(higher)) = root.get("higher_is_better").map(|node| &node.value) {
            declare_direction(&metric, None, *higher, names, fragment);
        }
    })
}

struct Grid<'a> {
    file: &'a FileEntry,
    names: &'a MetricNames,
    metric: String,
    dataset: Option<&'a str>,
    axes: Vec<&'a str>,
    n_axis: Option<&'a str>,
    unit: Option<Unit>,
    fragment: Fragment,
    misplaced: FewFaults<(String, u64)>,
}

impl<'a> Grid<'a> {
    fn declared_by(root: &'a Node, file: &'a FileEntry, names: &'a MetricNames) -> Self {
        let axes: Vec<&str> = root
            .get("axes")
            .and_then(Node::list)
            .into_iter()
            .flatten()
            .filter_map(Node::text)
            .collect();
        let declared = root.get("n_axis").and_then(Node::text);
        Self {
            file,
            names,
            metric: root.get("metric").and_then(Node::text).unwrap_or_default().to_owned(),
            dataset: root.get("dataset").and_then(Node::text),
            n_axis: declared.or_else(|| axes.iter().copied().find(|axis| is_size_axis(axis))),
            axes,
            unit: unit(root),
            fragment: Fragment::default(),
            misplaced: FewFaults::default(),
        }
    }

    fn walk(&mut self, node: &Node, depth: usize, dims: &Dims, key: &str) {
        let Some(axis) = self.axes.get(depth).copied() else {
            self.add(node, dims, key);
            return;
        };
        let Value::Table(table) = &node.value else {
            self.misplaced.note(|| (key.to_owned(), node.line));
            return;
        };
        for (position, inner) in table {
            let dims = dims.clone().with(axis, DimValue::parse(position));
            self.walk(inner, depth + 1, &dims, &format!("{key}.{position}"));
        }
    }

    fn add(&mut self, node: &Node, dims: &Dims, key: &str) {
        let Some(mut figure) = FileFigure::read(node) else {
            self.misplaced.note(|| (key.to_owned(), node.line));
            return;
        };
        figure.unit = figure.unit.or(self.unit);
        let size = self.n_axis.and_then(|axis| dims.get(axis)?.number());
        figure.n = figure.n.or_else(|| size.filter(|n| *n >= 0.0).map(|n| n as u64));
        let source = Source::line(&self.file.display, node.line, key);
        let scalar = scalar(&self.metric, self.dataset, dims, figure, source, self.names);
        self.fragment.scalars.push(scalar);
    }
}

/// The unit of the figures as the file declares it.
fn unit(root: &Node) -> Option<Unit> {
    match root.get("unit").and_then(Node::text) {
        Some("percent" | "%") => Some(Unit::Percent),
        Some("fraction") => Some(Unit::Fraction),
        _ => None,
    }
}
