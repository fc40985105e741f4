//! Answers to the same problems that one arm has and the other lacks: requests that failed or ran out of
//! time leave no record, so that the answers that are there flatter the arm.

use super::PairArm;
use super::tables::TablePair;
use crate::model::Answers;

/// Answers that are in one arm alone, where both arms have up to as many to each problem.
#[derive(Debug, Clone, Copy)]
pub struct LostAnswers<'t> {
    answers: [&'t Answers; 2],
    /// Most answers to a problem, the same in both arms.
    pub most: u64,
    pub baseline: u64,
    pub candidate: u64,
    /// Answers that either arm has, each once.
    pub of: u64,
}

impl LostAnswers<'_> {
    /// The share of the answers that one arm lacks.
    pub fn share(&self) -> f64 {
        (self.baseline + self.candidate) as f64 / self.of.max(1) as f64
    }

    /// The share that either arm lacks of the answers of the other to the problem in these rows.
    pub fn share_of(&self, rows: (u32, u32)) -> [f64; 2] {
        let [mine, theirs] = counts(self.answers, rows);
        let of = f64::from(mine.max(theirs).max(1));
        [theirs.saturating_sub(mine), mine.saturating_sub(theirs)].map(|lost| f64::from(lost) / of)
    }

    /// The arm that lacks more.
    pub fn mostly_in(&self) -> PairArm {
        if self.candidate >= self.baseline { PairArm::Candidate } else { PairArm::Baseline }
    }
}

impl<'a> TablePair<'a> {
    /// What either arm lacks of the answers of the other. `None` where nothing is lacking, where arms have
    /// other numbers of answers by design, or where wrong answers were asked for again, which leaves
    /// few answers to easy problems.
    pub fn lost_answers(&self) -> Option<LostAnswers<'a>> {
        let answers = [self.baseline.answers()?, self.candidate.answers()?];
        let [most, others] = answers.map(|answers| answers.range().1);
        if most != others || answers.iter().any(|answers| answers.retried_by().is_some()) {
            return None;
        }
        let most = u64::from(most);
        let mut lost = LostAnswers { answers, most, baseline: 0, candidate: 0, of: 0 };
        for &rows in &self.join.pairs {
            let [mine, theirs] = counts(answers, rows);
            lost.baseline += u64::from(theirs.saturating_sub(mine));
            lost.candidate += u64::from(mine.saturating_sub(theirs));
            lost.of += u64::from(mine.max(theirs));
        }
        (lost.baseline + lost.candidate > 0).then_some(lost)
    }
}

fn counts(answers: [&Answers; 2], (a, b): (u32, u32)) -> [u32; 2] {
    let count =
        |answers: &Answers, row: u32| answers.counts().get(row as usize).copied().unwrap_or(1);
    [count(answers[0], a), count(answers[1], b)]
}
