//! Templates that users copy out and change, words that they lay over the shipped ones, and reports
//! of their own; and that `docs/templates.md` says what is there.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use reportgen::render::{CONTEXT, SHIPPED};
use reportgen::text::LANGUAGES;

use crate::cases::tests;
use crate::command::{Ended, compare, compared, json, reportgen};
use crate::difference::assert_same;
use crate::directory::Directory;
use crate::golden::words;

const DOCUMENT: &str = "docs/templates.md";
const OWN: &str = "fixtures/own_reports";
/// Runs that are compared quickly, because they state figures alone.
const RUNS: [&str; 2] = ["fixtures/kl_beta/kl-0.15", "fixtures/kl_beta/kl-0.12"];

fn document() -> String {
    fs::read_to_string(DOCUMENT).expect(DOCUMENT)
}

/// The first column of the table with that head, without backticks and arguments.
fn column(head: &str) -> Vec<String> {
    let text = document();
    let rows = text.lines().skip_while(|line| !line.starts_with(&format!("| {head} |"))).skip(2);
    let cells = rows.take_while(|line| line.starts_with('|')).map(|row| {
        let cell = row.split('|').nth(1).expect("a cell").trim().replace('`', "");
        cell.split('(').next().expect("a name").to_owned()
    });
    let found: Vec<String> = cells.collect();
    assert!(!found.is_empty(), "{DOCUMENT} has no table `{head}`");
    found
}

/// The fenced blocks of a language.
fn fenced(lang: &str) -> Vec<String> {
    let text = document();
    let open = format!("```{lang}\n");
    text.split(&open)
        .skip(1)
        .map(|rest| rest.split("```").next().expect("closed").to_owned())
        .collect()
}

fn with_templates(files: &[(&str, &str)], options: &[&str]) -> (Ended, Directory) {
    let directory = Directory::of(files.iter().copied());
    let ended = compare(&RUNS, &[&["--templates", &directory.word("")], options].concat());
    (ended, directory)
}

/// The command refuses a changed file and says so, with `my` for its directory.
fn is_refused(name: &str, text: &str, expected: &str) {
    let (ended, directory) = with_templates(&[(name, text)], &[]);
    assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{}", ended.err);
    let said = ended.err.replace(&directory.word(""), "my");
    assert!(said.contains(expected), "{said}");
}

#[test]
fn the_document_names_every_template_filter_and_function_and_no_other() {
    let set = |names: Vec<String>| names.into_iter().collect::<BTreeSet<String>>();
    let layout = SHIPPED.iter().map(|(name, _)| (*name).to_owned());
    let names: Vec<String> = layout.chain(LANGUAGES.iter().map(|lang| lang.file())).collect();
    assert_eq!(column("name"), names);
    let code = fs::read_to_string("src/render/filters.rs").expect("readable");
    let added = |what: &str| -> Vec<String> {
        let call = format!("env.add_{what}(\"");
        let added = code.split(&call).skip(1);
        added.map(|rest| rest[..rest.find('"').expect("a name")].to_owned()).collect()
    };
    assert_eq!(set(column("filter")), set(added("filter")));
    assert_eq!(column("function"), added("function"));
}

#[test]
fn the_document_names_everything_that_a_template_is_given_and_nothing_else() {
    let text = document();
    let table = text.split("\n| name | value |").nth(1).expect("a table of the context");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let named: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    assert_eq!(named, CONTEXT);
    for name in named {
        let template = format!("{{{{ {name} | string | length > 0 }}}}\n");
        let (ended, _kept) = with_templates(&[("report.md.j2", &template)], &[]);
        assert_eq!(ended.out, "True\n", "{name}: {}", ended.err);
    }
}

#[test]
fn what_was_copied_out_draws_the_same_report() {
    let directory = Directory::new();
    let path = directory.word("copy");
    let listed = reportgen(["templates", "list"]).out;
    let ended = reportgen(["templates", "export", &path]);
    assert_eq!(
        (ended.status, ended.out),
        (0, listed.lines().fold(String::new(), |all, name| all + &path + "/" + name + "\n"))
    );
    for options in [["--lang", "zh", "--format", "md"], ["--lang", "en", "--format", "html"]] {
        let drawn = |more: &[&str]| compare(&RUNS, &[&options, more].concat()).out;
        // The report tells the command that makes it again.
        let own = drawn(&["--templates", &path]).replace(&format!(" --templates {path}"), "");
        assert_same(&drawn(&[]), &own);
    }
    assert_eq!(reportgen(["templates", "export", &path]).status, 0, "nothing was changed");
}

