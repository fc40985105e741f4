//! A person's words in a report stay when it is written again, whatever became of the report; what
//! cannot stay is kept aside, and nothing is replaced that is something else.

use std::fs;

use crate::cases::tests;
use crate::command::{Ended, reportgen};
use crate::directory::Directory;

const SENTENCE: &str = "We ship **b**: see <script>alert(1)</script> 结论。";

/// Two runs, and a report of them in `out/`.
struct Desk(Directory);

impl Desk {
    fn new() -> Self {
        let desk = Self(Directory::new());
        desk.score(0.625);
        desk.0.write("a/metrics.json", "{\"accuracy\": 0.5, \"n\": 200}");
        desk
    }

    fn score(&self, score: f64) {
        self.0.write("b/metrics.json", format!("{{\"accuracy\": {score}, \"n\": 200}}"));
    }

    fn run(&self, command: &str, further: &[&str]) -> Ended {
        let words = [command, &self.0.word("a"), &self.0.word("b"), "-o", &self.0.word("out")];
        reportgen(words.iter().chain(further).copied())
    }

    /// Draws the report and returns it.
    fn drawn(&self, further: &[&str]) -> String {
        let ended = self.run("compare", further);
        assert_eq!(ended.status, 0, "{ended:?}");
        self.0.read("out/report.md")
    }

    /// Writes into the report as it lies there, and returns it.
    fn edit(&self, change: impl FnOnce(String) -> String) -> String {
        let text = change(self.0.read("out/report.md"));
        self.0.write("out/report.md", &text);
        text
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path("out")).expect("listed");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
        names.sort();
        names
    }
}

fn place(name: &str, words: &str) -> String {
    format!("<!-- reportgen:prose {name} -->\n{words}\n<!-- reportgen:end -->")
}

/// Puts words between the markers of a place that the report offers.
fn fill(text: &str, name: &str, words: &str) -> String {
    let (before, rest) = text.split_once(&format!("<!-- reportgen:prose {name}")).expect("offered");
    let (marker, rest) = rest.split_once('\n').expect("a line");
    let (_, after) = rest.split_once("<!-- reportgen:end -->").expect("closed");
    format!("{before}<!-- reportgen:prose {name}{marker}\n{words}\n<!-- reportgen:end -->{after}")
}

/// Words typed below a heading of their own place.
fn below(text: &str, heading: &str, words: &str) -> String {
    assert!(text.contains(&format!("\n{heading}\n")), "{heading} is not in: {text}");
    text.replacen(heading, &format!("{heading}\n\n{}", place("mine", words)), 1)
}

#[test]
fn a_sentence_survives_three_runs_and_the_rest_is_drawn_anew() {
    let desk = Desk::new();
    let fresh = desk.drawn(&[]);
    let edited = desk.edit(|text| {
        let text = fill(&text, "summary", SENTENCE);
        below(&text, "## Setup", "My own place.")
    });
    assert_eq!([1, 2, 3].map(|_| desk.drawn(&[])), [(); 3].map(|()| edited.clone()));
    desk.score(0.4);
    let moved = desk.drawn(&[]);
    assert!(moved.contains("62.5%") != moved.contains("40.0%"), "{moved}");
    for words in [SENTENCE, "My own place."] {
        assert_eq!(moved.matches(words).count(), 1, "{moved}");
    }
    desk.score(0.625);
    assert_eq!(desk.drawn(&[]), edited);
    // Whoever takes the words out again has the report as it was first drawn.
    desk.edit(|text| {
        let own = format!("\n\n{}", place("mine", "My own place."));
        fill(&text, "summary", "").replace(&own, "")
    });
    assert_eq!(desk.drawn(&[]), fresh);
    assert_eq!(desk.files(), ["report.md"]);
}

/// What a person's editor does to the file stays, and so do their words.
fn survives(saved: impl Fn(&str) -> String) {
    let desk = Desk::new();
    desk.drawn(&[]);
    let edited = desk.edit(|text| saved(&fill(&text, "summary", SENTENCE)));
    for _ in 0..3 {
        assert_eq!(desk.drawn(&[]), edited);
    }
    assert_eq!(desk.files(), ["report.md"]);
}

