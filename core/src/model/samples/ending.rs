//! How the answer to a sample ended, as far as its record says so apart from the score.

use serde::{Deserialize, Serialize};

use super::{ContentHash, sparse};
use crate::model::packed::{self, Packable};

/// Names of kinds of errors, and rules for raw results of sandboxes, in TOML.
pub const ERROR_TYPES: &str = include_str!("error_types.toml");

/// How an answer ended; [`Ending::Plain`] where the record says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u8)]
pub enum Ending {
    /// Nothing went wrong but perhaps the answer.
    #[default]
    Plain,
    /// No answer could be taken from what the model wrote.
    NoAnswer,
    Syntax,
    Runtime,
    Timeout,
    /// The code fails otherwise: memory, a missing entry point, a signal.
    Execution,
    /// An error of a kind that no list knows.
    Other,
    /// The record has a place for the kind of error and leaves it empty, and its answer is not right.
    Unknown,
    /// The program around the model failed: nothing was measured.
    Infrastructure,
}

/// What a kind of error says, in the classes that have rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KindClass {
    Success,
    /// The code ran and its answer is wrong.
    WrongAnswer,
    /// The program ended by itself; whether its answer is right, the score says.
    Ran,
    Ended(Ending),
}

use KindClass::{Ended, Ran, Success, WrongAnswer};

/// Kinds of error as producers write them, in lower case with `_`. The shipped lists of
/// `error_types.toml` are a part of these; a test holds it.
const KINDS: &[(KindClass, &[&str])] = &[
    (
        Success,
        &["success", "accepted", "ac", "pass", "passed", "correct", "all_passed", "ok_accepted"],
    ),
    (
        WrongAnswer,
        &[
            "wrong_answer",
            "wa",
            "wronganswer",
            "wrong",
            "incorrect",
            "mismatch",
            "output_mismatch",
            "assertion_error",
            "assertionerror",
            "presentation_error",
            "failed_tests",
            "test_failed",
        ],
    ),
    (Ran, &["none", "null", "ok", "finished", "executed", "no_error"]),
    (
        Ended(Ending::NoAnswer),
        &[
            "format_error",
            "invalid_format",
            "format_failure",
            "parse_error",
            "parsing_error",
            "parse_failure",
            "extraction_error",
            "extraction_failed",
            "no_answer",
            "no_code",
            "no_code_found",
            "empty",
            "empty_response",
            "invalid",
        ],
    ),
    (
        Ended(Ending::Syntax),
        &[
            "syntax_error",
            "syntaxerror",
            "compile_error",
            "compilation_error",
            "compileerror",
            "compilationerror",
            "compile_failed",
            "ce",
            "indent_error",
            "indenterror",
            "indentation_error",
            "indentationerror",
            "tab_error",
            "taberror",
        ],
    ),
    (
        Ended(Ending::Runtime),
        &[
            "runtime_error",
            "runtimeerror",
            "re",
            "rte",
            "exception",
            "name_error",
            "nameerror",
            "type_error",
            "typeerror",
            "value_error",
            "valueerror",
            "index_error",
            "indexerror",
            "key_error",
            "keyerror",
            "attribute_error",
            "attributeerror",
            "import_error",
            "importerror",
            "module_not_found_error",
            "modulenotfounderror",
            "zero_division_error",
            "zerodivisionerror",
            "recursion_error",
            "recursionerror",
            "overflow_error",
            "overflowerror",
            "memory_error",
            "memoryerror",
            "eof_error",
            "eoferror",
            "unboundlocalerror",
            "unbound_local_error",
            "stopiteration",
            "filenotfounderror",
            "file_not_found_error",
            "oserror",
            "os_error",
            "notimplementederror",
            "not_implemented_error",
            "unicodedecodeerror",
            "unicodeencodeerror",
            "unicodeerror",
            "decimal.invalidoperation",
            "invalidoperation",
            "lookuperror",
            "lookup_error",
            "arithmeticerror",
            "arithmetic_error",
            "segmentation_fault",
            "non_zero_exit",
            "nonzero_exit_code",
            "floatingpointerror",
            "permissionerror",
        ],
    ),
    (
        Ended(Ending::Timeout),
        &[
            "timeout",
            "timeouterror",
            "timeout_error",
            "timeoutexception",
            "timed_out",
            "time_out",
            "timelimit",
            "time_limit",
            "timelimitexceeded",
            "time_limit_exceeded",
            "tle",
            "compile_timeout",
            "run_timeout",
            "超时",
        ],
    ),
    (
        Ended(Ending::Execution),
        &[
            "execution_error",
            "memory_limit",
            "memory_limit_exceeded",
            "memorylimitexceeded",
            "mle",
            "killed",
            "signal",
        ],
    ),
    (
        Ended(Ending::Infrastructure),
        &[
            "api_error",
            "apierror",
            "api_failure",
            "system_error",
            "infrastructure_error",
            "infra_error",
            "sandbox_error",
            "sandboxerror",
            "judge_error",
            "connection_error",
            "connectionerror",
            "rate_limit",
            "internal_error",
            "request_error",
            "http_error",
        ],
    ),
];

