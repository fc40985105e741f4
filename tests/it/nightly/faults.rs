//! What becomes of the output when something goes wrong.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, SystemTime};

use reportgen::output::{self, Hold};
use serde_json::Value;

use super::{JOB, Results, gather};
use crate::manifest;

/// Results of two nights, of which the first is filed.
fn after_one_night() -> Results {
    let results = Results::new(JOB);
    results.run("2026-03-01", "03:00", 700);
    assert_eq!(results.nightly("2026-03-01T07:00:00Z", &[]).status, 0);
    results.run("2026-03-02", "03:00", 600);
    results
}

const AT: &str = "2026-03-02T07:00:00Z";

/// That the list of the history names whole files only, and that index, record and list are those of one
/// night unless the next writer is about to finish them.
fn assert_readable(results: &Results) {
    let list = results.json("history/v1/manifest.json");
    for file in list["files"].as_array().expect("files") {
        let path = format!("nightly/history/v1/{}", file["path"].as_str().expect("a path"));
        let bytes = fs::metadata(results.0.path(&path)).expect("a file that is listed").len();
        assert_eq!(file["bytes"], bytes, "{path}");
    }
    let parts = [
        list["generation"] == 2,
        results.json("state.json")["at"] == AT,
        results.json("index.json")["at"] == AT,
    ];
    let is_underway = results.0.path("nightly/.reportgen.ready").exists();
    assert!(is_underway || parts == [parts[0]; 3], "{parts:?}");
    assert_eq!(results.history(&[]).status, 0);
    if results.0.path("nightly/main/2026-03-02/report.manifest.json").exists() && !is_underway {
        let report = results.0.path("nightly/main/2026-03-02");
        assert!(report.join(".reportgen.ready").exists() || manifest::torn(&report) == [""; 0]);
    }
}

/// Kills the second night at so many moments, finishes it, and holds what came out against a night that
/// nobody killed.
fn killed_at(moments: u32) {
    let whole = after_one_night();
    assert_eq!(whole.nightly(AT, &[]).status, 1);
    // Another directory: paths in reports and times of files are its own.
    let expected = comparable(&whole);
    let mut took = Duration::from_millis(50);
    let (mut killed, mut ended) = (0, 0);
    for moment in 0..moments {
        let results = after_one_night();
        let mut child = results
            .process(AT)
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("it starts");
        // Moments that spread evenly over the time it takes, which is learnt on the way.
        thread::sleep(took.mul_f64(f64::from(moment * 7 % moments) / f64::from(moments)));
        if child.try_wait().expect("asked").is_some() {
            ended += 1;
            took = took.mul_f64(0.95);
        } else {
            killed += 1;
            took = took.mul_f64(1.15);
        }
        child.kill().expect("killed");
        child.wait().expect("ended");
        assert_readable(&results);
        assert_eq!(results.nightly(AT, &[]).status, 1);
        assert_readable(&results);
        assert_eq!(comparable(&results), expected);
    }
    assert!(killed > moments / 4, "{killed} killed, {ended} had ended");
}

/// What the output says, without what differs from directory to directory.
fn comparable(results: &Results) -> BTreeMap<String, Value> {
    let job = results.job();
    let pick = |name: &str| (name.to_owned(), job[name].clone());
    let mut said = BTreeMap::from(["status", "filed", "not_complete", "trends"].map(pick));
    said.insert("report".to_owned(), job["last_report"]["gates"].clone());
    let mut rows = results.rows(&[]);
    for row in &mut rows {
        row["content"] = Value::Null;
    }
    said.insert("rows".to_owned(), rows.into());
    let names: Vec<Value> = results.content().into_keys().map(Value::from).collect();
    said.insert("files".to_owned(), names.into());
    said
}

#[test]
fn a_night_that_is_killed_leaves_the_old_state_or_the_new_one() {
    killed_at(30);
}

#[test]
#[ignore = "minutes: cargo test --test it killed_300 -- --ignored"]
fn a_night_that_is_killed_300_times_leaves_the_old_state_or_the_new_one() {
    killed_at(300);
}

