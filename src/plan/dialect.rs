//! What engines write in different ways.

/// White space around a word.
const BLANKS: &str = " \t\n\r\u{b}\u{c}\u{a0}\u{3000}";

/// Whether the engine opens it, and nobody here has seen it.
pub(super) fn is_address(path: &str) -> bool {
    path.contains("://")
}

/// The SQL of one engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Duckdb,
    Spark,
    Trino,
    Bigquery,
}

impl Dialect {
    pub fn name(self) -> &'static str {
        match self {
            Self::Duckdb => "duckdb",
            Self::Spark => "spark",
            Self::Trino => "trino",
            Self::Bigquery => "bigquery",
        }
    }

    /// Whether it reads files by their paths.
    pub fn reads_files(self) -> bool {
        matches!(self, Self::Duckdb | Self::Spark)
    }

    fn escapes_with_backslash(self) -> bool {
        matches!(self, Self::Spark | Self::Bigquery)
    }

    /// A text as a literal.
    pub(super) fn text(self, text: &str) -> String {
        if !self.escapes_with_backslash() {
            return format!("'{}'", text.replace('\'', "''"));
        }
        let mut literal = String::with_capacity(text.len() + 2);
        literal.push('\'');
        for c in text.chars() {
            match c {
                '\'' | '\\' => literal.extend(['\\', c]),
                '\n' => literal.push_str("\\n"),
                '\r' => literal.push_str("\\r"),
                _ => literal.push(c),
            }
        }
        literal.push('\'');
        literal
    }

    /// A path as the engine takes it, in which a file that was found here is no pattern.
    pub(super) fn path(self, path: &str) -> String {
        let mut literal = String::with_capacity(path.len());
        for c in path.chars() {
            match (self, c) {
                _ if is_address(path) => literal.push(c),
                (Self::Spark, '*' | '?' | '[' | ']' | '{' | '}' | '\\') => {
                    literal.extend(['\\', c]);
                }
                (Self::Duckdb, '*' | '?' | '[') => literal.extend(['[', c, ']']),
                _ => literal.push(c),
            }
        }
        literal
    }

    /// A text without white space around it.
    pub(super) fn trim(self, text: &str) -> String {
        match self {
            Self::Duckdb => format!("TRIM({text}, {})", self.text(BLANKS)),
            Self::Spark => format!("TRIM(BOTH {} FROM {text})", self.text(BLANKS)),
            Self::Trino | Self::Bigquery => format!("TRIM({text})"),
        }
    }

    /// The number that a text spells, without what only the engine takes for one: `1_000`, or `1d` and `0x1p3` of
    /// Java.
    pub(super) fn try_number(self, text: &str) -> String {
        let number = self.try_cast(text, self.number_type());
        match self {
            Self::Duckdb => format!("CASE WHEN strpos({text}, '_') = 0 THEN {number} END"),
            Self::Spark => {
                format!("CASE WHEN NOT {text} RLIKE '[0-9.][dDfF]$|[xX]' THEN {number} END")
            }
            Self::Trino | Self::Bigquery => number,
        }
    }

    /// A name of a column or a table.
    pub(super) fn name_of(self, name: &str) -> String {
        match self {
            Self::Duckdb | Self::Trino => format!("\"{}\"", name.replace('"', "\"\"")),
            Self::Spark => format!("`{}`", name.replace('`', "``")),
            Self::Bigquery => format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`")),
        }
    }

    pub(super) fn text_type(self) -> &'static str {
        match self {
            Self::Duckdb | Self::Trino => "VARCHAR",
            Self::Spark | Self::Bigquery => "STRING",
        }
    }

    pub(super) fn number_type(self) -> &'static str {
        if self == Self::Bigquery { "FLOAT64" } else { "DOUBLE" }
    }

    pub(super) fn count_type(self) -> &'static str {
        if self == Self::Bigquery { "INT64" } else { "BIGINT" }
    }

    /// Whole numbers of 38 digits, which add up to the same in any order.
    pub(super) fn whole_type(self) -> &'static str {
        if self == Self::Bigquery { "BIGNUMERIC" } else { "DECIMAL(38, 0)" }
    }

    /// A cast that gives nothing where the value is of another form.
    pub(super) fn try_cast(self, value: &str, to: &str) -> String {
        let function = if self == Self::Bigquery { "SAFE_CAST" } else { "TRY_CAST" };
        format!("{function}({value} AS {to})")
    }

    pub(super) fn is_nan(self, value: &str) -> String {
        match self {
            // By the statistics of a Parquet file `isnan` may be false where the file holds NaN.
            Self::Duckdb => format!("(NOT isfinite({value}) AND NOT isinf({value}))"),
            Self::Spark => format!("isnan({value})"),
            Self::Trino | Self::Bigquery => format!("is_nan({value})"),
        }
    }

    pub(super) fn is_infinite(self, value: &str) -> String {
        match self {
            Self::Duckdb => format!("isinf({value})"),
            Self::Spark => format!("abs({value}) = CAST('Infinity' AS DOUBLE)"),
            Self::Trino => format!("is_infinite({value})"),
            Self::Bigquery => format!("is_inf({value})"),
        }
    }

    /// 64 bits of a text that is not nothing.
    pub(super) fn hash(self, text: &str) -> String {
        match self {
            Self::Duckdb => format!("hash({text})"),
            Self::Spark => format!("xxhash64({text})"),
            Self::Trino => format!("xxhash64(to_utf8({text}))"),
            Self::Bigquery => format!("FARM_FINGERPRINT({text})"),
        }
    }

    /// 64 bits of several values, of which any may be nothing.
    pub(super) fn hash_of_all(self, values: &[String]) -> String {
        if self == Self::Duckdb {
            return format!("hash({})", values.join(", "));
        }
        let text = self.text_type();
        let shown = match self {
            // The bytes of a hash are no text.
            Self::Trino => |value: &str| format!("to_hex(CAST({value} AS VARBINARY))"),
            _ => |value: &str| value.to_owned(),
        };
        let part = |value: &String| {
            let shown = if value.starts_with("h_") { shown(value) } else { value.clone() };
            format!("COALESCE(CAST({shown} AS {text}), '-')")
        };
        let parts: Vec<String> = values.iter().map(part).collect();
        match parts.as_slice() {
            [only] => self.hash(only),
            parts => self.hash(&format!("CONCAT({})", parts.join(", '|', "))),
        }
    }

    /// An id without the `.0` that a data frame with missing values adds to whole numbers.
    pub(super) fn without_point_0(self, id: &str) -> String {
        let (pattern, kept) = match self {
            Self::Duckdb => ("'^([0-9]+)[.]0$'", "'\\1'"),
            Self::Spark | Self::Trino => ("'^([0-9]+)[.]0$'", "'$1'"),
            Self::Bigquery => ("r'^([0-9]+)[.]0$'", "r'\\1'"),
        };
        format!("regexp_replace({id}, {pattern}, {kept})")
    }

    /// The whole statement of a query whose rows are to lie in a file.
    pub(super) fn to_file(self, query: &str, output: &str) -> String {
        match self {
            Self::Duckdb => {
                format!("COPY (\n{query}\n) TO {} (FORMAT parquet);\n", self.text(output))
            }
            Self::Spark => format!(
                "INSERT OVERWRITE DIRECTORY {} USING parquet\n{query};\n",
                self.text(output)
            ),
            Self::Bigquery => format!(
                "EXPORT DATA OPTIONS (uri = {}, format = 'PARQUET', overwrite = true) AS\n{query};\n",
                self.text(output)
            ),
            Self::Trino => format!("{query}\n"),
        }
    }

    /// How the statement is run, line by line.
    pub(super) fn how_to_run(self, output: &str) -> Vec<String> {
        let mut lines = vec![match self {
            Self::Duckdb => "duckdb < stats.sql".to_owned(),
            Self::Spark => "spark-sql -f stats.sql".to_owned(),
            Self::Trino => {
                "Trino: CREATE TABLE stats WITH (format = 'PARQUET') AS before it, then copy its file"
                    .to_owned()
            }
            Self::Bigquery => "bq query --use_legacy_sql=false < stats.sql".to_owned(),
        }];
        lines.push(format!("reportgen compare --stats {output}"));
        lines
    }
}
