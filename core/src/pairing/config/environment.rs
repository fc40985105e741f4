//! Which keys only say where, when or by whom a run was made.

use super::environment_names::{
    ADDRESSES, ANYWHERE, AT_THE_TOP, BOOKKEEPING, DECIDED_BY_EVALUATION, EVALUATED_WHEN, OF_A_RUN,
    OF_A_SERVER, OUTPUTS, RESUMED,
};
use super::spelling::{key_components, plain};
use crate::model::{Config, ConfigValue, leaf, names_secret};

/// Whether a key only says where, when or by whom a run was made.
pub fn is_environment(key: &str) -> bool {
    let parts = key_components(key);
    let Some((name, above)) = parts.split_last() else { return false };
    let is = |list: &[&str], part: &String| list.contains(&part.as_str());
    // A judge's name is what it is.
    let of_a_run = above.iter().all(|part| is(OF_A_RUN, part));
    names_secret(key)
        || is(ANYWHERE, name)
        || (of_a_run && is(AT_THE_TOP, name))
        || (is(OF_A_SERVER, name) && above.iter().any(|part| part == "judge"))
        || above.iter().any(|part| is(BOOKKEEPING, part))
}

/// Whether two values that differ under a key say no more than where, when or by whom.
pub(super) fn is_difference_of_environment(
    key: &str,
    [mine, theirs]: [Option<&ConfigValue>; 2],
    is_known: bool,
    [my_config, their_config]: [&Config; 2],
) -> bool {
    let name = plain(leaf(key));
    let (Some(mine), Some(theirs)) = (mine, theirs) else { return is_environment(key) };
    if matches!(name.as_str(), "gpu_ids" | "cuda_visible_devices") {
        return mine.items().len() == theirs.items().len();
    }
    if RESUMED.contains(&name.as_str()) {
        let is_path = |value: &ConfigValue| super::sameness::path(&value.to_string()).is_some();
        return !(is_path(mine) && is_path(theirs));
    }
    if EVALUATED_WHEN.contains(&name.as_str()) {
        return !(is_decided_by_evaluation(my_config) || is_decided_by_evaluation(their_config));
    }
    if is_environment(key) {
        return true;
    }
    if let (ConfigValue::Masked(mine), ConfigValue::Masked(theirs)) = (mine, theirs) {
        return mine.shown() == theirs.shown();
    }
    let (ConfigValue::Text(mine), ConfigValue::Text(theirs)) = (mine, theirs) else { return false };
    if ADDRESSES.contains(&name.as_str()) {
        return is_local(mine) && is_local(theirs);
    }
    // What a known key says is never overruled by what its value looks like.
    !is_known
        && ((is_moment(mine) && is_moment(theirs))
            || (is_uuid(mine) && is_uuid(theirs))
            || below_output(mine, my_config)
                .zip(below_output(theirs, their_config))
                .is_some_and(|(mine, theirs)| mine == theirs))
}

fn is_decided_by_evaluation(config: &Config) -> bool {
    let is_on = |value: &ConfigValue| {
        !(value.is_nothing()
            || value.same_as(&ConfigValue::Bool(false))
            || value.to_string() == "0")
    };
    config.iter().any(|(key, entry)| {
        let name = plain(leaf(key));
        DECIDED_BY_EVALUATION.iter().any(|part| name.contains(part)) && is_on(&entry.value)
    })
}

/// What stands behind the run's own output directory in a path that begins with it.
fn below_output(text: &str, config: &Config) -> Option<String> {
    let text = super::sameness::path(text)?;
    let mut outputs = config.iter().filter(|(key, _)| OUTPUTS.contains(&plain(leaf(key)).as_str()));
    outputs.find_map(|(_, entry)| {
        let written = entry.value.to_string();
        let directory = super::sameness::path(&written).unwrap_or(written);
        let rest = text.strip_prefix(&directory)?;
        (!directory.is_empty() && (rest.is_empty() || rest.starts_with('/')))
            .then(|| rest.to_owned())
    })
}

/// A date with a time of day. A date alone may be the version of something.
fn is_moment(text: &str) -> bool {
    let shape: String =
        text.trim().chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    ["0000-00-00T00:00", "0000-00-00 00:00", "0000-00-00_00-00", "0000-00-00T00-00"]
        .iter()
        .any(|start| shape.starts_with(start))
}

fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.trim().split('-').collect();
    let is_hex = |group: &&str| group.bytes().all(|byte| byte.is_ascii_hexdigit());
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    lengths == [8, 4, 4, 4, 12] && groups.iter().all(is_hex)
}

