//! Runs in repositories of the Hugging Face Hub: of the server of `fixtures/serve_hub.py`, and of one that answers as
//! it is told.

use super::answers::{Answers, answer};
use super::served::{Place, Server, write_runs};
use super::{asked, refused};
use crate::cases::tests;
use crate::command::assert_said;

#[test]
fn runs_in_a_repository_give_the_report_of_the_same_files() {
    let place = tempfile::tempdir().expect("a directory");
    let place = place.path().canonicalize().expect("a directory");
    let (main, draft) = (place.join("main"), place.join("refs%2Fpr%2F1"));
    write_runs(&main);
    write_runs(&draft);
    std::fs::remove_dir_all(draft.join("data")).expect("removed");
    let arguments =
        ["fixtures/serve_hub.py", "me/runs", &*place.to_string_lossy(), "hidden-secret"];
    let Some(server) = Server::start("http.server", &arguments) else { return };
    let environment = [("HF_ENDPOINT", server.endpoint.as_str()), ("HF_TOKEN", "hidden-secret")];
    let of_main =
        Place { environment: &environment, address: "hf://datasets/me/runs", directory: &main };
    let phases = ["phases/phase0", "phases/phase1"];
    for arguments in [&["compare", "--format", "json"][..], &["compare"], &["samples"]] {
        of_main.check(arguments, &phases);
    }
    of_main.check(&["compare", "--format", "json"], &["counted/a.jsonl", "counted/b.jsonl"]);
    of_main.check(&["compare", "--stats"], &["counted/independent.parquet"]);
    of_main.check(&["compare"], &["data/a", "data/b"]);
    of_main.check(&["inspect"], &["phases/phase1/"]);
    of_main.check(&["compare"], &["phases::phase0", "phases::phase1"]);
    of_main.check(&["compare"], &["many/a", "many/b"]);
    for revision in ["refs%2Fpr%2F1", "refs/pr/1"] {
        let address = format!("hf://datasets/me/runs@{revision}");
        let of_draft = Place { environment: &environment, address: &address, directory: &draft };
        of_draft.check(&["compare", "--format", "json"], &phases);
    }
    let gone = |address: &str, said: &[&str]| {
        refused(&environment, &["inspect", address], 4, &[&[address], said].concat());
    };
    let no_path = ["neither a file nor a directory"];
    gone("hf://datasets/me/runs@refs/pr/1/data/a", &no_path);
    gone("hf://datasets/me/runs/phases/phase", &no_path);
    gone("hf://datasets/me/runs/none/at/all", &no_path);
    gone("hf://datasets/me/runs@v2/phases", &["no such branch, tag or commit"]);
    gone("hf://datasets/me/other", &["no such repository", "HF_TOKEN", "hf auth login"]);
    gone("hf://me/runs", &["no such repository", "hf://datasets/"]);
    let limited = ["inspect", "hf://datasets/me/runs/many/a", "--limit", "files=100"];
    refused(&environment, &limited, 4, &["more files than the limit 100", "--limit files="]);
    without_its_token(&server.endpoint);
}

fn without_its_token(endpoint: &str) {
    let run = ["inspect", "hf://datasets/me/runs/phases/phase0"];
    let hidden = ["HF_HUB_DISABLE_IMPLICIT_TOKEN", "HF_TOKEN"];
    let implicit = [("HF_ENDPOINT", endpoint), (hidden[0], "1"), (hidden[1], "hidden-secret")];
    for environment in [&implicit[..1], &implicit[..]] {
        refused(environment, &run, 4, &["no such repository, or a private one", "HF_TOKEN"]);
    }
    let wrong = [("HF_ENDPOINT", endpoint), ("HF_TOKEN", "another-hidden-secret")];
    refused(&wrong, &run, 4, &["does not accept the token", hidden[0]]);
    let place = tempfile::tempdir().expect("a directory");
    let file = place.path().join("token");
    std::fs::write(&file, "hidden-secret\n").expect("written");
    let file = file.to_string_lossy();
    let (status, _, err) = asked(&[("HF_ENDPOINT", endpoint), ("HF_TOKEN_PATH", &file)], &run);
    assert_eq!(status, Some(0), "{err}");
}

fn revision() -> String {
    answer("200 OK", "{\"sha\": \"607a30d783dfa663caf39e06633721c8d4cfcd7e\"}")
}

fn coded(status: &str, code: &str) -> String {
    answer(&format!("{status}\r\nX-Error-Code: {code}"), "{}")
}

