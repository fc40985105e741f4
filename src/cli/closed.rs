//! Streams that whoever reads them may close, as `head` does.

use std::cell::RefCell;
use std::io::{self, ErrorKind, Write};

use super::waiting::Waiting;

/// A stream that takes what nobody reads any more, so that a command goes on to its end: its exit status is
/// asked for all the same.
pub(super) struct MayClose<'a> {
    stream: &'a mut dyn Write,
    is_closed: bool,
    /// What is cleared before anything is written.
    waiting: &'a RefCell<Waiting>,
}

impl<'a> MayClose<'a> {
    pub(super) fn new(stream: &'a mut dyn Write, waiting: &'a RefCell<Waiting>) -> Self {
        Self { stream, is_closed: false, waiting }
    }

    fn unless_closed(&mut self, done: io::Result<usize>, all: usize) -> io::Result<usize> {
        self.is_closed = matches!(&done, Err(error) if error.kind() == ErrorKind::BrokenPipe);
        if self.is_closed { Ok(all) } else { done }
    }
}

impl Write for MayClose<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_closed {
            return Ok(bytes.len());
        }
        self.waiting.borrow_mut().stop();
        let written = self.stream.write(bytes);
        self.unless_closed(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_closed {
            return Ok(());
        }
        let flushed = self.stream.flush().map(|()| 0);
        self.unless_closed(flushed, 0).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes so many bytes, and fails then.
    struct Failing(usize, ErrorKind);

    impl Write for Failing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            if taken > 0 { Ok(taken) } else { Err(self.1.into()) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_left_stops_nobody_and_a_full_disk_does() {
        for (kind, expected) in
            [(ErrorKind::BrokenPipe, None), (ErrorKind::StorageFull, Some(ErrorKind::StorageFull))]
        {
            let (mut failing, waiting) = (Failing(3, kind), RefCell::new(Waiting::none()));
            let mut stream = MayClose::new(&mut failing, &waiting);
            let written = stream.write_all(b"12345").and_then(|()| stream.write_all(b"6"));
            assert_eq!(written.err().map(|error| error.kind()), expected);
        }
    }
}
