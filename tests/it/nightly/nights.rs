//! A project lives through its nights.

use super::{JOB, Results};
use crate::command::Ended;
use crate::command::reportgen;

/// Exit status, state of the job, runs that were filed, runs that are not complete, and nights without
/// a run.
fn check(results: &Results, ended: &Ended, expected: (u8, &str, &str, &str, &str)) {
    let job = results.job();
    let names = |list: &str, field: &str| {
        let list = job[list].as_array().expect("a list");
        let text = |entry: &serde_json::Value| {
            let name = entry["run"].as_str().expect("a run").trim_start_matches("runs/2026-03-");
            format!("{name} {}", entry[field].to_string().trim_matches('"'))
        };
        list.iter().map(text).collect::<Vec<_>>().join(", ")
    };
    let missing = job["missing"].as_array().expect("a list");
    let missing: Vec<&str> =
        missing.iter().map(|night| &night.as_str().expect("a night")[8..]).collect();
    let found = (
        ended.status,
        job["status"].as_str().expect("a state"),
        &*names("filed", "revision"),
        &*names("not_complete", "state"),
        &*missing.join(" "),
    );
    assert_eq!(found, expected, "{}", ended.err);
}

#[test]
fn a_project_lives_through_its_nights() {
    let results = Results::new(JOB);
    let night = |night: &str, time: &str, expected| {
        let ended = results.nightly(&format!("2026-03-{night}T{time}Z"), &[]);
        check(&results, &ended, expected);
        ended
    };
    results.run("2026-03-01", "03:00", 700);
    night("01", "07:00", (0, "first", "01 1", "", ""));
    results.run("2026-03-02", "03:00", 704);
    night("02", "07:00", (0, "no-change", "02 1", "", ""));
    // A regression, which is told until another run is judged.
    results.run("2026-03-03", "03:00", 600);
    night("03", "07:00", (1, "gate-failed", "03 1", "", ""));
    // A run that died.
    results.run("2026-03-04", "03:00", 605);
    results.file("2026-03-04", "03:00", "status.json", "{\"status\": \"failed\"}");
    night("04", "07:00", (3, "gate-failed", "", "04 dead", ""));
    // A quiet night: nothing is due at first, then it is missing.
    night("05", "05:00", (3, "gate-failed", "", "04 dead", ""));
    night("05", "07:00", (3, "gate-failed", "", "04 dead", "05"));
    // A late run: waited for while it may be written, then filed under its own night.
    results.run("2026-03-06", "08:00", 607);
    night("06", "08:05", (3, "gate-failed", "", "04 dead, 06 writing", "05"));
    night("06", "08:15", (0, "late", "06 1", "04 dead", "05"));
    // Another training file under the same name: the difference cannot be attributed.
    results.run("2026-03-07", "03:00", 640);
    results.file("2026-03-07", "03:00", "train.jsonl", "{\"text\": \"other\"}\n");
    night("07", "07:00", (0, "no-change", "07 1", "04 dead", "05"));
    assert_eq!(results.job()["last_report"]["trust"], "confounded");
    // A run of an earlier night was scored again.
    results.run("2026-03-03", "03:00", 700);
    results.run("2026-03-08", "03:00", 642);
    night("08", "07:00", (0, "no-change", "03 2, 08 1", "04 dead", "05"));
    // A second call finds nothing to do, and writes nothing.
    let before = results.output();
    let again = results.nightly("2026-03-08T09:00:00Z", &[]);
    assert_eq!((again.status, again.out.as_str()), (0, ""));
    assert_eq!(results.output(), before);
    // A torn run is filed and not compared.
    results.run("2026-03-09", "03:00", 642);
    results.file("2026-03-09", "03:00", "samples.jsonl", "{\"id\": 1, \"accuracy\": 1}\n{\"id\":");
    night("09", "07:00", (3, "broken", "", "09 partial, 04 dead", "05"));
    // The clock is set back by a week; what is there already is not judged anew.
    let ended = results.nightly("2026-03-02T07:00:00Z", &[]);
    assert!(ended.err.contains("the clock is behind the last run (2026-03-09T07:00:00Z)"));
    results.run("2026-03-10", "03:00", 644);
    let ended = night("10", "07:00", (0, "no-change", "10 1", "09 partial, 04 dead", "05"));
    assert!(ended.err.contains("main: runs/2026-03-10 is new (night 2026-03-10)"), "{}", ended.err);
    // A run that died is told for a week.
    results.run("2026-03-11", "03:00", 644);
    night("11", "07:00", (0, "no-change", "11 1", "09 partial, 04 dead", "05"));
    results.run("2026-03-12", "03:00", 641);
    night("12", "07:00", (0, "no-change", "12 1", "09 partial", "05"));
    assert_history(&results);
}

