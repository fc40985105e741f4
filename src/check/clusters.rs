//! Samples that belong together: which field says so, and where it says nothing.

use super::samples::about;
use crate::diag::{Code, Diagnostic, Fact};
use crate::model::Clustering;
use crate::pairing::{ArmPair, PairClusters, PairPartition, TablePair, Unused};

pub(super) fn check_clusters(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    pair.tables.iter().flat_map(cluster_findings).collect()
}

fn cluster_findings(tables: &TablePair<'_>) -> Vec<Diagnostic> {
    let PairClusters { asked, used, unused, lacking } = &tables.clusters;
    let mut found = Vec::new();
    match (asked, used) {
        (Clustering::Key(key), _) if *lacking => {
            found.push(about(Code::ClusterFieldLacking, tables).about_key(key));
        }
        (Clustering::Key(key), None) if !tables.join.pairs.is_empty() => {
            let paired = tables.join.pairs.len();
            let single = about(Code::ClusterFieldSingle, tables).key(key);
            found.push(single.with("key", key.as_str()).with("paired", paired));
        }
        (Clustering::Off, _) if !tables.join.pairs.is_empty() => {
            let keys = unused.iter().map(|other| Fact::named(other.key.as_str(), other.count));
            let keys: Vec<Fact> = keys.collect();
            let keys = if keys.is_empty() { Fact::from("—") } else { keys.into() };
            found.push(about(Code::ClusteringOff, tables).with("keys", keys));
        }
        (_, Some(used)) => {
            found.extend(unused.iter().filter_map(|other| rival(tables, used, other)));
            found.extend(partly(tables, used));
        }
        _ => {}
    }
    found
}

fn rival(tables: &TablePair<'_>, used: &PairPartition, other: &Unused) -> Option<Diagnostic> {
    let code = if other.nested { Code::ClustersNested } else { Code::ClustersCrossed };
    // Two names of the same clusters leave nothing to choose.
    let differs = !other.nested || other.count != used.count;
    differs.then(|| {
        about(code, tables)
            .about_key(&used.key)
            .with("clusters", used.count)
            .with("other", other.key.as_str())
            .with("other_clusters", other.count)
    })
}

fn partly(tables: &TablePair<'_>, used: &PairPartition) -> Option<Diagnostic> {
    let &(row, _) = tables.join.pairs.get(used.first_alone?)?;
    Some(
        about(Code::PartlyClustered, tables)
            .about_key(&used.key)
            .with("count", used.alone)
            .with("paired", tables.join.pairs.len())
            .at(tables.baseline.source(row as usize, "").location()),
    )
}
