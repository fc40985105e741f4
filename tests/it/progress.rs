//! `reportgen progress`: what is said of the runs of `fixtures/progress`, of runs whose counters
//! contradict themselves, and of requests that no run can answer.

use serde_json::Value;

use crate::command::{Ended, json, reportgen};
use crate::directory::Directory;
use crate::report::{codes, count, finding, list, number};

const GRPO: &str = "fixtures/progress/grpo";
const CONFIG: &str = "fixtures/progress/reportgen.toml";

/// Runs the command in English over a run with a configuration.
fn progress(run: &str, config: &str, arguments: &[&str]) -> Ended {
    let own = ["progress", run, "--config", config, "--lang", "en"];
    reportgen(own.iter().chain(arguments).copied())
}

/// The data of the report on the figures of the seed.
fn grpo() -> Value {
    json(&progress(GRPO, CONFIG, &["--format", "json"]))
}

/// A run of one table of metrics, with its configuration.
fn made(metrics: &str, config: &str) -> (Directory, String, String) {
    let directory = Directory::of([("run/metrics.csv", metrics), ("reportgen.toml", config)]);
    let [run, config] = ["run", "reportgen.toml"].map(|name| directory.word(name));
    (directory, run, config)
}

fn of<'v>(value: &'v Value, key: &str, name: &str) -> &'v Value {
    list(value, key).iter().find(|one| one["name"] == name).expect(name)
}

fn near(value: &Value, expected: f64) {
    let found = number(value);
    assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found}, not {expected}");
}

/// 28/6, not the mean of the first five.
#[test]
fn the_mean_of_the_stars_is_their_mean() {
    let report = grpo();
    let stars: Vec<u64> =
        list(&report, "scores").iter().map(|score| count(&score["stars"])).collect();
    assert_eq!(stars, [5, 5, 4, 5, 5, 4]);
    near(&report["mean"]["value"], 28.0 / 6.0);
    let text = progress(GRPO, CONFIG, &[]).out;
    assert!(text.contains("28/6 = 4.7/5"), "{text}");
}

/// 43 of 44, then 64 of 64.
#[test]
fn a_cumulative_rate_that_forgets_a_failure_is_a_finding_and_no_improvement() {
    let report = grpo();
    let rate = of(&report, "rates", "format_rate");
    assert_eq!(rate["movement"], "contradiction");
    assert_eq!((&rate["p"], &rate["since"]), (&Value::Null, &Value::Null));
    let finding = finding(&report, "R420");
    assert_eq!(finding["evidence"]["most"], serde_json::json!({ "count": 63, "of": 64 }));
    assert_eq!(finding["location"]["line"], 3);
}

#[test]
fn two_of_44_and_two_of_64_is_no_falling_rate_and_four_is_a_higher_one_than_two_of_44() {
    let report = grpo();
    let eval = of(&report, "rates", "eval_error_rate");
    assert_eq!((&eval["movement"], &eval["since"]["count"]), (&"not-separable".into(), &0.into()));
    assert_eq!(eval["since"]["of"], 20);
    near(&eval["p"], 1.0);
    let api = of(&report, "rates", "api_error_rate");
    near(&api["change"], 4.0 / 64.0 - 2.0 / 44.0);
    assert!(number(&api["change"]) > 0.0 && api["movement"] == "not-separable");
}

/// 4 of 64 is 1.7 points more than 2 of 44; of the 20 cases since, 2 are 5.5 points more.
#[test]
fn the_chart_of_rates_shows_the_change_that_the_table_shows() {
    let page = progress(GRPO, CONFIG, &["--format", "html"]).out;
    let (_, chart) = page.split_once("Change of rates with").expect("a chart");
    let (chart, rest) = chart.split_once("</svg>").expect("its end");
    assert!(chart.contains("API error rate +1.7 pp (") && !chart.contains("+5.5 pp"), "{chart}");
    assert!(rest.contains("+1.7 pp</td>"), "the table");
}

