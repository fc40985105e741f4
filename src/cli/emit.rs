//! Findings and failures on standard error.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::diag::{Code, Diagnostic, Location, Severity};
use crate::exit::{ExitStatus, Failure};
use crate::model::without_secrets;
use crate::render::{RenderError, clean, clean_lines};
use crate::report::{FindingView, Report};
use crate::text::{self, Catalogue};

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
            hint(&help, words, err)?;
        }
    }
    Ok(())
}

/// Findings of one code that have a line each.
const MOST_ALIKE: usize = 10;

/// Facts of findings about what the user wrote: names that come close, or what may be meant.
const WORDS_OF_A_SLIP: [&str; 2] = ["near", "meant"];

/// The findings of a report that are more than remarks, one line each, the gravest first, with what
/// to do where the user wrote something that is not there. The rest is in the report.
pub(super) fn notice(report: &Report, words: &Catalogue, err: &mut dyn Write) -> io::Result<()> {
    let loud = report.findings.iter().filter(|finding| finding.severity > Severity::Info);
    let mut gravest_first: Vec<&FindingView> = loud.collect();
    gravest_first.sort_by_key(|finding| Reverse(finding.severity));
    let mut told: BTreeMap<(Reverse<Severity>, Code), usize> = BTreeMap::new();
    for finding in gravest_first {
        let alike = told.entry((Reverse(finding.severity), finding.code)).or_default();
        *alike += 1;
        if *alike > MOST_ALIKE {
            continue;
        }
        let message = &finding.local_message;
        let label = (finding.severity, finding.code, finding.accepted.is_some());
        line(finding.location.as_ref(), label, message, words, err)?;
        let is_slip = WORDS_OF_A_SLIP.iter().any(|fact| finding.evidence.contains_key(*fact));
        if let Some(help) = finding.local_help.as_ref().filter(|_| is_slip) {
            hint(help, words, err)?;
        }
    }
    for ((Reverse(severity), code), alike) in told {
        if let Some(more) = alike.checked_sub(MOST_ALIKE).filter(|more| *more > 0) {
            let message = words.fill("notice.more", &[("more", more)]);
            line(None, (severity, code, false), &message, words, err)?;
        }
    }
    Ok(())
}

fn hint(help: &str, words: &Catalogue, err: &mut dyn Write) -> io::Result<()> {
    writeln!(err, "  {}", clean(&words.fill("notice.hint", &[("help", help)])))
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

/// Says why a command failed and returns its status: what was noticed before in the words of the
/// report, the cause in `words`.
pub(super) fn failure(failure: &Failure, words: &Catalogue, err: &mut dyn Write) -> ExitStatus {
    if let Some((noticed, words)) = &failure.noticed {
        let _unwritable = findings(noticed, words, err);
    }
    let cause = failure.cause.as_ref();
    // It has said what the template engine said.
    let is_whole = cause.is::<RenderError>();
    let message = if is_whole { cause.to_string() } else { text::causes(cause, words) };
    let message = words.fill("refused.error", &[("message", message)]);
    // What is quoted may be a line of a configuration.
    let _unwritable = writeln!(err, "{}", clean_lines(&without_secrets(&message)));
    failure.status
}
