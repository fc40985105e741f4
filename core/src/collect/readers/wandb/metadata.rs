//! `wandb-metadata.json`, which W&B keeps beside the files of a run: commit and start.

use super::super::super::document::{Node, read_document};
use super::super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use crate::diag::Warned;
use crate::model::{Fragment, Provenance};

pub(in crate::collect::readers) const READER: Reader =
    Reader { name: "wandb-metadata", recognises, read };

fn recognises(file: &FileEntry) -> bool {
    file.name == "wandb-metadata.json" && file.head_has("\"startedAt\"")
}

fn read(file: &FileEntry, _: &ReadOptions) -> ReadResult {
    let Warned { value: root, diagnostics } = read_document(file)?;
    let text = |node: Option<&Node>| node.and_then(Node::text).map(str::to_owned);
    let provenance = Provenance {
        commit: text(root.get("git").and_then(|git| git.get("commit"))),
        started: text(root.get("startedAt")),
        ..Provenance::default()
    };
    Ok(Warned::new(Fragment { provenance, ..Fragment::default() }, diagnostics))
}
