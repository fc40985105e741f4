//! Several answers to each question: what they are worth (Miller 2024, arXiv 2411.00640,
//! sections 3 and 5).

/// Where the variance of one question's score difference comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuestionVariance {
    /// Variance over questions of the expected difference, ω².
    pub questions: f64,
    /// Mean variance of one answer of the first arm, `σ²_A`, and its answers per question, `K_A`.
    pub first: (f64, f64),
    /// The same of the second arm.
    pub second: (f64, f64),
}

impl QuestionVariance {
    /// From the observed variance of the difference over questions: what sampling leaves of it is
    /// that of the questions, at least 0. `first` and `second` as in the fields.
    pub fn from_observed(observed: f64, first: (f64, f64), second: (f64, f64)) -> Self {
        let sampling = first.0 / first.1 + second.0 / second.1;
        Self { questions: (observed - sampling).max(0.0), first, second }
    }

    /// Share of sampling answers in the variance of the difference; `NaN` where nothing varies.
    pub fn sampling_share(self) -> f64 {
        1.0 - self.questions / self.total()
    }

    /// Variance of the observed difference at one question, `ω² + σ²_A/K_A + σ²_B/K_B`.
    pub fn total(self) -> f64 {
        self.questions + self.first.0 / self.first.1 + self.second.0 / self.second.1
    }
}
