//! Where a named data file lies: a file, the files of a directory, those that a pattern fits.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use walkdir::WalkDir;

use super::names::is_data_name;
use crate::collect::border::{Border, clean};
use crate::collect::content::past_limit;
use crate::collect::discover::ENTRIES_A_FILE;
use crate::collect::objects::fetched::{is_hollow, place_of};
use crate::collect::shown;
use crate::diag::Diagnostic;
use crate::model::Limits;

/// Most files that one name stands for.
const MOST_FILES: usize = 1000;
/// Directories below the named one that are looked into.
const DEPTH: usize = 3;
/// What `datasets` writes beside its files.
const BOOKKEEPING: &[&str] = &["dataset_info.json", "dataset_dict.json", "state.json"];

/// What lies at a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Found {
    Nothing,
    /// Something may be there, where the run may not reach.
    Outside(String),
    Files(Located),
}

impl Found {
    pub(super) fn located(&self) -> Option<&Located> {
        match self {
            Self::Files(located) => Some(located),
            Self::Nothing | Self::Outside(_) => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Located {
    /// What was found, as a person would type it.
    pub(super) shown: String,
    pub(super) files: Vec<PathBuf>,
}

impl Located {
    /// Whether the name is that of one file, and not of a directory or pattern.
    pub(super) fn is_lone_file(&self) -> bool {
        self.files.first().is_some_and(|file| shown(file) == self.shown)
    }
}

/// Where names of one run lie; each is looked for once.
pub(in crate::collect) struct Places<'r> {
    run: &'r Path,
    border: &'r Border,
    limits: Limits,
    /// Places and entries of directories that may still be looked at.
    left: usize,
    found: BTreeMap<(String, PathBuf), Found>,
}

impl<'r> Places<'r> {
    pub(in crate::collect) fn below(run: &'r Path, border: &'r Border, limits: Limits) -> Self {
        let left = limits.files.saturating_mul(ENTRIES_A_FILE);
        Self { run, border, limits, left, found: BTreeMap::new() }
    }

    pub(super) fn of(&mut self, declared: &str, named_in: &str) -> Found {
        let beside = Path::new(named_in).parent().unwrap_or(Path::new("")).to_path_buf();
        let asked = (declared.to_owned(), beside);
        if let Some(known) = self.found.get(&asked) {
            return known.clone();
        }
        let found = self.locate(declared, named_in);
        self.found.insert(asked, found.clone());
        found
    }

    /// The finding where more was named than is looked for.
    pub(super) fn past_limit(&self) -> Option<Diagnostic> {
        let is_past = self.left == 0;
        is_past.then(|| past_limit("files", self.limits.files, &shown(self.run)))
    }

    /// Looks for a data file: beside what names it, in the run, and in the two directories above, as
    /// far as the run may reach.
    fn locate(&mut self, declared: &str, named_in: &str) -> Found {
        let run = self.run;
        let run_place = if run.is_file() { run.parent().unwrap_or(run) } else { run };
        let beside = place_of(Path::new(named_in)).parent().unwrap_or(run_place).to_path_buf();
        let above = run_place.join("..");
        let further = above.join("..");
        let bases = [beside, run_place.to_path_buf(), above, further];
        let mut parts = Path::new(declared).components();
        let leads_out = parts.any(|part| matches!(part, Component::RootDir | Component::ParentDir));
        let mut outside = None;
        for base in bases {
            match self.found_at(&base.join(declared), leads_out, run_place) {
                Found::Nothing => {}
                Found::Outside(path) => outside = outside.or(Some(path)),
                found @ Found::Files(_) => return found,
            }
        }
        outside.map_or(Found::Nothing, Found::Outside)
    }

    fn found_at(&mut self, place: &Path, leads_out: bool, run: &Path) -> Found {
        let place = clean(place);
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return Found::Nothing;
        }
        if !self.border.lets_ask(&place) {
            return if leads_out { Found::Outside(shown(&place)) } else { Found::Nothing };
        }
        let files = if place.is_file() {
            Some(place.clone()).filter(|file| !is_hollow(file)).into_iter().collect()
        } else if place.is_dir() {
            self.below_directory(&place, run)
        } else {
            self.fitting(&place)
        };
        if files.is_empty() {
            Found::Nothing
        } else if files.iter().all(|file| self.border.holds(file)) {
            Found::Files(Located { shown: shown(&place), files })
        } else {
            Found::Outside(shown(&place))
        }
    }

    /// The data files of a directory. One that holds the run itself is no data set.
    fn below_directory(&mut self, place: &Path, run: &Path) -> Vec<PathBuf> {
        let holds_run = match (place.canonicalize(), run.canonicalize()) {
            (Ok(place), Ok(run)) => run.starts_with(place),
            _ => true,
        };
        if holds_run {
            return Vec::new();
        }
        let walk = WalkDir::new(place).max_depth(DEPTH).sort_by_file_name();
        self.named_files(walk, |name| is_data_name(name) && !BOOKKEEPING.contains(&name))
    }

    fn named_files(&mut self, walk: WalkDir, is_wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
        let most = self.left;
        let (border, left) = (self.border, &mut self.left);
        walk.into_iter()
            .take(most)
            .inspect(|_| *left -= 1)
            .filter_map(Result::ok)
            .filter(|entry| is_wanted(&entry.file_name().to_string_lossy()))
            .filter(|entry| border.lets_ask(entry.path()) && entry.path().is_file())
            .filter(|entry| !is_hollow(entry.path()))
            .take(MOST_FILES)
            .map(walkdir::DirEntry::into_path)
            .collect()
    }

    /// The files whose name fits a pattern with `*` and `?`; directories are taken as they stand.
    fn fitting(&mut self, pattern: &Path) -> Vec<PathBuf> {
        let name = pattern.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(directory) = pattern.parent().filter(|_| name.contains(['*', '?'])) else {
            return Vec::new();
        };
        // A bare pattern stands in the current directory, and what it finds has bare names too.
        let here = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        let walk = WalkDir::new(here).min_depth(1).max_depth(1).sort_by_file_name();
        let found = self.named_files(walk, |found| fits(&name, found)).into_iter();
        found.map(|file| clean(&file)).collect()
    }
}

/// Whether a name fits, in time that grows with the product of both lengths at most: where a piece
/// behind a `*` does not fit, only the last `*` can have stood for more.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut letter) = (0, 0);
    // The last `*`, and how much of the name the pieces before it and itself stand for.
    let mut star: Option<(usize, usize)> = None;
    while let Some(found) = name.get(letter) {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, letter));
                at += 1;
            }
            Some(wanted) if *wanted == '?' || wanted == found => {
                at += 1;
                letter += 1;
            }
            _ => {
                let Some((last, taken)) = star else { return false };
                star = Some((last, taken + 1));
                at = last + 1;
                letter = taken + 1;
            }
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|left| *left == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Access;

    #[test]
    fn a_pattern_fits_whole_names_and_never_takes_long() {
        for (pattern, name, is_fit) in [
            ("a*b", "axxb", true),
            ("a*b", "axxbc", false),
            ("*ab*ab", "abxab", true),
            ("*ab*ab", "ab", false),
            ("a?c*", "abc", true),
            ("*", "", true),
            ("a*?", "a", false),
            ("数*.json", "数据.json", true),
        ] {
            assert_eq!(fits(pattern, name), is_fit, "{pattern} {name}");
        }
        let pattern = format!("{}b", "*a".repeat(60));
        assert!(!fits(&pattern, &"a".repeat(250)));
    }

    #[test]
    fn a_directory_and_a_pattern_stand_for_their_files_in_order() {
        let directory = tempfile::tempdir().expect("a directory");
        let run = directory.path().join("runs/a");
        let data = directory.path().join("data/sft");
        for place in [&run, &data] {
            std::fs::create_dir_all(place).expect("made");
        }
        for name in ["b.jsonl", "a.jsonl", "state.json", "readme.md"] {
            std::fs::write(data.join(name), "{}").expect("written");
        }
        let access = Access { data_roots: vec![directory.path().into()], ..Access::default() };
        let border = Border::around(&run, &access);
        let found = |declared: &str, files: usize| {
            let limits = Limits { files, ..access.limits };
            let mut places = Places::below(&run, &border, limits);
            let found = places.of(declared, "config.yaml");
            let files = found.located().map(|found| found.files.clone()).unwrap_or_default();
            let name = |file: &PathBuf| file.file_name().expect("a name").to_string_lossy().into();
            (files.iter().map(name).collect::<Vec<String>>(), places.past_limit().is_some())
        };
        let names = |declared: &str| found(declared, 100).0;
        assert_eq!(names("data/sft"), ["a.jsonl", "b.jsonl"]);
        assert_eq!(names("data/sft/*.jsonl"), ["a.jsonl", "b.jsonl"]);
        assert_eq!(names("data/sft/b*.jsonl"), ["b.jsonl"]);
        assert!(names("data/sft/c*.jsonl").is_empty());
        let holds_the_run = shown(directory.path());
        assert!(names(&holds_the_run).is_empty());
        let (none, few) = (found("data/sft/*.jsonl", 0), found("data/sft/*.jsonl", 2));
        assert_eq!((none.0.len(), none.1, few.0.len(), few.1), (0, true, 2, false));
    }
}
