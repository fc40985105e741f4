//! Runs of a directory that holds several: which of them are asked for, each read by itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::member::Member;
use super::objects::fetched::place_of;
use super::reading::Store;
use super::stores::RUN;
use super::{CollectError, Input, ReadOptions, RunAddress, collect_place, last_component, shown};
use crate::diag::{Code, Diagnostic, Warned};
use crate::model::{ConfigValue, FileRecord, FileUse, Run, RunLabel};

/// Reads each run of a directory by itself: all, or those of the name and with the settings that the
/// address and the user ask for.
pub(super) fn collect_members(
    input: &Input<'_>,
    id: &str,
    Store { members, unread }: Store,
    mut findings: Vec<Diagnostic>,
    options: &ReadOptions,
) -> Result<Warned<Vec<Run>>, CollectError> {
    let members = members.as_slice();
    let asked = &input.address.labels;
    let by_name = |label: &&RunLabel| {
        label.column == RUN
            || members.iter().flat_map(|one| &one.labels).any(|own| own.column == label.column)
    };
    let (names, settings): (Vec<&RunLabel>, Vec<&RunLabel>) = asked.iter().partition(by_name);
    let named = chosen_by_name(input, members, &names)?;
    let store = id.strip_suffix(&RunLabel::behind_path(asked)).unwrap_or(id);
    let root = &input.address.path;
    let is_of_member = |path: &str| {
        let place = place_of(Path::new(path));
        let below = place.strip_prefix(root).ok().and_then(Path::to_str);
        below.is_some_and(|below| members.iter().any(|member| member.holds(below)))
    };
    name_place_outside(&mut findings, &unread, root, is_of_member);
    findings.retain(|found| !found.location.as_ref().is_some_and(|at| is_of_member(&at.path)));
    // Whoever asks for one run does not miss others.
    findings.retain(|found| asked.is_empty() || found.code != Code::DeletedRuns);
    let mut runs = Vec::new();
    for member in named {
        runs.extend(read_member(input, (store, member), options)?.drain_into(&mut findings));
    }
    let mut doubtful: Vec<(String, Vec<FileRecord>)> = runs
        .iter()
        .map(|run| (run.id.clone(), files_in_doubt(run, &findings, root)))
        .filter(|(_, files)| !files.is_empty())
        .collect();
    for label in settings.into_iter().chain(&options.chosen) {
        runs = with_setting(input, runs, label)?;
    }
    // What is not known of a run may be the setting that it is left out for.
    doubtful.retain(|(id, _)| runs.iter().all(|run| run.id != *id));
    let is_of = |finding: &Diagnostic| {
        let is_it = |id: &String| {
            runs.iter().any(|run| run.id == *id) || doubtful.iter().any(|(own, _)| own == id)
        };
        finding.subject.run.as_ref().is_none_or(is_it)
    };
    findings.retain(is_of);
    // Which run they would belong to nobody knows.
    if let Some(first) = runs.first_mut() {
        first.files.extend(unread);
        first.files.extend(doubtful.into_iter().flat_map(|(_, files)| files));
    }
    Ok(Warned::new(runs, findings))
}

/// The files of a run of which something is not known, as files below the directory of all runs.
fn files_in_doubt(run: &Run, findings: &[Diagnostic], root: &Path) -> Vec<FileRecord> {
    let own = Path::new(run.root_path());
    let below = |path: &Path| {
        let relative = place_of(path).strip_prefix(root).ok()?.to_str()?.to_owned();
        Some(FileRecord { relative, bytes: 0, used: FileUse::Failed })
    };
    let unread = run.files.iter().filter(|file| file.is_unread());
    let unread = unread.filter_map(|file| below(&own.join(&file.relative)));
    let hides = |one: &&Diagnostic| {
        one.subject.run.as_ref() == Some(&run.id)
            && (one.code == Code::OutsideRun || one.code.leaves_unknown().is_some())
    };
    let told = findings.iter().filter(hides).filter_map(|one| one.location.as_ref());
    unread.chain(told.filter_map(|at| below(Path::new(&at.path)))).collect()
}

/// Has findings about several places, which name the first, name one in none of the runs: those tell of
/// their own.
fn name_place_outside(
    findings: &mut [Diagnostic],
    unread: &[FileRecord],
    root: &Path,
    is_of_member: impl Fn(&str) -> bool,
) {
    let is_told = |path: &String| {
        findings.iter().any(|one| one.location.as_ref().is_some_and(|at| at.path == *path))
    };
    let paths = unread.iter().filter(|file| file.relative != FileRecord::ROOT);
    let mut untold = paths.map(|file| shown(&root.join(&file.relative)));
    let Some(first) = untold.find(|path| !is_told(path)) else { return };
    for finding in findings {
        if let (Code::LimitReached | Code::OutsideRun, Some(at)) =
            (finding.code, &mut finding.location)
            && is_of_member(&at.path)
        {
            at.path.clone_from(&first);
            finding.evidence.entry("path".into()).and_modify(|path| *path = first.as_str().into());
        }
    }
}

