//! `reportgen samples`: what is shown of samples that changed sides, and what is not.

use serde_json::{Value, json};

use crate::command::{Ended, at_terminal, json as data, reportgen};
use crate::directory::Directory;

/// A run of samples with these texts and outcomes.
fn run(samples: &[(&str, &str, Option<u8>)]) -> String {
    let record = |(id, answer, correct): &(&str, &str, Option<u8>)| {
        let record = json!({
            "id": id, "correct": correct, "prompt": format!("Question {id}?"), "target": "yes",
            "response": answer, "extra": { "level": id.len() },
        });
        format!("{record}\n")
    };
    samples.iter().map(record).collect()
}

const BASE: [(&str, &str, Option<u8>); 5] = [
    ("a", "It is yes.", Some(1)),
    ("bb", "It is no.", Some(0)),
    ("c", "It may be so.", Some(0)),
    ("d", "It is yes.", Some(1)),
    ("e", "It is yes.", Some(1)),
];

fn both(tuned: &[(&str, &str, Option<u8>)]) -> Directory {
    Directory::of([("base.jsonl", run(&BASE)), ("tuned.jsonl", run(tuned))])
}

fn tuned() -> Directory {
    both(&[
        ("a", "It is no.", Some(0)),
        ("bb", "It is yes.", Some(1)),
        ("c", "Who knows?", Some(0)),
        ("d", "It is yes.", Some(1)),
        ("f", "It is yes.", Some(1)),
    ])
}

fn samples(directory: &Directory, more: &[&str]) -> Ended {
    let runs = ["base.jsonl", "tuned.jsonl"].map(|name| directory.word(name));
    let words = ["samples", &runs[0], &runs[1], "--lang", "en"];
    reportgen(words.iter().chain(more).copied())
}

/// Ids and transitions, in the order shown.
fn shown(directory: &Directory, more: &[&str]) -> Vec<String> {
    let report = data(&samples(directory, &[&["--format", "json"], more].concat()));
    let one = |sample: &Value| {
        let part = |name: &str| sample[name].as_str().unwrap_or_default().to_owned();
        format!("{} {}", part("id"), part("transition"))
    };
    report["samples"].as_array().expect("samples").iter().map(one).collect()
}

#[test]
fn what_got_worse_comes_first_and_what_has_no_partner_last() {
    let all = ["a worse", "bb better", "c both-wrong", "d both-right", "e unpaired", "f unpaired"];
    let directory = tuned();
    assert_eq!(shown(&directory, &[]), all);
    for (words, expected) in [
        (&["--changed", "worse"][..], &all[..1]),
        (&["--changed", "better"], &all[1..2]),
        (&["--changed", "any"], &all[..2]),
        (&["--changed", "none"], &all[2..4]),
        (&["--show", "3"], &all[..3]),
        (&["--where", "extra.level=2"], &all[1..2]),
        (&["--where", "extra.level=2", "--where", "id=a"], &[]),
        (&["--metric", "correct", "--changed", "worse"], &all[..1]),
    ] {
        assert_eq!(shown(&directory, words), expected, "{words:?}");
    }
}

#[test]
fn every_format_of_records_shows_the_same_samples() {
    let lines = tuned();
    let expected = shown(&lines, &[]);
    for between in [",", ",\n"] {
        let list = |name: &str| {
            let text = std::fs::read_to_string(lines.path(name)).expect("read");
            format!("[{}]", text.trim_end().replace('\n', between))
        };
        let [base, tuned] = ["base.jsonl", "tuned.jsonl"].map(list);
        let lists = Directory::of([("base.json", base), ("tuned.json", tuned)]);
        let runs = ["base.json", "tuned.json"].map(|name| lists.word(name));
        let report = data(&reportgen(["samples", &runs[0], &runs[1], "--format", "json"]));
        let found = report["samples"].as_array().expect("samples");
        assert_eq!(found.len(), expected.len());
        assert_eq!(found[1]["answers"][1]["answer"], "It is yes.");
        assert_eq!(report["findings"], json!([]));
    }
}

