//! Which lines of an answer are code.
//!
//! Between fences all are; without any, those of a text that is code as a whole: no line of it reads as
//! prose, and most have the signs of statements. In doubt a text is prose.

/// Words that stand next to others in code as well.
const KEYWORDS: &str = " and array as assert async auto await bool break byte case catch chan char class \
    const continue def default defer del do done double elif else end enum except export extends extern \
    final finally float fn for from func function global go goto if impl implements import in inline int \
    interface is lambda let local long loop match mod move mut namespace new nil none not null operator or \
    override package pass pragma private protected pub public raise range ref return self short signed \
    sizeof static std string struct super switch template then this throw throws trait try type typedef \
    typename union unsigned use using val var vector virtual void volatile where while with yield ";

/// A text of fewer lines needs no numbers.
const FEWEST: usize = 3;

/// For each line of a text, what it is as code: its number within its block, counted from 1, or `None`.
pub fn code_lines(text: &str) -> Vec<Option<usize>> {
    let lines: Vec<&str> = text.split('\n').collect();
    if !lines.iter().any(|line| is_fence(line)) {
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

/// What a line is by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Statement,
    Prose,
    /// Blank, a comment, a bracket or a part of a longer statement.
    Either,
}

fn is_code(lines: &[&str]) -> bool {
    let mut quoted = false;
    let kinds = lines.iter().map(|line| {
        let was_quoted = quoted;
        quoted ^= (line.matches("\"\"\"").count() + line.matches("'''").count()) % 2 == 1;
        if was_quoted || quoted { LineKind::Either } else { kind(line) }
    });
    let kinds: Vec<LineKind> = kinds.collect();
    let count = |wanted| kinds.iter().filter(|kind| **kind == wanted).count();
    let written = lines.iter().filter(|line| !line.trim().is_empty()).count();
    count(LineKind::Prose) == 0
        && count(LineKind::Statement) >= 2
        && count(LineKind::Statement) * 2 >= written
}

fn kind(line: &str) -> LineKind {
    let line = line.trim();
    let is_comment = ["#", "//", "/*", "*", "--", "@"].iter().any(|mark| line.starts_with(mark));
    if line.is_empty() || is_comment && !line.starts_with("#include") {
        return LineKind::Either;
    }
    let bare = without_quotes(line);
    if has_neighbouring_words(&bare)
        || bare.ends_with(['.', '?', '!'])
        || bare.contains(['。', '：', '，'])
    {
        return LineKind::Prose;
    }
    if is_statement(&bare) { LineKind::Statement } else { LineKind::Either }
}

/// The line without what stands in quotes, and without a comment behind it.
fn without_quotes(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut open = None;
    for c in line.chars() {
        match open {
            Some(quote) if c == quote => open = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'' | '`') => open = Some(c),
            None => out.push(c),
        }
    }
    let end = [" #", "//"].iter().filter_map(|mark| out.find(mark)).min();
    out.truncate(end.unwrap_or(out.len()));
    out.trim_end().to_owned()
}

/// Whether two words stand next to each other neither of which is a word of a language for programs, or a
/// number before its unit.
fn has_neighbouring_words(line: &str) -> bool {
    let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
    let is_known = |word: &str| KEYWORDS.contains(&format!(" {} ", word.to_lowercase()));
    let is_word = |word: &&str| {
        word.chars().count() > 1 && word.chars().all(char::is_alphabetic) && !is_known(word)
    };
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit() || c == '.');
    let is_unit = |word: &str| word.starts_with(char::is_alphabetic) && !is_known(word);
    words.windows(2).any(|two| two.iter().all(is_word) || is_number(two[0]) && is_unit(two[1]))
}

/// An assignment, a call, a declaration, the head or the end of a block.
fn is_statement(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or_default();
    let is_head = KEYWORDS.contains(&format!(" {first} "))
        && line.ends_with(['{', ':', ';', '}', ')'])
        || matches!(
            first,
            "import" | "from" | "return" | "#include" | "using" | "let" | "const" | "var"
        );
    let is_name = |text: &str| {
        let name = |c: char| {
            c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']' | ',' | ' ' | ':' | '*')
        };
        text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(name)
    };
    let is_assignment = line.split_once('=').is_some_and(|(left, right)| {
        let left = left.trim_end_matches(['+', '-', '*', '/', '%', '|', '&', ':']).trim_end();
        // A chain of equalities is mathematics.
        is_name(left) && !right.trim().is_empty() && !right.contains(" = ") && !left.contains(": ")
            || is_name(left) && right.starts_with('=')
    });
    let is_call = line.split_once('(').is_some_and(|(name, rest)| {
        is_name(name)
            && !name.ends_with(' ')
            && rest.trim_end_matches([';', '{', ':', ' ']).contains(')')
    });
    is_head || is_assignment || is_call || line.ends_with([';', '{', '}'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_code_are_numbered_and_those_of_prose_are_not() {
        let cases: [(&str, &[usize]); 18] = [
            ("def f(x):\n    y = x + 1\n\n    return y", &[1, 2, 3, 4]),
            (
                "from typing import List\n\n\ndef f(a: List[int]) -> int:\n    return sum(a)\n",
                &[1, 2, 3, 4, 5, 0],
            ),
            ("#include <cstdio>\nint main() {\n  return 0;\n}", &[1, 2, 3, 4]),
            (
                "n = int(input())\nb = sorted(a)\nfor x in b:\n    n += x\nprint(n)",
                &[1, 2, 3, 4, 5],
            ),
            (
                "def f():\n    \"\"\"Adds all the numbers.\n    Then stops.\n    \"\"\"\n    return 1\nprint(f())",
                &[1, 2, 3, 4, 5, 6],
            ),
            (
                "public static int f(int a) {\n    int b = a + 1; // one more of them\n    return b;\n}",
                &[1, 2, 3, 4],
            ),
            ("const f = (x) => {\n  return x + 1;\n};\nconsole.log(f(2));", &[1, 2, 3, 4]),
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
            (
                "For the first case:\nwhile it rains:\nwe wait.\nimport duties: none.\nFinal Answer: 7",
                &[0; 5],
            ),
            ("The answer is:\n- one\n- two\ndef f(x):\n    return x", &[0; 5]),
            ("x = 3 + 4 = 7\ny = 2x = 14\nSo y = 14", &[0, 0, 0]),
            ("Speed = 60 km/h\nTime = 2 h\nDistance = 120 km", &[0; 3]),
            ("答案如下：\n因为 x = 3，\n所以 y = 4。", &[0, 0, 0]),
            ("步骤1：定义 x = 3;\n步骤2：返回 x;\n答案：3", &[0, 0, 0]),
            ("return x;", &[0]),
        ];
        for (text, expected) in cases {
            let found: Vec<usize> =
                code_lines(text).into_iter().map(|at| at.unwrap_or(0)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
