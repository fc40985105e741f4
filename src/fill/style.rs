//! How figures are written in a document: the decimals, the sign behind them, the emphasis.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::marked::Figure;
use crate::quantity::{self, Unit};

/// Decimals that a mean may have where what it is of has fewer.
const MEAN_DECIMALS: usize = 3;

/// What a figure is, as far as its looks go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
#[derive(Debug, Clone, Default)]
pub(super) struct Style {
    /// The sign behind the first of them.
    suffix: Option<String>,
    /// What stands before negative ones, and before differences that are positive.
    signs: [&'static str; 2],
    /// The decimals that most of them have, and that any of them has at most.
    decimals: Option<(usize, usize)>,
    /// Whether figures are written as shares.
    has_shares: bool,
    pub(super) bold: bool,
}

/// What a style goes by: a look, and of what figures.
type Kind<'m> = (Look, &'m str, Unit);

/// The figures of a document, and the styles that were asked for: each goes through many of them.
#[derive(Debug, Default)]
pub(super) struct Looks {
    seen: Vec<Seen>,
    by_table: BTreeMap<usize, Vec<usize>>,
    styles: RefCell<BTreeMap<Asked, Rc<Style>>>,
    /// The same of all figures of a kind, for tables that have none.
    anywhere: RefCell<BTreeMap<AskedAnywhere, Rc<Style>>>,
}

/// A column of a table.
type Place = (usize, usize);

/// The look, the metric and whether that is a rate.
type AskedAnywhere = (Look, String, bool);

/// Where a style was asked for, and of what.
type Asked = (Place, AskedAnywhere);

impl Looks {
    pub(super) fn add(&mut self, seen: Seen) {
        self.by_table.entry(seen.table).or_default().push(self.seen.len());
        self.seen.push(seen);
    }

    /// How a figure of that kind is written in that column.
    pub(super) fn style(&self, place: Place, kind: Kind<'_>) -> Rc<Style> {
        let key = (place, asked_anywhere(kind));
        if let Some(known) = self.styles.borrow().get(&key) {
            return Rc::clone(known);
        }
        let style = Rc::new(self.near(place, kind));
        self.styles.borrow_mut().insert(key, Rc::clone(&style));
        style
    }

    /// The looks of the same column, else of figures of that kind in the table, else anywhere, of the
    /// same metric throughout, or of rates for a rate; a table that writes its figures without a sign
    /// behind them has its differences so, too.
    fn near(&self, (table, column): Place, kind: Kind<'_>) -> Style {
        let (look, ..) = kind;
        let is_alike = |figure: &&Seen| figure.look.is_like(look);
        let in_table = self.by_table.get(&table).into_iter().flatten();
        let in_table = in_table.filter_map(|&position| self.seen.get(position));
        let in_table: Vec<&Seen> = in_table.filter(|figure| is_of(figure, kind)).collect();
        let alike: Vec<&Seen> = in_table.iter().copied().filter(is_alike).collect();
        let in_column: Vec<&Seen> =
            alike.iter().copied().filter(|figure| figure.column == column).collect();
        let figures = in_table.iter().filter(|seen| matches!(seen.look, Look::Figure(_)));
        let figures: Vec<&Seen> = figures.copied().collect();
        let bare: Vec<&Seen> =
            figures.iter().copied().filter(|seen| seen.figure.suffix.is_empty()).collect();
        let has_shares = if figures.is_empty() { None } else { Some(are_shares(&figures)) };
        // Emphasis goes by arm, not by place.
        let bold = if in_column.is_empty() {
            self.anywhere(kind).bold
        } else {
            is_bold(in_column.iter().copied())
        };
        let near = [in_column, alike.clone(), bare].into_iter().find(|near| !near.is_empty());
        let Some(near) = near else {
            let anywhere = self.anywhere(kind);
            let has_shares = has_shares.unwrap_or(anywhere.has_shares);
            return Style { has_shares, bold, ..Style::clone(&anywhere) };
        };
        let own: Vec<&Seen> = near.iter().copied().filter(is_alike).collect();
        let has_shares = has_shares.unwrap_or_else(|| are_shares(&own));
        let style = Style::of(&near, own.len() == near.len());
        // One arm has as many decimals as the other where it needs them.
        let finest = alike.iter().map(|seen| seen.figure.decimals()).max();
        let decimals =
            style.decimals.map(|(common, most)| (common, finest.unwrap_or(most).max(most)));
        Style { decimals, has_shares, bold, ..style }
    }

