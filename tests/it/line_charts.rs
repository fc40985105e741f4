//! Lines over an axis: what their scale leaves out, and what stands out on them.

use reportgen::report::chart::{ChartEvent, ChartLine, LineChart, LineWeight, Marks};

use crate::charts::{checkpoints, line, line_chart, page};
use crate::command::compare;
use crate::directory::Directory;
use crate::drawing::{Element, along, drawing};

/// A long line with one point far above the others and one far below.
fn spiked() -> LineChart {
    let mut points: Vec<[f64; 2]> = (0..100).map(|at| [f64::from(at), f64::from(at % 5)]).collect();
    points[30][1] = 900.0;
    points[60][1] = -500.0;
    LineChart { lines: vec![line(0, vec![points])], events: Vec::new(), ..line_chart() }
}

#[test]
fn what_lies_beyond_the_scale_of_a_line_is_an_arrow_at_its_edge_with_its_value() {
    let chart = spiked();
    assert_eq!(chart.farthest_cut(), Some([30.0, 900.0]));
    let page = page(Marks::Lines(chart));
    assert!(page.contains("<title>步数 30: 900</title>"), "{page}");
    assert!(page.contains("<title>步数 60: -500</title>"), "{page}");
    let (elements, _) = drawing(&page);
    let x = along(&elements, "x", "along-x");
    let arrows: Vec<Vec<[f64; 2]>> =
        elements.iter().filter(|one| one.is("path", "beyond")).map(Element::places).collect();
    assert_eq!(arrows.len(), 2);
    for (arrow, at) in arrows.iter().zip([30.0, 60.0]) {
        assert!((arrow[1][0] - x(at)).abs() < 0.6, "{arrow:?}");
    }
    // The first points up from below the upper edge, the second down to the lower one.
    assert!(arrows[0][1][1] < arrows[0][0][1] && arrows[1][1][1] > arrows[1][0][1], "{arrows:?}");
    let whole =
        LineChart { lines: vec![line(0, vec![vec![[0.0, 1.0], [1.0, 900.0]]])], ..spiked() };
    assert_eq!((whole.cut(), whole.farthest_cut()), (None, None));
}

#[test]
fn what_spans_three_decades_stands_on_powers_of_ten_and_the_scale_says_so() {
    let decades = |lowest: f64| {
        let points = vec![[0.0, 1000.0], [10.0, 1.0], [20.0, lowest]];
        LineChart { lines: vec![line(0, vec![points])], events: Vec::new(), ..line_chart() }
    };
    for (lowest, expected) in [(1.0, true), (1.1, true), (0.0, false), (-1.0, false)] {
        assert_eq!(decades(lowest).is_logarithmic(), expected, "{lowest}");
    }
    let narrow =
        LineChart { lines: vec![line(0, vec![vec![[0.0, 2.0], [1.0, 1000.0]]])], ..decades(1.0) };
    assert!(!narrow.is_logarithmic());
    let page = page(Marks::Lines(decades(1.0)));
    let (elements, _) = drawing(&page);
    let said = elements.iter().any(|one| one.is("text", "tick") && one.text == "对数刻度");
    assert!(said, "{page}");
    let path = elements.iter().find(|one| one.is("path", "strong")).expect("a line").places();
    let y = |at: usize| path[at][1];
    assert!((y(2) - y(1)).abs() < 0.01, "1 stands where 1 does");
    // On a straight scale 1 and 1000 would be as far apart; so would 1, 31.6 and 1000 be unequal.
    let middle = LineChart {
        lines: vec![line(0, vec![vec![[0.0, 1.0], [1.0, 1000_f64.sqrt()], [2.0, 1000.0]]])],
        ..decades(1.0)
    };
    let (elements, _) = drawing(&self::page(Marks::Lines(middle)));
    let path = elements.iter().find(|one| one.is("path", "strong")).expect("a line").places();
    assert!((path[0][1] + path[2][1] - 2.0 * path[1][1]).abs() < 0.6, "{path:?}");
}

#[test]
fn points_with_something_in_common_are_ringed_and_named() {
    let rings = ChartLine {
        name: "as good".to_owned(),
        weight: LineWeight::Rings,
        ..line(0, vec![vec![[100.0, 2.0], [400.0, 3.0]]])
    };
    let Marks::Lines(mut chart) = checkpoints() else { unreachable!("lines") };
    chart.lines.push(rings);
    let (elements, _) = drawing(&page(Marks::Lines(chart)));
    // One in the legend.
    assert_eq!(elements.iter().filter(|one| one.is("circle", "ring")).count(), 3);
    assert!(elements.iter().any(|one| one.text == "as good"));
}

