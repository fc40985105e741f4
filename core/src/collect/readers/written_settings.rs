//! Settings that a program writes into its log as it starts: `Namespace(lr=0.001, …)` of argparse,
//! `TrainingArguments(…)`, JSON and YAML, also behind what a logger puts before each line. Only the first
//! bytes of a file are looked at.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::super::FileEntry;
use super::super::content::Packing;
use super::super::document::{Node, Value, flatten, parse_json_line, parse_yaml};
use super::super::logs::line::behind_level;
use super::log_commands::{LoggedCommand, arguments, logged_command};
use super::mentioned_settings::Mentions;
use super::python_values::insert;
use super::shown_samples::ShownSamples;
use crate::model::{Config, axis_of_curve};

/// What the names of classes of settings end in. The first are the settings of the program itself,
/// the others of a part of it, under whose name they stand.
const WHOLE: &[&str] = &["Namespace", "Arguments", "Args"];
const PARTS: &[&str] = &["Config"];
/// Words of a line above a block of settings.
const ANNOUNCED: &[&str] =
    &["config", "hparams", "hyperparameters", "parameters", "arguments", "args"];
/// Fewer lines of `key: value` may be anything.
const FEWEST_LINES: usize = 2;

/// The settings that a log states.
#[derive(Debug, Default)]
pub(super) struct LogSettings {
    pub(super) config: Config,
    /// Those of them that commands give.
    pub(super) commands: Config,
    /// What it mentions that may be of any program: a model, a seed.
    pub(super) printed: Config,
    /// Lines that say nothing else than settings.
    pub(super) lines: BTreeSet<u64>,
    /// Whether a program wrote its settings as such, and not only its commands.
    pub(super) is_whole: bool,
}

/// The settings in the first bytes of a log.
pub(super) fn written(file: &FileEntry) -> LogSettings {
    let mut settings = LogSettings::default();
    if file.packing != Packing::PLAIN {
        return settings;
    }
    let text = String::from_utf8_lossy(&file.head);
    let (mut at, mut announced) = (0, false);
    let mut mentions = Mentions::default();
    let mut samples = ShownSamples::default();
    let mut number = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        number += 1;
        let line = rest.lines().next().unwrap_or_default();
        let mut own = Config::default();
        if samples.holds(line) {
            announced = false;
            mentions.look(line, number);
            let end = rest.find('\n');
            at += end.map_or(rest.len(), |end| end + 1);
            continue;
        }
        let dumped = call(rest, line, number, file, &mut own)
            .or_else(|| object(rest, line, number, file, &mut own))
            .or_else(|| announced.then(|| block(rest, number, file, &mut own))?)
            .or_else(|| announced.then(|| logged_block(rest, number, file, &mut own))?);
        settings.is_whole |= dumped.is_some();
        let is_command = dumped.is_none();
        let taken = dumped.or_else(|| command(rest, number, file, &mut own));
        if taken.is_none() {
            mentions.look(line, number);
        }
        for (key, entry) in own.iter() {
            settings.config.insert_beside(key, entry);
            if is_command {
                settings.commands.insert_beside(key, entry);
            }
        }
        announced = is_announcement(behind_level(line).unwrap_or(line))
            || (announced && line.trim().is_empty());
        let taken = taken.unwrap_or_default().max(line.len());
        number += rest.get(..taken).map_or(0, |taken| taken.matches('\n').count() as u64);
        let end = rest.get(taken..).and_then(|left| left.find('\n'));
        at += end.map_or(rest.len(), |end| taken + end + 1);
    }
    settings.lines = settings.config.iter().filter_map(|(_, entry)| entry.source.line).collect();
    mentions.add_to(&mut settings.config, &mut settings.printed, file);
    settings
}

/// The settings of a command, which goes on where a line ends in a backslash.
fn command(rest: &str, number: u64, file: &FileEntry, config: &mut Config) -> Option<usize> {
    let lines = rest.split_inclusive('\n');
    let goes_on = |line: &&str| line.trim_end().ends_with('\\');
    let count = lines.clone().take_while(goes_on).count() + 1;
    let whole: &str = rest.get(..lines.take(count).map(str::len).sum())?;
    let joined = match count {
        1 => Cow::Borrowed(whole),
        _ => Cow::Owned(whole.replace("\\\r\n", " ").replace("\\\n", " ")),
    };
    let LoggedCommand { program, settings } = logged_command(joined.trim_end())?;
    if settings.is_empty() {
        return None;
    }
    let script = program.rsplit('/').next().filter(|name| name.strip_suffix(".py").is_some());
    for (key, value) in script.map(|script| ("script", script)).into_iter().chain(settings) {
        // An option may be given several times.
        let mut one = Config::default();
        insert(key, value, number, file, &mut one);
        one.iter().for_each(|(key, entry)| config.insert_beside(key, entry));
    }
    Some(whole.trim_end_matches(['\n', '\r']).len())
}

fn is_announcement(line: &str) -> bool {
    let lower = line.trim().to_ascii_lowercase();
    let says = |line: &str| ANNOUNCED.iter().any(|word| line.ends_with(word));
    lower == "---" || lower.strip_suffix(':').is_some_and(says)
}

