//! Files that belong together, put in place together.
//!
//! They are written into a new directory inside the one that they go to (`new/`), beside links to
//! what they replace (`old/`). That directory is renamed to [`READY`], and then each file into its
//! place, the manifest last. A writer that was killed before the first of these leaves the old files;
//! what it left after that is finished by the next one, which needs nothing but the new files. So
//! the first must be the one that people write in: where it is in place, nothing else of theirs is
//! replaced, and where it is not, nothing is.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use tempfile::{Builder, TempDir};

use super::files::{self, UNPLACED};
use super::lock;
use super::manifest::{self, Listed, Manifest};
use crate::exit::Failure;
use crate::text::Refusal;

/// Name of the directory with files that are complete and on their way to their places.
const READY: &str = ".reportgen.ready";
const NEW: &str = "new";
const OLD: &str = "old";
/// Name of the file in that directory that says which directory it is, see [`identity`].
const MADE_HERE: &str = "made-here";

/// Whether a writer was stopped while it put a set in place.
pub(super) fn is_unfinished(directory: &Path) -> bool {
    is_real_directory(&directory.join(READY))
}

/// Finishes the set of a writer that was killed, and removes what others left. Under the lock of the
/// directory nobody else is at work there.
pub(super) fn settle(directory: &Path) -> Result<(), Failure> {
    let ready = directory.join(READY);
    let failed = |source| Failure::write(&ready, source);
    if is_unfinished(directory) {
        // The manifest goes last: without it there, all others are in place.
        let names = Manifest::read(&ready.join(NEW)).map(names).unwrap_or_default();
        let is_ours =
            is_made_here(&ready) && names.iter().all(|name| is_inside(directory, Path::new(name)));
        let is_begun = names.first().is_none_or(|first| !is_there(&ready.join(NEW).join(first)));
        if is_ours && (!is_begun || place(directory, &names).is_err()) {
            take_back(directory, &names).map_err(failed)?;
        } else {
            fs::remove_dir_all(&ready).map_err(failed)?;
        }
    }
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if files::is_unplaced(&name.to_string_lossy()) && is_real_directory(&entry.path()) {
            // A directory of somebody else may be called so.
            if is_made_here(&entry.path()) || is_just_begun(&entry.path()) {
                remove_sides(&entry.path());
                let _kept = fs::remove_dir_all(entry.path());
            }
        }
    }
    Ok(())
}

/// Finishes what a writer that was killed left in a directory; nothing happens where nothing is left.
///
/// # Errors
/// When it cannot be finished, or somebody else writes there.
pub fn finish(directory: &Path) -> Result<(), Failure> {
    if !is_unfinished(directory) && !lock::is_left(directory) {
        return Ok(());
    }
    let _lock = lock::take(directory)?;
    settle(directory)
}

