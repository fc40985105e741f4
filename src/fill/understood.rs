//! What each cell of a table is about, by its headings, the head of its column and the names of its row.

use std::collections::BTreeSet;

use super::above::{Doubt, bound_facet, is_empty_word, label, said_above};
use super::columns::{Across, Column, columns, made_of_others, name_reading};
use super::directions::has_other_reference;
use super::labels::Labels;
use super::notes::has_unknown_note;
use super::question::{Contradiction, Question};
use super::readings::{About, Beside, Facet, Statistic};
use super::sizes::samples;
use crate::marked::{Document, Figure, Row, Table, Written};
use crate::text::Refusal;

/// A table of which is known what its cells are about.
#[derive(Debug)]
pub(super) struct Understood {
    pub(super) headings: Vec<String>,
    pub(super) is_bound: bool,
    above: Result<Question, Contradiction>,
    /// What comments above it say.
    bound: Question,
    /// Words around the table that may say that it holds something else.
    doubtful: Vec<Doubt>,
    /// A sentence beside the table that says that its differences are to something else than the first run.
    other_reference: Option<String>,
    pub(super) columns: Vec<Column>,
    pub(super) header: Row,
    pub(super) rows: Vec<UnderstoodRow>,
    /// The name of the last row that is nothing but a name: it is about all rows below it.
    group: Option<String>,
    /// Whether a column that was not understood holds figures.
    pub(super) has_other_figures: bool,
    /// Whether it has a baseline that is none of the runs.
    pub(super) has_other_baseline: bool,
    /// Columns that hold figures in rows that were not understood.
    pub(super) columns_with_figures_of_others: BTreeSet<usize>,
}

#[derive(Debug)]
pub(super) struct UnderstoodRow {
    pub(super) row: Row,
    names: Result<Names, RowProblem>,
}

/// What the names of a row say.
#[derive(Debug, Default)]
struct Names {
    question: Question,
    statistic: Option<Statistic>,
    across: Option<Across>,
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

impl RowProblem {
    fn refusal(&self, columns: usize) -> Refusal {
        match self {
            Self::Unknown(label) => Refusal::new("fill.unknown-row").with("label", label.as_str()),
            Self::Contradiction(found) => found.refusal(),
            Self::Length(cells) => {
                Refusal::new("fill.short-row").with("cells", *cells).with("columns", columns)
            }
            Self::TooWide => {
                Refusal::new("fill.wide-table").with("columns", columns).with("most", MOST_COLUMNS)
            }
        }
    }
}

/// Columns that a table may have to be filled: what a cell asks for is found by the others of its row.
const MOST_COLUMNS: usize = 200;

/// What is asked for by a cell.
#[derive(Debug)]
pub(super) enum Asked {
    Figure(Question),
    /// How many of the samples of the row are right, or how many these are.
    Count(CountOf, Question),
    Difference,
    Verdict,
    Trend,
    Statistic(Statistic, Question),
    /// Made of the figures of the same row.
    OfRow(Across, Question),
    /// Made of the figures of the same column.
    OfColumn(Across, Question),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CountOf {
    Right,
    All,
}

impl Understood {
    pub(super) fn of_document(document: &Document, text: &str, labels: &Labels<'_>) -> Vec<Self> {
        document.tables.iter().map(|table| Self::new(table, text, labels)).collect()
    }

    fn new(table: &Table, text: &str, labels: &Labels<'_>) -> Self {
        let (mut above, mut doubtful) = said_above(table, text, labels);
        let mut binding = Question::default();
        for (line, bound) in &table.bound {
            let said = format!("reportgen:bind (L{line})");
            let facets: Vec<Facet> = bound.iter().map(|pair| bound_facet(pair, labels)).collect();
            // What is bound counts in place of headings that contradict each other.
            let further = Question::of(&facets, &said);
            above = Ok(above.unwrap_or_default().under(&further));
            binding = binding.under(&further);
            if bound.iter().any(|(name, _)| name == "metric") {
                doubtful.clear();
            }
        }
        let mut said_beside = table.beside.iter().map(|beside| &beside.text);
        let mut understood = Self {
            headings: table.headings.iter().map(|heading| heading.text.clone()).collect(),
            is_bound: !table.bound.is_empty(),
            above,
            bound: binding,
            doubtful,
            other_reference: said_beside.find(|said| has_other_reference(said, labels)).cloned(),
            columns: columns((&table.header, &table.rows), text, labels),
            header: table.header.clone(),
            rows: Vec::new(),
            group: None,
            has_other_figures: false,
            has_other_baseline: false,
            columns_with_figures_of_others: BTreeSet::new(),
        };
        for row in &table.rows {
            understood.add(row.clone(), text, labels);
        }
        understood.doubt_counts(table, labels);
        let is_other_baseline = |column: &Column| match column {
            Column::Unknown(head) => is_baseline(head),
            _ => false,
        };
        understood.has_other_baseline |= understood.columns.iter().any(is_other_baseline);
        understood
    }