#[test]
fn of_two_starters_one_works_and_the_other_is_told_who() {
    let results = after_one_night();
    let before = results.output();
    let out = results.0.path("nightly");
    let Hold::Taken { held, .. } =
        output::hold(&out, "process 7 on host, since then").expect("a lock")
    else {
        panic!("nobody holds it")
    };
    let ended = results.nightly(AT, &[]);
    assert_eq!(ended.status, 5);
    assert!(ended.err.contains("process 7 on host, since then; nothing was done"), "{}", ended.err);
    assert_eq!(results.output(), before);
    drop(held);
    let mut both = [(); 2].map(|()| results.process(AT).spawn().expect("it starts"));
    let statuses = both.each_mut().map(|one| one.wait().expect("ended").code());
    assert!(statuses.iter().all(|status| matches!(status, Some(1 | 5))), "{statuses:?}");
    assert!(statuses.contains(&Some(1)), "{statuses:?}");
    assert_readable(&results);
}

#[test]
fn a_failed_gate_is_the_status_of_a_night_that_nobody_reads() {
    let results = after_one_night();
    let mut night = results.process(AT);
    let mut night = night.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    drop(night.stdout.take());
    assert_eq!(night.wait().expect("it ends").code(), Some(1));
}

#[test]
fn what_a_killed_one_held_is_told_by_the_next() {
    let results = after_one_night();
    results.0.write("nightly/.reportgen.held", "process 9 on host, since then");
    let ended = results.nightly(AT, &[]);
    assert!(
        ended.err.contains("did not come to its end (process 9 on host, since then)"),
        "{}",
        ended.err
    );
}

#[test]
fn a_history_file_that_was_cut_is_told_and_the_others_are_used() {
    let results = after_one_night();
    assert_eq!(results.nightly(AT, &[]).status, 1);
    let path = results.0.path("nightly/history/v1/month=2026-03/night=2026-03-01.r1.parquet");
    let bytes = fs::read(&path).expect("read");
    fs::write(&path, &bytes[..bytes.len() / 2]).expect("cut");
    let ended = results.history(&["--metric", "accuracy"]);
    assert_eq!(ended.status, 4);
    assert!(ended.err.contains("night=2026-03-01.r1.parquet: error[R101]"), "{}", ended.err);
    assert_eq!(results.rows(&["--metric", "accuracy"]).len(), 1);
    // The next night goes on, and its index says so.
    results.run("2026-03-03", "03:00", 602);
    let ended = results.nightly("2026-03-03T07:00:00Z", &[]);
    assert_eq!(ended.status, 4);
    assert!(ended.err.contains("cut, or not the file that was written"), "{}", ended.err);
    assert!(results.0.read("nightly/index.md").contains("night=2026-03-01.r1.parquet"));
    assert_eq!(results.rows(&["--metric", "accuracy"]).len(), 2);
    // Damage that keeps the length is an error and no panic.
    let mut damaged = bytes;
    let middle = damaged.len() / 2;
    damaged[middle..].fill(b'x');
    fs::write(&path, damaged).expect("damaged");
    assert_eq!(results.history(&[]).status, 4);
}

#[test]
fn a_history_file_that_was_put_in_the_place_of_another_is_told() {
    let (results, others) = (after_one_night(), Results::new(JOB));
    others.run("2026-03-01", "03:00", 999);
    assert_eq!(others.nightly("2026-03-01T07:00:00Z", &[]).status, 0);
    let name = "nightly/history/v1/month=2026-03/night=2026-03-01.r1.parquet";
    let list = |edit: &dyn Fn(&mut Value)| {
        let text = results.0.read("nightly/history/v1/manifest.json");
        let mut list: Value = serde_json::from_str(&text).expect("JSON");
        edit(&mut list["files"][0]);
        results.0.write("nightly/history/v1/manifest.json", list.to_string());
    };
    assert_eq!(results.history(&[]).status, 0);
    fs::copy(others.0.path(name), results.0.path(name)).expect("copied");
    let length = fs::metadata(results.0.path(name)).expect("there").len();
    list(&|file| file["bytes"] = length.into());
    let ended = results.history(&[]);
    assert_eq!(ended.status, 4);
    assert!(ended.err.contains("its SHA-256 is another"), "{}", ended.err);
    // Lists of earlier versions say no digest.
    list(&|file| {
        file["sha256"] = Value::Null;
        file["blocks"] = Value::Array(Vec::new());
    });
    assert_eq!(results.history(&[]).status, 0);
}