tests![
    carriage_returns_stay = survives(|text| text.replace('\n', "\r\n")),
    a_byte_order_mark_stays = survives(|text| format!("\u{FEFF}{text}")),
    both_stay = survives(|text| format!("\u{FEFF}{}", text.replace('\n', "\r\n"))),
];

#[test]
fn words_stay_as_they_are_to_the_byte() {
    let desk = Desk::new();
    desk.drawn(&[]);
    let words = "a  \r\n\tb\n\n```\n## c\n<!-- x\n\n| d |  \n";
    desk.edit(|text| fill(&text, "summary", words));
    for _ in 0..3 {
        assert!(desk.drawn(&[]).contains(&format!("-->\n{words}\n<!-- reportgen:end -->")));
    }
}

#[test]
fn what_lost_its_section_stands_at_the_end_under_its_old_heading_until_that_is_back() {
    let desk = Desk::new();
    let more = ["--fail-on", "missing"];
    desk.drawn(&more);
    let edited = desk.edit(|text| below(&text, "## Gates", "About the gate."));
    let without = [1, 2, 3].map(|_| desk.drawn(&[]));
    for text in &without {
        let end = format!(
            "\n## Notes without a section\n\n### Gates\n\n{}\n\n<!-- reportgen:report",
            place("mine", "About the gate.")
        );
        assert!(text.contains(&end) && text.matches("About the gate.").count() == 1, "{text}");
    }
    assert!(without[0] == without[1] && without[1] == without[2]);
    let back = desk.drawn(&more);
    assert!(!back.contains("Notes without"), "{back}");
    assert_eq!(back.matches("About the gate.").count(), 1);
    assert_eq!(back.len(), edited.len(), "{back}");
    assert_eq!(desk.drawn(&more), back);
}

#[test]
fn words_stay_in_their_section_when_the_language_changes() {
    let desk = Desk::new();
    let open = ["--prose", "findings,conclusion"];
    let fresh = desk.drawn(&open);
    let edited = desk.edit(|text| {
        let text = fill(&text, "strengths-b", "It is strong.");
        below(&fill(&text, "summary", SENTENCE), "## Setup", "My own place.")
    });
    let chinese = desk.drawn(&[&open[..], &["--lang", "zh"]].concat());
    let own = format!("## 测试配置\n\n{}", place("mine", "My own place."));
    let title = chinese.find("优势：b").expect("its heading");
    assert!(chinese.contains(&own), "{chinese}");
    assert!(chinese[title..].find("It is strong.").is_some_and(|at| at < 200), "{chinese}");
    assert_eq!(chinese.matches("（待填充）").count(), 3, "{chinese}");
    assert_eq!(desk.drawn(&open), edited);
    assert_eq!(fresh.matches("(to be filled in)").count(), 4);
}

#[test]
fn a_page_shows_the_words_and_obeys_nothing_in_them() {
    let desk = Desk::new();
    desk.drawn(&[]);
    let words = format!("{SENTENCE}\n\n```\nleft open\n\n| a |\n|---|\n");
    desk.edit(|text| fill(&text, "summary", &words));
    for formats in ["md,html", "html"] {
        assert_eq!(desk.run("compare", &["--format", formats]).status, 0);
        let page = desk.0.read("out/report.html");
        assert!(page.contains("We ship <strong>b</strong>") && page.contains("结论"), "{page}");
        assert!(page.contains("&lt;script&gt;alert") && !page.contains("<script>alert"), "{page}");
        assert!(!page.contains("reportgen:prose") && page.contains("<h2 id=\"setup\">"));
        assert!(page.contains("data-v="), "figures behind cells stay those of their cells");
    }
    let page = desk.0.word("out/report.html");
    let [a, b] = ["a", "b"].map(|run| desk.0.word(run));
    assert_eq!(reportgen(["compare", &a, &b, "-o", &page]).status, 0);
    assert!(desk.0.read("out/report.html").contains("We ship <strong>b</strong>"));
}

#[test]
fn standard_output_and_brief_reports_have_no_empty_places() {
    let desk = Desk::new();
    let [a, b] = ["a", "b"].map(|run| desk.0.word(run));
    let printed = reportgen(["compare", &a, &b, "--prose", "conclusion", "-o", "-"]).out;
    assert!(!printed.contains("reportgen:") && printed.contains("(to be filled in)"), "{printed}");
    let brief = desk.drawn(&["--detail", "brief"]);
    assert!(!brief.contains("reportgen:prose"), "{brief}");
    desk.drawn(&[]);
    desk.edit(|text| fill(&text, "summary", SENTENCE));
    assert!(desk.drawn(&["--detail", "brief"]).contains(SENTENCE));
    assert!(desk.drawn(&[]).contains(SENTENCE));
}

