//! The document of a choice among checkpoints.

use std::collections::BTreeMap;

use super::{chart, figure, judgement, step, steps, tell};
use crate::kinds::best::analysis::{AgainstBest, Choice, Evaluation, Figure, Loss, State};
use crate::quantity;
use crate::quantity::Unit;
use crate::report::block::{Align, Block, Cell, Icon, Table, Text};
use crate::report::chart::signs;
use crate::report::{FindingView, Part, finding};
use crate::text::Catalogue;

pub(in crate::kinds::best) struct Material<'a> {
    pub(super) choice: &'a Choice,
    pub(super) findings: &'a [FindingView],
    pub(super) words: &'a Catalogue,
}

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

pub(super) fn checkpoints(material: &Material<'_>) -> Vec<Block> {
    let Material { choice, words, .. } = *material;
    let level = quantity::level(choice.level);
    let head = |name: &str| tell(material, &format!("best.head-{name}"), &[("level", &level)]);
    let unit = choice.spec.unit;
    let judged = choice.figures.iter().zip(&choice.against).enumerate();
    let rows: Vec<(usize, &Figure, Option<&AgainstBest>)> =
        judged.map(|(position, (figure, against))| (position, figure, against.as_ref())).collect();
    let emphasised = |text: String, figure: &Figure| {
        if figure.step == choice.chosen().step { Text::strong(text) } else { Text::plain(text) }
    };
    let known = |against: Option<&AgainstBest>, cell: &dyn Fn(&AgainstBest) -> Cell| {
        against.map_or_else(Cell::default, cell)
    };
    let table = Table::of_rows(&rows)
        .right(head("step"), |(_, figure, _)| {
            Cell::number(emphasised(step(figure.step), figure), figure.step)
        })
        .right(choice.question.metric.as_str(), |(_, figure, _)| {
            let shown = |value| (emphasised(quantity::figure(value, unit), figure), value);
            Cell::known(figure.value.map(shown))
        })
        .right(head("interval"), |(_, figure, _)| {
            Cell::known(figure.ci.map(|[lo, hi]| (range(lo, hi, unit), lo)))
        })
        .optional()
        .right(head("n"), |(_, figure, _)| figure.n.map_or_else(Cell::missing, Cell::count))
        .optional()
        .right(head("difference"), |(_, figure, against)| {
            known(*against, &|against| Cell::known(difference(choice, figure, against, words)))
        })
        .right(head("difference-interval"), |(.., against)| {
            known(*against, &|against| {
                Cell::known(against.ci.map(|ci| (quantity::interval_text(ci.lo, ci.hi, 1), ci.lo)))
            })
        })
        .optional()
        .right(head("p"), |(.., against)| {
            known(*against, &|against| {
                Cell::known(against.p_adjusted.map(|p| (quantity::p_value_text(p), p)))
            })
        })
        .optional()
        .left(head("judged"), |(_, figure, against)| {
            words.get(judgement(choice, figure, *against))
        });
    let table = shown_loss(choice).into_iter().fold(table, |table, loss| {
        table
            .right(loss.metric.as_str(), |(position, ..)| {
                let value = loss.at.get(*position).copied().flatten();
                Cell::known(value.map(|value| (quantity::figure(value, Unit::default()), value)))
            })
            .optional()
    });
    let mut blocks = chart::blocks(choice, words);
    blocks.push(table.block());
    blocks
}

fn range(lo: f64, hi: f64, unit: Unit) -> String {
    let scale = unit.shown_scale();
    let places = quantity::decimals_for_interval(lo * scale, hi * scale).min(2);
    [lo, hi].map(|limit| quantity::figure_with_decimals(limit, places, unit)).join(" … ")
}

/// The loss, where it is known at some checkpoint.
fn shown_loss(choice: &Choice) -> Option<&Loss> {
    choice.loss.as_ref().filter(|loss| loss.lowest.is_some())
}

