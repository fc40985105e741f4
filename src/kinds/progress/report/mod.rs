//! How one run moved between two of its steps: the report of `progress`.

mod ahead;
mod cost;
mod data;
mod findings;
mod health;
mod patterns;
mod progress_wording;
mod sheet;
mod steps;
mod summary;

use crate::diag::{Code, Diagnostic, Severity};
use crate::kinds::progress::analysis::{Progress, ProgressMovement, mean};
use crate::quantity;
use crate::report::block::{Block, Icon, Text, Tone};
use crate::report::{Headline, Part, Report, finding, json_object};
use crate::text::Catalogue;
use progress_wording::ProgressWording;

/// A run that has made less than this share of its planned steps is at its beginning.
const BEGINNING: f64 = 0.1;

pub(super) type Blocks = fn(&ProgressWording<'_>) -> Vec<Block>;

pub(super) static PARTS: &[Part<Blocks>] = &[
    Part { id: "steps", title: "progress.section.steps", blocks: steps::section },
    Part { id: "findings", title: "progress.section.findings", blocks: findings::progress_section },
    Part {
        id: "diagnostics",
        title: "section.diagnostics",
        blocks: |wording| finding::blocks(wording.findings, wording.words),
    },
    Part { id: "patterns", title: "progress.section.patterns", blocks: patterns::progress_section },
    Part { id: "health", title: "progress.section.health", blocks: health::section },
    Part { id: "cost", title: "progress.section.cost", blocks: cost::cost },
    Part { id: "pace", title: "progress.section.pace", blocks: cost::pace },
    Part { id: "predictions", title: "progress.section.predictions", blocks: ahead::predictions },
    Part { id: "signals", title: "progress.section.signals", blocks: ahead::signals },
    Part { id: "milestones", title: "progress.section.milestones", blocks: ahead::milestones },
    Part { id: "summary", title: "progress.section.summary", blocks: summary::progress_section },
    Part { id: "undeclared", title: "progress.section.undeclared", blocks: summary::undeclared },
];

/// The report of a run; `noticed` are the findings of reading it and of looking at it.
pub(super) fn progress(
    progress: &Progress<'_>,
    noticed: &[Diagnostic],
    words: &'static Catalogue,
) -> Report {
    let findings = finding::views(noticed, words);
    let wording = ProgressWording { progress, findings: &findings, words };
    let view = data::progress_view(progress);
    let is_sound = noticed.iter().all(|finding| finding.severity < Severity::Error);
    Report {
        kind: "progress",
        gates: Vec::new(),
        sheet: Some(sheet::progress_sheet(&view)),
        data: json_object(&view),
        lang: words.lang,
        title: Text::plain(wording.fill("title", &[("run", &progress.run.id)])),
        headline: Headline::new(
            if is_sound && !is_early(progress) { Tone::Good } else { Tone::Warning },
            headline(&wording),
        ),
        brief: Vec::new(),
        sections: crate::report::sections(PARTS, |blocks| blocks(&wording), words),
        findings,
    }
}

/// The word for the mean of all scores. What the intervals leave open, or what stands on counters
/// that contradict themselves, is no plain success.
fn scored(wording: &ProgressWording<'_>, mean: f64, range: [f64; 2], is_early: bool) -> Text {
    let scores = &wording.progress.scores;
    let (word, icon) = health::status(scores, mean, range);
    let [lo, hi] = range.map(quantity::stars);
    let (mean, n) = (quantity::stars(mean), scores.len().to_string());
    let facts = [("mean", &*mean), ("n", &*n), ("lo", &*lo), ("hi", &*hi)];
    let key = if lo == hi { "headline-scores" } else { "headline-scores-range" };
    let word = wording.get(&format!("grade.{word}"));
    let score = wording.fill(key, &facts);
    // Before there is much to judge, a score is no result.
    if is_early {
        return Text::plain(word).and_plain(score);
    }
    Text::marked(icon, "").and_strong(word).and_plain(score)
}

/// Whether so little of the plan is done that nothing can be judged.
fn is_early(progress: &Progress<'_>) -> bool {
    progress.plan.as_ref().is_some_and(|plan| progress.span.to / plan.steps < BEGINNING)
}

/// The status by declared scores, else what was looked at; how far the run is; what is wrong.
fn headline(wording: &ProgressWording<'_>) -> Text {
    let progress = wording.progress;
    let span = &progress.span;
    let is_early = is_early(progress);
    let early =
        is_early.then(|| Text::marked(Icon::Open, "").and_strong(wording.get("headline-early")));
    let mut text = if let Some((mean, range)) = mean(&progress.scores) {
        scored(wording, mean, range, is_early)
    } else {
        let (from, to) = (wording.step(span.from), wording.step(span.to));
        let key = if span.is_single() { "headline-one" } else { "headline" };
        Text::strong(wording.fill(key, &[("from", &from), ("to", &to)]))
            .and_plain(wording.words.get("punctuation.full-stop"))
    };
    let gap = wording.words.get("punctuation.sentence-gap");
    let mut add = |sentence: String| {
        text = std::mem::take(&mut text).and_plain(gap.clone()).and_plain(sentence);
    };
    if let Some(plan) = &progress.plan {
        let done = span.to / plan.steps;
        let (to, steps) = (wording.step(span.to), quantity::exact(plan.steps));
        let share = quantity::relative_change(done);
        let facts = [("to", to.as_str()), ("steps", steps.as_str()), ("share", share.as_str())];
        let key = if is_early { "headline-beginning" } else { "headline-plan" };
        add(wording.fill(key, &facts));
    }
    if !span.is_single() {
        add(wording.get(moved(progress)));
    }
    if let Some(early) = early {
        let told = std::mem::take(&mut text).0.into_iter();
        text = told.fold(early.and_plain(gap.as_str()), Text::and);
    }
    let errors = wording.findings.iter().filter(|finding| contradicts(finding.code)).count();
    if errors > 0 {
        let count = errors.to_string();
        let sentence = wording.fill("headline-errors", &[("count", &count)]);
        return text.and_plain(gap).and_icon(Icon::Caution).and_plain(format!(" {sentence}"));
    }
    text
}

/// Whether anything moved by more than chance; that nothing could be tested is no answer to it.
fn moved(progress: &Progress<'_>) -> &'static str {
    let rates = progress.rates.iter().map(|rate| rate.movement);
    let metrics = progress.metrics.iter().filter(|metric| !metric.is_counter);
    let all: Vec<ProgressMovement> = rates.chain(metrics.map(|metric| metric.movement)).collect();
    let has = |wanted: &[ProgressMovement]| all.iter().any(|movement| wanted.contains(movement));
    if has(&[ProgressMovement::Improved, ProgressMovement::Worsened, ProgressMovement::Changed]) {
        "headline-moved"
    } else if has(&[ProgressMovement::NotSeparable]) {
        "headline-nothing-moved"
    } else {
        "headline-nothing-tested"
    }
}

/// Whether a finding says that figures of the run contradict each other.
fn contradicts(code: Code) -> bool {
    matches!(code, Code::SharesContradict | Code::CounterShrinks | Code::AverageContradicts)
}
