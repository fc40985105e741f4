//! A report as the body of a comment on a pull request, and as a job summary.
//!
//! Owns what stands there, in which order, and what goes where a forge takes no more. Complete
//! without pictures, and without literal lines of runs. Posts nothing.

mod fit;
mod inert;
mod policy;

pub use policy::{CommentOptions, CommentPolicy};

use super::{Format, RenderError, RenderOptions, escape, inline, markdown};
use crate::report::block::{Block, Icon, Section, Table, Text};
use crate::report::data::GateView;
use crate::report::{GLANCE, Report, ReportState, without_fold};
use crate::text::Catalogue;
use fit::{Room, limited};
use policy::Content;

/// How the first line of every comment begins.
pub(super) const START: &str = "<!-- reportgen:comment ";

/// Rows of a table, and gates, that stand open.
const OPEN_ROWS: usize = 6;
const OPEN_GATES: usize = 10;

/// Sections that stand open in part; of a report without the first, its first section does.
const COMPARABILITY: &str = "comparability";
/// Sections whose content stands open by itself.
const SAID_ABOVE: [&str; 2] = [GLANCE, "gates"];

/// Where a comment is posted, as far as that decides what may stand in it.
pub(super) struct Host {
    name: &'static str,
    extension: &'static str,
    /// The most that it takes, in its own unit.
    limit: usize,
    measure: fn(&str) -> usize,
    folds: bool,
    /// Whether the body replaces an earlier one, which its first line has to tell.
    is_sticky: bool,
    /// Signs by which it names things, beside `@` and `#`.
    signs: &'static [char],
}

const GITLAB_SIGNS: &[char] = &['!', '$', '%', '&', '~', '*'];

fn characters(text: &str) -> usize {
    text.chars().count()
}

/// It refuses bodies above "65536 characters". Measured, that is 262,144 bytes for comments and
/// 65,536 code points for descriptions (<https://github.com/dead-claudia/github-limits/pull/13>): a
/// body of 65,536 code points is within either.
pub(super) static GITHUB: Host = Host {
    name: "github",
    extension: "github.md",
    limit: 65_536,
    measure: characters,
    folds: true,
    is_sticky: true,
    signs: &[],
};

/// <https://docs.gitlab.com/administration/instance_limits/#size-of-comments-and-descriptions-of-issues-merge-requests-and-epics>
pub(super) static GITLAB: Host = Host {
    name: "gitlab",
    extension: "gitlab.md",
    limit: 1_000_000,
    signs: GITLAB_SIGNS,
    ..GITHUB
};

/// It documents no limit; what another forge takes is enough to read.
pub(super) static GITEA: Host =
    Host { name: "gitea", extension: "gitea.md", signs: &['!'], ..GITHUB };

/// For wherever Markdown is read without HTML.
pub(super) static PLAIN: Host =
    Host { name: "plain", extension: "plain.md", folds: false, signs: GITLAB_SIGNS, ..GITHUB };

/// A step's summary is dropped as a whole above 1 MiB, and already just below
/// (<https://github.com/actions/runner/issues/4337>).
pub(super) static SUMMARY: Host = Host {
    name: "github-summary",
    extension: "summary.md",
    limit: 1_000_000,
    measure: str::len,
    is_sticky: false,
    ..GITHUB
};

impl Format for Host {
    fn name(&self) -> &'static str {
        self.name
    }

    fn extension(&self) -> &'static str {
        self.extension
    }

    fn signature(&self) -> Option<&'static str> {
        self.is_sticky.then_some(START)
    }

    fn is_appended(&self) -> bool {
        !self.is_sticky
    }

    fn render(&self, report: &Report, options: &RenderOptions) -> Result<String, RenderError> {
        let state = ReportState::new(report);
        if !self.is_sticky {
            return self.body("", report, options);
        }
        let name = options.comment.name(report);
        let head = format!("{START}{name} --><!-- reportgen:state {state} -->\n");
        match options.comment.content(&name, state) {
            Content::Nothing => Ok(String::new()),
            Content::Resolved => {
                let words = options.catalogues.of(report.lang);
                let line = Text::icon(Icon::Good)
                    .and_plain(" ")
                    .and_strong(words.get("comment.resolved"))
                    .and_plain(words.get("punctuation.colon"));
                let line = report.headline.result.0.iter().cloned().fold(line, Text::and);
                Ok(head + &self.drawn(vec![Block::paragraph(line)], report, options)?)
            }
            Content::Whole => self.body(&head, report, options),
        }
    }
}

impl Host {
    fn drawn(
        &self,
        blocks: Vec<Block>,
        report: &Report,
        options: &RenderOptions,
    ) -> Result<String, RenderError> {
        let change = |text: &Text| inert::inert(text, self.signs);
        let blocks = blocks.into_iter().map(|block| block.with_texts(&change));
        let blocks: Vec<Block> =
            if self.folds { blocks.collect() } else { blocks.flat_map(unmarked).collect() };
        markdown::section_markdown(&blocks, report.lang, options.catalogues)
    }

