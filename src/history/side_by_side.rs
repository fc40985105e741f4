//! Nights read at once, a few and no more.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Nights that are read at once: each holds its rows in memory.
const MOST: usize = 4;

/// What is read of each night, in order. By threads of their own: one of a pool that waits for polars would
/// begin the next night before its own ends, and in the end hold all of them.
pub(super) fn side_by_side<N: Sync, T: Send>(
    nights: &[N],
    read: impl Fn(&N) -> T + Sync,
) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(MOST);
    let next = AtomicUsize::new(0);
    let work = || {
        let places = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let nights = places.map_while(|place| Some((place, nights.get(place)?)));
        nights.map(|(place, night)| (place, read(night))).collect::<Vec<(usize, T)>>()
    };
    let mut found: Vec<(usize, T)> = thread::scope(|scope| {
        // Where there is no further thread, this one reads all.
        let further =
            (1..threads).map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok());
        let further: Vec<_> = further.collect();
        let own = work();
        let joined = further.into_iter().flat_map(|one| match one.join() {
            Ok(found) => found,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        own.into_iter().chain(joined).collect()
    });
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, one)| one).collect()
}
