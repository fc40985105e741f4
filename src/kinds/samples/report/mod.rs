//! The report of `samples`.

mod cards;
mod data;
mod images;

use super::analysis::{Agreement, Browsed, SampleGroup, Transition};
use crate::diag::Diagnostic;
use crate::quantity;
use crate::report::block::{Block, Cell, Section, Table, Text, Tone};
use crate::report::sample_card::SampleCard;
use crate::report::{FindingView, Headline, Part, Report, SAMPLE_TEXTS, finding, sample_cards};
use crate::text::Catalogue;

/// What may be shown of texts.
pub(super) struct Budget<'a> {
    pub(super) bytes: usize,
    /// Fields, or meanings of fields, that are left out.
    pub(super) redacted: &'a [String],
    /// Whether the texts are read where the command is given, and not in a file.
    pub(super) is_read_at_once: bool,
    /// Whether images are shown as well.
    pub(super) has_images: bool,
}

pub(super) struct Material<'a> {
    browsed: &'a Browsed<'a>,
    cards: Vec<SampleCard>,
    /// What is said of the images in them.
    images: Option<String>,
    /// Target, and the answer of all runs, of each sample whose target may be wrong.
    suspects: Vec<[String; 2]>,
    findings: &'a [FindingView],
    words: &'a Catalogue,
}

