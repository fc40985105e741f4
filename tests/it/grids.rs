//! Grids along axes of the user's choice, and what they come to in `report.json`.

use serde_json::Value;

use crate::command::{Ended, compare, compared, json};
use crate::directory::Directory;
use crate::report::{count, list, number};

const KL_BETA: [&str; 2] = ["fixtures/kl_beta/kl-0.15", "fixtures/kl_beta/kl-0.12"];
const VARY: [&str; 2] = ["--vary", "kl_beta"];

fn kl_beta(more: &[&str]) -> Value {
    compared(&KL_BETA, &[&VARY, more].concat())
}

/// A report on two grids of results in CSV.
fn told(baseline: &str, candidate: &str, more: &[&str]) -> Ended {
    let directory = Directory::of([("base.csv", baseline), ("tuned.csv", candidate)]);
    compare(&["base.csv", "tuned.csv"].map(|name| directory.word(name)), more)
}

#[test]
fn every_cell_lies_on_one_page_whatever_the_axes() {
    for axes in [
        &[][..],
        &["--split", "epoch"],
        &["--by", "samples,shot", "--split", "epoch"],
        &["--by", "shot,samples", "--split", "epoch"],
        &["--by", "epoch,shot", "--split", "samples"],
        &["--by", "epoch,samples,shot"],
        &["--by", "shot"],
        &["--by", "dataset,shot", "--split", "epoch"],
    ] {
        let report = kl_beta(axes);
        let grid = &report["grids"][0];
        let planned = if grid["asked"] == true { 48 } else { 32 };
        let sum = |key: &str| list(grid, "pages").iter().map(|page| count(&page[key])).sum::<u64>();
        assert_eq!([sum("cells"), sum("known")], [planned, 4], "{axes:?}");
        for page in list(grid, "pages") {
            let [cells, known, missing] = ["cells", "known", "missing"].map(|k| count(&page[k]));
            let moved: u64 =
                ["improved", "declined", "tied"].iter().map(|k| count(&page[*k])).sum();
            assert_eq!((known + missing, moved), (cells, known), "{axes:?}: {page}");
        }
    }
}

#[test]
fn axes_move_no_verdict() {
    let plain = kl_beta(&[]);
    let grid = kl_beta(&["--by", "samples,shot", "--split", "epoch"]);
    for key in ["comparability", "findings", "comparisons", "verdicts", "gates"] {
        assert_eq!(plain[key], grid[key], "{key}");
    }
}

#[test]
fn sums_over_a_part_of_the_grid_are_those_of_the_known_cells() {
    let report = kl_beta(&["--by", "samples,shot", "--split", "epoch"]);
    let first = &report["grids"][0]["pages"][0];
    assert!((number(&first["mean"]) - (-1.8 - 0.5 + 1.2 + 0.0) / 4.0).abs() < 1e-9);
    assert!((number(&first["largest_gain"]["delta"]) - 1.2).abs() < 1e-9);
    assert!((number(&first["largest_loss"]["delta"]) + 1.8).abs() < 1e-9);
    let shots = list(&report["grids"][0], "axes").iter().filter(|row| row["axis"] == "shot");
    let means: Vec<f64> = shots.map(|row| number(&row["means"][0]["mean"])).collect();
    let expected = [-1.8, -0.5, 1.2, 0.0];
    assert_eq!(means.len(), expected.len());
    for (mean, expected) in means.iter().zip(expected) {
        assert!((mean - expected).abs() < 1e-9, "{means:?}");
    }
}

#[test]
fn an_epoch_of_one_arm_is_in_no_summary() {
    let rows = |epochs: &[(u32, &str)]| {
        let rows =
            epochs.iter().map(|(epoch, rate)| format!("{epoch},0,{rate}\n{epoch},4,{rate}\n"));
        std::iter::once("epoch,shot,accuracy\n".to_owned()).chain(rows).collect::<String>()
    };
    let base = rows(&[(2, "50.0%"), (10, "60.0%")]);
    let more = rows(&[(2, "55.0%"), (10, "61.0%"), (30, "70.0%")]);
    let axes = ["--split", "epoch", "--by", "shot", "--format", "json"];
    for (baseline, candidate, own) in [(&base, &more, "candidate"), (&more, &base, "baseline")] {
        let report = json(&told(baseline, candidate, &axes));
        let grid = &report["grids"][0];
        let pages: Vec<(u64, Option<&str>)> = list(grid, "pages")
            .iter()
            .map(|page| (count(&page["value"]), page["only_in"].as_str()))
            .collect();
        assert_eq!(pages, [(2, None), (10, None), (30, Some(own))]);
        assert_eq!(list(grid, "axes").len(), 2, "{grid}");
        for row in list(grid, "axes") {
            assert_eq!((list(row, "means").len(), count(&row["change"]["known"])), (2, 1));
        }
    }
}

#[test]
fn a_planned_epoch_is_missing_and_not_of_one_arm() {
    let planned = "epoch,shot,accuracy\n1,0,50.0%\n1,4,51.0%\n2,0,?\n2,4,?\n";
    let done = "epoch,shot,accuracy\n1,0,50.0%\n1,4,52.0%\n2,0,54.0%\n2,4,55.0%\n";
    let report = json(&told(planned, done, &["--split", "epoch", "--format", "json"]));
    let second = &report["grids"][0]["pages"][1];
    assert_eq!((&second["only_in"], &second["missing"]), (&Value::Null, &2.into()));
}

