//! The Markdown of a report as HTML elements.
//!
//! Owns what the page adds to comrak's output: anchors and contents, real values behind table
//! cells, callouts without English titles. Raw HTML is dropped except the few elements that our
//! own Markdown writes, so that a text that slipped through unescaped still cannot become markup.

use std::fmt::Write as _;

use comrak::html::{ChildRendering, Context, format_document_with_formatter, format_node_default};
use comrak::nodes::{AlertType, AstNode, NodeValue, TableAlignment};
use comrak::options::Plugins;
use comrak::{Arena, Options, parse_document};

use super::kept::PLACE_MARK;
use super::markdown::{SAMPLES_MARK, chart_mark};
use super::{chart, inline};
use crate::report::block::{Cell, Icon, Span, Table};
use crate::report::chart::Chart;

/// What is drawn apart from the document, and stands where it is marked.
pub(super) struct Inserts<'d> {
    /// For each [`PLACE_MARK`].
    pub(super) places: &'d [String],
    /// For each [`SAMPLES_MARK`].
    pub(super) samples: &'d [String],
    /// By the positions in their marks.
    pub(super) charts: &'d [&'d Chart],
}

#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) html: String,
    pub(super) contents: Vec<ContentsEntry>,
}

#[derive(Debug)]
pub(super) struct ContentsEntry {
    /// Anchor, without `#`.
    pub(super) id: String,
    pub(super) text: String,
}

/// Renders a document. `tables` are the tables it was made from, in order; they give each cell the
/// number behind it, unless the document holds another number of tables.
pub(super) fn body(
    markdown: &str,
    tables: &[&Table],
    inserts: &Inserts<'_>,
) -> Result<Body, std::fmt::Error> {
    let arena = Arena::new();
    let options = options();
    let root = parse_document(&arena, markdown, &options);
    root.descendants().for_each(link_to_page);
    let drawn = root.descendants().filter(|node| is_table(node)).count();
    let page = Page {
        tables: if drawn == tables.len() { tables } else { &[] },
        table: 0,
        row: 0,
        column: 0,
        contents: Vec::new(),
        places: inserts.places.iter(),
        samples: inserts.samples.iter(),
        charts: inserts.charts,
    };
    let mut html = String::with_capacity(markdown.len() * 2);
    let plugins = Plugins::default();
    let page = format_document_with_formatter(root, &options, &mut html, &plugins, element, page)?;
    Ok(Body { html, contents: page.contents })
}

/// Turns the link to the Markdown of another report into one to its page. Other links there are none:
/// texts of runs are escaped, and what a person wrote is drawn apart.
fn link_to_page<'a>(node: &'a AstNode<'a>) {
    if let NodeValue::Link(link) = &mut node.data_mut().value
        && let Some(directory) = link.url.strip_suffix(inline::REPORT)
    {
        link.url = format!("{directory}report.html");
    }
}

/// What a person wrote as elements, apart from the document: nothing that is left open in it reaches
/// what follows. HTML of theirs is shown as text.
pub(super) fn of_a_person(markdown: &str) -> String {
    let mut options = options();
    options.render.escape = true;
    comrak::markdown_to_html(markdown, &options)
}

/// As GitHub reads it, with links only where they are written as such.
fn options() -> Options<'static> {
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.alerts = true;
    options
}

struct Page<'r> {
    tables: &'r [&'r Table],
    /// Number of tables begun.
    table: usize,
    /// Number of rows begun below the head of this table.
    row: usize,
    /// Number of cells ended in this row.
    column: usize,
    contents: Vec<ContentsEntry>,
    /// What stands in the places that were not come by yet.
    places: std::slice::Iter<'r, String>,
    /// The samples that were not come by yet.
    samples: std::slice::Iter<'r, String>,
    charts: &'r [&'r Chart],
}

impl<'r> Page<'r> {
    /// The cell of the report that is being drawn.
    fn cell_behind(&self) -> Option<&'r Cell> {
        let table = self.tables.get(self.table.checked_sub(1)?)?;
        table.rows().get(self.row.checked_sub(1)?)?.get(self.column)
    }
}

type Drawn = Result<ChildRendering, std::fmt::Error>;

fn element<'a>(
    context: &mut Context<'_, '_, Page<'_>>,
    node: &'a AstNode<'a>,
    entering: bool,
) -> Drawn {
    match &node.data().value {
        NodeValue::Heading(heading) => head(context, node, entering, heading.level),
        NodeValue::Alert(alert) => callout(context, entering, alert.alert_type),
        NodeValue::HtmlBlock(block) if entering && block.literal.trim() == PLACE_MARK => {
            let words = context.user.places.next().filter(|words| !words.is_empty());
            if let Some(words) = words {
                context.cr()?;
                write!(context, "<div class=\"words\">\n{words}</div>\n")?;
            }
            Ok(ChildRendering::Skip)
        }
        NodeValue::HtmlBlock(block) if entering && block.literal.trim() == SAMPLES_MARK => {
            context.cr()?;
            let samples = context.user.samples.next().map_or("", String::as_str);
            context.write_str(samples)?;
            Ok(ChildRendering::Skip)
        }
        NodeValue::HtmlBlock(block) if entering && marked_chart(&block.literal).is_some() => {
            let position = marked_chart(&block.literal).unwrap_or_default();
            if let Some(chart) = context.user.charts.get(position) {
                context.cr()?;
                context.write_str(&chart::figure(chart, position))?;
            }
            Ok(ChildRendering::Skip)
        }
        NodeValue::HtmlBlock(block) if entering && is_own(&block.literal) => {
            context.cr()?;
            context.write_str(&block.literal)?;
            Ok(ChildRendering::Skip)
        }
        NodeValue::Table(_) => {
            if entering {
                context.user.table += 1;
                context.user.row = 0;
                context.cr()?;
                context.write_str("<div class=\"table\" tabindex=\"0\">\n")?;
            }
            let drawn = format_node_default(context, node, entering);
            if !entering {
                context.write_str("</div>\n")?;
            }
            drawn
        }
        NodeValue::TableRow(in_head) => {
            if entering {
                context.user.row += usize::from(!in_head);
                context.user.column = 0;
            }
            format_node_default(context, node, entering)
        }
        NodeValue::TableCell => cell(context, node, entering),
        NodeValue::TaskItem(item) => task(context, item.symbol.is_some(), entering),
        _ => format_node_default(context, node, entering),
    }
}

