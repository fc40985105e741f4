//! The edge to the user: what cannot be used is named in one message, the status says whose turn
//! it is, and what could be read is still reported.

use std::fs;
use std::path::PathBuf;
use std::process::{Output, Stdio};

use crate::command::{Ended, json, program, reportgen, within_10_seconds};
use crate::directory::Directory;
use crate::report::cell;

/// A directory with two readable runs, `a` and `b`.
struct Bench(Directory);

impl Bench {
    fn new() -> Self {
        let bench = Self(Directory::new());
        for (run, score) in [("a", 0.5), ("b", 0.625)] {
            bench.file(&format!("{run}/metrics.json"), format!("{{\"accuracy\": {score}}}"));
            bench.file(&format!("{run}/config.yaml"), "lr: 1.0e-5\n");
        }
        bench
    }

    fn path(&self, below: &str) -> PathBuf {
        self.0.path(below)
    }

    fn text(&self, below: &str) -> String {
        self.0.word(below)
    }

    fn file(&self, below: &str, content: impl AsRef<[u8]>) {
        self.0.write(below, content);
    }

    /// `compare a <other>` and further arguments.
    fn compare(&self, other: &str, further: &[&str]) -> Ended {
        let runs = ["a", other].map(|run| self.text(run));
        let arguments = ["compare"].into_iter().chain(runs.iter().map(String::as_str));
        reportgen(arguments.chain(further.iter().copied()))
    }
}

/// The figure of `accuracy` in the candidate, as the report has it.
fn candidate_accuracy(ended: &Ended) -> Option<f64> {
    cell(&json(ended), "accuracy")["candidate"]["value"].as_f64()
}

/// A command that cannot do its work says so once and writes no data.
fn refused(ended: &Ended, status: u8, names: &[&str]) {
    assert_eq!((ended.status, ended.out.as_str()), (status, ""), "{ended:?}");
    assert_eq!(ended.err.matches("error: ").count(), 1, "{ended:?}");
    for name in names {
        assert!(ended.err.contains(name), "`{name}` is not in: {}", ended.err);
    }
}

#[test]
fn inputs_that_hold_nothing_are_named_and_end_with_4() {
    let bench = Bench::new();
    fs::create_dir(bench.path("empty")).expect("made");
    bench.file("notes/readme.txt", "nothing to compare");
    bench.file("plain.txt", "nothing to compare");
    for run in ["gone", "empty", "notes", "plain.txt"] {
        refused(&bench.compare(run, &[]), 4, &[&bench.text(run)]);
    }
    let inspected = reportgen(["inspect", &bench.text("a"), &bench.text("notes")]);
    assert_eq!(inspected.status, 4);
    assert!(inspected.out.contains("accuracy = 0.5"), "{inspected:?}");
    assert!(inspected.out.contains("readme.txt"), "{inspected:?}");
}

#[test]
fn wrong_usage_ends_with_2_and_says_what_would_be_right() {
    let bench = Bench::new();
    let a = bench.text("a");
    refused(&reportgen(["compare", &a]), 2, &["at least one candidate"]);
    refused(&reportgen(["compare", &a, "--baseline", &a]), 2, &["at least one candidate"]);
    refused(&reportgen(["compare"]), 2, &["name two runs"]);
    refused(&reportgen(["compere", &a]), 2, &["compere", "compare"]);
    for (arguments, names) in [
        (["--format", "pdf"], ["pdf", "md, html, json, csv"]),
        (["--format", "md,json"], ["several formats", "-o DIR"]),
        (["--margin", "accuracy"], ["`accuracy`", "METRIC=VALUE"]),
        (["--margin", "accuracy=-1"], ["`accuracy=-1`", "positive"]),
        (["--margin", "accuracy=NaN"], ["`accuracy=NaN`", "positive"]),
        (["--alpha", "1"], ["alpha", "between 0 and 1"]),
        (["--power", "nan"], ["power", "between 0 and 1"]),
        (["--fail-on", "rain"], ["rain", "regression"]),
        (["--lang", "fr"], ["fr", "zh"]),
    ] {
        refused(&bench.compare("b", &arguments), 2, &names);
    }
}

