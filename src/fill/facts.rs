//! What the runs say: each figure of each arm, and how two arms differ.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::compare::{Comparison, Verdict, VerdictReason};
use crate::model::{ConfigValue, Dims, Measured, MetricSpec, Source, leaf};
use crate::pairing::{ArmPair, CellPair, PairArm, PairSide};
use crate::quantity::Unit;
use crate::stats::Moments;
use crate::text::Refusal;

#[derive(Debug, Default, Clone)]
pub struct Facts {
    pub(super) arms: Vec<ArmFacts>,
    pub(super) figures: Vec<RunFigure>,
    pub(super) differences: Vec<Difference>,
    /// Whether figures were taken for percentages because others of their file are above 1.
    pub(super) guesses_percent: bool,
    /// An arm of several runs, of which each has a figure of its own, and how many these are.
    pub(super) of_several: Option<(String, usize)>,
}

/// One arm, and by what a document may call it.
#[derive(Debug, Clone)]
pub(super) struct ArmFacts {
    pub(super) name: String,
    pub(super) settings: Vec<(String, ConfigValue)>,
}

/// What a figure is of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    pub metric: String,
    pub dataset: Option<String>,
    pub dims: Dims,
}

#[derive(Debug, Clone)]
pub(super) struct RunFigure {
    pub(super) arm: usize,
    pub(super) point: Point,
    /// In its unit.
    pub(super) value: Measured,
    pub(super) unit: Unit,
    /// 1 or −1 for the good side, 0 where there is none.
    pub(super) good_side: f64,
    /// Samples behind it, where they are known.
    pub(super) n: Option<u64>,
    /// How many of these are right, where each is right or wrong.
    pub(super) right: Option<u64>,
    /// Its standard error, in its unit.
    pub(super) stderr: Option<f64>,
    /// File, line and key.
    pub(super) source: String,
}

/// Second arm − first in the unit of the figures, over what both have.
#[derive(Debug, Clone)]
pub(super) struct Difference {
    pub(super) arms: [usize; 2],
    pub(super) point: Point,
    pub(super) delta: f64,
    pub(super) verdict: Verdict,
    pub(super) reason: Option<VerdictReason>,
}

