//! Settings of runs by their digest, so that an alert names the keys that changed.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::Xxh3;

use crate::model::Run;
use crate::pairing::{ConfigRole, config_role, is_environment};
use crate::trend::{Alarm, Condition, Suspect};

/// Values by key, as they are shown: credentials masked.
pub type RunSettings = BTreeMap<String, String>;

/// The part of a night's conditions that is the digest of all settings.
pub(super) const SETTINGS: &str = "config";

/// The most bytes of a value that an alert shows.
const LONGEST: usize = 60;

/// Settings with their digest, machines, paths and bookkeeping apart; `None` where there are none.
pub(super) fn settings_of(run: &Run) -> Option<(String, RunSettings)> {
    let config = run.content.config.iter().filter(|(key, _)| !is_environment(key));
    let settings: RunSettings =
        config.map(|(key, entry)| (key.to_owned(), entry.value.to_string())).collect();
    digest(settings.iter()).map(|digest| (digest, settings))
}

/// A digest of what says who judged, and how.
pub fn judge_of(settings: &RunSettings) -> Option<String> {
    let judges = |key: &str| matches!(config_role(key), ConfigRole::Judge | ConfigRole::Scorer);
    digest(settings.iter().filter(|(key, _)| judges(key)))
}

fn digest<'s>(settings: impl Iterator<Item = (&'s String, &'s String)>) -> Option<String> {
    let mut lines: Vec<String> = settings.map(|(key, value)| format!("{key}={value}\n")).collect();
    lines.sort();
    let mut hash = Xxh3::new();
    for line in &lines {
        hash.update(line.as_bytes());
    }
    (!lines.is_empty()).then(|| format!("{:016x}", hash.digest()))
}

/// Whether a text is a digest of settings, and no path.
pub fn is_digest(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Has alarms name the keys whose values changed, where the settings of both nights are still known.
pub fn name_settings(alarms: &mut [Alarm], known: impl Fn(&str) -> Option<RunSettings>) {
    for alarm in alarms {
        let named = alarm.suspects.iter().flat_map(|suspect| {
            changed_keys(suspect, &known).unwrap_or_else(|| vec![suspect.clone()])
        });
        alarm.suspects = named.collect();
    }
}

fn changed_keys(
    suspect: &Suspect,
    known: impl Fn(&str) -> Option<RunSettings>,
) -> Option<Vec<Suspect>> {
    let is_of_settings = matches!(&suspect.condition, Condition::Digest(part) if part == SETTINGS);
    let [from, to] = [&suspect.from, &suspect.to]
        .map(|digest| digest.as_ref().filter(|_| is_of_settings).and_then(|digest| known(digest)));
    let (from, to) = (from?, to?);
    let mut keys: Vec<&String> = from.keys().chain(to.keys()).collect();
    keys.sort();
    keys.dedup();
    let changed = keys.into_iter().filter(|key| from.get(*key) != to.get(*key));
    let of_key = |key: &String| Suspect {
        night: suspect.night,
        condition: Condition::Config(key.clone()),
        from: from.get(key).map(|value| shortened(value)),
        to: to.get(key).map(|value| shortened(value)),
    };
    Some(changed.map(of_key).collect::<Vec<_>>()).filter(|changed| !changed.is_empty())
}

fn shortened(value: &str) -> String {
    let value = value.trim_end();
    match value.char_indices().take_while(|(at, _)| *at < LONGEST).last() {
        Some((at, last)) if at + last.len_utf8() < value.len() => {
            format!("{}…", value.get(..at).unwrap_or_default())
        }
        _ => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::Night;

    fn check(from: &str, to: &str, expected: &[(&str, Option<&str>, Option<&str>)]) {
        let known = |digest: &str| -> Option<RunSettings> {
            let pairs = digest.split(' ').map(|pair| pair.split_once('='));
            pairs.map(|pair| pair.map(|(key, value)| (key.to_owned(), value.to_owned()))).collect()
        };
        let condition = Condition::Digest(SETTINGS.to_owned());
        let digests = (Some(from.to_owned()), Some(to.to_owned()));
        let suspect = Suspect { night: Night(7), condition, from: digests.0, to: digests.1 };
        let found = changed_keys(&suspect, known).unwrap_or_default();
        let found: Vec<_> = found
            .iter()
            .map(|one| match &one.condition {
                Condition::Config(key) => (key.as_str(), one.from.as_deref(), one.to.as_deref()),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(found, expected, "{from} {to}");
    }

    #[test]
    fn keys_that_changed_came_or_went_take_the_place_of_a_digest() {
        check(
            "lr=1 beta=2",
            "lr=3 seed=4",
            &[("beta", Some("2"), None), ("lr", Some("1"), Some("3")), ("seed", None, Some("4"))],
        );
        check("lr=1", "lr=1", &[]);
        check("lr=1", "lost", &[]);
        let long = "x".repeat(70);
        let shown = format!("{}…", "x".repeat(59));
        check("lr=1", &format!("lr={long}"), &[("lr", Some("1"), Some(&shown))]);
    }
}