#[test]
fn the_forecast_is_that_of_the_average_and_of_the_last_steps_and_both_are_said() {
    let cost = &grpo()["cost"];
    near(&cost["growth"]["average"], 0.001_712_4);
    near(&cost["growth"]["marginal"], 0.001_163);
    near(&cost["forecast"]["by_average"], 0.8562);
    near(&cost["forecast"]["by_marginal"], 0.008_562 + 495.0 * 0.001_163);
    assert_eq!(cost["forecast"]["against"], "below");
    let saved = &cost["forecast"]["saved_extremes"];
    near(&saved[0], 1.0 - 0.8562 / 2.5);
}

/// 63 and 85 calls, not 44 and 64 generations.
#[test]
fn a_stated_average_is_held_against_its_parts() {
    let report = grpo();
    let facts = &finding(&report, "R426")["evidence"];
    assert_eq!((&facts["steps"], &facts["counted"]), (&[3, 5][..].into(), &[44, 64][..].into()));
    for (implied, calls) in [(0, 63.0), (1, 85.0)] {
        let implied = &facts["implied"][implied];
        assert_eq!(implied["unit"], "count");
        assert_eq!(number(&implied["value"]).round(), calls);
    }
}

#[test]
fn a_prediction_is_its_assumption_and_says_what_else_may_be() {
    let report = grpo();
    let one = &report["predictions"][0];
    near(&one["value"], 2.0 / 114.0);
    near(&one["pace"], 10.0);
    assert_eq!(
        (&one["assume"], &one["target"]["outcome"]),
        (&"none-further".into(), &"unsure".into())
    );
    assert!(number(&one["range"][1]) > 0.08);
    near(&report["predictions"][1]["value"], 2.0 / 214.0);
}

#[test]
fn five_of_five_is_no_certainty_and_five_of_500_steps_is_said() {
    let report = grpo();
    let patterns = &report["patterns"];
    assert_eq!((&patterns["looked_at"], &patterns["names"][0]["of"]), (&5.into(), &5.into()));
    assert!(number(&patterns["names"][0]["ci"][0]) < 0.6);
    let more = json(&progress(GRPO, CONFIG, &["--format", "json", "--last", "60"]));
    assert_eq!(more["patterns"]["looked_at"], 6);
    let text = progress(GRPO, CONFIG, &[]).out;
    assert!(text.contains("Only Step 5 of 500 planned (1.0%)"), "{text}");
}

#[test]
fn every_report_of_one_language_has_no_words_of_the_other() {
    let is_han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    let english = progress(GRPO, CONFIG, &[]).out;
    assert!(!english.contains(is_han), "{english}");
    let chinese = reportgen(["progress", GRPO, "--config", CONFIG, "--lang", "zh"]).out;
    for word in ["not significant", "Milestone"] {
        assert!(english.contains(word), "{word}: {english}");
        assert!(!chinese.contains(word), "{word}: {chinese}");
    }
    assert!(!english.contains('⟦') && !chinese.contains('⟦'), "a text is missing");
}

#[test]
fn requests_that_no_run_can_answer_are_refused_and_say_what_there_is() {
    let empty = "fixtures/progress/empty";
    for (run, arguments, status, message) in [
        (GRPO, &["--from", "4"][..], 2, "nothing is recorded at step 4; recorded are 3, 5"),
        (GRPO, &["--from", "5"], 2, "--from 5 must come before --to 5"),
        (GRPO, &["--last", "0"], 2, "0 is not in"),
        (empty, &[], 4, "no metric over steps in `fixtures/progress/empty`"),
        ("fixtures/progress/gone", &[], 4, "no such file or directory"),
    ] {
        let ended = progress(run, CONFIG, arguments);
        assert_eq!((ended.status, ended.out.as_str()), (status, ""), "{run} {ended:?}");
        assert!(ended.err.contains(message), "{message}: {}", ended.err);
    }
}

#[test]
fn declarations_that_contradict_themselves_are_refused_with_their_line() {
    for (config, message) in [
        ("[progress]\nbudget = -1", "a budget is an amount above 0"),
        ("[progress]\ncosts = \"x\"", "unknown key `costs`"),
        ("[[progress.score]]\nname = \"a\"\nstars = [[9, \"x > 1\"]]", "stars go from 1 to 5"),
        ("[[progress.signal]]\nname = \"a\"\nwhen = \"x >\"", "expected a name or a number"),
    ] {
        let (_directory, run, config) = made("step,loss\n1,2\n2,1\n", config);
        let ended = progress(&run, &config, &[]);
        assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{ended:?}");
        assert!(ended.err.contains(message) && ended.err.contains("line"), "{}", ended.err);
    }
}

