//! Reports to files or to standard output, in every format asked for.
//!
//! With `cli` the only module that writes.

mod device;
mod earlier;
mod files;
mod hold;
mod lock;
mod manifest;
mod set;
mod signals;
mod target;
mod templates;

pub use files::{refuse_link, write_bytes, write_whole};
pub use hold::{Held, Hold, hold};
pub use set::{finish, remove_reports};
pub use templates::{Own, unused_templates};

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use indexmap::IndexSet;

use crate::exit::Failure;
use crate::render::{self, CommentOptions, Earlier, Format, Keeping, RenderOptions};
use crate::report::Report;
use crate::text::{Catalogue, Catalogues, Lang};
use earlier::Found;
use manifest::{Listed, Manifest};
use target::Target;

/// Name and extension of the format that people write in.
const DOCUMENT: &str = "md";

/// Where a report goes and how it looks, settled before the work begins.
pub struct Output {
    formats: Vec<&'static dyn Format>,
    target: Target,
    options: RenderOptions,
    kind: &'static str,
    offers_places: bool,
    force: bool,
    lang: Lang,
}

/// What is kept of a document that lies where the report goes.
#[derive(Default)]
struct Kept {
    keeping: Option<Keeping>,
    /// The document, where something in it has to be kept aside as well.
    edited: Option<PathBuf>,
}

/// Files beside the reports, by their names below the directory that these go to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Beside<'a> {
    pub files: &'a [(String, String)],
    /// Those that an earlier report left and that have no place beside this one.
    pub stale: &'a [String],
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
    /// How the report is called in a directory, without extension.
    pub name: &'static str,
    pub formats: &'a [String],
    pub templates: Option<&'a Path>,
    /// The user's own report, if it is one.
    pub own: Option<&'a Own>,
    /// The configuration file, which no report replaces.
    pub config: Option<&'a Path>,
    /// The kind of the report.
    pub kind: &'static str,
    /// Whether documents show places where a person may write.
    pub offers_places: bool,
    /// Whether what is no report, is of another kind or cannot be kept is replaced.
    pub force: bool,
    /// Whether charts of the document are files beside it.
    pub charts_as_files: bool,
    /// The language of what is said of earlier reports.
    pub lang: Lang,
    pub comment: &'a CommentOptions,
}

impl Output {
    /// Settles formats, place, templates and words.
    ///
    /// # Errors
    /// When formats and place do not go together, templates cannot be used, or what lies there already
    /// would be lost.
    pub fn new(wanted: Wanted<'_>) -> Result<Self, Failure> {
        let formats = formats(wanted.formats, wanted.path);
        let target = target(wanted.path, formats.len(), wanted.name)?;
        let templates = templates::read_templates(wanted.templates, wanted.own)?;
        let catalogues = templates::catalogues(&templates)?;
        let own = wanted.own.map(|own| own.kind.clone());
        let comment = wanted.comment.clone();
        let charts_as_files = wanted.charts_as_files;
        if charts_as_files && !takes_charts(&formats, &target) {
            return Err(Failure::refused("refused.assets", &[]));
        }
        let options = RenderOptions {
            templates,
            catalogues,
            own,
            comment,
            charts_as_files,
            ..RenderOptions::default()
        };
        let Wanted { kind, offers_places, force, lang, .. } = wanted;
        let output = Self { formats, target, options, kind, offers_places, force, lang };
        output.refuse_overwriting(wanted.config.into_iter().chain(wanted.templates))?;
        output.kept()?;
        Ok(output)
    }

