//! Reports that this program wrote into a run: results about runs, not of one.

use super::FileEntry;

/// How the header of a report as CSV begins, and what it holds behind the coordinates.
const CSV_START: &str = "metric,dataset,";
const CSV_COLUMNS: &str = "baseline_run,candidate_run,unit,baseline,candidate,";
/// How the header of the figures of `metrics` begins.
const METRICS_CSV_START: &str = "dataset,metric,unit,value,count,n,ci_lo,";
/// What stands in Markdown of this program: beside the words of people, and as the command to repeat.
const STAMP: &str = "<!-- reportgen:";
const REPRODUCED: &str = "```bash\nreportgen ";
/// How the schema of every document of this program begins, and that of the only one among them that
/// holds results of a run: `summary.json` of `metrics`.
const SCHEMA_START: &[u8] = b"\"reportgen.";
const RESULTS_SCHEMA_START: &[u8] = b"\"reportgen.summary/";

pub(super) fn is_own_report(file: &FileEntry) -> bool {
    if file.has_extension("csv") {
        let header = file.head.split(|byte| *byte == b'\n').next().unwrap_or_default();
        return header.starts_with(METRICS_CSV_START.as_bytes())
            || header.starts_with(CSV_START.as_bytes())
                && memchr::memmem::find(header, CSV_COLUMNS.as_bytes()).is_some();
    }
    if file.has_extension("md") {
        return [STAMP, REPRODUCED].iter().any(|mark| file.head_has(mark));
    }
    if file.has_extension("jsonl") {
        // Records drawn by how they ended are no sample of the evaluation.
        return file.stem().ends_with("_qa") && file.head_has("\"schema\":\"reportgen.qa/");
    }
    file.has_extension("json") && states_schema(&file.head)
}

/// Whether the schema is that of a report, however the document is spaced.
fn states_schema(head: &[u8]) -> bool {
    let key = b"\"schema\"";
    let Some(at) = memchr::memmem::find(head, key) else { return false };
    let rest = head.get(at + key.len()..).unwrap_or_default().trim_ascii_start();
    let value = rest.strip_prefix(b":").unwrap_or_default().trim_ascii_start();
    value.starts_with(SCHEMA_START) && !value.starts_with(RESULTS_SCHEMA_START)
}