    /// What stands open, then as many of the sections, folded, as there is room for.
    fn body(
        &self,
        head: &str,
        report: &Report,
        options: &RenderOptions,
    ) -> Result<String, RenderError> {
        let words = options.catalogues.of(report.lang);
        let (open, folded) = parts(report, words);
        let body = head.to_owned() + &self.drawn(open, report, options)?;
        let mut room = Room::new(self.limit.saturating_sub(options.taken), self.measure, body);
        let mut left_out = Vec::new();
        for section in &folded {
            let placed = room.place(section, words, &|blocks| self.drawn(blocks, report, options));
            if !placed? {
                left_out.push(inline::plain(&section.title, escape::TextPlace::Heading.limit()));
            }
        }
        let mut body = room.into_text();
        if !left_out.is_empty() {
            let args = [
                ("count", left_out.len().to_string()),
                ("of", folded.len().to_string()),
                ("names", left_out.join(&words.get("punctuation.comma"))),
            ];
            let note = Block::paragraph(words.fill("comment.left-out", &args));
            body.push_str(&self.drawn(vec![note], report, options)?);
        }
        Ok(body.trim_start_matches('\n').to_owned())
    }
}

/// Without what needs HTML or the signs of alerts.
fn unmarked(block: Block) -> Vec<Block> {
    let plain = without_fold(block).into_iter().flat_map(|block| match block {
        Block::Callout { title, body, .. } => std::iter::once(title)
            .chain(body)
            .filter(|text| !text.is_empty())
            .map(Block::paragraph)
            .collect(),
        other => vec![other],
    });
    plain.collect()
}

/// What stands open, and the sections to fold, the most important first.
fn parts(report: &Report, words: &Catalogue) -> (Vec<Block>, Vec<Section>) {
    let sections: Vec<Section> = report.shown_sections().filter_map(textual).collect();
    let headline = &report.headline;
    let sentences = [&headline.result, &headline.trust, &headline.next];
    let sentences = sentences.into_iter().filter(|text| !text.is_empty());
    let mut open = vec![Block::heading(report.title.clone())];
    open.extend(sentences.cloned().map(Block::paragraph));
    open.extend(gates(&report.gates, words));
    let lead = sections.iter().find(|section| section.id == GLANCE).or(sections.first());
    let mut folded: Vec<Section> = Vec::new();
    for section in &sections {
        let is_lead = lead.is_some_and(|lead| lead.id == section.id);
        if section.id == GLANCE && is_lead {
            open.extend(first_figures(report, section, words));
        } else if is_lead || section.id == COMPARABILITY {
            let is_open = |block: &Block| !matches!(block, Block::Details { .. });
            let (blocks, is_cut) = limited(&section.blocks, OPEN_ROWS, words);
            let all = blocks.len();
            let blocks: Vec<Block> = blocks.into_iter().filter(is_open).collect();
            folded.extend((is_cut || blocks.len() < all).then(|| section.clone()));
            if !matches!(blocks.first(), Some(Block::Heading { .. })) {
                open.push(Block::heading(section.title.clone()));
            }
            open.extend(blocks);
        } else if !SAID_ABOVE.contains(&section.id) {
            folded.push(section.clone());
        }
    }
    (open, folded)
}

/// The section without pictures, places to write in, and texts of runs in literal lines.
fn textual(section: &Section) -> Option<Section> {
    fn kept(block: &Block) -> Option<Block> {
        match block {
            Block::Chart { .. } | Block::Place { .. } | Block::Samples { .. } => None,
            Block::Code { lang, .. } if lang != "bash" => None,
            Block::Details { summary, blocks } => {
                let blocks: Vec<Block> = blocks.iter().filter_map(kept).collect();
                (!blocks.is_empty()).then(|| Block::folded(summary.clone(), blocks))
            }
            other => Some(other.clone()),
        }
    }
    let blocks: Vec<Block> = section.blocks.iter().filter_map(kept).collect();
    let is_worth = blocks.iter().any(|block| !matches!(block, Block::Heading { .. }));
    is_worth.then(|| Section { blocks, ..section.clone() })
}

/// The gates, the gravest outcome first.
fn gates(gates: &[GateView], words: &Catalogue) -> Option<Block> {
    let mut sorted: Vec<&GateView> = gates.iter().collect();
    sorted.sort_by_key(|gate| gate.effect);
    let item = |gate: &&GateView| {
        let outcome = words.get(&format!("gates.{}", gate.word));
        // That much depends on it is what one takes of a gate.
        let tier = gate.tier.filter(|tier| *tier != "critical" && !gate.passes);
        let tier = tier.map(|tier| words.get(&format!("gates.{tier}")));
        let tier = tier.map(|tier| words.fill("phrase.detail", &[("detail", tier)]));
        Text::marked(gate.icon, outcome + &tier.unwrap_or_default())
            .and_plain(words.get("punctuation.colon"))
            .and_code(gate.name.as_str())
            .and_plain(words.fill("phrase.detail", &[("detail", &gate.local_reason)]))
    };
    let mut items: Vec<Text> = sorted.iter().take(OPEN_GATES).map(item).collect();
    if let Some(more) = sorted.len().checked_sub(OPEN_GATES).filter(|more| *more > 0) {
        items.push(words.fill("comment.more-gates", &[("count", more)]).into());
    }
    (!items.is_empty()).then(|| Block::bullets(items))
}

/// The first rows of the table that a comparison begins with, and of how many.
fn first_figures(report: &Report, section: &Section, words: &Catalogue) -> Vec<Block> {
    let table = section.blocks.iter().find_map(|block| match block {
        Block::Table { table } => Some(table.clone()),
        _ => None,
    });
    let Some(table) = table else { return Vec::new() };
    let count = |name| report.data.get(name).and_then(|rows| rows.as_array()).map_or(0, Vec::len);
    let all = count("comparisons") + count("suites");
    let table = Table::first_rows(table, OPEN_ROWS);
    let shown = table.rows().len();
    let note = (shown < all)
        .then(|| words.fill("comment.first-rows", &[("shown", shown), ("all", all)]))
        .map(Block::paragraph);
    std::iter::once(Block::Table { table }).chain(note).collect()
}
