//! The steps of `action.yml` and `ci/comment.sh`, run with the variables of a job against a forge that
//! is a thread of the test.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use crate::command::compare;
use crate::directory::Directory;

const TOKEN: &str = "t0ken";
const BOT: &str = "github-actions[bot]";
const PHASES: [&str; 2] = ["fixtures/phases/phase1", "fixtures/phases/phase0"];

/// Whether the tools of a runner are here; says so where they are not.
fn has_tools() -> bool {
    let missing = ["bash", "curl", "jq"].into_iter().find(|tool| {
        !Command::new(tool).arg("--version").output().is_ok_and(|ended| ended.status.success())
    });
    if let Some(tool) = missing {
        let _unwritable = writeln!(std::io::stderr(), "NOT TESTED: {tool} is not here");
    }
    missing.is_none()
}

#[derive(Debug, Clone)]
struct Comment {
    id: usize,
    author: &'static str,
    body: String,
}

/// Comments on one pull request, and the requests that changed them.
#[derive(Debug, Default)]
struct Pages {
    comments: Vec<Comment>,
    /// Comments that one answer lists.
    size: usize,
    changes: Vec<String>,
}

struct Forge {
    address: String,
    pages: Arc<Mutex<Pages>>,
}

impl Forge {
    /// A forge with comments by these authors.
    fn with(comments: &[(&'static str, String)], size: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let comments = comments.iter().enumerate();
        let comments = comments
            .map(|(at, (author, body))| Comment { id: at + 1, author, body: body.clone() })
            .collect();
        let pages = Arc::new(Mutex::new(Pages { comments, size, changes: Vec::new() }));
        let shared = Arc::clone(&pages);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                answer(stream, &mut shared.lock().expect("the pages"));
            }
        });
        Self { address, pages }
    }

    fn comments(&self) -> Vec<Comment> {
        self.pages.lock().expect("the pages").comments.clone()
    }

    fn changes(&self) -> Vec<String> {
        self.pages.lock().expect("the pages").changes.clone()
    }

    /// `ci/comment.sh` with these arguments, as a step of a job for that forge.
    fn script(&self, forge: &str, arguments: &[&str]) -> Output {
        Command::new("ci/comment.sh")
            .args(arguments)
            .envs([("FORGE", forge), ("API", &self.address), ("REPOSITORY", "o/r")])
            .envs([("NUMBER", "7"), ("TOKEN", TOKEN), ("no_proxy", "*")])
            .output()
            .expect("it runs")
    }
}

fn answer(mut stream: TcpStream, pages: &mut Pages) {
    let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
    let mut line = String::new();
    reader.read_line(&mut line).expect("a request");
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let mut headers = BTreeMap::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).expect("a header");
        let Some((name, value)) = header.split_once(':') else { break };
        headers.insert(name.to_lowercase(), value.trim().to_owned());
    }
    if headers.contains_key("expect") {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").expect("written");
    }
    let length = headers.get("content-length").map_or(0, |length| length.parse().expect("a size"));
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    let tokens = [format!("token {TOKEN}"), TOKEN.to_owned()];
    let given = headers.get("authorization").or(headers.get("private-token"));
    let answer = match given.filter(|given| tokens.contains(given)) {
        Some(_) => respond(&words[0], &words[1], &body, pages),
        None => None,
    };
    let (status, text) = match answer {
        Some(answer) => ("200 OK", answer.to_string()),
        None => ("403 Forbidden", String::new()),
    };
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", text.len());
    let _gone = stream.write_all(format!("{head}Connection: close\r\n\r\n{text}").as_bytes());
}

fn respond(method: &str, target: &str, body: &[u8], pages: &mut Pages) -> Option<Value> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let body = || serde_json::from_slice::<Value>(body).ok()?["body"].as_str().map(str::to_owned);
    let is_list = path.ends_with("/issues/7/comments") || path.ends_with("/merge_requests/7/notes");
    match method {
        "GET" if path == "/user" => Some(json!({ "username": BOT, "login": BOT })),
        "GET" if path.ends_with("/pulls") => {
            assert!(query.to_lowercase().contains("head=stranger%3aa%26b"), "{query}");
            Some(
                json!([{ "number": 3, "head": { "sha": "old" } }, { "number": 7, "head": { "sha": "abc" } }]),
            )
        }
        "GET" if is_list => {
            let page: usize = query.rsplit("page=").next()?.parse().ok()?;
            let rows = pages.comments.iter().skip(pages.size * (page - 1)).take(pages.size);
            let rows = rows.map(|one| {
                let author = json!({ "login": one.author, "username": one.author });
                json!({ "id": one.id, "user": author, "author": author, "body": one.body })
            });
            Some(rows.collect())
        }
        "POST" if is_list => {
            let id = pages.comments.len() + 1;
            pages.comments.push(Comment { id, author: BOT, body: body()? });
            pages.changes.push(format!("POST {path}"));
            Some(json!({ "id": id }))
        }
        "PATCH" | "PUT" => {
            let id: usize = path.rsplit('/').next()?.parse().ok()?;
            pages.comments.iter_mut().find(|one| one.id == id)?.body = body()?;
            pages.changes.push(format!("{method} {path}"));
            Some(json!({ "id": id }))
        }
        _ => None,
    }
}

