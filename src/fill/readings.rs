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
}

/// What a column holds, or its rows are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    Difference,
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

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Reading {
    pub(super) facets: Vec<Facet>,
    /// A coordinate that is named without a value.
    pub(super) axis: Option<String>,
    /// A setting that is named without a value.
    pub(super) setting: Option<String>,
    pub(super) about: Option<About>,
    pub(super) statistic: Option<Statistic>,
    /// Names several arms, or several values of one coordinate.
    pub(super) several: bool,
    /// What was not understood.
    pub(super) rest: String,
}

impl Reading {
    pub(super) fn is_understood(&self) -> bool {
        self.rest.is_empty() && !self.several
    }

    pub(super) fn add(&mut self, facet: Facet) {
        if !self.facets.contains(&facet) {
            self.facets.push(facet);
        }
    }

    /// Takes out what is said twice in different ways.
    pub(super) fn settle(&mut self) {
        let kinds: Vec<_> = self.facets.iter().map(Facet::kind).collect();
        let is_single =
            |facet: &Facet| kinds.iter().filter(|kind| **kind == facet.kind()).count() == 1;
        let before = self.facets.len();
        let single: Vec<Facet> = self.facets.iter().filter(|f| is_single(f)).cloned().collect();
        self.several |= single.len() < before;
        self.facets = single;
    }
}

impl Facet {
    /// What it settles, of which there can be one answer.
    pub(super) fn kind(&self) -> (u8, String) {
        match self {
            Self::Arm(_) | Self::OtherArm => (0, String::new()),
            Self::Metric(_) => (1, String::new()),
            Self::Dataset(_) => (2, String::new()),
            Self::At(axis, _) => (3, axis.clone()),
        }
    }
}
