//! What the documents list of codes and fields, against what the program has.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use reportgen::diag::{Code, Effect};
use reportgen::text::Catalogue;
use serde_json::Value;

use crate::command::reportgen;
use crate::directory::Directory;

const FORMATS: &str = "docs/formats.md";
/// Objects whose keys come from the runs.
const FREE: [&str; 8] =
    ["facts", "config", "dims", "evidence", "subject", "values", "errors_by_type", "errors"];

fn formats() -> String {
    fs::read_to_string(FORMATS).expect(FORMATS)
}

/// The words that stand in backticks in a text.
fn quoted(text: &str) -> BTreeSet<&str> {
    let spans = text.split('`').skip(1).step_by(2);
    spans.flat_map(|span| span.split(|c: char| !c.is_alphanumeric() && c != '_')).collect()
}

#[test]
fn the_table_of_codes_has_every_code_in_order_with_title_severity_and_effect() {
    let text = formats();
    let rows = text.lines().skip_while(|line| !line.starts_with("| code | title |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let found: Vec<Vec<&str>> =
        rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect();
    let mut codes = Code::ALL.to_vec();
    codes.sort_by_key(|code| code.id());
    let ids: Vec<&str> = found.iter().map(|row| row[0].trim_matches('`')).collect();
    assert_eq!(ids, codes.iter().map(|code| code.id()).collect::<Vec<_>>());
    for (row, code) in found.iter().zip(codes) {
        let title = Catalogue::english().find(&format!("diagnostic.{code}.title"));
        let effect = match code.effect() {
            Effect::None => "–",
            Effect::Confounds => "confounds",
            Effect::Blocks => "blocks",
        };
        let severity = format!("{:?}", code.severity()).to_lowercase();
        assert_eq!(Some(row[1]), title, "{code}");
        assert!(row[2].split(" or ").any(|one| one == severity), "{code} is a {severity}: {row:?}");
        assert_eq!(row[3], effect, "{code}");
    }
}

/// Every golden of `report.json`.
fn reports() -> Vec<Value> {
    let cases = fs::read_dir("fixtures/cases").expect("cases").filter_map(Result::ok);
    let files =
        cases.flat_map(|case| ["out/report.json", "stdout"].map(|name| case.path().join(name)));
    let mut files: Vec<PathBuf> = files.filter(|path| path.exists()).collect();
    files.sort();
    let texts = files.iter().filter_map(|path| fs::read_to_string(path).ok());
    let parsed = texts.filter_map(|text| serde_json::from_str::<Value>(&text).ok());
    parsed.filter(|one| one["schema"] == "reportgen.report/2").collect()
}

/// The names of fields below a value, those apart that come from the runs.
fn fields(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, below) in object {
                found.insert(name.clone());
                if !FREE.contains(&name.as_str()) {
                    fields(below, found);
                }
            }
        }
        Value::Array(list) => {
            for one in list {
                fields(one, found);
            }
        }
        _ => {}
    }
}

/// Kinds of reports that the section `report.json` describes; other kinds have a section each.
const OF_ARMS: [&str; 3] = ["compare", "check", "phase"];

fn section<'a>(text: &'a str, title: &str) -> &'a str {
    let rest = text.split(&format!("\n## {title}\n")).nth(1).expect("a section");
    rest.split("\n## ").next().expect("its end")
}

/// The words in backticks below the heading of one part of a report; the table of all parts for a
/// part without a heading. Of a kind with a section of its own, those of that section.
fn described<'a>(text: &'a str, kind: &str, part: &str) -> BTreeSet<&'a str> {
    if !OF_ARMS.contains(&kind) && part != "findings" {
        return quoted(section(text, kind));
    }
    let report = section(text, "report.json");
    let headings = [format!("`{part}[]`"), format!("`{part}`")];
    let mut below = report.split("\n### ");
    let table = below.next().expect("the table of all parts");
    let own = below.find(|section| headings.iter().any(|heading| section.starts_with(heading)));
    quoted(own.unwrap_or(table))
}

