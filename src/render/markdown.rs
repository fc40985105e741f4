//! GitHub-flavoured Markdown.
//!
//! Owns what the templates are given: every text composed for the place it will stand in. The
//! layout is in `report.md.j2` and the templates it includes.

use std::cell::Cell as Counter;

use minijinja::context;
use minijinja::value::{Kwargs, Serde, Value};

use crate::report::Report;
use crate::report::block::{Align, Block, Cell, Section, Table, Text, Tone};
use crate::report::chart::Chart;
use crate::text::{Catalogue, Catalogues, Lang};

use super::escape::{self, TextPlace};
use super::template_values::safe;
use super::{Format, RenderError, RenderOptions, chart, chart_files, inline, kept, templates};

/// The most characters of one literal block, and of one line in it.
const LITERAL_LIMITS: (usize, usize) = (40_000, 4_000);

/// The most characters of what stands for an image where none is shown.
const MOST_DESCRIBED: usize = 1_000;

/// What the template of a document is given, by name, as documented.
pub const CONTEXT: [&str; 7] = ["title", "headline", "trust", "next", "lang", "sections", "report"];

/// What a document is drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DocumentForm {
    Whole,
    /// A page around it draws by itself what Markdown cannot carry, where its mark stands.
    Page,
}

/// Where a page puts samples.
pub(super) const SAMPLES_MARK: &str = "<!-- reportgen:samples -->";

pub(super) struct Markdown;

impl Format for Markdown {
    fn name(&self) -> &'static str {
        "md"
    }

    fn extension(&self) -> &'static str {
        "md"
    }

    fn render(&self, report: &Report, options: &RenderOptions) -> Result<String, RenderError> {
        let document = document(report, DocumentForm::Whole, options)?;
        match &options.keeping {
            None => Ok(document),
            Some(keeping) => Ok(kept::stamped(&document, &options.label(report.kind), keeping)?),
        }
    }
}

/// The line that marks the place of the chart at that position.
pub(super) fn chart_mark(position: usize) -> String {
    format!("<!-- reportgen:chart {position} -->")
}

/// The document with the words of an earlier one, ending in one newline.
pub(super) fn document(
    report: &Report,
    form: DocumentForm,
    options: &RenderOptions,
) -> Result<String, RenderError> {
    let files = options.charts_as_files && form == DocumentForm::Whole;
    let files = if files { chart_files::names(report) } else { Vec::new() };
    let words = options.catalogues.of(report.lang);
    let place = Blocks { form, drawn: Counter::new(0), files, words };
    let sections: Value =
        report.shown_sections().map(|part| section(part, options, &place)).collect();
    let values = [
        safe(inline::markdown(&options.title(report), TextPlace::Heading)),
        safe(inline::markdown(&report.headline.result, TextPlace::Prose)),
        safe(inline::markdown(&report.headline.trust, TextPlace::Prose)),
        safe(inline::markdown(&report.headline.next, TextPlace::Prose)),
        Value::from(report.lang.bcp47),
        sections,
        // The shipped templates show none of it, and much of it takes long.
        if options.has_own_templates() { Value::from(Serde(report)) } else { Value::UNDEFINED },
    ];
    let context: Kwargs = CONTEXT.into_iter().zip(values).collect();
    let layout = options.own.as_ref().map_or("report.md.j2", |own| own.template.as_str());
    let filled = templates::fill_template(layout, context.into(), report.lang, options)?;
    Ok(kept::with_words(&filled, report.lang, options)?)
}

/// Some blocks without a document around them, drawn by the shipped templates. Begins with an empty
/// line.
///
/// # Errors
/// When a shipped template does not fit, which a test rules out.
pub fn section_markdown(
    drawn: &[Block],
    lang: Lang,
    catalogues: Catalogues,
) -> Result<String, RenderError> {
    let options = RenderOptions { catalogues, ..RenderOptions::default() };
    let words = catalogues.of(lang);
    let place =
        Blocks { form: DocumentForm::Whole, drawn: Counter::new(0), files: Vec::new(), words };
    let section = context! { blocks => blocks(drawn, &place) };
    templates::fill_template("section.md.j2", context! { section }, lang, &options)
}

/// What the values of blocks depend on.
struct Blocks<'a> {
    form: DocumentForm,
    /// How many charts have come.
    drawn: Counter<usize>,
    /// The file of each chart, where charts are files beside the document.
    files: Vec<String>,
    words: &'a Catalogue,
}

fn section(section: &Section, options: &RenderOptions, place: &Blocks<'_>) -> Value {
    let own = format!("sections/{}.md.j2", section.id);
    let template = if options.templates.contains_key(&own) { &own } else { "section.md.j2" };
    context! {
        id => section.id,
        title => safe(inline::markdown(&section.title, TextPlace::Heading)),
        blocks => blocks(&section.blocks, place),
        template => template,
    }
}

