//! The frame that all pages have.

use lombard_edge::App;

/// The frame of a page.
#[derive(Debug, Clone, Copy)]
pub struct PageFrame<'a> {
    /// The bank's name.
    pub bank_name: &'a str,
    /// Whether the page states that this is a sandbox, in which nothing is real.
    pub sandbox: bool,
}

impl<'a> PageFrame<'a> {
    /// The frame for the pages of this server.
    pub fn of(app: &'a App) -> Self {
        Self { bank_name: &app.settings.bank_name, sandbox: app.settings.sandbox }
    }
}