#[test]
fn an_interval_stands_at_its_point_in_either_arm() {
    let arm = |series| ChartLine {
        intervals: vec![Some([0.5, 1.5]), Some([1.5, 2.5])],
        ..line(series, vec![vec![[10.0, 1.0], [30.0, 2.0]]])
    };
    let chart = LineChart { lines: vec![arm(0), arm(1)], events: Vec::new(), ..line_chart() };
    let (elements, _) = drawing(&page(Marks::Lines(chart)));
    let x = along(&elements, "x", "along-x");
    let upright = |one: &&Element| one.is("line", "whisker") && !one.is("line", "end");
    let places: Vec<f64> = elements.iter().filter(upright).map(|one| one.places()[0][0]).collect();
    for (place, expected) in places.iter().zip([10.0, 30.0, 10.0, 30.0]) {
        assert!((place - x(expected)).abs() < 0.6, "{places:?}");
    }
    assert_eq!(places.len(), 4);
}

#[test]
fn each_point_that_is_seen_says_what_it_is() {
    let Marks::Lines(chart) = checkpoints() else { unreachable!("lines") };
    let event = ChartEvent { at: 200.0, label: "best".to_owned(), is_marked: false };
    let page = page(Marks::Lines(LineChart { events: vec![event], ..chart }));
    for said in ["步数 100: 2", "步数 200: 1, best", "步数 400: 3"] {
        assert!(page.contains(&format!("<title>{said}</title>")), "{said}: {page}");
    }
}

#[test]
fn crowded_positions_stand_on_powers_of_ten_and_others_do_not() {
    let at = |places: &[f64]| {
        let points = places.iter().map(|at| [*at, 1.0]).collect();
        LineChart { lines: vec![line(0, vec![points])], events: Vec::new(), ..line_chart() }
    };
    let cases: [(&[f64], bool); 5] = [
        (&[10.0, 20.0, 50.0, 100.0, 1000.0, 10_000.0], true),
        (&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0], false),
        (&[100.0, 200.0, 300.0, 400.0], false),
        (&[0.0, 20.0, 50.0, 100.0, 1000.0, 10_000.0], false),
        (&[5.0], false),
    ];
    for (places, expected) in cases {
        assert_eq!(at(places).is_x_logarithmic(), expected, "{places:?}");
    }
    let (elements, _) = drawing(&page(Marks::Lines(at(cases[0].0))));
    let path = elements.iter().find(|one| one.is("path", "strong")).expect("a line").places();
    // 10, 100, 1000 and 10000 are equally far apart.
    let [ten, hundred, thousand, last] = [0, 3, 4, 5].map(|at: usize| path[at][0]);
    for (one, other) in [(ten, hundred), (hundred, thousand)] {
        assert!((other - one - (last - thousand)).abs() < 0.6, "{path:?}");
    }
}

#[test]
fn long_names_of_lines_stand_below_each_other_and_none_is_cut() {
    let named = |name: &str| ChartLine {
        name: name.to_owned(),
        ..line(0, vec![vec![[0.0, 1.0], [1.0, 2.0]]])
    };
    let names = [
        "expected from the nights before (3 standard deviations)",
        "accuracy on the questions of the second half",
        "x",
    ];
    let lines = names.map(named).to_vec();
    let chart = LineChart { lines, events: Vec::new(), ..line_chart() };
    let (elements, _) = drawing(&page(Marks::Lines(chart)));
    let place = |name: &str| {
        let is_its = |one: &&Element| one.name == "text" && one.text == name;
        let text = elements.iter().find(is_its).expect("whole");
        [text.number("x"), text.number("y")]
    };
    let [first, second, third] = names.map(place);
    assert!(second[1] > first[1] && second[0] == first[0], "{first:?} {second:?}");
    assert!(third[1] == second[1] && third[0] > second[0], "{second:?} {third:?}");
}

/// Two runs of samples at so many shots, the candidate right more often.
fn shots(values: &[usize]) -> Directory {
    let run = |right: usize| {
        let record = |(shot, at): (usize, usize)| {
            let correct = usize::from(at < right + shot);
            format!("{{\"id\": {at}, \"shot\": {shot}, \"correct\": {correct}}}\n")
        };
        let all = values.iter().flat_map(|shot| (0..40).map(move |at| (*shot, at)));
        all.map(record).collect::<String>()
    };
    Directory::of([("base.jsonl", run(10)), ("tuned.jsonl", run(20))])
}

#[test]
fn results_over_three_values_of_an_axis_are_lines_of_both_arms_with_intervals() {
    let drawn = |values: &[usize]| {
        let directory = shots(values);
        let runs = ["base.jsonl", "tuned.jsonl"].map(|name| directory.word(name));
        compare(&runs, &["--lang", "en", "--format", "html"]).out
    };
    let page = drawn(&[0, 2, 8]);
    let (_, chart) = page.split_once("<figcaption>correct by Shot").expect("a chart");
    let (chart, _) = chart.split_once("</figure>").expect("its end");
    for expected in [
        "base.jsonl: 25.0% (0), 30.0% (2), 45.0% (8)",
        "tuned.jsonl: 50.0% (0), 55.0% (2), 70.0% (8)",
    ] {
        assert!(chart.contains(expected), "{expected}: {chart}");
    }
    assert_eq!(chart.matches("class=\"whisker\"").count(), 6, "six figures");
    assert!(!drawn(&[0, 2]).contains("correct by Shot"), "two points are no line");
}

