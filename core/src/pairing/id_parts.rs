//! What several ids have in common, such as `doc12` of `doc12_q3`, or `17` of `en/17`: it may say a
//! cluster. Of three parts and more, such as those of `book1/ch3/q7`, the first may say it, all but the
//! last, or the last.

use super::partners::PairedRows;
use super::repeated::shared_with_others;
use crate::model::{ContentHashes, SampleTable};

/// What stands between the parts of an id.
const SEPARATORS: &[u8] = b"/_-#:@|";

/// Fewest groups: fewer are parts of the dataset, or names of it.
const FEWEST_GROUPS: usize = 6;

/// Fewest ids in a group, on average.
const FEWEST_ALIKE: usize = 2;

/// Ids that are looked at before all are: mostly they are alike throughout, or have one part.
const PROBED: usize = 64;

/// Which part of an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IdPart {
    /// All but the last.
    Beginning,
    /// The first, where there are several before the last.
    FirstPart,
    /// The last.
    End,
}

/// Words before the number of a run in an id, such as that of `q12_seed2` or `fold3/q12`.
const RUNS: [&str; 9] =
    ["bootstrap", "fold", "rep", "replica", "replicate", "run", "seed", "split", "trial"];

/// The run that an id names, and the rest of the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunOfId<'a> {
    pub word: &'static str,
    pub number: &'a str,
    pub stem: &'a str,
}

impl<'a> RunOfId<'a> {
    /// `None` where neither the end of an id nor its beginning is a word for runs with a number.
    pub fn of(id: &'a str) -> Option<Self> {
        let is_digit = |c: char| c.is_ascii_digit();
        let between = |c: char| !c.is_alphanumeric();
        let head = id.trim_end_matches(is_digit);
        let at_end = RUNS.iter().find_map(|word| {
            let before = head.trim_end_matches(between);
            let stem = before.get(..before.len().checked_sub(word.len())?)?;
            let is_it = before.get(stem.len()..)?.eq_ignore_ascii_case(word);
            let found = Self { word, number: &id[head.len()..], stem };
            (is_it && stem.ends_with(between)).then_some(found)
        });
        let at_beginning = || {
            RUNS.iter().find_map(|word| {
                let behind = id.get(word.len()..)?;
                let rest = behind.trim_start_matches(between);
                let stem = rest.trim_start_matches(is_digit);
                let number = &rest[..rest.len() - stem.len()];
                let is_it = id.get(..word.len())?.eq_ignore_ascii_case(word);
                (is_it && stem.starts_with(between)).then_some(Self { word, number, stem })
            })
        };
        let is_whole =
            |one: &Self| !one.number.is_empty() && one.stem.chars().any(char::is_alphanumeric);
        at_end.filter(is_whole).or_else(|| at_beginning().filter(is_whole))
    }
}

/// What stands between parts, the clearest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Border {
    Separator,
    /// Where nothing else does: it stands before the ending of a file's name too.
    Dot,
    /// A letter after a digit, as in `d03q07`.
    LetterAfterDigit,
    /// A digit after a letter, as in `en17`.
    DigitAfterLetter,
}

/// What the ids of several pairs have in common.
pub(super) struct GroupedIds {
    /// For each pair a number that those which are alike share; 0 for an id of one part.
    pub(super) labels: Vec<u64>,
    /// The part of one of them, with the separator where that is at its end.
    pub(super) example: String,
}

/// The ids that are alike in that part. `None` where most have one part, or few are as others are.
pub(super) fn grouped_ids(
    table: &SampleTable,
    join: &PairedRows,
    which: IdPart,
) -> Option<GroupedIds> {
    let id = |&(row, _): &(u32, u32)| table.id(row as usize);
    let step = (join.pairs.len() / PROBED).max(1);
    let probed = || join.pairs.iter().step_by(step).map(id);
    let border = common_border(probed)?;
    let part = |id| part(id, border, which);
    let first = probed().find_map(part)?;
    probed().filter_map(part).find(|other| *other != first)?;
    let beginning = |id| self::part(id, border, IdPart::Beginning);
    match which {
        IdPart::Beginning => {}
        IdPart::FirstPart => {
            probed().find(|id| beginning(id) != part(id))?;
        }
        // Behind one beginning of all ids the rest is the id.
        IdPart::End => {
            let first = probed().find_map(beginning);
            probed().map(beginning).find(|other| *other != first)?;
        }
    }
    let number = |text: &str| ContentHashes::hash_bytes(text.as_bytes()).get();
    let labels: Vec<u64> = join.pairs.iter().map(|pair| part(id(pair)).map_or(0, number)).collect();
    let known: Vec<u64> = labels.iter().copied().filter(|&label| label != 0).collect();
    let mut alike = shared_with_others(&known);
    // Were fewer not alone, there could not be two to each on average.
    if 2 * known.len() < labels.len() || FEWEST_ALIKE * alike.len() < known.len() {
        return None;
    }
    let alone = known.len() - alike.len();
    alike.sort_unstable();
    alike.dedup();
    let values = alone + alike.len();
    (values >= FEWEST_GROUPS && FEWEST_ALIKE * values <= known.len())
        .then(|| GroupedIds { labels, example: first.to_owned() })
}

