//! What an evaluation measured: the report of `metrics`, and the files it writes.

mod files;
mod view;

pub(super) use files::{FormerFiles, SUMMARY_SCHEMA, metric_files};

use crate::diag::{Code, Diagnostic};
use crate::kinds::metrics::analysis::{
    API_ERROR, Dataset, EXECUTED, Evaluation, Figure, LEVEL, SUCCESS, Stratum, WRONG_ANSWER,
};
use crate::quantity;
use crate::quantity::Unit;
use crate::report::block::{Block, Cell, Icon, Table, Text, Tone};
use crate::report::chart::{Bar, BarGroup, Chart};
use crate::report::{FindingView, Headline, Part, Report, finding, first_table};
use crate::text::Catalogue;

pub(super) struct Material<'a> {
    evaluation: &'a Evaluation,
    findings: &'a [FindingView],
    words: &'a Catalogue,
}

pub(super) type Blocks = fn(&Material<'_>) -> Vec<Block>;

pub(super) static PARTS: &[Part<Blocks>] = &[
    Part { id: "metrics", title: "metrics.section.results", blocks: results },
    Part { id: "error-distribution", title: "metrics.section.errors", blocks: errors },
    Part { id: "qa-sample", title: "metrics.section.qa", blocks: drawn },
    Part {
        id: "diagnostics",
        title: "section.diagnostics",
        blocks: |material| finding::blocks(material.findings, material.words),
    },
    Part { id: "notes", title: "metrics.section.notes", blocks: notes },
];

pub(super) fn metrics(
    evaluation: &Evaluation,
    noticed: &[Diagnostic],
    words: &Catalogue,
) -> Report {
    let findings = finding::views(noticed, words);
    let material = Material { evaluation, findings: &findings, words };
    Report {
        kind: "metrics",
        paper: Vec::new(),
        gates: Vec::new(),
        data: view::metrics_view(evaluation),
        sheet: Some(view::metrics_sheet(evaluation)),
        lang: words.lang,
        title: words.get("metrics.title").into(),
        headline: headline(&material),
        brief: first_table(results(&material), words),
        sections: crate::report::sections(PARTS, |blocks| blocks(&material), words),
        findings,
    }
}

/// Metrics by which an evaluation is judged, the first that has a figure; and most datasets named.
const JUDGED_BY: [&str; 2] = ["accepted_at_1", "exec_success_rate"];
const MOST_NAMED: usize = 3;

/// The figures, lowest first, and what was counted. Figures of one evaluation are neither good nor
/// bad by themselves.
fn headline(&Material { evaluation, findings, words }: &Material<'_>) -> Headline {
    let datasets = &evaluation.datasets;
    let records = datasets.iter().map(|dataset| dataset.records).sum();
    let drawn = datasets.iter().map(|dataset| dataset.log.len() as u64).sum();
    let sentence = words.fill(
        "metrics.headline",
        &[
            ("datasets", &quantity::count(datasets.len() as u64)),
            ("records", &quantity::count(records)),
            ("files", &quantity::count(evaluation.files.len() as u64)),
            ("drawn", &quantity::count(drawn)),
        ],
    );
    let gap = words.get("punctuation.sentence-gap");
    let result = match judged(datasets, words) {
        Some(judged) => Text::strong(judged).and_plain(gap + &sentence),
        None => Text::strong(sentence),
    };
    // Of equally severe findings those that leave figures open come first.
    let leaves_open = [Code::SilentRecords, Code::KindUnlisted, Code::KindUnknown];
    let mut findings = findings.to_vec();
    findings.sort_by_key(|finding| !leaves_open.contains(&finding.code));
    let trust = finding::trust(&findings, words);
    let tone = if trust.is_empty() { Tone::Note } else { Tone::Warning };
    let next = finding::next_step(&findings, words).or_else(|| next_step(datasets, drawn, words));
    Headline::new(tone, result).trusted(trust).followed_by(next, words)
}

/// The first metric that has figures, with the lowest of them.
fn judged(datasets: &[Dataset], words: &Catalogue) -> Option<String> {
    let known = |metric: &str| -> Vec<(&Dataset, &Figure, f64)> {
        let of_dataset = |dataset: &'_ Dataset| -> Option<usize> {
            dataset.figures.iter().position(|figure| figure.metric == metric)
        };
        let figures = datasets.iter().filter_map(|dataset| {
            let figure = dataset.figures.get(of_dataset(dataset)?)?;
            Some((dataset, figure, figure.value?))
        });
        figures.collect()
    };
    let (metric, mut found) = JUDGED_BY
        .iter()
        .map(|metric| (metric, known(metric)))
        .find(|(_, found)| !found.is_empty())?;
    found.sort_by(|(.., a), (.., b)| a.total_cmp(b));
    let more = found.len().saturating_sub(MOST_NAMED);
    let named = found.iter().take(MOST_NAMED).map(|(dataset, figure, value)| {
        let part = figure.count.map(|count| [count, figure.n]);
        let value = quantity::with_coverage(quantity::figure(*value, figure.unit), part);
        words.fill("metrics.headline-figure", &[("value", &value), ("dataset", &dataset.name)])
    });
    let mut figures = named.collect::<Vec<_>>().join(&words.get("punctuation.comma"));
    if more > 0 {
        figures.push_str(&words.fill("metrics.headline-more", &[("count", more)]));
    }
    Some(words.fill("metrics.headline-judged", &[("metric", *metric), ("figures", &figures)]))
}

