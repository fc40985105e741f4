//! Runs whose training curves are all that both have.

use crate::command::{assert_said, compare};
use crate::directory::Directory;

/// Episodes of a Monitor, each of that length, with the return of its number.
fn episodes(count: usize, length: usize, of: fn(usize) -> f64) -> String {
    let rows = (0..count).map(|at| format!("{},{length},{at}.5\n", of(at)));
    format!("#{{\"env_id\": \"E\"}}\nr,l,t\n{}", rows.collect::<String>())
}

fn compared(files: [String; 2], lang: &str) -> String {
    let [a, b] = files;
    let directory = Directory::of([("a/0.monitor.csv", a), ("b/0.monitor.csv", b)]);
    compare(&[directory.word("a"), directory.word("b")], &["--lang", lang]).out
}

#[test]
fn the_first_sentence_says_what_the_curves_come_to() {
    let files = || [episodes(30, 10, |_| 1.0), episodes(30, 10, |at| at as f64)];
    let said = compared(files(), "en");
    assert_said(&said, &["**No evaluation results, only 2 training curves in both arms**"]);
    let sentence = "`episode_return` ends at 1 → 28 (+27), mean of the last 3";
    assert_said(&said, &[sentence, "!Means over tenths"]);
    let said = compared(files(), "zh");
    assert_said(
        &said,
        &[
            "没有评测结果，只有两边共有的 2 条训练曲线",
            "`episode_return` 末 3 点均值为 1 → 28（+27）",
        ],
    );
}

#[test]
fn episodes_that_end_at_other_places_are_averaged_over_intervals() {
    // Baseline: 40 episodes of 100 steps, the first 20 return 1, the others 3. Candidate: 60 of 67 steps,
    // all return 2. Both cover 100 to 4000, of which a tenth is 390 steps: 100, 200, 300 and 400 lie in
    // the first.
    let files =
        [episodes(40, 100, |at| if at < 20 { 1.0 } else { 3.0 }), episodes(60, 67, |_| 2.0)];
    let said = compared(files, "en");
    assert_said(&said, &["| **100 … 490** | 1 (4) | 2 (6) | +1 |"]);
    assert_said(&said, &["| **3610 … 4000** | 3 (4) | 2 (6) | -1 |"]);
}

#[test]
fn one_last_episode_does_not_decide_the_first_sentence() {
    // The last episode of either arm is the other way round than those before it.
    let returns: [fn(usize) -> f64; 2] =
        [|at| if at == 99 { 0.0 } else { 3.0 }, |at| if at == 99 { 10.0 } else { 1.0 }];
    let said = compared(returns.map(|of| episodes(100, 10, of)), "en");
    assert_said(&said, &["`episode_return` ends at 2.7 → 1.9 (-0.8), mean of the last 10"]);
}

#[test]
fn nothing_is_said_of_the_few_places_at_which_episodes_end_by_chance() {
    // Both have an episode that ends at 3300, and at no other place.
    let said = compared([episodes(40, 100, |_| 1.0), episodes(60, 66, |_| 2.0)], "en");
    assert_said(&said, &["Means over tenths", "!3300", "!that both have", "!common point"]);
}

#[cfg(unix)]
#[test]
fn the_environments_of_a_training_are_files_of_its_directory_and_no_links() {
    let directory = Directory::of([
        ("a/0.monitor.csv", episodes(30, 10, |_| 1.0)),
        ("a/1.monitor.csv", episodes(30, 10, |_| 1.0)),
        ("b/0.monitor.csv", episodes(30, 10, |_| 2.0)),
        ("elsewhere.csv", episodes(30, 10, |_| 3.0)),
    ]);
    let target = directory.path("elsewhere.csv");
    std::os::unix::fs::symlink(target, directory.path("b/1.monitor.csv")).expect("a link");
    let said = compare(&[directory.word("a"), directory.word("b")], &[]).out;
    assert_said(&said, &["`episode_return` ends at 1 (600) → 2 (300)", "!→ 3"]);
}
