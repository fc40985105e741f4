//! Cases whose samples belong together, or are said to.

use serde_json::{Value, json};

use super::Expected::{Grade, Holds, Quiet, Raised, Silent, Verdict};
use super::neighbours::scattered;
use super::{Case, Runs, both, case, cell, finding, quiz, records, right};
use crate::cases::cases;

const UNIT: &str = "/pairing/unit";
const CLUSTERS: &str = "/pairing/clusters";

/// 120 samples with these fields beside their outcome.
fn fields(more: impl Fn(usize) -> Value) -> [super::Files; 2] {
    quiz(120, |arm, i| {
        let mut record = more(i);
        record["correct"] = json!(right(arm, i));
        record
    })
}

cases![
    passages_of_repositories_the_repository_is_the_cluster = case(
        fields(|i| json!({ "passage_id": i / 3, "repo": format!("r{}", i / 12) })),
        &[],
        vec![
            Raised("R260"),
            Silent("R261"),
            Holds("correct", CLUSTERS, json!(10)),
            Verdict("correct", "better"),
        ]
    ),
    every_passage_under_every_template_the_fewer_clusters_count_and_the_others_are_named = case(
        fields(|i| json!({ "passage_id": i % 20, "template_id": i / 10 })),
        &[],
        vec![Raised("R261"), Silent("R260"), Holds("correct", CLUSTERS, json!(12))]
    ),
    two_names_of_the_same_clusters_leave_nothing_to_choose = case(
        fields(|i| json!({ "passage_id": i / 3, "image_id": format!("image {}", i / 3) })),
        &[],
        vec![Quiet, Silent("R260"), Holds("correct", CLUSTERS, json!(40))]
    ),
    an_image_of_its_own_for_each_sample_is_no_cluster = case(
        fields(|i| json!({ "image_id": i })),
        &[],
        vec![Quiet, Holds("correct", UNIT, json!("sample"))]
    ),
    one_family_for_all_samples_tells_nothing_apart = case(
        fields(|_| json!({ "family": "llama" })),
        &[],
        vec![Quiet, Holds("correct", UNIT, json!("sample"))]
    ),
    a_context_of_four_lengths_is_a_part_of_the_dataset = case(
        fields(|i| json!({ "context": format!("{}k", 4 << (i % 4)) })),
        &[],
        vec![Quiet, Verdict("correct", "better"), Holds("correct", UNIT, json!("sample"))]
    ),
    three_templates_beside_passages_leave_the_passages_the_clusters = case(
        fields(|i| json!({ "template": format!("t{}", i % 3), "passage_id": i / 3 })),
        &[],
        vec![Quiet, Silent("R261"), Holds("correct", CLUSTERS, json!(40))]
    ),
    three_templates_of_which_one_decides_are_told = case(
        swinging(|i| i / 10, |i| json!({ "template": format!("t{}", i / 40) })),
        &[],
        vec![Raised("R295"), Verdict("correct", "better"), Holds("correct", UNIT, json!("sample"))]
    ),
    three_prompts_of_forty_samples_each_are_templates = case(
        fields(|i| json!({ "prompt": format!("Describe {}", i % 3), "file": format!("{i}.png") })),
        &[],
        vec![Raised("R293"), Verdict("correct", "better"), Holds("correct", UNIT, json!("sample"))]
    ),
    five_passages_stay_five_however_long_they_are = case(
        fields(|i| json!({ "passage_id": i % 5 })),
        &[],
        vec![Holds("correct", "/reason", json!("too-few")), Holds("correct", CLUSTERS, json!(5))]
    ),
    a_context_that_the_user_names_is_the_cluster_however_few_there_are = case(
        fields(|i| json!({ "context": format!("{}k", 4 << (i % 4)) })),
        &["--cluster", "context"],
        vec![
            Verdict("correct", "not-assessable"),
            Holds("correct", "/reason", json!("too-few")),
            Holds("correct", CLUSTERS, json!(4)),
        ]
    ),
    a_few_samples_without_a_passage_are_clusters_of_their_own_and_counted = case(
        fields(|i| if i < 3 { json!({}) } else { json!({ "passage_id": i / 3 }) }),
        &[],
        vec![Raised("R262"), Holds("correct", CLUSTERS, json!(42))]
    ),
    a_number_that_the_user_takes_for_the_cluster_is_no_metric = case(
        fields(|i| json!({ "page": i / 2, "passage_id": i / 3 })),
        &["--cluster", "page"],
        vec![Quiet, Holds("correct", CLUSTERS, json!(60)), Silent("R260"), Silent("R219")]
    ),
    a_field_inside_an_object_is_reached_by_a_path = case(
        fields(|i| json!({ "doc": { "text": i, "meta": { "page": i / 2 } } })),
        &["--cluster", "doc.meta.page"],
        vec![Quiet, Holds("correct", CLUSTERS, json!(60))]
    ),
    the_document_may_be_the_cluster_and_prove_the_pairing_at_once = case(
        fields(|i| json!({ "document": format!("text {}", i / 2) })),
        &["--cluster", "document"],
        vec![
            Holds("correct", CLUSTERS, json!(60)),
            Holds("correct", "/pairing/proof", json!("document-hash")),
        ]
    ),
    what_is_the_stimulus_by_its_name_is_the_cluster = case(
        fields(|i| json!({ "context": format!("Once upon a time {}", i / 4), "db_id": i / 3 })),
        &[],
        vec![Raised("R261"), Silent("R294"), Holds("correct", CLUSTERS, json!(30))]
    ),
    a_field_whose_samples_win_and_lose_together_takes_the_verdict = case(
        swinging(|i| i / 10, |i| json!({ "topic": format!("topic {}", i / 10) })),
        &[],
        vec![
            Raised("R294"),
            Verdict("correct", "inconclusive"),
            Holds("correct", "/reason", json!("hidden-clusters")),
            Holds("correct", UNIT, json!("sample")),
        ]
    ),
    topics_that_each_arm_spells_in_its_way = case(
        quiz(120, |arm, i| {
            let topic = format!("{} {}", ["topic", "Topic"][arm], i / 10);
            json!({ "correct": swing(i / 10, i, arm), "topic": topic })
        }),
        &[],
        vec![Raised("R294"), Verdict("correct", "inconclusive")]
    ),
    topics_that_one_arm_records = case(
        quiz(120, |arm, i| {
            let field = ["other", "topic"][arm];
            json!({ "correct": swing(i / 10, i, arm), field: format!("topic {}", i / 10) })
        }),
        &[],
        vec![Raised("R294"), Verdict("correct", "inconclusive")]
    ),
    what_one_arm_records_of_its_answers = case(
        quiz(120, |arm, i| {
            let (field, i) = (["other", "tool"][arm], scattered(i, 120));
            json!({ "correct": swing(i / 10, i, arm), field: format!("tool {}", i / 10) })
        }),
        &[],
        vec![Silent("R294"), Verdict("correct", "better")]
    ),
    one_large_topic_that_decides = case(
        large_topic(|i| i >= 60),
        &[],
        vec![Raised("R294"), Verdict("correct", "inconclusive")]
    ),
    one_large_topic_that_is_like_the_rest =
        case(large_topic(|i| i % 2 == 0), &[], vec![Silent("R294"), Verdict("correct", "better")]),
    a_field_over_which_wins_and_losses_are_spread_is_no_cluster = case(
        swinging(|i| i / 10, |i| json!({ "topic": format!("topic {}", i % 12) })),
        &[],
        vec![Silent("R294"), Quiet, Verdict("correct", "better")]
    ),
    who_answers_that_samples_are_independent_has_the_verdict = case(
        swinging(|i| i / 10, |i| json!({ "topic": format!("topic {}", i / 10) })),
        &["--cluster", "none"],
        vec![Silent("R294"), Verdict("correct", "better")]
    ),
    who_names_the_field_has_its_clusters = case(
        swinging(|i| i / 10, |i| json!({ "topic": format!("topic {}", i / 10) })),
        &["--cluster", "topic"],
        vec![Silent("R294"), Holds("correct", CLUSTERS, json!(12))]
    ),
    a_coarser_field_than_the_passages_that_count_takes_the_verdict = case(
        swinging(|i| i / 10, |i| json!({ "passage": i / 2, "batch": format!("b{}", i / 10) })),
        &[],
        vec![
            Raised("R294"),
            Holds("correct", CLUSTERS, json!(60)),
            Verdict("correct", "inconclusive"),
            Holds("correct", "/reason", json!("hidden-clusters")),
        ]
    ),
    a_field_that_crosses_the_passages_takes_the_verdict = case(
        swinging(|i| i / 10, |i| json!({ "passage": i % 40, "batch": format!("b{}", i / 10) })),
        &[],
        vec![
            Raised("R294"),
            Holds("correct", CLUSTERS, json!(40)),
            Verdict("correct", "inconclusive"),
            Holds("correct", "/reason", json!("hidden-clusters")),
        ]
    ),
    a_field_over_which_the_passages_are_spread_leaves_the_verdict = case(
        swinging(|i| i / 10, |i| json!({ "passage": i / 2, "batch": format!("b{}", i / 2 % 8) })),
        &[],
        vec![Silent("R294"), Quiet, Verdict("correct", "better")]
    ),
    fields_that_lie_within_the_passages_or_cross_them_and_say_nothing_leave_the_verdict = case(
        swinging(
            |i| i % 12,
            |i| json!({ "passage": i / 3, "part": format!("p{}", i / 2), "kind": format!("k{}", i % 10) })
        ),
        &[],
        vec![Silent("R294"), Quiet, Verdict("correct", "better")]
    ),
    the_passages_that_the_user_names_are_not_asked_for_coarser_ones = case(
        swinging(|i| i / 10, |i| json!({ "passage": i / 2, "batch": format!("b{}", i / 10) })),
        &["--cluster", "passage"],
        vec![Silent("R294"), Verdict("correct", "better")]
    ),
    a_field_that_the_answers_decide_is_none_of_the_question = case(
        quiz(120, |arm, i| {
            let i = scattered(i, 120);
            json!({ "correct": swing(i / 10, i, arm), "tool": format!("tool {}", i / 10 + arm) })
        }),
        &[],
        vec![Silent("R294"), Verdict("correct", "better")]
    ),
    a_verdict_that_few_values_of_a_field_decide_is_told_and_stands = case(
        swinging(|i| i / 10, |i| json!({ "language": format!("language {}", i / 30) })),
        &[],
        vec![Silent("R294"), Raised("R295"), Verdict("correct", "better")]
    ),
    a_verdict_that_every_value_of_a_field_bears_out_is_about_no_parts = case(
        swinging(|i| i / 10, |i| json!({ "language": format!("language {}", i % 4) })),
        &[],
        vec![Silent("R294"), Silent("R295"), Quiet, Verdict("correct", "better")]
    ),
    few_values_on_which_the_differences_depend_are_told_only_where_there_is_a_verdict = case(
        quiz(
            120,
            |arm, i| json!({ "correct": (i < 60) == (arm == 1), "half": format!("{}", i / 60) })
        ),
        &[],
        vec![Silent("R295"), Raised("R259"), Verdict("correct", "inconclusive")]
    ),
    the_field_that_hides_clusters_is_found_behind_twenty_others = case(
        swinging(
            |i| i / 10,
            |i| {
                let mut more = serde_json::Map::new();
                for field in 0..20 {
                    more.insert(
                        format!("a{field:02}"),
                        json!(format!("v{}", (i * (field + 3) / 2) % 7)),
                    );
                }
                more.insert("zone".to_owned(), json!(format!("zone {}", i / 10)));
                Value::Object(more)
            }
        ),
        &[],
        vec![Raised("R294"), Verdict("correct", "inconclusive")]
    ),
    forty_questions_under_two_hundred_ids_are_forty = case(
        swinging(|i| i / 3 / 2, |i| json!({ "prompt": format!("What is {} squared?", i / 3) })),
        &[],
        vec![Raised("R293"), Quiet, Holds("correct", CLUSTERS, json!(40))]
    ),
    questions_that_differ_in_case_and_spacing_alone_are_repetitions = case(
        fields(|i| {
            let spelt = ["What is {} squared?", "what is  {} squared?", "What is\n{} SQUARED?"];
            json!({ "prompt": spelt[i % 3].replace("{}", &format!("{}", i / 3)) })
        }),
        &[],
        vec![Raised("R293"), Quiet, Holds("correct", CLUSTERS, json!(40))]
    ),
    whole_numbers_of_an_unknown_name_may_hide_clusters = case(
        swinging(|i| i / 10, |i| json!({ "grp": 3 + i / 10 })),
        &[],
        vec![Raised("R294"), Verdict("correct", "inconclusive")]
    ),
    whole_numbers_over_which_wins_and_losses_are_spread_hide_none = case(
        swinging(|i| i / 10, |i| json!({ "grp": 3 + i % 12 })),
        &[],
        vec![Silent("R294"), Quiet, Verdict("correct", "better")]
    ),
    fields_inside_objects_may_hide_clusters = case(
        swinging(|i| i / 10, |i| json!({ "meta": { "n": i, "at": { "passageId": i / 10 } } })),
        &[],
        vec![Raised("R294"), Verdict("correct", "inconclusive")]
    ),
    a_long_text_inside_the_document_may_hide_clusters = case(
        swinging(
            |i| i / 10,
            |i| json!({ "doc": { "q": i, "story": format!("Once {} ", i / 10).repeat(60) } })
        ),
        &[],
        vec![Raised("R294"), Verdict("correct", "inconclusive")]
    ),
    fields_inside_objects_over_which_wins_and_losses_are_spread_hide_none = case(
        swinging(|i| i / 10, |i| json!({ "meta": { "n": i, "at": { "passageId": i % 12 } } })),
        &[],
        vec![Silent("R294"), Quiet, Verdict("correct", "better")]
    ),
    a_list_of_files_may_hide_clusters = case(
        swinging(|i| i / 10, |i| json!({ "pictures": [format!("{}.png", i / 10)] })),
        &[],
        vec![Raised("R294"), Verdict("correct", "inconclusive")]
    ),
    repeated_questions_taken_as_independent_are_told = case(
        fields(|i| json!({ "prompt": format!("What is {} squared?", i / 3) })),
        &["--cluster", "none"],
        vec![Raised("R293"), Raised("R263"), Holds("correct", UNIT, json!("sample"))]
    ),
    repeated_questions_within_a_passage_are_told_and_the_passage_counts = case(
        fields(|i| json!({ "prompt": format!("{}", i / 3), "passage_id": i / 12 })),
        &[],
        vec![Raised("R293"), Silent("R260"), Quiet, Holds("correct", CLUSTERS, json!(10))]
    ),
    a_prompt_around_other_questions_is_a_template = case(
        fields(|i| json!({ "prompt": format!("Answer in style {}.", i % 8), "target": i })),
        &[],
        vec![Silent("R293"), Quiet, Holds("correct", UNIT, json!("sample"))]
    ),
    one_question_asked_twice_is_overlooked = case(
        fields(|i| json!({ "prompt": format!("What is {} squared?", i.max(1)) })),
        &[],
        vec![Silent("R293"), Quiet, Holds("correct", UNIT, json!("sample"))]
    ),
    repeated_questions_of_samples_that_do_not_pair = case(
        unpaired(|passage| json!({ "prompt": format!("What is {passage} squared?") })),
        &[],
        vec![Raised("R293"), Holds("correct", "/delta/ci_method", json!("cr2-unpaired-t"))]
    ),
    three_passages_leave_every_possible_difference_open_and_no_impossible_one = case(
        // Every answer about one passage is gained: t with 2 degrees of freedom reaches to 177 pp.
        quiz(24, |arm, i| json!({ "passage_id": i / 8, "correct": arm == 1 && i < 8 })),
        &[],
        vec![
            Holds("correct", CLUSTERS, json!(3)),
            Holds("correct", "/delta/ci", json!([-100.0, 100.0])),
        ]
    ),
    clusters_are_turned_off_and_the_report_says_so = case(
        fields(|i| json!({ "passage_id": i / 3 })),
        &["--cluster", "none"],
        vec![Raised("R263"), Holds("correct", UNIT, json!("sample"))]
    ),
    a_chosen_field_that_is_another_one_for_every_sample_groups_nothing_which_is_told = case(
        fields(|i| json!({ "prompt": format!("What is {i} + {i}?") })),
        &["--cluster", "prompt"],
        vec![Raised("R265"), Silent("R264"), Quiet, Holds("correct", UNIT, json!("sample"))]
    ),
    no_verdict_where_the_chosen_field_is_in_another_dataset_only = case(
        both(|arm| {
            let record = |i| json!({ "correct": right(arm, i), "page": i / 2 });
            let plain = |i| json!({ "correct": right(arm, i) });
            vec![("bio.jsonl", records(60, plain)), ("law.jsonl", records(60, record))]
        }),
        &["--cluster", "page"],
        vec![
            Raised("R264"),
            Grade("as-declared"),
            Verdict("correct", "not-assessable"),
            Holds("correct", "/reason", json!("blocked: R264")),
        ]
    ),
];

