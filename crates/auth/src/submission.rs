//! Submitted forms and their errors, shared by journeys and sessions.

use crate::browser::BrowserSecret;
use crate::devices::DeviceCookie;
use crate::error::OAuthError;
use crate::throttle::Throttled;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::grant::Digest;
use lombard_ports::entropy::IdGenerator;
use lombard_ports::store::StoreError;
use std::net::IpAddr;

/// How long a form of the portal can be sent, from when its page was shown. So long it is known that it was sent.
pub(crate) const FORM_LIFETIME: SignedDuration = SignedDuration::from_hours(1);

/// How long the answer to a form is given again.
pub(crate) const ANSWER_REPEATED: SignedDuration = SignedDuration::from_secs(30);

/// Until when the answer to a form that is answered now is given again, and the form's page shown.
pub(crate) fn answer_repeated_until(now: Timestamp) -> Timestamp {
    now.saturating_add(ANSWER_REPEATED).unwrap_or(now)
}

/// What makes the token of a page another one each time it is shown.
pub(crate) fn new_salt(ids: &IdGenerator) -> String {
    lombard_jose::base64url(&ids.random_secret())
}

/// A submitted page, before anything about it is believed.
#[derive(Clone)]
pub struct SubmittedPage {
    /// The browser it came from.
    pub browser: BrowserSecret,
    /// The form token it holds.
    pub form_token: String,
    /// The address it came from, which failures count against. Source: AS-143.
    pub from: IpAddr,
    /// What the browser says of customers who have logged in with it. Source: AS-143.
    pub devices: DeviceCookie,
}

impl std::fmt::Debug for SubmittedPage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Submitted").finish_non_exhaustive()
    }
}

impl SubmittedPage {
    /// Whether it holds the one form token that is accepted next: the one made from this half. Source: AS-141.
    pub(crate) fn holds(&self, server_half: &Digest) -> bool {
        let expected = self.browser.token(server_half);
        lombard_jose::secrets_are_equal(expected.as_bytes(), self.form_token.as_bytes())
    }

    /// Whether it holds a token of a page of this browser that was made from this half and a salt. Source: AS-141.
    pub(crate) fn holds_salted(&self, server_half: &Digest) -> bool {
        let Some((salt, _)) = self.form_token.split_once('.') else { return false };
        let expected = self.browser.salted_token(server_half, salt);
        lombard_jose::secrets_are_equal(expected.as_bytes(), self.form_token.as_bytes())
    }
}

/// Why a submission was rejected. `Lost` is the error of the page's own state.
#[derive(Debug)]
pub enum SubmissionError<Lost> {
    /// What the page belonged to is not there.
    Unavailable(Lost),
    /// There were too many failures; the page stays good. Source: AS-143.
    Throttled(Throttled),
    /// The page was submitted before, or is not the one shown last: show the present one. Source: AS-144.
    Stale,
    /// An internal error.
    Failed(OAuthError),
}

impl<Lost> From<StoreError> for SubmissionError<Lost> {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

impl<Lost> From<OAuthError> for SubmissionError<Lost> {
    fn from(error: OAuthError) -> Self {
        Self::Failed(error)
    }
}
