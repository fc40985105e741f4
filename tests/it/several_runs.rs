//! Several runs whose records stand in one file: told apart, named, compared, and never averaged
//! unasked.

use std::fmt::Write as _;
use std::slice::from_ref;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::cases::tests;
use crate::command::{Ended, compare, json as report_of, reportgen};
use crate::directory::Directory;
use crate::parquet_file::{Written, plainly_written};
use crate::report::{cell, comparisons, list, told};

/// Records with a column that may tell runs apart: one for each problem, value and answer.
struct Table {
    records: Vec<Value>,
}

impl Table {
    /// `answers` records for each of `n` problems and each value, right where `right` says so.
    fn of(
        (column, values): (&str, &[Value]),
        (n, answers): (usize, usize),
        right: impl Fn(usize, usize, usize) -> bool,
    ) -> Self {
        let mut records = Vec::new();
        for problem in 0..n {
            for (at, value) in values.iter().enumerate() {
                for answer in 0..answers {
                    let correct = right(problem, at, answer);
                    let mut record = json!({ "id": problem, "correct": u8::from(correct) });
                    record[column] = value.clone();
                    records.push(record);
                }
            }
        }
        Self { records }
    }

    fn with(mut self, column: &str, value: impl Fn(usize) -> Value) -> Self {
        for (at, record) in self.records.iter_mut().enumerate() {
            record[column] = value(at);
        }
        self
    }

    /// The records of one value, without the column.
    fn only(&self, column: &str, value: &Value) -> Self {
        let own = self.records.iter().filter(|record| record[column] == *value);
        Self { records: own.cloned().collect() }
    }

    fn lines(&self) -> String {
        self.records.iter().map(|record| record.to_string() + "\n").collect()
    }

    fn list(&self) -> String {
        Value::from(self.records.clone()).to_string()
    }

    fn csv(&self) -> String {
        let names: Vec<&String> = self.records[0].as_object().expect("an object").keys().collect();
        let header: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
        let mut text = header.join(",") + "\n";
        for record in &self.records {
            let cells = names.iter().map(|name| match &record[name.as_str()] {
                Value::String(cell) => cell.clone(),
                cell => cell.to_string(),
            });
            writeln!(text, "{}", cells.collect::<Vec<_>>().join(",")).expect("writes");
        }
        text
    }

    fn parquet(&self) -> Vec<u8> {
        let names = self.records[0].as_object().expect("an object").keys();
        let columns = names.map(|name| {
            let cells = || self.records.iter().map(|record| &record[name.as_str()]);
            let written = if cells().all(Value::is_i64) {
                Written::Whole(cells().map(Value::as_i64).collect())
            } else if cells().all(Value::is_number) {
                Written::Real(cells().map(Value::as_f64).collect())
            } else {
                let texts = cells().map(|cell| cell.as_str().map(str::to_owned));
                Written::Text(texts.collect())
            };
            (name.as_str(), written)
        });
        plainly_written(&columns.collect::<Vec<_>>())
    }

    /// Writes the records in the format that the name says.
    fn write(&self, directory: &Directory, name: &str) -> String {
        let content = match name.rsplit_once('.').expect("an extension").1 {
            "jsonl" => self.lines().into_bytes(),
            "json" => self.list().into_bytes(),
            "csv" => self.csv().into_bytes(),
            _ => self.parquet(),
        };
        directory.write(name, content);
        directory.word(name)
    }
}

fn words(values: &[&str]) -> Vec<Value> {
    values.iter().map(|&value| json!(value)).collect()
}

/// Of 60 problems each value answers another third wrong, and each answer some more.
fn plain(problem: usize, at: usize, answer: usize) -> bool {
    !(problem + at).is_multiple_of(3) && !(problem + 7 * answer).is_multiple_of(5)
}

fn models() -> Table {
    Table::of(("model", &words(&["base", "tuned"])), (60, 1), plain)
}

/// What a report says of each result, without the names of runs and files.
fn figures(report: &Value) -> Vec<Value> {
    let told = |one: &Value| {
        let keys = ["metric", "dataset", "delta", "test", "verdict", "reason", "flips", "notes"];
        let of_arm = |arm: &str| json!([one[arm]["value"], one[arm]["n"], one[arm]["ci"]]);
        let own: Vec<&Value> = keys.iter().map(|key| &one[*key]).collect();
        json!([own, of_arm("baseline"), of_arm("candidate"), one["pairing"], one["mde"]])
    };
    comparisons(report).iter().map(told).collect()
}

