//! Gates, their rules and reasons in words.

use crate::gate::{
    DeclaredCounts, DeclaredExample, DeclaredGate, DeclaredRule, ExampleSubject, Gate, GateBasis,
    GateOutcome, GateRule, GateTier, JudgedGate, NothingJudged,
};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::Icon;
use crate::report::data::GateView;
use crate::text::Catalogue;

/// The most names of a list in a reason.
const MOST_NAMES: usize = 5;

pub(in crate::report) fn gates(material: &ReportMaterial<'_>) -> Vec<GateView> {
    let english = Catalogue::english();
    let view = |gate: &JudgedGate| {
        let is_declared = matches!(gate.basis, GateBasis::Declared(_));
        let (icon, word) = match gate.outcome() {
            GateOutcome::Pass => (Icon::Good, "pass"),
            // Nothing depends on it.
            GateOutcome::Fail if gate.tier == GateTier::Advisory => (Icon::Caution, "fail"),
            GateOutcome::NotGateable if gate.tier == GateTier::Advisory => {
                (Icon::Caution, "not-gateable")
            }
            GateOutcome::Fail => (Icon::Bad, "fail"),
            GateOutcome::Inconclusive => (Icon::Open, "inconclusive"),
            GateOutcome::NotGateable if gate.is_blocked() => (Icon::Severe, "blocked"),
            GateOutcome::NotGateable => (Icon::Severe, "not-gateable"),
        };
        GateView {
            name: gate.name().to_owned(),
            rule: rule(gate, english),
            outcome: gate.outcome().name(),
            tier: is_declared.then(|| gate.tier.name()),
            inconclusive: is_declared.then(|| gate.on_inconclusive.name()),
            reason: reason(gate, english),
            local_rule: rule(gate, material.words),
            local_reason: reason(gate, material.words),
            effect: gate.effect(),
            passes: gate.passes(),
            metric: closed_by(gate),
            icon,
            word,
        }
    };
    material.gates.iter().map(view).collect()
}

/// The metric by which a declared gate is closed.
fn closed_by(gate: &JudgedGate) -> Option<String> {
    let GateBasis::Declared(counts) = &gate.basis else { return None };
    let example = counts.example.as_ref().filter(|_| gate.effect().closes());
    match &example?.subject {
        ExampleSubject::Result { metric, .. } => Some(metric.clone()),
        ExampleSubject::Run { .. } => None,
    }
}

fn rule(gate: &JudgedGate, words: &Catalogue) -> String {
    match &gate.basis {
        GateBasis::Rule(gate) => words.get(&format!("gate.{}", gate.rule.name())),
        GateBasis::Declared(counts) => declared_rule(&counts.gate, words),
    }
}

fn reason(gate: &JudgedGate, words: &Catalogue) -> String {
    match &gate.basis {
        GateBasis::Rule(gate) => gate_reason(gate, words),
        GateBasis::Declared(counts) => declared_reason(gate, counts, words),
    }
}

/// `accuracy, gsm8k: not worse by 1pp or more; at least 80% (advisory)`.
fn declared_rule(gate: &DeclaredGate, words: &Catalogue) -> String {
    let roles = gate.roles.iter().map(|role| role.name());
    let names = gate.metrics.iter().map(String::as_str).chain(roles);
    let names: Vec<&str> = names.chain(gate.datasets.iter().map(String::as_str)).collect();
    let rules: Vec<String> = gate.rules.iter().map(|rule| rule_words(*rule, words)).collect();
    let rules = rules.join(&words.get("punctuation.semicolon"));
    let subject = if names.is_empty() {
        words.get("gate.every-result")
    } else {
        names.join(&words.get("punctuation.comma"))
    };
    let args = [("subject", subject), ("rules", rules)];
    let tier = words.get(&format!("gate.tier-{}", gate.tier.name()));
    words.fill("gate.declared", &args) + &words.fill("phrase.detail", &[("detail", tier)])
}

fn rule_words(rule: DeclaredRule, words: &Catalogue) -> String {
    let percent = |share: f64| quantity::exact(share * 100.0) + "%";
    let value = match rule {
        DeclaredRule::Margin(margin) => {
            quantity::exact(margin.value) + if margin.in_points { "pp" } else { "" }
        }
        DeclaredRule::MaxDrop(share) | DeclaredRule::Coverage(share) => percent(share),
        DeclaredRule::Floor(amount) | DeclaredRule::Ceiling(amount) => {
            quantity::exact(amount.value) + if amount.is_percent { "%" } else { "" }
        }
        DeclaredRule::Freshness(limit) => limit.to_string(),
        DeclaredRule::Complete | DeclaredRule::Expectation => String::new(),
    };
    words.fill(&format!("gate.rule-{}", rule.name()), &[("value", value)])
}

fn declared_reason(judged: &JudgedGate, counts: &DeclaredCounts, words: &Catalogue) -> String {
    if !counts.unmatched.is_empty() && counts.outcome == GateOutcome::NotGateable {
        let mut names = counts.unmatched.clone();
        names.truncate(MOST_NAMES);
        let names = names.join(&words.get("punctuation.comma"));
        return words.fill("gate.unmatched", &[("names", names)]);
    }
    if counts.unread > 0 {
        return words.fill("gate.reason-unread", &[("unread", counts.unread)]);
    }
    if counts.of == 0 {
        return words.get("gate.no-result");
    }
    let cause = counts.example.as_ref().and_then(|example| example.cause);
    let cause = cause.map(|cause| words.get(&format!("gate.cause-{}", cause.name())));
    let args = [
        ("count", counts.count.to_string()),
        ("of", counts.of.to_string()),
        ("cause", cause.unwrap_or_default()),
    ];
    let mut reason = words.fill(&format!("gate.declared-{}", counts.outcome.name()), &args);
    if let Some(example) = counts.example.as_ref().filter(|_| counts.outcome != GateOutcome::Pass) {
        reason += &words.fill("gate.for-example", &[("example", example_words(example, words))]);
    }
    if counts.outcome == GateOutcome::Inconclusive {
        reason += &words.get(&format!("gate.counts-as-{}", judged.on_inconclusive.name()));
    }
    reason
}

