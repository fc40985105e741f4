//! From the text of an expectation to what it asks for: `↑ +20-40pp`, `↓ -30-60% relative`,
//! `≈ (不应退化)`, `< 10pp`, in Chinese and English.
//!
//! A text is cut into known words, signs and numbers; one that is in no list makes it unreadable,
//! because a word that is skipped may be the one that matters. Nothing is guessed: a range in `%` of
//! a rate keeps both of its readings.

pub use super::lexicon::ExpectedWay;
use super::lexicon::{self, Token};

/// What an expectation asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// A rise or a fall of at least `least` and at most `most`, both not negative.
    Toward {
        way: ExpectedWay,
        /// The least; `None` where no size is named.
        least: Option<f64>,
        most: Option<f64>,
        /// Unit of both.
        unit: SizeUnit,
    },
    /// A value between two numbers.
    Between {
        /// What lies between them.
        subject: Subject,
        /// The smaller; `None` where there is none.
        lo: Option<f64>,
        /// The larger.
        hi: Option<f64>,
        /// Whether the numbers themselves belong to it.
        closed: bool,
        /// Unit of both.
        unit: SizeUnit,
    },
    /// About the same, or anything on one side of it.
    Same {
        /// What still counts as the same, where that is said.
        tolerance: Option<(f64, SizeUnit)>,
        /// A move this way is as good.
        or: Option<ExpectedWay>,
        /// Whether only a slight one is; its size is not said.
        is_slight: bool,
    },
    /// A figure of the candidate that is at least as good as a number.
    Reach { level: f64, unit: SizeUnit },
    /// A figure of the candidate close to a number.
    Near {
        level: f64,
        /// How close, where that is said.
        tolerance: Option<f64>,
        /// Unit of both.
        unit: SizeUnit,
    },
}

/// What a range is one of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Change,
    /// The candidate's figure.
    Level,
    /// Nothing says which of the two.
    Either,
}

/// The unit of a size as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizeUnit {
    /// No unit is written.
    Plain,
    /// `pp`: points.
    Points,
    /// `% relative`: a share of the baseline.
    Relative,
    /// `%`: of a rate, points or a share of the baseline; nothing says which.
    Percent,
}

/// Why a text is no expectation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreadable {
    /// A word that is in no list.
    Word(String),
    /// The parts contradict each other, or are in no order that is known.
    Form,
}

/// Reads an expectation.
///
/// # Errors
/// When a word is not known, or the parts do not fit together.
pub(super) fn parse(text: &str) -> Result<Aim, Unreadable> {
    let tokens = lexicon::expectation_tokens(text).map_err(Unreadable::Word)?;
    let parts = Parts::new(&tokens)?;
    parts.aim().ok_or(Unreadable::Form)
}

/// The tokens by what they are.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "one for each kind of word that may be there")]
struct Parts {
    ways: Vec<ExpectedWay>,
    about: bool,
    roughly: bool,
    only: Option<ExpectedWay>,
    level: bool,
    degrades: bool,
    near: bool,
    bound: Option<(bool, bool)>,
    /// Numbers with the sign that is written before them.
    numbers: Vec<(f64, Option<f64>)>,
    tolerance: bool,
    percent: bool,
    points: bool,
    relative: bool,
}

impl Parts {
    fn new(tokens: &[Token]) -> Result<Self, Unreadable> {
        let mut parts = Self::default();
        for token in tokens {
            match *token {
                Token::Way(way) if parts.ways.contains(&way) => {}
                Token::Way(way) => parts.ways.push(way),
                Token::About => parts.about = true,
                Token::Roughly => (parts.about, parts.roughly) = (true, true),
                Token::Only(way) => match parts.only.replace(way) {
                    Some(earlier) if earlier != way || way != ExpectedWay::Better => {
                        return Err(Unreadable::Form);
                    }
                    _ => {}
                },
                Token::Level => parts.level = true,
                Token::Degrades => parts.degrades = true,
                Token::Near => parts.near = true,
                Token::PlusMinus => parts.tolerance = true,
                Token::Bound { below, closed } => {
                    if parts.bound.replace((below, closed)).is_some() {
                        return Err(Unreadable::Form);
                    }
                }
                Token::Number { value, sign } => parts.numbers.push((value, sign)),
                Token::Percent => parts.percent = true,
                Token::Points => parts.points = true,
                Token::Relative => parts.relative = true,
                Token::Slight | Token::Filler => {}
            }
        }
        Ok(parts)
    }

    fn unit(&self) -> Option<SizeUnit> {
        match (self.points, self.relative, self.percent) {
            (true, true, _) | (true, _, true) => None,
            (true, false, false) => Some(SizeUnit::Points),
            (false, true, _) => Some(SizeUnit::Relative),
            (false, false, true) => Some(SizeUnit::Percent),
            (false, false, false) => Some(SizeUnit::Plain),
        }
    }

