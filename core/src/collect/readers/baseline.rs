//! Runs that `reportgen baseline save` wrote, whole.

use crate::collect::{Reader, saved};

pub(super) const READER: Reader = Reader {
    name: saved::NAME,
    recognises: saved::is_saved,
    // Within the directory of a run it is set aside before any reader is asked.
    read: |file, _| saved::read(file),
};
