//! What is told while jobs run: lines for people, or one JSON object a line.

use std::io::Write;

use serde_json::{Map, Value};

use crate::cli::args::LogFormat;
use crate::exit::Failure;
use crate::model::without_secrets;
use crate::quantity::Moment;
use crate::render::clean;
use crate::text::Catalogue;

pub(super) struct Log<'a> {
    pub(super) format: LogFormat,
    pub(super) at: Moment,
    pub(super) words: &'static Catalogue,
    pub(super) err: &'a mut dyn Write,
}

impl Log<'_> {
    /// Tells of an event, which is a text below `nightly.log` of the catalogues.
    pub(super) fn say(&mut self, event: &str, facts: &[(&str, &str)]) -> Result<(), Failure> {
        let line = match self.format {
            LogFormat::Text => clean(&self.words.fill(&format!("nightly.log.{event}"), facts)),
            LogFormat::Json => {
                let head = [("time", self.at.to_string()), ("event", event.to_owned())];
                let facts =
                    facts.iter().map(|(name, fact)| (*name, without_secrets(fact).into_owned()));
                let fields = head.into_iter().chain(facts);
                let fields: Map<String, Value> =
                    fields.map(|(name, fact)| (name.to_owned(), fact.into())).collect();
                Value::Object(fields).to_string()
            }
        };
        writeln!(self.err, "{line}").map_err(Failure::standard_output)
    }
}
