//! Ways in which two runs come about that lead a comparison astray, and such that do not.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::files::{Sample, run_of_samples, run_of_text};
use super::{Scenario, producers};
use crate::Random;

type Pair = [Vec<Sample>; 2];

/// Samples of the baseline and of the candidate as two runs with one dataset.
pub(super) fn samples(
    design: &'static str,
    data: impl Into<String>,
    primary: &'static str,
    draw: impl Fn(&mut Random) -> Pair + Sync + 'static,
) -> Scenario {
    datasets(design, data, primary, move |random| vec![("test", draw(random))])
}

/// The same with several datasets.
fn datasets(
    design: &'static str,
    data: impl Into<String>,
    primary: &'static str,
    draw: impl Fn(&mut Random) -> Vec<(&'static str, Pair)> + Sync + 'static,
) -> Scenario {
    let write = move |random: &mut Random, folder: &Path| {
        let [mut baseline, mut candidate] = [Vec::new(), Vec::new()];
        for (name, [before, after]) in draw(random) {
            baseline.push((name, before));
            candidate.push((name, after));
        }
        Ok([
            run_of_samples(folder, "baseline", &baseline)?,
            run_of_samples(folder, "candidate", &candidate)?,
        ])
    };
    Scenario { design, data: data.into(), differs: false, primary, write: Box::new(write) }
}

pub(super) fn scenarios() -> Vec<Scenario> {
    let mut scenarios = vec![plain(200), plain(1_000), several_answers()];
    scenarios.extend(clusters());
    scenarios.extend(producers::stated());
    scenarios.extend(producers::failed_records());
    scenarios.push(duplicated());
    scenarios.extend([shared_topics(true), shared_topics(false)]);
    scenarios.extend([shared_questions(true), shared_questions(false)]);
    scenarios.extend([2, 4].map(group));
    scenarios.extend([None, Some("seed")].map(one_training));
    scenarios.extend(skewed());
    scenarios.extend(dropped());
    scenarios.push(infinite());
    scenarios.extend([0, 5, 10].map(further_metrics_null));
    scenarios.extend([0, 5, 10].map(further_metrics_power));
    scenarios
}

/// Outcomes of both arms: `agree` of the pairs are equal, the rest are gained or lost.
pub(super) fn outcomes(random: &mut Random, agree: f64, gain: f64) -> [f64; 2] {
    let outcome = |right: bool| f64::from(u8::from(right));
    if random.happens(agree) {
        let right = random.happens(0.6);
        return [outcome(right); 2];
    }
    // Of the pairs that differ, such a share more is gained than lost that the means are `gain` apart.
    let gained = random.happens(0.5 + 0.5 * gain / (1.0 - agree));
    [outcome(!gained), outcome(gained)]
}

/// So many questions with one score in each arm.
pub(super) fn scored(
    random: &mut Random,
    n: usize,
    metric: &'static str,
    mut draw: impl FnMut(&mut Random) -> [f64; 2],
) -> Pair {
    let mut pair = [Vec::with_capacity(n), Vec::with_capacity(n)];
    for number in 0..n {
        let scores = draw(random);
        for (arm, score) in pair.iter_mut().zip(scores) {
            arm.push(Sample::scored(number, metric, score));
        }
    }
    pair
}

fn plain(n: usize) -> Scenario {
    let data = format!("{n} questions, right or wrong, 20 % of the pairs differ");
    samples("one metric", data, "accuracy", move |random| {
        scored(random, n, "accuracy", |random| outcomes(random, 0.8, 0.0))
    })
}

/// Four answers to each problem on five datasets: means, pass@k, pass^k and averages of each.
fn several_answers() -> Scenario {
    const NAMES: [&str; 5] = ["algebra", "geometry", "logic", "code", "history"];
    let data = "5 datasets of 60 problems, 4 answers to each";
    datasets("several answers", data, "accuracy", |random| {
        let dataset = |random: &mut Random| {
            let mut pair: Pair = [Vec::new(), Vec::new()];
            for number in 0..60 {
                let ease = random.uniform();
                for arm in &mut pair {
                    for _ in 0..4 {
                        let score = f64::from(u8::from(random.happens(ease)));
                        arm.push(Sample::scored(number, "accuracy", score));
                    }
                }
            }
            pair
        };
        NAMES.map(|name| (name, dataset(random))).into()
    })
}

/// Twenty clusters of ten; what a cluster shares makes an intraclass correlation near 0.3.
fn clusters() -> Vec<Scenario> {
    let fields = [
        (Some("passage"), "in a field `passage`"),
        (Some("topic"), "in a field `topic`"),
        (Some("batch_tag"), "in a field `batch_tag`"),
        (None, "in no field"),
        (None, APART),
    ];
    let scenario = |(field, place): (Option<&'static str>, &'static str)| {
        let data = format!("20 clusters of 10, ICC 0.3, {place}");
        samples("hidden clusters", data, "accuracy", move |random| {
            let mut pair: Pair = [Vec::new(), Vec::new()];
            for cluster in 0..20 {
                let lean = 0.2 * random.normal().clamp(-2.0, 2.0);
                for position in 0..10 {
                    let number = 10 * cluster + position;
                    let at = random.uniform();
                    let difference = match at {
                        at if at < 0.25 + lean => 1.0,
                        at if at > 0.75 + lean => -1.0,
                        _ => 0.0,
                    };
                    let right = random.happens(0.5);
                    let scores = match difference {
                        d if d > 0.0 => [0.0, 1.0],
                        d if d < 0.0 => [1.0, 0.0],
                        _ => [f64::from(u8::from(right)); 2],
                    };
                    for (arm, score) in pair.iter_mut().zip(scores) {
                        let sample = Sample::scored(number, "accuracy", score);
                        arm.push(match field {
                            Some(field) => sample.labelled(field, &format!("c{cluster}")),
                            None => sample,
                        });
                    }
                }
            }
            if place == APART { shuffled(random, pair) } else { pair }
        })
    };
    fields.map(scenario).into()
}

/// Where clusters cannot be seen: their samples do not stand next to each other.
const APART: &str = "in no field, in a file of another order";

/// Both arms in one other order, by which their samples are numbered anew.
fn shuffled(random: &mut Random, pair: Pair) -> Pair {
    let mut order: Vec<(f64, usize)> =
        (0..pair[0].len()).map(|at| (random.uniform(), at)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    pair.map(|arm| {
        let numbered = order.iter().enumerate();
        numbered.map(|(number, &(_, at))| arm[at].clone().numbered(number)).collect()
    })
}

/// An outcome that is gained with a quarter and that lean, and lost with a quarter less it.
fn leaning(random: &mut Random, lean: f64) -> [f64; 2] {
    match random.uniform() {
        at if at < 0.25 + lean => [0.0, 1.0],
        at if at > 0.75 + lean => [1.0, 0.0],
        _ => [f64::from(u8::from(random.happens(0.5))); 2],
    }
}

/// What is gained or lost together, or nothing.
fn leans(random: &mut Random, count: usize, together: bool) -> Vec<f64> {
    let lean = |_| if together { 0.2 * random.normal().clamp(-1.2, 1.2) } else { 0.0 };
    (0..count).map(lean).collect()
}

const SUITE: [&str; 4] = ["algebra", "geometry", "logic", "history"];

/// Ten topics that every dataset asks about, gained and lost together over all of them, or not.
fn shared_topics(together: bool) -> Scenario {
    let how = if together { "as a whole" } else { "question by question" };
    let data = format!("4 datasets of 100 questions over 10 topics, won {how}");
    datasets("shared topics", data, "accuracy", move |random| {
        let leans = leans(random, 10, together);
        let dataset = |(place, name): (usize, &'static str)| {
            let mut pair: Pair = [Vec::new(), Vec::new()];
            for number in 0..100 {
                let scores = leaning(random, leans[number % 10]);
                for (arm, score) in pair.iter_mut().zip(scores) {
                    let sample = Sample::scored(100 * place + number, "accuracy", score);
                    arm.push(sample.labelled("topic", &format!("t{}", number % 10)));
                }
            }
            (name, pair)
        };
        SUITE.into_iter().enumerate().map(dataset).collect()
    })
}

/// Questions in four languages under one id each, gained and lost together, or equal numbers of others.
fn shared_questions(together: bool) -> Scenario {
    let how = if together { "one question in 4 languages" } else { "4 questions" };
    let data = format!("4 datasets of 150 questions, equal ids are {how}");
    datasets("equal ids", data, "accuracy", move |random| {
        let leans = leans(random, 150, together);
        let dataset = |name: &'static str| {
            let mut pair: Pair = [Vec::new(), Vec::new()];
            for (number, lean) in leans.iter().enumerate() {
                let scores = leaning(random, *lean);
                for (arm, score) in pair.iter_mut().zip(scores) {
                    let sample = Sample::scored(number, "accuracy", score);
                    arm.push(sample.asking(format!("{name}: question {number}")));
                }
            }
            (name, pair)
        };
        SUITE.into_iter().map(dataset).collect()
    })
}

fn duplicated() -> Scenario {
    let data = "40 questions, each under 5 ids";
    samples("duplicated questions", data, "accuracy", |random| {
        let mut pair: Pair = [Vec::new(), Vec::new()];
        for question in 0..40 {
            let eases = [random.uniform(), random.uniform()];
            for copy in 0..5 {
                for (arm, ease) in pair.iter_mut().zip(eases) {
                    let score = f64::from(u8::from(random.happens(ease)));
                    let sample = Sample::scored(5 * question + copy, "accuracy", score);
                    arm.push(sample.asking(format!("question {question}")));
                }
            }
        }
        pair
    })
}

/// Results as lm-evaluation-harness writes them: a group beside its subtasks.
fn group(subtasks: usize) -> Scenario {
    let write = move |random: &mut Random, folder: &Path| {
        let run = |random: &mut Random, name| {
            let n = 200.0;
            let (mut parts, mut list, mut sum) = (String::new(), String::new(), 0.0);
            for part in 0..subtasks {
                let right = (0..200).filter(|_| random.happens(0.6)).count() as f64;
                let (mean, stderr) =
                    (right / n, (right / n * (1.0 - right / n) / (n - 1.0)).sqrt());
                sum += mean;
                let _ = write!(
                    parts,
                    "\"suite_{part}\":{{\"alias\":\" - {part}\",\"acc,none\":{mean},\"acc_stderr,none\":{stderr}}},"
                );
                let _ = write!(list, "{}\"suite_{part}\"", if part == 0 { "" } else { "," });
            }
            let mean = sum / subtasks as f64;
            let stderr = (mean * (1.0 - mean) / (n * subtasks as f64 - 1.0)).sqrt();
            let sizes: Vec<String> = (0..subtasks)
                .map(|part| format!("\"suite_{part}\":{{\"original\":200,\"effective\":200}}"))
                .collect();
            let row =
                format!("{{\"acc,none\":{mean},\"acc_stderr,none\":{stderr},\"alias\":\"suite\"}}");
            let text = format!(
                "{{\"results\":{{{parts}\"suite\":{row}}},\"groups\":{{\"suite\":{row}}},\"group_subtasks\":{{\"suite\":[{list}]}},\"n-samples\":{{{}}},\"higher_is_better\":{{\"suite\":{{\"acc\":true}}}}}}",
                sizes.join(",")
            );
            run_of_text(folder, name, "results_2026-01-01T00-00-00.json", &text)
        };
        Ok([run(random, "baseline")?, run(random, "candidate")?])
    };
    Scenario {
        design: "groups",
        data: format!("a group beside its {subtasks} subtasks of 200"),
        differs: false,
        primary: "accuracy",
        write: Box::new(write),
    }
}

/// One training in each arm, whose seeds move accuracy by 3.4 pp; the recipe is the same.
fn one_training(seed: Option<&'static str>) -> Scenario {
    let recorded = if seed.is_some() { "equal seeds recorded" } else { "no seed recorded" };
    let write = move |random: &mut Random, folder: &Path| {
        let eases: Vec<f64> = (0..500).map(|_| random.uniform()).collect();
        let run = |random: &mut Random, name: &str, rate: f64| -> std::io::Result<PathBuf> {
            let shift = 0.034 * random.normal();
            let scored = eases.iter().enumerate().map(|(number, ease)| {
                let score = f64::from(u8::from(random.happens(ease + shift)));
                Sample::scored(number, "accuracy", score)
            });
            let scored: Vec<Sample> = scored.collect();
            let run = run_of_samples(folder, name, &[("test", scored)])?;
            let seed = seed.map_or(String::new(), |seed| format!("{seed}: 7\n"));
            std::fs::write(run.join("config.yaml"), format!("{seed}learning_rate: {rate}\n"))?;
            Ok(run)
        };
        Ok([run(random, "baseline", 1e-5)?, run(random, "candidate", 2e-5)?])
    };
    Scenario {
        design: "one training each",
        data: format!("500 questions, seeds move accuracy by 3.4 pp, {recorded}"),
        differs: false,
        primary: "accuracy",
        write: Box::new(write),
    }
}

fn skewed() -> Vec<Scenario> {
    type Draw = fn(&mut Random) -> f64;
    let shapes: [(&'static str, Draw); 4] = [
        ("log-normal less its mean", |random| random.normal().exp() - 0.5_f64.exp()),
        ("rare loss, common gain", |random| if random.happens(0.05) { -19.0 } else { 1.0 }),
        ("90 % zero, else exponential in either arm", |random| {
            let mut score = || if random.happens(0.9) { 0.0 } else { random.exponential() };
            score() - score()
        }),
        ("t with 3 df", Random::t3),
    ];
    let mut scenarios = Vec::new();
    for n in [20, 50, 200] {
        for (name, draw) in shapes {
            let data = format!("{n} samples, differences: {name}");
            scenarios.push(samples("skewed differences", data, "judge_score", move |random| {
                scored(random, n, "judge_score", |random| {
                    let shared = 10.0 * random.normal();
                    [shared, shared + draw(random)]
                })
            }));
        }
    }
    scenarios
}

/// The candidate's worst samples are missing.
fn dropped() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for percent in [1, 3, 5] {
        let data =
            format!("500 normal scores without bounds, the candidate's worst {percent} % lost");
        scenarios.push(samples("lost samples", data, "judge_score", move |random| {
            let [before, after] = scored(random, 500, "judge_score", |random| {
                let shared = random.normal();
                [shared + random.normal(), shared + random.normal()]
            });
            let score = |sample: &Sample| -> f64 {
                sample.fields.first().and_then(|(_, score)| score.parse().ok()).unwrap_or(0.0)
            };
            let mut order: Vec<usize> = (0..after.len()).collect();
            order.sort_by(|&a, &b| score(&after[a]).total_cmp(&score(&after[b])));
            let lost = &order[..5 * percent];
            let kept = after.into_iter().enumerate().filter(|(row, _)| !lost.contains(row));
            [before, kept.map(|(_, sample)| sample).collect()]
        }));
    }
    let data = "200 questions, right or wrong, 4 % of the candidate's wrong answers lost";
    scenarios.push(samples("lost samples", data, "accuracy", |random| {
        let [before, after] = scored(random, 200, "accuracy", |random| outcomes(random, 0.8, 0.0));
        let wrong = |sample: &Sample| sample.fields.iter().any(|(_, score)| score == "0");
        let kept = after.into_iter().filter(|sample| !(wrong(sample) && random.happens(0.1)));
        [before, kept.collect()]
    }));
    scenarios
}

/// Perplexities of which the candidate has three that are infinite.
fn infinite() -> Scenario {
    let data = "200 perplexities, 3 of the candidate's worst infinite";
    samples("infinite scores", data, "perplexity", |random| {
        let [before, mut after] = scored(random, 200, "perplexity", |random| {
            let shared = random.normal();
            [(shared + 0.3 * random.normal()).exp(), (shared + 0.3 * random.normal()).exp()]
        });
        for sample in after.iter_mut().take(3) {
            sample.fields = vec![("perplexity", "Infinity".to_owned())];
        }
        [before, after]
    })
}

/// Accuracy with an error type and so many further scores beside it.
fn with_further(random: &mut Random, n: usize, further: usize, agree: f64, gain: f64) -> Pair {
    const FURTHER: [&str; 9] = [
        "format_score",
        "style_score",
        "safety_score",
        "fluency_score",
        "brevity_score",
        "citation_score",
        "tone_score",
        "coverage_score",
        "depth_score",
    ];
    const ERRORS: [&str; 4] = ["wrong_answer", "syntax_error", "timeout", "runtime_error"];
    let mut pair: Pair = [Vec::new(), Vec::new()];
    for number in 0..n {
        let scores = outcomes(random, agree, gain);
        let base = random.normal();
        for (arm, score) in pair.iter_mut().zip(scores) {
            let mut sample = Sample::scored(number, "accuracy", score);
            if further > 0 {
                let error = ERRORS[random.between(0, 3)];
                sample = sample.labelled("error_type", if score > 0.0 { "success" } else { error });
            }
            for name in FURTHER.iter().take(further.saturating_sub(1)) {
                sample = sample.with(name, base + random.normal());
            }
            arm.push(sample);
        }
    }
    pair
}

fn further_metrics_null(further: usize) -> Scenario {
    let data = format!("500 questions, {further} further metrics, no difference");
    samples("further metrics", data, "accuracy", move |random| {
        with_further(random, 500, further, 0.8, 0.0)
    })
}

fn further_metrics_power(further: usize) -> Scenario {
    let data =
        format!("1,000 questions, +3 pp in 13 % of differing pairs, {further} further metrics");
    let scenario = samples("further metrics", data, "accuracy", move |random| {
        with_further(random, 1_000, further, 0.87, 0.03)
    });
    Scenario { differs: true, ..scenario }
}
