//! Validated choices: what `reportgen.toml` and the command line ask for, merged.
//!
//! Knows no command-line parser and reads no files: texts come in, choices go out. A flag beats
//! the file; the file beats the default.

mod access;
mod commands;
mod config_file;
mod file;
mod fill_names;
mod gates;
mod margins;
mod preset;
mod protocol;
mod readers;
mod shown;

use std::collections::BTreeSet;
use std::path::PathBuf;

use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::de::DeTable;

use crate::diag::{Code, Diagnostic, FindingAcceptance, Location, Warned, nearest_name};
use crate::gate::{DeclaredGate, GateRule};
use crate::model::{
    Access, Asked, Clustering, ConfigValue, DeclaredReader, Direction, EvalCommand, Layout, Margin,
    MetricNames, RunLabel,
};
use crate::stats;
use crate::text::{Catalogue, Catalogues, LANGUAGES, Lang, Refusal};
pub use access::AccessFlags;
use commands::WireCommands;
pub use config_file::ConfigFile;
pub use file::no_layout;
pub use fill_names::FillName;
use gates::WireGate;
use margins::WireMargin;
pub use preset::{PRESETS, Preset};
use protocol::WireSetting;
pub use shown::{SCHEMA, ShownSetting, shown};

/// What the user asked for on the command line; `None` and empty mean "not said".
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// `--lang`.
    pub lang: Option<Lang>,
    /// `--vary`.
    pub vary: Vec<String>,
    /// `--alpha`.
    pub alpha: Option<f64>,
    /// `--power`.
    pub power: Option<f64>,
    /// `--margin METRIC=VALUE`, as written.
    pub margins: Vec<String>,
    /// `--metric`, as written.
    pub primary: Vec<String>,
    /// `--higher` and `--lower`: metrics by the side that is good.
    pub directions: Vec<(String, Direction)>,
    /// `--fail-on`.
    pub fail_on: Vec<GateRule>,
    /// `--accept CODE[:SUBJECT]`, as written.
    pub accept: Vec<String>,
    /// `--cluster`.
    pub cluster: Option<String>,
    /// `--pass-at`.
    pub pass_at: Vec<u32>,
    /// `--anytime`.
    pub anytime: bool,
    /// `--strict`.
    pub strict: bool,
    /// `--noise`, paths and patterns as written.
    pub noise: Vec<String>,
    /// `--by`, `--split`, `--prose`.
    pub layout: Asked,
    pub access: AccessFlags,
    /// `--across`, with the value of the baseline.
    pub across: Option<Across>,
    /// `--pool`.
    pub pool: Vec<String>,
    /// `--where`.
    pub chosen: Vec<RunLabel>,
    /// `--stats`.
    pub counted: Option<PathBuf>,
}

impl Flags {
    /// Metrics by the side that is good.
    pub fn directions(higher: Vec<String>, lower: Vec<String>) -> Vec<(String, Direction)> {
        let higher = higher.into_iter().map(|name| (name, Direction::Higher));
        higher.chain(lower.into_iter().map(|name| (name, Direction::Lower))).collect()
    }
}

/// The column whose values are the arms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Across {
    pub column: String,
    /// The value of the baseline; `None` for the first in the file.
    pub baseline: Option<String>,
}

