//! Counts of samples that an engine wrote by the statement of `reportgen plan`, as two runs without samples.
//!
//! Knows the columns of the file; what the counts mean for a comparison is said elsewhere.

mod rows;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rows::{CountedRow, read_rows};

use super::bounds::set_aside;
use super::{CollectError, ReadOptions, sample_files, shown};
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::model::{
    COUNTED_VERSION, ClusterClass, ClusterTotals, CountedArm, CountedGroup, CountedIds,
    CountedPairs, CountedPlan, CountedScores, CountedSource, FileRecord, FileUse, Fragment,
    MetricKind, PairStatus, RowKeys, Run, RunStatus, ScoreState, ScoreSums,
};
use crate::quantity::power_of_ten;
use sha2::{Digest as _, Sha256};

/// Name of the reader in lists of files.
const NAME: &str = "counted-samples";

/// More samples than any engine holds; sums of such counts are exact as numbers with a point.
const MOST_COUNTED: u64 = 1 << 48;

/// Reads the file, or the directory of parts, that an engine wrote, as baseline and candidate.
///
/// # Errors
/// When it does not exist, is damaged, not whole, or something else.
pub fn read_counted(path: &Path, options: &ReadOptions) -> Result<Warned<Vec<Run>>, CollectError> {
    if !path.exists() {
        return Err(CollectError::not_found(path));
    }
    let mut findings = Vec::new();
    let read = read(path, options, &mut findings);
    let runs = read.map_err(|reason| CollectError::NoCounts { path: shown(path), reason })?;
    Ok(Warned::new(runs, findings))
}

fn read(
    path: &Path,
    options: &ReadOptions,
    findings: &mut Vec<Diagnostic>,
) -> Result<Vec<Run>, String> {
    let limits = options.access.limits;
    let files = sample_files(path);
    if files.is_empty() {
        return Err("no Parquet file lies in the directory".to_owned());
    }
    let mut rows = Vec::new();
    for file in &files {
        let named = |reason: String| match files.len() {
            1 => reason,
            _ => format!("{}: {reason}", shown(file)),
        };
        rows.extend(read_rows(file, limits).map_err(named)?);
    }
    let plan = plan_of(&rows)?;
    let counted = datasets(&plan, &rows, path)?;
    findings.push(finding(&plan, &counted, path));
    findings.extend([0, 1].into_iter().flat_map(|arm| outside(arm, &plan, &counted, path)));
    findings.extend(without_id(&plan, &counted, path));
    let datasets: Arc<[CountedPairs]> = counted.into();
    Ok((0..2).map(|arm| run(arm, &plan, &datasets, path, &files)).collect())
}

/// The least difference that sums can hold, of scores over the largest one: its square is ten thousand of the
/// steps that sums of rests have.
const LEAST_DIFFERENCE: f64 = 1e-10;

/// What the rows say that they were counted by.
fn plan_of(rows: &[CountedRow]) -> Result<CountedPlan, String> {
    if let Some(version) = rows.iter().map(|row| row.version).find(|one| *one != COUNTED_VERSION) {
        return Err(format!(
            "it has version {version} of such files, and this program reads version {COUNTED_VERSION}; write \
             the statement again with `reportgen plan`, and have the engine run it"
        ));
    }
    let mut plans = rows.iter().filter_map(|row| Some((row.plan.as_ref()?, &row.plan_hash)));
    let Some((text, hash)) = plans.next() else {
        return Err("no row says by which plan it was made: the file is not whole".to_owned());
    };
    if rows.iter().any(|row| row.plan_hash != *hash) {
        return Err(
            "its rows are of several plans; remove what an earlier run left there".to_owned()
        );
    }
    if plans.next().is_some() {
        return Err("it holds the counts twice; remove what an earlier run left there".to_owned());
    }
    if format!("{:x}", Sha256::digest(text)) != *hash {
        return Err("its plan was changed: the hash in its rows is of another one".to_owned());
    }
    let plan: CountedPlan =
        serde_json::from_str(text).map_err(|error| format!("its plan: {error}"))?;
    if plan.schema != CountedPlan::SCHEMA {
        return Err(format!("its plan is a `{}`, which this program does not know", plan.schema));
    }
    if plan.metrics.iter().any(|metric| metric.exponent.abs() > 100) {
        return Err("its plan has scores of a size that no number has".to_owned());
    }
    Ok(plan)
}

