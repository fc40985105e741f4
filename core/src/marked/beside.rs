//! What stands around a table and is about it: captions, the paragraph before it, a line in bold in
//! place of a heading.

use comrak::nodes::{AstNode, NodeValue};

use super::plain_text;

/// Words around a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beside {
    /// Counted from 1.
    pub line: usize,
    pub text: String,
    /// Whether it is a caption or stands in place of a heading; else it is a paragraph of prose.
    pub is_label: bool,
}

/// Words that a caption begins with, before its number.
const CAPTION_WORDS: &[&str] = &["table", "tab.", "表格", "表"];
/// Words that a note below a table begins with, in small letters.
const NOTE_WORDS: &[&str] = &["note", "注", "δ", "difference", "差异"];
/// Letters that a line may have that ends in a colon, or in nothing, and is no prose.
const MOST_LETTERS: usize = 60;

/// What stands directly before the table and behind it, and the nearest line in bold below the last
/// heading or table.
pub(super) fn beside<'a>(table: &'a AstNode<'a>) -> Vec<Beside> {
    let mut found: Vec<Beside> = below(table).into_iter().collect();
    let (mut at, mut is_direct) = (before(table), true);
    while let Some(block) = at {
        let data = block.data.borrow();
        let line = data.sourcepos.start.line;
        let mut add = |text: String, is_label| found.push(Beside { line, text, is_label });
        match &data.value {
            NodeValue::Heading(_) | NodeValue::Table(_) => break,
            NodeValue::HtmlBlock(html) => {
                let words = without_tags(&html.literal);
                let is_heading = ["<h", "<summary"].iter().any(|tag| html.literal.contains(tag));
                if (is_direct || is_heading) && !words.is_empty() {
                    add(words, true);
                    is_direct = false;
                }
            }
            NodeValue::Paragraph => {
                let is_bold = is_in_bold(block);
                if is_direct || is_bold {
                    let text = plain_text(block);
                    let is_label = is_bold || is_label(&text);
                    add(text, is_label);
                }
                if is_bold {
                    break;
                }
                is_direct = false;
            }
            NodeValue::List(_) | NodeValue::BlockQuote if is_direct => {
                add(plain_text(block), false);
                is_direct = false;
            }
            _ => is_direct = false,
        }
        at = before(block);
    }
    found.reverse();
    found
}

/// The block before, or the one before what the block is in.
fn before<'a>(block: &'a AstNode<'a>) -> Option<&'a AstNode<'a>> {
    let mut block = block;
    loop {
        if let Some(before) = block.previous_sibling() {
            return Some(before);
        }
        block = block.parent()?;
    }
}

/// A caption or a note behind the table.
fn below<'a>(table: &'a AstNode<'a>) -> Option<Beside> {
    let block = table.next_sibling()?;
    let data = block.data.borrow();
    if !matches!(data.value, NodeValue::Paragraph) {
        return None;
    }
    let text = plain_text(block);
    let is_caption = begins_caption(&text);
    let is_note = NOTE_WORDS.iter().any(|word| text.to_lowercase().starts_with(word))
        || text.chars().count() <= MOST_LETTERS;
    // What has a mark is about what has it, too.
    let is_note = is_note && !text.starts_with(['[', '†', '‡', '§', '¶', '\\']);
    let line = data.sourcepos.start.line;
    (is_caption || is_note).then_some(Beside { line, text, is_label: is_caption })
}

fn begins_caption(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut rests = CAPTION_WORDS.iter().filter_map(|word| text.strip_prefix(word));
    rests.any(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == ':'))
}

/// Whether a paragraph is emphasised as a whole, but for a colon behind it.
fn is_in_bold<'a>(paragraph: &'a AstNode<'a>) -> bool {
    let mut parts = paragraph.children().filter(|part| match &part.data.borrow().value {
        NodeValue::Text(text) => !text.trim_matches([' ', ':', '：']).is_empty(),
        NodeValue::SoftBreak | NodeValue::LineBreak => false,
        _ => true,
    });
    let first = parts.next();
    let is_bold = first.is_some_and(|part| {
        matches!(part.data.borrow().value, NodeValue::Strong | NodeValue::Emph)
    });
    is_bold && parts.next().is_none()
}

/// Whether a paragraph names what follows, instead of telling something.
fn is_label(text: &str) -> bool {
    let is_short = text.chars().count() <= MOST_LETTERS;
    let tells = text.contains(['。', '！', '；']) || text.trim_end().ends_with(['.', '!']);
    begins_caption(text) || (is_short && !tells)
}

/// The words of HTML; nothing of comments.
fn without_tags(html: &str) -> String {
    let mut words = String::new();
    let mut rest = html;
    while let Some((text, tag)) = rest.split_once('<') {
        words.push_str(text);
        words.push(' ');
        let end = if tag.starts_with("!--") { "-->" } else { ">" };
        rest = tag.split_once(end).map_or("", |(_, after)| after);
    }
    words.push_str(rest);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::Document;

    /// What stands beside the last table: labels with `=` before them.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let document = Document::read(text);
        let table = document.tables.last().expect("a table");
        let mark = |is_label| if is_label { "=" } else { "" };
        let found: Vec<String> =
            table.beside.iter().map(|one| mark(one.is_label).to_owned() + &one.text).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn captions_and_lines_in_bold_are_labels_and_sentences_are_prose() {
        let table = "| a |\n|-|\n| ? |\n";
        check(&format!("Mean length:\n\n{table}"), &["=Mean length:"]);
        check(&format!("Mean length:\n{table}"), &["=Mean length:"]);
        check(&format!("We show it below.\n\n{table}"), &["We show it below."]);
        check(&format!("**Train**:\n\nProse.\n\n{table}"), &["=Train:", "Prose."]);
        check(&format!("# A\n\n**Train** loss.\n\nMore.\n\n{table}"), &["More."]);
        check(&format!("Train:\n\n# A\n\n{table}"), &[]);
        check(&format!("{table}\nTable 2: F1\n"), &["=Table 2: F1"]);
        check(&format!("{table}\nNote: of three seeds.\n"), &["Note: of three seeds."]);
        check(&format!("{table}\n*n = 200.*\n"), &["n = 200."]);
        check(&format!("{table}\n{}\n", "It is good. ".repeat(9)), &[]);
        check(&format!("> Of two seeds.\n\n{table}"), &["Of two seeds."]);
        check(&format!("<details><summary>Train</summary>\n\n{table}"), &["=Train"]);
        check(&format!("<!-- a -->\n\n{table}"), &[]);
        check("Length:\n\n> | a |\n> |-|\n> | ? |\n", &["=Length:"]);
    }
}
