//! Acceptances: findings that the user knows of and answers for.
//!
//! An acceptance relabels. It never removes a finding, and what it changes is a property of the
//! code ([`Code::acceptance`]), not of the place where it is asked for.

use super::nearest::edit_distance;
use super::{Code, Diagnostic, Effect, FindingSubject};

/// What accepting a finding of some code does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relief {
    /// The finding no longer confounds, blocks, or counts for the gate `warning`.
    Lifts,
    /// The finding is marked as known and keeps its effect: what is missing does not appear by
    /// being accepted.
    Marks,
}

impl Code {
    /// What accepting a finding of this code does.
    ///
    /// Of the findings that take a verdict only those lift that doubt something the user can know
    /// better: whether samples with equal ids are the same question, whether two judges mean the
    /// same, whether raters do. The others say that figures, samples, runs, units or clusters are not there, and a
    /// verdict without them would be made up.
    pub const fn acceptance(self) -> Relief {
        let data_missing = match self {
            Self::ContentDiffers
            | Self::JudgedMetric
            | Self::ScalesDiffer
            | Self::UnitsMayDiffer
            | Self::AnswersOfRuns
            | Self::RecordsNotSamples
            | Self::RowsDisagree
            | Self::NoScoreAmongScores
            | Self::OtherQuestions
            | Self::AssignedOtherwise => false,
            other => matches!(other.effect(), Effect::Blocks),
        };
        if data_missing { Relief::Marks } else { Relief::Lifts }
    }

    /// The code of that identifier, without regard to case.
    pub fn find(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.id().eq_ignore_ascii_case(id))
    }
}

/// The findings that the user accepts: those of one code, all of them or about one subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingAcceptance {
    pub code: Code,
    /// What the finding has to be about; `None` for any subject.
    pub subject: Option<String>,
    /// The canonical name of the metric that the subject may name.
    pub metric: Option<String>,
}

/// A text that is no acceptance.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAFindingAcceptance {
    #[error(
        "accept `{text}`: no finding has the code `{code}`, the nearest is {nearest}; write one \
         CODE or CODE:SUBJECT for each --accept; `reportgen explain` lists the codes"
    )]
    UnknownCode { text: String, code: String, nearest: Code },
    #[error(
        "accept `{text}` names no subject: write {code} to accept every finding {code}, or name \
         one, for example {code}:base_checkpoint"
    )]
    NoSubject { text: String, code: Code },
}

impl FindingAcceptance {
    /// Reads `CODE` or `CODE:SUBJECT`.
    ///
    /// # Errors
    /// When no finding has the code, or nothing follows the colon.
    pub fn parse(text: &str) -> Result<Self, NotAFindingAcceptance> {
        let (id, subject) = match text.split_once(':') {
            None => (text.trim(), None),
            Some((id, subject)) => (id.trim(), Some(subject.trim())),
        };
        let unknown = || NotAFindingAcceptance::UnknownCode {
            text: text.to_owned(),
            code: id.to_owned(),
            nearest: closest(first_word(id), Code::ALL, |code| code.id())
                .copied()
                .unwrap_or(Code::Unreadable),
        };
        let code = Code::find(id).ok_or_else(unknown)?;
        if subject == Some("") {
            return Err(NotAFindingAcceptance::NoSubject { text: text.to_owned(), code });
        }
        Ok(Self { code, subject: subject.map(str::to_owned), metric: None })
    }

    /// Whether the finding is one of those accepted. A subject is any part of what the finding is
    /// about, without regard to case; of a dotted key, the last components are enough, and of grid
    /// coordinates one of them.
    pub fn covers(&self, finding: &Diagnostic) -> bool {
        let is_of_metric = self.metric.is_some() && self.metric == finding.subject.metric;
        let is_covered = |wanted: &String| is_of_metric || is_about(&finding.subject, wanted);
        self.code == finding.code && self.subject.as_ref().is_none_or(is_covered)
    }

    /// The parts of the findings of this code that are written most like the subject asked for;
    /// `None` when no finding of the code is about anything.
    pub fn closest_subject<'a>(
        &self,
        findings: impl Iterator<Item = &'a Diagnostic>,
    ) -> Option<&'a str> {
        let own = findings.filter(|finding| finding.code == self.code);
        let parts: Vec<&str> = own.flat_map(|finding| finding.subject.parts()).collect();
        closest(self.subject.as_deref().unwrap_or_default(), &parts, |part| part).copied()
    }
}

