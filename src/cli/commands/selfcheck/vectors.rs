//! The statistics against reference vectors.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{counted, write_json, write_text};
use crate::cli::args::{SelfcheckArguments, SelfcheckFormat};
use crate::exit::{ExitStatus, Failure};
use crate::quantity;
use crate::render::{clean, plain_table};
use crate::stats::reference::{
    self, Allowed, Compared, MethodSummary, NotVectors, Problem, ProblemEntry, ReferenceSummary,
    SHIPPED, Unchecked, VectorCounts, Worst,
};

const SCHEMA: &str = "reportgen.selfcheck/1";

pub(super) fn run_command(
    arguments: &SelfcheckArguments,
    out: &mut dyn Write,
) -> Result<ExitStatus, Failure> {
    let files = &arguments.vectors;
    let mut elements = Vec::new();
    for (path, text) in if files.is_empty() { shipped() } else { given(files)? } {
        let read = reference::read_vectors(&text).map_err(|error| not_vectors(path, &error))?;
        let file = path.display().to_string();
        elements.extend(read.into_iter().map(|element| (file.clone(), element)));
    }
    let summary = ReferenceSummary::from_elements(elements);
    let passes = summary.passes();
    match arguments.format {
        SelfcheckFormat::Table => write_text(&text(&summary), out)?,
        SelfcheckFormat::Json => write_json(&wire(&summary, passes), out)?,
    }
    Ok(if passes { ExitStatus::Done } else { ExitStatus::GateFailed })
}

fn not_vectors(path: &Path, error: &NotVectors) -> Failure {
    Failure::input(format!(
        "`{}`, {error}; a file of vectors is a JSON list of objects with id, method, inputs, \
         expected, tol, source",
        path.display()
    ))
}

type Texts<'a> = Vec<(&'a Path, Cow<'a, str>)>;

fn shipped() -> Texts<'static> {
    SHIPPED.iter().map(|(file, text)| (Path::new(file), Cow::Borrowed(*text))).collect()
}

fn given(files: &[PathBuf]) -> Result<Texts<'_>, Failure> {
    let read = |path: &PathBuf| fs::read_to_string(path).map(Cow::Owned);
    let texts = files.iter().map(|path| match read(path) {
        Ok(text) => Ok((path.as_path(), text)),
        Err(source) => Err(Failure::read(path, source)),
    });
    texts.collect()
}

/// The methods, what failed, and the totals in the last line.
fn text(summary: &ReferenceSummary) -> String {
    let mut text = table(summary);
    if !summary.problems.is_empty() {
        text.push_str("\nFailed:\n");
        for entry in &summary.problems {
            write_problem(entry, &mut text);
        }
    }
    let totals = summary.totals();
    let malformed = match summary.malformed() {
        0 => String::new(),
        1 => "; 1 element is not a vector".to_owned(),
        several => format!("; {several} elements are not vectors"),
    };
    let _infallible = writeln!(
        text,
        "\n{} of {}: {} {}, {} disagree, {} not checked{malformed}",
        counted(totals.vectors, "vector"),
        counted(summary.methods.len(), "method"),
        counted(totals.agreed, "field"),
        if totals.agreed == 1 { "agrees" } else { "agree" },
        quantity::count(totals.disagreed as u64),
        quantity::count(totals.not_checked as u64),
    );
    text
}

const HEADS: [&str; 9] = [
    "method",
    "vectors",
    "agree",
    "disagree",
    "not checked",
    "abs. error",
    "rel. error",
    "largest rel. error in",
    "oracle",
];

fn table(summary: &ReferenceSummary) -> String {
    let rows = summary.methods.iter().map(|(name, method)| row(name, method));
    plain_table(&HEADS, &rows.collect::<Vec<_>>(), 1..7)
}

fn row(name: &str, method: &MethodSummary) -> Vec<String> {
    let size = |worst: &Option<Worst>| {
        worst.as_ref().map_or_else(|| "?".to_owned(), |worst| quantity::magnitude(worst.error))
    };
    let place = method.relative.as_ref().or(method.absolute.as_ref());
    let VectorCounts { vectors, agreed, disagreed, not_checked } = method.tally;
    let counts = [vectors, agreed, disagreed, not_checked];
    let mut cells = vec![name.to_owned()];
    cells.extend(counts.map(|count| count.to_string()));
    cells.extend([size(&method.absolute), size(&method.relative)]);
    cells
        .push(place.map_or_else(String::new, |worst| format!("{}: {}", worst.vector, worst.field)));
    cells.push(place.map_or_else(String::new, |worst| worst.source.clone()));
    cells
}

