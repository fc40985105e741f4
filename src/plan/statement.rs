//! The statement: records of both sides by id, ids by what became of them, counts of these.

use super::Plan;
use super::scan::records;
use super::sums::{sum_of_rest, whole_sum};
use crate::model::{COUNTED_VERSION, MetricKind, PairStatus, SUMMED_STEPS, with_rounding};

/// `WITH` parts as far as one row for each id: `ids`, then `pairs`.
fn pairs(plan: &Plan) -> String {
    let Plan { dialect, .. } = plan;
    let places = 1..=plan.metrics.len();
    let (a, b) = (&plan.baseline, &plan.candidate);
    let arms = [
        ("h_prompt", [a.prompt.is_some(), b.prompt.is_some()]),
        ("h_target", [a.target.is_some(), b.target.is_some()]),
    ];
    // What only one run has proves nothing of the other, and tells its own records apart.
    let names = |least: usize| {
        let there = move |arms: [bool; 2]| arms.iter().filter(|is_there| **is_there).count();
        arms.into_iter().filter(move |(_, arms)| there(*arms) >= least).map(|(name, _)| name)
    };
    let contents: Vec<&str> = names(2).collect();
    let mut of_record: Vec<String> = names(1).map(str::to_owned).collect();
    of_record.extend(places.clone().map(|place| format!("s{place}")));
    let record = dialect.hash_of_all(&of_record);
    let of_side = |side: usize, value: &str| format!("CASE WHEN side = {side} THEN {value} END");
    let mut ids = vec!["dataset".to_owned(), "id".to_owned()];
    for (side, letter) in [(0, "a"), (1, "b")] {
        ids.push(format!("SUM(CASE WHEN side = {side} THEN 1 ELSE 0 END) AS rows_{letter}"));
        let own = of_side(side, "record");
        ids.push(format!("CASE WHEN MIN({own}) <> MAX({own}) THEN 1 ELSE 0 END AS torn_{letter}"));
        for name in &contents {
            ids.push(format!("MIN({}) AS {name}_{letter}", of_side(side, name)));
        }
        for place in places.clone() {
            let score = format!("s{place}");
            ids.push(format!("MIN({}) AS {letter}{place}", of_side(side, &score)));
            if has_range(plan, place) {
                let apart = of_side(side, &format!("o{place}"));
                ids.push(format!("COUNT({apart}) AS n_{letter}{place}"));
                ids.push(format!("MAX({apart}) AS out_{letter}{place}"));
            }
        }
    }
    if let Some(side) = plan.cluster_side() {
        ids.push(format!("MIN({}) AS cluster", of_side(side, "cluster")));
    }
    let sides = [records(plan, 0), records(plan, 1)].join("\n  UNION ALL\n");
    format!(
        "WITH records AS (\n{sides}\n),\n{}marked AS (SELECT *, {record} AS record FROM {from}),\n\
         ids AS (\n  SELECT {}\n  FROM marked\n  GROUP BY dataset, id\n),\npairs AS (\n{}\n)",
        if plan.has_ranges() { ranged(plan, &of_record) } else { String::new() },
        ids.join(",\n    "),
        of_ids(plan, &contents),
        from = if plan.has_ranges() { "ranged" } else { "records" },
    )
}

/// Whether scores of the metric at that place are held against a range in either run.
fn has_range(plan: &Plan, place: usize) -> bool {
    plan.metrics.get(place - 1).is_some_and(|metric| metric.ranges.iter().any(Option::is_some))
}

/// `WITH` part of the records whose scores outside of their range are columns of their own, `o1` beside `s1`: they
/// count as missing from here on, as contradictions too.
fn ranged(plan: &Plan, of_record: &[String]) -> String {
    let mut columns = vec!["side".to_owned(), "dataset".to_owned(), "id".to_owned()];
    columns.extend(of_record.iter().filter(|name| name.starts_with("h_")).cloned());
    columns.extend(plan.cluster_side().map(|_| "cluster".to_owned()));
    for place in 1..=plan.metrics.len() {
        let score = format!("s{place}");
        if has_range(plan, place) {
            let outside = outside(plan, place, &score);
            let is_infinite = plan.dialect.is_infinite(&score);
            columns.push(format!("CASE WHEN NOT ({outside}) THEN {score} END AS {score}"));
            columns.push(format!(
                "CASE WHEN ({outside}) AND NOT {is_infinite} THEN {score} END AS o{place}"
            ));
        } else {
            columns.push(score);
        }
    }
    format!("ranged AS (\n  SELECT {}\n  FROM records\n),\n", columns.join(",\n    "))
}

