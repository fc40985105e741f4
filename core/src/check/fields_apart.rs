//! Fields in whose values the arms disagree for equal samples, though these say what was asked, or who
//! rated it where, and scores go with them; or the right answer.

use std::collections::{BTreeMap, BTreeSet};

use super::samples::about;
use super::scorers::METRICS;
use crate::diag::{Code, Diagnostic};
use crate::model::{SampleTable, SharedPart};
use crate::pairing::{
    CellPair, ConfigRole, PairArm, PairingProof, RunPair, SampledSide, TablePair, config_role,
    is_of_question, is_rater, may_be_gold,
};
use crate::quantity::Quantity;
use crate::stats::Moments;
use crate::stats::means::intraclass::intraclass;

/// Share of the pairs up to which a field may have been corrected in places, or named in another way.
const MOST_APART: f64 = 0.05;
/// Level of the test that scores go with the values of one arm.
const LEVEL: f64 = 0.99;
/// Fewest pairs of which one arm alone is right, and the share of them with one value in both arms, from
/// which a field holds the right answer: answers of which one alone is right are two.
const FEWEST_SPLIT: usize = 10;
const GOLD_AGREES: f64 = 0.25;
/// Fewest pairs to each value, on average: of fewer the test finds too much.
const LEAST_SHARED: usize = 3;

/// Words in the names of fields that say where an answer was rated or with which others, beside those for
/// raters.
const ASSIGNED: [&str; 14] = [
    "batch",
    "block",
    "cluster",
    "conversation",
    "device",
    "host",
    "hostname",
    "machine",
    "node",
    "participant",
    "session",
    "shard",
    "user",
    "worker",
];
/// Words behind one of them with which the name still says who or which.
const NAMING: [&str; 4] = ["id", "name", "model", "key"];

pub(super) fn run(pair: &RunPair<'_>) -> Vec<Diagnostic> {
    let tables = pair.tables.iter().zip(pair.cells_by_table());
    tables.flat_map(|(tables, cells)| findings(&cells, tables)).collect()
}

/// The values that each pair has in a field, in either arm; 0 where there is none.
struct Labels<'a> {
    field: &'a str,
    code: Code,
    /// Whether it holds the right answer, or that of the model.
    is_answer: bool,
    of_pairs: Vec<[u64; 2]>,
    apart: usize,
}

fn findings(cells: &[&CellPair<'_>], tables: &TablePair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for labels in fields(tables) {
        let shows = |cell: &CellPair<'_>| {
            if labels.is_answer {
                is_gold(cell, tables, &labels)
            } else if labels.code == Code::SettingsApart {
                cell.has_good_side()
            } else {
                cell.has_good_side() && goes_with(cell, tables, &labels)
            }
        };
        let with = cells.iter().filter(|cell| shows(cell));
        let mut told = with.map(|cell| finding(cell, tables, &labels));
        // Other questions are others for every metric.
        match labels.code {
            Code::OtherQuestions | Code::SettingsApart => found.extend(told.next()),
            _ => found.extend(told),
        }
    }
    found
}

fn finding(cell: &CellPair<'_>, tables: &TablePair<'_>, labels: &Labels<'_>) -> Diagnostic {
    let (apart, paired) = (labels.apart as u64, labels.of_pairs.len() as u64);
    let found = about(labels.code, tables)
        .with("field", labels.field)
        .with("count", apart)
        .with("paired", paired)
        .with("share", Quantity::percent_of(apart, paired))
        .at(tables.candidate.source(0, "").location());
    match labels.code {
        Code::OtherQuestions => found.with("metric", cell.key.metric.as_str()),
        _ => found.metric(&cell.key.metric),
    }
}

/// The fields of known names in which the arms disagree for more than a few pairs.
fn fields<'a>(tables: &TablePair<'a>) -> Vec<Labels<'a>> {
    let mut names = BTreeSet::new();
    let shared = tables.baseline.shared_fields().iter();
    let whole = shared.filter(|(key, _)| key.part == SharedPart::Whole);
    names.extend(whole.map(|(key, _)| key.field.as_str()));
    names.extend(tables.baseline.clusters().iter().map(|(key, _)| key.as_str()));
    names.into_iter().filter_map(|field| apart(tables, field)).collect()
}

