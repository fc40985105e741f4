//! What becomes of the gates where both arms hold something that could not be read or contradicts itself.

use crate::gates::{compare, equal_runs, outcomes};

/// Names and contents.
type Files = &'static [(&'static str, &'static str)];

const ALL: [&str; 3] = ["not-gateable"; 3];
const NONE: [&str; 3] = ["pass"; 3];
const OF_SCORES: [&str; 3] = ["pass", "not-gateable", "not-gateable"];
const OF_SETTINGS: [&str; 3] = ["not-gateable", "pass", "pass"];
const OF_FIGURES: [&str; 3] = ["pass", "pass", "not-gateable"];

/// Files that lie in both arms alike, the code that is found of them, and what becomes of the gates
/// `mismatch`, `missing` and `regression`.
const DOUBTFUL: &[(&str, Files, [&str; 3])] = &[
    ("R110", &[("metrics.json", "{\"math\": {\"accuracy\": \"57 or so\"}}")], OF_SCORES),
    (
        "R110",
        &[("samples_math.jsonl", "{\"id\": 1, \"note\": \"x\"}\n{\"id\": 2, \"note\": \"y\"}\n")],
        OF_SCORES,
    ),
    ("R122", &[("math.jsonl", "{\"id\": 1, \"acc\": \"who\"}\n{\"id\": 2, \"acc\": {}}\n")], ALL),
    (
        "R110",
        &[
            ("math.jsonl", "{\"id\": 1, \"acc\": 1, \"bleu\": [\"a\", \"b\"]}\n"),
            ("metrics.json", "{\"bleu\": 30, \"n\": 1}"),
        ],
        NONE,
    ),
    ("R113", &[("metrics.json", "{\"note\": \"later\"}")], OF_SCORES),
    ("R113", &[("metrics.json", "{}")], NONE),
    ("R113", &[("train_metrics.csv", "step,loss\n")], NONE),
    ("R122", &[("results.json", "{\"evalId\": 1, \"results\": 2, \"prompts\": 3}")], ALL),
    ("R122", &[("numbers.json", "{\"accuracy\": 0.5, \"n\": 100}")], ALL),
    ("R122", &[("numbers.json", "{\"seconds\": 0.5}")], NONE),
    ("R122", &[("old.json", "{\"schema\": \"reportgen.report/2\", \"mine\": 1}")], ALL),
    ("R122", &[("list.json", "[{\"note\": 1}]")], NONE),
    ("R122", &[("train.jsonl", "{\"id\": 1, \"question\": \"x\"}\n")], NONE),
    ("R123", &[("more/config.yaml", "judge: gpt-9\n")], OF_SETTINGS),
    ("R123", &[("x/config.yaml", "wait: 1\n"), ("y/config.yaml", "wait: 2\n")], NONE),
    ("R112", &[("config.yaml", "judge: a\njudge: b\nnum_fewshot: 0\n")], OF_SETTINGS),
    (
        "R112",
        &[("math.jsonl", "{\"id\": 1, \"acc\": 1, \"question\": 1, \"question\": 2}\n")],
        OF_FIGURES,
    ),
    ("R112", &[("config.yaml", "judge: a\nwait: 1\nwait: 2\n")], NONE),
    ("R112", &[("config.yaml", "judge: a\ntemperature: 1\ntemperature: 0\n")], OF_SETTINGS),
    ("R103", &[("failures.jsonl", "{\"id\": 1, \"acc\": 0}\n{\"id\": 2, \"ac")], ALL),
    (
        "R118",
        &[
            ("metrics.json", "{\"math\": {\"f1\": 0.5, \"n\": 90}}"),
            ("x_metrics.json", "{\"math\": {\"f1\": 0.1, \"n\": 90}}"),
        ],
        OF_FIGURES,
    ),
    ("R112", &[("math_metrics.json", "{\"f1\": 0.1, \"n\": 90, \"f1\": 0.5}")], OF_FIGURES),
    (
        "R112",
        &[("math_metrics.json", "{\"f1\": {\"value\": 0.1, \"value\": 0.5}, \"n\": 90}")],
        OF_FIGURES,
    ),
    ("R112", &[("status.json", "{\"status\": \"failed\", \"status\": \"success\"}")], OF_FIGURES),
    ("R122", &[("metrics.jsonl", "{\"accuracy\": 0.6, \"n\": 500}\n")], ALL),
    ("R221", &[("metrics.csv", "metric,value\naccuracy,0.5\n")], OF_FIGURES),
    ("R221", &[("metrics.json", "{\"accuracy\": 0.5, \"n\": 3}")], OF_FIGURES),
    ("R153", &[("math.csv", "id,acc,acc\n1,1,0\n2,0,0\n")], OF_FIGURES),
    ("R112", &[("math.csv", "id,acc,acc\n1,1,1\n2,0,0\n")], OF_FIGURES),
    ("R153", &[("math.jsonl", "{\"id\": 1, \"acc\": 0, \"scores\": {\"acc\": 1}}\n")], OF_FIGURES),
    ("R122", &[("math.jsonl", "{\"id\": 1, \"ac")], ALL),
    // Files that end within their last figure.
    (
        "R103",
        &[("math.md", "| task | accuracy | n |\n|---|---|---|\n| a | 0.5 | 10 |\n| b | 0.")],
        ALL,
    ),
    ("R103", &[("more_results.csv", "dataset,acc,n\nmath,0.5,10\narc,0.5,")], ALL),
    ("R103", &[("more_results.csv", "dataset,acc\nmath,0.5\narc,0.")], ALL),
    ("R102", &[("math_metrics.yaml", "f1: 0.5\nbleu: 0.")], ALL),
    ("R158", &[("math_metrics.json", "{\"f1\": -0.1, \"n\": 90}")], OF_FIGURES),
    // One name, written with the signs between its parts and without.
    (
        "R118",
        &[("metrics.json", "{\"math\": {\"f1\": 0.5, \"n\": 90}, \"math/f1\": 0.3}")],
        OF_FIGURES,
    ),
    (
        "R118",
        &[("metrics.json", "{\"math\": {\"f1\": 0.5, \"n\": 90}, \"f1/math\": 0.3}")],
        OF_FIGURES,
    ),
    ("R112", &[("config.yaml", "gen:\n  temperature: 0\ngen.temperature: 1\n")], OF_SETTINGS),
    (
        "R112",
        &[("config.json", "{\"gen\": {\"top_p\": {\"value\": 1}}, \"gen.top_p.value\": 0.9}")],
        OF_SETTINGS,
    ),
    ("R102", &[("config.yaml", "judge: gpt-4\nnum_fewshot: 0\ntemperature: 0.")], ALL),
    // Results by their names, in shapes that no reader takes.
    ("R122", &[("math.json", "{\"id\": [\"a\"], \"correct\": [1]}")], ALL),
    ("R122", &[("math.json", "[[\"accuracy\", 0.5], [\"f1\", 0.5]]")], ALL),
    (
        "R122",
        &[("math.json", "{\"runs\": [{\"task\": \"x\", \"all\": {\"accuracy\": 0.1}}]}")],
        ALL,
    ),
    ("R122", &[("math.jsonl", "[\"id\", \"acc\"]\n[\"a\", 1]\n")], ALL),
    ("R122", &[("math.csv", "# run 1\n\nid,acc\na,1\n")], ALL),
    ("R122", &[("math.json", "{\"best\": \"accuracy\", \"scorers\": [\"accuracy\"]}")], NONE),
    ("R122", &[("math.jsonl.xz", "\u{fd}7zXZ")], ALL),
    ("R113", &[("math.md", "| task | accuracy |\n|---|---|\n| a | 0.5 → 0.4 |\n")], OF_SCORES),
    ("R113", &[("math.md", "| task | accuracy |\n|---|---|\n| a | later |\n")], NONE),
    // A quote that nobody meant.
    ("R102", &[("math.csv", "id,acc,note\nq1,1,\"a\nq2,1,b\nq3,0,c\nq4,1,d\nq5,1,e\"\n")], ALL),
    ("R103", &[("math.csv", "id,acc,note\n1,1,fine\n2,0,\"not fi")], ALL),
    ("R103", &[("more_results.csv", "dataset,acc,n\nmath,0.5,10\n\"arc")], ALL),
];

#[test]
fn gates_close_for_what_was_not_read_or_contradicts_itself_in_what_they_ask_and_for_nothing_else() {
    for (code, files, expected) in DOUBTFUL {
        let runs = equal_runs();
        for (arm, (name, content)) in
            ["a", "b"].iter().flat_map(|arm| files.iter().map(move |file| (arm, file)))
        {
            runs.write(format!("{arm}/{name}"), content);
        }
        let ended = compare(&runs, &[]);
        let case = format!("{code} {files:?}");
        assert!(ended.err.contains(&format!("[{code}]")), "{case}: {}", ended.err);
        let found = outcomes(&ended);
        for (gate, expected) in ["mismatch", "missing", "regression"].iter().zip(expected) {
            // Figures of equal runs without samples are no proof of anything.
            let is_open = *expected == "pass" && found[*gate] == "inconclusive";
            assert!(found[*gate] == *expected || is_open, "{case} {gate}: {found:?} {}", ended.err);
        }
        // Columns of one name are told as such too.
        let accepted = compare(&runs, &["--accept", code, "--accept", "R112"]);
        let is_closed = outcomes(&accepted).values().any(|one| one == "not-gateable");
        assert!(!is_closed, "{case}: {}", accepted.err);
    }
}
