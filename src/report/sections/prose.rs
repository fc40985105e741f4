//! What only a person can write: left open, with what the tables show below it.

use indexmap::IndexSet;

use super::layout::{self, ReportGrid};
use super::tally::{ReportTally, can_exist};
use super::{lists, phrases, summary, worst_grade};
use crate::check::CheckFindings;
use crate::compare::{Comparison, Verdict};
use crate::diag::{Code, Effect};
use crate::model::Prose;
use crate::pairing::{ArmPair, PairArm};
use crate::report::ReportMaterial;
use crate::report::block::{Block, Icon, Text};
use crate::text::Catalogue;

/// Most facts listed below one heading.
const MOST_FACTS: usize = 8;

/// Strengths and weaknesses of each candidate.
pub(super) fn findings(material: &ReportMaterial<'_>) -> Vec<Block> {
    if !material.layout.has(Prose::Findings) {
        return Vec::new();
    }
    let words = material.words;
    material
        .pairs()
        .filter(|(pair, findings, _)| !is_beyond_comparing(pair, findings))
        .flat_map(|(pair, _, comparisons)| {
            let groups = layout::groups(comparisons, material.layout);
            let arm = phrases::arm_label(pair, PairArm::Candidate, words);
            [(1.0, Icon::Good, "strengths"), (-1.0, Icon::Caution, "weaknesses")]
                .into_iter()
                .flat_map(|(side, icon, name)| {
                    let title = words.fill(&format!("prose.{name}"), &[("arm", &arm)]);
                    let title = Text::marked(icon, title);
                    let facts = groups.iter().flat_map(|group| changes_by_page(group, side, words));
                    let place = (name, Some(pair.name(PairArm::Candidate)));
                    heading_with_facts(title, place, first_facts(facts.collect(), words), words)
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

/// What to choose, and which model: with how far the figures allow any choice.
pub(super) fn conclusion(material: &ReportMaterial<'_>) -> Vec<Block> {
    let mut pairs = material.pairs();
    if !material.layout.has(Prose::Conclusion)
        || pairs.all(|(pair, findings, _)| is_beyond_comparing(pair, findings))
    {
        return Vec::new();
    }
    let words = material.words;
    let factors: IndexSet<String> = material
        .paired_arms
        .pairs
        .iter()
        .flat_map(|pair| &pair.factors.keys)
        .map(|key| crate::model::leaf(key).to_owned())
        .collect();
    let title = if factors.is_empty() {
        words.get("prose.choice")
    } else {
        let names = lists::shortened(factors, words);
        words.fill("prose.choice-of", &[("factors", &names)])
    };
    let grade = worst_grade(material).map(|(key, icon, _)| {
        let codes = material.findings.iter().flat_map(|findings| &findings.diagnostics);
        let codes = codes.filter(|finding| finding.effect() != Effect::None);
        let codes = codes.map(|finding| finding.code.id().to_owned()).collect();
        let codes = lists::joined(codes, &words.get("punctuation.comma"));
        let mut title = words.get(&format!("grade.{key}.title"));
        if !codes.is_empty() {
            let args = [("name", title.as_str()), ("detail", codes.as_str())];
            title = words.fill("phrase.name-with-detail", &args);
        }
        Text::icon(icon).and_plain(words.fill("prose.grade", &[("grade", &title)]))
    });
    let grade = grade.into_iter().collect();
    let choice = heading_with_facts(Text::plain(title), ("choice", None), grade, words);
    let facts = material.pairs().map(|(pair, _, comparisons)| verdicts(pair, comparisons, words));
    let title = Text::plain(words.get("prose.model"));
    let model = heading_with_facts(title, ("model", None), facts.collect(), words);
    choice.into_iter().chain(model).collect()
}

/// Whether both arms have results and none of them can ever be compared: there is nothing to write.
fn is_beyond_comparing(pair: &ArmPair<'_>, findings: &CheckFindings) -> bool {
    let apart = [Code::NoSharedMetric, Code::NoSharedDataset];
    let has_results =
        |which: PairArm| pair.cells.iter().any(|cell| cell.side(which).value().value().is_some());
    findings.diagnostics.iter().any(|finding| apart.contains(&finding.code))
        && PairArm::BOTH.into_iter().all(has_results)
}

/// A heading, the place to write, and the facts.
fn heading_with_facts(
    title: Text,
    place: (&str, Option<&str>),
    facts: Vec<Text>,
    words: &Catalogue,
) -> Vec<Block> {
    let open = vec![Block::paragraph(words.get("prose.open"))];
    let (name, about) = place;
    let mut blocks = vec![Block::heading(title), Block::place(name, about, open)];
    if !facts.is_empty() {
        blocks.push(Block::paragraph(words.get("prose.facts")));
        blocks.push(Block::bullets(facts));
    }
    blocks
}

/// The first facts, and how many there are besides.
fn first_facts(facts: Vec<Text>, words: &Catalogue) -> Vec<Text> {
    let more = lists::more("prose.more", facts.len(), MOST_FACTS, words);
    facts.into_iter().take(MOST_FACTS).chain(more.map(Text::plain)).collect()
}

/// How many cells of each page moved to one side, how far, and how many are decided. Nothing where
/// nobody said which side is good.
fn changes_by_page(group: &ReportGrid<'_>, side: f64, words: &Catalogue) -> Vec<Text> {
    let decided = if side > 0.0 { Verdict::Better } else { Verdict::Worse };
    let line = |page: layout::ReportGridPage<'_>| {
        let tally = ReportTally::new(&page.comparisons);
        let (comparison, delta) = tally.extreme(side)?;
        comparison.cell.spec.direction.sign()?;
        let count = if side > 0.0 { tally.improved } else { tally.declined };
        let firm =
            tally.known.iter().filter(|(comparison, _)| comparison.verdict == decided).count();
        let names = group.page.as_deref().zip(page.value.as_ref());
        let names = names.map_or_else(
            || words.get("summary.all"),
            |(name, value)| phrases::dim_value(name, value, words),
        );
        let args = [
            ("page", names),
            ("count", count.to_string()),
            ("known", tally.known.len().to_string()),
            ("delta", phrases::delta_text(comparison, delta)),
            ("place", summary::place(group, comparison, words)),
            ("firm", firm.to_string()),
            ("verdict", words.get(&format!("verdict.{}", decided.name()))),
        ];
        let key = if side > 0.0 { "prose.rose" } else { "prose.fell" };
        Some(Text::code(group.metric).and_plain(words.fill(key, &args)))
    };
    group.pages().into_iter().filter_map(line).collect()
}

/// The comparisons of a candidate counted by verdict, and those that have none for lack of results.
fn verdicts(pair: &ArmPair<'_>, comparisons: &[Comparison<'_>], words: &Catalogue) -> Text {
    let order = [
        Verdict::Better,
        Verdict::Worse,
        Verdict::Equivalent,
        Verdict::Identical,
        Verdict::Inconclusive,
        Verdict::NotAssessable,
    ];
    let known = || comparisons.iter().filter(|comparison| comparison.delta.is_some());
    let possible = comparisons.iter().filter(|comparison| can_exist(comparison));
    let counts = order.into_iter().filter_map(|verdict| {
        let count = known().filter(|comparison| comparison.verdict == verdict).count();
        let word = words.get(&format!("verdict.{}", verdict.name()));
        (count > 0).then(|| format!("{word} {count}"))
    });
    let counts = lists::joined(counts.collect(), &words.get("punctuation.comma"));
    let args = [
        ("candidate", pair.name(PairArm::Candidate).to_owned()),
        ("known", known().count().to_string()),
        ("total", possible.count().to_string()),
        ("counts", if counts.is_empty() { "—".to_owned() } else { counts }),
    ];
    Text::plain(words.fill("prose.verdicts", &args))
}
