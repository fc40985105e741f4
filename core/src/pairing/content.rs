//! What content says about matched samples: whether they are the same, and what proves it.

use crate::model::{ContentHash, ContentHashes, SampleTable};

/// What proves that partners are the same sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairingProof {
    Document,
    TargetAndPrompt,
    Target,
    Prompt,
    /// Paired by content because ids have nothing in common.
    Content,
    /// Nothing but equal ids.
    IdOnly,
}

impl PairingProof {
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

/// Share of matched ids over different content up to which these samples are set aside: a dataset
/// that was corrected in places. Above it the ids mean other questions.
pub const MOST_QUARANTINED: f64 = 0.05;

/// What the content hashes of matched rows say.
pub(super) struct ContentEvidence {
    /// In the order of the pairs.
    pub(super) differing: Vec<(u32, u32)>,
    pub(super) prompt_differs: u64,
    pub(super) proof: PairingProof,
}

/// Fewer equal targets than this can be equal by chance.
const FEWEST_TARGETS: usize = 10;
/// Chance of equal targets over other questions up to which they prove something, as a logarithm.
const LOG_CHANCE: f64 = -7.0;

/// Equal documents are the same question even when the prompt around it changed. So are equal
/// questions beside prompts, or equal targets, that vary, when there are enough and all but a few that were corrected are equal.
/// Otherwise the prompts have to agree, but for case and white space.
pub(super) fn pairing_evidence(
    baseline: &SampleTable,
    candidate: &SampleTable,
    pairs: &[(u32, u32)],
) -> ContentEvidence {
    let are_answers = guesses_answers(baseline, candidate, pairs);
    let hashes = |&(a, b): &(u32, u32)| {
        [(baseline, a), (candidate, b)]
            .map(|(table, row)| {
                let hashes = table.hashes(row as usize);
                ContentHashes { target: hashes.target.filter(|_| !are_answers), ..hashes }
            })
            .into()
    };
    let all = |part: fn(&ContentHashes) -> Option<ContentHash>| {
        pairs.iter().map(hashes).all(|(x, y)| known(part(&x), part(&y)))
    };
    let (documents, targets, prompts) =
        (all(|one| one.document), all(|one| one.target), all(|one| one.prompt));
    let asks_otherwise = |pair: &(u32, u32)| {
        let (x, y) = hashes(pair);
        let options = (baseline.options(pair.0 as usize), candidate.options(pair.1 as usize));
        !can_be_partners(x.prompt, y.prompt) || !can_be_partners(options.0, options.1)
    };
    let prompts_differ = || pairs.iter().any(asks_otherwise);
    let targets_prove = targets && prompts_differ() && {
        let of_pairs = pairs.iter().map(hashes).map(|(x, y)| (x.target, y.target));
        agreement_proves(&of_pairs.collect::<Vec<_>>())
    };
    let questions =
        |&(a, b): &(u32, u32)| (baseline.question(a as usize), candidate.question(b as usize));
    let have_questions = baseline.has_questions() && candidate.has_questions();
    let questions_prove = have_questions && prompts_differ() && {
        let of_pairs: Vec<_> = pairs.iter().map(questions).collect();
        of_pairs.iter().all(|&(x, y)| known(x, y)) && agreement_proves(&of_pairs)
    };
    let mut evidence =
        ContentEvidence { differing: Vec::new(), prompt_differs: 0, proof: PairingProof::IdOnly };
    for pair in pairs {
        let (x, y) = hashes(pair);
        let prompt_differs = asks_otherwise(pair);
        let has_same_question = || questions_prove && questions(pair).0 == questions(pair).1;
        let has_same_words = || {
            let own = (baseline.alike(pair.0 as usize), candidate.alike(pair.1 as usize));
            known(own.0, own.1) && own.0 == own.1
        };
        let same_question = known(x.document, y.document)
            || targets_prove
            || has_same_question()
            || (prompt_differs && has_same_words());
        let differs = !can_be_partners(x.document, y.document)
            || !can_be_partners(x.target, y.target)
            || (prompt_differs && !same_question);
        if differs {
            evidence.differing.push(*pair);
        } else if prompt_differs {
            evidence.prompt_differs += 1;
        }
    }
    if !pairs.is_empty() && evidence.differing.is_empty() {
        evidence.proof = proof([documents, targets, prompts], evidence.prompt_differs);
    }
    evidence
}

/// What proves that pairs without a contradiction are the same samples, by what all of them have.
fn proof([documents, targets, prompts]: [bool; 3], prompt_differs: u64) -> PairingProof {
    match (documents, targets, prompts) {
        (true, _, _) => PairingProof::Document,
        (_, true, true) if prompt_differs == 0 => PairingProof::TargetAndPrompt,
        (_, true, _) => PairingProof::Target,
        (_, _, true) => PairingProof::Prompt,
        _ => PairingProof::IdOnly,
    }
}

/// Share of pairs up to which what was guessed to be the right answer may differ: where more do, it is that
/// of the model.
const MOST_GUESSED_APART: f64 = 0.3;

/// Whether what was guessed to be right answers are those of the models.
fn guesses_answers(baseline: &SampleTable, candidate: &SampleTable, pairs: &[(u32, u32)]) -> bool {
    if !baseline.guesses_targets() && !candidate.guesses_targets() {
        return false;
    }
    let target = |table: &SampleTable, row: u32| table.hashes(row as usize).target;
    let apart =
        pairs.iter().filter(|&&(a, b)| !can_be_partners(target(baseline, a), target(candidate, b)));
    apart.count() as f64 > MOST_GUESSED_APART * pairs.len() as f64
}

/// Whether equal parts show that the questions are equal: there are enough, all but a few agree, and
/// they vary so much that they would not by chance. Targets that are all "yes" show nothing.
fn agreement_proves(pairs: &[(Option<ContentHash>, Option<ContentHash>)]) -> bool {
    let n = pairs.len() as f64;
    let differing = pairs.iter().filter(|(a, b)| a != b).count() as f64;
    if pairs.len() < FEWEST_TARGETS || differing > MOST_QUARANTINED * n {
        return false;
    }
    let mut values: Vec<_> = pairs.iter().map(|&(a, _)| a).collect();
    values.sort_unstable();
    let shares = values.chunk_by(|a, b| a == b).map(|equal| equal.len() as f64 / n);
    let agree_by_chance: f64 = shares.map(|share| share * share).sum();
    n * agree_by_chance.ln() < LOG_CHANCE
}

fn known(a: Option<ContentHash>, b: Option<ContentHash>) -> bool {
    a.is_some() && b.is_some()
}

/// Whether two hashes do not contradict each other.
pub(super) fn can_be_partners(a: Option<ContentHash>, b: Option<ContentHash>) -> bool {
    !known(a, b) || a == b
}
