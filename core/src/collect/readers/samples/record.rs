//! One record while it is read: its fields put where they belong, whatever order they came in.
//!
//! Knows what fields mean, not where they are written: every format hands over name, place and
//! [`RecordValue`].

use crate::model::{ContentHash, ContentHashes, SampleStatus};

use super::cause::RecordFailure;
use super::claims::RecordClaims;
use super::coordinates::{RecordCoordinates, RecordNumber};
use super::error_type::RecordErrorType;
use super::field::{ClusterField, Content, Field, FieldMeaning, Fields, ScoreId};
use super::json;
use super::listed::ListedMetrics;
use super::messages;
use super::names::{FURTHER_PROMPTS, WEAK_PROMPTS, WEAK_TARGETS};
use super::ranked::{HashOrigin, Ranked, RankedHash, set_hash, set_text};
use super::record_scores::RecordScores;
use super::shared::SharedFields;
use super::value::{RecordScore, RecordValue, hash_alike, hash_of, whole};
use super::written;

/// One record. Reused for the next one, so that its buffers are.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(super) id: Ranked<String>,
    dataset: Ranked<String>,
    model: Ranked<String>,
    pub(super) prompt: RankedHash,
    /// The question beside a prompt of another name.
    pub(super) question: Option<ContentHash>,
    /// Of what the answer is chosen from.
    pub(super) options: Option<ContentHash>,
    pub(super) target: RankedHash,
    document: RankedHash,
    alike: RankedHash,
    /// Number of the field's name and hash of its value.
    clusters: Vec<(u8, u64)>,
    /// Place of a field among those that may be shared, and a number for its value.
    shared: Vec<(u16, u32)>,
    /// Numbers of what stands in columns that may tell runs apart, by their places.
    pub(super) runs: Vec<u32>,
    pub(super) scores: RecordScores,
    error_type: Option<RecordErrorType>,
    /// The record has the field but nothing stands in it.
    pub(super) error_type_empty: bool,
    failure: RecordFailure,
    pub(super) claims: RecordClaims,
    pub(super) response: RankedHash,
    /// Of everything that tells the question from others, in whatever order; 0 for nothing.
    pub(super) asked_with: u64,
    pub(super) at: RecordCoordinates,
    /// How often the answer was asked for, from 2 on for the first time; see
    /// [`crate::model::SampleTable::attempts`].
    pub(super) attempts: u16,
    listed: ListedMetrics,
}

impl Record {
    /// Forgets everything but the buffers.
    pub(crate) fn clear(&mut self) {
        let Self {
            id,
            dataset,
            model,
            prompt,
            question,
            options,
            target,
            document,
            alike,
            clusters,
            shared,
            runs,
            scores,
            error_type,
            error_type_empty,
            failure,
            claims,
            response,
            asked_with,
            at,
            attempts,
            listed,
        } = self;
        for text in [id, dataset, model] {
            text.filled_by = None;
        }
        *claims = RecordClaims::default();
        for hash in [prompt, target, document, alike, response] {
            *hash = Ranked::default();
        }
        (*question, *options, *asked_with) = (None, None, 0);
        scores.clear();
        clusters.clear();
        shared.clear();
        runs.clear();
        (listed.present, *error_type_empty) = (false, false);
        *attempts = 0;
        (*at, *error_type, *failure) = (RecordCoordinates::default(), None, RecordFailure::None);
    }

    pub(crate) fn set(
        &mut self,
        meaning: FieldMeaning,
        value: RecordValue<'_>,
        fields: &mut Fields,
    ) {
        match meaning.cluster {
            None => {}
            Some(ClusterField::Value(rank)) => self.set_cluster(rank, value),
            Some(ClusterField::Inside(from)) => {
                self.set_cluster_inside(fields.cluster_path(from), value);
            }
        }
        if meaning.shared.is_some() {
            self.set_shared(meaning, value, fields);
        }
        self.note_asked(meaning, value, fields);
        if let Some(place) = meaning.run {
            self.set_run(place, fields.run_columns().number(place, value));
        }
        if let Some(failing) = meaning.failing {
            self.claims.take_failing(failing, value);
        }
        match (meaning.declared, value) {
            (Some(id), RecordValue::Number { .. } | RecordValue::Bool(_)) => {
                self.set_score(id, value, fields);
                // A name of ids may be the only one that the record has.
                if matches!(meaning.field, Field::Id { .. }) {
                    self.set_field(meaning.field, value, fields);
                }
            }
            _ => self.set_field(meaning.field, value, fields),
        }
    }