#[test]
fn every_field_of_a_report_is_described_in_its_section() {
    let text = formats();
    let elsewhere = described(&text, "compare", "comparisons");
    let mut silent = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for report in reports() {
        let kind = report["kind"].as_str().expect("a kind");
        for (part, value) in report.as_object().expect("a report") {
            let own = described(&text, kind, part);
            let entries = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            for entry in entries.iter().filter_map(Value::as_object) {
                for (name, below) in entry {
                    let mut deeper = BTreeSet::new();
                    if !FREE.contains(&name.as_str()) {
                        fields(below, &mut deeper);
                    }
                    let lacks = |name: &String| !own.contains(name.as_str());
                    let unknown = deeper
                        .iter()
                        .filter(|name| lacks(name) && !elsewhere.contains(name.as_str()));
                    let names = unknown.chain(Some(name).filter(|name| lacks(name)));
                    silent.extend(names.map(|name| format!("{kind}, {part}: {name}")));
                    seen.extend(deeper);
                    seen.insert(name.clone());
                }
            }
        }
    }
    assert!(seen.len() > 150, "only {} fields: are the golden reports still there?", seen.len());
    assert!(silent.is_empty(), "{FORMATS} does not describe {silent:?}");
}

#[test]
fn the_columns_of_a_table_of_results_are_described_in_their_order() {
    let text = formats();
    let section = text.split("\n## report.csv\n").nth(1).expect("a section");
    let rows = section.lines().skip_while(|line| !line.starts_with("| columns |")).skip(2);
    let cells =
        rows.take_while(|line| line.starts_with('|')).filter_map(|row| row.split('|').nth(1));
    let described = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let described: Vec<&str> = ["metric", "dataset"].into_iter().chain(described).collect();
    let table = fs::read_to_string("fixtures/cases/kl_beta_as_csv/stdout").expect("a golden");
    let header = table.lines().next().expect("a header");
    let columns = header.split(',').filter(|name| !name.starts_with("dim."));
    assert_eq!(columns.collect::<Vec<_>>(), described);
}

/// What the README quotes of the program, quotations and tables of reports, and what a terminal shows
/// in the section of the guide about comparability.
fn quotations<'t>(readme: &'t str, guide: &'t str) -> Vec<&'t str> {
    let shown = section(readme, "What it says");
    let shown = shown.lines().filter(|line| line.starts_with("> ") || line.starts_with('|'));
    let terminal = section(guide, "May they be compared?");
    let terminal = terminal.split("```text\n").nth(1).expect("a terminal").split("```");
    let terminal = terminal.take(1).flat_map(str::lines).filter(|line| !line.starts_with("wrote"));
    shown.map(|line| line.trim_start_matches("> ")).chain(terminal).collect()
}

#[test]
fn what_the_readme_quotes_is_what_the_program_writes() {
    let (kl, phases) = ("fixtures/kl_beta/kl-", "fixtures/phases/phase");
    let [kl_from, kl_to] = ["0.15", "0.12"].map(|run| format!("{kl}{run}"));
    let [from, to] = ["0", "1"].map(|run| format!("{phases}{run}"));
    let gate = ["--fail-on", "regression"];
    let out = Directory::new();
    let written = out.word("out");
    let mut lines = BTreeSet::new();
    for (words, options) in [
        (["compare", &kl_from, &kl_to], &["--vary", "kl_beta"][..]),
        (["compare", &to, &from], &gate),
        (["check", &kl_from, &kl_to], &["--vary", "kl_beta"]),
        (["check", &kl_from, &kl_to], &["--vary", "kl_beta", "-o", &written]),
    ] {
        let ended = reportgen([&words[..], options].concat());
        lines.extend(ended.out.lines().chain(ended.err.lines()).map(str::to_owned));
    }
    let readme = fs::read_to_string("README.md").expect("README.md");
    let guide = fs::read_to_string("docs/guide.md").expect("the guide");
    let quotations = quotations(&readme, &guide);
    assert!(quotations.len() > 10, "only {} quotations", quotations.len());
    let unknown: Vec<&str> = quotations.into_iter().filter(|line| !lines.contains(*line)).collect();
    assert!(unknown.is_empty(), "not written by the program:\n{}", unknown.join("\n"));
}
