//! Cases of figures that state their own uncertainty: an interval, a standard error, clusters.

use serde_json::{Value, json};

use super::Expected::{Raised, Silent, Verdict};
use super::{Case, Files, case};
use crate::cases::cases;

const N: u64 = 2000;

cases![
    shares_by_their_samples_alone =
        case(figures(|share| json!({ "accuracy": share, "n": N })), &[], certain()),
    ends_of_an_interval_beside_a_share = case(
        figures(|share| {
            json!({ "accuracy": share, "n": N, "accuracy_ci_low": share - 0.08, "accuracy_ci_high": share + 0.08 })
        }),
        &[],
        as_uncertain_as_stated()
    ),
    ends_of_an_interval_that_name_no_metric = case(
        figures(|share| {
            json!({ "accuracy": share, "n": N, "ci_lower": share - 0.08, "ci_upper": share + 0.08 })
        }),
        &[],
        as_uncertain_as_stated()
    ),
    an_interval_inside_a_figure = case(
        figures(
            |share| json!({ "accuracy": { "value": share, "n": N, "ci95": [share - 0.08, share + 0.08] } })
        ),
        &[],
        as_uncertain_as_stated()
    ),
    an_interval_in_a_table = case(
        table("accuracy,n,accuracy_ci_low,accuracy_ci_high", |share| {
            format!("{share},{N},{:.2},{:.2}", share - 0.08, share + 0.08)
        }),
        &[],
        as_uncertain_as_stated()
    ),
    half_of_an_interval_in_a_table = case(
        table("accuracy,ci95,n", |share| format!("{share},0.08,{N}")),
        &[],
        as_uncertain_as_stated()
    ),
    an_interval_as_wide_as_the_samples_make_it = case(
        figures(|share| {
            let half = 1.96 * (share * (1.0 - share) / N as f64).sqrt();
            json!({ "accuracy": share, "n": N, "ci": [share - half, share + half] })
        }),
        &[],
        certain()
    ),
    an_interval_narrower_than_the_samples_make_it_does_not_count = case(
        figures(|share| json!({ "accuracy": share, "n": 400, "ci": [share - 0.03, share + 0.03] })),
        &[],
        vec![Verdict("accuracy", "inconclusive"), Silent("R161"),]
    ),
    an_interval_of_another_figure = case(
        figures(|share| json!({ "accuracy": share, "n": N, "ci_low": 0.1, "ci_high": 0.2 })),
        &[],
        certain()
    ),
    a_standard_error_wider_than_that_of_the_samples = case(
        figures(|share| json!({ "accuracy": share, "n": N, "accuracy_stderr": 0.04 })),
        &[],
        as_uncertain_as_stated()
    ),
    a_standard_error_narrower_than_that_of_the_samples = case(
        figures(|share| json!({ "accuracy": share, "n": 400, "accuracy_stderr": 0.016 })),
        &[],
        vec![Verdict("accuracy", "inconclusive")]
    ),
    clusters_stand_for_the_samples = case(
        figures(|share| json!({ "accuracy": share, "n": N, "n_clusters": 40 })),
        &[],
        vec![Raised("R190"), Verdict("accuracy", "inconclusive")]
    ),
    clusters_in_a_table_stand_for_the_samples = case(
        table("n_clusters,accuracy,n", |share| format!("40,{share},{N}")),
        &[],
        vec![Raised("R190"), Verdict("accuracy", "inconclusive")]
    ),
    an_effect_that_clusters_cannot_explain = case(
        [0.3, 0.8].map(|share| {
            one_file(
                "metrics.json",
                json!({ "accuracy": share, "n": N, "effective_n": 60 }).to_string(),
            )
        }),
        &[],
        vec![Raised("R190"), Verdict("accuracy", "better")]
    ),
    as_many_clusters_as_samples = case(
        figures(|share| json!({ "accuracy": share, "n": N, "n_clusters": N })),
        &[],
        certain()
    ),
    clusters_beside_a_standard_error_that_allows_for_them = case(
        figures(
            |share| json!({ "accuracy": share, "n": N, "n_clusters": 200, "accuracy_stderr": 0.015 })
        ),
        &[],
        vec![Raised("R190"), Verdict("accuracy", "better")]
    ),
];

fn certain() -> Vec<super::Expected> {
    vec![Verdict("accuracy", "better"), Silent("R190")]
}

fn as_uncertain_as_stated() -> Vec<super::Expected> {
    vec![Verdict("accuracy", "inconclusive"), Silent("R161"), Silent("R190")]
}

fn one_file(name: &'static str, text: String) -> Files {
    vec![(name, text)]
}

/// Two shares that differ by more than the samples leave to chance.
fn figures(of_share: impl Fn(f64) -> Value) -> [Files; 2] {
    [0.6, 0.66].map(|share| one_file("metrics.json", of_share(share).to_string()))
}

/// The same in a table of one row.
fn table(head: &str, row: impl Fn(f64) -> String) -> [Files; 2] {
    [0.6, 0.66]
        .map(|share| one_file("results.csv", format!("dataset,{head}\nmmlu,{}\n", row(share))))
}
