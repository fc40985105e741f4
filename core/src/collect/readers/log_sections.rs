//! Whose the figures in lines of a log are: headings above them, `Model: base`, `Dataset: gsm8k`, and what
//! stands in a line itself, `[SFT] step 100`, `split=val`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::super::ReadOptions;
use super::super::logs::line::clean;
use super::chinese_heads::{CHINESE_HEADS, in_english};
use super::commands_in_force::Command;
use super::curve_columns::CurveColumns;
use super::heads::coordinate;
use super::log_commands::{LoggedCommand, logged_command, printed_settings};
use super::points::IsWanted;
use super::shown_samples;
use crate::model::axis_of_word;

/// Words of headings and in front of values, with the column that they are.
const WORDS: &[(&str, &str)] = &[
    ("model", "model"),
    ("method", "method"),
    ("arm", "arm"),
    ("run", "run"),
    ("kl_beta", "kl_beta"),
    ("dataset", "dataset"),
    ("benchmark", "dataset"),
    ("split", "split"),
    ("seed", "seed"),
    ("shot", "shot"),
    ("shots", "shot"),
    ("few-shot", "shot"),
    ("fewshot", "shot"),
];
/// Names in commands, in the environment of one and in brackets, with the column that they are: lines of
/// figures may repeat them without saying whose they are.
const SETTINGS: &[(&str, &str)] = &[
    ("lr", "lr"),
    ("learning_rate", "lr"),
    ("batch_size", "batch_size"),
    ("per_device_train_batch_size", "batch_size"),
    ("beta", "beta"),
    ("kl_coef", "kl_coef"),
    ("init_kl_coef", "kl_coef"),
    ("weight_decay", "weight_decay"),
    ("num_fewshot", "shot"),
    ("num_shots", "shot"),
    ("n_shot", "shot"),
    ("n_shots", "shot"),
    ("model_path", "model"),
    ("model_name", "model"),
    ("model_name_or_path", "model"),
    ("task", "dataset"),
    ("tasks", "dataset"),
    ("run_name", "run"),
    ("exp_name", "run"),
    ("data", "data"),
    ("data_path", "data"),
    ("data_file", "data"),
    ("train_file", "data"),
    ("train_data", "data"),
    ("dataset_path", "data"),
];
/// Words in brackets, with the column that they are a value of.
const TAGS: &[(&str, &str)] = &[
    ("train", "split"),
    ("training", "split"),
    ("val", "split"),
    ("valid", "split"),
    ("validation", "split"),
    ("test", "split"),
    ("dev", "split"),
    ("base", "model"),
    ("baseline", "model"),
    ("tuned", "model"),
    ("sft", "model"),
    ("grpo", "model"),
    ("ppo", "model"),
    ("dpo", "model"),
];
/// Words of headings that say nothing of whose the figures are.
const FILLERS: &[&str] = &[
    "evaluating",
    "evaluation",
    "eval",
    "running",
    "results",
    "result",
    "testing",
    "training",
    "train",
    "start",
    "starting",
    "begin",
    "fine-tuning",
    "finetuning",
    "for",
    "of",
    "model",
];
/// All of those words but the fillers, for a first look at a line.
static KNOWN: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let words = WORDS.iter().chain(TAGS).chain(CHINESE_HEADS).map(|(word, _)| word);
    AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()
});
/// Longest line that is a heading.
pub(super) const LONGEST_HEADING: usize = 80;

