//! Runs that strangers made: every reader by itself, and whatever finds one for a file.

use std::fs;
use std::path::Path;

use reportgen::collect::readers::READERS;
use reportgen::collect::{self, FileEntry, ReadOptions, Reader};
use reportgen::model::{Access, Limits};

use super::campaign::{Input, Outcome, Target};
use super::corpus::{self, Seed};

/// The largest input; a few of the fixtures fit into it.
const MOST: usize = 16 << 10;

pub(super) fn targets() -> Vec<Target> {
    let readers = READERS.iter().map(|reader| Target {
        name: format!("reader-{}", reader.name),
        share: 12,
        most: MOST,
        corpus: recognised(reader),
        run: Box::new(|place, input| read(reader, place, input)),
    });
    let collect = Target {
        name: "collect".to_owned(),
        share: 16,
        most: MOST,
        corpus: corpus::fixtures().to_vec(),
        run: Box::new(collect_beside),
    };
    let data_files = Target {
        name: "data-files".to_owned(),
        share: 6,
        most: 2048,
        corpus: data_files(),
        run: Box::new(collect_naming_data),
    };
    let parquet = Target {
        name: "parquet".to_owned(),
        share: 6,
        most: MOST,
        corpus: corpus::parquet_files().to_vec(),
        run: Box::new(collect_naming_parquet),
    };
    readers.chain([collect, data_files, parquet]).collect()
}

/// The fixtures that a reader takes.
fn recognised(reader: &Reader) -> Vec<Seed> {
    corpus::fixtures()
        .iter()
        .filter(|seed| (reader.recognises)(&corpus::entry(Path::new(&seed.name), &seed.bytes)))
        .cloned()
        .collect()
}

fn options(choice: usize) -> ReadOptions {
    let limits = Limits { records: 100, depth: 4, ..Limits::UNTRUSTED };
    let limits = if choice.is_multiple_of(5) { limits } else { Limits::UNTRUSTED };
    let access = Access { is_untrusted: true, limits, ..Access::default() };
    ReadOptions { access, apart: choice.is_multiple_of(2), ..ReadOptions::default() }
}

/// Whatever the reader says of the file: that it is none of its own decides only who reads it.
fn read(reader: &Reader, place: &Path, input: &Input) -> Outcome {
    with_file(place, &input.name, &input.bytes, |entry| {
        let is_own = (reader.recognises)(entry);
        format!("{is_own} {:?}", (reader.read)(entry, &options(input.choice)))
    })
}

/// What the first reader says that takes the file.
pub(super) fn read_recognised(place: &Path, name: &str, bytes: &[u8], choice: usize) -> Outcome {
    with_file(place, name, bytes, |entry| {
        let reader = READERS.iter().find(|reader| (reader.recognises)(entry));
        format!("{:?}", reader.map(|reader| (reader.read)(entry, &options(choice))))
    })
}

fn with_file(
    place: &Path,
    name: &str,
    bytes: &[u8],
    outcome: impl FnOnce(&FileEntry) -> String,
) -> Outcome {
    let path = place.join(name);
    fs::write(&path, bytes).map_err(|error| error.to_string())?;
    let outcome = outcome(&corpus::entry(&path, bytes));
    fs::remove_file(&path).map_err(|error| error.to_string())?;
    Ok(outcome)
}

/// The file in a run of its own or beside another, under its own name or one that is no word.
fn collect_beside(place: &Path, input: &Input) -> Outcome {
    let name = match input.choice % 8 {
        0 => odd_name(input),
        _ => input.name.clone(),
    };
    let run = place.join("run");
    fs::create_dir_all(&run).map_err(|error| error.to_string())?;
    let neighbour = &corpus::fixtures()[input.choice / 8 % corpus::fixtures().len()];
    if input.choice.is_multiple_of(3) && neighbour.name != name {
        fs::write(run.join(&neighbour.name), &neighbour.bytes)
            .map_err(|error| error.to_string())?;
    }
    fs::write(run.join(&name), &input.bytes).map_err(|error| format!("{name:?}: {error}"))?;
    let outcome = collected(&run, input.choice);
    fs::remove_dir_all(&run).map_err(|error| error.to_string())?;
    outcome
}

pub(super) fn collected(run: &Path, choice: usize) -> Outcome {
    let collected =
        collect::collect(&[run.to_owned()], &options(choice)).map_err(|error| error.to_string())?;
    Ok(format!("{:?} {:?}", collected.value, collected.diagnostics))
}

/// The beginning of the input before the ending of the name, as far as a file may be called so.
fn odd_name(input: &Input) -> String {
    let ending = input.name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let text = input.text().replace(['/', '\0'], "_");
    let beginning: String = text.chars().take(40).collect();
    format!("x{beginning}.{ending}")
}

/// Configurations whose values name data files, by path and by pattern.
fn data_files() -> Vec<Seed> {
    [
        "train_file: data/train.jsonl\neval_data: data/*.jsonl\nrl_data: data/t?ain.json*\n",
        "data:\n  train_files: [data/train.jsonl, 'data/[a-z]*.jsonl', ../data]\ndataset:\n  path: data\n",
        "cmd: python train.py --train_data data/train.jsonl data.train_files=[data/a.jsonl,b.parquet]\n",
        "rl_data: /etc/*.jsonl\nval_file: ../../../../*.csv\ntrain_data: data/**/*.jsonl\n",
        "dataset_kwargs:\n  data_files:\n    test: './data//train.jsonl'\n    train: '*'\n",
    ]
    .map(|text| Seed::of("config.yaml", text))
    .to_vec()
}

fn collect_naming_data(place: &Path, input: &Input) -> Outcome {
    let record = "{\"question\": \"a\", \"answer\": \"b\", \"reward\": 1}\n";
    collect_with(place, input, &input.bytes, ("train.jsonl", record.as_bytes()))
}

/// A data file of which every column is read.
fn collect_naming_parquet(place: &Path, input: &Input) -> Outcome {
    let config = b"train_file: data/train.parquet\n";
    collect_with(place, input, config, ("train.parquet", &input.bytes))
}

fn collect_with(place: &Path, input: &Input, config: &[u8], file: (&str, &[u8])) -> Outcome {
    let run = place.join("run");
    let data = run.join("data");
    fs::create_dir_all(&data).map_err(|error| error.to_string())?;
    fs::write(data.join(file.0), file.1).map_err(|error| error.to_string())?;
    fs::write(run.join("config.yaml"), config).map_err(|error| error.to_string())?;
    let outcome = collected(&run, input.choice);
    fs::remove_dir_all(&run).map_err(|error| error.to_string())?;
    outcome
}
