//! What `selfcheck` says of the statistics: against reference vectors, and on relabelled samples.

use std::fmt::Write as _;
use std::fs;
use std::sync::LazyLock;

use reportgen::quantity;
use serde_json::Value;

use crate::command::{Ended, json, program, reportgen};
use crate::directory::Directory;
use crate::report::{count, list, number, text};

/// `selfcheck --format json` with further arguments.
fn selfcheck<'a>(arguments: impl IntoIterator<Item = &'a str>) -> (u8, Value) {
    let ended = reportgen(["selfcheck", "--format", "json"].into_iter().chain(arguments));
    let data = json(&ended);
    (ended.status, data)
}

/// `selfcheck --aa` over the runs below a directory.
fn false_positives(folder: &Directory, runs: &[&str]) -> (u8, Value) {
    let runs: Vec<String> = runs.iter().map(|run| folder.word(run)).collect();
    selfcheck(["--aa"].into_iter().chain(runs.iter().map(String::as_str)))
}

/// The only cell.
fn cell(data: &Value) -> &Value {
    let cells = list(data, "cells");
    assert_eq!(cells.len(), 1, "{data}");
    &cells[0]
}

/// The cell of `accuracy`.
fn accuracy(data: &Value) -> &Value {
    list(data, "cells").iter().find(|cell| cell["metric"] == "accuracy").expect("a cell")
}

/// What the program says of the vectors that are shipped with it.
static SHIPPED: LazyLock<(u8, Value)> = LazyLock::new(|| selfcheck([]));

/// Rows of a table of samples.
fn table<T: ToString>(head: &str, rows: impl IntoIterator<Item = [T; 3]>) -> String {
    let mut text = format!("{head}\n");
    for row in rows {
        writeln!(text, "{}", row.map(|cell| cell.to_string()).join(",")).expect("written");
    }
    text
}

#[test]
fn the_shipped_vectors_agree() {
    let (status, data) = &*SHIPPED;
    let totals = &data["totals"];
    assert_eq!((*status, &data["passed"]), (0, &Value::Bool(true)), "{}", data["problems"]);
    assert_eq!((&totals["disagreed"], &totals["malformed"]), (&0.into(), &0.into()));
    assert!(count(&totals["vectors"]) >= 100 && count(&totals["agreed"]) >= 200, "{totals}");
}

#[test]
fn the_last_line_counts_vectors_methods_and_fields() {
    let vectors = ["--vectors", "core/reference/distributions.json"];
    let (_, data) = selfcheck(vectors);
    let totals = &data["totals"];
    assert!(count(&totals["vectors"]) > 1, "{totals}");
    let shown = |key: &str| quantity::count(count(&totals[key]));
    let ended = reportgen(["selfcheck"].into_iter().chain(vectors));
    let last = format!(
        "{} vectors of {} methods: {} fields agree, 0 disagree, {} not checked",
        shown("vectors"),
        shown("methods"),
        shown("agreed"),
        shown("not_checked")
    );
    assert_eq!(ended.out.lines().last(), Some(last.as_str()));
    let guide = fs::read_to_string("docs/guide.md").expect("the guide");
    let shipped = quantity::count(count(&SHIPPED.1["totals"]["vectors"]));
    let promise = format!("`reportgen selfcheck` recomputes {shipped} vectors of");
    assert!(guide.contains(&promise), "the guide does not say: {promise}");
}

#[test]
fn every_method_names_its_worst_vector_and_the_oracle_of_it() {
    let methods = list(&SHIPPED.1, "methods");
    assert!(methods.len() > 20, "{} methods", methods.len());
    for method in methods {
        let worst = &method["largest_relative_error"];
        for part in ["vector", "field", "source"] {
            assert!(!text(worst, part).is_empty(), "{method}");
        }
        // Where both sides draw at random they differ by that.
        let name = text(method, "method");
        let random =
            ["bootstrap", "monte_carlo", "permutation_mean"].iter().any(|kind| name.contains(kind));
        let most = if random { 0.1 } else { 1e-3 };
        assert!((0.0..most).contains(&number(&worst["error"])), "{method}");
    }
}

#[test]
fn a_list_without_a_vector_passes_nothing() {
    for text in ["[]", "{\"vectors\": []}"] {
        let folder = Directory::of([("none.json", text)]);
        let (status, data) = selfcheck(["--vectors", &folder.word("none.json")]);
        assert_eq!((status, &data["passed"]), (1, &Value::Bool(false)));
    }
}

#[test]
fn a_vector_that_says_nothing_is_a_problem_of_its_own_and_named() {
    for (tol, z, says) in [
        ("{\"abs\": NaN}", "0", "`abs` in `tol` must be a finite number from 0 on, got NaN"),
        ("{\"abs\": -1}", "0", "`abs` in `tol` must be a finite number from 0 on, got -1"),
        ("{\"absolute\": 1}", "0", "`tol` has no key `absolute`"),
        ("{}", "0", "`tol` says nothing: how close does `sf` have to be?"),
        ("{\"abs\": 1}", "NaN", "method `normal_sf` takes finite numbers only, and `z` is none"),
    ] {
        let text = format!(
            "[{{\"id\": \"one\", \"method\": \"normal_sf\", \"inputs\": {{\"z\": {z}}}, \
             \"expected\": {{\"sf\": 0.5}}, \"tol\": {tol}, \"source\": \"symmetry\"}}]"
        );
        let folder = Directory::of([("wrong.json", text)]);
        let (status, data) = selfcheck(["--vectors", &folder.word("wrong.json")]);
        let problems = list(&data, "problems");
        assert_eq!((status, problems.len()), (1, 1), "{data}");
        let message = self::text(&problems[0], "message");
        assert!(message.contains(says), "{message}");
    }
}

