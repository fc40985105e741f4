//! `fill`: results into the tables that a person wrote.
//!
//! A document is read as tables of cells by byte range; `labels` says what
//! headings, heads and names of rows mean, `understood` what each cell therefore asks for,
//! `answers` and `derived` what the runs have for it, `style` how that is written there.
//! Nothing but the cells that are filled, and the regions that are renewed, changes, and what is not
//! clear is refused with the reason.

mod above;
mod across;
mod answers;
mod called;
mod cells;
mod columns;
mod composites;
mod coordinates;
mod counts;
mod derived;
mod differences;
mod directions;
mod edits;
mod facts;
mod kinds;
mod labels;
mod notes;
mod phrases;
mod question;
mod readings;
mod regions;
mod scan;
mod sizes;
mod spread;
mod stale;
mod stray;
mod style;
mod sums;
mod surroundings;
mod understood;
mod verified;

use crate::compare::{Verdict, VerdictReason};
use crate::marked::Document;
use crate::model::MetricNames;
use crate::text::Refusal;
use cells::Filling;
use edits::Edit;
use labels::Labels;
use understood::Understood;

pub use called::Called;
pub use facts::{Facts, Point};
pub use regions::{FilledRegion, Parts, RegionOutcome, Regions, region};
pub use verified::{Differing, Verified, verify};

/// What is filled, and how far.
#[derive(Debug, Clone, Default)]
pub struct FillChoices {
    /// Write sums over some of their points, with how many these are.
    pub partial: bool,
    /// Replace figures that the runs contradict.
    pub refresh: bool,
    /// Take rows outside of tables for rows of the table that they fit.
    pub adopts_stray_rows: bool,
    pub only: Option<Only>,
    /// Keep to tables below a heading with these words.
    pub section: Option<String>,
}

