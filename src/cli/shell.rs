//! A command line that can be typed again.

use std::ffi::OsString;

use crate::model::shell_word;

/// The command line as a shell would take it. The program is named without its directory, so that
/// the report does not depend on where it is installed.
pub(super) fn command_line(arguments: &[OsString]) -> String {
    let words = arguments.iter().skip(1).map(|word| shell_word(&word.to_string_lossy()));
    std::iter::once("reportgen".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_would_split_are_quoted() {
        let words = ["/opt/reportgen", "compare", "phase_1_ SFT", "it's", "实验/a"];
        let line = command_line(&words.map(OsString::from));
        assert_eq!(line, r"reportgen compare 'phase_1_ SFT' 'it'\''s' 实验/a");
    }
}
