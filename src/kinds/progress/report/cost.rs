//! What the run costs: a step on average and lately, the whole run by both, and the budget.

use super::course_charts;
use super::progress_wording::ProgressWording;
use crate::kinds::progress::analysis::{BudgetOutcome, Cost, ProgressForecast, ProgressGrowth};
use crate::quantity::{self, Unit};
use crate::report::block::{Block, Icon, Text};

/// What the run costs, where a cost is known, and how fast other counters grow.
pub(super) fn cost(wording: &ProgressWording<'_>) -> Vec<Block> {
    let Some(cost) = &wording.progress.cost else { return Vec::new() };
    let mut blocks = match cost.growth {
        Ok(growth) => average_and_forecast(wording, cost, growth),
        Err(why) => {
            let facts = [("name", wording.name(&cost.name)), ("why", wording.why(why))];
            vec![Block::paragraph(Text::empty().and_quoting(&wording.fill("cost-unknown", &facts)))]
        }
    };
    blocks.extend(course_charts::cost(wording, cost));
    if !wording.progress.paces.is_empty() {
        blocks.push(Block::heading(wording.get("pace")));
        blocks.push(paces(wording));
    }
    blocks
}

/// How fast counters grow, where no cost is known.
pub(super) fn pace(wording: &ProgressWording<'_>) -> Vec<Block> {
    let is_alone = wording.progress.cost.is_none() && !wording.progress.paces.is_empty();
    is_alone.then(|| paces(wording)).into_iter().collect()
}

fn paces(wording: &ProgressWording<'_>) -> Block {
    let items = wording.progress.paces.iter();
    Block::bullets(items.map(|pace| growth(wording, &pace.name, pace.growth)).collect())
}

fn growth(wording: &ProgressWording<'_>, name: &str, growth: ProgressGrowth) -> Text {
    let recent = growth.marginal().map_or_else(|| "?".to_owned(), quantity::amount);
    let facts = [
        ("name", wording.name(name)),
        ("average", quantity::amount(growth.average())),
        ("recent", recent),
        ("amount", quantity::amount(growth.average_amount)),
        ("steps", quantity::exact(growth.average_steps)),
    ];
    Text::plain(wording.fill("pace-of", &facts))
}

fn average_and_forecast(
    wording: &ProgressWording<'_>,
    cost: &Cost,
    growth: ProgressGrowth,
) -> Vec<Block> {
    let span = &wording.progress.span;
    let is_per_step = wording.counts_steps(&cost.name);
    let kind = if is_per_step { "-recorded" } else { "" };
    let to = quantity::exact(span.to);
    let counted = quantity::money(growth.average_amount);
    let average = quantity::money(growth.average());
    let unrecorded = quantity::exact(growth.unrecorded);
    let steps = quantity::exact(growth.average_steps);
    let facts = [("total", &counted), ("steps", &steps), ("average", &average)];
    let mut lines = vec![wording.fill(&format!("cost-average{kind}"), &facts)];
    if let (Some([amount, between]), Some(marginal)) = (growth.recent, growth.marginal()) {
        let facts = [
            ("amount", &quantity::money(amount)),
            ("between", &quantity::exact(between)),
            ("marginal", &quantity::money(marginal)),
            ("from", &quantity::exact(span.from)),
            ("to", &to),
        ];
        lines.push(wording.fill(&format!("cost-marginal{kind}"), &facts));
    }
    if growth.unrecorded > 0.0 {
        let facts = [
            ("counted", &counted),
            ("average", &average),
            ("steps", &unrecorded),
            ("total", &quantity::money(growth.total())),
            ("to", &to),
        ];
        lines.push(wording.fill("cost-unrecorded", &facts));
    }
    if let Some(forecast) = cost.forecast {
        lines.extend(forecast_lines(wording, growth, forecast));
    }
    let facts = [("name", &wording.name(&cost.name)), ("to", &to), ("unrecorded", &unrecorded)];
    let assumed = if is_per_step { "cost-assumes-steps" } else { "cost-assumes-all" };
    vec![
        Block::Code { lang: String::new(), text: lines.join("\n") },
        Block::paragraph(wording.fill(assumed, &facts)),
        match cost.forecast {
            Some(forecast) => judged(wording, forecast),
            None => Block::paragraph(wording.get("no-forecast")),
        },
    ]
}

fn forecast_lines(
    wording: &ProgressWording<'_>,
    growth: ProgressGrowth,
    forecast: ProgressForecast,
) -> Vec<String> {
    let line = |key: &str, per_step: f64, sum: f64| {
        let facts = [
            ("steps", quantity::exact(forecast.steps)),
            ("total", quantity::money(growth.total())),
            ("per", quantity::money(per_step)),
            ("left", quantity::exact(forecast.left)),
            ("sum", quantity::money(sum)),
        ];
        wording.fill(key, &facts)
    };
    let mut lines = vec![line("forecast-average", growth.average(), forecast.by_average)];
    if let (Some(marginal), Some(sum)) = (growth.marginal(), forecast.by_marginal) {
        lines.push(line("forecast-marginal", marginal, sum));
    }
    lines
}

/// The range against the budget, and what it stands on.
fn judged(wording: &ProgressWording<'_>, forecast: ProgressForecast) -> Block {
    let to = wording.progress.span.to;
    let dollars = |[lo, hi]: [f64; 2]| quantity::range(lo, hi, Unit::Dollars);
    let facts = [
        ("range", dollars(forecast.range())),
        ("to", quantity::exact(to)),
        ("steps", quantity::exact(forecast.steps)),
        ("done", quantity::relative_change(to / forecast.steps)),
    ];
    let mut items = vec![Text::plain(wording.fill("forecast-range", &facts))];
    if let (Some(budget), Some(against), Some([paired, all])) =
        (forecast.budget, forecast.against_budget(), forecast.savings())
    {
        let icon = match against {
            BudgetOutcome::Below | BudgetOutcome::Within => Icon::Good,
            BudgetOutcome::Across => Icon::Caution,
            BudgetOutcome::Above => Icon::Bad,
        };
        let saved = |[lo, hi]: [f64; 2]| quantity::range(lo, hi, Unit::Fraction);
        let budget = if budget.lo == budget.hi {
            quantity::money(budget.lo)
        } else {
            dollars([budget.lo, budget.hi])
        };
        let facts = [("budget", budget), ("paired", saved(paired)), ("all", saved(all))];
        let verdict = wording.fill(&format!("budget.{}", against.name()), &facts);
        items.push(Text::marked(icon, verdict));
        if against == BudgetOutcome::Below {
            items.push(Text::plain(wording.fill("savings", &facts)));
        }
    }
    Block::bullets(items)
}
