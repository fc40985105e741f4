//! Runs whose files differ in spelling, unit or completeness: what is made of each.

use std::collections::{BTreeMap, BTreeSet};

use reportgen::collect::{ReadOptions, collect};
use reportgen::diag::{Code, Diagnostic, Warned};
use reportgen::model::{FileUse, Run};
use reportgen::quantity::Unit;
use reportgen::text::{Catalogue, LANGUAGES};

use crate::command::compared;
use crate::directory::Directory;
use crate::report::{findings, text};

/// Reads a run of these files.
fn read(files: &[(&str, &str)]) -> Warned<Run> {
    let directory = Directory::of(files.iter().copied());
    let mut read =
        collect(&[directory.root().to_path_buf()], &ReadOptions::default()).expect("is there");
    Warned::new(read.value.remove(0), read.diagnostics)
}

fn finding(read: &Warned<Run>, code: Code) -> Option<&Diagnostic> {
    read.diagnostics.iter().find(|finding| finding.code == code)
}

fn fact(read: &Warned<Run>, code: Code, name: &str) -> String {
    let found = finding(read, code).expect("a finding of that code");
    found.evidence[name].to_string()
}

const PHYSICS: &str = "{\"id\": 0, \"acc\": 1}\n{\"id\": 1, \"acc\": 0}\n";

#[test]
fn files_of_two_subjects_are_two_datasets_and_shards_are_one() {
    for (files, tables) in [
        (["physics.jsonl", "bio.jsonl"], vec![(Some("bio"), 2), (Some("physics"), 2)]),
        (["out_rank0.jsonl", "out_rank1.jsonl"], vec![(None, 4)]),
        (["samples_MMLU.jsonl", "samples_mmlu.jsonl"], vec![(Some("MMLU"), 4)]),
    ] {
        let run = read(&files.map(|name| (name, PHYSICS))).value;
        let found = run.content.samples.iter().map(|t| (t.dataset.as_deref(), t.len()));
        assert_eq!(found.collect::<Vec<_>>(), tables);
    }
}

#[test]
fn answers_are_averaged_within_a_file_and_never_across_files() {
    let twice = "{\"id\": 0, \"acc\": 1}\n{\"id\": 0, \"acc\": 0}\n";
    let one_file = read(&[("a.jsonl", twice)]);
    let table = &one_file.value.content.samples[0];
    assert_eq!((table.len(), table.repeats()), (1, 2));
    assert_eq!(fact(&one_file, Code::RepeatedSamples, "k"), "2");
    let wrong = "{\"id\": 0, \"acc\": 0}\n{\"id\": 1, \"acc\": 1}\n";
    let two_files = read(&[("seed_1.jsonl", PHYSICS), ("seed_2.jsonl", wrong)]);
    let table = &two_files.value.content.samples[0];
    assert_eq!((table.len(), table.repeats()), (4, 1));
    assert_eq!(finding(&two_files, Code::RepeatedSamples), None);
}

#[test]
fn each_figure_keeps_the_unit_of_its_file() {
    let run = read(&[
        ("metrics.json", "{\"accuracy\": 57.3, \"f1\": 0.9}"),
        (
            "a_metrics.json",
            "{\"exact_match\": 0.5, \"win_rate\": \"0.9%\", \"mc1\": \"57.3 or so\"}",
        ),
    ]);
    let unit = |metric: &str| {
        let mut scalars = run.value.content.scalars.iter();
        let scalar = scalars.find(|scalar| scalar.metric == metric).expect(metric);
        (scalar.value.value(), scalar.unit)
    };
    let percent = Some(Unit::Percent);
    assert_eq!(unit("accuracy"), (Some(57.3), percent));
    assert_eq!(unit("f1"), (Some(0.9), percent));
    assert_eq!(unit("exact_match"), (Some(0.5), None));
    assert_eq!(unit("win_rate"), (Some(0.9), percent));
    assert_eq!(fact(&run, Code::UnitInferred, "metrics"), "accuracy, f1");
    assert_eq!(fact(&run, Code::UnitInferred, "largest"), "57.3");
    assert_eq!(fact(&run, Code::NoScores, "metrics"), "mc1");
}

