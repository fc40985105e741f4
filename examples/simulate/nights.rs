//! Metrics watched over nights: alarms without a change, and how late one with a change is.

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use reportgen::stats::nights::{AlarmBudget, LevelChange, Night, flip_variance, watch_nights};
use reportgen::stats::resampling::random::RandomStream;

use crate::Random;

/// Metrics that share the false alarms, and how many are allowed in a year.
const METRICS: u64 = 300;
const ALLOWED: f64 = 4.0;

/// Histories with a change that are drawn for each line, and nights that they are watched for.
const CHANGES: u64 = 2_000;
const PATIENCE: usize = 150;

/// One night's figure without the change.
type Nights = Vec<Option<Night>>;

fn budget() -> AlarmBudget {
    AlarmBudget::new(METRICS, ALLOWED).expect("above 0")
}

pub(crate) fn tables() -> Vec<String> {
    let mut lines = vec![
        "| nights without a change | years | raised | confirmed |".to_owned(),
        "|---|--:|--:|--:|".to_owned(),
    ];
    lines.extend(quiet_lines());
    lines.push(String::new());
    lines.push(
        "| change | nights before | raised | confirmed | never | night covered | size covered |"
            .to_owned(),
    );
    lines.push("|---|--:|--:|--:|--:|--:|--:|".to_owned());
    lines.extend(change_lines());
    lines
}

/// Draws the nights of one metric.
type Draw = fn(&mut Random, usize) -> Nights;

fn quiet_lines() -> Vec<String> {
    let rows: [(&str, u64, usize, Draw); 9] = [
        ("normal, variance unknown", 1, 20, normal),
        ("normal, variance unknown", 20, 2, normal),
        ("normal, a tenth of the nights missing", 20, 2, |random, nights| {
            let night =
                |night: Option<Night>, random: &mut Random| night.filter(|_| !random.happens(0.1));
            normal(random, nights).into_iter().map(|one| night(one, random)).collect()
        }),
        ("each night 0.3 of the one before", 20, 2, |random, nights| {
            remembered(random, nights, 0.3)
        }),
        ("each night 0.6 of the one before", 20, 2, |random, nights| {
            remembered(random, nights, 0.6)
        }),
        ("Student's t with 5 degrees of freedom", 20, 2, |random, nights| {
            let value = |random: &mut Random| {
                let spread: f64 = (0..5).map(|_| random.normal().powi(2)).sum();
                random.normal() / (spread / 5.0).sqrt()
            };
            (0..nights).map(|_| Some(plain(value(random)))).collect()
        }),
        ("200 outcomes, 60 of them uncertain", 5, 2, |random, nights| {
            outcomes(random, nights, 60, 0.0)
        }),
        ("200 outcomes, 6 of them uncertain", 20, 2, |random, nights| {
            outcomes(random, nights, 6, 0.0)
        }),
        ("200 outcomes, and as much between nights", 5, 2, |random, nights| {
            outcomes(random, nights, 60, 1.0)
        }),
    ];
    let mut lines: Vec<String> = Vec::new();
    for (data, times, years, draw) in rows {
        let watched = |metric: u64| {
            let mut random = Random(RandomStream::new(metric));
            watch_nights(&draw(&mut random, 365 * years), &[], budget()).changes
        };
        lines.push(quiet_line(data, times, years, &watched));
    }
    let together = |metric: u64| {
        // All metrics of one project share half of their variance.
        let mut shared = Random(RandomStream::named(&[metric / METRICS]));
        let mut own = Random(RandomStream::new(metric));
        let value = |_| Some(plain((shared.normal() + own.normal()) / 2_f64.sqrt()));
        let nights: Nights = (0..730).map(value).collect();
        watch_nights(&nights, &[], budget()).changes
    };
    lines.push(quiet_line("normal, metrics correlated 0.5", 20, 2, &together));
    let rarely = |metric: u64| {
        let mut random = Random(RandomStream::new(metric));
        watch_nights(&rare(&mut random, 730), &[], budget()).changes
    };
    lines.push(quiet_line("equal, but one night in 200", 20, 2, &rarely));
    lines
}

