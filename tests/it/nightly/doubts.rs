//! What must not look better than it is: runs that were left out, reports that are old, a history that is
//! damaged.

use super::Results;

#[test]
fn a_night_with_more_runs_than_are_compared_is_told_until_there_is_a_newer_one() {
    let results = Results::new(
        "[job.main]\nruns = 'runs/*/*'\nmetric = 'accuracy'\nfail-on = ['regression']\n",
    );
    let run = |night: &str, number: usize| {
        let files = format!("{night}/{number:02}");
        results.file(&files, "03:00", "metrics.json", "{\"accuracy\": 0.8, \"n\": 1000}");
    };
    run("2026-03-01", 0);
    results.nightly("2026-03-01T07:00:00Z", &[]);
    (0..16).for_each(|number| run("2026-03-02", number));
    for at in ["2026-03-02T07:00:00Z", "2026-03-03T07:00:00Z"] {
        let ended = results.nightly(at, &[]);
        let index = results.0.read("nightly/index.md");
        assert_eq!(ended.status, 3, "{index}");
        for expected in ["**not all compared**", "4 earlier runs of the night not compared"] {
            assert!(index.contains(expected), "{expected}:\n{index}");
        }
    }
}

#[test]
fn the_report_of_the_newest_night_is_kept_however_old_it_is() {
    let results = Results::new(super::JOB);
    results.run("2026-03-01", "03:00", 800);
    results.nightly("2026-03-01T07:00:00Z", &[]);
    results.run("2026-03-02", "03:00", 500);
    assert_eq!(results.nightly("2026-03-02T07:00:00Z", &[]).status, 1);
    let job = "[job.main]\nruns = \"runs/*\"\nmetric = \"accuracy\"\nfail-on = \"regression\"\n\
               keep = { nights = 90 }\n";
    results.0.write("reportgen.toml", job);
    let ended = results.nightly("2026-09-01T07:00:00Z", &[]);
    assert_eq!(ended.status, 1, "{}", results.0.read("nightly/index.md"));
}

#[test]
fn gates_without_an_accepted_run_are_open_until_there_is_one() {
    let results = Results::new(
        "[job.main]\nruns = 'runs/*'\nbaseline = 'accepted'\nmetric = 'accuracy'\n\
         fail-on = ['regression']\n",
    );
    results.run("2026-03-01", "03:00", 800);
    for at in ["2026-03-01T07:00:00Z", "2026-03-02T07:00:00Z"] {
        assert_eq!(results.nightly(at, &[]).status, 3);
        let index = results.0.read("nightly/index.md");
        assert!(index.contains("**nothing to compare with yet**"), "{index}");
        assert!(index.contains("--accept main=runs/2026-03-01"), "{index}");
    }
    let ended = results.nightly("2026-03-03T07:00:00Z", &["--accept", "main=runs/2026-03-01"]);
    assert_eq!(ended.status, 0, "{ended:?}");
}

#[cfg(unix)]
#[test]
fn a_link_to_a_run_is_no_run_of_its_own() {
    let results = Results::new(
        "[job.main]\nruns = 'runs/*'\nmetric = 'accuracy'\nfail-on = ['regression']\n",
    );
    results.run("2026-03-01", "03:00", 800);
    results.nightly("2026-03-01T07:00:00Z", &[]);
    results.run("2026-03-02", "03:00", 500);
    let link = results.0.path("runs/latest");
    std::os::unix::fs::symlink("2026-03-02", link).expect("linked");
    for at in ["2026-03-02T07:00:00Z", "2026-03-03T07:00:00Z"] {
        assert_eq!(results.nightly(at, &[]).status, 1, "{}", results.0.read("nightly/index.md"));
    }
}

#[test]
fn a_history_that_was_cut_or_is_gone_is_told_at_each_call() {
    let results = Results::new(super::JOB);
    for (night, right) in [("2026-03-01", 700), ("2026-03-02", 704)] {
        results.run(night, "03:00", right);
        assert_eq!(results.nightly(&format!("{night}T07:00:00Z"), &[]).status, 0);
    }
    let month = results.0.path("nightly/history/v1/month=2026-03");
    let file = std::fs::read_dir(month).expect("listed").next().expect("a file").expect("listed");
    std::fs::write(file.path(), "cut").expect("written");
    for _ in 0..2 {
        let ended = results.nightly("2026-03-02T08:00:00Z", &[]);
        assert_eq!((ended.status, ended.err.contains("3 bytes of ")), (4, true), "{ended:?}");
    }
    std::fs::remove_dir_all(results.0.path("nightly/history")).expect("removed");
    results.run("2026-03-03", "03:00", 704);
    let ended = results.nightly("2026-03-03T07:00:00Z", &[]);
    let told = ended.err.contains("the history of earlier nights is not there");
    assert_eq!((ended.status, told), (4, true), "{ended:?}");
}