fn compared(runs: &[String], more: &[&str]) -> Value {
    let ended = compare(runs, &[&["--format", "json"], more].concat());
    assert!(ended.status < 2, "{ended:?}");
    report_of(&ended)
}

/// Values of a column that may tell runs apart are refused as one run, with words of how to go on.
fn refused(column: &str, values: &[Value]) {
    let directory = Directory::new();
    let other = models().only("model", &json!("base")).write(&directory, "other.jsonl");
    for name in ["all.jsonl", "all.json", "all.csv", "all.parquet"] {
        let table = Table::of((column, values), (60, 1), plain);
        let all = table.write(&directory, name);
        let ended = compare(&[all.clone(), other.clone()], &[]);
        assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{ended:?}");
        let first = values[0].as_str().map_or_else(|| values[0].to_string(), str::to_owned);
        for expected in [format!("{all}::{column}={first}"), format!("--across {column}")] {
            assert!(ended.err.contains(&expected), "{expected}: {}", ended.err);
        }
        let pooled = compare(&[all, other.clone()], &["--pool", column]);
        assert_eq!(pooled.status, 0, "{pooled:?}");
    }
}

tests![
    models_are_runs = refused("model", &words(&["org/a:free", "b"])),
    models_by_id_are_runs = refused("model_id", &words(&["a", "b", "c"])),
    judges_are_runs = refused("judge", &words(&["gpt", "claude"])),
    versions_of_a_prompt_are_runs = refused("prompt_version", &[json!(1), json!(2)]),
    checkpoints_are_runs = refused("ckpt", &words(&["s1", "s2"])),
    folds_are_runs = refused("fold", &[json!(0), json!(1), json!(2)]),
    trainings_are_runs = refused("training_run", &words(&["r1", "r2"])),
    numbered_runs_are_runs = refused("run", &[json!(0), json!(1), json!(2)]),
    conditions_are_runs = refused("condition", &words(&["cot", "direct"])),
    arms_are_runs = refused("arm", &words(&["A", "B"])),
    some_questions_asked_of_each_model_in_two_turns = uneven(|at| if at < 12 { 2 } else { 1 }),
    four_answers_of_one_model_and_two_of_another = uneven(|at| if at % 2 == 0 { 4 } else { 2 }),
    a_model_that_answered_some_questions_alone = uneven(|at| usize::from(at % 2 == 0 || at < 40)),
    four_answers_of_each_model_are_runs_of_models = {
        let directory = Directory::new();
        let table = Table::of(("model", &words(&["a", "b"])), (60, 4), plain);
        let all = table.with("sample_index", |at| json!(at % 4)).write(&directory, "all.jsonl");
        let ended = compare(&[all.clone(), all], &[]);
        assert_eq!(ended.status, 2, "{ended:?}");
    },
];

/// Two models, with so many records for each of the pairs of 60 problems and a model, are two runs.
fn uneven(count: impl Fn(usize) -> usize) {
    let directory = Directory::new();
    let mut table = models();
    let records = table.records.iter().enumerate();
    table.records = records.flat_map(|(at, one)| vec![one.clone(); count(at)]).collect();
    for name in ["all.jsonl", "all.csv"] {
        let all = table.write(&directory, name);
        let ended = compare(&[all.clone(), all], &[]);
        assert!(ended.status == 2 && ended.err.contains("--across model"), "{ended:?}");
    }
}

/// A table that is one run, compared with itself over other answers: nothing is refused.
fn kept(table: impl Fn(usize) -> Table, code: &str) {
    let directory = Directory::new();
    for end in ["jsonl", "json", "csv", "parquet"] {
        let runs =
            [0, 1].map(|arm| table(arm).write(&directory, &format!("run-{arm}/answers.{end}")));
        let report = compared(&runs, &[]);
        assert!(told(&report).contains(code), "{end}: {}", told(&report));
        assert_eq!(report["comparability"]["candidates"][0]["grade"], "as-declared", "{end}");
    }
}

/// Four answers to each of 60 problems.
fn answers(arm: usize) -> Table {
    let right = |problem: usize, _, answer| plain(problem, arm, answer);
    Table::of(("judge", &words(&["gpt"])), (60, 4), right)
}

