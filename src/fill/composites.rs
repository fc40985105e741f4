//! Cells with a figure and something beside it, as they are written.

use super::facts::RunFigure;
use super::style::{Style, agrees};
use crate::marked::{Figure, split_counts, split_spread};
use crate::quantity::Unit;

/// A share with its counts: `52.3% (690/1319)`.
pub(super) struct Counted<'t> {
    pub(super) words: &'t str,
    share: Figure,
    pub(super) right: u64,
    all: u64,
    has_counts_first: bool,
    /// What stands between both, and behind.
    signs: [&'t str; 2],
}

impl<'t> Counted<'t> {
    pub(super) fn read(words: &'t str) -> Option<Self> {
        let sides = split_counts(words)?;
        let [first, second] = sides.clone().map(|side| words.get(side).unwrap_or_default());
        let signs = [words.get(sides[0].end..sides[1].start)?, words.get(sides[1].end..)?];
        let has_counts_first = first.contains('/');
        let (counts, share) = if has_counts_first { (first, second) } else { (second, first) };
        let [right, all] = counts_of(counts)?;
        Some(Self { words, share: Figure::read(share)?, right, all, has_counts_first, signs })
    }

    /// Whether it says that share and these counts.
    pub(super) fn says(&self, value: f64, counts: [u64; 2], unit: Unit) -> bool {
        [self.right, self.all] == counts && agrees(&self.share, value, unit)
    }

    /// Whether its counts may be the right ones of as many samples: their share is the one beside them.
    pub(super) fn is_of(&self, samples: Option<u64>) -> bool {
        let share = self.right as f64 / self.all as f64;
        samples == Some(self.all) && agrees(&self.share, share, Unit::Fraction)
    }

    /// Another share as this one is written.
    pub(super) fn share(&self, value: f64, unit: Unit) -> String {
        Style::like(&self.share, self.is_share()).figure(value, unit)
    }

    /// Whether it is a share of 1, by its counts.
    pub(super) fn is_share(&self) -> bool {
        let share = self.right as f64 / self.all as f64;
        let [as_share, as_percentage] =
            [share, 100.0 * share].map(|of| (self.share.value - of).abs());
        self.share.may_be_fraction() && as_share < as_percentage
    }

    /// The same of another figure.
    pub(super) fn like(&self, value: f64, [right, all]: [u64; 2], unit: Unit) -> String {
        let share = self.share(value, unit);
        let counts = format!("{right}/{all}");
        let sides = if self.has_counts_first { [counts, share] } else { [share, counts] };
        let [[first, second], [between, end]] = [sides, self.signs.map(str::to_owned)];
        format!("{first}{between}{second}{end}")
    }
}

/// `690/1319`.
pub(super) fn counts_of(words: &str) -> Option<[u64; 2]> {
    let (right, all) = words.split_once('/')?;
    Some([right.trim().parse().ok()?, all.trim().parse().ok()?])
}

/// A figure with its spread: `52.3 ± 1.4`.
pub(super) struct Composite<'t> {
    pub(super) words: &'t str,
    pub(super) figure: Figure,
    pub(super) spread: Figure,
    /// What stands between them, and behind both.
    pub(super) signs: [&'t str; 2],
}

impl<'t> Composite<'t> {
    pub(super) fn read(words: &'t str) -> Option<Self> {
        let [figure, spread] = split_spread(words)?;
        let signs = [words.get(figure.end..spread.start)?, words.get(spread.end..)?];
        let read = |side| Figure::read(words.get(side)?);
        Some(Self { words, figure: read(figure)?, spread: read(spread)?, signs })
    }
}

/// Whether words are a figure of the runs with its spread or its counts, or these alone.
pub(super) fn says(words: &str, figure: &RunFigure, value: f64) -> bool {
    let counts = figure.right.zip(figure.n).map(|(right, all)| [right, all]);
    if let Some(counted) = Counted::read(words) {
        return counts.is_some_and(|counts| counted.says(value, counts, figure.unit));
    }
    if let Some(composite) = Composite::read(words) {
        return agrees(&composite.figure, value, figure.unit);
    }
    counts.is_some() && counts_of(words) == counts
}
