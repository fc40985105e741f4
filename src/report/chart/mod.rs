//! Charts: what is drawn, without how. Each format draws the same data.
//!
//! Owns the marks that a chart can have. Numbers are as they are shown: rates in percent, their
//! differences in percentage points. What is missing is `None`, never 0.

mod shown_range;
pub mod signs;
pub mod thinned;

use serde::Serialize;

pub use shown_range::{ends, spans_decades};
pub use signs::Bar;

use crate::text::Catalogue;

/// A chart. Its names and texts are plain; each format escapes them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chart {
    /// Stable name of what it shows, for example `differences`.
    pub name: &'static str,
    pub title: String,
    /// The finding in words, for whoever does not see the chart.
    pub description: String,
    #[serde(flatten)]
    pub marks: Marks,
}

/// What a chart draws.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "form", rename_all = "kebab-case")]
pub enum Marks {
    /// Points with intervals, row by row; one scale for each panel.
    Intervals { panels: Vec<IntervalPanel> },
    /// Lines over one axis.
    Lines(LineChart),
    /// Cells of rows and columns, coloured by how far they lie from 0.
    Grid { panels: Vec<GridPanel>, key: Option<GridKey> },
    /// Bars from 0 on; `is_whole` where those of a group are shares of one whole.
    Bars { axis: Axis, groups: Vec<BarGroup>, is_whole: bool },
}

impl Chart {
    /// Bars on one scale, whose description lists them.
    pub fn of_bars(
        name: &'static str,
        title: String,
        unit: &'static str,
        groups: Vec<BarGroup>,
        words: &Catalogue,
    ) -> Self {
        let gap = words.get("punctuation.semicolon");
        let listed = groups.iter().flat_map(|group| {
            let bars = group.bars.iter().map(|bar| format!("{} {}", bar.name, bar.shown));
            Some(group.name.clone()).filter(|name| !name.is_empty()).into_iter().chain(bars)
        });
        let description = listed.collect::<Vec<_>>().join(&gap);
        let axis = Axis { title: title.clone(), unit, is_difference: false };
        let marks = Marks::Bars { axis, groups, is_whole: false };
        Self { name, title, description, marks }
    }

