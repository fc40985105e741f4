//! What to do next: one step, from the rules and figures alone. What keeps a result from being
//! believed comes before what would make it firmer.

use indexmap::IndexSet;

use super::urgency::most_urgent_first;
use super::{comparability, limits, lists, missing, phrases, to_run};
use crate::check::{CheckFindings, Claim, Grade};
use crate::compare::{Comparison, Suite, Verdict, VerdictReason};
use crate::diag::{Code, Diagnostic, Effect, Severity};
use crate::model::{EvalCommand, MetricRole, SpecOrigin, shell_word};
use crate::pairing::{ArmPair, PairArm, is_commit};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::material::aa_kind;
use crate::text::Catalogue;

/// The step of the first candidate that needs the gravest one; `None` where none follows. `asked`
/// is what follows from what the kind of the report asks: a comparison that cannot be believed is
/// repaired before, what moved is looked at after.
pub(in crate::report) fn next_step(
    material: &ReportMaterial<'_>,
    asked: Option<String>,
) -> Option<String> {
    let several = material.paired_arms.pairs.len() > 1;
    let candidate = |(pair, findings, comparisons)| Candidate {
        pair,
        several,
        findings,
        comparisons,
        averages: material.suites,
        collected: material.collected,
        eval: material.eval,
        command: material.command,
        words: material.words,
    };
    let candidates: Vec<Candidate<'_>> = material.pairs().map(candidate).collect();
    let first = |rules: &[Rule]| rules.iter().find_map(|rule| candidates.iter().find_map(rule));
    first(BELIEF).or(asked).or_else(|| first(RESULTS))
}

/// What is known of a candidate.
struct Candidate<'m> {
    pair: &'m ArmPair<'m>,
    /// Whether it is one of several.
    several: bool,
    findings: &'m CheckFindings,
    comparisons: &'m [Comparison<'m>],
    /// Those of the whole report.
    averages: &'m [Suite<'m>],
    /// What was found in reading the runs.
    collected: &'m [Diagnostic],
    /// The command for a result that is missing.
    eval: Option<&'m EvalCommand>,
    /// The command line of the report.
    command: &'m str,
    words: &'m Catalogue,
}

type Rule = fn(&Candidate<'_>) -> Option<String>;

/// What keeps results from being believed, from the gravest on.
const BELIEF: &[Rule] = &[comparable, unconfounded, whole, directed];
/// What results ask for, and what would make them firmer.
const RESULTS: &[Rule] =
    &[worse, larger, clustered, taken, undirected, sized, faulty, recorded, seeds];

impl Candidate<'_> {
    /// Whether its arms can only differ by chance, so that no difference is worth a step.
    fn is_aa(&self) -> bool {
        aa_kind(self.pair, self.findings).is_some()
    }

    /// What was found about it and in its runs.
    fn all_findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.findings.diagnostics.iter().chain(self.collected)
    }

    /// What to do about the first finding of that kind.
    fn help(&self, is_it: impl Fn(&Diagnostic) -> bool) -> Option<String> {
        let help = self.words.help(self.all_findings().find(|one| is_it(one))?)?;
        Some(self.words.fill("next.help", &[("help", help)]))
    }

    /// Whether the arms answered different questions under equal ids, which was accepted.
    fn asks_other_questions(&self) -> bool {
        self.findings.diagnostics.iter().any(|one| one.code == Code::ContentDiffers)
    }

    /// A step about its results, with its name where it is one of several.
    fn named(&self, step: String) -> String {
        if !self.several {
            return step;
        }
        let name = [("candidate", self.pair.name(PairArm::Candidate))];
        self.words.fill("answer.of-candidate", &name) + &step
    }
}

/// What blocks a comparison has to be repaired.
fn comparable(&Candidate { findings, words, .. }: &Candidate<'_>) -> Option<String> {
    let blocks = (findings.grade == Grade::NotComparable)
        .then(|| findings.diagnostics.iter().find(|one| one.effect() == Effect::Blocks));
    let help = words.help(blocks??)?;
    Some(words.fill("next.help", &[("help", help)]))
}

