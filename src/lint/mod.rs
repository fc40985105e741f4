//! `lint`: what a report says of its own figures, worked out again.
//!
//! A rule is one file and one line in [`RULES`]. It sees a document and no runs: it finds where figures
//! of the document contradict each other, and where its structure is not what its author saw. A figure
//! that could have been rounded, or cut, to what is printed is right.

mod agreement;
mod allowed;
mod averages;
mod bars;
mod change;
mod claim;
mod claim_rows;
mod code;
mod columns;
mod count_columns;
mod cumulative;
mod dates;
mod differences;
mod duplicates;
mod emphasis;
mod equal;
mod expectations;
mod fractions;
mod headings;
mod impossible;
mod meanings;
mod metric;
mod months;
mod noise;
mod open_arms;
mod points;
mod printed;
mod rate;
mod rates;
mod said;
mod sentences;
mod shares;
mod slips;
mod stars;
mod stray;
mod told;
mod totals;
mod two_values;
mod unknown_arms;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::diag::Fact;
use crate::marked::{Document, Lines, outside_of_fences};
use crate::text::Refusal;
use columns::Columns;
pub use two_values::{Figures, contradictions, versions};

/// A rule, by the name under which it is suppressed and chosen.
pub struct Rule {
    pub name: &'static str,
    /// Whether it applies without being asked for: of what it found in documents that it had not seen, at
    /// least 95 % was true (`docs/lint.md`).
    pub is_on: bool,
    find: fn(&Page<'_>) -> Vec<Found>,
}

/// The rule by which a figure is found that runs contradict.
pub const AGAINST: &str = "against";

/// The rule by which documents are set against their translations.
pub const TWO_VALUES: &str = "two-values";

/// A mark of byte order, which may begin a document and is no character of it.
const BYTE_ORDER: char = '\u{feff}';

/// Every rule. To add one: a file, a line here, and its texts under `[lint]` in each catalogue.
pub static RULES: &[Rule] = &[
    Rule { name: "rate", is_on: true, find: rates::find },
    Rule { name: "count-column", is_on: true, find: count_columns::find },
    Rule { name: "fraction-column", is_on: false, find: fractions::find },
    Rule { name: "impossible-share", is_on: false, find: impossible::find },
    Rule { name: "difference", is_on: false, find: differences::find },
    Rule { name: "average", is_on: false, find: averages::find },
    Rule { name: "total", is_on: false, find: totals::find },
    Rule { name: "share-sum", is_on: true, find: shares::find },
    Rule { name: "cumulative", is_on: false, find: cumulative::find },
    Rule { name: "change", is_on: false, find: change::find },
    Rule { name: "points", is_on: true, find: points::find },
    Rule { name: "stars", is_on: false, find: stars::find },
    Rule { name: "bars", is_on: true, find: bars::find },
    Rule { name: "noise", is_on: true, find: noise::find },
    Rule { name: "claim", is_on: true, find: claim::find },
    Rule { name: "meaning", is_on: true, find: meanings::find },
    Rule { name: "expectation", is_on: true, find: expectations::find },
    Rule { name: "unmet-expectation", is_on: false, find: expectations::unmet },
    Rule { name: "open-arm", is_on: true, find: open_arms::find },
    Rule { name: "unknown-arm", is_on: true, find: unknown_arms::find },
    Rule { name: "equal-rows", is_on: false, find: equal::find },
    Rule { name: "date", is_on: true, find: dates::find },
    Rule { name: "stray-row", is_on: true, find: stray::find },
    Rule { name: "misplaced-heading", is_on: true, find: headings::find },
    Rule { name: "duplicate-heading", is_on: false, find: duplicates::find },
    Rule { name: "broken-emphasis", is_on: true, find: emphasis::find },
    Rule { name: "unknown-rule", is_on: true, find: allowed::find },
    // What runs and other documents say is found by the command that has them.
    Rule { name: TWO_VALUES, is_on: true, find: |_| Vec::new() },
    Rule { name: AGAINST, is_on: true, find: |_| Vec::new() },
];

/// A document, its lines, and its tables by columns.
struct Page<'t> {
    text: &'t str,
    document: &'t Document,
    lines: &'t Lines<'t>,
    tables: Vec<Columns<'t>>,
}

/// What a rule found, and the bytes of the text that it is about.
struct Found {
    place: Range<usize>,
    message: Refusal,
    reckoned: Option<Reckoned>,
}

/// A figure that is not what follows from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reckoned {
    pub found: String,
    pub expected: String,
    /// The calculation: `57.0 − 58.8`.
    pub how: String,
    /// What would be right in place of what was found, where only one thing would be.
    pub fix: Option<String>,
}

impl Found {
    fn at(place: Range<usize>, message: Refusal) -> Self {
        Self { place, message, reckoned: None }
    }

    fn figure(place: Range<usize>, key: &'static str, reckoned: Reckoned) -> Self {
        let [found, expected] = [reckoned.found.clone(), reckoned.expected.clone()];
        Self::told(place, key, reckoned, [found, expected])
    }

    /// A figure whose message gives what was found and what was expected in other words, as with units.
    fn told(
        place: Range<usize>,
        key: &'static str,
        reckoned: Reckoned,
        [found, expected]: [String; 2],
    ) -> Self {
        let message = Refusal::new(key).with("found", found).with("expected", expected);
        Self { place, message, reckoned: Some(reckoned) }
    }

