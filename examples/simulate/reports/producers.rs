//! What producers do of which a comparison has to know: figures over clusters, failures scored as
//! wrong answers.

use std::path::Path;

use super::Scenario;
use super::designs::{outcomes, samples, scored};
use super::files::{Sample, run_of_text};
use crate::Random;

/// Shares over clusters of answers as a file of figures states them, with what it says of the clusters.
pub(super) fn stated() -> Vec<Scenario> {
    type Beside = fn(f64, f64) -> String;
    let said: [(&'static str, Beside); 3] = [
        ("clusters stated", |_, _| "\"n_clusters\":40".to_owned()),
        ("interval stated", |mean, error| {
            format!("\"ci_low\":{},\"ci_high\":{}", mean - 2.02 * error, mean + 2.02 * error)
        }),
        ("standard error stated", |_, error| format!("\"accuracy_stderr\":{error}")),
    ];
    let scenario = |(what, beside): (&'static str, Beside)| {
        let write = move |random: &mut Random, folder: &Path| {
            let mut run = |name| {
                let share = |random: &mut Random| {
                    let ease = (0.6 + 0.2 * random.normal()).clamp(0.0, 1.0);
                    (0..50).filter(|_| random.happens(ease)).count() as f64 / 50.0
                };
                let shares: Vec<f64> = (0..40).map(|_| share(random)).collect();
                let mean = shares.iter().sum::<f64>() / 40.0;
                let squares: f64 = shares.iter().map(|share| (share - mean).powi(2)).sum();
                let beside = beside(mean, (squares / 39.0 / 40.0).sqrt());
                let text = format!("{{\"accuracy\":{mean},\"n\":2000,{beside}}}");
                run_of_text(folder, name, "metrics.json", &text)
            };
            Ok([run("baseline")?, run("candidate")?])
        };
        Scenario {
            design: "stated figures",
            data: format!("2,000 answers in 40 clusters, {what}"),
            differs: false,
            primary: "accuracy",
            write: Box::new(write),
        }
    };
    said.map(scenario).into()
}

/// Requests of the candidate that failed and were scored as wrong answers.
pub(super) fn failed_records() -> Vec<Scenario> {
    let said: [(&str, &str); 3] =
        [("prediction", "\"N/A\""), ("response", "\"\""), ("error_message", "\"503 unavailable\"")];
    let scenario = |(field, value): (&'static str, &'static str)| {
        let data =
            format!("500 questions, 6 % of the candidate's failed and scored 0, `{field}` says so");
        samples("failed records", data, "accuracy", move |random| {
            let [before, after] =
                scored(random, 500, "accuracy", |random| outcomes(random, 0.8, 0.0));
            let plain = if field == "error_message" { "null" } else { "\"an answer\"" };
            let before = before.into_iter().map(|sample| sample.with(field, plain)).collect();
            let after = after.into_iter().map(|sample| {
                if random.happens(0.06) {
                    let fields = vec![("accuracy", "0".to_owned())];
                    return Sample { fields, ..sample }.with(field, value);
                }
                sample.with(field, plain)
            });
            [before, after.collect()]
        })
    };
    said.map(scenario).into()
}
