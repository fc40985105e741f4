use super::*;

fn broken(claims: &RecordClaims) -> Vec<&'static str> {
    RULES.iter().filter(|rule| (rule.broken)(claims)).map(|rule| rule.claims).collect()
}

fn claims(fields: &[(RecordClaimRole, f64)], error_type: Option<&str>) -> RecordClaims {
    let mut claims = RecordClaims::default();
    for &(role, value) in fields {
        claims.take(role, value);
    }
    if let Some(text) = error_type {
        claims.take_error_type(text, &RecordErrorType::parse(text));
    }
    claims
}

#[test]
fn claims_that_exclude_each_other_are_seen() {
    use RecordClaimRole::{Accepted, Failed, PassRatio, Passed, Total};
    for (fields, error_type, rules) in [
        (&[(Accepted, 1.0), (PassRatio, 0.8)][..], None, &["accepted = 1, pass_ratio < 1"][..]),
        (&[(Accepted, 0.0), (PassRatio, 1.0)], None, &["accepted = 0, pass_ratio = 1"]),
        (
            &[(Accepted, 1.0), (PassRatio, 1.0)],
            Some("wrong_answer"),
            &["accepted = 1, error_type ≠ success"],
        ),
        (&[(Accepted, 0.0)], Some("Passed"), &["accepted = 0, error_type = success"]),
        (&[(PassRatio, 0.5)], Some("success"), &["error_type = success, pass_ratio < 1"]),
        (&[(Failed, 2.0)], Some("success"), &["error_type = success, failed > 0"]),
        (&[(Passed, 5.0), (Total, 4.0)], None, &["passed > total"]),
        (&[(Passed, 3.0), (Total, 4.0), (PassRatio, 0.5)], None, &["pass_ratio ≠ passed / total"]),
    ] {
        assert_eq!(broken(&claims(fields, error_type)), rules, "{fields:?} {error_type:?}");
    }
}

#[test]
fn claims_that_go_together_are_left_alone() {
    use RecordClaimRole::{Accepted, PassRatio, Passed, Right, Total};
    for (fields, error_type) in [
        (&[(Accepted, 1.0), (PassRatio, 1.0)][..], Some("success")),
        (&[(Accepted, 0.0), (PassRatio, 0.3)], Some("wrong_answer")),
        (&[(Accepted, 0.0), (PassRatio, 0.0)], Some("none")),
        (&[(Accepted, 0.0)], Some("ok")),
        (&[(Right, 1.0), (Accepted, 0.0)], None),
        (&[(Passed, 2.0), (Total, 3.0), (PassRatio, 0.67)], None),
        (&[(Passed, 2.0), (Total, 3.0), (PassRatio, 66.67)], None),
        (&[(Passed, 0.0), (Total, 0.0), (PassRatio, 0.0)], None),
    ] {
        assert_eq!(broken(&claims(fields, error_type)), [""; 0], "{fields:?} {error_type:?}");
    }
}

#[test]
fn the_limit_and_an_error_contradict_what_is_said_beside_them() {
    let cut = RecordClaims {
        stopped_at_limit: Some(true),
        truncated: Some(false),
        ..RecordClaims::default()
    };
    assert_eq!((broken(&cut).len(), cut.cut()), (1, Some(true)));
    let mut errored = claims(&[(RecordClaimRole::Right, 1.0)], None);
    errored.failure = RecordFailure::Certain;
    assert_eq!(broken(&errored), ["error ≠ null, score = 1"]);
    assert_eq!(errored.ending(), Ending::Infrastructure);
}

#[test]
fn an_answer_that_could_not_be_extracted_is_none() {
    for (value, ending) in [
        (RecordValue::Null, Ending::NoAnswer),
        (RecordValue::Text(" "), Ending::NoAnswer),
        (RecordValue::Composite("[\"[invalid]\"]"), Ending::NoAnswer),
        (RecordValue::Composite("[\"42\"]"), Ending::Plain),
        (RecordValue::Text("0"), Ending::Plain),
    ] {
        let mut claims = RecordClaims::default();
        claims.take_answer(value);
        assert_eq!(claims.ending(), ending, "{value:?}");
    }
}

#[test]
fn an_answer_in_a_wrong_form_is_none_only_where_it_is_not_there() {
    for (answer, role, value, ending) in [
        (Some("42"), RecordClaimRole::Unreadable, 1.0, Ending::Plain),
        (None, RecordClaimRole::Readable, 0.0, Ending::NoAnswer),
    ] {
        let mut claims = claims(&[(role, value)], None);
        if let Some(text) = answer {
            claims.take_answer(RecordValue::Text(text));
        }
        assert_eq!(claims.ending(), ending, "{answer:?} {value}");
    }
}