#[test]
fn credentials_and_what_is_redacted_are_in_no_format() {
    let key = "sk-aB3dE6gH9jK2mN5pQ8sT1vW4";
    let said = format!("Take {key} and go.");
    let directory = both(&[("a", &said, Some(0)), ("bb", "SECRET plan", Some(1))]);
    for format in ["md", "html", "json", "csv", "jsonl"] {
        let page = samples(&directory, &["--format", format]).out;
        assert!(!page.contains(key) && page.contains("•••"), "{format}\n{page}");
        assert!(page.contains("SECRET plan"), "{format}");
        for field in ["response", "answer"] {
            let page = samples(&directory, &["--format", format, "--redact", field]).out;
            assert!(!page.contains("SECRET") && page.contains("⟨redacted⟩"), "{format}\n{page}");
            assert!(page.contains("Question a?"), "{format}");
        }
    }
}

#[test]
fn a_page_holds_answers_as_text_and_nothing_that_runs() {
    let hostile = "</pre></script><script>alert(1)</script><img src=x onerror=alert(1)> \u{202e}x";
    let directory = both(&[("a", hostile, Some(0)), ("bb", "It is yes.", Some(1))]);
    let page = samples(&directory, &["--format", "html"]).out;
    assert_eq!(page.matches("<script").count(), 1);
    assert!(!page.contains("<img") && !page.contains('\u{202e}'), "{page}");
    assert!(!page.contains("style=\"") && !page.contains("://"), "{page}");
    assert!(page.contains("&lt;/pre&gt;&lt;/script&gt;"), "{page}");
    assert!(
        page.contains("It is <del>no</del>.") && page.contains("It is <ins>yes</ins>."),
        "{page}"
    );
    assert!(page.contains("id=\"s-2\""), "{page}");
    let other = reportgen([
        "compare",
        "fixtures/kl_beta/kl-0.15",
        "fixtures/kl_beta/kl-0.12",
        "--format",
        "html",
    ]);
    assert!(!other.out.contains("sample-tools"), "a page without samples needs no script for them");
}

#[test]
fn long_texts_are_cut_and_a_page_stays_small_unless_more_is_asked_for() {
    let long = "word ".repeat(40_000);
    let samples_of = |count: usize, correct| {
        let ids: Vec<String> = (0..count).map(|at| format!("q{at}")).collect();
        let rows: Vec<_> =
            ids.iter().map(|id| (id.as_str(), long.as_str(), Some(correct))).collect();
        run(&rows)
    };
    let directory =
        Directory::of([("base.jsonl", samples_of(60, 1)), ("tuned.jsonl", samples_of(60, 0))]);
    let page = samples(&directory, &["--format", "html"]).out;
    assert!(page.len() < 2_100_000 && page.contains("200,000 characters in all"), "{}", page.len());
    let report = data(&samples(&directory, &["--format", "json"]));
    let few = report["shown"].as_u64().expect("a count");
    assert!((5..60).contains(&few) && report["asked"] == 60, "{few}");
    assert!(page.contains(&format!("{} more samples are not shown", 60 - few)));
    assert_eq!(data(&samples(&directory, &["--format", "json", "--show", "60"]))["shown"], 60);
}

#[test]
fn runs_without_texts_show_scores_and_say_so() {
    let directory = Directory::of([
        ("base.jsonl", "{\"id\": 1, \"correct\": 1}\n{\"id\": 2, \"correct\": 1}\n"),
        ("tuned.jsonl", "{\"id\": 1, \"correct\": 0}\n{\"id\": 2, \"correct\": 1}\n"),
    ]);
    let shown = samples(&directory, &[]).out;
    assert!(shown.contains("no prompt, target or answer under a name that is known"), "{shown}");
    assert!(!samples(&tuned(), &[]).out.contains("under a name that is known"));
}

#[test]
fn a_metric_of_which_less_is_better_turns_right_and_wrong_round() {
    let directory = Directory::of([
        (
            "base.jsonl",
            "{\"id\": 1, \"wer\": 0.5}\n{\"id\": 2, \"wer\": 0.5}\n{\"id\": 3, \"wer\": 0.5}\n",
        ),
        (
            "tuned.jsonl",
            "{\"id\": 1, \"wer\": 0.4}\n{\"id\": 2, \"wer\": 0.6}\n{\"id\": 3, \"wer\": 0.5}\n",
        ),
    ]);
    assert_eq!(shown(&directory, &[]), ["2 worse", "1 better", "3 unchanged"]);
}

