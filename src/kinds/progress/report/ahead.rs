//! Predictions, signals and milestones.

use super::words::Telling;
use crate::kinds::progress::analysis::declared::{Assumption, Pace};
use crate::kinds::progress::analysis::{Predicted, Stage, Watched};
use crate::quantity;
use crate::report::block::{Block, Cell, Icon, Text};
use crate::rules::Truth;

pub(super) fn predictions(telling: &Telling<'_>) -> Vec<Block> {
    let predictions = &telling.progress.predictions;
    let mut blocks = Vec::new();
    if !predictions.is_empty() {
        let heads = ["step", "metric", "assumption", "expected", "otherwise", "target"];
        let mut table = telling.table(&heads);
        for one in predictions {
            table.push(prediction(telling, one));
        }
        blocks.push(Block::Table { table });
        let level = telling.level();
        blocks.push(Block::paragraph(telling.fill("predictions-note", &[("level", &level)])));
    }
    blocks
}

fn prediction(telling: &Telling<'_>, one: &Predicted<'_>) -> Vec<Cell> {
    let declared = one.declared;
    let [expected, otherwise] = expected(telling, one);
    vec![
        Cell::number(telling.step(declared.step), declared.step),
        Cell::text(Text::strong(telling.name(&declared.metric))),
        Cell::text(assumption(telling, one)),
        expected,
        otherwise,
        Cell::text(target(telling, one)),
    ]
}

fn assumption(telling: &Telling<'_>, one: &Predicted<'_>) -> String {
    let declared = one.declared;
    let Ok(value) = one.value else {
        return telling.get(&format!("assume.{}", declared.assume.name()));
    };
    if value.is_recorded {
        return telling.get("assume.recorded");
    }
    let grows = matches!(declared.assume, Assumption::Recent | Assumption::Average);
    let suffix = match (value.counts.is_none() && grows, value.is_per_step) {
        (true, true) => "-step",
        (true, false) => "-growth",
        (false, _) => "",
    };
    let assumed = telling.get(&format!("assume.{}{suffix}", declared.assume.name()));
    let Some(pace) = value.pace else { return assumed };
    let of = match declared.pace {
        Pace::Recent => "pace-recent",
        Pace::Average => "pace-average",
    };
    assumed + &telling.fill(of, &[("pace", &quantity::amount(pace))])
}

/// What is expected, and what the interval of the rate leaves open.
fn expected(telling: &Telling<'_>, one: &Predicted<'_>) -> [Cell; 2] {
    let value = match one.value {
        Ok(value) => value,
        Err(why) => {
            let cell = Cell::absent(format!("? ({})", telling.why(why)));
            return [cell, Cell::missing()];
        }
    };
    let shown = match value.counts {
        Some([x, n]) => quantity::expected_share(x, n),
        None => super::words::value(value.value, value.unit),
    };
    let expected = if value.is_recorded {
        Text::plain(shown)
    } else {
        Text::icon(Icon::Forecast).and_plain(" ").and_plain(shown)
    };
    let range = value.range.map(|[lo, hi]| quantity::expected_share_range(lo, hi));
    let otherwise = range.map_or_else(|| Cell::text("–"), Cell::text);
    [Cell::number(expected, value.value), otherwise]
}

fn target(telling: &Telling<'_>, one: &Predicted<'_>) -> Text {
    let (Some(condition), Some(judgement)) = (&one.declared.target, &one.target) else {
        return Text::plain("–");
    };
    let (icon, word) = match judgement.outcome {
        Truth::Holds => (Icon::Good, "target-met"),
        Truth::Fails => (Icon::Bad, "target-missed"),
        Truth::Unsure { seen: true } => (Icon::Caution, "target-only-if"),
        Truth::Unsure { seen: false } => (Icon::Caution, "target-missed-unless"),
        Truth::Unknown => (Icon::Open, "target-unknown"),
    };
    let text = Text::code(condition.text()).and_plain(" ").and_icon(icon);
    text.and_plain(" ").and_plain(telling.get(word))
}

pub(super) fn signals(telling: &Telling<'_>) -> Vec<Block> {
    let signals = &telling.progress.signals;
    let mut blocks = Vec::new();
    if !signals.is_empty() {
        let heads = ["signal", "state", "reading", "cause", "response"];
        let mut table = telling.table(&heads);
        for signal in signals {
            table.push(signal_row(telling, signal));
        }
        blocks.push(Block::Table { table });
        blocks.push(Block::paragraph(telling.get("signals-note")));
    }
    blocks
}

fn signal_row(telling: &Telling<'_>, signal: &Watched<'_>) -> Vec<Cell> {
    let icon = match signal.judgement.outcome {
        Truth::Holds => Icon::Bad,
        Truth::Fails => Icon::Good,
        Truth::Unsure { seen: true } => Icon::Caution,
        Truth::Unsure { seen: false } | Truth::Unknown => Icon::Open,
    };
    let state = telling.get(&format!("state.{}", signal.state()));
    let reading = Text::code(signal.declared.when.text())
        .and_plain(telling.words.get("punctuation.colon"))
        .and_plain(telling.readings(&signal.judgement));
    let reading = telling.doubted(reading, signal.is_doubtful);
    let words = |label: &Option<crate::rules::Label>| {
        let text = label.as_ref().map(|label| telling.label(label).to_owned());
        text.unwrap_or_else(|| telling.get("to-fill-in"))
    };
    let is_seen = signal.judgement.outcome.seen() == Some(true);
    let told = |label| if is_seen { words(label) } else { "–".to_owned() };
    vec![
        Cell::text(Text::strong(telling.label(&signal.declared.name))),
        Cell::text(Text::icon(icon).and_plain(" ").and_plain(state)),
        Cell::text(reading),
        Cell::text(told(&signal.declared.cause)),
        Cell::text(told(&signal.declared.response)),
    ]
}

pub(super) fn milestones(telling: &Telling<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    for stage in Stage::ALL {
        let of_stage = telling.progress.milestones.iter().filter(|one| one.stage == stage);
        let items: Vec<(bool, Text)> = of_stage
            .map(|one| {
                let text = Text::plain(telling.label(&one.declared.name))
                    .and_plain(telling.words.get("punctuation.colon"))
                    .and_code(one.declared.done.text())
                    .and_plain(telling.words.get("punctuation.semicolon"))
                    .and_plain(telling.readings(&one.judgement));
                let text = match (stage, one.judgement.outcome) {
                    (Stage::Running, Truth::Unsure { seen: true }) => {
                        text.and_plain(telling.get("milestone-unsure"))
                    }
                    _ => text,
                };
                let text = telling.doubted(text, one.is_doubtful);
                (stage == Stage::Done, text)
            })
            .collect();
        if items.is_empty() {
            continue;
        }
        let icon = match stage {
            Stage::Done => Icon::Good,
            Stage::Running => Icon::Running,
            Stage::Waiting => Icon::Open,
            Stage::Unknown => Icon::Caution,
        };
        let heading = telling.get(&format!("stage.{}", stage.name()));
        blocks.push(Block::heading(Text::plain(heading).and_plain(" ").and_icon(icon)));
        blocks.push(Block::Checklist { items });
    }
    blocks
}
