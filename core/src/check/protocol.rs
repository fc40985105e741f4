//! What evaluations are made with by declaration, held against what each run records. No check of a
//! pair: two runs that break a protocol alike still break it.

use indexmap::IndexMap;

use crate::diag::{Code, Diagnostic};
use crate::model::{ConfigEntry, ConfigValue, Run};
use crate::pairing::{ConfigRole, config_role, names, records_training};

/// Settings of a protocol with the other names that programs have for them.
const ALSO: &[(&str, &[&str])] = &[
    (
        "max_new_tokens",
        &["max_tokens", "max_gen_toks", "max_completion_tokens", "max_output_tokens"],
    ),
    (ANSWERS, &["num_return_sequences", "n_samples_per_prompt", "num_generations", "repeats"]),
];
/// Answers to each problem, which the samples tell as well.
const ANSWERS: &str = "answers";
/// What decides between answers where one is drawn, and nothing where the likeliest is taken.
const DRAWING: &[&str] = &["temperature", "top_p", "top_k", "min_p"];
/// Words of keys that speak of an evaluation.
const EVALUATION: &[&str] = &["eval", "evaluation", "val", "test", "gen", "generation"];

/// The settings of a run that are not as the protocol has them. What a run does not record is not
/// held against it, and neither is what its training samples with.
pub fn breaches(run: &Run, protocol: &IndexMap<String, ConfigValue>) -> Vec<Diagnostic> {
    let is_greedy =
        recorded(run, "do_sample").any(|(_, entry)| entry.value.same_as(&ConfigValue::Bool(false)));
    let asked =
        protocol.iter().filter(|(name, _)| !(is_greedy && DRAWING.contains(&name.as_str())));
    asked.filter_map(|(name, wanted)| breach(run, name, wanted)).collect()
}

fn breach(run: &Run, name: &str, wanted: &ConfigValue) -> Option<Diagnostic> {
    let finding = |key: &str, value: &ConfigValue| {
        Diagnostic::new(Code::ProtocolBroken)
            .run(&run.id)
            .about_key(key)
            .with("run", run.id.as_str())
            .with("value", value)
            .with("wanted", wanted)
    };
    let others = ALSO.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, also)| *also);
    let mut written =
        [name].into_iter().chain(others.iter().copied()).flat_map(|name| recorded(run, name));
    if let Some((key, entry)) = written.find(|(_, entry)| !entry.value.same_as(wanted)) {
        return Some(finding(key, &entry.value).at(entry.source.location()));
    }
    let tables = run.content.samples.iter().filter(|table| name == ANSWERS && table.repeats() > 1);
    let mut counted = tables.map(|table| {
        let answers = table.repeats();
        (table, ConfigValue::Number(f64::from(answers), answers.to_string()))
    });
    let (table, answers) = counted.find(|(_, answers)| !answers.same_as(wanted))?;
    Some(finding(name, &answers).at(table.source(0, "").location()))
}

/// Where a run records a setting of its evaluations.
fn recorded<'r>(run: &'r Run, name: &'r str) -> impl Iterator<Item = (&'r str, &'r ConfigEntry)> {
    let config = &run.content.config;
    let is_training = records_training(config);
    let is_of_evaluation = move |key: &str| match config_role(key) {
        ConfigRole::Training => false,
        ConfigRole::Decoding if is_training => {
            key.split(['.', '_', '#', '/']).any(|word| EVALUATION.contains(&word))
        }
        _ => true,
    };
    config.iter().filter(move |(key, _)| names(name, key) && is_of_evaluation(key))
}
