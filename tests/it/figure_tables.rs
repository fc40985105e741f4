//! Tables of figures as people keep them: what their columns mean, in CSV, JSON and Markdown.

use crate::command::compare;
use crate::directory::Directory;

/// What is said, on either stream, of a comparison of these files (names and contents) with those words.
fn told(files: &[(&str, &str)], more: &[&str]) -> String {
    let directory = Directory::of(files.iter().copied());
    let runs: Vec<String> = files.iter().map(|(name, _)| directory.word(name)).collect();
    let ended = compare(&runs, more);
    ended.err + &ended.out
}

/// A comparison of these files says every text of `said` and none of `unsaid`.
fn check(files: &[(&str, &str)], more: &[&str], said: &[&str], unsaid: &[&str]) {
    let told = told(files, more);
    for text in said {
        assert!(told.contains(text), "{files:?} without {text}:\n{told}");
    }
    for text in unsaid {
        assert!(!told.contains(text), "{files:?} with {text}:\n{told}");
    }
}

#[test]
fn figures_without_a_percent_sign_beside_some_with_one_may_be_shares() {
    let across = ["--across", "model"];
    for mixed in ["61.2%,gsm8k\nB,0.661", "0.612,gsm8k\nB,66.1%"] {
        let table = format!("model,accuracy,dataset\nA,{mixed},gsm8k\n");
        check(&[("t.csv", &table)], &across, &["R227"], &["0.66%", "0.61%"]);
    }
    for clear in ["61.2%,gsm8k\nB,0.9%", "61.2%,gsm8k\nB,66.1", "0.612,gsm8k\nB,0.661"] {
        let table = format!("model,accuracy,dataset\nA,{clear},gsm8k\n");
        check(&[("t.csv", &table)], &across, &["accuracy"], &["R227"]);
    }
}

#[test]
fn a_size_may_be_written_with_commas_between_thousands() {
    let table = |n: &str| format!("model,accuracy,n\nA,0.612,{n}\nB,0.661,{n}\n");
    let across = ["--across", "model"];
    check(&[("t.csv", &table("\"1,319\""))], &across, &["1,319", "95% CI"], &["no sample count"]);
    check(&[("t.csv", &table("\"1,31\""))], &across, &["no sample count"], &["95% CI +"]);
}

#[test]
fn a_list_of_records_of_figures_is_the_table_that_it_would_be_in_csv() {
    let of = |acc: &str| format!(r#"[{{"task": "gsm8k", "acc": {acc}, "n": 1319}}]"#);
    check(
        &[("a.json", &of("0.6")), ("b.json", &of("0.66"))],
        &[],
        &["+6.0 pp", "gsm8k"],
        &["R122"],
    );
    check(&[("a_metrics.json", &of("0.6")), ("b.json", &of("0.66"))], &[], &["+6.0 pp"], &["R113"]);
    let runs = r#"[{"run": "a", "accuracy": 0.6}, {"run": "b", "accuracy": 0.66}]"#;
    check(&[("t.json", runs)], &["--across", "run"], &["+6.0 pp"], &["R113"]);
    check(&[("t.csv", "run,accuracy\n1,0.6\n2,0.66\n")], &["--across", "run"], &["+6.0 pp"], &[]);
    let tasks = r#"[{"task": "build", "seconds": 3}]"#;
    check(&[("a.json", tasks), ("b.json", tasks)], &[], &["R122"], &[" pp"]);
}

#[test]
fn a_number_of_samples_that_is_one_for_each_dataset_is_the_size_and_no_coordinate() {
    let table =
        |n: &str, acc: &str| format!("dataset,samples,accuracy\ngsm8k,{n},{acc}\nm,500,0.4\n");
    let files = [("a.csv", &*table("1319", "0.6")), ("b.csv", &*table("1310", "0.66"))];
    check(&files, &[], &["+6.0 pp"], &["missing", "samples="]);
    let grid = "dataset,samples,accuracy\ngsm8k,100,0.4\ngsm8k,200,0.6\n";
    let later = "dataset,samples,accuracy\ngsm8k,200,0.66\n";
    check(&[("a.csv", grid), ("b.csv", later)], &[], &["samples=200", "+6.0 pp", "missing"], &[]);
}

#[test]
fn a_json_file_that_is_the_run_may_have_any_name() {
    let of = |acc: &str| format!(r#"{{"accuracy": {{"gsm8k": {acc}}}}}"#);
    let files = [("base.json", &*of("0.6")), ("tuned.json", &*of("0.66"))];
    check(&files, &[], &["+6.0 pp", "gsm8k"], &["R122"]);
    let other = r#"{"widgets": 4}"#;
    let files = [("base.json", other), ("tuned.json", other)];
    check(&files, &[], &["R122", "_metrics.json"], &[]);
    let (a, b) = ("a/base.json", "b/base.json");
    let directory = Directory::of([(a, of("0.6")), (b, of("0.66"))]);
    let ended = compare(&[directory.word("a"), directory.word("b")], &[]);
    assert!(ended.err.contains("R122"), "a file of a directory needs its name: {}", ended.err);
}

#[test]
fn the_model_may_be_named_in_chinese() {
    let table =
        |model: &str, acc: &str| format!("模型,数据集,准确率,n\n{model},gsm8k,{acc},1319\n");
    let files = [("a.csv", &*table("基线", "0.6")), ("b.csv", &*table("微调", "0.66"))];
    check(&files, &[], &["+6.0 pp", "taken to be model"], &["R219", "模型="]);
    let both = "模型,数据集,准确率\n基线,gsm8k,0.6\n微调,gsm8k,0.66\n";
    check(&[("t.csv", both)], &["--across", "模型"], &["+6.0 pp"], &[]);
}

#[test]
fn a_table_in_a_document_with_a_column_for_each_dataset_is_told_how_to_be_written() {
    let wide = "| model | gsm8k | math |\n|--|--|--|\n| A | 0.6 | 0.4 |\n";
    check(&[("a.md", wide), ("b.md", wide)], &[], &["model,dataset,accuracy,n"], &[]);
}

#[test]
fn a_row_for_each_model_and_a_column_for_each_dataset_are_results() {
    let across = ["--across", "model", "--higher", "score"];
    let table = "model,gsm8k,math\nbase,51.2,20.1\ntuned,55.0,24.0\n";
    check(&[("t.csv", table)], &across, &["| score (gsm8k) | 51.2 | 55 | +3.8 |"], &["R122"]);
    let sized = "model,gsm8k,math,n\nbase,51.2,20.1,1000\ntuned,55.0,24.0,1000\n";
    check(&[("t.csv", sized)], &across, &["| score (gsm8k) | 51.2 | 55 | +3.8 |"], &["score (n)"]);
    let records = r#"[{"model": "base", "gsm8k": 51.2, "math": 20.1}, {"model": "tuned", "gsm8k": 55, "math": 24}]"#;
    check(&[("t.json", records)], &across, &["| score (gsm8k) | 51.2 | 55 | +3.8 |"], &["R122"]);
    let of_questions = "model,q1,q2\nbase,0,1\ntuned,1,1\n";
    check(&[("t.csv", of_questions)], &across, &["has a column `model`"], &["+1"]);
    let remarks = "model,license,note\nbase,mit,x\ntuned,mit,y\n";
    check(&[("t.csv", remarks)], &across, &["has a column `model`"], &["At a glance"]);
}