/// A column and its value.
pub(super) type LogLabel = (&'static str, String);

/// What the lines below are of.
#[derive(Debug)]
pub(super) struct LogHeading {
    pub(super) labels: Vec<LogLabel>,
    /// The command that it is.
    pub(super) command: Option<Command>,
    /// Whether the line may say their place too: `Running GRPO epoch 1`.
    pub(super) may_be_place: bool,
}

/// What a line says of those below: `Model: base`, `=== model: tuned ===`, `Seed 0`, `=== SFT ===`,
/// `--- GRPO (KL_BETA=0.12) ---`, `export KL_BETA=0.15`.
pub(super) fn heading(line: &str) -> Option<LogHeading> {
    if let Some(heading) = command(line) {
        return Some(heading);
    }
    let is_known = || KNOWN.as_ref().is_some_and(|known| known.is_match(line));
    if line.len() > LONGEST_HEADING || !is_known() {
        return None;
    }
    let line = clean(line);
    let line = shown_samples::message(&line);
    let line = line.trim_matches(|c: char| c.is_whitespace() || "=-#*>═━─".contains(c));
    let line = line.strip_prefix("Config: ").unwrap_or(line);
    if let Some(label) = stated(line) {
        return Some(LogHeading { labels: vec![label], command: None, may_be_place: false });
    }
    let labels = named(line);
    (!labels.is_empty()).then_some(LogHeading { labels, command: None, may_be_place: true })
}

/// What a command, or the settings that a program prints as it starts, say of the figures below them;
/// `None` where they say nothing of these.
fn command(line: &str) -> Option<LogHeading> {
    let printed = || Some(LoggedCommand { program: "", settings: printed_settings(line)? });
    let command = logged_command(line).or_else(printed)?;
    if shown_samples::begins(shown_samples::message(line)) {
        return None;
    }
    let mut labels: Vec<LogLabel> = Vec::new();
    for (name, value) in &command.settings {
        let Some(column) = setting_of(name) else { continue };
        if labels.iter().all(|(known, _)| *known != column) {
            labels.push((column, (*value).to_owned()));
        }
    }
    let sets = !command.settings.is_empty();
    let command = Some(Command::new(&command, setting_of));
    sets.then_some(LogHeading { labels, command, may_be_place: false })
}

/// The column of a name in a command or in brackets.
fn setting_of(name: &str) -> Option<&'static str> {
    let name = name.rsplit('.').next().unwrap_or(name).replace('-', "_");
    column_of(&name).or_else(|| listed(SETTINGS, &name))
}

/// A column with its value, where a heading says nothing else.
fn stated(line: &str) -> Option<LogLabel> {
    let signed = line.split_once([':', '=', '：']);
    let is_numbered = |name: &str| NUMBERED.iter().any(|known| name.eq_ignore_ascii_case(known));
    let numbered = || line.split_once(' ').filter(|(name, _)| is_numbered(name));
    let (name, value) = signed.or_else(numbered)?;
    let value = value.trim();
    let column = column_of(name.trim())?;
    let is_state = NO_NAMES.iter().any(|known| value.eq_ignore_ascii_case(known));
    let is_value = !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || c == '=');
    (is_value && !is_state).then(|| (column, value.to_owned()))
}

/// What is said of a model, a run or a dataset, and no name of one.
const NO_NAMES: &[&str] = &[
    "loaded",
    "loading",
    "saved",
    "saving",
    "ready",
    "done",
    "initialized",
    "finished",
    "started",
    "none",
    "null",
];
/// Words of headings behind which a number stands without a sign.
const NUMBERED: [&str; 2] = ["seed", "shot"];

/// The known model that a heading names and the values that it gives, where it says nothing else but
/// a place.
fn named(line: &str) -> Vec<LogLabel> {
    let is_place = |word: &str| {
        axis_of_word(&word.to_ascii_lowercase()).is_some()
            || word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'/')
    };
    let is_filler = |word: &str| FILLERS.iter().any(|known| word.eq_ignore_ascii_case(known));
    let words = line.split([' ', ':', ',', '(', ')', '[', ']']).filter(|word| !word.is_empty());
    let words = words.filter(|word| !is_place(word) && !is_filler(word));
    let label = |word: &str| match word.split_once('=') {
        Some((name, value)) => {
            let column = setting_of(name)?;
            (!value.is_empty()).then(|| (column, value.to_owned()))
        }
        None if let Some(("shot", shots, rest)) = coordinate(word) => {
            rest.is_empty().then_some(("shot", shots))
        }
        None => tag(word).filter(|column| *column == MODEL).map(|_| (MODEL, word.to_owned())),
    };
    let labels = words.map(label).collect::<Option<Vec<LogLabel>>>().unwrap_or_default();
    let models = labels.iter().filter(|(column, _)| *column == MODEL).count();
    let is_of_shots = matches!(&labels[..], [("shot", _)]);
    if models == 1 || is_of_shots { labels } else { Vec::new() }
}