/// The difference to the best, with the number of pairs where not all samples have a partner.
fn difference(
    choice: &Choice,
    figure: &Figure,
    against: &AgainstBest,
    words: &Catalogue,
) -> Option<(String, f64)> {
    let delta = against.delta?;
    let operands = [choice.chosen().value, figure.value].map(Option::unwrap_or_default);
    let interval = against.ci.map(|ci| [ci.lo, ci.hi]);
    let text = quantity::difference_within(delta, operands, interval, choice.spec.unit);
    let pairs = against.paired.filter(|pairs| [figure.n, choice.chosen().n] != [Some(*pairs); 2]);
    let text = match pairs {
        Some(pairs) => {
            let args = [("delta", text.as_str()), ("count", &quantity::count(pairs))];
            words.fill("best.over-pairs", &args)
        }
        None => text,
    };
    Some((text, delta))
}

fn choice(material: &Material<'_>) -> Vec<Block> {
    let Material { choice, words, .. } = *material;
    let others = choice.figures.len() - 1;
    if others == 0 {
        return Vec::new();
    }
    let mut items = Vec::new();
    let ties: Vec<f64> = choice.ties().map(|tie| tie.step).collect();
    if !ties.is_empty() {
        items.push(words.fill("best.ties", &[("steps", &steps(&ties, words))]));
    } else if let Some(next) = choice.runner_up() {
        let args = [("step", step(next.step)), ("value", figure(choice, next.value))];
        items.push(tell(material, "best.runner-up", &args));
    }
    let same = choice.not_separable();
    if !same.is_empty() {
        let (shown, fair) = (steps(&same, words), choice.earliest_fair().step);
        let args = [("steps", shown.as_str()), ("earliest", &step(fair))];
        let is_best = fair == choice.chosen().step;
        let key = if is_best { "best.not-separable-first" } else { "best.not-separable" };
        items.push(tell(material, key, &args));
    } else if choice.unjudged().is_empty() && choice.left_out().is_empty() {
        items.push(words.get("best.all-apart"));
    }
    let unjudged = choice.unjudged();
    if !unjudged.is_empty() {
        items.push(words.fill("best.unjudged-steps", &[("steps", &steps(&unjudged, words))]));
    }
    for left_out in choice.figures.iter().filter(|figure| choice.is_left_out(figure)) {
        let n = left_out.n.map_or_else(|| "?".to_owned(), quantity::count);
        let args =
            [("step", step(left_out.step)), ("value", figure(choice, left_out.value)), ("n", n)];
        items.push(tell(material, "best.fragment", &args));
    }
    if choice.chosen().is_fragment {
        items.push(words.get("best.only-fragments"));
    }
    items.push(curse(choice, words));
    let pairs = choice.against.iter().flatten();
    let paired = pairs.clone().filter(|against| against.paired.is_some()).count();
    let judged = pairs.filter(|against| against.p.is_some()).count();
    if judged > 0 {
        let key = match paired {
            0 => "best.unpaired",
            some if some < judged => "best.mixed",
            _ => "best.paired",
        };
        items.push(words.get(key));
        let alpha = quantity::figure(1.0 - choice.level, Unit::Plain);
        items.push(words.fill("best.method", &[("count", &judged.to_string()), ("alpha", &alpha)]));
    }
    vec![Block::bullets(items.into_iter().map(Text::plain).collect())]
}

fn curse(choice: &Choice, words: &Catalogue) -> String {
    let Some(optimism) = choice.optimism else {
        let m = choice.candidates();
        let key = if m < 2 { "best.curse-none" } else { "best.curse-words" };
        return words.fill(key, &[("m", m)]);
    };
    let key = match (optimism.drawn, optimism.is_equal) {
        (true, _) => "best.curse-drawn",
        (false, true) => "best.curse-most",
        (false, false) => "best.curse-most-unequal",
    };
    let suffix = choice.spec.unit.difference_suffix();
    let amount = format!("{}{suffix}", quantity::fixed(optimism.amount, 1));
    let m = optimism.checkpoints.to_string();
    words.fill(key, &[("m", &m), ("amount", &amount), ("n", &quantity::count(optimism.n))])
}