#[test]
fn a_changed_file_is_not_replaced_unless_forced() {
    let directory = Directory::of([("text/zh.toml", "mine")]);
    let path = directory.word("");
    let ended = reportgen(["templates", "export", &path]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("`text/zh.toml`") && ended.err.contains("--force"), "{}", ended.err);
    assert!(!directory.path("report.md.j2").exists(), "written though refused");
    assert_eq!(reportgen(["templates", "export", &path, "--force"]).status, 0);
    assert_same(LANGUAGES[1].source, &directory.read("text/zh.toml"));
}

tests![
    a_field_that_is_not_there_is_named_with_its_line = is_refused(
        "report.md.j2",
        "\n\n{{ report.runz }}",
        "`my/report.md.j2`, line 3: `report.runz` is not defined"
    ),
    a_field_before_a_filter_is_named = is_refused(
        "report.md.j2",
        "{{ report.rate | pct }}",
        "`my/report.md.j2`, line 1: `report.rate` is not defined"
    ),
    a_template_that_does_not_parse_is_named = is_refused(
        "report.md.j2",
        "x\n{% if %}",
        "`my/report.md.j2`, line 2: unexpected end of block"
    ),
    a_chain_without_end_is_refused_with_its_line = is_refused(
        "report.md.j2",
        &format!("{{{{ report.title }}}}\n{{{{ {}true }}}}\n", "not ".repeat(5000)),
        "template `my/report.md.j2`, line 2: more than 500 operators"
    ),
    a_template_that_is_not_there_is_named = is_refused(
        "report.md.j2",
        "x\n{% include \"no.md.j2\" %}",
        "`my/report.md.j2`, line 2: tried to include non-existing template 'no.md.j2'"
    ),
    a_field_in_the_template_of_a_section_is_named = is_refused(
        "sections/limits.md.j2",
        "\n{{ section.nope }}",
        "`my/sections/limits.md.j2`, line 2: `section.nope` is not defined"
    ),
    an_unknown_filter_is_named = is_refused(
        "report.md.j2",
        "{{ title | shout }}",
        "`my/report.md.j2`, line 1: filter shout is unknown"
    ),
    a_text_where_a_number_is_needed_is_refused = is_refused(
        "report.md.j2",
        "{{ title | pct }}",
        "`my/report.md.j2`, line 1: a number is needed here, got a value of kind string"
    ),
    a_fraction_where_a_count_is_needed_is_refused = is_refused(
        "report.md.j2",
        "{{ 1234567.6 | count }}",
        "`my/report.md.j2`, line 1: a whole number that is not negative is needed here, got 1234567.6"
    ),
    words_that_are_not_there_are_named = is_refused(
        "report.md.j2",
        "{{ t(\"nope\") }}",
        "`my/report.md.j2`, line 1: there are no words `nope` in en"
    ),
    words_without_their_values_are_refused = is_refused(
        "report.md.j2",
        "{{ t(\"html.footer\") }}",
        "`my/report.md.j2`, line 1: the words `html.footer` need a value for {version}"
    ),
    an_unknown_unit_is_named = is_refused(
        "report.md.j2",
        "{{ 1 | figure(\"mm\") }}",
        "`my/report.md.j2`, line 1: there is no unit \"mm\"; there are fraction"
    ),
    an_unknown_sign_is_named = is_refused(
        "report.md.j2",
        "{{ \"soso\" | icon }}",
        "`my/report.md.j2`, line 1: there is no sign for \"soso\""
    ),
    changed_words_keep_their_placeholders = is_refused(
        "text/zh.toml",
        "[html]\nfooter = \"x\"",
        "`my/text/zh.toml`, line 2: `html.footer` must have the placeholders {version}, got none"
    ),
    words_that_the_program_does_not_have_are_named = is_refused(
        "text/en.toml",
        "\n[htm]\nfooter = \"x\"",
        "`my/text/en.toml`, line 3: there is no text `htm.footer`; did you mean `html.footer`?"
    ),
];

