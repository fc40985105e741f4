//! False positives on the user's own samples.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{counted, write_json, write_text};
use crate::cli::args::{SelfcheckArguments, SelfcheckFormat};
use crate::cli::{Streams, config, emit};
use crate::compare::aa::{AaPlan, FalsePositiveRates, FalsePositives, LevelCheck, Relabelling};
use crate::diag::Severity;
use crate::exit::{ExitStatus, Failure};
use crate::pipeline;
use crate::quantity;
use crate::quantity::Unit;
use crate::render::plain_table;
use crate::settings::Flags;
use crate::text::Catalogue;

const SCHEMA: &str = "reportgen.aa/1";

/// What relabelling cannot show.
const SYMMETRIC: &str = "\
Relabelled differences are symmetric around 0: what a lean to one side does to a method cannot be
seen here.
";

pub(super) fn run_command(
    arguments: &SelfcheckArguments,
    Streams { surroundings, out, err }: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    if arguments.aa.len() > 2 {
        return Err(Failure::refused("refused.aa-runs", &[]));
    }
    let SelfcheckArguments { alpha, replicates, seed, .. } = *arguments;
    let flags = Flags { alpha, cluster: arguments.cluster.clone(), ..Flags::default() };
    let mut noticed = Vec::new();
    let settings = config::command_settings(arguments.config.as_deref(), &flags, *surroundings)?
        .drain_into(&mut noticed);
    let words = Catalogue::shipped(settings.lang);
    let plan = AaPlan { replicates, seed, options: settings.options };
    let found = pipeline::false_positives(&arguments.aa, &settings, plan, noticed)
        .map_err(|error| error.into_failure(words))?;
    let noticed = found.diagnostics.iter().filter(|finding| finding.severity > Severity::Info);
    emit::findings(noticed, words, *err).map_err(Failure::standard_output)?;
    let measured = &found.value;
    match arguments.format {
        SelfcheckFormat::Table => write_text(&text(measured, plan), *out)?,
        SelfcheckFormat::Json => write_json(&wire(arguments, measured, plan), *out)?,
    }
    Ok(status(measured))
}

/// One cell that fails fails all; where none was put to the proof, nothing is known.
fn status(measured: &FalsePositiveRates) -> ExitStatus {
    let any = |outcome| measured.cells.iter().any(|cell| cell.outcome == outcome);
    if any(LevelCheck::Fail) {
        ExitStatus::GateFailed
    } else if any(LevelCheck::Pass) {
        ExitStatus::Done
    } else {
        ExitStatus::NotGateable
    }
}

fn text(measured: &FalsePositiveRates, plan: AaPlan) -> String {
    let AaPlan { replicates, seed, options } = plan;
    let alpha = options.alpha;
    let mut text = format!(
        "False positives at alpha {alpha} over {} new studies of each cell, drawn from its samples with \
         replacement and relabelled (seed {seed}).\n\
         Monte Carlo standard error {}; a cell passes while at most {} of the p-values are below alpha.\n",
        quantity::count(u64::from(replicates)),
        percent(plan.standard_error()),
        percent(plan.limit()),
    );
    let explained = |cell: &FalsePositives| {
        let Described { name, how, .. } = described(cell.relabelling);
        format!("{name}: {how}")
    };
    let used: BTreeSet<String> = measured.cells.iter().map(explained).collect();
    for line in used {
        let _infallible = writeln!(text, "{line}");
    }
    if measured.cells.is_empty() {
        text.push_str("Nothing could be measured: no cell has per-sample outcomes in every run.\n");
    } else {
        text.push_str(SYMMETRIC);
        let p = format!("p < {alpha}");
        let heads = [
            "cell",
            "relabelled",
            "n",
            "unit",
            "method",
            &p,
            "CI excludes 0",
            "both",
            "least p",
            "outcome",
        ];
        let rows: Vec<Vec<String>> = measured.cells.iter().map(row).collect();
        text.push('\n');
        text.push_str(&plain_table(&heads, &rows, 5..9));
    }
    let count = |outcome| measured.cells.iter().filter(|cell| cell.outcome == outcome).count();
    let _infallible = writeln!(
        text,
        "\n{}: {} pass, {} fail, {} out of reach; {} not measured, without per-sample outcomes",
        counted(measured.cells.len() + measured.without_samples.len(), "cell"),
        count(LevelCheck::Pass),
        count(LevelCheck::Fail),
        count(LevelCheck::OutOfReach) + count(LevelCheck::NoTest),
        measured.without_samples.len(),
    );
    text
}

