//! Which keys are meant to differ: declared, or the only thing that differs.

use super::{ConfigDifference, ConfigRole, changes, config_role, names, plain, roles, same_commit};
use crate::model::{Run, leaf};

/// The factor that is the commit of the code, where it stands in no configuration.
pub const COMMIT: &str = "commit";

/// Whether a key records the commit of the code, and not whether its tree was clean.
pub fn is_commit(key: &str) -> bool {
    let name = plain(leaf(key));
    let mut words = name.split('_');
    config_role(key) == ConfigRole::Code
        && words.any(|word| matches!(word, "commit" | "hash" | "sha"))
}

/// The keys that are meant to differ.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Factors {
    /// Full keys, in configuration order.
    pub keys: Vec<String>,
    /// Whether they were taken from the only difference instead of being declared.
    pub inferred: bool,
    /// Declared names that are in no configuration.
    pub unknown: Vec<String>,
    /// Declared keys that have equal values in both arms.
    pub equal: Vec<String>,
    /// The only difference, where it is of a kind that is hardly ever what a comparison is about and
    /// so was not taken for the factor.
    pub declined: Vec<String>,
}

impl Factors {
    /// Whether the key is meant to differ.
    pub fn contains(&self, key: &str) -> bool {
        self.keys.iter().any(|factor| factor == key)
    }
}

/// Finds the factors: the declared ones, or the only thing that differs.
///
/// A declared name matches a whole key or its last components, however they are spelt. Without a
/// declaration, differences that are the same change written in several places (equal last
/// component, equal values) count as one.
pub(in crate::pairing) fn factors(
    differences: &[ConfigDifference],
    vary: &[String],
    baseline: &Run,
    candidate: &Run,
) -> Factors {
    if vary.is_empty() {
        return inferred(differences);
    }
    let mut factors = Factors::default();
    for name in vary {
        // However a key of it is called, there is one commit.
        let is_meant = |key: &str| names(name, key) || is_commit(name) && is_commit(key);
        let differing: Vec<_> =
            differences.iter().filter(|difference| is_meant(&difference.key)).collect();
        if !differing.is_empty() {
            factors.keys.extend(differing.iter().map(|difference| difference.key.clone()));
            continue;
        }
        let configs = [&baseline.content.config, &candidate.content.config];
        let commits = [baseline, candidate].map(|run| run.content.provenance.commit.as_deref());
        if let ([Some(mine), Some(theirs)], true) = (commits, is_commit(name))
            && !same_commit(mine, theirs)
        {
            factors.keys.push(COMMIT.to_owned());
        } else if configs.iter().any(|config| config.iter().any(|(key, _)| is_meant(key)))
            || is_commit(name) && commits.iter().all(Option::is_some)
        {
            factors.equal.push(name.clone());
        } else {
            factors.unknown.push(name.clone());
        }
    }
    with_followers(factors, differences)
}

/// Keys that necessarily change with a factor do not count as factors themselves.
fn with_followers(mut factors: Factors, differences: &[ConfigDifference]) -> Factors {
    let follows = |one: &&ConfigDifference| {
        one.follows.as_ref().is_some_and(|leader| factors.contains(leader))
            && !factors.contains(&one.key)
    };
    let following: Vec<String> =
        differences.iter().filter(follows).map(|one| one.key.clone()).collect();
    factors.keys.extend(following);
    factors
}

/// The only change that is neither environment nor circumstance, where somebody may have made it in
/// order to see what it does.
fn inferred(differences: &[ConfigDifference]) -> Factors {
    let main = differences.iter().filter(|one| {
        !(one.environment || one.one_sided() || one.role.is_circumstance() || one.follows.is_some())
    });
    let changes = changes(main);
    let [only] = changes.as_slice() else { return Factors::default() };
    let keys: Vec<String> = only.differences.iter().map(|one| one.key.clone()).collect();
    // A model that has the same name and another hash is no factor: nobody declared it. Nor is a setting of
    // which one run states two values.
    let asked_about = |key: &String| roles::is_asked_about(key) && !super::follows_alone(key);
    if !keys.iter().all(asked_about) || only.differences.iter().any(|one| one.within_run) {
        return Factors { declined: keys, ..Factors::default() };
    }
    with_followers(Factors { keys, inferred: true, ..Factors::default() }, differences)
}
