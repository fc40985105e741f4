//! Training curves of two arms side by side: where they part, what each comes to, and what of it may
//! be believed.

use super::{curve_points, lists, phrases};
use crate::compare::{CurveFigure, CurvePair, CurvePoint, CurveSummary, PairedCurves};
use crate::model::{Direction, Point};
use crate::pairing::{ArmPair, PairArm};
use crate::quantity;
use crate::report::ReportMaterial;
use crate::report::block::{Block, Cell, Table, Text};
use crate::report::chart::signs;
use crate::text::Catalogue;

/// More metrics than this make a table nobody reads; the rest is named.
const MOST_METRICS: usize = 12;
/// Curves that are told of in one sentence.
const MOST_TOLD: usize = 4;
/// Most names in one sentence.
const MOST_NAMES: usize = 8;
/// Signs of a curve.
const WIDTH: usize = 16;

pub(super) fn blocks(material: &ReportMaterial<'_>) -> Vec<Block> {
    let of_pair = |curves: &PairedCurves<'_>| {
        let blocks = one_pair(curves, material.words);
        let heading = phrases::candidate_heading(material, curves.pair);
        heading.filter(|_| !blocks.is_empty()).into_iter().chain(blocks).collect::<Vec<_>>()
    };
    material.curves.iter().flat_map(of_pair).collect()
}

fn one_pair(all: &PairedCurves<'_>, words: &Catalogue) -> Vec<Block> {
    if all.curves.is_empty() && all.apart.is_empty() {
        return Vec::new();
    }
    let shown = all.curves.get(..MOST_METRICS).unwrap_or(&all.curves);
    let mut blocks = vec![Block::paragraph(claim(all.pair, words))];
    if all.pair.is_repeated() {
        blocks.extend((!shown.is_empty()).then(|| table_of_runs(all.pair, shown, words)));
    } else {
        blocks.extend(parting(&all.curves, words).map(Block::paragraph));
        blocks.extend((!shown.is_empty()).then(|| table_of_pair(all.pair, shown, words)));
    }
    let notes = notes(all, words);
    if !notes.is_empty() {
        let notes = notes.iter().map(|note| Text::empty().and_quoting(note));
        blocks.push(Block::bullets(notes.collect()));
    }
    if shown.iter().any(|curve| curve.spec.has_good_side()) {
        blocks.push(Block::paragraph(words.get("curves.best-is-chosen")));
    }
    if !all.pair.is_repeated() {
        blocks.extend(curve_points::blocks(shown, all.pair, words));
    }
    blocks
}

/// What the number of runs allows to be said.
fn claim(pair: &ArmPair<'_>, words: &Catalogue) -> String {
    let sizes = PairArm::BOTH.map(|which| pair.size(which));
    let args = [("baseline", sizes[0]), ("candidate", sizes[1])];
    match sizes {
        [1, 1] => words.get("curves.claim-single"),
        [1, _] | [_, 1] => words.fill("curves.claim-lone", &args),
        _ => words.fill("curves.claim-seeds", &args),
    }
}

