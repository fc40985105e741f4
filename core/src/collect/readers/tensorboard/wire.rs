//! The parts of `TensorBoard`'s messages that are read, with the field numbers of its
//! `event.proto`, `summary.proto`, `tensor.proto` and `plugins/hparams/plugin_data.proto`. A decoder of
//! protocol buffers passes over the fields that are not named.

use std::collections::BTreeMap;

use prost::Message;

#[derive(Message)]
pub(super) struct Event {
    #[prost(int64, tag = "2")]
    pub(super) step: i64,
    #[prost(message, optional, tag = "5")]
    pub(super) summary: Option<Summary>,
}

#[derive(Message)]
pub(super) struct Summary {
    #[prost(message, repeated, tag = "1")]
    pub(super) values: Vec<SummaryValue>,
}

#[derive(Message)]
pub(super) struct SummaryValue {
    #[prost(string, tag = "1")]
    pub(super) tag: String,
    /// Scalars of TensorFlow 1, `PyTorch` and tensorboardX.
    #[prost(float, optional, tag = "2")]
    pub(super) simple: Option<f32>,
    /// Scalars of TensorFlow 2, and texts.
    #[prost(message, optional, tag = "8")]
    pub(super) tensor: Option<Tensor>,
    #[prost(message, optional, tag = "9")]
    metadata: Option<Metadata>,
}

impl SummaryValue {
    /// The plugin that it says it belongs to.
    pub(super) fn plugin(&self) -> Option<&Plugin> {
        self.metadata.as_ref()?.plugin.as_ref()
    }
}

#[derive(Message)]
pub(super) struct Tensor {
    #[prost(int32, tag = "1")]
    kind: i32,
    #[prost(bytes = "vec", tag = "4")]
    content: Vec<u8>,
    #[prost(float, repeated, tag = "5")]
    floats: Vec<f32>,
    #[prost(double, repeated, tag = "6")]
    doubles: Vec<f64>,
    #[prost(bytes = "vec", repeated, tag = "8")]
    strings: Vec<Vec<u8>>,
}

/// `DT_FLOAT` and `DT_DOUBLE` of `types.proto`.
const FLOAT: i32 = 1;
const DOUBLE: i32 = 2;

impl Tensor {
    /// Its only number.
    pub(super) fn scalar(&self) -> Option<f64> {
        match (self.kind, &*self.content, &*self.floats, &*self.doubles) {
            (FLOAT, [], [value], _) => Some(single(*value)),
            (DOUBLE, [], _, [value]) => Some(*value),
            (FLOAT, bytes, ..) => bytes.try_into().ok().map(f32::from_le_bytes).map(single),
            (DOUBLE, bytes, ..) => bytes.try_into().ok().map(f64::from_le_bytes),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        self.strings.first().and_then(|bytes| std::str::from_utf8(bytes).ok())
    }
}

/// A number of single precision as the shortest decimal that means it: 0.1 and not
/// 0.10000000149011612, so that it equals what the same program wrote into a text file.
pub(super) fn single(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

#[derive(Message)]
struct Metadata {
    #[prost(message, optional, tag = "1")]
    plugin: Option<Plugin>,
}

#[derive(Message)]
pub(super) struct Plugin {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(bytes = "vec", tag = "2")]
    pub(super) content: Vec<u8>,
}

/// What the plugin `hparams` keeps of a run.
#[derive(Message)]
pub(super) struct HyperparameterData {
    #[prost(message, optional, tag = "3")]
    pub(super) session: Option<Session>,
}

#[derive(Message)]
pub(super) struct Session {
    #[prost(btree_map = "string, message", tag = "1")]
    pub(super) settings: BTreeMap<String, Setting>,
}

/// `google.protobuf.Value`, as far as hyperparameters can be one.
#[derive(PartialEq, Message)]
pub(super) struct Setting {
    #[prost(double, optional, tag = "2")]
    pub(super) number: Option<f64>,
    #[prost(string, optional, tag = "3")]
    pub(super) text: Option<String>,
    #[prost(bool, optional, tag = "4")]
    pub(super) switch: Option<bool>,
}
