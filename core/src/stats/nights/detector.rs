//! The Shiryaev–Roberts e-detector over standard normal residuals.

/// Shifts, in standard deviations of a night, that the detector bets on, upwards and downwards.
const SHIFTS: [f64; 4] = [0.5, 1.0, 2.0, 4.0];

/// Above it, ln(1 + eˣ) is x in double precision.
const LARGE: f64 = 40.0;

/// R ← (R + 1)·exp(λz − λ²/2) for each shift λ, and their mean. Its expectation after t nights is t
/// at most while the residuals are standard normal given the past, so that it reaches T after T
/// nights or more on average (Shin, Ramdas and Rinaldo 2024, *New England Journal of Statistics in
/// Data Science* 2).
#[derive(Debug, Clone)]
pub(super) struct Detector {
    rising: [f64; SHIFTS.len()],
    falling: [f64; SHIFTS.len()],
}

impl Default for Detector {
    fn default() -> Self {
        let nothing = [f64::NEG_INFINITY; SHIFTS.len()];
        Self { rising: nothing, falling: nothing }
    }
}

impl Detector {
    /// Adds a night; gives ln of the mean.
    pub(super) fn add(&mut self, z: f64) -> f64 {
        for (sign, side) in [(1.0, &mut self.rising), (-1.0, &mut self.falling)] {
            for (shift, log_r) in SHIFTS.iter().zip(side) {
                let one_more = if *log_r > LARGE { *log_r } else { log_r.exp().ln_1p() };
                *log_r = one_more + sign * shift * z - 0.5 * shift * shift;
            }
        }
        let all = || self.rising.iter().chain(&self.falling);
        let largest = all().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = all().map(|log_r| (log_r - largest).exp()).sum();
        largest + (sum / (2 * SHIFTS.len()) as f64).ln()
    }

    /// Whether the evidence is for a rise.
    pub(super) fn is_rising(&self) -> bool {
        let most = |side: &[f64]| side.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        most(&self.rising) >= most(&self.falling)
    }
}
