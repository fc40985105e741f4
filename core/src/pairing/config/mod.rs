//! Configuration key by key: what differs, what was meant to, what cannot matter.

mod command;
mod environment;
mod environment_names;
mod factors;
mod names;
mod roles;
mod sameness;
mod spelling;

pub use environment::is_environment;
pub use factors::{COMMIT, Factors, is_commit};
pub use names::ConfigRole;
pub use roles::config_role;
pub(crate) use sameness::same_commit;
pub use spelling::Respelled;

pub(super) use factors::factors;
pub(super) use spelling::respelled_keys;

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Config, ConfigEntry, ConfigValue, Run, leaf};
use spelling::plain;

/// One configuration key that is not the same in both arms.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfigDifference {
    /// Dotted key, as the baseline writes it if it does.
    pub key: String,
    pub baseline: Option<ConfigEntry>,
    pub candidate: Option<ConfigEntry>,
    /// Whether the key only says where, when or by whom a run was made, or which repetition it is.
    pub environment: bool,
    pub role: ConfigRole,
    /// The key from whose difference this one follows: the hash of a model from its name.
    pub follows: Option<String>,
    /// Whether it is one because a run states two values.
    pub within_run: bool,
}

impl ConfigDifference {
    pub fn one_sided(&self) -> bool {
        self.baseline.is_none() || self.candidate.is_none()
    }
}

/// One change, however many keys write it down: equal last component, equal values on both sides.
/// A harness that repeats a setting for each of its tasks makes one change, not sixty.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfigChange<'a> {
    /// Its differences, in configuration order; at least one.
    pub differences: Vec<&'a ConfigDifference>,
    /// Keys that differ only because these do.
    pub following: Vec<&'a str>,
}

impl<'a> ConfigChange<'a> {
    pub fn first(&self) -> Option<&'a ConfigDifference> {
        self.differences.first().copied()
    }

    /// The key when there is one, else the last component and how many keys have it:
    /// `num_fewshot (×57)`.
    pub fn name(&self) -> String {
        match self.differences.as_slice() {
            [] => String::new(),
            [only] => only.key.clone(),
            [first, ..] => format!("{} (×{})", leaf(&first.key), self.differences.len()),
        }
    }

    /// What declares it: the key, or the last component that several have.
    pub fn declared_by(&self) -> &'a str {
        let first = self.first().map_or("", |first| first.key.as_str());
        if self.differences.len() == 1 { first } else { leaf(first) }
    }

    pub fn role(&self) -> ConfigRole {
        self.first().map_or(ConfigRole::Other, |first| first.role)
    }
}

/// Collects differences into changes, in the order of their first keys.
pub(super) fn changes<'a>(
    differences: impl IntoIterator<Item = &'a ConfigDifference>,
) -> Vec<ConfigChange<'a>> {
    let mut changes: Vec<ConfigChange<'a>> = Vec::new();
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let value = |entry: &'a Option<ConfigEntry>| entry.as_ref().map(|entry| &entry.value);
    for difference in differences {
        let named = by_name.entry(leaf(&difference.key)).or_default();
        let known = named.iter().copied().find(|&place| {
            let first = changes.get(place).and_then(ConfigChange::first);
            first.is_some_and(|first| {
                same(value(&first.baseline), value(&difference.baseline))
                    && same(value(&first.candidate), value(&difference.candidate))
            })
        });
        if let Some(change) = known.and_then(|place| changes.get_mut(place)) {
            change.differences.push(difference);
        } else {
            named.push(changes.len());
            changes.push(ConfigChange { differences: vec![difference], following: Vec::new() });
        }
    }
    changes
}

/// Last components of keys that number the repetitions of one training. Documented in
/// `docs/formats.md`. Seeds of a data split or of few-shot examples are no repetitions: they change
/// what is asked.
const SEEDS: &[&str] = &[
    "seed",
    "random_seed",
    "rng_seed",
    "global_seed",
    "training_seed",
    "train_seed",
    "model_seed",
    "run_seed",
    "init_seed",
    "data_seed",
    "manual_seed",
    "seed_everything",
    "random_state",
    "torch_seed",
    "replica",
    "replicate",
    "numpy_seed",
    "np_seed",
    "cuda_seed",
];

