//! Training curves of two arms side by side: where they part, and what each of them comes to.
//!
//! Tests nothing over the points of a curve, because they depend on each other. Where both arms have
//! several runs, each run gives one figure, and these are compared as any figures of runs.

use std::collections::BTreeMap;

use super::CompareOptions;
use super::evidence::ComparisonEvidence;
use super::seeds::figures_design;
use crate::model::{MetricNames, MetricRole, MetricSpec, Point, Run, Series};
use crate::pairing::{ArmPair, PairArm, PairedArms, PerArm};
use crate::quantity::Unit;
use crate::stats::{Interval, Moments};

/// The mean at the end of a curve is over a tenth of its points, and over no more than this.
const MOST_AVERAGED: usize = 10;
/// Logs keep single precision: a smaller difference, as a share of the figures, is rounding.
const ROUNDING: f64 = 1e-6;

/// The curves of one pair of arms.
#[derive(Debug)]
pub struct PairedCurves<'a> {
    pub pair: &'a ArmPair<'a>,
    /// In the order of the baseline, which is that of what they are for.
    pub curves: Vec<CurvePair<'a>>,
    /// Metrics that both arms have over different axes, or in different units.
    pub apart: Vec<String>,
    /// Metrics that one arm alone has.
    pub lone: PerArm<Vec<String>>,
}

/// One metric over one axis in both arms, with several points in one of them.
#[derive(Debug)]
pub struct CurvePair<'a> {
    pub spec: MetricSpec,
    pub role: Option<MetricRole>,
    /// The runs of either arm that have it, the lead first.
    pub arms: PerArm<Vec<Curve<'a>>>,
    /// Positions at which the leads of both arms have a figure, with both.
    pub common: Vec<CurvePoint>,
    /// How many points the mean at the end is over.
    pub averaged: usize,
    /// What the curves come to: last, best, mean at the end.
    pub figures: Vec<CurveFigure>,
}

/// A position with the figures of the baseline and of the candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    pub at: f64,
    pub values: PerArm<f64>,
}

/// The curve of one run.
#[derive(Debug)]
pub struct Curve<'a> {
    pub run: &'a Run,
    pub series: &'a Series,
    /// Points with a finite figure.
    pub finite: Vec<Point>,
    /// The best of them, the earliest of several, where one way is better.
    pub best: Option<Point>,
    /// How many others are as good.
    pub ties: usize,
}

/// What a curve comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurveSummary {
    Last,
    Best,
    /// The mean over the last points.
    End,
}

impl CurveSummary {
    /// The name in `report.json` and in the catalogue.
    pub fn name(self) -> &'static str {
        match self {
            Self::Last => "last",
            Self::Best => "best",
            Self::End => "end",
        }
    }
}

/// One summary of the curves of both arms: the mean over the runs of an arm.
#[derive(Debug, Clone, Copy)]
pub struct CurveFigure {
    pub summary: CurveSummary,
    pub values: PerArm<Option<f64>>,
    /// Candidate − baseline, in the unit of differences.
    pub delta: Option<f64>,
    /// From the spread between the runs of each arm, where both have several.
    pub interval: Option<Interval>,
    /// p of that difference by itself, in no family; only where one way is better.
    pub p: Option<f64>,
}

impl<'a> Curve<'a> {
    fn new(run: &'a Run, series: &'a Series, sign: Option<f64>) -> Self {
        let is_finite = |point: &&Point| point.value.is_finite() && point.at.is_finite();
        let finite: Vec<Point> = series.points.iter().filter(is_finite).copied().collect();
        let better = |best: Point, next: Point| match sign {
            Some(sign) if sign * next.value > sign * best.value => next,
            _ => best,
        };
        let best = sign.and_then(|_| finite.iter().copied().reduce(better));
        let as_good = |best: Point| finite.iter().filter(|point| point.value == best.value).count();
        let ties = best.map_or(0, |best| as_good(best) - 1);
        Self { run, series, finite, best, ties }
    }

    /// The last point, where its figure is finite.
    pub fn last(&self) -> Option<Point> {
        let last = self.series.points.last()?;
        self.finite.last().copied().filter(|point| point.at == last.at)
    }

