//! What went wrong in a sample, and the rates that follow from it.

use std::borrow::Cow;

use crate::model::{Column, Ending, KindClass};

/// Classes of kinds, the rates of which are named after them. The first ones always have a rate, so
/// that a rate of zero is a zero and not a gap.
const CLASSES: [&str; 10] = [
    "success",
    "wrong_answer",
    "syntax_error",
    "runtime_error",
    "timeout",
    "api_error",
    "execution_error",
    "format_error",
    "other_error",
    "unknown_error",
];
const ALWAYS: usize = 6;
/// Classes in which the code ran to its end.
const RAN: usize = 2;
/// The class of rows whose kind nobody wrote.
const UNKNOWN: usize = 9;
/// A longer text is a message, not a kind.
const MAX_NAME_BYTES: usize = 40;
const OTHER: &str = "other_error";

/// A kind of error, `success` among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecordErrorType(Cow<'static, str>);

impl RecordErrorType {
    /// The request to the model failed: nothing was measured.
    pub(crate) const API_ERROR: Self = Self(Cow::Borrowed("api_error"));
    pub(crate) const SUCCESS: Self = Self(Cow::Borrowed("success"));

    /// Reads a kind as producers write it: alone, before a colon, or the last part of a dotted name.
    pub(crate) fn parse(text: &str) -> Self {
        if let Some(known) = CLASSES.iter().find(|known| **known == text) {
            return Self(Cow::Borrowed(known));
        }
        let name = text.trim().to_lowercase().replace([' ', '-'], "_");
        let head = name.split(':').next().unwrap_or(&name);
        let last = head.rsplit('.').next().unwrap_or(head);
        let known =
            [name.as_str(), head, last].into_iter().find(|name| KindClass::by_name(name).is_some());
        match known {
            Some(known) => Self(Cow::Owned(known.to_owned())),
            None if name.len() > MAX_NAME_BYTES => Self(Cow::Borrowed(OTHER)),
            None => Self(Cow::Owned(name)),
        }
    }

    /// The kind, in lower case with `_`.
    pub(crate) fn name(&self) -> &str {
        &self.0
    }

    /// How the answer ended; a kind that no list has is [`Ending::Other`].
    pub(crate) fn ending(&self) -> Ending {
        match KindClass::by_name(&self.0) {
            Some(KindClass::Ended(ending)) => ending,
            Some(_) => Ending::Plain,
            None => Ending::Other,
        }
    }

    /// Its class, where `right` says whether the answer is.
    pub(super) fn class(&self, right: Option<bool>) -> KindClass {
        match (KindClass::by_name(&self.0), right) {
            (Some(KindClass::Ran), Some(true)) => KindClass::Success,
            (Some(KindClass::Ran), Some(false)) => KindClass::WrongAnswer,
            (Some(KindClass::Ran), None) => KindClass::Ended(Ending::Unknown),
            (Some(known), _) => known,
            (None, _) => KindClass::Ended(Ending::Other),
        }
    }
}

/// The kind of error of every row of a table.
#[derive(Debug, Default)]
pub(crate) struct RecordErrorTypes {
    /// Position in [`CLASSES`] plus one; 0 where the row says nothing.
    rows: Vec<u8>,
}

impl RecordErrorTypes {
    pub(crate) fn push(&mut self, class: Option<KindClass>) {
        self.rows.push(class.and_then(position).map_or(0, |position| position as u8 + 1));
    }

    pub(crate) fn append(&mut self, other: Self) {
        self.rows.extend(other.rows);
    }

    /// Those of some rows.
    pub(super) fn picked(&self, rows: &[u32]) -> Self {
        let kind = |&row: &u32| self.rows.get(row as usize).copied().unwrap_or_default();
        Self { rows: rows.iter().map(kind).collect() }
    }

    /// The share of samples whose code ran to its end, and the share of every kind of error: one
    /// column each, absent where a row says nothing. A table without a single kind that is written,
    /// and that is not right, has none.
    pub(crate) fn into_rates(self) -> Vec<(String, Column)> {
        let Self { rows } = self;
        let seen = |position: usize| rows.iter().any(|&row| usize::from(row) == position + 1);
        let silent = seen(UNKNOWN) && !(1..UNKNOWN).any(seen);
        if silent || rows.iter().all(|&row| row == 0) {
            return Vec::new();
        }
        let flags = |is: &dyn Fn(usize) -> Option<bool>| {
            Column::flags(rows.iter().map(|&row| usize::from(row).checked_sub(1).and_then(is)))
        };
        let ran = flags(&|kind| (kind != UNKNOWN).then_some(kind < RAN));
        let mut rates = vec![("exec_success_rate".to_owned(), ran)];
        for (position, name) in CLASSES.iter().enumerate().skip(1) {
            if position < ALWAYS || seen(position) {
                rates.push((format!("{name}_rate"), flags(&|kind| Some(kind == position))));
            }
        }
        rates
    }
}

