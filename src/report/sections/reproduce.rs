//! How to make this report again: the command, the program, the files it stands on.

use indexmap::IndexSet;

use crate::model::{FileUse, Run};
use crate::report::ReportMaterial;
use crate::report::block::{Block, Text};

pub(crate) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let version = [("version", env!("CARGO_PKG_VERSION"))];
    let mut blocks = vec![
        Block::Code { lang: "bash".to_owned(), text: material.command.to_owned() },
        Block::paragraph(words.fill("reproduce.version", &version)),
    ];
    let arms = material.runs().map(|(run, _, _)| run);
    let runs: Vec<&Run> = arms.chain(material.noise_runs().map(|(run, _)| run)).collect();
    let own = runs.iter().flat_map(|run| files(run));
    // Arms that were given the same data name it once.
    let data: IndexSet<&str> = runs.iter().flat_map(|run| data_files(run)).collect();
    let data = data
        .into_iter()
        .map(|path| Text::code(path).and_plain(format!(" · {}", words.get("reproduce.data-file"))));
    let items: Vec<Text> = own.chain(data).collect();
    if !items.is_empty() {
        let summary = words.fill("reproduce.files", &[("count", items.len())]);
        blocks.push(Block::folded(summary, vec![Block::bullets(items)]));
    }
    blocks
}

/// Where the data files lie that were read.
fn data_files(run: &Run) -> impl Iterator<Item = &str> {
    let read = run.data_files.iter().filter_map(|file| file.content.as_ref());
    read.map(|content| content.path.as_str())
}

fn files(run: &Run) -> impl Iterator<Item = Text> {
    run.files.iter().filter_map(|file| match file.used {
        FileUse::Read { reader } => {
            let root = run.root_path();
            let single_file = root.ends_with(&file.relative) && run.files.len() == 1;
            let path = if single_file || file.relative.is_empty() {
                root.to_owned()
            } else {
                format!("{}/{}", root.trim_end_matches('/'), file.relative)
            };
            Some(Text::code(path).and_plain(format!(" · {reader}")))
        }
        _ => None,
    })
}
