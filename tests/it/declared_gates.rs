//! Gates that `[gate.NAME]` of `reportgen.toml` declares.

use reportgen::cli::Surroundings;
use reportgen::quantity::Moment;
use serde_json::{Value, json};

use crate::command::{Ended, compare, json as data, run};
use crate::directory::Directory;
use crate::report::{list, text};

/// Two runs of 400 questions on each of two datasets, with 320 and 300 right answers on `easy` and 200
/// and 196 on `hard`, 5 seconds and 6, and a figure that the candidate lacks.
fn runs() -> Directory {
    let runs = Directory::new();
    for (arm, easy, hard) in [("base", 320, 200), ("new", 300, 196)] {
        let row = |dataset: &str, row: usize, right: usize| {
            format!("{dataset}{row},{dataset},{}\n", u8::from(row < right))
        };
        let rows = (0..400).map(|at| row("easy", at, easy) + &row("hard", at, hard));
        runs.write(
            format!("{arm}/samples.csv"),
            "id,dataset,accuracy\n".to_owned() + &rows.collect::<String>(),
        );
    }
    runs.write("base/metrics.json", r#"{"wall_clock_time": 5.0, "extra_score": 3.5}"#);
    runs.write("new/metrics.json", r#"{"wall_clock_time": 6.0}"#);
    runs
}

const METRICS: &str = "[[metric]]\nnames = ['wall_clock_time', 'wall time']\ndirection = 'lower'\n\
                       unit = 'seconds'\n[[metric]]\nnames = ['extra_score']\ndirection = 'higher'\n\
                       role = 'guard'\n";

fn judged(gate: &str, more: &[&str]) -> Ended {
    let runs = runs();
    runs.write("reportgen.toml", format!("{METRICS}[gate.ship]\n{gate}\n"));
    let [config, base, new] = ["reportgen.toml", "base", "new"].map(|word| runs.word(word));
    let own = ["--config", &config, "--format", "json"];
    compare(&[base, new], &[&own[..], more].concat())
}

/// The outcome and the exit status of a gate.
fn check(gate: &str, outcome: &str, status: u8) {
    let ended = judged(gate, &[]);
    assert_eq!(ended.status, status, "{gate}: {}", ended.err);
    let report = data(&ended);
    let gates = report["gates"].as_array().expect("gates");
    assert_eq!(gates.len(), 1, "{gates:?}");
    assert_eq!(gates[0]["name"], "ship");
    assert_eq!(gates[0]["outcome"], outcome, "{gate}: {gates:?}");
    assert!(ended.err.contains(&format!("gate ship: {outcome} (")), "{}", ended.err);
}

// 300 of 400 is 75% with Wilson's interval 70.5 … 79.0 (scipy 1.17 `binomtest(300, 400)
// .proportion_ci(method="wilson")`: 0.7053, 0.7899). All 20 changes on `easy` are losses: the
// difference is -5 pp, and no interval of it reaches -15 or -1 pp.
crate::cases::tests![
    a_floor_below_the_whole_interval_is_held =
        check("metrics = 'accuracy'\ndatasets = 'easy'\nfloor = '70%'", "pass", 0),
    a_floor_above_the_whole_interval_is_missed =
        check("metrics = 'acc'\ndatasets = 'easy'\nfloor = '80%'", "fail", 1),
    a_floor_within_the_interval_is_undecided =
        check("metrics = 'accuracy'\ndatasets = 'easy'\nfloor = '75%'", "inconclusive", 0),
    what_is_undecided_fails_where_the_user_says_so = check(
        "metrics = 'accuracy'\ndatasets = 'easy'\nfloor = '75%'\ninconclusive = 'fail'",
        "inconclusive",
        1
    ),
    a_ceiling_is_held_from_above =
        check("metrics = 'accuracy'\ndatasets = 'easy'\nceiling = '80%'", "pass", 0),
    a_loss_beyond_the_margin_fails =
        check("metrics = 'accuracy'\ndatasets = 'easy'\nmargin = '1pp'", "fail", 1),
    a_loss_within_the_margin_passes =
        check("metrics = 'accuracy'\ndatasets = ['easy', 'HARD']\nmargin = '15pp'", "pass", 0),
    a_share_of_the_figure_is_a_margin_too =
        check("metrics = 'accuracy'\ndatasets = 'easy'\nmax_drop = '15%'", "pass", 0),
    a_share_of_a_number_without_samples_is_asked_of_the_number =
        check("metrics = 'wall time'\nmax_drop = '10%'", "fail", 1),
    a_number_without_samples_may_move_by_its_share =
        check("metrics = 'wall_clock_time'\nmax_drop = '25%'", "pass", 0),
    a_number_without_samples_shows_no_margin =
        check("metrics = 'wall_clock_time'\nmargin = 2", "not-gateable", 3),
    a_limit_of_a_rate_without_percent_is_not_guessed =
        check("metrics = 'accuracy'\nfloor = 0.5", "not-gateable", 3),
    every_sample_is_covered = check("metrics = 'accuracy'\ncoverage = '99%'", "pass", 0),
    coverage_of_a_number_is_not_known =
        check("metrics = 'wall_clock_time'\ncoverage = '99%'", "not-gateable", 3),
    a_missing_result_closes = check("complete = true\nroles = ['guard']", "not-gateable", 3),
    nothing_is_missing_elsewhere = check("complete = true\nmetrics = 'accuracy'", "pass", 0),
    a_gate_that_matches_nothing_never_passes =
        check("metrics = 'rouge1'\nfloor = '1%'", "not-gateable", 3),
    a_dataset_that_was_not_evaluated_never_passes = check(
        "metrics = 'accuracy'\ndatasets = ['easy', 'other']\nfloor = '10%'",
        "not-gateable",
        3
    ),
    what_cannot_be_judged_closes_no_supporting_gate =
        check("tier = 'supporting'\nmetrics = 'rouge1'\nfloor = '1%'", "not-gateable", 0),
    a_supporting_gate_fails = check(
        "tier = 'supporting'\nmetrics = 'accuracy'\ndatasets = 'easy'\nmargin = '1pp'",
        "fail",
        1
    ),
    an_advisory_gate_changes_nothing = check(
        "tier = 'advisory'\nmetrics = 'accuracy'\ndatasets = 'easy'\nmargin = '1pp'",
        "fail",
        0
    ),
];

#[test]
fn a_gate_says_what_it_asks_why_it_came_out_so_and_what_that_counts_as() {
    let gate = "metrics = 'accuracy'\ndatasets = 'easy'\nfloor = '75%'\ninconclusive = 'pass'";
    let report = data(&judged(gate, &[]));
    let gate = &report["gates"][0];
    assert_eq!(gate["rule"], "accuracy, easy: at least 75% (critical)");
    assert_eq!(gate["tier"], "critical");
    assert_eq!(gate["inconclusive"], "pass");
    let reason = gate["reason"].as_str().expect("a text");
    assert!(reason.contains("such as accuracy (easy) 75.0%: at least 75%"), "{reason}");
    assert!(
        reason.ends_with("counts as passed, as declared (inconclusive = \"pass\")"),
        "{reason}"
    );
}

#[test]
fn a_gate_that_cannot_be_evaluated_says_the_one_cause() {
    let side = "roles = ['guard']\nmargin = 1";
    for (gate, cause) in [
        ("metrics = 'wall_clock_time'\nmargin = 2", "how far it varies by chance is not known"),
        ("metrics = 'accuracy'\nfloor = 0.5", "the limit is not in the unit of the metric"),
        ("complete = true\nroles = ['guard']", "a result, or too many of its samples, are missing"),
        (side, "a result, or too many of its samples, are missing"),
    ] {
        let report = data(&judged(gate, &[]));
        let reason = report["gates"][0]["reason"].as_str().expect("a text").to_owned();
        assert!(reason.contains(&format!("could not be evaluated: {cause}, such as")), "{reason}");
    }
}

#[test]
fn a_comment_shows_how_much_depends_on_a_gate_and_the_metric_that_closed_it() {
    for (tier, outcome, status, is_shown) in [
        ("advisory", "⚠️ failed (advisory): `ship`", 0, false),
        ("supporting", "❌ failed (supporting): `ship`", 1, true),
        ("critical", "❌ failed: `ship`", 1, true),
    ] {
        let runs = runs();
        let gate = format!("metrics = 'wall_clock_time'\nmax_drop = '10%'\ntier = '{tier}'");
        runs.write("reportgen.toml", format!("{METRICS}[gate.ship]\n{gate}\n"));
        let [config, base, new] = ["reportgen.toml", "base", "new"].map(|word| runs.word(word));
        let ended = compare(&[base, new], &["--config", &config, "--format", "github"]);
        assert_eq!(ended.status, status, "{}", ended.err);
        let open = ended.out.split("<details>").next().expect("what stands open");
        assert!(open.contains(outcome), "{outcome}: {open}");
        assert_eq!(open.contains("| wall_clock_time |"), is_shown, "{tier}: {open}");
    }
}

#[test]
fn every_output_says_the_same_of_a_gate() {
    let gate = "metrics = 'accuracy'\ndatasets = 'easy'\nmargin = '1pp'";
    for (format, expected) in [
        ("md", "gate failed: ship"),
        ("github", "failed: `ship`"),
        ("junit", "<failure message=\"fail: 1 of 1 check failed"),
        ("openmetrics", "reportgen_gate{gate=\"ship\",outcome=\"fail\"} 1"),
    ] {
        let runs = runs();
        runs.write("reportgen.toml", format!("{METRICS}[gate.ship]\n{gate}\n"));
        let [config, base, new] = ["reportgen.toml", "base", "new"].map(|word| runs.word(word));
        let ended = compare(&[base, new], &["--config", &config, "--format", format]);
        assert_eq!(ended.status, 1, "{}", ended.err);
        assert!(ended.out.contains(expected), "{format}: {expected} in {}", ended.out);
    }
    let advisory = judged(&format!("{gate}\ntier = 'advisory'"), &["--fail-on", "missing"]);
    let report: Value = data(&advisory);
    assert_eq!(report["headline"]["result"], "worse", "{report:#}");
}

/// The words of a refusal, behind the path of the file.
fn refused(gate: &str, expected: &str) {
    let ended = judged(gate, &[]);
    assert_eq!(ended.status, 2, "{gate}: {}", ended.out);
    assert!(ended.err.contains(expected), "{gate}: {expected} in {}", ended.err);
}

crate::cases::tests![
    an_unknown_key_is_named_with_its_line =
        refused("metrics = 'accuracy'\nflor = '80%'", "line 11: unknown key `flor`"),
    an_unknown_tier_is_named_with_its_line =
        refused("floor = '80%'\ntier = 'vital'", "line 11: `vital` is not allowed here"),
    a_value_that_is_no_number_is_named_with_its_line =
        refused("floor = 'much'", "line 10: floor of [gate.ship] cannot be `much`"),
    a_share_above_the_whole_is_refused =
        refused("coverage = '120%'", "coverage of [gate.ship] cannot be `120%`"),
    a_margin_has_to_be_positive =
        refused("margin = '-1pp'", "margin of [gate.ship] cannot be `-1pp`"),
    a_gate_without_a_rule_is_refused = refused("metrics = 'accuracy'", "[gate.ship] has no rule"),
    a_gate_does_not_take_the_name_of_a_rule =
        refused("floor = '80%'\n[gate.regression]\nfloor = '80%'", "is the name of a rule"),
];

#[test]
fn a_drop_that_a_spread_of_the_candidate_alone_leaves_undecided_passes_no_gate() {
    let figures = |share: f64, beside: Value| {
        let mut figures = json!({ "accuracy": share, "n": 1000 });
        figures
            .as_object_mut()
            .expect("an object")
            .append(&mut beside.as_object().expect("too").clone());
        json!({ "gsm8k": figures }).to_string()
    };
    let (none, few, many) = (json!({}), json!({ "n_clusters": 20 }), json!({ "effective_n": 50 }));
    let interval = json!({ "ci_lower": 0.6, "ci_upper": 0.85 });
    let [wide, plain] = [0.05, 0.0139].map(|stderr| json!({ "accuracy_stderr": stderr }));
    for (mine, theirs, share, gate) in [
        (&none, &none, 0.74, "fail"),
        (&few, &few, 0.74, "inconclusive"),
        (&none, &few, 0.74, "not-gateable"),
        (&none, &many, 0.74, "not-gateable"),
        (&none, &wide, 0.74, "not-gateable"),
        (&none, &interval, 0.74, "not-gateable"),
        // One spread is that of single samples, one baseline has its own, one figure did not fall.
        (&none, &plain, 0.79, "inconclusive"),
        (&wide, &few, 0.74, "inconclusive"),
        (&none, &few, 0.81, "inconclusive"),
    ] {
        let toml = "[gate.ship]\nmetrics = 'accuracy'\nmargin = '1pp'\n";
        let runs = Directory::of([
            ("base/results.json", figures(0.8, mine.clone())),
            ("new/results.json", figures(share, theirs.clone())),
            ("reportgen.toml", toml.to_owned()),
        ]);
        let [config, base, new] = ["reportgen.toml", "base", "new"].map(|word| runs.word(word));
        let more = ["--config", &config, "--format", "json", "--fail-on", "regression"];
        let report = data(&compare(&[base, new], &more));
        let found: Vec<&str> =
            list(&report, "gates").iter().map(|gate| text(gate, "outcome")).collect();
        assert_eq!(found, [gate; 2], "{mine} {theirs} {share}");
    }
}

/// Runs are compared at 2026-03-02T06:00:00Z.
fn check_age(baseline: &str, candidate: &str, limit: &str, (outcome, status): (&str, u8)) {
    let runs = Directory::new();
    let write = |name: &str, recorded: &str| {
        runs.write(format!("{name}/metrics.json"), r#"{"accuracy": 0.5, "n": 100}"#);
        if !recorded.is_empty() {
            runs.write(format!("{name}/config.yaml"), format!("{recorded}\n"));
        }
    };
    let named = |recorded: &str, name: &str| {
        let dated = recorded.strip_prefix("path: ");
        let name = dated.map_or(name.to_owned(), |date| format!("{date}/{name}"));
        write(&name, if dated.is_some() { "" } else { recorded });
        runs.word(&name)
    };
    let [base, new] = [named(baseline, "base"), named(candidate, "new")];
    runs.write("reportgen.toml", format!("[gate.recent]\nfreshness = '{limit}'\n"));
    let config = runs.word("reportgen.toml");
    let surroundings = Surroundings { now: Moment(1_772_431_200), ..Surroundings::default() };
    let words = ["compare", &base, &new, "--config", &config, "--format", "json"];
    let ended = run(words, surroundings);
    assert_eq!(ended.status, status, "{candidate}: {}", ended.err);
    assert_eq!(data(&ended)["gates"][0]["outcome"], outcome, "{candidate}: {}", ended.err);
}

crate::cases::tests![
    a_run_that_ended_within_the_limit_is_fresh = check_age(
        "",
        "end_time: '2026-03-01T22:00:00+02:00'\nstart_time: 2020-01-01T00:00:00Z",
        "10h",
        ("pass", 0)
    ),
    a_run_that_ended_before_the_limit_is_not =
        check_age("", "end_time: '2026-03-01T19:59:59Z'", "10h", ("fail", 1)),
    a_start_counts_where_no_end_is_recorded =
        check_age("", "start_time: 1772424000.5", "2h", ("pass", 0)),
    a_date_in_the_path_counts_from_its_first_second =
        check_age("", "path: 2026-03-01", "29h", ("fail", 1)),
    a_date_in_the_path_is_asked_where_nothing_is_recorded =
        check_age("", "path: 2026-03-01", "30h", ("pass", 0)),
    a_run_without_a_time_is_never_fresh = check_age("", "lr: 1", "365d", ("not-gateable", 3)),
    a_run_from_the_future_is_never_fresh =
        check_age("", "end_time: '2026-03-02T20:00:01Z'", "1d", ("not-gateable", 3)),
    a_time_that_cannot_be_read_is_no_reason_to_ask_the_path =
        check_age("", "end_time: 01.03.2026 06:00", "1d", ("not-gateable", 3)),
    a_date_counts_from_its_first_second = check_age("", "end_time: 2026-03-01", "29h", ("fail", 1)),
    of_two_times_none_counts = check_age(
        "",
        "end_time: 2020-01-01T00:00:00Z\nend_time: 2026-03-02T05:00:00Z",
        "1d",
        ("not-gateable", 3)
    ),
    the_age_of_the_baseline_is_not_asked =
        check_age("end_time: '2020-01-01T00:00:00Z'", "path: 2026-03-02", "1d", ("pass", 0)),
];

#[test]
fn a_gate_says_which_run_is_too_old() {
    let runs = runs();
    runs.write("new/config.yaml", "end_time: '2026-02-01T00:00:00Z'\n");
    runs.write("reportgen.toml", "[gate.recent]\nmetrics = 'accuracy'\nfreshness = '36h'\n");
    let [config, base, new] = ["reportgen.toml", "base", "new"].map(|word| runs.word(word));
    let surroundings = Surroundings { now: Moment(1_772_431_200), ..Surroundings::default() };
    let ended = run(["compare", &base, &new, "--config", &config], surroundings);
    assert_eq!(ended.status, 1, "{}", ended.err);
    let said = "1 of 1 check failed, such as new: no run of a candidate older than 36h";
    assert!(ended.err.contains(said), "{}", ended.err);
}

#[test]
fn a_length_of_time_without_a_unit_is_refused_with_its_line() {
    let ended = judged("metrics = 'accuracy'\nfreshness = 36", &[]);
    assert_eq!(ended.status, 2, "{}", ended.err);
    assert!(ended.err.contains("reportgen.toml`, line 11"), "{}", ended.err);
    assert!(ended.err.contains("\"36h\""), "{}", ended.err);
}
