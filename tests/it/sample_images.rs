//! `--images`: which images that records name a page shows, and which it never does.

use std::os::unix::fs::symlink;
use std::process::Command;

use serde_json::{Value, json};

use crate::command::{Ended, reportgen};
use crate::directory::Directory;

/// The beginning of an image of that width, told from others by its end.
fn png_of(width: u32, content: &str) -> Vec<u8> {
    let head = [&b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"[..], &width.to_be_bytes(), &[0, 0, 0, 1]];
    [&head.concat()[..], content.as_bytes()].concat()
}

fn png(content: &str) -> Vec<u8> {
    png_of(1, content)
}

/// As it stands in a page. `base64` of coreutils 9.1 writes the same.
fn shown_as(content: &str) -> String {
    let end = match content {
        "one" => "IG9uZQ==",
        "two" => "IHR3bw==",
        _ => unreachable!("{content}"),
    };
    format!("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB{end}")
}

/// Two runs of one sample each, which went wrong and of which each record has these fields.
fn runs(fields: &Value) -> Directory {
    let record = |correct: u8| {
        let mut record =
            json!({"id": "a", "prompt": "What is it?", "response": "It.", "correct": correct});
        let more = fields.as_object().expect("fields").clone();
        record.as_object_mut().expect("a record").extend(more);
        format!("{record}\n")
    };
    Directory::of([("runs/a/samples.jsonl", record(1)), ("runs/b/samples.jsonl", record(0))])
}

fn page(runs: &Directory, more: &[&str]) -> Ended {
    let [a, b] = ["runs/a", "runs/b"].map(|run| runs.word(run));
    let words = ["samples", &a, &b, "--images", "--format", "html", "--lang", "en"];
    reportgen(words.iter().chain(more).copied())
}

fn images(page: &Ended) -> usize {
    page.out.matches("<img ").count()
}

#[test]
fn an_image_that_every_record_names_is_shown_once_and_others_with_their_answers() {
    let directory = runs(&json!({"image": "shared.png", "doc": {"drawn": ["own.png"]}}));
    for (path, content) in [
        ("runs/a/shared.png", " one"),
        ("runs/b/shared.png", " one"),
        ("runs/a/own.png", " one2"),
        ("runs/b/own.png", " two"),
    ] {
        directory.write(path, png(content));
    }
    let page = page(&directory, &[]);
    assert_eq!((page.status, images(&page)), (0, 3), "{}", page.err);
    assert!(page.out.contains("3 images shown."), "{}", page.out);
    let shared = format!("<img src=\"{}\" alt=\"shared.png\"", shown_as("one"));
    assert_eq!(page.out.matches(&shared).count(), 1, "{}", page.out);
    let (before, answers) = page.out.split_once("<div class=\"sides\">").expect("answers");
    assert!(before.contains(&shared) && !answers.contains(&shared));
    assert!(answers.contains(&shown_as("two")) && answers.contains("doc.drawn"));
}

#[test]
fn a_path_is_looked_for_beside_the_record_then_in_the_run_then_as_it_stands() {
    for (path, file) in [
        ("x.png", "runs/a/deep/x.png"),
        ("deep/x.png", "runs/a/deep/x.png"),
        ("../x.png", "runs/a/x.png"),
        ("ABSOLUTE", "runs/a/x.png"),
    ] {
        let directory = runs(&json!({}));
        let path = path.replace("ABSOLUTE", &directory.word(file));
        let record = json!({"id": "a", "prompt": "p", "correct": 1, "image": path});
        std::fs::remove_file(directory.path("runs/a/samples.jsonl")).expect("removed");
        directory.write("runs/a/deep/samples.jsonl", format!("{record}\n"));
        directory.write(file, png(" one"));
        let page = page(&directory, &[]);
        assert_eq!(images(&page), 1, "{path}: {}", page.out);
    }
}

#[test]
fn what_is_no_small_image_within_the_run_is_counted_and_not_shown() {
    for (path, reason) in [
        ("gone.png", "1 not there (gone.png)"),
        ("markup.png", "1 that is no PNG, JPEG, GIF or WebP (markup.png)"),
        ("empty.png", "1 that is no PNG, JPEG, GIF or WebP (empty.png)"),
        ("directory.png", "1 that is no PNG, JPEG, GIF or WebP (directory.png)"),
        ("large.png", "1 of more than 256 KB or 8192 pixels a side (large.png)"),
        ("wide.png", "1 of more than 256 KB or 8192 pixels a side (wide.png)"),
        ("pipe.png", "1 that is no PNG, JPEG, GIF or WebP (pipe.png)"),
        ("device.png", "1 outside of the run"),
        ("link.png", "1 outside of the run"),
        ("linked/secret.png", "1 outside of the run"),
        ("../../private/secret.png", "1 outside of the run"),
        ("PRIVATE/secret.png", "1 outside of the run"),
        ("https://example.org/x.png", "1 on a network, of which nothing is asked (x.png)"),
    ] {
        let directory = runs(&json!({}));
        let path = path.replace("PRIVATE", &directory.word("private"));
        let record = json!({"id": "a", "prompt": "p", "correct": 0, "image": path});
        directory.write("runs/b/samples.jsonl", format!("{record}\n"));
        directory.write("private/secret.png", png(" two"));
        directory.write("runs/b/markup.png", "<svg onload=\"alert(1)\"></svg>");
        directory.write("runs/b/empty.png", "");
        directory.write("runs/b/directory.png/x", "");
        directory.write("runs/b/large.png", png(&"x".repeat(256 << 10)));
        directory.write("runs/b/wide.png", png_of(8193, " one"));
        for (link, target) in [
            ("link.png", directory.path("private/secret.png")),
            ("linked", directory.path("private")),
            ("device.png", "/dev/zero".into()),
        ] {
            symlink(target, directory.path("runs/b").join(link)).expect("a link");
        }
        let pipe = Command::new("mkfifo").arg(directory.path("runs/b/pipe.png")).status();
        assert!(pipe.expect("mkfifo").success());
        let page = page(&directory, &[]);
        assert_eq!((page.status, images(&page)), (0, 0), "{path}: {}", page.err);
        assert!(page.out.contains(&format!("0 images shown. Not shown: {reason}")), "{path}");
    }
}

#[test]
fn a_directory_of_the_user_opens_what_lies_outside_and_strangers_lose_their_links() {
    let directory = runs(&json!({"image": "../../private/x.png", "other": "link.png"}));
    directory.write("private/x.png", png(" one"));
    directory.write("runs/a/inner.png", png(" two"));
    symlink(directory.path("runs/a/inner.png"), directory.path("runs/a/link.png")).expect("a link");
    let root = directory.word("private");
    assert_eq!(images(&page(&directory, &[])), 1);
    let opened = page(&directory, &["--data-root", &root]).out;
    assert!(opened.contains(&shown_as("one")) && opened.contains(&shown_as("two")));
    let of_stranger = page(&directory, &["--data-root", &root, "--untrusted"]).out;
    assert!(of_stranger.contains(&shown_as("one")) && !of_stranger.contains(&shown_as("two")));
}

#[test]
fn redacting_the_field_that_names_an_image_or_one_above_it_hides_the_image() {
    let directory = runs(&json!({"doc": {"image": "x.png"}, "other": "y.png"}));
    for run in ["a", "b"] {
        directory.write(format!("runs/{run}/x.png"), png(" one"));
        directory.write(format!("runs/{run}/y.png"), png(" two"));
    }
    assert_eq!(images(&page(&directory, &[])), 2);
    for field in ["doc", "doc.image"] {
        let page = page(&directory, &["--redact", field]);
        assert!(page.out.contains(&shown_as("two")), "{field}: {}", page.err);
        assert!(!page.out.contains(&shown_as("one")) && !page.out.contains("x.png"), "{field}");
        assert!(page.out.contains("1 left out by `--redact`"), "{field}");
    }
    let spoken = runs(&json!({"prompt": [{"role": "user", "content": [{"image": "x.png"}]}]}));
    for run in ["a", "b"] {
        spoken.write(format!("runs/{run}/x.png"), png(" one"));
    }
    assert_eq!(images(&page(&spoken, &[])), 1);
    assert_eq!(images(&page(&spoken, &["--redact", "prompt"])), 0);
}

#[test]
fn a_page_has_room_for_some_images_and_says_how_many_it_leaves_out() {
    let directory = Directory::new();
    for (run, correct) in [("a", 1), ("b", 0)] {
        let record = |at: usize| {
            directory.write(
                format!("runs/{run}/{at}.png"),
                png(&format!("{at:02}{}", "0".repeat(199_990))),
            );
            format!("{}\n", json!({"id": at, "correct": correct, "image": format!("{at}.png")}))
        };
        let records: String = (0..20).map(record).collect();
        directory.write(format!("runs/{run}/samples.jsonl"), records);
    }
    let made = page(&directory, &[]);
    // Of 1.8 MB, 6 images of 200,000 bytes each in base64 leave no room for a seventh.
    assert_eq!(images(&made), 6);
    assert!(made.out.contains("6 images shown. Not shown: 14 for which the page has no room"));
    assert!(made.out.len() < 2_000_000, "{}", made.out.len());
    assert_eq!(images(&page(&directory, &["--show", "20"])), 20);
}

#[test]
fn names_of_files_are_text_and_images_need_a_page() {
    let name = "\" onerror=alert(1) <b>.png";
    let directory = runs(&json!({ "image": name }));
    directory.write(format!("runs/a/{name}"), png(" one"));
    let page = page(&directory, &[]);
    assert_eq!(images(&page), 1);
    assert!(page.out.contains("alt=\"&quot; onerror=alert(1) &lt;b&gt;.png\""), "{}", page.out);
    let [a, b] = ["runs/a", "runs/b"].map(|run| directory.word(run));
    for words in
        [&["samples", &a, &b, "--images"][..], &["compare", &a, &b, "--samples", "1", "--images"]]
    {
        let ended = reportgen(words.iter().copied());
        assert_eq!(ended.status, 2, "{words:?}");
        assert!(ended.err.contains("--format html"), "{}", ended.err);
    }
    let compared = ["compare", &a, &b, "--samples", "1", "--images", "--format", "html"];
    assert_eq!(images(&reportgen(compared)), 1);
    let without = ["samples", &a, &b, "--format", "html"];
    assert_eq!(images(&reportgen(without)), 0);
}

#[test]
fn the_card_of_an_image_that_is_not_shown_says_why_unless_it_was_redacted() {
    let directory = runs(&json!({"image": "gone.png"}));
    let page_of = |more: &[&str]| page(&directory, more).out;
    let note = "image not shown: gone.png (no such file)";
    assert!(page_of(&[]).contains(note));
    assert!(!page_of(&["--redact", "image"]).contains("gone.png"));
}