fn apart<'a>(tables: &TablePair<'a>, field: &'a str) -> Option<Labels<'a>> {
    let is_cluster = tables.baseline.clusters().iter().any(|(key, _)| key == field);
    let code = code(field, is_cluster)?;
    let is_answer = may_be_gold(field);
    if code == Code::OtherQuestions && !is_answer && tables.join.proof != PairingProof::IdOnly {
        return None;
    }
    let mine = column(tables.baseline, field)?;
    let theirs = column(tables.candidate, field)?;
    let of_pairs = || tables.join.pairs.iter().map(|&(a, b)| [mine(a), theirs(b)]);
    let known = |labels: &[u64; 2]| !labels.contains(&0);
    let apart = of_pairs().filter(|labels| known(labels) && labels[0] != labels[1]).count();
    let few = MOST_APART * tables.join.pairs.len() as f64;
    if apart as f64 <= few {
        return None;
    }
    let of_pairs: Vec<[u64; 2]> = of_pairs().collect();
    if code == Code::SettingsApart {
        // What is one value in an arm is a setting of the run.
        let told = [0, 1].iter().all(|arm| values(&of_pairs, *arm).len() > 1);
        return told.then_some(Labels { field, code, is_answer, of_pairs, apart });
    }
    // The same under other names, or in coarser ones, is no disagreement.
    let fewest = unexplained(&of_pairs, 0).min(unexplained(&of_pairs, 1));
    let others_rate = || {
        code == Code::AssignedOtherwise && has_own_marks(field) && have_none_in_common(&of_pairs)
    };
    (fewest as f64 > few || others_rate()).then_some(Labels {
        field,
        code,
        is_answer,
        of_pairs,
        apart,
    })
}

/// What a field of that name says, by its last part where it lies within objects.
fn code(field: &str, is_cluster: bool) -> Option<Code> {
    let name = field.rsplit('.').next().unwrap_or(field).to_ascii_lowercase();
    let name = name.trim_start_matches('_');
    if is_of_question(name) || may_be_gold(field) {
        Some(Code::OtherQuestions)
    } else if decides_answers(name) {
        Some(Code::SettingsApart)
    } else {
        (is_cluster || is_rater(who(name)) || ASSIGNED.contains(&who(name)))
            .then_some(Code::AssignedOtherwise)
    }
}

/// Whether a setting of that name decides how samples are asked or scored.
fn decides_answers(name: &str) -> bool {
    use ConfigRole as Role;
    // People who rate are assigned to samples, a judge is chosen.
    let is_judge = || name.starts_with("judge") || name.starts_with("grader");
    match config_role(name) {
        Role::Decoding | Role::Prompt | Role::FewShot => true,
        Role::Judge => is_judge(),
        _ => false,
    }
}

/// The word of a name that says who or what: `rater` of `first_rater_id`.
fn who(name: &str) -> &str {
    let (first, last) = name.rsplit_once('_').unwrap_or((name, ""));
    let first = if NAMING.contains(&last) { first } else { name };
    first.rsplit('_').next().unwrap_or(first)
}

/// Whether it says which person or model with marks of their own rated: others in each arm are no other
/// names of the same.
pub(super) fn has_own_marks(field: &str) -> bool {
    let name = field.rsplit('.').next().unwrap_or(field).to_ascii_lowercase();
    let who = who(name.trim_start_matches('_'));
    is_rater(who) || who == "worker"
}

/// Whether no value of one arm is one of the other, and each has several.
fn have_none_in_common(of_pairs: &[[u64; 2]]) -> bool {
    let [mine, theirs] = [0, 1].map(|arm| values(of_pairs, arm));
    mine.len() > 1 && theirs.len() > 1 && mine.is_disjoint(&theirs)
}

/// The values that an arm has.
fn values(of_pairs: &[[u64; 2]], arm: usize) -> BTreeSet<u64> {
    of_pairs.iter().map(|pair| pair[arm]).filter(|&value| value != 0).collect()
}

