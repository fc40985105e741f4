//! How often an answer was asked for: names of fields that count it, and small counts of other names.

use std::collections::BTreeMap;

use super::{ContentHashes, SampleTable, SharedPart};

/// Most that a count of attempts is.
const MOST: u16 = 64;

/// Words that may stand beside the one for attempts: `num_tries`, `attempts_made`.
const COUNTING: [&str; 10] =
    ["count", "made", "n", "nb", "no", "num", "number", "of", "total", "used"];

/// What to add to a count of attempts or retries so that the first attempt is 2, or 1 where attempts
/// are counted from 0; `None` for other names.
pub fn attempts_from(name: &str) -> Option<u16> {
    let mut words = name.split('_').filter(|word| !COUNTING.contains(word));
    let counted = words.next()?;
    if words.next().is_some() {
        return None;
    }
    match counted {
        "attempt" | "attempts" | "try" | "tries" => Some(1),
        "retry" | "retries" | "retried" => Some(2),
        _ => None,
    }
}

impl SampleTable {
    /// Fields that hold nothing but whole numbers up to 64, and that of each row.
    pub fn small_counts(&self) -> impl Iterator<Item = (&str, Vec<Option<u16>>)> {
        let numbers = (0..=MOST).map(|count| {
            let hash = ContentHashes::hash_bytes(count.to_string().as_bytes());
            ((hash.get() as u32).max(1), count)
        });
        let numbers: BTreeMap<u32, u16> = numbers.collect();
        let whole = self.shared_fields().iter().filter(|(key, _)| key.part == SharedPart::Whole);
        let shared = whole.filter_map(move |(key, values)| {
            let known = values.iter().filter(|&&value| value != 0);
            let are_counts = known.clone().all(|value| numbers.contains_key(value));
            let counts = || values.iter().map(|value| numbers.get(value).copied()).collect();
            are_counts.then(|| (key.field.as_str(), counts()))
        });
        let measured = self.columns().iter().filter(|(_, column)| !column.is_binary());
        let measured = measured.filter_map(|(name, column)| {
            let numbers = || (0..self.len()).map(|row| column.get(row));
            let are_counts = numbers().flatten().all(is_small_count);
            let counts = || numbers().map(|number| Some(number? as u16)).collect();
            are_counts.then(|| (name.as_str(), counts()))
        });
        shared.chain(measured)
    }
}

fn is_small_count(number: f64) -> bool {
    number.fract() == 0.0 && (0.0..=f64::from(MOST)).contains(&number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_and_retries_are_counted_under_many_names() {
        for (name, first) in [
            ("attempts", Some(1)),
            ("n_tries", Some(1)),
            ("num_attempts", Some(1)),
            ("attempts_made", Some(1)),
            ("number_of_tries", Some(1)),
            ("total_retries", Some(2)),
            ("retry_count", Some(2)),
            ("max_attempts", None),
            ("attempt_id", None),
            ("count", None),
            ("", None),
        ] {
            assert_eq!(attempts_from(name), first, "{name}");
        }
    }
}
