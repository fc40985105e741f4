//! Signals that end the process wait until what is being written lies in its place, so that nothing is
//! left beside it. Elsewhere they end it at once, as ever.

#[cfg(unix)]
pub(super) use unix::Deferred;

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::sync::Once;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::{flag, low_level};

    static WRITERS: AtomicUsize = AtomicUsize::new(0);
    static MAY_END: AtomicBool = AtomicBool::new(true);
    /// The signal that came meanwhile; 0 is none.
    static CAME: AtomicUsize = AtomicUsize::new(0);

    /// As long as it lives, signals wait.
    pub(in crate::output) struct Deferred(());

    impl Deferred {
        pub(in crate::output) fn begin() -> Self {
            static ONCE: Once = Once::new();
            ONCE.call_once(|| {
                for signal in [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|one| !is_ignored(*one))
                {
                    // Without it the process ends there, and the next writer tidies up.
                    let _unhandled =
                        flag::register_conditional_default(signal, &MAY_END).and_then(|_| {
                            flag::register_usize(signal, &CAME, signal.cast_unsigned() as usize)
                        });
                }
            });
            WRITERS.fetch_add(1, SeqCst);
            MAY_END.store(false, SeqCst);
            Self(())
        }
    }

    impl Drop for Deferred {
        fn drop(&mut self) {
            if WRITERS.fetch_sub(1, SeqCst) > 1 {
                return;
            }
            MAY_END.store(true, SeqCst);
            if let Some(signal) = i32::try_from(CAME.swap(0, SeqCst)).ok().filter(|came| *came > 0)
            {
                let _known = low_level::emulate_default_handler(signal);
            }
        }
    }

    /// Whether whoever started the process had it ignore the signal, as `nohup` does; also where the
    /// system does not say.
    fn is_ignored(signal: i32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
    }
}

#[cfg(not(unix))]
pub(super) struct Deferred(());

#[cfg(not(unix))]
impl Deferred {
    pub(super) fn begin() -> Self {
        Self(())
    }
}