#[test]
fn a_record_that_cannot_be_read_stops_the_night_and_is_not_replaced() {
    let results = after_one_night();
    for text in ["{\"schema\": \"reportgen.nightly/9\"}", "{", ""] {
        results.0.write("nightly/state.json", text);
        let ended = results.nightly(AT, &[]);
        assert_eq!(ended.status, 4);
        assert!(
            ended.err.contains("state.json` is damaged, or was written by another version"),
            "{}",
            ended.err
        );
        assert_eq!(results.0.read("nightly/state.json"), text);
    }
}

#[test]
fn a_setting_that_no_comparison_could_use_is_refused_before_anything_is_done() {
    let results = Results::new("[job.main]\nruns = 'runs/*'\nfail-on = 'regresion'\n");
    let ended = results.nightly(AT, &[]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.starts_with("error: job `main`: invalid value 'regresion'"), "{}", ended.err);
    assert!(!results.0.path("nightly").exists());
}

#[cfg(unix)]
#[test]
fn where_nothing_can_be_written_the_old_night_stays() {
    use std::os::unix::fs::symlink;

    let results = after_one_night();
    let before = results.content();
    // A link in place of the directory that the history of a month goes to, which leads nowhere.
    let month = results.0.path("nightly/history/v1/month=2026-03");
    fs::rename(&month, results.0.path("aside")).expect("moved");
    symlink(Path::new("nowhere"), &month).expect("linked");
    let ended = results.nightly(AT, &[]);
    assert_eq!(ended.status, 4, "{}", ended.err);
    fs::remove_file(&month).expect("removed");
    fs::rename(results.0.path("aside"), &month).expect("moved back");
    let after = results.content();
    for (name, content) in before {
        assert_eq!(after.get(&name), Some(&content), "{name}");
    }
    assert_eq!(results.nightly(AT, &[]).status, 1);
}

#[cfg(unix)]
#[test]
fn no_link_below_the_output_directory_is_written_through() {
    for link in ["main", "main/2026-03-02", "history", "history/v1", "state.json"] {
        let results = after_one_night();
        let place = results.0.path(format!("nightly/{link}"));
        let outside = results.0.path("outside");
        if place.exists() {
            fs::rename(&place, &outside).expect("moved");
        } else {
            fs::create_dir(&outside).expect("made");
        }
        let before = all_of(&outside);
        fs::create_dir_all(place.parent().expect("a directory")).expect("made");
        std::os::unix::fs::symlink(&outside, &place).expect("linked");
        let ended = results.nightly(AT, &[]);
        assert!(ended.status == 4 && ended.err.contains(link), "{link}: {ended:?}");
        assert_eq!(all_of(&outside), before, "{link}");
    }
}

/// All that lies somewhere, with its content and when it was written.
fn all_of(place: &Path) -> BTreeMap<String, (Vec<u8>, SystemTime)> {
    let mut found = BTreeMap::new();
    if place.is_dir() {
        gather(place, "", &mut found);
    } else {
        let written = fs::metadata(place).and_then(|there| there.modified()).expect("a time");
        found.insert(String::new(), (fs::read(place).expect("content"), written));
    }
    found
}

#[test]
fn a_comparison_that_failed_is_made_when_its_cause_is_gone() {
    let results = Results::new(&format!("{JOB}baseline = \"runs/2026-03-01\"\n"));
    results.run("2026-03-01", "03:00", 700);
    assert_eq!(results.nightly("2026-03-01T07:00:00Z", &[]).status, 0);
    let (here, away) = (results.0.path("runs/2026-03-01"), results.0.path("away"));
    fs::rename(&here, &away).expect("moved");
    results.run("2026-03-02", "03:00", 600);
    assert_eq!(results.nightly(AT, &[]).status, 4);
    let again = results.nightly("2026-03-02T07:05:00Z", &[]);
    assert_eq!(again.status, 4);
    assert!(again.err.contains("nothing changed"), "{}", again.err);
    fs::rename(&away, &here).expect("moved back");
    let ended = results.nightly("2026-03-02T07:10:00Z", &[]);
    assert_eq!(ended.status, 1, "{}", ended.err);
    assert!(results.0.path("nightly/main/2026-03-02/report.md").exists());
}

