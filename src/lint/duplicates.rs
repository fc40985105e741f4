//! A heading that stands twice in one section.

use std::collections::BTreeMap;

use super::{Found, Page};
use crate::marked::Heading;
use crate::text::Refusal;

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let mut path: Vec<&Heading> = Vec::new();
    // Headings by the one that they stand below.
    let mut sections: BTreeMap<(usize, u8), Vec<&Heading>> = BTreeMap::new();
    for heading in &page.document.headings {
        path.retain(|above| above.level < heading.level);
        let above = path.last().map_or(0, |above| above.line);
        sections.entry((above, heading.level)).or_default().push(heading);
        path.push(heading);
    }
    sections.values().filter_map(|headings| in_section(headings, page)).collect()
}

/// The only heading of a section that repeats one of it. Several are a form that is filled in again and
/// again.
fn in_section(headings: &[&Heading], page: &Page<'_>) -> Option<Found> {
    let repeated = headings.iter().enumerate().filter_map(|(at, heading)| {
        let earlier = headings.get(..at)?;
        let first = earlier.iter().find(|first| first.text == heading.text)?;
        Some((*first, *heading))
    });
    let repeated: Vec<(&Heading, &Heading)> = repeated.collect();
    let [(first, second)] = repeated.as_slice() else { return None };
    let at = page.lines.start_of(second.line);
    let message = Refusal::new("lint.duplicate-heading")
        .with("heading", second.text.as_str())
        .with("line", first.line);
    (!second.text.trim().is_empty()).then(|| Found::at(at..at, message))
}
