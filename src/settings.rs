//! Validated choices: what `reportgen.toml` and the command line ask for, merged.
//!
//! Knows no command-line parser and reads no files: texts come in, choices go out. A flag beats
//! the file; the file beats the default.

use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::diag::{Acceptance, Code, Diagnostic, Explanation, Location, NotAnAcceptance, Warned};
use crate::gate::Rule;
use crate::model::{
    Asked, Clustering, Layout, Margin, MetricCatalogue, NotALayout, SpecOrigin, canonical_metric,
};
use crate::stats;
use crate::text::{Catalogue, Catalogues, Lang};

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
    /// `--fail-on`.
    pub fail_on: Vec<Rule>,
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
    /// Meanings of metrics declared by the user.
    pub metrics: Option<MetricCatalogue>,
    /// Gates.
    pub fail_on: Vec<Rule>,
    /// Findings that the user answers for, those of the file first, each rule once.
    pub accept: Vec<Acceptance>,
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
    /// How the report is laid out.
    pub layout: Layout,
    /// The words of reports.
    pub catalogues: Catalogues,
}

impl Settings {
    /// The words of the report.
    pub fn words(&self) -> &'static Catalogue {
        self.catalogues.of(self.lang)
    }
}

/// Choices that contradict themselves.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file is not TOML or a value has the wrong type.
    #[error("`{path}`: {message}")]
    File {
        /// Path as given.
        path: String,
        /// What the parser said, with line and column.
        message: String,
    },
    /// A language that there are no words in.
    #[error("lang must be zh or en, got `{name}`")]
    Language {
        /// The name.
        name: String,
    },
    /// A share that is not between 0 and 1.
    #[error("{name} must lie strictly between 0 and 1, got {value}")]
    NotAShare {
        /// Name of the choice.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number of answers below 1.
    #[error("pass_at must be whole numbers from 1 on, got {k}")]
    PassAt {
        /// The number.
        k: u32,
    },
    /// An acceptance of no code, or of no subject.
    #[error(transparent)]
    Accept(#[from] NotAnAcceptance),
    /// A cluster key without a name.
    #[error("cluster must be the name of a field of the samples, auto or none, got an empty text")]
    Cluster,
    /// Axes that contradict themselves.
    #[error(transparent)]
    Layout(#[from] NotALayout),
    /// Margins together with verdicts that hold at any time.
    #[error(
        "anytime and margins do not go together: a margin is judged by an interval, and there is \
         none that may be looked at again and again; leave out --anytime (anytime) or --margin (margins)"
    )]
    AnytimeMargin,
    /// A margin that is not `METRIC=VALUE` with a positive number.
    #[error(
        "margin `{text}` is not METRIC=VALUE with a positive number, for example exact_match=1pp"
    )]
    Margin {
        /// The text.
        text: String,
    },
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
    lang: Option<String>,
    #[serde(default)]
    vary: Vec<String>,
    alpha: Option<f64>,
    power: Option<f64>,
    #[serde(default)]
    margins: IndexMap<String, WireMargin>,
    #[serde(default)]
    fail_on: Vec<Rule>,
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
}

/// `1.0` or `"1pp"`.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a margin is a number above 0 or a text such as \"1pp\"")]
enum WireMargin {
    Number(f64),
    Text(String),
}

impl WireMargin {
    fn read(&self, metric: &str) -> Result<Margin, SettingsError> {
        let (margin, shown) = match self {
            Self::Number(value) => (Margin::plain(*value), value.to_string()),
            Self::Text(text) => (Margin::parse(text), text.clone()),
        };
        margin.ok_or_else(|| SettingsError::Margin { text: format!("{metric}={shown}") })
    }
}

/// Keys of `reportgen.toml`.
const KNOWN: &[&str] = &[
    "lang", "vary", "alpha", "power", "margins", "fail_on", "arms", "cluster", "pass_at",
    "anytime", "strict", "noise", "by", "split", "prose", "metric", "accept", "progress",
    "quality", "phase", "metrics", "best", "report",
];