/// Validated choices.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Language of the report.
    pub lang: Lang,
    /// Keys that are meant to differ.
    pub vary: Vec<String>,
    /// Level and power.
    pub options: stats::Options,
    /// Margins by canonical metric name, in the unit of the difference.
    pub margins: IndexMap<String, Margin>,
    /// Canonical names of the metrics that decide, where the user names them.
    pub primary: Vec<String>,
    /// What words of documents mean to `fill`.
    pub fill: Vec<FillName>,
    /// Names and meanings of metrics: the shipped ones, with the user's over them.
    pub names: MetricNames,
    /// Gates.
    pub fail_on: Vec<GateRule>,
    /// Those that the file declares.
    pub gates: Vec<DeclaredGate>,
    /// Findings that the user answers for, those of the file first, each rule once.
    pub accept: Vec<FindingAcceptance>,
    /// Which field of the samples says the cluster.
    pub clustering: Clustering,
    /// The k of pass@k that are asked for, ascending.
    pub pass_at: Vec<u32>,
    /// Whether verdicts have to hold however often a growing run is looked at.
    pub anytime: bool,
    /// Whether an undecided gate fails.
    pub strict: bool,
    /// Arms by name, each with the patterns of its runs, in the order of the file.
    pub arms: IndexMap<String, Vec<String>>,
    /// Patterns of the runs that repeat the baseline and only tell its noise.
    pub noise: Vec<String>,
    /// The column of one file whose values are the arms.
    pub across: Option<Across>,
    /// Columns that tell no runs of one file apart.
    pub pool: Vec<String>,
    /// Settings of the runs that are meant, where a directory holds several.
    pub chosen: Vec<RunLabel>,
    /// The file of counts that stands for both runs.
    pub counted: Option<PathBuf>,
    /// How the report is laid out.
    pub layout: Layout,
    /// The command for a result that is missing.
    pub eval: Option<EvalCommand>,
    /// What may be read of the runs.
    pub access: Access,
    /// What an evaluation is made with, by setting.
    pub protocol: IndexMap<String, ConfigValue>,
    /// The words of reports.
    pub catalogues: Catalogues,
    /// How files are read that no reader knows.
    pub readers: Vec<DeclaredReader>,
}

impl Settings {
    /// What the user means by an axis: its name in whatever case, or its word in any language.
    pub fn axis(&self, asked: &str, axes: &BTreeSet<&str>) -> String {
        let is_word = |axis: &str| {
            let word = |lang| self.catalogues.of(lang).find(&format!("dim.{axis}"));
            LANGUAGES.iter().copied().filter_map(word).any(|word| word.eq_ignore_ascii_case(asked))
        };
        let exact = axes.get(asked);
        let alike = || axes.iter().find(|axis| axis.eq_ignore_ascii_case(asked));
        let worded = || axes.iter().find(|axis| is_word(axis));
        exact.or_else(alike).or_else(worded).copied().unwrap_or(asked).to_owned()
    }

    /// The words of the report.
    pub fn words(&self) -> &'static Catalogue {
        self.catalogues.of(self.lang)
    }
}

/// One text or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl From<OneOrMany> for Vec<String> {
    fn from(texts: OneOrMany) -> Self {
        match texts {
            OneOrMany::One(text) => vec![text],
            OneOrMany::Many(texts) => texts,
        }
    }
}

#[derive(Deserialize, Default)]
struct WireFile {
    lang: Option<Lang>,
    #[serde(default)]
    vary: Vec<String>,
    alpha: Option<f64>,
    power: Option<f64>,
    #[serde(default)]
    margins: IndexMap<String, WireMargin>,
    primary: Option<OneOrMany>,
    #[serde(default)]
    fail_on: Vec<GateRule>,
    #[serde(default)]
    accept: Vec<String>,
    #[serde(default)]
    arms: IndexMap<String, OneOrMany>,
    cluster: Option<String>,
    #[serde(default)]
    pass_at: Vec<u32>,
    #[serde(default)]
    anytime: bool,
    #[serde(default)]
    strict: bool,
    noise: Option<OneOrMany>,
    pool: Option<OneOrMany>,
    #[serde(default)]
    commands: WireCommands,
    data_root: Option<OneOrMany>,
    #[serde(default)]
    limits: IndexMap<String, u64>,
    /// Read by [`MetricNames::declared_in`].
    metric: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    protocol: IndexMap<String, WireSetting>,
    #[serde(default)]
    gate: IndexMap<String, WireGate>,
    fill: Option<IndexMap<String, String>>,
}

/// Keys of `reportgen.toml`, those of single kinds of reports apart.
const KNOWN: &[&str] = &[
    "lang",
    "vary",
    "alpha",
    "power",
    "margins",
    "primary",
    "fail_on",
    "arms",
    "cluster",
    "pass_at",
    "anytime",
    "strict",
    "noise",
    "by",
    "split",
    "prose",
    "metric",
    "reader",
    "accept",
    "report",
    "commands",
    "data_root",
    "limits",
    "pool",
    "preset",
    "protocol",
    "gate",
    "job",
    "fill",
    "lint",
];