/// Whether a key may number the repetitions of one training.
pub(super) fn is_seed(key: &str) -> bool {
    SEEDS.contains(&leaf(key).to_ascii_lowercase().as_str())
}

/// A key that says which repetition a run is explains no difference between arms of several.
pub(super) fn repetitions_are_environment(
    differences: &mut [ConfigDifference],
    repetition_keys: &[String],
) {
    for difference in differences {
        difference.environment |= repetition_keys.contains(&difference.key);
    }
}

/// What both runs of one arm record and should not differ in: neither environment, nor seeds, nor
/// keys that name the trained model, which is another one for each seed.
pub(super) fn config_differences_within(lead: &Config, member: &Config) -> Vec<ConfigDifference> {
    let mut differing = config_differences(lead, member);
    differing.retain(|one| {
        let may = one.environment || one.one_sided() || is_seed(&one.key);
        !(may || names_the_model(&one.key) || follows_the_model(&one.key))
    });
    differing
}

/// Whether two runs record different models or checkpoints.
pub(crate) fn names_other_model(one: &Config, other: &Config) -> bool {
    config_differences(one, other).iter().any(|differing| {
        let key = &differing.key;
        !differing.one_sided() && (names_the_model(key) || follows_the_model(key))
    })
}

/// Whether two runs are evaluations of one model: both name it, in their settings or their results, and
/// nothing that they record of it differs.
pub(crate) fn names_one_model(one: &Run, other: &Run) -> bool {
    let [mine, theirs] = [one, other].map(|run| &run.content.config);
    let is_shared = mine.iter().any(|(key, entry)| {
        names_the_model(key)
            && theirs.get(key).is_some_and(|other| other.value.same_as(&entry.value))
    });
    let [mine_said, theirs_said] = [one, other].map(|run| &run.content.provenance.model);
    let is_contradicted = mine_said.is_some() && theirs_said.is_some() && mine_said != theirs_said;
    let is_named = is_shared || mine_said.is_some() && mine_said == theirs_said;
    is_named && !is_contradicted && !names_other_model(mine, theirs)
}

/// Whether a key is a setting of a training, its data, or a number of trainings alone. A batch may be
/// how many questions are asked at once.
pub(crate) fn belongs_to_training(key: &str) -> bool {
    const NUMBERS: &[&str] =
        &["training_seed", "train_seed", "model_seed", "init_seed", "data_seed"];
    let name = plain(leaf(key));
    let role = config_role(key);
    let is_setting = matches!(role, ConfigRole::Training | ConfigRole::TrainingData);
    NUMBERS.contains(&name.as_str()) || is_setting && name != "batch_size"
}

/// The first seed that a configuration records.
pub(crate) fn recorded_seed(config: &Config) -> Option<String> {
    let mut seeds = config.iter().filter(|(key, _)| is_seed(key));
    seeds.next().map(|(_, entry)| entry.value.to_string())
}

/// Keys that are not the same in both, in baseline order, then those of the candidate alone. Nothing
/// written down is the same as nothing written at all.
pub(crate) fn config_differences(baseline: &Config, candidate: &Config) -> Vec<ConfigDifference> {
    let [mine, theirs] =
        [baseline, candidate].map(|config| config.iter().map(|(key, entry)| (key, &entry.value)));
    if mine.eq(theirs) {
        return Vec::new();
    }
    let respelled = respelled_keys(baseline, candidate);
    let theirs_by_mine: BTreeMap<&str, &str> =
        respelled.iter().map(|pair| (&*pair.baseline, &*pair.candidate)).collect();
    let respelled: BTreeSet<&str> = theirs_by_mine.values().copied().collect();
    let theirs_of = |key: &str| candidate.get(theirs_by_mine.get(key).copied().unwrap_or(key));
    let shared = baseline.iter().map(|(key, mine)| (key, Some(mine), theirs_of(key)));
    let is_new = |key: &str| baseline.get(key).is_none() && !respelled.contains(key);
    let added = candidate.iter().filter(|(key, _)| is_new(key));
    let added = added.map(|(key, theirs)| (key, None, Some(theirs)));
    let mut found: Vec<ConfigDifference> = shared
        .chain(added)
        .filter(|(key, mine, theirs)| differs(key, *mine, *theirs))
        .map(|(key, mine, theirs)| difference(key, [mine, theirs], [baseline, candidate]))
        .collect();
    let contradicted = contradicted([baseline, candidate], &found);
    found.extend(contradicted);
    let of_commands = command::differing([baseline, candidate], &found);
    found.extend(of_commands);
    if !records_training(baseline) && !records_training(candidate) {
        // Outside of training, a batch is only how many questions are asked at once.
        let batches = found.iter_mut().filter(|one| plain(leaf(&one.key)) == "batch_size");
        batches.for_each(|one| one.role = ConfigRole::Hardware);
    }
    mark_followers(&mut found);
    found
}

