//! With what and by whom results were made: code, libraries, machines, the judge. Kinds of difference
//! that have a code of their own, and what was left out of or into the comparison of configurations.

use super::Check;
use crate::diag::{Code, Diagnostic, Explanation};
use crate::group::{ArmPair, Cell, Change, Role, Which, same_commit};
use crate::model::{ConfigEntry, ConfigValue, Run, leaf, plain};
use crate::quantity::Unit;

pub(super) const CHECK: Check = Check { id: "circumstances", explained: EXPLAINED, run };

const EXPLAINED: &[Explanation] = &[
    Explanation::new(
        Code::CodeDiffers,
        "Both runs record the commit of the code that ran, or whether its working tree was clean, \
         and the records differ. Commits are read from the configuration and from what the harness \
         writes (`git_hash` of lm-evaluation-harness); an abbreviated commit is the same as the \
         full one that it begins. A commit that only one run records is not meant, nor is another \
         branch or remote.",
        "Between two commits anything may have changed: the loss, the data loader, the scoring. A \
         difference between the arms is then one between two programs as well, and the \
         configuration shows nothing of it. Look at `git diff` between the two commits, or run \
         both arms from one.",
    ),
    Explanation::new(
        Code::HardwareDiffers,
        "Both runs record machines or how work is laid out on them (number and kind of \
         accelerators, device, batch size of an evaluation, degrees of parallelism, offloading), \
         the records differ, and no metric of speed is compared. The number of devices counts as a \
         setting of training (`R201`) where the batch is given for each device.",
        "Accelerators and batch sizes change the last digits of logits, which can turn over a \
         close choice but does not favour an arm. It is a remark for whoever looks for the cause \
         of single answers that changed. With metrics of speed it is `R235`.",
    ),
    Explanation::new(
        Code::LibraryDiffers,
        "Both runs record the version of a library (keys such as `transformers_version`, or below \
         `packages` and `dependencies`) or the inference backend, and the records differ. Versions \
         of tasks and of the harness are `R220`; a version that one run does not record is not \
         meant.",
        "Between versions, libraries change tokenizers, chat templates, sampling defaults and \
         kernels. Such changes have moved benchmark scores by points with weights and prompts \
         unchanged. Evaluate both arms in one environment.",
    ),
    Explanation::new(
        Code::JudgeDiffers,
        "Both runs record the model, version, prompt or parameters of a judge (a key with the word \
         `judge`, `grader`, `autorater` or `annotator`), or how answers are extracted and scored, \
         and the records differ without being declared with `--vary`. As the only difference it is \
         not taken for the factor. Where a judge runs (host, port, timeout) is not meant.",
        "Judges differ in strictness by more than most models differ in quality. With another \
         judge or scorer the two scores are values of two metrics under one name, and their \
         difference says as much about the judges as about the arms. Let one judge score both.",
    ),
    Explanation::new(
        Code::SpeedUnlike,
        "The machines or the layout of work differ as in `R232`, and a metric of speed is compared: \
         one in seconds, or with a name of throughput, latency, runtime or something per second.",
        "Speed is a property of a program on a machine. A faster accelerator, a larger batch or \
         another degree of parallelism moves it more than most changes to a program do.",
    ),
    Explanation::new(
        Code::DirtyTree,
        "A run records that its working tree was not clean: a key such as `dirty` or `git_dirty` \
         that is true, a recorded patch, or a commit that ends in `dirty`. Where one arm was clean \
         and says so, `R231` is raised besides.",
        "The commit then does not say what ran. Two runs from one commit can have been made by \
         different programs, and neither can be made again from what is recorded.",
    ),
    Explanation::new(
        Code::FactorDeclined,
        "No factor was declared, of the settings that both runs record exactly one change is \
         neither environment nor code, library or hardware, and it is of a kind that is hardly \
         ever what a comparison is about: judge, scorer, subset, split, revision or limit of \
         the data, prompt template, system prompt, number of shots, attempts at each question \
         (`best_of`, `num_retries`), a seed of few-shot examples or of a split, any other seed where one run \
         alone records further keys, or the hash of a model whose name is the same. It is \
         treated as an undeclared difference. Models, settings of training, sampling and \
         precision are taken for the factor instead (`R205`), and so are seeds \
         that differ alone (`R258`).",
        "Taking the only difference for the factor would call a comparison as declared because \
         a mistake was made in one place only, and a higher score under another prompt or \
         scorer would pass for a better model. Declare it with `--vary` where it is meant.",
    ),
    Explanation::new(
        Code::KeysRespelled,
        "Each arm writes a setting in its own way, and no other key of either means the same: in \
         case, hyphens and underscores (`kl-beta`, `KL_BETA`, `klBeta`), or below components that \
         only say that settings follow (`training.lr` and `lr`). They were compared as one key. \
         Different words for one thing, such as `lr` and `learning_rate`, are not matched.",
        "Without it, every setting of two producers would be recorded on one side only, and a \
         difference in one of them would go unnoticed. It is said because two keys that look alike \
         may still mean different things.",
    ),
    Explanation::new(
        Code::JudgedMetric,
        "The judge differs (`R234`) and the name of a metric says that a judge gives it: one of its \
         words is `judge`, `judged`, `grader` or `autorater`. Metrics that only may come from the \
         judge keep their verdict; the report is confounded all the same.",
        "Under one name stand two metrics, each defined by its judge. There is no difference to be \
         judged until both arms are scored by one of them.",
    ),
];

