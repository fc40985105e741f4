//! What may be of something else is left.

use super::{below, check};

#[test]
fn a_title_that_may_be_of_something_else_leaves_the_table() {
    for title in [
        "Standard deviation",
        "Training set",
        "Number of samples",
        "Tokens per answer",
        "Cost in dollars",
        "GPU hours",
        "Toxicity",
        "Refusals",
        "耗时",
        "方差",
        "排名",
        "Δ to base",
        "Improvement over baseline",
        "Reported in the paper",
        "Best of 5",
        "Ablation without KL",
        "gsm8k errors",
    ] {
        for words in [
            format!("## {title}"),
            format!("**{title}**"),
            format!("{title}:"),
            format!("Table 3. {title}"),
            format!("<details><summary>{title}</summary>"),
        ] {
            check(&below(&words), &[], &below(&words));
        }
        let named = format!("## {title}\n\n| Model | accuracy on gsm8k |\n|-|-|\n| tuned | ? |\n");
        check(&named, &[], &named);
    }
    for words in [
        "Mean response length in tokens:",
        "**Table 2. F1 scores of all models**",
        "The numbers are the median latency of each answer, over all problems that were asked.",
        "- gsm8k\n- standard deviation",
    ] {
        check(&below(words), &[], &below(words));
    }
    let caption = below("# Results") + "\nTable 2: exact-match error rate (lower is better)\n";
    check(&caption, &[], &caption);
}

#[test]
fn words_that_add_nothing_and_names_of_the_runs_do_not_stop_it() {
    for words in [
        "# Results",
        "## 3.2 Main results on gsm8k",
        "## Comparison of base and tuned (accuracy)",
        "## Accuracy ↑ (higher is better)",
        "## 准确率结果对比",
        "Table 1: accuracy of both models",
        "# Project Heron v3\n\n## Accuracy",
        "We trained it for two days and then evaluated it with the usual prompt, as before.",
    ] {
        check(&below(words), &[], &below(words).replace('?', "62.5%"));
    }
    let bound = below("## Heron\n\n<!-- reportgen:bind metric=accuracy -->");
    check(&bound, &[], &bound.replace('?', "62.5%"));
}

#[test]
fn nothing_is_written_beside_what_is_no_figure_of_the_kind() {
    for table in [
        "| Supported | base | tuned |\n|-|-|-|\n| gsm8k | ? | ? |\n",
        "| Dataset | base | tuned |\n|-|-|-|\n| gsm8k | ✅ | ? |\n",
        "| Dataset | base | tuned |\n|-|-|-|\n| llama | no | yes |\n| gsm8k | ? | ? |\n",
        "| Dataset | base | tuned |\n|-|-|-|\n| mmlu | 12.1 s | 14.0 s |\n| gsm8k | ? | ? |\n",
        "| Dataset | base | tuned |\n|-|-|-|\n| mmlu | 431 | 390.5 |\n| gsm8k | ? | ? |\n",
        "| Dataset | base | tuned |\n|-|-|-|\n| mmlu | 52.3 ± 1.4 | 53.1 ± 1.2 |\n| gsm8k | ? | ? |\n",
        "| Dataset | base | tuned |\n|-|-|-|\n| mmlu | 52,3 | 53,1 |\n| gsm8k | ? | ? |\n",
        "| Model | Split | gsm8k |\n|-|-|-|\n| tuned | train | ? |\n",
        "| Model | gsm8k ↓ |\n|-|-|\n| tuned | ? |\n",
    ] {
        check(table, &[], table);
    }
    let table = "| Dataset | base | tuned | \\|Δ\\| |\n|-|-|-|-|\n| gsm8k | 50.0% | ? | ? |\n";
    check(table, &[], &table.replacen('?', "62.5%", 1));
    let marked = "| Model | gsm8k |\n|-|-|\n| llama | 61.2* |\n| other | – |\n| tuned | ? |\n";
    check(marked, &[], &marked.replace('?', "62.5"));
}
