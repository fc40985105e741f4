//! Which checkpoint is the best: the report of `best`.

mod data;
mod record;
mod sections;

pub use record::record;

use super::block::{Icon, Text};
use super::kind::{self, KindReport, Sheet};
use super::quantity;
use crate::best::Found;
use crate::diag::Diagnostic;
use crate::text::{Catalogue, Lang};

/// Version tag of the JSON.
const SCHEMA: &str = "reportgen.best/1";

/// The report of a choice; `noticed` is everything that was found on the way.
pub fn best(found: &Found, noticed: &[Diagnostic], words: &Catalogue) -> KindReport {
    let view = data::view(found, noticed, Catalogue::of(Lang::En));
    let unclear = !found.not_separable().is_empty() || is_unjudged(found);
    KindReport {
        sheet: sheet(&view),
        data: kind::data(SCHEMA, "best", &view),
        lang: words.lang,
        title: Text::plain(words.fill("best.title", &[("path", &found.path)])),
        headline: headline(found, words),
        mark: if unclear { "confounded" } else { "as-declared" },
        sections: sections::sections(found, noticed, words),
    }
}

/// One row for each checkpoint.
fn sheet(view: &data::BestView) -> Sheet {
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let rows = view.checkpoints.iter().map(|one| {
        let against = one.difference.as_ref();
        let limits = |ci: Option<[f64; 2]>| [ci.map(|ci| ci[0]), ci.map(|ci| ci[1])].map(number);
        let [lo, hi] = limits(one.ci);
        let [delta_lo, delta_hi] = limits(against.and_then(|one| one.ci));
        vec![
            one.step.to_string(),
            number(one.value),
            one.n.map(|n| n.to_string()).unwrap_or_default(),
            lo,
            hi,
            number(against.and_then(|one| one.absolute)),
            delta_lo,
            delta_hi,
            number(against.and_then(|one| one.p_adjusted)),
            against.and_then(|one| one.separable).map(|it| it.to_string()).unwrap_or_default(),
            number(one.loss),
        ]
    });
    let heads = [
        "step",
        "value",
        "n",
        "ci_lo",
        "ci_hi",
        "delta",
        "delta_lo",
        "delta_hi",
        "p_adjusted",
        "separable",
        "loss",
    ];
    Sheet { heads: heads.map(str::to_owned).into(), rows: rows.collect() }
}

/// Whether there are others and none of them could be judged.
fn is_unjudged(found: &Found) -> bool {
    let mut others = found.against.iter().flatten().peekable();
    others.peek().is_some() && others.all(|one| one.separable.is_none())
}

fn headline(found: &Found, words: &Catalogue) -> Text {
    let chosen = found.chosen();
    let on = found.question.dataset.as_deref();
    let on = on.map(|dataset| words.fill("best.on", &[("dataset", dataset)])).unwrap_or_default();
    let sentence = words.fill(
        "best.headline",
        &[
            ("step", &step(chosen.step)),
            ("metric", &found.question.metric),
            ("on", &on),
            ("value", &figure(found, chosen.value)),
        ],
    );
    let same = found.not_separable();
    let (icon, doubt) = if found.figures.len() < 2 {
        (Icon::Caution, words.get("best.only-one"))
    } else if is_unjudged(found) {
        let reason = found.against.iter().flatten().find_map(|one| one.reason).unwrap_or_default();
        let known = words.find(&format!("best.reason.{reason}")).map(str::to_owned);
        let reason = known.unwrap_or_else(|| words.get("best.reason.other"));
        (Icon::Caution, words.fill("best.headline-unjudged", &[("reason", &reason)]))
    } else if same.is_empty() {
        (Icon::Good, words.get("best.headline-alone"))
    } else {
        let count = same.len().to_string();
        let steps = steps(&same, words);
        let args = [("count", count.as_str()), ("steps", steps.as_str())];
        (Icon::Caution, words.fill("best.headline-unclear", &args))
    };
    Text::icon(icon)
        .and_plain(" ")
        .and_strong(sentence)
        .and_plain(words.get("punctuation.semicolon"))
        .and_plain(doubt)
}

/// A step for a person.
fn step(step: f64) -> String {
    quantity::fixed(step, if step.fract() == 0.0 { 0 } else { 2 })
}

fn steps(steps: &[f64], words: &Catalogue) -> String {
    let shown: Vec<String> = steps.iter().map(|one| step(*one)).collect();
    shown.join(&words.get("punctuation.comma"))
}

fn figure(found: &Found, value: Option<f64>) -> String {
    value.map_or_else(|| "?".to_owned(), |value| quantity::figure(value, found.spec.unit))
}