/// Whether a score lies outside of the range that its metric has in its run.
fn outside(plan: &Plan, place: usize, score: &str) -> String {
    let ranges = plan.metrics.get(place - 1).map_or([None; 2], |metric| metric.ranges);
    let mut cases = Vec::new();
    for (side, range) in ranges.into_iter().enumerate() {
        let Some((lo, hi)) = range.map(|range| with_rounding(range.ends())) else { continue };
        let below = lo.is_finite().then(|| format!("side = {side} AND {score} < {lo:?}"));
        let above = hi.is_finite().then(|| format!("side = {side} AND {score} > {hi:?}"));
        cases.extend(below.into_iter().chain(above));
    }
    if cases.is_empty() { NEVER.to_owned() } else { cases.join(" OR ") }
}

/// What became of each id, and the scores that count.
fn of_ids(plan: &Plan, contents: &[&str]) -> String {
    let status = |status: PairStatus| format!("'{}'", status.name());
    let differs = |name: &str| format!("{name}_a <> {name}_b");
    let mut cases = vec![
        ("id IS NULL".to_owned(), PairStatus::NoId),
        ("torn_a = 1 AND torn_b = 1".to_owned(), PairStatus::ConflictBoth),
        ("torn_a = 1".to_owned(), PairStatus::ConflictA),
        ("torn_b = 1".to_owned(), PairStatus::ConflictB),
        ("rows_b = 0".to_owned(), PairStatus::OnlyA),
        ("rows_a = 0".to_owned(), PairStatus::OnlyB),
    ];
    if contents.contains(&"h_target") {
        cases.push((differs("h_target"), PairStatus::Other));
    }
    if contents == ["h_prompt", "h_target"] {
        let reworded = format!("{} AND h_target_a = h_target_b", differs("h_prompt"));
        cases.push((reworded, PairStatus::Reworded));
    }
    if contents.contains(&"h_prompt") {
        cases.push((differs("h_prompt"), PairStatus::Other));
    }
    let cases: Vec<String> = cases
        .into_iter()
        .map(|(when, then)| format!("      WHEN {when} THEN {}", status(then)))
        .collect();
    let known = |name: &str| {
        let both = format!("{name}_a IS NOT NULL AND {name}_b IS NOT NULL");
        let never = NEVER.to_owned();
        let when = if contents.contains(&name) { both } else { never };
        format!("CASE WHEN {when} THEN 1 ELSE 0 END")
    };
    let mut columns = vec![
        "dataset".to_owned(),
        "id".to_owned(),
        "rows_a".to_owned(),
        "rows_b".to_owned(),
        format!(
            "CASE\n{}\n      ELSE {} END AS status",
            cases.join("\n"),
            status(PairStatus::Pair)
        ),
        format!("{} AS prompts", known("h_prompt")),
        format!("{} AS targets", known("h_target")),
    ];
    if plan.cluster_side().is_some() {
        columns.push("CASE WHEN cluster IS NULL THEN 1 ELSE 0 END AS lone".to_owned());
        // A sample without one is a cluster of its own.
        columns.push("CASE WHEN cluster IS NULL THEN CONCAT('i', id) ELSE CONCAT('c', cluster) END AS cluster".to_owned());
    }
    columns.extend(scores_of_ids(plan));
    format!("  SELECT {}\n  FROM ids", columns.join(",\n    "))
}

/// The scores of each id, and what is set aside of them; none where its records contradict each other.
fn scores_of_ids(plan: &Plan) -> Vec<String> {
    let mut columns = Vec::new();
    for letter in ["a", "b"] {
        for place in 1..=plan.metrics.len() {
            let score = format!("{letter}{place}");
            columns.push(format!(
                "CASE WHEN torn_{letter} = 0 AND id IS NOT NULL THEN {score} END AS {score}"
            ));
            let apart = ["n_", "out_"].into_iter().filter(|_| has_range(plan, place));
            columns.extend(
                apart.map(|of| {
                    format!("CASE WHEN id IS NOT NULL THEN {of}{score} END AS {of}{score}")
                }),
            );
        }
    }
    columns
}

