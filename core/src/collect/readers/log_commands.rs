//! Settings in commands that a log repeats, `KL_BETA=0.12 python train.py --lr 1e-5`, and in what a program
//! prints as it starts, `Namespace(lr=1e-5)`.

use super::settings_beside::{is_setting_field, is_setting_of_table};

/// What commands of trainings and evaluations begin with.
const PROGRAMS: &[&str] = &[
    "python",
    "python3",
    "torchrun",
    "accelerate",
    "deepspeed",
    "srun",
    "bash",
    "sh",
    "uv",
    "trl",
    "lm_eval",
    "swift",
    "llamafactory-cli",
    "export",
    "set",
    "env",
    "nohup",
];
/// Longest command that is looked at.
pub(super) const LONGEST_COMMAND: usize = 4096;
/// Beginnings of variables that say nothing of a training or an evaluation.
const OF_MACHINES: &[&str] = &[
    "CUDA_",
    "NCCL_",
    "WANDB_",
    "HF_",
    "OMP_",
    "PYTHON",
    "TOKENIZERS_",
    "PATH",
    "HOME",
    "MASTER_",
    "TORCH_",
    "RANK",
    "LOCAL_",
    "WORLD_",
    "LD_",
    "SLURM_",
    "RAY_",
    "VLLM_",
    "TMPDIR",
    "MKL_",
    "GLOO_",
    "XLA_",
    "TF_",
];

/// A name with its value.
type Setting<'l> = (&'l str, &'l str);

/// A command in a log.
#[derive(Debug, PartialEq)]
pub(super) struct LoggedCommand<'l> {
    /// The script or program, nothing where a line sets variables alone, or [`Self::CONTINUED`].
    pub(super) program: &'l str,
    pub(super) settings: Vec<Setting<'l>>,
}

impl LoggedCommand<'_> {
    /// Stands for the program of a command that began on a line before.
    pub(super) const CONTINUED: &'static str = "--";
}

/// A command, as a shell writes it that tells what it does, too: variables before a program, `--name value`,
/// `--name=value`, `name=value`; a line that sets variables and does nothing else; or one that goes on with
/// `--name value`.
pub(super) fn logged_command(line: &str) -> Option<LoggedCommand<'_>> {
    if line.len() > LONGEST_COMMAND {
        return None;
    }
    let line = line.trim_start().trim_start_matches(['+', '$', '>']).trim_start();
    let is_known = |word: &str| {
        let name = word.split_once('=').map_or(word, |(name, _)| name).to_ascii_lowercase();
        is_setting_of_table(&name) || is_setting_field(&name)
    };
    // Nearly every line of a log is no command, and its first word says so.
    let program = shell_words(line).find(|word| !is_variable(word));
    let is_continued = program.is_some_and(|word| {
        let goes_on = || line.trim_end().ends_with('\\') && shell_words(line).any(is_option);
        is_option(word) || !is_program(word) && goes_on()
    });
    // Alone, `LOSS=0.5` is a figure.
    if !is_continued && !program.map_or_else(|| shell_words(line).all(is_known), is_program) {
        return behind_prompt(line).and_then(logged_command);
    }
    let words: Vec<&str> = shell_words(line).collect();
    if words.is_empty() {
        return None;
    }
    let script = words.iter().find(|word| is_script(word)).copied().or(program);
    // `export` and the like set variables for what comes.
    let sets_alone = program.is_some_and(|word| ["export", "set", "env"].contains(&word));
    let program = match script {
        _ if is_continued => LoggedCommand::CONTINUED,
        Some(script) if !(sets_alone && Some(script) == program) => script,
        _ => "",
    };
    let mut settings = settings(line, &words);
    // What lm_eval calls its model is the program that runs one, and its results say which.
    settings.retain(|(name, _)| program != "lm_eval" || !name.starts_with("model"));
    Some(LoggedCommand { program, settings })
}

