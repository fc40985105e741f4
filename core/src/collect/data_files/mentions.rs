//! Data files that a run names outside its configuration keys: on its command line, in its logs.
//!
//! A file counts only where a known option or phrase stands before it; a path alone says nothing
//! about its use.

use std::sync::{Arc, LazyLock};

use memchr::memmem::Finder;

use super::super::FileEntry;
use super::super::document::{Node, parse_json_line};
use super::names::{data_role, is_data_name, names_data};
use crate::model::{DataOrigin, DataRole, Source};

/// A data file by name, not yet looked for.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::collect) struct Mention {
    pub(super) role: DataRole,
    pub(super) origin: DataOrigin,
    pub(super) key: String,
    pub(super) declared: String,
    pub(super) source: Source,
}

/// Phrases of logs in lower case, behind which the path of a data file stands. Only the first
/// 64 KiB of a log are looked at: programs say what they load when they start.
const PHRASES: &[(&str, DataRole)] = &[
    ("loading train data from", DataRole::Train),
    ("loading train dataset from", DataRole::Train),
    ("loading training data from", DataRole::Train),
    ("loading training dataset from", DataRole::Train),
    ("loaded train data from", DataRole::Train),
    ("loaded training data from", DataRole::Train),
    ("train data:", DataRole::Train),
    ("train dataset:", DataRole::Train),
    ("train file:", DataRole::Train),
    ("training data:", DataRole::Train),
    ("training file:", DataRole::Train),
    ("train_data:", DataRole::Train),
    ("train_file:", DataRole::Train),
    ("train_files:", DataRole::Train),
    ("rl_data:", DataRole::Train),
    ("loading eval data from", DataRole::Eval),
    ("loading evaluation data from", DataRole::Eval),
    ("loading validation data from", DataRole::Eval),
    ("loading val data from", DataRole::Eval),
    ("loading test data from", DataRole::Eval),
    ("eval data:", DataRole::Eval),
    ("evaluation data:", DataRole::Eval),
    ("validation data:", DataRole::Eval),
    ("test data:", DataRole::Eval),
    ("eval_file:", DataRole::Eval),
    ("eval_files:", DataRole::Eval),
    ("val_file:", DataRole::Eval),
    ("val_files:", DataRole::Eval),
    ("test_file:", DataRole::Eval),
    ("test_files:", DataRole::Eval),
];
const LOG_EXTENSIONS: &[&str] = &["log", "txt", "out"];
/// Where wandb keeps the command line.
const WANDB: &str = "wandb-metadata.json";

/// What a file that is no configuration says of data files.
pub(in crate::collect) fn mentions_in_file(file: &FileEntry) -> Vec<Mention> {
    if file.name == WANDB {
        mentions_in_metadata(file)
    } else if LOG_EXTENSIONS.iter().any(|extension| file.has_extension(extension)) {
        mentions_in_log(&String::from_utf8_lossy(&file.head), &file.display)
    } else {
        Vec::new()
    }
}

fn mentions_in_metadata(file: &FileEntry) -> Vec<Mention> {
    let text = String::from_utf8_lossy(&file.head);
    let Ok(parsed) = parse_json_line(&text, 1) else { return Vec::new() };
    let Some(args) = parsed.root.get("args") else { return Vec::new() };
    let words: Vec<&str> = args.list().into_iter().flatten().filter_map(Node::text).collect();
    mentions_in_command(&words, &Source::line(&file.display, args.line, "args"))
}

/// What the words of a command line name: `--train_file x`, `--train-file=x`, `data.train_files=x`.
pub(super) fn mentions_in_command(words: &[&str], source: &Source) -> Vec<Mention> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let option = word.trim_start_matches('-');
        let (name, value) = match option.split_once('=') {
            Some(both) => both,
            None if option.len() < word.len() => {
                (option, words.get(at + 1).copied().unwrap_or_default())
            }
            None => continue,
        };
        let key = name.trim_start_matches('+').replace('-', "_");
        if !names_data(&key) {
            continue;
        }
        found.extend(listed(value).filter(|path| is_data_name(path)).map(|path| Mention {
            role: data_role(&key, path),
            origin: DataOrigin::Command,
            key: key.clone(),
            declared: path.to_owned(),
            source: source.clone(),
        }));
    }
    found
}