/// Where the loss is lowest, and what the metric does there.
fn loss_words(material: &Material<'_>, loss: &Loss) -> Vec<String> {
    let Material { choice, words, .. } = *material;
    let at = |position: usize| {
        choice.figures.get(position).map_or_else(String::new, |figure| step(figure.step))
    };
    let metric = choice.question.metric.as_str();
    let names = [("loss", loss.metric.as_str()), ("metric", metric)];
    let lower = loss.lower.map(|(at, value)| (step(at), quantity::figure(value, Unit::default())));
    let lower = |key: &str| {
        lower.as_ref().map(|(at, value)| {
            let args = [names[0], names[1], ("step", at.as_str()), ("value", value.as_str())];
            tell(material, key, &args)
        })
    };
    let Some(position) = loss.lowest else {
        return lower("best.loss-nowhere").into_iter().collect();
    };
    let (lowest, best) = (at(position), at(choice.best));
    let args = [names[0], names[1], ("lowest", lowest.as_str()), ("best", best.as_str())];
    let same = position == choice.best;
    let key = if same { "best.loss-lowest-same" } else { "best.loss-lowest-other" };
    let mut items = vec![tell(material, key, &args)];
    if !loss.as_low.is_empty() {
        let others: Vec<f64> = loss
            .as_low
            .iter()
            .filter_map(|at| choice.figures.get(*at))
            .map(|figure| figure.step)
            .collect();
        let args = [args[0], args[2], ("steps", &steps(&others, words))];
        items.push(tell(material, "best.loss-as-low", &args));
    }
    items.extend(lower("best.loss-lower"));
    match loss.parting {
        Some(parting) => {
            let (from, to) = (at(parting.from), at(parting.to));
            let args = [args[0], args[1], ("from", from.as_str()), ("to", to.as_str())];
            items.push(tell(material, "best.loss-parting", &args));
        }
        None => items.push(tell(material, "best.loss-no-parting", &args)),
    }
    let judged = choice.against.get(position).and_then(Option::as_ref);
    let tie =
        choice.figures.get(position).is_some_and(|figure| figure.value == choice.chosen().value);
    if let Some(against) = judged.filter(|_| !tie) {
        let key = match against.separable {
            Some(true) => "best.loss-signal",
            Some(false) => "best.loss-noise",
            None => "best.loss-unjudged",
        };
        items.push(tell(material, key, &args));
    }
    items
}

fn loss(material: &Material<'_>) -> Vec<Block> {
    let Material { choice, words, .. } = *material;
    let Some(loss) = &choice.loss else { return Vec::new() };
    let items = loss_words(material, loss);
    let bullets = Block::bullets(items.into_iter().map(Text::plain).collect());
    if loss.lowest.is_none() {
        return vec![bullets];
    }
    let metric = choice.question.metric.as_str();
    let values: Vec<Option<f64>> = choice.figures.iter().map(|figure| figure.value).collect();
    let line = |name: &str, values: &[Option<f64>], unit| {
        let known = values.iter().flatten().copied();
        let (lo, hi) =
            (known.clone().fold(f64::INFINITY, f64::min), known.fold(f64::NEG_INFINITY, f64::max));
        let (lo, hi) = (quantity::figure(lo, unit), quantity::figure(hi, unit));
        let scale = words.fill("best.scale", &[("name", name), ("from", &lo), ("to", &hi)]);
        format!("{}  {scale}", signs::sparkline(values))
    };
    let lines =
        [line(&loss.metric, &loss.at, Unit::default()), line(metric, &values, choice.spec.unit)];
    vec![Block::Code { lang: String::new(), text: lines.join("\n") }, bullets]
}

/// The most steps of a plan that are shown.
const MOST_STEPS: usize = 12;

/// The steps of the plan that are shown, and how many are not: those where something is wrong come
/// first, then the earliest of the others.
fn shown_steps(choice: &Choice) -> (Vec<u64>, usize) {
    let mut at_steps: BTreeMap<u64, Vec<State>> = BTreeMap::new();
    for evaluation in &choice.coverage {
        at_steps.entry(evaluation.step).or_default().push(evaluation.state);
    }
    let all = at_steps.len();
    if all <= MOST_STEPS {
        return (at_steps.into_keys().collect(), 0);
    }
    let rank = |states: &[State]| {
        if states.contains(&State::OtherSize) {
            0
        } else if states.contains(&State::Done) {
            // A step at which something was evaluated tells more than one that nobody saw.
            u8::from(!states.contains(&State::Missing))
        } else if states.contains(&State::Missing) {
            2
        } else {
            3
        }
    };
    let mut ranked: Vec<(u8, u64)> =
        at_steps.iter().map(|(step, states)| (rank(states), *step)).collect();
    ranked.sort_unstable();
    let mut shown: Vec<u64> = ranked.iter().take(MOST_STEPS).map(|(_, step)| *step).collect();
    shown.sort_unstable();
    (shown, all - MOST_STEPS)
}

