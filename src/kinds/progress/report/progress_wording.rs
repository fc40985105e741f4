//! Wording that several sections share.

use std::fmt::Display;

use indexmap::IndexSet;

use crate::conditions::{
    ClauseOutcome, Condition, ConditionLabel, Judgement, Operand, UnknownOperand,
};
use crate::diag::Location;
use crate::kinds::progress::analysis::{
    Progress, ProgressCounting, ProgressMetric, ProgressMovement, ProgressRate, ProgressUntested,
    StepShare,
};
use crate::quantity::{self, Unit};
use crate::report::FindingView;
use crate::report::block::{Icon, Text};
use crate::stats::Counts;
use crate::text::Catalogue;

/// A progress and the words for it.
#[derive(Clone, Copy)]
pub(in crate::kinds::progress) struct ProgressWording<'a> {
    pub(super) progress: &'a Progress<'a>,
    pub(super) findings: &'a [FindingView],
    pub(super) words: &'static Catalogue,
}

impl ProgressWording<'_> {
    pub(super) fn get(&self, key: &str) -> String {
        self.words.get(&format!("progress.{key}"))
    }

    pub(super) fn fill<V: Display>(&self, key: &str, facts: &[(&str, V)]) -> String {
        self.words.fill(&format!("progress.{key}"), facts)
    }

    /// `Step 5`.
    pub(super) fn step(&self, at: f64) -> String {
        format!("{} {}", self.get(&format!("axis.{}", self.axis())), quantity::exact(at))
    }

    /// The word for one place on the axis.
    pub(super) fn axis(&self) -> &str {
        &self.progress.axis
    }

    pub(super) fn label<'l>(&self, label: &'l ConditionLabel) -> &'l str {
        label.text(self.words.lang)
    }

    /// The name of a metric or rate for people.
    pub(super) fn name(&self, metric: &str) -> String {
        let label = self.progress.declared.labels.get(metric);
        label.map_or(metric, |label| self.label(label)).to_owned()
    }

    /// Whether a counter counts every step for itself.
    pub(super) fn counts_steps(&self, counter: &str) -> bool {
        let counter = self.progress.counters.get(counter);
        counter.is_some_and(|counter| counter.counting == ProgressCounting::PerStep)
    }

    pub(super) fn level(&self) -> String {
        quantity::level(1.0 - self.progress.alpha)
    }

    /// Why nothing can be said.
    pub(super) fn why(&self, why: ProgressUntested) -> String {
        self.get(&format!("why.{}", why.name()))
    }

    /// The word for what became of a metric.
    pub(super) fn movement(&self, movement: ProgressMovement) -> String {
        self.get(&format!("movement.{}", movement.name()))
    }

    /// Two signs, direction and judgement, before the word.
    pub(super) fn trend(
        &self,
        movement: ProgressMovement,
        change: Option<f64>,
        is_kept: bool,
    ) -> Text {
        let arrow = change.map(arrow);
        let judged = match movement {
            ProgressMovement::Improved => Some(Icon::Good),
            ProgressMovement::Worsened => Some(Icon::Bad),
            ProgressMovement::Unchanged if is_kept => Some(Icon::Kept),
            ProgressMovement::Untested(why) if is_suspect(why) => Some(Icon::Caution),
            _ => None,
        };
        let signs = arrow.into_iter().chain(judged);
        let text = signs.fold(Text::empty(), |text, icon| text.and_icon(icon).and_plain(" "));
        text.and_plain(self.movement(movement))
    }

    /// A text, with a remark where it stands on counters that contradict themselves.
    pub(super) fn doubted(&self, text: Text, is_doubtful: bool) -> Text {
        if !is_doubtful {
            return text;
        }
        let remark = format!(" {}", self.get("doubtful"));
        text.and_plain(" ").and_icon(Icon::Caution).and_plain(remark)
    }

    /// A condition and the figures that it was judged by.
    pub(super) fn judged(&self, condition: &Condition, judgement: &Judgement) -> Text {
        Text::code(condition.text())
            .and_plain(self.words.get("punctuation.colon"))
            .and_plain(self.readings(judgement))
    }

    /// What a condition read, clause by clause: value, n, interval.
    pub(super) fn readings(&self, judgement: &Judgement) -> String {
        let readings: Vec<String> =
            judgement.readings.iter().map(|reading| self.reading(reading)).collect();
        readings.join(&self.words.get("punctuation.semicolon"))
    }

    /// Both sides of a clause; of a number only where its unit is not written.
    fn reading(&self, reading: &ClauseOutcome) -> String {
        // A relative change is a share of the earlier value, not points.
        let is_relative = reading.quantity.function.as_deref() == Some("relative");
        let left = reading
            .figure
            .map(|left| Operand { is_change: left.is_change && !is_relative, ..left });
        let left = self.figure(&reading.quantity.to_string(), &left);
        let right = match (reading.other, reading.threshold, &reading.figure) {
            (Some(other), _, _) => self.figure(&reading.against, &Ok(other)),
            (None, Some(threshold), Ok(figure)) if reading.is_share => {
                let threshold = Operand { value: threshold, n: None, ..*figure };
                self.fill("reading-threshold", &[("value", &shown(&threshold))])
            }
            _ => return left,
        };
        left + &self.words.get("punctuation.comma") + &right
    }

    fn figure(&self, name: &str, figure: &Result<Operand, UnknownOperand>) -> String {
        let figure = match figure {
            Ok(figure) => figure,
            Err(why) => {
                let why = self.get(&format!("unknown.{}", why.name()));
                return self.fill("reading-unknown", &[("name", name), ("why", &why)]);
            }
        };
        let value = shown(figure);
        let Some([lo, hi]) = figure.interval else {
            return self.fill("reading", &[("name", name), ("value", &value)]);
        };
        let interval = if figure.is_change && figure.unit.is_rate() {
            let scale = figure.unit.shown_scale();
            quantity::interval_text(lo * scale, hi * scale, 1) + figure.unit.difference_suffix()
        } else {
            quantity::range(lo, hi, figure.unit)
        };
        let key = if figure.n.is_some() { "reading-interval-n" } else { "reading-interval" };
        let facts = [
            ("name", name.to_owned()),
            ("value", value),
            ("interval", interval),
            ("level", self.level()),
            ("n", figure.n.map(quantity::count).unwrap_or_default()),
        ];
        self.fill(key, &facts)
    }
}