fn datasets(
    plan: &CountedPlan,
    rows: &[CountedRow],
    path: &Path,
) -> Result<Vec<CountedPairs>, String> {
    let plan = Arc::new(plan.clone());
    let path: Arc<str> = shown(path).into();
    let mut found = BTreeMap::<Option<&str>, CountedPairs>::new();
    let counts = || rows.iter().filter(|row| row.plan.is_none());
    let there = counts().count() as u64;
    if let Some(row) = counts().find(|row| row.of_rows != there) {
        return Err(format!(
            "{there} rows of counts are there, and the engine wrote {}: a part of the result is missing, or there \
             twice",
            row.of_rows
        ));
    }
    for row in counts() {
        let dataset = row.dataset.as_deref();
        let counted = found.entry(dataset).or_insert_with(|| CountedPairs {
            plan: Arc::clone(&plan),
            dataset: dataset.map(str::to_owned),
            path: Arc::clone(&path),
            ids: BTreeMap::new(),
            scores: plan.metrics.iter().map(|_| CountedScores::default()).collect(),
        });
        take(counted, row)?;
    }
    let counted: Vec<CountedPairs> = found.into_values().collect();
    if counted.is_empty() {
        return Err("it counts no sample: both runs were empty for the engine".to_owned());
    }
    counted.iter().try_for_each(is_whole)?;
    let mut names = std::collections::BTreeSet::new();
    let alike = counted.iter().filter_map(|one| one.dataset.as_deref());
    if let Some(again) = alike.into_iter().find(|name| !names.insert(name.to_ascii_lowercase())) {
        return Err(format!(
            "two names of datasets differ from `{again}` or each other in case alone; have the engine write them \
             alike, for example by a view"
        ));
    }
    Ok(counted)
}

/// Adds what one row says.
fn take(counted: &mut CountedPairs, row: &CountedRow) -> Result<(), String> {
    let Some(place) = row.metric.checked_sub(1) else {
        let status = row.status.ok_or("a row of samples has no status")?;
        let own = counted.ids.entry(status).or_default();
        let both = |mine: [u64; 2], more: [u64; 2]| {
            [mine[0].saturating_add(more[0]), mine[1].saturating_add(more[1])]
        };
        let sum = CountedIds {
            ids: own.ids.saturating_add(row.n),
            example: own.example.take().or_else(|| row.example.clone()),
            present: both(own.present, row.ids),
            records: both(own.records, row.rows),
            with_prompts: own.with_prompts.saturating_add(row.prompts),
            with_targets: own.with_targets.saturating_add(row.targets),
            lone: own.lone.saturating_add(row.lone),
        };
        *own = sum;
        return Ok(());
    };
    let unknown =
        || format!("it has scores of metric {}, which its plan does not have", row.metric);
    let place = usize::try_from(place).map_err(|_| unknown())?;
    let metric = counted.plan.metrics.get(place).cloned().ok_or_else(unknown)?;
    let scores = counted.scores.get_mut(place).ok_or_else(unknown)?;
    let unit = power_of_ten(metric.exponent);
    if row.clusters > 0 {
        scores.clusters.push(clusters(row, metric.kind, unit)?);
        return Ok(());
    }
    for ((sum, highest), (records, score)) in scores.outside.iter_mut().zip(row.outside) {
        *highest =
            score.map_or(*highest, |score| if *sum > 0 { score.max(*highest) } else { score });
        *sum = sum.saturating_add(records);
    }
    let status = row.status.ok_or("a row of scores has no status")?;
    let is_complete = row.scored.iter().all(|state| *state == ScoreState::Finite);
    let group = CountedGroup {
        status,
        elsewhere: row.elsewhere,
        scored: row.scored,
        scores: row.scores,
        ids: row.n,
        sums: None,
    };
    let group = match metric.kind {
        MetricKind::Values => group,
        MetricKind::Sums => CountedGroup { sums: Some(sums(row, is_complete, unit)?), ..group },
    };
    for (state, score) in group.scored.iter().zip(group.scores) {
        let has_score = *state == ScoreState::Finite && metric.kind == MetricKind::Values;
        if has_score != score.is_some_and(f64::is_finite) {
            return Err(format!(
                "a row of metric {} has no score where it says that it has one",
                row.metric
            ));
        }
    }
    scores.groups.push(group);
    Ok(())
}

