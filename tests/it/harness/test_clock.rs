//! The wall clock of a test, which another process can share.

use jiff::{SignedDuration, Timestamp};
use lombard_ports::clock::{Clock, ManualClock, SystemClock};
use parking_lot::Mutex;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

/// A clock that advances only on request. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct TestClock {
    clock: ManualClock,
    /// The file from which another process reads the time.
    file: Arc<Mutex<Option<File>>>,
}

impl TestClock {
    /// A clock with this time.
    pub(crate) fn starting_at(time: Timestamp) -> Self {
        Self { clock: ManualClock::starting_at(time), file: Arc::default() }
    }

    /// Moves the clock forward, or back by a negative duration.
    pub(crate) fn advance(&self, by: SignedDuration) {
        let file = self.file.lock();
        self.clock.advance(by);
        if let Some(file) = &*file {
            write(file, self.now());
        }
    }

    /// Moves the clock to the machine's present time: other programs and their certificates know only that one, and tests
    /// that run late start with a clock that is minutes behind.
    pub(crate) fn advance_to_present(&self) {
        self.advance(SystemClock.now().duration_since(self.now()));
    }

    /// Shows the time in this file from now on.
    pub(super) fn share(&self, path: &Path) {
        let mut file = self.file.lock();
        let shown = File::create(path).unwrap();
        write(&shown, self.now());
        *file = Some(shown);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

fn write(file: &File, time: Timestamp) {
    file.write_all_at(&time.as_microsecond().to_be_bytes(), 0).unwrap();
}

/// The clock that another process shows in a file.
#[derive(Debug)]
pub(super) struct SharedClock(File);

impl SharedClock {
    pub(super) fn open(path: &Path) -> Self {
        Self(File::open(path).unwrap())
    }
}

impl Clock for SharedClock {
    fn now(&self) -> Timestamp {
        let mut micros = [0; 8];
        self.0.read_exact_at(&mut micros, 0).unwrap();
        Timestamp::from_microsecond(i64::from_be_bytes(micros)).unwrap()
    }
}
