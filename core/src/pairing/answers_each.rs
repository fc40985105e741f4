//! Stated figures that are averages over several answers to each problem: how many answers to each,
//! and whether their size counts the problems or the answers. Only asks what is whole: no statistics.

use std::collections::BTreeMap;

use super::PairArm;
use super::cells::CellPair;
use super::config::records_training;
use super::side::{AnswersEach, AnswersShownBy};
use crate::model::{ANSWERS_EACH, Config, Run, plain};

/// In names of metrics, what the number of answers stands behind.
const AVERAGES: [&str; 8] =
    ["avg@", "avg_at_", "mean@", "avg@k:k=", "avg@n:n=", "&n=", "avg-of-", "avg_of_"];
/// The same as the end of a name of a metric or dataset.
const AVERAGE_ENDS: [&str; 2] = ["_avg", "-avg"];
/// The first answer alone, and any of several, in names of metrics.
const PASSES: [&str; 2] = ["pass@", "pass_at_"];

/// Most answers that a figure alone can show.
const MOST_BY_FIGURE: u64 = 64;
/// How likely at most a figure is whole by chance for one of the numbers that are tried.
const CHANCE: f64 = 0.05;
/// A count tells something where the digits leave less open than this.
const TELLING: f64 = 0.05;
/// How far a standard error squared may be from that of independent answers: by rounding.
const ALIKE: f64 = 0.04;
/// What an evaluation during a training is set under.
const EVALUATION: [&str; 7] =
    ["eval", "evaluation", "val", "validation", "test", "val_kwargs", "eval_kwargs"];
/// A count is whole within this part of its size; what programs lose in adding up is less.
const WHOLE: f64 = 1e-9;

