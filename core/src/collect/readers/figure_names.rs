//! Which metric and dataset keys name above a figure.

const SPLITS: &[&str] = &["train", "eval", "val", "valid", "validation", "test", "dev"];
const SPLITS_WITH_DATASET: &[&str] = &["eval", "val", "test"];

/// Metric and dataset of a figure under these keys. A number names no metric.
pub(super) fn name(parts: &[String], nested: bool) -> Option<(String, Option<String>)> {
    let (last, above) = parts.split_last()?;
    if last.parse::<f64>().is_ok() {
        return None;
    }
    // The filter of lm-evaluation-harness that filters nothing.
    let last = last.strip_suffix(",none").unwrap_or(last);
    let (first, between) = above.split_first().map_or(("", above), |(first, rest)| (first, rest));
    if !between.is_empty() && SPLITS_WITH_DATASET.contains(&first) {
        return Some((last.to_owned(), Some(between.join("/"))));
    }
    if nested && above.len() == 1 && !SPLITS.contains(&first) {
        return Some((last.to_owned(), Some(first.to_owned())));
    }
    Some(([above, &[last.to_owned()]].concat().join("/"), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_name_a_metric_and_sometimes_a_dataset() {
        for (key, nested, metric, dataset) in [
            ("eval/mbpp/accuracy", false, "accuracy", Some("mbpp")),
            ("eval/code/mbpp/accuracy", false, "accuracy", Some("code/mbpp")),
            ("train/loss", false, "train/loss", None),
            ("val/loss", true, "val/loss", None),
            ("mbpp/accuracy", true, "accuracy", Some("mbpp")),
            ("mbpp/accuracy", false, "mbpp/accuracy", None),
            ("loss", false, "loss", None),
            ("acc,none", false, "acc", None),
        ] {
            let parts: Vec<String> = key.split('/').map(str::to_owned).collect();
            let expected = (metric.to_owned(), dataset.map(str::to_owned));
            assert_eq!(name(&parts, nested), Some(expected), "{key}");
        }
    }
}
