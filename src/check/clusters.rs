//! Samples that belong together: which field says so, and where it says nothing.

use super::Check;
use super::samples::about;
use crate::diag::{Code, Diagnostic, Explanation};
use crate::group::{ArmPair, Clusters, Partition, TablePair, Unused};
use crate::model::Clustering;

pub(super) const CHECK: Check = Check { id: "clusters", explained: EXPLAINED, run };

const EXPLAINED: &[Explanation] = &[
    Explanation::new(
        Code::ClustersNested,
        "Two fields could say which samples belong together, and each group of the one lies \
         within a group of the other. The coarser one is taken. Two names of the same groups are \
         not told.",
        "The coarser groups cover the finer ones, so intervals are the careful ones. If the \
         coarser field says nothing about dependence, they are wider than they need to be; \
         `--cluster` chooses the other.",
    ),
    Explanation::new(
        Code::ClustersCrossed,
        "Two fields could say which samples belong together, and they cross: neither lies within \
         the other. The one with fewer groups is taken, and the other is not accounted for.",
        "Samples that share the second field are treated as independent although they may not \
         be. Intervals can come out too narrow, and a difference can look more certain than it \
         is.",
    ),
    Explanation::new(
        Code::PartlyClustered,
        "Samples are grouped by a field, and some pairs have no value in it in either arm. Each \
         of them counts as a group of its own. The finding gives their number and the first of \
         them.",
        "If they belong together, for example because the field was added halfway through, their \
         dependence is ignored and intervals come out too narrow.",
    ),
    Explanation::new(
        Code::ClusteringOff,
        "`--cluster none` or `cluster = \"none\"` was given, and samples were paired. Every \
         sample counts as independent; the fields that could have grouped them are named with \
         the number of their groups.",
        "Questions about one passage or one image are right or wrong together. Taken as \
         independent, a hundred questions about five passages look like a hundred pieces of \
         evidence.",
    ),
    Explanation::new(
        Code::ClusterFieldLacking,
        "The field that `--cluster` names is in the samples of another dataset, but in no record \
         of this one, in either arm. The dataset gets no verdict. A field that no sample of any \
         run has is refused before anything is compared.",
        "Whoever names a field says that samples are not independent. Without the field nothing \
         tells which belong together, and a test that takes them as independent would be too \
         sure of itself.",
    ),
    Explanation::new(
        Code::ClusterFieldSingle,
        "The field that `--cluster` names has another value in each paired sample of a dataset. \
         It groups nothing, and every sample stands for itself, as without the flag.",
        "Usually an id was named instead of the passage, image or repository. The intervals are \
         then those of independent samples, which is what the flag was meant to prevent.",
    ),
];

fn run(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    pair.tables.iter().flat_map(of_tables).collect()
}

fn of_tables(tables: &TablePair<'_>) -> Vec<Diagnostic> {
    let Clusters { asked, used, unused, lacking } = &tables.clusters;
    let mut found = Vec::new();
    match (asked, used) {
        (Clustering::Key(key), _) if *lacking => {
            found.push(about(Code::ClusterFieldLacking, tables).key(key).with("key", key.as_str()));
        }
        (Clustering::Key(key), None) if !tables.join.pairs.is_empty() => {
            let paired = tables.join.pairs.len();
            let single = about(Code::ClusterFieldSingle, tables).key(key);
            found.push(single.with("key", key.as_str()).with("paired", paired));
        }
        (Clustering::Off, _) if !tables.join.pairs.is_empty() => {
            let keys = unused.iter().map(|other| format!("{} ({})", other.key, other.count));
            let keys = keys.reduce(|all, one| format!("{all}, {one}"));
            let keys = keys.unwrap_or_else(|| "—".to_owned());
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

fn rival(tables: &TablePair<'_>, used: &Partition, other: &Unused) -> Option<Diagnostic> {
    let code = if other.nested { Code::ClustersNested } else { Code::ClustersCrossed };
    // Two names of the same clusters leave nothing to choose.
    let differs = !other.nested || other.count != used.count;
    differs.then(|| {
        about(code, tables)
            .key(&used.key)
            .with("key", used.key.as_str())
            .with("clusters", used.count)
            .with("other", other.key.as_str())
            .with("other_clusters", other.count)
    })
}

fn partly(tables: &TablePair<'_>, used: &Partition) -> Option<Diagnostic> {
    let &(row, _) = tables.join.pairs.get(used.first_alone?)?;
    Some(
        about(Code::PartlyClustered, tables)
            .key(&used.key)
            .with("key", used.key.as_str())
            .with("count", used.alone)
            .with("paired", tables.join.pairs.len())
            .at(tables.baseline.source(row as usize, "").location()),
    )
}