    /// How figures of that kind are written in the whole document.
    fn anywhere(&self, kind: Kind<'_>) -> Rc<Style> {
        let key = asked_anywhere(kind);
        if let Some(known) = self.anywhere.borrow().get(&key) {
            return Rc::clone(known);
        }
        let (look, ..) = kind;
        let of_metric = || self.seen.iter().filter(|figure| is_of(figure, kind));
        let alike: Vec<&Seen> = of_metric().filter(|figure| figure.look.is_like(look)).collect();
        let bold = is_bold(of_metric().filter(|figure| figure.look == look));
        let style =
            Rc::new(Style { has_shares: are_shares(&alike), bold, ..Style::of(&alike, true) });
        self.anywhere.borrow_mut().insert(key, Rc::clone(&style));
        style
    }
}

fn asked_anywhere((look, metric, unit): Kind<'_>) -> AskedAnywhere {
    (look, metric.to_owned(), unit.is_rate())
}

/// Whether a figure is of that metric, or a rate where that is one.
fn is_of(figure: &Seen, (_, metric, unit): Kind<'_>) -> bool {
    figure.metric.as_deref() == Some(metric) || (unit.is_rate() && figure.is_rate)
}

fn is_bold<'s>(figures: impl Iterator<Item = &'s Seen>) -> bool {
    let (bold, all) =
        figures.fold((0, 0), |(bold, all), seen| (bold + usize::from(seen.figure.bold), all + 1));
    bold > 0 && bold * 2 >= all
}

/// Whether figures are written as shares of 1.
fn are_shares(figures: &[&Seen]) -> bool {
    let is_share = |seen: &&Seen| seen.figure.suffix.is_empty() && seen.figure.value.abs() <= 1.0;
    !figures.is_empty() && figures.iter().all(is_share)
}

impl Style {
    /// How these figures are written, which show what sign others of the kind have or do not.
    fn of(near: &[&Seen], shows_sign: bool) -> Self {
        let near = || near.iter().map(|seen| &seen.figure);
        let mut having = BTreeMap::<usize, usize>::new();
        for figure in near() {
            *having.entry(figure.decimals()).or_default() += 1;
        }
        // Of two that are as common, the fewer.
        let common = having.iter().rev().max_by_key(|(_, count)| **count);
        let most = having.last_key_value().map(|(&decimals, _)| decimals);
        let mut positive = near().filter(|figure| shows_sign && figure.value > 0.0).peekable();
        let has_plus = positive.peek().is_none() || positive.any(|figure| figure.has_plus);
        let has_true_minus = near().any(|figure| figure.true_minus);
        Self {
            suffix: near().next().map(|figure| figure.suffix.clone()),
            signs: [if has_true_minus { "\u{2212}" } else { "-" }, if has_plus { "+" } else { "" }],
            decimals: common.map(|(&decimals, _)| decimals).zip(most),
            ..Self::default()
        }
    }

    /// As a figure is written that stands with its spread, or that spread.
    pub(super) fn like(written: &Figure, has_shares: bool) -> Self {
        let decimals = written.decimals();
        Self {
            suffix: Some(written.suffix.clone()),
            signs: [if written.true_minus { "\u{2212}" } else { "-" }, ""],
            decimals: Some((decimals, decimals)),
            has_shares,
            bold: written.bold,
        }
    }

    /// A figure in its unit, without emphasis.
    pub(super) fn figure(&self, value: f64, unit: Unit) -> String {
        let suffix = self.suffix.as_deref().unwrap_or(unit.suffix());
        let decimals = self.figure_decimals(value, unit);
        self.written(value * self.scale(unit, suffix), decimals, suffix, false)
    }

