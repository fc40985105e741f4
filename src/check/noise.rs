//! Runs that repeat the baseline: whether they do, and for which results.

use super::{Check, arms, concerns, of_member};
use crate::diag::{Code, Diagnostic, Effect, Explanation};
use crate::group::{ArmPair, Cell, Member, Which};

pub(super) const CHECK: Check = Check { id: "noise", explained: EXPLAINED, run };

const EXPLAINED: &[Explanation] = &[
    Explanation::new(
        Code::NoiseRunDiffers,
        "A run named with `--noise` records another value than the baseline for a configuration key, \
         a data file or a version, and the key is neither a seed nor environment (paths, hosts, \
         times) nor the name of the trained model. The run is used all the same. Keys that only one \
         of the two records are not meant: absence of a record is no evidence of a difference.",
        "The distance between that run and the baseline holds the effect of the key besides chance. \
         The noise floor is then too high, and real differences, regressions among them, disappear \
         below it.",
    ),
    Explanation::new(
        Code::NoiseRunUnused,
        "A run named with `--noise` lacks the figure of a comparison, or its samples are not those of \
         the baseline: others, with other contents or prompts, or more than 5 % of them without a \
         score. It does not count there; where no run is left there is no noise floor. Metrics \
         without a declared good side are not counted in the finding.",
        "Runs on other questions, or on part of them, differ by the questions and not by chance alone. \
         A reader who trusts the floor of one metric may otherwise take another metric for covered \
         as well.",
    ),
    Explanation::new(
        Code::NoiseIsBaseline,
        "A path named with `--noise`, or matched by its pattern, leads to the very place of a run of the \
         baseline, be it by another spelling or a link. It is left out. A copy of the baseline \
         elsewhere is not meant; it is used, and shows a noise of 0.",
        "A run differs from itself by nothing. Counted as a further run it would shrink the noise floor, \
         and chance would pass for a difference.",
    ),
    Explanation::new(
        Code::NoiseRedundant,
        "Runs are named with `--noise` although an arm has several runs (`--arm`). They are read and \
         compared with nothing. It says nothing against either way of asking.",
        "The spread between the runs of either arm is part of their interval and test already. A floor \
         on top would count the same noise twice and hide differences that are there.",
    ),
];

fn run(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let names: Vec<String> = pair.noise.iter().map(|member| member.run.id.clone()).collect();
    if pair.is_repeated() && !names.is_empty() {
        return vec![Diagnostic::new(Code::NoiseRedundant).with("runs", names)];
    }
    let differing = |member| arms::differing(Code::NoiseRunDiffers, pair, Which::Baseline, member);
    pair.noise.iter().flat_map(differing).collect()
}

/// What keeps a run from telling the noise: anything that makes its results others than another run
/// of the baseline would have.
pub(super) fn obstacles(member: &Member<'_>) -> Vec<Diagnostic> {
    of_member(member).filter(|finding| finding.code.effect() != Effect::None).collect()
}

/// Whether a run has a figure for the cell and nothing stands against it.
pub(super) fn is_usable(member: &Member<'_>, obstacles: &[Diagnostic], cell: &Cell<'_>) -> bool {
    let there = member.cell(cell);
    let concerned =
        |there: &Cell<'_>| obstacles.iter().any(|finding| concerns(&finding.subject, there));
    there.is_some_and(|there| there.candidate.value().value().is_some() && !concerned(there))
}

/// For each run that repeats the baseline, the results for which it cannot tell the noise.
pub(super) fn unused(pair: &ArmPair<'_>, obstacles: &[Vec<Diagnostic>]) -> Vec<Diagnostic> {
    if pair.is_repeated() {
        return Vec::new();
    }
    let known = |cell: &&Cell<'_>| {
        cell.spec.direction.sign().is_some() && cell.baseline.value().value().is_some()
    };
    let of = pair.cells.iter().filter(known).count();
    let finding = |(member, obstacles): (&Member<'_>, &Vec<Diagnostic>)| {
        let unusable = |cell: &&Cell<'_>| !is_usable(member, obstacles, cell);
        let cells: Vec<String> = pair
            .cells
            .iter()
            .filter(known)
            .filter(unusable)
            .map(|cell| cell.key.to_string())
            .collect();
        if cells.is_empty() {
            return None;
        }
        let mut codes: Vec<String> =
            obstacles.iter().map(|finding| finding.code.id().to_owned()).collect();
        codes.sort();
        codes.dedup();
        let finding = Diagnostic::new(Code::NoiseRunUnused)
            .run(&member.run.id)
            .with("run", member.run.id.as_str())
            .with("baseline", pair.baseline.id.as_str())
            .with("count", cells.len())
            .with("of", of)
            .with("cells", cells)
            .with("codes", codes);
        Some(finding)
    };
    pair.noise.iter().zip(obstacles).filter_map(finding).collect()
}

/// The finding for a run of the baseline that is named to tell its own noise; the command line, which
/// knows places before anything is read, leaves it out.
pub fn names_baseline(run: &str) -> Diagnostic {
    Diagnostic::new(Code::NoiseIsBaseline).with("run", run)
}
