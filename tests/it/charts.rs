//! Charts by their geometry: what is drawn stands where its value is, nothing leaves the drawing, no
//! text lies over another, and text forms say the same.

use std::collections::BTreeSet;

use reportgen::render::{self, RenderOptions};
use reportgen::report::Report;
use reportgen::report::block::{Block, Section, Text};
use reportgen::report::chart::{
    Axis, Bar, BarGroup, CellState, Chart, ChartEvent, ChartLine, GridCell, GridKey, GridPanel,
    GridRow, IntervalMark, IntervalPanel, IntervalRow, LineChart, LineWeight, MarkShape, Marks,
    RowLook, Side,
};
use unicode_width::UnicodeWidthChar;

use crate::cases::tests;
use crate::command::{at_terminal, reportgen};
use crate::directory::Directory;
use crate::drawing::{Element, along, drawing, text_box};
use crate::sample_report;

fn with_chart(marks: Marks) -> Report {
    let chart = Chart {
        name: "sample",
        title: "样例 <chart> & more".to_owned(),
        description: "what \"it\" shows </desc>".to_owned(),
        marks,
    };
    let blocks =
        vec![Block::chart(chart.clone()), Block::folded("more", vec![Block::chart(chart)])];
    let sections = vec![Section { id: "sample", title: Text::plain("s"), blocks }];
    Report { sections, ..sample_report::report() }
}

pub(crate) fn page(marks: Marks) -> String {
    let html = render::find("html").expect("html");
    html.render(&with_chart(marks), &RenderOptions::default()).expect("a page")
}

/// The lines of the first chart in Markdown.
pub(crate) fn signs(marks: Marks) -> Vec<String> {
    let md = render::find("md").expect("md");
    let text = md.render(&with_chart(marks), &RenderOptions::default()).expect("a document");
    let (_, from) = text.split_once("```text\n").expect("a fence");
    let (lines, _) = from.split_once("\n```").expect("an end");
    lines.lines().map(str::to_owned).collect()
}

fn row(name: &str, at: f64, interval: Option<[f64; 2]>) -> IntervalRow {
    IntervalRow {
        name: name.to_owned(),
        group: None,
        marks: vec![IntervalMark::figure(at, interval)],
        margin: None,
        figure: "+1.0 (+0.5 … +1.5)".to_owned(),
        word: "unsicher".to_owned(),
        look: RowLook::default(),
    }
}

fn panel(rows: Vec<IntervalRow>) -> IntervalPanel {
    let axis = Axis { title: "百分点".to_owned(), unit: "pp", is_difference: true };
    IntervalPanel { axis, arms: None, rows }
}

fn intervals() -> Marks {
    let better = RowLook { is_decided: true, side: Some(Side::Better), ..RowLook::default() };
    let blocked = RowLook { is_blocked: true, ..RowLook::default() };
    let pooled = RowLook { is_pooled: true, ..RowLook::default() };
    let rows = vec![
        IntervalRow { look: pooled, ..row("mean", 2.0, Some([1.0, 3.0])) },
        IntervalRow {
            look: better,
            group: Some("主要".to_owned()),
            ..row(
                "准确率（一个很长的中文名字，图里放不下，要从中间截断才行）",
                4.5,
                Some([2.5, 6.5]),
            )
        },
        IntervalRow { margin: Some([-2.0, 2.0]), ..row("accuracy <b>", -1.5, Some([-4.0, 1.0])) },
        IntervalRow { look: blocked, ..row("a&b", -3.0, None) },
    ];
    Marks::Intervals { panels: vec![panel(rows), panel(vec![row("tokens", 0.0, None)])] }
}

