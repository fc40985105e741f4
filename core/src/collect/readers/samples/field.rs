//! What a field of a record means, by its exact name.
//!
//! A name that is in no list may be a score: a number or truth value that nobody has to know
//! beforehand.

use indexmap::IndexMap;

use super::super::super::ReadOptions;
use super::super::chinese_heads::field_in_english;
use super::super::sample_ids;
use super::claim_role::RecordClaimRole;
use super::failing::failing_field;
use super::meaning::{self, remembered};
pub(crate) use super::meaning::{ClusterField, Content, Field, FieldMeaning, ScoreId};
use super::names::{
    ANSWERS, CLUSTERS, DATASETS, DOCUMENTS, MODELS, OUTCOMES, PROMPTS, RESPONSES,
    SEVERAL_RESPONSES, TARGETS, WEAK_TARGETS, is_known_score, is_no_score,
};
use super::ranked::rank_in;
use super::run_columns::RunColumns;
use super::shared::SharedFields;
use crate::model::{Clustering, Direction, MetricNames, MetricRole, SharedKey, attempts_from};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MetricName {
    pub(crate) key: String,
    pub(crate) metric: String,
    /// Whether it is a score by name, so that a text or a list in it is a score gone wrong.
    pub(crate) known: bool,
    /// Whether it is a score only when the record itself says so.
    pub(crate) only_if_listed: bool,
    /// Whether it measures something of which less is better, such as an error or a time.
    pub(crate) less_is_better: bool,
    /// What it claims beside being a score.
    pub(crate) role: RecordClaimRole,
}

/// The fields met so far.
///
/// Records of a file have the same fields in the same order, so a field is first looked for where
/// the record before had it.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    order: IndexMap<String, KnownField>,
    nested: Vec<(String, Field)>,
    metrics: Vec<MetricName>,
    has_aliases: bool,
    cluster_key: Option<String>,
    names: MetricNames,
    shared: SharedFields,
    run_columns: RunColumns,
    looks_for_shared: bool,
    folds_prompts: bool,
    /// The place in `order` of the first field that is an id.
    first_id: Option<usize>,
    records: u64,
    /// Fields that the record has more than once, by place in `order`.
    repeated: Vec<usize>,
}

#[derive(Debug)]
struct KnownField {
    meaning: FieldMeaning,
    /// The last record that had it.
    record: Option<u64>,
}

/// More distinct field names than this are data, not names.
const MAX_FIELDS: usize = 1024;

impl Fields {
    pub(crate) fn choosing(options: &ReadOptions) -> Self {
        let cluster_key = match &options.clustering {
            Clustering::Key(key) => Some(key.clone()),
            Clustering::Automatic | Clustering::Off => None,
        };
        let looks_for_shared = options.clustering == Clustering::Automatic;
        let run_columns = RunColumns::choosing(options);
        let names = options.names.clone();
        Self { cluster_key, names, run_columns, looks_for_shared, ..Self::default() }
    }

    pub(crate) fn begin_record(&mut self) {
        self.records += 1;
        self.repeated.clear();
    }

    /// The meaning of the field of that name, which is the `position`th of its record.
    pub(crate) fn meaning_at(&mut self, position: usize, name: &str) -> FieldMeaning {
        let Some(place) = self.field_position(position, name) else {
            return FieldMeaning {
                cluster: self.cluster_field(name),
                ..FieldMeaning::new(self.meaning(name))
            };
        };
        let record = Some(self.records);
        let Some((_, known)) = self.order.get_index_mut(place) else {
            return FieldMeaning::IGNORED;
        };
        if known.record == record && known.meaning != FieldMeaning::IGNORED {
            self.repeated.push(place);
        }
        known.record = record;
        known.meaning
    }

    pub(crate) fn inside(&mut self, name: &str) -> Field {
        match self.find_or_add(name).and_then(|place| self.order.get_index(place)) {
            Some((_, known)) => known.meaning.field,
            None => Field::Ignored,
        }
    }

