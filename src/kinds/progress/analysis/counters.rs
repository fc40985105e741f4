//! What the value of a counter at a step counts: everything up to it, or that step alone; and
//! counters that fall although they count everything.

use indexmap::IndexMap;

use super::declared::DeclaredProgress;
use super::timeline::{Curve, Timeline, TimelineSpan, TimelineValue};
use crate::diag::{Code, Diagnostic};

/// Rises without a fall from which on a counter is taken to count everything: five values that come
/// in order by chance do so once in 120 times.
const FEWEST_RISES: usize = 4;

/// What a counter counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressCounting {
    /// Everything up to the step.
    Cumulative,
    /// The step alone.
    PerStep,
    /// Nobody said, and the values do not tell.
    Unknown,
}

impl ProgressCounting {
    /// The name in catalogues and `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cumulative => "cumulative",
            Self::PerStep => "per-step",
            Self::Unknown => "unknown",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counter {
    pub counting: ProgressCounting,
    /// Whether it is declared, and not seen from the values.
    pub is_declared: bool,
}

/// Where cumulative counters fall.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Falls {
    /// Positions at which every cumulative counter that was above 0 falls: counting began anew.
    pub resets: Vec<f64>,
    /// Positions at which single counters fall, by name.
    pub shrunk: IndexMap<String, Vec<f64>>,
    /// Positions at which a log goes back to a step that it had passed.
    pub rewinds: Vec<f64>,
}

impl Falls {
    /// How often the run began again: where counting began anew, and where the log goes back.
    pub fn restarts(&self) -> usize {
        let apart = self.resets.iter().filter(|at| !self.rewinds.contains(at));
        self.rewinds.len() + apart.count()
    }

    /// Whether counting began anew after `from` and no later than `to`.
    pub fn resets_within(&self, from: f64, to: f64) -> bool {
        self.resets.iter().any(|at| *at > from && *at <= to)
    }

    /// Whether a counter falls alone there.
    pub fn shrinks_within(&self, name: &str, from: f64, to: f64) -> bool {
        let falls = self.shrunk.get(name).into_iter().flatten();
        falls.into_iter().any(|at| *at > from && *at <= to)
    }
}

/// Every counter that is declared or needed by a declaration.
pub(super) fn counters(
    timeline: &Timeline,
    declared: &DeclaredProgress,
    cost: Option<&str>,
) -> IndexMap<String, Counter> {
    let rates = declared.rates.values().flat_map(|rate| [&rate.of, &rate.count]);
    let named = rates.chain(&declared.cumulative).chain(&declared.per_step).map(String::as_str);
    let mut counters = IndexMap::new();
    for name in named.chain(cost) {
        let Some(curve) = timeline.curves.get(name) else { continue };
        let says = |list: &[String]| list.iter().any(|one| one == name);
        let counting = match (says(&declared.cumulative), says(&declared.per_step)) {
            (true, false) => Some(ProgressCounting::Cumulative),
            (false, true) => Some(ProgressCounting::PerStep),
            _ => None,
        };
        let counter = Counter {
            counting: counting.unwrap_or_else(|| seen(curve)),
            is_declared: counting.is_some(),
        };
        counters.insert(name.to_owned(), counter);
    }
    // What counts a part of a whole counts over the same steps as the whole.
    for rate in declared.rates.values() {
        let whole = counters.get(&rate.of).copied();
        if let (Some(whole), Some(part)) = (whole, counters.get_mut(&rate.count))
            && !part.is_declared
        {
            *part = whole;
        }
    }
    counters
}

/// What the values alone prove: one that falls twice in a row does not count everything, since a
/// counter that began anew does not fall at the next step too; one that rises again and again and
/// never falls does.
fn seen(curve: &Curve) -> ProgressCounting {
    let values: Vec<f64> = curve.readings.iter().map(|reading| reading.value).collect();
    if values.iter().any(|value| !value.is_finite()) {
        return ProgressCounting::Unknown;
    }
    let rises = values.windows(2).filter(|two| two[1] > two[0]).count();
    let falls = values.windows(2).filter(|two| two[1] < two[0]).count();
    let falls_on = values.windows(3).any(|three| three[2] < three[1] && three[1] < three[0]);
    let is_constant = rises + falls == 0 && values.len() > 1;
    if falls == 0 && rises >= FEWEST_RISES {
        ProgressCounting::Cumulative
    } else if falls_on || (is_constant && values.first().is_some_and(|value| *value > 0.0)) {
        ProgressCounting::PerStep
    } else {
        ProgressCounting::Unknown
    }
}

