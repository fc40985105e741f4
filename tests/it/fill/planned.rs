//! Documents that are written before there are results.

use super::{Desk, reportgen};
use crate::command::Ended;

/// A document of that kind, and what became of every cell of it when it is filled.
#[track_caller]
fn check(kind: &str, runs: &[&str], further: &[&str], cells: usize) -> String {
    let desk = Desk::new();
    for (step, share) in [(100, 0.5), (200, 0.75)] {
        let record = |id: u32| {
            let correct = f64::from(id) < share * 40.0;
            format!(
                "{{\"id\": {id}, \"prompt\": \"q{id}\", \"step\": {step}, \"correct\": {correct}}}\n"
            )
        };
        desk.0.write(format!("trained/step-{step}.jsonl"), (0..40).map(record).collect::<String>());
    }
    desk.0.write("third/summary.json", desk.0.read("tuned/summary.json"));
    let runs: Vec<String> = runs.iter().map(|run| desk.0.word(run)).collect();
    let new = ["fill", &desk.0.word("plan.md"), "--write", "--new", kind].map(str::to_owned);
    let further = further.iter().map(|word| (*word).to_owned());
    let ended = reportgen(new.into_iter().chain(runs.clone()).chain(further));
    assert_eq!(ended.status, 0, "{ended:?}");
    let plan = desk.0.read("plan.md");
    assert_eq!(plan.matches("| ?").count(), cells, "{plan}");
    let fill = ["fill", &desk.0.word("plan.md"), "--write"].map(str::to_owned);
    let filled: Ended = reportgen(fill.into_iter().chain(runs.clone()));
    assert!(!desk.0.read("plan.md").contains("| ? "), "{filled:?}\n{plan}");
    let check = ["fill", &desk.0.word("plan.md"), "--check"].map(str::to_owned);
    let checked = reportgen(check.into_iter().chain(runs));
    assert_eq!(checked.status, 0, "{checked:?}");
    plan
}

#[test]
fn a_document_that_was_planned_is_filled_whole() {
    for lang in ["en", "zh"] {
        let lang = ["--lang", lang];
        let both = ["base", "tuned"];
        let planned = ["--metric", "accuracy", "--dataset", "gsm8k,math"];
        check("compare", &both, &[&lang[..], &planned].concat(), 8);
        check("compare", &both, &lang, 8);
        check("compare", &["base", "tuned", "third"], &lang, 10);
        check("phase", &both, &lang, 8);
        check(
            "compare",
            &["trained/step-100.jsonl", "trained/step-200.jsonl"],
            &[&lang[..], &["--metric", "correct"]].concat(),
            4,
        );
        check(
            "progress",
            &["trained"],
            &[&lang[..], &["--metric", "correct", "--grid", "step=100,200"]].concat(),
            2,
        );
    }
}

#[test]
fn what_is_missing_has_its_command_and_what_is_there_has_none() {
    let desk = Desk::new();
    desk.0.write("reportgen.toml", "[commands]\neval = \"eval.sh {arm} {dataset} > {run}/out\"\n");
    let words = [
        "fill",
        &desk.0.word("plan.md"),
        "--new",
        "compare",
        &desk.0.word("base"),
        "runs/n w",
        "--config",
        &desk.0.word("reportgen.toml"),
    ];
    let ended = reportgen(words);
    assert_eq!(ended.status, 0, "{ended:?}");
    let expected = "\n```bash\neval.sh 'n w' gsm8k > 'runs/n w'/out\neval.sh 'n w' math > 'runs/n w'/out\n```\n<!-- reportgen:end -->\n";
    assert!(
        ended.out.contains("## Missing results\n\n<!-- reportgen:begin to-run #"),
        "{}",
        ended.out
    );
    assert!(ended.out.ends_with(expected), "{}", ended.out);
}

#[test]
fn names_of_runs_may_hold_signs_of_markdown() {
    let desk = Desk::new();
    desk.0.write("a|b *c*/summary.json", desk.0.read("base/summary.json"));
    let runs = ["a|b *c*", "tuned"].map(|run| desk.0.word(run));
    let new = ["fill", &desk.0.word("plan.md"), "--new", "compare", "--write"];
    assert_eq!(reportgen(new.into_iter().chain(runs.iter().map(String::as_str))).status, 0);
    let fill = ["fill", &desk.0.word("plan.md"), "--write"];
    assert_eq!(reportgen(fill.into_iter().chain(runs.iter().map(String::as_str))).status, 0);
    assert!(!desk.0.read("plan.md").contains("| ? "), "{}", desk.0.read("plan.md"));
}

#[test]
fn a_run_that_is_not_there_yet_leaves_its_cells_and_no_others() {
    let desk = Desk::new();
    let [document, base, late] = ["plan.md", "base", "late"].map(|name| desk.0.word(name));
    let new = ["fill", &document, "--new", "compare", "--write", &base, &late];
    assert_eq!(reportgen(new).status, 0);
    let ended = reportgen(["fill", &document, &base, &late, "--write"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(ended.err.contains("late: no results there yet; cells of `late` are left"));
    assert!(desk.0.read("plan.md").contains("| gsm8k | 50.0% | ? | ? | ? |"));
    assert_eq!(reportgen(["fill", &document, &base, &late, "--check"]).status, 3);
    desk.0.write("late/summary.json", desk.0.read("tuned/summary.json"));
    assert_eq!(reportgen(["fill", &document, &base, &late, "--write"]).status, 0);
    assert!(!desk.0.read("plan.md").contains("| ? "), "{}", desk.0.read("plan.md"));
    // The baseline may be the one that is late.
    assert_eq!(
        reportgen([
            "fill",
            &desk.0.word("other.md"),
            "--new",
            "compare",
            "--write",
            &desk.0.word("none"),
            &late
        ])
        .status,
        0
    );
    assert_eq!(
        reportgen(["fill", &desk.0.word("other.md"), &desk.0.word("none"), &late, "--write"])
            .status,
        0
    );
    assert!(
        desk.0.read("other.md").contains("| gsm8k | ? | 62.5% | ? | ? |"),
        "{}",
        desk.0.read("other.md")
    );
}

#[test]
fn what_says_nothing_of_the_results_is_refused() {
    let desk = Desk::new();
    let document = desk.0.word("plan.md");
    let check = |further: &[&str], said: &str| {
        let ended = reportgen(["fill", &document, "--new"].iter().chain(further).copied());
        assert_eq!(ended.status, 2, "{ended:?}");
        assert!(ended.err.contains(said), "{}", ended.err);
    };
    check(&["compare", "a", "b"], "nothing says which results are planned");
    check(&["compare", "a", "--metric", "accuracy"], "1 run is planned");
    check(&["phase", "a", "b", "c", "--metric", "accuracy"], "3 runs are planned");
    check(
        &["compare", "a", "b", "--metric", "accuracy", "--grid", "shot"],
        "`shot` is not AXIS=VALUE",
    );
    check(&["compare", "x/a", "y/a", "--metric", "accuracy"], "two runs would be called `a`");
    desk.0.write("plan.md", "mine");
    check(&["compare", "a", "b", "--metric", "accuracy", "--write"], "already exists");
    assert_eq!(desk.0.read("plan.md"), "mine");
}
