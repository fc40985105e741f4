//! What tables say of the runs in them beside figures.

use crate::command::{assert_said, reportgen};
use crate::directory::Directory;

#[test]
fn what_a_table_says_of_each_run_in_it_is_a_setting_of_the_run() {
    let told = |head: &str, values: [&str; 2]| {
        let row = |model: &str, value: &str, right: &str| format!("{model},{value},{right},1000\n");
        let table = format!("model,{head},accuracy,n\n")
            + &row("sft", values[0], "0.50")
            + &row("grpo", values[1], "0.60");
        let directory = Directory::of([("t.csv", table)]);
        let ended = reportgen(["compare", &directory.word("t.csv"), "--across", "model"]);
        ended.err + &ended.out
    };
    for (head, values, expected) in [
        ("lr", ["1e-5", "1e-4"], "lr is 1e-5 vs. 1e-4"),
        ("Learning rate", ["1e-5", "1e-4"], "learning_rate is 1e-5 vs. 1e-4"),
        ("Setting", ["0-shot", "5-shot"], "setting is 0-shot vs. 5-shot"),
        ("Training", ["1 epoch", "3 epochs"], "training is 1 epoch vs. 3 epochs"),
        ("Test set", ["v1", "v2"], "test_set is v1 vs. v2"),
        ("Max tokens", ["512", "4096"], "max_tokens is 512 vs. 4096"),
        ("Epochs", ["1", "3"], "epochs is 1 vs. 3"),
        ("method", ["SFT", "DPO"], "method is SFT vs. DPO"),
    ] {
        let told = told(head, values);
        assert!(told.contains(expected) && told.contains("**Confounded**"), "{head}:\n{told}");
    }
    for (head, values) in [
        ("lr", ["1e-5", "1e-5"]),
        ("Params", ["7B", "70B"]),
        ("Org", ["A", "B"]),
        ("Notes", ["best", "second"]),
        ("loss", ["0.5", "0.4"]),
        ("precision", ["0.50", "0.60"]),
        ("Institution", ["A", "B"]),
        ("Grade", ["gold", "silver"]),
        ("95% CI", ["49-51", "59-61"]),
    ] {
        let told = told(head, values);
        assert!(!told.contains("R201") && told.contains("Comparable"), "{head}:\n{told}");
    }
}

#[test]
fn a_column_of_texts_that_nobody_knows_is_told_where_the_arms_differ_in_it() {
    for head in ["RAG", "tools", "harness", "评测框架", "context window 2"] {
        let table = format!("model,{head},accuracy,n\nA,no,0.50,1000\nB,yes,0.60,1000\n");
        let conditions = format!("another in {head} (R200)");
        let expected = ["all results: all records", &conditions, "50.0% → 60.0%"];
        assert_said(&said("t.csv", &table, "model"), &expected);
    }
    for head in ["Institution", "License", "Params", "机构", "备注", "发布日期"] {
        let table = format!("model,{head},accuracy,n\nA,no,0.50,1000\nB,yes,0.60,1000\n");
        assert_said(&said("t.csv", &table, "model"), &["!R200", "50.0% → 60.0%"]);
    }
    let of_one_dataset = "model,dataset,RAG,accuracy,n\nA,x,no,0.50,1000\nA,y,no,0.40,1000\n\
                          B,x,no,0.60,1000\nB,y,yes,0.50,1000\n";
    assert_said(&said("t.csv", of_one_dataset, "model"), &["[R200]: y: all", "in RAG"]);
    let table = |value: &str| format!("dataset,RAG,accuracy,n\nx,{value},0.5,900\n");
    let directory = Directory::of([("a.csv", table("no")), ("b.csv", table("yes"))]);
    let ended = reportgen(["compare", &directory.word("a.csv"), &directory.word("b.csv")]);
    assert_said(&ended.out, &["another in RAG (R200)"]);
}

