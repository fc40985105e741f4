//! Settings that lines of a log mention in forms of their own: `args: {'lr': 1e-5}`, `| lr | 1e-5 |`,
//! `sys.argv: ['train.py', '--lr', '1e-5']`, `lr ........ 1e-5`, `参数: 学习率=1e-5`. Only names that are
//! known to decide results count, and only where the log has one value for them.

use std::collections::BTreeMap;

use super::super::FileEntry;
use super::super::logs::line::{clean, split_log_prefix};
use super::chinese_heads::setting_key;
use super::python_values::insert;
use super::settings_beside::{decides_results, is_setting_of_rows};
use crate::model::{Config, axis_of_curve, axis_of_key, leaf};

/// What the trainer of transformers says as it starts, and the setting that it is.
const BANNER: &[(&str, &str)] = &[
    ("num examples", "num_train_samples"),
    ("num epochs", "num_train_epochs"),
    ("total train batch size", "total_train_batch_size"),
];
/// Lines behind one of a step within which others are of that step.
const BELOW: u64 = 20;
/// Longer lines are texts or data.
const LONGEST: usize = 4096;

/// A name with its value.
type Mention<'l> = (&'l str, &'l str);

/// The mentions of the lines that were looked at.
#[derive(Default)]
pub(super) struct Mentions {
    /// The keys of names that decide results, by the name as it is written: a log repeats few names often.
    keys: BTreeMap<String, Option<String>>,
    found: Vec<(String, String, u64)>,
    /// Keys with several values.
    several: Vec<String>,
    /// The last line that told how the training went.
    trained: Option<u64>,
}

impl Mentions {
    /// Takes what a line mentions; one that says a step tells how the training went.
    pub(super) fn look(&mut self, line: &str, number: u64) {
        if line.len() > LONGEST || !line.contains(SIGNS) && !line.contains("..") {
            return;
        }
        let cleaned = clean(line);
        let line = split_log_prefix(&cleaned).rest;
        if let Some((key, value)) = banner(line) {
            return self.add(key, &value, number);
        }
        if let Some(steps) = planned_steps(line) {
            self.add("max_steps", steps, number);
        }
        let Some(mentions) = mentions(line) else {
            self.trained = Some(number);
            return;
        };
        for (name, value) in mentions {
            if let Some(key) = self.key(name).filter(|key| is_value(key, value)) {
                self.add(&key, value, number);
            }
        }
    }

    fn key(&mut self, name: &str) -> Option<String> {
        if let Some(known) = self.keys.get(name) {
            return known.clone();
        }
        let key = setting_key(name);
        let leaf = leaf(&key);
        let key = (decides_results(leaf) && axis_of_key(leaf).is_none()).then(|| leaf.to_owned());
        self.keys.insert(name.to_owned(), key.clone());
        key
    }

    fn add(&mut self, key: &str, value: &str, number: u64) {
        let number_of = |text: &str| text.parse::<f64>().ok();
        let is_same = |known: &str| {
            known == value || number_of(known).is_some_and(|known| number_of(value) == Some(known))
        };
        let of_step = self.trained.is_some_and(|line| number <= line + BELOW);
        match self.found.iter().find(|(known, ..)| known == key) {
            Some((_, known, _)) if is_same(known) => {}
            Some(_) => self.several.push(key.to_owned()),
            None if of_step => {}
            None => self.found.push((key.to_owned(), value.to_owned(), number)),
        }
    }

    /// Adds what the log mentions with one value, where it does not state that otherwise.
    pub(super) fn add_to(self, config: &mut Config, file: &FileEntry) {
        for (key, value, number) in &self.found {
            let is_stated = config.iter().any(|(known, _)| setting_key(leaf(known)) == *key);
            if !is_stated && !self.several.contains(key) {
                insert(key, value, *number, file, config);
            }
        }
    }
}

/// What stands between a name and its value.
const SIGNS: [char; 5] = [':', '=', '|', ',', '：'];
/// What stands around names and values.
const QUOTES: [char; 4] = ['\'', '"', '`', '*'];