/// Whether an arm is right on sample `i` of a group: seven of ten gained in the first five, five of ten
/// lost in the next three, as many right as wrong elsewhere.
pub(super) fn swing(group: usize, i: usize, arm: usize) -> bool {
    match (group, i % 10) {
        (0..5, 0..7) => arm == 1,
        (5..8, 0..5) => arm == 0,
        _ => i.is_multiple_of(2),
    }
}

/// 120 samples that are won and lost so by group, with these fields beside their outcome.
pub(super) fn swinging(
    group: fn(usize) -> usize,
    more: impl Fn(usize) -> Value,
) -> [super::Files; 2] {
    quiz(120, |arm, i| {
        let i = scattered(i, 120);
        let mut record = more(i);
        record["correct"] = json!(swing(group(i), i, arm));
        record
    })
}

/// Fifteen passages of eight questions in either arm, asked under other ids. Whole passages are
/// right or wrong, 6 of the baseline and 10 of the candidate.
fn unpaired(more: impl Fn(usize) -> Value) -> [super::Files; 2] {
    quiz(120, |arm, i| {
        let mut record = more(i / 8);
        record["id"] = json!(format!("{arm}-{i}"));
        record["correct"] = json!(i / 8 % 15 < [6, 10][arm]);
        record
    })
}

