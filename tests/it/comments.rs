//! Reports as bodies of comments, job summaries and annotations.

use std::fmt::Write as _;

use comrak::nodes::NodeValue;
use comrak::{Arena, parse_document};

use crate::command::{Ended, reportgen};
use crate::directory::Directory;
use crate::render::github;

/// Limits in characters, as the forges state them.
const GITHUB: usize = 65_536;

const PHASES: [&str; 2] = ["fixtures/phases/phase1", "fixtures/phases/phase0"];

fn body(runs: [&str; 2], more: &[&str]) -> Ended {
    let words = ["compare", runs[0], runs[1]].into_iter().chain(more.iter().copied());
    reportgen(words.map(str::to_owned))
}

/// What a forge looks for references in: all text that is not code; and whether anything is a link, a
/// picture or HTML that is not the program's own.
fn live_text(markdown: &str) -> String {
    let arena = Arena::new();
    let root = parse_document(&arena, markdown, &github());
    let mut text = String::new();
    for node in root.descendants() {
        let value = &node.data().value;
        let is_live =
            matches!(value, NodeValue::Link(_) | NodeValue::Image(_) | NodeValue::HtmlInline(_));
        assert!(!is_live, "{value:?} in {markdown}");
        match value {
            NodeValue::Text(part) => text.push_str(part),
            NodeValue::HtmlBlock(html) => text.push_str(&without_own_html(&html.literal)),
            NodeValue::Code(_) | NodeValue::SoftBreak => text.push(' '),
            value if value.block() => text.push('\n'),
            _ => {}
        }
    }
    text
}

/// The text of a block of HTML, without its own elements and without what stands in `code`.
fn without_own_html(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, from)) = rest.split_once('<') {
        text.push_str(before);
        let (tag, after) = from.split_once('>').expect("a closed tag");
        let own = ["details", "/details", "summary", "/summary", "strong", "/strong"];
        if tag == "code" {
            rest = after.split_once("</code>").expect("closed code").1;
        } else {
            assert!(own.contains(&tag) || tag.starts_with("!-- reportgen:"), "<{tag}> in {html}");
            rest = after;
        }
    }
    (text + rest).replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"")
}

/// Fails where elements are not closed, a table has rows of other lengths, or a fence is open.
fn check_whole(markdown: &str) {
    // Elsewhere these words are text of a run.
    let lines = |wanted: &str| markdown.lines().filter(|line| *line == wanted).count();
    assert_eq!(lines("<details>"), lines("</details>"));
    assert_eq!(markdown.matches("\n```").count() % 2, 0, "an open fence");
    let arena = Arena::new();
    let root = parse_document(&arena, markdown, &github());
    let mut tables = 0;
    for node in root.descendants() {
        if let NodeValue::Table(table) = &node.data().value {
            tables += 1;
            for row in node.children() {
                assert_eq!(row.children().count(), table.num_columns, "a cut row");
            }
        }
    }
    assert!(tables > 0, "no table in {markdown}");
    let pipes = markdown.lines().filter(|line| line.starts_with('|'));
    assert!(pipes.clone().all(|line| line.ends_with('|')), "a cut line");
}

#[test]
fn a_comment_begins_with_its_name_and_state_and_answers_at_once() {
    let ended = body(PHASES, &["--format", "github", "--fail-on", "regression"]);
    assert_eq!(ended.status, 1, "{}", ended.err);
    let mut lines = ended.out.lines();
    let first = lines.next().expect("a line");
    let name = "compare-phase1-phase0";
    let start = format!("<!-- reportgen:comment {name} --><!-- reportgen:state 1 alert ");
    assert!(first.starts_with(&start), "{first}");
    let open = ended.out.split("<details>").next().expect("what stands open");
    for expected in [
        "3 worse, 1 identical",
        "**Confounded**",
        "failed: `regression`",
        "| accepted_at_1 | 25.0% | 8.0% |",
        "`model_path`",
    ] {
        assert!(open.contains(expected), "{expected} in {open}");
    }
    assert!(open.lines().count() < 50, "{open}");
    check_whole(&ended.out);
}

