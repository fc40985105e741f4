//! What has to be known before the figures are believed, each thing once: what findings about
//! comparability say stands with the grade.

use super::{accepted, limits, lists, missing, noise, phrases};
use crate::check::CheckFindings;
use crate::compare::{Comparison, Verdict, VerdictReason};
use crate::diag::{Code, Diagnostic, Effect, Severity};
use crate::pairing::{ArmPair, PairArm};
use crate::quantity;
use crate::report::block::{Block, Icon, Text};
use crate::report::material::{ReportMaterial, aa_kind};
use crate::text::Catalogue;

/// Most comparisons named one by one.
const MOST_NAMED: usize = 8;

/// Most findings of reading that are named; all are among the diagnostics.
const MOST_READ: usize = 6;

pub(super) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks = phrases::by_candidate(material, |pair, findings, comparisons| {
        let mut items = items(pair, comparisons, material);
        items.extend(told(pair, findings, comparisons, material));
        (!items.is_empty()).then(|| Block::bullets(items)).into_iter().collect()
    });
    let read: Vec<Text> = material.collected.iter().filter_map(|one| loud(one, words)).collect();
    if !read.is_empty() {
        let more = lists::more("findings.more-read", read.len(), MOST_READ, words);
        let shown = read.into_iter().take(MOST_READ).chain(more.map(Text::plain));
        blocks.push(Block::bullets(shown.collect()));
    }
    blocks
}

