//! Series of one name in several files of a run: one curve in parts, or curves of their own, which
//! are named by what tells their files apart: `train/accuracy` and `val/accuracy`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::siblings::{SHARD_WORDS, SPLITS, without_number};
use super::{bounded, plain_stem};
use crate::diag::{Code, Diagnostic, Location};
use crate::model::{Dims, Run, Series, is_same_figure};

/// Words for the data that a file of figures is about, beside those for splits.
const EVALUATIONS: &[&str] = &["eval", "evaluation"];
/// Words that any file of figures may have in its name.
const FILE_WORDS: &[&str] = &[
    "curve", "curves", "data", "events", "history", "log", "logs", "metric", "metrics", "out",
    "output", "progress", "result", "results", "scalars", "tfevents",
];
/// Names of files that hold nothing but times, hosts and numbers of processes.
const EVENTS: &str = "tfevents";
/// Most metrics that a finding names.
const MOST_NAMED: usize = 8;

/// A name that a file gives its series, from its path below the run.
type Label = fn(&str) -> Option<String>;
/// The first of them that tells all files apart counts.
const LABELS: [Label; 4] = [split, stem, directory, whole];

/// Names series apart that are of one name and have other values at the same positions. Where
/// nothing tells their files apart, that is said.
pub(super) fn name_apart(all: &mut [Series]) -> Option<Diagnostic> {
    let mut groups: BTreeMap<(&str, &str, &Dims), Vec<usize>> = BTreeMap::new();
    for (place, one) in all.iter().enumerate() {
        groups.entry((&one.metric, &one.axis, &one.dims)).or_default().push(place);
    }
    let mut labelled: Vec<(usize, String)> = Vec::new();
    let mut untold: Option<[&str; 2]> = None;
    let mut metrics = Vec::new();
    for ((metric, _, _), places) in groups.into_iter().filter(|(_, places)| places.len() > 1) {
        let own: Vec<&Series> = places.iter().filter_map(|&place| all.get(place)).collect();
        let paths: Vec<&str> = own.iter().map(|one| &*one.path).collect();
        let rivals = rivals(&own, &paths);
        let Some(&[first, second]) = rivals.first() else { continue };
        if let Some(labels) = labels(&paths, &rivals) {
            labelled.extend(places.into_iter().zip(labels));
        } else {
            untold.get_or_insert([paths[first], paths[second]]);
            metrics.push(metric.to_owned());
        }
    }
    let finding = untold.map(|[first, second]| {
        Diagnostic::new(Code::SameCurveName)
            .with("metrics", bounded(metrics, MOST_NAMED))
            .with("first", first)
            .with("second", second)
            .at(Location::file(second))
    });
    for (place, label) in labelled {
        if let Some(one) = all.get_mut(place) {
            one.metric = format!("{label}/{}", one.metric);
        }
    }
    finding
}

