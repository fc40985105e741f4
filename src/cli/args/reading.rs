//! What may be read of the runs: arguments of every command that reads some.

use std::path::PathBuf;

use crate::model::Limits;
use crate::settings::{AccessFlags, Flags};
use crate::text::Lang;

/// How far runs may reach, and how much of them is read.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Reading")]
pub(in crate::cli) struct Reading {
    /// Directory that runs may name data files in or link to, repeatable [default: the run, data/
    /// beside it, the current directory]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) data_root: Vec<PathBuf>,
    #[arg(long, value_name = "NAME=NUMBER", value_parser = limit, help = limit_help())]
    pub(in crate::cli) limit: Vec<(String, u64)>,
    /// Memory within which this stays, as 4G, 500M or 25% of what there is; what is beyond it lies in
    /// files in TMPDIR (/var/tmp without), on Linux [default: 50%]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub(in crate::cli) memory: Option<MemorySize>,
    /// Runs made by strangers: follow no links, read nothing outside the runs and --data-root, low
    /// limits, and no reportgen.toml but that of --config
    #[arg(long)]
    pub(in crate::cli) untrusted: bool,
}

/// An amount of memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::cli) enum MemorySize {
    Bytes(u64),
    /// Percent of what there is.
    Percent(f64),
}

/// How a command that only looks at runs reads them.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct RunInspection {
    /// Sample field that defines clusters, as for compare [default: auto]
    #[arg(long, value_name = "KEY")]
    pub(in crate::cli) cluster: Option<String>,
    /// Configuration file [default: reportgen.toml in the current directory, if any]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) config: Option<PathBuf>,
    /// Output language [default: from the locale, else en]
    #[arg(long, value_enum)]
    pub(in crate::cli) lang: Option<Lang>,
    #[command(flatten)]
    pub(in crate::cli) reading: Reading,
}

impl RunInspection {
    /// As flags over a configuration file.
    pub(in crate::cli) fn flags(&self) -> Flags {
        Flags {
            lang: self.lang,
            cluster: self.cluster.clone(),
            access: self.reading.flags(),
            ..Flags::default()
        }
    }
}

impl Reading {
    /// As flags over a configuration file.
    pub(in crate::cli) fn flags(&self) -> AccessFlags {
        AccessFlags {
            data_roots: self.data_root.clone(),
            limits: self.limit.clone(),
            untrusted: self.untrusted,
        }
    }
}

fn limit_help() -> String {
    let Limits { files, depth, document_mib, line_mib, .. } = Limits::default();
    let Limits { records, lines, figures, keys, metrics, inflation, fetched_mib, .. } =
        Limits::default();
    format!(
        "Limit of what is read of a run, repeatable: files={files}, depth={depth}, \
         document-mib={document_mib}, line-mib={line_mib}, figures={figures}, keys={keys}; of one \
         file: records={records}, metrics={metrics}, lines={lines} of a log, inflation={inflation} \
         times its compressed size; of a run in an object store or on the Hugging Face Hub: fetched-mib={fetched_mib}"
    )
}

/// A name and a number; whether the limit is known is said with the configuration.
fn limit(text: &str) -> Result<(String, u64), String> {
    let form = || Limits::NAMES.map(|name| format!("{name}=NUMBER")).join(", ");
    let (name, number) = text.split_once('=').ok_or_else(|| format!("write {}", form()))?;
    match number.trim().replace(['_', ','], "").parse() {
        Ok(number) if number > 0 => Ok((name.to_owned(), number)),
        _ => Err(format!("`{number}` is no whole number above 0")),
    }
}

/// `4G`, `1.5GiB`, `500 MB` and the like, in powers of 1,024, or `25%`.
fn memory(text: &str) -> Result<MemorySize, String> {
    let form = || format!("`{text}` is no amount of memory; write for example 4G, 500M or 25%");
    let unit = text.trim().trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
    let number = text.trim().strip_suffix(unit).and_then(|number| number.parse::<f64>().ok());
    let number = number.filter(|number| *number > 0.0).ok_or_else(form)?;
    let power = match unit.trim().to_ascii_lowercase().as_str() {
        "%" if number <= 100.0 => return Ok(MemorySize::Percent(number)),
        "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return Err(form()),
    };
    Ok(MemorySize::Bytes((number * 1_024_f64.powi(power)) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_of_memory_has_a_unit() {
        let check = |text: &str, expected: Option<MemorySize>| {
            assert_eq!(memory(text).ok(), expected, "{text}");
        };
        let bytes = |bytes| Some(MemorySize::Bytes(bytes));
        check("4G", bytes(4 << 30));
        check("1.5GiB", bytes(3 << 29));
        check("500 mb", bytes(500 << 20));
        check("64k", bytes(64 << 10));
        check("1048576B", bytes(1 << 20));
        check("2T", bytes(2 << 40));
        check("25%", Some(MemorySize::Percent(25.0)));
        for none in ["", "4", "G", "-1G", "0G", "101%", "4X", "1.2.3G", "nan%", "infG", "1e3M"] {
            check(none, None);
        }
    }
}
