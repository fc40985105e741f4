//! What the numbers say, and nothing beyond them.

use super::{accepted, lists, missing, noise, phrases, suite};
use crate::check::{CheckFindings, Grade};
use crate::compare::{Comparison, Suite, Verdict, VerdictReason};
use crate::diag::{Code, Diagnostic, Severity};
use crate::pairing::{ArmPair, PairArm};
use crate::quantity;
use crate::report::block::{Block, Icon, Text};
use crate::report::material::{ReportMaterial, aa_kind};
use crate::stats::Interval;
use crate::text::Catalogue;

/// Most comparisons named one by one.
const MOST_NAMED: usize = 8;

pub(super) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    phrases::by_candidate(material, |pair, findings, comparisons| {
        let suites = material.suites.iter().filter(|suite| std::ptr::eq(suite.pair, pair));
        let suites: Vec<_> = suites.collect();
        let mut items = items(pair, findings, comparisons, &suites, material.words);
        items.extend(chosen(pair, findings, material));
        (!items.is_empty()).then(|| Block::bullets(items)).into_iter().collect()
    })
}

fn items(
    pair: &ArmPair<'_>,
    findings: &CheckFindings,
    comparisons: &[Comparison<'_>],
    suites: &[&Suite<'_>],
    words: &Catalogue,
) -> Vec<Text> {
    let mut items: Vec<Text> =
        suites.iter().filter_map(|suite| suite::key_finding(suite, words)).collect();
    let averages_decide = !items.is_empty();
    for (verdict, icon) in [(Verdict::Better, Icon::Good), (Verdict::Worse, Icon::Bad)] {
        items.extend(decided(comparisons, verdict, icon, words));
    }
    items.extend(equal_enough(comparisons, words));
    items.extend(noise::key_finding(comparisons, words));
    items.extend(undecided(pair, comparisons, averages_decide, words));
    items.extend(could_be_undone(comparisons, words));
    items.extend(untouched_side(comparisons, words));
    items.extend(missing::key_finding(pair, words));
    if findings.grade == Grade::Confounded && (averages_decide || items_have_verdicts(comparisons))
    {
        let text = words
            .fill("findings.not-attributable", &[("candidate", pair.name(PairArm::Candidate))]);
        items.push(Text::marked(Icon::Caution, text));
    }
    let clause = accepted::clause(&[findings], words);
    if !clause.is_empty() {
        items.push(Text::marked(Icon::Caution, clause.trim_start()));
    }
    if aa_kind(pair, findings) == Some("seeds") && items_have_verdicts(comparisons) {
        let text = words.get("findings.aa-verdict");
        items.push(Text::marked(Icon::Caution, text));
    }
    for finding in &findings.diagnostics {
        if matches!(
            finding.code,
            Code::IdenticalAcross
                | Code::IdenticalArms
                | Code::AggregateDisagrees
                | Code::InfiniteScores
                | Code::ChosenPart
                | Code::ShareDeclaredPercent
        ) {
            let label = accepted::label(finding, words).map_or_else(String::new, |label| {
                words.fill("phrase.detail", &[("detail", &label)])
            });
            let message = format!("{}{label}", words.message(finding));
            items.push(Text::marked(Icon::Caution, message));
        }
    }
    items
}

/// Items and checkpoints that were chosen by how they came out, and what that does to the figures.
fn chosen(
    pair: &ArmPair<'_>,
    findings: &CheckFindings,
    material: &ReportMaterial<'_>,
) -> Vec<Text> {
    let words = material.words;
    let is_here = |finding: &&Diagnostic| {
        let mut runs = PairArm::BOTH.into_iter().flat_map(|which| pair.runs(which));
        let is_best = finding.code == Code::BestCheckpoint && finding.severity > Severity::Info;
        is_best && runs.any(|run| finding.subject.run.as_deref() == Some(run.id.as_str()))
    };
    let items = findings.diagnostics.iter().filter(|one| one.code == Code::ItemsByOutcome);
    let told = items.chain(material.collected.iter().filter(is_here)).map(|finding| {
        let gap = words.get("punctuation.semicolon");
        let help = words.help(finding).unwrap_or_default();
        Text::marked(Icon::Caution, format!("{}{gap}{help}", words.message(finding)))
    });
    told.collect()
}

fn items_have_verdicts(comparisons: &[Comparison<'_>]) -> bool {
    comparisons
        .iter()
        .any(|comparison| matches!(comparison.verdict, Verdict::Better | Verdict::Worse))
}

/// Decided comparisons, the largest effects first.
fn decided(
    comparisons: &[Comparison<'_>],
    verdict: Verdict,
    icon: Icon,
    words: &Catalogue,
) -> Vec<Text> {
    let mut decided: Vec<_> =
        comparisons.iter().filter(|comparison| comparison.verdict == verdict).collect();
    decided.sort_by(|a, b| {
        let p = |comparison: &Comparison<'_>| comparison.p_adjusted().unwrap_or(1.0);
        p(a).total_cmp(&p(b))
    });
    let mut items: Vec<Text> = decided
        .iter()
        .take(MOST_NAMED)
        .map(|comparison| sentence(comparison, icon, words))
        .collect();
    if decided.len() > MOST_NAMED {
        let more = (decided.len() - MOST_NAMED).to_string();
        let word = words.get(&format!("verdict.{}", verdict.name()));
        items.push(words.fill("findings.more", &[("count", &more), ("verdict", &word)]).into());
    }
    items
}

fn sentence(comparison: &Comparison<'_>, icon: Icon, words: &Catalogue) -> Text {
    let figures = PairArm::BOTH.map(|which| {
        phrases::figure_text(comparison, which, comparison.figure(which).unwrap_or_default())
    });
    let [baseline, candidate] = &figures;
    let interval = intervals(comparison, words);
    let delta = comparison.delta.unwrap_or_default();
    let key = match comparison.p_adjusted() {
        // A guard is worse by its margin, for which no p is computed.
        None => "findings.decided-by-margin",
        Some(_) if interval.is_empty() => "findings.decided-without-interval",
        Some(_) => "findings.decided",
    };
    let mut text = words.fill(
        key,
        &[
            ("baseline", baseline),
            ("candidate", candidate),
            ("delta", &phrases::delta_text(comparison, delta)),
            ("level", &quantity::level(1.0 - comparison.alpha)),
            ("interval", &interval),
            ("p", &comparison.p_adjusted().map_or_else(String::new, quantity::p_text_in_sentence)),
            ("verdict", &words.get(&format!("verdict.{}", comparison.verdict.name()))),
        ],
    );
    if let Some(flips) = comparison.flips() {
        text.push_str(&words.fill(
            "findings.flips",
            &[
                ("gained", &quantity::count(flips.gained)),
                ("lost", &quantity::count(flips.lost)),
                ("n", &quantity::count(flips.n())),
            ],
        ));
    }
    if let Some(within) = comparison.small_within {
        text.push_str(&small(comparison, within, words));
    }
    text.push_str(&accepted::beside([&comparison.accepted, &comparison.confounded], words));
    let name = phrases::cell_name(comparison, words);
    let lead = Text::icon(icon).and_plain(" ");
    name.0.into_iter().fold(lead, Text::and).and_plain(text)
}

/// That the difference is small for certain, and which margin would call it equivalent.
fn small(comparison: &Comparison<'_>, within: f64, words: &Catalogue) -> String {
    let unit = comparison.cell.spec.unit;
    let points = if unit.is_rate() { "pp" } else { "" };
    let within = quantity::exact(within);
    let margin = format!("{}={within}{points}", comparison.cell.key.metric);
    let within = format!("{within}{}", unit.difference_suffix());
    words.fill("findings.small", &[("within", &within), ("margin", &margin)])
}

/// The interval of the comparison alone, and the one that holds with the others of its family.
fn intervals(comparison: &Comparison<'_>, words: &Catalogue) -> String {
    let shown = |interval: Interval| {
        quantity::interval_text(interval.lo, interval.hi, phrases::interval_decimals(comparison))
    };
    match (phrases::interval(comparison).map(shown), comparison.ci_simultaneous.map(shown)) {
        (Some(single), Some(joint)) => {
            words.fill("findings.joint", &[("interval", &single), ("joint", &joint)])
        }
        (single, _) => single.unwrap_or_default(),
    }
}

fn equal_enough(comparisons: &[Comparison<'_>], words: &Catalogue) -> Vec<Text> {
    [Verdict::Equivalent, Verdict::Identical]
        .into_iter()
        .filter_map(|verdict| {
            let count =
                comparisons.iter().filter(|comparison| comparison.verdict == verdict).count();
            let key = format!("findings.{}", verdict.name());
            (count > 0).then(|| Text::plain(words.fill(&key, &[("count", count)])))
        })
        .collect()
}

/// Comparisons that the data cannot decide, and the largest differences among them.
fn undecided(
    pair: &ArmPair<'_>,
    comparisons: &[Comparison<'_>],
    averages_decide: bool,
    words: &Catalogue,
) -> Option<Text> {
    let open: Vec<(&Comparison<'_>, f64)> = comparisons
        .iter()
        .filter(|comparison| comparison.verdict == Verdict::Inconclusive)
        .filter(|comparison| comparison.reason != Some(VerdictReason::GuardHeld))
        .filter_map(|comparison| Some((comparison, comparison.delta?)))
        .collect();
    let assessed =
        comparisons.iter().filter(|comparison| comparison.p_adjusted().is_some()).count();
    if open.is_empty() {
        return None;
    }
    let (widest, delta) = open.iter().max_by(|(a, x), (b, y)| {
        separation(a, *x).total_cmp(&separation(b, *y)).then(x.abs().total_cmp(&y.abs()))
    })?;
    let args = [
        ("count", open.len().to_string()),
        ("assessed", assessed.to_string()),
        ("candidate", pair.name(PairArm::Candidate).to_owned()),
        ("baseline", pair.name(PairArm::Baseline).to_owned()),
        ("delta", phrases::delta_text(widest, *delta)),
        ("where", place_of(widest, words)),
    ];
    let key = match (open.len() == assessed, averages_decide) {
        (true, false) => "findings.none-decided",
        (true, true) => "findings.none-decided-singly",
        (false, _) => "findings.some-undecided",
    };
    Some(Text::plain(words.fill(key, &args)))
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

/// The difference in units of how far its interval reaches towards 0: 1 where it just touches.
fn separation(comparison: &Comparison<'_>, delta: f64) -> f64 {
    let interval = phrases::interval(comparison);
    let reach =
        interval.map(|Interval { lo, hi, .. }| if delta > 0.0 { delta - lo } else { hi - delta });
    reach.filter(|reach| *reach > 0.0).map_or(0.0, |reach| delta.abs() / reach)
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
            let text = words.fill(&key, &[("delta", &delta), ("p", &p)]);
            phrases::cell_name(comparison, words).and_plain(text)
        })
        .collect()
}
