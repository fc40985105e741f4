//! Findings and gates as commands that a runner of GitHub reads from what a program prints.
//!
//! The names of runs stand in what is printed too: what would be a command there is broken.

use super::escape::{BREAKER, clean};
use crate::diag::Severity;
use crate::gate::GateEffect;
use crate::report::Report;
use crate::text::Catalogue;

/// A runner shows ten of a level for each step
/// (<https://docs.github.com/en/rest/checks/runs#annotations-object>).
pub const MOST_ANNOTATIONS: usize = 10;

/// One line for each gate that does not pass and each finding with a place that is more than a
/// remark, and one that says how many more there are.
pub fn annotations(report: &Report, words: &Catalogue) -> String {
    let gates = report.gates.iter().filter_map(|gate| {
        let level = match gate.effect {
            GateEffect::Fails | GateEffect::Blocks => "error",
            GateEffect::None if gate.passes => return None,
            GateEffect::None => "warning",
        };
        let title = [("title", format!("gate {}", gate.name))];
        Some((level, annotation(level, &title, &gate.local_reason)))
    });
    let findings = report.findings.iter().filter_map(|finding| {
        let place = finding.location.as_ref()?;
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => return None,
        };
        let level = if finding.accepted.is_some() { "notice" } else { level };
        let line = place.line.map(|line| ("line", line.to_string()));
        let fields = std::iter::once(("file", place.path.clone())).chain(line);
        let fields = fields.chain([("title", finding.code.id().to_owned())]);
        Some((level, annotation(level, &fields.collect::<Vec<_>>(), &finding.local_message)))
    });
    let (mut text, mut left_out) = (String::new(), 0);
    let all: Vec<(&str, String)> = gates.chain(findings).collect();
    for level in ["error", "warning", "notice"] {
        let lines: Vec<&String> =
            all.iter().filter(|(of, _)| *of == level).map(|(_, line)| line).collect();
        left_out += lines.len().saturating_sub(MOST_ANNOTATIONS);
        text.extend(lines.into_iter().take(MOST_ANNOTATIONS).map(|line| line.clone() + "\n"));
    }
    if left_out > 0 {
        text.push_str(&words.fill("annotations.more", &[("count", left_out)]));
        text.push('\n');
    }
    text
}

/// `::error file=a,line=1::message`, escaped as the toolkit does
/// (<https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts>).
pub fn annotation(level: &str, fields: &[(&str, String)], message: &str) -> String {
    let data = |text: &str| clean(text).replace('%', "%25");
    let field = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("{name}={}", field(value))).collect();
    format!("::{level} {}::{}", fields.join(","), data(message))
}

/// What is printed beside annotations, with nothing in it that a runner takes for a command: a line
/// that begins with `::`, or `##[` and `##vso[` (Azure Pipelines) anywhere.
pub fn without_commands(text: &str) -> String {
    let broken = text.split_inclusive('\n').map(|line| {
        let spaces = line.len() - line.trim_start().len();
        let (lead, rest) = line.split_at(spaces);
        let mark = if rest.starts_with("::") { String::from(BREAKER) } else { String::new() };
        let rest = rest.replace("##[", &format!("#{BREAKER}#["));
        format!("{lead}{mark}{}", rest.replace("##vso[", &format!("#{BREAKER}#vso[")))
    });
    broken.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expected values by the functions escapeData and escapeProperty of actions/toolkit.
    #[test]
    fn signs_that_end_a_field_or_a_line_are_written_as_the_toolkit_does() {
        let fields = [("file", "a,b:c%.csv".to_owned()), ("line", "3".to_owned())];
        assert_eq!(
            annotation("error", &fields, "100% of a:b, c"),
            "::error file=a%2Cb%3Ac%25.csv,line=3::100%25 of a:b, c"
        );
        let line =
            annotation("error", &[("title", "x\r\n::warning::y".to_owned())], "p\n::error::q");
        assert!(!line.contains(['\r', '\n']), "{line}");
    }

    #[test]
    fn names_of_runs_are_no_commands_where_they_are_printed() {
        let found = without_commands("a ::b\n  ::error::x\n##[add-mask]\n##vso[task]k\nlast");
        let broken =
            "a ::b\n  \u{200B}::error::x\n#\u{200B}#[add-mask]\n#\u{200B}#vso[task]k\nlast";
        assert_eq!(found, broken);
    }
}
