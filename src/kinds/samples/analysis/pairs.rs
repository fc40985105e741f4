//! Every sample of the runs beside its partners, and what became of it.

use std::collections::{BTreeMap, BTreeSet};

use super::{SampleGroup, Selection, ShownAnswer, ShownSample, Transition, UnpairedBecause};
use crate::model::{MetricRole, MetricSpec, SampleTable};
use crate::pairing::{ArmPair, CellPair, PairArm, PairedArms, SampledSide, TablePair};

pub(super) fn has_samples(cell: &CellPair<'_>) -> bool {
    PairArm::BOTH.iter().any(|&which| cell.side(which).samples.is_some())
}

/// All samples in the order of their tables, and the groups that they belong to.
pub(super) fn samples<'a>(
    arms: &PairedArms<'a>,
    selection: &Selection,
) -> (Vec<SampleGroup<'a>>, Vec<ShownSample<'a>>) {
    let is_meant = |table: &SampleTable| {
        let asked = selection.dataset.as_deref();
        asked.is_none_or(|asked| {
            table.dataset.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(asked))
        })
    };
    let (mut groups, mut samples) = (Vec::new(), Vec::new());
    let runs = arms.pairs.len() + 1;
    let paired = |run: usize, table: &SampleTable| {
        let which = if run == 0 { PairArm::Baseline } else { PairArm::Candidate };
        let pairs = arms.pairs.iter().enumerate();
        let pairs = pairs.filter(|(at, _)| run == 0 || *at + 1 == run);
        let mut tables = pairs.flat_map(|(_, pair)| &pair.tables);
        tables.any(|pair| std::ptr::eq(pair.table(which), table))
    };
    for table in arms.baseline.content.samples.iter().filter(|table| is_meant(table)) {
        let group = Group::of(table, arms, selection);
        let Some(group) = group else { continue };
        let made = groups.len();
        groups.push(group.described());
        group.add_samples(made, &mut samples);
    }
    let all = std::iter::once(arms.baseline).chain(arms.pairs.iter().map(|pair| pair.candidate));
    for (run, run_of) in all.enumerate() {
        for table in run_of.content.samples.iter().filter(|table| is_meant(table)) {
            let is_measured =
                selection.metric.as_deref().is_none_or(|name| table.column(name).is_some());
            if paired(run, table) || !is_measured {
                continue;
            }
            let made = groups.len();
            let dims = table.dims.clone();
            let dataset = table.dataset.as_deref();
            groups.push(SampleGroup {
                dataset,
                dims,
                spec: None,
                is_binary: false,
                further: Vec::new(),
            });
            let because = UnpairedBecause::OnlyIn(run);
            samples.extend(
                (0..table.len()).map(|row| alone(made, (run, runs), (table, row), because)),
            );
        }
    }
    (groups, samples)
}

/// A sample of one run.
fn alone<'a>(
    group: usize,
    (run, runs): (usize, usize),
    (table, row): (&'a SampleTable, usize),
    because: UnpairedBecause,
) -> ShownSample<'a> {
    let mut answers: Vec<Option<ShownAnswer<'a>>> = (0..runs).map(|_| None).collect();
    let (texts, images) = (None, Vec::new());
    answers[run] = Some(ShownAnswer { table, row, score: None, is_right: None, texts, images });
    let (transition, unpaired) = (Transition::Unpaired, Some(because));
    ShownSample { group, id: table.id(row), transition, unpaired, answers }
}

/// A table of the baseline with those of the candidates that it is joined to.
struct Group<'p, 'a> {
    baseline: &'a SampleTable,
    /// For each candidate, the join and the cell of the metric.
    joined: Vec<Option<Joined<'p, 'a>>>,
    spec: Option<MetricSpec>,
    is_binary: bool,
    further: Vec<String>,
}

#[derive(Clone, Copy)]
struct Joined<'p, 'a> {
    tables: &'p TablePair<'a>,
    cell: Option<&'p CellPair<'a>>,
}

impl<'p, 'a> Joined<'p, 'a> {
    fn side(&self, which: PairArm) -> Option<&'p SampledSide<'a>> {
        self.cell?.side(which).samples.as_ref()
    }
}

