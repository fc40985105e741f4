//! `lint` finds figures that contradict each other, and says nothing of figures that may be right.

use proptest::prelude::*;
use reportgen::lint::{RULES, fixed, lint};
use reportgen::text::Catalogue;

use crate::cases::tests;

/// Rules and lines of what is found.
#[track_caller]
pub(crate) fn check(text: &str, expected: &[(&str, usize)]) {
    let found = lint(text, |_| true);
    let found: Vec<(&str, usize)> =
        found.iter().map(|finding| (finding.rule, finding.line)).collect();
    assert_eq!(found, expected, "{text}");
}

/// What becomes of a document whose figures are mended.
#[track_caller]
pub(crate) fn check_fixed(text: &str, expected: &str) {
    let findings = lint(text, |_| true);
    assert!(!findings.is_empty(), "{text}");
    assert_eq!(fixed(text, &findings), expected);
}

/// Differences of which the third row is wrong, below a head.
fn differences(head: &str, wrong: &str) -> String {
    format!(
        "| m | A | B | {head} |\n|-|-|-|-|\n| a | 58.8% | 57.0% | -1.8% |\n| b | 60.0% | 63.0% | +3.0% |\n| c | 41.2% | 45.5% | {wrong} |\n| d | 50.0% | 51.5% | +1.5% |\n"
    )
}

