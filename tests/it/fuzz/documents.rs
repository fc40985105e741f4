//! Reports of persons that are read, filled and checked.

use std::fs;
use std::path::Path;

use reportgen::lint;

use super::campaign::{Input, Outcome, Target};
use super::corpus;
use super::harmless::obeyed_by_terminal;
use crate::command::reportgen;

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
    vec![target("lint", 12, documents(), linted), target("fill", 3, documents(), filled)]
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
