//! Errors, rules, chain, contradictions, options and the ground of it all.

use unicode_width::UnicodeWidthStr as _;

use super::{marked, range, rated, shown};
use crate::kinds::quality::analysis::{Advice, Contradiction, Quality, Rate, ranked};
use crate::model::logs::{Signature, SignatureKey, Signatures};
use crate::quantity;
use crate::report::block::{Align, Block, Cell, Icon, Table, Text, Tone};
use crate::rules::Truth;
use crate::text::Catalogue;

/// Signatures that a table shows.
const SHOWN: usize = 20;
/// Signatures whose first lines are shown.
const EXAMPLES: usize = 5;
/// Characters of a template or message in a table.
const LONGEST: usize = 120;
/// Places at which errors of one signature were raised that are listed.
const PLACES: usize = 4;
/// Names of processes that are listed.
const PROCESSES: usize = 4;

/// The figures of the run at a glance.
pub(super) fn overview(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let tally = run.tally;
    let mut table = table(&["figure", "value", "interval"], words);
    let mut row = |key: &str, value: Cell, interval: Cell| {
        table.push(vec![
            Cell::text(Text::strong(words.get(&format!("quality.{key}")))),
            value,
            interval,
        ]);
    };
    if run.rollouts > 0 {
        row("rollouts", Cell::count(run.rollouts), Cell::default());
        row("success-rate", rate_cell(run.success), range_cell(run.success));
        row("fallback-rate", rate_cell(run.fallback), range_cell(run.fallback));
    }
    if let Some(scores) = &run.scores {
        let mean = shown(scores.mean, scores);
        let interval = scores.interval.map_or_else(Cell::missing, |[lo, hi]| {
            let [lo, hi] = [lo, hi].map(|limit| shown(limit, scores));
            Cell::text(format!("{lo} … {hi}"))
        });
        row("mean-score", Cell::number(mean, scores.mean), interval);
    } else if tally.scales_differ {
        row("mean-score", Cell::missing(), Cell::missing());
    }
    if !tally.files.is_empty() {
        row("errors", Cell::count(tally.errors.total()), Cell::default());
        if !tally.violations.is_empty() {
            let rules = tally.violations.values().map(|rule| rule.said.count).sum();
            row("violations", Cell::count(rules), Cell::default());
        }
        row("warnings", Cell::count(tally.warnings.total()), Cell::default());
    }
    if let Some([from, to]) = tally.steps {
        let whole = |step: f64| quantity::fixed(step, 0);
        let shown =
            if from == to { whole(from) } else { format!("{} … {}", whole(from), whole(to)) };
        row("steps", Cell::text(shown), Cell::default());
    }
    if table.is_empty() { Vec::new() } else { vec![Block::Table { table }] }
}

/// Heads of columns that hold text; the others hold numbers.
const OF_TEXT: &[&str] = &[
    "figure", "rule", "link", "outcome", "term", "samples", "metric", "ending", "log", "first",
    "type", "message",
];

/// A table with these heads.
pub(super) fn table(heads: &[&str], words: &Catalogue) -> Table {
    let head = |head: &&str| {
        let align = if OF_TEXT.contains(head) { Align::Left } else { Align::Right };
        (words.get(&format!("quality.head-{head}")), align)
    };
    Table::with_heads(heads.iter().map(head).collect())
}

/// A count and what part of all it is.
pub(super) fn share_cell(count: u64, all: u64) -> Cell {
    let share = count as f64 / all as f64;
    Cell::number(quantity::with_coverage(quantity::percent(share), Some([count, all])), share)
}

pub(super) fn rate_cell(rate: Option<Rate>) -> Cell {
    rate.map_or_else(Cell::missing, |rate| Cell::number(rated(rate), rate.share()))
}

pub(super) fn range_cell(rate: Option<Rate>) -> Cell {
    rate.map_or_else(Cell::missing, |rate| Cell::text(range(rate)))
}

/// Errors by signature, and the first lines of the most frequent ones.
pub(super) fn errors(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    if run.tally.files.is_empty() {
        return Vec::new();
    }
    let errors = &run.tally.errors;
    let total = errors.total();
    if total == 0 {
        return vec![Block::paragraph(words.get("quality.no-errors"))];
    }
    let mut blocks = vec![Block::Table { table: signatures(errors, words) }];
    let ranked = ranked(errors);
    let beyond = ranked.len().saturating_sub(SHOWN) as u64;
    for (key, count) in [
        ("quality.more-signatures", beyond),
        ("quality.other-signatures", errors.other),
        ("quality.as-cause", errors.as_cause),
        ("quality.repeated", errors.repeated),
    ] {
        if count > 0 {
            let text = marked(&words.fill(key, &[("count", &quantity::count(count))]));
            blocks.push(Block::Paragraph { text });
        }
    }
    blocks.push(Block::heading(words.get("quality.examples")));
    for (number, (key, one)) in ranked.into_iter().take(EXAMPLES).enumerate() {
        blocks.extend(example(number + 1, key, one, words));
    }
    blocks
}

