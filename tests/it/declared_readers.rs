//! Files that `[[reader]]` says how to read, from `inspect` to a comparison.

use crate::command::{assert_said, reportgen};
use crate::directory::Directory;

const BOARD: &str = "{\"setup\": {\"lr\": 0.1}, \"tasks\": [{\"task\": \"gsm8k\", \"score\": SCORE}, \
                     {\"task\": \"math\", \"score\": 0.25}]}";
const NOTES: &str = "start\nround 1 gave reward 0.5\nround 2 gave reward SCORE\nend\n";
const VERDICTS: &str = "case,verdict\nq1,1\nq2,0\nq3,1\n";
const LINES: &str = "{\"at\": 10, \"m\": {\"a/b\": \"perplexity\", \"v\": 3.5}}\n\
                     {\"at\": 20, \"m\": {\"a/b\": \"perplexity\", \"v\": SCORE}}\n";

const READERS: &str = r#"
lang = "en"

[[reader]]
files = "board/*.json"
format = "json"
records = "/tasks"
dataset = "/task"
values = { accuracy = "/score" }
config = { learning_rate = "/setup/lr" }

[[reader]]
files = "notes.txt"
format = "text"
pattern = 'round (?P<round>\d+) gave reward (?P<reward>\S+)'
step = "round"
values = { reward = "reward" }

[[reader]]
files = "verdicts.csv"
format = "csv"
id = "case"
values = { judged = "verdict" }

[[reader]]
files = "**/*.jsonl"
format = "jsonl"
step = "/at"
metric = "/m/a~1b"
value = "/m/v"
"#;

fn runs(readers: &str) -> Directory {
    let directory = Directory::of([("reportgen.toml", readers)]);
    for (run, score) in [("a", "0.5"), ("b", "0.75")] {
        for (below, content) in [
            ("board/one.json", BOARD),
            ("notes.txt", NOTES),
            ("verdicts.csv", VERDICTS),
            ("deep/down/lines.jsonl", LINES),
        ] {
            directory.write(format!("{run}/{below}"), content.replace("SCORE", score));
        }
    }
    directory
}

fn said(readers: &str, command: &[&str]) -> String {
    let directory = runs(readers);
    let config = ["--config".to_owned(), directory.word("reportgen.toml")];
    let (name, paths) = command.split_first().expect("a command");
    let paths = paths.iter().map(|path| directory.word(path));
    let ended = reportgen(
        std::iter::once((*name).to_owned()).chain(paths).chain(config).collect::<Vec<_>>(),
    );
    ended.err + &ended.out
}

#[test]
fn every_form_of_records_is_read_as_declared() {
    assert_said(
        &said(READERS, &["inspect", "a"]),
        &[
            "board/one.json  declared",
            "deep/down/lines.jsonl  declared",
            "3 samples: judged",
            "gsm8k/accuracy = 0.5 ",
            "math/accuracy = 0.25 ",
            "perplexity  2 points over step",
            "reward  2 points over step",
            "learning_rate = 0.1",
            "!R51",
        ],
    );
    assert_said(
        &said(READERS, &["compare", "a", "b"]),
        &["`accuracy` | gsm8k | 50.0% | 75.0%", "`judged`", "!R51"],
    );
}

/// Files that no reader takes, by name, with what a comparison of two of them says.
const UNREAD: [(&str, &str, &str); 5] = [
    (
        "board [1].json",
        "{\"config\": {\"lr\": 0.1}, \"all\": {\"a/b\": [{\"task\": \"gsm8k\", \"won \\\"1\\\"\": SCORE, \"by\": \"x\"}, \
         {\"task\": \"math\", \"won \\\"1\\\"\": 0.25, \"by\": \"y\"}]}}",
        "won \"1\"",
    ),
    (
        "turns.jsonl",
        "{\"round\": 1, \"m\": {\"own.gain\": 0.5}}\n{\"round\": 2, \"m\": {\"own.gain\": SCORE}}\n",
        "own.gain",
    ),
    ("verdicts.csv", "case_id,verdict x,said\nq1,1,a\nq2,SCORE,b\nq3,1,a\n", "verdict x"),
    (
        "notes.txt",
        "start\nround 1: gain(s) none, own.gain2=0.5 took: 3s\nround 2: gain(s) none, own.gain2=SCORE took: 4s\n",
        "own.gain2",
    ),
    ("prose.txt", "nothing to see\n", ""),
];

