//! Margins: the file's, and over them those of the command line.

use indexmap::IndexMap;
use serde::Deserialize;

use crate::model::{Margin, MetricNames};
use crate::text::Refusal;

/// `1.0` or `"1pp"`.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a margin is a number above 0 or a text such as \"1pp\"")]
pub(super) enum WireMargin {
    Number(f64),
    Text(String),
}

impl std::fmt::Display for WireMargin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// The margins by canonical name: those of the command line over those of the file.
pub(super) fn margins(
    file: IndexMap<String, WireMargin>,
    flags: &[String],
    names: &MetricNames,
) -> Result<IndexMap<String, Margin>, Refusal> {
    let file: Vec<String> =
        file.into_iter().map(|(metric, margin)| format!("{metric}={margin}")).collect();
    let mut margins = margins_of(&file, names)?;
    margins.extend(margins_of(flags, names)?);
    Ok(margins)
}

/// Reads margins written as `METRIC=VALUE`.
fn margins_of(texts: &[String], names: &MetricNames) -> Result<IndexMap<String, Margin>, Refusal> {
    let mut margins = IndexMap::<String, (Margin, &String)>::new();
    for text in texts {
        let wrong = || Refusal::new("refused.margin").with("text", text.as_str());
        let (metric, value) = text.rsplit_once('=').ok_or_else(wrong)?;
        let margin = Margin::parse(value).ok_or_else(wrong)?;
        let metric = names.canonical(metric.trim()).to_owned();
        match margins.get(&metric) {
            Some((known, first)) if *known != margin => {
                let twice = Refusal::new("refused.margin-twice").with("first", first.as_str());
                return Err(twice.with("second", text.as_str()).with("metric", metric));
            }
            _ => margins.insert(metric, (margin, text)),
        };
    }
    Ok(margins.into_iter().map(|(metric, (margin, _))| (metric, margin)).collect())
}
