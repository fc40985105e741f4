//! The index in words, tables and trends.

use std::path::Path;

use indexmap::{IndexMap, IndexSet};

use super::alerts::{FALSE_ALARMS_A_YEAR, shown_name};
use super::index::{IndexMaterial, JobLine, JobStatus, Material, data, report_directory};
use super::index_nights::nights;
use super::job::{BaselineChoice, Job};
use super::record::{BaselineNote, GateResult, NightFigure, NightReport, RunNote, RunRecord};
use crate::quantity::{self, Night};
use crate::report::block::{Block, Cell, Icon, Table, Text, Tone};
use crate::report::chart::signs;
use crate::report::nights::alert_blocks;
use crate::report::{self, Headline, Part, Report, finding, json_object};
use crate::text::Catalogue;

type Blocks = fn(&Material<'_>) -> Vec<Block>;

/// The sections of the index.
static PARTS: &[Part<Blocks>] = &[
    Part { id: "alerts", title: "nightly.alerts", blocks: alerts },
    Part { id: "jobs", title: "nightly.jobs", blocks: jobs },
    Part { id: "not-complete", title: "nightly.not-complete", blocks: not_complete },
    Part { id: "new-runs", title: "nightly.new-runs", blocks: new_runs },
    Part { id: "nights", title: "nightly.nights", blocks: nights },
    Part { id: "setup", title: "nightly.setup", blocks: setup },
    Part {
        id: "diagnostics",
        title: "section.diagnostics",
        blocks: |material| finding::blocks(material.findings, material.words),
    },
];

/// The index as a report of kind `nightly`.
pub fn index_report(index: &IndexMaterial<'_>) -> Report {
    let words = index.words;
    let findings = finding::views(index.noticed, words);
    let material = Material::new(index, &findings);
    Report {
        kind: "nightly",
        paper: Vec::new(),
        gates: Vec::new(),
        sheet: None,
        data: json_object(&data(&material)),
        lang: words.lang,
        title: words.get("nightly.title").into(),
        headline: headline(&material),
        brief: brief(&material),
        sections: report::sections(PARTS, |blocks| blocks(&material), words),
        findings,
    }
}

/// Runs that are listed.
const MOST_RUNS: usize = 40;

/// What is the matter, by the worst job.
fn headline(material: &Material<'_>) -> Headline {
    let words = material.words;
    let worst = material.jobs.first().map_or(JobStatus::Unchanged, |job| job.status);
    let alike = material.jobs.iter().filter(|job| job.status == worst);
    let names: Vec<&str> = alike.map(|job| job.name).collect();
    let facts = [
        ("count", quantity::count(names.len() as u64)),
        ("all", quantity::count(material.jobs.len() as u64)),
        ("names", names.join(&words.get("punctuation.comma"))),
        ("new", quantity::count(material.jobs.iter().map(|job| job.filed.len() as u64).sum())),
    ];
    let others = material.jobs.iter().filter(|job| job.status != worst && is_bad(job.status));
    let mut also: IndexMap<JobStatus, u64> = IndexMap::new();
    let besides = material.jobs.iter().filter_map(|job| job.besides);
    let also_states = others.map(|job| job.status).chain(besides);
    also_states.for_each(|status| *also.entry(status).or_default() += 1);
    let also: Vec<String> = also
        .into_iter()
        .map(|(status, count)| {
            let name = words.get(&format!("nightly.status.{}", status.name()));
            format!("{} {name}", quantity::count(count))
        })
        .collect();
    let (tone, icon) = look(worst);
    let title = words.get(&format!("nightly.status.{}", worst.name()));
    let text = Text::marked(icon, "")
        .and_strong(title)
        .and_plain(words.get("punctuation.colon"))
        .and_plain(words.fill("nightly.headline", &facts));
    let text = if also.is_empty() {
        text
    } else {
        let also = also.join(&words.get("punctuation.comma"));
        text.and_plain(words.fill("nightly.also", &[("states", also)]))
    };
    let at = words.fill("nightly.as-of", &[("at", material.at)]);
    let next = material.jobs.first().and_then(|job| next_step(job, words));
    let headline = Headline::new(tone, text).trusted(Text::plain(at));
    Headline { next: next.unwrap_or_else(Text::empty), ..headline }
}

/// What to look at first, by the state of the worst job.
fn next_step(job: &JobLine<'_>, words: &Catalogue) -> Option<Text> {
    let say = |key: &str, facts: &[(&str, String)]| {
        let facts = [&[("job", job.name.to_owned())], facts].concat();
        words.fill(&format!("nightly.next.{key}"), &facts)
    };
    let step = |text: &str| Headline::step(text, words);
    if let Some((night, report)) = job.decisive() {
        let text = match &report.failure {
            Some(cause) => {
                step(&say("failed", &[("night", night.to_string()), ("cause", cause.clone())]))
            }
            None => step(&say("report", &[]))
                .and_plain(" ")
                .and_report(report_directory(job.name, night)),
        };
        let besides = job.besides.and_then(|besides| about_run(job, besides, words));
        return Some(match besides {
            Some(besides) => {
                text.and_plain(words.get("punctuation.semicolon")).and_quoting(&besides)
            }
            None => text,
        });
    }
    match job.status {
        JobStatus::Missing | JobStatus::Broken => Some(step(&about_run(job, job.status, words)?)),
        JobStatus::Declined => Some(step(&say("declined", &[]))),
        JobStatus::NothingRan => {
            Some(step(&say("nothing-ran", &[("runs", conditions(job.job, words))])))
        }
        JobStatus::First => {
            let (_, report) = job.report?;
            let is_asked = report.baseline_note == Some(BaselineNote::NoneAccepted);
            let run = report.candidates.last()?;
            let awaits = is_asked && job.known.accepted.is_none();
            awaits.then(|| step(&say("accept", &[("run", run.clone())])))
        }
        _ => None,
    }
}

/// What to do about a run that is missing, or did not come to its end.
fn about_run(job: &JobLine<'_>, status: JobStatus, words: &Catalogue) -> Option<String> {
    let job_name = ("job", job.name.to_owned());
    if status == JobStatus::Missing {
        let night = ("night", job.missing.last()?.to_string());
        return Some(words.fill("nightly.next.missing", &[job_name, night]));
    }
    let (name, run) = job.broken.first()?;
    let facts = [
        job_name,
        ("run", (*name).clone()),
        ("night", run.night.to_string()),
        ("note", note(run, words)),
    ];
    Some(words.fill("nightly.next.broken", &facts))
}

/// What a terminal shows.
fn brief(material: &Material<'_>) -> Vec<Block> {
    if material.jobs.is_empty() { Vec::new() } else { vec![table_of_jobs(material)] }
}

/// Whether somebody has to do something.
fn is_bad(status: JobStatus) -> bool {
    matches!(look(status).0, Tone::Danger | Tone::Warning)
}

fn look(status: JobStatus) -> (Tone, Icon) {
    match status {
        JobStatus::GateFailed | JobStatus::Worse | JobStatus::Declined => (Tone::Danger, Icon::Bad),
        JobStatus::NotGateable | JobStatus::Failed => (Tone::Danger, Icon::Severe),
        JobStatus::Missing
        | JobStatus::Broken
        | JobStatus::NothingRan
        | JobStatus::NotComparable
        | JobStatus::LeftOut
        | JobStatus::Late => (Tone::Warning, Icon::Caution),
        JobStatus::Compared => (Tone::Good, Icon::Good),
        JobStatus::NoVerdict | JobStatus::NoChange | JobStatus::First | JobStatus::Unchanged => {
            (Tone::Note, Icon::Open)
        }
        JobStatus::Waiting => (Tone::Note, Icon::Running),
    }
}

fn alerts(material: &Material<'_>) -> Vec<Block> {
    alert_blocks(&material.alerts, FALSE_ALARMS_A_YEAR, material.words)
}

fn jobs(material: &Material<'_>) -> Vec<Block> {
    vec![table_of_jobs(material)]
}

fn table_of_jobs(material: &Material<'_>) -> Block {
    let words = material.words;
    let status = |job: &&JobLine<'_>| {
        let (_, icon) = look(job.status);
        let states = [Some(job.status), job.besides].into_iter().flatten();
        let states = states.map(|one| words.get(&format!("nightly.status.{}", one.name())));
        Text::marked(icon, states.collect::<Vec<_>>().join(&words.get("punctuation.comma")))
    };
    let rows: Vec<&JobLine<'_>> = material.jobs.iter().collect();
    let first =
        |job: &JobLine<'_>| job.trends.first().map(|trend| signs::sparkline(trend.known_from()));
    Table::of_rows(&rows)
        .left(words.get("nightly.job"), |job| Text::strong(job.name))
        .left(words.get("nightly.state"), status)
        .left(words.get("nightly.night"), |job| job.known.night.to_string())
        .right(words.get("nightly.new"), |job| Cell::count(job.filed.len() as u64))
        .left(words.get("nightly.result"), |job| result(job, words))
        .left(words.get("nightly.trend"), |job| first(job).map_or_else(Cell::dash, Cell::text))
        .optional()
        .left(words.get("nightly.report"), |job| match job.report {
            Some((night, report)) if report.is_there() => {
                Cell::text(Text::empty().and_report(report_directory(job.name, night)))
            }
            _ => Cell::dash(),
        })
        .block()
}

