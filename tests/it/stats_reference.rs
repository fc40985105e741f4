//! The statistics against published and independently computed results.
//!
//! Each vector of `core/reference/*.json` names its oracle in `source`.

use std::fs;

use reportgen::stats::reference::{self, Unchecked, Vector};

/// Paths of the files of vectors, by name.
fn files() -> Vec<String> {
    let folder = fs::read_dir("core/reference").expect("the reference folder");
    let paths = folder.map(|entry| entry.expect("a folder entry").path());
    let json = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let mut files: Vec<String> = json.map(|path| path.display().to_string()).collect();
    files.sort();
    files
}

fn vectors() -> Vec<Vector> {
    files().iter().flat_map(|file| read(file)).collect()
}

fn read(file: &str) -> Vec<Vector> {
    let text = fs::read_to_string(file).expect("a readable file");
    let vectors = reference::read_vectors(&text).map_err(|error| format!("{file}: {error}"));
    let vectors = vectors.expect("a list").into_iter().collect::<Result<Vec<_>, _>>();
    vectors.map_err(|malformed| format!("{file}: {malformed:?}")).expect("vectors")
}

fn one_vector(text: &str) -> Vector {
    serde_json::from_str(text).expect("a vector")
}

#[test]
fn every_vector_is_reproduced_within_its_tolerance() {
    let mut failures = Vec::new();
    for vector in vectors() {
        match reference::check_vectors(&vector) {
            Ok(outcome) if outcome.agreed.is_empty() && outcome.mismatches.is_empty() => {
                failures.push(format!("{}: no field was checked", vector.id));
            }
            Ok(outcome) => failures.extend(
                outcome.mismatches.iter().map(|mismatch| format!("{}: {mismatch:?}", vector.id)),
            ),
            Err(unchecked) => failures.push(format!("{}: {unchecked}", vector.id)),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_reference_set_is_not_empty_and_every_vector_names_its_oracle() {
    let vectors = vectors();
    assert!(vectors.len() >= 100, "{} vectors", vectors.len());
    for vector in vectors {
        assert!(!vector.source.is_empty(), "{}", vector.id);
    }
}

#[test]
fn a_method_that_nobody_answers_is_an_error() {
    let vector = one_vector(
        r#"{"id": "x", "method": "astrology", "inputs": {}, "expected": {}, "tol": {}, "source": "-"}"#,
    );
    assert_eq!(
        reference::check_vectors(&vector),
        Err(Unchecked::UnknownMethod("astrology".into()))
    );
}

#[test]
fn an_expected_field_that_is_not_checked_is_named_and_the_others_are_checked() {
    let vector = one_vector(
        r#"{"id": "x", "method": "normal_sf", "inputs": {"z": 0},
            "expected": {"sf": 0.5, "odds": 1}, "tol": {"exact": true}, "source": "-"}"#,
    );
    let outcome = reference::check_vectors(&vector).expect("a known method");
    assert_eq!((outcome.agreed.len(), outcome.unknown), (1, vec!["odds".to_owned()]));
    assert_eq!(outcome.known, ["sf"]);
}

#[test]
fn every_file_of_vectors_is_shipped_with_the_program() {
    let text = |file: &&str| fs::read_to_string(file).expect("a readable file");
    let (names, texts): (Vec<&str>, Vec<&str>) = reference::SHIPPED.iter().copied().unzip();
    assert_eq!(names, files());
    assert_eq!(texts, names.iter().map(text).collect::<Vec<_>>());
}

#[test]
fn neither_text_nor_an_infinite_value_agrees_with_a_number() {
    let agrees = |expected: &str| {
        let vector = one_vector(&format!(
            r#"{{"id": "x", "method": "normal_sf", "inputs": {{"z": 0}}, "source": "-",
                "expected": {{"sf": {expected}}}, "tol": {{"rel": 1, "abs": 1}}}}"#
        ));
        reference::check_vectors(&vector).expect("a known method").mismatches.is_empty()
    };
    assert!(agrees("0.5") && agrees("[0.5]") && agrees(r#"{"one": [0.5]}"#) && agrees("\"0.5\""));
    for other in ["\"half\"", "\"inf\"", "null", "[0.5, 0.5]", "[]", r#"{"one": "half"}"#] {
        assert!(!agrees(other), "{other}");
    }
}

#[test]
fn a_value_beyond_its_tolerance_is_a_mismatch() {
    let vector = one_vector(
        r#"{"id": "x", "method": "normal_sf", "inputs": {"z": 0},
            "expected": {"sf": 0.5001}, "tol": {"abs": 1e-5}, "source": "-"}"#,
    );
    let outcome = reference::check_vectors(&vector).unwrap();
    assert_eq!(outcome.mismatches.len(), 1, "{outcome:?}");
}

#[test]
fn an_input_that_is_missing_is_an_error() {
    let vector = one_vector(
        r#"{"id": "x", "method": "normal_sf", "inputs": {}, "expected": {"sf": 0.5}, "tol": {}, "source": "-"}"#,
    );
    assert_eq!(reference::check_vectors(&vector), Err(Unchecked::UnfitInputs("normal_sf".into())));
}

#[test]
fn a_tolerance_may_speak_of_some_fields_only() {
    let check = |tol: &str| {
        let vector = one_vector(&format!(
            r#"{{"id": "x", "method": "welch_t_from_summary", "tol": {tol}, "source": "-",
                "inputs": {{"mean1": 1, "sd1": 1, "n1": 9, "mean2": 0, "sd2": 1, "n2": 9}},
                "expected": {{"p": 0.0499, "ci95": [0.05, 2.0], "t": 2.1213}}}}"#
        ));
        let outcome = reference::check_vectors(&vector).expect("a known method");
        outcome.mismatches.into_iter().map(|mismatch| mismatch.field).collect::<Vec<_>>()
    };
    assert_eq!(check(r#"{"abs": 1e-3}"#), ["ci95"]);
    assert_eq!(check(r#"{"abs": 1e-3, "ci_abs": 0.1}"#), [""; 0]);
    assert_eq!(check(r#"{"p_t_rel": 1e-2, "exact": true}"#), ["ci95"]);
    assert_eq!(check(r#"{"ci_abs": 0.1, "t_rel": 1e-4, "p_rel": 1e-12}"#), ["p"]);
}
