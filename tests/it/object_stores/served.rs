//! Servers that the tests start, and what they hand out.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, fs};

use super::asked;

/// A server of files; it ends when this is dropped.
pub(super) struct Server {
    process: Child,
    pub(super) endpoint: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ended = self.process.wait();
    }
}

impl Server {
    /// A server of the fixtures, where Python has what it imports.
    pub(super) fn start(imports: &str, arguments: &[&str]) -> Option<Self> {
        let python = env::var("REPORTGEN_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let has = Command::new(&python).args(["-c", &format!("import {imports}")]).output();
        if !has.is_ok_and(|ended| ended.status.success()) {
            let _unwritable = writeln!(std::io::stderr(), "NOT TESTED: {python} has no {imports}");
            return None;
        }
        let mut command = Command::new(python);
        command.arg("-B").args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("the server starts");
        let mut endpoint = String::new();
        let out = process.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut endpoint).expect("its address");
        assert!(endpoint.starts_with("http://127.0.0.1:"), "{endpoint}");
        Some(Self { process, endpoint: endpoint.trim().to_owned() })
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("created");
    for entry in fs::read_dir(from).expect("a directory") {
        let (path, place) =
            entry.map(|one| (one.path(), to.join(one.file_name()))).expect("an entry");
        if path.is_dir() {
            copy(&path, &place);
        } else {
            assert!(fs::copy(&path, &place).is_ok());
        }
    }
}

/// Writes runs of the fixtures, one of 1,100 files, and what is not fetched.
pub(super) fn write_runs(place: &Path) {
    copy(Path::new("fixtures/phases"), &place.join("phases"));
    copy(Path::new("fixtures/counted"), &place.join("counted"));
    for (run, seed) in [("data/a", "1"), ("data/b", "2")] {
        let run = place.join(run);
        fs::create_dir_all(run.join("sub/train")).expect("created");
        let config = "train_file: train/rows.jsonl\ntest_file: train/rows.bin\nseed: ".to_owned();
        fs::write(run.join("sub/config.yaml"), config + seed).expect("written");
        fs::write(run.join("sub/train/rows.jsonl"), "{\"prompt\": \"a\"}\n".repeat(20))
            .expect("written");
        fs::write(run.join("sub/train/rows.bin"), seed.repeat(50)).expect("written");
        let results = (0..40).map(|id| format!("{{\"id\":{id},\"accepted\":{}}}\n", id % 3 == 0));
        fs::write(run.join("samples.jsonl"), results.collect::<Vec<_>>().concat())
            .expect("written");
    }
    for run in ["many/a", "many/b"] {
        let run: PathBuf = place.join(run);
        fs::create_dir_all(run.join("checkpoint")).expect("created");
        let files = if run.ends_with("a") { 1100 } else { 2 };
        for file in 0..files {
            let records: Vec<String> = (0..if files > 2 { 1 } else { 550 })
                .map(|at| {
                    format!(
                        "{{\"id\":{},\"accepted\":{}}}\n",
                        file * 1100 / files + at,
                        at % 2 == 0
                    )
                })
                .collect();
            fs::write(run.join(format!("part-{file:04}.jsonl")), records.concat())
                .expect("written");
        }
        fs::write(run.join("checkpoint/model.safetensors"), [0; 3000]).expect("written");
    }
}

/// Files that a server hands out below an address, and where they lie on this machine.
pub(super) struct Place<'a> {
    pub(super) environment: &'a [(&'a str, &'a str)],
    pub(super) address: &'a str,
    pub(super) directory: &'a Path,
}

impl Place<'_> {
    /// The report of runs below the address is that of the files; runs are paths below it.
    pub(super) fn check(&self, arguments: &[&str], runs: &[&str]) {
        let address = format!("{}/", self.address);
        let directory = format!("{}/", self.directory.to_string_lossy());
        let below = |start: &str| runs.iter().map(|run| format!("{start}{run}")).collect();
        let (addresses, paths): (Vec<String>, Vec<String>) = (below(&address), below(&directory));
        let addresses: Vec<&str> = addresses.iter().map(String::as_str).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let of_store = asked(self.environment, &[arguments, &addresses].concat());
        let of_files = asked(&[], &[arguments, &paths].concat());
        let plain = |text: String| {
            let named = text.replace(&address, "").replace(&address.replace(':', "\\:"), "");
            named.replace(&directory, "").replace(&directory.replace('_', "\\_"), "")
        };
        assert_eq!(of_store.0, of_files.0, "{}", of_store.2);
        let names_it = of_files.1.contains(&directory);
        let shown = address.split_once(':').map_or("", |(_, shown)| shown);
        assert_eq!(of_store.1.contains(shown), names_it, "{}", of_store.1);
        assert_eq!(plain(of_store.1), plain(of_files.1));
        assert_eq!(plain(of_store.2), plain(of_files.2));
    }
}
