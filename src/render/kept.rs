//! A person's words in a report that is drawn again.
//!
//! Owns where words of the earlier document go in the new one, and the stamp that tells what was
//! generated from what was written. What a person wrote is never changed and never dropped.

use std::ops::Range;

use indexmap::IndexMap;

use super::RenderOptions;
use crate::marked::{self, LineKind, Marked, PROSE, Place, Unpaired};
use crate::text::{LANGUAGES, Lang};

/// Title of the part with words that have lost their place.
const KEPT_TITLE: &str = "section.kept";

/// How the line begins that says what was generated.
const STAMP: &str = "<!-- reportgen:report ";

/// How a document that lies in a file is drawn.
#[derive(Debug, Clone, Default)]
pub struct Keeping {
    /// What lies there already.
    pub earlier: Option<Earlier>,
    /// Whether places in which nobody wrote are shown.
    pub offers_places: bool,
}

/// A document that lies where the new one will.
#[derive(Debug, Clone)]
pub struct Earlier {
    text: String,
    has_mark: bool,
    has_crlf: bool,
    /// What its stamp says that it is; `None` where no report was drawn.
    pub label: Option<String>,
    /// Whether something outside of its places is not as it was drawn.
    pub is_edited: bool,
}

impl Earlier {
    /// Reads a document, with or without byte order mark.
    ///
    /// # Errors
    /// When a marked place in it has no end, or an end no beginning.
    pub fn read(text: &str) -> Result<Self, Unpaired> {
        let unmarked = text.strip_prefix('\u{FEFF}');
        let (has_mark, text) = (unmarked.is_some(), unmarked.unwrap_or(text));
        let marked = Marked::read(text, &[PROSE])?;
        let stamp = marked.outside().rev().find_map(|(_, _, line)| {
            line.strip_prefix(STAMP)?.strip_suffix("-->")?.trim().rsplit_once(' ')
        });
        let is_edited = stamp.is_none_or(|(_, hash)| hash != generated_hash(&marked))
            && !text.trim().is_empty();
        let has_crlf = text.matches("\r\n").count() * 2 > text.matches('\n').count();
        let label = stamp.map(|(label, _)| label.to_owned());
        Ok(Self { text: text.to_owned(), has_mark, has_crlf, label, is_edited })
    }

    /// Whether it is no report and nobody meant it to become one: it has neither stamp nor marked
    /// place.
    pub fn is_foreign(&self) -> bool {
        let has_places =
            Marked::read(&self.text, &[PROSE]).is_ok_and(|read| !read.places.is_empty());
        self.label.is_none() && !has_places && !self.text.trim().is_empty()
    }
}

/// The document as a file: with line ends and byte order mark of the one before it, and a stamp.
pub(super) fn stamped(document: &str, label: &str, keeping: &Keeping) -> Result<String, Unpaired> {
    let marked = Marked::read(document, &[PROSE])?;
    let stamp = format!("\n{STAMP}{label} {} -->\n", generated_hash(&marked));
    let earlier = keeping.earlier.as_ref();
    let mark = if earlier.is_some_and(|earlier| earlier.has_mark) { "\u{FEFF}" } else { "" };
    if !earlier.is_some_and(|earlier| earlier.has_crlf) {
        return Ok(format!("{mark}{document}{stamp}"));
    }
    let lines = marked.lines.iter().map(|line| {
        let text = marked.line(line);
        let is_written =
            marked.places.iter().any(|place| place.content.contains(&line.range.start));
        if is_written { text.to_owned() } else { with_crlf(text) }
    });
    Ok(format!("{mark}{}{}", lines.collect::<String>(), with_crlf(&stamp)))
}

fn with_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// The document without its marked places but the names in their markers, and what stands in them.
pub(super) fn without_words(document: &str) -> Result<(String, Vec<&str>), Unpaired> {
    let marked = Marked::read(document, &[PROSE])?;
    let mark = |place: &Place<'_>| (place.whole.clone(), format!("{PLACE_MARK}\n"));
    let rest = edited(document, marked.places.iter().map(mark).collect());
    Ok((rest, marked.places.iter().map(|place| &document[place.content.clone()]).collect()))
}

/// Where the words of a place go in a page.
pub(super) const PLACE_MARK: &str = "<!-- reportgen:prose -->";

