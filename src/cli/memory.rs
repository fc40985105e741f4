//! The size within which the memory of a command stays.

use std::io;

use reportgen_memory::LimitError;

use super::Streams;
use super::args::{MemorySize, Reading};
use crate::exit::Failure;
use crate::quantity;
use crate::text::{Catalogue, Lang, Refusal};

/// What holds where nobody asks for another.
const DEFAULT: MemorySize = MemorySize::Percent(50.0);

/// Keeps memory within the size asked for. Where none was and it cannot be kept, nothing is said: that
/// is what a program does.
pub(super) fn keep(reading: &Reading) -> Result<(), Failure> {
    let kept = limit(reading.memory.unwrap_or(DEFAULT))
        .ok_or_else(|| LimitError::Usage(io::ErrorKind::Unsupported.into()))
        .and_then(reportgen_memory::keep_within);
    match kept {
        Err(error) if reading.memory.is_some() => Err(Failure::usage(refusal(error))),
        _ => Ok(()),
    }
}

fn limit(size: MemorySize) -> Option<u64> {
    match size {
        MemorySize::Bytes(bytes) => Some(bytes),
        MemorySize::Percent(percent) => {
            reportgen_memory::available().map(|bytes| (bytes as f64 / 100.0 * percent) as u64)
        }
    }
}

fn refusal(error: LimitError) -> Refusal {
    match error {
        LimitError::System => Refusal::new("refused.memory-system"),
        LimitError::InMemory(path) => {
            Refusal::new("refused.memory-in-memory").with("path", path.display().to_string())
        }
        LimitError::Directory(path, error) => {
            let refusal = Refusal::new("refused.memory-directory").because(error);
            refusal.with("path", path.display().to_string())
        }
        LimitError::Usage(error) => Refusal::new("refused.memory-usage").because(error),
    }
}

/// Says how much had to stay in memory beyond the size, if any.
pub(super) fn say_what_is_beyond(language: impl FnOnce() -> Lang, streams: &mut Streams<'_>) {
    let bytes = reportgen_memory::beyond();
    if bytes > 0 {
        let words = Catalogue::shipped(language());
        let line = words.fill("terminal.memory-beyond", &[("size", quantity::bytes(bytes))]);
        let _unwritable = writeln!(streams.err, "{line}");
    }
}