/// Requests that failed are repeated; then the commonest failure is what to read about.
fn next_step(datasets: &[Dataset], drawn: u64, words: &Catalogue) -> Option<String> {
    let all = || {
        let kinds =
            datasets.iter().map(|dataset| dataset.kinds.iter().map(move |kind| (dataset, kind)));
        kinds.flatten().map(|(dataset, (kind, count))| (dataset, kind.as_str(), *count))
    };
    let failed: u64 =
        all().filter(|(_, kind, _)| *kind == API_ERROR).map(|(.., count)| count).sum();
    if failed > 0 {
        return Some(words.fill("metrics.next-requests", &[("count", quantity::count(failed))]));
    }
    let failures =
        all().filter(|(_, kind, count)| *count > 0 && ![SUCCESS, EXECUTED].contains(kind));
    let (dataset, kind, count) = failures.max_by_key(|(.., count)| *count).filter(|_| drawn > 0)?;
    let args = [
        ("drawn", quantity::count(drawn)),
        ("kind", kind.to_owned()),
        ("count", quantity::count(count)),
        ("dataset", dataset.name.clone()),
    ];
    Some(words.fill("metrics.next-review", &args))
}

/// One row for each dataset with what is asked first.
fn overview(datasets: &[Dataset], words: &Catalogue) -> Block {
    let table = Table::of_rows(datasets)
        .left(words.get("metrics.head.dataset"), |dataset| Text::code(dataset.name.as_str()))
        .right(words.get("metrics.head.n"), |dataset| Cell::count(dataset.records));
    let shown = ["exec_success_rate", "accepted_at_1", "api_error_rate"];
    let table = shown.into_iter().fold(table, |table, metric| {
        table.right(metric, move |dataset| {
            let figure = dataset.figures.iter().find(|figure| figure.metric == metric);
            figure.map_or_else(Cell::missing, value)
        })
    });
    table.block()
}

fn value(figure: &Figure) -> Cell {
    let Some(value) = figure.value else { return Cell::missing() };
    let part = figure.count.map(|count| [count, figure.n]);
    let shown = quantity::with_coverage(quantity::figure(value, figure.unit), part);
    Cell::number(Text::plain(shown), value)
}

