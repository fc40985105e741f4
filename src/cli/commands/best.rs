//! `reportgen best`.

use std::io::Write;

use indexmap::IndexMap;
use serde::Deserialize;

use super::{Failure, choices, drawn};
use crate::best::{At, Plan, Tier, Wanted};
use crate::cli::args::BestArguments;
use crate::cli::exit::ExitStatus;
use crate::cli::{Surroundings, emit};
use crate::diag::{Diagnostic, Severity};
use crate::pipeline;
use crate::render::Told;
use crate::report;
use crate::settings::{self, Flags};

/// `[best]` of `reportgen.toml`.
#[derive(Debug, Default, Deserialize)]
struct File {
    #[serde(default)]
    best: Table,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    metric: Option<String>,
    dataset: Option<String>,
    loss: Option<String>,
    model_path: Option<String>,
    #[serde(default)]
    plan: WirePlan,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WirePlan {
    end: Option<u64>,
    #[serde(default)]
    tier: Vec<WireTier>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireTier {
    name: String,
    datasets: Datasets,
    every: Option<u64>,
    at: Option<WireAt>,
}

/// Names, or names with numbers of samples.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "datasets are a list of names, or a table of names and numbers of samples"
)]
enum Datasets {
    Names(Vec<String>),
    Sizes(IndexMap<String, u64>),
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WireAt {
    End,
}

pub(super) fn run(
    arguments: &BestArguments,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    let plan = drawn::Plan::of_drawing(&arguments.drawing)?;
    plan.refuse_overwriting([arguments.run.as_path()], "the run")?;
    refuse_replacing(&plan)?;
    let flags = Flags { lang: arguments.drawing.lang, alpha: arguments.alpha, ..Flags::default() };
    let mut noticed = Vec::new();
    let config = arguments.config.as_deref();
    let settings = choices::settings(config, &flags, surroundings.lang)?.drain_into(&mut noticed);
    let file = choices::file(config)?;
    let file = file.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    let own = settings::tables::<File>(file)?.best;
    let evaluations = evaluations(&own.plan)?;
    steps_have_a_place(own.model_path.as_deref())?;
    let wanted = Wanted {
        metric: arguments.metric.clone().or(own.metric),
        dataset: arguments.dataset.clone().or(own.dataset),
    };
    let loss = arguments.loss.as_deref().or(own.loss.as_deref());
    let found = pipeline::best(&arguments.run, &wanted, (&evaluations, loss), &settings, noticed)
        .map_err(Failure::pipeline(settings.lang))?;
    let mut noticed = Vec::new();
    let found = found.drain_into(&mut noticed);
    let words = plan.words(settings.lang);
    let report = report::best(&found, &noticed, words);
    plan.write(Told::Other(&report), out)?;
    let record = report::best_record(&found, own.model_path.as_deref());
    plan.write_beside(RECORD, &record)?;
    let told: Vec<&Diagnostic> =
        noticed.iter().filter(|one| one.severity > Severity::Info).collect();
    emit::findings(told, words, err).map_err(Failure::standard_output)?;
    Ok(ExitStatus::Done)
}

/// The record that goes beside the reports.
const RECORD: &str = "best_checkpoint.json";

/// The record of a run is evidence: only one that this program wrote is written again.
fn refuse_replacing(plan: &drawn::Plan) -> Result<(), Failure> {
    let Some(path) = plan.directory().map(|directory| directory.join(RECORD)) else {
        return Ok(());
    };
    let is_own = match std::fs::read_to_string(&path) {
        Ok(text) => report::is_best_record(&text),
        Err(cause) => cause.kind() == std::io::ErrorKind::NotFound,
    };
    if is_own {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "`{}` was not written by `reportgen best` and would be replaced; write the report elsewhere",
        path.display()
    )))
}

/// One path for every checkpoint would name the wrong model.
fn steps_have_a_place(model_path: Option<&str>) -> Result<(), Failure> {
    match model_path {
        Some(path) if !path.contains("{step}") => Err(Failure::Usage(format!(
            "model_path = \"{path}\" of [best] is the same for every checkpoint: write {{step}} \
             where its step belongs"
        ))),
        _ => Ok(()),
    }
}

fn evaluations(plan: &WirePlan) -> Result<Plan, Failure> {
    let tier = |tier: &WireTier| {
        let at = match (tier.every, tier.at) {
            (Some(every), None) if every > 0 => At::Every(every),
            (None, Some(WireAt::End)) => At::End,
            _ => {
                return Err(Failure::Usage(format!(
                    "tier `{}` of [best.plan] needs either every = STEPS, above 0, or at = \"end\"",
                    tier.name
                )));
            }
        };
        if at == At::End && plan.end.is_none() {
            return Err(Failure::Usage(format!(
                "tier `{}` is due at the end: [best.plan] needs end = LAST_STEP",
                tier.name
            )));
        }
        let datasets = match &tier.datasets {
            Datasets::Names(names) => names.iter().map(|name| (name.clone(), None)).collect(),
            Datasets::Sizes(sizes) => {
                sizes.iter().map(|(name, size)| (name.clone(), Some(*size))).collect()
            }
        };
        Ok(Tier { name: tier.name.clone(), datasets, at })
    };
    let tiers = plan.tier.iter().map(tier).collect::<Result<_, _>>()?;
    Ok(Plan { end: plan.end, tiers })
}