    /// A figure with so many decimals, without emphasis.
    pub(super) fn exactly(&self, value: f64, decimals: usize, unit: Unit) -> String {
        let suffix = self.suffix.as_deref().unwrap_or(unit.suffix());
        self.written(value * self.scale(unit, suffix), decimals, suffix, false)
    }

    /// Decimals that a figure is written with.
    pub(super) fn figure_decimals(&self, value: f64, unit: Unit) -> usize {
        let suffix = self.suffix.as_deref().unwrap_or(unit.suffix());
        self.decimals(value * self.scale(unit, suffix), quantity::decimals(value, unit))
    }

    /// A difference in the unit of its figures with so many decimals, without emphasis.
    pub(super) fn difference(&self, delta: f64, decimals: usize, unit: Unit) -> String {
        let suffix = self.suffix.as_deref().unwrap_or(unit.difference_suffix());
        self.written(delta * self.scale(unit, suffix), decimals, suffix, true)
    }

    /// Decimals of figures that have some in a table, for differences of them.
    pub(super) fn decimals_beside(&self, decimals: usize, figures: &Self, unit: Unit) -> usize {
        let of = |style: &Self, suffix: &str| {
            style.scale(unit, style.suffix.as_deref().unwrap_or(suffix)) < unit.shown_scale()
        };
        let near = self.decimals.map_or(0, |(_, most)| most);
        let own = match (of(figures, unit.suffix()), of(self, unit.difference_suffix())) {
            (true, false) => decimals.saturating_sub(2),
            (false, true) => decimals + 2,
            _ => decimals,
        };
        own.max(near)
    }

    /// Decimals that a mean of differences needs: up to one more than the differences have, or three.
    pub(super) fn mean_decimals(&self, delta: f64, usual: usize, unit: Unit) -> usize {
        let suffix = self.suffix.as_deref().unwrap_or(unit.difference_suffix());
        let least = self.decimals.map_or(usual, |(common, _)| common);
        needed(
            delta * self.scale(unit, suffix),
            least,
            usual.max(least).saturating_add(1).max(MEAN_DECIMALS),
        )
    }

    /// A number with its signs.
    fn written(&self, shown: f64, decimals: usize, suffix: &str, signed: bool) -> String {
        // What differs from a tie by less than the error of a subtraction is one.
        let text = quantity::fixed((shown * 1e9).round() / 1e9, decimals);
        let is_zero = text.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.'));
        let unsigned = text.trim_start_matches('-');
        let [minus, plus] = self.signs;
        let sign = match shown {
            _ if is_zero => "",
            shown if shown < 0.0 => minus,
            _ if signed => plus,
            _ => "",
        };
        format!("{sign}{unsigned}{suffix}")
    }

    /// From the unit of the runs to what the document writes: percentages, or shares where its figures
    /// have no sign and none is above 1.
    fn scale(&self, unit: Unit, suffix: &str) -> f64 {
        let are_shares = unit.is_rate() && self.has_shares && suffix.trim().is_empty();
        unit.shown_scale() * if are_shares { 0.01 } else { 1.0 }
    }

    /// As many decimals as most figures near have, and as many as any has where the number needs them;
    /// where none is near, as usual.
    fn decimals(&self, shown: f64, usual: usize) -> usize {
        let (least, most) = self.decimals.unwrap_or((usual, usual));
        needed(shown, least, most)
    }
}

/// Decimals that a number needs within bounds.
fn needed(shown: f64, least: usize, most: usize) -> usize {
    let is_exact = |decimals: &usize| {
        let factor = 10_f64.powi(i32::try_from(*decimals).unwrap_or_default());
        ((shown * factor).round() / factor - shown).abs() < 1e-9
    };
    (least..=most).find(is_exact).unwrap_or(most)
}

/// Whether a figure of the document is that of the runs, as far as its digits say.
pub(super) fn agrees(figure: &Figure, value: f64, unit: Unit) -> bool {
    let half = 0.5 * 10_f64.powf(-(figure.decimals() as f64));
    let is_near = |shown: f64| (figure.value - shown).abs() <= half * (1.0 + 1e-6) + 1e-9;
    let percent = value * unit.shown_scale();
    is_near(percent) || (unit.is_rate() && figure.suffix.is_empty() && is_near(percent / 100.0))
}
