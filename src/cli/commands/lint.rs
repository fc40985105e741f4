//! `reportgen lint`.

use std::fs;

use serde_json::json;

use crate::cli::Streams;
use crate::cli::args::{LintArguments, LintFormat};
use crate::exit::{ExitStatus, Failure};
use crate::lint::{self, Rule};
use crate::model::without_secrets;
use crate::render::clean;
use crate::text::Catalogue;

pub(super) fn run_command(
    arguments: &LintArguments,
    streams: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    let words = Catalogue::shipped(arguments.lang.unwrap_or(streams.surroundings.lang));
    let is_chosen = |rule: &Rule| {
        let names = |list: &[String]| list.iter().any(|name| name == rule.name);
        let is_on = if arguments.only.is_empty() { rule.is_on } else { names(&arguments.only) };
        is_on && !names(&arguments.skip)
    };
    let mut count = 0;
    for path in &arguments.documents {
        let text = fs::read_to_string(path).map_err(|source| Failure::read(path, source))?;
        let path = path.display().to_string();
        for finding in lint::lint(&text, is_chosen) {
            count += 1;
            let (line, column) = (finding.line, finding.column);
            let message = clean(&without_secrets(&finding.message.in_words(words)));
            let shown = match arguments.format {
                LintFormat::Text => {
                    format!("{}:{line}:{column}: {message} [{}]", clean(&path), finding.rule)
                }
                LintFormat::Json => {
                    let rule = finding.rule;
                    json!({"path": path, "line": line, "column": column, "rule": rule, "message": message})
                        .to_string()
                }
            };
            writeln!(streams.out, "{shown}").map_err(Failure::standard_output)?;
        }
    }
    if count == 0 {
        return Ok(ExitStatus::Done);
    }
    let documents = arguments.documents.len();
    let summary = words.fill("lint.summary", &[("count", count), ("documents", documents)]);
    writeln!(streams.err, "{summary}").map_err(Failure::standard_output)?;
    Ok(ExitStatus::GateFailed)
}
