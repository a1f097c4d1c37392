//! One-time links and sessions of the portal.

use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::statement::{SqlText, both};
use lombard_database::statements;
use lombard_domain::grant::Digest;
use lombard_domain::ids::{ClientId, PsuId};
use lombard_domain::portal::{PortalLink, PortalSession};
use lombard_ports::store::{CustomerReservation, PortalStore, StoreError};

statements! { "portal_links" =>
    LINK_INSERT = both("INSERT INTO portal_links (secret, client_id, expires_at) VALUES ($1, $2, $3)");
    LINK_BY_SECRET = both("SELECT client_id, expires_at FROM portal_links WHERE secret = $1");
    LINK_REMOVE = both("DELETE FROM portal_links WHERE secret = $1");
    SESSION_INSERT = both(
        "INSERT INTO portal_sessions (browser, client_id, form_token, idle_at, ends_at) VALUES ($1, $2, $3, $4, $5)");
    SESSION_BY_BROWSER = both("SELECT client_id, form_token, idle_at, ends_at FROM portal_sessions WHERE browser = $1");
    SESSION_EXTEND = both("UPDATE portal_sessions SET idle_at = $1 WHERE browser = $2");
    SESSION_REMOVE = both("DELETE FROM portal_sessions WHERE browser = $1");
    CUSTOMERS_LOCK = SqlText {
        // SQLite has one writer, so no lock is needed.
        sqlite: "DELETE FROM portal_customers WHERE 0",
        postgres: "LOCK TABLE portal_customers IN EXCLUSIVE MODE",
    };
    CUSTOMERS_OF = both("SELECT count(*) FROM portal_customers WHERE client_id = $1");
    CUSTOMER_ADD = both("INSERT INTO portal_customers (psu_id, client_id) VALUES ($1, $2) ON CONFLICT (psu_id) DO NOTHING");
    CUSTOMER_REMOVE = both("DELETE FROM portal_customers WHERE psu_id = $1");
}

impl PortalStore for Rows<'_, '_> {
    fn portal_link_insert(&mut self, link: &PortalLink) -> Result<(), StoreError> {
        self.execute_later(&LINK_INSERT, &[link.secret.into(), (&link.client).into(), link.expires_at.into()])
    }

    fn portal_link(&mut self, secret: &Digest) -> Result<Option<PortalLink>, StoreError> {
        let secret = *secret;
        self.one(&LINK_BY_SECRET, &[secret.into()], |row| {
            Ok(PortalLink { secret, client: row.id()?, expires_at: row.instant()? })
        })
    }

    fn portal_link_remove(&mut self, secret: &Digest) -> Result<bool, StoreError> {
        Ok(self.execute(&LINK_REMOVE, &[(*secret).into()])? == 1)
    }

    fn portal_session_insert(&mut self, session: &PortalSession) -> Result<(), StoreError> {
        let parameters = [
            session.browser.into(),
            (&session.client).into(),
            session.form_token.into(),
            session.idle_at.into(),
            session.ends_at.into(),
        ];
        self.execute_later(&SESSION_INSERT, &parameters)
    }

    fn portal_session(&mut self, browser: &Digest) -> Result<Option<PortalSession>, StoreError> {
        let browser = *browser;
        self.one(&SESSION_BY_BROWSER, &[browser.into()], |row| {
            Ok(PortalSession {
                browser,
                client: row.id()?,
                form_token: row.digest()?,
                idle_at: row.instant()?,
                ends_at: row.instant()?,
            })
        })
    }

    fn portal_session_extend(&mut self, browser: &Digest, idle_at: Timestamp) -> Result<(), StoreError> {
        self.execute_later(&SESSION_EXTEND, &[idle_at.into(), (*browser).into()])
    }

    fn portal_session_remove(&mut self, browser: &Digest) -> Result<(), StoreError> {
        self.execute_later(&SESSION_REMOVE, &[(*browser).into()])
    }

    fn portal_customer_reserve(
        &mut self,
        customer: &PsuId,
        client: &ClientId,
        most: u32,
    ) -> Result<CustomerReservation, StoreError> {
        self.execute(&CUSTOMERS_LOCK, &[])?;
        if self.portal_customers_added(client)? >= most {
            return Ok(CustomerReservation::Full);
        }
        let is_new = self.execute(&CUSTOMER_ADD, &[customer.into(), client.into()])? == 1;
        Ok(if is_new { CustomerReservation::Reserved } else { CustomerReservation::Known })
    }

    fn portal_customer_release(&mut self, customer: &PsuId) -> Result<(), StoreError> {
        self.execute_later(&CUSTOMER_REMOVE, &[customer.into()])
    }

    fn portal_customers_added(&mut self, client: &ClientId) -> Result<u32, StoreError> {
        Ok(self.one(&CUSTOMERS_OF, &[client.into()], |row| row.number())?.unwrap_or_default())
    }
}
