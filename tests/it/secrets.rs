//! Credentials that runs record, and what is shown of them.

use serde_json::json;

use crate::command::{compared, reportgen};
use crate::directory::Directory;
use crate::report::list;

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

fn write_run(directory: &Directory, run: &str, arm: usize) {
    let [key, hub, password, header, flag, word, argument, known] =
        SECRETS.map(|secret| format!("{secret}{arm}"));
    let text = format!(
        "lr: {arm}\napi_key: {key}\nhub: {{access_token: {hub}}}\npassword: {password}\n\
         headers:\n  Authorization: Bearer {header}\n\
         settings: serve --api-key={flag} --port 80{arm}\n\
         words: [serve, --api-key, {word}]\nnotes_of_somebody: see {known}\n"
    );
    directory.write(format!("{run}/config.yaml"), &text);
    let results = json!({
        "results": { "arc": { "acc,none": 0.5, "acc_stderr,none": 0.02 } },
        "versions": { "arc": 1 },
        "config": { "model_args": format!("pretrained=m,token={argument}") },
    });
    directory.write(format!("{run}/results_2024.json"), results.to_string());
}

#[test]
fn credentials_reach_no_output_of_any_format() {
    let directory = Directory::new();
    write_run(&directory, "one", 0);
    write_run(&directory, "two", 1);
    let [one, two, target] = ["one", "two", "out"].map(|name| directory.word(name));
    let [one, two, target] = [&one, &two, &target].map(String::as_str);
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
    for format in formats.split(',') {
        let file = format!("out/report.{format}");
        said.push((file.clone(), directory.read(file)));
    }
    for (place, text) in &said {
        for secret in SECRETS {
            assert!(!text.contains(secret), "{secret} in {place}:\n{text}");
        }
    }
    assert!(said.iter().any(|(_, text)| text.contains("--api-key=•••")), "the rest is shown");
    for secret in SECRETS {
        let files = ["one/config.yaml", "one/results_2024.json"].map(|file| directory.read(file));
        assert!(files.concat().contains(secret), "{secret} stands in no file of a run");
    }
}

#[test]
fn runs_that_differ_in_credentials_alone_are_as_declared() {
    let directory = Directory::new();
    for (arm, run) in ["one", "two"].iter().enumerate() {
        let text = format!("lr: {arm}\napi_key: key{arm}\ncommand_line: serve --token=t{arm}\n");
        directory.write(format!("{run}/config.yaml"), &text);
        directory.write(format!("{run}/metrics.json"), json!({ "accuracy": 0.5 }).to_string());
    }
    let report = compared(&["one", "two"].map(|run| directory.word(run)), &[]);
    assert_eq!(report["comparability"]["grade"], "as-declared");
    let residue = list(&report["comparability"], "residue");
    let key = residue.iter().find(|one| one["key"] == "api_key").expect("the key differs");
    assert_eq!([&key["baseline"], &key["candidate"]], ["•••", "•••"]);
    assert_eq!(key["can_move_metric"], false);
}
