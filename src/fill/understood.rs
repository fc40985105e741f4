//! What each cell of a table is about, by its headings, the head of its column and the names of its row.

use std::collections::BTreeSet;

use super::labels::Labels;
use super::readings::{About, Facet, Reading, Statistic, Subject};
use crate::marked::{Cell, Document, Figure, Row, Table, Written};
use crate::model::DimValue;
use crate::text::Refusal;

/// What is known of a figure, and which words say so.
#[derive(Debug, Clone, Default)]
pub(super) struct Question(Vec<(Facet, String)>);

/// Two words that contradict each other.
#[derive(Debug, Clone)]
pub(super) struct Contradiction([String; 2]);

impl Question {
    pub(super) fn facets(&self) -> impl Iterator<Item = &Facet> {
        self.0.iter().map(|(facet, _)| facet)
    }

    pub(super) fn arm(&self) -> Option<usize> {
        self.facets().find_map(|facet| match facet {
            Facet::Arm(arm) => Some(*arm),
            _ => None,
        })
    }

    /// Adds what must not contradict what is there. What is left open is settled by either.
    fn join(mut self, further: &Self) -> Result<Self, Contradiction> {
        for (facet, said) in &further.0 {
            match self.0.iter_mut().find(|(own, _)| own.subject() == facet.subject()) {
                None => self.0.push((facet.clone(), said.clone())),
                Some((own, _)) if own == facet => {}
                Some(open)
                    if matches!((&open.0, facet), (Facet::Open(_), _) | (_, Facet::Open(_))) =>
                {
                    *open = (facet.clone(), said.clone());
                }
                Some((_, own)) => return Err(Contradiction([own.clone(), said.clone()])),
            }
        }
        Ok(self)
    }

    /// Lays what stands nearer over what is there.
    fn under(&self, nearer: &Self) -> Self {
        let is_free = |(facet, _): &&(Facet, String)| {
            !nearer.facets().any(|near| near.subject() == facet.subject())
        };
        let mut all = nearer.clone();
        all.0.extend(self.0.iter().filter(is_free).cloned());
        all
    }

    fn of(facets: &[Facet], said: &str) -> Self {
        Self(facets.iter().map(|facet| (facet.clone(), said.to_owned())).collect())
    }
}

impl Contradiction {
    pub(super) fn refusal(&self) -> Refusal {
        let [first, second] = &self.0;
        Refusal::new("fill.contradiction")
            .with("first", first.as_str())
            .with("second", second.as_str())
    }
}

/// What a column holds.
#[derive(Debug, Clone)]
pub(super) enum Column {
    /// Names of rows.
    Key(Key),
    Figure(Question),
    Difference,
    Verdict,
    Trend,
    Statistic(Statistic, Question),
    /// The head was not understood.
    Unknown(String),
}

/// What the names of rows are.
#[derive(Debug, Clone)]
pub(super) enum Key {
    Axis(String),
    Setting(String),
    Name,
}

/// A table of which is known what its cells are about.
#[derive(Debug)]
pub(super) struct Understood {
    pub(super) headings: Vec<String>,
    pub(super) is_bound: bool,
    above: Result<Question, Contradiction>,
    pub(super) columns: Vec<Column>,
    pub(super) header: Row,
    pub(super) rows: Vec<UnderstoodRow>,
    /// The name of the last row that is nothing but a name: it is about all rows below it.
    group: Option<String>,
    /// Whether a column that was not understood holds figures.
    pub(super) has_other_figures: bool,
    /// Columns that hold figures in rows that were not understood.
    pub(super) columns_with_figures_of_others: BTreeSet<usize>,
}

#[derive(Debug)]
pub(super) struct UnderstoodRow {
    pub(super) row: Row,
    names: Result<(Question, Option<Statistic>), RowProblem>,
}

#[derive(Debug)]
enum RowProblem {
    Unknown(String),
    Contradiction(Contradiction),
    /// It has another number of cells than the header.
    Length(usize),
    /// The table has more than [`MOST_COLUMNS`].
    TooWide,
}

