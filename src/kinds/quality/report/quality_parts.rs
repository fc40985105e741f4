//! Errors, rules, chain, contradictions, options and the ground of it all.

use indexmap::IndexMap;

use super::{marked, range, rated, shown, step_chart};
use crate::conditions::ConditionTruth;
use crate::kinds::quality::analysis::{
    Advice, Contradiction, Link, Quality, QualityDistribution, QualityRate, ranked,
};
use crate::model::logs::{Signature, SignatureKey, Signatures, StepTally};
use crate::quantity;
use crate::report::block::{Block, Cell, Icon, Table, Text, Tone};
use crate::report::chart::{Bar, BarGroup, Chart};
use crate::text::Catalogue;

/// Rows of the table of steps, and types of errors with a column of their own there.
const STEP_ROWS: usize = 12;
const STEP_TYPES: usize = 3;
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

/// Patterns to begin with: one of each meaning that makes a table.
const PATTERNS: &str = "\
[[pattern]]
match = \"rollout {id:word} begins\"
means = \"rollout\"

[[pattern]]
match = \"rule {rule:word} broken\"
means = \"violation\"
as = \"{rule}\"

[[pattern]]
match = \"falling back\"
means = \"fallback\"

[[pattern]]
match = \"right, score {value:number}/{max:number}\"
means = \"score\"
outcome = \"success\"

[[pattern]]
match = \"wrong, score {value:number}/{max:number}\"
means = \"score\"
outcome = \"failure\"";