impl std::fmt::Display for FindingAcceptance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.subject {
            None => write!(f, "{}", self.code),
            Some(subject) => write!(f, "{}:{subject}", self.code),
        }
    }
}

impl FindingSubject {
    /// The parts that are known, narrow ones first.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        let Self { run, metric, dataset, key, dims, candidate } = self;
        let parts = [key, metric, dataset, dims, run, candidate];
        parts.into_iter().flatten().map(String::as_str).filter(|part| !part.is_empty())
    }
}

fn is_about(subject: &FindingSubject, wanted: &str) -> bool {
    let same = |part: &str| part.to_lowercase() == wanted.to_lowercase();
    let key = subject.key.as_deref().unwrap_or_default().to_lowercase();
    let last = key.strip_suffix(&wanted.to_lowercase()).is_some_and(|rest| rest.ends_with('.'));
    let coordinates = subject.dims.as_deref().unwrap_or_default();
    last || subject.parts().any(same) || coordinates.split(' ').any(same)
}

/// What stands before a comma, a blank or another sign.
fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default()
}

/// The candidate that takes the fewest changes of single characters; the first of several.
fn closest<'c, T>(text: &str, among: &'c [T], name: impl Fn(&'c T) -> &'c str) -> Option<&'c T> {
    among.iter().min_by_key(|candidate| edit_distance(text, name(candidate)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_any_part_of_what_a_finding_is_about() {
        let about = Diagnostic::new(Code::ConfigDiffers)
            .key("eval.generation.Temperature")
            .dataset(Some("OKVQA"))
            .metric("vqa_accuracy")
            .run("seed-2")
            .dims(&"samples=100 shot=3")
            .candidate("tuned");
        for (rule, covered) in [
            ("R201", true),
            ("r201", true),
            (" R201 : temperature ", true),
            ("R201:generation.temperature", true),
            ("R201:eval.generation.temperature", true),
            ("R201:okvqa", true),
            ("R201:vqa_accuracy", true),
            ("R201:SEED-2", true),
            ("R201:samples=100 shot=3", true),
            ("R201:shot=3", true),
            ("R201:tuned", true),
            ("R201:ature", false),
            ("R201:temp", false),
            ("R201:eval", false),
            ("R201:shot", false),
            ("R202", false),
            ("R202:temperature", false),
        ] {
            let rule = FindingAcceptance::parse(rule).expect(rule);
            assert_eq!(rule.covers(&about), covered, "{rule}");
        }
        let about_nothing = Diagnostic::new(Code::ConfigDiffers);
        assert!(FindingAcceptance::parse("R201").expect("valid").covers(&about_nothing));
        assert!(
            !FindingAcceptance::parse("R201:temperature").expect("valid").covers(&about_nothing)
        );
    }

    #[test]
    fn a_text_that_accepts_nothing_known_is_refused_with_the_nearest_code() {
        for (text, expected) in [
            ("R2O1", "no finding has the code `R2O1`, the nearest is R201;"),
            ("R2133:quiz", "no finding has the code `R2133`, the nearest is R213;"),
            ("R201,R213", "no finding has the code `R201,R213`, the nearest is R201;"),
            ("R201:", "accept `R201:` names no subject: write R201 to accept every finding R201"),
        ] {
            let error = FindingAcceptance::parse(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn no_acceptance_brings_back_what_is_missing() {
        let kept: Vec<Code> = Code::ALL
            .iter()
            .copied()
            .filter(|code| code.effect() == Effect::Blocks && code.acceptance() == Relief::Lifts)
            .collect();
        let knowable = [
            Code::ContentDiffers,
            Code::JudgedMetric,
            Code::UnitsMayDiffer,
            Code::AnswersOfRuns,
            Code::ScalesDiffer,
            Code::OtherQuestions,
            Code::AssignedOtherwise,
            Code::NoScoreAmongScores,
            Code::RecordsNotSamples,
            Code::RowsDisagree,
        ];
        assert_eq!(kept, knowable, "every other one says what is not there");
    }

    #[test]
    fn the_closest_subject_is_the_one_that_takes_the_fewest_changes() {
        let keys = ["train.data", "base_checkpoint", "learning_rate"];
        let found = keys.map(|key| Diagnostic::new(Code::ConfigDiffers).key(key));
        let rule = FindingAcceptance::parse("R201:base_chekpoint").expect("valid");
        assert_eq!(rule.closest_subject(found.iter()), Some("base_checkpoint"));
    }
}