/// A table of figures for each dataset.
fn results(&Material { evaluation, words, .. }: &Material<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    if evaluation.datasets.len() > 1 {
        blocks.push(overview(&evaluation.datasets, words));
    }
    for dataset in &evaluation.datasets {
        let n = quantity::count(dataset.records);
        let size = words.fill("metrics.size", &[("n", &n)]);
        let heading = Text::code(dataset.name.as_str()).and_plain(size);
        blocks.push(Block::heading(match dataset.step {
            Some(step) => heading.and_plain(words.fill("metrics.at-step", &[("step", step)])),
            None => heading,
        }));
        blocks.push(table(&dataset.figures, words));
        blocks.extend(identities(dataset, words).map(Block::paragraph));
        if !dataset.spreads.is_empty() {
            let spreads = table(&dataset.spreads, words);
            blocks.push(Block::folded(words.get("metrics.quantiles"), vec![spreads]));
        }
    }
    blocks
}

fn table(figures: &[Figure], words: &Catalogue) -> Block {
    let interval = words.fill("metrics.head.interval", &[("level", &quantity::level(LEVEL))]);
    Table::of_rows(figures)
        .left(words.get("metrics.head.metric"), |figure| Text::code(figure.metric.as_str()))
        .right(words.get("metrics.head.value"), value)
        .right(interval, |figure| match (figure.value, figure.interval) {
            (_, Some(interval)) => range(figure, interval.lo, interval.hi),
            _ => words.get(&format!("metrics.method.{}", figure.method)),
        })
        .right(words.get("metrics.head.n"), |figure| Cell::count(figure.n))
        .block()
}

/// `46.5 … 64.3%`.
fn range(figure: &Figure, lo: f64, hi: f64) -> String {
    let decimals = match figure.unit {
        Unit::Fraction | Unit::Percent => 1,
        Unit::Plain => 2,
        _ => quantity::decimals_for_interval(lo, hi).min(3),
    };
    quantity::range_with_decimals(lo, hi, decimals, figure.unit)
}

/// What has to add up, with its counts, and what requests that failed make of it.
fn identities(dataset: &Dataset, words: &Catalogue) -> impl Iterator<Item = Text> {
    let count =
        |kind: &str| dataset.kinds.iter().find(|(name, _)| name == kind).map_or(0, |(_, n)| *n);
    let executed = count(SUCCESS) + count(WRONG_ANSWER) + count(EXECUTED);
    let known = dataset.figures.first().map_or(0, |figure| figure.n);
    let accepted = dataset.figures.iter().find(|figure| figure.metric == "accepted_at_1");
    let accepted =
        accepted.and_then(|figure| figure.count).filter(|_| known > 0 && count(EXECUTED) == 0);
    let sum = accepted.map(|accepted| {
        let holds = accepted + count(WRONG_ANSWER) == executed;
        let text = words.fill(
            if holds { "metrics.adds-up" } else { "metrics.adds-not-up" },
            &[
                ("executed", &quantity::count(executed)),
                ("accepted", &quantity::count(accepted)),
                ("wrong", &quantity::count(count(WRONG_ANSWER))),
            ],
        );
        Text::marked(if holds { Icon::Good } else { Icon::Caution }, text)
    });
    let failed = count("api_error");
    let without = (failed > 0 && known > failed).then(|| {
        let n = known - failed;
        let rate = quantity::figure(executed as f64 / n as f64, Unit::Fraction);
        let rate = quantity::with_coverage(rate, Some([executed, n]));
        let failed = quantity::count(failed);
        let accepted = match dataset.accepted_answers {
            [_, 0] => "?".to_owned(),
            [accepted, n] => {
                let rate = quantity::figure(accepted as f64 / n as f64, Unit::Fraction);
                quantity::with_coverage(rate, Some([accepted, n]))
            }
        };
        let facts = [("count", &*failed), ("rate", &*rate), ("accepted", &*accepted)];
        Text::plain(words.fill("metrics.without-api", &facts))
    });
    sum.into_iter().chain(without)
}

