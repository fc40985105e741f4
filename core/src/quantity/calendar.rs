//! Days and moments, without a clock: dates as people and programs write them.
//!
//! From days to dates and back by H. Hinnant, "chrono-compatible low-level date algorithms" (2013).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

const DAY: i64 = 86_400;
/// Days between 0000-03-01, where the algorithm counts from, and 1970-01-01.
const EPOCH: i64 = 719_468;
/// Days of 400 years, after which the calendar repeats.
const ERA: i64 = 146_097;

/// A day of the calendar, by its number since 1970-01-01. It reads `2026-03-01`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Night(pub i32);

/// A second of universal time, by its number since 1970. It reads `2026-03-01T06:00:00Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Moment(pub i64);

/// A length of time, in seconds, not negative. It reads `36h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period(i64);

/// A time of the day in a fixed zone: `06:00`, `06:00+08:00`, both in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeOfDay {
    seconds: i64,
    /// East of Greenwich.
    offset: i64,
}

impl Night {
    fn from_date(year: i64, month: i64, day: i64) -> Option<Self> {
        let year = if month <= 2 { year - 1 } else { year };
        let era = year.div_euclid(400);
        let of_era = year.rem_euclid(400);
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let days = era * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH;
        i32::try_from(days).ok().map(Self)
    }

    fn date(self) -> (i64, i64, i64) {
        let days = i64::from(self.0) + EPOCH;
        let of_era = days.rem_euclid(ERA);
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        (year + days.div_euclid(ERA) * 400 + i64::from(month <= 2), month, day)
    }

    /// The night that is so many days before.
    #[must_use]
    pub fn before(self, days: u32) -> Self {
        Self(self.0.saturating_sub_unsigned(days))
    }

    /// Days from an earlier night.
    pub fn days_since(self, earlier: Self) -> i64 {
        i64::from(self.0) - i64::from(earlier.0)
    }

    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// `2026-03`.
    pub fn month(self) -> String {
        let (year, month, _) = self.date();
        format!("{year:04}-{month:02}")
    }

    /// The last date of this century in a text, written `2026-03-01`, `2026_03_01` or `20260301`.
    pub fn named_in(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let number = |from: usize, digits: usize| -> Option<i64> {
            let digits = bytes.get(from..from + digits)?;
            let all = digits.iter().all(u8::is_ascii_digit);
            all.then(|| digits.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')))
        };
        let date_at = |at: usize| -> Option<Self> {
            let year = number(at, 4).filter(|year| (2000..2100).contains(year))?;
            let mark = bytes.get(at + 4).filter(|mark| matches!(mark, b'-' | b'_'));
            let wide = usize::from(mark.is_some());
            if wide == 1 && bytes.get(at + 7) != mark {
                return None;
            }
            let end = at + 8 + 2 * wide;
            if at.checked_sub(1).is_some_and(is_digit) || is_digit(end) {
                return None;
            }
            Self::valid(year, number(at + 4 + wide, 2)?, number(at + 6 + 2 * wide, 2)?)
        };
        (0..bytes.len()).rev().find_map(date_at)
    }

    /// The date, where the calendar has it.
    fn valid(year: i64, month: i64, day: i64) -> Option<Self> {
        Self::from_date(year, month, day).filter(|night| night.date() == (year, month, day))
    }
}

impl Moment {
    /// So many seconds after `earlier`; negative where the clock was set back.
    pub fn seconds_since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// A time as programs record it: RFC 3339, seconds or milliseconds since 1970, a date with a time and
    /// without a zone, which is taken for universal time, and a date, whose first second is meant.
    /// Seconds before 2001 are those of another clock, such as the time since a machine started.
    pub fn recorded(text: &str) -> Option<Self> {
        const FIRST_SECOND: f64 = 1e9;
        const FIRST_MILLISECOND: f64 = 1e12;
        let text = text.trim();
        if let Ok(number) = text.parse::<f64>() {
            let seconds = if number >= FIRST_MILLISECOND { number / 1000.0 } else { number };
            return (FIRST_SECOND..FIRST_MILLISECOND)
                .contains(&seconds)
                .then_some(Self(seconds as i64));
        }
        let date = || text.parse().ok().map(|night| TimeOfDay::default().on(night));
        text.parse().ok().or_else(|| format!("{text}Z").parse().ok()).or_else(date)
    }

