//! Metrics over nights: alerts through their lives, rebases, and what a report shows of them.

use std::collections::BTreeMap;

use reportgen::model::Direction;
use reportgen::quantity::{Night, Unit};
use reportgen::report::block::{Block, Span, Table, Text};
use reportgen::report::chart::Marks;
use reportgen::report::nights::{alert_blocks, night_chart};
use reportgen::text::{Catalogue, LANGUAGES};
use reportgen::trend::{
    Alert, AlertState, Condition, Decision, MetricKey, MetricNights, Movement, NightRecord,
    Sampling, Trends, accepted_starts, advance, judge_nights,
};

const ALLOWED: f64 = 4.0;
/// 2026-01-01.
const FIRST: i32 = 20_454;

fn night(at: usize) -> Night {
    Night(FIRST + i32::try_from(at).expect("few nights"))
}

fn key() -> MetricKey {
    let (job, metric) = ("main".to_owned(), "accuracy".to_owned());
    MetricKey { job, dataset: Some("math".to_owned()), metric }
}

/// Around a level, over and over: standard deviation 0.006, and neighbours are not alike.
const AROUND: [f64; 10] = [0.004, -0.007, 0.006, 0.0, -0.009, 0.008, -0.003, 0.005, -0.008, 0.004];

fn level(at: usize) -> f64 {
    0.6 + AROUND[at % AROUND.len()]
}

/// So many nights, each with its figure and, from some nights on, other conditions.
fn history(
    nights: usize,
    figure: impl Fn(usize) -> f64,
    conditions: &[(usize, Condition, &str)],
    direction: Direction,
) -> MetricNights {
    let record = |at: usize| {
        let so_far = conditions.iter().filter(|(from, ..)| *from <= at);
        let conditions: BTreeMap<_, _> =
            so_far.map(|(_, name, value)| (name.clone(), (*value).to_owned())).collect();
        let value = Some(figure(at));
        NightRecord { night: night(at), value, n: Some(500), sampling: None, conditions }
    };
    MetricNights::new(key(), Unit::Fraction, direction, (0..nights).map(record))
}

/// The same without conditions, where more is better.
fn plain(nights: usize, figure: impl Fn(usize) -> f64) -> Vec<MetricNights> {
    vec![history(nights, figure, &[], Direction::Higher)]
}

fn dropped(at: usize) -> f64 {
    if at < 40 { level(at) } else { level(at) - 0.04 }
}

/// Lives through the nights one by one, each judged with what is known by then; gives the alerts
/// after each.
fn live(last: usize, figure: impl Fn(usize) -> f64) -> Vec<Vec<Alert>> {
    let mut alerts: Vec<Alert> = Vec::new();
    let tonight = |at: usize| {
        let histories = plain(at + 1, &figure);
        let accepted = accepted_starts(&alerts);
        let alarms = judge_nights(&histories, &accepted, ALLOWED).alarms();
        alerts = advance(&alerts, &alarms, night(at));
        assert_eq!(advance(&alerts, &alarms, night(at)), alerts, "the same night again");
        alerts.clone()
    };
    (0..last).map(tonight).collect()
}

fn states(alerts: &[Alert]) -> Vec<AlertState> {
    alerts.iter().map(|alert| alert.state).collect()
}

#[test]
fn ten_nights_of_one_drop_are_one_piece_of_news() {
    let nights = live(52, dropped);
    let news = nights
        .iter()
        .enumerate()
        .map(|(at, alerts)| alerts.iter().filter(|alert| alert.is_news(night(at))).count());
    assert_eq!(news.sum::<usize>(), 1);
    let [alert] = nights[51].as_slice() else { panic!("{:?}", nights[51]) };
    assert_eq!((alert.state, alert.since), (AlertState::Confirmed, night(40)));
    assert_eq!((alert.alarm.movement, alert.alarm.earliest), (Movement::Worse, night(40)));
    assert!((alert.alarm.after - alert.alarm.before + 0.04).abs() < 0.01, "{:?}", alert.alarm);
}

