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
    /// Whether it is the best of all runs, where that is known.
    pub(super) is_best: Option<bool>,
    /// Whether the runs say that it is a percentage: 0.8 where they have 0.008.
    pub(super) is_percentage: bool,
    pub(super) figure: Figure,
}

impl Seen {
    fn may_be_share(&self) -> bool {
        self.figure.may_be_fraction() && !self.is_percentage
    }
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
    /// A percentage and a share of other metrics beside it, where nothing says which of both it is.
    pub(super) either: Option<[String; 2]>,
    pub(super) bold: Bold,
}

/// Which figures are in bold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Bold {
    #[default]
    None,
    All,
    /// Only the best of them, as far as can be seen.
    Best,
}

/// What a style goes by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind<'m> {
    pub(super) look: Look,
    pub(super) metric: &'m str,
    pub(super) unit: Unit,
    /// Whether the words around it say that figures are percentages.
    pub(super) in_percent: bool,
}

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

/// The look, the metric, whether that is a rate and whether words say that it is in per cent.
type AskedAnywhere = (Look, String, [bool; 2]);

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

    /// The looks of figures of the same metric in the same column, else in the table, else of others of
    /// that kind in the column, in the table, anywhere; a table that writes its figures without a sign
    /// behind them has its differences so, too.
    fn near(&self, (table, column): Place, kind: Kind<'_>) -> Style {
        let in_table = self.by_table.get(&table).into_iter().flatten();
        let in_table: Vec<&Seen> = in_table.filter_map(|&at| self.seen.get(at)).collect();
        let alike = kind.alike(&in_table);
        let own = kind.own(&alike);
        let own_here = in_column_of(&own, column);
        let here = in_column_of(&alike, column);
        let figures = kind.figures(&in_table);
        let bare: Vec<&Seen> =
            figures.iter().copied().filter(|seen| seen.figure.suffix.is_empty()).collect();
        let near = [&own_here, &own, &here, &alike, &bare];
        let near = near.into_iter().find(|near| !near.is_empty());
        let bold = bold(&in_table, &here, kind.look).unwrap_or_else(|| self.anywhere(kind).bold);
        let Some(near) = near else {
            let anywhere = self.anywhere(kind);
            let has_shares =
                if figures.is_empty() { anywhere.has_shares } else { are_shares(&figures) };
            return Style { has_shares, bold, ..Style::clone(&anywhere) };
        };
        let is_alike = near.first().is_some_and(|seen| seen.look.is_like(kind.look));
        let style = Style::of(near, is_alike);
        // Zeros are shares and percentages alike.
        let are_zero = near.iter().all(|seen| seen.figure.value == 0.0);
        let has_shares = match kind.look {
            Look::Figure(_) if are_zero && figures.iter().any(|seen| seen.figure.value != 0.0) => {
                are_shares(&figures)
            }
            Look::Figure(_) if are_zero => self.anywhere(kind).has_shares,
            Look::Figure(_) => are_shares(near),
            // A difference of two percentages may be below 1, too.
            Look::Difference if is_alike && !are_shares(near) => false,
            Look::Difference if figures.is_empty() => self.anywhere(kind).has_shares,
            Look::Difference => are_shares(&figures),
        };
        let either = if own.is_empty() { either(near) } else { either(&own) };
        // One arm has as many decimals as the other where it needs them.
        let others = if own.is_empty() { &alike } else { &own };
        let finest = others.iter().map(|seen| seen.figure.decimals()).max();
        let decimals =
            style.decimals.map(|(common, most)| (common, finest.unwrap_or(most).max(most)));
        Style { decimals, has_shares, either, bold, ..style }
    }

    /// How figures of that kind are written in the whole document.
    fn anywhere(&self, kind: Kind<'_>) -> Rc<Style> {
        let key = asked_anywhere(kind);
        if let Some(known) = self.anywhere.borrow().get(&key) {
            return Rc::clone(known);
        }
        let all: Vec<&Seen> = self.seen.iter().collect();
        let alike = kind.alike(&all);
        let near = kind.own_or_all(alike);
        let style = Style::of(&near, true);
        let suffix =
            if near.is_empty() && kind.in_percent { Some(String::new()) } else { style.suffix };
        let has_shares = match kind.look {
            Look::Figure(_) => are_shares(&near),
            Look::Difference => are_shares(&kind.figures(&all)),
        };
        let bold = match kind.look {
            Look::Difference => bold_of_all(&near),
            look @ Look::Figure(_) => bold_of_arm(&all, look),
        };
        let style = Rc::new(Style { has_shares, either: either(&near), bold, suffix, ..style });
        self.anywhere.borrow_mut().insert(key, Rc::clone(&style));
        style
    }
}

/// Emphasis of figures goes by arm, of differences by column; `None` where the table has none of the kind.
fn bold(in_table: &[&Seen], here: &[&Seen], look: Look) -> Option<Bold> {
    match look {
        Look::Difference => (!here.is_empty()).then(|| bold_of_all(here)),
        Look::Figure(_) => {
            let has_own = in_table.iter().any(|seen| seen.look == look);
            has_own.then(|| bold_of_arm(in_table, look))
        }
    }
}

fn asked_anywhere(kind: Kind<'_>) -> AskedAnywhere {
    (kind.look, kind.metric.to_owned(), [kind.unit.is_rate(), kind.in_percent])
}