#[track_caller]
fn succeeded(ended: &Output) -> String {
    let err = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{err}");
    String::from_utf8_lossy(&ended.stdout).into_owned()
}

fn marked(name: &str, body: &str) -> String {
    format!("<!-- reportgen:comment {name} --><!-- reportgen:state 1 quiet 00 -->\n\n{body}\n")
}

#[test]
fn a_comment_is_posted_once_and_then_edited_on_every_forge() {
    if !has_tools() {
        return;
    }
    let files = Directory::of([("empty.md", "")]);
    let fetched = files.word("fetched.md");
    for (forge, format, list, edit) in [
        (
            "github",
            "github",
            "/repos/o/r/issues/7/comments",
            "PATCH /repos/o/r/issues/comments/102",
        ),
        ("gitea", "gitea", "/repos/o/r/issues/7/comments", "PATCH /repos/o/r/issues/comments/102"),
        (
            "gitlab",
            "gitlab",
            "/projects/o/r/merge_requests/7/notes",
            "PUT /projects/o/r/merge_requests/7/notes/102",
        ),
    ] {
        // More than a page of comments, among them a stranger's with the same first line.
        let mut there: Vec<(&str, String)> = vec![("stranger", marked("ci", "forged"))];
        there.extend((0..100).map(|at| ("reviewer", format!("\"quoted\" \\ {at}"))));
        let server = Forge::with(&there, if forge == "gitea" { 1_000 } else { 100 });
        let more = ["--format", format, "--comment-name", "ci", "--lang", "zh"];
        let body = compare(&PHASES, &more).out;
        files.write("body.md", &body);
        let path = files.word("body.md");

        succeeded(&server.script(forge, &["fetch", "ci", &fetched]));
        assert_eq!(files.read("fetched.md"), "", "a stranger's words");
        succeeded(&server.script(forge, &["post", &path]));
        assert_eq!(server.comments()[101].body, body);
        succeeded(&server.script(forge, &["fetch", "ci", &fetched]));
        assert_eq!(files.read("fetched.md").trim_end(), body.trim_end());
        files.write("body.md", marked("ci", "resolved"));
        succeeded(&server.script(forge, &["post", &path]));
        succeeded(&server.script(forge, &["post", &files.word("empty.md")]));
        assert_eq!(server.comments()[101].body, marked("ci", "resolved"));
        assert_eq!(server.comments().len(), 102);
        assert_eq!(server.comments()[0].body, marked("ci", "forged"));
        assert_eq!(server.changes(), [format!("POST {list}"), edit.to_owned()]);
    }
}

#[test]
fn a_token_that_may_not_write_ends_the_step_with_an_error() {
    if !has_tools() {
        return;
    }
    let server = Forge::with(&[], 100);
    let files = Directory::of([("body.md", marked("ci", "x"))]);
    let ended = Command::new("ci/comment.sh")
        .args(["post", &files.word("body.md")])
        .envs([("FORGE", "github"), ("API", &*server.address), ("REPOSITORY", "o/r")])
        .envs([("NUMBER", "7"), ("TOKEN", "read-only"), ("no_proxy", "*")])
        .output()
        .expect("it runs");
    assert!(!ended.status.success());
    assert!(String::from_utf8_lossy(&ended.stderr).contains("403"), "{ended:?}");
    assert!(server.changes().is_empty());
}

#[test]
fn the_pull_request_of_a_strangers_branch_is_the_one_whose_head_was_run() {
    if !has_tools() {
        return;
    }
    let server = Forge::with(&[], 100);
    assert_eq!(succeeded(&server.script("github", &["number", "stranger:a&b", "abc"])), "7\n");
    assert_eq!(succeeded(&server.script("github", &["number", "stranger:a&b", "gone"])), "");
}

/// The script of a step of `action.yml`, by its id.
fn step(id: &str) -> String {
    let text = fs::read_to_string("action.yml").expect("action.yml");
    let step = text.split("    - id: ").find(|step| step.starts_with(id)).expect("a step");
    let script = step.split_once("      run: |\n").expect("a script").1;
    let lines = script.lines().take_while(|line| line.is_empty() || line.starts_with("        "));
    lines.map(|line| line.trim_start_matches("        ").to_owned() + "\n").collect()
}

