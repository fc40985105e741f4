//! Which figures are totals of other figures beside them.
//!
//! A declared total is accepted. A figure that is only named like one is taken for a total if its
//! name says so, or stands above theirs, and the figures agree with it. Knows no statistics: that a
//! total is not evidence in addition to its parts is decided elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use super::PairArm;
use super::cells::{CellPair, Total};
use super::coordinates::CellKey;
use crate::model::{DimValue, Dims, Run};
use crate::quantity::Unit;

/// Names that say "the whole of what stands beside", in the form of [`plain`].
const NAMES: [&str; 36] = [
    "all",
    "overall",
    "total",
    "average",
    "avg",
    "mean",
    "macro",
    "micro",
    "macro_avg",
    "macro_average",
    "micro_avg",
    "micro_average",
    "weighted_avg",
    "weighted_average",
    "combined",
    "aggregate",
    "aggregated",
    "合计",
    "总计",
    "总体",
    "平均",
    "平均值",
    "总平均",
    "均值",
    "宏平均",
    "微平均",
    "总",
    "总分",
    "总得分",
    "总成绩",
    "均分",
    "平均分",
    "综合",
    "综合分",
    "综合得分",
    "全部",
];

/// Fewest parts beside which a name is believed.
const FEWEST_PARTS: usize = 2;

/// Most datasets among which those are looked for whose mean a figure is.
const MOST_PARTS: usize = 12;

/// Marks the cells that are totals of others.
pub(super) fn mark_totals(cells: &mut [CellPair<'_>], runs: [&Run; 2]) {
    let groups = Groups::of_runs(runs);
    let declared: Vec<Option<Total>> = cells.iter().map(|cell| groups.total(cell, cells)).collect();
    put(cells, declared);
    let named: Vec<Option<Total>> = cells.iter().map(|cell| named_total(cell, cells)).collect();
    put(cells, named);
    // The longest names first: `mmlu_stem` is a part of `mmlu` only where it has no parts itself.
    let mut places: Vec<usize> = (0..cells.len()).collect();
    let length = |place: &usize| {
        let dataset = cells.get(*place).and_then(|cell| cell.key.dataset.as_deref());
        std::cmp::Reverse(dataset.map_or(0, str::len))
    };
    places.sort_by_key(length);
    // Of each metric at each grid point the cells of datasets, by the plain names of these.
    let mut beside = BTreeMap::<(String, Dims), BTreeMap<String, Vec<usize>>>::new();
    for (place, CellPair { key, .. }) in cells.iter().enumerate() {
        if let Some(name) = &key.dataset {
            let group = beside.entry((key.metric.clone(), key.dims.clone())).or_default();
            group.entry(plain(name)).or_default().push(place);
        }
    }
    for place in places {
        let total = cells.get(place).filter(|cell| cell.total.is_none()).and_then(|cell| {
            let group = beside.get(&(cell.key.metric.clone(), cell.key.dims.clone()))?;
            total_above(cell, &begun_by(cell, group, cells))
        });
        if let (Some(total), Some(cell)) = (total, cells.get_mut(place)) {
            cell.total = Some(total);
        }
    }
}

fn put(cells: &mut [CellPair<'_>], totals: Vec<Option<Total>>) {
    for (cell, total) in cells.iter_mut().zip(totals) {
        if total.is_some() {
            cell.total = total;
        }
    }
}

/// The groups that the files of both runs declare, by lower-case name.
struct Groups(BTreeMap<String, Vec<String>>);

impl Groups {
    fn of_runs(runs: [&Run; 2]) -> Self {
        let mut groups = BTreeMap::<String, Vec<String>>::new();
        for (name, parts) in runs.iter().flat_map(|run| &run.content.groups) {
            let known = groups.entry(name.to_ascii_lowercase()).or_default();
            known.extend(parts.iter().map(|part| part.to_ascii_lowercase()));
        }
        Self(groups)
    }

    /// What a cell is the total of, where its dataset is a group and one of its parts has a figure
    /// of the same metric at the same place.
    fn total(&self, cell: &CellPair<'_>, cells: &[CellPair<'_>]) -> Option<Total> {
        let name = cell.key.dataset.as_deref()?;
        let group = name.to_ascii_lowercase();
        if !self.0.contains_key(&group) {
            return None;
        }
        let present: BTreeMap<String, &str> = cells
            .iter()
            .filter(|other| other.key.is_of(&cell.key.metric, &cell.key.dims))
            .filter_map(|other| other.key.dataset.as_deref())
            .map(|dataset| (dataset.to_ascii_lowercase(), dataset))
            .collect();
        let mut parts = BTreeSet::new();
        self.add_leaves(&group, &present, &mut BTreeSet::new(), &mut parts);
        let parts: Vec<String> = parts.into_iter().map(str::to_owned).collect();
        let total = |parts| Total { name: name.to_owned(), parts, declared: true };
        (!parts.is_empty()).then(|| total(parts))
    }

    /// Adds the parts of a group that are present; a nested group counts as a part only if none of its
    /// own parts is present.
    fn add_leaves<'c>(
        &self,
        group: &str,
        present: &BTreeMap<String, &'c str>,
        seen: &mut BTreeSet<String>,
        leaves: &mut BTreeSet<&'c str>,
    ) {
        for part in self.0.get(group).into_iter().flatten() {
            if !seen.insert(part.clone()) {
                continue;
            }
            let before = leaves.len();
            self.add_leaves(part, present, seen, leaves);
            if leaves.len() == before
                && let Some(name) = present.get(part)
            {
                leaves.insert(name);
            }
        }
    }
}

