//! What a field of a record can mean.

use super::super::sample_ids;
use super::failing::FailingField;
use super::names::OF_OUTCOMES;

/// The three contents of a sample that are hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    Prompt,
    Target,
    Document,
}

/// A number in `scores`, `metrics` or at top level, see `Fields::metric`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScoreId(pub(crate) u16);

/// What a field means. The number is the rank of its name: of several fields of one meaning that
/// of the lowest rank counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Id(u8),
    Dataset(u8),
    /// The answer filter of lm-eval.
    Filter,
    /// `metrics`: names of the scores (lm-eval) or the scores themselves.
    Metrics,
    /// An object of scores.
    Scores,
    /// An object of further coordinates.
    Extra,
    Score(ScoreId),
    /// A hash the producer wrote.
    Hash(Content),
    Content(Content, u8),
    /// What the model wrote.
    Response(u8),
    /// What was extracted from it as the answer.
    Answer,
    ErrorType,
    Error,
    Status,
    Truncated,
    FinishReason,
    /// How often the answer was asked for: counted so that the first time is `first`.
    Attempts {
        first: u16,
    },
    Step,
    Epoch,
    Seed,
    Shot,
    Split,
    Checkpoint,
    Model(u8),
    Ignored,
}

impl Field {
    /// Whether it is an id in any company.
    pub(crate) fn is_strong_id(self) -> bool {
        matches!(self, Self::Id(rank) if sample_ids::is_strong(rank))
    }

    /// Whether its whole value is what several records may share, and no content of theirs.
    pub(super) fn is_shared_whole(self) -> bool {
        let is_answer = matches!(self, Self::Content(Content::Target, _));
        is_answer || matches!(self, Self::Id(_) | Self::Score(_) | Self::Attempts { .. })
    }

    /// Whether it says where in a grid the record stands, wherever it is written.
    pub(crate) fn is_coordinate(self) -> bool {
        let counted = matches!(self, Self::Step | Self::Epoch | Self::Seed | Self::Shot);
        counted || matches!(self, Self::Split | Self::Checkpoint)
    }
}

/// What a field means: by its name, and as the cluster of its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldMeaning {
    pub(crate) field: Field,
    /// Whether, and how, it says the cluster. The user may choose a field that has a meaning of its
    /// own, such as the document.
    pub(crate) cluster: Option<ClusterField>,
    /// Its place among the fields whose values several records may share.
    pub(crate) shared: Option<u16>,
    /// Whether that is how many elements its list has: answers of one problem, or their outcomes.
    pub(crate) counts: bool,
    /// The score that a number or truth value in it is: of a name that the user declares as a metric
    /// and that means something else.
    pub(crate) declared: Option<ScoreId>,
    /// Its place among the columns that may tell several runs apart.
    pub(crate) run: Option<u8>,
    /// How it says that the record failed.
    pub(crate) failing: Option<FailingField>,
    /// Whether texts in it tell questions apart that are worded alike: options, a passage, a language.
    pub(crate) tells_apart: bool,
    /// Whether it lists what the answer is chosen from.
    pub(crate) lists_options: bool,
}

/// How a field says the cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClusterField {
    /// Its value does; the number is that of its name, see `Fields::cluster_name`.
    Value(u8),
    /// Something inside its object does; the user's key goes on behind that many bytes.
    Inside(usize),
}

impl FieldMeaning {
    pub(super) const IGNORED: Self = Self::new(Field::Ignored);

    /// Of a field that says no cluster and is no declared metric.
    pub(crate) const fn new(field: Field) -> Self {
        Self {
            field,
            cluster: None,
            shared: None,
            counts: false,
            declared: None,
            run: None,
            failing: None,
            tells_apart: false,
            lists_options: false,
        }
    }
}

/// Whether texts in a field of that name and meaning are part of what was asked.
pub(super) fn tells_apart(name: &str, field: Field, failing: Option<FailingField>) -> bool {
    let may_ask = matches!(
        field,
        Field::Content(Content::Prompt | Content::Document, _) | Field::Ignored | Field::Score(_)
    );
    let name = name.to_ascii_lowercase();
    let mut words = name.split(['_', '-', ' ', '.']);
    let may_fail = failing.is_some_and(|failing| failing != FailingField::Choices);
    lists_options(&name) || may_ask && !may_fail && !words.any(|word| OF_OUTCOMES.contains(&word))
}

pub(super) fn lists_options(name: &str) -> bool {
    ["options", "choices"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// The meaning of a name, which probably stands where it stood before.
pub(super) fn remembered(fields: &[(String, Field)], position: usize, name: &str) -> Option<Field> {
    let is_it = |(known, _): &&(String, Field)| known == name;
    fields
        .get(position)
        .filter(is_it)
        .or_else(|| fields.iter().find(is_it))
        .map(|(_, field)| *field)
}