impl<'p, 'a> Group<'p, 'a> {
    /// `None` where no candidate has the table, or none the metric that is asked for.
    fn of(
        baseline: &'a SampleTable,
        arms: &'p PairedArms<'a>,
        selection: &Selection,
    ) -> Option<Self> {
        let pairs = arms.pairs.iter().map(|pair| {
            let is_it = |tables: &TablePair<'_>| std::ptr::eq(tables.baseline, baseline);
            Some((pair, pair.tables.iter().position(is_it)?))
        });
        let pairs: Vec<Option<(&ArmPair<'a>, usize)>> = pairs.collect();
        let metric = pairs.iter().flatten().find_map(|(pair, at)| metric(pair, *at, selection));
        let is_found = pairs.iter().any(Option::is_some);
        if !is_found || metric.is_none() && selection.metric.is_some() {
            return None;
        }
        let joined = pairs.iter().map(|found| {
            let (pair, at) = (*found)?;
            let name = metric.as_ref().map(|spec| spec.name.as_str());
            let is_it = |cell: &&CellPair<'_>| {
                cell.table == Some(at) && Some(cell.key.metric.as_str()) == name
            };
            Some(Joined { tables: &pair.tables[at], cell: pair.cells.iter().find(is_it) })
        });
        let joined: Vec<Option<Joined<'p, 'a>>> = joined.collect();
        let is_binary = joined.iter().flatten().filter_map(|one| one.cell).all(|cell| {
            PairArm::BOTH
                .iter()
                .all(|&which| cell.side(which).samples.as_ref().is_some_and(SampledSide::is_binary))
        });
        let is_binary = is_binary && metric.is_some();
        let judged = pairs.iter().flatten().next().map(|(pair, at)| {
            let cells = pair.cells.iter().filter(|cell| cell.table == Some(*at));
            cells.filter(|cell| cell.role.is_none_or(|given| given.role.is_judged()))
        });
        let names = judged.into_iter().flatten().map(|cell| &cell.key.metric);
        let further = names.filter(|name| metric.as_ref().is_none_or(|spec| spec.name != **name));
        let further = further.cloned().collect();
        Some(Self { baseline, joined, spec: metric, is_binary, further })
    }

    fn sign(&self) -> Option<f64> {
        self.spec.as_ref()?.direction.sign()
    }

