//! Samples as cards: texts masked, cut and compared, as many as there is room for.

use indexmap::IndexMap;

use super::super::analysis::{
    Browsed, NamedText, SampleGroup, SampleTexts, ShownAnswer, ShownSample, Suspect, is_usual,
};
use super::{Budget, transition_title};
use crate::model::{SampleStatus, without_evident_secrets};
use crate::quantity;
use crate::report::sample_card::{CardAnswer, CardText, SampleCard};
use crate::report::{DiffPart, word_diff};
use crate::text::Catalogue;

/// Bytes of one text that are shown of its beginning and of its end.
const HEAD: usize = 48 << 10;
const TAIL: usize = 16 << 10;
/// Bytes of a card beside its texts, as a page needs them.
const CARD_BYTES: usize = 1_500;
/// Most scores of one answer beside the one that decides.
const MOST_SCORES: usize = 8;

/// The cards that the budget has room for, and the bytes that are left of it.
pub(super) fn cards(
    browsed: &Browsed<'_>,
    budget: &Budget<'_>,
    words: &Catalogue,
) -> (Vec<SampleCard>, usize) {
    let mut left = budget.bytes;
    let mut cards = Vec::new();
    for (sample, number) in browsed.shown.iter().zip(1..) {
        let card = card(sample, number, browsed, budget, words);
        let Some(rest) = left.checked_sub(CARD_BYTES + bytes(&card)) else { break };
        left = rest;
        cards.push(card);
    }
    mark_alike(&mut cards);
    (cards, left)
}

/// Letters of an answer by which it is told from others, and those of it that are shown.
const COMPARED: usize = 160;
const LABEL: usize = 48;

/// Names the samples to which candidates gave one answer, but for case, spaces and signs.
fn mark_alike(cards: &mut [SampleCard]) {
    let answer = |card: &SampleCard| {
        let given = card.answers.iter().rfind(|answer| !answer.is_baseline)?;
        let meant = |meaning: &str| given.texts.iter().find(|text| text.meaning == meaning);
        Some(meant("extracted").or_else(|| meant("answer"))?.plain())
    };
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).take(COMPARED).collect()
    };
    let answers: Vec<Option<String>> = cards.iter().map(answer).collect();
    let mut groups: IndexMap<String, Vec<usize>> = IndexMap::new();
    for (place, text) in answers.iter().enumerate() {
        let key = text.as_deref().map(letters).filter(|letters| !letters.is_empty());
        groups.entry(key.unwrap_or_default()).or_default().push(place);
    }
    for (key, places) in groups.iter().filter(|(key, places)| !key.is_empty() && places.len() > 1) {
        let first = places.first().and_then(|place| answers.get(*place)?.as_deref());
        let words = first.unwrap_or(key).split_whitespace().collect::<Vec<_>>().join(" ");
        let label: String = words.chars().take(LABEL).collect();
        for place in places {
            if let Some(card) = cards.get_mut(*place) {
                card.alike.clone_from(&label);
            }
        }
    }
}

fn bytes(card: &SampleCard) -> usize {
    let texts = card.answers.iter().flat_map(|answer| &answer.texts).chain(&card.asked);
    // A marked part stands in an element of its own.
    texts.flat_map(|text| &text.parts).map(|part| part.text.len() + 12).sum()
}

