//! A `reportgen.toml` for runs that have none yet: what they show is set, what only a person knows is
//! asked in a comment.

mod readers;
mod seen;

pub use readers::readers;
pub use seen::Seen;

use crate::model::Direction;
use crate::text::{Catalogue, Lang};
use seen::{Differing, SeenJob, SeenMetric};

/// Names that one comment lists.
const MOST_NAMED: usize = 8;
/// Values of a setting that a comment lists.
const MOST_VALUES: usize = 4;
/// Metrics without a good side that are asked about one by one.
const MOST_ASKED: usize = 5;
/// Columns of a comment.
const WIDTH: usize = 100;

/// The settings that are proposed: what the runs show is set, what only a person knows stands behind
/// a `#`.
pub fn text(seen: &Seen, lang: Option<Lang>, words: &Catalogue) -> String {
    let mut lines = Lines { words, text: String::new() };
    let names = listed(seen.names.iter().map(String::as_str), words);
    let count = seen.names.len().to_string();
    lines.comment("init.head", &[("count", &count), ("names", &names)]);
    if let Some(lang) = lang {
        lines.setting("lang", &quoted(lang.tag), true);
    }
    vary(seen, &mut lines);
    deciding(seen, &mut lines);
    lines.comment("init.gates", &[]);
    lines.setting("fail_on", &list(["regression", "mismatch"]), true);
    // Behind the head of a table, every key would be one of the table.
    margins(seen, &mut lines);
    undirected(seen, &mut lines);
    arms(seen, &mut lines);
    job(seen, &mut lines);
    lines.text
}

fn vary(seen: &Seen, lines: &mut Lines<'_>) {
    let meant: Vec<&Differing> = seen.differing.iter().filter(|one| one.may_be_meant()).collect();
    let said = |one: &Differing| {
        let mut values: Vec<&str> =
            one.values.iter().map(String::as_str).take(MOST_VALUES).collect();
        if one.values.len() > MOST_VALUES {
            values.push("…");
        }
        format!("{} ({})", one.key, values.join(" | "))
    };
    let all: Vec<String> = seen.differing.iter().map(said).collect();
    let key = if all.is_empty() { "init.vary-none" } else { "init.vary" };
    let keys = listed(all.iter().map(String::as_str), lines.words);
    lines.comment(key, &[("keys", &keys)]);
    // Of several that differ only a person can say which were meant to.
    let is_sure = seen.differing.len() == 1 && meant.len() == 1;
    let keys = meant.iter().take(MOST_NAMED).map(|one| one.key.as_str());
    lines.setting("vary", &list(keys), is_sure);
}

fn deciding(seen: &Seen, lines: &mut Lines<'_>) {
    let deciding = seen.deciding();
    let words = lines.words;
    let said = |metric: &SeenMetric| {
        let direction = words.get(&format!("init.{}", metric.direction.name()));
        format!("{} ({direction})", metric.name)
    };
    let all: Vec<String> = seen.metrics.iter().map(said).collect();
    let metrics = listed(all.iter().map(String::as_str), words);
    lines.comment("init.primary", &[("metrics", &metrics)]);
    let is_sure = deciding.len() == 1;
    lines.setting("primary", &list(deciding.iter().copied().take(MOST_NAMED)), is_sure);
}

fn margins(seen: &Seen, lines: &mut Lines<'_>) {
    if let Some(first) = seen.deciding().first() {
        lines.comment("init.margins", &[]);
        lines.line("# [margins]");
        lines.line(&format!("# {} = 1.0", key(first)));
    }
}

fn undirected(seen: &Seen, lines: &mut Lines<'_>) {
    let unknown = seen.metrics.iter().filter(|metric| metric.direction == Direction::Unknown);
    for (position, metric) in unknown.take(MOST_ASKED).enumerate() {
        if position == 0 {
            lines.comment("init.directions", &[]);
        }
        lines.line("# [[metric]]");
        lines.line(&format!("# names = {}", list([metric.name.as_str()])));
        lines.line("# direction = \"higher\"");
    }
}

fn arms(seen: &Seen, lines: &mut Lines<'_>) {
    if seen.arms.is_empty() {
        return;
    }
    lines.comment("init.arms", &[]);
    lines.line("[arms]");
    for (name, runs) in &seen.arms {
        lines.line(&format!("{} = {}", key(name), list(runs.iter().map(String::as_str))));
    }
}

fn job(seen: &Seen, lines: &mut Lines<'_>) {
    // A build without the history has no nightly jobs.
    if !cfg!(feature = "history") {
        return;
    }
    if seen.jobs.is_empty() {
        lines.comment("init.no-job", &[]);
        for line in ["[job.main]", "runs = \"runs/*\"", "baseline = \"previous\""] {
            lines.line(&format!("# {line}"));
        }
        return;
    }
    for (position, SeenJob { name, pattern }) in seen.jobs.iter().enumerate() {
        let is_first = position == 0;
        if is_first {
            lines.comment("init.job", &[]);
        } else {
            lines.line("");
        }
        lines.line(&format!("[job.{}]", key(name)));
        lines.line(&format!("runs = {}", quoted(pattern)));
        lines.line("baseline = \"previous\"");
        let deciding = seen.deciding();
        let is_sure = deciding.len() == 1;
        lines.setting("metric", &list(deciding.iter().copied().take(MOST_NAMED)), is_sure);
        if !seen.commits.is_empty() {
            if is_first {
                lines.remark("init.job-commit");
            }
            lines.setting("vary", &list(seen.commits.iter().map(String::as_str)), true);
        }
        lines.line("fail-on = [\"regression\", \"mismatch\"]");
        lines.line("# due = \"06:00\"");
    }
}

/// The file as far as it is written.
struct Lines<'w> {
    words: &'w Catalogue,
    text: String,
}

impl Lines<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A setting, which only counts if it is sure; one without a value is left out.
    fn setting(&mut self, name: &str, value: &str, is_sure: bool) {
        if value != "[]" {
            let mark = if is_sure { "" } else { "# " };
            self.line(&format!("{mark}{name} = {value}"));
        }
    }

    /// What is said of the next choice, behind an empty line but at the top.
    fn comment(&mut self, key: &str, facts: &[(&str, &str)]) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.remarks(key, facts);
    }

    /// What is said of the next line.
    fn remark(&mut self, key: &str) {
        self.remarks(key, &[]);
    }

    fn remarks(&mut self, key: &str, facts: &[(&str, &str)]) {
        for line in wrapped(&on_one_line(&self.words.fill(key, facts))) {
            self.line(&format!("# {line}"));
        }
    }
}

/// A text in lines that a person can read; words are never broken.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let Some(last) = lines.last_mut() else { continue };
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + word.chars().count() < WIDTH - 2 {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>, words: &Catalogue) -> String {
    let further = names.len().saturating_sub(MOST_NAMED);
    let comma = words.get("punctuation.comma");
    let shown = names.take(MOST_NAMED).collect::<Vec<_>>().join(&comma);
    if further == 0 {
        shown
    } else {
        words.fill("init.more", &[("names", &shown), ("count", &further.to_string())])
    }
}

/// What is named by runs ends no comment and no value.
fn on_one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'), " ")
}

fn quoted(text: &str) -> String {
    toml::Value::String(on_one_line(text)).to_string()
}

fn list<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.into_iter().map(quoted).collect();
    format!("[{}]", names.join(", "))
}

/// A key of a table, in quotes where it needs them.
fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { quoted(name) }
}