#[test]
fn a_column_of_sizes_is_no_coordinate() {
    let run = read(&[("grid.csv", "dataset,n,accuracy\nmbpp,500,0.5\n")]).value;
    let scalar = &run.content.scalars[0];
    assert_eq!((scalar.n, scalar.dims.to_string()), (Some(500), String::new()));
    assert_eq!(run.content.scalars.len(), 1);
}

#[test]
fn of_two_names_of_a_metric_the_canonical_one_counts_wherever_it_stands() {
    for text in ["{\"acc\": 0.5, \"accuracy\": 0.6}", "{\"accuracy\": 0.6, \"acc\": 0.5}"] {
        let run = read(&[("metrics.json", text)]);
        assert_eq!(run.value.content.scalars[0].value.value(), Some(0.6));
        let place = |name| fact(&run, Code::ConflictingFigures, name);
        assert!(place("kept_path").ends_with("metrics.json (accuracy)"));
        assert!(place("dropped_path").ends_with("metrics.json (acc)"));
    }
}

#[test]
fn a_constant_model_is_configuration_and_whole_ids_lose_their_point() {
    let text = "编号,model,answer,correct\n1.0,a-7b,3,True\n2.0,a-7b,4,False\n";
    let run = read(&[("out.csv", text)]).value;
    assert_eq!(run.content.config.get("model").expect("a model").value.to_string(), "a-7b");
    let table = &run.content.samples[0];
    assert_eq!((table.id(0), table.id(1)), ("1", "2"));
    assert_eq!(table.columns().len(), 1, "answers are no scores");
    let mixed = text.replace("4,False", "4,False\n3.0,b-7b,4,False");
    let run = read(&[("out.csv", &mixed)]).value;
    let both = run.content.config.get("model").expect("two models").value.to_string();
    assert!(both.contains("a-7b") && both.contains("b-7b"), "{both}");
}

#[test]
fn the_index_of_a_data_frame_is_an_id_only_beside_content() {
    let questions = ",question,correct\n0,why?,True\n1,how?,False\n";
    assert_eq!(read(&[("a.csv", questions)]).value.content.samples[0].len(), 2);
    let grid = read(&[("a.csv", ",dataset,accuracy\n0,mbpp,0.5\n")]).value;
    assert!(grid.content.samples.is_empty());
    assert_eq!(grid.content.scalars.len(), 1);
}

#[test]
fn a_data_file_that_nobody_reads_and_an_own_report_are_told_apart() {
    let stored = |path: &str| std::fs::read_to_string(format!("fixtures/cases/{path}")).unwrap();
    let own = ["seeds_as_csv/stdout", "metrics_en/out/report.md"];
    let [csv, md] = own.map(stored);
    let json = stored("torture_11_one_directory_twice/out/report.json");
    let run = read(&[
        ("notes.csv", "name,remark\nx,y\n"),
        ("report.csv", &csv),
        ("report.json", &json),
        ("report.md", &md),
        ("metrics.json", "{\"accuracy\": 0.5}"),
    ]);
    let reasons: Vec<&str> = run
        .value
        .files
        .iter()
        .filter_map(|file| match file.used {
            FileUse::Ignored { reason } => Some(reason),
            _ => None,
        })
        .collect();
    let own = "ignored.own-report";
    assert_eq!(reasons, ["ignored.unrecognised", own, own, own]);
    let told = ["unread", "names"].map(|name| fact(&run, Code::Unrecognised, name));
    assert_eq!(told, ["no-id", "name, remark"]);
    let unread = run.diagnostics.iter().filter(|found| found.code == Code::Unrecognised);
    assert_eq!(unread.count(), 1);
}

