//! Figures watched over nights: how often nothing raises an alarm, how late a change does.
//! Numbers of the definitions are in `core/reference/nights.json`.

use reportgen::stats::nights::{
    AlarmBudget, ChangeKind, FEWEST_NIGHTS, LevelChange, Night, WatchedNights, watch_nights,
};
use reportgen::stats::resampling::random::RandomStream;

const METRICS: u64 = 300;
const ALLOWED: f64 = 4.0;

fn budget() -> AlarmBudget {
    AlarmBudget::new(METRICS, ALLOWED).expect("above 0")
}

fn watch(nights: &[Option<Night>]) -> WatchedNights {
    watch_nights(nights, &[], budget())
}

/// Standard normal values (Box and Muller 1958).
fn normal(stream: u64, count: usize) -> Vec<f64> {
    let mut random = RandomStream::new(stream);
    let mut uniform = || ((random.word() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    let mut draw = || {
        let radius = (-2.0 * uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * uniform()).cos()
    };
    (0..count).map(|_| draw()).collect()
}

fn plain(value: f64) -> Night {
    Night { value, n: None, sampling_variance: None }
}

fn nights(values: &[f64]) -> Vec<Option<Night>> {
    values.iter().map(|value| Some(plain(*value))).collect()
}

/// A history with a shift behind so many nights.
fn shifted(stream: u64, before: usize, after: usize, shift: f64) -> Vec<Option<Night>> {
    let values = normal(stream, before + after).into_iter().enumerate();
    values.map(|(at, value)| Some(plain(if at < before { value } else { value + shift }))).collect()
}

fn changes(nights: &[Option<Night>]) -> Vec<LevelChange> {
    watch(nights).changes
}

#[test]
fn metrics_without_a_change_raise_no_more_alarms_than_allowed() {
    const YEARS: usize = 2;
    let raised: usize =
        (0..METRICS).map(|metric| changes(&nights(&normal(metric, 365 * YEARS))).len()).sum();
    assert!(raised as f64 <= ALLOWED * YEARS as f64, "{raised} alarms in {YEARS} years");
}

#[test]
fn a_shift_of_three_deviations_is_raised_within_a_week_in_nine_of_ten() {
    let found = (0..200).filter(|stream| {
        let changes = changes(&shifted(*stream, 60, 7, 3.0));
        changes.iter().any(|change| change.raised >= 60 && change.after > change.before)
    });
    let found = found.count();
    assert!(found >= 180, "{found} of 200");
}

#[test]
fn a_shift_of_three_deviations_is_raised_once_and_confirmed_and_its_range_holds_the_night() {
    let (mut once, mut confirmed, mut held) = (0, 0, 0);
    for stream in 0..100 {
        let changes = changes(&shifted(stream, 60, 60, 3.0));
        once += usize::from(changes.len() == 1);
        let Some(change) = changes.first() else { continue };
        confirmed += usize::from(change.confirmed.is_some() && change.returned.is_none());
        held += usize::from(change.earliest <= 60 && 60 <= change.latest);
    }
    assert!(once >= 90 && confirmed >= 95 && held >= 90, "{once}, {confirmed}, {held} of 100");
}

#[test]
fn mirrored_nights_have_mirrored_changes() {
    for stream in 0..20 {
        let up = shifted(stream, 40, 20, 3.0);
        let down: Vec<_> = up.iter().map(|night| Some(plain(-night.unwrap().value))).collect();
        let (up, down) = (watch(&up), watch(&down));
        assert_eq!(up.changes.len(), down.changes.len());
        for (up, down) in up.changes.iter().zip(&down.changes) {
            assert_eq!((up.raised, up.start, up.latest), (down.raised, down.start, down.latest));
            assert_eq!((up.before, up.after), (-down.before, -down.after));
        }
        for (up, down) in up.scores.iter().zip(&down.scores) {
            assert_eq!(up.residual.map(f64::abs), down.residual.map(f64::abs));
        }
    }
}

/// Every number of what was watched is finite.
fn is_finite(watched: &WatchedNights) -> bool {
    let numbers = watched.scores.iter().flat_map(|score| {
        let expected = score.expected.map_or([0.0; 2], |expected| [expected.mean, expected.sd]);
        [score.residual.unwrap_or(0.0), score.log_detector.unwrap_or(0.0), expected[0], expected[1]]
    });
    let changes = watched.changes.iter().flat_map(|change| {
        let interval = change.interval.map_or([0.0; 2], |interval| [interval.lo, interval.hi]);
        [change.before, change.after, change.sd, interval[0], interval[1]]
    });
    numbers.chain(changes).all(f64::is_finite)
}

#[test]
fn nights_without_any_variance_are_a_case_of_their_own() {
    for (level, variance) in
        [(1.0, Some(0.0)), (0.0, Some(0.0)), (0.1 + 0.2, None), (-7.5, None), (1.0, None)]
    {
        let night = |value| Some(Night { value, n: Some(200), sampling_variance: variance });
        let mut nights = vec![night(level); 30];
        let still = watch(&nights);
        assert!(is_finite(&still) && still.changes.is_empty(), "{level}");
        assert_eq!(still.scores[29].residual, Some(0.0));

        nights.extend(vec![night(level - 0.005); 2]);
        let moved = watch(&nights);
        assert!(is_finite(&moved), "{level}");
        let [change] = moved.changes.as_slice() else { panic!("{level}: {:?}", moved.changes) };
        let seen = (change.kind, change.raised, change.start, change.earliest, change.confirmed);
        assert_eq!(seen, (ChangeKind::Exact, 30, 30, 30, Some(31)));
        assert_eq!((change.after, change.sd, change.interval), (level - 0.005, 0.0, None));

        nights.extend(vec![night(level); 3]);
        let back = watch(&nights);
        assert_eq!(back.changes[0].returned, Some(34));
        assert_eq!(back.scores[34].expected.map(|expected| expected.sd), Some(0.0));
    }
}

#[test]
fn rounding_is_no_change() {
    let third = 1.0 / 3.0;
    let values: Vec<f64> = (0..40).map(|at| third + f64::from(at % 3) * 1e-16).collect();
    assert_eq!(changes(&nights(&values)), []);
}

#[test]
fn nothing_is_raised_before_there_are_enough_nights_to_compare_with() {
    let watched = watch(&shifted(3, 6, 7, 8.0));
    assert_eq!(watched.changes, []);
    assert!(watched.scores.iter().all(|score| score.residual.is_none()));
    let one_more = watch(&nights(&normal(3, FEWEST_NIGHTS + 1)));
    assert!(one_more.scores[FEWEST_NIGHTS].residual.is_some());
}

#[test]
fn one_night_far_away_is_never_confirmed_and_leaves_no_trace() {
    for stream in 0..20 {
        let mut values = normal(stream, 80);
        let quiet = watch(&nights(&values)).changes;
        values[50] = 9.0;
        let watched = watch(&nights(&values));
        let spike = watched.changes.iter().find(|change| change.raised == 50).expect("raised");
        assert_eq!((spike.confirmed, spike.returned.is_some()), (None, true));
        assert_eq!(watched.changes.len(), quiet.len() + 1);
        let expected = watched.scores[60].expected.expect("the nights before are back");
        assert!(expected.mean.abs() < 0.6 && expected.sd < 1.5, "{expected:?}");
    }
}

#[test]
fn a_change_behind_a_gap_may_have_begun_in_it() {
    let mut nights = shifted(8, 50, 16, 4.0);
    nights[43..50].fill(None);
    let watched = watch(&nights);
    let change = watched.changes.first().expect("raised");
    assert_eq!((change.start, change.earliest), (50, 43));
    assert_eq!(watched.scores[45].residual, None);
}

#[test]
fn a_creep_that_no_single_night_shows_is_raised() {
    let found = (0..40).filter(|stream| {
        let values = normal(*stream, 150).into_iter().enumerate();
        let creeping = values.map(|(at, value)| value + 0.05 * at.saturating_sub(60) as f64);
        changes(&nights(&creeping.collect::<Vec<_>>())).iter().any(|change| change.raised < 125)
    });
    assert_eq!(found.count(), 40);
}

#[test]
fn an_accepted_change_begins_anew_and_is_raised_no_more() {
    let nights = shifted(5, 60, 60, 4.0);
    assert_eq!(changes(&nights).len(), 1);
    let accepted = watch_nights(&nights, &[60], budget());
    assert_eq!(accepted.changes, []);
    assert_eq!((accepted.scores[59].segment, accepted.scores[60].segment), (0, 1));
    assert_eq!(accepted.scores[60].expected, None);
}

#[test]
fn without_a_person_no_change_becomes_the_new_normal() {
    let mut values = normal(11, 160);
    for value in &mut values[60..100] {
        *value += 5.0;
    }
    let watched = watch(&nights(&values));
    let change = watched.changes.first().expect("raised");
    assert!(change.returned.is_some_and(|night| (102..110).contains(&night)), "{change:?}");
    let expected = watched.scores[159].expected.expect("enough nights");
    assert!(expected.mean.abs() < 0.5, "{expected:?}");
}

#[test]
fn later_nights_move_nothing_that_was_said() {
    let nights = shifted(2, 45, 40, 2.5);
    let whole = watch(&nights);
    for end in [30, 50, 60, 70] {
        let part = watch(&nights[..end]);
        assert_eq!(part.scores, whole.scores[..end]);
        let raised = |change: &&LevelChange| change.raised < end;
        for (early, late) in part.changes.iter().zip(whole.changes.iter().filter(raised)) {
            let told =
                LevelChange { confirmed: early.confirmed, returned: early.returned, ..*late };
            assert_eq!(*early, told);
        }
    }
}

#[test]
fn figures_near_the_ends_of_the_range_of_numbers_give_no_nan() {
    for scale in [1e-300, 1e150, 1e300] {
        let values: Vec<f64> = normal(1, 60).iter().map(|value| value * scale).collect();
        let finite = watch(&nights(&values)).scores.iter().all(|score| {
            score.residual.is_none_or(f64::is_finite)
                && score.log_detector.is_none_or(f64::is_finite)
        });
        assert!(finite, "{scale}");
    }
}

#[test]
fn no_metric_and_no_false_alarm_make_no_budget() {
    for (metrics, allowed) in [(0, 4.0), (300, 0.0), (300, -1.0), (300, f64::INFINITY)] {
        assert_eq!(AlarmBudget::new(metrics, allowed), None, "{metrics}, {allowed}");
    }
    // ln(365·300/4).
    let log = budget().log_threshold();
    assert!((log - 27_375_f64.ln()).abs() < 1e-12, "{log}");
}