/// Whether a job can have that name, which is that of a directory beside the history.
pub fn can_name_job(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.chars().all(is_plain) && !name.starts_with('.') && name != "history"
}

/// Merges the file with the flags. `tables` are the names of the tables of single kinds of reports,
/// which are read by [`tables()`].
///
/// # Errors
/// When the file does not parse or a choice contradicts itself.
pub fn resolve(
    file: Option<&ConfigFile>,
    flags: &Flags,
    locale: Lang,
    tables: &[&str],
) -> Result<Warned<Settings>, Refusal> {
    let mut warnings = Vec::new();
    let (wire, names) = match file {
        None => (WireFile::default(), MetricNames::default()),
        Some(file) => read_file(file, tables, &mut warnings)?,
    };
    let names = with_directions(file, names, &flags.directions)?;
    let pick = |flag: &Vec<String>, file: Vec<String>| {
        if flag.is_empty() { file } else { flag.clone() }
    };
    let defaults = stats::Options::default();
    let options = stats::Options {
        alpha: share("alpha", flags.alpha.or(wire.alpha).unwrap_or(defaults.alpha))?,
        power: share("power", flags.power.or(wire.power).unwrap_or(defaults.power))?,
    };
    let margins = margins::margins(wire.margins, &flags.margins, &names)?;
    let anytime = flags.anytime || wire.anytime;
    if anytime && !margins.is_empty() {
        return Err(Refusal::new("refused.anytime-margin"));
    }
    let primary = pick(&flags.primary, wire.primary.map(Into::into).unwrap_or_default());
    let mut vary = pick(&flags.vary, wire.vary);
    let across = flags.across.as_ref().map(|across| RunLabel::key(&across.column).to_owned());
    vary.extend(across.filter(|key| !vary.contains(key)));
    let settings = Settings {
        lang: flags.lang.or(wire.lang).unwrap_or(locale),
        vary,
        pool: pick(&flags.pool, wire.pool.map(Into::into).unwrap_or_default()),
        across: flags.across.clone(),
        chosen: flags.chosen.clone(),
        counted: flags.counted.clone(),
        noise: pick(&flags.noise, wire.noise.map(Into::into).unwrap_or_default()),
        options,
        margins,
        primary: primary.iter().map(|name| names.canonical(name.trim()).to_owned()).collect(),
        arms: wire.arms.into_iter().map(|(name, runs)| (name, runs.into())).collect(),
        fail_on: if flags.fail_on.is_empty() { wire.fail_on } else { flags.fail_on.clone() },
        gates: gates::gates(file, wire.gate, &names)?,
        fill: fill_names::fill_names(file, wire.fill)?,
        accept: acceptances(wire.accept.iter().chain(&flags.accept), &names)?,
        clustering: clustering(flags.cluster.as_deref().or(wire.cluster.as_deref()))?,
        pass_at: pass_at(if flags.pass_at.is_empty() {
            wire.pass_at
        } else {
            flags.pass_at.clone()
        })?,
        anytime,
        eval: commands::eval(file, wire.commands)?,
        access: access::access(file, wire.data_root, &wire.limits, &flags.access)?,
        strict: flags.strict || wire.strict,
        layout: Layout::new(flags.layout.clone().or(self::tables(file, tables)?))
            .map_err(no_layout)?,
        protocol: wire.protocol.into_iter().map(|(key, value)| (key, value.into())).collect(),
        catalogues: Catalogues::default(),
        readers: readers::declared(file)?,
        names,
    };
    Ok(Warned::new(settings, warnings))
}

/// What `T` has fields for in `reportgen.toml`; everything else is left alone. Without a file,
/// everything is at its default.
///
/// # Errors
/// When the file does not parse, a value has the wrong type (with line and column), or one of the
/// `tables` is written as a list.
pub fn tables<T: DeserializeOwned + Default>(
    file: Option<&ConfigFile>,
    tables: &[&str],
) -> Result<T, Refusal> {
    let Some(file) = file else { return Ok(T::default()) };
    // A list would be read as the fields in their order.
    let parsed: toml::Table = toml::from_str(file.settings()).unwrap_or_default();
    let is_list = |name: &&&str| parsed.get(**name).is_some_and(toml::Value::is_array);
    if let Some(name) = tables.iter().find(is_list) {
        let refusal = Refusal::new("refused.one-table").with("path", file.path.as_str());
        return Err(refusal.with("name", *name));
    }
    file.read(|text| toml::from_str(text))
        .map_err(|error| file::refused(&file.path, &file.text, &error))
}

