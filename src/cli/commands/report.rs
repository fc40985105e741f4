//! `reportgen report`: another command's report, drawn by a template of the user.

use std::io::Write;
use std::path::Path;

use indexmap::IndexMap;
use serde::Deserialize;

use super::{Failure, choices};
use crate::cli::args::{self, Own, ReportArguments};
use crate::cli::exit::ExitStatus;
use crate::cli::{Surroundings, usage};
use crate::render::{OwnKind, OwnWords};
use crate::settings;
use crate::text::{LANGUAGES, Lang};

/// What `reportgen.toml` says of reports.
#[derive(Debug, Default, Deserialize)]
struct File {
    #[serde(default)]
    report: IndexMap<String, Declared>,
}

/// One report.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Declared {
    from: String,
    template: String,
    title: Option<Title>,
    #[serde(default)]
    words: IndexMap<Lang, IndexMap<String, String>>,
}

/// A title for all languages, or titles by language.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a title is a text, or a table such as { en = \"…\", zh = \"…\" }")]
enum Title {
    One(String),
    Each(IndexMap<Lang, String>),
}

pub(super) fn run(
    mut arguments: ReportArguments,
    command: &str,
    surroundings: Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    arguments.settle();
    let Some((path, text)) = choices::file(arguments.config.as_deref())? else {
        return Err(Failure::Usage(format!(
            "there is no reportgen.toml here to declare [report.{}]; write one, or name it with \
             --config FILE",
            arguments.name
        )));
    };
    let file: File = settings::tables(Some((&path, &text)))?;
    let declared = declared(&file, &arguments.name, &path)?;
    let parsed = match args::parsed(&declared.from, arguments.config.as_ref(), &arguments.rest) {
        Ok(parsed) => parsed,
        Err(error) => return Ok(usage(&error, out, err)),
    };
    let beside = Path::new(&path).with_file_name(&declared.template);
    let own = Own { kind: kind(declared), beside };
    let Some(source) = parsed.command.drawn_as(own) else {
        return Err(no_source(declared, &arguments.name, &path));
    };
    super::dispatch(source, command, surroundings, out, err)
}

fn declared<'f>(file: &'f File, name: &str, path: &str) -> Result<&'f Declared, Failure> {
    let Some(declared) = file.report.get(name) else {
        let names: Vec<&str> = file.report.keys().map(String::as_str).collect();
        let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        return Err(Failure::Usage(format!(
            "`{path}` declares no report `{name}`; those it declares: {there}"
        )));
    };
    if args::sources().contains(&declared.from) {
        Ok(declared)
    } else {
        Err(no_source(declared, name, path))
    }
}

fn no_source(declared: &Declared, name: &str, path: &str) -> Failure {
    Failure::Usage(format!(
        "`{path}`, [report.{name}]: from = \"{}\" is no command that makes a report; there are {}",
        declared.from,
        args::sources().join(", ")
    ))
}

fn kind(declared: &Declared) -> OwnKind {
    let title = |lang: Lang| match &declared.title {
        None => None,
        Some(Title::One(text)) => Some(text.clone()),
        Some(Title::Each(texts)) => texts.get(lang).cloned(),
    };
    let texts = |lang: Lang| declared.words.get(lang).cloned().unwrap_or_default();
    let words = |lang| OwnWords { title: title(lang), texts: texts(lang) };
    OwnKind {
        template: declared.template.clone(),
        words: LANGUAGES.iter().map(|lang| (*lang, words(lang))).collect(),
    }
}