#[test]
fn plain_markdown_has_no_html_beside_its_first_line() {
    let ended = body(PHASES, &["--format", "plain"]);
    let (_, rest) = ended.out.split_once('\n').expect("two lines");
    assert!(!rest.contains(['<', '>']) || !rest.contains("</"), "{rest}");
    assert!(!rest.contains("[!"), "{rest}");
    assert!(rest.contains("### "), "{rest}");
}

/// Two runs with so many metrics, of which some differ.
fn many_metrics(count: usize) -> Directory {
    let runs = Directory::new();
    for (arm, shift) in [("a", 0), ("b", 3)] {
        let mut text = String::from("id");
        for metric in 0..count {
            let _infallible = write!(text, ",exact_match_of_a_long_name_{metric:03}");
        }
        for row in 0..40 {
            let _infallible = write!(text, "\n{row}");
            for metric in 0..count {
                let right = (row * 7 + metric * 3 + shift * (metric % 5)) % 11 < 6;
                let _infallible = write!(text, ",{}", u8::from(right));
            }
        }
        runs.write(format!("{arm}/samples.csv"), text);
    }
    runs.write("reportgen.toml", metrics_toml(count));
    runs
}

fn metrics_toml(count: usize) -> String {
    let metrics = (0..count).map(|metric| {
        let name = format!("exact_match_of_a_long_name_{metric:03}");
        format!("[[metric]]\nnames = [\"{name}\"]\ndirection = \"higher\"\n")
    });
    metrics.collect()
}

#[test]
fn a_comparison_of_500_metrics_in_chinese_fits_and_is_cut_only_between_rows() {
    let runs = many_metrics(500);
    let [a, b, config] = ["a", "b", "reportgen.toml"].map(|word| runs.word(word));
    for (format, limit) in [("github", GITHUB), ("gitea", GITHUB), ("plain", GITHUB)] {
        let ended = body([&a, &b], &["--config", &config, "--lang", "zh", "--format", format]);
        assert_eq!(ended.status, 0, "{}", ended.err);
        let length = ended.out.chars().count();
        assert!(length <= limit, "{format}: {length}");
        assert!(length > limit / 2, "{format}: {length}");
        check_whole(&ended.out);
        assert!(ended.out.contains("显示"), "it does not say that rows are left out");
        live_text(&ended.out);
    }
    let summary = body([&a, &b], &["--config", &config, "--format", "github-summary"]).out;
    assert!(summary.len() <= 1 << 20, "{}", summary.len());
    let gitlab = body([&a, &b], &["--config", &config, "--format", "gitlab"]).out;
    assert!(gitlab.chars().count() <= 1_000_000);
    check_whole(&gitlab);
}

/// What a forge would act on.
const HOSTILE: [&str; 14] = [
    "@alice",
    "@org/team",
    "owner/repo#12",
    "#34",
    "GH-56",
    "1a2b3c4d5e6f7a8b",
    "https://github.com/o/r/issues/1",
    "www.example.com",
    "<img src=x onerror=y>",
    "![x](https://e.example/p.png)",
    "[link](https://e.example)",
    "<!-- --> </details>",
    "!12 ~bug $7 &5",
    "/close",
];

#[test]
fn nothing_from_a_run_mentions_links_or_commands() {
    for (position, hostile) in HOSTILE.into_iter().enumerate() {
        let runs = Directory::new();
        for (arm, right) in [("a", 1), ("b", 0)] {
            let quoted = hostile.replace('"', "\"\"");
            let mut text = format!("id,dataset,acc,\"{quoted}\"\n");
            for row in 0..30 {
                let _infallible =
                    writeln!(text, "\"{quoted} {row}\",\"{quoted}\",{},{row}", (row + right) % 2);
            }
            runs.write(format!("{arm}/samples.csv"), text);
            let config = format!("seed: 1\n\"{}\": '{quoted} {arm}'\n", hostile.replace('"', ""));
            runs.write(format!("{arm}/config.yaml"), config);
        }
        let [a, b] = ["a", "b"].map(|arm| runs.word(arm));
        for format in ["github", "gitlab", "gitea", "plain", "github-summary"] {
            let arms = [format!("{}={a}", hostile.replace('=', "-")), format!("base={b}")];
            let ended =
                reportgen(["compare", "--format", format, "--arm", &arms[1], "--arm", &arms[0]]);
            assert!(ended.status == 0, "{position}: {}", ended.err);
            let text = live_text(&ended.out);
            for word in text.split(|c: char| c.is_whitespace()) {
                let mut next = word.chars().skip(1);
                let acts = word.chars().any(|sign| {
                    let next = next.next().unwrap_or(' ');
                    match sign {
                        '@' => next.is_ascii_alphanumeric(),
                        '#' => next.is_ascii_digit(),
                        '!' | '$' | '&' | '~' if format == "gitlab" => next.is_ascii_alphanumeric(),
                        _ => false,
                    }
                });
                assert!(!acts && !word.contains("://"), "{format}: {word} in {text}");
                assert!(!word.starts_with("GH-5") && !word.contains("1a2b3c4d5"), "{word}");
            }
            assert!(!ended.out.lines().any(|line| line.starts_with('/')), "{}", ended.out);
            check_whole(&ended.out);
        }
    }
}

