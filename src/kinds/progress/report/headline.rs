//! What a report of progress says first: how the run fares, what moved, what to look at next.

use super::health;
use super::progress_wording::{ProgressWording, is_suspect};
use crate::conditions::ConditionTruth;
use crate::diag::{Code, Severity};
use crate::kinds::progress::analysis::{Progress, ProgressMovement, Watched, mean};
use crate::quantity;
use crate::report::block::{Icon, Text, Tone};
use crate::report::{FindingView, Headline, finding};

/// A run that has made less than this share of its planned steps is at its beginning.
const BEGINNING: f64 = 0.1;

/// Most rates, metrics and signals that a sentence names.
const MOST_NAMED: usize = 3;

/// The status by declared scores, else what was looked at; how far the run is; what moved.
pub(super) fn headline(wording: &ProgressWording<'_>) -> Headline {
    let ProgressWording { progress, findings, words } = *wording;
    let is_early = is_early(progress);
    let mut findings = findings.to_vec();
    findings.sort_by_key(|finding| !undermines(finding));
    let tone = tone(progress, is_early || findings.iter().any(undermines));
    let icon = match tone {
        _ if is_early => Icon::Open,
        Tone::Danger => Icon::Bad,
        Tone::Warning => Icon::Caution,
        Tone::Note => Icon::Open,
        Tone::Good => Icon::Good,
    };
    let gap = words.get("punctuation.sentence-gap");
    let mut text = Text::marked(icon, "");
    if is_early {
        text = text.and_strong(wording.get("headline-early")).and_plain(gap.as_str());
    }
    let text = status(wording, is_early).0.into_iter().fold(text, Text::and);
    let sentences = [plan(wording, is_early), moved(wording), fired(wording)];
    let told = sentences.into_iter().flatten();
    let text = told.fold(text, |text, sentence| text.and_plain(gap.as_str()).and_plain(sentence));
    Headline::new(tone, text)
        .trusted(finding::trust(&findings, words))
        .followed_by(next_step(wording), words)
}

/// Whether a finding says that figures contradict each other, or that something could not be read.
fn undermines(finding: &FindingView) -> bool {
    let contradicts = [Code::SharesContradict, Code::CounterShrinks, Code::AverageContradicts];
    contradicts.contains(&finding.code) || finding.severity == Severity::Error
}

/// The gravest of what got worse, what fired and what the declared scores say; `has_doubts` says
/// that figures contradict each other or are too few.
fn tone(progress: &Progress<'_>, has_doubts: bool) -> Tone {
    let scored = mean(&progress.scores).map(|(mean, range)| {
        match health::status(&progress.scores, mean, range).1 {
            Icon::Good => Tone::Good,
            Icon::Bad => Tone::Danger,
            _ => Tone::Warning,
        }
    });
    let has = |movement| movements(progress).any(|(_, one)| one == movement);
    let moved = match () {
        () if has(ProgressMovement::Worsened) => Tone::Danger,
        () if has(ProgressMovement::Improved) => Tone::Good,
        () => scored.unwrap_or(Tone::Note),
    };
    let fired = signals(progress).next().map_or(Tone::Good, |_| Tone::Warning);
    let doubt = if has_doubts { Tone::Warning } else { Tone::Good };
    scored.unwrap_or(Tone::Good).max(moved).max(fired).max(doubt)
}

/// Everything that may have moved, by its name; counters grow by themselves.
fn movements<'p>(progress: &'p Progress<'_>) -> impl Iterator<Item = (&'p str, ProgressMovement)> {
    let rates = progress.rates.iter().map(|rate| (rate.name.as_str(), rate.movement));
    let metrics = progress.metrics.iter().filter(|metric| !metric.is_counter);
    rates.chain(metrics.map(|metric| (metric.name.as_str(), metric.movement)))
}

/// Signals that fired.
fn signals<'p, 'a>(progress: &'p Progress<'a>) -> impl Iterator<Item = &'p Watched<'a>> {
    progress.signals.iter().filter(|one| one.judgement.outcome == ConditionTruth::Holds)
}

/// Whether so little of the plan is done that nothing can be judged.
fn is_early(progress: &Progress<'_>) -> bool {
    progress.plan.as_ref().is_some_and(|plan| progress.span.to / plan.steps < BEGINNING)
}

/// The word for the mean of all scores, or the steps that were looked at.
fn status(wording: &ProgressWording<'_>, is_early: bool) -> Text {
    let ProgressWording { progress, words, .. } = *wording;
    // Before there is much to judge, a score is no result.
    let Some((mean, range)) = mean(&progress.scores).filter(|_| !is_early) else {
        let span = &progress.span;
        let (from, to) = (wording.step(span.from), wording.step(span.to));
        let key = if span.is_single() { "headline-one" } else { "headline" };
        return Text::strong(wording.fill(key, &[("from", &from), ("to", &to)]))
            .and_plain(words.get("punctuation.full-stop"));
    };
    let (word, _) = health::status(&progress.scores, mean, range);
    let [lo, hi] = range.map(quantity::stars);
    let (mean, n) = (quantity::stars(mean), progress.scores.len().to_string());
    let facts = [("mean", &*mean), ("n", &*n), ("lo", &*lo), ("hi", &*hi)];
    let key = if lo == hi { "headline-scores" } else { "headline-scores-range" };
    let word = wording.get(&format!("grade.{word}"));
    Text::strong(word).and_plain(wording.fill(key, &facts))
}