impl Facts {
    /// The facts of arms that were set against the first of them.
    pub fn of_pairs<'a>(
        pairs: impl Iterator<Item = (&'a ArmPair<'a>, &'a [Comparison<'a>])>,
    ) -> Self {
        let mut facts = Self::default();
        for (candidate, (pair, comparisons)) in (1..).zip(pairs) {
            if candidate == 1 {
                facts.add_arm(pair, PairArm::Baseline, 0);
            }
            facts.add_arm(pair, PairArm::Candidate, candidate);
            let differences = comparisons.iter().filter_map(|comparison| {
                Some(Difference {
                    arms: [0, candidate],
                    point: point(comparison.cell),
                    // Differences of shares are percentage points there.
                    delta: comparison.delta.filter(|delta| delta.is_finite())?
                        / comparison.cell.spec.unit.shown_scale(),
                    verdict: comparison.verdict,
                    reason: comparison.reason,
                })
            });
            facts.differences.extend(differences);
        }
        facts
    }

    /// The facts of a run that stands alone.
    pub fn of_one(pair: &ArmPair<'_>, name: Option<&str>) -> Self {
        let mut facts = Self::default();
        facts.add_arm(pair, PairArm::Baseline, 0);
        if let (Some(arm), Some(name)) = (facts.arms.first_mut(), name) {
            name.clone_into(&mut arm.name);
        }
        facts
    }

    /// Whether each arm is one run, and has a name of its own.
    ///
    /// # Errors
    /// Says of which it is not so.
    pub fn of_single_runs(&self) -> Result<(), Refusal> {
        if let Some((name, count)) = &self.of_several {
            let refusal = Refusal::new("fill.several-runs").with("name", name.as_str());
            return Err(refusal.with("count", *count));
        }
        for (at, arm) in self.arms.iter().enumerate() {
            if self.arms.iter().skip(at + 1).any(|other| other.name == arm.name) {
                return Err(Refusal::new("fill.one-name").with("name", arm.name.as_str()));
            }
        }
        Ok(())
    }

    /// The same with a run that has no results yet, at its place among the runs.
    #[must_use]
    pub fn with_absent(mut self, position: usize, name: &str) -> Self {
        let moved = |arm: &mut usize| *arm += usize::from(*arm >= position);
        self.figures.iter_mut().for_each(|figure| moved(&mut figure.arm));
        self.differences.iter_mut().flat_map(|one| &mut one.arms).for_each(moved);
        let absent = ArmFacts { name: name.to_owned(), settings: Vec::new() };
        self.arms.insert(position.min(self.arms.len()), absent);
        self
    }

    /// The same where figures were, or were not, taken for percentages because others of their file are
    /// above 1.
    #[must_use]
    pub fn guessing_percent(self, guesses_percent: bool) -> Self {
        Self { guesses_percent, ..self }
    }

    fn add_arm(&mut self, pair: &ArmPair<'_>, which: PairArm, arm: usize) {
        let run = pair.run(which);
        if !pair.members(which).is_empty() {
            let several = (pair.name(which).to_owned(), pair.runs(which).count());
            self.of_several.get_or_insert(several);
        }
        let settings = run.content.config.iter();
        let settings = settings.map(|(key, entry)| (key.to_owned(), entry.value.clone()));
        self.arms
            .push(ArmFacts { name: pair.name(which).to_owned(), settings: settings.collect() });
        let figures = pair.cells.iter().map(|cell| {
            let side = cell.side(which);
            let source = side.source(&cell.key.metric);
            RunFigure {
                arm,
                point: point(cell),
                value: side.value(),
                unit: cell.spec.unit,
                good_side: cell.spec.direction.sign().unwrap_or_default(),
                n: side.n(),
                right: right(side, &cell.spec),
                stderr: stderr(side),
                source: source.map(|source| stands_at(&source)).unwrap_or_default(),
            }
        });
        self.figures.extend(figures);
    }

    /// What every figure is of whose metric has a good side, in their order.
    pub fn judged_points(&self) -> impl Iterator<Item = &Point> {
        let judged = self.figures.iter().filter(|figure| figure.good_side != 0.0);
        judged.map(|figure| &figure.point)
    }

    /// The same with these metrics as shares.
    pub(super) fn reading_as_shares(&self, metrics: &BTreeSet<String>) -> Cow<'_, Self> {
        if metrics.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut read = self.clone();
        for figure in read.figures.iter_mut().filter(|one| metrics.contains(&one.point.metric)) {
            figure.unit = Unit::Fraction;
        }
        Cow::Owned(read)
    }

    /// Whether a figure may be a share that was taken for a percentage.
    pub(super) fn is_guessed(&self, figure: &RunFigure) -> bool {
        let shown = figure.value.value().map(|value| value.abs() * figure.unit.shown_scale());
        let is_small = shown.is_some_and(|shown| shown != 0.0 && shown <= 1.0);
        self.guesses_percent && figure.unit.is_rate() && is_small
    }

    /// The difference of two arms there, second − first, with its verdict.
    pub(super) fn difference(&self, arms: [usize; 2], point: &Point) -> Option<(f64, &Difference)> {
        let [first, second] = arms;
        self.differences.iter().find_map(|difference| {
            let sign = match difference.arms {
                asked if asked == arms => 1.0,
                asked if asked == [second, first] => -1.0,
                _ => return None,
            };
            (difference.point == *point).then_some((sign * difference.delta, difference))
        })
    }

    pub(super) fn figure(&self, arm: usize, point: &Point) -> Option<&RunFigure> {
        self.figures.iter().find(|figure| figure.arm == arm && figure.point == *point)
    }

    /// The name of an arm that is a file, without its extension, where no other is called so.
    pub(super) fn stem(&self, arm: usize) -> Option<&str> {
        let stem = stem(&self.arms.get(arm)?.name)?;
        let is_called =
            |other: &&ArmFacts| other.name == stem || self::stem(&other.name) == Some(stem);
        (self.arms.iter().filter(is_called).count() == 1).then_some(stem)
    }

    /// Whether none of these arms has a better figure there; `None` where there is no good side, or no
    /// other of them.
    pub(super) fn is_best(&self, figure: &RunFigure, arms: &BTreeSet<usize>) -> Option<bool> {
        let own = figure.value.value()? * figure.good_side;
        let of_point = self.figures.iter().filter(|other| other.point == figure.point);
        let others = of_point.filter(|other| other.arm != figure.arm && arms.contains(&other.arm));
        let mut others = others.filter_map(|other| other.value.value()).peekable();
        let is_known = figure.good_side != 0.0 && others.peek().is_some();
        is_known.then(|| others.all(|other| own >= other * figure.good_side))
    }

    /// The settings that tell the arms apart; of one arm, all.
    pub(super) fn settings(&self) -> impl Iterator<Item = &str> {
        let keys: BTreeSet<&str> =
            self.arms.iter().flat_map(|arm| &arm.settings).map(|(key, _)| key.as_str()).collect();
        keys.into_iter().filter(|key| self.tells_arms_apart(key))
    }

    pub(super) fn tells_arms_apart(&self, key: &str) -> bool {
        let of_arm = |arm: &ArmFacts| {
            arm.settings.iter().find(|(own, _)| own == key).map(|(_, value)| value.clone())
        };
        let mut values = self.arms.iter().map(of_arm);
        let first = values.next().flatten();
        self.arms.len() == 1
            || values.any(|other| match (&first, &other) {
                (Some(a), Some(b)) => !a.same_as(b),
                (None, None) => false,
                _ => true,
            })
    }

    /// Names of models that the configurations of all runs have alike, whole and without their folder.
    pub(super) fn models_of_all(&self) -> Vec<String> {
        let Some((first, others)) = self.arms.split_first() else { return Vec::new() };
        let of = |arm: &ArmFacts| -> Vec<String> {
            let settings = arm.settings.iter();
            let models = settings.filter(|(key, _)| leaf(key).to_lowercase().contains("model"));
            let names = models.filter_map(|(_, value)| match value {
                ConfigValue::Text(name) if name.len() > 2 => Some(name.clone()),
                _ => None,
            });
            names.collect()
        };
        let has = |name: &String| others.iter().all(|arm| of(arm).contains(name));
        let names: Vec<String> = of(first).into_iter().filter(has).collect();
        let last = names.iter().filter_map(|name| name.rsplit('/').next().map(str::to_owned));
        last.chain(names.clone()).collect()
    }

    /// Every coordinate that some figure has.
    pub(super) fn axes(&self) -> BTreeSet<&str> {
        self.figures.iter().flat_map(|figure| figure.point.dims.names()).collect()
    }

    pub(super) fn metrics(&self) -> BTreeSet<&str> {
        self.figures.iter().map(|figure| figure.point.metric.as_str()).collect()
    }

    /// The only metric whose name has this word.
    pub(super) fn only_metric_like(&self, word: &str) -> Option<&str> {
        let has = |name: &&str| name.split(['_', '/', '-']).any(|part| part == word);
        let mut like = self.metrics().into_iter().filter(has);
        like.next().filter(|_| like.next().is_none())
    }

    pub(super) fn datasets(&self) -> BTreeSet<&str> {
        self.figures.iter().filter_map(|figure| figure.point.dataset.as_deref()).collect()
    }
}