#[test]
fn strings_in_lists_and_tables_are_escaped_as_strings_are() {
    let directory = Directory::of([
        ("a/results.csv", "dataset,accuracy,n\n<b>x</b>,0.5,9\n"),
        ("reportgen.toml", "[report.mine]\nfrom = \"compare\"\ntemplate = \"mine.md.j2\"\n"),
        (
            "mine.md.j2",
            "{% for one in report.comparisons %}{{ [one.dataset] }}{{ {1: one.dataset} }}{% endfor %}",
        ),
    ]);
    let [run, config] = ["a", "reportgen.toml"].map(|name| directory.word(name));
    for format in ["md", "html"] {
        let words = ["report", "mine", &run, &run, "--config", &config, "--format", format];
        let ended = reportgen(words);
        let shown = ended.out.replace("\\<b>", "");
        assert!(shown.len() < ended.out.len() || shown.contains("&lt;b"), "{}", ended.out);
        assert!(!shown.contains("<b>"), "{}", ended.out);
    }
}

#[test]
fn numbers_of_a_template_are_shown_as_reports_show_them() {
    let rows = [
        ("0.57 | pct", "57.0%"),
        ("none | pct", "?"),
        ("none | icon", "?"),
        ("none", "?"),
        ("t(\"html.footer\", version=none)", "Written by reportgen ?"),
        ("-5 | money", "-\\$5.00"),
        ("-1.8 | pp", "-1.8 pp"),
        ("0 | pp", "0.0 pp"),
        ("0.135 | rel", "+13.5%"),
        ("-0.31 | rel", "-31.0%"),
        ("12345 | count", "12,345"),
        ("4 | stars", "⭐⭐⭐⭐"),
        ("58.8 | figure(\"percent\")", "58.8%"),
        ("-1.8 | delta(\"percent\")", "-1.8 pp"),
        ("-0.1 | icon", "⬇️"),
        ("0 | icon", "➡️"),
        ("\"worse\" | icon", "❌"),
        ("t(\"verdict.better\")", "better"),
        ("t(\"html.footer\", version=\"a|*b*\")", "Written by reportgen a\\|\\*b\\*"),
    ];
    let [mut template, mut shown] = [const { String::new() }; 2];
    for (printed, expected) in rows {
        writeln!(template, "- {printed}: {{{{ {printed} }}}}").expect("written");
        writeln!(shown, "- {printed}: {expected}").expect("written");
    }
    let (ended, _kept) = with_templates(&[("report.md.j2", &template)], &[]);
    assert_same(&shown, &ended.out);
}

#[test]
fn changed_words_reach_the_report_and_the_page_and_not_the_data() {
    let own = [(
        "text/en.toml",
        "[section]\nlimits = \"Open questions\"\n[html]\nsort = \"Order by this\"\n[diagnostic.R204]\ntitle = \"x\"",
    )];
    let (ended, _kept) = with_templates(&own, &[]);
    assert!(ended.out.contains("\n## Open questions\n"), "{}", ended.err);
    let (ended, _kept) = with_templates(&own, &["--format", "html"]);
    assert!(ended.out.contains("Open questions") && ended.out.contains("Order by this"));
    let (ended, _kept) = with_templates(&own, &["--format", "json"]);
    assert_eq!(json(&ended), compared(&RUNS, &[]));
}

#[test]
fn the_example_of_the_document_is_the_one_that_is_shipped_and_runs() {
    let file = |name: &str| fs::read_to_string(Path::new(OWN).join(name)).expect("shipped");
    let declared = fenced("toml");
    assert!(declared.iter().any(|block| file("reportgen.toml").starts_with(block.as_str())));
    assert_eq!(fenced("jinja"), [file("brief.md.j2")]);
    let commands = fenced("bash");
    let line = commands.last().and_then(|block| block.trim().strip_prefix("reportgen "));
    let ended = reportgen(words(line.expect("a command")));
    assert_eq!(ended.status, 0, "{}", ended.err);
    assert!(ended.out.starts_with("# Nightly brief\n"), "{}", ended.out);
}

#[test]
fn a_report_of_ones_own_is_the_command_it_is_drawn_from_but_for_the_document() {
    let config = format!("{OWN}/reportgen.toml");
    let own = |more: &[&str]| {
        let words = ["report", "brief", RUNS[0], RUNS[1], "--config", &config];
        reportgen(words.iter().chain(more).copied())
    };
    assert_eq!(json(&own(&["--format", "json"])), compared(&RUNS, &["--config", &config]));
    let page = own(&["--format", "html"]).out;
    assert!(
        page.contains("<title>Nightly brief</title>")
            && page.contains("<th scope=\"col\">Metric</th>"),
        "{page}"
    );
    assert_eq!(own(&["--fail-on", "mismatch"]).status, 3);
    assert!(own(&["--nope"]).err.contains("--nope"));
}

