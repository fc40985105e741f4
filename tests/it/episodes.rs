//! Figures of reinforcement learning that stand on a number of episodes, as files state it beside them.

use reportgen::collect::{ReadOptions, collect};

use crate::directory::Directory;

/// A mean of episodes in a file: number of episodes and standard error, to four digits.
fn check(name: &str, content: &str, expected: &[(&str, f64, Option<u64>, Option<f64>)]) {
    let directory = Directory::of([(name, content)]);
    let read = collect(&[directory.path(name)], &ReadOptions::default()).expect("it is there");
    let parts = read.value.iter().flat_map(|run| &run.content.scalars);
    let found: Vec<_> = parts
        .map(|one| {
            let stderr = one.stderr.map(|stderr| (stderr * 1e4).round() / 1e4);
            (one.metric.as_str(), one.value.value().expect("a figure"), one.n, stderr)
        })
        .collect();
    assert_eq!(found, expected, "{name}");
}

/// As `package_to_hub` of `huggingface_sb3` 3.0 writes it; 18.2 / √10.
#[test]
fn results_of_a_model_card_stand_on_their_episodes() {
    check(
        "results.json",
        r#"{"mean_reward": 251.3, "std_reward": 18.2, "is_deterministic": true,
            "n_eval_episodes": 10, "eval_datetime": "2026-11-01T10:00:00.000000"}"#,
        &[("mean_reward", 251.3, Some(10), Some(5.7553))],
    );
}

#[test]
fn figures_of_a_training_do_not_stand_on_the_episodes_of_its_evaluation() {
    check(
        "metrics.json",
        r#"{"eval_episodes": 20, "eval": {"success_rate": 0.85}, "train": {"ep_rew_mean": 3.0}}"#,
        &[("eval/success_rate", 0.85, Some(20), None), ("train/ep_rew_mean", 3.0, None, None)],
    );
}

/// Rows of `benchmark.md` of rl-baselines3-zoo; 17.213 / √1775 and 0 / √300.
const ZOO: &str =
    "| algo | env_id |mean_reward|std_reward|n_timesteps|eval_timesteps|eval_episodes|
|------|--------|----------:|---------:|-----------|-------------:|------------:|
|a2c   |Acrobot-v1|   -83.353|    17.213|500k|         149979|       1775|
|a2c   |CartPole-v1|    500.000|     0.000|500k|         150000|       300|
";

#[test]
fn rows_of_a_benchmark_stand_on_their_episodes() {
    let expected = [
        ("mean_reward", -83.353, Some(1775), Some(0.4086)),
        ("eval_timesteps", 149_979.0, Some(1775), None),
        ("mean_reward", 500.0, Some(300), Some(0.0)),
        ("eval_timesteps", 150_000.0, Some(300), None),
    ];
    check("benchmark.md", ZOO, &expected);
    let rows = ZOO.lines().filter(|line| !line.contains("---"));
    let cells = rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
    let table: Vec<String> = cells.map(|row| row.join(",")).collect();
    check("benchmark.csv", &table.join("\n"), &expected);
}

#[test]
fn a_curve_of_evaluations_stays_a_curve() {
    let directory = Directory::of([(
        "progress.csv",
        "timesteps,eval/mean_reward,eval_episodes\n100,1.5,5\n200,2.5,5\n300,3.5,5\n",
    )]);
    let read = collect(&[directory.root().to_path_buf()], &ReadOptions::default());
    let runs = read.expect("it is there").value;
    let series: Vec<&str> = runs[0].content.series.iter().map(|one| &*one.metric).collect();
    assert!(series.contains(&"eval/mean_reward"), "{series:?}");
    assert!(runs[0].content.scalars.is_empty());
}
