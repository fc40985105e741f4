//! What failed and why: the report of `quality`.

mod quality_parts;
mod scores;
mod step_chart;
mod view;

use std::cmp::Reverse;

use serde_json::json;

use crate::conditions::ConditionTruth;
use crate::diag::{Code, Diagnostic};
use crate::kinds::quality::analysis::{
    MetricOutcome, Quality, QualityDistribution, QualityRate, SampleOutcomes, ranked,
};
use crate::quantity;
use crate::quantity::Unit;
use crate::report::block::{Block, Icon, Section, Text, Tone};
use crate::report::{FindingView, Headline, Part, Report, Sheet, finding, first_table};
use crate::text::Catalogue;

/// The report of runs, each analysed, with what was noticed while they were read.
pub(super) fn quality(runs: &[Quality<'_>], noticed: &[Diagnostic], words: &Catalogue) -> Report {
    let names: Vec<&str> = runs.iter().map(|run| run.path).collect();
    let names = names.join(&words.get("punctuation.comma"));
    let findings = finding::views(noticed, words);
    let headline = headline(runs, &findings, words);
    let diagnostics = Section {
        id: "diagnostics",
        title: words.get("section.diagnostics").into(),
        blocks: finding::blocks(&findings, words),
    };
    Report {
        kind: "quality",
        paper: Vec::new(),
        gates: Vec::new(),
        data: view::quality_view(runs, Catalogue::english()),
        sheet: Some(sheet(runs)),
        lang: words.lang,
        title: Text::plain(words.fill("quality.title", &[("run", &names)])),
        headline,
        brief: worst_first(runs).first().map_or_else(Vec::new, |run| {
            let overview = first_table(quality_parts::overview(run, words), words);
            if overview.is_empty() {
                first_table(scores::quality_samples(run, words), words)
            } else {
                overview
            }
        }),
        sections: runs
            .iter()
            .flat_map(|run| sections(run, runs.len() > 1, words))
            .chain((!noticed.is_empty()).then_some(diagnostics))
            .collect(),
        findings,
    }
}

/// The content of a part about one run.
pub(super) type Blocks = fn(&Quality<'_>, &Catalogue) -> Vec<Block>;

pub(super) static PARTS: &[Part<Blocks>] = &[
    Part { id: "overview", title: "quality.section-overview", blocks: quality_parts::overview },
    Part { id: "errors", title: "quality.section-errors", blocks: quality_parts::errors },
    Part { id: "steps", title: "quality.section-steps", blocks: quality_parts::steps },
    Part {
        id: "violations",
        title: "quality.section-violations",
        blocks: quality_parts::violations,
    },
    Part { id: "chain", title: "quality.section-chain", blocks: quality_parts::chain },
    Part {
        id: "contradictions",
        title: "quality.section-contradictions",
        blocks: quality_parts::contradictions,
    },
    Part { id: "scores", title: "quality.section-scores", blocks: scores::quality_scores },
    Part { id: "penalties", title: "quality.section-penalties", blocks: scores::quality_penalties },
    Part { id: "samples", title: "quality.section-samples", blocks: scores::quality_samples },
    Part { id: "warnings", title: "quality.section-warnings", blocks: quality_parts::warnings },
    Part { id: "options", title: "quality.section-options", blocks: quality_parts::options },
    Part { id: "ground", title: "quality.section-ground", blocks: quality_parts::ground },
];

pub(super) fn section_ids() -> Vec<&'static str> {
    let shared = std::iter::once("diagnostics");
    crate::report::section_ids(PARTS).into_iter().chain(shared).collect()
}

/// The sections of a run; its name stands in their titles where there are several runs.
fn sections(run: &Quality<'_>, is_one_of_many: bool, words: &Catalogue) -> Vec<Section> {
    let mut sections = crate::report::sections(PARTS, |blocks| blocks(run, words), words);
    for section in sections.iter_mut().filter(|_| is_one_of_many) {
        let title = words.get(&format!("quality.section-{}", section.id));
        let args = [("section", title.as_str()), ("run", run.path)];
        section.title = words.fill("quality.section-of", &args).into();
    }
    sections
}

/// Runs that the headline names.
const MOST_RUNS: usize = 3;

fn worst_first<'q, 'r>(runs: &'q [Quality<'r>]) -> Vec<&'q Quality<'r>> {
    let mut worst: Vec<&Quality<'_>> = runs.iter().collect();
    worst.sort_by_key(|run| Reverse(state(run)));
    worst
}

