//! The frame around every page of a developer who is logged in.

use super::formatting::{are_apart, moment};
use super::paths::{
    APPLICATION, CONSENTS, CONTROLS, DEVELOPERS, EVENTS, GUIDES, OVERVIEW, REQUESTS, STATUS, TEST_DATA, TRY_OUT,
};
use super::visit::{PortalVisit, PublicVisit};
use askama::Template;
use axum::response::Response;
use http::StatusCode;
use lombard_edge::App;
use lombard_pages::frame::PageFrame;
use lombard_pages::reply::{PagePolicy, send_page};
use lombard_pages::text;
use std::borrow::Cow;

/// The parts of the portal, in the order of its navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PortalSection {
    Overview,
    Application,
    Requests,
    Consents,
    Events,
    TestData,
    Controls,
    TryOut,
    Guides,
    Reference,
    Status,
}

impl PortalSection {
    const ALL: [Self; 11] = [
        Self::Overview,
        Self::Application,
        Self::Requests,
        Self::Consents,
        Self::Events,
        Self::TestData,
        Self::Controls,
        Self::TryOut,
        Self::Guides,
        Self::Reference,
        Self::Status,
    ];

    const fn entry(self) -> (&'static str, &'static str) {
        match self {
            Self::Overview => ("Overview", OVERVIEW),
            Self::Application => ("Application", APPLICATION),
            Self::Requests => ("Requests", REQUESTS),
            Self::Consents => ("Consents & payments", CONSENTS),
            Self::Events => ("Events", EVENTS),
            Self::TestData => ("Test data", TEST_DATA),
            Self::Controls => ("Controls", CONTROLS),
            Self::TryOut => ("Try it", TRY_OUT),
            Self::Guides => ("Guides", GUIDES),
            Self::Reference => ("API reference", DEVELOPERS),
            Self::Status => ("Status", STATUS),
        }
    }
}

/// An entry of the navigation.
#[derive(Debug)]
pub(crate) struct NavigationEntry {
    pub title: &'static str,
    pub path: &'static str,
    pub is_current: bool,
}

/// A message about an action that was just executed or refused.
#[derive(Debug)]
pub(crate) struct PortalNotice {
    pub text: String,
    pub is_refusal: bool,
    /// The name of the form to which the message belongs; empty if it belongs to the page.
    pub place: Cow<'static, str>,
}

impl PortalNotice {
    /// A message that an action was executed.
    pub(super) fn done(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_refusal: false, place: Cow::Borrowed("") }
    }

    /// A message that an action was refused and nothing has changed.
    pub(super) fn refused(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_refusal: true, place: Cow::Borrowed("") }
    }

    /// Shows the message at the form of this name.
    pub(super) fn at(self, place: impl Into<Cow<'static, str>>) -> Self {
        Self { place: place.into(), ..self }
    }
}

/// The frame of a page: the application, the section, and the token of its forms.
#[derive(Debug)]
pub(crate) struct PortalFrame {
    pub application: String,
    pub form_token: String,
    pub navigation: Vec<NavigationEntry>,
    pub notice: Option<PortalNotice>,
    /// A note about the clock of the page's times; `None` if the bank's clock equals the wall clock.
    pub clock: Option<String>,
}

impl PortalFrame {
    /// The notice for the form of this name.
    pub(super) fn notice_at(&self, place: &str) -> Option<&PortalNotice> {
        self.notice.as_ref().filter(|notice| notice.place == place)
    }

    /// The frame of a public page for a developer who is logged in.
    pub(super) fn of_open(visit: &PublicVisit, section: PortalSection) -> Option<Self> {
        visit.0.as_ref().map(|visit| Self::of(visit, section, None))
    }

    /// The frame of a page in this section.
    pub(super) fn of(visit: &PortalVisit, section: PortalSection, notice: Option<PortalNotice>) -> Self {
        let sandbox = visit.services.sandbox.as_ref();
        let is_there = |it: &PortalSection| match it {
            PortalSection::TestData => sandbox.is_some_and(|sandbox| sandbox.controls.is_some()),
            PortalSection::Controls | PortalSection::TryOut => sandbox.is_some(),
            _ => true,
        };
        let navigation = PortalSection::ALL.into_iter().filter(is_there).map(|it| {
            let (title, path) = it.entry();
            NavigationEntry { title, path, is_current: it == section }
        });
        Self {
            application: text::name(&visit.client().software_name),
            form_token: visit.login.form_token.clone(),
            navigation: navigation.collect(),
            notice,
            clock: clock_of(visit, section),
        }
    }

    fn status(&self) -> StatusCode {
        let is_refused = self.notice.as_ref().is_some_and(|notice| notice.is_refusal);
        if is_refused { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }
    }
}

/// The note about the clock of this section's times; `None` if the clocks are equal.
fn clock_of(visit: &PortalVisit, section: PortalSection) -> Option<String> {
    let (wall, bank) = visit.page.app.context.clocks.wall_and_bank();
    if !are_apart(wall, bank) {
        return None;
    }
    let wall = moment(wall);
    let bank = moment(bank);
    match section {
        PortalSection::Overview | PortalSection::Requests | PortalSection::Events => {
            Some(format!("Times on this page are by the wall clock. The bank’s clock was moved and says {bank}."))
        }
        PortalSection::Consents => Some(format!(
            "Times on this page are by the bank’s clock, which was moved and says {bank}. The wall clock says {wall}."
        )),
        PortalSection::Application
        | PortalSection::TestData
        | PortalSection::Controls
        | PortalSection::TryOut
        | PortalSection::Guides
        | PortalSection::Reference
        | PortalSection::Status => None,
    }
}

/// A page of the portal that has a frame.
pub(super) trait PortalPage: Template {
    /// The frame of the page.
    fn portal(&self) -> &PortalFrame;
}

/// Responds with a page; the status is 422 if the page reports a refusal.
pub(super) fn respond(app: &App, template: &impl PortalPage) -> Response {
    send_page(app, template.portal().status(), template, &PagePolicy::plain())
}

/// The frame that all pages of the server have.
pub(super) fn page_frame(visit: &PortalVisit) -> PageFrame<'_> {
    PageFrame::of(&visit.page.app)
}
