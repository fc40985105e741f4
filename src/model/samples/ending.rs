//! How the answer to a sample ended, as far as its record tells apart from the score.

/// How an answer ended. A record that tells nothing ended [`Ending::Plain`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u8)]
pub enum Ending {
    /// Nothing went wrong but perhaps the answer.
    #[default]
    Plain,
    /// No answer could be taken from what the model wrote.
    NoAnswer,
    /// The code does not compile.
    Syntax,
    /// The code fails while it runs.
    Runtime,
    /// The code does not end in time.
    Timeout,
    /// The code fails otherwise: memory, a missing entry point, a signal.
    Execution,
    /// The program around the model failed: nothing was measured.
    Infrastructure,
}

/// Kinds of error as producers write them, in lower case with `_`, and how such an answer ended. A
/// kind that is in no row, such as `success` and `wrong_answer`, says nothing of the ending.
const KINDS: &[(Ending, &[&str])] = &[
    (
        Ending::NoAnswer,
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
        Ending::Syntax,
        &[
            "syntax_error",
            "syntaxerror",
            "compile_error",
            "compilation_error",
            "compileerror",
            "indentation_error",
            "indentationerror",
        ],
    ),
    (
        Ending::Runtime,
        &[
            "runtime_error",
            "runtimeerror",
            "name_error",
            "nameerror",
            "type_error",
            "typeerror",
            "exception",
            "import_error",
            "importerror",
        ],
    ),
    (
        Ending::Timeout,
        &[
            "timeout",
            "timeouterror",
            "timeout_error",
            "timed_out",
            "time_out",
            "time_limit",
            "time_limit_exceeded",
            "tle",
        ],
    ),
    (
        Ending::Execution,
        &[
            "execution_error",
            "memory_error",
            "memory_limit",
            "memory_limit_exceeded",
            "mle",
            "killed",
            "signal",
            "segmentation_fault",
        ],
    ),
    (
        Ending::Infrastructure,
        &[
            "api_error",
            "apierror",
            "system_error",
            "infrastructure_error",
            "infra_error",
            "sandbox_error",
            "judge_error",
            "connection_error",
            "rate_limit",
            "internal_error",
        ],
    ),
];

impl Ending {
    /// How an answer with that kind of error ended; the kind in lower case with `_`.
    pub fn of_kind(kind: &str) -> Self {
        let row = KINDS.iter().find(|(_, names)| names.contains(&kind));
        row.map_or(Self::Plain, |(ending, _)| *ending)
    }
}

/// What was kept of the answer to each row of a table; both lists are empty while no row says
/// anything, so that tables without answers cost nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Endings {
    endings: Vec<Ending>,
    responses: Vec<u64>,
}

impl Endings {
    /// How the answer in that row ended.
    pub(super) fn ending(&self, row: usize) -> Ending {
        self.endings.get(row).copied().unwrap_or_default()
    }

    /// Hash of what the model wrote in that row; 0 where that is not known.
    pub(super) fn response(&self, row: usize) -> u64 {
        self.responses.get(row).copied().unwrap_or(0)
    }

    /// Whether any row has a hash.
    pub(super) fn has_responses(&self) -> bool {
        !self.responses.is_empty()
    }

    /// Sets both for the last of `rows` rows.
    pub(super) fn set_last(&mut self, rows: usize, ending: Ending, response: u64) {
        set_last(&mut self.endings, rows, ending);
        set_last(&mut self.responses, rows, response);
    }

    /// Appends those of `added` rows behind `rows` rows.
    pub(super) fn extend(&mut self, rows: usize, other: Self, added: usize) {
        extend(&mut self.endings, rows, other.endings, added);
        extend(&mut self.responses, rows, other.responses, added);
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.endings.shrink_to_fit();
        self.responses.shrink_to_fit();
    }
}

fn set_last<T: Copy + Default + PartialEq>(list: &mut Vec<T>, rows: usize, value: T) {
    if !list.is_empty() || value != T::default() {
        list.resize(rows, T::default());
        if let Some(last) = list.last_mut() {
            *last = value;
        }
    }
}

fn extend<T: Copy + Default>(list: &mut Vec<T>, rows: usize, other: Vec<T>, added: usize) {
    if !list.is_empty() || !other.is_empty() {
        list.resize(rows, T::default());
        list.extend(other);
        list.resize(rows + added, T::default());
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
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
        }
        assert_eq!(Ending::of_kind("success"), Ending::Plain);
        assert_eq!(Ending::of_kind("wrong_answer"), Ending::Plain);
    }

    #[test]
    fn rows_that_say_nothing_cost_nothing_until_one_says_something() {
        let mut endings = Endings::default();
        endings.set_last(1, Ending::Plain, 0);
        assert!(endings.endings.is_empty() && !endings.has_responses());
        endings.set_last(3, Ending::Timeout, 7);
        assert_eq!(endings.endings, [Ending::Plain, Ending::Plain, Ending::Timeout]);
        endings.extend(3, Endings::default(), 2);
        let mut late = Endings::default();
        late.set_last(1, Ending::Plain, 9);
        endings.extend(5, late, 1);
        assert_eq!(endings.responses, [0, 0, 7, 0, 0, 9]);
        assert_eq!(endings.ending(4), Ending::Plain);
    }
}