tests![
    answers_with_an_index_and_a_temperature_stay_answers = kept(
        |arm| {
            answers(arm)
                .with("sample_index", |at| json!(at % 4))
                .with("temperature", |at| json!(0.25 * (at % 4) as f64))
        },
        "R120"
    ),
    answers_that_one_of_two_models_gave_by_chance_stay_answers =
        kept(|arm| answers(arm).with("model", |at| json!(["a", "b"][at * 7 / 3 % 2])), "R120"),
    answers_of_which_one_in_thirty_came_from_a_fallback_stay_answers = kept(
        |arm| answers(arm).with("model", |at| json!(["a", "b"][usize::from(at % 31 == 0)])),
        "R120"
    ),
    answers_written_by_many_workers_stay_answers =
        kept(|arm| answers(arm).with("run_id", |at| json!(format!("w{}", at % 53))), "R120"),
    a_score_that_a_judge_gives_is_no_name_of_a_judge = kept(
        |arm| answers(arm).with("judge", |at| json!(f64::from(u8::from(at % 3 == 0)) + 0.5)),
        "R120"
    ),
    an_attempt_stays_an_answer =
        kept(|arm| answers(arm).with("repeat", |at| json!(at % 4)), "R120"),
];

#[test]
fn records_that_a_resumed_run_wrote_again_are_no_second_run() {
    let directory = Directory::new();
    let runs = [0, 1].map(|arm| {
        let right = |problem: usize, _, _| plain(problem, arm, 0);
        let table = Table::of(("run_id", &words(&["first"])), (60, 1), right);
        let mut table = table.with("run_id", |at| json!(if at < 30 { "first" } else { "second" }));
        let again: Vec<Value> = table.records[26..30].to_vec();
        table.records.extend(again.into_iter().map(|mut record| {
            record["run_id"] = json!("second");
            record
        }));
        table.write(&directory, &format!("run-{arm}.jsonl"))
    });
    assert!(told(&compared(&runs, &[])).contains("R104"));
}

#[test]
fn the_values_of_a_column_are_arms_in_the_order_of_the_file() {
    let directory = Directory::new();
    let table = Table::of(("model", &words(&["c", "org/a b:free", "b"])), (60, 1), plain);
    let all = [table.write(&directory, "run/all.csv"), directory.word("run")];
    let candidates = |report: &Value| -> Vec<String> {
        let all = list(&report["comparability"], "candidates").iter();
        all.map(|one| one["candidate"].as_str().expect("a name").to_owned()).collect()
    };
    for all in all {
        let report = compared(from_ref(&all), &["--across", "model"]);
        assert_eq!(candidates(&report), ["org/a b:free", "b"]);
        assert_eq!(report["comparability"]["candidates"][0]["grade"], "as-declared");
        let report = compared(&[all], &["--across", "model", "--baseline", "b"]);
        assert_eq!(candidates(&report), ["c", "org/a b:free"]);
    }
}

#[test]
fn any_column_may_be_named_though_its_name_is_not_listed() {
    let directory = Directory::new();
    let values = [json!(0.0), json!(0.7)];
    let table = Table::of(("temperature", &values), (60, 1), plain);
    for name in ["all.jsonl", "all.csv", "all.parquet"] {
        let all = table.write(&directory, name);
        let across = compared(from_ref(&all), &["--across", "temperature"]);
        let runs = ["0", "0.7"].map(|value| format!("{all}::temperature={value}"));
        let named = compared(&runs, &["--vary", "temperature"]);
        assert_eq!(figures(&across), figures(&named));
        assert_eq!(comparisons(&across).len(), 1, "{}", told(&across));
    }
}

#[test]
fn a_second_column_is_chosen_behind_the_first() {
    let directory = Directory::new();
    let table = Table::of(("model", &words(&["a", "b"])), (60, 2), plain);
    let table = table.with("judge", |at| json!(["gpt", "claude"][at % 2]));
    let all = table.write(&directory, "all.jsonl");
    let of = |model: &str, judge: &str| format!("{all}::model={model}::judge={judge}");
    let ended = compare(&[format!("{all}::model=a"), format!("{all}::model=b")], &[]);
    assert!(ended.err.contains("::model=a::judge=gpt"), "{ended:?}");
    let one = compared(&[of("a", "gpt"), of("b", "gpt")], &[]);
    let across = compared(&[format!("{all}::judge=gpt")], &["--across", "model"]);
    assert_eq!(figures(&one), figures(&across));
    let ended = compare(&[all], &["--across", "model"]);
    assert!(ended.status == 2 && ended.err.contains("judge"), "{ended:?}");
}

