//! From the text of an expectation to what it asks for: `↑ +20-40pp`, `↓ -30-60% relative`,
//! `≈ (不应退化)`, `< 10pp`, in Chinese and English.
//!
//! A text is cut into known words, signs and numbers; one that is in no list makes it unreadable,
//! because a word that is skipped may be the one that matters. Nothing is guessed: a range in `%` of
//! a rate keeps both of its readings.

pub use super::lexicon::Way;
use super::lexicon::{self, Token};

/// What an expectation asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// A rise or a fall of at least `least` and at most `most`, both not negative.
    Toward {
        /// Which way.
        way: Way,
        /// The least; `None` where no size is named.
        least: Option<f64>,
        /// The most.
        most: Option<f64>,
        /// Unit of both.
        unit: Written,
    },
    /// A change between two numbers.
    Between {
        /// The smaller; `None` where there is none.
        lo: Option<f64>,
        /// The larger.
        hi: Option<f64>,
        /// Whether the numbers themselves belong to it.
        closed: bool,
        /// Unit of both.
        unit: Written,
    },
    /// About the same.
    Same {
        /// What still counts as the same, where that is said.
        tolerance: Option<(f64, Written)>,
        /// A slight move this way is as good; its size is not said.
        or: Option<Way>,
    },
    /// Not worse.
    NotWorse {
        /// What still counts as not worse, where that is said.
        tolerance: Option<(f64, Written)>,
    },
    /// Does not go that way.
    NotToward {
        /// Which way.
        way: Way,
        /// What still counts as none, where that is said.
        tolerance: Option<(f64, Written)>,
    },
    /// Better, by that much where it is said.
    Better {
        /// The least.
        least: Option<f64>,
        /// The most.
        most: Option<f64>,
        /// Unit of both.
        unit: Written,
    },
    /// A figure of the candidate that is reached, or lies between two numbers.
    Level {
        /// From which side; `None` says the good side of the metric.
        way: Option<Way>,
        /// The number.
        level: f64,
        /// The larger number of a range.
        most: Option<f64>,
        /// Unit of both.
        unit: Written,
    },
    /// A limit of which nothing says whether the candidate's figure or the change is meant.
    Limit {
        /// Whether values below are meant.
        below: bool,
        /// Whether the number itself belongs to them.
        closed: bool,
        /// The number.
        at: f64,
        /// Its unit.
        unit: Written,
    },
    /// A figure of the candidate close to a number.
    Near {
        /// The number.
        level: f64,
        /// How close, where that is said.
        tolerance: Option<f64>,
        /// Unit of both.
        unit: Written,
    },
}

/// The unit of a size as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// None.
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
    let tokens = lexicon::tokens(text).map_err(Unreadable::Word)?;
    let parts = Parts::of(&tokens)?;
    parts.aim().ok_or(Unreadable::Form)
}