/// What stands between the parts of these ids. Letters and digits are parts only where all ids have as
/// many of them, which those that are drawn at random do not.
fn common_border<'a, I: Iterator<Item = &'a str>>(ids: impl Fn() -> I) -> Option<Border> {
    let has = |border| ids().any(|id| borders(id, border).next().is_some());
    if let Some(found) = [Border::Separator, Border::Dot].into_iter().find(|&border| has(border)) {
        return Some(found);
    }
    let is_regular = |border: &Border| {
        let mut counts = ids().map(|id| borders(id, *border).count());
        counts.next().is_some_and(|first| first > 0 && counts.all(|count| count == first))
    };
    [Border::LetterAfterDigit, Border::DigitAfterLetter].into_iter().find(is_regular)
}

/// Where further parts begin.
fn borders(id: &str, border: Border) -> impl DoubleEndedIterator<Item = usize> {
    let bytes = id.as_bytes();
    (1..bytes.len()).filter_map(move |at| match (border, bytes[at - 1], bytes[at]) {
        (Border::Separator, _, byte) => SEPARATORS.contains(&byte).then_some(at + 1),
        (Border::Dot, _, byte) => (byte == b'.').then_some(at + 1),
        (Border::LetterAfterDigit, before, byte) => {
            (before.is_ascii_digit() && byte.is_ascii_alphabetic()).then_some(at)
        }
        (Border::DigitAfterLetter, before, byte) => {
            (before.is_ascii_alphabetic() && byte.is_ascii_digit()).then_some(at)
        }
    })
}

/// That part of an id, a beginning with its separator. `None` of an id of one part.
fn part(id: &str, border: Border, which: IdPart) -> Option<&str> {
    let mut borders = borders(id, border);
    match which {
        IdPart::Beginning => id.get(..borders.next_back()?),
        IdPart::FirstPart => id.get(..borders.next()?),
        IdPart::End => id.get(borders.next_back()?..).filter(|end| !end.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_divided_where_its_parts_meet() {
        use Border::{DigitAfterLetter, Dot, LetterAfterDigit, Separator};
        for (id, border, first, beginning, end) in [
            ("doc12_q3", Separator, Some("doc12_"), Some("doc12_"), Some("q3")),
            ("passage_7/2", Separator, Some("passage_"), Some("passage_7/"), Some("2")),
            ("en/17", Separator, Some("en/"), Some("en/"), Some("17")),
            ("p#é:ü", Separator, Some("p#"), Some("p#é:"), Some("ü")),
            ("17", Separator, None, None, None),
            ("_17", Separator, None, None, None),
            ("17_", Separator, Some("17_"), Some("17_"), None),
            ("", Separator, None, None, None),
            ("doc3.q7", Dot, Some("doc3."), Some("doc3."), Some("q7")),
            ("d03q07", LetterAfterDigit, Some("d03"), Some("d03"), Some("q07")),
            ("b1c2q3", LetterAfterDigit, Some("b1"), Some("b1c2"), Some("q3")),
            ("en17", DigitAfterLetter, Some("en"), Some("en"), Some("17")),
        ] {
            assert_eq!(part(id, border, IdPart::FirstPart), first, "{id}");
            assert_eq!(part(id, border, IdPart::Beginning), beginning, "{id}");
            assert_eq!(part(id, border, IdPart::End), end, "{id}");
        }
    }

    #[test]
    fn an_id_names_a_run_by_a_word_and_a_number_at_either_end() {
        let run = |id| RunOfId::of(id).map(|one| (one.word, one.number, one.stem));
        for (id, found) in [
            ("q12_seed2", Some(("seed", "2", "q12_"))),
            ("q12@seed=2", Some(("seed", "2", "q12@"))),
            ("q12_split_7", Some(("split", "7", "q12_"))),
            ("run0/q12", Some(("run", "0", "/q12"))),
            ("Fold3-q12", Some(("fold", "3", "-q12"))),
            ("birdseed2", None),
            ("q12_seed", None),
            ("seed7", None),
            ("seed_7_9", Some(("seed", "7", "_9"))),
            ("trunk/run", None),
            ("题目_seed1", Some(("seed", "1", "题目_"))),
            ("", None),
        ] {
            assert_eq!(run(id), found, "{id}");
        }
    }

    #[test]
    fn the_clearest_border_that_ids_have_divides_them() {
        for (ids, border) in [
            (&["doc1.a_2", "doc2.b_2"][..], Some(Border::Separator)),
            (&["doc1.a2", "doc2.b2"], Some(Border::Dot)),
            (&["d1q2", "d1q3"], Some(Border::LetterAfterDigit)),
            (&["en1", "de1"], Some(Border::DigitAfterLetter)),
            (&["a3f09c", "77d1e2", "0b1c2d", "beef12"], None),
            (&["1", "2"], None),
        ] {
            assert_eq!(common_border(|| ids.iter().copied()), border, "{ids:?}");
        }
    }
}
