//! Which checkpoint is the best: the report of `best`.

mod chart;
mod data;
mod record;
mod sections;

pub(super) use sections::PARTS;

pub(super) use record::{best_record, is_best_record};

use std::fmt::Display;

use crate::diag::Diagnostic;
use crate::kinds::best::analysis::{
    AgainstBest, CheckpointAxis, Choice, Figure, OTHER_SETTINGS, State,
};
use crate::quantity;
use crate::report::block::{Icon, Text, Tone};
use crate::report::{self, Headline, Report, finding, json_object};
use crate::text::Catalogue;

/// The report of a choice; `noticed` is everything that was choice on the way.
pub(super) fn best(choice: &Choice, noticed: &[Diagnostic], words: &Catalogue) -> Report {
    let view = data::best_view(choice);
    let findings = finding::views(noticed, words);
    let material = sections::Material { choice, findings: &findings, words };
    Report {
        kind: "best",
        paper: Vec::new(),
        gates: Vec::new(),
        sheet: Some(data::best_sheet(&view)),
        data: json_object(&view),
        lang: words.lang,
        title: Text::plain(words.fill("best.title", &[("path", &choice.path)])),
        headline: headline(&material),
        brief: report::first_table(sections::checkpoints(&material), words),
        sections: report::sections(PARTS, |blocks| blocks(&material), words),
        findings,
    }
}

/// Whether every other checkpoint is told apart from the best, and none was left out.
fn is_clear(choice: &Choice) -> bool {
    let mut others = choice.against.iter().flatten();
    others.all(|against| against.separable == Some(true))
        && choice.left_out().is_empty()
        && choice.noticed.is_empty()
}

/// What is said of a checkpoint beside the best, as a key of the catalogues.
fn judgement(choice: &Choice, figure: &Figure, against: Option<&AgainstBest>) -> &'static str {
    let Some(against) = against else { return "best.best" };
    match against.separable {
        _ if choice.is_left_out(figure) => "best.left-out",
        _ if choice.ties().any(|tie| tie.step == figure.step) => "best.tie",
        Some(true) => "best.apart",
        Some(false) if against.alone() => "best.only-alone",
        Some(false) => "best.not-apart",
        None => "best.not-judged",
    }
}

fn headline(material: &sections::Material<'_>) -> Headline {
    let sections::Material { choice, findings, words } = *material;
    let chosen = choice.chosen();
    let on = choice.question.dataset.as_deref();
    let on = on.map(|dataset| words.fill("best.on", &[("dataset", dataset)])).unwrap_or_default();
    let is_tied = !choice.not_separable().is_empty();
    let sentence = tell(
        material,
        if is_tied { "best.headline-tied" } else { "best.headline" },
        &[
            ("step", &step(chosen.step)),
            ("metric", &choice.question.metric),
            ("on", &on),
            ("value", &figure(choice, chosen.value)),
        ],
    );
    let is_sure = is_clear(choice) && choice.figures.len() > 1;
    let (tone, icon) =
        if is_sure { (Tone::Good, Icon::Good) } else { (Tone::Warning, Icon::Caution) };
    let result = Text::marked(icon, "").and_strong(sentence);
    let headline = if is_sure {
        let all = words.get("best.headline-alone");
        Headline::new(tone, result.and_plain(words.get("punctuation.semicolon")).and_plain(all))
            .trusted(finding::trust(findings, words))
    } else {
        let doubt = Text::strong(words.get("best.confidence"))
            .and_plain(words.get("punctuation.colon"))
            .and_plain(doubt(material));
        Headline::new(tone, result).trusted(doubt)
    };
    let next = next_step(material).or_else(|| finding::next_step(findings, words));
    headline.followed_by(next, words)
}

/// What makes the choice surer, or what to do with a sure one.
fn next_step(material: &sections::Material<'_>) -> Option<String> {
    let sections::Material { choice, words, .. } = *material;
    if choice.figures.len() < 2 {
        return Some(words.get("best.next-only"));
    }
    let mut others = choice.against.iter().flatten();
    if others.clone().all(|against| against.separable.is_none()) {
        if others.clone().all(|against| against.reason == Some(OTHER_SETTINGS)) {
            return Some(words.get("best.next-settings"));
        }
        let has_sizes = others.all(|against| against.reason != Some("size-unknown"));
        return (!has_sizes).then(|| words.get("best.next-sizes"));
    }
    let missing = choice.coverage.iter().filter(|one| one.state == State::Missing);
    let missing: Vec<f64> = missing
        .filter(|one| choice.question.dataset.as_ref() == Some(&one.dataset))
        .map(|one| one.step as f64)
        .collect();
    if !missing.is_empty() {
        return Some(words.fill("best.next-missing", &[("steps", steps(&missing, words))]));
    }
    let mut tied: Vec<f64> = choice.not_separable();
    if tied.is_empty() {
        let sure = [("step", step(choice.chosen().step))];
        return choice.unjudged().is_empty().then(|| tell(material, "best.next-sure", &sure));
    }
    tied.insert(0, choice.chosen().step);
    tied.sort_by(f64::total_cmp);
    let n = choice.chosen().n.map_or_else(|| "?".to_owned(), quantity::count);
    let fair = choice.earliest_fair().step;
    let args = [("steps", steps(&tied, words)), ("earliest", step(fair)), ("n", n)];
    let is_best = fair == choice.chosen().step;
    Some(tell(material, if is_best { "best.next-tied-first" } else { "best.next-tied" }, &args))
}