#[test]
fn a_broken_configuration_file_ends_with_2_and_the_line() {
    let bench = Bench::new();
    for (text, names) in [
        ("alpha = 0.1\nvary = [\n", ["line 2", "unclosed array"]),
        ("alpha = \"high\"\n", ["line 1", "alpha"]),
        ("\nfail_on = [\"rain\"]\n", ["line 2", "rain"]),
        ("lang = \"fr\"\n", ["lang", "fr"]),
        ("[margins]\naccuracy = 0\n", ["accuracy=0", "positive"]),
    ] {
        bench.file("reportgen.toml", text);
        refused(&bench.compare("b", &["--config", &bench.text("reportgen.toml")]), 2, &names);
    }
    let gone = bench.text("gone.toml");
    refused(&bench.compare("b", &["--config", &gone]), 4, &[&gone]);
}

#[test]
fn a_key_that_the_configuration_file_does_not_know_is_told_and_the_report_is_written() {
    let bench = Bench::new();
    bench.file("reportgen.toml", "alhpa = 0.1\n");
    let ended =
        bench.compare("b", &["--config", &bench.text("reportgen.toml"), "--format", "json"]);
    assert_eq!((ended.status, candidate_accuracy(&ended)), (0, Some(0.625)));
    assert!(ended.err.contains("R114") && ended.err.contains("alhpa"), "{}", ended.err);
}

#[test]
fn a_template_that_asks_for_what_is_not_there_ends_with_2_and_template_line_and_name() {
    let bench = Bench::new();
    for (source, name) in
        [("x\n{{ no_such_value }}\n", "`no_such_value`"), ("x\n{% if %}\n", "unexpected")]
    {
        bench.file("templates/report.md.j2", source);
        let ended = bench.compare("b", &["--templates", &bench.text("templates")]);
        refused(&ended, 2, &[&bench.text("templates/report.md.j2"), "line 2", name]);
    }
    let gone = bench.text("gone");
    refused(&bench.compare("b", &["--templates", &gone]), 4, &[&gone]);
}

#[test]
fn a_candidate_that_cannot_be_read_is_left_out_and_told() {
    let bench = Bench::new();
    bench.file("empty/notes.txt", "nothing to compare");
    for lost in ["gone", "empty"] {
        let lost = bench.text(lost);
        let ended = bench.compare("b", &[&lost, "--format", "json"]);
        assert_eq!(ended.status, 4, "{}", ended.err);
        assert!(ended.err.contains(&lost), "{}", ended.err);
        assert_eq!(json(&ended)["runs"].as_array().map(Vec::len), Some(2));
    }
    let ended = reportgen(["inspect", &bench.text("gone"), &bench.text("a")]);
    assert_eq!(ended.status, 4);
    assert!(ended.out.contains("accuracy = 0.5"), "{}", ended.out);
}

#[test]
fn an_output_that_cannot_be_written_ends_with_4_and_its_path() {
    let bench = Bench::new();
    bench.file("file", "in the way");
    for (path, formats) in [("file/below.md", "md"), ("file/", "md"), ("file", "md,json")] {
        let target = format!("{}{}", bench.text(path), if path.ends_with('/') { "/" } else { "" });
        let ended = bench.compare("b", &["--format", formats, "-o", &target]);
        refused(&ended, 4, &["cannot write", &bench.text("file")]);
    }
    assert_eq!(fs::read_to_string(bench.path("file")).expect("still a file"), "in the way");
}

#[test]
fn an_output_that_is_there_is_replaced_and_a_new_directory_is_made() {
    let bench = Bench::new();
    bench.file("old", "metric,dataset,dim.step,baseline_run,candidate_run\n");
    for (target, written) in
        [("old", "old"), ("new/report.csv", "new/report.csv"), ("dir", "dir/report.csv")]
    {
        let ended = bench.compare("b", &["--format", "csv,csv", "-o", &bench.text(target)]);
        assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{ended:?}");
        assert!(ended.out.contains(&bench.text(written)), "{}", ended.out);
        let text = fs::read_to_string(bench.path(written)).expect("written");
        assert!(text.starts_with("metric,"), "{text}");
    }
}

