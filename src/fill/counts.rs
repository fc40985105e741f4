//! Shares with their counts: `52.3% (690/1319)`, `690/1319 (52.3%)`.

use std::ops::Range;

use super::answers::{self, Unanswered};
use super::cells::Filling;
use super::facts::RunFigure;
use super::question::Question;
use super::style::{Style, agrees};
use super::surroundings::Place;
use super::understood::Asked;
use crate::marked::{Figure, Written, split_counts};
use crate::quantity::{self, Unit};
use crate::text::Refusal;

/// Such a cell.
struct Counted<'t> {
    words: &'t str,
    share: Figure,
    right: u64,
    all: u64,
    has_counts_first: bool,
    /// What stands between both, and behind.
    signs: [&'t str; 2],
}

impl<'t> Counted<'t> {
    fn read(words: &'t str) -> Option<Self> {
        let sides = split_counts(words)?;
        let [first, second] = sides.clone().map(|side| words.get(side).unwrap_or_default());
        let signs = [words.get(sides[0].end..sides[1].start)?, words.get(sides[1].end..)?];
        let has_counts_first = first.contains('/');
        let (counts, share) = if has_counts_first { (first, second) } else { (second, first) };
        let [right, all] = counts_of(counts)?;
        Some(Self { words, share: Figure::read(share)?, right, all, has_counts_first, signs })
    }

    /// Whether it says that share and these counts.
    fn says(&self, value: f64, counts: [u64; 2], unit: Unit) -> bool {
        [self.right, self.all] == counts && agrees(&self.share, value, unit)
    }

    /// Whether its counts may be the right ones of as many samples: their share is the one beside them.
    fn is_of(&self, samples: Option<u64>) -> bool {
        let share = self.right as f64 / self.all as f64;
        samples == Some(self.all) && agrees(&self.share, share, Unit::Fraction)
    }

    /// Another share as this one is written.
    fn share(&self, value: f64, unit: Unit) -> String {
        Style::like(&self.share, self.is_share()).figure(value, unit)
    }

    /// Whether it is a share of 1, by its counts.
    fn is_share(&self) -> bool {
        let share = self.right as f64 / self.all as f64;
        let [as_share, as_percentage] =
            [share, 100.0 * share].map(|of| (self.share.value - of).abs());
        self.share.may_be_fraction() && as_share < as_percentage
    }

    /// The same of another figure.
    fn like(&self, value: f64, [right, all]: [u64; 2], unit: Unit) -> String {
        let share = self.share(value, unit);
        let counts = format!("{right}/{all}");
        let sides = if self.has_counts_first { [counts, share] } else { [share, counts] };
        let [[first, second], [between, end]] = [sides, self.signs.map(str::to_owned)];
        format!("{first}{between}{second}{end}")
    }
}

/// `690/1319`.
fn counts_of(words: &str) -> Option<[u64; 2]> {
    let (right, all) = words.split_once('/')?;
    Some([right.trim().parse().ok()?, all.trim().parse().ok()?])
}

/// How many samples `? (?/1319)` is of.
fn size_in(asked: &str) -> Option<u64> {
    let (_, behind) = asked.split_once('/')?;
    let behind = behind.trim_start();
    let end = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
    behind.get(..end)?.parse().ok()
}

