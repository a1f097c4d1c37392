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

/// How long after its page was shown a form of the portal can be sent. A sent form is recorded for the same time.
pub(crate) const FORM_LIFETIME: SignedDuration = SignedDuration::from_hours(1);

/// How long the response to a form is repeated.
pub(crate) const ANSWER_REPEATED: SignedDuration = SignedDuration::from_secs(30);

/// Until when the response to a form that is answered now is repeated, and the form's page can be shown again.
pub(crate) fn answer_repeated_until(now: Timestamp) -> Timestamp {
    now.saturating_add(ANSWER_REPEATED).unwrap_or(now)
}

/// Makes the salt of a form token, so that each page shown has a different token.
pub(crate) fn new_salt(ids: &IdGenerator) -> String {
    lombard_jose::base64url(&ids.random_secret())
}

/// A submitted page whose contents are not verified yet.
#[derive(Clone)]
pub struct SubmittedPage {
    /// The secret of the browser that sent the page.
    pub browser: BrowserSecret,
    /// The form token of the page.
    pub form_token: String,
    /// The address of the browser, against which failures count. Source: AS-143.
    pub from: IpAddr,
    /// The cookie about customers who have logged in with this browser. Source: AS-143.
    pub devices: DeviceCookie,
}

impl std::fmt::Debug for SubmittedPage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Submitted").finish_non_exhaustive()
    }
}

impl SubmittedPage {
    /// Whether the page holds the form token that is accepted next, which is made from this server half. Source: AS-141.
    pub(crate) fn holds(&self, server_half: &Digest) -> bool {
        let expected = self.browser.token(server_half);
        lombard_jose::secrets_are_equal(expected.as_bytes(), self.form_token.as_bytes())
    }

    /// Whether the page holds a form token of this browser that was made from this server half and a salt. Source: AS-141.
    pub(crate) fn holds_salted(&self, server_half: &Digest) -> bool {
        let Some((salt, _)) = self.form_token.split_once('.') else { return false };
        let expected = self.browser.salted_token(server_half, salt);
        lombard_jose::secrets_are_equal(expected.as_bytes(), self.form_token.as_bytes())
    }
}

/// Why a submission was rejected. `Lost` is the type of the error for a journey or session that is not available.
#[derive(Debug)]
pub enum SubmissionError<Lost> {
    /// The journey or session of the page is not available.
    Unavailable(Lost),
    /// There were too many failures; the page stays valid. Source: AS-143.
    Throttled(Throttled),
    /// The page was submitted before, or is not the one shown last; the current page must be shown. Source: AS-144.
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
