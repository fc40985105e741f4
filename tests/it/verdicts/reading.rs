//! Cases of what stands in files of results beside the figures: what they are of, how they were
//! made, and on how many samples they stand.

use serde_json::{Value, json};

use super::Expected::{Grade, Holds, Quiet, Raised, Silent, Verdict};
use super::{Case, Files, both, case, quiz, right};

pub(super) fn cases() -> Vec<Case> {
    [tables(), texts(), sizes(), counts(), failures(), contents()].into_iter().flatten().collect()
}

/// A table of two rows in each arm: the name of the text column, and its texts by arm.
fn table(column: &'static str, texts: [[&'static str; 2]; 2]) -> [Files; 2] {
    both(|arm| {
        let [first, second] = texts[arm];
        let (low, high) = ([0.4, 0.6][arm], [0.3, 0.5][arm]);
        let text = format!("{column},accuracy,n\n{first},{low},1000\n{second},{high},900\n");
        vec![("results.csv", text)]
    })
}

fn tables() -> Vec<Case> {
    let told = |code: &'static str| {
        vec![Grade("not comparable"), Raised(code), Verdict("accuracy", "not-assessable")]
    };
    let apart = || told("R219");
    let (others, same) = ([["aa", "bb"], ["cc", "dd"]], [["aa", "bb"], ["aa", "bb"]]);
    vec![
        case("rows of a table are of other tasks", table("task", others), &[], told("R249")),
        case("rows of a table are of other subsets", table("subset", others), &[], apart()),
        case("rows of a table are of other languages", table("lang", others), &[], apart()),
        case("rows of a table have other judges", table("judge", others), &[], apart()),
        case(
            "a text column of no known name tells rows apart",
            table("bucket", others),
            &[],
            apart(),
        ),
        case(
            "rows of a table are of the same tasks",
            table("task", same),
            &[],
            vec![
                Silent("R219"),
                Verdict("accuracy", "better"),
                Holds("accuracy", "/dataset", json!("aa")),
            ],
        ),
        case(
            "a table names another judge in every row",
            table("judge", [["m1", "m1"], ["m2", "m2"]]),
            &[],
            vec![Raised("R234"), Grade("confounded")],
        ),
        case(
            "remarks in a table are no coordinates",
            both(|arm| {
                let (mean, note) = ([0.4, 0.6][arm], ["first try", "after the fix"][arm]);
                vec![("results.csv", format!("task,accuracy,n,notes\naa,{mean},1000,{note}\n"))]
            }),
            &[],
            vec![Silent("R219"), Verdict("accuracy", "better")],
        ),
    ]
}

/// One accuracy in each arm over a thousand samples, and what stands beside it.
fn figure(beside: impl Fn(usize) -> Value) -> [Files; 2] {
    both(|arm| {
        let mut figures = json!({ "accuracy": ([0.5, 0.7][arm]), "n": 1000 });
        let fields = figures.as_object_mut().expect("an object");
        fields.extend(beside(arm).as_object().expect("an object").clone());
        vec![("metrics.json", figures.to_string())]
    })
}

fn texts() -> Vec<Case> {
    let texts = |name: &'static str, texts: [&'static str; 2]| {
        figure(move |arm| json!({ (name): texts[arm] }))
    };
    vec![
        case(
            "figures are of another dataset by the text beside them",
            texts("dataset", ["easy", "hard"]),
            &[],
            vec![Grade("not comparable"), Raised("R249"), Silent("R219")],
        ),
        case(
            "figures are of one dataset by the text beside them",
            texts("task", ["easy", "easy"]),
            &[],
            vec![Verdict("accuracy", "better"), Holds("accuracy", "/dataset", json!("easy"))],
        ),
        case(
            "another judge is named beside the figures",
            texts("judge_model", ["m1", "m2"]),
            &[],
            vec![Raised("R234"), Grade("confounded")],
        ),
        case(
            "another split is named beside the figures",
            texts("split", ["validation", "test"]),
            &[],
            vec![Raised("R201"), Grade("confounded")],
        ),
        case(
            "the temperature beside the figures is a setting and no metric",
            figure(|arm| json!({ "temperature": arm, "judge": "m" })),
            &["--vary", "temperature"],
            vec![Quiet, Verdict("accuracy", "better"), Grade("as declared")],
        ),
        case(
            "settings in a block beside the figures differ",
            figure(
                |arm| json!({ "config": { "temperature": arm, "judge_model": format!("m{arm}") } }),
            ),
            &[],
            vec![Raised("R201"), Raised("R234"), Grade("confounded")],
        ),
        case(
            "figures say that their run failed",
            figure(|arm| json!({ "status": (["completed", "failed"][arm]) })),
            &[],
            vec![Raised("R284"), Verdict("accuracy", "not-assessable")],
        ),
        case(
            "figures say that their run completed",
            figure(|_| json!({ "status": "completed" })),
            &[],
            vec![Silent("R284"), Verdict("accuracy", "better")],
        ),
    ]
}

