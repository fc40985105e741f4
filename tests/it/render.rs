//! One report in every format.

use std::collections::BTreeMap;

use comrak::nodes::NodeValue;
use comrak::{Arena, Options, parse_document};
use indexmap::IndexMap;
use reportgen::render::{self, FORMATS, OwnTemplate, RenderError, RenderOptions, TerminalOptions};
use reportgen::report::{Report, Sheet};
use reportgen::text::Catalogue;

use crate::difference::assert_same;
use crate::sample_report::report;

fn draw(format: &str, report: &Report, options: &RenderOptions) -> Result<String, RenderError> {
    render::find(format).expect(format).render(report, options)
}

fn drawn(format: &str) -> Result<String, RenderError> {
    draw(format, &report(), &RenderOptions::default())
}

fn on_terminal(options: TerminalOptions) -> String {
    let report = report();
    render::terminal(&report, Catalogue::shipped(report.lang), options)
}

fn with_template(name: &str, source: &str) -> RenderOptions {
    let own = OwnTemplate { path: format!("my/{name}"), text: source.to_owned() };
    RenderOptions {
        templates: IndexMap::from([(name.to_owned(), own)]),
        ..RenderOptions::default()
    }
}

/// As GitHub reads Markdown; emphasis strictly by the standard.
pub(super) fn github() -> Options<'static> {
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.alerts = true;
    options
}

#[test]
fn a_report_in_markdown() {
    insta::assert_snapshot!(drawn("md").unwrap());
}

#[test]
fn a_report_in_html() {
    let page = drawn("html").unwrap();
    let (head, rest) = page.split_once("<style>").unwrap();
    let (_, body) = rest.split_once("</style>").unwrap();
    let (body, _) = body.split_once("<script>").unwrap();
    // The hashes change with every stroke of the style.
    let (head, hashes) = head.split_once("style-src '").unwrap();
    let (_, head_rest) = hashes.split_once("; img-src").unwrap();
    insta::assert_snapshot!(format!("{head}…; img-src{head_rest}{body}"));
}

#[test]
fn a_report_in_json() {
    insta::assert_snapshot!(drawn("json").unwrap());
}

#[test]
fn a_report_in_csv() {
    insta::assert_snapshot!(drawn("csv").unwrap());
}

#[test]
fn a_report_on_a_terminal() {
    insta::assert_snapshot!(on_terminal(TerminalOptions::default()));
}

#[test]
fn a_narrow_terminal_loses_columns_before_it_wraps_cells() {
    for width in [95, 80, 60, 40] {
        let options = TerminalOptions { color: false, width: Some(width) };
        let shown = on_terminal(options);
        let rows: Vec<&str> = shown.lines().skip(2).take_while(|line| !line.is_empty()).collect();
        assert!(rows.len() > 4, "{shown}");
        for line in rows {
            assert!(unicode_width::UnicodeWidthStr::width(line) <= usize::from(width), "{line}");
        }
        if width == 80 {
            insta::assert_snapshot!(shown);
        }
    }
}

#[test]
fn colours_change_nothing_but_colours() {
    let plain = on_terminal(TerminalOptions::default());
    let coloured = on_terminal(TerminalOptions { color: true, width: None });
    assert!(coloured.contains("\u{1B}[32m✅ 更好\u{1B}[0m"));
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
}

#[test]
fn equal_reports_give_equal_bytes_on_any_number_of_threads() {
    for format in FORMATS {
        let [one, other] = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| drawn(format.name()).unwrap())
        });
        assert_same(&one, &other);
    }
}

#[test]
fn every_document_ends_in_one_newline_and_lines_in_no_space() {
    for format in FORMATS {
        let text = drawn(format.name()).unwrap();
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{}", format.name());
    }
    for line in drawn("md").unwrap().lines() {
        assert_eq!(line, line.trim_end());
    }
}

#[test]
fn a_strict_reader_sees_the_blocks_that_were_meant() {
    let markdown = drawn("md").unwrap();
    let arena = Arena::new();
    let root = parse_document(&arena, &markdown, &github());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for node in root.descendants() {
        *counts.entry(node.data().value.xml_node_name()).or_default() += 1;
        assert!(!matches!(node.data().value, NodeValue::HtmlInline(_) | NodeValue::Link(_)));
    }
    let expected = [
        ("alert", 4),
        ("code_block", 2),
        ("heading", 6),
        ("html_block", 2),
        ("list", 2),
        ("item", 5),
        ("table", 2),
        ("table_cell", 50),
    ];
    for (kind, count) in expected {
        assert_eq!(counts.get(kind), Some(&count), "{kind} in {counts:?}");
    }
}