/// A name in small letters, its separators made one.
fn plain(name: &str) -> String {
    let letter = |letter: char| match letter {
        '-' | ' ' | '/' | '.' | ':' => '_',
        other => other.to_ascii_lowercase(),
    };
    let plain: String = name.trim().chars().map(letter).collect();
    plain.trim_matches('_').to_owned()
}

/// Whether a name says that it is a total, and of which names: of those that begin as it does, or of
/// all, where it says nothing else.
fn says_total(name: &str) -> Option<String> {
    let name = plain(name);
    if NAMES.contains(&name.as_str()) {
        return Some(String::new());
    }
    let ends = NAMES.iter().filter(|end| end.is_ascii());
    let mut beginnings = ends.filter_map(|end| name.strip_suffix(end)?.strip_suffix('_'));
    // Of `mmlu_macro_avg` what stands before the longest of the names.
    let first = beginnings.clone().map(str::len).min()?;
    beginnings.find(|rest| rest.len() == first && !rest.is_empty()).map(|rest| format!("{rest}_"))
}

/// What a cell is the total of by its name: that of its dataset, of its metric, or of a value of a
/// coordinate.
fn named_total(cell: &CellPair<'_>, cells: &[CellPair<'_>]) -> Option<Total> {
    if cell.total.is_some() {
        return None;
    }
    let key = &cell.key;
    let of_dataset = || {
        let name = key.dataset.as_deref()?;
        let part = |other: &CellKey| {
            let beside = other.is_of(&key.metric, &key.dims);
            other.dataset.clone().filter(|_| beside)
        };
        by_name(cell, name, cells, Agreement::Between, part)
    };
    let of_metric = || {
        let part = |other: &CellKey| {
            let beside = other.dataset == key.dataset && other.dims == key.dims;
            beside.then(|| other.metric.clone())
        };
        by_name(cell, &key.metric, cells, Agreement::Mean, part)
    };
    let of_coordinate = || {
        key.dims.iter().find_map(|(axis, value)| {
            let DimValue::Text(name) = value else { return None };
            let rest = key.dims.without_all(&[axis.to_owned()]);
            let part = |other: &CellKey| {
                let beside = (&other.dataset, &other.metric) == (&key.dataset, &key.metric)
                    && other.dims.without_all(&[axis.to_owned()]) == rest;
                other.dims.get(axis).filter(|_| beside).map(ToString::to_string)
            };
            by_name(cell, name, cells, Agreement::Between, part)
        })
    };
    of_dataset().or_else(of_metric).or_else(of_coordinate)
}

/// What a cell is the total of by its place: a dataset whose name the names of others begin with, as
/// `mmlu` beside `mmlu_law`, or a figure without a dataset beside those of datasets. Such a place
/// says less than a name, so the figures have to be the very means of the parts.
fn total_above(cell: &CellPair<'_>, parts: &[&CellPair<'_>]) -> Option<Total> {
    let agreed = PairArm::BOTH.map(|which| is_mean(cell, parts, which));
    let bears_out = agreed.contains(&Some(true)) && !agreed.contains(&Some(false));
    let name = cell.key.dataset.clone().unwrap_or_else(|| cell.key.metric.clone());
    let parts = parts.iter().filter_map(|part| part.key.dataset.clone()).collect();
    bears_out.then_some(Total { name, parts, declared: false })
}