/// Whether an address lies on the machine itself or in a private network.
fn is_local(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    host == "localhost"
        || ["127.", "10.", "192.168.", "0.0.0.0", "[::1]"]
            .iter()
            .any(|start| host.starts_with(start))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::model::{ConfigEntry, Source};

    fn text(text: &str) -> ConfigValue {
        ConfigValue::Text(text.to_owned())
    }

    fn writing_to(directory: &str) -> Config {
        let mut config = Config::default();
        let source = Source::line(&"config.yaml".into(), 1, "output_dir");
        config.insert("output_dir".to_owned(), ConfigEntry { value: text(directory), source });
        config
    }

    fn is_noise(key: &str, a: &str, b: &str) -> bool {
        let configs = [writing_to("out/a"), writing_to("out/b")];
        let is_known = super::super::config_role(key) != super::super::ConfigRole::Other;
        let values = [text(a), text(b)];
        let [mine, theirs] = &configs;
        is_difference_of_environment(key, values.each_ref().map(Some), is_known, [mine, theirs])
    }

    #[test]
    fn where_when_and_by_whom_is_environment() {
        for key in [
            "output_dir",
            "trainer.default_local_dir",
            "run_name",
            "name",
            "experiment.name",
            "trainer.experiment_name",
            "host.hostname",
            "total_evaluation_time_seconds",
            "start_time",
            "meta.tags",
            "wandb.project",
            "_wandb.cli_version",
            "logging_steps",
            "trainer.save_freq",
            "actor.profiler.tool",
            "judge.port",
            "dataloaderNumWorkers",
            "master-port",
            "git.branch",
            "config.use_cache",
            "slurm.job_id",
            "log_level",
            "judge.host",
            "eval.judge.timeout",
            "hf_token",
            "OPENAI_API_KEY",
            "_timestamp",
            "wandb_mode",
            "output",
            "logdir",
        ] {
            assert!(is_environment(key), "{key}");
        }
    }

    #[test]
    fn what_can_move_a_metric_is_no_environment() {
        for key in [
            "model.name",
            "dataset.name",
            "judge.name",
            "optimizer.name",
            "task.asdiv.description",
            "filter_list.0.name",
            "learning_rate",
            "prompt.user",
            "eval.time_limit",
            "seed",
            "rollout.name",
            "base_checkpoint",
            "git.commit",
            "num_train_epochs",
            "max_steps",
            "judge.model",
            "metric.name",
            "data.root_dir",
            "device",
            "n_gpus_per_node",
        ] {
            assert!(!is_environment(key), "{key}");
        }
    }

    #[test]
    fn values_show_what_an_unknown_key_is() {
        for (key, a, b) in [
            ("launched", "2025-01-02T03:04:05Z", "2025-01-03 04:05:06"),
            (
                "attempt",
                "0b9cf0c2-5a6e-4a43-8f52-9a27f1d4b0aa",
                "9b9cf0c2-5a6e-4a43-8f52-9a27f1d4b0ab",
            ),
            ("dump", "out/a/dump.jsonl", "./out/b/dump.jsonl"),
            ("server.url", "http://localhost:8000/v1", "http://127.0.0.1:8001/v1"),
            ("gpu_ids", "[0, 1]", "[2, 3]"),
            ("resume_from_checkpoint", "true", "out/a/checkpoint-10"),
            ("eval_steps", "100", "500"),
            ("trainer.test_freq", "5", "10"),
        ] {
            assert!(is_noise(key, a, b), "{key}: {a} and {b}");
        }
        for (key, a, b) in [
            ("api_version", "2024-02-01", "2024-08-06"),
            ("dataset_revision", "2025-01-02T03:04:05Z", "2025-01-03T03:04:05Z"),
            ("base_model", "out/a/final", "out/b/final"),
            ("dump", "out/a/first.jsonl", "out/b/second.jsonl"),
            ("weights", "out/x/final", "out/y/final"),
            ("base_url", "https://api.one.example/v1", "https://api.two.example/v1"),
            ("gpu_ids", "[0]", "[0, 1, 2, 3]"),
            ("resume_from_checkpoint", "runs/x/step-10", "runs/y/step-10"),
        ] {
            assert!(!is_noise(key, a, b), "{key}: {a} and {b}");
        }
    }

    #[test]
    fn when_a_training_is_evaluated_counts_where_evaluations_decide() {
        let mut decides = writing_to("out/a");
        let source = Source::line(&"config.yaml".into(), 2, "early_stopping_patience");
        let value = ConfigValue::Number(3.0, "3".to_owned());
        decides.insert("early_stopping_patience".to_owned(), ConfigEntry { value, source });
        let values = [text("100"), text("500")];
        let configs = [&decides, &writing_to("out/b")];
        let values = values.each_ref().map(Some);
        assert!(!is_difference_of_environment("eval_steps", values, false, configs));
    }

    #[test]
    fn the_documented_lists_are_those_of_the_code() {
        let formats = fs::read_to_string("../docs/formats.md").expect("docs");
        let lists = [
            ANYWHERE,
            AT_THE_TOP,
            OF_A_RUN,
            BOOKKEEPING,
            ADDRESSES,
            OUTPUTS,
            RESUMED,
            EVALUATED_WHEN,
            DECIDED_BY_EVALUATION,
            OF_A_SERVER,
        ];
        for name in lists.into_iter().flatten() {
            assert!(formats.contains(&format!("`{name}`")), "docs/formats.md lacks {name}");
        }
    }
}
