//! The command by which the user evaluates one result, with places for what tells results apart.

use super::{DATASET_AXIS, Dims};
use crate::diag::Location;

/// A command as the user declares it, and what it takes each time.
#[derive(Debug, Clone, PartialEq)]
pub struct EvalCommand {
    /// `bash eval.sh {epoch} {shot}`.
    pub template: String,
    /// Where it stands.
    pub location: Location,
    pub minutes: Option<f64>,
    /// In the currency of the user.
    pub cost: Option<f64>,
    pub minutes_per_sample: Option<f64>,
}

impl EvalCommand {
    /// The names in braces. Braces around anything else, or behind a dollar sign, are the shell's.
    pub fn placeholders(&self) -> impl Iterator<Item = &str> {
        Pieces(&self.template).filter_map(|piece| match piece {
            Piece::Place(name) => Some(name),
            Piece::Text(_) => None,
        })
    }

    /// The command for one result of an arm, which the run at that path leads; `None` where the result
    /// lacks what the command names.
    pub fn for_result(
        &self,
        (run, arm): (&str, &str),
        (metric, dataset, dims): (&str, Option<&str>, &Dims),
    ) -> Option<String> {
        self.filled(|name| match name {
            "run" => Some(run.to_owned()),
            "arm" => Some(arm.to_owned()),
            "metric" => Some(metric.to_owned()),
            DATASET_AXIS => dataset.map(str::to_owned),
            _ => dims.get(name).map(ToString::to_string),
        })
    }

    /// The command with each name replaced by its value, as a shell takes it for one word; `None`
    /// where a name has no value.
    fn filled(&self, value: impl Fn(&str) -> Option<String>) -> Option<String> {
        let piece = |piece: Piece<'_>| match piece {
            Piece::Text(text) => Some(text.to_owned()),
            Piece::Place(name) => Some(shell_word(&value(name)?)),
        };
        Pieces(&self.template).map(piece).collect()
    }
}

enum Piece<'t> {
    Text(&'t str),
    Place(&'t str),
}

/// What is left of a template.
struct Pieces<'t>(&'t str);

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        if let Some((name, rest)) = self.0.strip_prefix('{').and_then(|rest| rest.split_once('}'))
            && is_name(name)
        {
            self.0 = rest;
            return Some(Piece::Place(name));
        }
        let first = self.0.chars().next()?.len_utf8();
        let opens = self.0.match_indices('{').map(|(at, _)| at).filter(|at| *at >= first);
        let mut places = opens.filter(|at| !self.0[..*at].ends_with('$'));
        let (text, rest) = self.0.split_at(places.next().unwrap_or(self.0.len()));
        self.0 = rest;
        Some(Piece::Text(text))
    }
}

fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    !text.is_empty() && text.chars().all(is_part)
}

/// A word as a shell would take it for one.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(template: &str) -> EvalCommand {
        EvalCommand {
            template: template.to_owned(),
            location: Location::file("reportgen.toml"),
            minutes: None,
            cost: None,
            minutes_per_sample: None,
        }
    }

    #[test]
    fn names_in_braces_are_places_and_what_the_shell_reads_stays() {
        for (template, names, filled) in [
            ("eval {epoch} {shot}", &["epoch", "shot"][..], Some("eval 1 'a b'")),
            ("{epoch}{epoch}", &["epoch", "epoch"], Some("11")),
            (
                "${epoch} {a,b} {} {print $1} 表{shot}",
                &["shot"],
                Some("${epoch} {a,b} {} {print $1} 表'a b'"),
            ),
            ("eval {epochs}", &["epochs"], None),
            ("open { epoch", &[], Some("open { epoch")),
            ("", &[], Some("")),
        ] {
            let command = command(template);
            assert_eq!(command.placeholders().collect::<Vec<_>>(), names, "{template}");
            let value = |name: &str| match name {
                "epoch" => Some("1".to_owned()),
                "shot" => Some("a b".to_owned()),
                _ => None,
            };
            assert_eq!(command.filled(value).as_deref(), filled, "{template}");
        }
    }

    #[test]
    fn no_value_leaves_its_word() {
        let command = command("eval {name}");
        for (value, filled) in [
            ("$(rm -rf /); `x`", r"eval '$(rm -rf /); `x`'"),
            ("it's", r"eval 'it'\''s'"),
            ("", "eval ''"),
        ] {
            assert_eq!(command.filled(|_| Some(value.to_owned())).as_deref(), Some(filled));
        }
    }
}
