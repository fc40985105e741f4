//! The table of a progress report for spreadsheets.

use serde_json::{Value, json};

use crate::report::Sheet;

const HEADS: [&str; 21] = [
    "kind",
    "name",
    "unit",
    "direction",
    "from",
    "to",
    "before",
    "before_count",
    "before_of",
    "after",
    "after_count",
    "after_of",
    "change",
    "since_count",
    "since_of",
    "difference",
    "ci_lo",
    "ci_hi",
    "p",
    "p_adjusted",
    "movement",
];

/// One row for each share and metric of the data of a report; a metric over steps has its slope for
/// a difference.
pub(super) fn progress_sheet(data: &Value) -> Sheet {
    let row = |kind: &str, object: &Value| {
        let (unit, difference, ci) = match kind {
            "rate" => (&json!("fraction"), &object["difference"], &object["difference_ci"]),
            _ => (&object["unit"], &object["slope"], &object["slope_ci"]),
        };
        let [before, after, since] = ["before", "after", "since"].map(|side| &object[side]);
        json!([
            kind,
            object["name"],
            unit,
            object["direction"],
            data["from"],
            data["to"],
            before["value"],
            before["count"],
            before["of"],
            after["value"],
            after["count"],
            after["of"],
            object["change"],
            since["count"],
            since["of"],
            difference,
            ci[0],
            ci[1],
            object["p"],
            object["p_adjusted"],
            object["movement"],
        ])
    };
    let rows = [("rate", "rates"), ("metric", "metrics")].into_iter().flat_map(|(kind, list)| {
        let objects = data[list].as_array().into_iter().flatten();
        objects.map(move |object| row(kind, object))
    });
    Sheet::new(&HEADS, rows)
}
