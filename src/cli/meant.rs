//! What a person meant who named no command.

use std::ffi::OsString;
use std::path::Path;

use super::args;
use crate::collect::is_address;
use crate::exit::Failure;
use crate::pipeline::RunAddress;

/// The command line with `compare` before two paths that are there; `None` where it stays as it is.
///
/// # Errors
/// When something like a path stands where a command should, and nothing can be done with it.
pub(super) fn with_command(arguments: &[OsString]) -> Result<Option<Vec<OsString>>, Failure> {
    let [program, first, further @ ..] = arguments else { return Ok(None) };
    let word = first.to_string_lossy();
    let exists = |word: &OsString| {
        let path = RunAddress::of(Path::new(word)).path;
        is_address(&path) || path.exists()
    };
    let is_there = exists(first);
    let is_word = word.starts_with('-') || !is_there && !word.contains(['/', '.']);
    // The parser is asked last: making it takes longer than all else here.
    let is_command = || args::parser().get_subcommands().any(|command| command.get_name() == word);
    if is_word || word == "help" || is_command() {
        return Ok(None);
    }
    let second = further.first().filter(|second| !second.to_string_lossy().starts_with('-'));
    let gone = if is_there { second.filter(|word| !exists(word)) } else { Some(first) };
    if let Some(gone) = gone {
        let gone = gone.display().to_string();
        return Err(Failure::refused("refused.neither-command-nor-path", &[("word", &gone)]));
    }
    if second.is_none() {
        return Err(Failure::refused("refused.one-run", &[("run", &word)]));
    }
    let compare = [program.clone(), OsString::from("compare"), first.clone()];
    Ok(Some(compare.into_iter().chain(further.iter().cloned()).collect()))
}
