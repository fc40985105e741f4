//! Samples for programs: `report.json`, and a row for each pair of answers.

use serde_json::{Map, Value, json};

use super::super::analysis::{Browsed, ShownAnswer, ShownSample, UnpairedBecause};
use crate::report::sample_card::{CardAnswer, CardText, SampleCard};
use crate::report::{Sheet, json_object};

/// What stands in a row for one of the two runs.
const OF_A_RUN: [&str; 7] = ["run", "score", "answer", "extracted", "facts", "path", "line"];
const OF_THE_SAMPLE: [&str; 9] =
    ["number", "id", "dataset", "dims", "metric", "transition", "unpaired", "prompt", "target"];

pub(super) fn data_and_sheet(
    browsed: &Browsed<'_>,
    cards: &[SampleCard],
    suspects: &[[String; 2]],
) -> (Map<String, Value>, Sheet) {
    let shown: Vec<(&SampleCard, &ShownSample<'_>)> = cards.iter().zip(&browsed.shown).collect();
    let samples = shown.iter().map(|(card, sample)| {
        let mut view = json_object(&json!({}));
        view.extend(of_sample(card, sample, browsed));
        let answers = card.answers.iter().zip(&sample.answers);
        let answers = answers.map(|(card, answer)| Value::from(of_answer(card, answer.as_ref())));
        view.insert("answers".to_owned(), answers.collect());
        Value::from(view)
    });
    let counts = browsed.counts.iter().map(|((transition, is_binary), count)| {
        json!({ "transition": transition.name(), "right_or_wrong": is_binary, "count": count })
    });
    let unpaired = browsed.unpaired.iter().map(|(because, count)| {
        let run = because.run().and_then(|run| browsed.runs.get(run));
        json!({ "because": because.name(), "run": run, "count": count })
    });
    let agreement = browsed.agreement.as_ref().map(|agreement| {
        let dataset = |group: usize| browsed.groups.get(group).and_then(|group| group.dataset);
        let divided = agreement.divided.iter().map(
            |one| json!({ "id": one.id, "dataset": dataset(one.group), "right": one.is_right }),
        );
        let failed = agreement.failed_by_all.iter();
        let failed = failed.map(|(group, id)| json!({ "id": id, "dataset": dataset(*group) }));
        let suspects = agreement.suspects.iter().zip(suspects).map(|(one, [target, answer])| {
            let dataset = dataset(one.group);
            json!({ "id": one.id, "dataset": dataset, "answer": answer, "target": target })
        });
        json!({
            "divided": divided.collect::<Value>(),
            "failed_by_all": failed.collect::<Value>(),
            "label_doubtful": suspects.collect::<Value>(),
        })
    });
    let data = json_object(&json!({
        "runs": browsed.runs,
        "counts": counts.collect::<Value>(),
        "unpaired": unpaired.collect::<Value>(),
        "asked": browsed.asked,
        "shown": cards.len(),
        "samples": samples.collect::<Value>(),
        "agreement": agreement,
    }));
    (data, sheet(&shown, browsed))
}

/// One row for each candidate of each sample.
fn sheet(shown: &[(&SampleCard, &ShownSample<'_>)], browsed: &Browsed<'_>) -> Sheet {
    let of_runs = ["baseline", "candidate"].map(|arm| OF_A_RUN.map(|name| format!("{arm}_{name}")));
    let heads: Vec<String> =
        OF_THE_SAMPLE.map(str::to_owned).into_iter().chain(of_runs.into_iter().flatten()).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let rows = shown.iter().flat_map(|(card, sample)| {
        (1..card.answers.len()).map(|candidate| {
            let mut shared = of_sample(card, sample, browsed);
            let dims = browsed.groups.get(sample.group).map(|group| group.dims.to_string());
            let dims = dims.filter(|dims| !dims.is_empty());
            shared.insert("dims".to_owned(), dims.into());
            let shared = OF_THE_SAMPLE.map(|name| shared.get(name).cloned().unwrap_or_default());
            let arms = [0, candidate].into_iter().filter_map(|run| {
                let answer = sample.answers.get(run).and_then(Option::as_ref);
                let own = of_answer(card.answers.get(run)?, answer);
                Some(OF_A_RUN.map(|name| own.get(name).cloned().unwrap_or_default()))
            });
            shared.into_iter().chain(arms.flatten()).collect::<Value>()
        })
    });
    Sheet::new(&heads, rows)
}

fn of_sample(
    card: &SampleCard,
    sample: &ShownSample<'_>,
    browsed: &Browsed<'_>,
) -> Map<String, Value> {
    let group = browsed.groups.get(sample.group);
    json_object(&json!({
        "number": card.number,
        "id": card.id,
        "dataset": group.and_then(|group| group.dataset),
        "dims": group.map(|group| &group.dims),
        "metric": group.and_then(|group| Some(&group.spec.as_ref()?.name)),
        "transition": card.class,
        "unpaired": sample.unpaired.map(UnpairedBecause::name),
        "prompt": text(&card.asked, "prompt"),
        "target": text(&card.asked, "target"),
    }))
}

fn of_answer(card: &CardAnswer, answer: Option<&ShownAnswer<'_>>) -> Map<String, Value> {
    let source = answer.map(|answer| answer.table.source(answer.row, ""));
    json_object(&json!({
        "run": card.run,
        "score": answer.and_then(|answer| answer.score),
        "right": card.is_right,
        "answer": text(&card.texts, "answer"),
        "extracted": text(&card.texts, "extracted"),
        "facts": card.facts.join("; "),
        "path": source.as_ref().map(|source| source.path.to_string()),
        "line": source.as_ref().and_then(|source| source.line),
    }))
}

fn text(texts: &[CardText], meaning: &str) -> Option<String> {
    texts.iter().find(|text| text.meaning == meaning).map(CardText::plain)
}