/// Settings that another file of one run states as no file of the other run does: nobody can call those
/// equal that decide what is asked, how it is answered or how it is scored. Of the model and of settings of
/// no known kind one run alone has to do so: two trainings may each name their own checkpoint beside the
/// model that both began with.
fn contradicted(configs: [&Config; 2], found: &[ConfigDifference]) -> Vec<ConfigDifference> {
    let again = |config: &'_ Config| -> Vec<String> {
        let keys = config.iter().filter_map(|(key, _)| key.rsplit_once('#'));
        keys.map(|(_, key)| key.to_owned()).filter(|key| may_move_answers(key)).collect()
    };
    let mut keys: Vec<String> = configs.into_iter().flat_map(again).collect();
    keys.sort();
    keys.dedup();
    keys.retain(|key| found.iter().all(|one| one.key != *key));
    let stated = |config: &'_ Config, key: &str| -> Vec<ConfigEntry> {
        let is_it =
            |name: &str| name == key || name.rsplit_once('#').is_some_and(|(_, own)| own == key);
        config.iter().filter(|(name, _)| is_it(name)).map(|(_, entry)| entry.clone()).collect()
    };
    let foreign = |of: &[ConfigEntry], among: &[ConfigEntry], key: &str| {
        let is_known = |entry: &ConfigEntry| {
            among.iter().any(|other| sameness::same_config_value(key, &entry.value, &other.value))
        };
        of.iter().find(|entry| !is_known(entry)).cloned()
    };
    let differing = |key: String| {
        let [mine, theirs] = configs.map(|config| stated(config, &key));
        let (first, second) = (mine.first()?, theirs.first()?);
        let (new, old) = (foreign(&theirs, &mine, &key), foreign(&mine, &theirs, &key));
        let pair = match (&new, &old) {
            (Some(_), Some(_)) if !moves_answers(&key) => return None,
            (Some(new), _) => [Some(first), Some(new)],
            (None, Some(old)) => [Some(old), Some(second)],
            (None, None) => return None,
        };
        Some(ConfigDifference { within_run: true, ..difference(&key, pair, configs) })
    };
    keys.into_iter().filter_map(differing).collect()
}

/// Whether a setting decides what is asked, how it is answered or how it is scored.
pub fn moves_answers(key: &str) -> bool {
    use ConfigRole::{Dataset, Decoding, FewShot, Judge, Prompt, Scorer};
    matches!(config_role(key), Judge | Scorer | Dataset | Prompt | FewShot | Decoding)
}

/// Whether a setting may do so: it is none of how a model was trained, or of where.
fn may_move_answers(key: &str) -> bool {
    use ConfigRole::{Code, Hardware, Library, Seed, Training, TrainingData};
    !matches!(config_role(key), Training | TrainingData | Seed | Code | Library | Hardware)
}

fn differs(key: &str, mine: Option<&ConfigEntry>, theirs: Option<&ConfigEntry>) -> bool {
    match (mine, theirs) {
        (Some(mine), Some(theirs)) => !sameness::same_config_value(key, &mine.value, &theirs.value),
        // What a second file of a run says otherwise is a matter of that run.
        (Some(only), None) | (None, Some(only)) => !only.value.is_nothing() && !key.contains('#'),
        (None, None) => false,
    }
}