#[test]
fn the_target_of_a_prediction_is_doubtful_where_its_counters_are() {
    let declared = "[progress]\ncumulative = [\"bad\", \"all\"]\n\
        [progress.rates]\nr = { count = \"bad\", of = \"all\", direction = \"lower\" }\n\
        [[progress.prediction]]\nmetric = \"r\"\nstep = 5\nassume = \"stays\"\ntarget = \"r < 50%\"\n";
    for (metrics, is_doubtful) in [("1,43,44\n2,64,64\n", true), ("1,2,44\n2,2,64\n", false)] {
        let (_directory, run, config) = made(&format!("step,bad,all\n{metrics}"), declared);
        let report = json(&progress(&run, &config, &["--format", "json"]));
        let target = &list(&report, "predictions")[0]["target"];
        assert_eq!(target["doubtful"], is_doubtful, "{metrics}: {target}");
        let page = progress(&run, &config, &[]).out;
        let is_told =
            page.contains("`r < 50%`") && page.contains("its counters contradict each other");
        assert_eq!(is_told, is_doubtful, "{page}");
    }
}

#[test]
fn what_is_wrong_with_counters_is_found_and_nothing_else_is_lost() {
    let rates = "[progress.rates]\nr = { count = \"bad\", of = \"all\", direction = \"lower\" }\n";
    let cumulative = format!("[progress]\ncumulative = [\"bad\", \"all\"]\n{rates}");
    for (metrics, config, movement, expected) in [
        ("1,2,44\n2,2,64\n", &*cumulative, "not-separable", &[][..]),
        ("1,43,44\n2,64,64\n", &cumulative, "contradiction", &["R420"]),
        ("1,4,44\n2,2,64\n3,5,90\n", &cumulative, "shrunk", &["R422"]),
        ("1,4,44\n2,1,20\n3,5,40\n", &cumulative, "reset", &["R421"]),
        ("1,4,44\n2,nan,64\n", &cumulative, "no-value", &["R106", "R424"]),
        ("1,4,44\n2,,64\n", &cumulative, "no-value", &[]),
        ("1,70,44\n2,5,64\n", &cumulative, "no-value", &["R422", "R424"]),
        ("1,4,44\n2,5,64\n", rates, "counting-unknown", &["R423"]),
        ("1,2,44\n2,2,64\n1,3,44\n", &cumulative, "shrunk", &["R181", "R422"]),
    ] {
        let (_directory, run, config) = made(&format!("step,bad,all\n{metrics}"), config);
        let ended = progress(&run, &config, &["--format", "json"]);
        let report = json(&ended);
        assert_eq!(ended.status, 0, "{metrics}");
        assert_eq!(of(&report, "rates", "r")["movement"], movement, "{metrics}");
        let mut found = codes(&report);
        found.sort_unstable();
        assert_eq!(found, expected, "{metrics}");
    }
}

#[test]
fn counters_that_fall_are_the_reason_why_nothing_was_tested_and_reach_no_milestone() {
    let config = "[progress]\ncumulative = [\"bad\", \"all\"]\n\
                  [progress.rates]\nr = { count = \"bad\", of = \"all\" }\n\
                  [[progress.milestone]]\nname = \"few\"\ndone = \"r < 60%\"\n\
                  [[progress.score]]\nname = \"reward\"\nstars = [[5, \"last(reward) > 0\"]]\n";
    let metrics = "step,bad,all,reward\n1,4,44,1\n2,2,64,1\n3,5,90,nan\n";
    let (_directory, run, config) = made(metrics, config);
    let page = progress(&run, &config, &[]).out;
    assert!(page.contains("No change could be tested: a cumulative counter drops."), "{page}");
    assert!(page.contains("last(reward) = ? (not a finite number)"), "{page}");
    assert!(!page.contains("interval over all"), "{page}");
    let report = json(&progress(&run, &config, &["--format", "json"]));
    assert_eq!(of(&report, "milestones", "few")["stage"], "unknown");
}

