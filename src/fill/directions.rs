//! What the head of a column of differences says of the way in which they are taken.

use super::labels::Labels;
use super::readings::About;
use super::scan::{folded, string};

/// Words after which a head names what is subtracted.
const BEFORE_SUBTRACTED: &[&str] = &[
    "vs",
    "vs.",
    "versus",
    "to",
    "over",
    "from",
    "against",
    "relative to",
    "compared to",
    "compared with",
    "相对",
    "相比",
    "较",
    "比",
];

/// What a head says of the differences below it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Direction {
    pub(super) subtracted: Option<usize>,
    pub(super) from: Option<usize>,
    /// Whether more is better, whatever the metric.
    pub(super) is_gain: bool,
}

/// The direction of a head of differences that names runs: `Δ (tuned − base)`, `gain over base`.
/// `None` for other heads.
pub(super) fn direction(head: &str, labels: &Labels<'_>) -> Option<Direction> {
    let text = folded(head);
    let arms = labels.arms_in(&text);
    let blank =
        |from: usize, to: usize| [string(&text, 0..from), string(&text, to..text.len())].join(" ");
    let (direction, rest) = match arms.as_slice() {
        [(first, one), (second, other)] => {
            let between = string(&text, first.end..second.start);
            let rest = blank(first.start, second.end);
            match between.trim() {
                "-" | "−" | "–" => {
                    (Direction { from: Some(*one), subtracted: Some(*other), is_gain: false }, rest)
                }
                "→" | "->" => {
                    (Direction { from: Some(*other), subtracted: Some(*one), is_gain: false }, rest)
                }
                _ => return None,
            }
        }
        [(range, arm)] => {
            let before = string(&text, 0..range.start);
            let before = before.trim_end();
            let mut ended = BEFORE_SUBTRACTED.iter().filter_map(|word| before.strip_suffix(word));
            let before = ended.next()?;
            let direction = Direction { subtracted: Some(*arm), ..Direction::default() };
            (direction, format!("{before} {}", string(&text, range.end..text.len())))
        }
        _ => return None,
    };
    let reading = labels.read(&rest);
    let is_difference = reading.about.is_some_and(About::is_difference);
    let is_bare = direction.from.is_some() && !rest.contains(char::is_alphanumeric);
    let is_other =
        !reading.is_understood() || !reading.facets.is_empty() || head.contains(['%', '％']);
    let is_gain = reading.about == Some(About::Gain);
    (!is_other && (is_difference || is_bare)).then_some(Direction { is_gain, ..direction })
}
