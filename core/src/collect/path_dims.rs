//! Grid coordinates that stand in the names of directories and files: `eval_step_500`,
//! `checkpoint-40`, `epoch=3`, `epoch1_n150_shot1.json`. One rule for whatever a file holds.

use super::plain_stem;
use crate::model::{DimValue, Dims, add_places, bare_size};

/// Coordinates of a file from its own name and the directories between it and the run. The innermost
/// wins.
pub(super) fn path_dims(relative: &str) -> Dims {
    let mut dims = directory_dims(relative);
    add_places(plain_stem(relative), &mut dims);
    dims
}

/// The number of samples that is a coordinate.
pub(super) fn size_of(dims: &Dims) -> Option<u64> {
    match dims.get("samples")? {
        DimValue::Number(size) if *size >= 1.0 => Some(*size as u64),
        _ => None,
    }
}

/// Adds the number of samples that stands bare at the end of the name of a file.
pub(super) fn add_bare_size(relative: &str, dims: &mut Dims) {
    if let Some(size) = bare_size(plain_stem(relative)) {
        dims.insert("samples", size);
    }
}

/// Coordinates of a file from its directories alone.
pub(super) fn directory_dims(relative: &str) -> Dims {
    let mut dims = Dims::none();
    let directories = relative.rsplit_once('/').map_or("", |(directories, _)| directories);
    for name in directories.split('/') {
        add_places(name, &mut dims);
    }
    dims
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_directories_and_files_give_coordinates() {
        for (path, expected) in [
            ("outputs/eval_step_500/metrics.json", "step=500"),
            ("global_step_1000/huggingface/metrics.json", "step=1000"),
            ("checkpoint-40/eval.json", "step=40"),
            ("epoch=3/m.json", "epoch=3"),
            ("epoch_1/grid.csv", "epoch=1"),
            ("epoch-1/grid.csv", "epoch=1"),
            ("results/epoch1_n150_shot1.json", "epoch=1 samples=150 shot=1"),
            ("epoch=2/5-shot.json", "epoch=2 shot=5"),
            ("1.4b_step1000.json", "step=1000"),
            ("step100k/m.json", "step=100000"),
            ("ckpt_2m/m.json", "step=2000000"),
            ("iter_100/m.json", "iteration=100"),
            ("round1/m.json", "round=1"),
            ("a/5shot/samples.jsonl.gz", "shot=5"),
            ("epoch_1/epoch_2.json", "epoch=2"),
            ("lockstep5/m.json", ""),
            ("eval_final/m.json", ""),
            ("version_0/m.json", ""),
            ("shot_4/size_200.csv", "samples=200 shot=4"),
            ("shot_4/n_20260101.csv", "shot=4"),
            ("n10.json", ""),
            ("samples_2026/m.json", ""),
            ("step.json", ""),
            ("stepk/m.json", ""),
            ("roundabout1/m.json", ""),
            ("screenshot1.json", ""),
            ("one-shot.json", ""),
        ] {
            assert_eq!(path_dims(path).to_string(), expected, "{path}");
        }
    }
}
