//! Several answers to each problem in both arms: how much of what is uncertain about a difference
//! comes from drawing answers, and what more of them would help.

use crate::pairing::{ArmPair, CellPair, SampledSide};
use crate::stats::Moments;
use crate::stats::planning::answers::QuestionVariance;

/// Where the variance of a paired difference comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// Answers to each problem of baseline and candidate; the harmonic mean of uneven numbers.
    pub answers: [f64; 2],
    /// Share of drawing answers in the variance of the problems' differences, 0 to 1.
    pub share: f64,
    /// Standard error of the difference with twice as many answers to each problem in both arms,
    /// over the present one.
    pub with_more_answers: f64,
    /// The same with twice as many problems. Never larger.
    pub with_more_problems: f64,
}

/// The variance of the differences over the problems that both arms have a mean of (Miller 2024).
/// `None` unless both arms have several answers and the differences vary.
pub(super) fn sampling_of_difference(pair: &ArmPair<'_>, cell: &CellPair<'_>) -> Option<Sampling> {
    let join = &pair.tables.get(cell.table?)?.join;
    let (mine, theirs) = (cell.baseline.samples.as_ref()?, cell.candidate.samples.as_ref()?);
    let (of_mine, of_theirs) = (AnswersOfRows::new(mine)?, AnswersOfRows::new(theirs)?);
    let mut differences = Moments::default();
    let [mut first, mut second] = [Spread::default(); 2];
    for &(a, b) in &join.pairs {
        let (a, b) = (a as usize, b as usize);
        if let Some((before, after)) = mine.score(a).zip(theirs.score(b)) {
            differences.add(after - before);
            first.add(&of_mine.scores(a));
            second.add(&of_theirs.scores(b));
        }
    }
    let total = differences.variance().filter(|&total| total > 0.0)?;
    let (first, second) = (first.variance_and_answers()?, second.variance_and_answers()?);
    let now = QuestionVariance::from_observed(total, first, second);
    let twice = |(variance, answers): (f64, f64)| (variance, 2.0 * answers);
    let more = QuestionVariance { first: twice(first), second: twice(second), ..now };
    Some(Sampling {
        answers: [first.1, second.1],
        share: now.sampling_share(),
        with_more_answers: (more.total() / now.total()).sqrt(),
        with_more_problems: 0.5_f64.sqrt(),
    })
}

/// The answers behind the rows of a table.
struct AnswersOfRows<'s, 'a> {
    samples: &'s SampledSide<'a>,
    /// Where the answers of each row begin, and of one row more.
    begins: Vec<usize>,
}

impl<'s, 'a> AnswersOfRows<'s, 'a> {
    /// `None` where the table holds single answers, and for metrics that no answer has.
    fn new(samples: &'s SampledSide<'a>) -> Option<Self> {
        samples.table.answers_behind(samples.column)?;
        let counts = samples.table.answers()?.counts().iter();
        let ends = counts.scan(0, |end, &count| {
            *end += count as usize;
            Some(*end)
        });
        Some(Self { samples, begins: std::iter::once(0).chain(ends).collect() })
    }

    /// The scores of a row's answers in the unit of the cell.
    fn scores(&self, row: usize) -> Vec<f64> {
        let range = self.begins.get(row).zip(self.begins.get(row + 1));
        let answers = range.map_or(0..0, |(&begin, &end)| begin..end);
        answers.filter_map(|answer| self.samples.answer_score(answer)).collect()
    }
}

/// The spread of answers within problems.
#[derive(Debug, Clone, Copy, Default)]
struct Spread {
    /// Variances of the problems with several answers.
    variances: Moments,
    /// One over the number of answers.
    inverse_answers: Moments,
}

impl Spread {
    fn add(&mut self, answers: &[f64]) {
        if answers.is_empty() {
            return;
        }
        let moments: Moments = answers.iter().copied().collect();
        self.inverse_answers.add(1.0 / moments.n as f64);
        if let Some(variance) = moments.variance() {
            self.variances.add(variance);
        }
    }

    /// Mean variance of one answer, and answers to each problem.
    fn variance_and_answers(self) -> Option<(f64, f64)> {
        let known = self.variances.n > 0;
        known.then(|| (self.variances.mean, 1.0 / self.inverse_answers.mean))
    }
}