/// Runs the step that makes the reports; returns how it ended.
fn make_reports(server: &Forge, files: &Directory, arguments: &str, comment: &str) -> Output {
    let output = files.word("output.txt");
    let runner = [("RUNNER_TEMP", files.word("")), ("OUTPUT", files.word("out"))];
    let files = [("GITHUB_OUTPUT", &output), ("GITHUB_STEP_SUMMARY", &files.word("summary.md"))];
    Command::new("bash")
        .args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", &step("report")])
        .envs([("REPORTGEN", env!("CARGO_BIN_EXE_reportgen")), ("ACTION", ".")])
        .envs([("ARGUMENTS", arguments), ("COMMENT", comment), ("NAME", "ci"), ("NUMBER", "7")])
        .envs([("GITHUB_API_URL", &*server.address), ("GITHUB_REPOSITORY", "o/r")])
        .envs([("TOKEN", TOKEN), ("no_proxy", "*"), ("LC_ALL", "C.UTF-8")])
        .envs(runner)
        .envs(files)
        .output()
        .expect("it runs")
}

#[test]
fn the_action_writes_summary_reports_comment_and_status_and_edits_its_comment() {
    if !has_tools() {
        return;
    }
    let server = Forge::with(&[], 100);
    let files = Directory::of([("summary.md", "# before\n")]);
    let arguments =
        |[base, new]: [&str; 2]| format!("compare\n{base}\n{new}\n--fail-on\nregression\n");
    let ended = make_reports(&server, &files, &arguments(PHASES), "on-alert");
    let out = succeeded(&ended);
    assert!(out.contains("::error title=gate regression::"), "{out}");
    assert!(files.read("output.txt").ends_with("status=1\n"));
    assert!(files.read("summary.md").starts_with("# before\n### Comparison report"));
    for name in ["md", "html", "json", "github.md", "summary.md", "junit.xml", "sarif"] {
        assert!(files.path(format!("out/report.{name}")).exists(), "{name}");
    }
    let posted = server.comments();
    assert!(posted[0].body.contains("**3 worse, 1 identical"), "{posted:?}");

    // The same again says nothing; the regression gone is one line.
    succeeded(&make_reports(&server, &files, &arguments(PHASES), "on-alert"));
    assert_eq!(server.changes().len(), 1);
    let back = arguments([PHASES[1], PHASES[0]]);
    succeeded(&make_reports(&server, &files, &back, "on-alert"));
    let comments = server.comments();
    assert_eq!(comments.len(), 1);
    assert!(comments[0].body.contains("**Resolved**"), "{comments:?}");
    assert!(comments[0].body.lines().count() <= 4, "{comments:?}");
}

#[test]
fn results_of_strangers_are_rendered_without_their_configuration_and_mention_nobody() {
    if !has_tools() {
        return;
    }
    let runs = Directory::new();
    let hostile = "@everyone #1 <img src=x>\n::error::pwned";
    for (arm, right) in [("base", 1), ("new", 0)] {
        let mut text = format!("id,\"{hostile}\"\n");
        text.extend((0..30).map(|row| format!("{row},{}\n", (row + right) % 2)));
        runs.write(format!("{arm}/samples.csv"), text);
    }
    // Untrusted results bring no settings: with these, everything would be accepted.
    runs.write("new/reportgen.toml", "fail_on = []\naccept = ['R201']\n");
    let server = Forge::with(&[], 100);
    let [base, new] = ["base", "new"].map(|arm| runs.word(arm));
    let arguments = format!("compare\n{base}\n{new}\n--untrusted\n");
    let out = succeeded(&make_reports(&server, &runs, &arguments, "always"));
    assert!(!out.lines().any(|line| line.starts_with("::error::pwned")), "{out}");
    let body = &server.comments()[0].body;
    let code_apart: String = body.split('`').step_by(2).collect();
    assert!(!code_apart.contains("@everyone") && !code_apart.contains("#1"), "{body}");
    assert!(!code_apart.replace("\\<img", "").contains("<img"), "{body}");
}

#[test]
fn every_block_of_the_recipes_that_is_yaml_names_what_the_script_and_the_action_have() {
    let text = fs::read_to_string("docs/ci.md").expect("docs/ci.md");
    let action = fs::read_to_string("action.yml").expect("action.yml");
    let blocks: Vec<&str> = text.split("```yaml\n").skip(1).collect();
    assert!(blocks.len() >= 4, "{} blocks", blocks.len());
    let mut inputs = 0;
    for block in blocks.iter().map(|block| block.split("```").next().expect("a block")) {
        let steps = block.split("- uses: ").filter(|step| step.starts_with("OWNER/reportgen@"));
        for step in steps {
            let with = step.split_once("with:\n").expect("inputs").1;
            let depth = with.len() - with.trim_start().len();
            let keys = with.lines().take_while(|line| line.starts_with(&" ".repeat(depth)));
            for key in keys.filter(|line| !line[depth..].starts_with(' ')) {
                let name = key.trim().split(':').next().expect("a key");
                assert!(action.contains(&format!("\n  {name}:\n")), "{name} is no input");
                inputs += 1;
            }
        }
    }
    assert!(inputs >= 4, "{inputs} inputs");
}