tests![
    a_difference_is_mended = check_fixed(&differences("Δ", "+3.1%"), &differences("Δ", "+4.3%")),
    a_difference_that_a_slip_beside_it_explains_is_left =
        check_fixed(&differences("Δ", "+4.7%"), &differences("Δ", "+4.7%")),
    a_difference_of_which_only_the_sign_is_wrong_is_left =
        check_fixed(&differences("Δ", "-4.3%"), &differences("Δ", "-4.3%")),
    a_difference_that_is_counted_to_the_good_side_is_left =
        check_fixed(&differences("提升", "+3.4%"), &differences("提升", "+3.4%")),
    a_percentage_that_no_slip_in_its_counts_explains_is_mended =
        check_fixed("95.0% (44/50), 97.7% (43/45)\n", "88.0% (44/50), 97.7% (43/45)\n"),
    a_row_with_two_wrong_figures_is_left = check_fixed(
        "| a | b |\n|-|-|\n| 95.0% (44/50) | 95.0% (44/50) |\n",
        "| a | b |\n|-|-|\n| 95.0% (44/50) | 95.0% (44/50) |\n",
    ),
    a_percentage_that_is_far_from_its_counts_is_left =
        check_fixed("31% (76/163)\n", "31% (76/163)\n"),
    what_a_program_printed_is_left =
        check_fixed("```\n95.0% (44/50)\n```\n", "```\n95.0% (44/50)\n```\n"),
    counts_against_their_percentage =
        check("97.7% (43/44), 3/9 (33.4%)\n44/64 = 70%\n", &[("rate", 2)]),
    counts_in_the_cell_beside_their_percentage = check(
        "| model | pass | rate |\n|-|-|-|\n| a | 43/45 | 97.7% |\n| b | 40/45 | 88.9% |\n| c | 31/45 | 68.9% |\n\n| model | seen | rate |\n|-|-|-|\n| a | 43/45 | 17.7% |\n| b | 40/45 | 18.9% |\n| c | 31/45 | 68.9% |\n",
        &[("fraction-column", 3)],
    ),
    percentages_that_no_count_gives = check(
        "| m | n | accuracy | mean % |\n|-|-|-|-|\n| a | 40 | 52.5% | 51.3 |\n| b | 40 | 53.5% | 52.9 |\n| c | 40 | 55.0% | 53.1 |\n| d | 4000 | 53.7% | 50.2 |\n\n| m | n | F1 |\n|-|-|-|\n| a | 3531 | 42.14% |\n| b | 3531 | 42.47% |\n| c | 3531 | 42.02% |\n| d | 3531 | 42.71% |\n\n| m | Total picked | F1 |\n|-|-|-|\n| a | 46 | 50.0% |\n| b | 20 | 20.0% |\n| c | 11 | 14.7% |\n",
        &[("impossible-share", 4)],
    ),
    columns_of_percentages_and_counts_of_something_else = check(
        "| bits | % parameters (layers) |\n|-|-|\n| 8 | 31% (76 / 163) |\n\n| a | share (count) |\n|-|-|\n| x | 31% (76/163) |\n| y | 69% (87/163) |\n\n```\n│ 8 │ 31% (76 / 163) │\n├───┼────────────────┤\n│ 4 │ 69% (87 / 163) │\n```\n",
        &[],
    ),
    columns_of_percentages_and_their_counts = check(
        "| a | % right (of all) |\n|-|-|\n| x | 47% (76/163) |\n| y | 69% (87/163) |\n\n| a | b |\n|-|-|\n| x | 69% (87/163) |\n\n+ 69% (87/163)\n+ 31% (76/163)\n",
        &[("rate", 4), ("rate", 8), ("rate", 10), ("rate", 11)],
    ),
    differences_of_two_columns = check(
        "| n | A | B | Δ |\n|-|-|-|-|\n| 1 | 58.8% | 57.0% | -1.8% |\n| 2 | 56.6% | 56.1% | -0.5% |\n| 3 | 53.9% | 55.1% | +1.2% |\n| 4 | 55.2% | 55.9% | -0.7% |\n",
        &[("difference", 6)],
    ),
    differences_from_figures_that_were_rounded = check(
        "| A | B | diff |\n|-|-|-|\n| 58.8 | 57.0 | -1.7 |\n| 56.6 | 56.1 | -0.4 |\n| 53.9 | 55.1 | +1.3 |\n",
        &[],
    ),
    differences_whose_rule_is_not_known = check(
        "| A | B | change |\n|-|-|-|\n| 1.0 | 2.0 | 9.0 |\n| 4.0 | 5.0 | 1.0 |\n| 3.0 | 4.0 | 1.0 |\n| 3.0 | 7.0 | 2.0 |\n",
        &[],
    ),
    relative_changes = check(
        "| A | B | change |\n|-|-|-|\n| 0.50 | 0.75 | +50% |\n| 0.20 | 0.30 | +50% |\n| 0.40 | 0.30 | -25% |\n| 0.40 | 0.50 | +52% |\n",
        &[("difference", 6)],
    ),
    differences_beside_whole_numbers = check(
        "| metric | n | delta |\n|-|-|-|\n| A | 96 | 1.004 |\n| B | 96 | 0.721 |\n| C | 96 | 0.318 |\n| D | 96 | 0.280 |\n\n| Task | cases | Δ turns |\n|-|-|-|\n| a | 7 | -9.6% |\n| b | 10 | +3.2% |\n| c | 10 | +7.0% |\n| d | 10 | +67.0% |\n",
        &[],
    ),
    differences_to_what_is_in_no_row = check(
        "| Run | cap | bpb | Delta |\n|-|-|-|-|\n| 4 | 5 | 1.9942 | -0.0013 |\n| 3 | 10 | 1.9931 | -0.0024 |\n| 2 | 20 | 1.9935 | -0.0020 |\n| 1 | 50 | 1.9957 | +0.0003 |\n",
        &[],
    ),
    differences_beside_their_bounds = check(
        "| arm | base | target | gain | gain_ci_lo |\n|-|-|-|-|-|\n| a | 2.6 | 3.3 | 0.7 | 0.5 |\n| b | 2.2 | 3.4 | 1.2 | 1.1 |\n| c | 2.5 | 3.0 | 0.5 | 0.3 |\n| d | 2.5 | 3.1 | 0.6 | 0.4 |\n",
        &[],
    ),
    differences_over_other_samples = check(
        "| m | mean_a | mean_b | mean_delta |\n|-|-|-|-|\n| a | 2.979 | 3.021 | -0.042 |\n| b | 2.771 | 2.844 | -0.073 |\n| c | 3.312 | 2.979 | 0.333 |\n| d | 0.615 | 0.298 | 0.333 |\n",
        &[],
    ),
    deviations_below_differences = check(
        "| m | A | B | Δ |\n|-|-|-|-|\n| a | 0.512 | 0.612 | 0.100 |\n| b | 0.412 | 0.362 | -0.050 |\n| c | 0.712 | 0.912 | 0.200 |\n| **Std** | 0.236 | 0.212 | 0.132 |\n| 标准差 | 0.236 | 0.212 | 0.132 |\n| 95% CI | 0.236 | 0.212 | 0.132 |\n| p95 | 0.236 | 0.212 | 0.132 |\n",
        &[],
    ),
    means_of_changes_in_per_cent = check(
        "| m | A | B | change |\n|-|-|-|-|\n| a | 0.50 | 0.75 | +50% |\n| b | 0.20 | 0.30 | +50% |\n| c | 0.40 | 0.30 | -25% |\n| d | 0.40 | 0.60 | +50% |\n| mean | 0.38 | 0.49 | +31% |\n",
        &[],
    ),
    reductions_without_a_sign = check(
        "| Kernel | before (ms) | after (ms) | reduction |\n|-|-|-|-|\n| attn | 12.40 | 8.10 | 34.7% |\n| mlp | 20.10 | 15.30 | 23.9% |\n| norm | 2.20 | 1.90 | 18.6% |\n| embed | 1.50 | 1.20 | 20.0% |\n| head | 4.00 | 3.10 | 22.5% |\n\n| m | A | B | saved |\n|-|-|-|-|\n| a | 24.0 | 18.0 | 6.0 |\n| b | 40.0 | 31.5 | 8.5 |\n| c | 12.0 | 8.0 | 5.0 |\n| d | 55.0 | 32.2 | 22.8 |\n",
        &[("difference", 5), ("difference", 13)],
    ),
    differences_that_are_all_about_the_same = check(
        "| m | a | b | Δ |\n|-|-|-|-|\n| a | 1.2 | 1.1 | 0.1 |\n| b | 1.4 | 1.5 | 0.1 |\n| c | 1.1 | 1.3 | 0.2 |\n| d | 1.0 | 1.9 | 0.2 |\n",
        &[],
    ),
    two_of_three_differences = check(
        "| task | base | tuned | Δ |\n|-|-|-|-|\n| a | 58.8 | 57.0 | -1.8 |\n| b | 60.0 | 63.0 | +3.0 |\n| c | 41.2 | 45.5 | +3.4 |\n\n| model | acc | vs baseline |\n|-|-|-|\n| baseline | 50.1 | - |\n| a | 52.3 | +2.2 |\n| b | 55.4 | +5.3 |\n| c | 57.7 | +6.7 |\n",
        &[("difference", 5), ("difference", 12)],
    ),
    averages_of_samples = check(
        "| Year | N | Min | Max | Mean |\n|-|-|-|-|-|\n| 2020 | 2 | 149 | 197 | 173 |\n| 2021 | 3 | 76 | 141 | 111 |\n| 2022 | 1 | 88 | 88 | 88 |\n| 2023 | 2 | 61 | 126 | 93 |\n\n| m | mass | Top-1 | Mean rate |\n|-|-|-|-|\n| a | 0.75 | 1.00 | 0.88 |\n| b | 0.65 | 1.00 | 0.83 |\n| c | 0.35 | 1.00 | 0.68 |\n| d | 0.65 | 1.00 | 0.17 |\n",
        &[],
    ),
    averages_over_languages = check(
        "| model | Average | en | hi | lo |\n|-|-|-|-|-|\n| m1 | 20.0 | 10.0 | 20.0 | 30.0 |\n| m2 | 25.0 | 20.0 | 25.0 | 30.0 |\n| m3 | 31.0 | 20.0 | 25.0 | 45.0 |\n",
        &[("average", 5)],
    ),
    averages_of_three_rows = check(
        "| model | a | b | 平均 |\n|-|-|-|-|\n| m1 | 10.0 | 20.0 | 15.0 |\n| m2 | 12.0 | 20.0 | 18.0 |\n| m3 | 12.0 | 28.0 | 20.0 |\n",
        &[("average", 4)],
    ),
    averages_of_a_row = check(
        "| Model | Params | a | b | c | Avg |\n|-|-|-|-|-|-|\n| x | 7 | 10.0 | 20.0 | 30.0 | 20.0 |\n| y | 70 | 20.0 | 20.0 | 32.0 | 24.0 |\n| z | 1 | 1.0 | 2.0 | 3.0 | 2.0 |\n| w | 8 | 50.0 | 60.0 | 70.0 | 65.0 |\n",
        &[("average", 6)],
    ),
    averages_that_are_weighted = check(
        "| Model | a | b | Avg |\n|-|-|-|-|\n| x | 10.0 | 20.0 | 12.0 |\n| y | 20.0 | 30.0 | 22.0 |\n| z | 1.0 | 2.0 | 1.2 |\n",
        &[],
    ),
    rows_of_totals = check(
        "| part | a | b | c |\n|-|-|-|-|\n| x | 1 | 2 | 3 |\n| y | 4 | 5 | 6 |\n| Total | 5 | 7 | 10 |\n",
        &[("total", 5)],
    ),
    rows_of_totals_beside_rates_and_times = check(
        "| Task | n | correct | accuracy | seconds |\n|-|-|-|-|-|\n| easy | 50 | 45 | 90.0% | 12 |\n| hard | 50 | 20 | 40.0% | 30 |\n| **Total** | **100** | **65** | **65.0%** | **21** |\n",
        &[],
    ),
    rows_of_totals_beside_rates_with_a_wrong_count = check(
        "| Task | n | correct | failed | accuracy |\n|-|-|-|-|-|\n| easy | 50 | 45 | 5 | 90.0% |\n| hard | 50 | 20 | 30 | 40.0% |\n| Total | 100 | 66 | 35 | 65.0% |\n",
        &[("total", 5), ("count-column", 5)],
    ),
    rows_of_means = check(
        "| Shot | a | b | c |\n|-|-|-|-|\n| 1 | 1.0% | 2.0% | 3.0% |\n| 2 | 2.0% | 4.0% | 5.0% |\n| 平均 | 1.5% | 3.0% | 4.4% |\n",
        &[("total", 5)],
    ),
    means_beyond_all_that_they_are_of = check(
        "| Seed | acc | F1 |\n|-|-|-|\n| 1 | 81.2 | 79.5 |\n| 2 | 82.0 | 80.1 |\n| 3 | 80.4 | 78.8 |\n| 4 | 81.6 | 79.9 |\n| Mean | 81.3 | 78.6 |\n\n| Seed | acc | F1 |\n|-|-|-|\n| a | 81.2 | 79.5 |\n| b | 82.0 | 80.1 |\n| Mean | 81.6 | 79.6 |\n",
        &[("total", 7)],
    ),
    means_of_changes = check(
        "| sigma | fixed | ours | impr. vs fixed | a | b |\n|-|-|-|-|-|-|\n| 0 | 0.1112 | 0.1135 | -2.0% | 1.0 | 3.0 |\n| 1 | 0.1301 | 0.1298 | +0.2% | 2.0 | 4.0 |\n| 2 | 0.1862 | 0.1787 | +4.1% | 3.0 | 5.0 |\n| 3 | 0.2787 | 0.2593 | +7.0% | 4.0 | 6.0 |\n| mean | 0.1765 | 0.1703 | +3.5% | 2.5 | 4.5 |\n",
        &[],
    ),
    stars_against_their_score = check(
        "| a | score |\n|-|-|\n| x | ⭐⭐⭐⭐⭐ |\n| y | ⭐⭐⭐⭐ |\n| z | ⭐⭐⭐⭐ |\n\n**4.8/5.0**\n\n# next\n\n1.0/5.0\n",
        &[("stars", 7)],
    ),
    stars_above_a_last_row_with_their_score = check(
        "| a | score |\n|-|-|\n| x | ⭐⭐⭐⭐⭐ |\n| y | ⭐⭐⭐⭐ |\n| z | ⭐⭐⭐⭐ |\n| Overall | 4.6/5 |\n\n| a | score |\n|-|-|\n| x | ⭐⭐⭐⭐⭐ |\n| y | ⭐⭐⭐⭐ |\n| z | ⭐⭐⭐⭐ |\n| Overall | 4.3/5 |\n",
        &[("stars", 6)],
    ),
    bars_not_to_scale = check(
        "```\na ██████ 10%\nb ██████ 8%\nc ██████████████████████████ 55%\n```\n\n```\na ██ 4%\nb █████ 10%\nc █ 1%\n```\n",
        &[("bars", 3)]
    ),
    bars_in_cells_with_what_is_left_of_them = check(
        "| x | bar |\n|-|-|\n| a | ██████░░░░ 60% |\n| b | ██████░░░░ 20% |\n\n- ██████ 10%\n- ██████ 25%\n\n- ██████ 10%\n- ██████ 8%\n",
        &[("bars", 3), ("bars", 6)],
    ),
    a_change_within_noise = check(
        "| m | A | B | trend |\n|-|-|-|-|\n| f | 97.7% (43/44) | 100% (64/64) | ⬆️ |\n| g | 10.0% (10/100) | 50.0% (60/120) | ⬆️ |\n| h | 97.7% (43/44) | 100% (64/64) | stable |\n",
        &[("noise", 3)],
    ),
    a_change_of_the_same_samples = check(
        "| m | A | B | trend |\n|-|-|-|-|\n| f | 20.0% (20/100) | 23.0% (23/100) | better |\n| g | 20.0% (20/100) | 28.0% (28/100) | better |\n",
        &[("noise", 3)],
    ),
    rows_that_belong_to_no_table = check(
        "1. a\n2. b\n| 400 | 53.0% |\n| 800 | 49.7% |\n\nuse `a | b` or | this |\n",
        &[("stray-row", 3)],
    ),
    a_heading_below_another_number = check(
        "# Epoch 1\n\n## Epoch 2 diff\n\n# Epoch 2\n\n## Epoch 2 diff\n\n# Step 1\n\n## Step 2\n",
        &[("misplaced-heading", 3)],
    ),
    emphasis_that_is_shown = check(
        "**100%**提升\n\n**100%** 提升\n\nsrc/**/a and **/b, 2**3**4\n",
        &[("broken-emphasis", 1)]
    ),
    several_stars_of_a_line_that_are_shown = check(
        "达到**100%**提升，但**召回率（Recall）**有\n\n其中**甲（A）**和**乙（B）**都好\n\n完整**（95\\% CI）**见\n\n**スター🌟**を, a **b** c **d** e, 2**3 **4** 5**6\n",
        &[
            ("broken-emphasis", 1),
            ("broken-emphasis", 1),
            ("broken-emphasis", 3),
            ("broken-emphasis", 3),
            ("broken-emphasis", 5)
        ],
    ),
    a_difference_to_the_good_side = check(
        "| m | A | B | Δ |\n|-|-|-|-|\n| a | 45.3 | 52.1 | +6.8 |\n| b | 14.6 | 41.2 | +26.6 |\n| c | 12.8 | 28.7 | +15.9 |\n| Perplexity ↓ | 5.47 | 5.02 | 0.45 |\n| Loss ↓ | 5.47 | 5.02 | +0.45 |\n",
        &[],
    ),
    a_difference_with_the_wrong_sign = check(
        "| m | A | B | Δ |\n|-|-|-|-|\n| a | 45.3 | 52.1 | +6.8 |\n| b | 14.6 | 41.2 | +26.6 |\n| c | 12.8 | 28.7 | +15.9 |\n| d | 12.8 | 10.7 | +2.1 |\n",
        &[("difference", 6)],
    ),
    distances_without_a_sign = check(
        "| Epoch | Train loss | Val loss | Diff |\n|-|-|-|-|\n| 1 | 2.0 | 2.1 | 0.1 |\n| 2 | 1.8 | 1.9 | 0.1 |\n| 3 | 1.5 | 1.9 | 0.4 |\n| 4 | 1.9 | 1.85 | 0.05 |\n\n| Model | A | B | Improvement |\n|-|-|-|-|\n| x | 50.0 | 60.0 | 20% |\n| y | 40.0 | 44.0 | 10% |\n| z | 80.0 | 88.0 | 10% |\n| err | 10.0 | 8.0 | 20% |\n",
        &[],
    ),
    differences_of_metrics_told_in_several_ways = check(
        "| m | A | B | Change |\n|-|-|-|-|\n| Size | 14.0 | 7.0 | -50% |\n| Time | 40 | 25 | -37.5% |\n| PPL | 5.0 | 5.1 | +2% |\n| MMLU | 62.1% | 61.8% | -0.3% |\n",
        &[],
    ),
    averages_over_more_than_is_shown = check(
        "| Model | a | b | Avg (56) |\n|-|-|-|-|\n| x | 64.2 | 50.0 | 57.1 |\n| y | 62.2 | 48.0 | 55.1 |\n| z | 63.1 | 49.0 | 56.05 |\n| w | 60.1 | 49.0 | 56.4 |\n",
        &[],
    ),
    averages_with_a_note = check(
        "| Model | MMLU | ARC | Avg |\n|-|-|-|-|\n| x | 10.0 | 20.0 | 15.0 |\n| y | 20.0 | 30.0 | 25.0 |\n| z | 20.0 | 40.0 | 30.0 |\n| v | 10.0 | 20.0 | 22.0* |\n| D (0-shot MMLU) | 40.0 | 50.0 | 54.1 |\n",
        &[],
    ),
    headings_about_two_numbers = check(
        "# Version 2\n\n## Migrating from version 1\n\n# Version 1\n\n## Migrating from version 1\n\n# Phase 1\n\n## Phase 2 preview\n\n# Phase 2\n\n## Phase 2 preview\n",
        &[],
    ),
    bars_of_another_figure = check(
        "92/100 ▓▓▓▓▓▓▓▓▓░ 40%\n85/100 ▓▓▓▓▓▓▓▓░░ 10%\n\n90.6 ███████████████ 90.6%\n86.1 █████████ 86.1%\n",
        &[("bars", 4)],
    ),
    a_carriage_return_ends_a_line = check(
        "```\na\rb\rc\r\n```\r\n| a | b |\n|-|-|\n| 1.0 | 2.0 |\n| 1.0 | 3.0 |\n\n50% (3/9)\n",
        &[("rate", 11)],
    ),
    emphasis_next_to_signs_that_are_no_punctuation =
        check("**평균 56.1°**에\n\n**€**a\n\n**56.1%**에\n", &[("broken-emphasis", 5)]),
    lines_of_prose_with_bars =
        check("| Some | text |\n| and | more |\n\n| 1 | 2 |\n| 1 | 2 | 3 |\n", &[]),
    stars_that_are_meant = check(
        "* use \\*\\*Default:\\*\\* more, \\*\\*100%\\*\\*提升, f(**opts)和g(**x)\n\n请**注意：**这是\n",
        &[("broken-emphasis", 3)],
    ),
    differences_to_the_first_row = check(
        "| Setup | MRR | nDCG | Δ vs Full |\n|-|-|-|-|\n| Full | 0.78 | 0.82 | — |\n| a | 0.71 | 0.76 | -0.06 |\n| b | 0.68 | 0.74 | -0.08 |\n| c | 0.74 | 0.79 | -0.03 |\n| d | 0.59 | 0.65 | -0.17 |\n| e | 0.60 | 0.66 | -0.26 |\n",
        &[("difference", 8)],
    ),
    shares_of_counts_in_columns = check(
        "| n | correct | accuracy |\n|-|-|-|\n| 800 | 426 | 53.1% |\n| 10 | 3 | 33.3% |\n| 10 | 3 | 30% |\n\n| n | Correct | Acc |\n|-|-|-|\n| 8 | 2 | 0.25 |\n| 8 | 3 | 0.35 |\n",
        &[("count-column", 3), ("count-column", 4), ("count-column", 10)],
    ),
    columns_that_only_sound_like_counts = check(
        "| total tokens | correct | accuracy |\n|-|-|-|\n| 800 | 426 | 71.0% |\n| 900 | 426 | 71.0% |\n\n| n | correct | accuracy |\n|-|-|-|\n| 10 | 12 | 33.3% |\n| 10 | 0.5 | 33.3% |\n",
        &[],
    ),
    shares_of_more_than_one_whole = check(
        "| Type | Share |\n|-|-|\n| a | 15% |\n| b | 20% |\n| c | 47% |\n| d | 25% |\n\n| 类型 | 占比 |\n|-|-|\n| a | 50% |\n| b | 20% |\n| 其他 | 20% |\n",
        &[("share-sum", 3), ("share-sum", 10)],
    ),
    shares_under_their_own_name = check(
        "| kind | Share |\n|-|-|\n| a | 35% |\n| b | 40% |\n| c | 47% |\n\n| kind | Share |\n|-|-|\n| a | 45% |\n| b | 50% |\n| c | 47% |\n| Total | 142% |\n\n| kind | Share (%) |\n|-|-|\n| a | 35 |\n| b | 40 |\n| Other | 5 |\n\n| kind | Share of samples |\n|-|-|\n| a | 35% |\n| b | 40% |\n| c | 47% |\n",
        &[("share-sum", 3), ("share-sum", 9), ("share-sum", 16)],
    ),
    shares_that_run_along_their_rows = check(
        "| budget | K share | V share | router share |\n|-|-|-|-|\n| a | 36% | 36% | 27% |\n| b | 36% | 36% | 27% |\n| c | 33% | 33% | 33% |\n",
        &[],
    ),
    shares_of_which_some_are_parts_of_another = check(
        "| Bucket | Share |\n|-|-|\n| fusion | 53.8% |\n| custom-call | 26.2% |\n| DKV | 13.8% |\n| forward | 12.4% |\n| loop | 10.4% |\n| reduce | 3.4% |\n\n| Bucket | Share | Note |\n|-|-|-|\n| fusion | 50% | |\n| custom-call | 30% | |\n| DKV | 15% | within custom-call |\n| loop | 18% | |\n",
        &[],
    ),
    shares_of_which_some_come_to_another_by_chance = check(
        "| Error | Share |\n|-|-|\n| a | 38% |\n| b | 27% |\n| c | 21% |\n| d | 12% |\n| Other | 9% |\n",
        &[("share-sum", 3)],
    ),
    shares_that_may_come_to_one_whole = check(
        "| Type | Share |\n|-|-|\n| a | 33% |\n| b | 33% |\n| c | 33% |\n| Total | 100% |\n\n| Top | Share |\n|-|-|\n| a | 50% |\n| b | 20% |\n| c | 10% |\n\n| Tag | Share |\n|-|-|\n| a | 80% |\n| b | 70% |\n| c | 40% |\n\n| Metric | Accuracy |\n|-|-|\n| a | 40% |\n| b | 40% |\n| c | 30% |\n",
        &[],
    ),
    counts_that_fall = check(
        "| Step | errors so far |\n|-|-|\n| 1 | 5 |\n| 2 | 3 |\n| 3 | 6 |\n\n| 步数 | 累计错误 |\n|-|-|\n| 3 | 4 |\n| 2 | 5 |\n| 1 | 1 |\n",
        &[("cumulative", 4), ("cumulative", 9)],
    ),
    counts_that_may_fall = check(
        "| Step | cumulative reward | errors |\n|-|-|-|\n| 1 | 5.0 | 2 |\n| 2 | 3.5 | 1 |\n\n| Model | cumulative errors |\n|-|-|\n| a | 5 |\n| b | 3 |\n",
        &[],
    ),
    days_that_are_none = check(
        "On 2025-02-30, 2025/13/01 and 2025年4月31日.\n2023-02-29\n",
        &[("date", 1), ("date", 1), ("date", 1), ("date", 2)],
    ),
    days_of_named_months = check(
        "31 April 2025, February 30, 2025. Feb. 29, 2023\n30 April 2025, May 31, 2025, 31 May 20255, Mayor 40, 2025, v31 April 2025, may 31 2025\n",
        &[("date", 1), ("date", 1), ("date", 1)],
    ),
    years_that_follow_each_other = check("in 2023/24/25, not 2023/24/26\n", &[("date", 1)]),
    days_and_what_only_looks_like_one = check(
        "2024-02-29, 2025/12/31. v2025-13-01, 2024-5-40, a/2025/13/01, 2025-13-01T00, 20251301, 2025-13-01-x\n\n```\n2025-13-01\n```\n",
        &[],
    ),
    rows_with_equal_figures = check(
        "| m | a | b | c | d |\n|-|-|-|-|-|\n| x | 1.1 | 2.2 | 3.3 | 4.4 |\n| y | 1.1 | 2.2 | 3.3 | 4.5 |\n| z | 1.1 | 2.2 | 3.3 | 4.4 |\n| w | 1.1 | 2.2 | 3.3 | 4.4 |\n\n| n | a | b | c | d |\n|-|-|-|-|-|\n| 1 | 1.1 | 2.2 | 3.3 | 4.4 |\n| 1 | 1.1 | 2.2 | 3.3 | 4.4 |\n\n| m | a | b | c | d |\n|-|-|-|-|-|\n| x | 0.0 | 0.0 | 1.0 | 1.0 |\n| z | 0.0 | 0.0 | 1.0 | 1.0 |\n",
        &[("equal-rows", 5)],
    ),
    rows_with_equal_figures_and_other_words = check(
        "| m | a | b | c | d | e |\n|-|-|-|-|-|-|\n| x | 1.1 | 2.2 | 3.3 | 4.4 | 320/320 |\n| y | 1.1 | 2.2 | 3.3 | 4.4 | 160/160 |\n",
        &[],
    ),
    percentages_of_units_that_are_no_samples = check(
        "| m | samples | UER |\n|-|-|-|\n| a | 40 | 52.5% |\n| b | 40 | 53.5% |\n| c | 40 | 55.0% |\n\n| m | samples | F1 |\n|-|-|-|\n| a | 16 | 100.0% |\n| b | 16 | 99.8% |\n| c | 16 | 0.0% |\n",
        &[],
    ),
    headings_that_stand_twice = check(
        "# A\n\n## Results\n\n## Other\n\n## Results\n\n# B\n\n## Results\n\n# C\n\n## Use\n\n## Train\n\n## Use\n\n## Train\n",
        &[("duplicate-heading", 7)],
    ),
    a_rule_is_allowed_with_a_reason = check(
        "3/9 (50%) <!-- reportgen:allow rate: as in the paper -->\n3/9 (50%) <!-- reportgen:allow rate, date - as it is there -->\n3/9 (50%) <!-- reportgen:allow rate — 论文如此 -->\n3/9 (50%) <!-- reportgen:allow rate：论文如此 -->\n",
        &[],
    ),
    a_comment_that_allows_nothing = check(
        "3/9 (50%) <!-- reportgen:allow -->\n\n<!--reportgen:allow-->\n\n<!-- reportgen:allowed x -->\n",
        &[("rate", 1), ("unknown-rule", 1), ("unknown-rule", 3)],
    ),
    an_allowed_rule =
        check("<!-- reportgen:allow rate -->\n3/9 (50%)\n\n3/9 (50%)\n", &[("rate", 4)]),
    a_rule_allowed_for_its_line =
        check("3/9 (50%) <!-- reportgen:allow rate -->\n3/9 (50%)\n", &[("rate", 2)]),
    a_rule_that_there_is_not = check(
        "<!-- reportgen:allow rates -->\n3/9 (50%) <!-- reportgen:allow all, rate -->\n\n```\n<!-- reportgen:allow x -->\n```\n",
        &[("unknown-rule", 1), ("unknown-rule", 2)],
    ),
];