/// How the records ended: counts, and bars of one scale for all datasets.
fn errors(&Material { evaluation, words, .. }: &Material<'_>) -> Vec<Block> {
    let percent =
        |dataset: &Dataset, count: u64| 100.0 * count as f64 / dataset.records.max(1) as f64;
    let group = |dataset: &Dataset| {
        let bar = |(kind, count): &(String, u64)| {
            let value = percent(dataset, *count);
            let shown = quantity::figure_with_decimals(value, 1, Unit::Percent);
            let shown = quantity::with_coverage(shown, Some([*count, dataset.records]));
            Bar { name: kind.clone(), value: Some(value), shown }
        };
        BarGroup { name: dataset.name.clone(), bars: dataset.kinds.iter().map(bar).collect() }
    };
    let groups = evaluation.datasets.iter().map(group).collect();
    vec![Block::chart(Chart::of_bars("endings", words.get("metrics.endings"), "%", groups, words))]
}

/// How many records were drawn for reading.
fn drawn(&Material { evaluation, words, .. }: &Material<'_>) -> Vec<Block> {
    let mut rows: Vec<(&str, Text, [u64; 2], Cell)> = Vec::new();
    for dataset in &evaluation.datasets {
        let drawn = &dataset.drawn;
        rows.extend(drawn.strata.iter().map(|stratum| {
            let sizes = [stratum.quota, stratum.available];
            (dataset.name.as_str(), Text::code(stratum.kind.as_str()), sizes, taken(stratum, words))
        }));
        if drawn.quota.random > 0 {
            let name = Text::plain(words.get("metrics.random"));
            let sizes = [drawn.quota.random, drawn.rest];
            rows.push((&dataset.name, name, sizes, Cell::count(drawn.random)));
        }
    }
    let table = Table::of_rows(&rows)
        .left(words.get("metrics.head.dataset"), |(dataset, ..)| Text::code(*dataset))
        .left(words.get("metrics.head.stratum"), |(_, stratum, ..)| stratum.clone())
        .right(words.get("metrics.head.quota"), |(.., [quota, _], _)| Cell::count(*quota))
        .right(words.get("metrics.head.available"), |(.., [_, all], _)| Cell::count(*all))
        .right(words.get("metrics.head.taken"), |(.., taken)| taken.clone());
    let how = words.fill("metrics.draw", &[("seed", evaluation.seed)]);
    let mut blocks = vec![table.block(), Block::paragraph(how)];
    let too_long: u64 = evaluation.datasets.iter().map(|dataset| dataset.drawn.too_long).sum();
    if too_long > 0 {
        let count = quantity::count(too_long);
        blocks.push(Block::paragraph(words.fill("metrics.too-long", &[("count", &count)])));
    }
    blocks
}

/// How many were taken, and why not as many as the quota asks for.
fn taken(stratum: &Stratum, words: &Catalogue) -> Cell {
    let taken = quantity::count(stratum.taken);
    let why = match stratum.taken {
        taken if taken >= stratum.quota => String::new(),
        taken if taken == stratum.available => words.get("metrics.all-there-are"),
        _ => words.get("metrics.each-problem-once"),
    };
    Cell::number(taken + &why, stratum.taken as f64)
}

/// What the figures are of, and how their intervals were made.
fn notes(&Material { evaluation, words, .. }: &Material<'_>) -> Vec<Block> {
    let figures = evaluation
        .datasets
        .iter()
        .flat_map(|dataset| dataset.figures.iter().chain(&dataset.spreads));
    let used: Vec<&str> =
        figures.filter(|figure| figure.value.is_some()).map(|figure| figure.method).collect();
    let methods =
        ["wilson", "wilson-problems", "t", "cluster-t", "order-statistics", "wall-clock", "times"];
    let methods = methods.into_iter().filter(|method| used.contains(method));
    let texts = ["metrics.note.denominator".to_owned(), "metrics.note.quantiles".to_owned()]
        .into_iter()
        .chain(methods.map(|method| format!("metrics.note.{method}")));
    let items = texts.map(|key| Text::plain(words.get(&key))).collect();
    vec![Block::bullets(items)]
}
