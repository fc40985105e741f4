//! Which metric on which dataset decides.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{
    DimValue, Dims, Direction, MetricNames, MetricRole, Run, Series, evaluation_word, shell_word,
};

/// What the user asked for.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Metric, by any of its names.
    pub metric: Option<String>,
    /// Dataset, without regard to ASCII case; empty for figures of which none is named.
    pub dataset: Option<String>,
}

/// A metric on a dataset at coordinates other than the step.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Question {
    pub metric: String,
    /// Dataset, as the run writes it.
    pub dataset: Option<String>,
    pub dims: Dims,
}

/// What checkpoints are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckpointAxis {
    Step,
    Epoch,
}

impl CheckpointAxis {
    /// The name of the coordinate, here and in `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Epoch => "epoch",
        }
    }
}

/// What decides, and how many checkpoints have a figure of it.
#[derive(Debug, Clone)]
pub struct FoundQuestion {
    pub question: Question,
    pub axis: CheckpointAxis,
    pub checkpoints: usize,
}

impl FoundQuestion {
    /// The same question, to be asked again.
    pub fn wanted(&self) -> Wanted {
        let Question { metric, dataset, .. } = self.question.clone();
        Wanted { metric: Some(metric), dataset: Some(dataset.unwrap_or_default()) }
    }
}

/// Why no question decides.
#[derive(Debug)]
pub enum Undecided {
    /// Several could; each as the words that choose it.
    Several(Vec<String>),
    /// None is as was asked, but there are these.
    NoneFits(Vec<String>),
    /// Nobody says which way is good for these metrics.
    NoDirection(Vec<String>),
    /// No figure lies at a checkpoint.
    NoCheckpoints,
}

/// The question that was asked, else what the run's own record of its best checkpoint was chosen
/// by, else the only one that there is, losses left aside where there is a primary metric. Epochs
/// count where nothing that fits has several steps. `None` where nothing fits.
///
/// # Errors
/// When several could decide.
pub fn question(
    run: &Run,
    wanted: &Wanted,
    names: &MetricNames,
) -> Result<Option<FoundQuestion>, Undecided> {
    use CheckpointAxis::{Epoch, Step};
    let mut found = None;
    // What only the record of the best repeats counts where nothing evaluated fits.
    for (axis, with_records) in [(Step, false), (Epoch, false), (Step, true)] {
        let all = all(run, axis, |path| with_records || !is_record(path));
        let Some(question) = decisive(run, &all, wanted, names)? else { continue };
        let checkpoints = all.get(&question).map_or(0, BTreeSet::len);
        let one = FoundQuestion { question, axis, checkpoints };
        if checkpoints > 1 && !(with_records && found.is_some()) {
            return Ok(Some(one));
        }
        found = found.or(Some(one));
    }
    Ok(found)
}

fn decisive(
    run: &Run,
    all: &Checkpoints,
    wanted: &Wanted,
    names: &MetricNames,
) -> Result<Option<Question>, Undecided> {
    let recorded = recorded(run).filter(|_| wanted.metric.is_none() && wanted.dataset.is_none());
    let wanted = recorded
        .filter(|one| all.keys().any(|known| fits(known, one, names)))
        .unwrap_or_else(|| wanted.clone());
    let mut fitting: Vec<&Question> =
        all.keys().filter(|known| fits(known, &wanted, names)).collect();
    let spec = |known: &Question| {
        let stated = run.content.spec(known.dataset.as_deref(), &known.metric);
        names.meaning(&known.metric, stated)
    };
    let is_primary = |known: &&Question| {
        let role = spec(known).and_then(|spec| spec.role);
        role.is_some_and(|given| given.role == MetricRole::Primary)
    };
    if wanted.metric.is_none() && fitting.iter().any(is_primary) {
        // Losses and what has no good side do not rival a primary metric.
        fitting.retain(|known| {
            let is_loss = known.metric.to_ascii_lowercase().contains("loss");
            let has_good_side = spec(known).is_some_and(|spec| spec.has_good_side());
            is_primary(known) || (has_good_side && !is_loss)
        });
    }
    match fitting.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some((*one).clone())),
        several => Err(Undecided::Several(listed(several))),
    }
}

/// Why nothing decides: the logged evaluations of which nobody says which way is good, or what
/// there is instead.
pub fn no_question(run: &Run, wanted: &Wanted, names: &MetricNames) -> Undecided {
    let is_undirected = |series: &&Series| {
        let metric = names.canonical(&series.metric);
        let asked = wanted.metric.as_deref();
        let is_asked = asked.is_none_or(|name| {
            names.canonical(name) == metric || name.eq_ignore_ascii_case(&series.metric)
        });
        let spec = names.meaning(&series.metric, run.content.spec(None, metric));
        let direction = spec.map_or(Direction::Unknown, |spec| spec.direction);
        is_asked && direction == Direction::Unknown && evaluation_word(&series.metric).is_some()
    };
    let undirected = run.content.series.iter().filter(is_undirected);
    let undirected: BTreeSet<String> = undirected.map(|series| series.metric.clone()).collect();
    if !undirected.is_empty() {
        return Undecided::NoDirection(undirected.into_iter().collect());
    }
    let axes = [CheckpointAxis::Step, CheckpointAxis::Epoch];
    let known: Vec<Checkpoints> = axes.map(|axis| all(run, axis, |_| true)).into();
    let known: Vec<&Question> = known.iter().flat_map(BTreeMap::keys).collect();
    match known.as_slice() {
        [] => Undecided::NoCheckpoints,
        known => Undecided::NoneFits(listed(known)),
    }
}

