//! The names of metrics and what they mean: the shipped catalogue, with the user's `[[metric]]`
//! entries over it. Names match without ASCII case, else exactly.

use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use serde::Deserialize;
use toml::Spanned;

use super::{Direction, GivenRole, MetricRole, MetricSpec, RoleOrigin, SpecOrigin};
use crate::quantity::Unit;

const SHIPPED: &str = include_str!("metric_catalogue.toml");

#[derive(Deserialize)]
struct WireCatalogue {
    metric: Vec<WireMetric>,
}

/// One entry of the catalogue file and of `[[metric]]` in `reportgen.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireMetric {
    names: Spanned<Vec<String>>,
    direction: Option<WireDirection>,
    unit: Option<Unit>,
    bounds: Option<(f64, f64)>,
    outcomes: Option<bool>,
    role: Option<MetricRole>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum WireDirection {
    Higher,
    Lower,
    Neutral,
    Unknown,
}

impl From<WireDirection> for Direction {
    fn from(direction: WireDirection) -> Self {
        match direction {
            WireDirection::Higher => Self::Higher,
            WireDirection::Lower => Self::Lower,
            WireDirection::Neutral => Self::Neutral,
            WireDirection::Unknown => Self::Unknown,
        }
    }
}

/// Why the `[[metric]]` entries of a text cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NotMetricNames {
    /// They do not have the form of the shipped catalogue.
    #[error(transparent)]
    Form(#[from] toml::de::Error),
    /// An entry without a name.
    #[error(
        "line {line}: `names` of a [[metric]] lists no name, or an empty one; write names = [\"NAME\"]"
    )]
    NoName {
        /// Line of its names, from 1.
        line: usize,
    },
    /// An entry without a direction for a metric that is not shipped.
    #[error(
        "line {line}: `{name}` is no shipped metric, so its [[metric]] needs a direction: \
         direction = \"higher\", \"lower\", \"neutral\" or \"unknown\""
    )]
    NoDirection {
        /// The first of its names.
        name: String,
        /// Line of its names, from 1.
        line: usize,
    },
    /// Two entries for one name.
    #[error(
        "line {line}: `{name}` is listed by the [[metric]] on line {first} already; leave it in one \
         of the two, or make them one entry"
    )]
    ListedTwice {
        /// The name.
        name: String,
        /// Line of the names of the second entry, from 1.
        line: usize,
        /// Line of those of the first.
        first: usize,
    },
}

/// Every known name with its meaning. Cheap to clone.
#[derive(Debug, Clone)]
pub struct MetricNames(Arc<Table>);

#[derive(Debug, Clone, Default)]
struct Table {
    specs: IndexMap<String, MetricSpec>,
    /// Canonical names by names in lower case.
    canonical: IndexMap<String, String>,
}

impl Default for MetricNames {
    /// The names of the shipped catalogue.
    fn default() -> Self {
        Self::shipped().clone()
    }
}