    fn described(&self) -> SampleGroup<'a> {
        let dims = self.joined.iter().flatten().next().map(|one| one.tables.dims.clone());
        SampleGroup {
            dataset: self.baseline.dataset.as_deref(),
            dims: dims.unwrap_or_default(),
            spec: self.spec.clone(),
            is_binary: self.is_binary,
            further: self.further.clone(),
        }
    }

    fn add_samples(&self, group: usize, samples: &mut Vec<ShownSample<'a>>) {
        let runs = self.joined.len() + 1;
        let mut partners: BTreeMap<u32, Vec<Option<u32>>> = BTreeMap::new();
        let mut of_other_content: BTreeSet<u32> = BTreeSet::new();
        let mut contradicting: BTreeSet<u32> = BTreeSet::new();
        let mut left_over: Vec<ShownSample<'a>> = Vec::new();
        for (at, one) in self.joined.iter().enumerate() {
            let Some(Joined { tables, .. }) = one else { continue };
            let join = &tables.join;
            for &row in join.baseline.rows() {
                partners.entry(row).or_insert_with(|| vec![None; runs - 1]);
            }
            let mut met: BTreeSet<u32> = BTreeSet::new();
            for &(a, b) in join.pairs.iter().chain(&join.content_differs) {
                met.insert(b);
                if let Some(slot) = partners.get_mut(&a).and_then(|slots| slots.get_mut(at)) {
                    *slot = Some(b);
                }
            }
            of_other_content.extend(join.content_differs.iter().map(|(a, _)| *a));
            contradicting.extend(&join.baseline.conflicting);
            let lone = |row: &u32, because| {
                alone(group, (at + 1, runs), (tables.candidate, *row as usize), because)
            };
            let rest = join.candidate.rows().iter().filter(|row| !met.contains(row));
            left_over.extend(rest.map(|row| lone(row, UnpairedBecause::OnlyIn(at + 1))));
            let aside = join.candidate.conflicting.iter();
            left_over.extend(aside.map(|row| lone(row, UnpairedBecause::Contradicting)));
        }
        for (row, slots) in partners {
            let is_other = of_other_content.contains(&row);
            samples.push(self.sample(group, row as usize, &slots, is_other));
        }
        let aside = contradicting.iter().map(|row| {
            let because = UnpairedBecause::Contradicting;
            alone(group, (0, runs), (self.baseline, *row as usize), because)
        });
        samples.extend(aside);
        samples.extend(left_over);
    }

    /// A sample of the baseline with those of the candidates.
    fn sample(
        &self,
        group: usize,
        row: usize,
        slots: &[Option<u32>],
        is_other: bool,
    ) -> ShownSample<'a> {
        let own = self.joined.iter().flatten().find_map(|one| one.side(PairArm::Baseline));
        let mut answers = vec![Some(self.answer(self.baseline, row, own))];
        for (one, slot) in self.joined.iter().zip(slots) {
            let found = one.zip(*slot);
            answers.push(found.map(|(one, row)| {
                self.answer(one.tables.candidate, row as usize, one.side(PairArm::Candidate))
            }));
        }
        let (transition, unpaired) = if is_other {
            (Transition::Unpaired, Some(UnpairedBecause::OtherContent))
        } else {
            self.transition(&answers)
        };
        ShownSample { group, id: self.baseline.id(row), transition, unpaired, answers }
    }

    fn answer(
        &self,
        table: &'a SampleTable,
        row: usize,
        side: Option<&SampledSide<'a>>,
    ) -> ShownAnswer<'a> {
        let is_right = side.filter(|_| self.is_binary).and_then(|side| {
            let is_high = side.outcome(row)?;
            Some(is_high == (self.sign()? > 0.0))
        });
        let score = side.and_then(|side| side.ranked_score(row));
        ShownAnswer { table, row, score, is_right, texts: None, images: Vec::new() }
    }

    fn transition(
        &self,
        answers: &[Option<ShownAnswer<'a>>],
    ) -> (Transition, Option<UnpairedBecause>) {
        let unpaired = |because| (Transition::Unpaired, Some(because));
        let score = |answer: &Option<ShownAnswer<'_>>| answer.as_ref().and_then(|one| one.score);
        let Some(own) = answers.first().and_then(score) else {
            return unpaired(UnpairedBecause::NoScore(0));
        };
        let candidates = answers.get(1..).unwrap_or_default();
        let scores: Vec<f64> = candidates.iter().filter_map(score).collect();
        if scores.is_empty() {
            let there = candidates.iter().position(Option::is_some);
            return unpaired(match there {
                Some(at) => UnpairedBecause::NoScore(at + 1),
                None => UnpairedBecause::OnlyIn(0),
            });
        }
        let sign = self.sign();
        let changes = || scores.iter().map(|score| score - own);
        let transition = match sign {
            None if changes().any(|change| change != 0.0) => Transition::Changed,
            Some(sign) if changes().any(|change| sign * change < 0.0) => Transition::Worse,
            Some(sign) if changes().any(|change| sign * change > 0.0) => Transition::Better,
            _ => match answers.first().and_then(|one| one.as_ref()?.is_right) {
                Some(true) => Transition::BothRight,
                Some(false) => Transition::BothWrong,
                None => Transition::Unchanged,
            },
        };
        (transition, None)
    }
}

/// The metric that is asked for, else the one that decides: primary before others, right or wrong
/// before scores, one with a good side before one without.
fn metric(pair: &ArmPair<'_>, table: usize, selection: &Selection) -> Option<MetricSpec> {
    let cells = pair.cells.iter().filter(|cell| cell.table == Some(table));
    let rank = |cell: &&CellPair<'_>| {
        let role = cell.role.map(|given| given.role);
        let is_binary = PairArm::BOTH
            .iter()
            .all(|&which| cell.side(which).samples.as_ref().is_some_and(SampledSide::is_binary));
        let is_derived = cell.spec.derived;
        (
            role != Some(MetricRole::Primary),
            MetricRole::rank(role),
            !cell.spec.has_good_side(),
            is_derived,
            !is_binary,
        )
    };
    let cells = cells
        .filter(|cell| selection.metric.as_ref().is_none_or(|asked| *asked == cell.key.metric));
    cells
        .min_by_key(rank)
        .map(|cell| MetricSpec { name: cell.key.metric.clone(), ..cell.spec.clone() })
}
