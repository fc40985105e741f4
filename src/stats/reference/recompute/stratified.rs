//! Shares within strata.

use super::{Fields, Inputs, Recompute, flatten, whole};
use serde_json::Value;

use crate::stats::Counts;
use crate::stats::proportions::stratified;

/// Method names and their functions.
pub(super) static METHODS: &[(&str, Recompute)] =
    &[("cochran_mantel_haenszel", cochran_mantel_haenszel)];

fn cochran_mantel_haenszel(inputs: &Inputs) -> Option<Fields> {
    let tables = inputs.get("tables")?.as_array()?;
    let tables = tables.iter().map(table).collect::<Option<Vec<_>>>()?;
    let strata: Vec<(Counts, Counts)> =
        tables.into_iter().filter_map(|(first, second)| first.zip(second)).collect();
    let test = stratified::cochran_mantel_haenszel(&strata);
    Some(vec![
        ("p_nocc", vec![test.p]),
        ("stat", vec![test.statistic]),
        ("or_mh", vec![test.odds_ratio.unwrap_or(f64::NAN)]),
    ])
}

/// Rows are arms, columns successes and failures; an arm without samples is none.
fn table(cells: &Value) -> Option<(Option<Counts>, Option<Counts>)> {
    let cells = flatten(cells).into_iter().map(whole).collect::<Option<Vec<u64>>>()?;
    let [a, b, c, d] = cells[..] else { return None };
    Some((Counts::new(a, a + b), Counts::new(c, c + d)))
}
