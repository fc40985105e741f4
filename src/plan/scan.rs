//! The records of one run as rows with equal columns for both.

use super::dialect::is_address;
use super::{Dialect, From, Holds, Plan, SampleSource, SourceColumn};
use crate::model::SCORE_WORDS;

/// `SELECT` of the records of a source: side, dataset, id, hashes of contents, cluster and scores.
pub(super) fn records(plan: &Plan, side: usize) -> String {
    let source = [&plan.baseline, &plan.candidate][side];
    let sql = Scan { dialect: plan.dialect, source };
    let nothing = |kind: &str| format!("CAST(NULL AS {kind})");
    let text = plan.dialect.text_type();
    let mut columns = vec![format!("{side} AS side")];
    columns.push(match &source.dataset {
        Some(column) => format!("{} AS dataset", sql.text(column)),
        None => match &source.called {
            Some(name) => format!("{} AS dataset", plan.dialect.text(name)),
            None => format!("{} AS dataset", nothing(text)),
        },
    });
    columns.push(format!("{} AS id", sql.whole(&source.id)));
    for (name, column, other) in [
        ("h_prompt", &source.prompt, [&plan.baseline.prompt, &plan.candidate.prompt]),
        ("h_target", &source.target, [&plan.baseline.target, &plan.candidate.target]),
    ] {
        match column {
            Some(column) => {
                columns.push(format!("{} AS {name}", sql.hash(column, name == "h_target")));
            }
            None if other.iter().any(|other| other.is_some()) => {
                columns.push(format!("NULL AS {name}"));
            }
            None => {}
        }
    }
    if let Some(with) = plan.cluster_side() {
        columns.push(match source.cluster.as_ref().filter(|_| with == side) {
            Some(column) => format!("{} AS cluster", sql.text(column)),
            None => format!("{} AS cluster", nothing(text)),
        });
    }
    let scores = source.scores.iter().zip(1..);
    columns.extend(scores.map(|(column, place)| format!("{} AS s{place}", sql.score(column))));
    let from = sql.from();
    format!("  SELECT {}\n  FROM {from}", columns.join(",\n    "))
}

struct Scan<'p> {
    dialect: Dialect,
    source: &'p SampleSource,
}

