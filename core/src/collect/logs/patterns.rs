//! What lines mean, as data: the shipped `patterns.toml` and the user's own.

use std::sync::Arc;

use aho_corasick::{AhoCorasick, BuildError, Input, MatchKind};
use memchr::memrchr;
use serde::Deserialize;

use super::super::rare_lines::first_in_lines;
use super::line::{LEVELS, OTHER_LEVELS};
use super::template::LogTemplate;
const SHIPPED: &str = include_str!("patterns.toml");

/// The first line of a Python traceback, after whatever stands before it.
pub(super) const TRACEBACK: &str = "Traceback (most recent call last)";
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum LineMeaning {
    /// Something went wrong; `as` names the type of the error.
    Error,
    /// Something may go wrong; `as` names its type.
    Warning,
    /// A rule was broken; `as` names it.
    Violation,
    /// A penalty `{value}`; `as` names its term.
    Penalty,
    /// A rollout begins, of `{id}` where the line has one.
    Rollout,
    /// What the rollout generated failed.
    Failed,
    /// The rollout fell back to something simpler.
    Fallback,
    /// The fallback ran to its end.
    FallbackSucceeded,
    /// The fallback failed too.
    FallbackFailed,
    /// The rollout ended with the score `{value}`, of `{max}` at most.
    Score,
    /// The training reached step `{value}`.
    Step,
    /// Nothing, whatever it looks like.
    Ignore,
}

impl LineMeaning {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Violation => "violation",
            Self::Penalty => "penalty",
            Self::Rollout => "rollout",
            Self::Failed => "failed",
            Self::Fallback => "fallback",
            Self::FallbackSucceeded => "fallback-succeeded",
            Self::FallbackFailed => "fallback-failed",
            Self::Score => "score",
            Self::Step => "step",
            Self::Ignore => "ignore",
        }
    }

    fn needs_value(self) -> bool {
        matches!(self, Self::Penalty | Self::Score | Self::Step)
    }
}

/// How a score line judges its rollout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ScoreOutcome {
    Success,
    Failure,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WirePatterns {
    #[serde(default)]
    pattern: Vec<toml::Spanned<WirePattern>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WirePattern {
    #[serde(rename = "match")]
    template: String,
    means: LineMeaning,
    #[serde(rename = "as")]
    subject: Option<String>,
    outcome: Option<ScoreOutcome>,
    #[serde(default)]
    needs: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) text: String,
    template: LogTemplate,
    pub(super) means: LineMeaning,
    subject: Option<String>,
    pub(super) outcome: Option<ScoreOutcome>,
    needs: Vec<String>,
    /// Where the user wrote it; `None` for a shipped one.
    pub(super) written_at: Option<(Arc<str>, u64)>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct LogLineFit<'t> {
    /// Its place among the patterns.
    pub(super) pattern: usize,
    pub(super) means: LineMeaning,
    pub(super) outcome: Option<ScoreOutcome>,
    holes: Vec<(String, &'t str)>,
    /// Its `as`, filled.
    pub(super) subject: Option<String>,
}

impl LogLineFit<'_> {
    pub(super) fn hole(&self, name: &str) -> Option<&str> {
        self.holes.iter().find(|(known, _)| known == name).map(|(_, text)| *text)
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.hole(name)?.parse().ok().filter(|number: &f64| number.is_finite())
    }
}

/// Lines of interest are found by the first bytes of long words: the automaton for them takes time
/// with the square of their length.
const LONGEST_SOUGHT: usize = 64;
/// Words of one automaton; of more than these it looks at each byte, which takes five times as long.
const SOUGHT_AT_ONCE: usize = 64;

/// Why a file holds no patterns.
#[derive(Debug, thiserror::Error)]
pub enum NotPatterns {
    #[error("`{path}`: {message}")]
    File { path: String, message: String },
    #[error("`{path}` line {line}: pattern `{pattern}`: {message}")]
    Pattern { path: String, line: u64, pattern: String, message: String },
}

/// Patterns, the user's before the shipped ones, and the words that a line of interest has.
#[derive(Debug)]
pub struct Patterns {
    pub(super) all: Vec<Pattern>,
    words: Vec<AhoCorasick>,
    /// Finds the words of each pattern, or the beginning of long ones.
    clues: AhoCorasick,
}

impl Patterns {
    /// The shipped patterns behind those of files, each path and text.
    ///
    /// # Errors
    /// When a file cannot be used, with the line.
    pub fn with_files(files: &[(String, String)]) -> Result<Self, NotPatterns> {
        let mut all = Vec::new();
        for (path, text) in files {
            all.extend(parsed(path, text, true)?);
        }
        all.extend(parsed("patterns.toml", SHIPPED, false)?);
        let levels = LEVELS.iter().map(|(word, _)| (*word).to_owned());
        let levels = levels.chain(OTHER_LEVELS.iter().map(|&word| word.to_owned()));
        let mut words: Vec<String> = levels.chain([TRACEBACK.to_owned()]).collect();
        for pattern in &all {
            if pattern.needs.is_empty() {
                words.push(pattern.template.longest_words().to_owned());
            }
            words.extend(pattern.needs.iter().cloned());
        }
        for word in &mut words {
            word.truncate(beginning(word).len());
        }
        let clues = all.iter().map(|pattern| beginning(pattern.template.longest_words()));
        let automata = sought(&words).and_then(|words| Ok((words, AhoCorasick::new(clues)?)));
        let (words, clues) = automata.map_err(|error| NotPatterns::File {
            path: files.first().map_or_else(String::new, |(path, _)| path.clone()),
            message: error.to_string(),
        })?;
        Ok(Self { all, words, clues })
    }

