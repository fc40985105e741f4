//! The shipped catalogue of metrics: names that mean the same everywhere, names of single programs,
//! and rules by which other names borrow a meaning. Each has its source.
//!
//! Lines are taken apart when their name is asked for: no command waits for a thousand entries.
//! Knows nothing of what the user declares.

mod rules;

use std::sync::OnceLock;

use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::IntoDeserializer as _;
use serde::de::value::{Error, StrDeserializer};

use self::rules::Rule;
use super::{GivenRole, MetricSpec, RoleOrigin, SpecOrigin};
use crate::quantity::Unit;

const FILES: &[&str] = &[
    include_str!("answers.csv"),
    include_str!("failures.csv"),
    include_str!("text.csv"),
    include_str!("classes.csv"),
    include_str!("ranking.csv"),
    include_str!("vision.csv"),
    include_str!("speech.csv"),
    include_str!("cost.csv"),
    include_str!("training.csv"),
];
const PRODUCERS: &str = include_str!("producers.csv");
const RULES: &str = include_str!("rules.csv");

/// What stands for a whole number in a name.
const NUMBER: &str = "{k}";

/// What is known of a name, and who says so.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownMetric {
    pub spec: MetricSpec,
    /// The listed name whose meaning it has, where that is another one.
    pub like: Option<String>,
    /// Package, version and path of the file that shows the meaning; `None` where the user declares it.
    pub source: Option<&'static str>,
    /// The same of the rule by which the meaning is borrowed.
    pub rule: Option<&'static str>,
}

/// A listed name.
#[derive(Debug, Clone, Copy)]
struct Listed {
    canonical: &'static str,
    line: &'static str,
}

#[derive(Debug)]
pub(super) struct Catalogue {
    /// By name in lower case; numbers stand as `{k}` where any number will do.
    names: IndexMap<String, Listed>,
    /// What names begin and end with, where anything may stand between.
    patterns: Vec<(String, String, Listed)>,
    pub(super) rules: Vec<Rule>,
}

impl Catalogue {
    pub(super) fn shipped() -> &'static Self {
        static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
        CATALOGUE.get_or_init(|| {
            let mut catalogue = Self {
                names: IndexMap::with_capacity(1024),
                patterns: Vec::new(),
                rules: lines(RULES).filter_map(Rule::parse).collect(),
            };
            for line in FILES.iter().flat_map(|text| lines(text)) {
                catalogue.list(line);
            }
            catalogue
        })
    }

    fn list(&mut self, line: &'static str) {
        let names = line.split(',').next().unwrap_or_default();
        let canonical = names.split('|').next().unwrap_or_default();
        let listed = Listed { canonical, line };
        for name in names.split('|') {
            let name = name.to_ascii_lowercase();
            match name.split_once('*') {
                Some((begin, end)) => {
                    self.patterns.push((begin.to_owned(), end.to_owned(), listed));
                }
                None => {
                    self.names.insert(name, listed);
                }
            }
        }
    }

    /// Every name without `{k}` and `*`, in lower case.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str).filter(|name| !name.contains(NUMBER))
    }

    /// The first name of the entry that lists a name, which may be in any case.
    pub(super) fn canonical(&self, name: &str) -> Option<&'static str> {
        let as_written = self.names.get(name);
        let listed = as_written.or_else(|| self.names.get(&name.to_ascii_lowercase()))?;
        Some(listed.canonical)
    }

    /// The meaning of a listed name, or of one that is listed with any number in it.
    pub(super) fn listed(&self, name: &str) -> Option<KnownMetric> {
        let lower = name.to_ascii_lowercase();
        if let Some(listed) = self.names.get(&lower) {
            return entry(listed.line, listed.canonical);
        }
        let listed = self.names.get(&numbered(&lower)?)?;
        Some(KnownMetric { like: Some(listed.canonical.to_owned()), ..entry(listed.line, name)? })
    }

    /// The meaning of a name that begins and ends as one of the catalogue with `*`.
    pub(super) fn by_pattern(&self, name: &str) -> Option<KnownMetric> {
        let lower = name.to_ascii_lowercase();
        let fits = |(begin, end, _): &&(String, String, Listed)| {
            lower.strip_prefix(begin.as_str()).is_some_and(|rest| rest.ends_with(end.as_str()))
        };
        let (begin, end, listed) = self.patterns.iter().find(fits)?;
        Some(KnownMetric { like: Some(format!("{begin}*{end}")), ..entry(listed.line, name)? })
    }

    /// The meaning that a name has in the files of one program alone.
    pub(super) fn of_producer(producer: &str, name: &str) -> Option<MetricSpec> {
        let of_program =
            lines(PRODUCERS).filter_map(|line| line.strip_prefix(producer)?.strip_prefix(','));
        let is_named = |line: &&str| {
            let names = line.split(',').next().unwrap_or_default();
            names.split('|').any(|listed| listed.eq_ignore_ascii_case(name))
        };
        let spec = entry(of_program.into_iter().find(is_named)?, name)?.spec;
        Some(MetricSpec { origin: SpecOrigin::Producer, ..spec })
    }
}

