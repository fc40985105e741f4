//! Reports to files or to standard output, in every format asked for.

use std::io::Write;
use std::path::{Path, PathBuf};

use indexmap::IndexSet;

use super::{Failure, own_templates};
use crate::cli::args::{Drawing, Own};
use crate::cli::output::{self, Target};
use crate::render::{self, Format, RenderOptions};
use crate::report::Report;
use crate::text::{Catalogue, Catalogues, Lang};

/// Where a report goes and how it looks, settled before the work begins.
pub(super) struct Plan {
    formats: Vec<&'static dyn Format>,
    target: Target,
    options: RenderOptions,
}

impl Plan {
    /// The plan of these choices.
    pub(super) fn of(
        output: Option<&Path>,
        format: &[String],
        from: Option<&Path>,
        own: Option<&Own>,
    ) -> Result<Self, Failure> {
        let formats = formats(format, output);
        let target = target(output, formats.len())?;
        let templates = own_templates::read(from, own)?;
        let catalogues = own_templates::catalogues(&templates)?;
        let own = own.map(|own| own.kind.clone());
        Ok(Self { formats, target, options: RenderOptions { templates, catalogues, own } })
    }

    /// The plan of a command that has these choices as they are.
    pub(super) fn of_drawing(drawing: &Drawing) -> Result<Self, Failure> {
        let Drawing { output, format, templates, own, .. } = drawing;
        Self::of(output.as_deref(), format, templates.as_deref(), own.as_ref())
    }

    /// The words of reports: the shipped ones, or with those of the templates directory over them.
    pub(super) fn catalogues(&self) -> Catalogues {
        self.options.catalogues
    }

    /// The words of reports in a language.
    pub(super) fn words(&self, lang: Lang) -> &'static Catalogue {
        self.options.catalogues.of(lang)
    }

    /// A report must not replace what it is made of. `whose` ends the sentence that says so.
    pub(super) fn refuse_overwriting<'p>(
        &self,
        inputs: impl IntoIterator<Item = &'p Path>,
        whose: &str,
    ) -> Result<(), Failure> {
        let files = self.formats.iter().filter_map(|format| self.target.file(format.extension()));
        let outputs: Vec<PathBuf> = files.filter_map(|path| path.canonicalize().ok()).collect();
        for input in inputs.into_iter().filter_map(|input| input.canonicalize().ok()) {
            let part = |output: &&PathBuf| {
                let own = output.file_stem().is_some_and(|stem| stem == "report");
                **output == input || (output.starts_with(&input) && !own)
            };
            if let Some(output) = outputs.iter().find(part) {
                let path = output.display();
                return Err(Failure::Usage(format!(
                    "`{path}` belongs to {whose}; write the report elsewhere"
                )));
            }
        }
        Ok(())
    }

    /// The directory that the report goes to, if it goes to one.
    pub(super) fn directory(&self) -> Option<&Path> {
        match &self.target {
            Target::Directory(path) => Some(path),
            Target::Standard | Target::File(_) => None,
        }
    }

    /// Writes every format; returns the paths written.
    pub(super) fn write(
        &self,
        report: &Report,
        out: &mut dyn Write,
    ) -> Result<Vec<PathBuf>, Failure> {
        let mut written = Vec::new();
        for format in &self.formats {
            let text = format.render(report, &self.options)?;
            match self.target.file(format.extension()) {
                None => out.write_all(text.as_bytes()).map_err(Failure::standard_output)?,
                Some(path) => {
                    output::write_whole(&path, &text).map_err(|source| Failure::Write {
                        place: format!("`{}`", path.display()),
                        source,
                    })?;
                    written.push(path);
                }
            }
        }
        Ok(written)
    }
}

impl Plan {
    /// Writes another file beside the reports, where these go to a directory.
    pub(super) fn write_beside(&self, name: &str, text: &str) -> Result<(), Failure> {
        let Target::Directory(directory) = &self.target else { return Ok(()) };
        let path = directory.join(name);
        output::write_whole(&path, text)
            .map_err(|source| Failure::Write { place: format!("`{}`", path.display()), source })
    }
}

/// Where the reports go; several need a directory.
fn target(output: Option<&Path>, formats: usize) -> Result<Target, Failure> {
    let target = Target::of(output, formats);
    if formats <= 1 {
        return Ok(target);
    }
    let one_file = output.filter(|path| format_of(path).is_some() && !path.is_dir());
    match (one_file, &target) {
        (Some(path), _) => {
            let path = path.display();
            Err(Failure::Usage(format!(
                "`{path}` names one file, but there are several formats: add `-o DIR`"
            )))
        }
        (None, Target::Standard) => {
            Err(Failure::Usage("several formats need a directory: add `-o DIR`".to_owned()))
        }
        (None, _) => Ok(target),
    }
}

/// The format that a path's extension names.
fn format_of(path: &Path) -> Option<&'static dyn Format> {
    let extension = path.extension()?.to_str()?;
    render::FORMATS.iter().copied().find(|format| format.extension() == extension)
}

/// The formats asked for, or the one that the output's extension names, or Markdown.
fn formats(asked: &[String], output: Option<&Path>) -> Vec<&'static dyn Format> {
    if !asked.is_empty() {
        let names: IndexSet<&String> = asked.iter().collect();
        return names.into_iter().filter_map(|name| render::find(name)).collect();
    }
    let named = output.and_then(format_of);
    named.or_else(|| render::find("md")).into_iter().collect()
}