fn blocks(blocks: &[Block], place: &Blocks<'_>) -> Value {
    let values = blocks.iter().map(|one| block(one, place));
    // A chart that signs cannot show is left out.
    values.filter(|value| !value.is_none()).collect()
}

fn block(block: &Block, place: &Blocks<'_>) -> Value {
    match block {
        Block::Heading { text } => context! {
            kind => "heading",
            text => safe(inline::markdown(text, TextPlace::Heading)),
        },
        Block::Paragraph { text } => context! { kind => "paragraph", text => prose(text) },
        Block::List { ordered, items } => context! {
            kind => "list",
            ordered => *ordered,
            items => lines(items),
        },
        Block::Checklist { items } => context! {
            kind => "checklist",
            items => items
                .iter()
                .map(|(reached, text)| context! { reached => *reached, text => prose(text) })
                .collect::<Value>(),
        },
        Block::Table { table } => self::table(table),
        Block::Callout { tone, title, body } => context! {
            kind => "callout",
            alert => alert(*tone),
            title => safe(inline::markdown_strong(title, TextPlace::Prose)),
            body => lines(body),
        },
        Block::Code { lang, text } => literal(lang, text),
        Block::Samples { .. } if place.form == DocumentForm::Page => {
            context! { kind => "samples", mark => safe(SAMPLES_MARK.to_owned()), blocks => Value::from(()) }
        }
        Block::Samples { blocks, .. } => context! {
            kind => "samples",
            mark => "",
            blocks => self::blocks(blocks, place),
        },
        Block::Chart { chart } => self::chart(chart, place),
        Block::Place { name, blocks } => context! {
            kind => "place",
            name => safe(name.clone()),
            blocks => self::blocks(blocks, place),
        },
        Block::Details { summary, blocks } => context! {
            kind => "details",
            summary => safe(inline::html(summary)),
            blocks => self::blocks(blocks, place),
        },
    }
}

fn prose(text: &Text) -> Value {
    safe(inline::markdown(text, TextPlace::Prose))
}

fn lines(texts: &[Text]) -> Value {
    let composed = texts.iter().map(|text| inline::markdown(text, TextPlace::Prose));
    composed.filter(|line| !line.is_empty()).map(safe).collect()
}

fn table(table: &Table) -> Value {
    let cell = |text: &Text| safe(inline::markdown(text, TextPlace::Cell));
    let rule = |align: Align| match align {
        Align::Left => "---",
        Align::Right => "--:",
        Align::Center => ":-:",
    };
    let row = |row: &Vec<_>| row.iter().map(|shown: &Cell| cell(&shown.text)).collect::<Value>();
    context! {
        kind => "table",
        heads => table.columns().iter().map(|head| cell(&head.title)).collect::<Value>(),
        rules => table.columns().iter().map(|head| safe(rule(head.align).to_owned())).collect::<Value>(),
        rows => table.rows().iter().map(row).collect::<Value>(),
    }
}

/// GitHub's kinds of alert; Gitea and GitLab know the same names.
fn alert(tone: Tone) -> &'static str {
    match tone {
        Tone::Note => "NOTE",
        Tone::Good => "TIP",
        Tone::Warning => "WARNING",
        Tone::Danger => "CAUTION",
    }
}

fn chart(chart: &Chart, place: &Blocks<'_>) -> Value {
    let position = place.drawn.replace(place.drawn.get() + 1);
    if place.form == DocumentForm::Page {
        return context! { kind => "chart", mark => safe(chart_mark(position)) };
    }
    let title = safe(inline::markdown(&Text::strong(chart.title.as_str()), TextPlace::Prose));
    if let Some(file) = place.files.get(position) {
        let description = escape::bounded(&chart.description, MOST_DESCRIBED);
        let alternative = safe(inline::markdown(&Text::plain(description), TextPlace::Prose));
        return context! { kind => "chart", title, alternative, file => safe(file.clone()) };
    }
    let Some(text) = chart::text(chart, chart::TEXT_WIDTH, place.words) else {
        return Value::from(());
    };
    let (fence, text) = fenced(&text);
    context! { kind => "chart", title, fence, text }
}

fn literal(lang: &str, text: &str) -> Value {
    let (fence, text) = fenced(text);
    let tag = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-');
    context! { kind => "code", fence, lang => safe(lang.chars().filter(tag).collect()), text }
}

/// Literal lines and the fence around them.
fn fenced(text: &str) -> (Value, Value) {
    let (most, widest) = LITERAL_LIMITS;
    let cleaned = escape::bounded(&escape::clean_lines(text), most);
    let lines = cleaned.trim_end_matches('\n').split('\n');
    let shown: Vec<String> = lines.map(|line| escape::bounded(line, widest)).collect();
    let shown = shown.join("\n");
    (safe(escape::fence(&shown)), safe(shown))
}