    /// The night that it lies in where `of` says the zone.
    pub fn night(self, of: TimeOfDay) -> Night {
        let days = self.0.saturating_add(of.offset).div_euclid(DAY);
        Night(i32::try_from(days).unwrap_or_default())
    }
}

impl Period {
    /// Units with their seconds, ascending.
    const UNITS: [(&str, i64); 4] = [("s", 1), ("m", 60), ("h", 3600), ("d", DAY)];

    pub fn seconds(self) -> i64 {
        self.0
    }
}

impl FromStr for Period {
    type Err = ();

    /// `90s`, `10m`, `36h`, `2d`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let parsed = Self::UNITS.iter().find_map(|(unit, seconds)| {
            let number: u32 = text.trim().strip_suffix(unit)?.trim_end().parse().ok()?;
            Some(Self(i64::from(number) * seconds))
        });
        parsed.ok_or(())
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = |(_, seconds): &&(&str, i64)| self.0 % seconds == 0;
        let (unit, seconds) = Self::UNITS.iter().rfind(whole).unwrap_or(&("s", 1));
        write!(f, "{}{unit}", self.0 / seconds)
    }
}

impl TimeOfDay {
    /// When it is that time on a night.
    pub fn on(self, night: Night) -> Moment {
        Moment(i64::from(night.0) * DAY + self.seconds - self.offset)
    }
}

impl fmt::Display for Night {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Night {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let parts: Option<Vec<i64>> = text.split('-').map(|part| part.parse().ok()).collect();
        match parts.as_deref() {
            Some(&[year, month, day]) => Self::valid(year, month, day).ok_or(()),
            _ => Err(()),
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = self.0.rem_euclid(DAY);
        let (hour, minute) = (second / 3600, second / 60 % 60);
        write!(f, "{}T{hour:02}:{minute:02}:{:02}Z", self.night(TimeOfDay::default()), second % 60)
    }
}

impl FromStr for Moment {
    type Err = ();

    /// RFC 3339: `2026-03-01T06:00:00Z`, `2026-03-01 14:00:00+08:00`; seconds may be left out, and
    /// parts of them do not count.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (date, time) = text.trim().split_once(['T', 't', ' ']).ok_or(())?;
        let zone = time.find(['Z', 'z', '+', '-']).ok_or(())?;
        let (time, zone) = time.split_at(zone);
        let (time, _parts_of_a_second) = time.split_once('.').unwrap_or((time, ""));
        let of_day = TimeOfDay { seconds: clock(time)?, offset: offset(zone)? };
        Ok(of_day.on(date.parse()?))
    }
}

impl fmt::Display for TimeOfDay {
    /// `06:00`, `06:00:30+08:00`; nothing stands for universal time.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seconds, offset } = self;
        write!(f, "{:02}:{:02}", seconds / 3600, seconds / 60 % 60)?;
        if seconds % 60 != 0 {
            write!(f, ":{:02}", seconds % 60)?;
        }
        if *offset == 0 {
            return Ok(());
        }
        let sign = if *offset < 0 { '-' } else { '+' };
        write!(f, "{sign}{:02}:{:02}", offset.abs() / 3600, offset.abs() / 60 % 60)
    }
}

impl FromStr for TimeOfDay {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (time, zone) = text.split_at(text.find(['Z', 'z', '+', '-']).unwrap_or(text.len()));
        Ok(Self { seconds: clock(time)?, offset: offset(zone)? })
    }
}

/// `06:00`, `06:00:30` in seconds.
fn clock(text: &str) -> Result<i64, ()> {
    let mut seconds = 0;
    let parts: Vec<&str> = text.trim().split(':').collect();
    if !(2..=3).contains(&parts.len()) {
        return Err(());
    }
    for ((part, most), weight) in parts.iter().zip([23, 59, 60]).zip([3600, 60, 1]) {
        let is_plain = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        let number: i64 =
            part.parse().ok().filter(|number| is_plain && *number <= most).ok_or(())?;
        seconds += number * weight;
    }
    Ok(seconds)
}

/// `Z`, `+08:00`, or nothing for universal time, in seconds.
fn offset(zone: &str) -> Result<i64, ()> {
    match (zone.get(..1), zone.get(1..)) {
        (None, _) | (Some("Z" | "z"), Some("")) => Ok(0),
        (Some("+"), Some(time)) => clock(time),
        (Some("-"), Some(time)) => clock(time).map(|seconds| -seconds),
        _ => Err(()),
    }
}

macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                let wrong = |()| serde::de::Error::custom(format!("`{text}` is no date or time"));
                text.parse().map_err(wrong)
            }
        }
    )*};
}

as_text!(Night, Moment);

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of days and seconds by `date -u -d … +%s` of GNU coreutils 9.
    #[test]
    fn dates_and_moments_are_those_of_gnu_date() {
        for (text, days) in [
            ("1970-01-01", 0),
            ("2000-02-29", 11_016),
            ("2026-03-01", 20_513),
            ("2100-03-01", 47_541),
            ("1969-12-31", -1),
        ] {
            assert_eq!(text.parse(), Ok(Night(days)), "{text}");
            assert_eq!(Night(days).to_string(), text);
        }
        for (text, seconds) in [
            ("2026-03-01T06:00:00Z", 1_772_344_800),
            ("2026-03-01T14:00:00+08:00", 1_772_344_800),
            ("2026-02-28 23:00:00.75-07:00", 1_772_344_800),
            ("2016-12-31T23:59Z", 1_483_228_740),
        ] {
            assert_eq!(text.parse(), Ok(Moment(seconds)), "{text}");
        }
        assert_eq!(Moment(1_772_344_800).to_string(), "2026-03-01T06:00:00Z");
    }

    /// Seconds by `date -u -d … +%s` of GNU coreutils 9.
    #[test]
    fn times_are_read_as_programs_record_them() {
        for (text, seconds) in [
            ("2026-03-01T06:00:00.123456+00:00", Some(1_772_344_800)),
            ("2026-03-01 06:00:00", Some(1_772_344_800)),
            ("1772344800.77", Some(1_772_344_800)),
            ("1772344800123", Some(1_772_344_800)),
            ("187612.25", None),
            ("2026-03-01", Some(1_772_323_200)),
            ("01.03.2026 06:00", None),
            ("yesterday", None),
            ("nan", None),
            ("-1772344800", None),
        ] {
            assert_eq!(Moment::recorded(text), seconds.map(Moment), "{text}");
        }
    }

    #[test]
    fn lengths_of_time_have_a_unit() {
        for (text, seconds, shown) in [
            ("90s", 90, "90s"),
            ("10 m", 600, "10m"),
            ("36h", 129_600, "36h"),
            ("48h", 172_800, "2d"),
        ] {
            let period: Period = text.parse().expect(text);
            assert_eq!((period.seconds(), period.to_string()), (seconds, shown.to_owned()));
        }
        for text in ["36", "h", "-1h", "1.5h", "1w", "99999999999d", ""] {
            assert_eq!(text.parse::<Period>(), Err(()), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in ["2026-02-29", "2026-13-01", "2026-3", "tonight", ""] {
            assert_eq!(text.parse::<Night>(), Err(()), "{text}");
        }
        for text in ["2026-03-01", "2026-03-01T06:00:00", "2026-03-01T24:00:00Z", "T06:00Z"] {
            assert_eq!(text.parse::<Moment>(), Err(()), "{text}");
        }
        for text in ["6", "06:60", "06:00+8", "6:00", "-1:00"] {
            assert_eq!(text.parse::<TimeOfDay>(), Err(()), "{text}");
        }
    }

    #[test]
    fn a_night_is_read_from_the_name_of_a_run() {
        let named = |text| Night::named_in(text).map(|night| night.to_string());
        let date = Some("2026-03-01".to_owned());
        for text in
            ["runs/2026-03-01", "eval_20260301_0615", "2026_03_01/model", "2025-01-01/20260301"]
        {
            assert_eq!(named(text), date, "{text}");
        }
        for text in ["runs/seed-7", "ckpt-120260301", "2026-02-30", "19990101", "2026-0301"] {
            assert_eq!(named(text), None, "{text}");
        }
    }

    #[test]
    fn a_night_ends_at_midnight_of_its_zone_and_none_is_skipped_where_clocks_change() {
        let zone: TimeOfDay = "06:00+08:00".parse().expect("a time");
        let moment: Moment = "2026-03-01T16:00:00Z".parse().expect("a moment");
        assert_eq!(moment.night(zone).to_string(), "2026-03-02");
        assert_eq!(Moment(moment.0 - 1).night(zone).to_string(), "2026-03-01");
        assert_eq!(zone.on(moment.night(zone)).to_string(), "2026-03-01T22:00:00Z");
    }
}
