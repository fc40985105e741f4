//! How far the reading of a run may go: its own files, and directories that belong to the user.

use std::ffi::OsStr;
#[cfg(unix)]
use std::fs::Metadata;
use std::path::{Component, Path, PathBuf};

use crate::model::Access;

/// The directories that a run may name files in or link to, links resolved.
#[derive(Debug)]
pub(super) struct Border {
    /// Where the run lies, as it was named and with links resolved.
    given: PathBuf,
    run: PathBuf,
    /// Further directories; hidden ones below them are not meant.
    further: Vec<PathBuf>,
    is_untrusted: bool,
}

impl Border {
    /// Around a run: itself, `data` beside it and beside the directory that it lies in, the working
    /// directory, and what the user named. Around a run that is not trusted only itself and what
    /// the user named.
    pub(super) fn around(run: &Path, access: &Access) -> Self {
        let place = if run.is_file() { run.parent().unwrap_or(run) } else { run };
        let place = if place.as_os_str().is_empty() { Path::new(".") } else { place };
        let own = place.canonicalize().unwrap_or_else(|_| place.to_path_buf());
        let mut further = access.data_roots.clone();
        if !access.is_untrusted {
            further.extend(own.ancestors().skip(1).take(2).map(|above| above.join("data")));
            further.push(PathBuf::from("."));
        }
        let further = further.iter().filter_map(|root| root.canonicalize().ok());
        // Below the root of the file system everything lies.
        let further = further.filter(|root| root.parent().is_some()).collect();
        let given = std::path::absolute(place).map_or_else(|_| own.clone(), |path| clean(&path));
        Self { given, run: own, further, is_untrusted: access.is_untrusted }
    }

    /// Whether any link may be followed. Where none is, it makes no difference what one leads to.
    pub(super) fn follows_links(&self) -> bool {
        !self.is_untrusted
    }

    /// Whether a link may be followed: not beyond the border, and none of somebody untrusted.
    pub(super) fn lets_follow(&self, link: &Path) -> bool {
        !self.is_untrusted && self.holds(link)
    }

    /// Whether a file may lie elsewhere as well, under another name, and its run is of somebody
    /// untrusted. Of hard links nobody can tell where the others are.
    pub(super) fn has_other_names(&self, path: &Path) -> bool {
        self.is_untrusted && has_names(path)
    }

    /// Whether a file or directory lies within the border, links resolved. What is not there lies
    /// nowhere.
    pub(super) fn holds(&self, path: &Path) -> bool {
        let Ok(place) = path.canonicalize() else { return false };
        (place.starts_with(&self.run) && !self.has_other_names(&place))
            || self.further.iter().any(|root| {
                place.strip_prefix(root).is_ok_and(|below| !below.iter().any(is_hidden))
            })
    }

    /// Whether it may be asked what lies there. Of somebody untrusted not even that something is
    /// there is told, so no link on the way is looked through, and no name beyond the border.
    pub(super) fn lets_ask(&self, path: &Path) -> bool {
        if !self.is_untrusted {
            return true;
        }
        let Ok(path) = std::path::absolute(path).map(|path| clean(&path)) else { return false };
        let roots = [&self.given, &self.run].into_iter().chain(&self.further);
        roots.into_iter().any(|root| {
            let Ok(below) = path.strip_prefix(root) else { return false };
            let mut place = root.clone();
            below.components().all(|part| {
                place.push(part);
                !place.symlink_metadata().is_ok_and(|there| there.is_symlink())
            })
        })
    }

    /// The place in the run that a link of it leads to, below the run.
    pub(super) fn inner_target(&self, link: &Path) -> Option<PathBuf> {
        let below = |target: PathBuf| Some(target.strip_prefix(&self.run).ok()?.to_path_buf());
        if !self.is_untrusted {
            return below(link.canonicalize().ok()?);
        }
        let target = clean(&link.parent().unwrap_or(link).join(link.read_link().ok()?));
        Some(target)
            .filter(|target| self.lets_ask(target))
            .and_then(|it| below(it.canonicalize().ok()?))
    }
}

/// Whether a name hides what it names. Names made of paths such as `../x` begin with two dots.
pub(super) fn is_hidden(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b".") && (!name.starts_with(b"..") || name.len() == 2)
}

/// The path without `.` and without `a/..`.
pub(super) fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(cleaned.components().next_back(), Some(Component::Normal(_))) =>
            {
                cleaned.pop();
            }
            other => cleaned.push(other),
        }
    }
    cleaned
}

/// Why a link of a stranger is not read.
pub(super) const NOT_FOLLOWED: &str = "it is a link or behind one, and --untrusted follows none";

/// Whether a path of a stranger is a link, goes through one below the current directory, where it may be of
/// that stranger and a pattern may match it, or is a file with further names outside the user's directories.
pub(super) fn leads_elsewhere(path: &Path, access: &Access) -> bool {
    // A slash or a dot at the end would have the link followed before it is looked at.
    let path: &Path = &path.components().collect::<PathBuf>();
    let is_link = |path: &Path| path.symlink_metadata().is_ok_and(|there| there.is_symlink());
    let here = Path::new(".").canonicalize().unwrap_or_default();
    let is_below = path.is_relative() || path.starts_with(&here);
    let further = path.ancestors().skip(1).take_while(|above| is_below && **above != *here);
    let mut further = further.filter(|above| *above != Path::new(""));
    let is_users = || {
        let place = path.canonicalize().ok();
        let mut roots = access.data_roots.iter().filter_map(|root| root.canonicalize().ok());
        place.is_some_and(|place| roots.any(|root| place.starts_with(root)))
    };
    access.is_untrusted && (is_link(path) || has_names(path) && !is_users() || further.any(is_link))
}

/// Whether a file lies elsewhere too, under another name.
fn has_names(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        path.metadata().is_ok_and(|there: Metadata| there.is_file() && there.nlink() > 1)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}