fn difference(
    key: &str,
    [baseline, candidate]: [Option<&ConfigEntry>; 2],
    configs: [&Config; 2],
) -> ConfigDifference {
    let role = config_role(key);
    let values = [baseline, candidate].map(|entry| entry.map(|entry| &entry.value));
    let environment =
        environment::is_difference_of_environment(key, values, role != ConfigRole::Other, configs);
    ConfigDifference {
        key: key.to_owned(),
        baseline: baseline.cloned().or_else(|| by_absence(key, configs[0])),
        candidate: candidate.cloned().or_else(|| by_absence(key, configs[1])),
        environment,
        role,
        follows: None,
        within_run: false,
    }
}

/// What a run says by not writing a key: a harness loads no adapter that the arguments of its model do
/// not name.
fn by_absence(key: &str, config: &Config) -> Option<ConfigEntry> {
    let arguments = key.strip_suffix("peft").filter(|above| above.ends_with("model_args."))?;
    let (_, argument) = config.iter().find(|(known, _)| known.starts_with(arguments))?;
    Some(ConfigEntry { value: ConfigValue::Null, source: argument.source.clone() })
}

/// Says of each difference that cannot but come with another one which that is.
fn mark_followers(differences: &mut [ConfigDifference]) {
    let counts = |one: &&ConfigDifference| !one.environment && !one.one_sided();
    let first = |of: fn(&ConfigDifference) -> bool| {
        let found = differences.iter().filter(counts).find(|one| of(one));
        found.map(|one| one.key.clone())
    };
    let model = first(|one| names_the_model(&one.key));
    // Layers and widths below `model` belong to the model that is named beside them.
    let table = model.as_deref().and_then(|key| key.rsplit_once('.')).map(|(table, _)| table);
    let table = table.filter(|table| plain(leaf(table)) == "model");
    let of_model = |one: &&ConfigDifference| {
        let above = one.key.rsplit_once('.').map(|(above, _)| above);
        one.role == ConfigRole::Model && above.is_some() && above == table
    };
    let model_parts: BTreeSet<String> =
        differences.iter().filter(counts).filter(of_model).map(|one| one.key.clone()).collect();
    let asked = first(|one| {
        matches!(one.role, ConfigRole::Prompt | ConfigRole::FewShot | ConfigRole::Dataset)
            && plain(leaf(&one.key)) != "task_hash"
    });
    let template = first(|one| plain(leaf(&one.key)) == "chat_template");
    let instruction = first(|one| plain(leaf(&one.key)) == "system_instruction");
    let beside_model: BTreeSet<String> = differences
        .iter()
        .filter(|one| is_set_beside_the_model(one, differences, model.as_deref()))
        .map(|one| one.key.clone())
        .collect();
    let repeated = repetitions(differences);
    for one in differences.iter_mut().filter(|one| !one.environment) {
        let leader = match plain(leaf(&one.key)).as_str() {
            _ if repeated.contains_key(&one.key) => repeated.get(&one.key),
            "task_hash" => asked.as_ref(),
            "system_instruction_sha" => instruction.as_ref(),
            "chat_template_sha" if beside_model.contains(&one.key) => template.as_ref(),
            _ if beside_model.contains(&one.key) => None,
            _ if follows_the_model(&one.key) || model_parts.contains(&one.key) => model.as_ref(),
            _ => None,
        };
        one.follows = leader.filter(|leader| **leader != one.key).cloned();
    }
}

/// Keys by which runs state once more, in other words and with the same values, what an earlier key
/// says; each with that key.
fn repetitions(differences: &[ConfigDifference]) -> BTreeMap<String, String> {
    let mut first: BTreeMap<&str, &ConfigDifference> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for one in differences.iter().filter(|one| !one.one_sided()) {
        let Some(word) = spelling::common_word(&one.key) else { continue };
        let leader = *first.entry(word).or_insert(one);
        let value = |entry: &'_ Option<ConfigEntry>| entry.as_ref().map(|one| one.value.clone());
        let is_same = same(value(&leader.baseline).as_ref(), value(&one.baseline).as_ref())
            && same(value(&leader.candidate).as_ref(), value(&one.candidate).as_ref());
        if is_same && leader.key != one.key {
            found.insert(one.key.clone(), leader.key.clone());
        }
    }
    found
}

