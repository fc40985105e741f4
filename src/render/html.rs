//! One self-contained HTML page around the report's Markdown.
//!
//! Owns the page: style and script inside it, a content security policy that names them by hash,
//! no request to anywhere. Everything can be read without the script.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::context;
use minijinja::value::Value;
use sha2::{Digest as _, Sha256};

use super::html_body::{self, Body};
use super::template_values::safe;
use super::{Format, RenderError, RenderOptions, inline, kept, markdown, templates};
use crate::report::Report;

/// From this many sections on a page has contents.
const SECTIONS_WITH_CONTENTS: usize = 4;

pub(super) struct Html;

impl Format for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn extension(&self) -> &'static str {
        "html"
    }

    fn render(&self, report: &Report, options: &RenderOptions) -> Result<String, RenderError> {
        let markdown = markdown::document(report, options)?;
        let (markdown, words) = kept::without_words(&markdown)?;
        let places: Vec<String> = words.into_iter().map(html_body::of_a_person).collect();
        let tables = html_body::tables(markdown::shown_sections(report));
        let Body { html, contents } = html_body::body(&markdown, &tables, &places)?;
        let (lead, sections) = parted(&html);
        let contents = if contents.len() < SECTIONS_WITH_CONTENTS { Vec::new() } else { contents };
        let words = options.catalogues.of(report.lang);
        let style = templates::template_source("style.css", options).unwrap_or_default();
        let script = templates::template_source("page.js", options).unwrap_or_default();
        let context = context! {
            lang => report.lang.bcp47,
            title => inline::plain(&options.title(report), 160),
            label => options.label(report.kind),
            tone => report.headline.tone.name(),
            lead => safe(lead.to_owned()),
            body => safe(sections.to_owned()),
            contents => contents
                .into_iter()
                .map(|entry| context! { id => entry.id, text => entry.text })
                .collect::<Value>(),
            contents_title => words.get("html.contents"),
            sort_hint => words.get("html.sort"),
            footer => words.fill("html.footer", &[("version", env!("CARGO_PKG_VERSION"))]),
            style => safe(style.to_owned()),
            style_hash => safe(digest(style)),
            script => safe(script.to_owned()),
            script_hash => safe(digest(script)),
        };
        let page = templates::fill_template("page.html.j2", context, report.lang, options)?;
        Ok(format!("{}\n", page.trim_end()))
    }
}

/// Title and headline, and the rest from the first section on. `<h2` can only be a heading:
/// everything else is escaped.
fn parted(html: &str) -> (&str, &str) {
    html.find("<h2 ").map_or((html, ""), |at| html.split_at(at))
}

/// A source expression of a content security policy.
fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}
