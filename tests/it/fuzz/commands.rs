//! Whole commands over runs of which one file was changed, and over configuration files.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::campaign::{Input, Outcome, Target};
use super::corpus::{self, Seed};
use super::harmless::{active_in_page, obeyed_by_terminal};
use crate::command::reportgen;

const FORMATS: [&str; 4] = ["json", "md", "html", "csv"];
const GATES: &str = "regression,mismatch,missing";

/// Commands with `RUN` in the place of the run whose file is changed, that run, and the arguments
/// behind them.
const OVER_RUNS: [(&str, &[&str], &str, &[&str]); 9] = [
    (
        "compare",
        &["fixtures/kl_beta/kl-0.15", "RUN"],
        "fixtures/kl_beta/kl-0.12",
        &["--fail-on", GATES],
    ),
    ("compare", &["fixtures/best/samples", "RUN"], "fixtures/best/samples", &["--fail-on", GATES]),
    ("check", &["fixtures/phases/phase0", "RUN"], "fixtures/phases/phase1", &[]),
    (
        "phase",
        &["fixtures/phases/phase0", "RUN"],
        "fixtures/phases/phase1",
        &["--config", "fixtures/phases/reportgen.toml"],
    ),
    (
        "progress",
        &["RUN"],
        "fixtures/progress/grpo",
        &["--config", "fixtures/progress/reportgen.toml"],
    ),
    (
        "quality",
        &["RUN"],
        "fixtures/quality/workflows",
        &["--config", "fixtures/quality/reportgen.toml"],
    ),
    ("best", &["RUN"], "fixtures/best/run", &["--config", "fixtures/best/reportgen.toml"]),
    ("metrics", &["RUN/valid.jsonl"], "fixtures/outcomes", &[]),
    ("handoff", &["RUN"], "fixtures/checkpoints/split", &[]),
];

/// Commands whose configuration file is changed.
const OVER_SETTINGS: [(&str, &[&str], &str); 5] = [
    ("compare", &["fixtures/kl_beta/kl-0.15", "fixtures/kl_beta/kl-0.12"], "margins"),
    ("phase", &["fixtures/phases/phase0", "fixtures/phases/phase1"], "phase"),
    ("progress", &["fixtures/progress/grpo"], "progress"),
    ("quality", &["fixtures/quality/workflows"], "quality"),
    ("best", &["fixtures/best/run"], "best"),
];

const EXPECTATIONS: &str = "[phase.expect]
exec_success_rate = '↓ -30-60% relative'
syntax_error = '≈ (不应退化)'
timeout = '<= 5%'
accuracy = '↑ +5pp ~ +10pp'
a = 'unchanged ± 2 percentage points'
b = '下降 10 个百分点以上'
";
const COMPARED: &str = "vary = ['kl_beta']
fail_on = ['regression']
accept = ['R201:base_checkpoint']
alpha = 0.05
[margins]
accuracy = '1pp'
[[metric]]
name = 'accuracy'
aliases = ['acc']
direction = 'higher'
bounds = [0, 100]
unit = 'percent'
[commands]
eval = { template = 'run {dataset} {metric}', minutes = 5 }
[limits]
files = 10
";

pub(super) fn targets() -> Vec<Target> {
    let over_runs = OVER_RUNS.iter().enumerate().map(|(at, (kind, before, run, behind))| Target {
        name: format!("run-of-{kind}{}", if at == 1 { "-samples" } else { "" }),
        share: 1,
        most: 8192,
        corpus: files_of(Path::new(run)),
        run: Box::new(|place, input| over_run(kind, before, Path::new(run), behind, place, input)),
    });
    let over_settings = OVER_SETTINGS.iter().map(|(kind, before, table)| Target {
        name: format!("settings-of-{kind}"),
        share: 1,
        most: 4096,
        corpus: settings_with(table),
        run: Box::new(|place, input| {
            let path = place.join("reportgen.toml");
            fs::write(&path, &input.bytes).map_err(|error| error.to_string())?;
            let path = path.to_string_lossy().into_owned();
            let line = std::iter::once(*kind).chain(before.iter().copied());
            ended(&line.chain(["--config", &path]).collect::<Vec<_>>(), input)
        }),
    });
    over_runs.chain(over_settings).collect()
}

