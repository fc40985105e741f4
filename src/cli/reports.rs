//! Reports of every kind: made, written, and summed up on the terminal.

use std::io;
use std::path::Path;

use super::args::ReportAsked;
use super::{Streams, Surroundings, config, emit, memory};
use crate::exit::{ExitStatus, Failure};
use crate::kinds::{KINDS, Kind, Made, Request};
use crate::output::{self, Beside, Output, Own, Wanted, Written};
use crate::render::{self, TerminalOptions};
use crate::report::{Detail, Report};
use crate::text::{Catalogue, Refusal};

/// Makes a report and writes it in every format; with `own` by the user's template.
pub(super) fn run_report_command(
    ReportAsked { kind, drawing, matches }: ReportAsked,
    own: Option<&Own>,
    line: &str,
    streams: &mut Streams<'_>,
) -> Result<ExitStatus, Failure> {
    memory::keep(&drawing.reading)?;
    let templates = drawing.templates.as_deref();
    if let Some(directory) = templates {
        let ids: Vec<&str> = KINDS.iter().flat_map(|kind| (kind.section_ids)()).collect();
        for warning in output::unused_templates(directory, own, &ids) {
            writeln!(streams.err, "{}", render::clean(&warning))
                .map_err(Failure::standard_output)?;
        }
    }
    let path = drawing.output.as_deref();
    let config = config::of_report(&drawing)?;
    let detail = Detail::from(drawing.detail);
    let comment = drawing.commenting.options()?;
    let output = Output::new(Wanted {
        path,
        name: "report",
        formats: &drawing.format,
        templates,
        own,
        config: config.as_ref().map(|file| Path::new(&file.path)),
        kind: kind.name,
        offers_places: detail != Detail::Brief,
        force: drawing.force,
        charts_as_files: drawing.assets,
        lang: drawing.lang.unwrap_or(streams.surroundings.lang),
        comment: &comment,
    })?;
    let annotates = drawing.commenting.annotations.is_some();
    refuse_output(&output, kind, annotates)?;
    let request = Request {
        config: config.as_ref(),
        lang: drawing.lang,
        access: &drawing.reading.flags(),
        locale: streams.surroundings.lang,
        command: line,
        now: streams.surroundings.now,
        output: &output,
    };
    let Made { report, status, files, stale } = (kind.run)(&matches, &request)?;
    let report = report.with_detail(detail);
    // A person at a terminal who did not say where the report goes sees it in short.
    let at_terminal = streams.surroundings.width.is_some();
    let in_short = at_terminal && own.is_none() && path.is_none() && drawing.format.is_empty();
    let beside = Beside { files: &files, stale: &stale };
    let written =
        if in_short { Written::default() } else { output.write(&report, beside, streams.out)? };
    let words = output.words(report.lang);
    let summed_up = in_short || !written.reports.is_empty();
    let print = if annotates { print_annotated } else { print_summary };
    print(&report, summed_up, &written, words, streams).map_err(Failure::standard_output)?;
    Ok(status)
}

/// Refuses formats that need what the kind has not, and annotations where a report goes.
fn refuse_output(output: &Output, kind: &Kind, annotates: bool) -> Result<(), Failure> {
    if annotates && !output.goes_to_files() {
        return Err(Failure::refused("refused.annotations", &[]));
    }
    let needs_rows = output.formats().iter().find(|format| format.needs_rows());
    let Some(format) = needs_rows.filter(|_| !kind.has_sheet) else { return Ok(()) };
    let others = render::FORMATS.iter().filter(|format| !format.needs_rows());
    let refusal = Refusal::new("refused.no-rows").with("kind", kind.name);
    let others: Vec<&str> = others.map(|format| format.name()).collect();
    Err(Failure::usage(refusal.with("format", format.name()).with("others", others)))
}

/// The short form and all else, with nothing in it that a runner obeys, and annotations behind it.
fn print_annotated(
    report: &Report,
    summed_up: bool,
    written: &Written,
    words: &Catalogue,
    streams: &mut Streams<'_>,
) -> io::Result<()> {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let surroundings = streams.surroundings;
    let mut kept = Streams { surroundings, out: &mut out, err: &mut err };
    print_summary(report, summed_up, written, words, &mut kept)?;
    for (text, stream) in [(out, &mut *streams.out), (err, &mut *streams.err)] {
        let text = render::without_commands(&String::from_utf8_lossy(&text));
        stream.write_all(text.as_bytes())?;
    }
    streams.out.write_all(render::annotations(report, words).as_bytes())
}

/// The short form for a person, the gates, and what must be known. When the report itself went to
/// standard output, only what it cannot say there: the gates and the findings.
fn print_summary(
    report: &Report,
    summed_up: bool,
    written: &Written,
    words: &Catalogue,
    Streams { surroundings, out, err }: &mut Streams<'_>,
) -> io::Result<()> {
    if summed_up {
        let Surroundings { color, width, .. } = *surroundings;
        let options = TerminalOptions { color, width };
        out.write_all(render::terminal(report, words, options).as_bytes())?;
        for path in &written.reports {
            let path = render::clean(&path.display().to_string());
            writeln!(out, "{}", words.fill("terminal.written", &[("path", &path)]))?;
        }
        if written.reports.is_empty() {
            writeln!(out, "{}", words.get("terminal.whole"))?;
        }
    }
    if let Some((path, aside)) = &written.aside {
        let [path, aside] = [path, aside].map(|path| path.display().to_string());
        let told = words.fill("terminal.kept-aside", &[("path", path), ("aside", aside)]);
        writeln!(err, "{}: {}", words.get("notice.warning"), render::clean(&told))?;
    }
    print_gates(report, *err)?;
    emit::notice(report, words, *err)
}

fn print_gates(report: &Report, err: &mut dyn io::Write) -> io::Result<()> {
    for gate in &report.gates {
        let told = format!("gate {}: {} ({})", gate.name, gate.outcome, gate.local_reason);
        writeln!(err, "{}", render::clean(&told))?;
    }
    Ok(())
}