#[test]
fn a_setting_that_differs_between_seeds_of_a_model_in_a_table_is_told() {
    let table = "model,seed,kl_beta,accuracy,n\nsft,0,0.1,0.50,1000\nsft,1,0.2,0.51,1000\n\
                 grpo,0,0.1,0.60,1000\ngrpo,1,0.1,0.61,1000\n";
    let directory = Directory::of([("t.csv", table)]);
    let ended = reportgen(["compare", &directory.word("t.csv"), "--across", "model"]);
    assert!(ended.err.contains("R250") && ended.err.contains("kl_beta is 0.1"), "{}", ended.err);
}

#[test]
fn a_chinese_column_of_models_is_the_one_that_is_asked_for_as_model() {
    let directory = Directory::of([("t.csv", "模型,GSM8K,MMLU\nA,50.0%,40.0%\nB,60.0%,45.0%\n")]);
    let ended = reportgen(["compare", &directory.word("t.csv"), "--across", "model"]);
    assert!(ended.out.contains("B vs A (baseline)") && !ended.err.contains("R118"), "{ended:?}");
}

/// What is said of a file of that name, and of its content where `across` tells runs apart.
fn said(name: &str, content: &str, across: &str) -> String {
    let directory = Directory::of([(name, content)]);
    let ended = reportgen(["compare", &directory.word(name), "--across", across]);
    ended.err + &ended.out
}

#[test]
fn rows_of_one_model_with_other_settings_are_paired_by_these() {
    for head in ["batch size", "lr", "学习率", "max_len", "optimizer"] {
        let table = format!(
            "model,{head},accuracy,n\nA,1,0.51,5000\nA,2,0.55,5000\nB,2,0.60,5000\nB,1,0.56,5000\n"
        );
        let said = said("t.csv", &table, "model");
        assert_said(&said, &["51.0% → 56.0% (+5.0 pp", "55.0% → 60.0% (+5.0 pp", "!R118"]);
    }
    // A learning rate that a training schedules is no coordinate.
    let table = "model,epoch,lr,accuracy,n\nA,1,1e-5,0.51,500\nA,2,9e-6,0.52,500\n\
                 B,1,2e-5,0.56,500\nB,2,1e-5,0.57,500\n";
    assert_said(&said("t.csv", table, "model"), &["| 51.0% | 56.0% |", "| 52.0% | 57.0% |"]);
}

#[test]
fn a_setting_that_differs_on_one_dataset_keeps_its_figures_apart() {
    for head in ["Judge Model", "prompt template", "System prompt", "harness version", "Decoding"] {
        let table = format!(
            "model,dataset,{head},accuracy,n\nA,gsm8k,x,0.51,2000\nA,math,x,0.3,2000\n\
             B,gsm8k,x,0.60,2000\nB,math,y,0.4,2000\n"
        );
        let said = said("t.csv", &table, "model");
        assert_said(&said, &["| 51.0% | 60.0% |", "!| 30.0% | 40.0% |"]);
    }
    let table = "model,dataset,lr,accuracy,n\nA,gsm8k,2e-5,0.51,2000\nA,math,2e-5,0.3,2000\n\
                 B,gsm8k,2e-5,0.60,2000\nB,math,5e-5,0.4,2000\n";
    let expected = ["51.0% → 60.0%", "1 of t.csv::model=A is missing", "!30.0% → 40.0%"];
    assert_said(&said("t.csv", table, "model"), &expected);
}

#[test]
fn chinese_heads_are_what_they_are_called_elsewhere() {
    let table = "模型,数据集,学习率,提示词,判分模型,温度,准确率\n基线,gsm8k,1e-5,v1,x,0.0,51.2%\n\
                 新模型,gsm8k,5e-6,v2,y,0.7,53.0%\n";
    let expected = [
        "learning_rate is 1e-5 vs. 5e-6",
        "prompt is v1 vs. v2",
        "judge_model is x vs. y",
        "temperature is 0.0 vs. 0.7",
        "51.2% → 53.0% (+1.8 pp)",
    ];
    assert_said(&said("t.csv", table, "模型"), &expected);
    let table = "模型,精确率,召回率,F1\n基线,0.81,0.70,0.75\n新,0.84,0.69,0.757\n";
    let expected = ["`precision` | 81.0% | 84.0%", "`recall` | 70.0% | 69.0%", "`f1` | 75.0%"];
    assert_said(&said("t.csv", table, "模型"), &expected);
}

