//! Inputs by number, each run with whatever stops it noticed: a panic, a promise that is not kept, an
//! answer that differs the second time, or none at all.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Seek as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::corpus::Seed;
use super::mutation;
use super::random::Random;
use crate::directory::Directory;

/// How long one input may take, on a busy machine in a debug build.
const PATIENCE: Duration = Duration::from_mins(1);
/// Of so many inputs one is run twice.
const TWICE: usize = 8;

/// An input as a target sees it.
pub(super) struct Input {
    /// The name of the file of the corpus.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// For whatever a target chooses beside the input.
    pub(super) choice: usize,
}

impl Input {
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// What came out of an input, equal for equal inputs; or which promise was not kept.
pub(super) type Outcome = Result<String, String>;

/// Runs an input; what it needs on disk lies in that directory.
type RunInput = dyn Fn(&Path, &Input) -> Outcome + Send + Sync;

/// One boundary where text of others comes in.
pub(super) struct Target {
    pub(super) name: String,
    /// How many inputs of a round are its.
    pub(super) share: usize,
    /// Size of its inputs in bytes.
    pub(super) most: usize,
    pub(super) corpus: Vec<Seed>,
    pub(super) run: Box<RunInput>,
}

impl Target {
    fn input(&self, seed: u64, number: u64) -> Input {
        let mut random = Random::of(seed, number);
        let chosen = random.pick(&self.corpus);
        let other = random.pick(&self.corpus);
        let bytes = mutation::mutated(&chosen.bytes, &other.bytes, self.most, &mut random);
        Input { name: chosen.name.clone(), bytes, choice: random.number() as usize }
    }

    fn outcome(&self, place: &Path, input: &Input) -> Outcome {
        let ran = catch_unwind(AssertUnwindSafe(|| (self.run)(place, input)));
        ran.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(format!("panics: {}", text.unwrap_or("?")))
        })
    }

    /// What is wrong with an input, if anything is.
    fn wrong(&self, place: &Path, input: &Input, again: bool) -> Option<String> {
        let first = match self.outcome(place, input) {
            Ok(first) => first,
            Err(broken) => return Some(broken),
        };
        if !again {
            return None;
        }
        let second = self.outcome(place, input);
        (second.as_ref() != Ok(&first))
            .then(|| format!("first {first}\nand then {}", second.unwrap_or_else(|error| error)))
    }
}

/// Which inputs are run.
#[derive(Clone, Copy)]
pub(super) struct Campaign {
    pub(super) seed: u64,
    pub(super) first: u64,
    pub(super) inputs: u64,
    /// How far two inputs are apart, where others run those between.
    pub(super) stride: u64,
    pub(super) stops_at_failure: bool,
}

/// What a campaign came to.
#[derive(Default)]
pub(super) struct Tally {
    /// Inputs by target.
    pub(super) inputs: BTreeMap<String, u64>,
    /// One failure of each kind.
    pub(super) failures: BTreeMap<String, String>,
}

enum Event {
    Began { number: u64 },
    Failed { kind: String, told: String },
}

/// Runs the inputs; of failures that say the same, one is kept.
pub(super) fn run(targets: &Arc<Vec<Target>>, campaign: Campaign) -> Tally {
    let shares = targets.iter().enumerate();
    let round: Vec<usize> =
        shares.flat_map(|(at, target)| std::iter::repeat_n(at, target.share)).collect();
    let (events, told) = mpsc::channel();
    let (worker_targets, worker_round) = (Arc::clone(targets), round.clone());
    let worker = thread::spawn(move || work(&worker_targets, &worker_round, campaign, &events));
    let mut tally = Tally::default();
    let mut last = campaign.first;
    loop {
        match told.recv_timeout(PATIENCE) {
            Ok(Event::Began { number }) => {
                last = number;
                let target = &targets[target_of(&round, number)];
                *tally.inputs.entry(target.name.clone()).or_default() += 1;
            }
            Ok(Event::Failed { kind, told }) => {
                tally.failures.entry(kind).or_insert_with(|| shown(told));
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let target = &targets[target_of(&round, last)];
                let told = told_failure(target, campaign, last, "comes to no end");
                tally.failures.insert(format!("{}: no end", target.name), shown(told));
                // Nothing stops the worker but the end of the process.
                return tally;
            }
        }
    }
    worker.join().expect("the worker tells failures and does not fail");
    tally
}

