//! Samples in a page: what was asked, and the answers of the runs beside each other.
//!
//! Everything is there without the script, which adds a search, the keyboard and copying. Texts of
//! runs stand between tags and in attributes, escaped; nothing of them is ever read as a program.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use indexmap::IndexMap;

use super::escape::html_lines as shown;
use crate::report::code_lines::code_lines;
use crate::report::sample_card::{CardAnswer, CardImage, CardText, SampleCard};
use crate::text::Catalogue;

/// The cards with the choice among them, and what is to be said of their images.
pub(super) fn browser(cards: &[SampleCard], images: Option<&str>, words: &Catalogue) -> String {
    let mut out = String::from("<div class=\"samples\"");
    let names = [
        "copy",
        "copied",
        "search",
        "all-datasets",
        "all-endings",
        "all-answers",
        "no-match",
        "keys",
    ];
    for name in names {
        let text = shown(&words.get(&format!("html.samples.{name}")));
        let _infallible = write!(out, " data-{name}=\"{text}\"");
    }
    out.push_str(">\n");
    if let Some(told) = images {
        let _infallible = writeln!(out, "<p>{}</p>", shown(told));
    }
    out.push_str(&classes(cards, words));
    out.push_str("<div class=\"sample-tools\" hidden></div>\n");
    for one in cards {
        card(&mut out, one);
    }
    out.push_str("</div>\n");
    out
}

/// One choice for each transition that there is; the style hides the others.
fn classes(cards: &[SampleCard], words: &Catalogue) -> String {
    let mut counts: IndexMap<&str, (&str, usize)> = IndexMap::new();
    for card in cards {
        counts.entry(card.class).or_insert((&card.class_title, 0)).1 += 1;
    }
    if counts.len() < 2 {
        return String::new();
    }
    let label = shown(&words.get("html.samples.filter"));
    let mut out = format!("<fieldset class=\"sample-classes\"><legend>{label}</legend>\n");
    let all = words.get("html.samples.all");
    let every = std::iter::once(("all", (all.as_str(), cards.len())));
    for (class, (title, count)) in every.chain(counts) {
        let checked = if class == "all" { " checked" } else { "" };
        let title = shown(title);
        let _infallible = writeln!(
            out,
            "<label><input type=\"radio\" name=\"sample-class\" value=\"{class}\"{checked}> \
             {title} <b>{count}</b></label>"
        );
    }
    out.push_str("</fieldset>\n");
    out
}

fn card(out: &mut String, card: &SampleCard) {
    let SampleCard { number, class, .. } = card;
    let texts = [&card.id, &card.dataset, &card.class_title, &card.ending, &card.alike];
    let [id, dataset, title, ending, alike] = texts.map(|text| shown(text));
    let place = std::iter::once(dataset.as_str()).filter(|dataset| !dataset.is_empty());
    let place = place.map(str::to_owned).chain(card.notes.iter().map(|note| shown(note)));
    let place = place.collect::<Vec<_>>().join(" · ");
    let _infallible = write!(
        out,
        "<article class=\"sample {class}\" id=\"s-{number}\" tabindex=\"-1\" data-id=\"{id}\" \
         data-dataset=\"{dataset}\" data-transition=\"{class}\" data-ending=\"{ending}\" \
         data-alike=\"{alike}\">\n\
         <h3><a href=\"#s-{number}\">{number}</a> <code>{id}</code> <span class=\"tag\">{title}</span></h3>\n\
         <p class=\"place\">{place}</p>\n"
    );
    if !card.asked.is_empty() || !card.images.is_empty() {
        out.push_str("<div class=\"asked\">\n");
        card.asked.iter().for_each(|one| text(out, one, "ins", "h4"));
        images(out, &card.images);
        out.push_str("</div>\n");
    }
    out.push_str("<div class=\"sides\">\n");
    card.answers.iter().for_each(|one| answer(out, one));
    out.push_str("</div>\n</article>\n");
}

fn answer(out: &mut String, answer: &CardAnswer) {
    let side = match answer.is_right {
        Some(true) => "side right-answer",
        Some(false) => "side wrong-answer",
        None => "side",
    };
    let [run, source] = [&answer.run, &answer.source].map(|text| shown(text));
    let facts = answer.facts.iter().map(|fact| shown(fact)).collect::<Vec<_>>().join(" · ");
    let _infallible = write!(
        out,
        "<section class=\"{side}\" data-run=\"{run}\" data-source=\"{source}\">\n\
         <h4>{run}</h4>\n<p class=\"facts\">{facts}</p>\n"
    );
    let mark = if answer.is_baseline { "del" } else { "ins" };
    answer.texts.iter().for_each(|one| text(out, one, mark, "h5"));
    images(out, &answer.images);
    if !source.is_empty() {
        let _infallible = writeln!(out, "<p class=\"source\"><code>{source}</code></p>");
    }
    out.push_str("</section>\n");
}

/// A text below a heading, with the words of its own in elements of that name.
fn text(out: &mut String, text: &CardText, mark: &str, heading: &str) {
    let label = shown(&text.label);
    let cut = text.cut.as_ref().map(|cut| format!(" <small>{}</small>", shown(cut)));
    let cut = cut.unwrap_or_default();
    let meaning = text.meaning;
    let _infallible = write!(
        out,
        "<div class=\"text\"><{heading}>{label}{cut}</{heading}>\
         <pre tabindex=\"0\" data-field=\"{meaning}\">"
    );
    // A parser drops the first line break in this element.
    out.push('\n');
    lines(out, text, mark);
    out.push_str("</pre></div>\n");
}

/// The lines of a text; each that is code in an element, which the style numbers. Numbers are no part of
/// the text, which is copied as it is.
fn lines(out: &mut String, text: &CardText, mark: &str) {
    let numbers = code_lines(&text.plain());
    let element = |at: usize| match numbers.get(at).copied().flatten() {
        None => ["", ""],
        Some(1) => ["<span class=\"first\">", "</span>"],
        Some(_) => ["<span>", "</span>"],
    };
    let mut line = 0;
    out.push_str(element(line)[0]);
    for (words, is_own) in text.pieces() {
        for (at, words) in words.split('\n').enumerate() {
            if at > 0 {
                let [_, close] = element(line);
                line += 1;
                let [open, _] = element(line);
                out.extend([close, "\n", open]);
            }
            let words = shown(words);
            if is_own {
                let _infallible = write!(out, "<{mark}>{words}</{mark}>");
            } else {
                out.push_str(&words);
            }
        }
    }
    out.push_str(element(line)[1]);
}

/// Images in the page itself, so that it asks nobody for them.
fn images(out: &mut String, images: &[CardImage]) {
    if images.is_empty() {
        return;
    }
    out.push_str("<div class=\"images\">\n");
    for CardImage { field, name, media, bytes } in images {
        let [field, name] = [field, name].map(|text| shown(text));
        let data = STANDARD.encode(bytes);
        let _infallible = writeln!(
            out,
            "<figure><img src=\"data:{media};base64,{data}\" alt=\"{name}\" loading=\"lazy\">\
             <figcaption><code>{field}</code> {name}</figcaption></figure>"
        );
    }
    out.push_str("</div>\n");
}
