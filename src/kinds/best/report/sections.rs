//! The document of a choice among checkpoints.

use super::{figure, step, steps};
use crate::kinds::best::analysis::{Against, Evaluation, Figure, Found, Loss, State};
use crate::quantity;
use crate::quantity::Unit;
use crate::report::block::{Align, Block, Cell, Icon, Table, Text};
use crate::report::{FindingView, Part, chart, finding};
use crate::text::Catalogue;

/// What the parts are made from.
pub(in crate::kinds::best) struct Material<'a> {
    pub(super) found: &'a Found,
    pub(super) findings: &'a [FindingView],
    pub(super) words: &'a Catalogue,
}

/// The content of a part.
pub(in crate::kinds::best) type Blocks = fn(&Material<'_>) -> Vec<Block>;

pub(in crate::kinds::best) static PARTS: &[Part<Blocks>] = &[
    Part { id: "checkpoints", title: "best.section-checkpoints", blocks: checkpoints },
    Part { id: "choice", title: "best.section-choice", blocks: choice },
    Part { id: "loss", title: "best.section-loss", blocks: loss },
    Part { id: "coverage", title: "best.section-coverage", blocks: coverage },
    Part {
        id: "diagnostics",
        title: "section.diagnostics",
        blocks: |material| finding::blocks(material.findings, material.words),
    },
];

fn checkpoints(&Material { found, words, .. }: &Material<'_>) -> Vec<Block> {
    let level = quantity::level(found.level);
    let head = |name: &str| words.fill(&format!("best.head-{name}"), &[("level", &level)]);
    let mut heads =
        vec![(head("step"), Align::Right), (found.question.metric.clone(), Align::Right)];
    for name in ["interval", "n", "difference", "difference-interval", "p"] {
        heads.push((head(name), Align::Right));
    }
    heads.push((head("judged"), Align::Left));
    if let Some(loss) = shown_loss(found) {
        heads.push((loss.metric.clone(), Align::Right));
    }
    let mut table = Table::with_heads(heads);
    for at in 0..found.figures.len() {
        table.push(row(found, at, words));
    }
    vec![Block::Table { table }]
}

/// The loss, where it is known at some checkpoint.
fn shown_loss(found: &Found) -> Option<&Loss> {
    found.loss.as_ref().filter(|loss| loss.lowest.is_some())
}

fn row(found: &Found, at: usize, words: &Catalogue) -> Vec<Cell> {
    let (Some(one), Some(against)) = (found.figures.get(at), found.against.get(at)) else {
        return Vec::new();
    };
    let is_best = at == found.best;
    let unit = found.spec.unit;
    let scale = unit.shown_scale();
    let shown = step(one.step);
    let shown = if is_best { Text::strong(shown) } else { Text::plain(shown) };
    let value = one.value.map(|value| (quantity::figure(value, unit), value));
    let value = match value {
        Some((text, value)) if is_best => Cell::number(Text::strong(text), value),
        value => Cell::known(value),
    };
    let ci = one.ci.map(|[lo, hi]| {
        let places = quantity::decimals_for_interval(lo * scale, hi * scale).min(2);
        let limits = [lo, hi].map(|at| quantity::figure_with_decimals(at, places, unit));
        (limits.join(" … "), lo)
    });
    let mut cells = vec![
        Cell::number(shown, one.step),
        value,
        Cell::known(ci),
        Cell::known(one.n.map(|n| (quantity::count(n), n as f64))),
    ];
    match against {
        None => cells.extend([
            Cell::default(),
            Cell::default(),
            Cell::default(),
            Cell::text(words.get("best.best")),
        ]),
        Some(against) => cells.extend(compared(found, one, against, words)),
    }
    if let Some(loss) = shown_loss(found) {
        let value = loss.at.get(at).copied().flatten();
        cells.push(Cell::known(
            value.map(|value| (quantity::figure(value, Unit::default()), value)),
        ));
    }
    cells
}

/// What a checkpoint's row says of its difference to the best.
fn compared(found: &Found, one: &Figure, against: &Against, words: &Catalogue) -> Vec<Cell> {
    let unit = found.spec.unit;
    let operands = [found.chosen().value, one.value].map(Option::unwrap_or_default);
    let pairs = against.paired.filter(|pairs| [one.n, found.chosen().n] != [Some(*pairs); 2]);
    let delta = against.delta.map(|delta| {
        let text = quantity::difference(delta, operands, unit);
        let text = match pairs {
            Some(pairs) => {
                let args = [("delta", text.as_str()), ("count", &quantity::count(pairs))];
                words.fill("best.over-pairs", &args)
            }
            None => text,
        };
        (text, delta)
    });
    let limits = against.ci.map(|ci| (quantity::interval(ci.lo, ci.hi, 1), ci.lo));
    let p = against.p_adjusted.map(|p| (quantity::p_value(p), p));
    let tie = found.ties().any(|tie| tie.step == one.step);
    let key = match against.separable {
        _ if found.is_left_out(one) => "best.left-out",
        _ if tie => "best.tie",
        Some(true) => "best.apart",
        Some(false) if against.alone() => "best.only-alone",
        Some(false) => "best.not-apart",
        None => "best.not-judged",
    };
    vec![Cell::known(delta), Cell::known(limits), Cell::known(p), Cell::text(words.get(key))]
}

fn choice(&Material { found, words, .. }: &Material<'_>) -> Vec<Block> {
    let others = found.figures.len() - 1;
    if others == 0 {
        return Vec::new();
    }
    let mut items = Vec::new();
    let ties: Vec<f64> = found.ties().map(|one| one.step).collect();
    if !ties.is_empty() {
        items.push(words.fill("best.ties", &[("steps", &steps(&ties, words))]));
    } else if let Some(next) = found.runner_up() {
        let args = [("step", step(next.step)), ("value", figure(found, next.value))];
        items.push(words.fill("best.runner-up", &args));
    }
    let same = found.not_separable();
    if !same.is_empty() {
        let (shown, fair) = (steps(&same, words), found.earliest_fair().step);
        let args = [("steps", shown.as_str()), ("earliest", &step(fair))];
        let is_best = fair == found.chosen().step;
        let key = if is_best { "best.not-separable-first" } else { "best.not-separable" };
        items.push(words.fill(key, &args));
    } else if found.unjudged().is_empty() && found.left_out().is_empty() {
        items.push(words.get("best.all-apart"));
    }
    let unjudged = found.unjudged();
    if !unjudged.is_empty() {
        items.push(words.fill("best.unjudged-steps", &[("steps", &steps(&unjudged, words))]));
    }
    for one in found.figures.iter().filter(|one| found.is_left_out(one)) {
        let n = one.n.map_or_else(|| "?".to_owned(), quantity::count);
        let args = [("step", step(one.step)), ("value", figure(found, one.value)), ("n", n)];
        items.push(words.fill("best.fragment", &args));
    }
    if found.chosen().is_fragment {
        items.push(words.get("best.only-fragments"));
    }
    items.push(curse(found, words));
    let pairs = found.against.iter().flatten();
    let paired = pairs.clone().filter(|one| one.paired.is_some()).count();
    let judged = pairs.filter(|one| one.p.is_some()).count();
    if judged > 0 {
        let key = match paired {
            0 => "best.unpaired",
            some if some < judged => "best.mixed",
            _ => "best.paired",
        };
        items.push(words.get(key));
        let alpha = quantity::figure(1.0 - found.level, Unit::Plain);
        items.push(words.fill("best.method", &[("count", &judged.to_string()), ("alpha", &alpha)]));
    }
    vec![Block::bullets(items.into_iter().map(Text::plain).collect())]
}

fn curse(found: &Found, words: &Catalogue) -> String {
    let Some(one) = found.optimism else {
        let m = found.candidates();
        let key = if m < 2 { "best.curse-none" } else { "best.curse-words" };
        return words.fill(key, &[("m", m)]);
    };
    let key = match (one.drawn, one.is_equal) {
        (true, _) => "best.curse-drawn",
        (false, true) => "best.curse-most",
        (false, false) => "best.curse-most-unequal",
    };
    let suffix = found.spec.unit.difference_suffix();
    let amount = format!("{}{suffix}", quantity::fixed(one.amount, 1));
    let m = one.checkpoints.to_string();
    words.fill(key, &[("m", &m), ("amount", &amount), ("n", &quantity::count(one.n))])
}

/// Where the loss is lowest, and what the metric does there.
fn loss_words(found: &Found, loss: &Loss, words: &Catalogue) -> Vec<String> {
    let at = |position: usize| {
        found.figures.get(position).map_or_else(String::new, |one| step(one.step))
    };
    let metric = found.question.metric.as_str();
    let names = [("loss", loss.metric.as_str()), ("metric", metric)];
    let lower = loss.lower.map(|(at, value)| (step(at), quantity::figure(value, Unit::default())));
    let lower = |key: &str| {
        lower.as_ref().map(|(at, value)| {
            let args = [names[0], names[1], ("step", at.as_str()), ("value", value.as_str())];
            words.fill(key, &args)
        })
    };
    let Some(position) = loss.lowest else {
        return lower("best.loss-nowhere").into_iter().collect();
    };
    let (lowest, best) = (at(position), at(found.best));
    let args = [names[0], names[1], ("lowest", lowest.as_str()), ("best", best.as_str())];
    let same = position == found.best;
    let key = if same { "best.loss-lowest-same" } else { "best.loss-lowest-other" };
    let mut items = vec![words.fill(key, &args)];
    if !loss.as_low.is_empty() {
        let others: Vec<f64> = loss
            .as_low
            .iter()
            .filter_map(|at| found.figures.get(*at))
            .map(|one| one.step)
            .collect();
        let args = [args[0], args[2], ("steps", &steps(&others, words))];
        items.push(words.fill("best.loss-as-low", &args));
    }
    items.extend(lower("best.loss-lower"));
    match loss.parting {
        Some(parting) => {
            let (from, to) = (at(parting.from), at(parting.to));
            let args = [args[0], args[1], ("from", from.as_str()), ("to", to.as_str())];
            items.push(words.fill("best.loss-parting", &args));
        }
        None => items.push(words.fill("best.loss-no-parting", &args)),
    }
    let judged = found.against.get(position).and_then(Option::as_ref);
    let tie = found.figures.get(position).is_some_and(|one| one.value == found.chosen().value);
    if let Some(against) = judged.filter(|_| !tie) {
        let key = match against.separable {
            Some(true) => "best.loss-signal",
            Some(false) => "best.loss-noise",
            None => "best.loss-unjudged",
        };
        items.push(words.fill(key, &args));
    }
    items
}

fn loss(&Material { found, words, .. }: &Material<'_>) -> Vec<Block> {
    let Some(loss) = &found.loss else { return Vec::new() };
    let items = loss_words(found, loss, words);
    let bullets = Block::bullets(items.into_iter().map(Text::plain).collect());
    if loss.lowest.is_none() {
        return vec![bullets];
    }
    let metric = found.question.metric.as_str();
    let values: Vec<Option<f64>> = found.figures.iter().map(|one| one.value).collect();
    let line = |name: &str, values: &[Option<f64>], unit| {
        let known = values.iter().flatten().copied();
        let (lo, hi) =
            (known.clone().fold(f64::INFINITY, f64::min), known.fold(f64::NEG_INFINITY, f64::max));
        let (lo, hi) = (quantity::figure(lo, unit), quantity::figure(hi, unit));
        let scale = words.fill("best.scale", &[("name", name), ("from", &lo), ("to", &hi)]);
        format!("{}  {scale}", chart::sparkline(values))
    };
    let lines =
        [line(&loss.metric, &loss.at, Unit::default()), line(metric, &values, found.spec.unit)];
    vec![Block::Code { lang: String::new(), text: lines.join("\n") }, bullets]
}

/// The most steps of a plan that are shown.
const MOST_STEPS: usize = 12;

/// The steps of the plan that are shown, and how many are not: those where something is wrong come
/// first, then the earliest of the others.
fn shown_steps(found: &Found) -> (Vec<u64>, usize) {
    let mut columns: Vec<u64> = found.coverage.iter().map(|one| one.step).collect();
    columns.sort_unstable();
    columns.dedup();
    let all = columns.len();
    if all <= MOST_STEPS {
        return (columns, 0);
    }
    let rank = |step: &u64| {
        let at = found.coverage.iter().filter(|one| one.step == *step);
        let states: Vec<State> = at.map(|one| one.state).collect();
        match states.as_slice() {
            states if states.contains(&State::OtherSize) => 0,
            // A step at which something was evaluated tells more than one that nobody saw.
            states if states.contains(&State::Done) && states.contains(&State::Missing) => 0,
            states if states.contains(&State::Done) => 1,
            states if states.contains(&State::Missing) => 2,
            _ => 3,
        }
    };
    let mut ranked: Vec<(u8, u64)> = columns.iter().map(|step| (rank(step), *step)).collect();
    ranked.sort_unstable();
    let mut shown: Vec<u64> = ranked.iter().take(MOST_STEPS).map(|(_, step)| *step).collect();
    shown.sort_unstable();
    (shown, all - MOST_STEPS)
}

fn coverage(&Material { found, words, .. }: &Material<'_>) -> Vec<Block> {
    if found.coverage.is_empty() {
        return Vec::new();
    }
    let (columns, hidden) = shown_steps(found);
    let mut heads = vec![
        (words.get("best.head-tier"), Align::Left),
        (words.get("best.head-dataset"), Align::Left),
    ];
    heads.extend(columns.iter().map(|step| (step.to_string(), Align::Center)));
    let mut table = Table::with_heads(heads);
    let mut rows: Vec<(&str, &str)> = Vec::new();
    for one in &found.coverage {
        if !rows.contains(&(&one.tier, &one.dataset)) {
            rows.push((&one.tier, &one.dataset));
        }
    }
    rows.sort_by_key(|row| found.coverage.iter().position(|one| one.tier == row.0));
    for (tier, dataset) in rows {
        let mut cells = vec![Cell::text(Text::strong(tier)), Cell::text(Text::code(dataset))];
        for at in &columns {
            let one = found
                .coverage
                .iter()
                .find(|one| one.tier == tier && one.dataset == dataset && one.step == *at);
            cells.push(one.map_or_else(Cell::default, |one| Cell::text(state(one, words))));
        }
        table.push(cells);
    }
    let reached = found.reached.map_or_else(
        || words.get("best.unreached"),
        |at| words.fill("best.reached", &[("step", &step(at))]),
    );
    let mut blocks = vec![
        Block::Table { table },
        Block::Code { lang: String::new(), text: timeline(found, &columns, words) },
    ];
    if hidden > 0 {
        let args = [("count", hidden.to_string())];
        blocks.push(Block::paragraph(words.fill("best.hidden", &[(args[0].0, &args[0].1)])));
    }
    blocks.push(Block::paragraph(reached));
    blocks
}

fn state(one: &Evaluation, words: &Catalogue) -> Text {
    let text = Text::icon(sign(one.state));
    match (one.state, one.n, one.planned) {
        (State::OtherSize, Some(n), Some(planned)) => {
            text.and_plain(format!(" {}/{}", quantity::count(n), quantity::count(planned)))
        }
        (State::Done, ..) => text,
        _ => text.and_plain(format!(" {}", words.get(&format!("best.state.{}", one.state.name())))),
    }
}

fn sign(state: State) -> Icon {
    match state {
        State::Done => Icon::Good,
        State::Missing => Icon::Bad,
        State::NotReached => Icon::Open,
        State::OtherSize => Icon::Caution,
    }
}

/// One line for each step: what is due, and what became of it.
fn timeline(found: &Found, columns: &[u64], words: &Catalogue) -> String {
    let width = columns.iter().map(|step| step.to_string().len()).max().unwrap_or_default();
    let line = |at: &u64| {
        let due = found.coverage.iter().filter(|one| one.step == *at);
        let ahead = due.clone().all(|one| one.state == State::NotReached);
        let mut tiers: Vec<(&str, Vec<String>)> = Vec::new();
        for one in due {
            let text = due_text(one, !ahead, words);
            match tiers.iter_mut().find(|(tier, _)| *tier == one.tier) {
                Some((_, list)) => list.push(text),
                None => tiers.push((&one.tier, vec![text])),
            }
        }
        let tiers = tiers.iter().map(|(tier, list)| format!("{tier}: {}", list.join(" + ")));
        let step = words.fill("best.line", &[("step", &format!("{at:<width$}"))]);
        let ahead = if ahead {
            format!("  [{}]", words.get("best.state.not-reached"))
        } else {
            String::new()
        };
        format!("{step}  {}{ahead}", tiers.collect::<Vec<_>>().join(" | "))
    };
    columns.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// `mbpp_reg(200)`, and what is wrong with it.
fn due_text(one: &Evaluation, marked: bool, words: &Catalogue) -> String {
    let size = one.planned.or(one.n).map(|n| format!("({n})")).unwrap_or_default();
    if one.state == State::Done || !marked {
        return format!("{}{size}", one.dataset);
    }
    let [n, planned] =
        [one.n, one.planned].map(|count| count.map_or_else(|| "?".to_owned(), quantity::count));
    let key = format!("best.state.{}", one.state.name());
    let state = words.fill(&key, &[("n", &n), ("planned", &planned)]);
    format!("{}{size} [{state}]", one.dataset)
}