fn sums(row: &CountedRow, is_complete: bool, unit: f64) -> Result<ScoreSums, String> {
    let gone = |what: &str| {
        format!(
            "the sum `{what}` of metric {} is missing: the engine could not hold it",
            row.metric
        )
    };
    let of = |name: &'static str, power: i32, is_there: bool| match row.sum(name) {
        Some(sum) => Ok(sum * unit.powi(power)),
        None if is_there => Err(gone(name)),
        None => Ok(0.0),
    };
    let finite = row.scored.map(|state| state == ScoreState::Finite);
    let largest = [row.least, row.most].into_iter().flatten().map(f64::abs).fold(0.0, f64::max);
    if row.others > 0 && largest < LEAST_DIFFERENCE {
        return Err(format!(
            "no difference of metric {} reaches a ten-billionth of its largest score, and sums hold none so small; \
             give its scores from another zero, or leave out what is so large",
            row.metric
        ));
    }
    Ok(ScoreSums {
        scores: [of("sum_x", 1, finite[0])?, of("sum_y", 1, finite[1])?],
        squares: [of("sum_xx", 2, finite[0])?, of("sum_yy", 2, finite[1])?],
        highest: row.top.map(|top| top.map_or(f64::NEG_INFINITY, |top| top * unit)),
        differences: of("sum_d", 1, is_complete)?,
        squared_differences: of("sum_dd", 2, is_complete)?,
        cubed_differences: of("sum_ddd", 3, is_complete)?,
        others: row.others,
        least: row.least.unwrap_or_default() * unit,
        most: row.most.unwrap_or_default() * unit,
    })
}

fn clusters(row: &CountedRow, kind: MetricKind, unit: f64) -> Result<ClusterClass, String> {
    let of = |name: &'static str, power: i32| {
        let sum = row.sum(name).map(|sum| sum * unit.powi(power));
        sum.ok_or_else(|| {
            format!("the sum `{name}` of clusters of metric {} is missing", row.metric)
        })
    };
    let sums = match kind {
        MetricKind::Values => ClusterTotals::Each { complete: of("s", 1)?, filled: of("t", 1)? },
        MetricKind::Sums => ClusterTotals::All {
            complete: [of("sum_s", 1)?, of("sum_ss", 2)?],
            filled: [of("sum_t", 1)?, of("sum_tt", 2)?],
        },
    };
    let [pairs, mine, theirs, silent, elsewhere] = row.sizes;
    Ok(ClusterClass {
        clusters: row.clusters,
        pairs,
        alone: [mine, theirs],
        silent: [silent, elsewhere],
        sums,
    })
}

/// Whether the counts of each metric are those of the samples: a file of several may lack one.
fn is_whole(counted: &CountedPairs) -> Result<(), String> {
    let lacking = || {
        "the counts of scores and of samples differ: a part of the result is missing, or there twice".to_owned()
    };
    let of_ids = |own: &CountedIds| {
        let [mine, theirs] = own.records;
        [own.ids, mine, theirs].into_iter().chain(own.present).max()
    };
    let most = counted.ids.values().filter_map(of_ids).max();
    if most.is_some_and(|most| most > MOST_COUNTED) {
        return Err("it counts more samples than there can be".to_owned());
    }
    for scores in &counted.scores {
        let mut by_status = BTreeMap::<PairStatus, u64>::new();
        for group in &scores.groups {
            let sum = by_status.entry(group.status).or_default();
            *sum = sum.checked_add(group.ids).ok_or_else(lacking)?;
        }
        let ids = counted.ids.iter().map(|(status, own)| (*status, own.ids));
        if by_status != ids.collect() {
            return Err(lacking());
        }
        let kept = [PairStatus::Pair, PairStatus::Reworded];
        let kept: u64 = kept.iter().filter_map(|status| by_status.get(status)).sum();
        let in_clusters = scores.clusters.iter().try_fold(0_u64, |sum, class| {
            let size = class.pairs.checked_add(class.alone[0])?.checked_add(class.alone[1])?;
            let size = size.checked_add(class.silent[0])?.checked_add(class.silent[1])?;
            sum.checked_add(size.checked_mul(class.clusters)?)
        });
        let is_clustered = counted.plan.cluster().is_some() || !scores.clusters.is_empty();
        if is_clustered && in_clusters != Some(kept) {
            return Err(lacking());
        }
    }
    Ok(())
}

