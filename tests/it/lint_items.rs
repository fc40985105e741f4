//! What `lint` finds of the inconsistencies of four reports, and why it does not find the others.

use reportgen::lint::lint;

/// What becomes of an inconsistency of the four reports that the rules were made for.
enum Item {
    /// The rule that finds it, in a text that says the same.
    Found(&'static str, &'static str),
    /// Figures that are right: a text in which nothing may be found.
    Right(&'static str),
    /// Why a program that sees documents alone does not find it.
    Beyond(&'static str),
}
use Item::{Beyond, Found, Right};

/// The items of the audit of these reports, by number from 1.
const ITEMS: &[Item] = &[
    Found(
        "stars",
        "| a | 评分 |\n|-|-|\n| 1 | ⭐⭐⭐⭐⭐ |\n| 2 | ⭐⭐⭐⭐⭐ |\n| 3 | ⭐⭐⭐⭐ |\n| 4 | ⭐⭐⭐⭐⭐ |\n| 5 | ⭐⭐⭐⭐⭐ |\n| 6 | ⭐⭐⭐⭐ |\n\n总分：**4.8/5.0**\n",
    ),
    Beyond(
        "nothing says that the two counts are of one growing total; under a head that does, `cumulative` finds it",
    ),
    Found(
        "noise",
        "| 指标 | 3 | 5 | 趋势 |\n|-|-|-|-|\n| 格式 | 97.7% (43/44) | 100% (64/64) | ⬆️ |\n",
    ),
    Beyond("that a count should have been a rate is a matter of what it counts"),
    Beyond("two sentences about one event"),
    Beyond(
        "a column of differences in % is usual and read as points; `points` finds it in a sentence",
    ),
    Beyond("how a forecast was made, and of what a saving is a share"),
    Beyond("that a quotient should have been whole is a matter of what it counts"),
    Beyond("two forecasts, and what they assume"),
    Beyond("whether five of 500 steps allow a judgement"),
    Beyond("a count and a sentence that denies it"),
    Beyond("whether a mean is over all or over the failures"),
    Beyond("an error message against the code that it quotes"),
    Beyond("which problem a number refers to"),
    Beyond("an ellipsis against the steps around it"),
    Beyond(
        "which difference of two configurations was meant; `compare` and `check` find it in the runs",
    ),
    Beyond(
        "two shares of one file, in sentences with other words; one of them no count gives only if the score is 0 or 1",
    ),
    Found(
        "unknown-arm",
        "| n | KL_BETA=0.15 | KL_BETA=0.12 |\n|-|-|-|\n| 1 | 58.8 | 57.0 |\n\n说明 KL_BETA=0.12 和 0.18 的模型策略分布几乎相同\n",
    ),
    Beyond("that two tables hold one checkpoint; `compare` finds equal results of the runs"),
    Beyond("cells that are equal in part; `compare` finds equal results of the runs"),
    Found(
        "misplaced-heading",
        "# Epoch 1 对比\n\n## Epoch 2 差异\n\n# Epoch 2 对比\n\n## Epoch 2 差异\n",
    ),
    Found(
        "stray-row",
        "1. 说明\n2. 说明\n| **400** | 1 | 53.0% | ? |\n| **400** | 2 | 51.0% | ? |\n",
    ),
    Beyond("a setting against a sentence about how far training went"),
    Found("meaning", "- KL 值持续下降，说明模型在逐渐偏离初始策略\n"),
    Found("meaning", "- PPO Loss 逐渐增加，说明模型在学习新的策略\n"),
    Right(
        "错误 5/800 (0.6%)；KL 0.094 → 0.08131（↓ 13.5%），0.08131 → 0.07414（↓ 8.8%）；PPO 0.00034 → 0.00083（↑ 144%），0.00083 → 0.00092（↑ 11%）\n\n| A | B | 差异 |\n|-|-|-|\n| 58.8% | 57.0% | -1.8% |\n| 56.6% | 56.1% | -0.5% |\n| 53.9% | 55.1% | +1.2% |\n| 55.2% | 55.2% | 0.0% |\n",
    ),
    Beyond("shares without counts have no interval; `compare` gives that of the runs"),
    Beyond("figures that are as they may be"),
    Beyond("an expectation against a target in another section"),
    Found(
        "unmet-expectation",
        "| 错误类型 | Phase 0 | Phase 1 | 变化 | 预期 |\n|-|-|-|-|-|\n| syntax | 15% | 5% | -66.7% | ↓ -30-60% |\n",
    ),
    Beyond("data in one block of code against a curve in another"),
    Beyond("a record in code; reading samples finds it (R157)"),
    Found(
        "bars",
        "```\nwrong  ██████████████ 20%\nsyntax ████████████████████████ 47%\napi    ██████ 10%\ntime   ██████ 8%\n```\n",
    ),
    Right(
        "| 类型 | 之前 | 之后 |\n|-|-|-|\n| a | 15 | 5 |\n| b | 20 | 10 |\n| c | 10 | 5 |\n| d | 47 | 55 |\n| e | 8 | 25 |\n| 合计 | 100 | 100 |\n\n| 类型 | 占比 |\n|-|-|\n| a | 15% |\n| b | 20% |\n| c | 10% |\n| d | 47% |\n| e | 8% |\n\n正确率 55% → 80%（+25 pp）\n",
    ),
    Beyond(
        "whether a threshold is above noise; `compare` gives the difference that samples can show",
    ),
    Beyond("whether a range holds its end, and how a shell reads a space"),
];

#[test]
fn of_the_inconsistencies_of_four_reports_those_are_found_that_figures_show() {
    assert_eq!(ITEMS.len(), 36);
    for (number, item) in (1..).zip(ITEMS) {
        let rules = |text| lint(text, |_| true).iter().map(|one| one.rule).collect::<Vec<_>>();
        match item {
            Found(rule, text) => assert_eq!(rules(text), [*rule], "{number}"),
            Right(text) => assert_eq!(rules(text), [""; 0], "{number}"),
            Beyond(why) => assert!(!why.is_empty(), "{number}"),
        }
    }
}

#[test]
fn a_plan_with_open_cells_has_nothing_wrong_but_its_torn_rows() {
    let text = include_str!("../../fixtures/cases/fill_grid_zh/runs/report.md");
    let found = lint(text, |rule| rule.is_on);
    let rules: Vec<&str> = found.iter().map(|one| one.rule).collect();
    assert_eq!(rules, ["stray-row"], "{found:?}");
}