/// The last report in a few words: its night where that is not the present one, its main figure, its
/// result, and gates that did not pass.
fn result(job: &JobLine<'_>, words: &Catalogue) -> Cell {
    if job.status == JobStatus::NothingRan {
        let facts = [("runs", conditions(job.job, words))];
        return Cell::text(Text::empty().and_quoting(&words.fill("nightly.unmatched", &facts)));
    }
    let Some((night, report)) = job.report else { return Cell::dash() };
    let text = if night == job.known.night {
        Text::empty()
    } else {
        Text::plain(format!("{night}{}", words.get("punctuation.colon")))
    };
    if let Some(failure) = &report.failure {
        return Cell::text(text.and_plain(failure));
    }
    let Some(result) = &report.result else {
        return Cell::text(text.and_quoting(&baseline_note(job, words)));
    };
    let text = match &report.figure {
        None => text,
        Some(figure) => text
            .and_code(shown_name(&figure.metric, figure.dataset.as_deref()))
            .and_plain(format!(" {}", figures(figure, words)))
            .and_plain(words.get("punctuation.semicolon")),
    };
    let text = text.and_plain(words.get(&format!("nightly.result-of.{result}")));
    // That nothing was shown is said already.
    let is_told = |outcome: &str| outcome == "inconclusive" && result == "undecided";
    let open = report.gates.iter().filter(|gate| gate.outcome != "pass" && !is_told(&gate.outcome));
    let outcome = |gate: &GateResult| words.get(&format!("gates.{}", gate.outcome));
    let open: Vec<String> = open.map(|gate| format!("{} {}", gate.name, outcome(gate))).collect();
    let text = if open.is_empty() {
        text
    } else {
        let open = open.join(&words.get("punctuation.comma"));
        text.and_plain(words.fill("nightly.gates", &[("gates", open)]))
    };
    let mut text = text;
    for further in further(job, report, words) {
        text = text.and_plain(words.get("punctuation.semicolon")).and_quoting(&further);
    }
    Cell::text(match report.baseline_note {
        None => text,
        Some(_) => text
            .and_plain(words.get("punctuation.semicolon"))
            .and_quoting(&baseline_note(job, words)),
    })
}

