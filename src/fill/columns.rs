//! What the columns of a table hold, and what the names of its rows say.

use super::above::label;
use super::directions::{Direction, direction};
use super::labels::Labels;
use super::notes::has_unknown_note;
use super::question::Question;
use super::readings::{About, Beside, Facet, Reading, Statistic, Subject};
use crate::marked::{Figure, Row, Written, without_thousands};
use crate::model::DimValue;

/// What a column holds.
#[derive(Debug, Clone)]
pub(super) enum Column {
    /// Names of rows.
    Key(Key),
    Figure(Question),
    Difference(Direction),
    Verdict,
    Trend,
    Statistic(Statistic, Question),
    /// A mean or a sum of the figures of the row.
    Across(Across, Question),
    /// Of how many samples the figures of the row are.
    Samples(String),
    /// How many of these are right.
    Right,
    /// Nothing that the figures of the row depend on.
    Remark(Beside),
    /// The head was not understood.
    Unknown(String),
}

/// What is made of the figures of a row, or of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Across {
    Mean,
    Sum,
    /// The difference of two, which only rows are.
    Difference,
}

/// What the names of rows are.
#[derive(Debug, Clone)]
pub(super) enum Key {
    Axis(String),
    Setting(String),
    Name,
}

pub(super) fn columns(
    (header, rows): (&Row, &[Row]),
    text: &str,
    labels: &Labels<'_>,
) -> Vec<Column> {
    let heads: Vec<String> = header.cells.iter().map(|cell| label(cell, text)).collect();
    let readings: Vec<Reading> = heads.iter().map(|head| labels.read(head)).collect();
    let is_named_later = readings.iter().skip(1).any(|reading| key(reading, 1).is_some());
    let has_sizes = heads.iter().any(|head| labels.beside(head) == Some(Beside::Samples));
    heads
        .into_iter()
        .zip(readings)
        .enumerate()
        .map(|(position, (head, reading))| {
            if position > 0 || is_named_later {
                match labels.beside(&head) {
                    Some(Beside::Samples) => return Column::Samples(head),
                    Some(Beside::Right) if holds_counts(rows, position, has_sizes) => {
                        return Column::Right;
                    }
                    Some(Beside::Right) | None => {}
                    Some(kind) => return Column::Remark(kind),
                }
            }
            // The dataset of a row is no setting, though the runs may have one of that name for each.
            let names_point = matches!(reading.about, Some(About::Dataset | About::Metric));
            if let Some(setting) = labels.setting(&head).filter(|_| !names_point) {
                return Column::Key(Key::Setting(setting));
            }
            if let Some(key) = key(&reading, position) {
                return Column::Key(key);
            }
            if let Some(direction) = direction(&head, labels) {
                return Column::Difference(direction);
            }
            let is_mark = !head.contains(char::is_alphanumeric) && reading.about.is_none();
            let is_open = reading.facets.iter().any(|facet| matches!(facet, Facet::Open(_)));
            let is_other = (has_sizes && labels.names_right(&head))
                || head.trim_start().starts_with(['-', '−', '–'])
                || has_unknown_note(&head, text, labels);
            if !reading.is_understood() || is_open || is_mark || is_other {
                return Column::Unknown(head);
            }
            let names_run = reading.facets.iter().any(|facet| facet.subject() == Subject::Run);
            let said = format!("{head} (L{})", header.line);
            let own = Question::of(&reading.facets, &said);
            match (reading.statistic, reading.about) {
                (Some(statistic), _) => Column::Statistic(statistic, own),
                (None, Some(About::Difference | About::Gain))
                    if head.contains(['%', '％']) || names_run =>
                {
                    Column::Unknown(head)
                }
                (None, Some(About::Difference)) => Column::Difference(Direction::default()),
                (None, Some(About::Gain)) => {
                    Column::Difference(Direction { is_gain: true, ..Direction::default() })
                }
                (None, Some(About::Average)) => Column::Across(Across::Mean, own),
                (None, Some(About::Total)) => Column::Across(Across::Sum, own),
                (None, Some(About::Verdict)) => Column::Verdict,
                (None, Some(About::Trend)) => Column::Trend,
                _ if reading.in_points => Column::Unknown(head),
                _ => Column::Figure(own),
            }
        })
        .collect()
}

/// Whether a column of right answers holds their numbers and not their share.
fn holds_counts(rows: &[Row], position: usize, has_sizes: bool) -> bool {
    let cells = rows.iter().filter_map(|row| row.cells.get(position));
    let figures = cells.filter_map(|cell| match &cell.written {
        Written::Figure(figure) => Some(figure),
        _ => None,
    });
    let figures: Vec<&Figure> = figures.collect();
    figures.iter().all(|figure| figure.is_whole())
        && (has_sizes || figures.iter().any(|figure| figure.value > 1.0))
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

/// What a row holds whose name says that it is made of the others.
pub(super) fn made_of_others(label: &str, labels: &Labels<'_>) -> Option<Across> {
    let reading = labels.read(label);
    let is_bare =
        reading.is_understood() && reading.facets.is_empty() && !label.contains(['%', '％']);
    match reading.about.filter(|_| is_bare && reading.statistic.is_none())? {
        About::Average => Some(Across::Mean),
        About::Total => Some(Across::Sum),
        About::Difference | About::Gain => Some(Across::Difference),
        _ => None,
    }
}

/// What the name of a row says; `None` where it is not understood.
pub(super) fn name_reading(key: &Key, label: &str, labels: &Labels<'_>) -> Option<Reading> {
    match key {
        Key::Axis(axis) => {
            let reading = labels.read(label);
            let is_value = |facet: &Facet| matches!(facet, Facet::At(own, _) if own == axis);
            if reading.is_understood() && reading.facets.iter().any(is_value) {
                return Some(reading);
            }
            let value =
                DimValue::parse(&without_thousands(label).unwrap_or_else(|| label.to_owned()));
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