#[test]
fn a_report_that_is_not_declared_well_is_refused_with_what_there_is() {
    for (text, expected) in [
        ("", "declares no report `brief`; those it declares: none"),
        (
            "[report.weekly]\nfrom = \"compare\"\ntemplate = \"w.md.j2\"",
            "those it declares: weekly",
        ),
        (
            "[report.brief]\nfrom = \"explain\"\ntemplate = \"b.md.j2\"",
            "from = \"explain\" is no command that makes a report; there are compare, check, phase, samples, progress, quality, metrics, best, handoff",
        ),
        ("[report.brief]\nfrom = \"compare\"\ntemplate = \"b.md.j2\"", "there is no template at "),
        ("[report.brief]\nfrom = \"compare\"", "the key `template` is missing"),
        (
            "[report.brief]\nfrom = \"compare\"\ntemplate = \"b\"\ncolour = 1",
            "unknown key `colour`",
        ),
        (
            "[report.brief]\nfrom = \"compare\"\ntemplate = \"b\"\ntitle = 1",
            "a title is a text, or a table such as { en = \"…\", zh = \"…\" }",
        ),
    ] {
        let directory = Directory::of([("reportgen.toml", text)]);
        let path = directory.word("reportgen.toml");
        let ended = reportgen(["report", "brief", RUNS[0], RUNS[1], "--config", &path]);
        assert_eq!(ended.status, 2, "{}", ended.err);
        assert!(ended.err.contains(expected), "{text}: {}", ended.err);
    }
    assert!(reportgen(["report", "brief"]).err.contains("--config FILE"));
}

#[test]
fn the_document_names_the_commands_that_a_report_can_be_drawn_from() {
    let ended = reportgen(["report", "--config", "fixtures/own_reports/reportgen.toml", "nope"]);
    assert!(ended.err.contains("brief, release"), "{}", ended.err);
    let declared = "[report.x]\nfrom = \"y\"\ntemplate = \"z\"";
    let directory = Directory::of([("reportgen.toml", declared)]);
    let ended = reportgen(["report", "x", "--config", &directory.word("reportgen.toml")]);
    let (_, names) = ended.err.trim().split_once("there are ").expect("the names");
    let listed: Vec<String> = names.split(", ").map(|name| format!("`{name}`")).collect();
    assert!(document().contains(&format!("names: {}.", listed.join(", "))), "{names}");
}

/// Each command that makes a report, on shipped files.
const SOURCES_OF_REPORTS: [(&str, &[&str]); 9] = [
    ("compare", &["fixtures/phases/phase0", "fixtures/phases/phase1"]),
    ("check", &["fixtures/phases/phase0", "fixtures/phases/phase1"]),
    ("phase", &["fixtures/phases/phase0", "fixtures/phases/phase1"]),
    ("samples", &["fixtures/phases/phase0", "fixtures/phases/phase1"]),
    ("progress", &["fixtures/progress/grpo"]),
    ("quality", &["fixtures/cases/decomposition/runs/base"]),
    ("metrics", &["fixtures/outcomes/valid.jsonl"]),
    ("best", &["fixtures/best/run"]),
    ("handoff", &["fixtures/checkpoints/whole"]),
];

const OF_ANY_KIND: &str = "# {{ title }}\n\n{{ headline }}\n\n\
    {% for section in sections %}\n\n## {{ section.title }}\n\n\
    {% include section.template %}\n{% endfor %}\n";

#[test]
fn a_report_of_ones_own_is_drawn_from_every_command() {
    for (source, arguments) in SOURCES_OF_REPORTS {
        let title = "title = { en = \"Mine\", zh = \"我的\" }";
        let declared =
            format!("[report.mine]\nfrom = \"{source}\"\ntemplate = \"mine.md.j2\"\n{title}\n");
        let files = [("reportgen.toml", declared.as_str()), ("mine.md.j2", OF_ANY_KIND)];
        let directory = Directory::of(files);
        let config = directory.word("reportgen.toml");
        for (lang, title) in [("en", "Mine"), ("zh", "我的")] {
            let drawn = |format| {
                let head = ["report", "mine", "--config", &config];
                let tail = ["--lang", lang, "--format", format];
                reportgen(head.iter().chain(arguments).chain(&tail).copied())
            };
            let page = drawn("md");
            assert!([0, 1, 3].contains(&page.status), "{source} {lang}: {}", page.err);
            assert!(page.out.starts_with(&format!("# {title}\n")), "{source}: {}", page.out);
            assert!(page.out.matches("\n## ").count() > 0, "{source}: {}", page.out);
            let page = drawn("html");
            assert!([0, 1, 3].contains(&page.status), "{source} {lang}: {}", page.err);
            let head = format!("<title>{title}</title>");
            assert!(page.out.contains(&head) && page.out.contains("<h2"), "{source}");
        }
    }
}

