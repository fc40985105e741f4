//! Records of answers without an id: the question tells which sample each is.

use crate::command::{assert_said, compare, reportgen};
use crate::directory::Directory;

/// Rows of two models: question, answer expected, answer given, whether that is right.
fn rows() -> impl Iterator<Item = (&'static str, [String; 4])> {
    ["A", "B"].into_iter().flat_map(|model| {
        (0..60).map(move |at: u32| {
            let right = (at * 7 + u32::from(model == "A") * 3) % 5 > 1;
            let given = if right { at + 1 } else { at };
            let right = if right { "是" } else { "否" };
            let question = format!("What is \"{at}\"+1?");
            (model, [question, (at + 1).to_string(), given.to_string(), right.to_owned()])
        })
    })
}

fn table(header: &str, right: fn(&str) -> String) -> String {
    let row = |(model, [question, target, given, mark]): (&str, [String; 4])| {
        let question = question.replace('"', "\"\"");
        format!("{model},\"{question}\",{target},{given},{}\n", right(&mark))
    };
    format!("{header}\n{}", rows().map(row).collect::<String>())
}

fn as_number(mark: &str) -> String {
    u32::from(mark == "是").to_string()
}

#[test]
fn a_table_of_questions_and_answers_is_one_of_samples() {
    for (header, across, content) in [
        ("model,question,reference_answer,response,correct", "model", as_number as fn(&str) -> _),
        ("模型,题目,参考答案,回答,是否正确", "模型", str::to_owned),
        ("模型,题目,参考答案,回答,判定", "模型", str::to_owned),
        ("模型,题目,标准答案,模型答案,是否正确", "模型", str::to_owned),
    ] {
        let directory = Directory::of([("t.csv", table(header, content))]);
        let ended = reportgen(["compare", &directory.word("t.csv"), "--across", across]);
        assert_said(&ended.out, &["`correct` 60.0% → 60.0%", "| 60 |", "!not assessable"]);
    }
}

#[test]
fn marks_of_questions_are_samples_without_answers_too() {
    let rows = rows().map(|(model, [question, .., mark])| {
        let question = question.replace('"', "");
        format!("{model},{question},{}\n", as_number(&mark))
    });
    let table = format!("model,question,correct\n{}", rows.collect::<String>());
    let directory = Directory::of([("t.csv", table)]);
    let ended = reportgen(["compare", &directory.word("t.csv"), "--across", "model"]);
    assert_said(&ended.out, &["`correct` 60.0% → 60.0%", "| 60 |"]);
}

#[test]
fn records_with_the_same_questions_are_paired_in_any_format_and_order() {
    let record = |(_, [question, target, given, mark]): (&str, [String; 4])| {
        serde_json::json!({
            "question": question, "target": target, "response": given, "correct": mark == "是"
        })
    };
    let all: Vec<_> = rows().map(record).collect();
    let (first, second) = all.split_at(60);
    let lines: Vec<String> = first.iter().rev().map(ToString::to_string).collect();
    let list = serde_json::json!(second).to_string();
    let directory = Directory::of([("a/out.jsonl", lines.join("\n")), ("b/out.json", list)]);
    let ended = compare(&[directory.word("a"), directory.word("b")], &[]);
    assert_said(&ended.out, &["`correct` 60.0% → 60.0%", "| 60 |"]);
    let [a, b] = ["a", "b"].map(|run| directory.word(run));
    let samples = reportgen(["samples", &*a, &*b]);
    assert_said(&samples.out, &["What is"]);
}

#[test]
fn a_record_without_an_id_among_others_with_one_is_told_and_rollouts_are_none() {
    let line = |id: &str, at: u32| {
        format!("{{{id}\"question\": \"q{at}\", \"response\": \"r\", \"correct\": 1}}\n")
    };
    let with_ids = (0..9).map(|at| line(&format!("\"id\": {at}, "), at)).collect::<String>();
    let directory =
        Directory::of([("a.jsonl", with_ids.clone() + &line("", 9)), ("b.jsonl", with_ids)]);
    let ended = compare(&[directory.word("a.jsonl"), directory.word("b.jsonl")], &[]);
    assert_said(&ended.err, &["a.jsonl:10", "a sample id"]);
    let rollouts = (0..9).map(|at| line(&format!("\"step\": {at}, "), at)).collect::<String>();
    let directory = Directory::of([("a.jsonl", rollouts)]);
    let ended = reportgen(["inspect", &directory.word("a.jsonl")]);
    assert_said(&(ended.out + &ended.err), &["!samples-jsonl"]);
}

#[test]
fn questions_that_are_worded_alike_are_told_apart_by_what_is_asked_beside_them() {
    for beside in [
        |at: u32| serde_json::json!({"choices": [format!("a{at}"), "b"]}),
        |at: u32| serde_json::json!({"options": format!("A. x{at} B. y")}),
        |at: u32| serde_json::json!({"image": format!("images/{at}.png")}),
        |at: u32| serde_json::json!({"passage": format!("text {at}")}),
        |at: u32| serde_json::json!({"subject": format!("s{at}")}),
        |at: u32| serde_json::json!({"input": format!("row {at}")}),
    ] {
        let lines = |shift: u32| {
            let line = |at: u32| {
                let mut record = beside(at);
                let own = serde_json::json!({
                    "question": "Which is true?",
                    "response": "x",
                    "explanation": format!("because of {}", at * shift),
                    "correct": !(at + shift).is_multiple_of(3),
                });
                let own = own.as_object().expect("an object").clone();
                record.as_object_mut().expect("an object").extend(own);
                format!("{record}\n")
            };
            (0..60).map(line).collect::<String>()
        };
        let directory = Directory::of([("a.jsonl", lines(1)), ("b.jsonl", lines(2))]);
        let ended = compare(&[directory.word("a.jsonl"), directory.word("b.jsonl")], &[]);
        assert_said(&ended.out, &["`correct` ", "| 60 |", "!pass@"]);
    }
}

