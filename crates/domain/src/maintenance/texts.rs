//! The bounded texts of notices.

use std::ops::Deref;

/// The most characters of a text of a notice.
pub const NOTICE_TEXT_CHARS_MAX: usize = 500;

/// The most characters of the name of a system.
pub const SYSTEM_CHARS_MAX: usize = 64;

/// The most systems that a notice names.
pub const SYSTEMS_MAX: usize = 8;

/// A text of a notice: one line of 1 to [`NOTICE_TEXT_CHARS_MAX`] characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeText(String);

/// The name of a system: one line of 1 to [`SYSTEM_CHARS_MAX`] characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemName(String);

impl NoticeText {
    /// The text; `None` if it is empty or too long, or contains control characters. Space around it is removed.
    pub fn parse(text: &str) -> Option<Self> {
        one_line(text, NOTICE_TEXT_CHARS_MAX).map(Self)
    }
}

impl SystemName {
    /// The text as a name; `None` if it is empty or too long, or contains control characters. Space around it is removed.
    pub fn parse(text: &str) -> Option<Self> {
        one_line(text, SYSTEM_CHARS_MAX).map(Self)
    }
}

impl Deref for NoticeText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Deref for SystemName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

fn one_line(text: &str, chars_max: usize) -> Option<String> {
    let text = text.trim();
    let is_line = !text.is_empty() && !text.contains(char::is_control);
    (is_line && text.chars().count() <= chars_max).then(|| text.to_owned())
}
