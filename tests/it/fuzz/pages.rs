//! Reports: texts of runs in every place of a report, words of a person, templates of the user.

use std::path::Path;

use indexmap::IndexMap;
use reportgen::marked::{Marked, PROSE};
use reportgen::render::{
    self, Earlier, FORMATS, Keeping, OwnTemplate, RenderOptions, SHIPPED, TerminalOptions,
};
use reportgen::report::block::{Block, Section, Table, Text};
use reportgen::report::chart::{
    Axis, Chart, IntervalMark, IntervalPanel, IntervalRow, Marks, RowLook,
};
use reportgen::report::sample_card::{CardAnswer, CardImage, CardText, SampleCard};
use reportgen::report::{DiffPart, Report, sample_cards};
use reportgen::text::Catalogue;
use serde_json::Value;

use super::campaign::{Input, Outcome, Target};
use super::corpus::{self, Seed};
use super::harmless::{active_in_page, obeyed_by_terminal};
use crate::sample_report;

const TEXTS: [&str; 6] = [
    "a|b <script>alert(1)</script> **x** `y` @everyone #12\n# z",
    "[x](javascript:alert(1)) ![y](data:text/html,z) <a href='javascript:x' onclick=y>",
    "```\n</code></pre>\n~~~\n> [!NOTE]\n> x\n\n| a |\n|---|\n| b |\n",
    "\n\n    indented\n\n1. x\n   - y\n\n[a]: http://b \"c\"\n\n[a][] [^1]\n\n[^1]: d",
    "_a_ __b__ ~~c~~ \\* &amp; &#106; &colon; <!-- d --> <?e?> <![CDATA[f]]>",
    "=1+1 @SUM(A1) \"quoted\", 'x'\t-2 +3",
];

pub(super) fn targets() -> Vec<Target> {
    let target = |name: &str, share, corpus, run: fn(&Path, &Input) -> Outcome| Target {
        name: name.to_owned(),
        share,
        most: 2048,
        corpus,
        run: Box::new(run),
    };
    let documents = corpus::named(|name| corpus::extension(name) == "md").into_iter();
    let documents: Vec<Seed> = documents.chain(corpus::texts(&TEXTS)).collect();
    let templates = SHIPPED.iter().filter(|(name, _)| name.ends_with(".md.j2"));
    let templates = templates.map(|(name, text)| Seed::of(name, text));
    let own = corpus::named(|name| corpus::extension(name) == "j2").into_iter();
    vec![
        target("report", 3, corpus::texts(&TEXTS), texts_of_runs),
        target("words", 4, documents, words_of_a_person),
        Target { most: 8192, ..target("template", 3, templates.chain(own).collect(), template) },
    ]
}

/// The page and the document; what a person wrote has to be in the latter.
fn drawn(report: &Report, options: &RenderOptions, formats: &[&str]) -> Result<String, String> {
    let mut all = String::new();
    for format in FORMATS.iter().filter(|format| formats.contains(&format.name())) {
        let page = match format.render(report, options) {
            Ok(page) => page,
            Err(error) => return Ok(format!("{all}{error}")),
        };
        let active = (format.name() == "html").then(|| active_in_page(&page)).flatten();
        if let Some(active) = active {
            return Err(format!("the page has {active}"));
        }
        if format.name() == "json" {
            serde_json::from_str::<Value>(&page).map_err(|error| error.to_string())?;
        }
        if format.name() == "csv" {
            let mut rows = csv::Reader::from_reader(page.as_bytes());
            if let Some(error) = rows.records().find_map(Result::err) {
                return Err(error.to_string());
            }
        }
        all.push_str(&page);
    }
    Ok(all)
}

fn chart(text: &str) -> Chart {
    let row = IntervalRow {
        name: text.to_owned(),
        group: Some(text.to_owned()),
        marks: vec![IntervalMark::figure(1.0, Some([0.5, 2.0]))],
        margin: None,
        figure: text.to_owned(),
        word: text.to_owned(),
        look: RowLook::default(),
    };
    let axis = Axis { title: text.to_owned(), unit: "pp", is_difference: true };
    let panel =
        IntervalPanel { axis, arms: Some([text.to_owned(), text.to_owned()]), rows: vec![row] };
    Chart {
        name: "fuzz",
        title: text.to_owned(),
        description: text.to_owned(),
        marks: Marks::Intervals { panels: vec![panel] },
    }
}

