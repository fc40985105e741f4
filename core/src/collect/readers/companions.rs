//! Columns that stand beside a column of figures and say how sure it is, by their names: `gsm8k_stderr` and
//! `gsm8k_n` beside `gsm8k`, or `Correct` and `Total` for a rate.

use super::super::records::FileSheet;
use super::figure::read_cell;
use super::spreads::{self, SpreadKind};
use crate::quantity;

/// What is behind the name of a figure in the name of the number of its samples.
const SIZE_ENDS: &[&str] = &["_num_samples", "_n_samples", "_samples", "_n"];
/// Heads of how many were right, and of how many there were.
const RIGHT: &[&str] = &[
    "correct",
    "passed",
    "solved",
    "resolved",
    "right",
    "accepted",
    "pass",
    "success",
    "successes",
    "num_correct",
    "n_correct",
    "num_passed",
    "n_passed",
    "num_success",
    "正确",
    "正确数",
    "通过",
    "通过数",
];
/// Heads of how many were not, where nobody counts all.
const WRONG: &[&str] = &["fail", "failed", "failures", "wrong", "incorrect", "错误数", "失败数"];
const ALL: &[&str] = &["total", "all", "num_total", "n_total", "总数", "总计", "合计"];
/// How far a rate with two digits may lie from the share of the counts.
const ROUNDED: f64 = 0.005_001;
/// Decimals of a share that is worked out from counts: it was not rounded by anybody.
const DIGITS: usize = 6;

/// What a column says of the figures of another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Companion {
    Spread(SpreadKind),
    Size,
}

/// The column that a head is beside, and what it says of it.
pub(super) fn companion(column: usize, heads: &[String]) -> Option<(usize, Companion)> {
    let head = heads.get(column)?.to_ascii_lowercase();
    let at = |base: &str| heads.iter().position(|other| other.eq_ignore_ascii_case(base));
    if let Some((base, kind)) = spreads::parse(&head) {
        return Some((at(&base)?, Companion::Spread(kind)));
    }
    let ends = SIZE_ENDS.iter().filter_map(|end| head.strip_suffix(end));
    let starts = head.strip_prefix("n_").into_iter();
    let of = ends.chain(starts).find_map(at)?;
    Some((of, Companion::Size))
}

/// The table in which `Correct` and `Total`, or `Passed` and `Failed`, are the size of a rate: of the one that
/// stands beside them, or of the share that they are. Columns that add up to the total with them are shares
/// of it too.
pub(super) fn with_counts(mut sheet: FileSheet) -> FileSheet {
    let place = |known: &[&str]| {
        let is_known = |head: &String| known.contains(&head.to_lowercase().as_str());
        sheet.header.iter().position(is_known)
    };
    let Some(right) = place(RIGHT) else { return sheet };
    let (all, wrong) = (place(ALL), place(WRONG));
    let Some(behind) = all.or(wrong) else { return sheet };
    let counts: Result<Vec<Option<Counts>>, NoCounts> =
        sheet.rows.iter().map(|(_, row)| Counts::read(row, right, behind, all.is_none())).collect();
    let Ok(counts) = counts else { return sheet };
    if !counts.iter().flatten().any(|one| one.all > 1) {
        return sheet;
    }
    let mut parts = parts_of_all(&sheet, [right, behind], &counts);
    parts.extend(wrong.filter(|_| all.is_none()));
    let has_rate = (0..sheet.header.len())
        .any(|column| column != right && column != behind && is_rate_of(&sheet, column, &counts));
    let shares = if has_rate { parts } else { [parts, vec![right]].concat() };
    for ((_, row), counts) in sheet.rows.iter_mut().zip(&counts) {
        let Some(counts) = counts else { continue };
        for &column in &shares {
            let count = FileSheet::cell(row, column).trim().parse().unwrap_or(0);
            if let Some(cell) = row.get_mut(column) {
                *cell = Counts { right: count, ..*counts }.to_cell();
            }
        }
    }
    if let Some(head) = all.and_then(|all| sheet.header.get_mut(all)) {
        "n".clone_into(head);
    }
    if has_rate {
        sheet.header.remove(right);
        for (_, row) in sheet.rows.iter_mut().filter(|(_, row)| right < row.len()) {
            row.remove(right);
        }
    }
    sheet
}

/// The other columns of whole numbers, where these and what was right are all in every row.
fn parts_of_all(sheet: &FileSheet, known: [usize; 2], counts: &[Option<Counts>]) -> Vec<usize> {
    let number = |row: &[String], column| FileSheet::cell(row, column).trim().parse::<u64>().ok();
    let rows = || sheet.rows.iter().zip(counts).filter_map(|((_, row), one)| Some((row, (*one)?)));
    let is_count = |&column: &usize| {
        !known.contains(&column)
            && rows().all(|(row, all)| number(row, column).is_some_and(|one| one <= all.all))
    };
    let parts: Vec<usize> = (0..sheet.header.len()).filter(is_count).collect();
    let is_whole = rows().all(|(row, all)| {
        let sum: u64 = parts.iter().filter_map(|&column| number(row, column)).sum();
        sum.checked_add(all.right) == Some(all.all)
    });
    if is_whole { parts } else { Vec::new() }
}