    /// The first point whose figure is NaN or infinite, and how many there are.
    pub fn not_finite(&self) -> Option<(Point, usize)> {
        let first = self.series.points.iter().find(|point| !point.value.is_finite())?;
        Some((*first, self.series.points.len() - self.finite.len()))
    }

    /// How far the points lie apart on the axis: the median.
    pub fn spacing(&self) -> Option<f64> {
        let points = self.series.points.windows(2);
        let mut gaps: Vec<f64> = points.map(|pair| pair[1].at - pair[0].at).collect();
        gaps.sort_by(f64::total_cmp);
        gaps.get(gaps.len() / 2).copied()
    }

    fn summary(&self, summary: CurveSummary, averaged: usize) -> Option<f64> {
        match summary {
            CurveSummary::Last => self.last().map(|point| point.value),
            CurveSummary::Best => self.best.map(|point| point.value),
            CurveSummary::End => {
                self.last()?;
                let from = self.finite.len().checked_sub(averaged).filter(|_| averaged > 1)?;
                let end: Moments =
                    self.finite.get(from..)?.iter().map(|point| point.value).collect();
                Some(end.mean)
            }
        }
    }
}

impl<'a> CurvePair<'a> {
    /// The curve of the run that leads an arm.
    pub fn lead(&self, which: PairArm) -> &Curve<'a> {
        &self.arms[which][0]
    }

    /// Name as the baseline writes it.
    pub fn metric(&self) -> &'a str {
        &self.lead(PairArm::Baseline).series.metric
    }

    pub fn axis(&self) -> &'a str {
        &self.lead(PairArm::Baseline).series.axis
    }

    /// Whether agreement tells that trainings were the same so far: of cost, which differs whenever a
    /// training is made again, and of what never changes it does not.
    pub fn tells_of_training(&self) -> bool {
        let first = self.common.first();
        let is_other = |point: &CurvePoint| first.is_some_and(|first| first.values != point.values);
        self.role != Some(MetricRole::Cost) && self.common.iter().any(is_other)
    }

    /// The first common position at which the leads differ by more than rounding.
    pub fn parting(&self) -> Option<CurvePoint> {
        let rounded = match PairArm::BOTH.map(|which| self.lead(which).series.decimals()) {
            [Some(a), Some(b)] if a != b => 0.5 * 10_f64.powf(-(a.min(b) as f64)),
            _ => 0.0,
        };
        let differs = |point: &&CurvePoint| {
            let [a, b] = point.values;
            let rounding = rounded.max(ROUNDING * a.abs().max(b.abs()));
            match (a.is_finite(), b.is_finite()) {
                (true, true) => (a - b).abs() > rounding,
                (false, false) => a.is_nan() != b.is_nan() || (a != b && !a.is_nan()),
                _ => true,
            }
        };
        self.common.iter().find(differs).copied()
    }

    /// The last common position at which both leads have a finite figure.
    pub fn last_common(&self) -> Option<CurvePoint> {
        let is_finite = |point: &&CurvePoint| point.values.iter().all(|value| value.is_finite());
        self.common.iter().rfind(is_finite).copied()
    }

    /// Whether the last points of the leads lie at one position.
    pub fn end_together(&self) -> bool {
        let [baseline, candidate] =
            PairArm::BOTH.map(|which| self.lead(which).series.points.last().map(|point| point.at));
        baseline == candidate
    }

    /// How far apart the points of either lead lie, where one logs much more often than the other.
    pub fn other_spacing(&self) -> Option<PerArm<f64>> {
        const FACTOR: f64 = 1.5;
        let (a, b) =
            (self.lead(PairArm::Baseline).spacing()?, self.lead(PairArm::Candidate).spacing()?);
        (a.max(b) > FACTOR * a.min(b)).then_some([a, b])
    }

    /// The mean over the runs of an arm, where all of them have a finite figure.
    pub fn mean_curve(&self, which: PairArm) -> Vec<Point> {
        let arm = &self.arms[which];
        let mean = |point: &Point| {
            let own = arm.iter().map(|curve| {
                let at = curve.finite.binary_search_by(|own| own.at.total_cmp(&point.at)).ok()?;
                Some(curve.finite.get(at)?.value)
            });
            let moments: Moments = own.collect::<Option<Vec<f64>>>()?.into_iter().collect();
            Some(Point { value: moments.mean, ..*point })
        };
        self.lead(which).finite.iter().filter_map(mean).collect()
    }
}

