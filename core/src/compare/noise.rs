//! Noise between runs: how far repeated runs of the baseline lie apart, and whether a difference is
//! larger than that.
//!
//! The spread between samples measures how a figure would vary with other questions of this kind,
//! repeated runs how it would vary with another run on the same questions. A pair of single runs has
//! no information about the second, so it is measured on further runs of the baseline and assumed to
//! be the same in the candidate.

use super::crossed::{Crossed, mean};
use super::{CompareOptions, MeasuredCell};
use crate::model::Run;
use crate::pairing::{ArmPair, CellPair, PairArm, PairedRunCell};
use crate::stats::noise::RunNoise;

/// How far runs of the baseline's configuration lie apart in one cell, in the unit of the
/// difference but for the figures.
#[derive(Debug, Clone)]
pub struct Noise<'a> {
    /// The figure of each run, the baseline's lead first: over the samples that all of them have.
    pub figures: Vec<NoiseFigure<'a>>,
    /// Samples behind each figure, where the runs have samples.
    pub items: Option<u64>,
    /// Whether the runs agree in every score, or in a figure without samples.
    pub deterministic: bool,
    pub sd: f64,
    /// How far two further runs lie apart at most, at `level`.
    pub floor: f64,
    /// Level of the floor, 1 − α.
    pub level: f64,
    /// How often two runs of one configuration lie at least as far apart as the arms.
    pub p: f64,
    /// Half the width of an interval at 1 − 2α, by which margins are judged.
    pub(super) reach: f64,
}

#[derive(Debug, Clone, Copy)]
pub struct NoiseFigure<'a> {
    pub run: &'a Run,
    /// Its figure in the unit of the cell.
    pub value: f64,
}

impl<'a> Noise<'a> {
    /// The noise of a cell from the usable runs; `None` without any, without a difference, and for arms
    /// of several runs, whose own spread is part of their comparison.
    pub(super) fn in_cell(
        pair: &ArmPair<'a>,
        cell: &CellPair<'a>,
        delta: Option<f64>,
        usable: &[bool],
        options: &CompareOptions,
    ) -> Option<Self> {
        let repeats = pair.noise.iter().zip(usable).filter(|(_, usable)| **usable);
        let repeats: Vec<_> = repeats.map(|(member, _)| member.run_cell(cell)).collect();
        let delta = delta.filter(|_| !pair.is_repeated() && !repeats.is_empty())?;
        let lead = pair.run_cells(cell, PairArm::Baseline).into_iter().next()?;
        let runs = [vec![lead], repeats];
        let shared = Crossed::new(cell, &runs).and_then(|crossed| crossed.shared(1.0));
        let rows = shared.iter().flatten().flatten();
        let first = rows.clone().next();
        let values: Vec<f64> = match first {
            Some(_) => rows.clone().map(|row| mean(row)).collect(),
            None => runs.iter().flatten().map(PairedRunCell::value).collect::<Option<_>>()?,
        };
        let figures = runs.iter().flatten().zip(&values);
        let figures = figures.map(|(one, &value)| NoiseFigure { run: one.run, value }).collect();
        let scale = cell.spec.unit.shown_scale();
        let mut noise = Self::over(figures, scale, delta, options.stats.alpha)?;
        noise.items = first.map(|row| row.len() as u64);
        noise.deterministic = match first {
            Some(_) => rows.clone().all(|row| Some(row) == first),
            None => noise.sd == 0.0,
        };
        Some(noise)
    }

    /// The noise of figures, one for each run, against a difference; `scale` leads from the unit of
    /// the figures to that of the difference. `None` below two figures.
    fn over(figures: Vec<NoiseFigure<'a>>, scale: f64, delta: f64, alpha: f64) -> Option<Self> {
        let values: Vec<f64> = figures.iter().map(|one| scale * one.value).collect();
        let spread = RunNoise::from_figures(&values)?;
        Some(Self {
            figures,
            items: None,
            deterministic: false,
            sd: spread.sd,
            floor: spread.floor(alpha),
            level: 1.0 - alpha,
            p: spread.p_value(delta),
            reach: spread.floor(2.0 * alpha),
        })
    }

    /// The noise of an average over datasets, from the runs that tell that of each: each run's own
    /// average. `None` where some dataset has none.
    pub(super) fn for_average(parts: &[&MeasuredCell<'a>], delta: f64, alpha: f64) -> Option<Self> {
        let noises: Vec<&Self> =
            parts.iter().map(|one| one.noise.as_ref()).collect::<Option<_>>()?;
        let first = parts.first()?;
        let average = |run: &'a Run| -> Option<NoiseFigure<'a>> {
            let figure = |noise: &&Self| noise.figure(run);
            let values: Vec<f64> = noises.iter().map(figure).collect::<Option<_>>()?;
            Some(NoiseFigure { run, value: mean(&values) })
        };
        let runs = noises.first()?.figures.iter().map(|one| one.run);
        let figures = runs.filter_map(average).collect();
        let mut noise = Self::over(figures, first.cell.spec.unit.shown_scale(), delta, alpha)?;
        noise.deterministic = noises.iter().all(|noise| noise.deterministic);
        Some(noise)
    }

    fn figure(&self, run: &Run) -> Option<f64> {
        let own = self.figures.iter().find(|one| std::ptr::eq(one.run, run));
        own.map(|one| one.value)
    }

    /// Number of runs, the baseline's lead included.
    pub fn runs(&self) -> usize {
        self.figures.len()
    }

    pub fn range(&self) -> Option<(f64, f64)> {
        let values = || self.figures.iter().map(|one| one.value);
        Some((values().reduce(f64::min)?, values().reduce(f64::max)?))
    }

    /// Whether the difference is no larger than two runs of one configuration may lie apart.
    pub fn covers(&self) -> bool {
        self.p >= 1.0 - self.level
    }
}
