//! How figures are written in a document: the decimals, the sign behind them, the emphasis.

use crate::marked::Figure;
use crate::quantity::{self, Unit};

/// Decimals that a mean may have beside those of what it is of.
const MEAN_DECIMALS: usize = 2;

/// What a figure is, as far as its looks go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// The figure of an arm, or of none of those given.
    Figure(Option<usize>),
    /// The difference of two.
    Difference,
}

impl Look {
    fn is_like(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Figure(_), Self::Figure(_)) | (Self::Difference, Self::Difference)
        )
    }
}

/// A figure of the document and where it stands.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) table: usize,
    pub(super) column: usize,
    pub(super) look: Look,
    /// The metric, where it is known.
    pub(super) metric: Option<String>,
    pub(super) is_rate: bool,
    pub(super) figure: Figure,
}

/// How the figures near a place are written.
#[derive(Debug)]
pub(super) struct Style<'s> {
    near: Vec<&'s Figure>,
    /// Whether those near show what sign such figures have.
    shows_sign: bool,
    /// Whether figures are written as shares.
    has_shares: bool,
    pub(super) bold: bool,
}

impl<'s> Style<'s> {
    /// The looks of the same column, else of figures of that kind in the table, else anywhere, of the
    /// same metric throughout, or of rates for a rate; a table that writes its figures without a sign behind them has its
    /// differences so, too.
    pub(super) fn near(
        seen: &'s [Seen],
        (table, column): (usize, usize),
        (look, metric, unit): (Look, &str, Unit),
    ) -> Self {
        let is_alike = |figure: &&Seen| {
            figure.metric.as_deref() == Some(metric) || (unit.is_rate() && figure.is_rate)
        };
        let of_metric = || seen.iter().filter(is_alike);
        let in_table = || of_metric().filter(|figure| figure.table == table);
        let alike = |figure: &&Seen| figure.look.is_like(look);
        let in_column: Vec<&Seen> =
            in_table().filter(alike).filter(|figure| figure.column == column).collect();
        let figures = || in_table().filter(|seen| matches!(seen.look, Look::Figure(_)));
        let bare = figures().filter(|seen| seen.figure.suffix.is_empty());
        let nearest = [
            in_column.clone(),
            in_table().filter(alike).collect(),
            bare.collect(),
            of_metric().filter(alike).collect(),
        ];
        // Emphasis goes by arm, not by place.
        let own: Vec<&Seen> = if in_column.is_empty() {
            of_metric().filter(|figure| figure.look == look).collect()
        } else {
            in_column
        };
        let bold = own.iter().filter(|figure| figure.figure.bold).count();
        let near = nearest.into_iter().find(|figures| !figures.is_empty()).unwrap_or_default();
        let levels: Vec<&Figure> = match figures().next() {
            Some(_) => figures().map(|seen| &seen.figure).collect(),
            None => near.iter().filter(|seen| alike(seen)).map(|seen| &seen.figure).collect(),
        };
        let is_share = |figure: &&Figure| figure.suffix.is_empty() && figure.value.abs() <= 1.0;
        Self {
            shows_sign: near.iter().all(alike),
            has_shares: !levels.is_empty() && levels.iter().all(is_share),
            near: near.into_iter().map(|seen| &seen.figure).collect(),
            bold: bold > 0 && bold * 2 >= own.len(),
        }
    }

    /// A figure in its unit, without emphasis.
    pub(super) fn figure(&self, value: f64, unit: Unit) -> String {
        let usual = quantity::decimals(value, unit);
        self.number(value, unit, (usual, 0), unit.suffix(), false)
    }

    /// A difference in the unit of its figures, without emphasis.
    pub(super) fn difference(&self, delta: f64, operands: [f64; 2], unit: Unit) -> String {
        let usual = operands.map(|operand| quantity::decimals(operand, unit));
        let usual = usual.into_iter().max().unwrap_or_default();
        let further = usual.saturating_sub(self.most_decimals().unwrap_or(usual));
        self.number(delta, unit, (usual, further), unit.difference_suffix(), true)
    }

    /// A mean or an extreme of differences, without emphasis: with a decimal more where it needs it.
    pub(super) fn mean(&self, delta: f64, operands: [f64; 2], unit: Unit) -> String {
        let usual = operands.map(|operand| quantity::decimals(operand, unit));
        let usual = usual.into_iter().max().unwrap_or_default();
        self.number(delta, unit, (usual, MEAN_DECIMALS), unit.difference_suffix(), true)
    }

    /// `usual` decimals where nothing near has any; `further` ones where the number needs them.
    fn number(
        &self,
        value: f64,
        unit: Unit,
        (usual, further): (usize, usize),
        suffix: &str,
        signed: bool,
    ) -> String {
        let suffix = self.near.first().map_or(suffix, |figure| figure.suffix.as_str());
        let shown = value * self.scale(unit, suffix);
        let decimals = self.decimals(shown, usual, further);
        let text = quantity::fixed(shown, decimals);
        let is_zero = text.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.'));
        let unsigned = text.trim_start_matches('-');
        let true_minus = self.near.iter().any(|figure| figure.true_minus);
        let positive = || self.near.iter().filter(|figure| self.shows_sign && figure.value > 0.0);
        let has_plus = positive().next().is_none() || positive().any(|figure| figure.has_plus);
        let sign = if is_zero {
            ""
        } else if shown < 0.0 {
            if true_minus { "\u{2212}" } else { "-" }
        } else if signed && has_plus {
            "+"
        } else {
            ""
        };
        format!("{sign}{unsigned}{suffix}")
    }

    /// From the unit of the runs to what the document writes: percentages, or shares where its figures
    /// have no sign and none is above 1.
    fn scale(&self, unit: Unit, suffix: &str) -> f64 {
        let are_shares = unit.is_rate() && self.has_shares && suffix.trim().is_empty();
        unit.shown_scale() * if are_shares { 0.01 } else { 1.0 }
    }

    fn most_decimals(&self) -> Option<usize> {
        self.near.iter().map(|figure| figure.decimals()).max()
    }

    /// As many decimals as most figures near have, and as many as any has where the number needs them;
    /// where none is near, as usual. `further` ones only where the number needs them.
    fn decimals(&self, shown: f64, usual: usize, further: usize) -> usize {
        let having = |decimals: usize| {
            self.near.iter().filter(|figure| figure.decimals() == decimals).count()
        };
        let (least, most) = match self.most_decimals() {
            None => (usual, usual),
            Some(most) => {
                let common = (0..=most).rev().max_by_key(|&decimals| having(decimals));
                (common.unwrap_or(most), most)
            }
        };
        let is_exact = |decimals: &usize| {
            let factor = 10_f64.powi(i32::try_from(*decimals).unwrap_or_default());
            ((shown * factor).round() / factor - shown).abs() < 1e-9
        };
        (least..=most + further).find(is_exact).unwrap_or(most + further)
    }
}

/// Whether a figure of the document is that of the runs, as far as its digits say.
pub(super) fn agrees(figure: &Figure, value: f64, unit: Unit) -> bool {
    let half = 0.5 * 10_f64.powf(-(figure.decimals() as f64));
    let is_near = |shown: f64| (figure.value - shown).abs() <= half * (1.0 + 1e-6) + 1e-9;
    let percent = value * unit.shown_scale();
    is_near(percent) || (unit.is_rate() && figure.suffix.is_empty() && is_near(percent / 100.0))
}
