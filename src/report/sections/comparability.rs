//! May these runs be compared: the grade, the data they used, everything else that differs.

use indexmap::IndexSet;

use super::{accepted, data_files, lists, missing, phrases};
use std::collections::{BTreeMap, BTreeSet};

use crate::check::{CheckFindings, Claim, Grade, Part};
use crate::diag::{Code, Diagnostic, Effect, Fact, Severity};
use crate::model::ConfigEntry;
use crate::pairing::{ArmPair, ConfigChange, ConfigDifference, Factors, PairArm};
use crate::quantity;
use crate::report::block::{Block, Cell, Icon, Table, Text, Tone};
use crate::report::material::{ITSELF, ReportMaterial, aa_kind};
use crate::text::Catalogue;

pub(crate) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    phrases::by_candidate(material, |pair, findings, _| {
        let mut blocks: Vec<Block> = verdict(pair, findings, material).into_iter().collect();
        blocks.extend(data_files::blocks(pair, material.words));
        blocks.extend(residue(pair, findings, material.words));
        blocks
    })
}

/// Most candidates that one sentence names.
const MOST_NAMED: usize = 4;

/// The sentence about the candidates with the worst grade, and how many have a better one.
pub(crate) fn worst_grade(material: &ReportMaterial<'_>) -> Option<(&'static str, Icon, String)> {
    let pairs: Vec<_> = material.pairs().map(|(pair, findings, _)| (pair, findings)).collect();
    let (pair, worst) = pairs.iter().max_by_key(|(_, findings)| {
        let CheckFindings { grade, grade_unaccepted, .. } = findings;
        let accepted = grade_unaccepted > grade;
        (*grade, !findings.parts.is_empty(), *grade_unaccepted, accepted || is_unrecorded(findings))
    })?;
    let key = grade_key(pair, worst);
    let alike: Vec<_> =
        pairs.iter().copied().filter(|(pair, findings)| grade_key(pair, findings) == key).collect();
    let mut sentence = sentence_of(&alike, material.words);
    if alike.len() < pairs.len() {
        let others = [("count", pairs.len() - alike.len())];
        sentence.push_str(&material.words.fill("grade.others", &others));
    }
    Some((key, grade_icon(pair, worst), sentence))
}