#[test]
fn a_terminal_shows_answers_beside_each_other_where_there_is_room() {
    let directory = tuned();
    let runs = ["base.jsonl", "tuned.jsonl"].map(|name| directory.word(name));
    let at = |width, color| {
        at_terminal(["samples", &runs[0], &runs[1], "--show", "1", "--lang", "en"], width, color)
            .out
    };
    let wide = at(200, false);
    assert!(
        wide.lines()
            .any(|line| line.contains("It is [-yes-].") && line.contains(" │ It is {+no+}.")),
        "{wide}"
    );
    let narrow = at(80, false);
    assert!(!narrow.contains(" │ ") && narrow.contains("It is {+no+}."), "{narrow}");
    assert!(at(80, true).contains("\u{1b}[9m\u{1b}[31myes"), "{}", at(80, true));
}

#[test]
fn the_next_step_of_a_comparison_that_got_worse_shows_the_samples_behind_it() {
    let of = |right: usize| {
        let record =
            |at: usize| format!("{{\"id\": {at}, \"correct\": {}}}\n", usize::from(at < right));
        (0..200).map(record).collect::<String>()
    };
    let directory = Directory::of([("base.jsonl", of(140)), ("it's tuned.jsonl", of(100))]);
    let runs = ["base.jsonl", "it's tuned.jsonl"].map(|name| directory.word(name));
    let page = reportgen(["compare", &runs[0], &runs[1], "--lang", "en"]).out;
    let (_, step) = page.split_once("`reportgen samples ").expect("a command");
    let (command, _) = step.split_once("`.").or_else(|| step.split_once('`')).expect("its end");
    let expected = format!(
        "{} '{}' --changed worse --metric correct",
        runs[0],
        runs[1].replace('\'', "'\\''")
    );
    assert_eq!(command, expected);
    let words = ["samples", &runs[0], &runs[1], "--changed", "worse", "--metric", "correct"];
    assert_eq!(data(&reportgen(words.iter().copied().chain(["--format", "json"])))["asked"], 40);
    let declined = reportgen(["compare", &runs[1], &runs[0], "--lang", "en"]).out;
    assert!(!declined.contains("reportgen samples"), "nothing got worse");
}

#[test]
fn runs_that_share_no_sample_or_have_none_are_told_apart() {
    let others = both(&[("x", "It is no.", Some(0))]);
    let page = samples(&others, &[]).out;
    assert!(
        page.contains("No sample has a score in both runs; 6 unpaired (5 only in base.jsonl"),
        "{page}"
    );
    let figures = ["fixtures/kl_beta/kl-0.15", "fixtures/kl_beta/kl-0.12"];
    let page = reportgen(["samples", figures[0], figures[1], "--lang", "en"]).out;
    assert!(page.contains("no records of single samples"), "{page}");
    let none = samples(&others, &["--where", "id=nobody"]).out;
    assert!(none.contains("No sample is what was asked for"), "{none}");
}

fn compared(directory: &Directory, more: &[&str]) -> Ended {
    let runs = ["base.jsonl", "tuned.jsonl"].map(|name| directory.word(name));
    let words = ["compare", &runs[0], &runs[1], "--lang", "en"];
    reportgen(words.iter().chain(more).copied())
}

#[test]
fn a_comparison_shows_the_samples_that_changed_sides_where_they_are_asked_for() {
    let directory = tuned();
    let without = compared(&directory, &[]).out;
    assert!(!without.contains("Question"), "{without}");
    let shown = compared(&directory, &["--samples", "5"]).out;
    for expected in
        ["## Samples that changed sides", "2 of 2 samples that changed sides", "Question a?"]
    {
        assert!(shown.contains(expected), "{expected}:\n{shown}");
    }
    assert!(!shown.contains("Question d?") && !shown.contains("--show"), "{shown}");
    let one = compared(&directory, &["--samples", "1"]).out;
    assert!(one.contains("1 of 2 samples") && !one.contains("Question bb?"), "{one}");
    let hidden = compared(&directory, &["--samples", "5", "--redact", "prompt,response"]).out;
    assert!(!hidden.contains("Question") && !hidden.contains("It is no."), "{hidden}");
}

