//! Whatever a text holds, a Markdown reader shows that text and nothing else.
//!
//! The oracle is comrak 0.59 with GitHub's extensions, strict emphasis, and math.

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options, parse_document};
use proptest::prelude::*;

use crate::report::block::{Icon, Span, Text};

use super::escape::{TextPlace, bounded, clean, clean_lines, fence};
use super::inline;

fn strict() -> Options<'static> {
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.alerts = true;
    options.extension.math_dollars = true;
    options.extension.math_code = true;
    options
}

/// Kinds of nodes without text, and the texts by kind.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    shape: Vec<&'static str>,
    text: String,
    strong: String,
    code: String,
    reports: usize,
}

/// The report to which there are links.
const REPORT: &str = "a_b/2026-03-01";

fn read(markdown: &str) -> Seen {
    let arena = Arena::new();
    let root = parse_document(&arena, markdown, &strict());
    let mut seen = Seen::default();
    for node in root.descendants() {
        let inside = |wanted: fn(&NodeValue) -> bool| {
            node.ancestors().any(|above: &AstNode<'_>| wanted(&above.data().value))
        };
        match &node.data().value {
            NodeValue::Text(text) => {
                seen.text.push_str(text);
                if inside(|value| matches!(value, NodeValue::Strong)) {
                    seen.strong.push_str(text);
                }
            }
            NodeValue::Code(code) => {
                seen.text.push_str(&code.literal);
                seen.code.push_str(&code.literal);
            }
            NodeValue::CodeBlock(block) => {
                seen.shape.push("fence");
                seen.text.push_str(&block.literal);
            }
            NodeValue::Link(link) if link.url == format!("{REPORT}/report.md") => {
                seen.reports += 1;
            }
            NodeValue::Document | NodeValue::Strong => {}
            other => seen.shape.push(other.xml_node_name()),
        }
    }
    seen
}

/// Without the zero-width spaces that keep forges from linking; the input never has any left.
fn unbroken(text: &str) -> String {
    text.replace('\u{200B}', "")
}

fn expected(text: &str, place: TextPlace) -> String {
    bounded(&clean(text), place.limit()).trim().to_owned()
}

const NASTY: &[&str] = &[
    "*",
    "**",
    "_",
    "__",
    "`",
    "``",
    "```",
    "~~",
    "~",
    "|",
    "\\",
    "\\|",
    "[",
    "]",
    "(",
    ")",
    "![a](b)",
    "[x]",
    "[ ] ",
    "[^1]",
    "[^1]: ",
    "<b>",
    "</td>",
    "<!--",
    "<",
    ">",
    "> ",
    "&",
    "&amp;",
    "&#35;",
    "#",
    "# ",
    " #",
    "#12",
    "-",
    "- ",
    "+ ",
    "1. ",
    "1",
    ".",
    "2) ",
    "---",
    "===",
    "|---|",
    ":--",
    "@everyone",
    "a@b.co",
    "http://x.y/z?a=b",
    "https://",
    "www.x.com",
    "ftp://a.b",
    "mailto:a@b.c",
    "GH-3",
    ":tada:",
    "$",
    "$a$",
    "$$",
    "\n",
    "\r\n",
    "\t",
    " ",
    "  ",
    "\u{A0}",
    "\u{3000}",
    "\u{202E}",
    "\u{0}",
    "\u{1B}[31m",
    "\u{FEFF}",
    "\u{2028}",
    "“",
    "”",
    "，",
    "。",
    "：",
    "！",
    "（",
    "）",
    "提升",
    "正确",
    "100%",
    "↑",
    "⬆\u{FE0F}",
    "≈",
    "Ⓐ",
    "①",
    "é",
    "e\u{301}",
    "a",
    "b1",
    "C:\\d",
    "null",
    "...",
    "…",
    "'",
    "\"",
    "{{ x }}",
    "{% x %}",
    "!",
    "=",
    "^",
    "word",
];

fn text() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        6 => prop::sample::select(NASTY).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(token, 0..10).prop_map(|tokens| tokens.concat())
}

