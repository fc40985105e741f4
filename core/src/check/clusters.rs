//! Samples that belong together: which field says so, and where it says nothing.

use indexmap::IndexMap;

use super::samples::about;
use crate::diag::{Code, Diagnostic, Fact, Severity};
use crate::model::Clustering;
use crate::pairing::{
    ArmPair, DatasetOverlap, PairClusters, PairPartition, PossibleClusters, TablePair, Unused,
};

pub(super) fn check_clusters(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = pair.tables.iter().flat_map(cluster_findings).collect();
    found.extend(shared_questions(pair));
    found
}

/// For each dataset that shares questions with one before it, the one it shares most with; told once for
/// all grid points.
fn shared_questions(pair: &ArmPair<'_>) -> Vec<Diagnostic> {
    let mut found = IndexMap::<_, (usize, Diagnostic)>::new();
    let overlaps = pair.shared_questions.iter().flat_map(|shared| &shared.overlaps);
    for &DatasetOverlap { tables, samples, of } in overlaps {
        let [smaller, other] = tables.map(|index| pair.tables[index].baseline.dataset.as_deref());
        let later = if tables[0] > tables[1] { smaller } else { other };
        let finding = Diagnostic::new(Code::SharedQuestions)
            .about_dataset(smaller)
            .with("other", other.unwrap_or_default())
            .with("samples", samples)
            .with("of", of);
        let most = found.entry(later).or_insert_with(|| (samples, finding.clone()));
        if samples > most.0 {
            *most = (samples, finding);
        }
    }
    found.into_values().map(|(_, finding)| finding).collect()
}

fn cluster_findings(tables: &TablePair<'_>) -> Vec<Diagnostic> {
    let PairClusters { asked, used, unused, lacking, possible: _ } = &tables.clusters;
    let mut found: Vec<Diagnostic> = repeated(tables).into_iter().collect();
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
            let fields = unused.iter().filter(|other| !other.by_content);
            let keys = fields.map(|other| Fact::named(other.key.as_str(), other.count));
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

/// Content that stands behind several ids, in the arm with fewer contents.
fn repeated(tables: &TablePair<'_>) -> Option<Diagnostic> {
    let sides = [&tables.join.baseline, &tables.join.candidate];
    let found = sides.iter().filter_map(|side| side.repeated.as_ref());
    let found = found.min_by_key(|repeated| repeated.contents)?;
    let PairClusters { asked, used, possible, .. } = &tables.clusters;
    let (use_made, severity) = match (asked, used) {
        (Clustering::Off, _) => ("ignored", Severity::Warning),
        (Clustering::Key(_), _) => ("chosen", Severity::Info),
        (Clustering::Automatic, Some(used)) if !used.by_content => ("coarser", Severity::Info),
        // What a field says as well is a setting.
        (Clustering::Automatic, None) if !tables.join.pairs.is_empty() => {
            let says_no_field = possible.iter().any(PossibleClusters::is_content);
            ("parts", if says_no_field { Severity::Warning } else { Severity::Info })
        }
        (Clustering::Automatic, _) => ("used", Severity::Info),
    };
    let key = used.as_ref().map_or("", |used| used.key.as_str());
    let finding = about(Code::RepeatedContent, tables)
        .with("samples", found.samples)
        .with("contents", found.contents)
        .with("field", key)
        .with("use", use_made);
    Some(Diagnostic { severity, ..finding })
}

fn rival(tables: &TablePair<'_>, used: &PairPartition, other: &Unused) -> Option<Diagnostic> {
    let code = if other.nested { Code::ClustersNested } else { Code::ClustersCrossed };
    // What lies within the clusters and is no field is told apart from them elsewhere.
    if other.by_content && other.nested {
        return None;
    }
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