#[test]
fn which_way_is_good_decides_what_a_change_is_called() {
    let movement = |direction, sign: f64| {
        let moved = |at: usize| 0.6 + sign * (dropped(at) - 0.6);
        let histories = [history(50, moved, &[], direction)];
        judge_nights(&histories, &[], ALLOWED).alarms()[0].movement
    };
    assert_eq!(movement(Direction::Higher, 1.0), Movement::Worse);
    assert_eq!(movement(Direction::Higher, -1.0), Movement::Better);
    assert_eq!(movement(Direction::Lower, 1.0), Movement::Better);
    assert_eq!(movement(Direction::Lower, -1.0), Movement::Worse);
    assert_eq!(movement(Direction::Unknown, 1.0), Movement::Changed);
}

fn judged(histories: &[MetricNights]) -> Trends<'_> {
    judge_nights(histories, &[], ALLOWED)
}

#[test]
fn another_judge_or_dataset_is_another_measure_and_no_alert() {
    for part in ["judge", "dataset"] {
        let digest = Condition::Digest(part.to_owned());
        let conditions = [(0, digest.clone(), "aaaa"), (40, digest, "bbbb")];
        let histories = [history(60, dropped, &conditions, Direction::Higher)];
        let trends = judged(&histories);
        let trend = &trends.metrics[0];
        assert_eq!(trend.alarms, [], "{part}");
        let [rebase] = trend.rebases.as_slice() else { panic!("{part}: {:?}", trend.rebases) };
        assert_eq!(rebase.night, night(40));
        assert_eq!(rebase.changed[0].from.as_deref(), Some("aaaa"));
        assert!(trend.scores[45].expected.is_none(), "{part}");
    }
    // A digest that nobody recorded before did not change.
    let first_seen = [(40, Condition::Digest("judge".to_owned()), "bbbb")];
    let histories = [history(60, dropped, &first_seen, Direction::Higher)];
    let trends = judged(&histories);
    assert_eq!((trends.metrics[0].rebases.len(), trends.alarms().len()), (0, 1));
}

#[test]
fn an_open_alert_ends_where_the_measure_becomes_another_one() {
    let digest = Condition::Digest("judge".to_owned());
    let conditions = [(0, digest.clone(), "aaaa"), (50, digest, "bbbb")];
    let until = |nights: usize| [history(nights, dropped, &conditions, Direction::Higher)];
    let alerts = advance(&[], &judged(&until(50)).alarms(), night(49));
    assert_eq!(states(&alerts), [AlertState::Confirmed]);
    let alerts = advance(&alerts, &judged(&until(51)).alarms(), night(50));
    assert_eq!(states(&alerts), [AlertState::Resolved]);
}

#[test]
fn what_changed_within_the_range_of_nights_is_suspected_and_nothing_else() {
    let config = |name: &str| Condition::Config(name.to_owned());
    let conditions = [
        (0, Condition::Commit, "c1"),
        (0, config("lr"), "1e-3"),
        (20, config("seed"), "7"),
        (40, Condition::Commit, "c2"),
        (40, config("lr"), "3e-4"),
        (47, Condition::Commit, "c3"),
    ];
    let histories = [history(50, dropped, &conditions, Direction::Higher)];
    let trends = judged(&histories);
    let alarm = &trends.metrics[0].alarms[0];
    let suspects: Vec<_> = alarm
        .suspects
        .iter()
        .map(|one| (one.night, one.condition.clone(), one.from.as_deref(), one.to.as_deref()))
        .collect();
    let expected = [
        (night(40), Condition::Commit, Some("c1"), Some("c2")),
        (night(40), config("lr"), Some("1e-3"), Some("3e-4")),
    ];
    assert_eq!(suspects, expected);
}