fn spans() -> impl Strategy<Value = Text> {
    let span = prop_oneof![
        3 => text().prop_map(Span::Plain),
        3 => text().prop_map(Span::Strong),
        1 => text().prop_map(Span::Code),
        1 => Just(Span::Icon(Icon::Up)),
        1 => Just(Span::Icon(Icon::Good)),
        1 => Just(Span::Report(REPORT.to_owned())),
    ];
    prop::collection::vec(span, 0..6).prop_map(Text)
}

fn squeezed(text: &str) -> String {
    unbroken(text).chars().filter(|c| !c.is_whitespace()).collect()
}

fn text_of_kind(text: &Text, wanted: fn(&Span) -> Option<&String>) -> String {
    text.0.iter().filter_map(wanted).map(|text| squeezed(&clean(text))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_paragraph_shows_its_text(hostile in text()) {
        let markdown = inline::markdown(&Text::plain(&hostile), TextPlace::Prose);
        let seen = read(&format!("before\n\n{markdown}\n\nafter\n"));
        let shown = expected(&hostile, TextPlace::Prose);
        let paragraphs = if shown.is_empty() { 2 } else { 3 };
        prop_assert_eq!(seen.shape, vec!["paragraph"; paragraphs], "{}", markdown);
        prop_assert_eq!(unbroken(&seen.text), format!("before{shown}after"), "{}", markdown);
    }

    #[test]
    fn a_list_item_shows_its_text(hostile in text()) {
        let shown = expected(&hostile, TextPlace::Prose);
        if shown.is_empty() {
            return Ok(());
        }
        let markdown = inline::markdown(&Text::plain(&hostile), TextPlace::Prose);
        for mark in ["-", "1."] {
            let seen = read(&format!("{mark} {markdown}\n"));
            prop_assert_eq!(&seen.shape, &["list", "item", "paragraph"], "{}", markdown);
            prop_assert_eq!(unbroken(&seen.text), shown.clone(), "{}", markdown);
        }
    }

    #[test]
    fn a_heading_shows_its_text(hostile in text()) {
        let markdown = inline::markdown(&Text::plain(&hostile), TextPlace::Heading);
        let seen = read(&format!("## {markdown}\n"));
        prop_assert_eq!(&seen.shape, &["heading"], "{}", markdown);
        prop_assert_eq!(unbroken(&seen.text), expected(&hostile, TextPlace::Heading), "{}", markdown);
    }

    #[test]
    fn a_cell_shows_its_text_and_keeps_the_row(hostile in text()) {
        let markdown = inline::markdown(&Text::plain(&hostile), TextPlace::Cell);
        let seen = read(&format!("| {markdown} | b |\n|---|---|\n| {markdown} | d |\n"));
        let shape = ["table", "table_row", "table_cell", "table_cell", "table_row", "table_cell", "table_cell"];
        prop_assert_eq!(&seen.shape, &shape, "{}", markdown);
        let shown = expected(&hostile, TextPlace::Cell);
        prop_assert_eq!(unbroken(&seen.text), format!("{shown}b{shown}d"), "{}", markdown);
    }

    #[test]
    fn a_code_span_shows_its_text_in_any_place(hostile in text()) {
        let shown = expected(&hostile, TextPlace::Cell);
        if shown.is_empty() {
            return Ok(());
        }
        let text = Text::code(&hostile);
        let prose = read(&format!("{}\n", inline::markdown(&text, TextPlace::Prose)));
        prop_assert_eq!(&prose.shape, &["paragraph"]);
        prop_assert_eq!(prose.code.trim(), &shown);
        let cell = inline::markdown(&text, TextPlace::Cell);
        let cell = read(&format!("| a | b |\n|---|---|\n| {cell} | d |\n"));
        prop_assert_eq!(cell.shape.len(), 7);
        prop_assert_eq!(unbroken(&cell.text), format!("ab{shown}d"));
    }

    #[test]
    fn emphasis_and_code_survive_any_neighbours(text in spans()) {
        for place in [TextPlace::Prose, TextPlace::Cell] {
            let markdown = inline::markdown(&text, place);
            let document = match place {
                TextPlace::Cell => format!("| a | b |\n|---|---|\n| {markdown} | d |\n"),
                _ => format!("{markdown}\n"),
            };
            let seen = read(&document);
            prop_assert!(seen.shape.len() == if place == TextPlace::Cell { 7 } else { usize::from(!markdown.is_empty()) }, "{markdown}");
            let strong = text_of_kind(&text, |span| match span { Span::Strong(text) => Some(text), _ => None });
            let code = text_of_kind(&text, |span| match span { Span::Code(text) => Some(text), _ => None });
            prop_assert_eq!(squeezed(&seen.strong), strong, "{}", markdown);
            let reports = text.0.iter().filter(|span| matches!(span, Span::Report(_))).count();
            prop_assert_eq!(seen.reports, reports, "{}", markdown);
            if place == TextPlace::Prose {
                prop_assert_eq!(squeezed(&seen.code), code, "{}", markdown);
            }
        }
    }

    #[test]
    fn a_fence_holds_its_lines(hostile in text()) {
        let lines = clean_lines(&hostile);
        let fence = fence(&lines);
        let seen = read(&format!("{fence}\n{lines}\n{fence}\n"));
        prop_assert_eq!(&seen.shape, &["fence"]);
        prop_assert_eq!(seen.text, format!("{lines}\n"));
    }

    #[test]
    fn a_summary_in_html_holds_no_other_markup(text in spans()) {
        let html = inline::html(&text);
        let tags = html.replace("<strong>", "").replace("</strong>", "").replace("<code>", "").replace("</code>", "");
        prop_assert!(!tags.contains('<'), "{}", html);
    }
}

#[test]
fn a_space_is_set_where_the_flanking_rules_fail_and_nowhere_else() {
    let cases = [
        (Text::strong("100%").and_plain("提升"), "**100%** 提升"),
        (Text::plain("提升").and_strong("100%"), "提升**100%**"),
        (Text::plain("格式").and_strong("“100%”").and_plain("正确"), "格式 **“100%”** 正确"),
        (Text::strong("指标：").and_plain("数值"), "**指标：** 数值"),
        (Text::plain("准确率").and_strong("↑25pp").and_plain("！"), "准确率 **↑25pp**！"),
        (Text::strong("指标").and_plain("：数值"), "**指标**：数值"),
        (Text::plain("a").and_strong("b").and_plain("c"), "a**b**c"),
        (Text::strong("a").and_strong("b"), "**ab**"),
        (Text::plain("x").and_strong(" y ").and_plain("z"), "x **y** z"),
        (Text::icon(Icon::Up).and_strong("+1.2 pp"), "⬆\u{FE0F} **+1.2 pp**"),
    ];
    for (text, markdown) in cases {
        assert_eq!(inline::markdown(&text, TextPlace::Prose), markdown);
    }
}

#[test]
fn ordinary_texts_stay_readable_in_the_source() {
    for ordinary in [
        "reward_mode hard_plus_soft",
        "-1.8 pp",
        "KL_BETA=0.12",
        "5e-6 (1/16)",
        "a > b",
        "C:\\data",
    ] {
        assert_eq!(inline::markdown(&Text::plain(ordinary), TextPlace::Prose), ordinary);
    }
}

#[test]
fn hidden_and_direction_changing_characters_are_written_out() {
    assert_eq!(
        clean("a\u{202E}b\u{0}c\u{1B}[2Jd\u{200B}e"),
        "a⟨U+202E⟩b⟨U+0000⟩c⟨U+001B⟩[2Jd⟨U+200B⟩e"
    );
}

#[test]
fn what_forges_link_or_notify_is_broken_by_a_zero_width_space() {
    let cases = [
        ("@everyone", "@\u{200B}everyone"),
        ("see #12", "see #\u{200B}12"),
        ("GH-7", "GH-\u{200B}7"),
        (":tada:", ":\u{200B}tada:"),
        ("12:30:05", "12:30:05"),
    ];
    for (text, markdown) in cases {
        assert_eq!(inline::markdown(&Text::plain(text), TextPlace::Prose), markdown);
    }
}

#[test]
fn what_is_no_path_of_plain_names_becomes_no_link() {
    for path in ["../up", "/etc", "a//b", "a b", "a](http://x.y)", "a/.hidden", "javascript:x", ""]
    {
        let text = Text::empty().and_report(path);
        let seen = read(&inline::markdown(&text, TextPlace::Prose));
        assert_eq!(squeezed(&seen.code), squeezed(path), "{path}");
        assert!(seen.reports == 0 && !seen.shape.contains(&"link"), "{path}: {:?}", seen.shape);
    }
}
