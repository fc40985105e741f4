//! What `-o` means.

use std::path::{Path, PathBuf};

/// Where rendered reports go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    Standard,
    File(PathBuf),
    /// `<name>.<extension>` in a directory.
    Directory(PathBuf, &'static str),
}

/// Names of standard output. The second is a link, which must not be replaced by a file.
const STANDARD: [&str; 2] = ["-", "/dev/stdout"];

impl Target {
    /// The target that `-o PATH` means for a number of formats of a report that is called `name`: `-` is
    /// standard output, an existing
    /// directory, a path ending in a separator or without extension is a directory unless a file is
    /// there already, and so is anything when there are several formats.
    pub(super) fn from_path(path: Option<&Path>, formats: usize, name: &'static str) -> Self {
        let Some(path) = path else { return Self::Standard };
        let text = path.as_os_str().to_string_lossy();
        if STANDARD.contains(&&*text) {
            Self::Standard
        } else if formats > 1 || text.ends_with('/') || path.is_dir() {
            Self::Directory(path.to_owned(), name)
        } else if path.extension().is_some() || path.exists() {
            Self::File(path.to_owned())
        } else {
            Self::Directory(path.to_owned(), name)
        }
    }

    /// The file for a format; `None` for standard output.
    pub(super) fn file(&self, extension: &str) -> Option<PathBuf> {
        match self {
            Self::Standard => None,
            Self::File(path) => Some(path.clone()),
            Self::Directory(path, name) => Some(path.join(format!("{name}.{extension}"))),
        }
    }

    /// The document that lies, or would lie, beside a file of any format; `None` for standard output.
    pub(super) fn document(&self) -> Option<PathBuf> {
        match self {
            Self::File(path) if path.extension().is_some_and(|end| end == "html") => {
                Some(path.with_extension("md"))
            }
            _ => self.file("md"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_means_a_file_only_for_one_format_and_with_an_extension() {
        let cases = [
            ("-", 1, Target::Standard),
            ("/dev/stdout", 1, Target::Standard),
            ("out/", 1, Target::Directory("out/".into(), "report")),
            ("out", 1, Target::Directory("out".into(), "report")),
            ("r.md", 1, Target::File("r.md".into())),
            ("r.md", 2, Target::Directory("r.md".into(), "report")),
        ];
        for (path, formats, expected) in cases {
            assert_eq!(
                Target::from_path(Some(Path::new(path)), formats, "report"),
                expected,
                "{path}"
            );
        }
        assert_eq!(Target::from_path(None, 1, "report"), Target::Standard);
    }
}
