//! `reportgen report`: another command's report, drawn by a template of the user.

use std::ffi::OsString;
use std::path::Path;

use indexmap::IndexMap;
use serde::Deserialize;

use crate::cli::args::{self, Asked, ReportArguments};
use crate::cli::{Streams, config, reports, usage};
use crate::exit::{ExitStatus, Failure};
use crate::kinds::{self, KINDS};
use crate::output::Own;
use crate::render::{OwnKind, OwnWords};
use crate::settings;
use crate::text::{LANGUAGES, Lang, Refusal};

#[derive(Debug, Default, Deserialize)]
struct File {
    #[serde(default)]
    report: IndexMap<String, Declared>,
}

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

pub(super) fn run_command(
    mut arguments: ReportArguments,
    line: &str,
    streams: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    arguments.take_config();
    let is_untrusted = config::is_untrusted(&arguments.rest);
    let Some(file) = config::file(arguments.config.as_deref(), None, is_untrusted)? else {
        return Err(Failure::refused("refused.no-config", &[("name", &arguments.name)]));
    };
    let reports: File = settings::tables(Some(&file), &[]).map_err(Failure::usage)?;
    let declared = declared(&reports, &arguments.name, &file.path)?;
    let mut words: Vec<OsString> = vec!["reportgen".into(), declared.from.clone().into()];
    words.append(&mut arguments.rest);
    if let Some(config) = arguments.config {
        words.extend(["--config".into(), config.into_os_string()]);
    }
    let asked = match args::parse(&words) {
        Ok(Asked::Report(asked)) => asked,
        Ok(Asked::Other(_)) => return Err(no_kind(declared, &arguments.name, &file.path)),
        Err(error) => return Ok(usage(&error, &words, streams)),
    };
    let beside = Path::new(&file.path).with_file_name(&declared.template);
    let own = Own { kind: kind(&arguments.name, declared), beside };
    reports::run_report_command(asked, Some(&own), line, streams)
}

fn declared<'f>(file: &'f File, name: &str, path: &str) -> Result<&'f Declared, Failure> {
    let Some(declared) = file.report.get(name) else {
        let refusal = Refusal::new("refused.no-report").with("path", path).with("name", name);
        return Err(Failure::usage(refusal.among(name, file.report.keys())));
    };
    match kinds::find(&declared.from) {
        Some(_) => Ok(declared),
        None => Err(no_kind(declared, name, path)),
    }
}

fn no_kind(declared: &Declared, name: &str, path: &str) -> Failure {
    let refusal = Refusal::new("refused.no-kind").with("path", path).with("name", name);
    let refusal = refusal.with("from", declared.from.as_str());
    Failure::usage(refusal.among(&declared.from, KINDS.iter().map(|kind| kind.name)))
}

fn kind(name: &str, declared: &Declared) -> OwnKind {
    let title = |lang: Lang| match &declared.title {
        None => None,
        Some(Title::One(text)) => Some(text.clone()),
        Some(Title::Each(texts)) => texts.get(lang).cloned(),
    };
    let texts = |lang: Lang| declared.words.get(lang).cloned().unwrap_or_default();
    let words = |lang| OwnWords { title: title(lang), texts: texts(lang) };
    OwnKind {
        name: name.to_owned(),
        template: declared.template.clone(),
        words: LANGUAGES.iter().map(|lang| (*lang, words(lang))).collect(),
    }
}
