//! Figures, differences, gates and findings as gauges, in the text format of `OpenMetrics`
//! (<https://prometheus.io/docs/specs/om/open_metrics_spec/>). What is not known has no sample.

use std::fmt::Write as _;

use serde_json::Value;

use super::escape::clean;
use super::{Format, RenderError, RenderOptions};
use crate::diag::Severity;
use crate::report::{Report, Sheet};

/// How a gate can come out.
const OUTCOMES: [&str; 4] = ["pass", "fail", "inconclusive", "not-gateable"];

pub(super) struct OpenMetrics;

impl Format for OpenMetrics {
    fn name(&self) -> &'static str {
        "openmetrics"
    }

    fn extension(&self) -> &'static str {
        "prom"
    }

    fn signature(&self) -> Option<&'static str> {
        Some("# TYPE reportgen_")
    }

    fn render(&self, report: &Report, _: &RenderOptions) -> Result<String, RenderError> {
        let mut text = String::new();
        let rows = report.data.get("comparisons").and_then(Value::as_array);
        let rows = || rows.into_iter().flatten();
        family(
            &mut text,
            "value",
            "Figure of an arm in the unit of its metric.",
            rows().flat_map(|row| {
                ["baseline", "candidate"].into_iter().filter_map(|arm| {
                    let mut labels = labels(row);
                    labels.push(("arm", arm.to_owned()));
                    Some((labels, Sheet::text(known(row.get(arm)?.get("value")?)?)))
                })
            }),
        );
        let delta = |row: &Value| {
            let delta = known(row.get("delta")?.get("absolute")?)?;
            Some((labels(row), Sheet::text(delta)))
        };
        let help = "Candidate minus baseline; percentage points for rates.";
        family(&mut text, "difference", help, rows().filter_map(delta));
        let gates = report.gates.iter().flat_map(|gate| {
            OUTCOMES.into_iter().map(|outcome| {
                let labels = vec![("gate", gate.name.clone()), ("outcome", outcome.to_owned())];
                (labels, u8::from(gate.outcome == outcome).to_string())
            })
        });
        family(&mut text, "gate", "1 for the outcome of a gate, 0 for the others.", gates);
        let kinds =
            [("error", Severity::Error), ("warning", Severity::Warning), ("info", Severity::Info)];
        let findings = kinds.into_iter().map(|(name, severity)| {
            let count = report.findings.iter().filter(|one| one.severity == severity).count();
            (vec![("severity", name.to_owned())], count.to_string())
        });
        family(&mut text, "findings", "Findings of a severity.", findings);
        text.push_str("# EOF\n");
        Ok(text)
    }
}

fn known(value: &Value) -> Option<&Value> {
    value.is_number().then_some(value)
}

/// What tells a comparison from the others.
fn labels(row: &Value) -> Vec<(&'static str, String)> {
    let text = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let dims = row.get("dims").and_then(Value::as_object);
    let dims = dims.into_iter().flatten();
    let dims: Vec<String> =
        dims.map(|(key, value)| format!("{key}={}", Sheet::text(value))).collect();
    vec![
        ("metric", text("metric")),
        ("dataset", text("dataset")),
        ("dims", dims.join(",")),
        ("baseline_run", text("baseline_run")),
        ("candidate_run", text("candidate_run")),
        ("unit", text("unit")),
    ]
}

type Sample = (Vec<(&'static str, String)>, String);

/// A family of gauges; one without samples is left out.
fn family(text: &mut String, name: &str, help: &str, samples: impl Iterator<Item = Sample>) {
    let mut samples = samples.peekable();
    if samples.peek().is_none() {
        return;
    }
    let _infallible =
        write!(text, "# TYPE reportgen_{name} gauge\n# HELP reportgen_{name} {help}\n");
    for (labels, value) in samples {
        let labels = labels.iter().filter(|(_, value)| !value.is_empty());
        let labels: Vec<String> =
            labels.map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
        let _infallible = writeln!(text, "reportgen_{name}{{{}}} {value}", labels.join(","));
    }
}

fn escaped(value: &str) -> String {
    clean(value).replace('\\', "\\\\").replace('"', "\\\"")
}