impl Filling<'_> {
    /// A share with its counts where the column has such cells; `None` where it has not.
    pub(super) fn with_counts(
        &self,
        place: Place,
        (found, value): (&RunFigure, f64),
    ) -> Result<Option<(String, bool)>, Unanswered> {
        let beside = self.in_column(place, Counted::read);
        // A zero says nothing of its scale.
        let first = beside.iter().find(|(counted, _)| counted.right > 0).or(beside.first());
        let Some((first, _)) = first else { return Ok(None) };
        if self.has_plain_figures(place) || self.kinds.composites(place) > beside.len() {
            return Ok(None);
        }
        for (counted, other) in &beside {
            let Some((own, level)) = other else {
                if counted.is_of(found.n) {
                    continue;
                }
                let refusal = Refusal::new("fill.other-counts").with("figure", counted.words);
                return Err(Unanswered::Unclear(refusal));
            };
            let counts = self.counts(own).ok();
            if !counts.is_some_and(|counts| counted.says(*level, counts, own.unit)) {
                let counts = counts.map(|[right, all]| format!(" ({right}/{all})"));
                let runs = quantity::figure(*level, own.unit) + &counts.unwrap_or_default();
                let refusal = Refusal::new("fill.other-spread").with("figure", counted.words);
                return Err(Unanswered::Unclear(refusal.with("runs", runs)));
            }
        }
        let counts = self.counts(found)?;
        Ok(Some((first.like(value, counts, found.unit), false)))
    }

    /// A share and its counts in the place of `? (?/1319)`, and whether in bold.
    pub(super) fn asked_counts(
        &self,
        place: Place,
        asked: &str,
        (found, value): (&RunFigure, f64),
    ) -> Result<(String, bool), Unanswered> {
        let [right, all] = self.counts(found)?;
        let sides = split_counts(asked).unwrap_or_default();
        let beside = self.in_column(place, Counted::read);
        let written = |side: &Range<usize>| {
            let side = asked.get(side.clone()).unwrap_or_default();
            if !side.contains('/') {
                let share = match beside.first() {
                    Some((counted, _)) => counted.share(value, found.unit),
                    None => self.figure_style(place, found).figure(value, found.unit),
                };
                let has_sign = side.ends_with('%') && !share.ends_with('%');
                return if has_sign { share + "%" } else { share };
            }
            format!("{right}/{all}")
        };
        let [first, second] = &sides;
        let between = asked.get(first.end..second.start).unwrap_or_default();
        let end = asked.get(second.end..).unwrap_or_default();
        Ok((format!("{}{between}{}{end}", written(first), written(second)), false))
    }

    /// How many of the samples of a figure are right, and of how many.
    pub(super) fn counts(&self, found: &RunFigure) -> Result<[u64; 2], Unanswered> {
        found.right.zip(found.n).map(|(right, all)| [right, all]).ok_or_else(|| {
            let refusal = Refusal::new("fill.no-counts");
            Unanswered::Missing(refusal.with("asked", answers::name(self.facts, found)))
        })
    }

    /// Refuses a cell that names another number of samples than the runs have: `?/200`.
    pub(super) fn asks_for_its_samples(
        &self,
        (table, row, column): Place,
    ) -> Result<(), Unanswered> {
        let Some(understood) = self.tables.get(table) else { return Ok(()) };
        let cell = understood.rows.get(row).and_then(|row| row.row.cells.get(column));
        let said = match cell.map(|cell| &cell.written) {
            Some(Written::AskedOf(_, of)) => Some(*of),
            Some(Written::AskedCounts(whole)) => self.text.get(whole.clone()).and_then(size_in),
            _ => None,
        };
        let (Some(said), Some(Ok(Asked::Figure(question)))) = (said, understood.asked(row, column))
        else {
            return Ok(());
        };
        match answers::figure(self.facts, &question) {
            Ok((found, _)) if found.n.is_some_and(|samples| samples != said) => {
                let refusal = Refusal::new("fill.other-size").with("said", said);
                let refusal = refusal.with("asked", answers::name(self.facts, found));
                Err(Unanswered::Unclear(refusal.with("samples", found.n.unwrap_or_default())))
            }
            _ => Ok(()),
        }
    }

    /// Refuses where counts in the column or the row are not the right ones of the runs that they are of:
    /// they may be of the wrong ones.
    pub(super) fn counts_agree(&self, (table, row, column): Place) -> Result<(), Unanswered> {
        let Some(understood) = self.tables.get(table) else { return Ok(()) };
        let width = understood.columns.len();
        let beside = (0..understood.rows.len()).map(|row| (row, column));
        for (row, column) in beside.chain((0..width).map(|column| (row, column))) {
            let cell = understood.rows.get(row).and_then(|row| row.row.cells.get(column));
            let Some(Written::Text(words)) = cell.map(|cell| &cell.written) else { continue };
            let Some(counts) = counts_of(words) else { continue };
            let Some(Ok(Asked::Figure(question))) = understood.asked(row, column) else { continue };
            let Ok((found, _)) = answers::figure(self.facts, &question) else { continue };
            let Ok(own @ [right, all]) = self.counts(found) else { continue };
            if own != counts {
                let refusal = Refusal::new("fill.other-spread").with("figure", words.as_str());
                return Err(Unanswered::Unclear(refusal.with("runs", format!("{right}/{all}"))));
            }
        }
        Ok(())
    }

    /// A share with its counts, or counts alone, as the runs have them, and where; `None` where what is
    /// written says the same.
    pub(super) fn other_counts(
        &self,
        words: &str,
        question: &Question,
    ) -> Option<(String, String)> {
        let (found, value) = answers::figure(self.facts, question).ok()?;
        let counts @ [right, all] = self.counts(found).ok()?;
        let text = if let Some(counted) = Counted::read(words) {
            (!counted.says(value, counts, found.unit))
                .then(|| counted.like(value, counts, found.unit))
        } else {
            (counts_of(words)? != counts).then(|| format!("{right}/{all}"))
        };
        let source = format!("{} ({})", found.source, answers::name(self.facts, found));
        Some((text?, source))
    }
}