    /// The starts of the lines of a block that have a word of interest, ascending.
    pub(super) fn interesting(&self, block: &[u8]) -> Vec<usize> {
        let start = |at: usize| {
            memrchr(b'\n', block.get(..at).unwrap_or_default()).map_or(0, |end| end + 1)
        };
        let mut starts = Vec::new();
        for words in &self.words {
            let input = |from| Input::new(block).span(from..block.len());
            let hits = first_in_lines(block, |from| Some(words.find(input(from))?.start()));
            starts.extend(hits.into_iter().map(start));
        }
        if self.words.len() > 1 {
            starts.sort_unstable();
            starts.dedup();
        }
        starts
    }

    /// What a cleaned line says; of each meaning the first pattern that fits. Empty where one says
    /// that the line means nothing; then the second value is true.
    pub(super) fn read<'t>(&self, text: &'t str) -> (Vec<LogLineFit<'t>>, bool) {
        let mut found: Vec<LogLineFit<'t>> = Vec::new();
        let clues = self.clues.find_overlapping_iter(text);
        let mut places: Vec<usize> = clues.map(|clue| clue.pattern().as_usize()).collect();
        places.sort_unstable();
        places.dedup();
        for (place, pattern) in
            places.iter().filter_map(|&place| Some((place, self.all.get(place)?)))
        {
            if found.iter().any(|fit| fit.means == pattern.means) || !pattern.has_needed(text) {
                continue;
            }
            let Some(holes) = pattern.template.find(text) else { continue };
            let holes: Vec<(String, &str)> =
                pattern.template.holes().map(str::to_owned).zip(holes).collect();
            let subject = pattern.subject.as_ref().map(|subject| filled(subject, &holes));
            let Pattern { means, outcome, .. } = *pattern;
            if means == LineMeaning::Ignore {
                return (Vec::new(), true);
            }
            found.push(LogLineFit { pattern: place, means, outcome, holes, subject });
        }
        (found, false)
    }
}

impl Pattern {
    fn has_needed(&self, text: &str) -> bool {
        self.needs.is_empty() || self.needs.iter().any(|word| text.contains(word.as_str()))
    }
}

/// What of a word lines are searched for.
fn beginning(word: &str) -> &str {
    word.get(..word.floor_char_boundary(LONGEST_SOUGHT)).unwrap_or(word)
}

/// What finds each of the words, as many at once as are found fast. A line with a word that holds another has the
/// other too.
fn sought(words: &[String]) -> Result<Vec<AhoCorasick>, BuildError> {
    let is_held = |word: &&String| words.iter().any(|other| other != *word && word.contains(other));
    let mut words: Vec<&String> = words.iter().filter(|word| !is_held(word)).collect();
    words.sort();
    words.dedup();
    let automaton = |words: &[&String]| {
        AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(words)
    };
    words.chunks(SOUGHT_AT_ONCE).map(automaton).collect()
}

fn filled(subject: &str, holes: &[(String, &str)]) -> String {
    let mut filled = subject.to_owned();
    for (name, text) in holes {
        filled = filled.replace(&format!("{{{name}}}"), text);
    }
    filled
}

fn parsed(path: &str, text: &str, is_users: bool) -> Result<Vec<Pattern>, NotPatterns> {
    let wire: WirePatterns = toml::from_str(text).map_err(|error| NotPatterns::File {
        path: path.to_owned(),
        message: error.to_string().trim_end().to_owned(),
    })?;
    let place: Arc<str> = Arc::from(path);
    wire.pattern
        .into_iter()
        .map(|wire| {
            let start = wire.span().start;
            let line = crate::collect::lines::line_of(text.as_bytes(), start);
            let wire = wire.into_inner();
            let shown = wire.template.clone();
            pattern(wire, is_users.then(|| (Arc::clone(&place), line))).map_err(|message| {
                NotPatterns::Pattern { path: path.to_owned(), line, pattern: shown, message }
            })
        })
        .collect()
}