/// What the history has of these nights.
fn assert_history(results: &Results) {
    let rows = results.rows(&["--metric", "accuracy"]);
    let values = rows.iter().map(|row| {
        let night = row["night"].as_str().expect("a night").trim_start_matches("2026-03-");
        let state = if row["state"] == "complete" { "" } else { "?" };
        format!("{night}: {}{state} r{}", row["value"], row["revision"])
    });
    let expected = [
        "01: 0.7 r1",
        "02: 0.704 r1",
        "03: 0.7 r2",
        "06: 0.607 r1",
        "07: 0.64 r1",
        "08: 0.642 r1",
        "10: 0.644 r1",
        "11: 0.644 r1",
        "12: 0.641 r1",
    ];
    let values: Vec<String> = values.filter(|value| !value.contains('?')).collect();
    assert_eq!(values, expected);
    let late: Vec<&str> = rows
        .iter()
        .filter(|row| row["late"] == true)
        .filter_map(|row| row["night"].as_str())
        .collect();
    assert_eq!(late, ["2026-03-06"]);
    assert!(results.0.path("nightly/main/2026-03-03/report.md").exists());
}

#[test]
fn nothing_ran_and_nothing_changed_are_reports_of_their_own() {
    let results = Results::new("[job.main]\nruns = 'runs/*'\n");
    let ended = results.nightly("2026-03-01T07:00:00Z", &[]);
    check(&results, &ended, (0, "nothing-ran", "", "", ""));
    results.run("2026-03-01", "03:00", 700);
    let ended = results.nightly("2026-03-01T08:00:00Z", &[]);
    check(&results, &ended, (0, "first", "01 1", "", ""));
    let ended = results.nightly("2026-03-02T08:00:00Z", &[]);
    check(&results, &ended, (0, "unchanged", "", "", ""));
    assert!(
        results.0.read("nightly/index.md").contains("Nothing is new, and nothing has changed.")
    );
}

#[test]
fn reports_are_kept_for_so_many_nights_and_what_a_person_wrote_beside_them_stays() {
    let results = Results::new("[job.main]\nruns = 'runs/*'\nkeep = { nights = 2, reports = 2 }\n");
    for night in 1..=6 {
        let date = format!("2026-03-{night:02}");
        results.run(&date, "03:00", 700 + night);
        let ended = results.nightly(&format!("{date}T07:00:00Z"), &[]);
        assert_eq!(ended.status, 0);
        // It goes with the sixth night, and the one before it went without a word.
        let told = ended.err.contains("2026-03-04/report.md is older than what is kept; somebody");
        assert_eq!(told, night == 6, "{}", ended.err);
        if night == 3 {
            results.0.write("nightly/main/2026-03-03/notes.txt", "mine");
        } else if night == 4 {
            results.0.write("nightly/main/2026-03-04/report.md", "# What I think of it\n");
        }
    }
    let kept =
        |night: u32| results.0.path(format!("nightly/main/2026-03-{night:02}/report.md")).exists();
    assert_eq!((2..=6).filter(|night| kept(*night)).collect::<Vec<_>>(), [4, 5, 6]);
    assert_eq!(results.0.read("nightly/main/2026-03-03/notes.txt"), "mine");
    assert_eq!(results.0.read("nightly/main/2026-03-04/report.md"), "# What I think of it\n");
    assert!(!results.0.path("nightly/main/2026-03-04/report.json").exists());
    assert!(!results.0.path("nightly/main/2026-03-02").exists());
    assert_eq!(results.rows(&["--metric", "accuracy"]).len(), 6);
}