/// `Name(key=value, …)` that begins on the line: takes its settings and says how long it is.
fn call(
    rest: &str,
    line: &str,
    number: u64,
    file: &FileEntry,
    config: &mut Config,
) -> Option<usize> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let opens = line.match_indices('(').find_map(|(open, _)| {
        let before = &line[..open];
        let start = before.rfind(|c| !is_name(c)).map_or(0, |at| at + 1);
        let name = before.get(start..)?;
        let ends = |known: &[&str]| known.iter().any(|end| name.ends_with(end));
        let prefix =
            if ends(WHOLE) { Some(String::new()) } else { ends(PARTS).then(|| format!("{name}.")) };
        Some((open + 1, prefix?))
    });
    let (open, prefix) = opens?;
    let (parts, length) = arguments(rest.get(open..)?)?;
    let settings: Vec<(&str, &str)> =
        parts.iter().filter_map(|part| part.split_once('=')).collect();
    let is_key = |(key, _): &(&str, &str)| key.trim().chars().all(is_name);
    if settings.is_empty() || settings.len() != parts.len() || !settings.iter().all(is_key) {
        return None;
    }
    for (key, value) in settings {
        insert(&format!("{prefix}{}", key.trim()), value, number, file, config);
    }
    Some(open + length)
}

/// A JSON object of several lines that begins at the end of the line, such as `Config {`.
fn object(
    rest: &str,
    line: &str,
    number: u64,
    file: &FileEntry,
    config: &mut Config,
) -> Option<usize> {
    let head = line.trim_end().strip_suffix('{')?;
    let open = head.len();
    let name = head.trim_end().rsplit([' ', ':']).next().unwrap_or_default();
    let is_part = PARTS.iter().any(|end| name.len() > end.len() && name.ends_with(end));
    let close = rest.find("\n}")? + 2;
    let parsed = parse_json_line(rest.get(open..close)?, number).ok()?;
    let table = parsed.root.table().filter(|table| table.len() >= FEWEST_LINES)?;
    let prefix = if is_part { name } else { "" };
    for (key, node) in table {
        let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        flatten(node, &key, &file.display, config);
    }
    Some(close)
}

/// Lines of YAML up to the first that is none.
fn block(rest: &str, number: u64, file: &FileEntry, config: &mut Config) -> Option<usize> {
    let is_part = |line: &&str| {
        let text = line.trim();
        let is_key = |(key, value): (&str, &str)| {
            let is_name = |c: char| c.is_alphanumeric() || "_-./".contains(c);
            !key.is_empty()
                && key.chars().all(is_name)
                && (value.is_empty() || value.starts_with(' '))
        };
        text.starts_with("- ") || text.split_once(':').is_some_and(is_key)
    };
    let lines: Vec<&str> = rest.split_inclusive('\n').take_while(|line| is_part(line)).collect();
    let length = lines.iter().map(|line| line.len()).sum::<usize>();
    let parsed = parse_yaml(rest.get(..length)?).ok().filter(|_| lines.len() >= FEWEST_LINES)?;
    for (key, node) in parsed.root.entries() {
        flatten(&moved(node, number - 1), key, &file.display, config);
    }
    Some(length.saturating_sub(1))
}

/// Lines of `key: value` or `key = value` behind the prefix of a logger, up to the first that is none or
/// stands further to the left.
fn logged_block(rest: &str, number: u64, file: &FileEntry, config: &mut Config) -> Option<usize> {
    let mut settings: Vec<(u64, String, &str)> = Vec::new();
    let (mut above, mut length): (Vec<(usize, String)>, usize) = (Vec::new(), 0);
    let (mut first, mut count) = (None, 0);
    for (at, line) in (number..).zip(rest.split_inclusive('\n')) {
        let Some(message) = behind_level(line.trim_end()) else { break };
        let Some((key, value)) = logged_setting(message.trim()) else { break };
        let indent = message.len() - message.trim_start().len();
        if indent < *first.get_or_insert(indent) {
            break;
        }
        above.retain(|(further, _)| *further < indent);
        let parts = above.iter().map(|(_, part)| part.as_str()).chain([key]);
        let key = parts.collect::<Vec<_>>().join(".");
        if value.is_empty() {
            above.push((indent, key.rsplit('.').next().unwrap_or_default().to_owned()));
        } else {
            settings.push((at, key, value));
        }
        (length, count) = (length + line.len(), count + 1);
    }
    if count < FEWEST_LINES {
        return None;
    }
    for (line, key, value) in settings {
        insert(&key, value, line, file, config);
    }
    Some(length.saturating_sub(1))
}

/// The key and the value of a line that is nothing else, and no point of a training.
fn logged_setting(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once([':', '='])?;
    let (key, value) = (key.trim(), value.trim());
    let is_name = |c: char| c.is_alphanumeric() || "_-./".contains(c);
    let is_several = !value.starts_with(['{', '[', '\'', '"'])
        && [": ", " = "].iter().any(|sign| value.contains(sign));
    let is_position = || axis_of_curve(|name| name == key).is_some();
    let is_key = !key.is_empty() && key.chars().all(is_name) && !is_position();
    (is_key && !is_several).then_some((key, value))
}

