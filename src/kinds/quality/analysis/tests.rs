use super::*;
use crate::conditions::ConditionTruth;
use crate::model::logs::RolloutGroup;

fn tally(rows: &[(RolloutCourse, &[f64])]) -> LogTally {
    let mut tally = LogTally::default();
    let place = Place { path: "a.log".into(), line: 3 };
    for (way, scores) in rows {
        let mut values = Values::default();
        scores.iter().for_each(|score| values.add(*score));
        let count = scores.len().max(1) as u64;
        let _before =
            tally.ways.insert(*way, RolloutGroup { count, scores: values, first: place.clone() });
    }
    tally.files.push(crate::model::logs::LogFile { path: "a.log".into(), lines: 9, bytes: 99 });
    tally
}

const RIGHT: RolloutCourse = RolloutCourse {
    violated: false,
    failed: false,
    fallback: Fallback::None,
    outcome: RolloutOutcome::Success,
};
const WRONG: RolloutCourse = RolloutCourse {
    violated: true,
    failed: true,
    fallback: Fallback::Succeeded,
    outcome: RolloutOutcome::Failure,
};

fn nine() -> LogTally {
    tally(&[(RIGHT, &[10.0]), (WRONG, &[-5.0, -5.0, -5.0, -5.0, -2.0, 0.0, 0.0, 0.0])])
}

#[test]
fn one_of_nine_has_the_interval_of_nine() {
    let tally = nine();
    let quality = analyse("run", &tally, &[], &[]);
    let success = quality.success.expect("judged");
    // statsmodels.stats.proportion.proportion_confint(1, 9, method="wilson"): 0.01988, 0.43500.
    assert!((success.interval[0] - 0.019_88).abs() < 1e-4, "{success:?}");
    assert!((success.interval[1] - 0.435_00).abs() < 1e-4, "{success:?}");
    let mean = |outcome| {
        let own = quality.by_outcome.iter().find(|(own, _)| *own == outcome);
        own.map(|(_, scores)| scores.mean)
    };
    assert_eq!(mean(RolloutOutcome::Failure), Some(-2.75));
    assert!((quality.scores.expect("scores").mean + 4.0 / 3.0).abs() < 1e-12);
}

#[test]
fn a_link_that_nothing_speaks_of_is_unknown_and_not_zero() {
    let tally = tally(&[(RIGHT, &[1.0])]);
    let quality = analyse("run", &tally, &[], &[]);
    let counts: Vec<_> = quality.chain.iter().map(|link| (link.id, link.count)).collect();
    assert_eq!(
        counts,
        [
            ("generated", Some(1)),
            ("violated", None),
            ("failed", None),
            ("fallback", None),
            ("fallback-succeeded", None),
            ("right", Some(1)),
            ("wrong", Some(0)),
        ]
    );
    assert_eq!(quality.fallback, None);
}

#[test]
fn a_fallback_that_succeeded_with_a_wrong_answer_is_a_remark() {
    let tally = nine();
    let quality = analyse("run", &tally, &[], &[]);
    let remark = quality.remark.as_ref().map(|one| (one.id, one.count, one.of));
    assert_eq!(remark, Some(("fallback-succeeded-wrong", 8, 8)));
    assert!(quality.contradictions.is_empty() && findings(&quality).is_empty());
}

#[test]
fn what_does_not_go_together_is_named() {
    for (fallback, failed, expected) in [
        (Fallback::Failed, true, Some("fallback-failed-right")),
        (Fallback::Both, true, Some("fallback-both")),
        (Fallback::None, true, Some("failed-right")),
        (Fallback::Succeeded, true, None),
    ] {
        let tally = tally(&[(RolloutCourse { failed, fallback, ..RIGHT }, &[1.0])]);
        let quality = analyse("run", &tally, &[], &[]);
        let found: Vec<_> = quality.contradictions.iter().map(|one| one.id).collect();
        assert_eq!(found, Vec::from_iter(expected), "{fallback:?}");
    }
}

#[test]
fn a_threshold_without_its_percent_is_a_finding_and_empty_words_are_refused() {
    let tables: Tables =
        toml::from_str("[[quality.suggestion]]\nwhen = \"failure_rate > 50\"\ntext = \"stop\"\n")
            .expect("a table");
    let tally = nine();
    let quality = analyse("run", &tally, &[], &tables.quality.suggestion);
    let found: Vec<Code> = findings(&quality).iter().map(|one| one.code).collect();
    assert_eq!(found, [Code::ThresholdUnfit]);
    let empty = "[[quality.suggestion]]\nwhen = \"errors > 0\"\ntext = \" \"\n";
    assert!(toml::from_str::<Tables>(empty).is_err());
}

#[test]
fn suggestions_are_judged_with_the_interval_of_the_figures() {
    let tally = nine();
    let quality = analyse("run", &tally, &[], &[]);
    let judged =
        |text: &str| crate::conditions::Condition::parse(text).expect(text).judge(&quality).outcome;
    assert_eq!(judged("failure_rate > 50%"), ConditionTruth::Holds);
    assert_eq!(judged("failure_rate > 80%"), ConditionTruth::Unsure { seen: true });
    assert_eq!(judged("rollouts < 30"), ConditionTruth::Holds);
    assert_eq!(judged("errors(TypeError) > 0"), ConditionTruth::Fails);
    assert_eq!(judged("share(TypeError) > 10%"), ConditionTruth::Unknown);
    assert_eq!(judged("mean_score(success) > 0"), ConditionTruth::Unknown);
    assert_eq!(judged("penalty < 0"), ConditionTruth::Unknown);
}
