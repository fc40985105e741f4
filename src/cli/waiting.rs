//! A line on the terminal that says what is being read, from when it takes long until something else is
//! written.

use std::io::Write as _;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::collect::{self, Progress};
use crate::quantity;
use crate::render::clean_lines;
use crate::text::Catalogue;

/// How long nothing is shown, and how often it is renewed then.
const PATIENCE: Duration = Duration::from_millis(600);
const RENEWED: Duration = Duration::from_millis(200);
/// Goes to the beginning of the line and clears it.
const CLEAR: &str = "\r\x1b[2K";
/// The longest path that is shown, in characters.
const LONGEST: usize = 48;

/// The line, which is cleared when this is dropped or stopped.
pub(super) struct Waiting {
    stopped: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    /// No line, where nobody sees it.
    pub(super) fn none() -> Self {
        Self { stopped: Arc::default(), thread: None }
    }

    pub(super) fn start(words: &'static Catalogue) -> Self {
        let stopped = Arc::default();
        let of_thread = Arc::clone(&stopped);
        Self { stopped, thread: Some(thread::spawn(move || show(&of_thread, words))) }
    }

    /// Clears the line for good, so that something else can be written.
    pub(super) fn stop(&mut self) {
        let Some(thread) = self.thread.take() else { return };
        let (stopped, changed) = &*self.stopped;
        *stopped.lock().unwrap_or_else(PoisonError::into_inner) = true;
        changed.notify_all();
        let _ended = thread.join();
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.stop();
    }
}

fn show((stopped, changed): &(Mutex<bool>, Condvar), words: &Catalogue) {
    let (mut pause, mut before, mut is_shown) = (PATIENCE, (now(), collect::progress()), false);
    let mut guard = stopped.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let waited = changed.wait_timeout_while(guard, pause, |is_stopped| !*is_stopped);
        guard = waited.unwrap_or_else(PoisonError::into_inner).0;
        if *guard {
            break;
        }
        pause = RENEWED;
        let after = (now(), collect::progress());
        let seconds = after.0.duration_since(before.0).as_secs_f64();
        let line = line(&after.1, (after.1.bytes - before.1.bytes) as f64 / seconds, words);
        if after.1.files > 0 {
            // Who cannot see the line does not miss it.
            let _written = write!(std::io::stderr(), "{CLEAR}{line}");
            is_shown = true;
        }
        before = after;
    }
    if is_shown {
        let _written = write!(std::io::stderr(), "{CLEAR}");
    }
}

#[expect(clippy::disallowed_methods, reason = "nothing of a report depends on it")]
fn now() -> Instant {
    Instant::now()
}

/// `read 812 MB of 3 files, 410 MB/s: …/a/samples.jsonl`; without a rate where nothing is read any more.
fn line(progress: &Progress, rate: f64, words: &Catalogue) -> String {
    let path = progress.last.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let path = clean_lines(&path).replace('\n', " ");
    let length = path.chars().count();
    let path = match length.checked_sub(LONGEST) {
        Some(over) if over > 0 => path.chars().skip(over).collect(),
        _ => path,
    };
    let size = quantity::bytes(progress.bytes);
    let key = if rate > 0.0 { "waiting.reading" } else { "waiting.computing" };
    let facts = [
        ("size", size),
        ("files", progress.files.to_string()),
        ("rate", quantity::bytes(rate as u64)),
        ("path", path),
    ];
    words.fill(key, &facts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lang;

    #[test]
    fn a_line_says_what_is_read_and_how_fast() {
        let read = |bytes, rate| {
            let last = Some(format!("{}b.jsonl", "a/".repeat(40)).into());
            line(&Progress { files: 3, bytes, last }, rate, Catalogue::shipped(Lang::default()))
        };
        let path = format!("{}/b.jsonl", "/a".repeat(20));
        assert_eq!(
            read(812_000_000, 4.1e8),
            format!("read 812.0 MB of 3 files, 410.0 MB/s: {path}")
        );
        assert_eq!(read(812_000_000, 0.0), "read 812.0 MB of 3 files, computing");
    }
}