#[test]
fn what_only_says_that_it_is_a_report_of_this_program_is_read() {
    let columns = "metric,dataset,baseline_run,candidate_run,unit,baseline,candidate,";
    for (name, content) in [
        ("metrics.json", "{\"schema\": \"reportgen.report/2\", \"accuracy\": 0.5}"),
        (
            "metrics.json",
            "{\"schema\": \"reportgen.report/2\", \"kind\": \"compare\", \"findings\": [], \
             \"gates\": [], \"accuracy\": 0.5}",
        ),
        (
            "a.md",
            "<!-- reportgen:bind run=x -->\n\n| dataset | accuracy |\n|---|---|\n| a | 0.5 |\n",
        ),
    ] {
        assert_eq!(points(&read(&[(name, content)])).len(), 1, "{name}: {content}");
    }
    let posing =
        read(&[("a_qa.jsonl", "{\"id\": 1, \"acc\": 1}\n{\"schema\":\"reportgen.qa/1\"}}\n")]);
    assert_eq!(posing.value.content.samples.len(), 1);
    let table = read(&[("report.csv", &format!("{columns}mine\nf1,a,x,y,percent,1,2,3\n"))]);
    let used = &table.value.files[0].used;
    assert_ne!(*used, FileUse::Ignored { reason: "ignored.own-report" });
}

#[test]
fn every_report_of_the_fixtures_is_known_as_one() {
    let cases = std::fs::read_dir("fixtures/cases").expect("cases");
    let mut known = 0;
    for case in cases {
        let directory = case.expect("a case").path().join("out");
        for name in ["report.json", "report.md"] {
            let Ok(content) = std::fs::read_to_string(directory.join(name)) else { continue };
            let used = read(&[(name, &content)]).value.files[0].used.clone();
            let own = FileUse::Ignored { reason: "ignored.own-report" };
            assert_eq!(used, own, "{}", directory.join(name).display());
            known += 1;
        }
    }
    assert!(known > 20, "{known}");
}

#[test]
fn a_file_is_recognised_behind_white_space_and_by_a_first_record_of_any_length() {
    let long = "x".repeat(1 << 20);
    let blank = " \n".repeat(1 << 16);
    for (name, content) in [
        ("a.jsonl", format!("{blank}{PHYSICS}")),
        ("a.json", format!("{blank}[{{\"id\": 1, \"acc\": 1}}]")),
        ("a.csv", format!("{}id,acc\n0,1\n1,0\n", "\n".repeat(1 << 17))),
        ("a.jsonl", format!("{{\"id\": 7, \"prompt\": \"{long}\", \"acc\": 1}}\n{PHYSICS}")),
        ("a.json", format!("[{{\"id\": 7, \"prompt\": \"{long}\", \"acc\": 1}}]")),
        ("a.csv", format!("id,{long},acc\n0,1,1\n1,1,0\n")),
    ] {
        let run = read(&[(name, &content)]).value;
        assert_eq!(run.content.samples.len(), 1, "{name} {:.20}: {:?}", content.trim(), run.files);
    }
    let late = format!("{}step 1: loss 0.5\nstep 2: loss 0.4\n", "installing x\n".repeat(9000));
    let table =
        format!("{}\n| dataset | accuracy |\n|---|---|\n| a | 0.5 |\n", "words\n".repeat(20000));
    assert_eq!(read(&[("train.log", &late)]).value.content.series.len(), 1);
    assert_eq!(points(&read(&[("notes.md", &table)])).len(), 1);
}

#[test]
fn configurations_that_contradict_each_other_are_told_once() {
    let run = read(&[
        ("a/config.yaml", "lr: 1\nseed: 1\nmodel: x\n"),
        ("b/config.yaml", "lr: 2\nseed: 2\nmodel: x\n"),
        ("b/out.jsonl", "{\"id\": 1, \"acc\": 1, \"model\": \"other\"}\n"),
    ]);
    assert_eq!(fact(&run, Code::SeveralConfigs, "keys"), "lr, seed");
    let files = fact(&run, Code::SeveralConfigs, "files");
    assert!(files.contains("a/config.yaml, ") && files.ends_with("b/config.yaml"), "{files}");
    let alone = read(&[("config.yaml", "model: x\n"), ("b/out.jsonl", PHYSICS)]);
    assert_eq!(finding(&alone, Code::SeveralConfigs), None);
}