/// How the worst of the runs fared.
fn headline(runs: &[Quality<'_>], findings: &[FindingView], words: &Catalogue) -> Headline {
    let worst = worst_first(runs);
    // The result says itself that there is no log.
    let findings: Vec<FindingView> =
        findings.iter().filter(|finding| finding.code != Code::NoLog).cloned().collect();
    let trust = finding::trust(&findings, words);
    let (icon, key, tone) = match worst.first().map_or(State::Open, |run| state(run)) {
        State::Open => (Icon::Open, "open", Tone::Note),
        State::Clean if trust.is_empty() => (Icon::Good, "clean", Tone::Good),
        State::Clean => (Icon::Caution, "clean", Tone::Warning),
        State::Findings => (Icon::Caution, "findings", Tone::Warning),
        State::Severe => (Icon::Severe, "severe", Tone::Danger),
    };
    let text = Text::marked(icon, "")
        .and_strong(words.get(&format!("quality.state-{key}")))
        .and_plain(words.get("punctuation.colon"));
    let mut sentences: Vec<String> = worst
        .iter()
        .take(MOST_RUNS)
        .map(|run| {
            let sentence = sentence(run, words);
            if runs.len() == 1 {
                return sentence;
            }
            words.fill("phrase.about-run", &[("run", run.path), ("message", &sentence)])
        })
        .collect();
    let more = runs.len().saturating_sub(MOST_RUNS);
    if more > 0 {
        sentences.push(words.fill("quality.more-runs", &[("count", more)]));
    }
    let text = text.and_plain(sentences.join(&words.get("punctuation.sentence-gap")));
    let tone = if trust.is_empty() { tone } else { tone.max(Tone::Warning) };
    let next = worst.iter().find_map(|run| next_step(run, words));
    let next = next.or_else(|| finding::next_step(&findings, words));
    Headline::new(tone, text).trusted(trust).followed_by(next, words)
}

/// What was declared for such a case; else where most of what failed begins.
fn next_step(run: &Quality<'_>, words: &Catalogue) -> Option<String> {
    let mut holding =
        run.advice.iter().filter(|one| one.judgement.outcome == ConditionTruth::Holds);
    if let Some(advice) = holding.next() {
        let text = advice.suggestion.text.text(words.lang);
        return Some(words.fill("quality.next-declared", &[("text", text)]));
    }
    let errors = &run.tally.errors;
    if let Some((key, signature)) = ranked(errors).into_iter().next() {
        let args = [
            ("kind", key.kind.clone()),
            ("count", quantity::count(errors.by_type().values().next().copied().unwrap_or(0))),
            ("total", quantity::count(errors.total())),
            ("place", signature.first.to_string()),
        ];
        return Some(words.fill("quality.next-error", &args));
    }
    let endings = run.samples.iter().flat_map(|table| {
        table.endings.iter().map(move |(name, count, line)| (table, *name, *count, *line))
    });
    if let Some((table, name, count, line)) = endings.max_by_key(|(_, _, count, _)| *count) {
        let args = [
            ("kind", words.get(&format!("class.{name}"))),
            ("count", quantity::count(count)),
            ("place", format!("{}:{line}", table.path)),
        ];
        return Some(words.fill("quality.next-ending", &args));
    }
    let wrong = |table: &SampleOutcomes| {
        let rates = table.metrics.iter().filter_map(|(_, outcome)| match outcome {
            MetricOutcome::Right(rate) => Some(rate.n - rate.x),
            MetricOutcome::Scores(_) => None,
        });
        rates.max().unwrap_or_default()
    };
    let worst = run.samples.iter().max_by_key(|table| wrong(table)).filter(|one| wrong(one) > 0)?;
    let args = [("count", quantity::count(wrong(worst))), ("path", worst.path.clone())];
    Some(words.fill("quality.next-wrong", &args))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    /// Nothing was judged and nothing went wrong.
    Open,
    /// Judged, and nothing went wrong.
    Clean,
    Findings,
    /// Less than half of the rollouts succeed, over the whole interval.
    Severe,
}

fn state(run: &Quality<'_>) -> State {
    let tally = run.tally;
    let metrics = || run.samples.iter().flat_map(|table| &table.metrics);
    let rates = metrics().filter_map(|(_, outcome)| match outcome {
        MetricOutcome::Right(rate) => Some(*rate),
        MetricOutcome::Scores(_) => None,
    });
    let rates: Vec<QualityRate> = rates.chain(run.success).collect();
    let said = ["failed", "fallback", "fallback-failed"];
    let wrong = tally.errors.total() > 0
        || !tally.violations.is_empty()
        || !run.contradictions.is_empty()
        || said.iter().any(|name| tally.said.contains_key(name))
        || rates.iter().any(|rate| rate.x < rate.n)
        || run.samples.iter().any(|table| table.unjudged > 0 || !table.endings.is_empty());
    match run.success {
        Some(rate) if rate.interval[1] < 0.5 => State::Severe,
        _ if wrong => State::Findings,
        // Scores in between say nothing of right and wrong.
        _ if rates.is_empty() => State::Open,
        _ => State::Clean,
    }
}

fn sentence(run: &Quality<'_>, words: &Catalogue) -> String {
    let tally = run.tally;
    let mut sentences = Vec::new();
    if tally.files.is_empty() {
        sentences.push(words.get("quality.no-log-sentence"));
    } else {
        sentences.extend(log_sentences(run, words));
    }
    sentences.extend(sample_sentences(run, words));
    sentences.join(&words.get("punctuation.sentence-gap"))
}

fn log_sentences(run: &Quality<'_>, words: &Catalogue) -> Vec<String> {
    let tally = run.tally;
    let said = |name: &str| tally.said.get(name).map_or(0, |said| said.count);
    let mut sentences = Vec::new();
    match run.success {
        Some(rate) => sentences.push(words.fill(
            "quality.success-sentence",
            &[
                ("rate", &rated(rate)),
                ("wrong", &quantity::count(rate.n - rate.x)),
                ("interval", &range(rate)),
            ],
        )),
        None => sentences.push(words.get("quality.no-success-sentence")),
    }
    let failed = said("failed") + said("fallback-failed");
    if run.success.is_none() && failed + said("fallback") > 0 {
        let [failed, fallback] = [failed, said("fallback")].map(quantity::count);
        let facts = [("failed", failed.as_str()), ("fallback", &fallback)];
        sentences.push(words.fill("quality.said-sentence", &facts));
    }
    let errors = quantity::count(tally.errors.total());
    let kinds = tally.errors.kept.len() + usize::from(tally.errors.other > 0);
    let kinds = quantity::count(kinds as u64);
    sentences.push(match tally.errors.by_type().first() {
        Some((&kind, &count)) if tally.errors.kept.len() > 1 => {
            let count = quantity::count(count);
            let facts =
                [("errors", &*errors), ("kinds", &kinds), ("kind", kind), ("count", &count)];
            words.fill("quality.errors-sentence-most", &facts)
        }
        _ => {
            let facts = [("errors", &errors), ("kinds", &kinds)];
            words.fill("quality.errors-sentence", &facts)
        }
    });
    sentences
}

/// Sets of samples that the headline names.
const NAMED: usize = 3;

fn sample_sentences(run: &Quality<'_>, words: &Catalogue) -> Vec<String> {
    let mut judged = run.samples.iter().filter_map(|table| {
        let name = if table.name.is_empty() { &table.path } else { &table.name };
        table.metrics.iter().find_map(|(metric, outcome)| match outcome {
            MetricOutcome::Right(rate) => Some((name, metric, *rate)),
            MetricOutcome::Scores(_) => None,
        })
    });
    let mut sentences: Vec<String> = judged
        .by_ref()
        .take(NAMED)
        .map(|(name, metric, rate)| {
            let wrong = quantity::count(rate.n - rate.x);
            words.fill(
                "quality.samples-right",
                &[("name", name), ("metric", metric), ("rate", &rated(rate)), ("wrong", &wrong)],
            )
        })
        .collect();
    let more = judged.count() as u64;
    if more > 0 {
        sentences.push(words.fill("quality.samples-more", &[("count", &quantity::count(more))]));
    }
    let n: u64 = run.samples.iter().map(|table| table.n).sum();
    let ended = run.samples.iter().flat_map(|table| &table.endings);
    let ended = ended.filter(|(name, ..)| *name != "infrastructure").map(|(_, count, _)| count);
    let unjudged = run.samples.iter().map(|table| table.unjudged).sum();
    for (key, count) in [("ended", ended.sum::<u64>()), ("unjudged", unjudged)] {
        if count > 0 {
            let [count, n] = [count, n].map(quantity::count);
            let key = format!("quality.samples-{key}");
            sentences.push(words.fill(&key, &[("count", &count), ("n", &n)]));
        }
    }
    sentences
}

/// A sentence in which backticks mark literal text.
fn marked(sentence: &str) -> Text {
    let pieces = sentence.split('`').enumerate().filter(|(_, piece)| !piece.is_empty());
    pieces.fold(Text::empty(), |text, (place, piece)| {
        if place % 2 == 0 { text.and_plain(piece) } else { text.and_code(piece) }
    })
}

/// A rate with its counts: `11.1% (1/9)`.
fn rated(rate: QualityRate) -> String {
    quantity::with_coverage(quantity::percent(rate.share()), Some([rate.x, rate.n]))
}

/// The interval of a rate: `2.0% … 43.5%`.
fn range(rate: QualityRate) -> String {
    let [lo, hi] = rate.interval;
    quantity::range(lo, hi, Unit::Fraction)
}

/// A score with as many decimals as a distribution of that size needs.
fn shown(value: f64, scores: &QualityDistribution) -> String {
    let [lo, .., hi] = scores.five;
    let size = lo.abs().max(hi.abs());
    quantity::fixed(value, if size < 1.0 { 4 } else { 2 })
}

/// One row for each signature.
fn sheet(runs: &[Quality<'_>]) -> Sheet {
    let heads = [
        "run",
        "level",
        "type",
        "message",
        "count",
        "share",
        "with_traceback",
        "processes",
        "path",
        "line",
        "raised_at",
        "causes",
    ];
    let levels = runs.iter().flat_map(|run| {
        [("error", &run.tally.errors), ("warning", &run.tally.warnings)]
            .map(|(level, signatures)| (run, level, signatures))
    });
    let rows = levels.flat_map(|(run, level, signatures)| {
        let total = signatures.total() as f64;
        ranked(signatures).into_iter().map(move |(key, said)| {
            let causes: Vec<&str> = said.causes.iter().map(|cause| cause.kind.as_str()).collect();
            json!([
                run.path,
                level,
                key.kind,
                key.template,
                said.count,
                said.count as f64 / total,
                said.with_traceback,
                said.processes.len(),
                said.first.path.to_string(),
                said.first.line,
                said.raised_at,
                causes.join(" "),
            ])
        })
    });
    Sheet::new(&heads, rows)
}
