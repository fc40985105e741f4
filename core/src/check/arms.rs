//! Arms of several runs: what differs within one, results that are too equal, seeds recorded twice.

use std::collections::{BTreeMap, BTreeSet};

use super::{config, data_files, trainings};
use crate::diag::{Code, Diagnostic, Fact};
use crate::model::{ConfigEntry, ContentHashes, Run};
use crate::pairing::{
    ArmPair, ConfigDifference, PairArm, PairedRun, PairedRunCell, names_other_model,
    names_the_model,
};

/// Fewer equal aggregates than this can be equal by chance.
const FEWEST_AGGREGATES: usize = 4;

pub(super) fn check_arms(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    if !pair.is_repeated() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for which in PairArm::BOTH {
        let members = pair.members(which);
        let differing = |member| differing(Code::ArmRunsDiffer, pair, which, member);
        found.extend(members.iter().flat_map(differing));
        found.extend(other_models(pair, which));
        found.extend(recorded_by_some(pair, which));
        found.extend(identical(pair, which));
        found.extend(repeated_seeds(pair, which));
        if members.is_empty() {
            let lead = pair.run(which);
            found.push(about(Code::OneSeed, pair, which, lead).with("run", lead.id.as_str()));
        }
    }
    found
}

fn about(code: Code, pair: &ArmPair<'_>, which: PairArm, run: &Run) -> Diagnostic {
    Diagnostic::new(code).run(&run.id).with("arm", pair.name(which))
}

/// Configuration, data files and versions that runs of one arm should share and do not.
pub(super) fn differing(
    code: Code,
    pair: &ArmPair<'_>,
    which: PairArm,
    member: &PairedRun<'_>,
) -> Vec<Diagnostic> {
    let (lead, run) = (pair.run(which), member.run);
    let file_of = |run: &Run, key: &str| run.data_files.iter().any(|file| file.key == key);
    let is_data = |key: &str| file_of(lead, key) && file_of(run, key);
    let shown = |entry: &Option<ConfigEntry>| {
        entry.as_ref().map_or_else(|| Fact::from(""), |entry| Fact::from(&entry.value))
    };
    let keys = member.within.iter().filter(|one| !is_data(&one.key));
    let keys = keys.map(|one| (one.key.as_str(), shown(&one.baseline), shown(&one.candidate)));
    let files = run.data_files.iter().filter_map(|theirs| {
        let mut named = pair.runs(which).flat_map(|one| &one.data_files);
        let mine = named.find(|mine| mine.key == theirs.key)?;
        let [own, other] = [mine, theirs].map(|file| Fact::from(file.declared.as_str()));
        let names = (mine.key.as_str(), own, other);
        data_files::differ(mine, theirs).then_some(names)
    });
    let versions = run.content.versions.iter().filter_map(|(name, theirs)| {
        let mine = pair.runs(which).find_map(|one| one.content.versions.get(name))?;
        (mine != theirs).then(|| (name.as_str(), mine.as_str().into(), theirs.as_str().into()))
    });
    let named = keys.chain(files).chain(versions);
    named
        .map(|(key, mine, theirs)| differs(code, pair, (which, run), key, [mine, theirs]))
        .collect()
}

/// The finding that the first run of an arm that records a key and another run of it have these values of it.
fn differs(
    code: Code,
    pair: &ArmPair<'_>,
    (which, run): (PairArm, &Run),
    key: &str,
    [mine, theirs]: [Fact; 2],
) -> Diagnostic {
    let records = |run: &&Run| run.content.config.get(key).is_some();
    let first = pair.runs(which).find(records).unwrap_or(pair.run(which));
    let mut finding = about(code, pair, which, run)
        .about_key(key)
        .with("first", first.id.as_str())
        .with("first_value", mine)
        .with("run", run.id.as_str())
        .with("value", theirs);
    finding.location = run.content.config.get(key).map(|entry| entry.source.location());
    finding
}

