//! `[[reader]]`: how files that no reader knows are read.

use indexmap::IndexMap;
use serde::Deserialize;
use toml::Spanned;

use super::{ConfigFile, file};
use crate::diag::Location;
use crate::model::{DeclaredReader, NotAReader, RecordForm, RecordPlaces};
use crate::text::Refusal;

#[derive(Deserialize)]
pub(super) struct WireReaders {
    #[serde(default)]
    reader: Vec<Spanned<WireReader>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireReader {
    files: String,
    format: RecordForm,
    records: Option<String>,
    pattern: Option<String>,
    id: Option<String>,
    dataset: Option<String>,
    step: Option<String>,
    metric: Option<String>,
    value: Option<String>,
    #[serde(default)]
    values: IndexMap<String, String>,
    #[serde(default)]
    config: IndexMap<String, String>,
}

/// The readers that a file declares, in its order.
///
/// # Errors
/// When one has an unknown key or a place that cannot be one; with file and line.
pub(super) fn declared(file: Option<&ConfigFile>) -> Result<Vec<DeclaredReader>, Refusal> {
    let Some(ConfigFile { path, text, .. }) = file else { return Ok(Vec::new()) };
    let wire: WireReaders =
        toml::from_str(text).map_err(|error| file::refused(path, text, &error))?;
    let readers = wire.reader.into_iter().map(|wire| {
        let line = file::line(text, wire.span().start);
        let declared = Location::line(path.as_str(), line as u64);
        reader(wire.into_inner(), declared).map_err(|error| refused(path, line, error))
    });
    readers.collect()
}

fn reader(wire: WireReader, declared: Location) -> Result<DeclaredReader, NotAReader> {
    let named = match (wire.metric, wire.value) {
        (None, None) => None,
        (Some(metric), Some(value)) => Some((metric, value)),
        (Some(_), None) => return Err(NotAReader::Missing("value")),
        (None, Some(_)) => return Err(NotAReader::Missing("metric")),
    };
    let WireReader { files, format, records, pattern, id, dataset, step, values, config, .. } =
        WireReader { metric: None, value: None, ..wire };
    let places = RecordPlaces { id, dataset, step, named, values, config };
    DeclaredReader::new(&files, format, records, pattern.as_deref(), places, declared)
}

fn refused(path: &str, line: usize, error: NotAReader) -> Refusal {
    let at = |key| Refusal::new(key).with("path", path).with("line", line);
    match error {
        NotAReader::Files(cause) => at("refused.reader-files").with("cause", cause),
        NotAReader::Pattern(cause) => at("refused.reader-pattern").with("cause", cause),
        NotAReader::Pointer(place) => at("refused.reader-pointer").with("place", place),
        NotAReader::Group { group, groups } => {
            at("refused.reader-group").with("group", group.as_str()).among(&group, groups)
        }
        NotAReader::Misplaced(key) => at("refused.reader-misplaced").with("key", key),
        NotAReader::Missing(key) => at("refused.missing-key").with("key", key),
    }
}