#[test]
fn a_damaged_parquet_file_is_a_finding() {
    let run = read(&[("samples.parquet", "PAR1....\u{1}\0\0\0PAR")]);
    assert!(fact(&run, Code::Unreadable, "cause").contains("stops in the middle"));
}

#[test]
fn lines_of_a_table_are_counted_alike_whatever_ends_them() {
    for content in ["step,loss\n1,0.5\n\n2,0.4,9\n", "step,loss\r\n1,0.5\r\n\r\n2,0.4,9\r\n"] {
        let run = read(&[("metrics.csv", content)]);
        let bad = run.diagnostics.iter().find(|found| found.code == Code::BadRecord);
        let location = bad.and_then(|found| found.location.as_ref()).expect("a place");
        assert_eq!(location.line, Some(4), "{content:?}");
        let lines = run.value.content.series.iter().flat_map(|series| &series.points);
        assert_eq!(lines.map(|point| point.line).collect::<Vec<_>>(), [2], "{content:?}");
    }
}

/// What a run says at each point: coordinates, figure and sample size.
fn points(read: &Warned<Run>) -> BTreeSet<String> {
    let scalars = read.value.content.scalars.iter().filter(|one| one.value.value().is_some());
    let scalars = scalars.map(|one| {
        let (metric, dims, n) = (&one.metric, one.dims.without("samples"), one.n);
        format!("{metric} [{dims}] = {:?} of {n:?}", one.value.value())
    });
    scalars.collect()
}

#[test]
fn coordinates_mean_the_same_in_a_column_a_directory_and_the_name_of_a_file() {
    let table = "epoch,shot,n,accuracy\n1,1,150,0.4\n1,2,150,0.5\n2,1,150,0.6\n2,2,150,?\n";
    let columns = read(&[("grid.csv", table)]);
    let rows = [("1", "0.4", "0.5"), ("2", "0.6", "?")];
    let half = |(_, first, second): (&str, &str, &str)| {
        format!("shot,n,accuracy\n1,150,{first}\n2,150,{second}\n")
    };
    let [first, second] = rows.map(half);
    let directories = [("epoch_1", "epoch_2"), ("epoch=1", "epoch=2"), ("epoch-1", "x/epoch-2")];
    for (one, two) in directories {
        let paths = [one, two].map(|name| format!("{name}/grid.csv"));
        let found = read(&[(&paths[0], first.as_str()), (&paths[1], second.as_str())]);
        assert_eq!(points(&found), points(&columns), "{one}");
        assert!(finding(&found, Code::ConflictingFigures).is_none());
    }
    let figure = |accuracy: &str| format!("{{\"accuracy\": {accuracy}, \"n\": 150}}");
    let files = [("1", "1", "0.4"), ("1", "2", "0.5"), ("2", "1", "0.6")];
    for names in [
        |epoch: &str, shot: &str| format!("results/epoch{epoch}_n150_shot{shot}.json"),
        |epoch: &str, shot: &str| format!("epoch_{epoch}/{shot}shot/metrics.json"),
        |epoch: &str, shot: &str| format!("shot-{shot}/my_results_epoch_{epoch}.json"),
    ] {
        let files = files.map(|(epoch, shot, value)| (names(epoch, shot), figure(value)));
        let files: Vec<(&str, &str)> =
            files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        assert_eq!(points(&read(&files)), points(&columns), "{}", files[0].0);
    }
}

#[test]
fn samples_at_different_points_are_not_answers_to_one_problem() {
    let lines = |right: u8| format!("{{\"id\": 1, \"acc\": {right}}}\n{{\"id\": 2, \"acc\": 1}}\n");
    let (before, after) = (lines(0), lines(1));
    for (one, two) in
        [("step_500.jsonl", "step_1000.jsonl"), ("ckpt-5/out.jsonl", "ckpt-10/out.jsonl")]
    {
        let found = read(&[(one, &before), (two, &after)]);
        let dims: Vec<String> =
            found.value.content.samples.iter().map(|table| table.dims.to_string()).collect();
        assert_eq!(dims.len(), 2, "{one}: {dims:?}");
        assert!(finding(&found, Code::RepeatedSamples).is_none());
    }
    let found = read(&[("part_1.jsonl", &before), ("part_2.jsonl", &after)]);
    assert_eq!(found.value.content.samples.len(), 1);
}