    /// Where the field stands that is probably the `position`th, see [`Self::find_or_add`].
    fn field_position(&mut self, position: usize, name: &str) -> Option<usize> {
        let is_there = self.order.get_index(position).is_some_and(|(known, _)| known == name);
        if is_there { Some(position) } else { self.find_or_add(name) }
    }

    /// Where the field stands in `order`, put there when it is new and there is room.
    fn find_or_add(&mut self, name: &str) -> Option<usize> {
        if let Some(place) = self.order.get_index_of(name) {
            return Some(place);
        }
        if self.order.len() == MAX_FIELDS {
            return None;
        }
        let cluster = self.cluster_field(name);
        let field = match self.meaning(name) {
            // What tells clusters apart is no score, unless its name says so.
            Field::Score(id)
                if cluster.is_some() && !self.metric(id).is_some_and(|metric| metric.known) =>
            {
                Field::Ignored
            }
            field => field,
        };
        let declared = self.declared(name, field);
        let may_share = self.looks_for_shared && declared.is_none();
        let is_shared = may_share && (cluster.is_some() || self.may_be_shared(field));
        let counts = is_shared
            && (matches!(field, Field::Scores | Field::Response(_)) || OUTCOMES.contains(&name));
        let known = field_in_english(name).unwrap_or(name);
        let shared_name = if counts { format!("len({known})") } else { known.to_owned() };
        let shared = if is_shared { self.shared.add(&shared_name) } else { None };
        let is_chosen = self.cluster_key.is_some() && cluster.is_some();
        let run = if is_chosen || declared.is_some() { None } else { self.run_columns.add(name) };
        let failing = if declared.is_some() { None } else { failing_field(name) };
        let is_mark = |id| self.metric(id).is_some_and(|metric| metric.known);
        let is_marked = matches!(field, Field::Score(id) if is_mark(id));
        let lists_options = meaning::lists_options(name);
        let tells_apart = run.is_none() && !is_marked && meaning::tells_apart(name, field, failing);
        let meaning = FieldMeaning {
            field,
            cluster,
            shared,
            counts,
            declared,
            run,
            failing,
            tells_apart,
            lists_options,
        };
        if matches!(field, Field::Id(_)) {
            self.first_id.get_or_insert(self.order.len());
        }
        let (place, _) =
            self.order.insert_full(name.to_owned(), KnownField { meaning, record: None });
        Some(place)
    }

    /// The score of a declared name that means something else. Coordinates stay coordinates.
    fn declared(&mut self, name: &str, field: Field) -> Option<ScoreId> {
        let is_coordinate = matches!(
            field,
            Field::Step | Field::Epoch | Field::Seed | Field::Shot | Field::Score(_)
        );
        if is_coordinate || !self.names.is_declared(name) {
            return None;
        }
        match self.score(name, true, false) {
            Field::Score(id) => Some(id),
            _ => None,
        }
    }

    /// Whether a field may say which samples belong together: one of no known name, an id beside a
    /// stronger one, what lies inside an object, or what a text begins with.
    fn may_be_shared(&self, field: Field) -> bool {
        match field {
            Field::Id(rank) => rank > 0,
            Field::Score(id) => self.metric(id).is_some_and(|metric| !metric.known),
            Field::Extra
            | Field::Content(Content::Prompt | Content::Document, _)
            | Field::Attempts { .. }
            | Field::Scores => true,
            // What may be the right answer or that of the model is told by how scores go with it.
            Field::Content(Content::Target, rank) => rank >= WEAK_TARGETS,
            // How many answers one arm chose from may be another number in the other.
            Field::Response(rank) => rank >= SEVERAL_RESPONSES,
            _ => false,
        }
    }

    /// Whether prompts are hashed without regard to case and white space too.
    pub(super) fn folds_prompts(&self) -> bool {
        self.folds_prompts
    }

    pub(super) fn fold_prompts(&mut self) {
        self.folds_prompts = true;
    }

