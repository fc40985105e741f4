//! Credentials that runs record, and what is shown of them.

use std::fs;
use std::path::Path;

use serde_json::json;
use tempfile::TempDir;
use walkdir::WalkDir;

use crate::command::{reportgen, write_file};

/// Each of these stands in a file of a run, and nowhere in what is written about it.
const SECRETS: [&str; 8] = [
    "value-of-api-key",
    "value-of-hub-token",
    "value-of-password",
    "value-of-header",
    "value-of-flag",
    "value-of-word",
    "value-of-argument",
    "hf_aB3dE6gH9jK2mN5pQ8sT1vW4xY7z",
];

fn write_run(run: &Path, arm: usize) {
    let [key, hub, password, header, flag, word, argument, known] =
        SECRETS.map(|secret| format!("{secret}{arm}"));
    let text = format!(
        "lr: {arm}\napi_key: {key}\nhub: {{access_token: {hub}}}\npassword: {password}\n\
         headers:\n  Authorization: Bearer {header}\n\
         settings: serve --api-key={flag} --port 80{arm}\n\
         words: [serve, --api-key, {word}]\nnotes_of_somebody: see {known}\n"
    );
    write_file(&run.join("config.yaml"), &text);
    let results = json!({
        "results": { "arc": { "acc,none": 0.5, "acc_stderr,none": 0.02 } },
        "versions": { "arc": 1 },
        "config": { "model_args": format!("pretrained=m,token={argument}") },
    });
    write_file(&run.join("results_2024.json"), results.to_string());
}

#[test]
fn credentials_reach_no_output_of_any_format() {
    let directory = TempDir::new().expect("a directory");
    let [one, two, out] = ["one", "two", "out"].map(|name| directory.path().join(name));
    write_run(&one, 0);
    write_run(&two, 1);
    let [one, two, target] = [&one, &two, &out].map(|path| path.to_str().expect("UTF-8"));
    let formats = "md,html,json,csv";
    let mut said = Vec::new();
    for arguments in [
        vec!["compare", one, two, "--vary", "api_key", "-o", target, "--format", formats],
        vec!["compare", one, two, "--vary", "lr"],
        vec!["compare", one, two, "--lang", "zh"],
        vec!["check", one, two],
        vec!["inspect", one, two],
        vec!["inspect", one, "--format", "json"],
    ] {
        let ended = reportgen(&arguments);
        said.push((arguments.join(" "), format!("{}{}", ended.out, ended.err)));
    }
    for file in WalkDir::new(&out).into_iter().map(|entry| entry.expect("readable")) {
        if file.file_type().is_file() {
            let text = fs::read(file.path()).expect("readable");
            let text = String::from_utf8_lossy(&text).into_owned();
            said.push((file.path().display().to_string(), text));
        }
    }
    assert_eq!(said.len(), 6 + 4, "every format is written");
    for (place, text) in &said {
        for secret in SECRETS {
            assert!(!text.contains(secret), "{secret} in {place}:\n{text}");
        }
    }
    assert!(said.iter().any(|(_, text)| text.contains("--api-key=•••")), "the rest is shown");
}

#[test]
fn runs_that_differ_in_credentials_alone_are_as_declared() {
    let directory = TempDir::new().expect("a directory");
    let runs = ["one", "two"].map(|name| directory.path().join(name));
    for (arm, run) in runs.iter().enumerate() {
        let text = format!("lr: {arm}\napi_key: key{arm}\ncommand_line: serve --token=t{arm}\n");
        write_file(&run.join("config.yaml"), &text);
        write_file(&run.join("metrics.json"), json!({ "accuracy": 0.5 }).to_string());
    }
    let [one, two] = runs.each_ref().map(|path| path.to_str().expect("UTF-8"));
    let ended = reportgen(["compare", one, two, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&ended.out).expect("JSON");
    assert_eq!(report["comparability"]["grade"], "as declared");
    let residue = report["comparability"]["residue"].as_array().expect("residue");
    let key = residue.iter().find(|one| one["key"] == "api_key").expect("the key differs");
    assert_eq!([&key["baseline"], &key["candidate"]], ["•••", "•••"]);
    assert_eq!(key["can_move_metric"], false);
}
