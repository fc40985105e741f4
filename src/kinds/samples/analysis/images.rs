//! The images that records of the samples shown name.

use std::path::Path;

use super::ShownSample;
use crate::collect::{
    Image, ImageReader, NamedText, NotShown, ReadOptions, SampleTexts, images_named,
};
use crate::pairing::PairedArms;

/// Most images of one record that are looked for.
const MOST_OF_RECORD: usize = 32;

/// An image as a record names it, and what is there.
#[derive(Debug)]
pub struct NamedImage {
    pub named: NamedText,
    pub found: Result<Image, NotShown>,
}

pub(super) fn texts_and_images(record: &str) -> SampleTexts {
    SampleTexts { images: images_named(record), ..SampleTexts::of(record) }
}

/// Reads the images that the texts name, as many as there is room for, in the order shown.
pub(super) fn read_images(
    samples: &mut [ShownSample<'_>],
    arms: &PairedArms<'_>,
    (options, mut room): (&ReadOptions, usize),
    redacted: &[String],
) {
    let runs = std::iter::once(arms.baseline).chain(arms.pairs.iter().map(|pair| pair.candidate));
    let readers: Vec<ImageReader> =
        runs.map(|run| ImageReader::of(Path::new(run.root_path()), &options.access)).collect();
    for sample in samples {
        // Copies in the directories of the runs are one image of a page.
        let mut known: Vec<Image> = Vec::new();
        for (answer, reader) in sample.answers.iter_mut().zip(&readers) {
            let Some(answer) = answer else { continue };
            let Some(texts) = answer.texts.as_deref() else { continue };
            let source = answer.table.source(answer.row, "");
            let mut read = |at: usize, named: &NamedText| {
                if is_left_out(named, texts, redacted) {
                    return Err(NotShown::Redacted);
                }
                if at >= MOST_OF_RECORD {
                    return Err(NotShown::NoRoom);
                }
                let largest = known.iter().map(Image::written_bytes).max().unwrap_or_default();
                let file = Path::new(&*source.path);
                let image = reader.read(&named.text, file, room.max(largest))?;
                if let Some(copy) = known.iter().find(|copy| **copy == image) {
                    return Ok(copy.clone());
                }
                room = room.checked_sub(image.written_bytes()).ok_or(NotShown::NoRoom)?;
                known.push(image.clone());
                Ok(image)
            };
            let images = texts.images.iter().enumerate();
            let images = images
                .map(|(at, named)| NamedImage { named: named.clone(), found: read(at, named) });
            answer.images = images.collect();
        }
    }
}

/// Whether the field that names an image, one above it, or what that is of the sample is left out.
fn is_left_out(named: &NamedText, texts: &SampleTexts, redacted: &[String]) -> bool {
    let is_within = |above: &str| {
        let below = named.field.strip_prefix(above);
        below.is_some_and(|below| below.is_empty() || below.starts_with('.'))
    };
    let SampleTexts { prompt, target, answer, extracted, .. } = texts;
    let meanings =
        [("prompt", prompt), ("target", target), ("answer", answer), ("answer", extracted)];
    redacted.iter().any(|name| {
        let mut meant = meanings.iter().filter(|(meaning, _)| meaning == name);
        is_within(name) || meant.any(|(_, text)| text.iter().any(|text| is_within(&text.field)))
    })
}