#[test]
fn figures_without_intervals_are_lines_too_and_say_so() {
    let table = |rise: u32| {
        let rows = [0, 1, 2, 4].map(|shot| format!("{shot},200,{}.0%\n", 50 + rise * shot));
        format!("shot,n,accuracy\n{}", rows.concat())
    };
    let directory = Directory::of([("a.csv", table(1)), ("b.csv", table(2))]);
    let runs = ["a.csv", "b.csv"].map(|name| directory.word(name));
    let page = compare(&runs, &["--by", "shot", "--lang", "en", "--format", "html"]).out;
    assert!(page.contains("<figcaption>accuracy by Shot</figcaption>"), "{page}");
}

#[test]
fn charts_that_are_left_out_are_counted() {
    let log = |offset: usize| {
        let row = |step: usize| {
            let figures = (0..8).map(|at| format!(", \"metric_{at}\": {}", step + at + offset));
            format!("{{\"step\": {step}{}}}\n", figures.collect::<String>())
        };
        (1..20).map(row).collect::<String>()
    };
    let directory = Directory::of([("a/metrics.jsonl", log(0)), ("b/metrics.jsonl", log(1))]);
    let runs = ["a", "b"].map(|name| directory.word(name));
    let document = compare(&runs, &["--lang", "en", "--format", "html"]).out;
    assert_eq!(document.matches("<figcaption>metric_").count(), 6);
    assert!(document.contains("2 more charts of this kind are not drawn"), "{document}");
}

#[test]
fn a_place_that_one_arm_lacks_breaks_its_line_and_keeps_the_point_of_the_other() {
    let table = |shots: &[u32]| {
        let rows = shots.iter().map(|shot| format!("{shot},200,{}.0%\n", 50 + shot));
        format!("shot,n,accuracy\n{}", rows.collect::<String>())
    };
    let directory =
        Directory::of([("a.csv", table(&[0, 1, 2, 4, 8])), ("b.csv", table(&[0, 1, 4, 8]))]);
    let runs = ["a.csv", "b.csv"].map(|name| directory.word(name));
    let page = compare(&runs, &["--by", "shot", "--lang", "en", "--format", "html"]).out;
    let (_, chart) = page.split_once("<figcaption>accuracy by Shot").expect("a chart");
    let (elements, _) = drawing(chart);
    let points: Vec<usize> = elements
        .iter()
        .filter(|one| one.is("path", "strong"))
        .map(|one| one.places().len())
        .collect();
    assert_eq!(points, [5, 2, 2], "the first arm whole, the second in two parts");
}

#[test]
fn a_stretch_of_figures_that_are_no_numbers_is_a_line_at_the_edge_and_the_axis_covers_it() {
    let broken =
        ChartLine { broken: vec![[20.0, 60.0]], ..line(0, vec![vec![[0.0, 1.0], [10.0, 2.0]]]) };
    let chart = LineChart { lines: vec![broken], events: Vec::new(), ..line_chart() };
    let (elements, _) = drawing(&page(Marks::Lines(chart)));
    let x = along(&elements, "x", "along-x");
    let edge = elements.iter().find(|one| one.is("line", "cross")).expect("a line").places();
    for (place, at) in edge.iter().zip([20.0, 60.0]) {
        assert!((place[0] - x(at)).abs() < 0.6, "{edge:?}");
    }
}

#[test]
fn what_is_drawn_by_powers_of_ten_is_smoothed_so() {
    // Half of the figures are 1 and half 10,000: their logarithms come to 100, their mean to 5,000.
    let log = (0..400).map(|step| {
        let loss = if step % 2 == 0 { 1 } else { 10_000 };
        format!("{{\"step\": {step}, \"loss\": {loss}}}\n")
    });
    let log = log.collect::<String>();
    let directory = Directory::of([("a/metrics.jsonl", log.clone()), ("b/metrics.jsonl", log)]);
    let runs = ["a", "b"].map(|name| directory.word(name));
    let page = compare(&runs, &["--lang", "en", "--format", "html"]).out;
    let (_, chart) = page.split_once("exponential mean of logarithms").expect("it says so");
    let (elements, _) = drawing(chart);
    let y = along(&elements, "y", "along-y");
    let smooth = elements.iter().rfind(|one| one.is("path", "strong")).expect("a line").places();
    let last = smooth.last().expect("points")[1];
    let (low, high) = (y(1.0), y(10_000.0));
    assert!((last - f64::midpoint(low, high)).abs() < (low - high) / 10.0, "{last}: {low} {high}");
}