#[test]
fn a_report_that_was_edited_elsewhere_is_kept_aside_and_told() {
    let desk = Desk::new();
    desk.drawn(&[]);
    for (number, aside) in [("one", "report.md.bak"), ("two", "report.md.bak-2")] {
        let edited = desk.edit(|text| text.replace("## Setup", &format!("## Setup {number}")));
        let ended = desk.run("compare", &[]);
        assert_eq!(ended.status, 0, "{ended:?}");
        assert!(ended.err.contains(aside) && ended.err.starts_with("warning: "), "{}", ended.err);
        assert_eq!(desk.0.read(format!("out/{aside}")), edited);
    }
    let ended = desk.run("compare", &["--lang", "zh"]);
    assert!(!ended.err.contains(".bak"), "{}", ended.err);
    desk.0.write("out/report.md", "# My notes\n");
    let ended = desk.run("compare", &["--lang", "zh"]);
    assert!(ended.status == 2 && ended.err.contains("--force"), "{}", ended.err);
    assert_eq!(desk.0.read("out/report.md"), "# My notes\n");
    let ended = desk.run("compare", &["--lang", "zh", "--force"]);
    assert!(ended.err.starts_with("警告: ") || ended.err.starts_with("警告："), "{}", ended.err);
    assert_eq!(desk.0.read("out/report.md.bak-3"), "# My notes\n");
    desk.edit(|text| text.replace('\n', "\r\n").replace("|\r\n", "| \r\n"));
    desk.drawn(&[]);
    assert_eq!(desk.files().len(), 4, "spaces at line ends are no edit");
}

/// Nothing is written, and the place and the reason are told.
fn is_left_alone(content: &[u8], told: &[&str]) {
    let desk = Desk::new();
    desk.0.write("out/report.md", content);
    let ended = desk.run("compare", &["--format", "md,json"]);
    assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{ended:?}");
    for part in told {
        assert!(ended.err.contains(part), "`{part}` is not in: {}", ended.err);
    }
    assert_eq!(desk.files(), ["report.md"]);
    assert_eq!(fs::read(desk.0.path("out/report.md")).expect("there"), content);
    let ended = desk.run("compare", &["--force"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert_eq!(fs::read(desk.0.path("out/report.md.bak")).expect("there"), content);
}

tests![
    a_place_that_is_not_closed_is_told = is_left_alone(
        b"# T\n\n<!-- reportgen:prose mine -->\nlost?\n",
        &[
            "report.md:3: error[R487]",
            "<!-- reportgen:prose mine -->",
            "hint: ",
            "<!-- reportgen:end -->"
        ]
    ),
    an_end_alone_is_told = is_left_alone(
        b"# T\n\nlost?\n<!-- reportgen:end -->\n",
        &["report.md:4: error[R487]", "<!-- reportgen:end -->"]
    ),
    bytes_that_are_not_utf8_are_told = is_left_alone(b"# \xb1\xbe\n", &["report.md", "UTF-8"]),
];

#[test]
fn a_report_of_another_kind_is_replaced_only_by_force() {
    for formats in ["md", "html", "json"] {
        let desk = Desk::new();
        assert_eq!(desk.run("compare", &["--format", formats]).status, 0);
        let before = desk.0.read(format!("out/report.{formats}"));
        let ended = desk.run("check", &["--format", formats]);
        assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{ended:?}");
        for part in ["report of `compare`", "`check`", "--force"] {
            assert!(ended.err.contains(part), "{}", ended.err);
        }
        assert_eq!(desk.0.read(format!("out/report.{formats}")), before);
        assert_eq!(desk.run("check", &["--format", formats, "--force"]).status, 0);
        assert_ne!(desk.0.read(format!("out/report.{formats}")), before);
        let aside = desk.files().contains(&"report.md.bak".to_owned());
        assert_eq!(aside, formats == "md", "what people write in is kept");
    }
}
