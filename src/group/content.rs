//! What content says about matched samples: whether they are the same, and what proves it.

use crate::model::{ContentHashes, SampleTable};

/// What proves that partners are the same sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// Equal document hashes.
    Document,
    /// Equal target and prompt hashes.
    TargetAndPrompt,
    /// Equal target hashes.
    Target,
    /// Equal prompt hashes.
    Prompt,
    /// Paired by content because ids have nothing in common.
    Content,
    /// Nothing but equal ids.
    IdOnly,
}

impl Proof {
    /// The name in `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Document => "document-hash",
            Self::TargetAndPrompt => "target-and-prompt-hash",
            Self::Target => "target-hash",
            Self::Prompt => "prompt-hash",
            Self::Content => "content",
            Self::IdOnly => "id-only",
        }
    }
}

/// How many examples of a mismatch are kept.
const EXAMPLES: usize = 5;

/// What the content hashes of matched rows say.
pub(super) struct ContentEvidence {
    pub(super) differing: Vec<(u32, u32)>,
    pub(super) differing_count: u64,
    pub(super) prompt_differs: u64,
    pub(super) proof: Proof,
}

/// Fewer equal targets than this can be equal by chance.
const FEWEST_TARGETS: usize = 10;

/// Equal documents are the same question even when the prompt around it changed. So are equal
/// targets, when all of them are equal and there are enough. Otherwise the prompts have to agree.
pub(super) fn content_evidence(
    baseline: &SampleTable,
    candidate: &SampleTable,
    pairs: &[(u32, u32)],
) -> ContentEvidence {
    let hashes =
        |&(a, b): &(u32, u32)| (baseline.hashes()[a as usize], candidate.hashes()[b as usize]);
    let all = |part: fn(&ContentHashes) -> u64| {
        pairs.iter().map(hashes).all(|(x, y)| known(part(&x), part(&y)))
    };
    let (documents, targets, prompts) =
        (all(|one| one.document), all(|one| one.target), all(|one| one.prompt));
    let targets_prove = targets
        && pairs.len() >= FEWEST_TARGETS
        && pairs.iter().map(hashes).all(|(x, y)| x.target == y.target);
    let mut evidence = ContentEvidence {
        differing: Vec::new(),
        differing_count: 0,
        prompt_differs: 0,
        proof: Proof::IdOnly,
    };
    for pair in pairs {
        let (x, y) = hashes(pair);
        let prompt_differs = !compatible(x.prompt, y.prompt);
        let same_question = known(x.document, y.document) || targets_prove;
        let differs = !compatible(x.document, y.document)
            || !compatible(x.target, y.target)
            || (prompt_differs && !same_question);
        if differs {
            evidence.differing_count += 1;
            if evidence.differing.len() < EXAMPLES {
                evidence.differing.push(*pair);
            }
        } else if prompt_differs {
            evidence.prompt_differs += 1;
        }
    }
    evidence.proof = match (documents, targets, prompts) {
        _ if pairs.is_empty() || evidence.differing_count > 0 => Proof::IdOnly,
        (true, _, _) => Proof::Document,
        (_, true, true) if evidence.prompt_differs == 0 => Proof::TargetAndPrompt,
        (_, true, _) => Proof::Target,
        (_, _, true) => Proof::Prompt,
        _ => Proof::IdOnly,
    };
    evidence
}

fn known(a: u64, b: u64) -> bool {
    a != 0 && b != 0
}

/// Whether two hashes do not contradict each other.
pub(super) fn compatible(a: u64, b: u64) -> bool {
    !known(a, b) || a == b
}
