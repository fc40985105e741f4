//! Names of sample ids, for every reader that has to know them.

/// Names of sample ids, strongest first; ASCII case does not matter. The weak ones also number rows
/// of other things.
const NAMES: [&str; 18] = [
    "id",
    "problem_id",
    "problem_idx",
    "task_id",
    "doc_id",
    "instance_id",
    "question_id",
    "question_no",
    "sample_id",
    "qid",
    "uid",
    "题号",
    "编号",
    "样本id",
    "idx",
    "index",
    "key",
    "序号",
];
/// How many of [`NAMES`] are ids whatever else stands in the record.
const STRONG: u8 = 14;
/// Behind every name: the index that pandas writes without one.
pub(super) const UNNAMED: u8 = NAMES.len() as u8;

/// Behind that: the question of a record without any id.
pub(super) const QUESTION: u8 = UNNAMED + 1;

/// The name that says least.
pub(super) const WEAKEST: &str = NAMES[NAMES.len() - 1];

/// The rank of an id's name, 0 for the strongest; `None` for another name.
pub(in crate::collect) fn rank(name: &str) -> Option<u8> {
    let position = NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))?;
    u8::try_from(position).ok()
}

pub(in crate::collect) fn is_name(name: &str) -> bool {
    rank(name).is_some()
}

/// Whether a table with these columns names single samples.
pub(super) fn is_any_name(header: &[String]) -> bool {
    header.iter().any(|name| is_name(name))
}

/// Whether names of that rank are ids in any company.
pub(super) fn is_strong(rank: u8) -> bool {
    rank < STRONG
}

/// Whether a column has no name, as the index of a data frame: empty in CSV, `Unnamed: 0` when it
/// was read and written again.
pub(super) fn is_unnamed(name: &str) -> bool {
    name.is_empty() || name == "Unnamed: 0"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case_and_know_their_strength() {
        for (name, strong) in [
            ("ID", Some(true)),
            ("Problem_Id", Some(true)),
            ("problem_idx", Some(true)),
            ("样本ID", Some(true)),
            ("序号", Some(false)),
            ("Key", Some(false)),
            ("ids", None),
        ] {
            assert_eq!(rank(name).map(is_strong), strong, "{name}");
        }
    }
}
