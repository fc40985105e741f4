//! Grid coordinates that stand in directory names: `eval_step_500`, `checkpoint-40`, `epoch=3`.

use crate::model::{DimValue, Dims};

/// Words that announce a coordinate, with the name of the coordinate.
const WORDS: &[(&str, &str)] =
    &[("global_step", "step"), ("step", "step"), ("checkpoint", "step"), ("epoch", "epoch")];

/// Coordinates of a file from the directories between it and the run. The innermost wins.
pub(super) fn directory_dims(relative: &str) -> Dims {
    let mut dims = Dims::none();
    let directories = relative.rsplit_once('/').map_or("", |(directories, _)| directories);
    for name in directories.split('/') {
        if let Some((dim, value)) = name_dim(name) {
            dims.insert(dim, value);
        }
    }
    dims
}

/// The coordinate that a name ends in: `1.4b_step1000` is step 1000.
pub(super) fn name_dim(name: &str) -> Option<(&'static str, DimValue)> {
    let lower = name.to_ascii_lowercase();
    let word = lower.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = lower.get(word.len()..).filter(|digits| !digits.is_empty())?;
    let word = word.trim_end_matches(['_', '-', '=']);
    let (announced, dim) = WORDS.iter().find(|(announced, _)| word.ends_with(announced))?;
    let before = word.get(..word.len() - announced.len())?;
    let apart = before.is_empty() || before.ends_with(['_', '-', '.', ' ']);
    apart.then(|| (*dim, DimValue::parse(digits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directory_names_give_steps_and_epochs() {
        for (path, expected) in [
            ("outputs/eval_step_500/metrics.json", "step=500"),
            ("global_step_1000/huggingface/metrics.json", "step=1000"),
            ("checkpoint-40/eval.json", "step=40"),
            ("epoch=3/m.json", "epoch=3"),
            ("lockstep5/m.json", ""),
            ("eval_final/m.json", ""),
            ("version_0/m.json", ""),
            ("step_500.json", ""),
        ] {
            assert_eq!(directory_dims(path).to_string(), expected, "{path}");
        }
    }
}