/// `Num examples = 1,000`.
fn banner(line: &str) -> Option<(&'static str, String)> {
    let (name, value) = line.split_once('=')?;
    let name = name.split('(').next().unwrap_or(name).trim();
    let (_, key) = BANNER.iter().find(|(known, _)| name.eq_ignore_ascii_case(known))?;
    let value = value.trim().replace(',', "");
    value.parse::<f64>().ok().map(|_| (*key, value))
}

/// `500` of `Step 5/500`; within an epoch they are those of the epoch.
fn planned_steps(line: &str) -> Option<&str> {
    let mut words = line.split([' ', ':', ',', '[', ']', '(', ')']).filter(|word| !word.is_empty());
    let place = loop {
        let word = words.next()?;
        if word.eq_ignore_ascii_case("epoch") {
            return None;
        }
        if word.eq_ignore_ascii_case("step") {
            break words.next()?;
        }
    };
    let (at, planned) = place.split_once('/')?;
    let (at, steps) = (at.parse::<u64>().ok()?, planned.parse::<u64>().ok()?);
    let has_epoch = words.any(|word| word.to_ascii_lowercase().starts_with("epoch"));
    (at <= steps && !has_epoch).then_some(planned)
}

/// The pairs of a line; `None` where it tells how a training or an evaluation went.
fn mentions(line: &str) -> Option<Vec<Mention<'_>>> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let length =
            rest.find("..").filter(|&dots| dots > 0).map_or(length, |dots| dots.min(length));
        if length == 0 {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let (word, behind) = rest.split_at(length);
        let name = word.trim_matches(['-', '.']);
        if !name.starts_with(|c: char| c.is_alphabetic()) {
            at += length;
            continue;
        }
        if is_position(name)
            && behind
                .trim_start_matches([' ', ':', '=', '\'', '"'])
                .starts_with(|c: char| c.is_ascii_digit())
        {
            return None;
        }
        let is_option = word.starts_with("--");
        let value = value_behind(behind, is_option, begins_segment(&line[..at]));
        if value.is_some_and(|value| value.parse::<f64>().is_ok()) && is_figure(name) {
            return None;
        }
        found.extend(value.map(|value| (name, value)));
        at += length;
    }
    Some(found)
}

/// The value behind a name: `=0.1`, `': 0.1`, ` | 0.1`, ` .... 0.1`; of an option also ` 0.1`, `', '0.1`.
fn value_behind(behind: &str, is_option: bool, begins: bool) -> Option<&str> {
    let unquoted = behind.trim_start_matches(QUOTES);
    let is_quoted = unquoted.len() < behind.len();
    let signed = unquoted.trim_start();
    let is_loose = signed.len() < unquoted.len();
    let dotted = signed.trim_start_matches('.');
    let sign = signed.chars().next()?;
    let value = match sign {
        '=' | ':' | '：' => {
            let value = &signed[sign.len_utf8()..];
            let is_tight = !is_loose && !value.starts_with(' ');
            (is_tight || begins || is_quoted).then_some(value)?
        }
        '|' if begins => &signed[1..],
        ',' if is_option && is_quoted => &signed[1..],
        '.' if begins && signed.len() > dotted.len() + 1 => dotted,
        _ if is_option && is_loose && !is_quoted => signed,
        _ => return None,
    };
    let value = value.trim_start().trim_start_matches(QUOTES);
    let ends = |c: char| c.is_whitespace() || QUOTES.contains(&c) || ",;|)}]，；".contains(c);
    let value = value.split(ends).next().unwrap_or_default().trim_end_matches('.');
    (!value.is_empty()).then_some(value)
}

/// Whether a name behind that text is the first word of what it belongs to.
fn begins_segment(before: &str) -> bool {
    let last = before.trim_end().chars().last();
    last.is_none_or(|last| "([{,;|:：，；-".contains(last) || QUOTES.contains(&last))
}

