//! The faults of a document with their locations, and the present location of the reader.

use std::fmt::Write;

/// The maximum number of listed faults. A data file can have many thousands of faults.
const LISTED_MAX: usize = 1_000;

/// A fault of a document and its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormFault {
    /// The path of the faulty member, as `Account[0].Currency`; empty for the document.
    pub path: String,
    /// The description of the fault. It never repeats a value of the document.
    pub message: String,
}

/// Collects the faults of one document.
#[derive(Debug, Default)]
pub struct FaultList {
    found: Vec<FormFault>,
    /// The number of faults that are not listed.
    beyond: usize,
}

impl FaultList {
    /// Records a fault at a location. The message must not repeat a value of the document.
    pub fn record_fault(&mut self, at: &JsonLocation<'_>, sentence: impl Into<String>) {
        self.note_at(at.to_string(), sentence);
    }

    /// Records a fault at a path that is already formatted.
    pub fn note_at(&mut self, path: String, sentence: impl Into<String>) {
        if self.found.len() < LISTED_MAX {
            self.found.push(FormFault { path, message: sentence.into() });
        } else {
            self.beyond = self.beyond.saturating_add(1);
        }
    }

    /// The number of faults.
    pub const fn count(&self) -> usize {
        self.found.len().saturating_add(self.beyond)
    }

    /// Returns the value if no fault was recorded.
    ///
    /// # Errors
    /// The recorded faults.
    pub fn into_result<T>(mut self, value: T) -> Result<T, Vec<FormFault>> {
        if self.beyond > 0 {
            let message = format!("There are {} more faults, which are not listed.", self.beyond);
            self.found.push(FormFault { path: String::new(), message });
        }
        if self.found.is_empty() { Ok(value) } else { Err(self.found) }
    }
}

/// A location in a document, as a linked list on the stack. It is formatted only if a fault occurs there.
#[derive(Debug, Clone, Copy)]
pub enum JsonLocation<'a> {
    /// The whole document.
    Root,
    /// A member of an object.
    Member(&'a JsonLocation<'a>, &'a str),
    /// An element of a list.
    Item(&'a JsonLocation<'a>, usize),
}
impl JsonLocation<'_> {
    fn write(&self, path: &mut String) {
        // Writing to a `String` cannot fail.
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

impl std::fmt::Display for JsonLocation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut path = String::new();
        self.write(&mut path);
        f.write_str(&path)
    }
}