/// The first place at which any of the curves differ, and whether they agreed before.
fn parting(curves: &[CurvePair<'_>], words: &Catalogue) -> Option<String> {
    let telling: Vec<&CurvePair<'_>> = curves
        .iter()
        .filter(|curve| curve.tells_of_training() && !curve.meets_by_chance())
        .collect();
    let axis = telling.first()?.axis();
    let own = || telling.iter().filter(|curve| curve.axis() == axis);
    let first =
        own().filter_map(|curve| curve.parting()).map(|point| point.at).min_by(f64::total_cmp);
    let places = own().flat_map(|curve| curve.common.iter().map(|point| point.at));
    let axis = phrases::dim_name(axis, words);
    let Some(first) = first else {
        // What was evaluated tells trainings apart that logged the same losses.
        if curves.iter().any(|curve| curve.parting().is_some()) {
            return None;
        }
        let count = own().map(|curve| curve.common.len()).max().unwrap_or(0);
        let args = [("count", quantity::count(count as u64)), ("axis", axis)];
        return Some(words.fill("curves.agree", &args));
    };
    let parts = own().filter(|curve| curve.parting().is_some_and(|point| point.at == first));
    let names = parts.map(|curve| curve.metric().to_owned());
    let names = lists::first(names, MOST_NAMES, words);
    let before = places.filter(|at| *at < first).max_by(f64::total_cmp);
    let key = if before.is_some() { "curves.agree-until" } else { "curves.differ-at-once" };
    let until = before.map(quantity::exact).unwrap_or_default();
    let args = [("axis", axis), ("until", until), ("at", quantity::exact(first)), ("names", names)];
    Some(words.fill(key, &args))
}

/// One row for each metric, each arm being one run.
fn table_of_pair(pair: &ArmPair<'_>, curves: &[CurvePair<'_>], words: &Catalogue) -> Block {
    let [baseline, candidate] = PairArm::BOTH.map(|which| pair.name(which));
    Table::of_rows(curves)
        .left(words.get("results.metric"), |curve| Text::code(curve.metric()))
        .left(words.get("curves.better"), |curve| better(curve, words))
        .left(baseline, |curve| drawn(curve, PairArm::Baseline))
        .left(candidate, |curve| drawn(curve, PairArm::Candidate))
        .right(words.get("curves.parting"), |curve| parting_cell(curve, words))
        .right(words.get("curves.last"), |curve| Cell::text(last_text(curve, words)))
        .right(words.get("results.difference"), |curve| {
            if curve.end_together() { difference(curve, &curve.figures[0]) } else { Cell::dash() }
        })
        .right(words.get("curves.best"), |curve| best_cell(curve, words))
        .right(words.get("curves.end"), |curve| end_cell(curve, words))
        .block()
}

/// One row for each figure of each metric, over the runs of either arm.
fn table_of_runs(pair: &ArmPair<'_>, curves: &[CurvePair<'_>], words: &Catalogue) -> Block {
    let rows: Vec<(&CurvePair<'_>, &CurveFigure)> = curves
        .iter()
        .flat_map(|curve| curve.figures.iter().map(move |figure| (curve, figure)))
        .filter(|(_, figure)| {
            figure.summary == CurveSummary::Last || figure.values.iter().any(Option::is_some)
        })
        .collect();
    let [baseline, candidate] = PairArm::BOTH.map(|which| phrases::arm_name(pair, which, words));
    let value = |(curve, figure): &(&CurvePair<'_>, &CurveFigure), which: PairArm| {
        let shown = |value: f64| (quantity::figure(value, curve.spec.unit), value);
        Cell::known(figure.values[which].map(shown))
    };
    let is_first = |figure: &CurveFigure| figure.summary == CurveSummary::Last;
    let curve_cell = |(curve, figure): &(&CurvePair<'_>, &CurveFigure), which: PairArm| {
        if is_first(figure) { drawn(curve, which) } else { Text::empty() }
    };
    let decimals = |curve: &CurvePair<'_>, figure: &CurveFigure| {
        let limits =
            figure.interval.map_or(0.0, |interval| interval.lo.abs().max(interval.hi.abs()));
        quantity::decimals(limits.max(figure.delta.unwrap_or(0.0).abs()), curve.spec.unit)
    };
    let mean_curve = words.get("curves.mean-curve");
    Table::of_rows(&rows)
        .left(words.get("results.metric"), |(curve, _)| Text::code(curve.metric()))
        .left(words.get("curves.better"), |(curve, _)| better(curve, words))
        .left(format!("{mean_curve} {}", pair.name(PairArm::Baseline)), |row| {
            curve_cell(row, PairArm::Baseline)
        })
        .left(format!("{mean_curve} {}", pair.name(PairArm::Candidate)), |row| {
            curve_cell(row, PairArm::Candidate)
        })
        .left(words.get("curves.figure"), |(curve, figure)| figure_name(curve, figure, words))
        .right(baseline, |row| value(row, PairArm::Baseline))
        .right(candidate, |row| value(row, PairArm::Candidate))
        .right(words.get("results.difference"), |(curve, figure)| difference(curve, figure))
        .right(words.get("trend.interval"), |(curve, figure)| {
            phrases::limits_cell(figure.interval, decimals(curve, figure))
        })
        .right(words.get("trend.p"), |(_, figure)| phrases::p_cell(figure.p))
        .block()
}