#[test]
fn the_page_asks_for_nothing_and_runs_only_its_own_script() {
    let page = drawn("html").unwrap();
    assert!(!page.contains("http://") && !page.contains("https://"));
    assert_eq!(page.matches("<script>").count(), 1);
    assert!(page.contains("&lt;script&gt;alert") && !page.contains("<script>alert"));
    assert!(!page.contains("raw HTML omitted"));
    assert!(page.contains("default-src 'none'"));
    assert!(!page.contains("unsafe-inline"));
}

#[test]
fn raw_html_of_a_template_does_not_reach_the_page() {
    let section = "\n<script>alert(2)</script>\n\n<details onclick=\"x()\">\n\na<img src=x>b\n";
    let options = with_template("sections/summary.md.j2", section);
    let page = draw("html", &report(), &options).unwrap();
    assert!(page.contains("<p>a<!-- raw HTML omitted -->b</p>"), "the template is drawn: {page}");
    assert!(!page.contains("alert(2)") && !page.contains("onclick") && !page.contains("<img"));
}

#[test]
fn cells_of_the_page_carry_the_number_behind_them() {
    let page = drawn("html").unwrap();
    assert!(page.contains("<td class=\"right\" data-v=\"49.75\">49.75%</td>"));
    assert!(page.contains("<td class=\"right missing\">?</td>"));
}

#[test]
fn a_template_that_adds_a_table_gets_no_numbers_of_another() {
    let section = "\n| x |\n|---|\n| 1 |\n";
    let options = with_template("sections/summary.md.j2", section);
    let page = draw("html", &report(), &options).unwrap();
    assert!(page.contains("49.75%") && !page.contains("data-v=\"49.75\""));
}

#[test]
fn a_user_lays_out_one_section_anew() {
    let options =
        with_template("sections/summary.md.j2", "\nMine: {{ section.blocks | length }}\n");
    let markdown = draw("md", &report(), &options).unwrap();
    assert!(markdown.contains("## 📊 结论\n\nMine: 6\n\n## 差异对比\n"));
}

#[test]
fn data_that_a_template_prints_is_escaped() {
    let mut report = report();
    report.data["runs"][0]["name"] = "<b>|*x*".into();
    let options = with_template("report.md.j2", "{{ report.runs[0].name }}\n");
    let markdown = draw("md", &report, &options).unwrap();
    assert_eq!(markdown, "\\<b>\\|\\*x\\*\n");
}

#[test]
fn a_missing_value_is_named_with_template_and_line() {
    let options = with_template("report.md.j2", "# {{ title }}\n\n{{ report.titel }}\n");
    let error = draw("md", &report(), &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "template `my/report.md.j2`, line 3: `report.titel` is not defined"
    );
    assert!(matches!(error, RenderError::MissingValue { line: 3, .. }));
}

#[test]
fn a_template_that_does_not_parse_is_named_with_its_line() {
    let options = with_template("blocks.md.j2", "\n{% macro block(part %}\n");
    let error = draw("md", &report(), &options).unwrap_err();
    assert!(
        matches!(&error, RenderError::Template { template, line: 2, .. } if template == "my/blocks.md.j2"),
        "{error}"
    );
}

#[test]
fn json_lines_hold_the_rows_of_a_sheet_with_numbers_as_numbers() {
    let mut report = report();
    let row = serde_json::json!(["a\u{202e}b", 1.5, null, "sk-aB3dE6gH9jK2mN5pQ8sT1vW4"]);
    report.sheet = Some(Sheet::new(&["name", "value", "none", "key"], [row].into_iter()));
    let lines = render::find("jsonl").expect("a format").render(&report, &RenderOptions::default());
    let expected = "{\"name\":\"a\\u202eb\",\"value\":1.5,\"none\":null,\"key\":\"•••\"}\n";
    assert_eq!(lines.expect("drawn"), expected);
}
