//! Runs in object stores, read from a server of this machine: the one of `fixtures/serve_objects.py`, which is
//! moto's, and one that answers as it is told. The oracle is the report of the same files in directories.

#[cfg(feature = "object-stores")]
mod answers;

use std::process::Command;

use crate::command::{assert_said, program};

/// What the program says with these variables, and its exit status.
fn asked(environment: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, String, String) {
    let place = tempfile::tempdir().expect("a directory");
    let mut command: Command = program();
    for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"] {
        command.env_remove(name);
    }
    command.args(arguments).env("TMPDIR", place.path()).envs(environment.iter().copied());
    let ended = command.output().expect("the program starts");
    let [out, err] =
        [ended.stdout, ended.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let left = std::fs::read_dir(place.path()).expect("a directory").count();
    assert_eq!(left, 0, "what was fetched is left: {err}");
    let shown = place.path().to_string_lossy().into_owned();
    assert!(!out.contains(&shown) && !err.contains(&shown), "{shown} in {out}{err}");
    (ended.status.code(), out, err)
}

fn refused(environment: &[(&str, &str)], arguments: &[&str], status: i32, said: &[&str]) {
    let (code, out, err) = asked(environment, arguments);
    assert_eq!((code, out.as_str()), (Some(status), ""), "{err}");
    assert_said(&err, said);
    assert!(!err.contains("hidden-secret"), "{err}");
}

#[cfg(not(feature = "object-stores"))]
#[test]
fn a_build_without_object_stores_says_how_to_get_one() {
    let runs = ["compare", "s3://bucket/a", "s3://bucket/b"];
    refused(&[], &runs, 4, &["s3://bucket/a", "--features object-stores"]);
}