/// Settings that differ have to be made equal or declared; of anything else its finding says what to do.
fn unconfounded(&Candidate { pair, findings, words, .. }: &Candidate<'_>) -> Option<String> {
    if findings.grade != Grade::Confounded {
        return None;
    }
    let confounding = || comparability::confounding(findings.diagnostics.iter());
    let settings: IndexSet<String> =
        confounding().filter_map(|finding| finding.subject.key.clone()).collect();
    if settings.is_empty() {
        let help = confounding().find_map(|finding| words.help(finding))?;
        return Some(words.fill("next.help", &[("help", help)]));
    }
    // Runs of two days are of two commits, which nobody can make equal.
    let (commits, settings): (IndexSet<String>, IndexSet<String>) =
        settings.into_iter().partition(|key| is_commit(key));
    let (has_commits, has_settings) = (!commits.is_empty(), !settings.is_empty());
    let changes = pair.undeclared();
    let changed = changes.iter().map(|change| change.declared_by().to_owned());
    let changed: IndexSet<String> = changed.chain(commits).collect();
    // Declaring some does not take back what was declared, and what was assumed has to be declared
    // beside a commit.
    let declared = pair.factors.keys.iter().filter(|_| has_commits || !pair.factors.inferred);
    let count = changed.len().to_string();
    let keys: IndexSet<String> =
        if changed.is_empty() { changed } else { declared.cloned().chain(changed).collect() };
    let args = [
        ("candidate", pair.name(PairArm::Candidate).to_owned()),
        ("baseline", pair.name(PairArm::Baseline).to_owned()),
        ("confounders", lists::shortened(settings, words)),
        ("keys", lists::joined(keys.clone(), ",")),
        ("count", count),
    ];
    let key = match (has_settings, keys.is_empty()) {
        (false, _) => "next.commit",
        (true, true) => "next.equal",
        (true, false) => "next.equal-or-declared",
    };
    Some(words.fill(key, &args))
}

/// What the candidate lacks has to be run.
fn whole(&Candidate { pair, eval, words, .. }: &Candidate<'_>) -> Option<String> {
    let count = missing::count(pair)?.to_string();
    let candidate = pair.name(PairArm::Candidate).to_owned();
    let commands =
        eval.map(|eval| to_run::lacked(pair, PairArm::Candidate, eval)).unwrap_or_default();
    let price = to_run::price(commands.len(), eval, words);
    let args = [("count", count), ("candidate", candidate)];
    let Some(first) = commands.into_iter().next() else {
        return Some(words.fill("next.missing", &args));
    };
    let [count, candidate] = args;
    let args = [count, candidate, ("price", price), ("command", first)];
    Some(words.fill("next.missing-command", &args))
}

/// A metric that nothing else decides has to be given its good side.
fn directed(&Candidate { comparisons, words, .. }: &Candidate<'_>) -> Option<String> {
    let has_side = comparisons.iter().any(|one| one.cell.is_judged() && one.delta.is_some());
    let unknown = |one: &&Comparison<'_>| one.reason == Some(VerdictReason::DirectionUnknown);
    let metric = &comparisons.iter().find(unknown).filter(|_| !has_side)?.cell.key.metric;
    Some(words.fill("next.direction", &[("metric", metric)]))
}

