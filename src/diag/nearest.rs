//! Names that somebody may have meant by one that is not known.

use std::collections::BTreeSet;

/// Most names offered.
const MOST: usize = 3;

/// Insertions, deletions and replacements of characters between two texts, without regard to case.
pub fn edit_distance(a: &str, b: &str) -> usize {
    strsim::levenshtein(&a.to_lowercase(), &b.to_lowercase())
}

/// The known names that are nearest to an unknown one, nearest first, at most three. Of names with
/// several components, such as `okvqa/accuracy` or `trainer.lr`, the last one is compared.
pub fn nearest_name(
    unknown: &str,
    names: impl IntoIterator<Item = impl Into<String>>,
) -> Vec<String> {
    let last = |name: &str| name.rsplit(['/', '.']).next().unwrap_or(name).to_owned();
    let wanted = last(unknown);
    let names = names.into_iter().map(Into::into);
    let ranked: BTreeSet<(usize, String)> =
        names.map(|name: String| (edit_distance(&wanted, &last(&name)), name)).collect();
    ranked.into_iter().take(MOST).map(|(_, name)| name).collect()
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
    fn the_nearest_names_come_first_and_components_above_the_last_do_not_count() {
        let names = ["trainer.kl_beta", "kl_end", "kl_beta_end"];
        assert_eq!(nearest_name("klbeta", names), ["trainer.kl_beta", "kl_end", "kl_beta_end"]);
        assert_eq!(nearest_name("lr", ["optim.lr"]), ["optim.lr"]);
        assert!(nearest_name("lr", [] as [&str; 0]).is_empty());
    }
}