/// Columns that a table may have to be filled: what a cell asks for is found by the others of its row.
const MOST_COLUMNS: usize = 200;

/// What is asked for by a cell.
#[derive(Debug)]
pub(super) enum Asked {
    Figure(Question),
    Difference,
    Verdict,
    Trend,
    Statistic(Statistic, Question),
}

impl Understood {
    pub(super) fn of_document(document: &Document, text: &str, labels: &Labels<'_>) -> Vec<Self> {
        document.tables.iter().map(|table| Self::new(table, text, labels)).collect()
    }

    fn new(table: &Table, text: &str, labels: &Labels<'_>) -> Self {
        let mut above = said_above(table, text, labels);
        for (line, bound) in &table.bound {
            let said = format!("reportgen:bind (L{line})");
            let facets: Vec<Facet> = bound.iter().map(|pair| bound_facet(pair, labels)).collect();
            // What is bound counts in place of headings that contradict each other.
            above = Ok(above.unwrap_or_default().under(&Question::of(&facets, &said)));
        }
        let mut understood = Self {
            headings: table.headings.iter().map(|heading| heading.text.clone()).collect(),
            is_bound: !table.bound.is_empty(),
            above,
            columns: columns(&table.header, text, labels),
            header: table.header.clone(),
            rows: Vec::new(),
            group: None,
            has_other_figures: false,
            columns_with_figures_of_others: BTreeSet::new(),
        };
        for row in &table.rows {
            understood.add(row.clone(), text, labels);
        }
        understood
    }

    /// Takes a row as one of the table.
    pub(super) fn add(&mut self, row: Row, text: &str, labels: &Labels<'_>) {
        let names = match &self.group {
            Some(group) => Err(RowProblem::Unknown(group.clone())),
            None => self.names(&row, text, labels),
        };
        let mut beside = row.cells.iter().skip(1).peekable();
        if beside.peek().is_some() && beside.all(|cell| cell.content.is_empty()) {
            self.group = row.cells.first().map(|cell| label(cell, text));
        }
        let row = UnderstoodRow { row, names };
        for (position, (column, cell)) in self.columns.iter().zip(&row.row.cells).enumerate() {
            if !matches!(cell.written, Written::Figure(_)) {
                continue;
            }
            self.has_other_figures |= matches!(column, Column::Unknown(_));
            let is_name = matches!(column, Column::Key(_));
            if !is_name && (row.names.is_err() || self.asked_in(&row, column).is_err()) {
                self.columns_with_figures_of_others.insert(position);
            }
        }
        self.rows.push(row);
    }

