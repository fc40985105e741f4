//! A gate that was judged, and what follows from it.

use super::{DeclaredCounts, Gate, GateOutcome, GateTier, OnInconclusive};

/// What a gate does to the exit status, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GateEffect {
    Fails,
    /// It could not be judged, and had to be.
    Blocks,
    None,
}

impl GateEffect {
    /// Whether the process does not end well because of it.
    pub fn closes(self) -> bool {
        self != Self::None
    }
}

/// What a gate was judged by.
#[derive(Debug, Clone)]
pub enum GateBasis {
    /// A rule of `--fail-on`.
    Rule(Gate),
    /// A table `[gate.NAME]`.
    Declared(DeclaredCounts),
}

#[derive(Debug, Clone)]
pub struct JudgedGate {
    pub tier: GateTier,
    pub on_inconclusive: OnInconclusive,
    pub basis: GateBasis,
}

impl JudgedGate {
    pub(super) fn of_rule(gate: Gate, strict: bool) -> Self {
        let on_inconclusive = if strict { OnInconclusive::Fail } else { OnInconclusive::Warn };
        Self { tier: GateTier::Critical, on_inconclusive, basis: GateBasis::Rule(gate) }
    }

    pub(super) fn of_declared(counts: DeclaredCounts) -> Self {
        let (tier, on_inconclusive) = (counts.gate.tier, counts.gate.on_inconclusive);
        Self { tier, on_inconclusive, basis: GateBasis::Declared(counts) }
    }

    pub fn name(&self) -> &str {
        match &self.basis {
            GateBasis::Rule(gate) => gate.rule.name(),
            GateBasis::Declared(declared) => &declared.gate.name,
        }
    }

    pub fn outcome(&self) -> GateOutcome {
        match &self.basis {
            GateBasis::Rule(gate) => gate.outcome,
            GateBasis::Declared(declared) => declared.outcome,
        }
    }

    /// Whether it is closed because it found what it looked for, and not because it could not look.
    pub fn is_blocked(&self) -> bool {
        matches!(&self.basis, GateBasis::Rule(gate) if gate.is_blocked())
    }

    pub fn effect(&self) -> GateEffect {
        match (self.outcome(), self.tier) {
            (_, GateTier::Advisory) => GateEffect::None,
            (GateOutcome::Fail, _) => GateEffect::Fails,
            (GateOutcome::NotGateable, GateTier::Critical) => GateEffect::Blocks,
            (GateOutcome::Inconclusive, _) if self.on_inconclusive == OnInconclusive::Fail => {
                GateEffect::Fails
            }
            _ => GateEffect::None,
        }
    }

    /// Whether it passed, or counts as passed because the user says so.
    pub fn passes(&self) -> bool {
        match self.outcome() {
            GateOutcome::Pass => true,
            GateOutcome::Inconclusive => self.on_inconclusive == OnInconclusive::Pass,
            GateOutcome::Fail | GateOutcome::NotGateable => false,
        }
    }
}
