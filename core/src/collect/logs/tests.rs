//! Whole logs, from bytes to counts.

use proptest::prelude::*;

use super::super::lines::Limits;
use super::super::occurrences::LineOccurrences;
use super::*;
use crate::model::logs::{Fallback, RolloutOutcome};

fn usual() -> Limits {
    blocks::limits(crate::model::Limits::default())
}

fn read_log(content: &[u8], limits: Limits) -> (LogTally, LineOccurrences) {
    let patterns = Patterns::with_files(&[]).expect("the shipped patterns are valid");
    let mut tally = LogTally::default();
    let mut used = vec![0; patterns.all.len()];
    let mut follower = Follower::new(&patterns, Arc::from("a.log"), &mut tally, &mut used);
    let _ending = blocks::read_log_blocks(content, limits, &patterns, |block, before| {
        follower.block(&block.text, &block.hits, before);
    });
    let lost = follower.end();
    (tally, lost)
}

fn read_text(text: &str) -> LogTally {
    read_log(text.as_bytes(), usual()).0
}

/// Type, template, count, line of the first.
fn errors(tally: &LogTally) -> Vec<(&str, &str, u64, u64)> {
    let found = tally.errors.kept.values().map(|one| (one.count, one.first.line));
    let names = tally.errors.kept.keys();
    let mut rows: Vec<_> = names
        .zip(found)
        .map(|(key, (n, line))| (key.kind.as_str(), key.template.as_str(), n, line))
        .collect();
    rows.sort_by_key(|row| row.3);
    rows
}

fn check(text: &str, expected: &[(&str, &str, u64, u64)]) -> LogTally {
    let tally = read_text(text);
    assert_eq!(errors(&tally), expected, "{text}");
    tally
}

const CHAINED: &str = "\
Traceback (most recent call last):
  File \"a.py\", line 1, in load
    open(path)
FileNotFoundError: [Errno 2] No such file: '/x/y.json'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File \"b.py\", line 7, in run
    load()
RuntimeError: cannot load step 7
done
";

#[test]
fn of_a_chain_the_last_exception_counts_and_the_others_are_its_causes() {
    let tally = check(CHAINED, &[("RuntimeError", "cannot load step <n>", 1, 11)]);
    let one = tally.errors.kept.values().next().expect("an error");
    assert_eq!(one.raised_at.as_deref(), Some("b.py:7 in run"));
    let causes: Vec<&str> = one.causes.iter().map(|cause| cause.kind.as_str()).collect();
    assert_eq!((causes, tally.errors.as_cause), (vec!["FileNotFoundError"], 1));
}

#[test]
fn tracebacks_of_ranks_are_told_apart_by_their_prefixes() {
    let text = "\
[rank0]: Traceback (most recent call last):
[rank1]: Traceback (most recent call last):
[rank0]:   File \"a.py\", line 1, in f
[rank1]:   File \"b.py\", line 2, in g
step 3 done
[rank1]: ValueError: bad shape (3, 4)
[rank0]: RuntimeError: CUDA error on device 0
";
    let expected = [
        ("ValueError", "bad shape (<n>, <n>)", 1, 6),
        ("RuntimeError", "CUDA error on device <n>", 1, 7),
    ];
    let tally = check(text, &expected);
    let mut at: Vec<_> =
        tally.errors.kept.values().filter_map(|one| one.raised_at.clone()).collect();
    at.sort();
    assert_eq!(at, ["a.py:1 in f", "b.py:2 in g"]);
}

#[test]
fn without_prefixes_mixed_tracebacks_are_counted_and_their_place_is_unknown() {
    let text = "\
Traceback (most recent call last):
Traceback (most recent call last):
  File \"a.py\", line 1, in f
  File \"b.py\", line 2, in g
ValueError: x
RuntimeError: y
";
    let tally = check(text, &[("ValueError", "x", 1, 5), ("RuntimeError", "y", 1, 6)]);
    assert!(tally.errors.kept.values().all(|one| one.raised_at.is_none()));
}

