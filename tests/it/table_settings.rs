//! What tables say of the runs in them beside figures.

use crate::command::reportgen;
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