/// The curves of every pair of arms; `primary` are the canonical names of the metrics that the user
/// makes primary.
pub fn paired_curves<'a>(
    paired_arms: &'a PairedArms<'a>,
    (names, primary): (&MetricNames, &[String]),
    options: &CompareOptions,
) -> Vec<PairedCurves<'a>> {
    let mut series = BTreeMap::<_, Vec<usize>>::new();
    let both = |pair: &'a ArmPair<'a>| PairArm::BOTH.into_iter().flat_map(|arm| pair.runs(arm));
    let runs = paired_arms.pairs.iter().flat_map(both).map(|run| (run.id.as_str(), run));
    for (id, run) in runs.collect::<BTreeMap<_, _>>() {
        for (place, one) in run.content.series.iter().enumerate() {
            series.entry((id, names.canonical(&one.metric))).or_default().push(place);
        }
    }
    let known = Known { names, primary, options, series };
    paired_arms.pairs.iter().map(|pair| of_pair(pair, &known)).collect()
}

struct Known<'k> {
    names: &'k MetricNames,
    primary: &'k [String],
    options: &'k CompareOptions,
    /// Places of the series of a metric among those of a run.
    series: BTreeMap<(&'k str, &'k str), Vec<usize>>,
}

impl Known<'_> {
    /// What a series of a run means, and what it is for; `None` for bookkeeping.
    fn meaning(&self, run: &Run, series: &Series) -> Option<(MetricSpec, Option<MetricRole>)> {
        let metric = self.names.canonical(&series.metric);
        let produced = run.content.spec(None, metric);
        let spec = self.names.meaning(&series.metric, produced);
        let mut spec = spec.unwrap_or_else(|| MetricSpec::undeclared(metric));
        let role = spec.role.map(|given| given.role);
        let is_asked = self.primary.iter().any(|name| name == metric);
        let role = if is_asked { Some(MetricRole::Primary) } else { role };
        if series.is_percentage(self.names) {
            spec.unit = Unit::Percent;
            spec.bounds = Some((0.0, 100.0));
        }
        (role != Some(MetricRole::Bookkeeping)).then_some((spec, role))
    }

    /// The series of that metric in a run.
    fn alike<'a>(&self, run: &'a Run, like: &Series) -> Vec<&'a Series> {
        let places = self.series.get(&(run.id.as_str(), self.names.canonical(&like.metric)));
        let series = places.into_iter().flatten().map(|place| run.content.series.get(*place));
        series.flatten().collect()
    }

    /// The curve of that metric in another run.
    fn curve_of<'a>(&self, run: &'a Run, like: &Series, sign: Option<f64>) -> Option<Curve<'a>> {
        let same = self.alike(run, like).into_iter().find(|series| is_same_place(series, like));
        Some(Curve::new(run, same?, sign))
    }
}

fn is_same_place(one: &Series, other: &Series) -> bool {
    one.axis == other.axis && one.dims == other.dims
}

fn of_pair<'a>(pair: &'a ArmPair<'a>, known: &Known<'_>) -> PairedCurves<'a> {
    let [baseline, candidate] = PairArm::BOTH.map(|which| pair.run(which));
    let mut found = PairedCurves {
        pair,
        curves: Vec::new(),
        apart: Vec::new(),
        lone: [Vec::new(), Vec::new()],
    };
    for series in &baseline.content.series {
        let first =
            known.alike(baseline, series).into_iter().find(|one| is_same_place(one, series));
        if first.is_some_and(|first| !std::ptr::eq(first, series)) {
            continue;
        }
        let Some((spec, role)) = known.meaning(baseline, series) else { continue };
        let theirs = known.alike(candidate, series);
        let Some(other) = theirs.first() else {
            found.lone[0].push(series.metric.clone());
            continue;
        };
        let partner = theirs.iter().copied().find(|one| is_same_place(one, series));
        let unit = |one: &Series| known.meaning(candidate, one).map(|(spec, _)| spec.unit);
        let is_point = |one: &Series| one.points.len() < 2;
        match partner.filter(|one| unit(one) == Some(spec.unit)) {
            Some(one) if is_point(one) && is_point(series) => {}
            Some(_) => found.curves.push(curve_pair(pair, series, (spec, role), known)),
            None if series.axis == other.axis && series.dims != other.dims => {}
            None => found.apart.push(series.metric.clone()),
        }
    }
    for series in &candidate.content.series {
        let is_known = !known.alike(baseline, series).is_empty();
        if !is_known && known.meaning(candidate, series).is_some() {
            found.lone[1].push(series.metric.clone());
        }
    }
    found
}

