//! `reportgen lint`.

mod against;
mod choice;
mod documents;
mod fix;
mod shown;

use std::collections::BTreeSet;
use std::path::PathBuf;

use rayon::iter::{
    IntoParallelIterator as _, IntoParallelRefMutIterator as _, ParallelIterator as _,
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
    let rules = Rules { choice: &choice, translated: documents::translated(&paths) };
    let mut checked: Vec<Checked> = paths
        .into_par_iter()
        .map(|path| Ok(rules.check(documents::read(path)?)))
        .collect::<Result<_, Failure>>()?;
    if arguments.write {
        for one in &mut checked {
            if let Some(mended) = fix::write(one)? {
                *one = rules.check(Document { text: mended, ..one.document.clone() });
            }
        }
    }
    compare(&mut checked);
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

/// Which rules apply to which documents.
struct Rules<'c> {
    choice: &'c Choice,
    /// The documents that there are in several languages.
    translated: BTreeSet<PathBuf>,
}

impl Rules<'_> {
    fn check(&self, document: Document) -> Checked {
        let is_alone = document.path.as_ref().is_none_or(|path| !self.translated.contains(path));
        let (findings, figures) = lint::lint_with_figures(&document.text, |rule| {
            self.choice.applies(rule, &document.shown) && !(is_alone && rule.name == TWO_VALUES)
        });
        Checked { document, findings, figures }
    }
}

/// Sets the tables of all documents against each other.
fn compare(checked: &mut [Checked]) {
    let figures = checked
        .iter_mut()
        .map(|one| (one.document.shown.clone(), std::mem::take(&mut one.figures)));
    let figures: Vec<_> = figures.collect();
    for (at, finding) in lint::contradictions(&figures) {
        let Some(one) = checked.get_mut(at) else { continue };
        let mut finding = vec![finding];
        lint::keep_unallowed(&one.document.text, &mut finding);
        one.findings.append(&mut finding);
        one.findings.sort_by_key(|finding| (finding.line, finding.column));
    }
}