#[test]
fn a_field_to_leave_out_that_no_record_has_is_refused() {
    let directory = tuned();
    for ended in [
        compared(&directory, &["--samples", "5", "--redact", "promt"]),
        samples(&directory, &["--redact", "promt"]),
    ] {
        assert_eq!(ended.status, 2);
        assert!(ended.err.contains("`promt`") && ended.err.contains("`prompt`"), "{}", ended.err);
    }
}

#[test]
fn of_scores_the_largest_loss_comes_first() {
    let run = |loss: fn(usize) -> f64| {
        let record = |id: usize| format!("{{\"id\": \"q{id}\", \"rougeL\": {}}}\n", 0.9 - loss(id));
        (0..30).map(record).collect::<String>()
    };
    let tuned = run(|id| if id == 17 { 0.8 } else { id as f64 / 100.0 });
    let directory = Directory::of([("base.jsonl", run(|_| 0.0)), ("tuned.jsonl", tuned)]);
    assert_eq!(shown(&directory, &["--show", "2"]), ["q17 worse", "q29 worse"]);
}

#[test]
fn a_page_can_be_narrowed_to_an_ending_and_to_one_answer() {
    let directory = both(&[
        ("a", "It is NO!", Some(0)),
        ("bb", "It is no.", Some(0)),
        ("c", "Who knows?", Some(0)),
        ("d", "it is no", Some(0)),
    ]);
    let cut = directory.read("tuned.jsonl").replace(
        "\"response\":\"Who knows?\"",
        "\"response\":\"Who knows?\",\"error_type\":\"timeout\"",
    );
    directory.write("tuned.jsonl", cut);
    let page = directory.word("page.html");
    assert_eq!(samples(&directory, &["-o", &page]).status, 0);
    let page = directory.read("page.html");
    let count = |text: &str| page.matches(text).count();
    assert_eq!(count("data-alike=\"It is NO!\""), 3, "{page}");
    assert_eq!(count("data-ending=\"error_type timeout\""), 1);
    assert!(page.contains("data-all-endings=\"All endings\""));
}

#[test]
fn a_comparison_of_three_runs_shows_where_they_agree_beside_the_samples() {
    let directory = tuned();
    let third = [("a", "It is no.", Some(0)), ("bb", "It is no.", Some(0)), ("c", "No.", Some(0))];
    directory.write("third.jsonl", run(&third));
    directory.write(
        "base.jsonl",
        run(&[("a", "It is yes.", Some(1)), ("bb", "It is no.", Some(0)), ("c", "No.", Some(0))]),
    );
    let tuned = [("a", "It is no.", Some(0)), ("bb", "It is yes.", Some(1)), ("c", "No.", Some(0))];
    directory.write("tuned.jsonl", run(&tuned));
    let runs = ["base.jsonl", "tuned.jsonl", "third.jsonl"].map(|name| directory.word(name));
    let words = ["compare", &runs[0], &runs[1], &runs[2], "--samples", "5", "--lang", "en"];
    let page = reportgen(words).out;
    let (_, section) = page.split_once("## Samples that changed sides").expect("a section");
    for expected in [
        "### Where the runs agree",
        "2 samples divide the runs",
        "| `a` |  | ✓ right | ✗ wrong | ✗ wrong | 1 |",
        "1 sample is wrong in every run",
        "1 of them has the same answer in every run",
        "| `c` |  | yes | No. |",
        "### Samples",
    ] {
        assert!(section.contains(expected), "{expected}:\n{section}");
    }
    let hidden = reportgen(words.into_iter().chain(["--redact", "answer"])).out;
    assert!(hidden.contains("| `c` |  | yes | ⟨redacted⟩ |"), "{hidden}");
    assert!(!compared(&directory, &["--samples", "5"]).out.contains("Where the runs agree"));
}
