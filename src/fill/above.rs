//! What stands above a table and beside it says of what it holds, and whether it was understood.

use super::labels::Labels;
use super::question::{Contradiction, Question};
use super::readings::{About, Beside, Facet, Reading, Subject};
use crate::marked::{Cell, Table, Written, without_escapes};
use crate::model::DimValue;

/// A heading, a caption or a head of a first column that was not understood whole.
#[derive(Debug)]
pub(super) struct Doubt {
    pub(super) said: String,
    /// A title may have names of its own, where something else names the metric.
    pub(super) is_title: bool,
    /// A title that names the metric apart from names of other things.
    pub(super) names_metric: bool,
    /// Says that the table holds differences: it may where these have a column.
    pub(super) is_difference: bool,
}

impl Doubt {
    /// That of words that are no title and say nothing of differences.
    pub(super) fn of(said: String) -> Self {
        Self { said, is_title: false, names_metric: false, is_difference: false }
    }
}

/// What headings, captions and the head of its first column say of a table, and what of them was not
/// understood.
pub(super) fn said_above(
    table: &Table,
    text: &str,
    labels: &Labels<'_>,
) -> (Result<Question, Contradiction>, Vec<Doubt>) {
    let (mut above, mut doubtful) = (Ok(Question::default()), Vec::new());
    for (position, heading) in table.headings.iter().enumerate() {
        let said = format!("{} (L{})", heading.text, heading.line);
        let reading = labels.read_around(&heading.text);
        let has_setting = reading.rest.contains(['=', '＝']);
        let is_title = position == 0 && heading.level == 1 && !has_setting;
        let found = doubt(&reading, &said, is_title);
        let names_metric = is_title && names_metric(&heading.text, &reading, labels);
        doubtful.extend(found.map(|doubt| Doubt { names_metric, ..doubt }));
        above = above.and_then(|above| said_by_heading(above, reading, &said));
    }
    for beside in &table.beside {
        let said = format!("{} (L{})", beside.text, beside.line);
        let reading = labels.read_around(&beside.text);
        if beside.is_label {
            doubtful.extend(doubt(&reading, &said, false));
            above = above.and_then(|above| {
                let mut facets = reading.facets;
                // A caption may be about another table, but for what it says of this one.
                facets.retain(|facet| !matches!(facet, Facet::Open(_)));
                above.join(&Question::of(&facets, &said))
            });
            continue;
        }
        above = above.and_then(|above| {
            let facets: Vec<Facet> = labels.size_said(&beside.text).into_iter().collect();
            above.join(&Question::of(&facets, &said))
        });
        if reading.names_other_figure() {
            doubtful.push(Doubt::of(said));
        }
    }
    let corner = table.header.cells.first().map(|cell| label(cell, text)).unwrap_or_default();
    let reading = labels.read_around(&corner);
    let said = format!("{corner} (L{})", table.header.line);
    let is_other = labels.setting(&corner).is_some() || labels.beside(&corner).is_some();
    doubtful.extend(doubt(&reading, &said, false).filter(|_| !is_other));
    if labels.beside(&corner) == Some(Beside::Samples) {
        // `base` below `Size` is the size of a model.
        doubtful.push(Doubt::of(said.clone()));
    }
    let mut facets = if is_other { Vec::new() } else { reading.facets };
    facets.retain(|facet| {
        matches!(
            facet.subject(),
            Subject::Metric | Subject::Dataset | Subject::Percent | Subject::Samples
        )
    });
    let corner = Question::of(&facets, &said);
    (above.map(|above| above.under(&corner)), doubtful)
}

/// Whether a title that was not understood whole names the metric nevertheless: in Chinese, where words in
/// Latin letters are names, but for one that stands right before the metric.
fn names_metric(title: &str, reading: &Reading, labels: &Labels<'_>) -> bool {
    let is_chinese = |c: char| matches!(c, '\u{4e00}'..='\u{9fff}');
    let names =
        |reading: &Reading| reading.facets.iter().any(|facet| matches!(facet, Facet::Metric(_)));
    let latin = |c: char| c.is_ascii_alphanumeric() || "@+-_.".contains(c);
    let mut words = title.split_inclusive(is_chinese).map(|part| part.trim_end_matches(is_chinese));
    let is_name_known = |words: &str| {
        let last = words.trim_end().rsplit(|c: char| !latin(c)).next().unwrap_or_default();
        labels.read_around(last).is_understood()
    };
    title.contains(is_chinese)
        && reading.rest.is_ascii()
        && names(reading)
        && words.all(is_name_known)
}

fn said_by_heading(
    above: Question,
    reading: Reading,
    said: &str,
) -> Result<Question, Contradiction> {
    let names_run = reading.facets.iter().any(|facet| facet.subject() == Subject::Run);
    let mut facets = reading.facets;
    if !reading.rest.is_empty() {
        // `MMLU Pro` and `MATH level 5` are other ones than those named.
        for facet in &mut facets {
            if let Facet::Dataset(_) = facet {
                *facet = Facet::Open(Subject::Dataset);
            }
        }
    }
    if !reading.rest.is_empty() && (reading.names_run || !names_run) {
        // Other words may be about another run, and the names of runs may be words.
        facets.retain(|facet| facet.subject() != Subject::Run);
        facets.extend((names_run || above.arm().is_some()).then_some(Facet::Open(Subject::Run)));
    }
    above.join(&Question::of(&facets, said))
}

fn doubt(reading: &Reading, said: &str, is_title: bool) -> Option<Doubt> {
    let is_derived =
        |about: About| about.is_difference() || matches!(about, About::Verdict | About::Trend);
    let is_difference = reading.about.is_some_and(is_derived) || reading.statistic.is_some();
    let is_across = matches!(reading.about, Some(About::Average | About::Total));
    let names_other = reading.foreign.is_some() || is_across;
    let is_other = !reading.rest.is_empty() || names_other;
    (is_other || is_difference).then(|| Doubt {
        is_title: is_title && !names_other,
        is_difference: is_difference && !is_other,
        ..Doubt::of(said.to_owned())
    })
}

/// The words of a cell.
pub(super) fn label(cell: &Cell, text: &str) -> String {
    match &cell.written {
        Written::Text(words) => without_escapes(words),
        Written::Figure(figure) => figure.written(),
        _ => text.get(cell.content.clone()).unwrap_or_default().to_owned(),
    }
}

/// Whether a cell says that there is nothing to be said.
pub(super) fn is_empty_word(words: &str) -> bool {
    const EMPTY: &[&str] =
        &["", "-", "--", "–", "—", "n/a", "na", "tbd", "todo", "...", "…", "/", "无", "不适用"];
    EMPTY.contains(&words.trim().to_lowercase().as_str())
}

pub(super) fn bound_facet((name, value): &(String, String), labels: &Labels<'_>) -> Facet {
    let run =
        || labels.read(value).facets.into_iter().find(|facet| facet.subject() == Subject::Run);
    match name.as_str() {
        "run" => run().unwrap_or(Facet::OtherArm),
        "metric" => Facet::Metric(labels.metric(value)),
        "dataset" => Facet::Dataset(value.clone()),
        axis => Facet::At(labels.axis(axis), DimValue::parse(value)),
    }
}