/// Joins series of one name of which a later file continues an earlier one, as where a training was
/// resumed. One that says nothing beyond another is left out.
pub(super) fn join_parts(all: &mut Vec<Series>) -> Option<Diagnostic> {
    let mut places = BTreeMap::new();
    let mut groups: Vec<Vec<Series>> = Vec::new();
    for one in all.drain(..) {
        let key = (one.metric.clone(), one.axis.clone(), one.dims.clone());
        let place = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    let (mut replaced, mut metrics, mut path) = (0, Vec::new(), None);
    for mut parts in groups {
        let start = |one: &Series| one.points.first().map_or(f64::NEG_INFINITY, |point| point.at);
        parts.sort_by(|a, b| start(a).total_cmp(&start(b)));
        let mut whole: Vec<Series> = Vec::new();
        for part in parts {
            match whole.last_mut() {
                Some(last) if says_the_same(last, &part) => {}
                Some(last) if continues(last, &part) => {
                    path.get_or_insert_with(|| Arc::clone(&part.path));
                    metrics.push(part.metric.clone());
                    replaced += last.resume(part);
                }
                _ => whole.push(part),
            }
        }
        all.append(&mut whole);
    }
    metrics.dedup();
    path.map(|path| {
        Diagnostic::new(Code::SeveralLogs)
            .with("metrics", bounded(metrics, MOST_NAMED))
            .with("replaced", replaced)
            .at(Location::file(&*path))
    })
}

/// Whether a series has every point of another.
fn says_the_same(whole: &Series, part: &Series) -> bool {
    let shared = || common(part, whole);
    shared().count() == part.points.len() && shared().all(|[a, b]| is_same_figure(a, b))
}

/// Gives series the name that another run has for those of a like file, where the run itself has
/// nothing to tell apart: one file alone, or two that agree.
pub(super) fn name_by_other_runs(runs: &mut [Run]) {
    let mut known: BTreeSet<(String, String)> = BTreeSet::new();
    for run in runs.iter() {
        for one in &run.content.series {
            let labels = labels_of(run, one).into_iter();
            let own = labels.filter_map(|label| {
                let metric = one.metric.strip_prefix(label.as_str())?.strip_prefix('/')?;
                Some((label.clone(), metric.to_owned()))
            });
            known.extend(own.collect::<Vec<_>>());
        }
    }
    if known.is_empty() {
        return;
    }
    for run in runs {
        let taken: BTreeSet<&str> =
            run.content.series.iter().map(|one| one.metric.as_str()).collect();
        let name = |one: &Series| {
            let labels = labels_of(run, one).into_iter();
            let mut names = labels
                .filter(|label| known.contains(&(label.clone(), one.metric.clone())))
                .map(|label| format!("{label}/{}", one.metric));
            names.next().filter(|name| !taken.contains(name.as_str()))
        };
        let named: Vec<Option<String>> = run.content.series.iter().map(name).collect();
        for (one, name) in run.content.series.iter_mut().zip(named) {
            one.metric = name.unwrap_or_else(|| std::mem::take(&mut one.metric));
        }
    }
}

fn labels_of(run: &Run, series: &Series) -> Vec<String> {
    let below = series.path.strip_prefix(run.path.as_str()).unwrap_or_default();
    let below = match below.trim_start_matches('/') {
        "" => series.path.rsplit('/').next().unwrap_or_default(),
        below => below,
    };
    LABELS.iter().filter_map(|label| label(below)).collect()
}

/// The pairs of series that cannot be one curve.
fn rivals(own: &[&Series], paths: &[&str]) -> Vec<[usize; 2]> {
    let shared = shared_directory(paths);
    let splits: Vec<Option<String>> = paths.iter().map(|path| split(path.get(shared..)?)).collect();
    let mut found = Vec::new();
    for (second, b) in own.iter().enumerate() {
        for (first, a) in own.iter().enumerate().take(second) {
            let other_split = splits[first].is_some()
                && splits[second].is_some()
                && splits[first] != splits[second];
            let is_whole = other_split || !(continues(a, b) || continues(b, a));
            if a.path != b.path && is_whole && common(a, b).any(|[a, b]| !is_same_figure(a, b)) {
                found.push([first, second]);
            }
        }
    }
    found
}

/// Whether a curve goes on in the other file, a few positions before its end perhaps.
fn continues(a: &Series, b: &Series) -> bool {
    let ends = |one: &Series| Some([one.points.first()?.at, one.points.last()?.at]);
    let (Some([start, end]), Some([later_start, later_end])) = (ends(a), ends(b)) else {
        return true;
    };
    start < later_start
        && end < later_end
        && (end < later_start || common(a, b).count() * 2 <= a.points.len().min(b.points.len()))
}

/// The values of both at the positions that both have.
fn common<'s>(a: &'s Series, b: &'s Series) -> impl Iterator<Item = [f64; 2]> + use<'s> {
    a.points.iter().filter_map(|point| {
        let place = b.points.binary_search_by(|other| other.at.total_cmp(&point.at)).ok()?;
        Some([point.value, b.points.get(place)?.value])
    })
}

/// A label for each file, of the first kind that tells rivals apart.
fn labels(paths: &[&str], rivals: &[[usize; 2]]) -> Option<Vec<String>> {
    let shared = shared_directory(paths);
    LABELS.iter().find_map(|label| {
        let labels: Vec<String> =
            paths.iter().map(|path| label(path.get(shared..)?)).collect::<Option<_>>()?;
        let told = |[a, b]: &[usize; 2]| telling(&labels[*a]) != telling(&labels[*b]);
        rivals.iter().all(told).then_some(labels)
    })
}

/// The length of the directory, with its `/`, that all paths lie in.
fn shared_directory(paths: &[&str]) -> usize {
    let first = paths.first().copied().unwrap_or_default();
    let ends = first.match_indices('/').map(|(at, _)| at + 1);
    let is_shared = |end: &usize| {
        paths.iter().all(|path| path.as_bytes().starts_with(&first.as_bytes()[..*end]))
    };
    ends.take_while(is_shared).last().unwrap_or(0)
}

fn is_split_word(word: &str) -> bool {
    SPLITS.contains(&word) || EVALUATIONS.contains(&word)
}

/// The word for a split in the name of the file, else in the innermost directory that has one.
fn split(path: &str) -> Option<String> {
    let word = |name: &str| {
        let words = name.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
        words.into_iter().find(|word| is_split_word(word))
    };
    path.rsplit('/').enumerate().find_map(|(above, name)| match above {
        0 => word(plain_stem(name)),
        _ => word(name),
    })
}

fn stem(path: &str) -> Option<String> {
    let stem = plain_stem(path);
    (!stem.is_empty() && !path.contains(EVENTS)).then(|| stem.to_owned())
}

fn directory(path: &str) -> Option<String> {
    Some(path.rsplit('/').nth(1)?.to_owned())
}

fn whole(path: &str) -> Option<String> {
    let (directories, _) = path.rsplit_once('/')?;
    Some(stem(path).map_or_else(|| directories.to_owned(), |stem| format!("{directories}/{stem}")))
}

/// What a name says beside numbers of parts and words that any file of figures has.
fn telling(name: &str) -> Vec<String> {
    let mut told = Vec::new();
    let mut is_value = false;
    let lower = name.to_lowercase();
    for word in lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let letters = without_number(word);
        if letters.is_empty() {
            told.extend(is_value.then(|| word.to_owned()));
            continue;
        }
        let is_split = is_split_word(letters);
        let is_told = !SHARD_WORDS.contains(&letters) && !FILE_WORDS.contains(&letters);
        if is_told {
            told.push(if is_split { letters } else { word }.to_owned());
        }
        is_value = is_told && !is_split;
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Point;

    fn series(path: &str, values: &[(u32, f64)]) -> Series {
        let points = (1..).zip(values);
        let points = points.map(|(line, &(at, value))| Point { at: f64::from(at), value, line });
        let (metric, axis) = ("acc".to_owned(), "step".to_owned());
        Series::new(metric, axis, Dims::none(), points.collect(), Arc::from(path)).0
    }

    const LOW: &[(u32, f64)] = &[(1, 0.51), (2, 0.52), (3, 0.53)];
    const HIGH: &[(u32, f64)] = &[(1, 0.61), (2, 0.62), (3, 0.63)];

    /// The names of the series of these files, the first of them lower, and whether it is said that
    /// nothing tells them apart.
    fn check(paths: &[&str], names: &[&str], said: bool) {
        let values = |place| if place == 0 { LOW } else { HIGH };
        let own = paths.iter().enumerate().map(|(place, path)| series(path, values(place)));
        let mut own: Vec<Series> = own.collect();
        let finding = name_apart(&mut own);
        assert_eq!(own.iter().map(|one| one.metric.as_str()).collect::<Vec<_>>(), names);
        assert_eq!(finding.is_some(), said, "{paths:?}");
    }

    #[test]
    fn curves_are_named_by_the_split_else_by_what_else_tells_their_files_apart() {
        for (paths, names) in [
            (["r/train.csv", "r/val.csv"], ["train/acc", "val/acc"]),
            (["r/train_log.jsonl", "r/val_log.jsonl"], ["train/acc", "val/acc"]),
            (["r/train/metrics.csv", "r/val/metrics.csv"], ["train/acc", "val/acc"]),
            (["val/r/gsm8k.csv", "val/r/math.csv"], ["gsm8k/acc", "math/acc"]),
            (["r/gsm8k/m.csv", "r/math/m.csv"], ["gsm8k/acc", "math/acc"]),
            (["r/lr1e-5.csv", "r/lr1e-4.csv"], ["lr1e-5/acc", "lr1e-4/acc"]),
            (["r/seed0.csv", "r/seed1.csv"], ["seed0/acc", "seed1/acc"]),
            (["r/base/a/m.csv", "r/tuned/a/m.csv"], ["base/a/m/acc", "tuned/a/m/acc"]),
            (
                ["r/train/events.out.tfevents.17.host.1", "r/test/events.out.tfevents.18.host.2"],
                ["train/acc", "test/acc"],
            ),
        ] {
            check(&paths, &names, false);
        }
    }

    #[test]
    fn a_file_alone_has_the_names_of_like_files_of_another_run() {
        let run =
            |paths: &[&str]| Run::with_series(paths.iter().map(|path| series(path, LOW)).collect());
        let mut named = run(&["train.csv", "val.csv"]);
        for (one, name) in named.content.series.iter_mut().zip(["train/acc", "val/acc"]) {
            name.clone_into(&mut one.metric);
        }
        for (path, name) in [("val.csv", "val/acc"), ("metrics.csv", "acc"), ("test.csv", "acc")] {
            let mut runs = [named.clone(), run(&[path])];
            name_by_other_runs(&mut runs);
            assert_eq!(runs[1].content.series[0].metric, name, "{path}");
        }
        let mut runs = [run(&["train.csv"]), run(&["val.csv"])];
        name_by_other_runs(&mut runs);
        assert!(runs.iter().all(|run| run.content.series[0].metric == "acc"));
    }

    #[test]
    fn numbers_of_parts_tell_nothing_apart_and_that_is_said() {
        for paths in [
            ["r/metrics_1.csv", "r/metrics_2.csv"],
            ["r/rank0.jsonl", "r/rank1.jsonl"],
            ["r/events.out.tfevents.17.one.1", "r/events.out.tfevents.18.two.1"],
        ] {
            check(&paths, &["acc", "acc"], true);
        }
    }

    #[test]
    fn files_that_agree_or_go_on_are_one_curve() {
        for (first, second) in [
            (&[(1, 0.5), (2, 0.61)][..], &[(1, 0.5), (2, 0.612)][..]),
            (&[(1, 0.8)], &[(1, f64::from(0.8_f32))]),
            (&[(1, f64::NAN)], &[(1, f64::NAN)]),
            (&[(1, 0.5), (2, 0.6)], &[(3, 0.7)]),
            (&[(1, 0.5), (2, 0.6), (3, 0.7)], &[(3, 0.9), (4, 0.8)]),
        ] {
            let mut own = vec![series("r/a.csv", first), series("r/b.csv", second)];
            assert_eq!(name_apart(&mut own), None);
            assert!(own.iter().all(|one| one.metric == "acc"), "{first:?} {second:?}");
            join_parts(&mut own);
            assert_eq!(own.len(), 1, "{first:?} {second:?}");
        }
    }

    #[test]
    fn a_resumed_curve_has_the_points_of_its_last_file_and_says_where_each_point_stands() {
        let later = series("r/b.csv", &[(3, 0.9), (4, 0.8)]);
        let mut own = vec![later, series("r/a.csv", &[(1, 0.5), (2, 0.6), (3, 0.7)])];
        let finding = join_parts(&mut own).expect("it is told");
        assert_eq!(finding.evidence.get("replaced"), Some(&1_usize.into()));
        let [whole] = own.as_slice() else { panic!("{own:?}") };
        let points = whole.points.iter().enumerate();
        let points: Vec<_> =
            points.map(|(place, one)| (one.at, one.value, &**whole.path_of(place))).collect();
        let [a, b] = ["r/a.csv", "r/b.csv"];
        assert_eq!(points, [(1.0, 0.5, a), (2.0, 0.6, a), (3.0, 0.9, b), (4.0, 0.8, b)]);
        assert_eq!(whole.rewinds, [3.0]);
    }
}
