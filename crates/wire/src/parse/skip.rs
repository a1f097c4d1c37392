//! Skips an unknown value. The limit on nesting and the rule against repeated names apply to the skipped value as well.

use super::source::{ArraySource, MemberName, ObjectSource, Stopped, ValueSink};
use super::{FaultCollector, JsonPath};
use std::collections::HashSet;

/// Skips the value at a position.
pub(super) struct SkipValue<'r> {
    reader: &'r FaultCollector,
    at: &'r JsonPath<'r>,
}

impl<'r> SkipValue<'r> {
    pub(super) const fn new(reader: &'r FaultCollector, at: &'r JsonPath<'r>) -> Self {
        Self { reader, at }
    }
}

/// Skips the members of an object.
pub(super) fn object(
    reader: &FaultCollector,
    at: &JsonPath<'_>,
    members: &mut dyn ObjectSource,
) -> Result<(), Stopped> {
    let mut names = HashSet::new();
    while let Some(MemberName::Unknown(name)) = members.next_name(|_| None)? {
        let at = at.member(&name);
        if names.contains(&name) {
            reader.duplicate(&at);
        }
        members.read_value(&mut SkipValue::new(reader, &at))?;
        names.insert(name);
    }
    Ok(())
}

/// Skips the elements of an array.
pub(super) fn array(reader: &FaultCollector, at: &JsonPath<'_>, elements: &mut dyn ArraySource) -> Result<(), Stopped> {
    for index in 0.. {
        if !elements.read_element(&mut SkipValue::new(reader, &at.index(index)))? {
            break;
        }
    }
    Ok(())
}

impl ValueSink for SkipValue<'_> {
    fn notation(&mut self, _: &str) {}

    fn null(&mut self) {}

    fn truth(&mut self, _: bool) {}

    fn number(&mut self) {}

    fn text(&mut self, _: &str) {}

    fn object(&mut self, members: &mut dyn ObjectSource) -> Result<(), Stopped> {
        self.reader.enter(self.at)?;
        object(self.reader, self.at, members)
    }

    fn array(&mut self, elements: &mut dyn ArraySource) -> Result<(), Stopped> {
        self.reader.enter(self.at)?;
        array(self.reader, self.at, elements)
    }
}