/// Whether a chat template or a tokenizer differs that need not differ with the model: two checkpoints
/// of one base share both. A model of another size is none of the same base; a tokenizer that is
/// named as the model is comes with it.
fn is_set_beside_the_model(
    one: &ConfigDifference,
    differences: &[ConfigDifference],
    model: Option<&str>,
) -> bool {
    let is_size = |one: &ConfigDifference| plain(leaf(&one.key)) == "model_num_parameters";
    let other_size = || differences.iter().any(|one| !one.one_sided() && is_size(one));
    let is_set =
        |entry: &Option<ConfigEntry>| entry.as_ref().is_some_and(|entry| !entry.value.is_nothing());
    let named_alike = || {
        let model = differences.iter().find(|one| Some(one.key.as_str()) == model);
        let value = |entry: &'_ Option<ConfigEntry>| entry.as_ref().map(|one| one.value.clone());
        model.is_some_and(|model| {
            same(value(&model.baseline).as_ref(), value(&one.baseline).as_ref())
                && same(value(&model.candidate).as_ref(), value(&one.candidate).as_ref())
        })
    };
    match plain(leaf(&one.key)).as_str() {
        "chat_template" | "chat_template_sha" => {
            !(other_size() && is_set(&one.baseline) && is_set(&one.candidate))
        }
        "tokenizer" | "tokenizer_path" => !(other_size() || named_alike()),
        _ => false,
    }
}

/// Keys that name the evaluated model.
pub fn names_the_model(key: &str) -> bool {
    const MODEL: &[&str] = &[
        "model",
        "model_id",
        "model_name",
        "model_name_or_path",
        "model_path",
        "peft",
        "pretrained",
    ];
    let parts = spelling::key_components(key);
    let below = |name: &str| matches!(parts.as_slice(), [.., above, last] if above == "model" && last == name);
    let named = parts.last().is_some_and(|name| MODEL.contains(&name.as_str()));
    config_role(key) == ConfigRole::Model && (named || below("name") || below("path"))
}

/// Keys that cannot stay equal when the model changes.
fn follows_the_model(key: &str) -> bool {
    const FOLLOWING: &[&str] = &[
        "chat_template",
        "chat_template_sha",
        "checkpoint",
        "eot_token_id",
        "model_deployment",
        "model_dtype",
        "model_name",
        "model_name_sanitized",
        "model_num_parameters",
        "model_revision",
        "model_sha",
        "num_parameters",
        "num_params",
        "tokenizer",
        "tokenizer_path",
        "total_params",
        "trainable_parameters",
        "trainable_params",
    ];
    FOLLOWING.contains(&plain(leaf(key)).as_str())
}

/// Whether the key describes a model in a way that follows from its name, and so is not a change of
/// its own.
fn follows_alone(key: &str) -> bool {
    let is_itself = names_the_model(key) || plain(leaf(key)) == "checkpoint";
    follows_the_model(key) && config_role(key) == ConfigRole::Model && !is_itself
}

/// Whether a configuration is that of a training: it has a setting of one.
pub(crate) fn records_training(config: &Config) -> bool {
    config.iter().any(|(key, _)| {
        plain(leaf(key)) != "batch_size" && config_role(key) == ConfigRole::Training
    })
}

/// Whether a declared name means the key: the whole key or its last components, however they are
/// spelt.
pub fn names(declared: &str, key: &str) -> bool {
    let [declared, key] = [declared, key].map(|key| spelling::key_components(key).join("."));
    key == declared || key.strip_suffix(&declared).is_some_and(|before| before.ends_with('.'))
}

fn same(a: Option<&ConfigValue>, b: Option<&ConfigValue>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.same_as(b),
        (None, None) => true,
        _ => false,
    }
}