impl MetricNames {
    /// Every name of the shipped catalogue in lower case, aliases included.
    pub fn shipped_names() -> impl Iterator<Item = &'static str> {
        Self::shipped().0.canonical.keys().map(String::as_str)
    }

    /// The names of the shipped catalogue.
    fn shipped() -> &'static Self {
        static NAMES: OnceLock<MetricNames> = OnceLock::new();
        NAMES.get_or_init(|| {
            let mut table = Table::default();
            if let Ok(wire) = toml::from_str::<WireCatalogue>(SHIPPED) {
                table.add(wire, SpecOrigin::Catalogue);
            }
            Self(Arc::new(table))
        })
    }

    /// The shipped names with the `[[metric]]` entries of a TOML text over them. An entry takes
    /// exactly the names that it lists. Where it lists the canonical name of a shipped metric, the
    /// shipped aliases of that metric lead to the entry too. One without a direction keeps what is
    /// shipped of the first of its names that is, and lays over it what it says.
    ///
    /// # Errors
    /// When `[[metric]]` does not have the form of the shipped catalogue, an entry has no name, or no
    /// direction though it needs one, or two entries list one name.
    pub fn declared_in(text: &str) -> Result<Self, NotMetricNames> {
        let wire: WireCatalogue = toml::from_str(text)?;
        each_name_once(&wire, text)?;
        directions_known(&wire, text)?;
        let mut table = (*Self::shipped().0).clone();
        table.add(wire, SpecOrigin::User);
        let moved = |name: &String| table.canonical.get(&name.to_ascii_lowercase()).cloned();
        let canonical = table.canonical.iter();
        table.canonical = canonical
            .map(|(alias, name)| (alias.clone(), moved(name).unwrap_or_else(|| name.clone())))
            .collect();
        Ok(Self(Arc::new(table)))
    }

    /// The canonical name of a metric; the name itself where it is not known.
    pub fn canonical<'n>(&'n self, name: &'n str) -> &'n str {
        self.0.canonical(name).unwrap_or(name)
    }

    /// The meaning of a name or alias.
    pub fn get(&self, name: &str) -> Option<&MetricSpec> {
        self.0.specs.get(self.0.canonical(name)?)
    }

    /// The meaning of a metric that its producer may declare too: the user's word counts first, then
    /// the producer's, then the shipped catalogue's.
    pub fn meaning<'s>(
        &'s self,
        name: &str,
        produced: Option<&'s MetricSpec>,
    ) -> Option<&'s MetricSpec> {
        let known = self.get(name);
        let declared = known.filter(|spec| spec.origin == SpecOrigin::User);
        declared.or(produced).or(known)
    }

    /// Whether the user declares that name.
    pub fn is_declared(&self, name: &str) -> bool {
        self.get(name).is_some_and(|spec| spec.origin == SpecOrigin::User)
    }

    /// The metrics that the user declares.
    pub fn declared(&self) -> impl Iterator<Item = &MetricSpec> {
        self.0.specs.values().filter(|spec| spec.origin == SpecOrigin::User)
    }
}

/// Refuses an entry without a name, and a name of two entries. One entry may spell a name twice.
fn each_name_once(wire: &WireCatalogue, text: &str) -> Result<(), NotMetricNames> {
    let mut lines = IndexMap::<String, usize>::new();
    for WireMetric { names, .. } in &wire.metric {
        let line = line_of(names, text);
        let names = names.get_ref();
        if names.is_empty() || names.iter().any(|name| name.trim().is_empty()) {
            return Err(NotMetricNames::NoName { line });
        }
        let listed = |name: &String| Some((name.clone(), *lines.get(&name.to_ascii_lowercase())?));
        if let Some((name, first)) = names.iter().find_map(listed) {
            return Err(NotMetricNames::ListedTwice { name, line, first });
        }
        lines.extend(names.iter().map(|name| (name.to_ascii_lowercase(), line)));
    }
    Ok(())
}

/// Refuses an entry without a direction, unless it is about a shipped metric or its role needs none.
fn directions_known(wire: &WireCatalogue, text: &str) -> Result<(), NotMetricNames> {
    let is_shipped = |name: &String| MetricNames::shipped().get(name).is_some();
    let is_open = |metric: &&WireMetric| {
        metric.direction.is_none()
            && metric.role.is_none_or(MetricRole::is_judged)
            && !metric.names.get_ref().iter().any(is_shipped)
    };
    match wire.metric.iter().find(is_open) {
        None => Ok(()),
        Some(WireMetric { names, .. }) => Err(NotMetricNames::NoDirection {
            name: names.get_ref().first().cloned().unwrap_or_default(),
            line: line_of(names, text),
        }),
    }
}

fn line_of<T>(value: &Spanned<T>, text: &str) -> usize {
    let before = text.get(..value.span().start).unwrap_or_default();
    1 + before.matches('\n').count()
}