#[test]
fn a_point_and_its_interval_stand_where_their_values_are() {
    let rows: Vec<IntervalRow> = [(4.5, [2.5, 6.5]), (-1.5, [-4.0, 1.0]), (0.0, [0.0, 0.25])]
        .into_iter()
        .map(|(at, ends)| row("m", at, Some(ends)))
        .collect();
    let marks = Marks::Intervals { panels: vec![panel(rows.clone())] };
    let (elements, _) = drawing(&page(marks));
    let place = along(&elements, "x", "tick");
    let dots: Vec<&Element> = elements.iter().filter(|one| one.is("circle", "dot")).collect();
    let lines: Vec<&Element> = elements
        .iter()
        .filter(|one| one.is("line", "interval") && one.number("y1") == one.number("y2"))
        .collect();
    assert_eq!([dots.len(), lines.len()], [3, 3]);
    for ((dot, line), row) in dots.iter().zip(lines).zip(&rows) {
        let mark = row.marks[0];
        let [lo, hi] = mark.interval.expect("an interval");
        for (found, value) in
            [(dot.number("cx"), mark.at), (line.number("x1"), lo), (line.number("x2"), hi)]
        {
            assert!((found - place(value)).abs() < 0.5, "{value}: {found} {}", place(value));
        }
    }
    let zero = elements.iter().find(|one| one.is("line", "zero")).expect("a line of no difference");
    assert!((zero.number("x1") - place(0.0)).abs() < 0.5);
}

#[test]
fn what_lies_beyond_the_scale_ends_in_an_arrow_at_its_end() {
    let mut rows: Vec<IntervalRow> =
        (1..8).map(|at| row("m", f64::from(at), Some([0.0, 9.0]))).collect();
    rows.push(row("far", 2.0, Some([-900.0, 5.0])));
    let marks = Marks::Intervals { panels: vec![panel(rows)] };
    let (elements, [width, _]) = drawing(&page(marks.clone()));
    let arrows: Vec<&Element> = elements.iter().filter(|one| one.is("path", "beyond")).collect();
    assert_eq!(arrows.len(), 1);
    let [x, _] = arrows[0].places()[0];
    assert!(x > 0.0 && x < width / 2.0, "{x}");
    let lines = signs(marks);
    assert!(lines.iter().any(|line| line.starts_with("far ") && line.contains('<')), "{lines:?}");
    let near = Marks::Intervals { panels: vec![panel(vec![row("near", 2.0, Some([1.0, 5.0]))])] };
    assert!(!page(near).contains("class=\"beyond\""));
}

#[test]
fn looks_differ_in_shape_and_a_margin_is_shaded() {
    let (elements, _) = drawing(&page(intervals()));
    let count = |name: &str, class: &str| elements.iter().filter(|one| one.is(name, class)).count();
    assert_eq!(count("path", "dot"), 1, "an average is a diamond");
    assert_eq!(count("path", "cross"), 2, "what is not judged is a cross");
    assert_eq!(count("circle", "better"), 1);
    assert_eq!(count("circle", "open"), 2);
    let margin = IntervalRow { margin: Some([-2.0, 2.0]), ..row("m", 1.0, Some([-3.0, 4.0])) };
    let marks = Marks::Intervals { panels: vec![panel(vec![margin])] };
    let (elements, _) = drawing(&page(marks));
    let margin = elements.iter().find(|one| one.is("rect", "margin")).expect("a margin");
    let place = along(&elements, "x", "tick");
    for (found, edge) in margin.places().iter().zip([-2.0, 2.0]) {
        assert!((found[0] - place(edge)).abs() < 0.5, "{edge}");
    }
}

#[test]
fn signs_stand_in_the_column_of_their_value() {
    let lines = signs(intervals());
    let numbers = lines.iter().find(|line| line.starts_with("百分点")).expect("a scale");
    let columns = |line: &str, upto: usize| -> usize {
        line[..upto].chars().filter_map(UnicodeWidthChar::width).sum()
    };
    let column = |line: &str, sign: char| columns(line, line.find(sign).expect("a sign"));
    let zero = columns(numbers, numbers.find(" 0").expect("0") + 1);
    for line in lines.iter().filter(|line| line.contains('|')) {
        assert_eq!(column(line, '|'), zero, "{line}\n{numbers}");
    }
    let at = |start: &str, sign: char| {
        let line = lines.iter().find(|line| line.starts_with(start)).expect(start);
        column(line, sign)
    };
    let (four, minus) = (at("准确率", '*'), at("a&b", 'x'));
    let unit = (four - minus) as f64 / 7.5;
    assert!((four as f64 - zero as f64 - 4.5 * unit).abs() <= 1.0, "{lines:#?}");
    assert!(lines.last().expect("a key").contains("x 无法评估"), "{lines:#?}");
}