/// The column of models.
pub(super) const MODEL: &str = "model";

/// What the figures in the line itself are of.
pub(super) fn labels(line: &str) -> Vec<LogLabel> {
    let mut found: Vec<LogLabel> = Vec::new();
    if !line.contains(['[', '=', '{', '|']) {
        return found;
    }
    let mut add = |label: LogLabel| {
        if found.iter().all(|(column, _)| *column != label.0) {
            found.push(label);
        }
    };
    if let Some((_, members)) = line.split_once('{') {
        for (name, value) in members.split([',', '}']).filter_map(|part| part.split_once(':')) {
            let [name, value] = [name, value].map(|word| word.trim().trim_matches(QUOTES));
            if let Some(column) = column_of(name).filter(|column| is_value_of(column, value)) {
                add((column, value.to_owned()));
            }
        }
    }
    if let Some((first, _)) = line.split_once('|') {
        let first = first.trim();
        if let Some(column) = tag(first) {
            add((column, first.to_owned()));
        }
    }
    for word in line.split([' ', '\t', ',', '|', ';']) {
        if let Some((name, value)) = word.split_once('=') {
            let value = value.trim_matches(QUOTES);
            if let Some(column) = column_of(name).filter(|column| is_value_of(column, value)) {
                add((column, value.to_owned()));
            }
        } else if let Some(inside) = word.strip_prefix('[').and_then(|tag| tag.strip_suffix(']'))
            && let Some(column) = tag(inside)
        {
            add((column, inside.to_owned()));
        }
    }
    found
}

const QUOTES: [char; 2] = ['"', '\''];

/// Whether that is a value of a column: a name, or where the column counts, a number.
fn is_value_of(column: &str, value: &str) -> bool {
    value.starts_with(char::is_alphabetic)
        || ["seed", "shot", "kl_beta"].contains(&column) && value.parse::<f64>().is_ok()
}

/// The column that a word is a value of.
fn tag(word: &str) -> Option<&'static str> {
    listed(TAGS, word)
}

/// Whose the figures of each line are.
#[derive(Default)]
pub(super) struct LogLabels {
    above: BTreeMap<&'static str, String>,
    /// Values of headings as they were written first, by column and lower case.
    spelled: BTreeMap<LogLabel, String>,
    of_lines: Vec<(u64, LogLabel)>,
}

impl LogLabels {
    /// A heading, of which the lines below are.
    pub(super) fn begin(&mut self, labels: Vec<LogLabel>) {
        for (column, value) in labels {
            // One name is written in several ways.
            let known = self.spelled.entry((column, value.to_lowercase())).or_insert(value);
            self.above.insert(column, known.clone());
        }
    }

    /// What the headings above a line say.
    pub(super) fn above(&self) -> Vec<LogLabel> {
        self.above.iter().map(|(column, value)| (*column, value.clone())).collect()
    }

    /// A line of figures with what it says itself, which stands before the headings.
    pub(super) fn note(&mut self, line: u64, own: Vec<LogLabel>) {
        let is_own = |column: &str| own.iter().any(|(known, _)| *known == column);
        let mut above = self.above();
        above.retain(|(column, _)| !is_own(column));
        self.of_lines.extend(own.into_iter().chain(above).map(|label| (line, label)));
    }

    /// The same as columns beside the figures, those that are wanted.
    pub(super) fn columns(&self, is_wanted: IsWanted, options: &ReadOptions) -> CurveColumns {
        let mut columns = CurveColumns::asking(options);
        for (line, (column, value)) in self.of_lines.iter().filter(|(_, one)| is_wanted(one.0)) {
            columns.add(column, *line, value);
        }
        self.above.keys().for_each(|column| columns.note_headings(column));
        columns
    }
}

