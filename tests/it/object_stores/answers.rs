//! What a store says that no good one does, by a server that has one answer for each path.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::refused;
use crate::cases::tests;

/// A server that gives the answers in this order, an empty one by saying nothing, and is gone behind the last.
pub(super) struct Answers {
    pub(super) endpoint: String,
    requests: Arc<AtomicUsize>,
}

impl Answers {
    pub(super) fn serve(answers: &[String]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let endpoint = format!("http://{}", listener.local_addr().expect("its address"));
        let requests = Arc::new(AtomicUsize::new(0));
        let (counted, answers) = (Arc::clone(&requests), answers.to_vec());
        let mut answers = answers.into_iter();
        let mut silent = Vec::new();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { break };
                let answer = answers.next();
                // Dropping the listener refuses whoever comes next.
                let Some(answer) = answer else { break };
                counted.fetch_add(1, Ordering::SeqCst);
                if answer.is_empty() {
                    silent.push(stream);
                } else {
                    give(stream, &answer);
                }
            }
        });
        Self { endpoint, requests }
    }

    /// How many requests it had.
    pub(super) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

fn give(stream: TcpStream, answer: &str) {
    let mut lines = BufReader::new(stream);
    let mut line = String::new();
    while lines.read_line(&mut line).is_ok_and(|read| read > 2) {
        line.clear();
    }
    let _gone = lines.into_inner().write_all(answer.as_bytes());
}

/// An answer; headers may stand behind the status, a line each.
pub(super) fn answer(status: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
}

fn list(objects: &[(&str, u64)]) -> String {
    let object = |(key, size): &(&str, u64)| {
        format!(
            "<Contents><Key>{key}</Key><Size>{size}</Size><ETag>\"e\"</ETag>\
             <LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>"
        )
    };
    let objects: String = objects.iter().map(object).collect();
    let body =
        format!("<ListBucketResult><IsTruncated>false</IsTruncated>{objects}</ListBucketResult>");
    answer("200 OK", &body)
}

/// What is said of a run whose store gives these answers, and how many it was asked for at most.
fn check(answers: &[String], more: &[&str], said: &[&str], requests: usize) {
    let server = Answers::serve(answers);
    let environment = [
        ("AWS_ENDPOINT_URL", server.endpoint.as_str()),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "hidden-secret"),
    ];
    refused(&environment, &[&["inspect", "s3://bucket/run"], more].concat(), 4, said);
    assert!(server.requests() <= requests);
}

fn denied() -> String {
    answer(
        "403 Forbidden",
        "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>",
    )
}

tests![
    denied_access = check(&[denied()], &[], &["denies access", "listing"], 1),
    denied_access_to_an_object =
        check(&[list(&[("run/a.json", 2)]), denied()], &[], &["denies access"], 2),
    a_server_that_dies_halfway = check(
        &[list(&[("run/a.json", 2), ("run/b.json", 2)]), answer("200 OK", "{}")],
        &[],
        &["s3://bucket/run", "fetching it failed"],
        2,
    ),
    an_object_that_is_longer_than_the_list_says = check(
        &[list(&[("run/a.json", 2)]), answer("200 OK", "{\"a\": 1}")],
        &[],
        &["run/a.json", "changed while it was read"],
        2,
    ),
    a_name_that_leads_out =
        check(&[list(&[("run/../../a.json", 2)])], &[], &["rename the object"], 1),
    a_name_with_an_empty_part =
        check(&[list(&[("run//a.json", 2)])], &[], &["rename the object"], 1),
    an_object_that_is_a_prefix_too =
        check(&[list(&[("run/a", 2), ("run/a/b.json", 2)])], &[], &["`a` is an object"], 1),
    what_is_too_large_is_not_fetched = check(
        &[list(&[("run/a.jsonl", 1 << 30), ("run/model.safetensors", 1 << 40)])],
        &["--limit", "fetched-mib=1000"],
        &["1024 MiB", "--limit fetched-mib="],
        1,
    ),
];

#[test]
fn without_credentials_it_is_said_which_are_looked_for() {
    let environment = [
        ("AWS_METADATA_ENDPOINT", "http://127.0.0.1:9"),
        ("AWS_ENDPOINT_URL", "http://127.0.0.1:9"),
    ];
    let said = ["no credentials", "AWS_ACCESS_KEY_ID", "AWS_SKIP_SIGNATURE"];
    refused(&environment, &["inspect", "s3://bucket/run"], 4, &said);
}

#[test]
fn an_endpoint_that_is_no_address_is_refused() {
    for endpoint in ["", "localhost:9000"] {
        let environment = [
            ("AWS_ENDPOINT_URL", endpoint),
            ("AWS_ACCESS_KEY_ID", "key"),
            ("AWS_SECRET_ACCESS_KEY", "hidden-secret"),
        ];
        let said = ["AWS_ENDPOINT_URL", "http://"];
        refused(&environment, &["inspect", "s3://bucket/run"], 4, &said);
    }
}

#[test]
fn an_address_that_is_none_is_refused() {
    for address in ["s3://", "s3://bucket/a/../b", "gs://bucket//a"] {
        refused(&[], &["inspect", address], 4, &[address, "SCHEME://BUCKET/PREFIX"]);
    }
}
