//! One self-contained HTML page around the report's Markdown.
//!
//! Owns the page: style and script inside it, a content security policy that names them by hash,
//! no request to anywhere. Everything can be read without the script.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::context;
use minijinja::value::Value;
use sha2::{Digest as _, Sha256};

use super::html_body::{self, Body, Inserts};
use super::markdown::{self, DocumentForm};
use super::template_values::safe;
use super::{Format, RenderError, RenderOptions, html_samples, inline, kept, templates};
use crate::report::Report;
use crate::report::block::Block;
use crate::text::Catalogue;

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
        let markdown = markdown::document(report, DocumentForm::Page, options)?;
        let (markdown, words) = kept::without_words(&markdown)?;
        let places: Vec<String> = words.into_iter().map(html_body::of_a_person).collect();
        let tables = report.tables();
        let words = options.catalogues.of(report.lang);
        let samples = samples(report, words);
        let charts = report.charts();
        let inserts = Inserts { places: &places, samples: &samples, charts: &charts };
        let Body { html, contents } = html_body::body(&markdown, &tables, &inserts)?;
        let (lead, sections) = parted(&html);
        let contents = if contents.len() < SECTIONS_WITH_CONTENTS { Vec::new() } else { contents };
        let with_samples = !samples.is_empty();
        let style = templates::assets(&["colours.css", "style.css", "charts.css"], options)
            + &templates::assets(if with_samples { &["samples.css"] } else { &[] }, options);
        let script = templates::assets(&["page.js", "tables.js"], options)
            + &templates::assets(if with_samples { &["samples.js"] } else { &[] }, options);
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
            table_words => table_words(words),
            footer => words.fill("html.footer", &[("version", env!("CARGO_PKG_VERSION"))]),
            style_hash => safe(digest(&style)),
            script_hash => safe(digest(&script)),
            style => safe(style),
            script => safe(script),
        };
        let page = templates::fill_template("page.html.j2", context, report.lang, options)?;
        Ok(format!("{}\n", page.trim_end()))
    }
}

/// What stands above a table.
fn table_words(words: &Catalogue) -> Value {
    let word = |name: &str| words.get(&format!("html.table.{name}"));
    context! {
        filter => word("filter"),
        columns => word("columns"),
        copy => word("copy"),
        copied => word("copied"),
    }
}

/// The samples of the sections as elements, in document order.
fn samples(report: &Report, words: &Catalogue) -> Vec<String> {
    let blocks = report.shown_sections().flat_map(|section| &section.blocks);
    let drawn = blocks.filter_map(|block| match block {
        Block::Samples { cards, images, .. } => {
            Some(html_samples::browser(cards, images.as_deref(), words))
        }
        _ => None,
    });
    drawn.collect()
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