/// The words of a command written as one text. Quotes hold words together; nothing is expanded.
pub(super) fn words(command: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = command.trim_start();
    while !rest.is_empty() {
        let mut quote = None;
        let end = rest.find(|c: char| match quote {
            Some(open) if c == open => {
                quote = None;
                false
            }
            Some(_) => false,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                false
            }
            None => c.is_whitespace(),
        });
        let (word, tail) = rest.split_at(end.unwrap_or(rest.len()));
        words.push(word);
        rest = tail.trim_start();
    }
    words
}

/// The paths of a value: one, or a list in brackets.
fn listed(value: &str) -> impl Iterator<Item = &str> {
    const MARKS: &[char] = &['[', ']', '(', ')', '"', '\''];
    value.split(',').map(|path| path.trim().trim_matches(MARKS)).filter(|path| !path.is_empty())
}

/// Whether some phrase stands in a text in lower case: one look at it, instead of one at each line.
fn has_phrase(lower: &str) -> bool {
    static FINDERS: LazyLock<Vec<Finder<'static>>> =
        LazyLock::new(|| PHRASES.iter().map(|(phrase, _)| Finder::new(phrase)).collect());
    FINDERS.iter().any(|finder| finder.find(lower.as_bytes()).is_some())
}

fn mentions_in_log(text: &str, path: &Arc<str>) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let lower = text.to_ascii_lowercase();
    if !has_phrase(&lower) {
        return found;
    }
    for (number, (line, lower)) in (1..).zip(text.lines().zip(lower.lines())) {
        let phrase = PHRASES.iter().find_map(|(phrase, role)| {
            let at = lower.find(phrase)?;
            Some((*phrase, *role, line.get(at + phrase.len()..)?))
        });
        let Some((phrase, role, rest)) = phrase else { continue };
        // A list may hold spaces, a path without quotes may not.
        let rest = rest.trim_start();
        let value = match rest.strip_prefix('[').and_then(|inside| inside.split(']').next()) {
            Some(inside) => inside,
            None => rest.split_whitespace().next().unwrap_or_default(),
        };
        let value = value.trim_end_matches(['.', ';', ',', ':']);
        for declared in listed(value).filter(|path| is_data_name(path)) {
            found.push(Mention {
                role,
                origin: DataOrigin::Log,
                key: phrase.trim_end_matches(':').to_owned(),
                declared: declared.to_owned(),
                source: Source::line(path, number, phrase),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(found: &[Mention]) -> Vec<(DataRole, &str, &str)> {
        found.iter().map(|one| (one.role, one.key.as_str(), one.declared.as_str())).collect()
    }

    #[test]
    fn a_command_names_its_data_by_options_and_overrides() {
        let source = Source::key(&Arc::from("config.yaml"), "cmd");
        let command = r#"python train.py --train-file "a b.jsonl" --lr=1 --eval_file=c.csv data.val_files=[d.parquet,'e.parquet'] x.json"#;
        let found = mentions_in_command(&words(command), &source);
        assert_eq!(
            uses(&found),
            [
                (DataRole::Train, "train_file", "a b.jsonl"),
                (DataRole::Eval, "eval_file", "c.csv"),
                (DataRole::Eval, "data.val_files", "d.parquet"),
                (DataRole::Eval, "data.val_files", "e.parquet"),
            ]
        );
    }

    #[test]
    fn a_log_names_its_data_behind_known_phrases_only() {
        let log = "12:00 INFO Loading train data from /d/rl.jsonl ...\n\
                   see also notes.json\n\
                   val_files: ['a.parquet', 'b.parquet']\n\
                   Loading train data from the hub\n";
        let found = mentions_in_log(log, &Arc::from("train.log"));
        assert_eq!(
            uses(&found),
            [
                (DataRole::Train, "loading train data from", "/d/rl.jsonl"),
                (DataRole::Eval, "val_files", "a.parquet"),
                (DataRole::Eval, "val_files", "b.parquet"),
            ]
        );
        assert_eq!((found[0].source.line, found[1].source.line), (Some(1), Some(3)));
    }
}
