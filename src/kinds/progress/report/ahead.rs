//! Predictions, signals and milestones.

use super::words::Telling;
use crate::kinds::progress::analysis::declared::{Assumption, Pace};
use crate::kinds::progress::analysis::{Predicted, Stage, Watched};
use crate::quantity;
use crate::report::block::{Block, Cell, Icon, Table, Text};
use crate::rules::{Label, Truth};

pub(super) fn predictions(telling: &Telling<'_>) -> Vec<Block> {
    let predictions = &telling.progress.predictions;
    if predictions.is_empty() {
        return Vec::new();
    }
    let head = |name: &str| telling.get(&format!("head.{name}"));
    let table = Table::of_rows(predictions)
        .left(head("step"), |predicted| {
            Cell::number(telling.step(predicted.declared.step), predicted.declared.step)
        })
        .left(head("metric"), |predicted| Text::strong(telling.name(&predicted.declared.metric)))
        .left(head("assumption"), |predicted| assumption(telling, predicted))
        .left(head("expected"), |predicted| expected(telling, predicted))
        .left(head("otherwise"), otherwise)
        .left(head("target"), |predicted| target(telling, predicted));
    let note = telling.fill("predictions-note", &[("level", &telling.level())]);
    vec![table.block(), Block::paragraph(note)]
}

fn assumption(telling: &Telling<'_>, predicted: &Predicted<'_>) -> String {
    let declared = predicted.declared;
    let Ok(value) = predicted.value else {
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
    let key = match declared.pace {
        Pace::Recent => "pace-recent",
        Pace::Average => "pace-average",
    };
    assumed + &telling.fill(key, &[("pace", &quantity::amount(pace))])
}

fn expected(telling: &Telling<'_>, predicted: &Predicted<'_>) -> Cell {
    let value = match predicted.value {
        Ok(value) => value,
        Err(why) => return Cell::absent(format!("? ({})", telling.why(why))),
    };
    let shown = match value.counts {
        Some([x, n]) => quantity::expected_share(x, n),
        None => super::words::value(value.value, value.unit),
    };
    let expected =
        if value.is_recorded { Text::plain(shown) } else { Text::marked(Icon::Forecast, shown) };
    Cell::number(expected, value.value)
}

/// What the interval of the rate leaves open.
fn otherwise(predicted: &Predicted<'_>) -> Cell {
    let Ok(value) = predicted.value else { return Cell::missing() };
    let range = value.range.map(|[lo, hi]| quantity::expected_share_range(lo, hi));
    range.map_or_else(|| Cell::text("–"), Cell::text)
}

fn target(telling: &Telling<'_>, predicted: &Predicted<'_>) -> Text {
    let (Some(condition), Some(judgement)) = (&predicted.declared.target, &predicted.target) else {
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
    text.and_plain(format!(" {}", telling.get(word)))
}

pub(super) fn signals(telling: &Telling<'_>) -> Vec<Block> {
    let signals = &telling.progress.signals;
    if signals.is_empty() {
        return Vec::new();
    }
    let head = |name: &str| telling.get(&format!("head.{name}"));
    let table = Table::of_rows(signals)
        .left(head("signal"), |signal| Text::strong(telling.label(&signal.declared.name)))
        .left(head("state"), |signal| state(telling, signal))
        .left(head("reading"), |signal| {
            let reading = telling.judged(&signal.declared.when, &signal.judgement);
            telling.doubted(reading, signal.is_doubtful)
        })
        .left(head("cause"), |signal| if_fired(telling, signal, signal.declared.cause.as_ref()))
        .left(head("response"), |signal| {
            if_fired(telling, signal, signal.declared.response.as_ref())
        });
    vec![table.block(), Block::paragraph(telling.get("signals-note"))]
}

fn state(telling: &Telling<'_>, signal: &Watched<'_>) -> Text {
    let icon = match signal.judgement.outcome {
        Truth::Holds => Icon::Bad,
        Truth::Fails => Icon::Good,
        Truth::Unsure { seen: true } => Icon::Caution,
        Truth::Unsure { seen: false } | Truth::Unknown => Icon::Open,
    };
    Text::marked(icon, telling.get(&format!("state.{}", signal.state())))
}

/// Words that are shown where a signal fired.
fn if_fired(telling: &Telling<'_>, signal: &Watched<'_>, label: Option<&Label>) -> String {
    match label {
        _ if signal.judgement.outcome.seen() != Some(true) => "–".to_owned(),
        Some(label) => telling.label(label).to_owned(),
        None => telling.get("to-fill-in"),
    }
}

pub(super) fn milestones(telling: &Telling<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    for stage in Stage::ALL {
        let milestones = telling.progress.milestones.iter();
        let items: Vec<(bool, Text)> = milestones
            .filter(|milestone| milestone.stage == stage)
            .map(|milestone| {
                let mut text = Text::plain(telling.label(&milestone.declared.name))
                    .and_plain(telling.words.get("punctuation.colon"))
                    .and_code(milestone.declared.done.text())
                    .and_plain(telling.words.get("punctuation.semicolon"))
                    .and_plain(telling.readings(&milestone.judgement));
                let is_unsure = milestone.judgement.outcome == Truth::Unsure { seen: true };
                if stage == Stage::Running && is_unsure {
                    text = text.and_plain(telling.get("milestone-unsure"));
                }
                (stage == Stage::Done, telling.doubted(text, milestone.is_doubtful))
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