    /// Cells on one scale of colours, whose description lists them. The title says what `*` means where
    /// anything is established.
    pub fn of_grid(
        name: &'static str,
        title: String,
        panels: Vec<GridPanel>,
        words: &Catalogue,
    ) -> Self {
        let cells = || panels.iter().flat_map(|panel| &panel.rows).flat_map(|row| &row.cells);
        let is_any = cells().any(|cell| cell.state == CellState::Decided);
        let established = is_any.then(|| words.get("chart.cell.established"));
        let description: Vec<&str> = cells().map(|cell| cell.said.as_str()).collect();
        let description = description.join(&words.get("punctuation.semicolon"));
        let title = title + &established.unwrap_or_default();
        let key = GridKey::of(cells(), words);
        Self { name, title, description, marks: Marks::Grid { panels, key } }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineChart {
    pub x: Axis,
    pub y: Axis,
    /// What the scale of figures is, where that is not what everybody expects; else empty.
    pub scale: String,
    pub lines: Vec<ChartLine>,
    pub events: Vec<ChartEvent>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChartLine {
    /// Its name in the legend; empty where another line of its series has it.
    pub name: String,
    /// What it is and comes to, for whoever points at it.
    pub said: String,
    /// 0 for the baseline, 1 for the candidate, 2 for what belongs to neither.
    pub series: usize,
    pub weight: LineWeight,
    /// Points in order, parted where figures are NaN or infinite.
    pub parts: Vec<Vec<[f64; 2]>>,
    /// What each point leaves open; none, or one for each point of all parts.
    pub intervals: Vec<Option<[f64; 2]>>,
    /// From where to where figures are NaN or infinite, one after the other.
    pub broken: Vec<[f64; 2]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineWeight {
    Faint,
    Strong,
    /// What figures are held against.
    Guide,
    /// Each point is seen.
    Dots,
    /// Points of another line that have something in common.
    Rings,
    /// Points of another line that nothing is concluded from.
    Crosses,
}

/// Something at a position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChartEvent {
    pub at: f64,
    pub label: String,
    /// Whether a line marks it.
    pub is_marked: bool,
}

/// What the colours of cells say, from one end of the scale to the other, and below it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GridKey {
    pub worse: String,
    pub better: String,
    pub note: String,
}

impl GridKey {
    /// `None` where no cell is better or worse than 0.
    fn of<'c>(cells: impl Iterator<Item = &'c GridCell>, words: &Catalogue) -> Option<Self> {
        let farthest =
            |cell: &GridCell| cell.value.map_or(0.0, |value| (value * cell.direction).abs());
        let most = cells.max_by(|a, b| farthest(a).total_cmp(&farthest(b)))?;
        let note = || words.fill("chart.cell.shades", &[("most", most.label.trim())]);
        (farthest(most) > 0.0).then(|| Self {
            worse: words.get("chart.cell.worse"),
            better: words.get("chart.cell.better"),
            note: note(),
        })
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GridPanel {
    pub title: String,
    /// What rows and columns are.
    pub corner: String,
    pub columns: Vec<String>,
    pub rows: Vec<GridRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GridRow {
    pub name: String,
    /// One for each column.
    pub cells: Vec<GridCell>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GridCell {
    pub value: Option<f64>,
    /// What stands in it: the figure, or a sign for why there is none.
    pub label: String,
    /// What it is, for whoever points at it.
    pub said: String,
    /// 1 where more is better, -1 where less is, 0 where neither.
    pub direction: f64,
    pub state: CellState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CellState {
    /// A value that something is concluded from.
    Decided,
    Open,
    Absent,
    Failed,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BarGroup {
    /// Empty where there is one group.
    pub name: String,
    pub bars: Vec<Bar>,
}

/// What the numbers along a scale are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Axis {
    pub title: String,
    /// `pp`, `s`, `%`; empty where numbers have no unit.
    pub unit: &'static str,
    /// Whether 0 means that nothing differs.
    pub is_difference: bool,
}

impl Axis {
    /// Its title, with the unit of figures; of differences the title says it.
    pub fn named(&self) -> String {
        match self.unit.trim() {
            unit if unit.is_empty() || self.is_difference => self.title.clone(),
            unit if self.title.is_empty() => unit.to_owned(),
            unit => format!("{} ({unit})", self.title),
        }
    }
}

/// Rows on one scale.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IntervalPanel {
    pub axis: Axis,
    /// Names of the arms, where marks are theirs.
    pub arms: Option<[String; 2]>,
    pub rows: Vec<IntervalRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IntervalRow {
    pub name: String,
    /// Heading that it stands below, where it is another than that of the row before.
    pub group: Option<String>,
    pub marks: Vec<IntervalMark>,
    /// The limits of what is taken for no difference.
    pub margin: Option<[f64; 2]>,
    /// The figures as the tables show them.
    pub figure: String,
    /// What is said of it.
    pub word: String,
    pub look: RowLook,
}

/// Whether a difference is for the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    Better,
    Worse,
}

/// How firmly a row stands, which shapes show beside its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct RowLook {
    /// Whether something is said of it for certain.
    pub is_decided: bool,
    /// Whether a finding keeps it from being judged.
    pub is_blocked: bool,
    /// Whether it sums up several rows.
    pub is_pooled: bool,
    /// Which way it went, where one way is good.
    pub side: Option<Side>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct IntervalMark {
    pub at: f64,
    pub interval: Option<[f64; 2]>,
    pub shape: MarkShape,
}

impl IntervalMark {
    pub fn figure(at: f64, interval: Option<[f64; 2]>) -> Self {
        Self { at, interval, shape: MarkShape::Figure }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarkShape {
    /// What the row is about.
    Figure,
    /// One of several that the figure is made of.
    One,
    Baseline,
    Candidate,
}
