//! Names that somebody may have meant by one that is not known.

use std::collections::BTreeSet;

/// Most names offered.
const MOST: usize = 3;
/// As many characters as one of them may be wrong.
const LETTERS_PER_SLIP: usize = 3;
/// Fewest characters that are taken for the beginning of a name.
const SHORTEST_BEGINNING: usize = 3;

/// Insertions, deletions and replacements of characters between two texts, without regard to case.
pub fn edit_distance(a: &str, b: &str) -> usize {
    strsim::levenshtein(&a.to_lowercase(), &b.to_lowercase())
}

/// The known names that somebody may have meant by an unknown one, nearest first, at most three: those
/// that differ in a few characters, and those of which it is a beginning or the initials, as `acc` is
/// of `accuracy` and `lr` of `learning_rate`. Of names with several components, such as
/// `okvqa/accuracy` or `trainer.lr`, the last one is compared.
pub fn nearest_name(
    unknown: &str,
    names: impl IntoIterator<Item = impl Into<String>>,
) -> Vec<String> {
    let wanted = last_component(unknown);
    let names = names.into_iter().map(Into::into);
    let ranked: BTreeSet<(usize, String)> = names
        .filter(|name: &String| !name.is_empty() && may_mean(wanted, last_component(name)))
        .map(|name| (edit_distance(wanted, last_component(&name)), name))
        .collect();
    ranked.into_iter().take(MOST).map(|(_, name)| name).collect()
}

fn last_component(name: &str) -> &str {
    name.rsplit(['/', '.']).next().unwrap_or(name)
}

fn may_mean(wanted: &str, name: &str) -> bool {
    let [wanted, name] = [wanted, name].map(str::to_lowercase);
    let [length, other] = [&wanted, &name].map(|text| text.chars().count());
    let begins = length.min(other) >= SHORTEST_BEGINNING
        && (name.starts_with(&wanted) || wanted.starts_with(&name));
    let is_short_for =
        |short: &str, long: &str| short.chars().count() > 1 && initials(long) == short;
    let few = (length.max(other) / LETTERS_PER_SLIP).max(1);
    begins
        || is_short_for(&wanted, &name)
        || is_short_for(&name, &wanted)
        || (length > 1 && edit_distance(&wanted, &name) <= few)
}

fn initials(name: &str) -> String {
    name.split(['_', '-', ' ']).filter_map(|word| word.chars().next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_is_the_fewest_changes_of_single_characters() {
        assert_eq!(edit_distance("kitten", "SITTING"), 3);
        assert_eq!(
            [("", "ab"), ("ab", ""), ("ab", "ab")].map(|(a, b)| edit_distance(a, b)),
            [2, 2, 0]
        );
    }

    #[test]
    fn names_that_come_close_are_offered_nearest_first_and_no_others() {
        let keys = ["trainer.kl_beta", "kl_end", "kl_beta_end", "learning_rate", "seed"];
        for (unknown, expected) in [
            ("klbeta", &["trainer.kl_beta"][..]),
            ("kl_bta", &["trainer.kl_beta"]),
            ("optim.kl_beta_en", &["kl_beta_end", "trainer.kl_beta"]),
            ("lr", &["learning_rate"]),
            ("LEARNING", &["learning_rate"]),
            ("temperature", &[]),
            ("s", &[]),
        ] {
            assert_eq!(nearest_name(unknown, keys), expected, "{unknown}");
        }
        assert_eq!(nearest_name("acc", ["correct", "okvqa/accuracy"]), ["okvqa/accuracy"]);
        assert_eq!(nearest_name("learning_rate", ["optim.lr"]), ["optim.lr"]);
        assert!(nearest_name("lr", [] as [&str; 0]).is_empty());
    }
}