    /// Doubts a table with numbers of samples below a heading that may be about the number of right answers.
    fn doubt_counts(&mut self, table: &Table, labels: &Labels<'_>) {
        if !self.columns.iter().any(|column| matches!(column, Column::Samples(_))) {
            return;
        }
        let headings = table.headings.iter().map(|heading| (&heading.text, heading.line));
        let captions = table.beside.iter().filter(|beside| beside.is_label);
        let mut around = headings.chain(captions.map(|beside| (&beside.text, beside.line)));
        if let Some((words, line)) = around.find(|(words, _)| labels.names_right(words)) {
            self.doubtful.push(Doubt::of(format!("{words} (L{line})")));
        }
    }

    /// How many samples a row says that it is of.
    pub(super) fn size_of(&self, row: usize) -> Option<u64> {
        let cells = self.columns.iter().zip(&self.rows.get(row)?.row.cells);
        let mut sizes = cells.filter(|(column, _)| matches!(column, Column::Samples(_)));
        match samples(&sizes.next()?.1.written)?.as_slice() {
            [Facet::Samples(size)] => Some(*size),
            _ => None,
        }
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
        if let Err(RowProblem::Unknown(label)) = &row.names {
            self.has_other_baseline |= is_baseline(label);
        }
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

    fn names(&self, row: &Row, text: &str, labels: &Labels<'_>) -> Result<Names, RowProblem> {
        if self.columns.len() > MOST_COLUMNS {
            return Err(RowProblem::TooWide);
        }
        if row.cells.len() != self.columns.len() {
            return Err(RowProblem::Length(row.cells.len()));
        }
        let Names { mut question, mut statistic, mut across } = Names::default();
        for (column, cell) in self.columns.iter().zip(&row.cells) {
            let label = label(cell, text);
            let key = match column {
                Column::Key(key) => key,
                Column::Samples(_) => {
                    let Some(size) = samples(&cell.written) else {
                        return Err(RowProblem::Unknown(label));
                    };
                    let said = format!("{label} (L{})", row.line);
                    let further = Question::of(&size, &said);
                    question = question.join(&further).map_err(RowProblem::Contradiction)?;
                    continue;
                }
                Column::Remark(kind) if !is_harmless(*kind, &label, labels) => {
                    return Err(RowProblem::Unknown(label));
                }
                _ => continue,
            };
            if let Some(made) = made_of_others(&label, labels) {
                across = Some(made);
                continue;
            }
            let reading = name_reading(key, &label, labels)
                .filter(|_| !has_unknown_note(&label, text, labels));
            let Some(reading) = reading else { return Err(RowProblem::Unknown(label)) };
            let said = format!("{label} (L{})", row.line);
            statistic = statistic.or(reading.statistic);
            let further = Question::of(&reading.facets, &said);
            question = question.join(&further).map_err(RowProblem::Contradiction)?;
        }
        Ok(Names { question, statistic, across })
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
        let Names { question: names, statistic, across } =
            row.names.as_ref().map_err(|problem| problem.refusal(self.columns.len()))?;
        let above = self.above.as_ref().map_err(Contradiction::refusal)?;
        let whole = |own: &Question| {
            let near = own.clone().join(names).map_err(|found| found.refusal())?;
            self.one_run(above, &near)?;
            // What is bound may replace what headings say, but no name of a row or a column.
            let near = near.join(&self.bound).map_err(|found| found.refusal())?;
            let whole = above.under(&near);
            self.without_doubt(&whole, column, statistic.is_some() || across.is_some())?;
            Ok::<_, Refusal>(whole)
        };
        if let Some(refusal) = self.unknown_beside(&row.row) {
            return Err(refusal);
        }
        self.is_to_first_run(*across, column)?;
        if let (Some(across), Column::Figure(own)) = (across, column) {
            return Ok(Asked::OfColumn(*across, whole(own)?));
        }
        if let (Some(Across::Mean), Column::Difference(_)) = (across, column) {
            return Ok(Asked::OfColumn(Across::Mean, whole(&Question::default())?));
        }
        if across.is_some() {
            let cell = row.row.cells.first().map(|cell| &cell.written);
            let label = if let Some(Written::Text(words)) = cell { words } else { "" };
            return Err(Refusal::new("fill.unknown-row").with("label", label));
        }
        let sizes = self.count(|column| matches!(column, Column::Samples(_)));
        match (column, statistic) {
            (Column::Across(across, own), None) => Ok(Asked::OfRow(*across, whole(own)?)),
            (Column::Across(..) | Column::Right, Some(_)) => Err(Refusal::new("fill.two-asked")),
            (Column::Unknown(head), _) if head.is_empty() => Err(Refusal::new("fill.no-head")),
            (Column::Right, None) if self.count(|column| matches!(column, Column::Right)) == 1 => {
                whole(&Question::default()).map(|asked| Asked::Count(CountOf::Right, asked))
            }
            (Column::Samples(_), None) if self.has_counts() && sizes == 1 => {
                whole(&Question::default()).map(|asked| Asked::Count(CountOf::All, asked))
            }
            (Column::Right, None) => Err(Refusal::new("fill.other-parts")),
            (Column::Unknown(head) | Column::Samples(head), _) => {
                Err(Refusal::new("fill.unknown-column").with("label", head.as_str()))
            }
            (Column::Remark(_), _) => Err(Refusal::new("fill.remark")),
            (Column::Figure(own), Some(statistic)) | (Column::Statistic(statistic, own), _) => {
                Ok(Asked::Statistic(*statistic, whole(own)?))
            }
            (Column::Figure(own), None) => Ok(Asked::Figure(whole(own)?)),
            (Column::Difference(_), _) => whole(&Question::default()).map(|_| Asked::Difference),
            (Column::Verdict, _) => whole(&Question::default()).map(|_| Asked::Verdict),
            (Column::Trend | Column::Key(_), _) => Ok(Asked::Trend),
        }
    }

    /// Refuses a difference or its verdict where a sentence says that it is to something else, and no head
    /// names both runs.
    fn is_to_first_run(&self, across: Option<Across>, column: &Column) -> Result<(), Refusal> {
        let names_both = |column: &Column| match column {
            Column::Difference(direction) => direction.subtracted.is_some(),
            _ => false,
        };
        let is_difference = match column {
            Column::Difference(_) | Column::Verdict => across.is_none(),
            _ => across == Some(Across::Difference),
        };
        match self.other_reference.as_ref().filter(|_| is_difference) {
            Some(said) if !self.columns.iter().any(names_both) => {
                Err(Refusal::new("fill.other-reference").with("said", said.as_str()))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a figure of another run than the one that a heading is about: of several runs, the table
    /// has that one too.
    fn one_run(&self, above: &Question, near: &Question) -> Result<(), Refusal> {
        let apart = above.arm().zip(near.arm()).filter(|(above, near)| above != near);
        let has = |arm: usize| {
            let rows = self.rows.iter().filter_map(|row| row.names.as_ref().ok());
            let columns = self.columns.iter().filter_map(|column| match column {
                Column::Figure(own) => Some(own),
                _ => None,
            });
            rows.map(|names| &names.question).chain(columns).any(|one| one.arm() == Some(arm))
        };
        match apart {
            Some((arm, _)) if !has(arm) => Err(Contradiction::of_runs(above, near).refusal()),
            _ => Ok(()),
        }
    }

    /// Refuses where words around the table may say that it holds something else.
    fn without_doubt(
        &self,
        asked: &Question,
        column: &Column,
        is_made: bool,
    ) -> Result<(), Refusal> {
        let is_figure = matches!(column, Column::Figure(_)) && !is_made;
        let has_differences = self.columns.iter().any(|one| matches!(one, Column::Difference(_)));
        let counts = |doubt: &&Doubt| {
            let is_named = doubt.names_metric || asked.names_metric_beside(&doubt.said);
            !(doubt.is_title && is_named)
                && !(doubt.is_difference && (!is_figure || has_differences))
        };
        match self.doubtful.iter().find(counts) {
            Some(doubt) => Err(Refusal::new("fill.doubtful").with("label", doubt.said.as_str())),
            None => Ok(()),
        }
    }

    /// The column of the only figure that stands before a column of differences, or since the one before
    /// it: nothing else may be meant. Where runs are columns, others would be of other runs.
    pub(super) fn only_figure_before(&self, row: usize, column: usize) -> Option<usize> {
        let of_run = |column: &Column| match column {
            Column::Figure(own) => own.arm().is_some(),
            _ => false,
        };
        if self.has_other_figures && self.columns.iter().any(of_run) {
            return None;
        }
        let columns = self.columns.get(..column)?;
        let is_made = |column: &Column| {
            matches!(column, Column::Difference(_) | Column::Verdict | Column::Trend)
        };
        // A verdict stands behind the difference that it is of.
        let here = columns.iter().rposition(|column| !is_made(column))? + 1;
        let columns = columns.get(..here)?;
        let start = columns.iter().rposition(is_made).map_or(0, |at| at + 1);
        let cells = &self.rows.get(row)?.row.cells;
        let holds = |at: &usize| match columns.get(*at) {
            Some(Column::Figure(_) | Column::Across(..) | Column::Statistic(..)) => true,
            Some(Column::Unknown(_)) => {
                !matches!(cells.get(*at).map(|cell| &cell.written), Some(Written::Text(words)) if is_empty_word(words))
            }
            _ => false,
        };
        let mut held = (start..here).filter(holds);
        let only = held.next().filter(|at| matches!(columns.get(*at), Some(Column::Figure(_))));
        only.filter(|_| held.next().is_none())
    }

    /// Refuses a row of which a column says something that nobody understands.
    fn unknown_beside(&self, row: &Row) -> Option<Refusal> {
        // Whole numbers before the figures are rather of the row than figures of something else.
        let figures = self.columns.iter().position(|column| matches!(column, Column::Figure(_)));
        let mut cells = self.columns.iter().zip(&row.cells).enumerate();
        cells.find_map(|(at, (column, cell))| {
            let Column::Unknown(head) = column else { return None };
            let words = match &cell.written {
                Written::Text(words) if !is_empty_word(words) => words.clone(),
                Written::Figure(figure)
                    if figure.is_whole() && figures.is_some_and(|figures| at < figures) =>
                {
                    figure.number.clone()
                }
                _ => return None,
            };
            let refusal = Refusal::new("fill.unknown-beside").with("label", head.as_str());
            Some(refusal.with("words", words))
        })
    }

    /// Whether a column has the number of right answers: a size beside it is no size of a model.
    fn has_counts(&self) -> bool {
        self.count(|column| matches!(column, Column::Right)) > 0
    }

    fn count(&self, is_kind: impl Fn(&Column) -> bool) -> usize {
        self.columns.iter().filter(|column| is_kind(column)).count()
    }

    /// Whether a column that was not understood has something in that row, or asks for it.
    pub(super) fn has_other_columns(&self, row: usize) -> bool {
        let cells = self.rows.get(row).map(|row| &row.row.cells);
        let mut cells = self.columns.iter().zip(cells.into_iter().flatten());
        self.has_other_figures
            || cells.any(|(column, cell)| {
                matches!(column, Column::Unknown(_)) && !cell.content.is_empty()
            })
    }

    /// The rows of a column of figures with what is asked for in each.
    pub(super) fn figures_of_column(
        &self,
        column: usize,
    ) -> impl Iterator<Item = (usize, Question)> {
        (0..self.rows.len()).filter_map(move |row| match self.asked(row, column)? {
            Ok(Asked::Figure(question)) => Some((row, question)),
            _ => None,
        })
    }

    /// The columns of figures with what is asked for in that row.
    pub(super) fn figures(&self, row: usize) -> impl Iterator<Item = (usize, Question)> {
        (0..self.columns.len()).filter_map(move |column| match self.asked(row, column)? {
            Ok(Asked::Figure(question)) => Some((column, question)),
            _ => None,
        })
    }
}

/// Whether a remark says nothing of the figures beside it, as far as that can be seen.
fn is_harmless(kind: Beside, words: &str, labels: &Labels<'_>) -> bool {
    let reading = labels.read_around(words);
    let names_rows = |about| matches!(about, About::Run | About::Metric | About::Dataset);
    let is_made = reading.about.is_some_and(|about| !names_rows(about));
    let says = !reading.facets.is_empty() || is_made || reading.names_other_figure();
    let counts = kind == Beside::Remark && words.contains(|c: char| c.is_ascii_digit());
    !says && !counts
}

fn is_baseline(words: &str) -> bool {
    words.to_lowercase().contains("baseline") || words.contains("基线")
}
