//! A PSU's session at the bank, outside any authorisation journey.

use crate::grant::Digest;
use crate::ids::{JourneyId, PsuId};
use jiff::Timestamp;

/// How far the PSU has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SessionStage {
    /// The password was right; the one-time code has yet to be given.
    SecondFactor,
    /// The PSU is logged in.
    Open,
}

/// A session, known by the secret in its browser's cookie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// SHA-256 of the cookie's secret; another one after every step of the login. Source: AS-143.
    pub browser: Digest,
    /// Names this login to the identity provider; stays the same over its steps.
    pub login: JourneyId,
    /// Who logs in, or is logged in.
    pub psu: PsuId,
    /// How far the PSU has come.
    pub stage: SessionStage,
    /// What the one form token accepted next is made from, together with the browser's secret. Source: AS-141, AS-144.
    pub form_token: Digest,
    /// When it dies unless the PSU does something (wall clock). Source: AS-144.
    pub idle_at: Timestamp,
    /// When it dies whatever the PSU does (wall clock).
    pub ends_at: Timestamp,
}

impl Session {
    /// Whether it may be used.
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