/// The messages of what is found.
#[track_caller]
pub(crate) fn check_told(text: &str, expected: &[&str]) {
    let words = Catalogue::english();
    let found = lint(text, |_| true);
    let told: Vec<String> = found.iter().map(|finding| finding.message.in_words(words)).collect();
    assert_eq!(told, expected);
}

tests![
    a_difference_names_both_columns_and_the_units = check_told(
        &differences("提升", "+3.1%"),
        &["from 41.2% (`A`) to 45.5% (`B`) is 4.3 pp, not 3.1%"],
    ),
    a_difference_to_another_row_names_it = check_told(
        "| Setup | MRR | Δ |\n|-|-|-|\n| **Full** | 0.78 | — |\n| a | 0.71 | -0.07 |\n| b | 0.68 | -0.10 |\n| c | 0.54 | -0.24 |\n| d | 0.59 | -0.29 |\n",
        &["from 0.78 (`Full`) to 0.59 (`MRR`) is -0.19, not -0.29"],
    ),
    a_relative_difference_is_that_of_the_figures_as_written = check_told(
        "| k | before | after | change |\n|-|-|-|-|\n| a | 12 | 8 | -33.3% |\n| b | 20 | 15 | -25.0% |\n| c<br>d | 5 | 10 | +40.0% |\n| e | 15 | 12 | -20.0% |\n| f | 40 | 31 | -22.5% |\n| g | 7 | 21 | +200.0% |\n",
        &["from 5 (`before`) to 10 (`after`) is a change of 100.0%, not 40.0%"],
    ),
    a_sum_of_shares_names_its_column = check_told(
        "| kind | Share of<br>all |\n|-|-|\n| a | 35.5% |\n| b | 40.2% |\n| Other | 27.1% |\n",
        &["the 3 shares under `Share of all` come to 102.8%"],
    ),
    torn_rows_say_why = check_told(
        "| a | |err| |\n|-|-|\n| 1 | 2.0 |\n\n1. x\n| a | b |\n|-|-|\n| 1 | 2.0 |\n\n| 1 | 2.0 |\n| 3 | 4.0 |\n\n| a | b |\n|-|-|-|\n| 1 | 2.0 | 3 |\n",
        &[
            "no table: the first of these 3 lines has 4 cells, and the line of dashes 2; a bar inside of a cell is written `\\|`",
            "no table: the line above these 3 lines runs on into them; put an empty one between",
            "2 lines look like rows of a table and belong to none, because no head with a line of dashes stands right above them: they are shown with their bars",
            "no table: the first of these 3 lines has 2 cells, and the line of dashes 3; give both as many as the rows have",
        ],
    ),
];

