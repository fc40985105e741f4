//! Reports of SWE-bench: which instances a run submitted, and which of them its patches resolved.

use super::super::document::{Node, flatten, read_document};
use super::super::lines::Limits;
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::figure::FileFigure;
use super::file_figures::{produced, read_figures, scalar};
use super::samples::Harvest;
use crate::model::{
    Dims, Direction, GivenRole, MetricRole, MetricSpec, Planned, RoleOrigin, Source,
};
use crate::quantity::Unit;

pub(super) const READER: Reader = Reader { name: "swe-bench", recognises, read };

const METRIC: &str = "resolved";
const RESOLVED: &str = "resolved_ids";
/// What became of an instance that was submitted. Each counts as not resolved, as in the figures of
/// SWE-bench, but one: where the harness failed, nothing is known.
const ENDINGS: &[(&str, &str, Option<u8>)] = &[
    (RESOLVED, "resolved", Some(1)),
    ("unresolved_ids", "unresolved", Some(0)),
    ("empty_patch_ids", "empty_patch", Some(0)),
    ("error_ids", "evaluation_error", Some(0)),
    ("infra_failure_ids", "infra_failure", None),
];
/// How many instances ended so, which tells runs apart whose resolved instances are the same.
const COUNTS: [&str; 3] = ["completed_instances", "empty_patch_instances", "error_instances"];
const TOTAL: &str = "total_instances";
const SUBMITTED: &str = "submitted_instances";

fn recognises(file: &FileEntry) -> bool {
    let has = |key: &str| file.head_has(&format!("\"{key}\""));
    file.has_extension("json") && has(TOTAL) && has("resolved_instances") && file.head_has("_ids\"")
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_document, |root, fragment, findings| {
        let mut harvest = Harvest::of_file(file, options);
        for (list, ending, score) in ENDINGS {
            for id in root.get(list).and_then(Node::list).into_iter().flatten() {
                let Some(instance) = id.text() else { continue };
                let record = record(instance, ending, *score);
                // What is made here is JSON.
                let _taken = harvest.take_record(&record, id.line);
            }
        }
        let line_bytes = Limits::from(file.limits).line_bytes;
        *fragment = harvest.into_fragment(file, line_bytes).drain_into(findings);
        if let Some(total) = root.get(TOTAL) {
            flatten(total, TOTAL, &file.display, &mut fragment.config);
        }
        for key in COUNTS {
            let Some(node) = root.get(key) else { continue };
            let Some(figure) = FileFigure::read(node) else { continue };
            let source = Source::line(&file.display, node.line, key);
            let made = scalar(key, None, &Dims::none(), figure, source, &options.names);
            fragment.scalars.push(made);
            let role = GivenRole { role: MetricRole::Bookkeeping, origin: RoleOrigin::Catalogue };
            let spec = produced(key, Direction::Neutral, Unit::Plain, &options.names);
            fragment.specs.insert(key.to_owned(), MetricSpec { role: Some(role), ..spec });
        }
        // Whoever submits some of the instances of a dataset set out to do no more.
        if let Some((node, count)) =
            root.get(SUBMITTED).and_then(|node| Some((node, node.count()?)))
        {
            let source = Source::line(&file.display, node.line, SUBMITTED);
            fragment.planned.insert(String::new(), Planned { samples: count, source });
        }
    })
}

fn record(instance: &str, ending: &str, score: Option<u8>) -> String {
    let score = score.map(|score| format!(",\"{METRIC}\":{score}")).unwrap_or_default();
    let instance = serde_json::Value::from(instance);
    format!("{{\"instance_id\":{instance},\"status\":\"{ending}\"{score}}}")
}
