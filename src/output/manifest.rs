//! Which files were written together, so that a reader can ask whether they still belong together.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Name of the manifest in the directory of its files.
pub(super) const NAME: &str = "report.manifest.json";
const SCHEMA: &str = "reportgen.manifest/1";

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    schema: String,
    /// The same for the same files with the same content.
    set: String,
    kind: String,
    pub(super) files: Vec<Listed>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Listed {
    /// Path below the directory, with `/`.
    pub(super) name: String,
    bytes: usize,
    sha256: String,
}

impl Manifest {
    /// The manifest of some files, of which name and content are given.
    pub(super) fn of(kind: &str, files: &[(String, String)]) -> Self {
        let listed = files.iter().map(|(name, text)| Listed {
            name: name.clone(),
            bytes: text.len(),
            sha256: hash(text),
        });
        let files: Vec<Listed> = listed.collect();
        let lines = files.iter().map(|file| format!("{}  {}\n", file.sha256, file.name));
        let set = hash(lines.collect::<String>());
        Self { schema: SCHEMA.to_owned(), set, kind: kind.to_owned(), files }
    }

    /// The manifest in a directory; `None` where there is none of this program.
    pub(super) fn read(directory: &Path) -> Option<Self> {
        let path = directory.join(NAME);
        let text =
            Some(&path).filter(|path| path.is_file()).and_then(|path| fs::read(path).ok())?;
        let manifest: Self = serde_json::from_slice(&text).ok()?;
        (manifest.schema == SCHEMA).then_some(manifest)
    }

    /// Whether what lies in its place is something else.
    pub(super) fn is_foreign(directory: &Path) -> bool {
        directory.join(NAME).is_file() && Self::read(directory).is_none()
    }

    /// Whether a file that was written is there with other content.
    pub(super) fn is_edited(directory: &Path, file: &Listed) -> bool {
        fs::read(directory.join(&file.name)).is_ok_and(|there| hash(&there) != file.sha256)
    }

    pub(super) fn lists(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.name == name)
    }
}

fn hash(text: impl AsRef<[u8]>) -> String {
    format!("{:x}", Sha256::digest(text))
}
