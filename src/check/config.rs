//! Configuration: undeclared differences, declared factors that do not differ.

use super::Check;
use crate::diag::{Code, Diagnostic, Explanation};
use crate::group::{ArmPair, Change, ConfigDifference, Which, names};
use crate::model::Run;

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
    for change in pair.undeclared() {
        if !change.differences.iter().all(|difference| is_data(difference)) {
            found.extend(differs(&change));
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

fn differs(change: &Change<'_>) -> Option<Diagnostic> {
    let difference = change.first()?;
    let name = change.name();
    let shown = |entry: &Option<crate::model::ConfigEntry>| {
        entry.as_ref().map_or_else(|| "—".to_owned(), |entry| entry.value.to_string())
    };
    let finding = Diagnostic::new(Code::ConfigDiffers)
        .key(&name)
        .with("key", name.as_str())
        .with("leaf", difference.key.rsplit('.').next().unwrap_or_default())
        .with("baseline", shown(&difference.baseline))
        .with("candidate", shown(&difference.candidate));
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
    let theirs = &pair.candidate.content.versions;
    pair.baseline
        .content
        .versions
        .iter()
        .filter_map(|(name, version)| {
            let other = theirs.get(name)?;
            (other != version).then(|| {
                Diagnostic::new(Code::VersionDiffers)
                    .key(name)
                    .with("name", name.as_str())
                    .with("baseline", version.as_str())
                    .with("candidate", other.as_str())
            })
        })
        .collect()
}
