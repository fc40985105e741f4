//! Format-free pieces of a document. Sections make them, formats draw them.
//!
//! Whatever came from a run is plain text here; each format escapes it for its place.

use serde::Serialize;

use super::chart::Chart;
use super::sample_card::SampleCard;
pub use super::text::{Icon, Span, Text};
use crate::quantity;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Align {
    #[default]
    Left,
    Right,
    Center,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnHead {
    pub title: Text,
    pub align: Align,
    /// Whether the column may be left out where there is no room for it.
    pub optional: bool,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Cell {
    pub text: Text,
    /// The number behind it at full precision, for sorting; `None` for texts and missing figures.
    pub value: Option<f64>,
    /// A figure that should be here and is not; shown as `?`.
    pub missing: bool,
    /// Good, bad or doubtful, for formats with colours.
    pub tone: Option<Tone>,
}

impl Cell {
    pub fn text(text: impl Into<Text>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    pub fn number(text: impl Into<Text>, value: f64) -> Self {
        Self { text: text.into(), value: Some(value), ..Self::default() }
    }

    /// A count with commas between groups of three digits.
    pub fn count(count: u64) -> Self {
        Self::number(quantity::count(count), count as f64)
    }

    /// A figure that is not there, and is not missing.
    pub fn dash() -> Self {
        Self::text("—")
    }

    /// A text with the number behind it, where it is known.
    pub fn known(figure: Option<(impl Into<Text>, f64)>) -> Self {
        figure.map_or_else(Self::missing, |(text, value)| Self::number(text, value))
    }

    /// A figure that is not there.
    pub fn missing() -> Self {
        Self::absent("?")
    }

    /// A missing figure, shown as that text.
    pub fn absent(text: impl Into<Text>) -> Self {
        Self { text: text.into(), missing: true, ..Self::default() }
    }
}

impl<T: Into<Text>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::text(text)
    }
}

/// A table. Invariant: every row has as many cells as there are columns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    columns: Vec<ColumnHead>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table with a row for each of these, and no columns yet.
    pub fn of_rows<R>(rows: &[R]) -> ReportColumns<'_, R> {
        ReportColumns {
            rows,
            table: Self { columns: Vec::new(), rows: vec![Vec::new(); rows.len()] },
        }
    }

    /// Apart from the closures that make the cells, which are hundreds: it is compiled once.
    fn add_column(&mut self, title: Text, align: Align, cells: Vec<Cell>) {
        self.columns.push(ColumnHead { title, align, optional: false });
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row.push(cell);
        }
    }

    pub fn columns(&self) -> &[ColumnHead] {
        &self.columns
    }

    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table with the rows that are kept.
    #[must_use]
    pub fn retained(mut self, is_kept: impl Fn(&[Cell]) -> bool) -> Self {
        self.rows.retain(|row| is_kept(row));
        self
    }

    /// The table with other texts in its heads and cells.
    #[must_use]
    pub fn with_texts(mut self, change: &impl Fn(&Text) -> Text) -> Self {
        let heads = self.columns.iter_mut().map(|head| &mut head.title);
        let cells = self.rows.iter_mut().flatten().map(|cell| &mut cell.text);
        for text in heads.chain(cells) {
            *text = change(text);
        }
        self
    }

    /// The table with that many of its rows.
    #[must_use]
    pub fn first_rows(mut self, count: usize) -> Self {
        self.rows.truncate(count);
        self
    }
}

/// A table that is made column by column: a head, and the cell of each row below it.
#[derive(Debug)]
pub struct ReportColumns<'r, R> {
    rows: &'r [R],
    table: Table,
}

