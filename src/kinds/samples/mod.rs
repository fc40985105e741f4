//! `samples`: the samples that changed sides, with what was asked and what each run answered.

pub mod analysis;
mod args;
mod beside;
mod report;

use clap::Args as _;

use super::arms::{ArmsArguments, PreparedArms};
use super::{Kind, Made, Request, parsed};
use crate::collect::ReadOptions;
use crate::exit::{ExitStatus, Failure};
use crate::pipeline;
use crate::report::section_ids;
use crate::settings::Flags;
use crate::text::Refusal;
use analysis::{Selection, UnknownName};
use args::SamplesArguments;
use report::Budget;

pub(super) use beside::{SamplesBeside, with_samples};

pub(super) static KIND: Kind = Kind {
    name: "samples",
    about: "Show the samples that changed sides, with prompt, target and both answers",
    examples: args::EXAMPLES,
    has_table: false,
    has_sheet: true,
    section_ids: || section_ids(report::PARTS),
    add_arguments: SamplesArguments::augment_args,
    run: |matches, request| run(parsed(matches)?, request),
};

/// Most samples that are shown as text, and in other formats.
const MOST_AS_TEXT: usize = 20;
const MOST: usize = 200;
/// Bytes of texts that are shown unless a number of samples is asked for, and at the most.
const BYTES: usize = 1_800_000;
const MOST_BYTES: usize = 18_000_000;

fn run(arguments: SamplesArguments, request: &Request<'_>) -> Result<Made, Failure> {
    let conditions = conditions(&arguments.conditions)?;
    let SamplesArguments { runs, baseline, across, changed, metric, dataset, .. } = arguments;
    let named = ArmsArguments { runs, baseline, across, ..ArmsArguments::default() };
    let PreparedArms { settings, arms, noticed, .. } =
        PreparedArms::new(&named, Flags::default(), request)?;
    let words = settings.words();
    let is_text = request.output.formats().iter().all(|format| format.name() == "md");
    let most = if is_text { MOST_AS_TEXT } else { MOST };
    let bytes = if arguments.show.is_some() { MOST_BYTES } else { BYTES };
    let selection = Selection {
        metric: metric.map(|name| settings.names.canonical(&name).to_owned()),
        dataset,
        changed: changed.map(Into::into),
        conditions,
        redacted: arguments.redact,
        limit: arguments.show.unwrap_or(most),
        image_bytes: image_bytes(arguments.images, bytes, request)?,
    };
    let is_read_at_once = !request.output.goes_to_files();
    let has_images = arguments.images;
    let budget = Budget { bytes, redacted: &selection.redacted, is_read_at_once, has_images };
    let options = ReadOptions::from(&settings);
    let made = pipeline::pair(&arms, &settings, noticed, |paired, noticed| {
        let browsed = analysis::browse(paired, &selection, &options).map_err(unknown)?;
        let report = report::report(&browsed, &noticed, &budget, words);
        Ok(Made::new(report, ExitStatus::Done))
    });
    made.map_err(|error| error.into_failure(words))?
}

/// The bytes of images that are read, where they are asked for.
fn image_bytes(
    is_asked: bool,
    bytes: usize,
    request: &Request<'_>,
) -> Result<Option<usize>, Failure> {
    let has_page = request.output.formats().iter().any(|format| format.name() == "html");
    if is_asked && !has_page {
        return Err(Failure::refused("refused.images", &[]));
    }
    Ok(is_asked.then_some(bytes))
}

/// Names a metric, dataset or field that no run has, and those that there are.
fn unknown(name: UnknownName) -> Failure {
    let (refusal, name, known) = match name {
        UnknownName::Metric(name, known) => (Refusal::new("refused.browse-metric"), name, known),
        UnknownName::Dataset(name, known) => (Refusal::new("refused.browse-dataset"), name, known),
        UnknownName::Field(name, known) => (Refusal::new("refused.browse-field"), name, known),
    };
    Failure::usage(refusal.with("name", name.as_str()).among(&name, known))
}

/// `--where FIELD=VALUE`.
fn conditions(words: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let condition = |word: &str| {
        let (field, value) = word.split_once('=').filter(|(field, _)| !field.trim().is_empty())?;
        Some((field.trim().to_owned(), value.trim().to_owned()))
    };
    let read = |word: &String| {
        let refused = || Failure::refused("refused.browse-where", &[("text", word)]);
        condition(word).ok_or_else(refused)
    };
    words.iter().map(read).collect()
}
