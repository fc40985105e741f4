//! `[job.NAME]` of `reportgen.toml`.

use indexmap::IndexMap;
use serde::Deserialize;
use toml::Value;
use xxhash_rust::xxh3::xxh3_64;

use crate::model::RunLabel;
use crate::quantity::TimeOfDay;
use crate::settings::{self, ConfigFile};
use crate::text::Refusal;

/// A job, its settings checked.
#[derive(Debug, Clone)]
pub struct Job {
    pub name: String,
    /// Patterns below the root.
    pub runs: Vec<String>,
    /// Settings that a run must have.
    pub chosen: Vec<RunLabel>,
    pub baseline: BaselineChoice,
    /// Metrics that decide, where the job names some.
    pub metrics: Vec<String>,
    /// When a run of a night has to be complete; `None` where none is expected.
    pub due: Option<TimeOfDay>,
    /// The file that a producer writes last; where it is named, a run without it is not complete.
    pub marker: Option<String>,
    pub keep: Keep,
    /// What the comparison is told beside, as words of its command line.
    pub words: Vec<String>,
    /// A digest of all settings.
    pub settings: String,
}

impl Job {
    /// Names of its own gates.
    pub fn gates(&self) -> impl Iterator<Item = &str> {
        self.words.iter().filter_map(|word| word.strip_prefix("--fail-on="))
    }
}

/// What the runs of a night are compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BaselineChoice {
    /// The last run of an earlier night.
    Previous,
    /// The run with the best figure so far of the job's first metric.
    Best,
    /// The run that somebody accepted last.
    Accepted,
    /// A run by its name or path.
    Named(String),
}

/// Which reports are kept; `None` for all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keep {
    /// Those of so many nights before the last one.
    pub nights: Option<u32>,
    /// So many of them.
    pub reports: Option<u32>,
}

/// Settings of a job, those of its comparisons apart.
const OWN: [&str; 6] = ["runs", "where", "baseline", "due", "marker", "keep"];
/// What the job itself decides of a comparison.
const DECIDED: [&str; 4] = ["arm", "across", "baseline", "where"];

#[derive(Debug, Default, Deserialize)]
struct File {
    #[serde(default)]
    job: IndexMap<String, toml::Table>,
}

/// The jobs of a file; with `names` those alone, in the order of the file. `flags` are those of a
/// comparison, without dashes.
///
/// # Errors
/// When there is no such job, or a setting of one cannot be used.
pub fn jobs(file: &ConfigFile, names: &[String], flags: &[String]) -> Result<Vec<Job>, Refusal> {
    let declared: File = settings::tables(Some(file), &[])?;
    if declared.job.is_empty() {
        return Err(Refusal::new("refused.no-jobs").with("path", file.path.as_str()));
    }
    if let Some(name) = names.iter().find(|name| !declared.job.contains_key(*name)) {
        let refusal = Refusal::new("refused.no-job").with("path", file.path.as_str());
        return Err(refusal.with("name", name.as_str()).among(name, declared.job.keys()));
    }
    let asked = declared.job.iter().filter(|(name, _)| names.is_empty() || names.contains(name));
    asked.map(|(name, table)| Settings { file, name, table }.job(flags)).collect()
}

struct Settings<'a> {
    file: &'a ConfigFile,
    name: &'a str,
    table: &'a toml::Table,
}

