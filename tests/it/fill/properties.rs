//! What holds of any document.

use proptest::prelude::*;

use super::Desk;

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

/// Line, cell and what stood there, of the cells that were filled.
fn filled_cells(out: &str) -> Vec<(usize, usize, String)> {
    let lines = out.lines().filter(|line| line.starts_with("  L") && line.contains(" → "));
    let of = |line: &str| {
        let (place, rest) = line.trim_start().split_once("  ")?;
        let (line, column) = place.strip_prefix('L')?.split_once(" c")?;
        let (before, _) = rest.split_once(" → ")?;
        Some((line.parse().ok()?, column.parse().ok()?, before.to_owned()))
    };
    lines.map(|line| of(line).expect("a line of the list")).collect()
}

/// A row with another cell, counted from 1 behind the sign of a quote and the first bar.
fn with_cell(row: &str, column: usize, words: &str) -> String {
    let masked = row.replace("\\|", "\u{1}");
    let mut parts: Vec<&str> = masked.split('|').collect();
    parts[column] = words;
    parts.join("|").replace('\u{1}', "\\|")
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
        // What the list says of each cell, undone, gives the document back.
        let ended = desk.fill(document.as_bytes(), &["--partial", "--adopt-orphans"]);
        let mut undone: Vec<String> = filled.split_inclusive('\n').map(str::to_owned).collect();
        for (line, column, before) in filled_cells(&ended.out) {
            undone[line - 1] = with_cell(&undone[line - 1], column, &before);
        }
        let plain = |text: &str| text.replace(' ', "");
        prop_assert_eq!(plain(&undone.concat()), plain(&document));
    }
}