fn coverage(material: &Material<'_>) -> Vec<Block> {
    let Material { choice, words, .. } = *material;
    if choice.coverage.is_empty() {
        return Vec::new();
    }
    let (columns, hidden) = shown_steps(choice);
    let mut rows: Vec<(&str, &str)> = Vec::new();
    for evaluation in &choice.coverage {
        if !rows.contains(&(&evaluation.tier, &evaluation.dataset)) {
            rows.push((&evaluation.tier, &evaluation.dataset));
        }
    }
    rows.sort_by_key(|row| choice.coverage.iter().position(|evaluation| evaluation.tier == row.0));
    let table = Table::of_rows(&rows)
        .left(words.get("best.head-tier"), |(tier, _)| Text::strong(*tier))
        .left(words.get("best.head-dataset"), |(_, dataset)| Text::code(*dataset));
    let table = columns.iter().fold(table, |table, step| {
        table.column(step.to_string(), Align::Center, |(tier, dataset)| {
            let evaluation = choice.coverage.iter().find(|evaluation| {
                (evaluation.tier.as_str(), evaluation.dataset.as_str(), &evaluation.step)
                    == (*tier, *dataset, step)
            });
            evaluation.map_or_else(Text::empty, |evaluation| state(evaluation, words))
        })
    });
    let reached = choice.reached.map_or_else(
        || words.get("best.unreached"),
        |at| tell(material, "best.reached", &[("step", &step(at))]),
    );
    let mut blocks = vec![
        table.block(),
        Block::Code { lang: String::new(), text: timeline(material, &columns) },
    ];
    if hidden > 0 {
        blocks.push(Block::paragraph(tell(material, "best.hidden", &[("count", hidden)])));
    }
    blocks.push(Block::paragraph(reached));
    blocks
}

fn state(evaluation: &Evaluation, words: &Catalogue) -> Text {
    let text = Text::icon(sign(evaluation.state));
    match (evaluation.state, evaluation.n, evaluation.planned) {
        (State::OtherSize, Some(n), Some(planned)) => {
            text.and_plain(format!(" {}/{}", quantity::count(n), quantity::count(planned)))
        }
        (State::Done, ..) => text,
        _ => text.and_plain(format!(
            " {}",
            words.get(&format!("best.state.{}", evaluation.state.name()))
        )),
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
fn timeline(material: &Material<'_>, columns: &[u64]) -> String {
    let Material { choice, words, .. } = *material;
    let width = columns.iter().map(|step| step.to_string().len()).max().unwrap_or_default();
    let line = |at: &u64| {
        let due = choice.coverage.iter().filter(|evaluation| evaluation.step == *at);
        let ahead = due.clone().all(|evaluation| evaluation.state == State::NotReached);
        let mut tiers: Vec<(&str, Vec<String>)> = Vec::new();
        for evaluation in due {
            let text = due_text(evaluation, !ahead, words);
            match tiers.iter_mut().find(|(tier, _)| *tier == evaluation.tier) {
                Some((_, list)) => list.push(text),
                None => tiers.push((&evaluation.tier, vec![text])),
            }
        }
        let tiers = tiers.iter().map(|(tier, list)| format!("{tier}: {}", list.join(" + ")));
        let step = tell(material, "best.line", &[("step", &format!("{at:<width$}"))]);
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
fn due_text(evaluation: &Evaluation, marked: bool, words: &Catalogue) -> String {
    let size = evaluation.planned.or(evaluation.n).map(|n| format!("({n})")).unwrap_or_default();
    if evaluation.state == State::Done || !marked {
        return format!("{}{size}", evaluation.dataset);
    }
    let [n, planned] = [evaluation.n, evaluation.planned]
        .map(|count| count.map_or_else(|| "?".to_owned(), quantity::count));
    let key = format!("best.state.{}", evaluation.state.name());
    let state = words.fill(&key, &[("n", &n), ("planned", &planned)]);
    format!("{}{size} [{state}]", evaluation.dataset)
}
