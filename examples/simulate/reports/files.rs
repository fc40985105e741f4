//! Files of runs, as producers write them.

use std::fmt::{Display, Write as _};
use std::path::{Path, PathBuf};

/// One answer: its id, what was asked, further fields as JSON, and scores.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    pub(super) id: String,
    pub(super) prompt: String,
    /// Names and JSON values.
    pub(super) fields: Vec<(&'static str, String)>,
}

impl Sample {
    /// A question of its own, with one score.
    pub(super) fn scored(number: usize, metric: &'static str, score: f64) -> Self {
        Self::default().numbered(number).with(metric, score)
    }

    pub(super) fn numbered(self, number: usize) -> Self {
        Self { id: format!("q{number}"), prompt: format!("question {number}"), ..self }
    }

    pub(super) fn asking(self, prompt: String) -> Self {
        Self { prompt, ..self }
    }

    pub(super) fn with(mut self, field: &'static str, value: impl Display) -> Self {
        self.fields.push((field, value.to_string()));
        self
    }

    pub(super) fn labelled(self, field: &'static str, label: &str) -> Self {
        self.with(field, format!("\"{label}\""))
    }
}

/// Writes a run of samples, one file for each dataset.
pub(super) fn run_of_samples(
    folder: &Path,
    name: &str,
    datasets: &[(&str, Vec<Sample>)],
) -> std::io::Result<PathBuf> {
    let run = folder.join(name);
    std::fs::create_dir_all(&run)?;
    for (dataset, samples) in datasets {
        let mut text = String::new();
        for Sample { id, prompt, fields } in samples {
            let _ = write!(text, "{{\"id\":\"{id}\",\"prompt\":\"{prompt}\"");
            for (field, value) in fields {
                let _ = write!(text, ",\"{field}\":{value}");
            }
            text.push_str("}\n");
        }
        std::fs::write(run.join(format!("{dataset}.jsonl")), text)?;
    }
    Ok(run)
}

/// Writes a run with one file of that text.
pub(super) fn run_of_text(
    folder: &Path,
    name: &str,
    file: &str,
    text: &str,
) -> std::io::Result<PathBuf> {
    let run = folder.join(name);
    std::fs::create_dir_all(&run)?;
    std::fs::write(run.join(file), text)?;
    Ok(run)
}
