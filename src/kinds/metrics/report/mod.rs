//! What an evaluation measured: the report of `metrics`, and the files it writes.

mod files;
mod view;

pub(super) use files::{SUMMARY_SCHEMA, metric_files};

use crate::diag::{Code, Diagnostic, Severity};
use crate::kinds::metrics::analysis::{
    Dataset, EXECUTED, Evaluation, Figure, LEVEL, SUCCESS, WRONG_ANSWER,
};
use crate::quantity;
use crate::quantity::Unit;
use crate::report::block::{Align, Block, Cell, Icon, Table, Text};
use crate::report::chart::{self, Bar};
use crate::report::{FindingView, Part, Report, finding};
use crate::text::Catalogue;

/// What the parts are made from.
pub(super) struct Material<'a> {
    evaluation: &'a Evaluation,
    findings: &'a [FindingView],
    words: &'a Catalogue,
}

/// The content of a part.
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

/// The report of an evaluation.
pub(super) fn metrics(
    evaluation: &Evaluation,
    noticed: &[Diagnostic],
    words: &Catalogue,
) -> Report {
    let is_loud = noticed.iter().any(|finding| finding.severity > Severity::Info);
    let findings = finding::views(noticed, words);
    let material = Material { evaluation, findings: &findings, words };
    Report {
        kind: "metrics",
        gates: Vec::new(),
        data: view::view(evaluation),
        sheet: Some(view::sheet(evaluation)),
        lang: words.lang,
        title: words.get("metrics.title").into(),
        headline: headline(evaluation, noticed, words),
        mark: if is_loud { "confounded" } else { "as-declared" },
        brief: Vec::new(),
        sections: crate::report::sections(PARTS, |blocks| blocks(&material), words),
        findings,
    }
}

/// What was counted, and the gravest of what has to be known of it.
fn headline(evaluation: &Evaluation, findings: &[Diagnostic], words: &Catalogue) -> Text {
    let loud = findings.iter().filter(|finding| finding.severity > Severity::Info);
    // Of equal ones those that leave figures open, then the first.
    let rank = |one: &Diagnostic| {
        let leaves_open = [Code::SilentRecords, Code::KindUnlisted, Code::KindUnknown];
        (one.severity, leaves_open.contains(&one.code))
    };
    let worst = loud.reduce(|worst, one| if rank(one) > rank(worst) { one } else { worst });
    let datasets = &evaluation.datasets;
    let records = datasets.iter().map(|one| one.records).sum();
    let drawn = datasets.iter().map(|one| one.log.len() as u64).sum();
    let sentence = words.fill(
        "metrics.headline",
        &[
            ("datasets", &quantity::count(datasets.len() as u64)),
            ("records", &quantity::count(records)),
            ("files", &quantity::count(evaluation.files.len() as u64)),
            ("drawn", &quantity::count(drawn)),
        ],
    );
    let icon = if worst.is_some() { Icon::Caution } else { Icon::Good };
    let counted = Text::icon(icon).and_plain(" ").and_plain(sentence);
    worst.into_iter().fold(counted, |text, worst| {
        let facts = [("code", worst.code.id()), ("message", &*words.message(worst))];
        text.and_plain(words.fill("metrics.headline-worst", &facts))
    })
}

/// One row for each dataset with what is asked first.
fn overview(evaluation: &Evaluation, words: &Catalogue) -> Table {
    let shown = ["exec_success_rate", "accepted_at_1", "api_error_rate"];
    let mut heads = vec![
        (words.get("metrics.head.dataset"), Align::Left),
        (words.get("metrics.head.n"), Align::Right),
    ];
    heads.extend(shown.map(|metric| (metric.to_owned(), Align::Right)));
    let mut table = Table::with_heads(heads);
    for dataset in &evaluation.datasets {
        let mut row =
            vec![Cell::text(Text::code(dataset.name.as_str())), Cell::count(dataset.records)];
        for metric in shown {
            let figure = dataset.figures.iter().find(|one| one.metric == metric);
            row.push(figure.map_or_else(Cell::missing, value));
        }
        table.push(row);
    }
    table
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
        blocks.push(Block::Table { table: overview(evaluation, words) });
    }
    for dataset in &evaluation.datasets {
        let n = quantity::count(dataset.records);
        let size = words.fill("metrics.size", &[("n", &n)]);
        let heading = Text::code(dataset.name.as_str()).and_plain(size);
        blocks.push(Block::heading(match dataset.step {
            Some(step) => {
                let step = step.to_string();
                heading.and_plain(words.fill("metrics.at-step", &[("step", &step)]))
            }
            None => heading,
        }));
        blocks.push(Block::Table { table: table(&dataset.figures, words) });
        blocks.extend(identities(dataset, words).map(Block::paragraph));
        if !dataset.spreads.is_empty() {
            blocks.push(Block::Details {
                summary: words.get("metrics.quantiles").into(),
                blocks: vec![Block::Table { table: table(&dataset.spreads, words) }],
            });
        }
    }
    blocks
}

