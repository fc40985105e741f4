//! Data files: named differently, differing by content and how, differing in quality, gone.

use crate::diag::{Code, Diagnostic, Location};
use crate::model::{ColumnProfile, ColumnSummary, DataContent, DataFile, DataRole, Queries, Run};
use crate::pairing::{ArmPair, DataPair, DataPairJoin, PairArm, names};
use crate::quantity::Quantity;

pub(super) fn check_data_files(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for files in &pair.data {
        // A key whose value is the same path on both sides may still be declared: its content is.
        let is_factor = |key: &String| {
            pair.factors.contains(key) || pair.factors.equal.iter().any(|one| names(one, key))
        };
        if ![&files.baseline.key, &files.candidate.key].into_iter().any(is_factor) {
            found.extend(compared(files));
        }
    }
    for which in PairArm::BOTH {
        let run = pair.run(which);
        found.extend(run.data_files.iter().filter(|file| file.is_gone()).map(|file| {
            Diagnostic::new(Code::DataFileGone)
                .run(&run.id)
                .about_key(&file.key)
                .with("file", file.declared.as_str())
                .with("run", run.id.as_str())
                .with("unopened", if file.is_elsewhere() { "elsewhere" } else { "gone" })
                .at(file.source.location())
        }));
        let is_told = |content: &DataContent| {
            let earlier = pair.baseline.data_files.iter().filter_map(|file| file.content.as_ref());
            which == PairArm::Candidate
                && earlier.into_iter().any(|one| one.sha256 == content.sha256)
        };
        for file in &run.data_files {
            if let Some(content) = file.content.as_ref().filter(|content| !is_told(content)) {
                found.extend(duplicates(run, file, content));
                found.extend(partly_read(run, file, content));
            }
        }
    }
    found
}

/// Whether two data files are different files: by content where both are here, else by the path
/// that the configurations write.
pub fn differ(mine: &DataFile, theirs: &DataFile) -> bool {
    match (&mine.content, &theirs.content) {
        (Some(mine), Some(theirs)) => mine.sha256 != theirs.sha256,
        _ => mine.declared != theirs.declared,
    }
}

fn compared(files: &DataPair<'_>) -> Vec<Diagnostic> {
    let (mine, theirs) = (files.baseline, files.candidate);
    if !differ(mine, theirs) {
        return Vec::new();
    }
    if let Some(join) = files.join.as_ref().filter(|join| join.same_rows()) {
        return vec![about(Code::SameRecords, files).with("records", join.shared)];
    }
    let mut found = vec![identity(files)];
    found.extend(files.join.as_ref().map(|join| records_differ(files, join)));
    let Some((a, b)) = mine.content.as_ref().zip(theirs.content.as_ref()) else { return found };
    let of_content = quality(a, b)
        .into_iter()
        .chain(schema(a, b))
        .chain(shifted_labels(a, b))
        .map(|finding| with_names(finding, files).at(theirs.source.location()));
    found.extend(of_content);
    found
}

/// A finding about two files that stand in each other's place.
fn about(code: Code, files: &DataPair<'_>) -> Diagnostic {
    with_names(Diagnostic::new(code), files).at(files.candidate.source.location())
}

fn with_names(finding: Diagnostic, files: &DataPair<'_>) -> Diagnostic {
    let (mine, theirs) = (files.baseline, files.candidate);
    let rows = |file: &DataFile| file.content.as_ref().map_or(0, |content| content.rows_read);
    let (baseline_file, candidate_file) = names_apart(mine, theirs);
    finding
        .about_key(&mine.key)
        .with("baseline_file", baseline_file)
        .with("candidate_file", candidate_file)
        .with("rows_baseline", rows(mine))
        .with("rows_candidate", rows(theirs))
}

/// The names of both files; their paths where the names are alike and would not tell them apart.
fn names_apart<'f>(baseline: &'f DataFile, candidate: &'f DataFile) -> (&'f str, &'f str) {
    match (&baseline.content, &candidate.content) {
        (Some(mine), Some(theirs)) if baseline.name() == candidate.name() => {
            (&mine.path, &theirs.path)
        }
        _ => (baseline.name(), candidate.name()),
    }
}

fn identity(files: &DataPair<'_>) -> Diagnostic {
    let (mine, theirs) = (files.baseline, files.candidate);
    let both_here = mine.content.is_some() && theirs.content.is_some();
    let same_name = mine.name() == theirs.name();
    let is_eval = mine.role == DataRole::Eval && theirs.role == DataRole::Eval;
    let (code, names) = match (same_name, both_here) {
        (true, true) => (Code::DataFileContent, [mine.name(), theirs.name()]),
        (true, false) => (Code::DataFileNamed, [mine.declared.as_str(), &theirs.declared]),
        (false, _) => (Code::DataFileNamed, [mine.name(), theirs.name()]),
    };
    let [baseline, candidate] = names;
    Diagnostic::new(if is_eval { Code::EvalFileDiffers } else { code })
        .about_key(&mine.key)
        .with("baseline", baseline)
        .with("candidate", candidate)
        .at(theirs.source.location())
}