fn texts_of_runs(_: &Path, input: &Input) -> Outcome {
    let text = input.text();
    let mut report = sample_report::report();
    let row = [text.clone()];
    let table = Table::of_rows(&row)
        .left(&*text, |text| Text::plain(text.as_str()))
        .left("code", |text| Text::code(text.as_str()))
        .right(Text::strong(&*text), |text| Text::strong(text.as_str()));
    let blocks = vec![
        Block::heading(&*text),
        Block::paragraph(
            Text::plain(&*text).and_code(&*text).and_strong(&*text).and_quoting(&text),
        ),
        Block::bullets(vec![Text::plain(&*text), Text::code(&*text)]),
        table.block(),
        Block::chart(chart(&text)),
        Block::folded(&*text, vec![Block::paragraph(Text::code(&*text))]),
        samples(&text),
    ];
    report.title = Text::plain(&*text);
    report.sections.push(Section {
        id: "fuzz",
        title: Text::plain(&*text),
        blocks: blocks.clone(),
    });
    report.brief = blocks;
    if let Some(sheet) = &mut report.sheet {
        sheet.rows.push([&*text, &*text, "-1", &*text].map(Value::from).into());
    }
    report.data.insert(text.clone(), text.clone().into());
    let terminal = render::terminal(
        &report,
        Catalogue::shipped(report.lang),
        TerminalOptions { color: false, width: Some(80) },
    );
    if let Some(obeyed) = obeyed_by_terminal(&terminal) {
        return Err(format!("the terminal gets {obeyed:?}: {terminal:?}"));
    }
    drawn(&report, &RenderOptions::default(), &["md", "html", "json", "csv", "jsonl"])
}

/// A sample that consists of that text wherever a run may have written something.
fn samples(text: &str) -> Block {
    let texts = vec![CardText {
        meaning: "answer",
        label: text.to_owned(),
        parts: [false, true].map(|is_own| DiffPart { text: text.to_owned(), is_own }).into(),
        cut: Some(text.to_owned()),
    }];
    let images = vec![CardImage {
        field: text.to_owned(),
        name: text.to_owned(),
        media: "image/png",
        bytes: text.as_bytes().into(),
    }];
    let answer = |is_baseline| CardAnswer {
        run: text.to_owned(),
        is_baseline,
        is_right: Some(is_baseline),
        facts: vec![text.to_owned()],
        texts: texts.clone(),
        images: images.clone(),
        source: text.to_owned(),
    };
    let card = SampleCard {
        number: 1,
        class: "worse",
        class_title: text.to_owned(),
        id: text.to_owned(),
        dataset: text.to_owned(),
        ending: text.to_owned(),
        alike: text.to_owned(),
        notes: vec![text.to_owned()],
        asked: texts.clone(),
        images: images.clone(),
        answers: vec![answer(true), answer(false)],
    };
    sample_cards(vec![card], Some(text.to_owned()), Catalogue::english())
}

/// What a person wrote is in the next document as it was, and in the page as text.
fn words_of_a_person(_: &Path, input: &Input) -> Outcome {
    let mut text = input.text();
    if input.choice.is_multiple_of(2) {
        text = format!("<!-- reportgen:prose mine -->\n{text}\n<!-- reportgen:end -->\n");
    }
    let Ok(earlier) = Earlier::read(&text) else { return Ok(String::new()) };
    let keeping = Keeping { earlier: Some(earlier), offers_places: true };
    let options = RenderOptions { keeping: Some(keeping), ..RenderOptions::default() };
    let all = drawn(&sample_report::report(), &options, &["md", "html"])?;
    let plain = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let places = Marked::read(plain, &[PROSE]).map_err(|error| format!("{error:?}"))?.places;
    let written = places.iter().map(|place| plain[place.content.clone()].trim());
    let lost = written.filter(|words| !words.is_empty()).find(|words| !all.contains(words));
    lost.map_or(Ok(all.clone()), |words| Err(format!("loses {words:?}")))
}

/// A template may say what it likes, and still what it draws is a document.
fn template(_: &Path, input: &Input) -> Outcome {
    let name = if SHIPPED.iter().any(|(name, _)| *name == input.name) {
        input.name.clone()
    } else {
        "report.md.j2".to_owned()
    };
    let own = OwnTemplate { path: input.name.clone(), text: input.text() };
    let templates = IndexMap::from([(name, own)]);
    let options = RenderOptions { templates, ..RenderOptions::default() };
    drawn(&sample_report::report(), &options, &["md", "html"])
}