/// A figure of a condition: a change of a share in points, money to its digits.
fn shown(figure: &Operand) -> String {
    match figure.unit {
        Unit::Dollars if figure.is_change => quantity::money_change(figure.value),
        Unit::Dollars => quantity::money(figure.value),
        Unit::Fraction if figure.is_change => {
            quantity::difference_with_decimals(100.0 * figure.value, 1, Unit::Percent)
        }
        Unit::Fraction => {
            let n = figure.n.unwrap_or_default() as f64;
            quantity::percent_of_cases(figure.value, n)
        }
        Unit::Count => quantity::amount(figure.value),
        unit => quantity::figure(figure.value, unit),
    }
}

/// The sign of a number.
pub(super) fn arrow(change: f64) -> Icon {
    match change.partial_cmp(&0.0) {
        Some(std::cmp::Ordering::Greater) => Icon::Up,
        Some(std::cmp::Ordering::Less) => Icon::Down,
        _ => Icon::Flat,
    }
}

/// Whether the reason why nothing is said is a fault of the data.
pub(super) fn is_suspect(why: ProgressUntested) -> bool {
    matches!(
        why,
        ProgressUntested::Contradiction
            | ProgressUntested::Shrunk
            | ProgressUntested::Reset
            | ProgressUntested::NotFinite
    )
}

/// `97.7% (43/44)`.
pub(super) fn share(counts: Counts) -> String {
    quantity::share(counts.x as f64, counts.n as f64)
}

/// Fewest cases at each step for a share at its best end to be an achievement.
const FEWEST_KEPT: u64 = 100;

/// Whether a share stands at its best end at both steps, over cases enough to tell.
pub(super) fn is_kept(rate: &ProgressRate) -> bool {
    let best = match rate.direction.sign() {
        Some(sign) if sign > 0.0 => 1.0,
        Some(_) => 0.0,
        None => return false,
    };
    let at_best = |side: &Option<StepShare>| {
        let counts = side.as_ref().map(|side| side.counts);
        counts.is_some_and(|counts| counts.share() == best && counts.n >= FEWEST_KEPT)
    };
    at_best(&rate.before) && at_best(&rate.after)
}

/// A value of a metric in its unit; NaN and infinities as they are.
pub(super) fn value(value: f64, unit: Unit) -> String {
    match unit {
        _ if value.is_nan() => "NaN".to_owned(),
        _ if value.is_infinite() => (if value > 0.0 { "∞" } else { "-∞" }).to_owned(),
        Unit::Dollars => quantity::money(value),
        Unit::Count => quantity::amount(value),
        unit => quantity::figure(value, unit),
    }
}

/// A change of a metric in its unit, with sign.
pub(super) fn change(metric: &ProgressMetric, unit: Unit) -> Option<String> {
    let (before, after) = (metric.before.as_ref()?.value, metric.after.as_ref()?.value);
    let change = metric.change()?;
    Some(match unit {
        Unit::Dollars => quantity::money_change(change),
        Unit::Count if change > 0.0 => format!("+{}", quantity::amount(change)),
        Unit::Count => quantity::amount(change),
        unit => quantity::difference_text(change * unit.shown_scale(), [before, after], unit),
    })
}

/// A change of a share in points.
pub(super) fn points(rate: &ProgressRate) -> Option<String> {
    let n = rate.after.as_ref()?.counts.n as f64;
    let change = 100.0 * rate.change()?;
    Some(quantity::difference_with_decimals(change, quantity::share_decimals(n), Unit::Percent))
}

/// Places, each once.
pub(super) fn grounds<'p>(places: impl Iterator<Item = &'p Location>, comma: &str) -> Text {
    let places: IndexSet<String> = places.map(ToString::to_string).collect();
    let pieces = places.into_iter().flat_map(|place| [Text::plain(comma), Text::code(place)]);
    Text(pieces.skip(1).flat_map(|piece| piece.0).collect())
}