fn card(
    sample: &ShownSample<'_>,
    number: usize,
    browsed: &Browsed<'_>,
    budget: &Budget<'_>,
    words: &Catalogue,
) -> SampleCard {
    let group = browsed.groups.get(sample.group);
    let is_binary = group.is_some_and(|group| group.is_binary);
    let texts: Vec<Option<ShownTexts>> = sample
        .answers
        .iter()
        .map(|answer| Some(shown(answer.as_ref()?.texts.as_ref()?, budget, words)))
        .collect();
    let first = |of: fn(&ShownTexts) -> Option<&ShownText>| texts.iter().flatten().find_map(of);
    let asked = [
        ("prompt", first(|texts| texts.prompt.as_ref())),
        ("target", first(|texts| texts.target.as_ref())),
    ];
    let asked = asked.into_iter().filter_map(|(meaning, text)| Some(text?.whole(meaning, words)));
    let answers = browsed.runs.iter().enumerate().map(|(run, name)| {
        let answer = sample.answers.get(run).and_then(Option::as_ref);
        let own = texts.get(run).and_then(Option::as_ref);
        CardAnswer {
            run: name.clone(),
            is_baseline: run == 0,
            is_right: answer.and_then(|answer| answer.is_right),
            facts: answer.map_or_else(
                || vec![words.get("browse.no-record")],
                |answer| facts(answer, group, own, words),
            ),
            texts: answer_texts(run, &texts, words),
            images: Vec::new(),
            source: answer.map_or_else(String::new, |answer| {
                answer.table.source(answer.row, "").location().to_string()
            }),
        }
    });
    let because = sample.unpaired.map(|because| {
        let run = because.run().and_then(|run| browsed.runs.get(run)).map_or("", String::as_str);
        words.fill(&format!("browse.because.{}", because.name()), &[("run", run)])
    });
    let prompts = texts.iter().flatten().filter_map(|texts| texts.prompt.as_ref());
    let mut prompts = prompts.map(|prompt| &prompt.text);
    let other_prompt = prompts.next().is_some_and(|first| prompts.any(|other| other != first));
    let other_prompt = other_prompt.then(|| words.get("browse.other-prompt"));
    let dims = group.map(|group| group.dims.to_string()).filter(|dims| !dims.is_empty());
    SampleCard {
        number,
        class: sample.transition.name(),
        class_title: transition_title(sample.transition, is_binary, words),
        id: sample.id.to_owned(),
        dataset: group.and_then(|group| group.dataset).unwrap_or_default().to_owned(),
        ending: ending(sample, &texts, words),
        alike: String::new(),
        notes: dims.into_iter().chain(because).chain(other_prompt).collect(),
        asked: asked.collect(),
        images: Vec::new(),
        answers: answers.collect(),
    }
}

/// How the last candidate that has a record ended, where not as it should.
fn ending(sample: &ShownSample<'_>, texts: &[Option<ShownTexts>], words: &Catalogue) -> String {
    let candidates = sample.answers.iter().zip(texts).skip(1);
    let told = candidates.rev().find_map(|(answer, texts)| {
        let answer = answer.as_ref()?;
        let said = texts.as_ref().and_then(|texts| texts.endings.first().cloned());
        let is_cut = answer.table.truncated().get(answer.row) == Some(&true);
        said.or_else(|| is_cut.then(|| words.get("browse.truncated")))
    });
    told.unwrap_or_default()
}

/// The answer of a run, its words marked that the baseline, or the only candidate, does not have; and
/// what was taken from it.
fn answer_texts(run: usize, texts: &[Option<ShownTexts>], words: &Catalogue) -> Vec<CardText> {
    let answer = |run: usize| texts.get(run)?.as_ref()?.answer.as_ref();
    let Some(own) = texts.get(run).and_then(Option::as_ref) else { return Vec::new() };
    let other = match (run, texts.len()) {
        (0, 2) => answer(1),
        (0, _) => None,
        _ => answer(0),
    };
    let compared = answer(run).zip(other).filter(|(own, other)| !own.is_hidden && !other.is_hidden);
    let marked = compared.and_then(|(own, other)| {
        let [first, second] = if run == 0 { [own, other] } else { [other, own] };
        let [first, second] = word_diff(&first.text, &second.text)?;
        Some(if run == 0 { first } else { second })
    });
    let shown = answer(run).map(|text| {
        let whole = text.whole("answer", words);
        CardText { parts: marked.unwrap_or_else(|| DiffPart::whole(&text.text)), ..whole }
    });
    let extracted = own.extracted.as_ref().map(|text| text.whole("extracted", words));
    shown.into_iter().chain(extracted).collect()
}

