//! The report of arms set against each other: of `compare`, `check` and `phase`.

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::block::{Section, Text};
use super::data::ComparisonData;
use super::{
    Report, ReportMaterial, brief, csv_rows, grid, json_object, sections, systems, tasks, views,
};
use crate::compare::Comparison;

/// What tells apart the reports of arms.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    /// Name in `report.json`.
    pub kind: &'static str,
    pub title: &'static str,
    pub has_sheet: bool,
}

/// The report of a comparison with these sections.
pub fn build(material: &ReportMaterial<'_>, form: Form, sections: Vec<Section>) -> Report {
    // Intervals of single arms are made here, from every sample.
    let comparisons: Vec<&Comparison<'_>> = material.all().collect();
    let data = ComparisonData {
        runs: views::runs(material),
        comparability: views::comparability(material),
        comparisons: comparisons
            .par_iter()
            .map(|comparison| views::comparison(comparison))
            .collect(),
        families: views::families(material),
        grids: grid::views(material),
        suites: material.suites.iter().map(views::suite).collect(),
        tasks: material.tasks.iter().map(tasks::view).collect(),
        series: material.trends.iter().map(views::series).collect(),
        systems: systems::view(material.systems, material.options.alpha),
        verdicts: views::verdict_counts(material),
    };
    let names: Vec<&str> = material.arms().map(|(pair, which)| pair.name(which)).collect();
    let title = material.words.fill(form.title, &[("arms", names.join(" vs "))]);
    Report {
        kind: form.kind,
        findings: views::findings(material),
        gates: views::gates(material),
        sheet: form.has_sheet.then(|| csv_rows::sheet(&data)),
        brief: brief::blocks(&data, material.words),
        data: json_object(&data),
        lang: material.words.lang,
        title: title.into(),
        headline: headline(material),
        mark: data.comparability.grade,
        sections,
    }
}

fn headline(material: &ReportMaterial<'_>) -> Text {
    sections::worst_grade(material).map_or_else(Text::empty, |(key, icon, sentence)| {
        Text::icon(icon)
            .and_plain(" ")
            .and_strong(material.words.get(&format!("grade.{key}.title")))
            .and_plain(material.words.get("punctuation.colon"))
            .and_plain(sentence)
    })
}