/// Which run was compared with which, where the result is of one; and what differs that was not declared.
fn further(job: &JobLine<'_>, report: &NightReport, words: &Catalogue) -> Vec<String> {
    let run = report.figure.as_ref().and_then(|figure| figure.run.as_ref());
    let is_it = |run: &str, path: &String| Path::new(path).ends_with(run);
    let path = run.map(|run| report.candidates.iter().find(|path| is_it(run, path)).unwrap_or(run));
    let between = path.zip(report.baseline.as_ref()).map(|(run, baseline)| {
        let facts = [("run", run.clone()), ("baseline", baseline.clone())];
        words.fill("nightly.between", &facts)
    });
    let noticed = report.noticed.iter().cloned();
    let keys = report.undeclared.join(&words.get("punctuation.comma"));
    let undeclared =
        (!keys.is_empty()).then(|| words.fill("nightly.undeclared", &[("keys", keys)]));
    let left_out = (report.left_out > 0).then(|| {
        let count = quantity::count(report.left_out as u64);
        words.fill("nightly.left-out", &[("count", count)])
    });
    let baseline = report.baseline.as_ref();
    let revised =
        baseline.filter(|name| job.known.runs.get(*name).is_some_and(|run| run.revision > 1));
    let revised = revised.map(|name| words.fill("nightly.revised", &[("baseline", name)]));
    let told = between.into_iter().chain(revised).chain(left_out).chain(undeclared);
    told.chain(noticed).collect()
}

