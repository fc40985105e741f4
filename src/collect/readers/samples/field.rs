//! What a field of a record means, told by its exact name.
//!
//! Owns the lists of names. A name that is in none of them may be a score: a number or truth value
//! that nobody has to know beforehand.

use super::super::sample_ids;
use crate::model::{MetricCatalogue, canonical_metric};

const DATASETS: [&str; 4] = ["dataset", "benchmark", "task_name", "task"];
const PROMPTS: [&str; 5] = ["prompt", "question", "input", "query", "problem"];
/// `answer` and `label` are not among them: often they hold what the model said.
const TARGETS: [&str; 11] = [
    "target",
    "reference",
    "gold",
    "expected",
    "expected_answer",
    "ground_truth",
    "reference_answer",
    "gold_answer",
    "gold_label",
    "correct_answer",
    "answer_key",
];
const DOCUMENTS: [&str; 2] = ["doc", "document"];
const MODELS: [&str; 2] = ["model", "model_name"];
const CLUSTERS: [&str; 7] =
    ["cluster", "cluster_id", "passage_id", "image_id", "repo", "template_id", "family"];

/// Scores that may also be written as a text or turn out to be no single number.
const SCORES: [&str; 5] = ["score", "reward", "accepted", "pass", "success"];

/// Numbers that are no scores: coordinates, sizes, settings, and answers that happen to be numbers.
const NOT_SCORES: [&str; 58] = [
    "timestamp",
    "time",
    "ts",
    "date",
    "datetime",
    "created",
    "created_at",
    "updated_at",
    "global_step",
    "iteration",
    "round",
    "turn",
    "turns",
    "attempt",
    "attempts",
    "trial",
    "repeat",
    "rank",
    "worker",
    "gpu",
    "line",
    "row",
    "offset",
    "start",
    "end",
    "position",
    "length",
    "len",
    "size",
    "level",
    "difficulty",
    "year",
    "version",
    "temperature",
    "top_p",
    "top_k",
    "max_tokens",
    "prediction",
    "pred",
    "predicted",
    "response",
    "output",
    "completion",
    "generation",
    "choice",
    "choices",
    "gold_index",
    "answer",
    "label",
    "group",
    "sample",
    "sample_index",
    "sample_idx",
    "try",
    "rollout",
    "tokens",
    "page",
    "n",
];
const NOT_SCORE_ENDINGS: [&str; 15] = [
    "_id",
    "_ids",
    "_idx",
    "_index",
    "_hash",
    "_timestamp",
    "_at",
    "_len",
    "_length",
    "_seed",
    "_size",
    "_count",
    "_tokens",
    "_version",
    "_label",
];
const NOT_SCORE_BEGINNINGS: [&str; 3] = ["num_", "n_", "max_"];

/// The three contents of a sample that are hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    Prompt,
    Target,
    Document,
}

/// A number in `scores`, `metrics` or at top level, see [`Fields::metric`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScoreId(pub(crate) u16);

/// What a field means. A rank tells which of several fields of one meaning counts: the lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Id {
        rank: u8,
    },
    Dataset {
        rank: u8,
    },
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
    Content {
        content: Content,
        rank: u8,
    },
    ErrorType,
    Error,
    Status,
    Truncated,
    FinishReason,
    Step,
    Epoch,
    Seed,
    Shot,
    Split,
    Checkpoint,
    /// Name of the evaluated model.
    Model {
        rank: u8,
    },
    Cluster {
        rank: u8,
    },
    Ignored,
}

impl Field {
    /// Whether it is an id in any company.
    pub(crate) fn is_strong_id(self) -> bool {
        matches!(self, Self::Id { rank } if sample_ids::is_strong(rank))
    }
}

/// The name of the cluster key of that rank.
pub(crate) fn cluster_name(rank: u8) -> &'static str {
    CLUSTERS.get(usize::from(rank)).copied().unwrap_or("cluster")
}

