//! Arms of several runs: who leads, who else belongs, and what each run has for one cell.

use super::cells::{CellPair, PairCoverage};
use super::config::{self, ConfigDifference};
use super::pair_arm::PairArm;
use super::side::{PairSide, SampledSide};
use super::tables::TablePair;
use super::{ArmPair, RunPair, units};
use crate::model::{Config, DataFile, Run};

/// The runs on one side of a comparison: trainings that were repeated with other seeds.
#[derive(Debug, Clone)]
pub struct Arm<'a> {
    /// The name in reports.
    pub name: String,
    /// The run whose configuration and coordinates represent the arm.
    pub lead: &'a Run,
    /// The further runs, in the order given.
    pub members: Vec<&'a Run>,
    /// Further runs of the same configuration, used only to measure its noise.
    pub noise: Vec<&'a Run>,
}

impl<'a> Arm<'a> {
    /// An arm of one run, by the run's id.
    pub fn single(run: &'a Run) -> Self {
        Self { name: run.id.clone(), lead: run, members: Vec::new(), noise: Vec::new() }
    }

    /// Every run, the lead first.
    pub fn runs(&self) -> impl Iterator<Item = &'a Run> {
        std::iter::once(self.lead).chain(self.members.iter().copied())
    }

    /// That configuration of the lead, and what it does not record as the first of the other runs does.
    pub(super) fn completed(&self, mut config: Config) -> Config {
        let entries = self.members.iter().flat_map(|run| run.content.config.iter());
        // Behind that mark a file of one run states what another of its files states otherwise.
        for (key, entry) in entries.filter(|(key, _)| !key.contains('#')) {
            if config.get(key).is_none() {
                config.insert(key.to_owned(), entry.clone());
            }
        }
        config
    }

    /// The data files of the lead, and those under other keys as the first of the other runs names them.
    pub(super) fn data_files(&self) -> Vec<&'a DataFile> {
        let mut found: Vec<&'a DataFile> = self.lead.data_files.iter().collect();
        for run in &self.members {
            let is_new = |file: &&DataFile| found.iter().all(|known| known.key != file.key);
            let further: Vec<&'a DataFile> = run.data_files.iter().filter(is_new).collect();
            found.extend(further);
        }
        found
    }

    /// Settings that decide scores of which either that run or the lead alone has a record.
    pub(super) fn recorded_by_one(&self, run: &Run) -> Vec<ConfigDifference> {
        let [lead, own] = [self.lead, run].map(|run| &run.content.config);
        if lead.is_empty() || own.is_empty() {
            return Vec::new();
        }
        let mut found = config::config_differences(lead, own);
        found.retain(|one| one.one_sided() && one.role.decides_scores());
        found
    }
}

#[derive(Debug)]
pub struct PairedRun<'a> {
    pub run: &'a Run,
    /// Its samples and figures as the candidate beside the baseline's lead.
    pub pair: RunPair<'a>,
    /// What its configuration and that of the runs before it in the arm should not differ in and do.
    pub within: Vec<ConfigDifference>,
    /// Settings that decide scores of which one of the two has a record.
    pub recorded_by_one: Vec<ConfigDifference>,
    /// Places of its cells, ordered by metric and coordinates.
    pub(super) by_place: Vec<usize>,
}

/// What one run of an arm has for a cell.
#[derive(Debug, Clone, Copy)]
pub struct PairedRunCell<'p, 'a> {
    pub run: &'a Run,
    /// Its side of the cell; `None` when the run has nothing there.
    pub side: Option<&'p PairSide<'a>>,
    /// Its samples joined to those of the baseline's lead; `None` for that lead itself and
    /// without samples on both sides.
    pub table: Option<&'p TablePair<'a>>,
    /// Share of the samples asked of this run or the baseline's lead that cannot be compared.
    pub lost_share: f64,
    /// From the unit of `side` to the unit of the cell.
    scale: f64,
}

impl<'p, 'a> PairedRunCell<'p, 'a> {
    pub fn samples(&self) -> Option<&'p SampledSide<'a>> {
        self.side?.samples.as_ref()
    }

    /// The figure in the unit of the cell.
    pub fn value(&self) -> Option<f64> {
        self.side?.value().value().map(|value| value * self.scale)
    }