/// Why the last report has its baseline, or none.
fn baseline_note(job: &JobLine<'_>, words: &Catalogue) -> String {
    let report = job.report.map(|(_, report)| report);
    let note = report.and_then(|report| report.baseline_note);
    let note = match (note, &job.known.accepted) {
        (None, _) => return words.get("nightly.result-of.none"),
        // It was accepted since.
        (Some(BaselineNote::NoneAccepted), Some(_)) => "accepted",
        (Some(note), _) => note.name(),
    };
    let baseline = report.and_then(|report| report.baseline.as_ref());
    let baseline = baseline.or(job.known.accepted.as_ref()).cloned().unwrap_or_default();
    words.fill(&format!("nightly.baseline-note.{note}"), &[("baseline", baseline)])
}

/// `70.8% → 57.3% (-13.5 pp)`.
fn figures(figure: &NightFigure, words: &Catalogue) -> String {
    let NightFigure { unit, baseline, candidate, .. } = figure;
    let delta = (candidate - baseline) * unit.shown_scale();
    let facts = [
        ("baseline", quantity::figure(*baseline, *unit)),
        ("candidate", quantity::figure(*candidate, *unit)),
        ("delta", quantity::difference_text(delta, [*baseline, *candidate], *unit)),
    ];
    words.fill("answer.figures-alone", &facts)
}

/// The patterns and the settings that choose the runs of a job.
fn conditions(job: &Job, words: &Catalogue) -> String {
    let comma = words.get("punctuation.comma");
    let runs = job.runs.join(&comma);
    if job.chosen.is_empty() {
        return runs;
    }
    let chosen = job.chosen.iter().map(|label| format!("{}={}", label.column, label.value));
    let chosen = chosen.collect::<Vec<_>>().join(&comma);
    words.fill("nightly.where", &[("runs", runs), ("chosen", chosen)])
}

/// What each job was told.
fn setup(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let mut rows: Vec<&JobLine<'_>> = material.jobs.iter().collect();
    rows.sort_by_key(|line| line.name);
    if rows.is_empty() {
        return Vec::new();
    }
    let comma = words.get("punctuation.comma");
    let baseline = |line: &&JobLine<'_>| match &line.job.baseline {
        BaselineChoice::Previous => Text::plain(words.get("nightly.baseline.previous")),
        BaselineChoice::Best => Text::plain(words.get("nightly.baseline.best")),
        BaselineChoice::Accepted => Text::plain(words.get("nightly.baseline.accepted")),
        BaselineChoice::Named(name) => Text::code(name),
    };
    let gates = |line: &&JobLine<'_>| {
        let names = line.job.gates().chain(material.gates.iter().map(String::as_str));
        let names: IndexSet<&str> = names.collect();
        if names.is_empty() {
            return Cell::dash();
        }
        Cell::from(names.into_iter().collect::<Vec<_>>().join(&comma))
    };
    let table = Table::of_rows(&rows)
        .left(words.get("nightly.job"), |line| Text::strong(line.name))
        .left(words.get("nightly.pattern"), |line| Text::code(conditions(line.job, words)))
        .left(words.get("nightly.compared-with"), baseline)
        .left(words.get("nightly.gates-of"), gates)
        .left(words.get("nightly.due"), |line| {
            line.job.due.map_or_else(Cell::dash, |due| Cell::from(due.to_string()))
        });
    vec![table.block()]
}

/// A run, or a night without one, that is not complete.
struct NotComplete<'a> {
    job: &'a str,
    run: Option<&'a str>,
    night: String,
    state: &'static str,
    note: String,
}