fn read_file(
    file: &ConfigFile,
    tables: &[&str],
    warnings: &mut Vec<Diagnostic>,
) -> Result<(WireFile, MetricNames), Refusal> {
    let ConfigFile { path, text, .. } = file;
    let failed = |error: toml::de::Error| file::refused(path, text, &error);
    let table = DeTable::parse(text).map_err(failed)?;
    let table = table.get_ref();
    let known: Vec<&str> = KNOWN.iter().chain(tables).copied().collect();
    for written in table.keys().filter(|key| !known.contains(&&**key.get_ref())) {
        let key: &str = written.get_ref();
        warnings.push(
            Diagnostic::new(Code::UnknownSetting)
                .about_key(key)
                .with("near", nearest_name(key, known.iter().copied()))
                .with("known", known.join(", "))
                .at(Location::line(path.as_str(), file::line(text, written.span().start) as u64)),
        );
    }
    let wire: WireFile = file.read(|text| toml::from_str(text)).map_err(failed)?;
    let names = if wire.metric.is_some() {
        file.read(MetricNames::declared_in)
            .map_err(|error| file::no_metric_names(path, text, error))?
    } else {
        MetricNames::default()
    };
    Ok((wire, names))
}

/// The names with the directions of the command line, each as an entry of its own.
fn with_directions(
    file: Option<&ConfigFile>,
    names: MetricNames,
    directions: &[(String, Direction)],
) -> Result<MetricNames, Refusal> {
    if directions.is_empty() {
        return Ok(names);
    }
    let mut text = file.map_or_else(String::new, |file| file.settings().to_owned());
    for (name, direction) in directions {
        if names.is_declared(name) {
            return Err(Refusal::new("refused.direction-twice").with("name", name.as_str()));
        }
        let shipped = names.get(name).and_then(|spec| spec.direction.sign());
        if shipped.is_some() && shipped != direction.sign() {
            let key = if *direction == Direction::Lower {
                "refused.direction-not-lower"
            } else {
                "refused.direction-not-higher"
            };
            return Err(Refusal::new(key).with("name", name.as_str()));
        }
        let direction = direction.name();
        let name = toml::Value::from(name.trim());
        text.extend([
            "\n[[metric]]\nnames = [",
            &name.to_string(),
            "]\ndirection = \"",
            direction,
            "\"\n",
        ]);
    }
    MetricNames::declared_in(&text).map_err(|_| {
        let twice = directions.iter().map(|(name, _)| name.clone());
        Refusal::new("refused.direction-twice").with("name", twice.collect::<Vec<_>>())
    })
}

fn acceptances<'t>(
    texts: impl Iterator<Item = &'t String>,
    names: &MetricNames,
) -> Result<Vec<FindingAcceptance>, Refusal> {
    let mut rules: Vec<FindingAcceptance> = Vec::new();
    for text in texts {
        let mut rule = FindingAcceptance::parse(text).map_err(file::no_acceptance)?;
        rule.metric = rule.subject.as_deref().map(|subject| names.canonical(subject).to_owned());
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    Ok(rules)
}

fn clustering(name: Option<&str>) -> Result<Clustering, Refusal> {
    match name.map(str::trim) {
        None => Ok(Clustering::Automatic),
        Some("") => Err(Refusal::new("refused.cluster-unnamed")),
        Some(name) => Ok(Clustering::from_name(name)),
    }
}

fn pass_at(mut asked: Vec<u32>) -> Result<Vec<u32>, Refusal> {
    asked.sort_unstable();
    asked.dedup();
    match asked.first() {
        Some(0) => Err(Refusal::new("refused.pass-at")),
        _ => Ok(asked),
    }
}

fn share(name: &'static str, value: f64) -> Result<f64, Refusal> {
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else {
        Err(Refusal::new("refused.share").with("name", name).with("value", value))
    }
}

#[cfg(test)]
mod tests;
