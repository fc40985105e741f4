//! What went wrong in a sample, and the rates that follow from it.

use std::borrow::Cow;

use crate::model::Column;

/// The kinds that code evaluations have; their rates are always made, so that a rate of zero is a
/// zero and not a gap.
const STANDARD: [&str; 6] =
    ["success", "wrong_answer", "syntax_error", "runtime_error", "timeout", "api_error"];
/// Kinds under which the code ran to its end.
const RAN: usize = 2;
/// Further kinds that get a rate of their own; the rest share `other_error_rate`.
const MAX_KINDS: usize = 24;
/// A longer text is a message, not a kind.
const MAX_NAME_BYTES: usize = 40;
const OTHER: &str = "other_error";

/// A kind of error, `success` among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ErrorType(Cow<'static, str>);

impl ErrorType {
    /// The request to the model failed: nothing was measured.
    pub(crate) const API_ERROR: Self = Self(Cow::Borrowed("api_error"));
    /// Nothing went wrong.
    pub(crate) const SUCCESS: Self = Self(Cow::Borrowed("success"));

    /// Reads a kind as producers write it.
    pub(crate) fn parse(text: &str) -> Self {
        if let Some(standard) = STANDARD.iter().find(|standard| **standard == text) {
            return Self(Cow::Borrowed(standard));
        }
        let name = text.trim().to_lowercase().replace([' ', '-'], "_");
        match name.as_str() {
            "" | "none" | "null" | "ok" | "accepted" | "pass" | "passed" => Self::SUCCESS,
            name if name.len() > MAX_NAME_BYTES => Self(Cow::Borrowed(OTHER)),
            _ => Self(Cow::Owned(name)),
        }
    }
}

impl ErrorType {
    /// The kind, in lower case with `_`.
    pub(crate) fn name(&self) -> &str {
        &self.0
    }
}

/// The kind of error of every row of a table.
#[derive(Debug, Default)]
pub(crate) struct ErrorTypes {
    kinds: Vec<ErrorType>,
    /// Position in `kinds` plus one; 0 where the row says nothing.
    rows: Vec<u8>,
}

impl ErrorTypes {
    /// Adds a row.
    pub(crate) fn push(&mut self, error_type: Option<&ErrorType>) {
        let code = error_type.map_or(0, |kind| self.code(kind));
        self.rows.push(code);
    }

    /// Adds the rows of another.
    pub(crate) fn append(&mut self, other: Self) {
        let codes: Vec<u8> = other.kinds.iter().map(|kind| self.code(kind)).collect();
        let translate = |row: u8| match usize::from(row).checked_sub(1) {
            None => 0,
            Some(position) => codes.get(position).copied().unwrap_or(0),
        };
        self.rows.extend(other.rows.into_iter().map(translate));
    }

    fn code(&mut self, kind: &ErrorType) -> u8 {
        if self.kinds.is_empty() {
            self.kinds.extend(STANDARD.map(|name| ErrorType(Cow::Borrowed(name))));
            self.kinds.push(ErrorType(Cow::Borrowed(OTHER)));
        }
        let position = match self.kinds.iter().position(|known| known == kind) {
            Some(position) => position,
            None if self.kinds.len() > STANDARD.len() + MAX_KINDS => STANDARD.len(),
            None => {
                self.kinds.push(kind.clone());
                self.kinds.len() - 1
            }
        };
        position as u8 + 1
    }

    /// The share of samples whose code ran to its end, and the share of every kind of error: one
    /// column each, absent where a row says nothing.
    pub(crate) fn into_rates(self) -> Vec<(String, Column)> {
        let Self { kinds, rows } = self;
        if kinds.is_empty() {
            return Vec::new();
        }
        let flags = |is: &dyn Fn(usize) -> bool| {
            Column::flags(rows.iter().map(|&row| usize::from(row).checked_sub(1).map(is)))
        };
        let mut rates = vec![("exec_success_rate".to_owned(), flags(&|kind| kind < RAN))];
        for (position, ErrorType(name)) in kinds.iter().enumerate().skip(1) {
            let seen = name != OTHER || rows.iter().any(|&row| usize::from(row) == position + 1);
            if seen {
                rates.push((format!("{name}_rate"), flags(&|kind| kind == position)));
            }
        }
        rates
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates(kinds: &[Option<&str>]) -> Vec<(String, Vec<Option<f64>>)> {
        let mut types = ErrorTypes::default();
        for (row, kind) in kinds.iter().enumerate() {
            let mut block = ErrorTypes::default();
            let kind = kind.map(ErrorType::parse);
            if row % 2 == 0 {
                types.push(kind.as_ref());
            } else {
                block.push(kind.as_ref());
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
        let late = found.iter().find(|(name, _)| name == "memory_limit_rate");
        assert_eq!(late.map(|(_, values)| values.clone()), Some(vec![Some(0.0), Some(1.0)]));
    }

    #[test]
    fn messages_and_a_flood_of_kinds_share_one_rate() {
        let flood: Vec<String> = (0..200).map(|kind| format!("kind {kind}")).collect();
        let kinds: Vec<Option<&str>> = flood.iter().map(|kind| Some(kind.as_str())).collect();
        let found = rates(&kinds);
        assert!(found.len() < 40);
        assert!(found.iter().any(|(name, _)| name == "other_error_rate"));
    }

    #[test]
    fn no_kinds_give_no_rates() {
        assert_eq!(rates(&[None, None]), []);
    }
}