/// One problem: what is wrong, and below it what a reader needs to judge it.
fn write_problem(entry: &ProblemEntry, text: &mut String) {
    let id = entry.id.as_ref().map_or_else(String::new, |id| format!(" `{id}`"));
    let place = clean(&format!("{}:{id}", entry.file));
    let (what, details) = wording(&entry.problem);
    let _infallible = writeln!(text, "  {place} {}", clean(&what));
    for detail in details {
        let _infallible = writeln!(text, "    {}", clean(&detail));
    }
    if let Some(source) = &entry.source {
        let _infallible = writeln!(text, "    source: {}", clean(source));
    }
}

fn wording(problem: &Problem) -> (String, Vec<String>) {
    match problem {
        Problem::Disagrees(compared) => (
            format!("`{}` disagrees", compared.field),
            vec![
                format!("expected: {}", compared.expected),
                format!("computed: {}", computed(compared)),
                format!("tolerance: {}", allowed(compared.allowed)),
            ],
        ),
        Problem::UnknownField { method, field, known } => (
            format!("`{field}` was not checked: method `{method}` has no such field"),
            vec![format!("hint: its fields are {}", known.join(", "))],
        ),
        Problem::Unchecked(cause) => {
            (format!("was not checked: {cause}"), vec![format!("hint: {}", hint(cause))])
        }
        Problem::Malformed(malformed) => (
            format!(
                "element {}, line {}: {}",
                malformed.position, malformed.line, malformed.message
            ),
            vec![
                "hint: an element is an object with id, method, inputs, expected, tol, source"
                    .to_owned(),
            ],
        ),
    }
}

fn hint(cause: &Unchecked) -> String {
    let hint = match cause {
        Unchecked::UnknownMethod(_) => "`reportgen selfcheck` lists the methods that there are",
        Unchecked::UnfitInputs(method) => {
            let names = reference::input_names(method).join(", ");
            return format!("a shipped vector of this method has the inputs {names}");
        }
        Unchecked::NotFinite { .. } => "give numbers, or leave the vector out",
        Unchecked::NoTolerance(_) => "write {\"abs\": …}, {\"rel\": …}, or {\"exact\": true}",
        Unchecked::NothingExpected => "name at least one field and its value",
    };
    hint.to_owned()
}

fn allowed(Allowed { abs, rel }: Allowed) -> String {
    match (abs > 0.0, rel > 0.0) {
        (true, true) => format!("{abs} or {rel} of the expected value, whichever is larger"),
        (false, true) => format!("{rel} of the expected value"),
        (true, false) => abs.to_string(),
        (false, false) => "none: equal".to_owned(),
    }
}

/// What this program computes: one number beside one, else a list. `null` stands for none and text
/// for infinities, which JSON does not have.
fn computed(compared: &Compared) -> Value {
    let number = |value: &f64| match value {
        value if value.is_nan() => Value::Null,
        value if value.is_infinite() => Value::from(value.to_string()),
        value => Value::from(*value),
    };
    match compared.computed.as_slice() {
        [one] if !compared.expected.is_array() && !compared.expected.is_object() => number(one),
        several => several.iter().map(number).collect(),
    }
}

fn wire(summary: &ReferenceSummary, passed: bool) -> Value {
    let VectorCounts { vectors, agreed, disagreed, not_checked } = summary.totals();
    json!({
        "schema": SCHEMA,
        "passed": passed,
        "totals": {
            "methods": summary.methods.len(),
            "vectors": vectors,
            "agreed": agreed,
            "disagreed": disagreed,
            "not_checked": not_checked,
            "malformed": summary.malformed(),
        },
        "methods": summary.methods.iter().map(wire_method).collect::<Vec<_>>(),
        "problems": summary.problems.iter().map(wire_problem).collect::<Vec<_>>(),
    })
}

fn wire_method((name, method): (&String, &MethodSummary)) -> Value {
    let VectorCounts { vectors, agreed, disagreed, not_checked } = method.tally;
    json!({
        "method": name,
        "vectors": vectors,
        "agreed": agreed,
        "disagreed": disagreed,
        "not_checked": not_checked,
        "largest_absolute_error": method.absolute,
        "largest_relative_error": method.relative,
    })
}

fn wire_problem(entry: &ProblemEntry) -> Value {
    let (kind, field, compared, malformed) = match &entry.problem {
        Problem::Disagrees(compared) => ("disagrees", Some(&compared.field), Some(compared), None),
        Problem::UnknownField { field, .. } => ("unknown-field", Some(field), None, None),
        Problem::Unchecked(_) => ("unchecked", None, None, None),
        Problem::Malformed(malformed) => ("malformed", None, None, Some(malformed)),
    };
    json!({
        "kind": kind,
        "file": entry.file,
        "id": entry.id,
        "field": field,
        "message": wording(&entry.problem).0,
        "expected": compared.map(|compared| &compared.expected),
        "computed": compared.map(computed),
        "tolerance": compared.map(|compared| compared.allowed),
        "position": malformed.map(|malformed| malformed.position),
        "line": malformed.map(|malformed| malformed.line),
        "source": entry.source,
    })
}