#[test]
fn a_gate_that_failed_stays_so_until_a_run_is_judged_again() {
    let job = JOB.replace("due = \"06:00\"\n", "");
    assert_ne!(job, JOB);
    let results = Results::new(&job);
    let night = |at: &str| {
        let ended = results.nightly(&format!("{at}Z"), &[]);
        (ended.status, results.job()["status"].as_str().expect("a state").to_owned())
    };
    results.run("2026-03-01", "03:00", 700);
    night("2026-03-01T07:00:00");
    results.run("2026-03-02", "03:00", 600);
    let failed = (1, "gate-failed".to_owned());
    assert_eq!(night("2026-03-02T07:00:00"), failed);
    assert_eq!(night("2026-03-03T00:01:00"), failed);
    assert!(results.0.read("nightly/index.md").contains("| 2026-03-02: `accuracy` 70.0% → 60.0%"));
    assert_eq!(night("2026-03-05T07:00:00"), failed);
    // Neither a late run of an older night nor a revised one is a judgement of the newest.
    results.run("2026-02-27", "03:00", 700);
    assert_eq!(night("2026-03-05T09:00:00"), failed);
    results.run("2026-03-01", "04:00", 690);
    assert_eq!(night("2026-03-05T10:00:00"), failed);
    results.run("2026-03-06", "03:00", 602);
    assert_eq!(night("2026-03-06T07:00:00"), (0, "no-change".to_owned()));
    assert_eq!(night("2026-03-07T07:00:00"), (0, "unchanged".to_owned()));
}

#[test]
fn a_row_of_the_index_shows_the_night_that_decides_its_state() {
    let results = Results::new(JOB);
    for (night, right) in [("2026-03-01", 700), ("2026-03-02", 702)] {
        results.run(night, "03:00", right);
    }
    results.nightly("2026-03-02T07:00:00Z", &[]);
    results.run("2026-03-03", "03:00", 704);
    results.run("2026-03-02", "03:30", 600);
    results.nightly("2026-03-03T07:00:00Z", &[]);
    let job = results.job();
    assert_eq!(job["status"], "gate-failed", "{job}");
    assert_eq!(job["last_report"]["night"], "2026-03-02", "{job}");
    assert!(results.0.read("nightly/index.md").contains("| 2026-03-02: `accuracy` 70.0% → 60.0%"));
}

#[test]
fn a_pattern_that_matches_nothing_is_named() {
    let results = Results::new("[job.main]\nruns = 'runs/2027*'\ndue = '06:00'\n");
    results.run("2026-03-01", "03:00", 700);
    let ended = results.nightly("2026-03-02T07:00:00Z", &["--dry-run"]);
    assert!(ended.err.contains("main: nothing matches runs/2027* below"), "{}", ended.err);
    let ended = results.nightly("2026-03-02T07:00:00Z", &[]);
    assert_eq!(results.job()["status"], "nothing-ran", "{}", ended.err);
    assert!(results.0.read("nightly/index.md").contains("nothing matches `runs/2027*`"));
}

#[test]
fn a_dry_run_with_nothing_to_do_says_so_and_a_run_that_is_not_there_has_neighbours() {
    let results = Results::new(JOB);
    results.run("2026-03-01", "03:00", 700);
    results.nightly("2026-03-01T07:00:00Z", &[]);
    let ended = results.nightly("2026-03-01T08:00:00Z", &["--dry-run"]);
    assert!(ended.err.contains("nothing to do"), "{}", ended.err);
    let ended = results.nightly("2026-03-01T08:00:00Z", &["--accept", "main=runs/2026-03-10"]);
    assert!(ended.status == 2 && ended.err.contains("did you mean `runs/2026-03-01`"), "{ended:?}");
    let ended = results.nightly("2026-03-01T08:00:00Z", &["--accept", "main=runs/2026-03-01"]);
    assert!(ended.err.contains("the baseline of this job stays"), "{}", ended.err);
}