fn sizes() -> Vec<Case> {
    vec![
        case(
            "a figure stands on a part of its samples",
            figure(|arm| json!({ "evaluated": ([1000, 600][arm]) })),
            &[],
            vec![Raised("R280"), Verdict("accuracy", "not-assessable")],
        ),
        case(
            "a figure stands on all of its samples",
            figure(|_| json!({ "evaluated": 1000, "num_errors": 0 })),
            &[],
            vec![Silent("R280"), Silent("R281"), Verdict("accuracy", "better")],
        ),
        case(
            "samples beside a figure failed",
            figure(|arm| json!({ "num_errors": 300 * arm })),
            &[],
            vec![Raised("R280"), Verdict("accuracy", "not-assessable")],
        ),
        case(
            "errors beside a figure are the wrong answers",
            figure(|arm| json!({ "errors": ([500, 300][arm]) })),
            &[],
            vec![Silent("R280"), Verdict("accuracy", "better")],
        ),
        case(
            "a number of samples is an overflow",
            both(|arm| {
                let text = format!("{{\"accuracy\": 0.{}, \"n\": 18446744073709551615}}", arm + 5);
                vec![("metrics.json", text)]
            }),
            &[],
            vec![Raised("R160"), Verdict("accuracy", "not-assessable")],
        ),
        case(
            "a number of samples is large",
            figure(|_| json!({ "n": 1_000_000_000_u64 })),
            &[],
            vec![Silent("R160"), Verdict("accuracy", "better")],
        ),
    ]
}

fn counts() -> Vec<Case> {
    let counted = |beside: fn(usize) -> Value| {
        both(move |arm| vec![("metrics.json", beside(arm).to_string())])
    };
    vec![
        case(
            "a count of right answers beside a share is no percentage",
            counted(
                |arm| json!({ "accuracy": ([0.5, 0.9][arm]), "correct": ([45, 81][arm]), "total": 90 }),
            ),
            &[],
            vec![
                Silent("R121"),
                Holds("accuracy", "/candidate/value", json!(0.9)),
                Holds("accuracy", "/unit", json!("fraction")),
            ],
        ),
        case(
            "a count of right answers of a total is their share",
            counted(|arm| json!({ "correct": ([45, 81][arm]), "total": 90 })),
            &[],
            vec![
                Silent("R121"),
                Verdict("correct", "better"),
                Holds("correct", "/candidate/value", json!(0.9)),
            ],
        ),
        case(
            "percentages without a total are still percentages",
            counted(|arm| json!({ "accuracy": ([45, 81][arm]), "f1": 50.5, "n": 900 })),
            &[],
            vec![Raised("R121")],
        ),
    ]
}

/// Every tenth answer of the baseline is marked with those fields and has a score of 0.
fn failing(n: usize, fields: fn() -> Value) -> [Files; 2] {
    quiz(n, move |arm, i| {
        let failed = arm == 0 && i % 10 == 0;
        let mut record = json!({ "correct": right(arm, i) && !failed });
        if failed {
            let marks = fields().as_object().expect("an object").clone();
            record.as_object_mut().expect("an object").extend(marks);
        }
        record
    })
}

fn failures() -> Vec<Case> {
    let lost = || vec![Raised("R226"), Verdict("correct", "not-assessable")];
    let judged = || vec![Silent("R226"), Silent("R222"), Verdict("correct", "better")];
    vec![
        case(
            "a status of error with a score of 0",
            failing(100, || json!({ "status": "error" })),
            &[],
            lost(),
        ),
        case(
            "requests that timed out have a score of 0",
            failing(100, || json!({ "error": "timeout" })),
            &[],
            lost(),
        ),
        case(
            "requests that were refused have a score of 0",
            failing(100, || json!({ "error": "RateLimitError: 429 Too Many Requests" })),
            &[],
            lost(),
        ),
        case(
            "code that raises an error is a wrong answer",
            failing(
                100,
                || json!({ "status": "error", "error": "NameError: name 'x' is not defined" }),
            ),
            &[],
            judged(),
        ),
        case(
            "code that does not end is a wrong answer",
            failing(100, || json!({ "error": "timeout", "error_type": "timeout" })),
            &[],
            judged(),
        ),
    ]
}

fn contents() -> Vec<Case> {
    let asked = |system: [&'static str; 2], asked: [&'static str; 2]| {
        quiz(100, move |arm, i| {
            let question = format!("{} {i}", asked[arm]);
            let messages = json!([
                { "role": "system", "content": system[arm] },
                { "role": "user", "content": question },
                { "role": "assistant", "content": format!("answer {arm} of {i}") },
            ]);
            json!({ "correct": right(arm, i), "messages": messages, "target": i })
        })
    };
    let named = |name: &'static str, answered: bool| {
        quiz(100, move |arm, i| {
            let mut record = json!({ "correct": right(arm, i), (name): format!("{arm} {i}") });
            if answered {
                record["response"] = json!(format!("I say {arm} {i}"));
            }
            record
        })
    };
    vec![
        case(
            "other system messages",
            asked(["short", "think"], ["how", "how"]),
            &[],
            vec![Raised("R214")],
        ),
        case(
            "other user messages",
            asked(["short", "short"], ["how", "why"]),
            &[],
            vec![Raised("R214")],
        ),
        case(
            "equal messages and other answers of the model in them",
            asked(["short", "short"], ["how", "how"]),
            &[],
            vec![Silent("R213"), Silent("R214"), Verdict("correct", "better")],
        ),
        case("other instructions", named("instruction", false), &[], vec![Raised("R213")]),
        case("other labels beside a response", named("label", true), &[], vec![Raised("R213")]),
        case(
            "an answer may be what the model said",
            named("answer", false),
            &[],
            vec![Silent("R213"), Verdict("correct", "better")],
        ),
    ]
}