fn figure_name(curve: &CurvePair<'_>, figure: &CurveFigure, words: &Catalogue) -> String {
    let key = format!("curves.name.{}", figure.summary.name());
    words.fill(&key, &[("count", curve.averaged)])
}

fn better(curve: &CurvePair<'_>, words: &Catalogue) -> String {
    match curve.spec.direction {
        Direction::Higher => words.get("curves.higher"),
        Direction::Lower => words.get("curves.lower"),
        Direction::Neutral | Direction::Unknown => "—".to_owned(),
    }
}

/// The curve of an arm, on the scales of both.
fn drawn(curve: &CurvePair<'_>, which: PairArm) -> Text {
    let arms = PairArm::BOTH.map(|which| curve.mean_curve(which));
    let places = || arms.iter().flatten().map(|point| point.at);
    let from = places().fold(f64::INFINITY, f64::min);
    let span = places().fold(f64::NEG_INFINITY, f64::max) - from;
    // Of the arm with the widest gaps every sign still holds a point.
    let spacing = PairArm::BOTH.map(|which| curve.lead(which).spacing().unwrap_or(0.0));
    let spacing = spacing[0].max(spacing[1]);
    let signs = if spacing > 0.0 { (span / spacing + 1.0).min(WIDTH as f64) as usize } else { 1 };
    let width = if arms.iter().all(Vec::is_empty) { 0 } else { signs };
    let binned = |points: &[Point]| -> Vec<Option<f64>> {
        let mut bins = vec![(0.0, 0_usize); width];
        for point in points {
            let share = if span > 0.0 { (point.at - from) / span } else { 0.0 };
            let bin = ((share * width as f64) as usize).min(width.saturating_sub(1));
            if let Some((sum, count)) = bins.get_mut(bin) {
                *sum += point.value;
                *count += 1;
            }
        }
        bins.iter().map(|(sum, count)| (*count > 0).then(|| sum / *count as f64)).collect()
    };
    let both: Vec<Option<f64>> = arms.iter().flat_map(|points| binned(points)).collect();
    let signs = signs::sparkline(&both).chars().collect::<Vec<char>>();
    let start = if which == PairArm::Baseline { 0 } else { width };
    Text::plain(signs.iter().skip(start).take(width).collect::<String>())
}

fn parting_cell(curve: &CurvePair<'_>, words: &Catalogue) -> Cell {
    match curve.parting() {
        _ if curve.meets_by_chance() => Cell::dash(),
        Some(point) => Cell::number(quantity::exact(point.at), point.at),
        None if curve.common.is_empty() => Cell::text(words.get("curves.no-common-point")),
        None => Cell::text(words.get("curves.never")),
    }
}

/// Both last figures; with their places where these differ.
fn last_text(curve: &CurvePair<'_>, words: &Catalogue) -> String {
    let together = curve.end_together();
    let figures = PairArm::BOTH.map(|which| {
        let Some(last) = curve.lead(which).series.points.last() else { return "?".to_owned() };
        let value = match curve.lead(which).last() {
            Some(last) => quantity::figure(last.value, curve.spec.unit),
            None => last.value.to_string(),
        };
        if together { value } else { placed(&value, last.at, words) }
    });
    figures.join(" → ")
}

/// What each curve comes to, in the order of the curves, with the candidate where there are several: the
/// means at the end, or of short curves the last figures, and their difference where both end at one place.
pub(super) fn ends(material: &ReportMaterial<'_>) -> Vec<String> {
    let words = material.words;
    let several = material.curves.len() > 1;
    let of_pair = |all: &PairedCurves<'_>| {
        let lead = if several {
            let args = [("candidate", all.pair.name(PairArm::Candidate))];
            words.fill("answer.of-candidate", &args)
        } else {
            String::new()
        };
        let ends = all.curves.iter().map(|curve| format!("{lead}{}", end(curve, words)));
        ends.collect::<Vec<_>>()
    };
    material.curves.iter().flat_map(of_pair).collect()
}

