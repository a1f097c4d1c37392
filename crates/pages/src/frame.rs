//! The frame around every page.

use lombard_edge::App;

/// The frame of a page.
#[derive(Debug, Clone, Copy)]
pub struct PageFrame<'a> {
    /// The bank's name.
    pub bank_name: &'a str,
    /// Whether to say that nothing here is real.
    pub sandbox: bool,
}

impl<'a> PageFrame<'a> {
    /// The frame of this server's pages.
    pub fn of(app: &'a App) -> Self {
        Self { bank_name: &app.settings.bank_name, sandbox: app.settings.sandbox }
    }
}
