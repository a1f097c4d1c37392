//! The faults of a file with their locations, and the reader's present location.

use lombard_ports::controls::DataFileFault;
use std::fmt::Write;

/// The largest number of faults listed; a file can have many thousands.
const LISTED_MAX: usize = 1_000;

/// Collects the faults of one file.
#[derive(Debug, Default)]
pub(super) struct FaultList {
    found: Vec<DataFileFault>,
    /// The number of faults that are not listed.
    beyond: usize,
}

impl FaultList {
    /// Records a fault. The message never repeats a value of the file.
    pub(super) fn note(&mut self, at: &FileLocation<'_>, sentence: impl Into<String>) {
        self.note_at(at.to_string(), sentence);
    }

    /// Records a fault at this path.
    pub(super) fn note_at(&mut self, path: String, sentence: impl Into<String>) {
        if self.found.len() < LISTED_MAX {
            self.found.push(DataFileFault { path, message: sentence.into() });
        } else {
            self.beyond = self.beyond.saturating_add(1);
        }
    }

    /// The number of faults.
    pub(super) const fn count(&self) -> usize {
        self.found.len().saturating_add(self.beyond)
    }

    /// Returns the value if there is no fault, or else the faults.
    pub(super) fn or<T>(mut self, value: T) -> Result<T, Vec<DataFileFault>> {
        if self.beyond > 0 {
            let message = format!("There are {} more faults, which are not listed.", self.beyond);
            self.found.push(DataFileFault { path: String::new(), message });
        }
        if self.found.is_empty() { Ok(value) } else { Err(self.found) }
    }
}

/// A location in the file: a linked list on the stack, formatted only for a fault.
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
