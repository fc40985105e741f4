//! What the stages found, for the sections and the data to draw from.

use std::collections::BTreeSet;

use crate::check::{CheckFindings, Grade};
use crate::compare::{
    Comparison, Families, PairedCurves, Pairing, RateCondition, RunsOverDatasets, ScoreBins, Suite,
    Systems, Trend,
};
use crate::diag::{Code, Diagnostic};
use crate::gate::JudgedGate;
use crate::model::{EvalCommand, Layout, Run};
use crate::pairing::{ArmPair, PairArm, PairedArms};
use crate::stats::{Note, Options};
use crate::text::Catalogue;

/// Everything that a report is made from.
#[derive(Debug, Clone, Copy)]
pub struct ReportMaterial<'a> {
    pub paired_arms: &'a PairedArms<'a>,
    /// What the checks found, one for each candidate.
    pub findings: &'a [CheckFindings],
    /// What the comparison found, one list for each candidate.
    pub comparisons: &'a [Vec<Comparison<'a>>],
    pub suites: &'a [Suite<'a>],
    /// The families of all tests of comparisons and averages.
    pub families: &'a Families,
    pub tasks: &'a [RunsOverDatasets<'a>],
    /// Training series and their trends, run by run.
    pub trends: &'a [Trend<'a>],
    /// Training series of both arms side by side, one for each candidate.
    pub curves: &'a [PairedCurves<'a>],
    /// Scores by confidence and by length, one list for each candidate.
    pub score_bins: &'a [Vec<ScoreBins<'a>>],
    pub systems: &'a Systems<'a>,
    /// What was noticed while reading.
    pub collected: &'a [Diagnostic],
    pub options: Options,
    /// Axes of the grids, and parts that a person writes.
    pub layout: &'a Layout,
    /// The command for a result that is missing.
    pub eval: Option<&'a EvalCommand>,
    /// The command that makes this report again.
    pub command: &'a str,
    pub gates: &'a [JudgedGate],
    pub words: &'static Catalogue,
}

impl<'a> ReportMaterial<'a> {
    /// Each candidate's pair with its findings and comparisons.
    pub(crate) fn pairs(
        &self,
    ) -> impl Iterator<Item = (&'a ArmPair<'a>, &'a CheckFindings, &'a [Comparison<'a>])> {
        let pairs = self.paired_arms.pairs.iter();
        pairs.zip(self.findings).zip(self.comparisons).map(|((a, b), c)| (a, b, c.as_slice()))
    }

    /// Every arm with a pair it belongs to, baseline first.
    pub(crate) fn arms(&self) -> impl Iterator<Item = (&'a ArmPair<'a>, PairArm)> {
        let pairs = &self.paired_arms.pairs;
        let baseline = pairs.first().map(|pair| (pair, PairArm::Baseline));
        baseline.into_iter().chain(pairs.iter().map(|pair| (pair, PairArm::Candidate)))
    }

    /// Every run with its arm, arm by arm.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (&'a Run, &'a ArmPair<'a>, PairArm)> {
        self.arms().flat_map(|(pair, which)| pair.runs(which).map(move |run| (run, pair, which)))
    }

    /// Repeated runs of the baseline, used only to measure its noise.
    pub(crate) fn noise_runs(&self) -> impl Iterator<Item = (&'a Run, &'a ArmPair<'a>)> {
        let pair = self.paired_arms.pairs.first();
        pair.into_iter().flat_map(|pair| pair.noise.iter().map(move |repeat| (repeat.run, pair)))
    }

    /// What the chance of a false verdict rests on, over all differences and averages that got a verdict.
    pub(crate) fn rate_conditions(&self) -> BTreeSet<RateCondition> {
        let decided: Vec<&Suite<'_>> =
            self.suites.iter().filter(|suite| suite.verdict.is_decided()).collect();
        let averaged = self.all().filter(|one| {
            let key = &one.cell.key;
            decided.iter().any(|suite| suite.metric == key.metric && *suite.dims == key.dims)
        });
        self.decided().chain(averaged).flat_map(|one| one.conditions()).collect()
    }

    fn decided(&self) -> impl Iterator<Item = &'a Comparison<'a>> {
        self.all().filter(|one| one.verdict.is_decided())
    }

    /// Differences of scores without known bounds that got a verdict, and the pairs behind each.
    pub(crate) fn open_differences(&self) -> impl Iterator<Item = (&'a Comparison<'a>, u64)> {
        self.decided().filter_map(|one| Some((one, one.pairs_without_bounds()?)))
    }