#[test]
fn chinese_records_of_samples_name_datasets_questions_and_models() {
    let mut datasets = vec!["模型,数据集,题号,是否正确\n".to_owned()];
    let mut questions = vec!["模型,题号,题目,是否正确\n".to_owned()];
    for (model, shift) in [("A", 0), ("B", 7)] {
        for id in 0..40 {
            let right = u8::from((id + shift) % 3 > 0);
            for dataset in ["gsm8k", "math"] {
                datasets.push(format!("{model},{dataset},{id},{right}\n"));
            }
            let asked = (id + shift) % 40;
            questions.push(format!("{model},{id},这是问题 {asked},{right}\n"));
        }
    }
    let expected = ["| `correct` | gsm8k |", "| `correct` | math |", "!pass^2", "!R120"];
    assert_said(&said("t.csv", &datasets.concat(), "模型"), &expected);
    assert_said(&said("t.csv", &questions.concat(), "模型"), &["R283", "40 samples were paired"]);
}

#[test]
fn ratings_beside_percentages_and_shares_as_counts_are_what_they_are() {
    let table = "Model,Elo,Votes,GSM8K,MMLU\na,1206,5321,78.2%,65.1%\nb,1190,4100,80.1%,66.0%\n";
    let expected = ["`Elo` 1206 → 1190 (-16)", "78.2% | 80.1%", "!1206.0%", "!Votes"];
    assert_said(&said("t.csv", table, "Model"), &expected);
    let table = "Model,Accuracy\na,500/1000\nb,530/1000\n";
    assert_said(&said("t.csv", table, "Model"), &["50.0% → 53.0%", "| 1,000 |"]);
}

#[test]
fn a_setting_that_each_run_of_a_curve_file_repeats_is_one_of_the_run() {
    let rows = |run: &str, lr: &str, batch: u32, rise: f64| {
        let row = |step: u32| {
            let accuracy = 0.4 + rise * f64::from(step);
            format!(
                "{{\"run\": \"{run}\", \"step\": {step}, \"lr\": {lr}, \"batch_size\": {batch}, \
                 \"eval_accuracy\": {accuracy}}}\n"
            )
        };
        (1..6).map(row).collect::<String>()
    };
    let both = rows("sft", "1e-5", 32, 0.01) + &rows("grpo", "2e-5", 64, 0.02);
    let expected = ["lr is 0.00001 vs. 0.00002", "batch_size is 32 vs. 64", "**Confounded**"];
    assert_said(&said("t.jsonl", &both, "run"), &expected);
}

#[test]
fn settings_in_a_document_of_figures_are_told_in_chinese_and_as_texts() {
    let document = |lr: &str, context: &str| {
        format!("{{\"准确率\": 0.5, \"学习率\": {lr}, \"context_length\": \"{context}\"}}")
    };
    let files =
        [("a_metrics.json", document("1e-5", "8k")), ("b_metrics.json", document("2e-5", "32k"))];
    let directory = Directory::of(files);
    let words = ["a_metrics.json", "b_metrics.json"].map(|name| directory.word(name));
    let ended = reportgen(["compare", &words[0], &words[1]]);
    let expected = ["learning_rate is 1e-5 vs. 2e-5", "context_length is 8k vs. 32k"];
    assert_said(&(ended.err + &ended.out), &expected);
}