/// The cells of a group that are no totals, of one unit with a cell, and of datasets whose names begin
/// with that of its own.
fn begun_by<'c, 'a>(
    cell: &CellPair<'_>,
    group: &BTreeMap<String, Vec<usize>>,
    cells: &'c [CellPair<'a>],
) -> Vec<&'c CellPair<'a>> {
    let first = cell.key.dataset.as_deref().map(|name| format!("{}_", plain(name)));
    let first = first.unwrap_or_default();
    let begun = group.range(first.clone()..).take_while(|(name, _)| name.starts_with(&first));
    let mut places: Vec<usize> = begun.flat_map(|(_, places)| places).copied().collect();
    places.sort_unstable();
    let cells = places.into_iter().filter_map(|place| cells.get(place));
    cells.filter(|other| other.total.is_none() && other.spec.unit == cell.spec.unit).collect()
}

/// How much further apart than rounding leaves open parts have to lie for their mean to say anything
/// by itself.
const FAR_APART: f64 = 40.0;

/// Whether the figure of an arm is the mean of its parts, each counted once or by its size; where the
/// sizes are known they have to add up as well. `None` where too little is known.
fn is_mean(cell: &CellPair<'_>, parts: &[&CellPair<'_>], which: PairArm) -> Option<bool> {
    let value = cell.figure(which)?;
    let known = parts.iter().filter_map(|part| Some((part.figure(which)?, part.side(which).n())));
    let known: Vec<(f64, Option<u64>)> = known.collect();
    if known.len() < FEWEST_PARTS {
        return None;
    }
    // JSON writes 0.50 as 0.5: the longest figure shows where the file rounds.
    let slack = roundings(cell, parts, which).reduce(f64::min).unwrap_or_default();
    let near = |other: f64| (value - other).abs() <= 2.0 * slack + 1e-9 * value.abs();
    let mean = known.iter().map(|(figure, _)| figure).sum::<f64>() / known.len() as f64;
    let sizes: Option<Vec<f64>> = known.iter().map(|(_, n)| Some((*n)? as f64)).collect();
    let all = sizes.as_ref().map(|sizes| sizes.iter().sum::<f64>()).filter(|all| *all > 0.0);
    let weighted = sizes.zip(all).map(|(sizes, all)| {
        known.iter().zip(sizes).map(|((figure, _), n)| figure * n).sum::<f64>() / all
    });
    let agrees = near(mean) || weighted.is_some_and(near);
    let adds_up = cell.side(which).n().zip(all).map(|(n, all)| n as f64 == all);
    let lowest = known.iter().map(|(figure, _)| *figure).fold(f64::INFINITY, f64::min);
    let highest = known.iter().map(|(figure, _)| *figure).fold(f64::NEG_INFINITY, f64::max);
    match adds_up {
        Some(adds_up) => Some(agrees && adds_up),
        None if agrees && highest - lowest < FAR_APART * slack => None,
        None => Some(agrees),
    }
}

/// What rounding leaves open of a stated figure and of its stated parts.
fn roundings<'c>(
    cell: &'c CellPair<'_>,
    parts: &'c [&CellPair<'_>],
    which: PairArm,
) -> impl Iterator<Item = f64> + 'c {
    let cells = std::iter::once(cell).chain(parts.iter().copied());
    cells.filter_map(move |cell| Some(cell.side(which).stated?.rounding()))
}

/// What the figures of a total have to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Agreement {
    /// No further out than its parts, as every average of them is; of counts, also their sum.
    Between,
    /// Their mean: figures of several metrics have less in common than those of one.
    Mean,
}