#[test]
fn samples_that_do_not_pair_are_judged_by_their_clusters_too() {
    let runs = Runs::of(&unpaired(|passage| json!({ "passage_id": passage })));
    let excludes_zero = |report: &Value| {
        let interval = &cell(report, "correct")["delta"]["ci"];
        let limit = |at: usize| interval[at].as_f64().expect("a limit");
        limit(0) > 0.0 || limit(1) < 0.0
    };
    let ignored = runs.report(&["--cluster", "none"]);
    let p = cell(&ignored, "correct")["test"]["p"].as_f64();
    assert!(excludes_zero(&ignored) && p.is_some_and(|p| p < 0.001), "{p:?}");
    let by_passage = runs.report(&[]);
    let found = cell(&by_passage, "correct");
    assert_eq!(
        (&found["delta"]["ci_method"], &found["pairing"]),
        (&"cr2-unpaired-t".into(), &Value::Null)
    );
    assert!(!excludes_zero(&by_passage) && found["test"]["p"].as_f64().is_some_and(|p| p > 0.1));
    assert_eq!(
        (&found["baseline"]["clusters"], &found["baseline"]["n"]),
        (&15.into(), &120.into())
    );
    assert!(
        found["notes"].as_array().is_some_and(|all| all.contains(&"treated-as-independent".into()))
    );
}