#[test]
fn names_from_a_run_cannot_break_the_report() {
    let hostile = "| <script>alert(1)</script>";
    let metrics = format!("step,\"{hostile}\"\n1,2\n2,1\n");
    let (_directory, run, config) = made(&metrics, "");
    let page = progress(&run, &config, &["--format", "html"]);
    assert_eq!(page.status, 0, "{page:?}");
    assert!(page.out.contains("&lt;script&gt;alert(1)"), "{}", page.out);
    assert!(!page.out.contains("<script>alert(1)"), "{}", page.out);
}

#[test]
fn one_step_is_shown_without_a_change() {
    let (_directory, run, config) = made("step,loss\n7,2\n", "");
    let ended = progress(&run, &config, &[]);
    assert!(ended.status == 0 && ended.out.contains("Only one step of 1 recorded"), "{ended:?}");
    assert!(ended.out.contains("| **loss** | 2 | ? |"), "{}", ended.out);
}

#[test]
fn a_restart_in_a_second_file_is_joined_and_the_later_file_counts() {
    let (directory, run, config) = made("step,loss\n1,4\n2,3\n3,9\n", "");
    directory.write("run/metrics_restart.csv", "step,loss\n3,2\n4,1\n");
    let report = json(&progress(&run, &config, &["--format", "json"]));
    assert_eq!((&report["to"], codes(&report)), (&4.0.into(), vec!["R427"]));
    let middle = json(&progress(&run, &config, &["--format", "json", "--to", "3"]));
    near(&of(&middle, "metrics", "loss")["after"]["value"], 2.0);
}

#[test]
fn a_table_has_a_row_for_every_share_and_metric() {
    let ended = progress(GRPO, CONFIG, &["--format", "csv"]);
    let kinds = |kind: &str| ended.out.lines().filter(|line| line.starts_with(kind)).count();
    assert_eq!((kinds("rate,"), kinds("metric,")), (4, 3), "{}", ended.out);
}

#[test]
fn the_run_is_not_overwritten() {
    let metrics = "step,loss\n1,2\n2,1\n";
    let (directory, run, config) = made(metrics, "");
    let ended = progress(&run, &config, &["-o", &directory.word("run/metrics.csv")]);
    assert_eq!(ended.status, 2, "{ended:?}");
    assert_eq!(directory.read("run/metrics.csv"), metrics);
}

/// A metric is found by each of its names and in any case, wherever `[progress]` names it.
#[test]
fn a_metric_goes_by_any_of_its_names() {
    let metrics = "step,money,fails,Total\n1,1,1,10\n2,2,1,20\n3,3,2,30\n4,4,2,40\n";
    let entries = "[[metric]]\nnames = [\"cost\", \"money\"]\ndirection = \"lower\"\n\
                   unit = \"dollars\"\n[[metric]]\nnames = [\"failures\", \"fails\"]\n\
                   direction = \"lower\"\n";
    for [cost, failures, total] in
        [["cost", "failures", "total"], ["MONEY", "FAILS", "Total"], ["money", "fails", "TOTAL"]]
    {
        let config = format!(
            "{entries}[progress]\ncost = \"{cost}\"\ncumulative = [\"{cost}\", \"{failures}\", \
             \"{total}\"]\nlabels = {{ {total} = \"all of them\" }}\n[progress.rates]\n\
             fail_rate = {{ count = \"{failures}\", of = \"{total}\", direction = \"lower\" }}\n\
             [[progress.signal]]\nname = \"dear\"\nwhen = \"{cost} > 3 and mean({total}, 2) == 35\""
        );
        let (_directory, run, config) = made(metrics, &config);
        let report = json(&progress(&run, &config, &["--format", "json"]));
        assert!(!codes(&report).iter().any(|code| ["R428", "R429"].contains(code)), "{report}");
        assert_eq!(report["cost"]["name"], "cost");
        assert_eq!(of(&report, "rates", "fail_rate")["design"], "since");
        assert_eq!(list(&report, "signals")[0]["state"], "fired", "{report}");
        assert!(progress(&run, &config, &[]).out.contains("all of them"));
    }
}