#[cfg(feature = "object-stores")]
mod of_a_server {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Stdio};
    use std::{env, fs};

    use super::{asked, refused};
    use crate::command::assert_said;

    /// A server of a bucket; it ends when this is dropped.
    struct Server {
        process: Child,
        endpoint: String,
    }

    impl Drop for Server {
        fn drop(&mut self) {
            drop(self.process.stdin.take());
            let _ended = self.process.wait();
        }
    }

    /// The server, where Python has what it needs.
    fn server(directory: &Path) -> Option<Server> {
        let python = env::var("REPORTGEN_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let has = Command::new(&python).args(["-c", "import moto.server, boto3, flask"]).output();
        if !has.is_ok_and(|ended| ended.status.success()) {
            let _unwritable = writeln!(std::io::stderr(), "NOT TESTED: {python} has no moto");
            return None;
        }
        let mut command = Command::new(python);
        command.args(["-B", "fixtures/serve_objects.py", "bucket"]).arg(directory);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("the server starts");
        let mut endpoint = String::new();
        let out = process.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut endpoint).expect("its address");
        assert!(endpoint.starts_with("http://127.0.0.1:"), "{endpoint}");
        Some(Server { process, endpoint: endpoint.trim().to_owned() })
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

    /// Runs of the fixtures, one of 1,100 files, and what is not fetched.
    fn bucket() -> tempfile::TempDir {
        let place = tempfile::tempdir().expect("a directory");
        copy(Path::new("fixtures/phases"), &place.path().join("phases"));
        copy(Path::new("fixtures/counted"), &place.path().join("counted"));
        for (run, seed) in [("data/a", "1"), ("data/b", "2")] {
            let run = place.path().join(run);
            fs::create_dir_all(run.join("sub/train")).expect("created");
            let config =
                "train_file: train/rows.jsonl\ntest_file: train/rows.bin\nseed: ".to_owned();
            fs::write(run.join("sub/config.yaml"), config + seed).expect("written");
            fs::write(run.join("sub/train/rows.jsonl"), "{\"prompt\": \"a\"}\n".repeat(20))
                .expect("written");
            fs::write(run.join("sub/train/rows.bin"), seed.repeat(50)).expect("written");
            let results =
                (0..40).map(|id| format!("{{\"id\":{id},\"accepted\":{}}}\n", id % 3 == 0));
            fs::write(run.join("samples.jsonl"), results.collect::<Vec<_>>().concat())
                .expect("written");
        }
        for run in ["many/a", "many/b"] {
            let run: PathBuf = place.path().join(run);
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
        place
    }

    /// The report of runs in the store, whose addresses without the bucket are paths, is that of the files.
    fn check(endpoint: &str, directory: &Path, arguments: &[&str], runs: &[&str]) {
        let environment = [
            ("AWS_ENDPOINT_URL", endpoint),
            ("AWS_ACCESS_KEY_ID", "key"),
            ("AWS_SECRET_ACCESS_KEY", "hidden-secret"),
        ];
        let addresses: Vec<String> = runs.iter().map(|run| format!("s3://bucket/{run}")).collect();
        let addresses: Vec<&str> = addresses.iter().map(String::as_str).collect();
        let paths: Vec<String> =
            runs.iter().map(|run| directory.join(run).to_string_lossy().into_owned()).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let of_store = asked(&environment, &[arguments, &addresses].concat());
        let of_files = asked(&[], &[arguments, &paths].concat());
        let plain = |text: String| {
            let directory = format!("{}/", directory.to_string_lossy());
            let named = text.replace("s3://bucket/", "").replace("s3\\://bucket/", "");
            named.replace(&directory, "").replace(&directory.replace('_', "\\_"), "")
        };
        assert_eq!(of_store.0, of_files.0, "{}", of_store.2);
        let names_it = of_files.1.contains(&*directory.to_string_lossy());
        assert_eq!(of_store.1.contains("//bucket/"), names_it, "{}", of_store.1);
        assert_eq!(plain(of_store.1), plain(of_files.1));
        assert_eq!(plain(of_store.2), plain(of_files.2));
    }

    #[test]
    fn runs_in_a_store_give_the_report_of_the_same_files() {
        let place = bucket();
        let Some(server) = server(place.path()) else { return };
        let directory = place.path().canonicalize().expect("a directory");
        let check = |arguments: &[&str], runs: &[&str]| {
            check(&server.endpoint, &directory, arguments, runs);
        };
        let phases = ["phases/phase0", "phases/phase1"];
        for arguments in
            [&["compare", "--format", "json"][..], &["compare"], &["check"], &["samples"]]
        {
            check(arguments, &phases);
        }
        check(&["compare", "--format", "json"], &["counted/a.jsonl", "counted/b.jsonl"]);
        check(&["samples"], &["counted/a.jsonl", "counted/b.jsonl"]);
        check(&["compare"], &["data/a", "data/b"]);
        check(&["inspect"], &["phases/phase1/"]);
        check(&["inspect"], &["phases"]);
        check(&["metrics"], &["many/a"]);
        check(&["progress"], &["phases/phase1"]);
        check(&["compare", "--stats"], &["counted/independent.parquet"]);
        check(&["best", "--metric", "accepted"], &["phases/phase1"]);
        check(&["compare"], &["phases::phase0", "phases::phase1"]);
        check(&["compare"], &["many/a", "many/b"]);
        check(&["inspect"], &["many/a"]);
        of_what_is_not_there(&server.endpoint);
    }

    fn of_what_is_not_there(endpoint: &str) {
        let environment = [
            ("AWS_ENDPOINT_URL", endpoint),
            ("AWS_ACCESS_KEY_ID", "key"),
            ("AWS_SECRET_ACCESS_KEY", "hidden-secret"),
        ];
        for gone in [
            "s3://bucket/phases/phase",
            "s3://no-such-bucket/a",
            "s3://bucket/phases/phase0/config",
        ] {
            refused(
                &environment,
                &["inspect", gone],
                4,
                &[gone, "no such bucket, prefix or object"],
            );
        }
        let (status, out, err) = asked(&environment, &["inspect", "s3://bucket/marked"]);
        assert_eq!(status, Some(0), "{err}");
        assert_said(&out, &["s3://bucket/marked"]);
        let limited = ["inspect", "s3://bucket/many/a", "--limit", "files=100"];
        refused(&environment, &limited, 4, &["more files than the limit 100", "--limit files="]);
    }
}