/// A condition that no row fulfils.
const NEVER: &str = "1 = 0";

/// Whether the metric of a row is one of that kind.
fn is_of_kind(plan: &Plan, kind: MetricKind) -> String {
    let own = plan.metrics.iter().zip(1..).filter(|(metric, _)| metric.kind == kind);
    let places: Vec<String> = own.map(|(_, place)| place.to_string()).collect();
    if places.is_empty() { NEVER.to_owned() } else { format!("metric IN ({})", places.join(", ")) }
}

/// Records with a score outside of the range of its metric and the highest such score, in both runs: names, and how
/// they are made of those of single metrics.
fn set_aside(plan: &Plan) -> Columns {
    let sides = [("a", "out_a", "out_x"), ("b", "out_b", "out_y")];
    let mut columns = Vec::new();
    for (letter, count, highest) in sides.into_iter().filter(|_| plan.has_ranges()) {
        let places = (1..=plan.metrics.len()).filter(|place| has_range(plan, *place));
        let places: Vec<usize> = places.collect();
        for (name, of) in [(count, "n_"), (highest, "out_")] {
            let case = |place: &usize| format!("WHEN {place} THEN {of}{letter}{place}");
            let cases: Vec<String> = places.iter().map(case).collect();
            columns.push((name, format!("CASE metric {} END", cases.join(" "))));
        }
    }
    columns
}

/// One row for each id and metric, the samples themselves as metric 0: scores as they are.
fn raw(plan: &Plan) -> String {
    let metrics = plan.metrics.iter().zip(1..);
    let of_metric = |letter: &str| {
        let cases = metrics.clone().map(|(_, place)| format!("WHEN {place} THEN {letter}{place}"));
        format!("CASE metric {} END", cases.collect::<Vec<_>>().join(" "))
    };
    let scored: Vec<String> = metrics
        .clone()
        .filter(|(metric, _)| metric.is_score)
        .flat_map(|(_, place)| ["a", "b"].map(|letter| format!("{letter}{place} IS NOT NULL")))
        .collect();
    let scored = if scored.is_empty() { NEVER.to_owned() } else { scored.join(" OR ") };
    let cases = metrics.clone().filter(|(metric, _)| metric.exponent != 0);
    let cases: Vec<String> =
        cases.map(|(metric, place)| format!("WHEN {place} THEN 1e{}", metric.exponent)).collect();
    let of_sizes = format!("CASE metric {} ELSE 1e0 END", cases.join(" "));
    let unit = if cases.is_empty() { "1e0".to_owned() } else { of_sizes };
    let numbers: Vec<String> =
        (0..=plan.metrics.len()).map(|place| format!("SELECT {place} AS metric")).collect();
    let kept =
        format!("status IN ('{}', '{}')", PairStatus::Pair.name(), PairStatus::Reworded.name());
    let cluster =
        format!(",\n    lone,\n    CASE WHEN metric > 0 AND {kept} THEN cluster END AS cluster");
    let mut further: Vec<String> =
        set_aside(plan).iter().map(|(name, made)| format!(",\n    {made} AS {name}")).collect();
    further.extend(plan.cluster_side().map(|_| cluster));
    format!(
        ",\nraw AS (\n  SELECT dataset, id, status, metric, rows_a, rows_b, prompts, targets,\n    \
         CASE WHEN {scored} THEN 1 ELSE 0 END AS elsewhere,\n    {} AS x,\n    {} AS y,\n    \
         {unit} AS unit{}\n  FROM pairs CROSS JOIN ({}) AS metrics\n)",
        of_metric("a"),
        of_metric("b"),
        further.concat(),
        numbers.join(" UNION ALL ")
    )
}

