//! Tables of results in Markdown: reports by people, leaderboards, and what lm-evaluation-harness prints.
//!
//! A table is read by the rules of tables in CSV where it has a metric that is known by name, names the
//! metric in each row, has a coordinate for each column, or scores of models by dataset. Other tables
//! are set aside and counted.

use comrak::nodes::{AstNode, NodeValue};
use comrak::{Arena, Options, parse_document};

use super::super::content::{read_text, torn_tail};
use super::super::records::FileSheet;
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::coordinates::dim_of_column;
use super::figure::{FileFigure, read_cell};
use super::file_figures::read_figures;
use super::row_settings::RowSettings;
use super::{grid_sheet, heads, row_runs, wide};
use crate::diag::{Code, Diagnostic, Location, Warned};
use crate::marked::plain_text;
use crate::model::places_in_name;

pub(super) const NAME: &str = "markdown-table";
pub(super) const READER: Reader = Reader { name: NAME, recognises, read };

/// Documents about a run or a model, whose tables are seldom results of the run beside them.
const ABOUT: &[&str] = &["readme", "changelog", "model_card", "modelcard", "license"];
/// Heads of the tables that lm-evaluation-harness prints: results, and groups of them once more.
const TASKS: &str = "Tasks";
const GROUPS: &str = "Groups";
/// The filter that filters nothing.
const FILTER: &str = "filter";
const NO_FILTER: &str = "none";
/// The head of a coordinate that a heading is.
const CONDITION: &str = "condition";
/// Marks around a figure or a name that say something about it and are no part of it.
const MARKS: &[char] =
    &['✅', '❌', '⚠', '⭐', '🏆', '🥇', '🥈', '🥉', '↑', '↓', '†', '‡', '\u{fe0f}'];

fn recognises(file: &FileEntry) -> bool {
    let is_markdown = file.has_extension("md") || file.has_extension("markdown");
    is_markdown
        && !ABOUT.contains(&file.stem())
        && !tables(&String::from_utf8_lossy(&file.head)).is_empty()
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let mut columns = options.columns.clone();
    let mut has_numbers = false;
    let mut settings = RowSettings::default();
    let mut read = read_figures(file, &options.names, open, |tables, fragment, findings| {
        let has_tasks = tables.iter().any(|table| table.is_of(TASKS));
        let of_results =
            |table: &&MarkdownTable| table.holds_results() && !(has_tasks && table.is_of(GROUPS));
        let results: Vec<&MarkdownTable> = tables.iter().filter(of_results).collect();
        has_numbers = results.iter().any(|table| table.has_numbers());
        for table in &results {
            let mut long = wide::to_long(&table.sheet, &table.title, &options.names, &mut columns);
            table.place(&results, &mut long);
            let options = ReadOptions { columns: columns.clone(), ..options.clone() };
            let of_runs = settings.take(&long, &options);
            let context = (file, &options, &*of_runs);
            grid_sheet::read_sheet_figures(&long, context, fragment, findings);
            fragment.sample_fields.extend(long.header);
        }
        let aside: Vec<&MarkdownTable> =
            tables.iter().filter(|table| !table.holds_results() && table.has_figures()).collect();
        findings.extend(set_aside(&aside, file));
    })?;
    row_runs::part_runs(&mut read.value, &columns, options, file);
    settings.give(&mut read.value, file);
    // In a document a number may be anything, but for one in a table of results.
    let is_empty = |one: &&mut Diagnostic| one.code == Code::EmptyFile;
    if let Some(finding) = read.diagnostics.iter_mut().find(is_empty).filter(|_| has_numbers) {
        *finding = finding.clone().with("holds", "something");
    }
    Ok(read)
}

fn open(file: &FileEntry) -> Result<Warned<Vec<MarkdownTable>>, Box<Diagnostic>> {
    let mut findings = Vec::new();
    let text = read_text(file)?.drain_into(&mut findings);
    let mut found = tables(&text);
    findings.extend(drop_torn_row(&text, &mut found).map(|line| torn_tail(file, line)));
    Ok(Warned::new(found, findings))
}