fn chosen_by_name<'m>(
    input: &Input<'_>,
    members: &'m [Member],
    names: &[&RunLabel],
) -> Result<Vec<&'m Member>, CollectError> {
    let is_named = |member: &Member, label: &RunLabel| {
        name(member) == label.value
            || member.labels.contains(label)
            || member.stored.as_ref().is_some_and(|stored| stored.id == label.value)
            || member.directory.rsplit('/').next() == Some(label.value.as_str())
    };
    let mut left: Vec<&Member> = members.iter().collect();
    for label in names {
        left.retain(|member| is_named(member, label));
        let end = format!("/{}", label.value);
        let is_called =
            |member: &&Member| member.called == label.value || member.called.ends_with(&end);
        let called: Vec<String> = members.iter().filter(is_called).map(name).collect();
        if left.is_empty() && called.len() > 1 {
            let (path, value) = (shown(&input.address.path), label.value.clone());
            return Err(CollectError::SeveralMembers { path, value, names: called });
        }
        if left.is_empty() {
            return Err(CollectError::NoSuchMember {
                path: shown(&input.address.path),
                column: label.column.clone(),
                value: label.value.clone(),
                values: members.iter().map(name).collect(),
            });
        }
    }
    Ok(left)
}

/// What people call a run among those of its directory.
fn name(member: &Member) -> String {
    if let Some(name) = &member.name {
        return name.clone();
    }
    let values: Vec<&str> = member.labels.iter().map(|label| label.value.as_str()).collect();
    let parts = [member.directory.clone(), values.join(" ")];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/")
}

fn read_member(
    input: &Input<'_>,
    (store, member): (&str, &Member),
    options: &ReadOptions,
) -> Result<Warned<Vec<Run>>, CollectError> {
    let of_directory = !member.directory.is_empty();
    let join = |path: &Path| -> PathBuf {
        if of_directory { path.join(&member.directory) } else { path.to_owned() }
    };
    let path = join(&input.address.path);
    let place = join(&input.place);
    let address = RunAddress { path: path.clone(), labels: Vec::new() };
    let inner = Input { at: input.at, given: &path, address, place };
    let is_below = of_directory && member.name.is_none();
    let id = if is_below { format!("{store}/{}", member.directory) } else { store.to_owned() };
    // Two models in one directory are no further several runs.
    let options = ReadOptions {
        weight: options.weight.filter(|_| of_directory),
        chosen: Vec::new(),
        ..options.clone()
    };
    let mut found = collect_place(&inner, (&id, Some(member)), &options)?;
    let behind = RunLabel::behind_path(&member.labels);
    found.diagnostics.extend(member.stored.iter().flat_map(|stored| stored.told(&id, &behind)));
    let named = member.name.as_ref().map(|name| {
        let label = RunLabel { column: RUN.to_owned(), value: name.clone() };
        (RunLabel::behind_path(std::slice::from_ref(&label)), label)
    });
    for run in &mut found.value {
        let of_name = named.as_ref().map_or("", |(behind, _)| behind);
        let id = format!("{}{of_name}{behind}", run.id);
        for finding in &mut found.diagnostics {
            if finding.subject.run.as_ref() == Some(&run.id) {
                finding.subject.run = Some(id.clone());
            }
        }
        run.id = id;
        run.path.push_str(&behind);
        run.place.push_str(&behind);
        run.labels.extend(named.iter().map(|(_, label)| label.clone()));
        run.labels.extend(member.labels.iter().cloned());
        let inner = run.member.take();
        // Seeds in the files of one directory are one arm, as those in one file are.
        let is_repeated = !of_directory && member.labels.iter().all(RunLabel::is_repetition);
        run.member = (!is_repeated).then(|| {
            let place = || match member.name {
                Some(_) => member.directory.clone(),
                None => name(member),
            };
            inner.map_or_else(place, |inner| [&member.directory, "/", &inner].concat())
        });
        if member.stored.is_some() || member.name.is_some() {
            run.name = name(member);
        } else if of_directory {
            run.name = last_component(Path::new(&member.directory));
        }
    }
    Ok(found)
}

/// Those of the runs whose configuration has that value, as configurations are compared.
fn with_setting(
    input: &Input<'_>,
    runs: Vec<Run>,
    asked: &RunLabel,
) -> Result<Vec<Run>, CollectError> {
    let path = || shown(&input.address.path);
    let column = asked.column.clone();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for run in &runs {
        known.extend(run.setting(&asked.column).map(ToString::to_string));
    }
    if known.is_empty() {
        let keys = runs.iter().flat_map(|run| run.content.config.iter().map(|(key, _)| key));
        let keys: BTreeSet<String> = keys.map(str::to_owned).collect();
        let keys = keys.into_iter().collect();
        return Err(CollectError::NoSuchKey { path: path(), key: column, keys });
    }
    let value = ConfigValue::Text(asked.value.clone());
    let has = |run: &Run| run.setting(&asked.column).is_some_and(|own| own.same_as(&value));
    let left: Vec<Run> = runs.into_iter().filter(has).collect();
    if left.is_empty() {
        let (value, values) = (asked.value.clone(), known.into_iter().collect());
        return Err(CollectError::NoSuchMember { path: path(), column, value, values });
    }
    Ok(left)
}
