//! Reports of persons that are read, filled and checked, and the nights that `nightly` keeps.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use reportgen::lint;

use super::campaign::{Input, Outcome, Target};
use super::commands::ended;
use super::corpus::{self, Seed};
use super::harmless::obeyed_by_terminal;
use crate::command::reportgen;
use crate::directory::write_file;
use crate::nightly::{JOB, Results};

const RUNS: [&str; 2] =
    ["fixtures/cases/fill_shapes/runs/base", "fixtures/cases/fill_shapes/runs/tuned"];

pub(super) fn targets() -> Vec<Target> {
    let target = |name: &str, share, corpus, run: fn(&Path, &Input) -> Outcome| Target {
        name: name.to_owned(),
        share,
        most: 8192,
        corpus,
        run: Box::new(run),
    };
    let documents = || corpus::named(|name| corpus::extension(name) == "md");
    vec![
        target("lint", 12, documents(), linted),
        target("fill", 3, documents(), filled),
        target("nights", 1, NIGHTS.clone(), nights),
    ]
}

/// Each finding stands in a line of the document.
fn linted(_: &Path, input: &Input) -> Outcome {
    let text = input.text();
    let findings = lint::lint(&text, |_| true);
    let lines: Vec<&str> = text.split('\n').collect();
    let stands = |finding: &&lint::Finding| {
        let line = lines.get(finding.line.wrapping_sub(1));
        line.is_some_and(|line| (1..=line.chars().count() + 1).contains(&finding.column))
    };
    match findings.iter().find(|finding| !stands(finding)) {
        Some(finding) => Err(format!("outside of the document: {finding:?}")),
        None => Ok(format!("{findings:?}")),
    }
}

/// Only lines that ask for something change, and a second time nothing does.
fn filled(place: &Path, input: &Input) -> Outcome {
    let document = place.join("document.md");
    let before = input.text();
    fs::write(&document, &before).map_err(|error| error.to_string())?;
    let path = document.to_string_lossy();
    let flags = [&[][..], &["--partial"], &["--adopt-orphans", "--partial"]][input.choice % 3];
    let fill = || reportgen(["fill", &path, RUNS[0], RUNS[1], "--write"].iter().chain(flags));
    let (first, after) = (fill(), fs::read_to_string(&document));
    let after = after.map_err(|error| error.to_string())?;
    if first.status > 4 || first.status == 1 {
        return Err(format!("ends with {}: {}", first.status, first.err));
    }
    if let Some(obeyed) = obeyed_by_terminal(&(first.out.clone() + &first.err)) {
        return Err(format!("shows {obeyed:?}"));
    }
    let lines = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(&before), lines(&after));
    let asks = |line: &str| line.contains(['?', '？']) || line.contains("待");
    let stray = old.iter().zip(&new).find(|(old, new)| old != new && !asks(old));
    if old.len() != new.len() || stray.is_some() {
        return Err(format!("a line that asks nothing changed: {stray:?}"));
    }
    fill();
    let again = fs::read_to_string(&document).map_err(|error| error.to_string())?;
    if again != after {
        return Err("a second run changes more".to_owned());
    }
    Ok(format!("{} {after} {} {}", first.status, first.out, first.err))
}

/// What `nightly` leaves of two nights, by their paths.
static NIGHTS: LazyLock<Vec<Seed>> = LazyLock::new(|| {
    let results = Results::new(JOB);
    for (night, right) in [("2026-03-01", 700), ("2026-03-02", 690)] {
        results.run(night, "03:00", right);
        let ended = results.nightly(&format!("{night}T07:00:00Z"), &[]);
        assert!(ended.status <= 1, "{ended:?}");
    }
    let content = results.content().into_iter();
    content.map(|(name, bytes)| Seed { name, bytes }).collect()
});

/// One of the files changed, then asked for its history, and the next night on top of it.
fn nights(place: &Path, input: &Input) -> Outcome {
    let root = place.join("results");
    fs::remove_dir_all(&root)
        .or_else(|_| fs::create_dir(&root))
        .map_err(|error| error.to_string())?;
    write_file(&root.join("reportgen.toml"), JOB);
    write_file(&root.join("runs/2026-03-03/metrics.json"), "{\"accuracy\": 0.7, \"n\": 1000}");
    let out = root.join("nightly");
    for seed in NIGHTS.iter() {
        let bytes = if seed.name == input.name { &input.bytes } else { &seed.bytes };
        write_file(&out.join(&seed.name), bytes);
    }
    let [out, config] =
        [out, root.join("reportgen.toml")].map(|path| path.to_string_lossy().into_owned());
    let history = ended(&["history", &out], input)?;
    let next =
        reportgen(["nightly", "--config", &config, "-o", &out, "--at", "2026-03-03T07:00:00Z"]);
    if next.status > 4 || next.err.is_empty() && next.out.is_empty() {
        return Err(format!("ends with {}: {}", next.status, next.err));
    }
    match obeyed_by_terminal(&next.err) {
        Some(obeyed) => Err(format!("standard error has {obeyed:?}")),
        None => Ok(history),
    }
}