/// `accuracy (gsm8k) 78.0%: at least 80%`, `run-7: no older than 36h`.
fn example_words(example: &DeclaredExample, words: &Catalogue) -> String {
    let rule = rule_words(example.rule, words);
    let (metric, dataset, dims, figure) = match &example.subject {
        ExampleSubject::Run { id } => {
            return words.fill("gate.example-run", &[("run", id.clone()), ("rule", rule)]);
        }
        ExampleSubject::Result { metric, dataset, dims, figure, unit } => {
            (metric, dataset, dims, figure.map(|figure| quantity::figure(figure, *unit)))
        }
    };
    let dims = dims.iter().map(|(name, value)| format!("{name}={value}"));
    let place: Vec<String> = dataset.iter().cloned().chain(dims).collect();
    let place = (!place.is_empty()).then(|| {
        words.fill("phrase.detail", &[("detail", place.join(&words.get("punctuation.comma")))])
    });
    let args = [
        ("metric", metric.clone() + &place.unwrap_or_default()),
        ("figure", figure.unwrap_or_else(|| "?".to_owned())),
        ("rule", rule),
    ];
    words.fill("gate.example", &args)
}

/// The end of the key of the catalogue that says why a gate came out so.
fn reason_key(gate: &Gate) -> &'static str {
    let by_margin = gate.within_margin > 0;
    match (gate.rule, gate.outcome) {
        _ if gate.is_closed_unseen && gate.absent > 0 => "absent",
        _ if gate.is_closed_unseen && gate.unread > 0 => "unread",
        _ if gate.is_closed_unseen && gate.contradicting > 0 => "contradicting",
        _ if gate.is_closed_unseen && gate.silent > 0 => "silent",
        _ if gate.is_closed_unseen => "one-sided",
        (GateRule::Regression, GateOutcome::NotGateable) if gate.missing > 0 => "required-missing",
        (GateRule::Regression, GateOutcome::NotGateable) if gate.blocked > 0 => "blocked",
        (GateRule::Regression, GateOutcome::NotGateable) => {
            gate.nothing.map_or("nothing-judged", NothingJudged::key)
        }
        (GateRule::Warning, GateOutcome::Pass) => "pass-warning",
        (GateRule::Regression, GateOutcome::Fail) => "fail-regression",
        (GateRule::Warning, GateOutcome::Fail) => "fail-warning",
        (GateRule::Expectation, GateOutcome::Fail) => "fail-expectation",
        (_, GateOutcome::Pass) | (GateRule::Expectation, GateOutcome::NotGateable)
            if gate.of == 0 =>
        {
            "pass-nothing"
        }
        (GateRule::Regression, GateOutcome::Inconclusive) if !by_margin => "no-margin",
        (GateRule::Expectation, GateOutcome::NotGateable) => "not-gateable-expectation",
        (GateRule::Mismatch, GateOutcome::NotGateable) => "not-gateable-mismatch",
        (_, GateOutcome::NotGateable) => "not-gateable-missing",
        (_, outcome) => outcome.name(),
    }
}

fn gate_reason(gate: &Gate, words: &Catalogue) -> String {
    let key = reason_key(gate);
    let accepted = match (gate.rule, gate.outcome) {
        (GateRule::Regression, _) => "gate.accepted-judged",
        (_, GateOutcome::Pass) => "gate.accepted-pass",
        _ => "gate.accepted-beside",
    };
    let within_margin = match gate.outcome {
        GateOutcome::Pass => "gate.within-margin-shown",
        _ => "gate.within-margin",
    };
    let is_judged = gate.outcome != GateOutcome::NotGateable;
    let is_said_beside = is_judged || gate.missing > 0;
    let is_open = gate.outcome == GateOutcome::Inconclusive;
    let args = [
        ("count", gate.count),
        ("of", gate.of),
        ("missing", gate.missing),
        ("blocked", gate.blocked),
        ("unread", gate.unread),
        ("contradicting", gate.contradicting),
        ("silent", gate.silent),
        ("pairs", gate.one_sided),
        ("absent", gate.absent),
    ];
    let mut reason = words.fill(&format!("gate.reason-{key}"), &args);
    for (key, name, count, applies) in [
        ("gate.and-missing", "missing", gate.missing, gate.outcome == GateOutcome::Fail),
        ("gate.and-blocked", "blocked", gate.blocked, is_said_beside),
        ("gate.with-averages", "averages", gate.averages, is_judged),
        ("gate.within-noise", "within", gate.within_noise, is_open),
        (within_margin, "within", gate.within_margin, is_judged),
        (accepted, "accepted", gate.accepted, true),
        ("gate.described", "described", gate.described, true),
        ("gate.and-unread", "unread", gate.unread, key != "unread"),
        ("gate.and-contradicting", "contradicting", gate.contradicting, key != "contradicting"),
        ("gate.and-silent", "silent", gate.silent, key != "silent"),
        ("gate.and-one-sided", "pairs", gate.one_sided, key != "one-sided"),
        ("gate.and-absent", "absent", gate.absent, key != "absent"),
    ] {
        if applies && count > 0 {
            reason.push_str(&words.fill(key, &[(name, count)]));
        }
    }
    reason
}
