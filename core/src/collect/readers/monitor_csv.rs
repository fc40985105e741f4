//! Episodes as the Monitor of Stable-Baselines3 writes them: a comment that names the environment, then
//! return, length and time of each. Their lengths add up to the steps of the environment so far, over all
//! environments that a training steps at once, each of which has a numbered file.

use std::path::{Path, PathBuf};

use super::super::border::Border;
use super::super::content::{past_limit, read_lines, torn_tail};
use super::super::document::{Parsed, parse_json_line};
use super::super::entry::single_file;
use super::super::lines::Line;
use super::super::packing::{packed_names, unpacked_name};
use super::super::plain_number;
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::with_figures;
use super::points::Points;
use crate::diag::{Code, Diagnostic, Warned};
use crate::model::{ConfigEntry, ConfigValue, Fragment, Limits, Point, Source};

pub(in crate::collect) const NAME: &str = "monitor-csv";
pub(super) const READER: Reader = Reader { name: NAME, recognises, read };

/// Columns of return, length and time, which others may follow.
const COLUMNS: &str = "r,l,t";
/// What stands behind the number of an environment in the name of its file.
const END: &str = ".monitor.csv";
/// Most environments of one training.
const MOST_NUMBERS: usize = 1024;

fn recognises(file: &FileEntry) -> bool {
    let head = String::from_utf8_lossy(&file.head);
    let mut lines = head.lines();
    file.has_extension("csv")
        && lines.next().is_some_and(|line| line.starts_with("#{"))
        && lines.next().is_some_and(|line| line.starts_with(COLUMNS))
}

/// Reads the episodes of all environments with the first of their files, in the order in which they ended:
/// `load_results` and `ts2xy` of `stable_baselines3` 2.9.2. The other files add nothing then. Of episodes
/// that ended at once, which these leave open, the one of the lower number comes first.
fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    let beside = Beside::of(file, options);
    let number = beside.as_ref().map_or(0, |beside| beside.number);
    let environment = |number| beside.as_ref().and_then(|beside| beside.file(number));
    if (0..number).any(|number| environment(number).is_some()) {
        return Ok(Warned::clean(Fragment::default()));
    }
    let others: Vec<FileEntry> = (number + 1..MOST_NUMBERS).filter_map(environment).collect();
    let (mut points, mut steps, mut places) = (Points::default(), 0.0, None);
    let add = |Episode { reward, length, line, .. }: Episode| {
        steps += length;
        let mut place = |metric| points.place(metric, "timesteps");
        let [of_reward, of_length] =
            *places.get_or_insert_with(|| ["episode_return", "episode_length"].map(&mut place));
        points.add_at(of_reward, Point { at: steps, value: reward, line });
        points.add_at(of_length, Point { at: steps, value: length, line });
    };
    let Warned { value: about, diagnostics } = if others.is_empty() {
        for_each_episode(file, add)?
    } else {
        let Warned { value: (about, episodes), diagnostics } = joined(file, &others)?;
        episodes.into_iter().for_each(add);
        Warned::new(about, diagnostics)
    };
    let torn = diagnostics.iter().any(|finding| finding.code == Code::TornTail);
    Ok(with_figures(file, &options.names, diagnostics, |fragment, findings| {
        fragment.torn = torn;
        fragment.series = points.finish(file).drain_into(findings);
        let named = |Parsed { root, .. }: &Parsed| Some(root.get("env_id")?.text()?.to_owned());
        if let Some(environment) = about.as_ref().and_then(named) {
            let source = Source::line(&file.display, 1, "env_id");
            let value = ConfigValue::Text(environment);
            fragment.config.insert("env_id".to_owned(), ConfigEntry { value, source });
        }
    }))
}

/// What a file says of itself, and episodes.
type Read = Warned<(Option<Parsed>, Vec<Episode>)>;