/// What was declared or assumed to be the factor, or why what was declared is none.
fn factors_of(alike: &[(&ArmPair<'_>, &CheckFindings)], words: &Catalogue) -> String {
    let keys = alike.iter().flat_map(|(pair, _)| pair.factors.keys.iter().cloned());
    let keys: IndexSet<String> = keys.collect();
    let declared = |names: fn(&Factors) -> &Vec<String>| -> IndexSet<String> {
        alike.iter().flat_map(|(pair, _)| names(&pair.factors)).cloned().collect()
    };
    let inferred = alike.iter().any(|(pair, _)| pair.factors.inferred);
    let (key, keys) = [
        (if inferred { "grade.factor-inferred" } else { "grade.factor" }, keys),
        ("grade.factor-unknown", declared(|factors| &factors.unknown)),
        ("grade.factor-equal", declared(|factors| &factors.equal)),
    ]
    .into_iter()
    .find(|(_, keys)| !keys.is_empty())
    .unwrap_or(("grade.no-factor", IndexSet::new()));
    let count = keys.len().to_string();
    let factors = lists::joined(keys, &words.get("punctuation.comma"));
    words.fill(key, &[("count", count), ("factors", factors)])
}

/// The sentence about candidates of one grade.
fn sentence_of(alike: &[(&ArmPair<'_>, &CheckFindings)], words: &Catalogue) -> String {
    let Some((first, findings)) = alike.first() else { return String::new() };
    let comma = words.get("punctuation.comma");
    let factors = factors_of(alike, words);
    let found = || alike.iter().flat_map(|(_, findings)| &findings.diagnostics);
    let confounders = confounders(found(), words);
    let runs_with = |code: Code| -> IndexSet<String> {
        let such = found().filter(|finding| finding.code == code);
        such.filter_map(|finding| finding.evidence.get("runs")).flat_map(Fact::items).collect()
    };
    let silent = runs_with(Code::NoConfig);
    let printed = found().filter(|finding| finding.code == Code::PrintedOtherwise);
    let printed = printed.filter_map(|finding| finding.evidence.get("keys"));
    let printed: IndexSet<String> = printed.flat_map(Fact::items).collect();
    let unmatched: IndexSet<String> =
        alike.iter().flat_map(|(_, findings)| one_sided(findings)).collect();
    let candidate = if alike.len() > MOST_NAMED {
        words.fill("grade.all-candidates", &[("count", alike.len())])
    } else {
        let names =
            alike.iter().map(|(pair, _)| phrases::arm_name(pair, PairArm::Candidate, words));
        names.collect::<Vec<_>>().join(&comma)
    };
    let is_unsaid = matches!(grade_key(first, findings), "as-accepted" | "in-part");
    let shown_elsewhere = !is_unsaid || silent.is_empty();
    let unrecorded = if shown_elsewhere {
        String::new()
    } else {
        let silent = lists::shortened(silent.clone(), words);
        words.fill("accepted.unrecorded", &[("silent", &silent)])
    };
    let sentence = words.fill(
        &format!("grade.{}.sentence", grade_key(first, findings)),
        &[
            ("silent", &lists::shortened(silent, words)),
            ("partial", &lists::shortened(runs_with(Code::PartialConfig), words)),
            ("unmatched", &lists::shortened(unmatched, words)),
            ("printed", &lists::shortened(printed, words)),
            ("conditions", &lists::shortened(conditions(found()).collect(), words)),
            ("baseline", &phrases::arm_name(first, PairArm::Baseline, words)),
            ("candidate", &candidate),
            ("factors", &factors),
            ("count", &confounders.len().to_string()),
            ("confounders", &lists::joined(confounders, &comma)),
            ("blockers", &lists::joined(blockers(found(), words), &comma)),
        ],
    );
    let of_all: Vec<&CheckFindings> = alike.iter().map(|(_, findings)| *findings).collect();
    let pairs: Vec<&ArmPair<'_>> = alike.iter().map(|(pair, _)| *pair).collect();
    let missing = missing::clause(&pairs, words);
    let accepted = accepted::clause(&of_all, words);
    let parts = parts(alike, words);
    let claim = alike.iter().find_map(|(pair, findings)| claim(pair, findings, words));
    let chosen = alike.iter().find_map(|(pair, _)| chosen_part(pair, words)).unwrap_or_default();
    let claim = claim.unwrap_or_default();
    format!("{sentence}{parts}{missing}{chosen}{accepted}{unrecorded}{claim}")
}

/// That figures cover the samples which one arm chose to score, where these are not all.
fn chosen_part(pair: &ArmPair<'_>, words: &Catalogue) -> Option<String> {
    let chosen = || {
        pair.tables.iter().filter_map(|tables| {
            let subset = tables.subset.as_ref()?;
            Some((
                subset.which,
                [subset.which, subset.which.other()].map(|arm| tables.recorded(arm)),
            ))
        })
    };
    let (which, _) = chosen().next()?;
    let [samples, total] = [0, 1].map(|at| chosen().map(|(_, counts)| counts[at]).sum::<u64>());
    let args = [
        ("run", pair.name(which).to_owned()),
        ("samples", quantity::count(samples)),
        ("total", quantity::count(total)),
    ];
    Some(words.fill("grade.chosen-part", &args))
}

/// The findings that confound. Those about data quality are said with the data files.
pub(super) fn confounding<'d>(
    findings: impl Iterator<Item = &'d Diagnostic>,
) -> impl Iterator<Item = &'d Diagnostic> {
    findings
        .filter(|finding| finding.effect() == Effect::Confounds)
        .filter(|finding| finding.code != Code::DataQuality)
}

/// What the findings that confound are about, each once.
fn confounders<'d>(
    findings: impl Iterator<Item = &'d Diagnostic>,
    words: &Catalogue,
) -> IndexSet<String> {
    confounding(findings)
        .map(|finding| match (&finding.subject.key, &finding.subject.dataset) {
            (Some(name), _) | (None, Some(name)) => name.clone(),
            (None, None) => words.get(&format!("diagnostic.{}.title", finding.code.id())),
        })
        .collect()
}

/// Titles of the findings that take verdicts, each once with its code.
fn blockers<'d>(
    findings: impl Iterator<Item = &'d Diagnostic>,
    words: &Catalogue,
) -> IndexSet<String> {
    let blocking = findings.filter(|finding| finding.effect() == Effect::Blocks);
    let title = |finding: &Diagnostic| {
        let title = words.get(&format!("diagnostic.{}.title", finding.code.id()));
        let detail = [("name", title.as_str()), ("detail", finding.code.id())];
        words.fill("phrase.name-with-detail", &detail)
    };
    blocking.map(title).collect()
}