    /// What has to be kept of the files that are there. Asked before the work begins, and again when
    /// it is done: meanwhile a person may have written something.
    fn kept(&self) -> Result<Kept, Failure> {
        let label = self.options.label(self.kind);
        let refuse = |path: &Path, found: &Found, own: &str| {
            if self.force { Ok(()) } else { earlier::refuse_other(path, found, own) }
        };
        for format in &self.formats {
            let Some(path) = self.target.file(format.extension()) else { continue };
            let own = if format.name() == "json" { self.kind } else { &label };
            refuse(&path, &earlier::found(&path, *format)?, own)?;
        }
        let is_drawn = |name: &str| self.formats.iter().any(|format| format.name() == name);
        let path = self.target.document().filter(|_| is_drawn(DOCUMENT) || is_drawn("html"));
        let Some(path) = path else { return Ok(Kept::default()) };
        let mut edited = None;
        let found = earlier::earlier_document(&path, self.words(self.lang));
        let earlier = if is_drawn(DOCUMENT) {
            match found {
                Err(_) if self.force => {
                    edited = Some(path);
                    None
                }
                found => {
                    let found = found?;
                    refuse(&path, &earlier::kind_of(found.as_ref()), &label)?;
                    let is_other = |kind: &String| *kind != label;
                    let has_more =
                        |one: &Earlier| one.is_edited || one.label.as_ref().is_some_and(is_other);
                    edited = found.as_ref().is_some_and(has_more).then_some(path);
                    found
                }
            }
        } else {
            // The words of a page stand in the document beside it, if that is of the same report.
            found.ok().flatten().filter(|earlier| earlier.label.as_ref() == Some(&label))
        };
        let keeping = Some(Keeping { earlier, offers_places: self.offers_places });
        Ok(Kept { keeping, edited })
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
        let outputs: Vec<PathBuf> =
            self.files().filter_map(|path| path.canonicalize().ok()).collect();
        for input in inputs.into_iter().filter_map(|input| input.canonicalize().ok()) {
            let part = |output: &&PathBuf| {
                let name = output.file_name().map(OsStr::to_string_lossy);
                let own = name.is_some_and(|name| name.starts_with("report."));
                **output == input
                    || (output.starts_with(&input) && !(own && earlier::is_own(output)))
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
            Target::Directory(path, _) => Some(path),
            Target::Standard | Target::File(_) => None,
        }
    }

    pub fn goes_to_files(&self) -> bool {
        self.files().next().is_some()
    }

    /// The text of a file of that name in the directory that the report goes to; `None` where there
    /// is no such file, or no directory.
    ///
    /// # Errors
    /// When it is there and cannot be read as text.
    pub fn existing(&self, name: &str) -> Result<Option<String>, io::Error> {
        let Some(path) = self.directory().map(|directory| directory.join(name)) else {
            return Ok(None);
        };
        match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
            // A pipe would be waited for.
            Ok(there) if !there.is_file() => Err(io::ErrorKind::InvalidInput.into()),
            Ok(_) => fs::read_to_string(path).map(Some),
        }
    }

    /// Writes every format and what belongs beside it: all of it, or nothing.
    ///
    /// # Errors
    /// When a report cannot be drawn or written, or what lies there now would be lost.
    pub fn write(
        &self,
        report: &Report,
        beside: Beside<'_>,
        out: &mut dyn Write,
    ) -> Result<Written, Failure> {
        let (directory, beside) = match &self.target {
            Target::Standard => {
                for text in self.drawn(report, Kept::default().keeping, 0)? {
                    out.write_all(text.as_bytes()).map_err(Failure::standard_output)?;
                }
                return Ok(Written::default());
            }
            Target::File(path) if device::is_device(path) => {
                for text in self.drawn(report, self.kept()?.keeping, 0)? {
                    device::write(path, text.as_bytes())
                        .map_err(|source| Failure::write(path, source))?;
                }
                return Ok(Written { reports: vec![path.clone()], aside: None });
            }
            Target::File(path) if self.is_appended() => {
                let taken = fs::metadata(path).map_or(0, |there| there.len() as usize);
                for text in self.drawn(report, None, taken)? {
                    files::append(path, &text).map_err(|source| Failure::write(path, source))?;
                }
                return Ok(Written { reports: vec![path.clone()], aside: None });
            }
            Target::File(path) => (files::directory_of(path), Beside::default()),
            Target::Directory(directory, _) => (directory.as_path(), beside),
        };
        let made = files::make_directories(directory);
        let made = made.map_err(|source| Failure::write(directory, source))?;
        let written = self.write_into(directory, report, beside);
        written.inspect_err(|_| files::remove_directories(&made))
    }

    /// Whether the file that was named belongs to others as well.
    fn is_appended(&self) -> bool {
        self.formats.iter().all(|format| format.is_appended())
    }

    /// The text of every format; `taken` are the bytes that stand before it.
    fn drawn(
        &self,
        report: &Report,
        keeping: Option<Keeping>,
        taken: usize,
    ) -> Result<Vec<String>, Failure> {
        let options = RenderOptions { keeping, taken, ..self.options.clone() };
        let draw = |format: &&dyn Format| format.render(report, &options).map_err(Failure::usage);
        self.formats.iter().map(draw).collect()
    }

