//! Three or more arms together: over the samples and over the datasets that all of them share.

use serde_json::{Value, json};

use crate::command::compared;
use crate::directory::Directory;
use crate::report::{list, number};

fn shipped(folder: &str, arms: &[&str]) -> Value {
    let paths: Vec<String> =
        arms.iter().map(|arm| format!("fixtures/published/{folder}/{arm}")).collect();
    compared(&paths, &[])["systems"].clone()
}

/// Runs of one file each, named `a`, `b` and `c`.
fn made(files: &[&str]) -> Value {
    let names = &["a", "b", "c"][..files.len()];
    let directory =
        Directory::of(names.iter().map(|name| format!("{name}/quiz.csv")).zip(files.iter()));
    let runs: Vec<String> = names.iter().map(|name| directory.word(name)).collect();
    compared(&runs, &[])["systems"].clone()
}

/// Demšar (2006), table 6 and §3.2.2: mean ranks 3.143, 2.000, 2.893, 1.964; χ² 9.28; F 3.69;
/// critical difference 1.25.
#[test]
fn four_classifiers_on_fourteen_datasets_rank_as_published() {
    let systems = shipped("demsar_2006", &["c4.5", "c4.5+m", "c4.5+cf", "c4.5+m+cf"]);
    let found = &systems["over_datasets"][0];
    assert_eq!((list(found, "datasets").len(), list(found, "arms").len()), (14, 4));
    let published = [("c4.5", 3.143), ("c4.5+m", 2.0), ("c4.5+cf", 2.893), ("c4.5+m+cf", 1.964)];
    for (arm, (name, rank)) in list(found, "arms").iter().zip(published) {
        assert_eq!(arm["run"], name);
        assert!((number(&arm["mean_rank"]) - rank).abs() < 5e-4, "{arm}");
    }
    for (key, published, digits) in
        [("friedman", 9.28, 5e-3), ("f", 3.69, 5e-3), ("critical_difference", 1.25, 5e-3)]
    {
        assert!((number(&found[key]) - published).abs() < digits, "{key}: {}", found[key]);
    }
    assert_eq!(found["f_df"], json!([3.0, 39.0]));
}

/// The data of Bowyer et al. (2025). Q by statsmodels 0.15.0; of the 36 exact McNemar tests (scipy
/// 1.17.1) 22 are below 0.05, and 10 after Holm's adjustment (statsmodels).
#[test]
fn nine_models_on_twenty_tasks_are_told_apart_as_often_as_exact_tests_do() {
    let arms = [
        "claude-2.1",
        "mixtral-8x7b-instruct",
        "mistral-7b-instruct",
        "gpt-3.5-turbo-0613",
        "gpt-3.5-turbo-1106",
        "gpt-4-0613",
        "gpt-4-1106-preview",
        "llama-v2-13b-chat",
        "llama-v2-70b-chat",
    ];
    let found = &shipped("tool_use", &arms)["on_samples"][0];
    assert_eq!((&found["n"], &found["omnibus"]["df"]), (&20.into(), &8.0.into()));
    assert!((number(&found["omnibus"]["statistic"]) - 82.667).abs() < 5e-4);
    let pairs = list(found, "pairs");
    let below = |key: &str| pairs.iter().filter(|pair| number(&pair[key]) < 0.05).count();
    assert_eq!((pairs.len(), below("p"), below("p_adjusted")), (36, 22, 10));
    let p_max_t = |arm: usize| number(&found["arms"][arm]["p_max_t"]);
    assert_eq!(found["arms"][0]["p_max_t"], Value::Null);
    assert!(p_max_t(7) < 0.001 && p_max_t(6) > 0.05, "{}", found["arms"]);
}

const FIRST: &str = "id,accuracy\n1,1\n2,0\n3,1\n4,0\n5,1\n6,0\n";
const SECOND: &str = "id,accuracy\n1,1\n2,1\n3,1\n4,0\n5,1\n6,1\n";

#[test]
fn only_samples_with_a_score_in_every_arm_count() {
    let third = "id,accuracy\n1,0\n2,0\n3,1\n4,0\n5,1\n6,\n";
    let systems = made(&[FIRST, SECOND, third]);
    let blocked = "a sixth of the samples is missing: the third arm is blocked";
    assert_eq!(list(&systems, "on_samples"), [Value::Null; 0], "{blocked}");
    let third = "id,accuracy\n1,0\n2,0\n3,1\n4,0\n5,1\n6,0\n";
    let found = &made(&[FIRST, SECOND, third])["on_samples"][0];
    assert_eq!(found["n"], 6);
    assert_eq!(list(found, "pairs").len(), 3);
}

#[test]
fn two_arms_are_no_systems_and_clusters_have_no_test_of_single_samples() {
    let empty = json!({"on_samples": [], "over_datasets": []});
    assert_eq!(made(&[FIRST, SECOND]), empty);
    let clustered = |scores: [u8; 6]| {
        let rows = scores.iter().enumerate();
        let rows = rows.map(|(id, score)| format!("{id},{score},p{}\n", id / 2));
        std::iter::once("id,accuracy,passage_id\n".to_owned()).chain(rows).collect::<String>()
    };
    let files = [[1, 0, 1, 0, 1, 0], [1, 1, 1, 0, 1, 1], [0, 0, 1, 0, 1, 0]].map(clustered);
    let files = files.each_ref().map(String::as_str);
    let found = &made(&files)["on_samples"][0];
    assert_eq!((&found["clusters"], &found["omnibus"]), (&3.into(), &Value::Null));
    let p: Vec<&Value> = list(found, "pairs").iter().map(|pair| &pair["p"]).collect();
    assert_eq!(p, [&Value::Null; 3]);
}

#[test]
fn a_copy_of_a_dataset_ranks_the_arms_once() {
    let dataset = |arm: usize, questions: &str| {
        let right = |i: usize| u8::from((i * 7 + arm * 3) % 10 < 4 + arm);
        let row = |i| format!("{i},{},What is {i} {questions}?\n", right(i));
        format!("id,accuracy,prompt\n{}", (0..40).map(row).collect::<String>())
    };
    let ranked = |names: [(&str, &str); 6]| -> Vec<Value> {
        let files = ["a", "b", "c"].into_iter().enumerate().flat_map(|(arm, run)| {
            names.map(|(name, questions)| (format!("{run}/{name}.csv"), dataset(arm, questions)))
        });
        let directory = Directory::of(files);
        let runs = ["a", "b", "c"].map(|run| directory.word(run));
        let report = compared(&runs, &[]);
        let found = list(&report["systems"], "over_datasets").iter();
        found.flat_map(|found| list(found, "datasets").to_vec()).collect()
    };
    let own =
        [("p", "plus 1"), ("q", "squared"), ("r", "cubed"), ("s", "halved"), ("t", "doubled")];
    let [p, q, r, s, t] = own;
    assert_eq!(ranked([p, q, r, s, t, ("u", "tripled")]).len(), 6);
    assert_eq!(ranked([p, q, r, s, t, ("u", "halved")]).len(), 5);
    assert_eq!(ranked([p, q, r, s, ("t", "halved"), ("u", "halved")]).len(), 0);
}