fn curve_pair<'a>(
    pair: &'a ArmPair<'a>,
    series: &Series,
    (spec, role): (MetricSpec, Option<MetricRole>),
    known: &Known<'_>,
) -> CurvePair<'a> {
    let sign = spec.direction.sign();
    let arms = PairArm::BOTH.map(|which| {
        let runs = pair.runs(which).filter_map(|run| known.curve_of(run, series, sign));
        runs.collect::<Vec<Curve<'a>>>()
    });
    let common = common(&arms);
    let shortest = arms.iter().flatten().map(|curve| curve.finite.len()).min().unwrap_or(0);
    let averaged = shortest.div_ceil(MOST_AVERAGED).min(MOST_AVERAGED);
    let figures = [CurveSummary::Last, CurveSummary::Best, CurveSummary::End];
    let figures = figures.into_iter().map(|summary| {
        let of_arm = |which| {
            let own: &Vec<Curve<'_>> = &arms[which];
            let values = own.iter().map(|curve| curve.summary(summary, averaged));
            let is_whole = own.len() == pair.size(which);
            values.collect::<Option<Vec<f64>>>().filter(|_| is_whole)
        };
        figure(summary, &PairArm::BOTH.map(of_arm), (pair, &spec), known.options)
    });
    let figures = figures.collect();
    CurvePair { spec, role, arms, common, averaged, figures }
}

/// Positions at which the first runs of both arms have a point.
fn common(arms: &PerArm<Vec<Curve<'_>>>) -> Vec<CurvePoint> {
    let [Some(baseline), Some(candidate)] = [arms[0].first(), arms[1].first()] else {
        return Vec::new();
    };
    let theirs = &candidate.series.points;
    let points = baseline.series.points.iter().filter_map(|point| {
        let place = theirs.binary_search_by(|other| other.at.total_cmp(&point.at)).ok()?;
        Some(CurvePoint { at: point.at, values: [point.value, theirs.get(place)?.value] })
    });
    points.collect()
}

