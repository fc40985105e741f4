//! What a table keeps where it is saved in a file for later comparisons: hashes as wide as their
//! number allows, and the same width for every table that it is compared with.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{ContentHash, SampleTable};

/// How much is kept of hashes, from most to least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HashWidth {
    #[default]
    Whole,
    Short,
    Shorter,
    /// Ids give way to hashes as well.
    NoIds,
}

/// Bits that are left of hashes. Among n samples about n² / 2^(bits + 1) pairs have one hash by
/// chance: 0.07 of 100,000 at 36 bits, 298 at 24.
struct Bits {
    /// Of prompts, documents, questions and clusters, which tell samples of one table apart.
    own: u32,
    /// Of targets and of answers, which are only held against those of a partner.
    target: u32,
    response: u32,
    /// Of the hashes that stand for ids.
    id: Option<u32>,
}

impl HashWidth {
    pub const ALL: [Self; 4] = [Self::Whole, Self::Short, Self::Shorter, Self::NoIds];

    /// The name in files and findings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Short => "short",
            Self::Shorter => "shorter",
            Self::NoIds => "no-ids",
        }
    }

    fn bits(self) -> Option<Bits> {
        match self {
            Self::Whole => None,
            Self::Short => Some(Bits { own: 36, target: 18, response: 18, id: None }),
            Self::Shorter => Some(Bits { own: 24, target: 18, response: 18, id: None }),
            Self::NoIds => Some(Bits { own: 24, target: 6, response: 12, id: Some(36) }),
        }
    }
}

fn cut(hash: Option<ContentHash>, bits: u32) -> Option<ContentHash> {
    hash.map(|hash| ContentHash::new(cut_number(hash.get(), bits)).unwrap_or(ContentHash::MIN))
}

/// The lowest bits of a number, and 1 where they are 0, which stands for none.
fn cut_number(number: u64, bits: u32) -> u64 {
    if number == 0 { 0 } else { (number & ((1 << bits) - 1)).max(1) }
}

impl SampleTable {
    /// Whether the table was read from a file that holds no texts.
    pub fn is_saved(&self) -> bool {
        self.saved.is_some()
    }

    /// How much of its hashes a table was saved with.
    pub fn width(&self) -> HashWidth {
        self.saved.unwrap_or_default()
    }

    /// Marks the table as read from a file that holds no texts; `None` where its columns are not of
    /// one length.
    #[must_use]
    pub fn into_saved(mut self, width: HashWidth) -> Option<Self> {
        let rows = self.len();
        let sparse = [self.alike.len(), self.attempts.len(), self.questions.len()];
        let is_whole = [self.hashes.len(), self.statuses.len(), self.truncated.len()]
            .into_iter()
            .chain([self.lines.len()])
            .chain(self.columns.iter().map(|(_, column)| column.len()))
            .chain(self.clusters.iter().map(|(_, column)| column.len()))
            .all(|length| length == rows)
            && sparse.iter().all(|&length| length == 0 || length == rows)
            && self.endings.fits(rows)
            && self.shared.iter().all(|(_, column)| column.len() <= rows)
            && self.answers.as_ref().is_none_or(|answers| answers.fits(rows, &self.columns))
            && are_unique(self.columns.iter().map(|(name, _)| name))
            && are_unique(self.clusters.iter().map(|(name, _)| name));
        self.saved = Some(width);
        is_whole.then_some(self)
    }

    /// Leaves so much of all hashes. What is left of equal hashes is equal.
    pub fn narrow(&mut self, width: HashWidth) {
        let Some(Bits { own, target, response, id }) = width.bits() else { return };
        if self.alike_says_no_more() {
            self.alike.clear();
        }
        for hash in self.hashes.targets_mut() {
            *hash = cut(*hash, target);
        }
        for hash in self.hashes.own_mut().chain(&mut self.alike).chain(&mut self.questions) {
            *hash = cut(*hash, own);
        }
        self.endings.change_responses(|hash| cut(hash, response));
        for cluster in self.clusters.iter_mut().flat_map(|(_, column)| column) {
            *cluster = cut_number(*cluster, own);
        }
        if let Some(bits) = id.filter(|_| self.saved != Some(HashWidth::NoIds)) {
            let ids = self.ids.hashes().iter().map(|&hash| id_of(cut_number(hash, bits)));
            self.ids = ids.collect::<Vec<_>>().iter().map(String::as_str).collect();
        }
    }

    /// Whether prompts that are alike but for case and white space are equal within the table.
    fn alike_says_no_more(&self) -> bool {
        let distinct = |hashes: &mut Vec<Option<ContentHash>>| {
            hashes.sort_unstable();
            hashes.dedup();
            hashes.len()
        };
        let mut prompts: Vec<_> = self.hashes.iter().map(|hashes| hashes.prompt).collect();
        distinct(&mut prompts) == distinct(&mut self.alike.clone())
    }
}

/// What stands for an id: `#` and its hash in hexadecimal digits.
fn are_unique<'n>(mut names: impl Iterator<Item = &'n String>) -> bool {
    let mut known = BTreeSet::new();
    names.all(|name| known.insert(name))
}

fn id_of(hash: u64) -> String {
    format!("#{hash:09x}")
}