/// Numbers and switches are settings; words only of settings that tables have, where prompts are none.
fn is_value(key: &str, value: &str) -> bool {
    value.parse::<f64>().is_ok_and(f64::is_finite)
        || ["true", "false"].iter().any(|word| value.eq_ignore_ascii_case(word))
        || is_setting_of_rows(key) && value.starts_with(|c: char| c.is_alphabetic() || c == '/')
}

/// Whether numbers of that name are what came out.
fn is_figure(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["loss", "reward", "accuracy", "acc", "score", "grad_norm"]
        .iter()
        .any(|end| name.ends_with(end))
}

fn is_position(name: &str) -> bool {
    axis_of_curve(|word| name.eq_ignore_ascii_case(word)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(log: &str, expected: &[(&str, &str)]) {
        let mut mentions = Mentions::default();
        for (number, line) in (1..).zip(log.lines()) {
            mentions.look(line, number);
        }
        let mut config = Config::default();
        mentions.add_to(&mut config, &FileEntry::holding("train.log", b""));
        let found = config.iter().map(|(key, entry)| (key.to_owned(), entry.value.to_string()));
        let expected = expected.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{log}");
    }

    #[test]
    fn settings_are_read_in_the_forms_of_other_programs() {
        check(
            "args: {'kl_beta': 0.1, 'optimizer': 'adamw'}",
            &[("kl_beta", "0.1"), ("optimizer", "adamw")],
        );
        check(
            "sys.argv: ['train.py', '--kl_beta', '0.1', '--lr=1e-5']",
            &[("kl_beta", "0.1"), ("lr", "1e-5")],
        );
        check(
            "INFO - kl_beta: 0.1\n[INFO] cfg kl_coef=0.2",
            &[("kl_beta", "0.1"), ("kl_coef", "0.2")],
        );
        check("| kl_beta | 0.1 |\n| dropout | 0.0 |", &[("kl_beta", "0.1"), ("dropout", "0.0")]);
        for line in ["  weight_decay ............. 0.01\n", "weight_decay........0.01"] {
            check(line, &[("weight_decay", "0.01")]);
        }
        check("参数: 学习率=1e-5 批大小=32", &[("learning_rate", "1e-5"), ("batch_size", "32")]);
        check("wandb: Run config: lr=1e-5, optim=adamw", &[("lr", "1e-5"), ("optim", "adamw")]);
        check("PS C:\\x> python train.py --kl_beta 0.1 `", &[("kl_beta", "0.1")]);
        check(
            "***** Running training *****\n  Num examples = 1,000\n  Total train batch size (w. parallel) = 32",
            &[("num_train_samples", "1000"), ("total_train_batch_size", "32")],
        );
        check("actor.optim.lr=1e-6", &[("lr", "1e-6")]);
    }

    #[test]
    fn what_changes_and_what_is_told_of_steps_samples_and_machines_is_no_setting() {
        for log in [
            "step 10 lr=1e-5 loss=0.3",
            "{'loss': 0.3, 'learning_rate': 1e-05, 'epoch': 0.1}",
            "temperature=0.2\ntemperature=0.7",
            "prompt: 'Solve x' and reply",
            "the memory limit: 80 was reached",
            "shots: 4 accuracy: 57%",
            "we use a beta of 3, and more",
            "model=base seed=3 tokenizer=x",
            "step: 1\nloss: 2.0\nlr: 0.1",
            "{'loss': 1.2, 'learning_rate': 0.1}",
        ] {
            check(log, &[]);
        }
        check("kl_beta=0.1\nkl_beta: 0.10", &[("kl_beta", "0.1")]);
        check("kl_beta=0.1\nstep 1\nkl_beta: 0.2", &[]);
        check("[INFO] Step 1/500 - loss: 2\n[INFO] Step 2/500 - loss: 1", &[("max_steps", "500")]);
        check("Epoch 1 step 1/50 loss: 2\nstep 3/2\nstep 1/9\nstep 1/8", &[]);
    }
}
