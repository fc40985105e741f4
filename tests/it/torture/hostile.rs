//! The case whose names and keys try to leave their place.

use super::{Case, run};
use crate::directory::Directory;
use crate::report::cell;

/// Marks and controls that turn or hide the direction of text.
const BIDI: [char; 12] = [
    '\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

/// Markdown without what stands in back quotes.
fn outside_code(line: &str) -> String {
    let mut kept = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        let ticks = from.len() - from.trim_start_matches('`').len();
        // A back quote behind a backslash is a character.
        let closing =
            if before.ends_with('\\') { None } else { from[ticks..].find(&from[..ticks]) };
        rest = &from[closing.map_or(ticks, |end| end + 2 * ticks)..];
    }
    kept + rest
}

/// The bars that part the cells of a table row.
fn bars(line: &str) -> usize {
    line.match_indices('|').filter(|(at, _)| !line[..*at].ends_with('\\')).count()
}

/// What would be a tag, or a link, if it were not escaped.
const TAGS: [&str; 7] =
    ["<details open", "<summary>@", "<script", "</code", "</pre", "[click]", "[x]"];

#[test]
fn case_10_hostile_text_stays_in_its_place_in_markdown() {
    let case = Case::of(10);
    let page = case.page("md");
    let mut columns = 0;
    let mut heads = Vec::new();
    for line in page.lines() {
        let plain = outside_code(line);
        for tag in TAGS {
            let raw = plain.match_indices(tag).find(|(at, _)| !plain[..*at].ends_with('\\'));
            assert!(raw.is_none(), "`{tag}` in {line}");
        }
        for mention in ["everyone", "here"] {
            assert!(!plain.contains(&format!("@{mention}")), "`@{mention}` in {line}");
        }
        let row = line.starts_with('|');
        assert!(!row || columns == 0 || bars(line) == columns, "{columns} bars in {line}");
        columns = if row { bars(line) } else { 0 };
        heads.extend(line.starts_with('#').then_some(line));
    }
    assert!(!page.contains(BIDI), "{page:?}");
    let shown = TAGS.map(|tag| format!("\\{tag}")).into_iter();
    for shown in shown.chain(["everyone", "here"].map(|name| format!("@\u{200b}{name}"))) {
        assert!(page.contains(&shown), "no `{shown}` in {page}");
    }
    assert!(page.contains("⟨U+202E⟩"), "{page:?}");
    assert_eq!(heads[0], "# Comparison report: candidate vs baseline (baseline)");
    assert!(heads[1..].iter().all(|head| head.starts_with("##")), "{heads:?}");
    let lines = |wanted: &str| page.lines().filter(|line| *line == wanted).count();
    assert_eq!(
        page.matches("<details>").count(),
        page.matches("\\<details>").count() + lines("<details>")
    );
    assert_eq!(lines("<details>"), lines("</details>"));
    assert_eq!(lines("```bash"), 1, "{page}");
    assert_eq!(lines("```bash") + lines("```text"), lines("```"), "{page}");
}

#[test]
fn case_10_hostile_text_stays_in_its_place_in_html() {
    let page = Case::of(10).page("html");
    for tag in ["<details open>", "<summary>@", "<script>alert"] {
        let escaped = tag.replace('<', "&lt;").replace('>', "&gt;");
        assert!(page.contains(escaped.trim_end_matches('@')), "no `{escaped}` in {page}");
        assert!(!page.contains(tag), "`{tag}`");
    }
    for raw in ["<img", "href=\"javascript:"] {
        assert!(!page.contains(raw), "`{raw}`");
    }
    assert!(!page.contains(BIDI));
    assert!(page.contains("⟨U+202E⟩") && page.contains("&lt;script&gt;alert"), "{page}");
    assert_eq!(page.matches("<h1").count(), 1);
    for tag in ["details", "table", "tr", "pre", "code", "summary"] {
        let opened =
            page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "<{tag}>");
    }
}

#[test]
fn case_10_hostile_text_leaves_the_figures_and_the_terminal_alone() {
    let case = Case::of(10);
    let correct = cell(&case.report, "correct");
    assert_eq!([&correct["flips"]["gained"], &correct["flips"]["lost"]], [20, 2], "{correct}");
    assert_eq!(correct["pairing"]["conflicting"], 4, "{correct}");
    assert_eq!(case.report["comparability"]["grade"], "confounded");
    let directory = Directory::new();
    let ended = run(&case.command, &["-o", &directory.word(""), "--format", "md"]);
    assert!(ended.out.contains("⟨U+202E⟩") && ended.err.contains("<script>"), "{ended:?}");
    for stream in [&ended.out, &ended.err] {
        assert!(!stream.contains(BIDI) && !stream.contains('\u{1b}'), "{stream:?}");
    }
}