    fn set_run(&mut self, place: u8, number: u32) {
        let place = usize::from(place);
        self.runs.resize(self.runs.len().max(place + 1), 0);
        self.runs[place] = number;
    }

    /// Notes the value of a field that several records may share. Not inlined: few fields are such,
    /// and every field of every record passes here.
    #[inline(never)]
    pub(super) fn set_shared(
        &mut self,
        meaning: FieldMeaning,
        value: RecordValue<'_>,
        fields: &mut Fields,
    ) {
        let Some(place) = meaning.shared else { return };
        // A named cluster is known as it is, and of content whole texts are hashed: of these only what
        // they begin with may be shared, or what lies inside an object.
        if meaning.counts {
            SharedFields::note_length(place, value, &mut self.shared);
        } else if meaning.cluster.is_some() {
            if !matches!(value, RecordValue::Composite(_)) {
                fields.shared().note_beginnings(place, value, &mut self.shared);
            }
        } else if meaning.field.is_shared_whole() {
            fields.shared().note(place, value, &mut self.shared);
        } else {
            fields.shared().note_content(place, value, &mut self.shared);
        }
    }

    fn set_field(&mut self, field: Field, value: RecordValue<'_>, fields: &mut Fields) {
        match field {
            Field::Ignored => {}
            Field::Score(id) => self.set_score(id, value, fields),
            Field::Id(rank) => set_text(&mut self.id, rank, whole(value)),
            Field::Model(rank) => set_text(&mut self.model, rank, value),
            Field::Dataset(rank) => set_text(&mut self.dataset, rank, value),
            Field::Hash(content) => self.set_hash(content, HashOrigin::Written, value),
            Field::Content(Content::Prompt, rank) => self.set_prompt(rank, value, fields),
            Field::Content(content, rank) => {
                if content == Content::Target {
                    self.claims.take_target(rank == WEAK_TARGETS, value);
                }
                self.set_hash(content, HashOrigin::Field(rank), value);
            }
            Field::Filter => {
                self.at.filter = value.text().filter(|name| *name != "none").map(str::to_owned);
            }
            Field::Attempts { first } => self.set_attempts(first, value),
            Field::Step => RecordNumber::set(&mut self.at.step, value),
            Field::Epoch => RecordNumber::set(&mut self.at.epoch, value),
            Field::Seed => RecordNumber::set(&mut self.at.seed, value),
            Field::Shot => RecordNumber::set(&mut self.at.shot, value),
            Field::Split => set_name(&mut self.at.split, value),
            Field::Checkpoint => set_name(&mut self.at.checkpoint, value),
            Field::ErrorType => self.set_error_type(value),
            Field::Error => self.set_error(value),
            Field::Status => self.set_status(value),
            Field::Response(rank) => {
                let origin = HashOrigin::Field(rank);
                set_hash(&mut self.response, origin, written::digest(value));
                self.claims.written.take(value);
            }
            Field::Answer => self.claims.take_answer(value),
            Field::Truncated => self.claims.truncated = value.truth().or(self.claims.truncated),
            Field::FinishReason => self.claims.take_finish_reason(value),
            Field::Metrics | Field::Scores | Field::Extra => self.set_nested(field, value, fields),
        }
    }

    fn set_attempts(&mut self, first: u16, value: RecordValue<'_>) {
        let count = value.truth().map(|again| f64::from(u8::from(again))).or(value.number());
        if let Some(count) = count.filter(|count| (0.0..1e4).contains(count)) {
            self.attempts = first + count as u16;
        }
    }

    /// Sets the prompt, or the question beside it.
    fn set_prompt(&mut self, rank: u8, value: RecordValue<'_>, fields: &Fields) {
        let origin = HashOrigin::Field(rank);
        if fields.folds_prompts() && self.alike.is_open(origin) {
            set_hash(&mut self.alike, origin, hash_alike(value));
        }
        let hash = || {
            let is_text = rank < FURTHER_PROMPTS;
            if is_text { hash_of(value) } else { messages::prompt(value) }
        };
        if self.prompt.is_open(origin) {
            let before = self.prompt.filled_by.filter(|known| *known != origin);
            let before = before.filter(|known| known.is_question()).and(self.prompt.value);
            self.question = before.or(self.question);
            set_hash(&mut self.prompt, origin, hash());
        } else if origin.is_question() {
            self.question = self.question.or_else(hash);
        }
    }