/// Leaves out the row with which a text ends in the middle, and says in which line it stands: it lacks the sign
/// at its end, or a cell, that the head of its table has.
fn drop_torn_row(text: &str, tables: &mut [MarkdownTable]) -> Option<u64> {
    let lines: Vec<&str> = text.lines().collect();
    let (last, number) = (lines.last()?.trim_end(), lines.len() as u64);
    if text.ends_with('\n') {
        return None;
    }
    let table = tables
        .iter_mut()
        .find(|table| table.sheet.rows.last().is_some_and(|(line, _)| *line == number))?;
    let head = lines.get(usize::try_from(table.line).ok()?.checked_sub(1)?)?.trim_end();
    let signs = |line: &str| line.matches('|').count();
    let is_torn = head.ends_with('|') && !last.ends_with('|') || signs(last) < signs(head);
    is_torn.then(|| {
        table.sheet.rows.pop();
        number
    })
}

/// The finding about tables with numbers that are not read.
fn set_aside(tables: &[&MarkdownTable], file: &FileEntry) -> Option<Diagnostic> {
    let first = tables.first()?;
    Some(
        Diagnostic::new(Code::TableSetAside)
            .with("count", tables.len())
            .with("columns", first.sheet.header.clone())
            .at(Location::line(&*file.display, first.line)),
    )
}

struct MarkdownTable {
    /// The heading or caption above it, and those above that one.
    title: String,
    above: String,
    line: u64,
    sheet: FileSheet,
}

impl MarkdownTable {
    fn is_of(&self, head: &str) -> bool {
        self.sheet.header.first().is_some_and(|first| first == head)
    }

    fn holds_results(&self) -> bool {
        let header = wide::plain_heads(&self.sheet.header);
        let is_known =
            wide::has_metric(&header) || wide::names_metric(&header) || wide::has_axis(&header);
        let is_of_figures = is_known
            && (grid_sheet::is_grid(&header)
                || wide::has_axis(&header)
                || wide::is_leaderboard(&header)
                || header.iter().any(|head| dim_of_column(head).is_some()));
        let metrics = self.sheet.rows.iter().filter_map(|(_, row)| row.first().cloned());
        let is_of_metrics = || header.len() > 2 && wide::has_metric(&metrics.collect::<Vec<_>>());
        is_of_figures
            || wide::names_metric(header.get(..1).unwrap_or_default()) && is_of_metrics()
            || wide::is_by_dataset(&header) && self.holds_scores()
    }

    /// Whether the figures behind the first column may be shares or percentages of datasets: documents
    /// have tables of layers, prices and parameters of models too.
    fn holds_scores(&self) -> bool {
        let of_results = |row: &Vec<String>| -> Vec<FileFigure> {
            let cells = self.sheet.header.iter().zip(row).skip(1);
            let cells = cells.filter(|(head, _)| !heads::is_of_model(head));
            cells.filter_map(|(_, cell)| read_cell(cell)).collect()
        };
        let figures: Vec<FileFigure> =
            self.sheet.rows.iter().flat_map(|(_, row)| of_results(row)).collect();
        let mut values = figures.iter().filter_map(|figure| figure.value.value());
        let is_written_as_one =
            |figure: &FileFigure| figure.unit.is_some() || figure.decimals.is_some_and(|n| n > 0);
        values.all(|value| (0.0..=100.0).contains(&value)) && figures.iter().any(is_written_as_one)
    }

