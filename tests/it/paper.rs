//! Tables and figures for papers: what stands in them, and that they compile where a compiler is.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::command::reportgen;
use crate::directory::Directory;

/// Two models on two datasets, of which the second is better on the first alone.
fn runs(better: usize) -> Directory {
    let samples = |right: &dyn Fn(usize) -> bool| {
        ["gsm_8k", "m&m [x]"].iter().enumerate().fold(String::new(), |mut text, (set, dataset)| {
            for id in 0..200 {
                let correct = u8::from(right(id) && (set == 1 || id % 5 > 0) || id % 7 == 0);
                let _ = writeln!(
                    text,
                    "{{\"id\": \"{dataset}-{id}\", \"dataset\": \"{dataset}\", \"correct\": {correct}}}"
                );
            }
            text
        })
    };
    let base = samples(&|id| id % 2 == 0);
    let tuned = samples(&|id| id % 2 == 0 || id % 10 < better);
    Directory::of([("base/samples.jsonl", base), ("50%_tuned/samples.jsonl", tuned)])
}

fn drawn(directory: &Directory, format: &str) -> String {
    let [base, tuned, out] = ["base", "50%_tuned", "out"].map(|below| directory.word(below));
    let ended = reportgen(["compare", &base, &tuned, "-o", &out, "--format", format]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let file = if format == "latex" { "out/report.tex" } else { "out/report.typ" };
    directory.read(file)
}

#[test]
fn differences_are_bold_where_they_are_established_and_texts_are_escaped() {
    let directory = runs(8);
    let latex = drawn(&directory, "latex");
    for expected in [
        "% reportgen compare: ",
        "% \\usepackage{booktabs,graphicx,tikz}",
        "\\caption{50\\%\\_tuned against base}",
        "correct & gsm\\_8k & 200 &",
        "correct & mean of 2 datasets &",
        "Means weigh every dataset alike",
        "correct & m\\&m [x] & 200 &",
        "\\textbf{+",
        "Bold: established with at most a 5\\% chance",
        "McNemar",
        "\\begin{tikzpicture}",
    ] {
        assert!(latex.contains(expected), "{expected}:\n{latex}");
    }
    let typst = drawn(&directory, "typst");
    for expected in ["// reportgen compare: ", "strong(\"+", "[#\"m&m [x]\"]", "circle(radius: "] {
        assert!(typst.contains(expected), "{expected}:\n{typst}");
    }
    assert!(
        typst.contains("[#[#set text(size: 0."),
        "a table of eight columns is set smaller: {typst}"
    );
    let equal = drawn(&runs(0), "latex");
    assert!(
        !equal.contains("\\textbf{") && equal.contains("No difference is established"),
        "{equal}"
    );
}

#[test]
fn a_report_of_another_kind_gives_its_tables() {
    let directory = Directory::of([("reportgen.toml", "")]);
    let out = directory.word("out.tex");
    let ended = reportgen(["best", "fixtures/best", "-o", &out, "--format", "latex"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let latex = directory.read("out.tex");
    assert!(latex.contains("\\toprule") && latex.starts_with("% reportgen best"), "{latex}");
}

fn assert_compiles(program: &str, arguments: &[&str], directory: &Path) {
    let ended = Command::new(program).args(arguments).current_dir(directory).output();
    let ended = ended.expect("starts");
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(ended.status.success(), "{said}\n{}", String::from_utf8_lossy(&ended.stderr));
}

#[test]
#[ignore = "needs pdflatex, from texlive-latex-base and texlive-pictures"]
fn latex_compiles_it() {
    let directory = runs(8);
    drawn(&directory, "latex");
    let main = "\\documentclass{article}\\usepackage{booktabs,tikz}\n\\begin{document}\n\
                \\input{report}\n\\end{document}\n";
    directory.write("out/main.tex", main);
    let arguments = ["-interaction=nonstopmode", "-halt-on-error", "main.tex"];
    assert_compiles("pdflatex", &arguments, &directory.path("out"));
}

#[test]
#[ignore = "needs Python with the package typst"]
fn typst_compiles_it() {
    let directory = runs(8);
    drawn(&directory, "typst");
    let code = "import typst; typst.compile('report.typ', output='report.pdf')";
    assert_compiles("python3", &["-c", code], &directory.path("out"));
}

#[test]
fn tables_of_another_kind_are_not_replaced() {
    let directory = runs(12);
    for (format, name) in [("latex", "r.tex"), ("typst", "r.typ")] {
        let path = directory.word(name);
        let write = |kind: &str| {
            let runs = ["base", "50%_tuned"].map(|run| directory.word(run));
            reportgen([kind, &runs[0], &runs[1], "--format", format, "-o", &path])
        };
        assert_eq!(write("compare").status, 0, "{format}");
        let other = write("check");
        assert_eq!(other.status, 2, "{format}: {}", other.err);
        assert!(other.err.contains("compare"), "{}", other.err);
        assert_eq!(write("compare").status, 0, "{format}");
    }
}