#[test]
fn what_is_suggested_reads_the_files_that_no_reader_takes() {
    let directory = Directory::of([("reportgen.toml", "lang = \"en\"\n")]);
    for (run, score) in [("a", "0.5"), ("b", "0.75")] {
        for (name, content, _) in UNREAD {
            directory.write(format!("{run}/{name}"), content.replace("SCORE", score));
        }
    }
    let [config, a, b] = ["reportgen.toml", "a", "b"].map(|below| directory.word(below));
    let asked = |more: &str| {
        reportgen(
            ["inspect", &a, &b, "--config", &config].into_iter().chain(more.split_whitespace()),
        )
    };
    let suggested = asked("--suggest").out;
    assert_said(&suggested, &["prose.txt: nothing, because no lines"]);
    directory.write("reportgen.toml", format!("lang = \"en\"\n{suggested}"));
    let inspected = asked("").out;
    let ended = reportgen(["compare", &a, &b, "--config", &config]);
    assert_said(&inspected, &["config.lr = 0.1"]);
    let all = ended.err + &ended.out;
    assert_said(&all, &["!R51"]);
    for (name, _, metric) in UNREAD.into_iter().filter(|(.., metric)| !metric.is_empty()) {
        assert_said(&inspected, &[&format!("{name}  declared")]);
        assert_said(&all, &[metric]);
    }
    assert_said(&asked("--suggest").out, &["![[reader]]\n", "prose.txt: nothing"]);
}

#[test]
fn what_cannot_be_suggested_is_said_with_the_reason() {
    for (name, content, expected) in [
        ("x.json", "{\"note\": \"x\"}", "no number in it is a result"),
        ("x.json", "{\"note\": ", "it cannot be read as what its name says"),
        ("x.csv", "name,gain\nx,1\ny,2\n", "no id, step or dataset tells its records apart"),
        ("x.txt", "step 1 only\nstep 2 only\n", "no lines repeat a step with values"),
        ("metrics.json", "{\"accuracy\": 0.5}", "there is nothing to declare"),
    ] {
        let directory = Directory::of([(format!("a/{name}"), content)]);
        let ended = reportgen(["inspect", &directory.word("a"), "--suggest", "--lang", "en"]);
        assert_said(&ended.out, &[expected]);
        let is_said = |line: &str| line.is_empty() || line.starts_with('#');
        assert!(ended.out.lines().all(is_said), "{}", ended.out);
    }
}

#[test]
fn files_and_places_that_are_not_there_are_told() {
    let without = READERS.replace("/score", "/scores").replace("notes.txt", "note.txt");
    assert_said(
        &said(&without, &["inspect", "a"]),
        &[
            "warning[R513]: no run has a file that `note.txt`",
            "R514",
            "accuracy = \"/scores\"",
            "reportgen.toml:4",
        ],
    );
    let unmatched = READERS.replace("gave reward", "got");
    assert_said(&said(&unmatched, &["inspect", "a"]), &["R514", "step = \"round\""]);
}

#[test]
fn a_declaration_that_cannot_be_used_is_refused_with_its_line() {
    for (from, to, expected) in [
        (
            "board/*.json",
            "board/[.json",
            ", line 4: `files` of this [[reader]] is not a valid pattern",
        ),
        ("/setup/lr", "setup.lr", ", line 4: `setup.lr` is no JSON pointer"),
        ("'round (", "'round ((", ", line 12: `pattern` of this [[reader]] is not a valid regular"),
        (
            "\"reward\" }",
            "\"award\" }",
            ", line 12: `pattern` of this [[reader]] has no group `award`",
        ),
        ("id = ", "ids = ", "line 22: unknown key `ids`; did you mean `id`?"),
        ("\"csv\"", "\"xlsx\"", "line 21: `xlsx` is not allowed here"),
        ("value = \"/m/v\"", "", ", line 25: the key `value` is missing"),
        ("records = \"/tasks\"\n", "pattern = 'x'\n", "line 4: `pattern` does not go with"),
    ] {
        assert!(READERS.contains(from), "{from}");
        assert_said(&said(&READERS.replacen(from, to, 1), &["inspect", "a"]), &[expected]);
    }
}