/// A possible score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MetricName {
    /// As written.
    pub(crate) key: String,
    /// The metric it becomes.
    pub(crate) metric: String,
    /// Whether it is a score by name, so that a text or a list in it is a score gone wrong.
    pub(crate) known: bool,
    /// Whether it is a score only when the record itself says so.
    pub(crate) only_if_listed: bool,
}

/// The fields met so far.
///
/// Records of a file have the same fields in the same order, so a field is first looked for where
/// the record before had it.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    order: Vec<(String, Field)>,
    nested: Vec<(String, Field)>,
    metrics: Vec<MetricName>,
}

/// More distinct field names than this are data, not names.
const MAX_FIELDS: usize = 1024;

impl Fields {
    /// The meaning of the field of that name, which is the `position`th of its record.
    pub(crate) fn at(&mut self, position: usize, name: &str) -> Field {
        if let Some(field) = remembered(&self.order, position, name) {
            return field;
        }
        let field = self.meaning(name);
        if self.order.len() < MAX_FIELDS {
            self.order.push((name.to_owned(), field));
        }
        field
    }

    /// The same for a field of an object of scores.
    pub(crate) fn score_at(&mut self, position: usize, name: &str) -> Field {
        if let Some(field) = remembered(&self.nested, position, name) {
            return field;
        }
        let field = self.score(name, is_known_score(name), false);
        if self.nested.len() < MAX_FIELDS {
            self.nested.push((name.to_owned(), field));
        }
        field
    }

    /// The score of that id.
    pub(crate) fn metric(&self, id: ScoreId) -> Option<&MetricName> {
        self.metrics.get(usize::from(id.0))
    }

    /// Whether a long text in that field would say anything.
    pub(crate) fn reads_text(&self, field: Field) -> bool {
        match field {
            Field::Ignored => false,
            // A field of no known name could be a score only as a number or as "nan".
            Field::Score(id) => self.metric(id).is_some_and(|metric| metric.known),
            _ => true,
        }
    }

    fn meaning(&mut self, name: &str) -> Field {
        match name {
            "filter" => Field::Filter,
            "metrics" => Field::Metrics,
            "scores" => Field::Scores,
            "extra" => Field::Extra,
            "doc_hash" => Field::Hash(Content::Document),
            "prompt_hash" => Field::Hash(Content::Prompt),
            "target_hash" => Field::Hash(Content::Target),
            "error_type" => Field::ErrorType,
            "error" => Field::Error,
            "status" => Field::Status,
            "truncated" | "is_truncated" => Field::Truncated,
            "finish_reason" | "stop_reason" => Field::FinishReason,
            "step" => Field::Step,
            "epoch" => Field::Epoch,
            "seed" => Field::Seed,
            "shot" | "shots" | "num_fewshot" | "n_shot" => Field::Shot,
            "split" => Field::Split,
            "checkpoint" => Field::Checkpoint,
            _ => {
                let content = |content| move |rank| Field::Content { content, rank };
                sample_ids::rank(name)
                    .map(|rank| Field::Id { rank })
                    .or_else(|| rank_in(&DATASETS, name, |rank| Field::Dataset { rank }))
                    .or_else(|| rank_in(&PROMPTS, name, content(Content::Prompt)))
                    .or_else(|| rank_in(&TARGETS, name, content(Content::Target)))
                    .or_else(|| rank_in(&DOCUMENTS, name, content(Content::Document)))
                    .or_else(|| rank_in(&MODELS, name, |rank| Field::Model { rank }))
                    .or_else(|| rank_in(&CLUSTERS, name, |rank| Field::Cluster { rank }))
                    .unwrap_or_else(|| {
                        let known = is_known_score(name);
                        self.score(name, known, !known && is_no_score(name))
                    })
            }
        }
    }

