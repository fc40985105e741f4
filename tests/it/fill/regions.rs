//! Places for parts of a report in a document of a person.

use super::Desk;

const OPEN: &str = "# Results\n\nI wrote this down myself.\n\n<!-- reportgen:begin results -->\n<!-- reportgen:end -->\n\n| Model | gsm8k |\n|-|-|\n| base | ? |\n";

#[test]
fn a_region_is_renewed_as_a_whole_and_nothing_else_with_it() {
    let desk = Desk::new();
    let filled = desk.filled(OPEN, &[]);
    let (before, rest) = filled.split_once("<!-- reportgen:begin results #").expect("opened");
    let (region, after) = rest.split_once("<!-- reportgen:end -->").expect("closed");
    assert_eq!(before, "# Results\n\nI wrote this down myself.\n\n");
    assert_eq!(after, "\n\n| Model | gsm8k |\n|-|-|\n| base | 50.0% |\n");
    let report = super::reportgen(["compare", &desk.0.word("base"), &desk.0.word("tuned")]).out;
    let table = region.lines().filter(|line| line.starts_with('|'));
    for row in table {
        assert!(report.contains(row), "`compare` has no row {row}:\n{report}");
    }
    assert!(region.contains("| gsm8k |"), "{region}");
    assert_eq!(desk.filled(&filled, &[]), filled);
}

#[test]
fn a_region_with_other_results_is_renewed_and_one_that_was_edited_is_kept() {
    let desk = Desk::new();
    let filled = desk.filled(OPEN, &[]);
    desk.0.write(
        "tuned/summary.json",
        r#"{"datasets": {"gsm8k": {"accuracy": 0.75, "n": 400}, "math": {"accuracy": 0.25, "n": 400}}}"#,
    );
    let renewed = desk.filled(&filled, &[]);
    assert!(renewed.contains("75.0%") && !renewed.contains("62.5%"), "{renewed}");
    let edited = renewed.replace("75.0%", "about 75%");
    assert_eq!(desk.filled(&edited, &[]), edited);
    let ended = desk.fill(edited.as_bytes(), &["--check"]);
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(ended.out.contains("L5 results  holds what was not generated"), "{}", ended.out);
    assert_eq!(desk.filled(&edited, &["--refresh"]), renewed);
    assert_eq!(desk.fill(renewed.as_bytes(), &["--check"]).status, 0);
}

#[test]
fn wide_line_ends_and_the_language_of_the_document_hold_in_a_region() {
    let document = "# 笔记：两个运行的对比结果\r\n<!-- reportgen:begin answer -->\r\n<!-- reportgen:end -->\r\n";
    let filled = Desk::new().filled(document, &[]);
    assert_eq!(filled.matches('\n').count(), filled.matches("\r\n").count());
    assert!(filled.contains("下一步"), "{filled}");
}

/// What is said of the only region of a document, by its line.
#[track_caller]
fn check(document: &str, runs: &[&str], expected: &str) {
    let desk = Desk::new();
    desk.0.write("doc.md", document);
    let runs = runs.iter().map(|run| desk.0.word(run));
    let words: Vec<String> =
        ["fill".to_owned(), desk.0.word("doc.md")].into_iter().chain(runs).collect();
    let ended = super::reportgen(words);
    let said = ended.out + &ended.err;
    assert!(said.contains(expected), "{said}");
    assert_eq!(desk.0.read("doc.md"), document);
}

#[test]
fn what_cannot_be_a_region_is_told_with_its_line() {
    let both = ["base", "tuned"];
    let end = "<!-- reportgen:end -->\n";
    check(
        &format!("<!-- reportgen:begin result -->\n{end}"),
        &both,
        "L1 result  the report has no part `result`; did you mean `results`? parts: answer, glance,",
    );
    check(
        "> <!-- reportgen:begin results -->\n",
        &both,
        "L1 results  a marker counts at the beginning of a line",
    );
    check(
        &format!("\n<!-- reportgen:begin results -->\n{end}"),
        &["base"],
        "L2 results  needs two runs",
    );
    check(
        "a\n<!-- reportgen:begin results -->\n",
        &both,
        "line 2: `<!-- reportgen:begin results -->` has no partner",
    );
    check(
        &format!("- item\n\n  <!-- reportgen:begin results -->\n  {end}"),
        &both,
        "L3 results  a marker counts at the beginning of a line",
    );
    check(
        &format!("<!-- reportgen:begin results glance -->\n{end}"),
        &both,
        "L1 results  the report has no part `results glance`",
    );
    check(
        &format!("<!-- reportgen:begin gates -->\nold\n{end}"),
        &both,
        "L1 gates  holds what was not generated",
    );
    check("```\n<!-- reportgen:begin results -->\n```\n", &both, "0 cells can be filled");
}

#[test]
fn tables_in_a_region_ask_for_nothing_and_its_headings_are_of_nothing_else() {
    let document = "<!-- reportgen:begin gates -->\n### math\n\n| Model | gsm8k |\n|-|-|\n| base | ? |\n<!-- reportgen:end -->\n\n| Model | accuracy |\n|-|-|\n| base | ? |\n";
    let ended = Desk::new().fill(document.as_bytes(), &["--explain"]);
    assert!(ended.out.contains("0 cells can be filled, 1 is unclear"), "{}", ended.out);
    assert!(ended.out.contains("L11 c2  2 results of the runs fit"), "{}", ended.out);
}

#[test]
fn a_mark_of_byte_order_stays_before_a_region() {
    let filled = Desk::new()
        .filled("\u{feff}<!-- reportgen:begin answer -->\n<!-- reportgen:end -->\n", &[]);
    assert!(filled.starts_with("\u{feff}<!-- reportgen:begin answer #"), "{filled}");
}