impl WireMetric {
    /// What the entry says of the metric of that name, over what is shipped of it.
    fn spec(&self, name: &str, shipped: Option<&MetricSpec>, origin: SpecOrigin) -> MetricSpec {
        let by = match origin {
            SpecOrigin::User => RoleOrigin::User,
            _ => RoleOrigin::Catalogue,
        };
        let role = self.role.map(|role| GivenRole { role, origin: by });
        let Some(direction) = self.direction else {
            let base = shipped.cloned().unwrap_or_else(|| MetricSpec::undeclared(name));
            let whole = self.unit.and_then(Unit::whole).map(|whole| (0.0, whole));
            return MetricSpec {
                name: name.to_owned(),
                unit: self.unit.unwrap_or(base.unit),
                bounds: self.bounds.or(whole).or(base.bounds),
                outcomes: self.outcomes.unwrap_or(base.outcomes),
                role: role.or(base.role),
                origin,
                ..base
            };
        };
        let unit = self.unit.unwrap_or_default();
        let direction = Direction::from(direction);
        // Whoever says which way is good wants the metric judged.
        let stays = |given: &GivenRole| given.role.is_judged() || direction.sign().is_none();
        let kept = shipped.and_then(|spec| spec.role).filter(stays);
        MetricSpec {
            name: name.to_owned(),
            direction,
            unit,
            bounds: self.bounds.or_else(|| unit.whole().map(|whole| (0.0, whole))),
            outcomes: self.outcomes.unwrap_or_default(),
            role: role.or(kept),
            origin,
            derived: false,
        }
    }
}

impl Table {
    fn add(&mut self, wire: WireCatalogue, origin: SpecOrigin) {
        for metric in wire.metric {
            let names = metric.names.get_ref();
            let Some(name) = names.first().cloned() else { continue };
            // Only the user's entries stand over others.
            let shipped = names.iter().find_map(|name| self.specs.get(self.canonical(name)?));
            let spec = metric.spec(&name, shipped, origin);
            for alias in names {
                self.canonical.insert(alias.to_ascii_lowercase(), name.clone());
            }
            self.specs.insert(name, spec);
        }
    }