    /// The fields whose values several records may share.
    pub(crate) fn shared(&mut self) -> &mut SharedFields {
        &mut self.shared
    }

    /// The columns that may tell several runs apart.
    pub(super) fn run_columns(&mut self) -> &mut RunColumns {
        &mut self.run_columns
    }

    /// How many of these there are.
    pub(super) fn run_column_count(&self) -> usize {
        self.run_columns.count()
    }

    pub(crate) fn shared_key(&self, place: u16) -> SharedKey {
        self.shared.key(place)
    }

    /// Whether that field, which several records might have shared, was given up.
    pub(crate) fn is_given_up(&self, key: &SharedKey) -> bool {
        self.shared.is_given_up(key)
    }

    fn cluster_field(&self, name: &str) -> Option<ClusterField> {
        let Some(key) = &self.cluster_key else {
            return rank_in(&CLUSTERS, name, ClusterField::Value);
        };
        match key.strip_prefix(name)? {
            "" => Some(ClusterField::Value(0)),
            rest if rest.starts_with('.') => Some(ClusterField::Inside(name.len() + 1)),
            _ => None,
        }
    }

    pub(crate) fn cluster_name(&self, rank: u8) -> &str {
        let shipped = || CLUSTERS.get(usize::from(rank)).copied().unwrap_or("cluster");
        self.cluster_key.as_deref().unwrap_or_else(shipped)
    }

    /// What the user's cluster key says behind so many bytes.
    pub(crate) fn cluster_path(&self, from: usize) -> &str {
        self.cluster_key.as_deref().and_then(|key| key.get(from..)).unwrap_or_default()
    }

    pub(crate) fn repeated(&self) -> impl Iterator<Item = &str> {
        self.repeated.iter().filter_map(|&place| Some(self.order.get_index(place)?.0.as_str()))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.order.keys().map(String::as_str)
    }

    /// Whether some field so far is an id.
    pub(super) fn names_ids(&self) -> bool {
        self.first_id.is_some()
    }

    pub(crate) fn has_aliases(&self) -> bool {
        self.has_aliases
    }

    /// The same for a field of an object of scores.
    pub(crate) fn score_at(&mut self, position: usize, name: &str) -> Field {
        if let Some(field) = remembered(&self.nested, position, name) {
            return field;
        }
        let field = self.score(name, is_known_score(name, &self.names), false);
        if self.nested.len() < MAX_FIELDS {
            self.nested.push((name.to_owned(), field));
        }
        field
    }

    pub(crate) fn metric(&self, id: ScoreId) -> Option<&MetricName> {
        self.metrics.get(usize::from(id.0))
    }

    /// Whether a long text in that field would say anything.
    pub(crate) fn reads_text(&self, meaning: FieldMeaning) -> bool {
        match meaning.field {
            _ if meaning.cluster.is_some() || meaning.run.is_some() => true,
            _ if meaning.failing.is_some() => true,
            Field::Ignored => false,
            // A field of no known name could be a score only as a number or as "nan".
            Field::Score(id) => self.metric(id).is_some_and(|metric| metric.known),
            _ => true,
        }
    }