/// How many of the others are told apart from the best, and how many not.
fn doubt(material: &sections::Material<'_>) -> String {
    let sections::Material { choice, words, .. } = *material;
    if choice.figures.len() < 2 {
        return words.get("best.only-one");
    }
    let ties: Vec<f64> = choice.ties().map(|tie| tie.step).collect();
    let (apart, mut same) = (choice.separable(), choice.not_separable());
    same.retain(|step| !ties.contains(step));
    let (unjudged, left_out) = (choice.unjudged(), choice.left_out());
    if choice.noticed.is_empty()
        && apart.is_empty()
        && same.is_empty()
        && left_out.is_empty()
        && ties.is_empty()
    {
        return unjudged_words(choice, words);
    }
    let counted = |key: &str, these: &[f64]| {
        words.fill(key, &[("count", these.len().to_string()), ("steps", steps(these, words))])
    };
    // With nothing left to be judged, the rest is separable.
    let rest_is_apart = unjudged.is_empty() && left_out.is_empty();
    let names_apart = !rest_is_apart || (ties.is_empty() && same.is_empty());
    let groups = [
        ("best.headline-ties", &ties),
        ("best.headline-unclear", &same),
        ("best.headline-apart", if names_apart { &apart } else { &Vec::new() }),
        ("best.headline-open", &unjudged),
        ("best.headline-left-out", &left_out),
    ];
    let named = groups.into_iter().filter(|(_, steps)| !steps.is_empty());
    let mut parts: Vec<String> = named.map(|(key, steps)| counted(key, steps)).collect();
    if !choice.noticed.is_empty() {
        parts.push(tell::<&str>(material, "best.headline-noticed", &[]));
    }
    parts.join(&words.get("punctuation.comma"))
}

/// None of the others can be judged: why, where it is one reason.
fn unjudged_words(choice: &Choice, words: &Catalogue) -> String {
    let mut reasons: Vec<&str> =
        choice.against.iter().flatten().map(|against| against.reason.unwrap_or_default()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    let known = match reasons.as_slice() {
        [only] => words.find(&format!("best.reason.{only}")).map(str::to_owned),
        _ => None,
    };
    let reason = known.unwrap_or_else(|| words.get("best.reason.other"));
    words.fill("best.headline-unjudged", &[("reason", &reason)])
}

/// The text of that key about checkpoints, with `{axis|step|epoch}` for what they are counted by.
fn tell<V: Display>(material: &sections::Material<'_>, key: &str, args: &[(&str, V)]) -> String {
    tell_of(material.choice, material.words, key, args)
}

fn tell_of<V: Display>(
    choice: &Choice,
    words: &Catalogue,
    key: &str,
    args: &[(&str, V)],
) -> String {
    let axis = match choice.axis {
        CheckpointAxis::Step => "1",
        CheckpointAxis::Epoch => "2",
    };
    let args = args.iter().map(|(name, value)| (*name, value.to_string()));
    let args: Vec<(&str, String)> = args.chain([("axis", axis.to_owned())]).collect();
    words.fill(key, &args)
}

/// A step for a person.
fn step(step: f64) -> String {
    quantity::fixed(step, if step.fract() == 0.0 { 0 } else { 2 })
}

/// Steps for a person: the first few, and how many more there are.
fn steps(steps: &[f64], words: &Catalogue) -> String {
    const MOST: usize = 6;
    let all: Vec<String> = steps.iter().map(|at| step(*at)).collect();
    let Some((shown, rest)) = all.split_at_checked(MOST).filter(|(_, rest)| rest.len() > 1) else {
        return all.join(&words.get("punctuation.comma"));
    };
    let shown = shown.join(&words.get("punctuation.comma"));
    words.fill("best.more", &[("shown", &shown), ("count", &rest.len().to_string())])
}

fn figure(choice: &Choice, value: Option<f64>) -> String {
    value.map_or_else(|| "?".to_owned(), |value| quantity::figure(value, choice.spec.unit))
}