    /// What the figures of a row that stands outside would be of if it were one of the table: each
    /// with its cell.
    pub(super) fn figures_of<'r>(
        &self,
        row: &'r Row,
        text: &str,
        labels: &Labels<'_>,
    ) -> Vec<(&'r Figure, Question)> {
        let names = self.names(row, text, labels);
        let trial = UnderstoodRow { row: row.clone(), names };
        let cells = self.columns.iter().zip(&row.cells);
        let figures = cells.filter_map(|(column, cell)| match (&cell.written, column) {
            (Written::Figure(figure), Column::Figure(_)) => match self.asked_in(&trial, column) {
                Ok(Asked::Figure(question)) => Some((figure, question)),
                _ => None,
            },
            _ => None,
        });
        figures.collect()
    }

    fn names(
        &self,
        row: &Row,
        text: &str,
        labels: &Labels<'_>,
    ) -> Result<(Question, Option<Statistic>), RowProblem> {
        if self.columns.len() > MOST_COLUMNS {
            return Err(RowProblem::TooWide);
        }
        if row.cells.len() != self.columns.len() {
            return Err(RowProblem::Length(row.cells.len()));
        }
        let (mut question, mut statistic) = (Question::default(), None);
        for (column, cell) in self.columns.iter().zip(&row.cells) {
            let Column::Key(key) = column else { continue };
            let label = label(cell, text);
            let reading = name_reading(key, &label, labels);
            let Some(reading) = reading else { return Err(RowProblem::Unknown(label)) };
            let said = format!("{label} (L{})", row.line);
            statistic = statistic.or(reading.statistic);
            let further = Question::of(&reading.facets, &said);
            question = question.join(&further).map_err(RowProblem::Contradiction)?;
        }
        Ok((question, statistic))
    }

    /// What a cell asks for; `None` for names of rows.
    pub(super) fn asked(&self, row: usize, column: usize) -> Option<Result<Asked, Refusal>> {
        let row = self.rows.get(row)?;
        let column = self.columns.get(column)?;
        if matches!(column, Column::Key(_)) {
            return None;
        }
        Some(self.asked_in(row, column))
    }

    fn asked_in(&self, row: &UnderstoodRow, column: &Column) -> Result<Asked, Refusal> {
        let (names, statistic) = row.names.as_ref().map_err(|problem| match problem {
            RowProblem::Unknown(label) => {
                Refusal::new("fill.unknown-row").with("label", label.as_str())
            }
            RowProblem::Contradiction(found) => found.refusal(),
            RowProblem::Length(cells) => Refusal::new("fill.short-row")
                .with("cells", *cells)
                .with("columns", self.columns.len()),
            RowProblem::TooWide => Refusal::new("fill.wide-table")
                .with("columns", self.columns.len())
                .with("most", MOST_COLUMNS),
        })?;
        let above = self.above.as_ref().map_err(Contradiction::refusal)?;
        let whole = |own: &Question| {
            let near = own.clone().join(names).map_err(|found| found.refusal())?;
            Ok::<_, Refusal>(above.under(&near))
        };
        match (column, statistic) {
            (Column::Unknown(head), _) => {
                Err(Refusal::new("fill.unknown-column").with("label", head.as_str()))
            }
            (Column::Figure(own), Some(statistic)) | (Column::Statistic(statistic, own), _) => {
                Ok(Asked::Statistic(*statistic, whole(own)?))
            }
            (Column::Figure(own), None) => Ok(Asked::Figure(whole(own)?)),
            (Column::Difference, _) => whole(&Question::default()).map(|_| Asked::Difference),
            (Column::Verdict, _) => whole(&Question::default()).map(|_| Asked::Verdict),
            (Column::Trend | Column::Key(_), _) => Ok(Asked::Trend),
        }
    }

    /// The columns of figures with what is asked for in that row.
    pub(super) fn figures(&self, row: usize) -> impl Iterator<Item = (usize, Question)> {
        (0..self.columns.len()).filter_map(move |column| match self.asked(row, column)? {
            Ok(Asked::Figure(question)) => Some((column, question)),
            _ => None,
        })
    }
}

/// What headings, the paragraph above the table and the head of its first column say.
fn said_above(table: &Table, text: &str, labels: &Labels<'_>) -> Result<Question, Contradiction> {
    let mut above = Ok(Question::default());
    for heading in &table.headings {
        let said = format!("{} (L{})", heading.text, heading.line);
        let reading = labels.read(&heading.text);
        let names_run = reading.facets.iter().any(|facet| facet.subject() == Subject::Run);
        let mut facets = reading.facets;
        if !reading.rest.is_empty() && (reading.names_run || !names_run) {
            // Other words may be about another run, and the names of runs may be words.
            facets.retain(|facet| facet.subject() != Subject::Run);
            let is_said = above.as_ref().is_ok_and(|above: &Question| above.arm().is_some());
            facets.extend((names_run || is_said).then_some(Facet::Open(Subject::Run)));
        }
        above = above.and_then(|above: Question| above.join(&Question::of(&facets, &said)));
    }
    let corner = table.header.cells.first().map(|cell| label(cell, text)).unwrap_or_default();
    let mut said = labels.read(&corner).facets;
    said.retain(|facet| matches!(facet.subject(), Subject::Metric | Subject::Dataset));
    let corner = Question::of(&said, &format!("{corner} (L{})", table.header.line));
    above.map(|above| above.under(&corner))
}

