//! What `lint` says of sentences and verdicts that figures contradict.

use crate::cases::tests;
use crate::command::reportgen;
use crate::directory::Directory;
use crate::lint::check;

/// What is found in a document and in another of that name.
#[track_caller]
fn check_versions(name: &str, text: &str, other: &str, expected: &str) {
    let directory = Directory::new();
    directory.write("README.md", text);
    directory.write(name, other);
    let ended = reportgen(["lint", &directory.word("."), "--lang", "en"]);
    let out = ended.out.replace(&(directory.word(".") + "/"), "");
    assert_eq!(out, expected);
}

/// A table of results in which one figure can be chosen.
fn results(head: &str, figure: &str) -> String {
    format!(
        "# {head}\n\n| Model | MMLU | GSM8K |\n|-|-|-|\n| a-7b | 61.4 | 52.3 |\n| b-7b | {figure} | 55.1 |\n| c-7b | 70.2 | 58.0 |\n"
    )
}

tests![
    figures_that_fall_and_are_said_to_rise = check(
        "Accuracy increased from 75.3% to 70.1%.\nPass@1 rose steadily from 0.41 to 0.39, as planned.\n准确率从 75.3% 上升到 70.1%。\n",
        &[("claim", 1), ("claim", 2), ("claim", 3)],
    ),
    figures_that_rise_and_are_said_to_fall = check(
        "- The loss dropped from 0.42 to 0.57\n- 延迟由 210 ms 降到 250 ms\n- Memory decreased: 24.0 GB → 28.5 GB\n",
        &[("claim", 1), ("claim", 2), ("claim", 3)],
    ),
    figures_that_get_worse_and_are_said_to_improve = check(
        "WER improved from 5.1 to 6.3.\nThe accuracy improved from 75.3% to 70.1%.\nExact match degraded from 61.0 to 64.2.\n准确率从 75.3% 提升到 70.1%。\n",
        &[("claim", 1), ("claim", 2), ("claim", 3), ("claim", 4)],
    ),
    claims_behind_and_beside_their_figures = check(
        "Recall increased to 79.8% from 81.3%.\nStandard deviation decreases over time (0.57 → 1.05)\nF1 0.512 → 0.487 (improved)\n准确率提升：81.3% → 79.8%\n验证集准确率从 81.3% 提升到 79.8%。\n",
        &[("claim", 1), ("claim", 2), ("claim", 3), ("claim", 4), ("claim", 5)],
    ),
    what_gets_better_as_it_falls = check(
        "Accuracy loss improved from 1.2% to 0.8%.\n数据量从 9000 增加到 1.2 万。\n代码简洁度 62% 提升 (80 → 30行)\n恢复 93% PPL 退化（5.04→4.71）\n",
        &[],
    ),
    claims_that_figures_bear_out = check(
        "WER improved from 6.3 to 5.1.\nAccuracy rose from 70.1% to 75.3%.\nExact match degraded from 64.2 to 61.0.\n延迟由 250 ms 降到 210 ms，准确率从 70.1% 提升到 75.3%。\nFROBS improved from 5.1 to 6.3.\n",
        &[],
    ),
    what_is_no_claim_of_these_two_figures = check(
        "We increased dropout, and accuracy went from 75.3% to 70.1%.\nAccuracy has not increased from 75.3% to 70.1%.\nThe loss fell over steps from 1 to 4.\nNon-increasing k=1→4 fell.\nRose 11 040 → 37 129, dropped 2^3 → 2^5.\n`rose from 75.3% to 70.1%`\n",
        &[],
    ),
    rows_that_are_called_what_they_are_not = check(
        "| Metric | Before | After | Verdict |\n|-|-|-|-|\n| Accuracy | 75.3% | 70.1% | improved |\n| WER | 5.1 | 6.3 | ✅ Better |\n| Latency (ms) ↓ | 210 | 250 | 改善 |\n| Accuracy | 70.1% | 75.3% | regression |\n",
        &[("claim", 3), ("claim", 4), ("claim", 5), ("claim", 6)],
    ),
    rows_whose_verdict_says_which_way_they_went = check(
        "| 指标 | 训练前 | 训练后 | 结论 |\n|-|-|-|-|\n| 准确率 | 52.0% | 57.5% | 提升 |\n| 格式正确率 | 96.4% | 93.1% | 提升 |\n| 平均长度 | 412 | 365 | 下降 |\n| MRR | 0.655 | 0.631 | ↑ |\n| Latency | 83 ms | 91 ms | ⬇️ reduced |\n| Latency | 91 ms | 83 ms | ⬆️ |\n",
        &[("claim", 4), ("claim", 6), ("claim", 7)],
    ),
    rows_that_are_called_what_they_are = check(
        "| Metric | New | Baseline | Verdict |\n|-|-|-|-|\n| Accuracy | 75.3% | 70.1% | improved |\n| WER | 6.3 | 5.1 | worse |\n| Frobs | 6.3 | 5.1 | worse |\n| Accuracy | 70.1% | 75.3% | not improved |\n",
        &[],
    ),
    a_falling_divergence_is_no_moving_away = check(
        "KL 值持续下降，说明模型在逐渐偏离初始策略\nKL decreases steadily, which indicates that the policy is drifting away.\nPPO Loss 逐渐增加，说明模型在学习新的策略\nEntropy rises, suggesting that the policy collapses.\n",
        &[("meaning", 1), ("meaning", 2), ("meaning", 3), ("meaning", 4)],
    ),
    what_a_moving_metric_does_mean = check(
        "KL 值持续上升，说明模型在逐渐偏离初始策略\nKL decreases, which indicates that the policy is not drifting away.\nKL 下降，说明偏离减少\nKL 下降，并不说明策略偏离\nKL 下降后又上升，说明策略偏离\nKL 惩罚系数下降，说明策略偏离更大\nThe entropy falls, suggesting that the policy collapses.\n",
        &[],
    ),
    verdicts_on_targets_that_their_figures_deny = check(
        "| Metric | Target | Actual | Status |\n|-|-|-|-|\n| accuracy | ≥ 90% | 87.2% | ✅ |\n| latency | < 100 ms | 120 ms | met |\n| recall | ≥ 0.8 | 0.85 | ❌ 未达标 |\n| gain | +20-40pp | +17pp | 达标 |\n",
        &[("expectation", 3), ("expectation", 4), ("expectation", 5), ("expectation", 6)],
    ),
    verdicts_on_targets_that_their_figures_bear_out = check(
        "| Metric | Target | Actual | Status |\n|-|-|-|-|\n| accuracy | ≥ 90% | 92% | ✅ |\n| latency | < 100 ms | 1.2 s | met |\n| recall | > 0.90 | 0.90 | ✅ |\n| gain | ↓ -30-60% | -45% | 达标 |\n| size | 90% | 80% | ✅ |\n| loss | < 2.0 | 2.1 | ❌ |\n| F1 | ≥ 0.9 | 0.85 | ⚠️ |\n| pp | +2-4pp | +5.1pp | ✅ exceeded |\n| ms | 80-100 ms | 65 ms | ✅ |\n\n| Metric | Target | Current | Priority |\n|-|-|-|-|\n| accuracy | ≥ 90% | 87.2% | ✅ agreed |\n",
        &[],
    ),
    figures_outside_of_what_was_expected = check(
        "| 指标 | Phase 0 | Phase 1 | 变化 | 预期 |\n|-|-|-|-|-|\n| syntax | 15% | 5% | -10 pp | ↓ -20-40 pp |\n| success | 55% | 80% | +25 pp | ↑ +20-40 pp |\n",
        &[("unmet-expectation", 3)],
    ),
    a_conclusion_about_a_run_without_results = check(
        "# Results\n\n| set | base | tuned-v2 |\n|-|-|-|\n| a | 61.4 | ? |\n| b | 55.1 | ? |\n\nOverall, tuned-v2 outperforms base.\nWe expect that tuned-v2 is better than base.\nbase is better than the last one.\nIn the paper tuned-v2 outperforms base.\nDoes tuned-v2 outperform base?\n",
        &[("open-arm", 8)],
    ),
    a_value_that_no_run_has = check(
        "| n | KL_BETA=0.15 | KL_BETA=0.12 |\n|-|-|-|\n| 1 | 58.8 | 57.0 |\n\nKL_BETA=0.12 和 0.18 的策略几乎相同。\nKL_BETA=0.12 and 0.15 are close.\nWe recommend KL_BETA=0.12 and 0.18.\nKL_BETA=0.12 and 0.18 seconds, KL_BETA=0.12 and 3 more.\n",
        &[("unknown-arm", 5)],
    ),
    a_value_that_no_row_has = check(
        "| Run | KL_BETA | Accuracy |\n|-|-|-|\n| r1 | 0.12 | 62.5% |\n| r2 | 0.15 | 64.1% |\n\nWith KL_BETA=0.12 and 0.18 the policy stays close.\nKL_BETA=0.15 与 0.62 的准确率。\n",
        &[("unknown-arm", 6)],
    ),
    a_figure_under_a_translated_head = check_versions(
        "README_zh.md",
        "| Model | mAP | Params (M) |\n|-|-|-|\n| s | 42.7 | 9.2 |\n| m | 48.1 | 20.1 |\n| l | 51.0 | 43.9 |\n",
        "| 模型 | 精度 | 参数量 (M) |\n|-|-|-|\n| 小 | 42.7 | 9.2 |\n| 中 | 48.7 | 20.1 |\n| 大 | 51.0 | 43.9 |\n",
        "README_zh.md:4:7: 48.7 here and 48.1 in README.md:4; the 5 other figures that both tables have agree [two-values]\n",
    ),
    a_figure_that_is_another_one_in_a_translation = check_versions(
        "README_zh-CN.md",
        &results("Results", "66.4"),
        &results("结果", "61.4"),
        "README_zh-CN.md:6:10: 61.4 here and 66.4 in README.md:6; the 5 other figures that both tables have agree [two-values]\n",
    ),
    a_figure_that_is_rounded_in_a_translation =
        check_versions("README_CN.md", &results("Results", "66.42"), &results("结果", "66.4"), ""),
    a_figure_of_another_document =
        check_versions("other.md", &results("Results", "66.4"), &results("Results", "61.4"), ""),
    a_figure_of_a_translation_that_is_allowed = check_versions(
        "README_ja.md",
        &results("Results", "66.4"),
        &results("結果", "61.4 <!-- reportgen:allow two-values -->"),
        "",
    ),
];