/// Merges the file (path and text) with the flags.
///
/// # Errors
/// When the file does not parse or a choice contradicts itself.
pub fn resolve(
    file: Option<(&str, &str)>,
    flags: &Flags,
    locale: Lang,
) -> Result<Warned<Settings>, SettingsError> {
    let mut warnings = Vec::new();
    let (wire, metrics) = match file {
        None => (WireFile::default(), None),
        Some((path, text)) => read_file(path, text, &mut warnings)?,
    };
    let pick = |flag: &Vec<String>, file: Vec<String>| {
        if flag.is_empty() { file } else { flag.clone() }
    };
    let defaults = stats::Options::default();
    let options = stats::Options {
        alpha: share("alpha", flags.alpha.or(wire.alpha).unwrap_or(defaults.alpha))?,
        power: share("power", flags.power.or(wire.power).unwrap_or(defaults.power))?,
    };
    let mut margins = IndexMap::new();
    for (metric, margin) in wire.margins {
        margins.insert(canonical_metric(&metric).to_owned(), margin.read(&metric)?);
    }
    for text in &flags.margins {
        let wrong = || SettingsError::Margin { text: text.clone() };
        let (metric, value) = text.rsplit_once('=').ok_or_else(wrong)?;
        let margin = Margin::parse(value).ok_or_else(wrong)?;
        margins.insert(canonical_metric(metric.trim()).to_owned(), margin);
    }
    let anytime = flags.anytime || wire.anytime;
    if anytime && !margins.is_empty() {
        return Err(SettingsError::AnytimeMargin);
    }
    let lang = wire.lang.map(|name| language(&name)).transpose()?;
    let settings = Settings {
        lang: flags.lang.or(lang).unwrap_or(locale),
        vary: pick(&flags.vary, wire.vary),
        noise: pick(&flags.noise, wire.noise.map(Into::into).unwrap_or_default()),
        options,
        margins,
        metrics,
        arms: wire.arms.into_iter().map(|(name, runs)| (name, runs.into())).collect(),
        fail_on: if flags.fail_on.is_empty() { wire.fail_on } else { flags.fail_on.clone() },
        accept: acceptances(wire.accept.iter().chain(&flags.accept))?,
        clustering: clustering(flags.cluster.as_deref().or(wire.cluster.as_deref()))?,
        pass_at: pass_at(if flags.pass_at.is_empty() {
            wire.pass_at
        } else {
            flags.pass_at.clone()
        })?,
        anytime,
        strict: flags.strict || wire.strict,
        layout: Layout::new(flags.layout.clone().or(tables(file)?))?,
        catalogues: Catalogues::default(),
    };
    Ok(Warned::new(settings, warnings))
}

/// What a command says of itself in `reportgen.toml`: `T` has a field for each table that it reads
/// and leaves the others alone. Without a file, everything is at its default.
///
/// # Errors
/// When the file does not parse or a value has the wrong type, with line and column.
pub fn tables<T: DeserializeOwned + Default>(
    file: Option<(&str, &str)>,
) -> Result<T, SettingsError> {
    let Some((path, text)) = file else { return Ok(T::default()) };
    toml::from_str(text).map_err(|error| SettingsError::File {
        path: path.to_owned(),
        message: error.to_string().trim_end().to_owned(),
    })
}

fn read_file(
    path: &str,
    text: &str,
    warnings: &mut Vec<Diagnostic>,
) -> Result<(WireFile, Option<MetricCatalogue>), SettingsError> {
    let failed = |error: toml::de::Error| SettingsError::File {
        path: path.to_owned(),
        message: error.to_string().trim_end().to_owned(),
    };
    let table: toml::Table = toml::from_str(text).map_err(failed)?;
    for key in table.keys().filter(|key| !KNOWN.contains(&key.as_str())) {
        warnings.push(
            Diagnostic::new(Code::UnknownSetting)
                .key(key)
                .with("key", key.as_str())
                .with("known", KNOWN.join(", "))
                .at(Location::file(path)),
        );
    }
    let wire: WireFile = toml::from_str(text).map_err(failed)?;
    let metrics = table
        .contains_key("metric")
        .then(|| MetricCatalogue::parse(text, SpecOrigin::User))
        .transpose()
        .map_err(failed)?;
    Ok((wire, metrics))
}

