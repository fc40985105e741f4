//! What is said of a directory that holds several runs and was given as one.

use std::path::Path;

use indexmap::IndexSet;

use super::error::{ALIKE, DIFFERENT, OF_SEEDS};
use super::stage_options::key_weight;
use crate::collect::{KeyWeight, matching_in_directory};
use crate::model::{Run, RunLabel, leaf, shell_word};
use crate::text::Refusal;

/// Most values that a refusal names.
pub(super) const MOST_NAMED: usize = 8;
/// Most keys that a refusal names.
const MOST_KEYS: usize = 5;

/// The refusal of several runs of one directory, with what a command of one run takes instead.
pub(super) fn several_runs(runs: &[&Run], command: Option<&str>) -> Refusal {
    let (Some(first), Some(second)) = (runs.first(), runs.get(1)) else {
        return Refusal::new("refused.no-run");
    };
    let directory = directory(first);
    let names = runs.iter().filter_map(|run| Some(run.called()?.to_owned()));
    let mut named: Vec<String> = names.take(MOST_NAMED).collect();
    if runs.len() > MOST_NAMED {
        named.push("…".to_owned());
    }
    if let Some(command) = command {
        return Refusal::new("refused.store-one")
            .with("path", directory)
            .with("count", runs.len())
            .with("names", named)
            .with("one", alone(command, first));
    }
    let mut keys = keys_apart(runs.iter().copied());
    // What a harness says of each task is said once for each.
    keys.retain(|key| !key.starts_with("task."));
    let is_seeds = !keys.is_empty() && keys.iter().all(|key| RunLabel::repeats(leaf(key)))
        || keys.is_empty() && named.iter().all(|name| name.to_lowercase().contains("seed"));
    let text = match (is_seeds, keys.is_empty()) {
        (true, _) => OF_SEEDS,
        (false, true) => ALIKE,
        (false, false) => DIFFERENT,
    };
    let refusal = Refusal::new(text)
        .with("path", directory)
        .with("count", runs.len())
        .with("names", named)
        .with("examples", [first, second].map(|run| shell_word(&address(run))).join(" "))
        .with("store", shell_word(directory))
        .with("pattern", all_runs(directory, runs))
        .with("arms", arms_of_seeds(directory, runs).join(" "))
        .with("pool", "run");
    if keys.is_empty() {
        return refusal.with("keys", Vec::<String>::new()).with("across", "");
    }
    let asked = || keys.iter().filter(|key| !RunLabel::repeats(leaf(key)));
    let key = asked().find(|key| is_in_name(first, key)).or_else(|| asked().next());
    let key = key.copied().unwrap_or_default();
    let across = ["--across ", &shell_word(key)].concat();
    let keys: Vec<String> = keys.into_iter().take(MOST_KEYS).map(str::to_owned).collect();
    refusal.with("keys", keys).with("across", across)
}

/// The words by which a command takes one run.
pub(super) fn alone(command: &str, run: &Run) -> String {
    format!("reportgen {command} {}", shell_word(&address(run)))
}

/// How a run is named on a command line: by its path, unless a tracker has a name for it.
fn address(run: &Run) -> String {
    let behind = RunLabel::behind_path(&run.labels);
    if run.path.ends_with(&behind) { run.path.clone() } else { directory(run).to_owned() + &behind }
}

/// All runs on a command line: the pattern that they match, and nothing else, or each by its path.
fn all_runs(directory: &str, runs: &[&Run]) -> String {
    let depth = |run: &&Run| run.member.as_deref().map_or(1, |name| name.split('/').count());
    let stars = vec!["*"; runs.first().map_or(1, depth)].join("/");
    let pattern = format!("{directory}::{stars}");
    if matching_in_directory(Path::new(&pattern)).len() == runs.len() {
        return shell_word(&pattern);
    }
    runs.iter().map(|run| shell_word(&address(run))).collect::<Vec<_>>().join(" ")
}

/// An arm for each directory above the seeds, or one of all seeds and another to be named.
fn arms_of_seeds(directory: &str, runs: &[&Run]) -> Vec<String> {
    let members = || runs.iter().filter_map(|run| run.member.as_deref());
    let above: Option<IndexSet<&str>> =
        members().map(|name| Some(name.rsplit_once('/')?.0)).collect();
    match above.filter(|above| above.len() > 1) {
        Some(above) => above
            .iter()
            .map(|name| {
                let pattern = shell_word(&format!("{directory}::{name}/*"));
                format!("--arm {}={pattern}", shell_word(&name.replace('/', "-")))
            })
            .collect(),
        None => vec![format!("--arm NAME={}", all_runs(directory, runs)), "--arm OTHER=…".into()],
    }
}

/// Whether the directory of a run is named after the value of a key.
fn is_in_name(run: &Run, key: &str) -> bool {
    let value = run.setting(key).map(ToString::to_string).filter(|value| !value.is_empty());
    let name = run.member.as_deref().unwrap_or_default();
    value.is_some_and(|value| {
        name.split(|c: char| !(c.is_alphanumeric() || c == '.')).any(|word| word.contains(&value))
    })
}

/// The keys that the runs have with different values, but for those that say where and when.
pub(super) fn keys_apart<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Vec<&'a str> {
    let mut runs = runs.into_iter();
    let Some(first) = runs.next() else { return Vec::new() };
    let others: Vec<&Run> = runs.collect();
    let differs = |key: &str| {
        let own = first.content.config.get(key);
        others.iter().any(|other| match (own, other.content.config.get(key)) {
            (Some(own), Some(other)) => !own.value.same_as(&other.value),
            _ => false,
        })
    };
    let keys = first.content.config.iter().map(|(key, _)| key);
    keys.filter(|key| key_weight(key) != KeyWeight::Nothing && differs(key)).collect()
}

/// The directory that holds the run, as it was given.
fn directory(run: &Run) -> &str {
    let path = run.root_path();
    let below = run.member.as_deref().and_then(|name| path.strip_suffix(name));
    let above = below.map_or(path, |above| above.trim_end_matches('/'));
    if Path::new(above).as_os_str().is_empty() { path } else { above }
}
