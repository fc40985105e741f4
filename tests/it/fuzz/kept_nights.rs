//! The nights that `nightly` keeps.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use super::campaign::{Input, Outcome, Target};
use super::commands::ended;
use super::corpus::Seed;
use super::harmless::obeyed_by_terminal;
use crate::cases::tests;
use crate::command::reportgen;
use crate::directory::write_file;
use crate::nightly::{JOB, Results};

pub(super) fn targets() -> Vec<Target> {
    vec![Target {
        name: "nights".to_owned(),
        share: 1,
        most: 8192,
        corpus: NIGHTS.clone(),
        run: Box::new(nights),
    }]
}

tests![survive = super::short("nights", 60)];

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