/// An item of a checklist: the words behind its box are the label.
fn task(context: &mut Context<'_, '_, Page<'_>>, is_reached: bool, entering: bool) -> Drawn {
    if entering {
        let checked = if is_reached { " checked=\"\"" } else { "" };
        context.cr()?;
        write!(context, "<li><label><input type=\"checkbox\"{checked} disabled=\"\" /> ")?;
    } else {
        context.write_str("</label></li>")?;
        context.lf()?;
    }
    Ok(ChildRendering::HTML)
}

/// The position of the chart whose place that line is.
fn marked_chart(raw: &str) -> Option<usize> {
    let raw = raw.trim();
    let position = raw.strip_prefix("<!-- reportgen:chart ")?.strip_suffix(" -->")?.parse().ok()?;
    (chart_mark(position) == raw).then_some(position)
}

fn head<'a>(
    context: &mut Context<'_, '_, Page<'_>>,
    node: &'a AstNode<'a>,
    entering: bool,
    level: u8,
) -> Drawn {
    if entering {
        let text = node.collect_text();
        let id = context.anchorizer.anchorize(&text);
        context.cr()?;
        write!(context, "<h{level} id=\"")?;
        context.escape(&id)?;
        context.write_str("\">")?;
        if level == 2 {
            context.user.contents.push(ContentsEntry { id: id.clone(), text });
        }
        context.current_anchorized_id = Some(id);
    } else {
        if let Some(id) = context.current_anchorized_id.take()
            && level > 1
        {
            context
                .write_str("<a class=\"anchor\" aria-hidden=\"true\" tabindex=\"-1\" href=\"#")?;
            context.escape_href(&id)?;
            context.write_str("\"></a>")?;
        }
        writeln!(context, "</h{level}>")?;
    }
    Ok(ChildRendering::HTML)
}

fn callout(context: &mut Context<'_, '_, Page<'_>>, entering: bool, kind: AlertType) -> Drawn {
    if entering {
        let tone = match kind {
            AlertType::Tip => "good",
            AlertType::Note | AlertType::Important => "note",
            AlertType::Warning => "warning",
            AlertType::Caution => "danger",
        };
        context.cr()?;
        writeln!(context, "<div class=\"callout {tone}\" role=\"note\">")?;
    } else {
        context.cr()?;
        context.write_str("</div>\n")?;
    }
    Ok(ChildRendering::HTML)
}

fn cell<'a>(
    context: &mut Context<'_, '_, Page<'_>>,
    node: &'a AstNode<'a>,
    entering: bool,
) -> Drawn {
    let row = node.parent();
    let in_head = row.is_some_and(|row| matches!(row.data().value, NodeValue::TableRow(true)));
    let tag = if in_head { "th" } else { "td" };
    if !entering {
        context.user.column += 1;
        write!(context, "</{tag}>")?;
        return Ok(ChildRendering::HTML);
    }
    let behind = if in_head { None } else { context.user.cell_behind() };
    context.cr()?;
    write!(context, "<{tag}")?;
    if in_head {
        context.write_str(" scope=\"col\"")?;
    }
    let align = row.and_then(AstNode::parent).map_or("", |table| align(table, context.user.column));
    let classes = [align, behind.map_or("", look)];
    let classes: Vec<&str> = classes.into_iter().filter(|class| !class.is_empty()).collect();
    if !classes.is_empty() {
        write!(context, " class=\"{}\"", classes.join(" "))?;
    }
    if let Some(value) = behind.and_then(|cell| cell.value).filter(|value| value.is_finite()) {
        write!(context, " data-v=\"{value}\"")?;
    }
    context.write_str(">")?;
    Ok(ChildRendering::HTML)
}

fn align<'a>(table: &'a AstNode<'a>, column: usize) -> &'static str {
    match &table.data().value {
        NodeValue::Table(table) => match table.alignments.get(column) {
            Some(TableAlignment::Right) => "right",
            Some(TableAlignment::Center) => "center",
            _ => "",
        },
        _ => "",
    }
}

/// The look of a cell: missing figures are hatched, judgements coloured.
fn look(cell: &Cell) -> &'static str {
    if cell.missing {
        return "missing";
    }
    let judgement = cell.text.0.iter().find_map(|span| match span {
        Span::Icon(Icon::Good) => Some("good"),
        Span::Icon(Icon::Caution) => Some("caution"),
        Span::Icon(Icon::Bad | Icon::Severe) => Some("bad"),
        _ => None,
    });
    judgement.unwrap_or("")
}

fn is_table<'a>(node: &'a AstNode<'a>) -> bool {
    matches!(node.data().value, NodeValue::Table(_))
}

/// Whether a block of raw HTML holds nothing but the elements that our Markdown writes.
fn is_own(raw: &str) -> bool {
    const OWN: &[&str] = &["details", "summary", "strong", "code"];
    raw.split('<').skip(1).all(|rest| {
        let tag = rest.strip_prefix('/').unwrap_or(rest);
        OWN.iter().any(|own| tag.strip_prefix(own).is_some_and(|end| end.starts_with('>')))
    })
}
