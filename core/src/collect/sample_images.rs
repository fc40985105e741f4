//! Images that records name by a path: which, and the files themselves, as far as the run may reach.
//!
//! What a file is, its first bytes say; its name says only that it is meant as an image.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::border::{Border, clean};
use super::objects::is_address;
use super::outcomes::{JsonMembers, json_elements, json_text};
use super::sample_texts::NamedText;
use crate::model::Access;

const ENDS: [&str; 5] = [".png", ".jpg", ".jpeg", ".gif", ".webp"];
/// Bytes of the longest path that is looked for.
const LONGEST_PATH: usize = 1024;
/// Objects and lists below each other that are looked into.
const DEPTH: usize = 16;
/// Bytes of the largest file that is shown.
const MOST_BYTES: u64 = 256 << 10;
/// Pixels of the longest side that is shown.
const MOST_PIXELS: u32 = 8192;

/// A file that is an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Its media type.
    pub media: &'static str,
    pub bytes: Arc<[u8]>,
}

impl Image {
    /// Bytes that it takes as text in a page.
    pub fn written_bytes(&self) -> usize {
        written_bytes(self.bytes.len())
    }
}

/// Bytes in base64.
fn written_bytes(bytes: usize) -> usize {
    bytes.div_ceil(3) * 4
}

/// Why an image that a record names is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotShown {
    TooLarge,
    NotThere,
    NoImage,
    /// The run may not reach it.
    Outside,
    /// On a network, of which nothing is asked.
    Address,
    /// More than a page has room for.
    NoRoom,
    /// The user wants it left out.
    Redacted,
}

impl NotShown {
    pub fn name(self) -> &'static str {
        match self {
            Self::TooLarge => "too-large",
            Self::NotThere => "not-there",
            Self::NoImage => "no-image",
            Self::Outside => "outside",
            Self::Address => "address",
            Self::NoRoom => "no-room",
            Self::Redacted => "redacted",
        }
    }
}

/// The texts of a record, at any depth, that are paths of images, each once. Fields are named by the names
/// on the way, with dots.
pub fn images_named(record: &str) -> Vec<NamedText> {
    let mut found = Vec::new();
    look_below(record, &mut Vec::new(), DEPTH, &mut found);
    found
}

fn look_below(raw: &str, way: &mut Vec<String>, depth: usize, found: &mut Vec<NamedText>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match raw.as_bytes().first() {
        Some(b'{') => {
            for (name, raw) in JsonMembers::parse(raw).iter() {
                way.push(name.to_owned());
                look_below(raw, way, depth, found);
                way.pop();
            }
        }
        Some(b'[') => {
            for raw in json_elements(raw) {
                look_below(raw, way, depth, found);
            }
        }
        Some(b'"') => {
            let Some(text) = json_text(raw) else { return };
            if text.starts_with(['[', '{']) {
                // A cell of a table that holds a list.
                look_below(&text, way, depth, found);
            } else if is_path_of_image(&text) {
                let named = NamedText { field: way.join("."), text };
                if !found.contains(&named) {
                    found.push(named);
                }
            }
        }
        _ => {}
    }
}

fn is_path_of_image(text: &str) -> bool {
    let ends_with = |end: &&str| {
        let start = text.len().checked_sub(end.len());
        start.and_then(|start| text.get(start..)).is_some_and(|own| own.eq_ignore_ascii_case(end))
    };
    text.len() <= LONGEST_PATH && !text.contains(char::is_control) && ENDS.iter().any(ends_with)
}

/// Reads the images of one run.
pub struct ImageReader {
    run: PathBuf,
    border: Border,
}

impl ImageReader {
    /// For a run that lies there.
    pub fn of(run: &Path, access: &Access) -> Self {
        let border = Border::around(run, access);
        let run = if run.is_file() { run.parent().unwrap_or(run) } else { run }.to_path_buf();
        Self { run, border }
    }

    /// The image that a record in that file names, by its path beside the file, else in the run, where it
    /// takes no more bytes of a page than `room`.
    ///
    /// # Errors
    /// Why it is not shown.
    pub fn read(&self, path: &str, record_file: &Path, room: usize) -> Result<Image, NotShown> {
        if is_address(record_file) {
            return Err(NotShown::Address);
        }
        if path.contains("://") {
            return Err(NotShown::Address);
        }
        let beside = record_file.parent().unwrap_or(Path::new("")).to_path_buf();
        let mut because = NotShown::NotThere;
        for base in [beside, self.run.clone()] {
            match self.read_at(&clean(&base.join(path)), room) {
                Err(NotShown::NotThere) => {}
                Err(NotShown::Outside) => because = NotShown::Outside,
                settled => return settled,
            }
        }
        Err(because)
    }

    fn read_at(&self, place: &Path, room: usize) -> Result<Image, NotShown> {
        if !self.border.lets_ask(place) {
            return Err(NotShown::Outside);
        }
        // From here on no link is met, so that what is opened is what was looked at.
        let place = place.canonicalize().map_err(|_| NotShown::NotThere)?;
        if !self.border.holds(&place) {
            return Err(NotShown::Outside);
        }
        read_image(&place, room)
    }
}

