//! Which keys only say where, when or by whom a run was made.

use super::leaf;
use super::spelling::{components, plain};
use crate::model::{Config, ConfigValue};

/// Last components, wherever they stand. Documented in `docs/formats.md`; a key outside the lists of
/// this file is taken to be able to move a metric.
const ANYWHERE: &[&str] = &[
    "argv",
    "async_save",
    "batch_sizes",
    "bootstrap_iters",
    "branch",
    "cache_dir",
    "cache_requests",
    "checkpoint_dir",
    "ckpt_dir",
    "ckpt_path",
    "config_source",
    "created",
    "created_at",
    "creation_time",
    "cuda_visible_devices",
    "cwd",
    "dataloader_num_workers",
    "dataloader_persistent_workers",
    "dataloader_pin_memory",
    "dataloader_prefetch_factor",
    "ddp_timeout",
    "default_hdfs_dir",
    "default_local_dir",
    "del_local_ckpt_after_load",
    "disable_log_stats",
    "disable_tqdm",
    "duration",
    "elapsed",
    "elapsed_time",
    "end_time",
    "ended",
    "ended_at",
    "eval_id",
    "evaluated_at",
    "evaluation_time",
    "exp_name",
    "experiment_id",
    "experiment_name",
    "finished_at",
    "git_branch",
    "git_remote",
    "gpu_ids",
    "hf_home",
    "hostname",
    "hub_always_push",
    "hub_model_id",
    "hub_private_repo",
    "hub_strategy",
    "hub_token",
    "include_num_input_tokens_seen",
    "include_tokens_per_second",
    "job_id",
    "last_update_time",
    "local_rank",
    "log_dir",
    "log_file",
    "log_interval",
    "log_level",
    "log_level_replica",
    "log_on_each_node",
    "log_path",
    "log_samples",
    "log_val_generations",
    "logger",
    "loggers",
    "logging_dir",
    "logging_first_step",
    "logging_level",
    "logging_nan_inf_filter",
    "logging_steps",
    "logging_strategy",
    "loglevel",
    "master_addr",
    "master_port",
    "max_actor_ckpt_to_keep",
    "max_ckpt_mem",
    "max_ckpt_num",
    "max_critic_ckpt_to_keep",
    "nccl_timeout",
    "num_proc",
    "num_workers",
    "out_dir",
    "output_dir",
    "output_file",
    "output_path",
    "overwrite_output_dir",
    "pid",
    "port",
    "preprocessing_num_workers",
    "pretty_env_info",
    "progress_bar",
    "project_name",
    "push_to_hub",
    "rank",
    "remove_previous_ckpt_in_save",
    "report_to",
    "results_dir",
    "rollout_data_dir",
    "run_dir",
    "run_id",
    "run_name",
    "run_uuid",
    "runtime",
    "save_dir",
    "save_freq",
    "save_hf_ckpt",
    "save_on_each_node",
    "save_only_model",
    "save_path",
    "save_safetensors",
    "save_steps",
    "save_strategy",
    "save_total_limit",
    "show_progress",
    "skip_dump_dir",
    "skip_memory_metrics",
    "slurm_job_id",
    "start_time",
    "started",
    "started_at",
    "stop_time",
    "tensorboard_dir",
    "timeline_json_file",
    "timestamp",
    "total_evaluation_time_seconds",
    "trace_location",
    "tracking_uri",
    "upper_git_hash",
    "use_cache",
    "use_tensorboard",
    "use_wandb",
    "username",
    "uuid",
    "val_generations_to_log_to_wandb",
    "validation_data_dir",
    "verbose",
    "verbosity",
    "wall_time",
    "wandb",
    "wandb_entity",
    "wandb_group",
    "wandb_name",
    "wandb_org",
    "wandb_project",
    "wandb_run_id",
    "wandb_run_name",
    "work_dir",
    "workdir",
    "write_out",
];

/// Last components that name a run where they stand at the top or below one of [`OF_A_RUN`], and
/// something else anywhere else: `model.name` is no name of a run.
const AT_THE_TOP: &[&str] = &[
    "alias",
    "command",
    "comment",
    "date",
    "description",
    "experiment",
    "group",
    "host",
    "id",
    "job_type",
    "label",
    "labels",
    "name",
    "note",
    "notes",
    "project",
    "status",
    "tag",
    "tags",
    "time",
    "title",
    "user",
];

/// Components below which [`AT_THE_TOP`] speaks of the run.
const OF_A_RUN: &[&str] = &[
    "config",
    "cfg",
    "exp",
    "experiment",
    "general",
    "info",
    "job",
    "logging",
    "meta",
    "mlflow",
    "options",
    "project",
    "run",
    "tracking",
    "trainer",
];

/// Components below which everything is bookkeeping.
const BOOKKEEPING: &[&str] = &[
    "_wandb",
    "wandb",
    "hydra",
    "logger",
    "loggers",
    "logging",
    "profiler",
    "global_profiler",
    "slurm",
    "tensorboard",
    "mlflow",
    "ray_init",
    "resources",
    "host",
];

/// Keys of addresses: local ones say only where a server was started.
const ADDRESSES: &[&str] =
    &["address", "api_base", "api_url", "base_url", "endpoint", "server_url", "url"];

/// Keys of the directory that a run writes to.
const OUTPUTS: &[&str] =
    &["output_dir", "out_dir", "save_dir", "run_dir", "default_local_dir", "work_dir", "workdir"];

/// Keys of what a run goes on from after an interruption.
const RESUMED: &[&str] =
    &["resume", "resume_from", "resume_from_checkpoint", "resume_from_path", "resume_mode"];

/// Whether a key only says where, when or by whom a run was made.
pub(super) fn is_environment(key: &str) -> bool {
    let parts = components(key);
    let Some((name, above)) = parts.split_last() else { return false };
    let is = |list: &[&str], part: &String| list.contains(&part.as_str());
    // A judge's name is what it is.
    let of_a_run = above.iter().all(|part| is(OF_A_RUN, part));
    is(ANYWHERE, name)
        || (of_a_run && is(AT_THE_TOP, name))
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
    if is_environment(key) {
        return true;
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
        let is_known = super::super::role(key) != super::super::Role::Other;
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
            "metric.name",
            "rollout.name",
            "base_checkpoint",
            "git.commit",
            "num_train_epochs",
            "max_steps",
            "eval_steps",
            "judge.model",
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
    fn the_documented_lists_are_those_of_the_code() {
        let formats = fs::read_to_string("docs/formats.md").expect("docs");
        let lists = [ANYWHERE, AT_THE_TOP, OF_A_RUN, BOOKKEEPING, ADDRESSES, OUTPUTS, RESUMED];
        for name in lists.into_iter().flatten() {
            assert!(formats.contains(&format!("`{name}`")), "docs/formats.md lacks {name}");
        }
    }
}
