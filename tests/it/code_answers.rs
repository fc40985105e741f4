//! Answers that are code, as a page of samples shows them.

use serde_json::json;

use crate::command::reportgen;
use crate::directory::Directory;

const CODE: &str = "def f(n):\n    total = 1\n\n    return total < n and [n]\n";

fn page(answers: [&str; 2]) -> String {
    let record = |answer: &str, correct: u8| {
        format!("{}\n", json!({"id": "a", "prompt": "p", "answer": answer, "correct": correct}))
    };
    let directory = Directory::of([
        ("a/samples.jsonl", record(answers[0], 1)),
        ("b/samples.jsonl", record(answers[1], 0)),
    ]);
    let runs = ["a", "b"].map(|run| directory.word(run));
    reportgen(["samples", &runs[0], &runs[1], "--format", "html", "--lang", "en"]).out
}

/// The elements of the first answer, and its text as a browser copies it.
fn first_answer(page: &str) -> (String, String) {
    let (_, from) = page.split_once("data-field=\"answer\">\n").expect("an answer");
    let (html, _) = from.split_once("</pre>").expect("its end");
    let texts = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    let text = texts.collect::<String>().replace("&lt;", "<").replace("&gt;", ">");
    (html.to_owned(), text.replace("&amp;", "&"))
}

#[test]
fn lines_of_code_are_elements_with_numbers_and_the_text_is_what_the_model_wrote() {
    let changed = CODE.replace("= 1", "= 2");
    let (html, text) = first_answer(&page([CODE, &changed]));
    assert_eq!(text, CODE);
    assert_eq!(html.matches("<span").count(), 4, "{html}");
    assert!(html.starts_with("<span class=\"first\">def f(n):</span>\n<span>"), "{html}");
    assert!(html.contains("<del>1</del></span>\n"), "a mark stands within its line: {html}");
}

#[test]
fn prose_has_no_numbers_and_code_in_fences_begins_with_one() {
    let prose = "First we add.\nThen we see: it is 7.\nSo the answer is 7.";
    assert_eq!(first_answer(&page([prose, "8"])).0, prose);
    let fenced = format!("We write\n```python\n{CODE}```\nDone.");
    let (html, text) = first_answer(&page([&fenced, "8"]));
    assert_eq!(text, fenced);
    assert!(html.starts_with("We write\n```python\n<span class=\"first\">def"), "{html}");
    assert!(html.ends_with("</span>\n```\nDone."), "{html}");
}