fn records_differ(files: &DataPair<'_>, join: &DataPairJoin) -> Diagnostic {
    let place = |file: &DataFile, positions: &[u32]| -> Vec<String> {
        let keys = file.content.as_ref().map(|content| &content.keys);
        let place = |at: &u32| keys.map(|keys| keys.place(*at));
        let shown = |(path, line): (&str, u64)| format!("{path}:{line}");
        positions.iter().filter_map(place).map(shown).collect()
    };
    let [first_mine, first_theirs] = &join.first;
    let mut first = place(files.baseline, first_mine);
    first.extend(place(files.candidate, first_theirs));
    let finding = about(Code::RecordsDiffer, files)
        .with("shared", join.shared)
        .with("baseline_only", join.baseline_only)
        .with("candidate_only", join.candidate_only)
        .with("first", first);
    match join.ids {
        None => finding,
        Some(ids) => finding
            .with("shared_ids", ids.shared)
            .with("ids_baseline_only", ids.baseline_only)
            .with("ids_candidate_only", ids.candidate_only)
            .with("ids_changed", ids.changed),
    }
}

/// Shares of a switch further apart than this many points are a difference in quality.
const SHARE_POINTS_APART: f64 = 1.0;
/// Mean rewards further apart than this many standard deviations are one too: a small effect after
/// Cohen (1988).
const MEANS_APART: f64 = 0.2;
/// Last words of columns whose mean says how good the data is.
const REWARDS: &[&str] = &["reward", "score"];

/// How good the data of the arms is: shares of switches, queries with a positive sample, and, where
/// no share says it, mean rewards. What other numbers mean is not known; they are shown in the
/// report's table.
fn quality(a: &DataContent, b: &DataContent) -> Vec<Diagnostic> {
    let both = || {
        let other = |name: &str| b.columns.iter().find(|other| other.name == name);
        a.columns.iter().filter_map(move |column| Some((column, other(&column.name)?)))
    };
    let mut found: Vec<Diagnostic> = both()
        .filter_map(|(mine, theirs)| {
            let (ColumnSummary::Flag { yes }, ColumnSummary::Flag { yes: other }) =
                (&mine.summary, &theirs.summary)
            else {
                return None;
            };
            share(&mine.name, (*yes, mine.n), (*other, theirs.n))
        })
        .collect();
    if let (Some(mine), Some(theirs)) = (&a.queries, &b.queries) {
        found.extend(share(
            &query_column(mine),
            (mine.positive, mine.n),
            (theirs.positive, theirs.n),
        ));
    }
    if found.is_empty() {
        found.extend(both().filter_map(|(mine, theirs)| means(mine, theirs)));
    }
    found
}

/// The share of queries as it is named in findings: `reward per query_id`.
pub fn query_column(queries: &Queries) -> String {
    format!("{} / {}", queries.positive_column, queries.column)
}

fn share(column: &str, mine: (u64, u64), theirs: (u64, u64)) -> Option<Diagnostic> {
    if mine.1 == 0 || theirs.1 == 0 {
        return None;
    }
    let percent = |(yes, n): (u64, u64)| 100.0 * yes as f64 / n as f64;
    let (a, b) = (percent(mine), percent(theirs));
    ((a - b).abs() > SHARE_POINTS_APART).then(|| {
        Diagnostic::new(Code::DataQuality)
            .with("column", column)
            .with("baseline", Quantity::Part { count: mine.0, of: mine.1 })
            .with("candidate", Quantity::Part { count: theirs.0, of: theirs.1 })
            .with("baseline_detail", Quantity::percent(a))
            .with("candidate_detail", Quantity::percent(b))
    })
}

fn means(mine: &ColumnProfile, theirs: &ColumnProfile) -> Option<Diagnostic> {
    let word = mine.name.rsplit(['.', '_']).next().unwrap_or_default();
    if !REWARDS.contains(&word) {
        return None;
    }
    let (
        ColumnSummary::Number { mean: a, sd: Some(sd_a), .. },
        ColumnSummary::Number { mean: b, sd: Some(sd_b), .. },
    ) = (&mine.summary, &theirs.summary)
    else {
        return None;
    };
    let pooled = f64::midpoint(sd_a * sd_a, sd_b * sd_b).sqrt();
    ((a - b).abs() > MEANS_APART * pooled && a != b).then(|| {
        Diagnostic::new(Code::DataQuality)
            .with("column", format!("mean({})", mine.name))
            .with("baseline", Quantity::Mean(*a))
            .with("candidate", Quantity::Mean(*b))
            .with("baseline_detail", Quantity::Size { n: mine.n })
            .with("candidate_detail", Quantity::Size { n: theirs.n })
    })
}