impl<'r, R> ReportColumns<'r, R> {
    #[must_use]
    pub fn column<C: Into<Cell>>(
        mut self,
        title: impl Into<Text>,
        align: Align,
        cell: impl Fn(&'r R) -> C,
    ) -> Self {
        let cells = self.rows.iter().map(|row| cell(row).into()).collect();
        self.table.add_column(title.into(), align, cells);
        self
    }

    #[must_use]
    pub fn left<C: Into<Cell>>(self, title: impl Into<Text>, cell: impl Fn(&'r R) -> C) -> Self {
        self.column(title, Align::Left, cell)
    }

    #[must_use]
    pub fn right<C: Into<Cell>>(self, title: impl Into<Text>, cell: impl Fn(&'r R) -> C) -> Self {
        self.column(title, Align::Right, cell)
    }

    /// Lets the last column be left out where there is no room for it.
    #[must_use]
    pub fn optional(mut self) -> Self {
        if let Some(head) = self.table.columns.last_mut() {
            head.optional = true;
        }
        self
    }

    /// Adds columns to some tables only.
    #[must_use]
    pub fn when(self, holds: bool, columns: impl FnOnce(Self) -> Self) -> Self {
        if holds { columns(self) } else { self }
    }

    pub fn table(self) -> Table {
        self.table
    }

    pub fn block(self) -> Block {
        Block::Table { table: self.table }
    }
}

/// How grave a callout or a headline is, from the lightest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tone {
    /// All is well.
    Good,
    /// Worth knowing.
    Note,
    /// May mislead.
    Warning,
    /// Must not be believed as it stands.
    Danger,
}

impl Tone {
    /// The name that formats colour by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Danger => "danger",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Block {
    Heading {
        text: Text,
    },
    Paragraph {
        text: Text,
    },
    List {
        ordered: bool,
        items: Vec<Text>,
    },
    /// For each item, whether it is reached and what it says.
    Checklist {
        items: Vec<(bool, Text)>,
    },
    Table {
        table: Table,
    },
    Callout {
        tone: Tone,
        title: Text,
        body: Vec<Text>,
    },
    Chart {
        chart: Box<Chart>,
    },
    /// Literal lines; `lang` is the tag of the fence.
    Code {
        lang: String,
        text: String,
    },
    Details {
        summary: Text,
        blocks: Vec<Self>,
    },
    /// Samples with the answers of each run. Formats without room for answers beside each other draw
    /// `blocks`.
    Samples {
        cards: Vec<SampleCard>,
        /// What a page says of the images in the cards.
        #[serde(skip)]
        images: Option<String>,
        #[serde(skip)]
        blocks: Vec<Self>,
    },
    /// Where a person writes, and what stands there until then. What was written is found again by
    /// the name.
    Place {
        name: String,
        blocks: Vec<Self>,
    },
}

impl Block {
    pub fn paragraph(text: impl Into<Text>) -> Self {
        Self::Paragraph { text: text.into() }
    }

    pub fn chart(chart: Chart) -> Self {
        Self::Chart { chart: Box::new(chart) }
    }

    pub fn heading(text: impl Into<Text>) -> Self {
        Self::Heading { text: text.into() }
    }

    pub fn folded(summary: impl Into<Text>, blocks: Vec<Self>) -> Self {
        Self::Details { summary: summary.into(), blocks }
    }

    /// A place for a person's words about something, such as an arm.
    pub fn place(name: &str, about: Option<&str>, blocks: Vec<Self>) -> Self {
        let name = std::iter::once(name).chain(about).collect::<Vec<_>>().join("-");
        let words = name.split(|c: char| !c.is_alphanumeric() && c != '.' && c != '_');
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        Self::Place { name: words.join("-"), blocks }
    }

    pub fn bullets(items: Vec<Text>) -> Self {
        Self::List { ordered: false, items }
    }

    /// The block with other texts in it, at every depth. Literal lines, charts and samples stay.
    #[must_use]
    pub fn with_texts(self, change: &impl Fn(&Text) -> Text) -> Self {
        let all = |texts: Vec<Text>| texts.iter().map(change).collect();
        let inner = |blocks: Vec<Self>| -> Vec<Self> {
            blocks.into_iter().map(|block| block.with_texts(change)).collect()
        };
        match self {
            Self::Heading { text } => Self::Heading { text: change(&text) },
            Self::Paragraph { text } => Self::Paragraph { text: change(&text) },
            Self::List { ordered, items } => Self::List { ordered, items: all(items) },
            Self::Checklist { items } => Self::Checklist {
                items: items.iter().map(|(reached, text)| (*reached, change(text))).collect(),
            },
            Self::Table { table } => Self::Table { table: table.with_texts(change) },
            Self::Callout { tone, title, body } => {
                Self::Callout { tone, title: change(&title), body: all(body) }
            }
            Self::Details { summary, blocks } => {
                Self::Details { summary: change(&summary), blocks: inner(blocks) }
            }
            Self::Place { name, blocks } => Self::Place { name, blocks: inner(blocks) },
            same @ (Self::Chart { .. } | Self::Code { .. } | Self::Samples { .. }) => same,
        }
    }
}

/// A titled part of a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section {
    /// Stable name, also the name of a template that may lay it out differently.
    pub id: &'static str,
    pub title: Text,
    /// Content; a section without blocks is not shown.
    pub blocks: Vec<Block>,
}
