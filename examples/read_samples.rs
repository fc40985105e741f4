//! Reads files of per-sample records and prints what they hold; for measurements of reading alone.
//!
//! ```text
//! cargo run --release --example read_samples -- FILE...
//! ```

use std::fmt::Write as _;
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;
use reportgen::collect::readers::samples_jsonl::READER;
use reportgen::collect::{FileEntry, Packing, ReadOptions};
use reportgen::model::Limits;

fn main() -> io::Result<()> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let summaries: Vec<io::Result<String>> = paths.par_iter().map(|path| summary(path)).collect();
    let mut out = io::stdout().lock();
    for summary in summaries {
        out.write_all(summary?.as_bytes())?;
    }
    Ok(())
}

fn summary(path: &str) -> io::Result<String> {
    let file = entry(path)?;
    if !(READER.recognises)(&file) {
        return Ok(format!("{path}: not recognised\n"));
    }
    let read = (READER.read)(&file, &ReadOptions::default())
        .map_err(|finding| io::Error::other(format!("{finding:?}")))?;
    let mut text = format!("{path}: {} findings\n", read.diagnostics.len());
    for diagnostic in &read.diagnostics {
        writeln!(text, "  {} {:?}", diagnostic.code, diagnostic.evidence)
            .map_err(io::Error::other)?;
    }
    for table in &read.value.samples {
        writeln!(text, "  {:?} {} rows {}", table.dataset, table.dims, table.len())
            .map_err(io::Error::other)?;
        for (metric, column) in table.columns() {
            let scores: Vec<f64> = (0..table.len()).filter_map(|row| column.get(row)).collect();
            let sum: f64 = scores.iter().sum();
            writeln!(text, "    {metric} {:.6} over {}", sum / scores.len() as f64, scores.len())
                .map_err(io::Error::other)?;
        }
    }
    Ok(text)
}

fn entry(path: &str) -> io::Result<FileEntry> {
    let mut head = Vec::new();
    let content = std::fs::File::open(path)?;
    let bytes = content.metadata()?.len();
    content.take(64 << 10).read_to_end(&mut head)?;
    let path = PathBuf::from(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    Ok(FileEntry {
        display: Arc::from(path.to_string_lossy()),
        relative: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        path,
        name,
        bytes,
        head_is_whole: head.len() < 64 << 10,
        head,
        packing: Packing::Plain,
        noticed: Vec::new(),
        is_run: true,
        limits: Limits::default(),
    })
}