    fn set_score(&mut self, id: ScoreId, value: RecordValue<'_>, fields: &Fields) {
        let known = fields.metric(id).is_some_and(|metric| metric.known);
        let score = match (value.score(known), value) {
            // In a list of metrics that comes later this field may yet be named.
            (RecordScore::Absent, RecordValue::Composite(_)) => RecordScore::Unusable,
            (score, _) => score,
        };
        if score != RecordScore::Absent {
            self.scores.set(id, score);
        }
    }

    fn set_cluster(&mut self, rank: u8, value: RecordValue<'_>) {
        let Some(hash) = hash_of(whole(value)) else { return };
        self.clusters.retain(|(known, _)| *known != rank);
        self.clusters.push((rank, hash.get()));
    }

    /// Sets the cluster from what lies at a path of names with dots inside an object.
    fn set_cluster_inside(&mut self, path: &str, value: RecordValue<'_>) {
        let RecordValue::Composite(raw) = value else { return };
        // The text was read as JSON once already; a fault cannot come now. A list has no fields.
        let _checked = json::for_each_field(raw, |key, raw| {
            let (mut key_scratch, mut scratch) = (String::new(), String::new());
            match path.strip_prefix(key.name(&mut key_scratch)) {
                Some("") => self.set_cluster(0, raw.value(&mut scratch)),
                Some(rest) => {
                    if let Some(rest) = rest.strip_prefix('.') {
                        self.set_cluster_inside(rest, raw.value(&mut scratch));
                    }
                }
                None => {}
            }
        });
    }

    fn set_hash(&mut self, content: Content, origin: HashOrigin, value: RecordValue<'_>) {
        let slot = match content {
            Content::Prompt => &mut self.prompt,
            Content::Target => &mut self.target,
            Content::Document => &mut self.document,
        };
        let is_target = content == Content::Target;
        set_hash(slot, origin, hash_of(if is_target { whole(value) } else { value }));
    }

    fn set_error_type(&mut self, value: RecordValue<'_>) {
        match value {
            RecordValue::Text(text) if !text.trim().is_empty() => {
                let error_type = RecordErrorType::parse(text);
                self.claims.take_error_type(text, &error_type);
                if error_type == RecordErrorType::API_ERROR {
                    self.failure = RecordFailure::Certain;
                }
                self.error_type = Some(error_type);
            }
            _ => self.error_type_empty = true,
        }
    }

    fn set_error(&mut self, value: RecordValue<'_>) {
        let failed = match value {
            RecordValue::Null => false,
            RecordValue::Bool(failed) => failed,
            RecordValue::Number { value, .. } => value != 0.0,
            RecordValue::Text(text) | RecordValue::Quoted(text) => {
                self.claims.take_message(text);
                !text.trim().is_empty()
            }
            RecordValue::Composite(raw) => !matches!(raw, "{}" | "[]"),
        };
        if failed {
            self.failure = RecordFailure::Certain;
        }
    }

    fn set_status(&mut self, value: RecordValue<'_>) {
        let RecordValue::Text(status) = value else { return };
        let failure = match status.to_ascii_lowercase().as_str() {
            "error" | "errored" | "crashed" => RecordFailure::Certain,
            "failed" | "failure" | "timeout" | "cancelled" => RecordFailure::UnlessScored,
            _ => RecordFailure::None,
        };
        if failure != RecordFailure::None {
            self.claims.take_failure(status);
        }
        if failure == RecordFailure::Certain {
            self.claims.take_failed_status();
        }
        if self.failure != RecordFailure::Certain {
            self.failure = failure;
        }
    }

    fn set_nested(&mut self, field: Field, value: RecordValue<'_>, fields: &mut Fields) {
        let RecordValue::Composite(raw) = value else { return };
        if raw.starts_with('[') {
            if field == Field::Metrics {
                self.listed.set(raw);
            }
            return;
        }
        let mut position = 0;
        // The text was read as JSON once already; a fault cannot come now.
        let _checked = json::for_each_field(raw, |key, raw| {
            let (mut key_scratch, mut scratch) = (String::new(), String::new());
            let key = key.name(&mut key_scratch);
            let inner = if field == Field::Extra {
                Some(fields.inside(key))
                    .filter(|inner| inner.is_coordinate())
                    .unwrap_or(Field::Ignored)
            } else {
                fields.score_at(position, key)
            };
            position += 1;
            self.set_field(inner, raw.value(&mut scratch), fields);
        });
    }

    pub(crate) fn id(&self) -> Option<&str> {
        self.id.get().map(String::as_str)
    }

    pub(crate) fn dataset(&self) -> Option<&str> {
        self.dataset.get().map(String::as_str)
    }

    pub(crate) fn model(&self) -> Option<&str> {
        self.model.get().map(String::as_str)
    }

