//! Runs in object stores and in repositories of the Hugging Face Hub, read from a server of this machine: those of
//! `fixtures/serve_objects.py`, which is moto's, and `fixtures/serve_hub.py`, and one that answers as it is told. The
//! oracle is the report of the same files in directories.

#[cfg(feature = "object-stores")]
mod answers;
#[cfg(feature = "object-stores")]
mod hub;
#[cfg(feature = "object-stores")]
mod served;

use std::process::Command;

use crate::command::{assert_said, program};

/// What the program says with these variables, and its exit status.
fn asked(environment: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, String, String) {
    let place = tempfile::tempdir().expect("a directory");
    let mut command: Command = program();
    for name in [
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AWS_PROFILE",
        "HF_TOKEN",
        "HUGGING_FACE_HUB_TOKEN",
        "HF_TOKEN_PATH",
        "HF_HUB_OFFLINE",
        "TRANSFORMERS_OFFLINE",
        "HF_HUB_DISABLE_IMPLICIT_TOKEN",
        "HF_HUB_DOWNLOAD_TIMEOUT",
    ] {
        command.env_remove(name);
    }
    // Where no token of the tester lies.
    command.env("HF_HOME", place.path().join("none"));
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
    for [a, b] in [["s3://bucket/a", "s3://bucket/b"], ["hf://datasets/o/a", "hf://o/b"]] {
        refused(&[], &["compare", a, b], 4, &[a, "--features object-stores"]);
    }
}

#[cfg(feature = "object-stores")]
mod of_a_store {
    use super::served::{Place, Server, write_runs};
    use super::{asked, refused};
    use crate::command::assert_said;

    #[test]
    fn runs_in_a_store_give_the_report_of_the_same_files() {
        let place = tempfile::tempdir().expect("a directory");
        write_runs(place.path());
        let directory = place.path().canonicalize().expect("a directory");
        let arguments = ["fixtures/serve_objects.py", "bucket", &*directory.to_string_lossy()];
        let Some(server) = Server::start("moto.server, boto3, flask", &arguments) else { return };
        let environment = [
            ("AWS_ENDPOINT_URL", server.endpoint.as_str()),
            ("AWS_ACCESS_KEY_ID", "key"),
            ("AWS_SECRET_ACCESS_KEY", "hidden-secret"),
        ];
        let place =
            Place { environment: &environment, address: "s3://bucket", directory: &directory };
        let check = |arguments: &[&str], runs: &[&str]| place.check(arguments, runs);
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
        of_what_is_not_there(&environment);
    }

    fn of_what_is_not_there(environment: &[(&str, &str)]) {
        for gone in [
            "s3://bucket/phases/phase",
            "s3://no-such-bucket/a",
            "s3://bucket/phases/phase0/config",
        ] {
            let said = [gone, "no such bucket, prefix or object"];
            refused(environment, &["inspect", gone], 4, &said);
        }
        let (status, out, err) = asked(environment, &["inspect", "s3://bucket/marked"]);
        assert_eq!(status, Some(0), "{err}");
        assert_said(&out, &["s3://bucket/marked"]);
        let limited = ["inspect", "s3://bucket/many/a", "--limit", "files=100"];
        refused(environment, &limited, 4, &["more files than the limit 100", "--limit files="]);
    }
}
