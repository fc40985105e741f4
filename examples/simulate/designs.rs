//! Real-valued scores, clusters, seeds: data sets are drawn.

use reportgen::stats::{ClusterSums, Design, DifferenceSample, Moments};

use crate::{Random, WeightedRates, drawn, drawn_times};

/// Design, data, result.
type Line = (&'static str, String, WeightedRates);

/// What is drawn, and how: something whose true mean is 0.
type Difference = (&'static str, fn(&mut Random) -> f64);

static DIFFERENCES: &[Difference] = &[
    ("normal", Random::normal),
    ("difference of two exponentials", |random| random.exponential() - random.exponential()),
    ("exponential less its mean", |random| random.exponential() - 1.0),
    ("t with 3 df", Random::t3),
    ("80 % zero, else normal", |random| if random.happens(0.8) { 0.0 } else { random.normal() }),
    ("thirds of a point", |random| {
        (random.between(0, 3) as f64 - random.between(0, 3) as f64) / 3.0
    }),
];

pub(crate) fn lines() -> Vec<Line> {
    let mut lines = paired();
    lines.extend(clustered());
    lines.extend(independent());
    lines.extend(seeds());
    lines
}

fn paired() -> Vec<Line> {
    let mut lines = Vec::new();
    for n in [6, 10, 20, 25, 30, 60, 200] {
        for (name, difference) in DIFFERENCES {
            let tally = drawn(|random| {
                let mut sample = DifferenceSample::default();
                (0..n).for_each(|_| sample.add(0.0, difference(random)));
                Design::PairedReal(sample)
            });
            lines.push(("paired scores", format!("n = {n}, {name}"), tally));
        }
    }
    lines
}

/// Intraclass correlation 0.3, clusters of 3 to 13: an outcome of each arm flips with what its
/// cluster shares.
fn clustered() -> Vec<Line> {
    let mut lines = Vec::new();
    for clusters in [6, 8, 10, 20, 40, 80] {
        let normal = drawn(|random| {
            Design::PairedClustered(sums(random, clusters, |random, shared| {
                0.3_f64.sqrt() * shared + 0.7_f64.sqrt() * random.normal()
            }))
        });
        let data = format!("{clusters} clusters of 3–13, ICC 0.3, normal");
        lines.push(("clustered pairs", data, normal));
        let flips = drawn(|random| {
            Design::PairedClustered(sums(random, clusters, |random, shared| {
                let lean = 0.15 * shared.clamp(-1.0, 1.0);
                let at = random.uniform();
                f64::from(u8::from(at < 0.2 + lean)) - f64::from(u8::from(at > 0.8 + lean))
            }))
        });
        let data = format!("{clusters} clusters of 3–13, outcomes gained or lost together");
        lines.push(("clustered pairs", data, flips));
    }
    lines
}

fn sums(
    random: &mut Random,
    clusters: usize,
    difference: impl Fn(&mut Random, f64) -> f64,
) -> ClusterSums {
    let cluster = |random: &mut Random| {
        let (size, shared) = (random.between(3, 13), random.normal());
        let sum = (0..size).map(|_| difference(random, shared)).sum();
        (sum, size as u64)
    };
    ClusterSums::new((0..clusters).map(|_| cluster(random)).collect())
}

fn independent() -> Vec<Line> {
    let mut lines = Vec::new();
    for n in [10, 30, 100] {
        let arms: [(Difference, f64); 2] = [
            (("normal, spreads 1 and 2, sizes n and 2n", Random::normal), 2.0),
            (("exponential, sizes n and 2n", |random| random.exponential() - 1.0), 1.0),
        ];
        for ((name, draw), spread) in arms {
            let tally = drawn(|random| Design::IndependentReal {
                baseline: moments((0..n).map(|_| draw(random))),
                candidate: moments((0..2 * n).map(|_| spread * draw(random))),
            });
            lines.push(("independent scores", format!("n = {n}, {name}"), tally));
        }
    }
    lines
}

fn moments(values: impl Iterator<Item = f64>) -> Moments {
    let mut moments = Moments::default();
    values.for_each(|value| moments.add(value));
    moments
}

fn seeds() -> Vec<Line> {
    let mut lines = Vec::new();
    for seeds in [3, 4, 5, 10] {
        let tally = drawn(|random| Design::IndependentSeeds {
            baseline: moments((0..seeds).map(|_| random.normal())),
            candidate: moments((0..seeds).map(|_| random.normal())),
        });
        lines.push(("seeds", format!("{seeds} against {seeds}, normal"), tally));
    }
    for seeds in [6, 10] {
        let tally = drawn(|random| {
            let mut sample = DifferenceSample::default();
            (0..seeds).for_each(|_| sample.add(random.normal(), random.normal()));
            Design::PairedSeeds(sample)
        });
        lines.push(("paired seeds", format!("{seeds} pairs, normal"), tally));
    }
    for seeds in [3, 5, 10] {
        for items in [50, 200] {
            for spread in [0.0, 0.03, 0.1] {
                let tally = drawn_times(2_000, |random| crossed(random, seeds, items, spread));
                let data = format!(
                    "{seeds} against {seeds} seeds (sd {spread}) × {items} items right or wrong"
                );
                lines.push(("seeds × items", data, tally));
            }
        }
    }
    lines
}

/// Items of uneven difficulty that the arms find differently hard, seeds that shift a whole run.
fn crossed(random: &mut Random, seeds: usize, items: usize, spread: f64) -> Design {
    let difficulty: Vec<f64> = (0..items).map(|_| random.uniform()).collect();
    let mut arm = || -> Vec<Vec<f64>> {
        let lean: Vec<f64> = (0..items).map(|_| 0.15 * random.normal()).collect();
        (0..seeds)
            .map(|_| {
                let shift = spread * random.normal();
                let chance = difficulty.iter().zip(&lean).map(|(easy, lean)| easy + lean + shift);
                chance.map(|chance| f64::from(u8::from(random.happens(chance)))).collect()
            })
            .collect()
    };
    Design::SeedsByItems { baseline: arm(), candidate: arm() }
}