#[test]
fn two_files_with_two_names_of_a_metric_have_one_metric_and_one_file_has_two() {
    let entry = "[[metric]]\nnames = [\"reward\", \"rw\"]\ndirection = \"higher\"\n";
    let told = |files: &[(&str, &str)]| {
        let directory = Directory::of([("reportgen.toml", entry)]);
        for (name, text) in files {
            directory.write(format!("run/{name}"), *text);
        }
        let [run, config] = ["run", "reportgen.toml"].map(|name| directory.word(name));
        let report = json(&progress(&run, &config, &["--format", "json"]));
        let names = list(&report, "metrics").iter();
        names.map(|one| one["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    let first = ("a.csv", "step,rw,val_loss\n1,0.1,3\n2,0.2,2\n");
    let second = ("b.csv", "step,reward,eval_loss\n3,0.3,2\n4,0.4,1\n");
    assert_eq!(told(&[first, second]), ["reward", "val_loss"]);
    assert_eq!(told(&[("a.csv", "step,rw,reward\n1,1,2\n2,1,2\n")]), ["rw", "reward"]);
}

#[test]
fn what_only_a_preset_names_may_be_missing_and_what_the_file_names_may_not() {
    let metrics = "step,generations,format_ok\n1,40,39\n2,80,79\n";
    for (own, is_told) in [("", false), ("[progress]\ncost = \"total_cost\"\n", true)] {
        let (_directory, run, config) =
            made(metrics, &format!("preset = \"grpo-progress\"\n{own}"));
        let ended = progress(&run, &config, &[]);
        assert_eq!(ended.err.contains("R428"), is_told, "{}", ended.err);
        assert!(!ended.err.contains("R429") && !ended.err.contains("R430"), "{}", ended.err);
    }
    let (_directory, run, config) = made(
        metrics,
        "preset = \"grpo-progress\"\n[[progress.signal]]\nname = \"x\"\nwhen = \"trend(rewrd) < 0\"\n",
    );
    assert!(progress(&run, &config, &[]).err.contains("trend(rewrd)"));
}

#[test]
fn a_table_with_a_column_for_each_step_is_a_timeline() {
    let table = "| Metric | Step 3 | Step 5 | Change |\n|--|--|--|--|\n| valid format | 97.7% (43/44) | **100%** (64/64) | +2.3% |\n| API cost | $0.006236 | $0.008562 | +$0.002326 |\n";
    let directory = Directory::of([("progress.md", table)]);
    let ended = reportgen(["progress", &directory.word("progress.md"), "--lang", "en"]);
    for text in ["Step 3 → Step 5", "**valid format** | 97.7% | 100.0%", "**API cost** | 0.00624"]
    {
        assert!(ended.out.contains(text), "{text}\n{ended:?}");
    }
    let apart = table.replace("Step 3", "Shot 3").replace("Step 5", "Shot 5");
    let directory = Directory::of([("progress.md", apart)]);
    let ended = reportgen(["progress", &directory.word("progress.md"), "--lang", "en"]);
    assert!(ended.err.contains("no metric over steps"), "{ended:?}");
}

#[test]
fn records_of_single_generations_are_averaged_step_by_step_and_said_to_be() {
    let record = |step: u32, at: u32, reward: f64, ok: bool| {
        format!(
            "{{\"step\": {step}, \"generation\": {at}, \"reward\": {reward}, \"format_ok\": {ok}}}\n"
        )
    };
    let records: String = (1..=3)
        .flat_map(|step| (0..4).map(move |at| record(step, at, f64::from(step * at), at < step)))
        .collect();
    let directory = Directory::of([("run/log.jsonl", records.as_str())]);
    let ended = reportgen(["progress", &directory.word("run"), "--lang", "en"]);
    for text in ["**reward** | 1.5 | 4.5", "**format_ok** | 0.25 | 0.75", "R180"] {
        assert!(ended.out.contains(text), "{text}\n{ended:?}");
    }
    assert!(!ended.out.contains("**generation**") && !ended.out.contains("R119"), "{ended:?}");
    let resumed: String =
        [1, 2, 3, 2, 3, 4].iter().map(|&step| record(step, 0, 1.0, true)).collect();
    let directory = Directory::of([("run/log.jsonl", resumed.as_str())]);
    let ended = reportgen(["progress", &directory.word("run"), "--lang", "en"]);
    assert!(ended.out.contains("R119") && !ended.out.contains("R180"), "{ended:?}");
}

#[test]
fn percentages_of_a_curve_are_shown_as_they_are() {
    let lines = ["Epoch 1 accuracy: 61.0%", "Epoch 2 accuracy: 65.0%"].join("\n");
    let directory = Directory::of([("run/train.log", lines)]);
    let ended = reportgen(["progress", &directory.word("run")]);
    assert!(ended.out.contains("61.0% | 65.0% | +4.0 pp"), "{}", ended.out);
}

#[test]
fn patterns_that_nobody_recorded_are_no_single_pattern() {
    let rows = "step,generations,format_ok\n1,12,11\n3,44,43\n5,64,64\n";
    let (_directory, run, _) = made(rows, "");
    let ended = reportgen(["progress", &run, "--preset", "grpo-progress", "--lang", "en"]);
    let signal = ended.out.lines().find(|line| line.contains("One pattern over and over"));
    assert!(!signal.expect("a signal").contains("fired"), "{}", ended.out);
}

#[test]
fn a_metric_means_the_same_in_each_of_several_curves_and_below_a_head_with_a_percent_sign() {
    for (table, expected) in [
        ("step,accuracy (%)\n100,0.5\n200,0.9\n", "| **accuracy** | 0.5% | 0.9% | +0.4 pp |"),
        (
            "step,model,accuracy\n100,a,0.5%\n200,a,0.9%\n100,b,0.6%\n200,b,0.8%\n",
            "| **accuracy \\[model=b]** | 0.6% | 0.8% | +0.2 pp |",
        ),
        ("step,accuracy [%]\n100,0.1\n200,0.9\n", "| **accuracy** | 0.1% | 0.9% | +0.8 pp |"),
        ("epoch,step,f1\n1,1,0.1\n1,2,0.2\n2,1,0.3\n2,2,0.4\n", "| **f1 \\[epoch=2]** | 30.0% |"),
        ("step,loss (%)\n100,0.5\n200,0.9\n", "| **loss** | 0.5 | 0.9 |"),
    ] {
        let directory = Directory::of([("log.csv", table)]);
        let ended = reportgen(["progress", &directory.word("log.csv")]);
        assert!(ended.out.contains(expected), "{table}\n{}", ended.out);
    }
}

#[test]
fn shares_over_steps_and_the_cost_are_drawn_a_few_steps_at_each_point() {
    let mut metrics = "step,bad,all,total_cost\n".to_owned();
    for step in 1..=30 {
        metrics += &[step, 5 + step % 2, 10, 2 * step].map(|one| one.to_string()).join(",");
        metrics.push('\n');
    }
    let config = "[progress]\ncost = \"total_cost\"\ncumulative = [\"total_cost\"]\n\
                  per_step = [\"bad\", \"all\"]\nplanned_steps = 60\nbudget = [100, 110]\n\
                  [progress.rates]\nr = { count = \"bad\", of = \"all\", direction = \"lower\" }\n\
                  never = { count = \"bad\", of = \"bad\", direction = \"lower\" }\n";
    let (directory, run, config) = made(&metrics, config);
    let out = directory.word("out");
    let ended = progress(&run, &config, &["-o", &out, "--format", "md,html"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let text = directory.read("out/report.md");
    let (_, chart) = text.split_once("**r: 2 steps with cases at each point").expect("a chart");
    let (chart, _) = chart.split_once("```\n\n").expect("its end");
    assert_eq!(chart.lines().filter(|line| line.contains('*') && line.contains('[')).count(), 15);
    assert!(!text.contains("**never:"), "{text}");
    let page = directory.read("out/report.html");
    let (_, cost) =
        page.split_once("Cost up to each step ($), forecast and budget").expect("a chart");
    for name in ["total_cost", "forecast", "budget $100.00", "budget $110.00"] {
        assert!(cost.contains(&format!(">{name}</text>")), "{name}");
    }
}