    /// Adds what the headings say of all figures of the table: their coordinates, or where another table
    /// has the same heads and other headings, the headings themselves.
    fn place(&self, all: &[&Self], long: &mut FileSheet) {
        let dims = self.stated();
        let heads = |table: &Self| table.sheet.header.clone();
        let is_beside = |other: &&&Self| heads(other) == heads(self);
        let mut others = all.iter().filter(is_beside).map(|other| (&other.above, &other.title));
        let is_told_apart = others.any(|other| other != (&self.above, &self.title));
        let apart = |other: &&&Self| {
            is_beside(other) && other.stated() == dims && other.title != self.title
        };
        let is_needed = is_told_apart && (dims.is_empty() || all.iter().any(|other| apart(&other)));
        let condition = is_needed.then(|| (CONDITION.to_owned(), self.title.clone()));
        for (name, value) in dims.into_iter().chain(condition) {
            let is_there = |head: &String| dim_of_column(head).unwrap_or(head) == name;
            if !long.header.iter().any(is_there) {
                long.header.push(name);
                long.rows.iter_mut().for_each(|(_, row)| row.push(value.clone()));
            }
        }
    }

    /// The coordinates and settings that the headings state: `## GRPO Epoch 1`, `### KL_BETA=0.12`.
    fn stated(&self) -> Vec<(String, String)> {
        let whole = [self.above.as_str(), &self.title].join(" ");
        let places = places_in_name(&whole.replace(|c: char| !c.is_alphanumeric(), " "));
        let places = places.iter().map(|(name, value)| (name.to_owned(), value.to_string()));
        let words = whole.split(|c: char| c.is_whitespace() || "()（），,;".contains(c));
        let mut stated: Vec<(String, String)> = places.collect();
        for (name, value) in words.filter_map(heads::setting) {
            if stated.iter().all(|(known, _)| *known != name) {
                stated.push((name, value));
            }
        }
        stated
    }

    /// Whether a cell behind the first column has a digit.
    fn has_numbers(&self) -> bool {
        let cells = self.sheet.rows.iter().flat_map(|(_, row)| row.iter().skip(1));
        cells.into_iter().any(|cell| cell.contains(|c: char| c.is_ascii_digit()))
    }

    fn has_figures(&self) -> bool {
        let cells = self.sheet.rows.iter().flat_map(|(_, row)| row);
        let mut figures = cells.filter_map(|cell| read_cell(cell)?.value.value());
        figures.next().is_some()
    }
}

/// The tables of a document in their order.
fn tables(text: &str) -> Vec<MarkdownTable> {
    if !text.contains('|') {
        return Vec::new();
    }
    let arena = Arena::new();
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    let root = parse_document(&arena, text, &options);
    let mut tables = Vec::new();
    let mut headings: Vec<(u8, String)> = Vec::new();
    for node in root.descendants() {
        match &node.data.borrow().value {
            NodeValue::Heading(heading) => {
                headings.retain(|(level, _)| *level < heading.level);
                headings.push((heading.level, unmarked(node)));
            }
            NodeValue::Paragraph if is_caption(node) => {
                headings.retain(|(level, _)| *level < CAPTION);
                headings.push((CAPTION, unmarked(node)));
            }
            NodeValue::Table(_) => tables.push(table(node, &headings)),
            _ => {}
        }
    }
    tables
}

/// The level of a line in bold, below all headings.
const CAPTION: u8 = 7;

/// Whether a paragraph is nothing but words in bold, of the document itself.
fn is_caption<'a>(node: &'a AstNode<'a>) -> bool {
    let of_document =
        |parent: &'a AstNode<'a>| matches!(parent.data.borrow().value, NodeValue::Document);
    let mut children = node.children();
    let only = children.next().filter(|_| children.next().is_none());
    only.is_some_and(|only| matches!(only.data.borrow().value, NodeValue::Strong))
        && node.parent().is_some_and(of_document)
}

fn table<'a>(node: &'a AstNode<'a>, headings: &[(u8, String)]) -> MarkdownTable {
    let line = |node: &'a AstNode<'a>| node.data.borrow().sourcepos.start.line as u64;
    let mut rows = node.children().map(|row| {
        let cells = row.children().map(unmarked).collect::<Vec<String>>();
        (line(row), cells)
    });
    let header = rows.next().map(|(_, cells)| cells).unwrap_or_default();
    let rows = rows.collect();
    let titles: Vec<&str> = headings.iter().map(|(_, title)| title.as_str()).collect();
    let (title, above) = titles.split_last().map_or(("", &[][..]), |(last, above)| (*last, above));
    let (title, above) = (title.to_owned(), above.join(" "));
    let sheet = FileSheet { header, rows };
    let mut table = MarkdownTable { title, above, line: line(node), sheet };
    if table.is_of(TASKS) || table.is_of(GROUPS) {
        fill_down(&mut table.sheet);
    }
    table
}

