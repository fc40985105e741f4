//! Images on the cards, as many as there is room for beside the texts, and what is left out.

use std::collections::{BTreeMap, BTreeSet};

use super::super::analysis::{Browsed, Image, NamedImage, NotShown, ShownSample};
use super::{Budget, cards};
use crate::quantity;
use crate::report::sample_card::{CardImage, SampleCard};
use crate::text::Catalogue;

/// Bytes of an image in a page beside its name and what is in it.
const FIGURE_BYTES: usize = 200;

/// The cards with their images, and what is said of these where they are asked for.
pub(super) fn cards(
    browsed: &Browsed<'_>,
    budget: &Budget<'_>,
    words: &Catalogue,
) -> (Vec<SampleCard>, Option<String>) {
    let (mut cards, room) = cards::cards(browsed, budget, words);
    if !budget.has_images {
        return (cards, None);
    }
    let mut placing = Placing { room, shown: 0, left_out: BTreeMap::new() };
    for (card, sample) in cards.iter_mut().zip(&browsed.shown) {
        placing.place(card, sample, words);
    }
    (cards, Some(placing.told(words)))
}

struct Placing {
    room: usize,
    shown: usize,
    /// How many are left out for each reason, and the name of the first.
    left_out: BTreeMap<NotShown, (usize, String)>,
}

impl Placing {
    /// An image that all records of the sample name stands beside the prompt, others with their answers.
    fn place(&mut self, card: &mut SampleCard, sample: &ShownSample<'_>, words: &Catalogue) {
        let answers = || sample.answers.iter().flatten().filter(|answer| answer.texts.is_some());
        let mut told = BTreeSet::new();
        for NamedImage { named, found } in answers().flat_map(|answer| &answer.images) {
            if let Err(because) = found
                && told.insert((*because, &named.text))
            {
                card.notes.extend(self.leave_out(*because, &named.text, words));
            }
        }
        let is_everywhere = |image: &Image| {
            answers().all(|answer| answer.images.iter().any(|one| one.found.as_ref() == Ok(image)))
        };
        let mut shared: Vec<&Image> = Vec::new();
        for (answer, own) in sample.answers.iter().zip(&mut card.answers) {
            let named = answer.iter().flat_map(|answer| &answer.images);
            for (named, image) in
                named.filter_map(|one| Some((&one.named, one.found.as_ref().ok()?)))
            {
                let place = if !is_everywhere(image) {
                    &mut own.images
                } else if shared.contains(&image) {
                    continue;
                } else {
                    shared.push(image);
                    &mut card.images
                };
                let written = image.written_bytes();
                let image = CardImage {
                    field: named.field.clone(),
                    name: file_name(&named.text).to_owned(),
                    media: image.media,
                    bytes: image.bytes.clone(),
                };
                let bytes = image.field.len() + 2 * image.name.len() + FIGURE_BYTES;
                match self.room.checked_sub(bytes + written) {
                    Some(room) => {
                        self.room = room;
                        self.shown += 1;
                        place.push(image);
                    }
                    None => card.notes.extend(self.leave_out(NotShown::NoRoom, &named.text, words)),
                }
            }
        }
    }

    /// Counts an image that is not shown. What the card of its sample says of it, but for what the user
    /// did not want to see.
    fn leave_out(&mut self, because: NotShown, path: &str, words: &Catalogue) -> Option<String> {
        let name = file_name(path);
        self.left_out.entry(because).or_insert_with(|| (0, name.to_owned())).0 += 1;
        (because != NotShown::Redacted).then(|| {
            words.fill(&format!("browse.image-left-out.{}", because.name()), &[("name", name)])
        })
    }

    fn told(&self, words: &Catalogue) -> String {
        let shown = words.fill("browse.images", &[("count", quantity::count(self.shown as u64))]);
        let reasons = self.left_out.iter().map(|(because, (count, first))| {
            let count = quantity::count(*count as u64);
            let key = format!("browse.image.{}", because.name());
            words.fill(&key, &[("count", count), ("first", first.clone())])
        });
        let reasons: Vec<String> = reasons.collect();
        if reasons.is_empty() {
            return shown;
        }
        let left_out = reasons.join(&words.get("punctuation.semicolon"));
        shown + &words.fill("browse.images-left-out", &[("reasons", left_out)])
    }
}

/// What stands behind the last separator, of whatever system.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
