//! What stands around every page.

use crate::App;

/// The frame of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageFrame<'a> {
    /// The bank's name.
    pub bank_name: &'a str,
    /// Whether to say that nothing here is real.
    pub sandbox: bool,
}

impl<'a> PageFrame<'a> {
    pub(super) fn of(app: &'a App) -> Self {
        Self { bank_name: &app.settings.bank_name, sandbox: app.settings.sandbox }
    }
}