impl KindClass {
    /// The class of a kind in lower case with `_`; `None` where no list has it.
    pub fn by_name(kind: &str) -> Option<Self> {
        let row = KINDS.iter().find(|(_, names)| names.contains(&kind));
        row.map(|(class, _)| *class)
    }
}

impl Ending {
    /// How an answer with that kind of error ended; the kind in lower case with `_`. A kind that is
    /// in no list says nothing here, because messages are asked for too.
    pub fn by_kind(kind: &str) -> Self {
        match KindClass::by_name(kind) {
            Some(Ended(ending)) => ending,
            Some(Success | WrongAnswer | Ran) | None => Self::Plain,
        }
    }
}

/// What was kept of the answer to each row of a table; a list is empty while no row says
/// anything, so that tables without answers cost nothing.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Endings {
    #[serde(with = "packed")]
    kinds: Vec<Ending>,
    #[serde(with = "packed")]
    responses: Vec<Option<ContentHash>>,
    #[serde(with = "packed")]
    unanswered: Vec<bool>,
    #[serde(with = "packed")]
    matches: Vec<AnswerMatch>,
}

/// What the answer of a record is beside its target, as far as no scorer can see it otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AnswerMatch {
    #[default]
    Unknown,
    /// The same text.
    Same,
    /// Another letter or digit where one alone is to be chosen.
    OtherChoice,
}

/// By numbers that files hold, as [`ENDINGS`].
const MATCHES: [AnswerMatch; 3] =
    [AnswerMatch::Unknown, AnswerMatch::Same, AnswerMatch::OtherChoice];

impl Packable for AnswerMatch {
    fn bits(&self) -> u64 {
        MATCHES.iter().position(|known| known == self).unwrap_or_default() as u64
    }

    fn from_bits(bits: u64) -> Option<Self> {
        MATCHES.get(usize::try_from(bits).ok()?).copied()
    }
}

/// By numbers that files hold: the order below stays, and a new one stands last.
const ENDINGS: [Ending; 9] = [
    Ending::Plain,
    Ending::NoAnswer,
    Ending::Syntax,
    Ending::Runtime,
    Ending::Timeout,
    Ending::Execution,
    Ending::Other,
    Ending::Unknown,
    Ending::Infrastructure,
];

impl Packable for Ending {
    fn bits(&self) -> u64 {
        ENDINGS.iter().position(|known| known == self).unwrap_or_default() as u64
    }

    fn from_bits(bits: u64) -> Option<Self> {
        ENDINGS.get(usize::try_from(bits).ok()?).copied()
    }
}

impl Endings {
    pub(super) fn ending(&self, row: usize) -> Ending {
        self.kinds.get(row).copied().unwrap_or_default()
    }

    pub(super) fn response(&self, row: usize) -> Option<ContentHash> {
        self.responses.get(row).copied().flatten()
    }

    pub(super) fn has_responses(&self) -> bool {
        !self.responses.is_empty()
    }

    pub(super) fn is_unanswered(&self, row: usize) -> bool {
        self.unanswered.get(row).copied().unwrap_or(false)
    }

    pub(super) fn has_unanswered(&self) -> bool {
        !self.unanswered.is_empty()
    }

    /// Whether each list is empty or has so many rows.
    pub(super) fn fits(&self, rows: usize) -> bool {
        let lengths = [self.kinds.len(), self.responses.len(), self.unanswered.len()];
        lengths.iter().all(|&length| length == 0 || length == rows)
    }

    pub(super) fn change_responses(
        &mut self,
        change: impl Fn(Option<ContentHash>) -> Option<ContentHash>,
    ) {
        self.responses.iter_mut().for_each(|hash| *hash = change(*hash));
    }