fn column_of(name: &str) -> Option<&'static str> {
    listed(WORDS, in_english(name).unwrap_or(name))
}

/// The column beside a word in a list.
fn listed(list: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    list.iter().find(|(known, _)| word.eq_ignore_ascii_case(known)).map(|(_, column)| *column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_says_nothing_else_is_a_heading() {
        for (line, expected) in [
            ("Model: base", Some(("model", "base"))),
            ("2026-01-01 10:00:00 INFO === model: tuned ===", Some(("model", "tuned"))),
            ("Dataset: gsm8k", Some(("dataset", "gsm8k"))),
            ("## 模型：基线", Some(("model", "基线"))),
            ("Seed 0", Some(("seed", "0"))),
            ("seed=3", Some(("seed", "3"))),
            ("=== Shot 4 ===", Some(("shot", "4"))),
            ("export KL_BETA=\"0.12\"; export SEED=1", Some(("kl_beta", "0.12"))),
            ("KL_BETA=0.12 python train.py", Some(("kl_beta", "0.12"))),
            ("+ python train.py --learning-rate 1e-5 --bf16", Some(("lr", "1e-5"))),
            ("python -m verl.main algorithm.kl_coef=0.1", Some(("kl_coef", "0.1"))),
            ("python setup.py --verbose", None),
            ("step=100 --- lr=0.1", None),
            ("=== Few-shot: 5 ===", Some(("shot", "5"))),
            ("Model: base of ten layers", None),
            ("Loading model: base", None),
            ("model", None),
            ("model: saved", None),
            ("run=sft step=100 acc=0.5", None),
        ] {
            let found = heading(line).filter(|found| !found.may_be_place);
            let found = found
                .as_ref()
                .and_then(|found| found.labels.first())
                .map(|(column, value)| (*column, value.as_str()));
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn a_heading_may_name_a_model_and_its_place() {
        for (line, expected) in [
            ("=== SFT ===", "model=SFT"),
            (">>> Evaluating SFT", "model=SFT"),
            ("Running GRPO epoch 1", "model=GRPO"),
            ("Training SFT model", "model=SFT"),
            ("--- GRPO (KL_BETA=0.12) ---", "model=GRPO kl_beta=0.12"),
            ("--- GRPO (LR=1e-6, seed=3) ---", "model=GRPO lr=1e-6 seed=3"),
            ("=== 5-shot ===", "shot=5"),
            ("2026-01-01 10:00:00 INFO Results of base:", "model=base"),
            ("[val]", ""),
            ("Running SFT on 8 GPUs", ""),
            ("SFT and GRPO", ""),
            ("SFT (version=2)", ""),
            ("baseline accuracy 0.5", ""),
        ] {
            let found = heading(line).filter(|found| found.may_be_place);
            let found = found.map_or_else(Vec::new, |found| found.labels);
            let found = found.iter().map(|(column, value)| format!("{column}={value}"));
            assert_eq!(found.collect::<Vec<_>>().join(" "), expected, "{line}");
        }
    }

    #[test]
    fn a_line_of_figures_may_say_whose_they_are() {
        for (line, expected) in [
            ("[SFT] step 100 acc=0.5", "model=SFT"),
            ("run=sft step=100 acc=0.5", "run=sft"),
            ("Epoch 1 [val] loss=0.3 acc=70%", "split=val"),
            ("step=100, split=train, model='a', split=val", "split=train model=a"),
            ("[INFO] [rank0] step 1 loss=0.5 run=3", ""),
            ("{\"step\": 1, \"dataset\": \"gsm8k\", \"model\":\"a\"}", "dataset=gsm8k model=a"),
            ("SFT | step 100 | acc 0.5", "model=SFT"),
            ("loss | step 100", ""),
            ("Epoch 1: accuracy=0.61, shot=4", "shot=4"),
        ] {
            let found = labels(line);
            let found = found.iter().map(|(column, value)| format!("{column}={value}"));
            assert_eq!(found.collect::<Vec<_>>().join(" "), expected, "{line}");
        }
    }
}