#[test]
fn what_is_not_there_is_refused_with_what_is() {
    let directory = Directory::new();
    let all = models().write(&directory, "all.csv");
    let said = |runs: &[String], more: &[&str]| -> String {
        let Ended { status, err, .. } = compare(runs, more);
        assert_eq!(status, 2, "{err}");
        err
    };
    let base = format!("{all}::model=base");
    let value = said(&[base.clone(), format!("{all}::model=tune")], &[]);
    assert!(value.contains("did you mean `tuned`?") && value.contains("base, tuned"), "{value}");
    let column = said(&[base.clone(), format!("{all}::models=base")], &[]);
    assert!(column.contains("did you mean `model`?"), "{column}");
    let baseline = said(from_ref(&all), &["--across", "model", "--baseline", "bse"]);
    assert!(baseline.contains("did you mean `base`?"), "{baseline}");
    let constant = said(from_ref(&base), &["--across", "model"]);
    assert!(constant.contains("the same in all of"), "{constant}");
    assert!(said(&[base, all], &["--across", "model"]).contains("no other run"));
}

#[test]
fn a_path_that_exists_is_no_run_in_a_file() {
    let directory = Directory::new();
    models().write(&directory, "all.csv");
    let table = models();
    let odd = table.only("model", &json!("tuned")).write(&directory, "all.csv::model=base.csv");
    let plain = directory.word("all.csv") + "::model=base";
    let tuned = directory.word("all.csv") + "::model=tuned";
    assert_eq!(comparisons(&compared(&[tuned.clone(), odd], &[]))[0]["verdict"], "identical");
    assert_ne!(comparisons(&compared(&[tuned, plain], &[]))[0]["verdict"], "identical");
}

#[test]
fn inspect_lists_the_runs_of_a_file_under_the_words_that_name_them() {
    let directory = Directory::new();
    let all = models().write(&directory, "all.csv");
    let ended = reportgen(["inspect", &all]);
    for model in ["base", "tuned"] {
        assert!(ended.out.contains(&format!("({all}::model={model})")), "{ended:?}");
    }
    assert_eq!(ended.out.matches("60 samples").count(), 2, "{ended:?}");
}

#[test]
fn two_runs_of_a_file_are_compared_without_the_word() {
    let directory = Directory::new();
    let all = models().write(&directory, "all.csv");
    let ended = reportgen([format!("{all}::model=base"), format!("{all}::model=tuned")]);
    assert!(ended.status == 0 && ended.out.contains("model=tuned"), "{ended:?}");
}

#[test]
fn commands_that_take_one_run_refuse_several() {
    let directory = Directory::new();
    let all = models().write(&directory, "all.csv");
    for words in [&["best"][..], &["selfcheck", "--aa"], &["check", &all]] {
        let ended = reportgen(words.iter().copied().chain([all.as_str()]));
        assert!(ended.status == 2 && ended.err.contains("::model=base"), "{ended:?}");
        let is_pair = ended.err.contains("::model=tuned");
        assert_eq!(is_pair, words[0] == "check", "{ended:?}");
    }
}

