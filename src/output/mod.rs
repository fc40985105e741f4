//! Reports to files or to standard output, in every format asked for.
//!
//! With `cli` the only module that writes.

mod earlier;
mod files;
mod templates;

pub use files::write_whole;
pub use templates::{Own, unused_templates};

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use indexmap::IndexSet;

use crate::exit::Failure;
use crate::render::{self, Format, Keeping, RenderOptions};
use crate::report::Report;
use crate::text::{Catalogue, Catalogues, Lang};
use files::Target;

/// Name and extension of the format that people write in.
const DOCUMENT: &str = "md";

/// Where a report goes and how it looks, settled before the work begins.
pub struct Output {
    formats: Vec<&'static dyn Format>,
    target: Target,
    options: RenderOptions,
    /// The document whose words are kept, where something in it has to be kept aside as well.
    edited: Option<PathBuf>,
}

/// What was written.
#[derive(Debug, Default)]
pub struct Written {
    pub reports: Vec<PathBuf>,
    /// A document that was edited where nothing is kept, and the copy of it.
    pub aside: Option<(PathBuf, PathBuf)>,
}

#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Where to write; `-` or nothing is standard output.
    pub path: Option<&'a Path>,
    pub formats: &'a [String],
    pub templates: Option<&'a Path>,
    /// The user's own report, if it is one.
    pub own: Option<&'a Own>,
    /// The kind of the report.
    pub kind: &'static str,
    /// Whether documents show places where a person may write.
    pub offers_places: bool,
    /// Whether a report that cannot be kept, or is of another kind, is replaced.
    pub force: bool,
    /// The language of what is said of earlier reports.
    pub lang: Lang,
}

impl Output {
    /// Settles formats, place, templates and words.
    ///
    /// # Errors
    /// When formats and place do not go together, templates cannot be used, or what lies there already
    /// would be lost.
    pub fn new(wanted: Wanted<'_>) -> Result<Self, Failure> {
        let formats = formats(wanted.formats, wanted.path);
        let target = target(wanted.path, formats.len())?;
        let templates = templates::read_templates(wanted.templates, wanted.own)?;
        let catalogues = templates::catalogues(&templates)?;
        let own = wanted.own.map(|own| own.kind.clone());
        let options = RenderOptions { templates, catalogues, own, keeping: None };
        Self { formats, target, options, edited: None }.with_earlier(wanted)
    }

    /// The same with what has to be kept of the files that are there.
    fn with_earlier(mut self, wanted: Wanted<'_>) -> Result<Self, Failure> {
        let label = self.options.label(wanted.kind);
        if !wanted.force {
            for format in &self.formats {
                let Some(path) = self.target.file(format.extension()) else { continue };
                let own = if format.name() == "json" { wanted.kind } else { &label };
                earlier::refuse_other(&path, earlier::label_of(&path, *format).as_deref(), own)?;
            }
        }
        let is_drawn = |name: &str| self.formats.iter().any(|format| format.name() == name);
        if !is_drawn(DOCUMENT) && !is_drawn("html") {
            return Ok(self);
        }
        let Some(path) = self.target.document() else { return Ok(self) };
        let words = self.words(wanted.lang);
        let earlier = if is_drawn(DOCUMENT) {
            match earlier::earlier_document(&path, words) {
                Err(_) if wanted.force => {
                    self.edited = Some(path.clone());
                    None
                }
                found => found?,
            }
        } else {
            // The words of a page stand in the document beside it, if that is of the same report.
            let found = earlier::earlier_document(&path, words).ok().flatten();
            found.filter(|earlier| earlier.label.as_ref() == Some(&label))
        };
        if let Some(earlier) = earlier.as_ref().filter(|_| is_drawn(DOCUMENT)) {
            if !wanted.force {
                earlier::refuse_other(&path, earlier.label.as_deref(), &label)?;
            }
            let is_other = earlier.label.as_ref() != Some(&label);
            self.edited = (earlier.is_edited || is_other).then_some(path);
        }
        let offers_places = wanted.offers_places;
        self.options.keeping = Some(Keeping { earlier, offers_places });
        Ok(self)
    }

    /// The words of reports: the shipped ones, or with those of the templates directory over them.
    pub fn catalogues(&self) -> Catalogues {
        self.options.catalogues
    }

