//! What is asked for, with the words that say so.

use super::readings::{Facet, Subject};
use crate::text::Refusal;

/// What is known of a figure, and which words say so.
#[derive(Debug, Clone, Default)]
pub(super) struct Question(Vec<(Facet, String)>);

/// Two words that contradict each other.
#[derive(Debug, Clone)]
pub(super) struct Contradiction([String; 2]);

impl Question {
    pub(super) fn facets(&self) -> impl Iterator<Item = &Facet> {
        self.0.iter().map(|(facet, _)| facet)
    }

    pub(super) fn arm(&self) -> Option<usize> {
        self.facets().find_map(|facet| match facet {
            Facet::Arm(arm) => Some(*arm),
            _ => None,
        })
    }

    /// Whether other words than these name the metric.
    pub(super) fn names_metric_beside(&self, words: &str) -> bool {
        let metric =
            |(facet, said): &(Facet, String)| matches!(facet, Facet::Metric(_)) && said != words;
        self.0.iter().any(metric)
    }

    /// The words that name the run.
    fn run_said(&self) -> String {
        let run = self.0.iter().find(|(facet, _)| facet.subject() == Subject::Run);
        run.map_or_else(String::new, |(_, said)| said.clone())
    }

    /// Adds what must not contradict what is there. What is left open is settled by either.
    pub(super) fn join(mut self, further: &Self) -> Result<Self, Contradiction> {
        for (facet, said) in &further.0 {
            match self.0.iter_mut().find(|(own, _)| own.subject() == facet.subject()) {
                None => self.0.push((facet.clone(), said.clone())),
                Some((own, _)) if own == facet => {}
                Some(open)
                    if matches!((&open.0, facet), (Facet::Open(_), _) | (_, Facet::Open(_))) =>
                {
                    *open = (facet.clone(), said.clone());
                }
                Some((_, own)) => return Err(Contradiction([own.clone(), said.clone()])),
            }
        }
        Ok(self)
    }

    /// Lays what stands nearer over what is there.
    pub(super) fn under(&self, nearer: &Self) -> Self {
        let is_free = |(facet, _): &&(Facet, String)| {
            !nearer.facets().any(|near| near.subject() == facet.subject())
        };
        let mut all = nearer.clone();
        all.0.extend(self.0.iter().filter(is_free).cloned());
        all
    }

    pub(super) fn of(facets: &[Facet], said: &str) -> Self {
        Self(facets.iter().map(|facet| (facet.clone(), said.to_owned())).collect())
    }
}

impl Contradiction {
    /// Of two that name different runs.
    pub(super) fn of_runs(one: &Question, other: &Question) -> Self {
        Self([one, other].map(Question::run_said))
    }

    pub(super) fn refusal(&self) -> Refusal {
        let [first, second] = &self.0;
        Refusal::new("fill.contradiction")
            .with("first", first.as_str())
            .with("second", second.as_str())
    }
}
