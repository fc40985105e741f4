//! Episodes as the Monitor of Stable-Baselines3 writes them: a comment that names the environment, then
//! return, length and time of each. Their lengths add up to the steps of the environment so far.

use super::super::content::read_text;
use super::super::document::{Parsed, parse_json_line};
use super::super::{FileEntry, ReadOptions, ReadResult, Reader};
use super::file_figures::read_figures;
use super::points::Points;
use crate::model::{ConfigEntry, ConfigValue, Point, Source};

pub(in crate::collect) const NAME: &str = "monitor-csv";
pub(super) const READER: Reader = Reader { name: NAME, recognises, read };

/// Columns of return, length and time, which others may follow.
const COLUMNS: &str = "r,l,t";

fn recognises(file: &FileEntry) -> bool {
    let head = String::from_utf8_lossy(&file.head);
    let mut lines = head.lines();
    file.has_extension("csv")
        && lines.next().is_some_and(|line| line.starts_with("#{"))
        && lines.next().is_some_and(|line| line.starts_with(COLUMNS))
}

fn read(file: &FileEntry, options: &ReadOptions) -> ReadResult {
    read_figures(file, &options.names, read_text, |text, fragment, findings| {
        let mut points = Points::default();
        let mut steps = 0.0;
        for (line, row) in (1..).zip(text.lines()) {
            let mut cells = row.split(',').map(|cell| cell.trim().parse::<f64>().ok());
            let (Some(Some(reward)), Some(Some(length))) = (cells.next(), cells.next()) else {
                continue;
            };
            steps += length;
            for (metric, value) in [("episode_return", reward), ("episode_length", length)] {
                points.add(metric, "timesteps", Point { at: steps, value, line });
            }
        }
        fragment.series = points.finish(file).drain_into(findings);
        let about = text.lines().next().and_then(|line| line.strip_prefix('#'));
        let about = about.and_then(|line| parse_json_line(line, 1).ok());
        let named = |Parsed { root, .. }: &Parsed| Some(root.get("env_id")?.text()?.to_owned());
        if let Some(environment) = about.as_ref().and_then(named) {
            let source = Source::line(&file.display, 1, "env_id");
            let value = ConfigValue::Text(environment);
            fragment.config.insert("env_id".to_owned(), ConfigEntry { value, source });
        }
    })
}
