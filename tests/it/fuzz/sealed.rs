//! Files with checksums or compression: the content inside is changed and sealed again, because bytes
//! that are changed outside only show that the checksum is asked for.

use std::fs;
use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;

use crc::{CRC_32_ISCSI, CRC_32_ISO_HDLC, Crc};
use flate2::read::GzDecoder;
use sha2::{Digest as _, Sha256};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::campaign::{Input, Outcome, Target};
use super::corpus::Seed;
use super::readers;

const EVENTS: &str = "fixtures/runs/trackers/tensorboard/events.out.tfevents.1700000000.host.1.0";
const WANDB: &str = "fixtures/runs/trackers/wandb/run-training.wandb";
const ARCHIVE: &str =
    "fixtures/runs/inspect_json/archive/2026-11-21T14-00-00-00-00_sums_EPOCHS.eval";
const ARRAYS: &str = "fixtures/runs/series/sb3_evaluations/evaluations.npz";
const WORKBOOK: &str = "fixtures/spreadsheets/cells.xlsx";
const DATABASES: &str = "fixtures/runs/database";
const BASELINE: &str = "fixtures/cases/baseline_file/runs/kl-0.15.rgb";

pub(super) fn targets() -> Vec<Target> {
    let target = |name: &str, corpus, run: fn(&Path, &Input) -> Outcome| Target {
        name: format!("sealed-{name}"),
        share: 8,
        most: 16 << 10,
        corpus,
        run: Box::new(run),
    };
    vec![
        target("events", records("events.out.tfevents.1", event_records(&file(EVENTS))), events),
        target("wandb", records("run-a.wandb", wandb_records(&file(WANDB))), wandb),
        target("archive", parts(ARCHIVE), |place, input| {
            read(place, &named("log.eval", input), &repacked(ARCHIVE, input))
        }),
        target("arrays", parts(ARRAYS), |place, input| {
            read(place, &named("evaluations.npz", input), &repacked(ARRAYS, input))
        }),
        target("workbook", parts(WORKBOOK), |place, input| {
            collect(place, "cells.xlsx", &repacked(WORKBOOK, input), input.choice)
        }),
        target("database", databases(), |place, input| {
            collect(place, &input.name, &input.bytes, input.choice)
        }),
        target("baseline", vec![baseline_body()], baseline),
    ]
}

fn file(path: &str) -> Vec<u8> {
    fs::read(path).expect("a fixture is read")
}

fn records(name: &str, records: Vec<Vec<u8>>) -> Vec<Seed> {
    assert!(records.len() > 2, "{name}");
    records.into_iter().map(|bytes| Seed { name: name.to_owned(), bytes }).collect()
}

/// The records of an event file: each between its length with a checksum, and its own checksum.
fn event_records(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk::<8>() {
        let length = u64::from_le_bytes(*length) as usize;
        found.push(rest[4..4 + length].to_vec());
        bytes = &rest[4 + length + 4..];
    }
    found
}

fn events(place: &Path, input: &Input) -> Outcome {
    let crc = Crc::<u32>::new(&CRC_32_ISCSI);
    let masked =
        |bytes: &[u8]| crc.checksum(bytes).rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes();
    let own = event_records(&file(EVENTS));
    let other = &own[input.choice % own.len()];
    let mut sealed = Vec::new();
    for record in [&own[0], &input.bytes, other] {
        let length = (record.len() as u64).to_le_bytes();
        sealed.extend([&length[..], &masked(&length), record, &masked(record)].concat());
    }
    read(place, input, &sealed)
}

/// The records in the first block of a file of W&B that are one chunk each.
fn wandb_records(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut at = 7;
    while at + 7 < bytes.len().min(32 << 10) {
        let length = usize::from(u16::from_le_bytes([bytes[at + 4], bytes[at + 5]]));
        let content = at + 7..at + 7 + length;
        if bytes[at + 6] == 1 {
            found.push(bytes[content.clone()].to_vec());
        }
        at = content.end;
    }
    found
}

fn wandb(place: &Path, input: &Input) -> Outcome {
    const WHOLE: &[u8] = &[1];
    let crc = Crc::<u32>::new(&CRC_32_ISO_HDLC);
    let own = wandb_records(&file(WANDB));
    let other = &own[input.choice % own.len()];
    let mut sealed = b":W&B\xe1\xbe\x00".to_vec();
    // Together they stay within one block.
    for record in [&own[0], &input.bytes, other] {
        let sum = crc.checksum(&[WHOLE, record].concat()).to_le_bytes();
        let length = (record.len() as u16).to_le_bytes();
        sealed.extend([&sum[..], &length, WHOLE, record].concat());
    }
    read(place, input, &sealed)
}

/// The parts of an archive, by their names in it.
fn parts(path: &str) -> Vec<Seed> {
    let mut archive = ZipArchive::new(Cursor::new(file(path))).expect("an archive");
    let parts = (0..archive.len()).map(|at| {
        let mut part = archive.by_index(at).expect("a part");
        let mut bytes = Vec::new();
        part.read_to_end(&mut bytes).expect("its content");
        Seed { name: part.name().to_owned(), bytes }
    });
    parts.collect()
}

/// The archive with that part changed.
fn repacked(path: &str, input: &Input) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for part in parts(path) {
        let bytes = if part.name == input.name { &input.bytes } else { &part.bytes };
        writer.start_file(&part.name, SimpleFileOptions::default()).expect("a part");
        writer.write_all(bytes).expect("its content");
    }
    writer.finish().expect("an archive").into_inner()
}

fn named(name: &str, input: &Input) -> Input {
    Input { name: name.to_owned(), bytes: Vec::new(), choice: input.choice }
}

/// Databases of tables, which are kept compressed.
fn databases() -> Vec<Seed> {
    let cases = fs::read_dir(DATABASES).expect("cases").map(|case| case.expect("a case").path());
    let mut cases: Vec<_> = cases.collect();
    cases.sort();
    let unpacked = |case: std::path::PathBuf| {
        let packed = fs::read(case.join("results.db.gz")).expect("a fixture");
        let mut bytes = Vec::new();
        GzDecoder::new(&*packed).read_to_end(&mut bytes).expect("a database");
        Seed { name: "results.db".to_owned(), bytes }
    };
    cases.into_iter().map(unpacked).collect()
}

/// The second line of a baseline file, which its first line has the digest of.
fn baseline_body() -> Seed {
    let mut text = String::new();
    GzDecoder::new(&*file(BASELINE)).read_to_string(&mut text).expect("text under gzip");
    Seed::of("base.rgb", text.lines().nth(1).expect("a body"))
}

fn baseline(place: &Path, input: &Input) -> Outcome {
    let body = input.text().replace(['\n', '\r'], " ");
    let digest = Sha256::digest(&body);
    let head =
        format!("{{\"reportgen_baseline\":1,\"sha256\":\"{digest:x}\",\"program\":\"0.1.0\"}}\n");
    read(place, input, format!("{head}{body}\n").as_bytes())
}

fn read(place: &Path, input: &Input, sealed: &[u8]) -> Outcome {
    readers::read_recognised(place, &input.name, sealed, input.choice)
}

/// What is told of a file that is known by more than its first bytes.
fn collect(place: &Path, name: &str, bytes: &[u8], choice: usize) -> Outcome {
    let path = place.join(name);
    fs::write(&path, bytes).map_err(|error| error.to_string())?;
    let outcome = readers::collected(&path, choice);
    fs::remove_file(&path).map_err(|error| error.to_string())?;
    outcome
}