/// The command behind what a terminal or a logger puts before it: `(venv) user@host:~$ python …`,
/// `Command: python …`, `cd /x && python …`.
fn behind_prompt(line: &str) -> Option<&str> {
    if !line.contains(" --") || line.starts_with('#') {
        return None;
    }
    let words = shell_words(line).skip(1);
    let mut programs = words.filter(|word| is_program(word));
    let program = programs.next()?;
    // The words are parts of the line.
    let at = program.as_ptr() as usize - line.as_ptr() as usize;
    let (before, command) = line.split_at_checked(at)?;
    let ends = ["$", "#", ":", "&&", ";", "]", "+", "="];
    ends.iter().any(|end| before.trim_end().ends_with(end)).then_some(command)
}

/// What the words of a command set: `--name value`, `--name=value`, `name=value`, `--flag`, `--names a b`.
fn settings<'l>(line: &'l str, words: &[&'l str]) -> Vec<Setting<'l>> {
    let mut settings: Vec<Setting<'l>> = Vec::new();
    let mut place = 0;
    while let Some(word) = words.get(place) {
        place += 1;
        let bare = word.trim_start_matches('-');
        let is_named = is_option(word) || bare.len() + 1 == word.len();
        // Hydra adds with a sign in front.
        let bare = bare.trim_start_matches('+');
        let (name, value) = match bare.split_once('=') {
            Some(pair) => pair,
            None if is_named => {
                let (value, count) = values_behind(line, words, place);
                place += count;
                (bare, if count == 0 && is_option(word) { "true" } else { value })
            }
            None => continue,
        };
        let value = value.trim_end_matches([';', '\\']).trim().trim_matches(['"', '\'']);
        let is_of_machine = OF_MACHINES.iter().any(|known| name.starts_with(known));
        // What the shell would put there is not known.
        let is_open = value.is_empty() || value.contains('$');
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if !is_open && is_name && !is_of_machine {
            settings.push((name, value));
        }
    }
    settings
}

/// The words from there on up to the next option, and how many they are.
fn values_behind<'l>(line: &'l str, words: &[&'l str], place: usize) -> (&'l str, usize) {
    let is_value = |(at, word): &(usize, &&str)| {
        let is_number = word.parse::<f64>().is_ok();
        let ends =
            is_script(word) || matches!(**word, "\\" | "&&" | "|" | ">" | ";" | "2>&1" | "&");
        // `--model_args pretrained=x` is one value; behind it such a word is a setting of its own.
        !(ends || word.starts_with('-') && !is_number || *at > 0 && word.contains('='))
    };
    let values: Vec<&&str> =
        words.iter().skip(place).enumerate().take_while(is_value).map(|(_, word)| word).collect();
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return ("", 0) };
    // The words are parts of the line.
    let start = first.as_ptr() as usize - line.as_ptr() as usize;
    let end = last.as_ptr() as usize - line.as_ptr() as usize + last.len();
    (line.get(start..end).unwrap_or(first), values.len())
}

fn is_program(word: &str) -> bool {
    PROGRAMS.contains(&word.rsplit('/').next().unwrap_or(word))
}

pub(super) fn is_script(word: &str) -> bool {
    [".py", ".sh"].iter().any(|end| word.ends_with(end))
}

fn is_option(word: &str) -> bool {
    let name = word.strip_prefix("--");
    name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Words as a shell parts them: what stands in quotes is one.
fn shell_words(line: &str) -> impl Iterator<Item = &str> {
    let mut quote = None;
    let words = line.split(move |c: char| {
        let is_inside = quote.is_some();
        quote = match quote {
            None => Some(c).filter(|c| matches!(c, '"' | '\'')),
            open => open.filter(|open| *open != c),
        };
        !is_inside && c.is_whitespace()
    });
    words.filter(|word| !word.is_empty())
}

/// `KL_BETA=0.12`.
fn is_variable(word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit();
    let name = word.split_once('=').map(|(name, _)| name);
    name.is_some_and(|name| !name.is_empty() && name.chars().all(is_part))
}

/// The settings in `Namespace(lr=1e-5, seed=1)`, on one line.
pub(super) fn printed_settings(line: &str) -> Option<Vec<Setting<'_>>> {
    let line = line.trim_end();
    if !line.ends_with(')') {
        return None;
    }
    let (_, inside) = line.split_once("Namespace(")?;
    let (parts, length) = arguments(inside)?;
    if length < inside.len() {
        return None;
    }
    let pairs = parts.into_iter().filter_map(|part| part.split_once('='));
    Some(pairs.map(|(name, value)| (name, value.trim_matches(['"', '\'']))).collect())
}