#[test]
fn an_alert_is_over_after_three_nights_back_and_returns_within_two_weeks() {
    let figure = |at: usize| match at {
        40..48 | 56..70 => level(at) - 0.04,
        _ => level(at),
    };
    let nights = live(70, figure);
    assert_eq!(states(&nights[47]), [AlertState::Confirmed]);
    assert_eq!(states(&nights[49]), [AlertState::Confirmed]);
    assert_eq!(states(&nights[50]), [AlertState::Resolved]);
    assert!(nights[50][0].is_news(night(50)));
    let [alert] = nights[69].as_slice() else { panic!("{:?}", nights[69]) };
    assert_eq!((alert.state, alert.reopened), (AlertState::Confirmed, 1));
    assert_eq!((alert.since, alert.alarm.start), (night(40), night(56)));
}

#[test]
fn a_change_that_comes_back_later_is_an_alert_of_its_own() {
    let figure = |at: usize| match at {
        40..48 | 70..90 => level(at) - 0.04,
        _ => level(at),
    };
    let nights = live(80, figure);
    assert_eq!(nights[69], []);
    let [alert] = nights[79].as_slice() else { panic!("{:?}", nights[79]) };
    assert_eq!((alert.reopened, alert.since), (0, night(70)));
}

#[test]
fn one_night_far_away_is_news_to_nobody() {
    let nights = live(50, |at| if at == 40 { 0.4 } else { level(at) });
    assert_eq!(states(&nights[40]), [AlertState::Candidate]);
    let news = nights
        .iter()
        .enumerate()
        .flat_map(|(at, alerts)| alerts.iter().filter(move |alert| alert.is_news(night(at))));
    assert_eq!(news.count(), 0);
    assert_eq!(nights[49], []);
}

#[test]
fn what_a_person_says_of_an_alert_stands() {
    let histories = plain(50, dropped);
    let alarms = judged(&histories).alarms();
    let alerts = advance(&[], &alarms, night(49));
    let decided = |decision| vec![alerts[0].decided(decision, night(49)).expect("open")];

    let accepted = decided(Decision::Accept);
    assert_eq!(accepted_starts(&accepted), [(key(), night(40))]);
    let histories = plain(80, dropped);
    let later = judge_nights(&histories, &accepted_starts(&accepted), ALLOWED);
    assert_eq!(later.alarms(), []);
    assert_eq!(states(&advance(&accepted, &[], night(79))), [AlertState::Accepted]);

    let invalid = decided(Decision::Invalidate);
    let alarms = judged(&histories).alarms();
    assert_eq!(states(&advance(&invalid, &alarms, night(79))), [AlertState::Invalid]);

    let known = decided(Decision::Acknowledge);
    let known = advance(&known, &alarms, night(79));
    assert_eq!(states(&known), [AlertState::Acknowledged]);
    assert!(!known[0].is_news(night(79)));
    assert_eq!(accepted[0].decided(Decision::Invalidate, night(50)), None);
}

#[test]
fn alerts_are_stored_and_read_without_loss() {
    let histories = plain(50, dropped);
    let alerts = advance(&[], &judged(&histories).alarms(), night(49));
    let stored = serde_json::to_string(&alerts).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Alert>>(&stored).unwrap(), alerts);
}

#[test]
fn flips_between_nights_say_what_chance_is_expected() {
    let mut records = plain(20, |_| 0.6)[0].records().to_vec();
    let expected = |records: Vec<NightRecord>| {
        let histories = [MetricNights::new(key(), Unit::Fraction, Direction::Higher, records)];
        let trends = judge_nights(&histories, &[], ALLOWED);
        trends.metrics[0].scores[19].expected.expect("enough nights").sd
    };
    assert_eq!(expected(records.clone()), 0.0);
    for record in &mut records[1..] {
        record.sampling = Some(Sampling::Flips { gained: 10, lost: 10, paired: 500 });
    }
    // f/2n with f = 20/500, around a mean of 19 nights.
    let sd = (20.0 / 500.0 / 1000.0 * (1.0 + 1.0 / 19.0_f64)).sqrt();
    assert!((expected(records) - sd).abs() < 1e-15);
}

