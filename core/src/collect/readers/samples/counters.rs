//! Seeds, steps and epochs of records that lay out no grid: a seed of each answer, the steps that an
//! agent took.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::coordinates::RecordCoordinates;
use super::growing_table::{GrowingTable, TableKey};
use super::several_runs::Tables;

/// Fewer records to each seed, on average, are answers with a seed of their own.
const RECORDS_TO_SEED: usize = 2;
/// Records of a grid are written point by point; where they change more often than so many times to
/// each point, and no id stands at two points, the number says something of the answer.
const CHANGES_TO_POINT: usize = 2;

/// The tables without those coordinates; `changes` is how often a record of the file belongs to another
/// table than the one before.
pub(super) fn folded(mut tables: Tables, changes: usize) -> Tables {
    let is_mixed = changes > CHANGES_TO_POINT * tables.len();
    let counters: [fn(&mut RecordCoordinates); 3] =
        [|at| at.seed = None, |at| at.step = None, |at| at.epoch = None];
    for (place, forget) in counters.into_iter().enumerate() {
        let is_seed = place == 0;
        let folds = |group: &[&TableKey]| {
            let own = || group.iter().filter_map(|key| tables.get(*key));
            let records: usize = own().map(GrowingTable::len).sum();
            let to_each = is_seed && records < RECORDS_TO_SEED * group.len();
            to_each || (is_seed || is_mixed) && are_disjoint(own().map(GrowingTable::id_hashes))
        };
        let mut groups: IndexMap<TableKey, Vec<&TableKey>> = IndexMap::new();
        for key in tables.keys() {
            groups.entry(key.at_other(forget)).or_default().push(key);
        }
        let folding: Vec<TableKey> = groups
            .into_iter()
            .filter(|(_, keys)| keys.len() > 1 && folds(keys))
            .map(|(key, _)| key)
            .collect();
        if !folding.is_empty() {
            tables = fold(tables, &folding, forget);
        }
    }
    tables
}

fn fold(tables: Tables, folding: &[TableKey], forget: fn(&mut RecordCoordinates)) -> Tables {
    let mut found = Tables::new();
    for (key, table) in tables {
        let wide = key.at_other(forget);
        let key = if folding.contains(&wide) { wide } else { key };
        match found.get_mut(&key) {
            Some(known) => known.append(table),
            None => {
                found.insert(key, table);
            }
        }
    }
    found
}

/// Whether no id stands in two of the tables.
fn are_disjoint<'t>(tables: impl Iterator<Item = &'t [u64]>) -> bool {
    let mut places: BTreeMap<u64, usize> = BTreeMap::new();
    tables.enumerate().all(|(at, ids)| ids.iter().all(|&id| *places.entry(id).or_insert(at) == at))
}