#[test]
fn figures_of_a_directory_are_those_of_none_of_its_runs() {
    let directory = Directory::of([("run/metrics.json", r#"{"accuracy": 0.5, "f1": 0.25}"#)]);
    directory.write("run/config.yaml", "model: another\nlr: 0.1\n");
    models().write(&directory, "run/all.csv");
    let report = compared(&[directory.word("run")], &["--across", "model"]);
    assert_eq!(comparisons(&report).len(), 1, "{}", told(&report));
    assert_eq!(report["comparability"]["candidates"][0]["grade"], "as-declared");
    assert!(cell(&report, "f1").is_null());
}

/// How many runs each arm has.
fn runs_of_arms(report: &Value) -> [usize; 2] {
    ["baseline", "candidate"].map(|arm| list(&cell(report, "correct")[arm], "seeds").len())
}

#[test]
fn seeds_in_one_file_repeat_a_run_as_files_of_their_own_do() {
    let directory = Directory::new();
    let seeds: Vec<Value> = (0..4).map(Value::from).collect();
    let mut arms = Vec::new();
    let mut runs = Vec::new();
    for (arm, name) in ["base", "tuned"].iter().enumerate() {
        let right = |problem: usize, seed: usize, _| {
            !(problem * 7 + seed * 3 + arm).is_multiple_of(4 + arm) || problem % 9 == seed
        };
        let table = Table::of(("seed", &seeds), (80, 1), right);
        runs.push(table.write(&directory, &format!("{name}.jsonl")));
        for seed in &seeds {
            table.only("seed", seed).write(&directory, &format!("{name}-{seed}/answers.jsonl"));
        }
        arms.extend([
            "--arm".to_owned(),
            format!("{name}={}", directory.word(format!("{name}-*"))),
        ]);
    }
    let arms: Vec<&str> = arms.iter().map(String::as_str).collect();
    let (one, several) = (compared(&runs, &[]), compared(&[], &arms));
    assert_eq!(figures(&one), figures(&several));
    assert_eq!([runs_of_arms(&one), runs_of_arms(&several)], [[4, 4], [4, 4]]);
    assert_eq!(one["comparability"]["candidates"][0]["candidate"], "tuned.jsonl");
}

#[test]
fn seeds_of_trainings_in_one_file_repeat_a_run() {
    for column in ["model_seed", "run_seed"] {
        let directory = Directory::new();
        let runs = ["base.jsonl", "tuned.jsonl"].map(|name| {
            Table::of((column, &[json!(11), json!(12), json!(13)]), (60, 1), plain)
                .write(&directory, name)
        });
        assert_eq!(runs_of_arms(&compared(&runs, &[])), [3, 3], "{column}");
    }
}

#[test]
fn seeds_of_each_model_repeat_the_model() {
    let directory = Directory::new();
    let table = Table::of(("model", &words(&["a", "b"])), (60, 3), plain);
    let all = table.with("seed", |at| json!(at % 3)).write(&directory, "all.csv");
    let report = compared(&[all], &["--across", "model"]);
    assert_eq!(runs_of_arms(&report), [3, 3], "{}", told(&report));
}

#[test]
fn a_seed_that_stands_for_other_variants_is_no_repetition() {
    let directory = Directory::new();
    let table = Table::of(("variant", &words(&["a", "b"])), (60, 1), plain);
    let all = table.with("seed", |at| json!(at % 2)).write(&directory, "all.csv");
    let ended = compare(&[all.clone(), all], &[]);
    assert!(ended.status == 2 && ended.err.contains("--across variant"), "{ended:?}");
}

#[test]
fn a_column_pooled_in_the_configuration_file_tells_no_runs_apart() {
    let directory = Directory::new();
    let all = models().write(&directory, "all.csv");
    let other = models().only("model", &json!("tuned")).write(&directory, "other.csv");
    directory.write("reportgen.toml", "pool = \"model\"\n");
    let config = directory.word("reportgen.toml");
    let runs = [all, other];
    let file = compared(&runs, &["--config", &config]);
    let flag = compared(&runs, &["--pool", "model"]);
    assert_eq!(figures(&file), figures(&flag));
    assert!(told(&file).contains("R120"), "{}", told(&file));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn runs_of_one_file_compare_as_files_of_their_own(
        right in prop::collection::vec(prop::collection::vec(any::<bool>(), 3), 12..60),
        order in any::<u64>(),
        end in prop::sample::select(vec!["jsonl", "json", "csv", "parquet"]),
    ) {
        let names = words(&["org/a", "b c", "d"]);
        let table = Table::of(("model", &names), (right.len(), 1), |i, at, _| right[i][at]);
        let mut table = table.with("category", |at| json!(format!("k{}", at / 3 % 4)));
        // Some order that mixes the runs, or leaves them behind each other.
        let key = |record: &Value| match order % 3 {
            0 => record["model"].to_string(),
            1 => record["id"].to_string(),
            _ => record["correct"].to_string() + &record["id"].to_string(),
        };
        table.records.sort_by_key(key);
        let directory = Directory::new();
        let all = table.write(&directory, &format!("all.{end}"));
        let own = |at: usize| {
            table.only("model", &names[at]).write(&directory, &format!("{at}/all.{end}"))
        };
        let inside = |at: usize| format!("{all}::model={}", names[at].as_str().expect("a name"));
        let apart = compared(&[own(0), own(1), own(2)], &[]);
        let together = compared(&[inside(0), inside(1), inside(2)], &[]);
        prop_assert_eq!(figures(&apart), figures(&together));
        let apart = compared(&[own(0), own(1), own(2)], &["--vary", "model"]);
        let first = table.records[0]["model"].clone();
        if first == names[0] {
            let across = compared(&[all], &["--across", "model"]);
            let mut left = figures(&across);
            let mut right = figures(&apart);
            let text = |one: &Value| one.to_string();
            left.sort_by_key(text);
            right.sort_by_key(text);
            prop_assert_eq!(left, right);
        }
    }
}
