//! What a person meant who named no command.

use std::ffi::OsString;
use std::path::Path;

use super::args;
use crate::exit::Failure;

/// The command line with `compare` before two paths that are there.
///
/// # Errors
/// When something like a path stands where a command should, and nothing can be done with it.
pub(super) fn with_command(mut arguments: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    let [_, first, further @ ..] = arguments.as_slice() else { return Ok(arguments) };
    let word = first.to_string_lossy();
    let is_command = args::parser().get_subcommands().any(|command| command.get_name() == word);
    let is_there = Path::new(first).exists();
    if is_command
        || word == "help"
        || word.starts_with('-')
        || !is_there && !word.contains(['/', '.'])
    {
        return Ok(arguments);
    }
    let second = further.first().filter(|second| !second.to_string_lossy().starts_with('-'));
    let gone = if is_there { second.filter(|path| !Path::new(path).exists()) } else { Some(first) };
    if let Some(gone) = gone {
        let gone = gone.display();
        return Err(Failure::usage(format!(
            "`{gone}` is neither a command nor a path; to compare two runs: reportgen compare RUN_A \
             RUN_B; all commands: reportgen --help"
        )));
    }
    if second.is_none() {
        return Err(Failure::usage(format!(
            "`{word}` is one run; to compare it with another: reportgen compare {word} OTHER; to see \
             what is in it: reportgen inspect {word}"
        )));
    }
    arguments.insert(1, OsString::from("compare"));
    Ok(arguments)
}
