//! `[commands]`: how the user evaluates a result that is missing.

use serde::Deserialize;

use super::{ConfigFile, file};
use crate::model::EvalCommand;
use crate::text::Refusal;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct WireCommands {
    /// The command alone, or a table with what it takes each time.
    eval: Option<toml::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WirePriced {
    run: String,
    minutes: Option<f64>,
    cost: Option<f64>,
    minutes_per_sample: Option<f64>,
}

/// The command for a missing result.
///
/// # Errors
/// When it has another form, or a price is negative or no number.
pub(super) fn eval(
    file: Option<&ConfigFile>,
    wire: WireCommands,
) -> Result<Option<EvalCommand>, Refusal> {
    let (Some(file), Some(wire)) = (file, wire.eval) else { return Ok(None) };
    let location = file.location(&["commands", "eval"]);
    let line = location.line.unwrap_or(1) as usize;
    let wire = match wire {
        toml::Value::String(run) => {
            WirePriced { run, minutes: None, cost: None, minutes_per_sample: None }
        }
        table => table.try_into().map_err(|error| file::refused_at(&file.path, line, &error))?,
    };
    for (name, price) in [
        ("minutes", wire.minutes),
        ("cost", wire.cost),
        ("minutes_per_sample", wire.minutes_per_sample),
    ] {
        if let Some(price) = price.filter(|price| !(price.is_finite() && *price >= 0.0)) {
            let refusal = Refusal::new("refused.price").with("path", file.path.as_str());
            let refusal = refusal.with("line", line).with("name", name);
            return Err(refusal.with("value", price));
        }
    }
    Ok(Some(EvalCommand {
        template: wire.run,
        location,
        minutes: wire.minutes,
        cost: wire.cost,
        minutes_per_sample: wire.minutes_per_sample,
    }))
}
