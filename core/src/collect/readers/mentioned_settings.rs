//! Settings that lines of a log mention in forms of their own: `args: {'lr': 1e-5}`, `| lr | 1e-5 |`,
//! `sys.argv: ['train.py', '--lr', '1e-5']`, `lr ........ 1e-5`, `参数: 学习率=1e-5`. Only names that are
//! known to decide results count, only in lines that list settings and say nothing else, and only where the
//! log has one value for them.

use std::collections::BTreeMap;

use super::super::FileEntry;
use super::super::logs::line::clean;
use super::chinese_heads::setting_key;
use super::log_commands;
use super::python_values::insert;
use super::settings_beside::{decides_results, is_setting_of_rows};
use super::shown_samples;
use crate::model::{ANSWERS_EACH, Config, axis_of_curve, axis_of_key, leaf};

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
struct Mention<'l> {
    name: &'l str,
    value: &'l str,
}

/// Names of what a program works on, which a server or an evaluation prints as a training does.
const OF_ANY_PROGRAM: &[&str] = &[
    "model",
    "model_name",
    "model_name_or_path",
    "model_path",
    "base_model",
    "pretrained_model",
    "checkpoint",
    "resume_from_checkpoint",
    "dataset",
    "dataset_name",
    "train_file",
    "data_path",
    "seed",
    "random_seed",
];

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
    shows_samples: bool,
}

impl Mentions {
    /// Takes what a line mentions; one that says a step tells how the training went, and from one on that
    /// shows a prompt or an answer, texts of models may follow.
    pub(super) fn look(&mut self, line: &str, number: u64) {
        if self.shows_samples || line.len() > LONGEST || !line.contains(MARKS) {
            return;
        }
        let cleaned = clean(line);
        let line = shown_samples::message(&cleaned).trim();
        self.shows_samples = shown_samples::begins(line);
        if self.shows_samples {
            return;
        }
        if let Some((key, value)) = banner(line) {
            return self.add(key, &value, number);
        }
        if let Some((key, value)) = planned(line) {
            self.add(key, value, number);
        }
        let Some(mentions) = mentions(line) else {
            self.trained = Some(number);
            return;
        };
        for Mention { name, value } in mentions {
            if let Some(key) = self.key(name).filter(|key| is_value(key, value)) {
                self.add(&key, &value.replace(',', ""), number);
            }
        }
    }