/// The rows of a table, without its comments and the line of its columns.
fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#')).skip(1)
}

/// `recall@{k}` for `recall@10`; `None` for a name without digits.
fn numbered(name: &str) -> Option<String> {
    name.bytes().any(|byte| byte.is_ascii_digit()).then(|| {
        let mut form = String::with_capacity(name.len() + NUMBER.len());
        for part in name.split_inclusive(|c: char| c.is_ascii_digit()) {
            let before = part.trim_end_matches(|c: char| c.is_ascii_digit());
            if before.len() == part.len() {
                form.push_str(part);
            } else if !(before.is_empty() && form.ends_with(NUMBER)) {
                form.push_str(before);
                form.push_str(NUMBER);
            }
        }
        form
    })
}

/// A row `names,direction,unit,lowest,highest,outcomes,role,source` as the meaning of that name.
fn entry(line: &'static str, name: &str) -> Option<KnownMetric> {
    let fields: Vec<&str> = line.split(',').collect();
    let [_, direction, unit, lowest, highest, outcomes, role, source] = *fields.as_slice() else {
        return None;
    };
    let unit: Unit = word(unit)?;
    let bounds = match (lowest.parse().ok(), highest.parse().ok()) {
        (None, None) => unit.whole().map(|whole| (0.0, whole)),
        (low, high) => Some((low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY))),
    };
    let spec = MetricSpec {
        name: name.to_owned(),
        direction: word(direction)?,
        unit,
        bounds,
        outcomes: outcomes == "yes",
        pooled: outcomes == "pooled",
        role: word(role).map(|role| GivenRole { role, origin: RoleOrigin::Catalogue }),
        origin: SpecOrigin::Catalogue,
        derived: false,
        unit_declared: false,
    };
    Some(KnownMetric { spec, like: None, source: Some(source), rule: None })
}

fn word<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
    let text: StrDeserializer<'a, Error> = text.into_deserializer();
    T::deserialize(text).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn rows() -> impl Iterator<Item = &'static str> {
        FILES.iter().flat_map(|text| lines(text))
    }

    fn names_of(row: &str) -> Vec<&str> {
        row.split(',').next().unwrap_or_default().split('|').collect()
    }

    #[test]
    fn every_row_is_read_and_says_where_its_meaning_is_shown() {
        let producers = lines(PRODUCERS).map(|row| row.split_once(',').expect("a program").1);
        for row in rows().chain(producers) {
            let known = entry(row, names_of(row)[0]).expect(row);
            let given = row.split(',').nth(6).expect(row);
            assert_eq!(known.spec.role.is_none(), given.is_empty(), "{row}");
            let source: Vec<&str> = known.source.expect(row).split(' ').collect();
            assert!(source.len() == 3 && source[2].contains(['.', '/']), "{row}");
            let ordered = known.spec.bounds.is_none_or(|(low, high)| low < high);
            assert!(ordered, "{row}");
        }
        assert_eq!(Catalogue::shipped().rules.len(), lines(RULES).count());
    }

    #[test]
    fn no_name_is_listed_twice() {
        let mut seen = BTreeSet::new();
        for name in rows().flat_map(names_of) {
            assert!(!name.trim().is_empty() && name.matches('*').count() < 2, "{name:?}");
            assert!(seen.insert(name.to_ascii_lowercase()), "{name} is listed twice");
        }
    }

    #[test]
    fn a_name_leads_to_its_row_and_an_alias_to_the_first_name_of_the_row() {
        let catalogue = Catalogue::shipped();
        let mut count = 0;
        for row in rows() {
            let names = names_of(row);
            for name in names.iter().filter(|name| !name.contains(['*', '{'])) {
                let known = catalogue.listed(name).expect(name);
                assert_eq!((known.spec.name.as_str(), known.like), (names[0], None));
                assert_eq!(catalogue.canonical(&name.to_ascii_uppercase()), Some(names[0]));
                assert_eq!(row.split(',').nth(1), Some(known.spec.direction.name()));
                count += 1;
            }
        }
        assert!(count > 800, "{count}");
    }

    #[test]
    fn numbers_of_a_name_stand_for_any_number() {
        for (name, form) in [
            ("recall@10", Some("recall@{k}")),
            ("p99_ttft_ms", Some("p{k}_ttft_ms")),
            ("acc@0.5", Some("acc@{k}.{k}")),
            ("42", Some("{k}")),
            ("accuracy", None),
        ] {
            assert_eq!(numbered(name).as_deref(), form, "{name}");
        }
    }
}