/// The tokens by what they are.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "one for each kind of word that may be there")]
struct Parts {
    ways: Vec<Way>,
    about: bool,
    roughly: bool,
    not: Option<Way>,
    better: bool,
    level: bool,
    not_worse: bool,
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
    fn of(tokens: &[Token]) -> Result<Self, Unreadable> {
        let mut parts = Self::default();
        for token in tokens {
            match *token {
                Token::Way(way) if parts.ways.contains(&way) => {}
                Token::Way(way) => parts.ways.push(way),
                Token::About => parts.about = true,
                Token::Roughly => (parts.about, parts.roughly) = (true, true),
                Token::Not(way) => {
                    if parts.not.replace(way).is_some() {
                        return Err(Unreadable::Form);
                    }
                }
                Token::Better => parts.better = true,
                Token::Level => parts.level = true,
                Token::NotWorse => parts.not_worse = true,
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

    fn unit(&self) -> Option<Written> {
        match (self.points, self.relative, self.percent) {
            (true, true, _) | (true, _, true) => None,
            (true, false, false) => Some(Written::Points),
            (false, true, _) => Some(Written::Relative),
            (false, false, true) => Some(Written::Percent),
            (false, false, false) => Some(Written::Plain),
        }
    }

    fn aim(&self) -> Option<Aim> {
        let unit = self.unit()?;
        let numbers = self.numbers.as_slice();
        if let Some(way) = self.not {
            let tolerance = self.lone_size(unit).ok()?;
            let alone = self.is_bare() && self.bound.is_none() && self.ways.is_empty();
            return alone.then_some(Aim::NotToward { way, tolerance });
        }
        if self.better {
            return self.better(unit);
        }
        if self.level {
            return self.level(unit);
        }
        if self.near || (self.roughly && self.is_level(unit)) {
            let (level, tolerance) = match numbers {
                [(level, None)] if !self.tolerance => (*level, None),
                [(level, None), (most, None)] if self.tolerance => (*level, Some(*most)),
                _ => return None,
            };
            let plain = self.ways.is_empty() && self.bound.is_none() && !self.not_worse;
            return plain.then_some(Aim::Near { level, tolerance, unit });
        }
        if self.not_worse || self.degrades {
            return self.not_worse(unit);
        }
        if self.about {
            let tolerance = self.lone_size(unit).ok()?;
            let or = match self.ways.as_slice() {
                [] => None,
                [way] => Some(*way),
                _ => return None,
            };
            let is_tolerance = tolerance.is_none() || (self.tolerance && or.is_none());
            return (self.bound.is_none() && is_tolerance).then_some(Aim::Same { tolerance, or });
        }
        if self.tolerance {
            let [(size, _)] = numbers else { return None };
            let alone = self.ways.is_empty() && self.bound.is_none();
            let tolerance = Some((*size, unit));
            return alone.then_some(Aim::Same { tolerance, or: None });
        }
        match self.bound {
            Some(bound) => self.bounded(bound, unit),
            None => self.toward(unit),
        }
    }

    /// Whether no word of another form is there.
    fn is_bare(&self) -> bool {
        !(self.about
            || self.not_worse
            || self.degrades
            || self.near
            || self.level
            || self.tolerance)
    }

    /// `≈ 60%`, `≈ 60% ± 2%`.
    fn is_level(&self, unit: Written) -> bool {
        let numbers = if self.tolerance { 2 } else { 1 };
        self.numbers.len() == numbers
            && matches!(unit, Written::Percent | Written::Plain)
            && self.ways.is_empty()
            && self.bound.is_none()
            && !self.degrades
    }

    /// `改善`, `better by 5pp`.
    fn better(&self, unit: Written) -> Option<Aim> {
        let fits = self.is_bare() && self.not.is_none() && self.ways.is_empty();
        let (least, most) = match (self.numbers.as_slice(), self.bound) {
            ([], None) if unit == Written::Plain => (None, None),
            ([(size, None | Some(1.0))], None | Some((false, _))) => (Some(*size), None),
            ([(size, None | Some(1.0))], Some((true, _))) => (Some(0.0), Some(*size)),
            ([(one, _), (other, _)], None) => (Some(one.min(*other)), Some(one.max(*other))),
            _ => return None,
        };
        fits.then_some(Aim::Better { least, most, unit })
    }

    /// `↓ to 5%`, `达到 60%`, `降到 5-10%`.
    fn level(&self, unit: Written) -> Option<Aim> {
        let bare = !(self.about || self.not_worse || self.degrades || self.near || self.tolerance);
        let way = match (self.ways.as_slice(), self.bound) {
            ([], None) => None,
            ([way], None) => Some(*way),
            ([], Some((below, true))) => Some(if below { Way::Down } else { Way::Up }),
            _ => return None,
        };
        let (level, most) = match self.numbers.as_slice() {
            [(level, None)] => (*level, None),
            [(one, None), (other, None)] => (one.min(*other), Some(one.max(*other))),
            _ => return None,
        };
        bare.then_some(Aim::Level { way, level, most, unit })
    }

    /// `不应退化`, `must not degrade`, `退化 < 5pp`.
    fn not_worse(&self, unit: Written) -> Option<Aim> {
        let tolerance = self.lone_size(unit).ok()?;
        let bound_fits = match self.bound {
            None => !self.degrades || self.not_worse,
            Some((below, _)) => below && self.degrades,
        };
        let alone = self.ways.is_empty() && bound_fits;
        alone.then_some(Aim::NotWorse { tolerance })
    }

    /// The only number without its sign, where there is one; several are refused.
    fn lone_size(&self, unit: Written) -> Result<Option<(f64, Written)>, Unreadable> {
        match self.numbers.as_slice() {
            [] => Ok(None),
            [(size, _)] => Ok(Some((*size, unit))),
            _ => Err(Unreadable::Form),
        }
    }

    /// `< 10pp`, `↓ > 30%`.
    fn bounded(&self, (below, closed): (bool, bool), unit: Written) -> Option<Aim> {
        let [(size, sign)] = self.numbers.as_slice() else { return None };
        match self.ways.as_slice() {
            [way] if sign.is_none_or(|sign| sign == way.sign()) => {
                let (least, most) =
                    if below { (Some(0.0), Some(*size)) } else { (Some(*size), None) };
                Some(Aim::Toward { way: *way, least, most, unit })
            }
            [] if sign.is_none() && matches!(unit, Written::Percent | Written::Plain) => {
                Some(Aim::Limit { below, closed, at: *size, unit })
            }
            [] => {
                let at = size * sign.unwrap_or(1.0);
                let away = if below { at < 0.0 } else { at > 0.0 };
                let way = if at < 0.0 { Way::Down } else { Way::Up };
                if away {
                    return Some(Aim::Toward { way, least: Some(*size), most: None, unit });
                }
                let (lo, hi) = if below { (None, Some(at)) } else { (Some(at), None) };
                Some(Aim::Between { lo, hi, closed, unit })
            }
            _ => None,
        }
    }

    /// `↑`, `↑ +20-40pp`, `-30-60%`, `-1 ~ +2pp`.
    fn toward(&self, unit: Written) -> Option<Aim> {
        let signs: Vec<f64> = self.numbers.iter().filter_map(|(_, sign)| *sign).collect();
        let way = match (self.ways.as_slice(), signs.as_slice()) {
            ([way], signs) if signs.iter().all(|sign| *sign == way.sign()) => Some(*way),
            ([], [-1.0, 1.0]) => None,
            // A range without a sign is one of a rise only where it cannot be one of figures.
            ([], []) if matches!(unit, Written::Points | Written::Relative) => None,
            ([], [-1.0, ..]) if !signs.contains(&1.0) => Some(Way::Down),
            ([], [1.0, ..]) if !signs.contains(&-1.0) => Some(Way::Up),
            _ => return None,
        };
        match (way, self.numbers.as_slice()) {
            (Some(way), []) if unit == Written::Plain => {
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
                Some(Aim::Between { lo, hi, closed: true, unit })
            }
            (None, [(down, _), (up, _)]) => {
                Some(Aim::Between { lo: Some(-down), hi: Some(*up), closed: true, unit })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use Way::{Down, Up};
    use Written::{Percent, Plain, Points, Relative};

    use super::*;

    fn toward(way: Way, least: Option<f64>, most: Option<f64>, unit: Written) -> Aim {
        Aim::Toward { way, least, most, unit }
    }

    fn between(lo: Option<f64>, hi: Option<f64>) -> Aim {
        Aim::Between { lo, hi, closed: true, unit: Points }
    }

    fn level(way: Option<Way>, level: f64) -> Aim {
        Aim::Level { way, level, most: None, unit: Percent }
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
            ("< 10pp", Aim::Between { lo: None, hi: Some(10.0), closed: false, unit: Points }),
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
            ("≈", Aim::Same { tolerance: None, or: None }),
            ("about the same", Aim::Same { tolerance: None, or: None }),
            ("≈ ±2pp", Aim::Same { tolerance: Some((2.0, Points)), or: None }),
            ("±0.1", Aim::Same { tolerance: Some((0.1, Plain)), or: None }),
            ("≈ 或小幅 ↑", Aim::Same { tolerance: None, or: Some(Up) }),
            ("≈ 不变或小幅上升", Aim::Same { tolerance: None, or: Some(Up) }),
            ("不应退化", Aim::NotWorse { tolerance: None }),
            ("≈ (不应退化)", Aim::NotWorse { tolerance: None }),
            ("must not degrade", Aim::NotWorse { tolerance: None }),
            ("退化 < 5pp", Aim::NotWorse { tolerance: Some((5.0, Points)) }),
            ("must not degrade by more than 5pp", Aim::NotWorse { tolerance: Some((5.0, Points)) }),
            ("↓ to 5%", level(Some(Down), 5.0)),
            ("提升到 60%", level(Some(Up), 60.0)),
            ("降到 5%", level(Some(Down), 5.0)),
            ("达到 60%", level(None, 60.0)),
            ("reaches 60%", level(None, 60.0)),
            ("≥ 85%", Aim::Limit { below: false, closed: true, at: 85.0, unit: Percent }),
            ("< 5%", Aim::Limit { below: true, closed: false, at: 5.0, unit: Percent }),
            ("≈ 60%", Aim::Near { level: 60.0, tolerance: None, unit: Percent }),
            ("不能下降", Aim::NotToward { way: Down, tolerance: None }),
            ("基本不变", Aim::Same { tolerance: None, or: None }),
            ("改善", Aim::Better { least: None, most: None, unit: Plain }),
            ("must improve", Aim::Better { least: None, most: None, unit: Plain }),
            ("better by 5pp", Aim::Better { least: Some(5.0), most: None, unit: Points }),
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
