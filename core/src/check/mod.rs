//! May these runs be compared? Each check looks for one kind of mismatch and returns findings.
//!
//! Works on paired arms; knows no report. A finding whose code blocks ([`Effect::Blocks`]) takes the
//! verdict from its subject, unless the user accepted it and the code can be lifted.

mod aa;
mod acceptance;
mod aggregates;
mod answers;
mod answers_each;
mod arms;
mod cells;
mod checkpoint;
mod circumstances;
mod claim;
mod clusters;
mod config;
mod constants;
mod counted;
mod coverage;
mod data_files;
mod fields_apart;
mod identical;
mod infinite;
mod items;
mod noise;
mod overlap;
mod parts;
mod placeholders;
mod points;
mod protocol;
mod records;
mod rescored;
mod retries;
mod samples;
mod schedules;
mod score_scales;
mod scorers;
mod stated;
mod totals;
mod trainings;
mod trials;
mod unanswered;
mod weights;

pub use acceptance::accept_findings;
pub use claim::Claim;
pub use config::hides_telling_setting;
pub use data_files::{differ as data_files_differ, query_column};
pub use noise::names_baseline;
pub use parts::Part;
pub use protocol::breaches;

use std::collections::BTreeSet;

use crate::diag::{Code, Diagnostic, Effect, FindingAcceptance};
use crate::pairing::{ArmPair, CellPair, PairArm, PairedArms, PairedRun, RunPair};

/// Looks at one pair of arms for one kind of mismatch.
pub type Check = fn(&ArmPair<'_>) -> Vec<Diagnostic>;

/// Every check, in the order of the report.
pub static CHECKS: &[Check] = &[
    config::check_config,
    circumstances::check_circumstances,
    data_files::check_data_files,
    overlap::check_overlap,
    |pair| samples::check_samples(pair),
    |pair| counted::check_counted(pair),
    |pair| coverage::check_coverage(pair, &pair.differences),
    clusters::check_clusters,
    totals::run,
    |pair| cells::check_cells(pair),
    identical::check_identical,
    items::run,
    answers::check_answers,
    rescored::run,
    checkpoint::check_checkpoint,
    points::run,
    |pair| aggregates::check_aggregates(pair),
    |pair| stated::check_stated(pair),
    |pair| answers_each::run(pair),
    |pair| infinite::run(pair),
    |pair| unanswered::run(pair),
    |pair| scorers::run(pair),
    |pair| retries::run(pair),
    |pair| trials::run(pair),
    |pair| records::run(pair),
    |pair| weights::run(pair),
    |pair| score_scales::run(pair),
    |pair| placeholders::run(pair),
    |pair| constants::run(pair),
    |pair| schedules::run(pair),
    |pair| fields_apart::run(pair),
    arms::check_arms,
    trainings::check_trainings,
    noise::check_noise,
    aa::check_aa,
];

/// The checks that every further run of an arm has to pass as well, set against the baseline's lead.
static MEMBER_CHECKS: &[fn(&RunPair<'_>) -> Vec<Diagnostic>] = &[
    samples::check_samples,
    |pair| coverage::check_coverage(pair, &[]),
    cells::check_member,
    aggregates::check_aggregates,
    stated::check_stated,
    answers_each::run,
    infinite::run,
    unanswered::run,
    scorers::run,
    retries::run,
    trials::run,
    records::run,
    score_scales::run,
    placeholders::run,
    constants::run,
    fields_apart::run,
];

/// What those checks find about a further run.
fn member_findings<'p>(member: &'p PairedRun<'_>) -> impl Iterator<Item = Diagnostic> + 'p {
    MEMBER_CHECKS.iter().flat_map(|check| check(&member.pair))
}

/// How far a comparison may be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Nothing differs, results included.
    Identical,
    /// Only the declared factors differ.
    AsDeclared,
    /// Something undeclared differs that can move a metric.
    Confounded,
    /// Different samples, or an incomplete run.
    NotComparable,
}

impl Grade {
    /// The name in `report.json` and in the catalogue.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::AsDeclared => "as-declared",
            Self::Confounded => "confounded",
            Self::NotComparable => "not-comparable",
        }
    }
}

/// What the checks found about one pair of arms.
#[derive(Debug)]
pub struct CheckFindings {
    /// The grade, without what was accepted: that of the results which no finding grades by
    /// themselves. What is worse in part stands in [`Self::parts`].
    pub grade: Grade,
    /// The grade that the findings would give if nothing were accepted; never better.
    pub grade_unaccepted: Grade,
    /// What a verdict about the pair speaks of.
    pub claim: Claim,
    /// The results that are graded worse than the pair, the worst grade first.
    pub parts: Vec<Part>,
    pub diagnostics: Vec<Diagnostic>,
    /// For each run that repeats the baseline, what keeps it from telling the noise.
    obstacles: Vec<Vec<Diagnostic>>,
}

impl CheckFindings {
    /// Which runs that repeat the baseline can tell its noise in a cell.
    pub fn noise_usable(&self, pair: &ArmPair<'_>, cell: &CellPair<'_>) -> Vec<bool> {
        let runs = pair.noise.iter().zip(&self.obstacles);
        runs.map(|(run, obstacles)| noise::is_usable(run, obstacles, cell)).collect()
    }

    /// The first finding that takes the verdict from a cell. In a pair that is not comparable no
    /// cell has one: what decides is blocked, and what is left is no comparison.
    pub fn blocking(&self, cell: &CellPair<'_>) -> Option<&Diagnostic> {
        let mut blocking = self.diagnostics.iter().filter(|one| one.effect() == Effect::Blocks);
        let first = blocking.clone().next().filter(|_| self.grade == Grade::NotComparable);
        blocking.find(|finding| concerns(finding, cell)).or(first)
    }