fn run(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let changes = pair.undeclared();
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut judge_differs = false;
    for change in &changes {
        let Some(code) = own_code(change, pair) else { continue };
        judge_differs |= change.role() == Role::Judge;
        found.extend(differs(code, change));
    }
    let has_commit = found.iter().any(|one| one.code == Code::CodeDiffers);
    found.extend(commits(pair).filter(|_| !has_commit));
    if judge_differs {
        found.extend(judged_metrics(pair));
    }
    found.extend(dirty(pair));
    found.extend(declined(pair));
    found.extend(respelled(pair));
    found
}

/// Whether a difference is told by a code of this file.
pub(super) fn has_own_code(change: &Change<'_>, pair: &ArmPair<'_>) -> bool {
    own_code(change, pair).is_some()
}

fn own_code(change: &Change<'_>, pair: &ArmPair<'_>) -> Option<Code> {
    match change.role() {
        Role::Judge | Role::Scorer => Some(Code::JudgeDiffers),
        Role::Code => Some(Code::CodeDiffers),
        Role::Library => Some(Code::LibraryDiffers),
        Role::Hardware if multiplies_batch(change, pair) => None,
        Role::Hardware if compares_speed(pair) => Some(Code::SpeedUnlike),
        Role::Hardware => Some(Code::HardwareDiffers),
        _ => None,
    }
}

/// Whether the number of devices is part of the batch that is trained on.
fn multiplies_batch(change: &Change<'_>, pair: &ArmPair<'_>) -> bool {
    const DEVICES: &[&str] = &[
        "gpu_count",
        "n_gpu",
        "n_gpus",
        "n_gpus_per_node",
        "nnodes",
        "num_devices",
        "num_gpus",
        "num_machines",
        "num_nodes",
        "num_processes",
        "world_size",
    ];
    let is_devices =
        change.first().is_some_and(|first| DEVICES.contains(&plain_leaf(&first.key).as_str()));
    let per_device = |run: &Run| {
        let mut keys = run.content.config.iter().map(|(key, _)| plain_leaf(key));
        keys.any(|name| name == "per_device_train_batch_size" || name == "batch_size_per_gpu")
    };
    is_devices && (per_device(pair.baseline) || per_device(pair.candidate))
}

/// The last component as every producer would write it.
fn plain_leaf(key: &str) -> String {
    plain(leaf(key))
}

fn compares_speed(pair: &ArmPair<'_>) -> bool {
    let is_shared = |cell: &&Cell<'_>| {
        cell.baseline.value().value().is_some() && cell.candidate.value().value().is_some()
    };
    pair.cells.iter().filter(is_shared).any(|cell| {
        let name = cell.key.metric.to_ascii_lowercase();
        let by_name = ["throughput", "latency", "runtime", "per_second", "per_sec", "tps", "speed"];
        cell.spec.unit == Unit::Seconds
            || by_name.iter().any(|part| name.contains(part))
            || name.ends_with("/s")
    })
}

