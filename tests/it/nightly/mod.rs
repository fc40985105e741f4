//! `reportgen nightly` over a root of results that a test fills night by night.

mod alerts;
mod doubts;
mod faults;
mod history;
mod nights;
mod stored;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use reportgen::quantity::{Moment, Night};
use serde_json::Value;

use crate::command::{Ended, program, reportgen};
use crate::directory::Directory;

pub(crate) const JOB: &str = "[job.main]\nruns = \"runs/*\"\nmetric = \"accuracy\"\nfail-on = \"regression\"\n\
                   due = \"06:00\"\nkeep = { nights = 90 }\n";

/// A root of results with its configuration, and `nightly/` for what is made of it.
pub(crate) struct Results(Directory);

impl Results {
    pub(crate) fn new(job: &str) -> Self {
        Self(Directory::of([("reportgen.toml", job)]))
    }

    /// A file of a run, written at that time of its night, such as `03:00`.
    fn file(&self, run: &str, time: &str, name: &str, content: impl AsRef<[u8]>) {
        let below = format!("runs/{run}/{name}");
        self.0.write(&below, content);
        let night = Night::named_in(run).expect("the run names its night");
        let moment: Moment = format!("{night}T{time}Z").parse().expect("a time");
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(moment.0.cast_unsigned());
        let file = File::options().write(true).open(self.0.path(below)).expect("opened");
        file.set_modified(time).expect("a time");
    }

    /// A run of that night with so many right answers of 1,000.
    pub(crate) fn run(&self, night: &str, time: &str, right: u32) {
        let accuracy = f64::from(right) / 1000.0;
        self.file(
            night,
            time,
            "metrics.json",
            format!("{{\"accuracy\": {accuracy}, \"n\": 1000}}"),
        );
        self.file(night, time, "config.yaml", "model: small\nlr: 0.001\ntrain_file: train.jsonl\n");
        self.file(night, time, "train.jsonl", "{\"text\": \"a\"}\n{\"text\": \"b\"}\n");
    }

    fn words(&self, at: &str, more: &[&str]) -> Vec<String> {
        let [config, out] = ["reportgen.toml", "nightly"].map(|below| self.0.word(below));
        let words = ["nightly", "--config", &config, "-o", &out, "--at", at];
        words.iter().chain(more).map(|word| (*word).to_owned()).collect()
    }

    pub(crate) fn nightly(&self, at: &str, more: &[&str]) -> Ended {
        reportgen(self.words(at, more))
    }

    /// The same as a process of its own.
    fn process(&self, at: &str) -> Command {
        let mut program = program();
        program.args(self.words(at, &[]));
        program
    }

    fn history(&self, more: &[&str]) -> Ended {
        let out = self.0.word("nightly");
        reportgen(["history", &out, "--format", "json"].iter().chain(more).map(ToString::to_string))
    }

    /// Rows of the history.
    fn rows(&self, more: &[&str]) -> Vec<Value> {
        let ended = self.history(more);
        let report: Value = serde_json::from_str(&ended.out).expect("a report");
        report["rows"].as_array().expect("rows").clone()
    }

    fn json(&self, below: &str) -> Value {
        serde_json::from_str(&self.0.read(format!("nightly/{below}"))).expect("JSON")
    }

    /// The only job of the index.
    fn job(&self) -> Value {
        self.json("index.json")["jobs"][0].clone()
    }

    /// Every file of the output by its path, with its content and when it was written; what holds the
    /// directory is none of it.
    fn output(&self) -> BTreeMap<String, (Vec<u8>, SystemTime)> {
        let mut found = BTreeMap::new();
        gather(&self.0.path("nightly"), "", &mut found);
        found.remove(".reportgen.held");
        found
    }

    /// Content of every file of the output.
    pub(crate) fn content(&self) -> BTreeMap<String, Vec<u8>> {
        self.output().into_iter().map(|(name, (content, _))| (name, content)).collect()
    }
}

fn gather(directory: &Path, above: &str, found: &mut BTreeMap<String, (Vec<u8>, SystemTime)>) {
    for entry in fs::read_dir(directory).expect("listed").map(|entry| entry.expect("an entry")) {
        let name = format!("{above}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            gather(&entry.path(), &format!("{name}/"), found);
        } else {
            let written = entry.metadata().and_then(|there| there.modified()).expect("a time");
            found.insert(name, (fs::read(entry.path()).expect("read"), written));
        }
    }
}