#[test]
fn records_in_any_order_are_one_history() {
    let mut records = plain(50, dropped)[0].records().to_vec();
    let first = records[0].clone();
    records.reverse();
    records.insert(0, NightRecord { value: Some(0.1), ..first });
    let history = MetricNights::new(key(), Unit::Fraction, Direction::Higher, records);
    assert_eq!(history.records(), plain(50, dropped)[0].records());
    assert_eq!(judge_nights(&[], &[], ALLOWED).metrics, []);
}

fn shown(text: &Text) -> String {
    let span = |span: &Span| match span {
        Span::Plain(text) | Span::Strong(text) | Span::Code(text) => text.clone(),
        Span::Icon(icon) => format!("[{icon:?}]"),
        Span::Report(path) => path.clone(),
    };
    text.0.iter().map(span).collect()
}

fn row(table: &Table, at: usize) -> Vec<String> {
    table.rows()[at].iter().map(|cell| shown(&cell.text)).collect()
}

#[test]
fn an_alert_is_a_row_with_its_size_its_range_and_what_else_changed() {
    let conditions = [(0, Condition::Commit, "c1"), (40, Condition::Commit, "c2")];
    let histories = [history(50, dropped, &conditions, Direction::Higher)];
    let alerts = advance(&[], &judged(&histories).alarms(), night(49));
    let blocks = alert_blocks(&alerts, ALLOWED, Catalogue::english());
    let [Block::Table { table }, Block::Paragraph { text }] = blocks.as_slice() else {
        panic!("{blocks:?}")
    };
    let row = row(table, 0);
    assert_eq!(row[0], "accuracy / math / main");
    assert_eq!(row[1], "[Bad] confirmed");
    assert!(row[2].starts_with("60.") && row[2].contains("% → 5"), "{}", row[2]);
    assert!(row[3].starts_with("-4") || row[3].starts_with("-3"), "{}", row[3]);
    assert!(row[3].contains(" pp (-") && row[3].contains(" … -"), "{}", row[3]);
    assert_eq!(row[4], "2026-02-10");
    assert_eq!(row[5], "commit c1 → c2");
    assert!(shown(text).contains("at most 4 false alarms"), "{}", shown(text));
    assert_eq!(alert_blocks(&[], ALLOWED, Catalogue::english()), []);
}

#[test]
fn a_chart_has_the_figures_the_band_and_a_mark_at_the_change() {
    let mut records = plain(50, dropped)[0].records().to_vec();
    records[30].value = None;
    let history = MetricNights::new(key(), Unit::Fraction, Direction::Higher, records);
    let histories = [history];
    let trends = judged(&histories);
    for lang in LANGUAGES {
        let words = Catalogue::shipped(lang);
        let chart = night_chart(&trends.metrics[0], words).expect("figures");
        let Marks::Lines(lines) = &chart.marks else { panic!("{chart:?}") };
        let [low, high, figures] = lines.lines.as_slice() else { panic!("{:?}", lines.lines) };
        let points: Vec<usize> = figures.parts.iter().map(Vec::len).collect();
        assert_eq!(points, [30, 19], "parted where a night is missing");
        assert_eq!(figures.parts[0][0], [-49.0, level(0) * 100.0]);
        // The first 14 nights have nothing to be held against.
        assert_eq!(low.parts[0][0][0], -35.0);
        let inside = low.parts[0].iter().zip(&high.parts[0]).zip(&figures.parts[0][14..]);
        assert!(inside.clone().count() > 10);
        assert!(inside.into_iter().all(|((low, high), figure)| {
            low[0] == figure[0] && low[1] < figure[1] && figure[1] < high[1]
        }));
        let marks: Vec<f64> = lines.events.iter().map(|event| event.at).collect();
        assert_eq!(marks, [-9.0]);
        assert!(lines.events[0].label.contains("2026-02-10"), "{:?}", lines.events);
        assert!(chart.description.contains("2026-02-10"), "{}", chart.description);
        assert!(!chart.description.contains('⟦'), "{}", chart.description);
    }
    let alone = plain(1, level);
    assert_eq!(night_chart(&judged(&alone).metrics[0], Catalogue::english()), None);
}
