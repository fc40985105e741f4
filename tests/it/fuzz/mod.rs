//! Inputs that nobody wrote, for every boundary where text of others comes in.
//!
//! Nothing panics, every answer comes to its end, is UTF-8 and well formed in its format, is harmless
//! to a browser and a terminal, and the same for the same input. Which inputs there are is fixed by a
//! seed and a number. A campaign of any length:
//!
//! ```text
//! FUZZ_INPUTS=1000000 FUZZ_SEED=7 cargo test --test it fuzz::campaign -- --ignored --nocapture
//! ```
//!
//! `FUZZ_TARGET=NAME` keeps to the targets that begin so, `FUZZ_FIRST=NUMBER` begins at that input.

mod campaign;
mod commands;
mod corpus;
mod documents;
mod files;
mod harmless;
#[cfg(feature = "history")]
mod kept_nights;
mod mutation;
mod pages;
mod random;
mod readers;
mod sealed;
mod words;

use std::sync::Arc;
use std::thread;

use campaign::{Campaign, Target};
use reportgen::collect::readers::READERS;

use crate::cases::tests;

const SEED: u64 = 1;

fn targets() -> Vec<Target> {
    let readers = [readers::targets(), sealed::targets(), files::targets()];
    let texts = [words::targets(), documents::targets(), pages::targets()];
    #[cfg(feature = "history")]
    let texts = texts.into_iter().chain([kept_nights::targets()]);
    readers.into_iter().chain(texts).flatten().chain(commands::targets()).collect()
}

/// The first inputs of the targets whose names begin so.
fn short(beginning: &str, inputs: u64) {
    let chosen: Vec<Target> =
        targets().into_iter().filter(|target| target.name.starts_with(beginning)).collect();
    assert!(!chosen.is_empty(), "no target begins with {beginning}");
    let campaign = Campaign { seed: SEED, first: 0, inputs, stride: 1, stops_at_failure: true };
    let tally = campaign::run(&Arc::new(chosen), campaign);
    let failures: Vec<String> = tally.failures.into_values().collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

tests![
    readers_survive = short("reader-", 5000),
    collecting_survives = short("collect", 1000),
    names_of_data_files_survive = short("data-files", 500),
    parquet_survives = short("parquet", 500),
    content_under_checksums_survives = short("sealed-", 1000),
    conditions_survive = short("condition", 5000),
    addresses_of_runs_survive = short("address", 2000),
    credentials_stay_hidden = short("credentials", 2000),
    marked_places_survive = short("marked", 1000),
    settings_survive = short("settings", 500),
    patterns_survive = short("patterns", 300),
    logs_survive = short("log", 500),
    checkpoints_survive = short("checkpoint", 1000),
    texts_of_runs_stay_text = short("report", 200),
    words_of_a_person_stay = short("words", 400),
    checked_documents_survive = short("lint", 500),
    filled_documents_survive = short("fill", 150),
    templates_survive = short("template", 300),
    commands_survive_changed_runs = short("run-of-", 180),
    commands_survive_changed_settings = short("settings-of-", 200),
];

#[test]
fn every_reader_is_a_target_with_inputs_of_its_own() {
    let targets = targets();
    for reader in READERS {
        let name = format!("reader-{}", reader.name);
        let target = targets.iter().find(|target| target.name == name).expect(reader.name);
        assert!(!target.corpus.is_empty(), "{name}");
    }
}

fn asked(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect(name))
}

#[test]
#[ignore = "as long as it is asked to be"]
fn campaign() {
    let wanted = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let chosen = targets().into_iter().filter(|target| target.name.starts_with(&wanted));
    let targets = Arc::new(chosen.collect::<Vec<_>>());
    let (inputs, seed) = (asked("FUZZ_INPUTS", 100_000), asked("FUZZ_SEED", SEED));
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let threads = threads.clamp(1, inputs.max(1));
    let begin = asked("FUZZ_FIRST", 0);
    let workers = (begin..begin + threads).map(|first| {
        let targets = Arc::clone(&targets);
        let inputs = inputs / threads;
        let part = Campaign { seed, first, inputs, stride: threads, stops_at_failure: false };
        thread::spawn(move || campaign::run(&targets, part))
    });
    let workers: Vec<_> = workers.collect();
    let mut failed = 0;
    for worker in workers {
        let tally = worker.join().expect("every input comes to its end");
        failed += tally.failures.len();
        println!("{:#?}", tally.inputs);
    }
    assert_eq!(failed, 0, "kinds of failures, each told above");
}
