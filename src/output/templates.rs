//! The templates and words of the user: read from the directory after `--templates`, and beside
//! `reportgen.toml`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use crate::diag::edit_distance;
use crate::exit::Failure;
use crate::render::{OwnKind, OwnTemplate, SHIPPED};
use crate::text::{Catalogues, LANGUAGES, Refusal};

/// A report of the user's own: the template that draws it.
#[derive(Debug, Clone)]
pub struct Own {
    pub kind: OwnKind,
    /// The template beside the configuration file, where the templates directory has none.
    pub beside: PathBuf,
}

/// Most letters in which a name differs from the one that was meant.
const MOST_CHANGES: usize = 3;

/// Every file of the directory by its name below it, and the template of the user's kind of report.
pub(super) fn read_templates(
    directory: Option<&Path>,
    own: Option<&Own>,
) -> Result<IndexMap<String, OwnTemplate>, Failure> {
    let mut found = directory.map(below).transpose()?.unwrap_or_default();
    let Some(own) = own else { return Ok(found) };
    if !found.contains_key(&own.kind.template) {
        if !own.beside.exists() {
            let places = directory.map(|path| path.join(&own.kind.template)).into_iter();
            let places = places.chain([own.beside.clone()]);
            let places: Vec<String> = places.map(|path| path.display().to_string()).collect();
            return Err(Failure::usage(Refusal::new("refused.no-template").with("paths", places)));
        }
        found.insert(own.kind.template.clone(), file(&own.beside)?);
    }
    Ok(found)
}

/// The shipped words with those of the templates directory over them.
pub(super) fn catalogues(templates: &IndexMap<String, OwnTemplate>) -> Result<Catalogues, Failure> {
    let mut catalogues = Catalogues::default();
    for lang in LANGUAGES {
        if let Some(own) = templates.get(&lang.file()) {
            let failed = |error| Failure::usage(format!("`{}`, {error}", own.path));
            catalogues = catalogues.with(lang, &own.text).map_err(failed)?;
        }
    }
    Ok(catalogues)
}

/// Files of the directory that nothing draws with, in words. A name far from every known one may be
/// the template of some report and is not reported.
pub fn unused_templates(directory: &Path, own: Option<&Own>, section_ids: &[&str]) -> Vec<String> {
    let Ok(found) = below(directory) else { return Vec::new() };
    let shipped = SHIPPED.iter().map(|(name, _)| (*name).to_owned());
    let words = LANGUAGES.iter().map(|lang| lang.file());
    let sections = section_ids.iter().map(|id| format!("sections/{id}.md.j2"));
    let known: Vec<String> = shipped.chain(words).chain(sections).collect();
    let is_named = |name: &str| {
        let quoted = [format!("\"{name}\""), format!("'{name}'")];
        own.is_some_and(|own| own.kind.template == name)
            || found.values().any(|template| quoted.iter().any(|name| template.text.contains(name)))
    };
    let warning = |name: &String| {
        let near = known.iter().min_by_key(|known| edit_distance(name, known))?;
        let is_near = edit_distance(name, near) <= MOST_CHANGES;
        let has_fixed_names = name.starts_with("text/") || name.starts_with("sections/");
        let hint = if is_near { format!("; did you mean `{near}`?") } else { String::new() };
        let path = directory.join(name);
        (is_near || has_fixed_names)
            .then(|| format!("warning: `{}` is used by no report{hint}", path.display()))
    };
    let unknown = found.keys().filter(|name| !known.contains(name) && !is_named(name));
    unknown.filter_map(warning).collect()
}

fn below(directory: &Path) -> Result<IndexMap<String, OwnTemplate>, Failure> {
    let mut found = IndexMap::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(current) = pending.pop() {
        let failed = |source: io::Error| Failure::read(&current, source);
        let entries: Result<Vec<_>, _> = fs::read_dir(&current).map_err(failed)?.collect();
        for entry in entries.map_err(failed)? {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if let Ok(below) = path.strip_prefix(directory) {
                found.insert(below.to_string_lossy().replace('\\', "/"), file(&path)?);
            }
        }
    }
    found.sort_keys();
    Ok(found)
}

fn file(path: &Path) -> Result<OwnTemplate, Failure> {
    let text = fs::read_to_string(path).map_err(|source| Failure::read(path, source))?;
    Ok(OwnTemplate { path: path.display().to_string(), text })
}
