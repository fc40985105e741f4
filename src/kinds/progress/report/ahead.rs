//! Predictions, signals and milestones.

use super::progress_wording::ProgressWording;
use crate::conditions::{ConditionLabel, ConditionTruth};
use crate::kinds::progress::analysis::declared::{AssumedPace, ProgressAssumption};
use crate::kinds::progress::analysis::{MilestoneStage, Predicted, Watched};
use crate::quantity;
use crate::report::block::{Block, Cell, Icon, Table, Text};

pub(super) fn predictions(wording: &ProgressWording<'_>) -> Vec<Block> {
    let predictions = &wording.progress.predictions;
    if predictions.is_empty() {
        return Vec::new();
    }
    let head = |name: &str| wording.get(&format!("head.{name}"));
    let table = Table::of_rows(predictions)
        .left(head("step"), |predicted| {
            Cell::number(wording.step(predicted.declared.step), predicted.declared.step)
        })
        .left(head("metric"), |predicted| Text::strong(wording.name(&predicted.declared.metric)))
        .left(head("assumption"), |predicted| assumption(wording, predicted))
        .left(head("expected"), |predicted| expected(wording, predicted))
        .left(head("otherwise"), otherwise)
        .left(head("target"), |predicted| target(wording, predicted));
    let note = wording.fill("predictions-note", &[("level", &wording.level())]);
    vec![table.block(), Block::paragraph(note)]
}

fn assumption(wording: &ProgressWording<'_>, predicted: &Predicted<'_>) -> String {
    let declared = predicted.declared;
    let Ok(value) = predicted.value else {
        return wording.get(&format!("assume.{}", declared.assume.name()));
    };
    if value.is_recorded {
        return wording.get("assume.recorded");
    }
    let grows = matches!(declared.assume, ProgressAssumption::Recent | ProgressAssumption::Average);
    let suffix = match (value.counts.is_none() && grows, value.is_per_step) {
        (true, true) => "-step",
        (true, false) => "-growth",
        (false, _) => "",
    };
    let assumed = wording.get(&format!("assume.{}{suffix}", declared.assume.name()));
    let Some(pace) = value.pace else { return assumed };
    let key = match declared.pace {
        AssumedPace::Recent => "pace-recent",
        AssumedPace::Average => "pace-average",
    };
    assumed + &wording.fill(key, &[("pace", &quantity::amount(pace))])
}

fn expected(wording: &ProgressWording<'_>, predicted: &Predicted<'_>) -> Cell {
    let value = match predicted.value {
        Ok(value) => value,
        Err(why) => return Cell::absent(format!("? ({})", wording.why(why))),
    };
    let shown = match value.counts {
        Some([x, n]) => quantity::expected_share(x, n),
        None => super::progress_wording::value(value.value, value.unit),
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

fn target(wording: &ProgressWording<'_>, predicted: &Predicted<'_>) -> Text {
    let (Some(condition), Some(judgement)) = (&predicted.declared.target, &predicted.target) else {
        return Text::plain("–");
    };
    let (icon, word) = match judgement.outcome {
        ConditionTruth::Holds => (Icon::Good, "target-met"),
        ConditionTruth::Fails => (Icon::Bad, "target-missed"),
        ConditionTruth::Unsure { seen: true } => (Icon::Caution, "target-only-if"),
        ConditionTruth::Unsure { seen: false } => (Icon::Caution, "target-missed-unless"),
        ConditionTruth::Unknown => (Icon::Open, "target-unknown"),
    };
    let text = Text::code(condition.text()).and_plain(" ").and_icon(icon);
    wording.doubted(text.and_plain(format!(" {}", wording.get(word))), predicted.is_doubtful)
}

pub(super) fn signals(wording: &ProgressWording<'_>) -> Vec<Block> {
    let signals = &wording.progress.signals;
    if signals.is_empty() {
        return Vec::new();
    }
    let head = |name: &str| wording.get(&format!("head.{name}"));
    let table = Table::of_rows(signals)
        .left(head("signal"), |signal| Text::strong(wording.label(&signal.declared.name)))
        .left(head("state"), |signal| state(wording, signal))
        .left(head("reading"), |signal| {
            let reading = wording.judged(&signal.declared.when, &signal.judgement);
            wording.doubted(reading, signal.is_doubtful)
        })
        .left(head("cause"), |signal| if_fired(wording, signal, signal.declared.cause.as_ref()))
        .left(head("response"), |signal| {
            if_fired(wording, signal, signal.declared.response.as_ref())
        });
    vec![table.block()]
}

fn state(wording: &ProgressWording<'_>, signal: &Watched<'_>) -> Text {
    let icon = match signal.judgement.outcome {
        ConditionTruth::Holds => Icon::Bad,
        ConditionTruth::Fails => Icon::Good,
        ConditionTruth::Unsure { seen: true } => Icon::Caution,
        ConditionTruth::Unsure { seen: false } | ConditionTruth::Unknown => Icon::Open,
    };
    Text::marked(icon, wording.get(&format!("state.{}", signal.state())))
}

/// Words that are shown where a signal fired.
fn if_fired(
    wording: &ProgressWording<'_>,
    signal: &Watched<'_>,
    label: Option<&ConditionLabel>,
) -> String {
    match label {
        _ if signal.judgement.outcome.seen() != Some(true) => "–".to_owned(),
        Some(label) => wording.label(label).to_owned(),
        None => wording.get("to-fill-in"),
    }
}

pub(super) fn milestones(wording: &ProgressWording<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    for stage in MilestoneStage::ALL {
        let milestones = wording.progress.milestones.iter();
        let items: Vec<(bool, Text)> = milestones
            .filter(|milestone| milestone.stage == stage)
            .map(|milestone| {
                let mut text = Text::plain(wording.label(&milestone.declared.name))
                    .and_plain(wording.words.get("punctuation.colon"))
                    .and_code(milestone.declared.done.text())
                    .and_plain(wording.words.get("punctuation.semicolon"))
                    .and_plain(wording.readings(&milestone.judgement));
                let is_unsure =
                    milestone.judgement.outcome == ConditionTruth::Unsure { seen: true };
                if stage == MilestoneStage::Running && is_unsure {
                    text = text.and_plain(wording.get("milestone-unsure"));
                }
                (stage == MilestoneStage::Done, wording.doubted(text, milestone.is_doubtful))
            })
            .collect();
        if items.is_empty() {
            continue;
        }
        let icon = match stage {
            MilestoneStage::Done => Icon::Good,
            MilestoneStage::Running => Icon::Running,
            MilestoneStage::Waiting => Icon::Open,
            MilestoneStage::Unknown => Icon::Caution,
        };
        let heading = wording.get(&format!("stage.{}", stage.name()));
        blocks.push(Block::heading(Text::plain(heading).and_plain(" ").and_icon(icon)));
        blocks.push(Block::Checklist { items });
    }
    blocks
}