fn row(cell: &FalsePositives) -> Vec<String> {
    let Described { name, unit, .. } = described(cell.relabelling);
    vec![
        cell.key.to_string(),
        name.to_owned(),
        quantity::count(cell.n as u64),
        unit.to_owned(),
        format!("{}: {} / {}", joined(&cell.methods), joined(&cell.intervals), joined(&cell.tests)),
        percent(cell.rejected),
        percent(cell.excluded),
        percent(cell.called),
        cell.attainable.map_or_else(|| "?".to_owned(), quantity::p_value_text),
        match cell.outcome {
            LevelCheck::Pass => "PASS",
            LevelCheck::Fail => "FAIL",
            LevelCheck::OutOfReach => "cannot reach alpha",
            LevelCheck::NoTest => "no p-value at this size",
        }
        .to_owned(),
    ]
}

fn percent(share: f64) -> String {
    quantity::figure(share, Unit::Fraction)
}

fn joined(tags: &BTreeSet<&'static str>) -> String {
    if tags.is_empty() {
        return "none".to_owned();
    }
    tags.iter().copied().collect::<Vec<_>>().join(", ")
}

struct Described {
    name: &'static str,
    /// What a study is drawn from.
    unit: &'static str,
    how: String,
}

fn described(relabelling: Relabelling) -> Described {
    let (name, unit, how) = match relabelling {
        Relabelling::SwappedPairs => (
            "swapped pairs",
            "pairs",
            "pairs drawn, the two runs' labels swapped or kept at random within each",
        ),
        Relabelling::SwappedClusters => (
            "swapped clusters",
            "clusters",
            "clusters of pairs drawn, the two runs' labels swapped or kept at random within each",
        ),
        Relabelling::RedrawnSamples => (
            "redrawn samples",
            "samples",
            "samples could not be paired: arms of the same sizes drawn from both runs together",
        ),
        Relabelling::RedrawnClusters => (
            "redrawn clusters",
            "clusters",
            "samples could not be paired: arms of as many clusters drawn from both runs together",
        ),
        Relabelling::SplitAnswers { in_arm, of } => {
            let odd = if of % 2 == 1 { ", the odd one to neither" } else { "" };
            let how = format!(
                "problems drawn, of the {of} answers to each {in_arm} given to either arm at random{odd}"
            );
            return Described { name: "split answers", unit: "problems", how };
        }
        Relabelling::SplitSamples => {
            ("split samples", "samples", "two halves drawn from the run's samples")
        }
        Relabelling::SplitClusters => {
            ("split clusters", "clusters", "two halves drawn from the run's clusters")
        }
    };
    Described { name, unit, how: how.to_owned() }
}

fn wire(arguments: &SelfcheckArguments, measured: &FalsePositiveRates, plan: AaPlan) -> Value {
    let outcome = match status(measured) {
        ExitStatus::Done => "pass",
        ExitStatus::GateFailed => "fail",
        _ => "not-measured",
    };
    let runs: Vec<String> = arguments.aa.iter().map(|path| path.display().to_string()).collect();
    let without_samples = measured
        .without_samples
        .iter()
        .map(|key| json!({ "metric": key.metric, "dataset": key.dataset, "dims": key.dims }));
    json!({
        "schema": SCHEMA,
        "outcome": outcome,
        "runs": runs,
        "replicates": plan.replicates,
        "seed": plan.seed,
        "alpha": plan.options.alpha,
        "standard_error": plan.standard_error(),
        "limit": plan.limit(),
        "cells": measured.cells.iter().map(wire_cell).collect::<Vec<_>>(),
        "without_samples": without_samples.collect::<Vec<_>>(),
    })
}

fn wire_cell(cell: &FalsePositives) -> Value {
    let Described { name, unit, .. } = described(cell.relabelling);
    json!({
        "metric": cell.key.metric,
        "dataset": cell.key.dataset,
        "dims": cell.key.dims,
        "relabelling": name.replace(' ', "-"),
        "n": cell.n,
        "unit": unit,
        "methods": cell.methods,
        "interval_methods": cell.intervals,
        "tests": cell.tests,
        "p_below_alpha": cell.rejected,
        "interval_excludes_zero": cell.excluded,
        "both": cell.called,
        "attainable_p": cell.attainable,
        "outcome": match cell.outcome {
            LevelCheck::Pass => "pass",
            LevelCheck::Fail => "fail",
            LevelCheck::OutOfReach => "out-of-reach",
            LevelCheck::NoTest => "no-test",
        },
    })
}
