//! The report of arms set against each other: of `compare`, `check` and `phase`.

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::block::{Icon, Section, Text, Tone};
use super::data::{ComparisonData, HeadlineView};
use super::sections::{Answer, Lead};
use super::{
    Headline, Report, ReportMaterial, brief, charts, csv_rows, grid, json_object, paper, sections,
    systems, tasks, views,
};
use crate::compare::Comparison;

/// What differs between the kinds of reports that compare arms.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    /// Name in `report.json`.
    pub kind: &'static str,
    pub title: &'static str,
    pub has_sheet: bool,
}

/// The report of a comparison with these sections, and what its kind asks beside it.
pub fn build(
    material: &ReportMaterial<'_>,
    form: Form,
    mut sections: Vec<Section>,
    lead: Option<&Lead>,
) -> Report {
    // Intervals of single arms are made here, from every sample.
    let comparisons: Vec<&Comparison<'_>> = material.all().collect();
    let answer = sections::answer(material, lead);
    let data = ComparisonData {
        headline: HeadlineView {
            result: answer.as_ref().map(|answer| answer.outcome),
            trust: material.grade().name(),
        },
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
        curves: views::curves(material),
        score_bins: views::score_bins(material),
        systems: systems::view(material.systems, material.options.alpha),
        verdicts: views::verdict_counts(material),
        to_run: sections::to_run::plan(material),
    };
    let gates = views::gates(material);
    sections.splice(0..0, brief::glance(&data, &gates, material.words));
    charts::place(&mut sections, material, &data);
    let title = material.words.fill(form.title, &[("arms", arms(material))]);
    Report {
        kind: form.kind,
        paper: paper::tables(&data, material),
        findings: views::findings(material),
        gates,
        sheet: form.has_sheet.then(|| csv_rows::sheet(&data)),
        brief: brief::blocks(&data, charts::differences(&data, material.words), material.words),
        data: json_object(&data),
        lang: material.words.lang,
        title: title.into(),
        headline: headline(material, answer, lead),
        sections,
    }
}

/// The candidates and the baseline, which is named as such: `tuned vs base (baseline)`.
fn arms(material: &ReportMaterial<'_>) -> String {
    let words = material.words;
    let mut names = material.arms().map(|(pair, which)| pair.name(which));
    let baseline = names.next().unwrap_or_default();
    let args = [("name", baseline), ("role", &words.get("terminal.baseline"))];
    let baseline = words.fill("terminal.arm", &args);
    let candidates: Vec<&str> = names.collect();
    format!("{} vs {baseline}", candidates.join(&words.get("punctuation.comma")))
}

/// The result, then whether it may be believed; where nothing was compared yet, the latter alone.
fn headline(
    material: &ReportMaterial<'_>,
    answer: Option<Answer>,
    lead: Option<&Lead>,
) -> Headline {
    let trust = sections::worst_grade(material).map(|(key, icon, sentence)| {
        let tone = match icon {
            Icon::Good => Tone::Good,
            Icon::Severe => Tone::Danger,
            _ => Tone::Warning,
        };
        // A sign asks for care; what may be believed needs none.
        let sign = match tone {
            Tone::Good => Text::empty(),
            _ => Text::icon(icon).and_plain(" "),
        };
        let text = sign
            .and_strong(material.words.get(&format!("grade.{key}.title")))
            .and_plain(material.words.get("punctuation.colon"))
            .and_plain(sentence);
        (tone, text)
    });
    let (trust_tone, trust) = trust.unwrap_or_else(|| (Tone::Good, Text::empty()));
    let asked = lead.and_then(|lead| lead.next.clone());
    let next = sections::next_step(material, asked);
    let headline = match answer {
        Some(answer) => {
            Headline::new(answer.tone.max(trust_tone), answer.into_text()).trusted(trust)
        }
        None => Headline::new(trust_tone, trust),
    };
    headline.followed_by(next, material.words)
}