fn arms() -> Marks {
    let mark = |at, shape| IntervalMark { at, interval: None, shape };
    let both = |name: &str, baseline, candidate| IntervalRow {
        marks: vec![mark(baseline, MarkShape::Baseline), mark(candidate, MarkShape::Candidate)],
        word: String::new(),
        ..row(name, 0.0, None)
    };
    let axis = Axis { title: "accuracy".to_owned(), unit: "%", is_difference: false };
    let rows = vec![both("gsm8k", 40.0, 60.0), both("数学", 52.0, 51.5)];
    let arms = Some(["base".to_owned(), "调优".to_owned()]);
    Marks::Intervals { panels: vec![IntervalPanel { axis, arms, rows }] }
}

pub(crate) fn line(series: usize, parts: Vec<Vec<[f64; 2]>>) -> ChartLine {
    ChartLine {
        name: format!("run {series}"),
        said: "1 → 2".to_owned(),
        series,
        weight: LineWeight::Dots,
        parts,
        intervals: Vec::new(),
        broken: Vec::new(),
    }
}

fn lines() -> Marks {
    Marks::Lines(line_chart())
}

pub(crate) fn line_chart() -> LineChart {
    let axis = |title: &str| Axis { title: title.to_owned(), unit: "", is_difference: false };
    let broken = vec![vec![[0.0, 2.0], [10.0, 1.5]], vec![[30.0, 1.0], [40.0, 0.5]]];
    let lines = vec![
        ChartLine { broken: vec![[20.0, 20.0]], ..line(0, broken) },
        line(1, vec![vec![[0.0, 2.5], [20.0, 0.75], [40.0, 1.25]]]),
    ];
    let event = ChartEvent { at: 20.0, label: "首次出现差异".to_owned(), is_marked: true };
    let scale = "对数刻度".to_owned();
    LineChart { x: axis("步数"), y: axis("loss"), scale, lines, events: vec![event] }
}

pub(crate) fn checkpoints() -> Marks {
    let one = ChartLine {
        name: String::new(),
        intervals: vec![Some([0.5, 3.0]), None, Some([1.0, 4.0])],
        ..line(0, vec![vec![[100.0, 2.0], [200.0, 1.0]], vec![[400.0, 3.0]]])
    };
    Marks::Lines(LineChart { lines: vec![one], events: Vec::new(), ..line_chart() })
}

fn grid() -> Marks {
    let cell = |value: Option<f64>, state| GridCell {
        value,
        label: value.map_or_else(|| "?".to_owned(), |value| format!("{value:+}")),
        said: "shot=1: +4".to_owned(),
        direction: 1.0,
        state,
    };
    let rows = vec![
        GridRow {
            name: "200".to_owned(),
            cells: vec![
                cell(Some(8.0), CellState::Decided),
                cell(Some(-2.0), CellState::Decided),
                cell(Some(8.0), CellState::Open),
            ],
        },
        GridRow {
            name: "一个很长很长很长很长很长很长很长很长的样本数名字".to_owned(),
            cells: vec![
                cell(Some(0.0), CellState::Open),
                cell(None, CellState::Absent),
                cell(None, CellState::Failed),
            ],
        },
    ];
    let columns = ["1", "2", "four shots and a long name"].map(str::to_owned).into();
    let corner = "样本数 × Shot".to_owned();
    let panels = vec![GridPanel { title: "Epoch 1".to_owned(), corner, columns, rows }];
    let [worse, better, note] = ["worse", "better", "darkest: +8"].map(str::to_owned);
    Marks::Grid { panels, key: Some(GridKey { worse, better, note }) }
}