    fn meaning(&mut self, written: &str) -> Field {
        let name = field_in_english(written).unwrap_or(written);
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
                let content = |content| move |rank| Field::Content(content, rank);
                sample_ids::rank(name)
                    .map(Field::Id)
                    .or_else(|| rank_in(&DATASETS, name, Field::Dataset))
                    .or_else(|| rank_in(&PROMPTS, name, content(Content::Prompt)))
                    .or_else(|| rank_in(&TARGETS, name, content(Content::Target)))
                    .or_else(|| rank_in(&DOCUMENTS, name, content(Content::Document)))
                    .or_else(|| rank_in(&RESPONSES, name, Field::Response))
                    .or_else(|| ANSWERS.contains(&name).then_some(Field::Answer))
                    .or_else(|| rank_in(&MODELS, name, Field::Model))
                    .or_else(|| CLUSTERS.contains(&name).then_some(Field::Ignored))
                    .unwrap_or_else(|| {
                        let known = is_known_score(name, &self.names);
                        if let Some(first) = attempts_from(name).filter(|_| !known) {
                            return Field::Attempts { first };
                        }
                        self.score(name, known, !known && is_no_score(name))
                    })
            }
        }
    }

    fn score(&mut self, key: &str, known: bool, only_if_listed: bool) -> Field {
        let known_id = self.metrics.iter().position(|metric| metric.key == key);
        if known_id.is_none() && self.metrics.len() == MAX_FIELDS {
            return Field::Ignored;
        }
        let id = known_id.unwrap_or_else(|| {
            let metric = self.names.canonical(key).to_owned();
            self.has_aliases |= self.metrics.iter().any(|known| known.metric == metric);
            let (key, role) = (key.to_owned(), RecordClaimRole::by_name(key, &metric, &self.names));
            let less_is_better = self.names.get(&metric).is_some_and(|spec| {
                let tells_the_ending =
                    spec.role.is_some_and(|given| given.role == MetricRole::Breakdown);
                spec.direction == Direction::Lower && !spec.outcomes && !tells_the_ending
            });
            let name = MetricName { key, metric, known, only_if_listed, less_is_better, role };
            self.metrics.push(name);
            self.metrics.len() - 1
        });
        Field::Score(ScoreId(id as u16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(key: &str) -> Option<MetricName> {
        let mut fields = Fields::default();
        match fields.meaning_at(0, key).field {
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
            "choice",
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
        let target = |rank| Field::Content(Content::Target, rank);
        assert_eq!(fields.meaning_at(0, "gold_label").field, target(8));
        assert_eq!(fields.meaning_at(0, "answerKey").field, target(16));
        assert_eq!(fields.meaning_at(0, "cluster_id").cluster, Some(ClusterField::Value(1)));
        assert_eq!(fields.meaning_at(0, "ID").field, Field::Id(0));
        assert!(matches!(fields.meaning_at(0, "group").field, Field::Score(_)));
    }

    #[test]
    fn the_users_key_says_the_cluster_beside_what_else_its_field_means() {
        let meaning = |key: &str, name: &str| {
            let clustering = Clustering::Key(key.to_owned());
            let options = ReadOptions { clustering, ..ReadOptions::default() };
            let found = Fields::choosing(&options).meaning_at(0, name);
            (found.field, found.cluster)
        };
        let document = Field::Content(Content::Document, 0);
        for (key, name, field, cluster) in [
            ("doc", "doc", document, Some(ClusterField::Value(0))),
            ("doc.page", "doc", document, Some(ClusterField::Inside(4))),
            ("doc.page", "document", Field::Content(Content::Document, 1), None),
            ("chapter", "chapter", Field::Ignored, Some(ClusterField::Value(0))),
            ("chapter", "repo", Field::Ignored, None),
        ] {
            assert_eq!(meaning(key, name), (field, cluster), "{key} in {name}");
        }
    }

    #[test]
    fn a_field_keeps_its_meaning_wherever_it_stands() {
        let mut fields = Fields::default();
        let first: Vec<FieldMeaning> = ["id", "acc", "prompt"]
            .iter()
            .enumerate()
            .map(|(at, key)| fields.meaning_at(at, key))
            .collect();
        assert_eq!(fields.meaning_at(7, "acc"), first[1]);
        assert_eq!(fields.meaning_at(0, "prompt"), first[2]);
        assert_eq!(fields.metrics.len(), 1);
    }

    #[test]
    fn many_distinct_names_are_bounded() {
        let mut fields = Fields::default();
        let last = (0..5000).map(|name| fields.meaning_at(0, &format!("f{name}"))).last();
        assert_eq!(last.map(|meaning| meaning.field), Some(Field::Ignored));
        assert!(fields.order.len() <= MAX_FIELDS);
    }
}