/// The cells of a row say no counts.
struct NoCounts;

#[derive(Debug, Clone, Copy)]
struct Counts {
    right: u64,
    all: u64,
}

impl Counts {
    /// `None` where the cells are empty. The second column holds all, or where `is_rest` the others.
    fn read(
        row: &[String],
        right: usize,
        behind: usize,
        is_rest: bool,
    ) -> Result<Option<Self>, NoCounts> {
        let [right, behind] = [right, behind].map(|column| FileSheet::cell(row, column).trim());
        if right.is_empty() && behind.is_empty() {
            return Ok(None);
        }
        let count = |text: &str| text.parse::<u64>().map_err(|_| NoCounts);
        let (right, behind) = (count(right)?, count(behind)?);
        let all = if is_rest { right.checked_add(behind).ok_or(NoCounts)? } else { behind };
        let is_share = right <= all && all > 0;
        if is_share { Ok(Some(Self { right, all })) } else { Err(NoCounts) }
    }

    fn share(self) -> f64 {
        self.right as f64 / self.all as f64
    }

    /// The share with its counts.
    fn to_cell(self) -> String {
        let Self { right, all } = self;
        quantity::fixed(100.0 * right as f64 / all as f64, DIGITS) + &format!("% ({right}/{all})")
    }
}

/// Whether every figure of a column is the share of its row, but for rounding.
fn is_rate_of(sheet: &FileSheet, column: usize, shares: &[Option<Counts>]) -> bool {
    sheet.rows.iter().zip(shares).all(|((_, row), share)| {
        let figure = read_cell(FileSheet::cell(row, column)).and_then(|cell| cell.value.value());
        match (figure, share) {
            (Some(figure), Some(share)) => {
                [figure, figure / 100.0].iter().any(|rate| (rate - share.share()).abs() <= ROUNDED)
            }
            _ => share.is_none(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(text: &str) -> FileSheet {
        let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<String>>();
        let mut lines = text.split('/');
        let header = lines.next().map(cells).unwrap_or_default();
        FileSheet { header, rows: (2..).zip(lines.map(cells)).collect() }
    }

    fn check(text: &str, expected: &str) {
        let found = with_counts(sheet(text));
        let rows = found.rows.iter().map(|(_, row)| row.join(","));
        let shown: Vec<String> = std::iter::once(found.header.join(",")).chain(rows).collect();
        assert_eq!(shown.join("/"), expected, "{text}");
    }

    #[test]
    fn counts_are_the_size_of_the_rate_that_they_are() {
        check(
            "Model,Correct,Total,Accuracy/sft,114,200,57.0%/grpo,120,200,60.0%",
            "Model,n,Accuracy/sft,200,57.0%/grpo,200,60.0%",
        );
    }

    #[test]
    fn counts_without_a_rate_are_their_share() {
        let found = with_counts(sheet("Model,Correct,Total/sft,114,200"));
        let [(_, row)] = found.rows.as_slice() else { panic!("one row") };
        let cell = read_cell(&FileSheet::cell(row, 1).replace("(114/200)", "").replace(' ', ""));
        assert_eq!(cell.and_then(|cell| cell.value.value()), Some(57.0));
        assert_eq!(found.header, ["Model", "Correct", "n"]);
    }

    #[test]
    fn counts_that_add_up_to_the_total_are_shares() {
        check(
            "model,total,success,timeout,wrong/base,4,1,1,2",
            "model,n,success,timeout,wrong/base,4,25.000000% (1/4),25.000000% (1/4),50.000000% (2/4)",
        );
        check(
            "model,passed,failed/base,1,3",
            "model,passed,failed/base,25.000000% (1/4),75.000000% (3/4)",
        );
    }

    #[test]
    fn numbers_that_are_no_counts_stay() {
        for text in [
            "Model,Correct,Total/sft,0.57,200",
            "Model,Correct,Total/sft,210,200",
            "a,Total/b,3",
            "model,passed,failed/base,0.25,0.75",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn a_head_is_beside_the_column_whose_name_it_holds() {
        let heads =
            ["gsm8k", "gsm8k_stderr", "GSM8K_n", "n_gsm8k", "mmlu_n", "n"].map(str::to_owned);
        let found: Vec<_> = (0..heads.len()).map(|column| companion(column, &heads)).collect();
        let error = Companion::Spread(SpreadKind::StandardError);
        let size = Some((0, Companion::Size));
        assert_eq!(found, [None, Some((0, error)), size, size, None, None]);
    }
}