/// The figures of the run at a glance.
pub(super) fn overview(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let tally = run.tally;
    let mut rows: Vec<(&str, Cell, Cell)> = Vec::new();
    let mut row = |key, value, interval| rows.push((key, value, interval));
    if run.rollouts > 0 {
        row("rollouts", Cell::count(run.rollouts), Cell::default());
        row("success-rate", rate_cell(run.success), range_cell(run.success));
        row("fallback-rate", rate_cell(run.fallback), range_cell(run.fallback));
    }
    if let Some(scores) = &run.scores {
        let mut text = Text::plain(shown(scores.mean, scores));
        if let Some((count, _)) = &tally.beyond_scale {
            let args = [("count", quantity::count(*count))];
            let remark = words.fill("quality.mean-beyond-scale", &args);
            text = text.and_plain(" ").and_icon(Icon::Caution).and_plain(format!(" {remark}"));
        }
        let mean = Cell::number(text, scores.mean);
        row("mean-score", mean, mean_range_cell(scores));
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
    let table = Table::of_rows(&rows)
        .left(head("figure", words), |(key, ..)| Text::strong(words.get(&format!("quality.{key}"))))
        .right(head("value", words), |(_, value, _)| value.clone())
        .right(head("interval", words), |(.., interval)| interval.clone());
    if rows.is_empty() { Vec::new() } else { vec![table.block()] }
}

pub(super) fn head(column: &str, words: &Catalogue) -> String {
    words.get(&format!("quality.head-{column}"))
}

/// A count and what part of all it is.
pub(super) fn share_cell(count: u64, all: u64) -> Cell {
    let share = count as f64 / all as f64;
    Cell::number(quantity::with_coverage(quantity::percent(share), Some([count, all])), share)
}

pub(super) fn rate_cell(rate: Option<QualityRate>) -> Cell {
    rate.map_or_else(Cell::missing, |rate| Cell::number(rated(rate), rate.share()))
}

pub(super) fn range_cell(rate: Option<QualityRate>) -> Cell {
    rate.map_or_else(Cell::missing, |rate| Cell::text(range(rate)))
}

/// The interval of a mean score.
pub(super) fn mean_range_cell(scores: &QualityDistribution) -> Cell {
    scores.interval.map_or_else(Cell::missing, |[lo, hi]| {
        Cell::text(format!("{} … {}", shown(lo, scores), shown(hi, scores)))
    })
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
    let mut blocks = vec![signatures(errors, words)];
    let types = errors.by_type();
    if types.len() > 1 && types.len() < errors.kept.len() {
        blocks.insert(0, type_totals(&types, total, words));
    }
    let ranked = ranked(errors);
    let beyond = ranked.len().saturating_sub(SHOWN) as u64;
    for (key, count) in [
        ("quality.more-signatures", beyond),
        ("quality.other-signatures", errors.other),
        ("quality.as-cause", errors.as_cause),
        ("quality.repeated", errors.repeated),
    ] {
        if count > 0 {
            let sentence = words.fill(key, &[("count", &quantity::count(count))]);
            blocks.push(Block::paragraph(marked(&sentence)));
        }
    }
    blocks.push(Block::heading(words.get("quality.examples")));
    for (number, (key, signature)) in ranked.into_iter().take(EXAMPLES).enumerate() {
        blocks.extend(example(number + 1, key, signature, words));
    }
    blocks
}

fn type_totals(types: &IndexMap<&str, u64>, total: u64, words: &Catalogue) -> Block {
    let rows: Vec<(&str, u64)> = types.iter().take(SHOWN).map(|(kind, n)| (*kind, *n)).collect();
    Table::of_rows(&rows)
        .left(head("type", words), |(kind, _)| Text::code(*kind))
        .right(head("count", words), |(_, count)| Cell::count(*count))
        .right(head("share", words), |(_, count)| share_cell(*count, total))
        .block()
}

/// What went wrong step by step, many steps in groups of as many each.
pub(super) fn steps(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let by_step: Vec<(&i64, &StepTally)> = run.tally.by_step.iter().collect();
    if by_step.len() < 2 {
        return Vec::new();
    }
    let sum = |steps: &[(&i64, &StepTally)], of: &dyn Fn(&StepTally) -> u64| -> u64 {
        steps.iter().map(|(_, tally)| of(tally)).sum()
    };
    let groups: Vec<&[(&i64, &StepTally)]> =
        by_step.chunks(by_step.len().div_ceil(STEP_ROWS)).collect();
    let has = |of: &dyn Fn(&StepTally) -> u64| sum(&by_step, of) > 0;
    let judged = |tally: &StepTally| tally.right_wrong[0] + tally.right_wrong[1];
    let rate = |steps: &[(&i64, &StepTally)]| {
        rate_cell(QualityRate::new(sum(steps, &|tally| tally.right_wrong[0]), sum(steps, &judged)))
    };
    let mut table = Table::of_rows(&groups).left(head("step", words), |steps| match steps {
        [(only, _)] => Text::plain(only.to_string()),
        [(first, _), .., (last, _)] => Text::plain(format!("{first} … {last}")),
        [] => Text::empty(),
    });
    if has(&judged) {
        table = table.right(head("right", words), |steps| rate(steps));
    }
    let types = run.tally.errors.by_type();
    for (kind, _) in types.iter().take(STEP_TYPES) {
        let of = |tally: &StepTally| tally.errors.get(*kind).copied().unwrap_or(0);
        table = table.right((*kind).to_owned(), |steps| Cell::count(sum(steps, &of)));
    }
    if types.len() > STEP_TYPES {
        let all = |tally: &StepTally| tally.errors.values().sum();
        table = table.right(words.get("quality.errors"), |steps| Cell::count(sum(steps, &all)));
    }
    let violations = |tally: &StepTally| tally.violations;
    if has(&violations) {
        let head = words.get("quality.violations");
        table = table.right(head, |steps| Cell::count(sum(steps, &violations)));
    }
    let kinds: Vec<&str> = types.keys().copied().collect();
    let chart = step_chart::chart(&by_step, &kinds, words).map(Block::chart);
    chart.into_iter().chain([table.block()]).collect()
}

fn signatures(all: &Signatures, words: &Catalogue) -> Block {
    let total = all.total();
    let rows: Vec<_> = ranked(all).into_iter().take(SHOWN).zip(1..).collect();
    Table::of_rows(&rows)
        .right(head("number", words), |(_, number)| quantity::count(*number))
        .left(head("type", words), |((key, _), _)| Text::code(key.kind.as_str()))
        .left(head("message", words), |((key, _), _)| template(key))
        .right(head("count", words), |((_, signature), _)| Cell::count(signature.count))
        .right(head("share", words), |((_, signature), _)| share_cell(signature.count, total))
        .left(head("first", words), |((_, signature), _)| Text::code(signature.first.to_string()))
        .block()
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

fn example(
    number: usize,
    key: &SignatureKey,
    signature: &Signature,
    words: &Catalogue,
) -> Vec<Block> {
    let gap = words.get("punctuation.semicolon");
    let mut text = Text::plain(format!("{number}. "))
        .and_code(key.kind.as_str())
        .and_plain(words.get("punctuation.colon"))
        .and_code(signature.first.to_string());
    if signature.places.len() > 1 {
        text = text.and_plain(gap.as_str()).and_plain(words.get("quality.raised-at"));
        text = raised(text, signature, words);
    } else if let Some(at) = &signature.raised_at {
        text = text
            .and_plain(gap.as_str())
            .and_plain(words.get("quality.raised-at"))
            .and_code(at.as_str());
    } else if signature.with_traceback > 0 {
        text = text.and_plain(gap.as_str()).and_plain(words.get("quality.raised-unknown"));
    }
    for cause in &signature.causes {
        text =
            text.and_plain(gap.as_str()).and_plain(words.get("quality.caused-by")).and_code(cut(
                format!("{}: {}", cause.kind, cause.template).trim_end_matches([' ', ':']),
                LONGEST,
            ));
    }
    if signature.processes.len() > 1 {
        let listed: Vec<&str> =
            signature.processes.iter().take(PROCESSES).map(String::as_str).collect();
        let more = if signature.processes.len() > PROCESSES { " …" } else { "" };
        let listed = format!("{}{more}", listed.join(", "));
        let count = quantity::count(signature.processes.len() as u64);
        let of = words.fill("quality.processes", &[("count", &count), ("names", &listed)]);
        text = text.and_plain(gap).and_plain(of);
    }
    let code = Block::Code { lang: "text".to_owned(), text: signature.example.clone() };
    vec![Block::paragraph(text), code]
}

/// Where the errors of a signature were raised, each with its count.
fn raised(text: Text, signature: &Signature, words: &Catalogue) -> Text {
    let listed = signature.places.iter().take(PLACES).enumerate();
    let text = listed.fold(text, |text, (place, (at, count))| {
        let gap = if place == 0 { String::new() } else { words.get("punctuation.comma") };
        let [count, all] = [*count, signature.count].map(quantity::count);
        text.and_plain(gap).and_code(at.as_str()).and_plain(format!(" ({count}/{all})"))
    });
    if signature.places.len() > PLACES { text.and_plain(" …") } else { text }
}

pub(super) fn violations(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let rules = &run.tally.violations;
    if rules.is_empty() {
        return Vec::new();
    }
    let mut rules: Vec<_> = rules.iter().collect();
    rules.sort_by_key(|(_, broken)| std::cmp::Reverse(broken.said.count));
    rules.truncate(SHOWN);
    let table = Table::of_rows(&rules)
        .left(head("rule", words), |(rule, _)| Text::strong(cut(rule, LONGEST)))
        .right(head("count", words), |(_, broken)| Cell::count(broken.said.count))
        .right(head("penalties", words), |(_, broken)| Cell::count(broken.penalties))
        .right(head("penalty", words), |(_, broken)| match broken.penalties {
            0 => Cell::missing(),
            _ => Cell::number(quantity::signed(broken.penalty, 1), broken.penalty),
        })
        .left(head("first", words), |(_, broken)| Text::code(broken.said.first.to_string()));
    vec![table.block()]
}

/// How many rollouts passed each link, and how many of these were right.
pub(super) fn chain(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    if run.chain.is_empty() {
        return Vec::new();
    }
    let name = |id: &str| words.get(&format!("quality.link-{id}"));
    let counted = |count: Option<u64>| count.map_or_else(Cell::missing, Cell::count);
    let part = |at: usize| {
        move |link: &Link| match link.right_wrong {
            _ if is_end(link.id) => Cell::dash(),
            right_wrong => counted(right_wrong.map(|both| both[at])),
        }
    };
    let [right, wrong] = [part(0), part(1)];
    let table = Table::of_rows(&run.chain)
        .left(head("link", words), |link| Text::strong(name(link.id)))
        .right(head("count", words), |link| {
            match link.count.and_then(|count| QualityRate::new(count, run.rollouts)) {
                Some(rate) if link.id != "generated" => Cell::number(rated(rate), rate.share()),
                _ => counted(link.count),
            }
        })
        .right(head("right", words), right)
        .right(head("wrong", words), wrong);
    let bars = run.chain.iter().map(|link| Bar {
        name: name(link.id),
        value: link.count.map(|count| count as f64),
        shown: link.count.map_or_else(|| "?".to_owned(), quantity::count),
    });
    let group = BarGroup { name: String::new(), bars: bars.collect() };
    let title = words.get("quality.chain-chart");
    let mut blocks = vec![
        Block::chart(Chart::of_bars("chain", title, "", vec![group], words)),
        table.block(),
        Block::paragraph(words.get("quality.chain-note")),
    ];
    if run.chain.iter().any(|link| link.count.is_none()) {
        blocks.push(Block::paragraph(marked(&words.get("quality.chain-unknown"))));
    }
    if let Some(remark) = &run.remark {
        let text = Text::plain(contradiction(remark, words))
            .and_plain(words.get("punctuation.sentence-gap"))
            .and_plain(words.get("quality.first-place"))
            .and_code(remark.first.to_string());
        blocks.push(Block::paragraph(text));
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

pub(super) fn contradictions(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let item = |found: &Contradiction| Block::Callout {
        tone: Tone::Warning,
        title: Text::plain(contradiction(found, words)),
        body: vec![Text::plain(words.get("quality.first-place")).and_code(found.first.to_string())],
    };
    run.contradictions.iter().map(item).collect()
}

pub(super) fn warnings(run: &Quality<'_>, words: &Catalogue) -> Vec<Block> {
    let warnings = &run.tally.warnings;
    if warnings.total() == 0 {
        return Vec::new();
    }
    let [all, kinds] = [warnings.total(), warnings.kept.len() as u64].map(quantity::count);
    let summary = words.fill("quality.warnings-summary", &[("count", &all), ("kinds", &kinds)]);
    vec![Block::folded(summary, vec![signatures(warnings, words)])]
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
    let failing =
        run.advice.iter().filter(|one| one.judgement.outcome == ConditionTruth::Fails).count();
    if failing > 0 {
        let count = quantity::count(failing as u64);
        blocks.push(Block::paragraph(words.fill("quality.advice-fails", &[("count", &count)])));
    }
    if !run.tally.files.is_empty() && run.rollouts == 0 && run.tally.violations.is_empty() {
        blocks.push(Block::paragraph(marked(&words.get("quality.no-patterns"))));
        blocks.push(Block::Code { lang: "toml".to_owned(), text: PATTERNS.to_owned() });
    }
    let fields = ["cause", "option-a", "option-b", "decision"];
    let items = fields.map(|field| {
        Text::strong(words.get(&format!("quality.option-{field}")))
            .and_plain(words.get("punctuation.colon"))
            .and_plain(words.get("quality.to-be-filled"))
    });
    blocks.push(Block::paragraph(marked(&words.get("quality.options-note"))));
    blocks.push(Block::place("options", None, vec![Block::bullets(items.into())]));
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
    Text::marked(icon, "")
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
        let table = Table::of_rows(&run.tally.files)
            .left(head("log", words), |file| Text::code(&*file.path))
            .right(head("lines", words), |file| Cell::count(file.lines))
            .right(head("bytes", words), |file| Cell::count(file.bytes));
        blocks.push(table.block());
        blocks.push(Block::bullets(vec![
            marked(&words.get("quality.limits-patterns")),
            marked(&words.get("quality.limits-rollouts")),
            marked(&words.get("quality.limits-interval")),
        ]));
    }
    blocks
}