/// How many results are graded worse than their pair, and what they are; of several candidates with
/// the name of each.
fn parts(alike: &[(&ArmPair<'_>, &CheckFindings)], words: &Catalogue) -> String {
    let of_pair = |(pair, findings): &(&ArmPair<'_>, &CheckFindings)| {
        let clause = |part: &Part| {
            let about = part.about.iter().map(|(subject, code)| {
                words.fill(
                    "phrase.name-with-detail",
                    &[("name", subject.as_str()), ("detail", code.id())],
                )
            });
            let names = lists::shortened(about.collect(), words);
            let key = format!("grade.part.{}", part.grade.name());
            let [count, of] = [part.results, part.of].map(|count| count.to_string());
            words.fill(&key, &[("count", &count), ("of", &of), ("names", &names)])
        };
        let clauses: String = findings.parts.iter().map(clause).collect();
        if alike.len() == 1 || clauses.is_empty() {
            return clauses;
        }
        let candidate = phrases::arm_name(pair, PairArm::Candidate, words);
        words.fill("grade.part.of", &[("candidate", candidate.as_str()), ("parts", &clauses)])
    };
    alike.iter().map(of_pair).collect()
}

/// That a verdict is about two checkpoints and not about what made them, where one training stands
/// for each arm, however often it was evaluated. Of arms of which one alone was repeated a finding says it, and so it does of
/// whatever keeps a difference from being attributed at all.
fn claim(pair: &ArmPair<'_>, findings: &CheckFindings, words: &Catalogue) -> Option<String> {
    let is_open = findings.grade == Grade::AsDeclared && aa_kind(pair, findings).is_none();
    let key = match findings.claim {
        Claim::Recipe | Claim::Evaluation => return None,
        Claim::Checkpoints if pair.has_repetitions() => "grade.claim.one-training",
        Claim::Unknown if pair.has_repetitions() => "grade.claim.runs",
        Claim::Checkpoints | Claim::Unknown if pair.is_repeated() => return None,
        Claim::Checkpoints => "grade.claim.checkpoints",
        Claim::Unknown => "grade.claim.unknown",
    };
    is_open.then(|| words.get(key))
}

/// The catalogue key of a grade's words. What was accepted still differs, and what nobody recorded
/// cannot be called equal. Runs that can only differ by chance are named as what they are.
fn grade_key(pair: &ArmPair<'_>, findings: &CheckFindings) -> &'static str {
    match (findings.grade, aa_kind(pair, findings)) {
        (Grade::AsDeclared, _) if !findings.parts.is_empty() => "in-part",
        (Grade::AsDeclared, _) if findings.grade_unaccepted > Grade::AsDeclared => "as-accepted",
        (_, Some(kind)) => kind,
        (Grade::AsDeclared, None) if conditions(&findings.diagnostics).next().is_some() => {
            let mut open = findings.diagnostics.iter().filter(|one| is_open_condition(one));
            let of_rates = |one: &Diagnostic| {
                one.evidence
                    .get("alike")
                    .is_some_and(|fact| *fact == Fact::Text("rates".to_owned()))
            };
            if open.all(of_rates) { "as-rates" } else { "as-conditions" }
        }
        (Grade::AsDeclared, None) if has(findings, Code::NoConfig) => "as-recorded",
        (Grade::AsDeclared, None) if is_unrecorded(findings) => "as-one-sided",
        (Grade::AsDeclared, None) if has(findings, Code::PrintedOtherwise) => "as-printed",
        (Grade::AsDeclared, None) if has(findings, Code::PartialConfig) => "as-stated",
        (Grade::AsDeclared, None) if pair.factors.keys.is_empty() => "undeclared",
        (Grade::AsDeclared, None) if pair.factors.inferred => "as-taken",
        (grade, None) => grade.name(),
    }
}

/// Fields of records that say one thing throughout in each arm, and not the same.
fn conditions<'f>(
    findings: impl IntoIterator<Item = &'f Diagnostic>,
) -> impl Iterator<Item = String> {
    let fields = findings
        .into_iter()
        .filter(|one| is_open_condition(one))
        .filter_map(|one| one.evidence.get("fields"));
    fields.flat_map(Fact::items)
}

fn is_open_condition(finding: &Diagnostic) -> bool {
    finding.code == Code::ConstantsDiffer && !finding.is_lifted()
}

fn has(findings: &CheckFindings, code: Code) -> bool {
    findings.diagnostics.iter().any(|finding| finding.code == code)
}

/// Keys that one run alone records although they decide what was asked or how it was judged.
fn one_sided(findings: &CheckFindings) -> Vec<String> {
    let open = |finding: &&Diagnostic| finding.code == Code::ConfigOneSided && !finding.is_lifted();
    let telling =
        |finding: &Diagnostic| finding.evidence.get("telling").map_or_else(Vec::new, Fact::items);
    findings.diagnostics.iter().filter(open).flat_map(telling).collect()
}

/// Whether something that decides scores is recorded in one run alone, or in none.
fn is_unrecorded(findings: &CheckFindings) -> bool {
    has(findings, Code::NoConfig) || !one_sided(findings).is_empty()
}

fn grade_icon(pair: &ArmPair<'_>, findings: &CheckFindings) -> Icon {
    match findings.grade {
        Grade::Identical if aa_kind(pair, findings) == Some(ITSELF) => Icon::Caution,
        Grade::AsDeclared
            if is_unrecorded(findings)
                || conditions(&findings.diagnostics).next().is_some()
                || !findings.parts.is_empty() =>
        {
            Icon::Caution
        }
        Grade::Identical | Grade::AsDeclared => Icon::Good,
        Grade::Confounded => Icon::Caution,
        Grade::NotComparable => Icon::Severe,
    }
}

/// What the headline does not say: of several candidates the sentence of each, and the findings that
/// are in no table.
fn verdict(
    pair: &ArmPair<'_>,
    findings: &CheckFindings,
    material: &ReportMaterial<'_>,
) -> Option<Block> {
    let words = material.words;
    let tone = match findings.grade {
        Grade::AsDeclared if matches!(grade_key(pair, findings), "as-declared" | "as-taken") => {
            Tone::Good
        }
        Grade::AsDeclared if !findings.parts.is_empty() => Tone::Warning,
        Grade::Identical | Grade::AsDeclared => Tone::Note,
        Grade::Confounded => Tone::Warning,
        Grade::NotComparable => Tone::Danger,
    };
    let several = material.paired_arms.pairs.len() > 1;
    let sentence = several.then(|| Text::plain(sentence_of(&[(pair, findings)], words)));
    let mut body: Vec<Text> = sentence.into_iter().collect();
    let changes: BTreeSet<String> = pair.undeclared().iter().map(ConfigChange::name).collect();
    let in_table = |finding: &Diagnostic| {
        let key = finding.subject.key.as_ref();
        finding.code == Code::ConfigDiffers && key.is_some_and(|key| changes.contains(key))
    };
    for finding in &findings.diagnostics {
        if finding.code.effect() != Effect::None && !in_table(finding) {
            let code = accepted::code(finding, words);
            body.push(Text::plain(material.message(finding, words)).and_plain(code));
        }
    }
    let title = Text::plain(words.get(&format!("grade.{}.title", grade_key(pair, findings))));
    (!body.is_empty()).then_some(Block::Callout { tone, title, body })
}

/// What differs: the factors, then what can move a metric, loudest first and by what it is for; what
/// only says where and when is folded.
fn residue(pair: &ArmPair<'_>, findings: &CheckFindings, words: &Catalogue) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut changes = pair.undeclared();
    if !changes.is_empty() {
        let loudness = severities(findings);
        let severity = |change: &ConfigChange<'_>| {
            loudness.get(change.name().as_str()).copied().unwrap_or(Severity::Warning)
        };
        changes.sort_by_cached_key(|change| (std::cmp::Reverse(severity(change)), change.role()));
        let factors = pair.differences.iter().filter(|found| pair.factors.contains(&found.key));
        let key = if pair.factors.inferred { "factor-inferred" } else { "factor" };
        let kind = words.get(&format!("config.{key}"));
        let mut rows: Vec<Row<'_>> = factors
            .map(|factor| (Text::strong(factor.key.as_str()), kind.clone(), factor))
            .collect();
        rows.extend(changes.iter().filter_map(|change| {
            let icon = match severity(change) {
                Severity::Error => Icon::Bad,
                Severity::Warning => Icon::Caution,
                Severity::Info => Icon::Open,
            };
            let key = Text::icon(icon).and_plain(" ").and_code(change.name());
            let kind = words.get(&format!("role.{}.name", change.role().key()));
            Some((key, kind, change.first()?))
        }));
        blocks.push(Block::heading(words.get("config.residue")));
        blocks.push(differences(&rows, pair, words));
    }
    // Each run of an arm has its own paths and dates; those of two leads say nothing.
    blocks.extend(environment(pair, words).filter(|_| !pair.is_repeated()));
    blocks
}

/// The severities of findings about changes, by the name of the change. Data files have findings of
/// their own.
fn severities(findings: &CheckFindings) -> BTreeMap<&str, Severity> {
    let mut loudest = BTreeMap::new();
    for finding in &findings.diagnostics {
        if let Some(key) = finding.subject.key.as_deref() {
            let known = loudest.entry(key).or_insert(finding.severity);
            *known = finding.severity.max(*known);
        }
    }
    loudest
}

fn environment(pair: &ArmPair<'_>, words: &Catalogue) -> Option<Block> {
    let differing = pair.differences.iter().filter(|found| {
        found.environment && !found.one_sided() && !pair.factors.contains(&found.key)
    });
    let kind = words.get("config.environment");
    let rows: Vec<Row<'_>> =
        differing.map(|found| (Text::code(found.key.as_str()), kind.clone(), found)).collect();
    let summary = words.fill("config.environment-rows", &[("count", rows.len())]);
    (!rows.is_empty()).then(|| Block::folded(summary, vec![differences(&rows, pair, words)]))
}

/// A key as it is shown, what kind of key it is, and its values.
type Row<'a> = (Text, String, &'a ConfigDifference);

fn differences(rows: &[Row<'_>], pair: &ArmPair<'_>, words: &Catalogue) -> Block {
    let value = |entry: &Option<ConfigEntry>| match entry {
        Some(entry) => Cell::text(entry.value.to_string()),
        None => Cell::missing(),
    };
    Table::of_rows(rows)
        .left(words.get("config.key"), |(key, ..)| key.clone())
        .left(words.get("config.kind"), |(_, kind, _)| kind.as_str())
        .left(pair.name(PairArm::Baseline), |(.., found)| value(&found.baseline))
        .left(pair.name(PairArm::Candidate), |(.., found)| value(&found.candidate))
        .block()
}