/// Alarms a year of all metrics of a project, over so many projects.
fn quiet_line(
    data: &str,
    projects: u64,
    years: usize,
    watched: &(impl Fn(u64) -> Vec<LevelChange> + Sync),
) -> String {
    let counted = (0..projects * METRICS).into_par_iter().map(|metric| {
        let changes = watched(metric);
        let confirmed = changes.iter().filter(|change| change.confirmed.is_some());
        [changes.len(), confirmed.count()]
    });
    let counts = counted.reduce(|| [0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
    let all_years = projects * years as u64;
    let [raised, confirmed] = counts.map(|count| count as f64 / all_years as f64);
    format!("| {data} | {all_years} | {raised:.1} | {confirmed:.1} |")
}

fn plain(value: f64) -> Night {
    Night { value, n: None, sampling_variance: None }
}

fn normal(random: &mut Random, nights: usize) -> Nights {
    (0..nights).map(|_| Some(plain(random.normal()))).collect()
}

fn remembered(random: &mut Random, nights: usize, memory: f64) -> Nights {
    let mut value = random.normal();
    let mut next = || {
        value = memory * value + (1.0 - memory * memory).sqrt() * random.normal();
        value
    };
    (0..nights).map(|_| Some(plain(next()))).collect()
}

/// All 200 right, but one wrong in one night of 200.
fn rare(random: &mut Random, nights: usize) -> Nights {
    let mut before = false;
    let mut night = || {
        let fails = random.happens(0.005);
        let changed = u64::from(fails != before);
        before = fails;
        let value = if fails { 0.995 } else { 1.0 };
        Some(Night { value, n: Some(200), sampling_variance: flip_variance(changed, 0, 200) })
    };
    (0..nights).map(|_| night()).collect()
}

/// Shares of 200 outcomes, of which some are right with a probability of their own and the others
/// always or never; `between` is the deviation between nights in that of sampling.
fn outcomes(random: &mut Random, nights: usize, uncertain: usize, between: f64) -> Nights {
    const SAMPLES: usize = 200;
    let right: Vec<f64> = (0..uncertain).map(|_| random.uniform()).collect();
    let always = (SAMPLES - uncertain) / 2;
    let variance: f64 = right.iter().map(|p| p * (1.0 - p)).sum();
    let moved = between * variance.sqrt() / uncertain as f64;
    let mut before: Option<Vec<bool>> = None;
    let mut night = || {
        let shift = moved * random.normal();
        let drawn: Vec<bool> =
            right.iter().map(|p| random.happens((p + shift).clamp(0.0, 1.0))).collect();
        let value = (always + drawn.iter().filter(|right| **right).count()) as f64;
        let changed =
            before.as_ref().map(|before| before.iter().zip(&drawn).filter(|(a, b)| a != b));
        let changed = changed.map(|changed| changed.count() as u64);
        before = Some(drawn);
        let n = SAMPLES as u64;
        let sampling_variance = changed.and_then(|changed| flip_variance(changed, 0, n));
        Some(Night { value: value / SAMPLES as f64, n: Some(n), sampling_variance })
    };
    (0..nights).map(|_| night()).collect()
}

/// What is added to each night from the change on, by nights since.
type Shift = fn(usize) -> f64;

fn change_lines() -> Vec<String> {
    let rows: [(&str, Shift, &[usize]); 7] = [
        ("1 sd", |_| 1.0, &[20, 60, 180]),
        ("2 sd", |_| 2.0, &[20, 60, 180]),
        ("3 sd", |_| 3.0, &[20, 60, 180]),
        ("5 sd", |_| 5.0, &[20, 60, 180]),
        ("0.05 sd more each night", |since| 0.05 * (since + 1) as f64, &[60]),
        ("0.01 sd more each night", |since| 0.01 * (since + 1) as f64, &[60]),
        ("one night of 8 sd", |since| if since == 0 { 8.0 } else { 0.0 }, &[60]),
    ];
    let mut lines: Vec<String> = Vec::new();
    for (change, shift, befores) in rows {
        for before in befores {
            lines.push(change_line(change, *before, 0, shift));
        }
    }
    lines.push(change_line("3 sd behind a week without nights", 60, 7, |_| 3.0));
    lines
}

/// What became of one history: nights to the alarm and to its confirmation, whether the range of
/// nights and the interval of the size hold the truth.
struct Outcome {
    raised: Option<usize>,
    confirmed: Option<usize>,
    covers: Option<[bool; 2]>,
}

fn change_line(change: &str, before: usize, missing: usize, shift: Shift) -> String {
    let outcomes: Vec<Outcome> = (0..CHANGES)
        .into_par_iter()
        .map(|number| outcome(number, before, missing, shift))
        .collect();
    let share = |holds: &dyn Fn(&Outcome) -> Option<bool>| {
        let known: Vec<bool> = outcomes.iter().filter_map(holds).collect();
        let holding = known.iter().filter(|holds| **holds).count();
        format!("{:.0} %", 100.0 * holding as f64 / known.len().max(1) as f64)
    };
    let delay = |when: &dyn Fn(&Outcome) -> Option<usize>| {
        let mut nights: Vec<usize> =
            outcomes.iter().map(|one| when(one).unwrap_or(PATIENCE + 1)).collect();
        nights.sort_unstable();
        let shown = |share: f64| match nights[(share * nights.len() as f64) as usize] {
            night if night > PATIENCE => "–".to_owned(),
            night => night.to_string(),
        };
        format!("{} ({})", shown(0.5), shown(0.9))
    };
    let [raised, confirmed] = [delay(&|one| one.raised), delay(&|one| one.confirmed)];
    let never = share(&|one| Some(one.confirmed.is_none()));
    let [night, size] = [
        share(&|one| one.covers.map(|[night, _]| night)),
        share(&|one| one.covers.map(|[_, size]| size)),
    ];
    format!("| {change} | {before} | {raised} | {confirmed} | {never} | {night} | {size} |")
}

/// The first change that is raised behind the true one, in a history without an alarm before.
fn outcome(number: u64, before: usize, missing: usize, shift: Shift) -> Outcome {
    let mut random = Random(RandomStream::new(number));
    let mut nights = normal(&mut random, before);
    nights.extend(vec![None; missing]);
    let first = nights.len();
    nights.extend((0..PATIENCE).map(|since| Some(plain(random.normal() + shift(since)))));
    let changes = watch_nights(&nights, &[], budget()).changes;
    let mut later = changes.iter().filter(|change| change.raised >= first);
    let raised = later.clone().next();
    let confirmed = later.find(|change| change.confirmed.is_some());
    let since = |night: usize| night + 1 - first;
    let covers = raised.map(|change| {
        let size = change.interval.is_some_and(|interval| {
            interval.lo <= shift(PATIENCE) && shift(PATIENCE) <= interval.hi
        });
        [change.earliest <= first && first <= change.latest, size]
    });
    Outcome {
        raised: raised.map(|change| since(change.raised)),
        confirmed: confirmed.and_then(|change| change.confirmed).map(since),
        covers,
    }
}
