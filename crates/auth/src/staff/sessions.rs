//! The sessions of staff in browsers. They are rows, so that all nodes share them; the secret of a browser is stored as its digest.

use crate::browser::BrowserSecret;
use crate::portal::{NO_SESSION, is_form_token};
use crate::submission::new_salt;
use crate::throttle::{LoginAttempt, LoginLimits, Throttled};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::audit::{AuditAction, AuditRecord};
use lombard_domain::grant::Digest;
use lombard_domain::staff::{StaffAct, StaffMember, StaffSession};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_ports::staff::StaffLoginSecrets;
use lombard_ports::store::{ServerTransaction, Store, StoreError};
use std::net::IpAddr;

/// The shortest time between two writes of a session's activity.
const EXTENDED_EVERY: SignedDuration = SignedDuration::from_secs(30);

/// The most different user names for which one address may fail to log in within ten minutes.
const ADDRESS_USERS_MAX: u32 = 20;

/// How long sessions of staff last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaffSessionLimits {
    /// The lifetime without activity.
    pub idle: SignedDuration,
    /// The longest lifetime.
    pub lifetime: SignedDuration,
}

/// Opens, finds and ends the sessions of staff. Clones share the store.
#[derive(Debug, Clone)]
pub struct StaffSessions {
    store: Store,
    ids: IdGenerator,
    clocks: Clocks,
    limits: StaffSessionLimits,
}

/// A staff member who is logged in with a browser.
#[derive(Debug, Clone)]
pub struct StaffLogin {
    /// Who is logged in.
    pub member: StaffMember,
    /// The tokens of the forms of the session.
    pub forms: StaffForms,
}

/// Makes and checks the tokens of the forms that one browser is shown.
#[derive(Debug, Clone)]
pub struct StaffForms {
    browser: BrowserSecret,
    server_half: Digest,
}

impl StaffForms {
    /// The forms of a browser that is not logged in.
    pub const fn of_login(browser: BrowserSecret) -> Self {
        Self { browser, server_half: NO_SESSION }
    }

    /// The forms of a browser whose staff member shows the certificate with this thumbprint on each connection.
    pub fn of_certificate(browser: BrowserSecret, thumbprint: Digest) -> Self {
        Self { browser, server_half: lombard_jose::sha256(&[b"staff certificate", thumbprint.0.as_slice()].concat()) }
    }

    /// The token for the forms of one page.
    pub fn form_token(&self, (ids, now): (&IdGenerator, Timestamp)) -> String {
        self.browser.salted_token(&self.server_half, &format!("{}-{}", now.as_second(), new_salt(ids)))
    }

    /// Whether a token was made for this browser and session within the last hour.
    pub fn owns_form(&self, form_token: &str, now: Timestamp) -> bool {
        is_form_token(&self.browser, &self.server_half, form_token, now)
    }

    /// The secret of the browser.
    pub const fn browser(&self) -> &BrowserSecret {
        &self.browser
    }
}

/// An attempt to log in that has been counted, until it turns out to be right.
#[derive(Debug)]
pub struct CountedStaffAttempt {
    attempt: LoginAttempt,
    at: Timestamp,
}

impl StaffSessions {
    /// The sessions in this store.
    pub const fn new(store: Store, ids: IdGenerator, clocks: Clocks, limits: StaffSessionLimits) -> Self {
        Self { store, ids, clocks, limits }
    }

    /// The generator of ids, and the time on the wall clock.
    pub fn ids_and_now(&self) -> (&IdGenerator, Timestamp) {
        (&self.ids, self.clocks.wall_now())
    }

    /// Makes the secret of a browser that has none.
    pub fn new_browser(&self) -> BrowserSecret {
        BrowserSecret::fresh(&self.ids)
    }

    /// Opens a session with a new secret, which is returned for the browser's cookie, so that nobody knows it before the login. The former
    /// session of the browser ends. A counted attempt turned out to be right and no longer counts. The audit log tells of the login.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn open_session(
        &self,
        former: &BrowserSecret,
        act: &StaffAct,
        counted: Option<CountedStaffAttempt>,
    ) -> Result<BrowserSecret, StoreError> {
        let browser = self.new_browser();
        let now = self.clocks.wall_now();
        let after = |duration| now.saturating_add(duration).unwrap_or(now);
        let session = StaffSession {
            browser: browser.digest(),
            member: act.member.clone(),
            form_token: lombard_jose::sha256(&self.ids.random_secret()),
            idle_at: after(self.limits.idle),
            ends_at: after(self.limits.lifetime),
        };
        let former = former.digest();
        let record = AuditRecord::of_staff(act, now, AuditAction::StaffLogin, "");
        let open = move |tx: &mut dyn ServerTransaction| {
            tx.staff_session_remove(&former)?;
            tx.staff_session_insert(&session)?;
            tx.audit_append(&record)?;
            match &counted {
                Some(CountedStaffAttempt { attempt, at }) => attempt.uncount_in(tx, *at),
                None => Ok(()),
            }
        };
        self.store.write::<_, StoreError, _>(open).await?;
        Ok(browser)
    }

    /// The login of this browser, if there is one. Each request postpones the end of the session for idleness.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn find_session(&self, browser: &BrowserSecret) -> Result<Option<StaffLogin>, StoreError> {
        let (digest, now) = (browser.digest(), self.clocks.wall_now());
        let find = move |tx: &mut dyn ServerTransaction| tx.staff_session(&digest);
        let found = self.store.read::<_, StoreError, _>(find).await?.filter(|session| session.is_alive(now));
        let Some(session) = found else { return Ok(None) };
        let idle_at = now.saturating_add(self.limits.idle).unwrap_or(now);
        if idle_at.duration_since(session.idle_at) >= EXTENDED_EVERY {
            let extend = move |tx: &mut dyn ServerTransaction| tx.staff_session_extend(&digest, idle_at);
            self.store.write::<_, StoreError, _>(extend).await?;
        }
        let forms = StaffForms { browser: browser.clone(), server_half: session.form_token };
        Ok(Some(StaffLogin { member: session.member, forms }))
    }

    /// Ends the session of this browser, as the audit log tells.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn close_session(&self, browser: &BrowserSecret, act: &StaffAct) -> Result<(), StoreError> {
        let digest = browser.digest();
        let record = AuditRecord::of_staff(act, self.clocks.wall_now(), AuditAction::StaffLogout, "");
        let close = move |tx: &mut dyn ServerTransaction| {
            tx.staff_session_remove(&digest)?;
            tx.audit_append(&record)
        };
        self.store.write(close).await
    }

    /// Counts an attempt to log in as this user before it is checked, over all nodes, unless there were too many.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn count_attempt(
        &self,
        user: &str,
        from: IpAddr,
    ) -> Result<Result<CountedStaffAttempt, Throttled>, StoreError> {
        let limits = LoginLimits { device_secs: 0, address_users_max: ADDRESS_USERS_MAX };
        let attempt = LoginAttempt::of_staff(user, from, &limits);
        let (counting, at) = (attempt.clone(), self.clocks.wall_now());
        let counted = self.store.write::<_, StoreError, _>(move |tx| counting.count_in(tx, at)).await?;
        Ok(counted.map(|()| CountedStaffAttempt { attempt, at }))
    }
}

/// The values that bind a login at the provider to this browser. They are derived, so that nothing is stored for a login that never ends.
pub fn login_secrets(browser: &BrowserSecret) -> StaffLoginSecrets {
    StaffLoginSecrets {
        state: browser.derive("staff state"),
        nonce: browser.derive("staff nonce"),
        verifier: browser.derive("staff code verifier"),
    }
}
