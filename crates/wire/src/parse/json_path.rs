//! The path of the parser: a chain of steps on the stack, converted to text only when a fault is reported.

use std::fmt::Write as _;

/// The maximum length of a path in an error, in characters. Source: RW-120.
const PATH_CHARS_MAX: usize = 500;

/// A position in a JSON document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JsonPath<'a> {
    parent: Option<&'a JsonPath<'a>>,
    step: JsonPathStep<'a>,
    depth: usize,
}

#[derive(Debug, Clone, Copy)]
enum JsonPathStep<'a> {
    Root,
    Member(&'a str),
    Index(usize),
}

impl<'a> JsonPath<'a> {
    /// The root of the document.
    pub(crate) const ROOT: JsonPath<'static> = JsonPath { parent: None, step: JsonPathStep::Root, depth: 0 };

    /// A member of this object.
    pub(crate) const fn member(&'a self, name: &'a str) -> Self {
        Self { parent: Some(self), step: JsonPathStep::Member(name), depth: self.depth.saturating_add(1) }
    }

    /// An element of this array.
    pub(crate) const fn index(&'a self, index: usize) -> Self {
        Self { parent: Some(self), step: JsonPathStep::Index(index), depth: self.depth.saturating_add(1) }
    }

    /// The number of enclosing objects and arrays.
    pub(crate) const fn depth(&self) -> usize {
        self.depth
    }

    /// The path in the standard's notation, `Data.Permissions[2]`; `None` for the root. Source: RW-124.
    pub(crate) fn path(&self) -> Option<String> {
        let mut path = String::new();
        self.write(&mut path);
        if let Some((end, _)) = path.char_indices().nth(PATH_CHARS_MAX) {
            path.truncate(end);
        }
        (!path.is_empty()).then_some(path)
    }

    fn write(&self, path: &mut String) {
        if let Some(parent) = self.parent {
            parent.write(path);
        }
        match self.step {
            JsonPathStep::Root => {}
            JsonPathStep::Member(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            JsonPathStep::Index(index) => {
                // Writing to a string cannot fail.
                let _ = write!(path, "[{index}]");
            }
        }
    }
}
