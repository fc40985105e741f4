//! A place that several names of fields may fill.

/// A field that several names can fill; the name of lowest rank wins.
#[derive(Debug, Default)]
pub(super) struct Ranked<T, R = u8> {
    /// Rank of the name that filled it.
    pub(super) filled_by: Option<R>,
    pub(super) value: T,
}

impl<T, R: Copy + PartialOrd> Ranked<T, R> {
    /// The slot to write to when a name of that rank may fill it; of one name written twice the
    /// last counts.
    pub(super) fn claim(&mut self, rank: R) -> Option<&mut T> {
        if !self.is_open(rank) {
            return None;
        }
        self.filled_by = Some(rank);
        Some(&mut self.value)
    }

    pub(super) fn is_open(&self, rank: R) -> bool {
        self.filled_by.is_none_or(|known| known >= rank)
    }

    pub(super) fn get(&self) -> Option<&T> {
        self.filled_by.is_some().then_some(&self.value)
    }
}