fn bars(is_whole: bool) -> Marks {
    let bar = |name: &str, value: Option<f64>| Bar {
        name: name.to_owned(),
        value,
        shown: value.map_or_else(|| "?".to_owned(), |value| format!("{value}%")),
    };
    let group = |name: &str, values: [Option<f64>; 3]| BarGroup {
        name: name.to_owned(),
        bars: ["语法错误", "wrong_answer", "success"]
            .into_iter()
            .zip(values)
            .map(|(name, value)| bar(name, value))
            .collect(),
    };
    let third = if is_whole { Some(40.0) } else { None };
    let groups = vec![
        group("phase0", [Some(10.0), Some(50.0), third]),
        group("phase1", [Some(0.0), Some(80.0), Some(20.0)]),
    ];
    let axis = Axis { title: "endings".to_owned(), unit: "%", is_difference: false };
    Marks::Bars { axis, groups, is_whole }
}

#[test]
fn both_arms_stand_where_their_figures_are_in_shapes_of_their_own() {
    let (elements, _) = drawing(&page(arms()));
    let place = along(&elements, "x", "tick");
    let circles: Vec<&Element> = elements.iter().filter(|one| one.is("circle", "dot")).collect();
    let diamonds: Vec<&Element> = elements.iter().filter(|one| one.is("path", "dot")).collect();
    // The first of either is the legend.
    for (at, (baseline, candidate)) in [(40.0, 60.0), (52.0, 51.5)].into_iter().enumerate() {
        assert!((circles[at + 1].number("cx") - place(baseline)).abs() < 0.5);
        assert!((diamonds[at + 1].places()[1][0] - place(candidate)).abs() < 0.5);
    }
    let text = signs(arms()).join("\n");
    assert!(text.contains("A base") && text.contains("B 调优"), "{text}");
}

#[test]
fn a_line_goes_through_its_points_and_breaks_where_a_figure_is_not_finite() {
    let (elements, _) = drawing(&page(lines()));
    let x = along(&elements, "x", "along-x");
    let y = along(&elements, "y", "along-y");
    // Numbers along y stand a little below their lines.
    let offset = {
        let tick = elements.iter().find(|one| one.is("text", "along-y")).expect("a number");
        let grid = elements.iter().find(|one| one.is("line", "grid")).expect("a line");
        tick.number("y") - grid.number("y1")
    };
    let paths: Vec<Vec<[f64; 2]>> =
        elements.iter().filter(|one| one.is("path", "strong")).map(Element::places).collect();
    let expected: [&[[f64; 2]]; 3] = [
        &[[0.0, 2.0], [10.0, 1.5]],
        &[[30.0, 1.0], [40.0, 0.5]],
        &[[0.0, 2.5], [20.0, 0.75], [40.0, 1.25]],
    ];
    assert_eq!(paths.len(), expected.len(), "a gap is no line");
    for (path, points) in paths.iter().zip(expected) {
        assert_eq!(path.len(), points.len());
        for ([found_x, found_y], [at, value]) in path.iter().zip(points) {
            assert!((found_x - x(*at)).abs() < 0.6, "{at}");
            assert!((found_y - (y(*value) - offset)).abs() < 0.6, "{value}");
        }
    }
    assert_eq!(elements.iter().filter(|one| one.is("path", "cross")).count(), 2);
}

#[test]
fn a_metric_over_steps_has_its_intervals_in_both_forms() {
    let (elements, _) = drawing(&page(checkpoints()));
    let whiskers = elements.iter().filter(|one| one.is("line", "whisker")).count();
    assert_eq!(whiskers, 6, "two whiskers with their ends");
    let text = signs(checkpoints());
    for (step, has) in [("100", true), ("200", false), ("400", true)] {
        let row = text.iter().find(|line| line.starts_with(step)).expect(step);
        assert_eq!(row.contains('['), has, "{text:#?}");
    }
}