#[test]
fn a_trend_stands_on_the_cells_that_both_pages_have() {
    let base =
        "epoch,samples,shot,accuracy\n1,50,0,50.0%\n1,100,0,50.0%\n2,50,0,50.0%\n2,100,0,50.0%\n";
    let tuned =
        "epoch,samples,shot,accuracy\n1,50,0,52.0%\n1,100,0,?\n2,50,0,54.0%\n2,100,0,40.0%\n";
    let axes = ["--by", "shot", "--split", "epoch", "--format", "json"];
    let report = json(&told(base, tuned, &axes));
    let rows = list(&report["grids"][0], "axes");
    let shot = rows.iter().find(|row| row["axis"] == "shot").expect("an axis");
    // The mean falls from +2 to −3 because another cell joins; the cell known on both rises by 2.
    assert!((number(&shot["change"]["delta"]) - 2.0).abs() < 1e-9, "{shot}");
    assert_eq!((count(&shot["change"]["known"]), count(&shot["change"]["cells"])), (1, 2));
}

#[test]
fn numbers_on_an_axis_are_in_numerical_order() {
    let rows = "samples,shot,accuracy\n1000,0,50.0%\n200,0,51.0%\n50,0,52.0%\n1000,4,1.0%\n200,4,2.0%\n50,4,3.0%\n";
    let told = told(rows, rows, &["--by", "samples,shot"]).out;
    let at = |row: &str| told.find(&format!("\n| **{row}** |")).expect("a row");
    assert!(at("50") < at("200") && at("200") < at("1000"), "{told}");
}

#[test]
fn an_axis_that_is_not_there_is_refused_with_those_that_are() {
    for (axes, expected) in [
        (
            &["--by", "shots"][..],
            "no result has an axis `shots`, which has to be a coordinate of results such as dataset or step, and not a column of samples; did you mean `shot`? the axes of these results are: dataset, epoch, samples, shot",
        ),
        (&["--split", "Epochs"], "no result has an axis `Epochs`"),
        (&["--by", "shot,shot"], "by and split name the axis `shot` 2 times"),
        (&["--by", "shot", "--split", "shot"], "by and split name the axis `shot` 2 times"),
        (&["--by", ""], "by and split need names of axes"),
    ] {
        let ended = compare(&KL_BETA, &[&VARY, axes].concat());
        assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{axes:?}");
        assert!(ended.err.contains(expected), "{axes:?}: {}", ended.err);
    }
}

#[test]
fn an_axis_with_one_value_throughout_is_named_and_loses_nothing() {
    let rows =
        "epoch,samples,shot,accuracy\n3,50,0,50.0%\n3,50,4,52.0%\n3,100,0,54.0%\n3,100,4,55.0%\n";
    let ended = told(rows, rows, &["--by", "samples,shot", "--split", "epoch"]);
    assert_eq!(ended.status, 0);
    assert!(ended.out.contains("Not shown as table axes"), "{}", ended.out);
    assert_eq!(ended.out.matches("| **100** | **4** |").count(), 1, "{}", ended.out);
}

#[test]
fn what_a_person_writes_is_asked_for_with_a_grid_or_by_name() {
    let [findings, conclusion] = ["## Strengths and weaknesses", "## Conclusion"];
    for (more, expected) in [
        (&[][..], [false, false]),
        (&["--by", "samples,shot"], [true, true]),
        (&["--by", "samples,shot", "--prose", "none"], [false, false]),
        (&["--prose", "conclusion"], [false, true]),
        (&["--prose", "findings,conclusion"], [true, true]),
    ] {
        let told = compare(&KL_BETA, &[&VARY, more].concat()).out;
        assert_eq!([findings, conclusion].map(|title| told.contains(title)), expected, "{more:?}");
    }
}

#[test]
fn many_pages_make_rows_of_the_summary_and_few_make_columns() {
    let rows = |pages: u32| {
        let rows = (1..=pages).map(|step| format!("{step},0,50.0%\n{step},4,51.0%\n"));
        std::iter::once("step,shot,accuracy\n".to_owned()).chain(rows).collect::<String>()
    };
    for (pages, row) in [
        (3, "\n| Mean difference | 0.0 pp | 0.0 pp | 0.0 pp |\n"),
        (12, "\n| Step 12 | 0.0 pp | — | — | 0/2 | 0/2 | 2/2 | 0/2 |\n"),
    ] {
        let told = told(&rows(pages), &rows(pages), &["--split", "step", "--by", "shot"]).out;
        assert!(told.contains(row), "{pages}: {told}");
    }
}

#[test]
fn each_missing_cell_has_its_command_and_those_that_make_a_pair_come_first() {
    let directory = Directory::of([(
        "reportgen.toml",
        "[commands]\neval = { run = \"eval {arm} {epoch} {shot} {samples}\", minutes = 30 }\n",
    )]);
    let config = directory.word("reportgen.toml");
    let report = kl_beta(&["--config", &config]);
    let commands: Vec<&str> =
        list(&report["to_run"], "commands").iter().filter_map(Value::as_str).collect();
    // 28 that the baseline has alone, and 16 that neither has, for both arms.
    assert_eq!(commands.len(), 28 + 2 * 16);
    assert!(commands[..28].iter().all(|command| command.starts_with("eval kl-0.12 ")));
    assert_eq!([commands[0], commands[28]], ["eval kl-0.12 1 1 100", "eval kl-0.15 3 1 100"]);
    assert!((number(&report["to_run"]["minutes"]) - 60.0 * 30.0).abs() < 1e-9);
    assert!(report["to_run"]["cost"].is_null());
    assert!(kl_beta(&[]).get("to_run").is_none());
}