#[test]
fn what_is_told_twice_is_counted_once() {
    // Announced by the logger, and printed as a line before the traceback.
    let announced = "ERROR: evaluation failed\nTraceback (most recent call last):\n  File \"a.py\", line 1\nValueError: x\n";
    check(announced, &[("ValueError", "x", 1, 4)]);
    let printed = "failed with ValueError: x\nretrying\nTraceback (most recent call last):\n  File \"a.py\", line 1\nValueError: x\n";
    check(printed, &[("ValueError", "x", 1, 1)]);
    check("ValueError: x\nValueError: x\n", &[("ValueError", "x", 2, 1)]);
}

#[test]
fn levels_and_words_that_only_look_like_errors_are_told_apart() {
    let text = "2025-12-01 16:00:00 - a - ERROR - disk full on node 3\nmean_squared_error: 0.3\n0 errors\nWARNING: slow\na.py:3: UserWarning: old\n";
    let tally = check(text, &[("log", "disk full on node <n>", 1, 1)]);
    let kinds: Vec<&str> = tally.warnings.kept.keys().map(|key| key.kind.as_str()).collect();
    assert_eq!(kinds, ["log", "UserWarning"]);
}

#[test]
fn figures_and_lines_of_level_info_are_no_errors() {
    for line in [
        "epoch 1: Mean Squared Error: 0.034",
        "Word Error: 12.1",
        "loss Error: 0.5",
        "eval/Error: 0.3",
        "epoch 1: MeanSquaredError: 0.03",
        "Validation Error: 0.12, epoch 3",
        "Last Exception: none",
        "ERROR: 0",
        "ERROR RATE: 0.3",
        "INFO - recovered from CUDA out of memory",
        "2025-01-01 10:00:00 INFO retrying after requests.exceptions.ConnectionError: x (handled)",
    ] {
        check(line, &[]);
    }
    check("KeyError: 0", &[("KeyError", "<n>", 1, 1)]);
    let traceback = "Traceback (most recent call last):\n  File \"a.py\", line 1\nException: x\n";
    check(traceback, &[("Exception", "x", 1, 3)]);
}

#[test]
fn a_traceback_behind_the_head_of_a_logger_is_one_error_with_its_frame() {
    let lines = [
        "Traceback (most recent call last):",
        "  File \"a.py\", line 1, in f",
        "    g()",
        "ValueError: v",
        "",
        "During handling of the above exception, another exception occurred:",
        "",
        "Traceback (most recent call last):",
        "  File \"b.py\", line 2, in g",
        "OSError: w",
        "all is lost",
    ];
    let text: String = (0..).zip(lines).fold(String::new(), |text, (second, line)| {
        text + format!("2025-01-01 10:00:{second:02},000 - trainer - ERROR - {line}").trim_end()
            + "\n"
    });
    let (tally, lost) = read_log(text.as_bytes(), usual());
    assert_eq!(errors(&tally), [("OSError", "w", 1, 10), ("log", "all is lost", 1, 11)]);
    let one = tally.errors.kept.values().next().expect("an error");
    assert_eq!(
        (one.raised_at.as_deref(), one.causes.len(), lost),
        (Some("b.py:2 in g"), 1, LineOccurrences::default())
    );
}

#[test]
fn lines_that_ray_counted_count_as_often() {
    let text = "(W pid=1) ValueError: v\n(W pid=2) ValueError: v [repeated 7x across cluster]\n";
    let tally = check(text, &[("ValueError", "v", 8, 1)]);
    assert_eq!(tally.errors.repeated, 6);
}

#[test]
fn exceptions_without_a_sentence_between_them_are_no_chain() {
    let text = "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyboardInterrupt\n  File \"b.py\", line 2\n    x =\nSyntaxError: invalid syntax\n";
    let tally =
        check(text, &[("KeyboardInterrupt", "", 1, 3), ("SyntaxError", "invalid syntax", 1, 6)]);
    assert_eq!(tally.errors.as_cause, 0);
}