/// The same, told apart by whether there is a score, with scores that are listed and scores that are
/// summed up.
fn long(plan: &Plan) -> String {
    let dialect = plan.dialect;
    let mut further: Vec<String> =
        set_aside(plan).iter().map(|(name, _)| format!(", {name}")).collect();
    further.extend(plan.cluster_side().map(|_| ", lone, cluster".to_owned()));
    let further = further.concat();
    let listed = is_of_kind(plan, MetricKind::Values);
    let of_side = |letter: &str, [value, listed_as, summed_as]: [&str; 3]| {
        let infinite = dialect.is_infinite(value);
        let finite = format!("CASE WHEN NOT {infinite} THEN {value} END");
        format!(
            "CASE WHEN {value} IS NULL THEN 0 WHEN {infinite} THEN 2 ELSE 1 END AS scored_{letter},\n    \
             CASE WHEN {listed} THEN {finite} END AS {listed_as},\n    {finite} / unit AS {summed_as}"
        )
    };
    format!(
        "{},\nlong AS (\n  SELECT dataset, id, status, metric, rows_a, rows_b, prompts, targets{further},\n    \
         CASE WHEN metric = 0 OR x IS NOT NULL OR y IS NOT NULL THEN 0 ELSE elsewhere END AS elsewhere,\n    \
         {},\n    {}\n  FROM raw\n)",
        raw(plan),
        of_side("a", ["x", "x", "u"]),
        of_side("b", ["y", "y", "v"]),
    )
}

/// Columns of the second counting: name, and how it is made of single ids.
fn sums(plan: &Plan) -> Vec<(&'static str, String)> {
    let dialect = plan.dialect;
    let summed = is_of_kind(plan, MetricKind::Sums);
    let of_summed = |value: &str| format!("CASE WHEN {summed} THEN {value} END");
    let whole = |value: &str| whole_sum(dialect, &of_summed(value));
    let rest = |value: &str| sum_of_rest(dialect, &of_summed(value));
    let d = "(v - u)";
    let other = format!("CASE WHEN {summed} AND u <> v THEN");
    let mut columns = vec![
        ("n", "COUNT(*)".to_owned()),
        ("rows_a", "SUM(rows_a)".to_owned()),
        ("rows_b", "SUM(rows_b)".to_owned()),
        ("ids_a", "SUM(CASE WHEN rows_a > 0 THEN 1 ELSE 0 END)".to_owned()),
        ("ids_b", "SUM(CASE WHEN rows_b > 0 THEN 1 ELSE 0 END)".to_owned()),
        ("example", "MIN(CASE WHEN metric = 0 THEN id END)".to_owned()),
        ("prompts", "SUM(prompts)".to_owned()),
        ("targets", "SUM(targets)".to_owned()),
        ("sum_x", whole("u")),
        ("sum_xx", whole("u * u")),
        ("sum_y", whole("v")),
        ("sum_yy", whole("v * v")),
        ("sum_d", whole(d)),
        ("sum_d_rest", rest(d)),
        ("sum_dd", whole(&format!("{d} * {d}"))),
        ("sum_dd_rest", rest(&format!("{d} * {d}"))),
        ("sum_ddd", whole(&format!("{d} * {d} * {d}"))),
        ("sum_ddd_rest", rest(&format!("{d} * {d} * {d}"))),
        ("top_x", format!("MAX({})", of_summed("u"))),
        ("top_y", format!("MAX({})", of_summed("v"))),
        ("others", format!("SUM({other} 1 ELSE 0 END)")),
        ("least", format!("MIN({other} {d} END)")),
        ("most", format!("MAX({other} {d} END)")),
    ];
    columns.extend(set_aside(plan).into_iter().map(|(name, _)| match name {
        "out_a" | "out_b" => (name, format!("SUM({name})")),
        _ => (name, format!("MAX({name})")),
    }));
    let lone = "SUM(CASE WHEN metric = 0 THEN lone ELSE 0 END)".to_owned();
    columns.extend(plan.cluster_side().map(|_| ("lone", lone)));
    columns
}

/// What is told apart in the counts.
const KEYS: [&str; 8] =
    ["dataset", "metric", "status", "elsewhere", "scored_a", "scored_b", "x", "y"];

/// Sums that are written as text, because engines store whole numbers of that size in various ways.
fn is_text(name: &str) -> bool {
    name.starts_with("sum_") || matches!(name, "s" | "t")
}