/// Score, other scores, how it ended, tokens.
fn facts(
    answer: &ShownAnswer<'_>,
    group: Option<&SampleGroup<'_>>,
    texts: Option<&ShownTexts>,
    words: &Catalogue,
) -> Vec<String> {
    let outcome = answer
        .is_right
        .map(|is_right| words.get(if is_right { "browse.is-right" } else { "browse.is-wrong" }));
    let mut facts: Vec<String> = outcome.into_iter().collect();
    let main = group.and_then(|group| group.spec.as_ref()).map(|spec| spec.name.as_str());
    if let (true, Some(name), Some(score)) = (facts.is_empty(), main, answer.score) {
        facts.push(format!("{name} {}", quantity::exact(score)));
    }
    let further = group.into_iter().flat_map(|group| &group.further).take(MOST_SCORES);
    facts.extend(further.filter_map(|name| {
        let score = answer.table.column(name)?.get(answer.row)?;
        Some(format!("{name} {}", quantity::exact(score)))
    }));
    facts.extend(texts.into_iter().flat_map(|texts| texts.endings.iter().cloned()));
    let status = answer.table.statuses().get(answer.row);
    facts.extend((status == Some(&SampleStatus::Errored)).then(|| words.get("browse.failed")));
    let is_cut = answer.table.truncated().get(answer.row) == Some(&true);
    facts.extend(is_cut.then(|| words.get("browse.truncated")));
    let tokens = texts.and_then(|texts| texts.tokens);
    facts.extend(
        tokens.map(|tokens| words.fill("browse.tokens", &[("count", quantity::exact(tokens))])),
    );
    let several = answer.table.answers().and_then(|answers| answers.counts().get(answer.row));
    facts.extend(several.filter(|count| **count > 1).map(|count| {
        words.fill("browse.of-answers", &[("count", quantity::count(u64::from(*count)))])
    }));
    facts
}

/// A text as it may be shown.
struct ShownText {
    text: String,
    /// How long it is, where something was left out.
    cut: Option<usize>,
    /// Whether it stands in the place of another one.
    is_hidden: bool,
}

impl ShownText {
    fn whole(&self, meaning: &'static str, words: &Catalogue) -> CardText {
        let cut = self.cut.map(|characters| {
            let count = quantity::count(characters as u64);
            words.fill("browse.cut", &[("count", count)])
        });
        let label = words.get(&format!("browse.{meaning}"));
        CardText { meaning, label, parts: DiffPart::whole(&self.text), cut }
    }
}

struct ShownTexts {
    prompt: Option<ShownText>,
    target: Option<ShownText>,
    answer: Option<ShownText>,
    extracted: Option<ShownText>,
    endings: Vec<String>,
    tokens: Option<f64>,
}

/// A text without credentials, not too long, or what stands in its place.
fn shown_text(
    meaning: &str,
    text: &NamedText,
    budget: &Budget<'_>,
    words: &Catalogue,
) -> ShownText {
    let is_named = |redacted: &String| *redacted == text.field || redacted == meaning;
    if budget.redacted.iter().any(is_named) {
        return ShownText { text: words.get("browse.redacted"), cut: None, is_hidden: true };
    }
    let masked = without_evident_secrets(&text.text).replace("\r\n", "\n");
    let length = masked.chars().count();
    match cut(&masked) {
        None => ShownText { text: masked, cut: None, is_hidden: false },
        Some(text) => ShownText { text, cut: Some(length), is_hidden: false },
    }
}

/// The answer of all runs and the target that is not it, as they may be shown.
pub(super) fn suspect_texts(
    suspect: &Suspect<'_>,
    budget: &Budget<'_>,
    words: &Catalogue,
) -> [String; 2] {
    let texts = [("target", &suspect.target), ("answer", &suspect.answer)];
    texts.map(|(meaning, text)| shown_text(meaning, text, budget, words).text.trim().to_owned())
}

/// The texts of a record as they may be shown.
fn shown(texts: &SampleTexts, budget: &Budget<'_>, words: &Catalogue) -> ShownTexts {
    let one = |meaning: &str, text: &NamedText| shown_text(meaning, text, budget, words);
    let maybe = |meaning, text: &Option<NamedText>| text.as_ref().map(|text| one(meaning, text));
    let ending = |ending: &NamedText| {
        let told = one("ending", ending);
        let line = told.text.lines().next().unwrap_or_default().to_owned();
        format!("{} {line}", ending.field)
    };
    ShownTexts {
        prompt: maybe("prompt", &texts.prompt),
        target: maybe("target", &texts.target),
        answer: maybe("answer", &texts.answer),
        extracted: maybe("answer", &texts.extracted),
        endings: texts.endings.iter().filter(|ending| !is_usual(ending)).map(ending).collect(),
        tokens: texts.tokens,
    }
}

/// Beginning and end of a text that is too long.
fn cut(text: &str) -> Option<String> {
    if text.len() <= HEAD + TAIL {
        return None;
    }
    let head = text.floor_char_boundary(HEAD);
    let tail = text.ceil_char_boundary(text.len() - TAIL);
    Some(format!("{}\n⋯\n{}", text.get(..head)?, text.get(tail..)?))
}