/// The baseline of the last report after nights with these results, for a job with that setting.
fn baseline_of(setting: &str, more: &[&str]) -> serde_json::Value {
    let results = Results::new(&format!("[job.main]\nruns = 'runs/*'\n{setting}\n"));
    for (night, right) in [(1, 700), (2, 750), (3, 720), (4, 730)] {
        let date = format!("2026-03-{night:02}");
        results.run(&date, "03:00", right);
        let more = if night == 4 { more } else { &[] };
        assert_eq!(results.nightly(&format!("{date}T07:00:00Z"), more).status, 0);
    }
    results.job()["last_report"]["baseline"].clone()
}

#[test]
fn a_baseline_is_the_last_the_best_the_accepted_or_a_named_run() {
    assert_eq!(baseline_of("", &[]), "runs/2026-03-03");
    assert_eq!(baseline_of("baseline = 'best'\nmetric = 'accuracy'", &[]), "runs/2026-03-02");
    assert_eq!(baseline_of("baseline = '2026-03-01'", &[]), "runs/2026-03-01");
    let accept = ["--accept", "main=runs/2026-03-02"];
    assert_eq!(baseline_of("baseline = 'accepted'", &accept), "runs/2026-03-02");
    assert_eq!(baseline_of("baseline = 'accepted'", &[]), serde_json::Value::Null);
}

#[test]
fn a_job_whose_baseline_is_accepted_asks_for_it_until_there_is_one() {
    let results = Results::new("[job.main]\nruns = 'runs/*'\nbaseline = 'accepted'\n");
    results.run("2026-03-01", "03:00", 700);
    let ended = results.nightly("2026-03-01T07:00:00Z", &[]);
    assert!(ended.err.contains("accept a run with --accept JOB=RUN"), "{}", ended.err);
    let asked = "accept a run as the baseline, such as `--accept main=runs/2026-03-01`";
    let index = || results.0.read("nightly/index.md");
    assert!(index().contains(asked) && index().contains("no run is accepted yet"), "{}", index());
    results.nightly("2026-03-01T08:00:00Z", &["--accept", "main=runs/2026-03-01"]);
    let said = "the next run is compared with `runs/2026-03-01`";
    assert!(index().contains(said) && !index().contains("--accept"), "{}", index());
}

/// A run in which so many of 40 answers to the questions of that set are right.
fn answered(results: &Results, night: &str, set: &str, right: usize) {
    let line = |id: usize| {
        let accuracy = u8::from(id < right);
        format!(
            "{{\"id\": {id}, \"question\": \"{set} {id}?\", \"target\": \"{set}{}\", \
             \"accuracy\": {accuracy}}}\n",
            id * 7
        )
    };
    let lines: String = (0..40).map(line).collect();
    results.file(&format!("2026-03-{night}"), "03:00", "samples.jsonl", lines);
    results.file(&format!("2026-03-{night}"), "03:00", "config.yaml", "model: small\n");
}

#[test]
fn a_night_with_other_questions_is_no_baseline_of_the_nights_after_it() {
    let job = JOB.replace("keep", "vary = \"model\"\nkeep");
    // The questions of each night, how many are right, and what comes of it.
    let (usual, other) = (("a", 36), ("b", 36));
    for (nights, expected) in [
        ([usual, usual, usual], ("runs/2026-03-02", None, "unchanged")),
        ([usual, other, other], ("runs/2026-03-02", None, "unchanged")),
        ([usual, other, ("a", 12)], ("runs/2026-03-01", Some("same-questions"), "failed")),
        ([usual, usual, other], ("runs/2026-03-02", Some("other-questions"), "no-verdict")),
    ] {
        let results = Results::new(&job);
        for ((set, right), night) in nights.iter().zip(["01", "02", "03"]) {
            answered(&results, night, set, *right);
            results.nightly(&format!("2026-03-{night}T07:00:00Z"), &[]);
        }
        let report = &results.job()["last_report"];
        let found = (
            report["baseline"].as_str().expect("a run"),
            report["baseline_note"].as_str(),
            report["result"].as_str().expect("a result"),
        );
        assert_eq!(found, expected, "{nights:?}");
        let told = |path: &str| {
            let text = results.0.read(path);
            text.contains("the same questions") || text.contains("these questions")
        };
        let is_noted = expected.1.is_some();
        assert_eq!(told("nightly/index.md"), is_noted, "{nights:?}");
        assert_eq!(told("nightly/main/2026-03-03/report.md"), is_noted, "{nights:?}");
    }
}