/// Columns that only one file has, or that hold something else in the other.
fn schema(a: &DataContent, b: &DataContent) -> Option<Diagnostic> {
    let lacking = |mine: &DataContent, theirs: &DataContent| -> Vec<String> {
        let has = |name: &str| theirs.columns.iter().any(|column| column.name == name);
        mine.columns.iter().filter(|one| !has(&one.name)).map(|one| one.name.clone()).collect()
    };
    if a.columns.is_empty() || b.columns.is_empty() {
        return None;
    }
    let (mine, theirs) = (lacking(a, b), lacking(b, a));
    let changed: Vec<String> = a
        .columns
        .iter()
        .filter_map(|column| {
            let other = b.columns.iter().find(|other| other.name == column.name)?;
            let (kind, other_kind) = (column.summary.kind(), other.summary.kind());
            let differs = kind != other_kind && column.n > 0 && other.n > 0;
            differs.then(|| format!("{}: {kind} / {other_kind}", column.name))
        })
        .collect();
    let columns: Vec<String> = mine
        .iter()
        .map(|name| format!("-{name}"))
        .chain(theirs.iter().map(|name| format!("+{name}")))
        .chain(changed)
        .collect();
    (!columns.is_empty()).then(|| {
        Diagnostic::new(Code::DataSchema).with("count", columns.len()).with("columns", columns)
    })
}

/// Distributions further apart than this share of the records are a shift: the total variation
/// distance, half the sum of the absolute differences of shares.
const SHIFT: f64 = 0.1;
/// Fewer records than this shift by a handful of them.
const FEWEST_LABELLED: u64 = 50;

/// A distance that two random draws of one source seldom reach: twice a bound of its mean. With k
/// values and n and m records the mean of half the summed absolute differences is at most
/// ½·√(k(1/n + 1/m)), by the inequality of Cauchy and Schwarz over the standard deviations.
fn by_chance(values: usize, records: [u64; 2]) -> f64 {
    (values as f64 * records.iter().map(|&n| 1.0 / n as f64).sum::<f64>()).sqrt()
}

fn shifted_labels(a: &DataContent, b: &DataContent) -> Vec<Diagnostic> {
    let shifted = |mine: &ColumnProfile| {
        let theirs = b.columns.iter().find(|other| other.name == mine.name)?;
        if mine.values.is_empty() || theirs.values.is_empty() {
            return None;
        }
        if mine.n.min(theirs.n) < FEWEST_LABELLED {
            return None;
        }
        let share = |of: &ColumnProfile, value: &str| {
            let count = of.values.iter().find(|(name, _)| name == value).map_or(0, |one| one.1);
            count as f64 / of.n as f64
        };
        let added = theirs.values.iter().filter(|(value, _)| share(mine, value) == 0.0);
        let values = mine.values.iter().chain(added).map(|(value, _)| value.as_str());
        let moved: Vec<(&str, f64, f64)> =
            values.map(|value| (value, share(mine, value), share(theirs, value))).collect();
        let distance = moved.iter().map(|(_, x, y)| (x - y).abs()).sum::<f64>() / 2.0;
        let apart = |one: &&(&str, f64, f64)| (one.1 - one.2).abs();
        let (value, x, y) = moved.iter().max_by(|a, b| apart(a).total_cmp(&apart(b)))?;
        let least = SHIFT.max(by_chance(moved.len(), [mine.n, theirs.n]));
        (distance >= least).then(|| {
            Diagnostic::new(Code::LabelShift)
                .with("column", mine.name.as_str())
                .with("share", Quantity::percent(100.0 * distance))
                .with("value", *value)
                .with("baseline_percent", Quantity::percent(100.0 * x))
                .with("candidate_percent", Quantity::percent(100.0 * y))
        })
    };
    a.columns.iter().filter_map(shifted).collect()
}

/// Repeated records in a training file up to this share are no news.
const REPEATED: f64 = 0.01;

/// Any repeated record of an evaluation file counts a question twice; in training data it takes
/// some of them to matter.
fn duplicates(run: &Run, file: &DataFile, content: &DataContent) -> Option<Diagnostic> {
    let found = content.duplicates;
    let is_eval = file.role == DataRole::Eval;
    let ids = if is_eval { found.ids } else { 0 };
    let enough = if is_eval {
        found.rows + ids > 0
    } else {
        found.rows as f64 >= REPEATED * content.rows_read as f64 && found.rows > 0
    };
    enough.then(|| {
        let place = found.first.map(|(_, repeated)| content.keys.place(repeated));
        let (path, line) = place.unwrap_or((&content.path, 0));
        Diagnostic::new(Code::DataDuplicates)
            .about_run(&run.id)
            .key(&file.key)
            .with("file", file.name())
            .with("count", found.rows)
            .with("ids", ids)
            .with("records", content.rows_read)
            .at(if line > 0 { Location::line(path, line) } else { Location::file(path) })
    })
}

fn partly_read(run: &Run, file: &DataFile, content: &DataContent) -> Option<Diagnostic> {
    content.partial.then(|| {
        Diagnostic::new(Code::DataPartlyRead)
            .about_run(&run.id)
            .key(&file.key)
            .with("file", file.name())
            .with("read", content.rows_read)
            .with("bytes", content.bytes)
            .at(Location::file(content.path.as_str()))
    })
}
