//! `best_checkpoint.json`: the choice for the next phase, in the form that readers know.

use serde_json::{Map, Value, json};

use super::data::{step_value, steps};
use super::step;
use crate::kinds::best::analysis::Choice;
use crate::quantity;
use crate::report::json_file;

/// The text of the file, with what another program wrote into an earlier one. `model_path` may have
/// `{step}` in it. A percentage or share stands as the run writes it.
pub(in crate::kinds::best) fn best_record(
    choice: &Choice,
    model_path: Option<&str>,
    earlier: &str,
) -> String {
    let chosen = choice.chosen();
    let metric = &choice.question.metric;
    let mut object = Map::new();
    object.insert("best_step".to_owned(), step_value(chosen.step));
    object.insert(format!("best_{metric}"), json!(chosen.value));
    let beside = |name: &str| {
        let same =
            choice.beside.iter().find(|(at, metric, _)| *at == chosen.step && metric == name);
        same.map(|(_, _, value)| *value)
    };
    if metric != "accepted_at_1" {
        object.insert("best_accepted_at_1".to_owned(), json!(beside("accepted_at_1")));
    }
    object.insert("model_path".to_owned(), json!(path(choice, model_path)));
    let dataset = choice.question.dataset.as_deref();
    let place = dataset.map_or_else(String::new, |dataset| format!("datasets.{dataset}."));
    object.insert("selection_metric".to_owned(), json!(format!("summary.{place}{metric}")));
    object.insert(ROWS.to_owned(), Value::Object(rows(choice)));
    added(choice, &mut object);
    let earlier: Map<String, Value> = serde_json::from_str(earlier).unwrap_or_default();
    keep(earlier, &mut object);
    json_file(&object)
}

const ROWS: &str = "all_checkpoints";
/// Keys that only this program writes.
const OWN: [&str; 2] = ["not_separable", "runner_up"];

/// Whether a text is a record of a choice, of this program or of a script.
pub(in crate::kinds::best) fn is_best_record(text: &str) -> bool {
    let object: Option<Map<String, Value>> = serde_json::from_str(text).ok();
    object.is_some_and(|object| ["best_step", ROWS].iter().any(|key| object.contains_key(*key)))
}

/// Keeps what stands in an earlier record and is no figure of its choice. Where a script wrote it, so
/// are its checkpoints that the run does not show, and what it says beside our figures of others.
fn keep(earlier: Map<String, Value>, object: &mut Map<String, Value>) {
    let is_own = OWN.iter().all(|key| earlier.contains_key(*key));
    for (key, value) in earlier {
        match (object.get_mut(&key), value) {
            (Some(Value::Object(rows)), Value::Object(known)) if key == ROWS && !is_own => {
                for (step, row) in known {
                    match (rows.get_mut(&step), row) {
                        (Some(Value::Object(ours)), Value::Object(theirs)) => {
                            for (metric, value) in theirs {
                                ours.entry(metric).or_insert(value);
                            }
                        }
                        (Some(_), _) => {}
                        (None, row) => rows.extend([(step, row)]),
                    }
                }
            }
            (None, value) if !key.starts_with("best_") => object.extend([(key, value)]),
            _ => {}
        }
    }
}

/// The figures of each checkpoint, steps ascending as numbers.
fn rows(choice: &Choice) -> Map<String, Value> {
    let row = |figure: &crate::kinds::best::analysis::Figure| {
        let mut row = Map::new();
        row.insert(choice.question.metric.clone(), json!(figure.value));
        for (at, name, value) in &choice.beside {
            if *at == figure.step && *name != choice.question.metric {
                row.insert(name.clone(), json!(value));
            }
        }
        (step(figure.step), Value::Object(row))
    };
    choice.figures.iter().map(row).collect()
}

/// What the form of others does not have.
fn added(choice: &Choice, object: &mut Map<String, Value>) {
    let chosen = choice.chosen();
    let runner_up = choice.runner_up();
    let judged = choice.against.iter().flatten().find_map(|against| against.method);
    object.insert("axis".to_owned(), json!(choice.axis.name()));
    object.insert("n".to_owned(), json!(chosen.n));
    object.insert("interval".to_owned(), json!(chosen.ci));
    object.insert("level".to_owned(), json!(choice.level));
    object.insert(
        "runner_up".to_owned(),
        runner_up.map_or(
            Value::Null,
            |next| json!({ "step": step_value(next.step), "value": next.value }),
        ),
    );
    object.insert("ties".to_owned(), steps(choice.ties().map(|tie| tie.step)));
    object.insert("not_separable".to_owned(), steps(choice.not_separable()));
    object.insert("not_judged".to_owned(), steps(choice.unjudged()));
    object.insert("left_out".to_owned(), steps(choice.left_out()));
    object.insert("method".to_owned(), json!(judged));
    let note = choice.optimism.map(|optimism| {
        let how = if optimism.drawn { "about" } else { "at most" };
        format!(
            "best of {}: overstated by {how} {} {} on average",
            optimism.checkpoints,
            quantity::fixed(optimism.amount, 2),
            choice.spec.unit.name_of_differences()
        )
    });
    object.insert("note".to_owned(), json!(note));
}

/// The path after the pattern; else the recorded one, if it is that of the same step.
fn path(choice: &Choice, pattern: Option<&str>) -> Option<String> {
    let chosen = choice.chosen().step;
    match pattern {
        Some(pattern) => Some(pattern.replace("{step}", &step(chosen))),
        None => {
            choice.recorded.as_ref().filter(|recorded| recorded.step == chosen)?.model_path.clone()
        }
    }
}