    /// The score of a row of the run's samples in the unit of the cell.
    pub fn score(&self, row: usize) -> Option<f64> {
        Some(self.samples()?.score(row)? * self.scale)
    }
}

impl<'a> RunPair<'a> {
    /// The joined samples of a cell of this pair.
    fn table_of(&self, cell: &CellPair<'_>) -> Option<&TablePair<'a>> {
        self.tables.get(cell.table?)
    }
}

impl<'a> ArmPair<'a> {
    pub fn name(&self, which: PairArm) -> &str {
        &self.names[which]
    }

    pub fn members(&self, which: PairArm) -> &[PairedRun<'a>] {
        &self.members[which]
    }

    /// Every run of that arm, its lead first.
    pub fn runs(&self, which: PairArm) -> impl Iterator<Item = &'a Run> {
        let members = self.members(which).iter().map(|member| member.run);
        std::iter::once(self.run(which)).chain(members)
    }

    /// Number of runs of that arm, at least 1.
    pub fn size(&self, which: PairArm) -> usize {
        1 + self.members(which).len()
    }

    /// Whether either arm has more than one run.
    pub fn is_repeated(&self) -> bool {
        PairArm::BOTH.iter().any(|&which| !self.members(which).is_empty())
    }

    /// Whether run-to-run noise is measured: by several runs in both arms, or by runs that repeat the
    /// baseline.
    pub fn has_repetitions(&self) -> bool {
        PairArm::BOTH.iter().all(|&which| self.size(which) > 1) || !self.noise.is_empty()
    }

    /// What each run of that arm has for a cell of this pair, the lead first.
    pub fn run_cells<'p>(
        &'p self,
        cell: &'p CellPair<'a>,
        which: PairArm,
    ) -> Vec<PairedRunCell<'p, 'a>> {
        let lead = PairedRunCell {
            run: self.run(which),
            side: Some(cell.side(which)),
            table: self.table_of(cell).filter(|_| which == PairArm::Candidate),
            lost_share: cell.coverage.map_or(0.0, PairCoverage::lost_share),
            scale: 1.0,
        };
        let members = self.members(which).iter().map(|member| member.run_cell(cell));
        std::iter::once(lead).chain(members).collect()
    }
}

impl<'a> PairedRun<'a> {
    /// What the run has for a cell of the pair that it belongs to.
    pub fn run_cell<'p>(&'p self, cell: &CellPair<'a>) -> PairedRunCell<'p, 'a> {
        let there = self.cell(cell);
        let coverage = there.and_then(|there| there.coverage);
        PairedRunCell {
            run: self.run,
            side: there.map(|there| &there.candidate),
            table: there.and_then(|there| self.pair.table_of(there)),
            lost_share: coverage.map_or(0.0, PairCoverage::lost_share),
            scale: there.map_or(1.0, |there| units::conversion(there.spec.unit, cell.spec.unit)),
        }
    }

    /// Notes where its cells are, after some were taken out.
    pub(super) fn order_cells(&mut self) {
        self.by_place = by_place(&self.pair.cells);
    }

    /// The same cell beside the baseline's lead. Datasets keep the spelling of the first file that names them,
    /// which may be another one in each pair.
    pub fn cell(&self, cell: &CellPair<'_>) -> Option<&CellPair<'a>> {
        let place = |at: usize| self.pair.cells.get(at).map(|one| (&one.key.metric, &one.key.dims));
        let wanted = Some((&cell.key.metric, &cell.key.dims));
        let first = self.by_place.partition_point(|&at| place(at) < wanted);
        let alike = self.by_place.iter().skip(first).take_while(|&&at| place(at) == wanted);
        let mut cells = alike.filter_map(|&at| self.pair.cells.get(at));
        cells.find(|other| {
            let [mine, theirs] = [other, cell].map(|one| one.key.dataset.as_deref());
            super::partners::same_name(mine, theirs)
        })
    }
}

/// The places of cells in the order of their metrics and coordinates.
pub(super) fn by_place(cells: &[CellPair<'_>]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..cells.len()).collect();
    places.sort_by_key(|&at| cells.get(at).map(|one| (&one.key.metric, &one.key.dims)));
    places
}
