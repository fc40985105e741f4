//! Workbooks as tables: which row a finding is about, and which bytes decide.

use std::fs;
use std::path::Path;

use reportgen::collect::{ReadOptions, collect};
use reportgen::model::{Access, FileUse, Limits, Run};

/// By `fixtures/make_spreadsheets.py`.
const JUDGED: &str = "fixtures/runs/spreadsheet/vlmevalkit/small/T20261101-120000/\
                      small_MMBench_DEV_EN_judge_result.xlsx";

fn read(path: &Path, options: &ReadOptions) -> (Run, Vec<String>) {
    let mut found = collect(&[path.to_path_buf()], options).expect("it is there");
    let codes = found.diagnostics.iter().map(|finding| finding.code.id().to_owned()).collect();
    (found.value.remove(0), codes)
}

#[test]
fn samples_of_a_workbook_stand_at_the_rows_of_its_sheet_whatever_lines_their_cells_have() {
    let (run, _) = read(Path::new(JUDGED), &ReadOptions::default());
    let table = &run.content.samples[0];
    assert_eq!(table.lines(), (2..10).collect::<Vec<u32>>());
}

#[test]
fn a_workbook_is_told_by_its_content_and_is_what_its_csv_is() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path().join("judged.data");
    fs::copy(JUDGED, &place).expect("copied");
    let (run, _) = read(&place, &ReadOptions::default());
    assert_eq!(run.files[0].used, FileUse::Read { reader: "samples-csv" });
    assert_eq!(run.content.samples[0].len(), 8);
}

#[test]
fn a_workbook_beyond_the_limit_leaves_its_run_partial() {
    let limits = Limits { document_mib: 0, ..Limits::default() };
    let access = Access { limits, ..Access::default() };
    let (run, codes) = read(Path::new(JUDGED), &ReadOptions { access, ..ReadOptions::default() });
    assert_eq!(run.files[0].used, FileUse::Failed);
    assert!(codes.contains(&"R116".to_owned()), "{codes:?}");
}