/// Runs of another model than others of the arm: trainings with other seeds have one model all, or each its
/// own, which no run of the other arm has unless the arms have the same models.
fn other_models(pair: &ArmPair<'_>, which: PairArm) -> Vec<Diagnostic> {
    let runs: Vec<&Run> = pair.runs(which).collect();
    let [lead, members @ ..] = &runs[..] else { return Vec::new() };
    let others = |key: &str| -> BTreeSet<String> {
        let entries = pair.runs(which.other()).filter_map(|run| run.content.config.get(key));
        entries.map(|entry| entry.value.to_string()).collect()
    };
    let keys = lead.content.config.iter().map(|(key, _)| key).filter(|key| names_the_model(key));
    let found = keys.filter_map(|key| {
        let value = |run: &Run| Some(run.content.config.get(key)?.value.clone());
        let own = value(lead)?;
        let values: Vec<String> =
            runs.iter().filter_map(|run| Some(value(run)?.to_string())).collect();
        let distinct: BTreeSet<String> = values.iter().cloned().collect();
        let theirs = others(key);
        let is_shared = distinct != theirs && !distinct.is_disjoint(&theirs);
        let is_other =
            |run: &&&Run| value(run).is_some_and(|one| one.to_string() != own.to_string());
        let other = members.iter().find(is_other)?;
        let shown = [Fact::from(&own), Fact::from(&value(other)?)];
        let is_mixed = distinct.len() < values.len() || is_shared;
        is_mixed.then(|| differs(Code::ArmRunsDiffer, pair, (which, other), key, shown))
    });
    found.collect()
}

/// What decides scores and is recorded by some runs of an arm and not by its lead, or the other way round:
/// settings, and what their samples were asked.
fn recorded_by_some(pair: &ArmPair<'_>, which: PairArm) -> Option<Diagnostic> {
    let lead = pair.run(which);
    let one_sided = |member: &PairedRun<'_>| -> [Vec<String>; 2] {
        let settings = |lacks: fn(&ConfigDifference) -> bool| {
            let lacking = member.recorded_by_one.iter().filter(move |one| lacks(one));
            lacking.map(|one| one.key.clone())
        };
        let [mine, theirs] = [lead, member.run].map(recorded_content);
        let both_have_samples =
            !lead.content.samples.is_empty() && !member.run.content.samples.is_empty();
        let content = |own: &[&str], other: &[&str]| -> Vec<String> {
            let alone = own.iter().filter(|kind| both_have_samples && !other.contains(kind));
            alone.map(|kind| format!("samples.{kind}")).collect()
        };
        let of_lead = settings(|one| one.candidate.is_none()).chain(content(&mine, &theirs));
        let of_member = settings(|one| one.baseline.is_none()).chain(content(&theirs, &mine));
        [of_lead.collect(), of_member.collect()]
    };
    let found = pair.members(which).iter().map(|member| (member.run, one_sided(member)));
    let mut found = found.filter(|(_, sides)| sides.iter().any(|keys| !keys.is_empty())).peekable();
    let (first, _) = found.peek()?;
    let first = *first;
    let mut sides = [BTreeSet::new(), BTreeSet::new()];
    for (_, own) in found {
        sides.iter_mut().zip(own).for_each(|(all, own)| all.extend(own));
    }
    let sides = sides.map(|keys| keys.into_iter().collect::<Vec<String>>());
    let telling = sides.concat();
    let finding = config::recorded_by_one([&lead.id, &first.id], sides, telling);
    Some(finding.about_run(&first.id))
}

/// What the records of a run hold of their samples beside ids and answers.
fn recorded_content(run: &Run) -> Vec<&'static str> {
    let holds = |part: fn(&ContentHashes) -> bool| {
        let mut tables = run.content.samples.iter();
        tables.any(|table| (0..table.len()).any(|row| part(&table.hashes(row))))
    };
    let parts = [
        ("prompt", holds(|one| one.prompt.is_some())),
        ("target", holds(|one| one.target.is_some())),
        ("document", holds(|one| one.document.is_some())),
    ];
    parts.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name).collect()
}