#[test]
fn a_cluster_field_that_no_sample_has_is_refused_with_those_that_there_are() {
    let ended = Runs::of(&fields(|i| json!({ "page": i }))).compare(&["--cluster", "pgae"]);
    assert_eq!(ended.status, 2, "{ended:?}");
    for expected in ["`pgae`", "correct, id, page"] {
        assert!(ended.err.contains(expected), "{ended:?}");
    }
}

#[test]
fn the_file_of_choices_may_name_the_cluster_and_a_flag_beats_it() {
    let runs = Runs::of(&fields(|i| json!({ "page": i / 2 })));
    let choices = "cluster = \"page\"\n";
    let by_file = runs.configured_report(choices, &[]);
    assert_eq!(cell(&by_file, "correct")["pairing"]["clusters"], 60);
    let by_flag = runs.configured_report(choices, &["--cluster", "none"]);
    assert_eq!(cell(&by_flag, "correct")["pairing"]["unit"], "sample");
}

#[test]
fn samples_without_a_cluster_are_told_with_count_and_first_line() {
    let runs = Runs::of(&fields(|i| match i {
        7 | 9 => json!({ "passage_id": null }),
        _ => json!({ "passage_id": i / 3 }),
    }));
    let report = runs.report(&[]);
    let found = finding(&report, "R262");
    assert_eq!(
        (&found["evidence"]["count"], &found["evidence"]["paired"]),
        (&2.into(), &120.into())
    );
    assert_eq!(found["location"]["line"], 8, "{found}");
}

