//! The session of a PSU at the bank, independent of authorisation journeys.

use crate::grant::Digest;
use crate::ids::{JourneyId, PsuId};
use jiff::Timestamp;

/// The stage of a login.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SessionStage {
    /// The password was verified; the one-time code is pending.
    SecondFactor,
    /// The PSU is logged in.
    Open,
    /// The PSU is logged in under a new secret. For some seconds a request with this old secret is still shown the page of the
    /// one-time code.
    Replaced,
}

crate::code::document_codes! {
    SessionStage { SecondFactor = "second-factor", Open = "open", Replaced = "replaced", }
}

/// A session, identified by the secret in the browser's cookie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// SHA-256 of the cookie's secret; the secret is replaced at every step of the login. Source: AS-143.
    pub browser: Digest,
    /// The id of this login for the identity provider, the same in all its steps.
    pub login: JourneyId,
    /// The PSU.
    pub psu: PsuId,
    /// The PSU's name, as pages show it.
    pub psu_name: Option<String>,
    /// The stage of the login.
    pub stage: SessionStage,
    /// The digest that, together with the browser's secret, yields the next valid form token. Source: AS-141, AS-144.
    pub form_token: Digest,
    /// When it expires without activity (wall clock). Source: AS-144.
    pub idle_at: Timestamp,
    /// When it expires in any case (wall clock).
    pub ends_at: Timestamp,
}

impl Session {
    /// Whether the session has not expired.
    pub fn is_alive(&self, now: Timestamp) -> bool {
        now < self.idle_at && now < self.ends_at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_144_a_session_dies_of_idleness_or_at_its_end_whichever_comes_first() {
        let at = |second| Timestamp::from_second(second).unwrap();
        for (idle, ends) in [(10, 20), (20, 10), (10, 10)] {
            let session = Session {
                browser: Digest([0; 32]),
                login: "l".into(),
                psu: "p".into(),
                psu_name: None,
                stage: SessionStage::Open,
                form_token: Digest([0; 32]),
                idle_at: at(idle),
                ends_at: at(ends),
            };
            let alive = [9, 10, 15, 20, 21].map(|second| session.is_alive(at(second)));
            assert_eq!(alive, [true, false, false, false, false], "idle {idle}, ends {ends}");
        }
    }
}
