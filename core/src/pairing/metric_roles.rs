//! What each metric of a comparison is for: by the user's word, else the shipped catalogue's, else by
//! the roles of the others.
//!
//! Owns which metrics are primary; what follows from a role is decided where tests and verdicts are.

use std::collections::{BTreeMap, BTreeSet};

use super::{ArmPair, CellPair, PairedRun, PairingOptions, RunPair};
use crate::model::{GivenRole, MetricRole, MetricSpec, RoleOrigin};

/// Gives every cell the role of its metric, one for the whole comparison, and takes out the cells of
/// bookkeeping, whose names come back.
pub(super) fn assign(pairs: &mut [ArmPair<'_>], options: &PairingOptions) -> BTreeSet<String> {
    let mut specs = BTreeMap::<&str, Vec<&MetricSpec>>::new();
    for cell in pairs.iter().flat_map(|pair| laid_out(pair)).flat_map(|laid| &laid.cells) {
        specs.entry(&cell.key.metric).or_default().push(&cell.spec);
    }
    let roles = roles(&specs, options);
    let is_bookkeeping = |metric: &str| {
        let given = roles.get(metric).copied().flatten();
        given.is_some_and(|given| given.role == MetricRole::Bookkeeping)
    };
    for laid in pairs.iter_mut().flat_map(laid_out_mut) {
        laid.cells.retain(|cell| !is_bookkeeping(&cell.key.metric));
        for curves in &mut laid.lone_curves {
            curves.retain(|key| !is_bookkeeping(&key.metric));
        }
        for cell in &mut laid.cells {
            cell.role = roles.get(&cell.key.metric).copied().flatten();
        }
    }
    pairs.iter_mut().flat_map(members_mut).for_each(PairedRun::order_cells);
    roles.keys().filter(|metric| is_bookkeeping(metric)).cloned().collect()
}

fn laid_out<'p, 'a>(pair: &'p ArmPair<'a>) -> impl Iterator<Item = &'p RunPair<'a>> {
    let members = pair.members.iter().flatten().chain(&pair.noise);
    std::iter::once(&pair.leads).chain(members.map(|member| &member.pair))
}

fn laid_out_mut<'p, 'a>(pair: &'p mut ArmPair<'a>) -> impl Iterator<Item = &'p mut RunPair<'a>> {
    let members = pair.members.iter_mut().flatten().chain(&mut pair.noise);
    std::iter::once(&mut pair.leads).chain(members.map(|member| &mut member.pair))
}

fn members_mut<'p, 'a>(
    pair: &'p mut ArmPair<'a>,
) -> impl Iterator<Item = &'p mut PairedRun<'a>> + use<'p, 'a> {
    pair.members.iter_mut().flatten().chain(&mut pair.noise)
}

/// The role of each metric by what its cells say of it; `None` for one that is only described.
fn roles(
    specs: &BTreeMap<&str, Vec<&MetricSpec>>,
    options: &PairingOptions,
) -> BTreeMap<String, Option<GivenRole>> {
    let asked = |metric: &str| options.primary.iter().any(|name| name == metric);
    let is_primary = |given: &GivenRole| given.role == MetricRole::Primary;
    let given = |metric: &str, specs: &[&MetricSpec]| {
        // A producer may judge one of its tasks by a metric that beside others is secondary.
        let roles = || specs.iter().filter_map(|spec| spec.role);
        let declared = roles().find(is_primary).or_else(|| roles().next());
        let has_good_side = specs.iter().any(|spec| spec.has_good_side());
        let is_guarded = |given: GivenRole| {
            options.margins.contains(metric)
                && has_good_side
                && given.origin == RoleOrigin::Catalogue
                && !given.role.is_judged()
        };
        let is_idle = |given: GivenRole| {
            given.role.is_judged() && given.origin == RoleOrigin::Catalogue && !has_good_side
        };
        match declared {
            _ if asked(metric) => Some(user(MetricRole::Primary)),
            Some(given) if is_guarded(given) => Some(user(MetricRole::Guard)),
            // A producer may say of its own files that no side is good.
            Some(given) if is_idle(given) => None,
            Some(given) => Some(given),
            None if has_good_side && specs.iter().any(|spec| spec.derived) => {
                Some(by_default(MetricRole::Secondary))
            }
            None => None,
        }
    };
    let found: Vec<_> =
        specs.iter().map(|(metric, specs)| (*metric, specs, given(metric, specs))).collect();
    let is_by_user = |given: &GivenRole| is_primary(given) && given.origin == RoleOrigin::User;
    let chosen = !options.primary.is_empty()
        || found.iter().filter_map(|(.., given)| given.as_ref()).any(is_by_user);
    let has_primary =
        chosen || found.iter().filter_map(|(.., given)| given.as_ref()).any(is_primary);
    let settled = |metric: &str, specs: &[&MetricSpec], given: Option<GivenRole>| match given {
        // Whoever names the primary metrics names all of them.
        Some(given) if is_primary(&given) && chosen => {
            let stays = asked(metric) || (options.primary.is_empty() && is_by_user(&given));
            Some(if stays { given } else { by_default(MetricRole::Secondary) })
        }
        None if !specs.iter().any(|spec| spec.has_good_side()) => None,
        None if has_primary => Some(by_default(MetricRole::Secondary)),
        None => Some(by_default(MetricRole::Primary)),
        given => given,
    };
    let settled = found
        .iter()
        .map(|&(metric, specs, given)| (metric.to_owned(), settled(metric, specs, given)));
    settled.collect()
}

fn user(role: MetricRole) -> GivenRole {
    GivenRole { role, origin: RoleOrigin::User }
}

fn by_default(role: MetricRole) -> GivenRole {
    GivenRole { role, origin: RoleOrigin::Default }
}

impl CellPair<'_> {
    /// Whether the metric can have a verdict: one way is better, and its role asks which.
    pub fn is_judged(&self) -> bool {
        self.has_good_side() && !self.is_described_by_role()
    }

    /// Whether the role of the metric keeps it from tests and verdicts.
    pub fn is_described_by_role(&self) -> bool {
        self.role.is_some_and(|given| !given.role.is_judged())
    }

    /// The role, where the metric has one.
    pub fn metric_role(&self) -> Option<MetricRole> {
        self.role.map(|given| given.role)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MetricNames;

    /// The roles of metrics with a good side, some of them shipped, as `name: role (origin)`.
    fn assigned(metrics: &[&str], toml: &str, primary: &[&str], margins: &[&str]) -> Vec<String> {
        let names = MetricNames::declared_in(toml).expect("entries");
        let specs: Vec<MetricSpec> = metrics
            .iter()
            .map(|name| {
                let known = names.get(name);
                known.unwrap_or_else(|| MetricSpec {
                    direction: crate::model::Direction::Higher,
                    derived: name.contains("_pass@"),
                    ..MetricSpec::undeclared(name)
                })
            })
            .collect();
        let specs = specs.iter().map(|spec| (spec.name.as_str(), vec![spec])).collect();
        let options = PairingOptions {
            primary: primary.iter().map(|&name| name.to_owned()).collect(),
            margins: margins.iter().map(|&name| name.to_owned()).collect(),
            ..PairingOptions::default()
        };
        let shown = |(metric, given): (String, Option<GivenRole>)| match given {
            None => format!("{metric}: none"),
            Some(GivenRole { role, origin }) => {
                format!("{metric}: {} ({})", role.name(), origin.name())
            }
        };
        roles(&specs, &options).into_iter().map(shown).collect()
    }

    const NOTHING: &str = "metric = []";

    #[test]
    fn without_a_primary_metric_all_with_a_good_side_are_primary() {
        assert_eq!(
            assigned(&["own", "own_pass@4", "kl"], NOTHING, &[], &[]),
            ["kl: none", "own: primary (default)", "own_pass@4: secondary (default)"]
        );
    }

    #[test]
    fn beside_a_shipped_primary_metric_others_are_secondary() {
        assert_eq!(
            assigned(&["own", "accuracy", "latency", "timeout_rate"], NOTHING, &[], &[]),
            [
                "accuracy: primary (catalogue)",
                "latency: cost (catalogue)",
                "own: secondary (default)",
                "timeout_rate: breakdown (catalogue)",
            ]
        );
    }

    #[test]
    fn a_flag_beats_the_file_and_the_file_the_catalogue() {
        let toml = "[[metric]]\nnames = [\"own\"]\ndirection = \"higher\"\nrole = \"primary\"";
        assert_eq!(
            assigned(&["own", "accuracy"], toml, &[], &[]),
            ["accuracy: secondary (default)", "own: primary (user)"]
        );
        assert_eq!(
            assigned(&["own", "accuracy"], toml, &["accuracy"], &[]),
            ["accuracy: primary (user)", "own: secondary (default)"]
        );
    }

    #[test]
    fn a_margin_makes_a_described_metric_a_guard_unless_the_user_gave_the_role() {
        let toml = "[[metric]]\nnames = [\"latency\"]\nrole = \"cost\"";
        assert_eq!(assigned(&["latency"], NOTHING, &[], &["latency"]), ["latency: guard (user)"]);
        assert_eq!(assigned(&["latency"], toml, &[], &["latency"]), ["latency: cost (user)"]);
    }
}
