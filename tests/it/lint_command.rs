//! `reportgen lint`: what it reads, prints and writes, and how it ends.

use std::io::Write as _;
use std::process::Stdio;

use reportgen::cli::Surroundings;

use crate::command::{program, reportgen, run, within_10_seconds};
use crate::directory::Directory;

#[test]
fn a_finding_says_what_is_right() {
    let texts =
        [("en", "3/9 is 33.3%, not 50.0% [rate]"), ("zh", "3/9 是 33.3%，不是 50.0% [rate]")];
    let directory = Directory::new();
    let path = directory.word("a.md");
    directory.write("a.md", "x\n正确 50.0% (3/9)\n");
    for (lang, message) in texts {
        let ended = reportgen(["lint", &path, "--lang", lang]);
        assert_eq!(ended.status, 1, "{ended:?}");
        assert_eq!(ended.out, format!("{path}:2:4: {message}\n"));
    }
    let json = reportgen(["lint", &path, "--format", "json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("an object a line");
    assert_eq!((json["line"].as_u64(), json["rule"].as_str()), (Some(2), Some("rate")));
    assert_eq!(reportgen(["lint", &path, "--skip", "rate"]).status, 0);
    assert_eq!(reportgen(["lint", &path, "--only", "total"]).status, 0);
    assert_eq!(reportgen(["lint", &path, "--only", "rate", "--all"]).status, 2);
    assert_eq!(reportgen(["lint", &path, "--only", "totals"]).status, 2);
    assert_eq!(reportgen(["lint", &directory.word("none.md")]).status, 4);
}

/// A directory with a document that has a wrong percentage in its second line.
fn with_a_wrong_percentage() -> Directory {
    let directory = Directory::new();
    directory.write("a.md", "x\n正确 50.0% (3/9)\n");
    directory
}

#[test]
fn data_say_what_was_found_and_how_it_is_worked_out() {
    let directory = Directory::new();
    directory.write(
        "a.md",
        "50% (3/9), 95% (44/50)\n\n| A | B | Δ |\n|-|-|-|\n| 1.0 | 2.0 | +1.0 |\n| 1.0 | 3.0 | +2.0 |\n| 1.0 | 4.0 | +3.0 |\n| 2.0 | 1.0 | +1.0 |\n\n# Epoch 1\n\n## Epoch 2\n\n# Epoch 2\n\n## Epoch 2\n",
    );
    let ended = reportgen(["lint", &directory.word("a.md"), "--all", "--format", "json"]);
    let found: Vec<serde_json::Value> =
        ended.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let of =
        |at: usize| ["rule", "found", "expected", "how", "fix"].map(|key| found[at][key].clone());
    let null = serde_json::Value::Null;
    assert_eq!(of(0)[..4], ["rate", "50", "33", "100 × 3 ÷ 9"]);
    assert_eq!((of(0)[4].clone(), of(1)[4].clone()), (null.clone(), "88".into()));
    assert_eq!(of(2)[..4], ["difference", "1.0", "-1.0", "1.0 − 2.0"]);
    assert_eq!(of(3)[1..], [null.clone(), null.clone(), null.clone(), null]);
}

#[test]
fn all_rules_apply_where_the_configuration_says_so() {
    let directory = Directory::new();
    directory.write("a.md", "0.40 → 0.50 (+30%)\n");
    directory.write("all.toml", "[lint]\nall = true\n");
    let [path, config] = ["a.md", "all.toml"].map(|name| directory.word(name));
    assert_eq!(reportgen(["lint", &path]).status, 0);
    assert_eq!(reportgen(["lint", &path, "--all"]).status, 1);
    assert_eq!(reportgen(["lint", &path, "--config", &config]).status, 1);
    assert_eq!(reportgen(["lint", &path, "--config", &config, "--only", "rate"]).status, 0);
}

#[test]
fn a_log_of_static_analysis_has_rule_line_and_column() {
    let directory = with_a_wrong_percentage();
    let ended = reportgen(["lint", &directory.word("a.md"), "--format", "sarif"]);
    assert_eq!(ended.status, 1, "{ended:?}");
    let log: serde_json::Value = serde_json::from_str(&ended.out).expect("JSON");
    let [run] = log["runs"].as_array().expect("runs").as_slice() else { panic!("one run") };
    let rule = &run["tool"]["driver"]["rules"][0];
    let told = "a percentage that the counts beside it do not give";
    assert_eq!((&rule["id"], &rule["shortDescription"]["text"]), (&"rate".into(), &told.into()));
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"rate".into(), &"warning".into()));
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!(*region, serde_json::json!({ "startLine": 2, "startColumn": 4 }));
}

