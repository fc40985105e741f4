//! `reportgen lint`.

mod against;
mod choice;
mod documents;
mod fix;
mod shown;

use std::collections::BTreeSet;

use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelRefIterator as _, IntoParallelRefMutIterator as _,
    ParallelIterator as _,
};

use crate::cli::args::{LintArguments, LintFormat};
use crate::cli::{Streams, config};
use crate::exit::{ExitStatus, Failure};
use crate::lint::{self, Figures, Finding, TWO_VALUES};
use crate::settings::Flags;
use crate::text::{Catalogue, Lang};
use against::{Against, Tally};
use choice::Choice;
use documents::{Coding, Document};

/// A document and what was found in it.
struct Checked {
    document: Document,
    findings: Vec<Finding>,
    figures: Vec<Figures>,
}

pub(super) fn run_command(
    arguments: &LintArguments,
    streams: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    fix::check(arguments)?;
    let file = config::file(arguments.config.as_deref(), None, false)?;
    let choice = Choice::new(arguments, file.as_ref()).map_err(Failure::usage)?;
    let lang = arguments.lang.or(choice.lang).unwrap_or(streams.surroundings.lang);
    let words = Catalogue::shipped(lang);
    let paths = documents::paths(&arguments.documents)?;
    let names: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
    let versions = lint::versions(names.iter().map(AsRef::as_ref));
    let translated: BTreeSet<usize> = versions.iter().flatten().copied().collect();
    let check =
        |at: usize, document: Document| checked(document, &choice, translated.contains(&at));
    let mut checked: Vec<Checked> = paths
        .par_iter()
        .enumerate()
        .map(|(at, path)| Ok(check(at, documents::read(path.clone())?)))
        .collect::<Result<_, Failure>>()?;
    if arguments.write {
        for (at, one) in checked.iter_mut().enumerate() {
            if let Some(mended) = fix::write(one)? {
                *one = check(at, Document { text: mended, ..one.document.clone() });
            }
        }
    }
    compare(&mut checked, &versions);
    let mut status = ExitStatus::Done;
    for one in &checked {
        let Some(refusal) = one.document.coding.refusal(&one.document.shown) else { continue };
        tell(&refusal.in_words(words), streams)?;
        if one.document.coding == Coding::Utf16 {
            status = ExitStatus::InputOutput;
        }
    }
    if !arguments.against.is_empty()
        && is_in_vain(arguments, &mut checked, &choice, (lang, streams))?
    {
        status = ExitStatus::NotGateable;
    }
    let shown = if arguments.fix && !arguments.write {
        checked.iter().map(fix::diff).collect()
    } else {
        let annotates = streams.surroundings.annotates;
        let format = if annotates { LintFormat::Github } else { LintFormat::Text };
        shown::findings(&checked, arguments.format.unwrap_or(format), words)
    };
    streams.out.write_all(shown.as_bytes()).map_err(Failure::standard_output)?;
    let count = checked.iter().map(|one| one.findings.len()).sum::<usize>();
    if count == 0 {
        return Ok(status);
    }
    tell(&words.fill("lint.summary", &[("count", count), ("documents", checked.len())]), streams)?;
    Ok(if status == ExitStatus::Done { ExitStatus::GateFailed } else { status })
}

/// Sets the figures of documents against runs; whether none of them was found there.
fn is_in_vain(
    arguments: &LintArguments,
    checked: &mut [Checked],
    choice: &Choice,
    (lang, streams): (Lang, &mut Streams<'_>),
) -> Result<bool, Failure> {
    let words = Catalogue::shipped(lang);
    let flags = Flags { lang: Some(lang), ..Flags::default() };
    let config = (arguments.config.as_deref(), &flags);
    let against = Against::new(&arguments.against, config, words, streams)?;
    let tallies = checked.par_iter_mut().map(|one| {
        let is_asked = choice::asks_for_runs(choice, &one.document.shown);
        against.check(one, is_asked)
    });
    let tallies: Vec<Tally> = tallies.collect::<Result<_, Failure>>()?;
    let tally = tallies.iter().fold(Tally::default(), Tally::plus);
    tell(&tally.in_words(words), streams)?;
    if tally.is_in_vain() {
        tell(&against.known().in_words(words), streams)?;
    }
    Ok(tally.is_in_vain())
}

fn tell(text: &str, streams: &mut Streams<'_>) -> Result<(), Failure> {
    writeln!(streams.err, "{text}").map_err(Failure::standard_output)
}

fn checked(document: Document, choice: &Choice, is_translated: bool) -> Checked {
    let (findings, figures) = lint::lint_with_figures(&document.text, |rule| {
        choice.applies(rule, &document.shown) && (is_translated || rule.name != TWO_VALUES)
    });
    Checked { document, findings, figures }
}

/// Sets the tables of the versions of a document against each other.
fn compare(checked: &mut [Checked], versions: &[Vec<usize>]) {
    let figures = checked
        .iter_mut()
        .map(|one| (one.document.shown.clone(), std::mem::take(&mut one.figures)));
    let figures: Vec<_> = figures.collect();
    let found = lint::contradictions(&figures, versions);
    let changed: BTreeSet<usize> = found.iter().map(|(at, _)| *at).collect();
    for (at, finding) in found {
        if let Some(one) = checked.get_mut(at) {
            one.findings.push(finding);
        }
    }
    for at in changed {
        let Some(one) = checked.get_mut(at) else { continue };
        lint::keep_unallowed(&one.document.text, &mut one.findings);
        one.findings.sort_by_key(|finding| (finding.line, finding.column));
    }
}