#[test]
fn runs_with_other_settings_or_without_the_marker_are_none_of_the_job() {
    let results =
        Results::new("[job.main]\nruns = 'runs/*'\nwhere = ['lr=1e-3']\nmarker = 'END'\n");
    for (run, lr, is_marked) in [
        ("2026-03-01", "0.001", true),
        ("2026-03-01-b", "0.01", true),
        ("2026-03-01-c", "0.001", false),
    ] {
        results.file(run, "03:00", "metrics.json", "{\"accuracy\": 0.5, \"n\": 100}");
        results.file(run, "03:00", "config.yaml", format!("lr: {lr}\n"));
        if is_marked {
            results.file(run, "03:00", "END", "");
        }
    }
    let ended = results.nightly("2026-03-01T07:00:00Z", &[]);
    check(&results, &ended, (0, "first", "01 1", "01-c writing", ""));
    assert!(ended.err.contains("runs/2026-03-01-b has other settings"), "{}", ended.err);
}

#[test]
fn broken_runs_are_named_and_the_others_are_compared() {
    let results = Results::new(JOB);
    results.run("2026-03-01", "03:00", 700);
    for run in 0..40 {
        let name = format!("2026-03-02-{run:02}");
        match run % 4 {
            0 => results.file(&name, "03:00", "metrics.json", "{\"accuracy\": 0."),
            _ => results.run(&name, "03:00", 700 + run),
        }
    }
    let ended = results.nightly("2026-03-02T07:00:00Z", &[]);
    assert_eq!(ended.status, 3, "not all of them were judged: {}", ended.err);
    let job = results.job();
    assert_eq!(job["not_complete"].as_array().map(Vec::len), Some(10));
    let report = &job["last_report"];
    assert_eq!(
        (report["candidates"].as_array().map(Vec::len), &report["left_out"]),
        (Some(12), &18.into())
    );
    assert_eq!(results.rows(&["--metric", "accuracy"]).len(), 31);
}

