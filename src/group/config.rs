//! Configuration key by key: what differs, what was meant to, what cannot matter.

use crate::model::{Config, ConfigEntry, Run};

/// One configuration key that is not the same in both arms.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfigDifference {
    /// Dotted key.
    pub key: String,
    /// Entry of the baseline, if it has the key.
    pub baseline: Option<ConfigEntry>,
    /// Entry of the candidate, if it has the key.
    pub candidate: Option<ConfigEntry>,
    /// Whether the key only says where, when or by whom a run was made, or which repetition it is.
    pub environment: bool,
}

impl ConfigDifference {
    /// Whether one side does not record the key.
    pub fn one_sided(&self) -> bool {
        self.baseline.is_none() || self.candidate.is_none()
    }
}

/// One change, however many keys write it down: equal last component, equal values on both sides.
/// A harness that repeats a setting for each of its tasks makes one change, not sixty.
#[derive(Debug, Clone, PartialEq)]
pub struct Change<'a> {
    /// Its differences, in configuration order; at least one.
    pub differences: Vec<&'a ConfigDifference>,
}

impl<'a> Change<'a> {
    /// The first difference.
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
}

/// Collects differences into changes, in the order of their first keys.
pub(super) fn changes<'a>(
    differences: impl IntoIterator<Item = &'a ConfigDifference>,
) -> Vec<Change<'a>> {
    let mut changes: Vec<Change<'a>> = Vec::new();
    for difference in differences {
        let known = changes.iter_mut().find(|change| {
            change.first().is_some_and(|first| {
                leaf(&first.key) == leaf(&difference.key)
                    && same(first.baseline.as_ref(), difference.baseline.as_ref())
                    && same(first.candidate.as_ref(), difference.candidate.as_ref())
            })
        });
        match known {
            Some(change) => change.differences.push(difference),
            None => changes.push(Change { differences: vec![difference] }),
        }
    }
    changes
}

/// The keys that are meant to differ.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Factors {
    /// Full keys, in configuration order.
    pub keys: Vec<String>,
    /// Whether they were taken from the only difference instead of being declared.
    pub inferred: bool,
    /// Declared names that are in no configuration.
    pub unknown: Vec<String>,
    /// Declared keys that have equal values in both arms.
    pub equal: Vec<String>,
}

impl Factors {
    /// Whether the key is meant to differ.
    pub fn contains(&self, key: &str) -> bool {
        self.keys.iter().any(|factor| factor == key)
    }
}

/// Last components of keys that say where, when or by whom a run was made. Documented in
/// `docs/formats.md`; a key outside this list is taken to be able to move a metric.
const ENVIRONMENT: &[&str] = &[
    "output_dir",
    "output_path",
    "out_dir",
    "save_dir",
    "save_path",
    "log_dir",
    "log_file",
    "logging_dir",
    "log_path",
    "run_dir",
    "run_name",
    "run_id",
    "name",
    "exp_name",
    "experiment_name",
    "wandb_project",
    "wandb_name",
    "wandb_run_id",
    "wandb_entity",
    "project",
    "project_name",
    "tags",
    "notes",
    "timestamp",
    "date",
    "created",
    "created_at",
    "started",
    "started_at",
    "ended",
    "ended_at",
    "finished_at",
    "evaluated_at",
    "start_time",
    "end_time",
    "time",
    "hostname",
    "host",
    "user",
    "username",
    "pid",
    "port",
    "cwd",
    "workdir",
    "cache_dir",
    "hf_home",
    "num_workers",
    "dataloader_num_workers",
    "progress_bar",
    "disable_tqdm",
    "verbose",
    "verbosity",
    "report_to",
    "logging_steps",
    "save_steps",
    "save_total_limit",
    "config_source",
    "command",
    "argv",
    "local_rank",
    "device",
    "device_map",
    "gpu_ids",
    "resume_from",
    "description",
];