#[test]
fn a_job_reads_ten_annotations_and_the_rest_as_text() {
    let directory = Directory::new();
    let path = directory.word("a.md");
    directory.write("a.md", "50% (3/9)\n".repeat(12));
    let job = Surroundings { annotates: true, ..Surroundings::default() };
    let ended = run(["lint", &path], job);
    assert_eq!(ended, reportgen(["lint", &path, "--format", "github"]));
    let line = format!("::warning file={path},line=1,col=1,title=rate::3/9 is 33%25, not 50%25");
    assert!(ended.out.starts_with(&line), "{}", ended.out);
    assert_eq!(ended.out.matches("::warning ").count(), 10, "{}", ended.out);
    assert_eq!(ended.out.lines().count(), 12);
    let asked = run(["lint", &path, "--format", "text"], job);
    assert!(!asked.out.contains("::warning"), "{}", asked.out);
}

#[test]
fn a_configuration_leaves_rules_out() {
    let directory = with_a_wrong_percentage();
    directory.write("old/b.md", "3/9 = 50%\n");
    let root = directory.word(".");
    let with = |text: &str, status: u8| {
        directory.write("reportgen.toml", text);
        let ended = reportgen(["lint", &root, "--config", &directory.word("reportgen.toml")]);
        assert_eq!(ended.status, status, "{text}: {ended:?}");
        ended
    };
    assert_eq!(with("", 1).out.lines().count(), 2);
    with("[lint]\nskip = [\"rate\"]\n", 0);
    with("[lint]\nonly = [\"total\"]\n", 0);
    let left = with("[lint.paths]\n\"**/old/*.md\" = [\"rate\"]\n", 1).out;
    assert_eq!((left.lines().count(), left.contains("a.md:2")), (1, true), "{left}");
    assert!(with("lang = \"zh\"\n", 1).out.contains("3/9 是"));
    let refused = with("lang = \"en\"\n[lint]\nskip = [\"rates\"]\n", 2).err;
    assert!(refused.contains("reportgen.toml`, line 3: there is no rule `rates`"), "{refused}");
    let refused = with("[lint.paths]\n\"a\" = [\"rates\"]\n", 2).err;
    assert!(refused.contains("line 2: there is no rule `rates`"), "{refused}");
    let refused = with("[lint]\nallow = [\"rate\"]\n", 2).err;
    assert!(refused.contains("allow"), "{refused}");
}

#[test]
fn a_directory_is_its_markdown_but_what_is_hidden_or_brought_in() {
    let directory = Directory::new();
    for path in [
        "b.md",
        "a/c.MD",
        "a/d.markdown",
        "a/e.txt",
        ".git/f.md",
        "node_modules/g.md",
        "target/h.md",
    ] {
        directory.write(path, "3/9 = 50%\n");
    }
    let ended = reportgen(["lint", &directory.word("."), "--format", "json"]);
    let found = ended.out.lines().map(|line| {
        let object: serde_json::Value = serde_json::from_str(line).expect("an object");
        object["path"].as_str().and_then(|path| path.rsplit('/').next()).map(str::to_owned)
    });
    let found: Vec<String> = found.map(|name| name.expect("a path")).collect();
    assert_eq!(found, ["c.MD", "d.markdown", "b.md"]);
}