    fn aim(&self) -> Option<Aim> {
        let unit = self.unit()?;
        let is_steady = self.about || self.only.is_some() || self.degrades || self.tolerance;
        if self.level {
            let fits = !is_steady && !self.near;
            return fits.then(|| self.level(unit)).flatten();
        }
        if self.near || (self.roughly && self.is_level(unit)) {
            let (level, tolerance) = match self.numbers.as_slice() {
                [(level, None)] if !self.tolerance => (*level, None),
                [(level, None), (most, None)] if self.tolerance => (*level, Some(*most)),
                _ => return None,
            };
            let plain = self.ways.is_empty() && self.bound.is_none() && self.only.is_none();
            return plain.then_some(Aim::Near { level, tolerance, unit });
        }
        match self.bound {
            _ if is_steady => self.steady(unit),
            Some(bound) => self.bounded(bound, unit),
            None => self.toward(unit),
        }
    }

    /// `≈ 60%`, `≈ 60% ± 2%`.
    fn is_level(&self, unit: SizeUnit) -> bool {
        let numbers = if self.tolerance { 2 } else { 1 };
        self.numbers.len() == numbers
            && matches!(unit, SizeUnit::Percent | SizeUnit::Plain)
            && self.ways.is_empty()
            && self.bound.is_none()
            && !self.degrades
    }

    /// `↓ to 5%`, `达到 60%`, `降到 5-10%`.
    fn level(&self, unit: SizeUnit) -> Option<Aim> {
        let way = match (self.ways.as_slice(), self.bound) {
            ([], None) => ExpectedWay::Better,
            ([way], None) => *way,
            ([], Some((below, true))) => {
                if below {
                    ExpectedWay::Down
                } else {
                    ExpectedWay::Up
                }
            }
            _ => return None,
        };
        let (lo, hi) = match (self.numbers.as_slice(), way) {
            ([(one, None), (other, None)], _) => (Some(one.min(*other)), Some(one.max(*other))),
            ([(level, None)], ExpectedWay::Up) => (Some(*level), None),
            ([(level, None)], ExpectedWay::Down) => (None, Some(*level)),
            ([(level, None)], ExpectedWay::Better) => {
                return Some(Aim::Reach { level: *level, unit });
            }
            _ => return None,
        };
        Some(Aim::Between { subject: Subject::Level, lo, hi, closed: true, unit })
    }

    /// `≈ ±2pp`, `≈ 或小幅 ↑`, `不能下降`, `must not degrade`, `退化 < 5pp`.
    fn steady(&self, unit: SizeUnit) -> Option<Aim> {
        let tolerance = match self.numbers.as_slice() {
            [] => None,
            [(size, _)] => Some((*size, unit)),
            _ => return None,
        };
        let is_worse = self.degrades || self.only == Some(ExpectedWay::Better);
        let (or, fits) = match (self.only, self.ways.as_slice()) {
            (None | Some(ExpectedWay::Better), []) if is_worse => {
                let fits = match self.bound {
                    None => self.only.is_some(),
                    Some((below, _)) => below && self.degrades,
                };
                (Some(ExpectedWay::Better), fits)
            }
            (Some(way), []) => (Some(way), !(self.about || self.tolerance || self.degrades)),
            (None, []) if self.about => (None, tolerance.is_none() || self.tolerance),
            (None, []) => (None, tolerance.is_some()),
            (None, [way]) if self.about && !is_worse => (Some(*way), tolerance.is_none()),
            _ => return None,
        };
        let is_slight = !self.ways.is_empty();
        let fits = fits && (is_worse || self.bound.is_none());
        fits.then_some(Aim::Same { tolerance, or, is_slight })
    }

    /// `< 10pp`, `↓ > 30%`.
    fn bounded(&self, (below, closed): (bool, bool), unit: SizeUnit) -> Option<Aim> {
        let [(size, sign)] = self.numbers.as_slice() else { return None };
        match self.ways.as_slice() {
            [way] if sign.is_none_or(|sign| sign == way.sign()) => {
                let (least, most) =
                    if below { (Some(0.0), Some(*size)) } else { (Some(*size), None) };
                Some(Aim::Toward { way: *way, least, most, unit })
            }
            [] if sign.is_none() && matches!(unit, SizeUnit::Percent | SizeUnit::Plain) => {
                let (lo, hi) = if below { (None, Some(*size)) } else { (Some(*size), None) };
                Some(Aim::Between { subject: Subject::Either, lo, hi, closed, unit })
            }
            [] => {
                let at = size * sign.unwrap_or(1.0);
                let away = if below { at < 0.0 } else { at > 0.0 };
                let way = if at < 0.0 { ExpectedWay::Down } else { ExpectedWay::Up };
                if away {
                    return Some(Aim::Toward { way, least: Some(*size), most: None, unit });
                }
                let (lo, hi) = if below { (None, Some(at)) } else { (Some(at), None) };
                Some(Aim::Between { subject: Subject::Change, lo, hi, closed, unit })
            }
            _ => None,
        }
    }