fn position(class: KindClass) -> Option<usize> {
    let name = match class {
        KindClass::Success => "success",
        KindClass::WrongAnswer => "wrong_answer",
        KindClass::Ended(Ending::Syntax) => "syntax_error",
        KindClass::Ended(Ending::Runtime) => "runtime_error",
        KindClass::Ended(Ending::Timeout) => "timeout",
        KindClass::Ended(Ending::Infrastructure) => "api_error",
        KindClass::Ended(Ending::Execution) => "execution_error",
        KindClass::Ended(Ending::NoAnswer) => "format_error",
        KindClass::Ended(Ending::Other) => OTHER,
        KindClass::Ended(Ending::Unknown) => "unknown_error",
        KindClass::Ended(Ending::Plain) | KindClass::Ran => return None,
    };
    CLASSES.iter().position(|known| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates(kinds: &[Option<&str>]) -> Vec<(String, Vec<Option<f64>>)> {
        let mut types = RecordErrorTypes::default();
        for (row, kind) in kinds.iter().enumerate() {
            let mut block = RecordErrorTypes::default();
            let kind = kind.map(|kind| RecordErrorType::parse(kind).class(Some(false)));
            if row % 2 == 0 {
                types.push(kind);
            } else {
                block.push(kind);
                types.append(block);
            }
        }
        let values = |column: &Column| (0..kinds.len()).map(|row| column.get(row)).collect();
        types.into_rates().iter().map(|(name, column)| (name.clone(), values(column))).collect()
    }

    #[test]
    fn code_ran_when_it_was_right_or_only_wrong() {
        let found = rates(&[Some("success"), Some("wrong_answer"), Some("timeout"), None]);
        assert_eq!(
            found[0],
            ("exec_success_rate".to_owned(), vec![Some(1.0), Some(1.0), Some(0.0), None])
        );
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            [
                "exec_success_rate",
                "wrong_answer_rate",
                "syntax_error_rate",
                "runtime_error_rate",
                "timeout_rate",
                "api_error_rate"
            ]
        );
    }

    #[test]
    fn a_kind_seen_late_was_not_the_kind_of_earlier_rows() {
        let found = rates(&[Some("success"), Some("Memory Limit")]);
        let late = found.iter().find(|(name, _)| name == "execution_error_rate");
        assert_eq!(late.map(|(_, values)| values.clone()), Some(vec![Some(0.0), Some(1.0)]));
    }

    #[test]
    fn messages_and_a_flood_of_kinds_share_one_rate() {
        let flood: Vec<String> = (0..200).map(|kind| format!("kind {kind}")).collect();
        let kinds: Vec<Option<&str>> = flood.iter().map(|kind| Some(kind.as_str())).collect();
        let found = rates(&kinds);
        assert_eq!(found.len(), 7);
        assert!(found.iter().any(|(name, _)| name == "other_error_rate"));
    }

    #[test]
    fn kinds_as_sandboxes_write_them_have_the_rates_of_their_class() {
        for (written, rate) in [
            ("SyntaxError", "syntax_error_rate"),
            ("compile error", "syntax_error_rate"),
            ("IndentationError: unexpected indent (line 3)", "syntax_error_rate"),
            ("NameError", "runtime_error_rate"),
            ("NameError: name 'a_long_name_of_a_variable' is not defined", "runtime_error_rate"),
            ("builtins.TypeError", "runtime_error_rate"),
            ("TimeLimit", "timeout_rate"),
            ("TLE", "timeout_rate"),
            ("finished", "wrong_answer_rate"),
            ("QuantumError", "other_error_rate"),
        ] {
            let found = rates(&[Some(written), Some("success")]);
            let ones: Vec<&str> = found
                .iter()
                .filter(|(_, values)| values[0] == Some(1.0))
                .map(|(name, _)| name.as_str())
                .filter(|name| *name != "exec_success_rate")
                .collect();
            assert_eq!(ones, [rate], "{written}");
        }
    }

    #[test]
    fn an_empty_kind_of_what_is_not_right_is_unknown_and_never_executed() {
        let mut types = RecordErrorTypes::default();
        types.push(Some(KindClass::Success));
        types.push(Some(KindClass::Ended(Ending::Unknown)));
        types.push(Some(KindClass::Ended(Ending::Syntax)));
        let found = types.into_rates();
        let of = |name: &str, row| {
            found.iter().find(|(own, _)| own == name).and_then(|(_, column)| column.get(row))
        };
        assert_eq!(of("exec_success_rate", 1), None);
        assert_eq!(of("unknown_error_rate", 1), Some(1.0));
        assert_eq!(of("wrong_answer_rate", 1), Some(0.0));
        let mut types = RecordErrorTypes::default();
        types.push(Some(KindClass::Ended(Ending::Unknown)));
        types.push(Some(KindClass::Success));
        assert!(types.into_rates().is_empty(), "no kind is written");
    }

    #[test]
    fn no_kinds_give_no_rates() {
        assert_eq!(rates(&[None, None]), []);
    }
}