#[test]
fn a_cell_is_darker_the_farther_it_lies_and_what_is_missing_has_no_colour() {
    let (elements, _) = drawing(&page(grid()));
    let cells: Vec<String> = elements
        .iter()
        .filter(|one| one.is("rect", "cell"))
        .map(|one| one.classes.join(" "))
        .collect();
    let expected =
        ["a4 decided cell", "b1 decided cell", "a2 cell", "n0 cell", "absent cell", "failed cell"];
    let key = ["b4 decided cell", "b2 cell", "n0 cell", "a2 cell", "a4 decided cell"];
    assert_eq!(cells, [&expected[..], &key].concat());
    let text = signs(grid()).join("\n");
    assert!(text.contains("+8*") && text.contains("-2*") && text.contains('?'), "{text}");
}

#[test]
fn bars_are_as_long_as_their_values_and_an_unknown_one_is_not_zero() {
    let (elements, _) = drawing(&page(bars(false)));
    let width: Vec<f64> = elements
        .iter()
        .filter(|one| one.is("rect", "bar"))
        .map(|one| one.number("width"))
        .collect();
    assert_eq!(width.len(), 5);
    assert!((width[1] / width[0] - 5.0).abs() < 0.05 && width[2] == 0.0, "{width:?}");
    assert_eq!(elements.iter().filter(|one| one.is("rect", "absent")).count(), 1);
    let text = signs(bars(false));
    assert!(text.iter().any(|line| line.contains("?  ·")), "{text:#?}");
}

#[test]
fn parts_of_a_whole_fill_a_bar_in_their_proportion() {
    let (elements, _) = drawing(&page(bars(true)));
    let parts: Vec<&Element> = elements
        .iter()
        .filter(|one| one.is("rect", "part") && one.number("height") > 20.0)
        .collect();
    assert_eq!(parts.len(), 5, "a part of nothing is not drawn");
    let whole: f64 = parts[..3].iter().map(|part| part.number("width")).sum();
    for (part, share) in parts.iter().zip([0.1, 0.5, 0.4, 0.8, 0.2]) {
        assert!((part.number("width") / whole - share).abs() < 0.002, "{part:?}");
    }
    assert!((parts[1].number("x") - parts[0].number("x") - parts[0].number("width")).abs() < 0.2);
}

fn all() -> Vec<Marks> {
    vec![intervals(), arms(), checkpoints(), grid(), bars(false), bars(true)]
}

fn keeps_the_rules(marks: Marks) {
    let page = page(marks.clone());
    assert_eq!(page, self::page(marks));
    let (_, body) = page.split_once("</style>").expect("a style");
    for banned in [" style=", " onload=", "<style", "href=\"http", "<script>alert"] {
        assert!(!body.contains(banned), "{banned}");
    }
    let ids: Vec<&str> =
        body.split(" id=\"").skip(1).map(|rest| rest.split('"').next().expect("an id")).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    assert_eq!(body.matches("role=\"img\"").count(), 2);
    assert!(body.contains("what &quot;it&quot; shows &lt;/desc&gt;</desc>"));
    let (elements, [width, height]) = drawing(&page);
    for element in &elements {
        for [x, y] in element.places() {
            let is_inside = (0.0..=width).contains(&x) && (0.0..=height).contains(&y);
            assert!(is_inside, "{element:?} leaves {width} × {height}");
        }
    }
    let boxes: Vec<(&Element, [f64; 4])> =
        elements.iter().filter(|one| one.name == "text").map(|one| (one, text_box(one))).collect();
    for (at, (one, a)) in boxes.iter().enumerate() {
        assert!(a[0] >= -1.0 && a[2] <= width + 1.0 && a[3] <= height, "{one:?} {a:?}");
        for (other, b) in &boxes[at + 1..] {
            let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
            assert!(apart, "{one:?} lies over {other:?}");
        }
    }
}

