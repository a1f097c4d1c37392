//! The sessions of PSUs.

use crate::rows::Rows;
use lombard_database::statement::both;
use lombard_database::value::{SqlRow, optional};
use lombard_database::{locking, must_change_one, statements};
use lombard_domain::code::StoredCode;
use lombard_domain::grant::Digest;
use lombard_domain::session::{Session, SessionStage};
use lombard_ports::store::{SessionStore, StoreError};

macro_rules! columns {
    () => {
        "login, browser, psu_id, stage, form_token, idle_at, ends_at, psu_name"
    };
}

statements! { "sessions" =>
    INSERT = both(concat!("INSERT INTO sessions (", columns!(), ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"));
    BY_BROWSER = both(concat!("SELECT ", columns!(), " FROM sessions WHERE browser = $1"));
    BY_BROWSER_LOCKED = locking!("SELECT ", columns!(), " FROM sessions WHERE browser = $1");
    UPDATE = must_change_one!("UPDATE sessions SET form_token = $1, idle_at = $2 WHERE browser = $3");
    REMOVE = both("DELETE FROM sessions WHERE browser = $1");
}

impl SessionStore for Rows<'_, '_> {
    fn session_insert(&mut self, session: &Session) -> Result<(), StoreError> {
        let parameters = [
            (&session.login).into(),
            session.browser.into(),
            (&session.psu).into(),
            session.stage.code().into(),
            session.form_token.into(),
            session.idle_at.into(),
            session.ends_at.into(),
            optional(session.psu_name.as_deref()),
        ];
        self.execute_later(&INSERT, &parameters)
    }

    fn session_for_update(&mut self, browser: &Digest) -> Result<Option<Session>, StoreError> {
        self.one_locked(&BY_BROWSER, &BY_BROWSER_LOCKED, &[(*browser).into()], read)
    }

    fn session_update(&mut self, session: &Session) -> Result<(), StoreError> {
        let parameters = [session.form_token.into(), session.idle_at.into(), session.browser.into()];
        self.execute_later_on(&UPDATE, &parameters, session.login.as_str())
    }

    fn session_remove(&mut self, browser: &Digest) -> Result<(), StoreError> {
        self.execute_later(&REMOVE, &[(*browser).into()])
    }
}

/// Reads a session. Columns are read in the order of the struct fields below.
fn read(row: &mut SqlRow<'_>) -> Result<Session, StoreError> {
    Ok(Session {
        login: row.id()?,
        browser: row.digest()?,
        psu: row.id()?,
        stage: row.parsed(SessionStage::decode)?,
        form_token: row.digest()?,
        idle_at: row.instant()?,
        ends_at: row.instant()?,
        psu_name: row.id_or_null()?,
    })
}
