//! Gates as test cases, in the XML that continuous integration reads as the results of tests
//! (<https://github.com/testmoapp/junitxml>). A result is no case of its own: what is worse is a
//! failure only where a gate says so.

use super::escape::xml;
use super::{Format, RenderError, RenderOptions};
use crate::gate::GateEffect;
use crate::report::Report;
use crate::report::data::GateView;

pub(super) struct JUnit;

impl Format for JUnit {
    fn name(&self) -> &'static str {
        "junit"
    }

    fn extension(&self) -> &'static str {
        "junit.xml"
    }

    fn signature(&self) -> Option<&'static str> {
        Some("<testsuites name=\"reportgen\"")
    }

    fn render(&self, report: &Report, _: &RenderOptions) -> Result<String, RenderError> {
        let outcomes: Vec<Option<&str>> = report.gates.iter().map(outcome).collect();
        let count = |wanted: &str| outcomes.iter().filter(|one| **one == Some(wanted)).count();
        let counts = format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
            outcomes.len(),
            count("failure"),
            count("error"),
            count("skipped"),
        );
        let cases = report.gates.iter().zip(&outcomes).map(|(gate, outcome)| {
            let said = outcome.map_or_else(
                || format!("      <system-out>{}</system-out>\n", xml(&gate.reason)),
                |name| {
                    let message = format!("{}: {}", gate.outcome, gate.reason);
                    let rule = xml(&gate.rule);
                    format!("      <{name} message=\"{}\">{rule}</{name}>\n", xml(&message))
                },
            );
            let class = format!("reportgen.{}.gate", report.kind);
            format!(
                "    <testcase classname=\"{class}\" name=\"{}\">\n{said}    </testcase>\n",
                xml(&gate.name)
            )
        });
        let cases: String = cases.collect();
        Ok(format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuites name=\"reportgen\" {counts}>\n  \
             <testsuite name=\"{}\" {counts}>\n{cases}  </testsuite>\n</testsuites>\n",
            report.kind
        ))
    }
}

/// The element that says how a case ended; none for one that passed.
fn outcome(gate: &GateView) -> Option<&'static str> {
    match gate.effect {
        GateEffect::Fails => Some("failure"),
        GateEffect::Blocks => Some("error"),
        GateEffect::None if gate.passes => None,
        GateEffect::None => Some("skipped"),
    }
}
