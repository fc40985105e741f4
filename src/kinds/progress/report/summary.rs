//! The summary, and what a configuration could still declare.

use super::health;
use super::progress_wording::ProgressWording;
use crate::conditions::ConditionTruth;
use crate::kinds::progress::analysis::{MilestoneStage, ProgressMovement, mean};
use crate::quantity;
use crate::quantity::Unit;
use crate::report::block::{Block, Icon, Text};

pub(super) fn progress_section(wording: &ProgressWording<'_>) -> Vec<Block> {
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
        let count = |wanted: fn(ConditionTruth) -> bool| {
            progress.signals.iter().filter(|signal| wanted(signal.judgement.outcome)).count()
        };
        let facts = [
            ("fired", count(|outcome| outcome == ConditionTruth::Holds)),
            ("open", count(|outcome| matches!(outcome, ConditionTruth::Unsure { .. }))),
            ("unknown", count(|outcome| outcome == ConditionTruth::Unknown)),
            ("quiet", count(|outcome| outcome == ConditionTruth::Fails)),
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
    let lines = ["sum-why", "sum-next"];
    let lines = lines.map(|key| Text::plain(wording.fill(key, &[("open", &open)])));
    vec![Block::bullets(items), Block::place("why", None, vec![Block::bullets(lines.into())])]
}

/// How many shares and metrics went where.
fn movements(wording: &ProgressWording<'_>) -> String {
    let progress = wording.progress;
    let rates = progress.rates.iter().map(|rate| rate.movement);
    let metrics =
        progress.metrics.iter().filter(|metric| !metric.is_counter).map(|metric| metric.movement);
    let all: Vec<ProgressMovement> = rates.chain(metrics).collect();
    let count =
        |wanted: ProgressMovement| all.iter().filter(|movement| **movement == wanted).count();
    let untested =
        all.iter().filter(|movement| matches!(movement, ProgressMovement::Untested(_))).count();
    let facts = [
        ("improved", count(ProgressMovement::Improved)),
        ("worsened", count(ProgressMovement::Worsened)),
        ("changed", count(ProgressMovement::Changed)),
        ("same", count(ProgressMovement::NotSeparable)),
        ("unchanged", count(ProgressMovement::Unchanged)),
        ("untested", untested),
        ("all", all.len()),
    ];
    wording.fill("sum-movements", &facts)
}

fn milestones(wording: &ProgressWording<'_>) -> Option<Text> {
    let milestones = &wording.progress.milestones;
    if milestones.is_empty() {
        return None;
    }
    let count = |stage: MilestoneStage| {
        milestones.iter().filter(|milestone| milestone.stage == stage).count()
    };
    let facts = MilestoneStage::ALL.map(|stage| (stage.name(), count(stage)));
    Some(Text::marked(Icon::Running, wording.fill("sum-milestones", &facts)))
}

/// What `[progress]` could say and does not.
pub(super) fn undeclared(wording: &ProgressWording<'_>) -> Vec<Block> {
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