#[test]
fn a_chosen_cluster_is_the_same_whatever_the_format() {
    let lines = fields(|i| json!({ "page": i / 2 }));
    let csv = |arm: usize| {
        let rows = (0..120).map(|i| format!("q{i},{},{}\n", u8::from(right(arm, i)), i / 2));
        std::iter::once("id,correct,page\n".to_owned()).chain(rows).collect::<String>()
    };
    let tables = both(|arm| vec![("quiz.csv", csv(arm))]);
    let test = |arms| {
        let report = Runs::of(arms).report(&["--cluster", "page"]);
        cell(&report, "correct")["test"].clone()
    };
    assert_eq!(test(&lines), test(&tables));
    assert_eq!(test(&lines)["method"], "cluster-sign-flip");
}

/// 60 questions of one topic and 60 of their own; of those that may be won by the candidate every third
/// is, and two are lost.
fn large_topic(may_be_won: impl Fn(usize) -> bool) -> [super::Files; 2] {
    quiz(120, |arm, i| {
        let topic = if i < 60 { format!("topic {i}") } else { "large".to_owned() };
        let correct = match i {
            7 | 21 => arm == 0,
            _ if may_be_won(i) && i % 3 == 0 => arm == 1,
            _ => i % 4 == 1,
        };
        json!({ "correct": correct, "topic": topic })
    })
}