    pub fn words(&self, lang: Lang) -> &'static Catalogue {
        self.options.catalogues.of(lang)
    }

    pub fn formats(&self) -> &[&'static dyn Format] {
        &self.formats
    }

    /// Refuses to replace what a report is made of. `whose` ends the sentence that says so.
    ///
    /// # Errors
    /// When a file that would be written is one of the inputs or lies in one.
    pub fn refuse_overwriting<'p>(
        &self,
        inputs: impl IntoIterator<Item = &'p Path>,
    ) -> Result<(), Failure> {
        let files = self.formats.iter().filter_map(|format| self.target.file(format.extension()));
        let outputs: Vec<PathBuf> = files.filter_map(|path| path.canonicalize().ok()).collect();
        for input in inputs.into_iter().filter_map(|input| input.canonicalize().ok()) {
            let part = |output: &&PathBuf| {
                let own = output.file_stem().is_some_and(|stem| stem == "report");
                **output == input || (output.starts_with(&input) && !own)
            };
            if let Some(output) = outputs.iter().find(part) {
                let path = output.to_string_lossy();
                return Err(Failure::refused("refused.is-input", &[("path", &*path)]));
            }
        }
        Ok(())
    }

    /// The directory that the report goes to, if it goes to one.
    pub fn directory(&self) -> Option<&Path> {
        match &self.target {
            Target::Directory(path) => Some(path),
            Target::Standard | Target::File(_) => None,
        }
    }

    /// The text of a file of that name in the directory that the report goes to; `None` where there
    /// is no such file, or no directory.
    ///
    /// # Errors
    /// When it is there and cannot be read as text.
    pub fn existing(&self, name: &str) -> Result<Option<String>, io::Error> {
        let Some(directory) = self.directory() else { return Ok(None) };
        match fs::read_to_string(directory.join(name)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes every format.
    ///
    /// # Errors
    /// When a report cannot be drawn or written.
    pub fn write(&self, report: &Report, out: &mut dyn Write) -> Result<Written, Failure> {
        let mut written = Written::default();
        if let Some(path) = &self.edited {
            let aside = earlier::keep_aside(path)?;
            written.aside = aside.map(|aside| (path.clone(), aside));
        }
        for format in &self.formats {
            let text = format.render(report, &self.options).map_err(Failure::usage)?;
            match self.target.file(format.extension()) {
                None => out.write_all(text.as_bytes()).map_err(Failure::standard_output)?,
                Some(path) => {
                    write_whole(&path, &text).map_err(|source| Failure::write(&path, source))?;
                    written.reports.push(path);
                }
            }
        }
        Ok(written)
    }

    /// Writes further files, by their names below it, into the directory that the report goes to, and
    /// removes those that an earlier report left there. Does nothing without a directory.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write_beside(
        &self,
        files: &[(String, String)],
        stale: &[String],
    ) -> Result<(), Failure> {
        let Some(directory) = self.directory() else { return Ok(()) };
        for name in stale {
            // What cannot be removed is as harmless as it was.
            let _gone = fs::remove_file(directory.join(name));
        }
        for (name, text) in files {
            let path = directory.join(name);
            write_whole(&path, text).map_err(|source| Failure::write(&path, source))?;
        }
        Ok(())
    }
}

/// Where the reports go; several need a directory.
fn target(output: Option<&Path>, formats: usize) -> Result<Target, Failure> {
    let target = Target::from_path(output, formats);
    if formats <= 1 {
        return Ok(target);
    }
    let one_file = output.filter(|path| format_of(path).is_some() && !path.is_dir());
    match (one_file, &target) {
        (Some(path), _) => {
            Err(Failure::refused("refused.one-file", &[("path", &path.to_string_lossy())]))
        }
        (None, Target::Standard) => Err(Failure::refused("refused.several-formats", &[])),
        (None, _) => Ok(target),
    }
}

/// The format that a path's extension names.
fn format_of(path: &Path) -> Option<&'static dyn Format> {
    let extension = path.extension()?.to_str()?;
    render::FORMATS.iter().copied().find(|format| format.extension() == extension)
}

/// The formats asked for, or the one that the output's extension names, or the first of all.
fn formats(asked: &[String], output: Option<&Path>) -> Vec<&'static dyn Format> {
    if !asked.is_empty() {
        let names: IndexSet<&String> = asked.iter().collect();
        return names.into_iter().filter_map(|name| render::find(name)).collect();
    }
    let named = output.and_then(format_of);
    named.or_else(|| render::FORMATS.first().copied()).into_iter().collect()
}
