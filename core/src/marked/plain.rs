//! The words of parsed Markdown.

use comrak::nodes::{AstNode, NodeValue};

/// The text of a node without emphasis, its lines in one.
pub fn plain_text<'a>(node: &'a AstNode<'a>) -> String {
    let mut text = String::new();
    for inner in node.descendants() {
        match &inner.data.borrow().value {
            NodeValue::Text(part) => text.push_str(part),
            NodeValue::Code(code) => text.push_str(&code.literal),
            NodeValue::SoftBreak | NodeValue::LineBreak => text.push(' '),
            _ => {}
        }
    }
    text
}

/// Words without the strokes that keep signs from being Markdown.
pub fn without_escapes(words: &str) -> String {
    let mut plain = String::with_capacity(words.len());
    let mut letters = words.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_escape = letter == '\\' && letters.peek().is_some_and(char::is_ascii_punctuation);
        plain.extend(if is_escape { letters.next() } else { Some(letter) });
    }
    plain
}
