//! How long the expressions of a template are. The engine bounds brackets and blocks in each other, but
//! goes down one call for each operator, filter and `elif`, without end.

/// A few times what an expression of a person has; a small stack takes twice as many.
const MOST: usize = 500;

/// Words that are operators.
const WORDS: [&str; 8] = ["not", "and", "or", "in", "is", "if", "else", "elif"];

/// The line of the tag that has too many steps, where there is one, and how many are allowed.
pub(super) fn too_many(text: &str) -> Option<(usize, usize)> {
    let mut elifs = 0;
    let mut line = 1;
    let mut rest = text;
    while let Some(start) = ["{{", "{%"].iter().filter_map(|open| rest.find(open)).min() {
        let (before, tag) = rest.split_at(start);
        line += before.matches('\n').count();
        let (steps, length) = steps(tag);
        elifs += usize::from(tag.get(2..).unwrap_or_default().trim_start().starts_with("elif"));
        if steps > MOST || elifs > MOST {
            return Some((line, MOST));
        }
        line += tag.get(..length).unwrap_or_default().matches('\n').count();
        rest = tag.get(length..).unwrap_or_default();
    }
    None
}

/// Steps of the tag at the beginning of a text, and its length. Names, numbers and what parts them
/// are none.
fn steps(tag: &str) -> (usize, usize) {
    let close = if tag.starts_with("{%") { "%}" } else { "}}" };
    let mut steps = 0;
    let mut quote = None;
    let mut word = 2;
    let mut letters = tag.char_indices().skip(2);
    while let Some((at, letter)) = letters.next() {
        let behind = tag.get(at..).unwrap_or_default();
        match quote {
            Some(_) if letter == '\\' => drop(letters.next()),
            Some(open) if letter == open => quote = None,
            Some(_) => {}
            None if behind.starts_with(close) => return (steps, at + close.len()),
            None if letter.is_alphanumeric() || letter == '_' => continue,
            None if matches!(letter, '"' | '\'') => quote = Some(letter),
            None if letter.is_whitespace() || matches!(letter, ',' | ':' | ')' | ']' | '}') => {}
            None => steps += 1,
        }
        steps += usize::from(tag.get(word..at).is_some_and(|word| WORDS.contains(&word)));
        word = at + letter.len_utf8();
    }
    (steps, tag.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Option<usize> {
        too_many(text).map(|(line, _)| line)
    }

    #[test]
    fn long_chains_are_found_with_their_line() {
        for step in
            ["not ", "a.", "- ", "a|b|", "a ~ ", "a[0].", "1 if 1 else ", "a is b and ", "f("]
        {
            assert_eq!(
                line(&format!("x\n{{{{ '}}}}' }}}}\n\n{{{{ {} }}}}", step.repeat(600))),
                Some(4)
            );
            assert_eq!(line(&format!("{{{{ {}a }}}}", step.repeat(100))), None, "{step}");
        }
        assert_eq!(line(&"{% elif a %}\n".repeat(600)), Some(501));
    }

    #[test]
    fn what_is_long_and_not_deep_is_not_found() {
        let numbers = "1, ".repeat(2000);
        let text = "a.b - c ".repeat(2000);
        for sound in [
            format!("{{% set x = [{numbers}] %}}"),
            format!("{{{{ t('{text}', \"{text}\\\"{text}\") }}}}{text}"),
            "{{ a.b|c }}{% if a %}".repeat(2000),
            String::new(),
        ] {
            assert_eq!(line(&sound), None);
        }
    }
}