/// What the first file says of itself, and the episodes of all in the order in which they ended.
fn joined(file: &FileEntry, others: &[FileEntry]) -> Result<Read, Box<Diagnostic>> {
    let mut all = Vec::new();
    let Warned { value: about, mut diagnostics } = for_each_episode(file, |one| all.push(one))?;
    for other in others {
        if all.len() as u64 > file.limits.records {
            diagnostics.push(past_limit("records", file.limits.records, &other.display));
            break;
        }
        let before = all.len();
        match for_each_episode(other, |one| all.push(one)) {
            Ok(read) => diagnostics.extend(read.diagnostics),
            Err(finding) => {
                all.truncate(before);
                diagnostics.push(*finding);
            }
        }
    }
    // Lines of several files have no order.
    for one in &mut all {
        one.line = 0;
    }
    all.sort_by(|a, b| a.ended.total_cmp(&b.ended));
    Ok(Warned::new((about, all), diagnostics))
}

struct Episode {
    reward: f64,
    length: f64,
    /// When it ended, in seconds; infinite where that is not written.
    ended: f64,
    line: u64,
}

/// Some lines of a file: the first line of all, where it is among them, and the episodes of the others.
#[derive(Default)]
struct Lines {
    first: Option<String>,
    episodes: Vec<Episode>,
    /// The last line of the file, where it does not end.
    torn: Option<u64>,
}

/// Hands on the episodes of a file, and gives what its first line says.
fn for_each_episode(
    file: &FileEntry,
    mut take: impl FnMut(Episode) + Send,
) -> Result<Warned<Option<Parsed>>, Box<Diagnostic>> {
    let (mut about, mut torn) = (None, None);
    let each = |lines: &mut Lines, line, text: Line<'_>| {
        let Line::Text { text, ended, .. } = text else { return };
        if line == 1 {
            lines.first = Some(text.to_owned());
        }
        // A row is written with its end, and a length that is cut off is another one.
        if !ended {
            lines.torn = Some(line);
            return;
        }
        lines.episodes.extend(episode(text, line));
    };
    let merge = |Lines { first, episodes, torn: line }, before| {
        torn = line.map(|line| before + line);
        if before == 0 {
            about = first.and_then(|first| parse_json_line(first.strip_prefix('#')?, 1).ok());
        }
        let started = about.as_ref().and_then(|about: &Parsed| about.root.get("t_start")?.number());
        for one in episodes {
            let ended = started.unwrap_or_default() + one.ended;
            take(Episode { ended, line: before + one.line, ..one });
        }
    };
    let mut findings = read_lines(file, Lines::default, each, merge)?;
    findings.extend(torn.map(|line| torn_tail(file, line)));
    Ok(Warned::new(about, findings))
}

/// The episode of a row, with the time since the start.
fn episode(row: &str, line: u64) -> Option<Episode> {
    let [reward, length, ended] = plain_number::separated(row.as_bytes()).or_else(|| {
        let mut cells = row.split(',').map(|cell| cell.trim().parse::<f64>().ok());
        let (reward, length) = (cells.next()??, cells.next()??);
        Some([reward, length, cells.next().flatten().unwrap_or(f64::INFINITY)])
    })?;
    Some(Episode { reward, length, ended, line })
}

/// Where the files of the environments of one training lie, and the number of that which is read.
struct Beside {
    directory: PathBuf,
    number: usize,
    border: Border,
    limits: Limits,
}

impl Beside {
    /// `None` for a file that has no number, is the run itself or would not be taken from another.
    fn of(file: &FileEntry, options: &ReadOptions) -> Option<Self> {
        let name = file.path.file_name()?.to_str()?;
        let number = unpacked_name(name).strip_suffix(END)?;
        let number = number.parse().ok().filter(|number| *number < MOST_NUMBERS)?;
        let directory = file.path.parent().filter(|_| !file.is_run)?.to_owned();
        let border = Border::around(&directory, &options.access);
        let beside = Self { directory, number, border, limits: file.limits };
        beside.is_own(&file.path).then_some(beside)
    }

    /// Whether a file lies here and is no link.
    fn is_own(&self, path: &Path) -> bool {
        path.symlink_metadata().is_ok_and(|there| there.is_file()) && self.border.holds(path)
    }

    fn file(&self, number: usize) -> Option<FileEntry> {
        let name = format!("{number}{END}");
        let paths = packed_names(&name).map(|name| self.directory.join(name));
        let mut files = paths.filter(|path| self.is_own(path));
        files.find_map(|path| single_file(&path, self.limits).filter(recognises))
    }
}