/// A new document with the words of the earlier one. Without `keeping`, for standard output, no
/// marker is left in it.
///
/// # Errors
/// When a template leaves a place open.
pub(super) fn with_words(
    drawn: &str,
    lang: Lang,
    options: &RenderOptions,
) -> Result<String, Unpaired> {
    let marked = Marked::read(drawn, &[PROSE])?;
    let earlier = options.keeping.as_ref().and_then(|keeping| keeping.earlier.as_ref());
    let before = Marked::read(earlier.map_or("", |earlier| &earlier.text), &[PROSE])?;
    let offers = options.keeping.as_ref().is_some_and(|keeping| keeping.offers_places);
    let mut written = words_of(&before);
    let taken = taken_places(&marked, &mut written, options);
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for (place, words) in marked.places.iter().zip(taken) {
        let text = match words {
            Some(words) => filled(drawn, place, &before.text[words.content.clone()]),
            None => unfilled(drawn, place, offers),
        };
        let is_gap = text.is_empty() && drawn[..place.whole.start].ends_with("\n\n");
        edits.push((place.whole.start - usize::from(is_gap)..place.whole.end, text));
    }
    let mut lost: IndexMap<&str, String> = IndexMap::new();
    for words in written.into_iter().filter(|words| !words.is_hint) {
        let whole = whole_lines(&before.text[words.place.whole.clone()]);
        match insertion(&marked, &words, options) {
            Some(at) => edits.push((at..at, format!("\n{whole}"))),
            None => lost.entry(words.under).or_default().extend(["\n", &whole]),
        }
    }
    let document = edited(drawn, edits);
    let mut document = format!("{}\n", document.trim_end_matches(['\n', '\r']));
    if !lost.is_empty() {
        document.extend(["\n## ", &options.catalogues.of(lang).get(KEPT_TITLE), "\n"]);
    }
    for (heading, places) in lost {
        document.extend(["\n### ", heading, "\n", &places]);
    }
    Ok(document)
}

/// The text with other words in some ranges, none of which reaches into another.
fn edited(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut result = String::with_capacity(text.len());
    let mut start = 0;
    for (range, words) in edits {
        result.push_str(&text[start..range.start]);
        result.push_str(&words);
        start = range.end;
    }
    result + &text[start..]
}

/// What a person wrote into a place of the earlier document.
struct Words<'e> {
    place: &'e Place<'e>,
    /// The heading above it; empty for what stands before the first section.
    under: &'e str,
    /// The line above it, and how many like it stand before that one below the same heading; `None`
    /// right below the heading.
    behind: Option<(&'e str, usize)>,
    /// Nobody wrote there.
    is_hint: bool,
}

fn words_of<'e>(before: &'e Marked<'e>) -> Vec<Words<'e>> {
    let mut found = Vec::new();
    let mut sections = sections(before).peekable();
    let (mut under, mut above) = ("", Vec::new());
    for (at, line) in before.lines.iter().enumerate() {
        let text = before.line(line).trim_end();
        match line.kind {
            LineKind::Place(index) => {
                let place = &before.places[index];
                if line.range.start == place.whole.start {
                    let like = |last| above.iter().filter(|one| **one == last).count() - 1;
                    let behind = above.last().map(|&last| (last, like(last)));
                    let is_hint = is_hint(before.text, place);
                    found.push(Words { place, under, behind, is_hint });
                }
            }
            _ if text.is_empty() => {}
            _ => match sections.next_if(|(section, _)| *section == at) {
                Some((_, title)) => (under, above) = (title, Vec::new()),
                None => above.push(text),
            },
        }
    }
    found
}

/// Every heading but the title of the document: the number of its line, and its text.
fn sections<'t>(marked: &Marked<'t>) -> impl Iterator<Item = (usize, &'t str)> {
    let heads = marked.lines.iter().enumerate().filter_map(|(at, line)| match line.kind {
        LineKind::Heading(level) => Some((at, level, marked::heading_text(marked.line(line)))),
        _ => None,
    });
    let titled = heads.enumerate().filter(|(nth, (_, level, _))| *nth > 0 || *level > 1);
    titled.map(|(_, (at, _, text))| (at, text))
}

/// Whether a place holds nothing, or what it was drawn with.
fn is_hint(text: &str, place: &Place<'_>) -> bool {
    let content = text[place.content.clone()].trim();
    content.is_empty()
        || place.generated_hash().is_some_and(|hash| hash == marked::lines_hash(content.lines()))
}