impl Settings<'_> {
    fn job(&self, flags: &[String]) -> Result<Job, Refusal> {
        if !settings::can_name_job(self.name) {
            return Err(self.refused("refused.job-name", "runs"));
        }
        let runs = self.texts("runs")?;
        if runs.is_empty() {
            return Err(self.refused("refused.job-runs", "runs"));
        }
        let metrics = self.texts("metric")?;
        let baseline = match self.text("baseline")?.as_deref() {
            None | Some("previous") => BaselineChoice::Previous,
            Some("best") if metrics.is_empty() => {
                return Err(self.refused("refused.job-best", "baseline"));
            }
            Some("best") => BaselineChoice::Best,
            Some("accepted") => BaselineChoice::Accepted,
            Some(name) => BaselineChoice::Named(name.to_owned()),
        };
        let due = self.text("due")?.map(|text| text.parse()).transpose();
        let due = due.map_err(|()| self.unusable("due", "\"06:00\", \"06:00+08:00\""))?;
        let keep =
            self.table.get("keep").cloned().unwrap_or_else(|| Value::Table(toml::Table::new()));
        let keep =
            keep.try_into().map_err(|_| self.unusable("keep", "{ nights = 90, reports = 60 }"));
        let written = toml::to_string(self.table).unwrap_or_default();
        Ok(Job {
            name: self.name.to_owned(),
            runs,
            chosen: self.chosen()?,
            baseline,
            metrics,
            due,
            marker: self.text("marker")?,
            keep: keep?,
            words: self.words(flags)?,
            settings: format!("{:016x}", xxh3_64(written.as_bytes())),
        })
    }

    /// The settings of the comparison as flags: a list repeats its flag, a table is `NAME=VALUE`.
    fn words(&self, flags: &[String]) -> Result<Vec<String>, Refusal> {
        let known: Vec<&String> =
            flags.iter().filter(|flag| !DECIDED.contains(&flag.as_str())).collect();
        let mut words = Vec::new();
        for (key, value) in self.table.iter().filter(|(key, _)| !OWN.contains(&key.as_str())) {
            let flag = key.replace('_', "-");
            if !known.iter().any(|known| **known == flag) {
                let all = OWN.iter().copied().chain(known.iter().map(|known| known.as_str()));
                return Err(self.refused("refused.job-key", key).among(key, all));
            }
            let mut say = |value: &Value, name: Option<&str>| match plain(value) {
                Some(text) => {
                    let name = name.map(|name| [name, "="].concat()).unwrap_or_default();
                    words.push(format!("--{flag}={name}{text}"));
                    Ok(())
                }
                None => Err(self.unusable(key, "\"text\", 5, true, [\"a\", \"b\"], { a = 1 }")),
            };
            match value {
                Value::Boolean(false) => {}
                Value::Boolean(true) => words.push(format!("--{flag}")),
                Value::Array(values) => values.iter().try_for_each(|value| say(value, None))?,
                Value::Table(values) => {
                    values.iter().try_for_each(|(name, value)| say(value, Some(name)))?;
                }
                value => say(value, None)?,
            }
        }
        Ok(words)
    }

    fn chosen(&self) -> Result<Vec<RunLabel>, Refusal> {
        let label = |text: &String| {
            let (column, value) = text.split_once('=')?;
            Some(RunLabel { column: column.trim().to_owned(), value: value.trim().to_owned() })
        };
        let labels = self.texts("where")?.iter().map(label).collect::<Option<Vec<_>>>();
        labels.ok_or_else(|| self.unusable("where", "[\"lr=1e-3\"]"))
    }

    fn text(&self, key: &str) -> Result<Option<String>, Refusal> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.clone())),
            Some(_) => Err(self.unusable(key, "\"text\"")),
        }
    }

    /// One text or several.
    fn texts(&self, key: &str) -> Result<Vec<String>, Refusal> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let texts = match self.table.get(key) {
            None => Some(Vec::new()),
            Some(Value::Array(values)) => values.iter().map(text).collect(),
            Some(value) => text(value).map(|text| vec![text]),
        };
        texts.ok_or_else(|| self.unusable(key, "\"a\", [\"a\", \"b\"]"))
    }

    fn unusable(&self, key: &str, example: &str) -> Refusal {
        self.refused("refused.job-value", key).with("example", example)
    }

    /// With the place of a key, or of the job where it has none.
    fn refused(&self, why: &'static str, key: &str) -> Refusal {
        let has_key = self.table.contains_key(key);
        let keys = ["job", self.name, key];
        let at = self.file.location(if has_key { &keys } else { &keys[..2] });
        let refusal = Refusal::new(why).with("place", at.to_string()).with("job", self.name);
        refusal.with("key", key)
    }
}

/// The text of a value that stands alone.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is made of a file with one job, or why it is refused.
    fn check(settings: &str) -> Result<Job, String> {
        let text = format!("alpha = 0.05\n[job.main]\n{settings}\n");
        let file = ConfigFile::new("reportgen.toml".to_owned(), text, None).expect("a file");
        let flags = ["metric", "fail-on", "margin", "strict", "arm"].map(str::to_owned);
        let found = jobs(&file, &[], &flags).map_err(|refusal| refusal.to_string());
        found.map(|mut jobs| jobs.remove(0))
    }

    #[test]
    fn what_a_job_does_not_decide_itself_is_a_flag_of_its_comparisons() {
        let job = check(
            "runs = 'runs/*'\nmetric = ['accuracy', 'f1']\nfail_on = 'regression'\nstrict = true\n\
             margin = { accuracy = '1pp', f1 = 2 }\ndue = '06:00+08:00'\nkeep = { nights = 90 }",
        );
        let job = job.expect("a job");
        assert_eq!(
            job.words,
            [
                "--metric=accuracy",
                "--metric=f1",
                "--fail-on=regression",
                "--strict",
                "--margin=accuracy=1pp",
                "--margin=f1=2"
            ]
        );
        assert_eq!((job.baseline, job.keep.nights), (BaselineChoice::Previous, Some(90)));
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_its_line() {
        for (settings, expected) in [
            ("", "reportgen.toml:2: job `main` has no `runs`"),
            ("runs = 5", "reportgen.toml:3: job `main`: `runs` cannot be used; write it as"),
            ("runs = 'a'\nfail-om = 'x'", "reportgen.toml:4: `fail-om` is no setting of a job"),
            ("runs = 'a'\narm = 'x=y'", "reportgen.toml:4: `arm` is no setting of a job"),
            ("runs = 'a'\ndue = '6'", "reportgen.toml:4: job `main`: `due` cannot be used"),
            ("runs = 'a'\nkeep = { night = 1 }", "reportgen.toml:4: job `main`: `keep` cannot"),
            ("runs = 'a'\nwhere = 'lr'", "reportgen.toml:4: job `main`: `where` cannot be used"),
            ("runs = 'a'\nbaseline = 'best'", "reportgen.toml:4: job `main`: the best run so far"),
        ] {
            let refused = check(settings).expect_err(expected);
            assert!(refused.starts_with(expected), "{refused}");
        }
    }
}