    fn score(&mut self, key: &str, known: bool, only_if_listed: bool) -> Field {
        let id = self.metrics.iter().position(|metric| metric.key == key).unwrap_or_else(|| {
            self.metrics.push(MetricName {
                key: key.to_owned(),
                metric: metric_of(key).to_owned(),
                known,
                only_if_listed,
            });
            self.metrics.len() - 1
        });
        if id < MAX_FIELDS { Field::Score(ScoreId(id as u16)) } else { Field::Ignored }
    }
}

fn remembered(fields: &[(String, Field)], position: usize, name: &str) -> Option<Field> {
    let is_it = |(known, _): &&(String, Field)| known == name;
    fields
        .get(position)
        .filter(is_it)
        .or_else(|| fields.iter().find(is_it))
        .map(|(_, field)| *field)
}

fn rank_in<F: FnOnce(u8) -> Field>(names: &[&str], name: &str, field: F) -> Option<Field> {
    names.iter().position(|known| *known == name).map(|rank| field(rank as u8))
}

/// The metric that a per-sample score averages to.
fn metric_of(key: &str) -> &str {
    match key {
        "accepted" => "accepted_at_1",
        "completion_tokens" | "output_tokens" | "generated_tokens" => "avg_gen_tokens",
        _ => canonical_metric(key),
    }
}

fn is_known_score(name: &str) -> bool {
    SCORES.contains(&name)
        || metric_of(name) != name
        || MetricCatalogue::shipped().get(name).is_some()
}

fn is_no_score(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NOT_SCORES.contains(&name.as_str())
        || NOT_SCORE_ENDINGS.iter().any(|ending| name.ends_with(ending))
        || NOT_SCORE_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(key: &str) -> Option<MetricName> {
        let mut fields = Fields::default();
        match fields.at(0, key) {
            Field::Score(id) => fields.metric(id).cloned(),
            _ => None,
        }
    }

    #[test]
    fn scores_get_the_name_of_the_metric_they_average_to() {
        for (key, metric) in [
            ("accepted", "accepted_at_1"),
            ("pass_ratio", "pass_ratio_mean"),
            ("gen_tokens", "avg_gen_tokens"),
            ("acc", "accuracy"),
            ("em", "exact_match"),
        ] {
            let found = score(key).expect(key);
            assert_eq!((found.metric.as_str(), found.known), (metric, true), "{key}");
        }
    }

    #[test]
    fn numbers_that_are_coordinates_or_sizes_are_scores_only_if_listed() {
        for key in [
            "timestamp",
            "prompt_length",
            "num_turns",
            "input_tokens",
            "Level",
            "page_id",
            "answer",
            "label",
            "rollout",
            "generation_index",
        ] {
            assert!(score(key).expect(key).only_if_listed, "{key}");
        }
        assert!(!score("bleurt").expect("bleurt").only_if_listed);
    }

    #[test]
    fn targets_are_what_should_be_said_and_clusters_name_themselves() {
        let mut fields = Fields::default();
        let target = |rank| Field::Content { content: Content::Target, rank };
        assert_eq!(fields.at(0, "gold_label"), target(8));
        assert_eq!(fields.at(0, "cluster_id"), Field::Cluster { rank: 1 });
        assert_eq!(fields.at(0, "ID"), Field::Id { rank: 0 });
        assert!(matches!(fields.at(0, "group"), Field::Score(_)));
    }

    #[test]
    fn a_field_keeps_its_meaning_wherever_it_stands() {
        let mut fields = Fields::default();
        let first: Vec<Field> = ["id", "acc", "prompt"]
            .iter()
            .enumerate()
            .map(|(at, key)| fields.at(at, key))
            .collect();
        assert_eq!(fields.at(7, "acc"), first[1]);
        assert_eq!(fields.at(0, "prompt"), first[2]);
        assert_eq!(fields.metrics.len(), 1);
    }

    #[test]
    fn many_distinct_names_are_bounded() {
        let mut fields = Fields::default();
        let last = (0..5000).map(|name| fields.at(0, &format!("f{name}"))).last();
        assert_eq!(last, Some(Field::Ignored));
        assert!(fields.order.len() <= MAX_FIELDS);
    }
}