/// Takes stated figures for averages over several answers where their file or they themselves show
/// it. A size of answers becomes that of the problems: answers to one problem are no samples of their
/// own.
pub(super) fn settle_answers(cells: &mut [CellPair<'_>], runs: [&Run; 2]) {
    let configured = runs.map(|run| in_settings(&run.content.config));
    let passes: Vec<Option<u64>> = cells.iter().map(|cell| behind_passes(cell, cells)).collect();
    for (cell, passes) in cells.iter_mut().zip(passes) {
        let found = match passes {
            Some(answers) => Some(by_passes(cell, answers)),
            None => several_answers(cell, configured),
        };
        let Some(found) = found else { continue };
        cell.spec.outcomes = false;
        for (side, each) in [&mut cell.baseline, &mut cell.candidate].into_iter().zip(found) {
            let Some((stated, each)) = side.stated.as_mut().zip(each) else { continue };
            stated.answers = Some(each);
            stated.stderr_of_answers = stated.scalar.stderr.is_some();
            if each.shown_by == AnswersShownBy::Size {
                stated.n = Some(each.stated / each.answers);
            }
        }
    }
}

/// What is behind the figures of both arms; `None` where nothing says that it is several answers.
fn several_answers(
    cell: &CellPair<'_>,
    known: [Option<u64>; 2],
) -> Option<[Option<AnswersEach>; 2]> {
    let whole = cell.spec.unit.whole().filter(|_| !cell.spec.pooled)?;
    let figures = PairArm::BOTH.map(|which| {
        let known = known[usize::from(which == PairArm::Candidate)];
        PrintedShare::of(cell, which, (whole, known))
    });
    let known = || figures.iter().flatten();
    if known().any(|figure| figure.answers.is_some()) {
        return Some(figures.map(|figure| by_file(figure?, known)));
    }
    let answers = shown_by_figures(known).filter(|_| cell.spec.outcomes)?;
    let shown_by = AnswersShownBy::Figure;
    Some(figures.map(|figure| Some(AnswersEach { answers, stated: figure?.n, shown_by })))
}

/// So many answers behind each figure, which its size counts.
fn by_passes(cell: &CellPair<'_>, answers: u64) -> [Option<AnswersEach>; 2] {
    let shown_by = AnswersShownBy::Size;
    let sides = PairArm::BOTH.map(|which| cell.side(which).stated.and_then(|stated| stated.n));
    sides.map(|n| Some(AnswersEach { answers, stated: n?, shown_by }))
}

/// The number of answers in names such as `avg@64`.
fn in_name(name: &str) -> Option<u64> {
    let name = name.to_ascii_lowercase();
    AVERAGES.iter().find_map(|sign| number_behind(&name, sign)).or_else(|| {
        let mut ends = AVERAGE_ENDS.iter().filter_map(|sign| name.rsplit_once(sign));
        ends.find_map(|(_, number)| number.parse().ok())
    })
}

fn number_behind(name: &str, sign: &str) -> Option<u64> {
    let (_, behind) = name.rsplit_once(sign)?;
    let digits = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
    behind.get(..digits)?.parse().ok()
}

/// The number of answers to each problem that a run was set to ask for: not one of its training.
fn in_settings(config: &Config) -> Option<u64> {
    let is_training = records_training(config);
    let own = config.iter().filter(|(key, _)| {
        let parts: Vec<String> = key.split('.').map(plain).collect();
        let of_evaluation = parts.iter().any(|part| EVALUATION.contains(&part.as_str()));
        let name = parts.last().map_or("", String::as_str);
        let is_each = ANSWERS_EACH.contains(&name) || name == "n" && of_evaluation;
        is_each && (of_evaluation || !is_training)
    });
    let numbers = own.filter_map(|(_, entry)| entry.value.as_number());
    numbers.filter(|number| *number > 1.0 && number.fract() == 0.0).map(|n| n as u64).next()
}

/// How many answers the size of pass@1 counts for each problem, as pass@K beside it shows: K where
/// that is a whole part of so many problems fewer, and more than K where it is no whole part of the
/// size, which pass@1 is.
fn behind_passes(cell: &CellPair<'_>, cells: &[CellPair<'_>]) -> Option<u64> {
    let own = pass_at(&cell.key.metric)?;
    let beside = cells.iter().filter(|other| {
        (&other.key.dataset, &other.key.dims) == (&cell.key.dataset, &cell.key.dims)
    });
    let passes: BTreeMap<u64, &CellPair<'_>> =
        beside.filter_map(|other| Some((pass_at(&other.key.metric)?, other))).collect();
    let (most, any) = passes.last_key_value().filter(|(most, _)| **most > 1)?;
    let shares = |cell: &CellPair<'_>| {
        let whole = cell.spec.unit.whole()?;
        let [a, b] = PairArm::BOTH.map(|which| PrintedShare::of(cell, which, (whole, None)));
        Some([a?, b?])
    };
    let (first, any) = (shares(passes.get(&1)?)?, shares(any)?);
    let n = first[0].n;
    let is_one_size = first.iter().chain(&any).all(|share| share.n == n);
    let tells = first.iter().all(|share| share.looseness() < TELLING && share.is_whole(1));
    if own > *most || !is_one_size || !tells {
        return None;
    }
    let each = |answers: u64| n.is_multiple_of(answers) && n > answers;
    let of_problems = |share: &PrintedShare| PrintedShare { n: n / most, ..*share }.is_whole(1);
    if each(*most) && any.iter().all(of_problems) {
        return Some(*most);
    }
    let is_broken = any.iter().all(|share| !share.is_whole(1));
    (most + 1..=n / 2).find(|&answers| is_broken && each(answers))
}

/// K of pass@K.
fn pass_at(metric: &str) -> Option<u64> {
    let name = metric.to_ascii_lowercase();
    PASSES.iter().find_map(|sign| name.strip_prefix(sign)?.parse().ok())
}

/// A size that is no multiple of the answers counts problems, and so does one of which a figure is no
/// whole part. If neither is known, it counts answers, which gives fewer samples and claims less.
fn by_file<'f, F: Iterator<Item = &'f PrintedShare>>(
    figure: PrintedShare,
    known: impl Fn() -> F,
) -> Option<AnswersEach> {
    let (answers, stated) = (figure.answers?, figure.n);
    let may_be_answers = stated > answers && stated.is_multiple_of(answers);
    let is_problems = known().any(|figure| figure.n == stated && !figure.is_whole(1));
    let by_size = may_be_answers && !is_problems;
    let shown_by = if by_size { AnswersShownBy::Size } else { AnswersShownBy::File };
    Some(AnswersEach { answers, stated, shown_by })
}

