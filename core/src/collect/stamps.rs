//! Names of files in which harnesses write the time of an evaluation.

use super::plain_name;

pub(super) fn sample_log(relative: &str) -> Option<(&str, &str)> {
    let (task, stamp) =
        plain_name(relative).strip_prefix("samples_")?.strip_suffix(".jsonl")?.rsplit_once('_')?;
    is_stamp(stamp).then_some((task, stamp))
}

/// The task and the time of a file of details by lighteval.
pub(super) fn details_log(relative: &str) -> Option<(&str, &str)> {
    let (task, stamp) = plain_name(relative)
        .strip_prefix("details_")?
        .strip_suffix(".parquet")?
        .rsplit_once('_')?;
    is_stamp(stamp).then_some((task, stamp))
}

pub(super) fn results_stamp(relative: &str) -> Option<&str> {
    let name = plain_name(relative);
    let (_, stamp) = name.strip_suffix(".json")?.rsplit_once('_')?;
    (name.starts_with("results_") && is_stamp(stamp)).then_some(stamp)
}

/// `2026-11-21T14-33-55.503377`.
pub(super) fn is_stamp(text: &str) -> bool {
    text.len() >= 19
        && text.starts_with(|c: char| c.is_ascii_digit())
        && text.get(10..11) == Some("T")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_found_behind_the_last_underscore() {
        let stamp = "2025-07-21T14-41-47.889425";
        assert_eq!(
            results_stamp("m/results_FLOR-760M:2025-07-21T1441-16_2025-07-21T14-41-47.889425.json"),
            Some(stamp)
        );
        assert_eq!(
            sample_log("m/samples_eqbench_ca_2025-07-21T14-41-47.889425.jsonl.gz"),
            Some(("eqbench_ca", stamp))
        );
        assert_eq!(
            details_log("details/m/details_trivia:lakes|5_2025-07-21T14-41-47.889425.parquet"),
            Some(("trivia:lakes|5", stamp))
        );
        assert_eq!(results_stamp("results_final.json"), None);
        assert_eq!(sample_log("samples.jsonl"), None);
    }
}