#[test]
fn relabelling_says_that_it_cannot_show_what_skewed_differences_do() {
    let runs = ["selfcheck", "--aa", "fixtures/phases/phase0", "--replicates", "20"];
    for text in [reportgen(runs).out, reportgen(["selfcheck", "--help"]).out] {
        assert!(text.contains("symmetric around 0"), "{text}");
    }
}

#[test]
fn a_file_that_cannot_be_read_ends_with_4_and_wrong_usage_with_2() {
    let refused = |arguments: &[&str]| -> Ended {
        let ended = reportgen(["selfcheck"].iter().chain(arguments));
        assert_eq!(ended.out, "", "{ended:?}");
        ended
    };
    let gone = refused(&["--vectors", "gone.json"]);
    assert!(gone.status == 4 && gone.err.contains("gone.json"), "{gone:?}");
    assert_eq!(refused(&["--aa", "gone"]).status, 4);
    for wrong in [
        &["--vectors"][..],
        &["--aa"],
        &["--aa", "a", "b", "c"],
        &["--aa", "a", "--aa", "b", "c"],
        &["--aa", "a", "--vectors", "b"],
        &["--aa", "a", "--alpha", "1"],
        &["--aa", "a", "--replicates", "0"],
        &["--seed", "1"],
        &["--format", "pdf"],
    ] {
        assert_eq!(refused(wrong).status, 2, "{wrong:?}");
    }
}

#[test]
fn relabelled_pairs_are_found_different_about_as_often_as_the_level_says() {
    // Skewed scores are resampled for each relabelling, which takes its time without optimisation.
    let runs = ["--aa", "fixtures/phases/phase0", "fixtures/phases/phase1", "--replicates", "200"];
    let (status, data) = selfcheck(runs);
    assert_eq!((status, &data["outcome"]), (0, &"pass".into()));
    let limit = number(&data["limit"]);
    // 0.05 + 3·√(0.05·0.95/200)
    assert!((limit - 0.096_233_105_022).abs() < 1e-12, "{limit}");
    assert!(list(&data, "cells").len() > 5, "{data}");
    for cell in list(&data, "cells") {
        assert_eq!((&cell["relabelling"], &cell["n"]), (&"swapped-pairs".into(), &200.into()));
        for share in ["p_below_alpha", "interval_excludes_zero"] {
            assert!(number(&cell[share]) <= limit, "{cell}");
        }
        // No request to the interface failed in either phase.
        let constant = cell["metric"] == "api_error_rate";
        assert_eq!(cell["outcome"] == "out-of-reach", constant, "{cell}");
    }
}

#[test]
fn one_run_of_several_answers_is_split_within_its_problems() {
    let folder = Directory::new();
    let answers = |k: u64| {
        let right = |problem: u64, answer: u64| u64::from((problem * 7 + answer * 5) % 11 < 5);
        let rows = (0..300_u64).flat_map(|problem| {
            (0..k).map(move |answer| [problem, answer, right(problem, answer)])
        });
        table("id,answer,accuracy", rows)
    };
    for (k, method) in [(2, "paired-binary"), (3, "paired-binary"), (4, "paired-real")] {
        let rows = answers(k).replace(",answer", ",note");
        folder.write("k.csv", rows);
        let (status, data) = false_positives(&folder, &["k.csv"]);
        let cell = accuracy(&data);
        assert_eq!((status, &cell["outcome"]), (0, &"pass".into()), "{cell}");
        assert_eq!((&cell["relabelling"], &cell["n"]), (&"split-answers".into(), &300.into()));
        assert_eq!(cell["methods"], serde_json::json!([method]));
    }
}

#[test]
fn clusters_stay_whole_paired_split_or_given_out_anew() {
    let folder = Directory::new();
    // Eight equal scores in each of forty clusters: an eighth of the samples is worth as much.
    let scores = |shift: u64| {
        let level = move |cluster: u64| (cluster * 17 + shift) % 41;
        let rows = (0..320_u64).map(move |id| [id, id / 8, level(id / 8)]);
        table("id,cluster,latency", rows)
    };
    folder.write("a.csv", scores(0));
    folder.write("b.csv", scores(23));
    let (status, data) = false_positives(&folder, &["a.csv", "b.csv"]);
    let paired = cell(&data);
    assert_eq!((status, &paired["outcome"]), (0, &"pass".into()), "{paired}");
    assert_eq!((&paired["relabelling"], &paired["n"]), (&"swapped-clusters".into(), &40.into()));
    // Other ids: nothing pairs.
    folder.write("c.csv", scores(23).replace('\n', "\nx"));
    for (runs, relabelling, n) in
        [(&["a.csv"][..], "split-clusters", 40), (&["a.csv", "c.csv"], "redrawn-clusters", 80)]
    {
        let (status, data) = false_positives(&folder, runs);
        let found = cell(&data);
        assert_eq!((&found["relabelling"], &found["n"]), (&relabelling.into(), &n.into()));
        assert_eq!(found["methods"], serde_json::json!(["independent-clustered"]));
        assert_eq!((status, &found["outcome"]), (0, &"pass".into()), "{found}");
    }
}