    fn key(&mut self, name: &str) -> Option<String> {
        if let Some(known) = self.keys.get(name) {
            return known.clone();
        }
        let key = setting_key(name);
        let leaf = leaf(&key);
        let is_one = (decides_results(leaf) || OF_ANY_PROGRAM.contains(&leaf))
            && axis_of_key(leaf).is_none();
        // `limit` is as often one of requests, and answers to each prompt of a training are none of an
        // evaluation.
        let is_other = leaf == "limit" || ANSWERS_EACH.contains(&leaf);
        let key = (is_one && !is_other).then(|| leaf.to_owned());
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

    /// Adds what the log mentions with one value, where it does not state that otherwise: to its settings, or
    /// to what may be of any program.
    pub(super) fn add_to(self, config: &mut Config, printed: &mut Config, file: &FileEntry) {
        for (key, value, number) in &self.found {
            let is_stated = config.iter().any(|(known, _)| setting_key(leaf(known)) == *key);
            if !is_stated && !self.several.contains(key) {
                let is_of_any = OF_ANY_PROGRAM.contains(&key.as_str());
                insert(key, value, *number, file, if is_of_any { printed } else { config });
            }
        }
    }
}

/// Marks without which a line mentions nothing.
const MARKS: [char; 8] = [':', '=', '|', ',', '：', '/', '.', '`'];
/// What stands around names and values.
const QUOTES: [char; 4] = ['\'', '"', '`', '*'];
/// What ends a value.
const ENDS: [char; 10] = [',', ';', '|', ')', '}', ']', '，', '；', '\\', '`'];
/// Words in front of settings of something else.
const OF_OTHERS: &[&str] = &[
    "baseline",
    "paper",
    "previous",
    "best",
    "todo",
    "usage",
    "example",
    "trial",
    "warning",
    "error",
    "deprecated",
    "retry",
    "retrying",
    "oom",
    "failed",
    "default",
    "try",
    "suggested",
    "rerun",
    "rate",
    "limit",
    "expected",
    "was",
    "old",
    "found",
];

/// `Num examples = 1,000`.
fn banner(line: &str) -> Option<(&'static str, String)> {
    let (name, value) = line.split_once('=')?;
    let name = name.split('(').next().unwrap_or(name).trim();
    let (_, key) = BANNER.iter().find(|(known, _)| name.eq_ignore_ascii_case(known))?;
    let value = value.trim().replace(',', "");
    value.parse::<f64>().ok().map(|_| (*key, value))
}

/// The 500 of `Step 5/500 loss: 2` and the 3 of `Epoch 1/3`; steps within an epoch are those of the epoch.
fn planned(line: &str) -> Option<(&'static str, &str)> {
    let signs = [' ', ',', '[', ']', '(', ')', '='];
    let words = line.split(signs).map(|word| word.trim_end_matches(':'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let behind = |name: &str| {
        let at = words.iter().position(|word| word.eq_ignore_ascii_case(name))? + 1;
        let (reached, planned) = words.get(at)?.split_once('/')?;
        let is_part = reached.parse::<u64>().ok()? <= planned.parse().ok()?;
        // Stages of a build have no figures.
        let tells = words.get(at + 1..)?.iter().any(|word| word.parse::<f64>().is_ok());
        (is_part && tells).then_some(planned)
    };
    let has_epoch = words.iter().any(|word| word.to_ascii_lowercase().starts_with("epoch"));
    let steps = || behind("step").filter(|_| !has_epoch).map(|steps| ("max_steps", steps));
    behind("epoch").map(|epochs| ("num_train_epochs", epochs)).or_else(steps)
}

/// The pairs of a line that lists settings, none of another one; `None` where it tells how a training or an
/// evaluation went.
fn mentions(line: &str) -> Option<Vec<Mention<'_>>> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let (mut found, mut at, mut is_listing) = (Vec::new(), 0, true);
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let dots = rest.find("..").filter(|dots| *dots > 0);
        let length = dots.map_or(length, |dots| dots.min(length));
        if length == 0 {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let (word, behind) = rest.split_at(length);
        let name = word.trim_matches(['-', '.']);
        let before = line.get(..at).unwrap_or_default();
        at += length;
        if !name.starts_with(|c: char| c.is_alphabetic()) {
            // A number that is no value.
            is_listing &= found.is_empty() || !name.starts_with(|c: char| c.is_ascii_digit());
            continue;
        }
        let signs = [' ', ':', '=', '\'', '"'];
        let is_counted = behind.trim_start_matches(signs).starts_with(|c: char| c.is_ascii_digit());
        if is_position(name) && is_counted {
            return None;
        }
        let Some(value) = value_behind(behind, word.starts_with("--"), begins_segment(before))
        else {
            is_listing &= found.is_empty() && !is_of_others(name);
            continue;
        };
        let end = value.as_ptr() as usize - line.as_ptr() as usize + value.len();
        // What a bracket opens or a title announces follows: `wandb: Run config: lr=1e-5`.
        let goes_on =
            line.get(end..).is_some_and(|rest| rest.trim_start().starts_with(char::is_alphabetic));
        let is_title = found.is_empty() && value.starts_with(char::is_alphabetic) && goes_on;
        if value.starts_with(['{', '[', '(']) || value.contains('=') || is_title {
            continue;
        }
        if value.parse::<f64>().is_ok() && is_figure(name) {
            return None;
        }
        is_listing &= !found.is_empty() || may_stand_before(before);
        at = end;
        found.push(Mention { name, value });
    }
    Some(if is_listing { found } else { Vec::new() })
}

/// Whether that text in front of the first setting says that settings follow: nothing, or a sign.
fn may_stand_before(text: &str) -> bool {
    let text = text.trim_end_matches(['-', ' ', '\'', '"', '`', '*']);
    let is_comment = text.starts_with('#') || text.starts_with("//");
    let ends = |text: &str| text.ends_with([':', '：', '{', '[', '|', '>', ',', ';', ']']);
    let is_command = || {
        let script = text.rsplit(' ').next().unwrap_or(text);
        log_commands::is_script(script)
    };
    !is_comment && (text.is_empty() || ends(text) || is_command())
}

fn is_of_others(word: &str) -> bool {
    OF_OTHERS.iter().any(|known| word.eq_ignore_ascii_case(known))
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
    let ends = |c: char| c.is_whitespace() || QUOTES.contains(&c) || ENDS.contains(&c);
    let end = value.find(ends).unwrap_or(value.len());
    let grouped = grouped_digits(value);
    let value = value.get(..end.max(grouped))?.trim_end_matches('.');
    (!value.is_empty()).then_some(value)
}

/// How long a number is that commas part into groups of three digits: `1,000`; else 0.
fn grouped_digits(text: &str) -> usize {
    let length = text.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(text.len());
    let mut groups = text[..length].split(',');
    let first = groups.next().map_or(0, str::len);
    let rest: Vec<&str> = groups.collect();
    let is_grouped = (1..=3).contains(&first) && rest.iter().all(|group| group.len() == 3);
    if is_grouped && !rest.is_empty() { length } else { 0 }
}

/// Whether a name behind that text is the first word of what it belongs to.
fn begins_segment(before: &str) -> bool {
    let last = before.trim_end().chars().last();
    last.is_none_or(|last| "([{,;|:：，；->]".contains(last) || QUOTES.contains(&last))
}

/// Numbers and switches are settings; words only of settings that tables have, where prompts are none.
fn is_value(key: &str, value: &str) -> bool {
    value.replace(',', "").parse::<f64>().is_ok_and(f64::is_finite)
        || ["true", "false"].iter().any(|word| value.eq_ignore_ascii_case(word))
        || (is_setting_of_rows(key) || OF_ANY_PROGRAM.contains(&key))
            && value.starts_with(|c: char| c.is_alphabetic() || c == '/')
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
        let mut printed = Config::default();
        mentions.add_to(&mut config, &mut printed, &FileEntry::holding("train.log", b""));
        let found = config.iter().map(|(key, entry)| (key.to_owned(), entry.value.to_string()));
        let expected = expected.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{log}");
    }

    #[test]
    fn settings_are_read_in_the_forms_of_other_programs() {
        for (line, expected) in [
            (
                "args: {'kl_beta': 0.1, 'optimizer': 'adamw'}",
                &[("kl_beta", "0.1"), ("optimizer", "adamw")][..],
            ),
            (
                "sys.argv: ['train.py', '--kl_beta', '0.1', '--lr=1e-5']",
                &[("kl_beta", "0.1"), ("lr", "1e-5")],
            ),
            (
                "INFO - kl_beta: 0.1\n[INFO] cfg: kl_coef=0.2",
                &[("kl_beta", "0.1"), ("kl_coef", "0.2")],
            ),
            ("| kl_beta | 0.1 |\n| dropout | 0.0 |", &[("kl_beta", "0.1"), ("dropout", "0.0")]),
            ("  weight_decay ............. 0.01\n", &[("weight_decay", "0.01")]),
            ("weight_decay........0.01", &[("weight_decay", "0.01")]),
            ("参数: 学习率=1e-5 批大小=32", &[("learning_rate", "1e-5"), ("batch_size", "32")]),
            ("wandb: Run config: lr=1e-5, optim=adamw", &[("lr", "1e-5"), ("optim", "adamw")]),
            ("PS C:\\x> python train.py --kl_beta 0.1 `", &[("kl_beta", "0.1")]),
            (
                "  Num examples = 1,000\nTotal train batch size (w. parallel) = 32",
                &[("num_train_samples", "1000"), ("total_train_batch_size", "32")],
            ),
            ("actor.optim.lr=1e-6", &[("lr", "1e-6")]),
            (
                "[2024-01-01 10:00:00] starting\nbatch_size=32\nEpoch 1 loss 0.5",
                &[("batch_size", "32")],
            ),
            ("max_steps: 1,000", &[("max_steps", "1000")]),
            ("kl_beta=0.1\nkl_beta: 0.10", &[("kl_beta", "0.1")]),
            ("kl_beta=0.1\nstep 1\nkl_beta: 0.2", &[]),
            ("[INFO] Step 1/500 - loss: 2\n[INFO] Step 2/500 - loss: 1", &[("max_steps", "500")]),
            ("Step 1/500 loss 0.5", &[("max_steps", "500")]),
            ("Epoch 1/3 - train_loss: 0.01162", &[("num_train_epochs", "3")]),
            ("Epoch 1 step 1/50 loss: 2\nstep 3/2\nstep 1/9\nstep 1/8", &[]),
        ] {
            check(line, expected);
        }
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
            "Answer: lr=0.1\nlr=0.1",
            "### Response: use lr=0.1",
            "```\nlr = 0.1\n```",
            "def train(lr=0.1, epochs=3):",
            "get_weather(temperature=21, limit=21)",
            "limit: 61",
            "429 Too Many Requests: rpm_limit=100, limit: 100",
            "rate limit reached: max_tokens=10000",
            "Baseline paper: lr=0.1, batch_size=32",
            "# TODO: try lr=0.1",
            "Previous run had lr=0.1",
            "max_length=512 is deprecated, ignored",
            "rerun with --batch_size 4 to avoid OOM",
            "CUDA OOM with batch_size=4, retrying",
            "best config found: batch_size=4",
            "longest sample seen max_length=511",
            "trial 3: lr=0.1, dropout=0.2 -> 0.55",
            "lr=1e-7 (scheduler init)",
            "GPU temperature: 61 C",
            "warmup_steps: 3 ms",
            "epochs: 30 s per epoch",
            "batch_size: 30 tokens/s",
            "num_generations=4",
            "Step 1/5 : FROM python:3.10",
            "Step 1/5: installing dependencies",
        ] {
            check(log, &[]);
        }
    }
}