fn stem(name: &str) -> Option<&str> {
    let (stem, extension) = name.rsplit_once('.')?;
    let is_extension = extension.len() < 8 && extension.starts_with(char::is_alphabetic);
    (is_extension && !stem.is_empty()).then_some(stem)
}

/// The standard error of a mean over samples of which each stands alone, else as stated.
/// Of scored samples, those that are right; of a figure that a file states, as many as it is of, where its
/// metric is a share of right answers.
fn right(side: &PairSide<'_>, spec: &MetricSpec) -> Option<u64> {
    if let Some(samples) = &side.samples {
        return samples.right_count();
    }
    let is_share = spec.outcomes && spec.unit == Unit::Fraction;
    let right = side.value().value().filter(|_| is_share)? * side.n()? as f64;
    ((right - right.round()).abs() < 1e-6).then_some(right.round() as u64)
}

fn stderr(side: &PairSide<'_>) -> Option<f64> {
    match &side.samples {
        Some(samples) if samples.scored > 0 && samples.table.clusters().is_empty() => {
            samples.scores().collect::<Moments>().stderr()
        }
        _ => side.stated.as_ref()?.stderr(),
    }
}

fn stands_at(source: &Source) -> String {
    let line = source.line.map_or_else(String::new, |line| format!(":{line}"));
    let key = source.key.as_ref().map_or_else(String::new, |key| format!(" {key}"));
    format!("{}{line}{key}", source.path)
}

fn point(cell: &CellPair<'_>) -> Point {
    let key = &cell.key;
    Point { metric: key.metric.clone(), dataset: key.dataset.clone(), dims: key.dims.clone() }
}