fn signatures(all: &Signatures, words: &Catalogue) -> Table {
    let mut table = table(&["number", "type", "message", "count", "share", "first"], words);
    let total = all.total();
    for (number, (key, one)) in ranked(all).into_iter().take(SHOWN).enumerate() {
        table.push(vec![
            Cell::text(quantity::count(number as u64 + 1)),
            Cell::text(Text::code(key.kind.as_str())),
            Cell::text(template(key)),
            Cell::count(one.count),
            share_cell(one.count, total),
            Cell::text(Text::code(one.first.to_string())),
        ]);
    }
    table
}

fn template(key: &SignatureKey) -> Text {
    match key.template.as_str() {
        "" => Text::empty(),
        template => Text::code(cut(template, LONGEST)),
    }
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

fn example(number: usize, key: &SignatureKey, one: &Signature, words: &Catalogue) -> Vec<Block> {
    let gap = words.get("punctuation.semicolon");
    let mut text = Text::plain(format!("{number}. "))
        .and_code(key.kind.as_str())
        .and_plain(words.get("punctuation.colon"))
        .and_code(one.first.to_string());
    if one.places.len() > 1 {
        text = text.and_plain(gap.as_str()).and_plain(words.get("quality.raised-at"));
        text = raised(text, one, words);
    } else if let Some(at) = &one.raised_at {
        text = text
            .and_plain(gap.as_str())
            .and_plain(words.get("quality.raised-at"))
            .and_code(at.as_str());
    } else if one.with_traceback > 0 {
        text = text.and_plain(gap.as_str()).and_plain(words.get("quality.raised-unknown"));
    }
    for cause in &one.causes {
        text =
            text.and_plain(gap.as_str()).and_plain(words.get("quality.caused-by")).and_code(cut(
                format!("{}: {}", cause.kind, cause.template).trim_end_matches([' ', ':']),
                LONGEST,
            ));
    }
    if one.processes.len() > 1 {
        let listed: Vec<&str> = one.processes.iter().take(PROCESSES).map(String::as_str).collect();
        let more = if one.processes.len() > PROCESSES { " …" } else { "" };
        let listed = format!("{}{more}", listed.join(", "));
        let count = quantity::count(one.processes.len() as u64);
        let of = words.fill("quality.processes", &[("count", &count), ("names", &listed)]);
        text = text.and_plain(gap).and_plain(of);
    }
    let code = Block::Code { lang: "text".to_owned(), text: one.example.clone() };
    vec![Block::Paragraph { text }, code]
}

/// Where the errors of a signature were raised, each with its count.
fn raised(text: Text, one: &Signature, words: &Catalogue) -> Text {
    let listed = one.places.iter().take(PLACES).enumerate();
    let text = listed.fold(text, |text, (place, (at, count))| {
        let gap = if place == 0 { String::new() } else { words.get("punctuation.comma") };
        let [count, all] = [*count, one.count].map(quantity::count);
        text.and_plain(gap).and_code(at.as_str()).and_plain(format!(" ({count}/{all})"))
    });
    if one.places.len() > PLACES { text.and_plain(" …") } else { text }
}

/// Broken rules.
pub(super) fn violations(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let rules = &run.tally.violations;
    if rules.is_empty() {
        return Vec::new();
    }
    let mut table = table(&["rule", "count", "penalties", "penalty", "first"], words);
    let mut rules: Vec<_> = rules.iter().collect();
    rules.sort_by_key(|(_, one)| std::cmp::Reverse(one.said.count));
    for (rule, one) in rules.into_iter().take(SHOWN) {
        let penalty = match one.penalties {
            0 => Cell::missing(),
            _ => Cell::number(quantity::signed(one.penalty, 1), one.penalty),
        };
        table.push(vec![
            Cell::text(Text::strong(cut(rule, LONGEST))),
            Cell::count(one.said.count),
            Cell::count(one.penalties),
            penalty,
            Cell::text(Text::code(one.said.first.to_string())),
        ]);
    }
    vec![Block::Table { table }]
}

/// The chain as lines, and how many of each link were right.
pub(super) fn chain(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    if run.chain.is_empty() {
        return Vec::new();
    }
    let name = |id: &str| words.get(&format!("quality.link-{id}"));
    let lines: Vec<[String; 2]> = run
        .chain
        .iter()
        .map(|link| {
            let count = link.count.map_or_else(
                || "?".to_owned(),
                |count| match Rate::new(count, run.rollouts) {
                    Some(rate) if link.id != "generated" => rated(rate),
                    _ => quantity::count(count),
                },
            );
            [name(link.id), count]
        })
        .collect();
    let widest = lines.iter().map(|[name, _]| name.width()).max().unwrap_or(0);
    let line = |[name, count]: &[String; 2]| {
        format!("{name}{}  {count}", " ".repeat(widest - name.width()))
    };
    let ends = run.chain.iter().filter(|link| is_end(link.id)).count();
    let passed = lines.len() - ends;
    let drawn: Vec<String> = lines.iter().map(line).collect();
    let (links, ends) = drawn.split_at(passed);
    let text = format!("{}\n    ↓\n{}", links.join("\n    ↓\n"), ends.join("\n"));
    let mut table = table(&["link", "count", "right", "wrong"], words);
    for link in run.chain.iter().filter(|link| !is_end(link.id)) {
        let counted = |count: Option<u64>| count.map_or_else(Cell::missing, Cell::count);
        let [right, wrong] = link.right_wrong.map_or([None; 2], |both| both.map(Some));
        table.push(vec![
            Cell::text(Text::strong(name(link.id))),
            counted(link.count),
            counted(right),
            counted(wrong),
        ]);
    }
    let mut blocks = vec![Block::Code { lang: "text".to_owned(), text }, Block::Table { table }];
    if run.chain.iter().any(|link| link.count.is_none()) {
        blocks.push(Block::paragraph(marked(&words.get("quality.chain-unknown"))));
    }
    if let Some(one) = &run.remark {
        let text = Text::plain(contradiction(one, words))
            .and_plain(words.get("punctuation.sentence-gap"))
            .and_plain(words.get("quality.first-place"))
            .and_code(one.first.to_string());
        blocks.push(Block::Paragraph { text });
    }
    blocks
}

/// Whether the link is an end of the chain and not a way to it.
fn is_end(id: &str) -> bool {
    matches!(id, "right" | "wrong" | "unjudged" | "unscored")
}

/// What does not go together in how many rollouts.
pub(super) fn contradiction(found: &Contradiction, words: &Catalogue) -> String {
    let facts = [("count", quantity::count(found.count)), ("of", quantity::count(found.of))];
    words.fill(&format!("quality.contradiction-{}", found.id), &facts)
}

/// What does not go together.
pub(super) fn contradictions(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let item = |one: &Contradiction| Block::Callout {
        tone: Tone::Warning,
        title: Text::plain(contradiction(one, words)),
        body: vec![Text::plain(words.get("quality.first-place")).and_code(one.first.to_string())],
    };
    run.contradictions.iter().map(item).collect()
}

/// Warnings, folded.
pub(super) fn warnings(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let warnings = &run.tally.warnings;
    if warnings.total() == 0 {
        return Vec::new();
    }
    let [all, kinds] = [warnings.total(), warnings.kept.len() as u64].map(quantity::count);
    vec![Block::Details {
        summary: words
            .fill("quality.warnings-summary", &[("count", &all), ("kinds", &kinds)])
            .into(),
        blocks: vec![Block::Table { table: signatures(warnings, words) }],
    }]
}

/// Declared suggestions, and the place where a person writes.
pub(super) fn options(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let mut blocks = Vec::new();
    let kinds = [
        ("holds", Icon::Star, "quality.advice-holds"),
        ("unsure", Icon::Caution, "quality.advice-unsure"),
        ("unknown", Icon::Open, "quality.advice-unknown"),
    ];
    for (name, icon, key) in kinds {
        let of_kind = run.advice.iter().filter(|one| one.judgement.outcome.name() == name);
        let items: Vec<Text> = of_kind.map(|one| advised(one, icon, words)).collect();
        if !items.is_empty() {
            blocks.push(Block::paragraph(words.get(key)));
            blocks.push(Block::bullets(items));
        }
    }
    let failing = run.advice.iter().filter(|one| one.judgement.outcome == Truth::Fails).count();
    if failing > 0 {
        let count = quantity::count(failing as u64);
        blocks.push(Block::paragraph(words.fill("quality.advice-fails", &[("count", &count)])));
    }
    let fields = ["cause", "option-a", "option-b", "decision"];
    let items = fields.map(|field| {
        Text::strong(words.get(&format!("quality.option-{field}")))
            .and_plain(words.get("punctuation.colon"))
            .and_plain(words.get("quality.to-be-filled"))
    });
    blocks.push(Block::paragraph(marked(&words.get("quality.options-note"))));
    blocks.push(Block::bullets(items.into()));
    blocks
}

fn advised(one: &Advice, icon: Icon, words: &Catalogue) -> Text {
    let Advice { suggestion, judgement } = one;
    let figures: Vec<String> = judgement
        .readings
        .iter()
        .map(|reading| {
            let value = reading.figure.map_or_else(
                |_| "?".to_owned(),
                |figure| quantity::figure(figure.value, figure.unit),
            );
            format!("{} = {value}", reading.quantity)
        })
        .collect();
    Text::icon(icon)
        .and_plain(" ")
        .and_strong(suggestion.text.text(words.lang))
        .and_plain(" ")
        .and_code(suggestion.when.text())
        .and_plain(" · ")
        .and_code(figures.join(", "))
}

/// What was read, and what the figures do not say.
pub(super) fn ground(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !run.tally.files.is_empty() {
        let mut table = table(&["log", "lines", "bytes"], words);
        for file in &run.tally.files {
            table.push(vec![
                Cell::text(Text::code(&*file.path)),
                Cell::count(file.lines),
                Cell::count(file.bytes),
            ]);
        }
        blocks.push(Block::Table { table });
        blocks.push(Block::bullets(vec![
            marked(&words.get("quality.limits-patterns")),
            marked(&words.get("quality.limits-rollouts")),
            marked(&words.get("quality.limits-interval")),
        ]));
    }
    blocks
}
