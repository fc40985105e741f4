//! What is wrong with expectations, with rules, and with shares that should add up.

use super::conversion::Conversion;
use super::distribution::{Distribution, Sum, over_the_same, percent, rounding};
use super::expectation::{self, Unreadable};
use super::{Choices, Expected, Outcome, Phase, Unjudged};
use crate::diag::{Code, Diagnostic, Explanation, nearest};
use crate::group::Which;
use crate::rules::Unknown;

/// Expectations that cannot be read.
pub(super) fn of_texts(choices: &Choices) -> Vec<Diagnostic> {
    let finding = |declared: &super::Declared| {
        let why = expectation::parse(&declared.text).err()?;
        let word = match why {
            Unreadable::Word(word) => word,
            Unreadable::Form => declared.text.clone(),
        };
        Some(
            Diagnostic::new(Code::ExpectationUnreadable)
                .key(&declared.name)
                .with("name", declared.name.as_str())
                .with("text", declared.text.as_str())
                .with("word", word)
                .at(declared.location.clone()),
        )
    };
    choices.expect.iter().filter_map(finding).collect()
}

/// What is wrong with one candidate's expectations, rules and shares.
pub(super) fn of_phase(phase: &Phase<'_>) -> Vec<Diagnostic> {
    let expected = phase.expectations.iter().filter_map(|one| of_expectation(phase, one));
    let rules = phase.anomalies.iter().flat_map(|anomaly| {
        let unknown = anomaly.judgement.readings.iter().filter_map(|reading| {
            let (figure, why) = match (reading.figure, reading.against_unknown) {
                (Err(why), _) => (reading.quantity.to_string(), why),
                (Ok(_), Some(why)) => (reading.against.clone(), why),
                (Ok(_), None) => return None,
            };
            let quiet = matches!(why, Unknown::NoValue | Unknown::ZeroBaseline);
            (!quiet).then_some((figure, why))
        });
        unknown.map(|(quantity, why)| {
            Diagnostic::new(Code::AnomalyUnknownFigure)
                .key(anomaly.rule.name.text(false))
                .with("name", anomaly.rule.name.text(false))
                .with("condition", anomaly.rule.when.text())
                .with("figure", quantity)
                .with("unknown", why.name())
        })
    });
    let shares = phase.distributions.iter().flat_map(|one| of_distribution(phase, one));
    expected.chain(rules).chain(shares).collect()
}

fn of_expectation(phase: &Phase<'_>, one: &Expected<'_>) -> Option<Diagnostic> {
    let declared = one.declared;
    let of = |code| {
        Diagnostic::new(code)
            .key(&declared.name)
            .with("name", declared.name.as_str())
            .with("text", declared.text.as_str())
            .at(declared.location.clone())
    };
    match &one.outcome {
        Outcome::Open(Unjudged::NoFigure) => {
            let names = phase.pair.cells.iter().map(|cell| cell.key.to_string());
            let near = nearest(&declared.name, names);
            Some(of(Code::ExpectationWithoutMetric).with("near", near))
        }
        Outcome::Open(Unjudged::Unit) => Some(of(Code::ExpectationUnit)),
        Outcome::Ambiguous(_) => Some(of(Code::ExpectationAmbiguous)),
        _ => None,
    }
}

/// Shares that do not add up, and a share of code that ran which others contradict.
fn of_distribution(phase: &Phase<'_>, one: &Distribution<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (which, sum) in Which::BOTH.into_iter().zip(one.sums) {
        let named = |code| {
            Diagnostic::new(code)
                .run(phase.pair.name(which))
                .of_dataset(one.dataset)
                .dims(one.dims)
                .with("run", phase.pair.name(which))
        };
        if let Some(sum) = sum.filter(|sum| !is_explained(one, which, *sum)) {
            found.push(named(Code::SharesDoNotAddUp).with("total", format!("{:.2}", sum.total)));
        }
        if let Some([stated, implied]) = contradicted(one, which) {
            found.push(
                named(Code::RanContradicted)
                    .with("stated", format!("{stated:.2}"))
                    .with("implied", format!("{implied:.2}")),
            );
        }
    }
    found
}

/// Whether a sum is whole, or falls short where API errors are not told.
fn is_explained(one: &Distribution<'_>, which: Which, sum: Sum) -> bool {
    let silent = one.shares.iter().any(|share| share.percent(which).is_none());
    sum.is_whole() || (silent && sum.total < 100.0)
}

