//! Whether two values of one key mean the same: what depends on the key.

use super::names::ConfigRole;
use super::roles::config_role;
use super::spelling::plain;
use crate::model::{ConfigValue, leaf};

/// Last components of keys whose lists are sets. Documented in `docs/formats.md`; any other list
/// keeps its order.
const UNORDERED: &[&str] = &[
    "bad_words",
    "callbacks",
    "eos_token_id",
    "exclude_modules",
    "keywords",
    "languages",
    "logger",
    "loggers",
    "lora_target_modules",
    "metrics",
    "modules_to_save",
    "report_to",
    "seed",
    "seeds",
    "stop",
    "stop_sequences",
    "stop_strings",
    "stop_token_ids",
    "stop_words",
    "suppress_tokens",
    "tags",
    "target_modules",
    "task_list",
    "tasks",
    "until",
];

/// Whether both values say the same under that key.
pub(super) fn same_config_value(key: &str, a: &ConfigValue, b: &ConfigValue) -> bool {
    let name = plain(leaf(key));
    if is_digest(&name) {
        return same_digest(a, b);
    }
    if matches!(config_role(key), ConfigRole::Prompt) || is_delimiter(&name) {
        return exactly(a, b) || same_object(a, b);
    }
    if UNORDERED.contains(&name.as_str()) {
        return same_set(&a.items(), &b.items()) || a.same_as(b) || same_object(a, b);
    }
    a.same_as(b) || same_path(a, b) || same_object(a, b)
}

/// Whether two texts differ in nothing but where objects lay in memory: `<function f at 0x7f8a1c>`.
fn same_object(a: &ConfigValue, b: &ConfigValue) -> bool {
    match (a, b) {
        (ConfigValue::Text(a), ConfigValue::Text(b)) => {
            without_addresses(a).is_some_and(|a| without_addresses(b) == Some(a))
        }
        (ConfigValue::List(a), ConfigValue::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_as(b) || same_object(a, b))
        }
        _ => false,
    }
}

/// A text with every ` at 0x…` cut behind the mark; `None` for one without.
fn without_addresses(text: &str) -> Option<Vec<&str>> {
    let mut parts = text.split(" at 0x");
    let first = parts.next()?;
    let behind = parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    let parts: Vec<&str> = [first].into_iter().chain(behind).collect();
    (parts.len() > 1).then_some(parts)
}

/// Keys whose values are names made of hexadecimal digits: `1e10` is no number there.
fn is_digest(name: &str) -> bool {
    let mut words = name.split('_');
    words.any(|word| matches!(word, "sha" | "sha256" | "hash" | "commit" | "digest" | "revision"))
}

/// The same text, or one the beginning of the other, as abbreviated commits are.
fn same_digest(a: &ConfigValue, b: &ConfigValue) -> bool {
    /// The length to which git abbreviates by itself.
    const SHORTEST: usize = 7;
    if a.is_nothing() || b.is_nothing() {
        return a.is_nothing() && b.is_nothing();
    }
    let [a, b] = [a, b].map(|value| value.to_string().trim().to_owned());
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    let is_hash = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    a == b
        || (short.len() >= SHORTEST && is_hash(long) && is_hash(short) && long.starts_with(short))
}

/// Whether commits are the same, one of which may be abbreviated.
pub(crate) fn same_commit(a: &str, b: &str) -> bool {
    let text = |text: &str| ConfigValue::Text(text.to_owned());
    same_digest(&text(a), &text(b))
}

/// Keys whose blanks and line ends are read by the model.
fn is_delimiter(name: &str) -> bool {
    matches!(name, "stop" | "until" | "gen_prefix")
        || ["_delimiter", "_separator", "stop_sequences", "stop_strings"]
            .iter()
            .any(|end| name.ends_with(end))
}

/// Texts that are equal to the last blank; lists of such in any order.
fn exactly(a: &ConfigValue, b: &ConfigValue) -> bool {
    match (a, b) {
        (ConfigValue::Text(a), ConfigValue::Text(b)) => a == b,
        (ConfigValue::List(mine), ConfigValue::List(theirs)) => {
            mine.len() == theirs.len()
                && mine.iter().all(|item| theirs.iter().any(|other| exactly(item, other)))
        }
        (ConfigValue::List(items), one) | (one, ConfigValue::List(items)) => {
            matches!(items.as_slice(), [only] if exactly(only, one))
                || (items.is_empty() && one.is_nothing())
        }
        _ => a.same_as(b),
    }
}

fn same_set(a: &[ConfigValue], b: &[ConfigValue]) -> bool {
    let count = |all: &[ConfigValue], item: &ConfigValue| {
        all.iter().filter(|other| other.same_as(item)).count()
    };
    a.len() == b.len() && a.iter().all(|item| count(a, item) == count(b, item))
}