fn figure(
    summary: CurveSummary,
    values: &PerArm<Option<Vec<f64>>>,
    (pair, spec): (&ArmPair<'_>, &MetricSpec),
    options: &CompareOptions,
) -> CurveFigure {
    let mean = |values: &Option<Vec<f64>>| {
        let moments: Moments = values.as_ref()?.iter().copied().collect();
        (moments.n > 0).then_some(moments.mean)
    };
    let means = values.each_ref().map(mean);
    let delta = means[0].zip(means[1]).map(|(a, b)| (b - a) * spec.unit.shown_scale());
    let analysis = match values {
        [Some(baseline), Some(candidate)] if baseline.len().min(candidate.len()) > 1 => {
            let design = figures_design(pair, baseline, candidate, spec.range());
            ComparisonEvidence::new(design, spec).analysis(options)
        }
        _ => None,
    };
    CurveFigure {
        summary,
        values: means,
        delta,
        interval: analysis.as_ref().and_then(|analysis| analysis.interval),
        p: analysis.filter(|_| spec.has_good_side()).and_then(|it| it.test).map(|test| test.p),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Dims;
    use crate::pairing::{Arm, PairingOptions, pair_arms};
    use std::sync::Arc;

    type Log<'l> = &'l [(f64, f64)];

    fn run(metric: &str, log: Log<'_>) -> Run {
        let points = log.iter().map(|&(at, value)| Point { at, value, line: 0 }).collect();
        let (axis, path) = ("step".to_owned(), Arc::from("log.csv"));
        Run::with_series(vec![Series::new(metric.to_owned(), axis, Dims::none(), points, path).0])
    }

    fn check(metric: &str, logs: [Log<'_>; 2], says: impl FnOnce(&PairedCurves<'_>)) {
        let [a, b] = logs.map(|log| run(metric, log));
        let arms = [Arm::single(&a), Arm::single(&b)];
        let paired = pair_arms(&arms, &PairingOptions::default()).expect("two arms");
        let names = MetricNames::default();
        let found = paired_curves(&paired, (&names, &[]), &CompareOptions::default());
        says(&found[0]);
    }

    fn line(n: u32) -> Vec<(f64, f64)> {
        (1..=n).map(|at| (f64::from(at), f64::from(at) + 0.5)).collect()
    }

    #[test]
    fn curves_part_where_they_differ_by_more_than_rounding() {
        const NAN: f64 = f64::NAN;
        for (mine, theirs, parting) in [
            (&[(1.0, 0.5), (2.0, 0.25)][..], &[(1.0, 0.5), (2.0, 0.25)][..], None),
            (&[(1.0, 0.5), (2.0, 0.25)], &[(1.0, 0.5), (2.0, 0.26)], Some(2.0)),
            (&[(1.0, 0.12345), (2.0, 0.98765)], &[(1.0, 0.123), (2.0, 0.988)], None),
            (&[(1.0, 0.12345), (2.0, 0.98765)], &[(1.0, 0.123), (2.0, 0.986)], Some(2.0)),
            (&[(1.0, 500.0), (2.0, 500.0)], &[(1.0, 500.0), (2.0, 499.6)], Some(2.0)),
            (&[(1.0, 3.692_430_8)], &[(1.0, 3.692_430_9)], None),
            (&[(1.0, 1.0), (2.0, NAN)], &[(1.0, 1.0), (2.0, NAN)], None),
            (&[(1.0, 1.0), (2.0, 0.5)], &[(1.0, 1.0), (2.0, NAN)], Some(2.0)),
            (&[(1.0, 1.0), (3.0, 0.5)], &[(2.0, 7.0), (3.0, 0.5)], None),
        ] {
            let ends = (9.0, 1.0);
            let [mine, theirs] = [mine, theirs].map(|log| [log, &[ends]].concat());
            check("loss", [&mine, &theirs], |found| {
                let at = found.curves[0].parting().map(|point| point.at);
                assert_eq!(at, parting, "{mine:?} {theirs:?}");
            });
        }
    }

    #[test]
    fn the_mean_at_the_end_is_over_a_tenth_of_the_shorter_curve_and_ten_points_at_most() {
        for (lengths, averaged, mean) in
            [([5, 5], 1, None), ([25, 40], 3, Some(24.5)), ([400, 900], 10, Some(396.0))]
        {
            let [a, b] = lengths.map(line);
            check("loss", [&a, &b], |found| {
                let curve = &found.curves[0];
                let end = curve.figures.iter().find(|one| one.summary == CurveSummary::End);
                let mine = end.and_then(|figure| figure.values[0]);
                assert_eq!((curve.averaged, mine), (averaged, mean), "{lengths:?}");
            });
        }
    }

    #[test]
    fn the_best_point_follows_the_direction_and_ties_are_counted() {
        let log = [(1.0, 0.4), (2.0, 0.2), (3.0, 0.4), (4.0, 0.3)];
        for (metric, best) in
            [("eval_accuracy", Some((1.0, 1))), ("eval_loss", Some((2.0, 0))), ("train_loss", None)]
        {
            check(metric, [&log, &log], |found| {
                let lead = found.curves[0].lead(PairArm::Baseline);
                assert_eq!(lead.best.map(|point| (point.at, lead.ties)), best, "{metric}");
            });
        }
    }

    #[test]
    fn nothing_is_tested_over_the_points_of_one_run() {
        let [a, b] = [line(50), line(60)];
        check("eval_loss", [&a, &b], |found| {
            let figures = &found.curves[0].figures;
            assert!(figures.iter().all(|one| one.p.is_none() && one.interval.is_none()));
        });
    }

    #[test]
    fn shares_and_percentages_are_not_set_side_by_side() {
        let share = [(1.0, 0.25), (2.0, 0.5)];
        let percent = [(1.0, 25.0), (2.0, 50.0)];
        check("eval_accuracy", [&share, &percent], |found| {
            assert_eq!(
                (found.curves.len(), found.apart.as_slice()),
                (0, &["eval_accuracy".to_owned()][..])
            );
        });
    }
}
