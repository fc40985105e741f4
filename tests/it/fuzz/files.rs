//! Files beside runs: settings, patterns of logs, logs, checkpoints.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use reportgen::collect::checkpoint;
use reportgen::collect::logs::{self, Patterns};
use reportgen::kinds;
use reportgen::model::{Access, Limits};
use reportgen::settings::{self, ConfigFile, Flags};
use reportgen::text::{Catalogue, Lang};

use super::campaign::{Input, Outcome, Target};
use super::corpus::{self, Seed};

const WHOLE: &str = "fixtures/checkpoints/whole";

pub(super) fn targets() -> Vec<Target> {
    let target = |name: &str, share, corpus, run: fn(&Path, &Input) -> Outcome| Target {
        name: name.to_owned(),
        share,
        most: 8192,
        corpus,
        run: Box::new(run),
    };
    let patterns = corpus::named(|name| name == "patterns.toml").into_iter();
    let shipped =
        Seed::of("patterns.toml", include_str!("../../../core/src/collect/logs/patterns.toml"));
    let patterns: Vec<Seed> = patterns.chain([shipped]).collect();
    let model_files = corpus::named(|name| {
        corpus::extension(name) == "safetensors"
            || matches!(
                name,
                "config.json"
                    | "generation_config.json"
                    | "tokenizer.json"
                    | "tokenizer_config.json"
                    | "vocab.json"
                    | "adapter_config.json"
                    | "model.safetensors.index.json"
            )
    });
    vec![
        target("settings", 10, corpus::named(|name| name == "reportgen.toml"), |_, input| {
            Ok(settings(input))
        }),
        target("patterns", 3, patterns, patterns_file),
        target("log", 10, corpus::named(is_log), log),
        target("checkpoint", 12, model_files, model),
    ]
}

fn is_log(name: &str) -> bool {
    ["log", "txt", "out"].contains(&corpus::extension(name))
}

fn settings(input: &Input) -> String {
    let file = ConfigFile::new("reportgen.toml".to_owned(), input.text(), None);
    let Ok(file) = file else { return String::new() };
    let resolved =
        settings::resolve(Some(&file), &Flags::default(), Lang::default(), &kinds::tables());
    match resolved {
        Ok(settings) => {
            // The catalogues are those of the program.
            let chosen = (&settings.value.margins, &settings.value.accept, &settings.value.names);
            format!("{chosen:?} {:?}", settings.diagnostics)
        }
        Err(refusal) => refusal.in_words(Catalogue::english()),
    }
}

fn untrusted() -> Access {
    Access { is_untrusted: true, limits: Limits::UNTRUSTED, ..Access::default() }
}

fn patterns_file(place: &Path, input: &Input) -> Outcome {
    let patterns = match Patterns::with_files(&[(input.name.clone(), input.text())]) {
        Ok(patterns) => patterns,
        Err(error) => return Ok(format!("{error:?}")),
    };
    scanned(place, b"INFO step 1\nERROR [worker 7] reward: timeout after 3 s\n", &patterns)
}

fn log(place: &Path, input: &Input) -> Outcome {
    static SHIPPED: LazyLock<Patterns> =
        LazyLock::new(|| Patterns::with_files(&[]).expect("the shipped patterns are sound"));
    scanned(place, &input.bytes, &SHIPPED)
}

fn scanned(place: &Path, bytes: &[u8], patterns: &Patterns) -> Outcome {
    let path = place.join("train.log");
    fs::write(&path, bytes).map_err(|error| error.to_string())?;
    let read = logs::read(&[path], patterns, &untrusted()).map_err(|error| error.to_string())?;
    Ok(format!("{:?} {:?}", read.value, read.diagnostics))
}

/// One file of a model that is otherwise whole.
fn model(place: &Path, input: &Input) -> Outcome {
    let directory = model_directory(place)?;
    let path = directory.join(&input.name);
    let before = fs::read(&path).ok();
    fs::write(&path, &input.bytes).map_err(|error| error.to_string())?;
    let read = checkpoint::read(&directory, input.choice.is_multiple_of(2), &Access::default());
    let restored = match before {
        Some(before) => fs::write(&path, before),
        None => fs::remove_file(&path),
    };
    restored.map_err(|error| error.to_string())?;
    Ok(format!("{read:?}"))
}

fn model_directory(place: &Path) -> Result<PathBuf, String> {
    let directory = place.join("model");
    if !directory.exists() {
        fs::create_dir(&directory).map_err(|error| error.to_string())?;
        for entry in fs::read_dir(WHOLE).map_err(|error| error.to_string())? {
            let from = entry.map_err(|error| error.to_string())?.path();
            let to = directory.join(from.file_name().unwrap_or_default());
            fs::copy(&from, to).map_err(|error| error.to_string())?;
        }
    }
    Ok(directory)
}
