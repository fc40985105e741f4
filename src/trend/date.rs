//! The logical night that figures are filed under.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A day, counted from 1970-01-01 as the column `night` of the history is. Its text is ISO 8601.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NightDate(pub i32);

impl NightDate {
    /// Days from an earlier night.
    pub fn days_since(self, earlier: Self) -> i64 {
        i64::from(self.0) - i64::from(earlier.0)
    }

    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for NightDate {
    /// Eras of 400 years that begin in March (Hinnant 2014, `civil_from_days`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let days = i64::from(self.0) + 719_468;
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + era * 400 + i64::from(month <= 2);
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Days as `date -u -d DATE +%s` of GNU coreutils has them, divided by 86,400.
    #[test]
    fn days_have_the_dates_that_coreutils_gives_them() {
        let dates = [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (11_016, "2000-02-29"),
            (20_512, "2026-02-28"),
            (20_513, "2026-03-01"),
            (-25_509, "1900-02-28"),
            (-25_508, "1900-03-01"),
        ];
        for (day, date) in dates {
            assert_eq!(NightDate(day).to_string(), date);
        }
    }
}