#[test]
fn rows_that_nothing_tells_apart_get_no_verdict() {
    let table =
        "model,budget,accuracy,n\nA,7,0.51,5000\nA,13,0.55,5000\nB,13,0.60,5000\nB,7,0.56,5000\n";
    let expected = ["R504", "not assessable", "!**Better**", "!✅"];
    assert_said(&said("t.csv", table, "model"), &expected);
    let words = ["a.csv", "b.csv"];
    let own = |rows: [&str; 2]| format!("model,budget,accuracy,n\n{}\n{}\n", rows[0], rows[1]);
    let files = [
        (words[0], own(["A,7,0.51,5000", "A,13,0.55,5000"])),
        (words[1], own(["B,13,0.60,5000", "B,7,0.56,5000"])),
    ];
    let directory = Directory::of(files);
    let words = words.map(|name| directory.word(name));
    let ended = reportgen(["compare", &words[0], &words[1]]);
    assert_said(&(ended.err + &ended.out), &["!**Better**"]);
}

#[test]
fn a_sweep_with_epochs_is_paired_by_its_setting_too() {
    let table = "model,lr,epoch,accuracy,n\nA,1e-5,1,0.5,2000\nA,1e-5,2,0.6,2000\nA,2e-5,1,0.6,2000\n\
                 A,2e-5,2,0.7,2000\nB,2e-5,1,0.6,2000\nB,2e-5,2,0.7,2000\nB,1e-5,1,0.5,2000\n\
                 B,1e-5,2,0.6,2000\n";
    let expected = ["| 50.0% | 50.0% |", "| 70.0% | 70.0% |", "!R118", "!R504", "!**Better**"];
    assert_said(&said("t.csv", table, "model"), &expected);
    let table = "model,KL_BETA,gsm8k,math\nA,0.12,50.0%,40.0%\nA,0.15,60.0%,50.0%\n\
                 B,0.15,61.0%,51.0%\nB,0.12,51.0%,41.0%\n";
    let expected = ["| 50.0% | 51.0% |", "| 60.0% | 61.0% |", "!score (KL_BETA)"];
    assert_said(&said("t.csv", table, "model"), &expected);
}

#[test]
fn a_row_without_a_setting_stands_beside_each_value_of_the_others() {
    for none in ["-", "", "N/A", "无"] {
        let table = format!(
            "model,lr,dataset,accuracy,n\nbase,{none},x,0.51,1000\nbase,{none},y,0.41,1000\n\
             tuned,1e-5,x,0.56,1000\ntuned,2e-5,x,0.58,1000\ntuned,2e-5,y,0.47,1000\n"
        );
        let expected = ["| 51.0% | 56.0% |", "| 51.0% | 58.0% |", "| 41.0% | 47.0% |", "!R219"];
        let said = said("t.csv", &table, "model");
        assert_said(&said, &expected);
        assert_said(&said, &["R506"]);
    }
    // Every evaluation has a judge, whether it is written or not.
    let judged = "model,judge,accuracy,n\nbase,-,0.51,1000\nA,gpt-4,0.56,1000\nA,gpt-4o,0.6,1000\n";
    assert_said(&said("t.csv", judged, "model"), &["R219", "!R506"]);
}

#[test]
fn a_method_that_each_model_has_one_of_is_no_place_and_that_it_has_several_of_is() {
    let table = "model,method,gsm8k\nbase,-,500/1000\nA,SFT,550/1000\n";
    assert_said(&said("t.csv", table, "model"), &["50.0% | 55.0% | +5.0 pp", "!R219"]);
    let table =
        "model,method,gsm8k\nA,SFT,550/1000\nA,DPO,600/1000\nB,SFT,560/1000\nB,DPO,620/1000\n";
    assert_said(&said("t.csv", table, "model"), &["method=DPO", "60.0% | 62.0%"]);
}

#[test]
fn a_setting_of_one_run_is_its_place_among_those_of_another() {
    let table = |rows: &str| format!("lr,accuracy,n\n{rows}");
    let directory = Directory::of([
        ("a.csv", table("1e-5,0.51,1000\n2e-5,0.55,1000\n")),
        ("b.csv", table("2e-5,0.61,1000\n")),
        ("c.csv", table("3e-5,0.61,1000\n")),
    ]);
    let against = |other: &str| {
        let ended = reportgen(["compare", &directory.word("a.csv"), &directory.word(other)]);
        ended.err + &ended.out
    };
    assert_said(&against("b.csv"), &["55.0% → 61.0%", "1 baseline result is missing"]);
    assert_said(&against("c.csv"), &["R219"]);
}