#[test]
fn two_values_of_one_point_are_told_and_nobody_is_told_to_delete_one() {
    let found = read(&[
        ("a/epoch_1/metrics.json", "{\"accuracy\": 0.4}"),
        ("b/epoch_1/metrics.json", "{\"accuracy\": 0.5}"),
    ]);
    let conflict = finding(&found, Code::ConflictingFigures).expect("a finding");
    for words in LANGUAGES.iter().copied().map(Catalogue::shipped) {
        let help = words.help(conflict).expect("a help");
        assert!(!help.contains("delete") && !help.contains("删除"), "{help}");
    }
}

#[test]
fn a_log_gives_its_figures_and_its_settings_and_another_number_stands_beside_that_of_a_file() {
    let log = "Namespace(lr=0.5, seed=1)\nstep 1 | loss 2.0\nstep 2 | loss 1.5\n";
    let config = "lr: 0.1\n";
    for (files, keys) in [
        (&[("train.log", log)][..], &["lr=0.5", "seed=1"][..]),
        (&[("config.yaml", config), ("train.log", log)], &["lr=[0.1, 0.5]"]),
    ] {
        let content = read(files).value.content;
        let settings = content.config.iter().map(|(key, entry)| format!("{key}={}", entry.value));
        assert_eq!(settings.collect::<Vec<_>>(), keys, "{files:?}");
        let points = content.series.iter().map(|series| (&*series.metric, series.points.len()));
        assert_eq!(points.collect::<Vec<_>>(), [("loss", 2)], "{files:?}");
    }
}

#[test]
fn each_of_many_datasets_keeps_its_own_counts() {
    const DATASETS: usize = 60;
    // Each dataset has a record more than the one before it, in two files and two spellings, and as
    // many answers without a score as its number leaves over.
    let records = |name: fn(usize) -> String| -> String {
        let of = |dataset: usize| {
            (0..2 + dataset).map(move |id| {
                let score = if id < dataset % 3 { "null" } else { "1" };
                let name = name(dataset);
                format!("{{\"id\": \"{id}\", \"dataset\": \"{name}\", \"acc\": {score}}}\n")
            })
        };
        (0..DATASETS).flat_map(of).collect()
    };
    let lower = records(|dataset| format!("set{dataset}"));
    let upper = records(|dataset| format!("SET{dataset}")).replace("\"id\": \"", "\"id\": \"b");
    let files = [("b/a.jsonl", &lower), ("b/b.jsonl", &upper), ("c/a.jsonl", &lower)];
    let directory = Directory::of(files);
    let report = compared(&[directory.word("b"), directory.word("c")], &[]);
    let counted = |code: &str| -> BTreeMap<String, (u64, u64)> {
        let own = findings(&report).iter().filter(|one| one["code"] == code);
        let own = own.filter(|one| one["subject"]["run"].as_str().is_none_or(|run| run == "b"));
        own.map(|one| {
            let (count, of) =
                if code == "R222" { ("count", "total") } else { ("paired", "baseline_n") };
            let fact = |name: &str| one["evidence"][name].as_u64().expect(name);
            (text(&one["subject"], "dataset").to_lowercase(), (fact(count), fact(of)))
        })
        .collect()
    };
    for dataset in 0..DATASETS {
        let (name, n) = (format!("set{dataset}"), 2 + dataset as u64);
        assert_eq!(counted("R212").get(&name), Some(&(n, 2 * n)), "{name}");
        let unscored = 2 * (dataset as u64 % 3);
        let expected = (unscored > 0).then_some((unscored, 2 * n));
        assert_eq!(counted("R222").get(&name), expected.as_ref(), "{name}");
    }
}