/// A long campaign may be ended before it has told what it found.
#[expect(clippy::print_stdout, reason = "for whoever waits for a campaign")]
fn shown(told: String) -> String {
    println!("{told}");
    told
}

fn target_of(round: &[usize], number: u64) -> usize {
    round[(number % round.len() as u64) as usize]
}

fn work(targets: &[Target], round: &[usize], campaign: Campaign, events: &Sender<Event>) {
    let directory = Directory::new();
    // Of an input that ends the process nothing else is left.
    let name = format!("fuzz-{}-{}.txt", targets[round[0]].name, campaign.first);
    let mut trace = File::create(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)).expect("made");
    for number in (0..campaign.inputs).map(|at| campaign.first + at * campaign.stride) {
        let target = &targets[target_of(round, number)];
        trace.rewind().expect("rewound");
        writeln!(trace, "{number:20} {:30}", target.name).expect("written");
        let _ended = events.send(Event::Began { number });
        let input = target.input(campaign.seed, number);
        let again = Random::of(campaign.seed, !number).one_in(TWICE);
        let Some(wrong) = target.wrong(directory.root(), &input, again) else { continue };
        let kind = format!("{}: {}", target.name, wrong.chars().take(60).collect::<String>());
        let told = told_failure(target, campaign, number, &wrong);
        let _ended = events.send(Event::Failed { kind, told });
        if campaign.stops_at_failure {
            return;
        }
    }
}

fn told_failure(target: &Target, campaign: Campaign, number: u64, wrong: &str) -> String {
    let input = target.input(campaign.seed, number);
    let saved = saved(&target.name, campaign.seed, number, &input);
    let wrong: String = wrong.chars().take(4000).collect();
    format!(
        "target {} with seed {}, input {number} ({}): {wrong}",
        target.name,
        campaign.seed,
        saved.display()
    )
}

/// Where the input was written to.
fn saved(target: &str, seed: u64, number: u64, input: &Input) -> PathBuf {
    let name = format!("fuzz-{target}-{seed}-{number}-{}", input.name);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _told_without = fs::write(&path, &input.bytes);
    path
}

#[test]
fn a_panic_a_broken_promise_and_an_answer_that_differs_are_each_found_once() {
    use std::sync::atomic::{AtomicUsize, Ordering};

    static ANSWERS: AtomicUsize = AtomicUsize::new(0);
    let target = |name: &str, run: fn(&Path, &Input) -> Outcome| Target {
        name: format!("planted-{name}"),
        share: 1,
        most: 100,
        corpus: vec![Seed::of("planted.txt", "a = 1\nb = 2\n")],
        run: Box::new(run),
    };
    let targets = vec![
        target("panic", |_, input| {
            assert!(!input.text().contains("1e999"), "a figure without end");
            Ok(String::new())
        }),
        target("promise", |_, input| {
            if input.bytes.contains(&0x1b) {
                Err("a control".to_owned())
            } else {
                Ok(String::new())
            }
        }),
        target("answer", |_, _| Ok(ANSWERS.fetch_add(1, Ordering::Relaxed).to_string())),
        target("sound", |_, input| Ok(input.text())),
    ];
    let campaign = Campaign { seed: 5, first: 0, inputs: 4000, stride: 1, stops_at_failure: false };
    let tally = run(&Arc::new(targets), campaign);
    let found = |name: &str| {
        let of_it = |(kind, _): &(&String, &String)| kind.starts_with(&format!("planted-{name}"));
        tally.failures.iter().filter(of_it).map(|(_, told)| told.as_str()).collect::<Vec<_>>()
    };
    assert!(
        found("panic").concat().contains("panics: a figure without end"),
        "{:?}",
        tally.failures
    );
    assert_eq!(found("promise").len(), 1, "{:?}", tally.failures);
    assert!(found("answer").concat().contains("and then"), "{:?}", tally.failures);
    assert_eq!((found("sound").len(), tally.inputs["planted-sound"]), (0, 1000));
}