    /// The codes that confound a cell and not its pair, each once.
    pub fn confounding(&self, cell: &CellPair<'_>) -> Vec<Code> {
        let found = self.diagnostics.iter().filter(|finding| {
            self.grade < Grade::Confounded
                && finding.effect() == Effect::Confounds
                && concerns(finding, cell)
        });
        let codes: BTreeSet<Code> = found.map(|finding| finding.code).collect();
        codes.into_iter().collect()
    }

    /// The codes that would take the verdict from a cell had they not been accepted, each once.
    pub fn lifted(&self, cell: &CellPair<'_>) -> Vec<Code> {
        let lifted = self.diagnostics.iter().filter(|finding| {
            finding.is_lifted()
                && finding.code.effect() == Effect::Blocks
                && concerns(finding, cell)
        });
        let codes: BTreeSet<Code> = lifted.map(|finding| finding.code).collect();
        codes.into_iter().collect()
    }

    /// The accepted findings that would confound or block, whether or not that was lifted.
    pub fn accepted_mismatches(&self) -> impl Iterator<Item = &Diagnostic> + Clone {
        self.diagnostics
            .iter()
            .filter(|finding| finding.accepted.is_some() && finding.code.effect() != Effect::None)
    }
}

/// Whether a finding is about a cell. A grid point means its samples and the figures that only
/// state something about the same dataset.
fn concerns(finding: &Diagnostic, cell: &CellPair<'_>) -> bool {
    let subject = &finding.subject;
    if finding.code == Code::SpeedUnlike && !circumstances::is_speed(cell) {
        return false;
    }
    let own = cell.key.dataset.as_deref();
    let dataset = match (subject.dataset.as_deref(), own) {
        (Some(name), Some(own)) => own.eq_ignore_ascii_case(name),
        (Some(_), None) => false,
        (None, own) => subject.dims.is_none() || own.is_none(),
    };
    let dims = subject.dims.as_ref();
    let dims = dims.is_none_or(|dims| cell.table.is_none() || *dims == cell.key.dims.to_string());
    let metric = subject.metric.as_deref();
    dataset && dims && metric.is_none_or(|name| cell.key.metric == name)
}

/// Runs every check over every pair of arms; one [`CheckFindings`] for each candidate, with what the user
/// accepted marked.
pub fn check(paired_arms: &PairedArms<'_>, accepted: &[FindingAcceptance]) -> Vec<CheckFindings> {
    paired_arms.pairs.iter().map(|pair| check_pair(pair, accepted)).collect()
}

/// As [`check`], for runs that may have no results yet: that there is none to share is no finding
/// where an arm has none at all.
pub fn check_before_results(
    paired_arms: &PairedArms<'_>,
    accepted: &[FindingAcceptance],
) -> Vec<CheckFindings> {
    let has_results =
        |pair: &ArmPair<'_>, which| pair.cells.iter().any(|cell| cell.figure(which).is_some());
    let of_pair = |pair: &ArmPair<'_>| {
        let CheckFindings { mut diagnostics, obstacles, .. } = check_pair(pair, accepted);
        if !PairArm::BOTH.iter().all(|&which| has_results(pair, which)) {
            let says_so = [Code::NoSharedMetric, Code::OnlyCurves];
            diagnostics.retain(|finding| !says_so.contains(&finding.code));
        }
        graded(pair, diagnostics, obstacles)
    };
    paired_arms.pairs.iter().map(of_pair).collect()
}

fn check_pair(pair: &ArmPair<'_>, accepted: &[FindingAcceptance]) -> CheckFindings {
    let mut diagnostics: Vec<Diagnostic> = CHECKS.iter().flat_map(|check| check(pair)).collect();
    for member in PairArm::BOTH.iter().flat_map(|&which| pair.members(which)) {
        for finding in member_findings(member) {
            // What concerns the baseline's lead alone was found before.
            if !diagnostics.contains(&finding) {
                let run = finding.subject.run.clone().unwrap_or_else(|| member.run.id.clone());
                diagnostics.push(finding.run(&run));
            }
        }
    }
    let obstacles: Vec<Vec<Diagnostic>> =
        pair.noise.iter().map(|member| noise::obstacles(pair, member)).collect();
    diagnostics.extend(noise::unused(pair, &obstacles));
    let name = pair.name(PairArm::Candidate);
    let mut diagnostics: Vec<Diagnostic> =
        diagnostics.into_iter().map(|finding| finding.candidate(name)).collect();
    acceptance::mark_accepted(&mut diagnostics, accepted);
    graded(pair, diagnostics, obstacles)
}

/// Findings with the grades that follow from them.
fn graded(
    pair: &ArmPair<'_>,
    diagnostics: Vec<Diagnostic>,
    obstacles: Vec<Vec<Diagnostic>>,
) -> CheckFindings {
    let grade_unaccepted = parts::grade(pair, &diagnostics, |finding| finding.code.effect());
    let same = !pair.is_repeated()
        && pair.residue().next().is_none()
        && pair.factors.keys.is_empty()
        && identical::same_run(pair);
    let grade = match parts::grade(pair, &diagnostics, Diagnostic::effect) {
        Grade::AsDeclared if grade_unaccepted == Grade::AsDeclared && same => Grade::Identical,
        grade => grade,
    };
    let parts = parts::parts(pair, &diagnostics, grade);
    CheckFindings {
        grade,
        grade_unaccepted: if grade == Grade::Identical { grade } else { grade_unaccepted },
        claim: claim::claim(pair),
        parts,
        diagnostics,
        obstacles,
    }
}