#[test]
fn the_file_of_choices_and_the_cluster_hold_for_relabelled_samples_too() {
    let folder = Directory::new();
    let scores = |shift: u64| {
        let level = move |page: u64| (page * 17 + shift) % 41;
        table("id,page,wait", (0..320_u64).map(move |id| [id, id / 8, level(id / 8)]))
    };
    folder.write("a.csv", scores(0));
    folder.write("b.csv", scores(23));
    folder.write(
        "choices.toml",
        "cluster = \"page\"\nalpha = 0.1\n\n[[metric]]\nnames = [\"wait\"]\ndirection = \"lower\"\n",
    );
    let runs = ["a.csv", "b.csv"].map(|run| folder.word(run));
    let file = folder.word("choices.toml");
    let measured = |more: &[&str]| {
        let config = ["--config", file.as_str()];
        let (_, data) = selfcheck(
            ["--aa", &runs[0], &runs[1]].into_iter().chain(config).chain(more.iter().copied()),
        );
        data
    };
    let by_file = measured(&[]);
    assert_eq!((&by_file["alpha"], &cell(&by_file)["n"]), (&0.1.into(), &40.into()));
    assert_eq!(cell(&by_file)["unit"], "clusters");
    let by_flag = measured(&["--alpha", "0.02", "--cluster", "none"]);
    assert_eq!(by_flag["alpha"], 0.02);
    let waits = list(&by_flag, "cells");
    assert!(!waits.is_empty(), "{by_flag}");
    assert!(waits.iter().all(|cell| cell["unit"] == "pairs" && cell["n"] == 320), "{by_flag}");
    let [run, _] = &runs;
    let unknown = reportgen(["selfcheck", "--aa", run, "--cluster", "pgae"]);
    assert!(unknown.status == 2 && unknown.err.contains("`pgae`"), "{unknown:?}");
}

#[test]
fn inspect_counts_the_clusters_of_the_field_that_is_chosen() {
    let folder = Directory::new();
    folder.write("a.csv", table("id,page,accuracy", (0..12_u64).map(|id| [id, id / 3, id % 2])));
    let run = folder.word("a.csv");
    let shown = reportgen(["inspect", &run, "--lang", "en", "--cluster", "page"]);
    assert!(shown.out.contains("clusters: page (4)"), "{shown:?}");
    assert_eq!(reportgen(["inspect", &run, "--cluster", "pgae"]).status, 2);
}

#[test]
fn three_differing_pairs_cannot_reach_the_level_and_do_not_pass() {
    let folder = Directory::new();
    let scores = |right: [u8; 5]| {
        table("id,accuracy,note", (0..5).zip(right).map(|(id, right)| [id, right, 0]))
    };
    folder.write("a.csv", scores([0, 0, 1, 0, 1]));
    folder.write("b.csv", scores([1, 1, 0, 0, 1]));
    let (status, data) = false_positives(&folder, &["a.csv", "b.csv"]);
    let cell = accuracy(&data);
    // Three of five pairs differ; in a study all five drawn ones may: 2/2^5.
    assert_eq!((&cell["attainable_p"], &cell["p_below_alpha"]), (&0.0625.into(), &0.0.into()));
    assert_eq!((status, &cell["outcome"]), (3, &"out-of-reach".into()), "{cell}");
}

#[test]
fn samples_that_cannot_be_paired_are_given_out_anew() {
    let folder = Directory::new();
    let scores = |first: u64| {
        table(
            "id,accuracy,note",
            (first..first + 400).map(|id| [id, u64::from(id * 7 % 10 < 4), 0]),
        )
    };
    folder.write("a.csv", scores(0));
    folder.write("b.csv", scores(1_000));
    let (_, data) = false_positives(&folder, &["a.csv", "b.csv"]);
    let cell = accuracy(&data);
    assert_eq!((&cell["relabelling"], &cell["n"]), (&"redrawn-samples".into(), &800.into()));
    assert_eq!(cell["methods"], serde_json::json!(["independent-binary"]));
}

#[test]
fn a_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let bytes = |threads: &str, seed: &str| {
        let run = program()
            .args(["selfcheck", "--aa", "fixtures/phases/phase0", "--replicates", "64"])
            .args(["--format", "json", "--seed", seed])
            .env("RAYON_NUM_THREADS", threads)
            .output();
        run.expect("the program runs").stdout
    };
    let one = bytes("1", "7");
    assert!(!one.is_empty());
    assert_eq!(one, bytes("8", "7"));
    assert_ne!(one, bytes("8", "8"));
}