/// Counts of ids, and those of clusters where there are some.
fn counts(plan: &Plan) -> (String, Vec<&'static str>) {
    let sums = sums(plan);
    let keys = KEYS.join(", ");
    let made = |(name, sum): &(&'static str, String)| format!("{sum} AS {name}");
    let columns: Vec<String> = sums.iter().map(made).collect();
    let mut names: Vec<&'static str> = KEYS.to_vec();
    names.extend(sums.iter().map(|(name, _)| *name));
    if plan.cluster_side().is_none() {
        let columns = columns.join(",\n    ");
        let text = format!(
            ",\ncounts AS (\n  SELECT {keys},\n    {columns}\n  FROM long\n  GROUP BY {keys}\n)"
        );
        return (text, names);
    }
    let (first, second) = of_clusters(plan);
    let own: Vec<String> = first.iter().map(made).collect();
    let columns = [columns, own].concat().join(",\n    ");
    let grouped = format!(
        ",\ngrouped AS (\n  SELECT {keys}, cluster, GROUPING(cluster) AS of_ids,\n    {columns}\n  \
         FROM long\n  GROUP BY GROUPING SETS (({keys}), (dataset, metric, cluster))\n)"
    );
    let mut groups: Vec<String> = KEYS.iter().map(|&key| key.to_owned()).collect();
    let mut shown = groups.clone();
    for (name, _) in &sums {
        let function = match *name {
            "least" | "example" => "MIN",
            "most" | "top_x" | "top_y" | "out_x" | "out_y" => "MAX",
            _ => "SUM",
        };
        let of_ids = format!("CASE WHEN of_ids = 1 THEN {name} END");
        shown.push(format!("{function}({of_ids}) AS {name}"));
    }
    groups.push("of_ids".to_owned());
    for (name, key) in second.iter().filter(|(name, _)| !name.starts_with("sum_")) {
        shown.push(format!("{key} AS {name}"));
        // How many clusters are alike is no key of theirs.
        if *name != "clusters" {
            groups.push(key.clone());
        }
        names.push(name);
    }
    for (name, sum) in second.iter().filter(|(name, _)| name.starts_with("sum_")) {
        shown.push(format!("{sum} AS {name}"));
        names.push(name);
    }
    let rolled = format!(
        ",\ncounts AS (\n  SELECT {}\n  FROM grouped\n  WHERE of_ids = 1 OR (metric > 0 AND cluster IS NOT NULL)\n  \
         GROUP BY {}\n)",
        shown.join(",\n    "),
        groups.join(",\n    ")
    );
    (grouped + &rolled, names)
}

/// Columns of a cluster, and those of clusters that are alike.
type Columns = Vec<(&'static str, String)>;

fn of_clusters(plan: &Plan) -> (Columns, Columns) {
    let dialect = plan.dialect;
    let count = |when: &str| format!("SUM(CASE WHEN {when} THEN 1 ELSE 0 END)");
    let (both, only_a) = ("scored_a = 1 AND scored_b = 1", "scored_a = 1 AND scored_b <> 1");
    let only_b = "scored_a <> 1 AND scored_b = 1";
    let neither = "scored_a <> 1 AND scored_b <> 1";
    let complete = format!("CASE WHEN {both} THEN v - u ELSE 0 END");
    let filled = format!(
        "CASE WHEN {both} THEN v - u WHEN {only_a} THEN -u WHEN {only_b} THEN v ELSE 0 END"
    );
    let first = vec![
        ("size", count(both)),
        ("size_a", count(only_a)),
        ("size_b", count(only_b)),
        ("size_0", count(&format!("{neither} AND elsewhere = 0"))),
        ("size_1", count(&format!("{neither} AND elsewhere = 1"))),
        ("s", whole_sum(dialect, &complete)),
        ("s_rest", sum_of_rest(dialect, &complete)),
        ("t", whole_sum(dialect, &filled)),
        ("t_rest", sum_of_rest(dialect, &filled)),
    ];
    let is_listed = is_of_kind(plan, MetricKind::Values);
    let of_cluster = |name: &str| format!("CASE WHEN of_ids = 0 THEN {name} END");
    let of_listed = |name: &str| format!("CASE WHEN of_ids = 0 AND {is_listed} THEN {name} END");
    let of_summed =
        |name: &str| format!("CASE WHEN of_ids = 0 AND NOT ({is_listed}) THEN {name} END");
    let square = |name: &str| {
        let number = dialect.number_type();
        let rest = format!("CAST({name}_rest AS {number}) / {SUMMED_STEPS}");
        let value = format!("((CAST({name} AS {number}) + {rest}) / {SUMMED_STEPS})");
        format!("{} * {value}", of_summed(&value))
    };
    let second = vec![
        ("size", of_cluster("size")),
        ("size_a", of_cluster("size_a")),
        ("size_b", of_cluster("size_b")),
        ("size_0", of_cluster("size_0")),
        ("size_1", of_cluster("size_1")),
        ("s", of_listed("s")),
        ("t", of_listed("t")),
        ("clusters", "SUM(CASE WHEN of_ids = 0 THEN 1 ELSE 0 END)".to_owned()),
        ("sum_s", format!("SUM({})", of_summed("s"))),
        ("sum_s_rest", format!("SUM({})", of_summed("s_rest"))),
        ("sum_ss", whole_sum(dialect, &square("s"))),
        ("sum_ss_rest", sum_of_rest(dialect, &square("s"))),
        ("sum_t", format!("SUM({})", of_summed("t"))),
        ("sum_t_rest", format!("SUM({})", of_summed("t_rest"))),
        ("sum_tt", whole_sum(dialect, &square("t"))),
        ("sum_tt_rest", sum_of_rest(dialect, &square("t"))),
    ];
    (first, second)
}

/// The statement that writes the counts.
pub(super) fn counting(plan: &Plan) -> String {
    let dialect = plan.dialect;
    let (counted, names) = counts(plan);
    let (written, hash) = plan.written();
    let (text, count) = (dialect.text_type(), dialect.count_type());
    let kind = |name: &str| match name {
        "dataset" | "status" | "example" => text,
        "x" | "y" | "least" | "most" | "top_x" | "top_y" | "out_x" | "out_y" => {
            dialect.number_type()
        }
        name if is_text(name) => text,
        _ => count,
    };
    let typed: Vec<String> =
        names.iter().map(|name| format!("CAST({name} AS {}) AS {name}", kind(name))).collect();
    let nothing: Vec<String> =
        names.iter().map(|name| format!("CAST(NULL AS {}) AS {name}", kind(name))).collect();
    let query = format!(
        "{}{}{counted}\nSELECT {COUNTED_VERSION} AS version, {hash} AS plan_hash, CAST(NULL AS {text}) AS plan,\n  \
         CAST(COUNT(*) OVER () AS {count}) AS of_rows,\n  {}\nFROM counts\n\
         UNION ALL\nSELECT {COUNTED_VERSION} AS version, {hash} AS plan_hash, {} AS plan,\n  \
         CAST(NULL AS {count}) AS of_rows,\n  {}",
        pairs(plan),
        long(plan),
        typed.join(",\n  "),
        dialect.text(&written),
        nothing.join(",\n  "),
        hash = dialect.text(&hash),
    );
    dialect.to_file(&query, &plan.output)
}

/// The statement that lists samples whose scores differ.
pub(super) fn changed(plan: &Plan, most: u64) -> String {
    let places = 1..=plan.metrics.len();
    let mut columns = vec!["dataset".to_owned(), "id".to_owned(), "status".to_owned()];
    for (metric, place) in plan.metrics.iter().zip(places.clone()) {
        for (letter, arm) in [("a", "baseline"), ("b", "candidate")] {
            let name = plan.dialect.name_of(&format!("{arm} {}", metric.name));
            columns.push(format!("{letter}{place} AS {name}"));
        }
    }
    let differs: Vec<String> = places.map(|place| format!("a{place} <> b{place}")).collect();
    format!(
        "{}\nSELECT {}\nFROM pairs\nWHERE status IN ('{}', '{}') AND ({})\nORDER BY dataset, id\nLIMIT {most};\n",
        pairs(plan),
        columns.join(",\n  "),
        PairStatus::Pair.name(),
        PairStatus::Reworded.name(),
        differs.join(" OR ")
    )
}