/// What stands between commas up to the bracket that closes, and how long that is in bytes.
pub(super) fn arguments(text: &str) -> Option<(Vec<&str>, usize)> {
    let (mut depth, mut quote, mut start, mut is_escaped) = (0_usize, None, 0, false);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        if let Some(open) = quote {
            if c == open && !is_escaped {
                quote = None;
            }
            is_escaped = c == '\\' && !is_escaped;
            continue;
        }
        match c {
            '\'' | '"' => quote = Some(c),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            ')' | ',' if depth == 0 => {
                parts.extend(text.get(start..at).map(str::trim).filter(|part| !part.is_empty()));
                start = at + 1;
                if c == ')' {
                    return Some((parts, start));
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_variables_are_read_and_other_lines_are_not() {
        for (line, expected) in [
            (
                "KL_BETA=0.12 python train.py --lr 1e-5 --bf16 --config=a.yaml",
                Some(vec![
                    ("KL_BETA", "0.12"),
                    ("lr", "1e-5"),
                    ("bf16", "true"),
                    ("config", "a.yaml"),
                ]),
            ),
            ("+ export KL_BETA=0.15", Some(vec![("KL_BETA", "0.15")])),
            ("LR=1e-5 BATCH_SIZE=8", Some(vec![("LR", "1e-5"), ("BATCH_SIZE", "8")])),
            (
                "CUDA_VISIBLE_DEVICES=0 torchrun train.py data.path=x.jsonl",
                Some(vec![("data.path", "x.jsonl")]),
            ),
            (
                "python eval.py --prompt 'Solve: a' --data $DATA --seed=1",
                Some(vec![("prompt", "Solve: a"), ("seed", "1")]),
            ),
            ("--learning_rate 2e-5 \\", Some(vec![("learning_rate", "2e-5")])),
            ("train.py --lr 2e-5 \\", Some(vec![("lr", "2e-5")])),
            ("(venv) me@gpu:~/p$ python t.py --lr 1e-5", Some(vec![("lr", "1e-5")])),
            ("[INFO] Command: python t.py --use_lora", Some(vec![("use_lora", "true")])),
            (
                "cd /x && torchrun --nproc 8 t.py --sets a b",
                Some(vec![("nproc", "8"), ("sets", "a b")]),
            ),
            ("python t.py --args a=b,c=d --lr 1", Some(vec![("args", "a=b,c=d"), ("lr", "1")])),
            ("python t.py --shift -0.5 --lr -1e-5", Some(vec![("shift", "-0.5"), ("lr", "-1e-5")])),
            ("we ran python train.py --lr 1e-5", None),
            (
                "lm_eval --model vllm --model_args pretrained=/x,dtype=auto --tasks a",
                Some(vec![("tasks", "a")]),
            ),
            ("--- lr=0.1 ---", None),
            ("step=10 loss=0.5", None),
            ("LOSS=0.5 ACC=0.7", None),
            ("we train with lr=1e-5", None),
            ("", None),
        ] {
            let settings = logged_command(line).map(|command| command.settings);
            assert_eq!(settings, expected, "{line}");
        }
        let printed = printed_settings("INFO Namespace(lr=1e-5, name='a b')");
        assert_eq!(printed, Some(vec![("lr", "1e-5"), ("name", "a b")]));
        let printed = printed_settings("Namespace(name='a, lr=3', betas=(0.9, 0.95))");
        assert_eq!(printed, Some(vec![("name", "a, lr=3"), ("betas", "(0.9, 0.95)")]));
        assert_eq!(printed_settings("Namespace(lr=1e-5) loss=0.5"), None);
    }
}
