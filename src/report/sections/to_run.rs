//! Results that are missing, as the commands that the user declares for them, with their price.

use indexmap::IndexSet;

use crate::model::EvalCommand;
use crate::pairing::{ArmPair, CellPair, PairArm};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Text};
use crate::report::data::ToRunView;
use crate::text::Catalogue;

/// The most commands that the document shows; `report.json` has them all.
const MOST_SHOWN: usize = 10;

pub(crate) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let words = material.words;
    let Some(plan) = plan(material).filter(|plan| !plan.commands.is_empty()) else {
        return Vec::new();
    };
    let count = plan.commands.len();
    let price = price(count, material.eval, words);
    let shown: Vec<&str> = plan.commands.iter().take(MOST_SHOWN).map(String::as_str).collect();
    let lead = [("count", count.to_string()), ("price", price)];
    let mut blocks = vec![
        Block::paragraph(words.fill("to-run.lead", &lead)),
        Block::Code { lang: "bash".to_owned(), text: shown.join("\n") },
    ];
    let more = super::lists::more("to-run.more", count, MOST_SHOWN, words);
    blocks.extend(more.map(|text| Block::paragraph(Text::from(text))));
    blocks
}

/// The commands for everything that is missing: first what the candidates lack of the baseline, then
/// what the baseline lacks, then what neither has. A command that makes several results stands once.
pub(in crate::report) fn plan(material: &ReportMaterial<'_>) -> Option<ToRunView> {
    let eval = material.eval?;
    let pairs = || material.paired_arms.pairs.iter();
    let mut commands = IndexSet::new();
    for which in [PairArm::Candidate, PairArm::Baseline] {
        commands.extend(pairs().flat_map(|pair| lacked(pair, which, eval)));
    }
    for pair in pairs() {
        let is_open =
            |cell: &&CellPair<'_>| PairArm::BOTH.iter().all(|&which| cell.figure(which).is_none());
        for cell in pair.cells.iter().filter(is_open) {
            let able = PairArm::BOTH.into_iter().filter(|&which| pair.can_be_in(cell, which));
            commands.extend(able.filter_map(|which| command(pair, cell, which, eval)));
        }
    }
    let times = |each: Option<f64>| each.map(|each| each * commands.len() as f64);
    let (minutes, cost) = (times(eval.minutes), times(eval.cost));
    Some(ToRunView { commands: commands.into_iter().collect(), minutes, cost })
}

/// The commands for what that arm lacks of the other.
pub(super) fn lacked(pair: &ArmPair<'_>, which: PairArm, eval: &EvalCommand) -> IndexSet<String> {
    let cells = pair.cells.iter().filter(|cell| pair.lacks(cell, which));
    cells.filter_map(|cell| command(pair, cell, which, eval)).collect()
}

fn command(
    pair: &ArmPair<'_>,
    cell: &CellPair<'_>,
    which: PairArm,
    eval: &EvalCommand,
) -> Option<String> {
    let lead = match which {
        PairArm::Baseline => pair.baseline,
        PairArm::Candidate => pair.candidate,
    };
    let key = &cell.key;
    let result = (key.metric.as_str(), key.dataset.as_deref(), &key.dims);
    eval.for_result((&lead.path, pair.name(which)), result)
}

/// What that many commands take; empty where nobody says what one takes.
pub(super) fn price(count: usize, eval: Option<&EvalCommand>, words: &Catalogue) -> String {
    let Some(eval) = eval else { return String::new() };
    let count_of = count as f64;
    let product = |key: &str, each: f64, text: &dyn Fn(f64) -> String| {
        let (each, total) = (text(each), text(each * count_of));
        words.fill(key, &[("count", count.to_string()), ("each", each), ("total", total)])
    };
    let time = |each| product("to-run.time", each, &|minutes| duration(minutes, words));
    let cost = |each| product("to-run.cost", each, &quantity::amount);
    let prices: Vec<String> =
        eval.minutes.map(time).into_iter().chain(eval.cost.map(cost)).collect();
    if prices.is_empty() {
        return String::new();
    }
    words.fill("to-run.price", &[("prices", prices.join(&words.get("punctuation.semicolon")))])
}

/// Minutes, or hours where there are many.
pub(super) fn duration(minutes: f64, words: &Catalogue) -> String {
    const MINUTES_PER_HOUR: f64 = 60.0;
    let (key, amount) = if minutes < 2.0 * MINUTES_PER_HOUR {
        ("to-run.minutes", minutes)
    } else {
        ("to-run.hours", minutes / MINUTES_PER_HOUR)
    };
    words.fill(key, &[("amount", quantity::amount(amount))])
}