fn read_image(place: &Path, room: usize) -> Result<Image, NotShown> {
    let about = place.symlink_metadata().map_err(|_| NotShown::NotThere)?;
    if !about.is_file() {
        return Err(NotShown::NoImage);
    }
    if about.len() > MOST_BYTES {
        return Err(NotShown::TooLarge);
    }
    if usize::try_from(about.len()).is_ok_and(|bytes| written_bytes(bytes) > room) {
        return Err(NotShown::NoRoom);
    }
    let mut bytes = Vec::new();
    let read = File::open(place).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|_| NotShown::NotThere)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(NotShown::TooLarge);
    }
    let media = media_type(&bytes).ok_or(NotShown::NoImage)?;
    // Few bytes may unpack to more pixels than a page can draw.
    let sides = sides(&bytes).ok_or(NotShown::NoImage)?;
    if sides.iter().any(|side| *side > MOST_PIXELS) {
        return Err(NotShown::TooLarge);
    }
    Ok(Image { media, bytes: bytes.into() })
}

/// The media type by the first bytes: PNG (ISO/IEC 15948), JPEG (ITU-T T.81), GIF, WebP (RFC 9649).
fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        _ => is_webp.then_some("image/webp"),
    }
}

/// Width and height in pixels as the head of an image states them; `None` where it has no such head.
fn sides(bytes: &[u8]) -> Option<[u32; 2]> {
    let big = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let little = |at: usize, count: usize| {
        let part = bytes.get(at..at + count)?;
        Some(part.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte)))
    };
    match media_type(bytes)? {
        "image/png" => Some([big(16)?, big(20)?]),
        "image/gif" => Some([little(6, 2)?, little(8, 2)?]),
        "image/jpeg" => jpeg_sides(bytes),
        _ => match bytes.get(12..16)? {
            b"VP8 " => Some([little(26, 2)? & 0x3fff, little(28, 2)? & 0x3fff]),
            b"VP8L" => {
                let packed = little(21, 4)?;
                Some([(packed & 0x3fff) + 1, (packed >> 14 & 0x3fff) + 1])
            }
            b"VP8X" => Some([little(24, 3)? + 1, little(27, 3)? + 1]),
            _ => None,
        },
    }
}

/// Width and height of the first frame of a JPEG (ITU-T T.81, B.2.2).
fn jpeg_sides(bytes: &[u8]) -> Option<[u32; 2]> {
    let pair =
        |at: usize| Some(u32::from(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?)));
    let mut at = 2;
    loop {
        let [0xff, marker] = bytes.get(at..at + 2)? else { return None };
        match marker {
            // Fill bytes, and markers without a segment.
            0xff => at += 1,
            0x01 | 0xd0..=0xd8 => at += 2,
            0xc4 | 0xc8 | 0xcc => at += 2 + pair(at + 2)? as usize,
            0xc0..=0xcf => return Some([pair(at + 7)?, pair(at + 5)?]),
            _ => at += 2 + pair(at + 2)?.max(2) as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_images_are_found_at_any_depth_and_named_by_the_way_to_them() {
        let record = r#"{"id": 1, "image": "a.png", "doc": {"images": ["b.JPG", {"path": "c/d.webp"}]},
            "cell": "[\"e.gif\"]", "prompt": "See a.png.", "image_2": "a.png", "long": "x\ny.png", "n": 1}"#;
        let found: Vec<(String, String)> =
            images_named(record).into_iter().map(|named| (named.field, named.text)).collect();
        let expected = [
            ("image", "a.png"),
            ("doc.images", "b.JPG"),
            ("doc.images.path", "c/d.webp"),
            ("cell", "e.gif"),
            ("image_2", "a.png"),
        ];
        assert_eq!(found, expected.map(|(field, path)| (field.to_owned(), path.to_owned())));
    }

    #[test]
    fn what_is_nested_deeper_than_anybody_writes_is_not_looked_into() {
        let nested = |depth: usize| format!("{}\"a.png\"{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(images_named(&nested(DEPTH - 1)).len(), 1);
        assert!(images_named(&nested(100_000)).is_empty());
    }

    #[test]
    fn an_image_is_one_by_its_first_bytes() {
        for (bytes, media) in [
            (&b"\x89PNG\r\n\x1a\n..."[..], Some("image/png")),
            (b"\xff\xd8\xff\xe0", Some("image/jpeg")),
            (b"GIF89a", Some("image/gif")),
            (b"RIFF\x00\x00\x00\x00WEBPVP8 ", Some("image/webp")),
            (b"RIFF\x00\x00\x00\x00WAVE", None),
            (b"<svg xmlns=\"http://www.w3.org/2000/svg\">", None),
            (b"", None),
        ] {
            assert_eq!(media_type(bytes), media, "{bytes:?}");
        }
    }

    /// Heads that Pillow 13.0.0 writes for an image of 300 by 17 pixels; of the JPEG without its tables.
    #[test]
    fn the_sides_of_an_image_stand_in_its_head() {
        for head in [
            &b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x01\x2c\x00\x00\x00\x11"[..],
            b"GIF87a\x2c\x01\x11\x00",
            b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\
              \xff\xc0\x00\x11\x08\x00\x11\x01\x2c",
            b"\xff\xd8\xff\xff\xc4\x00\x03\x00\xff\xc2\x00\x11\x08\x00\x11\x01\x2c",
            b"RIFF\x44\x00\x00\x00WEBPVP8 \x38\x00\x00\x00\xb0\x04\x00\x9d\x01\x2a\x2c\x01\x11\x00",
            b"RIFF\x20\x00\x00\x00WEBPVP8L\x14\x00\x00\x00\x2f\x2b\x01\x04\x00",
            b"RIFF\x76\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x10\x00\x00\x00\x2b\x01\x00\x10\x00\x00",
        ] {
            assert_eq!(sides(head), Some([300, 17]), "{head:?}");
            for length in 0..head.len() {
                assert_eq!(sides(&head[..length]), None, "{head:?} {length}");
            }
        }
    }
}
