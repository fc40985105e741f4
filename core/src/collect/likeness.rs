//! Recognises what a file is that no reader takes, to tell the user how to convert it.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::model::FileRecord;

/// What a file looks like, by its extension.
const EXTENSIONS: &[(&str, &[&str])] = &[
    ("spreadsheet", &["xlsx", "xls", "xlsb", "xlsm", "ods", "numbers"]),
    ("database", &["db", "sqlite", "sqlite3", "duckdb"]),
    ("pickle", &["pkl", "pickle", "npy", "npz", "joblib"]),
    ("columnar", &["arrow", "feather", "h5", "hdf5", "msgpack"]),
    ("table", &["csv", "tsv", "parquet"]),
    ("lines", &["jsonl", "ndjson"]),
    ("json", &["json"]),
    ("weights", &["safetensors", "pt", "pth", "bin", "ckpt", "gguf", "onnx"]),
    ("archive", &["zip", "tar", "tgz", "zst", "xz", "bz2", "7z"]),
    ("text", &["md", "txt", "html", "tex", "rst", "log", "out", "err", "docx", "pdf"]),
    ("image", &["png", "jpg", "jpeg", "gif", "webp", "svg", "mp4", "wav"]),
];

/// What a file without a telling name looks like, by its first bytes.
const BEGINNINGS: &[(&str, &[u8])] = &[
    ("database", b"SQLite format 3"),
    ("archive", b"PK\x03\x04"),
    ("archive", b"\x1f\x8b"),
    ("pickle", b"\x80\x04"),
    ("columnar", b"ARROW1"),
    ("columnar", b"\x89HDF"),
    ("image", b"\x89PNG"),
];
const LONGEST_BEGINNING: u64 = 16;

/// What the files of a run look like, by those from which the way to results is shortest; `nothing`
/// where there are none.
pub(super) fn of_files(files: &[FileRecord], input: &Path) -> &'static str {
    let named = |file: &FileRecord, extensions: &[&str]| {
        let extension = file.relative.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase());
        extension.is_some_and(|end| extensions.contains(&&*end))
    };
    if files.is_empty() {
        return "nothing";
    }
    let by_name = EXTENSIONS.iter().find(|(_, ends)| files.iter().any(|file| named(file, ends)));
    let by_content = || files.iter().find_map(|file| by_beginning(input, file));
    by_name.map(|(look, _)| *look).or_else(by_content).unwrap_or("other")
}

fn by_beginning(input: &Path, file: &FileRecord) -> Option<&'static str> {
    let path = if input.is_file() { input.to_owned() } else { input.join(&file.relative) };
    let mut head = Vec::new();
    File::open(path).ok()?.take(LONGEST_BEGINNING).read_to_end(&mut head).ok()?;
    BEGINNINGS.iter().find(|(_, begins)| head.starts_with(begins)).map(|(look, _)| *look)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::model::FileUse;

    #[test]
    fn files_look_like_what_their_names_or_first_bytes_say() {
        let directory = tempfile::tempdir().expect("temporary directory");
        fs::write(directory.path().join("cache"), b"SQLite format 3\0...").expect("written");
        fs::write(directory.path().join("odd"), b"\0\0").expect("written");
        for (names, look) in [
            (&[][..], "nothing"),
            (&["results.XLSX"], "spreadsheet"),
            (&["logo.png", "log.txt"], "text"),
            (&["notes.md", "plot.png"], "text"),
            (&["cache"], "database"),
            (&["odd"], "other"),
            (&["gone"], "other"),
        ] {
            let file = |name: &&str| FileRecord {
                relative: (*name).to_owned(),
                bytes: 1,
                used: FileUse::Ignored { reason: "ignored.unknown" },
            };
            let files: Vec<FileRecord> = names.iter().map(file).collect();
            assert_eq!(of_files(&files, directory.path()), look, "{names:?}");
        }
    }
}