fn end(curve: &CurvePair<'_>, words: &Catalogue) -> String {
    // The last point may be any.
    let mean = curve.figures.iter().find(|figure| {
        figure.summary == CurveSummary::End && figure.values.iter().all(Option::is_some)
    });
    let figures = end_figures(curve, mean.unwrap_or(&curve.figures[0]), words);
    let args = [("metric", curve.metric()), ("figures", &figures)];
    match mean {
        Some(_) => {
            let count = quantity::count(curve.averaged as u64);
            words.fill("answer.curve-end-mean", &[&args[..], &[("count", &count)]].concat())
        }
        None => words.fill("answer.curve-end", &args),
    }
}

fn end_figures(curve: &CurvePair<'_>, figure: &CurveFigure, words: &Catalogue) -> String {
    let unit = curve.spec.unit;
    let [Some(baseline), Some(candidate)] = figure.values else {
        return last_text(curve, words);
    };
    let values = [baseline, candidate];
    let shown = values.map(|value| quantity::figure(value, unit));
    let Some(delta) = figure.delta.filter(|_| curve.end_together()) else {
        let ends = PairArm::BOTH.map(|which| curve.lead(which).series.points.last());
        let placed = |(value, end): (&String, Option<&Point>)| {
            end.map_or_else(|| value.clone(), |end| placed(value, end.at, words))
        };
        return shown.iter().zip(ends).map(placed).collect::<Vec<_>>().join(" → ");
    };
    let [baseline, candidate] = shown;
    let delta = quantity::difference_text(delta, values, unit);
    words.fill(
        "answer.figures-alone",
        &[("baseline", baseline), ("candidate", candidate), ("delta", delta)],
    )
}

fn placed(value: &str, at: f64, words: &Catalogue) -> String {
    words.fill("phrase.name-with-detail", &[("name", value), ("detail", &quantity::exact(at))])
}

fn best_cell(curve: &CurvePair<'_>, words: &Catalogue) -> Cell {
    let figures = PairArm::BOTH.map(|which| {
        let lead = curve.lead(which);
        let best = lead.best?;
        let value = quantity::figure(best.value, curve.spec.unit);
        if lead.ties == 0 {
            return Some(placed(&value, best.at, words));
        }
        let args = [("value", value), ("at", quantity::exact(best.at))];
        let ties = ("count", quantity::count(lead.ties as u64));
        Some(words.fill("curves.tied", &[&args[..], &[ties]].concat()))
    });
    match figures {
        [Some(baseline), Some(candidate)] => Cell::text(format!("{baseline} → {candidate}")),
        _ => Cell::dash(),
    }
}

fn end_cell(curve: &CurvePair<'_>, words: &Catalogue) -> Cell {
    let end = curve.figures.iter().find(|figure| figure.summary == CurveSummary::End);
    let Some([Some(baseline), Some(candidate)]) = end.map(|figure| figure.values) else {
        return Cell::dash();
    };
    let [baseline, candidate] =
        [baseline, candidate].map(|value| quantity::figure(value, curve.spec.unit));
    let args = [("baseline", baseline), ("candidate", candidate)];
    let count = ("count", quantity::count(curve.averaged as u64));
    Cell::text(words.fill("curves.end-of", &[&args[..], &[count]].concat()))
}

fn difference(curve: &CurvePair<'_>, figure: &CurveFigure) -> Cell {
    let known = figure.delta.zip(figure.values[0].zip(figure.values[1]));
    known.map_or_else(Cell::dash, |(delta, (a, b))| {
        let shown = quantity::difference_text(delta, [a, b], curve.spec.unit);
        Cell::number(shown, delta)
    })
}

