//! Values of blocks that are read side by side, handed on in the order of the file.

/// Hands values on in file order, whatever the order in which they come.
pub(super) struct InFileOrder<T, M> {
    next: usize,
    pub(super) lines: u64,
    most: u64,
    /// Whether a value was left out because it holds too many lines.
    pub(super) is_full: bool,
    /// Those that came early, few: their positions, and their numbers of lines.
    waiting: Vec<(usize, T, u64)>,
    merge: M,
}

impl<T, M: FnMut(T, u64)> InFileOrder<T, M> {
    /// At the start of a file of which so many lines are taken at most.
    pub(super) fn new(most: u64, merge: M) -> Self {
        Self { next: 0, lines: 0, most, is_full: false, waiting: Vec::new(), merge }
    }

    /// Hands on what is complete; `false` when nothing further is taken.
    pub(super) fn take(&mut self, position: usize, value: T, lines: u64) -> bool {
        self.waiting.push((position, value, lines));
        while let Some(at) = self.waiting.iter().position(|(own, ..)| *own == self.next) {
            let (_, value, lines) = self.waiting.swap_remove(at);
            self.is_full |= self.lines + lines > self.most;
            if self.is_full {
                break;
            }
            (self.merge)(value, self.lines);
            self.lines += lines;
            self.next += 1;
        }
        !self.is_full
    }
}