#[test]
fn every_rule_is_documented() {
    let document = include_str!("../../docs/lint.md");
    for rule in RULES {
        assert!(document.contains(&format!("| `{}` |", rule.name)), "{}", rule.name);
    }
}

proptest! {
    #[test]
    fn no_text_is_too_odd(text in "[|#*%/().→0-9a⭐█\n +-]{0,200}") {
        let found = lint(&text, |_| true);
        let lines = text.split_inclusive('\n').count().max(1);
        for finding in &found {
            prop_assert!((1..=lines).contains(&finding.line));
        }
    }

    /// The percentage of counts, rounded to some decimals, is right.
    #[test]
    fn percentages_of_counts_are_right(k in 0u32..500, more in 1u32..500, decimals in 0usize..4) {
        let n = k + more;
        let share = 100.0 * f64::from(k) / f64::from(n);
        let text = format!("{share:.decimals$}% ({k}/{n})\n");
        prop_assert!(lint(&text, |_| true).is_empty(), "{text}");
    }
}

#[test]
fn columns_are_counted_behind_a_mark_of_byte_order() {
    let found = lint("\u{feff}50% (3/9)\n50% (3/9)\n", |_| true);
    let columns: Vec<usize> = found.iter().map(|finding| finding.column).collect();
    assert_eq!(columns, [1, 1]);
}