fn columns(header: &Row, text: &str, labels: &Labels<'_>) -> Vec<Column> {
    let heads = header.cells.iter().map(|cell| label(cell, text));
    heads
        .enumerate()
        .map(|(position, head)| {
            let reading = labels.read(&head);
            if let Some(setting) = labels.setting(&head) {
                return Column::Key(Key::Setting(setting));
            }
            if let Some(key) = key(&reading, position) {
                return Column::Key(key);
            }
            let is_mark = !head.contains(char::is_alphanumeric) && reading.about.is_none();
            let is_open = reading.facets.iter().any(|facet| matches!(facet, Facet::Open(_)));
            if !reading.is_understood() || is_open || is_mark {
                return Column::Unknown(head);
            }
            let said = format!("{head} (L{})", header.line);
            let own = Question::of(&reading.facets, &said);
            match (reading.statistic, reading.about) {
                (Some(statistic), _) => Column::Statistic(statistic, own),
                (None, Some(About::Difference)) if head.contains(['%', '％']) => {
                    Column::Unknown(head)
                }
                (None, Some(About::Difference)) => Column::Difference,
                (None, Some(About::Verdict)) => Column::Verdict,
                (None, Some(About::Trend)) => Column::Trend,
                _ => Column::Figure(own),
            }
        })
        .collect()
}

/// Whether a column names its rows: the first one does, and others whose head is a name without a value.
fn key(reading: &Reading, position: usize) -> Option<Key> {
    let is_bare = reading.facets.is_empty() && reading.statistic.is_none();
    if let Some(axis) = reading.axis.as_ref().filter(|_| is_bare && reading.rest.is_empty()) {
        return Some(Key::Axis(axis.clone()));
    }
    if let Some(key) = reading.setting.as_ref().filter(|_| is_bare && reading.rest.is_empty()) {
        return Some(Key::Setting(key.clone()));
    }
    let names = matches!(reading.about, Some(About::Run | About::Metric | About::Dataset));
    (position == 0 || (is_bare && names)).then_some(Key::Name)
}

/// What the name of a row says; `None` where it is not understood.
fn name_reading(key: &Key, label: &str, labels: &Labels<'_>) -> Option<Reading> {
    match key {
        Key::Axis(axis) => {
            let reading = labels.read(label);
            let is_value = |facet: &Facet| matches!(facet, Facet::At(own, _) if own == axis);
            if reading.is_understood() && reading.facets.iter().any(is_value) {
                return Some(reading);
            }
            let value = DimValue::parse(&label.replace(',', ""));
            let facets = vec![Facet::At(axis.clone(), value)];
            (!label.is_empty()).then(|| Reading { facets, ..Reading::default() })
        }
        Key::Setting(key) => labels.read_setting(key, label).or_else(|| name_of(label, labels)),
        Key::Name => name_of(label, labels),
    }
}

fn name_of(label: &str, labels: &Labels<'_>) -> Option<Reading> {
    let reading = labels.read(label);
    let says = !reading.facets.is_empty() || reading.statistic.is_some();
    let is_open = reading.facets.iter().any(|facet| matches!(facet, Facet::Open(_)));
    (reading.is_understood() && says && !is_open && reading.about.is_none()).then_some(reading)
}

fn bound_facet((name, value): &(String, String), labels: &Labels<'_>) -> Facet {
    let run =
        || labels.read(value).facets.into_iter().find(|facet| facet.subject() == Subject::Run);
    match name.as_str() {
        "run" => run().unwrap_or(Facet::OtherArm),
        "metric" => Facet::Metric(labels.metric(value)),
        "dataset" => Facet::Dataset(value.clone()),
        axis => Facet::At(labels.axis(axis), DimValue::parse(value)),
    }
}

/// The words of a cell.
pub(super) fn label(cell: &Cell, text: &str) -> String {
    match &cell.written {
        Written::Text(words) => words.replace("\\|", "|"),
        Written::Figure(figure) => format!("{}{}", figure.number, figure.suffix),
        _ => text.get(cell.content.clone()).unwrap_or_default().to_owned(),
    }
}
