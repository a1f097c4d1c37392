//! The notice on a page whose form was not accepted.

/// The notice of a page that is shown again, and the field to focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NoticeText {
    pub text: &'static str,
    pub at: &'static str,
}