tests![
    intervals_keep_the_rules_of_the_page = keeps_the_rules(intervals()),
    arms_keep_the_rules_of_the_page = keeps_the_rules(arms()),
    lines_keep_the_rules_of_the_page = keeps_the_rules(lines()),
    checkpoints_keep_the_rules_of_the_page = keeps_the_rules(checkpoints()),
    a_grid_keeps_the_rules_of_the_page = keeps_the_rules(grid()),
    bars_keep_the_rules_of_the_page = keeps_the_rules(bars(false)),
    shares_keep_the_rules_of_the_page = keeps_the_rules(bars(true)),
];

#[test]
fn a_chart_in_signs_has_no_line_wider_than_its_room() {
    for marks in all() {
        for line in signs(marks) {
            let width: usize = line.chars().filter_map(UnicodeWidthChar::width).sum();
            assert!(width <= 92, "{line}");
        }
    }
}

const GRID: [&str; 3] = ["compare", "fixtures/kl_beta/kl-0.15", "fixtures/kl_beta/kl-0.12"];

#[test]
fn a_comparison_opens_with_its_differences_in_every_form() {
    let with = |more: &[&str]| GRID.iter().chain(more).map(|&word| word.to_owned()).collect();
    let words: Vec<String> = with(&["--lang", "en", "--format", "html"]);
    let page = reportgen(words).out;
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("no `{text}`"));
    assert!(place("</header>") < place("<figure") && place("<figure") < place("<table>"));
    let words: Vec<String> = with(&["--lang", "en", "--format", "md"]);
    let text = reportgen(words).out;
    assert!(text.contains(
        "**vqa_accuracy: differences with 95% confidence intervals**\n\n```text\nshot=1"
    ));
    let words: Vec<String> = with(&["--lang", "en"]);
    let shown = at_terminal(words, 80, false).out;
    assert!(shown.contains("percentage points  ") && shown.contains("[---] interval"), "{shown}");
}

#[test]
fn a_single_difference_is_left_to_the_headline_and_missing_cells_have_no_figure() {
    let runs = ["base", "tuned"].map(|arm| format!("{arm}=fixtures/seeds/{arm}-seed*"));
    let words = ["compare", "--arm", &runs[0], "--arm", &runs[1], "--lang", "en", "--format", "md"];
    let text = reportgen(words).out;
    assert!(!text.contains("Differences with") && text.contains("Single runs"), "{text}");
    let words = [GRID[0], GRID[1], GRID[2], "--lang", "en", "--format", "html"];
    let page = reportgen(words).out;
    let absent = page.matches("<g class=\"absent\">").count();
    let signs = page.matches("y=\"").count();
    assert!(absent >= 12 && signs > absent, "{absent}");
    for part in page.split("<g class=\"absent\">").skip(1) {
        let (cell, _) = part.split_once("</g>").expect("an end");
        assert!(cell.contains(">?</text>"), "{cell}");
    }
}

#[test]
fn points_as_far_apart_as_numbers_go_are_drawn() {
    let runs = Directory::of([
        ("a/m.csv", "step,loss\n1,2\n9223372036854775807,1\n18446744073709551615,1\n0.1,1\n"),
        ("b/m.csv", "step,loss\n1e308,1\n9223372036854775807,1\n18446744073709551615,1\n0.1,1\n"),
    ]);
    let words = ["compare", &runs.word("a"), &runs.word("b"), "--format", "html", "-o", "-"];
    let ended = reportgen(words);
    assert_eq!(ended.status, 0, "{}", ended.err);
    assert!(ended.out.contains("loss"), "{}", ended.out);
}

#[test]
fn a_single_difference_is_drawn_in_a_page_and_not_in_signs() {
    let single = || {
        let rows = vec![row("only", 2.0, Some([1.0, 3.0]))];
        Marks::Intervals { panels: vec![panel(rows)] }
    };
    assert!(page(single()).contains("class=\"interval\""));
    let md = render::find("md").expect("md");
    let text = md.render(&with_chart(single()), &RenderOptions::default()).expect("a document");
    assert!(!text.contains("```text"), "{text}");
}