    fn write_into(
        &self,
        directory: &Path,
        report: &Report,
        beside: Beside<'_>,
    ) -> Result<Written, Failure> {
        let is_shared = self.directory().is_some()
            || set::is_unfinished(directory)
            || self.is_part_of_a_set(directory);
        let _lock = is_shared.then(|| lock::take(directory)).transpose()?;
        if is_shared {
            set::settle(directory)?;
        }
        let kept = self.kept()?;
        let texts = self.drawn(report, kept.keeping, 0)?;
        let charts = self.charts(report);
        let listed = Manifest::read(directory).map(|manifest| manifest.files).unwrap_or_default();
        let stale_charts = self.stale_charts(directory, &listed, &charts);
        if !self.force {
            refuse_other_charts(directory, &listed, &charts)?;
        }
        let reports: Vec<PathBuf> = self.files().collect();
        for ((format, path), text) in self.formats.iter().zip(&reports).zip(&texts) {
            if !self.force && format.needs_rows() && earlier::is_other_table(path, text)? {
                earlier::refuse_other(path, &Found::Other, "")?;
            }
        }
        let aside = kept.edited.as_deref().map(earlier::keep_aside).transpose()?.flatten();
        let placed = match (&*reports, &*texts) {
            ([path], [text])
                if beside.files.is_empty()
                    && charts.is_empty()
                    && !self.is_part_of_a_set(directory) =>
            {
                place_alone(path, text)
            }
            _ => {
                let drawn = reports.iter().filter_map(|path| name_of(path)).zip(texts);
                let mut files: Vec<_> =
                    drawn.chain(charts).chain(beside.files.iter().cloned()).collect();
                // What people write in comes first, see `set`.
                let document = self.target.document().and_then(|path| name_of(&path));
                files.sort_by_key(|(name, _)| document.as_ref() != Some(name));
                self.place_together(directory, &files)
            }
        };
        if let (Err(_), Some(aside)) = (&placed, aside.as_ref().filter(|aside| aside.is_new)) {
            let _kept = fs::remove_file(&aside.path);
        }
        placed?;
        for name in beside
            .stale
            .iter()
            .chain(&stale_charts)
            .filter(|name| set::is_inside(directory, Path::new(name)))
        {
            // What cannot be removed is as harmless as it was.
            let _gone = fs::remove_file(directory.join(name));
        }
        files::remove_directories(&[directory.join(render::CHART_DIRECTORY)]);
        Ok(Written { reports, aside: kept.edited.zip(aside.map(|aside| aside.path)) })
    }

    /// Name and content of the charts that go beside the document.
    fn charts(&self, report: &Report) -> Vec<(String, String)> {
        if !self.options.charts_as_files {
            return Vec::new();
        }
        render::chart_files(report, &self.options)
    }

    /// The charts of an earlier document that have no place beside this one, unless somebody edited them. Of
    /// a document that stays the charts stay.
    fn stale_charts(
        &self,
        directory: &Path,
        listed: &[Listed],
        charts: &[(String, String)],
    ) -> Vec<String> {
        if !self.formats.iter().any(|format| format.name() == DOCUMENT) {
            return Vec::new();
        }
        let is_stale = |file: &&Listed| {
            Path::new(&file.name).starts_with(render::CHART_DIRECTORY)
                && charts.iter().all(|(name, _)| *name != file.name)
                && !Manifest::is_edited(directory, file)
        };
        listed.iter().filter(is_stale).map(|file| file.name.clone()).collect()
    }

    /// Whether a file that would be written is one of those that were written together.
    fn is_part_of_a_set(&self, directory: &Path) -> bool {
        let Some(manifest) = Manifest::read(directory) else { return false };
        self.files().filter_map(|path| name_of(&path)).any(|name| manifest.lists(&name))
    }

    /// The files that the reports go to.
    fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.formats.iter().filter_map(|format| self.target.file(format.extension()))
    }

    fn place_together(&self, directory: &Path, files: &[(String, String)]) -> Result<(), Failure> {
        if !self.force && Manifest::is_foreign(directory) {
            earlier::refuse_other(&directory.join(manifest::NAME), &Found::Other, "")?;
        }
        let names = files.iter().map(|(name, _)| name.as_str()).chain([manifest::NAME]);
        let made = set::prepare(directory, names)?;
        set::write(directory, self.kind, files).inspect_err(|_| files::remove_directories(&made))
    }
}

/// Refuses to replace what is no chart of this program, and what somebody edited.
fn refuse_other_charts(
    directory: &Path,
    listed: &[Listed],
    charts: &[(String, String)],
) -> Result<(), Failure> {
    for (name, _) in charts {
        let path = directory.join(name);
        let is_edited =
            listed.iter().any(|file| file.name == *name && Manifest::is_edited(directory, file));
        let is_own = || fs::read_to_string(&path).is_ok_and(|text| render::is_chart_file(&text));
        if path.exists() && (is_edited || !is_own()) {
            earlier::refuse_other(&path, &Found::Other, "")?;
        }
    }
    Ok(())
}

/// Whether a document is written to a directory, where files can lie beside it.
fn takes_charts(formats: &[&'static dyn Format], target: &Target) -> bool {
    let is_document = |format: &&dyn Format| format.name() == DOCUMENT;
    matches!(target, Target::Directory(..)) && formats.iter().any(is_document)
}

/// Puts one file in its place.
fn place_alone(path: &Path, text: &str) -> Result<(), Failure> {
    set::prepare(files::directory_of(path), path.file_name())?;
    files::replace(path, text.as_bytes()).map_err(|source| Failure::write(path, source))
}

fn name_of(path: &Path) -> Option<String> {
    path.file_name()?.to_str().map(str::to_owned)
}

/// Where the reports go; several need a directory.
fn target(output: Option<&Path>, formats: usize, name: &'static str) -> Result<Target, Failure> {
    let target = Target::from_path(output, formats, name);
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
