//! What a label may say.

use crate::model::DimValue;

/// What a label says of the figures below or beside it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Facet {
    Arm(usize),
    /// An arm that is none of those given.
    OtherArm,
    Metric(String),
    Dataset(String),
    At(String, DimValue),
    /// Of so many samples.
    Samples(u64),
    /// Several runs, metrics or values of a coordinate, or something near one of them: what stands
    /// nearer has to say which.
    Open(Subject),
    /// Says that more is better (1), or less (−1).
    Side(i8),
    /// Says how far figures may be off.
    Spread(Spread),
    /// Says that figures are percentages.
    Percent,
}

/// What a facet settles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Subject {
    Run,
    Metric,
    Dataset,
    Axis(String),
    Samples,
    Side,
    Spread,
    Percent,
}

/// What stands behind `±`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spread {
    StandardError,
    /// Half of an interval at 95 %.
    HalfInterval,
}

/// What a column holds, or its rows are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    Difference,
    /// A difference of which more is better.
    Gain,
    /// A mean of the figures of a row or a column.
    Average,
    /// Their sum.
    Total,
    Verdict,
    Trend,
    Run,
    Metric,
    Dataset,
}

/// What sums up the differences of several points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Statistic {
    Mean,
    Gain,
    Loss,
    Improved,
    Declined,
    Tied,
}

/// What a label names that the figures of the runs may not be of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Foreign {
    /// A part of the data or of a training.
    Part,
    /// A figure that is none of theirs.
    Figure,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Reading {
    pub(super) facets: Vec<Facet>,
    /// A coordinate that is named without a value.
    pub(super) axis: Option<String>,
    /// A setting that is named without a value.
    pub(super) setting: Option<String>,
    pub(super) about: Option<About>,
    pub(super) statistic: Option<Statistic>,
    /// Names a run by its name, which may be a common word.
    pub(super) names_run: bool,
    /// Has a unit that differences alone have.
    pub(super) in_points: bool,
    /// Names several arms, or several values of one coordinate.
    pub(super) several: bool,
    /// What it names that figures of the runs may not be of.
    pub(super) foreign: Option<Foreign>,
    /// What was not understood.
    pub(super) rest: String,
}

impl Reading {
    pub(super) fn names_other_figure(&self) -> bool {
        self.foreign == Some(Foreign::Figure)
    }

    pub(super) fn is_understood(&self) -> bool {
        self.rest.is_empty() && !self.several
    }

    pub(super) fn add(&mut self, facet: Facet) {
        if !self.facets.contains(&facet) {
            self.facets.push(facet);
        }
    }

    /// Leaves open what is said twice in different ways.
    pub(super) fn settle(&mut self) {
        let mut settled: Vec<Facet> = Vec::new();
        for facet in std::mem::take(&mut self.facets) {
            match settled.iter_mut().find(|known| known.subject() == facet.subject()) {
                None => settled.push(facet),
                Some(known) => {
                    self.several = true;
                    *known = Facet::Open(facet.subject());
                }
            }
        }
        self.facets = settled;
    }
}

impl Facet {
    pub(super) fn subject(&self) -> Subject {
        match self {
            Self::Arm(_) | Self::OtherArm => Subject::Run,
            Self::Metric(_) => Subject::Metric,
            Self::Dataset(_) => Subject::Dataset,
            Self::At(axis, _) => Subject::Axis(axis.clone()),
            Self::Samples(_) => Subject::Samples,
            Self::Side(_) => Subject::Side,
            Self::Spread(_) => Subject::Spread,
            Self::Percent => Subject::Percent,
            Self::Open(subject) => subject.clone(),
        }
    }
}

impl Statistic {
    pub(super) fn is_count(self) -> bool {
        matches!(self, Self::Improved | Self::Declined | Self::Tied)
    }
}

impl About {
    pub(super) fn is_difference(self) -> bool {
        matches!(self, Self::Difference | Self::Gain)
    }
}

/// What a column holds that is neither a name of the row nor a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// How many samples the figures of the row are of.
    Samples,
    /// How many of these are right.
    Right,
    /// What somebody noted of them.
    Remark,
    /// What they do not depend on: a date, a link, the size of a model.
    Label,
}
