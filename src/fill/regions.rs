//! Places in a document for what a report says: between `<!-- reportgen:begin NAME -->` and
//! `<!-- reportgen:end -->`, renewed as a whole.

use indexmap::IndexMap;

use super::FillChoices;
use super::edits::Edit;
use crate::marked::{
    BYTE_ORDER, Document, END, Marked, PROSE, Place, REGION, Unpaired, lines_hash,
    outside_of_fences,
};
use crate::text::Refusal;

/// What a report has for regions: Markdown by name, empty where it has nothing to say.
pub type Parts = IndexMap<String, String>;

/// How the comment begins that opens a region.
const MARKER: &str = "reportgen:begin";

/// The regions of a document.
#[derive(Debug, Default)]
pub struct Regions<'t> {
    text: &'t str,
    /// With the lines of their markers.
    places: Vec<(usize, Place<'t>)>,
    /// Markers where none counts, with their lines.
    misplaced: Vec<(usize, &'t str)>,
}

/// What became of a region.
#[derive(Debug)]
pub struct FilledRegion {
    /// That of its marker, counted from 1.
    pub line: usize,
    pub name: String,
    pub outcome: RegionOutcome,
    pub(super) edit: Option<Edit>,
}

#[derive(Debug)]
pub enum RegionOutcome {
    /// With so many lines.
    Renewed(usize),
    /// It holds what the runs say.
    Current,
    /// It holds what was not generated.
    Edited,
    Unclear(Refusal),
    /// Not among what was chosen.
    Unchosen,
    /// The person who was asked did not want it.
    Declined,
}

impl<'t> Regions<'t> {
    /// Finds the regions; markers in code mean nothing.
    ///
    /// # Errors
    /// When a marker has no partner, in a document that has regions: with its line, without the path.
    pub fn read(text: &'t str) -> Result<Self, Refusal> {
        let starts = || outside_of_fences(text).filter_map(|(at, line)| Some((at, marker(line)?)));
        if starts().next().is_none() {
            return Ok(Self::default());
        }
        let line_of = |byte: usize| text[..byte].matches('\n').count() + 1;
        let marked =
            Marked::read(text, &[PROSE, REGION]).map_err(|Unpaired { line, marker }| {
                Refusal::new("refused.fill-marker").with("line", line).with("marker", marker)
            })?;
        // One that is indented may stand in a list.
        let is_indented = |place: &Place<'_>| text[place.whole.clone()].starts_with(' ');
        let stands = |at: &usize| {
            marked.places.iter().any(|one| one.whole.contains(at) && !is_indented(one))
        };
        let misplaced = starts().filter(|(at, _)| !stands(at));
        let misplaced = misplaced.map(|(at, name)| (line_of(at), name)).collect();
        let regions = marked.places.iter().filter(|place| place.opening == REGION);
        let regions = regions.filter(|place| !is_indented(place)).cloned();
        let places = regions.map(|place| (line_of(place.whole.start), place)).collect();
        Ok(Self { text, places, misplaced })
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.misplaced.is_empty()
    }

    /// Leaves out what was generated: it asks for nothing, and its headings say nothing of other tables.
    pub(super) fn leave_out_of(&self, document: &mut Document) {
        if self.places.is_empty() {
            return;
        }
        document.tables.retain(|table| !self.has_line(table.header.line));
        document.stray.retain(|row| !self.has_line(row.line));
        for table in &mut document.tables {
            table.headings.retain(|heading| !self.has_line(heading.line));
        }
    }

    fn has_line(&self, line: usize) -> bool {
        self.places.iter().any(|(first, place)| {
            let lines = self.text.get(place.whole.clone()).unwrap_or_default().lines().count();
            (*first..first + lines).contains(&line)
        })
    }

    /// What becomes of each; what a person changed is replaced where figures are.
    pub(super) fn renewed(&self, parts: &Parts, choices: &FillChoices) -> Vec<FilledRegion> {
        let placed = self.places.iter().map(|(line, place)| {
            let (outcome, edit) = if choices.only.is_some() || choices.section.is_some() {
                (RegionOutcome::Unchosen, None)
            } else {
                self.renew(place, parts, choices.refresh)
            };
            FilledRegion { line: *line, name: place.name.to_owned(), outcome, edit }
        });
        let misplaced = self.misplaced.iter().map(|(line, name)| {
            let outcome = RegionOutcome::Unclear(Refusal::new("fill.region-place"));
            FilledRegion { line: *line, name: (*name).to_owned(), outcome, edit: None }
        });
        let mut found: Vec<_> = placed.chain(misplaced).collect();
        found.sort_by_key(|region| region.line);
        found
    }

    fn renew(
        &self,
        place: &Place<'_>,
        parts: &Parts,
        replaces_edits: bool,
    ) -> (RegionOutcome, Option<Edit>) {
        let is_noted = !place.note.is_empty() && place.generated_hash().is_none();
        let Some(part) = parts.get(place.name).filter(|_| !is_noted) else {
            let refusal = if parts.is_empty() {
                Refusal::new("fill.region-alone")
            } else {
                let name = if is_noted {
                    format!("{} {}", place.name, place.note)
                } else {
                    place.name.to_owned()
                };
                let refusal = Refusal::new("fill.region-name").with("name", name.as_str());
                refusal.among(&name, parts.keys())
            };
            return (RegionOutcome::Unclear(refusal), None);
        };
        let held = self.text.get(place.content.clone()).unwrap_or_default();
        let (held_hash, hash) = (lines_hash(held.lines()), lines_hash(part.lines()));
        let is_generated = place.generated_hash() == Some(&held_hash);
        if is_generated && held_hash == hash {
            return (RegionOutcome::Current, None);
        }
        if !is_generated && !replaces_edits && !held.trim().is_empty() {
            return (RegionOutcome::Edited, None);
        }
        let whole = self.text.get(place.whole.clone()).unwrap_or_default();
        let end = if whole.contains("\r\n") { "\r\n" } else { "\n" };
        let mark = if whole.starts_with(BYTE_ORDER) { BYTE_ORDER.len_utf8() } else { 0 };
        let opening = marker_line(place.name, &hash);
        let lines = std::iter::once(opening.as_str()).chain(part.lines());
        let text = lines.flat_map(|line| [line, end]).collect();
        // The closing marker stays as it stands.
        let edit = Edit { range: place.whole.start + mark..place.content.end, text };
        (RegionOutcome::Renewed(part.lines().count()), Some(edit))
    }
}

/// A region with what was generated for it.
pub fn region(name: &str, part: &str) -> String {
    let opening = marker_line(name, &lines_hash(part.lines()));
    let opening = if part.is_empty() { format!("<!-- {MARKER} {name} -->") } else { opening };
    let lines = std::iter::once(opening.as_str()).chain(part.lines()).chain([END]);
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn marker_line(name: &str, hash: &str) -> String {
    format!("<!-- {MARKER} {name} #{hash} -->")
}

/// The name in a marker, which may stand in a quote, a list or a table, where it does not count.
fn marker(line: &str) -> Option<&str> {
    let (before, rest) = line.trim_start_matches(BYTE_ORDER).split_once("<!--")?;
    let is_first = before.trim_start_matches([' ', '\t', '>', '-', '*', '+', '|']).is_empty();
    let rest = rest.trim_start().strip_prefix(MARKER)?;
    let is_whole = rest.starts_with([' ', '\t', '-']);
    let name = rest.split("-->").next()?.split_whitespace().next().unwrap_or_default();
    (is_first && is_whole).then_some(name)
}