    fn with(mut self, name: &'static str, fact: impl Into<Fact>) -> Self {
        self.message = self.message.with(name, fact);
        self
    }
}

/// A finding about a document.
#[derive(Debug)]
pub struct Finding {
    pub rule: &'static str,
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
    /// The bytes that it is about.
    pub place: Range<usize>,
    pub message: Refusal,
    pub reckoned: Option<Reckoned>,
}

/// Finds what is wrong with a Markdown document, in the order of its lines.
pub fn lint(text: &str, is_chosen: impl Fn(&Rule) -> bool) -> Vec<Finding> {
    lint_with_figures(text, is_chosen).0
}

/// The same, with the figures of its tables for [`contradictions`], where that is chosen.
pub fn lint_with_figures(
    text: &str,
    is_chosen: impl Fn(&Rule) -> bool,
) -> (Vec<Finding>, Vec<Figures>) {
    let document = Document::read(text);
    let lines = Lines::new(text);
    let tables = document.tables.iter().map(|table| Columns::of(table, text)).collect();
    let page = Page { text, document: &document, lines: &lines, tables };
    let chosen: Vec<&Rule> = RULES.iter().filter(|rule| is_chosen(rule)).collect();
    let is_compared = chosen.iter().any(|rule| rule.name == TWO_VALUES);
    let figures = page.tables.iter().filter(|_| is_compared);
    let figures = figures.filter_map(|table| two_values::figures_of(table, text, &lines)).collect();
    let found = chosen
        .into_iter()
        .flat_map(|rule| (rule.find)(&page).into_iter().map(move |found| (rule.name, found)));
    let mut found: Vec<(&str, Found)> = found.collect();
    found.sort_by_key(|(_, found)| found.place.start);
    let code = code::spans_of(text);
    found.retain(|(_, found)| !code::holds(&code, text, &found.place));
    if found.iter().any(|(_, found)| found.reckoned.is_some()) {
        let quoted = code::quotations_of(&lines);
        let is_quoted =
            |place: &Range<usize>| quoted.iter().any(|spans| code::holds(spans, text, place));
        found.retain(|(_, found)| found.reckoned.is_none() || !is_quoted(&found.place));
    }
    let positions = lines.positions(found.iter().map(|(_, found)| found.place.start));
    let mark = usize::from(text.starts_with(BYTE_ORDER));
    let findings = found.into_iter().zip(positions).map(|((rule, found), (line, column))| {
        let Found { place, message, reckoned } = found;
        let column = if line == 1 { column.saturating_sub(mark).max(1) } else { column };
        Finding { rule, line, column, place, message, reckoned }
    });
    let mut findings: Vec<Finding> = findings.collect();
    leave_doubtful(&mut findings, &document);
    leave_fenced(text, &mut findings);
    keep_unallowed(text, &mut findings);
    (findings, figures)
}

/// Leaves out what comments of the document allow.
pub fn keep_unallowed(text: &str, findings: &mut Vec<Finding>) {
    let allowed = allowed::allowed(text);
    findings.retain(|finding| {
        !allowed.iter().any(|one| one.rule == finding.rule && one.lines.contains(&finding.line))
    });
}

/// Takes back what would be right in rows with several wrong figures: these may come from one that is
/// wrong and is not among them.
fn leave_doubtful(findings: &mut [Finding], document: &Document) {
    let rows = document.tables.iter().flat_map(|table| &table.rows);
    let rows: BTreeSet<usize> = rows.map(|row| row.line).collect();
    for row in findings.chunk_by_mut(|one, next| one.line == next.line) {
        let wrong = row.iter().filter(|finding| finding.reckoned.is_some()).count();
        let is_row = row.first().is_some_and(|finding| rows.contains(&finding.line));
        for reckoned in row.iter_mut().filter_map(|finding| finding.reckoned.as_mut()) {
            reckoned.fix = reckoned.fix.take().filter(|_| wrong == 1 || !is_row);
        }
    }
}

/// Takes back what would be right in fenced code: what a program printed is not mended.
fn leave_fenced(text: &str, findings: &mut [Finding]) {
    let fix = |finding: &mut Finding| finding.reckoned.as_mut()?.fix.take();
    if findings.iter().all(|one| one.reckoned.as_ref().is_none_or(|one| one.fix.is_none())) {
        return;
    }
    let said: BTreeSet<usize> = outside_of_fences(text).map(|(start, _)| start).collect();
    let lines = Lines::new(text);
    for finding in findings.iter_mut().filter(|one| !said.contains(&lines.start_of(one.line))) {
        fix(finding);
    }
}

/// A document with its figures made right where only one thing is right. What overlaps an earlier
/// place is left.
pub fn fixed(text: &str, findings: &[Finding]) -> String {
    let (mut fixed, mut from) = (String::with_capacity(text.len()), 0);
    for finding in findings {
        let fix = finding.reckoned.as_ref().and_then(|reckoned| reckoned.fix.as_ref());
        let before = text.get(from..finding.place.start);
        if let (Some(fix), Some(before)) = (fix, before) {
            fixed.extend([before, fix.as_str()]);
            from = finding.place.end;
        }
    }
    fixed + text.get(from..).unwrap_or_default()
}