/// What got worse is read sample by sample, where that says most.
fn worse(candidate: &Candidate<'_>) -> Option<String> {
    let Candidate { words, .. } = *candidate;
    if candidate.is_aa() || candidate.asks_other_questions() {
        return None;
    }
    let parts = worst(candidate);
    let metric = subject(&parts, candidate)?;
    let mut losses: Vec<(usize, &Comparison<'_>)> =
        parts.iter().filter_map(|part| Some((losing_pairs(part)?, *part))).collect();
    if losses.is_empty() {
        return Some(candidate.named(words.fill("next.worse-unseen", &[("metric", &metric)])));
    }
    losses.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let count: usize = losses.iter().map(|(count, _)| count).sum();
    let concentrated = match losses.as_slice() {
        [(_, only)] => main_failure(only, words),
        [(most, part), ..] => part.cell.key.dataset.as_ref().map(|dataset| {
            let args = [("count", most.to_string()), ("dataset", dataset.clone())];
            words.fill("next.worse-in", &args)
        }),
        [] => None,
    };
    let args = [
        ("count", quantity::count(count as u64)),
        ("metric", metric),
        ("concentrated", concentrated.unwrap_or_default()),
    ];
    let step = words.fill("next.worse", &args);
    let is_listed = losses
        .iter()
        .any(|(_, part)| part.flips().is_some_and(|flips| flips.lost + flips.gained > 0));
    let section = words.get("section.samples");
    let shown = match show_samples(candidate, &losses) {
        Some(command) => words.fill("next.shown-by", &[("step", step), ("command", command)]),
        None if is_listed => words.fill("next.listed-in", &[("step", step), ("section", section)]),
        None => words.fill("next.help", &[("help", step)]),
    };
    Some(candidate.named(shown))
}

/// The command that shows samples that got worse with their texts. Of several runs each has its own,
/// and of a metric that was derived no sample has a score; one that was declared for this command alone
/// means nothing to another.
fn show_samples(
    &Candidate { pair, command, .. }: &Candidate<'_>,
    losses: &[(usize, &Comparison<'_>)],
) -> Option<String> {
    let cell = losses.first()?.1.cell;
    let declares = ["--config", "--higher", "--lower"].iter().any(|flag| command.contains(flag));
    if cell.spec.derived || declares && cell.spec.origin == SpecOrigin::User {
        return None;
    }
    let key = &cell.key;
    let dataset = key.dataset.as_ref().filter(|_| losses.len() == 1);
    let dataset = dataset.map(|name| format!(" --dataset {}", shell_word(name)));
    let runs = PairArm::BOTH.map(|which| shell_word(&pair.run(which).path)).join(" ");
    let metric = shell_word(&key.metric);
    let dataset = dataset.unwrap_or_default();
    (!pair.is_repeated())
        .then(|| format!("reportgen samples {runs} --changed worse --metric {metric}{dataset}"))
}

/// The result that got worse and matters most; where an average of it did, all parts of that.
fn worst<'m>(
    &Candidate { pair, comparisons, averages, .. }: &Candidate<'m>,
) -> Vec<&'m Comparison<'m>> {
    let mut sorted = most_urgent_first(comparisons).into_iter();
    let first = sorted.find(|one| one.verdict == Verdict::Worse);
    let is_of = |average: &Suite<'_>, one: &Comparison<'_>| {
        one.cell.key.metric == average.metric && one.cell.key.dims == *average.dims
    };
    let mut averages = averages.iter().filter(|one| {
        let is_about_first = first.is_none_or(|first| is_of(one, first));
        std::ptr::eq(one.pair, pair) && one.verdict == Verdict::Worse && is_about_first
    });
    match averages.next() {
        Some(average) => comparisons.iter().filter(|one| is_of(average, one)).collect(),
        None => first.into_iter().collect(),
    }
}

/// The metric, with the place of a single result that is one of several.
fn subject(
    parts: &[&Comparison<'_>],
    &Candidate { comparisons, words, .. }: &Candidate<'_>,
) -> Option<String> {
    let key = &parts.first()?.cell.key;
    let alike = comparisons.iter().filter(|one| one.cell.key.metric == key.metric).count();
    if parts.len() == alike {
        return Some(key.metric.clone());
    }
    let detail = phrases::dataset_and_place(key.dataset.as_deref(), &key.dims, words);
    let args = [("name", key.metric.clone()), ("detail", detail)];
    Some(words.fill("phrase.name-with-detail", &args))
}

/// Samples of both arms whose score moved away from the good side; `None` without shared samples.
fn losing_pairs(comparison: &Comparison<'_>) -> Option<usize> {
    let sign = comparison.cell.spec.direction.sign()?;
    let [baseline, candidate] = PairArm::BOTH.map(|which| comparison.cell.side(which));
    let (baseline, candidate) = (baseline.samples.as_ref()?, candidate.samples.as_ref()?);
    let is_worse = |&&(a, b): &&(u32, u32)| {
        let scores = baseline.ranked_score(a as usize).zip(candidate.ranked_score(b as usize));
        scores.is_some_and(|(before, after)| sign * (after - before) < 0.0)
    };
    Some(comparison.join()?.pairs.iter().filter(is_worse).count()).filter(|count| *count > 0)
}

/// The kind of failure that makes up most of what was lost.
fn main_failure(comparison: &Comparison<'_>, words: &Catalogue) -> Option<String> {
    let sign = comparison.cell.spec.direction.sign()?;
    let parts = &comparison.decomposition.as_ref()?.parts;
    let losses = parts.iter().filter(|part| sign * part.contribution < 0.0);
    let all: f64 = losses.clone().map(|part| part.contribution.abs()).sum();
    let most = losses.max_by(|a, b| a.contribution.abs().total_cmp(&b.contribution.abs()))?;
    let class = most.class.filter(|_| 2.0 * most.contribution.abs() > all)?;
    let class = words.get(&format!("class.{}", class.name()));
    let contribution = phrases::exact_delta_text(comparison, most.contribution);
    Some(words.fill("next.worse-by", &[("class", class), ("contribution", contribution)]))
}

/// How many times as many samples are advised at most; with so small a difference the question is
/// whether it matters.
const MOST_TIMES: u64 = 20;

/// What is undecided takes more of what it stands on; where the metrics that decide leave it open.
fn larger(candidate: &Candidate<'_>) -> Option<String> {
    let Candidate { comparisons, averages, .. } = *candidate;
    let judged = || {
        comparisons.iter().filter(|one| {
            one.cell.metric_role() == Some(MetricRole::Primary) && one.delta.is_some()
        })
    };
    let averages_decide = averages.iter().any(|average| average.verdict.is_decided());
    if averages_decide || candidate.is_aa() || judged().any(|one| one.verdict.is_decided()) {
        return None;
    }
    let open = || judged().filter(|one| one.verdict == Verdict::Inconclusive);
    let planned = open().filter_map(|one| Some((one, limits::further(one)?)));
    let step = match planned.min_by_key(|(_, [_, needed])| *needed) {
        Some((one, sizes)) => more_of(one, sizes, candidate),
        None => open().find_map(|one| other_than_more(one, candidate)),
    };
    step.map(|step| candidate.named(step))
}

/// To what size, and what that takes; that a margin answers it where it takes too much.
fn more_of(
    open: &Comparison<'_>,
    [units, needed]: [u64; 2],
    candidate: &Candidate<'_>,
) -> Option<String> {
    let Candidate { eval, words, .. } = *candidate;
    let rounded = quantity::about(needed);
    let needed = if rounded > units { rounded } else { needed };
    let args = [
        ("metric", subject(&[open], candidate)?),
        ("name", open.cell.key.metric.clone()),
        ("delta", phrases::delta_text(open, open.delta?)),
        ("needed", limits::with_unit(open, needed, words)),
        ("units", quantity::count(units)),
    ];
    if needed > MOST_TIMES.saturating_mul(units) {
        return Some(words.fill("next.margin", &args));
    }
    let step = words.fill("next.larger", &args);
    let minutes = eval.and_then(|eval| eval.minutes_per_sample).filter(|_| open.seeds.is_none());
    let Some(each) = minutes else { return Some(step) };
    let further = needed - units;
    let price = to_run::duration(each * further as f64, words);
    let args = [("step", step), ("further", quantity::count(further)), ("price", price)];
    Some(words.fill("next.larger-price", &args))
}

/// What settles a result that more samples do not settle.
fn other_than_more(open: &Comparison<'_>, candidate: &Candidate<'_>) -> Option<String> {
    let Candidate { words, .. } = *candidate;
    let metric = subject(&[open], candidate)?;
    match open.reason {
        Some(VerdictReason::WithinNoise | VerdictReason::NoiseBeyondMargin) => {
            Some(words.fill("next.runs-for-noise", &[("metric", metric)]))
        }
        Some(VerdictReason::HiddenClusters) => candidate.help(|one| {
            matches!(one.code, Code::HiddenClusters | Code::HiddenInIds | Code::HiddenInTexts)
        }),
        _ if open.seeds.is_some() => Some(words.fill("next.more-runs", &[("metric", metric)])),
        _ => None,
    }
}

/// Where nothing has a verdict because findings take them, the first of these says what to do.
fn taken(candidate: &Candidate<'_>) -> Option<String> {
    let code = without_verdict(candidate.comparisons)?.find_map(|one| match one.reason {
        Some(VerdictReason::Blocked(code)) => Some(code),
        _ => None,
    })?;
    candidate.help(|one| one.code == code)
}

/// Errors in what was read come before what would only be nice to have.
fn faulty(candidate: &Candidate<'_>) -> Option<String> {
    candidate.help(|one| one.severity == Severity::Error && one.accepted.is_none())
}

/// Where all that is compared is only described, a person has to say what decides.
fn undirected(&Candidate { comparisons, words, .. }: &Candidate<'_>) -> Option<String> {
    let compared = || comparisons.iter().filter(|one| one.delta.is_some());
    if compared().any(|one| one.cell.is_judged()) {
        return None;
    }
    let could_decide = |one: &&Comparison<'_>| !one.cell.is_described_by_role();
    let metrics: IndexSet<String> =
        compared().filter(could_decide).map(|one| one.cell.key.metric.clone()).collect();
    let args = [("metrics", lists::shortened(metrics.clone(), words))];
    (!metrics.is_empty()).then(|| words.fill("next.undirected", &args))
}

/// Figures of unknown size cannot be tested.
fn sized(&Candidate { comparisons, words, .. }: &Candidate<'_>) -> Option<String> {
    let lacks_size = |one: &Comparison<'_>| one.reason == Some(VerdictReason::SizeUnknown);
    without_verdict(comparisons)?.any(lacks_size).then(|| words.get("next.sizes"))
}

/// The results that could have a verdict, where none has one.
fn without_verdict<'m, 'a>(
    comparisons: &'m [Comparison<'a>],
) -> Option<impl Iterator<Item = &'m Comparison<'a>>> {
    let judged = || comparisons.iter().filter(|one| one.cell.is_judged() && one.delta.is_some());
    judged().all(|one| one.verdict == Verdict::NotAssessable).then(judged)
}

/// Settings that nobody recorded cannot be compared.
fn recorded(&Candidate { findings, words, .. }: &Candidate<'_>) -> Option<String> {
    let silent = findings.diagnostics.iter().any(|one| one.code == Code::NoConfig);
    (silent && findings.grade != Grade::Identical).then(|| words.get("next.recorded"))
}

/// So few clusters show no difference, however many samples there are.
fn clustered(candidate: &Candidate<'_>) -> Option<String> {
    let Candidate { pair, comparisons, words, .. } = *candidate;
    let few = comparisons.iter().find(|one| one.reason == Some(VerdictReason::TooFew))?;
    let tables = pair.tables.get(few.cell.table?)?;
    let field = tables.clusters.used.as_ref().map(|used| used.key.clone())?;
    let args = [("count", few.clusters()?.to_string()), ("field", field)];
    Some(words.fill("next.clusters", &args))
}

/// A difference between two models says nothing of another training.
fn seeds(candidate: &Candidate<'_>) -> Option<String> {
    let Candidate { findings, comparisons, averages, words, .. } = *candidate;
    let verdicts = comparisons.iter().map(|one| one.verdict);
    let verdicts = verdicts.chain(averages.iter().map(|average| average.verdict));
    let is_single = findings.claim == Claim::Checkpoints && !candidate.is_aa();
    let is_asked = is_single && verdicts.into_iter().any(Verdict::is_decided);
    is_asked.then(|| words.get("next.seeds"))
}