#[test]
fn a_comment_is_empty_where_the_earlier_one_says_the_same_and_short_where_it_is_resolved() {
    let out = Directory::new();
    let worse = body(PHASES, &["--format", "github", "--comment-name", "ci"]).out;
    out.write("earlier.md", &worse);
    let earlier = out.word("earlier.md");
    let again = ["--format", "github", "--comment-name", "ci", "--previous", &earlier, "--comment"];
    for policy in ["on-change", "on-alert"] {
        let more = [&again[..], &[policy]].concat();
        assert_eq!(body(PHASES, &more).out, "", "{policy}");
        let better = body([PHASES[1], PHASES[0]], &more).out;
        let lines: Vec<&str> = better.lines().collect();
        assert_eq!(lines.len(), 3, "{better}");
        assert!(lines[2].contains("**Resolved**") && lines[0].contains(" quiet "), "{better}");
    }
    let always = body(PHASES, &[&again[..], &["always"]].concat()).out;
    assert_eq!(always.lines().next(), worse.lines().next());
    let quiet = ["--format", "github", "--comment", "on-alert"];
    assert_eq!(body([PHASES[1], PHASES[0]], &quiet).out, "");
    let missing = body(PHASES, &["--format", "github", "--previous", "/nowhere/earlier.md"]);
    assert_eq!(missing.status, 4);
    assert!(missing.err.contains("/nowhere/earlier.md"), "{}", missing.err);
}

#[test]
fn a_summary_is_added_to_the_file_of_the_job_and_no_comment_replaces_another_file() {
    let out = Directory::of([("summary.md", "# of another step"), ("README.md", "mine\n")]);
    let path = out.word("summary.md");
    for times in 1..=2 {
        let ended = body(PHASES, &["--format", "github-summary", "-o", &path]);
        assert_eq!(ended.status, 0, "{}", ended.err);
        let text = out.read("summary.md");
        assert!(text.starts_with("# of another step\n### Comparison report"), "{text}");
        assert_eq!(text.matches("### Comparison report").count(), times);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("README.md", out.path("link.md")).expect("linked");
        let path = out.word("link.md");
        let ended = body(PHASES, &["--format", "github-summary", "-o", &path]);
        assert_eq!(ended.status, 4, "{}", ended.err);
    }
    let ended = body(PHASES, &["--format", "github", "-o", &out.word("README.md")]);
    assert_eq!(ended.status, 2, "{}", ended.err);
    assert_eq!(out.read("README.md"), "mine\n");
}