    /// `↑`, `↑ +20-40pp`, `-30-60%`, `-1 ~ +2pp`.
    fn toward(&self, unit: SizeUnit) -> Option<Aim> {
        let signs: Vec<f64> = self.numbers.iter().filter_map(|(_, sign)| *sign).collect();
        let way = match (self.ways.as_slice(), signs.as_slice()) {
            ([way], signs) if signs.iter().all(|sign| *sign == way.sign()) => Some(*way),
            ([], [-1.0, 1.0]) => None,
            // A range without a sign is one of a rise only where it cannot be one of figures.
            ([], []) if matches!(unit, SizeUnit::Points | SizeUnit::Relative) => None,
            ([], [-1.0, ..]) if !signs.contains(&1.0) => Some(ExpectedWay::Down),
            ([], [1.0, ..]) if !signs.contains(&-1.0) => Some(ExpectedWay::Up),
            _ => return None,
        };
        match (way, self.numbers.as_slice()) {
            (Some(way), []) if unit == SizeUnit::Plain => {
                Some(Aim::Toward { way, least: None, most: None, unit })
            }
            (Some(way), [(least, _)]) => {
                Some(Aim::Toward { way, least: Some(*least), most: None, unit })
            }
            (Some(way), [(one, _), (other, _)]) => {
                let (least, most) = (Some(one.min(*other)), Some(one.max(*other)));
                Some(Aim::Toward { way, least, most, unit })
            }
            (None, [(one, None), (other, None)]) => {
                let (lo, hi) = (Some(one.min(*other)), Some(one.max(*other)));
                Some(Aim::Between { subject: Subject::Change, lo, hi, closed: true, unit })
            }
            (None, [(down, _), (up, _)]) => Some(Aim::Between {
                subject: Subject::Change,
                lo: Some(-down),
                hi: Some(*up),
                closed: true,
                unit,
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use SizeUnit::{Percent, Plain, Points, Relative};

    use ExpectedWay::{Better, Down, Up};

    use super::*;

    fn toward(way: ExpectedWay, least: Option<f64>, most: Option<f64>, unit: SizeUnit) -> Aim {
        Aim::Toward { way, least, most, unit }
    }

    fn between(lo: Option<f64>, hi: Option<f64>) -> Aim {
        Aim::Between { subject: Subject::Change, lo, hi, closed: true, unit: Points }
    }

    fn level(lo: Option<f64>, hi: Option<f64>) -> Aim {
        Aim::Between { subject: Subject::Level, lo, hi, closed: true, unit: Percent }
    }

    fn limit(lo: Option<f64>, hi: Option<f64>, closed: bool) -> Aim {
        Aim::Between { subject: Subject::Either, lo, hi, closed, unit: Percent }
    }

    fn same(tolerance: Option<(f64, SizeUnit)>, or: Option<ExpectedWay>, is_slight: bool) -> Aim {
        Aim::Same { tolerance, or, is_slight }
    }

    #[test]
    fn a_change_is_read_in_both_languages() {
        let (twenty, thirty) = ((Some(20.0), Some(40.0)), (Some(30.0), Some(60.0)));
        for (text, aim) in [
            ("↑ +20-40pp", toward(Up, twenty.0, twenty.1, Points)),
            ("＋20～40 个百分点", toward(Up, twenty.0, twenty.1, Points)),
            ("rises by 20 to 40 percentage points", toward(Up, twenty.0, twenty.1, Points)),
            ("提升 20-40pp", toward(Up, twenty.0, twenty.1, Points)),
            ("+40–20pp", toward(Up, twenty.0, twenty.1, Points)),
            ("↓ -30-60% relative", toward(Down, thirty.0, thirty.1, Relative)),
            ("下降 30% 至 60%（相对）", toward(Down, thirty.0, thirty.1, Relative)),
            ("-30 – -60 %", toward(Down, thirty.0, thirty.1, Percent)),
            ("↓ -30-60%", toward(Down, thirty.0, thirty.1, Percent)),
            ("↑", toward(Up, None, None, Plain)),
            ("⬇️ 显著下降", toward(Down, None, None, Plain)),
            ("↑ ≥ 5pp", toward(Up, Some(5.0), None, Points)),
            ("> 10pp", toward(Up, Some(10.0), None, Points)),
            ("+5pp", toward(Up, Some(5.0), None, Points)),
            ("↓ < 3pp", toward(Down, Some(0.0), Some(3.0), Points)),
            (
                "< 10pp",
                Aim::Between {
                    subject: Subject::Change,
                    lo: None,
                    hi: Some(10.0),
                    closed: false,
                    unit: Points,
                },
            ),
            ("≥ -2 pp", between(Some(-2.0), None)),
            ("-1 ~ +2pp", between(Some(-1.0), Some(2.0))),
            ("↑ up to 30pp", toward(Up, Some(0.0), Some(30.0), Points)),
            ("提升 最多 30pp", toward(Up, Some(0.0), Some(30.0), Points)),
            ("up to 30pp", between(None, Some(30.0))),
            ("↓ > 1,000", toward(Down, Some(1000.0), None, Plain)),
            ("+1,000pp", toward(Up, Some(1000.0), None, Points)),
            ("↑ ２０．５ｐｐ", toward(Up, Some(20.5), None, Points)),
            ("↑ 20pp to 40pp", toward(Up, twenty.0, twenty.1, Points)),
            ("+20..40pp", toward(Up, twenty.0, twenty.1, Points)),
            ("+20…40pp", toward(Up, twenty.0, twenty.1, Points)),
            ("between 20 and 40 pp", between(twenty.0, twenty.1)),
        ] {
            assert_eq!(parse(text), Ok(aim), "{text}");
        }
    }

    #[test]
    fn a_level_and_what_must_not_change_are_read_in_both_languages() {
        for (text, aim) in [
            ("≈", same(None, None, false)),
            ("about the same", same(None, None, false)),
            ("≈ ±2pp", same(Some((2.0, Points)), None, false)),
            ("±0.1", same(Some((0.1, Plain)), None, false)),
            ("≈ 或小幅 ↑", same(None, Some(Up), true)),
            ("≈ 不变或小幅上升", same(None, Some(Up), true)),
            ("不应退化", same(None, Some(Better), false)),
            ("≈ (不应退化)", same(None, Some(Better), false)),
            ("must not degrade", same(None, Some(Better), false)),
            ("退化 < 5pp", same(Some((5.0, Points)), Some(Better), false)),
            ("must not degrade by more than 5pp", same(Some((5.0, Points)), Some(Better), false)),
            ("↓ to 5%", level(None, Some(5.0))),
            ("提升到 60%", level(Some(60.0), None)),
            ("降到 5%", level(None, Some(5.0))),
            ("达到 60%", Aim::Reach { level: 60.0, unit: Percent }),
            ("reaches 60%", Aim::Reach { level: 60.0, unit: Percent }),
            ("≥ 85%", limit(Some(85.0), None, true)),
            ("< 5%", limit(None, Some(5.0), false)),
            ("≈ 60%", Aim::Near { level: 60.0, tolerance: None, unit: Percent }),
            ("不能下降", same(None, Some(Up), false)),
            ("基本不变", same(None, None, false)),
            ("改善", toward(Better, None, None, Plain)),
            ("must improve", toward(Better, None, None, Plain)),
            ("better by 5pp", toward(Better, Some(5.0), None, Points)),
            ("≈ 趋近 0", Aim::Near { level: 0.0, tolerance: None, unit: Plain }),
            ("near 0 ± 1%", Aim::Near { level: 0.0, tolerance: Some(1.0), unit: Percent }),
        ] {
            assert_eq!(parse(text), Ok(aim), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_text_is_read_or_refused(text in "[-+0-9.%≈↑↓<>±~pa-z退化不应小幅或 ]{0,24}") {
            let nameless = parse(&text) == Err(Unreadable::Word(String::new()));
            proptest::prop_assert!(!nameless);
        }
    }

    #[test]
    fn what_is_no_expectation_says_which_word_is_not_known() {
        let word = |word: &str| Unreadable::Word(word.to_owned());
        for (text, why) in [
            ("", Unreadable::Form),
            ("pp", Unreadable::Form),
            ("20pp", Unreadable::Form),
            ("↑ -20pp", Unreadable::Form),
            ("↑ ↓", Unreadable::Form),
            ("+1-2-3pp", Unreadable::Form),
            ("< 3 > 2", Unreadable::Form),
            ("+5pp relative", Unreadable::Form),
            ("退化 > 5pp", Unreadable::Form),
            ("↑ soonish", word("soonish")),
            ("大概会好", word("大概会好")),
            ("↑ +20pp <script>", word("script>")),
            ("+1e999pp", word("1e999pp")),
            ("↑ +20,5pp", word("20,5pp")),
            ("20，5pp", word("20,5pp")),
            ("↑ 0,125pp", word("0,125pp")),
            ("↓ > 1,0000", word("1,0000")),
            ("↑ 1 000", word("000")),
        ] {
            assert_eq!(parse(text), Err(why), "{text}");
        }
    }
}