/// Removes the reports of a set from a directory, and the directory if nothing else lies in it. What
/// was not written together with them stays, and so do those that somebody edited, which are returned.
///
/// # Errors
/// When a file of it cannot be removed.
pub fn remove_reports(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let Some(mut manifest) = Manifest::read(directory) else { return Ok(Vec::new()) };
    let is_edited = |file: &mut Listed| {
        is_inside(directory, Path::new(&file.name)) && Manifest::is_edited(directory, file)
    };
    let edited = manifest.files.extract_if(.., is_edited);
    let edited = edited.map(|file| directory.join(file.name)).collect();
    for name in names(manifest).iter().filter(|name| is_inside(directory, Path::new(name))) {
        match fs::remove_file(directory.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    files::remove_directories(&[directory.to_owned()]);
    Ok(edited)
}

/// What distinguishes a directory from its copies: a checkout or an archive cannot know beforehand which
/// number the file system will give to what is unpacked. `None` where that cannot be asked.
fn identity(directory: &Path) -> Option<String> {
    #[cfg(unix)]
    let (device, number) = {
        use std::os::unix::fs::MetadataExt as _;
        let there = fs::symlink_metadata(directory).ok()?;
        (there.dev(), there.ino())
    };
    #[cfg(windows)]
    let (device, number) = {
        let handle = winapi_util::Handle::from_path_any(directory).ok()?;
        let there = winapi_util::file::information(handle).ok()?;
        (there.volume_serial_number(), there.file_index())
    };
    Some(format!("{device}:{number}"))
}

/// Whether a directory says itself which it is. One that was planted would put files of its own into
/// places of the user's.
fn is_made_here(ready: &Path) -> bool {
    let said = fs::read_to_string(ready.join(MADE_HERE)).ok();
    said.is_some() && said == identity(ready)
}

/// Whether nothing is in a directory but, at most, an empty file in which it would have said that.
fn is_just_begun(directory: &Path) -> bool {
    let is_nothing = |entry: fs::DirEntry| {
        entry.file_name() == MADE_HERE && entry.metadata().is_ok_and(|there| there.len() == 0)
    };
    fs::read_dir(directory).is_ok_and(|mut all| all.all(|entry| entry.is_ok_and(is_nothing)))
}

/// Removes the files of both sides from a directory. The file that says which directory it is goes last, so
/// that the next process still recognises it where this one is killed in between.
fn remove_sides(stage: &Path) {
    for side in [NEW, OLD] {
        let _kept = fs::remove_dir_all(stage.join(side));
    }
}

/// A directory of a random name, which is removed with what is in it unless it was renamed.
struct Stage(TempDir);

impl Stage {
    fn new(directory: &Path) -> io::Result<Self> {
        Builder::new().prefix(UNPLACED).tempdir_in(directory).map(Self)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        remove_sides(self.path());
    }
}

fn names(manifest: Manifest) -> Vec<String> {
    let files = manifest.files.into_iter().map(|file| file.name);
    files.chain([manifest::NAME.to_owned()]).collect()
}

/// Whether a name leads to a place inside the directory, by no link.
pub(super) fn is_inside(directory: &Path, name: &Path) -> bool {
    let is_plain = name.components().all(|part| matches!(part, Component::Normal(_)));
    let above = name.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
    is_plain && above.map(|above| directory.join(above)).all(|above| is_real_directory(&above))
}

fn is_real_directory(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_dir())
}

/// Makes sure that a file can be put in each place: nothing is there, or a file, or a link.
/// Returns the directories that were made for it.
pub(super) fn prepare<N: AsRef<Path>>(
    directory: &Path,
    names: impl IntoIterator<Item = N>,
) -> Result<Vec<PathBuf>, Failure> {
    let mut made = Vec::new();
    for name in names {
        let path = directory.join(&name);
        let refused = match fs::symlink_metadata(&path) {
            Ok(there) if there.is_dir() => Some(io::Error::from(io::ErrorKind::IsADirectory)),
            Ok(there) if !there.is_file() && !there.is_symlink() => Some(no_file()),
            _ => match files::make_directories(files::directory_of(&path)) {
                Ok(new) => {
                    made.splice(0..0, new);
                    (!is_inside(directory, name.as_ref())).then(no_file)
                }
                Err(error) => Some(error),
            },
        };
        if let Some(error) = refused {
            files::remove_directories(&made);
            return Err(Failure::write(&path, error));
        }
    }
    Ok(made)
}

fn no_file() -> io::Error {
    io::Error::other(Refusal::new("refused.no-file"))
}

/// Puts all files in place, or none, with a manifest of them.
///
/// # Errors
/// When one of them cannot be written or put in its place; then the old ones are there as before.
pub(super) fn write(
    directory: &Path,
    kind: &str,
    files: &[(String, String)],
) -> Result<(), Failure> {
    let names = make_ready(directory, kind, files)?;
    let ready = directory.join(READY);
    if let Err((name, source)) = place(directory, &names) {
        take_back(directory, &names).map_err(|source| Failure::write(&ready, source))?;
        return Err(Failure::write(&directory.join(name), source));
    }
    let _removed_by_the_next = fs::remove_dir_all(&ready);
    Ok(())
}

/// Writes everything that is to be put in place, and returns the names.
fn make_ready(
    directory: &Path,
    kind: &str,
    files: &[(String, String)],
) -> Result<Vec<String>, Failure> {
    let manifest = Manifest::of(kind, files);
    let text = serde_json::to_string_pretty(&manifest).map_err(Failure::input)?;
    let last = [(manifest::NAME.to_owned(), format!("{text}\n"))];
    let stage = stage(directory, files.iter().chain(&last))?;
    let ready = directory.join(READY);
    fs::rename(stage.path(), &ready).map_err(|source| Failure::write(&ready, source))?;
    Ok(names(manifest))
}

/// The new files on the disk, and the old ones where they can be taken back from.
fn stage<'f>(
    directory: &Path,
    files: impl Iterator<Item = &'f (String, String)>,
) -> Result<Stage, Failure> {
    let stage = Stage::new(directory).map_err(|source| Failure::write(directory, source))?;
    if let Some(identity) = identity(stage.path()) {
        let said = fs::write(stage.path().join(MADE_HERE), identity);
        said.map_err(|source| Failure::write(directory, source))?;
    }
    let mut written = Vec::new();
    for (name, text) in files {
        let place = directory.join(name);
        let [new, old] = [NEW, OLD].map(|side| stage.path().join(side).join(name));
        let staged = (|| {
            for side in [&new, &old] {
                fs::create_dir_all(files::directory_of(side))?;
            }
            File::create_new(&new)?.write_all(text.as_bytes())?;
            remember(&place, &old)
        })();
        staged.map_err(|source| Failure::write(&place, source))?;
        written.push((place, new));
    }
    // Several at once: the disk is waited for once and not for each file.
    let synced = written.par_iter().try_for_each(|(place, new)| {
        let synced = File::options().append(true).open(new).and_then(|file| file.sync_all());
        synced.map_err(|source| Failure::write(place, source))
    });
    synced.map(|()| stage)
}

