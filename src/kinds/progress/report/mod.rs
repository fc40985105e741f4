//! How one run moved between two of its steps: the report of `progress`.

mod ahead;
mod cost;
mod course_charts;
mod data;
mod findings;
mod headline;
mod health;
mod patterns;
mod progress_wording;
mod rates_chart;
mod sheet;
mod steps;
mod summary;

use crate::diag::Diagnostic;
use crate::kinds::progress::analysis::Progress;
use crate::report::block::{Block, Text};
use crate::report::{Part, Report, finding, first_table, json_object};
use crate::text::Catalogue;
use progress_wording::ProgressWording;

pub(super) type Blocks = fn(&ProgressWording<'_>) -> Vec<Block>;

pub(super) static PARTS: &[Part<Blocks>] = &[
    Part { id: "steps", title: "progress.section.steps", blocks: steps::section },
    Part { id: "findings", title: "progress.section.findings", blocks: findings::progress_section },
    Part {
        id: "diagnostics",
        title: "section.diagnostics",
        blocks: |wording| finding::blocks(wording.findings, wording.words),
    },
    Part { id: "patterns", title: "progress.section.patterns", blocks: patterns::progress_section },
    Part { id: "health", title: "progress.section.health", blocks: health::section },
    Part { id: "cost", title: "progress.section.cost", blocks: cost::cost },
    Part { id: "pace", title: "progress.section.pace", blocks: cost::pace },
    Part { id: "predictions", title: "progress.section.predictions", blocks: ahead::predictions },
    Part { id: "signals", title: "progress.section.signals", blocks: ahead::signals },
    Part { id: "milestones", title: "progress.section.milestones", blocks: ahead::milestones },
    Part { id: "summary", title: "progress.section.summary", blocks: summary::progress_section },
    Part { id: "undeclared", title: "progress.section.undeclared", blocks: summary::undeclared },
];

/// The report of a run; `noticed` are the findings of reading it and of looking at it.
pub(super) fn progress(
    progress: &Progress<'_>,
    noticed: &[Diagnostic],
    words: &'static Catalogue,
) -> Report {
    let findings = finding::views(noticed, words);
    let wording = ProgressWording { progress, findings: &findings, words };
    let view = data::progress_view(progress);
    Report {
        kind: "progress",
        paper: Vec::new(),
        gates: Vec::new(),
        sheet: Some(sheet::progress_sheet(&view)),
        data: json_object(&view),
        lang: words.lang,
        title: Text::plain(wording.fill("title", &[("run", &progress.run.id)])),
        headline: headline::headline(&wording),
        brief: first_table(steps::section(&wording), words),
        sections: crate::report::sections(PARTS, |blocks| blocks(&wording), words),
        findings,
    }
}