fn settings_with(table: &str) -> Vec<Seed> {
    let own = [EXPECTATIONS, COMPARED].map(|text| Seed::of("reportgen.toml", text));
    let all = own.into_iter().chain(corpus::named(|name| name == "reportgen.toml"));
    let has_table = |seed: &Seed| String::from_utf8_lossy(&seed.bytes).contains(table);
    all.filter(has_table).collect()
}

/// The files below a directory, by their paths from there.
fn files_of(directory: &Path) -> Vec<Seed> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).expect("fixtures are listed") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let below = path.strip_prefix(directory).expect("it is below");
                let name = below.to_str().expect("UTF-8").to_owned();
                found.push(Seed { name, bytes: fs::read(&path).expect("a fixture is read") });
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn over_run(
    kind: &str,
    before: &[&str],
    run: &Path,
    behind: &[&str],
    place: &Path,
    input: &Input,
) -> Outcome {
    let copy = copied(kind, run, place);
    let path = copy.join(&input.name);
    let original = run.join(&input.name);
    fs::write(&path, &input.bytes).map_err(|error| error.to_string())?;
    let shown = copy.to_string_lossy();
    let words = before.iter().map(|word| word.replace("RUN", &shown));
    let line = std::iter::once(kind.to_owned()).chain(words);
    let line: Vec<String> = line.chain(behind.iter().map(|&word| word.to_owned())).collect();
    let outcome = ended(&line.iter().map(String::as_str).collect::<Vec<_>>(), input);
    fs::copy(&original, &path).map_err(|error| error.to_string())?;
    outcome
}

/// A copy of the run that stays between inputs.
fn copied(kind: &str, run: &Path, place: &Path) -> PathBuf {
    let name = run.to_string_lossy().replace('/', "-");
    let copy = place.join(format!("{kind}-{name}"));
    if !copy.exists() {
        for seed in files_of(run) {
            crate::directory::write_file(&copy.join(&seed.name), &seed.bytes);
        }
    }
    copy
}

/// What the command says, held against what is promised of every command.
pub(super) fn ended(line: &[&str], input: &Input) -> Outcome {
    let format = FORMATS[input.choice % FORMATS.len()];
    let lang = if (input.choice / 4).is_multiple_of(2) { "en" } else { "zh" };
    let ended = reportgen(line.iter().copied().chain(["--format", format, "--lang", lang]));
    // A model that is not ready fails by itself, and a configuration file may ask for gates.
    let may_fail = matches!(line[0], "handoff") || line.contains(&"--fail-on");
    let may_fail = may_fail || input.name == "reportgen.toml";
    if ended.status > 4 || (ended.status == 1 && !may_fail) {
        return Err(format!("ends with {}: {}", ended.status, ended.err));
    }
    if let Some(obeyed) = obeyed_by_terminal(&ended.err) {
        return Err(format!("standard error has {obeyed:?}: {:?}", ended.err));
    }
    if !ended.out.is_empty() {
        drawn(format, &ended.out)?;
    }
    if ended.out.is_empty() && ended.err.is_empty() {
        return Err(format!("ends with {} and says nothing", ended.status));
    }
    Ok(format!("{} {} {}", ended.status, ended.out, ended.err))
}

fn drawn(format: &str, out: &str) -> Result<(), String> {
    match format {
        "html" => match active_in_page(out) {
            Some(active) => return Err(format!("the page has {active}")),
            None => return Ok(()),
        },
        "csv" => {
            let mut rows = csv::Reader::from_reader(out.as_bytes());
            return rows
                .records()
                .find_map(Result::err)
                .map_or(Ok(()), |error| Err(error.to_string()));
        }
        "md" => return Ok(()),
        _ => {}
    }
    let report: Value = serde_json::from_str(out).map_err(|error| error.to_string())?;
    let runs = report["runs"].as_array().into_iter().flatten();
    let is_partial = runs.clone().any(|run| run["status"] == "partial");
    let gates = report["gates"].as_array().into_iter().flatten();
    let passed = gates.clone().find(|gate| gate["outcome"] == "pass");
    match passed {
        Some(gate) if is_partial => Err(format!("{gate} passes over a run that is not known")),
        _ => Ok(()),
    }
}