pub(super) type Blocks = fn(&Material<'_>) -> Vec<Block>;

pub(super) static PARTS: &[Part<Blocks>] = &[
    Part {
        id: "diagnostics",
        title: "section.diagnostics",
        blocks: |material| finding::blocks(material.findings, material.words),
    },
    Part { id: "agreement", title: "browse.agreement", blocks: agreement },
    Part { id: SAMPLE_TEXTS, title: "browse.section", blocks: all_texts },
];

/// The texts, of three runs or more behind what these agree about, below a title of their own; nothing where
/// no sample is shown.
pub(super) fn section(
    browsed: &Browsed<'_>,
    budget: &Budget<'_>,
    words: &Catalogue,
) -> Option<Section> {
    let (cards, images) = images::cards(browsed, budget, words);
    let suspects = suspects(browsed, budget, words);
    let material = Material { browsed, cards, images, suspects, findings: &[], words };
    let counts = [material.cards.len(), browsed.asked].map(|count| quantity::count(count as u64));
    let [shown, asked] = counts;
    let lead = words.fill("browse.beside-lead", &[("shown", shown), ("asked", asked)]);
    let (none, cards, _) = texts(&material)?;
    let lead = Block::paragraph(Text::empty().and_quoting(&lead));
    let agreed = agreement(&material);
    let heading = |key: &str| (!agreed.is_empty()).then(|| Block::heading(words.get(key)));
    let [over_agreed, over_cards] = ["browse.agreement", "browse.section"].map(heading);
    let blocks = [lead].into_iter().chain(over_agreed).chain(agreed);
    let blocks = blocks.chain(over_cards).chain(none);
    let title = words.get("browse.beside").into();
    Some(Section { id: SAMPLE_TEXTS, title, blocks: blocks.chain([cards]).collect() })
}

/// Target, and the answer of all runs, of each sample whose target may be wrong.
fn suspects(browsed: &Browsed<'_>, budget: &Budget<'_>, words: &Catalogue) -> Vec<[String; 2]> {
    let suspects = browsed.agreement.iter().flat_map(|agreement| &agreement.suspects);
    suspects.map(|suspect| cards::suspect_texts(suspect, budget, words)).collect()
}

pub(super) fn report(
    browsed: &Browsed<'_>,
    noticed: &[Diagnostic],
    budget: &Budget<'_>,
    words: &Catalogue,
) -> Report {
    let findings = finding::views(noticed.iter().chain(&browsed.findings), words);
    let (cards, images) = images::cards(browsed, budget, words);
    let suspects = suspects(browsed, budget, words);
    let (data, sheet) = data::data_and_sheet(browsed, &cards, &suspects);
    let material = Material { browsed, cards, images, suspects, findings: &findings, words };
    let brief = if budget.is_read_at_once { all_texts(&material) } else { Vec::new() };
    let left_out = browsed.asked.saturating_sub(material.cards.len());
    Report {
        kind: "samples",
        paper: Vec::new(),
        gates: Vec::new(),
        sheet: Some(sheet),
        data,
        lang: words.lang,
        title: Text::plain(words.get("browse.title")),
        headline: headline(&material, left_out),
        brief,
        sections: crate::report::sections(PARTS, |blocks| blocks(&material), words),
        findings,
    }
}

fn headline(material: &Material<'_>, left_out: usize) -> Headline {
    let Material { browsed, findings, words, .. } = *material;
    let comma = words.get("punctuation.comma");
    let counts: Vec<String> = browsed
        .counts
        .iter()
        .filter(|((transition, _), _)| *transition != Transition::Unpaired)
        .map(|((transition, is_binary), count)| {
            let title = transition_title(*transition, *is_binary, words);
            format!("{} {title}", quantity::count(*count as u64))
        })
        .collect();
    let mut metrics: Vec<&str> = browsed
        .groups
        .iter()
        .filter_map(|group| Some(group.spec.as_ref()?.name.as_str()))
        .collect();
    metrics.sort_unstable();
    metrics.dedup();
    let paired = quantity::count(browsed.paired() as u64);
    let facts =
        [("paired", paired), ("metrics", metrics.join(&comma)), ("counts", counts.join(&comma))];
    let result = if browsed.groups.is_empty() {
        words.get("browse.no-samples")
    } else if browsed.counts.is_empty() {
        words.get("browse.none")
    } else if browsed.paired() == 0 {
        words.get("browse.no-pairs")
    } else {
        words.fill("browse.result", &facts)
    };
    let result = Text::plain(result).and_plain(unpaired(browsed, words));
    let shown = material.cards.len();
    let next = (left_out > 0).then(|| {
        let counts = [shown, browsed.asked].map(|count| quantity::count(count as u64));
        let [shown, asked] = counts;
        words.fill("browse.next", &[("shown", shown), ("asked", asked)])
    });
    Headline::new(Tone::Note, result)
        .trusted(finding::trust(findings, words))
        .followed_by(next, words)
}

/// How many samples are in no pair, and why.
fn unpaired(browsed: &Browsed<'_>, words: &Catalogue) -> String {
    let all: usize = browsed.unpaired.values().sum();
    if all == 0 {
        return String::new();
    }
    let reasons = browsed.unpaired.iter().map(|(because, count)| {
        let run = because.run().and_then(|run| browsed.runs.get(run)).map_or("", String::as_str);
        let key = format!("browse.because.{}", because.name());
        format!("{} {}", quantity::count(*count as u64), words.fill(&key, &[("run", run)]))
    });
    let reasons = reasons.collect::<Vec<_>>().join(&words.get("punctuation.comma"));
    let facts = [("count", quantity::count(all as u64)), ("reasons", reasons)];
    words.fill("browse.unpaired", &facts)
}

/// What became of a sample, in words.
fn transition_title(transition: Transition, is_binary: bool, words: &Catalogue) -> String {
    let of_scores = if is_binary { "" } else { "-score" };
    let key = match transition {
        Transition::Worse | Transition::Better => {
            format!("browse.transition.{}{of_scores}", transition.name())
        }
        _ => format!("browse.transition.{}", transition.name()),
    };
    words.get(&key)
}

fn all_texts(material: &Material<'_>) -> Vec<Block> {
    let shown = texts(material).into_iter();
    shown
        .flat_map(|(none, cards, left_out)| none.into_iter().chain([cards]).chain(left_out))
        .collect()
}

/// The samples, between what is said where they have no texts and how many more there are.
fn texts(material: &Material<'_>) -> Option<(Option<Block>, Block, Option<Block>)> {
    let Material { browsed, cards, words, .. } = material;
    if cards.is_empty() {
        return None;
    }
    let has_texts = cards.iter().any(|card| {
        !card.asked.is_empty() || card.answers.iter().any(|answer| !answer.texts.is_empty())
    });
    let none = (!has_texts).then(|| Block::paragraph(words.get("browse.no-texts")));
    let left_out = browsed.asked - cards.len();
    let left_out = (left_out > 0).then(|| {
        let count = quantity::count(left_out as u64);
        let told = words.fill("browse.left-out", &[("count", count)]);
        Block::paragraph(Text::empty().and_quoting(&told))
    });
    Some((none, sample_cards(cards.clone(), material.images.clone(), words), left_out))
}

/// Most rows of a table of samples.
const MOST_ROWS: usize = 50;

fn agreement(material: &Material<'_>) -> Vec<Block> {
    let Material { browsed, words, .. } = material;
    let Some(Agreement { divided, failed_by_all, suspects }) = &browsed.agreement else {
        return Vec::new();
    };
    let place = |group: usize| place(browsed.groups.get(group));
    let counted = |key: &str, count: usize| {
        Block::paragraph(words.fill(key, &[("count", quantity::count(count as u64))]))
    };
    let mut blocks = vec![counted("browse.divided", divided.len())];
    let rows: Vec<_> = divided.iter().take(MOST_ROWS).collect();
    if !rows.is_empty() {
        let mut table = Table::of_rows(&rows)
            .left(words.get("browse.sample"), |one| Text::code(one.id))
            .left(words.get("samples.dataset"), |one| place(one.group));
        for (at, run) in browsed.runs.iter().enumerate() {
            table = table.left(run.as_str(), move |one| outcome(one.is_right[at], words));
        }
        let right = |one: &&&super::analysis::Divided<'_>| {
            Cell::count(one.is_right.iter().filter(|right| **right == Some(true)).count() as u64)
        };
        blocks.push(table.right(words.get("browse.right"), |one| right(&one)).block());
        blocks.extend(rest(divided.len(), words));
    }
    blocks.push(counted("browse.failed-by-all", failed_by_all.len()));
    if !failed_by_all.is_empty() {
        let ids: Vec<Text> =
            failed_by_all.iter().take(MOST_ROWS).map(|(_, id)| Text::code(*id)).collect();
        let summary = words.get("browse.failed-ids");
        let list = [Block::bullets(ids)].into_iter().chain(rest(failed_by_all.len(), words));
        blocks.push(Block::folded(summary, list.collect()));
    }
    if !suspects.is_empty() {
        blocks.push(counted("browse.suspects", suspects.len()));
        let rows: Vec<_> = suspects.iter().zip(&material.suspects).take(MOST_ROWS).collect();
        let table = Table::of_rows(&rows)
            .left(words.get("browse.sample"), |(one, _)| Text::code(one.id))
            .left(words.get("samples.dataset"), |(one, _)| place(one.group))
            .left(words.get("browse.target"), |(_, [target, _])| target.as_str())
            .left(words.get("browse.answer-of-all"), |(_, [_, answer])| answer.as_str());
        blocks.push(table.block());
    }
    blocks
}

/// How many more there are than are listed.
fn rest(count: usize, words: &Catalogue) -> Option<Block> {
    let rest = count.checked_sub(MOST_ROWS).filter(|rest| *rest > 0)?;
    let told = words.fill("browse.rest", &[("count", quantity::count(rest as u64))]);
    Some(Block::paragraph(Text::empty().and_quoting(&told)))
}

/// Whether a run is right; a missing figure where that is not known.
fn outcome(is_right: Option<bool>, words: &Catalogue) -> Cell {
    let Some(is_right) = is_right else { return Cell::missing() };
    let word = words.get(if is_right { "browse.is-right" } else { "browse.is-wrong" });
    let sign = if is_right { "✓" } else { "✗" };
    Cell::number(format!("{sign} {word}"), f64::from(u8::from(is_right)))
}

/// Dataset and coordinates of a group.
fn place(group: Option<&SampleGroup<'_>>) -> String {
    let Some(group) = group else { return String::new() };
    let dims = group.dims.to_string();
    let parts =
        group.dataset.into_iter().chain(Some(dims.as_str()).filter(|dims| !dims.is_empty()));
    parts.collect::<Vec<_>>().join(" · ")
}
