//! Runs that repeat the baseline: whether they do, and for which results.

use super::{arms, concerns, member_findings};
use crate::diag::{Code, Diagnostic, Effect};
use crate::model::{Column, ConfigEntry, Run, SampleTable};
use crate::pairing::{ArmPair, CellPair, PairArm, PairedRun};

pub(super) fn check_noise(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let names: Vec<String> = pair.noise.iter().map(|member| member.run.id.clone()).collect();
    if pair.is_repeated() && !names.is_empty() {
        return vec![Diagnostic::new(Code::NoiseRedundant).with("runs", names)];
    }
    let differing =
        |member| arms::differing(Code::NoiseRunDiffers, pair, PairArm::Baseline, member);
    pair.noise
        .iter()
        .flat_map(|member| {
            let mut found = differing(member);
            let more = candidate_values(pair, member)
                .filter(|one| found.iter().all(|known| known.subject.key != one.subject.key));
            let more: Vec<Diagnostic> = more.collect();
            found.extend(more);
            found.extend(copy(pair, member));
            found
        })
        .collect()
}

/// What keeps a run from telling the noise: anything that makes its results others than another run
/// of the baseline would have.
pub(super) fn obstacles(pair: &ArmPair<'_>, member: &PairedRun<'_>) -> Vec<Diagnostic> {
    let of_factor = arms::differing(Code::NoiseRunDiffers, pair, PairArm::Baseline, member)
        .into_iter()
        .filter(|one| one.subject.key.as_ref().is_some_and(|key| pair.factors.contains(key)));
    member_findings(member)
        .filter(|finding| finding.code.effect() != Effect::None)
        .chain(of_factor)
        .chain(candidate_values(pair, member))
        .chain(copy(pair, member))
        .collect()
}

/// One finding for each factor in which a run has the value of the candidate. Where seeds are the
/// factor, the candidate repeats the baseline itself.
fn candidate_values(
    pair: &ArmPair<'_>,
    member: &PairedRun<'_>,
) -> impl Iterator<Item = Diagnostic> {
    let seeds_only = pair.differ_in_seeds_only();
    let factors = pair.differences.iter().filter(|one| pair.factors.contains(&one.key));
    let found = factors.filter(|_| !seeds_only).filter_map(|one| {
        let (mine, theirs) = (one.baseline.as_ref()?, one.candidate.as_ref()?);
        let own = member.run.content.config.get(&one.key)?;
        let is_candidate = own.value.same_as(&theirs.value) && !own.value.same_as(&mine.value);
        is_candidate.then(|| {
            Diagnostic::new(Code::NoiseRunDiffers)
                .run(&member.run.id)
                .key(&one.key)
                .with("arm", pair.name(PairArm::Baseline))
                .with("key", one.key.as_str())
                .with("first", pair.baseline.id.as_str())
                .with("first_value", &mine.value)
                .with("run", member.run.id.as_str())
                .with("value", &own.value)
                .at(own.source.location())
        })
    });
    found.collect::<Vec<_>>().into_iter()
}

/// The finding for a run that holds the samples of an arm again.
fn copy(pair: &ArmPair<'_>, member: &PairedRun<'_>) -> Option<Diagnostic> {
    let run = member.run;
    let of_baseline = same_samples(pair.baseline, run) && same_config(pair.baseline, run);
    let of_candidate =
        same_samples(pair.candidate, run) && !same_samples(pair.candidate, pair.baseline);
    (of_baseline || of_candidate).then(|| names_baseline(&run.id).run(&run.id))
}

fn same_config(one: &Run, other: &Run) -> bool {
    let (one, other) = (&one.content.config, &other.content.config);
    let same = |(key, entry): (&str, &ConfigEntry)| {
        other.get(key).is_some_and(|theirs| theirs.value.same_as(&entry.value))
    };
    one.len() == other.len() && one.iter().all(same)
}

/// Whether two runs have the same samples in the same order with the same scores, and any that vary.
fn same_samples(one: &Run, other: &Run) -> bool {
    let (mine, theirs) = (&one.content.samples, &other.content.samples);
    let varies = |table: &SampleTable| {
        let mut columns = table.columns().iter().map(|(_, column)| column);
        columns.any(|column| (1..table.len()).any(|row| column.get(row) != column.get(0)))
    };
    mine.len() == theirs.len()
        && mine.iter().any(varies)
        && mine.iter().zip(theirs).all(|(mine, theirs)| same_table(mine, theirs))
}

fn same_table(mine: &SampleTable, theirs: &SampleTable) -> bool {
    let same = |((name, a), (other, b)): (&(String, Column), &(String, Column))| {
        name == other && (0..mine.len()).all(|row| a.get(row) == b.get(row))
    };
    mine.dims == theirs.dims
        && mine.same_ids(theirs)
        && mine.columns().len() == theirs.columns().len()
        && mine.columns().iter().zip(theirs.columns()).all(same)
}

/// Whether a run has a figure for the cell and nothing stands against it.
pub(super) fn is_usable(
    member: &PairedRun<'_>,
    obstacles: &[Diagnostic],
    cell: &CellPair<'_>,
) -> bool {
    let there = member.cell(cell);
    let concerned = |there: &CellPair<'_>| obstacles.iter().any(|finding| concerns(finding, there));
    there.is_some_and(|there| there.figure(PairArm::Candidate).is_some() && !concerned(there))
}

/// For each run that repeats the baseline, the results for which it cannot tell the noise.
pub(super) fn unused(pair: &ArmPair<'_>, obstacles: &[Vec<Diagnostic>]) -> Vec<Diagnostic> {
    if pair.is_repeated() {
        return Vec::new();
    }
    let known =
        |cell: &&CellPair<'_>| cell.has_good_side() && cell.figure(PairArm::Baseline).is_some();
    let of = pair.cells.iter().filter(known).count();
    let finding = |(member, obstacles): (&PairedRun<'_>, &Vec<Diagnostic>)| {
        let unusable = |cell: &&CellPair<'_>| !is_usable(member, obstacles, cell);
        let cells: Vec<String> = pair
            .cells
            .iter()
            .filter(known)
            .filter(unusable)
            .map(|cell| cell.key.to_string())
            .collect();
        let is_copy = obstacles.iter().any(|finding| finding.code == Code::NoiseIsBaseline);
        if cells.is_empty() || is_copy {
            return None;
        }
        let mut codes: Vec<String> =
            obstacles.iter().map(|finding| finding.code.id().to_owned()).collect();
        codes.sort();
        codes.dedup();
        let finding = Diagnostic::new(Code::NoiseRunUnused)
            .about_run(&member.run.id)
            .with("baseline", pair.baseline.id.as_str())
            .with("count", cells.len())
            .with("of", of)
            .with("cells", cells)
            .with("codes", codes);
        Some(finding)
    };
    pair.noise.iter().zip(obstacles).filter_map(finding).collect()
}

/// The finding for a run of the baseline that is named to tell its own noise, or a copy of an arm; the
/// command line, which knows places before anything is read, leaves out the former.
pub fn names_baseline(run: &str) -> Diagnostic {
    Diagnostic::new(Code::NoiseIsBaseline).with("run", run)
}
