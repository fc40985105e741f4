//! A report drawn in each format.
//!
//! Owns layout, escaping and everything that is particular to a format. Knows reports, not runs
//! and not statistics; computes no figure. Touches neither files nor the environment: template
//! overrides arrive as text, results leave as text.

mod annotations;
mod chart;
mod chart_files;
mod comment;
mod csv;
mod escape;
mod filters;
mod html;
mod html_body;
mod html_samples;
mod inline;
mod json;
mod jsonl;
mod junit;
mod kept;
mod markdown;
mod openmetrics;
mod paper;
#[cfg(test)]
mod round_trip;
mod sarif;
mod template_steps;
mod template_values;
mod templates;
mod terminal;
mod terminal_colours;
mod terminal_samples;
mod widths;

pub use annotations::{MOST_ANNOTATIONS, annotation, annotations, without_commands};
pub use chart_files::{CHART_DIRECTORY, chart_files, is_chart_file};
pub use comment::{CommentOptions, CommentPolicy};
pub use escape::{clean, clean_lines};
pub use inline::cell_markdown;
pub use kept::{Earlier, Keeping};
pub use markdown::{CONTEXT, section_markdown};
pub use sarif::{sarif_log, sarif_place};
pub use templates::SHIPPED;
pub use terminal::{plain_table, terminal};
pub use terminal_colours::TerminalOptions;

use indexmap::IndexMap;

use crate::marked::Unpaired;
use crate::report::Report;
use crate::report::block::Text;
use crate::text::{Catalogues, Lang};

pub trait Format: Sync {
    fn name(&self) -> &'static str;

    /// The file name extension, without dot.
    fn extension(&self) -> &'static str;

    /// Whether it draws the rows of a report, which not every kind has.
    fn needs_rows(&self) -> bool {
        false
    }

    /// Words near the beginning of each of its files, by which these are known.
    fn signature(&self) -> Option<&'static str> {
        None
    }

    /// Whether a file that is named for it belongs to others as well, and takes it at its end.
    fn is_appended(&self) -> bool {
        false
    }

    /// The whole document, ending in one newline; nothing where a comment has nothing new to say.
    ///
    /// # Errors
    ///
    /// When a template of the user does not parse, or asks for a value that is not there.
    fn render(&self, report: &Report, options: &RenderOptions) -> Result<String, RenderError>;
}

/// Every format. To add one: one file with a `Format`, one line here.
pub static FORMATS: &[&dyn Format] = &[
    &markdown::Markdown,
    &html::Html,
    &json::Json,
    &csv::Csv,
    &jsonl::Jsonl,
    &comment::GITHUB,
    &comment::GITLAB,
    &comment::GITEA,
    &comment::PLAIN,
    &comment::SUMMARY,
    &junit::JUnit,
    &sarif::Sarif,
    &openmetrics::OpenMetrics,
    &paper::Latex,
    &paper::Typst,
];

pub fn find(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.name() == name)
}

/// Names of all formats, in the order of [`FORMATS`].
pub fn names() -> Vec<&'static str> {
    FORMATS.iter().map(|format| format.name()).collect()
}

/// What a user may change about the drawing.
#[derive(Debug, Clone, Default)]
pub struct RenderOptions {
    /// Templates and assets that replace or join the shipped ones, by their name below the templates
    /// directory with `/` (`report.md.j2`, `sections/summary.md.j2`, `style.css`).
    pub templates: IndexMap<String, OwnTemplate>,
    pub catalogues: Catalogues,
    /// The kind of report that the user made of this one.
    pub own: Option<OwnKind>,
    /// What becomes of a person's words; `None` on standard output, where nobody writes.
    pub keeping: Option<Keeping>,
    /// Which comment is meant, where the report is one.
    pub comment: CommentOptions,
    /// Whether Markdown shows charts as images, files of [`chart_files()`], and not in signs.
    pub charts_as_files: bool,
    /// Bytes that stand already in a file that a format is appended to.
    pub taken: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnTemplate {
    /// The file as the user named it, for errors.
    pub path: String,
    pub text: String,
}

/// A kind of report that a user made from a template: another document over the same data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnKind {
    /// Its name in `reportgen.toml`.
    pub name: String,
    /// Name of the template that draws the document in the place of `report.md.j2`.
    pub template: String,
    pub words: IndexMap<Lang, OwnWords>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnWords {
    /// Its title; that of the source where there is none.
    pub title: Option<String>,
    /// What `t("…")` finds before it looks into the catalogue.
    pub texts: IndexMap<String, String>,
}

impl RenderOptions {
    fn has_own_templates(&self) -> bool {
        self.own.is_some() || !self.templates.is_empty()
    }

    /// What documents say that they are, beside the program's name.
    pub fn label(&self, kind: &str) -> String {
        let own = self.own.as_ref().map(|own| own.name.replace(['<', '>'], ""));
        own.unwrap_or_else(|| kind.to_owned())
    }

    /// The title of a report: that of the user's kind, else the report's own.
    fn title(&self, report: &Report) -> Text {
        let own = self.own.as_ref().and_then(|own| own.words.get(report.lang)?.title.clone());
        own.map_or_else(|| report.title.clone(), Text::plain)
    }
}

impl From<Unpaired> for RenderError {
    fn from(Unpaired { line, marker }: Unpaired) -> Self {
        Self::Place { line, marker }
    }
}

/// Why a report could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    #[error("template `{template}`, line {line}: `{name}` is not defined")]
    MissingValue {
        template: String,
        line: usize,
        name: String,
        #[source]
        source: minijinja::Error,
    },
    /// A template does not parse, or fails while it is filled.
    #[error("template `{template}`, line {line}: {message}")]
    Template {
        template: String,
        line: usize,
        message: String,
        #[source]
        source: minijinja::Error,
    },
    /// A template draws a marked place without its end, or an end alone.
    #[error(
        "a template leaves a marked place open: line {line} of what it draws is `{marker}`; close \
         it with `{end}`", end = crate::marked::END
    )]
    Place { line: usize, marker: String },
    #[error("cannot write the report as JSON")]
    Json(#[from] serde_json::Error),
    #[error("cannot write the report as HTML")]
    Html(#[from] std::fmt::Error),
    #[error("cannot write the report as CSV")]
    Csv(#[from] ::csv::Error),
}