/// What keeps curves from being read one against the other, and what is not shown.
fn notes(all: &PairedCurves<'_>, words: &Catalogue) -> Vec<String> {
    let mut notes = broken(all, words);
    notes.extend(restarts(all, words));
    notes.extend(other_ends(all, words));
    notes.extend(other_spacing(all, words));
    let mut named = |key: &str, names: Vec<String>, arm: &str| {
        if !names.is_empty() {
            let count = quantity::count(names.len() as u64);
            let names = lists::first(names, MOST_NAMES, words);
            let args = [("count", count.as_str()), ("names", &names), ("arm", arm)];
            notes.push(words.fill(key, &args));
        }
    };
    let rest = all.curves.iter().skip(MOST_METRICS).map(|curve| curve.metric().to_owned());
    named("curves.more", rest.collect(), "");
    named("curves.apart", all.apart.clone(), "");
    for which in PairArm::BOTH {
        named("curves.only-in", all.lone[which].clone(), all.pair.name(which));
    }
    notes
}

/// Curves with NaN or infinite figures, run by run.
fn broken(all: &PairedCurves<'_>, words: &Catalogue) -> Vec<String> {
    let of_curve = |curve: &CurvePair<'_>| {
        let runs = curve.arms.iter().flatten().filter_map(|one| {
            let (first, count) = one.not_finite()?;
            let args = [
                ("metric", curve.metric().to_owned()),
                ("run", one.run.id.clone()),
                ("count", quantity::count(count as u64)),
                ("of", quantity::count(one.series.points.len() as u64)),
                ("axis", phrases::dim_name(curve.axis(), words)),
                ("at", quantity::exact(first.at)),
            ];
            Some(words.fill("curves.not-finite", &args))
        });
        runs.collect::<Vec<_>>()
    };
    all.curves.iter().flat_map(of_curve).take(MOST_NAMES).collect()
}

/// Where the log of a run goes back, once for each run.
fn restarts(all: &PairedCurves<'_>, words: &Catalogue) -> Vec<String> {
    let of_run = |run: &crate::model::Run| {
        let mut series = run.content.series.iter().filter(|series| !series.rewinds.is_empty());
        let series = series.next()?;
        let axis = phrases::dim_name(&series.axis, words);
        let places = series.rewinds.iter().map(|at| quantity::exact(*at));
        let places = lists::first(places, MOST_NAMES, words);
        let args = [("run", run.id.as_str()), ("axis", &axis), ("places", &places)];
        Some(words.fill("curves.restarted", &args))
    };
    let runs = PairArm::BOTH.into_iter().flat_map(|which| all.pair.runs(which));
    runs.filter_map(of_run).collect()
}

/// What single curves that end at different places are at the last place that both have.
fn other_ends(all: &PairedCurves<'_>, words: &Catalogue) -> Option<String> {
    let apart = all.curves.iter().filter(|curve| !curve.end_together() && !curve.meets_by_chance());
    let told: Vec<(&CurvePair<'_>, CurvePoint)> =
        apart.filter_map(|curve| Some((curve, curve.last_common()?))).collect();
    if all.pair.is_repeated() || told.is_empty() {
        return None;
    }
    let figures = told.iter().take(MOST_TOLD).map(|(curve, point)| {
        let [a, b] = point.values.map(|value| quantity::figure(value, curve.spec.unit));
        let args = [("metric", curve.metric()), ("at", &quantity::exact(point.at))];
        words.fill("curves.at-place", &[&args[..], &[("baseline", &a), ("candidate", &b)]].concat())
    });
    let figures = figures.collect::<Vec<_>>().join(&words.get("punctuation.semicolon"));
    let axis = phrases::dim_name(told[0].0.axis(), words);
    Some(words.fill("curves.other-ends", &[("axis", &axis), ("figures", &figures)]))
}

fn other_spacing(all: &PairedCurves<'_>, words: &Catalogue) -> Option<String> {
    let differ: Vec<(&CurvePair<'_>, [f64; 2])> =
        all.curves.iter().filter_map(|curve| Some((curve, curve.other_spacing()?))).collect();
    let (first, [a, b]) = differ.first()?;
    let names = differ.iter().map(|(curve, _)| curve.metric().to_owned());
    let [a, b] = [a, b].map(|spacing| quantity::exact(*spacing));
    let args = [
        ("names", lists::first(names, MOST_NAMES, words)),
        ("axis", phrases::dim_name(first.axis(), words)),
        ("baseline", a),
        ("candidate", b),
    ];
    Some(words.fill("curves.other-spacing", &args))
}
