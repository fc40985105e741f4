//! Changes put one by one to the person who runs `fill --interactive`.

use std::io::{self, BufRead, Write};
use std::path::Path;

use crate::exit::Failure;
use crate::fill::{Filled, FilledCell, FilledRegion, Outcome, Proposal};
use crate::render::clean_lines;
use crate::text::Catalogue;

/// The document with those changes that were accepted: `y`, `n`, `a` this one and all that follow, `q`
/// none that follow. The end of the answers is `q`.
///
/// # Errors
/// When nothing can be asked, or no answer be read.
pub(super) fn accepted(
    filled: Filled,
    (path, before): (&Path, &str),
    words: &Catalogue,
    (answers, out): (&mut dyn BufRead, &mut dyn Write),
) -> Result<Filled, Failure> {
    let lines: Vec<&str> = before.lines().collect();
    // What was answered for all changes that follow.
    let mut for_all: Option<bool> = None;
    filled.accepting(before, |proposal| {
        if let Some(answer) = for_all {
            return Ok(answer);
        }
        let shown = match proposal {
            Proposal::Cell(cell) => of_cell(cell, &lines),
            Proposal::Region(region) => of_region(region, words),
        };
        let shown = format!("\n{}:{shown}", path.display());
        writeln!(out, "{}", clean_lines(&shown)).map_err(Failure::standard_output)?;
        loop {
            let asking = words.get("fill.accept");
            write!(out, "{asking} ")
                .and_then(|()| out.flush())
                .map_err(Failure::standard_output)?;
            let answer = answer(answers).map_err(|source| Failure::read(Path::new("-"), source))?;
            let (is_accepted, is_for_all) = match answer.as_str() {
                "y" => (true, false),
                "n" => (false, false),
                "a" => (true, true),
                "q" => (false, true),
                _ => {
                    writeln!(out, "{}", words.get("fill.accept-help"))
                        .map_err(Failure::standard_output)?;
                    continue;
                }
            };
            for_all = is_for_all.then_some(is_accepted);
            return Ok(is_accepted);
        }
    })
}

/// The first letter of the next line; `q` where there is none.
fn answer(answers: &mut dyn BufRead) -> io::Result<String> {
    let mut line = String::new();
    if answers.read_line(&mut line)? == 0 {
        return Ok("q".to_owned());
    }
    Ok(line.trim().chars().take(1).flat_map(char::to_lowercase).collect())
}

/// The head of the table, the row, and what would be written where.
fn of_cell(cell: &FilledCell, lines: &[&str]) -> String {
    let row = cell.line - 1;
    let of_table = |at: &usize| lines.get(*at).is_some_and(|line| line.contains('|'));
    let head = (0..row).rev().take_while(of_table).last();
    let shown = head.into_iter().chain([row]).filter_map(|at| lines.get(at));
    let shown: String = shown.flat_map(|line| ["  ", line.trim(), "\n"]).collect();
    let FilledCell { line, column, before, outcome, .. } = cell;
    let Outcome::Written { text, source } = outcome else { return String::new() };
    format!("{line}\n{shown}  c{column}: {before} → {text}  {source}")
}

fn of_region(region: &FilledRegion, words: &Catalogue) -> String {
    let FilledRegion { line, name, outcome, .. } = region;
    format!("{line}\n  {name}: {}", super::shown::region(outcome, words))
}