#[test]
fn names_of_a_job_that_nothing_has_are_told_in_the_index() {
    let job =
        |lines: &str| format!("[job.main]\nruns = 'runs/*'\nfail-on = 'regression'\n{lines}\n");
    let said = |lines: &str| {
        let results = Results::new(&job(lines));
        results.run("2026-03-01", "03:00", 700);
        results.run("2026-03-02", "03:00", 702);
        let ended = results.nightly("2026-03-02T07:00:00Z", &[]);
        (ended.status, results.job()["status"].clone(), results.0.read("nightly/index.md"))
    };
    let (status, state, index) = said("metric = 'acuracy'");
    assert!(
        status == 3 && state == "not-gateable" && index.contains("acuracy is named"),
        "{index}"
    );
    let (status, state, index) = said("where = ['modl=small']");
    assert!(status == 3 && state == "nothing-ran", "{state}");
    assert!(index.contains("nothing matches `runs/* with modl=small`"), "{index}");
    let (status, state, index) = said("baseline = 'previuos'");
    assert!(status == 4 && state == "failed" && index.contains("did you mean"), "{index}");
    let (status, state, index) = said("baseline = 'best'\nmetric = 'accuracy'");
    assert!(status == 0 && state == "no-change", "{index}");
    assert!(index.contains("| **main** | `runs/*` | the best run so far | regression | — |"));
}

#[test]
fn a_run_without_a_result_is_unreadable_and_hides_no_failed_gate() {
    let results = Results::new(JOB);
    results.run("2026-03-01", "03:00", 700);
    results.nightly("2026-03-01T07:00:00Z", &[]);
    results.run("2026-03-02", "03:00", 600);
    assert_eq!(results.nightly("2026-03-02T07:00:00Z", &[]).status, 1);
    results.file("2026-03-03", "03:00", "x.bin", [0_u8, 159, 146, 150]);
    assert_eq!(results.nightly("2026-03-03T07:00:00Z", &[]).status, 3);
    let job = results.job();
    assert_eq!((&job["status"], &job["besides"]), (&"gate-failed".into(), &"broken".into()));
    results.run("2026-03-04", "03:00", 602);
    assert_eq!(results.nightly("2026-03-04T07:00:00Z", &[]).status, 0);
    assert_eq!(results.job()["last_report"]["baseline"], "runs/2026-03-02");
}

#[test]
fn runs_of_the_night_that_a_condition_leaves_out_are_named() {
    let results = Results::new("[job.main]\nruns = 'runs/*'\nwhere = ['model=small']\n");
    results.run("2026-03-01", "03:00", 700);
    results.nightly("2026-03-01T07:00:00Z", &[]);
    results.run("2026-03-02", "03:00", 500);
    results.file("2026-03-02", "03:00", "config.yaml", "model: large\n");
    results.nightly("2026-03-02T07:00:00Z", &[]);
    let index = results.0.read("nightly/index.md");
    assert!(index.contains("| `runs/2026-03-02` | 2026-03-02 | not of this job |"), "{index}");
}

#[test]
fn the_newest_night_is_compared_again_where_its_baseline_changed() {
    let results = Results::new(JOB);
    results.run("2026-03-01", "03:00", 700);
    results.run("2026-03-02", "03:00", 702);
    assert_eq!(results.nightly("2026-03-02T07:00:00Z", &[]).status, 0);
    results.run("2026-03-01", "05:00", 900);
    assert_eq!(results.nightly("2026-03-02T09:00:00Z", &[]).status, 1);
    assert_eq!(results.job()["last_report"]["figure"]["baseline"], 0.9);
}

#[test]
fn the_newest_run_stays_what_it_is_however_long_ago_it_came() {
    let results = Results::new(&JOB.replace("due = \"06:00\"\n", ""));
    results.run("2026-03-01", "03:00", 700);
    results.nightly("2026-03-01T07:00:00Z", &[]);
    results.file("2026-03-02", "03:00", "x.bin", [0_u8, 159, 146, 150]);
    for night in ["02", "03", "04", "05", "20"] {
        let ended = results.nightly(&format!("2026-03-{night}T07:00:00Z"), &[]);
        let job = results.job();
        assert_eq!((ended.status, &job["status"]), (3, &"broken".into()), "{night}: {job}");
    }
    results.run("2026-03-21", "03:00", 701);
    assert_eq!(results.nightly("2026-03-21T07:00:00Z", &[]).status, 0);
}
