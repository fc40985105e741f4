//! `lint`: what a report says of its own figures, worked out again.
//!
//! A rule is one file and one line in [`RULES`]. It sees a document and no runs: it finds where figures
//! of the document contradict each other, and where its structure is not what its author saw. A figure
//! that could have been rounded, or cut, to what is printed is right.

mod averages;
mod bars;
mod change;
mod columns;
mod differences;
mod emphasis;
mod headings;
mod noise;
mod printed;
mod rates;
mod stars;
mod stray;
mod totals;

use std::ops::Range;

use crate::marked::{Document, Lines};
use crate::text::Refusal;

/// A rule, by the name under which it is suppressed and chosen.
pub struct Rule {
    pub name: &'static str,
    find: fn(&Page<'_>) -> Vec<Found>,
}

/// Every rule. To add one: a file, a line here, and its texts under `[lint]` in each catalogue.
pub static RULES: &[Rule] = &[
    Rule { name: "rate", find: rates::find },
    Rule { name: "difference", find: differences::find },
    Rule { name: "average", find: averages::find },
    Rule { name: "total", find: totals::find },
    Rule { name: "change", find: change::find },
    Rule { name: "stars", find: stars::find },
    Rule { name: "bars", find: bars::find },
    Rule { name: "noise", find: noise::find },
    Rule { name: "stray-row", find: stray::find },
    Rule { name: "misplaced-heading", find: headings::find },
    Rule { name: "broken-emphasis", find: emphasis::find },
];

/// A document and its lines.
struct Page<'t> {
    text: &'t str,
    document: Document,
    lines: Lines<'t>,
}

/// What a rule found, at a byte of the text.
struct Found {
    at: usize,
    message: Refusal,
}

/// A finding about a document.
#[derive(Debug)]
pub struct Finding {
    pub rule: &'static str,
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
    pub message: Refusal,
}

/// Finds what is wrong with a Markdown document, in the order of its lines.
pub fn lint(text: &str, is_chosen: impl Fn(&str) -> bool) -> Vec<Finding> {
    let page = Page { text, document: Document::read(text), lines: Lines::new(text) };
    let allowed = allowed(text);
    let chosen = RULES.iter().filter(|rule| is_chosen(rule.name));
    let found =
        chosen.flat_map(|rule| (rule.find)(&page).into_iter().map(move |found| (rule.name, found)));
    let mut found: Vec<(&str, Found)> = found.collect();
    found.sort_by_key(|(_, found)| found.at);
    let positions = page.lines.positions(found.iter().map(|(_, found)| found.at));
    let findings = found
        .into_iter()
        .zip(positions)
        .map(|((rule, found), (line, column))| Finding {
            rule,
            line,
            column,
            message: found.message,
        })
        .filter(|finding| {
            let covers = |(rule, lines): &(&str, Range<usize>)| {
                *rule == finding.rule && lines.contains(&finding.line)
            };
            !allowed.iter().any(covers)
        });
    findings.collect()
}

/// The rules that comments suppress, each from its comment to the end of the block that follows.
fn allowed(text: &str) -> Vec<(&str, Range<usize>)> {
    let mut allowed: Vec<(&str, Range<usize>)> = Vec::new();
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut is_in_block = false;
    let mut last = 1;
    for (line, text) in (1..).zip(text.lines()) {
        last = line + 1;
        let comment = text.trim().strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
        if let Some(rules) = comment.and_then(|inner| inner.trim().strip_prefix("reportgen:allow "))
        {
            let names = rules.split([' ', ',']).filter(|name| !name.is_empty());
            open.extend(names.map(|name| (name, line)));
            is_in_block = false;
        } else if !text.trim().is_empty() {
            is_in_block = true;
        } else if is_in_block {
            allowed.extend(open.drain(..).map(|(name, from)| (name, from..line)));
        }
    }
    allowed.extend(open.into_iter().map(|(name, from)| (name, from..last)));
    allowed
}
