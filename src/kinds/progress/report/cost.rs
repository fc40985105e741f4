//! What the run costs: a step on average and lately, the whole run by both, and the budget.

use super::words::Telling;
use crate::kinds::progress::analysis::{Against, Cost, Forecast, Growth};
use crate::quantity::{self, Unit};
use crate::report::block::{Block, Icon, Text};

/// What the run costs, where a cost is known, and how fast other counters grow.
pub(super) fn cost(telling: &Telling<'_>) -> Vec<Block> {
    let Some(cost) = &telling.progress.cost else { return Vec::new() };
    let mut blocks = match cost.growth {
        Ok(growth) => told(telling, cost, growth),
        Err(why) => {
            let facts = [("name", telling.name(&cost.name)), ("why", telling.why(why))];
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
    let recent = growth.marginal().map_or_else(|| "?".to_owned(), quantity::amount);
    let facts = [
        ("name", telling.name(name)),
        ("average", quantity::amount(growth.average())),
        ("recent", recent),
        ("amount", quantity::amount(growth.average_amount)),
        ("steps", quantity::exact(growth.average_steps)),
    ];
    Text::plain(telling.fill("pace-of", &facts))
}

fn told(telling: &Telling<'_>, cost: &Cost, growth: Growth) -> Vec<Block> {
    let span = &telling.progress.span;
    let is_per_step = telling.counts_steps(&cost.name);
    let kind = if is_per_step { "-recorded" } else { "" };
    let to = quantity::exact(span.to);
    let counted = quantity::money(growth.average_amount);
    let average = quantity::money(growth.average());
    let unrecorded = quantity::exact(growth.unrecorded);
    let steps = quantity::exact(growth.average_steps);
    let facts = [("total", &counted), ("steps", &steps), ("average", &average)];
    let mut lines = vec![telling.fill(&format!("cost-average{kind}"), &facts)];
    if let (Some([amount, between]), Some(marginal)) = (growth.recent, growth.marginal()) {
        let facts = [
            ("amount", &quantity::money(amount)),
            ("between", &quantity::exact(between)),
            ("marginal", &quantity::money(marginal)),
            ("from", &quantity::exact(span.from)),
            ("to", &to),
        ];
        lines.push(telling.fill(&format!("cost-marginal{kind}"), &facts));
    }
    if growth.unrecorded > 0.0 {
        let facts = [
            ("counted", &counted),
            ("average", &average),
            ("steps", &unrecorded),
            ("total", &quantity::money(growth.total())),
            ("to", &to),
        ];
        lines.push(telling.fill("cost-unrecorded", &facts));
    }
    if let Some(forecast) = cost.forecast {
        lines.extend(forecast_lines(telling, growth, forecast));
    }
    let facts = [("name", &telling.name(&cost.name)), ("to", &to), ("unrecorded", &unrecorded)];
    let assumed = if is_per_step { "cost-assumes-steps" } else { "cost-assumes-all" };
    vec![
        Block::Code { lang: String::new(), text: lines.join("\n") },
        Block::paragraph(telling.fill(assumed, &facts)),
        match cost.forecast {
            Some(forecast) => judged(telling, forecast),
            None => Block::paragraph(telling.get("no-forecast")),
        },
    ]
}

fn forecast_lines(telling: &Telling<'_>, growth: Growth, forecast: Forecast) -> Vec<String> {
    let line = |key: &str, per_step: f64, sum: f64| {
        let facts = [
            ("steps", quantity::exact(forecast.steps)),
            ("total", quantity::money(growth.total())),
            ("per", quantity::money(per_step)),
            ("left", quantity::exact(forecast.left)),
            ("sum", quantity::money(sum)),
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
fn judged(telling: &Telling<'_>, forecast: Forecast) -> Block {
    let to = telling.progress.span.to;
    let dollars = |[lo, hi]: [f64; 2]| quantity::range(lo, hi, Unit::Dollars);
    let facts = [
        ("range", dollars(forecast.range())),
        ("to", quantity::exact(to)),
        ("steps", quantity::exact(forecast.steps)),
        ("done", quantity::relative_change(to / forecast.steps)),
    ];
    let mut items = vec![Text::plain(telling.fill("forecast-range", &facts))];
    if let (Some(budget), Some(against), Some([paired, all])) =
        (forecast.budget, forecast.against_budget(), forecast.savings())
    {
        let icon = match against {
            Against::Below | Against::Within => Icon::Good,
            Against::Across => Icon::Caution,
            Against::Above => Icon::Bad,
        };
        let saved = |[lo, hi]: [f64; 2]| quantity::range(lo, hi, Unit::Fraction);
        let budget = if budget.lo == budget.hi {
            quantity::money(budget.lo)
        } else {
            dollars([budget.lo, budget.hi])
        };
        let facts = [("budget", budget), ("paired", saved(paired)), ("all", saved(all))];
        let verdict = telling.fill(&format!("budget.{}", against.name()), &facts);
        items.push(Text::marked(icon, verdict));
        if against == Against::Below {
            items.push(Text::plain(telling.fill("savings", &facts)));
        }
    }
    Block::bullets(items)
}