impl FillChoices {
    /// Whether figures that the runs contradict are replaced.
    fn replaces_figures(&self) -> bool {
        self.refresh && self.only != Some(Only::Derived)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Only {
    Raw,
    Derived,
}

/// How differences are judged in words and signs.
#[derive(Clone, Copy)]
pub struct Signs<'w> {
    pub judged: &'w dyn Fn(f64, Verdict, Option<VerdictReason>) -> String,
    pub direction: &'w dyn Fn(f64) -> String,
}

/// The document after it was filled, and what became of each cell.
#[derive(Debug)]
pub struct Filled {
    pub text: String,
    /// In the order of the document.
    pub cells: Vec<FilledCell>,
    pub regions: Vec<FilledRegion>,
}

#[derive(Debug)]
pub struct FilledCell {
    /// Counted from 1.
    pub line: usize,
    /// Position in its row, counted from 1.
    pub column: usize,
    pub before: String,
    pub outcome: Outcome,
    edit: Option<Edit>,
}

/// A change that somebody is asked about.
#[derive(Debug, Clone, Copy)]
pub enum Proposal<'f> {
    Cell(&'f FilledCell),
    Region(&'f FilledRegion),
}

/// What became of a cell.
#[derive(Debug)]
pub enum Outcome {
    Written {
        text: String,
        source: String,
    },
    /// The document does not say clearly what is asked for.
    Unclear(Refusal),
    /// The runs do not have it.
    Missing(Refusal),
    /// A figure that the runs contradict.
    Disagrees {
        text: String,
        source: String,
    },
    /// Not among what was chosen.
    Unchosen,
}

/// Fills the tables of a document and renews its regions with what a report has for them.
///
/// # Errors
/// When the shipped words cannot be read, which a test rules out.
pub fn fill(
    text: &str,
    (facts, names, called): (&Facts, &MetricNames, &[Called]),
    (regions, parts): (&Regions<'_>, &Parts),
    choices: &FillChoices,
    signs: Signs<'_>,
) -> Result<Filled, toml::de::Error> {
    let labels = Labels::new(facts, names, called)?;
    let mut document = if text.contains('|') { Document::read(text) } else { Document::default() };
    regions.leave_out_of(&mut document);
    let mut tables = Understood::of_document(&document, text, &labels);
    let stray = &document.stray;
    let fitting = stray::tables_of(stray, &tables, facts, (text, &labels));
    let mut outside = Vec::new();
    for (row, fitting) in stray.iter().zip(fitting) {
        let lines = fitting.iter().filter_map(|at| Some(tables.get(*at)?.header.line));
        let lines: Vec<usize> = lines.collect();
        match fitting.as_slice() {
            [only] if choices.adopts_stray_rows => {
                if let Some(table) = tables.get_mut(*only) {
                    table.add(row.clone(), text, &labels);
                }
            }
            _ => outside.extend(stray::left(row, &lines, text)),
        }
    }
    let shares = surroundings::written_as_shares(&tables, facts);
    let facts = &facts.reading_as_shares(&shares);
    let mut found = Filling::new((&tables, text), facts, choices, signs).cells();
    found.extend(outside);
    found.sort_by_key(|cell| (cell.line, cell.column));
    Ok(Filled::new(text, found, regions.renewed(parts, choices)))
}

impl Filled {
    fn new(before: &str, cells: Vec<FilledCell>, regions: Vec<FilledRegion>) -> Self {
        let of_cells = cells.iter().filter_map(|cell| cell.edit.as_ref());
        let of_regions = regions.iter().filter_map(|region| region.edit.as_ref());
        let mut edits: Vec<&Edit> = of_cells.chain(of_regions).collect();
        edits.sort_by_key(|edit| edit.range.start);
        Self { text: edits::applied(before, &edits), cells, regions }
    }

    /// The document of which this was made with those changes alone that are accepted, which are asked
    /// for in the order of the document.
    ///
    /// # Errors
    /// What asking fails with.
    pub fn accepting<E>(
        mut self,
        before: &str,
        mut accepts: impl FnMut(Proposal<'_>) -> Result<bool, E>,
    ) -> Result<Self, E> {
        let starts = |edit: &Option<Edit>| edit.as_ref().map(|edit| edit.range.start);
        let cells = self.cells.iter().enumerate();
        let cells = cells.filter_map(|(at, cell)| Some((starts(&cell.edit)?, at, false)));
        let regions = self.regions.iter().enumerate();
        let regions = regions.filter_map(|(at, region)| Some((starts(&region.edit)?, at, true)));
        let mut changes: Vec<(usize, usize, bool)> = cells.chain(regions).collect();
        changes.sort_unstable();
        for (_, at, is_region) in changes {
            if is_region {
                if let Some(region) = self.regions.get_mut(at)
                    && !accepts(Proposal::Region(region))?
                {
                    (region.edit, region.outcome) = (None, RegionOutcome::Declined);
                }
            } else if let Some(cell) = self.cells.get_mut(at)
                && !accepts(Proposal::Cell(cell))?
            {
                (cell.edit, cell.outcome) = (None, Outcome::Unchosen);
            }
        }
        Ok(Self::new(before, self.cells, self.regions))
    }
}

/// The headings that stand above tables, where none has these words.
pub fn other_sections(text: &str, words: &str) -> Option<Vec<String>> {
    let document = Document::read(text);
    let above = document.tables.iter().flat_map(|table| &table.headings);
    let mut headings: Vec<String> = above.map(|heading| heading.text.clone()).collect();
    let has = |heading: &String| heading.to_lowercase().contains(&words.to_lowercase());
    if headings.iter().any(has) {
        return None;
    }
    let mut seen = std::collections::BTreeSet::new();
    headings.retain(|heading| seen.insert(heading.clone()));
    Some(headings)
}

/// Whether a document is written in Chinese, by its letters: a Chinese word has as many of them as an
/// English one has syllables. Comments that stand alone are nobody's language.
pub fn is_chinese(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("<!--"));
    let letters = || lines.clone().flat_map(str::chars);
    let wide = letters().filter(|c| matches!(c, '\u{4e00}'..='\u{9fff}')).count();
    let narrow = letters().filter(char::is_ascii_alphabetic).count();
    wide * 4 > narrow
}