#[test]
fn places_of_one_signature_are_told_apart() {
    let raised = |line: u64| {
        format!(
            "Traceback (most recent call last):\n  File \"a.py\", line {line}\nAssertionError\n"
        )
    };
    let tally = check(&(raised(1) + &raised(9)), &[("AssertionError", "", 2, 3)]);
    let one = tally.errors.kept.values().next().expect("an error");
    let places: Vec<_> = one.places.iter().map(|(at, count)| (at.as_str(), *count)).collect();
    assert_eq!(places, [("a.py:1", 1), ("a.py:9", 1)]);
}

#[test]
fn a_silenced_exception_is_silenced_behind_a_traceback() {
    let own = "[[pattern]]\nmatch = \"ValueError: known\"\nmeans = \"ignore\"\n";
    let patterns = Patterns::with_files(&[("own.toml".to_owned(), own.to_owned())]).expect("valid");
    let (mut tally, mut used) = (LogTally::default(), vec![0; patterns.all.len()]);
    let mut follower = Follower::new(&patterns, Arc::from("a.log"), &mut tally, &mut used);
    let text = "Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: known\n";
    let _ending = blocks::read_log_blocks(text.as_bytes(), usual(), &patterns, |block, before| {
        follower.block(&block.text, &block.hits, before);
    });
    assert_eq!((follower.end(), tally.errors.total()), (LineOccurrences::default(), 0));
}

#[test]
fn a_log_that_ends_within_a_traceback_says_so() {
    let text = "fine\nTraceback (most recent call last):\n  File \"a.py\", line 1\n    f(";
    let (tally, lost) = read_log(text.as_bytes(), usual());
    assert_eq!((tally.errors.total(), lost), (0, LineOccurrences { count: 1, first: 4 }));
}

const ROLLOUTS: &str = "\
⚠️ MATH problem uses Test operator!
   → Will mark in metadata and apply penalty in reward: -5.0
⚠️  执行错误: TypeError: missing 2 arguments
  使用Fallback工作流
  Fallback执行成功
  ❌ 正确性评分: -5.0/10.0 | 预测: 3
  ✅ 正确性评分: 10.0/10.0 | 预测: 4
";

#[test]
fn rollouts_are_followed_from_what_went_wrong_to_their_score() {
    let tally = check(ROLLOUTS, &[("TypeError", "missing <n> arguments", 1, 3)]);
    let ways: Vec<_> = tally.ways.iter().map(|(way, ways)| (*way, ways.count)).collect();
    let [(right, 1), (wrong, 1)] = ways.as_slice() else { panic!("{ways:?}") };
    assert_eq!(
        (right.outcome, right.failed, right.fallback),
        (RolloutOutcome::Success, false, Fallback::None)
    );
    assert_eq!(
        (wrong.outcome, wrong.failed, wrong.violated),
        (RolloutOutcome::Failure, true, true)
    );
    assert_eq!(wrong.fallback, Fallback::Succeeded);
    let rule = tally.violations.get("MATH uses Test").expect("the rule");
    assert_eq!((rule.said.count, rule.penalties, rule.penalty), (1, 1, -5.0));
    assert_eq!((tally.scale, tally.beyond_scale.map(|(count, _)| count)), (Some(10.0), Some(1)));
}

#[test]
fn a_line_without_an_id_is_of_the_rollout_that_began_last_where_none_is_scored() {
    let each = |i: u32| format!("rollout {i} begin\n  使用Fallback工作流\n");
    let (tally, _) = ways(&(0..4).map(each).collect::<String>());
    let fallen: Vec<_> = tally.ways.iter().map(|(way, of)| (way.fallback, of.count)).collect();
    assert_eq!(fallen, [(Fallback::Used, 4)]);
}

fn ways(text: &str) -> (LogTally, Vec<(RolloutOutcome, u64)>) {
    let own = "[[pattern]]\nmatch = \"rollout {id:word} begin\"\nmeans = \"rollout\"\n";
    let patterns = Patterns::with_files(&[("own.toml".to_owned(), own.to_owned())]).expect("valid");
    let (mut tally, mut used) = (LogTally::default(), vec![0; patterns.all.len()]);
    let mut follower = Follower::new(&patterns, Arc::from("a.log"), &mut tally, &mut used);
    let _ending = blocks::read_log_blocks(text.as_bytes(), usual(), &patterns, |block, before| {
        follower.block(&block.text, &block.hits, before);
    });
    assert_eq!(follower.end(), LineOccurrences::default());
    let found = tally.ways.iter().map(|(way, ways)| (way.outcome, ways.count)).collect();
    (tally, found)
}

