//! What names of fields say: that they are of the question, may hold the right answer, name a rater, or group
//! nothing.

use crate::model::attempts_from;

/// Fields that by their name say something of the question and not of an answer.
const OF_QUESTIONS: [&str; 24] = [
    "answer_type",
    "category",
    "difficulty",
    "discipline",
    "domain",
    "grade_level",
    "lang",
    "language",
    "level",
    "problem_type",
    "prompt_len",
    "prompt_length",
    "question_len",
    "question_length",
    "question_type",
    "section",
    "skill",
    "source",
    "subcategory",
    "subject",
    "subset",
    "subtopic",
    "topic",
    "year",
];

/// Fields that hold the right answer in one file and that of the model in another.
const MAY_BE_GOLD: [&str; 12] = [
    "answer",
    "choices",
    "correct_choice",
    "correct_index",
    "correct_option",
    "key",
    "label",
    "labels",
    "options",
    "ref",
    "solution",
    "tests",
];

/// Those of them that group no questions, whichever answer they hold.
const ANSWERS: [&str; 5] = ["answer", "label", "labels", "options", "solution"];

/// Words for those who rate answers.
const RATERS: [&str; 8] =
    ["annotator", "evaluator", "grader", "judge", "labeler", "labeller", "rater", "reviewer"];

pub(super) fn groups_nothing(field: &str) -> bool {
    ANSWERS.contains(&field) || attempts_from(field).is_some() || field.starts_with("len(")
}

/// Whether a field of that name may hold the right answer.
pub fn may_be_gold(field: &str) -> bool {
    MAY_BE_GOLD.contains(&field)
}

/// Whether a field of that name says something of the question.
pub fn is_of_question(field: &str) -> bool {
    OF_QUESTIONS.contains(&field)
}

/// Whether a word of a name says who rated an answer.
pub fn is_rater(word: &str) -> bool {
    RATERS.contains(&word)
}
