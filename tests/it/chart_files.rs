//! Charts as SVG files beside the Markdown of a report.

use std::collections::BTreeSet;
use std::fs;

use crate::command::{assert_said, compare};
use crate::directory::Directory;

const PHASES: [&str; 2] = ["fixtures/phases/phase0", "fixtures/phases/phase1"];

/// Names of the drawings beside a report.
fn drawings(out: &Directory) -> BTreeSet<String> {
    let entries = fs::read_dir(out.path("report.charts")).into_iter().flatten();
    entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect()
}

fn write(out: &Directory, more: &[&str]) {
    let target = out.root().to_string_lossy();
    let ended = compare(&PHASES, &[&["-o", &*target], more].concat());
    assert_eq!(ended.status, 0, "{}", ended.err);
}

#[test]
fn each_chart_is_a_file_that_the_document_shows_and_the_page_draws_alike() {
    let out = Directory::new();
    write(&out, &["--assets", "--format", "md,html"]);
    let (document, page) = (out.read("report.md"), out.read("report.html"));
    let images: Vec<&str> = document.lines().filter(|line| line.starts_with("![")).collect();
    let named = images.iter().map(|line| {
        let (text, file) = line.split_once("](report.charts/").expect("an image beside it");
        assert!(text.len() > "![".len(), "it says in words what it shows: {line}");
        file.trim_end_matches(')').to_owned()
    });
    assert_eq!(named.collect::<BTreeSet<_>>(), drawings(&out));
    assert!(!document.contains("```text"), "no chart is drawn twice");
    let drawn = page.split("<svg ").skip(1).map(|from| {
        let (_, from) = from.split_once("</desc>\n").expect("a description");
        from.split_once("</svg>").expect("an end").0
    });
    let drawn: Vec<&str> = drawn.collect();
    assert_eq!(drawn.len(), images.len());
    for (line, drawn) in images.iter().zip(drawn) {
        let file = line.rsplit_once('(').expect("a file").1.trim_end_matches(')');
        let text = out.read(file);
        assert!(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{file}");
        assert!(text.contains(drawn), "{file} shows what the page shows");
        for outside in ["http://", "https://", "url(", "@import"] {
            let namespace = usize::from(outside == "http://");
            assert_eq!(text.matches(outside).count(), namespace, "{file} asks nobody: {outside}");
        }
    }
}

#[test]
fn drawings_that_the_next_report_does_not_show_go_unless_somebody_edited_them() {
    let out = Directory::new();
    write(&out, &["--assets"]);
    assert!(drawings(&out).len() > 1);
    let edited = "report.charts/differences.svg";
    out.write(edited, "<svg>mine</svg>");
    write(&out, &[]);
    assert_eq!(drawings(&out), BTreeSet::from(["differences.svg".to_owned()]));
    assert_eq!(out.read(edited), "<svg>mine</svg>");
    assert!(!out.read("report.md").contains("report.charts"));
}

#[test]
fn where_no_document_goes_to_a_directory_drawings_beside_it_are_refused() {
    let out = Directory::new();
    let file = out.word("report.md");
    let directory = out.word("html");
    for more in [&[][..], &["-o", "-"], &["-o", &file], &["-o", &directory, "--format", "html"]] {
        let ended = compare(&PHASES, &[more, &["--assets"]].concat());
        assert_eq!(ended.status, 2, "{more:?}");
        assert_said(&ended.err, &["--assets", "add `-o DIR`"]);
    }
}

#[test]
fn what_is_written_without_the_document_leaves_its_drawings() {
    let out = Directory::new();
    write(&out, &["--assets"]);
    let before = drawings(&out);
    for format in ["html", "json", "html,csv"] {
        write(&out, &["--format", format]);
        assert_eq!(drawings(&out), before, "{format}");
    }
}

#[test]
fn a_drawing_of_somebody_is_replaced_only_by_force() {
    for is_edited in [true, false] {
        let out = Directory::new();
        if is_edited {
            write(&out, &["--assets"]);
        }
        let theirs = "report.charts/differences.svg";
        out.write(theirs, "<svg>mine</svg>");
        let target = out.root().to_string_lossy();
        let again =
            |more: &[&str]| compare(&PHASES, &[&["-o", &*target, "--assets"], more].concat());
        let refused = again(&[]);
        assert_eq!((refused.status, out.read(theirs).as_str()), (2, "<svg>mine</svg>"));
        assert_said(&refused.err, &[theirs, "--force"]);
        assert_eq!(again(&["--force"]).status, 0);
        assert!(out.read(theirs).contains("xmlns"));
    }
}
