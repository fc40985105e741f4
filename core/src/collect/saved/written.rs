//! A run as its file holds it: what is its own, without where it was read from this time.

use std::borrow::Cow;
use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::NAME;
use crate::diag::{Code, Diagnostic, Fact, FindingSubject, Location, Severity};
use crate::model::{
    DataFile, FileRecord, FileUse, Fragment, HashWidth, RowKeys, Run, RunLabel, RunStatus,
};
use crate::quantity::{Quantity, Unit};

#[derive(Serialize, Deserialize)]
pub(super) struct WrittenRun {
    id: String,
    name: String,
    path: String,
    labels: Vec<RunLabel>,
    status: RunStatus,
    /// Path below the run, bytes, and what became of the file.
    files: Vec<(String, u64, WrittenUse)>,
    data_files: Vec<DataFile>,
    asked: RowKeys,
    content: Fragment,
    findings: Vec<WrittenFinding>,
}

impl WrittenRun {
    pub(super) fn new(run: &Run, findings: &[Diagnostic]) -> Self {
        let own = findings.iter().filter(|one| one.subject.run.as_ref() == Some(&run.id));
        let file = |file: &FileRecord| (file.relative.clone(), file.bytes, file.into());
        Self {
            id: run.id.clone(),
            name: run.name.clone(),
            path: run.path.clone(),
            labels: run.labels.clone(),
            status: run.status,
            files: run.files.iter().map(file).collect(),
            data_files: run.data_files.clone(),
            asked: run.asked.clone(),
            content: run.content.clone(),
            findings: own.map(WrittenFinding::from).collect(),
        }
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// The run, and what was noticed of it; `None` where its samples are not whole.
    pub(super) fn into_run(self, width: HashWidth, findings: &mut Vec<Diagnostic>) -> Option<Run> {
        let Self { id, name, path, labels, status, files, data_files, asked, mut content, .. } =
            self;
        let tables = std::mem::take(&mut content.samples).into_iter();
        content.samples = tables.map(|table| table.into_saved(width)).collect::<Option<_>>()?;
        if states_twice(&content) {
            return None;
        }
        findings.extend(self.findings.into_iter().filter_map(WrittenFinding::into_finding));
        let file = |(relative, bytes, used): (String, u64, WrittenUse)| FileRecord {
            relative,
            bytes,
            used: used.into(),
        };
        let files = files.into_iter().map(file).collect();
        let place = path.clone();
        let (input, member) = (0, None);
        Some(Run {
            id,
            name,
            path,
            place,
            input,
            labels,
            member,
            status,
            files,
            data_files,
            asked,
            content,
        })
    }
}

/// Whether a figure or the samples of a dataset stand there twice, which no run that was read has.
fn states_twice(content: &Fragment) -> bool {
    let mut figures = BTreeSet::new();
    let mut tables = BTreeSet::new();
    let mut scalars = content.scalars.iter().map(|one| (&one.metric, &one.dataset, &one.dims));
    let mut samples = content.samples.iter().map(|table| (&table.dataset, &table.dims));
    scalars.any(|key| !figures.insert(key)) || samples.any(|key| !tables.insert(key))
}

/// What became of a file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WrittenUse {
    Read,
    Data,
    Ignored,
    /// Not read although it should have been: too large, or damaged.
    Failed,
}

impl From<&FileRecord> for WrittenUse {
    fn from(file: &FileRecord) -> Self {
        match file.used {
            _ if file.is_unread() => Self::Failed,
            FileUse::DATA => Self::Data,
            FileUse::Read { .. } => Self::Read,
            FileUse::Ignored { .. } | FileUse::Failed => Self::Ignored,
        }
    }
}