#[test]
fn a_file_that_draws_nothing_is_told_with_the_name_that_was_meant() {
    let (ended, directory) = with_templates(
        &[
            ("text/fr.toml", ""),
            ("reprot.md.j2", "x"),
            ("sections/nosuch.md.j2", "x"),
            ("sections/limits.md.j2", "{% include \"reports.md.j2\" %}"),
            ("reports.md.j2", "x"),
            ("weekly.md.j2", "x"),
        ],
        &[],
    );
    let err = ended.err.replace(&directory.word(""), "my");
    let told: Vec<&str> = err.lines().filter(|line| line.contains("no report")).collect();
    assert_eq!(
        told,
        [
            "warning: `my/reprot.md.j2` is used by no report; did you mean `report.md.j2`?",
            "warning: `my/sections/nosuch.md.j2` is used by no report",
            "warning: `my/text/fr.toml` is used by no report; did you mean `text/en.toml`?",
        ]
    );
}

#[test]
fn axes_go_by_their_name_in_any_case_and_by_their_word() {
    let by = |axes: &str, split: &str| {
        compare(&RUNS, &["--by", axes, "--split", split, "--format", "json"])
    };
    let plain = json(&by("samples,shot", "epoch"));
    for (axes, split) in [("Samples,SHOT", "Epoch"), ("样本数,shot", "epoch")] {
        assert_eq!(json(&by(axes, split))["grids"], plain["grids"], "{axes}");
    }
    let twice = by("samples,样本数", "epoch");
    assert_eq!(twice.status, 2, "{}", twice.err);
    assert!(twice.err.contains("the axis `samples` 2 times"), "{}", twice.err);
    let ended = compare(&RUNS, &["--prose", "none,findings"]);
    assert_eq!(ended.status, 2, "{}", ended.err);
}

#[test]
fn cells_that_failed_or_cannot_exist_are_told_from_those_still_to_be_run() {
    let head = "samples,shot,accuracy\n";
    let a = "100,0,50%\n100,4,51%\n200,0,52%\n200,4,53%\n300,0,54%\n";
    let b = "100,0,50%\n100,4,n/a\n200,0,failed\n200,4,?\n300,0,54%\n";
    let directory = Directory::of([("a.csv", head.to_owned() + a), ("b.csv", head.to_owned() + b)]);
    let runs = ["a.csv", "b.csv"].map(|run| directory.word(run));
    for (lang, expected) in [
        ("en", ["(2/4, 1 still to run, 1 failed)", "| failed |", "2 of 4 "]),
        ("zh", ["（2/4，1 项待补、1 项失败）", "| 失败 |", "的 4 项结果，b.csv 缺 2 项"]),
    ] {
        let ended = compare(&runs, &["--by", "samples,shot", "--lang", lang]);
        for part in expected {
            assert!(ended.out.contains(part), "{part}: {}", ended.out);
        }
    }
}

#[test]
fn arms_over_other_axes_are_shown_side_by_side_and_leave_nothing_to_write() {
    let directory = Directory::of([
        ("a.csv", "epoch,samples,shot,accuracy\n1,100,0,50%\n2,100,0,52%\n"),
        ("b.csv", "step,samples,accuracy\n1,100,55%\n2,100,57%\n"),
    ]);
    let runs = ["a.csv", "b.csv"].map(|run| directory.word(run));
    let ended = compare(&runs, &["--by", "samples,shot", "--lang", "en"]);
    for part in
        ["but their axes differ", "(epoch, samples, shot)", "(samples, step)", "52.0%", "57.0%"]
    {
        assert!(ended.out.contains(part), "{part}: {}", ended.out);
    }
    let words = LANGUAGES[0].source;
    for part in ["still to run", "compare again", "Averages leave"] {
        assert!(words.contains(part), "no report says `{part}`");
        assert!(!ended.out.contains(part), "{part}: {}", ended.out);
    }
}