impl<'m> Kind<'m> {
    pub(super) fn difference(metric: &'m str, unit: Unit) -> Self {
        Self { look: Look::Difference, metric, unit, in_percent: false }
    }
}

impl Kind<'_> {
    fn is_own(&self, seen: &Seen) -> bool {
        seen.metric.as_deref() == Some(self.metric)
    }

    /// Whether a figure is of that metric, or a rate where that is one; words that say per cent leave no
    /// shares.
    fn has(&self, seen: &Seen) -> bool {
        let is_of = self.is_own(seen) || (self.unit.is_rate() && seen.is_rate);
        let is_figure = matches!(seen.look, Look::Figure(_));
        is_of && !(self.in_percent && is_figure && seen.may_be_share())
    }

    /// Those that look like it.
    fn alike<'s>(&self, seen: &[&'s Seen]) -> Vec<&'s Seen> {
        let is_alike = |one: &&&Seen| one.look.is_like(self.look) && self.has(one);
        seen.iter().filter(is_alike).copied().collect()
    }

    /// Figures of the metric, else of others of that kind.
    fn figures<'s>(&self, seen: &[&'s Seen]) -> Vec<&'s Seen> {
        let of_kind =
            seen.iter().filter(|one| matches!(one.look, Look::Figure(_)) && self.has(one));
        self.own_or_all(of_kind.copied().collect())
    }

    /// Those of the metric.
    fn own<'s>(&self, seen: &[&'s Seen]) -> Vec<&'s Seen> {
        seen.iter().copied().filter(|one| self.is_own(one)).collect()
    }

    fn own_or_all<'s>(&self, seen: Vec<&'s Seen>) -> Vec<&'s Seen> {
        let own = self.own(&seen);
        if own.is_empty() { seen } else { own }
    }
}

fn in_column_of<'s>(seen: &[&'s Seen], column: usize) -> Vec<&'s Seen> {
    seen.iter().copied().filter(|one| one.column == column).collect()
}

fn bold_of_all(seen: &[&Seen]) -> Bold {
    let are_bold = !seen.is_empty() && seen.iter().all(|seen| seen.figure.bold);
    if are_bold { Bold::All } else { Bold::None }
}

/// Bold is that of an arm whose figures all are, and those of no other; of one that is the best each time,
/// only where it is.
fn bold_of_arm(seen: &[&Seen], look: Look) -> Bold {
    let figures = seen.iter().filter(|one| matches!(one.look, Look::Figure(_)));
    let (own, others): (Vec<&Seen>, Vec<&Seen>) =
        figures.copied().partition(|one| one.look == look);
    let is_bold = |seen: &&Seen| seen.figure.bold;
    if own.is_empty() || !own.iter().all(is_bold) || others.iter().any(is_bold) {
        return Bold::None;
    }
    let is = |best: Option<bool>| own.iter().any(|seen| seen.is_best == best);
    let are_best = is(Some(true)) && !is(Some(false));
    if are_best { Bold::Best } else { Bold::All }
}

/// Whether figures are written as shares of 1.
fn are_shares(figures: &[&Seen]) -> bool {
    !figures.is_empty() && figures.iter().all(|seen| seen.may_be_share())
}

/// The first that is a percentage and the first that is a share, by the figures of each metric.
fn either(figures: &[&Seen]) -> Option<[String; 2]> {
    let mut by_metric: BTreeMap<Option<&str>, Vec<&Seen>> = BTreeMap::new();
    for seen in figures {
        by_metric.entry(seen.metric.as_deref()).or_default().push(seen);
    }
    // Whether figures of a metric may be percentages, and whether they may be shares.
    let ways = by_metric.into_iter().map(|(metric, of_metric)| {
        let has_sign = of_metric.iter().any(|seen| seen.figure.is_share());
        let are_shares = are_shares(&of_metric);
        (metric, [has_sign || !are_shares, has_sign || are_shares])
    });
    let ways: BTreeMap<Option<&str>, [bool; 2]> = ways.collect();
    let way = |seen: &Seen| ways.get(&seen.metric.as_deref()).copied().unwrap_or_default();
    let is_part = |seen: &Seen| seen.figure.value != 0.0 && seen.may_be_share();
    let percentage = figures.iter().find(|seen| way(seen)[0])?;
    let share = figures.iter().find(|seen| way(seen)[1] && is_part(seen))?;
    Some([percentage, share].map(|seen| seen.figure.written()))
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
            ..Self::default()
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

/// Whether a bare figure is nearer to the percentage of the runs than to their share: 0.8 for 0.008.
pub(super) fn is_percentage(figure: &Figure, value: f64, unit: Unit) -> bool {
    let percent = value * unit.shown_scale();
    let off = |shown: f64| (figure.value - shown).abs();
    unit.is_rate() && figure.suffix.is_empty() && off(percent) < off(percent / 100.0)
}

/// Whether a figure of the document is that of the runs, as far as its digits say.
pub(super) fn agrees(figure: &Figure, value: f64, unit: Unit) -> bool {
    let half = 0.5 * 10_f64.powf(-(figure.decimals() as f64));
    let is_near = |shown: f64| (figure.value - shown).abs() <= half * (1.0 + 1e-6) + 1e-9;
    let percent = value * unit.shown_scale();
    is_near(percent) || (unit.is_rate() && figure.suffix.is_empty() && is_near(percent / 100.0))
}
