//! Samples at a terminal: two answers beside each other where there is room for them.

use anstyle::{AnsiColor, Effects, Style};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::escape::{clean, clean_lines};
use super::terminal_colours::{TerminalOptions, paint};
use crate::report::sample_card::{CardAnswer, CardText, SampleCard};

/// Columns of a terminal from which on two answers stand beside each other.
const WIDE: usize = 100;
const USUAL: usize = 80;
/// Most lines of one text.
const MOST_LINES: usize = 30;
const INDENT: &str = "  ";
const RULE: &str = " │ ";

/// A line: pieces, and whether each is marked.
type Line = Vec<(String, bool)>;

pub(super) fn cards(cards: &[SampleCard], options: TerminalOptions) -> String {
    let drawn: Vec<String> = cards.iter().map(|one| card(one, options)).collect();
    drawn.join("\n\n")
}

fn card(card: &SampleCard, options: TerminalOptions) -> String {
    let width = options.width.map_or(USUAL, usize::from).max(WIDE / 4);
    let place = std::iter::once(&card.dataset).filter(|dataset| !dataset.is_empty());
    let place = place.chain(&card.notes).map(|note| format!(" · {}", clean(note)));
    let title = paint(&clean(&card.class_title), class_style(card.class), options);
    let head =
        format!("{}. {} · {title}{}", card.number, clean(&card.id), place.collect::<String>());
    let mut lines = vec![head];
    for text in &card.asked {
        lines.push(label(text));
        lines.extend(
            wrapped(text, false, width - INDENT.len(), options)
                .iter()
                .map(|line| format!("{INDENT}{}", painted(line, Style::new(), options))),
        );
    }
    match card.answers.as_slice() {
        [first, second] if width >= WIDE && !first.texts.is_empty() && !second.texts.is_empty() => {
            lines.extend(side_by_side([first, second], width, options));
        }
        answers => {
            for answer in answers {
                let own = column(answer, width - INDENT.len(), options);
                lines.extend(own.iter().enumerate().map(|(at, line)| {
                    let indent = if at == 0 { "" } else { INDENT };
                    format!("{indent}{}", painted(line, mark_style(answer), options))
                }));
            }
        }
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n")
}

/// What a run has, line by line: its name, facts and place, then its texts.
fn column(answer: &CardAnswer, width: usize, options: TerminalOptions) -> Vec<Line> {
    let facts = answer.facts.iter().map(|fact| format!(" · {}", clean(fact)));
    let head = clean(&answer.run) + &facts.collect::<String>();
    let mut lines = wrap(&[(head, false)], width);
    if !answer.source.is_empty() {
        lines.extend(wrap(&[(clean(&answer.source), false)], width));
    }
    for text in &answer.texts {
        lines.push(vec![(label(text), false)]);
        lines.extend(wrapped(text, answer.is_baseline, width, options));
    }
    lines
}

fn side_by_side(answers: [&CardAnswer; 2], width: usize, options: TerminalOptions) -> Vec<String> {
    let half = (width - RULE.chars().count()) / 2;
    let [first, second] = answers.map(|answer| column(answer, half, options));
    let line = |lines: &[Line], at: usize, answer: &CardAnswer| {
        let line = lines.get(at).cloned().unwrap_or_default();
        let used: usize = line.iter().map(|(piece, _)| piece.width()).sum();
        (painted(&line, mark_style(answer), options), half.saturating_sub(used))
    };
    let rows = 0..first.len().max(second.len());
    rows.map(|at| {
        let (left, gap) = line(&first, at, answers[0]);
        let (right, _) = line(&second, at, answers[1]);
        format!("{left}{}{RULE}{right}", " ".repeat(gap))
    })
    .collect()
}

fn label(text: &CardText) -> String {
    let cut = text.cut.as_ref().map(|cut| format!(" ({cut})")).unwrap_or_default();
    clean(&format!("{}{cut}:", text.label))
}

/// A text in lines of that width, the first of them where there are many. Without colours its own
/// words are in brackets.
fn wrapped(
    text: &CardText,
    is_baseline: bool,
    width: usize,
    options: TerminalOptions,
) -> Vec<Line> {
    let pieces: Vec<(String, bool)> = if options.color {
        text.pieces().into_iter().map(|(words, is_own)| (clean_lines(words), is_own)).collect()
    } else {
        vec![(clean_lines(&text.marked(is_baseline)), false)]
    };
    let mut lines = wrap(&pieces, width);
    if lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES + 1;
        lines.truncate(MOST_LINES - 1);
        lines.push(vec![(format!("… +{more}"), false)]);
    }
    lines
}

/// Breaks pieces at line ends, and where a line is full: at a space, or within a word that is longer.
fn wrap(pieces: &[(String, bool)], width: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = vec![Line::new()];
    let mut used = 0;
    let push = |piece: &str, is_own: bool, lines: &mut Vec<Line>| {
        let Some(line) = lines.last_mut() else { return };
        match line.last_mut() {
            Some((before, same)) if *same == is_own => before.push_str(piece),
            _ => line.push((piece.to_owned(), is_own)),
        }
    };
    for (text, is_own) in pieces {
        for (at, line) in text.replace('\t', "    ").split('\n').enumerate() {
            if at > 0 {
                lines.push(Line::new());
                used = 0;
            }
            for word in line.split_inclusive(' ') {
                let wide = word.trim_end().width();
                if used > 0 && used + wide > width {
                    lines.push(Line::new());
                    used = 0;
                }
                let mut rest = word;
                while rest.trim_end().width() > width - used {
                    let end = fitting(rest, width - used);
                    push(&rest[..end], *is_own, &mut lines);
                    lines.push(Line::new());
                    used = 0;
                    rest = &rest[end..];
                }
                push(rest, *is_own, &mut lines);
                used = (used + rest.width()).min(width);
            }
        }
    }
    if lines.last().is_some_and(Vec::is_empty) && lines.len() > 1 {
        lines.pop();
    }
    lines
}

/// How many bytes of a text fit into so many columns, at least one character.
fn fitting(text: &str, width: usize) -> usize {
    let mut used = 0;
    let fits = |(_, c): &(usize, char)| {
        used += c.width().unwrap_or(0);
        used <= width
    };
    let end = text.char_indices().take_while(fits).last().map(|(at, c)| at + c.len_utf8());
    end.or_else(|| text.chars().next().map(char::len_utf8)).unwrap_or_default()
}

fn painted(line: &Line, style: Style, options: TerminalOptions) -> String {
    let pieces = line.iter().map(|(piece, is_own)| match is_own {
        true => paint(piece, style, options),
        false => piece.clone(),
    });
    pieces.collect()
}

/// Words that a run alone has: struck or underlined, because colours alone say nothing to some.
fn mark_style(answer: &CardAnswer) -> Style {
    if answer.is_baseline {
        AnsiColor::Red.on_default().effects(Effects::STRIKETHROUGH)
    } else {
        AnsiColor::Green.on_default().effects(Effects::UNDERLINE)
    }
}

fn class_style(class: &str) -> Style {
    match class {
        "worse" => AnsiColor::Red.on_default().bold(),
        "better" => AnsiColor::Green.on_default(),
        _ => Style::new().dimmed(),
    }
}
