//! What stands where in the data of a report.

use serde_json::Value;

pub(crate) fn list<'r>(value: &'r Value, key: &str) -> &'r [Value] {
    let found = value[key].as_array().map(Vec::as_slice);
    found.ok_or_else(|| format!("`{key}` of {value}")).expect("a list")
}

pub(crate) fn text<'r>(value: &'r Value, key: &str) -> &'r str {
    value[key].as_str().ok_or_else(|| format!("`{key}` of {value}")).expect("a text")
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().ok_or(value).expect("a number")
}

/// A whole number that is not negative.
pub(crate) fn count(value: &Value) -> u64 {
    value.as_u64().ok_or(value).expect("a count")
}

pub(crate) fn comparisons(report: &Value) -> &[Value] {
    list(report, "comparisons")
}

/// The first comparison of a metric; null where there is none.
pub(crate) fn cell<'r>(report: &'r Value, metric: &str) -> &'r Value {
    comparisons(report).iter().find(|one| one["metric"] == metric).unwrap_or(&Value::Null)
}

/// The findings of a report of any command.
pub(crate) fn findings(report: &Value) -> &[Value] {
    list(report, if report["diagnostics"].is_array() { "diagnostics" } else { "findings" })
}

/// The first finding with that code.
pub(crate) fn finding<'r>(report: &'r Value, code: &str) -> &'r Value {
    let found = findings(report).iter().find(|one| one["code"] == code);
    found.ok_or_else(|| format!("{code} among\n{}", told(report))).expect("a finding")
}

/// The codes of the findings, in order.
pub(crate) fn codes(report: &Value) -> Vec<&str> {
    findings(report).iter().map(|one| text(one, "code")).collect()
}

/// The findings, one a line.
pub(crate) fn told(report: &Value) -> String {
    let line = |one: &Value| format!("{} {} {}", one["code"], one["severity"], one["message"]);
    findings(report).iter().map(line).collect::<Vec<_>>().join("\n")
}
