//! What the kinds share that set arms against each other: which runs are compared with which, gates,
//! and the report.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::patterns::{expand_arguments, with_matching};
use super::{Made, Request, noise};
use crate::check;
use crate::collect::{RunAddress, matching_in_directory};
use crate::compare::score_bins;
use crate::diag::Diagnostic;
use crate::exit::{ExitStatus, Failure};
use crate::gate::{self, AskedGates, Expectations};
use crate::model::{RunLabel, shell_word};
use crate::pipeline::{self, ArmInput, PipelineError, Stages};
use crate::quantity::Moment;
use crate::report::{Report, ReportMaterial};
use crate::settings::{Across, Flags, Settings};
use crate::text::Refusal;

/// Which runs are compared, and what is known of their differences.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct ArmsArguments {
    /// Run directories or files, of several runs in one `FILE::COLUMN=VALUE` or `DIRECTORY::NAME`, or
    /// addresses (`s3://bucket/run`) if built with them; the first is the baseline unless --baseline
    /// names another
    #[arg(value_name = "RUN")]
    pub(super) runs: Vec<PathBuf>,
    /// Runs of one arm, as a path or a pattern; repeat for further arms, or to add runs to an arm.
    /// The first arm is the baseline. Every RUN given as well is an arm of its own; --baseline is
    /// then required
    #[arg(long = "arm", value_name = "NAME=PATTERN")]
    pub(super) arms: Vec<String>,
    /// Baseline: one of the RUNs, or the name of an arm [default: the first]
    #[arg(long, value_name = "RUN|NAME")]
    pub(super) baseline: Option<PathBuf>,
    /// Compare the runs in one file or directory: the values of this column of the records, or of this
    /// key of the configurations, are the arms. The first is the baseline unless --baseline names another
    /// value
    #[arg(long, value_name = "COLUMN", conflicts_with = "arms")]
    pub(super) across: Option<String>,
    /// Of a directory with several runs, only those whose configuration has this value; repeatable
    #[arg(long = "where", value_name = "KEY=VALUE")]
    pub(super) chosen: Vec<String>,
    /// Average records that differ in this column as repeated answers of one run, even if the column seems
    /// to separate runs; `run` treats the runs below a directory as parts of one. Comma-separated or
    /// repeated
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    pub(super) pool: Vec<String>,
    /// Configuration key that is meant to differ; comma-separated or repeated
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    pub(super) vary: Vec<String>,
    /// Accept a finding on your own responsibility: it is still shown, marked as accepted, but no
    /// longer confounds, blocks or counts as a warning. Incomplete runs still get no verdict.
    /// SUBJECT is a key, metric, dataset, run or candidate that the finding names; repeatable
    #[arg(long, value_name = "CODE[:SUBJECT]")]
    pub(super) accept: Vec<String>,
    /// Sample field that defines clusters: a name, a path such as doc.page, `none` if all samples are
    /// independent, or `auto` for fields such as passage or image, and equal content [default: auto]
    #[arg(long, value_name = "KEY")]
    pub(super) cluster: Option<String>,
}

/// Arms and choices of a comparison, settled before the work begins.
pub(super) struct PreparedArms {
    pub(super) settings: Settings,
    /// The arms, baseline first.
    pub(super) arms: Vec<ArmInput>,
    /// Runs that repeat the baseline and only tell its noise.
    pub(super) noise: Vec<PathBuf>,
    pub(super) noticed: Vec<Diagnostic>,
}

impl PreparedArms {
    /// Settles which runs are compared, and refuses a report in their place. Values in `arguments` override
    /// those in `flags`.
    pub(super) fn new(
        arguments: &ArmsArguments,
        flags: Flags,
        request: &Request<'_>,
    ) -> Result<Self, Failure> {
        let flags = Flags {
            vary: arguments.vary.clone(),
            accept: arguments.accept.clone(),
            cluster: arguments.cluster.clone(),
            pool: arguments.pool.clone(),
            across: across(arguments)?,
            chosen: chosen(&arguments.chosen)?,
            ..flags
        };
        let mut noticed = Vec::new();
        let settings = request.settings(flags, &mut noticed)?;
        if let Some(counted) = settings.counted.clone() {
            request.output.refuse_overwriting(std::iter::once(counted.as_path()))?;
            let arm = ArmInput { name: None, runs: vec![counted] };
            let arms = vec![arm.clone(), arm];
            return Ok(Self { settings, arms, noise: Vec::new(), noticed });
        }
        if let ([run], [], None) = (&*arguments.runs, &*arguments.arms, &arguments.across) {
            name_runs_in(run, &settings)?;
        }
        let arms = resolve_arm_arguments(arguments, &settings.arms)?;
        let noise =
            noise::resolve_noise_arguments(&settings.noise, &arms)?.drain_into(&mut noticed);
        let runs = arms.iter().flat_map(|arm| &arm.runs).chain(&noise);
        let files: Vec<PathBuf> = runs.map(|run| RunAddress::of(run).path).collect();
        request.output.refuse_overwriting(files.iter().map(PathBuf::as_path))?;
        Ok(Self { settings, arms, noise, noticed })
    }
}