/// For each place of the new document the place of the earlier one whose words it takes: that of its
/// name below the same heading, else one whose heading is gone. What is taken leaves `written`.
fn taken_places<'e>(
    new: &Marked<'_>,
    written: &mut Vec<Words<'e>>,
    options: &RenderOptions,
) -> Vec<Option<&'e Place<'e>>> {
    let mut take = |here: Words<'_>| {
        let named =
            |words: &Words<'_>| words.place.name == here.place.name && !here.place.name.is_empty();
        let is_here =
            |words: &Words<'_>| named(words) && is_same_title(words.under, here.under, options);
        let is_homeless = |words: &Words<'_>| {
            named(words) && !words.is_hint && section(new, words.under, options).is_none()
        };
        let at = written.iter().position(is_here);
        let words = written.remove(at.or_else(|| written.iter().position(is_homeless))?);
        (!words.is_hint).then_some(words.place)
    };
    words_of(new).into_iter().map(&mut take).collect()
}

/// A place with what somebody wrote. Its marker is the new one: the words in it may be in another
/// language now.
fn filled(drawn: &str, place: &Place<'_>, words: &str) -> String {
    let end = if words.is_empty() || words.ends_with('\n') { "" } else { "\n" };
    format!("{}{words}{end}{}\n", marker(drawn, place), marked::END)
}

/// A place as it was drawn; where places are not offered, only what is in it.
fn unfilled(drawn: &str, place: &Place<'_>, offers: bool) -> String {
    let content = drawn[place.content.clone()].trim();
    let content = if content.is_empty() { String::new() } else { format!("{content}\n") };
    if offers { filled(drawn, place, &content) } else { content }
}

/// The line that opens a place, with the hash of what is drawn in it: by that it is known later that
/// nobody wrote there.
fn marker(drawn: &str, place: &Place<'_>) -> String {
    let content = drawn[place.content.clone()].trim();
    let hash = format!(" #{}", marked::lines_hash(content.lines()));
    let hash = if content.is_empty() { "" } else { &hash };
    let note = if place.note.is_empty() { String::new() } else { format!(": {}", place.note) };
    format!("<!-- reportgen:prose {}{hash}{note} -->\n", place.name)
}

fn whole_lines(text: &str) -> String {
    format!("{}\n", text.trim_end_matches(['\n', '\r']))
}

/// Where words go that no place of the new document is for: behind the block that they stood
/// behind, else at the end of what stands under their heading. `None` where that is gone.
fn insertion(new: &Marked<'_>, words: &Words<'_>, options: &RenderOptions) -> Option<usize> {
    let part = section(new, words.under, options)?;
    let same = |(line, like)| {
        let here = new.outside().filter(|(at, _, text)| part.contains(at) && *text == line);
        here.map(|(at, _, _)| at).nth(like)
    };
    let says_something = |at: &usize| {
        let line = &new.lines[*at];
        line.kind != LineKind::Text || !new.line(line).trim().is_empty()
    };
    let found = words.behind.map_or(Some(part.start), same);
    let behind = found.or_else(|| part.clone().rev().find(says_something))?;
    let behind = (behind..part.end).take_while(says_something).last()?;
    Some(new.lines[behind].range.end)
}

/// The lines from a heading to the next one; for an empty heading those before the first.
fn section(new: &Marked<'_>, title: &str, options: &RenderOptions) -> Option<Range<usize>> {
    let start = if title.is_empty() {
        None
    } else {
        let equal = sections(new).find(|(_, one)| *one == title);
        Some(equal.or_else(|| sections(new).find(|(_, one)| is_same_title(one, title, options)))?.0)
    };
    let next = sections(new).map(|(at, _)| at).find(|at| start.is_none_or(|start| *at > start));
    Some(start.unwrap_or(0)..next.unwrap_or(new.lines.len()))
}

/// Whether two titles are one text of the catalogues in two languages.
fn is_same_title(one: &str, other: &str, options: &RenderOptions) -> bool {
    let bare = |title: &str| title.trim_start_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let (one, other) = (bare(one), bare(other));
    let texts = |key| LANGUAGES.iter().map(move |lang| options.catalogues.of(lang).find(key));
    let has = |key, title: &str| texts(key).flatten().any(|text| bare(text) == title);
    let keys = options.catalogues.of(Lang::default()).iter().map(|(key, _)| key);
    one == other
        || !one.is_empty()
            && !other.is_empty()
            && keys.into_iter().any(|key| has(key, &one) && has(key, &other))
}

/// Of what stands outside of places, without the stamp: blank lines and line ends aside, which
/// editors change.
fn generated_hash(marked: &Marked<'_>) -> String {
    marked::lines_hash(
        marked.outside().map(|(_, _, line)| line).filter(|line| !line.starts_with(STAMP)),
    )
}
