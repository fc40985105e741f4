//! What holds of any document.

use std::process::Command;

use proptest::prelude::*;

use super::Desk;
use crate::directory::Directory;

/// Pieces of which documents are made, tables among them.
fn documents() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        Just(
            "| Model | gsm8k | math |\n|:--|--:|---|\n| base | ? | **?** |\n| tuned |  ?  | ？ |\n\n"
        ),
        Just(
            "> | 数据集 | base | tuned | Δ |\n> |-|-|-|-|\n> | gsm8k 📈 | ? | ? | ? |\n> | math | ? | ? | ? |\n\n"
        ),
        Just("- x\n\n  | Model | gsm8k |\n  |-|-|\n  | base | ?/2 |\n\n"),
        Just("# gsm8k\n\n"),
        Just("## base\n"),
        Just("| a \\| b | gsm8k |\n|-|-|\n| tuned | ? |\n| x |\n\n"),
        Just("text ? | ? |\n"),
        Just("| base | ? |\n"),
        Just("```\n| Model | gsm8k |\n|-|-|\n| base | ? |\n```\n\n"),
        Just("<!-- reportgen:bind run=tuned dataset=math -->\n"),
        Just("| Metric | |\n|-|-|\n| accuracy | ? |\n\n"),
        Just("\r\n"),
        Just("|"),
        Just("|-|-|\n"),
        Just("**"),
        Just("\u{feff}"),
        Just("\\"),
    ];
    proptest::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

/// The document that a diff leads back to, by `git apply`.
fn undone(filled: &str, diff: &str) -> String {
    let desk = Directory::new();
    desk.write("doc.md", filled);
    let names = ["--- a/doc.md", "+++ b/doc.md"];
    let lines = diff.split_inclusive('\n').enumerate();
    let named =
        lines.map(|(at, line)| names.get(at).map_or(line.to_owned(), |name| format!("{name}\n")));
    desk.write("diff", named.collect::<String>());
    let git = Command::new("git")
        .args(["apply", "--reverse", "--whitespace=nowarn", "diff"])
        .current_dir(desk.path(""))
        .output()
        .expect("git");
    assert!(git.status.success(), "{}\n{diff}", String::from_utf8_lossy(&git.stderr));
    desk.read("doc.md")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn only_cells_that_ask_change(document in documents()) {
        let desk = Desk::new();
        let filled = desk.filled(&document, &["--partial", "--adopt-orphans"]);
        prop_assert_eq!(filled.lines().count(), document.lines().count());
        for (before, after) in document.lines().zip(filled.lines()) {
            prop_assert!(before == after || (before.contains('|') && before.contains(['?', '？'])));
            let cells = |line: &str| line.replace("\\|", "").matches('|').count();
            prop_assert_eq!(cells(before), cells(after), "{} became {}", before, after);
        }
        let again = desk.filled(&filled, &["--partial", "--adopt-orphans"]);
        prop_assert_eq!(&again, &filled);
    }

    #[test]
    fn the_diff_leads_back_to_every_byte(document in documents(), region in any::<bool>()) {
        // A diff shows the mark of byte order where it is one.
        let mark = if document.starts_with('\u{feff}') { "\u{feff}" } else { "" };
        let mut document = format!("{mark}{}", document.replace('\u{feff}', ""));
        if region {
            document += "\n<!-- reportgen:begin answer -->\nmine\n<!-- reportgen:end -->";
        }
        let (desk, choices) = (Desk::new(), ["--partial", "--adopt-orphans", "--refresh"]);
        let diff = desk.fill(document.as_bytes(), &[&choices[..], &["--diff"]].concat()).out;
        let filled = desk.filled(&document, &choices);
        prop_assert_eq!(diff.is_empty(), filled == document);
        let reversed = if diff.is_empty() { filled } else { undone(&filled, &diff) };
        prop_assert_eq!(reversed, document);
    }
}