fn differs(code: Code, change: &Change<'_>) -> Option<Diagnostic> {
    let difference = change.first()?;
    let shown = |entry: &Option<ConfigEntry>| {
        entry.as_ref().map_or_else(|| "—".to_owned(), |entry| entry.value.to_string())
    };
    let finding = Diagnostic::new(code)
        .key(&change.name())
        .with("role", change.role().key())
        .with("key", change.name())
        .with("leaf", leaf(&difference.key))
        .with("baseline", shown(&difference.baseline))
        .with("candidate", shown(&difference.candidate));
    Some(match &difference.candidate {
        Some(entry) => finding.at(entry.source.location()),
        None => finding,
    })
}

/// The commits that the harness recorded, where the configurations say nothing of theirs.
fn commits(pair: &ArmPair<'_>) -> Option<Diagnostic> {
    let declared = pair
        .differences
        .iter()
        .any(|one| one.role == Role::Code && !one.one_sided() && pair.factors.contains(&one.key));
    let mine = pair.baseline.content.provenance.commit.as_ref()?;
    let theirs = pair.candidate.content.provenance.commit.as_ref()?;
    (!declared && !same_commit(mine, theirs)).then(|| {
        Diagnostic::new(Code::CodeDiffers)
            .key("commit")
            .with("role", Role::Code.key())
            .with("key", "commit")
            .with("leaf", "commit")
            .with("baseline", mine.as_str())
            .with("candidate", theirs.as_str())
    })
}

fn judged_metrics(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let is_judged = |metric: &str| {
        let metric = metric.to_ascii_lowercase();
        let mut words = metric.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| matches!(word, "judge" | "judged" | "grader" | "autorater"))
    };
    let metrics = pair.cells.iter().map(|cell| cell.key.metric.as_str());
    let metrics: std::collections::BTreeSet<&str> =
        metrics.filter(|metric| is_judged(metric)).collect();
    let found =
        |metric: &str| Diagnostic::new(Code::JudgedMetric).metric(metric).with("metric", metric);
    metrics.into_iter().map(found).collect()
}

fn dirty(pair: &ArmPair<'_>) -> Option<Diagnostic> {
    let runs: Vec<String> = Which::BOTH
        .into_iter()
        .flat_map(|which| pair.runs(which))
        .filter(|run| is_dirty(run))
        .map(|run| run.id.clone())
        .collect();
    (!runs.is_empty()).then(|| Diagnostic::new(Code::DirtyTree).with("runs", runs))
}

fn is_dirty(run: &Run) -> bool {
    const FLAGS: &[&str] = &["dirty", "git_dirty", "is_dirty", "code_dirty", "uncommitted_changes"];
    let says = |(key, entry): (&str, &ConfigEntry)| {
        let name = plain_leaf(key);
        let yes = entry.value.same_as(&ConfigValue::Bool(true));
        let is_patch = name == "git_diff" && !entry.value.is_nothing();
        (FLAGS.contains(&name.as_str()) && yes) || is_patch
    };
    let commit = run.content.provenance.commit.as_deref().unwrap_or_default();
    run.content.config.iter().any(says) || commit.ends_with("dirty")
}

fn declined(pair: &ArmPair<'_>) -> Option<Diagnostic> {
    let keys = &pair.factors.declined;
    let first = pair.differences.iter().find(|one| keys.contains(&one.key))?;
    Some(
        Diagnostic::new(Code::FactorDeclined)
            .with("role", first.role.key())
            .with("keys", keys.clone())
            .with("leaf", leaf(&first.key)),
    )
}

fn respelled(pair: &ArmPair<'_>) -> Option<Diagnostic> {
    let pairs: Vec<String> =
        pair.respelled.iter().map(|one| format!("{} = {}", one.baseline, one.candidate)).collect();
    (!pairs.is_empty()).then(|| {
        Diagnostic::new(Code::KeysRespelled).with("count", pairs.len()).with("pairs", pairs)
    })
}