fn by_name(
    cell: &CellPair<'_>,
    name: &str,
    cells: &[CellPair<'_>],
    agreement: Agreement,
    part: impl Fn(&CellKey) -> Option<String>,
) -> Option<Total> {
    let beginning = says_total(name)?;
    // `reward_mean` is a mean over samples.
    if agreement == Agreement::Mean && !beginning.is_empty() {
        return None;
    }
    let mut parts: Vec<(String, &CellPair<'_>)> = cells
        .iter()
        .filter(|other| other.total.is_none() && other.spec.unit == cell.spec.unit)
        .filter_map(|other| Some((part(&other.key)?, other)))
        .filter(|(part, _)| says_total(part).is_none())
        .collect();
    parts.dedup_by(|a, b| a.0 == b.0);
    let begun: Vec<_> =
        parts.iter().filter(|(part, _)| plain(part).starts_with(&beginning)).collect();
    let others: Vec<&CellPair<'_>> = begun.iter().map(|(_, other)| *other).collect();
    let total = |parts: Vec<String>| Total { name: name.to_owned(), parts, declared: false };
    match begun.as_slice() {
        // `math_avg` beside datasets of other names.
        [] | [_] if !beginning.is_empty() => mean_of_some(cell, &parts).map(total),
        [(only, other)] => repeats(cell, other).then(|| total(vec![only.clone()])),
        _ => {
            let agreed = PairArm::BOTH.map(|which| agrees(cell, &others, which, agreement));
            let bears_out = agreed.contains(&Some(true)) && !agreed.contains(&Some(false));
            bears_out.then(|| total(begun.iter().map(|(part, _)| part.clone()).collect()))
        }
    }
}

/// Whether a figure is that of its only part, in both arms and over as many samples.
fn repeats(cell: &CellPair<'_>, only: &CellPair<'_>) -> bool {
    PairArm::BOTH.into_iter().all(|which| {
        let figures = cell.figure(which).zip(only.figure(which));
        let sizes = cell.side(which).n().zip(only.side(which).n());
        figures.is_some_and(|(own, part)| own == part)
            && sizes.is_none_or(|(own, part)| own == part)
    })
}

/// The names of the parts of which a figure is the mean in both arms, the fewest that are.
fn mean_of_some(cell: &CellPair<'_>, parts: &[(String, &CellPair<'_>)]) -> Option<Vec<String>> {
    if !(FEWEST_PARTS..=MOST_PARTS).contains(&parts.len()) {
        return None;
    }
    let mut choices: Vec<u32> = (0..1_u32 << parts.len()).collect();
    choices.sort_by_key(|choice| choice.count_ones());
    let chosen = |choice: &u32| -> Vec<&(String, &CellPair<'_>)> {
        let is_in = |(place, _): &(usize, _)| choice >> place & 1 == 1;
        parts.iter().enumerate().filter(is_in).map(|(_, part)| part).collect()
    };
    let is_mean_of = |choice: &u32| {
        let cells: Vec<&CellPair<'_>> = chosen(choice).iter().map(|(_, part)| *part).collect();
        PairArm::BOTH.into_iter().all(|which| is_mean(cell, &cells, which) == Some(true))
    };
    let found = choices.iter().find(|choice| is_mean_of(choice))?;
    Some(chosen(found).into_iter().map(|(name, _)| name.clone()).collect())
}

/// Whether the figure of an arm can be the total of its parts; `None` where it has none, or too few
/// parts.
fn agrees(
    cell: &CellPair<'_>,
    parts: &[&CellPair<'_>],
    which: PairArm,
    agreement: Agreement,
) -> Option<bool> {
    let value = cell.figure(which)?;
    let figures: Vec<f64> = parts.iter().filter_map(|part| part.figure(which)).collect();
    if figures.len() < FEWEST_PARTS {
        return None;
    }
    let slack = roundings(cell, parts, which).fold(0.0, f64::max);
    let near = |other: f64| (value - other).abs() <= 2.0 * slack + 1e-9 * value.abs();
    let sum: f64 = figures.iter().sum();
    if agreement == Agreement::Mean {
        return Some(near(sum / figures.len() as f64));
    }
    let lowest = figures.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = figures.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let between = value >= lowest - slack && value <= highest + slack;
    Some(between || (cell.spec.unit == Unit::Count && near(sum)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_of_what_it_is_the_total() {
        for (name, of) in [
            ("Overall", Some("")),
            ("macro avg", Some("")),
            ("合计", Some("")),
            ("AVG.", Some("")),
            ("综合", Some("")),
            ("mmlu_avg", Some("mmlu_")),
            ("mmlu-macro-avg", Some("mmlu_")),
            ("mmlu", None),
            ("meaning", None),
            ("small", None),
            ("recall", None),
        ] {
            assert_eq!(says_total(name).as_deref(), of, "{name}");
        }
    }
}
