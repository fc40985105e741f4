//! Cards of samples as blocks.

use super::block::{Block, Text};
use super::sample_card::{CardText, SampleCard};
use crate::text::Catalogue;

/// Id of the section of samples with their texts.
pub const SAMPLE_TEXTS: &str = "sample-texts";

/// The cards as one block, with a line that explains the marks where there are some, and one for a page
/// about the images.
pub fn sample_cards(cards: Vec<SampleCard>, images: Option<String>, words: &Catalogue) -> Block {
    let mut texts = cards.iter().flat_map(|card| &card.answers).flat_map(|answer| &answer.texts);
    let legend = texts.any(CardText::has_marks).then(|| {
        let marks = words.fill("browse.marks", &[("open", "{"), ("close", "}")]);
        Block::Paragraph { text: Text::empty().and_quoting(&marks) }
    });
    let blocks = legend.into_iter().chain(cards.iter().flat_map(card_blocks)).collect();
    Block::Samples { cards, images, blocks }
}

/// A card in pieces that every format draws.
fn card_blocks(card: &SampleCard) -> Vec<Block> {
    let title = Text::plain(format!("{}. ", card.number)).and_code(&*card.id);
    let mut place = vec![card.class_title.clone()];
    place.extend(Some(card.dataset.clone()).filter(|dataset| !dataset.is_empty()));
    place.extend(card.notes.iter().cloned());
    let mut blocks = vec![Block::heading(title), Block::paragraph(place.join(" · "))];
    let text = |text: &CardText, is_baseline| {
        let cut = text.cut.as_ref().map(|cut| format!(" · {cut}")).unwrap_or_default();
        let label = Text::strong(&*text.label).and_plain(cut);
        let code = Block::Code { lang: String::new(), text: text.marked(is_baseline) };
        [Block::Paragraph { text: label }, code]
    };
    blocks.extend(card.asked.iter().flat_map(|one| text(one, false)));
    for answer in &card.answers {
        let facts = answer.facts.iter().map(|fact| format!(" · {fact}"));
        let mut head = Text::strong(&*answer.run).and_plain(facts.collect::<String>());
        if !answer.source.is_empty() {
            head = head.and_plain(" · ").and_code(&*answer.source);
        }
        blocks.push(Block::Paragraph { text: head });
        blocks.extend(answer.texts.iter().flat_map(|one| text(one, answer.is_baseline)));
    }
    blocks
}