/// What lm-evaluation-harness leaves out: the task that the row above names, and that nothing is
/// filtered.
fn fill_down(sheet: &mut FileSheet) {
    let filter = sheet.header.iter().position(|head| head.eq_ignore_ascii_case(FILTER));
    let mut above = String::new();
    for (_, row) in &mut sheet.rows {
        if let Some(task) = row.first_mut() {
            // Tasks of a group stand below it behind a dash.
            let name = task.trim_start_matches(['-', ' ']).to_owned();
            *task = if name.is_empty() { above.clone() } else { name };
            above.clone_from(task);
        }
        if let Some(filter) = filter.and_then(|column| row.get_mut(column))
            && filter == NO_FILTER
        {
            filter.clear();
        }
    }
}

/// The text of a node without emphasis and marks.
fn unmarked<'a>(node: &'a AstNode<'a>) -> String {
    let text = plain_text(node);
    let whole = text.trim();
    let plain = whole.trim_matches(|c: char| c.is_whitespace() || MARKS.contains(&c));
    // A cell of nothing but a mark says what the mark does.
    if plain.is_empty() { whole.to_owned() } else { plain.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<Vec<String>> {
        let tables = tables(text);
        let table = tables.first().expect("a table");
        let rows = table.sheet.rows.iter().map(|(_, row)| row.clone());
        [table.sheet.header.clone()].into_iter().chain(rows).collect()
    }

    #[test]
    fn cells_are_without_emphasis_and_marks() {
        let text =
            "# T\n\n| **Model** | `acc` ↑ |\n|:--|--:|\n| a | **51.2** ✅ |\n| b\\|c | ? |\n";
        assert_eq!(cells(text), [["Model", "acc"], ["a", "51.2"], ["b|c", "?"]]);
    }

    #[test]
    fn a_task_that_is_left_out_is_the_one_above() {
        let text = "|Tasks|Filter|Metric|Value|\n|--|--|--|--:|\n|gsm8k|strict|em|0.4|\n| |none|em|0.5|\n| - arc|none|acc|0.3|\n";
        assert_eq!(cells(text)[2], ["gsm8k", "", "em", "0.5"]);
        assert_eq!(cells(text)[3][0], "arc");
    }

    #[test]
    fn a_table_without_metrics_holds_no_results() {
        for (text, expected) in [
            ("|dataset|accuracy|\n|--|--|\n|a|0.5|\n", true),
            ("|Samples|Shot 1|Shot 2|\n|--|--|--|\n|100|50%|60%|\n", true),
            ("|模型|准确率|\n|--|--|\n|a|51.2%|\n", true),
            ("|model|gsm8k|math|\n|--|--|--|\n|a|51.2|20|\n", true),
            ("|model|Params (B)|gsm8k|math|\n|--|--|--|--|\n|a|671|51.2|20|\n", true),
            ("|method|params|flops|\n|--|--|--|\n|a|1.2|3.4|\n", false),
            ("|model|layers|heads|\n|--|--|--|\n|a|24|12|\n", false),
            ("|model|price|size|\n|--|--|--|\n|a|0.5|500|\n", false),
            ("|Step|Reward|KL|\n|--|--|--|\n|1|0.5|0.01|\n", true),
            ("|Step|What|\n|--|--|\n|1|5|\n", false),
            ("|dataset|rows|\n|--|--|\n|a|500|\n", false),
            ("|key|value|\n|--|--|\n|lr|0.1|\n", false),
        ] {
            assert_eq!(tables(text)[0].holds_results(), expected, "{text}");
        }
    }
}