#[test]
fn a_score_without_its_rollout_is_no_further_rollout() {
    let [right, wrong] = ["✅ 正确性评分: 10/10 |\n", "❌ 正确性评分: 1/10 |\n"];
    let twice = format!("rollout a begin\n{right}{wrong}rollout b begin\n{right}");
    let (tally, found) = ways(&twice);
    assert_eq!(found, [(RolloutOutcome::Success, 2)]);
    assert_eq!(tally.odd_scores["scored-twice"].0, 1);
    let at_once =
        format!("rollout a begin\nrollout b begin\n{right}{wrong}rollout c begin\n{right}");
    let (tally, found) = ways(&at_once);
    assert_eq!(found, [(RolloutOutcome::Unscored, 2), (RolloutOutcome::Success, 1)]);
    assert_eq!(tally.odd_scores["unassigned"].0, 2);
}

#[test]
fn scores_that_are_odd_are_named_and_their_outcome_counts() {
    for (line, name) in [
        ("✅ 正确性评分: nan/10 |", "score-not-finite"),
        ("✅ 正确性评分: 1e400/10 |", "score-not-finite"),
        ("✅ 正确性评分: 0/10 |", "right-at-zero"),
        ("❌ 正确性评分: 10/10 |", "wrong-at-full"),
    ] {
        let (tally, found) = ways(line);
        assert_eq!(found.len(), 1, "{line}");
        assert!(found.iter().all(|(outcome, _)| *outcome >= RolloutOutcome::Success), "{line}");
        assert_eq!(tally.odd_scores.keys().copied().collect::<Vec<_>>(), [name], "{line}");
    }
}

#[test]
fn signatures_are_bounded_and_the_rest_is_counted() {
    let most = crate::model::logs::MOST_SIGNATURES;
    let word = |n: usize| -> String {
        [n / 676, n / 26, n].map(|d| char::from(b'a' + (d % 26) as u8)).iter().collect()
    };
    let lines: Vec<String> = (0..most + 7).map(|n| format!("ValueError: {}", word(n))).collect();
    let text = lines.join("\n");
    let tally = read_text(&text);
    assert_eq!((tally.errors.kept.len(), tally.errors.other), (most, 7));
}

#[test]
fn logs_are_known_by_their_names() {
    for (name, expected) in [
        ("train.log", true),
        ("train.log.3", true),
        ("slurm-123_4.out", true),
        ("nohup.out", true),
        ("stdout", true),
        ("console.txt", true),
        ("stdout.jsonl", false),
        ("train_log.csv", false),
        ("catalog", false),
        ("model.py", false),
    ] {
        assert_eq!(is_log(name), expected, "{name}");
    }
}

/// Counts that copies of a log multiply.
fn counts(tally: &LogTally) -> Vec<u64> {
    let errors = tally.errors.kept.values().map(|one| one.count);
    let ways = tally.ways.values().map(|ways| ways.count);
    let rules = tally.violations.values().map(|one| one.said.count);
    errors.chain(ways).chain(rules).chain([tally.errors.as_cause]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn n_copies_of_a_log_give_n_times_the_counts(copies in 1usize..12, block in 16usize..400) {
        let log = format!("{CHAINED}{ROLLOUTS}quiet line\n");
        let once = counts(&read_text(&log));
        let limits = Limits { block_bytes: block, ..usual() };
        let many = counts(&read_log(log.repeat(copies).as_bytes(), limits).0);
        let expected: Vec<u64> = once.iter().map(|count| count * copies as u64).collect();
        prop_assert_eq!(many, expected);
    }

    #[test]
    fn junk_is_survived(content in prop::collection::vec(any::<u8>(), 0..2000), block in 1usize..64) {
        let limits = Limits { block_bytes: block, line_bytes: 128, ..usual() };
        let (tally, _) = read_log(&content, limits);
        prop_assert!(tally.errors.total() <= content.len() as u64);
    }
}
