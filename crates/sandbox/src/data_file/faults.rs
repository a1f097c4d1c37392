//! What is wrong with a file: every fault with its place, and where the reader stands.

use lombard_ports::controls::DataFileFault;
use std::fmt::Write;

/// Most faults that are listed; a file can hold many thousands.
const LISTED_MAX: usize = 1_000;

/// Collects the faults of one file.
#[derive(Debug, Default)]
pub(super) struct FaultList {
    found: Vec<DataFileFault>,
    /// Found beyond those that are listed.
    beyond: usize,
}

impl FaultList {
    /// Notes a fault. The sentence never repeats a value of the file.
    pub(super) fn note(&mut self, at: &FileLocation<'_>, sentence: impl Into<String>) {
        self.note_at(at.to_string(), sentence);
    }

    /// Notes a fault at a place that is known by its path.
    pub(super) fn note_at(&mut self, path: String, sentence: impl Into<String>) {
        if self.found.len() < LISTED_MAX {
            self.found.push(DataFileFault { path, message: sentence.into() });
        } else {
            self.beyond = self.beyond.saturating_add(1);
        }
    }

    /// How many there are.
    pub(super) const fn count(&self) -> usize {
        self.found.len().saturating_add(self.beyond)
    }

    /// The value if nothing is wrong, else what is.
    pub(super) fn or<T>(mut self, value: T) -> Result<T, Vec<DataFileFault>> {
        if self.beyond > 0 {
            let message = format!("There are {} more faults, which are not listed.", self.beyond);
            self.found.push(DataFileFault { path: String::new(), message });
        }
        if self.found.is_empty() { Ok(value) } else { Err(self.found) }
    }
}

/// A place in the file: a chain of steps on the stack, made text only when there is a fault to note.
#[derive(Debug, Clone, Copy)]
pub(super) enum FileLocation<'a> {
    /// The file.
    Root,
    /// A member of an object.
    Member(&'a FileLocation<'a>, &'a str),
    /// An element of a list.
    Item(&'a FileLocation<'a>, usize),
}

impl FileLocation<'_> {
    fn write(&self, path: &mut String) {
        // Writing to a text cannot fail.
        let _ = match self {
            Self::Root => Ok(()),
            Self::Member(parent, name) => {
                parent.write(path);
                let dot = if path.is_empty() { "" } else { "." };
                write!(path, "{dot}{name}")
            }
            Self::Item(parent, index) => {
                parent.write(path);
                write!(path, "[{index}]")
            }
        };
    }
}

impl std::fmt::Display for FileLocation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut path = String::new();
        self.write(&mut path);
        f.write_str(&path)
    }
}
