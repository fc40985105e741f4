//! Stated figures that are averages over several answers to each problem: how many answers to each,
//! and whether their size counts the problems or the answers. Only asks what is whole: no statistics.

use super::PairArm;
use super::cells::CellPair;
use super::side::{AnswersEach, AnswersShownBy};

/// In names of metrics, what the number of answers stands behind.
const AVERAGES: [&str; 3] = ["avg@", "avg_at_", "mean@"];

/// Most answers that a figure alone can show.
const MOST_BY_FIGURE: u64 = 64;
/// How likely at most a figure is whole by chance for one of the numbers that are tried.
const CHANCE: f64 = 0.05;
/// A count is whole within this part of its size; what programs lose in adding up is less.
const WHOLE: f64 = 1e-9;

/// Takes stated figures for averages over several answers where their file or they themselves show
/// it. A size of answers becomes that of the problems: answers to one problem are no samples of their
/// own.
pub(super) fn settle_answers(cells: &mut [CellPair<'_>]) {
    for cell in cells {
        let Some(found) = several_answers(cell) else { continue };
        cell.spec.outcomes = false;
        for (side, each) in [&mut cell.baseline, &mut cell.candidate].into_iter().zip(found) {
            let Some((stated, each)) = side.stated.as_mut().zip(each) else { continue };
            stated.answers = Some(each);
            if each.shown_by == AnswersShownBy::Size {
                stated.n = Some(each.stated / each.answers);
            }
        }
    }
}

/// What is behind the figures of both arms; `None` where nothing says that it is several answers.
fn several_answers(cell: &CellPair<'_>) -> Option<[Option<AnswersEach>; 2]> {
    let whole = cell.spec.unit.whole().filter(|_| !cell.spec.pooled)?;
    let figures = PairArm::BOTH.map(|which| PrintedShare::of(cell, which, whole));
    let known = || figures.iter().flatten();
    if known().any(|figure| figure.answers.is_some()) {
        return Some(figures.map(|figure| by_file(figure?, known)));
    }
    let answers = shown_by_figures(known).filter(|_| cell.spec.outcomes)?;
    let shown_by = AnswersShownBy::Figure;
    Some(figures.map(|figure| Some(AnswersEach { answers, stated: figure?.n, shown_by })))
}

/// The number of answers in names such as `avg@64`.
fn in_name(metric: &str) -> Option<u64> {
    let name = metric.to_ascii_lowercase();
    let behind = AVERAGES.iter().find_map(|sign| Some(name.rsplit_once(sign)?.1))?;
    let digits = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
    behind.get(..digits)?.parse().ok()
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

/// A share that a file states without its standard error and without samples, and its size.
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
    fn of(cell: &CellPair<'_>, which: PairArm, whole: f64) -> Option<Self> {
        let side = cell.side(which);
        let stated = side.stated.filter(|_| side.samples.is_none())?;
        let share = stated.value().value()? / whole;
        let n = stated.n.filter(|&n| n > 0 && stated.scalar.stderr.is_none())?;
        let percent = stated.is_percentage(cell.spec.unit);
        let decimals = stated.decimals() + if percent { 2 } else { 0 };
        let half = 0.5 * 10_f64.powf(-(decimals as f64));
        let answers = stated.scalar.answers.or_else(|| in_name(&cell.key.metric));
        let answers = answers.filter(|&answers| answers > 1);
        (0.0..=1.0).contains(&share).then_some(Self { share, n, half, answers })
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
            ("pass@10", None),
            ("maj@8", None),
            ("avg@k", None),
        ] {
            assert_eq!(in_name(name), answers, "{name}");
        }
    }
}
