//! `fill` changes the cells that it fills, nothing else, and only where what they ask for is clear.

use std::fs;

use crate::command::{Ended, reportgen};
use crate::directory::Directory;

mod counts;
mod doubtful;
mod interactive;
mod planned;
mod properties;
mod regions;
mod scales;
mod shapes;
mod spread;
mod words;

/// Two runs with an accuracy on two datasets.
struct Desk(Directory);

impl Desk {
    fn new() -> Self {
        let desk = Self(Directory::new());
        for (run, [a, b]) in [("base", [0.5, 0.25]), ("tuned", [0.625, 0.2375])] {
            let datasets = format!(
                r#"{{"datasets": {{"gsm8k": {{"accuracy": {a}, "n": 400}}, "math": {{"accuracy": {b}, "n": 400}}}}}}"#
            );
            desk.0.write(format!("{run}/summary.json"), datasets);
        }
        desk
    }

    fn fill(&self, document: &[u8], further: &[&str]) -> Ended {
        fs::write(self.0.path("doc.md"), document).expect("written");
        let words = ["fill", &self.0.word("doc.md"), &self.0.word("base"), &self.0.word("tuned")];
        reportgen(words.iter().chain(further).copied())
    }

    /// The document after `--write`.
    fn filled(&self, document: &str, further: &[&str]) -> String {
        let ended = self.fill(document.as_bytes(), &[&["--write"], further].concat());
        assert_eq!(ended.status, 0, "{ended:?}");
        self.0.read("doc.md")
    }
}

/// A document after `--write` over two runs of which so many answers of all are right, and what was said.
fn filled_of(right: [(&str, usize); 2], all: usize, document: &str) -> (String, Ended) {
    let directory = Directory::new();
    for (run, right) in right {
        let rows: Vec<String> =
            (0..all).map(|at| format!("q{at},{}\n", u8::from(at < right))).collect();
        directory.write(format!("{run}/results.csv"), format!("id,accuracy\n{}", rows.concat()));
    }
    directory.write("doc.md", document);
    let [document, first, second] =
        ["doc.md", right[0].0, right[1].0].map(|name| directory.word(name));
    let ended = reportgen(["fill", &document, &first, &second, "--write"]);
    (directory.read("doc.md"), ended)
}

#[track_caller]
fn check(document: &str, further: &[&str], expected: &str) {
    assert_eq!(Desk::new().filled(document, further), expected);
}

#[test]
fn bytes_outside_of_the_cells_stay_as_they_are() {
    check(
        "\u{feff}| Model | gsm8k |\r\n|---|---|\r\n| base |\t? |  \r\n|tuned|**?**|\r\n\r\nend? ",
        &[],
        "\u{feff}| Model | gsm8k |\r\n|---|---|\r\n| base |\t50.0% |  \r\n|tuned|**62.5%**|\r\n\r\nend? ",
    );
}

#[test]
fn a_column_that_was_set_out_stays_so() {
    check(
        "| Model | gsm8k    |\n|-------|----------|\n| base  | ?        |\n",
        &[],
        "| Model | gsm8k    |\n|-------|----------|\n| base  | 50.0%    |\n",
    );
}

#[test]
fn figures_are_written_as_those_beside_them() {
    let table =
        |a: &str, b: &str| format!("| Model | gsm8k |\n|-|-|\n| base | {a} |\n| tuned | {b} |\n");
    for (beside, expected) in [
        ("50%", "62%"),
        ("50.00%", "62.50%"),
        ("0.500", "0.625"),
        ("**50.0**", "62.5"),
        ("50.0 %", "62.5 %"),
    ] {
        check(&table(beside, "?"), &[], &table(beside, expected));
    }
}