impl From<WrittenUse> for FileUse {
    fn from(written: WrittenUse) -> Self {
        match written {
            WrittenUse::Read => Self::Read { reader: NAME },
            WrittenUse::Data => Self::DATA,
            WrittenUse::Ignored => Self::Ignored { reason: "ignored.saved" },
            WrittenUse::Failed => Self::Failed,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct WrittenFinding {
    code: String,
    severity: Severity,
    subject: FindingSubject,
    evidence: IndexMap<String, WrittenFact>,
    location: Option<Location>,
}

impl From<&Diagnostic> for WrittenFinding {
    fn from(finding: &Diagnostic) -> Self {
        let facts = finding.evidence.iter();
        Self {
            code: finding.code.id().to_owned(),
            severity: finding.severity,
            subject: finding.subject.clone(),
            evidence: facts.map(|(name, fact)| (name.to_string(), fact.into())).collect(),
            location: finding.location.clone(),
        }
    }
}

impl WrittenFinding {
    /// The finding; `None` where the program has no such code.
    fn into_finding(self) -> Option<Diagnostic> {
        let code = Code::ALL.iter().copied().find(|code| code.id() == self.code)?;
        let mut finding = Diagnostic::new(code).at(self.location);
        finding.severity = self.severity;
        finding.subject = self.subject;
        let facts = self.evidence.into_iter();
        finding.evidence = facts.map(|(name, fact)| (Cow::Owned(name), fact.into())).collect();
        Some(finding)
    }
}

/// Has findings about a run name it by another id.
pub(super) fn rename(findings: &mut [Diagnostic], before: &str, id: &str) {
    let own = findings.iter_mut().filter(|one| one.subject.run.as_deref() == Some(before));
    for finding in own {
        finding.subject.run = Some(id.to_owned());
        if let Some(fact) =
            finding.evidence.get_mut("run").filter(|fact| fact.to_string() == before)
        {
            *fact = id.into();
        }
    }
}

/// A fact with its type: in reports a count and a size in bytes are both numbers.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WrittenFact {
    Count(u64),
    Number(f64),
    Written(f64, String),
    Quantity(#[serde(with = "WrittenQuantity")] Quantity),
    Shape(Vec<u64>),
    Text(String),
    Named(String, Box<Self>),
    More(u64),
    List(Vec<Self>),
    Unknown,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Quantity", rename_all = "kebab-case")]
enum WrittenQuantity {
    Count(u64),
    Part { count: u64, of: u64 },
    Counts { lowest: u64, highest: u64 },
    Size { n: u64 },
    Figure { value: f64, unit: Unit, decimals: Option<usize> },
    Computed(f64),
    Mean(f64),
    Bytes(u64),
    Magnitude(f64),
}

impl From<&Fact> for WrittenFact {
    fn from(fact: &Fact) -> Self {
        match fact {
            // JSON has no word for other numbers.
            Fact::Number(number) | Fact::Written(number, _) if !number.is_finite() => {
                Self::Text(fact.to_string())
            }
            Fact::Count(count) => Self::Count(*count),
            Fact::Number(number) => Self::Number(*number),
            Fact::Written(number, text) => Self::Written(*number, text.clone()),
            Fact::Quantity(quantity) => Self::Quantity(*quantity),
            Fact::Shape(sizes) => Self::Shape(sizes.clone()),
            Fact::Text(text) => Self::Text(text.clone()),
            Fact::Named { name, value } => Self::Named(name.clone(), Box::new((&**value).into())),
            Fact::More { more } => Self::More(*more),
            Fact::List(items) => Self::List(items.iter().map(Self::from).collect()),
            Fact::Unknown => Self::Unknown,
        }
    }
}

impl From<WrittenFact> for Fact {
    fn from(fact: WrittenFact) -> Self {
        match fact {
            WrittenFact::Count(count) => Self::Count(count),
            WrittenFact::Number(number) => Self::Number(number),
            WrittenFact::Written(number, text) => Self::Written(number, text),
            WrittenFact::Quantity(quantity) => Self::Quantity(quantity),
            WrittenFact::Shape(sizes) => Self::Shape(sizes),
            WrittenFact::Text(text) => Self::Text(text),
            WrittenFact::Named(name, value) => Self::named(name, Self::from(*value)),
            WrittenFact::More(more) => Self::More { more },
            WrittenFact::List(items) => Self::List(items.into_iter().map(Self::from).collect()),
            WrittenFact::Unknown => Self::Unknown,
        }
    }
}