fn table(figures: &[Figure], words: &Catalogue) -> Table {
    let interval = words.fill("metrics.head.interval", &[("level", &quantity::level(LEVEL))]);
    let mut table = Table::with_heads(vec![
        (words.get("metrics.head.metric"), Align::Left),
        (words.get("metrics.head.value"), Align::Right),
        (interval, Align::Right),
        (words.get("metrics.head.n"), Align::Right),
    ]);
    for figure in figures {
        let reason = || words.get(&format!("metrics.method.{}", figure.method));
        let interval = match (figure.value, figure.interval) {
            (_, Some(found)) => Cell::text(range(figure, found.lo, found.hi)),
            _ => Cell::text(reason()),
        };
        let name = Cell::text(Text::code(figure.metric.as_str()));
        table.push(vec![name, value(figure), interval, Cell::count(figure.n)]);
    }
    table
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
    let accepted = dataset.figures.iter().find(|one| one.metric == "accepted_at_1");
    let accepted = accepted.and_then(|one| one.count).filter(|_| known > 0 && count(EXECUTED) == 0);
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
        Text::icon(if holds { Icon::Good } else { Icon::Caution }).and_plain(" ").and_plain(text)
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
    let share =
        |dataset: &Dataset, count: u64| 100.0 * count as f64 / dataset.records.max(1) as f64;
    let all = evaluation.datasets.iter();
    let shares = all.flat_map(|one| one.kinds.iter().map(|(_, count)| share(one, *count)));
    let scale = chart::scale(shares);
    let mut blocks = Vec::new();
    for dataset in &evaluation.datasets {
        let bars: Vec<Bar> = dataset
            .kinds
            .iter()
            .map(|(kind, count)| Bar {
                name: kind.clone(),
                value: Some(share(dataset, *count)),
                shown: quantity::with_coverage(
                    quantity::figure_with_decimals(share(dataset, *count), 1, Unit::Percent),
                    Some([*count, dataset.records]),
                ),
            })
            .collect();
        blocks.push(Block::heading(Text::code(dataset.name.as_str())));
        blocks.push(Block::Code { lang: "text".to_owned(), text: chart::bars(&bars, scale) });
    }
    let sign = quantity::fixed(scale, quantity::decimals_for_digits(scale, 1.0));
    blocks.push(Block::paragraph(words.fill("metrics.scale", &[("sign", &sign)])));
    blocks
}

/// How many records were drawn for reading.
fn drawn(&Material { evaluation, words, .. }: &Material<'_>) -> Vec<Block> {
    let heads = ["dataset", "stratum", "quota", "available", "taken"];
    let heads = heads.map(|head| {
        let align = if matches!(head, "dataset" | "stratum") { Align::Left } else { Align::Right };
        (words.get(&format!("metrics.head.{head}")), align)
    });
    let mut table = Table::with_heads(heads.into());
    for dataset in &evaluation.datasets {
        let drawn = &dataset.drawn;
        for stratum in &drawn.strata {
            let why = match stratum.taken {
                taken if taken >= stratum.quota => None,
                taken if taken == stratum.available => Some("metrics.all-there-are"),
                _ => Some("metrics.each-problem-once"),
            };
            let taken = Text::plain(quantity::count(stratum.taken));
            let taken = why.into_iter().fold(taken, |text, why| text.and_plain(words.get(why)));
            table.push(vec![
                Cell::text(Text::code(dataset.name.as_str())),
                Cell::text(Text::code(stratum.kind.as_str())),
                Cell::count(stratum.quota),
                Cell::count(stratum.available),
                Cell::number(taken, stratum.taken as f64),
            ]);
        }
        if drawn.quota.random > 0 {
            table.push(vec![
                Cell::text(Text::code(dataset.name.as_str())),
                Cell::text(words.get("metrics.random")),
                Cell::count(drawn.quota.random),
                Cell::count(drawn.rest),
                Cell::count(drawn.random),
            ]);
        }
    }
    let seed = evaluation.seed.to_string();
    let how = Block::paragraph(words.fill("metrics.draw", &[("seed", &seed)]));
    let mut blocks = vec![Block::Table { table }, how];
    let too_long: u64 = evaluation.datasets.iter().map(|one| one.drawn.too_long).sum();
    if too_long > 0 {
        let count = quantity::count(too_long);
        blocks.push(Block::paragraph(words.fill("metrics.too-long", &[("count", &count)])));
    }
    blocks
}

/// What the figures are of, and how their intervals were made.
fn notes(&Material { evaluation, words, .. }: &Material<'_>) -> Vec<Block> {
    let figures = evaluation.datasets.iter().flat_map(|one| one.figures.iter().chain(&one.spreads));
    let used: Vec<&str> = figures.filter(|one| one.value.is_some()).map(|one| one.method).collect();
    let methods =
        ["wilson", "wilson-problems", "t", "cluster-t", "order-statistics", "wall-clock", "times"];
    let methods = methods.into_iter().filter(|method| used.contains(method));
    let texts = ["metrics.note.denominator".to_owned(), "metrics.note.quantiles".to_owned()]
        .into_iter()
        .chain(methods.map(|method| format!("metrics.note.{method}")));
    let items = texts.map(|key| Text::plain(words.get(&key))).collect();
    vec![Block::bullets(items)]
}