    /// The fewest pairs behind one of these.
    pub(crate) fn fewest_open_pairs(&self) -> Option<u64> {
        self.open_differences().map(|(_, pairs)| pairs).min()
    }

    /// The message of a finding. Where it is about a further run of an arm and does not say so, the
    /// run stands before it.
    pub(crate) fn message(&self, finding: &Diagnostic, words: &Catalogue) -> String {
        let message = words.message(finding);
        let members = self.paired_arms.pairs.iter().flat_map(|pair| pair.members.iter().flatten());
        let mut runs = members.map(|member| member.run.id.as_str());
        match finding.subject.run.as_deref() {
            Some(run) if !message.contains(run) && runs.any(|member| member == run) => {
                words.fill("phrase.about-run", &[("run", run), ("message", &message)])
            }
            _ => message,
        }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &'a Comparison<'a>> {
        self.comparisons.iter().flatten()
    }

    /// Every finding: of reading, then of the checks.
    pub(crate) fn diagnostics(&self) -> impl Iterator<Item = &'a Diagnostic> {
        let checked = self.findings.iter().flat_map(|findings| &findings.diagnostics);
        self.collected.iter().chain(checked)
    }

    /// Names of the datasets, in cell order, each once.
    pub(crate) fn datasets(&self) -> Vec<&'a str> {
        let mut names: Vec<&str> = Vec::new();
        for cell in self.paired_arms.pairs.iter().flat_map(|pair| &pair.cells) {
            if let Some(name) = cell.key.dataset.as_deref()
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
        names
    }

    /// The worst grade if nothing were accepted.
    pub(crate) fn grade_unaccepted(&self) -> Grade {
        let grades = self.findings.iter().map(|findings| findings.grade_unaccepted);
        grades.max().unwrap_or(Grade::AsDeclared)
    }

    pub(crate) fn grade(&self) -> Grade {
        self.findings.iter().map(|findings| findings.grade).max().unwrap_or(Grade::AsDeclared)
    }
}

/// An A/A that measures nothing.
pub(super) const ITSELF: &str = "itself";

/// What kind of A/A a comparison is: of a run with `itself`, of runs with `identical` results, or of
/// two `seeds` of one configuration; `None` for any other.
pub(super) fn aa_kind(pair: &ArmPair<'_>, findings: &CheckFindings) -> Option<&'static str> {
    let seeds = || findings.diagnostics.iter().any(|finding| finding.code == Code::SeedsOnly);
    match findings.grade {
        Grade::Identical if pair.baseline.place == pair.candidate.place => Some(ITSELF),
        Grade::Identical => Some("identical"),
        Grade::AsDeclared => seeds().then_some("seeds"),
        Grade::Confounded | Grade::NotComparable => None,
    }
}

/// Tag of the test of trends.
pub(crate) const TREND_METHOD: &str = "mann-kendall-hr";

/// The stable tags of what a reader should know about a comparison.
pub(crate) fn report_tags(comparison: &Comparison<'_>) -> impl Iterator<Item = &'static str> {
    let pairing = comparison.pairing();
    let own = [
        ("pairs-only", comparison.covers_part()),
        (
            "size-inferred",
            PairArm::BOTH.iter().any(|&which| comparison.inferred_size(which).is_some()),
        ),
        ("simultaneous-covers-zero", comparison.beyond_simultaneous()),
        ("one-look-interval", comparison.is_anytime()),
        ("significant-however-paired", pairing == Some(Pairing::Significant)),
        ("pairing-would-tell", pairing == Some(Pairing::Undetermined)),
    ];
    let notes = comparison.analysis.iter().flat_map(|analysis| analysis.notes.iter());
    let own = own.into_iter().filter_map(|(tag, holds)| holds.then_some(tag));
    notes.map(|note| note_tag(*note)).chain(own)
}

fn note_tag(note: Note) -> &'static str {
    match note {
        Note::Unattainable => "unattainable",
        Note::Borderline => "borderline",
        Note::NormalityAssumed => "normality-assumed",
        Note::TreatedAsIndependent => "treated-as-independent",
        Note::MonteCarlo => "monte-carlo",
        Note::BoundedScore => "bounded-score",
        Note::SeveralCounts => "several-counts",
        Note::FewClusters => "few-clusters",
        Note::FewSeeds => "few-seeds",
        Note::SeedsDominate => "seeds-dominate",
        Note::ItemsDominate => "items-dominate",
    }
}