/// How much of the plan is done.
fn plan(wording: &ProgressWording<'_>, is_early: bool) -> Option<String> {
    let ProgressWording { progress, .. } = *wording;
    let plan = progress.plan.as_ref()?;
    let (to, steps) = (wording.step(progress.span.to), quantity::exact(plan.steps));
    let share = quantity::relative_change(progress.span.to / plan.steps);
    let facts = [("to", to.as_str()), ("steps", steps.as_str()), ("share", share.as_str())];
    let key = if is_early { "headline-beginning" } else { "headline-plan" };
    Some(wording.fill(key, &facts))
}

/// What moved by more than chance, the worst first; that nothing could be tested is no answer to it.
fn moved(wording: &ProgressWording<'_>) -> Option<String> {
    let ProgressWording { progress, words, .. } = *wording;
    if progress.span.is_single() {
        return None;
    }
    let worst_first = [
        (ProgressMovement::Worsened, "headline-worsened"),
        (ProgressMovement::Improved, "headline-improved"),
        (ProgressMovement::Changed, "headline-changed"),
    ];
    let parts = worst_first.into_iter().filter_map(|(movement, key)| {
        let of_it = movements(progress).filter(|(_, one)| *one == movement);
        let names: Vec<String> = of_it.map(|(name, _)| wording.name(name)).collect();
        let facts = [("count", names.len().to_string()), ("names", listed(&names, wording))];
        (!names.is_empty()).then(|| wording.fill(key, &facts))
    });
    let parts: Vec<String> = parts.collect();
    if !parts.is_empty() {
        let parts = parts.join(&words.get("punctuation.semicolon"));
        return Some(parts + &words.get("punctuation.full-stop"));
    }
    let tested = movements(progress).any(|(_, one)| one == ProgressMovement::NotSeparable);
    if tested {
        return Some(wording.get("headline-nothing-moved"));
    }
    let fault = movements(progress).find_map(|(_, one)| match one {
        ProgressMovement::Untested(why) if is_suspect(why) => Some(why),
        _ => None,
    });
    Some(match fault {
        Some(why) => wording.fill("headline-not-tested", &[("why", wording.why(why))]),
        None => wording.get("headline-nothing-tested"),
    })
}

/// The declared signals that fired.
fn fired(wording: &ProgressWording<'_>) -> Option<String> {
    let names: Vec<String> = signals(wording.progress)
        .map(|signal| wording.label(&signal.declared.name).to_owned())
        .collect();
    let facts = [("count", names.len().to_string()), ("names", listed(&names, wording))];
    (!names.is_empty()).then(|| wording.fill("headline-fired", &facts))
}

/// The first names, and a sign where there are more.
fn listed(names: &[String], wording: &ProgressWording<'_>) -> String {
    let shown: Vec<&str> = names.iter().take(MOST_NAMED).map(String::as_str).collect();
    let sign = if names.len() > MOST_NAMED { "…" } else { "" };
    shown.join(&wording.words.get("punctuation.comma")) + sign
}

/// What a finding that undermines the figures asks for, then what a signal that fired asks for, then what got worse;
/// else when to look again.
fn next_step(wording: &ProgressWording<'_>) -> Option<String> {
    let ProgressWording { progress, findings, words } = *wording;
    let response = || {
        let response = signals(progress).find_map(|signal| signal.declared.response.as_ref())?;
        Some(wording.fill("next-response", &[("text", wording.label(response))]))
    };
    let worsened = || {
        let worsened = |(_, one): &(&str, ProgressMovement)| *one == ProgressMovement::Worsened;
        let (name, _) = movements(progress).find(worsened)?;
        Some(wording.fill("next-worsened", &[("name", wording.name(name))]))
    };
    let early = || {
        let plan = progress.plan.as_ref().filter(|_| is_early(progress))?;
        let step = wording.step((plan.steps * BEGINNING).ceil());
        Some(wording.fill("next-early", &[("step", step)]))
    };
    let predicted = || {
        let ahead = progress.predictions.iter().map(|prediction| prediction.declared.step);
        let next = ahead.filter(|step| *step > progress.span.to).reduce(f64::min)?;
        Some(wording.fill("next-predicted", &[("step", wording.step(next))]))
    };
    let undermining = findings.iter().find(|finding| undermines(finding));
    let repair = undermining.and_then(|one| finding::next_step(std::slice::from_ref(one), words));
    repair.or_else(response).or_else(worsened).or_else(early).or_else(predicted)
}
