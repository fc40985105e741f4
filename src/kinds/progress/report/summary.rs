//! The summary, and what a configuration could still declare.

use super::health;
use super::words::Wording;
use crate::conditions::Truth;
use crate::kinds::progress::analysis::{Movement, Stage, mean};
use crate::quantity;
use crate::quantity::Unit;
use crate::report::block::{Block, Icon, Text};

pub(super) fn section(wording: &Wording<'_>) -> Vec<Block> {
    let progress = wording.progress;
    let mut items = vec![Text::plain(movements(wording))];
    if let Some((mean, range)) = mean(&progress.scores) {
        let (word, icon) = health::status(&progress.scores, mean, range);
        let (mean, word) = (quantity::stars(mean), wording.get(&format!("grade.{word}")));
        let facts = [("mean", mean.as_str()), ("grade", word.as_str())];
        items.push(Text::marked(icon, wording.fill("sum-scores", &facts)));
    }
    if let Some(forecast) = progress.cost.as_ref().and_then(|cost| cost.forecast) {
        let [lo, hi] = forecast.range();
        let range = quantity::range(lo, hi, Unit::Dollars);
        items.push(Text::plain(wording.fill("sum-cost", &[("range", &range)])));
    }
    if !progress.signals.is_empty() {
        let count = |wanted: fn(Truth) -> bool| {
            progress.signals.iter().filter(|signal| wanted(signal.judgement.outcome)).count()
        };
        let facts = [
            ("fired", count(|outcome| outcome == Truth::Holds)),
            ("open", count(|outcome| matches!(outcome, Truth::Unsure { .. }))),
            ("unknown", count(|outcome| outcome == Truth::Unknown)),
            ("quiet", count(|outcome| outcome == Truth::Fails)),
        ];
        items.push(Text::plain(wording.fill("sum-signals", &facts)));
    }
    items.extend(milestones(wording));
    let ahead = progress.predictions.iter().map(|prediction| prediction.declared.step);
    let next = ahead.filter(|step| *step > progress.span.to).reduce(f64::min);
    if let Some(next) = next {
        items.push(Text::plain(wording.fill("sum-check", &[("step", &wording.step(next))])));
    }
    let open = wording.get("to-fill-in");
    items.push(Text::plain(wording.fill("sum-why", &[("open", &open)])));
    items.push(Text::plain(wording.fill("sum-next", &[("open", &open)])));
    vec![Block::bullets(items)]
}

/// How many shares and metrics went where.
fn movements(wording: &Wording<'_>) -> String {
    let progress = wording.progress;
    let rates = progress.rates.iter().map(|rate| rate.movement);
    let metrics =
        progress.metrics.iter().filter(|metric| !metric.is_counter).map(|metric| metric.movement);
    let all: Vec<Movement> = rates.chain(metrics).collect();
    let count = |wanted: Movement| all.iter().filter(|movement| **movement == wanted).count();
    let untested = all.iter().filter(|movement| matches!(movement, Movement::Untested(_))).count();
    let facts = [
        ("improved", count(Movement::Improved)),
        ("worsened", count(Movement::Worsened)),
        ("changed", count(Movement::Changed)),
        ("same", count(Movement::NotSeparable)),
        ("unchanged", count(Movement::Unchanged)),
        ("untested", untested),
        ("all", all.len()),
    ];
    wording.fill("sum-movements", &facts)
}

fn milestones(wording: &Wording<'_>) -> Option<Text> {
    let milestones = &wording.progress.milestones;
    if milestones.is_empty() {
        return None;
    }
    let count =
        |stage: Stage| milestones.iter().filter(|milestone| milestone.stage == stage).count();
    let facts = Stage::ALL.map(|stage| (stage.name(), count(stage)));
    Some(Text::marked(Icon::Running, wording.fill("sum-milestones", &facts)))
}

/// What `[progress]` could say and does not.
pub(super) fn undeclared(wording: &Wording<'_>) -> Vec<Block> {
    let progress = wording.progress;
    let declared = progress.declared;
    let all = [
        ("rates", declared.rates.is_empty()),
        ("cost", progress.cost.is_none()),
        ("planned_steps", progress.plan.is_none()),
        ("score", declared.score.is_empty()),
        ("prediction", declared.prediction.is_empty()),
        ("signal", declared.signal.is_empty()),
        ("milestone", declared.milestone.is_empty()),
        ("patterns", declared.patterns.is_none()),
    ];
    let missing: Vec<&str> =
        all.into_iter().filter(|(_, missing)| *missing).map(|(name, _)| name).collect();
    let mut blocks = Vec::new();
    if !missing.is_empty() {
        let names = missing.join(&wording.words.get("punctuation.comma"));
        blocks.push(Block::paragraph(wording.fill("undeclared", &[("names", &names)])));
    }
    if declared.rates.is_empty() && declared.score.is_empty() {
        blocks.push(Block::Code { lang: "toml".to_owned(), text: EXAMPLE.to_owned() });
    }
    blocks
}

/// The smallest configuration that shows every table.
const EXAMPLE: &str = "\
[progress]
planned_steps = 500
cumulative = [\"generations\", \"errors\", \"cost\"]
cost = \"cost\"
budget = [2.5, 5.0]

[progress.rates]
error_rate = { count = \"errors\", of = \"generations\", direction = \"lower\" }

[[progress.score]]
name = \"errors\"
stars = [[5, \"error_rate < 1%\"], [4, \"error_rate < 5%\"], [2, \"step >= 0\"]]

[[progress.signal]]
name = \"errors rise\"
when = \"change(error_rate) > 0\"

[[progress.milestone]]
name = \"finished\"
done = \"step >= 500\"";