#[test]
fn a_metric_of_no_known_unit_is_written_in_percent_where_the_document_does_so() {
    let desk = Desk::new();
    for (run, [own, seconds]) in [("base", [0.946, 0.7]), ("tuned", [0.958, 0.9])] {
        let figures = format!(r#"{{"format_rate_x": {own}, "drift": {seconds}, "n": 500}}"#);
        desk.0.write(format!("{run}/summary.json"), figures);
    }
    assert_eq!(
        desk.filled(
            "| Metric | base | tuned | Δ |\n|-|-|-|-|\n| format_rate_x | 94.6% | ? | ? |\n| drift | 0.7% | ? | ? |\n",
            &[]
        ),
        "| Metric | base | tuned | Δ |\n|-|-|-|-|\n| format_rate_x | 94.6% | 95.8% | +1.2 pp |\n| drift | 0.7% | 0.9% | +0.2 |\n",
    );
}

#[test]
fn a_second_run_changes_nothing() {
    let desk = Desk::new();
    let once = desk.filled("| Model | gsm8k | math |\n|-|-|-|\n| tuned | ? | ? |\n", &[]);
    assert_eq!(desk.filled(&once, &[]), once);
    assert_eq!(desk.fill(once.as_bytes(), &["--check"]).status, 0);
}

#[test]
fn nothing_is_written_before_it_is_asked_for() {
    let desk = Desk::new();
    let document = "| Model | gsm8k |\n|-|-|\n| tuned | ? |\n";
    let ended = desk.fill(document.as_bytes(), &[]);
    assert!(ended.out.contains("+| tuned | 62.5% |"), "{}", ended.out);
    assert_eq!(desk.0.read("doc.md"), document);
    assert_eq!(desk.fill(document.as_bytes(), &["--check"]).status, 3);
}

#[test]
fn a_figure_that_the_runs_contradict_is_told_and_replaced_on_request() {
    let table = |tuned: &str| {
        format!(
            "| Model | gsm8k | math |\n|-|-|-|\n| base | 50.0% | 25.0% |\n| tuned | {tuned} | ? |\n"
        )
    };
    check(&table("61.0%"), &[], &table("61.0%").replace('?', "23.75%").replace("23.75", "23.8"));
    let refreshed = table("62.5%").replace('?', "23.8%");
    check(&table("61.0%"), &["--refresh"], &refreshed);
    let ended = Desk::new().fill(table("61.0%").as_bytes(), &["--check"]);
    assert_eq!(ended.status, 1, "{}", ended.out);
    assert!(ended.out.contains("61.0% ≠ 62.5%"), "{}", ended.out);
}

#[test]
fn what_the_runs_do_not_confirm_is_nothing_to_reckon_with() {
    let table = "| Dataset | base | tuned | Δ |\n|-|-|-|-|\n| gsm8k | 50.0% | 62.5% | +12.5% |\n| math | 99.0% | ? | ? |\n";
    let expected = table.replace("99.0% | ? | ? |", "99.0% | 23.8% | ? |");
    check(table, &[], &expected);
}

#[test]
fn differences_follow_the_direction_of_those_that_are_there() {
    let table = |math: &str| {
        format!(
            "| Dataset | base | tuned | diff |\n|-|-|-|-|\n| gsm8k | 50.0% | 62.5% | -12.5 pp |\n| math | 25.0% | 23.8% | {math} |\n"
        )
    };
    check(&table("?"), &[], &table("+1.2 pp"));
}

#[test]
fn rows_and_columns_that_nobody_understood_are_left() {
    for table in [
        "| Model | latency |\n|-|-|\n| base | ? |\n",
        "| Model | gsm8k |\n|-|-|\n| llama | ? |\n",
        "| Model | Score |\n|-|-|\n| base | ? |\n",
        "| Model | Prompt | gsm8k |\n|-|-|-|\n| base | a | ? |\n| base | b | ? |\n",
        "| Model | gsm8k |\n|-|-|\n| base |\n| tuned | 1 | ? |\n",
        "| Model | gsm8k |\n|-|-|\n| base | 12.0% |\n| tuned | ? |\n",
        "# Perplexity\n\n| Model | gsm8k |\n|-|-|\n| base | ? |\n",
        "| Perplexity | gsm8k |\n|-|-|\n| base | ? |\n",
        "| Model | gsm8k+ | GSM8K-hard |\n|-|-|-|\n| base | ? | ? |\n",
        "| Model | gsm8k |\n|-|-|\n| base+ | ? |\n| Δ base | ? |\n| base (old) | ? |\n",
        "# base\n\n## GPT-4\n\n| Dataset | Score |\n|-|-|\n| gsm8k | ? |\n",
        "| Model | gsm8k |\n|-|-|\n| base | ?/100 |\n",
        "| Model | gsm8k | Δ |\n|-|-|-|\n| GPT-4 | 80.0% | 0.0 |\n| tuned | 62.5% | ? |\n",
        "| Dataset | base | GPT-4 | tuned | Δ |\n|-|-|-|-|-|\n| gsm8k | 50.0% | 80% | 62.5% | ? |\n",
        "| Dataset | base | tuned | Δ% |\n|-|-|-|-|\n| gsm8k | 50.0% | 62.5% | ? |\n",
        "| Model | gsm8k |\n|-|-|\n| **w/o KL** | |\n| base | ? |\n",
        "<table><tr><td>gsm8k</td><td>?</td></tr></table>\n",
        "    | Model | gsm8k |\n    |-|-|\n    | base | ? |\n",
    ] {
        check(table, &[], table);
    }
}

#[test]
fn the_baseline_is_subtracted_wherever_it_stands_and_shares_stay_shares() {
    let table = |a: &str, b: &str| {
        format!("| Dataset | tuned | base | Δ |\n|-|-|-|-|\n| gsm8k | {a} | 0.500 | {b} |\n")
    };
    check(&table("?", "?"), &[], &table("0.625", "+0.125"));
}

#[test]
fn sums_subtract_as_the_differences_of_the_document_do() {
    let document = |difference: &str, mean: &str| {
        format!(
            "# gsm8k\n\n| Metric | tuned | base | Δ |\n|-|-|-|-|\n| accuracy | 62.5% | 50.0% | {difference} |\n\n| Summary | Score |\n|-|-|\n| mean difference | {mean} |\n"
        )
    };
    check(&document("?", "?"), &[], &document("+12.5 pp", "+12.5 pp"));
    check(&document("-12.5 pp", "?"), &[], &document("-12.5 pp", "-12.5 pp"));
}

#[test]
fn a_run_may_be_called_as_the_document_calls_it() {
    let desk = Desk::new();
    let document = "| Method | gsm8k |\n|-|-|\n| KL_BETA=0.15 | ? |\n| (V2) | ? |\n";
    fs::write(desk.0.path("doc.md"), document).expect("written");
    let arms =
        [format!("KL_BETA=0.15={}", desk.0.word("base")), format!("v2={}", desk.0.word("tuned"))];
    let ended = reportgen(["fill", &desk.0.word("doc.md"), &arms[0], &arms[1], "--write"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let expected = document.replacen('?', "50.0%", 1).replacen('?', "62.5%", 1);
    assert_eq!(desk.0.read("doc.md"), expected);
}

#[test]
fn what_is_no_document_is_refused() {
    let desk = Desk::new();
    let ended = desk.fill(&[0xff, 0xfe, b'?'], &[]);
    assert_eq!(ended.status, 4, "{ended:?}");
    assert!(ended.err.contains("doc.md"), "{}", ended.err);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let desk = Desk::new();
    let (aim, link) = (desk.0.path("aim.md"), desk.0.path("link.md"));
    fs::write(&aim, "| Model | gsm8k |\n|-|-|\n| base | ? |\n").expect("written");
    std::os::unix::fs::symlink(&aim, &link).expect("linked");
    let ended = reportgen(["fill", &desk.0.word("link.md"), &desk.0.word("base"), "--write"]);
    assert_eq!(ended.status, 4, "{ended:?}");
    assert!(ended.err.contains("name the file that it leads to"), "{ended:?}");
    assert!(link.is_symlink());
    assert!(desk.0.read("aim.md").contains("| base | ? |"));
    let shown = reportgen(["fill", &desk.0.word("link.md"), &desk.0.word("base")]);
    assert_eq!(shown.status, 0, "{shown:?}");
}

#[test]
fn what_is_no_file_is_refused_and_not_waited_for() {
    let desk = Desk::new();
    let ended = reportgen(["fill", &desk.0.word("base"), &desk.0.word("base")]);
    assert_eq!(ended.status, 4, "{ended:?}");
}

/// A document whose only table asks for a figure that all its words name.
fn below(words: &str) -> String {
    format!("{words}\n\n| Model | gsm8k |\n|-|-|\n| tuned | ? |\n")
}

/// Runs whose accuracy follows from the number of shots.
fn shots(desk: &Desk) {
    for (run, further) in [("base", 0.0), ("tuned", 2.0)] {
        let of = |shot: u32| format!(r#""{shot}": {}"#, 50.0 + f64::from(shot) + further);
        let results = [1, 2, 4, 12].map(of).join(", ");
        let grid = format!(
            r#"{{"metric": "accuracy", "unit": "percent", "axes": ["shot"], "results": {{{results}}}}}"#
        );
        desk.0.write(format!("{run}/results.json"), grid);
        fs::remove_file(desk.0.path(format!("{run}/summary.json"))).expect("removed");
    }
}

#[test]
fn a_comma_makes_a_thousand_or_another_name() {
    let desk = Desk::new();
    shots(&desk);
    let table = "| Shot | base | tuned | Δ |\n|-|-|-|-|\n| 1,2 | ? | ? | ? |\n";
    assert_eq!(desk.filled(table, &[]), table);
    let twice = "| Shot | base | tuned | Δ | Verdict |\n|-|-|-|-|-|\n| 12 | ? | ? | ? | ? |\n| 12.0 | ? | ? | ? | ? |\n";
    assert_eq!(desk.filled(twice, &[]), twice);
}

#[test]
fn a_refreshed_figure_takes_its_difference_and_its_verdict_with_it() {
    let desk = Desk::new();
    shots(&desk);
    let table = "| Shot | base | tuned | 差异 | 评价 |\n|-|-|-|-|-|\n| 1 | 51.0% | 53.0% | +2.0% | ⬇️ |\n| 4 | 54.0% | 57.0% | +3.0% | ⬆️ |\n";
    let ended = desk.fill(table.as_bytes(), &["--check"]);
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(ended.out.contains("L3 c5  ⬇️ ≠ ⬆️"), "{}", ended.out);
    let once = desk.filled(table, &["--refresh"]);
    assert!(once.contains("| 4 | 54.0% | 56.0% | +2.0% | ⬆️"), "{once}");
    assert!(once.contains("| 1 | 51.0% | 53.0% | +2.0% | ⬆️"), "{once}");
    assert_eq!(desk.filled(&once, &["--refresh"]), once);
}

#[test]
fn tables_subtract_one_way_whichever_run_is_named_first() {
    let table = |math: &str| {
        format!(
            "## gsm8k\n\n| Metric | base | tuned | diff |\n|-|-|-|-|\n| accuracy | 50.0% | 62.5% | +12.5% |\n\n## math\n\n| Metric | base | tuned | diff |\n|-|-|-|-|\n| accuracy | 25.0% | 23.8% | {math} |\n"
        )
    };
    let desk = Desk::new();
    fs::write(desk.0.path("doc.md"), table("?")).expect("written");
    let words =
        ["fill", &desk.0.word("doc.md"), &desk.0.word("tuned"), &desk.0.word("base"), "--write"];
    assert_eq!(reportgen(words).status, 0);
    assert_eq!(desk.0.read("doc.md"), table("-1.2%"));
}

#[test]
fn sums_over_a_part_are_renewed_when_the_rest_is_there() {
    let desk = Desk::new();
    shots(&desk);
    let complete = fs::read(desk.0.path("tuned/results.json")).expect("read");
    let partial = String::from_utf8_lossy(&complete).replace(r#", "12": 64"#, "");
    desk.0.write("tuned/results.json", partial);
    let table = "| 指标 | 结果 |\n|-|-|\n| 平均差异 | ? |\n| 提升的配置数 | **?/4** |\n";
    let part = desk.filled(table, &["--partial"]);
    assert_eq!(
        part,
        "| 指标 | 结果 |\n|-|-|\n| 平均差异 | +2.0 pp（3/4） |\n| 提升的配置数 | **3/4（3/4）** |\n"
    );
    assert_eq!(desk.fill(part.as_bytes(), &["--check"]).status, 0);
    fs::write(desk.0.path("tuned/results.json"), complete).expect("written");
    let ended = desk.fill(part.as_bytes(), &["--check"]);
    assert_eq!(ended.status, 1, "{ended:?}");
    let whole = desk.filled(&part, &["--refresh"]);
    assert_eq!(whole, table.replacen('?', "+2.0 pp", 1).replace('?', "4"));
    let wrong = whole.replace("+2.0 pp", "+9.9 pp").replace("4/4", "3/4");
    assert_eq!(desk.filled(&wrong, &["--refresh"]), whole);
}

#[test]
fn differences_have_the_decimals_of_the_figures_that_stand_there() {
    let table = |tuned: &str, difference: &str| {
        format!(
            "| Dataset | base | tuned | Δ |\n|-|-|-|-|\n| gsm8k | 50.0% | 62.5% | ? |\n| math | 25.0% | {tuned} | {difference} |\n"
        )
    };
    check(&table("23.8%", "?"), &[], &table("23.8%", "-1.2 pp").replace('?', "+12.5 pp"));
    check(&table("23.75%", "?"), &[], &table("23.75%", "-1.25 pp").replace('?', "+12.50 pp"));
}

#[test]
fn the_diff_of_a_document_with_wide_line_ends_fits_it() {
    let document = "\u{feff}| Model | gsm8k |\r\n|-|-|\r\n| tuned | ? |\r\n";
    let ended = Desk::new().fill(document.as_bytes(), &["--diff"]);
    assert!(ended.out.contains("\n \u{feff}| Model | gsm8k |\r\n"), "{:?}", ended.out);
    assert!(ended.out.contains("\n-| tuned | ? |\r\n+| tuned | 62.5% |\r\n"), "{:?}", ended.out);
}

#[test]
fn verdicts_are_in_the_language_of_the_document_and_signs_alone_where_others_are() {
    let table = |[dataset, difference, verdict]: [&str; 3], first: &str, second: &str| {
        format!(
            "# {verdict}\n\n| {dataset} | base | tuned | {difference} | {verdict} |\n|-|-|-|-|-|\n| gsm8k | 50.0% | 62.5% | +12.5 pp | {first} |\n| math | 25.0% | 23.8% | -1.2 pp | {second} |\n"
        )
    };
    let (chinese, english) = (["数据集", "差异", "评价"], ["Dataset", "Δ", "Verdict"]);
    let filled = Desk::new().filled(&table(chinese, "?", "?"), &["--lang", "en"]);
    assert!(filled.contains("| ⬆️ ✅ 变好 |") && filled.contains("| ⬇️ 不确定 |"), "{filled}");
    let filled = Desk::new().filled(&table(english, "?", "?"), &["--lang", "zh"]);
    assert!(filled.contains("| ⬇️ inconclusive |"), "{filled}");
    check(&table(chinese, "⬆️", "?"), &[], &table(chinese, "⬆️", "⬇️"));
}

#[test]
fn a_section_that_is_not_there_is_refused_with_those_that_are() {
    let ended = Desk::new().fill(below("# Results").as_bytes(), &["--section", "Epoch 9"]);
    assert_eq!(ended.status, 2, "{ended:?}");
    assert!(ended.err.contains("`Epoch 9`") && ended.err.contains("Results"), "{}", ended.err);
}

#[test]
fn a_comment_that_contradicts_a_name_fills_nothing() {
    let table = "<!-- reportgen:bind run=base -->\n| Model | gsm8k |\n|-|-|\n| tuned | ? |\n";
    check(table, &[], table);
}

#[test]
fn links_and_footnotes_are_no_part_of_a_name() {
    for name in ["[tuned](https://example.org/a)", "tuned[^1]", "tuned<sup>2</sup>"] {
        let table = format!("| Model | gsm8k[^2] |\n|-|-|\n| {name} | ? |\n");
        check(&table, &[], &table.replace('?', "62.5%"));
    }
}

#[test]
fn means_of_rows_and_differences_of_columns_are_made_of_what_stands_there() {
    check(
        "| Model | gsm8k | math | Avg |\n|-|-|-|-|\n| base | ? | ? | ? |\n| tuned | ? | ? | ? |\n| Δ | ? | ? | ? |\n",
        &[],
        "| Model | gsm8k | math | Avg |\n|-|-|-|-|\n| base | 50.0% | 25.0% | 37.5% |\n| tuned | 62.5% | 23.75% | 43.12% |\n| Δ | +12.5 pp | -1.25 pp | ? |\n",
    );
    check(
        "| 数据集 | base | tuned | 提升 |\n|-|-|-|-|\n| gsm8k | ? | ? | ? |\n| math | ? | ? | ? |\n| 平均 | ? | ? | ? |\n| 合计 | ? | ? | ? |\n",
        &[],
        "| 数据集 | base | tuned | 提升 |\n|-|-|-|-|\n| gsm8k | 50.0% | 62.5% | +12.50 pp |\n| math | 25.0% | 23.75% | -1.25 pp |\n| 平均 | 37.5% | 43.12% | +5.62 pp |\n| 合计 | ? | ? | ? |\n",
    );
    for foreign in [
        "| Model | gsm8k | mmlu | Avg |\n|-|-|-|-|\n| tuned | 62.5% | 70.0% | ? |\n",
        "| Dataset | tuned |\n|-|-|\n| mmlu | 70.0% |\n| gsm8k | 62.5% |\n| Average | ? |\n",
        "| Model | gsm8k |\n|-|-|\n| base | 50.0% |\n| tuned | 62.5% |\n| Average | ? |\n",
        "| Dataset | base | tuned |\n|-|-|-|\n| gsm8k | 50.0% | 61.0% |\n| math | 25.0% | 23.8% |\n| Avg | - | ? |\n",
    ] {
        check(foreign, &[], foreign);
    }
}

#[test]
fn heads_that_name_two_runs_say_which_is_subtracted() {
    let table = |head: &str, difference: &str| {
        format!(
            "| Dataset | base | tuned | {head} |\n|-|-|-|-|\n| gsm8k | 50.0% | 62.5% | {difference} |\n"
        )
    };
    for (head, difference) in [
        ("Δ (base − tuned)", "-12.5 pp"),
        ("tuned − base", "+12.5 pp"),
        ("Δ vs base", "+12.5 pp"),
        ("Gain over tuned", "-12.5 pp"),
        ("base → tuned", "+12.5 pp"),
    ] {
        check(&table(head, "?"), &[], &table(head, difference));
    }
    for head in ["Δ base", "tuned / base", "Δ (base − llama)", "Δ vs base (%)"] {
        check(&table(head, "?"), &[], &table(head, "?"));
    }
}

#[test]
fn each_of_several_runs_has_its_own_difference() {
    let desk = Desk::new();
    let third = r#"{"datasets": {"gsm8k": {"accuracy": 0.45, "n": 400}}}"#;
    desk.0.write("late/summary.json", third);
    let table = |one: &str, other: &str| {
        format!(
            "| Dataset | base | tuned | Δ | late | Δ |\n|-|-|-|-|-|-|\n| gsm8k | 50.0% | 62.5% | {one} | 45.0% | {other} |\n"
        )
    };
    fs::write(desk.0.path("doc.md"), table("?", "?")).expect("written");
    let runs = ["base", "tuned", "late"].map(|run| desk.0.word(run));
    let words = ["fill", &desk.0.word("doc.md"), &runs[0], &runs[1], &runs[2], "--write"];
    assert_eq!(reportgen(words).status, 0);
    assert_eq!(desk.0.read("doc.md"), table("+12.5 pp", "-5.0 pp"));
}

#[test]
fn words_of_a_document_mean_what_the_configuration_says() {
    let desk = Desk::new();
    let table = "## Heron suite\n\n| Method | Grade school |\n|-|-|\n| Ours | ? |\n";
    let config = "[fill]\n\"heron suite\" = \"\"\n\"Ours\" = \"run=tuned\"\n\"grade school\" = \"dataset=gsm8k\"\n";
    desk.0.write("reportgen.toml", config);
    let config = ["--config", &desk.0.word("reportgen.toml")];
    assert_eq!(desk.filled(table, &[]), table);
    assert_eq!(desk.filled(table, &config), table.replace('?', "62.5%"));
    let runs = [&desk.0.word("base"), &desk.0.word("tuned")];
    let words = [&["lint", &desk.0.word("doc.md"), "--against", runs[0], runs[1]], &config[..]];
    assert!(reportgen(words.concat()).err.starts_with("verified 1 of 1 figure"));
    for (wrong, said) in [
        ("[fill]\n\n\"Ours\" = \"tuned\"\n", "line 3: [fill] says `tuned` of `Ours`"),
        (
            "[fill]\n\"School\" = \"dataset=gms8k\"\n",
            "line 2: the runs have nothing that is `dataset=gms8k`; they have gsm8k, math",
        ),
    ] {
        desk.0.write("reportgen.toml", wrong);
        let ended = desk.fill(table.as_bytes(), &config);
        assert_eq!(ended.status, 2, "{ended:?}");
        assert!(ended.err.contains(said), "{}", ended.err);
    }
}
