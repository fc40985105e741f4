//! What `lint` finds in running text, and in cells that are read as such: counts and their percentage, changes,
//! points.

use crate::cases::tests;
use crate::lint::{check, check_fixed, check_told};

tests![
    a_change_that_a_slip_explains_is_left = check_fixed(
        "72.1% → 75.3% (+4.4 pp), 60.0% → 63.0% (+4.0 pp)\n",
        "72.1% → 75.3% (+3.2 pp), 60.0% → 63.0% (+4.0 pp)\n",
    ),
    a_change_of_two_measured_values_is_mended = check_fixed(
        "5 ms → 10 ms (+50%)\n从 24.0 GB 降至 18.0 GB，下降 30.0%。\n",
        "5 ms → 10 ms (+100%)\n从 24.0 GB 降至 18.0 GB，下降 25.0%。\n",
    ),
    a_change_of_what_may_be_no_result_is_left =
        check_fixed("Loss 7 → 3 (-20%)\n", "Loss 7 → 3 (-20%)\n"),
    a_change_that_stands_twice_is_left = check_fixed(
        "# Fused (-25.2%)\n\n60.67 → 54.94 ms (-9.4%)\n54.94 → 45.39 ms (-25.2%)\n",
        "# Fused (-25.2%)\n\n60.67 → 54.94 ms (-9.4%)\n54.94 → 45.39 ms (-25.2%)\n",
    ),
    points_that_differ_besides_are_left =
        check_fixed("from 13.7% to 12.0%, down 1.6%\n", "from 13.7% to 12.0%, down 1.6%\n"),
    points_by_another_name_are_right = check(
        "from 87.1% to 93.3%, up 6.2%p\nfrom 60.0% to 63.0%, up 3% absolute\n60.0%에서: 60.0% → 63.0% (+3.0%) 절대치 향상\n准确率从 60.0% 提升到 63.0%，绝对提升 3.0%\nfrom 60.0% to 63.0%, up 3%\n",
        &[("points", 5)],
    ),
    a_ratio_is_no_count = check("成本降低 70%（1/3）\n30% (1/3)\n", &[("rate", 2)]),
    per_cent_of_something_are_left = check_fixed(
        "from 60.0% to 63.0%, up 3% of all.\nfrom 60.0% to 63.0%, up 3%.\n",
        "from 60.0% to 63.0%, up 3% of all.\nfrom 60.0% to 63.0%, up 3 pp.\n",
    ),
    counts_of_others = check(
        "The rate: 88.0% (45 of 50).\nIt got 45 out of 50 right, or 92%.\n**97.7%** (43 / 45 samples)\n43 of the 45 samples (97.7%) pass.\n43/45 → 97.7%\n",
        &[("rate", 1), ("rate", 2), ("rate", 3), ("rate", 4), ("rate", 5)],
    ),
    counts_of_others_that_are_right = check(
        "90.0% (45 of 50), 45 out of 50 right, or 90%. 3/4 → 100%, 99% (1 of 100 failed), 3 of 4 (95% CI 30-95)\n4 of 5 (30% warm-up), 1 of 3 → 50% → 60%\n",
        &[],
    ),
    counts_of_others_in_chinese = check(
        "在 250 道题中答对 213 道，准确率为 87.2%。\n250 题中答对 213 题，准确率 87.2%\n答对 213/250，准确率 87.2%。\n250 个样本中有 213 个通过，通过率达到 **87.2%**。\n",
        &[("rate", 1), ("rate", 2), ("rate", 3), ("rate", 4)],
    ),
    counts_of_others_in_chinese_that_are_right = check(
        "在 250 道题中答对 213 道，准确率为 85.2%，比上一版高 2%。250 题中答对 213 题，准确率约 87%。\n250 题中答对 213 题，基线准确率 87.2%。250 题中答对 213 题，准确率 87.2% 以上\n",
        &[],
    ),
    counts_that_were_rounded_or_cut =
        check("2/3 (66.6%), 66.7% (2/3), 8/9   (89%), 12/25 (48 %)\n", &[]),
    counts_that_are_none =
        check("~50% (3/7), 约 90%（8/9）, 2025/11/16 (5%), 4.8/5.0 (90%), a/3 (1%)\n", &[]),
    counts_in_full_width_brackets = check("正确率 **90%**（8/9）\n", &[("rate", 1)]),
    points_between_shares = check(
        "| A | B | gain |\n|-|-|-|\n| 0.500 | 0.750 | +25.0 pp |\n| 0.200 | 0.300 | +10.0 pp |\n| 0.400 | 0.300 | -10.0 pp |\n| 0.400 | 0.500 | +12.0 pp |\n",
        &[("difference", 6)],
    ),
    changes_in_running_text = check(
        "PPO 0.00034 → 0.00083（↑ 144%）, 72.1% → 75.3% (+3.2 pp), 72.1% -> 75.3% (+4.4%)\n0.094 → 0.08131（↓ 15.5%）\n",
        &[("change", 2)],
    ),
    changes_in_words_and_with_units = check(
        "Up from 0.40 to 0.50 (+30%).\nFrom 40.0% to 50.0% (+12 pp).\n200 ms → 150 ms (-30%)\n$2.00 → $1.50 (-30%)\nfrom 200ms to 150ms (-30%)\n准确率从 40.0% 提升到 50.0%（+12 个百分点）\n",
        &[("change", 1), ("change", 2), ("change", 3), ("change", 4), ("change", 5), ("change", 6)],
    ),
    changes_of_another_figure = check(
        "LR from 0.1 to 0.05 (+2.3%), batch from 32 to 64 (+12%), 2 GB → 1.5 MB (-30%), $2.00 → 1.50 (-30%)\n从 0.1 到 0.05（+2.3%）, from 200 ms to 150 ms (-25%), $2.00 → $1.50 (-25%)\n",
        &[],
    ),
    changes_are_judged_by_what_both_ends_may_have_been = check(
        "5 ms → 10 ms (+80%), 7.0 → 3.0 (-57%), 3 → 10 (+240%), 13.7% → 12.0% (-1.6 pp)\n5 ms → 10 ms (+50%)\nLoss 7 → 3 (-20%)\n",
        &[("change", 2), ("change", 3)],
    ),
    changes_of_settings_are_effects_on_something_else = check(
        "`decay_ratio 0.25 -> 1.0` (+0.00145), 32→64 (−0.12), LoRA rank 8 → 16 (+0.4 pp), dropout 0.1 → 0.3 (−0.8%)\ntop-k 5 → 10 (+2.3%), temperature 0.2 → 0.8 (-4.1%), batch 32 → 64 (+12%), chunk 5 ms → 10 ms (+0.4 pp)\nlearning rate from 0.1 to 0.2 (+130%), 温度 0.5 → 1.0（+130%）, 200 ms → 150 ms (-2 GB)\n",
        &[],
    ),
    changes_to_the_good_side = check(
        "loss 0.357672 -> 0.357775 (**-0.000103**), latency 200 ms → 150 ms (+25%)\naccuracy 75.3% → 70.1% (+5.2 pp)\n",
        &[("change", 2)],
    ),
    changes_with_their_unit_once = check(
        "200 → 150 ms (-30%)\nfrom 200 to 150 ms (-30%)\n70.1 → 75.3% (+6.2 pp)\nMMLU 61.2 → 63.5 (+3.3 pp)\n200 → 150 ms (-25%), 61.2 → 63.5 (+2.3 pp)\n",
        &[("change", 1), ("change", 2), ("change", 3), ("change", 4)],
    ),
    changes_behind_a_comma = check(
        "from 70.1% to 75.3%, up 6.2 pp.\nRose from 70.1% to 75.3%, a gain of 6.2 points\n从 70.1% 提升到 75.3%，提升 6.2 个百分点。\n显存占用从 24.0 GB 降至 18.0 GB，下降 30%。\n70.1% → 75.3%, up 6.2 pp\nfrom 200 to 150 ms, reduced by 30%\n",
        &[("change", 1), ("change", 2), ("change", 3), ("change", 4), ("change", 5), ("change", 6)],
    ),
    changes_behind_a_comma_that_are_right_or_of_something_else = check(
        "from 70.1% to 75.3%, up 5.2 pp, from 70.1% to 75.3%, a gain of 6.2 points over the base.\n从 24.0 GB 降至 18.0 GB，下降 25%，从 24.0 GB 降至 18.0 GB，速度提升 40%。\nfrom 24.0 GB to 18.0 GB, an improvement of 25%, 由 40.0% 升至 50.0%，上升约 12 个百分点\n",
        &[],
    ),
    what_others_say_is_quoted = check(
        "Is the \"13.7% → 12.0% (−1.6%)\" math right? “3/9 (50%) of them”\n\"3/9\" (50%), a \"b\" 3/9 (50%)\n",
        &[("rate", 2)],
    ),
    changes_of_something_else = check(
        "3 → 5 (+20 samples), v1.2 → v1.3 (+30%), Step 3 → Step 5 (+2.3%), 10 → 20 (5%)\n",
        &[],
    ),
    percentages_of_something_else = check(
        "3/4 (95% CI 30-95), 8/10 (90% CI 5–9), 99% (1/100 failed), LR 1/3 (30% warm-up), 9/10 (80%→90%)\n3/4 [95% CI 0.3-0.95], 3/4 = 95% CI, 8/10 (90% confidence)\n",
        &[],
    ),
    percentages_at_the_end_of_their_brackets = check(
        "45/50 (95%), 45/50 (95%, seed 1), 45/50 = 95% here, **95%** (45/50, seed 1)\n",
        &[("rate", 1), ("rate", 1), ("rate", 1), ("rate", 1)],
    ),
    changes_between_years = check("2023 → 2024 (+12%)\n", &[]),
    points_that_are_called_per_cent = check(
        "60.0% → 63.0% (+3%)\n60.0% → 63.0% (+5%), 60.0% → 63.0% (+3 pp)\n",
        &[("points", 1)],
    ),
    points_in_words_that_are_called_per_cent = check(
        "Error rate dropped from 12.0% to 9.0%, down 3%.\n\nAccuracy rose 3% from 60.0% to 63.0%.\n\n准确率从 60.0% 提升到 63.0%，提升了 3%。\n",
        &[("points", 1), ("points", 3), ("points", 5)],
    ),
    points_from_one_to_another_in_chinese = check(
        "从 60.0% 提升到 63.0%，提升 3%。胜率由 45.0% 升至 54.0%（+9%）。\n",
        &[("points", 1), ("points", 1)],
    ),
    points_and_relative_changes = check(
        "From 12.0% to 9.0%, down 25%. From 12.0% to 9.0%, down 3 pp.\nfrom 12.0% to 9.0%: 3 points; 3% of the runs failed.\n从 60.0% 提升到 63.0%，提升了 3 个百分点，相对提升 5%。\nfrom 99% to 100%, up 1%\n",
        &[],
    ),
    code_in_a_line_is_quoted = check(
        "`45/50 = 95%`, ``0.40 → 0.50 (+30%)`` and `on 2025-02-30`\n\n`95%` (45/50), `0.40` → `0.50` (`+30%`)\n",
        &[("rate", 3), ("change", 3)],
    ),
    a_change_has_units = check_told(
        "0.40 → 0.50 (+30%), 2.5 → 2.0 (-25%), 70.1% → 75.3% (+6.2 pp)\n",
        &[
            "from 0.40 to 0.50 is 10 pp / 25%, not 30%",
            "from 2.5 to 2.0 is -20%, not -25%",
            "from 70.1% to 75.3% is 5.2 pp, not 6.2 pp",
        ],
    ),
    a_change_is_that_of_the_figures_as_written = check_told(
        "5 ms → 10 ms (+50%), 3 ms → 10 ms (+50.0%), Loss 7 → 3 (-20%)\n从 24.0 GB 降至 18.0 GB，下降 30%。from 13.7% to 12.0%, down 1.6%\n",
        &[
            "from 5 to 10 is 100%, not 50%",
            "from 3 to 10 is 233.3%, not 50.0%",
            "from 7 to 3 is -57%, not -20%",
            "from 24.0 to 18.0 is 25%, not 30%",
            "from 13.7% to 12.0% is 1.7 pp, and -12.4% of 13.7%; `1.6%` says the second",
        ],
    ),
];
