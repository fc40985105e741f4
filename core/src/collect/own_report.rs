//! Reports that this program wrote into a run: results about runs, not of one.
//!
//! A mark alone is no proof: a run is written by somebody else, and what is set aside is not looked at.
//! So a report has to have the whole shape of one. What only says that it is one is read like any file,
//! or told.

use std::io::{BufRead as _, BufReader, Read as _};

use super::FileEntry;
use super::content::{document_bytes, open};
use super::document::{Value, read_document};
use super::saved::is_saved;

/// Columns of a report as CSV behind those of the coordinates, in their order.
const CSV_COLUMNS: &str = "baseline_run,candidate_run,unit,baseline,candidate,baseline_n,\
    candidate_n,delta,delta_unit,ci_lo,ci_hi,ci_level,p,p_adjusted,test,paired,gained,lost,verdict,\
    reason,baseline_absent,candidate_absent,baseline_source,candidate_source,pairing_unit,\
    baseline_seeds,candidate_seeds,baseline_compared,candidate_compared,grade,grade_unaccepted,\
    accepted,baseline_of,candidate_of,noise_runs,noise_sd,noise_floor,noise_p,role";
/// How the header of the figures of `metrics` begins.
const METRICS_CSV_START: &str = "dataset,metric,unit,value,count,n,ci_lo,";
/// What stands in Markdown of this program: the stamp of a report, and the command to repeat it.
const STAMP: &str = "<!-- reportgen:report ";
const REPRODUCED: &str = "```bash\nreportgen ";
/// How the schema of every document of this program begins, and that of the only one among them that
/// holds results of a run: `summary.json` of `metrics`.
const SCHEMA_START: &[u8] = b"\"reportgen.";
const RESULTS_SCHEMA_START: &[u8] = b"\"reportgen.summary/";
/// How a line of records drawn by how they ended begins to end.
const DRAWN: &str = "\"schema\":\"reportgen.qa/";

/// Documents by how their schema begins, with the members that all have, in their order, and those
/// that some have.
const SHAPES: &[(&str, &[&str], &str)] = &[
    (
        "reportgen.report/",
        &["schema", "kind", "findings", "gates"],
        "agreement alpha anomalies asked axis best checkpoints checks comparability comparisons \
         conversion cost counters counts coverage curves dataset datasets direction \
         error_distribution expectations families files from from_asked grids headline level loss \
         mean metric metrics milestones missing_steps optimism pace path patterns planned_source \
         planned_steps predictions rates reached ready recorded run runs samples scores seed series \
         shown signals suites systems tasks to to_asked to_run unit unpaired verdicts",
    ),
    ("reportgen.manifest/", &["schema", "set", "kind", "files"], ""),
    ("reportgen.qa/", &["schema", "seed", "datasets"], ""),
];

pub(super) fn is_own_report(file: &FileEntry) -> bool {
    if !file.is_run && is_saved(file) {
        return true;
    }
    if file.has_extension("csv") {
        let header = file.head.split(|byte| *byte == b'\n').next().unwrap_or_default();
        return is_own_header(String::from_utf8_lossy(header).trim_end());
    }
    if file.has_extension("md") {
        return file.head.starts_with(b"# ") && holds_mark(file);
    }
    if file.has_extension("jsonl") {
        // Records drawn by how they ended are no sample of the evaluation.
        return file.stem().ends_with("_qa") && file.head_has(DRAWN) && has_drawn_lines(file);
    }
    claims_to_be_own(file) && has_own_shape(file)
}

/// Whether a document states the schema of a report, however it is spaced.
pub(super) fn claims_to_be_own(file: &FileEntry) -> bool {
    let key = b"\"schema\"";
    let Some(at) = memchr::memmem::find(&file.head, key) else { return false };
    let rest = file.head.get(at + key.len()..).unwrap_or_default().trim_ascii_start();
    let value = rest.strip_prefix(b":").unwrap_or_default().trim_ascii_start();
    file.has_extension("json")
        && value.starts_with(SCHEMA_START)
        && !value.starts_with(RESULTS_SCHEMA_START)
}

fn is_own_header(header: &str) -> bool {
    let Some(rest) = header.strip_prefix("metric,dataset,") else {
        return header.starts_with(METRICS_CSV_START);
    };
    let mut columns = rest.split(',').skip_while(|column| column.starts_with("dim."));
    let is_known = CSV_COLUMNS.split(',').zip(columns.by_ref()).all(|(own, found)| own == found);
    is_known && columns.next().is_none()
}

/// Whether the stamp, at the end of a report, or the command to repeat it is there.
fn holds_mark(file: &FileEntry) -> bool {
    let marks = [STAMP, REPRODUCED];
    if file.head_is_whole {
        return marks.iter().any(|mark| file.head_has(mark));
    }
    let mut text = Vec::new();
    let read = open(&file.path, file.packing, file.limits)
        .and_then(|content| content.take(document_bytes(file)).read_to_end(&mut text));
    let has = |mark: &&str| memchr::memmem::find(&text, mark.as_bytes()).is_some();
    read.is_ok() && marks.iter().any(has)
}

/// Whether every line is of such records.
fn has_drawn_lines(file: &FileEntry) -> bool {
    let Ok(content) = open(&file.path, file.packing, file.limits) else { return false };
    let lines = BufReader::new(content.take(document_bytes(file))).split(b'\n');
    let is_drawn = |line: Vec<u8>| {
        let line = line.trim_ascii();
        line.is_empty()
            || line.ends_with(b"}}") && memchr::memmem::rfind(line, DRAWN.as_bytes()).is_some()
    };
    lines.into_iter().all(|line| line.is_ok_and(is_drawn))
}

fn has_own_shape(file: &FileEntry) -> bool {
    let Ok(document) = read_document(file) else { return false };
    let Some(members) = document.value.table() else { return false };
    let schema = members.get("schema").and_then(|schema| schema.text()).unwrap_or_default();
    SHAPES.iter().any(|(start, first, further)| {
        let mut names = members.keys();
        let begins = first.iter().all(|name| names.next().is_some_and(|found| found == name));
        let lists = ["findings", "gates", "files"].iter().filter(|name| first.contains(name));
        let mut lists = lists.filter_map(|name| members.get(*name));
        schema.starts_with(start)
            && begins
            && lists.all(|node| matches!(node.value, Value::List(_)))
            && names.all(|name| further.split_whitespace().any(|known| known == name))
    })
}