#[test]
fn a_document_may_come_from_standard_input() {
    let mut command = program();
    command.args(["lint", "-", "--format", "text"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("started");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"3/9 = 50%\n").expect("written");
    drop(input);
    let ended = child.wait_with_output().expect("ended");
    assert_eq!(ended.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&ended.stdout), "-:1:7: 3/9 is 33%, not 50% [rate]\n");
}

#[test]
fn figures_with_one_right_value_are_mended_on_request() {
    let directory = Directory::new();
    let path = directory.word("a.md");
    let wrong = "x\r\n**95.0%** (44/50), 72.1% → 75.3% (+4.4 pp)\r\n\r\n| A | B | Δ |\r\n|-|-|-|\r\n| 1.0 | 2.0 | **+1.0** |\r\n| 1.0 | 3.0 | +2.0 |\r\n| 1.0 | 4.0 | +3.0 |\r\n| 41.2 | 45.5 | **+3.1** |\r\n\r\nfrom 60.0% to 63.0%, up 3%\r\n";
    let right = wrong
        .replace("95.0%", "88.0%")
        .replace("+4.4 pp", "+3.2 pp")
        .replace("+3.1", "+4.3")
        .replace("up 3%", "up 3 pp");
    directory.write("a.md", wrong);
    let shown = reportgen(["lint", &path, "--all", "--fix"]);
    assert_eq!((shown.status, directory.read("a.md").as_str()), (1, wrong));
    assert!(shown.out.contains("-**95.0%** (44/50)") && shown.out.contains("+**88.0%** (44/50)"));
    assert!(shown.out.contains("+4.4 pp)\r\n"), "{}", shown.out);
    let written = reportgen(["lint", &path, "--all", "--fix", "--write"]);
    assert_eq!(directory.read("a.md"), right);
    assert_eq!((written.status, written.out.as_str()), (0, ""), "{written:?}");
    assert_eq!(reportgen(["lint", &path, "--write"]).status, 2);
}

#[test]
fn a_document_that_is_no_utf_8_is_told() {
    let directory = Directory::new();
    let bytes = |name: &str, bytes: &[u8]| {
        directory.write(name, bytes);
        reportgen(["lint", &directory.word(name)])
    };
    let wide: Vec<u8> = "x 3/9 (50%)\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let ended = bytes("a.md", &[&[0xff, 0xfe][..], &wide].concat());
    assert_eq!((ended.status, ended.err.contains("a.md` was not read")), (4, true), "{ended:?}");
    let ended = bytes("b.md", b"caf\xe9 50% (3/9)\n");
    assert_eq!((ended.status, ended.err.contains("b.md` is no UTF-8")), (1, true), "{ended:?}");
}

#[test]
fn what_cannot_be_mended_so_is_refused() {
    let directory = with_a_wrong_percentage();
    let path = directory.word("a.md");
    for (arguments, told) in [
        (vec!["lint", "-", "--fix", "--write"], "standard input cannot be written"),
        (vec!["lint", &path, "--fix", "--format", "json"], "--fix shows a diff"),
    ] {
        let ended = reportgen(arguments);
        assert_eq!((ended.status, ended.err.contains(told)), (2, true), "{ended:?}");
    }
}

/// A directory with the runs `base` and `tuned`.
fn with_two_runs() -> Directory {
    let directory = Directory::new();
    for (run, gsm8k, math) in [("base", 0.5, 0.25), ("tuned", 0.625, 0.2375)] {
        let of = |share: f64| format!("{{\"accuracy\": {share}, \"n\": 400}}");
        directory.write(
            format!("{run}/summary.json"),
            format!("{{\"datasets\": {{\"gsm8k\": {}, \"math\": {}}}}}", of(gsm8k), of(math)),
        );
    }
    directory
}

