//! Scores of several runs on several tasks: aggregates over all of them and how one method compares
//! with another (Agarwal et al. 2021, *Deep reinforcement learning at the edge of the statistical
//! precipice*).
//!
//! A task is the list of the scores of its runs; lists may differ in length.

use super::bootstrap::percentile;
use super::random::{Below, in_blocks};
use crate::stats::Interval;

const BLOCK: usize = 64;

/// Interquartile mean of all scores together: a quarter of them, rounded down, is left out at
/// either end. NaN without scores.
pub fn interquartile_mean(tasks: &[Vec<f64>]) -> f64 {
    let mut scores = tasks.concat();
    scores.sort_unstable_by(f64::total_cmp);
    let trimmed = scores.len() / 4;
    mean(&scores[trimmed..scores.len() - trimmed])
}

/// Mean over tasks of the mean score.
pub fn mean_of_tasks(tasks: &[Vec<f64>]) -> f64 {
    mean(&task_means(tasks))
}

/// Median over tasks of the mean score.
pub fn median_of_tasks(tasks: &[Vec<f64>]) -> f64 {
    let mut means = task_means(tasks);
    means.sort_unstable_by(f64::total_cmp);
    let half = means.len() / 2;
    match means.len() % 2 {
        _ if means.is_empty() => f64::NAN,
        0 => f64::midpoint(means[half - 1], means[half]),
        _ => means[half],
    }
}

/// How far scores stay below `gamma` on average; a score above it does not make up for others.
pub fn optimality_gap(tasks: &[Vec<f64>], gamma: f64) -> f64 {
    let capped: Vec<f64> = tasks.iter().flatten().map(|score| score.min(gamma)).collect();
    gamma - mean(&capped)
}

/// Mean over tasks of the probability that a run of the first method scores higher than one of the
/// second, ties half (Mann and Whitney's U over the number of pairs). `None` unless both have the
/// same number of tasks, at least one, and scores in each.
pub fn probability_of_improvement(first: &[Vec<f64>], second: &[Vec<f64>]) -> Option<f64> {
    let empty = first.iter().chain(second).any(Vec::is_empty);
    if first.is_empty() || first.len() != second.len() || empty {
        return None;
    }
    let of_task = |(mine, theirs): (&Vec<f64>, &Vec<f64>)| {
        let mut theirs = theirs.clone();
        theirs.sort_unstable_by(f64::total_cmp);
        let beaten = |score: &f64| {
            let below = theirs.partition_point(|other| other < score);
            let not_above = theirs.partition_point(|other| other <= score);
            0.5 * (below + not_above) as f64
        };
        mine.iter().map(beaten).sum::<f64>() / (mine.len() * theirs.len()) as f64
    };
    Some(first.iter().zip(second).map(of_task).sum::<f64>() / first.len() as f64)
}

/// Percentile interval of [`probability_of_improvement`] over `count` resamples of whole runs: run
/// i of every task belongs to one training, and is drawn in all tasks or in none. `None` unless
/// both have the same number of tasks, at least one, and every task of a method as many runs.
pub fn improvement_interval(
    first: &[Vec<f64>],
    second: &[Vec<f64>],
    count: usize,
    level: f64,
) -> Option<Interval> {
    let [mine, theirs] = [first, second].map(|tasks| tasks.first().map_or(0, Vec::len));
    let ragged = |tasks: &[Vec<f64>], runs: usize| tasks.iter().any(|task| task.len() != runs);
    if first.len() != second.len() || mine == 0 || theirs == 0 {
        return None;
    }
    if ragged(first, mine) || ragged(second, theirs) {
        return None;
    }
    let wins = wins_by_runs(first, second);
    let draws = [Below::new(mine), Below::new(theirs)];
    let mut found = in_blocks(count, BLOCK, |stream, _, count| {
        let mut drawn = [Vec::with_capacity(mine), Vec::with_capacity(theirs)];
        let resample = |_| {
            for (drawn, (below, runs)) in drawn.iter_mut().zip(draws.iter().zip([mine, theirs])) {
                drawn.clear();
                below.each(stream, runs, |_, run| drawn.push(run));
            }
            let [mine, theirs] = &drawn;
            let won: f64 =
                mine.iter().map(|&i| theirs.iter().map(|&j| wins[i][j]).sum::<f64>()).sum();
            won / (mine.len() * theirs.len()) as f64
        };
        (0..count).map(resample).collect::<Vec<f64>>()
    });
    found.sort_unstable_by(f64::total_cmp);
    Some(percentile(&found, level))
}

/// Share of the tasks on which run i of the first method scores higher than run j of the second,
/// ties half.
fn wins_by_runs(first: &[Vec<f64>], second: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let tasks = first.len() as f64;
    let win = |mine: f64, theirs: f64| match mine.total_cmp(&theirs) {
        _ if mine == theirs => 0.5,
        std::cmp::Ordering::Greater => 1.0,
        _ => 0.0,
    };
    let runs = |tasks: &[Vec<f64>]| 0..tasks.first().map_or(0, Vec::len);
    let share = |i: usize, j: usize| -> f64 {
        first.iter().zip(second).map(|(mine, theirs)| win(mine[i], theirs[j])).sum::<f64>() / tasks
    };
    runs(first).map(|i| runs(second).map(|j| share(i, j)).collect()).collect()
}

fn task_means(tasks: &[Vec<f64>]) -> Vec<f64> {
    tasks.iter().map(|task| mean(task)).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_as_good_as_itself() {
        let tasks = [vec![0.1, 0.4, 0.4], vec![2.0, 1.0]];
        assert_eq!(probability_of_improvement(&tasks, &tasks), Some(0.5));
        let without_scores = [vec![0.1], vec![]];
        assert_eq!(probability_of_improvement(&without_scores, &without_scores), None);
    }

    #[test]
    fn whole_runs_are_drawn_for_the_probability_of_improvement() {
        // Every run of the first method beats every run of the second on one task of two.
        let first = [vec![2.0, 3.0, 4.0], vec![0.0, 0.0, 0.0]];
        let second = [vec![1.0, 1.0], vec![1.0, 1.0]];
        let certain = improvement_interval(&first, &second, 199, 0.95).expect("runs on each task");
        assert_eq!((certain.lo, certain.hi), (0.5, 0.5));
        // A run that wins everywhere and two that lose everywhere: 3^3 resamples of the first.
        let first = [vec![9.0, 0.0, 0.0], vec![9.0, 0.0, 0.0]];
        let uncertain = improvement_interval(&first, &second, 9_999, 0.9).expect("runs");
        assert_eq!((uncertain.lo, uncertain.hi), (0.0, 2.0 / 3.0));
        assert_eq!(improvement_interval(&first, &[vec![1.0], vec![]], 99, 0.95), None);
    }
}