    fn canonical(&self, name: &str) -> Option<&str> {
        let as_written = self.canonical.get(name);
        as_written.or_else(|| self.canonical.get(&name.to_ascii_lowercase())).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> WireCatalogue {
        toml::from_str(SHIPPED).expect("shipped catalogue")
    }

    #[test]
    fn the_shipped_catalogue_parses_and_names_no_metric_twice() {
        let mut seen = std::collections::BTreeSet::new();
        for name in shipped().metric.iter().flat_map(|metric| metric.names.get_ref()) {
            assert!(seen.insert(name.to_ascii_lowercase()), "{name} is listed twice");
        }
        assert!(MetricNames::shipped().get("accepted_at_1").is_some());
    }

    #[test]
    fn a_shipped_alias_leads_to_the_first_name_of_its_entry() {
        for metric in shipped().metric {
            for alias in metric.names.get_ref() {
                assert_eq!(MetricNames::shipped().canonical(alias), metric.names.get_ref()[0]);
            }
        }
    }

    #[test]
    fn names_match_without_ascii_case_and_otherwise_exactly() {
        for (name, canonical) in [
            ("ACC", "accuracy"),
            ("ROUGEL", "rougeL"),
            ("Nobody_Knows", "Nobody_Knows"),
            ("accuracy ", "accuracy "),
        ] {
            assert_eq!(MetricNames::shipped().canonical(name), canonical);
        }
    }

    #[test]
    fn the_user_may_declare_any_shipped_name_and_takes_no_other_with_it() {
        for metric in shipped().metric {
            let [first, aliases @ ..] = metric.names.get_ref().as_slice() else {
                panic!("no names")
            };
            for alias in aliases {
                let text = format!("[[metric]]\nnames = [{alias:?}]\ndirection = \"neutral\"");
                let names = MetricNames::declared_in(&text).expect("an entry");
                let spec = names.get(alias).expect("declared");
                assert_eq!((&spec.name, spec.direction), (alias, Direction::Neutral));
                assert_eq!(names.get(first).map(|spec| spec.origin), Some(SpecOrigin::Catalogue));
            }
        }
    }

    #[test]
    fn entries_without_a_name_and_entries_that_share_one_are_refused() {
        let entry = |names: &str| format!("[[metric]]\ndirection = \"lower\"\nnames = {names}\n");
        for (listed, refused) in [
            (
                &[r#"["acc"]"#, r#"["acc"]"#][..],
                "line 6: `acc` is listed by the [[metric]] on line 3",
            ),
            (&[r#"["a", "foo"]"#, r#"["b", "FOO"]"#], "line 6: `FOO` is listed"),
            (&[r#"["a", "b"]"#, r#"["b"]"#], "line 6: `b` is listed"),
            (&["[]"], "line 3: `names` of a [[metric]] lists no name"),
            (&[r#"["a", " "]"#], "line 3: `names` of a [[metric]] lists no name"),
        ] {
            let text: String = listed.iter().map(|names| entry(names)).collect();
            let error = MetricNames::declared_in(&text).expect_err(&text).to_string();
            assert!(error.starts_with(refused), "{error}");
        }
        let text = entry(r#"["acc", "ACC"]"#) + &entry(r#"["accuracy"]"#);
        assert!(MetricNames::declared_in(&text).is_ok());
    }

    #[test]
    fn an_entry_without_a_direction_keeps_what_is_shipped_and_lays_its_own_over_it() {
        let spec = |name: &str, entry: &str| {
            let text = format!("[[metric]]\nnames = [{name:?}]\n{entry}");
            MetricNames::declared_in(&text).expect("an entry").get(name).expect("declared").clone()
        };
        for metric in shipped().metric {
            let name = &metric.names.get_ref()[0];
            let known = MetricNames::shipped().get(name).expect("shipped");
            let guard = GivenRole { role: MetricRole::Guard, origin: RoleOrigin::User };
            let expected =
                MetricSpec { role: Some(guard), origin: SpecOrigin::User, ..known.clone() };
            assert_eq!(spec(name, "role = \"guard\""), expected);
        }
        let percent = spec("accuracy", "unit = \"percent\"");
        let shipped = MetricNames::shipped().get("accuracy").expect("shipped");
        assert_eq!((percent.bounds, percent.role), (Some((0.0, 100.0)), shipped.role));
        // Whoever says which way is good wants it judged.
        for (entry, role) in
            [("direction = \"lower\"", None), ("direction = \"neutral\"", Some(MetricRole::Cost))]
        {
            assert_eq!(spec("latency", entry).role.map(|given| given.role), role, "{entry}");
        }
    }

    #[test]
    fn an_entry_about_a_metric_that_is_not_shipped_needs_a_direction_to_be_judged() {
        let entry = |role: &str| format!("[[metric]]\nrole = {role:?}\nnames = [\"own\"]\n");
        for role in ["primary", "guard", "secondary"] {
            let error = MetricNames::declared_in(&entry(role)).expect_err(role).to_string();
            assert!(error.starts_with("line 3: `own` is no shipped metric"), "{error}");
        }
        for role in ["cost", "breakdown", "bookkeeping"] {
            let names = MetricNames::declared_in(&entry(role)).expect(role);
            assert_eq!(names.get("own").map(|spec| spec.direction), Some(Direction::Unknown));
        }
    }

    #[test]
    fn shipped_aliases_follow_a_canonical_name_that_the_user_declares() {
        let names = |listed: &str| {
            let text = format!("[[metric]]\nnames = {listed}\ndirection = \"lower\"");
            MetricNames::declared_in(&text).expect("an entry")
        };
        for (listed, name) in [
            (r#"["accuracy"]"#, "accuracy"),
            (r#"["Accuracy"]"#, "Accuracy"),
            (r#"["hits", "accuracy"]"#, "hits"),
        ] {
            let names = names(listed);
            assert_eq!(names.canonical("acc"), name, "{listed}");
            assert_eq!(names.get("acc").map(|spec| spec.direction), Some(Direction::Lower));
        }
    }
}
