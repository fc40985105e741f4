//! Configuration: undeclared differences, declared factors that do not differ.

use super::Check;
use super::circumstances::has_own_code;
use crate::diag::{Code, Diagnostic, Explanation, Severity};
use crate::group::{ArmPair, Change, ConfigDifference, Role, Which, names, records_training};
use crate::model::{Provenance, Run};

pub(super) const CHECK: Check = Check { id: "config", explained: EXPLAINED, run };

const EXPLAINED: &[Explanation] = &[
    Explanation::new(
        Code::ConfigDiffers,
        "A configuration key differs that was not declared as a factor and can move a metric.",
        "",
    ),
    Explanation::new(Code::ConfigOneSided, "A configuration key is recorded on one side only.", ""),
    Explanation::new(Code::FactorEqual, "A declared factor does not differ between the arms.", ""),
    Explanation::new(
        Code::FactorUnknown,
        "A factor named on the command line is in no configuration.",
        "",
    ),
    Explanation::new(
        Code::FactorInferred,
        "The only differing configuration key was taken for the factor.",
        "",
    ),
    Explanation::new(Code::VersionDiffers, "The task, dataset or harness version differs.", ""),
    Explanation::new(
        Code::NoConfig,
        "A run records no configuration, so differences in it cannot be seen.",
        "",
    ),
];

fn run(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let mut found = factor_findings(pair);
    found.extend(no_config(pair));
    let names_data = |run: &Run, key: &str| run.data_files.iter().any(|file| file.key == key);
    let is_data = |difference: &ConfigDifference| {
        names_data(pair.baseline, &difference.key) && names_data(pair.candidate, &difference.key)
    };
    let is_training = records_training(&pair.baseline.content.config)
        || records_training(&pair.candidate.content.config);
    for change in pair.undeclared() {
        let is_data = change.differences.iter().all(|difference| is_data(difference));
        if !is_data && !has_own_code(&change, pair) {
            found.extend(differs(&change, is_training));
        }
    }
    let one_sided: Vec<&ConfigDifference> =
        pair.residue().filter(|one| one.one_sided() && !is_data(one)).collect();
    found.extend(one_sided_finding(pair, &one_sided));
    found.extend(version_findings(pair));
    found
}

fn no_config(pair: &ArmPair<'_>) -> Option<Diagnostic> {
    let silent: Vec<String> = Which::BOTH
        .into_iter()
        .flat_map(|which| pair.runs(which))
        .filter(|run| run.content.config.is_empty())
        .map(|run| run.id.clone())
        .collect();
    (!silent.is_empty()).then(|| Diagnostic::new(Code::NoConfig).with("runs", silent))
}

fn factor_findings(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let factors = &pair.factors;
    let equal = factors.equal.iter().map(|key| {
        let value = pair.baseline.content.config.iter().find(|(full, _)| names(key, full));
        let shown = value.map_or_else(String::new, |(_, entry)| entry.value.to_string());
        Diagnostic::new(Code::FactorEqual).key(key).with("key", key.as_str()).with("value", shown)
    });
    let unknown = factors
        .unknown
        .iter()
        .map(|key| Diagnostic::new(Code::FactorUnknown).key(key).with("key", key.as_str()));
    let mut found: Vec<Diagnostic> = equal.chain(unknown).collect();
    if factors.inferred && !factors.keys.is_empty() {
        found.push(Diagnostic::new(Code::FactorInferred).with("keys", factors.keys.clone()));
    }
    found
}

/// How loud a difference is: what changes the questions or how they are answered makes scores of two
/// tests out of scores of one. Sampling belongs to the training where there is one.
fn severity(role: Role, is_training: bool) -> Severity {
    match role {
        Role::Dataset | Role::Prompt | Role::FewShot => Severity::Error,
        Role::Decoding if !is_training => Severity::Error,
        _ => Severity::Warning,
    }
}

fn differs(change: &Change<'_>, is_training: bool) -> Option<Diagnostic> {
    let difference = change.first()?;
    let name = change.name();
    let shown = |entry: &Option<crate::model::ConfigEntry>| {
        entry.as_ref().map_or_else(|| "—".to_owned(), |entry| entry.value.to_string())
    };
    let mut finding = Diagnostic::new(Code::ConfigDiffers)
        .key(&name)
        .with("role", change.role().key())
        .with("key", name.as_str())
        .with("leaf", difference.key.rsplit('.').next().unwrap_or_default())
        .with("baseline", shown(&difference.baseline))
        .with("candidate", shown(&difference.candidate));
    finding.severity = severity(change.role(), is_training);
    if !change.following.is_empty() {
        let following = change.following.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
        finding = finding.with("following", following);
    }
    Some(match &difference.candidate {
        Some(entry) => finding.at(entry.source.location()),
        None => finding,
    })
}

/// One finding for all keys that one side does not record: absence of a record is not evidence of
/// a difference. Silent when a side has no configuration at all, which `inspect` shows.
fn one_sided_finding(pair: &ArmPair<'_>, keys: &[&ConfigDifference]) -> Option<Diagnostic> {
    if keys.is_empty() {
        return None;
    }
    let side = |missing: fn(&ConfigDifference) -> bool| -> Vec<String> {
        keys.iter().filter(|key| missing(key)).map(|key| key.key.clone()).collect()
    };
    Some(
        Diagnostic::new(Code::ConfigOneSided)
            .with("count", keys.len())
            .with("baseline", pair.baseline.id.as_str())
            .with("candidate", pair.candidate.id.as_str())
            .with("baseline_only", side(|key| key.candidate.is_none()))
            .with("candidate_only", side(|key| key.baseline.is_none())),
    )
}

fn version_findings(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let (mine, theirs) = (&pair.baseline.content.versions, &pair.candidate.content.versions);
    let shared = mine.iter().filter_map(|(name, version)| Some((name, version, theirs.get(name)?)));
    let mut found: Vec<Diagnostic> = shared
        .filter(|(_, version, other)| version != other)
        .map(|(name, version, other)| version_differs(name, version, other))
        .collect();
    if found.is_empty() {
        let [mine, theirs] = [pair.baseline, pair.candidate].map(|run| &run.content.provenance);
        found.extend(harness_differs(mine, theirs));
    }
    found
}

/// The program that wrote the results, where no version of it stands among those of the tasks.
fn harness_differs(mine: &Provenance, theirs: &Provenance) -> Option<Diagnostic> {
    let (a, b) = (mine.harness.as_ref()?, theirs.harness.as_ref()?);
    if a != b {
        return Some(version_differs("harness", a, b));
    }
    let (old, new) = (mine.harness_version.as_ref()?, theirs.harness_version.as_ref()?);
    (old != new).then(|| version_differs(a, old, new))
}

fn version_differs(name: &str, baseline: &str, candidate: &str) -> Diagnostic {
    Diagnostic::new(Code::VersionDiffers)
        .key(name)
        .with("name", name)
        .with("baseline", baseline)
        .with("candidate", candidate)
}