/// A page of a list; headers may be given for it.
fn page(headers: &str, files: &[(&str, u64)]) -> String {
    let file = |(path, size): &(&str, u64)| {
        format!("{{\"type\": \"file\", \"path\": \"{path}\", \"size\": {size}, \"oid\": \"e\"}}")
    };
    let files: Vec<String> = files.iter().map(file).collect();
    answer(&format!("200 OK{headers}"), &format!("[{}]", files.join(", ")))
}

fn next(address: &str) -> String {
    format!("\r\nLink: <{address}>; rel=\"next\"")
}

const SAMPLE: &str = "{\"id\": 1, \"accepted\": true}\n";
const RUN: &str = "hf://me/runs/run";

fn environment(endpoint: &str) -> [(&str, &str); 2] {
    [("HF_ENDPOINT", endpoint), ("HF_TOKEN", "hidden-secret")]
}

/// What is said of a run whose hub gives these answers, and how many it was asked for.
fn check(answers: &[String], said: &[&str], requests: usize) {
    let server = Answers::serve(answers);
    let said = [&[RUN], said].concat();
    refused(&environment(&server.endpoint), &["inspect", RUN], 4, &said);
    assert_eq!(server.requests(), requests);
}

/// That a run is read whose hub gives these answers, all of them.
fn read(run: &str, answers: &[String]) {
    let server = Answers::serve(answers);
    let (status, out, err) = asked(&environment(&server.endpoint), &["inspect", run]);
    assert_eq!(status, Some(0), "{err}");
    assert_said(&out, &[run, "accepted"]);
    assert_eq!(server.requests(), answers.len());
}

fn listed(size: u64) -> Vec<String> {
    vec![revision(), page("", &[("run/a.jsonl", size)])]
}

fn then(answers: Vec<String>, last: String) -> Vec<String> {
    answers.into_iter().chain([last]).collect()
}

fn sample_bytes() -> u64 {
    SAMPLE.len() as u64
}

tests![
    a_repository_that_is_missing_or_private = check(
        &[coded("404 Not Found", "RepoNotFound")],
        &["no such repository, or a private one", "HF_TOKEN"],
        1,
    ),
    a_hub_that_says_no_more_than_404 =
        check(&[answer("404 Not Found", "")], &["no such repository"], 1),
    a_revision_that_is_missing = check(
        &[coded("404 Not Found", "RevisionNotFound")],
        &["no such branch, tag or commit", "%2F"],
        1,
    ),
    a_path_that_is_missing = check(
        &[
            revision(),
            coded("404 Not Found", "EntryNotFound"),
            page("", &[("runs", 1), ("run.json", 1)]),
        ],
        &["neither a file nor a directory"],
        3,
    ),
    a_directory_without_files = check(&[revision(), page("", &[])], &["neither a file"], 2),
    a_token_that_is_out_of_date = check(
        &[answer("401 Unauthorized", "")],
        &["does not accept the token", "HF_HUB_DISABLE_IMPLICIT_TOKEN"],
        1,
    ),
    a_gated_repository_that_lists_its_files = check(
        &then(listed(1), coded("401 Unauthorized", "GatedRepo")),
        &["ask for it on the page of the repository"],
        3,
    ),
    access_that_is_denied = check(&[answer("403 Forbidden", "")], &["ask for it on the page"], 1),
    a_file_that_is_longer_than_listed = check(
        &then(listed(3), answer("200 OK", SAMPLE)),
        &["run/a.jsonl", "changed while it was read"],
        3,
    ),
    a_file_that_is_shorter_than_listed = check(
        &then(listed(300), answer("200 OK", SAMPLE)),
        &["run/a.jsonl", "changed while it was read"],
        3,
    ),
    a_file_that_is_cut_short = check(
        &then(
            listed(300),
            answer("200 OK", SAMPLE).replace("Content-Length: 28", "Content-Length: 300")
        ),
        &["run/a.jsonl", "fetching it failed"],
        3,
    ),
    a_hub_that_is_busy_for_long = check(
        &[answer("429 Too Many Requests\r\nRetry-After: 300", "")],
        &["429 Too Many Requests", "asks to wait 300 s"],
        1,
    ),
    a_hub_that_tells_its_limit = check(
        &[answer("429 Too Many Requests\r\nRateLimit: \"api\";r=0;t=550", "")],
        &["asks to wait 550 s"],
        1,
    ),
    a_hub_that_is_down = check(
        &[
            "500 Internal Server Error",
            "502 Bad Gateway",
            "503 Service Unavailable",
            "504 Gateway Timeout"
        ]
        .map(|status| answer(status, "")),
        &["504 Gateway Timeout"],
        4,
    ),
    what_is_no_hub = check(&[answer("200 OK", "<html>")], &["no answer of a hub"], 1),
    a_name_that_leads_out =
        check(&[revision(), page("", &[("run/../../a.json", 2)])], &["rename the object"], 2,),
    a_name_from_elsewhere =
        check(&[revision(), page("", &[("runs/a.json", 2)])], &["`runs/a.json` is listed"], 2),
    what_is_too_large_by_its_pointer_is_not_fetched = check(
        &[
            revision(),
            answer(
                "200 OK",
                "[{\"type\": \"file\", \"path\": \"run/a.jsonl\", \"size\": 130, \
             \"lfs\": {\"oid\": \"e\", \"size\": 8796093022208, \"pointerSize\": 130}}]"
            ),
        ],
        &["8388608 MiB", "--limit fetched-mib="],
        2,
    ),
    a_hub_that_is_up_again = read(
        RUN,
        &[
            &[answer("503 Service Unavailable\r\nRetry-After: 1", "")][..],
            &listed(sample_bytes()),
            &[answer("500 Internal Server Error", ""), answer("200 OK", SAMPLE)],
        ]
        .concat(),
    ),
    a_list_that_names_the_file_itself =
        read("hf://me/runs/run/a.jsonl", &then(listed(sample_bytes()), answer("200 OK", SAMPLE))),
    // What a mirror hands on of the hub; another host would not be found.
    pages_whose_address_is_elsewhere = read(
        RUN,
        &[
            revision(),
            page(&next("https://hub.invalid/api/x?cursor=a%3D"), &[("run/checkpoint/model.pt", 9)]),
            page("", &[("run/a.jsonl", sample_bytes())]),
            answer("200 OK", SAMPLE),
        ],
    ),
];