    /// Notes for the last of `rows` rows whether it has no answer.
    pub(super) fn set_last_unanswered(&mut self, rows: usize, unanswered: bool) {
        sparse::set_last(&mut self.unanswered, rows, unanswered);
    }

    pub(super) fn answer_match(&self, row: usize) -> AnswerMatch {
        self.matches.get(row).copied().unwrap_or_default()
    }

    pub(super) fn has_matches(&self) -> bool {
        !self.matches.is_empty()
    }

    pub(super) fn set_last_match(&mut self, rows: usize, answer: AnswerMatch) {
        sparse::set_last(&mut self.matches, rows, answer);
    }

    /// Sets both for the last of `rows` rows.
    pub(super) fn set_last(&mut self, rows: usize, ending: Ending, response: Option<ContentHash>) {
        sparse::set_last(&mut self.kinds, rows, ending);
        sparse::set_last(&mut self.responses, rows, response);
    }

    /// Those of some rows.
    pub(super) fn picked(&self, rows: &[u32]) -> Self {
        Self {
            kinds: sparse::picked(&self.kinds, rows),
            responses: sparse::picked(&self.responses, rows),
            unanswered: sparse::picked(&self.unanswered, rows),
            matches: sparse::picked(&self.matches, rows),
        }
    }

    /// Appends those of `added` rows behind `rows` rows.
    pub(super) fn extend(&mut self, rows: usize, other: Self, added: usize) {
        sparse::extend(&mut self.kinds, rows, other.kinds, added);
        sparse::extend(&mut self.responses, rows, other.responses, added);
        sparse::extend(&mut self.unanswered, rows, other.unanswered, added);
        sparse::extend(&mut self.matches, rows, other.matches, added);
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.kinds.shrink_to_fit();
        self.responses.shrink_to_fit();
        self.unanswered.shrink_to_fit();
        self.matches.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_stands_in_one_row_and_in_the_form_that_is_looked_up() {
        let names: Vec<&str> = KINDS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        for name in &names {
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
            assert_eq!(name.to_lowercase().replace([' ', '-'], "_"), **name, "{name}");
        }
        assert_eq!(Ending::by_kind("success"), Ending::Plain);
        assert_eq!(Ending::by_kind("wrong_answer"), Ending::Plain);
    }

    /// One reading for all: what the lists of `reportgen metrics` name, the readers know alike.
    #[test]
    fn the_shipped_lists_of_kinds_are_known_alike() {
        let shipped: toml::Table = toml::from_str(ERROR_TYPES).expect("TOML");
        let mut seen = 0;
        for (kind, names) in shipped["kinds"].as_table().expect("a table") {
            let class = match kind.as_str() {
                "success" => Success,
                "wrong_answer" => WrongAnswer,
                "ran" => Ran,
                "syntax_error" => Ended(Ending::Syntax),
                "runtime_error" => Ended(Ending::Runtime),
                "timeout" => Ended(Ending::Timeout),
                "api_error" => Ended(Ending::Infrastructure),
                // Kinds of its own have no class here yet.
                _ => continue,
            };
            for name in names.as_array().expect("a list").iter().filter_map(toml::Value::as_str) {
                // A name that is new there may be missing here, where it is `other`; it must not be
                // something else.
                if let Some(known) = KindClass::by_name(name) {
                    assert_eq!(known, class, "{kind}: {name}");
                    seen += 1;
                }
            }
        }
        assert!(seen >= 95, "{seen}");
    }

    #[test]
    fn rows_that_say_nothing_cost_nothing_until_one_says_something() {
        let mut endings = Endings::default();
        endings.set_last(1, Ending::Plain, None);
        assert!(endings.kinds.is_empty() && !endings.has_responses());
        endings.set_last(3, Ending::Timeout, ContentHash::new(7));
        assert_eq!(endings.kinds, [Ending::Plain, Ending::Plain, Ending::Timeout]);
        endings.extend(3, Endings::default(), 2);
        let mut late = Endings::default();
        late.set_last(1, Ending::Plain, ContentHash::new(9));
        endings.extend(5, late, 1);
        let responses = [0, 0, 7, 0, 0, 9].map(ContentHash::new);
        assert_eq!(endings.responses, responses);
        assert_eq!(endings.ending(4), Ending::Plain);
    }
}
