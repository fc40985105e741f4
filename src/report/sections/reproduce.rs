//! How to make this report again: the command, the program, the files it stands on.

use crate::model::{FileUse, Run};
use crate::report::Material;
use crate::report::block::{Block, Text};

pub(crate) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let words = material.words;
    let mut blocks =
        vec![Block::Code { lang: "bash".to_owned(), text: material.command.to_owned() }];
    let version = env!("CARGO_PKG_VERSION");
    let text = Text::plain(words.fill("reproduce.version", &[("version", version)]));
    blocks.push(Block::Paragraph { text });
    let items: Vec<Text> = material.runs().flat_map(|(run, _, _)| files(run)).collect();
    if !items.is_empty() {
        let count = items.len().to_string();
        blocks.push(Block::Details {
            summary: Text::plain(words.fill("reproduce.files", &[("count", &count)])),
            blocks: vec![Block::List { ordered: false, items }],
        });
    }
    blocks
}

fn files(run: &Run) -> impl Iterator<Item = Text> {
    run.files.iter().filter_map(|file| match file.used {
        FileUse::Read { reader } => {
            let single_file = run.path.ends_with(&file.relative) && run.files.len() == 1;
            let path = if single_file || file.relative.is_empty() {
                run.path.clone()
            } else {
                format!("{}/{}", run.path.trim_end_matches('/'), file.relative)
            };
            Some(Text::code(path).and_plain(format!(" · {reader}")))
        }
        _ => None,
    })
}