/// Where cumulative counters fall up to the later step, and what there is to say of it.
pub(super) fn falls(
    timeline: &Timeline,
    counters: &IndexMap<String, Counter>,
    span: &TimelineSpan,
) -> (Falls, Vec<Diagnostic>) {
    let cumulative =
        counters.iter().filter(|(_, one)| one.counting == ProgressCounting::Cumulative);
    let curves: Vec<(&String, &Curve)> =
        cumulative.filter_map(|(name, _)| Some((name, timeline.curves.get(name)?))).collect();
    let mut falls = Falls { rewinds: timeline.rewinds(span.to), ..Falls::default() };
    let mut findings = Vec::new();
    for at in span.recorded.iter().copied().filter(|at| *at <= span.to) {
        let steps: Vec<(&String, [&TimelineValue; 2])> =
            curves.iter().filter_map(|(name, curve)| Some((*name, curve.step_to(at)?))).collect();
        let fell: Vec<&(&String, [&TimelineValue; 2])> =
            steps.iter().filter(|(_, [before, after])| after.value < before.value).collect();
        let above_0 = steps.iter().filter(|(_, [before, _])| before.value > 0.0).count();
        if let Some((name, [before, after])) = fell.first().filter(|_| fell.len() == above_0) {
            falls.resets.push(at);
            findings.push(fall(Code::CountersReset, name, &timeline.axis, before, after).with(
                "counters",
                fell.iter().map(|(name, _)| (*name).clone()).collect::<Vec<_>>(),
            ));
            continue;
        }
        for (name, [before, after]) in fell {
            falls.shrunk.entry((*name).clone()).or_default().push(at);
            findings.push(fall(Code::CounterShrinks, name, &timeline.axis, before, after));
        }
    }
    (falls, findings)
}

fn fall(
    code: Code,
    name: &str,
    axis: &str,
    before: &TimelineValue,
    after: &TimelineValue,
) -> Diagnostic {
    Diagnostic::new(code)
        .metric(name)
        .with("counter", name)
        .with("axis", axis)
        .with("before", before.value)
        .with("before_at", before.at)
        .with("after", after.value)
        .with("after_at", after.at)
        .at(after.location())
}

/// The finding for counters about which nobody said what they count.
pub(super) fn undeclared_counters(
    timeline: &Timeline,
    counters: &IndexMap<String, Counter>,
) -> Vec<Diagnostic> {
    [ProgressCounting::Cumulative, ProgressCounting::PerStep, ProgressCounting::Unknown]
        .into_iter()
        .filter_map(|counting| {
            let of =
                counters.iter().filter(|(_, one)| !one.is_declared && one.counting == counting);
            let names: Vec<String> = of.map(|(name, _)| name.clone()).collect();
            let place = timeline.curves.get(names.first()?)?.readings.first()?.location();
            Some(
                Diagnostic::new(Code::CountingUndeclared)
                    .with("counters", names)
                    .with("counting", counting.name())
                    .at(place),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::progress::analysis::progress_testing::timeline;

    #[test]
    fn values_prove_what_a_counter_counts_or_they_do_not() {
        for (values, counting) in [
            (&[10.0, 20.0, 30.0, 40.0, 50.0][..], ProgressCounting::Cumulative),
            (&[10.0, 20.0, 30.0], ProgressCounting::Unknown),
            (&[64.0, 64.0, 64.0], ProgressCounting::PerStep),
            (&[0.0, 0.0, 0.0], ProgressCounting::Unknown),
            (&[5.0, 3.0, 6.0, 2.0], ProgressCounting::Unknown),
            (&[5.0, 3.0, 2.0, 6.0], ProgressCounting::PerStep),
            (&[1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0], ProgressCounting::Unknown),
            (&[1.0, 2.0, 3.0, 4.0, 1.0, 2.0], ProgressCounting::Unknown),
            (&[1.0, f64::NAN], ProgressCounting::Unknown),
        ] {
            let timeline = timeline(&[("n", values)]);
            assert_eq!(seen(&timeline.curves["n"]), counting, "{values:?}");
        }
    }

    #[test]
    fn all_counters_together_fall_at_a_restart_and_one_alone_shrinks() {
        let check = |rows: &[(&str, &[f64])], codes: &[Code]| {
            let timeline = timeline(rows);
            let declared = DeclaredProgress {
                cumulative: rows.iter().map(|(name, _)| (*name).to_owned()).collect(),
                ..DeclaredProgress::default()
            };
            let counters = counters(&timeline, &declared, None);
            let span =
                TimelineSpan::new(&timeline, std::iter::empty(), None, None).expect("a span");
            let (_, findings) = falls(&timeline, &counters, &span);
            assert_eq!(findings.iter().map(|one| one.code).collect::<Vec<_>>(), codes, "{rows:?}");
        };
        let n: &[f64] = &[10.0, 20.0, 8.0, 18.0];
        check(&[("n", n), ("bad", &[1.0, 2.0, 0.0, 1.0])], &[Code::CountersReset]);
        check(&[("n", n), ("bad", &[0.0, 0.0, 0.0, 1.0])], &[Code::CountersReset]);
        check(&[("n", &[10.0, 20.0, 30.0]), ("bad", &[3.0, 2.0, 3.0])], &[Code::CounterShrinks]);
        check(&[("n", &[10.0, 20.0, 30.0]), ("bad", &[0.0, 1.0, 1.0])], &[]);
    }
}
