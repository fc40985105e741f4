//! Arrays of `NumPy`: the evaluations of Stable-Baselines3 that are read, and files that come close to them.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

use reportgen::collect::{ReadOptions, collect};
use reportgen::model::{Run, Series};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::command::{compare, reportgen};
use crate::directory::Directory;

/// By `fixtures/make_sb3.py`.
const EVALUATIONS: &str = "fixtures/runs/series/sb3_evaluations";
const LOGGED: &str = "fixtures/runs/series/sb3_progress";

fn read(place: &str) -> Run {
    let read = collect(&[place.into()], &ReadOptions::default()).expect("it is there");
    let [run] = read.value.try_into().expect("one run");
    run
}

/// An array as `numpy.save` of `NumPy` 2.4.6 writes it.
fn array(kind: &str, shape: &str, body: &[u8]) -> Vec<u8> {
    let mut head =
        format!("{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}").into_bytes();
    head.resize(117, b' ');
    head.push(b'\n');
    [b"\x93NUMPY\x01\x00\x76\x00", &*head, body].concat()
}

fn numbers(shape: &str, values: &[f64]) -> Vec<u8> {
    let body: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    array("'<f8'", shape, &body)
}

fn archive(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in arrays {
        let name = format!("{name}.npy");
        writer.start_file(name, SimpleFileOptions::default()).expect("a part");
        writer.write_all(content).expect("its content");
    }
    writer.finish().expect("an archive").into_inner()
}

/// Two evaluations of three episodes, whose returns are higher by so much.
fn evaluations(more: f64) -> Vec<u8> {
    let returns = [1.0, 2.0, 3.0, 4.0, 5.0, 9.0].map(|value| value + more);
    archive(&[
        ("timesteps", numbers("(2,)", &[100.0, 200.0])),
        ("results", numbers("(2, 3)", &returns)),
        ("ep_lengths", numbers("(2, 3)", &[7.0; 6])),
    ])
}

#[test]
fn evaluations_are_the_curves_that_their_callback_logs() {
    let (run, logged) = (read(EVALUATIONS), read(LOGGED));
    for name in ["eval/mean_reward", "eval/mean_ep_length", "eval/success_rate"] {
        let [found, expected] = [&run, &logged].map(|run| {
            let mut series = run.content.series.iter();
            series.find(|series| series.metric == name).expect(name)
        });
        assert_eq!(found.axis, expected.axis, "{name}");
        let places = |series: &Series| series.points.iter().map(|it| it.at).collect::<Vec<_>>();
        assert_eq!(places(found), places(expected), "{name}");
        for (a, b) in found.points.iter().zip(&expected.points) {
            assert!((a.value - b.value).abs() <= 1e-14 * b.value.abs(), "{name}: {a:?} {b:?}");
        }
    }
}

/// Standard errors by `NumPy` 2.4.6: `array[-1].std(ddof=1) / 10 ** 0.5`.
#[test]
fn the_last_evaluation_is_a_figure_with_its_episodes() {
    let run = read(EVALUATIONS);
    for (name, value, stderr) in [
        ("eval/mean_reward", 3.370_839_4, Some(0.836_316_437_958_918_4)),
        ("eval/success_rate", 0.9, Some(0.1)),
    ] {
        let mut scalars = run.content.scalars.iter();
        let scalar = scalars.find(|scalar| scalar.metric == name).expect(name);
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-14 * b.abs();
        assert!(close(scalar.value.value().expect(name), value), "{scalar:?}");
        assert_eq!(scalar.n, Some(10), "{name}");
        assert!(scalar.stderr.zip(stderr).is_some_and(|(a, b)| close(a, b)), "{scalar:?}");
    }
}

#[test]
fn two_trainings_are_compared_over_their_evaluations() {
    let runs = Directory::of([
        ("a/evaluations.npz", evaluations(0.0)),
        ("b/evaluations.npz", evaluations(0.5)),
    ]);
    let ended = compare(&[runs.word("a"), runs.word("b")], &[]);
    let told = "`eval/mean_reward` 6 → 6.5 (+0.5, 95% CI";
    assert!(ended.out.contains(told), "no `{told}` in {}", ended.out);
}

#[test]
fn arrays_that_are_no_evaluations_are_not_read_and_told_by_their_shapes() {
    let some = || numbers("(2,)", &[0.25, 0.5]);
    for (name, content, told) in [
        ("a.npz", archive(&[("timesteps", some()), ("results", some())]), "timesteps 2, results 2"),
        ("a.npz", archive(&[("accuracy", numbers("(1, 2)", &[0.25, 0.5]))]), "accuracy 1×2"),
        ("a.npy", some(), "a 2"),
        ("a.npy", array("'|O'", "(3,)", b"\x80\x04."), "a 3"),
    ] {
        let runs = Directory::of([(name, content)]);
        let ended = reportgen(["inspect", &runs.word(name)]);
        let expected = format!("its arrays are {told}\n");
        assert!(ended.err.contains(&expected), "no `{expected}` in {}", ended.err);
    }
}

#[test]
fn arrays_beside_results_are_told_only_where_they_are_called_like_a_metric() {
    let features = || archive(&[("features", numbers("(2,)", &[0.25, 0.5]))]);
    let runs = Directory::of([("metrics.json", b"{\"accuracy\": 0.5}".to_vec())]);
    runs.write("cache.npz", features());
    let inspected = || reportgen(["inspect", &runs.word("")]).err;
    assert!(!inspected().contains("its arrays are"), "{}", inspected());
    runs.write("scores.npz", archive(&[("f1", numbers("(1,)", &[0.5]))]));
    assert!(inspected().contains("its arrays are f1 1"), "{}", inspected());
}

#[test]
fn evaluations_that_are_broken_or_hold_objects_are_refused_with_their_reason() {
    let whole = fs::read(Path::new(EVALUATIONS).join("evaluations.npz")).expect("a fixture");
    let cut = |bytes: usize| whole[..whole.len() - bytes].to_vec();
    let with = |name: &str, odd: Vec<u8>| {
        let arrays = ["timesteps", "results", "ep_lengths"].map(|other| {
            let shape = if other == "timesteps" { "(1,)" } else { "(1, 1)" };
            (other, if other == name { odd.clone() } else { numbers(shape, &[1.0]) })
        });
        archive(&arrays)
    };
    let objects = array("'|O'", "(1, 1)", b"\x80\x04.");
    for (content, reason) in [
        (cut(100), "it has no end of an archive"),
        ([&*whole, b"more"].concat(), "bytes stand behind the archive"),
        (with("results", objects), "results.npy holds no numbers that are read"),
        (with("results", numbers("(2, 1)", &[1.0])), "results.npy holds no numbers that are read"),
        (with("results", numbers("(2, 1)", &[1.0; 2])), "one row for each of its timesteps"),
        (with("timesteps", numbers("(1, 1)", &[1.0])), "one row for each of its timesteps"),
        (with("ep_lengths", b"x".to_vec()), "ep_lengths.npy is no array of NumPy"),
    ] {
        let runs = Directory::of([("evaluations.npz", content)]);
        let ended = reportgen(["inspect", &runs.word("evaluations.npz")]);
        assert!(ended.err.contains(reason), "no `{reason}` in {}", ended.err);
    }
}
