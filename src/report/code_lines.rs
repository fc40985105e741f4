//! Which lines of an answer are code.
//!
//! Between fences all are; without any, those of a text that is code as a whole. Prose that holds a line
//! or two of code is none.

/// What lines of code begin with that prose does not.
const BEGINNINGS: [&str; 22] = [
    "import ",
    "from ",
    "def ",
    "class ",
    "return ",
    "for ",
    "while ",
    "if ",
    "elif ",
    "else:",
    "#include",
    "using ",
    "int ",
    "void ",
    "public ",
    "private ",
    "func ",
    "fn ",
    "let ",
    "const ",
    "var ",
    "function ",
];

/// What lines of code end with that those of prose rarely do.
const ENDS: [char; 6] = ['{', '}', ';', ':', ')', ']'];

/// A text of fewer lines needs no numbers.
const FEWEST: usize = 3;

/// For each line of a text, what it is as code: its number within its block, counted from 1, or `None`.
pub fn code_lines(text: &str) -> Vec<Option<usize>> {
    let lines: Vec<&str> = text.split('\n').collect();
    let fences = lines.iter().filter(|line| is_fence(line)).count();
    if fences == 0 {
        let is_code = lines.len() >= FEWEST && is_code(&lines);
        // What stands behind the last line break is no line.
        let last = text.trim_end_matches('\n').matches('\n').count() + 1;
        return (1..=lines.len()).map(|at| (is_code && at <= last).then_some(at)).collect();
    }
    let mut within = None;
    let number = |line: &&str| {
        if is_fence(line) {
            within = if within.is_some() { None } else { Some(0) };
            return None;
        }
        within = within.map(|at| at + 1);
        within
    };
    lines.iter().map(number).collect()
}

fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

/// Whether three of four lines look like code, and one begins as only code does.
fn is_code(lines: &[&str]) -> bool {
    let written: Vec<&str> = lines.iter().copied().filter(|line| !line.trim().is_empty()).collect();
    let begins = |line: &&&str| BEGINNINGS.iter().any(|word| line.trim_start().starts_with(word));
    let looks = |line: &&&str| {
        begins(line)
            || line.starts_with([' ', '\t'])
            || line.trim_start().starts_with(['#', '/', '@'])
            || line.trim_end().ends_with(ENDS)
            || line.contains(" = ")
    };
    let some = |line: &&&str| {
        begins(line)
            && (line.trim_end().ends_with(ENDS) || line.trim_start().starts_with("import "))
    };
    written.iter().any(|line| some(&line))
        && written.iter().filter(looks).count() * 4 >= written.len() * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_code_are_numbered_and_those_of_prose_are_not() {
        let cases: [(&str, &[usize]); 8] = [
            ("def f(x):\n    y = x + 1\n\n    return y", &[1, 2, 3, 4]),
            (
                "from typing import List\n\n\ndef f(a: List[int]) -> int:\n    return sum(a)\n",
                &[1, 2, 3, 4, 5, 0],
            ),
            ("#include <cstdio>\nint main() {\n  return 0;\n}", &[1, 2, 3, 4]),
            (
                "Let me see:\n```python\na = 1\nb = 2\n```\nand\n```\nc\n```\n",
                &[0, 0, 1, 2, 0, 0, 0, 1, 0, 0],
            ),
            (
                "We add the parts;\nthen (as before):\nfor each one we get 5.\nSo it is 7.",
                &[0, 0, 0, 0],
            ),
            ("if it rains, he stays.\nif not, he goes.\nThe answer is 4.", &[0, 0, 0]),
            ("Step 1: 3 + 4 = 7\nStep 2: 7 * 2 = 14\nAnswer: 14", &[0, 0, 0]),
            ("return x;", &[0]),
        ];
        for (text, expected) in cases {
            let found: Vec<usize> =
                code_lines(text).into_iter().map(|at| at.unwrap_or(0)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