/// The fewest answers to each sample that make every figure a whole count, where one is none of its
/// size and has digits enough to tell.
fn shown_by_figures<'f, F: Iterator<Item = &'f PrintedShare>>(
    known: impl Fn() -> F,
) -> Option<u64> {
    let broken = known().filter(|figure| !figure.is_whole(1));
    let looseness = broken.map(PrintedShare::looseness).reduce(f64::min)?;
    let mut chance = 0.0;
    (2..=MOST_BY_FIGURE)
        .take_while(|&answers| {
            chance += 2.0 * looseness * answers as f64;
            chance <= CHANCE
        })
        .find(|&answers| known().all(|figure| figure.is_whole(answers)))
}

/// A share that a file states without samples, and its size; without its standard error, unless that is
/// of answers.
#[derive(Debug, Clone, Copy)]
struct PrintedShare {
    share: f64,
    n: u64,
    /// Half a unit of the last digit.
    half: f64,
    /// The number of answers to each problem that the file names.
    answers: Option<u64>,
}

impl PrintedShare {
    /// `known` is the number of answers that something else than the figure's file says.
    fn of(cell: &CellPair<'_>, which: PairArm, (whole, known): (f64, Option<u64>)) -> Option<Self> {
        let side = cell.side(which);
        let stated = side.stated.filter(|_| side.samples.is_none())?;
        let share = stated.value().value()? / whole;
        let n = stated.n.filter(|&n| n > 0)?;
        let percent = stated.is_percentage(cell.spec.unit);
        let decimals = stated.decimals() + if percent { 2 } else { 0 };
        let half = 0.5 * 10_f64.powf(-(decimals as f64));
        let by_name =
            || in_name(&cell.key.metric).or_else(|| in_name(cell.key.dataset.as_deref()?));
        let answers = stated.scalar.answers.or_else(by_name).or(known);
        let answers = answers.filter(|&answers| answers > 1);
        let found = Self { share, n, half, answers };
        let of_answers = || found.has_stderr_of_answers(stated.stderr()? / whole).then_some(());
        if stated.scalar.stderr.is_some() {
            of_answers()?;
        }
        (0.0..=1.0).contains(&share).then_some(found)
    }

    /// Whether a standard error takes every answer for a sample: it is that of as many right and wrong
    /// ones.
    fn has_stderr_of_answers(&self, stderr: f64) -> bool {
        let Some(answers) = self.answers else { return false };
        let counted = self.share * (1.0 - self.share) / (stderr * stderr);
        let is_count = |n: u64| (counted / n as f64 - 1.0).abs() <= ALIKE;
        is_count(self.n * answers) || self.n.is_multiple_of(answers) && is_count(self.n)
    }

    /// How far the count of right samples may be from a whole number for the digits written.
    fn looseness(&self) -> f64 {
        self.n as f64 * self.half.max(WHOLE)
    }

    /// Whether it may be the share of right answers, of so many to each sample.
    fn is_whole(&self, answers: u64) -> bool {
        let count = self.share * self.n as f64 * answers as f64;
        (count - count.round()).abs() <= self.looseness() * answers as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_answers_stands_in_some_names() {
        for (name, answers) in [
            ("avg@64", Some(64)),
            ("avg_at_8", Some(8)),
            ("acc/mean@32", Some(32)),
            ("eval/Avg@16,none", Some(16)),
            ("pass@1[avg-of-8]", Some(8)),
            ("pass@k:k=1&n=64", Some(64)),
            ("avg@k:k=16", Some(16)),
            ("aime24_avg64", Some(64)),
            ("aime24_average64", None),
            ("pass@10", None),
            ("maj@8", None),
            ("avg@k", None),
        ] {
            assert_eq!(in_name(name), answers, "{name}");
        }
    }
}
