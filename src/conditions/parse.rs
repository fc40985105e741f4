//! From the text of a condition to its parts.
//!
//! ```text
//! any      := all { "or" all }
//! all      := part { "and" part }
//! part     := "not" part | "(" any ")" | side relation side
//! side     := number | name | name "(" name { "," number } ")"
//! relation := < <= > >= == != ≤ ≥ =
//! number   := ["$"] digits ["%" | "pp" | "s"]
//! ```
//! A name is made of letters, digits and `_ . / @ : -`, or of anything between backticks.

use super::{Clause, NotACondition, Quantity, Side, Threshold, ThresholdRelation, Tree};
use crate::quantity::Unit;

/// Levels of brackets and `not` that a condition may have.
const DEEPEST: usize = 32;

pub(super) fn condition_tree(text: &str) -> Result<Tree, NotACondition> {
    let mut reader = Reader { text, rest: text, depth: 0 };
    let tree = reader.any()?;
    match reader.peek() {
        None => Ok(tree),
        Some(_) => Err(reader.wrong("expected `and`, `or` or the end")),
    }
}

struct Reader<'t> {
    text: &'t str,
    rest: &'t str,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn any(&mut self) -> Result<Tree, NotACondition> {
        let mut parts = vec![self.all()?];
        while self.word("or") {
            parts.push(self.all()?);
        }
        Ok(single(parts, Tree::Any))
    }

    fn all(&mut self) -> Result<Tree, NotACondition> {
        let mut parts = vec![self.part()?];
        while self.word("and") {
            parts.push(self.part()?);
        }
        Ok(single(parts, Tree::All))
    }

    fn part(&mut self) -> Result<Tree, NotACondition> {
        if self.depth == DEEPEST {
            return Err(self.wrong("too many levels"));
        }
        self.depth += 1;
        let tree = if self.word("not") {
            Tree::Not(Box::new(self.part()?))
        } else if self.sign("(") {
            let inner = self.any()?;
            if !self.sign(")") {
                return Err(self.wrong("expected `)`"));
            }
            inner
        } else {
            self.clause()?
        };
        self.depth -= 1;
        Ok(tree)
    }

    fn clause(&mut self) -> Result<Tree, NotACondition> {
        let start = self.rest;
        let left = self.side()?;
        let relation = self.relation()?;
        let right = self.side()?;
        let (quantity, relation, against) = match (left, right) {
            (Side::Quantity(left), right) => (left, relation, right),
            (left, Side::Quantity(right)) => (right, relation.mirrored(), left),
            (Side::Number(_), Side::Number(_)) => {
                self.rest = start;
                return Err(self.wrong("two numbers are compared; one side names a figure"));
            }
        };
        Ok(Tree::Clause(Clause { quantity, relation, against }))
    }

    fn side(&mut self) -> Result<Side, NotACondition> {
        match self.peek() {
            Some(c) if c.is_ascii_digit() || matches!(c, '$' | '-' | '+' | '.') => {
                self.number().map(Side::Number)
            }
            Some(_) => self.quantity().map(Side::Quantity),
            None => Err(self.wrong("expected a name or a number")),
        }
    }

    fn quantity(&mut self) -> Result<Quantity, NotACondition> {
        let name = self.name()?;
        if !self.rest.starts_with('(') {
            return Ok(Quantity { function: None, name, numbers: Vec::new() });
        }
        let _opened = self.sign("(");
        let inner = self.name()?;
        let mut numbers = Vec::new();
        while self.sign(",") {
            numbers.push(self.number()?.number);
        }
        if !self.sign(")") {
            return Err(self.wrong("expected `,` or `)`"));
        }
        Ok(Quantity { function: Some(name), name: inner, numbers })
    }

    fn name(&mut self) -> Result<String, NotACondition> {
        self.skip_space();
        if let Some(quoted) = self.rest.strip_prefix('`') {
            return match quoted.split_once('`') {
                Some((name, rest)) if !name.is_empty() => {
                    self.rest = rest;
                    Ok(name.to_owned())
                }
                _ => Err(self.wrong("expected a name between backticks")),
            };
        }
        let belongs =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '@' | ':' | '-');
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if name.is_empty() || matches!(name, "and" | "or" | "not") {
            return Err(self.wrong("expected the name of a figure"));
        }
        self.rest = rest;
        Ok(name.to_owned())
    }

    fn number(&mut self) -> Result<Threshold, NotACondition> {
        let dollars = self.sign("$");
        self.skip_space();
        let belongs =
            |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E' | '_');
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        let number = digits.replace('_', "").parse::<f64>().ok().filter(|n| n.is_finite());
        let Some(number) = number else { return Err(self.wrong("expected a number")) };
        self.rest = rest;
        let unit = if dollars {
            Unit::Dollars
        } else if self.sign("%") || self.sign("％") || self.word("pp") {
            Unit::Percent
        } else if self.word("s") {
            Unit::Seconds
        } else {
            Unit::Plain
        };
        Ok(Threshold { number, unit })
    }

    fn relation(&mut self) -> Result<ThresholdRelation, NotACondition> {
        let signs = [
            ("<=", ThresholdRelation::AtMost),
            ("≤", ThresholdRelation::AtMost),
            (">=", ThresholdRelation::AtLeast),
            ("≥", ThresholdRelation::AtLeast),
            ("==", ThresholdRelation::Equal),
            ("!=", ThresholdRelation::Unequal),
            ("<", ThresholdRelation::Less),
            (">", ThresholdRelation::More),
            ("=", ThresholdRelation::Equal),
        ];
        let found = signs.into_iter().find(|(sign, _)| self.sign(sign));
        found
            .map(|(_, relation)| relation)
            .ok_or_else(|| self.wrong("expected <, <=, >, >=, == or !="))
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.rest.chars().next()
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes a sign, if it is next.
    fn sign(&mut self, sign: &str) -> bool {
        self.skip_space();
        let after = self.rest.strip_prefix(sign);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// Takes a word, if it is next and ends there.
    fn word(&mut self, word: &str) -> bool {
        self.skip_space();
        let after = self.rest.strip_prefix(word);
        let ends = |rest: &&'t str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let after = after.filter(ends);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn wrong(&self, message: &str) -> NotACondition {
        let read = self.text.len() - self.rest.len();
        let at = self.text.get(..read).map_or(0, |before| before.chars().count()) + 1;
        NotACondition { text: self.text.to_owned(), at, message: message.to_owned() }
    }
}

fn single(mut parts: Vec<Tree>, join: fn(Vec<Tree>) -> Tree) -> Tree {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            join(parts)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Condition;

    #[test]
    fn conditions_say_which_figures_they_ask_for() {
        for (text, quantities) in [
            ("format_rate >= 95%", vec!["format_rate"]),
            ("change(exec_success_rate) < 10pp", vec!["change(exec_success_rate)"]),
            ("0 < trend(reward) and step >= 50", vec!["trend(reward)", "step"]),
            (
                "not (mean(reward, 5) > 1e-3 or `eval()错误率` ≤ 5 %)",
                vec!["mean(reward, 5)", "eval()错误率"],
            ),
            ("last(val_loss) > min(val_loss)", vec!["last(val_loss)", "min(val_loss)"]),
            ("成本 < $2.5", vec!["成本"]),
        ] {
            let condition = Condition::parse(text).expect(text);
            let asked: Vec<String> =
                condition.quantities().iter().map(ToString::to_string).collect();
            assert_eq!(asked, quantities, "{text}");
        }
    }

    #[test]
    fn what_is_no_condition_is_refused_with_its_place() {
        for (text, at, message) in [
            ("", 1, "expected a name or a number"),
            ("rate", 5, "expected <, <=, >, >=, == or !="),
            ("rate >= ", 9, "expected a name or a number"),
            ("1 < 2", 1, "two numbers are compared"),
            ("rate > 1 2", 10, "expected `and`, `or` or the end"),
            ("(rate > 1", 10, "expected `)`"),
            ("错误率 > x(", 9, "expected the name of a figure"),
            ("rate > 1 and", 13, "expected a name or a number"),
            ("rate > 1.2.3", 8, "expected a number"),
        ] {
            let error = Condition::parse(text).expect_err(text);
            assert!(error.message.starts_with(message), "{text}: {error}");
            assert_eq!(error.at, at, "{text}: {error}");
        }
        let deep = format!("{}a > 1{}", "(".repeat(100), ")".repeat(100));
        assert!(Condition::parse(&deep).is_err());
    }
}
