//! Which settings hold at a line of a log that repeats several commands: each program has those of its last
//! command, and of several programs the last one counts.

use std::collections::{BTreeMap, BTreeSet};

use super::super::FileEntry;
use super::log_commands::LoggedCommand;
use super::python_values::insert;
use crate::model::{Config, Fragment, FragmentPart};

/// A command that is kept, and of each setting the column that tells runs apart by it.
#[derive(Debug)]
pub(super) struct Command {
    program: String,
    settings: Vec<CommandSetting>,
}

#[derive(Debug)]
struct CommandSetting {
    key: String,
    value: String,
    column: Option<&'static str>,
}

impl Command {
    pub(super) fn new(
        command: &LoggedCommand<'_>,
        column_of: fn(&str) -> Option<&'static str>,
    ) -> Self {
        let setting = |(key, value): &(&str, &str)| CommandSetting {
            key: (*key).to_owned(),
            value: (*value).to_owned(),
            column: column_of(key),
        };
        let settings = command.settings.iter().map(setting).collect();
        Self { program: command.program.to_owned(), settings }
    }
}

/// The commands of a log in their order.
#[derive(Default)]
pub(super) struct CommandsInForce(Vec<(u64, Command)>);

impl CommandsInForce {
    pub(super) fn note(&mut self, line: u64, command: Command) {
        self.0.push((line, command));
    }

    /// Each setting that holds at a line, by its key, with its own line.
    fn at(&self, line: u64) -> BTreeMap<&str, (&CommandSetting, u64)> {
        let mut programs: Vec<(&str, Vec<(u64, &Command)>)> = Vec::new();
        for (at, command) in self.0.iter().take_while(|(at, _)| *at < line) {
            // The line on which the command begins may set nothing.
            if command.program == LoggedCommand::CONTINUED
                && let Some((_, last)) = programs.last_mut()
            {
                last.push((*at, command));
                continue;
            }
            // What the shell was told stays as it is until it is told otherwise.
            let is_shell = command.program.is_empty();
            let known = programs.iter().position(|(program, _)| *program == command.program);
            let mut own = known.map_or_else(Vec::new, |known| programs.remove(known).1);
            own.retain(|_| is_shell);
            own.push((*at, command));
            programs.push((&command.program, own));
        }
        let commands = programs.into_iter().flat_map(|(_, commands)| commands);
        let settings = commands.flat_map(|(at, command)| {
            command.settings.iter().map(move |setting| (setting.key.as_str(), (setting, at)))
        });
        settings.collect()
    }

    /// Gives each run in a log the settings that hold where its figures end, in place of those that the
    /// log states as a whole: an evaluation behind a training has a command of its own.
    pub(super) fn give(&self, fragment: &mut Fragment, file: &FileEntry) {
        let mut given: BTreeSet<&str> = BTreeSet::new();
        for part in &mut fragment.parts {
            let Some(last) = last_line(part) else { continue };
            let is_label = |setting: &CommandSetting| {
                part.labels.iter().any(|label| Some(label.column.as_str()) == setting.column)
            };
            let mut config = Config::default();
            for (key, (setting, line)) in self.at(last) {
                given.insert(key);
                if !is_label(setting) {
                    insert(key, &setting.value, line, file, &mut config);
                }
            }
            for (key, entry) in config {
                part.config.insert(key, entry);
            }
        }
        fragment.config.retain(|key| !given.contains(key));
        fragment.commands.retain(|key| !given.contains(key));
    }
}

/// The line of the last figure of a run.
fn last_line(part: &FragmentPart) -> Option<u64> {
    let points =
        part.series.iter().filter_map(|series| series.points.iter().map(|point| point.line).max());
    let scalars = part.scalars.iter().filter_map(|scalar| scalar.source.line);
    points.chain(scalars).max()
}
