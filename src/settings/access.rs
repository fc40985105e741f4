//! What may be read of the runs.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::{ConfigFile, OneOrMany};
use crate::model::{Access, Limits};
use crate::text::Refusal;

/// Choices of the command line about what may be read.
#[derive(Debug, Clone, Default)]
pub struct AccessFlags {
    /// `--data-root`.
    pub data_roots: Vec<PathBuf>,
    /// `--limit NAME=NUMBER`.
    pub limits: Vec<(String, u64)>,
    /// `--untrusted`.
    pub untrusted: bool,
}

/// What may be read: directories of the file, which lie beside it, before those of the command line;
/// limits of the command line over those of the file.
pub(super) fn access(
    file: Option<&ConfigFile>,
    data_root: Option<OneOrMany>,
    limits: &IndexMap<String, u64>,
    flags: &AccessFlags,
) -> Result<Access, Refusal> {
    let path = file.map_or("", |file| file.path.as_str());
    let beside = Path::new(path).parent().unwrap_or_else(|| Path::new(""));
    let of_file = data_root.map(Vec::from).unwrap_or_default();
    let of_file = of_file.iter().map(|root| beside.join(root));
    let data_roots = of_file.chain(flags.data_roots.iter().cloned()).collect();
    let of_file = limits.iter().map(|(name, most)| (path, name, most));
    let mut chosen = of_file.chain(flags.limits.iter().map(|(name, most)| ("--limit", name, most)));
    let start = if flags.untrusted { Limits::UNTRUSTED } else { Limits::default() };
    let limits = chosen.try_fold(start, |limits, (said_in, name, most)| {
        limits.with(name, *most).ok_or_else(|| {
            let refusal = Refusal::new("refused.limit").with("path", said_in);
            refusal.with("name", name.as_str()).among(name, Limits::NAMES)
        })
    })?;
    Ok(Access { data_roots, is_untrusted: flags.untrusted, limits })
}
