//! `[fill]`: what words of a document mean to `fill`.

use indexmap::IndexMap;

use super::ConfigFile;
use crate::diag::Location;
use crate::text::Refusal;

/// Words of a document and what they say.
#[derive(Debug, Clone, PartialEq)]
pub struct FillName {
    pub words: String,
    /// `run`, `metric`, `dataset` or a coordinate, and its value; `None` where the words add nothing.
    pub says: Option<(String, String)>,
    pub location: Location,
}

/// Reads `"words" = "run=tuned"`.
///
/// # Errors
/// When a value has another form, with path and line.
pub(super) fn fill_names(
    file: Option<&ConfigFile>,
    wire: Option<IndexMap<String, String>>,
) -> Result<Vec<FillName>, Refusal> {
    let Some(file) = file else { return Ok(Vec::new()) };
    let read = |(words, value): (String, String)| {
        let location = file.location(&["fill", &words]);
        let says = value.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
        let is_whole = says.is_some_and(|(name, value)| !name.is_empty() && !value.is_empty());
        if (!is_whole && !value.trim().is_empty()) || words.trim().is_empty() {
            let refusal = Refusal::new("refused.fill-form").with("path", file.path.as_str());
            let refusal = refusal.with("line", location.line.unwrap_or(1)).with("words", words);
            return Err(refusal.with("value", value));
        }
        let says = says.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Ok(FillName { words, says, location })
    };
    wire.unwrap_or_default().into_iter().map(read).collect()
}