/// Keeps what is at a place, if anything is, under another name as well.
fn remember(place: &Path, old: &Path) -> io::Result<()> {
    let there = match fs::symlink_metadata(place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        there => there?,
    };
    #[cfg(unix)]
    if there.is_symlink() {
        return std::os::unix::fs::symlink(fs::read_link(place)?, old);
    }
    // Not every file system has links, and not every file of another user may be linked to.
    let _ = there;
    fs::hard_link(place, old).or_else(|_| fs::copy(place, old).map(drop))
}

/// Renames each file into its place, unless that was done already.
fn place<'n>(directory: &Path, names: &'n [String]) -> Result<(), (&'n str, io::Error)> {
    let new = directory.join(READY).join(NEW);
    for name in names {
        match fs::rename(new.join(name), directory.join(name)) {
            Err(_) if !is_there(&new.join(name)) => {}
            renamed => renamed.map_err(|error| (name.as_str(), error))?,
        }
    }
    Ok(())
}

/// Puts the old files back where new ones are in place. Each new one goes back to where it came from,
/// so that it is known at any time which are where.
fn take_back(directory: &Path, names: &[String]) -> io::Result<()> {
    let ready = directory.join(READY);
    for name in names {
        let [new, old] = [NEW, OLD].map(|side| ready.join(side).join(name));
        let place = directory.join(name);
        if !is_there(&new) {
            fs::rename(&place, &new)?;
        }
        if is_there(&old) && !is_there(&place) {
            fs::rename(&old, &place)?;
        }
    }
    let withdrawn = Stage::new(directory)?;
    // Windows renames nothing to a directory that is there.
    fs::remove_dir(withdrawn.path())?;
    fs::rename(&ready, withdrawn.path())
}

fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["report.md", "logs/qa.jsonl", manifest::NAME];

    /// A directory with a set of two files that hold `old`.
    fn desk() -> TempDir {
        let directory = tempfile::tempdir().expect("a directory");
        prepare(directory.path(), NAMES).expect("places");
        write(directory.path(), "compare", &files("old")).expect("written");
        directory
    }

    fn files(text: &str) -> [(String, String); 2] {
        [NAMES[0], NAMES[1]].map(|name| (name.to_owned(), text.to_owned()))
    }

    /// All files below a directory by their paths, with what is in them.
    fn seen(directory: &Path) -> Vec<(PathBuf, String)> {
        let mut found = Vec::new();
        for entry in fs::read_dir(directory).expect("listed") {
            let path = entry.expect("an entry").path();
            let name = PathBuf::from(path.file_name().expect("a name"));
            if is_real_directory(&path) {
                let below = seen(&path).into_iter();
                found.extend(below.map(|(below, text)| (name.join(below), text)));
            } else if path.is_file() {
                found.push((name, fs::read_to_string(&path).expect("a text")));
            }
        }
        found.sort();
        found
    }

    /// What a directory holds that has seen nothing but one whole write.
    fn whole(text: &str) -> Vec<(PathBuf, String)> {
        let directory = tempfile::tempdir().expect("a directory");
        prepare(directory.path(), NAMES).expect("places");
        write(directory.path(), "compare", &files(text)).expect("written");
        seen(directory.path())
    }

    #[test]
    fn a_set_of_which_one_file_is_in_place_is_finished_and_any_other_one_goes() {
        for placed in 0..=NAMES.len() {
            let desk = desk();
            let names = make_ready(desk.path(), "compare", &files("new")).expect("ready");
            place(desk.path(), &names[..placed]).expect("placed");
            settle(desk.path()).expect("settled");
            assert_eq!(
                seen(desk.path()),
                whole(if placed > 0 { "new" } else { "old" }),
                "{placed}"
            );
        }
        let desk = desk();
        std::mem::forget(stage(desk.path(), files("new").iter()).expect("staged"));
        settle(desk.path()).expect("settled");
        assert_eq!(seen(desk.path()), whole("old"));
    }

    #[test]
    fn what_a_person_wrote_since_the_writer_was_killed_stays() {
        for placed in 0..=NAMES.len() {
            let desk = desk();
            let names = make_ready(desk.path(), "compare", &files("new")).expect("ready");
            place(desk.path(), &names[..placed]).expect("placed");
            fs::write(desk.path().join(NAMES[0]), "my words").expect("written");
            settle(desk.path()).expect("settled");
            let text = fs::read_to_string(desk.path().join(NAMES[0]));
            assert_eq!(text.expect("there"), "my words", "{placed}");
        }
    }

    #[test]
    fn where_one_place_is_taken_the_others_are_as_they_were() {
        for taken in NAMES {
            for is_new in [false, true] {
                let desk = if is_new { tempfile::tempdir().expect("a directory") } else { desk() };
                prepare(desk.path(), NAMES).expect("places");
                let before = seen(desk.path());
                make_ready(desk.path(), "compare", &files("new")).expect("ready");
                // Meanwhile somebody puts a directory there.
                let _old = fs::remove_file(desk.path().join(taken));
                fs::create_dir(desk.path().join(taken)).expect("made");
                settle(desk.path()).expect("settled");
                let is_other = |(name, _): &(PathBuf, String)| name != Path::new(taken);
                let before: Vec<_> = before.into_iter().filter(is_other).collect();
                assert_eq!(seen(desk.path()), before, "{taken}");
            }
        }
    }

    #[test]
    fn taking_back_that_is_killed_is_taken_back_by_the_next() {
        for is_restored in [false, true] {
            let desk = desk();
            let names = make_ready(desk.path(), "compare", &files("new")).expect("ready");
            place(desk.path(), &names[..2]).expect("placed");
            let ready = desk.path().join(READY);
            let first = desk.path().join(&names[0]);
            fs::rename(&first, ready.join(NEW).join(&names[0])).expect("taken back");
            if is_restored {
                fs::rename(ready.join(OLD).join(&names[0]), &first).expect("as it was");
            }
            settle(desk.path()).expect("settled");
            assert_eq!(seen(desk.path()), whole("old"), "{is_restored}");
        }
    }

    #[test]
    fn what_is_left_of_files_that_were_being_removed_is_removed_by_the_next() {
        let desk = desk();
        let left = stage(desk.path(), files("new").iter()).expect("staged");
        remove_sides(left.path());
        assert!(is_made_here(left.path()), "it still says whose it is");
        settle(desk.path()).expect("settled");
        assert!(!left.path().exists());
        assert_eq!(seen(desk.path()), whole("old"));
    }

    #[test]
    fn a_set_that_was_planted_is_not_put_in_place() {
        let desk = desk();
        make_ready(desk.path(), "compare", &files("planted")).expect("ready");
        let (ready, copy) = (desk.path().join(READY), desk.path().join("copy"));
        // What a checkout or an archive leaves has the same content and another number.
        fs::rename(&ready, &copy).expect("renamed");
        for side in [NEW, OLD] {
            fs::create_dir_all(ready.join(side)).expect("made");
            for (name, text) in seen(&copy.join(side)) {
                fs::create_dir_all(files::directory_of(&ready.join(side).join(&name)))
                    .expect("made");
                fs::write(ready.join(side).join(name), text).expect("written");
            }
        }
        fs::copy(copy.join(MADE_HERE), ready.join(MADE_HERE)).expect("copied");
        fs::remove_file(ready.join(NEW).join(NAMES[0])).expect("the first seems to be in place");
        fs::remove_dir_all(&copy).expect("removed");
        settle(desk.path()).expect("settled");
        assert_eq!(seen(desk.path()), whole("old"));
    }

    #[test]
    fn a_manifest_that_leads_elsewhere_moves_nothing() {
        for name in ["../victim", "/reportgen-victim", "link/victim"] {
            let desk = desk();
            let inner = desk.path().join("inner");
            fs::create_dir(&inner).expect("made");
            #[cfg(unix)]
            std::os::unix::fs::symlink("..", inner.join("link")).expect("linked");
            let planted = inner.join(READY).join(NEW);
            fs::create_dir_all(planted.join("link")).expect("made");
            fs::write(planted.join("link/victim"), "planted").expect("written");
            let manifest = Manifest::of("compare", &[(name.to_owned(), String::new())]);
            let text = serde_json::to_string(&manifest).expect("JSON");
            fs::write(planted.join(manifest::NAME), text).expect("written");
            let ready = inner.join(READY);
            fs::write(ready.join(MADE_HERE), identity(&ready).expect("a number")).expect("written");
            let before = seen(desk.path()).len();
            settle(&inner).expect("settled");
            assert_eq!(seen(desk.path()).len(), before - 3, "the planted files are gone: {name}");
            assert!(!desk.path().join("victim").exists(), "{name}");
        }
    }
}
