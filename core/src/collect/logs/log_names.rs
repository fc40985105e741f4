//! Which files are logs, by their names.

/// Ends of the names of logs; a rotated log has a number behind it.
const ENDS: &[&str] = &[".log", ".out", ".err", ".stdout", ".stderr"];
/// Beginnings of the names of logs, with or without an ending.
const BEGINNINGS: &[&str] = &["stdout", "stderr", "console", "nohup.out", "log.txt", "output.txt"];
/// Endings of files of records, which are no logs whatever they are called.
pub(super) const RECORDS: &[&str] = &[
    ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".yaml", ".yml", ".toml", ".md",
    ".html", ".py",
];

/// Whether a file is a log by its name, `.gz` aside, in lower case.
pub(in crate::collect) fn is_log(name: &str) -> bool {
    if RECORDS.iter().any(|end| name.ends_with(end)) {
        return false;
    }
    let rotated = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let name = rotated.strip_suffix('.').unwrap_or(name);
    ENDS.iter().any(|end| name.ends_with(end))
        || BEGINNINGS.iter().any(|start| name.starts_with(start))
}