fn language(name: &str) -> Result<Lang, SettingsError> {
    match name {
        "zh" => Ok(Lang::Zh),
        "en" => Ok(Lang::En),
        other => Err(SettingsError::Language { name: other.to_owned() }),
    }
}

fn acceptances<'t>(
    texts: impl Iterator<Item = &'t String>,
) -> Result<Vec<Acceptance>, SettingsError> {
    let mut rules: Vec<Acceptance> = Vec::new();
    for text in texts {
        let rule = Acceptance::parse(text)?;
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    Ok(rules)
}

fn clustering(name: Option<&str>) -> Result<Clustering, SettingsError> {
    match name.map(str::trim) {
        None => Ok(Clustering::Automatic),
        Some("") => Err(SettingsError::Cluster),
        Some(name) => Ok(Clustering::of_name(name)),
    }
}

fn pass_at(mut asked: Vec<u32>) -> Result<Vec<u32>, SettingsError> {
    asked.sort_unstable();
    asked.dedup();
    match asked.first() {
        Some(0) => Err(SettingsError::PassAt { k: 0 }),
        _ => Ok(asked),
    }
}

fn share(name: &'static str, value: f64) -> Result<f64, SettingsError> {
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else {
        Err(SettingsError::NotAShare { name, value })
    }
}

pub(crate) const EXPLAINED: &[Explanation] = &[Explanation::new(
    Code::UnknownSetting,
    "`reportgen.toml` has a key at its top level that is not known; the known ones are \
         listed. The key is ignored and everything else is used. A known key with a value that \
         it cannot have is an error instead and ends the command with status 2.",
    "A misspelled `margins` or `fail_on` does nothing at all: gates that everybody believes \
         to be active are not, and nobody sees it until a regression has passed them.",
)];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, flags: &Flags) -> Result<Settings, String> {
        resolve(Some(("reportgen.toml", file)), flags, Lang::En)
            .map(|warned| warned.value)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_flag_beats_the_file() {
        let flags = Flags { alpha: Some(0.01), ..Flags::default() };
        let settings = check("alpha = 0.1\nlang = \"zh\"", &flags).expect("valid");
        assert_eq!(settings.options.alpha, 0.01);
        assert_eq!(settings.lang, Lang::Zh);
    }

    #[test]
    fn clusters_are_chosen_by_a_field_by_nobody_or_by_the_program() {
        let cluster = |name: &str| Flags { cluster: Some(name.to_owned()), ..Flags::default() };
        for (flags, expected) in [
            (Flags::default(), Clustering::Key("page".to_owned())),
            (cluster("doc.page"), Clustering::Key("doc.page".to_owned())),
            (cluster("none"), Clustering::Off),
            (cluster("auto"), Clustering::Automatic),
        ] {
            let settings = check("cluster = \"page\"\npass_at = [8, 1, 8]", &flags).expect("valid");
            assert_eq!((settings.clustering, settings.pass_at), (expected, vec![1, 8]));
        }
    }

    #[test]
    fn margins_find_their_metric_by_alias() {
        let flags = Flags { margins: vec!["accepted@1=2".to_owned()], ..Flags::default() };
        let settings = check("", &flags).expect("valid");
        assert_eq!(settings.margins.get("accepted_at_1"), Margin::plain(2.0).as_ref());
        let settings = check("[margins]\nwer = 1\n\"accepted@1\" = \"2pp\"", &Flags::default());
        let margins = settings.expect("valid").margins;
        assert_eq!(margins.get("accepted_at_1"), Margin::parse("2 %").as_ref());
        assert_eq!(margins.get("wer"), Margin::plain(1.0).as_ref());
    }

    #[test]
    fn impossible_choices_are_refused_with_what_to_do() {
        let margin = |text: &str| Flags { margins: vec![text.to_owned()], ..Flags::default() };
        for (file, flags, expected) in [
            ("alpha = 1.5", Flags::default(), "alpha must lie strictly between 0 and 1, got 1.5"),
            ("", margin("acc"), "margin `acc` is not METRIC=VALUE"),
            ("", margin("acc=-1"), "margin `acc=-1` is not METRIC=VALUE"),
            (
                "pass_at = [4, 0]",
                Flags::default(),
                "pass_at must be whole numbers from 1 on, got 0",
            ),
            ("cluster = \" \"", Flags::default(), "cluster must be the name of a field"),
            (
                "anytime = true\n[margins]\nacc = 5",
                Flags::default(),
                "anytime and margins do not go together",
            ),
            ("anytime = true", margin("acc=5"), "anytime and margins do not go together"),
            (
                "margins = { acc = 5 }",
                Flags { anytime: true, ..Flags::default() },
                "anytime and margins do not go together",
            ),
            ("by = [\"a\"]\nsplit = \"a\"", Flags::default(), "by and split name the axis `a` 2"),
            (
                "strict = true\nby = 3",
                Flags::default(),
                "`reportgen.toml`: TOML parse error at line 2",
            ),
            ("", margin("acc=0"), "margin `acc=0` is not METRIC=VALUE"),
            ("", margin("acc=nan"), "margin `acc=nan` is not METRIC=VALUE"),
            ("[margins]\nacc = -0.5", Flags::default(), "margin `acc=-0.5` is not METRIC=VALUE"),
            ("accept = [\"R99\"]", Flags::default(), "accept `R99`: no finding has the code `R99`"),
            ("lang = \"fr\"", Flags::default(), "lang must be zh or en, got `fr`"),
            ("alpha = \"a\"", Flags::default(), "`reportgen.toml`: TOML parse error at line 1"),
            (
                "[margins]\nacc = true",
                Flags::default(),
                "`reportgen.toml`: TOML parse error at line 2",
            ),
        ] {
            let error = check(file, &flags).expect_err(file);
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn arms_keep_the_order_of_the_file_and_take_one_pattern_or_several() {
        let file = "[arms]\ntuned = \"runs/tuned*\"\nbase = [\"a\", \"b\"]";
        let arms = check(file, &Flags::default()).expect("valid").arms;
        let arms: Vec<(&str, usize)> =
            arms.iter().map(|(name, runs)| (name.as_str(), runs.len())).collect();
        assert_eq!(arms, [("tuned", 1), ("base", 2)]);
    }

    #[test]
    fn acceptances_of_the_command_line_join_those_of_the_file() {
        let flags =
            Flags { accept: vec!["r213".to_owned(), "R201:seed".to_owned()], ..Flags::default() };
        let settings = check("accept = [\"R201:seed\", \"R103\"]", &flags).expect("valid");
        let rules: Vec<String> = settings.accept.iter().map(ToString::to_string).collect();
        assert_eq!(rules, ["R201:seed", "R103", "R213"]);
    }

    #[test]
    fn runs_that_tell_the_noise_are_one_pattern_or_several_and_a_flag_beats_them() {
        let noise = |file: &str, flags: &Flags| check(file, flags).expect("valid").noise;
        assert_eq!(noise("noise = \"runs/base-*\"", &Flags::default()), ["runs/base-*"]);
        assert_eq!(noise("noise = [\"a\", \"b\"]", &Flags::default()), ["a", "b"]);
        let flags = Flags { noise: vec!["c".to_owned()], ..Flags::default() };
        assert_eq!(noise("noise = [\"a\", \"b\"]", &flags), ["c"]);
    }

    #[test]
    fn an_unknown_key_is_reported_and_the_rest_is_kept() {
        let resolved =
            resolve(Some(("r.toml", "alhpa = 0.1\npower = 0.9")), &Flags::default(), Lang::En)
                .expect("valid");
        assert_eq!(resolved.value.options.power, 0.9);
        assert_eq!(resolved.diagnostics.len(), 1);
        assert_eq!(resolved.diagnostics[0].code, Code::UnknownSetting);
    }

    #[test]
    fn a_user_can_declare_a_metric() {
        let file =
            "[[metric]]\nnames = [\"my_score\"]\ndirection = \"higher\"\nunit = \"fraction\"";
        let settings = check(file, &Flags::default()).expect("valid");
        let metrics = settings.metrics.expect("declared");
        assert_eq!(metrics.get("my_score").map(|spec| spec.origin), Some(SpecOrigin::User));
    }
}