fn not_complete(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let mut rows: Vec<NotComplete<'_>> = Vec::new();
    for job in &material.jobs {
        rows.extend(job.missing.iter().rev().map(|night| NotComplete {
            job: job.name,
            run: None,
            night: night.to_string(),
            state: "missing",
            note: words.get("nightly.note-of.missing"),
        }));
        rows.extend(job.excluded.iter().map(|(name, run)| NotComplete {
            job: job.name,
            run: Some(name),
            night: run.night.to_string(),
            state: run.state.name(),
            note: words.get("nightly.note-of.excluded"),
        }));
        rows.extend(job.broken.iter().map(|(name, run)| NotComplete {
            job: job.name,
            run: Some(name),
            night: run.night.to_string(),
            state: run.state.name(),
            note: note(run, words),
        }));
    }
    if rows.is_empty() {
        return Vec::new();
    }
    let table = Table::of_rows(&rows)
        .left(words.get("nightly.job"), |row| Text::plain(row.job))
        .left(words.get("nightly.run"), |row| {
            row.run.map_or_else(Cell::dash, |run| Text::code(run).into())
        })
        .left(words.get("nightly.night"), |row| row.night.as_str())
        .left(words.get("nightly.state"), |row| {
            words.get(&format!("nightly.run-state.{}", row.state))
        })
        .left(words.get("nightly.note"), |row| row.note.as_str());
    listed(table.table(), rows.len(), words)
}

fn note(run: &RunRecord, words: &Catalogue) -> String {
    let count = |count: &u64| quantity::count(*count);
    match &run.note {
        None => words.fill("nightly.note-of.since", &[("since", run.since)]),
        Some(RunNote::Said { said }) => words.fill("nightly.note-of.said", &[("said", said)]),
        Some(RunNote::Ahead) => words.get("nightly.note-of.ahead"),
        Some(RunNote::Torn) => words.get("nightly.note-of.torn"),
        Some(RunNote::Unread) => words.get("nightly.note-of.unread"),
        Some(RunNote::Unconfigured) => words.get("nightly.note-of.unconfigured"),
        Some(RunNote::Steps { reached, planned }) => {
            let facts = [("reached", count(reached)), ("planned", count(planned))];
            words.fill("nightly.note-of.steps", &facts)
        }
        Some(RunNote::Samples { scored, planned, dataset }) => {
            let facts = [
                ("scored", count(scored)),
                ("planned", count(planned)),
                ("dataset", dataset.clone()),
            ];
            words.fill("nightly.note-of.samples", &facts)
        }
        Some(RunNote::Unreadable { cause }) => {
            words.fill("nightly.note-of.unreadable", &[("cause", cause)])
        }
    }
}

fn new_runs(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let mut rows: Vec<(&str, &String, &RunRecord)> = Vec::new();
    for job in &material.jobs {
        rows.extend(job.filed.iter().map(|(name, run)| (job.name, *name, *run)));
    }
    if rows.is_empty() {
        return vec![Block::paragraph(words.get("nightly.nothing-new"))];
    }
    let kind = |run: &RunRecord| match (run.revision > 1, run.late) {
        (true, _) => "nightly.run-state.changed",
        (false, true) => "nightly.run-state.late",
        (false, false) => "nightly.run-state.new",
    };
    let table = Table::of_rows(&rows)
        .left(words.get("nightly.job"), |(job, _, _)| Text::plain(*job))
        .left(words.get("nightly.run"), |(_, name, _)| Text::code(name.as_str()))
        .left(words.get("nightly.night"), |(_, name, run)| match Night::named_in(name) {
            Some(_) => run.night.to_string(),
            None => words.fill("nightly.by-times", &[("night", run.night.to_string())]),
        })
        .left(words.get("nightly.state"), |(_, _, run)| words.get(kind(run)))
        .left(words.get("nightly.finished"), |(_, _, run)| run.finished.to_string())
        .optional();
    listed(table.table(), rows.len(), words)
}

/// The first rows of a table, and how many more there are.
fn listed(table: Table, count: usize, words: &Catalogue) -> Vec<Block> {
    let more = count.saturating_sub(MOST_RUNS);
    let mut blocks = vec![Block::Table { table: table.first_rows(MOST_RUNS) }];
    if more > 0 {
        let more = quantity::count(more as u64);
        blocks.push(Block::paragraph(words.fill("nightly.more", &[("more", more)])));
    }
    blocks
}