fn same_path(a: &ConfigValue, b: &ConfigValue) -> bool {
    match (a, b) {
        (ConfigValue::Text(a), ConfigValue::Text(b)) => {
            path(a).zip(path(b)).is_some_and(|(a, b)| a == b)
        }
        (ConfigValue::List(a), ConfigValue::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_as(b) || same_path(a, b))
        }
        _ => false,
    }
}

/// A path as it is written at its plainest; `None` for what is none. Where it leads, `~` and `..`
/// included, is not asked: that depends on a machine which may not be this one. What lies in a cache
/// of the Hugging Face hub is named by its repository and snapshot.
pub(super) fn path(text: &str) -> Option<String> {
    let text = text.trim();
    let may = |c: char| c.is_alphanumeric() || "_ .~:\\/+-=@,#".contains(c);
    if !text.contains(['/', '\\']) || text.contains("://") || !text.chars().all(may) {
        return None;
    }
    let text = text.replace('\\', "/");
    let text = ["models--", "datasets--"]
        .iter()
        .find_map(|mark| text.find(&format!("/{mark}")).and_then(|at| text.get(at + 1..)))
        .unwrap_or(&text);
    let parts: Vec<&str> =
        text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let root = if text.starts_with('/') { "/" } else { "" };
    Some(format!("{root}{}", parts.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> ConfigValue {
        ConfigValue::Text(text.to_owned())
    }

    fn list(items: &[&str]) -> ConfigValue {
        ConfigValue::List(items.iter().map(|item| text(item)).collect())
    }

    #[test]
    fn values_that_a_key_makes_the_same_are_the_same() {
        let pairs = [
            ("train_file", text("./data/a.json"), text("data//a.json")),
            ("train_file", text("data/a.json"), text("data\\a.json")),
            ("model_path", text("/models/qwen/"), text("/models/qwen")),
            (
                "model_path",
                text("/cache/hub/models--Qwen--Qwen2.5-7B/snapshots/ab12"),
                text("/mnt/hub/models--Qwen--Qwen2.5-7B/snapshots/ab12"),
            ),
            ("files", list(&["./a/b.json"]), list(&["a/b.json"])),
            ("tasks", list(&["gsm8k", "mmlu"]), list(&["mmlu", "gsm8k"])),
            ("tasks", text("gsm8k,mmlu"), list(&["mmlu", "gsm8k"])),
            ("lora.target_modules", list(&["q_proj", "v_proj"]), text("v_proj,q_proj")),
            ("stop", list(&["\n", "</s>"]), list(&["</s>", "\n"])),
            ("stop", text("\n"), list(&["\n"])),
            ("git_hash", text("59170e85"), text("59170e851c2f0f6a9dbd9d5a0e6a7c33f21b9c04")),
            ("revision", text("main"), text("main")),
            ("system_prompt", ConfigValue::Null, text("")),
            ("reward_fn", text("<function f at 0x7f8a1c>"), text("<function f at 0x7f9b2d>")),
            ("doc_to_text", text("<function f at 0x7f8a1c>"), text("<function f at 0x7f9b2d>")),
            ("callbacks", list(&["<a.CB object at 0x1f>"]), list(&["<a.CB object at 0x2e>"])),
        ];
        for (key, a, b) in pairs {
            assert!(
                same_config_value(key, &a, &b) && same_config_value(key, &b, &a),
                "{key}: {a:?} and {b:?}"
            );
        }
    }

    #[test]
    fn values_that_a_key_keeps_apart_are_not_the_same() {
        let pairs = [
            ("git_hash", text("1e10"), text("10000000000")),
            ("commit", text("1e10"), text("1e1")),
            ("commit", text("59170e8"), text("59170e9")),
            ("model_revision", text("main"), text("main2")),
            ("hidden_sizes", list(&["64", "32"]), list(&["32", "64"])),
            ("train_files", list(&["a/x.json", "a/y.json"]), list(&["a/y.json", "a/x.json"])),
            ("stop", text("\n"), text("\n\n")),
            ("stop", list(&["\n"]), list(&["\n\n"])),
            ("system_prompt", text("Answer:"), text("Answer: ")),
            ("fewshot_delimiter", text("\n"), text("\n\n")),
            ("target_delimiter", text(" "), text("")),
            ("model_path", text("/a/checkpoint-100"), text("/b/checkpoint-100")),
            ("model_path", text("/models/qwen"), text("models/qwen")),
            ("api", text("https://a//b"), text("https://a/b")),
            ("reward_fn", text("<function f at 0x7f8a1c>"), text("<function g at 0x7f8a1c>")),
            ("offset", text("0x7f8a1c"), text("0x7f9b2d")),
            ("regex_pattern", text("(\\d+)"), text("(/d+)")),
        ];
        for (key, a, b) in pairs {
            assert!(
                !same_config_value(key, &a, &b) && !same_config_value(key, &b, &a),
                "{key}: {a:?} and {b:?}"
            );
        }
    }
}
