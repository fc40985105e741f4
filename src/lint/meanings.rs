//! What a figure that rises or falls is said to mean, and does not: a falling KL divergence as a policy
//! that moves away.

use super::columns::has_word;
use super::said::{Said, words_of};
use super::sentences::sentences;
use super::{Found, Page};
use crate::text::Refusal;

/// A metric, how it moves, and what that does not mean.
struct Meaning {
    metric: &'static [&'static str],
    moves: Said,
    /// Beginnings of words.
    not: &'static [&'static str],
    key: &'static str,
}

const MEANINGS: &[Meaning] = &[
    Meaning {
        metric: KL,
        moves: Said::Falls,
        not: &["偏离", "远离", "diverg", "drift", "deviat", "away from"],
        key: "lint.meaning-kl-falls",
    },
    Meaning {
        metric: KL,
        moves: Said::Rises,
        not: &["接近", "靠近", "closer", "nearer"],
        key: "lint.meaning-kl-rises",
    },
    Meaning {
        metric: ENTROPY,
        moves: Said::Falls,
        not: &[
            "更多探索",
            "探索更多",
            "探索增",
            "更随机",
            "more explor",
            "explores more",
            "exploring more",
            "more random",
            "more diverse",
        ],
        key: "lint.meaning-entropy-falls",
    },
    Meaning {
        metric: ENTROPY,
        moves: Said::Rises,
        not: &["坍缩", "更确定", "collaps", "more determin", "more confident"],
        key: "lint.meaning-entropy-rises",
    },
    Meaning {
        metric: LOSS,
        moves: Said::Rises,
        not: &["模型在学习", "正在学习", "在学习新", "收敛", "is learning", "converg"],
        key: "lint.meaning-loss-rises",
    },
];
const KL: &[&str] = &["kl"];
const ENTROPY: &[&str] = &["entropy", "熵"];
const LOSS: &[&str] = &["loss", "损失"];

/// Words that lead from what was seen to what it means.
const SO: &[&str] = &[
    "说明", "表明", "意味", "表示", "证明", "indicat", "suggest", "mean", "show", "impl", "confirm",
];
/// Words that take back what follows.
const DENIED: &[&str] = &[
    "not", "no", "less", "without", "prevent", "avoid", "limit", "reduc", "instead", "n't", "need",
    "should", "需要", "并", "不", "未", "没", "无", "避免", "防止", "抑制", "减少", "更少",
];

/// What is no divergence but how much it counts.
const COEFFICIENTS: &[&str] =
    &["coefficient", "coef", "weight", "penalty", "beta", "惩罚", "权重", "系数"];

pub(super) fn find(page: &Page<'_>) -> Vec<Found> {
    let found = sentences(page.text).filter_map(|(start, sentence)| in_sentence(start, sentence));
    found.collect()
}

fn in_sentence(start: usize, sentence: &str) -> Option<Found> {
    let so = SO.iter().filter_map(|word| sentence.find(word)).min()?;
    let (seen, meant) = sentence.split_at_checked(so)?;
    let [seen, meant] = [seen, meant].map(str::to_lowercase);
    let moves = |said: Said| words_of(said).any(|word| has_word(&seen, word));
    let meaning = MEANINGS.iter().find(|meaning| {
        let other = if meaning.moves == Said::Falls { Said::Rises } else { Said::Falls };
        meaning.metric.iter().any(|word| has_word(&seen, word))
            && moves(meaning.moves)
            && !moves(other)
            && meaning.not.iter().any(|word| meant.contains(word))
    });
    let is_denied =
        DENIED.iter().any(|word| meant.contains(word) || seen.trim_end().ends_with(word))
            || COEFFICIENTS.iter().any(|word| has_word(&seen, word));
    let message = Refusal::new(meaning.filter(|_| !is_denied)?.key);
    let end = start + sentence.trim_end().len();
    Some(Found::at(start + so..end, message))
}