fn run(
    arm: usize,
    plan: &CountedPlan,
    datasets: &Arc<[CountedPairs]>,
    path: &Path,
    files: &[PathBuf],
) -> Run {
    let own = plan.sources()[arm];
    let id = id_of(arm, plan);
    let file = |path: &PathBuf| FileRecord {
        relative: String::new(),
        bytes: path.metadata().map_or(0, |about| about.len()),
        used: FileUse::Read { reader: NAME },
    };
    let counted = CountedArm { arm, datasets: Arc::clone(datasets) };
    Run {
        name: id.clone(),
        id,
        path: own.from.clone(),
        place: format!("{}::{}", shown(path), ["A", "B"][arm]),
        input: arm,
        labels: Vec::new(),
        member: None,
        status: RunStatus::Complete,
        files: files.iter().map(file).collect(),
        data_files: Vec::new(),
        asked: RowKeys::default(),
        content: Fragment { counted: Some(counted), ..Fragment::default() },
    }
}

/// Two runs of one name are told apart by their places in the plan.
fn id_of(arm: usize, plan: &CountedPlan) -> String {
    let [own, other] = [arm, 1 - arm].map(|arm| &plan.sources()[arm].name);
    if own == other { format!("{own} ({})", ["A", "B"][arm]) } else { own.clone() }
}

/// Scores of a run that its metrics cannot have.
fn outside(
    arm: usize,
    plan: &CountedPlan,
    counted: &[CountedPairs],
    path: &Path,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for one in counted {
        for (metric, scores) in plan.metrics.iter().zip(&one.scores) {
            let (records, score) = scores.outside[arm];
            let Some(range) = metric.ranges[arm].filter(|_| records > 0) else { continue };
            let told = (usize::try_from(records).unwrap_or(usize::MAX), score);
            let finding = set_aside(&metric.name, one.dataset.as_deref(), told, range.ends());
            found.push(finding.run(&id_of(arm, plan)).at(Location::file(shown(path))));
        }
    }
    found
}

/// What the report stands on, and what counts cannot say.
fn finding(plan: &CountedPlan, counted: &[CountedPairs], path: &Path) -> Diagnostic {
    let ids = counted.iter().flat_map(|one| one.ids.values()).map(|own| own.ids).sum::<u64>();
    let summed = plan.metrics.iter().filter(|metric| metric.kind == MetricKind::Sums);
    let summed: Vec<String> = summed.map(|metric| metric.name.clone()).collect();
    let from = |source: &CountedSource| source.from.clone();
    let is_across = plan.cluster().is_some() && counted.len() > 1;
    let grouping = if is_across { "across" } else { "within" };
    Diagnostic::new(Code::CountedElsewhere)
        .with("samples", ids)
        .with("baseline", from(&plan.baseline))
        .with("candidate", from(&plan.candidate))
        .with("dialect", plan.dialect.as_str())
        .with("sums", summed)
        .with("grouping", grouping)
        .at(Location::file(shown(path)))
}

fn without_id(plan: &CountedPlan, counted: &[CountedPairs], path: &Path) -> Option<Diagnostic> {
    let lost = counted.iter().filter_map(|one| one.ids.get(&PairStatus::NoId));
    let records: [u64; 2] =
        lost.fold([0; 2], |sum, own| [sum[0] + own.records[0], sum[1] + own.records[1]]);
    (records != [0; 2]).then(|| {
        Diagnostic::new(Code::CountedWithoutId)
            .with("baseline", records[0])
            .with("candidate", records[1])
            .with("columns", format!("{}, {}", plan.baseline.id, plan.candidate.id))
            .at(Location::file(shown(path)))
    })
}