/// What the comparisons leave to be said beside their figures.
fn items(
    pair: &ArmPair<'_>,
    comparisons: &[Comparison<'_>],
    material: &ReportMaterial<'_>,
) -> Vec<Text> {
    let words = material.words;
    let averages = material.suites.iter().filter(|suite| std::ptr::eq(suite.pair, pair));
    let averages_decide = averages.into_iter().any(|suite| {
        matches!(suite.verdict, Verdict::Better | Verdict::Worse | Verdict::Equivalent)
    });
    let mut items = small(comparisons, words);
    items.extend(noise::key_finding(comparisons, words));
    items.extend(undecided(pair, comparisons, averages_decide, words));
    items.extend(held_back(comparisons, words));
    items.extend(could_be_undone(comparisons, words));
    items.extend(untouched_side(comparisons, words));
    items.extend(missing::key_finding(pair, words));
    items
}

/// What the checks found and the grade does not say.
fn told(
    pair: &ArmPair<'_>,
    findings: &CheckFindings,
    comparisons: &[Comparison<'_>],
    material: &ReportMaterial<'_>,
) -> Vec<Text> {
    let words = material.words;
    let clause = accepted::clause(&[findings], words);
    let accepted = (!clause.is_empty()).then(|| Text::marked(Icon::Caution, clause.trim_start()));
    let is_aa = aa_kind(pair, findings) == Some("seeds") && items_have_verdicts(comparisons);
    let by_chance = is_aa.then(|| Text::marked(Icon::Caution, words.get("findings.aa-verdict")));
    let loud = findings.diagnostics.iter().filter_map(|one| loud(one, words));
    accepted.into_iter().chain(by_chance).chain(loud).collect()
}

/// The sentence about a finding for the key findings: a warning, or a note that explains figures,
/// unless another sentence or the grade already mentions it. A selection by outcome (of samples or of
/// a checkpoint) also gets its advice.
fn loud(finding: &Diagnostic, words: &Catalogue) -> Option<Text> {
    let explains = matches!(finding.code, Code::IdenticalArms | Code::InfiniteScores);
    let is_said = finding.effect() != Effect::None || finding.code == Code::MissingCells;
    if is_said || !(explains || finding.severity > Severity::Info) {
        return None;
    }
    let chosen = matches!(finding.code, Code::ItemsByOutcome | Code::BestCheckpoint);
    let help = words.help(finding).filter(|_| chosen);
    let help = help.map(|help| words.get("punctuation.semicolon") + &help).unwrap_or_default();
    let code = accepted::code(finding, words);
    let sentence = format!(" {}{help}{code}", words.message(finding));
    Some(Text::icon(Icon::Caution).and_quoting(&sentence))
}

fn items_have_verdicts(comparisons: &[Comparison<'_>]) -> bool {
    comparisons.iter().any(|comparison| comparison.verdict.is_decided())
}

/// Differences that are certain and small, and the margin that would call them equivalent.
fn small(comparisons: &[Comparison<'_>], words: &Catalogue) -> Vec<Text> {
    let small = comparisons.iter().filter_map(|one| Some((one, one.small_within?)));
    let sentence = |(comparison, within): (&Comparison<'_>, f64)| {
        let unit = comparison.cell.spec.unit;
        let points = if unit.is_rate() { "pp" } else { "" };
        let within = quantity::exact(within);
        let margin = format!("{}={within}{points}", comparison.cell.key.metric);
        let within = format!("{within}{}", unit.difference_suffix());
        let text = words.fill("findings.small", &[("within", &within), ("margin", &margin)]);
        phrases::cell_name(comparison, words).and_plain(text)
    };
    small.take(MOST_NAMED).map(sentence).collect()
}

/// Comparisons that are not significant, and the nearest to it.
fn undecided(
    pair: &ArmPair<'_>,
    comparisons: &[Comparison<'_>],
    averages_decide: bool,
    words: &Catalogue,
) -> Option<Text> {
    let open: Vec<&Comparison<'_>> =
        comparisons.iter().filter(|one| is_open(one) && !is_held_back(one)).collect();
    let assessed =
        comparisons.iter().filter(|comparison| comparison.p_adjusted().is_some()).count();
    if open.is_empty() {
        return None;
    }
    let nearest = open.iter().filter_map(|one| Some((one, one.delta?, phrases::single_p(one)?)));
    let nearest = nearest.filter(|(_, _, p)| *p < phrases::FARTHEST_P);
    // Nearest by the p that decides; a metric without a good side comes last.
    let nearest = nearest.min_by(|(a, _, p), (b, _, q)| {
        let adjusted = |one: &Comparison<'_>| one.p_adjusted().unwrap_or(1.0);
        let has_no_side = |one: &Comparison<'_>| !one.cell.has_good_side();
        let sides = has_no_side(a).cmp(&has_no_side(b));
        sides.then(adjusted(a).total_cmp(&adjusted(b))).then(p.total_cmp(q))
    });
    let closest = nearest.map(|(one, delta, _)| {
        let delta = phrases::delta_text(one, delta);
        words.fill("findings.closest", &[("delta", delta), ("where", place_of(one, words))])
    });
    let args = [
        ("count", open.len().to_string()),
        ("assessed", assessed.to_string()),
        ("candidate", pair.name(PairArm::Candidate).to_owned()),
        ("baseline", pair.name(PairArm::Baseline).to_owned()),
        ("closest", closest.unwrap_or_default()),
    ];
    let key = match (open.len() == assessed, averages_decide) {
        (true, false) if assessed == 1 => "findings.one-undecided",
        (true, false) => "findings.none-decided",
        (true, true) => "findings.none-decided-singly",
        (false, _) => "findings.some-undecided",
    };
    Some(Text::plain(words.fill(key, &args)))
}

/// Whether it is undecided for what its samples say; what runs of the baseline say stands apart.
fn is_open(one: &Comparison<'_>) -> bool {
    one.verdict == Verdict::Inconclusive
        && one.reason != Some(VerdictReason::GuardHeld)
        && !limits::is_limited_by_noise(one)
        && one.delta.is_some()
}

/// Whether its own test is significant, and a reason keeps it undecided all the same.
fn is_held_back(one: &Comparison<'_>) -> bool {
    one.reason.is_some() && one.p_adjusted().is_some_and(|p| p < one.alpha)
}

/// Comparisons that are significant and undecided for a reason that no other finding says.
fn held_back(comparisons: &[Comparison<'_>], words: &Catalogue) -> Option<Text> {
    let held = comparisons.iter().filter(|one| {
        is_open(one) && is_held_back(one) && one.reason != Some(VerdictReason::MissingCouldUndo)
    });
    let names: Vec<String> = held
        .map(|one| {
            let delta = phrases::delta_text(one, one.delta.unwrap_or_default());
            let args = [("name", one.cell.key.to_string()), ("detail", delta)];
            words.fill("phrase.name-with-detail", &args)
        })
        .collect();
    let args = [
        ("count", names.len().to_string()),
        ("section", words.get("section.limits")),
        ("names", lists::first(names, MOST_NAMED, words)),
    ];
    (args[0].1 != "0").then(|| Text::marked(Icon::Open, words.fill("findings.held-back", &args)))
}

/// Comparisons that only missing samples keep from a verdict.
fn could_be_undone(comparisons: &[Comparison<'_>], words: &Catalogue) -> Option<Text> {
    let undone =
        |comparison: &&Comparison<'_>| comparison.reason == Some(VerdictReason::MissingCouldUndo);
    let names: Vec<String> = comparisons
        .iter()
        .filter(undone)
        .map(|comparison| comparison.cell.key.to_string())
        .collect();
    if names.is_empty() {
        return None;
    }
    let args =
        [("count", names.len().to_string()), ("names", lists::first(names, MOST_NAMED, words))];
    Some(Text::plain(words.fill("findings.missing-could-undo", &args)))
}

fn place_of(comparison: &Comparison<'_>, words: &Catalogue) -> String {
    let key = &comparison.cell.key;
    if key.dims.is_empty() { key.to_string() } else { phrases::place_phrase(&key.dims, words) }
}

/// Changes of metrics without a good side that are real all the same.
fn untouched_side(comparisons: &[Comparison<'_>], words: &Catalogue) -> Vec<Text> {
    comparisons
        .iter()
        .filter(|comparison| {
            matches!(
                comparison.reason,
                Some(VerdictReason::Neutral | VerdictReason::DirectionUnknown)
            )
        })
        .take(MOST_NAMED)
        .map(|comparison| {
            let delta = phrases::delta_text(comparison, comparison.delta.unwrap_or_default());
            let p = comparison.p_adjusted().map_or_else(String::new, quantity::p_text_in_sentence);
            let reason = comparison.reason.map_or("neutral", VerdictReason::key);
            let key = format!("findings.{reason}");
            let name = comparison.cell.key.metric.clone();
            let text = words.fill(&key, &[("delta", &delta), ("p", &p), ("metric", &name)]);
            phrases::cell_name(comparison, words).and_plain(text)
        })
        .collect()
}