/// Each run of an arm that has exactly the results of one before it.
fn identical(pair: &ArmPair<'_>, which: PairArm) -> Vec<Diagnostic> {
    let judged = pair.cells.iter().filter(|cell| cell.has_good_side());
    let cells: Vec<Vec<PairedRunCell<'_, '_>>> =
        judged.map(|cell| pair.run_cells(cell, which)).collect();
    let runs: Vec<&Run> = pair.runs(which).collect();
    let equal = |earlier: usize, later: usize| {
        let both = cells.iter().filter_map(|of| Some((of.get(earlier)?, of.get(later)?)));
        let kinds: Vec<Sameness> = both.map(|(a, b)| sameness(a, b)).collect();
        let figures = kinds.iter().filter(|kind| **kind == Sameness::Figure).count();
        !kinds.contains(&Sameness::Different)
            && (kinds.contains(&Sameness::Outcomes) || figures >= FEWEST_AGGREGATES)
    };
    let are_figures =
        |of: &&Vec<PairedRunCell<'_, '_>>| of.iter().all(|one| one.samples().is_none());
    let stated: Vec<_> = cells.iter().filter(are_figures).collect();
    // Only runs with the same figures can be equal: of thousands, few are held against each other.
    let mut by_figures: BTreeMap<Vec<Option<u64>>, Vec<usize>> = BTreeMap::new();
    (0..runs.len())
        .filter_map(|later| {
            let figure = |of: &&Vec<PairedRunCell<'_, '_>>| of.get(later)?.value();
            // Equal numbers have equal bits but for zeros.
            let figures = stated.iter().map(|of| figure(of).map(|value| (value + 0.0).to_bits()));
            let known = by_figures.entry(figures.collect()).or_default();
            let earlier = known.iter().copied().find(|&earlier| equal(earlier, later));
            known.push(later);
            let earlier = earlier?;
            let finding = about(Code::ArmRunsIdentical, pair, which, runs[later]);
            let names = (runs[earlier].id.as_str(), runs[later].id.as_str());
            Some(finding.with("first", names.0).with("run", names.1))
        })
        .collect()
}

/// How far two runs have the same result in one cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sameness {
    /// Every sample in order has the same score, and scores vary.
    Outcomes,
    /// The stated figure is the same to the last digit.
    Figure,
    /// Equal, but for results that any two runs could share: none, or one score throughout.
    Trivial,
    /// The results differ.
    Different,
}

fn sameness(a: &PairedRunCell<'_, '_>, b: &PairedRunCell<'_, '_>) -> Sameness {
    let (Some(mine), Some(theirs)) = (a.samples(), b.samples()) else {
        return match (a.value(), b.value()) {
            (None, None) => Sameness::Trivial,
            (mine, theirs) if mine == theirs => Sameness::Figure,
            _ => Sameness::Different,
        };
    };
    let mut rows = 0..mine.table.len();
    if !mine.table.same_ids(theirs.table) || rows.clone().any(|row| a.score(row) != b.score(row)) {
        Sameness::Different
    } else if rows.any(|row| a.score(row) != a.score(0)) {
        Sameness::Outcomes
    } else {
        Sameness::Trivial
    }
}

/// Seeds that several runs of an arm record.
fn repeated_seeds(pair: &ArmPair<'_>, which: PairArm) -> Vec<Diagnostic> {
    let mut by_seed: BTreeMap<&str, Vec<&Run>> = BTreeMap::new();
    for (position, run) in pair.runs(which).enumerate() {
        if let Some(seed) = pair.seed(which, position) {
            by_seed.entry(seed).or_default().push(run);
        }
    }
    by_seed
        .into_iter()
        .filter_map(|(seed, runs)| {
            let [_, second, ..] = runs.as_slice() else { return None };
            let names: Vec<String> = runs.iter().map(|run| run.id.clone()).collect();
            let configs = || runs.iter().map(|run| &run.content.config);
            let one_model = configs().enumerate().any(|(at, one)| {
                configs().skip(at + 1).any(|other| !names_other_model(one, other))
            });
            if !one_model && trainings::are_steps(pair, which) {
                return None;
            }
            let code = if one_model { Code::SeedNoRepetition } else { Code::SeedRepeated };
            let finding = about(code, pair, which, second);
            Some(finding.with("seed", seed).with("runs", names))
        })
        .collect()
}