/// The value of a field in each row.
fn column<'a>(table: &'a SampleTable, field: &str) -> Option<Box<dyn Fn(u32) -> u64 + 'a>> {
    if let Some((_, rows)) = table.clusters().iter().find(|(key, _)| key == field) {
        return Some(Box::new(move |row| rows.get(row as usize).copied().unwrap_or(0)));
    }
    let is_field =
        |key: &crate::model::SharedKey| key.part == SharedPart::Whole && key.field == field;
    let (_, rows) = table.shared_fields().iter().find(|(key, _)| is_field(key))?;
    Some(Box::new(move |row| u64::from(rows.get(row as usize).copied().unwrap_or(0))))
}

/// Pairs that have another value in the other arm than most with the same value in this arm.
fn unexplained(of_pairs: &[[u64; 2]], arm: usize) -> usize {
    let mut counts = BTreeMap::<[u64; 2], usize>::new();
    for labels in of_pairs.iter().filter(|labels| !labels.contains(&0)) {
        *counts.entry([labels[arm], labels[1 - arm]]).or_default() += 1;
    }
    let mut most = BTreeMap::<u64, (usize, usize)>::new();
    for ([own, _], count) in counts {
        let (all, most) = most.entry(own).or_default();
        *all += count;
        *most = count.max(*most);
    }
    most.into_values().map(|(all, most)| all - most).sum()
}

/// Whether a field holds the right answers: where one arm alone is right, the arms would have two
/// values if these were their own answers.
fn is_gold(cell: &CellPair<'_>, tables: &TablePair<'_>, labels: &Labels<'_>) -> bool {
    let sides = PairArm::BOTH.map(|which| cell.side(which).samples.as_ref());
    let says_right = METRICS.contains(&cell.key.metric.as_str());
    if !says_right || !sides.iter().flatten().all(|side| side.is_binary()) {
        return false;
    }
    let pairs = labels.of_pairs.iter().zip(scores(cell, tables));
    let known = pairs.filter(|(values, _)| !values.contains(&0));
    let split = known.filter(|(_, scores)| !scores.contains(&None) && scores[0] != scores[1]);
    let equal: Vec<bool> = split.map(|(values, _)| values[0] == values[1]).collect();
    let agreeing = equal.iter().filter(|&&equal| equal).count();
    equal.len() >= FEWEST_SPLIT && agreeing as f64 >= GOLD_AGREES * equal.len() as f64
}

/// The score of each pair in both arms.
fn scores(cell: &CellPair<'_>, tables: &TablePair<'_>) -> Vec<[Option<f64>; 2]> {
    let sides = PairArm::BOTH.map(|which| cell.side(which).samples.as_ref());
    let [Some(mine), Some(theirs)] = sides else { return Vec::new() };
    let score = |side: &SampledSide<'_>, row: u32| side.score(row as usize);
    tables.join.pairs.iter().map(|&(a, b)| [score(mine, a), score(theirs, b)]).collect()
}

/// Whether differences go with the values of the field in some arm.
fn goes_with(cell: &CellPair<'_>, tables: &TablePair<'_>, labels: &Labels<'_>) -> bool {
    let scores = scores(cell, tables);
    let shows = |arm: usize| {
        let (mut own, mut differences) = (BTreeMap::new(), BTreeMap::<u64, Moments>::new());
        for (labels, scores) in labels.of_pairs.iter().zip(&scores) {
            let [Some(mine), Some(theirs)] = *scores else { continue };
            let label = labels[arm];
            if label != 0 {
                own.entry(label).or_insert_with(Moments::default).add([mine, theirs][arm]);
                differences.entry(label).or_default().add(theirs - mine);
            }
        }
        !restates(own.values()) && are_alike(&differences.into_values().collect::<Vec<_>>())
    };
    shows(0) || shows(1)
}

/// Whether the field says the score in other words.
fn restates<'a>(mut of_values: impl Iterator<Item = &'a Moments>) -> bool {
    of_values.all(|scores| scores.m2 == 0.0)
}

fn are_alike(groups: &[Moments]) -> bool {
    let shared = || groups.iter().filter(|group| group.n >= 2);
    let size: u64 = shared().map(|group| group.n).sum();
    size as usize >= LEAST_SHARED * shared().count()
        && intraclass(groups, LEVEL).is_some_and(|found| found.lower > 0.0)
}