#[test]
fn a_column_that_one_arm_alone_has_takes_no_question_apart() {
    let lines = |extra: bool, shift: u32| {
        let line = |at: u32| {
            let beside =
                if extra { format!("\"subject\": \"s{}\", ", at % 3) } else { String::new() };
            let right = u32::from(!(at + shift).is_multiple_of(3));
            format!(
                "{{\"question\": \"q{at}\", {beside}\"response\": \"r\", \"correct\": {right}}}\n"
            )
        };
        (0..60).map(line).collect::<String>()
    };
    let directory = Directory::of([("a.jsonl", lines(false, 0)), ("b.jsonl", lines(true, 1))]);
    let ended = compare(&[directory.word("a.jsonl"), directory.word("b.jsonl")], &[]);
    assert_said(&ended.out, &["`correct` ", "| 60 |", "!R210"]);
}

#[test]
fn answers_at_several_checkpoints_are_no_attempts() {
    let lines = |shift: u32| {
        let line = |at: u32| {
            let [question, checkpoint] = [at / 2, 100 + 100 * (at % 2)];
            let right = u32::from(!(at + shift).is_multiple_of(3));
            format!(
                "{{\"prompt\": \"q{question}\", \"checkpoint\": {checkpoint}, \"response\": \"r\", \
                 \"correct\": {right}}}\n"
            )
        };
        (0..120).map(line).collect::<String>()
    };
    let directory = Directory::of([("a.jsonl", lines(0)), ("b.jsonl", lines(1))]);
    let ended = compare(&[directory.word("a.jsonl"), directory.word("b.jsonl")], &[]);
    assert_said(&ended.out, &["checkpoint 100", "checkpoint 200", "!pass@"]);
}

#[test]
fn an_answer_beside_a_prediction_is_the_right_one_and_may_not_differ() {
    let lines = |shift: u32, beside: &str| {
        let line = |at: u32| {
            let answer = if at.is_multiple_of(5) { at + shift } else { at };
            let right = u32::from(!(at + shift).is_multiple_of(3));
            format!(
                "{{\"question\": \"q{at}\", \"answer\": \"{answer}\", \"{beside}\": \"so it is {shift}\", \
                 \"correct\": {right}}}\n"
            )
        };
        (0..60).map(line).collect::<String>()
    };
    let told = |shifts: [u32; 2], beside: &str| {
        let [a, b] = shifts.map(|shift| lines(shift, beside));
        let directory = Directory::of([("a.jsonl", a), ("b.jsonl", b)]);
        let ended = compare(&[directory.word("a.jsonl"), directory.word("b.jsonl")], &[]);
        ended.err + &ended.out
    };
    assert_said(&told([0, 1], "prediction"), &["R213", "12 of 60 samples"]);
    assert_said(&told([0, 0], "prediction"), &["!R213", "| 60 |"]);
    // An answer beside thoughts is that of the model.
    assert_said(&told([0, 1], "reasoning"), &["!R213", "| 60 |"]);
}

#[test]
fn other_options_are_another_question_and_the_models_own_answer_is_none() {
    let lines = |arm: u32, options: fn(u32) -> String, answer: fn(u32, u32) -> String| {
        let line = |at: u32| {
            let record = serde_json::json!({
                "id": at, "question": format!("q{at}"), "options": options(arm), "gold": (["A", "B", "C"][at as usize % 3]),
                "answer": answer(arm, at), "prediction": format!("so {at}"), "correct": u32::from(!(at + arm).is_multiple_of(3)),
            });
            format!("{record}\n")
        };
        (0..60).map(line).collect::<String>()
    };
    let told = |options, answer| {
        let directory = Directory::of([
            ("a.jsonl", lines(0, options, answer)),
            ("b.jsonl", lines(1, options, answer)),
        ]);
        let ended = compare(&[directory.word("a.jsonl"), directory.word("b.jsonl")], &[]);
        ended.err + &ended.out
    };
    let same = |_| "A. x B. y C. z".to_owned();
    assert_said(&told(same, |_, _| "x".to_owned()), &["!Prompts differ", "| 60 |"]);
    let rotated = |arm| ["A. x B. y C. z", "A. y B. z C. x"][arm as usize].to_owned();
    assert_said(&told(rotated, |_, _| "x".to_owned()), &["**Confounded**", "Prompts differ"]);
}

#[test]
fn what_most_samples_have_otherwise_in_either_arm_is_no_right_answer() {
    let lines = |arm: u32| {
        let line = |at: u32| {
            let record = serde_json::json!({
                "id": at, "question": format!("q{at}"), "answer": format!("model {arm} says {at}"),
                "pred": at, "correct": u32::from(!(at + arm).is_multiple_of(3)),
            });
            format!("{record}\n")
        };
        (0..60).map(line).collect::<String>()
    };
    let directory = Directory::of([("a.jsonl", lines(0)), ("b.jsonl", lines(1))]);
    let ended = compare(&[directory.word("a.jsonl"), directory.word("b.jsonl")], &[]);
    assert_said(&(ended.err + &ended.out), &["!R213", "| 60 |"]);
}