#[test]
fn a_summary_leaves_room_for_what_stands_in_the_file() {
    let runs = many_metrics(40);
    let [a, b, config] = ["a", "b", "reportgen.toml"].map(|word| runs.word(word));
    runs.write("summary.md", "x".repeat(985_000) + "\n");
    let path = runs.word("summary.md");
    let ended = body([&a, &b], &["--config", &config, "--format", "github-summary", "-o", &path]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    let length = runs.read("summary.md").len();
    assert!(length > 985_100 && length <= 1_000_000, "{length}");
}

#[test]
fn annotations_stand_behind_what_is_printed_and_names_are_no_commands() {
    let out = Directory::new();
    let path = out.word("report.md");
    let more = ["--annotations", "github", "--fail-on", "regression", "-o", &path];
    let ended = body(PHASES, &more);
    assert_eq!(ended.status, 1);
    let commands: Vec<&str> = ended.out.lines().filter(|line| line.starts_with("::")).collect();
    assert!(commands[0].starts_with("::error title=gate regression::3 of 5 results are worse"));
    let place = "::warning file=fixtures/phases/phase0/config.yaml,line=1,title=R201::";
    assert!(commands.iter().any(|line| line.starts_with(place)), "{commands:?}");
    let nowhere = body(PHASES, &["--annotations", "github", "--format", "md"]);
    assert_eq!(nowhere.status, 2);
    assert!(nowhere.err.contains("-o PATH"), "{}", nowhere.err);

    let runs = Directory::new();
    for (arm, right) in [("a", 1), ("b", 0)] {
        let mut text = "id,::error::x##[add-mask]y\n".to_owned();
        text.extend((0..30).map(|row| format!("{row},{}\n", (row + right) % 2)));
        runs.write(format!("{arm}/samples.csv"), text);
    }
    let [a, b] = ["a", "b"].map(|arm| runs.word(arm));
    let ended = body([&a, &b], &["--annotations", "github", "-o", &path, "--force"]);
    for line in ended.out.lines().chain(ended.err.lines()) {
        assert!(!line.trim_start().starts_with("::error::x") && !line.contains("##["), "{line}");
    }
}

#[test]
fn every_gate_is_a_test_case_and_fails_where_the_process_does() {
    let text = body(PHASES, &["--format", "junit", "--fail-on", "regression,mismatch,missing"]).out;
    for expected in [
        "<testsuites name=\"reportgen\" tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"0\">",
        "<testcase classname=\"reportgen.compare.gate\" name=\"regression\">\n      <failure ",
        "name=\"mismatch\">\n      <error ",
        "name=\"missing\">\n      <system-out>",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    let undecided = body(
        ["fixtures/kl_beta/kl-0.15", "fixtures/kl_beta/kl-0.12"],
        &["--format", "junit", "--fail-on", "missing,regression"],
    );
    assert!(undecided.out.contains("<skipped ") || undecided.out.contains("<error "));
}

#[test]
fn findings_with_a_place_are_results_of_a_static_analysis() {
    let ended = body(PHASES, &["--format", "sarif", "--accept", "R201:phase"]);
    let log: serde_json::Value = serde_json::from_str(&ended.out).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "fixtures/phases/phase0/config.yaml");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    let ids: Vec<&serde_json::Value> = rules.iter().map(|rule| &rule["id"]).collect();
    assert!(results.iter().all(|result| ids.contains(&&result["ruleId"])));
    let accepted = results.iter().filter(|result| result.get("suppressions").is_some()).count();
    assert_eq!(accepted, 1, "{results:?}");
}

#[test]
fn gauges_say_each_figure_with_what_it_is_of() {
    let text = body(PHASES, &["--format", "openmetrics", "--fail-on", "regression"]).out;
    for expected in [
        "# TYPE reportgen_value gauge\n",
        "reportgen_value{metric=\"accepted_at_1\",dataset=\"codecontests_valid\",\
         baseline_run=\"phase1\",candidate_run=\"phase0\",unit=\"fraction\",arm=\"baseline\"} 0.25\n",
        "reportgen_gate{gate=\"regression\",outcome=\"fail\"} 1\n",
        "reportgen_gate{gate=\"regression\",outcome=\"pass\"} 0\n",
        "reportgen_findings{severity=\"warning\"} 2\n",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    assert!(text.ends_with("# EOF\n"));
}

#[test]
fn the_mark_of_a_comment_holds_no_credential_of_a_run_that_is_called_like_one() {
    let token = ["ghp_", "AbCdEf0123456789AbCdEf0123456789AbCd"].concat();
    let metrics = |accuracy: f64| format!("{{\"accuracy\": {accuracy}, \"n\": 100}}");
    let runs = Directory::of([
        ("base/metrics.json".to_owned(), metrics(0.5)),
        (format!("{token}/metrics.json"), metrics(0.6)),
    ]);
    let ended = body([&runs.word("base"), &runs.word(&token)], &["--format", "github"]);
    assert!(
        ended.out.contains("reportgen:comment") && !ended.out.contains(&token),
        "{}",
        ended.out
    );
}
