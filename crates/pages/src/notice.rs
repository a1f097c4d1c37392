//! The notice on a page whose form was not accepted.

/// The text of a notice, and the field that gets the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NoticeText {
    pub text: &'static str,
    pub at: &'static str,
}