    /// The content hashes. Names from the weak ones on say what was asked only beside a response.
    pub(crate) fn hashes(&self) -> ContentHashes {
        ContentHashes {
            prompt: self.sure(&self.prompt, WEAK_PROMPTS),
            target: if self.claims.is_predicted() {
                self.target.value
            } else {
                self.sure(&self.target, WEAK_TARGETS)
            },
            document: self.document.value,
        }
    }

    /// The hash of the prompt without regard to case and white space, where it was looked at.
    pub(crate) fn alike(&self) -> Option<ContentHash> {
        self.sure(&self.alike, WEAK_PROMPTS)
    }

    pub(super) fn sure(&self, hash: &RankedHash, weak: u8) -> Option<ContentHash> {
        let is_strong = hash.filled_by < Some(HashOrigin::Field(weak));
        hash.value.filter(|_| is_strong || self.response.filled_by.is_some())
    }

    /// Numbers of the fields that say a cluster, see [`Fields::cluster_name`], and hashes of what
    /// they say.
    pub(crate) fn clusters(&self) -> &[(u8, u64)] {
        &self.clusters
    }

    /// Places of the fields that may be shared, and a number for the value of each.
    pub(crate) fn shared(&self) -> &[(u16, u32)] {
        &self.shared
    }

    /// The number of what stands in a column that may tell runs apart; 0 for nothing.
    pub(super) fn run(&self, place: usize) -> u32 {
        self.runs.get(place).copied().unwrap_or(0)
    }

    /// What went wrong, or that nothing did. An accepted sample with an empty error type succeeded.
    pub(crate) fn error_type(&self, fields: &Fields) -> Option<&RecordErrorType> {
        const SUCCESS: &RecordErrorType = &RecordErrorType::SUCCESS;
        let accepted = || {
            self.scores(fields).any(|(id, score)| {
                score == RecordScore::Finite(1.0)
                    && fields.metric(id).is_some_and(|metric| metric.metric == "accepted_at_1")
            })
        };
        match &self.error_type {
            None if self.error_type_empty && accepted() => Some(SUCCESS),
            found => found.as_ref(),
        }
    }

    /// Whether generation stopped at the length limit, where the record tells.
    pub(crate) fn truncated(&self) -> Option<bool> {
        self.claims.cut()
    }

    /// What the record says of its answer beside the scores.
    pub(crate) fn claims(&self, fields: &Fields) -> RecordClaims {
        let mut claims = self.claims;
        claims.failure = self.failure;
        for (id, score) in self.scores.iter() {
            if let (RecordScore::Finite(value), Some(metric)) = (score, fields.metric(id)) {
                claims.take(metric.role, value);
            }
        }
        claims
    }

    pub(crate) fn response(&self) -> Option<ContentHash> {
        self.response.value
    }

    /// The scores that count, usable or not: those the record lists, else those not excluded.
    pub(crate) fn scores<'a>(
        &'a self,
        fields: &'a Fields,
    ) -> impl Iterator<Item = (ScoreId, RecordScore)> + 'a {
        self.scores.iter().filter(|(id, score)| {
            fields.metric(*id).is_some_and(|metric| {
                if self.listed.present {
                    self.listed.names.contains(&metric.key)
                } else {
                    !metric.only_if_listed && (metric.known || *score != RecordScore::Unusable)
                }
            })
        })
    }

    pub(crate) fn has_score(&self, fields: &Fields) -> bool {
        self.error_type.is_some()
            || self.scores(fields).any(|(_, score)| {
                matches!(score, RecordScore::Finite(_) | RecordScore::Infinite(_))
            })
    }

    /// Whether a metric of the catalogue is NaN: a sample whose scoring failed.
    pub(super) fn has_failed_metric(&self, fields: &Fields) -> bool {
        self.scores(fields).any(|(id, score)| {
            score == RecordScore::NotANumber && fields.metric(id).is_some_and(|metric| metric.known)
        })
    }

    pub(crate) fn status(&self, scored: bool) -> SampleStatus {
        match (self.failure, scored) {
            (RecordFailure::Certain, _) | (RecordFailure::UnlessScored, false) => {
                SampleStatus::Errored
            }
            (_, true) => SampleStatus::Scored,
            (RecordFailure::None, false) => SampleStatus::Unscored,
        }
    }
}

/// Puts a text into a slot; anything else leaves it as it is.
fn set_name(slot: &mut Option<String>, value: RecordValue<'_>) {
    if let RecordValue::Text(name) | RecordValue::Number { text: name, .. } = value {
        *slot = Some(name.to_owned());
    }
}