/// The share of code that ran as told, and as right and wrong answers imply it, where these differ
/// by more than rounding, in percent.
fn contradicted(one: &Distribution<'_>, which: Which) -> Option<[f64; 2]> {
    let ran = one.ran?;
    // Shares of other samples, such as those that both arms have, are no part of it.
    if !over_the_same(one.shares.iter().filter_map(|share| share.comparison).chain([ran]), which) {
        return None;
    }
    let judged = || one.shares.iter().filter(|share| !share.is_failure());
    let percents = judged().map(|share| share.percent(which));
    let implied: f64 = percents.collect::<Option<Vec<f64>>>()?.iter().sum();
    let figures = judged().filter_map(|share| share.comparison).chain([ran]);
    let open = rounding(figures, which);
    let stated = percent(ran, which)?;
    ((stated - implied).abs() > open).then_some([stated, implied])
}

impl Distribution<'_> {
    /// Whether answers that were cut count as a class of their own in the conversion, so that its
    /// classes are smaller than the shares beside.
    pub fn counts_cut(&self) -> bool {
        let Some(Conversion::Counted(flow)) = &self.conversion else { return false };
        flow.classes().contains(&crate::compare::Class::Cut)
    }
}

pub(crate) const EXPLAINED: &[Explanation] = &[
    Explanation::new(
        Code::ExpectationUnreadable,
        "The text of an expectation in `[phase.expect]` has a word that is in no list, or its parts \
         fit no form that is known, such as an arrow that contradicts a sign. The finding names the \
         word, or the whole text. The other expectations are judged all the same.",
        "An expectation that nobody judges is a promise that nobody checks. Skipping the word that \
         is not known could turn a limit into its opposite, so nothing is guessed.",
    ),
    Explanation::new(
        Code::ExpectationWithoutMetric,
        "An expectation names a metric, or a dataset with a metric, that neither arm has. Names are \
         those of `reportgen inspect` or their aliases, and `syntax_error` also finds \
         `syntax_error_rate`. A metric that only one arm has is found and stays unknown.",
        "A misspelled metric is expected for ever and met never. The evaluation that should have \
         produced it may not have run at all.",
    ),
    Explanation::new(
        Code::ExpectationAmbiguous,
        "An expectation of a rate is written in `%` without saying whether points, a share of the \
         baseline, or (`≥ 85%`) the figure itself are meant, and the readings lead to different \
         answers. It is not raised where \
         they agree, or where the text says `pp`, `relative` or `reaches`.",
        "From 20% to 10% is a fall by 10 points and by 50 percent: within `-10-30%` as points, \
         beyond it as a share. Whoever reads the table picks the reading that suits.",
    ),
    Explanation::new(
        Code::ExpectationUnit,
        "An expectation gives its size in a unit that the metric cannot have: `pp` for what is no \
         rate, or a bare number for a rate. Nothing is converted, because 0.2 may mean 0.2 or 20 \
         points.",
        "A size in the wrong unit is met or missed by a factor of a hundred. The row looks judged \
         and says nothing.",
    ),
    Explanation::new(
        Code::AnomalyUnknownFigure,
        "A rule in `[[phase.anomaly]]` asks for a figure that is not there: the metric has no such \
         name, several datasets have it and the rule names none, the function is not known, nobody \
         declared a good side for `improvement` or `degradation`, or the threshold is in another \
         unit than the figure. A word where a number should stand, such as `< tenpp`, asks for a \
         figure of that name. A figure that a run does not have yet is no \
         finding.",
        "A rule that cannot be evaluated never fires. A table of anomalies in which all is quiet \
         then means nothing.",
    ),
    Explanation::new(
        Code::SharesDoNotAddUp,
        "The shares of right answers, wrong answers and every kind of error of one run and dataset \
         sum to something else than 100%, by more than the rounding of the figures allows. A sum \
         below 100% is no finding while the share of API errors is not told, because these may be \
         the rest.",
        "Some samples are counted twice or nowhere: the figures may come from different evaluations \
         of different samples. What errors turned into cannot be read from such shares.",
    ),
    Explanation::new(
        Code::RanContradicted,
        "`exec_success_rate` of one run and dataset differs from the sum of right and wrong answers \
         by more than the rounding of the figures allows. Only figures of the same number of samples \
         are compared. Code that ran was either right or wrong, \
         so the two are one quantity.",
        "The figure by which a phase is judged, and checkpoints are chosen, contradicts the figures \
         beside it. One of them was computed over other samples or by another rule.",
    ),
];