/// Marks what the user accepted, judges the gates, and makes the report of arms. A phase has
/// `expectations`.
pub(super) fn make_report(
    stages: &Stages<'_>,
    mut noticed: Vec<Diagnostic>,
    expectations: Option<Expectations>,
    (settings, command, now): (&Settings, &str, Moment),
    report: impl FnOnce(&ReportMaterial<'_>) -> Report,
) -> Made {
    let Stages { paired_arms, findings, comparisons, suites, families, .. } = *stages;
    check::accept_findings(&mut noticed, findings, &settings.accept);
    let asked = AskedGates {
        rules: &settings.fail_on,
        declared: &settings.gates,
        strict: settings.strict,
        now,
    };
    let beside = (&*noticed, expectations);
    let gates = gate::evaluate(asked, paired_arms, findings, comparisons, suites, beside);
    let level = 1.0 - settings.options.alpha;
    let score_bins = comparisons.iter().map(|all| score_bins(all, level));
    let report = report(&ReportMaterial {
        score_bins: &score_bins.collect::<Vec<_>>(),
        paired_arms,
        findings,
        comparisons,
        suites,
        families,
        tasks: stages.tasks,
        trends: stages.trends,
        curves: stages.curves,
        systems: stages.systems,
        collected: &noticed,
        options: settings.options,
        layout: stages.layout,
        eval: settings.eval.as_ref(),
        command,
        gates: &gates,
        words: settings.words(),
    });
    let status = match stages.left_out {
        0 => ExitStatus::from_gates(&gates),
        _ => ExitStatus::InputOutput,
    };
    Made::new(report, status)
}

/// The arms, baseline first. Arms of the file count when the command line names no runs at all.
pub(super) fn resolve_arm_arguments(
    named: &ArmsArguments,
    of_file: &IndexMap<String, Vec<String>>,
) -> Result<Vec<ArmInput>, Failure> {
    if named.across.is_some() {
        return Ok(vec![ArmInput { name: None, runs: named.runs.clone() }]);
    }
    let says_nothing = named.runs.is_empty() && named.arms.is_empty();
    let patterns = if says_nothing { of_file.clone() } else { patterns(&named.arms)? };
    let mut arms = Vec::new();
    for (name, patterns) in &patterns {
        arms.push(ArmInput {
            name: Some(name.clone()),
            runs: expand_arguments(&format!("arm `{name}`"), patterns)?,
        });
    }
    refuse_repetition(&arms)?;
    refuse_ambiguity(named, &patterns)?;
    for run in with_matching(&named.runs) {
        arms.push(ArmInput { name: None, runs: vec![run] });
    }
    if let Some(baseline) = &named.baseline {
        arms = baseline_first(arms, baseline)?;
    }
    if arms.len() < 2 {
        let no_arms = patterns.is_empty();
        let key = if no_arms { "refused.too-few-named" } else { "refused.one-arm" };
        return Err(Failure::refused(key, &[]));
    }
    Ok(arms)
}

/// Refuses a run that stands alone by what it holds: several runs, or what may be some.
fn name_runs_in(run: &PathBuf, settings: &Settings) -> Result<(), Failure> {
    if matching_in_directory(run).len() > 1 {
        return Ok(());
    }
    match pipeline::read_single(std::slice::from_ref(run), None, settings, &mut Vec::new()) {
        Ok(_) => {}
        Err(PipelineError::EmptyRun { .. }) => return Ok(()),
        Err(refused) => return Err(refused.into_failure(settings.words())),
    }
    let alike = alike_below(run);
    let (Some(first), Some(second)) = (alike.first(), alike.get(1)) else { return Ok(()) };
    let examples = [first, second].map(|path| shell_word(&path.to_string_lossy())).join(" ");
    let path = run.to_string_lossy();
    Err(Failure::refused("refused.only-one", &[("path", &*path), ("examples", &*examples)]))
}

/// The directories below one, or its files where all are of one kind.
fn alike_below(run: &Path) -> Vec<PathBuf> {
    let entries = run.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let is_hidden = |path: &PathBuf| {
        path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."))
    };
    let mut entries: Vec<PathBuf> = entries.filter(|path| !is_hidden(path)).collect();
    entries.sort();
    let kinds: BTreeSet<Option<&OsStr>> = entries.iter().map(|path| path.extension()).collect();
    let is_flat = kinds.len() == 1 && entries.iter().all(|path| path.is_file());
    entries.retain(|path| is_flat || path.is_dir());
    entries
}

/// `--where KEY=VALUE`.
fn chosen(words: &[String]) -> Result<Vec<RunLabel>, Failure> {
    let label = |word: &String| {
        let (column, value) = word.split_once('=').filter(|(key, _)| !key.trim().is_empty())?;
        Some(RunLabel { column: column.trim().to_owned(), value: value.trim().to_owned() })
    };
    let read = |word| {
        label(word).ok_or_else(|| Failure::refused("refused.where", &[("text", word.as_str())]))
    };
    words.iter().map(read).collect()
}

/// The column whose values are the arms, in the only run that is named.
fn across(arguments: &ArmsArguments) -> Result<Option<Across>, Failure> {
    let Some(column) = arguments.across.clone() else { return Ok(None) };
    if arguments.runs.len() != 1 {
        let facts = [("column", column.as_str())];
        return Err(Failure::refused("refused.across-runs", &facts));
    }
    let baseline = arguments.baseline.as_ref().map(|value| value.to_string_lossy().into_owned());
    Ok(Some(Across { column, baseline }))
}

/// Patterns by the name of their arm; an arm named again takes more.
fn patterns(arms: &[String]) -> Result<IndexMap<String, Vec<String>>, Failure> {
    let mut found: IndexMap<String, Vec<String>> = IndexMap::new();
    for text in arms {
        let parts = text.split_once('=').map(|(name, pattern)| (name.trim(), pattern));
        match parts.filter(|(name, pattern)| !name.is_empty() && !pattern.is_empty()) {
            Some((name, pattern)) => {
                found.entry(name.to_owned()).or_default().push(pattern.to_owned());
            }
            None => {
                return Err(Failure::refused("refused.arm", &[("text", text)]));
            }
        }
    }
    Ok(found)
}

/// One run cannot stand for two trainings.
fn refuse_repetition(arms: &[ArmInput]) -> Result<(), Failure> {
    let mut places: IndexMap<PathBuf, &str> = IndexMap::new();
    for arm in arms {
        let name = arm.name.as_deref().unwrap_or_default();
        for run in &arm.runs {
            let place = run.canonicalize().unwrap_or_else(|_| run.clone());
            let path = run.to_string_lossy();
            match places.insert(place, name) {
                Some(earlier) if earlier == name => {
                    let facts = [("path", &*path), ("arm", name)];
                    return Err(Failure::refused("refused.twice-in-arm", &facts));
                }
                Some(earlier) => {
                    let facts = [("path", &*path), ("first", earlier), ("second", name)];
                    return Err(Failure::refused("refused.in-two-arms", &facts));
                }
                None => {}
            }
        }
    }
    Ok(())
}

/// Runs beside arms are often what a shell made of a pattern without quotes, and the order of the
/// two kinds of word is lost: the baseline has to be said.
fn refuse_ambiguity(
    named: &ArmsArguments,
    arms: &IndexMap<String, Vec<String>>,
) -> Result<(), Failure> {
    let Some(run) = named.runs.first().filter(|_| !arms.is_empty()) else { return Ok(()) };
    if named.baseline.is_none() {
        let path = run.to_string_lossy();
        return Err(Failure::refused("refused.beside-arm", &[("path", &*path)]));
    }
    for run in &named.runs {
        let last = run.file_name().map(|name| name.to_string_lossy().into_owned());
        if last.is_some_and(|last| arms.contains_key(&last)) {
            let path = run.to_string_lossy();
            return Err(Failure::refused("refused.named-like-arm", &[("path", &*path)]));
        }
    }
    Ok(())
}

/// The arm of that name or of that only run, then the others in the order given.
fn baseline_first(arms: Vec<ArmInput>, baseline: &Path) -> Result<Vec<ArmInput>, Failure> {
    let place = baseline.canonicalize().ok();
    let is_baseline = |arm: &ArmInput| match (&arm.name, arm.runs.as_slice()) {
        (Some(name), _) => Path::new(name) == baseline,
        (None, [run]) => run == baseline || (place.is_some() && run.canonicalize().ok() == place),
        _ => false,
    };
    let (mut first, others): (Vec<_>, Vec<_>) = arms.into_iter().partition(is_baseline);
    if first.is_empty() {
        let name = |arm: &ArmInput| {
            let run = || arm.runs.first().map(|run| run.to_string_lossy().into_owned());
            arm.name.clone().or_else(run)
        };
        let unknown = baseline.to_string_lossy();
        let refusal = Refusal::new("refused.baseline").with("path", &*unknown);
        return Err(Failure::usage(refusal.among(&unknown, others.iter().filter_map(name))));
    }
    first.truncate(1);
    first.extend(others);
    Ok(first)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::MAIN_SEPARATOR;

    use super::*;

    fn named(runs: &[&str], arms: &[&str], baseline: Option<&str>) -> ArmsArguments {
        ArmsArguments {
            runs: runs.iter().map(PathBuf::from).collect(),
            arms: arms.iter().map(|&arm| arm.to_owned()).collect(),
            baseline: baseline.map(PathBuf::from),
            ..ArmsArguments::default()
        }
    }

    /// RUN… and `--arm`, `--baseline`, and what must come out.
    type Case = ([&'static [&'static str]; 2], Option<&'static str>, &'static str);

    /// Arms as `name: runs`, with `@` for the directory of the runs.
    fn check(words: [&[&str]; 2], baseline: Option<&str>) -> Result<String, String> {
        let directory = tempfile::tempdir().expect("temporary directory");
        let root = directory.path().to_str().expect("UTF-8").to_owned();
        for run in ["base-1", "base-2", "base-10", "tuned-1", "odd[1]"] {
            fs::create_dir(directory.path().join(run)).expect("made");
        }
        let words = words.map(|words| {
            words.iter().map(|word| word.replace('@', &root)).collect::<Vec<String>>()
        });
        let [runs, arms] =
            words.each_ref().map(|words| words.iter().map(String::as_str).collect::<Vec<&str>>());
        let baseline = baseline.map(|baseline| baseline.replace('@', &root));
        let found =
            resolve_arm_arguments(&named(&runs, &arms, baseline.as_deref()), &IndexMap::new());
        let shown = |arm: ArmInput| {
            let runs: Vec<String> = arm.runs.iter().map(|run| run.display().to_string()).collect();
            format!("{}: {}", arm.name.unwrap_or_default(), runs.join(" "))
        };
        let arms = found.map(|arms| arms.into_iter().map(shown).collect::<Vec<_>>().join("; "));
        let arms = arms.map_err(|failure| failure.to_string());
        let shown = |text: String| text.replace(&root, "@").replace(MAIN_SEPARATOR, "/");
        arms.map(shown).map_err(shown)
    }

    #[test]
    fn patterns_literal_paths_and_repeated_names_make_arms() {
        let cases: [Case; 6] = [
            (
                [&[], &["b=@/base*", "t=@/tuned-1"]],
                None,
                "b: @/base-1 @/base-10 @/base-2; t: @/tuned-1",
            ),
            (
                [&[], &["b=@/base-1", "t=@/tuned-1", "b=@/base-2"]],
                None,
                "b: @/base-1 @/base-2; t: @/tuned-1",
            ),
            ([&[], &["b=@/base-[12]", "t=@/odd[1]"]], None, "b: @/base-1 @/base-2; t: @/odd[1]"),
            (
                [&[], &["b=@/base-[12]::model=a/b c", "t=@/tuned-1::model=x"]],
                None,
                "b: @/base-1::model=a/b c @/base-2::model=a/b c; t: @/tuned-1::model=x",
            ),
            ([&[], &["b=@/base-1", "t=@/tuned-1"]], Some("t"), "t: @/tuned-1; b: @/base-1"),
            ([&["@/tuned-1"], &["b=@/base-?"]], Some("b"), "b: @/base-1 @/base-2; : @/tuned-1"),
        ];
        for (words, baseline, expected) in cases {
            assert_eq!(check(words, baseline).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_the_words_that_are_wrong() {
        let cases: [Case; 9] = [
            ([&[], &["@/base*", "t=@/tuned-1"]], None, "arm `@/base*` is not NAME=PATTERN"),
            ([&[], &["b=", "t=@/tuned-1"]], None, "arm `b=` is not NAME=PATTERN"),
            ([&[], &["b=@/bass*", "t=@/tuned-1"]], None, "arm `b`: `@/bass*` matches no run"),
            ([&[], &["b=@/***", "t=@/tuned-1"]], None, "arm `b`: pattern `@/***` is malformed"),
            (
                [&[], &["b=@/base*", "t=@/base-1"]],
                None,
                "run `@/base-1` is in two arms, `b` and `t`",
            ),
            ([&[], &["b=@/base-1", "b=@/base*"]], None, "run `@/base-1` is named twice in arm `b`"),
            ([&[], &["b=@/base*"]], None, "a comparison needs a baseline and at least one"),
            ([&["@/base-2"], &["b=@/base-1"]], None, "`@/base-2` is given outside --arm"),
            ([&[], &["b=@/base*", "t=@/tuned-1"]], Some("x"), "the baseline `x` is none of"),
        ];
        for (words, baseline, expected) in cases {
            let refused = check(words, baseline).expect_err(expected);
            assert!(refused.starts_with(expected), "{refused}");
        }
    }
}