#[test]
fn what_could_be_read_beside_a_broken_file_is_reported_with_the_place_of_the_break() {
    for (file, content, place) in [
        ("summary.json", "{\"accuracy\": 0.6, ".as_bytes(), "summary.json:1:19"),
        ("summary.json", b"{\n\"accuracy\": 0.6,,\n}", "summary.json:2"),
        ("config.json", b"{\"lr\": ", "config.json:1"),
        ("config.toml", b"lr = 1\nlr =\n", "config.toml:2"),
        ("config.yml", b"a: [1\nb: 2\n", "config.yml"),
        ("train_config.json", b"{\"nam\xff\": 1}", "train_config.json:1"),
    ] {
        let bench = Bench::new();
        bench.file(&format!("b/{file}"), content);
        let ended = bench.compare("b", &["--format", "json"]);
        assert_eq!(
            (ended.status, candidate_accuracy(&ended)),
            (0, Some(0.625)),
            "{file}: {ended:?}"
        );
        assert!(ended.err.contains(place), "{place} is not in: {}", ended.err);
    }
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_and_directories_named_like_files_do_not_hide_the_rest() {
    let bench = Bench::new();
    std::os::unix::fs::symlink("nowhere", bench.path("b/results.json")).expect("linked");
    fs::create_dir(bench.path("b/summary.json")).expect("made");
    let ended = bench.compare("b", &["--format", "json"]);
    assert_eq!((ended.status, candidate_accuracy(&ended)), (0, Some(0.625)));
    assert!(ended.err.contains("R101") && ended.err.contains("results.json"), "{}", ended.err);

    std::os::unix::fs::symlink("nowhere", bench.path("link")).expect("linked");
    refused(&bench.compare("link", &[]), 4, &[&bench.text("link")]);
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_never_waited_for() {
    let bench = Bench::new();
    for pipe in ["b/results.json", "b/config.json", "pipe"] {
        let made = std::process::Command::new("mkfifo").arg(bench.path(pipe)).status();
        assert!(made.is_ok_and(|status| status.success()), "mkfifo {pipe}");
    }
    let with = |other: &str| {
        let mut program = program();
        program.arg("compare").args([bench.path("a"), bench.path(other)]).args(["--format", "csv"]);
        within_10_seconds(program)
    };
    let ended = with("b");
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert!(String::from_utf8_lossy(&ended.stdout).contains("0.625"), "{ended:?}");
    assert_eq!(with("pipe").status.code(), Some(4));
}

#[test]
fn one_directory_given_twice_is_identical_and_told() {
    let bench = Bench::new();
    let ended = bench.compare("a", &["--format", "json"]);
    assert_eq!(ended.status, 0);
    assert_eq!(json(&ended)["comparability"]["grade"], "identical");
    assert!(ended.err.contains("R115"), "{}", ended.err);
}

#[test]
fn runs_without_a_metric_in_common_have_no_comparison_and_close_the_gate() {
    let bench = Bench::new();
    bench.file("c/metrics.json", "{\"perplexity\": 12.5}");
    let ended = bench.compare("c", &["--format", "json", "--fail-on", "regression"]);
    assert_eq!(ended.status, 3);
    let report = json(&ended);
    assert_eq!(report["gates"][0]["outcome"], "not-gateable");
    assert!(ended.err.contains("R219"), "{}", ended.err);
}

#[test]
fn names_with_spaces_signs_and_chinese_are_runs_like_any_other() {
    for (name, shown) in [
        ("phase 1 (SFT)", ": phase 1 (SFT) vs a (baseline)"),
        ("甲 运行", ": 甲 运行 vs a (baseline)"),
        ("a|b <script>`x`", r": a|b \<script>\`x\` vs a (baseline)"),
        ("- -x", ": - -x vs a (baseline)"),
    ] {
        let bench = Bench::new();
        fs::rename(bench.path("b"), bench.path(name)).expect("renamed");
        let ended = bench.compare(name, &["--format", "json"]);
        assert_eq!((ended.status, candidate_accuracy(&ended)), (0, Some(0.625)), "{name}");
        assert_eq!(json(&ended)["runs"][1]["name"], name);
        let markdown = bench.compare(name, &[]).out;
        assert!(markdown.lines().next().is_some_and(|head| head.ends_with(shown)), "{markdown}");
        assert!(
            !markdown.contains("| **a|b") && !markdown.contains(" <script>`x`\n"),
            "{markdown}"
        );
    }
}

#[cfg(unix)]
#[test]
fn of_many_figures_the_most_urgent_ones_are_shown_and_the_rest_is_counted() {
    let bench = Bench::new();
    for (run, last) in [("c", 0.9), ("d", 0.1)] {
        let figure = |shot: usize| {
            let value = if shot == 29 { last } else { 0.5 };
            format!("\"{shot}\": {{\"value\": {value}, \"n\": 1000}}")
        };
        let figures: Vec<String> = (0..30).map(figure).collect();
        let grid = format!(
            "{{\"metric\": \"accuracy\", \"axes\": [\"shot\"], \"results\": {{{}}}}}",
            figures.join(", ")
        );
        bench.file(&format!("{run}/grid.json"), grid);
    }
    let runs = ["c", "d"].map(|run| bench.text(run));
    let ended = reportgen(["compare", &runs[0], &runs[1], "-o", &bench.text("out")]);
    let first = ended.out.lines().find(|line| line.starts_with("accuracy ("));
    assert!(
        first.is_some_and(|row| row.contains("shot=29") && row.ends_with("worse")),
        "{ended:?}"
    );
    let table = ended.out.lines().skip_while(|line| !line.starts_with('─'));
    let rows = table.take_while(|line| !line.is_empty());
    assert_eq!(rows.filter(|line| line.starts_with("accuracy (")).count(), 20);
    assert!(ended.out.contains("… 10 more under Results"), "{}", ended.out);
}

#[test]
fn a_terminal_is_never_given_what_it_would_obey() {
    let bench = Bench::new();
    let name = "red\u{1b}[31m\u{202e}";
    fs::rename(bench.path("b"), bench.path(name)).expect("renamed");
    bench.file(&format!("{name}/config.json"), "{\"key\\u001b[2J\": 1");
    bench.file(&format!("{name}/summary.json"), "{\"score\\u001b[2J\": 1}");
    let inspected = reportgen(["inspect", &bench.text(name)]);
    let compared = bench.compare(name, &["-o", &bench.text("out")]);
    let missing = bench.compare("gone\u{1b}[31m", &[]);
    for (ended, status) in [(inspected, 0), (compared, 0), (missing, 4)] {
        assert_eq!(ended.status, status, "{ended:?}");
        let told = ended.out + &ended.err;
        assert!(told.contains("⟨U+001B⟩"), "it is shown what stands there: {told:?}");
        assert!(!told.contains(['\u{1b}', '\u{202e}']), "{told:?}");
    }
}

#[test]
fn help_and_version_are_data() {
    for (arguments, part) in [
        (vec!["--help"], "Exit status"),
        (vec!["compare", "--help"], "--fail-on"),
        (vec!["inspect", "-h"], "RUN"),
        (vec!["--version"], env!("CARGO_PKG_VERSION")),
    ] {
        let ended = reportgen(arguments);
        assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{ended:?}");
        assert!(ended.out.contains(part), "{}", ended.out);
    }
}

#[test]
fn the_help_begins_with_what_the_program_is_for() {
    let help = reportgen(["--help"]).out;
    let about = "Compare ML evaluation runs: are they comparable, and which is better?";
    assert_eq!(help.split_once("\n\nUsage: ").map(|(about, _)| about), Some(about), "{help}");
}

#[test]
fn findings_go_to_standard_error_and_the_report_alone_to_standard_output() {
    let ended = program().args(["inspect", "fixtures/kl_beta/kl-0.15"]).output().expect("it runs");
    assert_eq!(ended.status.code(), Some(0));
    assert!(ended.stdout.starts_with(b"kl-0.15 (fixtures/kl_beta/kl-0.15)\n"), "{ended:?}");
    let arguments = ["compare", "fixtures/kl_beta/kl-0.15", "fixtures/kl_beta/kl-0.12"];
    let ended = program().args(arguments).args(["--format", "json"]).output().expect("it runs");
    assert!(serde_json::from_slice::<serde_json::Value>(&ended.stdout).is_ok());
    assert!(String::from_utf8_lossy(&ended.stderr).contains("warning[R201]"), "{ended:?}");
}

#[test]
fn the_configuration_file_of_the_current_directory_is_read_and_the_locale_gives_way_to_it() {
    let bench = Bench::new();
    let headline = || {
        let mut program = program();
        program.args(["compare", "a", "b"]).env("LANG", "zh_CN.UTF-8");
        let ended = program.current_dir(bench.0.root()).output().expect("it runs");
        String::from_utf8_lossy(&ended.stdout).lines().next().map(str::to_owned)
    };
    assert_eq!(headline().as_deref(), Some("# 对比报告：b vs a（基线）"));
    bench.file("reportgen.toml", "lang = \"en\"\n");
    assert_eq!(headline().as_deref(), Some("# Comparison report: b vs a (baseline)"));
}

#[test]
fn colours_are_for_terminals_and_for_those_who_insist() {
    let bench = Bench::new();
    let coloured = |variables: &[(&str, &str)]| {
        let mut program = program();
        program.args(["compare", "a", "b", "-o", "out"]).envs(variables.iter().copied());
        let ended = program.current_dir(bench.0.root()).output().expect("it runs");
        assert_eq!(ended.status.code(), Some(0), "{ended:?}");
        ended.stdout.contains(&0x1b)
    };
    assert!(!coloured(&[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("NO_COLOR", "1")]));
}

#[test]
fn a_reader_that_goes_away_early_is_no_failure() {
    let runs = ["fixtures/kl_beta/kl-0.15", "fixtures/kl_beta/kl-0.12"];
    for arguments in [vec!["compare", "--format", "json"], vec!["inspect"], vec!["--help"]] {
        let runs = if arguments == ["--help"] { &[][..] } else { &runs[..] };
        let ended = unread(&[&arguments, runs].concat());
        assert_eq!(ended.status.code(), Some(0), "{arguments:?}: {ended:?}");
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(!said.contains("standard output"), "{arguments:?}: {said}");
    }
}

#[test]
fn what_a_command_found_decides_its_status_whether_or_not_anybody_reads_it() {
    let directory = Directory::new();
    directory.write("wrong.md", "97.7% (43/45)\n\n".repeat(20_000));
    directory.write("torn/metrics.json", "{\"accuracy\": 0.");
    let ended = unread(&["lint", &directory.word("wrong.md")]);
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    let ended = unread(&["inspect", &directory.word("torn")]);
    assert_eq!(ended.status.code(), Some(4), "{ended:?}");
}

/// What a command ends with whose standard output nobody reads.
fn unread(arguments: &[&str]) -> Output {
    let program = &mut program();
    let piped = program.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("it starts");
    drop(child.stdout.take());
    child.wait_with_output().expect("it ends")
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_with_4() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("there");
    let bench = Bench::new();
    let mut program = program();
    program.arg("compare").args([bench.path("a"), bench.path("b")]);
    let ended = program.stdout(full).output().expect("it runs");
    assert_eq!(ended.status.code(), Some(4), "{ended:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_a_pipe_is_written_to_and_not_replaced() {
    use std::io::Read as _;
    use std::os::unix::fs::FileTypeExt as _;
    let bench = Bench::new();
    let path = bench.path("pipe");
    assert!(
        std::process::Command::new("mkfifo").arg(&path).status().is_ok_and(|made| made.success())
    );
    // Open at both ends, so that nobody waits.
    let mut pipe = fs::File::options().read(true).write(true).open(&path).expect("opened");
    assert_eq!(bench.compare("b", &["-o", &bench.text("pipe"), "--format", "csv"]).status, 0);
    let mut start = [0; 7];
    pipe.read_exact(&mut start).expect("something was written");
    assert_eq!(&start, b"metric,");
    assert!(fs::metadata(&path).expect("still there").file_type().is_fifo());
}

#[test]
fn findings_on_standard_error_are_in_the_language_of_the_report() {
    let bench = Bench::new();
    bench.file("torn/metrics.json", "{\"accuracy\": ");
    bench.file("b/results.json", "{\"accuracy\": ");
    for (other, further) in [("b", &["--lang", "zh"][..]), ("torn", &["--lang", "zh"])] {
        let ended = bench.compare(other, further);
        let of_findings: Vec<&str> = ended.err.lines().filter(|line| line.contains("[R")).collect();
        assert!(!of_findings.is_empty(), "{ended:?}");
        for line in of_findings {
            let told =
                line.contains("警告[R") || line.contains("错误[R") || line.contains("说明[R");
            let in_english = ["warning[", "error[", "note["].iter().any(|word| line.contains(word));
            let message = line.split_once("]: ").map(|(_, message)| message);
            let chinese =
                message.is_some_and(|message| message.contains('中') || message.contains('：'));
            assert!(told && !in_english && chinese, "{line}");
        }
    }
    // Where no report is written, what to do stands below each finding.
    let hints = ["en", "zh"].map(|lang| bench.compare("torn", &["--lang", lang]).err);
    assert!(hints[0].contains("hint: ") && !hints[1].contains("hint"), "{hints:?}");
    assert!(hints[1].contains("建议："), "{hints:?}");
}

#[test]
fn a_reader_that_stops_reading_does_not_turn_a_gate_into_success() {
    let bench = Bench::new();
    bench.file("b/metrics.json", "{\"loss\": 0.5}");
    for format in ["json", "md", "csv"] {
        let runs = ["a", "b"].map(|run| bench.text(run));
        let [a, b] = &runs;
        let gated = ["--fail-on", "missing", "--format", format];
        let ended = unread(&[&["compare", a, b][..], &gated].concat());
        assert_eq!(ended.status.code(), Some(3), "{format}: {ended:?}");
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(said.contains("gate missing: not-gateable"), "{format}: {said}");
    }
}