#[test]
fn figures_of_tables_are_set_against_runs() {
    let directory = with_two_runs();
    directory.write(
        "a.md",
        "| Model | gsm8k | math | params |\n|-|-|-|-|\n| base | 50.0% | 25.0% | 7 |\n| tuned | **61.0%** | 23.8% | 7 |\n",
    );
    let [document, base, tuned] = ["a.md", "base", "tuned"].map(|name| directory.word(name));
    let ended = reportgen(["lint", &document, "--against", &base, &tuned]);
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(ended.out.contains("a.md:4:11: the runs have 62.5%, not **61.0%**: "), "{ended:?}");
    assert!(ended.out.contains("tuned/summary.json:") && ended.out.lines().count() == 1);
    let told = "verified 3 of 6 figures of tables, 1 differs, 2 not found in the runs\n";
    assert!(ended.err.starts_with(told), "{}", ended.err);
    assert_eq!(directory.read("a.md").matches("61.0%").count(), 1);
}

#[test]
fn a_figure_that_runs_contradict_may_be_allowed_or_left_out() {
    let directory = with_two_runs();
    let table =
        "| Model | gsm8k | math |\n|-|-|-|\n| base | 50.0% | 25.0% |\n| tuned | 61.0% | 23.8% |\n";
    directory.write("a.md", table);
    directory.write("b.md", format!("<!-- reportgen:allow against -->\n{table}"));
    let [a, b, base, tuned] = ["a.md", "b.md", "base", "tuned"].map(|name| directory.word(name));
    let status = |arguments: &[&str]| {
        let runs = ["--against", &base, &tuned];
        reportgen([&["lint"], arguments, &runs].concat()).status
    };
    assert_eq!([status(&[&a]), status(&[&b]), status(&[&a, "--skip", "against"])], [1, 0, 0]);
}

#[test]
fn runs_that_say_nothing_do_not_pass() {
    let directory = with_two_runs();
    directory.write("a.md", "| Model | gsm8k |\n|-|-|\n| base | 50.0% |\n| tuned | 62.5% |\n");
    directory.write("b.md", "| Model | latency |\n|-|-|\n| x | 50.0 |\n| y | 62.5 |\n");
    directory.write("torn/results.json", "[");
    directory.write("empty/.keep", "");
    let word = |name: &str| directory.word(name);
    let against = |document: &str, runs: &[String]| {
        let words = ["lint".to_owned(), word(document), "--against".to_owned()];
        reportgen(words.iter().chain(runs))
    };
    for name in ["torn", "empty"] {
        let ended = against("a.md", &[word(name)]);
        let told = format!("the run `{name}` has no figures");
        assert_eq!((ended.status, ended.err.contains(&told)), (4, true), "{ended:?}");
    }
    let same = ["base", "tuned"].map(|name| format!("x={}", word(name)));
    let ended = against("a.md", &same);
    assert_eq!(
        (ended.status, ended.err.contains("two runs are called `x`")),
        (4, true),
        "{ended:?}"
    );
    let ended = against("b.md", &[word("base"), word("tuned")]);
    let told = "none of these figures is one of the runs, so nothing was checked; their metrics: accuracy; their data sets: gsm8k, math";
    assert_eq!((ended.status, ended.err.contains(told)), (3, true), "{ended:?}");
}

#[test]
fn wide_tables_take_seconds() {
    let directory = with_two_runs();
    let row = |cell: &dyn Fn(usize) -> String| {
        let cells: Vec<String> = (0..300).map(cell).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let head = row(&|at| if at % 2 == 0 { format!("A{at}") } else { format!("Δ{at}") });
    let rows: String =
        (0..12).map(|line| row(&|at| format!("{}.{}", (at * 7 + line * 5) % 9, line))).collect();
    directory.write("wide.md", head + &row(&|_| "-".to_owned()) + &rows);
    let [document, base] = ["wide.md", "base"].map(|name| directory.word(name));
    let mut command = program();
    command.args(["lint", &document, "--against", &base]);
    assert_eq!(within_10_seconds(command).status.code(), Some(3));
}

#[test]
fn the_time_for_a_line_grows_with_its_length() {
    let directory = Directory::new();
    let allowed = "<!-- reportgen:allow rate -->\n".to_owned();
    directory.write("long.md", allowed + &"97.7% (43/45) ".repeat(100_000) + "\n");
    let mut command = program();
    command.args(["lint", &directory.word("long.md")]);
    let ended = within_10_seconds(command);
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
}
