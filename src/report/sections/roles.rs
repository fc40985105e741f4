//! What each metric is for, which tests share a level, and how often a verdict is false.

use indexmap::{IndexMap, IndexSet};

use super::lists;
use crate::compare::{ComparisonFamily, FamilySize, RateCondition};
use crate::model::{GivenRole, MetricRole};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::Text;
use crate::text::Catalogue;

/// Most metrics of one role that are named.
const MOST_NAMES: usize = 8;

/// A line for the results: the role of each metric and who gave it, and how often a verdict is false;
/// and one for metrics that are left out.
pub(super) fn lines(material: &ReportMaterial<'_>) -> Vec<String> {
    let words = material.words;
    let mut roles: IndexMap<Option<GivenRole>, IndexSet<String>> = IndexMap::new();
    for cell in material.paired_arms.pairs.iter().flat_map(|pair| &pair.cells) {
        roles.entry(cell.role).or_default().insert(cell.key.metric.clone());
    }
    roles.sort_by_cached_key(|role, _| MetricRole::rank(role.map(|given| given.role)));
    let group = |(role, names): (Option<GivenRole>, IndexSet<String>)| {
        let names = lists::first(names, MOST_NAMES, words);
        let Some(GivenRole { role, origin }) = role else {
            let role = words.get("roles.none");
            return words.fill("roles.group-short", &[("role", role), ("names", names)]);
        };
        let role = words.get(&format!("roles.{}", role.name()));
        let origin = words.get(&format!("roles.by-{}", origin.name()));
        words.fill("roles.group", &[("role", role), ("origin", origin), ("names", names)])
    };
    let groups: Vec<String> = roles.into_iter().map(group).collect();
    let groups = groups.join(&words.get("punctuation.semicolon"));
    let mut line = words.fill("roles.line", &[("groups", groups)]);
    line.push_str(&error_rate(material).unwrap_or_default());
    let bookkeeping = &material.paired_arms.bookkeeping;
    let left_out = (!bookkeeping.is_empty()).then(|| {
        let names = lists::first(bookkeeping.iter().cloned(), MOST_NAMES, words);
        let args = [("count", bookkeeping.len().to_string()), ("names", names)];
        words.fill("roles.bookkeeping", &args)
    });
    std::iter::once(line).chain(left_out).collect()
}

/// How often any verdict of a difference is false at most, and what that is made of.
fn error_rate(material: &ReportMaterial<'_>) -> Option<String> {
    let (words, families) = (material.words, material.families);
    let part = |size: &FamilySize| {
        let args = [("count", size.counted.to_string()), ("level", quantity::level(size.level))];
        words.fill(&format!("roles.tests-{}", size.family.name()), &args)
    };
    let decided = families.iter().filter(|size| size.family != ComparisonFamily::Descriptive);
    let decided = decided.filter(|size| size.counted > 0);
    let parts: Vec<String> = decided.map(part).collect();
    let rate = families.error_rate();
    let parts = parts.join(&words.get("punctuation.comma"));
    let args = [("rate", at_most(material, rate)), ("parts", parts)];
    (rate > 0.0).then(|| words.fill("roles.error-rate", &args))
}

/// That rate, with what it rests on.
fn at_most(material: &ReportMaterial<'_>, rate: f64) -> String {
    let conditions = material.rate_conditions().into_iter().map(RateCondition::name);
    said_rate(rate, conditions, material.words)
}

/// A rate of false verdicts, and under which conditions it holds.
pub(crate) fn said_rate(
    rate: f64,
    conditions: impl Iterator<Item = &'static str>,
    words: &Catalogue,
) -> String {
    let conditions: Vec<String> =
        conditions.map(|name| words.get(&format!("roles.if-{name}"))).collect();
    let rate = ("rate", quantity::level(rate));
    if conditions.is_empty() {
        return words.fill("roles.rate", &[rate]);
    }
    let conditions = conditions.join(&words.get("punctuation.semicolon"));
    words.fill("roles.rate-if", &[rate, ("conditions", conditions)])
}

/// The families of tests, one sentence each, and what holds for all of them.
pub(super) fn method_items(material: &ReportMaterial<'_>) -> Vec<Text> {
    let (words, families) = (material.words, material.families);
    let alpha = material.options.alpha;
    let has_primary = families.get(ComparisonFamily::Primary).is_some_and(|size| size.counted > 0);
    let sentence = |size: &FamilySize| {
        let key = match size.family {
            ComparisonFamily::Secondary if !has_primary => "secondary-alone",
            ComparisonFamily::Secondary if families.secondary_open() => "secondary-open",
            ComparisonFamily::Secondary => "secondary-held",
            other => other.name(),
        };
        let args = [
            ("counted", size.counted.to_string()),
            ("level", quantity::level(size.level)),
            ("alpha", quantity::level(alpha)),
        ];
        words.fill(&format!("method.{key}"), &args)
    };
    let counted = families.iter().filter(|size| size.counted > 0);
    let mut items: Vec<String> = counted.map(sentence).collect();
    let total = |count: fn(&FamilySize) -> usize| families.iter().map(count).sum::<usize>();
    for (name, count) in
        [("copies", total(|size| size.copies)), ("unattainable", total(|size| size.unattainable))]
    {
        items.extend((count > 0).then(|| words.fill(&format!("method.{name}"), &[(name, count)])));
    }
    let rate = families.error_rate();
    let args = [("rate", at_most(material, rate))];
    items.extend((rate > 0.0).then(|| words.fill("method.error-rate", &args)));
    let single = [("level", quantity::level(1.0 - alpha))];
    items.push(words.fill("method.single", &single));
    items.into_iter().map(Text::plain).collect()
}