fn pattern(wire: WirePattern, written_at: Option<(Arc<str>, u64)>) -> Result<Pattern, String> {
    let WirePattern { template: text, means, subject, outcome, needs } = wire;
    let template = LogTemplate::parse(&text).map_err(|error| error.to_string())?;
    let meant = means.name();
    if means.needs_value() && !template.is_number("value") {
        return Err(format!("a {meant} needs the hole {{value:number}}"));
    }
    let named: Vec<&str> = template.holes().collect();
    let unknown = subject.iter().flat_map(|subject| {
        subject.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name)
    });
    if let Some(name) = unknown.into_iter().find(|name| !named.contains(name)) {
        return Err(format!("`as` names the hole {{{name}}}, which `match` has not"));
    }
    if means == LineMeaning::Violation && subject.is_none() {
        return Err("a violation needs `as`, the name of the rule".to_owned());
    }
    if outcome.is_some() && means != LineMeaning::Score {
        return Err(format!("`outcome` belongs to a score, not to a {meant}"));
    }
    if needs.iter().any(|word| word.trim().is_empty()) {
        return Err("`needs` holds an empty text".to_owned());
    }
    Ok(Pattern { text, template, means, subject, outcome, needs, written_at })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_refused(text: &str, expected: &str) {
        let files = [("own.toml".to_owned(), text.to_owned())];
        let error = Patterns::with_files(&files).expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn what_cannot_be_used_is_refused_with_its_line() {
        check_refused("[[pattern]]\nmatch = \"a {\"\nmeans = \"error\"", "`own.toml` line 1");
        check_refused(
            "[[pattern]]\nmatch = \"a\"\nmeans = \"score\"",
            "needs the hole {value:number}",
        );
        check_refused("[[pattern]]\nmatch = \"a\"\nmeans = \"violation\"", "needs `as`");
        check_refused(
            "[[pattern]]\nmatch = \"a\"\nmeans = \"error\"\nas = \"{b}\"",
            "`match` has not",
        );
        check_refused("[[pattern]]\nmatch = \"a\"\nmeans = \"eror\"", "unknown variant");
        check_refused(
            "[[pattern]]\nmatch = \"a\"\nmeans = \"step\"\noutcome = \"success\"",
            "value",
        );
    }

    #[test]
    fn the_users_patterns_come_first_and_can_silence_a_line() {
        let own = "[[pattern]]\nmatch = \"known: ValueError\"\nmeans = \"ignore\"";
        let patterns =
            Patterns::with_files(&[("own.toml".to_owned(), own.to_owned())]).expect("valid");
        assert_eq!(patterns.read("known: ValueError: x"), (Vec::new(), true));
        let (found, ignored) = patterns.read("new: ValueError: x");
        assert!(!ignored);
        assert_eq!(found.first().and_then(|fit| fit.subject.as_deref()), Some("ValueError"));
    }

    #[test]
    fn of_long_words_the_beginning_is_sought_and_the_whole_has_to_fit() {
        let long = "(".repeat(40_000) + "é";
        let own = format!("[[pattern]]\nmatch = \"{long}\"\nmeans = \"error\"\nas = \"long\"");
        let patterns = Patterns::with_files(&[("own.toml".to_owned(), own)]).expect("sound");
        assert!(patterns.words.iter().all(|words| words.max_pattern_len() <= LONGEST_SOUGHT));
        let whole = format!("x {long} y");
        let block = format!("quiet\n{whole}\n");
        assert_eq!(patterns.interesting(block.as_bytes()), [6]);
        assert!(patterns.read(&whole).0.iter().any(|fit| fit.subject.as_deref() == Some("long")));
        let beginning = long.get(..100).unwrap_or_default();
        assert_eq!(patterns.read(beginning).0, Vec::new());
    }

    #[test]
    fn the_shipped_words_are_sought_at_once_and_those_of_many_patterns_in_a_few_passes() {
        assert_eq!(Patterns::with_files(&[]).expect("shipped").words.len(), 1);
        let pattern = |n| format!("[[pattern]]\nmatch = \"rule-{n}-\"\nmeans = \"error\"\n");
        let own: String = (0..300).map(pattern).collect();
        let patterns = Patterns::with_files(&[("own.toml".to_owned(), own)]).expect("sound");
        assert!((2..9).contains(&patterns.words.len()), "{}", patterns.words.len());
        let line = |n| format!("ERROR of rule-{n}- and rule-{}-\n", 299 - n);
        let block: String = (0..300).map(line).chain(["quiet\n".to_owned()]).collect();
        let starts: Vec<usize> = block.match_indices("ERROR").map(|(at, _)| at).collect();
        assert_eq!(patterns.interesting(block.as_bytes()), starts);
    }

    #[test]
    fn lines_of_interest_are_found_by_their_starts() {
        let patterns = Patterns::with_files(&[]).expect("valid");
        let block = b"quiet\n  an ERROR and an ERROR\nquiet\nValueError: x";
        assert_eq!(patterns.interesting(block), [6, 36]);
        assert_eq!(patterns.interesting(b""), [0usize; 0]);
        // Each step counts for what comes behind it.
        let block = b"step:1 - a\nstep:2 - b\nERROR\nstep:3 - c\nstep:4 - d\n";
        assert_eq!(patterns.interesting(block), [0, 11, 22, 28, 39]);
    }
}
