//! What the report of a comparison has for the regions of a document.

use crate::cli::args::FillArguments;
use crate::diag::Diagnostic;
use crate::fill::Parts;
use crate::kinds;
use crate::model::shell_word;
use crate::pipeline::Stages;
use crate::quantity::Moment;
use crate::render::{RenderError, section_markdown};
use crate::report::block::Block;
use crate::settings::Settings;

/// The region for the sentences that a report begins with.
pub(super) const ANSWER: &str = "answer";

/// Sections in which people write: their places cannot stand in a region.
const FOR_PEOPLE: [&str; 2] = ["prose-findings", "conclusion"];

/// The sections of the report of `compare`, by their ids, and the sentences above them.
pub(super) fn parts(
    (stages, noticed): (&Stages<'_>, &[Diagnostic]),
    settings: &Settings,
    (arguments, now): (&FillArguments, Moment),
) -> Result<Parts, RenderError> {
    let command = command(arguments);
    let report = kinds::comparison(stages, noticed.to_vec(), settings, (&command, now));
    let headline = report.headline;
    let sentences = [headline.result, headline.trust, headline.next];
    let sentences = sentences.into_iter().filter(|text| !text.is_empty()).map(Block::paragraph);
    let answer = (ANSWER, sentences.collect());
    let sections = report.sections.into_iter().map(|section| (section.id, section.blocks));
    let names = std::iter::once(ANSWER).chain(kinds::comparison_sections());
    let names = names.filter(|name| !FOR_PEOPLE.contains(name));
    let mut parts: Parts = names.map(|name| (name.to_owned(), String::new())).collect();
    let drawn = std::iter::once(answer).chain(sections);
    for (id, blocks) in drawn.filter(|(name, _)| !FOR_PEOPLE.contains(name)) {
        let drawn = section_markdown(&blocks, settings.lang, settings.catalogues)?;
        parts.insert(id.to_owned(), drawn.trim().to_owned());
    }
    Ok(parts)
}

/// The command that renews the document, whatever else this one was asked.
pub(super) fn command(arguments: &FillArguments) -> String {
    let path = |path: &std::path::Path| path.display().to_string();
    let mut words = vec!["reportgen".to_owned(), "fill".to_owned(), path(&arguments.document)];
    words.extend(arguments.runs.iter().map(|run| path(run)));
    words.extend(arguments.vary.iter().flat_map(|key| ["--vary".to_owned(), key.clone()]));
    let config = arguments.config.iter().flat_map(|file| ["--config".to_owned(), path(file)]);
    words.extend(config.chain(["--write".to_owned()]));
    let words: Vec<String> = words.iter().map(|word| shell_word(word)).collect();
    words.join(" ")
}
