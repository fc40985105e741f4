//! What the run costs: a step on average and lately, the whole run by both, and the budget.

use super::words::Telling;
use crate::kinds::progress::analysis::{Cost, Forecast, Growth};
use crate::quantity;
use crate::report::block::{Block, Icon, Text};

/// What the run costs, where a cost is known, and how fast other counters grow.
pub(super) fn cost(telling: &Telling<'_>) -> Vec<Block> {
    let Some(cost) = &telling.progress.cost else { return Vec::new() };
    let mut blocks = match cost.growth {
        Ok(growth) => told(telling, cost, growth),
        Err(why) => {
            let why = telling.get(&format!("why.{}", why.name()));
            let facts = [("name", telling.name(&cost.name)), ("why", why)];
            vec![Block::paragraph(telling.fill("cost-unknown", &facts))]
        }
    };
    if !telling.progress.paces.is_empty() {
        blocks.push(Block::heading(telling.get("pace")));
        blocks.push(paces(telling));
    }
    blocks
}

/// How fast counters grow, where no cost is known.
pub(super) fn pace(telling: &Telling<'_>) -> Vec<Block> {
    let is_alone = telling.progress.cost.is_none() && !telling.progress.paces.is_empty();
    is_alone.then(|| paces(telling)).into_iter().collect()
}

fn paces(telling: &Telling<'_>) -> Block {
    let items = telling.progress.paces.iter();
    Block::bullets(items.map(|pace| pace_of(telling, &pace.name, pace.growth)).collect())
}

fn pace_of(telling: &Telling<'_>, name: &str, growth: Growth) -> Text {
    let average = quantity::amount(growth.average());
    let recent = growth.marginal().map_or_else(|| "?".to_owned(), quantity::amount);
    let (amount, steps) =
        (quantity::amount(growth.average_amount), quantity::exact(growth.average_steps));
    let name = telling.name(name);
    let facts = [
        ("name", name.as_str()),
        ("average", average.as_str()),
        ("recent", recent.as_str()),
        ("amount", amount.as_str()),
        ("steps", steps.as_str()),
    ];
    Text::plain(telling.fill("pace-of", &facts))
}

fn told(telling: &Telling<'_>, cost: &Cost, growth: Growth) -> Vec<Block> {
    let span = &telling.progress.span;
    let counted = quantity::money(growth.average_amount);
    let to = quantity::exact(span.to);
    let is_per_step = telling.counts_steps(&cost.name);
    let kind = if is_per_step { "-recorded" } else { "" };
    let mut lines = Vec::new();
    let steps = quantity::exact(growth.average_steps);
    let average = quantity::money(growth.average());
    let facts =
        [("total", counted.as_str()), ("steps", steps.as_str()), ("average", average.as_str())];
    lines.push(telling.fill(&format!("cost-average{kind}"), &facts));
    if let (Some([amount, between]), Some(marginal)) = (growth.recent, growth.marginal()) {
        let (amount, between, marginal) =
            (quantity::money(amount), quantity::exact(between), quantity::money(marginal));
        let from = quantity::exact(span.from);
        let facts = [
            ("amount", amount.as_str()),
            ("between", between.as_str()),
            ("marginal", marginal.as_str()),
            ("from", from.as_str()),
            ("to", to.as_str()),
        ];
        lines.push(telling.fill(&format!("cost-marginal{kind}"), &facts));
    }
    if growth.unrecorded > 0.0 {
        let (total, steps) = (quantity::money(growth.total()), quantity::exact(growth.unrecorded));
        let facts = [
            ("counted", counted.as_str()),
            ("average", average.as_str()),
            ("steps", steps.as_str()),
            ("total", total.as_str()),
            ("to", to.as_str()),
        ];
        lines.push(telling.fill("cost-unrecorded", &facts));
    }
    let mut blocks = Vec::new();
    if let Some(forecast) = cost.forecast {
        lines.extend(forecast_lines(telling, growth, forecast));
    }
    blocks.push(Block::Code { lang: String::new(), text: lines.join("\n") });
    let assumed = if is_per_step { "cost-assumes-steps" } else { "cost-assumes-all" };
    let name = telling.name(&cost.name);
    let unrecorded = quantity::exact(growth.unrecorded);
    let facts = [("name", name.as_str()), ("to", to.as_str()), ("unrecorded", unrecorded.as_str())];
    blocks.push(Block::paragraph(telling.fill(assumed, &facts)));
    match cost.forecast {
        Some(forecast) => blocks.extend(judged(telling, forecast)),
        None => blocks.push(Block::paragraph(telling.get("no-forecast"))),
    }
    blocks
}

fn forecast_lines(telling: &Telling<'_>, growth: Growth, forecast: Forecast) -> Vec<String> {
    let left = quantity::exact(forecast.left);
    let steps = quantity::exact(forecast.steps);
    let total = quantity::money(growth.total());
    let line = |key: &str, per_step: f64, sum: f64| {
        let (per_step, sum) = (quantity::money(per_step), quantity::money(sum));
        let facts = [
            ("steps", steps.as_str()),
            ("total", total.as_str()),
            ("per", per_step.as_str()),
            ("left", left.as_str()),
            ("sum", sum.as_str()),
        ];
        telling.fill(key, &facts)
    };
    let mut lines = vec![line("forecast-average", growth.average(), forecast.by_average)];
    if let (Some(marginal), Some(sum)) = (growth.marginal(), forecast.by_marginal) {
        lines.push(line("forecast-marginal", marginal, sum));
    }
    lines
}

/// The range against the budget, and what it stands on.
fn judged(telling: &Telling<'_>, forecast: Forecast) -> Vec<Block> {
    let [lo, hi] = forecast.range();
    let range = quantity::range(lo, hi, quantity::Unit::Dollars);
    let (to, steps) = (quantity::exact(telling.progress.span.to), quantity::exact(forecast.steps));
    let done = quantity::relative_change(telling.progress.span.to / forecast.steps);
    let facts = [
        ("range", range.as_str()),
        ("to", to.as_str()),
        ("steps", steps.as_str()),
        ("done", done.as_str()),
    ];
    let mut items = vec![Text::plain(telling.fill("forecast-range", &facts))];
    if let (Some(budget), Some(against), Some([paired, all])) =
        (forecast.budget, forecast.against_budget(), forecast.savings())
    {
        use crate::kinds::progress::analysis::Against;
        let icon = match against {
            Against::Below | Against::Within => Icon::Good,
            Against::Across => Icon::Caution,
            Against::Above => Icon::Bad,
        };
        let shown = |[lo, hi]: [f64; 2]| quantity::range(lo, hi, quantity::Unit::Fraction);
        let budget = if budget.lo == budget.hi {
            quantity::money(budget.lo)
        } else {
            quantity::range(budget.lo, budget.hi, quantity::Unit::Dollars)
        };
        let (paired, all) = (shown(paired), shown(all));
        let facts =
            [("budget", budget.as_str()), ("paired", paired.as_str()), ("all", all.as_str())];
        let verdict = telling.fill(&format!("budget.{}", against.name()), &facts);
        items.push(Text::icon(icon).and_plain(" ").and_plain(verdict));
        if matches!(against, Against::Below) {
            items.push(Text::plain(telling.fill("savings", &facts)));
        }
    }
    vec![Block::bullets(items)]
}