/// Each as the words that choose it.
fn listed(questions: &[&Question]) -> Vec<String> {
    let words = |one: &&Question| {
        let metric = shell_word(&one.metric);
        let is_named = |other: &&Question| other.metric == one.metric && other.dataset.is_some();
        let dataset = questions.iter().any(is_named).then(|| {
            let dataset = one.dataset.as_deref().unwrap_or_default();
            format!(" --dataset {}", shell_word(dataset))
        });
        let dims = (!one.dims.is_empty()).then(|| format!(" ({})", one.dims));
        let [dataset, dims] = [dataset, dims].map(Option::unwrap_or_default);
        format!("`--metric {metric}{dataset}`{dims}")
    };
    questions.iter().map(words).collect()
}

fn fits(known: &Question, wanted: &Wanted, names: &MetricNames) -> bool {
    let metric = wanted.metric.as_deref().is_none_or(|name| {
        names.canonical(name) == known.metric || name.eq_ignore_ascii_case(&known.metric)
    });
    let dataset = wanted.dataset.as_deref().is_none_or(|name| match name {
        "" => known.dataset.is_none(),
        _ => known.dataset.as_deref().is_some_and(|dataset| dataset.eq_ignore_ascii_case(name)),
    });
    metric && dataset
}

/// `summary.datasets.<dataset>.<metric>` of the run's own record.
fn recorded(run: &Run) -> Option<Wanted> {
    let written = run.content.selection.as_ref()?.metric.as_deref()?;
    let named = written.split_once("datasets.").map_or(written, |(_, named)| named);
    let (dataset, metric) = named.rsplit_once('.').map_or((None, named), |(a, b)| (Some(a), b));
    Some(Wanted { metric: Some(metric.to_owned()), dataset: dataset.map(str::to_owned) })
}

/// The step of some coordinates, if they have one that is a number.
pub(super) fn step_of_checkpoint(dims: &Dims) -> Option<f64> {
    dims.get("step").and_then(DimValue::number)
}

/// Whether a path is that of a record of the best checkpoint.
fn is_record(path: &str) -> bool {
    path.rsplit('/').next() == Some("best_checkpoint.json")
}

/// Every question, with the checkpoints that have a figure of it.
type Checkpoints = BTreeMap<Question, BTreeSet<DimValue>>;

/// Every metric and dataset with a figure at some step or epoch in a file of those.
fn all(run: &Run, axis: CheckpointAxis, is_meant: impl Fn(&str) -> bool) -> Checkpoints {
    let mut found = Checkpoints::new();
    let mut add = |metric: &String, dataset: &Option<String>, dims: &Dims| {
        let is_placed = axis == CheckpointAxis::Step || dims.get("step").is_none();
        let place = dims.get(axis.name()).filter(|at| is_placed && at.number().is_some());
        if let Some(place) = place {
            let (metric, dims) = (metric.clone(), dims.without(axis.name()));
            let question = Question { metric, dataset: dataset.clone(), dims };
            found.entry(question).or_default().insert(place.clone());
        }
    };
    for scalar in run.content.scalars.iter().filter(|scalar| is_meant(&scalar.source.path)) {
        add(&scalar.metric, &scalar.dataset, &scalar.dims);
    }
    for table in &run.content.samples {
        for (metric, _) in table.columns() {
            add(metric, &table.dataset, &table.dims);
        }
    }
    found
}

/// Makes epochs the places of the checkpoints, which all else calls steps. What the run knows of its
/// steps is left out.
pub fn count_epochs(run: &mut Run) {
    let placed = |dims: &Dims| {
        let others = dims.without("step").without("epoch");
        match dims.get("epoch").filter(|_| dims.get("step").is_none()) {
            Some(epoch) => others.with("step", epoch.clone()),
            None => others,
        }
    };
    let content = &mut run.content;
    content.scalars.iter_mut().for_each(|scalar| scalar.dims = placed(&scalar.dims));
    content.samples.iter_mut().for_each(|table| table.dims = placed(&table.dims));
    content.series.retain(|series| series.axis == "epoch");
    content.series.iter_mut().for_each(|series| "step".clone_into(&mut series.axis));
    (content.progress, content.selection) = (None, None);
}