/// Whether a key only says where, when or by whom a run was made.
pub fn is_environment(key: &str) -> bool {
    let leaf = key.rsplit('.').next().unwrap_or(key).to_ascii_lowercase();
    ENVIRONMENT.contains(&leaf.as_str())
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
    "init_seed",
    "data_seed",
    "manual_seed",
    "seed_everything",
    "random_state",
    "torch_seed",
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
pub(super) fn differences_within(lead: &Config, member: &Config) -> Vec<ConfigDifference> {
    let mut differing = differences(lead, member);
    differing.retain(|one| {
        let may = one.environment || one.one_sided() || is_seed(&one.key);
        !(may || names_the_model(&one.key) || follows_the_model(&one.key))
    });
    differing
}

/// Keys that are not the same in both, in baseline order, then those of the candidate alone.
pub(super) fn differences(baseline: &Config, candidate: &Config) -> Vec<ConfigDifference> {
    let shared = baseline.iter().filter_map(|(key, mine)| {
        let theirs = candidate.get(key);
        let same = theirs.is_some_and(|theirs| mine.value.same_as(&theirs.value));
        (!same).then(|| difference(key, Some(mine), theirs))
    });
    let added = candidate
        .iter()
        .filter(|(key, _)| baseline.get(key).is_none())
        .map(|(key, theirs)| difference(key, None, Some(theirs)));
    shared.chain(added).collect()
}

fn difference(
    key: &str,
    baseline: Option<&ConfigEntry>,
    candidate: Option<&ConfigEntry>,
) -> ConfigDifference {
    ConfigDifference {
        key: key.to_owned(),
        baseline: baseline.cloned(),
        candidate: candidate.cloned(),
        environment: is_environment(key),
    }
}

/// Finds the factors: the declared ones, or the only thing that differs.
///
/// A declared name matches a whole key or its last components, without regard to case. Without a
/// declaration, differences that are the same change written in several places (equal last
/// component, equal values) count as one.
pub(super) fn factors(
    differences: &[ConfigDifference],
    vary: &[String],
    baseline: &Run,
    candidate: &Run,
) -> Factors {
    if vary.is_empty() {
        return inferred(differences);
    }
    let mut factors = Factors::default();
    for name in vary {
        let differing: Vec<_> =
            differences.iter().filter(|difference| names(name, &difference.key)).collect();
        if !differing.is_empty() {
            factors.keys.extend(differing.iter().map(|difference| difference.key.clone()));
            continue;
        }
        let configs = [&baseline.content.config, &candidate.content.config];
        if configs.iter().any(|config| config.iter().any(|(key, _)| names(name, key))) {
            factors.equal.push(name.clone());
        } else {
            factors.unknown.push(name.clone());
        }
    }
    if factors.keys.iter().any(|key| names_the_model(key)) {
        let following = differences.iter().filter(|one| follows_the_model(&one.key));
        factors.keys.extend(following.map(|one| one.key.clone()));
    }
    factors
}

/// Keys that name the evaluated model.
fn names_the_model(key: &str) -> bool {
    const MODEL: &[&str] =
        &["pretrained", "model", "model_path", "model_name", "model_name_or_path"];
    MODEL.contains(&leaf(key))
}

/// Keys that cannot stay equal when the model changes.
fn follows_the_model(key: &str) -> bool {
    const FOLLOWING: &[&str] = &[
        "model_sha",
        "model_num_parameters",
        "model_revision",
        "model_dtype",
        "checkpoint",
        "model_name_sanitized",
    ];
    FOLLOWING.contains(&leaf(key))
}

/// Whether a declared name means the key: the whole key or its last components, without regard to
/// case.
pub fn names(declared: &str, key: &str) -> bool {
    let (declared, key) = (declared.to_ascii_lowercase(), key.to_ascii_lowercase());
    key == declared || key.strip_suffix(&declared).is_some_and(|before| before.ends_with('.'))
}

fn inferred(differences: &[ConfigDifference]) -> Factors {
    let candidates: Vec<_> = differences
        .iter()
        .filter(|difference| !difference.environment && !difference.one_sided())
        .collect();
    let main: Vec<_> = candidates
        .iter()
        .copied()
        .filter(|difference| !follows_the_model(&difference.key))
        .collect();
    let changes = changes(main);
    let [only] = changes.as_slice() else { return Factors::default() };
    let mut keys: Vec<String> =
        only.differences.iter().map(|difference| difference.key.clone()).collect();
    let is_model = keys.iter().any(|key| names_the_model(key));
    let following = candidates.iter().filter(|difference| follows_the_model(&difference.key));
    let following: Vec<String> = following.map(|difference| difference.key.clone()).collect();
    if !following.is_empty() && !is_model {
        return Factors::default();
    }
    keys.extend(following);
    Factors { keys, inferred: true, ..Factors::default() }
}

pub(super) fn leaf(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

fn same(a: Option<&ConfigEntry>, b: Option<&ConfigEntry>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.value.same_as(&b.value),
        (None, None) => true,
        _ => false,
    }
}
