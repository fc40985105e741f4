//! What tells two texts apart, for the message of a test.

use similar::TextDiff;

/// The unified diff of what a test expected and what it found; `None` where they are equal.
pub(crate) fn difference(expected: &str, found: &str) -> Option<String> {
    let diff = TextDiff::from_lines(expected, found);
    let shown = diff.unified_diff().header("expected", "found").to_string();
    (expected != found).then_some(shown)
}

/// Fails with the whole difference.
#[track_caller]
pub(crate) fn assert_same(expected: &str, found: &str) {
    let difference = difference(expected, found);
    assert!(difference.is_none(), "\n{}", difference.unwrap_or_default());
}

#[test]
fn a_difference_is_shown_whole_and_equal_texts_have_none() {
    assert_eq!(difference("a\nb\n", "a\nb\n"), None);
    let expected = "--- expected\n+++ found\n@@ -1,3 +1,3 @@\n-a\n+x\n b\n-c\n+z\n";
    assert_eq!(difference("a\nb\nc\n", "x\nb\nz\n").as_deref(), Some(expected));
    assert!(difference("a", "a\n").is_some_and(|shown| shown.contains("No newline")));
}