/// A node of a text that begins so many lines further down.
fn moved(node: &Node, lines: u64) -> Node {
    let value = match &node.value {
        Value::Table(table) => Value::Table(
            table.iter().map(|(key, node)| (key.clone(), moved(node, lines))).collect(),
        ),
        Value::List(items) => Value::List(items.iter().map(|item| moved(item, lines)).collect()),
        value => value.clone(),
    };
    Node { line: node.line + lines, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &str, expected: &[(&str, &str, u64)]) {
        let file = FileEntry::holding("train.log", content.as_bytes());
        let config = written(&file).config;
        let found: Vec<(&str, String, u64)> = config
            .iter()
            .map(|(key, entry)| {
                (key, entry.value.to_string(), entry.source.line.unwrap_or_default())
            })
            .collect();
        let expected: Vec<(&str, String, u64)> =
            expected.iter().map(|(key, value, line)| (*key, (*value).to_owned(), *line)).collect();
        assert_eq!(found, expected, "{content}");
    }

    #[test]
    fn settings_are_read_as_programs_print_them() {
        check(
            "start\nINFO Namespace(lr=0.001, name='a, b', betas=(0.9, 0.95), flag=True)\nstep 1\n",
            &[
                ("lr", "0.001", 2),
                ("name", "a, b", 2),
                ("betas", "(0.9, 0.95)", 2),
                ("flag", "true", 2),
            ],
        );
        check(
            "args TrainingArguments(\n_n_gpu=1,\nseed=42,\n)\n{'loss': 1.2}\n",
            &[("_n_gpu", "1", 1), ("seed", "42", 1)],
        );
        check("LoraConfig(r=8)\n", &[("LoraConfig.r", "8", 1)]);
        check(
            "Config:\n{\n  \"lr\": 0.1,\n  \"optim\": {\"name\": \"adamw\"}\n}\nstep 1\n",
            &[("lr", "0.1", 3), ("optim.name", "adamw", 4)],
        );
        check(
            "Training config:\nlr: 0.1\noptim:\n  name: adamw\n\nstep: 1\n",
            &[("lr", "0.1", 2), ("optim.name", "adamw", 4)],
        );
    }

    #[test]
    fn settings_are_read_behind_the_prefix_of_a_logger() {
        check(
            "2026-01-01 10:00:00 INFO Config:\n2026-01-01 10:00:00 INFO   lr: 1e-4\n\
             2026-01-01 10:00:00 INFO   optim:\n2026-01-01 10:00:00 INFO     name: adamw\n\
             2026-01-01 10:00:00 INFO   seed: 3\n2026-01-01 10:00:01 INFO loss: 0.5\n",
            &[("lr", "1e-4", 2), ("optim.name", "adamw", 4), ("seed", "3", 5)],
        );
        check(
            "[INFO] Hyperparameters:\n[INFO] batch_size = 32\n[INFO] lr = 0.1\n[INFO] amp = True\n\
             [INFO] epoch = 1\n",
            &[("batch_size", "32", 2), ("lr", "0.1", 3), ("amp", "true", 4)],
        );
        check(
            "[2026-01-01 10:00:00,123][INFO] - args:\n[2026-01-01 10:00:00,123][INFO] - lr: 0.1\n\
             [2026-01-01 10:00:00,123][INFO] - beta: 0.04\n\
             [2026-01-01 10:00:00,123][INFO] - kl: 0.1\n",
            &[("lr", "0.1", 2), ("beta", "0.04", 3), ("kl", "0.1", 4)],
        );
        check(
            "Config:\n  lr: 0.1\n  seed: 3\nEpoch 1/2\nshot 1 accuracy: 57%\n",
            &[("lr", "0.1", 2), ("seed", "3", 3)],
        );
        check(
            "INFO Config:\nINFO loss: 0.1 lr: 0.2\nINFO loss: 0.2 lr: 0.2\nINFO loss: 0 lr: 1\n",
            &[],
        );
    }

    #[test]
    fn commands_are_settings_and_two_values_of_one_stand_together() {
        check(
            "+ torchrun --nproc_per_node 8 \\\n  sft.py --lr 2e-5 \\\n  --name 'a b'\nstep 1\n\
             python grpo.py --lr 1e-6 --beta 0.1\n",
            &[
                ("script", "[sft.py, grpo.py]", 1),
                ("nproc_per_node", "8", 1),
                ("lr", "[2e-5, 1e-6]", 1),
                ("name", "a b", 1),
                ("beta", "0.1", 5),
            ],
        );
    }

    #[test]
    fn what_looks_like_settings_is_left_alone() {
        check("step: 1\nloss: 2.0\nlr: 0.1\nepoch: 1\n", &[]);
        check("{'loss': 1.2, 'learning_rate': 0.1}\n", &[]);
        check("print(f(x=1), 2)\nArguments(1, 2)\nNamespace(name=a, broken\n", &[]);
    }
}
