//! Findings and failures on standard error.

use std::io::{self, Write};

use super::commands::Failure;
use super::exit::ExitStatus;
use crate::diag::{Code, Diagnostic, Location, Severity};
use crate::pipeline::PipelineError;
use crate::render::{RenderError, clean, clean_lines};
use crate::report::Report;
use crate::text::Catalogue;

/// One line a finding, `place: severity[code]: message`, and its help below.
pub(super) fn findings<'a>(
    findings: impl IntoIterator<Item = &'a Diagnostic>,
    words: &Catalogue,
    err: &mut dyn Write,
) -> io::Result<()> {
    for finding in findings {
        let message = words.message(finding);
        let label = (finding.severity, finding.code, finding.accepted.is_some());
        line(finding.location.as_ref(), label, &message, words, err)?;
        if let Some(help) = words.help(finding) {
            writeln!(err, "  {}", clean(&words.fill("notice.hint", &[("help", &help)])))?;
        }
    }
    Ok(())
}

/// The findings of a report that are more than remarks, one line each. The rest is in the report.
pub(super) fn notice(report: &Report, words: &Catalogue, err: &mut dyn Write) -> io::Result<()> {
    for finding in report.diagnostics.iter().filter(|one| one.severity > Severity::Info) {
        let message = &finding.local_message;
        let label = (finding.severity, finding.code, finding.accepted.is_some());
        line(finding.location.as_ref(), label, message, words, err)?;
    }
    Ok(())
}

/// Names and messages come from the runs: what a terminal would obey is written out.
fn line(
    location: Option<&Location>,
    (severity, code, accepted): (Severity, Code, bool),
    message: &str,
    words: &Catalogue,
    err: &mut dyn Write,
) -> io::Result<()> {
    let place = location.map(|location| format!("{location}: ")).unwrap_or_default();
    let severity = words.get(match severity {
        Severity::Error => "notice.error",
        Severity::Warning => "notice.warning",
        Severity::Info => "notice.info",
    });
    let accepted = if accepted { words.get("notice.accepted") } else { String::new() };
    writeln!(err, "{}", clean(&format!("{place}{severity}[{code}]{accepted}: {message}")))
}

/// Says why a command failed and returns its status: in English, but for findings. A closed pipe is not a failure.
pub(super) fn failure(failure: &Failure, err: &mut dyn Write) -> ExitStatus {
    if let Failure::Write { source, .. } = failure
        && source.kind() == io::ErrorKind::BrokenPipe
    {
        return ExitStatus::Done;
    }
    if let Failure::Pipeline { source: PipelineError::EmptyRun { diagnostics, .. }, lang } = failure
    {
        let _unwritable = findings(diagnostics, Catalogue::of(lang), err);
    }
    let mut message = failure.to_string();
    let mut cause = std::error::Error::source(failure);
    while let Some(error) = cause {
        let text = error.to_string();
        if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
        // It has said what the template engine said.
        if error.is::<RenderError>() {
            break;
        }
        cause = error.source();
    }
    let _unwritable = writeln!(err, "error: {}", clean_lines(&message));
    failure.status()
}