#[test]
fn a_hub_that_says_nothing_is_not_waited_for() {
    let server = Answers::serve(&[String::new()]);
    let environment = [("HF_ENDPOINT", server.endpoint.as_str()), ("HF_HUB_DOWNLOAD_TIMEOUT", "1")];
    refused(&environment, &["inspect", RUN], 4, &[RUN, "does not answer"]);
    assert_eq!(server.requests(), 1);
}

#[test]
fn pages_without_an_end_are_not_waited_for() {
    let pages = vec![page(&next("/x?cursor=1"), &[]); 200];
    let server = Answers::serve(&[vec![revision()], pages].concat());
    let words = ["inspect", RUN, "--limit", "files=3"];
    refused(&environment(&server.endpoint), &words, 4, &["more files than the limit 3"]);
    assert!(server.requests() < 200);
}

#[test]
fn a_second_host_that_refuses_is_not_taken_for_the_hub() {
    let storage = Answers::serve(&[answer("403 Forbidden", "")]);
    let place = storage.endpoint.replace("127.0.0.1", "localhost");
    let moved = format!("302 Found\r\nLocation: {place}/blob?Signature=hidden-secret");
    check(
        &then(listed(sample_bytes()), answer(&moved, "")),
        &["run/a.jsonl", "localhost answers 403 Forbidden"],
        3,
    );
    assert_eq!(storage.requests(), 1);
}

#[test]
fn a_hub_that_is_not_there_or_may_not_be_asked_is_said() {
    let say = |variable: (&str, &str), said: &[&str]| {
        refused(&[variable], &["inspect", RUN], 4, &[&[RUN], said].concat());
    };
    say(("HF_ENDPOINT", "http://127.0.0.1:9"), &["fetching it failed", "127.0.0.1"]);
    say(("HF_ENDPOINT", "hub"), &["HF_ENDPOINT", "http://"]);
    say(("HF_HUB_OFFLINE", "1"), &["HF_HUB_OFFLINE", "unset it"]);
    say(("TRANSFORMERS_OFFLINE", "yes"), &["TRANSFORMERS_OFFLINE"]);
}

#[test]
fn an_address_that_names_no_repository_is_refused() {
    for address in ["hf://", "hf://a", "hf://datasets", "hf://datasets/a", "hf://buckets/a/b"] {
        refused(&[], &["inspect", address], 4, &[address, "hf://datasets/OWNER/NAME"]);
    }
}