#[test]
fn a_figure_without_a_size_is_not_short_of_samples() {
    let results = Results::new(
        "[job.main]\nruns = 'runs/*'\nmetric = 'accuracy'\nfail-on = ['regression']\n",
    );
    let question = |id: usize| format!("{{\"id\": {id}, \"question\": \"q\"}}\n");
    let questions: Vec<String> = (0..30).map(question).collect();
    for night in ["2026-03-01", "2026-03-02"] {
        results.file(night, "03:00", "metrics.json", "{\"accuracy\": 0.8}");
        results.file(night, "03:00", "config.yaml", "model: small\neval_data: eval.jsonl\n");
        results.file(night, "03:00", "eval.jsonl", questions.concat());
    }
    results.nightly("2026-03-02T07:00:00Z", &[]);
    let index = results.0.read("nightly/index.md");
    assert!(!index.contains("0 of 30"), "{index}");
}

#[test]
fn the_best_run_is_not_chosen_from_a_damaged_history() {
    let results = Results::new(
        "[job.main]\nruns = 'runs/*'\nbaseline = 'best'\nmetric = 'accuracy'\n\
         fail-on = ['regression']\n",
    );
    for (night, right) in [("2026-03-01", 900), ("2026-03-02", 700)] {
        results.run(night, "03:00", right);
        results.nightly(&format!("{night}T07:00:00Z"), &[]);
    }
    let path = results.0.path("nightly/history/v1/month=2026-03/night=2026-03-01.r1.parquet");
    let mut bytes = std::fs::read(&path).expect("read");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).expect("written");
    results.run("2026-03-03", "03:00", 695);
    let ended = results.nightly("2026-03-03T07:00:00Z", &[]);
    assert_eq!(ended.status, 4, "{ended:?}");
    assert!(ended.err.contains("the best run so far cannot be determined"), "{}", ended.err);
}

#[test]
fn a_best_run_that_was_revised_counts_with_what_it_says_now() {
    let results = Results::new(
        "[job.main]\nruns = 'runs/*'\nbaseline = 'best'\nmetric = 'accuracy'\n\
         fail-on = ['regression']\n",
    );
    for (night, right) in [("2026-03-01", 900), ("2026-03-02", 810), ("2026-03-03", 730)] {
        results.run(night, "03:00", right);
        results.nightly(&format!("{night}T07:00:00Z"), &[]);
    }
    results.run("2026-03-01", "05:00", 730);
    results.run("2026-03-04", "03:00", 727);
    assert_eq!(results.nightly("2026-03-04T07:00:00Z", &[]).status, 1);
    let index = results.json("index.json");
    assert_eq!(index["jobs"][0]["last_report"]["baseline"], "runs/2026-03-02", "{index}");
}

#[test]
fn a_baseline_that_was_changed_after_it_was_filed_is_named() {
    let results =
        Results::new("[job.main]\nruns = 'runs/*'\nbaseline = '2026-03-01'\nmetric = 'accuracy'\n");
    for (night, right) in [("2026-03-01", 810), ("2026-03-02", 655)] {
        results.run(night, "03:00", right);
        results.nightly(&format!("{night}T07:00:00Z"), &[]);
    }
    let said = "`runs/2026-03-01` was changed after it was filed";
    assert!(!results.0.read("nightly/index.md").contains(said));
    results.run("2026-03-01", "05:00", 653);
    results.nightly("2026-03-02T08:00:00Z", &[]);
    let index = results.0.read("nightly/index.md");
    assert!(index.contains(said), "{index}");
}

#[test]
fn a_clock_that_is_behind_takes_nothing_back_that_was_judged() {
    let results = Results::new(super::JOB);
    for (night, right) in [("2026-03-08", 700), ("2026-03-09", 704)] {
        results.run(night, "03:00", right);
        results.nightly(&format!("{night}T07:00:00Z"), &[]);
    }
    // The same files, written again.
    results.run("2026-03-09", "04:00", 704);
    results.nightly("2026-03-02T07:00:00Z", &[]);
    results.nightly("2026-03-09T08:00:00Z", &[]);
    let state: serde_json::Value =
        serde_json::from_str(&results.0.read("nightly/state.json")).expect("JSON");
    assert_eq!(state["jobs"]["main"]["runs"]["runs/2026-03-09"]["state"], "complete");
}

#[test]
fn a_run_without_a_configuration_is_not_sent_away_by_a_condition() {
    let results = Results::new(
        "[job.main]\nruns = 'runs/*'\nwhere = ['model=small']\nmetric = 'accuracy'\n\
         fail-on = ['regression']\n",
    );
    results.run("2026-03-01", "03:00", 800);
    assert_eq!(results.nightly("2026-03-01T07:00:00Z", &[]).status, 0);
    results.file("2026-03-02", "03:00", "metrics.json", "{\"accuracy\": 0.4, \"n\": 1000}");
    for at in ["2026-03-02T07:00:00Z", "2026-03-03T07:00:00Z"] {
        assert_eq!(results.nightly(at, &[]).status, 3);
        let index = results.0.read("nightly/index.md");
        for expected in ["**run not complete**", "`where` cannot be answered"] {
            assert!(index.contains(expected), "{expected}:\n{index}");
        }
    }
}