#[test]
fn the_log_is_lines_of_json_where_that_is_asked_for_and_a_dry_run_writes_nothing() {
    let results = Results::new(JOB);
    results.run("2026-03-01", "03:00", 700);
    results.run("2026-03-02", "03:00", 710);
    let ended = results.nightly("2026-03-02T07:00:00Z", &["--log-format", "json", "--dry-run"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    assert!(!results.0.path("nightly").exists());
    let lines: Vec<serde_json::Value> =
        ended.err.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let events: Vec<&str> = lines.iter().filter_map(|line| line["event"].as_str()).collect();
    assert_eq!(events, ["new", "new", "would-compare"]);
    assert_eq!(lines[2]["baseline"], "runs/2026-03-01");
}

#[test]
fn an_index_in_chinese_has_no_english_sentence() {
    let results = Results::new(JOB);
    results.run("2026-03-01", "03:00", 700);
    results.run("2026-03-02", "03:00", 600);
    let ended = results.nightly("2026-03-02T07:00:00Z", &["--lang", "zh"]);
    assert_eq!(ended.status, 1, "{}", ended.err);
    let index = results.0.read("nightly/index.md");
    assert!(
        index.starts_with("# 夜间任务\n\n❌ **门禁未通过**：1 个任务中有 1 个（main）"),
        "{index}"
    );
    assert!(!index.contains("run "), "{index}");
}

/// The status after a second night whose run is handed to `spoil`, with and without a gate.
fn ended_with(spoil: impl Fn(&Results)) -> [u8; 2] {
    let without = JOB.replace("fail-on = \"regression\"\n", "");
    [JOB, &without].map(|job| {
        let results = Results::new(job);
        results.run("2026-03-01", "03:00", 700);
        results.nightly("2026-03-01T07:00:00Z", &[]);
        spoil(&results);
        results.nightly("2026-03-02T07:00:00Z", &[]).status
    })
}

#[test]
fn gates_are_open_where_the_run_that_is_due_cannot_be_judged() {
    let night = "2026-03-02";
    let run = |results: &Results| results.run(night, "03:00", 500);
    let beside = |name: &'static str, content: &'static str| {
        move |results: &Results| {
            run(results);
            results.file(night, "03:00", name, content);
        }
    };
    assert_eq!(ended_with(run), [1, 0], "a run that can be judged");
    assert_eq!(ended_with(|_| ()), [3, 0], "none");
    assert_eq!(ended_with(beside("samples.jsonl", "{\"id\": 1, \"correct\": 1}\n{\"id\"")), [3, 0]);
    assert_eq!(ended_with(beside("status.json", "{\"status\": \"failed\"}")), [3, 0]);
    assert_eq!(ended_with(beside("extra.json", "{\"loss\": 0.")), [3, 0]);
    let written_at_dawn = |results: &Results| results.run(night, "06:59", 500);
    assert_eq!(ended_with(written_at_dawn), [3, 0], "it is still being written");
}

#[test]
fn a_run_that_is_named_after_a_night_to_come_waits_for_it() {
    let results = Results::new(JOB);
    results.run("2026-03-01", "03:00", 700);
    results.run("2026-03-02", "03:00", 500);
    results.run("2026-03-09", "03:00", 700);
    assert_eq!(results.nightly("2026-03-02T07:00:00Z", &[]).status, 1);
    let job = results.job();
    assert_eq!(job["last_report"]["night"], "2026-03-02");
    assert_eq!(job["not_complete"][0]["note"]["why"], "ahead");
}

#[test]
fn an_output_directory_around_the_runs_is_refused() {
    let results = Results::new(JOB);
    results.run("2026-03-01", "03:00", 700);
    let [config, out] = ["reportgen.toml", ""].map(|below| results.0.word(below));
    let ended = reportgen(["nightly", "--config", &config, "-o", &out]);
    assert!(ended.err.contains("lies in the output directory"), "{}", ended.err);
    assert_eq!(ended.status, 2);
}

#[test]
fn the_index_links_each_report_with_its_main_figure_and_says_what_to_do() {
    let results = Results::new(JOB);
    let night = |night: &str, right: Option<u32>| {
        if let Some(right) = right {
            results.run(&format!("2026-03-{night}"), "03:00", right);
        }
        let ended = results.nightly(&format!("2026-03-{night}T07:00:00Z"), &[]);
        (results.0.read("nightly/index.md"), ended.out)
    };
    night("01", Some(700));
    let (index, _) = night("02", Some(704));
    let row = "| **main** | ⏳ no change detected | 2026-03-02 | 1 \
               | `accuracy` 70.0% → 70.4% (+0.4 pp); no change detected; \
               `runs/2026-03-02` against `runs/2026-03-01` | ▁█ \
               | [main/2026-03-02](main/2026-03-02/report.md) |";
    assert!(index.contains(row) && !index.contains('✅'), "{index}");
    assert!(!index.contains("**Next**"), "{index}");

    let (index, shown) = night("03", Some(600));
    let link = "[main/2026-03-03](main/2026-03-03/report.md)";
    assert!(index.contains(&format!("**Next**: open the report {link}\n")), "{index}");
    assert!(index.contains("(-10.4 pp); gate failed (regression failed)"), "{index}");
    assert!(shown.contains("Next: open the report main/2026-03-03/report.md\n"), "{shown}");
    let page = results.0.read("nightly/index.html");
    let link = "<a href=\"main/2026-03-03/report.html\">main/2026-03-03</a>";
    assert_eq!(page.matches(link).count(), 2, "{page}");
    let figure = &results.job()["last_report"]["figure"];
    assert_eq!((&figure["baseline"], &figure["candidate"]), (&0.704.into(), &0.6.into()));

    let (index, _) = night("04", None);
    let next = "**Next**: open the report [main/2026-03-03](main/2026-03-03/report.md); main: no run \
                for 2026-03-04; check that it ran.";
    assert!(index.contains(next) && index.contains("❌ gate failed, run missing |"), "{index}");
    results.file("2026-03-05", "03:00", "samples.jsonl", "{\"id\": 1, \"accuracy\": 1}\n{\"id\":");
    let (index, _) = night("05", Some(600));
    let next = "`runs/2026-03-05` of 2026-03-05 is not complete (a file ends in the middle of a \
                record); check how it ended.";
    assert!(index.contains(next), "{index}");
}

#[test]
fn a_comparison_that_failed_is_told_and_no_report_is_named() {
    let results = Results::new("[job.main]\nruns = 'runs/*'\nbaseline = 'runs/2026-02-01'\n");
    results.run("2026-03-01", "03:00", 700);
    results.nightly("2026-03-01T07:00:00Z", &[]);
    let index = results.0.read("nightly/index.md");
    assert!(index.contains("**Next**: main: the comparison of 2026-03-01 failed: "), "{index}");
    assert!(!index.contains("report.md"), "{index}");
}

#[test]
fn a_run_that_names_no_night_says_so_and_other_times_move_it_to_none() {
    use std::fs::File;
    use std::time::{Duration, SystemTime};

    let results = Results::new(JOB);
    results.run("2026-03-01", "03:00", 700);
    let (dated, plain) = (results.0.path("runs/2026-03-01"), results.0.path("runs/latest"));
    std::fs::rename(dated, &plain).expect("renamed");
    results.run("2026-03-02", "03:00", 700);
    results.nightly("2026-03-02T07:00:00Z", &[]);
    let index = results.0.read("nightly/index.md");
    assert!(index.contains("| 2026-03-01 (by the times of its files) |"), "{index}");
    assert!(index.contains("| 2026-03-02 |"), "{index}");
    let nights = || -> Vec<String> {
        let rows = results.rows(&["--metric", "accuracy"]);
        rows.iter().map(|row| format!("{} {}", row["run"], row["night"])).collect()
    };
    let before = nights();
    let touched = SystemTime::UNIX_EPOCH + Duration::from_hours(24 * 20_000);
    let file = File::options().write(true).open(plain.join("metrics.json")).expect("opened");
    file.set_modified(touched).expect("touched");
    results.nightly("2026-03-03T07:00:00Z", &[]);
    let state: serde_json::Value =
        serde_json::from_str(&results.0.read("nightly/state.json")).expect("JSON");
    assert_eq!(state["jobs"]["main"]["runs"]["runs/latest"]["night"], "2026-03-01");
    assert_eq!(nights(), before);
}

#[test]
fn a_torn_run_that_is_named_after_an_earlier_night_closes_the_gates_of_the_night_it_came() {
    let results = Results::new(
        "[job.main]\nruns = 'runs/*'\nbaseline = 'previous'\nfail-on = ['regression']\n",
    );
    for (night, right) in [("2026-03-01", 700), ("2026-03-02", 704)] {
        results.run(night, "03:00", right);
        assert_eq!(results.nightly("2026-03-09T07:00:00Z", &[]).status, 0);
    }
    results.run("2026-03-03", "03:00", 704);
    results.file("2026-03-03", "03:00", "samples.jsonl", "{\"id\": 1, \"accuracy\": 1}\n{\"id\":");
    assert_eq!(results.nightly("2026-03-09T08:00:00Z", &[]).status, 3);
    assert_eq!(results.nightly("2026-03-10T08:00:00Z", &[]).status, 3, "it is the newest run");
}

#[test]
fn a_run_whose_setting_has_two_values_is_not_sent_away_by_a_condition() {
    let job = "[job.main]\nruns = 'runs/*'\nwhere = ['model=small']\nmetric = 'accuracy'\n\
               fail-on = ['regression', 'mismatch']\n";
    let status = |config: &str| {
        let results = Results::new(job);
        results.run("2026-03-01", "03:00", 700);
        assert_eq!(results.nightly("2026-03-01T07:00:00Z", &[]).status, 0);
        results.run("2026-03-02", "03:00", 600);
        results.file("2026-03-02", "03:00", "config.yaml", config);
        results.nightly("2026-03-02T07:00:00Z", &[]).status
    };
    let rest = "lr: 0.001\ntrain_file: train.jsonl\n";
    assert_eq!(status(&format!("model: small\n{rest}")), 1);
    assert_eq!(status(&format!("model: small\nmodel: other\n{rest}")), 3);
    assert_eq!(status(&format!("model: [small\n{rest}")), 3);
}
