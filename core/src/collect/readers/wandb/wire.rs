//! The parts of `wandb_internal.proto` that are read, with its field numbers.

use prost::Message;

#[derive(Message)]
pub(super) struct Record {
    #[prost(message, optional, tag = "2")]
    pub(super) history: Option<History>,
    #[prost(message, optional, tag = "3")]
    pub(super) summary: Option<Update>,
    #[prost(message, optional, tag = "5")]
    pub(super) config: Option<Update>,
    #[prost(message, optional, tag = "17")]
    pub(super) run: Option<RunRecord>,
    #[prost(message, optional, tag = "18")]
    pub(super) exit: Option<Exit>,
}

#[derive(Message)]
pub(super) struct History {
    #[prost(message, repeated, tag = "1")]
    pub(super) items: Vec<Item>,
    #[prost(message, optional, tag = "2")]
    pub(super) step: Option<Step>,
}

#[derive(Message)]
pub(super) struct Step {
    #[prost(int64, tag = "1")]
    pub(super) number: i64,
}

/// A change of the summary or of the configuration.
#[derive(Message)]
pub(super) struct Update {
    #[prost(message, repeated, tag = "1")]
    pub(super) set: Vec<Item>,
    #[prost(message, repeated, tag = "2")]
    pub(super) removed: Vec<Item>,
}

#[derive(Message)]
pub(super) struct Item {
    #[prost(string, tag = "1")]
    key: String,
    #[prost(string, repeated, tag = "2")]
    nested: Vec<String>,
    #[prost(string, tag = "16")]
    pub(super) json: String,
}

impl Item {
    /// The key; newer versions write its parts.
    pub(super) fn key(&self) -> String {
        if self.nested.is_empty() { self.key.clone() } else { self.nested.join(".") }
    }
}

#[derive(Message)]
pub(super) struct RunRecord {
    #[prost(message, optional, tag = "4")]
    pub(super) config: Option<Update>,
    #[prost(message, optional, tag = "21")]
    pub(super) git: Option<Git>,
}

#[derive(Message)]
pub(super) struct Git {
    #[prost(string, tag = "2")]
    pub(super) commit: String,
}

#[derive(Message)]
pub(super) struct Exit {
    #[prost(int32, tag = "1")]
    pub(super) code: i32,
}
