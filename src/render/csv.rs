//! One row per comparison, for spreadsheets and data frames.
//!
//! Unknown is an empty field. Columns are stable; grid coordinates are columns `dim.<name>`.

use std::collections::BTreeSet;

use crate::report::{ArmView, ComparisonView, Report, Sheet, SourceView};

use super::{Format, RenderError, RenderOptions, Told};

/// The format `csv`.
pub(super) struct Csv;

impl Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn extension(&self) -> &'static str {
        "csv"
    }

    fn render(&self, told: Told<'_>, _: &RenderOptions) -> Result<String, RenderError> {
        let mut writer = ::csv::Writer::from_writer(Vec::new());
        match told {
            Told::Comparison(report) => comparisons(report, &mut writer)?,
            Told::Other(report) => sheet(&report.sheet, &mut writer)?,
        }
        let bytes = writer.into_inner().map_err(|error| ::csv::Error::from(error.into_error()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

type Writer = ::csv::Writer<Vec<u8>>;

fn comparisons(report: &Report, writer: &mut Writer) -> Result<(), ::csv::Error> {
    let dims: BTreeSet<&str> =
        report.comparisons.iter().flat_map(|comparison| comparison.dims.names()).collect();
    writer.write_record(header(&dims))?;
    for comparison in &report.comparisons {
        writer.write_record(row(comparison, report, &dims))?;
    }
    Ok(())
}

fn sheet(sheet: &Sheet, writer: &mut Writer) -> Result<(), ::csv::Error> {
    writer.write_record(&sheet.heads)?;
    for row in &sheet.rows {
        let field = |value: &String| match value.parse::<f64>() {
            Ok(_) => value.clone(),
            Err(_) => text(value),
        };
        writer.write_record(row.iter().map(field))?;
    }
    Ok(())
}

const FIGURES: [&str; 38] = [
    "baseline_run",
    "candidate_run",
    "unit",
    "baseline",
    "candidate",
    "baseline_n",
    "candidate_n",
    "delta",
    "delta_unit",
    "ci_lo",
    "ci_hi",
    "ci_level",
    "p",
    "p_adjusted",
    "test",
    "paired",
    "gained",
    "lost",
    "verdict",
    "reason",
    "baseline_absent",
    "candidate_absent",
    "baseline_source",
    "candidate_source",
    "pairing_unit",
    "baseline_seeds",
    "candidate_seeds",
    "baseline_compared",
    "candidate_compared",
    "grade",
    "grade_unaccepted",
    "accepted",
    "baseline_of",
    "candidate_of",
    "noise_runs",
    "noise_sd",
    "noise_floor",
    "noise_p",
];

fn header(dims: &BTreeSet<&str>) -> Vec<String> {
    let mut names = vec!["metric".to_owned(), "dataset".to_owned()];
    names.extend(dims.iter().map(|name| format!("dim.{name}")));
    names.extend(FIGURES.iter().map(|&name| name.to_owned()));
    names
}

fn row(of: &ComparisonView, report: &Report, dims: &BTreeSet<&str>) -> Vec<String> {
    let delta = of.delta.as_ref();
    let ci = delta.and_then(|delta| delta.ci);
    let test = of.test.as_ref();
    let mut fields = vec![text(&of.metric), text(of.dataset.as_deref().unwrap_or_default())];
    fields.extend(dims.iter().map(|name| match of.dims.get(name) {
        Some(value) if value.number().is_some() => value.to_string(),
        Some(value) => text(&value.to_string()),
        None => String::new(),
    }));
    fields.extend([
        text(&of.baseline_run),
        text(&of.candidate_run),
        of.unit.to_owned(),
        number(of.baseline.value),
        number(of.candidate.value),
        count(of.baseline.n),
        count(of.candidate.n),
        number(delta.map(|delta| delta.absolute)),
        delta.map_or("", |delta| delta.unit).to_owned(),
        number(ci.map(|[lo, _]| lo)),
        number(ci.map(|[_, hi]| hi)),
        number(delta.and_then(|delta| delta.level)),
        number(test.map(|test| test.p)),
        number(test.and_then(|test| test.p_adjusted)),
        test.map_or("", |test| test.method).to_owned(),
        count(of.pairing.as_ref().map(|pairing| pairing.paired)),
        count(of.flips.map(|flips| flips.gained)),
        count(of.flips.map(|flips| flips.lost)),
        of.verdict.to_owned(),
        text(of.reason.as_deref().unwrap_or_default()),
        of.baseline.absent.unwrap_or_default().to_owned(),
        of.candidate.absent.unwrap_or_default().to_owned(),
        source(&of.baseline),
        source(&of.candidate),
        of.pairing.as_ref().map_or("", |pairing| pairing.unit).to_owned(),
        seeds(&of.baseline),
        seeds(&of.candidate),
    ]);
    fields.extend(of.compared().map(number));
    let grades = &report.comparability.candidates;
    let grade = grades.iter().find(|grade| grade.candidate == of.candidate_run);
    fields.push(grade.map_or("", |grade| grade.grade).to_owned());
    fields.push(grade.map_or("", |grade| grade.grade_unaccepted).to_owned());
    fields.push(of.accepted.join(" "));
    let of_all = |arm: &ArmView| count(arm.part.map(|[_, of]| of));
    fields.extend([of_all(&of.baseline), of_all(&of.candidate)]);
    let noise = of.noise.as_ref();
    fields.push(count(noise.map(|noise| noise.runs)));
    fields.extend([
        number(noise.map(|noise| noise.sd)),
        number(noise.map(|noise| noise.floor)),
        number(noise.map(|noise| noise.p)),
    ]);
    fields
}

/// A text that no spreadsheet takes for a formula
/// (<https://owasp.org/www-community/attacks/CSV_Injection>).
fn text(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

fn number(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or_else(String::new, |value| value.to_string())
}

fn count(value: Option<u64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// The figure of each training, separated by spaces; `?` where one has none.
fn seeds(arm: &ArmView) -> String {
    let figures = arm.seeds.iter().flatten().map(|seed| match number(seed.value) {
        missing if missing.is_empty() => "?".to_owned(),
        figure => figure,
    });
    text(&figures.collect::<Vec<_>>().join(" "))
}

/// `path:line key`, as far as known.
fn source(arm: &ArmView) -> String {
    let Some(SourceView { path, line, key }) = &arm.source else { return String::new() };
    let line = line.map_or_else(String::new, |line| format!(":{line}"));
    let key = key.as_ref().map_or_else(String::new, |key| format!(" {key}"));
    text(&format!("{path}{line}{key}"))
}
