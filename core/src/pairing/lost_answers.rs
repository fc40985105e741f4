//! Answers to the same problems that one arm has and the other lacks: requests that failed or ran out of
//! time leave no record, so that the answers that are there flatter the arm.

use super::PairArm;
use super::tables::TablePair;
use crate::model::Answers;

/// Answers that are in one arm alone, where both arms have up to as many to each problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostAnswers {
    /// Most answers to a problem, the same in both arms.
    pub most: u64,
    pub baseline: u64,
    pub candidate: u64,
    /// Answers that either arm has, each once.
    pub of: u64,
}

impl LostAnswers {
    /// The share of the answers that one arm lacks.
    pub fn share(&self) -> f64 {
        (self.baseline + self.candidate) as f64 / self.of.max(1) as f64
    }

    /// The arm that lacks more.
    pub fn mostly_in(&self) -> PairArm {
        if self.candidate >= self.baseline { PairArm::Candidate } else { PairArm::Baseline }
    }
}

impl TablePair<'_> {
    /// What either arm lacks of the answers of the other. `None` where nothing is lacking, where arms have
    /// other numbers of answers by design, or where wrong answers were asked for again, which leaves
    /// few answers to easy problems.
    pub fn lost_answers(&self) -> Option<LostAnswers> {
        let [mine, theirs] = self.answers_of_both()?;
        let most = u64::from(mine.range().1);
        let mut lost = LostAnswers { most, baseline: 0, candidate: 0, of: 0 };
        for &(a, b) in &self.join.pairs {
            let [mine, theirs] = counts([mine, theirs], (a as usize, b as usize));
            lost.baseline += u64::from(theirs.saturating_sub(mine));
            lost.candidate += u64::from(mine.saturating_sub(theirs));
            lost.of += u64::from(mine.max(theirs));
        }
        (lost.baseline + lost.candidate > 0).then_some(lost)
    }

    /// The share that either arm lacks of the answers of the other to the problem in these rows.
    pub fn lost_share(&self, (a, b): (usize, usize)) -> [f64; 2] {
        let Some(answers) = self.answers_of_both() else { return [0.0; 2] };
        let [mine, theirs] = counts(answers, (a, b));
        let of = f64::from(mine.max(theirs).max(1));
        [theirs.saturating_sub(mine), mine.saturating_sub(theirs)].map(|lost| f64::from(lost) / of)
    }

    fn answers_of_both(&self) -> Option<[&Answers; 2]> {
        let both = [self.baseline.answers()?, self.candidate.answers()?];
        let [mine, theirs] = both.map(|answers| answers.range().1);
        let is_retried = both.iter().any(|answers| answers.retried_by().is_some());
        (mine == theirs && !is_retried).then_some(both)
    }
}

fn counts(answers: [&Answers; 2], (a, b): (usize, usize)) -> [u32; 2] {
    let count = |answers: &Answers, row: usize| answers.counts().get(row).copied().unwrap_or(1);
    [count(answers[0], a), count(answers[1], b)]
}