#[test]
fn shares_that_stand_as_counts_are_read_below_any_head() {
    let by_dataset = "model,gsm8k,math\nA,530/1000,12/30\nB,580/1000,15/30\n";
    assert_said(&said("t.csv", by_dataset, "model"), &["| 53.0% | 58.0% |", "| 40.0% | 50.0% |"]);
    let others = "model,date,GPU,accuracy,n\nA,3/12,8/8,0.51,1000\nB,3/13,8/8,0.56,1000\n";
    assert_said(&said("t.csv", others, "model"), &["51.0% → 56.0%", "!100.0%", "!25.0%"]);
    let counted = "模型,数据集,正确数/总数\nA,x,510/1000\nB,x,560/1000\n";
    assert_said(&said("t.csv", counted, "模型"), &["51.0% → 56.0% (+5.0 pp, 95% CI"]);
}

#[test]
fn a_learning_rate_that_a_table_schedules_otherwise_is_told() {
    let table = |second: &str| {
        format!(
            "model,epoch,lr,accuracy,n\nA,1,1e-5,0.51,500\nA,2,9e-6,0.52,500\n\
             B,1,{second},0.56,500\nB,2,9e-6,0.57,500\n"
        )
    };
    assert_said(&said("t.csv", &table("1e-5"), "model"), &["!R200"]);
    let other = table("2e-5").replace("B,2,9e-6", "B,2,1.8e-5");
    assert_said(&said("t.csv", &other, "model"), &["values of learning_rate that", "(R200)"]);
}

#[test]
fn settings_in_records_of_samples_are_told_or_lay_the_answers_apart() {
    let records = |settings: [[&str; 2]; 2], head: &str| {
        let rows = ["A", "B"].iter().zip(settings).flat_map(|(model, values)| {
            values.map(|value| {
                let right = |id: u32| u32::from((id * 7 + u32::from(*model == "A") * 3) % 5 > 1);
                let row = |id: u32| format!("{model},{id},{value},{}\n", right(id));
                (0..80).map(row).collect::<String>()
            })
        });
        format!("model,id,{head},correct\n{}", rows.collect::<String>())
    };
    for head in ["lr", "kl_beta", "batch_size", "temperature"] {
        let sweep = records([["0.1", "0.2"], ["0.2", "0.3"]], head);
        let place = format!("({head}=0.2)");
        let unlike = ["!pass@2", &place, "1 baseline result is missing"];
        assert_said(&said("t.csv", &sweep, "model"), &unlike);
    }
    let constant = records([["1e-5", "1e-5"], ["2e-5", "2e-5"]], "lr");
    let told = said("t.csv", &constant, "model");
    assert_said(&told, &["lr is 1e-5 vs. 2e-5"]);
}

#[test]
fn settings_that_are_swapped_between_equal_samples_are_told() {
    let lines = |setting: fn(u32) -> f64| {
        let line = |id: u32| {
            let right = u32::from(id * 7 % 5 > 1);
            format!("{{\"id\": {id}, \"temperature\": {}, \"correct\": {right}}}\n", setting(id))
        };
        (0..80).map(line).collect::<String>()
    };
    let [even, odd] =
        [|id: u32| 0.7 * f64::from(id % 2), |id: u32| 0.7 * f64::from(1 - id % 2)].map(lines);
    let said = |one: &str, other: &str| {
        let directory = Directory::of([("a.jsonl", one), ("b.jsonl", other)]);
        let ended = reportgen(["compare", &directory.word("a.jsonl"), &directory.word("b.jsonl")]);
        ended.err + &ended.out
    };
    assert_said(&said(&even, &odd), &["R507", "80 of 80 paired samples", "**Confounded**"]);
    assert_said(&said(&even, &even), &["!R507"]);
}
