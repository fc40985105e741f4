//! How the numbers were made: methods in use, family, level, notes.

use std::collections::BTreeMap;

use crate::report::block::{Block, Text};
use crate::report::{Material, note_tag, quantity};

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let mut methods: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut notes: BTreeMap<&str, usize> = BTreeMap::new();
    for one in material.all().filter(|one| one.p_adjusted.is_some()) {
        let Some(analysis) = &one.analysis else { continue };
        let test = analysis.test.map_or("—", |test| test.method);
        *methods.entry((analysis.interval_method, test)).or_default() += 1;
        for note in &analysis.notes {
            *notes.entry(note_tag(*note)).or_default() += 1;
        }
    }
    if methods.is_empty() {
        return Vec::new();
    }
    let family_of = |judged: bool| {
        let mut own = material
            .all()
            .filter(|one| one.cell.spec.direction.sign().is_some() == judged)
            .map(|one| one.family);
        let first = own.next().unwrap_or(0);
        own.fold(first, usize::max).to_string()
    };
    let (family, descriptive) = (family_of(true), family_of(false));
    let level = quantity::fixed((1.0 - material.options.alpha) * 100.0, 0);
    let alpha = format!("{}", material.options.alpha);
    let mut items = vec![Text::plain(words.fill(
        "method.family",
        &[("family", &family), ("descriptive", &descriptive), ("alpha", &alpha), ("level", &level)],
    ))];
    for ((interval, test), count) in methods {
        let args = [
            ("interval", words.get(&format!("method.interval.{interval}"))),
            ("test", words.get(&format!("method.test.{test}"))),
            ("count", count.to_string()),
        ];
        let args: Vec<(&str, &str)> =
            args.iter().map(|(key, value)| (*key, value.as_str())).collect();
        items.push(Text::plain(words.fill("method.used", &args)));
    }
    for one in material.all() {
        for (tag, holds) in
            [("pairs-only", one.covers_part()), ("size-inferred", one.inferred_size)]
        {
            if holds {
                *notes.entry(tag).or_default() += 1;
            }
        }
    }
    for (tag, count) in notes {
        let key = format!("note.{tag}");
        items.push(Text::plain(words.fill(&key, &[("count", &count.to_string())])));
    }
    vec![Block::List { ordered: false, items }]
}
