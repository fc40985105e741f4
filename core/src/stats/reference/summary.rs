//! What came of many vectors, by method, and everything that did not come out.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Compared, Malformed, SHIPPED, Unchecked, Vector, check_vectors, read_vectors};

#[derive(Debug, Clone, Default)]
pub struct ReferenceSummary {
    pub methods: BTreeMap<String, MethodSummary>,
    /// Everything that did not come out, in the order of the files.
    pub problems: Vec<ProblemEntry>,
}

#[derive(Debug, Clone, Default)]
pub struct MethodSummary {
    /// How many there are, and what came of their fields.
    pub tally: VectorCounts,
    pub absolute: Option<Worst>,
    /// The largest distance relative to the expected value.
    pub relative: Option<Worst>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VectorCounts {
    pub vectors: usize,
    pub agreed: usize,
    pub disagreed: usize,
    /// Expected fields that could not be checked.
    pub not_checked: usize,
}

/// Where a method is farthest from its references.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Worst {
    pub error: f64,
    pub vector: String,
    pub field: String,
    pub source: String,
}

/// A vector, or what should have been one, with a problem.
#[derive(Debug, Clone)]
pub struct ProblemEntry {
    pub file: String,
    pub id: Option<String>,
    pub source: Option<String>,
    pub problem: Problem,
}

#[derive(Debug, Clone)]
pub enum Problem {
    Disagrees(Compared),
    UnknownField { method: String, field: String, known: Vec<&'static str> },
    Unchecked(Unchecked),
    Malformed(Malformed),
}

impl ReferenceSummary {
    /// Checks the elements of some files, each with the name of its file.
    pub fn from_elements(elements: Vec<(String, Result<Vector, Malformed>)>) -> Self {
        let mut summary = Self::default();
        for (file, element) in elements {
            match element {
                Ok(vector) => summary.check(&file, &vector),
                Err(malformed) => summary.problems.push(ProblemEntry {
                    file,
                    id: malformed.id.clone(),
                    source: None,
                    problem: Problem::Malformed(malformed),
                }),
            }
        }
        summary
    }

    pub fn totals(&self) -> VectorCounts {
        let tallies = self.methods.values().map(|method| method.tally);
        tallies.fold(VectorCounts::default(), |sum, method| VectorCounts {
            vectors: sum.vectors + method.vectors,
            agreed: sum.agreed + method.agreed,
            disagreed: sum.disagreed + method.disagreed,
            not_checked: sum.not_checked + method.not_checked,
        })
    }

    /// Elements that are no vectors.
    pub fn malformed(&self) -> usize {
        let is_malformed = |entry: &&ProblemEntry| matches!(entry.problem, Problem::Malformed(_));
        self.problems.iter().filter(is_malformed).count()
    }

    /// Whether something was checked and nothing speaks against the program.
    pub fn passes(&self) -> bool {
        self.totals().agreed > 0 && self.problems.is_empty()
    }

    fn check(&mut self, file: &str, vector: &Vector) {
        let method = self.methods.entry(vector.method.clone()).or_default();
        method.tally.vectors += 1;
        let problems = match check_vectors(vector) {
            Ok(checked) => {
                method.tally.agreed += checked.agreed.len();
                method.tally.disagreed += checked.mismatches.len();
                method.tally.not_checked += checked.unknown.len();
                for compared in checked.agreed.iter().chain(&checked.mismatches) {
                    method.note(vector, compared);
                }
                let disagree = checked.mismatches.into_iter().map(Problem::Disagrees);
                let unknown = checked.unknown.into_iter().map(|field| Problem::UnknownField {
                    method: vector.method.clone(),
                    field,
                    known: checked.known.clone(),
                });
                disagree.chain(unknown).collect()
            }
            Err(cause) => {
                method.tally.not_checked += vector.expected.len();
                vec![Problem::Unchecked(cause)]
            }
        };
        self.problems.extend(problems.into_iter().map(|problem| ProblemEntry {
            file: file.to_owned(),
            id: Some(vector.id.clone()),
            source: Some(vector.source.clone()),
            problem,
        }));
    }
}

impl MethodSummary {
    /// Keeps the field if no other is farther from its reference; the first of equal ones stays.
    fn note(&mut self, vector: &Vector, compared: &Compared) {
        let Some(distance) = compared.distance else { return };
        let places =
            [(&mut self.absolute, distance.absolute), (&mut self.relative, distance.relative)];
        for (worst, error) in places {
            if worst.as_ref().is_none_or(|worst| error > worst.error) {
                let (vector, source) = (vector.id.clone(), vector.source.clone());
                *worst = Some(Worst { error, vector, field: compared.field.clone(), source });
            }
        }
    }
}

/// The names of the inputs of a shipped vector of that method; empty for an unknown method.
pub fn input_names(method: &str) -> Vec<String> {
    let shipped = SHIPPED.iter().filter_map(|(_, text)| read_vectors(text).ok());
    let example = shipped.flatten().flatten().find(|vector| vector.method == method);
    example.into_iter().flat_map(|vector| vector.inputs).map(|(name, _)| name).collect()
}