impl Scan<'_> {
    fn column(&self, column: &SourceColumn) -> String {
        let name = self.dialect.name_of(&column.name);
        match (&self.source.from, self.dialect) {
            (From::Lines(_), Dialect::Spark) => format!("line.{name}"),
            _ => name,
        }
    }

    /// A column as text; an empty one is nothing.
    fn text(&self, column: &SourceColumn) -> String {
        let name = self.column(column);
        format!("NULLIF(CAST({name} AS {}), '')", self.dialect.text_type())
    }

    /// A column as text, whole numbers as such whatever their type.
    fn whole(&self, column: &SourceColumn) -> String {
        let (dialect, text) = (self.dialect, self.text(column));
        // Java writes 10000000.0 as 1.0E7.
        let text = if dialect == Dialect::Spark {
            let number = format!("TRY_CAST({text} AS DOUBLE)");
            let whole = format!("TRY_CAST({number} AS BIGINT)");
            format!(
                "CASE WHEN {text} RLIKE '^[0-9][.][0-9]+E[0-9]+$' AND {whole} = {number} \
                 THEN CAST({whole} AS STRING) ELSE {text} END"
            )
        } else {
            text
        };
        format!(
            "CASE WHEN {text} LIKE '%.0' THEN {} ELSE {text} END",
            dialect.without_point_0(&text)
        )
    }

    fn hash(&self, column: &SourceColumn, is_target: bool) -> String {
        let text = if is_target { self.whole(column) } else { self.text(column) };
        format!("CASE WHEN {text} IS NOT NULL THEN {} END", self.dialect.hash(&text))
    }

    /// A score as a number, infinite ones included; NaN is nothing.
    fn score(&self, column: &SourceColumn) -> String {
        let (dialect, name) = (self.dialect, self.column(column));
        let number = dialect.number_type();
        let value = match column.holds {
            Holds::Flags => format!("CASE WHEN {name} THEN 1.0 WHEN NOT {name} THEN 0.0 END"),
            Holds::Words => {
                return self.of_words(&format!("CAST({name} AS {})", dialect.text_type()));
            }
            Holds::Unknown if dialect == Dialect::Bigquery => {
                return self.of_words(&format!("CAST({name} AS STRING)"));
            }
            Holds::Plain | Holds::Fractions | Holds::Unknown => name,
        };
        let value = format!("CAST({value} AS {number})");
        format!("CASE WHEN NOT {} THEN {value} END", dialect.is_nan(&value))
    }

    fn of_words(&self, text: &str) -> String {
        let dialect = self.dialect;
        let word = dialect.trim(text);
        let listed = |words: &[&str]| {
            words.iter().map(|word| dialect.text(word)).collect::<Vec<_>>().join(", ")
        };
        let cases = SCORE_WORDS.iter().flat_map(|(letters, words, score)| {
            let exact = format!(" WHEN {word} IN ({}) THEN {score:?}", listed(letters));
            let folded = format!(" WHEN LOWER({word}) IN ({}) THEN {score:?}", listed(words));
            [Some(exact), Some(folded).filter(|_| !words.is_empty())]
        });
        let cases: String = cases.flatten().collect();
        let number = dialect.try_number(&word);
        let is_nan = dialect.is_nan(&number);
        format!("CASE{cases} WHEN NOT {is_nan} THEN {number} END")
    }

    fn from(&self) -> String {
        let dialect = self.dialect;
        let paths = |paths: &[String]| -> Vec<String> {
            paths.iter().map(|path| dialect.text(&dialect.path(path))).collect()
        };
        match (&self.source.from, dialect) {
            (From::Table(parts), Dialect::Bigquery) => dialect.name_of(&parts.join(".")),
            (From::Table(parts), _) => {
                let parts: Vec<String> = parts.iter().map(|part| dialect.name_of(part)).collect();
                parts.join(".")
            }
            (From::Parquet(files), Dialect::Spark) => self.union("parquet", files),
            (From::Parquet(files), _) => format!(
                "read_parquet([{}], union_by_name = true{})",
                paths(files).join(", "),
                partitions(files)
            ),
            (From::Lines(files), Dialect::Spark) => {
                let fields: Vec<String> = self
                    .named()
                    .iter()
                    .map(|name| format!("{} STRING", dialect.name_of(name)))
                    .collect();
                let schema = dialect.text(&fields.join(", "));
                let lines = self.union("text", files);
                format!("(SELECT from_json(value, {schema}) AS line FROM {lines})")
            }
            (From::Lines(files), _) => {
                let fields: Vec<String> = self
                    .named()
                    .iter()
                    .map(|name| format!("{}: 'VARCHAR'", dialect.text(name)))
                    .collect();
                format!(
                    "read_json([{}], format = 'newline_delimited', columns = {{{}}}{})",
                    paths(files).join(", "),
                    fields.join(", "),
                    partitions(files)
                )
            }
        }
    }

    /// Several files of Spark, which takes one path or pattern at a time.
    fn union(&self, format: &str, files: &[String]) -> String {
        let dialect = self.dialect;
        let one = |path: &String| format!("{format}.{}", dialect.name_of(&dialect.path(path)));
        match files {
            [only] => one(only),
            files => {
                let named: Vec<String> = self.named();
                let names = named.iter().map(|name| dialect.name_of(name));
                let columns = names.collect::<Vec<_>>().join(", ");
                let columns = if format == "text" { "value" } else { &columns };
                let parts = files.iter().map(|path| format!("SELECT {columns} FROM {}", one(path)));
                format!("({})", parts.collect::<Vec<_>>().join(" UNION ALL "))
            }
        }
    }

    /// The names of all columns that are read, each once.
    fn named(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for column in self.source.columns() {
            if !names.contains(&column.name) {
                names.push(column.name.clone());
            }
        }
        names
    }
}

/// Of files that were seen here the columns are those in the files: a directory `score=1` is none.
fn partitions(files: &[String]) -> &'static str {
    if files.iter().any(|path| is_address(path)) { "" } else { ", hive_partitioning = false" }
}
