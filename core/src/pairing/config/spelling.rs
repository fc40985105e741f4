//! Keys that are written in different ways and mean the same setting.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

pub(super) use crate::model::plain;
use crate::model::{Config, leaf, word_of_setting};

/// Components that only say that what follows are settings. Documented in `docs/formats.md`.
const WRAPPERS: &[&str] = &[
    "args",
    "cfg",
    "config",
    "hparams",
    "hyperparameters",
    "params",
    "settings",
    "train",
    "trainer",
    "training",
    "training_args",
];

/// One setting whose key each arm writes in its own way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Respelled {
    pub baseline: String,
    pub candidate: String,
}

/// The components of a key, each as [`plain`] writes it.
pub(super) fn key_components(key: &str) -> Vec<String> {
    key.split('.').map(plain).collect()
}

/// Keys of one side alone that are the only ones of their meaning on either side: first those that
/// are spelt differently, then those that stand below other [`WRAPPERS`].
pub(in crate::pairing) fn respelled_keys(baseline: &Config, candidate: &Config) -> Vec<Respelled> {
    let mut mine: Vec<&str> = alone(baseline, candidate);
    let mut theirs: Vec<&str> = alone(candidate, baseline);
    let spelt = |key: &str| key_components(key).join(".");
    let mut found = matched(&mut mine, &mut theirs, &spelt, |_| true);
    // `lr` below both `train` and `args` says that the two are not the same setting.
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for key in [baseline, candidate].iter().flat_map(|config| keys(config)) {
        *uses.entry(bare(&key)).or_default() += 1;
    }
    let only = |meaning: &str| uses.get(meaning) == Some(&2);
    found.extend(matched(&mut mine, &mut theirs, &bare, only));
    found
}

/// A key without the [`WRAPPERS`] that it stands below.
fn bare(key: &str) -> String {
    let parts = key_components(key);
    let inner = parts.iter().take(parts.len().saturating_sub(1));
    let wraps = inner.take_while(|part| WRAPPERS.contains(&part.as_str())).count();
    parts.iter().skip(wraps).cloned().collect::<Vec<_>>().join(".")
}

/// The word for a setting that programs call by several, where its key is one of them.
pub(super) fn common_word(key: &str) -> Option<&'static str> {
    word_of_setting(&bare(key))
}

fn keys(config: &Config) -> Vec<String> {
    config.iter().map(|(key, _)| key.to_owned()).collect()
}

/// A name alone says too little to be matched below another component.
fn alone<'a>(config: &'a Config, other: &Config) -> Vec<&'a str> {
    let own = config.iter().map(|(key, _)| key);
    own.filter(|key| other.get(key).is_none() && !key.contains('#')).collect()
}

/// Takes the keys that are one to one in what they mean out of both lists.
fn matched(
    mine: &mut Vec<&str>,
    theirs: &mut Vec<&str>,
    meaning: &dyn Fn(&str) -> String,
    may: impl Fn(&str) -> bool,
) -> Vec<Respelled> {
    const VAGUE: &[&str] = &["name", "path", "id", "type", "version"];
    let by_meaning = |keys: &[&str]| {
        let mut groups: IndexMap<String, Vec<String>> = IndexMap::new();
        for key in keys {
            groups.entry(meaning(key)).or_default().push((*key).to_owned());
        }
        groups
    };
    let others = by_meaning(theirs);
    let pairs = by_meaning(mine).into_iter().filter_map(|(group, own)| {
        let other = others.get(&group)?;
        let ([own], [other]) = (own.as_slice(), other.as_slice()) else { return None };
        let is_vague = VAGUE.contains(&plain(leaf(own)).as_str())
            && own.matches('.').count() != other.matches('.').count();
        (!is_vague && may(&group))
            .then(|| Respelled { baseline: own.clone(), candidate: other.clone() })
    });
    let found: Vec<Respelled> = pairs.collect();
    let taken = |name: fn(&Respelled) -> &str| found.iter().map(name).collect::<BTreeSet<&str>>();
    let (taken_mine, taken_theirs) = (taken(|pair| &pair.baseline), taken(|pair| &pair.candidate));
    mine.retain(|key| !taken_mine.contains(key));
    theirs.retain(|key| !taken_theirs.contains(key));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ConfigEntry, ConfigValue, Source};

    fn config(keys: &[&str]) -> Config {
        let mut config = Config::default();
        for key in keys {
            let value = ConfigValue::Bool(true);
            let source = Source::line(&"config.yaml".into(), 1, *key);
            config.insert((*key).to_owned(), ConfigEntry { value, source });
        }
        config
    }

    fn matched_keys(mine: &[&str], theirs: &[&str]) -> Vec<(String, String)> {
        let found = respelled_keys(&config(mine), &config(theirs));
        found.into_iter().map(|pair| (pair.baseline, pair.candidate)).collect()
    }

    #[test]
    fn keys_that_differ_only_in_spelling_are_one_setting() {
        for (mine, theirs) in [
            ("kl-beta", "kl_beta"),
            ("KL_BETA", "kl_beta"),
            ("klBeta", "kl_beta"),
            ("--kl-beta", "klBeta"),
            ("actor.optim.LR", "actor.optim.lr"),
            ("training.lr", "lr"),
            ("args.training.lr", "trainer.lr"),
        ] {
            assert_eq!(matched_keys(&[mine], &[theirs]), [(mine.to_owned(), theirs.to_owned())]);
        }
    }

    #[test]
    fn keys_that_may_mean_different_things_are_not_matched() {
        let cases: [(&[&str], &[&str]); 7] = [
            (&["lr"], &["learning_rate"]),
            (&["optim.lr"], &["critic.lr"]),
            (&["model.name"], &["name"]),
            (&["training.name"], &["name"]),
            (&["kl-beta", "kl_beta"], &["klBeta"]),
            (&["train.lr", "args.lr"], &["lr"]),
            (&["data.seed"], &["seed"]),
        ];
        for (mine, theirs) in cases {
            assert_eq!(matched_keys(mine, theirs), [], "{mine:?} and {theirs:?}");
        }
    }

    #[test]
    fn a_setting_that_both_write_in_one_way_is_not_respelt() {
        assert_eq!(matched_keys(&["lr", "training.lr"], &["lr"]), []);
    }
}
